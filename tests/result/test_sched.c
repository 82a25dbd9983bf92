/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include "stage/check.h"

#include <stdio.h>
#include <string.h>

#include "stage/synthetic.h"

/* Makes a session of that kind with a source of slices, and the reason for missing ones. */
static void open_session(struct model *model, void (*make)(struct synthetic *, uint32_t),
			 const char *sched, const char *wakes, const char *perf)
{
	struct synthetic session;

	make(&session, 1);
	session.warmup = 0;
	synthetic_model(&session, model);
	snprintf(model->session.sched, SAMPLE_LABEL, "%s", sched);
	model->session.sched_ns = strcmp(sched, "own") == 0 ? 16000 : 1;
	snprintf(model->session.wakes, SAMPLE_LABEL, "%s", wakes);
	snprintf(model->session.sched_perf, SAMPLE_LABEL, "%s", perf);
	for (size_t i = 0; i < model->n_runs; i++)
		model->runs[i].totals.slices_lost = 3;
}

static void a_source_is_said_with_what_it_sees_and_lost(void **state)
{
	char text[SCHED_SENTENCE];
	struct model model;

	(void)state;
	open_session(&model, synthetic_mixed, "own", "the workers' own clock cannot see them",
		     SAMPLE_PERF);
	assert_string_equal(sched_sentence(&model, text, sizeof(text)),
			    "Source of slices: the workers' clock, 16 µs, 6 lost. Wake-ups after "
			    "a block are not known: the workers' own clock cannot see them; use "
			    "-s sched=perf as root.");
	assert_string_equal(sched_source(&model, &model.runs[0], text, sizeof(text)),
			    "the workers' clock, 16 µs, 3 lost");
	assert_string_equal(sched_no_lanes(&model, false, text, sizeof(text)), "");
	model_free(&model);
	open_session(&model, synthetic_tree, "perf", "tracefs cannot be read", SAMPLE_PERF);
	assert_string_equal(sched_sentence(&model, text, sizeof(text)),
			    "Source of slices: kernel records, exact, 6 lost. Wake-ups after a "
			    "block need tracefs, which only root may read.");
	snprintf(model.session.wakes, SAMPLE_LABEL, SAMPLE_NO_TRACEFS);
	assert_string_equal(sched_no_wakes(&model, text, sizeof(text)),
			    "Wake-ups after a block need tracefs, which root may mount at "
			    "/sys/kernel/tracing");
	snprintf(model.session.wakes, SAMPLE_LABEL, SAMPLE_WAKES);
	assert_string_equal(sched_no_wakes(&model, text, sizeof(text)), "");
	model_free(&model);
}

static void where_nothing_is_noted_it_is_said_what_would(void **state)
{
	char text[SCHED_SENTENCE];
	struct model model;

	(void)state;
	open_session(&model, synthetic_tree, "own", "the workers' own clock cannot see them",
		     SAMPLE_PERF);
	model.session.watched =
		(struct sample_watched) {.rate = 90000, .share = 0.12, .sched = "own"};
	assert_string_equal(sched_no_lanes(&model, true, text, sizeof(text)),
			    "no lanes, because it switches too often");
	assert_string_equal(
		sched_no_lanes(&model, false, text, sizeof(text)),
		"no lanes, because recording each switch would take about 12 % of the time; "
		"-s sched=perf records them anyway");
	model.session.watched = (struct sample_watched) {0};
	assert_string_equal(sched_no_lanes(&model, true, text, sizeof(text)),
			    "lanes need -s sched=perf");
	assert_string_equal(
		sched_no_lanes(&model, false, text, sizeof(text)),
		"no lanes, because tasks without a loop record nothing; -s sched=perf sees them");
	snprintf(model.session.sched_perf, SAMPLE_LABEL, "kernel.perf_event_paranoid is 4");
	assert_string_equal(sched_no_lanes(&model, true, text, sizeof(text)),
			    "no lanes without kernel records");
	assert_string_equal(
		sched_sentence(&model, text, sizeof(text)),
		"Source of slices: no lanes, because tasks without a loop record nothing; the "
		"kernel's records are not available: kernel.perf_event_paranoid is 4.");
	model_free(&model);
}

/* Old recordings, and sessions without a request for slices, have no note. */
static void without_a_source_nothing_is_said(void **state)
{
	static const char *const sources[] = {"", "off"};
	char text[SCHED_SENTENCE];
	struct model model;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		open_session(&model, synthetic_tree, sources[i], "", "");
		assert_string_equal(sched_sentence(&model, text, sizeof(text)), "");
		assert_string_equal(sched_no_lanes(&model, true, text, sizeof(text)), "");
		assert_string_equal(sched_no_wakes(&model, text, sizeof(text)), "");
		model_free(&model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_source_is_said_with_what_it_sees_and_lost),
		cmocka_unit_test(where_nothing_is_noted_it_is_said_what_would),
		cmocka_unit_test(without_a_source_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
