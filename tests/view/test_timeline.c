/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/key.h"
#include "draw/plot.h"
#include "model/model_private.h"
#include "stage/golden.h"
#include "stage/stage.h"
#include "stage/known.h"
#include "view/view_cache.h"

/* Tests of trees in the Overview, and of the Timeline. */

#define MS INT64_C(1000000)

static void open_tree(struct stage *stage)
{
	struct synthetic session;

	synthetic_tree(&session, 2);
	stage_open(stage, &session);
	stage->view.state.log_name = NULL;
}

static void press(struct stage *stage, int key)
{
	assert_true(stage_key(stage, key));
}

static void a_tree_reads_as_agreed(void **state)
{
	struct stage stage;

	open_tree(&stage);
	golden_assert("tree-80x24", stage_draw(&stage, 80, 24));
	golden_assert("tree-200x50", stage_draw(&stage, 200, 50));
	model_seek(&stage.model, 350 * MS);
	golden_assert("tree-midst-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

static void the_timeline_reads_as_agreed(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2");
	golden_assert("timeline-120x36", stage_draw(&stage, 120, 36));
	golden_assert("timeline-80x24", stage_draw(&stage, 80, 24));
	stage_type(&stage, "oo");
	golden_assert("timeline-start-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

static void the_timeline_in_ascii_has_nothing_else(void **state)
{
	struct stage stage;
	size_t n;

	open_tree(&stage);
	stage_type(&stage, "2\n");
	canvas_to_ascii(&stage.canvas);
	n = (size_t)stage.canvas.width * (size_t)stage.canvas.height;
	for (size_t i = 0; i < n; i++) {
		assert_true(stage.canvas.cells[i].glyph < 0x7f);
		if (i / 120 < 35) /* below it is the key of the help */
			assert_int_not_equal(stage.canvas.cells[i].glyph, '?');
	}
	stage_close(&stage);
}

static int count_of(const char *text, const char *glyph)
{
	int n = 0;

	for (; (text = strstr(text, glyph)); text += strlen(glyph))
		n++;
	return n;
}

/* A mark appears when the cursor has reached it, and in no other worker's lane. */
static void requests_of_a_server_are_marked_in_their_workers_lane(void **state)
{
	struct sample_request *requests = calloc(2, sizeof(*requests));
	struct synthetic session;
	struct model_run *run;
	struct stage stage;
	const char *text;

	synthetic_mixed(&session, 2);
	stage_open(&stage, &session);
	stage_type(&stage, "2");
	run = &stage.model.runs[stage.model.n_runs - 1];
	text = stage_draw(&stage, 120, 36);
	assert_null(strstr(text, "┃"));
	requests[0] = (struct sample_request) {run->totals.elapsed_ns / 4, INT64_MAX, 0};
	requests[1] = (struct sample_request) {run->totals.elapsed_ns / 2, INT64_MAX, 0};
	run->requests = requests;
	run->n_requests = 2;
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "some requests"));
	assert_int_equal(count_of(text, "┃"), 3); /* two marks, and the legend */
	assert_null(strstr(text, "accept queue"));
	assert_true(run->n_points > 0);
	run->points[0].queue = 1234;
	assert_non_null(strstr(stage_draw(&stage, 120, 36), " accept queue 1,234 "));
	model_seek(&stage.model, run->begin_ns + run->totals.elapsed_ns / 3);
	assert_int_equal(count_of(stage_draw(&stage, 120, 36), "┃"), 2);
	stage_close(&stage);
}

static void draw_every_state(struct stage *stage, int width, int height)
{
	static const char keys[] = "1*2oz*Z+++++=o/1\nnNc";

	stage_draw(stage, width, height);
	for (const char *key = keys; *key; key++) {
		view_key(&stage->view, &stage->model, *key == '\n' ? KEY_ENTER_KEY : *key);
		stage_draw(stage, width, height);
	}
}

static void each_size(struct stage *stage)
{
	static const int widths[] = {1, 39, 40, 41, 60, 79, 80, 99, 100, 120, 200, 1200};
	static const int heights[] = {1, 11, 12, 13, 15, 20, 24, 36, 50, 100};

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		for (size_t j = 0; j < sizeof(heights) / sizeof(heights[0]); j++)
			draw_every_state(stage, widths[i], heights[j]);
}

static void trees_draw_at_every_size_in_every_state(void **state)
{
	static const uint32_t shapes[][3] = {{2, 3, 4}, {1, 150, 1}, {300, 0, 0}};

	for (size_t i = 0; i < 3; i++) {
		struct synthetic session;
		struct stage stage;

		synthetic_tree(&session, 1);
		for (uint32_t c = 0; c < session.cases; c++) {
			struct plan *plan = &session.list[c].plan;

			memcpy(plan->fanout, shapes[i], sizeof(shapes[i]));
			plan->levels = shapes[i][1] ? 3 : 1;
			plan->all_alive = i == 1;
		}
		session.broken_run = 1;
		session.broken = i ? SAMPLE_CRASHED : SAMPLE_INTERRUPTED;
		stage_open(&stage, &session);
		each_size(&stage);
		model_seek(&stage.model, 300 * MS);
		each_size(&stage);
		stage_close(&stage);
	}
}

/* Opens a session whose cases have that many workers, in groups, in the Overview. */
static void open_groups(struct stage *stage, uint32_t threads, uint32_t processes)
{
	const uint32_t workers[] = {threads, processes};
	struct synthetic session;

	synthetic_mixed(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++)
		session.list[i].plan = (struct plan) {.levels = 1,
						      .fanout = {workers[i]},
						      .leaves = {[WORK_CPU] = workers[i]},
						      .barrier = true};
	stage_open(stage, &session);
}

static void enter_unfolds_the_group_in_every_column_of_its_shape(void **state)
{
	struct stage stage;
	const char *upper, *lower, *between;

	open_groups(&stage, 400, 400);
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, " w1 cpu"));
	stage_type(&stage, "\n");
	/* one model below the other */
	stage_draw(&stage, 120, 60);
	upper = strstr(stage.text, " w1 cpu");
	assert_non_null(upper);
	lower = strstr(upper + 1, " w1 cpu");
	assert_non_null(lower);
	between = strstr(upper, "╭─ ■ processes");
	assert_non_null(between);
	assert_true(between < lower);
	stage_type(&stage, "\n");
	assert_false(stage_shows(&stage, " w1 cpu"));
	stage_close(&stage);
}

static void c_chooses_the_column_where_the_shapes_differ(void **state)
{
	struct stage stage;
	const char *found;

	open_groups(&stage, 400, 300);
	stage_draw(&stage, 120, 36);
	stage_type(&stage, "c\n");
	stage_draw(&stage, 120, 90);
	found = strstr(stage.text, " w1 cpu");
	assert_non_null(found);
	assert_true(found > strstr(stage.text, "╭─ ■ processes"));
	assert_null(strstr(found + 1, " w1 cpu"));
	stage_close(&stage);
}

static void star_unfolds_all_and_folds_all_again(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2*");
	assert_true(stage_shows(&stage, "1.1.1"));
	press(&stage, KEY_END_KEY);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "20.3.82"));
	stage_type(&stage, "*");
	assert_false(stage_shows(&stage, "20.3.8"));
	assert_true(stage_shows(&stage, "▸20"));
	stage_close(&stage);
}

static void a_search_finds_a_worker_by_name_and_unfolds_to_it(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2/17.2.80");
	assert_true(stage_shows(&stage, "name or tid: 17.2.80"));
	stage_type(&stage, "\n");
	assert_false(stage.view.state.typing);
	assert_true(stage_shows(&stage, "thread 17.2.80"));
	stage_close(&stage);
}

static void a_search_finds_a_worker_by_its_tid(void **state)
{
	const struct model_run *run;
	struct stage stage;
	char keys[32];

	open_tree(&stage);
	run = model_latest(&stage.model, 0);
	snprintf(keys, sizeof(keys), "2/%d\n", model_known(run, 4444).tid);
	stage_type(&stage, keys);
	assert_true(stage_shows(&stage, "thread 18.3.19"));
	stage_close(&stage);
}

/*
 * In a small container, a thread ID is a small number and may equal a worker's name, such as "17".
 */
static void a_name_is_found_before_a_tid(void **state)
{
	struct model_run *run;
	struct stage stage;

	open_tree(&stage);
	run = (struct model_run *)(uintptr_t)model_latest(&stage.model, 0);
	KNOW(run, 5, tid, 17);
	stage_type(&stage, "2/17\n");
	assert_true(stage_shows(&stage, "thread 17 "));
	KNOW(run, 5, tid, 21);
	stage_type(&stage, "/21\n");
	assert_true(stage_shows(&stage, "thread 6 "));
	stage_close(&stage);
}

/* Enter is offered with what it does to the row, but not if nothing is below the row. */
static void enter_says_what_it_does_to_the_row(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "Enter Unfold"));
	stage_type(&stage, "\n");
	assert_true(stage_shows(&stage, "Enter Fold"));
	stage_type(&stage, "/17.2.80\n");
	assert_false(stage_shows(&stage, "Enter"));
	assert_true(stage_shows(&stage, "* All"));
	stage_close(&stage);
}

static void n_goes_on_and_comes_back_by_the_capital(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2/17.\n");
	assert_true(stage_shows(&stage, "thread 17.1 "));
	stage_type(&stage, "n");
	assert_true(stage_shows(&stage, "thread 17.2 "));
	stage_type(&stage, "N");
	assert_true(stage_shows(&stage, "thread 17.1 "));
	stage_close(&stage);
}

static void a_search_that_finds_nothing_says_so_and_stays(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2");
	press(&stage, KEY_DOWN_ARROW);
	stage_type(&stage, "/21\n");
	assert_true(stage_shows(&stage, "no worker with that name or thread ID"));
	assert_true(stage_shows(&stage, "thread 2 "));
	stage_close(&stage);
}

static void while_a_name_is_typed_no_key_means_anything_else(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2/q3?1");
	press(&stage, KEY_TAB);
	assert_int_equal(stage.view.state.view, 2);
	assert_false(stage.view.state.help);
	assert_string_equal(stage.view.state.timeline.search, "q3?1");
	press(&stage, KEY_BACKSPACE_KEY);
	assert_string_equal(stage.view.state.timeline.search, "q3?");
	press(&stage, KEY_ESCAPE);
	assert_false(stage.view.state.typing);
	press(&stage, '3');
	assert_int_equal(stage.view.state.view, 3);
	stage_close(&stage);
}

static void a_name_that_is_too_long_is_cut_and_harms_nothing(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2/");
	for (int i = 0; i < 200; i++)
		press(&stage, '1');
	assert_int_equal(strlen(stage.view.state.timeline.search),
			 sizeof(stage.view.state.timeline.search) - 1);
	stage_draw(&stage, 40, 12);
	stage_close(&stage);
}

static int64_t order_key(const struct sample_worker *worker, enum view_order by)
{
	switch (by) {
	case VIEW_BY_CREATION:
		return worker->create_ns;
	case VIEW_BY_START:
		return worker->start_ns;
	case VIEW_BY_DURATION:
		return worker->start_ns - worker->finish_ns;
	default:
		return worker->finish_ns;
	}
}

static void every_order_is_sorted_and_keeps_what_is_selected(void **state)
{
	const struct model_run *run;
	struct stage stage;

	open_tree(&stage);
	run = model_latest(&stage.model, 0);
	stage_type(&stage, "2/9.3.7\n");
	for (int by = VIEW_BY_CREATION; by < VIEW_ORDERS; by++) {
		const struct view_case *one;

		stage_type(&stage, "o");
		one = &stage.view.cache->rows->cases[0];
		assert_int_equal(stage.view.state.timeline.order, by);
		for (uint32_t i = 1; i < run->n_workers; i++) {
			struct sample_worker before =
				model_known(run, one->order.places[i - 1].worker);
			struct sample_worker worker = model_known(run, one->order.places[i].worker);

			assert_true(order_key(&before, (enum view_order)by) <=
				    order_key(&worker, (enum view_order)by));
		}
		stage_type(&stage, "\n");
		assert_true(stage_shows(&stage, "thread 9.3.7 "));
		stage_type(&stage, "\n");
	}
	stage_type(&stage, "o");
	assert_true(stage_shows(&stage, "thread 9.3.7 "));
	stage_close(&stage);
}

static void an_order_shows_all_workers_at_once_until_one_looks_closer(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2o");
	assert_true(stage_shows(&stage, "455 a row"));
	assert_false(stage_shows(&stage, "more ▾"));
	stage_type(&stage, "\n");
	assert_false(stage_shows(&stage, "a row"));
	assert_true(stage_shows(&stage, "more ▾"));
	stage_type(&stage, "\n");
	assert_true(stage_shows(&stage, "455 a row"));
	stage_close(&stage);
}

static void zooming_in_keeps_the_selected_worker_in_sight(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2/18.3.19\n");
	for (int i = 0; i < 8; i++) {
		struct plot_axis axis;
		const struct model_run *run = model_latest(&stage.model, 0);
		int64_t create = model_known(run, 4444).create_ns;

		stage_type(&stage, "+");
		axis = view_rows_axis(&stage.model, &stage.view.state, 0, 2, 0, 100);
		assert_true(axis.from_ns <= create && create <= axis.to_ns);
	}
	stage_type(&stage, "=");
	assert_true(stage.view.state.zoom == 1);
	stage_close(&stage);
}

static void c_shows_the_next_models_workers(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "thread 1 "));
	stage_type(&stage, "c");
	assert_true(stage_shows(&stage, "process 1 "));
	stage_type(&stage, "c");
	assert_true(stage_shows(&stage, "thread 1 "));
	stage_close(&stage);
}

static void a_set_has_its_workers_with_their_barrier(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	stage_open(&stage, &session);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "w8 io"));
	assert_true(stage_shows(&stage, "began work"));
	assert_false(stage_shows(&stage, "Unfold"));
	stage_close(&stage);
}

static void the_line_below_the_sentence_says_what_of_the_tree_is_alive(void **state)
{
	struct synthetic session;
	struct stage stage;

	open_tree(&stage);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "Tasks end immediately: at most 12 alive."));
	stage_close(&stage);
	synthetic_tree(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++)
		session.list[i].plan.all_alive = true;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "All 5,000 stay alive"));
	stage_close(&stage);
}

static void the_axis_is_that_of_the_whole_run_wherever_the_cursor_stands(void **state)
{
	struct stage stage;
	struct plot_axis whole, midst;

	open_tree(&stage);
	model_seek(&stage.model, 480 * MS); /* the first run has ended, the second has not begun */
	whole = view_rows_axis(&stage.model, &stage.view.state, 0, stage.model.n_cases, 0, 100);
	model_seek(&stage.model, 250 * MS);
	midst = view_rows_axis(&stage.model, &stage.view.state, 0, stage.model.n_cases, 0, 100);
	assert_int_equal(midst.to_ns, whole.to_ns);
	stage_close(&stage);
}

/* An ended run must not be read again, so that a frame takes little time. */
static void the_rows_of_an_ended_run_are_not_worked_out_again(void **state)
{
	struct stage stage;
	struct model_run *run;
	char *before;

	open_tree(&stage);
	before = strdup(stage_draw(&stage, 120, 36));
	assert_non_null(before);
	run = &stage.model.runs[stage.model.n_runs - 1];
	for (uint32_t i = 0; i < run->n_workers; i++)
		KNOW(run, i, create_ns, -1);
	assert_string_equal(stage_draw(&stage, 120, 36), before);
	stage_type(&stage, "+");
	assert_string_not_equal(stage.text, before);
	free(before);
	stage_close(&stage);
}

static void the_tasks_of_a_command_go_with_a_cursor_before_its_first_run(void **state)
{
	struct sample_task task = {
		.parent = -1, .pid = 7, .tid = 7, .end_ns = -1, .cpu_ns = -1, .name = "sort"};
	struct sample sample = {.kind = SAMPLE_TASKS, .tasks = {1, &task}};
	struct stage stage;

	stage_mixed(&stage, 1);
	sample.time_ns = stage.model.newest_ns;
	sample.run = stage.model.runs[0].id;
	task.index = stage.model.runs[0].n_workers;
	assert_int_equal(model_apply(&stage.model, &sample), 0);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "sort"));
	model_seek(&stage.model, stage.model.runs[0].begin_ns - 1);
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "sort"));
	/* Without tasks, the keys that search and sort are not offered either. */
	stage_draw(&stage, 200, 36);
	assert_false(stage_shows(&stage, "/ Search") || stage_shows(&stage, "o Order"));
	stage_close(&stage);
}

/* Gives a run a command with a thread. first: the process's ID, one less than the thread's. */
static void add_command(struct model_run *run, int32_t first)
{
	const struct sample_task process = {.index = run->n_workers,
					    .parent = -1,
					    .pid = first,
					    .tid = first,
					    .end_ns = -1,
					    .cpu_ns = -1,
					    .name = "make"};
	struct sample_task thread = process;

	thread.index++;
	thread.parent = (int32_t)run->n_workers;
	thread.tid++;
	run->tasks = calloc(2, sizeof(*run->tasks));
	assert_non_null(run->tasks);
	run->n_tasks = run->cap_tasks = 2;
	run->tasks[0].known = process;
	run->tasks[1].known = thread;
}

/* While a trial is played, its rows are on the screen, and not those of the newest run. */
static void rows_of_a_played_trial_can_be_selected(void **state)
{
	struct view_race *race;
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage.model.n_runs > 2);
	race = &stage.view.state.race;
	for (size_t i = 0; i < stage.model.n_runs; i++)
		add_command(&stage.model.runs[i], 100 + 10 * (int32_t)i);
	race->trial = (struct model_trial) {0, 2, stage.model.runs[0].id.trial};
	race->ns = race->length_ns = race->axis_ns = 5000000000;
	stage_type(&stage, "2");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "·101"));
	assert_false(stage_shows(&stage, "of process"));
	press(&stage, KEY_DOWN_ARROW);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "of process"));
	press(&stage, KEY_UP_ARROW);
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "of process"));
	stage_type(&stage, "/101");
	press(&stage, KEY_ENTER_KEY);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "of process"));
	stage_close(&stage);
}

static void a_task_of_a_program_is_selected_by_its_thread_ID(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	/* The newest run of its case is on the screen. */
	add_command(&stage.model.runs[stage.model.n_runs - 1], 100);
	assert_int_equal(view_select(&stage.view, &stage.model, "102"), -ENOENT);
	assert_false(view_finds(&stage.model, "102"));
	assert_int_equal(view_select(&stage.view, &stage.model, "101"), 0);
	assert_true(view_finds(&stage.model, "101") && view_finds(&stage.model, "make"));
	assert_int_equal(stage.view.state.chosen,
			 stage.model.runs[stage.model.n_runs - 1].id.case_id);
	stage_type(&stage, "2");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "of process"));
	stage_close(&stage);
}

/* Tasks have only one order. The bottom line says what Enter does to the selected task. */
static void the_bottom_line_says_what_keys_do_to_tasks_of_a_command(void **state)
{
	struct sample_task tasks[2] = {
		{.parent = -1, .pid = 7, .tid = 7, .end_ns = -1, .cpu_ns = -1, .name = "make"},
		{.pid = 8, .tid = 8, .end_ns = -1, .cpu_ns = -1, .name = "sort"}};
	struct sample sample = {.kind = SAMPLE_TASKS, .tasks = {2, tasks}};
	struct stage stage;

	stage_mixed(&stage, 1);
	sample.time_ns = stage.model.newest_ns;
	sample.run = stage.model.runs[0].id;
	tasks[0].index = stage.model.runs[0].n_workers;
	tasks[1].index = tasks[0].index + 1;
	tasks[1].parent = (int32_t)tasks[0].index;
	assert_int_equal(model_apply(&stage.model, &sample), 0);
	stage_type(&stage, "2");
	stage_draw(&stage, 200, 36);
	assert_true(stage_shows(&stage, "Enter Fold"));
	assert_true(stage_shows(&stage, "* All"));
	assert_false(stage_shows(&stage, "o Order"));
	press(&stage, KEY_ENTER_KEY);
	stage_draw(&stage, 200, 36);
	assert_true(stage_shows(&stage, "Enter Unfold"));
	press(&stage, KEY_ENTER_KEY);
	stage_draw(&stage, 200, 36);
	press(&stage, KEY_DOWN_ARROW);
	stage_draw(&stage, 200, 36);
	assert_false(stage_shows(&stage, "Enter Fold") || stage_shows(&stage, "Enter Unfold"));
	stage_close(&stage);
}

static void both_views_have_their_help(void **state)
{
	struct stage stage;

	open_tree(&stage);
	stage_draw(&stage, 120, 36);
	press(&stage, '?');
	stage_draw(&stage, 120, 90);
	assert_true(stage_shows(&stage, "Overview of a tree"));
	press(&stage, KEY_ESCAPE);
	stage_type(&stage, "2?");
	stage_draw(&stage, 120, 90);
	assert_true(stage_shows(&stage, "If you sort by anything but the tree"));
	stage_close(&stage);
}

static void models_share_the_screen_where_a_few_rows_of_each_fit(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(view_key(&stage.view, &stage.model, '2'));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "● threads"));
	assert_true(stage_shows(&stage, "■ processes trial"));
	assert_true(stage_shows(&stage, "thread w1 cpu"));
	stage_type(&stage, "c");
	assert_true(stage_shows(&stage, "● threads trial"));
	assert_true(stage_shows(&stage, "process w1 cpu"));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "● threads trial"));
	assert_true(stage_shows(&stage, "■ processes trial"));
	assert_true(stage_shows(&stage, "2 more ▾"));
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "● threads trial"));
	stage_draw(&stage, 64, 14);
	assert_false(stage_shows(&stage, "threads trial"));
	stage_close(&stage);
	open_tree(&stage);
	stage_type(&stage, "2");
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "● threads trial"));
	assert_true(stage_shows(&stage, "■ processes trial"));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	assert_true(view_key(&stage.view, &stage.model, '2'));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "threads workers=2"));
	assert_true(stage_shows(&stage, "processes workers=2"));
	/* There is no room for the details of the selected worker. */
	assert_false(stage_shows(&stage, "create called"));
	assert_true(stage_shows(&stage, "c Values"));
	stage_close(&stage);
}

/* An entry is in the colour of its ink. Inks that no row has have no entry. */
static void the_legend_has_an_entry_for_each_ink_of_the_rows(void **state)
{
	const struct cell *entry;
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_type(&stage, "2");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "━ cpu  ═ io"));
	entry = stage_find_in(stage.canvas.cells + 120 * 30, 120 * 6, " finished ");
	assert_non_null(entry);
	assert_int_equal(entry[-1].glyph, 0x2508);
	assert_int_equal(entry[-1].style.fg, COLOUR_WAITING);
	assert_true(stage_shows(&stage, "┤ joined"));
	assert_false(stage_shows(&stage, "to join"));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation, 0);
	stage_type(&stage, "2");
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "┤ joined"));
	stage_close(&stage);
}

static void the_caption_explains_the_selected_workers_switches(void **state)
{
	struct stage stage;
	struct model_run *run;

	stage_mixed(&stage, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	run = (struct model_run *)(uintptr_t)model_latest(&stage.model, 0);
	KNOW(run, 1, nvcsw, 1);
	KNOW(run, 1, nivcsw, 38);
	stage_type(&stage, "2");
	press(&stage, KEY_DOWN_ARROW);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1 + 38"));
	assert_true(stage_shows(&stage, "switches: voluntary (it blocked) + involuntary (it lost "
					"its core)."));
	assert_false(stage_shows(&stage, "leave out"));
	run->totals.held_ns = run->totals.elapsed_ns;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "leave out"));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	stage_type(&stage, "2");
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "switches"));
	assert_true(stage_shows(&stage, "the call returns in"));
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_reads_as_agreed),
		cmocka_unit_test(the_timeline_reads_as_agreed),
		cmocka_unit_test(the_timeline_in_ascii_has_nothing_else),
		cmocka_unit_test(trees_draw_at_every_size_in_every_state),
		cmocka_unit_test(enter_unfolds_the_group_in_every_column_of_its_shape),
		cmocka_unit_test(c_chooses_the_column_where_the_shapes_differ),
		cmocka_unit_test(star_unfolds_all_and_folds_all_again),
		cmocka_unit_test(a_search_finds_a_worker_by_name_and_unfolds_to_it),
		cmocka_unit_test(a_search_finds_a_worker_by_its_tid),
		cmocka_unit_test(a_name_is_found_before_a_tid),
		cmocka_unit_test(enter_says_what_it_does_to_the_row),
		cmocka_unit_test(n_goes_on_and_comes_back_by_the_capital),
		cmocka_unit_test(a_search_that_finds_nothing_says_so_and_stays),
		cmocka_unit_test(while_a_name_is_typed_no_key_means_anything_else),
		cmocka_unit_test(a_name_that_is_too_long_is_cut_and_harms_nothing),
		cmocka_unit_test(every_order_is_sorted_and_keeps_what_is_selected),
		cmocka_unit_test(an_order_shows_all_workers_at_once_until_one_looks_closer),
		cmocka_unit_test(zooming_in_keeps_the_selected_worker_in_sight),
		cmocka_unit_test(c_shows_the_next_models_workers),
		cmocka_unit_test(a_set_has_its_workers_with_their_barrier),
		cmocka_unit_test(requests_of_a_server_are_marked_in_their_workers_lane),
		cmocka_unit_test(the_line_below_the_sentence_says_what_of_the_tree_is_alive),
		cmocka_unit_test(the_axis_is_that_of_the_whole_run_wherever_the_cursor_stands),
		cmocka_unit_test(the_rows_of_an_ended_run_are_not_worked_out_again),
		cmocka_unit_test(models_share_the_screen_where_a_few_rows_of_each_fit),
		cmocka_unit_test(the_tasks_of_a_command_go_with_a_cursor_before_its_first_run),
		cmocka_unit_test(rows_of_a_played_trial_can_be_selected),
		cmocka_unit_test(a_task_of_a_program_is_selected_by_its_thread_ID),
		cmocka_unit_test(the_bottom_line_says_what_keys_do_to_tasks_of_a_command),
		cmocka_unit_test(both_views_have_their_help),
		cmocka_unit_test(the_legend_has_an_entry_for_each_ink_of_the_rows),
		cmocka_unit_test(the_caption_explains_the_selected_workers_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
