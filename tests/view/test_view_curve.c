/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "draw/key.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "result/finding.h"
#include "result/latency.h"
#include "result/report.h"
#include "result/table.h"
#include "stage/golden.h"
#include "stage/stage.h"
#include "view/view_cache.h"
#include "view/views.h"

#define MS INT64_C(1000000)

/* Goldens of the Curve of a sweep. */

/* Two kinds of work over the same values. Processes are faster at the second kind. */
static void synthetic_works(struct synthetic *session, uint32_t trials)
{
	synthetic_scaling(session, trials);
	session->cases = 12;
	for (uint32_t i = 0; i < session->cases; i++) {
		synthetic_vary(&session->list[i].variables, "work=%s;workers=%u",
			       i < 6 ? "fp" : "mem", 2 + i % 6 / 2);
		if (i >= 6)
			session->span_ns[i] = (i % 2 ? 10 : 14) * session->span_ns[i - 6] / 5;
	}
}

static void the_curve_reads_as_agreed(void **state)
{
	static const struct {
		void (*make)(struct synthetic *session, uint32_t trials);
		double stop_s;
		const char *wide, *narrow;
	} curves[] = {
		{synthetic_scaling, 0, "curve-120x36", "curve-80x24"},
		{synthetic_scaling, 15, "curve-running-120x36", "curve-running-80x24"},
		{synthetic_works, 0, "curve-kinds-120x36", "curve-kinds-80x24"},
		{synthetic_works, 25, "curve-kinds-running-120x36", "curve-kinds-running-80x24"},
		{synthetic_hello, 0, "curve-three-120x36", "curve-three-80x24"},
		{synthetic_shapes, 0, "curve-trees-120x36", "curve-trees-80x24"},
	};

	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		struct stage stage;

		stage_sweep(&stage, curves[i].make, curves[i].stop_s);
		assert_true(stage_key(&stage, '5'));
		golden_assert(curves[i].wide, stage_draw(&stage, 120, 36));
		golden_assert(curves[i].narrow, stage_draw(&stage, 80, 24));
		stage_close(&stage);
	}
}

static uint32_t glyph_at(const struct stage *stage, int x, int y)
{
	return stage->canvas.cells[y * stage->canvas.width + x].glyph;
}

/* Returns the number of an axis label with its unit, in ns. */
static double tick_ns(const struct stage *stage, int x, int y)
{
	char text[16] = "", unit[4] = "";
	double number = 0;

	for (int i = 0; i < 9; i++)
		text[i] = (char)MAX(' ', glyph_at(stage, x - 10 + i, y));
	assert_int_equal(sscanf(text, " %lf %2s", &number, unit), 2);
	return number * (strcmp(unit, "ms") == 0 ? 1e6 : 1e9);
}

/* The dots of one of the two columns of a braille cell, from the lowest: 1, 2, 4, 8. */
static unsigned dots_of(uint32_t glyph, int column)
{
	static const uint8_t bits[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}};
	unsigned dots = 0;

	for (int i = 0; i < 4; i++)
		if (glyph >= 0x2800 && glyph <= 0x28ff && (glyph & bits[column][i]))
			dots |= 1u << i;
	return dots;
}

/* Whether a line is drawn at a height in quarters of a row above the axis, at most one beside it.
 */
static bool line_is_at(const struct stage *stage, int x, int axis, double height)
{
	for (int near = -1; near <= 1; near++) {
		const int dot = 4 * axis - 1 - (int)lround(height) + near;
		const unsigned bit = 8u >> dot % 4;

		if ((dots_of(glyph_at(stage, x, dot / 4), 0) |
		     dots_of(glyph_at(stage, x, dot / 4), 1)) &
		    bit)
			return true;
	}
	return false;
}

/*
 * Checks that each line is at its medians to a quarter of a row, and that the mark at its end is in
 * the nearest row. Marks that are less than half a row apart share a row, so neither may be nearest
 * to it.
 */
static void assert_points_are_at_their_numbers(struct stage *stage, const struct curve *curve)
{
	const struct canvas *canvas = &stage->canvas;
	int corner = 0, axis = 0, top = 0, first = 0, last = 0;
	int row[CURVE_VALUES] = {0}; /* For each value, the row of points that share one. */
	double row_ns;

	for (int i = 0; i < canvas->width * canvas->height; i++)
		if (canvas->cells[i].glyph == 0x2514) {
			corner = i % canvas->width;
			axis = i / canvas->width;
		}
	while (glyph_at(stage, corner, top) != 0x2524)
		top++;
	row_ns = tick_ns(stage, corner, top) / (axis - top);
	/* only the first and last values; an interval hides others */
	for (int x = corner; x < canvas->width; x++)
		if (glyph_at(stage, x, axis) == 0x252c) {
			first = first ? first : x;
			last = x;
		}
	for (uint32_t i = 0; i < curve->n_lines * curve->n_values; i++) {
		uint32_t line = i / curve->n_values, value = i % curve->n_values;
		double median = curve->point[line][value].median;
		int x = first + (last - first) * (int)value / (int)(curve->n_values - 1), seen = 0;
		double nearest = 0.501;

		for (uint32_t other = 0; other < curve->n_lines; other++) {
			double apart = fabs(curve->point[other][value].median - median) / row_ns;

			if (other != line && apart < 0.5)
				nearest = 0.751;
		}

		/* A mark may cover the line's end. */
		if (value + 1 < curve->n_values) {
			assert_true(line_is_at(stage, x, axis, 4 * (median / row_ns - 0.5)));
			continue;
		}
		for (int y = 0; y < axis; y++)
			for (int near = x - 2; near <= x + 3; near++) {
				if (glyph_at(stage, near, y) != identity_glyph(line))
					continue;
				assert_true(fabs((axis - y) * row_ns - median) <= row_ns * nearest);
				assert_true(nearest < 0.6 || row[value] == 0 || row[value] == y);
				if (nearest > 0.6)
					row[value] = y;
				seen++;
			}
		assert_int_equal(seen, 1);
	}
}

static void each_point_of_the_curve_is_where_its_number_is(void **state)
{
	static const int sizes[][2] = {{80, 20}, {90, 20}, {120, 20}, {160, 20}, {200, 20}};
	struct curve curve;
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	assert_int_equal(curve_read(&curve, &stage.model, METRIC_ELAPSED, 0), 0);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_points_are_at_their_numbers(&stage, &curve);
	}
	stage_close(&stage);
}

/* Drawn to half a row, the curve would look like stairs. */
static void the_curve_is_drawn_to_a_quarter_of_a_row(void **state)
{
	struct stage stage;
	int middle = 0;

	stage_sweep(&stage, synthetic_scaling, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++)
		for (int column = 0; column < 2; column++)
			middle += dots_of(stage.canvas.cells[i].glyph, column) == 6;
	assert_true(middle > 3);
	stage_close(&stage);
}

/* The highest dot of the columns from x - 1 to x + 1, counted from the top of the canvas. */
static int highest_dot(const struct stage *stage, int x)
{
	for (int dot = 0; dot < 4 * stage->canvas.height; dot++)
		for (int near = x - 1; near <= x + 1; near++)
			if (dots_of(glyph_at(stage, near, dot / 4), 0) & (8u >> dot % 4))
				return dot;
	return -1;
}

/* Shapes of several points would share a row of a low plot, although the line between them rises.
 */
static void in_a_low_plot_each_point_is_higher_than_the_one_before(void **state)
{
	struct stage stage;
	int before = INT_MAX, n = 0;

	stage_sweep(&stage, synthetic_scaling, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 80, 24);
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++) {
		int dot;

		/* A tick of the axis, or the end of the interval of the crossing. */
		if (stage.canvas.cells[i].glyph != 0x252c)
			continue;
		dot = highest_dot(&stage, i % stage.canvas.width);
		assert_true(dot >= 0 && dot < before);
		before = dot;
		n++;
	}
	assert_true(n >= 4);
	stage_close(&stage);
}

static void the_y_axis_has_two_ticks_above_0(void **state)
{
	static const double stops_s[] = {15, 25, 60, 0};
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};

	for (size_t i = 0; i < sizeof(stops_s) / sizeof(stops_s[0]); i++) {
		struct stage stage;

		stage_sweep(&stage, synthetic_scaling, stops_s[i]);
		assert_true(stage_key(&stage, '5'));
		for (int size = 0; size < 3; size++) {
			int ticks = 0;

			stage_draw(&stage, sizes[size][0], sizes[size][1]);
			for (int at = 0; at < stage.canvas.width * stage.canvas.height; at++)
				ticks += stage.canvas.cells[at].glyph == 0x2524;
			assert_true(ticks >= 2);
		}
		stage_close(&stage);
	}
}

/*
 * A sweep of cores has curves of times and, with the key u, of speedups. The law is that of the
 * report.
 */
static void a_sweep_of_cores_has_speedups_too(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_cores, 0);
	stage_type(&stage, "5");
	assert_non_null(strstr(stage.text, "u Speed-up"));
	assert_non_null(strstr(stage.text, "elapsed time over cores"));
	assert_true(stage_key(&stage, 'u'));
	golden_assert("curve-speedup-120x36", stage_draw(&stage, 120, 36));
	golden_assert("curve-speedup-80x24", stage_draw(&stage, 80, 24));
	golden_assert("curve-speedup-64x20", stage_draw(&stage, 64, 20));
	assert_non_null(strstr(stage.text, "u Times"));
	assert_false(stage_key(&stage, 'm'));
	stage_type(&stage, "u");
	assert_non_null(strstr(stage.text, "elapsed time over cores"));
	stage_close(&stage);
}

/* The rows of numbers equal the table's. */
static void speedups_and_their_ideal_are_those_of_the_table(void **state)
{
	struct stage stage;
	struct table table;
	char *row, *ideal;

	stage_sweep(&stage, synthetic_cores, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 200, 50);
	assert_true(stage_key(&stage, 'u'));
	stage_draw(&stage, 200, 50);
	assert_true(stage_key(&stage, 'L')); /* each value has room for its numbers */
	stage_draw(&stage, 200, 50);
	assert_int_equal(table_build(&stage.model, TABLE_SPEEDUP, &table), 0);
	assert_int_equal(table_rows(&table), 12);
	row = strstr(stage.text, "\u25cf threads  ");
	ideal = strstr(stage.text, "  ideal  ");
	for (uint32_t i = 0; i < 6; i++) {
		assert_non_null(row = strstr(row, CLAIM_TIMES(table_cell(&table, i, 3)->value)));
		assert_non_null(
			ideal = strstr(ideal, CLAIM_TIMES(table_cell(&table, i, 6)->value)));
		row++;
		ideal++;
	}
	table_free(&table);
	stage_close(&stage);
}

static void another_sweep_has_no_speedups(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_type(&stage, "5");
	assert_null(strstr(stage.text, "Speed-up"));
	assert_false(stage_key(&stage, 'u'));
	stage_close(&stage);
}

/* Amdahl's law is not reported before it has enough points and trials. */
static void a_law_that_is_not_reported_is_not_drawn(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_cores, 20);
	stage_type(&stage, "5u");
	assert_non_null(strstr(stage.text, "Amdahl's law needs at least"));
	assert_null(strstr(stage.text, " serial"));
	stage_close(&stage);
}

static void draw_curve(struct stage *stage, int w, int h)
{
	static const int keys[] = {'m', 'l', 'L', 'm', 'l', 'L', '?', '?', 'u', 'l', 'L', 0};

	stage_press(stage, keys, w, h);
}

static void every_curve_draws_at_every_size(void **state)
{
	static void (*const makes[])(struct synthetic * session, uint32_t trials) = {
		synthetic_scaling, synthetic_works, synthetic_hello, synthetic_shapes,
		synthetic_cores};

	for (size_t i = 0; i < sizeof(makes) / sizeof(makes[0]); i++) {
		struct stage stage;

		stage_sweep(&stage, makes[i], i ? 8.5 : 0);
		assert_true(stage_key(&stage, '5'));
		stage_each_size(&stage, draw_curve);
		stage_close(&stage);
	}
}

/* As on a busy machine, where a trial turns out not to count after it was drawn. */
static void creation_keeps_its_points_where_a_trial_does_not_count(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	stage.model.done = false;
	assert_false(model_over(&stage.model));
	assert_true(stage_key(&stage, '5'));
	assert_null(strstr(stage_draw(&stage, 120, 36), "not counted"));
	assert_null(strstr(stage.text, "not yet"));
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].replaced_ns = stage.model.now_ns;
	synthetic_changed(&stage.model);
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "not counted"));
	assert_null(strstr(stage.text, "not yet"));
	stage_close(&stage);
}

/* When a warm-up run has ended, its row has points. */
static void creation_fills_its_rows_from_the_warm_up(void **state)
{
	struct synthetic session;
	struct stage whole, stage;

	synthetic_creation(&session, 2);
	session.warmup = 1;
	stage_open(&whole, &session);
	session.stop_ns = whole.model.runs[2].end_ns + 1000000;
	stage_open(&stage, &session);
	assert_int_equal(stage.model.runs[2].id.trial, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "Grey: a run that does not count"));
	assert_true(stage_shows(&stage, "┃"));
	/* This is also true between two runs of the warm-up. */
	assert_null(model_running(&stage.model));
	assert_true(stage_shows(&stage, " warm-up "));
	stage_close(&stage);
	/* At the end no point is from a warm-up run. */
	assert_true(stage_key(&whole, '5'));
	stage_draw(&whole, 120, 36);
	assert_false(stage_shows(&whole, "Grey: a run"));
	stage_close(&whole);
}

/*
 * Returns the line where the box begins. `names` gets the glyphs in column 2 of its rows, which
 * tell its cases apart, up to a 0.
 */
static int box_of_creation(const struct stage *stage, uint32_t names[32])
{
	const struct canvas *canvas = &stage->canvas;
	int top = 0, n = 0;

	memset(names, 0, 32 * sizeof(names[0]));
	while (canvas->cells[top * canvas->width].glyph != 0x256d)
		top++;
	for (int y = top + 2; y < canvas->height; y++) {
		const uint32_t glyph = canvas->cells[y * canvas->width + 2].glyph;

		if (glyph > 0xff && canvas->cells[y * canvas->width].glyph == 0x2502 && n < 31)
			names[n++] = glyph;
	}
	return top;
}

/*
 * The box does not move from the first frame to the answer's. Rows are sorted once, after each has
 * been measured.
 */
static void the_box_of_creation_and_its_rows_stand_still(void **state)
{
	static const int sizes[][2] = {{120, 36}, {80, 24}, {200, 60}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t first[32] = {0}, names[32];
		int top = -1, sorted = 0;
		struct stage stage;
		int64_t end_ns;

		stage_sweep(&stage, synthetic_creation, 0);
		stage.view.state.question = "What does it cost to create one task?";
		assert_true(stage_key(&stage, '5'));
		end_ns = stage.model.newest_ns;
		for (int part = 0; part <= 40; part++) {
			model_seek(&stage.model,
				   end_ns / 40 * part + (part == 40 ? end_ns % 40 : 0));
			stage_draw(&stage, sizes[i][0], sizes[i][1]);
			if (top < 0)
				top = box_of_creation(&stage, first);
			assert_int_equal(box_of_creation(&stage, names), top);
			if (memcmp(first, names, sizeof(names)) != 0)
				sorted++;
			memcpy(first, names, sizeof(names));
		}
		assert_true(model_over(&stage.model));
		assert_true(sorted <= 1);
		stage_close(&stage);
	}
}

/* The question and the progress are in the table of medians and on the curve. */
static void before_the_first_figure_a_sweep_asks_its_question(void **state)
{
	for (int operations = 0; operations < 2; operations++) {
		struct stage whole, stage;

		stage_sweep(&whole, synthetic_scaling, 0);
		stage_sweep(&stage, synthetic_scaling,
			    (double)whole.model.runs[0].begin_ns / 1e9 + 1e-3);
		stage_close(&whole);
		for (uint32_t i = 0; i < stage.model.n_cases && operations; i++)
			stage.model.cases[i].plan.tasks = 100;
		stage.view.state.question = "What does each worker cost?";
		assert_true(stage_key(&stage, '5'));
		assert_non_null(model_running(&stage.model));
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage,
					operations ? "─ median elapsed ─" : "First runs: 0 of"));
		assert_true(stage_shows(&stage, "What does each worker cost?"));
		assert_false(stage_shows(&stage, "MEASURING"));
		assert_false(stage_shows(&stage, " ?  "));
		assert_true(stage_shows(&stage, "▶"));
		stage_close(&stage);
	}
}

/*
 * The run may be from the warm-up, or from a trial that turns out not to count. The test is of the
 * curve and of a session with operations.
 */
static void a_first_run_is_shown_until_a_trial_counts(void **state)
{
	for (int operations = 0; operations < 2; operations++) {
		struct synthetic session;
		struct stage stage;
		bool was = false, counted = false;

		synthetic_scaling(&session, 2);
		session.warmup = 1;
		session.crowded_trial = 1;
		stage_open(&stage, &session);
		for (uint32_t i = 0; i < stage.model.n_cases && operations; i++)
			stage.model.cases[i].plan.tasks = 100;
		assert_true(stage_key(&stage, '5'));
		for (size_t i = 0; i < stage.model.n_runs; i++) {
			const struct model_run *run = &stage.model.runs[i];
			bool first;

			model_seek(&stage.model, run->end_ns);
			stage_draw(&stage, 120, 36);
			first = stage_shows(&stage, "a first run, which does not count");
			/* From its first run on, each model has a value. */
			assert_false(stage_shows(&stage, "No trial counts yet. The median"));
			was |= first;
			counted |= !first;
			assert_true(first || run->id.trial > 1);
			/* Nothing is compared yet. */
			if (run->id.trial == 0)
				assert_false(stage_shows(&stage, " ?  "));
		}
		assert_true(was && counted);
		stage_close(&stage);
	}
}

/* The lines between them are grey, because first runs do not count. */
static void first_runs_are_joined_until_a_trial_counts(void **state)
{
	struct synthetic session;
	struct stage stage;
	int joined[COLOURS] = {0};

	synthetic_scaling(&session, 2);
	session.warmup = 1;
	stage_open(&stage, &session);
	assert_true(stage_key(&stage, '5'));
	model_seek(&stage.model, stage.model.runs[stage.model.n_cases - 1].end_ns);
	stage_draw(&stage, 120, 36);
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++) {
		const struct cell *cell = &stage.canvas.cells[i];

		joined[cell->style.fg] += cell->glyph >> 8 == 0x28;
	}
	assert_true(joined[COLOUR_DIM] > 20);
	assert_int_equal(joined[COLOUR_MODEL0] + joined[COLOUR_MODEL1], 0);
	stage_close(&stage);
}

static void the_axis_of_a_curve_only_grows_while_trials_go_on(void **state)
{
	struct synthetic session;
	struct stage stage;
	double most = 0, least = INFINITY;

	synthetic_scaling(&session, 4);
	session.crowded_trial = 2;
	stage_open(&stage, &session);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i + 1 < stage.model.n_runs; i++) {
		const struct view_cache *cache;

		for (uint32_t id = 0; id < stage.model.n_cases; id++)
			stage.model.cases[id].plan.tasks = 100;
		model_seek(&stage.model, stage.model.runs[i].end_ns);
		stage_draw(&stage, 120, 36);
		cache = stage.view.cache;
		/* Until each case has a value, there is no axis. */
		assert_int_equal(cache->medians_most[0] > 0, i + 1 >= stage.model.n_cases);
		if (cache->medians_most[0] == 0)
			continue;
		assert_true(cache->medians_most[0] >= most && cache->medians_least[0] <= least);
		most = cache->medians_most[0];
		least = cache->medians_least[0];
	}
	assert_true(most > least);
	stage_close(&stage);
}

/* Sets the longest creation of a run, and of its case while it is the last run that counts. */
static void set_longest(struct model *model, struct model_run *run, int64_t ns)
{
	struct model_latency *all;

	model_seek(model, run->end_ns);
	all = (struct model_latency *)model_latency(model, run->id.case_id);
	for (int place = 0; place < MODEL_PLACES; place++) {
		run->latency->at[place].span[LATENCY_TASK].max = ns;
		if (all)
			all->at[place].span[LATENCY_TASK].max = ns;
	}
}

/* One creation of a run that does not count took long. No bar moves when the run is replaced. */
static void the_axis_of_histograms_only_grows_while_trials_go_on(void **state)
{
	struct synthetic session;
	struct stage stage;
	struct model_run *first;
	const char *axis, *label;

	synthetic_creation(&session, 3);
	session.crowded_trial = 1;
	stage_open(&stage, &session);
	assert_true(stage_key(&stage, '5'));
	first = &stage.model.runs[0];
	while (stage.model.cases[first->id.case_id].plan.primitive == PLAN_CALL)
		first++;
	assert_int_equal(first->id.trial, 1);
	set_longest(&stage.model, first, 50 * MS);
	for (size_t i = (size_t)(first - stage.model.runs); i < stage.model.n_runs; i++) {
		model_seek(&stage.model, stage.model.runs[i].end_ns);
		stage_draw(&stage, 120, 36);
		set_longest(&stage.model, first, MS);
		axis = strstr(stage.text, "until the task runs  ");
		assert_non_null(axis);
		label = strstr(axis, " 10 ms ");
		assert_true(label && label < strchr(axis, '\n'));
	}
	stage_close(&stage);
}

/* All figures of a row and its bars are of the same creations, also while a trial goes on. */
static void the_longest_creation_is_among_those_of_the_bars(void **state)
{
	struct synthetic session;
	struct stage stage;
	struct model_run *run;
	const struct plan *plan;

	synthetic_creation(&session, 3);
	stage_open(&stage, &session);
	assert_true(stage_key(&stage, '5'));
	run = &stage.model.runs[0];
	plan = model_plan(&stage.model, run);
	while (run->id.trial < 2 || plan->primitive == PLAN_CALL || plan->placement != PLAN_PINNED)
		plan = model_plan(&stage.model, ++run);
	set_longest(&stage.model, run, 50 * MS);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " 50.0 ms"));
	stage_close(&stage);
}

/* Returns the ms of one row of the y axis: from the uppermost label down to 0. */
static double row_of_axis(const char *text)
{
	double top = 0;
	char unit[8] = "";
	int rows = 0;

	for (const char *line = text; line; line = strchr(line + 1, '\n')) {
		const char *end = strchr(line + 1, '\n');
		const char *tick = strstr(line, "┤");
		const char *zero = strstr(line, "0 └");

		if (rows > 0)
			rows++;
		if (rows == 0 && tick && tick < end &&
		    sscanf(strstr(line, "│") + strlen("│"), "%lf %7[a-z]", &top, unit) == 2)
			rows = 1;
		if (rows > 0 && zero && zero < end)
			return top * (strcmp(unit, "s") == 0 ? 1000 : 1) / (rows - 1);
	}
	return 0;
}

/* A warm-up run three times as long as the medians that replace it. */
static void the_y_axis_of_a_sweep_only_grows_while_trials_go_on(void **state)
{
	struct stage stage;
	double row = 0;

	stage_sweep(&stage, synthetic_scaling, 0);
	for (size_t i = 0; i < stage.model.n_cases; i++)
		stage.model.runs[i].totals.elapsed_ns *= 3;
	synthetic_changed(&stage.model);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i + 1 < stage.model.n_runs; i++) {
		double now;

		model_seek(&stage.model, stage.model.runs[i].end_ns);
		now = row_of_axis(stage_draw(&stage, 120, 36));
		if (now < row)
			fail_msg("after run %zu a row is %g ms, before it %g: %s", i, now, row,
				 stage.text);
		row = now;
	}
	/* At the end, the axis is for the trials that count. */
	model_seek(&stage.model, stage.model.newest_ns);
	assert_true(row_of_axis(stage_draw(&stage, 120, 36)) < row);
	assert_true(row_of_axis(stage.text) > 0);
	stage_close(&stage);
}

/* A single slow trial is cut off. After the last trial, the axis is that of the frame before. */
static void a_slow_trial_and_the_end_move_no_axis(void **state)
{
	struct stage stage;
	double row = 0;
	size_t slow;

	stage_sweep(&stage, synthetic_scaling, 0);
	slow = stage.model.n_runs - 1;
	stage.view.state.question = "Which are faster?";
	stage.model.runs[slow].totals.elapsed_ns *= 20;
	synthetic_changed(&stage.model);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = slow / 2; i <= slow; i++) {
		double now;

		model_seek(&stage.model,
			   i == slow ? stage.model.newest_ns : stage.model.runs[i].end_ns);
		now = row_of_axis(stage_draw(&stage, 120, 36));
		if (row > 0 && now != row)
			fail_msg("after run %zu a row is %g ms, before it %g: %s", i, now, row,
				 stage.text);
		row = now;
	}
	assert_true(model_over(&stage.model));
	assert_true(stage_shows(&stage, "↑"));
	stage_close(&stage);
}

/* "×" is explained if lines cross: threads are faster up to 4, processes from 6 on. */
static void a_sign_of_the_curve_is_explained_where_it_is_drawn(void **state)
{
	for (int crosses = 0; crosses < 2; crosses++) {
		struct synthetic session;
		struct stage stage;

		synthetic_scaling(&session, 12);
		for (uint32_t i = 0; i < session.cases; i++)
			if (!crosses && i % 2)
				session.span_ns[i] = 2 * session.span_ns[i - 1];
		stage_open(&stage, &session);
		assert_true(stage_key(&stage, '5'));
		stage_draw(&stage, 120, 36);
		if (stage_shows(&stage, "×: two lines cross") != crosses)
			fail_msg("%s", stage.text);
		assert_true(stage_shows(&stage, "Bold: best (real)"));
		stage_close(&stage);
	}
}

static void without_a_trial_there_is_no_axis_of_figures(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0.001);
	stage_type(&stage, "5");
	assert_non_null(strstr(stage.text, "No trial counts yet. The median"));
	assert_null(strstr(stage.text, "1 ns"));
	stage_close(&stage);
}

static void the_curve_is_offered_where_something_is_swept(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	assert_null(views_get(&stage.model, 5));
	assert_null(strstr(stage.text, "5Curve"));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "5Curve"));
	assert_true(stage_key(&stage, '4'));
	assert_true(stage_key(&stage, KEY_TAB));
	assert_int_equal(stage.view.state.view, 5);
	assert_true(stage_key(&stage, KEY_TAB));
	assert_int_equal(stage.view.state.view, 6);
	assert_true(stage_key(&stage, KEY_BACK_TAB));
	assert_int_equal(stage.view.state.view, 5);
	stage_close(&stage);
}

static void m_goes_round_the_metrics_of_the_curve(void **state)
{
	static const char *const titles[] = {"CPU time over workers",
					     "memory over workers",
					     "time to create over workers",
					     "CPU use (one core = 100 %) over workers",
					     "bytes read and written over workers",
					     "elapsed time over workers"};
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_key(&stage, '5');
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		assert_true(stage_key(&stage, 'm'));
		assert_non_null(strstr(stage_draw(&stage, 120, 36), titles[i]));
	}
	stage_close(&stage);
}

/* Using more of a core is neither better nor worse. */
static void the_use_of_cores_has_no_winner(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_type(&stage, "5");
	for (int i = 0; i < 4; i++)
		stage_key(&stage, 'm');
	golden_assert("curve-cpu-use-120x36", stage_draw(&stage, 120, 36));
	assert_null(strstr(stage.text, "lower is better"));
	assert_null(strstr(stage.text, "faster by"));
	golden_assert("curve-cpu-use-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

/* If a session reads and writes nothing, its curve would only have zeros. */
static void a_session_that_reads_nothing_has_no_curve_of_bytes(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.read_kb = stage.model.runs[i].totals.written_kb =
			stage.model.runs[i].totals.checked_kb = 0;
	stage_key(&stage, '5');
	for (int i = 0; i < 6; i++) {
		assert_null(strstr(stage_draw(&stage, 120, 36), "bytes read"));
		assert_true(stage_key(&stage, 'm'));
	}
	stage_close(&stage);
}

static void l_and_L_turn_the_axes_of_the_curve_and_turn_them_back(void **state)
{
	static const int keys[] = {'l', 'L'};
	struct stage stage;

	stage_sweep(&stage, synthetic_hello, 0);
	stage_key(&stage, '5');
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *before = strdup(stage_draw(&stage, 120, 36));

		assert_true(stage_key(&stage, keys[i]));
		assert_true(strcmp(stage_draw(&stage, 120, 36), before) != 0);
		assert_non_null(strstr(stage.text, i ? "L Linear x" : "l Linear y"));
		assert_true(stage_key(&stage, keys[i]));
		assert_string_equal(stage_draw(&stage, 120, 36), before);
		free(before);
	}
	stage_close(&stage);
	stage_sweep(&stage, synthetic_shapes, 0);
	stage_type(&stage, "5");
	assert_null(strstr(stage.text, "Log x"));
	assert_false(stage_key(&stage, 'L'));
	stage_close(&stage);
}

static void each_line_of_the_curve_has_its_models_hue_and_a_mark_of_its_own(void **state)
{
	static const uint32_t marks[] = {0x25cf, 0x25a0, 0x25b2};
	struct stage stage;

	stage_sweep(&stage, synthetic_hello, 0);
	stage_type(&stage, "5");
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++)
		for (int j = 0; j < 3; j++)
			if (stage.canvas.cells[i].glyph == marks[j])
				assert_int_equal(stage.canvas.cells[i].style.fg, COLOUR_MODEL0 + j);
	stage_close(&stage);
}

static void unmeasured_cases_leave_no_point_in_the_curve(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_key(&stage, '5');
	stage_key(&stage, 'm');
	stage_key(&stage, 'm');
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.memory.kernel_kb = -1;
	model_values_forget(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "memory over workers"));
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++)
		assert_int_not_equal(stage.canvas.cells[i].glyph >> 8, 0x28);
	assert_null(strstr(stage.text, " 0 KiB"));
	stage_close(&stage);
}

static void the_curve_of_a_moment_is_the_same_when_time_is_turned_back(void **state)
{
	struct stage then, later;
	char *text;

	stage_sweep(&then, synthetic_scaling, 12);
	stage_sweep(&later, synthetic_scaling, 0);
	stage_key(&then, '5');
	stage_key(&later, '5');
	stage_draw(&later, 120, 36);
	model_seek(&later.model, then.model.now_ns);
	text = strdup(stage_draw(&then, 120, 36));
	assert_string_equal(stage_draw(&later, 120, 36), text);
	free(text);
	stage_close(&then);
	stage_close(&later);
}

/* Goldens of the Curve of creation times. */

static void creation_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	golden_assert("creation-200x50", stage_draw(&stage, 200, 50));
	golden_assert("creation-120x36", stage_draw(&stage, 120, 36));
	golden_assert("creation-80x24", stage_draw(&stage, 80, 24));
	golden_assert("creation-40x12", stage_draw(&stage, 40, 12));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation, 1);
	assert_true(stage_key(&stage, '5'));
	golden_assert("creation-running-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

/*
 * p99 includes the running trial. The maximum of the trials that have ended, which the column shows
 * otherwise, may be below it.
 */
static void the_maximum_of_creation_is_not_below_p99(void **state)
{
	struct stage stage;
	int n = 0;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	model_seek(&stage.model, stage.model.runs[2 * stage.model.n_runs / 3].end_ns);
	assert_true(model_newest(&stage.model)->id.trial > 1 && !model_over(&stage.model));
	for (uint32_t id = 0; id < stage.model.n_cases; id++) {
		/* The view takes these figures from the model's cache. */
		struct model_latency *all =
			(struct model_latency *)(uintptr_t)model_latency(&stage.model, id);

		for (int place = 0; all && place < MODEL_PLACES; place++) {
			all->at[place].span[LATENCY_TASK].p99 = 40000000;
			all->at[place].span[LATENCY_TASK].max = 50000000;
			n++;
		}
	}
	assert_true(n > 0);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "50.0 ms"));
	stage_close(&stage);
}

/* A quantity that the answer has too is the same number in both. */
static void medians_of_creation_are_those_of_the_answer(void **state)
{
	struct stage stage;
	double *room;
	char text[32];
	int n = 0;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 200, 50);
	assert_true(stage_shows(&stage, " median "));
	assert_false(stage_shows(&stage, "p50 of all"));
	room = calloc(stage.model.n_runs + 1, sizeof(*room));
	assert_non_null(room);
	for (uint32_t id = 0; id < stage.model.n_cases; id++) {
		const double ns = model_median(&stage.model, id, METRIC_TASK, room, NULL);

		if (isnan(ns) || stage.model.cases[id].plan.primitive == PLAN_CALL)
			continue;
		latency_format(text, sizeof(text), llround(ns));
		assert_true(stage_shows(&stage, text));
		n++;
	}
	free(room);
	assert_true(n > 3);
	stage_close(&stage);
}

/* Of other places, the number, the mark and the report are the p50 of all tasks. */
static void other_places_of_creation_have_the_p50_of_the_report(void **state)
{
	struct stage stage;
	char text[32];
	int n = 0;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 200, 50);
	assert_true(stage_key(&stage, 'w'));
	stage_draw(&stage, 200, 50);
	assert_true(stage_shows(&stage, " p50 "));
	assert_false(stage_shows(&stage, " median "));
	for (uint32_t id = 0; id < stage.model.n_cases; id++) {
		const struct model_latency *latency = model_latency(&stage.model, id);

		if (!latency || stage.model.cases[id].plan.placement != PLAN_FREE)
			continue;
		latency_format(text, sizeof(text),
			       latency->at[LATENCY_OTHER].span[LATENCY_TASK].p50);
		assert_true(stage_shows(&stage, text));
		n++;
	}
	assert_true(n > 3);
	stage_close(&stage);
}

/*
 * Reading the clock takes some 20 ns and creates nothing, so it has no row, but a place in the
 * title. Nor does the axis begin there.
 */
static void a_call_that_creates_no_task_is_in_the_title(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, " clock_gettime"));
	assert_true(stage_shows(&stage, "the clock itself 22 ns"));
	assert_false(stage_shows(&stage, " 10 ns"));
	assert_false(stage_shows(&stage, " 1 µs"));
	assert_true(stage_shows(&stage, " 10 µs"));
	stage_close(&stage);
}

/* The question is what a task costs beside another, so the row says how many times as much. */
static void each_way_to_create_a_task_has_its_ratio(void **state)
{
	struct stage stage;
	const char *row;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	for (int w = 80; w <= 160; w += 40) {
		stage_draw(&stage, w, 36);
		/* Two values of ballast, each with its reference. */
		row = strstr(stage.text, " 1x │");
		assert_non_null(row);
		row = strstr(row + 1, " 1x │");
		assert_non_null(row);
		assert_null(strstr(row + 1, " 1x │"));
		assert_true(stage_shows(&stage, " per pair │"));
	}
	/* Tasks in other places are not compared. */
	stage_key(&stage, 'w');
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, " per pair │"));
	stage_close(&stage);
}

/* On 80 columns the axis has all its labels, because p99 leaves its columns to it. */
static void creation_has_a_whole_axis_on_80_columns(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, " 10 ms "));
	assert_false(stage_shows(&stage, " p99  "));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " p99  "));
	stage_close(&stage);
}

/* The row of the clock is drawn from the warm-up, so the title has that time, too. */
static void the_clock_of_the_title_is_that_of_its_row(void **state)
{
	struct synthetic session;
	struct stage whole, stage;
	size_t i = 0;

	synthetic_creation(&session, 2);
	session.warmup = 1;
	stage_open(&whole, &session);
	while (whole.model.runs[i + 1].id.trial == 0)
		i++;
	session.stop_ns = whole.model.runs[i].end_ns + 1000;
	stage_open(&stage, &session);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "warm-up"));
	assert_false(stage_shows(&stage, "the clock itself ?"));
	stage_close(&stage);
	stage_close(&whole);
}

static void creation_shows_one_span_after_the_other(void **state)
{
	struct stage stage;
	char *text;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	text = strdup(stage_draw(&stage, 200, 90)); /* there is room for both */
	assert_non_null(text);
	assert_non_null(strstr(text, "caller"));
	assert_non_null(strstr(text, " task "));
	assert_non_null(strstr(text, "m Until when"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 90), "until it returns"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 90), "until the task runs"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 90), "until joined"));
	assert_true(stage_key(&stage, 'm'));
	assert_string_equal(stage_draw(&stage, 200, 90), text);
	free(text);
	/* if there is no room, each press of the key changes something */
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "until the task runs"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "until it returns"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "until joined"));
	stage_close(&stage);
}

static void creation_shows_one_place_after_the_other(void **state)
{
	static const char *const where[] = {"on one core", "left to the scheduler",
					    "after 1 ms idle", "everywhere"};
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i <= 4; i++) {
		const char *text = stage_draw(&stage, 120, 36);

		assert_non_null(strstr(text, where[i % 4]));
		assert_non_null(strstr(text, "w Where"));
		assert_int_equal(strstr(text, "same 75 %") != NULL, i % 4 == 1 || i % 4 == 3);
		assert_int_equal(strstr(text, "other, idle 97 %") != NULL,
				 i % 4 == 2 || i % 4 == 3);
		assert_true(stage_key(&stage, 'w'));
	}
	golden_assert("creation-free-120x36", stage_draw(&stage, 120, 36));
	golden_assert("creation-free-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation_old, 0);
	assert_true(stage_key(&stage, '5'));
	golden_assert("creation-old-120x36", stage_draw(&stage, 120, 36));
	assert_null(strstr(stage_draw(&stage, 120, 36), "w Where"));
	stage_close(&stage);
}

static void more_than_three_cases_have_the_sentence_alone(void **state)
{
	struct stage stage;
	const char *text;

	stage_sweep(&stage, synthetic_creation, 0);
	text = stage_draw(&stage, 120, 36);
	assert_non_null(
		strstr(text, "[REAL] Compared with pthread_create at 2 values of ballast: "));
	assert_null(strstr(text, " faster "));
	stage_close(&stage);
}

/* Only the work is timed, so captions do not mention ways to create a task. */
static void operations_have_captions_of_their_own(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	assert_true(stage_key(&stage, '5'));
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "from the call on"));
	assert_non_null(strstr(stage_draw(&stage, 120, 90), "From the call until it returned"));
	stage.model.cases[0].plan.tasks = 100;
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "How long each operation took"));
	stage_close(&stage);
}

/* Makes the models of a session servers whose newest runs have recorded two requests. */
static void make_servers(struct stage *stage)
{
	for (uint32_t i = 0; i < stage->model.n_cases; i++)
		stage->model.cases[i].plan.tasks = 100;
	for (uint32_t i = 0; i < stage->model.n_cases; i++) {
		struct plan *plan = &stage->model.cases[i].plan;

		memset(plan->leaves, 0, sizeof(plan->leaves));
		plan->fanout[plan->levels - 1] = 2;
		plan->leaves[WORK_SERVE] = 2;
	}
	for (size_t i = 0; i < stage->model.n_runs; i++) {
		struct model_run *run = &stage->model.runs[i];
		struct sample_request *requests = calloc(2, sizeof(*requests));

		requests[0] = (struct sample_request) {run->totals.elapsed_ns / 4, INT64_MAX, 0};
		requests[1] = (struct sample_request) {run->totals.elapsed_ns / 2, INT64_MAX, 0};
		free(run->requests);
		run->requests = requests;
		run->n_requests = 2;
	}
}

/* Number of cells of lanes in grey. */
static int grey_lanes(const struct stage *stage)
{
	int n = 0;

	for (int i = 0; i < stage->canvas.width * stage->canvas.height; i++)
		n += stage->canvas.cells[i].glyph == 0x2501 &&
		     stage->canvas.cells[i].style.fg == COLOUR_DIM;
	return n;
}

static void lanes_of_a_server_that_do_not_count_are_grey(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 2);
	stage_open(&stage, &session);
	make_servers(&stage);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	assert_int_equal(grey_lanes(&stage), 0);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.paused = true;
	stage_draw(&stage, 120, 36);
	assert_in_range(grey_lanes(&stage), 1, 120 * 36);
	stage_close(&stage);
}

/* More workers than lines are an area with their number, at any length of the axis. */
static void an_area_of_workers_has_their_number(void **state)
{
	for (int w = 110; w <= 160; w++) {
		struct synthetic session;
		struct stage stage;

		synthetic_mixed(&session, 2);
		stage_open(&stage, &session);
		make_servers(&stage);
		for (uint32_t i = 0; i < stage.model.n_cases; i++) {
			stage.model.cases[i].plan.fanout[0] = 8;
			stage.model.cases[i].plan.leaves[WORK_SERVE] = 8;
		}
		assert_true(stage_key(&stage, '5'));
		stage_draw(&stage, w, 20);
		assert_false(stage_shows(&stage, "   9 "));
		stage_close(&stage);
	}
}

static void lanes_of_a_server_are_beside_its_histograms(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *text;

	synthetic_mixed(&session, 2);
	stage_open(&stage, &session);
	make_servers(&stage);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	assert_true(stage_key(&stage, '5'));
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "━┼━"));
	assert_non_null(strstr(text, " w1 "));
	assert_non_null(strstr(text, "a line for each worker"));
	text = stage_draw(&stage, 80, 24);
	assert_null(strstr(text, "┼"));
	assert_null(strstr(text, "a line for each worker"));
	stage_each_size(&stage, draw_curve);
	stage_close(&stage);
}

/* A session whose operations are timed, so that the Curve has their medians. */
static void stage_operations(struct stage *stage,
			     void (*make)(struct synthetic *session, uint32_t trials),
			     double stop_s)
{
	stage_sweep(stage, make, stop_s);
	for (uint32_t i = 0; i < stage->model.n_cases; i++)
		stage->model.cases[i].plan.tasks = 100;
	assert_true(stage_key(stage, '5'));
}

/* The numbers of a row are the table's. Key m shows how many took how long. */
static void operations_of_two_models_stand_side_by_side(void **state)
{
	struct stage stage;
	struct table table;
	char low[TABLE_TEXT], high[TABLE_TEXT], *row;

	stage_operations(&stage, synthetic_scaling, 0);
	assert_int_equal(table_build(&stage.model, TABLE_PIVOT, &table), 0);
	assert_int_equal(table_rows(&table), 7);
	row = strstr(stage_draw(&stage, 80, 20), "─ median elapsed ─");
	for (size_t i = 0; i < table_rows(&table); i++) {
		const char *end;

		row = strstr(row, table_text(&table, i, 1, "", low));
		assert_non_null(row);
		end = strchr(row, '\n');
		row = strstr(row, table_text(&table, i, 2, "", high));
		assert_true(row && row < end);
	}
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "time of each task"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "─ median elapsed ─"));
	table_free(&table);
	stage_each_size(&stage, draw_curve);
	stage_close(&stage);
}

/* The line at 1x, and the ratio at the ends of its axis. */
struct forest {
	int y, first, middle, last;
	double bound;
};

static struct forest find_forest(const struct stage *stage)
{
	struct forest forest = {0};
	char text[16];

	for (int i = 0; i < stage->canvas.width * stage->canvas.height; i++) {
		const struct cell *cell = &stage->canvas.cells[i];

		if (forest.middle == 0 && cell->glyph == '1' && cell[1].glyph == 'x' &&
		    cell[-1].glyph <= ' ') {
			forest.middle = i % stage->canvas.width;
			forest.y = i / stage->canvas.width;
		}
	}
	assert_true(forest.middle > 0);
	forest.last = forest.middle;
	while (glyph_at(stage, forest.last, forest.y) != 'x' || forest.last < forest.middle + 4)
		forest.last++;
	forest.first = 2 * forest.middle - forest.last;
	for (int i = 0; i < 8; i++)
		text[i] = (char)glyph_at(stage, forest.first + i, forest.y);
	text[8] = '\0';
	forest.bound = strtod(text, NULL);
	assert_true(forest.bound > 1);
	return forest;
}

/* Checks that a glyph is where a ratio is, or that it is an arrow if the ratio is off the axis. */
static bool is_at(const struct stage *stage, const struct forest *forest, int y, double ratio,
		  uint32_t glyph)
{
	double at =
		forest->middle - log(ratio) / log(forest->bound) * (forest->last - forest->middle);

	for (int x = forest->first; x <= forest->last; x++) {
		if (glyph_at(stage, x, y) == glyph && fabs(x - at) <= 2)
			return true;
		if (glyph_at(stage, x, y) == 0x25c2 && at < forest->first)
			return true;
		if (glyph_at(stage, x, y) == 0x25b8 && at > forest->last)
			return true;
	}
	return false;
}

static bool line_has(const struct stage *stage, int y, const char *text)
{
	const int w = stage->canvas.width;

	return stage_find_in(stage->canvas.cells + y * w, w, text);
}

/*
 * The row of a case's comparison: that of its combination or, with more than two models, of the
 * model's name below it, in order.
 */
static int row_of(const struct stage *stage, const char *name, int after)
{
	for (int y = after + 1; y < stage->canvas.height; y++) {
		if (line_has(stage, y, name))
			return y;
	}
	fail_msg("no row of %s below %d: %s", name, after, stage->text);
	return 0;
}

/*
 * The interval, the estimate and the words are those of the answer, and only a real difference has
 * a winner's mark. An interval that excludes 1 is clear of the line at 1x.
 */
static void assert_forest(struct stage *stage, int w, int h)
{
	const bool two = model_first_alike(&stage->model, 2) != 2;
	const struct answer *answer;
	struct forest forest;
	int y;

	stage_draw(stage, w, h);
	forest = find_forest(stage);
	answer = &stage->view.cache->answer;
	y = forest.y;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const struct stats_interval *ratio = &row->cells[0].ratio;
		const bool real = row->cells[0].state == ANSWER_REAL;
		const uint32_t winner = ratio->estimate < 1 ? row->case_id : row->reference;
		char words[SAMPLE_NAME + 64];
		uint32_t mark;

		if (!answer_compares_models(&stage->model, row))
			continue;
		snprintf(words, sizeof(words), "%s", stage->model.cases[i].model);
		if (two)
			snprintf(words, sizeof(words), " %s     ",
				 stage->model.cases[i].variables.list[0].value);
		y = row_of(stage, words, y);
		/* The mark of a winner beside the line at 1 is drawn over the end of its interval.
		 */
		mark = view_shape(&stage->model, winner);
		assert_true(is_at(stage, &forest, y, ratio->high, 0x251c) ||
			    (real && is_at(stage, &forest, y, ratio->high, mark)));
		assert_true(is_at(stage, &forest, y, ratio->low, 0x2524) ||
			    (real && is_at(stage, &forest, y, ratio->low, mark)));
		snprintf(words, sizeof(words), "%s %sx", stage->model.cases[winner].model,
			 CLAIM_TIMES(fmax(ratio->estimate, 1 / ratio->estimate)));
		if (real) {
			assert_true(line_has(stage, y, words));
			assert_int_equal(glyph_at(stage, forest.middle, y), 0x2502);
			assert_true(is_at(stage, &forest, y, ratio->estimate,
					  view_shape(&stage->model, winner)));
		} else {
			assert_false(line_has(stage, y, words));
			assert_true(is_at(stage, &forest, y, ratio->estimate, 0x25c7));
		}
	}
}

static void a_ratio_is_drawn_with_its_interval_and_says_who_is_faster(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 0);
	assert_forest(&stage, 120, 36);
	assert_forest(&stage, 200, 60);
	stage_close(&stage);
	stage_operations(&stage, synthetic_hello, 0);
	assert_forest(&stage, 120, 60);
	assert_true(stage_shows(&stage, "others"));
	stage_close(&stage);
}

/* From three trials on, a line joins the trials' ratios until there is an interval. */
static void before_an_interval_the_range_of_the_trials_is_drawn(void **state)
{
	struct stage stage;
	struct forest forest;
	int lines = 0;

	stage_operations(&stage, synthetic_scaling, 45);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		run->totals.elapsed_ns +=
			run->totals.elapsed_ns / 12 * (run->id.case_id % 2 * run->id.trial);
	}
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	forest = find_forest(&stage);
	for (int y = forest.y + 1; y < 32; y++) {
		int joined = 0;

		for (int x = forest.first; x <= forest.last; x++)
			joined += glyph_at(&stage, x, y) == 0x2500;
		lines += joined > 0;
	}
	assert_true(isnan(stage.view.cache->answer.rows[1].cells[0].ratio.low));
	assert_int_equal(lines, 7);
	assert_true(stage_shows(&stage, "─ their range"));
	stage_close(&stage);
}

/* Writes the names and medians of the rows, from below the titles on. */
static void medians_of_rows(const struct stage *stage, char *text, size_t size)
{
	size_t n = 0;

	for (int y = 5; y < 32; y++)
		for (int x = 2; x < 32; x++)
			if (n + 1 < size)
				text[n++] = (char)MAX(' ', glyph_at(stage, x, y) & 0x7f);
	text[n] = '\0';
}

/* While a trial is under way, no median is a trial ahead of the ratio beside it. */
static void a_median_waits_for_the_pair_of_its_ratio(void **state)
{
	char before[1024], now[1024];
	struct stage stage;
	uint32_t trial = 0;
	int compared = 0;

	stage_operations(&stage, synthetic_scaling, 0);
	stage.model.done = false;
	for (size_t i = 0; i < 60; i++) {
		const struct model_run *run = &stage.model.runs[i];

		model_seek(&stage.model, run->end_ns);
		stage_draw(&stage, 120, 36);
		medians_of_rows(&stage, now, sizeof(now));
		/* The last run of a trial completes it. */
		if (run->id.trial > 1 && run->id.trial == trial &&
		    stage.model.runs[i + 1].id.trial == trial) {
			assert_string_equal(now, before);
			compared++;
		}
		trial = run->id.trial;
		strcpy(before, now);
	}
	assert_true(compared > 20);
	stage_close(&stage);
}

/* A "?" would say that a ratio is unknown. */
static void a_ratio_has_an_ascii_mark(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 0);
	stage_draw(&stage, 120, 36);
	canvas_to_ascii(&stage.canvas);
	for (int y = 4; y < 30; y++)
		for (int x = 0; x < stage.canvas.width; x++)
			assert_int_not_equal(glyph_at(&stage, x, y), '?');
	stage_close(&stage);
}

static int count_of(const char *text, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

/*
 * The sentence counts the rows whose medians differ by more than the margin. No row names a model
 * before its comparison is decided.
 */
static void before_a_result_a_sweep_says_who_looks_faster(void **state)
{
	static const char question[] = "What does a switch between two workers cost?";
	struct stage stage;
	char sentence[96];
	int faster = 0;

	stage_operations(&stage, synthetic_scaling, 25);
	stage.view.state.question = question;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, question));
	assert_true(stage_shows(&stage, "; no winner yet"));
	for (uint32_t i = 0; i + 1 < stage.model.n_cases; i += 2) {
		const struct answer_row *rows = &stage.view.cache->answer.rows[i];
		const double threads = rows[0].cells[0].median, processes = rows[1].cells[0].median;

		assert_true(threads < MODEL_MARGIN * processes);
		if (processes > MODEL_MARGIN * threads)
			faster++;
	}
	assert_true(faster > 0);
	snprintf(sentence, sizeof(sentence), "; threads look faster at %d of 7; no winner yet",
		 faster);
	assert_true(stage_shows(&stage, sentence));
	/* Two trials say neither who is ahead nor by how much. */
	assert_false(stage_shows(&stage, " apart "));
	assert_false(stage_shows(&stage, "not decided"));
	assert_false(stage_shows(&stage, "threads so far"));
	assert_false(stage_shows(&stage, "processes so far"));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, question));
	assert_true(stage_shows(&stage, "So far, from 2 to 8 workers, the work takes "));
	stage_close(&stage);
}

/* All kinds of work are drawn, so the sentence counts over all of them. */
static void kinds_of_work_are_counted_together(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 25);
	stage.view.state.question = "Threads or processes: which scale better?";
	for (uint32_t i = 0; i < stage.model.n_cases; i++) {
		char values[64];

		snprintf(values, sizeof(values), "work=%s;workers=%u", i < 8 ? "fp" : "mem",
			 2 + i / 2);
		variables_parse(&stage.model.cases[i].variables, values);
	}
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "So far threads look faster at 2 of 7 (2 kinds of work), "
					"unclear at 5; no winner yet"));
	stage_close(&stage);
}

static int line_with(const struct stage *stage, const char *text)
{
	int y = 0;

	while (y < stage->canvas.height && !line_has(stage, y, text))
		y++;
	assert_true(y < stage->canvas.height);
	return y;
}

static int glyphs_in_line(const struct stage *stage, int y, uint32_t glyph)
{
	int n = 0;

	for (int x = 0; x < stage->canvas.width; x++)
		n += glyph_at(stage, x, y) == glyph;
	return n;
}

/* The number of values that have the mark of a model in the row of verdicts. */
static int marks_in_line(const struct stage *stage, int y)
{
	return glyphs_in_line(stage, y, identity_glyph(0)) +
	       glyphs_in_line(stage, y, identity_glyph(1));
}

/*
 * Lines that are a few per cent apart are one line on an axis from 0. Below the medians is the
 * verdict at each value: the mark of the faster model and its ratio, if the difference is real.
 */
static void each_value_has_its_verdict_below_the_curve(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	const struct answer *answer;
	struct stage stage;
	int real = 0;

	stage_sweep(&stage, synthetic_scaling, 25);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_int_equal(glyphs_in_line(&stage, line_with(&stage, " per pair "), '?'), 7);
	}
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	answer = &stage.view.cache->answer;
	for (uint32_t i = 0; i < answer->n_rows; i++)
		real += answer->rows[i].cells[0].state == ANSWER_REAL;
	assert_true(real > 3);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_int_equal(marks_in_line(&stage, line_with(&stage, " per pair ")), real);
		assert_true(line_has(&stage, line_with(&stage, " per pair "), " same "));
	}
	stage_close(&stage);
}

/* The line of the x axes. */
static int line_of_axis(const struct stage *stage)
{
	int y = 0;

	while (y < stage->canvas.height && glyphs_in_line(stage, y, 0x2514) == 0)
		y++;
	assert_true(y < stage->canvas.height);
	return y;
}

/*
 * Each kind of work has its curves with a y axis of its own, and its verdicts. The key w shows one
 * kind alone, then the next, then all again.
 */
static void kinds_of_work_are_side_by_side(void **state)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}, {200, 60}};
	struct stage stage;
	char *beside;

	stage_sweep(&stage, synthetic_works, 0);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int y;

		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_true(line_has(&stage, line_with(&stage, "ms fp"), "s mem"));
		assert_int_equal(glyphs_in_line(&stage, line_of_axis(&stage), 0x2514), 2);
		/* threads at fp, processes at mem */
		y = line_with(&stage, " per pair ") + 1;
		assert_true(line_has(&stage, y, " fp "));
		assert_int_equal(glyphs_in_line(&stage, y, identity_glyph(0)), 3);
		assert_int_equal(glyphs_in_line(&stage, y, identity_glyph(1)), 0);
		while (!line_has(&stage, y, " mem ")) {
			y++;
			assert_true(y < stage.canvas.height);
		}
		assert_int_equal(glyphs_in_line(&stage, y, identity_glyph(0)), 0);
		assert_int_equal(glyphs_in_line(&stage, y, identity_glyph(1)), 3);
	}
	beside = strdup(stage_draw(&stage, 120, 36));
	assert_true(stage_key(&stage, 'w'));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " fp: elapsed time over workers (w: mem) "));
	assert_true(stage_key(&stage, 'w'));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " mem: elapsed time over workers (w: all) "));
	assert_true(stage_key(&stage, 'w'));
	assert_string_equal(stage_draw(&stage, 120, 36), beside);
	free(beside);
	stage_close(&stage);
}

/* The threads of synthetic_works() alone. */
static void synthetic_works_alone(struct synthetic *session, uint32_t trials)
{
	synthetic_works(session, trials);
	session->cases /= 2;
	for (uint32_t i = 1; i < session->cases; i++) {
		session->list[i] = session->list[2 * i];
		session->span_ns[i] = session->span_ns[2 * i];
	}
}

/* The medians of a single model are in the row of their kind's name, which stays legible. */
static void kinds_of_one_model_keep_their_names(void **state)
{
	struct stage stage;
	int y;

	stage_sweep(&stage, synthetic_works_alone, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	y = line_with(&stage, " 217 ms ");
	assert_true(line_has(&stage, y, " fp  "));
	y = line_with(&stage, " 916 ms ");
	assert_true(line_has(&stage, y, " mem  "));
	for (; y < stage.canvas.height; y++)
		assert_false(line_has(&stage, y, "threads"));
	stage_close(&stage);
}

/* Returns the time of a row of the first kind's y axis. */
static double first_row_ns(const struct stage *stage)
{
	const int axis = line_of_axis(stage);
	int x = 0, top = 0;
	char text[8] = "";
	double number = 0;

	while (glyph_at(stage, x, axis) != 0x2514)
		x++;
	while (glyph_at(stage, x, top) != 0x2524)
		top++;
	for (int i = 0; i < 4; i++)
		text[i] = (char)MAX(' ', glyph_at(stage, x - 4 + i, top));
	assert_int_equal(sscanf(text, " %lf", &number), 1);
	if (stage_shows(stage, " ms fp"))
		number *= 1e-3;
	return number * 1e9 / (axis - top);
}

/* From the first trial to the answer, no row moves, and the axes only grow. */
static void kinds_of_work_stand_still_at_the_answer(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct stage stage;
		double row = 0;
		int top = -1;

		stage_sweep(&stage, synthetic_works, 0);
		/* The answer is as long as that of most sessions. */
		for (size_t run = 0; run < stage.model.n_runs; run++)
			if (stage.model.runs[run].id.case_id >= 6)
				stage.model.runs[run].totals.elapsed_ns = 700 * MS;
		synthetic_changed(&stage.model);
		stage.view.state.question = "Which are faster?";
		assert_true(stage_key(&stage, '5'));
		for (size_t run = stage.model.n_cases; run <= stage.model.n_runs; run++) {
			int y;

			if (run == stage.model.n_runs)
				model_seek(&stage.model, stage.model.newest_ns);
			else
				model_seek(&stage.model, stage.model.runs[run].end_ns);
			stage_draw(&stage, sizes[i][0], sizes[i][1]);
			y = line_with(&stage, "elapsed time over workers");
			assert_true(top < 0 || y == top);
			assert_true(line_has(&stage, y + 1, "s fp"));
			assert_true(first_row_ns(&stage) >= row);
			row = first_row_ns(&stage);
			top = y;
		}
		assert_true(model_over(&stage.model));
		stage_close(&stage);
	}
}

/* Nobody can read counts of values that change several times a second. */
static void counts_of_values_change_after_each_trial(void **state)
{
	struct stage stage;
	uint32_t refreshes = 0, round = 0, changes = 0;

	stage_sweep(&stage, synthetic_scaling, 60);
	stage.view.state.live = true;
	for (size_t i = 3 * stage.model.n_cases; i < stage.model.n_runs; i++) {
		model_seek(&stage.model, stage.model.runs[i].end_ns);
		stage_draw(&stage, 120, 36);
		if (model_over(&stage.model))
			break;
		if (refreshes > 0 && stage.view.cache->refreshes != refreshes) {
			assert_int_not_equal(model_runs_ended(&stage.model) / stage.model.n_cases,
					     round);
			changes++;
		}
		refreshes = stage.view.cache->refreshes;
		round = model_runs_ended(&stage.model) / stage.model.n_cases;
	}
	assert_true(changes > 1);
	stage_close(&stage);
}

/* Each kind of work has its values below it. */
static void each_kind_of_work_has_its_own_axis_of_values(void **state)
{
	struct stage stage;
	int y;

	stage_sweep(&stage, synthetic_works, 25);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 80, 24);
	y = line_of_axis(&stage);
	assert_true(line_has(&stage, y + 1, "2              3              4 "));
	assert_int_equal(glyphs_in_line(&stage, y, 0x252c), 6);
	stage_close(&stage);
}

/* Lines in one place are one line without a colour, at whose end are the marks of both models. */
static void lines_in_one_place_are_one_line(void **state)
{
	struct stage stage;
	int cells[COLOURS] = {0}, marks[COLOURS] = {0}, all = 0;

	stage_sweep(&stage, synthetic_scaling, 25);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.elapsed_ns = 50000000;
	synthetic_changed(&stage.model);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++) {
		const struct cell *cell = &stage.canvas.cells[i];

		if (cell->glyph == identity_glyph(0) || cell->glyph == identity_glyph(1))
			marks[cell->style.fg]++;
		if (cell->glyph <= 0x2800 || cell->glyph > 0x28ff)
			continue;
		cells[cell->style.fg]++;
		all++;
	}
	/* The range of the trials, which is a dot, has its model's colour. */
	assert_true(cells[COLOUR_DEFAULT] > 60);
	assert_true(all - cells[COLOUR_DEFAULT] <= 2 * 7);
	/* One at the line's end and one in the table, and those of the answer. */
	assert_true(marks[COLOUR_MODEL0] >= 2 && marks[COLOUR_MODEL1] >= 2);
	stage_close(&stage);
}

/* A square is the mark of processes, also where a plot is low. */
static void a_mark_of_a_kind_has_its_models_colour(void **state)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}};
	struct stage stage;

	stage_sweep(&stage, synthetic_works, 0);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		for (int at = 0; at < stage.canvas.width * (stage.canvas.height - 2); at++) {
			const struct cell *cell = &stage.canvas.cells[at];

			if (cell->glyph == identity_glyph(0))
				assert_int_equal(cell->style.fg, COLOUR_MODEL0);
			if (cell->glyph == identity_glyph(1))
				assert_int_equal(cell->style.fg, COLOUR_MODEL1);
			assert_true(cell->glyph != 0x2580 && cell->glyph != 0x2584);
		}
	}
	stage_close(&stage);
}

/* Values that are not numbers have bars, so no note speaks of lines. */
static void bars_are_not_called_lines(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_shapes, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " lower is better · bars: medians │ all trials "));
	assert_true(stage_shows(&stage, "Each group of bars is one value."));
	assert_false(stage_shows(&stage, "lines"));
	stage_close(&stage);
}

/*
 * A bar begins at 0, which is in the middle of the row of the axis. Its mark is at its foot, and
 * the range of the trials is drawn on it: a mark above it would look like a value.
 */
static void a_bar_has_its_mark_at_its_foot(void **state)
{
	struct stage stage;
	char *axis, *foot;

	stage_sweep(&stage, synthetic_shapes, 0);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 120, 36);
	axis = strstr(stage.text, " 0 └");
	assert_non_null(axis);
	assert_non_null(strstr(axis, "─▀▀▀▀▀▀▀┬▀▀▀▀▀▀▀─"));
	foot = strstr(stage.text, "███●███ ███▼███");
	assert_true(foot && foot < axis);
	*foot = '\0';
	assert_null(strstr(strstr(stage.text, "elapsed time over"), "●"));
	assert_null(strstr(strstr(stage.text, "elapsed time over"), "▼"));
	assert_non_null(strstr(strstr(stage.text, "elapsed time over"), "███╵███"));
	stage_close(&stage);
}

/*
 * From five trials on, a row says who was ahead in each of them and by how much, or that nobody
 * was.
 */
static void from_five_trials_on_a_row_says_who_is_ahead(void **state)
{
	struct stage stage;
	int ahead;

	stage_operations(&stage, synthetic_scaling, 80);
	stage_draw(&stage, 120, 36);
	assert_true(stage.view.cache->answer.pairs >= ANSWER_AHEAD_LEAST);
	assert_true(stage.view.cache->answer.state == ANSWER_MEASURING);
	ahead = count_of(stage.text, " % ahead ");
	assert_true(ahead > 0);
	assert_int_equal(ahead + count_of(stage.text, "no winner yet  "), 7);
	stage_close(&stage);
}

/* The length of a bar in eighths of a cell, and of its part in the colour of the slower model. */
struct bar_length {
	int all, slower;
};

static struct bar_length bar_of(const struct stage *stage, int y, uint8_t hue)
{
	struct bar_length length = {0, 0};

	for (int x = 0; x < stage->canvas.width; x++) {
		const struct cell *cell = &stage->canvas.cells[y * stage->canvas.width + x];
		const int eighths = 0x2590 - (int)cell->glyph;

		if (eighths < 1 || eighths > 8)
			continue;
		length.all += cell->style.bg == hue ? 8 : eighths;
		if (cell->style.fg == hue)
			length.slower += eighths;
		else if (cell->style.bg == hue)
			length.slower += 8 - eighths;
	}
	return length;
}

/* Both models share a bar from 0, and only what the slower one takes longer has its colour. */
static void a_bar_has_the_medians_of_both_models(void **state)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 0);
	for (size_t k = 0; k < LENGTH(sizes); k++) {
		double scale = 0;

		stage_draw(&stage, sizes[k][0], sizes[k][1]);
		for (uint32_t i = 0; i + 1 < stage.model.n_cases; i += 2) {
			const struct answer_row *rows = &stage.view.cache->answer.rows[i];
			const double a = rows[0].cells[0].median, b = rows[1].cells[0].median;
			struct bar_length length;
			char name[96];

			snprintf(name, sizeof(name), " %s     ",
				 stage.model.cases[i].variables.list[0].value);
			length = bar_of(&stage, row_of(&stage, name, 3),
					view_hue(&stage.model, a < b ? i + 1 : i));
			/* Marks are placed by the printed values, of three digits. */
			if (i == 0)
				scale = length.all / fmax(a, b);
			assert_true(fabs(length.all - scale * fmax(a, b)) < 3);
			assert_true(fabs(length.slower - scale * fabs(a - b)) < 3);
		}
	}
	stage_close(&stage);
}

/* The places of two workers read as words. An axis from 0 has its ends, any other its ticks. */
static void places_read_as_words_and_each_axis_has_its_labels(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 25);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " 0 "));
	assert_true(stage_shows(&stage, " s "));
	assert_false(stage_shows(&stage, " 0.1 "));
	stage_close(&stage);
	stage_operations(&stage, synthetic_scaling, 25);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		if (stage.model.runs[i].id.case_id < 12)
			stage.model.runs[i].totals.elapsed_ns /= 100;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " 1 "));
	assert_true(stage_shows(&stage, " 10 "));
	assert_true(stage_shows(&stage, " 100 ms "));
	for (uint32_t i = 0; i < stage.model.n_cases; i++) {
		char values[64];

		snprintf(values, sizeof(values), "cores=%s;workers=%u", i < 4 ? "same" : "two",
			 2 + i / 2);
		variables_parse(&stage.model.cases[i].variables, values);
	}
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " workers "));
	assert_true(stage_shows(&stage, " one core "));
	assert_true(stage_shows(&stage, " two cores "));
	/* Each heading has its scale: bars of the shorter times would be stubs on the other one. */
	assert_int_equal(count_of(stage.text, " median "), 2);
	assert_int_equal(stage.view.cache->medians_scales, 2);
	stage_close(&stage);
}

/* The combinations with one value of the first setting are together, below its heading. */
static void combinations_are_grouped_by_their_first_setting(void **state)
{
	struct stage stage;
	int same, two;

	stage_operations(&stage, synthetic_scaling, 25);
	for (uint32_t i = 0; i < stage.model.n_cases; i++) {
		char values[64];

		snprintf(values, sizeof(values), "cores=%s;workers=%u", i / 2 % 2 ? "two" : "same",
			 i / 4);
		variables_parse(&stage.model.cases[i].variables, values);
	}
	stage_draw(&stage, 120, 27);
	same = line_with(&stage, " one core");
	two = line_with(&stage, " two cores");
	assert_true(two > same + 1);
	for (int i = 0; i < 3; i++) {
		char row[32];

		snprintf(row, sizeof(row), " %d      ", i);
		assert_true(row_of(&stage, row, same) < two);
	}
	stage_close(&stage);
}

/* Names that are cut in the middle cannot be read, so the titles of the columns have the marks. */
static void a_narrow_axis_of_ratios_has_marks_alone(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 25);
	stage_draw(&stage, 80, 20);
	assert_true(stage_shows(&stage, "● threads ■ processes"));
	assert_false(stage_shows(&stage, "th" TEXT_DOT));
	stage_close(&stage);
}

/* An axis that was chosen before any value is known changes with the first one. */
static void without_a_value_the_medians_have_no_axis(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 0.001);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "median elapsed"));
	assert_false(stage_shows(&stage, "1 ms"));
	stage_close(&stage);
}

/* At 80x24, a line without bars follows each way, and each power of ten has its label. */
static void creation_has_a_free_line_between_ways_and_all_labels(void **state)
{
	struct synthetic session;
	struct stage stage;
	const struct cell *row;
	int marks = 0;

	synthetic_creation(&session, 12);
	session.cases -= PLAN_CLONE + 1; /* those with ballast */
	stage_open(&stage, &session);
	assert_true(stage_key(&stage, '5'));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, " 1 ms "));
	assert_true(stage_shows(&stage, " 10 "));
	assert_true(stage_shows(&stage, " 100 µs "));
	/* The mark of p50 is only in the line with the name. */
	row = stage_find(&stage, " vfork   ");
	assert_non_null(row);
	for (int x = 1; x < 60; x++) {
		marks += row[x].glyph == 0x2503;
		assert_true(row[x - 80].glyph <= ' ' || row[x - 80].glyph == 0xb7);
		assert_true(row[x + 80].glyph <= ' ' || row[x + 80].glyph == 0xb7);
	}
	assert_int_equal(marks, 1);
	/* Its 22 cases are not the rows that are seen. */
	assert_false(stage_shows(&stage, " cases"));
	stage_close(&stage);
}

static void open_ways(struct stage *stage)
{
	struct synthetic session;

	synthetic_creation(&session, 12);
	session.cases -= PLAN_CLONE + 1; /* those with ballast */
	stage_open(stage, &session);
	assert_true(stage_key(stage, '5'));
}

/* The column of p50 in the row that begins with the name, looked for from that row on. */
static int column_of_p50(const struct stage *stage, const char *name, const char *after)
{
	const struct canvas *canvas = &stage->canvas;
	const struct cell *row = stage_find(stage, after);

	assert_non_null(row);
	row -= (row - canvas->cells) % canvas->width;
	for (row += canvas->width; !stage_find_in(row, 30, name); row += canvas->width)
		assert_true(row < canvas->cells + (size_t)canvas->width * (size_t)canvas->height);
	for (int x = 0; x < canvas->width; x++)
		if (row[x].glyph == 0x2503)
			return x;
	return -1;
}

/* The fastest ways differ by a cell of the logarithmic axis, so free lines show them apart. */
static void the_fastest_ways_to_create_a_task_are_enlarged(void **state)
{
	struct stage stage;
	int all, enlarged;

	open_ways(&stage);
	stage_draw(&stage, 120, 40);
	all = column_of_p50(&stage, "pthread_create", "until the task runs") -
	      column_of_p50(&stage, "clone", "until the task runs");
	enlarged = column_of_p50(&stage, "pthread_create", "enlarged") -
		   column_of_p50(&stage, "clone", "enlarged");
	assert_true(enlarged > 3 * all);
	stage_draw(&stage, 80, 17);
	assert_false(stage_shows(&stage, "enlarged"));
	stage_close(&stage);
}

/* Whether clone has the first row of the box. */
static bool is_clone_first(const struct stage *stage)
{
	const struct cell *row = stage_find(stage, "until the task runs  ");

	assert_non_null(row);
	row += stage->canvas.width - (row - stage->canvas.cells) % stage->canvas.width;
	return stage_find_in(row, 30, "clone") != NULL;
}

/* While trials go on, the rows keep their places. At the end they are sorted by their medians. */
static void the_rows_of_creation_are_sorted_at_the_end(void **state)
{
	struct latency_row *rows, clone;
	struct stage stage;

	open_ways(&stage);
	model_seek(&stage.model, stage.model.newest_ns / 2);
	stage_draw(&stage, 80, 24);
	assert_true(is_clone_first(&stage));
	rows = stage.view.cache->latency_rows;
	clone = rows[0];
	rows[0] = rows[1];
	rows[1] = clone;
	stage_draw(&stage, 80, 24);
	assert_false(is_clone_first(&stage));
	model_seek(&stage.model, INT64_MAX);
	stage_draw(&stage, 80, 24);
	assert_true(is_clone_first(&stage));
	stage_close(&stage);
}

/* A factor of 7 is at least eight columns, and each tick has its unit. */
static void the_axis_of_creation_is_wide_at_80_columns(void **state)
{
	struct stage stage;
	int thread, spawn;

	open_ways(&stage);
	stage_draw(&stage, 80, 24);
	thread = column_of_p50(&stage, "pthread_create", "until the task runs");
	spawn = column_of_p50(&stage, "posix_spawn", "until the task runs");
	assert_true(thread >= 0 && spawn - thread >= 8);
	assert_true(stage_shows(&stage, " 10 µs "));
	assert_true(stage_shows(&stage, " 1 ms "));
	assert_false(stage_shows(&stage, "p99"));
	stage_close(&stage);
}

/* From the back row, marks at p90 and p99 would look like bars, so there are none. */
static void histograms_of_creation_have_no_mark_but_p50(void **state)
{
	const struct cell *row;
	struct stage stage;

	open_ways(&stage);
	stage_draw(&stage, 120, 36);
	row = stage_find(&stage, " fork   ");
	assert_non_null(row);
	for (int x = 30; x < 80; x++)
		assert_true(row[x].glyph != 0x254e && row[x].glyph != 0x2502);
	assert_true(stage_shows(&stage, "grey: the slowest 1 %"));
	assert_false(stage_shows(&stage, "p90"));
	stage_close(&stage);
}

/* When the trials are over, the warning of the top line takes the place of the signs. */
static void the_medians_tell_a_warning_when_they_are_done(void **state)
{
	struct stage stage;

	stage_operations(&stage, synthetic_scaling, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.steal = 300;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage.view.cache->n_warnings > 0);
	assert_true(stage_shows(&stage, "Warning"));
	stage_close(&stage);
}

/* The view explains its signs in its box, so the line below has the warning of the top line. */
static void the_curve_of_creation_tells_a_warning(void **state)
{
	struct stage stage;

	open_ways(&stage);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.steal = 300;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 120, 36);
	assert_true(stage.view.cache->n_warnings > 0);
	assert_true(stage_shows(&stage, "Warning"));
	stage_close(&stage);
}

/* While creation is measured, its ratios so far are below its question at every height. */
static void before_a_result_creation_has_its_ratios_below_the_question(void **state)
{
	static const char question[] = "What does it cost to create one task?";
	struct synthetic session;
	struct stage stage;

	synthetic_creation(&session, 12);
	session.cases -= PLAN_CLONE + 1; /* those with ballast */
	session.stop_ns = 12000000000;
	stage_open(&stage, &session);
	stage.view.state.question = question;
	assert_true(stage_key(&stage, '5'));
	for (int h = 24; h <= 36; h += 12) {
		stage_draw(&stage, 120, h);
		assert_true(stage_shows(&stage, question));
		assert_true(stage_shows(&stage, "\n So far "));
		assert_true(stage_shows(&stage, "x as long as pthread_create ballast=0), "));
	}
	stage_close(&stage);
}

/* Draws the medians after each run, until all has been measured and beyond. */
static void watch_medians(int w, int h)
{
	struct stage stage;
	struct forest first = {0};
	int64_t end_ns;
	double bound = 0;

	stage_operations(&stage, synthetic_scaling, 0);
	stage.view.state.question = "What does a switch cost?";
	end_ns = stage.model.newest_ns;
	for (size_t i = 0; i <= stage.model.n_runs; i++) {
		struct forest forest;

		model_seek(&stage.model,
			   i < stage.model.n_runs ? stage.model.runs[i].end_ns : end_ns);
		stage_draw(&stage, w, h);
		forest = find_forest(&stage);
		if (i == 0)
			first = forest;
		assert_int_equal(forest.middle, first.middle);
		assert_int_equal(forest.first, first.first);
		assert_int_equal(forest.y, first.y);
		assert_true(forest.bound >= bound);
		bound = forest.bound;
	}
	assert_true(model_over(&stage.model));
	/* The clause with the winners is not left out for the room. */
	assert_true(stage_shows(&stage, " 3 of 7, processes at 3"));
	stage_close(&stage);
}

/* Neither the box nor its columns move, not even when the answer needs a second line. */
static void the_medians_stand_still_and_their_axes_only_grow(void **state)
{
	watch_medians(120, 36);
	watch_medians(80, 24);
}

static void creation_scrolls_where_its_rows_do_not_fit(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	/* fork+exec is the slowest */
	assert_null(strstr(stage_draw(&stage, 40, 12), "✚ "));
	assert_true(stage_key(&stage, KEY_END_KEY));
	assert_non_null(strstr(stage_draw(&stage, 40, 12), "✚ "));
	stage_close(&stage);
}

static void draw_creation(struct stage *stage, int w, int h)
{
	static const int keys[] = {'m', 'w', 'l', 'L', 'w', 'm', 'l', 'w', 'L', '?', '?', 0};

	stage_press(stage, keys, w, h);
}

static void creation_draws_at_every_size(void **state)
{
	struct stage stage;

	for (int stop_s = 0; stop_s <= 2; stop_s++) {
		stage_sweep(&stage, synthetic_creation, stop_s);
		assert_true(stage_key(&stage, '5'));
		stage_each_size(&stage, draw_creation);
		stage_close(&stage);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_curve_reads_as_agreed),
		cmocka_unit_test(each_point_of_the_curve_is_where_its_number_is),
		cmocka_unit_test(the_curve_is_drawn_to_a_quarter_of_a_row),
		cmocka_unit_test(in_a_low_plot_each_point_is_higher_than_the_one_before),
		cmocka_unit_test(the_y_axis_has_two_ticks_above_0),
		cmocka_unit_test(first_runs_are_joined_until_a_trial_counts),
		cmocka_unit_test(a_sweep_of_cores_has_speedups_too),
		cmocka_unit_test(speedups_and_their_ideal_are_those_of_the_table),
		cmocka_unit_test(another_sweep_has_no_speedups),
		cmocka_unit_test(a_law_that_is_not_reported_is_not_drawn),
		cmocka_unit_test(every_curve_draws_at_every_size),
		cmocka_unit_test(creation_keeps_its_points_where_a_trial_does_not_count),
		cmocka_unit_test(before_the_first_figure_a_sweep_asks_its_question),
		cmocka_unit_test(a_first_run_is_shown_until_a_trial_counts),
		cmocka_unit_test(the_axis_of_a_curve_only_grows_while_trials_go_on),
		cmocka_unit_test(the_axis_of_histograms_only_grows_while_trials_go_on),
		cmocka_unit_test(the_longest_creation_is_among_those_of_the_bars),
		cmocka_unit_test(the_y_axis_of_a_sweep_only_grows_while_trials_go_on),
		cmocka_unit_test(a_slow_trial_and_the_end_move_no_axis),
		cmocka_unit_test(a_sign_of_the_curve_is_explained_where_it_is_drawn),
		cmocka_unit_test(creation_fills_its_rows_from_the_warm_up),
		cmocka_unit_test(the_box_of_creation_and_its_rows_stand_still),
		cmocka_unit_test(without_a_trial_there_is_no_axis_of_figures),
		cmocka_unit_test(the_curve_is_offered_where_something_is_swept),
		cmocka_unit_test(m_goes_round_the_metrics_of_the_curve),
		cmocka_unit_test(the_use_of_cores_has_no_winner),
		cmocka_unit_test(a_session_that_reads_nothing_has_no_curve_of_bytes),
		cmocka_unit_test(l_and_L_turn_the_axes_of_the_curve_and_turn_them_back),
		cmocka_unit_test(each_line_of_the_curve_has_its_models_hue_and_a_mark_of_its_own),
		cmocka_unit_test(unmeasured_cases_leave_no_point_in_the_curve),
		cmocka_unit_test(the_curve_of_a_moment_is_the_same_when_time_is_turned_back),
		cmocka_unit_test(creation_reads_as_agreed),
		cmocka_unit_test(medians_of_creation_are_those_of_the_answer),
		cmocka_unit_test(the_maximum_of_creation_is_not_below_p99),
		cmocka_unit_test(other_places_of_creation_have_the_p50_of_the_report),
		cmocka_unit_test(a_call_that_creates_no_task_is_in_the_title),
		cmocka_unit_test(each_way_to_create_a_task_has_its_ratio),
		cmocka_unit_test(each_value_has_its_verdict_below_the_curve),
		cmocka_unit_test(kinds_of_work_are_side_by_side),
		cmocka_unit_test(kinds_of_one_model_keep_their_names),
		cmocka_unit_test(kinds_of_work_stand_still_at_the_answer),
		cmocka_unit_test(counts_of_values_change_after_each_trial),
		cmocka_unit_test(each_kind_of_work_has_its_own_axis_of_values),
		cmocka_unit_test(lines_in_one_place_are_one_line),
		cmocka_unit_test(a_mark_of_a_kind_has_its_models_colour),
		cmocka_unit_test(creation_has_a_whole_axis_on_80_columns),
		cmocka_unit_test(the_clock_of_the_title_is_that_of_its_row),
		cmocka_unit_test(before_an_interval_the_range_of_the_trials_is_drawn),
		cmocka_unit_test(a_median_waits_for_the_pair_of_its_ratio),
		cmocka_unit_test(creation_shows_one_span_after_the_other),
		cmocka_unit_test(creation_shows_one_place_after_the_other),
		cmocka_unit_test(more_than_three_cases_have_the_sentence_alone),
		cmocka_unit_test(operations_have_captions_of_their_own),
		cmocka_unit_test(operations_of_two_models_stand_side_by_side),
		cmocka_unit_test(a_ratio_is_drawn_with_its_interval_and_says_who_is_faster),
		cmocka_unit_test(a_ratio_has_an_ascii_mark),
		cmocka_unit_test(before_a_result_a_sweep_says_who_looks_faster),
		cmocka_unit_test(kinds_of_work_are_counted_together),
		cmocka_unit_test(bars_are_not_called_lines),
		cmocka_unit_test(a_bar_has_its_mark_at_its_foot),
		cmocka_unit_test(places_read_as_words_and_each_axis_has_its_labels),
		cmocka_unit_test(before_a_result_creation_has_its_ratios_below_the_question),
		cmocka_unit_test(creation_has_a_free_line_between_ways_and_all_labels),
		cmocka_unit_test(the_fastest_ways_to_create_a_task_are_enlarged),
		cmocka_unit_test(the_rows_of_creation_are_sorted_at_the_end),
		cmocka_unit_test(the_axis_of_creation_is_wide_at_80_columns),
		cmocka_unit_test(histograms_of_creation_have_no_mark_but_p50),
		cmocka_unit_test(the_curve_of_creation_tells_a_warning),
		cmocka_unit_test(the_medians_tell_a_warning_when_they_are_done),
		cmocka_unit_test(combinations_are_grouped_by_their_first_setting),
		cmocka_unit_test(a_narrow_axis_of_ratios_has_marks_alone),
		cmocka_unit_test(without_a_value_the_medians_have_no_axis),
		cmocka_unit_test(from_five_trials_on_a_row_says_who_is_ahead),
		cmocka_unit_test(a_bar_has_the_medians_of_both_models),
		cmocka_unit_test(the_medians_stand_still_and_their_axes_only_grow),
		cmocka_unit_test(an_area_of_workers_has_their_number),
		cmocka_unit_test(lanes_of_a_server_are_beside_its_histograms),
		cmocka_unit_test(lanes_of_a_server_that_do_not_count_are_grey),
		cmocka_unit_test(creation_scrolls_where_its_rows_do_not_fit),
		cmocka_unit_test(creation_draws_at_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
