/* SPDX-License-Identifier: MIT */
#include "model/model.h"
#include "model/model_latency.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "core/comparison.h"
#include "core/sample.h"
#include "result/report.h"

#define TASKS  101 /* tasks of a run: the first and a hundred more */
#define TRIALS 12
#define SECOND INT64_C(1000000000)

enum { FORK, PTHREAD, FORK_1G, PTHREAD_1G, CLOCK, CASES, MOST_CASES };

struct fixture {
	struct model model;
	struct sample_case cases[MOST_CASES];
	uint32_t n_cases, run;
	int64_t now_ns;
};

static void add_case(struct fixture *f, enum plan_primitive primitive, const char *variables,
		     uint64_t ballast)
{
	struct sample_case *one = &f->cases[f->n_cases++];

	strcpy(one->model, plan_primitive_names[primitive]);
	variables_parse(&one->variables, variables);
	one->ballast = ballast;
	plan_creation(primitive, TASKS, &one->plan);
	one->plan.placement = PLAN_PINNED;
}

static void begin(struct fixture *f)
{
	struct sample session = {.kind = SAMPLE_SESSION};

	session.session.trials = TRIALS;
	session.session.machine.mhz = -1;
	session.session.cases = f->n_cases;
	session.session.cases_list = f->cases;
	assert_int_equal(model_apply(&f->model, &session), 0);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	model_init(&f->model);
	*state = f;
	return 0;
}

static int setup_all(void **state)
{
	struct fixture *f;

	setup(state);
	f = *state;
	add_case(f, PLAN_FORK, "ballast=0", 0);
	add_case(f, PLAN_PTHREAD, "ballast=0", 0);
	add_case(f, PLAN_FORK, "ballast=1G", UINT64_C(1) << 30);
	add_case(f, PLAN_PTHREAD, "ballast=1G", UINT64_C(1) << 30);
	add_case(f, PLAN_CALL, "ballast=0", 0);
	begin(f);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	model_free(&f->model);
	free(f);
	return 0;
}

/*
 * Returns creation i: 1 … 100 units until the call returns, twice that until the task begins, three
 * times until it is joined. The first takes a thousand units.
 */
static struct sample_worker creation(uint32_t i, int64_t unit_ns, int64_t *at_ns)
{
	int64_t units = i == 0 ? 1000 : i, begin_ns = *at_ns;

	*at_ns += 4 * units * unit_ns;
	return (struct sample_worker) {
		.create_ns = begin_ns,
		.created_ns = begin_ns + units * unit_ns,
		.start_ns = begin_ns + 2 * units * unit_ns,
		.work_ns = begin_ns + 2 * units * unit_ns,
		.finish_ns = begin_ns + 2 * units * unit_ns,
		.join_ns = begin_ns + 3 * units * unit_ns,
		.status = SAMPLE_OK,
	};
}

/* Sets where creation i begins. In mixed cases, every fourth begins on another core. */
static void put(struct fixture *f, uint32_t case_id, uint32_t i, struct sample_worker *worker)
{
	const struct plan *plan = &f->cases[case_id].plan;

	if (plan->placement == PLAN_NOT_PLACED)
		worker->cpu_first = worker->parent_cpu = -1;
	else if (plan->placement > PLAN_PINNED && i % 4 == 0)
		worker->cpu_first = 1;
}

/* Adds a run whose creations take multiples of unit_ns. Some may be refused. */
static void run(struct fixture *f, uint32_t case_id, uint32_t trial, int64_t unit_ns,
		enum sample_status status, uint32_t refused)
{
	struct sample_change changes[TASKS];
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = f->now_ns};
	int64_t at_ns = 0;

	sample.run = (struct sample_run) {.run = f->run++, .trial = trial, .case_id = case_id};
	assert_int_equal(model_apply(&f->model, &sample), 0);
	for (uint32_t i = 0; i < TASKS; i++) {
		changes[i].index = i;
		changes[i].worker = creation(i, unit_ns, &at_ns);
		put(f, case_id, i, &changes[i].worker);
		if (i >= TASKS - refused)
			changes[i].worker.status = SAMPLE_REFUSED;
	}
	f->now_ns += SECOND;
	sample.kind = SAMPLE_RUN_END;
	sample.time_ns = f->now_ns;
	memset(&sample.end, 0, sizeof(sample.end));
	sample.end.totals.status = (uint8_t)status;
	sample.end.totals.begin_ns = -1;
	sample.end.totals.elapsed_ns = at_ns;
	sample.end.n_workers = TASKS;
	sample.end.workers = changes;
	assert_int_equal(model_apply(&f->model, &sample), 0);
}

static void all_trials(struct fixture *f, uint32_t trials)
{
	static const int64_t unit_ns[CASES] = {[FORK] = 1000,
					       [PTHREAD] = 100,
					       [FORK_1G] = 200000,
					       [PTHREAD_1G] = 100,
					       [CLOCK] = 1};

	for (uint32_t trial = 1; trial <= trials; trial++)
		for (uint32_t case_id = 0; case_id < CASES; case_id++)
			run(f, case_id, trial, unit_ns[case_id] + trial % 2, SAMPLE_OK, 0);
}

static void the_first_creation_is_apart_from_the_rest(void **state)
{
	struct fixture *f = *state;
	const struct model_latency *latency;

	run(f, FORK, 1, 1000, SAMPLE_OK, 0);
	latency = model_latency_run(&f->model, &f->model.runs[0]);
	assert_non_null(latency);
	assert_int_equal(latency->runs, 1);
	for (int i = 0; i < MODEL_LATENCIES; i++) {
		const struct model_latency_figures *figures = &latency->at[LATENCY_SAME].span[i];
		int64_t times = i + 1;

		assert_int_equal(figures->n, TASKS - 1);
		assert_int_equal(figures->first, times * 1000000);
		assert_int_equal(figures->min, times * 1000);
		assert_int_equal(figures->p50, times * 50500);
		assert_int_equal(figures->p90, times * 90100);
		assert_int_equal(figures->p99, times * 99010);
		assert_int_equal(figures->max, times * 100000);
	}
}

static void a_histogram_holds_every_later_creation_once(void **state)
{
	struct fixture *f = *state;
	const struct model_latency *latency;

	all_trials(f, 2);
	for (uint32_t case_id = 0; case_id < CASES; case_id++) {
		latency = model_latency(&f->model, case_id);
		for (int i = 0; i < MODEL_LATENCIES; i++) {
			const struct model_latency_figures *figures =
				&latency->at[LATENCY_SAME].span[i];
			uint32_t sum = 0;

			for (uint32_t bucket = 0; bucket < LATENCY_BUCKETS; bucket++)
				sum += figures->buckets[bucket];
			assert_int_equal(sum, figures->n);
			assert_true(figures->buckets[model_latency_bucket(figures->max)] > 0);
			assert_true(figures->buckets[model_latency_bucket(figures->min)] > 0);
		}
	}
}

static void every_value_lies_within_the_edges_of_its_bucket(void **state)
{
	for (int64_t ns = 10; ns < INT64_C(90000000000); ns += ns / 97 + 1) {
		uint32_t bucket = model_latency_bucket(ns);

		assert_true(bucket < LATENCY_BUCKETS);
		assert_true((double)ns >= model_latency_edge(bucket));
		assert_true((double)ns < model_latency_edge(bucket + 1));
	}
	for (int64_t ns = 10; ns <= INT64_C(10000000000); ns *= 10)
		assert_int_equal(model_latency_bucket(ns) % LATENCY_PER_DECADE, 0);
	assert_int_equal(model_latency_bucket(0), 0);
	assert_int_equal(model_latency_bucket(9), 0);
	assert_int_equal(model_latency_bucket(INT64_MAX), LATENCY_BUCKETS - 1);
}

static void trials_are_taken_together_as_they_end(void **state)
{
	struct fixture *f = *state;

	all_trials(f, 3);
	assert_int_equal(model_latency(&f->model, FORK)->runs, 3);
	assert_int_equal(model_latency(&f->model, FORK)->at[LATENCY_SAME].span[0].n,
			 3 * (TASKS - 1));
	model_seek(&f->model, f->model.runs[0].end_ns);
	assert_int_equal(model_latency(&f->model, FORK)->runs, 1);
	assert_null(model_latency(&f->model, PTHREAD));
	model_seek(&f->model, f->model.runs[0].end_ns - 1);
	assert_null(model_latency(&f->model, FORK));
	assert_null(model_latency_run(&f->model, &f->model.runs[0]));
}

static void runs_that_measure_nothing_are_left_out(void **state)
{
	struct fixture *f = *state;

	run(f, FORK, 0, 5000, SAMPLE_OK, 0);
	assert_null(model_latency(&f->model, FORK));
	assert_non_null(model_latency_run(&f->model, &f->model.runs[0]));
	run(f, FORK, 1, 5000, SAMPLE_FAILED, 40);
	assert_null(model_latency(&f->model, FORK));
	assert_int_equal(
		model_latency_run(&f->model, &f->model.runs[1])->at[LATENCY_SAME].span[0].n,
		TASKS - 41);
	run(f, FORK, 2, 1000, SAMPLE_OK, 0);
	assert_int_equal(model_latency(&f->model, FORK)->runs, 1);
	assert_int_equal(model_latency(&f->model, FORK)->at[LATENCY_SAME].span[0].max, 100000);
}

static void a_case_without_later_creations_knows_its_first_alone(void **state)
{
	struct fixture *f = *state;
	const struct model_latency_figures *figures;

	add_case(f, PLAN_FORK, "", 0);
	begin(f);
	run(f, 0, 1, 1000, SAMPLE_OK, TASKS - 1);
	figures = &model_latency(&f->model, 0)->at[LATENCY_SAME].span[LATENCY_TASK];
	assert_int_equal(figures->n, 0);
	assert_int_equal(figures->p50, -1);
	assert_int_equal(figures->max, -1);
	assert_int_equal(figures->first, 2000000);
}

static void primitives_are_compared_by_when_the_task_runs(void **state)
{
	struct fixture *f = *state;
	struct model_comparison c;

	all_trials(f, TRIALS);
	assert_int_equal(model_headline(&f->model), METRIC_TASK);
	assert_int_equal(model_compare(&f->model, PTHREAD, FORK, METRIC_TASK, &c), 0);
	assert_int_equal(c.pairs, TRIALS);
	assert_int_equal(c.verdict, STATS_A);
	assert_true(c.ratio.estimate > 9.8 && c.ratio.estimate < 10.2);
}

static void the_headline_says_how_fork_grows_with_ballast(void **state)
{
	struct fixture *f = *state;
	char text[SAMPLE_TEXT];

	all_trials(f, TRIALS);
	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(text, "[REAL] fork 0.10 ms to 20.2 ms until the task runs; fork slower "
				  "at 2 of 2 values of "
				  "ballast (10.0x to 1990x)");
}

static void few_trials_give_no_verdict(void **state)
{
	struct fixture *f = *state;
	char text[SAMPLE_TEXT];

	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(text, "[MEASURING 0/12] No trial is complete yet");
	all_trials(f, 2);
	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(text,
			    "[MEASURING 2/12] So far pthread_create looks faster at 2 of 2; no "
			    "winner yet");
}

static void one_primitive_alone_has_its_figure(void **state)
{
	struct fixture *f = *state;
	char text[SAMPLE_TEXT];

	add_case(f, PLAN_VFORK, "", 0);
	begin(f);
	run(f, 0, 1, 1000, SAMPLE_OK, 0);
	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(text,
			    "vfork 0.10 ms until the task runs (one trial, nothing to compare)");
}

static void the_clock_is_found_and_compared_with_nothing(void **state)
{
	struct fixture *f = *state;

	all_trials(f, 2);
	assert_true(model_has_latency(&f->model));
	assert_int_equal(model_latency_clock(&f->model, FORK_1G), CLOCK);
	assert_int_equal(model_latency(&f->model, CLOCK)->at[LATENCY_SAME].span[LATENCY_CALLER].min,
			 1);
	for (uint32_t i = 0; i < CLOCK; i++)
		assert_false(comparison_alike(&f->model.cases[i], &f->model.cases[CLOCK]));
	assert_true(comparison_alike(&f->model.cases[FORK], &f->model.cases[PTHREAD]));
}

/* Adds a pair of primitives: pinned, free and idle. */
static void add_placed(struct fixture *f)
{
	static const char *const variables[] = {"", "placement=pinned", "placement=free",
						"placement=idle"};

	for (int placement = PLAN_PINNED; placement < PLAN_PLACEMENTS; placement++) {
		add_case(f, PLAN_FORK, variables[placement], 0);
		f->cases[f->n_cases - 1].plan.placement = (uint8_t)placement;
		add_case(f, PLAN_PTHREAD, variables[placement], 0);
		f->cases[f->n_cases - 1].plan.placement = (uint8_t)placement;
	}
	begin(f);
}

static void run_placed(struct fixture *f)
{
	for (uint32_t trial = 1; trial <= TRIALS; trial++)
		for (uint32_t i = 0; i < f->n_cases; i++)
			run(f, i, trial, i % 2 ? 100 : 1000 + trial, SAMPLE_OK, 0);
}

static void places_are_apart_and_their_shares_add_up(void **state)
{
	struct fixture *f = *state;
	const struct model_latency *latency;

	add_placed(f);
	run(f, 2, 1, 1000, SAMPLE_OK, 0);
	latency = model_latency(&f->model, 2);
	assert_int_equal(latency->at[LATENCY_SAME].n, 75);
	assert_int_equal(latency->at[LATENCY_OTHER].n, 25);
	assert_int_equal(latency->at[LATENCY_NOT_RECORDED].n, 0);
	assert_float_equal(latency->at[LATENCY_SAME].share, 0.75, 1e-9);
	assert_float_equal(latency->at[LATENCY_OTHER].share, 0.25, 1e-9);
	/* 4, 8 … 100 units; 1, 2, 3, 5 … 99 */
	assert_int_equal(latency->at[LATENCY_OTHER].span[LATENCY_CALLER].min, 4000);
	assert_int_equal(latency->at[LATENCY_OTHER].span[LATENCY_CALLER].p50, 52000);
	assert_int_equal(latency->at[LATENCY_OTHER].span[LATENCY_CALLER].max, 100000);
	assert_int_equal(latency->at[LATENCY_SAME].span[LATENCY_CALLER].min, 1000);
	assert_int_equal(latency->at[LATENCY_SAME].span[LATENCY_CALLER].p50, 50000);
	assert_int_equal(latency->at[LATENCY_SAME].span[LATENCY_CALLER].max, 99000);
	assert_int_equal(latency->at[LATENCY_OTHER].span[LATENCY_TASK].first, 2000000);
	assert_int_equal(latency->at[LATENCY_SAME].span[LATENCY_TASK].first, -1);
}

static void verdicts_are_of_one_core_alone(void **state)
{
	struct fixture *f = *state;
	struct model_comparison c;
	char text[SAMPLE_TEXT];

	add_placed(f);
	run_placed(f);
	assert_int_equal(model_compare(&f->model, 0, 1, METRIC_TASK, &c), 0);
	assert_int_equal(c.pairs, TRIALS);
	for (uint32_t i = 2; i < f->n_cases; i++) {
		assert_null(model_latency_headline(model_latency(&f->model, i)));
		for (uint32_t j = 0; j < f->n_cases; j++)
			assert_int_equal(comparison_alike(&f->model.cases[i], &f->model.cases[j]),
					 i == j);
		assert_int_equal(
			model_trials(&f->model, i, METRIC_TASK, (double[TRIALS]) {0}, NULL, TRIALS),
			0);
	}
	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(
		text, "[FASTER] pthread_create is faster: 10 µs against 0.10 ms until the task "
		      "runs (per pair, fork takes 10.1x as long; 10.0 to 10.1); more with fork: "
		      "per pair, "
		      "until it returns 10.1x, until joined 10.1x");
}

static void one_primitive_in_several_places_is_alone(void **state)
{
	struct fixture *f = *state;
	char text[SAMPLE_TEXT];

	add_case(f, PLAN_FORK, "placement=pinned", 0);
	add_case(f, PLAN_FORK, "placement=free", 0);
	f->cases[1].plan.placement = PLAN_FREE;
	begin(f);
	run(f, 0, 1, 1000, SAMPLE_OK, 0);
	run(f, 1, 1, 1000, SAMPLE_OK, 0);
	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(text,
			    "fork 0.10 ms until the task runs (one trial, nothing to compare)");
}

static void old_recordings_are_read_as_they_were_and_say_so(void **state)
{
	struct fixture *f = *state;
	const struct model_latency *latency;
	char text[SAMPLE_TEXT];

	add_case(f, PLAN_FORK, "", 0);
	add_case(f, PLAN_PTHREAD, "", 0);
	f->cases[0].plan.placement = f->cases[1].plan.placement = PLAN_NOT_PLACED;
	begin(f);
	run_placed(f);
	latency = model_latency(&f->model, 0);
	assert_int_equal(latency->at[LATENCY_NOT_RECORDED].n, TRIALS * (TASKS - 1));
	assert_int_equal(latency->at[LATENCY_SAME].n + latency->at[LATENCY_OTHER].n, 0);
	assert_ptr_equal(model_latency_headline(latency), &latency->at[LATENCY_NOT_RECORDED]);
	headline_line(&f->model, text, sizeof(text));
	assert_string_equal(
		text, "[FASTER] pthread_create is faster: 10 µs against 0.10 ms until the task "
		      "runs (per pair, fork takes 10.1x as long; 10.0 to 10.1); more with fork: "
		      "per pair, "
		      "until it returns 10.1x, until joined 10.1x");
}

#define ALL(test) cmocka_unit_test_setup_teardown(test, setup_all, teardown)
#define OWN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ALL(the_first_creation_is_apart_from_the_rest),
		ALL(a_histogram_holds_every_later_creation_once),
		cmocka_unit_test(every_value_lies_within_the_edges_of_its_bucket),
		ALL(trials_are_taken_together_as_they_end),
		ALL(runs_that_measure_nothing_are_left_out),
		OWN(a_case_without_later_creations_knows_its_first_alone),
		ALL(primitives_are_compared_by_when_the_task_runs),
		ALL(the_headline_says_how_fork_grows_with_ballast),
		ALL(few_trials_give_no_verdict),
		OWN(one_primitive_alone_has_its_figure),
		OWN(places_are_apart_and_their_shares_add_up),
		OWN(verdicts_are_of_one_core_alone),
		OWN(one_primitive_in_several_places_is_alone),
		OWN(old_recordings_are_read_as_they_were_and_say_so),
		ALL(the_clock_is_found_and_compared_with_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
