/* SPDX-License-Identifier: MIT */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "draw/key.h"
#include "draw/text.h"
#include "view_cache.h"

static const enum model_metric memory_metrics[] = {
	METRIC_MEMORY, METRIC_PSS, METRIC_RSS, METRIC_USS, METRIC_KERNEL, METRICS,
};

/* Clears the record of the last frame, except the first column shown. */
static void view_shown_begin(struct view_shown *shown, int number)
{
	*shown = (struct view_shown) {
		.view = number,
		.column = shown->column,
		.last_case = UINT32_MAX,
		.most_help = INT32_MAX / 2,
		.anchor = -1,
	};
}

void view_init(struct view *view)
{
	*view = (struct view) {
		.state = {.view = views_at(0)->number, .zoom = 1, .memory = memory_metrics[0]}};
	view_shown_begin(&view->shown, 0);
}

void view_look(struct view_state *state, const struct view_looks *looks)
{
	state->settled = looks->view > 0;
	if (looks->view > 0)
		state->view = looks->view;
	state->zoom = MAX(looks->zoom, 1);
	state->from = 0;
	state->window_from_ns = looks->from_ns;
	state->window_to_ns = looks->to_ns;
}

static void view_folds_free(struct view_folds *folds)
{
	if (folds)
		for (uint32_t i = 0; i < folds->n_cases; i++)
			tree_rows_free(&folds->cases[i].tree);
	free(folds);
}

void view_free(struct view *view)
{
	view_folds_free(view->state.folds);
	view_cache_free(view->cache);
	view_init(view);
}

static bool plans_alike(const struct plan *a, const struct plan *b)
{
	return a->levels == b->levels && a->barrier == b->barrier &&
	       memcmp(a->fanout, b->fanout, a->levels * sizeof(*a->fanout)) == 0 &&
	       memcmp(a->leaves, b->leaves, sizeof(a->leaves)) == 0;
}

/* Allocates the folds of all cases. Returns NULL if memory is short. */
static struct view_folds *view_folds_make(const struct model *model)
{
	struct view_folds *folds =
		calloc(1, sizeof(*folds) + model->n_cases * sizeof(folds->cases[0]));

	for (uint32_t i = 0; folds && i < model->n_cases; i++) {
		struct view_fold *fold = &folds->cases[i];

		folds->n_cases = i + 1;
		while (!plans_alike(&model->cases[fold->alike].plan, &model->cases[i].plan))
			fold->alike++;
		if (fold->alike == i && tree_rows_init(&fold->tree, &model->cases[i].plan) != 0) {
			view_folds_free(folds);
			return NULL;
		}
	}
	return folds;
}

/*
 * Allocates the cache and, once there are cases, their folds and rows. Returns false if memory is
 * short.
 */
static bool view_prepare(struct view *view, const struct model *model)
{
	if (!view->cache)
		view->cache = calloc(1, sizeof(*view->cache));
	if (!view->cache || model->n_cases == 0)
		return view->cache;
	if (!view->state.folds)
		view->state.folds = view_folds_make(model);
	if (!view->cache->rows)
		view->cache->rows = calloc(1, sizeof(*view->cache->rows) +
						      model->n_cases * sizeof(struct view_case));
	if (view->cache->rows)
		view->cache->rows->n_cases = model->n_cases;
	return view->state.folds && view->cache->rows;
}

/*
 * ASKED_LEAST_H: height from which the question and the preliminary answer of a sweep have a line
 * each. COSTS_LEAST_H: the same height if the sweep compares what operations cost.
 */
enum { ASKED_LINES = 2, ASKED_LEAST_H = 30, COSTS_LEAST_H = 20 };

/* Whether the session compares what operations cost at several values of a setting. */
static bool view_has_costs(const struct view_frame *frame)
{
	return model_has_operations(frame->model) && curve_swept(frame->model);
}

static bool view_asks_in_two_lines(const struct view_frame *frame)
{
	if (!frame->state->question)
		return false;
	/* The answer about creation needs two lines at every height. */
	if (model_has_latency(frame->model))
		return true;
	if (view_has_costs(frame) && frame->canvas->height >= COSTS_LEAST_H)
		return true;
	return curve_swept(frame->model) && frame->canvas->height >= ASKED_LEAST_H;
}

/*
 * Writes the medians of two models alone, with the models' marks, "●212 / ■138 ms so far". Returns
 * false if there are no two medians.
 */
static bool view_brief_medians(const struct view_frame *frame, char *buf, size_t size)
{
	const struct answer *answer = &frame->cache->answer;
	char texts[2][48], marks[2][UTF8_BYTES];
	size_t unit;

	if (answer->n_rows != 2 || answer->n_metrics == 0 || curve_swept(frame->model) ||
	    view_race_has_faults(frame->model))
		return false;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (isnan(answer->rows[i].cells[0].median))
			return false;
		answer_median(answer, &answer->rows[i], 0, texts[i]);
		utf8_put(view_shape(frame->model, answer->rows[i].case_id), marks[i]);
	}
	/* If both medians have the same unit, it is written once. */
	unit = strcspn(texts[0], " ");
	if (texts[0][unit] && strcmp(texts[0] + unit, texts[1] + strcspn(texts[1], " ")) == 0)
		texts[0][unit] = '\0';
	snprintf(buf, size, "%s%s / %s%s %s", marks[0], texts[0], marks[1], texts[1],
		 view_preliminary(frame));
	return true;
}

/*
 * In a recording, while the comparison of two models is not decided, writes the question and their
 * medians at the position: "threads 62.1 ms, processes 61.6 ms at this point". If there is too
 * little room, writes the medians as view_brief_medians() does. Returns false if the session's own
 * sentence says more, or if there is no room.
 */
static bool view_question_replayed(const struct view_frame *frame, char *buf, size_t size)
{
	const struct answer *answer = &frame->cache->answer;
	const char *ends = view_cache_ends(frame);
	int w = frame->canvas->width - 2;
	struct sentence s = sentence_in(buf, size);
	char text[128];

	if (!view_replays(frame) || answer->state != ANSWER_MEASURING ||
	    frame->model->cases[0].plan.leaves[WORK_PROGRAM] > 0 ||
	    !view_brief_medians(frame, text, sizeof(text)))
		return false;
	sentence_add(&s, "%s  ", frame->state->question);
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		char median[48];

		sentence_add(&s, "%s%s %s", i > 0 ? ", " : "",
			     MODEL_CASE_NAME(frame->model, row->case_id),
			     answer_median(answer, row, 0, median));
	}
	/* Leave room for "ends:" and the badge at the end of the recording. */
	if (*ends)
		w -= (int)strlen(VIEW_ENDS) + utf8_columns(ends);
	if (utf8_columns(buf) + 1 + utf8_columns(view_preliminary(frame)) <= w)
		sentence_add(&s, " %s", view_preliminary(frame));
	if (utf8_columns(buf) > w)
		snprintf(buf, size, "%s  %s", frame->state->question, text);
	/* If there is still too little room, drop the words "at this point" at the end. */
	if (utf8_columns(buf) > w)
		buf[strlen(buf) - strlen(view_preliminary(frame)) - 1] = '\0';
	return utf8_columns(buf) <= frame->canvas->width - 2;
}

/*
 * Whether the answer may take the question's place, because it is decided, or is about a sweep or
 * about programs. A question about programs says little.
 */
static bool view_answer_is_enough(const struct view_frame *frame)
{
	const struct model *model = frame->model;

	return frame->cache->headline.decided || curve_swept(model) ||
	       view_compares_programs(model);
}

/*
 * SMALL_LINES: number of lines of a sentence on a small screen. NARROW_W: width below which a
 * screen is narrow.
 */
enum { SMALL_LINES = 2, NARROW_W = 100 };

/* On a small screen, the answer about programs has two lines, because of their names. */
static bool view_names_programs(const struct view_frame *frame)
{
	return view_compares_programs(frame->model) && frame->canvas->width - 2 < NARROW_W;
}

/* Removes the texts in parentheses, and the blank before each of them. */
static void view_drop_brackets(char *text)
{
	char *open, *close;

	while ((open = strstr(text, " (")) != NULL && (close = strchr(open, ')')) != NULL)
		memmove(open, close + 1, strlen(close + 1) + 1);
}

/*
 * Copies the text to buf. If the text has more than SMALL_LINES lines, leaves out the parentheses
 * of its further clauses and then, from the end, the clauses. Returns whether the result fits.
 */
static bool view_fit_lines(const char *text, size_t before, const struct sentence_parts *parts,
			   int w, char *buf, size_t size)
{
	for (int n = parts->n_ends; n >= 0; n--) {
		snprintf(buf, size, "%s", text);
		if (n < parts->n_ends)
			buf[before + parts->begin + parts->ends[n]] = '\0';
		if (n > 0 && text_lines(buf, w) > SMALL_LINES)
			view_drop_brackets(buf + before + parts->begin + parts->ends[0]);
		if (text_lines(buf, w) <= SMALL_LINES)
			return true;
	}
	return false;
}

/*
 * The question, with as many parts of the preliminary answer as fit in the same line or, if
 * view_asks_in_two_lines(), in the next line. If no part fits: the answer alone if
 * view_answer_is_enough(); otherwise the question with the medians of two models, or the question
 * alone.
 */
static const char *view_question(const struct view_frame *frame, char *buf, size_t size)
{
	const struct view_headline *headline = &frame->cache->headline;
	const char *answer = headline->sentence + headline->badge_bytes;
	const int w = frame->canvas->width - 2;
	const char *question = frame->state->question;
	struct sentence s = sentence_in(buf, size);
	char below[HEADLINE_TEXT];
	size_t before;

	if (!view_has_measured(frame->model) && model_replaced(frame->model, 0) == 0)
		return question;
	if (view_question_replayed(frame, buf, size))
		return buf;
	snprintf(below, sizeof(below), "%s", answer);
	if (view_asks_in_two_lines(frame) && sentence_shorten(below, 0, &headline->parts, w)) {
		sentence_add(&s, "%s\n%s", question, below);
		return buf;
	}
	sentence_add(&s, "%s  ", question);
	before = s.used;
	sentence_add(&s, "%s", answer);
	if (sentence_shorten(buf, before, &headline->parts, w))
		return buf;
	if (view_names_programs(frame) && sentence_shorten(below, 0, &headline->parts, w)) {
		snprintf(buf, size, "%s\n%s", question, below);
		return buf;
	}
	snprintf(buf, size, "%s", answer);
	if (view_answer_is_enough(frame) && sentence_shorten(buf, 0, &headline->parts, w))
		return buf;
	if (view_asks_in_two_lines(frame) && view_has_costs(frame) &&
	    view_fit_lines(answer, 0, &headline->parts, w, buf, size))
		return buf;
	if (!view_brief_medians(frame, below, sizeof(below)))
		return question;
	snprintf(buf, size, "%s  %s", question, below);
	if (utf8_columns(buf) > w)
		snprintf(buf, size, "%s\n%s", question, below);
	return buf;
}

/*
 * Height below which a screen is small, and height from which a scene has room for an answer of two
 * lines.
 */
enum { SMALL_H = 24, SCENE_H = 30 };

/*
 * Columns of an answer about creation, a fault or trees. ANSWER_WORDS: its words. ANSWER_FIGURE:
 * each figure, without the model's name. ANSWER_OTHERS: differences in further metrics.
 * ANSWER_SWEEP: all columns of an answer about a sweep.
 */
enum { ANSWER_WORDS = 80, ANSWER_FIGURE = 11, ANSWER_OTHERS = 60, ANSWER_SWEEP = 150 };
/*
 * The same for an answer about a fault. FAULT_WORDS: its words. FAULT_FIGURE: a figure, " 3 of 4,
 * ".
 */
enum { FAULT_WORDS = 62, FAULT_FIGURE = 9 };

/* Whether the first screen shows trees as bands, which do not move when the answer arrives. */
static bool view_shows_bands(const struct view_frame *frame)
{
	return frame->state->view == view_overview.number && frame->model->n_cases > 1 &&
	       view_race_offered(frame) && view_bands_fit(frame->model, 0);
}

/* Whether the Curve view shows a sweep that does not measure creation. */
static bool view_shows_sweep(const struct view_frame *frame)
{
	return frame->state->view == view_curve.number && curve_swept(frame->model) &&
	       !model_has_latency(frame->model);
}

/*
 * The number of lines that the answer of a session about creation, a fault, trees or a sweep will
 * need.
 */
static int view_answer_lines(const struct view_frame *frame, int w)
{
	const struct model *model = frame->model;
	int columns = ANSWER_WORDS, figure = ANSWER_FIGURE;

	if (view_shows_sweep(frame))
		return MIN(SMALL_LINES, (ANSWER_SWEEP + w - 1) / w);
	if (view_race_has_faults(model)) {
		columns = FAULT_WORDS;
		figure = FAULT_FIGURE;
	}
	/* Leave room for differences in further metrics. */
	if (view_shows_bands(frame))
		return MIN(SMALL_LINES, (columns + ANSWER_OTHERS + w - 1) / w);

	/* Leave out a call that creates no task, because it is not in the answer. */
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first_alike(model, i) == i && model->cases[i].plan.primitive != PLAN_CALL)
			columns += utf8_columns(model->cases[i].model) + figure;
	return (columns + w - 1) / w;
}

/*
 * The number of lines for the sentence. While trials are still to come, a sentence that becomes
 * shorter keeps its lines, so that the rows below do not jump at each trial. An answer about
 * creation, a fault, trees or a sweep gets all its lines from the beginning, so that the rows do
 * not jump at the end either.
 */
static int view_sentence_lines(const struct view_frame *frame)
{
	struct view_cache *cache = frame->cache;
	const int w = MAX(1, frame->canvas->width - 2);
	const bool known = model_has_latency(frame->model) || view_race_has_faults(frame->model) ||
			   view_shows_bands(frame) || view_shows_sweep(frame);
	const bool over = model_over(frame->model);
	const bool two_lines = view_asks_in_two_lines(frame);

	if ((over && !known && !two_lines) || (cache->sentence_over && !over) ||
	    cache->sentence_w != w || cache->sentence_view != frame->state->view)
		cache->sentence_lines = 0;
	if (known && !over && !frame->state->hold)
		cache->sentence_lines = MAX(cache->sentence_lines, view_answer_lines(frame, w));
	if (two_lines && !over && !frame->state->hold)
		cache->sentence_lines = MAX(cache->sentence_lines, ASKED_LINES);
	if (view_names_programs(frame) && !over && !frame->state->hold)
		cache->sentence_lines = MAX(cache->sentence_lines, SMALL_LINES);
	/*
	 * A scene is watched as a whole, so its rows must not jump when the answer needs another
	 * line.
	 */
	if (frame->state->lecture.heading && !frame->state->lecture.slide &&
	    frame->canvas->height >= SCENE_H)
		cache->sentence_lines = MAX(cache->sentence_lines, SMALL_LINES);
	cache->sentence_w = w;
	cache->sentence_over = over;
	cache->sentence_view = frame->state->view;
	cache->sentence_lines = MAX(cache->sentence_lines, text_lines(frame->sentence, w));
	return cache->sentence_lines;
}

/*
 * The answer in one line, without the clauses about other metrics and without the second part of
 * the text in parentheses. Returns false if the answer is still longer than a line.
 */
static bool view_answer_in_a_line(const struct view_frame *frame, char *buf, size_t size)
{
	const struct view_headline *headline = frame->headline;
	struct sentence_parts clauses = headline->parts;
	const int w = MAX(1, frame->canvas->width - 2);

	/* The advice in parentheses is all that the answer about a withheld result says. */
	if (headline->state == ANSWER_WITHHELD)
		return false;
	clauses.aside = clauses.aside_end = clauses.detail = 0;
	snprintf(buf, size, "%s", headline->sentence);
	if (utf8_columns(buf) > w)
		sentence_shorten(buf, headline->badge_bytes, &clauses, 0);
	return sentence_shorten_aside(buf, headline->badge_bytes, &headline->parts, w);
}

/*
 * The answer in at most two lines, so that the race or the curve keeps its lines. Leaves out the
 * texts in parentheses first. If `clauses` is set, then leaves out clauses, too, which come last
 * because each clause is a difference. If the result is still too long, returns the whole answer.
 */
static const char *view_brief_answer(const struct view_frame *frame, bool clauses, char *buf,
				     size_t size)
{
	const struct view_headline *headline = frame->headline;
	struct sentence_parts aside = headline->parts;
	const int w = MAX(1, frame->canvas->width - 2);

	if (clauses && view_has_figures(frame) && !view_shows_bands(frame) &&
	    view_answer_in_a_line(frame, buf, size))
		return buf;
	snprintf(buf, size, "%s", headline->sentence);
	aside.n_ends = 0;
	if (text_lines(buf, w) > SMALL_LINES)
		sentence_shorten(buf, headline->badge_bytes, &aside, 0);
	if (text_lines(buf, w) <= SMALL_LINES)
		return buf;
	if (view_has_costs(frame) && view_fit_lines(headline->sentence, headline->badge_bytes,
						    &headline->parts, w, buf, size))
		return buf;
	if (!clauses)
		return headline->sentence;
	snprintf(buf, size, "%s", headline->sentence);
	for (int columns = SMALL_LINES * w; columns > w; columns--) {
		if (text_lines(buf, w) <= SMALL_LINES)
			return buf;
		sentence_shorten(buf, headline->badge_bytes, &headline->parts, columns);
	}
	return headline->sentence;
}

/*
 * Chooses the sentence and lays out the frame. The axis of pairs shows two cases. With more than
 * three cases it is left out, because the sentence is then not about two cases.
 */
static struct layout_frame view_layout(struct view_frame *frame, const struct view_ops *ops, int h)
{
	bool present = frame->state->present;
	struct layout_wish wish = {.main = present || (ops && ops->roomy),
				   .pairs =
					   frame->model->n_cases == 2 || frame->model->n_cases == 3,
				   .bare = frame->state->alone};
	bool without = ops && ops->answers && !present && ops->answers(frame);

	if (ops == &view_memory && !present)
		frame->headline = view_cache_memory(frame->cache, frame->model);
	else
		frame->headline = &frame->cache->headline;
	frame->sentence = frame->headline->sentence;
	if (frame->state->hold)
		frame->sentence = frame->cache->ready;
	else if (view_asks(frame))
		frame->sentence =
			view_question(frame, frame->cache->asked, sizeof(frame->cache->asked));
	else if (view_shows_bands(frame) ||
		 (h <= SMALL_H && ops == &view_overview && view_race_offered(frame)))
		frame->sentence = view_brief_answer(frame, true, frame->cache->asked,
						    sizeof(frame->cache->asked));
	else if (h <= SMALL_H && ops && ops->opens)
		frame->sentence = view_brief_answer(frame, false, frame->cache->asked,
						    sizeof(frame->cache->asked));
	/* Before the session is known, there is no sentence. */
	if (frame->state->live && !frame->model->has_session && !frame->state->question)
		frame->sentence = "";
	if (without) {
		wish.sentence = "";
		wish.lines = 0;
	} else {
		wish.sentence = frame->sentence;
		wish.lines = view_sentence_lines(frame);
	}
	/*
	 * On a small screen, a recording has a line for its clock. A second line of the answer then
	 * takes the hint's line, so that the race keeps all its lanes. After a fault, all models
	 * must be seen at once, so every small screen loses the hint. Bands keep their legend.
	 */
	if (h < SMALL_H && ops == &view_overview && view_race_offered(frame) && wish.lines > 1 &&
	    !view_shows_bands(frame))
		wish.bare |= frame->state->clock.shown || view_race_has_faults(frame->model);
	wish.pairs &= !model_has_faults(frame->model) && !view_race_offered(frame);
	return layout_frame(frame->canvas->width, h, &wish);
}

/* Writes the machine and tuibench's version on a picture, because it may be passed on alone. */
static void view_draw_source(const struct view_frame *frame, struct rect rect)
{
	const struct machine *machine = &frame->model->session.machine;
	struct canvas *canvas = frame->canvas;
	int end = rect.x + rect.w - 1, x;
	char cores[64];

	end = canvas_right(canvas, end, rect.y, DIM, "tuibench " TUIBENCH_VERSION);
	if (frame->model->n_origins > 0 || !frame->model->has_session)
		return;
	x = canvas_text(canvas, rect.x + 1, rect.y, end - rect.x - 3, DIM, machine->cpu);
	if (machine->cores_allowed >= 0 && x + 12 < end)
		canvas_printf(canvas, x, rect.y, end - x - 2, DIM, "%s%s",
			      machine->cpu[0] ? ", " : "",
			      report_cores(cores, sizeof(cores), machine));
}

static void view_draw_all(struct view_frame *frame)
{
	const struct view_ops *ops = views_get(frame->model, frame->state->view);
	struct canvas *canvas = frame->canvas;
	/* During a vote, hide the clock, because its line shows how long each run took. */
	bool timed =
		frame->state->clock.shown && !frame->state->vote && !frame->state->lecture.slide;
	struct rect clock = {0, canvas->height - 2, canvas->width, timed};
	struct rect caption = {0, canvas->height - 1, canvas->width, 0};
	struct layout_frame layout;

	if (frame->state->lecture.speaker) {
		view_lecture_notes(frame);
		return;
	}
	if (clock.y < LAYOUT_LEAST_H)
		clock.h = 0;
	caption.h = view_caption_lines(frame);
	caption.y -= caption.h + clock.h;
	layout = view_layout(frame, ops, caption.y + 1);
	if (layout.ask) {
		canvas_text(canvas, layout.top_line.x, layout.top_line.y, layout.top_line.w,
			    STYLE_BOLD(COLOUR_WARN), "40x12 needed: please enlarge the window");
		return;
	}
	view_top_line_draw(frame, layout.top_line);
	if (frame->state->lecture.slide) {
		layout.body.h = canvas->height - 1 - caption.h - layout.body.y;
		view_lecture_slide(frame, layout.body);
	} else if (frame->state->vote) {
		layout.body.h = canvas->height - clock.h - caption.h - 1 - layout.body.y;
		view_cover_draw(frame, layout.body);
	} else {
		if (frame->state->present)
			view_present_draw(frame, layout.body);
		else if (ops)
			ops->draw(frame, layout.body);
		/* The fastest model is named only after a vote's bars have been uncovered. */
		if (frame->state->hidden <= 0) {
			view_verdict_draw(frame, &layout);
			view_zone_add(frame->shown, (struct view_zone) {layout.sentence, '4',
									UINT32_MAX, METRICS});
		}
	}
	if (clock.h)
		view_clock_draw(frame, clock);
	view_caption_draw(frame, caption);
	layout.keys.y = canvas->height - 1;
	if (frame->state->alone)
		view_draw_source(frame, layout.keys);
	else
		view_keys_draw(frame, layout.keys);
	if (frame->state->help)
		view_help_draw(frame, layout.body);
}

/*
 * Shows the view with the session's answer until the user chooses a view, or if the session lacks
 * the chosen view. Text entry ends when its view is left.
 */
static void view_answer(struct view *view, const struct model *model)
{
	const int was = view->state.view;

	if (!view->state.settled || (model->n_cases > 0 && !views_get(model, was)))
		view->state.view = views_of_session(model);
	view->state.typing &= view->state.view == was;
}

static bool names_are_ascii(const struct model *model)
{
	char name[SAMPLE_NAME];

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (!utf8_is_ascii(model_case_name(model, i, name, sizeof(name))))
			return false;
	return true;
}

enum { NUMBER_BYTES = 8 }; /* Bytes for "~" and a case's number. */

/*
 * Replaces a text of each case by ASCII. offset: position of the text in struct sample_case. If the
 * escapes do not fit, or the result equals another case's text, the text ends in the number of the
 * first case that had the original text.
 */
static void spell_texts(const struct model *model, struct sample_case *cases, size_t offset,
			size_t size)
{
	/* An escape has at most four times as many bytes as the character that it replaces. */
	char whole[4 * SAMPLE_MODEL];

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const char *typed = (const char *)&model->cases[i] + offset;
		char *spelled = (char *)&cases[i] + offset;
		uint32_t first = 0;
		bool unclear;

		while (strcmp((const char *)&model->cases[first] + offset, typed) != 0)
			first++;
		unclear = strlen(utf8_ascii(typed, whole, sizeof(whole))) >= size;
		for (uint32_t k = 0; k < first; k++)
			unclear |= strcmp((char *)&cases[k] + offset, whole) == 0;
		utf8_ascii(typed, spelled, unclear ? size - NUMBER_BYTES : size);
		if (unclear)
			sprintf(spelled + strlen(spelled), "~%u", first + 1);
	}
}

/*
 * A copy of the cases with ASCII names, for terminals that show only ASCII. Every other character
 * becomes an escape. The copy is malloc'ed; NULL if memory is short.
 */
static struct sample_case *spell_cases(const struct model *model)
{
	struct sample_case *cases = reallocarray(NULL, model->n_cases, sizeof(*cases));

	if (!cases)
		return NULL;
	memcpy(cases, model->cases, model->n_cases * sizeof(*cases));
	spell_texts(model, cases, offsetof(struct sample_case, model), SAMPLE_MODEL);
	for (uint32_t k = 0; k < VARIABLES_MOST; k++)
		spell_texts(model, cases, offsetof(struct sample_case, variables.list[k].value),
			    VARIABLE_VALUE);
	return cases;
}

static void draw_names(struct canvas *canvas, const struct model *model, struct view *view)
{
	struct view_frame frame = {
		.canvas = canvas,
		.model = model,
		.whole = model,
		.state = &view->state,
		.shown = &view->shown,
	};

	canvas_clear(canvas);
	view_answer(view, model);
	view_shown_begin(&view->shown, view->state.view);
	if (!view_prepare(view, model)) {
		view_no_memory(canvas, RECT(0, 0, canvas->width, 1));
		return;
	}
	frame.cache = view->cache;
	view_cache_refresh(frame.cache, model, &view->state);
	if (!view->state.picked && model_over(model) && frame.cache->foremost < model->n_cases)
		view->state.chosen = frame.cache->foremost;
	if (!view->state.lecture.blank)
		view_draw_all(&frame);
}

void view_draw(struct canvas *canvas, const struct model *model, struct view *view)
{
	struct model spelled = *model;

	if (canvas->glyphs == GLYPHS_ALL || names_are_ascii(model)) {
		draw_names(canvas, model, view);
		return;
	}
	spelled.cases = spell_cases(model);
	if (!spelled.cases)
		spelled.cases = model->cases;
	draw_names(canvas, &spelled, view);
	if (spelled.cases != model->cases)
		free(spelled.cases);
}

static uint32_t view_worker_named(const struct plan *plan, const char *with)
{
	uint32_t n = (uint32_t)plan_count(plan), found = UINT32_MAX;
	char name[96];

	for (uint32_t i = 0; i < n; i++) {
		plan_name(plan, i, name, sizeof(name));
		if (strcmp(name, with) == 0)
			return i;
		if (found == UINT32_MAX && strncmp(name, with, strlen(with)) == 0)
			found = i;
	}
	return found;
}

/*
 * The index of the first task of a run with this name or thread ID; UINT32_MAX if there is no such
 * task.
 */
static uint32_t view_task_named(const struct model_run *run, const char *name)
{
	char tid[16];

	for (uint32_t i = 0; i < run->n_tasks; i++) {
		const struct sample_task *task = model_task_known(run, i);

		snprintf(tid, sizeof(tid), "%d", task->tid);
		if (strcmp(tid, name) == 0 || strcmp(task->name, name) == 0)
			return i;
	}
	return UINT32_MAX;
}

/*
 * Selects a task of a program in the first case that has such a task. Returns whether there is one.
 */
static bool view_select_task(struct view *view, const struct model *model, const char *name)
{
	struct view_state *state = &view->state;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const uint32_t task = view_task_named(run, name);

		if (task == UINT32_MAX)
			continue;
		view_task_select(&state->folds->cases[run->id.case_id].tasks,
				 &(struct task_row) {.first = task});
		state->chosen = run->id.case_id;
		state->picked = true;
		return true;
	}
	return false;
}

bool view_finds(const struct model *model, const char *name)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (view_worker_named(&model->cases[i].plan, name) != UINT32_MAX)
			return true;
	for (size_t i = 0; i < model->n_runs; i++)
		if (view_task_named(&model->runs[i], name) != UINT32_MAX)
			return true;
	return false;
}

static bool view_runs_programs(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].plan.leaves[WORK_PROGRAM] > 0)
			return true;
	return false;
}

int view_select(struct view *view, const struct model *model, const char *name)
{
	bool found = false;

	if (model->n_cases == 0 || !view_prepare(view, model))
		return -EAGAIN;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t worker = view_worker_named(&model->cases[i].plan, name);

		if (worker == UINT32_MAX)
			continue;
		found = true;
		view->state.folds->cases[i].worker = worker;
		tree_rows_show(view_folds_tree(view->state.folds, i), worker);
	}
	if (found || view_select_task(view, model, name))
		return 0;
	/* A program may still create the task. */
	if (view_runs_programs(model) && !model_over(model))
		return -EAGAIN;
	return -ENOENT;
}

bool view_selected(struct view *view, const struct model *model, uint32_t *worker, char *name,
		   size_t size)
{
	const struct model_run *run = model_running(model);
	const struct tree_rows *tree;
	const struct tree_row *row;

	if (!run || !view->state.folds || run->id.case_id >= view->state.folds->n_cases)
		return false;
	tree = view_folds_tree(view->state.folds, run->id.case_id);
	row = &tree->rows[tree->selected];
	*worker = row->first;
	if (view->state.timeline.order != VIEW_BY_TREE)
		*worker = view->state.folds->cases[run->id.case_id].worker;
	else if (row->group)
		return false;
	if (*worker >= run->n_workers)
		return false;
	plan_name(model_plan(model, run), *worker, name, size);
	return true;
}

static void view_choose(struct view *view, int number)
{
	view->state.view = number;
	view->state.settled = true;
	view->state.scroll = 0;
	view->state.help_scroll = 0;
	view->state.present = false;
	view->state.picked |= view->state.browse;
	view->state.chosen = view_chosen(&view->state, &view->shown);
}

enum { ZOOM_MOST = 1 << 20 };

#define WINDOW_LEAST_NS INT64_C(1000)
#define WINDOW_MOST_NS	INT64_C(100000000000000)

/*
 * Zooms around the view's anchor. An anchor that is not visible moves to the middle of the screen.
 * If the view has no anchor, zooms around the middle of the shown time.
 */
static void view_zoom(struct view_state *state, const struct view_shown *shown, double by)
{
	double place = 0.5, at = state->from + 0.5 / state->zoom;

	if (shown->anchor >= 0) {
		at = shown->anchor;
		place = (at - state->from) * state->zoom;
		if (!(place >= 0 && place <= 1))
			place = 0.5;
	}
	state->zoom = fmin(ZOOM_MOST, fmax(1, state->zoom * by));
	state->from = fmax(0, fmin(1 - 1 / state->zoom, at - place / state->zoom));
}

/*
 * Handles the keys that zoom, and ← and →, while a given time span is shown. The key that fits
 * everything ends this state.
 */
static void view_window(struct view_state *state, int key)
{
	int64_t span = state->window_to_ns - state->window_from_ns, by = 0;
	int64_t middle = state->window_from_ns + span / 2;

	if (key == '+' || key == '-') {
		if (key == '+')
			span = MAX(span / 2, WINDOW_LEAST_NS);
		else
			span = MIN(span * 2, WINDOW_MOST_NS);
		by = MAX(0, middle - span / 2) - state->window_from_ns;
	} else if (key == '=') {
		span = 0;
	} else {
		if (key == KEY_RIGHT_ARROW)
			by = span / 5;
		else
			by = -MIN(span / 5, state->window_from_ns);
	}
	state->window_from_ns += by;
	if (span > 0)
		state->window_to_ns = state->window_from_ns + span;
	else
		state->window_to_ns = 0;
}

static bool view_time(struct view_state *state, const struct view_shown *shown, int key)
{
	const bool zooms = key != KEY_LEFT_ARROW && key != KEY_RIGHT_ARROW;
	const double step = key == KEY_LEFT_ARROW ? -0.2 : 0.2;

	if (state->window_to_ns > 0)
		view_window(state, key);
	else if (key == '+')
		view_zoom(state, shown, 2);
	else if (key == '-')
		view_zoom(state, shown, 0.5);
	else if (zooms)
		view_zoom(state, shown, 0);
	else if (state->zoom > 1)
		state->from = fmax(0, fmin(1 - 1 / state->zoom, state->from + step / state->zoom));
	else
		return false;
	return true;
}

static bool view_close(struct view_state *state)
{
	const bool covered = state->vote || state->present || state->hidden > 0;

	if (state->help)
		return !(state->help = false);
	state->vote = state->present = false;
	state->hidden = 0;
	if (covered || !state->browse || state->view != views_at(0)->number)
		return covered;
	return !(state->browse = false);
}

/*
 * The number of the view that a key names. With Tab, the number of the next view that the session
 * has.
 */
static int number_of_key(const struct model *model, int number, int key)
{
	int by = 1;

	if (key == KEY_BACK_TAB)
		by = -1;
	else if (key != KEY_TAB)
		return key - '0';
	do {
		number += by;
		if (number > VIEW_NUMBERS)
			number = 1;
		if (number < 1)
			number = VIEW_NUMBERS;
	} while (!views_get(model, number));
	return number;
}

bool view_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	struct view_state *state = &view->state;
	const struct view_shown *shown = &view->shown;
	const bool sideways = key == KEY_LEFT_ARROW || key == KEY_RIGHT_ARROW;
	const struct view_ops *ops;
	int number;

	view_answer(view, model); /* Several keys may arrive between two frames. */
	ops = views_get(model, state->view);
	if (!view_prepare(view, model))
		return false;
	state->notice = NULL;
	switch (act) {
	case KEYS_HELP:
		state->help = !state->help;
		state->help_scroll = 0;
		return true;
	case KEYS_SCROLL:
		if (state->lecture.speaker)
			return view_scroll_by(&state->lecture.scroll, shown->most_notes, key);
		return view_scroll_by(&state->help_scroll, shown->most_help, key);
	case KEYS_CLOSE:
		return view_close(state);
	case KEYS_CAPTIONS:
		state->captions = VIEW_CAPTIONS_ON;
		if (shown->captioned)
			state->captions = VIEW_CAPTIONS_OFF;
		return true;
	case KEYS_COVER:
		state->hidden = 0;
		state->vote = !state->vote;
		return true;
	case KEYS_PRESENT:
		state->hidden = 0;
		state->present = !state->present && !state->vote;
		return true;
	case KEYS_VIEW:
		number = number_of_key(model, state->view, key);
		if (views_get(model, number))
			view_choose(view, number);
		else /* Tell the user why this session does not have the view. */
			state->notice = views_get(NULL, number)->absent;
		return true;
	case KEYS_ZOOM:
		return view_time(state, shown, key);
	case KEYS_MEASURE:
		if (1 << state->view != KEYS_CURVE) {
			state->memory =
				metric_next(memory_metrics + (1 << state->view != KEYS_MEMORY),
					    view_measure(state));
			return true;
		}
		break;
	case KEYS_MOVE:
		if (sideways && ops && ops->zooms && view_time(state, shown, key))
			return true;
		break;
	default:
		break;
	}
	if (ops && ops->act && ops->act(view, model, act, key))
		return true;
	/* Before a view has been drawn, its scroll limit is unknown. */
	if (act != KEYS_MOVE || (shown->view == state->view && !shown->scrolls))
		return false;
	return view_scroll_by(&state->scroll,
			      shown->view == state->view ? shown->most_scroll : INT32_MAX / 2, key);
}

const char *view_panel(struct canvas *canvas, const struct model *model, struct view *view,
		       char name[VIEW_PANEL_NAME])
{
	const struct view_state state = view->state;
	const struct view_shown shown = view->shown;
	struct view_folds *folds;
	const struct view_ops *ops;
	const char *text;

	view->state.alone = true;
	view->state.help = view->state.typing = view->state.live = false;
	view->state.captions = VIEW_CAPTIONS_OFF;
	view->state.clock.shown = false;
	view->state.notice = view->state.suggestion = NULL;
	view->state.lecture = (struct view_lecture) {.heading = NULL};
	view_draw(canvas, model, view);
	ops = views_get(model, view->state.view);
	if (view->state.vote)
		text = "vote";
	else if (view->state.present)
		text = "medians";
	else if (ops)
		text = ops->name;
	else
		text = "";
	for (int i = 0; i <= (int)strlen(text); i++)
		name[i] = (char)tolower((unsigned char)text[i]);
	folds = view->state.folds;
	view->state = state;
	view->state.folds = folds;
	view->shown = shown;
	return name;
}

double view_clock_at(const struct view_shown *shown, int x, int y)
{
	const struct rect *clock = &shown->clock;

	if (rect_has(clock, x, y))
		return (double)(x - clock->x) / MAX(1, clock->w - 1);
	return -1;
}

/*
 * Turns a click, or a turn of the wheel, into a key. 0: there is no such key, or the click only
 * selected a row. While the help is open, a click closes it, unless the click is on the label of a
 * key.
 */
int view_mouse(struct view *view, int key, int x, int y)
{
	const struct view_shown *shown = &view->shown;
	int label = key == KEY_MOUSE_PRESS ? keys_label_at(&shown->labels, x, y) : 0;
	int arrow = key == KEY_WHEEL_UP ? KEY_UP_ARROW : KEY_DOWN_ARROW;

	if (label || view->state.typing)
		return label;
	if (view->state.help) {
		if (key == KEY_MOUSE_PRESS)
			return KEY_ESCAPE;
		return arrow;
	}
	for (int i = 0; i < shown->n_zones; i++) {
		const struct view_zone *zone = &shown->zones[i];
		const bool was = view->state.chosen == zone->case_id;
		struct view_list list;
		struct view_case *kept;
		long place;

		if (!rect_has(&zone->rect, x, y) || (key != KEY_MOUSE_PRESS && !zone->pitch))
			continue;
		view->state.picked |= zone->case_id != UINT32_MAX;
		if (zone->case_id != UINT32_MAX)
			view->state.chosen = zone->case_id;
		if (zone->memory != METRICS)
			view->state.memory = zone->memory;
		if (key != KEY_MOUSE_PRESS)
			return arrow;
		if (zone->key || !zone->pitch)
			return zone->key;
		/* A second click on a row acts like Enter, which folds. */
		kept = &view->cache->rows->cases[zone->case_id];
		list = (struct view_list) {
			.kept = kept,
			.fold = &view->state.folds->cases[zone->case_id],
			.tree = view_folds_tree(view->state.folds, zone->case_id),
			.per_row = zone->per_row,
			.tasks = zone->tasks ? &kept->tasks : NULL};
		place = (zone->first + (y - zone->rect.y) / zone->pitch) *
			(long)MAX(1, zone->per_row);
		if (was && view_list_place(&list) == place)
			return KEY_ENTER_KEY;
		view_list_select(&list, place);
		return 0;
	}
	if (key == KEY_MOUSE_PRESS)
		return 0;
	return arrow;
}
