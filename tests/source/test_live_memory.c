/* SPDX-License-Identifier: MIT */
#include "source/live_run.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stage/folder.h"

/* Writes the files of /proc for a process. PID 10 is a runner in the tests, and 20 its program. */
static void write_process(const char *root, int pid, int64_t rss_kb, const char *children)
{
	char path[FOLDER_PATH], name[64], text[256];

	snprintf(name, sizeof(name), "%d/status", pid);
	snprintf(text, sizeof(text),
		 "State:\tS (sleeping)\nVmRSS:\t%8lld kB\nRssShmem:\t100 kB\nVmPTE:\t40 kB\n"
		 "Threads:\t1\n",
		 (long long)rss_kb);
	folder_write(folder_at(path, root, name), text);
	snprintf(name, sizeof(name), "%d/smaps_rollup", pid);
	snprintf(text, sizeof(text),
		 "Rss:\t%lld kB\nPss:\t%lld kB\nPss_Shmem:\t100 kB\nPrivate_Clean:\t0 kB\n"
		 "Private_Dirty:\t%lld kB\n",
		 (long long)rss_kb, (long long)(rss_kb - 200), (long long)(rss_kb - 300));
	folder_write(folder_at(path, root, name), text);
	snprintf(name, sizeof(name), "%d/task/%d/children", pid, pid);
	folder_write(folder_at(path, root, name), children);
}

static struct live_kernel kernel;

/* Returns the memory that a reading finds. exe is the file that PID 20 runs. */
static struct sample_memory read_program(const char *root, const char *exe,
					 struct live_memory *memory)
{
	struct live_alive alive = {1, 1, NULL};
	struct sample_memory out;
	char path[FOLDER_PATH], from[FOLDER_PATH];

	folder_write(folder_at(path, root, "thread-self/children"), "");
	folder_write(folder_at(path, root, "10/exe"), "runner");
	write_process(root, 10, 1500, "20 ");
	write_process(root, 20, 900, "");
	if (exe)
		folder_write(folder_at(path, root, "20/exe"), exe);
	else
		assert_int_equal(
			link(folder_at(from, root, "10/exe"), folder_at(path, root, "20/exe")), 0);
	assert_int_equal(live_memory_open(memory, root, 10, &kernel, true), 0);
	live_memory_find(memory, NULL, 0);
	live_memory_read(memory, true, &alive, &out);
	live_memory_close(memory);
	return out;
}

static void a_programs_memory_is_without_the_runners(void **state)
{
	struct live_memory memory;
	struct sample_memory out = read_program(*state, "program", &memory);

	assert_int_equal(out.rss_kb, 900);
	assert_int_equal(out.pss_kb, 700);
	assert_int_equal(out.uss_kb, 600);
	assert_int_equal(out.kernel_tables_kb, 40);
	assert_int_equal(out.kernel_stacks_kb, LIVE_KERNEL_STACK_KB);
	assert_int_equal(memory.processes, 1);
}

/* The share is from smaps_rollup, which is read after status. */
static void what_is_freed_between_two_files_is_not_called_shared(void **state)
{
	struct live_alive alive = {1, 1, NULL};
	struct live_memory memory;
	struct sample_memory out;
	char path[FOLDER_PATH];

	read_program(*state, "program", &memory);
	folder_write(folder_at(path, *state, "20/smaps_rollup"),
		     "Rss:\t400 kB\nPss:\t200 kB\nPss_Shmem:\t0 kB\nPrivate_Dirty:\t100 kB\n");
	assert_int_equal(live_memory_open(&memory, *state, 10, &kernel, true), 0);
	live_memory_find(&memory, NULL, 0);
	live_memory_read(&memory, true, &alive, &out);
	live_memory_close(&memory);
	assert_int_equal(out.rss_kb, 400);
	assert_int_equal(out.pss_kb, 200);
}

static void the_runners_copy_is_no_program_yet(void **state)
{
	struct live_memory memory;
	struct sample_memory out = read_program(*state, NULL, &memory);

	assert_int_equal(out.rss_kb, -1);
	assert_int_equal(out.pss_kb, -1);
	assert_int_equal(memory.processes, -1);
}

/* Makes a run of one program with that peak. The caller frees its board. */
static void make_run(struct live_run *run, struct sample_worker *known, uint32_t peak_kb)
{
	struct plan plan = {.levels = 1,
			    .fanout = {1},
			    .task = {PLAN_PROCESS},
			    .leaves = {[WORK_PROGRAM] = 1},
			    .barrier = true};
	const size_t size = SCOREBOARD_PAGE * (2 + sizeof(*run->board) / SCOREBOARD_PAGE);

	memset(run, 0, sizeof(*run));
	run->board = aligned_alloc(SCOREBOARD_PAGE, size);
	assert_non_null(run->board);
	memset(run->board, 0, size);
	run->board->request.plan = plan;
	run->board->slot[0].reaped_kb = peak_kb;
	*known = sample_worker_unknown;
	known->start_ns = known->created_ns = 1;
	known->work_ns = 2;
	known->finish_ns = 3;
	run->known = known;
	run->n = 1;
	run->memory.tree = true;
	run->peak = sample_memory_unknown();
}

static struct sample_memory raise_program(uint32_t peak_kb, const struct live_resident *read,
					  bool children)
{
	struct sample_worker known;
	struct sample_memory peak;
	struct live_run run;

	make_run(&run, &known, peak_kb);
	if (read)
		run.resident = (struct live_residents) {{1500, 1400, 300, 200, 1, 0}, *read};
	peak = run.peak;
	live_peak_raise(&run, 1500, children, &peak);
	free(run.board);
	return peak;
}

static void the_peak_of_a_program_too_short_to_be_read_is_the_kernels(void **state)
{
	struct sample_memory peak = raise_program(21000, NULL, false);

	assert_int_equal(peak.rss_kb, 21000);
	assert_int_equal(peak.rss_seen, SEEN_PEAK);
	assert_int_equal(peak.pss_kb, -1);
	assert_int_equal(peak.pss_seen, -1);
	/* Before execve(2), the program had the runner's memory. */
	assert_int_equal(raise_program(1400, NULL, false).rss_kb, 1400);
	assert_int_equal(raise_program(1400, NULL, false).rss_seen, SEEN_MOST);
	/* Nothing is known about the other programs. */
	assert_int_equal(raise_program(21000, NULL, true).rss_kb, 21000);
	assert_int_equal(raise_program(21000, NULL, true).rss_seen, SEEN_LEAST);
}

static void the_peak_of_a_program_that_was_read_has_its_share(void **state)
{
	const struct live_resident read = {10000, 10000, 9000, 8900, 1, 0};
	struct sample_memory peak = raise_program(21000, &read, false);

	assert_int_equal(peak.rss_kb, 21000);
	assert_int_equal(peak.pss_kb, 20000);
	assert_int_equal(peak.uss_kb, 19900);
	assert_int_equal(peak.pss_seen, SEEN_PEAK);
}

/* Returns the memory of a program with children, after readings of at most these values. */
static struct sample_memory doubt(const char *root, int64_t rss_kb, int64_t pss_kb, int64_t read_kb)
{
	struct sample_memory peak = sample_memory_unknown();
	struct sample_worker known;
	struct live_run run;

	make_run(&run, &known, 0);
	run.pss_rss_kb = read_kb;
	run.board->joined = root != NULL;
	run.charge.v2 = true;
	if (root)
		snprintf(run.charge.folder, sizeof(run.charge.folder), "%s", root);
	peak.rss_kb = rss_kb;
	peak.pss_kb = peak.uss_kb = pss_kb;
	peak.kernel_kb = 300;
	peak.rss_seen = peak.pss_seen = peak.kernel_seen = SEEN_SAMPLED;
	live_peak_doubt(&run, true, &peak);
	free(run.board);
	return peak;
}

static void PSS_is_a_least_where_RSS_was_greater_meanwhile(void **state)
{
	assert_int_equal(doubt(NULL, 20000, 18000, 19500).pss_seen, SEEN_SAMPLED);
	assert_int_equal(doubt(NULL, 30000, 18000, 19500).pss_seen, SEEN_LEAST);
	assert_int_equal(doubt(NULL, 30000, 18000, 19500).pss_kb, 18000);
	assert_int_equal(doubt(NULL, 30000, 18000, 19500).rss_seen, SEEN_SAMPLED);
}

static void all_is_a_least_where_the_cgroup_had_more(void **state)
{
	char path[FOLDER_PATH];

	/* 900 MiB, of which 100 are of files. */
	folder_write(folder_at(path, *state, "memory.peak"), "943718400\n");
	folder_write(folder_at(path, *state, "memory.stat"), "anon 0\nfile 104857600\n");
	assert_int_equal(doubt(*state, 400000, 390000, 400000).pss_seen, SEEN_LEAST);
	assert_int_equal(doubt(*state, 400000, 390000, 400000).rss_seen, SEEN_LEAST);
	assert_int_equal(doubt(*state, 400000, 390000, 400000).kernel_seen, SEEN_LEAST);
	assert_int_equal(doubt(*state, 830000, 820000, 830000).pss_seen, SEEN_SAMPLED);
	assert_int_equal(doubt(*state, 830000, 820000, 830000).kernel_seen, SEEN_SAMPLED);
	assert_int_equal(doubt(NULL, 400000, 390000, 400000).pss_seen, SEEN_SAMPLED);
}

/*
 * The cgroup's peak is far above what was read. The difference was pages of a file, which are now
 * counted nowhere. So the readings missed no memory of the program.
 */
static void what_was_read_stays_where_a_file_is_gone(void **state)
{
	static const char *const left[] = {
		"anon 0\nfile 0\n",			      /* deleted, or truncated to 0 */
		"anon 0\nfile 4096\nshmem 0\n",		      /* in a tmpfs */
		"anon 0\nfile 8192\nslab_reclaimable 4096\n", /* the kernel has dropped them */
	};
	char path[FOLDER_PATH];

	folder_write(folder_at(path, *state, "memory.peak"), "209715200\n");
	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
		folder_write(folder_at(path, *state, "memory.stat"), left[i]);
		assert_int_equal(doubt(*state, 3000, 700, 3000).rss_kb, 3000);
		assert_int_equal(doubt(*state, 3000, 700, 3000).pss_kb, 700);
		assert_int_equal(doubt(*state, 3000, 700, 3000).uss_kb, 700);
		assert_int_equal(doubt(*state, 3000, 700, 3000).pss_seen, SEEN_LEAST);
	}
}

static void a_mark_that_may_be_the_runners_does_not_hide_what_was_read(void **state)
{
	const struct live_resident read = {700, 700, 690, 690, 1, 0};
	struct sample_worker known;
	struct sample_memory peak;
	struct live_run run;

	/*
	 * The runner has 1,500 KiB, and the peak is 1,400. So the peak may have been reached before
	 * execve(2), in the copy of the runner.
	 */
	make_run(&run, &known, 1400);
	run.resident = (struct live_residents) {{1500, 1400, 300, 200, 1, 0}, read};
	peak = run.peak;
	peak.rss_kb = 700;
	peak.pss_kb = peak.uss_kb = 690;
	peak.rss_seen = peak.pss_seen = SEEN_SAMPLED;
	live_peak_raise(&run, 1500, false, &peak);
	assert_int_equal(peak.rss_kb, 700);
	assert_int_equal(peak.pss_kb, 690);
	assert_int_equal(peak.rss_seen, SEEN_SAMPLED);
	/* A peak that is close to the reading is the program's. */
	run.board->slot[0].reaped_kb = 710;
	live_peak_raise(&run, 1500, false, &peak);
	assert_int_equal(peak.rss_kb, 710);
	assert_int_equal(peak.rss_seen, SEEN_PEAKS);
	/* With a doubtful peak, the sum of the whole tree is unknown. */
	run.board->slot[0].reaped_kb = 1400;
	peak.rss_kb = -1;
	live_peak_raise(&run, 1500, true, &peak);
	assert_int_equal(peak.rss_kb, -1);
	free(run.board);
}

static void the_kernels_own_peak_of_its_part_is_exact(void **state)
{
	struct sample_memory peak = sample_memory_unknown();
	struct live_charge charge = {.v2 = false};
	char path[FOLDER_PATH];

	folder_write(folder_at(path, *state, "memory.kmem.max_usage_in_bytes"), "27262976\n");
	snprintf(charge.folder, sizeof(charge.folder), "%s", (const char *)*state);
	assert_int_equal(live_charge_kernel_peak(&charge), 26624);
	/*
	 * These parts were read when few of the threads existed. So they do not have the stacks of
	 * the others, and become unknown.
	 */
	peak.kernel_kb = 200;
	peak.kernel_tables_kb = 100;
	peak.kernel_stacks_kb = 32;
	peak.kernel_other_kb = 68;
	peak.kernel_seen = SEEN_SAMPLED;
	live_peak_kernel(26624, 0, &peak);
	assert_int_equal(peak.kernel_kb, 26624);
	assert_int_equal(peak.kernel_seen, SEEN_PEAK);
	assert_int_equal(peak.kernel_stacks_kb, -1);
	/* These parts were read close to the peak, so they remain known. */
	peak.kernel_kb = 26000;
	peak.kernel_tables_kb = 600;
	peak.kernel_stacks_kb = 16000;
	peak.kernel_other_kb = 9400;
	live_peak_kernel(26624, 0, &peak);
	assert_int_equal(peak.kernel_stacks_kb, 16000);
	assert_int_equal(peak.kernel_other_kb, 10024);
	/* Version 2 does not record it. */
	charge.v2 = true;
	assert_int_equal(live_charge_kernel_peak(&charge), -1);
	peak.kernel_kb = 200;
	peak.kernel_seen = SEEN_SAMPLED;
	live_peak_kernel(-1, 0, &peak);
	assert_int_equal(peak.kernel_kb, 200);
	assert_int_equal(peak.kernel_seen, SEEN_SAMPLED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(a_programs_memory_is_without_the_runners),
		FOLDER_TEST(what_is_freed_between_two_files_is_not_called_shared),
		FOLDER_TEST(the_runners_copy_is_no_program_yet),
		cmocka_unit_test(the_peak_of_a_program_too_short_to_be_read_is_the_kernels),
		cmocka_unit_test(the_peak_of_a_program_that_was_read_has_its_share),
		cmocka_unit_test(a_mark_that_may_be_the_runners_does_not_hide_what_was_read),
		cmocka_unit_test(PSS_is_a_least_where_RSS_was_greater_meanwhile),
		FOLDER_TEST(all_is_a_least_where_the_cgroup_had_more),
		FOLDER_TEST(what_was_read_stays_where_a_file_is_gone),
		FOLDER_TEST(the_kernels_own_peak_of_its_part_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
