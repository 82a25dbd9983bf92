/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "draw/key.h"
#include "model/model_levels.h"
#include "stage/golden.h"
#include "stage/known.h"
#include "stage/stage.h"
#include "view/view_cache.h"

/* Tests of the Overview. */

#define SECOND INT64_C(1000000000)

static void the_overview_at_the_end_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	golden_assert("overview-120x36", stage_draw(&stage, 120, 36));
	golden_assert("overview-80x24", stage_draw(&stage, 80, 24));
	golden_assert("overview-60x20", stage_draw(&stage, 60, 20));
	golden_assert("overview-40x12", stage_draw(&stage, 40, 12));
	stage_close(&stage);
}

static void the_overview_of_a_tree_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	golden_assert("tree-120x36", stage_draw(&stage, 120, 36));
	/* A recording never starts the user's own code again, so it offers no session that would.
	 */
	stage.model.cases[0].plan.leaves[WORK_OWN] = 1;
	stage.view.state.live = false;
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "y Why"));
	stage.view.state.live = true;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "y Why"));
	stage_close(&stage);
}

/* Runs that end within a frame or two are first visible when a trial is played. */
static void a_short_tree_is_shown_once_a_trial_is_played(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	for (int early = 0; early < 2; early++) {
		stage.view.state.race.early = early == 1;
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, "created"));
		assert_int_equal(stage_shows(&stage, "level 1"), early == 0);
		assert_int_equal(stage_shows(&stage, " peak "), early == 0);
	}
	stage_close(&stage);
}

/* Gives each case more workers than have rows of their own. */
static void make_many(struct synthetic *session)
{
	for (uint32_t i = 0; i < session->cases; i++)
		session->list[i].plan = (struct plan) {.levels = 1,
						       .fanout = {400},
						       .leaves = {[WORK_CPU] = 400},
						       .barrier = true};
}

/* Each band begins at the same column, and one axis is below both models. */
static void both_trees_are_bands_on_one_axis(void **state)
{
	static const int sizes[][2] = {{120, 36}, {80, 24}, {200, 60}, {64, 20}};
	struct stage stage;

	stage_tree(&stage);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const char *text = stage_draw(&stage, sizes[i][0], sizes[i][1]);
		const char *upper = strstr(text, " level 3"), *lower, *axis;

		assert_non_null(upper);
		lower = strstr(upper + 1, " level 3");
		assert_non_null(lower);
		axis = strstr(text, " 0  ");
		assert_true(axis && axis > lower);
		assert_null(strstr(axis + 1, " 0  "));
		/*
		 * There are neither rows of branches nor a second clock, which the cores' load
		 * would have.
		 */
		assert_false(stage_shows(&stage, "more ▾"));
		assert_false(stage_shows(&stage, "one column"));
		assert_true(stage_shows(&stage, "not started") || sizes[i][0] < 80);
	}
	stage_close(&stage);
}

/* The lower eighths of a cell that tasks not yet created have: no other ink has their colour. */
static int missing_eighths(const struct cell *cell)
{
	if (cell->glyph == 0x2591 && cell->style.bg == COLOUR_READY_BED)
		return 8;
	if (cell->glyph <= 0x2580 || cell->glyph >= 0x2588)
		return 0;
	if (cell->style.fg == COLOUR_READY_BED)
		return (int)(cell->glyph - 0x2580);
	return 0;
}

/*
 * Tasks not yet created only become fewer from left to right: in eighths where nothing else is in
 * the cell, and in no line do they come back.
 */
static void no_task_is_un_created(void **state)
{
	static const int sizes[][2] = {{120, 36}, {80, 24}, {200, 60}};
	struct stage stage;

	stage_tree(&stage);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const int w = sizes[i][0], h = sizes[i][1] - 4;
		bool parts = false;

		stage_draw(&stage, w, sizes[i][1]);
		for (int y = 4; y < h; y++) {
			bool left = false;

			for (int x = 11; x < w - 8; x++) {
				const int n = missing_eighths(&stage.canvas.cells[y * w + x]);

				assert_false(left && n > 0);
				left |= n == 0;
				parts |= n > 0 && n < 8;
			}
		}
		assert_true(parts);
	}
	stage_close(&stage);
}

/* Of the third level's tasks, as many as are not created have the lower part of the band. */
static void a_band_has_the_share_of_tasks_not_yet_created(void **state)
{
	enum { W = 96, ROWS = 4, ALL = 8 * ROWS };
	static double values[3 * MODEL_STANDS * W];
	const struct model_run *run;
	const struct cell *row;
	struct plot_axis axis;
	struct model_bins bins;
	uint32_t created[3];
	struct stage stage;

	stage_tree(&stage);
	stage_draw(&stage, 120, 36);
	row = stage_find(&stage, "level 3") - 2;
	run = model_latest(&stage.model, 0);
	axis = view_rows_axis(&stage.model, &stage.view.state, 0, 2, 11, W);
	bins = (struct model_bins) {axis.from_ns, axis.to_ns, W};
	model_stands(&stage.model, run, &bins, values, created);
	for (int x = 0; x < W; x++) {
		const double share = values[(2 * MODEL_STANDS + STAND_MISSING) * W + x] /
				     plan_leaves(&stage.model.cases[0].plan);
		int drawn = 0;

		for (int y = 0; y < ROWS; y++)
			drawn += missing_eighths(row + y * 120 + 11 + x);
		/* The first and the last task are visible in any case. */
		assert_true(isnan(share) || fabs(drawn - share * ALL) <= 1);
	}
	stage_close(&stage);
}

/* On 80 columns, too, each ink has its words. The swatches are solid, as in the bands. */
static void the_legend_of_bands_names_each_ink(void **state)
{
	static const int widths[] = {120, 80};
	struct stage stage;

	stage_tree(&stage);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		int solid = 0;

		stage_draw(&stage, widths[i], 24);
		assert_true(stage_shows(&stage, " not started "));
		assert_true(stage_shows(&stage, " not joined "));
		assert_true(stage_shows(&stage, " not created"));
		assert_true(stage_shows(&stage, " blank: joined"));
		for (int at = 20 * widths[i]; at < 24 * widths[i]; at++) {
			const struct cell *cell = &stage.canvas.cells[at];

			solid += cell->glyph >= 0x2591 && cell->glyph <= 0x2593 &&
				 cell->style.fg == cell->style.bg;
		}
		assert_int_equal(solid, 3);
	}
	stage_close(&stage);
}

/* A "?" would say that they cannot be read. */
static void a_tree_that_is_played_has_its_run_s_figures_at_the_end(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	for (int ended = 0; ended < 2; ended++) {
		struct view_race *race = &stage.view.state.race;

		*race = (struct view_race) {.trial = {0, 2, 1}, .slower = 20, .moves = !ended};
		race->length_ns = race->axis_ns = model_trial_length(&stage.model, &race->trial);
		race->ns = ended ? race->length_ns : race->length_ns / 3;
		stage_draw(&stage, 200, 60);
		assert_true(stage_shows(&stage, "level 1"));
		assert_int_equal(stage_shows(&stage, " peak "), ended);
		assert_int_equal(stage_shows(&stage, " now "), !ended);
		assert_int_equal(stage_shows(&stage, "join wait"), ended);
		assert_int_equal(stage_shows(&stage, "cores used"), ended);
		assert_int_equal(stage_shows(&stage, "  joined "), !ended);
	}
	stage_close(&stage);
}

/* For its first 0.1 s or so, it is not known what the session is about. */
static void a_live_session_begins_with_an_empty_screen(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0.001);
	stage.model.has_session = false;
	stage.model.n_cases = 0;
	stage.view.state.live = true;
	for (int w = 64; w <= 120; w += 56) {
		stage_draw(&stage, w, 36);
		assert_false(stage_shows(&stage, "No trial"));
		assert_false(stage_shows(&stage, "Each row is one worker"));
	}
	stage_close(&stage);
}

static void the_overview_in_ascii_reads_as_agreed(void **state)
{
	struct stage stage;
	char *text;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 80, 24);
	canvas_to_ascii(&stage.canvas);
	text = canvas_to_text(&stage.canvas);
	golden_assert("ascii-80x24", text);
	free(text);
	stage_close(&stage);
}

static void the_overview_reads_as_agreed_while_it_runs(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	golden_assert("running-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

enum { HEAD = 4 }; /* lines that the top line and the answer may use */

/* Finds a text below the answer; NULL: it is not there. */
static const struct cell *find_below(const struct stage *stage, const char *text)
{
	const int w = stage->canvas.width;

	return stage_find_in(stage->canvas.cells + HEAD * w, (stage->canvas.height - HEAD) * w,
			     text);
}

static void draw_all(struct stage *stage, int w, int h)
{
	static const int keys[] = {'1', '2', '3', '4', '6', '?', KEY_END_KEY, KEY_ESCAPE, 0};

	stage_press(stage, keys, w, h);
}

static void a_tree_on_many_cores_draws_at_every_size(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_tree(&session, 2);
	synthetic_add(&session, "hybrid:2x4", "", SECOND / 3);
	session.cores = 96;
	session.broken_run = 1;
	session.broken = SAMPLE_CRASHED;
	stage_open(&stage, &session);
	stage_each_size(&stage, draw_all);
	stage_close(&stage);
}

static void a_real_difference_is_a_band_in_the_faster_model_s_colour(void **state)
{
	struct stage stage;
	const struct cell *cell;

	stage_tree(&stage);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage,
			  "threads are faster: 257 ms against 362 ms (processes 1.41x as long; ");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_MODEL0);
	assert_int_equal(cell->style.attr, ATTR_BOLD | ATTR_REVERSE);
	stage_close(&stage);
}

static void a_difference_that_is_not_real_gets_nobodys_hue(void **state)
{
	struct stage stage;
	const struct cell *cell;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "within");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_TITLE);
	assert_int_equal(cell->style.attr, ATTR_BOLD);
	stage_close(&stage);
}

static void the_band_has_the_colour_of_a_later_model_that_is_faster(void **state)
{
	struct synthetic session;
	struct stage stage;
	const struct cell *cell;

	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid:2x4", "", 2 * SECOND);
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "hybrid:2x4 0.");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_MODEL2);
	assert_true(cell->style.attr & ATTR_REVERSE);
	stage_close(&stage);
}

static void the_verdicts_axis_is_of_the_pair_that_differs_most(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *text;

	synthetic_mixed(&session, 6);
	session.span_ns[0] = SECOND / 2;
	session.span_ns[1] = SECOND * 2 / 5;
	synthetic_add(&session, "hybrid:2x4", "", SECOND / 5);
	make_many(&session);
	stage_open(&stage, &session);
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "▲ hybrid:2x4 faster"));
	assert_non_null(strstr(text, "threads faster"));
	assert_null(strstr(text, "processes faster  "));
	stage_close(&stage);
}

static void a_session_on_hold_says_how_to_start(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0.05);
	stage.view.state.hold = true;
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "Ready: Space starts the first run."));
	assert_non_null(strstr(stage.text, "waits for Space"));
	stage_close(&stage);
}

static void the_second_model_has_its_place_from_the_start(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 1.5);
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "waits for its turn"));
	assert_non_null(strstr(stage.text, "processes"));
	stage_close(&stage);
}

static void a_model_keeps_its_hue_and_another_name_gets_another(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	synthetic_add(&session, "threads#2", "", 3 * SECOND);
	stage_open(&stage, &session);
	stage_draw(&stage, 200, 40);
	assert_int_equal(find_below(&stage, "threads")->style.fg, COLOUR_MODEL0);
	assert_int_equal(find_below(&stage, "processes")->style.fg, COLOUR_MODEL1);
	/* COLOUR_MODEL2 is hybrid's colour even if this session has no hybrid */
	assert_int_equal(find_below(&stage, "threads#2")->style.fg, COLOUR_MODEL3);
	stage_close(&stage);
}

static void a_crashed_worker_stands_out_with_its_signal(void **state)
{
	struct synthetic session;
	struct stage stage;
	const struct cell *cell;

	synthetic_mixed(&session, 1);
	session.broken_run = 1;
	session.broken = SAMPLE_CRASHED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "SIGSEGV");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_BAD);
	stage_close(&stage);
}

/* While that run goes on, on each screen. Text without room is not cut inside a word. */
static void a_run_that_somebody_stopped_says_so(void **state)
{
	static const struct {
		int w, h;
	} sizes[] = {{120, 36}, {80, 24}, {64, 20}};
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.stop_ns = SECOND;
	stage_open(&stage, &session);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		stage_draw(&stage, sizes[i].w, sizes[i].h);
		assert_false(stage_shows(&stage, "Somebody has stopped"));
		assert_false(stage_shows(&stage, "waits for its tu ") ||
			     stage_shows(&stage, "waits for its t "));
	}
	stage_tell(&stage, MESSAGE_HALTED, "its words");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		stage_draw(&stage, sizes[i].w, sizes[i].h);
		assert_true(stage_shows(&stage, "Something stopped part of this run: see 6."));
	}
	stage_close(&stage);
	session.stop_ns = INT64_MAX;
	stage_open(&stage, &session);
	stage_tell(&stage, MESSAGE_HALTED, "its words");
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "Somebody has stopped"));
	stage_close(&stage);
}

/* Other tasks of its process end with it, at the run's end, not where they were created. */
static void a_stopped_worker_is_marked_at_the_end_of_the_run(void **state)
{
	struct synthetic session;
	struct stage stage;
	const struct cell *mark, *cpu0;

	synthetic_mixed(&session, 1);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	cpu0 = stage_find(&stage, "w1 cpu");
	mark = stage_find(&stage, "stopped");
	assert_non_null(cpu0);
	assert_non_null(mark);
	assert_true(mark - cpu0 > 16);
	stage_close(&stage);
}

/* If a comparison is not decided, its field names no winner. */
static void a_field_without_a_winner_has_no_mark(void **state)
{
	struct stage stage;

	(void)state;
	stage_sweep(&stage, synthetic_scaling, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		/* Each model is faster in every second trial. */
		run->totals.elapsed_ns = 500000000;
		if ((run->id.case_id + run->id.trial) % 2)
			run->totals.elapsed_ns = 600000000;
	}
	synthetic_changed(&stage.model);
	stage_type(&stage, "1");
	for (int w = 64; w <= 120; w += 28) {
		stage_draw(&stage, w, 30);
		assert_true(stage_shows(&stage, "x ?"));
		assert_false(stage_shows(&stage, "● 1."));
		assert_false(stage_shows(&stage, "threads 1."));
	}
	stage_close(&stage);
}

/* A field for each value has the fastest model, and whether that is certain. */
static void the_overview_of_a_sweep_says_who_is_faster_where(void **state)
{
	struct stage stage;

	(void)state;
	stage_sweep(&stage, synthetic_scaling, 0);
	stage_type(&stage, "1");
	for (int w = 64; w <= 120; w += 28) {
		stage_draw(&stage, w, 30);
		assert_true(stage_shows(&stage, "who is faster"));
		assert_true(stage_shows(&stage, "workers=2"));
		assert_true(stage_shows(&stage, "workers=8"));
		assert_false(stage_shows(&stage, "1.13x ?"));
		assert_true(find_below(&stage, "1.13x")->style.attr & ATTR_REVERSE);
		assert_false(find_below(&stage, "same")->style.attr & ATTR_REVERSE);
		assert_true(stage_shows(&stage, "?: not decided"));
	}
	for (int w = 40; w <= 140; w += 7)
		for (int h = 12; h <= 40; h += 4)
			stage_draw(&stage, w, h);
	stage_close(&stage);
	/* for three models, by name if a field has room */
	stage_sweep(&stage, synthetic_hello, 0);
	stage_type(&stage, "1");
	for (int w = 64; w <= 120; w += 28) {
		stage_draw(&stage, w, 30);
		assert_true(stage_shows(&stage, "who is faster"));
		assert_true(find_below(&stage, "threads 1.")->style.attr & ATTR_REVERSE);
		assert_true(find_below(&stage, "hybrid:2x4 1.")->style.attr & ATTR_REVERSE);
	}
	stage_close(&stage);
}

static void a_run_that_was_stopped_is_not_called_failed(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.broken_run = 1;
	session.broken = SAMPLE_INTERRUPTED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, "A run failed"));
	assert_non_null(strstr(stage.text, "Trial 1 of processes was stopped before its end"));
	stage_close(&stage);
	session.broken = SAMPLE_FAILED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "A run failed"));
	stage_close(&stage);
}

/* No barrier holds the task, so it works from its start on, whenever it reported that. */
static void a_bar_has_a_barrier_where_the_plan_has_one(void **state)
{
	for (int behind_barrier = 0; behind_barrier <= 1; behind_barrier++) {
		struct synthetic session;
		struct stage stage;

		synthetic_mixed(&session, 1);
		session.warmup = 0;
		for (uint32_t i = 0; i < session.cases; i++)
			session.list[i].plan =
				(struct plan) {.levels = 1,
					       .task = {i ? PLAN_PROCESS : PLAN_THREAD},
					       .fanout = {4},
					       .leaves = {[WORK_CPU] = 4},
					       .barrier = behind_barrier};
		stage_open(&stage, &session);
		for (uint32_t i = 0; i < stage.model.n_runs; i++)
			for (uint32_t k = 0; k < 4; k++) {
				const struct model_run *run = &stage.model.runs[i];
				struct sample_worker worker = model_known(run, k);

				worker.start_ns = worker.create_ns;
				worker.work_ns = worker.start_ns + SECOND / 5;
				worker.finish_ns = worker.work_ns + SECOND / 5;
				know(run, k, worker);
			}
		/* the race shows only lifetimes, the Timeline also the time before the work */
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, "\xe2\x94\x81\xe2\x94\x81"));
		assert_false(stage_shows(&stage, "\xe2\x94\x8a\xe2\x94\x8a"));
		stage_type(&stage, "2");
		assert_true(stage_shows(&stage, "\xe2\x94\x81\xe2\x94\x81"));
		assert_int_equal(stage_shows(&stage, "\xe2\x94\x8a\xe2\x94\x8a"), behind_barrier);
		stage_close(&stage);
	}
}

/* If there is not room for all, the counts come first, and the rest is left out. */
static void the_totals_of_a_tree_are_those_that_fit(void **state)
{
	static const char *const shown[] = {"created",	"joined",      "alive", "cpu",
					    "creation", "involuntary", "faults"};
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	/* Only one plan has a barrier, so the models are not shown as a race. */
	for (uint32_t i = 0; i < session.cases; i++)
		session.list[i].plan = (struct plan) {.levels = 2,
						      .fanout = {2, 4},
						      .leaves = {[WORK_CPU] = 8},
						      .barrier = i == 0};
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 60);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		assert_non_null(stage_find(&stage, shown[i]));
	assert_null(stage_find(&stage, "written"));
	stage_draw(&stage, 80, 40);
	assert_non_null(stage_find(&stage, "created"));
	assert_null(stage_find(&stage, "faults"));
	stage_close(&stage);
}

/* Counts cells with a part of a line, U+2801 to U+28FF. */
static int lined(const struct canvas *canvas)
{
	int n = 0;

	for (int i = 0; i < canvas->width * canvas->height; i++)
		n += canvas->cells[i].glyph > 0x2800 && canvas->cells[i].glyph <= 0x28ff;
	return n;
}

static void time_without_samples_stays_a_gap(void **state)
{
	struct stage stage;
	int full;

	stage_mixed(&stage, 0);
	stage_type(&stage, "3");
	stage_draw(&stage, 120, 36);
	full = lined(&stage.canvas);
	assert_true(full > 40);
	for (size_t k = 0; k < stage.model.n_runs; k++) {
		struct model_run *run = &stage.model.runs[k];

		for (size_t i = run->n_points / 3; i < run->n_points * 2 / 3; i++)
			run->points[i].memory.pss_kb = -1;
	}
	stage_draw(&stage, 120, 36);
	assert_in_range(full - lined(&stage.canvas), 10, full * 2 / 3);
	stage_close(&stage);
}

/* Checks that the median is right of the line and, if requested, the newest run's time. */
static int assert_titled(const struct stage *stage, bool newest)
{
	static const char *const names[] = {"─ ● threads ", "─ ■ processes "};
	int shown = 0;

	for (uint32_t i = 0; i < 2; i++) {
		const struct model_run *run = model_latest(&stage->model, i);
		const char *title = strstr(stage->text, names[i]), *median, *took;
		char text[64], time[32];

		if (!title)
			continue;
		median = strstr(title, " median ");
		assert_true(median && median < strchr(title, '\n'));
		units_format_time(time, sizeof(time), run->totals.elapsed_ns, false);
		snprintf(text, sizeof(text), "trial %u: %s", run->id.trial, time);
		took = strstr(title, text);
		assert_true(!newest || (took && took < median));
		shown++;
	}
	return shown;
}

/* The newest run's time and the hold are shown if there is room. The median always is. */
static void a_title_has_the_median_and_beside_it_the_newest_run(void **state)
{
	struct synthetic session;
	struct stage stage;

	(void)state;
	synthetic_mixed(&session, 6);
	make_many(&session);
	stage_open(&stage, &session);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.held_ns = stage.model.runs[i].totals.elapsed_ns / 4;
	/* in two narrower columns, the number has no word before it */
	for (int w = 66; w <= 160; w++) {
		stage_draw(&stage, w, 36);
		assert_true(assert_titled(&stage, w > 110) > 0);
	}
	assert_non_null(strstr(stage.text, " reading memory "));
	stage_close(&stage);
}

/* The time for which a worker was held counts neither in its lifetime nor in its run's time. */
static void a_lifetime_leaves_out_what_was_held(void **state)
{
	const int64_t held_ns = INT64_C(100000000);
	char raw[32], counted[32];
	struct sample_worker worker;
	struct model_run *run;
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	run = (struct model_run *)(uintptr_t)model_latest(&stage.model, 0);
	worker = model_known(run, 0);
	run->totals.held_ns = held_ns;
	run->totals.go_ns = worker.start_ns + held_ns;
	units_format_time(raw, sizeof(raw), worker.finish_ns - worker.start_ns, false);
	units_format_time(counted, sizeof(counted), worker.finish_ns - worker.start_ns - held_ns,
			  false);
	assert_string_not_equal(raw, counted);
	for (int view = 1; view <= 2; view++) {
		stage_type(&stage, view == 1 ? "1" : "2");
		stage_draw(&stage, 120, 36);
		assert_non_null(strstr(strstr(stage.text, "w1 cpu"), counted));
	}
	assert_int_equal(model_between(run, worker.start_ns, worker.finish_ns),
			 worker.finish_ns - worker.start_ns - held_ns);
	assert_int_equal(model_between(run, run->totals.go_ns, worker.finish_ns),
			 worker.finish_ns - run->totals.go_ns);
	stage_close(&stage);
}

/* A model's line in the race ends with its run's time. The medians are in bars, or in one line. */
static void a_model_of_the_race_has_its_run_s_time_and_its_median(void **state)
{
	static const char *const names[] = {"▌● threads ", "▌■ processes "};
	static const char *const medians[][2] = {{"● 2.95 s", "●2.95 s"}, {"■ 3.00 s", "■3.00 s"}};
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	for (int w = 80; w <= 160; w++) {
		stage_draw(&stage, w, 36);
		for (uint32_t i = 0; i < 2; i++) {
			const struct model_run *run = model_latest(&stage.model, i);
			const char *title = strstr(stage.text, names[i]), *end;
			char time[32];

			assert_non_null(title);
			end = strchr(title, '\n');
			units_format_time(time, sizeof(time), model_elapsed(&stage.model, run),
					  false);
			assert_non_null(strstr(title, time));
			assert_true(strstr(title, time) < end);
			/* On the right is the heading of the workers' times. */
			assert_memory_equal(end - 8, "lifetime", 8);
			assert_true(stage_shows(&stage, medians[i][0]) ||
				    stage_shows(&stage, medians[i][1]));
		}
	}
	stage_close(&stage);
}

static void a_run_whose_workers_were_dropped_says_so(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		model_workers_free(&stage.model.runs[i].workers);
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "no longer in memory"));
	stage_close(&stage);
}

static void many_cores_are_strips_with_their_numbers(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "0-31"));
	assert_non_null(strstr(stage.text, "32-63"));
	stage_close(&stage);
}

static void the_cores_name_those_that_were_chosen_for_the_run(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "this run: CPU"));
	for (uint32_t i = 0; i < stage.model.n_cases; i++) {
		CPU_SET(1, &stage.model.cases[i].cpus);
		snprintf(stage.model.cases[i].place, sizeof(stage.model.cases[i].place), "pack");
	}
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " this run: CPU 1 "));
	stage_close(&stage);
}

static void cores_have_their_place_before_the_first_tick(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	session.stop_ns = 1;
	stage_open(&stage, &session);
	assert_int_equal(stage.model.n_cores, 0);
	/* before anything is known, the race uses the whole screen */
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, "0-31"));
	assert_null(strstr(stage.text, "mean   ? %"));
	assert_true(stage_key(&stage, 'k'));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "0-31      ????"));
	assert_non_null(strstr(stage.text, "mean   ? %"));
	stage_each_size(&stage, draw_all);
	stage_close(&stage);
}

static void scrolling_stops_at_the_end_and_turns_at_once(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 2);
	for (uint32_t i = 0; i < session.cases; i++) {
		session.list[i].plan.fanout[0] = 60;
		session.list[i].plan.leaves[WORK_CPU] = 58;
	}
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_true(stage_key(&stage, KEY_END_KEY));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "w60 io "));
	assert_int_equal(stage.view.state.scroll, stage.view.shown.most_scroll);
	assert_true(stage_key(&stage, KEY_UP_ARROW));
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, "w60 io "));
	assert_true(stage_key(&stage, KEY_HOME_KEY));
	assert_int_equal(stage.view.state.scroll, 0);
	stage_close(&stage);
}

static void arrows_reach_the_columns_that_do_not_fit(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 56, 20);
	assert_non_null(strstr(stage.text, "1 of 2"));
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	stage_draw(&stage, 56, 20);
	assert_non_null(strstr(stage.text, "2 of 2"));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	assert_non_null(strstr(stage_draw(&stage, 56, 20), "1 of 2"));
	stage_close(&stage);
}

/* If two models do not fit, one is shown with its place among them. An arrow shows the other. */
static void one_model_is_shown_on_a_small_screen(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "▌● threads "));
	assert_true(stage_shows(&stage, " ← 1 of 2 →"));
	assert_false(stage_shows(&stage, "▌■ processes"));
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "▌■ processes "));
	assert_true(stage_shows(&stage, " ← 2 of 2 →"));
	assert_false(stage_shows(&stage, "▌● threads"));
	stage_close(&stage);
}

static void all_ways_to_create_a_task_are_ranked_beside_those_that_fit(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	stage_key(&stage, '1');
	stage_draw(&stage, 120, 36);
	for (uint32_t i = 0; i < stage.model.n_cases; i++)
		if (stage.model.cases[i].plan.primitive != PLAN_CALL)
			assert_true(stage_shows(&stage, stage.model.cases[i].model));
	assert_true(stage_shows(&stage, "─ medians ─╮"));
	/* with the ratios, and nothing drawn over it */
	assert_true(stage_shows(&stage, "1x "));
	stage_draw(&stage, 80, 60);
	assert_true(stage_shows(&stage, "╮╭─ answer ─"));
	assert_true(stage_shows(&stage, "1x "));
	stage_close(&stage);
}

static void a_sweep_shows_the_models_of_the_value_that_runs(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0.05);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "▌● threads workers=2 "));
	assert_non_null(strstr(stage.text, "▌■ processes workers=2 "));
	assert_null(strstr(stage.text, "▌● threads workers=3 "));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	/* the last trial begins again with the first value */
	model_seek(&stage.model, stage.model.runs[13].begin_ns);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "▌■ processes workers=8"));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "▌■ processes workers=7 "));
	model_seek(&stage.model, 0);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "▌■ processes workers=7 "));
	assert_true(stage_key(&stage, KEY_ESCAPE));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "▌● threads workers=2 "));
	assert_false(stage_key(&stage, KEY_ESCAPE));
	stage_close(&stage);
}

/* The models beside each other always have the same value. */
static void arrows_go_to_the_next_value_of_a_sweep(void **state)
{
	struct stage stage;
	char title[40];

	stage_sweep(&stage, synthetic_scaling, 0.05);
	stage_draw(&stage, 120, 36);
	for (int i = 3; i <= 8; i++) {
		assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
		stage_draw(&stage, 120, 36);
		snprintf(title, sizeof(title), "▌● threads workers=%d ", i);
		assert_true(stage_shows(&stage, title));
		snprintf(title, sizeof(title), "▌■ processes workers=%d ", i);
		assert_true(stage_shows(&stage, title));
	}
	assert_false(stage_key(&stage, KEY_RIGHT_ARROW));
	/* if only one of the two fits, the other one comes first */
	stage_draw(&stage, 56, 20);
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	stage_draw(&stage, 56, 20);
	assert_true(stage_shows(&stage, "▌■ processes workers=7 "));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	stage_draw(&stage, 56, 20);
	assert_true(stage_shows(&stage, "▌● threads workers=7 "));
	stage_close(&stage);
}

/* c reaches each value of a sweep, and begins again after the last one. */
static void c_goes_round_the_values_of_a_sweep(void **state)
{
	struct stage stage;
	char title[40];

	stage_sweep(&stage, synthetic_scaling, 0.05);
	stage_draw(&stage, 120, 36);
	for (int i = 3; i <= 9; i++) {
		assert_true(stage_key(&stage, 'c'));
		stage_draw(&stage, 120, 36);
		snprintf(title, sizeof(title), "▌● threads workers=%d ", i == 9 ? 2 : i);
		assert_true(stage_shows(&stage, title));
	}
	stage_close(&stage);
}

static void a_model_keeps_its_time_beside_a_long_name(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *title;

	synthetic_scaling(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++)
		synthetic_vary(&session.list[i].variables, "work=write;workers=%u", i / 2 + 2);
	stage_open(&stage, &session);
	model_seek(&stage.model, stage.model.runs[1].end_ns);
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "▌■ processes"));
	assert_non_null(strstr(stage.text, " work=write workers=2 "));
	title = strstr(stage.text, "▌■ processes");
	assert_true(strstr(title, " ms") < strchr(title, '\n'));
	stage_close(&stage);
}

static void zoom_in_move_and_fit_again(void **state)
{
	struct stage stage;
	char *whole;

	stage_mixed(&stage, 0);
	whole = strdup(stage_draw(&stage, 120, 36));
	assert_true(stage_key(&stage, '+'));
	assert_true(strcmp(stage_draw(&stage, 120, 36), whole) != 0);
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_true(stage.view.state.from > 0.25);
	for (int i = 0; i < 20; i++)
		stage_key(&stage, KEY_RIGHT_ARROW);
	assert_true(stage.view.state.from + 1 / stage.view.state.zoom <= 1);
	assert_true(stage_key(&stage, '='));
	assert_string_equal(stage_draw(&stage, 120, 36), whole);
	free(whole);
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_overview_at_the_end_reads_as_agreed),
		cmocka_unit_test(the_overview_of_a_tree_reads_as_agreed),
		cmocka_unit_test(a_short_tree_is_shown_once_a_trial_is_played),
		cmocka_unit_test(both_trees_are_bands_on_one_axis),
		cmocka_unit_test(no_task_is_un_created),
		cmocka_unit_test(a_band_has_the_share_of_tasks_not_yet_created),
		cmocka_unit_test(the_legend_of_bands_names_each_ink),
		cmocka_unit_test(a_tree_that_is_played_has_its_run_s_figures_at_the_end),
		cmocka_unit_test(a_live_session_begins_with_an_empty_screen),
		cmocka_unit_test(the_overview_in_ascii_reads_as_agreed),
		cmocka_unit_test(the_overview_reads_as_agreed_while_it_runs),
		cmocka_unit_test(a_tree_on_many_cores_draws_at_every_size),
		cmocka_unit_test(a_real_difference_is_a_band_in_the_faster_model_s_colour),
		cmocka_unit_test(a_difference_that_is_not_real_gets_nobodys_hue),
		cmocka_unit_test(the_band_has_the_colour_of_a_later_model_that_is_faster),
		cmocka_unit_test(the_verdicts_axis_is_of_the_pair_that_differs_most),
		cmocka_unit_test(a_session_on_hold_says_how_to_start),
		cmocka_unit_test(the_second_model_has_its_place_from_the_start),
		cmocka_unit_test(a_model_keeps_its_hue_and_another_name_gets_another),
		cmocka_unit_test(a_crashed_worker_stands_out_with_its_signal),
		cmocka_unit_test(a_run_that_somebody_stopped_says_so),
		cmocka_unit_test(a_stopped_worker_is_marked_at_the_end_of_the_run),
		cmocka_unit_test(a_field_without_a_winner_has_no_mark),
		cmocka_unit_test(the_overview_of_a_sweep_says_who_is_faster_where),
		cmocka_unit_test(a_run_that_was_stopped_is_not_called_failed),
		cmocka_unit_test(a_bar_has_a_barrier_where_the_plan_has_one),
		cmocka_unit_test(the_totals_of_a_tree_are_those_that_fit),
		cmocka_unit_test(time_without_samples_stays_a_gap),
		cmocka_unit_test(a_lifetime_leaves_out_what_was_held),
		cmocka_unit_test(a_title_has_the_median_and_beside_it_the_newest_run),
		cmocka_unit_test(a_model_of_the_race_has_its_run_s_time_and_its_median),
		cmocka_unit_test(a_run_whose_workers_were_dropped_says_so),
		cmocka_unit_test(many_cores_are_strips_with_their_numbers),
		cmocka_unit_test(the_cores_name_those_that_were_chosen_for_the_run),
		cmocka_unit_test(cores_have_their_place_before_the_first_tick),
		cmocka_unit_test(scrolling_stops_at_the_end_and_turns_at_once),
		cmocka_unit_test(arrows_reach_the_columns_that_do_not_fit),
		cmocka_unit_test(arrows_go_to_the_next_value_of_a_sweep),
		cmocka_unit_test(c_goes_round_the_values_of_a_sweep),
		cmocka_unit_test(one_model_is_shown_on_a_small_screen),
		cmocka_unit_test(all_ways_to_create_a_task_are_ranked_beside_those_that_fit),
		cmocka_unit_test(a_sweep_shows_the_models_of_the_value_that_runs),
		cmocka_unit_test(a_model_keeps_its_time_beside_a_long_name),
		cmocka_unit_test(zoom_in_move_and_fit_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
