/* SPDX-License-Identifier: MIT */
#include "experiment/experiment_parts.h"

#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/folder.h"

/* A machine as files. Every limit is far away until a test sets it. */
struct fixture {
	char root[FOLDER_PATH];
	struct plan plan;
	struct capacity capacity;
	struct capacity_bound bound;
};

static void put(const struct fixture *f, const char *path, const char *text)
{
	char full[FOLDER_PATH];

	folder_write(folder_at(full, f->root, path + 1), text);
}

static void put_limits(const struct fixture *f, const char *processes, const char *space,
		       const char *stack)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "Limit                     Soft Limit           Hard Limit           Units     \n"
		 "Max stack size            %-20s unlimited            bytes     \n"
		 "Max processes             %-20s %-20s processes \n"
		 "Max address space         %-20s unlimited            bytes     \n",
		 stack, processes, processes, space);
	put(f, "/proc/self/limits", text);
}

static void put_process(const struct fixture *f, const char *pid, int uid, int threads)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\tx\nUid:\t%d\t0\t0\t0\nThreads:\t%d\nCapEff:\t0000000000000000\n", uid,
		 threads);
	put(f, path, text);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	folder_make(f->root);
	put_limits(f, "unlimited", "unlimited", "8388608");
	put_process(f, "self", 1000, 1);
	put(f, "/proc/loadavg", "0.16 0.07 0.04 3/100 7586\n");
	put(f, "/proc/sys/kernel/pid_max", "4194304\n");
	put(f, "/proc/sys/kernel/threads-max", "4000000\n");
	put(f, "/proc/sys/vm/max_map_count", "1048576\n");
	put(f, "/proc/meminfo",
	    "MemTotal: 99999999 kB\nMemFree: 5 kB\nMemAvailable: 50000000 kB\n");
	put(f, "/proc/self/cgroup", "0::/user/session\n");
	f->plan = (struct plan) {.levels = 1, .fanout = {1000}, .task = {PLAN_THREAD}};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	folder_remove(f->root);
	free(f);
	return 0;
}

static void processes(struct fixture *f)
{
	f->plan.task[0] = PLAN_PROCESS;
}

static int check(struct fixture *f, uint64_t stack_size)
{
	capacity_read(f->root, &f->capacity);
	return capacity_check(&f->capacity, &f->plan, stack_size, &f->bound);
}

static void fits(struct fixture *f)
{
	assert_int_equal(check(f, 0), 0);
}

/*
 * The plan is refused because of that limit. The stated largest number fits, and one more does not.
 */
static void binds(struct fixture *f, const char *name, uint64_t value, uint64_t largest)
{
	uint32_t last = f->plan.levels - 1;

	assert_int_equal(check(f, 0), -EAGAIN);
	assert_string_equal(f->bound.limit->name, name);
	assert_int_equal(f->bound.limit->value, value);
	assert_int_equal(f->bound.fits.fanout[last], largest);
	assert_true(f->bound.need > f->bound.limit->available);
	f->plan = f->bound.fits;
	fits(f);
	f->plan.fanout[last]++;
	assert_int_equal(check(f, 0), -EAGAIN);
}

/* The suggested batch fits, and one more does not. */
static void helps(struct fixture *f, uint32_t batch)
{
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.batch, batch);
	f->plan.batch = batch;
	fits(f);
	f->plan.batch = batch + 1;
	assert_int_equal(check(f, 0), -EAGAIN);
	f->plan.batch = 0;
}

static void a_plan_within_the_limits_is_accepted(void **state)
{
	fits(*state);
	processes(*state);
	fits(*state);
}

static void nothing_that_can_be_read_binds_nothing(void **state)
{
	struct fixture *f = *state;

	capacity_read("/nowhere/at/all", &f->capacity);
	assert_int_equal(capacity_check(&f->capacity, &f->plan, 0, &f->bound), 0);
}

static void the_users_tasks_count_against_nproc(void **state)
{
	struct fixture *f = *state;

	put_limits(f, "900", "unlimited", "8388608");
	put_process(f, "1", 0, 500);
	put_process(f, "42", 1000, 30);
	put_process(f, "43", 1000, 66);
	binds(f, "RLIMIT_NPROC (ulimit -u)", 900, 900 - 96 - 4);
}

static void root_of_a_user_namespace_is_not_exempt(void **state)
{
	struct fixture *f = *state;
	char path[FOLDER_PATH];

	put_limits(f, "900", "unlimited", "8388608");
	put_process(f, "1", 0, 96);
	put(f, "/proc/self/status", "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n");
	put(f, "/proc/self/uid_map", "         0       1000          1\n");
	put(f, "/proc/self/ns/none", "");
	assert_int_equal(
		symlink("user:[4026532999]", folder_at(path, f->root, "proc/self/ns/user")), 0);
	binds(f, "RLIMIT_NPROC (ulimit -u)", 900, 900 - 96 - 4);
	/*
	 * The user is also root outside the namespace, and the kernel exempts root whatever its
	 * capabilities.
	 */
	put(f, "/proc/self/uid_map", "         0          0      65536\n");
	fits(f);
}

static void root_and_its_capabilities_are_exempt_from_nproc(void **state)
{
	struct fixture *f = *state;

	put_limits(f, "900", "unlimited", "8388608");
	put_process(f, "self", 0, 1);
	fits(f);
	put(f, "/proc/self/status", "Name:\tx\nUid:\t1000\t0\t0\t0\nCapEff:\t0000000001000000\n");
	fits(f);
}

static void every_cgroup_above_counts(void **state)
{
	struct fixture *f = *state;

	put(f, "/sys/fs/cgroup/user/session/pids.max", "max\n");
	put(f, "/sys/fs/cgroup/user/session/pids.current", "3\n");
	put(f, "/sys/fs/cgroup/user/pids.max", "600\n");
	put(f, "/sys/fs/cgroup/user/pids.current", "100\n");
	binds(f, "pids.max of cgroup /user", 600, 600 - 100 - 4);
}

static void cgroups_of_version_1_count(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/self/cgroup", "9:memory:/box\n8:pids:/box\n0::/\n");
	put(f, "/sys/fs/cgroup/pids/box/pids.max", "500\n");
	put(f, "/sys/fs/cgroup/pids/box/pids.current", "10\n");
	binds(f, "pids.max of cgroup /box", 500, 500 - 10 - 4);
}

static void the_kernels_own_limits_count(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/kernel/threads-max", "1000\n");
	binds(f, "kernel.threads-max", 1000, 1000 - 100 - 4);
	put(f, "/proc/sys/kernel/pid_max", "1000\n");
	f->plan.fanout[0] = 1000;
	binds(f, "kernel.pid_max", 1000, 1000 - 100 - 300);
}

static void mappings_bind_threads_of_one_process_only(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/vm/max_map_count", "1000\n");
	binds(f, "vm.max_map_count", 1000, (1000 - 64) / 2);
	f->plan.fanout[0] = 1000;
	processes(f);
	fits(f);
	/* In a hybrid, each process has only a few of the 1,000 tasks. */
	f->plan = (struct plan) {.levels = 2, .fanout = {10, 100}};
	f->plan.task[0] = PLAN_PROCESS;
	f->plan.task[1] = PLAN_THREAD;
	fits(f);
}

static void stacks_bind_where_address_space_is_limited(void **state)
{
	struct fixture *f = *state;

	/* 64 MiB for the program itself, 100 stacks of 8 MiB */
	put_limits(f, "unlimited", "905969664", "8388608");
	binds(f, "RLIMIT_AS (ulimit -v)", 905969664, 100);
	f->plan.fanout[0] = 1000;
	assert_int_equal(check(f, 16384), 0);
	processes(f);
	fits(f);
}

static void an_unlimited_stack_is_glibcs_2_mib(void **state)
{
	struct fixture *f = *state;

	put_limits(f, "unlimited", "905969664", "unlimited");
	binds(f, "RLIMIT_AS (ulimit -v)", 905969664, 400);
}

static void a_stack_larger_than_memory_and_swap_is_refused(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/meminfo",
	    "MemTotal: 8192 kB\nMemAvailable: 50000000 kB\nSwapTotal: 1024 kB\n");
	put(f, "/proc/sys/vm/overcommit_memory", "0\n");
	assert_int_equal(check(f, 9216 * 1024), 0);
	assert_int_equal(check(f, 9216 * 1024 + 4096), -EAGAIN);
	assert_string_equal(f->bound.limit->name, "MemTotal + SwapTotal (vm.overcommit_memory 0)");
	assert_int_equal(f->bound.fits.levels, 0);
	assert_int_equal(f->bound.batch, 0);
	put(f, "/proc/sys/vm/overcommit_memory", "1\n");
	assert_int_equal(check(f, 9216 * 1024 + 4096), 0);
	put(f, "/proc/sys/vm/overcommit_memory", "0\n");
	processes(f);
	assert_int_equal(check(f, 9216 * 1024 + 4096), 0);
}

static void all_stacks_count_where_the_kernel_keeps_accounts(void **state)
{
	struct fixture *f = *state;

	/* 64 MiB for the program itself, 100 stacks of 8 MiB, and the memory of other programs */
	put(f, "/proc/meminfo",
	    "MemTotal: 99999999 kB\nMemAvailable: 50000000 kB\nSwapTotal: 0 kB\n"
	    "CommitLimit: 1000000 kB\nCommitted_AS: 115264 kB\n");
	put(f, "/proc/sys/vm/overcommit_memory", "2\n");
	binds(f, "CommitLimit (vm.overcommit_memory 2)", 1024000000, 100);
	f->plan.fanout[0] = 1000;
	helps(f, 100);
	processes(f);
	fits(f);
}

static void memory_is_what_the_tightest_cgroup_leaves(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(capacity_memory_free(f->root), 40000000);
	put(f, "/sys/fs/cgroup/user/memory.max", "104857600\n");
	put(f, "/sys/fs/cgroup/user/memory.current", "52428800\n");
	put(f, "/sys/fs/cgroup/user/memory.stat", "anon 1\nfile 2\ninactive_file 10485760\n");
	assert_int_equal(capacity_memory_free(f->root), 61440 / 5 * 4);
	processes(f);
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_string_equal(f->bound.limit->name, "free memory");
	assert_int_equal(f->bound.resource, CAPACITY_MEMORY);
	assert_int_equal(f->bound.fits.fanout[0], 61440 / 5 * 4 / 111);
}

/* The kernel counts a stack as data: private and writable. */
static void stacks_are_bound_by_a_limit_of_data_too(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/self/limits",
	    "Limit                     Soft Limit           Hard Limit           Units     \n"
	    "Max data size             83886080             unlimited            bytes     \n"
	    "Max stack size            8388608              unlimited            bytes     \n");
	f->plan.fanout[0] = 9;
	assert_int_equal(check(f, 0), 0);
	f->plan.fanout[0] = 10;
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_string_equal(f->bound.limit->name, "RLIMIT_DATA (ulimit -d)");
}

static void a_smaller_stack_that_would_do_is_found(void **state)
{
	struct fixture *f = *state;

	put_limits(f, "unlimited", "905969664", "8388608");
	f->plan.fanout[0] = 1000;
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.resource, CAPACITY_ADDRESSES);
	assert_in_range(f->bound.stack, 16384, 8388607);
	assert_int_equal(check(f, f->bound.stack), 0);
	put_limits(f, "unlimited", "67108864", "8388608");
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.stack, 0);
	assert_int_equal(f->bound.fits.levels, 0);
}

static void the_tightest_of_several_limits_is_named(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/kernel/pid_max", "900\n");
	put(f, "/sys/fs/cgroup/pids.max", "200\n");
	put(f, "/sys/fs/cgroup/pids.current", "50\n");
	put(f, "/proc/sys/kernel/threads-max", "700\n");
	binds(f, "pids.max of cgroup /", 200, 146);
}

static void tree(struct fixture *f, uint32_t a, uint32_t b, uint32_t c)
{
	f->plan = (struct plan) {.levels = 3, .fanout = {a, b, c}};
}

static void a_tree_that_fits_has_a_smaller_last_level(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/kernel/pid_max", "3400\n");
	tree(f, 20, 3, 82);
	/* 3,400 - 100 - 300 are left; 20 + 60 tasks are above the leaves */
	binds(f, "kernel.pid_max", 3400, (3000 - 80) / 60);
	assert_int_equal(f->plan.fanout[0], 20);
}

static void a_tree_whose_inner_levels_are_too_many_shrinks_there(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/kernel/pid_max", "1400\n");
	tree(f, 20, 1000, 1);
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.fits.fanout[0], 20);
	assert_int_equal(f->bound.fits.fanout[1], (1000 - 20) / 40);
	assert_int_equal(f->bound.fits.fanout[2], 1);
	put(f, "/proc/sys/kernel/pid_max", "402\n");
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.fits.levels, 0);
}

static void a_batch_that_fits_is_offered(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/kernel/pid_max", "3400\n");
	tree(f, 20, 3, 82);
	/* 20 + 60 + 60 * 48 is 2,960; 20 + 60 + 60 * 49 is more than 3,000 */
	helps(f, 48);
	f->plan = (struct plan) {.levels = 1, .fanout = {5000}};
	helps(f, 3000);
}

static void no_batch_helps_tasks_that_wait_for_all(void **state)
{
	struct fixture *f = *state;

	put(f, "/proc/sys/kernel/pid_max", "3400\n");
	tree(f, 20, 3, 82);
	f->plan.all_alive = true;
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.batch, 0);
	/* No batch helps if not even one task of each level fits. */
	put(f, "/proc/sys/kernel/pid_max", "402\n");
	f->plan.all_alive = false;
	assert_int_equal(check(f, 0), -EAGAIN);
	assert_int_equal(f->bound.batch, 0);
}

static void stacks_beyond_what_can_be_addressed_are_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(check(f, (uint64_t)1 << 40), -EAGAIN);
	assert_string_equal(f->bound.limit->name, "the address space of a process");
	assert_int_equal(check(f, UINT64_MAX - 1), -EAGAIN);
	assert_int_equal(f->bound.fits.levels, 0);
}

static void free_disk_space_is_reported_or_the_reason_why_not(void **state)
{
	struct fixture *f = *state;
	uint64_t bytes = 0;

	assert_int_equal(capacity_disk_free(f->root, &bytes), 0);
	assert_true(bytes > 0);
	assert_int_equal(capacity_disk_free("/nowhere/at/all", &bytes), -ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#define GIB (UINT64_C(1) << 30)

static int check_ballast(struct fixture *f, enum plan_primitive primitive, uint64_t bytes,
			 struct capacity_ballast *bound)
{
	plan_creation(primitive, 1000, &f->plan);
	return capacity_check_ballast(f->root, &f->plan, bytes, bound);
}

static void binds_ballast(struct fixture *f, enum plan_primitive primitive, const char *name,
			  uint64_t fits)
{
	struct capacity_ballast bound;

	assert_int_equal(check_ballast(f, primitive, 64 * GIB, &bound), -EAGAIN);
	assert_non_null(strstr(bound.limit.name, name));
	assert_true(bound.need > bound.limit.available);
	assert_true(bound.fits / 1000 == fits / 1000);
	assert_int_equal(check_ballast(f, primitive, fits - 1000000, &bound), 0);
	assert_int_equal(check_ballast(f, primitive, fits + 1000000, &bound), -EAGAIN);
}

static void a_ballast_is_bound_by_free_memory_and_its_page_tables(void **state)
{
	struct fixture *f = *state;
	const uint64_t free_bytes = UINT64_C(40000000) * 1024;

	binds_ballast(f, PLAN_PTHREAD, "free memory", free_bytes / 513 * 512);
	binds_ballast(f, PLAN_VFORK, "free memory", free_bytes / 513 * 512);
	binds_ballast(f, PLAN_FORK, "free memory", free_bytes / 514 * 512);
}

static void a_ballast_is_bound_by_address_space(void **state)
{
	struct fixture *f = *state;

	put_limits(f, "unlimited", "2147483648", "8388608");
	binds_ballast(f, PLAN_FORK, "RLIMIT_AS", 2 * GIB - (64u << 20));
}

static void a_kernel_that_promises_no_more_than_it_has_counts_every_copy(void **state)
{
	struct fixture *f = *state;
	struct capacity_ballast bound;

	put(f, "/proc/meminfo",
	    "MemTotal: 99999999 kB\nMemFree: 5 kB\nMemAvailable: 50000000 kB\n"
	    "CommitLimit: 12582912 kB\nCommitted_AS: 4194304 kB\n");
	put(f, "/proc/sys/vm/overcommit_memory", "0\n");
	assert_int_equal(check_ballast(f, PLAN_FORK, 16 * GIB, &bound), 0);
	put(f, "/proc/sys/vm/overcommit_memory", "2\n");
	binds_ballast(f, PLAN_FORK, "CommitLimit", 4 * GIB);
	binds_ballast(f, PLAN_FORK_EXEC, "CommitLimit", 4 * GIB);
	binds_ballast(f, PLAN_POSIX_SPAWN, "CommitLimit", 8 * GIB);
	binds_ballast(f, PLAN_CLONE, "CommitLimit", 8 * GIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_plan_within_the_limits_is_accepted),
		TEST(nothing_that_can_be_read_binds_nothing),
		TEST(the_users_tasks_count_against_nproc),
		TEST(root_of_a_user_namespace_is_not_exempt),
		TEST(root_and_its_capabilities_are_exempt_from_nproc),
		TEST(every_cgroup_above_counts),
		TEST(cgroups_of_version_1_count),
		TEST(the_kernels_own_limits_count),
		TEST(mappings_bind_threads_of_one_process_only),
		TEST(stacks_bind_where_address_space_is_limited),
		TEST(an_unlimited_stack_is_glibcs_2_mib),
		TEST(a_stack_larger_than_memory_and_swap_is_refused),
		TEST(all_stacks_count_where_the_kernel_keeps_accounts),
		TEST(memory_is_what_the_tightest_cgroup_leaves),
		TEST(stacks_are_bound_by_a_limit_of_data_too),
		TEST(a_smaller_stack_that_would_do_is_found),
		TEST(the_tightest_of_several_limits_is_named),
		TEST(a_tree_that_fits_has_a_smaller_last_level),
		TEST(a_tree_whose_inner_levels_are_too_many_shrinks_there),
		TEST(a_batch_that_fits_is_offered),
		TEST(no_batch_helps_tasks_that_wait_for_all),
		TEST(stacks_beyond_what_can_be_addressed_are_refused),
		TEST(free_disk_space_is_reported_or_the_reason_why_not),
		TEST(a_ballast_is_bound_by_free_memory_and_its_page_tables),
		TEST(a_ballast_is_bound_by_address_space),
		TEST(a_kernel_that_promises_no_more_than_it_has_counts_every_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
