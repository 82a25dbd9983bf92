/* SPDX-License-Identifier: MIT */
#include "again.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error_line.h"
#include "command.h"
#include "experiment/experiment.h"
#include "options_rule.h"

void again_init(struct again *again)
{
	*again = (struct again) {.argc = 0};
	sigprocmask(SIG_BLOCK, NULL, &again->mask);
}

void again_free(struct again *again)
{
	while (again->argc > 0)
		free(again->argv[--again->argc]);
	again->argv[0] = NULL;
}

__attribute__((format(printf, 2, 3))) static int add(struct again *again, const char *format, ...)
{
	va_list args;
	int n;

	if (again->argc == AGAIN_WORDS)
		return -E2BIG;
	va_start(args, format);
	n = vasprintf(&again->argv[again->argc], format, args);
	va_end(args);
	if (n >= 0)
		again->argc++;
	again->argv[again->argc] = NULL;
	return n < 0 ? -ENOMEM : 0;
}

/* The new session has a recording, a seed and a start of its own. */
static bool is_kept(const struct options_rule *rule)
{
	static const char *const own[] = {"log", "no-log", "seed", "hold"};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strcmp(rule->name, own[i]) == 0)
			return false;
	return rule->of_run;
}

static int add_rule(struct again *again, const struct options_rule *rule, const char *value)
{
	if (!is_kept(rule))
		return 0;
	return value ? add(again, "--%s=%s", rule->name, value) : add(again, "--%s", rule->name);
}

/* The options of a command line that say what runs. */
static int add_options(struct again *again, int argc, char **argv)
{
	char letters[OPTIONS_LETTERS];
	struct option names[OPTIONS_MOST];
	int c, err = 0;

	options_rule_getopt(letters, names);
	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while (!err && (c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct options_rule *rule = options_rule_of(c);

		err = rule ? add_rule(again, rule, optarg) : -EINVAL;
	}
	for (; !err && optind < argc; optind++)
		err = add(again, "%s", argv[optind]);
	return err;
}

/* The words last as long as text. */
static int add_command(struct again *again, char *text)
{
	char *words[AGAIN_WORDS + 1];
	int argc = command_split(text, words, AGAIN_WORDS);

	return argc < 0 ? argc : add_options(again, argc, words);
}

static int add_recorded(struct again *again, const char *recorded)
{
	char *text = strdup(recorded);
	int err = text ? add_command(again, text) : -ENOMEM;

	free(text);
	return err;
}

/* "--ballast 0,64M" */
static int add_more(struct again *again, const char *more)
{
	size_t n = strcspn(more, " ");

	return more[n] ? add(again, "%.*s=%s", (int)n, more, more + n + 1) : add(again, "%s", more);
}

static int add_screen(struct again *again, const struct options *now)
{
	int err = now->theme ? add(again, "--theme=%s", now->theme) : 0;

	if (!err && now->ascii)
		err = add(again, "--ascii");
	if (!err && now->no_mouse)
		err = add(again, "--no-mouse");
	if (!err && now->no_log)
		err = add(again, "--no-log");
	if (!err && now->no_color)
		err = add(again, "--no-color");
	return err || now->fps == OPTIONS_FPS ? err : add(again, "--fps=%u", now->fps);
}

/* What could not run is said here, while there is a screen to stay on. */
static int check(struct again *again, char *error, size_t size)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));
	struct options *options = calloc(1, sizeof(*options));
	int err = experiment && options ? 0 : -ENOMEM;

	if (err)
		snprintf(error, size, "out of memory");
	else
		err = options_parse(options, again->argc, again->argv, error, size);
	if (!err)
		err = experiment_build(&options->request, experiment, error, size);
	free(experiment);
	free(options);
	return err;
}

int again_make(struct again *again, const struct options *now, const char *recorded,
	       const char *more, char *error, size_t size)
{
	int err = add(again, "tuibench");

	if (!err)
		err = add_recorded(again, recorded);
	if (!err)
		err = add_more(again, more);
	if (!err)
		err = add_screen(again, now);
	if (err)
		error_line(error, size, err, "y: the command line \"%.80s\" cannot be taken up: %s",
			   recorded, strerror(-err));
	else
		err = check(again, error, size);
	if (err)
		again_free(again);
	return err;
}

/* Where standard input was a recording, the keys come from the terminal. */
static int take_terminal(void)
{
	int fd;

	if (isatty(STDIN_FILENO))
		return 0;
	fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	return fd < 0 || dup2(fd, STDIN_FILENO) < 0 ? -errno : 0;
}

int again_run(struct again *again)
{
	char text[SAMPLE_TEXT];
	int err = take_terminal();

	if (err)
		return err;
	command_write(text, sizeof(text), again->argc, again->argv, "");
	fprintf(stderr, "%s\n", text);
	fflush(NULL);
	sigprocmask(SIG_SETMASK, &again->mask, NULL);
	execv("/proc/self/exe", again->argv);
	return -errno;
}
