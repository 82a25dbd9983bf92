/* SPDX-License-Identifier: MIT */
#include "draw/canvas.h"
#include "write/export.h"
#include "fuzz.h"
#include "lecture/lecture.h"
#include "view/view.h"

/*
 * Parses random bytes as a lecture, draws it as slides with notes, and exports it. Texts, counts
 * and errors must be as lecture.h says.
 */

static void check(const struct lecture *lecture)
{
	fuzz_assert(lecture->n > 0 && lecture->n <= LECTURE_SCENES);
	fuzz_assert_line(lecture->title);
	for (size_t i = 0; i < lecture->n; i++) {
		const struct lecture_scene *scene = &lecture->scenes[i];

		fuzz_assert_line(scene->heading);
		fuzz_assert_text(scene->caption, false);
		fuzz_assert_text(scene->notes, true);
		fuzz_assert_text(scene->command, false);
	}
}

static int scene_of(void *arg, size_t i, struct export_scene *out)
{
	const struct lecture *lecture = arg;
	const struct lecture_scene *scene = &lecture->scenes[i];

	*out = (struct export_scene) {scene->heading, scene->caption, scene->command, NULL};
	return 0;
}

static void export(struct lecture *lecture)
{
	static export_write *const writes[] = {export_html, write_json, write_markdown,
					       write_answer};
	const struct export_lecture whole = {lecture->title, lecture->n, scene_of, lecture};
	FILE *out = fopen("/dev/null", "w");

	fuzz_assert(out);
	for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++)
		fuzz_assert(export_lecture(&whole, writes[i], out) == 0);
	fclose(out);
}

/* Draws a scene without a measurement, with and without its notes. */
static void draw(const struct lecture *lecture, size_t scene, const int size[2])
{
	const struct lecture_scene *shown = &lecture->scenes[scene];
	const char *headings[LECTURE_SCENES];
	struct canvas canvas = {0};
	struct model model;
	struct view view;

	for (size_t i = 0; i < lecture->n; i++)
		headings[i] = lecture->scenes[i].heading;
	model_init(&model);
	view_init(&view);
	view.state.lecture = (struct view_lecture) {
		.title = lecture->title,
		.heading = shown->heading,
		.caption = shown->caption,
		.notes = shown->notes,
		.headings = headings,
		.scene = scene,
		.scenes = lecture->n,
		.slide = !*shown->command,
	};
	for (int speaker = 0; speaker < 2; speaker++) {
		view.state.lecture.speaker = speaker;
		fuzz_assert(canvas_resize(&canvas, size[0], size[1]) == 0);
		view_draw(&canvas, &model, &view);
		for (int i = 0; i < canvas.width * canvas.height; i++)
			fuzz_assert(!canvas.cells[i].glyph || canvas.cells[i].glyph >= ' ');
	}
	view_free(&view);
	model_free(&model);
	canvas_free(&canvas);
}

static const int sizes[][2] = {{80, 24}, {64, 20}, {120, 36}, {200, 50}, {20, 5}};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct lecture lecture;
	char error[256] = "";

	if (lecture_parse((const char *)bytes, n, "lecture.md", &lecture, error, sizeof(error))) {
		fuzz_assert(lecture.n == 0 && !lecture.scenes && !lecture.title);
		fuzz_assert_line(error);
		return 0;
	}
	check(&lecture);
	export(&lecture);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		draw(&lecture, n % lecture.n, sizes[i]);
	lecture_free(&lecture);
	return 0;
}
