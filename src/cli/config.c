/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error_line.h"
#include "cli/options.h"
#include "experiment/setting.h"

/* Largest size of a configuration file, bytes. A larger file is not a configuration file. */
#define MOST_BYTES 65536
#define BLANKS	   " \t\r\v\f"

/* "set.alloc = VALUE" means the option --set alloc=VALUE. */
static const char set_prefix[] = "set.", set_env_prefix[] = "set.env:";

static char *trim(char *text)
{
	size_t n;

	text += strspn(text, BLANKS);
	for (n = strlen(text); n > 0;) {
		if (!strchr(BLANKS, text[n - 1]))
			break;
		text[--n] = '\0';
	}
	return text;
}

int config_parse(const struct config_place *place, char *text, size_t n, config_set *set, void *to,
		 char *error, size_t size)
{
	char *rest = text, *end = text + n, wrong[512];

	text[n] = '\0';
	if (strncmp(rest, "\xef\xbb\xbf", 3) == 0)
		rest += 3;
	for (int number = 1; rest < end; number++) {
		char *name = rest, *newline = memchr(rest, '\n', (size_t)(end - rest)), *value;
		const char *reason = NULL, *ends = "=:";
		size_t length = (size_t)(end - name);

		rest = end;
		if (newline) {
			*newline = '\0';
			length = (size_t)(newline - name);
			rest = newline + 1;
		}
		if (strlen(name) < length)
			reason = "has a NUL byte, so it is not a text file";
		/* A # or ; begins a comment, at the start of a line or after a blank. */
		for (char *c = name; *c; c++) {
			if ((*c == '#' || *c == ';') && (c == name || strchr(BLANKS, c[-1]))) {
				*c = '\0';
				break;
			}
		}
		name = trim(name);
		/*
		 * The name ends at = or a colon, but in set.env:NAME the colon is part of the name.
		 */
		if (strncmp(name, set_env_prefix, strlen(set_env_prefix)) == 0)
			ends = "=";
		value = strpbrk(name, ends);
		if (!*name && !reason)
			continue;
		if (*name == '[')
			reason = "sections are not supported; write NAME = VALUE";
		else if (!value && !reason)
			reason = "the line has no =; write NAME = VALUE (ascii = yes)";
		if (!reason) {
			*value++ = '\0';
			name = trim(name);
			if (!*name)
				reason = "the line has no name before the =; write NAME = VALUE";
			else if (set(to, name, trim(value), number, wrong, sizeof(wrong)))
				reason = wrong;
		}
		if (reason)
			return error_line(error, size, -EINVAL, "%s:%d: %s", place->path, number,
					  reason);
	}
	return 0;
}

/*
 * Parses a file of at most MOST_BYTES, or the null device. Refuses larger files, and other kinds of
 * files, because opening or reading those could take forever.
 */
static int parse_file(const struct config_place *place, config_set *set, void *to, char *error,
		      size_t size)
{
	char *text = malloc(MOST_BYTES + 2);
	const char *reason = NULL;
	struct stat st;
	ssize_t got = 1;
	size_t n = 0;
	int err = 0, fd = -1;

	if (!text)
		err = -ENOMEM;
	if (!err && place->path[0]) {
		fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0 || fstat(fd, &st))
			err = -errno;
		else if (S_ISDIR(st.st_mode))
			err = -EISDIR;
		else if (!S_ISREG(st.st_mode) &&
			 !(S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)))
			err = -ESPIPE;
	}
	while (fd >= 0 && !err && got != 0 && n <= MOST_BYTES) {
		got = read(fd, text + n, MOST_BYTES + 1 - n);
		if (got < 0 && errno != EINTR)
			err = -errno;
		if (got > 0)
			n += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
	if (n > MOST_BYTES)
		err = -EFBIG;
	if (err == -EISDIR)
		reason = "is a directory; name a file";
	else if (err == -ESPIPE)
		reason = "is not a regular file";
	else if (err == -EFBIG)
		reason = "is larger than 64 KiB, the most that a configuration may have";
	/*
	 * If the user named no file, the default file may be missing, or in a directory that this
	 * user cannot read. Neither case is an error.
	 */
	if (!place->named &&
	    (err == -ENOENT || err == -ENOTDIR || (err == -EACCES && stat(place->path, &st))))
		err = 0;
	else if (err && reason)
		error_line(error, size, err, "%s: \"%s\" %s", place->by, place->path, reason);
	else if (err)
		error_line(error, size, err, "%s: \"%s\" cannot be read: %s", place->by,
			   place->path, strerror(-err));
	else
		err = config_parse(place, text, n, set, to, error, size);
	free(text);
	return err;
}

/* Largest number of lines with options. Each setting has its own line. */
#define MOST_LINES 128

struct lines {
	struct options_typed judge; /* used to check each value alone */
	struct options *options;    /* where the text of the values is stored */
	size_t n, used;
	struct line {
		const struct options_rule *rule;
		char *word;	   /* word of a command line: "--trials=6" */
		const char *value; /* the value, which is at the end of `word` */
		int number;
	} lines[MOST_LINES];
};

#define WRONG(...) error_line(error, size, -EINVAL, __VA_ARGS__)

static int parse_flag(const char *value)
{
	static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1"};

	for (int i = 0; i < 8; i++)
		if (strcmp(value, words[i]) == 0)
			return i % 2;
	return -EINVAL;
}

static const char *without_dashes(const char *error)
{
	if (strncmp(error, "-s ", 3) == 0)
		return error + 3;
	return error + strspn(error, "-");
}

static bool is_same_setting(const char *a, const char *b)
{
	return strncmp(a, b, strcspn(b, "=") + 1) == 0;
}

/*
 * Returns the option with this name. NULL: there is no such option, or it is not allowed in a file;
 * error has the reason.
 */
static const struct options_rule *find_rule(const char *name, bool set, char *error, size_t size)
{
	const struct options_rule *rule;
	const char *meant = options_nearest(name);

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (set && rule->value == VALUE_SETTING)
			break;
		if (!set && strcmp(rule->name, name) == 0)
			break;
	}
	if (rule && !set && rule->value == VALUE_SETTING)
		WRONG("set needs a name: set.NAME = VALUES (set.alloc = 400)");
	else if (rule && !rule->standing)
		WRONG("%s works only on the command line; remove it from the file", name);
	else if (rule)
		return rule;
	else if (setting_find(name))
		WRONG("%s is a setting: set.%s = VALUE", name, name);
	else if (meant)
		WRONG("%s is not an option; did you mean %s?", name, meant);
	else
		WRONG("unknown option %s; see --help config", name);
	return NULL;
}

static int take_option(void *to, const char *name, const char *value, int number, char *error,
		       size_t size)
{
	struct lines *lines = to;
	struct options *judged = lines->judge.options;
	bool set = strncmp(name, set_prefix, strlen(set_prefix)) == 0;
	struct line line = {.number = number};
	const size_t space = sizeof(lines->options->config_text) - lines->used;
	char both[512], wrong[ERROR_LINE_ROOM];
	size_t i = 0, length;

	line.rule = find_rule(name, set, error, size);
	if (!line.rule)
		return -EINVAL;
	if (set && snprintf(both, sizeof(both), "%s=%s", name + strlen(set_prefix), value) >=
			   (int)sizeof(both))
		return WRONG("%s: the value is too long", name);
	if (set)
		value = both;
	memset(judged->request.settings, 0, sizeof(judged->request.settings));
	if (line.rule->value == VALUE_FLAG && parse_flag(value) < 0)
		return WRONG("%s: \"%s\" is neither yes nor no", name, value);
	if (line.rule->value != VALUE_FLAG && options_store(&lines->judge, line.rule, value))
		return WRONG("%s", without_dashes(lines->judge.error));
	if (set && setting_check(&lines->options->request, value, wrong, sizeof(wrong)))
		return WRONG("%s", wrong);
	for (; i < lines->n; i++)
		if (lines->lines[i].rule == line.rule &&
		    (!set || is_same_setting(lines->lines[i].value, value)))
			return WRONG("%s is already set in line %d", name, lines->lines[i].number);
	if (line.rule->value == VALUE_FLAG && parse_flag(value) == 0)
		return 0;
	/* The options keep pointers to the text, so store it with them. */
	line.word = lines->options->config_text + lines->used;
	if (line.rule->value == VALUE_FLAG)
		length = (size_t)snprintf(line.word, space, "--%s", line.rule->name);
	else if (line.rule->value == VALUE_EXPERIMENT)
		length = (size_t)snprintf(line.word, space, "%s", value);
	else
		length = (size_t)snprintf(line.word, space, "--%s=%s", line.rule->name, value);
	if (length >= space || i == MOST_LINES)
		return WRONG("%s: too many options", name);
	line.value = line.word + length;
	if (line.rule->value != VALUE_FLAG)
		line.value -= strlen(value);
	lines->used += length + 1;
	for (lines->n++; i > 0; i--) {
		if (lines->lines[i - 1].rule <= line.rule)
			break;
		lines->lines[i] = lines->lines[i - 1];
	}
	lines->lines[i] = line;
	return 0;
}

static bool *given(struct options_typed *typed, const struct line *line)
{
	return &typed->given[line->rule - options_rule_at(0)];
}

/*
 * Applies the line as if it were typed. If the line contradicts the options, typed->error has the
 * reason.
 */
static int type_line(struct options_typed *typed, const struct line *line)
{
	options_store(typed, line->rule, line->value);
	*given(typed, line) = true;
	return options_check(typed);
}

/*
 * Returns whether the typed options replace the line: either the same option was typed, or they
 * make a session other than the file's.
 */
static bool is_overridden(const struct lines *lines, const struct line *line,
			  struct options_typed *alone)
{
	const struct request *typed = &alone->options->request;
	const char *own = "mixed";
	bool set = line->rule->value == VALUE_SETTING, typed_too = !set && *given(alone, line);
	size_t n = strcspn(line->value, "=");
	/* These options belong to one session, and would mean something else in another session. */
	bool of_session = line->rule->value == VALUE_WORKERS ||
			  line->rule->value == VALUE_EXPERIMENT ||
			  strcmp(line->rule->name, "tree") == 0 ||
			  (set && (is_same_setting(line->value, "workers=") ||
				   (n >= 4 && strncmp(line->value + n - 4, "size", 4) == 0)));

	for (size_t i = 0; typed->settings[i]; i++)
		typed_too |= set && is_same_setting(typed->settings[i], line->value);
	for (size_t i = 0; i < lines->n; i++)
		if (lines->lines[i].rule->value == VALUE_EXPERIMENT)
			own = lines->lines[i].value;
	return typed_too ||
	       (of_session && (typed->tree || typed->n_programs > 0 || alone->options->own ||
			       (typed->experiment && strcmp(typed->experiment, own) != 0)));
}

static int refuse_line(const struct options_typed *typed, const struct config_place *place,
		       const struct line *line, int err, const char *reason)
{
	char text[ERROR_LINE_ROOM];

	snprintf(text, sizeof(text), "%s", reason);
	return error_line(typed->error, typed->size, err, "%s:%d: %s", place->path, line->number,
			  without_dashes(text));
}

static void leave_out(struct options_typed *typed, const struct line *line)
{
	struct options *options = typed->options;
	size_t n = strlen(options->left_out);
	const char *name = line->rule->name;
	int length = 0;

	if (line->rule->value == VALUE_SETTING) {
		name = set_prefix;
		length = (int)strcspn(line->value, "=");
	}
	typed->error[0] = '\0';
	snprintf(options->left_out + n, sizeof(options->left_out) - n, "%s%s%.*s", n ? ", " : "",
		 name, length, line->value);
}

/*
 * Applies the lines of the file. Leaves out a line that contradicts the typed options, or has no
 * effect on what runs. A line is an error if it contradicts other lines, has a value that no
 * session accepts, or asks for more than this machine allows.
 */
static int merge_lines(const struct lines *lines, const struct config_place *place,
		       struct options_typed *typed, struct options_config *added)
{
	struct options *options = typed->options, begin = *options;
	struct options_typed alone = *typed;
	const bool runs = begin.action == ACTION_RUN && !begin.replay && !begin.rerun;
	char error[ERROR_LINE_ROOM] = "", unused[256];
	bool right = runs && !experiment_fits(&begin.request, error, sizeof(error));

	alone.options = &begin;
	for (size_t i = 0; i < lines->n; i++) {
		const struct line *line = &lines->lines[i];
		struct options before = *options;
		bool was_given = *given(typed, line);
		struct request plain;
		int against, fits = 0;

		if (is_overridden(lines, line, &alone)) {
			leave_out(typed, line);
			continue;
		}
		against = type_line(typed, line);
		if (!against && runs && line->rule->of_run)
			fits = experiment_fits(&options->request, error, sizeof(error));
		/*
		 * Keep the line if a session is possible with it, or was impossible even without
		 * it. In the second case, the session gives the reason when it begins.
		 */
		if (!against && (!fits || !right)) {
			right |= !fits;
			if (line->rule->of_run && added->n < OPTIONS_MOST + REQUEST_SETTINGS)
				added->words[added->n++] = line->word;
			continue;
		}
		*options = before;
		*given(typed, line) = was_given;
		/*
		 * If the setting is refused even in a plain session, its value is wrong. Otherwise,
		 * it only does not suit this session.
		 */
		request_init(&plain);
		plain.settings[0] = line->value;
		if (fits && fits != -ENOENT &&
		    (fits != -EINVAL ||
		     (line->rule->value == VALUE_SETTING &&
		      experiment_fits(&plain, unused, sizeof(unused)) == -EINVAL)))
			return refuse_line(typed, place, line, fits, error);
		if (against) {
			struct options_typed only = alone;

			/*
			 * Find out whether this line contradicts a typed option, or another line of
			 * the file.
			 */
			before = begin;
			only.options = &before;
			if (!type_line(&only, line))
				return refuse_line(typed, place, line, -EINVAL, typed->error);
		}
		leave_out(typed, line);
	}
	return 0;
}

int options_config_apply(struct options_typed *typed, struct options_config *added)
{
	static char no_file[] = "--config=" CONFIG_NONE;
	struct lines *lines = calloc(1, sizeof(*lines));
	struct options *options = typed->options, judged = {0};
	const char *name = getenv("TUIBENCH_CONFIG");
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct config_place place = {.by = "TUIBENCH_CONFIG"};
	char judged_error[ERROR_LINE_ROOM];
	int err, n = 0;

	if (options->config) {
		name = options->config;
		place.by = "--config";
	}
	place.named = name && *name;
	*added = (struct options_config) {.n = 0};
	if (!lines)
		return -ENOMEM;
	if (place.named && strcmp(name, CONFIG_NONE) != 0)
		snprintf(place.path, PATH_MAX, "%s", name);
	else if (!place.named && config && *config == '/')
		n = snprintf(place.path, PATH_MAX, "%s/tuibench/config", config);
	else if (!place.named && home && *home == '/')
		n = snprintf(place.path, PATH_MAX, "%s/.config/tuibench/config", home);
	if (!place.named)
		place.by = "configuration";
	if (n >= PATH_MAX)
		place.path[0] = '\0';
	lines->options = options;
	lines->judge = (struct options_typed) {&judged, judged_error, sizeof(judged_error), {0}};
	err = parse_file(&place, take_option, lines, typed->error, typed->size);
	options->config_path[0] = '\0';
	if (lines->n > 0)
		snprintf(options->config_path, PATH_MAX, "%s", place.path);
	if (!err && lines->n > 0)
		err = merge_lines(lines, &place, typed, added);
	/*
	 * The recorded command includes the options of the file. Its last word, --config=none,
	 * keeps a repetition from reading the file again.
	 */
	if (!err && (added->n > 0 || (options->config && *place.path)))
		added->words[added->n++] = no_file;
	free(lines);
	return err;
}
