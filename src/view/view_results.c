/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <math.h>
#include <stdio.h>

#include "report/report.h"
#include "core/stats.h"
#include "draw/text.h"
#include "view_table.h"
#include "base/units.h"

enum { VALUES = 1024, NAME_LEAST = 14, GAP = 2, CELL_W = 10 };

/*
 * A page longer than the screen: the rows of the body as a canvas of its own, which clips what is
 * scrolled out.
 */
struct page {
	struct canvas canvas;
	const struct model *model;
	const struct view_state *state;
	int width, name_w;
	int y; /* of the next section, below 0 where scrolled out */
	struct table scaling;
};

static struct rect page_section(struct page *page, const char *title, const char *note, int lines)
{
	struct rect box = {0, page->y, page->width, lines + 2};

	canvas_box(&page->canvas, box, STYLE(COLOUR_BORDER), title, STYLE_BOLD(COLOUR_TITLE), NULL);
	if (note && page->width > 60)
		canvas_right(&page->canvas, page->width - 2, page->y, STYLE(COLOUR_DIM), note);
	page->y += lines + 2;
	return (struct rect) {2, box.y + 1, page->width - 4, lines};
}

static void page_name(struct page *page, struct rect inner, int y, uint32_t icase)
{
	char name[2 * SAMPLE_LABEL], fit[2 * SAMPLE_LABEL];

	model_case_name(page->model, icase, name, sizeof(name));
	canvas_text(&page->canvas, inner.x, y, page->name_w - 1,
		    STYLE_BOLD(view_hue(page->model, icase)),
		    text_fit(fit, sizeof(fit), name, page->name_w - 1));
}

/* A figure right-aligned in a column; not drawn where the column does not fit. */
static int page_cell(struct page *page, struct rect inner, int x, int y, int w, struct style style,
		     const char *text)
{
	if (x + w <= inner.x + inner.w)
		canvas_right(&page->canvas, x + w, y, style, text);
	return x + w + GAP;
}

/* The recordings that were joined, and in what they differ. */

static int results_origins_lines(const struct model *model)
{
	return model->n_origins ? 2 * (int)model->n_origins + 1 : 0;
}

static void results_origin_row(struct page *page, struct rect inner, int y,
			       const struct model_origin *origin)
{
	char machine[1024];
	int x = inner.x + page->name_w;

	canvas_text(&page->canvas, inner.x, y, page->name_w - 1, STYLE_BOLD(COLOUR_DEFAULT),
		    origin->name);
	export_machine(machine, sizeof(machine), &origin->session.machine);
	canvas_text(&page->canvas, x, y, inner.x + inner.w - x, STYLE(COLOUR_DEFAULT), machine);
	canvas_text(&page->canvas, x, y + 1, inner.x + inner.w - x, STYLE(COLOUR_DIM),
		    origin->session.options);
}

static void results_origins_draw(struct page *page)
{
	const struct model *model = page->model;
	char differences[256];
	struct rect inner;

	if (!model->n_origins)
		return;
	inner = page_section(page, "recordings", NULL, results_origins_lines(model));
	for (uint32_t i = 0; i < model->n_origins; i++)
		results_origin_row(page, inner, inner.y + 2 * (int)i, &model->origins[i]);
	export_differences(model, differences, sizeof(differences));
	canvas_text(&page->canvas, inner.x, inner.y + inner.h - 1, inner.w, STYLE(COLOUR_WARN),
		    differences);
}

/* Elapsed times: median, interval, and every trial along an axis. */

static void value_time(char *buf, size_t size, double ns)
{
	units_format_time(buf, size, isnan(ns) ? -1 : (int64_t)ns, false);
}

static size_t results_elapsed(const struct model *model, uint32_t icase, double *out)
{
	return model_trials(model, icase, model_headline(model), out, NULL, VALUES);
}

/* From the shortest to the longest, with a little air: a difference of 1 % is to be seen. */
static bool results_range(const struct model *model, double *low, double *high)
{
	double values[VALUES];

	*low = INFINITY;
	*high = 0;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		size_t n = results_elapsed(model, i, values);

		for (size_t j = 0; j < n; j++) {
			*low = fmin(*low, values[j]);
			*high = fmax(*high, values[j]);
		}
	}
	if (!(*high > 0))
		return false;
	*low = fmax(0, *low - fmax(*high - *low, *high * 0.01) * 0.1);
	*high += fmax(*high - *low, *high * 0.01) * 0.1;
	return true;
}

static int axis_cell(const struct plot_axis *axis, double ns)
{
	int x = (int)plot_column(axis, (int64_t)ns);

	return x < axis->x ? axis->x : x >= axis->x + axis->w ? axis->x + axis->w - 1 : x;
}

static void results_dots(struct page *page, const struct plot_axis *axis, int y, uint32_t icase,
			 const double *values, size_t n, const struct stats_interval *median)
{
	uint8_t hue = view_hue(page->model, icase);

	canvas_hline(&page->canvas, axis->x, y, axis->w, 0xb7, STYLE(COLOUR_BORDER));
	if (!n)
		return;
	if (!isnan(median->low)) {
		int from = axis_cell(axis, median->low), to = axis_cell(axis, median->high);

		canvas_hline(&page->canvas, from, y, to - from + 1, 0x2501, STYLE(hue));
	}
	for (size_t i = 0; i < n; i++)
		canvas_put(&page->canvas, axis_cell(axis, values[i]), y, 0x25cb, STYLE(hue));
	canvas_put(&page->canvas, axis_cell(axis, median->estimate), y, 0x25cf,
		   STYLE_BOLD(COLOUR_TITLE));
}

static void results_elapsed_row(struct page *page, struct rect inner, int y, uint32_t icase,
				const struct plot_axis *axis)
{
	double values[VALUES];
	size_t n = results_elapsed(page->model, icase, values);
	struct stats_interval median = stats_median_interval(values, n);
	char text[32], low[32], high[32], interval[80];
	int x = inner.x + page->name_w;

	page_name(page, inner, y, icase);
	value_time(text, sizeof(text), n ? median.estimate : NAN);
	value_time(low, sizeof(low), median.low);
	value_time(high, sizeof(high), median.high);
	snprintf(interval, sizeof(interval), "%s – %s", low, high);
	x = page_cell(page, inner, x, y, 9, STYLE_BOLD(COLOUR_DEFAULT), text);
	page_cell(page, inner, x, y, 19, STYLE(COLOUR_DEFAULT),
		  !n		      ? "no trial yet"
		  : isnan(median.low) ? "six trials needed"
				      : interval);
	if (axis->w > 8)
		results_dots(page, axis, y, icase, values, n, &median);
}

static const char *results_verdict(const struct model_comparison *comparison)
{
	switch (comparison->verdict) {
	case STATS_A:
	case STATS_B:
		return "real: 1 lies outside the interval";
	case STATS_NONE:
		return "none shown: 1 lies within the interval";
	case STATS_APART:
		return "medians of recordings apart: no pairs, no interval";
	default:
		return "too few pairs: six are needed";
	}
}

static void results_ratio(struct page *page, struct rect inner, int y,
			  const struct model_comparison *comparison)
{
	const struct stats_interval *r = &comparison->ratio;
	char name[2 * SAMPLE_LABEL], a[2 * SAMPLE_LABEL], b[2 * SAMPLE_LABEL];
	char ratio[4 * SAMPLE_LABEL + 32], range[64] = "";
	int x, most = (inner.w - 32) / 2;

	text_fit(a, sizeof(a), model_case_name(page->model, comparison->a, name, sizeof(name)),
		 most);
	text_fit(b, sizeof(b), model_case_name(page->model, comparison->b, name, sizeof(name)),
		 most);
	if (isnan(r->estimate))
		snprintf(ratio, sizeof(ratio), "%s / %s  ?", a, b);
	else
		snprintf(ratio, sizeof(ratio), "%s / %s  %.3f", a, b, 1 / r->estimate);
	if (!isnan(r->low))
		snprintf(range, sizeof(range), "%.3f – %.3f", 1 / r->high, 1 / r->low);
	x = canvas_text(&page->canvas, inner.x, y, inner.w, STYLE_BOLD(COLOUR_TITLE), ratio) + 3;
	x = canvas_text(&page->canvas, x, y, inner.x + inner.w - x, STYLE(COLOUR_DEFAULT), range);
	x += *range ? 3 : 0;
	text_draw(&page->canvas, (struct rect) {x, y, inner.x + inner.w - x, 1}, STYLE(COLOUR_DIM),
		  results_verdict(comparison));
}

static int results_elapsed_lines(const struct page *page)
{
	return 1 + (int)page->model->n_cases + 2 * (int)page->state->cache.n_compared;
}

static void results_elapsed_draw(struct page *page)
{
	struct rect inner = page_section(page, model_headline_words(page->model),
					 " lower is better ", results_elapsed_lines(page));
	struct plot_axis axis = {.x = inner.x + page->name_w + 9 + GAP + 19 + 2 * GAP};
	int x = inner.x + page->name_w, y = inner.y;
	double low, high;

	axis.w = inner.x + inner.w - axis.x;
	if (axis.w < 16 || !results_range(page->model, &low, &high))
		axis.w = 0;
	x = page_cell(page, inner, x, y, 9, STYLE(COLOUR_DIM), "median");
	page_cell(page, inner, x, y, 19, STYLE(COLOUR_DIM), "95 % interval");
	if (axis.w) {
		axis.from_ns = (int64_t)low;
		axis.to_ns = (int64_t)high + 1;
		plot_time_labels(&page->canvas, &axis, y, STYLE(COLOUR_DIM));
	}
	for (uint32_t i = 0; i < page->model->n_cases; i++)
		results_elapsed_row(page, inner, ++y, i, &axis);
	for (uint32_t i = 0; i < page->state->cache.n_compared; i++) {
		results_ratio(page, inner, ++y, &page->state->cache.elapsed[i]);
		view_pairs_draw(&page->canvas, (struct rect) {inner.x, ++y, inner.w, 1},
				page->model, &page->state->cache.elapsed[i]);
	}
}

/* How it scales: a row for each case of a sweep of the number of workers, curve by curve. */

static const int scaling_widths[] = {14, 8, 5, CELL_W, CELL_W, CELL_W, CELL_W};

static int results_scaling_lines(const struct page *page)
{
	size_t rows = table_rows(&page->scaling);

	return rows ? 1 + (int)rows : 0;
}

static void results_scaling_draw(struct page *page)
{
	int lines = results_scaling_lines(page);
	struct rect inner;

	if (!lines)
		return;
	inner = page_section(page, page->scaling.title, " medians ", lines);
	view_table_draw(&page->canvas, inner, page->model, &page->scaling, scaling_widths);
}

/* Tables of medians. */

typedef int64_t (*results_get)(const struct sample_totals *totals);

static int64_t get_rss(const struct sample_totals *t)
{
	return t->memory.rss_kb;
}

static int64_t get_pss(const struct sample_totals *t)
{
	return t->memory.pss_kb;
}

static int64_t get_uss(const struct sample_totals *t)
{
	return t->memory.uss_kb;
}

static int64_t get_kernel(const struct sample_totals *t)
{
	return t->memory.kernel_kb;
}

static int64_t sum(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : a + b;
}

static int64_t get_all(const struct sample_totals *t)
{
	return sum(t->memory.pss_kb, t->memory.kernel_kb);
}

static int64_t get_create(const struct sample_totals *t)
{
	return t->create_ns;
}

static int64_t get_user(const struct sample_totals *t)
{
	return t->user_us < 0 ? -1 : t->user_us * 1000;
}

static int64_t get_system(const struct sample_totals *t)
{
	return t->system_us < 0 ? -1 : t->system_us * 1000;
}

static int64_t get_cpu(const struct sample_totals *t)
{
	return sum(get_user(t), get_system(t));
}

static int64_t get_yielded(const struct sample_totals *t)
{
	return t->nvcsw;
}

static int64_t get_preempted(const struct sample_totals *t)
{
	return t->nivcsw;
}

static int64_t get_faults(const struct sample_totals *t)
{
	return sum(t->minflt, t->majflt);
}

static int64_t get_read(const struct sample_totals *t)
{
	return t->read_kb;
}

static int64_t get_written(const struct sample_totals *t)
{
	return t->written_kb;
}

static char *format_ns(char *buf, size_t size, int64_t ns)
{
	return units_format_time(buf, size, ns, false);
}

struct results_column {
	const char *title;
	results_get get;
	char *(*format)(char *buf, size_t size, int64_t value);
};

static const struct results_column memory_columns[] = {
	{"PSS+kernel", get_all, units_format_kib}, {"PSS", get_pss, units_format_kib},
	{"kernel", get_kernel, units_format_kib},  {"USS", get_uss, units_format_kib},
	{"RSS summed", get_rss, units_format_kib},
};

static const struct results_column where_columns[] = {
	{"cpu time", get_cpu, format_ns},
	{"created in", get_create, format_ns},
	{"user", get_user, format_ns},
	{"system", get_system, format_ns},
	{"preempted", get_preempted, units_format_count},
	{"yielded", get_yielded, units_format_count},
	{"faults", get_faults, units_format_count},
	{"read", get_read, units_format_kib},
	{"written", get_written, units_format_kib},
};

static bool results_counts(const struct model *model, const struct model_run *run, uint32_t icase)
{
	return run->id.icase == icase && run->id.trial && model_ended(model, run) &&
	       run->totals.status == SAMPLE_OK && !run->totals.paused;
}

/* Median over the counted trials; -1 where none is known. */
static int64_t results_median(const struct model *model, uint32_t icase, results_get get)
{
	double values[VALUES];
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs && n < VALUES; i++)
		if (results_counts(model, &model->runs[i], icase) &&
		    get(&model->runs[i].totals) >= 0)
			values[n++] = (double)get(&model->runs[i].totals);
	if (!n)
		return -1;
	stats_sort(values, n);
	return (int64_t)stats_median(values, n);
}

static int results_table(struct page *page, struct rect inner, const struct results_column *columns,
			 int n)
{
	int x = inner.x + page->name_w;

	for (int i = 0; i < n; i++)
		x = page_cell(page, inner, x, inner.y, CELL_W, STYLE(COLOUR_DIM), columns[i].title);
	for (uint32_t c = 0; c < page->model->n_cases; c++) {
		int y = inner.y + 1 + (int)c, at = inner.x + page->name_w;

		page_name(page, inner, y, c);
		for (int i = 0; i < n; i++) {
			char text[32];

			columns[i].format(text, sizeof(text),
					  results_median(page->model, c, columns[i].get));
			at = page_cell(page, inner, at, y, CELL_W,
				       i ? STYLE(COLOUR_DEFAULT) : STYLE_BOLD(COLOUR_DEFAULT),
				       text);
		}
	}
	return x;
}

/* What it costs in all, as bars beside the table. */
static void results_memory_bars(struct page *page, struct rect inner, int x)
{
	int w = inner.x + inner.w - x - GAP;
	int64_t most = 1;

	for (uint32_t c = 0; c < page->model->n_cases; c++) {
		int64_t kib = results_median(page->model, c, get_all);

		most = kib > most ? kib : most;
	}
	for (uint32_t c = 0; c < page->model->n_cases && w > 4; c++) {
		int64_t kib = results_median(page->model, c, get_all);

		canvas_hline(&page->canvas, x + GAP, inner.y + 1 + (int)c,
			     (int)((double)kib / (double)most * w), 0x2588,
			     STYLE(view_hue(page->model, c)));
	}
}

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static void results_memory_draw(struct page *page)
{
	struct rect inner = page_section(page, "memory at its peak", " medians ",
					 (int)page->model->n_cases + 2);
	int x = results_table(page, inner, memory_columns, COUNT(memory_columns));

	results_memory_bars(page, inner, x);
	text_draw(&page->canvas, (struct rect) {inner.x, inner.y + inner.h - 1, inner.w, 1},
		  STYLE(COLOUR_DIM),
		  "PSS + kernel is what it takes. RSS counts shared pages once per process.");
}

static void results_where_draw(struct page *page)
{
	struct rect inner =
		page_section(page, "where it went", " medians ", (int)page->model->n_cases + 1);

	results_table(page, inner, where_columns, COUNT(where_columns));
}

/* Every run, newest last. */

static void results_run_row(struct page *page, struct rect inner, int y,
			    const struct model_run *run)
{
	bool ended = model_ended(page->model, run);
	bool bad = ended && run->totals.status != SAMPLE_OK;
	char trial[32] = "warm-up", text[32];
	int x = inner.x + page->name_w;

	if (run->id.trial)
		snprintf(trial, sizeof(trial), "trial %u", run->id.trial);
	page_name(page, inner, y, run->id.icase);
	x = page_cell(page, inner, x, y, CELL_W, STYLE(COLOUR_DIM), trial);
	value_time(text, sizeof(text), (double)model_elapsed(page->model, run));
	x = page_cell(page, inner, x, y, CELL_W, STYLE(ended ? COLOUR_DEFAULT : COLOUR_DIM), text);
	for (int i = 0; i < 2 && ended; i++) {
		const struct results_column *column = i ? &memory_columns[0] : &where_columns[0];

		column->format(text, sizeof(text), column->get(&run->totals));
		x = page_cell(page, inner, x, y, CELL_W, STYLE(COLOUR_DEFAULT), text);
	}
	canvas_printf(&page->canvas, x, y, inner.x + inner.w - x,
		      STYLE(bad ? COLOUR_BAD : COLOUR_DIM), "%s%s%s%s",
		      ended ? sample_status_name(run->totals.status) : "running",
		      ended && run->totals.paused ? ", paused: not counted" : "", bad ? ": " : "",
		      bad ? run->totals.reason : "");
}

static int results_runs(const struct model *model)
{
	int n = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		n += model->runs[i].begin_ns <= model->now_ns;
	return n;
}

static void results_runs_draw(struct page *page)
{
	int n = results_runs(page->model);
	struct rect inner = page_section(page, "all runs", NULL, n + 1);
	static const char *const titles[] = {"", "elapsed", "cpu time", "PSS+kernel"};
	int x = inner.x + page->name_w;

	for (int i = 0; i < COUNT(titles); i++)
		x = page_cell(page, inner, x, inner.y, CELL_W, STYLE(COLOUR_DIM), titles[i]);
	for (int i = 0; i < n; i++)
		results_run_row(page, inner, inner.y + 1 + i, &page->model->runs[i]);
}

/* No line, no point, and none of the dots of an axis. */
static bool is_word(const struct canvas *canvas, int x, int y)
{
	uint32_t glyph = canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x].glyph;

	return glyph > ' ' && glyph < 0x2500 && glyph != 0xb7;
}

/* Over the row's end; a word or a figure that this would cut goes as a whole, with its unit. */
static void draw_more(struct page *page, int y, const char *mark, int n)
{
	struct canvas *canvas = &page->canvas;
	char text[48];
	int x;

	snprintf(text, sizeof(text), " %s %d more ", mark, n);
	x = page->width - 2 - canvas_columns(text);
	for (; x > 1 && (is_word(canvas, x, y) || is_word(canvas, x - 1, y)); x--)
		canvas_put(canvas, x, y, ' ', STYLE(COLOUR_DEFAULT));
	canvas_right(canvas, page->width - 2, y, STYLE(COLOUR_TITLE), text);
}

/* That the page goes on, and how far, on the edge where it does. */
static void results_more(struct page *page, int height)
{
	int above = page->state->scroll, below = page->state->most_scroll - above;

	if (above > 0)
		draw_more(page, 0, "▴", above);
	if (below > 0)
		draw_more(page, height - 1, "▾", below);
}

static int results_height(const struct page *page)
{
	int cases = (int)page->model->n_cases;
	int origins = results_origins_lines(page->model);
	int scaling = results_scaling_lines(page);

	return results_elapsed_lines(page) + 2 + (origins ? origins + 2 : 0) +
	       (scaling ? scaling + 2 : 0) + cases + 4 + cases + 3 + results_runs(page->model) + 3;
}

/* A third of the screen at most; what is longer is shortened. */
static int results_name_w(const struct model *model, int width)
{
	char name[2 * SAMPLE_LABEL];
	int w = NAME_LEAST, most = width / 3 > NAME_LEAST ? width / 3 : NAME_LEAST;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		int columns = canvas_columns(model_case_name(model, i, name, sizeof(name))) + 2;

		w = columns > w ? columns : w;
	}
	return w < most ? w : most;
}

static void results_draw(struct canvas *canvas, struct rect rect, const struct model *model,
			 struct view_state *state)
{
	struct page page = {
		.canvas = {.width = canvas->width,
			   .height = rect.h,
			   .cells = canvas->cells + (size_t)rect.y * (size_t)canvas->width},
		.model = model,
		.state = state,
		.width = rect.w,
		.name_w = results_name_w(model, rect.w),
	};

	if (table_build(model, TABLE_SCALING, &page.scaling))
		table_free(&page.scaling); /* without memory there are no rows */
	view_scroll_clamp(state, results_height(&page), rect.h);
	page.y = -state->scroll;
	results_elapsed_draw(&page);
	results_origins_draw(&page);
	results_scaling_draw(&page);
	results_memory_draw(&page);
	results_where_draw(&page);
	results_runs_draw(&page);
	results_more(&page, rect.h);
	table_free(&page.scaling);
}

static bool results_key(struct view_state *state, const struct model *model, int key)
{
	(void)model;
	return view_scroll(&state->scroll, key);
}

static const char results_help[] =
	"#Results\n"
	"○\tone trial (along the ratio: one pair of trials)\n"
	"●\tthe median (of a ratio: the Hodges-Lehmann estimate)\n"
	"━\tits 95 % interval; it takes six trials\n"
	"ratio\tBelow 1 the first named needed less. Real: the interval leaves 1 out.\n"
	"medians\tover the counted trials; warm-ups, failed and paused runs are left out\n"
	"all runs\teach run in the order it ran\n";

const struct view_ops view_results = {
	.number = 4,
	.name = "Results",
	.help = results_help,
	.draw = results_draw,
	.key = results_key,
};
