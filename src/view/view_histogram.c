/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "result/latency.h"

int view_histogram_figures_w(const struct view_histogram *h)
{
	int w = 0;

	for (size_t i = 0; i < h->n_columns; i++)
		w += h->inner.w >= h->columns[i].least ? h->columns[i].w : 0;
	return w;
}

void view_histogram_place(struct view_histogram *h, int left, int least)
{
	h->x = h->inner.x + left;
	h->w = h->inner.w - left - view_histogram_figures_w(h);
	if (h->w < least || h->w > PLOT_DOTS)
		h->w = 0;
}

void view_histogram_begin(const struct view_histogram *h)
{
	int end = h->x, right = h->inner.x + h->inner.w;

	for (double ns = h->scale.low; h->w && ns < h->scale.high * 1.001; ns *= 10) {
		int x = h->x + (int)lround(scale_share(&h->scale, ns) * h->w), left;
		const struct scale_unit *unit = scale_unit(ns, false);
		char text[32];

		snprintf(text, sizeof(text), "%g %s", ns / unit->size, unit->name);
		left = MAX(h->x, x - utf8_columns(text) / 2);
		for (int y = 1; y < h->inner.h && x < h->x + h->w; y++)
			canvas_put(h->canvas, x, h->inner.y + y, 0xb7, STYLE(COLOUR_BORDER));
		if (left < end || left + utf8_columns(text) > h->x + h->w)
			continue;
		end = canvas_text(h->canvas, left, h->inner.y, -1, STYLE(COLOUR_DIM), text) + 1;
	}
	for (size_t i = 0; i < h->n_columns; i++) {
		if (h->inner.w < h->columns[i].least)
			continue;
		canvas_right(h->canvas, right, h->inner.y, STYLE(COLOUR_DIM), h->columns[i].title);
		right -= h->columns[i].w;
	}
}

double view_histogram_edge(const struct view_histogram *h, int column)
{
	return h->scale.low * pow(h->scale.high / h->scale.low, (double)column / h->w);
}

/* A bar behind the mark is still seen, as its background. */
static void histogram_mark(const struct view_histogram *h, int64_t ns, int y, uint32_t glyph,
			   uint8_t colour)
{
	int column = (int)(scale_share(&h->scale, (double)MAX(ns, 1)) * h->w);
	int x = h->x + MAX(0, MIN(column, h->w - 1));

	for (int i = y; i < y + h->bars_h && i < h->canvas->height; i++) {
		const struct cell *cell = &h->canvas->cells[i * h->canvas->width + x];
		struct style style = STYLE_BOLD(COLOUR_TITLE);

		style.bg = cell->style.bg; /* of a mark that stands there already */
		if (cell->glyph >= 0x2584 && cell->glyph <= 0x2588)
			style.bg = colour;
		canvas_put(h->canvas, x, i, glyph, style);
	}
}

void view_histogram_row(const struct view_histogram *h, const struct view_histogram_row *row)
{
	int end = h->inner.x + h->inner.w, y = row->y + h->bars_h - 1;
	double most = 0;

	for (int column = 0; column < h->w; column++)
		most = fmax(most, row->counts[column]);
	for (int column = 0; column < h->w; column++) {
		double share = most > 0 ? row->counts[column] / most : 0;
		int eighths = (int)lround(share * h->bars_h * 8);

		if (share > 0 && eighths == 0)
			eighths = 1; /* a single one far out is what a mean would hide */
		for (int i = h->bars_h - 1; i >= 0 && eighths > 0; i--, eighths -= 8)
			canvas_put(h->canvas, h->x + column, row->y + i,
				   plot_eighth(fmin(1, eighths / 8.0)), STYLE(row->colour));
	}
	if (h->w) {
		histogram_mark(h, row->p99, row->y, 0x2502, row->colour);
		histogram_mark(h, row->p90, row->y, 0x254e, row->colour);
		histogram_mark(h, row->p50, row->y, 0x2503, row->colour);
	}
	for (size_t i = 0; i < h->n_columns; i++) {
		const struct view_histogram_column *column = &h->columns[i];
		const int64_t *ns = (const void *)((const char *)row->figures + column->offset);

		if (h->inner.w < column->least)
			continue;
		canvas_right(h->canvas, end, y,
			     column->bold ? STYLE_BOLD(row->colour) : STYLE(column->colour),
			     column->offset ? LATENCY_TEXT(*ns) : row->text);
		end -= column->w;
	}
}
