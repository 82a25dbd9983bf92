/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "draw/key.h"
#include "draw/layout.h"
#include "stage/stage.h"
#include "view/view_cache.h"

/* Tests of what all views have: sizes, the sentence, the bottom line, keys and clicks. */

#define SECOND INT64_C(1000000000)

static void draw_all(struct stage *stage, int w, int h)
{
	static const int keys[] = {'1', '2', '3', '4', '6', '?', KEY_END_KEY, KEY_ESCAPE, 0};

	stage_press(stage, keys, w, h);
}

static void every_view_draws_at_every_size(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	stage_each_size(&stage, draw_all);
	stage_close(&stage);
}

static void check_sentence(struct stage *stage, int w, int h)
{
	if (w < LAYOUT_LEAST_W || h < LAYOUT_LEAST_H)
		return;
	for (int key = '1'; key <= '6'; key++) {
		stage_key(stage, key);
		stage_draw(stage, w, h);
		if (key == '3') {
			assert_non_null(stage_find(stage, "[REAL] Median memory (PSS+kernel): "));
			assert_non_null(stage_find(stage, "much"));
			continue;
		}
		assert_non_null(stage_find(stage, "[SAME SPEED] "));
		/* Two lines of a small first screen have all real differences instead. */
		if (key == '1' && h < 24 && stage_find(stage, "creation 3.0x"))
			continue;
		assert_non_null(stage_find(stage, "within"));
		assert_non_null(stage_find(stage, "%"));
	}
}

static void the_sentence_is_whole_at_every_size_of_every_view(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_each_size(&stage, check_sentence);
	stage_close(&stage);
}

/* Both would look like "./???" if each letter that a terminal lacks became '?'. */
static void names_differ_on_a_terminal_that_has_not_their_letters(void **state)
{
	struct stage stage;
	struct sample_case *cases;

	stage_mixed(&stage, 0);
	cases = stage.model.cases;
	strcpy(cases[0].model, "./比較");
	strcpy(cases[1].model, "./測量");
	for (enum glyphs glyphs = 0; glyphs <= GLYPHS_ASCII; glyphs++) {
		const bool all = glyphs == GLYPHS_ALL;

		stage.canvas.glyphs = glyphs;
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, all ? "./比較" : "./\\u6bd4\\u8f03"));
		assert_true(stage_shows(&stage, all ? "./測量" : "./\\u6e2c\\u91cf"));
	}
	/* One name was typed as the escape of the other. */
	strcpy(cases[1].model, "./\\u6bd4\\u8f03");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "./\\u6bd4\\u8f03~2"));
	/* The escapes of both are too long, and differ only in what is left out. */
	for (int i = 0; i < 2; i++) {
		cases[i].model[0] = '\0';
		for (int k = 0; k < 40; k++)
			strcat(cases[i].model, "比");
		strcat(cases[i].model, i ? "量" : "較");
	}
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "~1"));
	assert_true(stage_shows(&stage, "~2"));
	/* The model itself is not changed. */
	assert_non_null(strstr(cases[1].model, "比量"));
	stage_close(&stage);
}

static void a_session_that_has_not_begun_draws(void **state)
{
	struct stage stage = {0};

	model_init(&stage.model);
	view_init(&stage.view);
	stage_each_size(&stage, draw_all);
	stage_close(&stage);
}

static void below_the_least_size_one_line_asks_for_room(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_string_equal(stage_draw(&stage, 60, 3),
			    "40x12 needed: please enlarge the window\n\n\n");
	assert_string_equal(stage_draw(&stage, 20, 2), "40x12 needed: please\n\n");
	assert_string_equal(stage_draw(&stage, 5, 1), "40x12\n");
	assert_string_equal(stage_draw(&stage, 1, 1), "4\n");
	stage_close(&stage);
}

static void tab_visits_the_views_that_exist(void **state)
{
	static const int order[] = {2, 3, 4, 6, 1};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < 5; i++) {
		assert_true(stage_key(&stage, KEY_TAB));
		assert_int_equal(stage.view.state.view, order[i]);
	}
	assert_true(stage_key(&stage, KEY_BACK_TAB));
	assert_int_equal(stage.view.state.view, 6);
	assert_true(stage_key(&stage, '4'));
	assert_int_equal(stage.view.state.view, 4);
	assert_true(stage_key(&stage, '5'));
	assert_int_equal(stage.view.state.view, 4);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(
		&stage, "5 Curve has nothing to show here; it is for sweeps and for creation."));
	assert_false(stage_key(&stage, '7'));
	assert_int_equal(stage.view.state.view, 4);
	stage_close(&stage);
}

static void creation_says_why_it_has_no_view_of_memory(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	stage_key(&stage, '3');
	assert_int_not_equal(stage.view.state.view, 3);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "3 Memory has nothing to compare"));
	stage_close(&stage);
}

static void check_opens(void (*make)(struct synthetic *session, uint32_t trials), int view)
{
	struct stage stage;

	stage_sweep(&stage, make, 0);
	stage.view.state.settled = false;
	stage_draw(&stage, 80, 24);
	assert_int_equal(stage.view.state.view, view);
	stage_key(&stage, '4');
	stage_draw(&stage, 80, 24);
	assert_int_equal(stage.view.state.view, 4);
	stage_close(&stage);
}

static void a_session_opens_on_its_answer_and_keys_stay(void **state)
{
	struct stage stage;

	check_opens(synthetic_mixed, 1);
	check_opens(synthetic_tree, 1);
	check_opens(synthetic_scaling, 5);
	check_opens(synthetic_creation, 5);
	/* a view that was requested but does not exist */
	stage_mixed(&stage, 0);
	stage.view.state.view = 5;
	stage_draw(&stage, 80, 24);
	assert_int_equal(stage.view.state.view, 1);
	stage_close(&stage);
}

/* Two lines about each view, if there is room and the user wants them. */
static void captions_say_what_is_seen_and_go_by_a_key(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.captions = VIEW_CAPTIONS_FIT;
	stage_draw(&stage, 120, 44);
	assert_true(stage_shows(&stage, " Each row is one worker of one trial"));
	assert_true(stage_shows(&stage, " The time of a model runs from the first create call"));
	/* on a smaller screen, the race needs the lines more */
	stage_draw(&stage, 120, 43);
	assert_false(stage_shows(&stage, "Each row is"));
	stage_draw(&stage, 120, 44);
	stage_key(&stage, 'i');
	stage_draw(&stage, 120, 44);
	assert_false(stage_shows(&stage, "Each row is"));
	stage_key(&stage, 'i');
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "Each row is"));
	stage.view.state.captions = VIEW_CAPTIONS_FIT;
	stage_draw(&stage, 80, 24);
	assert_false(stage_shows(&stage, "Each row is"));
	stage_close(&stage);
	stage_tree(&stage);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "Each band is one level of a model's tree"));
	assert_true(stage_shows(&stage, "from the first create call to the last join.\n"));
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "to join: ended, not joined yet. switches: voluntary"));
	stage_close(&stage);
}

static void every_view_has_captions_of_two_lines(void **state)
{
	const struct view_ops *ops;

	for (size_t i = 0; (ops = views_at(i)); i++)
		for (int j = 0; j < 2; j++) {
			assert_non_null(ops->captions[j]);
			assert_in_range(utf8_columns(ops->captions[j]), 20, 118);
		}
}

/* The end says what the user can do, in a session that can still run something. */
static void a_session_that_is_over_says_what_is_next(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "done: r more, q quits"));
	assert_int_equal(stage_find(&stage, "done")->style.fg, COLOUR_GOOD);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "6 cpu + 2 io  trial 6 of 6  done: r more, q quits"));
	stage.view.state.live = false;
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "r more"));
	stage_close(&stage);
}

/* A number without a name would say nothing. A missing view looks different, and has no name. */
static void every_view_is_named_in_the_bottom_line(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1Overview 2Timeline 3Memory 4Results ·Curve 6Messages\n"));
	/* dim, after a dot that looks like no key */
	assert_int_equal(stage_find(&stage, "Curve")->style.fg, COLOUR_DIM);
	assert_int_equal((stage_find(&stage, "Curve") - 1)->style.fg, COLOUR_DIM);
	assert_int_equal((stage_find(&stage, "Memory") - 1)->style.fg, COLOUR_KEY);
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "1Overview 2Time 3Mem 4Res ·Curve 6Msgs\n"));
	stage_draw(&stage, 40, 12);
	assert_true(stage_shows(&stage, " 1Overview\n"));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " 5Curve 6Messages\n"));
	assert_int_equal(stage_find(&stage, "5Curve")[1].style.fg, COLOUR_DIM);
	stage_close(&stage);
}

/* A part that is watched again is neither a recording nor the present. */
static void slow_motion_says_that_it_is_not_live(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.clock = (struct view_clock) {.shown = true, .live = true, .speed = 0.05};
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "1/20x   slow motion, not live "));
	assert_true(stage_shows(&stage, "Esc Live"));
	stage_draw(&stage, 40, 16);
	assert_true(stage_shows(&stage, "not live"));
	stage.view.state.clock.live = false;
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "not live"));
	stage_close(&stage);
}

/* If an arrow cannot move further, it is for the clock of a replay. */
static void arrows_are_left_to_the_clock_at_either_end(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	assert_false(stage_key(&stage, KEY_LEFT_ARROW));
	assert_false(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_false(stage.view.state.browse);
	stage_draw(&stage, 56, 20);
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	stage_draw(&stage, 56, 20);
	assert_false(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	stage_draw(&stage, 56, 20);
	assert_false(stage_key(&stage, KEY_LEFT_ARROW));
	stage_close(&stage);
}

static void a_notice_stands_until_the_next_key(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.notice = "The log is on another planet.";
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "another planet"));
	stage_key(&stage, 'x');
	assert_null(strstr(stage_draw(&stage, 120, 36), "another planet"));
	stage_close(&stage);
}

static void the_bottom_line_offers_only_what_works_now(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "Space Pause"));
	assert_non_null(strstr(stage.text, "r More"));
	stage_draw(&stage, 200, 36);
	assert_non_null(strstr(stage.text, "e Menu"));
	assert_null(strstr(stage.text, "E Next"));
	assert_non_null(strstr(stage.text, "r Once more"));
	stage.view.state.hold = true;
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "Space Start"));
	stage.view.state.hold = false;
	stage.view.state.live = false;
	stage.view.state.clock = (struct view_clock) {.shown = true, .paused = true, .speed = 0.05};
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "Space Play"));
	assert_non_null(strstr(stage.text, "< > Speed"));
	assert_non_null(strstr(stage.text, "1/20x"));
	assert_null(strstr(stage.text, "More"));
	/* A shorter label stays if a longer one of the same weight does not fit. */
	stage_draw(&stage, 80, 24);
	assert_null(strstr(stage.text, "Memory: PSS"));
	assert_non_null(strstr(stage.text, "< > Speed"));
	stage_close(&stage);
}

static void at_the_end_the_next_experiment_is_offered(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.next = "hello";
	for (int w = 80; w <= 200; w += 8)
		assert_non_null(strstr(stage_draw(&stage, w, 36), "E Next: hello"));
	stage_close(&stage);
}

/* Returns the key of the text's place in the bottom line. */
static int click_on(struct stage *stage, const char *text)
{
	const struct canvas *canvas = &stage->canvas;
	const struct cell *line = canvas->cells + (canvas->height - 1) * canvas->width;
	const struct cell *cell = stage_find_in(line, canvas->width, text);

	assert_non_null(cell);
	return keys_label_at(&stage->view.shown.labels, (int)(cell - line), canvas->height - 1);
}

static void a_click_does_what_the_key_on_the_label_does(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 120, 36);
	assert_int_equal(click_on(&stage, "Quit"), 'q');
	assert_int_equal(click_on(&stage, "Space"), ' ');
	assert_int_equal(click_on(&stage, "More"), 'r');
	assert_int_equal(click_on(&stage, "PSS"), 'm');
	assert_int_equal(click_on(&stage, "? Help"), '?');
	assert_int_equal(click_on(&stage, "Overview"), '1');
	assert_int_equal(click_on(&stage, "3"), '3');
	assert_int_equal(click_on(&stage, "Memory"), '3');
	assert_int_equal(click_on(&stage, "Messages"), '6');
	assert_int_equal(keys_label_at(&stage.view.shown.labels, 2, 10), 0);
	assert_int_equal(keys_label_at(&stage.view.shown.labels, 8, 35), 0);
	stage_draw(&stage, 20, 5);
	assert_int_equal(keys_label_at(&stage.view.shown.labels, 1, 4), 0);
	stage_close(&stage);
}

/* Returns the key of a press on the text, searched from `line` on. */
static int press_below(struct stage *stage, int line, const char *text)
{
	int w = stage->canvas.width, h = stage->canvas.height;
	const struct cell *cell =
		stage_find_in(stage->canvas.cells + line * w, w * (h - line), text);
	int at = (int)(cell - stage->canvas.cells);

	assert_non_null(cell);
	return view_mouse(&stage->view, KEY_MOUSE_PRESS, at % w, at / w);
}

/* Returns the line below the answer, whose background differs; 1: there is no answer. */
static int answer_end(const struct stage *stage)
{
	const int w = stage->canvas.width;
	int line = 1;

	while (line < 4 && (stage->canvas.cells[line * w].style.bg == COLOUR_PANEL ||
			    stage->canvas.cells[line * w].style.attr & ATTR_REVERSE))
		line++;
	return line;
}

/* Like press_below(), below the top line. */
static int press_on(struct stage *stage, const char *text)
{
	return press_below(stage, 1, text);
}

static void panels_answer_a_press(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	/* a name, and a lane below it */
	assert_int_equal(press_below(&stage, answer_end(&stage), "threads"), '2');
	assert_int_equal(stage.view.state.chosen, 0);
	assert_int_equal(press_below(&stage, answer_end(&stage), "processes"), '2');
	assert_int_equal(stage.view.state.chosen, 1);
	assert_int_equal(press_below(&stage, answer_end(&stage), "w1 cpu"), '2');
	assert_int_equal(stage.view.state.chosen, 0);
	assert_int_equal(press_on(&stage, "within"), '4');
	assert_int_equal(view_mouse(&stage.view, KEY_MOUSE_PRESS, 60, 0), 0);
	assert_int_equal(view_mouse(&stage.view, KEY_WHEEL_UP, 100, 15), KEY_UP_ARROW);
	assert_int_equal(view_mouse(&stage.view, KEY_WHEEL_DOWN, 100, 15), KEY_DOWN_ARROW);
	stage_type(&stage, "?");
	assert_int_equal(view_mouse(&stage.view, KEY_MOUSE_PRESS, 100, 15), KEY_ESCAPE);
	assert_int_equal(view_mouse(&stage.view, KEY_WHEEL_DOWN, 100, 15), KEY_DOWN_ARROW);
	stage_close(&stage);
}

/* Returns the case whose Timeline a press on the text opens; -1: another key or none. */
static long case_at(struct stage *stage, const char *text)
{
	stage->view.state.chosen = UINT32_MAX;
	return press_below(stage, answer_end(stage), text) == '2' ? (long)stage->view.state.chosen
								  : -1;
}

static void rows_of_results_answer_a_press(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_type(&stage, "4");
	assert_int_equal(case_at(&stage, "2.95 s     2.95 s"), 0);
	assert_int_equal(case_at(&stage, "3.00 s     2.99 s"), 1);
	assert_int_equal(case_at(&stage, "median"), -1);
	assert_int_equal(case_at(&stage, "memory at its peak"), -1);
	stage_key(&stage, KEY_DOWN_ARROW);
	stage_key(&stage, KEY_DOWN_ARROW);
	stage_draw(&stage, 120, 36);
	assert_int_equal(case_at(&stage, "0.30 ms"), 1);
	stage_close(&stage);
}

static void names_and_panels_of_memory_answer_a_press(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_type(&stage, "3");
	assert_int_equal(case_at(&stage, "threads  "), 0);
	assert_int_equal(case_at(&stage, "processes    "), 1);
	assert_int_equal(press_on(&stage, "USS: pages"), 0);
	assert_int_equal(stage.view.state.memory, METRIC_USS);
	assert_int_equal(press_on(&stage, "RSS: shared"), 0);
	assert_int_equal(stage.view.state.memory, METRIC_RSS);
	stage_close(&stage);
}

static void names_and_figures_of_a_curve_answer_a_press(void **state)
{
	const struct sample_case *cases;
	struct stage stage;
	long one, last;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_type(&stage, "5");
	cases = stage.model.cases;
	one = case_at(&stage, "threads     ");
	assert_string_equal(cases[one].model, "threads");
	last = case_at(&stage, "841 ms");
	assert_string_equal(cases[last].model, "processes");
	assert_string_equal(cases[last].variables.list[0].value, "8");
	last = case_at(&stage, "435 ms");
	assert_string_equal(cases[last].model, "threads");
	assert_string_equal(cases[last].variables.list[0].value, "4");
	stage_key(&stage, '2');
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "threads workers=4"));
	stage_key(&stage, '5');
	stage_draw(&stage, 64, 20);
	assert_string_equal(cases[case_at(&stage, "processes")].model, "processes");
	stage_close(&stage);
}

static void models_of_creation_answer_a_press(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	stage_type(&stage, "5");
	assert_string_equal(stage.model.cases[case_at(&stage, "fork+exec ")].model, "fork+exec");
	stage_close(&stage);
}

static void rows_are_selected_by_a_press_and_folded_by_the_next(void **state)
{
	const struct view_zone *spot;
	struct tree_rows *tree;
	struct stage stage;

	stage_tree(&stage);
	stage_type(&stage, "2");
	tree = view_folds_tree(stage.view.state.folds, 0);
	for (spot = stage.view.shown.zones; spot->pitch == 0;)
		spot++;
	assert_int_equal(view_mouse(&stage.view, KEY_MOUSE_PRESS, 9, spot->rect.y + 4), 0);
	assert_int_equal(tree->selected, 4);
	assert_int_equal(view_mouse(&stage.view, KEY_MOUSE_PRESS, 9, spot->rect.y + 4),
			 KEY_ENTER_KEY);
	stage_type(&stage, "o");
	assert_int_equal(view_mouse(&stage.view, KEY_MOUSE_PRESS, 9, spot->rect.y + 2), 0);
	assert_int_equal(view_rows_position(&stage.view.cache->rows->cases[0].order,
					    stage.view.state.folds->cases[0].worker),
			 2 * spot->per_row);
	stage_close(&stage);
}

static void the_line_of_time_knows_its_places(void **state)
{
	const struct rect *clock;
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	for (int y = 0; y < 36; y++)
		assert_true(view_clock_at(&stage.view.shown, 60, y) < 0);
	stage.view.state.clock = (struct view_clock) {.shown = true, .speed = 1};
	stage_draw(&stage, 120, 36);
	clock = &stage.view.shown.clock;
	assert_int_equal(clock->y, 34);
	assert_true(view_clock_at(&stage.view.shown, clock->x, 34) == 0);
	assert_true(view_clock_at(&stage.view.shown, clock->x + clock->w - 1, 34) == 1);
	assert_true(view_clock_at(&stage.view.shown, clock->x - 1, 34) < 0);
	assert_true(view_clock_at(&stage.view.shown, clock->x, 33) < 0);
	stage_close(&stage);
}

/* Nothing is drawn outside the canvas, and a press anywhere is a key or nothing. */
static void check_mouse(struct stage *stage, int w, int h)
{
	int keys[] = {KEY_MOUSE_PRESS, KEY_WHEEL_UP};

	canvas_resize(&stage->canvas, w, h);
	view_draw(&stage->canvas, &stage->model, &stage->view);
	for (int i = 0; i < w * h; i += 7)
		for (int k = 0; k < 2; k++)
			stage_key(stage, view_mouse(&stage->view, keys[k], i % w, i / w));
}

static void the_mouse_may_press_anywhere_at_any_size(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	stage_each_size(&stage, check_mouse);
	stage_close(&stage);
	stage_mixed(&stage, 0);
	stage_each_size(&stage, check_mouse);
	stage_close(&stage);
}

static void every_view_says_all_of_itself_in_its_row(void **state)
{
	const struct view_ops *ops;
	int number = 1;

	for (size_t i = 0; (ops = views_at(i)); i++) {
		assert_in_range(ops->number, number, number + (i > 0));
		assert_in_range(ops->number, 1, VIEW_NUMBERS);
		number = ops->number;
		assert_true(ops->name && *ops->name && ops->draw);
		assert_true(*ops->help == '#' && ops->help[strlen(ops->help) - 1] == '\n');
	}
}

/*
 * The view is scrolled to its end on a small screen; on a larger screen, which can scroll less, the
 * position must not change.
 */
static void drawing_changes_nothing_that_keys_have_chosen(void **state)
{
	static const int sizes[][2] = {{200, 50}, {60, 16}, {44, 13}, {10, 3}, {120, 36}};
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_draw(&stage, 120, 36);
	for (int number = 1; number <= VIEW_NUMBERS; number++) {
		struct view_state before;

		stage_key(&stage, '0' + number);
		stage_draw(&stage, 80, 24);
		stage_key(&stage, KEY_END_KEY);
		before = stage.view.state;
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			stage_draw(&stage, sizes[i][0], sizes[i][1]);
			assert_memory_equal(&stage.view.state, &before, sizeof(before));
		}
	}
	stage_close(&stage);
}

static void keys_that_come_faster_than_frames_add_up(void **state)
{
	struct stage stage;
	char *text;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_draw(&stage, 80, 24);
	stage_press(&stage, (int[]) {'4', KEY_DOWN_ARROW, KEY_DOWN_ARROW, 0}, 80, 24);
	text = strdup(stage_draw(&stage, 80, 24));
	stage_press(&stage, (int[]) {KEY_HOME_KEY, '1', 0}, 80, 24);
	stage_key(&stage, '4');
	stage_key(&stage, KEY_DOWN_ARROW);
	stage_key(&stage, KEY_DOWN_ARROW);
	assert_string_equal(stage_draw(&stage, 80, 24), text);
	free(text);
	stage_close(&stage);
}

/* A step of a lecture restores the view, and keys may come before the frame that shows it. */
static void a_search_is_of_the_view_that_will_be_drawn(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_press(&stage, (int[]) {'2', 0}, 80, 24);
	stage.view.state.settled = false;
	stage_key(&stage, '/');
	assert_false(stage.view.state.typing);
	assert_int_equal(stage.view.state.view, 1);
	stage_press(&stage, (int[]) {'2', '/', 0}, 80, 24);
	assert_true(stage.view.state.typing);
	stage.view.state.settled = false;
	stage_draw(&stage, 80, 24);
	assert_false(stage.view.state.typing);
	stage_close(&stage);
}

/*
 * Draws after each run of a session with that many trials. Returns how often all trials were read
 * for that.
 */
static uint32_t readings_of(uint32_t trials, bool live, bool plays)
{
	struct synthetic session;
	struct stage stage;
	uint32_t readings;

	synthetic_mixed(&session, trials);
	stage_open(&stage, &session);
	stage.view.state.live = live;
	stage.view.state.clock = (struct view_clock) {.shown = !live, .paused = !plays, .speed = 1};
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		model_seek(&stage.model, stage.model.runs[i].end_ns);
		stage_draw(&stage, 80, 24);
	}
	model_seek(&stage.model, INT64_MAX);
	stage_draw(&stage, 80, 24);
	assert_int_equal(stage.view.cache->key.ended, stage.model.n_runs);
	readings = stage.view.cache->refreshes;
	stage_close(&stage);
	return readings;
}

/* Reading all trials after each one would take time proportional to the square of their number. */
static void a_long_session_reads_its_trials_seldom_while_it_goes_on(void **state)
{
	const uint32_t few = readings_of(30, true, false), many = readings_of(150, true, false);
	const uint32_t twice = readings_of(300, true, false);

	assert_true(few >= 60);
	assert_in_range(many, few, 220);
	/* One in five of the next 300 runs. */
	assert_in_range(twice - many, 1, 60);
	/* A replay that plays is like a session; one that is paused is exact. */
	assert_int_equal(readings_of(150, false, true), many);
	assert_true(readings_of(150, false, false) >= 300);
}

static void seeking_back_shows_the_same_screen_again(void **state)
{
	struct stage then, later;
	char *text;

	stage_mixed(&then, 8.5);
	stage_mixed(&later, 0);
	model_seek(&later.model, then.model.now_ns);
	text = strdup(stage_draw(&then, 120, 36));
	assert_string_equal(stage_draw(&later, 120, 36), text);
	free(text);
	stage_close(&then);
	stage_close(&later);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_view_draws_at_every_size),
		cmocka_unit_test(the_sentence_is_whole_at_every_size_of_every_view),
		cmocka_unit_test(names_differ_on_a_terminal_that_has_not_their_letters),
		cmocka_unit_test(a_session_that_has_not_begun_draws),
		cmocka_unit_test(below_the_least_size_one_line_asks_for_room),
		cmocka_unit_test(tab_visits_the_views_that_exist),
		cmocka_unit_test(creation_says_why_it_has_no_view_of_memory),
		cmocka_unit_test(a_session_opens_on_its_answer_and_keys_stay),
		cmocka_unit_test(captions_say_what_is_seen_and_go_by_a_key),
		cmocka_unit_test(every_view_has_captions_of_two_lines),
		cmocka_unit_test(a_session_that_is_over_says_what_is_next),
		cmocka_unit_test(panels_answer_a_press),
		cmocka_unit_test(rows_of_results_answer_a_press),
		cmocka_unit_test(names_and_panels_of_memory_answer_a_press),
		cmocka_unit_test(names_and_figures_of_a_curve_answer_a_press),
		cmocka_unit_test(models_of_creation_answer_a_press),
		cmocka_unit_test(rows_are_selected_by_a_press_and_folded_by_the_next),
		cmocka_unit_test(the_line_of_time_knows_its_places),
		cmocka_unit_test(the_mouse_may_press_anywhere_at_any_size),
		cmocka_unit_test(every_view_is_named_in_the_bottom_line),
		cmocka_unit_test(slow_motion_says_that_it_is_not_live),
		cmocka_unit_test(arrows_are_left_to_the_clock_at_either_end),
		cmocka_unit_test(a_notice_stands_until_the_next_key),
		cmocka_unit_test(the_bottom_line_offers_only_what_works_now),
		cmocka_unit_test(at_the_end_the_next_experiment_is_offered),
		cmocka_unit_test(a_click_does_what_the_key_on_the_label_does),
		cmocka_unit_test(every_view_says_all_of_itself_in_its_row),
		cmocka_unit_test(drawing_changes_nothing_that_keys_have_chosen),
		cmocka_unit_test(keys_that_come_faster_than_frames_add_up),
		cmocka_unit_test(a_search_is_of_the_view_that_will_be_drawn),
		cmocka_unit_test(seeking_back_shows_the_same_screen_again),
		cmocka_unit_test(a_long_session_reads_its_trials_seldom_while_it_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
