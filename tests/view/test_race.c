/* SPDX-License-Identifier: MIT */
#include "view/race.h"

#include "stage/check.h"

#include <locale.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/sample_slice.h"
#include "core/sample_tick.h"
#include "model/model_private.h"
#include "stage/golden.h"
#include "stage/known.h"
#include "result/report.h"
#include "screen/screen.h"
#include "stage/programs.h"
#include "stage/pty.h"
#include "stage/seed.h"
#include "stage/stage.h"
#include "view/view_race.h"

/* Tests of the race: a trial's runs, one below the other, played together. */

#define MS	 INT64_C(1000000)
#define SECOND	 UINT64_C(1000000000)
#define QUESTION "Which of the two ends first?"

enum { CELLS_MOST = 150 };

/*
 * Opens 6 cpu + 2 io workers on two cores with slices: threads 100 ms, processes 140 ms. Stops at
 * stop_ns; INT64_MAX: at the end.
 */
static void open_race_until(struct stage *stage, uint32_t trials, int64_t stop_ns)
{
	struct synthetic session;

	synthetic_mixed(&session, trials);
	session.warmup = 0;
	session.slices = true;
	session.span_ns[0] = 100 * MS;
	session.span_ns[1] = 140 * MS;
	session.stop_ns = stop_ns;
	stage_open(stage, &session);
	stage->view.state.log_name = NULL;
}

static void open_race(struct stage *stage, uint32_t trials)
{
	open_race_until(stage, trials, INT64_MAX);
}

static void open_programs(struct stage *stage,
			  void (*fill)(struct programs_run *run, const void *arg), uint32_t trials)
{
	const struct programs programs = {.trials = trials, .fill = fill};
	struct synthetic session;

	synthetic_mixed(&session, 1);
	stage_open(stage, &session);
	model_free(&stage->model);
	programs_model(&programs, &stage->model);
}

/* Shows the first trial, ns after its begin. */
static void show_at(struct stage *stage, int64_t ns)
{
	struct view_race *race = &stage->view.state.race;

	*race = (struct view_race) {.trial = {0, 2, 1}, .ns = ns, .slower = 20, .moves = true};
	race->length_ns = race->axis_ns = model_trial_length(&stage->model, &race->trial);
}

/* Returns the line of the row with that name below the model's; NULL: there is none. */
static const struct cell *row_of(const struct stage *stage, const char *model, const char *name)
{
	const struct canvas *canvas = &stage->canvas;
	const int w = canvas->width;
	int y = 1;

	while (y < canvas->height && (canvas->cells[y * w].glyph != 0x258c ||
				      !stage_find_in(canvas->cells + y * w, 24, model)))
		y++;
	while (y < canvas->height && !stage_find_in(canvas->cells + y * w, 24, name))
		y++;
	return y < canvas->height ? canvas->cells + y * w : NULL;
}

static const struct cell *last_of(const struct cell *row, int w)
{
	while (w > 0 && (row[w - 1].glyph == 0 || row[w - 1].glyph == ' '))
		w--;
	return row + w - 1;
}

static void a_time_is_dimmed_until_its_worker_has_ended(void **state)
{
	static const char *const models[] = {"threads", "processes"};
	struct stage stage;

	open_race(&stage, 6);
	for (int i = 0; i < 2; i++) {
		show_at(&stage, 50 * MS);
		stage_draw(&stage, 120, 36);
		assert_int_equal(last_of(row_of(&stage, models[i], "w1 cpu"), 120)->style.fg,
				 COLOUR_DIM);
		assert_int_equal(last_of(row_of(&stage, models[i], "w7 io"), 120)->style.fg,
				 COLOUR_DEFAULT);
		show_at(&stage, 200 * MS);
		stage_draw(&stage, 120, 36);
		assert_int_equal(last_of(row_of(&stage, models[i], "w1 cpu"), 120)->style.fg,
				 COLOUR_DEFAULT);
	}
	stage_close(&stage);
}

/*
 * Draws a lane of 4 cells of 8 µs in which the workers are on a core in their stretches [from, to).
 */
static void draw_lane(struct canvas *canvas, const struct model_stretch *stretches, size_t n,
		      bool dense)
{
	static const struct plot_axis axis = {0, 32000, 0, 4};
	struct view_lane *lane = calloc(1, sizeof(*lane) + 4 * sizeof(lane->cells[0]));
	struct view_bar bar = {.canvas = canvas, .axis = &axis, .dense = dense};

	assert_non_null(lane);
	assert_int_equal(canvas_resize(canvas, 4, 1), 0);
	canvas_clear(canvas);
	view_lane_begin(lane, &axis);
	for (size_t i = 0; i < n; i++)
		view_lane_add(lane, &stretches[i], dense ? 0 : (uint32_t)i);
	view_bar_lane(&bar, lane);
	free(lane);
}

/* Each stretch is of another worker. */
static void draw_made(struct canvas *canvas, const struct model_stretch *stretches, size_t n)
{
	draw_lane(canvas, stretches, n, false);
}

/* Draws the shares of the cells. All stretches are of one worker. */
static void draw_dense(struct canvas *canvas, const struct model_stretch *stretches, size_t n)
{
	draw_lane(canvas, stretches, n, true);
}

/* Returns how many eighths of a cell have a worker's colour. */
static int eighths_of(const struct cell *cell, uint8_t colour)
{
	const int left = 0x2590 - (int)cell->glyph;

	if (cell->glyph < 0x2588 || cell->glyph > 0x258f)
		return 0;
	if (cell->style.attr & ATTR_REVERSE)
		return cell->style.fg == colour ? 8 - left : 0;
	return (cell->style.fg == colour ? left : 0) + (cell->style.bg == colour ? 8 - left : 0);
}

/* A slice of a cell or more has edges; several short ones in a cell are a share of its height. */
static void short_slices_are_shares_and_long_ones_have_edges(void **state)
{
	static const struct model_stretch made[] = {{3000, 13000, STATE_ON, 0, 0},
						    {17000, 19000, STATE_ON, 0, 0},
						    {21000, 23000, STATE_ON, 0, 0}};
	static const struct model_stretch cut[] = {{0, 3000, STATE_ON, 0, 0},
						   {4000, 8000, STATE_ON, 0, 0}};
	struct canvas canvas = {0};

	draw_dense(&canvas, made, 3);
	assert_int_equal(eighths_of(&canvas.cells[0], COLOUR_WORKER0), 5);
	assert_int_equal(eighths_of(&canvas.cells[1], COLOUR_WORKER0), 5);
	assert_int_equal(canvas.cells[2].glyph, 0x2584);
	/* A gap of an eighth cannot be seen, but one of a quarter must be. */
	draw_dense(&canvas, cut, 2);
	assert_int_equal(canvas.cells[0].glyph, 0x2588);
	draw_dense(&canvas, (const struct model_stretch[]) {cut[0], {5000, 8000, STATE_ON, 0, 0}},
		   2);
	assert_int_equal(canvas.cells[0].glyph, 0x2586);
	canvas_free(&canvas);
}

static void a_lane_is_exact_to_an_eighth_of_a_cell(void **state)
{
	struct canvas canvas = {0};

	for (int from = 0; from < 32; from++)
		for (int to = from + 1; to <= 32; to++) {
			const struct model_stretch made = {from * 1000, to * 1000, STATE_ON, 0, 0};
			int eighths = 0;

			draw_made(&canvas, &made, 1);
			for (int x = 0; x < 4; x++)
				eighths += eighths_of(&canvas.cells[x], COLOUR_WORKER0);
			/* a stretch inside one cell keeps its own length */
			if (from / 8 == (to - 1) / 8 && from % 8 && to % 8)
				assert_in_range(eighths, to - from, to - from + 2);
			else
				assert_int_equal(eighths, to - from);
		}
	canvas_free(&canvas);
}

static void a_lane_is_split_between_two_workers(void **state)
{
	struct canvas canvas = {0};

	for (int edge = 1; edge < 32; edge++) {
		const struct model_stretch made[] = {{0, edge * 1000, STATE_ON, 0, 0},
						     {edge * 1000, 32000, STATE_ON, 0, 0}};
		int first = 0, second = 0;

		draw_made(&canvas, made, 2);
		for (int x = 0; x < 4; x++) {
			first += eighths_of(&canvas.cells[x], COLOUR_WORKER0);
			second += eighths_of(&canvas.cells[x], COLOUR_WORKER1);
		}
		assert_int_equal(first, edge);
		assert_int_equal(second, 32 - edge);
	}
	canvas_free(&canvas);
}

static void a_worker_without_a_core_has_a_line(void **state)
{
	static const struct model_stretch made[] = {{0, 12000, STATE_ON, 0, 0},
						    {12000, 20000, STATE_WAITING, -1, 0},
						    {20000, 24000, STATE_BLOCKED, -1, 0}};
	struct canvas canvas = {0};

	draw_made(&canvas, made, 3);
	golden_shows(&canvas, "█▌─\n");
	assert_int_equal(canvas.cells[2].style.fg, COLOUR_BORDER);
	draw_made(&canvas, made + 2, 1);
	golden_shows(&canvas, "  ┈\n");
	canvas_free(&canvas);
}

/* The lane of a worker has the stretches that the model reports for it. */
static void the_race_draws_the_slices_of_its_runs(void **state)
{
	const struct cell *row;
	struct plot_axis axis;
	struct stage stage;
	int on = 0, waiting = 0;

	open_race(&stage, 6);
	show_at(&stage, 200 * MS);
	stage_draw(&stage, 120, 36);
	row = row_of(&stage, "processes", "w3 cpu");
	assert_non_null(row);
	axis = view_rows_axis(&stage.model, &stage.view.state, 0, 2, 11, 99);
	for (int x = axis.x; x < axis.x + axis.w; x++) {
		const int64_t from = plot_time(&axis, x), to = plot_time(&axis, x + 1);
		const struct model_trial trial = {0, 2, 1};
		struct model_stretch at;

		if (!model_stretch_at(&stage.model, model_trial_run(&stage.model, &trial, 1), 2,
				      from, &at) ||
		    at.to_ns < to)
			continue;
		if (at.state == STATE_ON) {
			assert_int_equal(eighths_of(&row[x], COLOUR_WORKER2), 8);
			on++;
		} else if (at.state == STATE_WAITING) {
			assert_int_equal(row[x].glyph, 0x2500);
			waiting++;
		}
	}
	assert_true(on > 10 && waiting > 30);
	stage_close(&stage);
}

/* `a` has one task, `b` two. */
static void fill_alone(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	uint32_t first = programs_task(run, -1, false, "sort", 2000, 200 * ms);

	run->elapsed_ns = 201 * ms;
	programs_slice(run, first, 2000, 20 * ms, WHY_BLOCKED, 0);
	programs_slice(run, first, 140 * ms, 150 * ms, WHY_PREEMPTED, WAIT_PIPE);
	programs_slice(run, first, 170 * ms, 200 * ms, WHY_ENDED, 0);
	if (run->id.case_id == 0)
		return;
	programs_slice(run, programs_task(run, (int)first, true, "sort", 3 * ms, 150 * ms), 4 * ms,
		       150 * ms, WHY_ENDED, 0);
}

/* A blocked time so short that it rounds to 0 %. */
static void fill_hardly_blocked(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	uint32_t first = programs_task(run, -1, false, "sort", 2000, 200 * ms);

	run->elapsed_ns = 201 * ms;
	programs_slice(run, first, 2000, 100 * ms, WHY_BLOCKED, 0);
	programs_slice(run, first, 100 * ms + 20000, 150 * ms, WHY_PREEMPTED, WAIT_PIPE);
	programs_slice(run, first, 170 * ms, 200 * ms, WHY_ENDED, 0);
}

static void fill_blocked_unknown(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	uint32_t first = programs_task(run, -1, false, "sort", 2000, 200 * ms);

	run->elapsed_ns = 201 * ms;
	programs_slice(run, first, 2000, 100 * ms, WHY_BLOCKED, 0);
	programs_slice(run, first, 120 * ms, 200 * ms, WHY_ENDED, 0);
}

/* "blocked 10 %: ? 10 %" would be a riddle. */
static void an_unknown_reason_alone_is_not_listed(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_blocked_unknown, 2);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "on a core 90 %, runnable 0 %, blocked 10 %"));
	assert_false(stage_shows(&stage, "blocked 10 %:"));
	stage_close(&stage);
}

static void the_reasons_of_no_wait_are_not_listed(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_hardly_blocked, 2);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "on a core 90 %, runnable 10 %, blocked 0 %\n") ||
		    stage_shows(&stage, "on a core 90 %, runnable 10 %, blocked 0 % "));
	assert_false(stage_shows(&stage, "blocked 0 %:"));
	stage_close(&stage);
}

/* A truncated share would look like another one. */
static void the_states_of_a_program_s_only_task_end_with_a_share(void **state)
{
	struct stage stage;
	int shown = 0;

	open_programs(&stage, fill_alone, 2);
	for (int w = 50; w <= 120; w++) {
		char line[400], *end;
		const char *at = strstr(stage_draw(&stage, w, 30), "on a core 30 %");

		if (!at)
			continue;
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		end = line + strlen(line);
		while (end > line && end[-1] == ' ')
			*--end = '\0';
		assert_string_equal(end - 1, "%");
		shown++;
	}
	assert_in_range(shown, 60, 71);
	stage_close(&stage);
}

static void the_only_task_of_a_program_has_its_states_below_it(void **state)
{
	static const char text[] = "on a core 30 %, runnable 10 %, blocked 60 %: pipe 60 %";
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage stage;
		const char *shown;

		open_programs(&stage, fill_alone, 2);
		shown = strstr(stage_draw(&stage, sizes[i][0], sizes[i][1]), text);
		if (!shown)
			fail_msg("%s", stage.text);
		assert_null(strstr(shown + 1, "on a core 30 %"));
		assert_false(stage_shows(&stage, "create to join"));
		stage_close(&stage);
	}
}

/* `b` waits 60 ms longer for the GIL, which its second thread holds. */
static void fill_gil(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	const int64_t noise_ns = (int64_t)(run->id.trial * 7919 % 1000) * 1000;
	const int64_t end_ns = (run->id.case_id == 1 ? 160 : 100) * ms + noise_ns;
	uint32_t first = programs_task(run, -1, false, "python3", 2000, end_ns);

	run->elapsed_ns = end_ns + 1000;
	programs_slice(run, first, 2000, 40 * ms, WHY_BLOCKED, 0);
	programs_slice(run, first, end_ns - 40 * ms, end_ns, WHY_ENDED, WAIT_GIL);
	programs_slice(run, programs_task(run, (int)first, true, "python3", 3 * ms, 50 * ms),
		       4 * ms, 50 * ms, WHY_ENDED, 0);
}

static void the_overview_says_what_differs_between_two_programs(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_gil, 12);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "[FASTER] a is faster"));
	assert_true(stage_shows(&stage, "All of the difference is waiting for a lock (GIL)."));
	stage_close(&stage);
}

static void two_models_lie_one_below_the_other(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	struct stage stage;

	open_race(&stage, 6);
	show_at(&stage, 200 * MS);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const int w = sizes[i][0];
		const struct cell *first, *second;

		stage_draw(&stage, w, sizes[i][1]);
		first = row_of(&stage, "threads", "w1 cpu");
		second = row_of(&stage, "processes", "w1 cpu");
		assert_non_null(first);
		assert_non_null(second);
		assert_true(second - first >= 8 * w);
		assert_non_null(row_of(&stage, "threads", "w8 io"));
		assert_non_null(row_of(&stage, "processes", "w8 io"));
		assert_false(stage_shows(&stage, " of 2 →"));
		/* each has an edge in its colour */
		assert_int_equal(first->style.fg, COLOUR_MODEL0);
		assert_int_equal(second->style.fg, COLOUR_MODEL1);
	}
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "← 1 of 2 →"));
	assert_non_null(row_of(&stage, "threads", "w8 io"));
	assert_null(row_of(&stage, "processes", "w1 cpu"));
	stage_close(&stage);
}

static int cells_that_differ(const struct canvas *a, const struct cell *before)
{
	int n = 0;

	for (int i = 0; i < a->width * a->height; i++)
		n += !canvas_same_cell(&a->cells[i], &before[i]);
	return n;
}

/* When a run begins, nothing is known about its slices. That must not move any line. */
static void a_run_that_begins_moves_no_lane(void **state)
{
	struct stage whole, stage;

	open_race(&whole, 6);
	for (size_t i = 1; i < 6; i++) {
		const int64_t begin_ns = whole.model.runs[i].begin_ns;

		open_race_until(&stage, 6, begin_ns + 1000);
		stage_draw(&stage, 120, 36);
		assert_non_null(model_running(&stage.model));
		assert_false(model_has_slices(model_newest(&stage.model)));
		assert_true(stage_shows(&stage, "core 0"));
		assert_false(stage_shows(&stage, "I/O wait"));
		stage_close(&stage);
	}
	stage_close(&whole);
}

static void a_shorter_sentence_moves_no_lane_while_trials_go_on(void **state)
{
	static const char *const questions[] = {
		"A question that needs two lines of a screen of eighty columns, because it says "
		"more than one of them holds?",
		QUESTION};
	const struct cell *row[2];
	struct stage stage;

	open_race_until(&stage, 6, 2 * (int64_t)SECOND);
	for (int i = 0; i < 2; i++) {
		stage.view.state.question = questions[i];
		stage_draw(&stage, 80, 24);
		row[i] = row_of(&stage, "threads", "w1 cpu");
		assert_non_null(row[i]);
	}
	assert_ptr_equal(row[0], row[1]);
	stage_close(&stage);
}

/* Returns the number after a word of the top line; -1: the word is not there. */
static int number_after(const struct stage *stage, const char *word)
{
	const struct cell *cell = stage_find(stage, word);
	int n = 0;

	if (!cell)
		return -1;
	for (cell += strlen(word); cell->glyph >= '0' && cell->glyph <= '9'; cell++)
		n = 10 * n + (int)cell->glyph - '0';
	return n;
}

static void nothing_goes_backwards_when_a_trial_does_not_count(void **state)
{
	for (uint32_t crowded = 1; crowded <= 4; crowded++) {
		struct synthetic session;
		struct stage stage;
		double low = INFINITY, high = 0;
		uint32_t trials = 0;
		int number = 0, warnings = 0;

		synthetic_mixed(&session, 4);
		session.crowded_trial = crowded;
		stage_open(&stage, &session);
		for (int64_t at = 0; at <= stage.model.newest_ns; at += 20 * MS) {
			const struct view_cache *cache;
			struct view_median median;

			model_seek(&stage.model, at);
			stage_draw(&stage, 120, 50);
			cache = stage.view.cache;
			median = view_cache_median(stage.view.cache, &stage.model, 0);
			assert_true(median.trials >= trials);
			trials = (uint32_t)median.trials;
			/* Warnings count only whole trials, so another run does not remove one. */
			if (cache->n_warnings != warnings && !model_over(&stage.model))
				assert_int_equal(model_runs_ended(&stage.model) % 2, 0);
			warnings = cache->n_warnings;
			if (number_after(&stage, "  trial ") >= 0) {
				assert_true(number_after(&stage, "  trial ") >= number);
				number = number_after(&stage, "  trial ");
			}
			if (cache->runs_high <= 0)
				continue;
			assert_true(cache->runs_low <= low && cache->runs_high >= high);
			low = cache->runs_low;
			high = cache->runs_high;
		}
		assert_int_equal(trials, 4);
		assert_int_equal(number, 4);
		assert_true(high > low);
		stage_close(&stage);
	}
}

/* In one line if there is no room for bars. A title without a value would say nothing. */
static void the_figures_so_far_are_whole_or_absent(void **state)
{
	static const int sizes[][2] = {{80, 24}, {64, 20}, {100, 30}};
	struct stage whole;

	open_race(&whole, 6);
	for (size_t i = 0; i < whole.model.n_runs; i++)
		for (size_t k = 0; k < 3; k++) {
			struct stage stage;
			const char *text;

			open_race_until(&stage, 6, whole.model.runs[i].end_ns);
			show_at(&stage, 50 * MS);
			text = stage_draw(&stage, sizes[k][0], sizes[k][1]);
			if (strstr(text, "\n time ") && !strstr(text, "CPU\n time ") &&
			    !strstr(text, "\n time  "))
				assert_non_null(strstr(text, "\n time ●"));
			if (k == 0 && i >= 2 && i + 1 < whole.model.n_runs)
				assert_non_null(strstr(text, "\n CPU time ●"));
			stage_close(&stage);
		}
	stage_close(&whole);
}

static void short_runs_are_shown_once_each_model_has_run(void **state)
{
	const int64_t stops[] = {50 * MS, 90 * MS, 900 * MS};

	for (int i = 0; i < 3; i++) {
		struct race_clock clock = {0};
		struct stage stage;

		open_race_until(&stage, 6, stops[i]);
		race_advance(&clock, &stage.model, SECOND);
		stage.view.state.race = clock.race;
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, "threads") && stage_shows(&stage, "processes"));
		assert_int_equal(stage_shows(&stage, "w1 cpu"), i == 2);
		assert_int_equal(clock.race.trial.number > 0, i == 2);
		/* The legend explains only what is drawn. */
		assert_int_equal(stage_shows(&stage, "on a core"), i == 2);
		stage_close(&stage);
	}
}

/* Only the first of two runs has ended. Its values alone would look like a result. */
static void nothing_is_told_before_each_model_has_run(void **state)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}};
	struct race_clock clock = {0};
	struct stage stage;
	int64_t stop_ns;

	open_race(&stage, 6);
	stop_ns = stage.model.runs[0].end_ns + 20 * MS;
	assert_true(stop_ns < stage.model.runs[1].end_ns);
	stage_close(&stage);
	open_race_until(&stage, 6, stop_ns);
	race_advance(&clock, &stage.model, SECOND);
	assert_true(clock.race.early);
	stage.view.state.race = clock.race;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_false(stage_shows(&stage, "of one run"));
		assert_false(stage_shows(&stage, "every run"));
		assert_false(stage_shows(&stage, "ms"));
	}
	stage_close(&stage);
}

/* The mean of the readings during the run. A run too short for two readings has none. */
static void a_core_has_the_kernels_load_where_a_run_has_readings(void **state)
{
	for (int i = 0; i < 2; i++) {
		struct synthetic session;
		struct stage stage;
		const struct model_run *run;
		double sum = 0;
		char load[32];
		int n = 0;

		synthetic_mixed(&session, 6);
		session.slices = true;
		for (uint32_t k = 0; k < 2 && i == 1; k++)
			session.span_ns[k] = 150 * MS;
		stage_open(&stage, &session);
		run = model_latest(&stage.model, 0);
		for (size_t k = 1; k < stage.model.n_loads; k++) {
			const struct sample_core *core =
				&stage.model.cores[k * stage.model.n_cores];

			if (stage.model.loads[k - 1].time_ns < run->begin_ns ||
			    stage.model.loads[k].time_ns > run->end_ns)
				continue;
			sum += core->user + core->system + core->steal;
			n++;
		}
		snprintf(load, sizeof(load), "/%.0f %%", sum / 10 / MAX(1, n));
		stage_draw(&stage, 120, 36);
		assert_true(i == 0 ? n > 20 : n < 2);
		assert_int_equal(stage_shows(&stage, load), i == 0);
		assert_int_equal(stage_shows(&stage, "% run/all programs"), i == 0);
		stage_close(&stage);
	}
}

static void runs_of_a_second_are_shown_as_they_run(void **state)
{
	struct race_clock clock = {0};
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 2);
	session.warmup = 0;
	session.stop_ns = (int64_t)SECOND * 3 / 2;
	stage_open(&stage, &session);
	assert_non_null(model_running(&stage.model));
	race_advance(&clock, &stage.model, SECOND);
	stage.view.state.race = clock.race;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "w1 cpu"));
	stage_close(&stage);
}

/* While a trial is played, the time of a run is not yet a result. */
static void a_run_that_is_played_has_no_result_yet(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	show_at(&stage, 120 * MS);
	stage_draw(&stage, 120, 36);
	/* Threads took 100 ms, processes 140. */
	assert_true(stage_shows(&stage, "create to join"));
	assert_true(stage_shows(&stage, "processes  120 ms so far"));
	show_at(&stage, 140 * MS);
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, " ms so far"));
	stage_close(&stage);
}

static void the_position_hides_no_figure_of_the_axis(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	for (int64_t ns = 0; ns < 140 * MS; ns += MS) {
		show_at(&stage, ns);
		stage_draw(&stage, 120, 36);
		for (const char *const *figure = (const char *const[]) {"100", "120", NULL};
		     *figure; figure++)
			assert_true(stage_shows(&stage, *figure));
		for (int i = 0; i < 120 * 36; i++) {
			const struct cell *cell = &stage.canvas.cells[i];

			/* A digit of its own colour would look like another figure. */
			if (cell->glyph == '1' && cell[1].glyph == '0' && cell[2].glyph == '0') {
				assert_int_equal(cell[0].style.fg, cell[2].style.fg);
				assert_int_equal(cell[0].style.attr, cell[2].style.attr);
			}
			if (cell->glyph == 0x25b2)
				assert_false(cell->style.attr & ATTR_REVERSE);
		}
	}
	stage_close(&stage);
}

static void few_cells_change_in_a_frame_of_a_replay(void **state)
{
	enum { W = 120, H = 36 };
	static struct cell before[W * H];
	struct race_clock clock = {0};
	struct stage stage;
	int frames = 0, moved = 0, most = 0;

	open_race(&stage, 6);
	race_advance(&clock, &stage.model, SECOND);
	assert_true(clock.race.trial.number > 0);
	for (uint64_t now = SECOND; race_moves(&clock); now += SECOND / 10) {
		int differ;

		race_advance(&clock, &stage.model, now);
		stage.view.state.race = clock.race;
		stage_draw(&stage, W, H);
		differ = cells_that_differ(&stage.canvas, before);
		memcpy(before, stage.canvas.cells, sizeof(before));
		if (frames++ == 0 || !race_moves(&clock))
			continue;
		if (differ > CELLS_MOST)
			print_message("frame %d: %d cells\n", frames, differ);
		most = MAX(most, differ);
		moved += differ > 0;
	}
	/* 2 to 4 s in which the race moves all the time */
	assert_in_range(most, 1, CELLS_MOST);
	assert_in_range(frames, 20, 42);
	assert_in_range(moved, frames - 3, frames);
	stage_close(&stage);
}

/*
 * A whole screen has 6,500 bytes; a frame of the race has 1,525 on average, and at most 2,225. One
 * frame may be drawn whole: the first one after a late answer about the terminal's background. A
 * frame that is written in parts, because the terminal reads slowly, has 16 bytes more for each
 * part.
 */
enum {
	STILL_FRAMES = 20,
	FRAME_BYTES_MOST = 3000,
	WHOLE_BYTES_MOST = 10000,
	RACE_BYTES_MOST = 2000
};

static void blit(struct screen *screen, const struct canvas *canvas)
{
	while (!screen_blit(screen, canvas))
		poll(NULL, 0, 1);
}

/*
 * Draws the race in a terminal: n shows it a tenth of a second later, with the number of the frame
 * in the corner, and after it the number of the last frame that was drawn to its end; s draws the
 * same frame many times; q ends.
 */
static int race_on_terminal(void *arg)
{
	struct screen_options options = {.theme = theme_at(0), .tty_out = 1};
	struct race_clock clock = {0};
	struct screen *screen;
	struct stage stage;
	char error[200];
	int x, y, key, frame = 0, drawn = -1;

	setlocale(LC_ALL, "");
	screen = screen_open(&options, error, sizeof(error));
	if (!screen)
		return 1;
	open_race(&stage, 6);
	while ((key = screen_key(screen, &x, &y)) != 'q') {
		struct pollfd keys = {.events = POLLIN};

		if (key < 0)
			return 2;
		frame += key == 'n';
		race_advance(&clock, &stage.model, SECOND + (uint64_t)frame * SECOND / 10);
		stage.view.state.race = clock.race;
		for (int i = 0; i < (key == 's' ? STILL_FRAMES : 1); i++) {
			stage_draw(&stage, 120, 36);
			canvas_printf(&stage.canvas, 0, 0, -1, STYLE(COLOUR_DEFAULT), "%d%c %d ",
				      frame, race_moves(&clock) ? '+' : '-', drawn);
			blit(screen, &stage.canvas);
		}
		drawn = frame;
		canvas_printf(&stage.canvas, 0, 0, -1, STYLE(COLOUR_DEFAULT), "%d%c %d ", frame,
			      race_moves(&clock) ? '+' : '-', drawn);
		blit(screen, &stage.canvas);
		if (key == 0)
			poll(&keys, 1, -1);
	}
	screen_close(screen);
	stage_close(&stage);
	return 0;
}

/* Whether the first row says that the frame is drawn to its end. */
static bool is_drawn(struct pty *pty, const void *arg)
{
	const int *frame = arg;
	int shown = -1, drawn = -1;

	return sscanf(pty_row(pty, 0), "%d%*c %d ", &shown, &drawn) == 2 && shown == *frame &&
	       drawn == *frame;
}

static void a_frame_of_the_race_is_few_bytes_and_a_still_one_none(void **state)
{
	struct pty *pty = pty_call(race_on_terminal, NULL, NULL, 36, 120);
	uint64_t most = 0, all = 0, before;
	char number[16];
	int frame = 0, whole = 0;

	pty_expect(pty, "0+ 0 ");
	while (pty_row(pty, 0)[strcspn(pty_row(pty, 0), "+-")] == '+') {
		before = pty->bytes;
		pty_send(pty, "n");
		frame++;
		assert_true(pty_wait(pty, is_drawn, &frame));
		all += pty->bytes - before;
		most = MAX(most, pty->bytes - before);
		whole += pty->bytes - before > FRAME_BYTES_MOST;
		assert_in_range(frame, 1, 60);
	}
	print_message("%d frames, %llu bytes each, %llu at most\n", frame,
		      (unsigned long long)(all / (uint64_t)frame), (unsigned long long)most);
	assert_in_range(frame, 20, 42);
	assert_in_range(most, 1, WHOLE_BYTES_MOST);
	assert_in_range(whole, 0, 1);
	assert_in_range(all / (uint64_t)frame, 1, RACE_BYTES_MOST);
	/* At the end of the race, only the number changes. */
	before = pty->bytes;
	pty_send(pty, "sssn");
	snprintf(number, sizeof(number), "%d-", ++frame);
	pty_expect(pty, number);
	assert_in_range(pty->bytes - before, 1, 60);
	pty_send(pty, "q");
	pty_expect_exit(pty, 0);
	pty_free(pty);
}

static void the_answer_is_shown_once_everything_is_measured(void **state)
{
	struct race_clock clock = {0};
	struct stage stage;
	uint64_t now = SECOND;

	open_race(&stage, 6);
	stage.view.state.question = QUESTION;
	model_seek(&stage.model, stage.model.newest_ns / 2);
	for (int i = 0; i < 100; i++, now += SECOND / 10)
		race_advance(&clock, &stage.model, now);
	stage.view.state.race = clock.race;
	stage_draw(&stage, 120, 36);
	assert_false(clock.race.moves);
	assert_true(stage_shows(&stage, QUESTION));
	assert_false(stage_shows(&stage, "FASTER"));
	/* all is measured, and all of the trial nearest to the medians is below the answer */
	model_seek(&stage.model, stage.model.newest_ns);
	race_advance(&clock, &stage.model, now);
	assert_true(clock.race.nearest);
	assert_int_equal(clock.race.ns, clock.race.length_ns);
	/* from then on nothing moves */
	for (int i = 0; i < 50; i++, now += SECOND / 10) {
		race_advance(&clock, &stage.model, now);
		stage.view.state.race = clock.race;
		assert_false(clock.race.moves);
	}
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, QUESTION));
	assert_true(stage_shows(&stage, "[FASTER] threads are faster: "));
	stage_close(&stage);
}

/* A win by 2 % is as quiet as no difference; a win by 40 % has the winner's hue. */
static void only_a_win_of_some_size_colours_the_band(void **state)
{
	struct stage stage;

	for (int percent = 2; percent <= 40; percent += 38) {
		const struct cell *end;

		open_race(&stage, 12);
		for (size_t i = 0; i < stage.model.n_runs; i++) {
			struct sample_totals *totals = &stage.model.runs[i].totals;

			totals->elapsed_ns = 100 * MS;
			if (stage.model.runs[i].id.case_id == 1)
				totals->elapsed_ns += percent * MS;
		}
		synthetic_changed(&stage.model);
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage_shows(&stage, "[FASTER] threads are slightly faster: "),
				 percent == 2);
		assert_int_equal(stage_shows(&stage, "[FASTER] threads are faster: "),
				 percent == 40);
		end = &stage.canvas.cells[2 * stage.canvas.width - 1];
		assert_int_equal((end->style.attr & ATTR_REVERSE) != 0, percent == 40);
		stage_close(&stage);
	}
}

/* A sentence is cut only between its parts, never inside brackets. */
static void figures_beside_the_question_end_where_a_part_ends(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.span_ns[0] = session.span_ns[1] = 100 * MS;
	session.others = 500;
	stage_open(&stage, &session);
	stage.view.state.question = QUESTION;
	model_seek(&stage.model, stage.model.newest_ns * 9 / 10);
	show_at(&stage, 50 * MS);
	for (int w = 80; w <= 200; w++) {
		const char *line = strchr(stage_draw(&stage, w, 36), '\n') + 1;
		const char *end = strchr(line, '\n');
		int open = 0;

		assert_true(stage_shows(&stage, QUESTION));
		for (; line < end; line++)
			open += (*line == '(') - (*line == ')');
		if (open)
			fail_msg("%d columns: %s", w, stage.text);
	}
	stage_close(&stage);
}

/*
 * A command may contain the bytes that separate the sentence's parts. The question about programs
 * gives way to the answer with its badge as soon as a program is faster, before the last trial.
 */
static void an_answer_is_not_cut_within_the_name_of_a_program(void **state)
{
	static const char name[] = "sh -c \"a; b (c\"";
	struct stage stage;

	open_programs(&stage, fill_gil, 12);
	snprintf(stage.model.cases[0].model, sizeof(stage.model.cases[0].model), "%s", name);
	synthetic_changed(&stage.model);
	stage.view.state.question = QUESTION;
	model_seek(&stage.model, stage.model.newest_ns * 9 / 10);
	for (int w = 64; w <= 200; w++) {
		char *line = strchr(stage_draw(&stage, w, 36), '\n') + 1;

		*strchr(line, '\n') = '\0';
		if (strstr(line, "sh -c") && !strstr(line, name))
			fail_msg("%d columns: %s", w, line);
		if (strstr(line, QUESTION) || !strstr(line, "[FASTER] "))
			fail_msg("%d columns: %s", w, line);
	}
	stage_close(&stage);
}

/* On a small screen, the question and the preliminary answer about programs have a line each. */
static void a_question_about_programs_and_its_answer_have_a_line_each(void **state)
{
	static const char *const names[] = {"python3 slow_words.py", "python3 quick_words.py"};
	struct stage stage;
	char line[80];

	open_programs(&stage, fill_gil, 12);
	for (int i = 0; i < 2; i++)
		snprintf(stage.model.cases[i].model, sizeof(stage.model.cases[i].model), "%s",
			 names[i]);
	synthetic_changed(&stage.model);
	stage.view.state.question = QUESTION;
	model_seek(&stage.model, stage.model.newest_ns * 3 / 10);
	stage_draw(&stage, 80, 24);
	snprintf(line, sizeof(line), QUESTION "\n %s ", names[0]);
	if (!stage_shows(&stage, line))
		fail_msg("%s", stage.text);
	stage_close(&stage);
}

/*
 * A command is not shortened if both have the same program, if one has a name of its own, or if it
 * is short.
 */
static void an_answer_names_long_commands_by_their_programs(void **state)
{
	static const struct {
		const char *commands[2], *name, *says;
	} rows[] = {
		{{"/usr/bin/perl -e 'for (1..300000) { $x++ }'", "awk -f x"},
		 "",
		 "] perl is faster"},
		{{"perl -e 'for (1..300000) { $x++ }'", "perl -f x"}, "", "] perl -e 'for"},
		{{"perl -e 'for (1..300000) { $x++ }'", "awk -f x"}, "mine", "] perl -e 'for"},
		{{"perl -e 1", "awk -f x"}, "", "] perl -e 1 is faster"},
		{{"gzip -1 -c /usr/bin/gdb", "gzip -9 -c /usr/bin/gdb"}, "", "] gzip -1 is faster"},
		{{"perl -e 'for (1..30) { $x++ }'", "perl -e 'for (1..90) { $x++ }'"},
		 "",
		 "] perl -e 'for (1..30) { $x++ }' is faster"},
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct stage stage;

		open_programs(&stage, fill_gil, 12);
		for (int k = 0; k < 2; k++) {
			struct sample_case *config = &stage.model.cases[k];

			snprintf(config->command, sizeof(config->command), "%s",
				 rows[i].commands[k]);
			snprintf(config->model, sizeof(config->model), "%s",
				 k == 1 && *rows[i].name ? rows[i].name : rows[i].commands[k]);
		}
		synthetic_changed(&stage.model);
		stage_draw(&stage, 120, 36);
		if (!stage_shows(&stage, rows[i].says))
			fail_msg("%s: %s", rows[i].says, stage.text);
		stage_close(&stage);
	}
}

/* A reader cannot compare 1.0 MiB with 977 KiB, and a unit that changes moves the bars. */
static void memory_of_programs_has_one_unit(void **state)
{
	static const struct {
		double kib, greatest;
		const char *text;
	} rows[] = {{977, 1040, "0.95 MiB"},
		    {1040, 1040, "1.02 MiB"},
		    {969, 994, "0.95 MiB"},
		    {300, 400, "300 KiB"},
		    {900, 20480, "0.9 MiB"}};
	char text[48];

	for (size_t i = 0; i < LENGTH(rows); i++)
		assert_string_equal(
			view_memory_alike(METRIC_MEMORY, "", rows[i].kib, rows[i].greatest, text),
			rows[i].text);
}

/* Four lines of one colour said no more than one, so a program's memory has some of them. */
static void a_program_has_its_memory_below_its_lane(void **state)
{
	const struct cell *row;
	struct stage stage;
	int inked = 0;

	open_programs(&stage, fill_alone, 2);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];
		const int64_t step_ns = (run->end_ns - run->begin_ns) / 8;

		assert_true(run->n_points == 0);
		run->points = calloc(6, sizeof(*run->points));
		run->n_points = 6;
		for (int k = 0; k < 6; k++)
			run->points[k] = (struct model_point) {
				.time_ns = run->begin_ns + (k + 1) * step_ns,
				.memory = {.pss_kb = 500 + 100 * k, .kernel_kb = 80}};
	}
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	row = stage_find(&stage, "memory  ");
	assert_non_null(row);
	row -= (row - stage.canvas.cells) % 120;
	for (int x = 11; x < 100; x++)
		inked += row[x].glyph >= 0x2581 && row[x].glyph <= 0x2588;
	assert_true(inked > 10);
	/* The top of the scale, which stays when later trials have less memory. */
	assert_true(stage_shows(&stage, " 1.50 MiB"));
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		for (size_t k = 0; k < stage.model.runs[i].n_points; k++)
			stage.model.runs[i].points[k].memory.pss_kb /= 2;
		stage.model.runs[i].totals.memory.pss_kb = 600;
	}
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " 1.50 MiB"));
	stage_close(&stage);
}

/* The key was cut by an ellipsis at 80 columns. */
static void the_key_of_programs_fits_a_small_screen(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_alone, 2);
	stage.view.state.race.early = true;
	stage_draw(&stage, 80, 24);
	assert_false(stage_shows(&stage, "One bar per worker"));
	assert_false(stage_shows(&stage, "blocked ┤…"));
	stage_close(&stage);
}

/* Blank lines looked as if the program had no memory. */
static void a_program_too_short_for_samples_says_so(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_alone, 2);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.memory.pss_kb = 900;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "too short to sample"));
	assert_false(stage_shows(&stage, " 4 KiB"));
	stage_close(&stage);
}

/* Later trials take longer, so the median of the trials before the played one would be less. */
static void a_tree_played_to_its_end_has_its_totals_and_the_medians_of_all(void **state)
{
	struct view_race *race;
	struct stage stage;
	char median[32], peak[32], *text;

	stage_tree(&stage);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.elapsed_ns += (int64_t)i * 10 * MS;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 200, 50);
	/* the figure beside the first bar */
	text = strstr(stage.text, "● ");
	assert_non_null(text);
	snprintf(median, sizeof(median), "%.10s", text);
	race = &stage.view.state.race;
	*race = (struct view_race) {.trial = {0, 2, 2}, .slower = 20};
	race->length_ns = race->axis_ns = model_trial_length(&stage.model, &race->trial);
	for (int end = 0; end < 2; end++) {
		if (end)
			race->ns = race->length_ns;
		else
			race->ns = race->length_ns / 2;
		race->moves = !end;
		stage_draw(&stage, 200, 50);
		if (!stage_shows(&stage, median))
			fail_msg("%s: %s", median, stage.text);
		assert_true(stage_shows(&stage, "trial 2"));
	}
	snprintf(peak, sizeof(peak), "peak %lld\n",
		 (long long)model_trial_run(&stage.model, &race->trial, 0)->totals.peak_alive);
	assert_true(stage_shows(&stage, "▌ alive"));
	assert_true(stage_shows(&stage, peak));
	assert_false(stage_shows(&stage, "peak 0"));
	assert_false(stage_shows(&stage, "–"));
	stage_close(&stage);
}

/* After the position, no lane continues. Before it, every lane does. */
static void assert_both_at(struct stage *stage, const struct view_race *race)
{
	static const char *const models[] = {"threads", "processes"};
	struct plot_axis axis;

	stage->view.state.race = *race;
	stage_draw(stage, 120, 36);
	axis = view_rows_axis(&stage->model, &stage->view.state, 0, 2, 11, 99);
	for (int i = 0; i < 2; i++) {
		const struct cell *row = row_of(stage, models[i], "w2 cpu");
		const int cell = plot_cell(&axis, race->ns);

		assert_non_null(row);
		for (int x = cell + 1; x < axis.w; x++)
			assert_true(row[axis.x + x].glyph == 0 || row[axis.x + x].glyph == ' ');
		assert_in_range(row[axis.x + cell - 1].glyph, 0x2500, 0x2590);
	}
}

static void keys_move_both_models_alike(void **state)
{
	struct race_clock clock = {0};
	struct stage stage;
	int64_t at;

	open_race(&stage, 6);
	race_advance(&clock, &stage.model, SECOND);
	race_advance(&clock, &stage.model, SECOND + 1);
	race_advance(&clock, &stage.model, 2 * SECOND);
	assert_in_range(clock.race.ns, 20 * MS, 80 * MS);
	assert_both_at(&stage, &clock.race);
	assert_true(race_pause(&clock));
	at = clock.race.ns;
	race_advance(&clock, &stage.model, 3 * SECOND);
	race_advance(&clock, &stage.model, 30 * SECOND);
	assert_int_equal(clock.race.ns, at);
	assert_both_at(&stage, &clock.race);
	for (int i = 0; i < 5; i++)
		assert_true(race_step(&clock, &stage.model, 1));
	assert_true(clock.race.ns > at);
	assert_both_at(&stage, &clock.race);
	for (int i = 0; i < 8; i++)
		assert_true(race_step(&clock, &stage.model, -1));
	assert_true(clock.race.ns < at);
	assert_both_at(&stage, &clock.race);
	/* paused time does not count */
	assert_true(race_pause(&clock));
	at = clock.race.ns;
	race_advance(&clock, &stage.model, 60 * SECOND);
	assert_int_equal(clock.race.ns, at);
	stage_close(&stage);
}

/* Columns of a figure before its bar. */
enum { FIGURE_W = 12 };

/* Returns the eighths of a model's bar below the title "time". */
static int bar_of(const struct stage *stage, int model)
{
	const int w = stage->canvas.width;
	const struct cell *title = stage_find_in(stage->canvas.cells + 3 * w, w * 9, " time ");
	int eighths = 0;

	assert_non_null(title);
	for (const struct cell *cell = title + 1 + FIGURE_W + (1 + model) * w;
	     cell->glyph >= 0x2588 && cell->glyph <= 0x258f; cell++)
		eighths += 0x2590 - (int)cell->glyph;
	return eighths;
}

/*
 * Sets the times of processes, to `first` in the first trial and to `later` in the others, and
 * draws the frame in which the medians become those of all trials. Threads take 100 ms.
 */
static void draw_new_medians(struct stage *stage, int64_t first, int64_t later)
{
	for (size_t i = 0; i < stage->model.n_runs; i++) {
		struct model_run *run = &stage->model.runs[i];

		run->totals.elapsed_ns = 100 * MS;
		if (run->id.case_id == 1)
			run->totals.elapsed_ns = run->id.trial == 1 ? first : later;
	}
	synthetic_changed(&stage->model);
	/* the first trial has ended */
	model_seek(&stage->model, stage->model.runs[2].begin_ns);
	stage_draw(stage, 120, 36);
}

static void bars_move_from_the_old_medians_to_the_new_ones(void **state)
{
	struct stage stage;
	int all;

	open_race(&stage, 6);
	draw_new_medians(&stage, 94 * MS, 98 * MS);
	all = bar_of(&stage, 0);
	assert_true(all > 80);
	assert_in_range(bar_of(&stage, 1) * 100, all * 94 - 100, all * 94 + 100);
	/* Some runs take longer, so the difference is not real. */
	for (size_t i = 0; i < stage.model.n_runs; i++)
		if (stage.model.runs[i].id.case_id == 1 && stage.model.runs[i].id.trial % 3 == 0)
			stage.model.runs[i].totals.elapsed_ns = 104 * MS;
	synthetic_changed(&stage.model);
	model_seek(&stage.model, stage.model.newest_ns);
	for (int quarter = 0; quarter <= 4; quarter++) {
		stage.view.state.unsettled = 1 - quarter / 4.;
		stage_draw(&stage, 120, 36);
		assert_int_equal(bar_of(&stage, 0), all);
		assert_in_range(bar_of(&stage, 1) * 100, all * (94 + quarter) - 80,
				all * (94 + quarter) + 80);
		/* the value is the new median from the first frame on */
		assert_true(stage_shows(&stage, "■ 98.0 ms"));
	}
	stage_close(&stage);
}

/*
 * If the old lengths have another order than the new medians, or another ratio, the bars have their
 * new lengths in the same frame as the medians.
 */
static void bars_that_would_contradict_their_medians_jump(void **state)
{
	static const int64_t times[][2] = {
		{106 * MS, 97 * MS}, {97 * MS, 106 * MS}, {50 * MS, 100 * MS}, {200 * MS, 96 * MS}};

	for (size_t i = 0; i < LENGTH(times); i++) {
		const double ratio = (double)times[i][1] / (100 * MS);
		struct stage stage;

		open_race(&stage, 6);
		draw_new_medians(&stage, times[i][0], times[i][1]);
		/* The second trial has ended, and the median is between both. */
		model_seek(&stage.model, stage.model.newest_ns - 1);
		stage.view.state.unsettled = 1;
		stage_draw(&stage, 120, 36);
		assert_int_not_equal(stage.view.cache->answer.state, ANSWER_REAL);
		assert_in_range(bar_of(&stage, 1) * 100,
				(bar_of(&stage, 0) - 1) * ratio * 100 - 100,
				(bar_of(&stage, 0) + 1) * ratio * 100 + 100);
		stage_close(&stage);
	}
}

/* A moving bar of a significant difference would look as if the difference could still change. */
static void bars_of_a_real_difference_do_not_move(void **state)
{
	struct stage stage;
	int half = 0;

	open_race(&stage, 6);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		run->totals.elapsed_ns = (run->id.case_id == 1 ? 200 : 100) * MS;
		if (run->id.case_id == 0 && run->id.trial == 1)
			run->totals.elapsed_ns = 50 * MS;
	}
	synthetic_changed(&stage.model);
	model_seek(&stage.model, stage.model.runs[2].begin_ns);
	stage_draw(&stage, 120, 36);
	model_seek(&stage.model, stage.model.newest_ns);
	for (int quarter = 0; quarter <= 4; quarter++) {
		stage.view.state.unsettled = 1 - quarter / 4.;
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage.view.cache->answer.state, ANSWER_REAL);
		if (quarter == 0)
			half = bar_of(&stage, 0);
		assert_int_equal(bar_of(&stage, 0), half);
		assert_in_range(bar_of(&stage, 1), 2 * half - 2, 2 * half + 2);
	}
	stage_close(&stage);
}

/* Two bars of the same figure would seem to contradict it. */
static void medians_printed_alike_have_bars_of_one_length(void **state)
{
	static const int64_t times_us[][2] = {{100120, 100440}, {100440, 100120}, {100120, 101120}};

	for (size_t i = 0; i < LENGTH(times_us); i++) {
		struct stage stage;

		open_race(&stage, 6);
		for (size_t k = 0; k < stage.model.n_runs; k++)
			stage.model.runs[k].totals.elapsed_ns =
				times_us[i][stage.model.runs[k].id.case_id] * 1000;
		synthetic_changed(&stage.model);
		stage_draw(&stage, 240, 36);
		assert_true(stage_shows(&stage, "● 100 ms"));
		assert_int_equal(stage_shows(&stage, "■ 100 ms"), i < 2);
		assert_int_equal(bar_of(&stage, 0) == bar_of(&stage, 1), i < 2);
		stage_close(&stage);
	}
}

/* Of medians that change several times a second, nobody can read any. */
static void figures_stay_while_they_are_steady(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	stage.view.state.live = true;
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.elapsed_ns = (100 + (int64_t)i) * MS;
	synthetic_changed(&stage.model);
	for (size_t i = 3; i < stage.model.n_runs; i += 2) {
		model_seek(&stage.model, stage.model.runs[i].end_ns);
		stage.view.state.steady = i % 4 == 1;
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage.view.cache->key.ended, i + 1 - (i % 4 == 1 ? 2 : 0));
	}
	/* The answer comes at once. */
	stage.view.state.steady = true;
	model_seek(&stage.model, INT64_MAX);
	stage_draw(&stage, 120, 36);
	assert_int_equal(stage.view.cache->key.ended, stage.model.n_runs);
	stage_close(&stage);
}

/* Makes all slices of a model's runs 0.2 ms long, a seventh of a cell. */
static void shorten_slices(struct stage *stage, uint32_t case_id)
{
	for (size_t i = 0; i < stage->model.n_runs; i++) {
		const struct model_run *run = &stage->model.runs[i];

		for (uint32_t worker = 0; worker < run->n_workers; worker++) {
			size_t n;
			struct sample_slice *slices =
				(struct sample_slice *)model_slices(run, worker, &n);

			for (size_t k = 0; k < n && run->id.case_id == case_id; k++)
				slices[k].off_ns = slices[k].on_ns + MS / 5;
		}
	}
	synthetic_changed(&stage->model);
}

/* Counts the cells of a model's first six lanes whose glyphs are in [from, to]. */
static int lane_cells(const struct stage *stage, const char *model, uint32_t from, uint32_t to)
{
	int found = 0;

	for (int worker = 1; worker <= 6; worker++) {
		const struct cell *row;
		char name[16];

		snprintf(name, sizeof(name), "w%d cpu", worker);
		row = row_of(stage, model, name);
		for (int x = 11; x < 110; x++)
			found += row[x].glyph >= from && row[x].glyph <= to;
	}
	return found;
}

/* Counts the numbers of workers in the lanes of a model's cores. */
static int core_numbers(const struct stage *stage, const char *model)
{
	const struct cell *row = row_of(stage, model, "core 0");
	int found = 0;

	for (int x = 11; x < 110; x++)
		found += row[x].glyph >= '1' && row[x].glyph <= '9' &&
			 row[x].style.attr & ATTR_REVERSE;
	return found;
}

/*
 * One model's slices have cells of their own, the other's do not. If most slices are short, short
 * ones are drawn by shares from below in both models. Slices that are longer than a cell keep their
 * exact edges, so that they do not look like steps.
 */
static void models_of_a_frame_have_lanes_of_one_kind(void **state)
{
	static const char *const models[] = {"threads", "processes"};

	for (uint32_t dense = 0; dense < 2; dense++) {
		const struct model_run *runs[2];
		struct plot_axis axis;
		struct stage stage;

		open_race(&stage, 6);
		shorten_slices(&stage, dense);
		show_at(&stage, 140 * MS);
		stage_draw(&stage, 120, 36);
		axis = (struct plot_axis) {0, stage.view.state.race.axis_ns, 11, 99};
		for (uint32_t i = 0; i < 2; i++) {
			runs[i] = model_trial_run(&stage.model, &stage.view.state.race.trial, i);
			assert_int_equal(
				view_lane_is_dense(stage.view.cache, &stage.model, runs[i], &axis),
				i == dense);
		}
		/* The longer runs, those of processes, have more slices. */
		for (int i = 0; i < 2; i++) {
			const int shares = lane_cells(&stage, models[i], 0x2581, 0x2587);
			const int edges = lane_cells(&stage, models[i], 0x2589, 0x258f);

			assert_int_equal(shares > 0, dense == 1 && i == 1);
			/* Numbers of workers are in slices as long as a cell, in both kinds. */
			assert_true(core_numbers(&stage, models[i]) > 0 || (dense && i == 1));
			if (dense == 1)
				assert_int_equal(edges > 0, i == 0);
		}
		assert_int_equal(stage_shows(&stage, "in part"), dense == 1);
		stage_close(&stage);
	}
}

/* Returns the eighths of the bar that begins at a cell. */
static int eighths_of_bar(const struct cell *cell)
{
	int eighths = 0;

	for (; cell->glyph == 0x2588; cell++)
		eighths += 8;
	if (cell->glyph > 0x2588 && cell->glyph <= 0x258f)
		eighths += 0x2590 - (int)cell->glyph;
	return eighths;
}

/* For each metric, the longer bar has the greater median, and both bars have one scale. */
static void no_bar_contradicts_its_figure(void **state)
{
	static const struct {
		const char *title;
		enum model_metric metric;
	} metrics[] = {{" time  ", METRIC_ELAPSED}, {" memory  ", METRIC_MEMORY}};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct cell *title;
		int eighths[2];
		double median[2];

		stage_draw(&stage, 120, 36);
		/* below the sentence */
		title = stage_find_in(stage.canvas.cells + 3 * 120, 20 * 120, metrics[i].title);
		assert_non_null(title);
		for (uint32_t id = 0; id < 2; id++) {
			struct report_summary summary;

			report_summarize(&stage.model, id, metrics[i].metric, &summary);
			median[id] = summary.median.estimate;
			eighths[id] = eighths_of_bar(title + (int)(id + 1) * 120 + 1 + FIGURE_W);
		}
		assert_true(eighths[0] > 8 && eighths[1] > 8);
		assert_true(fabs(eighths[0] / (double)eighths[1] - median[0] / median[1]) < 0.02);
	}
	stage_close(&stage);
}

/* Reads the last time in w cells, "12.3 ms" or "12 ms", ns; -1: there is none. */
static double last_time(const struct cell *cells, int w)
{
	char text[256], *unit;
	int n = 0;

	for (int i = 0; i < w; i++) {
		text[n] = (char)(cells[i].glyph < 0x80 ? cells[i].glyph : ' ');
		if (text[n] < ' ')
			text[n] = ' ';
		n++;
	}
	text[n] = '\0';
	while (n > 0 && !strchr("0123456789", text[n - 1]))
		n--;
	while (n > 0 && strchr("0123456789.", text[n - 1]))
		n--;
	if (n == 0)
		return -1;
	return strtod(text + n, &unit) * (double)(strncmp(unit, " ms", 3) == 0 ? MS : 1000);
}

/* Checks that a worker's lane is as long as the lifetime beside it, which is within the run. */
static void check_lane(const struct cell *row, double cell_ns, double title_ns)
{
	const double lifetime_ns = last_time(row, 120);
	int first = 11, end = 110;

	while (first < end && row[first].glyph <= ' ')
		first++;
	while (end > first && row[end - 1].glyph <= ' ')
		end--;
	if (first == end)
		return;
	assert_true(lifetime_ns <= title_ns + (double)MS);
	/* A lane may begin and end within a cell, and a running lifetime is in whole ms. */
	assert_true(fabs((end - first) * cell_ns - lifetime_ns) <= 2 * cell_ns + (double)MS);
}

/*
 * All tasks are held for 20 ms while their memory is read. Neither the run's time nor a lifetime
 * counts that, so no lane has it, and no time goes back when its run ends.
 */
static void a_lane_is_as_long_as_its_lifetime(void **state)
{
	static const char *const models[] = {"threads", "processes"};
	double before[2] = {0}, cell_ns;
	const struct model_run *run;
	struct stage stage;

	open_race(&stage, 6);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct sample_totals *totals = &stage.model.runs[i].totals;

		totals->held_ns = 20 * MS;
		totals->go_ns = 30 * MS;
		totals->elapsed_ns -= totals->held_ns;
	}
	synthetic_changed(&stage.model);
	for (int64_t ns = 2 * MS; ns <= 120 * MS; ns += 2 * MS) {
		show_at(&stage, ns);
		cell_ns = plot_nice((double)stage.view.state.race.axis_ns) / 99;
		stage_draw(&stage, 120, 36);
		for (int i = 0; i < 2; i++) {
			const double title_ns = last_time(row_of(&stage, models[i], models[i]), 40);

			assert_true(title_ns >= before[i]);
			before[i] = title_ns;
			for (int worker = 1; worker <= 8; worker++) {
				char name[16];

				snprintf(name, sizeof(name), "w%d %s", worker,
					 worker < 7 ? "cpu" : "io");
				check_lane(row_of(&stage, models[i], name), cell_ns, title_ns);
			}
		}
	}
	for (uint32_t i = 0; i < 2; i++) {
		run = model_trial_run(&stage.model, &stage.view.state.race.trial, i);
		assert_true(fabs(before[i] - (double)run->totals.elapsed_ns) < (double)MS);
	}
	stage_close(&stage);
}

/* A lane begins where the lifetime beside it begins, at the first instruction. */
static void a_lane_begins_at_the_first_instruction(void **state)
{
	const struct sample_slice *slices;
	const struct model_run *run;
	const struct cell *row;
	struct plot_axis axis;
	struct stage stage;
	int64_t on_ns;
	size_t n;

	open_race(&stage, 6);
	show_at(&stage, 140 * MS);
	run = model_trial_run(&stage.model, &stage.view.state.race.trial, 0);
	slices = model_slices(run, 5, &n);
	assert_true(n > 0);
	on_ns = slices[0].on_ns;
	KNOW(run, 5, create_ns, 0);
	((struct sample_slice *)slices)[0].ready_ns = 0;
	KNOW(run, 5, start_ns, on_ns);
	KNOW(run, 5, created_ns, on_ns);
	stage_draw(&stage, 120, 36);
	axis = view_rows_axis(&stage.model, &stage.view.state, 0, 2, 11, 99);
	row = row_of(&stage, "threads", "w6 cpu");
	assert_non_null(row);
	assert_true(plot_cell(&axis, on_ns) > 2);
	for (int x = 0; x < plot_cell(&axis, on_ns); x++)
		assert_true(row[axis.x + x].glyph <= ' ');
	assert_true(row[axis.x + plot_cell(&axis, on_ns)].glyph > ' ');
	stage_close(&stage);
}

/* On any screen, the longest run's lanes use most of the width. */
static void lanes_have_the_whole_width(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	struct stage stage;

	open_race(&stage, 6);
	show_at(&stage, 200 * MS);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const int w = sizes[i][0];
		const struct cell *row;
		int inked = 0;

		stage_draw(&stage, w, sizes[i][1]);
		row = row_of(&stage, "processes", "w1 cpu");
		assert_non_null(row);
		for (int x = 11; x < w - 9; x++)
			inked += row[x].glyph > ' ';
		assert_true(inked > (w - 20) * 9 / 10);
	}
	stage_close(&stage);
}

/* The axis of a running run is that of the run before, also if the session has one model only. */
static void a_live_run_does_not_zoom_the_axis(void **state)
{
	for (uint32_t cases = 1; cases <= 2; cases++) {
		struct synthetic session;
		struct stage whole;
		int64_t to_ns = 0;

		synthetic_mixed(&session, 3);
		session.cases = cases;
		stage_open(&whole, &session);
		for (int tenth = 1; tenth < 10; tenth += 2) {
			const struct model_run *run = &whole.model.runs[2 * cases];
			struct plot_axis axis;
			struct stage stage;

			session.stop_ns =
				run->begin_ns + (run->end_ns - run->begin_ns) * tenth / 10;
			stage_open(&stage, &session);
			axis = view_rows_axis(&stage.model, &stage.view.state, 0, cases, 11, 99);
			if (to_ns == 0)
				to_ns = axis.to_ns;
			assert_int_equal(axis.to_ns, to_ns);
			stage_close(&stage);
		}
		assert_true(to_ns > 2 * (int64_t)SECOND);
		stage_close(&whole);
	}
}

/*
 * The first screen shows the result of a crash: the number of survivors, as a bar and beside each
 * model.
 */
static void survivors_of_a_crash_have_bars_and_a_place_in_titles(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.slices = true;
	stage_open(&stage, &session);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		stage.model.runs[i].totals.fault = 1;
		stage.model.runs[i].totals.survived = 7 * stage.model.runs[i].id.case_id;
	}
	stage.model.saw_fault = true;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " survived "));
	assert_true(stage_shows(&stage, "0 of 8 survived"));
	assert_true(stage_shows(&stage, "7 of 8 survived"));
	assert_false(stage_shows(&stage, "MiB"));
	/* Survivors are counted, so the difference has no ratio. */
	assert_true(stage_shows(&stage, " survived  real"));
	assert_false(stage_shows(&stage, "every run"));
	/* When the parents noticed is not compared, and it is no value of a single run. */
	assert_false(stage_shows(&stage, "of one run"));
	/* Only the bar of all eight would be full. */
	assert_true(stage_shows(&stage, "█"));
	assert_false(stage_shows(&stage, "█ ■ 7"));
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "●0 ■7 real"));
	stage_close(&stage);
}

/* Both models need about 100 ms, but one run of processes was stopped and needed a second. */
static void a_run_that_is_far_off_does_not_squeeze_all_others(void **state)
{
	struct stage stage;
	const struct cell *row;
	int first = 0, last = 0;

	open_race(&stage, 12);
	stage.model.runs[5].totals.elapsed_ns = (int64_t)SECOND;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1 at 1.00 s →"));
	assert_false(stage_shows(&stage, "to 1."));
	row = stage_find(&stage, "every run");
	assert_non_null(row);
	for (int x = 12; x < 120; x++) {
		if (row[x].glyph != 0x25cb && row[120 + x].glyph != 0x25a0)
			continue;
		first = first ? first : x;
		last = x;
	}
	/* The medians of the models are far from each other. */
	assert_true(last - first > 30);
	stage_close(&stage);
}

/*
 * The difference is not only shown by green: the figure of the model that is really better is bold.
 * Both times are bold, because they are what an audience reads first.
 */
static void the_better_figure_is_bold(void **state)
{
	const struct cell *better, *worse;
	struct stage stage;

	open_race(&stage, 12);
	stage_draw(&stage, 120, 36);
	/* Below the answer, which is bold and has the figures, too. */
	better = stage_find_in(stage.canvas.cells + 4 * 120, 120, " 99.7 ms");
	assert_non_null(better);
	worse = stage_find_in(better, 2 * 120, " 140 ms");
	assert_non_null(worse);
	assert_true(better[1].style.attr & ATTR_BOLD);
	assert_true(worse[1].style.attr & ATTR_BOLD);
	better = stage_find_in(stage.canvas.cells + 4 * 120, 4 * 120, " 0.24 ms");
	assert_non_null(better);
	worse = stage_find_in(better, 4 * 120, " 0.73 ms");
	assert_non_null(worse);
	assert_true(better[1].style.attr & ATTR_BOLD);
	assert_false(worse[1].style.attr & ATTR_BOLD);
	stage_close(&stage);
}

/* One colour means real, however small the difference is. */
static void each_real_difference_has_the_same_colour(void **state)
{
	static const char *const differences[] = {" 1.01x, real", " 3.0x, real"};
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 12);
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	for (size_t i = 0; i < LENGTH(differences); i++) {
		const struct cell *cell = stage_find(&stage, differences[i]);

		assert_non_null(cell);
		assert_int_equal(cell[1].style.fg, COLOUR_GOOD);
	}
	stage_close(&stage);
}

/* The other metrics stay where they were when the answer comes. */
static void the_answer_leaves_the_figures_on_a_small_screen(void **state)
{
	struct stage stage;

	open_race(&stage, 12);
	stage.view.state.question = QUESTION;
	for (int over = 0; over < 2; over++) {
		if (!over)
			model_seek(&stage.model, stage.model.newest_ns / 2);
		else
			model_seek(&stage.model, INT64_MAX);
		stage_draw(&stage, 80, 24);
		assert_int_equal(stage_shows(&stage, "[FASTER] threads are faster: "), over);
		assert_int_equal(stage_shows(&stage, "(processes 1.40x as long)"), over);
		assert_true(stage_shows(&stage,
					over ? "  creation ■3.0x\n" : " creation ●0.24 ■0.73 ms"));
		/* Each metric keeps its place, at last with its ratio alone. */
		assert_true(stage_shows(&stage,
					over ? " CPU ■1.40x  memory ■1.6x " : " CPU time ●160 "));
		/* the first model's title is in the third line in both frames */
		assert_int_equal(stage.canvas.cells[2 * 80].glyph, 0x258c);
	}
	stage_close(&stage);
}

/* Without rows of cores, slices of workers have the numbers of their cores. */
static void a_slice_shows_its_core_where_cores_have_no_rows(void **state)
{
	struct stage stage;
	const struct cell *row;
	int digits = 0;

	open_race(&stage, 6);
	show_at(&stage, 90 * MS);
	stage_draw(&stage, 80, 24);
	assert_false(stage_shows(&stage, " core 0 "));
	assert_true(stage_shows(&stage, "1 its core's number"));
	row = stage_find(&stage, "w1 cpu");
	assert_non_null(row);
	for (int x = 8; x < 56; x++) {
		if (row[x].glyph != '0' && row[x].glyph != '1')
			continue;
		digits++;
		assert_int_equal(row[x].style.attr, ATTR_BOLD | ATTR_REVERSE);
		/* The slice fills at least two cells. */
		assert_true(row[x - 1].glyph == 0x2588 || row[x + 1].glyph == 0x2588);
	}
	assert_true(digits > 0);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " core 0 "));
	assert_false(stage_shows(&stage, "its core's number"));
	stage_close(&stage);
}

/* Adds a short slice of another program to each run, so that idle cores are known. */
static void know_others(struct stage *stage)
{
	const struct sample_slice other = {.index = SAMPLE_OTHERS, .on_ns = 1, .off_ns = 2};

	for (size_t i = 0; i < stage->model.n_runs; i++)
		assert_int_equal(model_lanes_take(&stage->model.runs[i], &other, 1, true), 0);
}

/* What a core did while the runner itself ended is of no run. */
static void a_core_is_idle_until_the_end_of_the_run(void **state)
{
	const struct cell *row;
	struct stage stage;

	open_race(&stage, 6);
	know_others(&stage);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].end_ns += 60 * MS;
	show_at(&stage, 200 * MS);
	stage_draw(&stage, 120, 36);
	row = row_of(&stage, "threads", "core 0");
	assert_non_null(row);
	/* Threads take 100 ms on an axis of 140 ms. */
	for (int x = 85; x < 105; x++)
		assert_int_not_equal(row[x].glyph, 0xb7);
	stage_close(&stage);
}

/* A core of which all slices are known was idle where nothing had it. */
static void an_idle_core_has_a_sign_in_the_legend(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	for (int known = 0; known < 2; known++) {
		if (known)
			know_others(&stage);
		show_at(&stage, 200 * MS);
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage_shows(&stage, "  · idle"), known);
		assert_int_equal(last_of(row_of(&stage, "threads", "core 0"), 108)->glyph == 0xb7,
				 known);
	}
	stage_close(&stage);
}

/* In the made runs, both cores are idle at times at which workers wait. */
static void the_title_says_how_long_cores_were_wasted(void **state)
{
	const struct model_run *run;
	struct stage stage;
	char took[32], text[128];

	open_race(&stage, 6);
	for (int known = 0; known < 2; known++) {
		if (known)
			know_others(&stage);
		show_at(&stage, 200 * MS);
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage_shows(&stage, " cores idle for "), known);
	}
	run = &stage.model.runs[0];
	assert_true(model_wasted(&stage.model, run) > 39 * MS);
	units_format_time(took, sizeof(took), model_wasted(&stage.model, run), false);
	snprintf(text, sizeof(text), "create to join  cores idle for %s before waiting workers",
		 took);
	assert_true(stage_shows(&stage, text));
	/* A run that has not ended may still waste more. */
	show_at(&stage, 60 * MS);
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, " cores idle for "));
	stage_close(&stage);
}

/* A recording says what it is. Its end is known, so nothing is estimated. */
static void a_recording_says_when_it_was_made_and_how_long_it_is(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	stage.view.state.question = QUESTION;
	stage.view.state.clock = (struct view_clock) {.shown = true, .speed = 1};
	model_seek(&stage.model, stage.model.newest_ns / 2);
	show_at(&stage, 20 * MS);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "  recorded 1"));
	assert_true(stage_shows(&stage, " Nov 2023  at trial 3 of 6 "));
	assert_true(stage_shows(&stage, "▶ slowed 20x"));
	assert_true(stage_shows(&stage, " ms in trial 1 "));
	assert_true(stage_shows(&stage, "processes 139 ms at this point  "));
	/* The winner is marked, and the other model is not. */
	assert_true(stage_shows(&stage, " ends: FASTER ● 1.40x"));
	assert_false(stage_shows(&stage, " left"));
	assert_false(stage_shows(&stage, "measured"));
	stage_draw(&stage, 80, 24);
	/* Without room for the factor, the badge stays. */
	assert_true(stage_shows(&stage, " ends: FASTER ●"));
	assert_false(stage_shows(&stage, "1.40x"));
	assert_true(stage_shows(&stage, " Nov  3 of 6"));
	assert_true(stage_shows(&stage, "▶ slowed 20x"));
	/* Before it has been read, neither its end nor the number of trials is known. */
	stage.view.state.clock.reading = true;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " Nov 2023  at trial 3 "));
	assert_true(stage_shows(&stage, "reading the recording"));
	assert_int_equal(stage.view.shown.clock.w, 0);
	/* A recording that grows has no known end. */
	stage.view.state.clock = (struct view_clock) {.shown = true, .grows = true, .speed = 1};
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "recorded"));
	assert_true(stage_shows(&stage, "3 of 6 measured"));
	stage_close(&stage);
}

/* The marks of runs are as many as the trials that are counted above them. */
static void marks_of_runs_and_their_count_are_of_one_moment(void **state)
{
	struct stage stage;

	open_race(&stage, 12);
	stage.view.state.question = QUESTION;
	stage.view.state.live = true;
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.elapsed_ns +=
			(int64_t)stage.model.runs[i].id.trial * 3 * MS;
	synthetic_changed(&stage.model);
	for (uint32_t trial = 1; trial <= 6; trial++) {
		const struct cell *row;
		char count[32];
		int marks = 0;

		model_seek(&stage.model, stage.model.runs[2 * trial - 1].end_ns);
		show_at(&stage, 20 * MS);
		/* Figures stay after the third trial. */
		stage.view.state.steady = trial > 3;
		stage_draw(&stage, 120, 36);
		snprintf(count, sizeof(count), "%2u of 12 measured", MIN(trial, 3));
		assert_true(stage_shows(&stage, count));
		row = stage_find(&stage, "every run");
		assert_non_null(row);
		for (int x = 13; x < 100; x++)
			marks += row[x].glyph == 0x25cb || row[x].glyph == 0x25cf;
		assert_int_equal(marks, MIN(trial, 3) + (trial == 2));
	}
	stage_close(&stage);
}

/* An audience needs to know what a line means while it grows. */
static void one_line_below_the_lanes_is_for_the_legend(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	for (int moves = 0; moves < 2; moves++) {
		show_at(&stage, 50 * MS);
		stage.view.state.race.moves = moves;
		stage.view.state.race.nearest = true;
		stage_draw(&stage, 80, 24);
		assert_true(stage_shows(&stage, "waits for one"));
	}
	stage_close(&stage);
}

/* A warning does not take the legend's line, and a long answer takes no worker's line. */
static void the_answer_on_a_small_screen_hides_no_worker_and_no_legend(void **state)
{
	static const char *const workers[] = {"w1 cpu", "w6 cpu", "w7 io", "w8 io"};
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.slices = true;
	session.span_ns[0] = 100 * MS;
	session.span_ns[1] = 104 * MS;
	session.others = 700;
	stage_open(&stage, &session);
	stage.view.state.log_name = NULL;
	show_at(&stage, 200 * MS);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "warning"));
	assert_true(stage_shows(&stage, "(") || stage_shows(&stage, ";"));
	/* The third line below the top line is already the first model's title. */
	assert_int_equal(stage.canvas.cells[3 * 80].glyph, 0x258c);
	assert_true(stage_shows(&stage, "waits for one"));
	for (size_t i = 0; i < LENGTH(workers); i++) {
		assert_non_null(row_of(&stage, "threads", workers[i]));
		assert_non_null(row_of(&stage, "processes", workers[i]));
	}
	stage_close(&stage);
}

/* On a narrow screen, the two medians follow the question if the sentence does not fit. */
static void the_medians_so_far_follow_the_question(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		run->totals.elapsed_ns = (run->id.case_id == 1 ? 204 : 207) * MS;
	}
	synthetic_changed(&stage.model);
	model_seek(&stage.model, stage.model.runs[4].begin_ns);
	show_at(&stage, 50 * MS);
	stage.view.state.question = "Threads or processes: which are faster?";
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(
		&stage, "\n Threads or processes: which are faster?  ●207 / ■204 ms so far\n"));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "faster?  threads 207 ms, processes 204 ms so far\n"));
	stage.view.state.question = "Which of these two models of eight workers each ends earlier?";
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "ends earlier?\n ●207 / ■204 ms so far\n"));
	stage_close(&stage);
}

/* The line of figures has no time: the headline has it. The lines of units and ratios are short. */
static void the_line_of_figures_does_not_repeat_the_headline(void **state)
{
	struct stage stage;
	const char *line;

	open_race(&stage, 6);
	model_seek(&stage.model, stage.model.runs[4].begin_ns);
	show_at(&stage, 50 * MS);
	stage.view.state.question = "Threads or processes: which are faster?";
	line = strstr(stage_draw(&stage, 80, 24), "\n CPU time ●");
	assert_non_null(line);
	assert_false(stage_shows(&stage, "\n time ●"));
	line++;
	assert_non_null(strstr(line, "  memory ●"));
	assert_true(strstr(line, " MiB ") < strchr(line, '\n'));
	/* Without a question, the sentence has no figures. */
	stage.view.state.question = NULL;
	stage_close(&stage);
}

/* A slower program is named, even if its question has no room beside its name. */
static void the_slower_program_is_named_on_a_small_screen(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_gil, 3);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.elapsed_ns =
			(stage.model.runs[i].id.case_id == 1 ? 1200 : 140) * MS;
	synthetic_changed(&stage.model);
	model_seek(&stage.model, stage.model.runs[4].begin_ns);
	stage.view.state.question = "How do programs of my own compare, and what do they do?";
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "\n So far b takes 8.6x as long: 1.20 s against 140 ms\n"));
	stage_close(&stage);
}

static void each_column_of_figures_has_its_own_heading(void **state)
{
	const struct cell *lifetime, *run;
	struct stage stage;

	open_race(&stage, 6);
	show_at(&stage, 140 * MS);
	stage_draw(&stage, 120, 36);
	lifetime = stage_find(&stage, "lifetime");
	run = stage_find(&stage, "this run");
	assert_true(lifetime && run && run > lifetime);
	assert_non_null(stage_find_in(lifetime, 2 * 120, " ms"));
	assert_non_null(stage_find_in(run, 2 * 120, " %"));
	stage_close(&stage);
}

/* Three lines of an answer would hide the lanes. */
static void an_answer_has_two_lines_on_a_small_screen(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	snprintf(stage.model.cases[0].model, sizeof(stage.model.cases[0].model), "threads of A");
	snprintf(stage.model.cases[1].model, sizeof(stage.model.cases[1].model), "threads of B");
	synthetic_changed(&stage.model);
	stage_draw(&stage, 64, 20);
	assert_int_equal(stage.canvas.cells[3 * 64].glyph, 0x258c);
	/* A real difference is more important than the interval. */
	assert_true(stage_shows(&stage, "creation "));
	assert_true(stage_shows(&stage, "3.0x"));
	stage_close(&stage);
}

/* Opens a session of threads, processes and a hybrid, each with a crash. */
static void open_crash(struct stage *stage)
{
	struct synthetic session;

	synthetic_mixed(&session, 6);
	session.slices = true;
	synthetic_add(&session, "hybrid:2x2", "", 400 * MS);
	for (uint32_t i = 0; i < session.cases; i++)
		session.list[i].plan = (struct plan) {
			.levels = 1, .fanout = {4}, .leaves = {[WORK_CPU] = 4}, .barrier = true};
	session.list[2].plan.levels = 2;
	session.list[2].plan.fanout[0] = session.list[2].plan.fanout[1] = 2;
	stage_open(stage, &session);
	for (size_t i = 0; i < stage->model.n_runs; i++) {
		stage->model.runs[i].totals.fault = 1;
		stage->model.runs[i].totals.survived = stage->model.runs[i].id.case_id;
	}
	stage->model.saw_fault = true;
	synthetic_changed(&stage->model);
	stage->view.state.live = true;
	stage->view.state.question = "One worker crashes: who dies with it?";
}

/* Returns the number of lines before the text, which must be on the screen. */
static int lines_before(const struct stage *stage, const char *text)
{
	const char *found = strstr(stage->text, text);
	int lines = 0;

	assert_non_null(found);
	for (const char *c = stage->text; c < found; c++)
		lines += *c == '\n';
	return lines;
}

/*
 * On a small screen, too, all models are seen at once, with a lane for each worker, and the
 * survivors as bars. No row moves when the answer comes.
 */
static void a_crash_shows_all_models_at_once(void **state)
{
	static const char *const headings[] = {"▌● threads", "▌■ processes", "▌▲ hybrid:2x2"};
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	struct stage stage;

	for (size_t k = 0; k < LENGTH(sizes); k++) {
		int at[2][LENGTH(headings)];

		open_crash(&stage);
		for (int over = 0; over < 2; over++) {
			model_seek(&stage.model, over ? INT64_MAX : INT64_C(9000000000));
			stage_draw(&stage, sizes[k][0], sizes[k][1]);
			assert_int_equal(stage_shows(&stage, "[REAL]"), over);
			for (size_t i = 0; i < LENGTH(headings); i++) {
				at[over][i] = lines_before(&stage, headings[i]);
				assert_non_null(
					strstr(strstr(stage.text, headings[i]), "  w4 cpu"));
			}
			assert_true(stage_shows(&stage, "▲ 2 of 4"));
			/* Nobody joins the threads of a process that died. */
			assert_int_equal(stage_shows(&stage, "create to end"), sizes[k][0] > 80);
			/* one axis, below the last model */
			assert_true(lines_before(&stage, "▌          0  ") > at[over][2]);
		}
		for (size_t i = 0; i < LENGTH(headings); i++)
			assert_int_equal(at[0][i], at[1][i]);
		stage_close(&stage);
	}
}

/* On a narrow screen, the title has the survivors and what the cores did. */
static void a_title_has_survivors_beside_the_cores(void **state)
{
	struct stage stage;
	const char *title;

	open_crash(&stage);
	stage_draw(&stage, 80, 24);
	title = strstr(stage.text, "▌■ processes");
	assert_non_null(title);
	assert_non_null(memmem(title, strcspn(title, "\n"), "  1 of 4 survived  cores  0", 26));
	stage_close(&stage);
}

/* The part of a bar of survivors that is not full is those who died. */
static void a_bar_of_survivors_says_how_many_died(void **state)
{
	struct stage stage;

	open_crash(&stage);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "▲ 2 of 4    █"));
	assert_true(stage_shows(&stage, "● 0 of 4    ──"));
	stage_close(&stage);
}

/* Wrong results that no model has would take a third of the line for nothing. */
static void values_that_are_all_zero_have_no_bars(void **state)
{
	struct stage stage;

	for (int wrong = 0; wrong < 2; wrong++) {
		open_crash(&stage);
		for (size_t i = 0; i < stage.model.n_runs; i++)
			stage.model.runs[i].totals.wrong_results = wrong;
		synthetic_changed(&stage.model);
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, " survived"));
		assert_int_equal(stage_shows(&stage, " wrong result"), wrong);
		stage_close(&stage);
	}
}

/* Returns the first colour of a lane's slices, or -1. */
static int lane_hue(const struct cell *row, int w)
{
	for (int x = 11; x < w; x++)
		if (row[x].glyph >= 0x2581 && row[x].glyph <= 0x2588)
			return row[x].style.fg;
	return -1;
}

/* A hybrid has it too, although rows of its processes come before w1. */
static void w1_has_one_colour_in_all_models(void **state)
{
	struct stage stage;

	open_crash(&stage);
	stage_draw(&stage, 120, 36);
	for (int i = 1; i <= 4; i++) {
		char name[16];
		int hue;

		snprintf(name, sizeof(name), "w%d cpu", i);
		hue = lane_hue(row_of(&stage, "threads", name), 120);
		assert_int_equal(hue, COLOUR_WORKER0 + i - 1);
		assert_int_equal(lane_hue(row_of(&stage, "hybrid:2x2", name), 120), hue);
	}
	stage_close(&stage);
}

static int times_shown(const struct stage *stage, const char *text)
{
	int n = 0;

	for (const char *at = stage->text; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* The worker with the injected fault crashed; the signal of the others is that of their process. */
static void a_crash_says_who_crashed_and_who_died_with_it(void **state)
{
	struct stage stage;

	open_crash(&stage);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		run->totals.fault = FAULT_SEGV;
		run->totals.fault_worker = 2;
		run->totals.noticed_ns = run->id.case_id == 0 ? -1 : 1000000;
		for (uint32_t k = 0; k < run->n_workers && run->id.case_id == 0; k++) {
			struct sample_worker worker = model_workers_at(&run->workers, k);

			worker.status = k == 1 ? SAMPLE_INTERRUPTED : SAMPLE_CRASHED;
			worker.error = SIGSEGV;
			worker.finish_ns = -1;
			assert_int_equal(
				model_workers_put(&run->workers, run->n_workers, k, &worker), 0);
		}
	}
	synthetic_changed(&stage.model);
	/* The axis has room for the text, which is never over a lane. */
	for (int w = 80; w <= 200; w += 40) {
		stage_draw(&stage, w, 36);
		assert_int_equal(times_shown(&stage, "✗ SIGSEGV"), 1);
		assert_int_equal(times_shown(&stage, "✗ died with w3"), 3);
	}
	assert_true(stage_shows(&stage, "● the parent died too"));
	assert_false(stage_shows(&stage, "not known"));
	stage_close(&stage);
}

/* The run of that case whose lanes are drawn. */
static struct model_run *drawn_run(const struct stage *stage, uint32_t case_id)
{
	return (struct model_run *)model_latest(&stage->model, case_id);
}

/* Worker w2 of processes gets a core at last for 20 us, and crashes after half of them. */
static void crash_at_last(struct stage *stage, int64_t *crash_ns)
{
	struct sample_worker worker;
	struct sample_slice *slices;
	struct model_run *run;
	size_t n, middle;

	open_crash(stage);
	run = drawn_run(stage, 1);
	slices = (struct sample_slice *)model_slices(run, 1, &n);
	middle = n / 2;
	assert_true(middle > 31);
	for (size_t i = middle - 30; i < middle; i++) {
		slices[i].on_ns = slices[i].off_ns = slices[middle - 31].off_ns;
		slices[i].why = slices[middle - 31].why = WHY_PREEMPTED;
	}
	for (size_t i = middle; i < n; i++) {
		slices[i].off_ns = slices[middle].on_ns + 20000;
		slices[i].why = WHY_ENDED;
		if (i > middle)
			slices[i].on_ns = slices[i].off_ns;
	}
	*crash_ns = slices[middle].on_ns + 10000;
	run->totals.fault = FAULT_SEGV;
	run->totals.fault_worker = 1;
	run->totals.fault_ns = *crash_ns;
	run->totals.noticed_ns = 1200 * MS;
	worker = model_known(run, 1);
	worker.status = SAMPLE_CRASHED;
	worker.error = SIGSEGV;
	worker.finish_ns = *crash_ns;
	know(run, 1, worker);
	synthetic_changed(&stage->model);
}

/* A worker that waits for a core cannot crash, so the short slice before the crash is seen. */
static void the_slice_of_a_crash_is_before_its_mark(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	const struct cell *row, *mark;
	struct stage stage;
	int64_t crash_ns;

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		crash_at_last(&stage, &crash_ns);
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		row = row_of(&stage, "processes", "w2 cpu");
		assert_non_null(row);
		for (mark = row; mark->glyph != 0x2717; mark++)
			assert_true(mark < row + sizes[i][0] - 1);
		assert_in_range(mark[-1].glyph, 0x2581, 0x258f);
		assert_int_equal(mark[-2].glyph, 0x2500);
		/* The parent noticed the crash later, which is marked in the same lane. */
		assert_non_null(stage_find_in(row, sizes[i][0], "noticed"));
		stage_close(&stage);
	}
}

/* A parent that noticed at once has its mark before the text, which would hide it otherwise. */
static void soon_after_a_crash_its_parent_has_noticed(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};
	const struct cell *row, *mark;
	struct stage stage;
	int64_t crash_ns;

	for (size_t i = 0; i < 2 * LENGTH(sizes); i++) {
		const int w = sizes[i / 2][0];
		struct model_run *run;

		crash_at_last(&stage, &crash_ns);
		run = drawn_run(&stage, 1);
		run->totals.noticed_ns = 210000;
		/* A wait that ends the run may return after the run's end. */
		if (i % 2 == 1)
			run->totals.noticed_ns = run->totals.elapsed_ns - crash_ns + 1000;
		synthetic_changed(&stage.model);
		stage_draw(&stage, w, sizes[i / 2][1]);
		row = row_of(&stage, "processes", "w2 cpu");
		for (mark = row; mark->glyph != 0x2717; mark++)
			assert_true(mark < row + w - 1);
		assert_non_null(stage_find_in(row, w, "SIGSEGV"));
		assert_non_null(stage_find_in(row, w, w < 100 ? "noticed" : "noticed after"));
		assert_true(i % 2 == 1 || mark[1].glyph == 0x2190);
		stage_close(&stage);
	}
}

/* Makes each worker's first slice almost all of its time. Very short ones follow. */
static void lengthen_first_slices(struct stage *stage)
{
	for (uint32_t id = 0; id < stage->model.n_cases; id++) {
		const struct model_run *run = drawn_run(stage, id);

		for (uint32_t i = 0; i < run->n_workers; i++) {
			size_t n;
			struct sample_slice *slices =
				(struct sample_slice *)model_slices(run, i, &n);

			if (n == 0)
				continue;
			slices[0].off_ns = slices[n - 1].on_ns;
			slices[0].why = WHY_PREEMPTED;
			for (size_t k = 1; k < n; k++) {
				slices[k].on_ns = slices[0].off_ns + (int64_t)k * 2;
				slices[k].off_ns = slices[k].on_ns + 1;
			}
		}
	}
	synthetic_changed(&stage->model);
}

/* A few long slices among many very short ones keep their edges, and no share looks like dirt. */
static void short_slices_without_time_do_not_make_lanes_dense(void **state)
{
	struct stage stage;

	open_crash(&stage);
	lengthen_first_slices(&stage);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "█ on a core"));
	assert_false(stage_shows(&stage, "in part"));
	stage_close(&stage);
}

/* A worker that computes and waits for another one's crash is done, not just blocked. */
static void a_worker_that_awaits_a_crash_is_done(void **state)
{
	const struct cell *row;
	struct sample_slice *slices;
	struct stage stage;
	int64_t crash_ns;
	size_t n;

	for (int fault = 0; fault < 2; fault++) {
		crash_at_last(&stage, &crash_ns);
		lengthen_first_slices(&stage);
		slices = (struct sample_slice *)model_slices(drawn_run(&stage, 1), 0, &n);
		slices[0].off_ns = crash_ns / 2;
		slices[0].why = WHY_BLOCKED;
		slices[1].ready_ns = crash_ns;
		for (size_t i = 1; i < n; i++)
			slices[i].on_ns = slices[i].off_ns = crash_ns + MS;
		if (!fault)
			drawn_run(&stage, 1)->totals.fault = FAULT_NONE;
		synthetic_changed(&stage.model);
		stage_draw(&stage, 120, 36);
		row = row_of(&stage, "processes", "w1 cpu");
		assert_int_equal(stage_find_in(row, 120, "done") != NULL, fault);
		stage_close(&stage);
	}
}

/*
 * Notices differ far more than times, so the trial at the end is the one nearest to their median.
 * In time, those trials are not the nearest.
 */
static void the_last_crash_is_nearest_to_the_median_notice(void **state)
{
	struct model_trial nearest;
	struct stage stage;
	int64_t crash_ns;

	crash_at_last(&stage, &crash_ns);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		if (run->id.trial % 3 == 1)
			run->totals.elapsed_ns = (350 + 20 * run->id.trial) * MS;
		else
			run->totals.elapsed_ns = 400 * MS;
		run->totals.noticed_ns = -1;
		if (run->id.case_id > 0)
			run->totals.noticed_ns = run->id.trial % 3 * 10 * MS + MS;
	}
	synthetic_changed(&stage.model);
	nearest = model_trial_nearest(&stage.model);
	assert_int_equal(nearest.number % 3, 1);
	stage_close(&stage);
}

/* When the parent noticed may differ far from trial to trial, so the range is beside the median. */
static void when_the_parent_noticed_has_a_range(void **state)
{
	struct stage stage;
	int64_t crash_ns;

	crash_at_last(&stage, &crash_ns);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		if (stage.model.runs[i].id.case_id > 0 &&
		    &stage.model.runs[i] != drawn_run(&stage, 1))
			stage.model.runs[i].totals.noticed_ns = 300 * MS;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "parent noticed the crash after (median, range)"));
	assert_true(stage_shows(&stage, "■ 300 ms    300 ms to 1.20 s"));
	assert_false(stage_shows(&stage, "in this trial"));
	/* A single trial has no range. */
	model_seek(&stage.model, stage.model.runs[3].begin_ns);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "parent noticed the crash after\n"));
	assert_true(stage_shows(&stage, "■ 300 ms"));
	assert_false(stage_shows(&stage, "range"));
	stage_close(&stage);
}

/* No core runs a worker after its end. The kernel still ends the task there, in a tone of its own.
 */
static void time_on_a_core_after_the_end_is_an_exit(void **state)
{
	struct sample_slice *slices;
	struct model_run *run;
	struct stage stage;
	int64_t end_ns;
	size_t n;

	for (int ended = 0; ended < 2; ended++) {
		open_crash(&stage);
		for (uint32_t i = 0; i < 4; i++) {
			run = drawn_run(&stage, 1);
			slices = (struct sample_slice *)model_slices(run, i, &n);
			end_ns = slices[n - 1].off_ns;
			for (size_t k = n / 2 + 1; k < n; k++)
				slices[k].on_ns = slices[k].off_ns = end_ns;
			slices[n / 2].off_ns = end_ns;
			if (ended)
				KNOW(run, i, finish_ns, slices[n / 2].on_ns + MS);
		}
		synthetic_changed(&stage.model);
		stage_draw(&stage, 120, 36);
		for (int i = 1; i <= 4; i++) {
			char name[16];

			snprintf(name, sizeof(name), "w%d cpu", i);
			assert_int_equal(row_of(&stage, "processes", name)[80].glyph,
					 ended ? 0x2592 : 0x2588);
		}
		assert_int_equal(row_of(&stage, "processes", "core 0")[80].glyph,
				 ended ? 0x2592 : 0x2588);
		assert_int_equal(stage_shows(&stage, "▒ exit"), ended);
		stage_close(&stage);
	}
}

/*
 * A worker that has ended waits for a core to exit. Blank would say that the kernel has ended it,
 * and the line of waiting that its lifetime goes on.
 */
static void an_ended_worker_may_wait_for_its_exit(void **state)
{
	struct sample_slice *slices;
	struct model_run *run;
	struct stage stage;
	int64_t end_ns;
	size_t n;

	open_crash(&stage);
	run = drawn_run(&stage, 1);
	slices = (struct sample_slice *)model_slices(run, 0, &n);
	end_ns = slices[n - 1].off_ns;
	slices[n / 2].why = WHY_PREEMPTED;
	for (size_t k = n / 2 + 1; k < n; k++)
		slices[k].on_ns = slices[k].off_ns = end_ns;
	KNOW(run, 0, finish_ns,
	     slices[n / 2].on_ns + (slices[n / 2].off_ns - slices[n / 2].on_ns) / 2);
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_int_equal(row_of(&stage, "processes", "w1 cpu")[80].glyph, 0x2592);
	stage_close(&stage);
}

/* The number of columns in which a lane's worker lives. The rest is grey, its exit. */
static int read_life(const struct cell *lane)
{
	int x = 0, n = 0;

	while (lane[x].glyph <= ' ')
		x++;
	while (lane[x + n].glyph > ' ' && lane[x + n].style.fg != COLOUR_FINISHED)
		n++;
	return n;
}

/* Where the axis below the lanes has 0, and its columns for a ms. */
static double read_scale(const struct stage *stage, int *zero)
{
	const int w = stage->canvas.width;
	const struct cell *axis;
	int x, from = 0, value = 0;

	for (axis = stage->canvas.cells; !stage_find_in(axis, w, "0     "); axis += w)
		assert_true(axis < stage->canvas.cells + (stage->canvas.height - 1) * w);
	*zero = (int)(stage_find_in(axis, w, "0     ") - axis);
	/* The last number. */
	for (x = *zero + 1; x < w - 10; x++) {
		const uint32_t glyph = axis[x].glyph;

		if (glyph < '0' || glyph > '9')
			continue;
		if (axis[x - 1].glyph < '0' || axis[x - 1].glyph > '9') {
			from = x;
			value = 0;
		}
		value = 10 * value + (int)(glyph - '0');
	}
	return (double)(from - *zero) / value;
}

/* Ends workers at random in one of their slices; the kernel ends them in that or a later slice. */
static void end_at_random(const struct model_run *run)
{
	for (uint32_t i = 0; i < run->n_workers; i++) {
		size_t n;
		struct sample_slice *slices = (struct sample_slice *)model_slices(run, i, &n);
		size_t last, exits;
		int64_t length_ns;

		if (n == 0)
			continue;
		last = (size_t)random() % n;
		exits = last + (size_t)random() % MIN(n - last, 20);
		length_ns = slices[last].off_ns - slices[last].on_ns;
		KNOW(run, i, finish_ns, slices[last].on_ns + 1 + random() % length_ns);
		for (size_t k = last; k < exits; k++)
			slices[k].why = random() % 2 ? WHY_PREEMPTED : WHY_BLOCKED;
		slices[exits].why = WHY_ENDED;
		for (size_t k = exits + 1; k < n; k++)
			slices[k].on_ns = slices[k].off_ns = slices[exits].off_ns;
	}
}

/* Whoever measures a lane with the axis finds the lifetime beside it, within a cell. */
static void the_axis_measures_any_lifetime(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	static const char *const models[] = {"threads", "processes"};
	static const char *const names[] = {"w1 cpu", "w3 cpu", "w4 cpu", "w6 cpu"};
	bool exits = false;
	struct stage stage;

	seed_random();
	for (int trial = 0; trial < 20; trial++) {
		const int *size = sizes[trial % LENGTH(sizes)];

		open_race(&stage, 2);
		end_at_random(drawn_run(&stage, 0));
		end_at_random(drawn_run(&stage, 1));
		synthetic_changed(&stage.model);
		stage_draw(&stage, size[0], size[1]);
		exits |= stage_shows(&stage, "lifetime until ▒");
		for (size_t i = 0; i < LENGTH(models) * LENGTH(names); i++) {
			const struct cell *row = row_of(&stage, models[i % 2], names[i / 2]);
			int zero;
			const double scale = read_scale(&stage, &zero);
			double lifetime;

			assert_non_null(row);
			lifetime = last_time(row, size[0]) / (double)MS * scale;
			/* A lane may begin and end within a cell, and so may a label of the axis.
			 */
			assert_true(fabs(read_life(row + zero) - lifetime - .5) <= 2);
		}
		stage_close(&stage);
	}
	assert_true(exits);
}

/* The session often ends while a trial is played. */
static void the_axis_of_a_played_trial_outlives_the_session(void **state)
{
	struct stage stage;
	char axis[2][400];

	open_race(&stage, 5);
	show_at(&stage, 50 * MS);
	stage.view.state.race.axis_ns = 400 * MS;
	for (int over = 0; over < 2; over++) {
		model_seek(&stage.model, over ? INT64_MAX : stage.model.newest_ns - 1);
		stage.model.done = over;
		stage_draw(&stage, 120, 36);
		stage.view.state.race.axis_ns = 200 * MS;
		stage_draw(&stage, 120, 36);
		assert_non_null(strstr(stage.text, "▌          0  "));
		snprintf(axis[over], sizeof(axis[over]), "%.*s",
			 (int)strcspn(strstr(stage.text, "▌          0  "), "\n"),
			 strstr(stage.text, "▌          0  "));
	}
	assert_string_equal(axis[0], axis[1]);
	stage_close(&stage);
}

/* A single model is compared with nothing, so its figures have no bars. */
static void the_figures_of_a_single_model_have_no_bars(void **state)
{
	struct synthetic session;
	struct stage stage;

	for (int models = 1; models <= 2; models++) {
		char *line;

		synthetic_mixed(&session, 6);
		session.cases = (uint32_t)models;
		session.list[0].plan = session.list[1].plan =
			(struct plan) {.levels = 1, .fanout = {4}, .leaves = {[WORK_CPU] = 4}};
		stage_open(&stage, &session);
		stage_draw(&stage, 120, 36);
		line = strstr(stage.text, " CPU time ");
		assert_non_null(line);
		line = strtok(strchr(line, '\n'), "\n");
		assert_non_null(strstr(line, "● "));
		assert_int_equal(strstr(line, "█") != NULL, models > 1);
		stage_close(&stage);
	}
}

/* Each row of runs has its model's mark, and the ends of the axis have room after the runs. */
static void every_run_says_of_which_model_it_is(void **state)
{
	static const int sizes[][2] = {{120, 36}, {200, 60}};
	struct stage stage;

	open_race(&stage, 6);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *first, *second;

		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		first = strstr(stage.text, " every run ");
		assert_non_null(first);
		first = strtok(first, "\n");
		second = strtok(NULL, "\n");
		assert_non_null(strstr(first, "● ·"));
		assert_non_null(strstr(first, " the axis is"));
		assert_non_null(strstr(second, "■ ·"));
		assert_non_null(strstr(second, " ms to "));
	}
	stage_close(&stage);
}

/* The second model takes 2.5x as long in each odd trial, and 1.2x in the others, which are long. */
static void a_ratio_of_the_pairs_is_real_at_each_width(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 12);
	stage_open(&stage, &session);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];
		const bool odd = run->id.trial % 2;

		run->totals.elapsed_ns = odd ? 100 * MS : 300 * MS;
		if (run->id.case_id == 1)
			run->totals.elapsed_ns = odd ? 250 * MS : 360 * MS;
	}
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 40);
	assert_true(stage_shows(&stage, "200 ms"));
	assert_true(stage_shows(&stage, "305 ms"));
	/* The medians have another ratio, 1.53x, so each width says what this one is. */
	for (int w = 84; w <= 140; w++) {
		stage_draw(&stage, w, 40);
		assert_true(stage_shows(&stage, " 1.7x"));
		assert_true(stage_shows(&stage, "1.7x per pair") ||
			    stage_shows(&stage, "ratios per pair"));
	}
	stage_close(&stage);
}

/* Whether the ratio at that place is called one per pair, or stands alone with a model's mark. */
static bool is_labelled(const struct stage *stage, const char *at, size_t length, bool of_times)
{
	static const char mark[] = "\xe2\x96\xa0"; /* ■ */
	const char *begin = at;

	if (strncmp(at + length, " per pair", strlen(" per pair")) == 0)
		return true;
	/* The ratio of the times, which another metric may have by chance. */
	if (!of_times && strncmp(at + length, " as long", strlen(" as long")) == 0)
		return true;
	if (stage_shows(stage, "ratios per pair"))
		return true;
	if (at - stage->text >= 3 && strncmp(at - 3, mark, 3) == 0)
		return true;
	/* In the answer, the words are before a list of ratios or in brackets. */
	while (begin > stage->text && !strchr(";(", begin[-1]))
		begin--;
	/* A line may end between the two words. */
	for (; begin < at; begin++)
		if (strncmp(begin, "pair,", strlen("pair,")) == 0)
			return true;
	return false;
}

/* Fails if the frame has a ratio that is not the quotient of the medians and does not say so. */
static void check_ratios(const struct stage *stage)
{
	const struct answer *answer = &stage->view.cache->answer;

	for (uint32_t i = 0; i < answer->n_metrics; i++) {
		const struct answer_row *row = &answer->rows[1];
		const double ratio = row->cells[i].ratio.estimate;
		char text[48];

		if (row->cells[i].state != ANSWER_REAL || answer_is_quotient(answer, row, i))
			continue;
		snprintf(text, sizeof(text), " %sx", CLAIM_TIMES(ratio));
		for (const char *at = stage->text; (at = strstr(at, text)); at++)
			if (!is_labelled(stage, at + 1, strlen(text) - 1, i == 0))
				fail_msg("%.40s: no quotient of medians\n%s", at, stage->text);
	}
}

/* Of runs whose ratio varies with the trial, the medians have another ratio than the pairs. */
static void each_ratio_is_that_of_the_medians_or_says_so(void **state)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {100, 30}, {120, 36}, {200, 60}};

	for (int seed = 1; seed <= 40; seed++) {
		struct synthetic session;
		struct stage stage;

		synthetic_mixed(&session, 12);
		stage_open(&stage, &session);
		for (size_t i = 0; i < stage.model.n_runs; i++) {
			struct sample_totals *totals = &stage.model.runs[i].totals;
			const int64_t trial = stage.model.runs[i].id.trial;
			const int64_t least = 100 + trial * seed * 37 % 200;

			totals->elapsed_ns = least * MS;
			totals->create_ns = least * MS / 50;
			if (stage.model.runs[i].id.case_id == 0)
				continue;
			totals->elapsed_ns = least * (12 + trial * seed % 13) / 10 * MS;
			totals->create_ns = least * (20 + trial * seed % 11) * MS / 500;
		}
		synthetic_changed(&stage.model);
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			stage_draw(&stage, sizes[k][0], sizes[k][1]);
			check_ratios(&stage);
		}
		stage_close(&stage);
	}
}

/* Above narrow bars, a difference has fewer words, but it never goes. */
static void a_narrow_bar_keeps_its_difference(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 12);
	session.span_ns[1] = 3 * session.span_ns[0];
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 40);
	assert_true(stage_shows(&stage, " CPU time  3.0x, real "));
	assert_true(stage_shows(&stage, " memory  1.49x, real "));
	stage_draw(&stage, 70, 40);
	assert_true(stage_shows(&stage, " CPU time  3.0x "));
	assert_true(stage_shows(&stage, " memory  1.49x "));
	assert_true(stage_shows(&stage, "ratios per pair"));
	stage_close(&stage);
}

/* No model has survivors. Bars as long as the line would say the opposite. */
static void a_bar_of_nothing_has_no_length(void **state)
{
	struct stage stage;
	const char *line;

	open_race(&stage, 6);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		stage.model.runs[i].totals.fault = 1;
		stage.model.runs[i].totals.survived = 0;
	}
	stage.model.saw_fault = true;
	synthetic_changed(&stage.model);
	line = strstr(stage_draw(&stage, 120, 36), " survived ");
	assert_non_null(line);
	/* Each bar has two lines. */
	for (int i = 0; i < 4; i++) {
		line = strchr(line, '\n') + 1;
		if (i % 2 == 0)
			assert_non_null(memmem(line, strcspn(line, "\n"), " 0 of 8", 7));
		assert_int_equal(strncmp(line, " █", strlen(" █")) == 0, 0);
	}
	stage_close(&stage);
}

/* A program's only task, which is 2 ms longer on a core in each trial. */
static void fill_ended(struct programs_run *run, const void *arg)
{
	uint32_t first = programs_task(run, -1, false, "yes", 2000, 200 * MS);

	run->elapsed_ns = 201 * MS;
	run->cpu_ns = (100 + 2 * (int64_t)run->id.trial) * MS;
	programs_slice(run, first, 2000, 200 * MS, WHY_ENDED, 0);
}

/*
 * The programs' CPU times are compared, and each run has its mark. No workers are created and
 * joined.
 */
static void programs_that_are_ended_have_a_mark_for_each_run(void **state)
{
	struct stage stage;
	const char *row;

	open_programs(&stage, fill_ended, 6);
	stage.model.session.for_ns = 300 * MS;
	for (uint32_t i = 0; i < stage.model.n_cases; i++)
		stage.model.cases[i].plan.barrier = true;
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.elapsed_ns = -1;
	synthetic_changed(&stage.model);
	row = strstr(stage_draw(&stage, 120, 36), "every run");
	assert_non_null(row);
	assert_non_null(memmem(row, strcspn(row, "\n"), "○", strlen("○")));
	assert_false(stage_shows(&stage, "create to join"));
	stage_close(&stage);
}

/* A task every 20 ms, each with a different name. The second trial is short. */
static void fill_growing(struct programs_run *run, const void *arg)
{
	static const char *const names[] = {"make", "cc1", "a-long-name", "as", "ld", "strip"};
	const int64_t step_ns = (run->id.trial == 2 ? 4 : 20) * MS;
	const uint32_t n = run->id.case_id == 0 ? 6 : 3;
	int first = -1;

	run->elapsed_ns = (n + 1) * step_ns;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t task = programs_task(run, first, false, names[i], 2000 + i * step_ns,
						    (i + 1) * step_ns);

		programs_slice(run, task, 2000 + i * step_ns, (i + 1) * step_ns, WHY_ENDED, 0);
		if (i == 0)
			first = (int)task;
	}
}

static void tasks_keep_their_rows_while_a_trial_is_played(void **state)
{
	static const char *const names[] = {"make", "cc1", "a-long-name", "strip"};
	struct stage stage;

	open_programs(&stage, fill_growing, 3);
	for (size_t i = 0; i < 4; i++) {
		const struct cell *row = NULL;

		for (int64_t ns = 0; ns <= 140 * MS; ns += 10 * MS) {
			show_at(&stage, ns);
			stage_draw(&stage, 120, 36);
			if (!row)
				row = row_of(&stage, "a", names[i]);
			assert_non_null(row);
			assert_ptr_equal(row_of(&stage, "a", names[i]), row);
		}
	}
	stage_close(&stage);
}

/* `a` was only on core 0, `b` on both. */
static void fill_cores(struct programs_run *run, const void *arg)
{
	fill_alone(run, arg);
	/* The program's own slices show which cores it had. */
	for (int16_t cpu = 0; cpu <= (int16_t)run->id.case_id; cpu++)
		run->slices[run->n_slices++] = (struct sample_slice) {.on_ns = (cpu + 1) * 5 * MS,
								      .off_ns = (cpu + 2) * 5 * MS,
								      .cpu = cpu,
								      .why = WHY_PREEMPTED,
								      .waker = -1,
								      .ready_ns = -1};
}

/* Programs of one and two tasks: their rows are known before the first program has run. */
static void programs_of_few_tasks_keep_their_places_from_the_start(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage stage;
		int row = 0;

		open_programs(&stage, fill_cores, 4);
		for (int64_t at = MS; at < stage.model.newest_ns; at += 9 * MS) {
			const struct cell *cells;
			int y = 1;

			model_seek(&stage.model, at);
			if (model_over(&stage.model))
				break;
			stage_draw(&stage, sizes[i][0], sizes[i][1]);
			cells = stage.canvas.cells;
			while (y < sizes[i][1] && (cells[y * sizes[i][0]].glyph != 0x258c ||
						   cells[y * sizes[i][0] + 1].glyph != 0x25a0))
				y++;
			assert_true(y < sizes[i][1]);
			if (row == 0)
				row = y;
			assert_int_equal(y, row);
		}
		stage_close(&stage);
	}
}

/* One axis serves all rows. Cores have rows where an only task has room for its memory too. */
static void programs_of_one_task_have_one_axis_for_all(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	struct stage stage;
	const struct cell *label, *median;

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		const int w = sizes[i][0];
		int column, shown = 0;

		open_programs(&stage, fill_hardly_blocked, 3);
		/* The second program takes a quarter of the first one's time. */
		for (size_t k = 0; k < stage.model.n_runs; k++)
			stage.model.runs[k].totals.elapsed_ns =
				(stage.model.runs[k].id.case_id ? 25 : 100) * MS;
		synthetic_changed(&stage.model);
		show_at(&stage, 201 * MS);
		stage.view.state.race.axis_ns = 120 * MS;
		stage_draw(&stage, w, sizes[i][1]);
		assert_true(stage_shows(&stage, "core 0") == (w >= 120));
		assert_false(stage_shows(&stage, "from "));
		for (const char *at = stage.text; (at = strstr(at, "  0   ")); at++)
			shown++;
		assert_int_equal(shown, 1);
		median = stage_find(&stage, "every run");
		assert_non_null(median);
		if (w > 80) {
			stage_close(&stage);
			continue;
		}
		/* The median of the first program is below the axis' label. */
		label = stage_find_in(median - w, w, "100 ms");
		assert_non_null(label);
		column = (int)(label - (median - w));
		assert_true(median[column].glyph == 0x25cf || median[column - 1].glyph == 0x25cf);
		stage_close(&stage);
	}
}

/* Each heading is about all cores, even if the load of only one of them is known. */
static void cores_without_a_known_load_have_the_same_heading(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *heading;

	synthetic_mixed(&session, 6);
	session.slices = true;
	stage_open(&stage, &session);
	for (size_t k = 0; k < stage.model.n_loads; k++)
		stage.model.cores[k * stage.model.n_cores + 1].user = -1;
	heading = strstr(stage_draw(&stage, 120, 36), " run/all\n");
	assert_non_null(heading);
	assert_non_null(strstr(heading + 1, " run/all\n"));
	assert_false(stage_shows(&stage, "trun"));
	assert_false(stage_shows(&stage, "this run "));
	assert_true(stage_shows(&stage, "/? %\n"));
	stage_close(&stage);
}

/* A core that is left out of a title would look idle. */
static void a_title_names_all_cores_or_none(void **state)
{
	bool all = false;
	struct stage stage;

	open_race(&stage, 6);
	show_at(&stage, 140 * MS);
	for (int w = 60; w <= 90; w++) {
		const char *title = strstr(stage_draw(&stage, w, 24), "cores  0");

		for (; title; title = strstr(title + 1, "cores  0")) {
			const char *second = strstr(title, "%  1 ");

			assert_true(second && second < strchr(title, '\n'));
			all = true;
		}
	}
	assert_true(all);
	stage_close(&stage);
}

/* The colour of the first cell of a program's lane. */
static uint8_t lane_colour_of(const struct stage *stage, const char *model, const char *row)
{
	const struct cell *cells = row_of(stage, model, row);
	int x = 11;

	assert_non_null(cells);
	while (x < 110 && cells[x].glyph != 0x2588)
		x++;
	assert_in_range(x, 11, 109);
	return cells[x].style.fg;
}

/*
 * If each program has a single task, its lane has the program's colour. Several tasks have colours
 * of their own.
 */
static void the_only_task_of_a_program_has_its_program_s_colour(void **state)
{
	static const char *const models[] = {"a", "b"};
	const struct cell *swatch;
	struct stage stage;

	open_programs(&stage, fill_hardly_blocked, 3);
	show_at(&stage, 201 * MS);
	stage_draw(&stage, 120, 36);
	for (uint32_t i = 0; i < 2; i++) {
		const uint8_t hue = view_hue(&stage.model, i);

		assert_int_equal(lane_colour_of(&stage, models[i], "sort"), hue);
	}
	swatch = stage_find(&stage, "on a core  ");
	assert_non_null(swatch);
	assert_int_equal(swatch[-2].style.fg, COLOUR_DEFAULT);
	/* The number of tasks created is the same, so it has no bars. */
	assert_false(stage_shows(&stage, "tasks created"));
	/* While only one program has run, it is not known whether the number is the same. */
	model_seek(&stage.model, stage.model.runs[0].end_ns);
	stage.view.state.race = (struct view_race) {.ns = 0};
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "of one run"));
	assert_false(stage_shows(&stage, "tasks created"));
	stage_close(&stage);
	open_programs(&stage, fill_alone, 3);
	show_at(&stage, 201 * MS);
	stage_draw(&stage, 120, 36);
	assert_int_not_equal(lane_colour_of(&stage, "a", "sort"), view_hue(&stage.model, 0));
	assert_true(stage_shows(&stage, "tasks created"));
	stage_close(&stage);
}

static void cores_have_lanes_in_every_model_if_one_used_them(void **state)
{
	struct stage stage;

	open_programs(&stage, fill_cores, 3);
	for (int64_t ns = 0; ns <= 200 * MS; ns += 10 * MS) {
		int lanes = 0;

		show_at(&stage, ns);
		for (const char *at = stage_draw(&stage, 120, 36); (at = strstr(at, "core 1 "));
		     at++)
			lanes++;
		assert_int_equal(lanes, 2);
	}
	stage_close(&stage);
}

static void runs_of_programs_move_no_row_and_no_axis(void **state)
{
	struct stage stage;
	const struct cell *row = NULL, *zero = NULL;
	int64_t from_ns;
	int axis = 0;

	open_programs(&stage, fill_growing, 4);
	/* Everything is known after each program has run once. */
	from_ns = stage.model.runs[1].end_ns;
	for (int64_t at = from_ns; at < stage.model.newest_ns; at += 7 * MS) {
		const struct cell *title;

		model_seek(&stage.model, at);
		stage_draw(&stage, 120, 36);
		if (model_over(&stage.model))
			break;
		title = stage.canvas.cells + stage.canvas.width;
		while (title < stage.canvas.cells + 35 * stage.canvas.width &&
		       (title[0].glyph != 0x258c || title[1].glyph != 0x25a0))
			title += stage.canvas.width;
		assert_int_equal(title[1].glyph, 0x25a0);
		if (!row)
			row = title;
		assert_ptr_equal(title, row);
		if (!zero)
			zero = stage_find(&stage, "0         ");
		assert_non_null(zero);
		assert_ptr_equal(stage_find(&stage, "0         "), zero);
		assert_true(stage.view.cache->race_ns >= axis);
		axis = (int)stage.view.cache->race_ns;
		assert_false(stage_shows(&stage, "w1 program"));
	}
	assert_non_null(row);
	stage_close(&stage);
}

/* A run of which nothing is known yet leaves the model's last run on the screen, dimmed. */
static void the_last_run_of_a_program_stays_until_the_next_has_tasks(void **state)
{
	struct model_run *next;
	struct stage stage;
	size_t tasks;

	open_programs(&stage, fill_growing, 4);
	next = &stage.model.runs[2];
	tasks = next->n_tasks;
	assert_true(tasks > 0);
	for (int known = 0; known < 2; known++) {
		next->n_tasks = known ? tasks : 0;
		model_seek(&stage.model, next->begin_ns + 10 * MS);
		assert_ptr_equal(model_running(&stage.model), next);
		stage_draw(&stage, 120, 36);
		/* The words stay with the other model, so that they do not blink between runs. */
		assert_int_equal(times_shown(&stage, "its last run"), 1);
		/* Shorter where the shares of the cores need the room. */
		stage_draw(&stage, 80, 24);
		assert_int_equal(times_shown(&stage, " last run"), 1);
		assert_int_equal(times_shown(&stage, "its last run"), 0);
	}
	stage_close(&stage);
}

/* The values of a run are shown before a trial counts. */
static void a_run_that_has_ended_has_its_figures_at_once(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};

	for (size_t i = 0; i < 2; i++) {
		struct stage stage;

		open_programs(&stage, fill_growing, 4);
		model_seek(&stage.model, stage.model.runs[0].end_ns + 1);
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_true(stage_shows(&stage, "of one run"));
		assert_true(stage_shows(&stage, "\u25cf 140 ms"));
		assert_false(stage_shows(&stage, "so far"));
		model_seek(&stage.model, stage.model.runs[3].end_ns + 1);
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_false(stage_shows(&stage, "of one run"));
		stage_close(&stage);
	}
}

/* A killed process has its mark at the end of its lane, not where its parent joins it. */
static void a_killed_worker_is_marked_where_its_lane_ends(void **state)
{
	const struct cell *row, *mark;
	struct sample_worker worker;
	struct model_run *run;
	struct stage stage;
	int64_t end_ns;
	int x = 0;

	open_race(&stage, 5);
	show_at(&stage, 0);
	run = &stage.model.runs[0];
	while (run->id.trial != 1 || run->id.case_id != 0)
		run++;
	worker = model_workers_at(&run->workers, 5);
	end_ns = model_lane_end(run, 5);
	assert_true(end_ns > 90 * MS);
	run->end_ns += 40 * MS;
	worker.status = SAMPLE_CRASHED;
	worker.error = SIGSEGV;
	worker.join_ns = end_ns + 20 * MS;
	worker.finish_ns = -1;
	assert_int_equal(model_workers_put(&run->workers, run->n_workers, 5, &worker), 0);
	synthetic_changed(&stage.model);
	for (int64_t ns = end_ns - 2 * MS; ns < end_ns + 30 * MS; ns += 4 * MS) {
		show_at(&stage, ns);
		stage_draw(&stage, 120, 36);
		row = row_of(&stage, "threads", "w6 cpu");
		mark = stage_find_in(row, 120, "SIGSEGV");
		if (ns < end_ns) {
			assert_null(mark);
			continue;
		}
		assert_non_null(mark);
		if (x == 0)
			x = (int)(mark - row);
		assert_int_equal(mark - row, x);
		assert_int_equal(last_of(row, 120)->style.fg, COLOUR_DEFAULT);
	}
	stage_close(&stage);
}

/*
 * Even at the end of the trial, while the race waits for the next one, the screen says so, because
 * the trial was not measured at that speed.
 */
static void a_trial_that_is_slowed_says_so_in_each_frame(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	for (int moves = 0; moves < 2; moves++) {
		for (int64_t ns = 0; ns <= 140 * MS; ns += 20 * MS) {
			show_at(&stage, ns);
			stage.view.state.race.length_ns = 140 * MS;
			stage.view.state.race.moves = moves && ns < 140 * MS;
			stage_draw(&stage, 64, 20);
			assert_true(stage_shows(&stage, "slowed 20x"));
			stage_draw(&stage, 120, 36);
			assert_true(stage_shows(&stage, "trial 1, slowed 20x"));
		}
	}
	stage.view.state.race.nearest = true;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "trial 1, nearest to the median time"));
	/* Why this trial is shown is more important than keys that the bottom line has, too. */
	for (int w = 80; w <= 140; w++) {
		stage_draw(&stage, w, 36);
		assert_true(stage_shows(&stage, "trial 1, nearest to the median time") ||
			    !stage_shows(&stage, "q quits"));
	}
	stage_close(&stage);
}

/*
 * The name of what runs is on every screen. Nothing in the top line moves after a trial was played.
 */
static void the_title_stays_while_trials_are_played(void **state)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}};
	struct stage stage;

	open_race(&stage, 6);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char first[400] = "";

		for (int ended = 0; ended < 3; ended++) {
			const char *title;
			char line[400];

			show_at(&stage, ended ? 140 * MS : 50 * MS);
			stage.view.state.race.length_ns = 140 * MS;
			stage.view.state.race.moves = !ended;
			stage.view.state.race.nearest = ended == 2;
			title = strstr(stage_draw(&stage, sizes[i][0], sizes[i][1]), "6 cpu");
			assert_true(title && title < strchr(stage.text, '\n'));
			snprintf(line, sizeof(line), "%.*s",
				 (int)(strstr(stage.text, "done") - stage.text), stage.text);
			if (ended == 0)
				snprintf(first, sizeof(first), "%s", line);
			if (ended == 1)
				assert_string_equal(line, first);
		}
	}
	stage_close(&stage);
}

static int place_in_line(const struct stage *stage, const char *text)
{
	const struct cell *found = stage_find_in(stage->canvas.cells, stage->canvas.width, text);

	if (!found)
		return -1;
	return (int)(found - stage->canvas.cells);
}

/* Outside the race, the names of models are dropped before the end of the title. */
static void the_title_is_whole_where_models_are_not_listed(void **state)
{
	bool whole = false;
	struct stage stage;

	open_race(&stage, 6);
	snprintf(stage.model.session.title, sizeof(stage.model.session.title),
		 "6 cpu + 2 io workers");
	stage_type(&stage, "4");
	for (int w = 60; w <= 120; w++) {
		stage_draw(&stage, w, 36);
		if (place_in_line(&stage, " workers") >= 0)
			whole |= place_in_line(&stage, "processes") < 0;
		else
			assert_true(place_in_line(&stage, "processes") < 0);
	}
	assert_true(whole);
	stage_close(&stage);
}

/* On a busy machine, the first runs may be shown live before a trial is played. */
static void the_played_trial_has_its_place_before_the_first_trial_ends(void **state)
{
	const int64_t lengths[] = {400 * MS, 800 * MS, 1200 * MS};
	bool expected[3];

	for (int i = 0; i < 3; i++) {
		struct race_clock clock = {0};
		struct synthetic session;
		struct stage stage;

		synthetic_mixed(&session, 2);
		session.warmup = 0;
		session.stop_ns = lengths[i] + 200 * MS;
		stage_open(&stage, &session);
		assert_non_null(model_running(&stage.model));
		race_advance(&clock, &stage.model, SECOND);
		expected[i] = clock.race.expected;
		stage_close(&stage);
	}
	assert_true(expected[0] && expected[1]);
	assert_false(expected[2]);
}

/* The columns of the first line at which these texts begin; -1: it has no such text. */
static void top_line_places(const struct stage *stage, int places[5])
{
	static const char *const texts[] = {"6 cpu + 2 io workers", "6 cpu + 2 io",
					    " of 6 measured", "! ", " slowed "};

	for (size_t i = 0; i < 5; i++)
		places[i] = place_in_line(stage, texts[i]);
}

/* An audience sees each part of the top line that moves, so none does while trials are played. */
static void nothing_in_the_top_line_moves_while_trials_are_played(void **state)
{
	struct stage stage;

	open_race_until(&stage, 6, 2 * (int64_t)SECOND);
	snprintf(stage.model.session.title, sizeof(stage.model.session.title),
		 "6 cpu + 2 io workers");
	stage.view.state.live = true;
	for (int w = 60; w <= 200; w++) {
		int first[5], now[5];

		for (int i = 0; i < 8; i++) {
			struct view_race *race = &stage.view.state.race;

			show_at(&stage, 50 * MS);
			race->moves = i % 2 == 0;
			race->slower = i & 2 ? 8 : 20;
			race->trial.number = i & 4 ? 2 : 1;
			stage_draw(&stage, w, 36);
			top_line_places(&stage, i == 0 ? first : now);
			if (i == 0)
				assert_true(first[4] > 0 && first[1] > 0);
			else
				assert_memory_equal(now, first, sizeof(now));
		}
	}
	stage_close(&stage);
}

static void the_next_trial_begins_without_an_empty_frame(void **state)
{
	struct race_clock clock = {0};
	struct stage stage;
	uint32_t first;
	uint64_t now = SECOND;
	int64_t begun_ns;

	open_race_until(&stage, 6, (int64_t)SECOND * 3 / 2);
	model_seek(&stage.model, stage.model.newest_ns / 2);
	race_advance(&clock, &stage.model, now);
	first = clock.race.trial.number;
	assert_true(first > 0);
	model_seek(&stage.model, stage.model.newest_ns);
	while (clock.race.trial.number == first && now < 20 * SECOND)
		race_advance(&clock, &stage.model, now += SECOND / 10);
	begun_ns = clock.race.ns;
	assert_true(begun_ns > 0 && begun_ns < clock.race.length_ns / 10);
	race_advance(&clock, &stage.model, now += SECOND / 10);
	assert_true(clock.race.ns > begun_ns);
	stage_close(&stage);
}

/* The length of the run is unknown, so the axis is 1, 2, 5 s. */
static void the_axis_of_a_first_run_grows_in_few_steps(void **state)
{
	struct synthetic session;
	int64_t was_ns = 0;
	int changes = 0;

	synthetic_mixed(&session, 1);
	session.cases = 1;
	for (int64_t stop_ns = (int64_t)SECOND / 2; stop_ns < 3 * (int64_t)SECOND;
	     stop_ns += 150 * MS) {
		struct stage stage;
		int64_t axis_ns;

		session.stop_ns = stop_ns;
		stage_open(&stage, &session);
		assert_int_equal(stage.model.n_runs, 1);
		axis_ns = view_rows_longest(&stage.model, 0, 1);
		assert_true(axis_ns >= model_length(&stage.model, &stage.model.runs[0]));
		assert_true(axis_ns >= was_ns);
		changes += axis_ns != was_ns;
		was_ns = axis_ns;
		stage_close(&stage);
	}
	assert_int_equal(changes, 3);
}

/* The answer has two lines there, and a recording has a line of time. */
static void the_answer_of_a_recording_hides_no_worker_on_a_small_screen(void **state)
{
	struct view_race *race;
	struct stage stage;
	const struct cell *rows[2][2];

	open_race(&stage, 6);
	race = &stage.view.state.race;
	stage.view.state.clock.shown = true;
	stage.view.state.live = false;
	stage.view.state.question = QUESTION;
	for (int ended = 0; ended < 2; ended++) {
		model_seek(&stage.model, stage.model.newest_ns * (9 + ended) / 10);
		show_at(&stage, ended ? 200 * MS : 50 * MS);
		race->nearest = ended;
		race->moves = !ended;
		stage_draw(&stage, 80, 24);
		assert_int_equal(stage_shows(&stage, QUESTION), !ended);
		rows[ended][0] = row_of(&stage, "threads", "w8 io");
		rows[ended][1] = row_of(&stage, "processes", "w8 io");
	}
	for (int i = 0; i < 2; i++) {
		assert_non_null(rows[0][i]);
		assert_non_null(rows[1][i]);
	}
	stage_close(&stage);
}

/* "~1.0 MiB" has its sign in the legend. */
static void the_legend_explains_an_estimate(void **state)
{
	for (int estimated = 0; estimated < 2; estimated++) {
		struct stage stage;

		open_race(&stage, 6);
		for (size_t i = 0; i < stage.model.n_runs; i++)
			stage.model.runs[i].totals.memory.estimated = estimated;
		synthetic_changed(&stage.model);
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage_shows(&stage, "● ~"), estimated);
		assert_int_equal(stage_shows(&stage, "~ estimate"), estimated);
		/* The white marks among the runs have a sign, too. */
		assert_true(stage_shows(&stage, "● median"));
		stage_close(&stage);
	}
}

/* The shape of a tree is its name, so no digit of its number of tasks is cut off. */
static void the_title_of_a_tree_is_cut_at_its_colon(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	snprintf(stage.model.session.title, sizeof(stage.model.session.title),
		 "tree 20x3x82: 5,000 tasks");
	for (int w = 60; w <= 140; w++) {
		const char *title;

		stage.view.state.race = (struct view_race) {
			.trial = {0, 1, 1}, .ns = MS, .slower = 20, .moves = true};
		stage.view.state.race.length_ns = 200 * MS;
		stage_draw(&stage, w, 36);
		assert_false(stage_shows(&stage, "5,000…"));
		assert_false(stage_shows(&stage, "5…"));
		title = strstr(stage.text, "20x3x82");
		if (title && title < strchr(stage.text, '\n'))
			assert_true(strncmp(title, "20x3x82  ", 9) == 0 ||
				    strncmp(title, "20x3x82: 5,000 tasks", 20) == 0);
	}
	stage_close(&stage);
}

/* A part of a command without a mark would look like another command. */
static void the_title_of_a_command_is_not_cut_at_its_colon(void **state)
{
	static const char title[] = "sh -c 'echo ready: go; sleep 1'";
	struct stage stage;

	stage_mixed(&stage, 1);
	snprintf(stage.model.session.title, sizeof(stage.model.session.title), "%s", title);
	for (int w = 40; w <= 140; w++) {
		const char *shown;

		stage_draw(&stage, w, 24);
		shown = strstr(stage.text, "sh -c 'echo ready");
		if (shown && shown < strchr(stage.text, '\n'))
			assert_true(strncmp(shown, title, strlen(title)) == 0 ||
				    strncmp(shown + strlen("sh -c 'echo ready"), "  ", 2) != 0);
	}
	stage_close(&stage);
}

/*
 * The number of the played trial is beside the number of measured trials, and beside no other
 * number.
 */
static void the_trial_that_is_played_is_no_count(void **state)
{
	struct stage stage;

	open_race_until(&stage, 6, 2 * (int64_t)SECOND);
	show_at(&stage, 50 * MS);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "trial 1, slowed 20x"));
	assert_true(stage_shows(&stage, " of 6 measured"));
	assert_false(stage_shows(&stage, "trial 1 of"));
	/* Repeated trials may make the session longer than planned. */
	assert_false(stage_shows(&stage, "  at most "));
	assert_true(stage_shows(&stage, "  about "));
	/* A session may end before its last planned trial. */
	stage.view.state.decides = true;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " of 6 measured  up to "));
	stage.view.state.race = (struct view_race) {.ns = 0};
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "measured"));
	assert_true(stage_shows(&stage, " of 6  "));
	stage_close(&stage);
}

/*
 * The times of a trial that does not count may contradict the answer. So it is played only until
 * one counts, and the top line says that it does not count.
 */
static void a_trial_that_does_not_count_is_played_only_alone(void **state)
{
	struct model_run *runs;
	struct stage stage;

	open_race(&stage, 6);
	runs = stage.model.runs;
	assert_int_equal(model_trial_newest(&stage.model).number, 6);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		runs[i].replaced_ns = runs[i].id.trial > 4 ? runs[i].end_ns : 0;
	assert_int_equal(model_trial_newest(&stage.model).number, 4);
	show_at(&stage, 50 * MS);
	stage_draw(&stage, 80, 24);
	assert_false(stage_shows(&stage, "discarded,"));
	for (size_t i = 0; i < stage.model.n_runs; i++)
		runs[i].replaced_ns = runs[i].end_ns;
	assert_int_equal(model_trial_newest(&stage.model).number, 6);
	for (int w = 80; w <= 200; w += 40) {
		stage_draw(&stage, w, 24);
		assert_true(stage_shows(&stage, "discarded, slowed 20x"));
	}
	show_at(&stage, 200 * MS);
	stage.view.state.race.nearest = true;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "trial 1, not counted"));
	assert_false(stage_shows(&stage, "nearest to the median time"));
	stage_close(&stage);
}

/* The last run of a trial. */
static const struct model_run *trial_end(const struct stage *stage, uint32_t number)
{
	const struct model_run *last = NULL;

	for (size_t i = 0; i < stage->model.n_runs; i++)
		if (stage->model.runs[i].id.trial == number)
			last = &stage->model.runs[i];
	return last;
}

/*
 * Trials 1, 2 and 4 do not count. All figures of a frame are of one moment, although figures that
 * are steady are read again only later.
 */
static void a_frame_counts_trials_once(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	stage.view.state.live = true;
	stage.view.state.steady = true;
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		if (run->id.trial <= 2 || run->id.trial == 4)
			run->replaced_ns = trial_end(&stage, run->id.trial)->end_ns;
	}
	synthetic_changed(&stage.model);
	model_seek(&stage.model, trial_end(&stage, 1)->end_ns);
	show_at(&stage, 50 * MS);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "0 of 6 measured  (1 not counted)"));
	assert_true(stage_shows(&stage, "in the only one so far"));
	model_seek(&stage.model, trial_end(&stage, 2)->end_ns);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "0 of 6 measured  (2 not counted)"));
	assert_true(stage_shows(&stage, "in all 2 so far"));
	model_seek(&stage.model, trial_end(&stage, 3)->end_ns);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1 of 6 measured  (2 not counted)"));
	/* The figures are steady now. A median that is first asked for later is as old as they. */
	model_seek(&stage.model, trial_end(&stage, 5)->end_ns);
	memset(stage.view.cache->medians, 0, sizeof(stage.view.cache->medians));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1 of 6 measured  (2 not counted)"));
	stage.view.state.steady = false;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "2 of 6 measured  (3 not counted)"));
	stage_close(&stage);
}

/* What is played must not outshine the question and the answer below it. */
static void no_text_of_the_top_line_is_a_band(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	show_at(&stage, 50 * MS);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "trial 1, slowed 20x"));
	for (int x = 0; x < 120; x++)
		assert_false(stage.canvas.cells[x].style.attr & ATTR_REVERSE);
	stage_close(&stage);
}

/* A session that ends early says why in its first line. A promise before it is no such end. */
static void a_session_that_is_decided_early_says_so(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct stage stage;

		open_race(&stage, 6);
		stage.model.session.trials = 19;
		stage_tell(&stage, MESSAGE_QUICK, "words");
		if (!early)
			stage.model.messages[stage.model.n_messages - 1].time_ns = 0;
		stage.model.done = true;
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage_shows(&stage, "6 of 19 trials  stopped"), !early);
		assert_int_equal(stage_shows(&stage, "6 trials, decided early  done"), early);
		/* The number of the played trial gives way to it. */
		stage.view.state.race = (struct view_race) {
			.trial = {0, 2, 3}, .slower = 10, .ns = MS, .axis_ns = 400 * MS};
		stage.view.state.race.length_ns = 300 * MS;
		snprintf(stage.model.session.title, sizeof(stage.model.session.title),
			 "a title of forty cells for its session ");
		stage_draw(&stage, 106, 36);
		assert_int_equal(stage_shows(&stage, "6 trials, decided early  done"), early);
		stage_close(&stage);
	}
}

/* With repeated trials, "trial 4 of 4" would contradict the number of the trial that is shown. */
static void trials_that_count_are_a_number_of_trials(void **state)
{
	struct stage stage;

	open_race(&stage, 6);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "trial 6 of 6"));
	for (uint32_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		if (run->id.trial > 2)
			continue;
		run->replaced_ns = run->end_ns;
		assert_true(array_grow(&stage.model.replaced, stage.model.n_replaced,
				       &stage.model.cap_replaced, sizeof(*stage.model.replaced)));
		stage.model.replaced[stage.model.n_replaced++] = i;
	}
	stage.model.session.trials = 4;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "4 of 4 trials  (2 more not counted)"));
	assert_false(stage_shows(&stage, "trial 4"));
	/* The number 6 is clear only beside the number of trials that do not count. */
	stage.view.state.race =
		(struct view_race) {.trial = {.first = 0, .end = 2, .number = 6}, .nearest = true};
	for (int w = 40; w <= 120; w++) {
		stage_draw(&stage, w, 36);
		assert_true(stage_shows(&stage, " trial 6") == stage_shows(&stage, "(2 more"));
		/* Where these have been dropped, the title has their room. */
		if (!stage_shows(&stage, "tuibench  6 cpu"))
			assert_null(strstr(stage.text, "done               "));
	}
	stage_close(&stage);
	/* The session was ended early. */
	open_race(&stage, 1);
	stage.model.session.trials = 4;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1 of 4 trials  stopped"));
	stage_close(&stage);
}

/*
 * At the session's end, the rest of the trial that is being played takes a second at most. Then all
 * of the nearest trial is shown, and nothing moves any more.
 */
static void the_nearest_trial_follows_when_the_session_ends(void **state)
{
	struct race_clock clock = {0};
	struct model_trial trial, nearest;
	struct stage stage;
	uint64_t now = SECOND, end;
	int64_t was_ns = 0;

	open_race(&stage, 6);
	stage.view.state.question = QUESTION;
	model_seek(&stage.model, stage.model.newest_ns / 2);
	for (int i = 0; i < 10 || !clock.race.moves; i++, now += SECOND / 10)
		race_advance(&clock, &stage.model, now);
	trial = clock.race.trial;
	model_seek(&stage.model, stage.model.newest_ns);
	nearest = model_trial_nearest(&stage.model);
	/* the nearest trial may be the played one, which would prove nothing */
	assert_int_not_equal(nearest.number, trial.number);
	end = now + SECOND + SECOND / 25;
	for (; clock.race.ns < clock.race.length_ns; now += SECOND / 25) {
		race_advance(&clock, &stage.model, now);
		assert_int_equal(clock.race.trial.number, trial.number);
		assert_true(clock.race.ns > was_ns && now <= end);
		/* No sample comes any more, so the race itself asks for frames. */
		assert_true(race_awaits_nearest(&clock, &stage.model));
		was_ns = clock.race.ns;
	}
	for (end = now + RACE_REST_NS; now <= end; now += SECOND / 25)
		race_advance(&clock, &stage.model, now);
	for (end = now + SECOND; now <= end; now += SECOND / 25) {
		race_advance(&clock, &stage.model, now);
		assert_int_equal(clock.race.trial.number, nearest.number);
		assert_true(clock.race.nearest);
		assert_int_equal(clock.race.ns, clock.race.length_ns);
		assert_false(race_awaits_nearest(&clock, &stage.model));
	}
	assert_false(clock.race.moves);
	assert_int_equal(clock.race.axis_ns, clock.race.length_ns);
	assert_int_equal(clock.race.ns, clock.race.length_ns);
	stage.view.state.race = clock.race;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "nearest to the median time"));
	stage_close(&stage);
}

/* Bands that grow anew with each trial are whole only for a moment, so the first trial stays. */
static void the_first_trial_of_a_tree_stays_until_the_end(void **state)
{
	struct race_clock clock = {0};
	struct stage stage;
	uint64_t now = SECOND;

	stage_tree(&stage);
	model_seek(&stage.model, stage.model.newest_ns / 2);
	assert_true(model_trial_newest(&stage.model).number > 1);
	race_advance(&clock, &stage.model, now);
	clock.race.trial.number = 1;
	clock.race.ns = clock.race.length_ns;
	for (int i = 0; i < 50; i++) {
		race_advance(&clock, &stage.model, now += SECOND / 10);
		assert_int_equal(clock.race.trial.number, 1);
		assert_int_equal(clock.race.ns, clock.race.length_ns);
	}
	stage_close(&stage);
}

/* A trial that does not count is played only until another one has ended. */
static void a_discarded_trial_goes_once_a_trial_counts(void **state)
{
	struct race_clock clock = {0};
	struct model_run *runs;
	struct stage stage;

	open_race(&stage, 6);
	runs = stage.model.runs;
	runs[0].replaced_ns = runs[1].replaced_ns = 1;
	model_seek(&stage.model, runs[1].end_ns);
	race_advance(&clock, &stage.model, SECOND);
	race_advance(&clock, &stage.model, SECOND * 3 / 2);
	assert_int_equal(clock.race.trial.number, 1);
	assert_true(clock.race.moves);
	model_seek(&stage.model, runs[3].end_ns);
	race_advance(&clock, &stage.model, 2 * SECOND);
	assert_int_equal(clock.race.trial.number, 2);
	race_advance(&clock, &stage.model, 2 * SECOND + SECOND / 2);
	model_seek(&stage.model, runs[5].end_ns);
	race_advance(&clock, &stage.model, 3 * SECOND);
	assert_int_equal(clock.race.trial.number, 2);
	stage_close(&stage);
}

/* Until a trial counts, the time of the played run is shown when its lanes have ended. */
static void the_figure_of_one_run_waits_for_its_lanes(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.warmup = 0;
	session.crowded_trial = 1;
	stage_open(&stage, &session);
	model_seek(&stage.model, stage.model.runs[1].end_ns + 1);
	assert_int_equal(model_trial_newest(&stage.model).number, 1);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		show_at(&stage, 50 * MS);
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_false(stage_shows(&stage, "of one run"));
		show_at(&stage, 60 * (int64_t)SECOND);
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_true(stage_shows(&stage, "of one run"));
	}
	stage_close(&stage);
}

/* Seven children with one name are one row in `b`, drawn by shares. `a` has a row for each task. */
static void fill_siblings(struct programs_run *run, const void *arg)
{
	const uint32_t first = programs_task(run, -1, false, "make", 2000, 200 * MS);
	const int children = run->id.case_id == 0 ? 2 : 7;

	run->elapsed_ns = 201 * MS;
	programs_slice(run, first, 2000, 5 * MS, WHY_BLOCKED, 0);
	for (int i = 0; i < children; i++) {
		const uint32_t task =
			programs_task(run, (int)first, false, "sh", (6 + i) * MS, (90 + i) * MS);

		programs_slice(run, task, (8 + 9 * i) * MS, (13 + 9 * i) * MS, WHY_ENDED, 0);
	}
}

static void the_legend_says_where_a_height_is_a_share(void **state)
{
	void (*const fills[])(struct programs_run * run, const void *arg) = {fill_growing,
									     fill_siblings};

	for (int i = 0; i < 2; i++) {
		struct stage stage;

		open_programs(&stage, fills[i], 3);
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, "on a core"));
		assert_int_equal(stage_shows(&stage, "7 × sh"), i == 1);
		assert_int_equal(stage_shows(&stage, "in part"), i == 1);
		stage_close(&stage);
	}
}

static void models_that_do_not_fit_are_told_of(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	synthetic_add(&session, "hybrid", "", 3 * (int64_t)SECOND);
	stage_open(&stage, &session);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "← 1 of 3 →"));
	assert_true(stage_shows(&stage, "← 2 of 3 →"));
	assert_false(stage_shows(&stage, "▌▲ hybrid"));
	stage_draw(&stage, 120, 60);
	assert_true(stage_shows(&stage, "▌▲ hybrid"));
	assert_false(stage_shows(&stage, " of 3 →"));
	stage_close(&stage);
}

/* Bars of two lines can be read from the last row of seats. */
static void free_lines_make_the_bars_higher(void **state)
{
	for (int h = 24; h <= 36; h += 12) {
		struct stage stage;
		const struct cell *title;

		open_programs(&stage, fill_alone, 3);
		show_at(&stage, 201 * MS);
		stage_draw(&stage, 120, h);
		title = stage_find(&stage, " time ");
		assert_non_null(title);
		title += 1 + FIGURE_W;
		assert_int_equal(title[120].glyph, 0x2588);
		assert_int_equal(title[120].style.fg, view_hue(&stage.model, 0));
		assert_int_equal(title[240].style.fg, view_hue(&stage.model, h < 36));
		if (h == 36)
			assert_int_equal(title[360].style.fg, view_hue(&stage.model, 1));
		stage_close(&stage);
	}
}

/* A legend without it would leave the largest area of a tree unexplained. */
static void the_legend_of_a_tree_is_whole_on_a_narrow_screen(void **state)
{
	for (int w = 60; w <= 130; w++) {
		struct stage stage;

		stage_tree(&stage);
		stage_draw(&stage, w, 24);
		assert_true(stage_shows(&stage, " not created"));
		/* Below 80 columns the other words are shorter. */
		assert_true(stage_shows(&stage, "█ not ended") ||
			    (w < 80 && stage_shows(&stage, "█ started")));
		stage_close(&stage);
	}
}

/* The axis of runs that are shown live has few lengths, and never shrinks. */
static void the_axis_of_live_runs_only_grows(void **state)
{
	int64_t was_ns = 0;
	int changes = 0;
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 4);
	session.warmup = 0;
	session.span_ns[0] = 140 * MS;
	session.span_ns[1] = 1190 * MS;
	stage_open(&stage, &session);
	stage.view.state.live = true;
	for (int64_t ns = 200 * MS; ns < stage.model.newest_ns - 50 * MS; ns += 50 * MS) {
		model_seek(&stage.model, ns);
		stage_draw(&stage, 120, 36);
		assert_true(stage.view.cache->race_ns >= was_ns);
		changes += stage.view.cache->race_ns != was_ns;
		was_ns = stage.view.cache->race_ns;
	}
	assert_int_equal(changes, 1);
	assert_int_equal(was_ns, 1400 * MS);
	stage_close(&stage);
}

/* A file's name says nothing to an audience; that these runs are not slowed down does. */
static void the_top_line_says_that_runs_are_live(void **state)
{
	struct stage stage;

	for (int live = 0; live < 2; live++) {
		stage_mixed(&stage, 8.5);
		stage.view.state.live = live;
		stage_draw(&stage, 120, 36);
		assert_int_equal(stage_shows(&stage, "▶ live"), live);
		assert_int_equal(stage_shows(&stage, "lecture.csv"), !live);
		stage_key(&stage, '2');
		stage_draw(&stage, 120, 36);
		assert_false(stage_shows(&stage, "▶ live"));
		assert_true(stage_shows(&stage, "lecture.csv"));
		stage_close(&stage);
	}
}

/* What a colour means is more important than what to run next. */
static void the_legend_stays_when_something_is_suggested(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};
	struct stage stage;

	for (int bands = 0; bands < 2; bands++)
		for (size_t i = 0; i < LENGTH(sizes); i++) {
			if (bands)
				stage_tree(&stage);
			else
				open_race(&stage, 6);
			stage.view.state.suggestion = "What next?";
			stage_draw(&stage, sizes[i][0], sizes[i][1]);
			assert_true(stage_shows(&stage, bands ? "not created" : "on a core"));
			assert_int_equal(stage_shows(&stage, "What next?"), i == 1);
			stage_close(&stage);
		}
}

static void bars_have_arrived_where_nobody_moves_them(void **state)
{
	struct view view;

	view_init(&view);
	assert_true(view.state.unsettled <= 0);
	view_free(&view);
}

static void a_race_draws_at_every_size(void **state)
{
	struct stage stage;

	open_race(&stage, 2);
	for (int64_t at = 0; at <= 150 * MS; at += 75 * MS) {
		show_at(&stage, at);
		for (int w = 20; w <= 240; w += 11)
			for (int h = 5; h <= 60; h += 3)
				stage_draw(&stage, w, h);
	}
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_is_dimmed_until_its_worker_has_ended),
		cmocka_unit_test(short_slices_are_shares_and_long_ones_have_edges),
		cmocka_unit_test(a_lane_is_exact_to_an_eighth_of_a_cell),
		cmocka_unit_test(a_lane_is_split_between_two_workers),
		cmocka_unit_test(a_worker_without_a_core_has_a_line),
		cmocka_unit_test(the_race_draws_the_slices_of_its_runs),
		cmocka_unit_test(the_reasons_of_no_wait_are_not_listed),
		cmocka_unit_test(the_states_of_a_program_s_only_task_end_with_a_share),
		cmocka_unit_test(the_only_task_of_a_program_has_its_states_below_it),
		cmocka_unit_test(the_overview_says_what_differs_between_two_programs),
		cmocka_unit_test(two_models_lie_one_below_the_other),
		cmocka_unit_test(a_run_that_begins_moves_no_lane),
		cmocka_unit_test(a_shorter_sentence_moves_no_lane_while_trials_go_on),
		cmocka_unit_test(nothing_goes_backwards_when_a_trial_does_not_count),
		cmocka_unit_test(the_figures_so_far_are_whole_or_absent),
		cmocka_unit_test(short_runs_are_shown_once_each_model_has_run),
		cmocka_unit_test(nothing_is_told_before_each_model_has_run),
		cmocka_unit_test(a_core_has_the_kernels_load_where_a_run_has_readings),
		cmocka_unit_test(runs_of_a_second_are_shown_as_they_run),
		cmocka_unit_test(a_run_that_is_played_has_no_result_yet),
		cmocka_unit_test(the_position_hides_no_figure_of_the_axis),
		cmocka_unit_test(few_cells_change_in_a_frame_of_a_replay),
		cmocka_unit_test(a_frame_of_the_race_is_few_bytes_and_a_still_one_none),
		cmocka_unit_test(the_answer_is_shown_once_everything_is_measured),
		cmocka_unit_test(only_a_win_of_some_size_colours_the_band),
		cmocka_unit_test(figures_beside_the_question_end_where_a_part_ends),
		cmocka_unit_test(an_answer_is_not_cut_within_the_name_of_a_program),
		cmocka_unit_test(a_question_about_programs_and_its_answer_have_a_line_each),
		cmocka_unit_test(an_answer_names_long_commands_by_their_programs),
		cmocka_unit_test(memory_of_programs_has_one_unit),
		cmocka_unit_test(a_program_has_its_memory_below_its_lane),
		cmocka_unit_test(a_program_too_short_for_samples_says_so),
		cmocka_unit_test(the_key_of_programs_fits_a_small_screen),
		cmocka_unit_test(a_tree_played_to_its_end_has_its_totals_and_the_medians_of_all),
		cmocka_unit_test(keys_move_both_models_alike),
		cmocka_unit_test(bars_move_from_the_old_medians_to_the_new_ones),
		cmocka_unit_test(bars_that_would_contradict_their_medians_jump),
		cmocka_unit_test(bars_of_a_real_difference_do_not_move),
		cmocka_unit_test(models_of_a_frame_have_lanes_of_one_kind),
		cmocka_unit_test(no_bar_contradicts_its_figure),
		cmocka_unit_test(a_lane_is_as_long_as_its_lifetime),
		cmocka_unit_test(a_lane_begins_at_the_first_instruction),
		cmocka_unit_test(lanes_have_the_whole_width),
		cmocka_unit_test(a_live_run_does_not_zoom_the_axis),
		cmocka_unit_test(survivors_of_a_crash_have_bars_and_a_place_in_titles),
		cmocka_unit_test(a_crash_shows_all_models_at_once),
		cmocka_unit_test(a_title_has_survivors_beside_the_cores),
		cmocka_unit_test(a_bar_of_survivors_says_how_many_died),
		cmocka_unit_test(w1_has_one_colour_in_all_models),
		cmocka_unit_test(values_that_are_all_zero_have_no_bars),
		cmocka_unit_test(a_crash_says_who_crashed_and_who_died_with_it),
		cmocka_unit_test(the_slice_of_a_crash_is_before_its_mark),
		cmocka_unit_test(when_the_parent_noticed_has_a_range),
		cmocka_unit_test(the_last_crash_is_nearest_to_the_median_notice),
		cmocka_unit_test(soon_after_a_crash_its_parent_has_noticed),
		cmocka_unit_test(a_worker_that_awaits_a_crash_is_done),
		cmocka_unit_test(short_slices_without_time_do_not_make_lanes_dense),
		cmocka_unit_test(an_ended_worker_may_wait_for_its_exit),
		cmocka_unit_test(the_axis_measures_any_lifetime),
		cmocka_unit_test(time_on_a_core_after_the_end_is_an_exit),
		cmocka_unit_test(the_axis_of_a_played_trial_outlives_the_session),
		cmocka_unit_test(a_session_that_is_decided_early_says_so),
		cmocka_unit_test(the_figures_of_a_single_model_have_no_bars),
		cmocka_unit_test(every_run_says_of_which_model_it_is),
		cmocka_unit_test(a_run_that_is_far_off_does_not_squeeze_all_others),
		cmocka_unit_test(the_better_figure_is_bold),
		cmocka_unit_test(one_line_below_the_lanes_is_for_the_legend),
		cmocka_unit_test(the_answer_on_a_small_screen_hides_no_worker_and_no_legend),
		cmocka_unit_test(the_medians_so_far_follow_the_question),
		cmocka_unit_test(each_column_of_figures_has_its_own_heading),
		cmocka_unit_test(medians_printed_alike_have_bars_of_one_length),
		cmocka_unit_test(figures_stay_while_they_are_steady),
		cmocka_unit_test(an_unknown_reason_alone_is_not_listed),
		cmocka_unit_test(the_line_of_figures_does_not_repeat_the_headline),
		cmocka_unit_test(the_slower_program_is_named_on_a_small_screen),
		cmocka_unit_test(free_lines_make_the_bars_higher),
		cmocka_unit_test(the_axis_of_live_runs_only_grows),
		cmocka_unit_test(the_legend_of_a_tree_is_whole_on_a_narrow_screen),
		cmocka_unit_test(the_top_line_says_that_runs_are_live),
		cmocka_unit_test(the_legend_stays_when_something_is_suggested),
		cmocka_unit_test(an_answer_has_two_lines_on_a_small_screen),
		cmocka_unit_test(a_ratio_of_the_pairs_is_real_at_each_width),
		cmocka_unit_test(a_narrow_bar_keeps_its_difference),
		cmocka_unit_test(each_ratio_is_that_of_the_medians_or_says_so),
		cmocka_unit_test(a_bar_of_nothing_has_no_length),
		cmocka_unit_test(programs_that_are_ended_have_a_mark_for_each_run),
		cmocka_unit_test(tasks_keep_their_rows_while_a_trial_is_played),
		cmocka_unit_test(programs_of_few_tasks_keep_their_places_from_the_start),
		cmocka_unit_test(cores_without_a_known_load_have_the_same_heading),
		cmocka_unit_test(programs_of_one_task_have_one_axis_for_all),
		cmocka_unit_test(a_title_names_all_cores_or_none),
		cmocka_unit_test(the_only_task_of_a_program_has_its_program_s_colour),
		cmocka_unit_test(cores_have_lanes_in_every_model_if_one_used_them),
		cmocka_unit_test(runs_of_programs_move_no_row_and_no_axis),
		cmocka_unit_test(the_last_run_of_a_program_stays_until_the_next_has_tasks),
		cmocka_unit_test(a_run_that_has_ended_has_its_figures_at_once),
		cmocka_unit_test(the_trial_that_is_played_is_no_count),
		cmocka_unit_test(a_killed_worker_is_marked_where_its_lane_ends),
		cmocka_unit_test(a_trial_that_is_slowed_says_so_in_each_frame),
		cmocka_unit_test(the_title_stays_while_trials_are_played),
		cmocka_unit_test(the_played_trial_has_its_place_before_the_first_trial_ends),
		cmocka_unit_test(the_title_is_whole_where_models_are_not_listed),
		cmocka_unit_test(nothing_in_the_top_line_moves_while_trials_are_played),
		cmocka_unit_test(the_next_trial_begins_without_an_empty_frame),
		cmocka_unit_test(the_axis_of_a_first_run_grows_in_few_steps),
		cmocka_unit_test(the_answer_of_a_recording_hides_no_worker_on_a_small_screen),
		cmocka_unit_test(the_legend_explains_an_estimate),
		cmocka_unit_test(the_title_of_a_tree_is_cut_at_its_colon),
		cmocka_unit_test(the_title_of_a_command_is_not_cut_at_its_colon),
		cmocka_unit_test(the_nearest_trial_follows_when_the_session_ends),
		cmocka_unit_test(each_real_difference_has_the_same_colour),
		cmocka_unit_test(a_slice_shows_its_core_where_cores_have_no_rows),
		cmocka_unit_test(the_answer_leaves_the_figures_on_a_small_screen),
		cmocka_unit_test(an_idle_core_has_a_sign_in_the_legend),
		cmocka_unit_test(the_title_says_how_long_cores_were_wasted),
		cmocka_unit_test(a_core_is_idle_until_the_end_of_the_run),
		cmocka_unit_test(a_recording_says_when_it_was_made_and_how_long_it_is),
		cmocka_unit_test(marks_of_runs_and_their_count_are_of_one_moment),
		cmocka_unit_test(the_first_trial_of_a_tree_stays_until_the_end),
		cmocka_unit_test(a_discarded_trial_goes_once_a_trial_counts),
		cmocka_unit_test(the_figure_of_one_run_waits_for_its_lanes),
		cmocka_unit_test(the_legend_says_where_a_height_is_a_share),
		cmocka_unit_test(a_trial_that_does_not_count_is_played_only_alone),
		cmocka_unit_test(a_frame_counts_trials_once),
		cmocka_unit_test(no_text_of_the_top_line_is_a_band),
		cmocka_unit_test(trials_that_count_are_a_number_of_trials),
		cmocka_unit_test(models_that_do_not_fit_are_told_of),
		cmocka_unit_test(bars_have_arrived_where_nobody_moves_them),
		cmocka_unit_test(a_race_draws_at_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
