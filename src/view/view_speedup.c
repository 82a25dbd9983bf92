/* SPDX-License-Identifier: MIT */
#include "view_speedup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool view_speedup_offered(const struct curve *curve)
{
	return curve->numeric && curve->n_values > 1 && strcmp(curve->name, "cores") == 0;
}

/* The interval stands in the place of the range of the trials; 2 has it drawn. */
static void take_point(struct curve_point *to, const struct model_speedup_point *from)
{
	const struct stats_interval *speedup = &from->speedup;
	bool known = !isnan(speedup->estimate), sure = known && !isnan(speedup->low);

	to->n = sure && speedup->low < speedup->high ? 2 : known;
	to->median = speedup->estimate;
	to->least = sure ? speedup->low : speedup->estimate;
	to->most = sure ? speedup->high : speedup->estimate;
}

static void take_line(struct curve *curve, uint32_t line, const struct model_speedup *speedup)
{
	for (uint32_t v = 0; v < curve->n_values; v++) {
		struct curve_point *point = &curve->point[line][v];

		*point = (struct curve_point) {point->case_id, 0, NAN, NAN, NAN};
		for (uint32_t i = 0; i < speedup->n; i++)
			if (point->case_id == (int32_t)speedup->point[i].case_id)
				take_point(point, &speedup->point[i]);
	}
}

static void add_answer(struct view_speedup *speedup, const struct model *model, uint32_t line)
{
	size_t used = strlen(speedup->answer), left = sizeof(speedup->answer) - used;
	char text[SPEEDUP_TEXT];

	if (line > 0 && speedup->line[line].amdahl.state == AMDAHL_FEW_POINTS)
		return;
	speedup_law(model, &speedup->line[line], text, sizeof(text));
	snprintf(speedup->answer + used, left, "%s%s", used ? "; " : "", text);
}

int view_speedup_read(struct view_speedup *speedup, const struct model *model,
		      const struct curve *times)
{
	speedup->curve = *times;
	speedup->curve.n_crosses = 0;
	speedup->answer[0] = '\0';
	for (uint32_t i = 0; i < times->n_lines; i++) {
		int err = model_speedup(model, times->line[i].case_id, &speedup->line[i]);

		if (err)
			return err;
		take_line(&speedup->curve, i, &speedup->line[i]);
		add_answer(speedup, model, i);
	}
	return 0;
}

double view_speedup_ideal(const struct curve *curve, uint32_t value)
{
	return curve->value[value].number / curve->value[0].number;
}

/* The ideal has room, and whoever is faster than that. */
struct scale view_speedup_scale(const struct curve *curve, bool logarithm)
{
	double least = 1, most = view_speedup_ideal(curve, curve->n_values - 1);

	for (uint32_t i = 0; i < curve->n_lines; i++)
		for (uint32_t v = 0; v < curve->n_values; v++) {
			const struct curve_point *point = &curve->point[i][v];

			if (point->median > 0) {
				least = fmin(least, point->median);
				most = fmax(most, point->median);
			}
		}
	return logarithm ? scale_log(least, most, false) : scale_from_zero(most, false);
}

/* The number of cores that half a column stands for. */
static double cores_at(const struct view_speedup_place *place, double column)
{
	const struct scale *x = place->x;
	double share = (column - place->from) / (place->to - place->from);

	return x->log ? x->low * pow(x->high / x->low, share) : x->low + share * (x->high - x->low);
}

/* How high a line is on so many cores; NaN: it is not drawn there. */
struct height {
	double (*at)(const struct height *height, double cores);
	const struct model_speedup *line; /* NULL: of the ideal */
	double fewest;
	int dash; /* so many of six half columns are drawn: it is told from others without colour */
};

static double ideal_height(const struct height *height, double cores)
{
	return cores / height->fewest;
}

/* The law holds for cores that have a worker. */
static double law_height(const struct height *height, double cores)
{
	const struct model_speedup *line = height->line;

	if (line->workers > 0 && cores > line->workers)
		return NAN;
	return amdahl_speedup(&line->amdahl, cores) / amdahl_speedup(&line->amdahl, height->fewest);
}

static void draw(const struct view_speedup_place *place, const struct height *height,
		 struct style style)
{
	double y[PLOT_DOTS];

	for (int i = 0; i < PLOT_DOTS; i++) {
		double column = place->plot.x + i / 2.0;
		bool drawn =
			column >= place->from && column <= place->to + 0.5 && i % 6 < height->dash;

		y[i] = drawn ? scale_share(place->y, height->at(height, cores_at(place, column)))
			     : NAN;
		y[i] = y[i] > 1 ? NAN : y[i];
	}
	plot_line(place->canvas, place->plot, y, 1, style);
}

void view_speedup_draw_ideal(const struct view_speedup_place *place)
{
	const struct height height = {ideal_height, NULL, place->x->low, 2};

	if (place->to > place->from)
		draw(place, &height, STYLE(COLOUR_DIM));
}

void view_speedup_draw_law(const struct view_speedup_place *place, const struct model_speedup *line,
			   struct style style)
{
	const struct height height = {law_height, line, place->x->low, 4};

	if (place->to > place->from && line->amdahl.state == AMDAHL_KNOWN)
		draw(place, &height, style);
}
