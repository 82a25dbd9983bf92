/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/options.h"
#include "fuzz.h"

/*
 * Parses random bytes as a command line with a word on each line, followed by an empty line and a
 * file of options. If they are accepted, lists the runs of the experiment. An error must be one
 * line. Words that would start a program (--own) are not tried.
 */

#define WORDS 24

static struct options options;
static struct experiment experiment;

/* Returns the number of words. *rest is the text after the empty line; NULL if there is none. */
static int split(char *text, char *argv[WORDS + 1], char **rest)
{
	int n = 0;

	*rest = NULL;
	argv[n++] = (char *)"tuibench";
	while (text && n < WORDS) {
		char *word = strsep(&text, "\n");

		if (!*word && text) {
			*rest = text;
			break;
		}
		if (strncmp(word, "--ow", 4) == 0)
			continue;
		argv[n++] = word;
	}
	argv[n] = NULL;
	return n;
}

/* Checks that all runs are within the experiment. */
static void check_runs(void)
{
	uint32_t n = experiment_runs(&experiment);
	struct sample_run run;

	fuzz_assert(experiment.n_cases > 0 && experiment.n_cases <= SAMPLE_MAX_CASES);
	for (uint32_t i = 0; i < n && i < 8; i++) {
		experiment_run(&experiment, i, &run);
		fuzz_assert(run.case_id < experiment.n_cases);
	}
	for (uint32_t i = 0; i < experiment.n_cases; i++)
		fuzz_assert(plan_count(&experiment.cases[i].plan) > 0);
}

static void build(void)
{
	char error[512] = "";

	if (options.action != ACTION_RUN || options.replay)
		return;
	if (experiment_build(&options.request, &experiment, error, sizeof(error)))
		fuzz_assert_line(error);
	else
		check_runs();
}

static int config_fd = -1;

/* Writes the file of options in memory. Without one, no file is read. */
static void write_config(const char *text)
{
	char path[32];

	if (config_fd < 0)
		config_fd = memfd_create("config", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", config_fd);
	if (text && (ftruncate(config_fd, 0) || pwrite(config_fd, text, strlen(text), 0) < 0))
		abort();
	setenv("TUIBENCH_CONFIG", text ? path : "none", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *text = strndup((const char *)bytes, n), *argv[WORDS + 1], *config;
	char error[512] = "";
	int argc = split(text, argv, &config);

	write_config(config);
	if (options_parse(&options, argc, argv, error, sizeof(error)) == 0)
		build();
	else
		fuzz_assert_line(error);
	free(text);
	return 0;
}
