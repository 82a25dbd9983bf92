/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Descriptor to which --probe writes its result. */
#define PROBE_FD 3

#ifdef __SANITIZE_ADDRESS__
/*
 * Turns the check for leaks off, because the tests start thousands of runners. The unit tests check
 * the same code for leaks.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

/* The number of a descriptor that the front end has passed on; -1 if invalid. */
static int parse_fd(const char *text)
{
	char *end;
	long fd = strtol(text, &end, 10);

	if (*text >= '0' && *text <= '9' && *end == '\0' && fd < 1 << 20)
		return (int)fd;
	return -1;
}

static int print_failure(const char *what, int err)
{
	fprintf(stderr, "tuibench-runner: %s: %s\n", what, strerror(-err));
	return EXIT_FAILURE;
}

/* Reports a failure by the exit status. There is no other way before the runner has the board. */
static int cannot_begin(const char *what, int err)
{
	print_failure(what, err);
	return BOARD_EXIT + (-err <= BOARD_EXIT_ERRNO ? -err : 0);
}

int main(int argc, char **argv)
{
	struct scoreboard *board;
	int err;

	if (argc == 2 && strcmp(argv[1], "--drain") == 0) {
		if (sink_drain())
			return EXIT_FAILURE;
		return EXIT_SUCCESS;
	}
	if (argc == 2 && strcmp(argv[1], "--echo") == 0) {
		char byte;

		while (read(STDIN_FILENO, &byte, 1) == 1)
			if (write(STDOUT_FILENO, &byte, 1) != 1)
				return EXIT_FAILURE;
		return EXIT_SUCCESS;
	}
	if ((argc == 2 || argc == 3) && strcmp(argv[1], "--discard") == 0) {
		sink_discard(argv[2]);
		return EXIT_SUCCESS;
	}
	if (argc == 2 && strcmp(argv[1], "--clients") == 0) {
		err = clients_run();
		if (err)
			return print_failure("clients", err);
		return EXIT_SUCCESS;
	}
	/* The parent-death signal ends the probe even if loading the object takes forever. */
	if (argc == 3 && strcmp(argv[1], "--probe") == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL))
			return EXIT_FAILURE;
		return own_probe(argv[2], PROBE_FD);
	}
	if (argc >= 6 && strcmp(argv[1], "--tidy") == 0) {
		err = tidy_after(parse_fd(argv[2]), parse_fd(argv[3]), (pid_t)atol(argv[4]),
				 argv[5], argv + 6);
		if (err)
			return print_failure("scoreboard", err);
		return EXIT_SUCCESS;
	}
	if (argc != 3 || parse_fd(argv[1]) < 0 || parse_fd(argv[2]) < 0) {
		fprintf(stderr, "tuibench-runner: it is started by tuibench(1)\n");
		return 2;
	}
	lifeline_reset_signals();
	err = lifeline_hold(parse_fd(argv[2]));
	if (err)
		return cannot_begin("life pipe", err);
	err = scoreboard_open(parse_fd(argv[1]), &board);
	if (err)
		return cannot_begin("scoreboard", err);
	close(parse_fd(argv[1]));
	lifeline_volunteer();
	err = lifeline_stop_on_term(board);
	if (err)
		return cannot_begin("SIGTERM", err);
	/* From here on, failures are reported on the board. */
	runner_execute(board);
	/*
	 * Skip the destructors of the user's own code, because they might never end. The exit
	 * handlers of a fault are tuibench's, so run those.
	 */
	if (board->request.plan.leaves[WORK_OWN] > 0 && board->request.fault == FAULT_NONE)
		_exit(EXIT_SUCCESS);
	return EXIT_SUCCESS;
}
