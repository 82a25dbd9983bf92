/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "batch.h"
#include "experiment.h"
#include "log.h"
#include "options.h"
#include "recording.h"
#include "recordings.h"
#include "source.h"

/* The documented exit status. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_LIMITS = 3 };

/* With 0, 1 or 2 closed the next file that is opened would be taken for one of them. */
static void open_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
			_exit(EXIT_FAILED);
}

static int complain(const char *line, int status)
{
	fprintf(stderr, "tuibench: %s\n", line);
	return status;
}

static void list_experiments(void)
{
	const char *name, *about;

	for (size_t i = 0; (name = experiment_name(i, &about)); i++)
		printf("%-10s %s\n", name, about);
}

static int run_session(const struct options *options, struct experiment *experiment)
{
	struct recording recording;
	struct source *source;
	char error[1024];
	int status;

	source = source_live_open(experiment, error, sizeof(error));
	if (!source)
		return complain(error, EXIT_FAILED);
	if (recording_open(&recording, options, experiment->request.experiment, error,
			   sizeof(error)) < 0) {
		source->ops->close(source);
		return complain(error, EXIT_USAGE);
	}
	if (recording.notice[0])
		complain(recording.notice, 0);
	if (options_screen(options))
		status = app_run(options, source, recording.log, recording.name);
	else
		status = batch_run(options, source, recording.log);
	source->ops->close(source);
	if (recording_close(&recording, error, sizeof(error)) < 0) {
		complain(error, 0);
		status = status ? status : EXIT_FAILED;
	}
	return status;
}

static int run(const struct options *options)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));
	char error[1024];
	int err, status;

	if (!experiment)
		return complain("out of memory", EXIT_FAILED);
	err = experiment_build(&options->request, experiment, error, sizeof(error));
	if (err < 0)
		status = complain(error, err == -EINVAL ? EXIT_USAGE : EXIT_LIMITS);
	else
		status = run_session(options, experiment);
	free(experiment);
	return status;
}

static int replay(const struct options *options)
{
	char path[PATH_MAX], error[PATH_MAX + 256];
	const char *log = options->n_logs ? options->logs[0] : path;
	struct source *source;
	int status;

	if (!options->n_logs && recordings_newest(path, error, sizeof(error)) < 0)
		return complain(error, EXIT_FAILED);
	source = source_replay_open(log, options->follow, error, sizeof(error));
	if (!source)
		return complain(error, EXIT_USAGE);
	if (options_screen(options))
		status = app_run(options, source, NULL, log);
	else
		status = batch_run(options, source, NULL);
	source->ops->close(source);
	return status;
}

static int list(void)
{
	char error[PATH_MAX + 256];

	return recordings_list(stdout, error, sizeof(error)) < 0 ? complain(error, EXIT_FAILED) : 0;
}

int main(int argc, char **argv)
{
	struct options options;
	char error[1024];

	open_standard_fds();
	/* A recording that grows too large is an error of write(), not the end of the program. */
	signal(SIGXFSZ, SIG_IGN);
	/* The character set only: numbers and messages read the same everywhere. */
	setlocale(LC_CTYPE, "");
	if (options_parse(&options, argc, argv, error, sizeof(error)) < 0)
		return complain(error, EXIT_USAGE);
	switch (options.action) {
	case ACTION_HELP:
		fputs(options_help(), stdout);
		break;
	case ACTION_VERSION:
		printf("tuibench %s\n", TUIBENCH_VERSION);
		break;
	case ACTION_LIST_EXPERIMENTS:
		list_experiments();
		break;
	case ACTION_LIST:
		if (list())
			return EXIT_FAILED;
		break;
	case ACTION_RUN:
		return options.replay ? replay(&options) : run(&options);
	}
	return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}
