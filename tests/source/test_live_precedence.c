/* SPDX-License-Identifier: MIT */
#include "source/live_others.h"

#include "stage/check.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "stage/folder.h"

#define SECOND 1000000000ull

struct fake {
	const char *autogroup, *cgroup; /* NULL: the file does not exist */
	const char *of_cpu;		/* the file of a cgroup with the cpu controller */
	bool shared;
};

static void make(const char *root, const char *name, const char *text)
{
	char path[FOLDER_PATH];

	folder_write(folder_at(path, root, name), text);
}

static void autogroup_scheduling_is_detected(void **state)
{
	static const struct fake machines[] = {
		{"1\n", "0::/user.slice/session-3.scope\n", NULL, false},
		{"1\n", NULL, NULL, false},
		{"0\n", "0::/\n", NULL, true},
		{NULL, "0::/\n", NULL, true},
		/* the cgroup has no weight, but a cgroup above has one */
		{"1\n", "0::/user.slice/session-3.scope\n", "sys/fs/cgroup/user.slice/cpu.weight",
		 true},
		/* in a container, its own cgroup looks like the root */
		{"1\n", "0::/\n", "sys/fs/cgroup/cpu.weight", true},
		/* in version 1 the root has the file too */
		{"1\n", "3:cpu,cpuacct:/\n", "sys/fs/cgroup/cpu/cpu.shares", false},
		{"1\n", "3:cpu,cpuacct:/a\n", "sys/fs/cgroup/cpu/a/cpu.shares", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		const struct fake *machine = &machines[i];
		struct live_precedence precedence;
		char root[FOLDER_PATH];

		folder_make(root);
		if (machine->autogroup)
			make(root, "proc/sys/kernel/sched_autogroup_enabled", machine->autogroup);
		if (machine->cgroup)
			make(root, "proc/self/cgroup", machine->cgroup);
		if (machine->of_cpu)
			make(root, machine->of_cpu, "100\n");
		live_precedence_find(&precedence, root);
		assert_int_equal(precedence.group != NULL, machine->shared);
		/* The niceness of runs counts if they share a group with other programs. */
		assert_int_equal(live_precedence_futile(&precedence) == NULL, machine->shared);
		if (!machine->shared)
			assert_int_equal(
				strncmp(live_precedence_futile(&precedence),
					"-s nice has no effect against other programs: ", 46),
				0);
		folder_remove(root);
	}
}

static void the_niceness_of_before_comes_back(void **state)
{
	struct live_precedence precedence = {.group = "why"};
	int own = getpriority(PRIO_PROCESS, 0);

	(void)state;
	live_precedence_take(&precedence, "");
	assert_int_equal(precedence.raised, getpriority(PRIO_PROCESS, 0) < own);
	live_precedence_give(&precedence);
	assert_int_equal(getpriority(PRIO_PROCESS, 0), own);
	precedence.group = NULL;
	live_precedence_take(&precedence, "");
	assert_int_equal(getpriority(PRIO_PROCESS, 0), own);
}

static void a_run_in_a_cgroup_of_its_own_needs_none(void **state)
{
	struct live_precedence precedence = {.group = "why"};
	char root[FOLDER_PATH];

	(void)state;
	folder_make(root);
	make(root, "cpu.weight", "100\n");
	live_precedence_take(&precedence, root);
	assert_false(precedence.raised);
	folder_remove(root);
}

struct look {
	unsigned long long ran_ns, waited_ns, now_ns;
	const char *line; /* NULL: none */
};

static void a_wait_of_this_program_is_said_once(void **state)
{
	static const struct look looks[] = {
		{5, 5, SECOND, NULL}, /* the first look has nothing to compare with */
		{5, 4 * SECOND / 10, 2 * SECOND, NULL},
		{5, 2 * SECOND, 2 * SECOND + SECOND / 2, NULL}, /* too soon */
		/* it ran for a quarter of the time that it waited */
		{SECOND, 6 * SECOND, 8 * SECOND, NULL},
		{SECOND + 5, 8 * SECOND, 10 * SECOND,
		 "this program waited for a core for 2.0 of the last 2.0 s, so keys and signals "
		 "waited, too: it is scheduled in one group with the workers (why)"},
		{SECOND + 5, 10 * SECOND, 12 * SECOND, NULL},
	};

	(void)state;
	for (int nice = 18; nice < 20; nice++) {
		struct live_precedence precedence = {.group = "why"};

		for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
			char root[FOLDER_PATH], text[96], said[512], line[512];
			bool told;

			folder_make(root);
			snprintf(text, sizeof(text), "%llu %llu 7\n", looks[i].ran_ns,
				 looks[i].waited_ns);
			make(root, "proc/thread-self/schedstat", text);
			told = live_precedence_waits(&precedence, root, nice, looks[i].now_ns, said,
						     sizeof(said));
			assert_int_equal(told, looks[i].line != NULL);
			snprintf(line, sizeof(line), "%s%s", looks[i].line ? looks[i].line : "",
				 nice < 19
					 ? "; with -s nice=19 this program runs before the workers"
					 : "");
			if (told)
				assert_string_equal(said, line);
			folder_remove(root);
		}
	}
}

/* Waiting in spite of precedence is reported too. */
static void a_session_with_precedence_reports_it(void **state)
{
	struct live_precedence precedence = {.group = "why", .raised = true};
	struct live_precedence apart = {.group = "why", .apart = true};
	char root[FOLDER_PATH], said[512];

	(void)state;
	folder_make(root);
	make(root, "proc/thread-self/schedstat", "1 1 1\n");
	assert_false(live_precedence_waits(&precedence, root, 0, SECOND, said, sizeof(said)));
	assert_false(live_precedence_waits(&apart, root, 0, SECOND, said, sizeof(said)));
	make(root, "proc/thread-self/schedstat", "1 2000000001 2\n");
	assert_true(live_precedence_waits(&precedence, root, 0, 3 * SECOND, said, sizeof(said)));
	assert_false(live_precedence_waits(&apart, root, 0, 3 * SECOND, said, sizeof(said)));
	folder_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(autogroup_scheduling_is_detected),
		cmocka_unit_test(the_niceness_of_before_comes_back),
		cmocka_unit_test(a_run_in_a_cgroup_of_its_own_needs_none),
		cmocka_unit_test(a_wait_of_this_program_is_said_once),
		cmocka_unit_test(a_session_with_precedence_reports_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
