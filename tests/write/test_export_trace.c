/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/plan.h"
#include "model/model.h"
#include "model/model_lanes.h"
#include "stage/exported.h"
#include "stage/synthetic.h"
#include "stage/known.h"

/* A slice as a reader of the trace sees it. */
struct slice {
	json_int_t pid, tid;
	double from, to;
	const char *name, *category;
};

/* A trace that was read back. */
struct reading {
	json_t *json, *events;
	struct slice *slices; /* by track, then by begin; the longer one first */
	size_t n_slices;
};

static int slice_order(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to < y->to) - (x->to > y->to);
}

static const char *text_in(json_t *event, const char *key)
{
	const char *text = json_string_value(json_object_get(event, key));

	return text ? text : "";
}

static json_int_t whole_in(json_t *event, const char *key)
{
	json_t *value = json_object_get(event, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static double number_in(json_t *event, const char *key)
{
	json_t *value = json_object_get(event, key);

	assert_true(json_is_number(value));
	return json_number_value(value);
}

static void read_slice(struct reading *reading, json_t *event)
{
	double from = number_in(event, "ts"), length = number_in(event, "dur");

	assert_true(length >= 0);
	reading->slices[reading->n_slices++] =
		(struct slice) {whole_in(event, "pid"), whole_in(event, "tid"), from, from + length,
				text_in(event, "name"), text_in(event, "cat")};
}

static void read_text(struct reading *reading, char *text)
{
	size_t i;
	json_t *event;

	exported_assert_clean(text);
	reading->json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	free(text);
	assert_non_null(reading->json);
	reading->events = json_object_get(reading->json, "traceEvents");
	reading->slices = calloc(json_array_size(reading->events), sizeof(struct slice));
	reading->n_slices = 0;
	assert_non_null(reading->slices);
	json_array_foreach(reading->events, i, event)
	{
		if (strcmp(text_in(event, "ph"), "X") == 0)
			read_slice(reading, event);
	}
	qsort(reading->slices, reading->n_slices, sizeof(struct slice), slice_order);
}

static void read_trace(struct reading *reading, const struct synthetic *session)
{
	read_text(reading, exported_text(export_trace, session));
}

static void free_trace(struct reading *reading)
{
	free(reading->slices);
	json_decref(reading->json);
}

static bool same_track(const struct slice *a, const struct slice *b)
{
	return a->pid == b->pid && a->tid == b->tid;
}

/* Checks with a stack of open slices, to the last bit of a reader's numbers. */
static void assert_disjoint_or_nested(const struct reading *reading)
{
	const struct slice *open[16];
	size_t depth = 0;

	for (size_t i = 0; i < reading->n_slices; i++) {
		const struct slice *slice = &reading->slices[i];

		while (depth > 0 &&
		       (!same_track(open[depth - 1], slice) || open[depth - 1]->to <= slice->from))
			depth--;
		if (depth > 0)
			assert_true(slice->to <= open[depth - 1]->to);
		assert_true(depth < 16);
		open[depth++] = slice;
	}
}

static void assert_events_are_whole(const struct reading *reading)
{
	json_t *event;
	size_t i;

	json_array_foreach(reading->events, i, event)
	{
		assert_true(strlen(text_in(event, "ph")) == 1);
		assert_true(number_in(event, "ts") >= 0);
		assert_true(whole_in(event, "pid") > 0);
		assert_true(whole_in(event, "tid") > 0);
		assert_true(json_is_string(json_object_get(event, "name")));
	}
}

/*
 * Finds the last slice that begins by then by bisection. A slice that encloses it comes before it.
 */
static bool in_a_slice(const struct reading *reading, json_t *event)
{
	struct slice key = {whole_in(event, "pid"),
			    whole_in(event, "tid"),
			    number_in(event, "ts"),
			    -1,
			    NULL,
			    NULL};
	size_t low = 0, high = reading->n_slices;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slice_order(&reading->slices[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && same_track(&reading->slices[low], &key))
		if (reading->slices[low].to >= key.from)
			return true;
	return false;
}

/*
 * Checks that every arrow has one begin and then one end, both inside slices. Returns their number.
 */
static size_t assert_flows_are_paired(const struct reading *reading)
{
	json_t *begins = json_object(), *event;
	size_t i, flows = 0;
	char id[32];

	json_array_foreach(reading->events, i, event)
	{
		bool begin = strcmp(text_in(event, "ph"), "s") == 0;

		if (!begin && strcmp(text_in(event, "ph"), "f") != 0)
			continue;
		snprintf(id, sizeof(id), "%lld", (long long)whole_in(event, "id"));
		assert_string_equal(text_in(event, "bp"), "e");
		assert_true(in_a_slice(reading, event));
		if (begin) {
			assert_null(json_object_get(begins, id));
			json_object_set(begins, id, json_object_get(event, "ts"));
			flows++;
		} else {
			assert_true(number_in(begins, id) <= number_in(event, "ts"));
			json_object_del(begins, id);
		}
	}
	assert_int_equal(json_object_size(begins), 0);
	json_decref(begins);
	return flows;
}

/* Makes 5 + 15 + 150 workers of each model: enough to find errors, few enough to be fast. */
static void small_tree(struct synthetic *session)
{
	static const uint32_t fanout[] = {5, 3, 10};

	synthetic_tree(session, 1);
	for (uint32_t i = 0; i < session->cases; i++)
		memcpy(session->list[i].plan.fanout, fanout, sizeof(fanout));
}

/* Checks the order in the file: each track by ascending time, enclosing slices first. */
static void assert_in_order(const struct reading *reading)
{
	json_t *last = json_object(), *event;
	char track[64];
	size_t i;

	json_array_foreach(reading->events, i, event)
	{
		if (strcmp(text_in(event, "ph"), "X") != 0)
			continue;
		snprintf(track, sizeof(track), "%lld", (long long)whole_in(event, "tid"));
		if (json_object_get(last, track))
			assert_true(json_number_value(json_object_get(last, track)) <=
				    number_in(event, "ts"));
		json_object_set(last, track, json_object_get(event, "ts"));
	}
	json_decref(last);
}

/* Returns the number of arrows. */
static size_t assert_sound(const struct synthetic *session)
{
	struct reading reading;
	size_t flows;

	read_trace(&reading, session);
	assert_events_are_whole(&reading);
	assert_disjoint_or_nested(&reading);
	assert_in_order(&reading);
	flows = assert_flows_are_paired(&reading);
	free_trace(&reading);
	return flows;
}

/* Returns the begin of the n-th slice with that name, from the session's first one. */
static double begin_of(const struct reading *reading, const char *name, size_t n)
{
	for (size_t i = 0; i < reading->n_slices; i++) {
		if (strcmp(reading->slices[i].name, name) == 0 && n-- == 0)
			return reading->slices[i].from;
	}
	fail_msg("no such slice: %s", name);
	return 0;
}

static size_t named(const struct reading *reading, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < reading->n_slices; i++)
		n += strcmp(reading->slices[i].name, name) == 0;
	return n;
}

static void a_set_is_a_sound_trace(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 3);
	session.warmup = 1;
	session.paused_run = 2;
	assert_int_equal(assert_sound(&session), 4 * 2 * 8 * 2);
	session.slices = true;
	assert_int_equal(assert_sound(&session), 4 * 2 * 8 * 2);
}

static void a_tree_is_a_sound_trace_with_an_arrow_to_each_worker_and_back(void **state)
{
	struct synthetic session;

	synthetic_tree(&session, 1);
	assert_int_equal(assert_sound(&session), 2 * 5000 * 2);
}

/* Reads the slices of a session in which none overlap, and makes its model. */
static void read_lanes(struct reading *reading, struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.slices = true;
	synthetic_model(&session, model);
	read_text(reading, exported_model(export_trace, model));
}

/* Returns the total length of a track's slices of a category in ns, as Perfetto reads it. */
static double sum_of(const struct reading *reading, json_int_t tid, const char *category)
{
	double sum = 0;

	for (size_t i = 0; i < reading->n_slices; i++) {
		const struct slice *slice = &reading->slices[i];

		if (slice->tid == tid && strcmp(slice->category, category) == 0)
			sum += (slice->to - slice->from) * 1e3;
	}
	return sum;
}

/* Returns the number of the n-th track with that name. */
static json_int_t track_named(const struct reading *reading, const char *name, size_t n)
{
	json_t *event;
	size_t i;

	json_array_foreach(reading->events, i, event)
	{
		if (strcmp(text_in(event, "name"), "thread_name") == 0 &&
		    strcmp(text_in(json_object_get(event, "args"), "name"), name) == 0 && n-- == 0)
			return whole_in(event, "tid");
	}
	fail_msg("no such track: %s", name);
	return 0;
}

/* A slice is cut into at most four pieces, and each may be 1 ns shorter. */
static void assert_lane(const struct reading *reading, const struct model *model, size_t irun,
			uint32_t worker)
{
	const struct model_run *run = &model->runs[irun];
	const char *const names[MODEL_STATES] = {
		[STATE_ON] = "on", [STATE_WAITING] = "waiting", [STATE_BLOCKED] = "blocked"};
	struct model_shares shares = {{0}};
	char name[160];
	json_int_t tid;
	size_t n;

	plan_name(&model->cases[run->id.case_id].plan, worker, name, sizeof(name));
	tid = track_named(reading, name, irun);
	model_slices(run, worker, &n);
	assert_true(n > 10);
	model_shares_add(model, run, worker, 0, INT64_MAX, &shares);
	for (int state = STATE_ON; state <= STATE_BLOCKED; state++)
		assert_true(fabs(sum_of(reading, tid, names[state]) - shares.ns[state]) <
			    4. * (double)n + 1);
	assert_true(sum_of(reading, tid, "on") > 1e7);
}

static void a_worker_is_on_a_core_for_as_long_as_its_slices(void **state)
{
	struct reading reading;
	struct model model;

	read_lanes(&reading, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		for (uint32_t worker = 0; worker < model.runs[i].n_workers; worker++)
			assert_lane(&reading, &model, i, worker);
	free_trace(&reading);
	model_free(&model);
}

/* Throttled time and the wait for a core are separate, and together they are the whole wait. */
static void a_wait_for_a_core_leaves_out_what_a_quota_throttled(void **state)
{
	struct model_throttle stretch = {.from_ns = 100000000, .to_ns = 200000000};
	struct model_shares shares = {{0}};
	struct reading reading;
	struct model model;
	double throttled, waiting;
	json_int_t tid;
	size_t n;

	read_lanes(&reading, &model);
	free_trace(&reading);
	model.runs[0].throttles = &stretch;
	model.runs[0].n_throttles = 1;
	read_text(&reading, exported_model(export_trace, &model));
	tid = track_named(&reading, "w1 cpu", 0);
	throttled = sum_of(&reading, tid, "throttled");
	waiting = sum_of(&reading, tid, "waiting");
	model_slices(&model.runs[0], 0, &n);
	model_shares_add(&model, &model.runs[0], 0, 0, INT64_MAX, &shares);
	assert_true(throttled > 5e7 && throttled <= 1e8);
	assert_true(fabs(throttled + waiting - shares.ns[STATE_WAITING]) < 4. * (double)n + 10);
	model.runs[0].throttles = NULL;
	model.runs[0].n_throttles = 0;
	free_trace(&reading);
	model_free(&model);
}

/* The slices of both runs are on one track. */
static void a_core_has_who_was_on_it(void **state)
{
	struct reading reading;
	struct model model;

	read_lanes(&reading, &model);
	for (size_t cpu = 0; cpu < 2; cpu++) {
		json_int_t tid = track_named(&reading, cpu ? "core 1" : "core 0", 0);
		double ours = 0;

		for (size_t i = 0; i < model.n_runs; i++) {
			struct model_core_shares shares;

			model_cores_seen(&model.runs[i]);
			model_core_shares_until(&model, &model.runs[i], cpu, INT64_MAX, &shares);
			ours += shares.ns[CORE_OURS];
		}
		assert_true(ours > 4e9);
		assert_true(fabs(sum_of(&reading, tid, "cpu") + sum_of(&reading, tid, "io") -
				 ours) < 4000);
	}
	free_trace(&reading);
	model_free(&model);
}

/* Checks the begin or end of an arrow, in ns since the run's begin. */
static void assert_end(const struct reading *reading, json_t *event, const struct model *model,
		       const char *track, double time_ns)
{
	assert_true(in_a_slice(reading, event));
	assert_int_equal(whole_in(event, "tid"), track_named(reading, track, 0));
	assert_true(fabs(number_in(event, "ts") * 1e3 - (double)model->runs[0].begin_ns - time_ns) <
		    0.5);
}

/*
 * w2 cpu woke w7 io, which had a core 500 ns later. The task that woke w8 io then was gone; the
 * next time, the parent woke it.
 */
static void an_arrow_goes_from_who_woke_to_who_was_woken(void **state)
{
	static const struct sample_slice list[] = {
		{100000000, 101000000, 1, 0, WHY_BLOCKED, .waker = -1, .ready_ns = -1},
		{100000000, 100100000, 6, 1, WHY_BLOCKED, .waker = -1, .ready_ns = -1},
		{100000000, 100100000, 7, 1, WHY_BLOCKED, .waker = -1, .ready_ns = -1},
		{100900500, 101000000, 6, 1, WHY_BLOCKED, .waker = 1, .ready_ns = 100900000},
		{100900500, 101000000, 7, 1, WHY_BLOCKED, .waker = 99, .ready_ns = 100900000},
		{102000000, 103000000, 7, 1, WHY_BLOCKED, .waker = -1, .woken = WOKEN_BY_MAIN,
		 .ready_ns = 101500000}};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {6, list}};
	struct synthetic session;
	struct reading reading;
	struct model model;
	json_t *event, *wakes[4];
	size_t i, n = 0;

	synthetic_mixed(&session, 1);
	session.stop_ns = 500000000;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	read_text(&reading, exported_model(export_trace, &model));
	json_array_foreach(reading.events, i, event)
	{
		if (strcmp(text_in(event, "name"), "wake") == 0 && n++ < 4)
			wakes[n - 1] = event;
	}
	assert_int_equal(n, 4);
	assert_end(&reading, wakes[0], &model, "w2 cpu", 100900000);
	assert_end(&reading, wakes[1], &model, "w7 io", 100900500);
	assert_end(&reading, wakes[2], &model, "parent", 101500000);
	assert_end(&reading, wakes[3], &model, "w8 io", 102000000);
	free_trace(&reading);
	model_free(&model);
}

/*
 * One run goes on and has more slices than fit, so the last measured run of each case is written.
 */
static void of_too_many_slices_the_newest_run_of_each_case_is_written(void **state)
{
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {100000, NULL}};
	struct sample_slice *list;
	struct synthetic session;
	struct model model;
	char *text;

	list = calloc(100000, sizeof(*list));
	assert_non_null(list);
	for (int i = 0; i < 100000; i++)
		list[i] = (struct sample_slice) {1000 * i, 1000 * i + 900, .why = WHY_PREEMPTED,
						 .waker = -1, .ready_ns = -1};
	synthetic_mixed(&session, 2);
	session.stop_ns = 10000000000;
	synthetic_model(&session, &model);
	assert_int_equal(model.n_runs, 4);
	sample.run = model.runs[3].id;
	sample.slices.list = list;
	assert_int_equal(model_apply(&model, &sample), 0);
	text = exported_model(export_trace, &model);
	assert_int_equal(exported_count(text, "\"cat\":\"call\""), 2 * (2 * 8 + 1));
	assert_int_equal(exported_count(text, "\"cat\":\"on\""), 0);
	assert_int_equal(exported_count(text, "\"name\":\"run\""), 2 * 8);
	assert_int_equal(exported_count(text, "(counters only; "), 2);
	assert_non_null(strstr(text, "\"detailed_runs\":2"));
	free(text);
	text = exported_model(export_trace_all, &model);
	assert_int_equal(exported_count(text, "\"name\":\"run\""), 4 * 8);
	assert_true(exported_count(text, "\"cat\":\"on\"") >= 100000);
	assert_int_equal(exported_count(text, "counters only"), 0);
	free(text);
	free(list);
	model_free(&model);
}

#define MOST_BYTES 20000000

/* Checks that the trace has few enough bytes. Returns the number of arrows. */
static size_t assert_fits(char *text)
{
	struct reading reading;
	size_t flows;

	assert_in_range(strlen(text), 1000000, MOST_BYTES);
	read_text(&reading, text);
	assert_events_are_whole(&reading);
	assert_disjoint_or_nested(&reading);
	assert_in_order(&reading);
	flows = assert_flows_are_paired(&reading);
	free_trace(&reading);
	return flows;
}

/* AddressSanitizer needs minutes for 20 MB. The fuzzers use it with small traces. */
static void skip_where_slow(void)
{
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
}

/* Each run has 5,001 tracks and 10,000 arrows. The two newest are written. */
static void of_trees_of_5000_the_newest_fit(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	skip_where_slow();
	synthetic_tree(&session, 3);
	synthetic_model(&session, &model);
	text = exported_model(export_trace, &model);
	assert_int_equal(exported_count(text, "\"thread_name\""), 1 + 2 * 5001);
	assert_int_equal(exported_count(text, "(counters only; "), 4);
	assert_int_equal(assert_fits(text), 2 * 5000 * 2);
	text = exported_model(export_trace_all, &model);
	assert_true(strlen(text) > MOST_BYTES);
	assert_int_equal(exported_count(text, "\"thread_name\""), 1 + 6 * 5001);
	free(text);
	model_free(&model);
}

/* A running run counts as the newest of its case if none was measured. */
static void slices_that_do_not_fit_are_left_out(void **state)
{
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {100000, NULL}};
	struct sample_slice *list = calloc(100000, sizeof(*list));
	struct synthetic session;
	struct model model;
	char *text;

	assert_non_null(list);
	for (int i = 0; i < 100000; i++)
		list[i] = (struct sample_slice) {1000 * i, 1000 * i + 900, .why = WHY_PREEMPTED,
						 .waker = -1, .ready_ns = -1};
	synthetic_tree(&session, 1);
	session.stop_ns = 700000000;
	synthetic_model(&session, &model);
	assert_int_equal(model.n_runs, 2);
	sample.run = model.runs[1].id;
	sample.slices.list = list;
	assert_int_equal(model_apply(&model, &sample), 0);
	text = exported_model(export_trace, &model);
	assert_int_equal(exported_count(text, "\"cat\":\"on\""), 0);
	assert_int_equal(exported_count(text, "(counters only; "), 0);
	assert_in_range(assert_fits(text), 10001, 2 * 5000 * 2);
	free(list);
	model_free(&model);
}

/* About 30 ticks in a run, each with 63 cores. The mean of several ticks is a load too. */
static void counters_of_many_cores_are_thinned(void **state)
{
	struct synthetic session;
	struct model model;
	char *text;

	synthetic_mixed(&session, 12);
	session.cores = 64;
	synthetic_model(&session, &model);
	text = exported_model(export_trace, &model);
	assert_in_range(exported_count(text, "\"ph\":\"C\""), 10000, 21000);
	free(text);
	text = exported_model(export_trace_all, &model);
	assert_true(exported_count(text, "\"ph\":\"C\"") > 40000);
	free(text);
	model_free(&model);
}

static void the_trace_of_a_failed_run_is_valid(void **state)
{
	static const enum sample_status ends[] = {SAMPLE_FAILED, SAMPLE_CRASHED,
						  SAMPLE_INTERRUPTED};
	struct synthetic session;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		synthetic_mixed(&session, 2);
		session.broken_run = 0;
		session.broken = ends[i];
		session.slices = true;
		assert_sound(&session);
		small_tree(&session);
		session.broken_run = 1;
		session.broken = ends[i];
		assert_sound(&session);
	}
}

static void a_session_that_was_cut_is_a_sound_trace_at_any_time(void **state)
{
	struct synthetic session;

	for (int64_t stop_ns = 0; stop_ns < 1000; stop_ns += 35) {
		small_tree(&session);
		session.stop_ns = stop_ns * 1000000;
		assert_sound(&session);
	}
}

static void many_cores_and_hostile_texts_are_a_sound_trace(void **state)
{
	struct synthetic session;

	exported_hostile(&session);
	session.cores = 64;
	session.slices = true;
	assert_sound(&session);
}

static void each_worker_has_a_slice_for_each_part_of_its_life(void **state)
{
	struct synthetic session;
	struct reading reading;

	synthetic_mixed(&session, 2);
	read_trace(&reading, &session);
	assert_int_equal(named(&reading, "create"), 2 * 2 * 8);
	assert_int_equal(named(&reading, "run"), 2 * 2 * 8);
	assert_int_equal(named(&reading, "join wait"), 2 * 2 * 8);
	assert_int_equal(named(&reading, "wait at the barrier"), 2 * 2 * 8);
	assert_true(named(&reading, "start-up") > 8);
	assert_int_equal(named(&reading, "threads, trial 2"), 1);
	free_trace(&reading);
}

/* Time 0 of the run is a valid time. */
static void a_worker_created_at_time_zero_has_all_parts(void **state)
{
	struct synthetic session;
	struct reading reading;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	KNOW(&model.runs[0], 0, create_ns, 0);
	read_text(&reading, exported_model(export_trace, &model));
	assert_int_equal(named(&reading, "create"), 2 * 8);
	assert_true(begin_of(&reading, "create", 0) == (double)model.runs[0].begin_ns / 1e3);
	free_trace(&reading);
	model_free(&model);
}

/* Such a process has no work, so it does not wait for the barrier. */
static void a_process_that_holds_threads_runs_while_it_lives(void **state)
{
	struct synthetic session;
	struct reading reading;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	KNOW(&model.runs[0], 0, work_ns, -1);
	read_text(&reading, exported_model(export_trace, &model));
	assert_int_equal(named(&reading, "run"), 2 * 8);
	assert_int_equal(named(&reading, "wait at the barrier"), 2 * 8 - 1);
	free_trace(&reading);
	model_free(&model);
}

static void cores_of_several_recordings_name_their_machine(void **state)
{
	struct synthetic session;
	struct model parts[2], model;
	char *host = parts[1].session.machine.host, *text;
	struct reading reading;

	synthetic_mixed(&session, 1);
	session.slices = true;
	for (int i = 0; i < 2; i++)
		synthetic_model(&session, &parts[i]);
	snprintf(host, sizeof(parts[1].session.machine.host), "lap\xfftop");
	assert_int_equal(model_join(parts, &model), 0);
	text = exported_model(export_trace, &model);
	assert_null(strstr(text, "\"core 0\""));
	assert_non_null(strstr(text, "\"core 0 @lab1\""));
	assert_non_null(strstr(text, "\"core 0 @lap"));
	read_text(&reading, text);
	assert_disjoint_or_nested(&reading);
	assert_in_order(&reading);
	assert_true(track_named(&reading, "core 1 @lab1", 0) >
		    track_named(&reading, "core 0 @lab1", 0));
	assert_true(sum_of(&reading, track_named(&reading, "core 1 @lab1", 0), "cpu") > 1e9);
	free_trace(&reading);
	model_free(&model);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
}

static void a_thread_that_runs_before_its_parent_goes_on_begins_in_time(void **state)
{
	struct synthetic session;
	struct sample_worker worker;
	struct reading reading;
	struct model model;

	small_tree(&session);
	synthetic_model(&session, &model);
	worker = model_known(&model.runs[0], 0);
	KNOW(&model.runs[0], 0, created_ns, worker.start_ns + 5000000);
	read_text(&reading, exported_model(export_trace, &model));
	assert_disjoint_or_nested(&reading);
	assert_true(begin_of(&reading, "run", 0) ==
		    (double)(model.runs[0].begin_ns + worker.start_ns) / 1e3);
	free_trace(&reading);
	model_free(&model);
}

/* A recording that was written by hand can have such times. */
static void times_in_the_wrong_order_are_a_sound_trace(void **state)
{
	struct synthetic session;
	struct reading reading;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	KNOW(&model.runs[0], 0, work_ns, model_known(&model.runs[0], 0).create_ns + 5);
	KNOW(&model.runs[0], 1, finish_ns, 1);
	KNOW(&model.runs[0], 2, join_ns, 0);
	KNOW(&model.runs[0], 3, create_ns, INT64_MAX);
	KNOW(&model.runs[0], 4, finish_ns, INT64_MAX - 1);
	model.runs[1].begin_ns = -1000000;
	read_text(&reading, exported_model(export_trace, &model));
	assert_events_are_whole(&reading);
	assert_disjoint_or_nested(&reading);
	assert_flows_are_paired(&reading);
	free_trace(&reading);
	model_free(&model);
}

static void ids_of_tracks_are_unique_over_the_session(void **state)
{
	struct synthetic session;
	struct reading reading;
	json_t *seen = json_object(), *event;
	char id[32];
	size_t i;

	synthetic_mixed(&session, 3);
	read_trace(&reading, &session);
	json_array_foreach(reading.events, i, event)
	{
		if (strcmp(text_in(event, "name"), "thread_name") != 0)
			continue;
		snprintf(id, sizeof(id), "%lld", (long long)whole_in(event, "tid"));
		assert_null(json_object_get(seen, id));
		json_object_set_new(seen, id, json_true());
	}
	assert_int_equal(json_object_size(seen), 1 + 3 * 2 * (1 + 8));
	json_decref(seen);
	free_trace(&reading);
}

/* Returns the last values of the process's counter of that name. */
static json_t *last_counter(const struct reading *reading, const char *name)
{
	json_t *event, *last = NULL;
	size_t i;

	json_array_foreach(reading->events, i, event)
	{
		if (strcmp(text_in(event, "ph"), "C") == 0 &&
		    strcmp(text_in(event, "name"), name) == 0)
			last = json_object_get(event, "args");
	}
	return last;
}

static void counters_tell_memory_and_cores_and_leave_out_what_is_unknown(void **state)
{
	struct synthetic session;
	struct reading reading;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	read_trace(&reading, &session);
	assert_non_null(last_counter(&reading, "core 63"));
	assert_true(json_is_real(json_object_get(last_counter(&reading, "core 63"), "load %")));
	assert_null(last_counter(&reading, "core 5"));
	/* after a run, its memory is known to be 0 */
	assert_int_equal(whole_in(last_counter(&reading, "memory"), "pss_kb"), 0);
	assert_non_null(last_counter(&reading, "tasks"));
	free_trace(&reading);
}

static void a_crash_is_an_instant_on_its_workers_track(void **state)
{
	struct synthetic session;
	struct reading reading;
	json_t *event;
	size_t i, crashes = 0;

	synthetic_mixed(&session, 1);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	read_trace(&reading, &session);
	json_array_foreach(reading.events, i, event)
	{
		if (strcmp(text_in(event, "ph"), "i") != 0 ||
		    strncmp(text_in(event, "name"), "crashed: ", 9) != 0)
			continue;
		assert_string_equal(text_in(event, "s"), "t");
		assert_true(in_a_slice(&reading, event));
		crashes++;
	}
	assert_int_equal(crashes, 1);
	free_trace(&reading);
}

static void the_file_says_where_it_comes_from(void **state)
{
	struct synthetic session;
	struct reading reading;
	json_t *other;

	exported_hostile(&session);
	read_trace(&reading, &session);
	other = json_object_get(reading.json, "otherData");
	assert_string_equal(text_in(other, "tuibench"), "0.1.0");
	assert_string_equal(text_in(other, "host"), "lab1");
	assert_string_equal(text_in(other, "title"), EXPORTED_HARMLESS);
	free_trace(&reading);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_is_a_sound_trace),
		cmocka_unit_test(a_tree_is_a_sound_trace_with_an_arrow_to_each_worker_and_back),
		cmocka_unit_test(a_worker_is_on_a_core_for_as_long_as_its_slices),
		cmocka_unit_test(a_wait_for_a_core_leaves_out_what_a_quota_throttled),
		cmocka_unit_test(a_core_has_who_was_on_it),
		cmocka_unit_test(an_arrow_goes_from_who_woke_to_who_was_woken),
		cmocka_unit_test(of_too_many_slices_the_newest_run_of_each_case_is_written),
		cmocka_unit_test(of_trees_of_5000_the_newest_fit),
		cmocka_unit_test(slices_that_do_not_fit_are_left_out),
		cmocka_unit_test(counters_of_many_cores_are_thinned),
		cmocka_unit_test(the_trace_of_a_failed_run_is_valid),
		cmocka_unit_test(a_session_that_was_cut_is_a_sound_trace_at_any_time),
		cmocka_unit_test(many_cores_and_hostile_texts_are_a_sound_trace),
		cmocka_unit_test(each_worker_has_a_slice_for_each_part_of_its_life),
		cmocka_unit_test(a_worker_created_at_time_zero_has_all_parts),
		cmocka_unit_test(a_process_that_holds_threads_runs_while_it_lives),
		cmocka_unit_test(cores_of_several_recordings_name_their_machine),
		cmocka_unit_test(a_thread_that_runs_before_its_parent_goes_on_begins_in_time),
		cmocka_unit_test(times_in_the_wrong_order_are_a_sound_trace),
		cmocka_unit_test(ids_of_tracks_are_unique_over_the_session),
		cmocka_unit_test(counters_tell_memory_and_cores_and_leave_out_what_is_unknown),
		cmocka_unit_test(a_crash_is_an_instant_on_its_workers_track),
		cmocka_unit_test(the_file_says_where_it_comes_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
