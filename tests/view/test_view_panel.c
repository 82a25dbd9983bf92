/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "draw/snapshot.h"
#include "stage/golden.h"
#include "stage/stage.h"

/* The panel's text; the caller's. */
static char *panel_of(struct stage *stage, const char *named)
{
	struct canvas canvas = {0};
	char name[VIEW_PANEL_NAME], *text;

	assert_int_equal(canvas_resize(&canvas, SNAPSHOT_SLIDE_W, SNAPSHOT_SLIDE_H), 0);
	assert_string_equal(view_panel(&canvas, &stage->model, &stage->view, name), named);
	text = canvas_to_text(&canvas);
	canvas_free(&canvas);
	return text;
}

/* What a slide needs, and nothing that asks for a key. */
static void assert_slide(const char *text, const char *answer)
{
	assert_non_null(strstr(text, answer));
	assert_non_null(strstr(text, "AMD EPYC 7B13, "));
	assert_non_null(strstr(text, "tuibench"));
	assert_null(strstr(text, "Quit"));
	assert_null(strstr(text, "m: another"));
	assert_null(strstr(text, "user"));
}

static void each_view_stands_alone(void **state)
{
	static const struct {
		int key;
		const char *name;
	} views[] = {{'1', "overview"}, {'2', "timeline"}, {'3', "memory"}, {'4', "results"}};
	struct stage stage;
	char golden[32], *text;

	stage_mixed(&stage, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		stage_draw(&stage, 120, 36);
		stage_key(&stage, views[i].key);
		text = panel_of(&stage, views[i].name);
		assert_slide(text,
			     views[i].key == '3' ? "[REAL] Median memory (PSS+kernel)" : "at most");
		snprintf(golden, sizeof(golden), "panel-%s", views[i].name);
		golden_assert(golden, text);
		free(text);
	}
	stage_close(&stage);
}

static void a_slide_of_large_digits_or_a_vote_shows_these(void **state)
{
	struct stage stage;
	char *text;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	stage_key(&stage, 'p');
	text = panel_of(&stage, "medians");
	assert_slide(text, "at most");
	free(text);
	stage_key(&stage, 'v');
	text = panel_of(&stage, "vote");
	assert_null(strstr(text, "apart"));
	free(text);
	stage_close(&stage);
}

/* Keys and clicks find the screen as it is. */
static void the_screen_stays(void **state)
{
	struct stage stage;
	struct view_shown shown;
	struct view_state before;
	char *text;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	stage_key(&stage, '?');
	text = strdup(stage_draw(&stage, 120, 36));
	shown = stage.view.shown;
	before = stage.view.state;
	free(panel_of(&stage, "overview"));
	assert_memory_equal(&shown, &stage.view.shown, sizeof(shown));
	assert_memory_equal(&before, &stage.view.state, sizeof(before));
	assert_string_equal(stage_draw(&stage, 120, 36), text);
	free(text);
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_view_stands_alone),
		cmocka_unit_test(a_slide_of_large_digits_or_a_vote_shows_these),
		cmocka_unit_test(the_screen_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
