/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "base/units.h"

enum { CASES = 4, PLOTS = 4 };

/* The meaning of each measure, and when it lies; the brief one where there is little room. */
static const struct measure {
	enum model_metric which;
	const char *title, *brief, *about;
} measures[PLOTS] = {
	{METRIC_RSS, "RSS, summed", "shared pages count once per process",
	 "What top shows. A shared page counts once per process: too much for processes, right for "
	 "threads."},
	{METRIC_PSS, "PSS, proportional", "shared pages are divided",
	 "A shared page is divided among those that map it: the fair sum, but without the kernel's "
	 "share."},
	{METRIC_USS, "USS, private", "pages no other process maps",
	 "Pages no other process maps: what would come back if it ended. Leaves out all that is "
	 "shared."},
	{METRIC_KERNEL, "kernel: tables, stacks, slab", "tables, stacks, slab: in none else",
	 "Page tables, kernel stacks, slab: in none of the others, and it grows with every "
	 "process."},
};

struct plots {
	struct canvas *canvas;
	const struct model *model;
	const struct view_state *state;
	struct view_shown *shown;
	uint32_t first, end;	       /* of the cases shown */
	const struct variables *value; /* of a sweep, which all of those have; NULL */
};

/* Said once in the title where the cases shown are not all and differ in their models alone. */
static const struct variables *memory_value(const struct plots *p)
{
	const struct variables *value;

	if (p->end - p->first >= p->model->n_cases)
		return NULL;
	value = &p->model->cases[p->first].variables;
	if (value->n == 0)
		return NULL;
	for (uint32_t i = p->first; i < p->end; i++)
		if (!variables_equal(&p->model->cases[i].variables, value))
			return NULL;
	return value;
}

/* The newest run, or of runs too short to read it the newest that was read. */
static const struct model_run *memory_run(const struct plots *p, uint32_t case_id,
					  enum model_metric which)
{
	const struct model_run *latest = model_latest(p->model, case_id);

	if (!latest || !view_memory_unknown(p->model, latest, which))
		return latest;
	for (const struct model_run *run = latest; run-- > p->model->runs;)
		if (run->id.case_id == case_id && !isnan(metric_kib(&run->totals.memory, which)))
			return run;
	return latest;
}

/*
 * The legend "threads peak 2.1 MiB processes 3.4 MiB", each in its hue, on the lines it needs.
 * Returns how many.
 */
static int memory_legend(const struct plots *p, struct rect rect, enum model_metric which)
{
	static const char *const words[SEEN_WAYS] = {
		[SEEN_START] = "", /* its ≥ says it */
		[SEEN_SAMPLED] = "sampled ",
		[SEEN_PEAK] = "peak ",
		[SEEN_PEAKS] = "peaks ",
	};
	bool many = p->end - p->first > 2;
	bool narrow = rect.w < 50;
	int x = rect.x, line = 0;

	for (uint32_t i = p->first; i < p->end; i++) {
		const struct model_run *run = memory_run(p, i, which);
		/* as short as what the cases shown have in common lets it be */
		const char *name =
			p->value ? p->model->cases[i].model : MODEL_CASE_NAME(p->model, i);
		char figure[48] = "not yet";
		struct style hue = STYLE(view_hue(p->model, i));
		int w;

		/* The reason stands below, once for all that have none. */
		if (run && many && view_memory_unknown(p->model, run, which))
			continue;
		if (run) {
			struct sample_memory memory = view_memory_of(p->model, run);
			int seen = metric_seen(&memory, which);

			snprintf(figure, sizeof(figure), "%s%s",
				 !model_ended(p->model, run) || narrow
					 ? ""
					 : words[seen < 0 ? SEEN_SAMPLED : seen],
				 VIEW_MEMORY_FIGURE(&memory, which));
		}
		w = (narrow ? 0 : 2) + utf8_columns(name) + 1 + utf8_columns(figure);
		if (x > rect.x && x + w > rect.x + rect.w) {
			x = rect.x;
			line++;
		}
		if (line == rect.h || x + w > rect.x + rect.w)
			break;
		if (!narrow)
			canvas_put(p->canvas, x, rect.y + line, view_shape(p->model, i), hue);
		x += narrow ? 0 : 2;
		x = canvas_text(p->canvas, x, rect.y + line, -1, hue, name);
		x = canvas_text(p->canvas, x + 1, rect.y + line, -1, STYLE(COLOUR_DEFAULT), figure);
		view_zone_case(p->shown, (struct rect) {x - w, rect.y + line, w, 1}, i);
		x += narrow ? 2 : 3;
	}
	return line < rect.h && x > rect.x ? line + 1 : line;
}

/* The room for names at the ends of lines: that of shapes alone where names distinguish nothing. */
static int memory_ends(const struct plots *p, int w)
{
	int most = 0;

	for (uint32_t i = p->first; i < p->end; i++) {
		most = MAX(most, utf8_columns(p->model->cases[i].model));
		if (i > p->first && model_first_alike(p->model, i) < i)
			return 2;
	}
	return w < 50 || most > 12 ? 2 : most + 3;
}

/* The name of a line in the row where it ends, or in the nearest free one. */
static void memory_end(const struct plots *p, struct rect ends, uint32_t i, int row, uint64_t *used)
{
	struct style hue = STYLE_BOLD(view_hue(p->model, i));
	const int rows = MIN(ends.h, 64), wanted = row - ends.y;
	int at = wanted, step = 0;

	/* below it, above it, two below it, ... */
	while (at < 0 || at >= rows || *used >> at & 1) {
		if (++step > 2 * rows)
			return;
		at = step & 1 ? wanted + (step + 1) / 2 : wanted - step / 2;
	}
	*used |= UINT64_C(1) << at;
	canvas_put(p->canvas, ends.x, ends.y + at, view_shape(p->model, i), hue);
	if (ends.w > 2)
		canvas_text(p->canvas, ends.x + 2, ends.y + at, ends.w - 2, hue,
			    p->model->cases[i].model);
	view_zone_case(p->shown, (struct rect) {ends.x, ends.y + at, ends.w, 1}, i);
}

static void memory_lines(const struct plots *p, struct rect plot, const struct plot_axis *axis,
			 enum model_metric which, int64_t top, int ends_w)
{
	struct rect ends = {plot.x + plot.w + 1, plot.y, ends_w - 1, plot.h};
	double y[PLOT_DOTS];
	uint64_t used = 0;

	plot_grid(p->canvas, axis, plot.y, plot.h);
	for (uint32_t i = p->first; i < p->end; i++) {
		const struct model_run *run = memory_run(p, i, which);
		double last = NAN, most = 0, peak = NAN;
		struct sample_memory memory;
		int row;

		if (!run)
			continue;
		view_series(p->model, run, axis, which, y);
		memory = view_memory_of(p->model, run);
		if (model_ended(p->model, run))
			peak = metric_kib(&memory, which);
		for (int j = 0; j < 2 * plot.w && j < PLOT_DOTS; j++)
			most = fmax(most, y[j]);
		row = plot_line_row(plot, peak, (double)top);
		if (row >= plot.y && row < plot_line_row(plot, most, (double)top)) {
			canvas_hline(p->canvas, plot.x, row, plot.w, 0x2504,
				     STYLE(view_hue(p->model, i)));
			canvas_text(p->canvas, plot.x + 1, row, plot.w - 1,
				    STYLE(view_hue(p->model, i)), " peak ");
		}
		plot_line(p->canvas, plot, y, (double)top, STYLE(view_hue(p->model, i)));
		for (int j = 0; j < 2 * plot.w && j < PLOT_DOTS; j++)
			last = isnan(y[j]) ? last : y[j];
		row = plot_line_row(plot, last, (double)top);
		if (row >= 0)
			memory_end(p, ends, i, row, &used);
	}
}

/* The reason of the first run that lacks the measure, and how many have it, or may still. */
static const struct view_unknown *memory_unknown(const struct plots *p, enum model_metric which,
						 uint32_t *n_known)
{
	const struct view_unknown *unknown = NULL;

	*n_known = 0;
	for (uint32_t i = p->first; i < p->end; i++) {
		const struct model_run *run = memory_run(p, i, which);
		const struct view_unknown *why =
			run ? view_memory_unknown(p->model, run, which) : NULL;

		*n_known += !why;
		unknown = unknown ? unknown : why;
	}
	return unknown;
}

/* A line for each model, if all fit; 0: not known. In little room they are in the title's order. */
static int memory_parts(const struct plots *p, struct rect rect)
{
	const enum model_metric which = METRIC_KERNEL;

	static const char *const words[][3] = {
		{"page tables ", ", stacks ", ", slab and other "},
		{"tables ", ", stacks ", ", slab "},
		{"", " + ", " + "},
	};
	const char *const *word = words[rect.w >= 66 ? 0 : rect.w >= 50 ? 1 : 2];
	int lines = 0;

	if ((int)(p->end - p->first) > rect.h)
		return 0;
	for (uint32_t i = p->first; i < p->end; i++) {
		const struct model_run *run = memory_run(p, i, which);
		struct sample_memory memory;
		char text[128];

		if (run)
			memory = view_memory_of(p->model, run);
		if (!run || memory.kernel_kb < 0)
			continue;
		/* "page tables 4.2 MiB, stacks 16.3 MiB, slab and other ~6.7 MiB" */
		snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", word[0],
			 UNITS_KIB(memory.kernel_tables_kb), word[1],
			 UNITS_KIB(memory.kernel_stacks_kb), word[2],
			 memory.kernel_estimated ? "~" : "", UNITS_KIB(memory.kernel_other_kb));
		view_mark_name(p->canvas, (struct rect) {rect.x, rect.y + lines++, rect.w, 1},
			       p->model, i, text);
	}
	return lines;
}

/* Explains the figures or, more urgent, why one is missing. Returns the lines it took. */
static int memory_explain(const struct plots *p, struct rect rect, const struct measure *measure,
			  const struct view_unknown *unknown, uint32_t n_known)
{
	bool fits = text_lines(measure->about, rect.w) <= rect.h;
	char why[80];
	int parts = unknown || measure->which != METRIC_KERNEL ? 0 : memory_parts(p, rect);

	if (parts > 0)
		return parts;
	if (!unknown)
		return text_draw(p->canvas, rect, STYLE(COLOUR_DIM),
				 fits ? measure->about : measure->brief);
	snprintf(why, sizeof(why), "%s? %s",
		 n_known > 0 && p->end - p->first > 2 && rect.w >= 50 ? "others " : "",
		 unknown->text);
	return text_draw(p->canvas, rect, STYLE(COLOUR_DEFAULT), why);
}

enum { SCALE_W = 9 };

static void memory_plot(const struct plots *p, struct rect box, const struct measure *measure)
{
	enum model_metric which = measure->which;
	struct rect inner = {box.x + 2, box.y + 1, box.w - 4, box.h - 2};
	struct rect legend = inner, text = inner;
	int ends_w = memory_ends(p, inner.w);
	struct rect plot = {inner.x + SCALE_W, inner.y + 1, inner.w - SCALE_W - ends_w,
			    inner.h - 2};
	struct plot_axis axis = view_axis(p->model, p->state, p->first, p->end, plot.x, plot.w);
	int64_t top = view_memory_top(p->model, p->first, p->end, which);
	int cases = (int)(p->end - p->first), about = inner.h >= 12 ? 2 : inner.h >= 5;
	uint32_t n_known;
	const struct view_unknown *unknown = memory_unknown(p, which, &n_known);
	char note[VARIABLES_TEXT];

	canvas_box(p->canvas, box, STYLE(which == p->state->memory ? COLOUR_TITLE : COLOUR_BORDER),
		   measure->title, STYLE_BOLD(COLOUR_TITLE),
		   p->value ? variables_format(p->value, ' ', note, sizeof(note)) : NULL);
	if (inner.h < 3 || plot.w < 4)
		return;
	/* Lines between the legend and the plot; the kernel's parts have one for each model. */
	if (which == METRIC_KERNEL && inner.h >= 8)
		about = MAX(about, MIN(cases, inner.h >= 12 ? CASES : 2));
	legend.h = 1 + about - (about > 0 && unknown);
	legend.h = memory_legend(p, legend, which);
	text.y += legend.h;
	/* Each model's parts have their line, also below a legend of two. */
	text.h = which == METRIC_KERNEL && inner.h >= 8 ? about : 1 + about - legend.h;
	if (text.h > 0)
		text.h = memory_explain(p, text, measure, unknown, n_known);
	/* An axis without a line would look like a measured 0. */
	if (n_known == 0)
		return;
	plot.y = text.y + text.h;
	plot.h = inner.y + inner.h - 1 - plot.y;
	memory_lines(p, plot, &axis, which, top, ends_w);
	canvas_right(p->canvas, plot.x - 1, plot.y, STYLE(COLOUR_DEFAULT), UNITS_KIB(top));
	if (plot.h > 1)
		canvas_right(p->canvas, plot.x - 1, plot.y + plot.h - 1, STYLE(COLOUR_DIM), "0");
	plot_time_labels(p->canvas, &axis, plot.y + plot.h, STYLE(COLOUR_DIM));
}

static void memory_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct plots p = {frame->canvas,  model, frame->state, frame->shown, 0,
			  model->n_cases, NULL};
	struct rect boxes[PLOTS];
	int n = layout_grid(rect, PLOTS, boxes), first;

	/* Of more cases than lines can be distinguished, those that compare with what runs now. */
	if (p.end > CASES)
		view_alike(frame, &p.first, &p.end);
	p.value = memory_value(&p);
	first = view_scroll_to(frame, PLOTS, n);
	for (int i = 0; i < n; i++)
		memory_plot(&p, boxes[i], &measures[first + i]);
	for (int i = 0; i < n; i++)
		view_zone_memory(p.shown, boxes[i], measures[first + i].which);
}

static const char memory_help[] =
	"#Memory\n"
	"lines\tOne for each model, in its colour. All plots share the time axis. Each has its own "
	"scale, on its left.\n"
	"gap ?\tNothing was read. tuibench does not read PSS and USS while tasks are created, "
	"because that would slow them down, and a short run may end before it can be read. -s "
	"all-alive=yes keeps the tasks of a tree alive until they have been read.\n"
	"~\tAn estimate: it was read from some of the processes only. The kernel's slab and other "
	"memory is estimated from idle tasks before the session.\n"
	"≥\tRead at the start, so the peak is at least this.\n"
	"┄┄┄\tThe peak, where it lies above every sample. The kernel keeps it for a process; "
	"peaks: the sum of those of several processes, which may not have been at one moment.\n"
	"slab ?\tNot known. The sum has page tables and stacks only.\n";

const struct view_ops view_memory = {
	.number = 3,
	.name = "Memory",
	.brief = "Mem",
	.captions =
		{"Memory over one run of each model, the newest that was read, counted in four "
		 "ways. ≥: read at its start only.",
		 "PSS divides shared pages among processes, RSS (as in top) counts them in each, "
		 "USS in none. ┄: peak above samples."},
	.help = memory_help,
	.zooms = true,
	.draw = memory_draw,
};
