/* SPDX-License-Identifier: MIT */
#include "source/live_memory.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/procfs.h"
#include "stage/folder.h"

/* Writes a file of a control group. The test writes what the kernel would. */

static void write_at(const char *root, const char *name, const char *text)
{
	char path[FOLDER_PATH];

	folder_write(folder_at(path, root, name), text);
}

static void make_v2(const char *root, const char *stat)
{
	write_at(root, "proc/self/cgroup", "0::/user/me\n");
	write_at(root, "sys/fs/cgroup/user/me/cgroup.controllers", "cpu memory pids\n");
	write_at(root, "sys/fs/cgroup/user/me/memory.stat", stat);
	write_at(root, "sys/fs/cgroup/user/me/cpu.stat", "usage_usec 1\n");
}

static struct live_charged read_own(const char *root, int status)
{
	struct live_charged charged;
	struct live_charge charge;

	assert_int_equal(live_charge_open_own(&charge, root), 0);
	assert_int_equal(live_charge_read(&charge, &charged), status);
	live_charge_close(&charge);
	return charged;
}

static void the_sum_is_the_kernels_without_what_can_be_reclaimed(void **state)
{
	struct live_charged charged;

	make_v2(*state, "anon 4096\nkernel 10240\nkernel_stack 2048\npagetables 3072\n"
			"slab_reclaimable 1024\nslab 4096\n");
	charged = read_own(*state, 0);
	assert_int_equal(charged.kernel_kb, 9);
	assert_int_equal(charged.stacks_kb, 2);
	assert_int_equal(charged.tables_kb, 3);
}

static void none_at_all_is_a_sum_too(void **state)
{
	make_v2(*state, "kernel 0\nslab_reclaimable 0\n");
	assert_int_equal(read_own(*state, 0).kernel_kb, 0);
}

/* Before Linux 5.18 there is no sum. */
static void without_a_sum_it_is_made_of_the_parts(void **state)
{
	make_v2(*state, "kernel_stack 2048\npagetables 3072\npercpu 1024\nslab_reclaimable 2048\n"
			"slab 4096\n");
	assert_int_equal(read_own(*state, 0).kernel_kb, 2 + 3 + 1 + 4 - 2);
	make_v2(*state, "kernel_stack 0\npagetables 0\n");
	assert_int_equal(read_own(*state, 0).kernel_kb, 0);
}

static void version_2_has_the_cpu_time_of_all_that_was_in_it(void **state)
{
	struct live_charge charge;
	int64_t user_us, system_us;

	make_v2(*state, "kernel 0\n");
	write_at(*state, "sys/fs/cgroup/user/me/cpu.stat",
		 "usage_usec 11\nuser_usec 7\nsystem_usec 4\n");
	assert_int_equal(live_charge_open_own(&charge, *state), 0);
	assert_true(live_charge_cpu(&charge, &user_us, &system_us));
	assert_true(user_us == 7 && system_us == 4);
	live_charge_close(&charge);
	assert_false(live_charge_cpu(&charge, &user_us, &system_us));
}

/*
 * Some parts of the sum are missing in the file. "pagetables_of" only begins with the name of a
 * part, so it is another value.
 */
static void missing_figures_of_a_cgroup_are_unknown(void **state)
{
	struct live_charged charged;

	make_v2(*state, "kernel_stack 2048\npagetables_of 3072\nslab_reclaimable 5000\n");
	charged = read_own(*state, -EPROTO);
	assert_int_equal(charged.kernel_kb, -1);
	assert_int_equal(charged.tables_kb, -1);
}

static void version_1_has_one_number(void **state)
{
	const char *name = "sys/fs/cgroup/memory/a/memory.kmem.usage_in_bytes";

	write_at(*state, "proc/self/cgroup", "4:memory:/a\n");
	write_at(*state, name, "20480\n");
	assert_int_equal(read_own(*state, 0).kernel_kb, 20);
	assert_int_equal(read_own(*state, 0).tables_kb, -1);
}

static void without_a_cgroup_there_is_none(void **state)
{
	struct live_cgroup cgroup;
	struct live_charge charge;

	assert_int_equal(live_charge_open_own(&charge, *state), -ENOENT);
	live_cgroup_open(&cgroup, *state, "memory");
	assert_string_equal(cgroup.parent, "");
	assert_int_equal(live_charge_open(&charge, &cgroup), -ENOENT);
	live_cgroup_close(&cgroup);
}

/*
 * Our cgroup has tasks, so the run's cgroup is beside it, with the same limits; or inside it, if
 * children may have the controller.
 */
static void a_place_is_found_where_children_may_have_memory(void **state)
{
	char parent[FOLDER_PATH + 32], own[FOLDER_PATH + 32];
	struct live_cgroup cgroup;

	make_v2(*state, "kernel 0\n");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.subtree_control", "\n");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.type", "domain\n");
	write_at(*state, "sys/fs/cgroup/user/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/user/cgroup.controllers", "cpu memory pids\n");
	write_at(*state, "sys/fs/cgroup/user/cgroup.subtree_control", "memory pids\n");
	folder_at(parent, *state, "sys/fs/cgroup/user");
	folder_at(own, *state, "sys/fs/cgroup/user/me");
	live_cgroup_open(&cgroup, *state, "memory");
	assert_string_equal(cgroup.parent, parent);
	assert_string_equal(cgroup.bounds, own);
	assert_true(cgroup.v2);
	assert_false(cgroup.enabled);
	live_cgroup_close(&cgroup);
	write_at(*state, "sys/fs/cgroup/user/cgroup.subtree_control", "pids\n");
	write_at(*state, "sys/fs/cgroup/user/cgroup.type", "domain\n");
	live_cgroup_open(&cgroup, *state, "memory");
	assert_string_equal(cgroup.parent, "");
	live_cgroup_close(&cgroup);
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.subtree_control", "cpu memory\n");
	live_cgroup_open(&cgroup, *state, "memory");
	assert_string_equal(cgroup.parent, own);
	assert_string_equal(cgroup.bounds, "");
	live_cgroup_close(&cgroup);
}

/* A folder has no files of the kernel here, so the cgroup is removed again. */
static void a_cgroup_that_cannot_be_set_up_is_removed_again(void **state)
{
	char parent[FOLDER_PATH];
	struct live_cgroup cgroup;
	struct live_charge charge;
	size_t before;

	make_v2(*state, "kernel 0\n");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.subtree_control", "memory\n");
	folder_at(parent, *state, "sys/fs/cgroup/user/me");
	before = folder_count(parent);
	live_cgroup_open(&cgroup, *state, "memory");
	assert_string_equal(cgroup.parent, parent);
	assert_int_equal(live_charge_open(&charge, &cgroup), -ENOENT);
	assert_int_equal(folder_count(parent), before);
	live_cgroup_close(&cgroup);
}

/*
 * A session that was just killed left cgroups, and its tasks had not left them when this session
 * began.
 */
static void cgroups_that_a_killed_session_left_are_removed_at_the_end(void **state)
{
	char dead[FOLDER_PATH], own[FOLDER_PATH], below[FOLDER_PATH], name[128];
	struct live_cgroup cgroup;

	make_v2(*state, "kernel 0\n");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.subtree_control", "memory\n");
	live_cgroup_open(&cgroup, *state, "memory");
	folder_at(dead, *state, "sys/fs/cgroup/user/me/tuibench-2147483646-2");
	snprintf(name, sizeof(name), "sys/fs/cgroup/user/me/tuibench-%d-2", (int)getpid());
	folder_at(own, *state, name);
	assert_int_equal(mkdir(dead, 0755), 0);
	assert_int_equal(mkdir(own, 0755), 0);
	/* The killed session's programs may have made cgroups below. */
	strcat(strcpy(name, dead + strlen(*state) + 1), "/below");
	assert_int_equal(mkdir(folder_at(below, *state, name), 0755), 0);
	strcat(name, "/deeper");
	assert_int_equal(mkdir(folder_at(below, *state, name), 0755), 0);
	live_cgroup_close(&cgroup);
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(access(own, F_OK), 0);
}

static bool put(const char *folder, const char *name, const char *text)
{
	char path[FOLDER_PATH];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	done = fd >= 0 && write(fd, text, strlen(text)) > 0;
	if (fd >= 0)
		close(fd);
	return done;
}

/*
 * A program may create such a cgroup below the cgroup of its run. The test needs cgroups of the
 * real kernel.
 */
static void a_cgroup_of_threads_is_emptied_and_removed(void **state)
{
	static const char *const tops[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char folder[128], below[160], number[16];
		pid_t pid;
		int status;

		snprintf(folder, sizeof(folder), "%s/test-threaded-%d", tops[i], (int)getpid());
		snprintf(below, sizeof(below), "%s/below", folder);
		if (mkdir(folder, 0755) < 0)
			continue;
		if (mkdir(below, 0755) < 0 || !put(below, "cgroup.type", "threaded")) {
			rmdir(below);
			rmdir(folder);
			continue;
		}
		pid = fork();
		if (pid == 0)
			for (;;)
				pause();
		snprintf(number, sizeof(number), "%d", (int)pid);
		assert_true(put(folder, "cgroup.procs", number));
		assert_true(put(below, "cgroup.threads", number));
		/* A task that has ended stays in its cgroup until it is reaped. */
		cgroup_remove(below, 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(WTERMSIG(status), SIGKILL);
		assert_true(cgroup_remove(folder, 5000));
		return;
	}
	skip();
}

/* Version 1 has a hierarchy for each controller. */
static void the_controllers_of_version_1_have_places_of_their_own(void **state)
{
	char memory[FOLDER_PATH], cpu[FOLDER_PATH];
	struct live_cgroup cgroup;

	write_at(*state, "proc/self/cgroup", "4:memory:/a\n5:cpu,cpuacct:/b\n");
	write_at(*state, "sys/fs/cgroup/memory/a/memory.kmem.usage_in_bytes", "0\n");
	write_at(*state, "sys/fs/cgroup/memory/a/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/cpu/b/cpu.cfs_quota_us", "-1\n");
	write_at(*state, "sys/fs/cgroup/cpu/b/cgroup.procs", "");
	live_cgroup_open(&cgroup, *state, "memory");
	assert_string_equal(cgroup.parent, folder_at(memory, *state, "sys/fs/cgroup/memory/a"));
	live_cgroup_close(&cgroup);
	live_cgroup_open(&cgroup, *state, "cpu");
	assert_string_equal(cgroup.parent, folder_at(cpu, *state, "sys/fs/cgroup/cpu/b"));
	assert_false(cgroup.v2);
	live_cgroup_close(&cgroup);
}

/* The folder has no files of the kernel, so the quota cannot be set. */
static void a_quota_that_cannot_be_set_leaves_nothing(void **state)
{
	struct live_charge none = {.v2 = false};
	struct live_cgroup cgroup;
	struct live_quota quota;
	char parent[FOLDER_PATH];
	size_t before;

	make_v2(*state, "kernel 0\n");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.subtree_control", "cpu\n");
	folder_at(parent, *state, "sys/fs/cgroup/user/me");
	before = folder_count(parent);
	live_cgroup_open(&cgroup, *state, "cpu");
	assert_int_equal(live_quota_open(&quota, &cgroup, &none, 500), -ENOENT);
	assert_string_equal(quota.at, "");
	assert_int_equal(folder_count(parent), before);
	live_cgroup_close(&cgroup);
	write_at(*state, "sys/fs/cgroup/user/me/cgroup.controllers", "memory\n");
	live_cgroup_open(&cgroup, *state, "cpu");
	assert_int_equal(live_quota_open(&quota, &cgroup, &none, 500), -ENOENT);
	live_cgroup_close(&cgroup);
}

/* A task has only one cgroup of version 2, so the quota is set in that of the run's memory. */
static void a_quota_of_version_2_is_in_the_cgroup_of_the_memory(void **state)
{
	struct live_cgroup cgroup = {.controller = "cpu", .v2 = true};
	struct live_charge charge = {.v2 = true, .join_fd = -1, .stat_fd = -1, .flush_fd = -1};
	const char *at = "sys/fs/cgroup/user/run";
	struct live_throttled throttled;
	struct live_quota quota;
	char path[FOLDER_PATH + 32], text[64];

	folder_at(charge.folder, *state, at);
	write_at(*state, "sys/fs/cgroup/user/run/cgroup.procs", "");
	write_at(*state, "sys/fs/cgroup/user/run/cpu.max", "");
	write_at(*state, "sys/fs/cgroup/user/run/cpu.stat",
		 "usage_usec 9\nnr_periods 8\nnr_throttled 7\nthrottled_usec 6000\n");
	assert_int_equal(live_quota_open(&quota, &cgroup, &charge, 1250), 0);
	assert_string_equal(quota.folder, "");
	folder_at(path, *state, "sys/fs/cgroup/user/run/cpu.max");
	assert_int_equal(procfs_read_text("", path, text, sizeof(text)), 0);
	assert_string_equal(text, "125000 100000");
	assert_true(live_quota_read(&quota, &throttled));
	assert_int_equal(throttled.periods, 7);
	assert_int_equal(throttled.us, 6000);
	write_at(*state, "sys/fs/cgroup/user/run/cpu.stat",
		 "nr_periods 8\nnr_throttled 3\nthrottled_time 5000999\n");
	live_quota_close(&quota);
	assert_int_equal(live_quota_open(&quota, &cgroup, &charge, 1250), 0);
	assert_true(live_quota_read(&quota, &throttled));
	assert_int_equal(throttled.periods, 3);
	assert_int_equal(throttled.us, 5000);
	write_at(*state, "sys/fs/cgroup/user/run/cpu.stat", "usage_usec 9\n");
	live_quota_close(&quota);
	assert_int_equal(live_quota_open(&quota, &cgroup, &charge, 1250), 0);
	assert_false(live_quota_read(&quota, &throttled));
	live_quota_close(&quota);
	assert_false(live_quota_read(&quota, &throttled));
}

/* The lowest quota counts, wherever it is. A run beside our cgroup has a copy of its limit. */
static void throttling_by_an_outer_quota_is_read_where_it_is(void **state)
{
	struct live_charge charge = {.folder = ""};
	struct live_throttled throttled;
	struct live_quota quota;
	char bounds[FOLDER_PATH + 32];

	write_at(*state, "proc/self/cgroup", "0::/user/me\n");
	folder_at(bounds, *state, "sys/fs/cgroup/user/me");
	live_quota_watch(&quota, &charge, bounds, *state);
	assert_false(live_quota_read(&quota, &throttled));
	write_at(*state, "sys/fs/cgroup/user/me/cpu.max", "max 100000\n");
	write_at(*state, "sys/fs/cgroup/user/cpu.max", "50000 100000\n");
	write_at(*state, "sys/fs/cgroup/user/cpu.stat",
		 "usage_usec 9\nnr_periods 8\nnr_throttled 7\nthrottled_usec 6000\n");
	live_quota_watch(&quota, &charge, bounds, *state);
	assert_true(live_quota_read(&quota, &throttled));
	assert_int_equal(throttled.periods, 7);
	live_quota_lift(&quota); /* not ours, so not removed */
	live_quota_close(&quota);
	write_at(*state, "sys/fs/cgroup/user/me/cpu.max", "20000 100000\n");
	write_at(*state, "sys/fs/cgroup/user/run/cpu.stat", "nr_throttled 3\nthrottled_usec 5\n");
	folder_at(charge.folder, *state, "sys/fs/cgroup/user/run");
	live_quota_watch(&quota, &charge, bounds, *state);
	assert_true(live_quota_read(&quota, &throttled));
	assert_int_equal(throttled.periods, 3);
	live_quota_close(&quota);
	write_at(*state, "proc/self/cgroup", "3:cpu:/old\n");
	write_at(*state, "sys/fs/cgroup/cpu/old/cpu.cfs_quota_us", "10000\n");
	write_at(*state, "sys/fs/cgroup/cpu/old/cpu.cfs_period_us", "100000\n");
	write_at(*state, "sys/fs/cgroup/cpu/old/cpu.stat", "nr_throttled 2\nthrottled_time 9999\n");
	live_quota_watch(&quota, &charge, bounds, *state);
	assert_true(live_quota_read(&quota, &throttled));
	assert_int_equal(throttled.us, 9);
	live_quota_close(&quota);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(the_sum_is_the_kernels_without_what_can_be_reclaimed),
		FOLDER_TEST(none_at_all_is_a_sum_too),
		FOLDER_TEST(without_a_sum_it_is_made_of_the_parts),
		FOLDER_TEST(version_2_has_the_cpu_time_of_all_that_was_in_it),
		FOLDER_TEST(missing_figures_of_a_cgroup_are_unknown),
		FOLDER_TEST(version_1_has_one_number),
		FOLDER_TEST(without_a_cgroup_there_is_none),
		FOLDER_TEST(a_place_is_found_where_children_may_have_memory),
		FOLDER_TEST(a_cgroup_that_cannot_be_set_up_is_removed_again),
		FOLDER_TEST(cgroups_that_a_killed_session_left_are_removed_at_the_end),
		cmocka_unit_test(a_cgroup_of_threads_is_emptied_and_removed),
		FOLDER_TEST(the_controllers_of_version_1_have_places_of_their_own),
		FOLDER_TEST(a_quota_that_cannot_be_set_leaves_nothing),
		FOLDER_TEST(a_quota_of_version_2_is_in_the_cgroup_of_the_memory),
		FOLDER_TEST(throttling_by_an_outer_quota_is_read_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
