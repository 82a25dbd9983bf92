/* SPDX-License-Identifier: MIT */
#include "runner/runner.h"

#include "stage/check.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counters.h"

enum { TRIES = 20, BOUNCES = 40, PAGES = 64, GROUPS = 100 };

/*
 * Opens the kernel's event of migrations, which not every user may open. It counts in the kernel
 * too.
 */
static int open_migrations(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_SW_CPU_MIGRATIONS};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int64_t read_event(int fd)
{
	int64_t n = -1;

	assert_int_equal(read(fd, &n, sizeof(n)), sizeof(n));
	return n;
}

/* Moves from core to core. */
static void bounce(const cpu_set_t *all)
{
	cpu_set_t one;

	for (int i = 0, cpu = 0; i < BOUNCES; cpu = (cpu + 1) % CPU_SETSIZE) {
		if (!CPU_ISSET(cpu, all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		i++;
	}
}

/*
 * The kernel may migrate the test between the reading of one counter and the other, so one of
 * several tries must agree.
 */
static void migrations_are_those_of_the_kernels_event(void **state)
{
	int64_t counted = -1, event = -2;
	uint64_t bytes = 0;
	int fd = open_migrations();
	cpu_set_t all;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	if (fd < 0 || usage_migrations(&bytes) < 0 || CPU_COUNT(&all) < 2)
		skip();
	for (int i = 0; i < TRIES && counted != event; i++) {
		counted = -usage_migrations(&bytes);
		event = -read_event(fd);
		bounce(&all);
		counted += usage_migrations(&bytes);
		event += read_event(fd);
		assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	}
	assert_int_equal(counted, event);
	assert_true(counted >= BOUNCES - 1);
	assert_true(bytes > 0);
	close(fd);
}

/* Opens counters of the calling thread, or skips the test. */
static struct counters open_software(void)
{
	struct counters counters;

	if (counters_open(&counters, COUNTERS_SOFTWARE) < 0)
		skip();
	return counters;
}

/* Returns the thread's page faults, because a sanitizer's own threads have faults too. */
static long faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

static void a_group_counts_from_its_begin_on(void **state)
{
	const size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct counters counters = open_software();
	int64_t count[COUNTERS];
	long faults;

	assert_true(pages != MAP_FAILED);
	madvise(pages, 2 * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += size / PAGES)
		pages[i] = 1;
	faults = -faults_so_far();
	counters_begin(&counters);
	for (size_t i = size; i < 2 * size; i += size / PAGES)
		pages[i] = 1;
	assert_int_equal(counters_read(&counters, count), 0);
	assert_true(count[COUNTERS_CYCLES] > 0);
	faults += faults_so_far();
	assert_in_range(count[COUNTERS_INSTRUCTIONS], PAGES, faults);
	assert_int_equal(count[COUNTERS_INSTRUCTIONS], count[COUNTERS_CACHE] + count[COUNTERS_TLB]);
	counters_close(&counters);
	munmap(pages, 2 * size);
}

static void counters_that_were_not_started_are_unknown(void **state)
{
	struct counters counters = open_software();
	int64_t count[COUNTERS];

	assert_true(counters_read(&counters, count) < 0);
	for (int i = 0; i < COUNTERS; i++)
		assert_int_equal(count[i], -1);
	counters_close(&counters);
	assert_true(counters_read(&counters, count) < 0);
	assert_int_equal(count[0], -1);
}

static void a_processor_counts_or_the_reason_is_known(void **state)
{
	struct counters counters;
	int64_t count[COUNTERS];
	int err = counters_open(&counters, COUNTERS_HARDWARE);

	if (err < 0) {
		for (int i = 0; i < COUNTERS; i++)
			assert_int_equal(counters.fd[i], -1);
		skip();
	}
	counters_begin(&counters);
	for (volatile int i = 0; i < 1000000; i++)
		;
	if (counters_read(&counters, count) == 0) {
		assert_in_range(count[COUNTERS_INSTRUCTIONS], 3000000, 20000000);
		assert_in_range(count[COUNTERS_CYCLES], 100000, 100000000);
	}
	counters_close(&counters);
}

/* One process has more threads than the soft limit of open files allows. */
static void room_is_made_for_the_files_of_all(void **state)
{
	struct rlimit before, low, after;
	struct counters counters[GROUPS];
	int n = 0;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	if (before.rlim_max < counters_files(GROUPS))
		skip();
	low = before;
	low.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	counters_reserve(GROUPS);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
	assert_int_equal(after.rlim_cur, counters_files(GROUPS));
	assert_int_equal(after.rlim_max, before.rlim_max);
	while (n < GROUPS && counters_open(&counters[n], COUNTERS_SOFTWARE) == 0)
		n++;
	assert_true(n == 0 || n == GROUPS); /* none: counters are not allowed here */
	while (n > 0)
		counters_close(&counters[--n]);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* Computes for `us` microseconds of CPU time. */
static void use_core(uint64_t us)
{
	const uint64_t until = clock_used_us(RUSAGE_SELF) + us;

	while (clock_used_us(RUSAGE_SELF) < until)
		;
}

/* Compares with wait4(2) of the only child, whose parent uses twice as much CPU time. */
static void the_use_of_a_program_has_no_part_of_its_starter(void **state)
{
	struct board_totals apart, together;
	struct usage before, after;
	struct clock_usage witness = {0};
	struct rusage usage;
	pid_t pid;

	usage_begin(&before);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		use_core(10000);
		_exit(0);
	}
	use_core(20000);
	assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
	usage_end(&after);
	clock_usage_add(&witness, &usage);
	usage_totals(&before, &after, true, 0, &apart);
	usage_totals(&before, &after, false, 0, &together);
	assert_memory_equal(&apart.usage, &witness, sizeof(witness));
	assert_true(apart.starter.user_us + apart.starter.system_us >= 20000);
	assert_int_equal(together.usage.user_us, witness.user_us + apart.starter.user_us);
	assert_int_equal(together.usage.nvcsw, witness.nvcsw + apart.starter.nvcsw);
	assert_int_equal(together.starter.user_us, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(migrations_are_those_of_the_kernels_event),
		cmocka_unit_test(a_group_counts_from_its_begin_on),
		cmocka_unit_test(counters_that_were_not_started_are_unknown),
		cmocka_unit_test(a_processor_counts_or_the_reason_is_known),
		cmocka_unit_test(room_is_made_for_the_files_of_all),
		cmocka_unit_test(the_use_of_a_program_has_no_part_of_its_starter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
