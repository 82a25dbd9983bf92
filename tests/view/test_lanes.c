/* SPDX-License-Identifier: MIT */
#include "draw/key.h"
#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/model.h"
#include "stage/golden.h"
#include "stage/stage.h"
#include "stage/known.h"
#include "view/view_cache.h"

/* Tests of the lanes: when workers were on a core, and who was on each core. */

#define MS INT64_C(1000000)

/*
 * Opens a session on two cores with a trial of each model: of 6 cpu + 2 io workers or, with
 * `workers`, of that many.
 */
static void open_with(struct stage *stage, bool slices, uint32_t workers)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.warmup = 0;
	session.slices = slices;
	for (uint32_t i = 0; i < session.cases && workers; i++) {
		session.list[i].plan.fanout[0] = workers;
		session.list[i].plan.leaves[WORK_CPU] = workers;
		session.list[i].plan.leaves[WORK_IO] = 0;
	}
	stage_open(stage, &session);
	stage->view.state.log_name = NULL;
}

static void open_lanes(struct stage *stage)
{
	open_with(stage, true, 0);
}

static void lanes_read_as_agreed(void **state)
{
	struct stage stage;

	open_lanes(&stage);
	golden_assert("lanes-overview-120x36", stage_draw(&stage, 120, 36));
	golden_assert("lanes-overview-80x24", stage_draw(&stage, 80, 24));
	stage_type(&stage, "2");
	golden_assert("lanes-120x36", stage_draw(&stage, 120, 36));
	golden_assert("lanes-200x50", stage_draw(&stage, 200, 50));
	stage_type(&stage, "++++++");
	golden_assert("lanes-near-120x36", stage_draw(&stage, 120, 36));
	golden_assert("lanes-near-80x24", stage_draw(&stage, 80, 24));
	golden_assert("lanes-near-64x20", stage_draw(&stage, 64, 20));
	stage_type(&stage, "k");
	golden_assert("lanes-cores-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

/*
 * A CPU's place is named if more than its number distinguishes it. The session's workers have CPUs
 * 0 and 1.
 */
static void details_name_where_a_cpu_is(void **state)
{
	static const struct {
		const char *topology, *first, *second;
	} machines[] = {
		{"hwloc;0.0 0-3|8-11;1.1 4-7|12-15", "0: core 0+8 ", "package 0, node 0 "},
		{"hwloc;0.0 0;1.1 1", "1: core 1 ", "package 1, node 1 "},
		{"hwloc;0.0.1 0;0.0.0 1", "0: P core 0 ", "1: E core 1 "},
		{"hwloc;0.0 0,2|1,3", "0: core 0+1 ", "1: core 0+1 "},
	};
	struct stage stage;

	open_lanes(&stage);
	stage_type(&stage, "2");
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		snprintf(stage.model.session.topology, sizeof(stage.model.session.topology), "%s",
			 machines[i].topology);
		stage_draw(&stage, 120, 36);
		assert_non_null(strstr(stage.text, machines[i].first));
		assert_non_null(strstr(stage.text, machines[i].second));
	}
	strcpy(stage.model.session.topology, "hwloc;0.0 0-1");
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, " CPU "));
	stage_close(&stage);
}

static void lanes_of_many_read_as_agreed(void **state)
{
	struct stage stage;

	open_with(&stage, true, 400);
	golden_assert("lanes-many-overview-120x36", stage_draw(&stage, 120, 36));
	stage_type(&stage, "2o");
	golden_assert("lanes-many-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

/* Without colours, workers that are created or wait to be joined must not look as if on a core. */
static void workers_that_do_not_run_do_not_look_as_if_on_a_core(void **state)
{
	struct density_cell cells[] = {{DENSITY_CREATED, 0},
				       {DENSITY_RUNNING, 7, SHARE_ALL},
				       {DENSITY_WAITING, 0},
				       {DENSITY_BAD, 0}};
	static const uint32_t inks[] = {0x2592, 0x2588, 0x2593, 0x2717};
	struct plot_axis axis = {0, MS, 0, 4};
	struct canvas canvas = {0};
	struct view_bar bar = {.canvas = &canvas, .axis = &axis};

	assert_int_equal(canvas_resize(&canvas, 4, 1), 0);
	view_bar_density(&bar, cells, 8, 4, WORK_CPU);
	for (int x = 0; x < 4; x++)
		assert_int_equal(canvas.cells[x].glyph, inks[x]);
	cells[1].share = SHARE_UNKNOWN;
	view_bar_density(&bar, cells, 8, 4, WORK_CPU);
	assert_int_equal(canvas.cells[0].glyph, inks[0]);
	assert_int_equal(canvas.cells[1].glyph, 0x2587);
	assert_int_equal(canvas.cells[2].glyph, inks[2]);
	canvas_free(&canvas);
}

/* Draws workers of one kind from 0 to 4 ms, alone and many, on a canvas of two rows. */
static void draw_kind(struct canvas *canvas, uint8_t work)
{
	static const struct density_cell many[] = {{DENSITY_RUNNING, 8, SHARE_ALL}};
	const struct sample_worker worker = {
		.finish_ns = 4 * MS, .join_ns = -1, .status = SAMPLE_OK};
	struct plot_axis axis = {0, 4 * MS, 0, 4};
	struct view_bar bar = {.canvas = canvas, .axis = &axis, .until_ns = 4 * MS};

	assert_int_equal(canvas_resize(canvas, 4, 2), 0);
	view_bar_worker(&bar, &worker, work);
	bar.y = 1;
	view_bar_density(&bar, many, 8, 1, work);
}

/* Kinds that are alone in their session share colours with other kinds. */
static void no_work_of_some_length_looks_like_any_other(void **state)
{
	static const uint8_t works[] = {WORK_SHARE, WORK_TOUCH, WORK_TOKEN, WORK_MESSAGE};

	for (size_t i = 0; i < sizeof(works); i++)
		assert_int_not_equal(view_bar_colour(works[i]), COLOUR_OTHER);
}

/* Kinds differ by colour in all bars and lanes, and by shape if no slices are known. */
static void each_kind_of_work_has_a_colour_and_a_shape(void **state)
{
	static const uint8_t colours[WORK_KINDS] = {[WORK_CPU] = COLOUR_CPU,
						    [WORK_IO] = COLOUR_IO,
						    [WORK_FP] = COLOUR_FP,
						    [WORK_MEM] = COLOUR_MEM,
						    [WORK_WRITE] = COLOUR_WRITE};
	uint32_t glyphs[WORK_KINDS] = {0};
	struct canvas canvas = {0};

	for (uint8_t i = 0; i < WORK_KINDS; i++) {
		uint8_t work = (uint8_t)plan_work_order[i];

		if (!colours[work])
			continue;
		draw_kind(&canvas, work);
		assert_int_equal(canvas.cells[2].style.fg, colours[work]);
		assert_int_equal(canvas.cells[4].style.fg, colours[work]);
		for (uint8_t j = 0; j < i; j++)
			assert_int_not_equal(canvas.cells[2].glyph, glyphs[j]);
		glyphs[i] = canvas.cells[2].glyph;
	}
	canvas_free(&canvas);
}

/* Three inks and the shares between them stay different. */
static void lanes_in_ascii_read_as_agreed(void **state)
{
	struct stage stage;
	char *text;

	open_lanes(&stage);
	stage_type(&stage, "2+++++");
	stage_draw(&stage, 80, 24);
	canvas_to_ascii(&stage.canvas);
	text = canvas_to_text(&stage.canvas);
	golden_assert("lanes-ascii-80x24", text);
	free(text);
	stage_close(&stage);
}

/* Returns the cells of the worker's row, along the axis of the Timeline. */
static const struct cell *cells_of(const struct stage *stage, const char *name,
				   struct plot_axis *axis)
{
	const struct cell *cell = stage->canvas.cells;

	while (!stage_find_in(cell, 10, name))
		cell += stage->canvas.width;
	*axis = view_rows_axis(&stage->model, &stage->view.state, 0, 1, 16, 57);
	return cell;
}

/*
 * The ink of a bar, summed, is the time on a core: a worker that ran a quarter must not look like
 * one that ran all the time.
 */
static void the_ink_of_a_bar_is_the_time_on_a_core(void **state)
{
	const struct cell *cells;
	struct plot_axis axis;
	struct stage stage;
	double ink = 0, on;
	struct model_shares shares;

	open_lanes(&stage);
	stage_type(&stage, "2");
	cells = cells_of(&stage, "w3 cpu ", &axis);
	for (int x = axis.x; x < axis.x + axis.w; x++) {
		assert_int_not_equal(cells[x].glyph, 0x2501);
		if (cells[x].glyph >= 0x2581 && cells[x].glyph <= 0x2588)
			ink += (cells[x].glyph - 0x2580) / 8.;
	}
	model_shares_until(&stage.model, model_latest(&stage.model, 0), 2, INT64_MAX, &shares);
	on = shares.ns[STATE_ON] / (double)(axis.to_ns - axis.from_ns) * axis.w;
	assert_true(on > 10 && fabs(ink - on) < 1); /* both in cells */
	assert_true(stage_shows(&stage, "w3 cpu  25 %"));
	stage_close(&stage);
}

/* A cell with only one state has that state's ink. */
static void a_cell_has_the_ink_of_what_fills_it(void **state)
{
	static const uint32_t inks[MODEL_STATES] = {
		[STATE_ON] = 0x2588, [STATE_WAITING] = 0x2500, [STATE_BLOCKED] = 0x2508};
	int seen[MODEL_STATES] = {0};
	const struct cell *cells;
	struct plot_axis axis;
	struct stage stage;

	open_lanes(&stage);
	stage_type(&stage, "2");
	assert_true(stage_key(&stage, KEY_END_KEY));
	stage_type(&stage, "+++++");
	cells = cells_of(&stage, "w8 io ", &axis);
	for (int x = axis.x; x < axis.x + axis.w; x++) {
		int64_t from = plot_time(&axis, x), to = plot_time(&axis, x + 1);
		struct model_stretch at;

		if (!model_stretch_at(&stage.model, model_latest(&stage.model, 0), 7, from, &at) ||
		    at.to_ns < to || from < MS)
			continue;
		seen[at.state]++;
		assert_int_equal(cells[x].glyph, inks[at.state]);
		assert_int_equal(cells[x].style.fg,
				 at.state == STATE_ON ? COLOUR_WORKER7 : COLOUR_BORDER);
		assert_false(cells[x].style.attr & ATTR_REVERSE);
	}
	assert_true(seen[STATE_ON] && seen[STATE_WAITING] && seen[STATE_BLOCKED]);
	stage_close(&stage);
}

/* Lanes of cores have a legend of their own, so the view's has no entry for them. */
static void the_legend_of_lanes_has_an_entry_for_each_state_that_they_show(void **state)
{
	const struct cell *entry;
	struct stage stage;

	open_lanes(&stage);
	stage_type(&stage, "2");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " ▄ partly on a core  ┤ joined\n"));
	stage_type(&stage, "+++++");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " █ on a core  ─ waiting\n"));
	entry = stage_find_in(stage.canvas.cells + 120 * 34, 120, " on a core ");
	assert_non_null(entry);
	assert_int_equal(entry[-1].style.fg, COLOUR_WORKER0);
	stage_type(&stage, "k");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "█ 1, 2 …: which worker"));
	assert_false(stage_shows(&stage, "─ waiting"));
	assert_false(stage_shows(&stage, "┤ joined"));
	stage_close(&stage);
}

/* Time throttled by the run's quota must not look like a wait for a core. */
static void time_throttled_by_a_quota_has_its_own_colour(void **state)
{
	struct model_throttle stretch = {0};
	int throttled = 0, waiting = 0, cores[2][2] = {{0}};
	const struct cell *cells;
	struct model_run *run;
	struct plot_axis axis;
	struct stage stage;
	const char *text;

	open_lanes(&stage);
	run = &stage.model.runs[model_latest(&stage.model, 0) - stage.model.runs];
	assert_null(strstr(stage_draw(&stage, 80, 24), "throttled"));
	stage_type(&stage, "2+++++");
	/* half of the shown time */
	cells = cells_of(&stage, "w3 cpu ", &axis);
	stretch.from_ns = plot_time(&axis, axis.x + axis.w / 4);
	stretch.to_ns = plot_time(&axis, axis.x + axis.w * 3 / 4);
	run->throttles = &stretch;
	run->n_throttles = 1;
	stage_draw(&stage, 120, 36);
	cells = cells_of(&stage, "w3 cpu ", &axis);
	for (int x = axis.x; x < axis.x + axis.w; x++) {
		int64_t from = plot_time(&axis, x), to = plot_time(&axis, x + 1);
		bool in = from >= stretch.from_ns && to <= stretch.to_ns;
		bool out = to <= stretch.from_ns || from >= stretch.to_ns;

		if (in && cells[x].glyph == 0x2551 && cells[x].style.fg == COLOUR_THROTTLED)
			throttled++;
		if (out && cells[x].glyph == 0x2500)
			waiting++;
		assert_false(in && cells[x].glyph == 0x2500);
		assert_false(out && cells[x].glyph == 0x2551);
	}
	assert_true(throttled > 3 && waiting > 3);
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "║ throttled"));
	assert_non_null(strstr(text, "throttled   "));
	assert_non_null(strstr(text, "─ waiting  ║ throttled\n"));
	run->throttles = NULL;
	run->n_throttles = 0;
	stage_close(&stage);
	/*
	 * While the run is throttled, a core without its workers need not have another program, so
	 * it has the sign of throttling.
	 */
	open_lanes(&stage);
	run = &stage.model.runs[model_latest(&stage.model, 0) - stage.model.runs];
	run->throttles = &stretch;
	run->n_throttles = 1;
	stage_type(&stage, "2++++++k");
	assert_true(stage_shows(&stage, "║ throttled"));
	stretch = (struct model_throttle) {.from_ns = 0, .to_ns = INT64_C(1) << 40};
	for (run->n_throttles = 0; run->n_throttles < 2; run->n_throttles++) {
		stage_draw(&stage, 120, 36);
		cells = cells_of(&stage, "core 0", &axis);
		for (int x = axis.x; x < axis.x + axis.w; x++) {
			cores[run->n_throttles][0] += cells[x].glyph == 0x2248;
			cores[run->n_throttles][1] += cells[x].glyph == 0x2551;
		}
	}
	assert_true(cores[0][0] > 3);
	assert_int_equal(cores[0][1], 0);
	assert_int_equal(cores[1][0], 0);
	assert_true(cores[1][1] >= cores[0][0]);
	run->throttles = NULL;
	run->n_throttles = 0;
	stage_close(&stage);
}

/* A blocked worker and a core of another program are different, so they have different signs. */
static void other_programs_on_a_core_have_a_sign_of_their_own(void **state)
{
	const struct cell *row;
	struct plot_axis axis;
	struct stage stage;
	int others = 0;

	open_lanes(&stage);
	/*
	 * If every cell has some time of a worker, no sign of other programs is drawn, and the
	 * legend has no entry for it.
	 */
	assert_null(strstr(stage_draw(&stage, 120, 36), "≈"));
	stage_type(&stage, "2++++++k");
	stage_draw(&stage, 120, 36);
	row = cells_of(&stage, "core 0", &axis);
	for (int x = axis.x; x < axis.x + axis.w; x++) {
		assert_int_not_equal(row[x].glyph, 0x2508);
		others += row[x].glyph == 0x2248;
	}
	assert_true(others > 3);
	stage_close(&stage);
}

/* A core's lane has a worker's number where the worker's lane says that it was on that core. */
static void the_lanes_of_cores_number_who_ran(void **state)
{
	struct stage stage;
	const struct cell *row;
	struct plot_axis axis;
	int numbers = 0;

	open_lanes(&stage);
	stage_type(&stage, "2++++++");
	row = cells_of(&stage, "core 0", &axis);
	for (int x = axis.x; x + 3 < axis.x + axis.w; x++) {
		struct model_stretch at;
		uint32_t worker = row[x].glyph - '1';

		if (worker > 7)
			continue;
		numbers++;
		assert_int_equal(row[x].style.fg, plot_worker_colour(worker));
		assert_true(row[x].style.attr & ATTR_REVERSE);
		assert_true(model_stretch_at(&stage.model, model_latest(&stage.model, 0), worker,
					     plot_time(&axis, x), &at));
		assert_int_equal(at.state, STATE_ON);
		assert_int_equal(at.cpu, 0);
	}
	assert_true(numbers >= 3);
	stage_close(&stage);
}

static void k_shows_the_cores_alone_and_the_workers_again(void **state)
{
	struct stage stage;

	open_lanes(&stage);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "k Cores"));
	assert_true(stage_shows(&stage, "by name"));
	stage_type(&stage, "k");
	assert_true(stage_shows(&stage, "k Workers"));
	assert_true(stage_shows(&stage, "core 1"));
	assert_false(stage_shows(&stage, "by name"));
	stage_type(&stage, "k");
	assert_true(stage_shows(&stage, "by name"));
	stage_close(&stage);
}

static void a_worker_has_one_colour_on_its_lane_and_on_the_cores(void **state)
{
	const struct cell *own, *cores[2];
	struct plot_axis axis;
	struct stage stage;
	int both = 0;

	open_lanes(&stage);
	stage_type(&stage, "2++++++");
	own = cells_of(&stage, "w2 cpu ", &axis);
	cores[0] = cells_of(&stage, "core 0", &axis);
	cores[1] = cells_of(&stage, "core 1", &axis);
	for (int x = axis.x; x < axis.x + axis.w; x++) {
		if (own[x].glyph != 0x2588)
			continue;
		assert_int_equal(own[x].style.fg, COLOUR_WORKER1);
		both++;
		assert_true(cores[0][x].style.fg == COLOUR_WORKER1 ||
			    cores[1][x].style.fg == COLOUR_WORKER1);
	}
	assert_true(both > 3);
	stage_close(&stage);
}

static void more_cores_than_rows_are_scrolled(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.slices = true;
	session.cores = 40;
	stage_open(&stage, &session);
	stage_type(&stage, "2k");
	assert_true(stage_shows(&stage, "core 7"));
	assert_false(stage_shows(&stage, "core 39"));
	assert_true(stage_key(&stage, KEY_END_KEY));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "core 39"));
	assert_false(stage_shows(&stage, "core 7 "));
	stage_close(&stage);
}

static void the_source_of_slices_is_named_with_what_it_cannot_see(void **state)
{
	struct stage stage;

	open_lanes(&stage);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "the workers' clock, 16 µs ─"));
	stage.model.runs[0].totals.slices_lost = 1234;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "the workers' clock, 16 µs, 1,234 lost"));
	stage_close(&stage);
}

static void details_say_what_a_worker_did_with_its_life(void **state)
{
	static const char *const said[] = {"on a core",	    "waited",	  "blocked",
					   "longest wait",  "slices",	  "median slice",
					   "longest slice", "migrations", "0 1 "};
	struct stage stage;

	open_lanes(&stage);
	stage_type(&stage, "2");
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		assert_true(stage_shows(&stage, said[i]));
	stage_draw(&stage, 80, 50);
	assert_true(stage_shows(&stage, "longest wait"));
	stage_close(&stage);
}

/* At this time the first workers have had a core, but not the last one. */
static void details_have_no_figures_of_a_worker_without_a_slice(void **state)
{
	static const char *const figures[] = {"longest wait", "median slice", "longest slice"};
	struct stage stage;
	size_t n;

	open_lanes(&stage);
	model_seek(&stage.model, stage.model.runs[0].begin_ns +
					 model_slices(&stage.model.runs[0], 7, &n)->on_ns - 1);
	stage_type(&stage, "2");
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		assert_true(stage_shows(&stage, figures[i]));
	assert_true(stage_key(&stage, KEY_END_KEY));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "thread w8 io"));
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		assert_false(stage_shows(&stage, figures[i]));
	stage_close(&stage);
}

static void without_slices_bars_are_lifetimes_and_cores_have_no_lane(void **state)
{
	struct stage stage;

	open_with(&stage, false, 0);
	stage_type(&stage, "2");
	assert_false(stage_shows(&stage, "░░"));
	assert_false(stage_shows(&stage, "core 0"));
	assert_false(stage_shows(&stage, "25 %"));
	assert_true(stage_shows(&stage, "━━━"));
	assert_false(stage_key(&stage, 'k'));
	stage_close(&stage);
}

/* No slices are known of tasks without work, so the screen is as in a session without slices. */
static void a_source_that_sees_nothing_takes_no_room(void **state)
{
	struct synthetic session;
	struct stage stage;
	char *without;

	synthetic_tree(&session, 1);
	stage_open(&stage, &session);
	without = strdup(stage_draw(&stage, 120, 36));
	assert_non_null(without);
	stage_close(&stage);
	session.slices = true;
	stage_open(&stage, &session);
	assert_string_equal(stage_draw(&stage, 120, 36), without);
	free(without);
	stage_close(&stage);
}

/* At any moment, a replay shows only what was known then. */
static void in_slow_motion_nothing_is_drawn_behind_the_cursor(void **state)
{
	struct stage stage;
	const struct cell *cells;
	struct plot_axis axis;
	int64_t now = 20 * MS;

	open_lanes(&stage);
	stage_type(&stage, "2++++++");
	stage.view.state.from = 0;
	model_seek(&stage.model, model_latest(&stage.model, 0)->begin_ns + now);
	stage_draw(&stage, 120, 36);
	for (int row = 0; row < 2; row++) {
		cells = cells_of(&stage, row ? "core 0" : "w1 cpu ", &axis);
		for (int x = axis.x; x < axis.x + axis.w; x++)
			if (plot_time(&axis, x) > now)
				assert_true(cells[x].glyph == ' ' || cells[x].glyph == 0xb7 ||
					    cells[x].glyph == 0);
		assert_true(cells[axis.x + 5].glyph != ' ');
	}
	stage_close(&stage);
}

/*
 * In a hybrid of two processes, w1 is the third task: the 1 on a core is w1, and a process has no
 * number.
 */
static void a_core_has_the_number_that_a_worker_has_in_its_name(void **state)
{
	struct plot_axis axis = {0, 4 * MS, 0, 8};
	struct canvas canvas = {0};
	struct view_lane *lane = calloc(1, sizeof(*lane) + 8 * sizeof(lane->cells[0]));

	assert_non_null(lane);
	assert_int_equal(canvas_resize(&canvas, 8, 1), 0);
	view_lane_begin(lane, &axis);
	lane->core = true;
	lane->unnumbered = 2;
	view_lane_add(lane, &(struct model_stretch) {0, 2 * MS, STATE_ON}, 1);
	view_lane_add(lane, &(struct model_stretch) {2 * MS, 4 * MS, STATE_ON}, 2);
	view_lane_numbers(lane, &canvas, 0, false);
	for (int x = 0; x < 4; x++)
		assert_int_equal(canvas.cells[x].glyph, 0); /* not drawn */
	assert_int_equal(canvas.cells[5].glyph, '1');
	canvas_free(&canvas);
	free(lane);
}

/* What is left of a wider lane, beyond the end of a narrower one, does not move a number. */
static void a_number_is_in_the_middle_after_its_lane_became_narrower(void **state)
{
	struct plot_axis wide = {0, 8 * MS, 0, 8}, narrow = {0, 4 * MS, 0, 4};
	struct canvas canvas = {0};
	struct view_lane *lane = calloc(1, sizeof(*lane) + 8 * sizeof(lane->cells[0]));

	assert_non_null(lane);
	assert_int_equal(canvas_resize(&canvas, 8, 1), 0);
	view_lane_begin(lane, &wide);
	view_lane_add(lane, &(struct model_stretch) {0, 8 * MS, STATE_ON}, 0);
	view_lane_begin(lane, &narrow);
	view_lane_add(lane, &(struct model_stretch) {0, 4 * MS, STATE_ON}, 0);
	view_lane_numbers(lane, &canvas, 0, false);
	for (int x = 0; x < 8; x++)
		assert_int_equal(canvas.cells[x].glyph, x == 1 ? '1' : 0);
	canvas_free(&canvas);
	free(lane);
}

static void zooming_ends_in_microseconds_with_labels_that_differ(void **state)
{
	struct stage stage;
	struct plot_axis axis;

	open_lanes(&stage);
	stage_type(&stage, "2++++++++++++++++++");
	axis = view_rows_axis(&stage.model, &stage.view.state, 0, 1, 16, 57);
	assert_true(axis.to_ns - axis.from_ns < 20000);
	assert_true(stage_shows(&stage, " s  "));
	assert_true(stage_shows(&stage, "+4"));
	assert_true(stage_shows(&stage, "µs"));
	stage_close(&stage);
}

/* The cached rows are equal to new ones. */
static void rows_of_many_are_the_same_however_time_went(void **state)
{
	struct stage stage;

	open_with(&stage, true, 20000);
	stage_key(&stage, '2');
	for (int i = 1; i < 60; i++) {
		char *kept;

		model_seek(&stage.model, stage.model.newest_ns / 97 * ((i * 41) % 97));
		stage_key(&stage, i % 20 == 10 ? '+' : i % 7 == 3 ? KEY_DOWN_ARROW : ' ');
		stage_draw(&stage, 120, 36);
		kept = strdup(stage.text);
		view_cache_free(stage.view.cache);
		stage.view.cache = NULL;
		stage_draw(&stage, 120, 36);
		assert_string_equal(stage.text, kept);
		free(kept);
	}
	stage_close(&stage);
}

/* Draws with nothing cached of earlier frames, and keeps what was cached. */
static void draw_anew(struct stage *stage)
{
	struct view_cache *cache = stage->view.cache;
	struct view_reading readings[VIEW_READINGS];
	const size_t n = cache->n_readings;

	memcpy(readings, cache->readings, sizeof(readings));
	memset(cache->readings, 0, sizeof(readings));
	cache->n_readings = 0;
	stage_draw(stage, 120, 36);
	for (size_t i = 0; i < VIEW_READINGS; i++)
		free(cache->readings[i].found);
	memcpy(cache->readings, readings, sizeof(readings));
	cache->n_readings = n;
}

static void assert_cached_is_equal(struct stage *stage)
{
	struct cell *cached = calloc(120 * 36, sizeof(*cached));

	assert_non_null(cached);
	stage_draw(stage, 120, 36);
	memcpy(cached, stage->canvas.cells, 120 * 36 * sizeof(*cached));
	draw_anew(stage);
	for (int i = 0; i < 120 * 36; i++) {
		const struct cell *cell = &stage->canvas.cells[i];

		assert_int_equal(cell->glyph, cached[i].glyph);
		assert_int_equal(cell->style.fg, cached[i].style.fg);
		assert_int_equal(cell->style.bg, cached[i].style.bg);
	}
	free(cached);
}

static void lanes_are_the_same_however_time_went(void **state)
{
	static const char *const keys[] = {"1", "2", "2k"};

	for (size_t view = 0; view < LENGTH(keys); view++) {
		struct stage stage;

		open_with(&stage, true, 0);
		stage_type(&stage, keys[view]);
		for (int i = 1; i < 60; i++) {
			/* Most steps are small, forward or back. */
			const int place = i % 10 == 0 ? (i * 41) % 97 : 40 + i % 20 - i % 3 * 2;

			model_seek(&stage.model, stage.model.newest_ns / 97 * place);
			if (i % 20 == 15)
				view_key(&stage.view, &stage.model, '+');
			assert_cached_is_equal(&stage);
		}
		stage_close(&stage);
	}
}

struct arrival {
	struct stage stage;
	const char *keys;
	struct sample late[64]; /* samples of one slice */
	struct sample_slice slices[64];
	int n_late, ticks;
};

static int apply_late(struct arrival *arrival)
{
	int err = 0;

	for (int i = 0; i < arrival->n_late; i++)
		err |= model_apply(&arrival->stage.model, &arrival->late[i]);
	arrival->n_late = 0;
	return err;
}

/* A slice that has just ended in the last ms on core 0. */
static int apply_others(struct model *model)
{
	const int64_t now_ns = model->newest_ns - model->runs[model->n_runs - 1].begin_ns;
	const struct sample_slice slice = {
		.on_ns = now_ns - MS, .off_ns = now_ns, .index = SAMPLE_OTHERS, .cpu = 0};
	const struct sample sample = {.kind = SAMPLE_SLICES,
				      .time_ns = model->newest_ns,
				      .run = model->runs[model->n_runs - 1].id,
				      .slices = {1, &slice}};

	return model_apply(model, &sample);
}

/*
 * Each slice arrives first as an open one. Those of worker 3 arrive three ticks later; from the
 * tenth tick on, those of other programs arrive, too.
 */
static int apply_and_draw(void *arg, const struct sample *sample)
{
	struct arrival *arrival = arg;
	struct stage *stage = &arrival->stage;
	struct sample_slice slice;
	struct sample open = *sample;
	int err = 0;

	if (sample->kind == SAMPLE_SLICES) {
		slice = *sample->slices.list;
		if (slice.index == 3 && arrival->n_late < 64) {
			arrival->slices[arrival->n_late] = slice;
			arrival->late[arrival->n_late] = *sample;
			arrival->late[arrival->n_late].slices.list =
				&arrival->slices[arrival->n_late];
			arrival->n_late++;
			return 0;
		}
		slice.open = true;
		slice.off_ns = -1;
		slice.why = WHY_UNKNOWN;
		open.slices.list = &slice;
		err |= model_apply(&stage->model, &open);
		if (slice.index == 1)
			assert_cached_is_equal(stage);
	}
	if (sample->kind == SAMPLE_RUN_END)
		err |= apply_late(arrival);
	err |= model_apply(&stage->model, sample);
	stage->model.now_ns = stage->model.newest_ns;
	if (sample->kind != SAMPLE_TICK)
		return err;
	if (++arrival->ticks % 3 == 0)
		err |= apply_late(arrival);
	if (arrival->ticks > 10 && model_running(&stage->model))
		err |= apply_others(&stage->model);
	if (arrival->ticks == 5)
		stage_type(stage, arrival->keys);
	assert_cached_is_equal(stage);
	return err;
}

static void lanes_are_the_same_however_slices_arrive(void **state)
{
	static const char *const keys[] = {"1", "2", "2k"};

	for (size_t view = 0; view < LENGTH(keys); view++) {
		struct arrival *arrival = calloc(1, sizeof(*arrival));
		struct synthetic session;

		assert_non_null(arrival);
		synthetic_mixed(&session, 1);
		session.warmup = 0;
		session.slices = true;
		session.span_ns[0] = session.span_ns[1] = 2000 * MS;
		model_init(&arrival->stage.model);
		view_init(&arrival->stage.view);
		arrival->stage.view.state.live = true;
		arrival->keys = keys[view];
		assert_int_equal(synthetic_play(&session, apply_and_draw, arrival), 0);
		assert_in_range(arrival->ticks, 30, 60);
		stage_close(&arrival->stage);
		free(arrival);
	}
}

static void lanes_draw_at_every_size(void **state)
{
	static const char keys[] = "2+++>>k=o*k+++++++++++++++";
	struct stage stage;

	for (uint32_t workers = 0; workers <= 300; workers += 300) {
		open_with(&stage, true, workers);
		stage_draw(&stage, 120, 36);
		for (const char *key = keys; *key; key++) {
			view_key(&stage.view, &stage.model, *key == '>' ? KEY_RIGHT_ARROW : *key);
			for (int w = 40; w <= 240; w += 23)
				for (int h = 12; h <= 60; h += 7)
					stage_draw(&stage, w, h);
		}
		stage_close(&stage);
	}
}

enum { STARTS = 3000 }; /* ns */

/*
 * Makes the last worker to finish wait for a core from the barrier's opening to its first slice.
 * Returns the worker.
 */
static uint32_t let_wait(struct model_run *run)
{
	struct sample_slice *slices;
	uint32_t last = 0;
	size_t n;

	for (uint32_t i = 1; i < run->n_workers; i++)
		if (model_known(run, i).finish_ns > model_known(run, last).finish_ns)
			last = i;
	slices = (struct sample_slice *)model_slices(run, last, &n);
	assert_true(n > 0);
	slices[0].on_ns += 3 * MS;
	slices[0].ready_ns = run->totals.go_ns;
	/* the worker reports its work a few instructions later */
	KNOW(run, last, work_ns, slices[0].on_ns + STARTS);
	return last;
}

/*
 * Returns how long the worker waited on the critical path before its work, ns: the path's waits
 * except those during the work.
 */
static double path_waits(const struct model *model, const struct model_run *run, uint32_t worker)
{
	const struct sample_worker known = model_known(run, worker);
	struct model_path path = model_path_make(model, run);
	struct model_shares work = {{0}};

	model_shares_add(model, run, worker, known.work_ns, known.finish_ns, &work);
	return path.ns[PART_WAITING] - work.ns[STATE_WAITING];
}

/*
 * Draws a bar with 40 us in each cell, and counts the cells with the glyph before the first cell on
 * a core.
 */
static int count_cells(const struct stage *stage, const struct model_run *run, uint32_t worker,
		       uint32_t glyph)
{
	enum { W = 400 };
	struct plot_axis axis = {0, W * INT64_C(40000), 0, W};
	const struct sample_worker known = model_known(run, worker);
	struct canvas canvas = {0};
	struct view_bar bar = {.canvas = &canvas,
			       .axis = &axis,
			       .until_ns = run->totals.elapsed_ns,
			       .barrier = true,
			       .model = &stage->model,
			       .run = run,
			       .cache = calloc(1, sizeof(*bar.cache)),
			       .worker = worker};
	int n = 0;

	assert_non_null(bar.cache);

	assert_int_equal(canvas_resize(&canvas, W, 1), 0);
	canvas_clear(&canvas);
	view_bar_worker(&bar, &known, WORK_CPU);
	for (int x = 0; x < W && canvas.cells[x].glyph != 0x2588; x++)
		n += canvas.cells[x].glyph == glyph;
	canvas_free(&canvas);
	view_cache_free(bar.cache);
	return n;
}

static void behind_the_barrier_ink_is_what_the_path_says(void **state)
{
	struct synthetic session;
	struct stage stage;
	struct sample_worker worker;
	struct model_run *run;
	uint32_t last;

	(void)state;
	synthetic_mixed(&session, 1);
	session.slices = session.wakes = true;
	stage_open(&stage, &session);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		double waits;

		run = &stage.model.runs[i];
		last = let_wait(run);
		worker = model_known(run, last);
		waits = path_waits(&stage.model, run, last);
		assert_true(fabs(waits - (double)(worker.work_ns - run->totals.go_ns)) < 1);
		assert_true(waits > 1e6);
		assert_true(fabs(count_cells(&stage, run, last, 0x2500) - waits / 40e3) <= 2);
		assert_true(fabs(count_cells(&stage, run, last, 0x250a) -
				 (double)(run->totals.go_ns - worker.start_ns) / 40e3) <= 2);
	}
	stage_close(&stage);
}

/* If wake-ups are known, the fifth view shows them, and the details name who woke a worker. */
static void wakes_read_as_agreed(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *text;

	(void)state;
	synthetic_mixed(&session, 2);
	session.slices = session.wakes = true;
	stage_open(&stage, &session);
	stage_type(&stage, "5");
	golden_assert("wakes-120x36", stage_draw(&stage, 120, 36));
	golden_assert("wakes-64x20", stage_draw(&stage, 64, 20));
	stage_type(&stage, "2");
	for (int i = 0; i < 6; i++)
		assert_true(stage_key(&stage, KEY_DOWN_ARROW));
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "woken, times"));
	assert_non_null(strstr(text, "by worker               w8 io"));
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_read_as_agreed),
		cmocka_unit_test(details_name_where_a_cpu_is),
		cmocka_unit_test(lanes_of_many_read_as_agreed),
		cmocka_unit_test(workers_that_do_not_run_do_not_look_as_if_on_a_core),
		cmocka_unit_test(each_kind_of_work_has_a_colour_and_a_shape),
		cmocka_unit_test(no_work_of_some_length_looks_like_any_other),
		cmocka_unit_test(lanes_in_ascii_read_as_agreed),
		cmocka_unit_test(the_ink_of_a_bar_is_the_time_on_a_core),
		cmocka_unit_test(a_cell_has_the_ink_of_what_fills_it),
		cmocka_unit_test(the_legend_of_lanes_has_an_entry_for_each_state_that_they_show),
		cmocka_unit_test(time_throttled_by_a_quota_has_its_own_colour),
		cmocka_unit_test(other_programs_on_a_core_have_a_sign_of_their_own),
		cmocka_unit_test(the_lanes_of_cores_number_who_ran),
		cmocka_unit_test(k_shows_the_cores_alone_and_the_workers_again),
		cmocka_unit_test(a_worker_has_one_colour_on_its_lane_and_on_the_cores),
		cmocka_unit_test(more_cores_than_rows_are_scrolled),
		cmocka_unit_test(the_source_of_slices_is_named_with_what_it_cannot_see),
		cmocka_unit_test(details_say_what_a_worker_did_with_its_life),
		cmocka_unit_test(details_have_no_figures_of_a_worker_without_a_slice),
		cmocka_unit_test(without_slices_bars_are_lifetimes_and_cores_have_no_lane),
		cmocka_unit_test(a_source_that_sees_nothing_takes_no_room),
		cmocka_unit_test(in_slow_motion_nothing_is_drawn_behind_the_cursor),
		cmocka_unit_test(zooming_ends_in_microseconds_with_labels_that_differ),
		cmocka_unit_test(rows_of_many_are_the_same_however_time_went),
		cmocka_unit_test(lanes_are_the_same_however_time_went),
		cmocka_unit_test(lanes_are_the_same_however_slices_arrive),
		cmocka_unit_test(lanes_draw_at_every_size),
		cmocka_unit_test(a_core_has_the_number_that_a_worker_has_in_its_name),
		cmocka_unit_test(a_number_is_in_the_middle_after_its_lane_became_narrower),
		cmocka_unit_test(behind_the_barrier_ink_is_what_the_path_says),
		cmocka_unit_test(wakes_read_as_agreed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
