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

static void find_file(const char *typed, struct config_place *place)
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
		refuse(reader, "there is no name before the =; a line is NAME = VALUE");
	else if (reader->take(reader->to, name, value, reader->line, text, sizeof(text)))
		refuse(reader, text);
	return reader->err == 0;
}

/* Each line goes to inih by itself: indented ones would be parts of the one above. */
static int read_line(struct reader *reader, char *line)
{
	line += strspn(line, BLANKS);
	/* What stands behind a blank and # or ; is a comment, as what begins so. */
	for (char *c = line; *c; c++) {
		if ((*c == '#' || *c == ';') && (c == line || strchr(BLANKS, c[-1]))) {
			*c = '\0';
			break;
		}
	}
	if (!line[strspn(line, BLANKS)])
		return 0;
	if (*line == '[')
		return refuse(reader, "there are no sections; a line is NAME = VALUE");
	if (!strpbrk(line, "=:"))
		return refuse(reader, "there is no =; a line is NAME = VALUE (ascii = yes)");
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

/* A file or the null device, no more than MOST_BYTES: others may never end, or never begin. */
static int read_file(int fd, char *text, size_t *n)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode) && !(S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)))
		return -ESPIPE;
	for (*n = 0; *n <= MOST_BYTES; *n += got > 0 ? (size_t)got : 0) {
		got = read(fd, text + *n, MOST_BYTES + 1 - *n);
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			return 0;
	}
	return -EFBIG;
}

static int parse_file(const struct config_place *place, config_take *take, void *to, char *error,
		      size_t size)
{
	char *text;
	struct stat st;
	size_t n = 0;
	int fd, err = 0;

	if (!place->path[0])
		return 0;
	text = malloc(MOST_BYTES + 2);
	fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		err = -errno;
	else
		err = text ? read_file(fd, text, &n) : -ENOMEM;
	if (fd >= 0)
		close(fd);
	/* A user's own need not be there, and may be in a folder of somebody else's. */
	if (!place->named && fd < 0 &&
	    (err == -ENOENT || err == -ENOTDIR || (err == -EACCES && stat(place->path, &st))))
		err = 0;
	else if (!err)
		err = config_parse(place, text, n, take, to, error, size);
	else
		error_line(error, size, err, "%s: \"%s\" %s%s", place->by, place->path,
			   err == -EISDIR   ? "is a folder; name a file"
			   : err == -ESPIPE ? "is not a regular file"
			   : err == -EFBIG  ? "is too large for a configuration, more than 64 KiB"
					    : "cannot be read: ",
			   err == -EISDIR || err == -ESPIPE || err == -EFBIG ? "" : strerror(-err));
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
		return WRONG("%s: is in line %d already", name, before);
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
	bool runs; /* a session, which is looked at with each line that is one of a run */
	struct experiment *rooms, *session; /* in one of two rooms; NULL: none can be had */
};

static struct experiment *room_of(const struct merge *merge)
{
	return merge->session == merge->rooms ? merge->rooms + 1 : merge->rooms;
}

static int refuse_line(const struct merge *merge, const struct line *line, int err,
		       const char *reason)
{
	const struct options_typed *all = merge->all;
	char text[256];

	snprintf(text, sizeof(text), "%s", reason);
	return error_line(all->error, all->size, err, "%s:%d: %s", merge->lines->place.path,
			  line->number, without_dashes(text));
}

static void leave_out(const struct merge *merge, const struct line *line)
{
	const struct options_rule *rule = options_rule_at(line->rule);
	struct options *options = merge->all->options;
	size_t n = strlen(options->left_out);
	bool set = rule->value == VALUE_SETTING;

	merge->all->error[0] = '\0';
	snprintf(options->left_out + n, sizeof(options->left_out) - n, "%s%s%.*s", n ? ", " : "",
		 set ? set_prefix : rule->name, set ? (int)strcspn(line->value, "=") : 0,
		 line->value ? line->value : "");
}

/* Whether this machine refuses the setting whatever else the session has. */
static bool is_impossible(struct experiment *room, const char *setting, char *error, size_t size)
{
	struct request plain;

	request_init(&plain);
	if (experiment_build(&plain, room, error, size) || !setting_concerns(setting, room, false))
		return false;
	plain.settings[0] = setting;
	return experiment_build(&plain, room, error, size) == -EINVAL;
}

/* As a word of the command line that is recorded. */
static int add_word(struct options_config *added, const struct options_rule *rule,
		    const char *value)
{
	char **word = &added->words[added->n];
	int n;

	if (!rule->of_run || added->n == OPTIONS_MOST + REQUEST_SETTINGS)
		return 0;
	n = rule->value == VALUE_FLAG	      ? asprintf(word, "--%s", rule->name)
	    : rule->value == VALUE_EXPERIMENT ? asprintf(word, "%s", value)
					      : asprintf(word, "--%s=%s", rule->name, value);
	added->n += n >= 0;
	return n < 0 ? -ENOMEM : 0;
}

static int merge_line(struct merge *merge, const struct line *line)
{
	const struct options_rule *rule = options_rule_at(line->rule);
	struct options *options = merge->all->options;
	struct options before = *options;
	struct experiment *room = room_of(merge);
	char error[256] = "";
	bool given = merge->all->given[line->rule], set = rule->value == VALUE_SETTING;
	int err, built = 0;

	if (set && merge->session && !setting_concerns(line->value, merge->session, false)) {
		leave_out(merge, line);
		return 0;
	}
	err = type_line(merge->all, line);
	if (!err && merge->runs && rule->of_run) {
		built = experiment_build(&options->request, room, error, sizeof(error));
		/* What cannot be had without the line either is reported when it begins. */
		if (built && !merge->session)
			built = 0;
		else if (!built)
			merge->session = room;
	}
	if (!err && !built)
		return add_word(merge->added, rule, line->value);
	*options = before;
	merge->all->given[line->rule] = given;
	if (built &&
	    (built != -EINVAL || (set && is_impossible(room, line->value, error, sizeof(error)))))
		return refuse_line(merge, line, built, error);
	if (err) {
		/* Was it typed, or is it another line of the file? */
		struct options_typed alone = *merge->alone;

		before = *alone.options;
		built = type_line(&alone, line);
		*alone.options = before;
		if (!built)
			return refuse_line(merge, line, -EINVAL, merge->all->error);
	}
	leave_out(merge, line);
	return 0;
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

static int merge_lines(struct merge *merge)
{
	const struct request *typed = &merge->alone->options->request;
	const char *own = "mixed";
	char unused[256];
	bool other; /* session than that of the file was typed */
	int err = 0;

	for (size_t i = 0; i < merge->lines->n; i++)
		if (options_rule_at(merge->lines->lines[i].rule)->value == VALUE_EXPERIMENT)
			own = merge->lines->lines[i].value;
	other = typed->tree || typed->n_programs > 0 || merge->alone->options->own ||
		(typed->experiment && strcmp(typed->experiment, own) != 0);
	if (merge->runs && !experiment_build(typed, merge->rooms, unused, sizeof(unused)))
		merge->session = merge->rooms;
	for (size_t i = 0; i < merge->lines->n && !err; i++) {
		const struct line *line = &merge->lines->lines[i];
		const struct options_rule *rule = options_rule_at(line->rule);

		if ((rule->value == VALUE_SETTING ? is_set(merge->alone->options, line->value)
						  : merge->alone->given[line->rule]) ||
		    (other && is_of_session(rule, line->value)))
			leave_out(merge, line);
		else
			err = merge_line(merge, line);
	}
	return err;
}

int options_config_apply(struct options_typed *typed, struct options_config *added)
{
	struct lines *lines = calloc(1, sizeof(*lines));
	struct options begin = *typed->options;
	struct options_typed alone = *typed;
	struct merge merge = {lines, typed, &alone, added,
			      .rooms = calloc(2, sizeof(*merge.rooms))};
	char unused[256];
	int err = -ENOMEM;

	*added = (struct options_config) {.n = 0};
	alone.options = &begin;
	merge.runs = begin.action == ACTION_RUN && !begin.replay && !begin.rerun;
	if (lines && merge.rooms) {
		find_file(begin.config, &lines->place);
		lines->options = typed->options;
		lines->judge =
			(struct options_typed) {&(struct options) {0}, unused, sizeof(unused), {0}};
		err = parse_file(&lines->place, take_option, lines, typed->error, typed->size);
		snprintf(typed->options->config_path, PATH_MAX, "%s",
			 lines->n ? lines->place.path : "");
	}
	if (!err && lines->n > 0)
		err = merge_lines(&merge);
	/* A file that is named on the command line once more is not read. */
	if (!err && (added->n > 0 || (begin.config && *lines->place.path))) {
		added->words[added->n] = strdup("--config=" CONFIG_NONE);
		err = added->words[added->n] ? 0 : -ENOMEM;
		added->n += !err;
	}
	free(merge.rooms);
	free(lines);
	return err;
}

void options_config_free(struct options_config *added)
{
	while (added->n > 0)
		free(added->words[--added->n]);
}
