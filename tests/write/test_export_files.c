/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include "stage/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/model_lanes.h"
#include "write/write_parts.h"
#include "stage/exported.h"
#include "stage/programs.h"
#include "stage/synthetic.h"

#define SESSION ",2023-11-14T22:13:20Z-mixed,lab1\n"
#define SLICE	",2023-11-14T22:13:20Z-mixed,lab1,1\n"

/* Returns a row of workers that begins with this text, without its end. The caller frees it. */
static char *row_of(const char *text, const char *begin)
{
	const char *row = strstr(text, begin);

	assert_non_null(row);
	return strndup(row, strcspn(row, "\n"));
}

static void workers_have_a_row_each_in_the_order_of_the_contract(void **state)
{
	struct synthetic session;
	char *text, *row;

	synthetic_mixed(&session, 2);
	text = exported_text(export_workers, &session);
	assert_int_equal(strncmp(text,
				 "trial,model,worker,parent,depth,work,pid,tid,cpu,create_ns,"
				 "created_ns,start_ns,finish_ns,join_ns,user_us,system_us,minflt,"
				 "majflt,nvcsw,nivcsw,status,cpu_first,creator_cpu,"
				 "migrations,cycles,instructions,cache_misses,tlb_misses,"
				 "run,worker_id,parent_id,session,host,cpu_us,work_ns,delay_us,"
				 "result\n"
				 "1,threads,w1 cpu,,0,cpu,",
				 316),
			 0);
	assert_int_equal(exported_count(text, "\n"), 1 + 2 * 2 * 8);
	row = row_of(text, "\n1,threads,w1 cpu,");
	free(row);
	row = row_of(strstr(text, "2,processes,w8 io,"), "2,processes,w8 io,,0,io,");
	assert_int_equal(exported_count(row, ","), 36);
	assert_non_null(strstr(row, ",ok,1,0,,,,,,2,7,-1,2023-11-14T22:13:20Z-mixed,lab1"));
	free(row);
	free(text);
}

static void workers_have_what_was_counted_for_them(void **state)
{
	unsigned long long migrations, cycles, instructions, cache_misses, tlb_misses;
	struct synthetic session;
	char *text, *row;

	synthetic_mixed(&session, 1);
	session.counters = true;
	text = exported_text(export_workers, &session);
	row = row_of(text, "1,processes,w8 io,");
	assert_int_equal(sscanf(strstr(row, ",ok,1,0,"), ",ok,1,0,%llu,%llu,%llu,%llu,%llu",
				&migrations, &cycles, &instructions, &cache_misses, &tlb_misses),
			 5);
	assert_true(cycles > 0 && instructions == cycles);
	assert_true(cache_misses == cycles / 100 && tlb_misses == cache_misses / 4);
	free(row);
	free(text);
}

static void workers_of_a_tree_name_their_parents(void **state)
{
	struct synthetic session;
	char *text, *row;

	synthetic_tree(&session, 1);
	text = exported_text(export_workers, &session);
	assert_int_equal(exported_count(text, "\n"), 1 + 2 * 5000);
	assert_non_null(strstr(text, "\n1,threads,w4.2.81,w4.2,2,nothing,"));
	assert_non_null(strstr(text, "\n1,processes,w4,,0,nothing,"));
	/* The eleventh task of the second level and its first child; the fourth child of main. */
	row = row_of(text, "1,threads,w4.2,w4,");
	assert_non_null(strstr(row, ",0,30,3,2023-"));
	free(row);
	row = row_of(text, "1,threads,w4.2.81,w4.2,");
	assert_non_null(strstr(row, ",0,980,30,2023-"));
	free(row);
	row = row_of(text, "1,processes,w4,,");
	assert_non_null(strstr(row, ",1,3,-1,2023-"));
	free(row);
	free(text);
}

static void a_time_that_a_worker_did_not_reach_is_an_empty_cell(void **state)
{
	struct synthetic session;
	char *text, *row;

	synthetic_mixed(&session, 1);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	text = exported_text(export_workers, &session);
	row = row_of(text, "1,threads,w1 cpu,,0,cpu,");
	assert_non_null(strstr(row, ",,,,,,,,,interrupted")); /* finish_ns … nivcsw */
	free(row);
	row = row_of(text, "1,threads,w4 cpu,,0,cpu,");
	assert_non_null(strstr(row, ",,,,,,,,crashed,1,0")); /* join_ns … nivcsw */
	free(row);
	free(text);
}

static void a_worker_is_running_only_while_its_run_goes_on(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 1);
	session.stop_ns = 1000000000;
	text = exported_text(export_workers, &session);
	assert_int_equal(exported_count(text, ",running,"), 6);
	free(text);
	synthetic_tree(&session, 1);
	session.stop_ns = 350000000;
	text = exported_text(export_workers, &session);
	assert_true(exported_count(text, ",,,,,,,,,,,,,,,,,,0,") > 1000); /* not created yet */
	free(text);
}

static void a_text_that_would_be_taken_for_something_else_is_marked(void **state)
{
	static const char *const marked[] = {"=cmd|' /C calc'!A0",
					     "+1",
					     "@SUM(A1)",
					     "-1+2",
					     "\t=1",
					     " =1",
					     "\xc2\xa0=1",
					     "\xe2\x80\x8b=1",
					     "\xef\xbb\xbf+1",
					     "\xe3\x80\x80@a",
					     "\xf3\xa0\x80\x81-1+2",
					     "\x01=1",
					     "NA\xe2\x80\x8b",
					     ("\xef\xbc\x9d"
					      "1"),
					     "'x",
					     "NA",
					     "null",
					     "NULL",
					     "None",
					     "nan",
					     "N/A",
					     "#N/A",
					     "<NA>",
					     "1.10",
					     "007",
					     "0x10",
					     "1e5",
					     "-0.50",
					     ".5",
					     "5.",
					     "Inf",
					     " NA ",
					     "1.#IND",
					     "1234567890123456"};
	static const char *const plain[] = {"",	     "threads", "-1",  "12",   "0",   "1.5",
					    "-0.25", "w1.10",	"8M",  "4x2",  "yes", "nothing",
					    "a=b",   "NAN0",	"nul", "None2"};
	char *text = NULL;
	size_t n;
	struct csv_row row = {.out = open_memstream(&text, &n)};

	assert_non_null(row.out);
	for (size_t i = 0; i < sizeof(marked) / sizeof(*marked); i++) {
		csv_row_text(&row, marked[i]);
		csv_row_end(&row);
	}
	fclose(row.out);
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		assert_int_equal(line[0], '\'');
	free(text);
	row.out = open_memstream(&text, &n);
	assert_non_null(row.out);
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		csv_row_text(&row, plain[i]);
	fclose(row.out);
	assert_null(strchr(text, '\''));
	free(text);
}

static void warm_ups_are_in_no_table(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 1);
	session.warmup = 1;
	text = exported_text(export_workers, &session);
	assert_int_equal(exported_count(text, "\n"), 1 + 2 * 8);
	free(text);
	text = exported_text(export_samples, &session);
	assert_null(strstr(text, "\n0,"));
	free(text);
}

static void each_variable_has_a_column_in_all_tables(void **state)
{
	struct synthetic session;
	char *text, *row;

	synthetic_mixed(&session, 1);
	synthetic_add(&session, "threads", "workers=4;size=2", 1000000000);
	text = exported_text(export_workers, &session);
	assert_non_null(strstr(text, ",session,host,var_workers,var_size,cpu_us,"));
	row = row_of(text, "1,threads,w1 cpu,");
	assert_non_null(strstr(row, ",lab1,,,"));
	free(row);
	assert_non_null(strstr(text, ",lab1,4,2,"));
	free(text);
	text = exported_text(export_samples, &session);
	assert_non_null(strstr(text, "value,run,session,host,var_workers,var_size\n"));
	assert_non_null(strstr(text, ",lab1,4,2\n"));
	free(text);
}

static void samples_have_a_row_for_each_observation(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 1);
	text = exported_text(export_samples, &session);
	assert_int_equal(
		strncmp(text,
			"trial,model,time_ns,subject,metric,value,run,session,host\n1,threads,",
			68),
		0);
	assert_int_equal(exported_count(text, ",core0,user_percent,"),
			 exported_count(text, ",run,pss_kb,"));
	assert_int_equal(exported_count(text, ",core1,steal_percent,"),
			 exported_count(text, ",run,tasks,"));
	assert_true(exported_count(text, "1,processes,") > 29 * 15);
	assert_null(strstr(text, ",-"));
	free(text);
}

static void unknown_values_are_no_samples(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_tree(&session, 1);
	session.cores = 64;
	text = exported_text(export_samples, &session);
	assert_true(exported_count(text, ",core4,user_percent,") > 0);
	assert_int_equal(exported_count(text, ",core5,user_percent,"), 0);
	assert_int_equal(exported_count(text, "_percent,,"), 0);
	assert_true(exported_count(text, ",run,rss_kb,") > exported_count(text, ",run,pss_kb,"));
	assert_int_equal(exported_count(text, ",run,pss_kb,"),
			 exported_count(text, ",run,estimated,"));
	assert_int_equal(exported_count(text, "_kb,,"), 0);
	free(text);
}

/* The run goes on. w2 cpu woke w7 io, which waited; meanwhile another program had core 1. */
static void slices_say_who_woke_whom_and_what_others_had(void **state)
{
	static const struct sample_slice list[] = {
		{1000, 2000, 1, 0, WHY_BLOCKED, .waker = -1, .ready_ns = -1},
		{3000, 4000, 6, 1, WHY_PREEMPTED, .waker = 1, .woken = WOKEN_BY_WORKER,
		 .ready_ns = 2500},
		{5000, 6000, 6, -1, WHY_ENDED, .waker = 99, .ready_ns = 4500},
		{5000, 6000, 7, 1, WHY_ENDED, .waker = -1, .woken = WOKEN_BY_MAIN,
		 .ready_ns = 4500},
		{2000, 5000, SAMPLE_OTHERS, 1, .waker = -1, .ready_ns = -1},
		{7000, -1, 0, 0, .open = true, .waker = -1, .ready_ns = -1}};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {6, list}};
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_mixed(&session, 1);
	session.stop_ns = 300000000;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	text = exported_model(export_slices, &model);
	assert_string_equal(text, "trial,model,worker,cpu,on_ns,off_ns,why,waker,ready_ns,"
				  "run,worker_id,parent_id,session,host,slices\n"
				  "1,threads,w1 cpu,0,7000,,,,,0,0,-1" SLICE
				  "1,threads,w2 cpu,0,1000,2000,blocked,,,0,1,-1" SLICE
				  "1,threads,w7 io,1,3000,4000,preempted,w2 cpu,2500,0,6,-1" SLICE
				  "1,threads,w7 io,,5000,6000,ended,,4500,0,6,-1" SLICE
				  "1,threads,w8 io,1,5000,6000,ended,main,4500,0,7,-1" SLICE
				  "1,threads,others,1,2000,5000,,,,0,-1,-1" SLICE);
	free(text);
	model_free(&model);
}

/* Each slice of the samples is in exactly one row. */
static void every_slice_is_a_row(void **state)
{
	struct synthetic session;
	struct model model;
	size_t rows = 0, n;
	char *text;

	synthetic_mixed(&session, 2);
	session.slices = true;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		for (uint32_t worker = 0; worker < model.runs[i].n_workers; worker++) {
			model_slices(&model.runs[i], worker, &n);
			rows += n;
		}
	text = exported_model(export_slices, &model);
	assert_true(rows > 1000);
	assert_int_equal(exported_count(text, "\n"), 1 + rows);
	free(text);
	model_free(&model);
}

/*
 * make waits 30 ms for a child and 10 ms for a lock. One of its threads was never seen on a core.
 */
static void fill_make(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	uint32_t first = programs_task(run, -1, false, "make", ms, 100 * ms);
	uint32_t child = programs_task(run, (int)first, false, "cc1", 20 * ms, 50 * ms);

	programs_task(run, (int)child, true, "", 30 * ms, 40 * ms);
	programs_slice(run, first, 5 * ms, 20 * ms, WHY_BLOCKED, 0);
	programs_slice(run, first, 50 * ms, 60 * ms, WHY_BLOCKED, WAIT_CHILD);
	programs_slice(run, first, 70 * ms, 80 * ms, WHY_PREEMPTED, WAIT_LOCK + 3);
	programs_slice(run, first, 85 * ms, 100 * ms, WHY_ENDED, 0);
	programs_slice(run, child, 21 * ms, 50 * ms, WHY_ENDED, 0);
	run->tasks[child].exit_status = 2;
	run->elapsed_ns = 101 * ms;
	run->cpu_ns = 79 * ms;
}

#define TASKS_HEAD                                                                                 \
	"trial,model,kind,name,pid,tid,create_ns,start_ns,finish_ns,exit_status,cpu_us,"           \
	"running_ns,runnable_ns,blocked_ns,unknown_ns,blocked_unknown_ns,blocked_several_ns,"      \
	"blocked_file_ns,blocked_pipe_ns,blocked_socket_ns,blocked_terminal_ns,"                   \
	"blocked_events_ns,blocked_sleep_ns,blocked_child_ns,blocked_thread_ns,"                   \
	"blocked_signal_ns,blocked_page_ns,blocked_other_ns,blocked_gil_ns,blocked_lock_ns,"       \
	"blocked_on,cores,migrations,nvcsw,nivcsw,minflt,majflt,states,reason,task_id,run,"        \
	"worker_id,parent_id,session,host\n"

static void tasks_of_programs_have_a_row_each(void **state)
{
	static const char *const rows[] = {
		/* its worker became this process, and has no row */
		"1,a,process,make,1000,1000,1000000,5000000,100000000,0,50000,50000000,9000000,"
		"40000000,0,0,0,0,0,0,0,0,0,30000000,0,0,0,0,0,10000000,"
		"child=30000000;lock 3=10000000,core0,0,2,1,,,switches,,1,0,0,-1,",
		"1,a,process,cc1,1001,1001,20000000,21000000,50000000,2,29000,29000000,1000000,0,0,"
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,core1,0,0,0,,,switches,,2,0,0,1,",
		"1,a,thread,,1001,1002,30000000,,40000000,,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,not "
		"known,3,"
		"0,0,2,"};
	const struct programs programs = {.trials = 1, .fill = fill_make};
	struct model model;
	char *text;

	programs_model(&programs, &model);
	text = exported_model(export_tasks, &model);
	assert_memory_equal(text, TASKS_HEAD, strlen(TASKS_HEAD));
	assert_int_equal(exported_count(text, "\n"), 1 + 2 * 3);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strstr(text, rows[i]))
			fail_msg("%s\nhas no %s", text, rows[i]);
	free(text);
	model_free(&model);
}

/* First two runs lost some of their switches, then a run goes on. */
static void what_is_not_known_of_a_task_is_an_empty_cell(void **state)
{
	struct programs programs = {.trials = 1, .fill = fill_make, .slices_lost = 1};
	struct model model;
	char *text;

	programs_model(&programs, &model);
	text = exported_model(export_tasks, &model);
	assert_int_equal(exported_count(text, "core0,,,,,,switches,records of some switches were "
					      "lost,1,"),
			 2);
	free(text);
	model_seek(&model, model.runs[0].begin_ns + 45000000);
	text = exported_model(export_tasks, &model);
	assert_int_equal(exported_count(text, "\n"), 1 + 3);
	assert_non_null(strstr(text, "1,a,process,cc1,1001,1001,20000000,,,,,24000000,1000000,0,"));
	free(text);
	model_free(&model);
	programs.tasks_by = "connector";
	programs_model(&programs, &model);
	text = exported_model(export_tasks, &model);
	assert_int_equal(exported_count(text, ",,it ended before its states were read,3,"), 2);
	assert_int_equal(exported_count(text, ",,,,,,sampled,"), 4);
	free(text);
	model_free(&model);
}

/* A row can be joined with the worker's row, with and without slices. */
static void workers_are_tasks_too(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 2);
	session.slices = true;
	text = exported_text(export_tasks, &session);
	assert_int_equal(exported_count(text, "\n"), 1 + 2 * 2 * 8);
	assert_int_equal(exported_count(text, ",thread,w7 io,"), 2);
	assert_int_equal(
		exported_count(text, ",the cause of a wait is recorded for programs only,"),
		2 * 2 * 8);
	free(text);
	synthetic_tree(&session, 1);
	text = exported_text(export_tasks, &session);
	assert_int_equal(exported_count(text, "\n"), 1 + 2 * 5000);
	assert_non_null(strstr(text, ",30,0,30,3,2023-"));
	free(text);
}

static void hostile_texts_stay_in_their_cells(void **state)
{
	struct synthetic session;
	char *text;

	exported_hostile(&session);
	text = exported_text(export_workers, &session);
	exported_assert_clean(text);
	assert_int_equal(exported_count(text, "\n"), 1 + 3 * 8);
	assert_int_equal(exported_count(text, "\n1,\"a\"\"b, </script><script>"), 8);
	free(text);
}

static void a_full_disk_is_an_error_of_every_format(void **state)
{
	static int (*const formats[])(const struct model *,
				      FILE *) = {export_workers, export_samples, export_slices,
						 export_tasks,	 export_trace,	 export_html};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		FILE *out = fopen("/dev/full", "w");

		assert_non_null(out);
		assert_int_equal(formats[i](&model, out), -ENOSPC);
		fclose(out);
	}
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_have_a_row_each_in_the_order_of_the_contract),
		cmocka_unit_test(workers_have_what_was_counted_for_them),
		cmocka_unit_test(workers_of_a_tree_name_their_parents),
		cmocka_unit_test(a_time_that_a_worker_did_not_reach_is_an_empty_cell),
		cmocka_unit_test(a_worker_is_running_only_while_its_run_goes_on),
		cmocka_unit_test(a_text_that_would_be_taken_for_something_else_is_marked),
		cmocka_unit_test(warm_ups_are_in_no_table),
		cmocka_unit_test(each_variable_has_a_column_in_all_tables),
		cmocka_unit_test(samples_have_a_row_for_each_observation),
		cmocka_unit_test(unknown_values_are_no_samples),
		cmocka_unit_test(slices_say_who_woke_whom_and_what_others_had),
		cmocka_unit_test(every_slice_is_a_row),
		cmocka_unit_test(tasks_of_programs_have_a_row_each),
		cmocka_unit_test(what_is_not_known_of_a_task_is_an_empty_cell),
		cmocka_unit_test(workers_are_tasks_too),
		cmocka_unit_test(hostile_texts_stay_in_their_cells),
		cmocka_unit_test(a_full_disk_is_an_error_of_every_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
