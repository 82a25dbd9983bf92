/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "draw/text.h"
#include "topology/topology.h"
#include "view_cache.h"

/*
 * The facts by which a reader judges a session: its machine, the runs, and the sources of its
 * metrics.
 */

enum { LABEL_W = 16, FACTS_LEAST = 3 };

static void say_plan(const struct model *model, struct sentence *s)
{
	const struct sample_session *session = &model->session;
	char stopped[2 * SAMPLE_NAME];

	sentence_add(s, "%s, at most %u trial%s of each", session->title, session->trials,
		     sentence_plural(session->trials));
	if (session->warmup > 0)
		sentence_add(s, " after %u warm-up%s", session->warmup,
			     sentence_plural(session->warmup));
	if (session->seed >= 0)
		sentence_add(s, ", in randomized order (seed %lld)", (long long)session->seed);
	if (*report_stopped(model, stopped, sizeof(stopped)))
		sentence_add(s, ". %s", stopped);
}

/*
 * Writes as many whole words of the command line as fit. The recording and the exports have the
 * whole command line.
 */
static void say_command(const struct model *model, struct sentence *s)
{
	const char *options = model->session.options;
	size_t space = s->size - sizeof(" ...");

	if (strlen(options) <= space) {
		sentence_add(s, "%s", options);
		return;
	}
	while (space > 0 && options[space] != ' ')
		space--;
	sentence_add(s, "%.*s ...", (int)space, options);
}

/* Writes the CPUs if the user chose them: "spread, CPUs 0: 1 core; 0-1: 2 cores". */
static void say_place(const struct model *model, struct sentence *s)
{
	struct topology topology;
	char text[TOPOLOGY_TEXT];

	topology_parse(model->session.topology, &topology);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		uint32_t first = 0;

		while (!CPU_EQUAL(&model->cases[first].cpus, &config->cpus))
			first++;
		if (CPU_COUNT(&config->cpus) == 0 || first < i)
			continue;
		if (s->used)
			sentence_add(s, "; ");
		else
			sentence_add(s, "%s, CPUs ", config->place);
		sentence_add(s, "%s",
			     topology_describe(&topology, &config->cpus, text, sizeof(text)));
	}
}

/*
 * Writes the share of the cores that other programs used or, with `steal`, that the host stole. It
 * is the mean over all counted runs, as in the warning about the same share. The highest share in a
 * run follows.
 */
static void say_share(const struct model *model, struct sentence *s, const char *who, bool steal)
{
	double used = 0, seconds = 0, most = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int share = steal ? run->totals.steal : run->totals.others;

		if (!report_counts(model, run) || share < 0 || run->totals.elapsed_ns <= 0)
			continue;
		used += share / 10.0 * (double)run->totals.elapsed_ns;
		seconds += (double)run->totals.elapsed_ns;
		most = fmax(most, share / 10.0);
	}
	if (seconds > 0)
		sentence_add(s, "%s %.1f %%%s (in one run %.1f %%)", who, used / seconds,
			     steal ? "" : " of the cores", most);
}

enum fact {
	FACT_PLAN,
	FACT_COMMAND,
	FACT_OTHERS,
	FACT_MACHINE,
	FACT_SYSTEM,
	FACT_ENVIRONMENT,
	FACT_PLACE,
	FACT_SOURCE,
	FACT_WAKES,
	FACT_COUNTERS,
	FACT_OVERHEAD,
	FACT_VERSION,
	FACTS
};

static const char *const fact_labels[FACTS] = {
	"what ran",	  "typed",	   "who else ran", "machine",  "system",   "environment",
	"on which cores", "who ran where", "wake-ups",	   "counters", "overhead", "recorded by"};

static const char *fact_text(const struct model *model, enum fact fact, char *buf, size_t size)
{
	const struct sample_session *session = &model->session;
	struct sentence s = sentence_in(buf, size);
	char text[SCHED_TEXT];

	buf[0] = '\0';
	switch (fact) {
	case FACT_MACHINE:
		return report_machine(buf, size, &session->machine);
	case FACT_SYSTEM:
		report_system(session, buf, size);
		break;
	case FACT_PLAN:
		say_plan(model, &s);
		break;
	case FACT_COMMAND:
		say_command(model, &s);
		break;
	case FACT_ENVIRONMENT:
		/*
		 * "nice=0, policy=other, stack=8M". If a value is unusual, there is a warning about
		 * it as well.
		 */
		report_items(&s, session->environment);
		break;
	case FACT_PLACE:
		say_place(model, &s);
		break;
	case FACT_OTHERS:
		say_share(model, &s, "other programs", false);
		say_share(model, &s, s.used ? ", the host" : "the host", true);
		break;
	case FACT_SOURCE:
		if (sched_wanted(model))
			return sched_source(model, NULL, buf, size);
		if (*session->sched)
			sentence_add(&s, "not recorded for this work (-s sched=%s)",
				     session->sched);
		break;
	case FACT_WAKES:
		if (*sched_no_wakes(model, text, sizeof(text)))
			sentence_add(&s, "%s", text);
		else if (strcmp(session->wakes, SAMPLE_WAKES) == 0)
			sentence_add(&s, "the kernel's own, exact");
		break;
	case FACT_COUNTERS:
		sentence_add(&s, "%s",
			     strcmp(session->counters, "user") == 0
				     ? "counted by the processor, for the workers' own work"
				     : session->counters);
		break;
	case FACT_OVERHEAD:
		report_overhead(model, buf, size);
		break;
	case FACT_VERSION:
		sentence_add(&s, "tuibench %s, a sample every %u ms", session->version,
			     session->interval_ms);
		break;
	case FACTS:
		break;
	}
	return buf;
}

static_assert((int)FACTS == (int)VIEW_FACTS, "the cache has room for each fact");

static const char *cached_fact(const struct view_frame *frame, enum fact fact)
{
	struct view_cache *cache = frame->cache;

	for (enum fact i = 0; i < FACTS; i++)
		if (!cache->made_facts)
			fact_text(frame->model, i, cache->facts[i], sizeof(cache->facts[i]));
	cache->made_facts = true;
	return cache->facts[fact];
}

/*
 * Draws as many facts as fit into rect. Returns the number of lines that all facts need. Draws
 * nothing for joined recordings, because these have several sessions.
 */
static int session_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	const char *text;
	int all = 0;

	for (enum fact i = 0; i < FACTS; i++) {
		struct rect place = {rect.x + LABEL_W, rect.y, rect.w - LABEL_W, 0};

		if (!model->has_session || model->n_origins != 0)
			break;
		text = cached_fact(frame, i);
		if (*text)
			place.h = text_lines(text, place.w);
		all += place.h;
		if (place.h == 0 || all > rect.h)
			continue;
		canvas_text(frame->canvas, rect.x, rect.y, LABEL_W, DIM, fact_labels[i]);
		text_draw(frame->canvas, place, PLAIN, text);
		rect.y += place.h;
	}
	return all;
}

static const struct severity {
	uint32_t glyph;
	uint8_t colour;
} severities[] = {
	[SAMPLE_INFO] = {0xb7, COLOUR_DIM},
	[SAMPLE_WARNING] = {'!', COLOUR_WARN},
	[SAMPLE_ERROR] = {0x2717, COLOUR_BAD},
};

/*
 * The column where a message's text begins, after a time such as "1:23:45". In sessions of 10 hours
 * or more, times are a column longer.
 */
static int message_text(const struct model *model)
{
	if (model->newest_ns < 36000 * INT64_C(1000000000))
		return 9;
	return 10;
}

/*
 * An item of the list: first the messages so far, then the warnings, which describe the current
 * state.
 */
struct item {
	/* Time of the message. -1: the item is a warning about the current state. */
	int64_t time_ns;
	enum sample_severity severity;
	/*
	 * Number of equal messages in a row that this item shows. 0: the message is repeated later,
	 * and only the last of the series is shown.
	 */
	long times;
	char text[SAMPLE_TEXT + 32];
};

static bool message_repeats(const struct model *model, long n)
{
	const struct model_message *message = &model->messages[n];

	return n > 0 && message->severity == message[-1].severity &&
	       strcmp(message->text, message[-1].text) == 0;
}

static struct item messages_item(const struct view_frame *frame, long n, long said)
{
	const struct model *model = frame->model;
	struct item item = {-1, SAMPLE_WARNING, 1, ""};

	if (n >= said) {
		snprintf(item.text, sizeof(item.text), "%s", frame->cache->warnings[n - said].text);
		return item;
	}
	item.time_ns = model->messages[n].time_ns;
	item.severity = model->messages[n].severity;
	/* Of a series of equal messages, show only the last message and the number of messages. */
	if (n + 1 < said && message_repeats(model, n + 1))
		item.times = 0;
	else
		while (message_repeats(model, n - item.times + 1))
			item.times++;
	snprintf(item.text, sizeof(item.text), item.times > 1 ? "%s (%ld times)" : "%s",
		 model->messages[n].text, item.times);
	return item;
}

static int message_lines(const struct model *model, const struct item *item, int width)
{
	if (item->times == 0)
		return 0;
	return MAX(1, text_lines(item->text, width - message_text(model)));
}

/*
 * Divides the screen. Below the messages are as many facts about the session as there is room for.
 */
static void messages_split(const struct view_frame *frame, struct rect *messages, long n, long said)
{
	struct rect below = {messages->x, 0, messages->w, 0};
	int needed = 0, lines = session_draw(frame, RECT(0, 0, messages->w - 4, 0));

	for (long i = 0; i < n; i++) {
		struct item item = messages_item(frame, i, said);

		needed += message_lines(frame->model, &item, messages->w - 4);
	}
	needed = MAX(1, needed) + 2;
	below.y = messages->y + needed;
	below.h = MIN(lines + 2, messages->h - needed);

	if (lines == 0 || below.h < FACTS_LEAST + 2)
		return;
	session_draw(frame, view_box(frame->canvas, below, "the session", NULL));
	messages->h = needed;
}

/*
 * Draws the messages, with the newest at the bottom. The scroll position counts back from the
 * newest message.
 */
static void messages_draw(const struct view_frame *frame, struct rect rect)
{
	struct canvas *canvas = frame->canvas;
	const struct model *model = frame->model;
	long said = 0, n, first;
	struct rect inner;
	int y;

	while (said < (long)model->n_messages && model->messages[said].time_ns <= model->now_ns)
		said++;
	n = said + frame->cache->n_warnings;
	messages_split(frame, &rect, n, said);
	inner = view_box(canvas, rect, "messages", n ? "newest last" : NULL);
	y = inner.y;

	if (!n) {
		canvas_text(canvas, inner.x, inner.y, inner.w, DIM,
			    "Nothing has gone wrong so far.");
		return;
	}
	n -= view_scroll_to(frame, (int)n, 1);
	/* Show the last message, and as many messages before it as fit. */
	first = n - 1;
	for (int used = 0; first >= 0 && used <= inner.h; first--) {
		struct item item = messages_item(frame, first, said);

		used += message_lines(model, &item, inner.w);
		if (used > inner.h && first < n - 1)
			break;
	}
	for (long i = first + 1; i < n && y < inner.y + inner.h; i++) {
		struct rect line = {inner.x, y, inner.w, inner.y + inner.h - y};
		struct item item = messages_item(frame, i, said);

		if (item.times > 0) {
			const struct severity severity = severities[item.severity];
			const int at = message_text(model);
			struct rect text = {line.x + at, line.y, line.w - at, line.h};

			if (item.time_ns < 0)
				canvas_text(canvas, line.x, line.y, at, DIM, "  now");
			else
				canvas_printf(canvas, line.x, line.y, at, DIM, "%s",
					      UNITS_CLOCK(item.time_ns));
			canvas_put(canvas, text.x - 2, line.y, severity.glyph,
				   STYLE_BOLD(severity.colour));
			text_draw(canvas, text,
				  STYLE(item.severity == SAMPLE_INFO ? COLOUR_DEFAULT
								     : severity.colour),
				  item.text);
		}
		y += message_lines(model, &item, inner.w);
	}
}

/*
 * Scrolls. The scroll position counts back from the newest message, so every key has the opposite
 * effect.
 */
static bool messages_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	struct view_state *state = &view->state;
	const int most = view->shown.view == state->view ? view->shown.most_scroll : INT16_MAX;
	long by;

	if (act != KEYS_MOVE || !view_list_key(key, &by))
		return false;
	state->scroll = (int)MAX(0, MIN(MIN(state->scroll, most) - (int64_t)by, most));
	return true;
}

static const char messages_help[] =
	"#Messages\n"
	"·\tGood to know.\n"
	"!\tA warning: a value is missing or doubtful.\n"
	"✗\tAn error, and what to do about it.\n"
	"the session\tWhat you need to know to trust the result: the machine, what ran, how each "
	"metric "
	"was measured, and how much of the cores other programs used.\n";

const struct view_ops view_messages = {
	.number = 6,
	.name = "Messages",
	.brief = "Msgs",
	.captions = {"What went wrong, when, and what to do. Below: what you need to know to trust "
		     "the results.",
		     "· good to know   ! a value is missing or doubtful   ✗ an error"},
	.help = messages_help,
	.draw = messages_draw,
	.act = messages_act,
};
