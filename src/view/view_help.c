/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "draw/key.h"
#include "draw/text.h"

static const char help_mouse[] =
	"mouse\tA click on a key presses it; a click on Quit asks first. "
	"A click on a row selects it, and a second click folds it. Click on "
	"a panel, a model's name or its row of results to see more "
	"of it, and on the time axis to go there. The wheel scrolls.\n"
	"Shift drag\tThe terminal selects text to copy.\n";

static const char *const help_common =
	"#Memory, four ways\n"
	"RSS\tResident pages, summed over the processes as top does. A page that eight processes "
	"share counts eight times: too much for processes, right for threads.\n"
	"PSS\tEach page divided by the number of processes that map it. The sum is what the model "
	"really occupies. PSS leaves out the kernel's share.\n"
	"USS\tPages that no other process maps. They would become free if the process ended.\n"
	"kernel\tPage tables, kernel stacks and slab, which the other three leave out. About 27 "
	"KiB for a thread, 87 KiB for a process.\n"
	"?\tNot known; the reason is beside it or in Messages. In a tree, PSS and USS are not read "
	"while tasks are created.\n";

/* The i-th help text: two texts of each view, then the common text. NULL after the last text. */
static const char *help_text_at(size_t i)
{
	const struct view_ops *ops = views_at(i / 2);

	if (!ops && views_at((i - 1) / 2))
		return help_common;
	if (!ops)
		return NULL;
	if (i % 2)
		return sentence_text(ops->help_trees, "");
	return sentence_text(ops->help, "");
}

bool view_term_at(size_t i, struct view_term *term)
{
	const char *text, *next;

	*term = (struct view_term) {"", NULL, NULL};
	for (size_t at = 0; (text = help_text_at(at)); at++)
		for (; *text; text = next) {
			next = text + strcspn(text, "\n");
			next += *next == '\n';
			if (*text == '#') {
				term->heading = text + 1;
			} else if (i-- == 0) {
				term->term = text;
				term->text = text + strcspn(text, "\t\n");
				term->text += *term->text == '\t';
				return true;
			}
		}
	return false;
}

struct help {
	struct canvas *canvas; /* NULL: nothing is drawn, and only the height is measured. */
	struct rect inner;
	int x, w; /* Position and width of a column of text within `inner`. */
	int term_w;
	int y; /* Row of the next line, before it is moved by scrolling. */
	int scroll;
};

static void help_put(const struct help *h, struct style style, const char *text, int columns)
{
	int y = h->y - h->scroll;

	style.bg = COLOUR_PANEL;
	if (h->canvas && y >= 0 && y < h->inner.h)
		canvas_text(h->canvas, h->inner.x + h->x, h->inner.y + y, MIN(columns, h->w), style,
			    text);
}

static int help_span(const char *text, size_t bytes)
{
	char copy[64];

	snprintf(copy, sizeof(copy), "%.*s", (int)bytes, text);
	return utf8_columns(copy);
}

static const char *help_entry(struct help *h, const char *text)
{
	size_t tab = strcspn(text, "\t\n");
	int term = help_span(text, tab);

	if (*text == '#') {
		h->y += h->y > 0;
		help_put(h, STYLE_BOLD(COLOUR_TITLE), text + 1, help_span(text + 1, tab - 1));
		h->y++;
		return text + tab + 1;
	}
	help_put(h, STYLE_BOLD(COLOUR_KEY), text, term);
	h->y += term >= h->term_w;
	text += tab + 1;
	h->y += text_paragraph(
		h->canvas,
		RECT(h->inner.x + h->x + h->term_w, h->inner.y, h->w - h->term_w, h->inner.h),
		h->y - h->scroll, 0, (struct style) {.fg = COLOUR_DEFAULT, .bg = COLOUR_PANEL},
		&text);
	return text;
}

static void help_draw(struct help *h, const char *text)
{
	while (*text)
		text = help_entry(h, text);
}

/* HELP_TWO: least width for two columns of keys. HELP_GAP: columns between them. */
enum { HELP_TWO = 88, HELP_GAP = 3 };

static void help_columns(struct help *h, const char *text)
{
	int top = h->y, bottom = 0, half;
	struct help measure = *h;

	h->w = measure.w = (h->inner.w - HELP_GAP) / 2;
	measure.canvas = NULL;
	measure.y = 1; /* Leave out the blank line before the first heading. */
	help_draw(&measure, text);
	half = top + measure.y / 2;
	while (*text) {
		text = help_entry(h, text);
		if (h->y < half || h->x)
			continue;
		bottom = h->y;
		h->y = top;
		h->x = h->w + HELP_GAP;
	}
	h->y = MAX(h->y, bottom);
	h->x = 0;
	h->w = h->inner.w;
}

/*
 * Writes the names of the row's keys. In a lecture, leaves out the keys that do something else in a
 * lecture.
 */
static void help_names(const struct keys_row *row, bool lecture, char *buf, size_t size)
{
	const char *next = row->keys;
	struct sentence s = sentence_in(buf, size);

	*buf = '\0';
	while (*next) {
		const char *name = next;
		const int key = keys_next(&next);
		const struct keys_row *first = keys_find(NULL, key, KEYS_LECTURE);
		const size_t bytes = strcspn(name, " ");

		if (!lecture || !first || first == row || first->where != KEYS_LECTURE)
			sentence_join(&s, " ", "%.*s", (int)bytes, name);
	}
}

/*
 * Draws the keys under the headings with the indices first … end - 1, in two columns if they fit.
 */
static void help_keys(struct help *h, size_t first, size_t end, bool lecture)
{
	static const char *const headings[] = {"Lecture", "Keys", "Menu", "Search", "Question"};
	const struct keys_row *row;
	char text[8192], names[64];
	size_t at = 0;

	for (size_t i = first; i < end; i++) {
		at += (size_t)snprintf(text + at, sizeof(text) - at, "#%s\n", headings[i]);
		for (size_t j = 0; (row = keys_at(j)); j++) {
			if (!row->does || strcmp(keys_heading(row), headings[i]) != 0)
				continue;
			help_names(row, lecture, names, sizeof(names));
			if (*names)
				at += (size_t)snprintf(text + at, sizeof(text) - at, "%s\t%s\n",
						       names, row->does);
		}
	}
	if (h->w < HELP_TWO)
		help_draw(h, text);
	else
		help_columns(h, text);
}

/*
 * Draws the keys that work outside the menu: first the view's own help, then the help that all
 * views share, then the other keys. Returns the height. Without a canvas, only measures the height.
 */
static int help_pass(struct help *h, const struct view_frame *frame)
{
	const bool lecture = frame->state->lecture.heading != NULL;
	const struct view_ops *ops;

	h->y = 0;
	h->w = h->inner.w;
	help_keys(h, !lecture, 2, lecture);
	help_draw(h, help_mouse);
	for (size_t i = 0; (ops = views_at(i)); i++) {
		if (ops->number != frame->state->view)
			continue;
		if (frame->shown->trees && ops->help_trees)
			help_draw(h, ops->help_trees);
		else
			help_draw(h, ops->help);
	}
	help_draw(h, help_common);
	help_keys(h, 2, 5, false);
	return h->y;
}

enum { HELP_W = 116 };

void view_help_draw(const struct view_frame *frame, struct rect body)
{
	struct canvas *canvas = frame->canvas;
	struct style border = {.fg = COLOUR_DIM, .bg = COLOUR_PANEL};
	struct style title = {.fg = COLOUR_TITLE, .bg = COLOUR_PANEL, .attr = ATTR_BOLD};
	int w = MIN(body.w, HELP_W);
	struct rect box = {body.x + (body.w - w) / 2, body.y, w, body.h};
	struct help h = {.term_w = 15};
	const char *keys = "? or Esc closes";
	int lines, most;

	if (w < 60)
		h.term_w = 9;
	h.inner = RECT(box.x + 2, box.y + 1, box.w - 4, box.h - 2);
	lines = help_pass(&h, frame);
	if (lines < h.inner.h) {
		box.h = lines + 2;
		box.y = body.y + (body.h - box.h) / 2;
		h.inner.y = box.y + 1;
		h.inner.h = lines;
	}
	most = lines - h.inner.h;
	frame->shown->most_help = most;
	canvas_fill(canvas, box, ' ', border);
	if (most > 0)
		keys = "↑↓ scroll  ? or Esc closes";
	canvas_box(canvas, box, border, "help", title, keys);
	h.canvas = canvas;
	h.scroll = MIN(frame->state->help_scroll, most);
	help_pass(&h, frame);
}

enum { QUESTION_W = 100 };

/* Draws the lines of the text from line `scroll` on. Returns the total number of lines. */
static int draw_question_text(struct canvas *canvas, struct rect rect, int scroll, const char *text)
{
	int lines = 0;

	while (*text) {
		struct style style = {.fg = COLOUR_DEFAULT, .bg = COLOUR_PANEL};
		int indent = 2;

		if (strncmp(text, "* ", 2) == 0)
			style.fg = COLOUR_WARN;
		else if (strncmp(text, "$ ", 2) == 0)
			style = (struct style) {COLOUR_KEY, COLOUR_PANEL, ATTR_BOLD};
		else
			indent = 0;
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
	/* Leave room at the bottom for the keys that answer the question. */
	struct rect inner = {2, 1, box.w - 4, box.h - 4};
	int lines = draw_question_text(NULL, inner, 0, question->text);
	const char *scrolls = NULL;
	char keys[128];

	if (lines < inner.h) {
		inner.h = lines;
		box.h = lines + 4;
	}
	box.x = (canvas->width - box.w) / 2;
	box.y = (canvas->height - box.h) / 2;
	inner.x += box.x;
	inner.y += box.y;
	question->page = inner.h;
	question->most = MAX(0, lines - inner.h);
	question->scroll = MIN(question->scroll, question->most);
	/* If the screen is too small for any line of the text, the user cannot agree. */
	question->drawn = inner.w > 0 && inner.h > 0;
	canvas_fill(canvas, box, ' ', border);
	if (question->most > 0)
		scrolls = "↑↓ scroll";
	canvas_box(canvas, box, border, question->title, title, scrolls);
	draw_question_text(canvas, inner, question->scroll, question->text);
	if (!question->drawn)
		snprintf(keys, sizeof(keys), "Please enlarge the window   q: no");
	else if (question->scroll < question->most)
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
