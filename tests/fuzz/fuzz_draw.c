/* SPDX-License-Identifier: MIT */
#include "fuzz_draw.h"

#include <stdio.h>

#include "draw/theme.h"
#include "write/export.h"
#include "fuzz.h"
#include "view/views.h"

static const int sizes[][2] = {{80, 24}, {64, 20}, {120, 36}, {200, 50}, {20, 5}};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static void draw_view(const struct model *model, int number, const int size[2])
{
	struct view view;
	struct canvas canvas = {0};

	view_init(&view);
	if (views_get(model, number) && canvas_resize(&canvas, size[0], size[1]) == 0) {
		view.state.view = number;
		view.state.settled = true;
		view.state.clock.shown = number % 2 == 0;
		view_draw(&canvas, model, &view);
	}
	for (int i = 0; i < canvas.width * canvas.height; i++)
		fuzz_assert(!canvas.cells[i].glyph || canvas.cells[i].glyph >= ' ');
	view_free(&view);
	canvas_free(&canvas);
}

static void draw_screencast(const struct model *model, export_screencast *screencast, int view,
			    const int size[2], FILE *out)
{
	/* few frames, because each draws what a view draws */
	const struct screencast_wish wish = {.width = size[0],
					     .height = size[1],
					     .fps = 1,
					     .speed = 1e9,
					     .looks.view = views_get(model, view) ? view : 0,
					     .theme = theme_at(0)};

	screencast(model, &wish, out);
}

void fuzz_draw(const struct model *model, uint64_t hash)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	const bool all = false;
#else
	const bool all = true;
#endif
	const struct export_format *format;
	FILE *out = fopen("/dev/null", "w");
	size_t exports = 0, chosen;

	fuzz_assert(out);
	while (export_at(exports))
		exports++;
	chosen = (hash >> 16) % exports;
	for (size_t i = 0; i < SIZES; i++) {
		for (int number = 1; number <= VIEW_NUMBERS; number++)
			if (all || (hash >> 8) % VIEW_NUMBERS + 1 == (size_t)number)
				draw_view(model, number, sizes[i]);
		for (size_t j = 0; (format = export_at(j)); j++)
			if (format->screencast && (all || chosen == j))
				draw_screencast(model, format->screencast,
						1 + (int)((hash + i + j) % VIEW_NUMBERS), sizes[i],
						out);
	}
	for (size_t j = 0; (format = export_at(j)); j++)
		if (format->write && (all || chosen == j))
			format->write(model, out);
	fclose(out);
}

uint64_t fuzz_hash(const uint8_t *bytes, size_t n)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	return hash ^ hash >> 29;
}
