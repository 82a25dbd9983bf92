/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#include "draw/theme.h"
#include "write/write_parts.h"
#include "stage/exported.h"
#include "stage/synthetic.h"
#include "view/view.h"

enum { W = 80, H = 24 };

static struct screencast_wish wish_of(const char *theme)
{
	return (struct screencast_wish) {
		.width = W, .height = H, .fps = 2, .speed = 1, .theme = theme_find(theme)};
}

static const char *const screencasts[] = {"cast", "svg-animation", "svg", "slide"};

static char *screencast_of(const char *format, const struct model *model,
			   const struct screencast_wish *wish)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(export_find(format)->screencast(model, wish, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void mixed(struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, model);
}

/* A terminal that gets a cast's events one by one. */

struct player {
	VTerm *vterm;
	VTermScreen *screen;
	char *text, *next; /* the cast, with a line for each event */
	double time;
	int marks; /* number of marks so far, and the last one's words */
	char marked[64];
};

static json_t *next_line(struct player *player)
{
	char *end = strchr(player->next, '\n');
	json_error_t error;
	json_t *line;

	if (!*player->next)
		return NULL;
	assert_non_null(end);
	*end = '\0';
	line = json_loads(player->next, 0, &error);
	if (!line)
		fail_msg("%s: %.200s", error.text, player->next);
	player->next = end + 1;
	return line;
}

static void player_open(struct player *player, const struct model *model,
			const struct screencast_wish *wish)
{
	json_t *header;

	player->text = player->next = screencast_of("cast", model, wish);
	header = next_line(player);
	assert_int_equal(json_integer_value(json_object_get(header, "version")), 2);
	assert_int_equal(json_integer_value(json_object_get(header, "width")), W);
	assert_int_equal(json_integer_value(json_object_get(header, "height")), H);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(header, "theme"), "bg")),
		strcmp(wish->theme->name, "dark") ? "#ffffff" : "#101418");
	json_decref(header);
	player->vterm = vterm_new(H, W);
	vterm_set_utf8(player->vterm, 1);
	player->screen = vterm_obtain_screen(player->vterm);
	vterm_screen_reset(player->screen, 1);
	player->time = -1;
	player->marks = 0;
}

static bool player_step(struct player *player)
{
	json_t *event = next_line(player);
	const char *data;

	while (event && strcmp(json_string_value(json_array_get(event, 1)), "m") == 0) {
		/* a marker is not later than what is drawn then */
		assert_int_equal(json_array_size(event), 3);
		assert_true(json_number_value(json_array_get(event, 0)) > player->time);
		snprintf(player->marked, sizeof(player->marked), "%s",
			 json_string_value(json_array_get(event, 2)));
		player->marks++;
		json_decref(event);
		event = next_line(player);
	}
	if (!event)
		return false;
	assert_int_equal(json_array_size(event), 3);
	assert_string_equal(json_string_value(json_array_get(event, 1)), "o");
	assert_true(json_number_value(json_array_get(event, 0)) > player->time);
	player->time = json_number_value(json_array_get(event, 0));
	data = json_string_value(json_array_get(event, 2));
	vterm_input_write(player->vterm, data, strlen(data));
	json_decref(event);
	return true;
}

static void player_close(struct player *player)
{
	vterm_free(player->vterm);
	free(player->text);
}

static uint32_t rgb(const struct player *player, VTermColor colour)
{
	vterm_screen_convert_color_to_rgb(player->screen, &colour);
	return (uint32_t)colour.rgb.red << 16 | (uint32_t)colour.rgb.green << 8 | colour.rgb.blue;
}

static void assert_cell(const struct player *player, const struct canvas *canvas,
			const struct theme *theme, int x, int y)
{
	const struct cell *cell = &canvas->cells[y * canvas->width + x];
	uint32_t fg = theme->colour[cell->style.fg].rgb;
	uint32_t bg = theme->colour[theme_ground(cell->style.bg)].rgb;
	bool turned = cell->style.attr & ATTR_REVERSE;
	VTermScreenCell is = {0};

	vterm_screen_get_cell(player->screen, (VTermPos) {.row = y, .col = x}, &is);
	if (is.chars[0] != (cell->glyph ? cell->glyph : ' '))
		fail_msg("%d, %d at %.9f s: U+%04x, not U+%04x", x, y, player->time, is.chars[0],
			 cell->glyph);
	assert_int_equal(rgb(player, is.fg), turned ? bg : fg);
	assert_int_equal(rgb(player, is.bg), turned ? fg : bg);
	assert_int_equal(is.attrs.bold, !!(cell->style.attr & ATTR_BOLD));
	assert_int_equal(is.attrs.underline, !!(cell->style.attr & ATTR_UNDERLINE));
	assert_int_equal(is.attrs.reverse, 0);
}

/* Checks that the screen equals what another view draws at that moment. */
static void assert_screen(const struct player *player, struct model *model, struct view *view,
			  struct race_clock *race, const struct theme *theme)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, W, H), 0);
	model_seek(model, (int64_t)llround(player->time * 1e9));
	view->state.clock.paused = model->now_ns == model->newest_ns;
	if (view->state.clock.paused)
		race_finish(race, model);
	else
		race_advance(race, model, 1 + (uint64_t)llround(player->time * 1e9));
	view->state.race = race->race;
	view_draw(&canvas, model, view);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			assert_cell(player, &canvas, theme, x, y);
	canvas_free(&canvas);
}

static void assert_plays(const char *theme, void (*make)(struct model *model), int least)
{
	struct screencast_wish wish = wish_of(theme);
	struct player player;
	struct model model;
	struct race_clock race = {0};
	struct view view;
	int shown = 0;

	make(&model);
	view_init(&view);
	view.state.clock = (struct view_clock) {.shown = true, .speed = 1};
	player_open(&player, &model, &wish);
	while (player_step(&player) && player.time * 1e9 < (double)model.newest_ns) {
		assert_screen(&player, &model, &view, &race, wish.theme);
		shown++;
	}
	if (shown < least)
		fail_msg("%d frames", shown);
	/* Then the race's last pair is played, and its end stays on the screen. */
	while (player_step(&player))
		;
	assert_screen(&player, &model, &view, &race, wish.theme);
	/* one for each run: the warm-up runs and two trials of two models */
	assert_int_equal(player.marks, model.n_runs);
	assert_string_equal(player.marked, "threads, trial 2");
	player_close(&player);
	view_free(&view);
	model_free(&model);
}

static void a_cast_shows_what_the_screen_shows(void **state)
{
	assert_plays("dark", mixed, 25);
	assert_plays("light", mixed, 25);
}

/* Adds an hour before each run of the model. */
static void waiting(struct model *model)
{
	mixed(model);
	for (size_t i = 0; i < model->n_runs; i++) {
		int64_t later = (int64_t)(i + 1) * INT64_C(3600000000000);

		model->runs[i].begin_ns += later;
		model->runs[i].end_ns += later;
		model->newest_ns = model->runs[i].end_ns;
	}
}

static void pauses_between_runs_are_short_and_all_takes_a_minute(void **state)
{
	struct screencast_wish wish = wish_of("dark");
	struct frames frames;
	struct model model;
	double runs = 0, seconds[2];

	waiting(&model);
	wish.speed = 1;
	assert_int_equal(frames_open(&frames, &model, &wish), 0);
	seconds[0] = (double)frames.list[frames.n - 1].at_ns / 1e9;
	for (size_t i = 0; i < model.n_runs; i++)
		runs += (double)(model.runs[i].end_ns - model.runs[i].begin_ns) / 1e9;
	/* Two seconds for each pause, and four for the race at the end. */
	assert_true(fabs(seconds[0] - runs - 2 * (double)model.n_runs - 4) < 0.05);
	assert_int_equal(frames.list[frames.n - 1].session_ns, model.newest_ns);
	assert_int_equal(frames.list[0].session_ns, 0);
	frames_close(&frames);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].end_ns = model.runs[i].begin_ns + INT64_C(1000000000000);
	model.newest_ns = model.runs[model.n_runs - 1].end_ns;
	wish.speed = 0;
	assert_int_equal(frames_open(&frames, &model, &wish), 0);
	seconds[1] = (double)frames.list[frames.n - 1].at_ns / 1e9;
	assert_true(seconds[1] <= 60 && seconds[1] > 24);
	frames_close(&frames);
	model_free(&model);
}

static void
every_moment_of_the_screencast_is_later_in_the_session_but_those_of_the_race(void **state)
{
	struct screencast_wish wish = wish_of("dark");
	struct frames frames;
	struct model model;

	waiting(&model);
	wish.fps = 60;
	assert_int_equal(frames_open(&frames, &model, &wish), 0);
	for (uint32_t i = 1; i < frames.n; i++) {
		assert_true(frames.list[i].at_ns > frames.list[i - 1].at_ns);
		if (frames.list[i - 1].session_ns < model.newest_ns)
			assert_true(frames.list[i].session_ns > frames.list[i - 1].session_ns);
		else
			assert_int_equal(frames.list[i].session_ns, model.newest_ns);
	}
	frames_close(&frames);
	model_free(&model);
}

/* The end of the whole session is on the axis unless only a part is shown. */
static void a_screencast_begins_as_a_replay_does(void **state)
{
	struct screencast_wish wish = wish_of("dark");
	struct frames frames;
	struct model model;
	char *text;

	mixed(&model);
	wish.looks.view = 2;
	wish.width = 120;
	wish.height = 40;
	for (int zoomed = 0; zoomed < 2; zoomed++) {
		wish.looks.select = zoomed ? "w4" : NULL;
		wish.looks.from_ns = 400000000;
		wish.looks.to_ns = zoomed ? 600000000 : 0;
		assert_int_equal(frames_open(&frames, &model, &wish), 0);
		/* no task exists that could be selected */
		assert_int_equal(frames_draw(&frames, 0), 0);
		assert_int_equal(frames_draw(&frames, frames.n - 1), 0);
		text = canvas_to_text(&frames.canvas);
		assert_int_equal(!strstr(text, "thread w4 cpu"), !zoomed);
		assert_int_equal(!strstr(text, "  500  "), !zoomed);
		assert_int_equal(!strstr(text, " 3 s "), zoomed);
		free(text);
		frames_close(&frames);
	}
	model_free(&model);
}

static void hostile_texts_stay_text(void **state)
{
	struct screencast_wish wish = wish_of("dark");
	struct synthetic session;
	struct player player;
	struct model model;
	json_t *line;
	char *text;

	exported_hostile(&session);
	synthetic_model(&session, &model);
	player_open(&player, &model, &wish);
	while ((line = next_line(&player))) {
		text = json_dumps(line, JSON_ENCODE_ANY);
		assert_null(strstr(text, "\\u001b[31m"));
		free(text);
		json_decref(line);
	}
	player_close(&player);
	for (size_t i = 0; i < sizeof(screencasts) / sizeof(screencasts[0]); i++) {
		text = screencast_of(screencasts[i], &model, &wish);
		exported_assert_clean(text);
		if (strcmp(screencasts[i], "cast") != 0)
			assert_int_equal(exported_count(text, "<script"), 0);
		free(text);
	}
	model_free(&model);
}

static void an_empty_recording_is_a_screencast(void **state)
{
	struct screencast_wish wish = wish_of("mono");
	struct model model;

	model_init(&model);
	for (size_t i = 0; i < sizeof(screencasts) / sizeof(screencasts[0]); i++)
		free(screencast_of(screencasts[i], &model, &wish));
	model_free(&model);
}

static void ascii_is_ascii(void **state)
{
	struct screencast_wish wish = wish_of("dark");
	struct model model;
	char *text;

	mixed(&model);
	wish.ascii = true;
	text = screencast_of("cast", &model, &wish);
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (*c >= ' ' && *c < 0x7f));
	free(text);
	model_free(&model);
}

/* A day of runs has no more frames than a minute. */
static void the_size_of_a_screencast_is_bounded(void **state)
{
	struct screencast_wish wish = wish_of("dark");
	struct model model;
	char *text;

	mixed(&model);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].end_ns = model.runs[i].begin_ns + INT64_C(7200000000000);
	model.newest_ns = INT64_C(86400000000000);
	for (size_t i = 0; i < sizeof(screencasts) / sizeof(screencasts[0]); i++) {
		text = screencast_of(screencasts[i], &model, &wish);
		assert_true(strlen(text) < 5u << 20);
		free(text);
	}
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cast_shows_what_the_screen_shows),
		cmocka_unit_test(pauses_between_runs_are_short_and_all_takes_a_minute),
		cmocka_unit_test(
			every_moment_of_the_screencast_is_later_in_the_session_but_those_of_the_race),
		cmocka_unit_test(a_screencast_begins_as_a_replay_does),
		cmocka_unit_test(hostile_texts_stay_text),
		cmocka_unit_test(an_empty_recording_is_a_screencast),
		cmocka_unit_test(ascii_is_ascii),
		cmocka_unit_test(the_size_of_a_screencast_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
