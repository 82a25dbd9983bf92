/* SPDX-License-Identifier: MIT */
#include "source/live_others.h"

#include "stage/check.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "stage/folder.h"
#include "stage/pty.h"

/*
 * Runs look() on the slave of a terminal whose master this test holds. look() returns 0 on success.
 */
static int on_a_terminal(int (*look)(const void *arg), const void *arg)
{
	int master, status;
	pid_t pid;

	unsetenv("TMUX");
	unsetenv("STY");
	pty_required();
	pid = forkpty(&master, NULL, NULL, NULL);
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(look(arg));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(master);
	return status;
}

static int look_for_parent(const void *arg)
{
	struct live_terminal terminal;

	live_terminal_open(&terminal, "/proc", STDIN_FILENO);
	if (terminal.pid != getppid() || terminal.why)
		return 1;
	if (strcmp(terminal.name, arg) != 0)
		return 2;
	return live_terminal_used_us(&terminal) < 0 ? 3 : 0;
}

static void a_program_finds_the_ancestor_that_holds_the_other_end(void **state)
{
	char name[17] = "";

	assert_int_equal(prctl(PR_GET_NAME, name), 0);
	assert_int_equal(on_a_terminal(look_for_parent, name), 0);
}

struct parent {
	const char *title, *after; /* text before and after the terminal's number */
	bool on_it;		   /* the terminal is the parent's own */
};

/* Returns what is found if a folder replaces /proc and has such a parent. */
static pid_t found_in(const char *folder, const struct parent *parent)
{
	char path[FOLDER_PATH], name[64], text[256];
	struct live_terminal terminal;
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0)
		return -1;
	snprintf(name, sizeof(name), "%d/cmdline", (int)getppid());
	snprintf(text, sizeof(text), "%s%u%s", parent->title, minor(st.st_rdev), parent->after);
	folder_write(folder_at(path, folder, name), text);
	snprintf(name, sizeof(name), "%d/stat", (int)getppid());
	snprintf(text, sizeof(text), "%d (a) b) S 1 1 1 %u -1", (int)getppid(),
		 parent->on_it ? major(st.st_rdev) << 8 | minor(st.st_rdev) : 0);
	folder_write(folder_at(path, folder, name), text);
	live_terminal_open(&terminal, folder, STDIN_FILENO);
	return terminal.pid ? terminal.pid : terminal.why ? 0 : -1;
}

static int look_for_sshd(const void *folder)
{
	static const struct parent parents[] = {
		{"sshd: alice@pts/", "", false},  {"sshd-session: alice@pts/", "", false},
		{"sshd: alice@pts/", "1", false}, {"other: alice@pts/", "", false},
		{"sshd: alice@pts/", "", true},
	};

	for (int i = 0; i < 5; i++)
		if (found_in(folder, &parents[i]) != (i < 2 ? getppid() : 0))
			return 1 + i;
	return 0;
}

static void sshd_is_known_by_its_title(void **state)
{
	assert_int_equal(on_a_terminal(look_for_sshd, *state), 0);
}

static void where_there_is_no_terminal_nothing_is_known_and_nothing_said(void **state)
{
	int fd = open("/dev/null", O_RDWR);
	struct live_terminal terminal;

	live_terminal_open(&terminal, "/proc", fd);
	assert_int_equal(terminal.pid, 0);
	assert_null(terminal.why);
	assert_string_equal(terminal.name, "");
	assert_int_equal(live_terminal_used_us(&terminal), -1);
	close(fd);
}

static void cpu_time_of_a_process_matches_getrusage(void **state)
{
	struct live_terminal terminal = {.pid = getpid()};
	uint64_t until;
	int64_t used, said;

	assert_int_equal(clock_getcpuclockid(getpid(), &terminal.clock), 0);
	used = live_terminal_used_us(&terminal);
	said = (int64_t)clock_used_us(RUSAGE_SELF);
	until = clock_now_ns() + 50000000;
	while (clock_now_ns() < until)
		;
	used = live_terminal_used_us(&terminal) - used;
	said = (int64_t)clock_used_us(RUSAGE_SELF) - said;
	assert_in_range(used, said - 1000, said + 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_finds_the_ancestor_that_holds_the_other_end),
		FOLDER_TEST(sshd_is_known_by_its_title),
		cmocka_unit_test(where_there_is_no_terminal_nothing_is_known_and_nothing_said),
		cmocka_unit_test(cpu_time_of_a_process_matches_getrusage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
