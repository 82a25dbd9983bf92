/* SPDX-License-Identifier: MIT */
#include "result/differs.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "result/report.h"
#include "stage/programs.h"
#include "write/export.h"
#include "stage/exported.h"

#define MS INT64_C(1000000)

/* By how much `b` takes longer, and what it does in that time. */
struct more {
	int64_t cpu_ms, lock_ms, core_ms, unknown_ms;
	int lock;	/* enum sample_wait of both threads' waits */
	bool alone;	/* only one of the threads waits for the lock */
	bool scattered; /* in one trial `b` takes less time, in the next one more */
};

/*
 * A process waits for its second thread, which computes for 100 ms. In between, the process waits
 * for what the first thread waits for.
 */
static void fill_threads(struct programs_run *run, const void *arg)
{
	const struct more *more = arg;
	const int64_t noise_ns = (int64_t)(run->id.trial * 7919 % 1000) * 1000;
	const bool b = run->id.case_id == 1;
	const int64_t sign = more->scattered && run->id.trial % 2 ? -1 : 1;
	const int64_t cpu_ns = 100 * MS + (b ? sign * more->cpu_ms * MS : 0) + noise_ns;
	const int64_t lock_ns = 10 * MS + (b ? more->lock_ms * MS : 0);
	const int64_t core_ns = MS + (b ? more->core_ms * MS : 0);
	const int64_t unknown_ns = b ? more->unknown_ms * MS : 0;
	const int64_t begin_ns = 5 * MS, locked_ns = begin_ns + cpu_ns / 2 + lock_ns;
	const int64_t looked_ns = locked_ns + cpu_ns / 4 + unknown_ns;
	const int64_t end_ns = looked_ns + core_ns + cpu_ns / 4;
	uint32_t main = programs_task(run, -1, false, "main", 2000, end_ns + 2 * MS);
	uint32_t first = programs_task(run, (int)main, true, "main", 4 * MS, 30 * MS);
	uint32_t second = programs_task(run, (int)main, true, "main", begin_ns, end_ns);

	run->elapsed_ns = end_ns + 2 * MS + 1000;
	programs_slice(run, main, 2000, 6 * MS, WHY_BLOCKED, 0);
	programs_slice(run, main, end_ns, end_ns + 2 * MS, WHY_ENDED, WAIT_THREAD);
	programs_slice(run, first, 4 * MS, 10 * MS, WHY_BLOCKED, 0);
	programs_slice(run, first, 20 * MS, 30 * MS, WHY_ENDED,
		       more->alone ? WAIT_FILE : more->lock);
	programs_slice(run, second, begin_ns, begin_ns + cpu_ns / 2, WHY_BLOCKED, 0);
	programs_slice(run, second, locked_ns, locked_ns + cpu_ns / 4,
		       unknown_ns > 0 ? WHY_BLOCKED : WHY_PREEMPTED, more->lock);
	if (unknown_ns > 0)
		programs_slice(run, second, looked_ns, looked_ns + 1000, WHY_PREEMPTED, 0);
	programs_slice(run, second, looked_ns + core_ns, end_ns, WHY_ENDED, 0);
}

static void read_differs(struct programs programs, const struct more *more, struct differs *differs,
			 char sentence[WHY_TEXT])
{
	struct model model;
	double sum = 0;

	programs.trials = programs.trials ? programs.trials : 12;
	programs.fill = fill_threads;
	programs.arg = more;
	programs_model(&programs, &model);
	assert_true(differs_read(&model, 0, 1, differs));
	differs_sentence(differs, sentence, WHY_TEXT);
	/* The parts of each run add up to the time for which its tasks ran. */
	for (size_t i = 0; i < model.n_runs && differs->n > 0; i++) {
		const struct model_path *path = &model.runs[i].path;

		sum = -path->running_ns;
		for (int k = 0; k < PROGRAM_PARTS; k++)
			sum += path->program_ns[k];
		assert_true(fabs(sum) < 1);
		assert_true(fabs(path->all_ns - path->running_ns) < 2 * (double)MS);
	}
	model_free(&model);
}

static void assert_says(const struct more *more, const char *expected)
{
	struct differs differs;
	char sentence[WHY_TEXT];

	read_differs((struct programs) {0}, more, &differs, sentence);
	assert_string_equal(sentence, expected);
}

static void what_differs_is_named_by_its_share_of_the_difference(void **state)
{
	static const struct {
		struct more more;
		const char *sentence;
	} rows[] = {
		{{.lock_ms = 40, .lock = WAIT_GIL},
		 "All of the difference is waiting for a lock (GIL)."},
		{{.lock_ms = 40, .lock = WAIT_LOCK + 7},
		 "All of the difference is waiting for a lock or a condition."},
		{{.lock_ms = 40, .lock = WAIT_FILE},
		 "All of the difference is waiting for a file."},
		{{.cpu_ms = 40, .lock = WAIT_GIL}, "All of the difference is time on a core."},
		{{.core_ms = 40, .lock = WAIT_GIL}, "All of the difference is waiting for a core."},
		{{.cpu_ms = 20, .lock_ms = 60, .lock = WAIT_GIL},
		 "75 % of the difference is waiting for a lock (GIL), and 25 % time on a core."},
		{{.cpu_ms = 8, .lock_ms = 32, .lock = WAIT_GIL},
		 "80 % of the difference is waiting for a lock (GIL), and 20 % time on a core."},
		{{.cpu_ms = 4, .lock_ms = 36, .lock = WAIT_GIL},
		 "90 % of the difference is waiting for a lock (GIL)."},
		{{.cpu_ms = -20, .lock_ms = 60, .lock = WAIT_GIL},
		 "More than 100 % of the difference is waiting for a lock (GIL) (+60.0 ms against "
		 "a total of +40.0 "
		 "ms), partly offset by time on a core (-20.0 ms)."},
		/* `a` is slower */
		{{.cpu_ms = -40, .lock = WAIT_GIL}, "All of the difference is time on a core."},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_says(&rows[i].more, rows[i].sentence);
}

static void half_and_half_names_both(void **state)
{
	const struct more more = {.cpu_ms = 30, .lock_ms = 30, .lock = WAIT_GIL};
	struct differs differs;
	char sentence[WHY_TEXT];

	read_differs((struct programs) {0}, &more, &differs, sentence);
	assert_true(differs.parts[PROGRAM_RUNNING].named && differs.parts[PROGRAM_GIL].named);
	assert_true(fabs(differs.parts[PROGRAM_GIL].share - 0.5) < 0.01);
	assert_non_null(strstr(sentence, "50 % of the difference is "));
	assert_non_null(strstr(sentence, "and 50 % "));
}

static void what_is_not_significant_is_not_named(void **state)
{
	const struct more scattered = {.cpu_ms = 10, .scattered = true, .lock = WAIT_GIL};
	const struct more less = {.lock_ms = 40, .lock = WAIT_GIL};
	struct differs differs;
	char sentence[WHY_TEXT];

	assert_says(&scattered, "");
	/* These are too few trials for a significant difference. */
	read_differs((struct programs) {.trials = 3}, &less, &differs, sentence);
	assert_int_equal(differs.n, PROGRAM_PARTS);
	assert_string_equal(sentence, "");
	/* The difference of the lock is significant, but that of the whole time is not. */
	assert_says(&(struct more) {.cpu_ms = -6, .lock_ms = 6, .lock = WAIT_GIL}, "");
}

/* A session of two equal programs, except that `b` computes longer. */
struct drawn {
	uint64_t session;
	int64_t more_cpu_ms;
};

/* Returns 0 … most - 1, always the same for the same three numbers; splitmix64. */
static int64_t draw_number(const struct drawn *drawn, const struct sample_run *id, uint64_t part,
			   uint64_t most)
{
	uint64_t x = ((drawn->session * 64 + id->trial) * 2 + id->case_id) * 8 + part;

	x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (int64_t)((x ^ x >> 31) % most);
}

static void fill_drawn(struct programs_run *run, const void *arg)
{
	const struct drawn *drawn = arg;
	const uint32_t case_id = run->id.case_id;
	const struct more more = {
		.cpu_ms = draw_number(drawn, &run->id, 0, 40) +
			  (case_id == 1 ? drawn->more_cpu_ms : 0),
		.lock_ms = draw_number(drawn, &run->id, 1, 40),
		.core_ms = draw_number(drawn, &run->id, 2, 40),
		.lock = WAIT_GIL,
	};

	run->id.case_id = 1; /* so that fill_threads() adds to this run */
	fill_threads(run, &more);
	run->id.case_id = case_id;
}

/* Counts the sessions that name a part other than running. */
static unsigned count_named(int64_t more_cpu_ms, unsigned sessions)
{
	unsigned found = 0;

	for (unsigned i = 0; i < sessions; i++) {
		const struct drawn drawn = {i, more_cpu_ms};
		const struct programs programs = {.trials = 12, .fill = fill_drawn, .arg = &drawn};
		struct differs differs;
		struct model model;
		bool named = false;

		programs_model(&programs, &model);
		assert_true(differs_read(&model, 0, 1, &differs));
		assert_int_equal(differs.n, PROGRAM_PARTS);
		for (int k = 0; k < PROGRAM_PARTS; k++)
			named |= differs.parts[k].named &&
				 (more_cpu_ms == 0 || k != PROGRAM_RUNNING);
		found += named;
		model_free(&model);
	}
	return found;
}

/*
 * At most 5 % of sessions name a part that does not differ: of equal programs, and of programs of
 * which one computes longer.
 */
static void chance_is_seldom_named_as_what_differs(void **state)
{
	assert_in_range(count_named(0, 400), 0, 20);
	assert_in_range(count_named(60, 400), 0, 20);
}

/* No other task waits for the futex, and none runs meanwhile, so it is not a lock. */
static void a_futex_of_one_task_is_no_lock(void **state)
{
	assert_says(&(struct more) {.lock_ms = 40, .lock = WAIT_LOCK + 7, .alone = true},
		    "All of the difference is waiting for something else.");
}

static void what_nobody_looked_at_withholds_what_it_may_belong_to(void **state)
{
	struct differs differs;
	char sentence[WHY_TEXT];

	read_differs((struct programs) {0},
		     &(struct more) {.lock_ms = 40, .unknown_ms = 30, .lock = WAIT_GIL}, &differs,
		     sentence);
	assert_string_equal(sentence, "All of the difference is time blocked. As far as the causes "
				      "are known, most of that time was spent waiting for GIL.");
	assert_int_equal(differs.parts[PROGRAM_GIL].reason, REASON_SHORT_WAITS);
	assert_false(differs.parts[PROGRAM_GIL].named);
	assert_int_equal(differs.reason, REASON_NONE);
	/* A task on a core does not wait, whatever its waits say. */
	assert_says(&(struct more) {.cpu_ms = 60, .unknown_ms = 30, .lock = WAIT_FILE},
		    "67 % of the difference is time on a core, and 33 % time blocked. The waits "
		    "were too "
		    "short for their causes to be read.");
}

/* Each wait for a lock is too short to be looked at, but together they are the difference. */
static void waits_that_nobody_looked_at_explain_a_difference_together(void **state)
{
	assert_says(&(struct more) {.unknown_ms = 40, .lock = WAIT_LOCK + 1},
		    "All of the difference is time blocked. As far as the causes are known, most "
		    "of that time was spent waiting for lock 1.");
	/* The time blocked exceeds the difference. */
	assert_says(&(struct more) {.cpu_ms = -20, .unknown_ms = 60, .lock = WAIT_LOCK + 1},
		    "More than 100 % of the difference is time blocked (+60.0 ms against a total "
		    "of +40.0 ms), partly offset by time on a core (-20.0 ms). As far as the "
		    "causes are known, most of that time was spent waiting for lock 1.");
}

static void without_the_switches_of_tasks_the_parts_are_not_known(void **state)
{
	static const struct {
		struct programs programs;
		enum reason reason;
	} rows[] = {
		{{.sched = "off"}, REASON_SCHED_OFF},
		{{.tasks_by = "connector"}, REASON_SAMPLED_STATES},
		{{.slices_lost = 1}, REASON_SLICES_LOST},
	};
	struct differs differs;
	char sentence[WHY_TEXT];
	struct model model;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct more more = {.lock_ms = 40, .lock = WAIT_GIL};
		struct programs programs = rows[i].programs;

		read_differs(programs, &more, &differs, sentence);
		assert_int_equal(differs.n, 0);
		assert_int_equal(differs.reason, rows[i].reason);
		assert_string_equal(sentence, "");
		/* If there is a difference, the session says why. */
		programs.trials = 12;
		programs.fill = fill_threads;
		programs.arg = &more;
		programs_model(&programs, &model);
		assert_false(differs_of_session(&model, sentence, sizeof(sentence)));
		assert_non_null(strstr(sentence, "tuibench cannot explain the difference: "));
		assert_non_null(strstr(sentence, reason_sentence(rows[i].reason)));
		if (rows[i].reason == REASON_SAMPLED_STATES)
			assert_non_null(strstr(sentence, "were blocked most on GIL."));
		model_free(&model);
		more.lock_ms = 0;
		programs_model(&programs, &model);
		assert_false(differs_of_session(&model, sentence, sizeof(sentence)));
		assert_string_equal(sentence, "");
		model_free(&model);
	}
}

/* sh starts `slow` and `fast` in a pipeline, and waits for each. */
static void fill_pipeline(struct programs_run *run, const void *arg)
{
	const int64_t more_ns = run->id.case_id == 1 ? 50 * MS : 0;
	const int64_t noise_ns = (int64_t)(run->id.trial * 7919 % 1000) * 1000;
	const int64_t end_ns = 60 * MS + more_ns + noise_ns;
	uint32_t sh = programs_task(run, -1, false, "sh", 2000, end_ns + 4 * MS);
	uint32_t slow = programs_task(run, (int)sh, false, "slow", 2 * MS, end_ns);
	uint32_t fast = programs_task(run, (int)sh, false, "fast", 3 * MS, end_ns + 2 * MS);

	run->elapsed_ns = end_ns + 4 * MS;
	programs_slice(run, sh, 2000, 3 * MS, WHY_BLOCKED, 0);
	programs_slice(run, sh, end_ns, end_ns + 1000, WHY_BLOCKED, WAIT_CHILD);
	programs_slice(run, sh, end_ns + 2 * MS, end_ns + 4 * MS, WHY_ENDED, WAIT_CHILD);
	programs_slice(run, slow, 2 * MS, end_ns, WHY_ENDED, 0);
	programs_slice(run, fast, 3 * MS, 4 * MS, WHY_BLOCKED, 0);
	programs_slice(run, fast, end_ns, end_ns + 2 * MS, WHY_ENDED, WAIT_PIPE);
}

/* The path leads from the shell to the last child, which waits for the other child's result. */
static void a_pipeline_waits_for_what_runs_in_it(void **state)
{
	const struct programs programs = {.trials = 12, .fill = fill_pipeline};
	struct model model;
	char sentence[WHY_TEXT], *text;

	programs_model(&programs, &model);
	assert_true(differs_of_session(&model, sentence, sizeof(sentence)));
	assert_string_equal(sentence, "All of the difference is time on a core.");
	text = exported_model(write_answer, &model);
	assert_non_null(strstr(text, "\nAll of the difference is time on a core.\n"));
	free(text);
	text = exported_model(write_json, &model);
	assert_non_null(strstr(text, "\"sentence\": \"All of the difference is time on a core.\""));
	free(text);
	model_free(&model);
}

static void fill_more_cpu(struct programs_run *run, const void *arg)
{
	fill_threads(run, arg);
	run->cpu_ns = run->id.case_id == 1 ? 180 * MS : 100 * MS;
	run->cpu_ns += (int64_t)(run->id.trial % 3) * 100000;
}

/* Tasks with more work also wait longer for the cores that they share. */
static void more_cpu_time_comes_before_the_waits_that_it_causes(void **state)
{
	const struct more more = {.cpu_ms = 40, .core_ms = 40, .lock = WAIT_GIL};
	struct programs programs = {.trials = 12, .fill = fill_more_cpu, .arg = &more};
	char text[WHY_TEXT];
	struct model model;
	struct why why;

	programs_model(&programs, &model);
	assert_true(differs_of_session(&model, text, sizeof(text)));
	if (strncmp(text, "b needs 1.8x the CPU time. 50 % of the difference is ", 53) != 0)
		fail_msg("%s", text);
	why_find(&model, &why);
	assert_null(strstr(why.cause.text, "placement"));
	model_free(&model);
}

/* The sentence for shares of two named parts, and of a third one that is not named. */
static void expect_shares(double first, double second, double third, const char *wanted)
{
	struct differs differs = {.n = 3, .whole.ratio.estimate = 1e7};
	const double shares[] = {first, second, third};
	char sentence[WHY_TEXT];

	for (int i = 0; i < 3; i++) {
		differs.parts[i].share = shares[i];
		differs.parts[i].named = i < 2 && shares[i] >= 0.2;
		differs.parts[i].difference.metric = (enum model_metric)(METRIC_ON_CORE + i);
	}
	differs_sentence(&differs, sentence, sizeof(sentence));
	assert_string_equal(sentence, wanted);
}

static void shares_of_the_parts_add_up(void **state)
{
	expect_shares(0.6651, 0.3352, 0,
		      "67 % of the difference is time on a core, and 33 % waiting for a core.");
	expect_shares(
		0.67, 0.342, -0.012,
		"67 % of the difference is time on a core, and 34 % waiting for a core; the other "
		"parts offset 1 %.");
	expect_shares(
		0.7, 0.5, -0.2,
		"70 % of the difference is time on a core, and 50 % waiting for a core; the other "
		"parts offset 20 %.");
	expect_shares(1, 0.02, -0.02, "All of the difference is time on a core.");
	expect_shares(1, 0.11, -0.11,
		      "All of the difference is time on a core; the other parts cancel out.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_cpu_time_comes_before_the_waits_that_it_causes),
		cmocka_unit_test(shares_of_the_parts_add_up),
		cmocka_unit_test(what_differs_is_named_by_its_share_of_the_difference),
		cmocka_unit_test(half_and_half_names_both),
		cmocka_unit_test(what_is_not_significant_is_not_named),
		cmocka_unit_test(chance_is_seldom_named_as_what_differs),
		cmocka_unit_test(a_futex_of_one_task_is_no_lock),
		cmocka_unit_test(what_nobody_looked_at_withholds_what_it_may_belong_to),
		cmocka_unit_test(waits_that_nobody_looked_at_explain_a_difference_together),
		cmocka_unit_test(without_the_switches_of_tasks_the_parts_are_not_known),
		cmocka_unit_test(a_pipeline_waits_for_what_runs_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
