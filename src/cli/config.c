/* SPDX-License-Identifier: MIT */
#include "cli/config.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error_line.h"
#include "cli/options.h"
#include "experiment/setting.h"

/* More is no configuration. */
#define MOST_BYTES 65536
#define BLANKS	   " \t\r\v\f"

struct reader {
	const struct config_place *place;
	config_take *take;
	void *to;
	char *error;
	size_t size;
	int line, err;
};

void config_find(const char *typed, struct config_place *place)
{
	const char *name = typed ? typed : getenv("TUIBENCH_CONFIG");

	*place = (struct config_place) {
		.by = typed ? "--config" : "TUIBENCH_CONFIG",
		.named = name && *name,
	};
	if (!name || !*name) {
		const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
		int n = 0;

		place->by = "configuration";
		if (config && *config == '/')
			n = snprintf(place->path, PATH_MAX, "%s/tuibench/config", config);
		else if (home && *home == '/')
			n = snprintf(place->path, PATH_MAX, "%s/.config/tuibench/config", home);
		if (n >= PATH_MAX)
			place->path[0] = '\0';
	} else if (strcmp(name, CONFIG_NONE) != 0)
		snprintf(place->path, PATH_MAX, "%s", name);
}

static int refuse(struct reader *reader, const char *text)
{
	reader->err = error_line(reader->error, reader->size, -EINVAL, "%s:%d: %s",
				 reader->place->path, reader->line, text);
	return reader->err;
}

/* Called by inih, whose errors are 0. */
static int take_pair(void *user, const char *section, const char *name, const char *value)
{
	struct reader *reader = user;
	char text[512];

	(void)section;
	if (!*name)
		refuse(reader, "no name stands before the =; a line is NAME = VALUE");
	else if (reader->take(reader->to, name, value, reader->line, text, sizeof(text)))
		refuse(reader, text);
	return reader->err == 0;
}

/* What stands behind a blank and # or ; is a comment, as what begins so. */
static void cut_comment(char *line)
{
	for (char *c = line; *c; c++)
		if ((*c == '#' || *c == ';') && (c == line || strchr(BLANKS, c[-1]))) {
			*c = '\0';
			return;
		}
}

/* Each line goes to inih by itself: indented ones would be parts of the one above. */
static int read_line(struct reader *reader, char *line)
{
	line += strspn(line, BLANKS);
	cut_comment(line);
	if (!line[strspn(line, BLANKS)])
		return 0;
	if (*line == '[')
		return refuse(reader, "there are no sections; a line is NAME = VALUE");
	if (!strpbrk(line, "=:"))
		return refuse(reader, "no = stands here; a line is NAME = VALUE (ascii = yes)");
	if (strlen(line) + 3 > (size_t)ini_max_line)
		return refuse(reader, "the line is too long; 197 bytes are taken");
	if (ini_parse_string(line, take_pair, reader) && !reader->err)
		return refuse(reader, "cannot be read; a line is NAME = VALUE");
	return reader->err;
}

int config_parse(const struct config_place *place, char *text, size_t n, config_take *take,
		 void *to, char *error, size_t size)
{
	struct reader reader = {place, take, to, error, size, 0, 0};
	char *rest = text, *end = text + n;

	text[n] = '\0';
	if (strncmp(rest, "\xef\xbb\xbf", 3) == 0)
		rest += 3;
	while (!reader.err && rest < end) {
		char *line = rest, *newline = memchr(rest, '\n', (size_t)(end - rest));

		rest = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		reader.line++;
		if (strlen(line) < (size_t)((newline ? newline : end) - line))
			return refuse(&reader, "holds a byte 0; this is no text");
		read_line(&reader, line);
	}
	return reader.err;
}

/* A file or the null device: others may never end, or never begin. */
static int check_kind(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return 0;
	return !S_ISREG(st.st_mode) ? -ESPIPE : st.st_size > MOST_BYTES ? -EFBIG : 0;
}

static ssize_t read_all(int fd, char *text)
{
	size_t n = 0;

	while (n <= MOST_BYTES) {
		ssize_t got = read(fd, text + n, MOST_BYTES + 1 - n);

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			return (ssize_t)n;
		n += got > 0 ? (size_t)got : 0;
	}
	return -EFBIG;
}

static const char *reason(int err)
{
	switch (err) {
	case -EISDIR:
		return "is a folder; name a file";
	case -ESPIPE:
		return "is not a regular file";
	case -EFBIG:
		return "is too large for a configuration, more than 64 KiB";
	default:
		return NULL;
	}
}

/* A user's own that is not there, or in a folder of somebody else's. */
static bool is_absent(const struct config_place *place, int err)
{
	struct stat st;

	return !place->named && (err == -ENOENT || err == -ENOTDIR ||
				 (err == -EACCES && stat(place->path, &st) != 0));
}

static int open_file(const struct config_place *place)
{
	int fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int err = fd < 0 ? -errno : check_kind(fd);

	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

/* 0, or why there is no text. */
static int read_file(int fd, char **text, size_t *n)
{
	ssize_t got;

	*text = malloc(MOST_BYTES + 2);
	got = *text ? read_all(fd, *text) : -ENOMEM;
	*n = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

int config_read(const struct config_place *place, config_take *take, void *to, char *error,
		size_t size)
{
	char *text = NULL;
	size_t n = 0;
	int fd, err;

	if (!place->path[0])
		return 0;
	fd = open_file(place);
	if (is_absent(place, fd))
		return 0;
	err = fd < 0 ? fd : read_file(fd, &text, &n);
	if (fd >= 0)
		close(fd);
	if (!err)
		err = config_parse(place, text, n, take, to, error, size);
	else if (reason(err))
		error_line(error, size, err, "%s: \"%s\" %s", place->by, place->path, reason(err));
	else
		error_line(error, size, err, "%s: \"%s\" cannot be read: %s", place->by,
			   place->path, strerror(-err));
	free(text);
	return err;
}

/* The values of a repeatable option, too. */
#define MOST_LINES 128

struct line {
	size_t rule;
	const char *value;
	int number;
};

/* The lines of a file that are right by themselves, in the order of the rules. */
struct lines {
	struct config_place place;
	struct options_typed judge; /* values are right or wrong wherever they stand */
	struct options *options;    /* where the text of the values is kept */
	size_t n, used;
	struct line lines[MOST_LINES];
};

#define WRONG(...) error_line(error, size, -EINVAL, __VA_ARGS__)

/* "set.alloc" is the option --set, of which the rest stands in the value. */
static const char set_prefix[] = "set.";

static const struct options_rule *find_rule(const char *name, size_t *i)
{
	const struct options_rule *rule;
	bool set = strncmp(name, set_prefix, strlen(set_prefix)) == 0;

	for (*i = 0; (rule = options_rule_at(*i)); (*i)++)
		if (set ? rule->value == VALUE_SETTING : strcmp(rule->name, name) == 0)
			return rule;
	return NULL;
}

static int refuse_name(const char *name, char *error, size_t size)
{
	const char *meant = options_nearest(name);

	if (setting_find(name))
		return WRONG("%s: is a setting: set.%s = VALUE", name, name);
	if (meant)
		return WRONG("%s: is not an option; did you mean %s?", name, meant);
	return WRONG("%s: is not an option; --help config lists them", name);
}

/* 1, 0 or an error. */
static int parse_flag(const char *value)
{
	static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1"};

	for (int i = 0; i < 8; i++)
		if (strcmp(value, words[i]) == 0)
			return i % 2;
	return -EINVAL;
}

/* What is wrong, without "--" or "-s " before the name. */
static const char *without_dashes(const char *error)
{
	return error + (strncmp(error, "-s ", 3) == 0 ? 3 : strspn(error, "-"));
}

/* The text must last as long as the options. */
static const char *keep(struct lines *lines, const char *value)
{
	size_t n = strlen(value) + 1;
	char *to = lines->options->config_text + lines->used;

	if (n > sizeof(lines->options->config_text) - lines->used)
		return NULL;
	lines->used += n;
	return memcpy(to, value, n);
}

/* Of settings, one of the same name; 0: there is none. */
static int line_before(const struct lines *lines, size_t rule, const char *value)
{
	bool set = options_rule_at(rule)->value == VALUE_SETTING;

	for (size_t i = 0; i < lines->n; i++)
		if (lines->lines[i].rule == rule &&
		    (!set || strncmp(lines->lines[i].value, value, strcspn(value, "=") + 1) == 0))
			return lines->lines[i].number;
	return 0;
}

static int judge_value(struct lines *lines, const struct options_rule *rule, const char *value,
		       char *error, size_t size)
{
	struct options_typed *judge = &lines->judge;
	int err;

	if (rule->value == VALUE_FLAG)
		return parse_flag(value) >= 0
			       ? 0
			       : WRONG("%s: \"%s\" is neither yes nor no", rule->name, value);
	memset(judge->options->request.settings, 0, sizeof(judge->options->request.settings));
	err = options_store(judge, rule, value);
	return err ? WRONG("%s", without_dashes(judge->error)) : 0;
}

/* "alloc=400", of set.alloc. The file's reader ends a name at a colon, too: that of set.env:LANG.
 */
static int join(const char *name, const char *value, char *both, size_t size)
{
	size_t n = strcspn(value, "=");

	if (strcmp(name, "env") != 0 || !value[n])
		return snprintf(both, size, "%s=%s", name, value);
	return snprintf(both, size, "env:%.*s=%s", (int)strcspn(value, " \t="), value,
			value + n + 1 + strspn(value + n + 1, " \t"));
}

static int take_option(void *to, const char *name, const char *value, int number, char *error,
		       size_t size)
{
	struct lines *lines = to;
	struct line line = {.number = number};
	const struct options_rule *rule = find_rule(name, &line.rule);
	bool set = rule && rule->value == VALUE_SETTING;
	char both[512];
	int before;

	if (!rule || (set && strncmp(name, set_prefix, strlen(set_prefix)) != 0))
		return rule ? WRONG("set: is written as set.NAME = VALUES (set.alloc = 400)")
			    : refuse_name(name, error, size);
	if (!rule->standing)
		return WRONG("%s: is for one command; it has no place in a file", name);
	if (set && join(name + strlen(set_prefix), value, both, sizeof(both)) >= (int)sizeof(both))
		return WRONG("%s: has too long a value", name);
	value = set ? both : value;
	if (judge_value(lines, rule, value, error, size))
		return -EINVAL;
	before = line_before(lines, line.rule, value);
	if (before)
		return WRONG("%s: stands in line %d already", name, before);
	line.value = keep(lines, value);
	if (!line.value || lines->n == MOST_LINES)
		return WRONG("%s: is one option too many", name);
	if (rule->value != VALUE_FLAG || parse_flag(value) == 1) {
		size_t i = lines->n++;

		for (; i > 0 && lines->lines[i - 1].rule > line.rule; i--)
			lines->lines[i] = lines->lines[i - 1];
		lines->lines[i] = line;
	}
	return 0;
}

/* Whether it could be typed, and NAME=VALUES is of something in it, unless that is NULL. */
static int build(const struct request *request, const char *setting, char *error, size_t size)
{
	struct experiment *experiment = malloc(sizeof(*experiment));
	char name[VARIABLE_NAME] = "";
	int err = experiment ? experiment_build(request, experiment, error, size) : -ENOMEM;

	if (setting)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(setting, "="), setting);
	if (!err && setting && !setting_concerns(name, experiment, false))
		err = -ENOENT;
	free(experiment);
	return err;
}

/* Whether this machine refuses the setting whatever else the session has. */
static bool is_impossible(const char *value, char *error, size_t size)
{
	struct request plain;

	request_init(&plain);
	if (build(&plain, value, error, size))
		return false;
	plain.settings[0] = value;
	return build(&plain, NULL, error, size) == -EINVAL;
}

/* Takes it as if it were typed; what it contradicts is in error. */
static int type_line(struct options_typed *typed, const struct line *line)
{
	options_store(typed, options_rule_at(line->rule), line->value);
	typed->given[line->rule] = true;
	return options_check(typed);
}

/* A line that contradicts what was typed is left out; one that contradicts others is wrong. */
struct merge {
	const struct lines *lines;
	struct options_typed *all, *alone; /* with what the file has said so far, and without */
	struct options_config *added;
};

static int refuse_line(const struct merge *merge, const struct line *line, int err,
		       const char *reason)
{
	const struct options_typed *all = merge->all;
	char text[256];

	snprintf(text, sizeof(text), "%s", reason);
	return error_line(all->error, all->size, err, "%s:%d: %s", merge->lines->place.path,
			  line->number, without_dashes(text));
}

/* It contradicts, which is in the error of all: what was typed, or another line of the file. */
static int refuse_within(const struct merge *merge, const struct line *line)
{
	const struct options before = *merge->alone->options;
	struct options_typed alone = *merge->alone;
	int err = type_line(&alone, line);

	*merge->alone->options = before;
	return err ? 0 : refuse_line(merge, line, -EINVAL, merge->all->error);
}

static void leave_out(const struct merge *merge, const struct options_rule *rule,
		      const struct line *line)
{
	struct options *options = merge->all->options;
	size_t n = strlen(options->left_out);
	bool set = rule->value == VALUE_SETTING;

	merge->all->error[0] = '\0';
	snprintf(options->left_out + n, sizeof(options->left_out) - n, "%s%s%.*s", n ? ", " : "",
		 set ? set_prefix : rule->name, set ? (int)strcspn(line->value, "=") : 0,
		 line->value ? line->value : "");
}

static int merge_line(const struct merge *merge, const struct line *line)
{
	const struct options_rule *rule = options_rule_at(line->rule);
	struct options *options = merge->all->options;
	struct options before = *options;
	char error[256] = "";
	bool given = merge->all->given[line->rule];
	bool runs = rule->of_run && options->action == ACTION_RUN && !options->replay &&
		    !options->rerun;
	int err = type_line(merge->all, line);
	int built = !err && runs ? build(&options->request, NULL, error, sizeof(error)) : 0;

	/* What the machine refuses without the line, too, is reported when the session begins. */
	if (!err && built && built != -EINVAL && build(&before.request, NULL, (char[256]) {0}, 256))
		built = 0;
	if (!err && !built) {
		/* As a word of the command line that is recorded. */
		struct options_config *added = merge->added;
		char **word = &added->words[added->n];
		int n;

		if (!rule->of_run || added->n == OPTIONS_MOST + REQUEST_SETTINGS)
			return 0;
		n = rule->value == VALUE_FLAG ? asprintf(word, "--%s", rule->name)
		    : rule->value == VALUE_EXPERIMENT
			    ? asprintf(word, "%s", line->value)
			    : asprintf(word, "--%s=%s", rule->name, line->value);
		added->n += n >= 0;
		return n < 0 ? -ENOMEM : 0;
	}
	*options = before;
	merge->all->given[line->rule] = given;
	if (built && (built != -EINVAL || (rule->value == VALUE_SETTING &&
					   is_impossible(line->value, error, sizeof(error)))))
		return refuse_line(merge, line, built, error);
	err = err ? refuse_within(merge, line) : 0;
	if (!err)
		leave_out(merge, rule, line);
	return err;
}

/* What a session consists of: in another one it would be something else. */
static bool is_of_session(const struct options_rule *rule, const char *value)
{
	size_t n = value ? strcspn(value, "=") : 0;

	return rule->value == VALUE_WORKERS || rule->value == VALUE_EXPERIMENT ||
	       strcmp(rule->name, "tree") == 0 ||
	       (rule->value == VALUE_SETTING &&
		(strncmp(value, "workers=", 8) == 0 ||
		 (n >= 4 && strncmp(value + n - 4, "size", 4) == 0)));
}

/* The command line sets it to something else. */
static bool is_set(const struct options *typed, const char *value)
{
	size_t n = strcspn(value, "=") + 1;

	for (size_t i = 0; typed->request.settings[i]; i++)
		if (strncmp(typed->request.settings[i], value, n) == 0)
			return true;
	return false;
}

/* Another session than that of the file was typed. */
static bool is_other(const struct merge *merge)
{
	const struct request *typed = &merge->alone->options->request;
	const char *own = "mixed";

	for (size_t i = 0; i < merge->lines->n; i++)
		if (options_rule_at(merge->lines->lines[i].rule)->value == VALUE_EXPERIMENT)
			own = merge->lines->lines[i].value;
	return typed->tree || typed->n_programs > 0 || merge->alone->options->own ||
	       (typed->experiment && strcmp(typed->experiment, own) != 0);
}

static int merge_lines(const struct merge *merge)
{
	bool other = is_other(merge);
	int err = 0;

	for (size_t i = 0; i < merge->lines->n && !err; i++) {
		const struct line *line = &merge->lines->lines[i];
		const struct options_rule *rule = options_rule_at(line->rule);

		bool typed = rule->value == VALUE_SETTING
				     ? is_set(merge->alone->options, line->value)
				     : merge->alone->given[line->rule];

		if (typed || (other && is_of_session(rule, line->value)))
			leave_out(merge, rule, line);
		else
			err = merge_line(merge, line);
	}
	return err;
}

/* Whoever is named on the command line once more is not read. */
static int add_none(struct options_config *added, bool named)
{
	char **word = &added->words[added->n];

	if (!added->n && !named)
		return 0;
	*word = strdup("--config=" CONFIG_NONE);
	added->n += *word != NULL;
	return *word ? 0 : -ENOMEM;
}

static int apply_lines(struct options_typed *typed, struct lines *lines,
		       struct options_config *added)
{
	struct options begin = *typed->options;
	struct options_typed alone = *typed;
	char unused[256];
	const struct merge merge = {lines, typed, &alone, added};
	int err;

	config_find(typed->options->config, &lines->place);
	lines->options = typed->options;
	lines->judge = (struct options_typed) {&(struct options) {0}, unused, sizeof(unused), {0}};
	err = config_read(&lines->place, take_option, lines, typed->error, typed->size);
	alone.options = &begin;
	snprintf(typed->options->config_path, PATH_MAX, "%s", lines->n ? lines->place.path : "");
	if (!err)
		err = merge_lines(&merge);
	return err ? err : add_none(added, typed->options->config && *lines->place.path);
}

int options_config_apply(struct options_typed *typed, struct options_config *added)
{
	struct lines *lines = calloc(1, sizeof(*lines));
	int err;

	*added = (struct options_config) {.n = 0};
	err = lines ? apply_lines(typed, lines, added) : -ENOMEM;
	if (!lines)
		error_line(typed->error, typed->size, err, "out of memory");
	free(lines);
	return err;
}

void options_config_free(struct options_config *added)
{
	while (added->n > 0)
		free(added->words[--added->n]);
}
