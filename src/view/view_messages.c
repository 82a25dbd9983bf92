/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "draw/text.h"
#include "view_cache.h"

static const struct severity {
	uint32_t glyph;
	uint8_t colour;
} severities[] = {
	[SAMPLE_INFO] = {0xb7, COLOUR_DIM},
	[SAMPLE_WARNING] = {'!', COLOUR_WARN},
	[SAMPLE_ERROR] = {0x2717, COLOUR_BAD},
};

/* Columns before the text: time and glyph. */
enum { MESSAGE_TEXT = 9 };

/* The messages so far, and behind them the warnings, which are always about now. */
struct item {
	int64_t time_ns; /* -1: now */
	enum sample_severity severity;
	const char *text;
	long times; /* it was said one after the other; 0: it is said again, and shown then */
};

/* The message says the same as the one before it. */
static bool message_repeats(const struct model *model, long n)
{
	const struct model_message *one = &model->messages[n];

	return n > 0 && one->severity == one[-1].severity && strcmp(one->text, one[-1].text) == 0;
}

static struct item messages_item(const struct view_frame *frame, long n, long said)
{
	const struct model *model = frame->model;
	struct item item = {-1, SAMPLE_WARNING, NULL, 1};

	if (n >= said) {
		item.text = frame->cache->warning[n - said];
		return item;
	}
	item = (struct item) {model->messages[n].time_ns, model->messages[n].severity,
			      model->messages[n].text, 1};
	/* only the last of a row counts the others */
	if (n + 1 < said && message_repeats(model, n + 1))
		item.times = 0;
	else
		while (message_repeats(model, n - item.times + 1))
			item.times++;
	return item;
}

static char *item_text(const struct item *item, char *buf, size_t size)
{
	if (item->times > 1)
		snprintf(buf, size, "%s (%ld times)", item->text, item->times);
	else
		snprintf(buf, size, "%s", item->text);
	return buf;
}

static int message_lines(const struct item *item, int width)
{
	char text[SAMPLE_TEXT + 32];

	if (item->times == 0)
		return 0;
	return MAX(1, text_lines(item_text(item, text, sizeof(text)), width - MESSAGE_TEXT));
}

/* The first of n items of which the last is to be seen, and as many before it as fit. */
static long messages_first(const struct view_frame *frame, struct rect inner, long n, long said)
{
	long first = n;

	for (int used = 0; first > 0; first--) {
		struct item item = messages_item(frame, first - 1, said);

		used += message_lines(&item, inner.w);
		if (used > inner.h)
			break;
	}
	return first - (first == n && n > 0);
}

/* What the session is stands below the messages where there is room for all of it. */
static void messages_split(const struct view_frame *frame, struct rect *messages, long n, long said)
{
	int needed = 0, lines = view_session_lines(frame, messages->w - 4);
	struct rect below = {messages->x, 0, messages->w, lines + 2};

	for (long i = 0; i < n; i++) {
		struct item item = messages_item(frame, i, said);

		needed += message_lines(&item, messages->w - 4);
	}
	needed = MAX(1, needed) + 2;
	below.y = messages->y + needed + 1;

	if (lines == 0 || needed + 1 + below.h > messages->h)
		return;
	view_session_draw(frame, view_box(frame->canvas, below, "the session", NULL));
	messages->h = needed;
}

/* Scrolling counts messages back from the newest, which stands lowest. */
static void messages_draw(const struct view_frame *frame, struct rect rect)
{
	struct canvas *canvas = frame->canvas;
	const struct model *model = frame->model;
	long said = 0, n;
	struct rect inner;
	int y;

	while (said < (long)model->n_messages && model->messages[said].time_ns <= model->now_ns)
		said++;
	n = said + frame->cache->n_warnings;
	messages_split(frame, &rect, n, said);
	inner = view_box(canvas, rect, "messages", n ? "newest last" : NULL);
	y = inner.y;

	if (!n) {
		canvas_text(canvas, inner.x, inner.y, inner.w, STYLE(COLOUR_DIM),
			    "Nothing went wrong so far.");
		return;
	}
	n -= view_scroll_to(frame, (int)n, 1);
	for (long i = messages_first(frame, inner, n, said); i < n && y < inner.y + inner.h; i++) {
		struct rect line = {inner.x, y, inner.w, inner.y + inner.h - y};
		struct item item = messages_item(frame, i, said);

		if (item.times > 0) {
			const struct severity severity = severities[item.severity];
			int seconds = (int)(item.time_ns / 1000000000);
			struct rect text = {line.x + MESSAGE_TEXT, line.y, line.w - MESSAGE_TEXT,
					    line.h};
			char words[SAMPLE_TEXT + 32];

			if (item.time_ns < 0)
				canvas_text(canvas, line.x, line.y, MESSAGE_TEXT, STYLE(COLOUR_DIM),
					    "  now");
			else
				canvas_printf(canvas, line.x, line.y, MESSAGE_TEXT,
					      STYLE(COLOUR_DIM), "%02d:%02d", seconds / 60,
					      seconds % 60);
			canvas_put(canvas, line.x + 7, line.y, severity.glyph,
				   STYLE_BOLD(severity.colour));
			text_draw(canvas, text,
				  STYLE(item.severity == SAMPLE_INFO ? COLOUR_DEFAULT
								     : severity.colour),
				  item_text(&item, words, sizeof(words)));
		}
		y += message_lines(&item, inner.w);
	}
}

/* Back from the newest, so each key turns round. */
static bool messages_act(struct view_state *state, const struct view_input *input,
			 enum keys_act act, int key)
{
	static const int turned[][2] = {{KEY_UP_ARROW, KEY_DOWN_ARROW},
					{KEY_PAGE_UP, KEY_PAGE_DOWN},
					{KEY_HOME_KEY, KEY_END_KEY}};

	for (size_t i = 0; act == KEYS_MOVE && i < sizeof(turned) / sizeof(turned[0]); i++)
		for (int j = 0; j < 2; j++)
			if (key == turned[i][j])
				return view_scroll(state, input->shown, turned[i][!j]);
	return false;
}

static const char messages_help[] =
	"#Messages\n"
	"·\tGood to know.\n"
	"!\tA warning: a figure is missing or doubtful.\n"
	"✗\tAn error, and what to do about it.\n"
	"the session\tWhat you need to know to trust it: the machine, what ran, how each figure "
	"was measured, and how much of the cores other programs used.\n";

const struct view_ops view_messages = {
	.number = 6,
	.name = "Messages",
	.brief = "Msgs",
	.captions = {"What went wrong, when, and what to do. Below: what makes the figures of this "
		     "session doubtful.",
		     "· good to know   ! a figure is missing or doubtful   ✗ an error"},
	.help = messages_help,
	.draw = messages_draw,
	.act = messages_act,
};
