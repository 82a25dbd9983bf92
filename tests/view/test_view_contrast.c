/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <string.h>

#include "draw/key.h"
#include "draw/theme.h"
#include "stage/colours.h"
#include "stage/stage.h"

/* Checks the pairs of colours that views draw together, in each theme on each kind of terminal. */

enum kind { TEXT, AREA, KINDS };

struct pairs {
	bool used[COLOURS][COLOURS][KINDS]; /* by foreground and background */
	unsigned n;
};

/* Letters and numbers must be readable; blocks, lines and dots must be visible. */
static enum kind kind_of(uint32_t glyph)
{
	return glyph < 0x2000 && glyph != 0xb7 ? TEXT : AREA;
}

static void collect(struct pairs *pairs, const struct canvas *canvas)
{
	for (int i = 0; i < canvas->width * canvas->height; i++) {
		const struct cell *cell = &canvas->cells[i];
		int fg = cell->style.fg, bg = theme_ground(cell->style.bg), swapped = bg;
		bool *used;

		if (cell->glyph <= ' ')
			continue;
		/*
		 * In a reversed cell, the block has the background's colour, and the rest of the
		 * cell the block's.
		 */
		if (cell->style.attr & ATTR_REVERSE && kind_of(cell->glyph) == AREA) {
			bg = fg;
			fg = swapped;
		}
		used = &pairs->used[fg][bg][kind_of(cell->glyph)];
		pairs->n += !*used;
		*used = true;
	}
}

/* Collects every view at three sizes, with the help over it, and with a selected row. */
static void collect_views(struct pairs *pairs, struct stage *stage)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 50}};

	for (int view = 1; view <= 6; view++)
		for (size_t i = 0; i < 3; i++)
			for (int help = 0; help < 2; help++) {
				stage->view.state.view = view;
				stage->view.state.help = help;
				stage_draw(stage, sizes[i][0], sizes[i][1]);
				collect(pairs, &stage->canvas);
				stage_key(stage, KEY_DOWN_ARROW);
			}
}

static void collect_session(struct pairs *pairs, void (*make)(struct synthetic *, uint32_t),
			    double stop_s)
{
	struct stage stage;

	stage_sweep(&stage, make, stop_s);
	stage_tell(&stage, MESSAGE_NO_PSS, "PSS cannot be read");
	collect_views(pairs, &stage);
	stage_close(&stage);
}

/*
 * Whether the colour is a ground for text. A hue as background is only a part of a cell, or a bar
 * behind a mark; it is distinguished by its hue and by what is next to it.
 */
static bool is_ground(int colour)
{
	return colour == COLOUR_GROUND || colour == COLOUR_PANEL;
}

static void check_pair(int fg, int bg, enum kind kind)
{
	const double least = kind == TEXT ? COLOURS_TEXT : COLOURS_AREA;
	const struct theme *theme;

	/* The contrast of tasks not yet created, which is less on white, is tested in test_theme.c.
	 */
	if (fg == COLOUR_READY_BED)
		return;
	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (enum way way = 0; way < WAYS; way++) {
			double found = colours_contrast(colours_seen(theme, fg, way),
							colours_seen(theme, bg, way));

			if (found < least)
				fail_msg("%s, way %d: %s of colour %d on %d: %.2f, below %.1f",
					 theme->name, way, kind == TEXT ? "text" : "area", fg, bg,
					 found, least);
		}
}

static void colours_drawn_beside_each_other_have_contrast(void **state)
{
	struct pairs pairs = {0};

	collect_session(&pairs, synthetic_mixed, 0);
	collect_session(&pairs, synthetic_mixed, 8);
	collect_session(&pairs, synthetic_tree, 0);
	collect_session(&pairs, synthetic_scaling, 0);
	collect_session(&pairs, synthetic_shapes, 0);
	collect_session(&pairs, synthetic_creation, 0);
	assert_in_range(pairs.n, 20, 500);
	for (int fg = 0; fg < COLOURS; fg++)
		for (int bg = 0; bg < COLOURS; bg++)
			for (enum kind kind = 0; kind < KINDS; kind++)
				if (pairs.used[fg][bg][kind] && is_ground(bg))
					check_pair(fg, bg, kind);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_drawn_beside_each_other_have_contrast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
