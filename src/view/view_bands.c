/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "base/units.h"
#include "model/model.h"
#include "view_bars.h"

enum { TEXT = 48, EIGHTHS = 8 };

/* Levels first … last as one band. */
struct band {
	const struct view_list *list;
	const struct rows_levels *bands;
	struct rect rect; /* of the plot */
	uint32_t first, last;
	uint32_t tasks, created;
};

/* From below; what is missing hangs from above. */
static const struct band_ink {
	enum model_stand stand;
	uint32_t glyph;
	uint8_t colour;
	const char *name, *brief;
} inks[] = {
	{STAND_RUNNING, 0x2588, COLOUR_CPU, "running", "running"},
	{STAND_CREATED, 0x2592, COLOUR_CREATED, "created", "created"},
	{STAND_ENDED, 0x2593, COLOUR_WAITING, "ended, to be joined", "to join"},
	{STAND_MISSING, 0x2591, COLOUR_BORDER, "not yet created", "not yet"},
};

enum { INKS = sizeof(inks) / sizeof(inks[0]), STACKED = INKS - 1 };

static double band_share(const struct band *band, enum model_stand stand, int x)
{
	int w = band->bands->key.w;
	double sum = 0;

	for (uint32_t level = band->first; level <= band->last; level++)
		sum += band->bands->values[((int)level * MODEL_STANDS + (int)stand) * w + x];
	return sum / band->tasks;
}

static void draw_missing(const struct band *band, int x)
{
	double share = band_share(band, STAND_MISSING, x);
	int rows = isnan(share) ? 0 : (int)lround(share * band->rect.h);

	for (int row = 0; row < rows; row++)
		canvas_put(band->list->canvas, band->rect.x + x, band->rect.y + row,
			   inks[STACKED].glyph, STYLE(inks[STACKED].colour));
}

/* An eighth above stays free, so that bands do not fuse; what is there at all is seen. */
static void draw_column(const struct band *band, int x)
{
	struct plot_part parts[STACKED];
	double least = 1.0 / (EIGHTHS * band->rect.h);

	draw_missing(band, x);
	for (int i = 0; i < STACKED; i++) {
		double share = band_share(band, inks[i].stand, x) * (1 - least);

		if (isnan(share))
			return;
		parts[i] = (struct plot_part) {share > 1e-6 ? fmax(share, least) : 0, inks[i].glyph,
					       inks[i].colour};
	}
	plot_stack(band->list->canvas, band->rect, band->rect.x + x, parts, STACKED);
}

/* How many of how many were created; where that is too long, how many. */
static void draw_figure(const struct band *band)
{
	const struct view_list *l = band->list;
	char text[TEXT];

	snprintf(text, sizeof(text), "%s/%s", UNITS_COUNT(band->created), UNITS_COUNT(band->tasks));
	if (utf8_columns(text) >= l->right)
		snprintf(text, sizeof(text), "%s", UNITS_COUNT(band->created));
	canvas_right(l->canvas, l->axis.x + l->axis.w + l->right, band->rect.y,
		     STYLE(COLOUR_DEFAULT), text);
}

static void draw_band(const struct band *band, int x)
{
	const struct view_list *l = band->list;
	char name[TEXT];

	if (band->first == band->last)
		snprintf(name, sizeof(name), "level %u", band->first + 1);
	else
		snprintf(name, sizeof(name), "1–%u", band->last + 1);
	canvas_text(l->canvas, x, band->rect.y, l->axis.x - x - 1, STYLE_BOLD(COLOUR_DEFAULT),
		    name);
	if (band->rect.h > 1)
		canvas_text(l->canvas, x, band->rect.y + 1, l->axis.x - x - 1, STYLE(COLOUR_DIM),
			    UNITS_COUNT(band->tasks));
	for (int column = 0; column < band->rect.w; column++)
		draw_column(band, column);
	draw_figure(band);
}

void view_bands_draw(const struct view_list *list, struct rect rect)
{
	const struct plan *plan = &list->tree->plan;
	struct band band = {.list = list, .bands = view_rows_levels(list, true)};
	int n = MIN((int)plan->levels, rect.h);
	uint32_t merged = plan->levels - (uint32_t)MAX(n, 0);

	if (n < 1 || !band.bands)
		return;
	for (int i = 0; i < n; i++) {
		int from = rect.h * i / n, to = rect.h * (i + 1) / n;

		band.first = i ? merged + (uint32_t)i : 0;
		band.last = merged + (uint32_t)i;
		band.rect =
			(struct rect) {list->axis.x, rect.y + from, band.bands->key.w, to - from};
		band.tasks = band.created = 0;
		for (uint32_t level = band.first; level <= band.last; level++) {
			uint32_t count;

			plan_level(plan, level, &count);
			band.tasks += count;
			band.created += band.bands->created[level];
		}
		draw_band(&band, rect.x);
	}
}

static int legend_w(bool brief)
{
	int w = 0;

	for (size_t i = 0; i < INKS; i++)
		w += utf8_columns(brief ? inks[i].brief : inks[i].name) + 4;
	return w;
}

int view_bands_legend(struct canvas *canvas, int x, int y, int w)
{
	bool brief = legend_w(false) > w, narrow = legend_w(true) > w;
	struct view_legend list[INKS];
	size_t n = 0;

	/* What is not there yet is missed least. */
	for (size_t i = 0; i < INKS; i++)
		if (!narrow || inks[i].stand != STAND_MISSING)
			list[n++] = (struct view_legend) {{inks[i].glyph, inks[i].colour},
							  brief ? inks[i].brief : inks[i].name};
	return view_legend_draw(canvas, x, y, w, list, n);
}

int view_bands_name_w(const struct plan *plan)
{
	return plan->levels > 9 ? 8 : 7;
}
