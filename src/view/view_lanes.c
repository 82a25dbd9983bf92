/* SPDX-License-Identifier: MIT */
#include "view_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "result/report.h"
#include "density.h"

enum { SHARE_W = 6 };

const char view_lanes_hint[] = "█ on a core  ▁▄▇ part of the time  ░ waits for a core  ┈ blocked  "
			       "╌ created  ┄ gate  ┤ joined";

const char view_lanes_hint_throttled[] =
	"█ on a core  ▁▄▇ part of the time  ░ waits for a core  ║ throttled  "
	"┈ blocked  ╌ created  ┄ gate  ┤ joined";

bool view_lanes_wanted(const struct model *model)
{
	return sched_wanted(model);
}

int view_lanes_share_w(const struct model *model)
{
	return view_lanes_wanted(model) ? SHARE_W : 0;
}

/* A cell of a lane */

static double existed(const struct model_shares *shares)
{
	double sum = 0;

	for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
		sum += shares->ns[state];
	return sum;
}

static const struct view_ink waiting_ink = {0x2591, COLOUR_READY, COLOUR_READY_BED};
static const struct view_ink throttled_ink = {0x2551, COLOUR_THROTTLED, COLOUR_THROTTLED_BED};

/*
 * Nearly all is drawn as all, hardly anything as nothing; what lies between as its share, above it
 * what it mostly waited for. The quota kept the run from the cores for throttled_ns of it.
 */
static struct view_ink ink_of(const struct model_shares *shares, int64_t throttled_ns,
			      const struct view_ink *work)
{
	double all = existed(shares), on = shares->ns[STATE_ON] / all;
	bool waits = shares->ns[STATE_WAITING] >= shares->ns[STATE_BLOCKED];
	const struct view_ink *wait = (double)throttled_ns > shares->ns[STATE_WAITING] / 2
					      ? &throttled_ink
					      : &waiting_ink;

	if (shares->ns[STATE_UNKNOWN] > all / 2)
		return *work;
	if (on >= 15. / 16)
		return (struct view_ink) {0x2588, work->colour};
	if (on >= 1. / 32)
		return (struct view_ink) {plot_eighth(on), work->colour,
					  waits ? wait->bed : COLOUR_DEFAULT};
	if (waits)
		return *wait;
	return (struct view_ink) {0x2508, COLOUR_CREATED};
}

/* A bar's cells, from the column `first` on. */
struct lane {
	const struct view_bar *bar;
	int first, n;
	struct view_ink ink[DENSITY_CELLS];
	int16_t cpu[DENSITY_CELLS]; /* of a full cell's middle, else -1 */
};

/* Each cell is what lies between two sums. */
static void lane_fill(struct lane *lane, int64_t from_ns, int64_t to_ns,
		      const struct view_ink *work)
{
	const struct view_bar *bar = lane->bar;
	struct model_shares before, after, cell;
	int64_t begin = MAX(from_ns, plot_time(bar->axis, lane->first));
	struct model_stretch stretch;

	model_shares_until(bar->model, bar->run, bar->worker, begin, &before);
	for (int i = 0; i < lane->n; i++) {
		int64_t end = MIN(to_ns, plot_time(bar->axis, lane->first + i + 1));

		model_shares_until(bar->model, bar->run, bar->worker, end, &after);
		for (int s = 0; s < MODEL_STATES; s++)
			cell.ns[s] = after.ns[s] - before.ns[s];
		if (existed(&cell) > 0)
			lane->ink[i] = ink_of(&cell,
					      model_throttled_until(bar->run, end) -
						      model_throttled_until(bar->run, begin),
					      work);
		else
			lane->ink[i] = i > 0 ? lane->ink[i - 1] : *work;
		lane->cpu[i] = -1;
		if (lane->ink[i].glyph == 0x2588 &&
		    model_stretch_at(bar->model, bar->run, bar->worker, begin + (end - begin) / 2,
				     &stretch))
			lane->cpu[i] = stretch.cpu;
		before = after;
		begin = end;
	}
}

static void lane_cores(const struct lane *lane)
{
	for (int i = 0, n; i < lane->n; i += n) {
		for (n = 1; i + n < lane->n && lane->cpu[i + n] == lane->cpu[i];)
			n++;
		if (lane->cpu[i] >= 0) {
			/* The core's number stands in what is full of it, where it begins. */
			struct style style = {.fg = lane->ink[i].colour,
					      .bg = lane->bar->bg,
					      .attr = ATTR_REVERSE};
			char text[16];

			snprintf(text, sizeof(text), "%d", lane->cpu[i]);
			if (n >= utf8_columns(text) + 2)
				canvas_text(lane->bar->canvas, lane->first + i + 1, lane->bar->y,
					    -1, style, text);
		}
	}
}

bool view_lane_known(const struct view_bar *bar)
{
	size_t n = 0;

	if (bar->run)
		model_slices(bar->run, bar->worker, &n);
	return n > 0;
}

bool view_lane_draw(const struct view_bar *bar, int64_t from_ns, int64_t to_ns,
		    const struct view_ink *work)
{
	struct lane lane = {.bar = bar};

	if (!view_lane_known(bar))
		return false;
	lane.n = MIN(DENSITY_CELLS, view_bar_cells(bar, from_ns, to_ns, &lane.first));
	lane_fill(&lane, from_ns, to_ns, work);
	for (int i = 0; i < lane.n; i++)
		canvas_put(bar->canvas, lane.first + i, bar->y, lane.ink[i].glyph,
			   (struct style) {.fg = lane.ink[i].colour,
					   .bg = lane.ink[i].bed ? lane.ink[i].bed : bar->bg});
	lane_cores(&lane);
	return true;
}

void view_lane_share(const struct view_bar *bar, int x, struct style style)
{
	struct model_shares shares;
	char text[16] = "?";

	if (!model_has_slices(bar->run))
		return;
	model_shares_until(bar->model, bar->run, bar->worker, INT64_MAX, &shares);
	if (view_lane_known(bar) && existed(&shares) > 0)
		snprintf(text, sizeof(text), "%.0f %%",
			 100 * shares.ns[STATE_ON] / existed(&shares));
	canvas_right(bar->canvas, x, bar->y, style, text);
}

/* What the inks are, and where they come from */

int view_lanes_legend(struct canvas *canvas, int x, int y, int w, const struct model_run *run,
		      uint8_t work)
{
	const struct view_legend list[] = {{{0x2588, view_bar_colour_of_many(work)}, "on a core"},
					   {waiting_ink, "waits"},
					   {{0x2508, COLOUR_CREATED}, "blocked"},
					   {throttled_ink, "throttled"}};

	return view_legend_draw(canvas, x, y, w, list, run->n_throttles ? 4 : 3);
}

/* Said in short: what is not lost needs no word. */
static void brief_source(const struct model *model, const struct model_run *run, char *buf,
			 size_t size)
{
	char *none;

	if (!model_has_slices(run)) {
		sched_no_lanes(model, true, buf, size);
		return;
	}
	sched_source(model, run, buf, size);
	none = strstr(buf, ", 0 lost");
	if (none)
		*none = '\0';
}

void view_lanes_edge(struct canvas *canvas, struct rect box, const struct model *model,
		     const struct model_run *run, int x)
{
	int end = box.x + box.w - 1;
	char source[SCHED_TEXT];

	brief_source(model, run, source, sizeof(source));
	if (*source && x + utf8_columns(source) + 3 < end)
		canvas_printf(canvas, end - utf8_columns(source) - 3, box.y + box.h - 1, -1,
			      STYLE(COLOUR_DIM), " %s ", source);
}

char *view_lanes_source(const struct model *model, const struct model_run *run, char *buf,
			size_t size)
{
	*buf = '\0';
	return model_has_slices(run) ? sched_source(model, run, buf, size) : buf;
}
