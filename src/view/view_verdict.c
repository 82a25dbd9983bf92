/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/error_line.h"
#include "base/units.h"
#include "draw/text.h"
#include "view_cache.h"

/*
 * A hint for a paused session, for a run with stopped processes, or for a run that does not count.
 * For a run that was interrupted, which has no marked worker and no message, the hint is
 * report_stopped().
 */
static const char *hint_lost(const struct view_frame *frame, char *buf, size_t size)
{
	const struct model *model = frame->model;
	const char *hint = NULL;

	if (model_paused(model))
		return "The session and its workers are paused. Space continues. A paused run does "
		       "not count.";
	if (model_halted(model))
		return "Something stopped part of this run: see 6.";
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (!run || !model_ended(model, run) || run->totals.status == SAMPLE_OK)
			continue;
		if (run->totals.status != SAMPLE_INTERRUPTED)
			return "A run failed and does not count: see 6. ✗ marks a worker that "
			       "failed.";
		/* In other views, the legend is more useful. */
		if (frame->state->view == view_overview.number)
			hint = report_stopped(model, buf, size);
	}
	return hint;
}

/*
 * Why the slower case is slower: the whole sentence. If the sentence is too long for a line, only
 * the likely cause; if the cause is too long too, only the key. Shown in the Overview after all
 * trials. The key y runs a session that shows the cause.
 */
static const char *hint_why(const struct view_frame *frame, int w, char *buf, size_t size)
{
	const struct why *why;

	if (frame->state->view != 1 || !model_over(frame->model))
		return NULL;
	why = view_cache_why(frame->cache, frame->model);
	if (*why->sentence && utf8_columns(why->sentence) <= w)
		return why->sentence;
	if (!why->has_cause)
		return NULL;
	if (!view_cache_runs_why(frame->cache, frame->model, frame->state->live))
		return why->cause.text;
	snprintf(buf, size, "Why? %s y runs %s.", why->cause.text, why->cause.options);
	if (utf8_columns(buf) <= w)
		return buf;
	return "Why? y runs a session that shows it. Results shows the parts.";
}

/*
 * The sentence about the difference between two programs. Shown in the Overview after all trials,
 * if the sentence fits.
 */
static const char *hint_differs(const struct view_frame *frame, int w, bool known)
{
	const struct why *why;

	if (frame->state->view != 1 || !model_over(frame->model))
		return NULL;
	why = view_cache_why(frame->cache, frame->model);
	if (!*why->differs || why->differs_known != known || utf8_columns(why->differs) > w)
		return NULL;
	return why->differs;
}

/* Explains the parts of a bar. If workers share rows, explains a row of many workers. */
static const char *hint_bars(const struct view_frame *frame, char *buf, size_t size)
{
	const struct model_run *run = model_newest(frame->model);
	bool slices = run && model_has_slices(run);

	if (run && view_tree_fits(frame->model, run->id.case_id)) {
		const struct tree_rows *tree =
			view_folds_tree(frame->state->folds, run->id.case_id);

		if (tree->group[0]) {
			snprintf(buf, size,
				 slices ? "A row is %u workers, full where all were on cores: █ ▄ "
					  "─ wait ▒ created ▓ to join"
					: "A row is %u workers: ▁▄▇ share running ▒ created ▓ "
					  "to join",
				 tree->group[0]);
			return buf;
		}
	}
	if (run && slices && model_plan(frame->model, run)->leaves[WORK_PROGRAM] > 0)
		return "One bar per task; its height is the time on a core: █ ▄ ─ waits ┈ blocked";
	if (slices)
		return "One bar per worker; its height is the time on a core: █ ▄ ─ waits ┈ "
		       "blocked ┤ joined";
	return "One bar per worker: ╌ created ━ cpu ═ io ┈ finished ┤ joined; one time axis";
}

/* Why the first screen has no bars of memory; NULL if it has such bars, or may have them later. */
static const char *hint_no_memory(const struct view_frame *frame, char *buf, size_t size)
{
	const struct answer *answer = &frame->cache->answer;
	const struct model_run *newest = model_newest(frame->model);
	const enum model_metric measure = view_measure(frame->state);
	enum reason why = REASON_NONE;

	for (uint32_t i = 0; i < answer->n_metrics; i++) {
		if (metric_is(answer->metrics[i], METRIC_OF_MEMORY))
			return NULL;
	}
	if (frame->state->view == 1 && newest)
		why = view_memory_unknown(frame->model, newest, measure);
	if (why == REASON_NONE)
		return NULL;
	snprintf(buf, size, "%s ? %s", metric_brief(measure), reason_sentence(why));
	return buf;
}

static const char hint_measuring[] =
	"First, tuibench measures this machine and the memory of idle tasks.";
static const char hint_early[] =
	"Each trial is shown here, slowed down, once every model has run in it.";
static const char hint_warm_up[] =
	"The first runs warm up the machine and do not count. Then each trial is "
	"shown here, slowed down.";

/*
 * Writes the first warning. If the text is too wide, leaves out its advice, then its cause, then
 * the text in parentheses. View 6 has the whole text.
 */
static void hint_warning(const struct view_cache *cache, bool over, int w, char *buf, size_t size)
{
	const struct model_warning *warning = &cache->warnings[0];
	struct sentence s = sentence_in(buf, size);
	size_t before;

	sentence_add(&s, "Warning");
	if (over && cache->n_warnings > 1)
		sentence_add(&s, " 1 of %d", cache->n_warnings);
	sentence_add(&s, ": ");
	before = s.used;
	sentence_add(&s, "%s", warning->text);
	sentence_shorten(buf, before, &warning->parts, w);
}

/*
 * Whether the suggestion is shown: there is a suggestion, no lecture replaces it, and the only line
 * is not needed for the legend.
 */
static bool verdict_suggests(const struct view_frame *frame, struct rect rect)
{
	if (!frame->state->suggestion || frame->state->lecture.heading)
		return false;
	return rect.h > 1 || frame->shown->n_legend == 0;
}

/* The hint while the session prepares its runs or holds them; otherwise NULL. */
static const char *hint_before(const struct view_frame *frame, char *buf, size_t size)
{
	const struct model *model = frame->model;
	const struct view_state *state = frame->state;
	uint64_t done, all;

	if (!model->has_session && !state->live)
		return "";
	if (!model->has_session)
		return hint_measuring;
	if (state->waits_for)
		return state->waits_for;
	if (state->hold && model->n_cases > 0 && !model->cases[0].plan.barrier)
		return "Each parent creates all its children, then joins them, then ends.";
	if (state->hold)
		return "All workers are created first and wait at the start barrier. Then all "
		       "start "
		       "at once.";
	if (model_preparing(model, &done, &all)) {
		snprintf(buf, size, "Making the file for the io workers: %s of %s. q quits.",
			 UNITS_KIB(done / 1024), UNITS_KIB(all / 1024));
		return buf;
	}
	if (state->live && model->n_runs == 0)
		return hint_measuring;
	if (state->live && *report_long_run(model, buf, size))
		return buf;
	return NULL;
}

/* Whether there is a message about the threads' stacks. */
static bool has_stacks_message(const struct model *model)
{
	bool found = false;

	for (size_t i = 0; i < model->n_messages; i++)
		found |= model->messages[i].time_ns <= model->now_ns &&
			 model->messages[i].kind == MESSAGE_STACKS;
	return found;
}

/*
 * The hint for the current state. The text may be in buf. "" if there is nothing to say, or if the
 * only line is for the legend.
 */
static const char *verdict_hint(const struct view_frame *frame, struct rect rect, char *buf,
				size_t size)
{
	const bool legend_first = frame->shown->keeps_legend && rect.h < 2;
	const struct model *model = frame->model;
	const struct view_state *state = frame->state;
	const struct view_cache *cache = frame->cache;
	const int w = rect.w;
	const struct view_ops *ops = views_get(model, state->view);
	static const char *const memories[] = {
		[METRIC_PSS] = "PSS divides a shared page among the processes that map it. m: "
			       "another measure",
		[METRIC_RSS] =
			"RSS, as in top, counts a shared page once per process. m: another measure",
		[METRIC_USS] = "USS: pages that no other process maps. m: another measure",
		[METRIC_KERNEL] = "kernel: page tables, stacks, slab. RSS, PSS, USS leave it out. "
				  "m: another measure",
	};
	const char *why;
	bool single, curve, played;

	/* A lecture shows the notice in the scene's caption. */
	if (state->notice && !state->lecture.heading)
		return state->notice;
	if (verdict_suggests(frame, rect))
		return state->suggestion;
	why = hint_before(frame, buf, size);
	if (!why)
		why = hint_lost(frame, buf, size);
	if (why)
		return why;
	/* Large digits cover the view, so the view's hint would explain nothing on the screen. */
	if (state->present)
		ops = NULL;
	if (state->race.early && ops == &view_overview && view_race_offered(frame)) {
		if (model->session.warmup > 0)
			return hint_warm_up;
		return hint_early;
	}
	if (ops == &view_memory)
		return cache->headline.sentence;
	curve = ops == &view_curve || ops == &view_latency;
	if (cache->n_warnings && (frame->shown->explained || (curve && model_over(model)))) {
		hint_warning(cache, model_over(model), w, buf, size);
		return buf;
	}
	if (frame->shown->explained)
		return "";
	if (ops && ops->hint) {
		if (frame->shown->hint)
			return frame->shown->hint;
		return ops->hint;
	}
	/*
	 * If there is only one line, the legend gets it. The top line already counts the warnings.
	 */
	single = rect.h < 2 && frame->shown->n_legend > 0;
	if (single && (state->race.moves || !model_over(model)))
		return "";
	/*
	 * This sentence takes precedence over a warning, because the top line already says that
	 * there are warnings.
	 */
	why = hint_differs(frame, w, true);
	if (why)
		return why;
	/* While trials are played, the count in the top line is enough beside what moves. */
	played = state->race.trial.number > 0 && !model_over(model);
	if (cache->n_warnings && !legend_first && !single && !played) {
		hint_warning(cache, model_over(model), w, buf, size);
		return buf;
	}
	why = hint_differs(frame, w, false);
	if (why)
		return why;
	/* Show only how to follow the message's advice. The message itself is in view 6. */
	if (cache->headline.state == ANSWER_REAL && has_stacks_message(model))
		return "Why? The threads' stacks may be the reason: see 6. -s stack=default,16K "
		       "shows it.";
	if (single)
		return "";
	if (!legend_first && *view_tree_hint(model, buf, size))
		return buf;
	if (frame->shown->n_legend > 0 && !model_over(model))
		return "";
	if (model_runs_ended(model) < model->n_cases)
		return hint_bars(frame, buf, size);
	if (cache->headline.state == ANSWER_MEASURING && cache->has_pair)
		return "Real: the interval of the ratio excludes 1. The answer comes after the "
		       "last trial at the latest.";
	if (legend_first)
		return "";
	why = hint_why(frame, w, buf, size);
	if (!why)
		why = hint_no_memory(frame, buf, size);
	if (!why && frame->shown->n_legend > 0)
		why = "";
	if (why)
		return why;
	if (state->view == 1)
		return memories[view_measure(state)];
	return "";
}

uint8_t view_badge_hue(enum answer_state state)
{
	switch (state) {
	case ANSWER_SAME:
	case ANSWER_REAL:
		return COLOUR_GOOD;
	case ANSWER_CLOSE:
	case ANSWER_WITHHELD:
		return COLOUR_WARN;
	case ANSWER_NONE:
	case ANSWER_MEASURING:
		break;
	}
	return COLOUR_DEFAULT;
}

/*
 * Before the end of a recording, writes at the right of the band which badge it ends with, "ends:
 * SAME SPEED", if the sentence leaves room in one of its lines.
 */
static void verdict_ends(const struct view_frame *frame, struct rect sentence)
{
	const char *ends = view_cache_ends(frame);
	const int used = utf8_columns(frame->sentence);
	struct style style = {.bg = COLOUR_PANEL, .attr = ATTR_BOLD};
	char text[HEADLINE_BADGE + 24];
	int y = sentence.y;

	if (!*ends || model_over(frame->model) || sentence.h < 1)
		return;
	style.fg = view_badge_hue(frame->cache->ends_state);
	snprintf(text, sizeof(text), VIEW_ENDS " %s", ends, frame->cache->ends_by);
	if (!*frame->cache->ends_by || used + 2 + utf8_columns(text) > sentence.w)
		snprintf(text, sizeof(text), VIEW_ENDS, ends);
	if (used + 2 + utf8_columns(text) > sentence.w)
		y = sentence.y + text_lines(frame->sentence, sentence.w);
	if (y < sentence.y + sentence.h)
		canvas_right(frame->canvas, sentence.x + sentence.w, y, style, text);
}

/*
 * The hue of the band: the winner's. A slight difference gives no hue, because it must not look as
 * great as a factor.
 */
static uint8_t verdict_hue(const struct view_frame *frame)
{
	const struct view_headline *headline = frame->headline;

	if (!headline->decided || headline->slight || frame->state->hold || view_asks(frame))
		return COLOUR_BORDER;
	return view_hue(frame->model, headline->leader);
}

/*
 * Where the second line of an answer begins: after the last semicolon that leaves two lines of at
 * most w columns, so that no word of a part is alone in its line. A semicolon in parentheses, or
 * perhaps in the name of a program, is no end of a part. NULL if there is no place, or if one line
 * is enough.
 */
static const char *verdict_second_line(const char *text, int w)
{
	const int all_w = utf8_columns(text);
	const char *found = NULL;

	if (*text != '[' || all_w <= w || strpbrk(text, "\"'"))
		return NULL;
	for (const char *at = strstr(text, "; "); at; at = strstr(at + 1, "; ")) {
		const char *rest = at + 2;
		const int rest_w = utf8_columns(rest);
		const bool inside = rest[strcspn(rest, "()")] == ')';

		if (!inside && rest_w <= w && all_w - rest_w - 1 <= w)
			found = rest;
	}
	return found;
}

/* Draws the sentence. If two lines are enough for an answer, they break between its parts. */
static void verdict_lines(const struct view_frame *frame, struct rect place, struct style style)
{
	const char *text = frame->sentence;
	const char *second = verdict_second_line(text, place.w);
	int first_w;

	if (!second || place.h < 2) {
		text_draw(frame->canvas, place, style, text);
		return;
	}
	first_w = utf8_columns(text) - utf8_columns(second) - 1;
	canvas_text(frame->canvas, place.x, place.y, first_w, style, text);
	canvas_text(frame->canvas, place.x, place.y + 1, -1, style, second);
}

/*
 * Draws the sentence in a band. If one case is better than all others, and not only slightly, the
 * band has the case's hue, which can be seen from the last row of seats.
 */
static void verdict_sentence(const struct view_frame *frame, const struct layout_frame *layout,
			     uint8_t hue)
{
	struct style style = STYLE_BOLD(COLOUR_TITLE);
	char badge[HEADLINE_BADGE + 2];
	struct rect band = {0, layout->sentence.y, frame->canvas->width, layout->sentence.h};

	style.bg = COLOUR_PANEL;
	if (hue != COLOUR_BORDER)
		style = (struct style) {.fg = hue, .attr = ATTR_BOLD | ATTR_REVERSE};
	canvas_fill(frame->canvas, band, ' ', style);
	verdict_lines(frame, layout->sentence, style);
	verdict_ends(frame, layout->sentence);
	if (frame->state->hold || *frame->sentence != '[' || layout->sentence.h < 1)
		return;
	/* The badge has its own background. On a terminal without colours, it is in brackets. */
	style = (struct style) {.fg = view_badge_hue(frame->headline->state),
				.attr = ATTR_BOLD | ATTR_REVERSE};
	snprintf(badge, sizeof(badge), "%.*s", (int)strcspn(frame->sentence, "]") + 1,
		 frame->sentence);
	canvas_text(frame->canvas, layout->sentence.x, layout->sentence.y, layout->sentence.w,
		    style, badge);
}

void view_verdict_draw(const struct view_frame *frame, const struct layout_frame *layout)
{
	const struct view_cache *cache = frame->cache;
	bool notice = (frame->state->notice && !frame->state->lecture.heading) ||
		      verdict_suggests(frame, layout->hint);
	char made[SAMPLE_TEXT + 32], fit[SAMPLE_TEXT + 32];
	size_t end;
	const char *hint = verdict_hint(frame, layout->hint, made, sizeof(made));
	const bool legend = hint == view_timeline.hint || !*hint;
	struct rect rest = layout->hint;

	verdict_sentence(frame, layout, verdict_hue(frame));
	if (cache->has_pair && layout->pairs.h > 0)
		view_pairs_draw(frame->canvas, layout->pairs, frame, &cache->pair, 0);
	if (frame->shown->n_legend > 0 && rest.h > 0 && (rest.h > 1 || legend)) {
		view_legend_draw(frame->canvas, rest.x - 1, rest.y, rest.w + 2,
				 frame->shown->legend, (size_t)frame->shown->n_legend);
		if (legend)
			return;
		rest.y++;
		rest.h--;
	}
	/*
	 * Draw as many whole sentences as fit. Only the first sentence may be cut. A notice is
	 * drawn as far as there is room.
	 */
	end = (size_t)snprintf(fit, sizeof(fit), "%s", hint);
	while (!notice && text_lines(fit, rest.w) > rest.h && end > 2) {
		for (end = strlen(fit) - 2; end > 0 && strncmp(fit + end, ". ", 2) != 0; end--)
			;
		if (end > 0)
			fit[end + 1] = '\0';
	}
	text_draw(frame->canvas, rest, STYLE(notice ? COLOUR_WARN : COLOUR_DIM), fit);
}
