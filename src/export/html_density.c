/* SPDX-License-Identifier: MIT */
#include "html_lanes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/plan.h"
#include "base/units.h"

#define BRANCH_ROWS 24
#define ALIVE_H	    110
#define BRANCH_H    13

/* How many workers are alive on average in each step of time, in each of some groups. */
struct density {
	uint32_t rows;
	double (*alive)[SVG_COLUMNS];
	double peak; /* of any row; of their sum where they are stacked */
};

static int density_init(struct density *density, uint32_t rows)
{
	*density = (struct density) {.rows = rows, .alive = calloc(rows, sizeof(*density->alive))};
	return density->alive ? 0 : -ENOMEM;
}

/* Adds one life; times in columns. */
static void density_add(struct density *density, uint32_t row, double from, double to)
{
	from = fmax(0, fmin(SVG_COLUMNS, from));
	to = fmax(from, fmin(SVG_COLUMNS, to));
	for (int i = (int)from; i < SVG_COLUMNS && i < to; i++)
		density->alive[row][i] += fmin(to, i + 1) - fmax(from, i);
}

static double to_column(const struct timeline *line, int64_t time_ns)
{
	return (double)time_ns / line->scale.high * SVG_COLUMNS;
}

/* The branch of level 0 that the worker belongs to. */
static uint32_t branch_of(const struct plan *plan, uint32_t index)
{
	struct plan_node node;

	plan_node(plan, index, &node);
	while (node.parent != PLAN_ROOT) {
		index = node.parent;
		plan_node(plan, index, &node);
	}
	return index;
}

static void count(const struct html *html, const struct timeline *line, struct density *levels,
		  struct density *branches)
{
	uint32_t in_row = (line->plan->fanout[0] + branches->rows - 1) / branches->rows;
	int64_t from_ns, to_ns;
	struct plan_node node;

	for (uint32_t i = 0; i < line->run->n_workers; i++) {
		double from, to;

		if (!timeline_life(html, line, i, &from_ns, &to_ns))
			continue;
		from = to_column(line, from_ns);
		to = to_column(line, to_ns);
		plan_node(line->plan, i, &node);
		density_add(levels, node.level, from, to);
		density_add(branches, branch_of(line->plan, i) / in_row, from, to);
	}
}

/* The sum of the levels up to row. */
static double stacked(const struct density *levels, uint32_t rows, int column)
{
	double sum = 0;

	for (uint32_t row = 0; row < rows; row++)
		sum += levels->alive[row][column];
	return sum;
}

static void find_peaks(struct density *levels, struct density *branches)
{
	for (int i = 0; i < SVG_COLUMNS; i++) {
		levels->peak = fmax(levels->peak, stacked(levels, levels->rows, i));
		for (uint32_t row = 0; row < branches->rows; row++)
			branches->peak = fmax(branches->peak, branches->alive[row][i]);
	}
}

/* The area between the levels below and this one on top of them, as steps. */
static void draw_level(struct html *html, const struct timeline *line, const struct density *levels,
		       uint32_t level, const struct svg_scale *y)
{
	unsigned shade = SVG_SHADES - (levels->rows - 1 - level) * 2;

	if (levels->rows > 2)
		shade = 1 + level * (SVG_SHADES - 1) / (levels->rows - 1);
	svg_path(html, "m%u a%u", html_hue(html, line->run->id.case_id), shade);
	for (int i = 0; i < SVG_COLUMNS; i++) {
		double top = svg_at(y, stacked(levels, level + 1, i));

		svg_to(html, i == 0, svg_column(&line->scale, i), top);
		svg_to(html, false, svg_column(&line->scale, i + 1), top);
	}
	for (int i = SVG_COLUMNS; i-- > 0;) {
		double bottom = svg_at(y, stacked(levels, level, i));

		svg_to(html, false, svg_column(&line->scale, i + 1), bottom);
		svg_to(html, false, svg_column(&line->scale, i), bottom);
	}
	html_put(html, "z");
	svg_path_end(html);
}

static void draw_alive(struct html *html, const struct timeline *line, const struct density *levels)
{
	struct svg_scale y = {0, svg_round_up(levels->peak, SVG_COUNT), 6 + ALIVE_H, -ALIVE_H};

	svg_axis_y(html, &y, SVG_COUNT, line->scale.x, line->scale.w);
	for (uint32_t level = 0; level < levels->rows; level++)
		draw_level(html, line, levels, level, &y);
	svg_text(html, "strong", 0, 18, "alive");
	svg_text(html, "small", 0, 32, "of %s", UNITS_COUNT(line->run->n_workers));
	if (model_ended(html->model, line->run)) {
		svg_text(html, "strong end", SVG_WIDTH, 18, "%s",
			 UNITS_COUNT(line->run->totals.peak_alive));
		svg_text(html, "small end", SVG_WIDTH, 32, "at the peak");
	}
}

static unsigned shade_of(const void *arg, uint32_t row, int column)
{
	const struct density *branches = arg;
	double alive = branches->alive[row][column];

	if (!(alive > 0))
		return 0;
	return (unsigned)fmin(SVG_SHADES, 1 + floor(alive / branches->peak * SVG_SHADES));
}

static void draw_branches(struct html *html, const struct timeline *line,
			  const struct density *branches, double y)
{
	uint32_t first = line->plan->fanout[0];
	uint32_t in_row = (first + branches->rows - 1) / branches->rows;
	char style[8];
	const struct svg_shades shades = {style,    &line->scale, branches->rows, y + 1,
					  BRANCH_H, BRANCH_H - 2, shade_of,	  branches};

	snprintf(style, sizeof(style), "m%u", html_hue(html, line->run->id.case_id));
	for (uint32_t row = 0; row < branches->rows; row++) {
		uint32_t from = row * in_row + 1, to = from + in_row - 1;

		if (from > first)
			break;
		svg_text(html, "tick end", SVG_LABELS - 5, y + row * BRANCH_H + 10,
			 in_row > 1 ? "%u – %u" : "%u", from, to < first ? to : first);
	}
	svg_shades(html, &shades);
}

/* The lanes of levels and cores, where they are known. */
static int draw_lanes(struct html *html, const struct timeline *line, double y)
{
	html_core_lanes(html, line,
			y + HTML_LANES_HEAD + line->plan->levels * (double)HTML_LANES_PITCH);
	return html_level_lanes(html, line, y);
}

static double lanes_height(const struct timeline *line)
{
	if (html_lanes_count(line) == 0)
		return 0;
	return HTML_LANES_HEAD + line->plan->levels * (double)HTML_LANES_PITCH +
	       html_core_lanes_height(line);
}

static int draw(struct html *html, const struct timeline *line, const struct density *levels,
		const struct density *branches)
{
	double rows_y = ALIVE_H + 18, height = branches->rows * BRANCH_H;
	double lanes = lanes_height(line);
	int err = 0;

	svg_open(html, rows_y + height + lanes + SVG_AXIS, "Workers alive over time",
		 "Above, how many workers exist at each time, one shade for each level of the "
		 "tree. Below, a row for each branch, the darker the more of it is alive; then, "
		 "where it is known, a row for each level with its share of the cores, and one for "
		 "each core.");
	svg_axis_x(html, &line->scale, SVG_TIME, 6, rows_y + height + lanes - 6);
	draw_alive(html, line, levels);
	svg_text(html, "strong", 0, rows_y + 10, "branch");
	draw_branches(html, line, branches, rows_y);
	if (lanes > 0)
		err = draw_lanes(html, line, rows_y + height);
	svg_close(html);
	return err;
}

int html_density(struct html *html, const struct timeline *line)
{
	uint32_t first = line->plan->fanout[0];
	struct density levels = {0}, branches = {0};
	int err = density_init(&levels, line->plan->levels);

	if (!err)
		err = density_init(&branches, first < BRANCH_ROWS ? first : BRANCH_ROWS);
	if (!err) {
		count(html, line, &levels, &branches);
		find_peaks(&levels, &branches);
		err = draw(html, line, &levels, &branches);
	}
	free(levels.alive);
	free(branches.alive);
	return err;
}
