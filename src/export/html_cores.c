/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "report/report.h"
#include "svg.h"

#define RUNS_H	  13
#define MANY	  8 /* cores that still get a plot of their own */
#define PLOT_H	  34
#define PLOT_STEP 42
#define SPLITS	  4

/* The mean load over a step of the session's time. */
struct step {
	double split[SPLITS]; /* sums of user, system, I/O wait, steal in 0.1 % */
	unsigned known;
};

struct cores {
	struct svg_scale scale;
	struct step (*steps)[SVG_COLUMNS]; /* of each core */
};

static const char *const styles[SPLITS] = {"user", "system", "iowait", "steal"};

static void add_load(struct step *step, const struct sample_core *load)
{
	if (load->user < 0 || load->system < 0)
		return;
	step->split[0] += load->user;
	step->split[1] += load->system;
	step->split[2] += fmax(0, load->iowait);
	step->split[3] += fmax(0, load->steal);
	step->known++;
}

static int column_at(const struct cores *cores, int64_t time_ns)
{
	double column = (double)time_ns / cores->scale.high * SVG_COLUMNS;

	return (int)fmax(0, fmin(SVG_COLUMNS - 1, column));
}

/* A load is that of the time since the tick before: it fills all steps in between. */
static void read_row(struct cores *cores, const struct model *model, size_t row)
{
	int64_t from_ns = row > 0 ? model->loads[row - 1].time_ns : 0;
	int first = column_at(cores, from_ns), last = column_at(cores, model->loads[row].time_ns);

	for (uint32_t core = 0; core < model->n_cores; core++)
		for (int i = first; i <= last; i++)
			add_load(&cores->steps[core][i],
				 &model->cores[row * model->n_cores + core]);
}

static int read_cores(struct cores *cores, const struct model *model)
{
	long last = model_load_at(model, model->now_ns);

	cores->steps = calloc(model->n_cores, sizeof(*cores->steps));
	if (!cores->steps)
		return -ENOMEM;
	for (long row = 0; row <= last; row++)
		read_row(cores, model, (size_t)row);
	return 0;
}

/* The share of all kinds below `splits`, 0 … 1; NaN: not known. */
static double share(const struct step *step, int splits)
{
	double sum = 0;

	for (int i = 0; i < splits; i++)
		sum += step->split[i];
	return step->known ? fmin(1, sum / step->known / 1000) : NAN;
}

/* Draws each kind on top of those below it, as steps. */
static void draw_split(struct html *html, const struct cores *cores, uint32_t core, int split,
		       double bottom)
{
	svg_path(html, "%s", styles[split]);
	for (int i = 0; i < SVG_COLUMNS; i++) {
		const struct step *step = &cores->steps[core][i];
		double low = share(step, split), high = share(step, split + 1);

		if (!isnan(high) && high - low > 0.004)
			svg_block(html, svg_column(&cores->scale, i), bottom - high * PLOT_H,
				  cores->scale.w / SVG_COLUMNS + 0.05, (high - low) * PLOT_H);
	}
	svg_path_end(html);
}

static void write_mean(struct html *html, const struct cores *cores, uint32_t core, double y)
{
	double sum = 0;
	unsigned n = 0;

	for (int i = 0; i < SVG_COLUMNS; i++) {
		if (!cores->steps[core][i].known)
			continue;
		sum += share(&cores->steps[core][i], 2);
		n++;
	}
	if (n == 0)
		svg_text(html, "end", SVG_WIDTH, y, "?");
	else
		svg_text(html, "end", SVG_WIDTH, y, "%ld %%", lround(sum / n * 100));
}

static void draw_core(struct html *html, const struct cores *cores, uint32_t core, double y)
{
	svg_text(html, "", 0, y + PLOT_H / 2.0 + 4, "core %d", html->model->cores[core].cpu);
	svg_line(html, "grid", cores->scale.x, y, cores->scale.x + cores->scale.w, y);
	for (int split = 0; split < SPLITS; split++)
		draw_split(html, cores, core, split, y + PLOT_H);
	svg_line(html, "base", cores->scale.x, y + PLOT_H, cores->scale.x + cores->scale.w,
		 y + PLOT_H);
	write_mean(html, cores, core, y + PLOT_H / 2.0 + 4);
}

static unsigned shade_of(const void *arg, uint32_t core, int column)
{
	const struct cores *cores = arg;
	double busy = share(&cores->steps[core][column], 2);

	return isnan(busy) || busy < 0.02 ? 0 : (unsigned)fmin(SVG_SHADES, 1 + busy * SVG_SHADES);
}

/* Draws one row a core, the darker the busier. */
static void draw_heat(struct html *html, const struct cores *cores, double y, double h)
{
	uint32_t n = html->model->n_cores;
	const struct svg_shades shades = {"user", &cores->scale, n, y, h, h - 1, shade_of, cores};
	double labelled = -1;

	for (uint32_t core = 0; core < n; core++) {
		bool offline = true;

		for (int i = 0; i < SVG_COLUMNS && offline; i++)
			offline = !cores->steps[core][i].known;
		if (offline)
			svg_text(html, "tick", cores->scale.x + cores->scale.w + 5,
				 y + core * h + h / 2 + 4, "? not known");
		if (core > 0 && y + core * h - labelled < 11)
			continue;
		labelled = y + core * h;
		svg_text(html, "tick end", SVG_LABELS - 5, labelled + h / 2 + 4, "core %d",
			 html->model->cores[core].cpu);
	}
	svg_shades(html, &shades);
}

/* Draws which run went on when. */
static void draw_runs(struct html *html, const struct cores *cores)
{
	const struct model *model = html->model;
	char style[16];

	svg_text(html, "", 0, RUNS_H - 2, "runs");
	for (size_t i = 0; i < model->n_runs && model->runs[i].begin_ns <= model->now_ns; i++) {
		const struct model_run *run = &model->runs[i];
		double x = svg_at(&cores->scale, (double)run->begin_ns);
		double w = svg_at(&cores->scale,
				  (double)run->begin_ns + (double)html_span(html, run)) -
			   x;

		html_mixed(html, "<g><title>", HTML_CASE(html, run->id.case_id), ", ",
			   HTML_TRIAL(html, run), "</title>", NULL);
		snprintf(style, sizeof(style), "m%u", html_hue(html, run->id.case_id));
		svg_rect(html, style, x, 0, fmax(w, 0.8), RUNS_H);
		if (w > 14)
			svg_text(html, "onbar mid", x + w / 2, RUNS_H - 3, "%u", run->id.trial);
		html_put(html, "</g>");
	}
	html_put(html, "\n");
}

static void draw(struct html *html, const struct cores *cores)
{
	uint32_t n = html->model->n_cores;
	bool many = n > MANY;
	double h = many ? fmax(4, fmin(12, 420.0 / n)) : PLOT_STEP;
	double y = RUNS_H + 7, height = n * h;

	svg_open(html, y + height + SVG_AXIS, "Load of each core over the session",
		 many ? "Above, which run went on when. Below, a row for each core, the darker the "
			"busier it was."
		      : "Above, which run went on when. Below, for each core its shares of user, "
			"system, I/O wait and stolen time on top of one another; at the right, its "
			"mean load.");
	svg_axis_x(html, &cores->scale, SVG_TIME, y - 4, height + 4);
	draw_runs(html, cores);
	for (uint32_t core = 0; core < n && !many; core++)
		draw_core(html, cores, core, y + core * h);
	if (many)
		draw_heat(html, cores, y, h);
	svg_close(html);
}

static void write_caption(struct html *html, bool many)
{
	html_put(html, "<figcaption>Over the whole session, one core being 100 %%. Numbers in the "
		       "first row are trials, coloured by model. ");
	if (many)
		html_put(html, "The darker, the busier; nothing where it is idle.");
	else
		for (int i = 0; i < SPLITS; i++)
			html_swatch(html, styles[i], i == 2 ? "I/O wait" : styles[i]);
	html_put(html, "</figcaption>\n");
}

/* The cost of the measuring itself, of one core, while runs went on. */
static void write_own_cost(struct html *html)
{
	char text[SAMPLE_TEXT];

	report_own_cost(html->model, text, sizeof(text));
	if (!*text)
		return;
	html_put(html, "<p class=\"note\">");
	html_put(html, "%c", toupper((unsigned char)*text));
	html_text(html, text + 1);
	html_put(html, "%s.</p>\n",
		 html->model->lost ? "; ticks that had to be skipped are left out" : "");
}

int html_cores(struct html *html)
{
	const struct model *model = html->model;
	struct cores cores = {.scale = {.high = (double)model->now_ns,
					.x = SVG_LABELS,
					.w = SVG_WIDTH - SVG_LABELS - 60}};
	int err;

	if (model->n_cores == 0 || model->now_ns <= 0)
		return 0;
	err = read_cores(&cores, model);
	if (!err) {
		html_section(html, "Cores");
		html_put(html, "<figure>");
		write_caption(html, model->n_cores > MANY);
		draw(html, &cores);
		html_put(html, "</figure>\n");
		write_own_cost(html);
		html_put(html, "</section>\n");
	}
	free(cores.steps);
	return err;
}
