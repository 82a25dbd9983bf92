/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/text.h"
#include "model/model_slices.h"
#include "report/pairs.h"
#include "view_cache.h"
#include "view_tree.h"

/* The axis is logarithmic and has 1 in its middle: twice and half lie equally far out. */
struct ratio_axis {
	struct canvas *canvas;
	int x, w, y;
	double bound; /* right end; the left one is its inverse */
};

static int ratio_column(const struct ratio_axis *axis, double ratio)
{
	double part = 0.5 + 0.5 * log(ratio) / log(axis->bound);

	return axis->x + (int)lround(fmax(0, fmin(1, part)) * (axis->w - 1));
}

static void ratio_draw_axis(const struct ratio_axis *axis)
{
	struct style style = STYLE(COLOUR_DIM);

	canvas_hline(axis->canvas, axis->x, axis->y, axis->w, 0x2500, style);
	canvas_put(axis->canvas, axis->x, axis->y, 0x251c, style);
	canvas_put(axis->canvas, axis->x + axis->w - 1, axis->y, 0x2524, style);
	canvas_put(axis->canvas, ratio_column(axis, 1), axis->y, 0x253c, STYLE_BOLD(COLOUR_TITLE));
}

static void ratio_draw_interval(const struct ratio_axis *axis, const struct stats_interval *ratio)
{
	int low, high;

	if (isnan(ratio->low) || isnan(ratio->high))
		return;
	/* The comparison is b / a, the axis a / b. */
	low = ratio_column(axis, 1 / ratio->high);
	high = ratio_column(axis, 1 / ratio->low);
	canvas_hline(axis->canvas, low, axis->y, high - low + 1, 0x2501, STYLE_BOLD(COLOUR_TITLE));
}

/* "work=fp workers=2" where both have it, and need not say it at both ends; NULL. */
static const struct variables *pairs_common(const struct model *model,
					    const struct model_comparison *comparison)
{
	const struct sample_case *a = &model->cases[comparison->a];
	const struct sample_case *b = &model->cases[comparison->b];
	bool same = a->variables.n > 0 && variables_equal(&a->variables, &b->variables);

	return same && strcmp(a->model, b->model) != 0 ? &a->variables : NULL;
}

/* "at work=fp workers=2  ○ a pair  ● estimate", as much of it as there is room for. */
static void ratio_draw_key(const struct ratio_axis *axis, const struct variables *common, int w)
{
	int x = axis->x + 6, y = axis->y + 1, end = x + w;
	char at[SAMPLE_LABEL + 8] = "", variables[SAMPLE_LABEL];

	if (common)
		snprintf(at, sizeof(at), "at %s  ",
			 variables_format(common, ' ', variables, sizeof(variables)));
	if (utf8_columns(at) <= w)
		x = canvas_text(axis->canvas, x, y, w, STYLE(COLOUR_DEFAULT), at);
	if (end - x >= 20)
		canvas_text(axis->canvas, x, y, end - x, STYLE(COLOUR_DIM), "○ a pair  ● estimate");
}

static void ratio_draw_scale(const struct ratio_axis *axis, const struct variables *common)
{
	int y = axis->y + 1, middle = ratio_column(axis, 1), end = axis->x + axis->w;
	char high[16];

	canvas_printf(axis->canvas, axis->x, y, axis->w, STYLE(COLOUR_DIM), "%.2f",
		      1 / axis->bound);
	canvas_text(axis->canvas, middle, y, 1, STYLE(COLOUR_DIM), "1");
	snprintf(high, sizeof(high), "%.2f", axis->bound);
	canvas_right(axis->canvas, end, y, STYLE(COLOUR_DIM), high);
	ratio_draw_key(axis, common, middle - axis->x - 7);
	if (axis->w > 64)
		canvas_right(axis->canvas, end - 6, y, STYLE(COLOUR_DIM), "━ 95 % interval");
}

struct ends {
	char left[160], right[160];
	int w_left, w_right;
};

static void ends_make(struct ends *ends, const struct model *model,
		      const struct model_comparison *comparison, bool brief, const char *word)
{
	uint32_t a = comparison->a, b = comparison->b;

	snprintf(ends->left, sizeof(ends->left), "◂ %.40s%s",
		 brief ? model->cases[a].model : MODEL_CASE_NAME(model, a), word);
	snprintf(ends->right, sizeof(ends->right), "%.40s%s ▸",
		 brief ? model->cases[b].model : MODEL_CASE_NAME(model, b), word);
	ends->w_left = utf8_columns(ends->left) + 1;
	ends->w_right = utf8_columns(ends->right) + 1;
}

/* Says who is faster at which end. Returns the rect left between the two. */
static struct rect pairs_ends(struct canvas *canvas, struct rect rect, const struct model *model,
			      const struct model_comparison *comparison)
{
	bool common = pairs_common(model, comparison) != NULL;
	const char *word = rect.w < 90 ? "" : " faster";
	struct ends ends;

	ends_make(&ends, model, comparison, common && rect.h > 1, word);
	if (common && ends.w_left + ends.w_right > rect.w / 2)
		ends_make(&ends, model, comparison, true, word);
	if (ends.w_left + ends.w_right > rect.w / 2)
		return rect;
	canvas_text(canvas, rect.x, rect.y, ends.w_left, STYLE(view_hue(model, comparison->a)),
		    ends.left);
	canvas_right(canvas, rect.x + rect.w, rect.y, STYLE(view_hue(model, comparison->b)),
		     ends.right);
	return (struct rect) {rect.x + ends.w_left, rect.y, rect.w - ends.w_left - ends.w_right,
			      rect.h};
}

static void pairs_draw(const struct ratio_axis *axis, const struct model *model,
		       const struct model_comparison *comparison, const struct pairs *pairs)
{
	bool unpaired = comparison->verdict == STATS_UNPAIRED;

	ratio_draw_axis(axis);
	ratio_draw_interval(axis, &comparison->ratio);
	for (size_t i = 0; i < pairs->n; i++) {
		uint32_t case_id = pairs->ratios[i] < 1 ? comparison->a : comparison->b;

		canvas_put(axis->canvas, ratio_column(axis, pairs->ratios[i]), axis->y, 0x25cb,
			   STYLE(view_hue(model, case_id)));
	}
	if ((pairs->n || unpaired) && !isnan(comparison->ratio.estimate))
		canvas_put(axis->canvas, ratio_column(axis, 1 / comparison->ratio.estimate),
			   axis->y, 0x25cf, STYLE_BOLD(COLOUR_TITLE));
}

void view_pairs_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		     const struct model_comparison *comparison)
{
	struct ratio_axis axis = {.canvas = canvas};
	struct pairs pairs;

	if (rect.h < 1 || rect.w < 20)
		return;
	rect = pairs_ends(canvas, rect, model, comparison);
	axis.x = rect.x;
	axis.y = rect.y;
	axis.w = rect.w - (rect.w + 1) % 2;    /* odd: there is a middle */
	pairs_read(&pairs, model, comparison); /* without memory there are none */
	axis.bound = pairs.bound;
	pairs_draw(&axis, model, comparison, &pairs);
	pairs_free(&pairs);
	if (rect.h > 1)
		ratio_draw_scale(&axis, pairs_common(model, comparison));
}

static const char *hint_memory(enum model_metric which)
{
	static const char *const hints[] = {
		[METRIC_PSS] = "PSS: a shared page is divided among those that map it. m: another "
			       "measure",
		[METRIC_RSS] = "RSS, as in top: a shared page counts once per process. m: another "
			       "measure",
		[METRIC_USS] = "USS: pages no other process maps, what would come back. m: another "
			       "measure",
		[METRIC_KERNEL] = "kernel: tables, stacks, slab, in none of RSS, PSS, USS. m: "
				  "another measure",
	};

	return hints[which];
}

/* The hint of a run that does not count; one only stopped has no marked worker nor message. */
static const char *hint_lost(const struct model *model)
{
	const char *hint = NULL;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (!run || !model_ended(model, run) || run->totals.status == SAMPLE_OK)
			continue;
		if (run->totals.status != SAMPLE_INTERRUPTED)
			return "A run failed and does not count: ✗ marks the worker, 6 shows the "
			       "messages.";
		hint = "A run was stopped before its end: it does not count.";
	}
	return hint;
}

/* Whether an explanation was said, and how to try it: the message itself is in view 6. */
static bool hint_stacks(const struct model *model)
{
	for (size_t i = 0; i < model->n_messages; i++) {
		const struct model_message *message = &model->messages[i];

		if (message->time_ns <= model->now_ns && message->kind == MESSAGE_STACKS)
			return true;
	}
	return false;
}

/* Why the one that takes longer does: in the Overview, once all is measured, if a line holds it. */
static bool hint_why(const struct view_frame *frame, int w)
{
	const char *why = frame->cache->why;

	return frame->state->view == 1 && model_over(frame->model) && *why &&
	       utf8_columns(why) <= w;
}

/* What a bar is made of, for the first look at one. */
static const char *hint_bars(const struct model *model)
{
	const struct model_run *run = model_newest(model);

	if (run && model_has_slices(run))
		return "One bar a worker, filled as far as it was on a core: █ ▄ ░ waits ┈ blocked "
		       "┤ joined";
	return "One bar a worker: ╌ created ━ cpu ═ io ┈ finished ┤ joined; one time axis";
}

/* The hint of what to watch now; buf holds it where it is made. */
static const char *verdict_hint(const struct view_frame *frame, int w, char *buf, size_t size)
{
	const struct model *model = frame->model;
	const struct view_state *state = frame->state;
	const struct view_cache *cache = frame->cache;
	const struct view_ops *ops = views_get(model, state->view);
	const char *lost = hint_lost(model);

	if (state->notice)
		return state->notice;
	if (!model->has_session)
		return "";
	if (state->hold && model->n_cases > 0 && !model->cases[0].plan.gated)
		return "Each creator creates all its children, then joins them, and ends after "
		       "them.";
	if (state->hold)
		return "All workers are created first and wait at a gate; then all start at once.";
	if (model_paused(model))
		return "Paused, the workers too. Space goes on; a paused run does not count.";
	if (lost)
		return lost;
	if (ops && ops->hint)
		return frame->shown->hint ? frame->shown->hint : ops->hint;
	if (cache->humps)
		return "A median here is over two humps, the middle of neither: 6 tells which.";
	if (cache->n_warnings)
		return "How this was measured leaves doubts: 6 tells which, and what to do.";
	if (hint_stacks(model))
		return "Why? The threads' stacks may decide, not the shape: --stack-size "
		       "default,16K shows it. 6 tells more.";
	if (*view_tree_hint(model, buf, size))
		return buf;
	if (model_runs_ended(model) < model->n_cases)
		return hint_bars(model);
	if (cache->lead.others && cache->lead.next.verdict == STATS_TOO_FEW)
		return "Real: the interval of the pairs' ratio leaves 1 out; decided at the end.";
	if (hint_why(frame, w))
		return cache->why;
	return hint_memory(state->memory);
}

static uint8_t verdict_border(const struct view_frame *frame)
{
	bool shown = frame->cache->decided && !frame->state->hold;

	return shown ? view_hue(frame->model, frame->cache->lead.lead) : COLOUR_BORDER;
}

/* A band in the hue of who leads once that is real: it is read from the last row. */
static void verdict_sentence(const struct view_frame *frame, const struct layout_frame *layout)
{
	struct style style = STYLE_BOLD(COLOUR_TITLE);
	uint8_t hue = verdict_border(frame);
	struct rect band = {layout->sentence.x - 1, layout->sentence.y, layout->sentence.w + 2,
			    layout->sentence.h};

	style.bg = COLOUR_PANEL;
	if (hue != COLOUR_BORDER)
		style = (struct style) {.fg = hue, .attr = ATTR_BOLD | ATTR_REVERSE};
	canvas_fill(frame->canvas, band, ' ', style);
	text_draw(frame->canvas, layout->sentence, style, frame->sentence);
}

void view_verdict_draw(const struct view_frame *frame, const struct layout_frame *layout)
{
	const struct view_cache *cache = frame->cache;
	char hint[160];

	if (layout->boxed)
		canvas_box(frame->canvas, layout->verdict, STYLE(verdict_border(frame)), NULL,
			   STYLE(COLOUR_TITLE), NULL);
	verdict_sentence(frame, layout);
	if (cache->lead.others)
		view_pairs_draw(frame->canvas, layout->pairs, frame->model, &cache->lead.next);
	text_draw(frame->canvas, layout->hint,
		  STYLE(frame->state->notice ? COLOUR_WARN : COLOUR_DIM),
		  verdict_hint(frame, layout->hint.w, hint, sizeof(hint)));
}
