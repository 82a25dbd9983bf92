/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "model/model.h"
#include "result/report.h"
#include "view_cache.h"

#define LINE_SECOND INT64_C(1000000000)

/*
 * The top line consists of parts, listed by position. If they do not fit, those with the greatest
 * weight are dropped first.
 */

enum { LINE_PARTS = 32 };

struct top_line_part {
	char text[SAMPLE_LABEL * 2];
	struct style style;
	int weight; /* 0: The part is never dropped. */
	bool right;
	int gap;     /* Number of blanks before the part. */
	int columns; /* Width kept for the part, at least that of its text. */
	/*
	 * Length in bytes of the beginning of the text that is also a title on its own. 0: no such
	 * beginning.
	 */
	int brief;
	char narrow[48]; /* Text for a narrow screen. "": the same text. */
};

struct top_line {
	struct top_line_part parts[LINE_PARTS];
	int n;
	bool repeated; /* Some trials do not count and were repeated. */
	/* Trials are replayed. Parts keep a minimum width, so that the others do not move. */
	bool steady;
};

__attribute__((format(printf, 5, 6))) static struct top_line_part *
top_line_add(struct top_line *line, int weight, bool right, struct style style, const char *format,
	     ...)
{
	struct top_line_part *part;
	va_list args;

	line->n = MIN(line->n + 1, LINE_PARTS);
	part = &line->parts[line->n - 1];

	*part = (struct top_line_part) {.style = style, .weight = weight, .right = right, .gap = 2};
	va_start(args, format);
	vsnprintf(part->text, sizeof(part->text), format, args);
	va_end(args);
	part->columns = utf8_columns(part->text);
	return part;
}

/*
 * While trials are replayed, keeps at least this width for the part, so that other parts stay when
 * its text changes.
 */
static void top_line_reserve(const struct top_line *line, struct top_line_part *part, int columns)
{
	if (line->steady)
		part->columns = MAX(part->columns, columns);
}

static int top_line_width(const struct top_line *line)
{
	int width = 0;

	for (int i = 0; i < line->n; i++)
		if (line->parts[i].weight >= 0)
			width += line->parts[i].columns + line->parts[i].gap;
	return width;
}

/*
 * The session's title is shortened before it is dropped, unless fewer than TITLE_LEAST columns
 * would remain or, if it must be cut inside a word, fewer than TITLE_WORD.
 */
enum { TITLE_WEIGHT = 5, TITLE_LEAST = 8, TITLE_WORD = 16 };
/*
 * Either all names stay or none, and either all shapes or none, because a part of them would look
 * like a complete list.
 */
enum { CASES_WEIGHT = 8, SHAPES_WEIGHT = 9 };
/*
 * Dropped before the title. PLAYED_WEIGHT: the number of the played trial (its speed stays), ",
 * decided early", ", nearest to the median time". HINT_WEIGHT: keys that the bottom line shows too.
 */
enum { PLAYED_WEIGHT = 6, HINT_WEIGHT = 7 };
/* The number of trials that do not count, and a trial's number that would mislead without it. */
enum { REPEATED_WEIGHT = 4 };
/* "recorded 28 Nov". The clock's line also shows that this is a recording, but not the day. */
enum { RECORDED_WEIGHT = 4 };
/*
 * Words without which the line can still be read. LEFT_WEIGHT: the time left, or "(3 not counted)".
 * WARNINGS_WEIGHT: warnings, while trials are replayed. BRIEF_WEIGHT: the end of the title, such as
 * "workers". WORD_WEIGHT: "measured", and a recording's year.
 */
enum { LEFT_WEIGHT = 9, WARNINGS_WEIGHT = 8, BRIEF_WEIGHT = 7, WORD_WEIGHT = 7 };
/* Widths kept for "about 5 min left", "▶ trial 12, slowed 200x", "▶ slowed 20x". */
enum { LEFT_W = 16, PLAYED_W = 23, SLOWED_W = 12 };

/* Shortens a title to the beginning that is a title on its own, if it has one. */
static void top_line_shorten(struct top_line_part *part)
{
	if (part->brief == 0)
		return;
	part->text[part->brief] = '\0';
	part->columns = utf8_columns(part->text);
}

/* Replaces a part's text by its text for a narrow screen, if it has one. */
static void top_line_narrow(struct top_line_part *part)
{
	if (part->narrow[0] == '\0')
		return;
	part->columns += utf8_columns(part->narrow) - utf8_columns(part->text);
	snprintf(part->text, sizeof(part->text), "%s", part->narrow);
	if (part->right)
		part->columns = MAX(SLOWED_W, utf8_columns(part->text));
}

static void top_line_draw(struct canvas *canvas, struct rect rect, struct top_line *line)
{
	int x = rect.x + 1, end = rect.x + rect.w - 1, width = rect.w + 1;

	/* Parts of the same weight are dropped together. */
	for (int weight = LINE_PARTS; weight > 0; weight--) {
		if (top_line_width(line) <= width)
			break;
		for (int i = 0; i < line->n && weight == BRIEF_WEIGHT; i++)
			top_line_shorten(&line->parts[i]);
		for (int i = 0; i < line->n && weight == PLAYED_WEIGHT; i++)
			top_line_narrow(&line->parts[i]);
		for (int i = 0; i < line->n && weight == TITLE_WEIGHT; i++) {
			struct top_line_part *part = &line->parts[i];
			int by = top_line_width(line) - width + 1, w = part->columns - by;
			const char *cut, *word;

			if (part->weight != weight || by <= 0 || w < TITLE_LEAST)
				continue;
			cut = utf8_skip(part->text, w - 1);
			/* Cut at a blank, if enough text is left. */
			for (word = cut; word > part->text && *word != ' '; word--)
				;
			while (word > part->text && strchr(" ,+", word[-1]))
				word--;
			if (word - part->text >= 5)
				cut = word;
			else if (w < TITLE_WORD)
				continue;
			snprintf(part->text + (cut - part->text), 4, "…");
			part->columns = utf8_columns(part->text);
		}
		if (top_line_width(line) <= width)
			break;
		for (int i = 0; i < line->n; i++)
			if (line->parts[i].weight == weight)
				line->parts[i].weight = -weight;
	}
	/* Parts dropped after the title may leave room for it. */
	for (int i = 0; i < line->n; i++) {
		if (line->parts[i].weight != -TITLE_WEIGHT)
			continue;
		line->parts[i].weight = TITLE_WEIGHT;
		if (top_line_width(line) > width)
			line->parts[i].weight = -TITLE_WEIGHT;
	}
	for (int i = 0; i < line->n; i++) {
		const struct top_line_part *part = &line->parts[i];

		if (part->weight < 0 || part->right)
			continue;
		if (i)
			x += part->gap;
		canvas_text(canvas, x, rect.y, end - x, part->style, part->text);
		x += part->columns;
	}
	for (int i = line->n - 1; i >= 0; i--) {
		const struct top_line_part *part = &line->parts[i];

		if (part->weight < 0 || !part->right)
			continue;
		end -= part->columns;
		canvas_text(canvas, end, rect.y, part->columns, part->style, part->text);
		end -= part->gap;
	}
}

enum { LINE_CASES = 4 };
/* The time left is shown while at most one in this many trials is repeated. */
enum { LINE_REPEATED = 4 };

static void top_line_cases(struct top_line *line, const struct model *model, int width)
{
	int names = 0;

	for (uint32_t i = 0; i < MIN(model->n_cases, LINE_CASES); i++)
		names += utf8_columns(MODEL_CASE_NAME(model, i)) + 5;
	/*
	 * A case here is a way to create a task at one place, but the screen has one row for each
	 * way. So show neither names nor the number of cases.
	 */
	if (model->n_cases > LINE_CASES && model_has_latency(model))
		return;
	/*
	 * If there are many cases, or their names would leave the other parts no room, show only
	 * the number of cases.
	 */
	if (model->n_cases > LINE_CASES || (model_has_ways(model) && names > width / 2)) {
		top_line_add(line, CASES_WEIGHT, false, PLAIN, "%u cases", model->n_cases);
		return;
	}
	for (uint32_t i = 0; i < model->n_cases; i++) {
		/* If there is too little room, drop the shape, not the name. */
		struct style hue = STYLE_BOLD(view_hue(model, i));
		char shape[UTF8_BYTES];

		utf8_put(view_shape(model, i), shape);
		if (i > 0)
			top_line_add(line, CASES_WEIGHT, false, STYLE(COLOUR_BORDER), " │ ")->gap =
				0;
		else
			top_line_add(line, CASES_WEIGHT, false, PLAIN, "%s", "")->gap = 2;
		top_line_add(line, SHAPES_WEIGHT, false, hue, "%s ", shape)->gap = 0;
		top_line_add(line, CASES_WEIGHT, false, hue, "%s", MODEL_CASE_NAME(model, i))->gap =
			0;
	}
}

/*
 * Estimates the time left for the planned runs: a session may end early, and repeated trials make
 * it longer. -1: unknown, because many trials are repeated and more may follow, or no time is
 * known.
 */
static int64_t top_line_left(const struct model *model, uint32_t trial, uint32_t repeated)
{
	/* Before each model has run once, the time of a run is unknown. */
	const bool all_ran = model_runs_ended(model) >= model->n_cases;

	if (repeated * LINE_REPEATED > trial || !(all_ran || model_sweeps(model)))
		return -1;
	return model_time_left(model);
}

/*
 * Adds the time left. If it is unknown, adds the number of trials that do not count, or nothing if
 * all count. The width is the same in all cases.
 */
static void top_line_add_left(struct top_line *line, const struct view_frame *frame, uint32_t trial,
			      uint32_t repeated)
{
	const int64_t left = top_line_left(frame->model, trial, repeated);
	struct top_line_part *part;

	if (left < 0 && repeated)
		part = top_line_add(line, LEFT_WEIGHT, false, DIM, "(%u not counted)", repeated);
	else if (left < 0)
		part = top_line_add(line, LEFT_WEIGHT, false, DIM, "%s", "");
	else if (left < 100 * LINE_SECOND)
		part = top_line_add(line, LEFT_WEIGHT, false, DIM,
				    frame->state->decides ? "up to %lld s left"
							  : "about %lld s left",
				    (long long)MAX(1, (left + LINE_SECOND / 2) / LINE_SECOND));
	else
		part = top_line_add(line, LEFT_WEIGHT, false, DIM, "about %s left",
				    UNITS_TIME(left, false));
	top_line_reserve(line, part, LEFT_W);
}

/* Adds "3 of 28 measured" or "trial 3 of 28", with a width that is enough for both texts. */
static void top_line_count(struct top_line *line, unsigned long long n, uint32_t trials,
			   bool measured)
{
	const int digits = snprintf(NULL, 0, "%u", trials);
	struct top_line_part *count;

	if (measured) {
		top_line_add(line, 3, false, PLAIN, "%*llu of %u", digits, n, trials);
		top_line_add(line, WORD_WEIGHT, false, PLAIN, " measured")->gap = 0;
		return;
	}
	count = top_line_add(line, 3, false, PLAIN, "trial %llu of %u", n, trials);
	top_line_reserve(line, count, 2 * digits + (int)strlen(" of ") + (int)strlen(" measured"));
}

/* Adds "recorded 28 Nov 2026", without the year on a narrow screen. */
static void top_line_recorded(struct top_line *line, const struct sample_session *session)
{
	static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	const time_t wall = (time_t)session->wall_s;
	struct tm local;

	if (wall <= 0 || !localtime_r(&wall, &local)) {
		top_line_add(line, RECORDED_WEIGHT, false, STYLE(COLOUR_WARN), "recording");
		return;
	}
	top_line_add(line, RECORDED_WEIGHT, false, STYLE(COLOUR_WARN), "recorded %d %s",
		     local.tm_mday, months[local.tm_mon]);
	top_line_add(line, WORD_WEIGHT, false, STYLE(COLOUR_WARN), " %d", 1900 + local.tm_year)
		->gap = 0;
}

/*
 * The number of trials of a recording that count. If its session ended early, more trials were
 * planned.
 */
static uint32_t top_line_recorded_trials(const struct model *model)
{
	const struct model whole = model_as_of(model, model->newest_ns);
	uint32_t trials = 0, repeated = 0;
	size_t first = 0;

	/* The runs of a session are in order, unless several recordings were joined. */
	if (model->n_origins == 0 && model->n_runs > 0)
		first = model->n_runs - 1;
	for (size_t i = first; i < model->n_runs; i++)
		trials = MAX(trials, model->runs[i].id.trial);
	for (uint32_t id = 0; id < model->n_cases; id++) {
		const uint32_t replaced = model_replaced(&whole, id);

		repeated = MAX(repeated, replaced);
	}
	return trials - MIN(trials, repeated);
}

/*
 * Adds "at trial 49 of 64". While the recording is still being read, the number of its trials is
 * unknown, so it is left out.
 */
static void top_line_recorded_count(struct top_line *line, const struct view_frame *frame,
				    uint64_t n)
{
	const uint32_t trials = top_line_recorded_trials(frame->model);
	const int most = snprintf(NULL, 0, "at trial %u of %u", trials, trials);
	struct top_line_part *part;

	if (frame->state->clock.reading) {
		top_line_add(line, 3, false, PLAIN, "at trial %llu", (unsigned long long)n);
		return;
	}
	part = top_line_add(line, 3, false, PLAIN, "at trial %llu of %u", (unsigned long long)n,
			    trials);
	snprintf(part->narrow, sizeof(part->narrow), "%llu of %u", (unsigned long long)n, trials);
	part->columns = MAX(part->columns, most);
}

/*
 * Whether the session ended before all trials because more trials would not change the answer. A
 * MESSAGE_QUICK from before the first run says only how small a difference the session can find.
 */
static bool top_line_decided(const struct model *model)
{
	for (size_t i = 0; i < model->n_messages; i++)
		if (model->messages[i].kind == MESSAGE_QUICK && model->n_runs > 0 &&
		    model->messages[i].time_ns > model->runs[0].begin_ns)
			return true;
	return false;
}

/* The number of trials that count for every configuration. */
static uint32_t top_line_counted(const struct view_frame *frame)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < frame->model->n_cases; i++) {
		const struct view_median median = view_cache_median(frame->cache, frame->model, i);

		least = MIN(least, (uint32_t)median.trials);
	}
	return least;
}

/*
 * Adds the progress to the top line. While a trial is played, top_line_race() shows that trial's
 * number. The progress is then the number of measured trials, not the number of the running trial,
 * because readers would mix up the two.
 */
static void top_line_progress(struct top_line *line, const struct view_frame *frame, bool plays)
{
	const struct model *model = frame->model;
	const bool live = frame->state->live;
	/*
	 * Count the discarded trials as of the time of the sentence below this line, so that both
	 * show the same number.
	 */
	const struct model told = model_as_of(model, MIN(frame->cache->as_of_ns, model->now_ns));
	uint32_t trial = 0, trials, repeated = 0, not_counted = 0;
	const struct model_run *newest = model_newest(model);
	uint64_t done, all;
	bool began;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (run)
			trial = MAX(trial, run->id.trial);
		repeated = MAX(repeated, model_replaced(model, i));
		not_counted = MAX(not_counted, model_replaced(&told, i));
	}
	began = trial > 0;
	/*
	 * Show the trial's number among all trials that count. Add 1 if the newest trial was
	 * discarded: it keeps the number that its repetition will get, so the number never
	 * decreases.
	 */
	trial -= MIN(trial, repeated);
	trial += newest && model_is_replaced(model, newest);
	trials = MAX(trial, model->session.trials);
	line->repeated = repeated > 0;
	if (view_replays(frame))
		top_line_recorded(line, &model->session);
	if (began && view_replays(frame) && !model_over(model)) {
		top_line_recorded_count(line, frame,
					view_cache_median(frame->cache, model, 0).trials);
		if (repeated)
			top_line_add(line, LEFT_WEIGHT, false, DIM, "(%u more not counted)",
				     not_counted);
		return;
	}
	if (began && model_stopped(model) && !top_line_decided(model)) {
		top_line_add(line, 3, false, PLAIN, "%u of %u trials", top_line_counted(frame),
			     model->session.trials);
	} else if (began && trial < trials && model_over(model)) {
		top_line_add(line, 3, false, PLAIN, "%u trial%s", trial, sentence_plural(trial));
		if (top_line_decided(model))
			top_line_add(line, PLAYED_WEIGHT, false, PLAIN, ", decided early")->gap = 0;
	} else if (began && plays && !model_over(model))
		top_line_count(line, view_cache_median(frame->cache, model, 0).trials, trials,
			       true);
	else if (began && repeated && model_over(model))
		/*
		 * Trials were repeated, so the last trial's own number is greater than the number
		 * of trials. So do not write "trial 5 of 5".
		 */
		top_line_add(line, 3, false, PLAIN, "%u of %u trials", trial, trials);
	else if (began && model_over(model))
		top_line_add(line, 3, false, PLAIN, "trial %u of %u", trial, trials);
	else if (began)
		top_line_count(line, trial, trials, false);
	else if (model_running(model) || model_runs_ended(model) > 0)
		top_line_add(line, 3, false, PLAIN, "warm-up");
	else
		top_line_add(line, 3, false, PLAIN, "no run yet");
	if (model_over(model)) {
		if (repeated)
			top_line_add(line, REPEATED_WEIGHT, false, DIM, "(%u more not counted)",
				     repeated);
		if (model_stopped(model) && !top_line_decided(model))
			top_line_add(line, 3, false, STYLE_BOLD(COLOUR_WARN), "stopped");
		else
			top_line_add(line, 3, false, STYLE_BOLD(COLOUR_GOOD), "done");
		if (live && !frame->state->vote && !frame->state->lecture.heading)
			top_line_add(line, HINT_WEIGHT, false, PLAIN, ": r more, q quits")->gap = 0;
	} else if (model_paused(model))
		top_line_reserve(line, top_line_add(line, 4, false, DIM, "paused"), LEFT_W);
	else if (model_preparing(model, &done, &all))
		top_line_reserve(line,
				 top_line_add(line, 4, false, DIM, "prepares %.0f %%",
					      100.0 * (double)done / (double)all),
				 LEFT_W);
	else
		top_line_add_left(line, frame, trial, not_counted);
}

static void top_line_share(struct top_line *line, int weight, const char *name, double share)
{
	struct top_line_part *part;

	/* Keep the width of an unknown share, so that nothing moves when it is known. */
	if (isnan(share)) {
		part = top_line_add(line, weight, true, DIM, "%s", "");
		part->columns = utf8_columns(name) + 6;
		return;
	}
	top_line_add(line, weight, true, DIM, "%s %3.1f %%", name, share * 100);
}

/* Whether the last trial is chosen by when the parents noticed a crash, not by its elapsed time. */
static bool top_line_notices(const struct view_frame *frame)
{
	const struct answer *answer = &frame->cache->answer;
	bool notices = false;

	for (size_t i = 0; i < LENGTH(answer->metrics); i++) {
		if (answer->metrics[i] != METRIC_NOTICED)
			continue;
		for (uint32_t row = 0; row < answer->n_rows; row++)
			notices |= !isnan(answer->rows[row].cells[i].median);
	}
	return notices;
}

/*
 * Writes which trial is played and its speed, as in "▶ trial 3, slowed 20x". In a recording, the
 * titles of the lanes have the trial's number instead. After the last trial: "shown: trial 3,
 * nearest to the median time" or, of a crash, "notice". ▶ or ‖ shows that this is a replay, which
 * moves or is paused.
 */
static void top_line_race(struct top_line *line, const struct view_frame *frame)
{
	const struct view_race *race = &frame->state->race;
	/* Not in reverse video, because no text may be brighter than the answer. */
	const struct style slowed = STYLE_BOLD(COLOUR_WARN);
	const bool ended = race->ns >= race->length_ns;
	const bool counts = model_trial_counts(frame->model, &race->trial);
	const bool plays = race->trial.number > 0;
	const char *mark = "  "; /* As wide as a mark, so that nothing moves when the mark goes. */
	char speed[24] = "", trial[48] = "";
	struct top_line_part *part;

	/* A vote or large digits cover the race. */
	if (frame->state->vote || frame->state->present)
		return;
	if (plays && ended && race->nearest) {
		/*
		 * The trial's number may exceed the number of trials that count. The number of
		 * repeated trials explains that.
		 */
		top_line_add(line, line->repeated ? REPEATED_WEIGHT : 2, true, PLAIN,
			     counts ? "shown: trial %u" : "shown: trial %u, not counted",
			     race->trial.number);
		if (!counts)
			return;
		top_line_add(line, PLAYED_WEIGHT, true, PLAIN, ", nearest to the median %s",
			     top_line_notices(frame) ? "notice" : "time")
			->gap = 0;
		return;
	}
	if (!plays && !race->expected)
		return;
	/* The first trial of a tree stays until the session's end. */
	if (plays && ended && counts && view_bands_fit(frame->model, race->trial.first)) {
		part = top_line_add(line, 2, true, PLAIN, "shown: trial %u", race->trial.number);
		top_line_reserve(line, part, PLAYED_W);
		snprintf(part->narrow, sizeof(part->narrow), "trial %u", race->trial.number);
		return;
	}
	if (race->moves)
		mark = "▶ ";
	else if (plays && !ended)
		mark = "‖ ";
	if (plays && race->slower == 1)
		snprintf(speed, sizeof(speed), "real time");
	else if (plays && race->slower > 1)
		snprintf(speed, sizeof(speed), "slowed %.3gx", race->slower);
	else if (plays)
		snprintf(speed, sizeof(speed), "sped up %.3gx", 1 / race->slower);
	if (plays && !counts)
		snprintf(trial, sizeof(trial), "discarded, ");
	else if (plays && !view_replays(frame))
		snprintf(trial, sizeof(trial), "trial %u, ", race->trial.number);
	/* Keep a width from the session's start on, so that nothing moves when a trial begins. */
	part = top_line_add(line, 2, true, slowed, "%s%s%s", mark, trial, speed);
	top_line_reserve(line, part, PLAYED_W);
	/*
	 * The times of a discarded trial may contradict the answer, so even a narrow screen says
	 * that the trial does not count.
	 */
	if (counts || !plays)
		snprintf(part->narrow, sizeof(part->narrow), "%s%s", mark, speed);
}

/*
 * Adds the title. If "tree 17x17x17: 5,219 tasks" does not fit, it loses the explanation after the
 * colon, not a digit; "6 cpu + 2 io workers" loses its last word. The colons of a command stay.
 */
static void top_line_title(struct top_line *line, const struct model *model)
{
	static const char noun[] = " workers";
	struct top_line_part *title =
		top_line_add(line, TITLE_WEIGHT, false, PLAIN, "%s", model->session.title);
	const char *colon = strstr(title->text, ": ");
	const size_t length = strlen(title->text), noun_length = strlen(noun);
	const struct plan *plan = model->cases ? &model->cases[0].plan : NULL;

	if (!plan || plan->leaves[WORK_PROGRAM] > 0)
		return;
	if (colon && plan->levels > 1)
		title->brief = (int)(colon - title->text);
	else if (length > noun_length && strcmp(title->text + length - noun_length, noun) == 0)
		title->brief = (int)(length - noun_length);
}

/*
 * Adds "!" if there are warnings, and their number; view 6 has their texts. While a session runs,
 * the number is left out, because a later trial may remove a warning.
 */
static void top_line_warnings(struct top_line *line, int n, bool over)
{
	const char *noun = n > 0 ? " warnings" : "";
	struct top_line_part *part;
	char text[16] = "";

	if (n == 0 && !line->steady)
		return;
	if (n > 0)
		snprintf(text, sizeof(text), "!");
	if (n > 0 && over)
		snprintf(text, sizeof(text), "! %d", n);
	/* The sign and its noun have the same weight, so that they are dropped together. */
	part = top_line_add(line, line->steady ? WARNINGS_WEIGHT : 3, false,
			    STYLE_BOLD(COLOUR_WARN), "%s", text);
	top_line_reserve(line, part, (int)strlen("!"));
	if (n == 1 && over)
		noun = " warning";
	part = top_line_add(line, line->steady ? WARNINGS_WEIGHT : 3, false,
			    STYLE_BOLD(COLOUR_WARN), "%s", noun);
	part->gap = 0;
	top_line_reserve(line, part, (int)strlen(" warnings"));
}

/* The top line of a slide, which has no session: the lecture and its time. */
static void top_line_slide(const struct view_frame *frame, struct rect rect)
{
	const struct view_lecture *lecture = &frame->state->lecture;
	struct top_line line = {.n = 0};

	top_line_add(&line, 2, false, STYLE_BOLD(COLOUR_TITLE), "tuibench");
	top_line_add(&line, TITLE_WEIGHT, false, PLAIN, "%s", lecture->title);
	top_line_add(&line, 1, true, STYLE_BOLD(COLOUR_DEFAULT), "%s",
		     UNITS_CLOCK((int64_t)lecture->elapsed_ns));
	top_line_draw(frame->canvas, rect, &line);
}

/* The time since the session began or, in a lecture, since the lecture began. */
static int64_t top_line_time(const struct view_frame *frame)
{
	if (frame->state->lecture.heading)
		return (int64_t)frame->state->lecture.elapsed_ns;
	return frame->model->now_ns;
}

void view_top_line_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	const char *name = frame->state->log_name, *slash = name ? strrchr(name, '/') : NULL;
	bool over = model_over(model), recording = frame->state->live && !over;
	/* After the session, the recording's name is more important than the overhead. */
	int log_weight = over ? 10 : 11;
	const struct view_race *state = &frame->state->race;
	const bool race = 1 << frame->state->view & (KEYS_OVERVIEW | KEYS_TIMELINE);
	/* Long runs are shown live, not replayed, so they need no width for a replayed trial. */
	const bool replays = race && (state->expected || state->trial.number > 0);
	/* While the Overview measures, its top line has no room for a file's name. */
	const bool stage = 1 << frame->state->view == KEYS_OVERVIEW && frame->state->live &&
			   !over && view_race_offered(frame) && !frame->state->present;
	const bool shows_live = stage && !replays && model->n_runs > 0 && !model_paused(model);
	struct top_line line = {.steady = replays && !over};

	if (frame->state->lecture.slide) {
		top_line_slide(frame, rect);
		return;
	}
	top_line_add(&line, 2, false, STYLE_BOLD(COLOUR_TITLE), "tuibench");
	top_line_title(&line, model);
	if (!view_race_offered(frame) || 1 << frame->state->view != KEYS_OVERVIEW)
		top_line_cases(&line, model, rect.w);
	top_line_progress(&line, frame, race && state->trial.number > 0);
	if (replays)
		top_line_race(&line, frame);
	top_line_warnings(&line, frame->cache->n_warnings, over);
	if (shows_live) /* These runs are not slowed down. */
		top_line_add(&line, 2, true, STYLE_BOLD(COLOUR_WARN), "▶ live");
	if (name && !stage) {
		if (recording)
			top_line_add(&line, log_weight, true, STYLE(COLOUR_BAD), "●");
		else
			top_line_add(&line, log_weight, true, DIM, "▸");
		top_line_add(&line, log_weight, true, DIM, " %.40s",
			     slash && slash[1] ? slash + 1 : name)
			->gap = 0;
	}
	if (over)
		top_line_share(&line, 11, "overhead",
			       view_cache_overhead(frame->cache, model, false));
	else
		top_line_share(&line, 10, "overhead", model_load_share(model, false));
	if (model->session.terminal[0])
		top_line_share(&line, 12, model->session.terminal,
			       over ? view_cache_overhead(frame->cache, model, true)
				    : model_load_share(model, true));
	if (!frame->state->clock.shown || frame->state->vote)
		top_line_add(&line, 1, true, STYLE_BOLD(COLOUR_DEFAULT), "%s",
			     UNITS_CLOCK(top_line_time(frame)));
	top_line_draw(frame->canvas, rect, &line);
}

/*
 * Writes a time to the millisecond, "12:03.250". At slow speeds, coarser times would seem to stop.
 */
static void clock_text(char *buf, size_t size, int64_t ns)
{
	snprintf(buf, size, "%s.%03d", UNITS_CLOCK(ns), (int)(ns / 1000000 % 1000));
}

/* Least width of the line, in columns, for all of its words. */
enum { CLOCK_FULL = 60 };

struct clock_bar {
	struct rect rect;
	int64_t whole_ns;
};

static int clock_column(const void *arg, int64_t time_ns)
{
	const struct clock_bar *bar = arg;
	double share = bar->whole_ns > 0 ? (double)time_ns / (double)bar->whole_ns : 0;

	return bar->rect.x + (int)(share * (bar->rect.w - 1) + 0.5);
}

void view_clock_draw(const struct view_frame *frame, struct rect rect)
{
	struct canvas *canvas = frame->canvas;
	const struct model *model = frame->model;
	const struct view_clock *clock = &frame->state->clock;
	struct rect bar = {.y = rect.y, .h = 1};
	const char *state = "\xe2\x96\xb8";
	char at[48], whole[48], right[56], speed[32];
	struct clock_bar whole_bar;
	size_t next;

	clock_text(at, sizeof(at), model->now_ns);
	clock_text(whole, sizeof(whole), model->newest_ns);
	snprintf(right, sizeof(right), " %s ", whole);
	/*
	 * "▸ 1/50x", "▸ 20x", "paused 20x". "paused 1x" would look like a result, so it is shown as
	 * "paused".
	 */
	if (clock->paused && clock->speed == 1)
		*speed = '\0';
	else if (clock->speed < 1)
		snprintf(speed, sizeof(speed), "1/%.0fx", 1 / clock->speed);
	else
		snprintf(speed, sizeof(speed), "%.0fx", clock->speed);
	if (clock->paused && model->now_ns >= model->newest_ns)
		state = "end";
	else if (clock->paused)
		state = "paused";
	bar.x = canvas_printf(canvas, rect.x + 1, rect.y, 14, STYLE_BOLD(COLOUR_WARN), "%s %s",
			      state, speed) +
		2;
	bar.x = MAX(bar.x, rect.x + 10);
	if (clock->live) {
		struct style style = {.fg = COLOUR_WARN, .attr = ATTR_BOLD | ATTR_REVERSE};

		bar.x = canvas_text(canvas, bar.x, rect.y, -1, style,
				    rect.w < CLOCK_FULL ? "not live" : " slow motion, not live ") +
			1;
	}
	bar.x = canvas_text(canvas, bar.x, rect.y, -1, STYLE_BOLD(COLOUR_TITLE), at) + 1;
	if (rect.w >= CLOCK_FULL && !clock->reading)
		bar.x = canvas_text(canvas, bar.x, rect.y, -1, DIM, "runs") + 1;
	/* While the recording grows, so would the line, and the position on it would jump. */
	if (clock->reading) {
		canvas_text(canvas, bar.x, rect.y, -1, DIM, "reading the recording …");
		return;
	}
	bar.w = canvas_right(canvas, rect.x + rect.w, rect.y, DIM, right) - bar.x;
	if (bar.w < 4)
		return;
	frame->shown->clock = bar;
	canvas_hline(canvas, bar.x, rect.y, bar.w, 0x2500, STYLE(COLOUR_BORDER));
	whole_bar = (struct clock_bar) {bar, model->newest_ns};
	for (size_t i = 0; i < model->n_runs; i = next) {
		const struct model_run *run = &model->runs[i];
		int64_t end = MIN(run->end_ns, model->newest_ns);
		int from = clock_column(&whole_bar, run->begin_ns);
		int to = clock_column(&whole_bar, end);

		next = view_next_run(model, i, to, clock_column, &whole_bar);
		canvas_hline(canvas, from, bar.y, to - from + 1, 0x2501,
			     STYLE(view_hue(model, run->id.case_id)));
	}
	canvas_put(canvas, clock_column(&whole_bar, model->now_ns), rect.y, 0x25cf,
		   STYLE_BOLD(COLOUR_TITLE));
}
