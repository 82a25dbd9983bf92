/* SPDX-License-Identifier: MIT */
#include "self_test.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "check/check.h"
#include "export/export.h"
#include "console.h"
#include "source/source.h"

/* The time between two updates of the progress line. */
#define PROGRESS_NS 200000000u

struct self_test {
	struct check_host host;
	int signal; /* that ended it; 0 */
	bool tty;   /* standard error is a terminal: one line that is rewritten */
	int shown;  /* columns of it that stand there */
	uint64_t shown_ns;
	const char *what; /* it is about */
};

static void clear(struct self_test *test)
{
	if (test->shown > 0)
		fprintf(stderr, "\r%*s\r", test->shown, "");
	test->shown = 0;
}

/* On a terminal each run, else a line for each part. */
static void show(struct check_host *host, const char *what, uint32_t run, uint32_t of)
{
	struct self_test *test = (struct self_test *)host;
	uint64_t now_ns = clock_now_ns();
	bool is_new = what != test->what;
	char runs[48] = "";

	if (!is_new && (!test->tty || now_ns - test->shown_ns < PROGRESS_NS))
		return;
	test->what = what;
	test->shown_ns = now_ns;
	if (!test->tty) {
		fprintf(stderr, "tuibench: %s\n", what);
		return;
	}
	clear(test);
	if (of)
		snprintf(runs, sizeof(runs), ", run %u of %u", run, of);
	test->shown = fprintf(stderr, "tuibench: %s%s", what, runs);
	fflush(stderr);
}

static bool take(struct check_host *host, struct source *source)
{
	struct self_test *test = (struct self_test *)host;
	struct signalfd_siginfo info;

	if (read(host->fd, &info, sizeof(info)) != sizeof(info))
		return true;
	if (info.ssi_signo == SIGTSTP) {
		/* The workers rest too: a run that was paused is no measurement. */
		bool pauses = source && source->ops->control(source, SOURCE_PAUSE) == 0;

		clear(test);
		suspend_here();
		if (pauses)
			source->ops->control(source, SOURCE_PAUSE);
		return true;
	}
	test->signal = (int)info.ssi_signo;
	return false;
}

/* What is put in instead of 3 %, for whoever wants to see that row fail; NaN. */
static double ratio_to_put(void)
{
	const char *text = getenv("TUIBENCH_SELF_TEST_PERCENT");
	char *end = NULL;
	double percent = text ? strtod(text, &end) : NAN;

	return end && end != text && !*end && percent >= 0 && percent <= 100 ? 1 + percent / 100
									     : NAN;
}

static int write_report(const struct options *options, const struct check_report *report)
{
	bool json = strcmp(options->format->name, "json") == 0;

	return json ? check_write_json(report, stdout) : check_write_table(report, stdout);
}

static int run(const struct options *options, struct self_test *test, struct check_report *report)
{
	int err;

	check_init(report);
	err = check_run(report, &test->host, ratio_to_put());
	clear(test);
	if (test->signal)
		return 128 + test->signal;
	if (!err)
		err = write_report(options, report);
	if (err)
		fprintf(stderr, "tuibench: the self-test cannot go on: %s\n", strerror(-err));
	return err || !check_passed(report);
}

int self_test_run(const struct options *options)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
	struct self_test test = {
		.host = {.take = take, .show = show},
		.tty = isatty(STDERR_FILENO),
	};
	struct check_report report;
	int status;

	test.host.fd = signals_open(numbers, sizeof(numbers) / sizeof(*numbers));
	if (test.host.fd < 0) {
		fprintf(stderr, "tuibench: signals: %s\n", strerror(-test.host.fd));
		return 1;
	}
	status = run(options, &test, &report);
	close(test.host.fd);
	return status;
}
