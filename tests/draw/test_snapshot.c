/* SPDX-License-Identifier: MIT */
#include "draw/snapshot.h"

#include "stage/check.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "stage/exported.h"
#include "stage/folder.h"

/* Returns the picture of a canvas. The caller frees it. */
static char *picture(const struct canvas *canvas, const char *theme)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(snapshot_svg(canvas, theme_find(theme), out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* Returns the picture of one line with these words in this style. */
static char *picture_of(const char *words, struct style style)
{
	struct canvas canvas = {0};
	char *text;

	assert_int_equal(canvas_resize(&canvas, 20, 1), 0);
	canvas_text(&canvas, 0, 0, -1, style, words);
	text = picture(&canvas, "default");
	canvas_free(&canvas);
	return text;
}

static void assert_drawn(const char *words, const char *as, size_t times)
{
	char *text = picture_of(words, STYLE(COLOUR_DEFAULT));

	if (exported_count(text, as) != times)
		fail_msg("%s: %zu times %s in\n%s", words, exported_count(text, as), as, text);
	free(text);
}

static void text_stands_on_the_grid_and_is_escaped(void **state)
{
	assert_drawn("plain", ">plain</text>", 1);
	assert_drawn("plain", "textLength=\"40\"", 1); /* five cells */
	assert_drawn("a<b>&\"c", ">a&#60;b&#62;&#38;&#34;c</text>", 1);
	assert_drawn("two words", ">two</text>", 1); /* the final blank is not drawn */
}

static void colours_are_the_themes(void **state)
{
	struct canvas canvas = {0};
	char *text, ground[64];

	text = picture_of("x", STYLE_BOLD(COLOUR_BAD));
	assert_non_null(strstr(text, "fill=\"#ff6a4d\" font-weight=\"bold\""));
	free(text);
	text = picture_of("x", (struct style) {.fg = COLOUR_BAD, .attr = ATTR_REVERSE});
	assert_non_null(strstr(text, "width=\"8\" height=\"16\" fill=\"#ff6a4d\""));
	assert_int_equal(exported_count(text, "fill=\"#101418\""),
			 2); /* the background and the letter */
	free(text);
	text = picture_of("x", (struct style) {.fg = COLOUR_DEFAULT, .bg = COLOUR_PANEL});
	assert_int_equal(exported_count(text, "fill=\"#232a32\""), 1);
	free(text);
	assert_int_equal(canvas_resize(&canvas, 1, 1), 0);
	text = picture(&canvas, "light");
	snprintf(ground, sizeof(ground), "fill=\"#%06x\"",
		 theme_find("light")->colour[COLOUR_GROUND].rgb);
	assert_non_null(strstr(text, ground));
	free(text);
	canvas_free(&canvas);
}

static void blocks_are_rectangles_without_seams(void **state)
{
	assert_drawn("████", "<rect x=\"8\" y=\"8\" width=\"32\" height=\"16\"", 1);
	assert_drawn("▂", "<rect x=\"8\" y=\"20\" width=\"8\" height=\"4\"", 1);
	assert_drawn("▌▌", "width=\"4\" height=\"16\"", 2);
	assert_drawn("░▒▓", "fill-opacity=\".25\"", 1);
	assert_drawn("░▒▓", "fill-opacity=\".75\"", 1);
	assert_drawn("█", "<text", 0);
}

static void braille_is_dots(void **state)
{
	assert_drawn("⣿⣿", "h.01", 16);
	assert_drawn("⣿⣿", "<path", 1);
	assert_drawn("⠁", "M10 10h.01", 1);
	assert_drawn("⡀", "M10 22h.01", 1);
	assert_drawn("⠀", "<path", 0);
}

static void lines_meet_at_the_cells_edges(void **state)
{
	assert_drawn("───", "M8 16h24", 1);
	assert_drawn("│", "M12 8v16", 1);
	assert_drawn("╭", "M16 16Q12 16 12 24", 1);
	assert_drawn("━", "stroke-width=\"3\"", 1);
	assert_drawn("┄", "stroke-dasharray=", 1);
	assert_drawn("═", "h8", 2);
	assert_drawn("┼", "<text", 0);
}

static void other_signs_stand_in_the_middle_of_their_cells(void **state)
{
	assert_drawn("●○", "text-anchor=\"middle\"", 2);
	assert_drawn("●", "x=\"12\"", 1);
	assert_drawn("●", "&#x25cf;", 1);
}

static void letters_of_other_scripts_join_and_wide_ones_have_two_cells(void **state)
{
	assert_drawn("漢字", "text-anchor=\"middle\"", 2);
	assert_drawn("漢字", "x=\"32\"", 1);
	assert_drawn("e\xcc\x81", "e&#x301;", 1);
	/* read from right to left, with joined letters, in its place */
	assert_drawn("ab مرحبا.",
		     "x=\"32\" textLength=\"40\">&#x645;&#x631;&#x62d;&#x628;&#x627;</text>", 1);
}

/* Returns the number that follows the text. */
static double number_at(const char *text, const char *before)
{
	text = strstr(text, before);
	assert_non_null(text);
	return strtod(text + strlen(before), NULL);
}

static void a_slide_is_16_to_9_and_all_of_the_canvas(void **state)
{
	struct canvas canvas = {0};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	double x, y, w, h;

	assert_int_equal(canvas_resize(&canvas, SNAPSHOT_SLIDE_W, SNAPSHOT_SLIDE_H), 0);
	assert_int_equal(snapshot_slide(&canvas, theme_find("light"), out), 0);
	fclose(out);
	assert_int_equal(
		sscanf(strstr(text, "viewBox="), "viewBox=\"%lf %lf %lf %lf\"", &x, &y, &w, &h), 4);
	assert_true(fabs(w / h - 16. / 9) < 1e-4);
	assert_true(fabs(number_at(text, " width=\"") / number_at(text, " height=\"") - 16. / 9) <
		    1e-3);
	assert_true(x <= 8 && x + w >= 8 + 8 * SNAPSHOT_SLIDE_W);
	assert_true(y <= 8 && y + h >= 8 + 16 * SNAPSHOT_SLIDE_H);
	/* A line is a twentieth of a slide: 25 points of a page of 540. */
	assert_true(16 / h > 0.047);
	free(text);
	canvas_free(&canvas);
}

/* A folder and a canvas for tests that save files. */

struct place {
	char folder[FOLDER_PATH], state[FOLDER_PATH];
	struct canvas canvas;
};

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	folder_make(place->folder);
	setenv("XDG_STATE_HOME", folder_at(place->state, place->folder, "state"), 1);
	assert_int_equal(chdir(place->folder), 0);
	assert_int_equal(canvas_resize(&place->canvas, 10, 2), 0);
	canvas_text(&place->canvas, 0, 0, -1, STYLE(COLOUR_DEFAULT), "what stood");
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	assert_int_equal(chdir("/"), 0);
	folder_remove(place->folder);
	canvas_free(&place->canvas);
	free(place);
	return 0;
}

/* Copies the path from the notice: the third word, which ends in .svg. */
static void path_said(const char *said, char *path)
{
	assert_int_equal(sscanf(said, "Saved as %255s and .txt", path), 1);
}

static void a_snapshot_is_a_text_and_a_picture(void **state)
{
	struct place *place = *state;
	char said[512], path[256], *text;

	assert_int_equal(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)), 0);
	path_said(said, path);
	assert_null(strchr(path, '/'));
	assert_int_equal(access(path, R_OK), 0);
	memcpy(path + strlen(path) - 3, "txt", 3);
	text = folder_read(path);
	assert_non_null(text);
	assert_int_equal(strncmp(text, "what stood\n", 11), 0);
	free(text);
}

static void a_second_one_has_a_name_of_its_own(void **state)
{
	struct place *place = *state;
	char said[512], first[256], second[256];
	struct stat before, after;

	assert_int_equal(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)), 0);
	path_said(said, first);
	assert_int_equal(stat(first, &before), 0);
	assert_int_equal(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)), 0);
	path_said(said, second);
	assert_string_not_equal(first, second);
	assert_int_equal(stat(first, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

/* A single file of the pair also blocks the name, and is not changed. */
static void a_picture_of_that_name_is_not_written_over(void **state)
{
	struct place *place = *state;
	char said[512], path[256], text[256];
	struct stat st;

	assert_int_equal(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)), 0);
	path_said(said, path);
	strcpy(text, path);
	memcpy(text + strlen(text) - 3, "txt", 3);
	assert_int_equal(unlink(text), 0);
	assert_int_equal(truncate(path, 1), 0);
	assert_int_equal(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 1);
	assert_int_equal(access(text, F_OK), -1);
}

static void a_slide_is_one_picture_and_says_of_what(void **state)
{
	struct place *place = *state;
	char said[512];

	for (int i = 1; i <= 2; i++) {
		assert_int_equal(
			snapshot_save(&place->canvas, theme_at(0), "curve", said, sizeof(said)), 0);
		assert_non_null(strstr(said, i == 1 ? "-curve-1.svg" : "-curve-2.svg"));
		assert_int_equal(folder_count(place->folder), i);
	}
}

static void where_nothing_can_be_written_it_goes_to_the_state_folder(void **state)
{
	struct place *place = *state;
	char said[512], path[256];

	assert_int_equal(chdir("/proc"), 0);
	assert_int_equal(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)), 0);
	path_said(said, path);
	assert_int_equal(strncmp(path, place->state, strlen(place->state)), 0);
	assert_int_equal(access(path, R_OK), 0);
}

static void where_there_is_no_place_it_says_so(void **state)
{
	struct place *place = *state;
	char said[512];

	assert_int_equal(setenv("XDG_STATE_HOME", "/proc/none", 1), 0);
	assert_int_equal(chdir("/proc"), 0);
	assert_true(snapshot_save(&place->canvas, theme_at(0), NULL, said, sizeof(said)) < 0);
	assert_int_equal(strncmp(said, "cannot save the screen: ", 24), 0);
}

/*
 * Saves while no file may be longer than `most` bytes: write(2) then fails with EFBIG, as it would
 * with ENOSPC on a full device.
 */
static int save_limited(struct place *place, const char *slide, rlim_t most, char *said,
			size_t size)
{
	struct rlimit before, limited;
	int err;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limited = before;
	limited.rlim_cur = most;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
	err = snapshot_save(&place->canvas, theme_at(0), slide, said, size);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	return err;
}

static void an_error_of_any_file_is_reported_and_leaves_no_file(void **state)
{
	/* In the first case the text fits, but the picture does not. */
	static const struct {
		const char *slide;
		rlim_t most;
		const char *said;
	} cases[] = {
		{NULL, 64, "cannot save the screen: "},
		{NULL, 4, "cannot save the screen: "},
		{"curve", 64, "cannot save the slide: "},
	};
	struct place *place = *state;
	char said[512];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int err = save_limited(place, cases[i].slide, cases[i].most, said, sizeof(said));

		assert_int_equal(err, -EFBIG);
		assert_int_equal(strncmp(said, cases[i].said, strlen(cases[i].said)), 0);
		assert_non_null(strstr(said, strerror(EFBIG)));
		assert_int_equal(folder_count(place->folder), 0);
	}
}

#define FILE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stands_on_the_grid_and_is_escaped),
		cmocka_unit_test(colours_are_the_themes),
		cmocka_unit_test(blocks_are_rectangles_without_seams),
		cmocka_unit_test(braille_is_dots),
		cmocka_unit_test(lines_meet_at_the_cells_edges),
		cmocka_unit_test(other_signs_stand_in_the_middle_of_their_cells),
		cmocka_unit_test(letters_of_other_scripts_join_and_wide_ones_have_two_cells),
		cmocka_unit_test(a_slide_is_16_to_9_and_all_of_the_canvas),
		FILE_TEST(a_snapshot_is_a_text_and_a_picture),
		FILE_TEST(a_second_one_has_a_name_of_its_own),
		FILE_TEST(a_picture_of_that_name_is_not_written_over),
		FILE_TEST(a_slide_is_one_picture_and_says_of_what),
		FILE_TEST(where_nothing_can_be_written_it_goes_to_the_state_folder),
		FILE_TEST(where_there_is_no_place_it_says_so),
		FILE_TEST(an_error_of_any_file_is_reported_and_leaves_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
