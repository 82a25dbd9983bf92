/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <math.h>

#include "report/csv_row.h"
#include "svg.h"
#include "typical.h"

#define PANELS 4
#define PLOT_Y 24
#define PLOT_H 130
#define GAP    14

/* One measure of all runs over time. */
struct panel {
	const char *title;
	enum model_metric metric;
};

static const struct panel panels[PANELS] = {
	{"RSS, summed as by top", METRIC_RSS},
	{"PSS, shared pages split", METRIC_PSS},
	{"USS, pages of its own", METRIC_USS},
	{"kernel: tables, stacks, slab", METRIC_KERNEL},
};

/* The scales that all panels share. */
static void find_scales(const struct html *html, struct svg_scale *x, struct svg_scale *y)
{
	const struct model_run *run = NULL;
	double most = 0;

	while ((run = csv_row_next_run(html->model, run)) != NULL) {
		x->high = fmax(x->high, (double)html_length(html, run));
		for (size_t j = 0; j < run->n_points; j++)
			for (int k = 0; k < PANELS; k++)
				most = fmax(most,
					    metric_kib(&run->points[j].memory, panels[k].metric));
	}
	y->high = most > 0 ? svg_round_up(most, SVG_KIB) : 0;
}

/* A line that is being drawn. */
struct line {
	bool drawn;	/* something of this part of it: the next point goes on from there */
	int step;	/* of the pending point, half a unit wide; -1: none is pending */
	double x, most; /* the pending point: the most of all in that step */
};

static void line_flush(struct html *html, struct line *line, const struct svg_scale *y)
{
	if (line->step < 0)
		return;
	svg_to(html, !line->drawn, line->x, svg_at(y, line->most));
	if (!line->drawn)
		html_put(html, "h.01"); /* with round ends a point of its own is a dot */
	line->drawn = true;
	line->step = -1;
}

/* The highest of the points that would lie on one another is drawn: there may be a million. */
static void line_add(struct html *html, struct line *line, double x, double value,
		     const struct svg_scale *y)
{
	int step = (int)(x * 2);

	if (step != line->step) {
		line_flush(html, line, y);
		*line = (struct line) {line->drawn, step, x, value};
	}
	line->most = fmax(line->most, value);
}

/* The line goes through known values, with a gap where there is none. */
static void draw_run(struct html *html, const struct panel *panel, const struct model_run *run,
		     const struct svg_scale *x, const struct svg_scale *y, bool typical)
{
	struct line line = {.step = -1};

	svg_path(html, "curve l%u%s", html_hue(html, run->id.case_id), typical ? "" : " faint");
	for (size_t i = 0; i < run->n_points; i++) {
		const struct model_point *point = &run->points[i];
		double value = metric_kib(&point->memory, panel->metric);

		if (point->time_ns > html->model->now_ns)
			break;
		if (!isnan(value)) {
			line_add(html, &line, svg_at(x, (double)(point->time_ns - run->begin_ns)),
				 value, y);
		} else {
			line_flush(html, &line, y);
			line.drawn = false;
		}
	}
	line_flush(html, &line, y);
	svg_path_end(html);
}

static void draw_runs(struct html *html, const struct panel *panel, const struct svg_scale *x,
		      const struct svg_scale *y)
{
	const struct model_run *run = NULL;

	while ((run = csv_row_next_run(html->model, run)) != NULL)
		if (run != typical_run(html->model, run->id.case_id))
			draw_run(html, panel, run, x, y, false);
	for (uint32_t case_id = 0; case_id < html->model->n_cases; case_id++)
		if ((run = typical_run(html->model, case_id)) != NULL)
			draw_run(html, panel, run, x, y, true);
}

static void draw_panels(struct html *html, struct svg_scale *x, struct svg_scale *y)
{
	double left = 56, w = (SVG_WIDTH - left - (PANELS - 1) * GAP) / PANELS;

	for (int i = 0; i < PANELS; i++) {
		x->x = left + i * (w + GAP);
		x->w = w - 14;
		svg_text(html, "strong", x->x, 13, "%s", panels[i].title);
		if (i == 0)
			svg_axis_y(html, y, SVG_KIB, left, SVG_WIDTH - left - 14);
		svg_axis_x(html, x, SVG_TIME, PLOT_Y, PLOT_H);
		draw_runs(html, &panels[i], x, y);
	}
}

/* In either way, PSS or the kernel's share. */
static bool any_estimated(const struct model *model, bool kernel)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct sample_memory *memory = &model->runs[i].totals.memory;

		if (model_ended(model, &model->runs[i]) &&
		    (kernel ? memory->kernel_estimated : memory->estimated))
			return true;
	}
	return false;
}

int html_memory(struct html *html)
{
	struct svg_scale x = {0}, y = {.x = PLOT_Y + PLOT_H, .w = -PLOT_H};

	find_scales(html, &x, &y);
	if (!(x.high > 0) || !(y.high > 0))
		return 0;
	html_section(html, "Memory over time");
	html_models(html);
	html_put(html,
		 "<figure><figcaption>All four on one scale, over the time since a run's "
		 "begin. Strong: the trial nearest to the median time; faint: the others; a "
		 "gap: not known.%s%s</figcaption>\n",
		 any_estimated(html->model, false)
			 ? " PSS is extrapolated from some of the processes where there are many."
			 : "",
		 any_estimated(html->model, true)
			 ? " Slab in the kernel's share is an estimate by what idle tasks took "
			   "before the session."
			 : "");
	svg_open(html, PLOT_Y + PLOT_H + SVG_AXIS, "Memory of the models over time",
		 "Four plots with a line for each run: RSS summed over processes, PSS, USS, and "
		 "the kernel's own share. The peaks are in the table of the results.");
	draw_panels(html, &x, &y);
	svg_close(html);
	html_put(html, "</figure></section>\n");
	return 0;
}
