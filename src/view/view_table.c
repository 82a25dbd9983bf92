/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "draw/text.h"

static struct style table_cell_style(const struct model *model, const struct table_column *column,
				     const struct table_cell *cell)
{
	if (cell->case_id >= 0)
		return STYLE_BOLD(view_hue(model, (uint32_t)cell->case_id));
	switch (cell->emphasis ? cell->emphasis : column->emphasis) {
	case TABLE_STRONG:
		return STYLE_BOLD(COLOUR_DEFAULT);
	case TABLE_DIM:
		return STYLE(COLOUR_DIM);
	case TABLE_BAD:
		return STYLE(COLOUR_BAD);
	case TABLE_PLAIN:
		break;
	}
	return STYLE(COLOUR_DEFAULT);
}

/* Words that name a pair keep both of its names; what stands in brackets behind others goes whole.
 */
static void draw_table_text(struct canvas *canvas, int x, int y, int w, struct style style,
			    bool left, const char *text)
{
	char pair[SAMPLE_TEXT];

	if (left && utf8_columns(text) > w && strstr(text, " / ")) {
		text = text_fit_pair(pair, sizeof(pair), text, w);
	} else if (left && utf8_columns(text) > w && strrchr(text, '(') > text) {
		snprintf(pair, sizeof(pair), "%.*s", (int)(strrchr(text, '(') - text), text);
		text = pair;
	} else if (left && strchr(text, '=')) {
		text = text_fit(pair, sizeof(pair), text, w);
	}
	if (left)
		canvas_text(canvas, x, y, w, style, text);
	else
		canvas_right(canvas, x + w, y, style, text);
}

static void draw_table_cell(struct canvas *canvas, struct rect place, const struct model *model,
			    const struct table *table, size_t row, size_t i)
{
	const struct table_column *column = &table->columns[i];
	const struct table_cell *cell = table_cell(table, row, i);
	char buf[TABLE_TEXT];
	const char *text = table_text(table, row, i, " – ", buf);

	if (isnan(cell->value) && cell->words)
		text = cell->words;
	if (cell->case_id >= 0 && i == 0) {
		view_mark_name(canvas, place, model, (uint32_t)cell->case_id, text);
		return;
	}
	draw_table_text(canvas, place.x, place.y, place.w, table_cell_style(model, column, cell),
			column->align == TABLE_LEFT, text);
}

/* Words that are cut to less say nothing: one letter of a column is no column. */
#define LEAST_WORDS 8

int view_table_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		    const struct table *table, const int *widths)
{
	int x = rect.x, end = rect.x + rect.w;
	int n = MIN((int)table_rows(table), canvas->height - 1 - rect.y);

	for (size_t i = 0; i < table->n_columns; i++) {
		bool words = i > 0 && table->columns[i].align == TABLE_LEFT;
		bool cut = words && x + widths[i] > end;
		int w = cut ? end - x : widths[i];

		if (w < (cut ? LEAST_WORDS : 1))
			continue;
		if (i > 0 && x + w <= end)
			draw_table_text(canvas, x, rect.y, w, STYLE(COLOUR_DIM),
					table->columns[i].align == TABLE_LEFT,
					table_title(&table->columns[i]));
		/* Of a long table that scrolls, the rows that the canvas has. */
		for (int row = MAX(0, -1 - rect.y); row < n && x + w <= end; row++)
			draw_table_cell(canvas,
					(struct rect) {x, rect.y + 1 + row, w - (i == 0), 1}, model,
					table, (size_t)row, i);
		x += w + (i > 0 ? VIEW_TABLE_GAP : 0);
	}
	return x;
}
