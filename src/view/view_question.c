/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "views.h"

/* A screen on which no line of the text fits cannot be agreed on. */
enum { QUESTION_W = 100, UNREADABLE = INT_MAX / 2 };

/* The lines from the one at scroll on; returns how many there are in all. */
static int draw_question_text(struct canvas *canvas, struct rect rect, int scroll, const char *text)
{
	int lines = 0;

	while (*text) {
		const bool opens = strncmp(text, "* ", 2) == 0,
			   command = strncmp(text, "$ ", 2) == 0;
		struct style style = {.fg = opens ? COLOUR_WARN : COLOUR_DEFAULT,
				      .bg = COLOUR_PANEL};
		int indent = opens || command ? 2 : 0;

		if (command)
			style = (struct style) {COLOUR_KEY, COLOUR_PANEL, ATTR_BOLD};
		lines += text_paragraph(canvas, rect, lines - scroll, indent, style, &text);
	}
	return lines;
}

void view_question_draw(struct canvas *canvas, struct view_question *question)
{
	struct style border = {.fg = COLOUR_BORDER, .bg = COLOUR_PANEL};
	struct style title = {.fg = COLOUR_TITLE, .bg = COLOUR_PANEL, .attr = ATTR_BOLD};
	struct style answer = {.fg = COLOUR_DEFAULT, .bg = COLOUR_PANEL, .attr = ATTR_BOLD};
	struct rect box = {0, 0, MIN(canvas->width, QUESTION_W), canvas->height};
	struct rect inner = {2, 1, box.w - 4, box.h - 4}; /* the answer stands below */
	int lines = draw_question_text(NULL, inner, 0, question->text);
	char keys[128];
	bool fits;

	if (lines < inner.h) {
		inner.h = lines;
		box.h = lines + 4;
	}
	box.x = (canvas->width - box.w) / 2;
	box.y = (canvas->height - box.h) / 2;
	inner.x += box.x;
	inner.y += box.y;
	fits = inner.w > 0 && inner.h > 0;
	question->page = inner.h;
	question->most = fits ? MAX(0, lines - inner.h) : UNREADABLE;
	question->scroll = MIN(question->scroll, question->most);
	question->drawn = fits;
	canvas_fill(canvas, box, ' ', border);
	canvas_box(canvas, box, border, question->title, title,
		   question->most > 0 ? "↑↓ scroll" : NULL);
	draw_question_text(canvas, inner, question->scroll, question->text);
	if (question->scroll < question->most)
		snprintf(keys, sizeof(keys), "Enter shows the rest (%d below)   q: no",
			 question->most - question->scroll);
	else
		snprintf(keys, sizeof(keys), "Enter %s   q: no", question->yes);
	canvas_text(canvas, inner.x, box.y + box.h - 2, inner.w, answer, keys);
}

bool view_question_agree(struct view_question *question, int key)
{
	if (view_scroll_by(&question->scroll, question->most, key) || !question->drawn ||
	    (key != KEY_ENTER_KEY && key != question->key))
		return false;
	if (question->scroll == question->most)
		return true;
	question->scroll = MIN(question->most, question->scroll + question->page);
	question->drawn = false;
	return false;
}
