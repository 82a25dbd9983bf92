/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include "text.h"

struct severity {
	uint32_t glyph;
	uint8_t colour;
};

static struct severity messages_severity(enum sample_severity severity)
{
	if (severity == SAMPLE_ERROR)
		return (struct severity) {0x2717, COLOUR_BAD};
	if (severity == SAMPLE_WARNING)
		return (struct severity) {'!', COLOUR_WARN};
	return (struct severity) {0xb7, COLOUR_DIM};
}

/* Columns before the text: time and glyph. */
enum { MESSAGE_TEXT = 9 };

static int message_lines(const struct model_message *message, int width)
{
	int lines = text_lines(message->text, width - MESSAGE_TEXT);

	return lines > 0 ? lines : 1;
}

static void message_draw(struct canvas *canvas, struct rect rect,
			 const struct model_message *message)
{
	struct severity severity = messages_severity(message->severity);
	int seconds = (int)(message->time_ns / 1000000000);
	struct rect text = {rect.x + MESSAGE_TEXT, rect.y, rect.w - MESSAGE_TEXT, rect.h};

	canvas_printf(canvas, rect.x, rect.y, MESSAGE_TEXT, STYLE(COLOUR_DIM), "%02d:%02d",
		      seconds / 60, seconds % 60);
	canvas_put(canvas, rect.x + 7, rect.y, severity.glyph, STYLE_BOLD(severity.colour));
	text_draw(canvas, text,
		  STYLE(message->severity == SAMPLE_INFO ? COLOUR_DEFAULT : severity.colour),
		  message->text);
}

static long messages_by(const struct model *model)
{
	long n = 0;

	while (n < (long)model->n_messages && model->messages[n].time_ns <= model->now_ns)
		n++;
	return n;
}

/* Scrolling counts messages back from the newest, which stands lowest. */
static void messages_draw(struct canvas *canvas, struct rect rect, const struct model *model,
			  struct view_state *state)
{
	struct rect inner = {rect.x + 2, rect.y + 1, rect.w - 4, rect.h - 2};
	long n = messages_by(model), first;
	int y = inner.y, used = 0;

	canvas_box(canvas, rect, STYLE(COLOUR_BORDER), "messages", STYLE_BOLD(COLOUR_TITLE),
		   n ? "newest last" : NULL);
	state->most_scroll = 0;
	if (!n) {
		canvas_text(canvas, inner.x, inner.y, inner.w, STYLE(COLOUR_DIM),
			    "Nothing went wrong so far.");
		return;
	}
	view_scroll_clamp(state, (int)n, 1);
	n -= state->scroll;
	for (first = n; first > 0; first--) {
		used += message_lines(&model->messages[first - 1], inner.w);
		if (used > inner.h)
			break;
	}
	first -= first == n && n > 0;
	for (; first < n && y < inner.y + inner.h; first++) {
		struct rect line = {inner.x, y, inner.w, inner.y + inner.h - y};

		message_draw(canvas, line, &model->messages[first]);
		y += message_lines(&model->messages[first], inner.w);
	}
}

static bool messages_key(struct view_state *state, const struct model *model, int key)
{
	(void)model;
	switch (key) {
	case KEY_UP_ARROW:
		return view_scroll(&state->scroll, KEY_DOWN_ARROW);
	case KEY_DOWN_ARROW:
		return view_scroll(&state->scroll, KEY_UP_ARROW);
	case KEY_PAGE_UP:
		return view_scroll(&state->scroll, KEY_PAGE_DOWN);
	case KEY_PAGE_DOWN:
		return view_scroll(&state->scroll, KEY_PAGE_UP);
	case KEY_HOME_KEY:
		return view_scroll(&state->scroll, KEY_END_KEY);
	case KEY_END_KEY:
		return view_scroll(&state->scroll, KEY_HOME_KEY);
	}
	return false;
}

const struct view_ops view_messages = {
	.name = "Messages",
	.draw = messages_draw,
	.key = messages_key,
};
