/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <stdio.h>
#include <string.h>

#include "draw/text.h"

/* The part of the help that all views share. */
static const char *const help_common =
	"#Memory, four ways\n"
	"RSS\tResident pages, summed over the processes as top does. A page that eight "
	"processes share counts eight times: too much for processes, right for threads.\n"
	"PSS\tEach page divided by the number of processes that map it. The sum is what the "
	"model really occupies. It leaves out the kernel's share.\n"
	"USS\tPages that no other process maps: what would come back if it ended.\n"
	"kernel\tPage tables, kernel stacks, slab: in none of the other three, about 27 KiB for a "
	"thread, 87 KiB for a process.\n"
	"?\tNot known, and why beside it or in Messages. PSS ? and USS ? of a tree: not read "
	"while tasks are created.\n"
	"#Keys\n"
	"Tab 1…6\tnext view, view by number\n"
	"? h F1\tthis help; Esc closes it\n"
	"↑ ↓ PgUp PgDn\tscroll; Home and End\n"
	"← → f\tother columns, or those of what runs now; in time where it is zoomed\n"
	"+ - =\tzoom time in, out, fit\n"
	"m\tPSS, RSS, USS, kernel\n"
	"Space\tpause: the workers too\n"
	"p\tpresent: the medians in large digits; p again leaves\n"
	"v\tvote: cover times and verdict; Space reveals them\n"
	"r\tone more trial of every model\n"
	"y\twhy: run the experiment that shows the cause, where one is known\n"
	"< >\trecordings: slower, faster; live: the newest run again, in slow motion\n"
	"[ ]\trecordings: the run before, the next one\n"
	", .\trecordings: a step back, forth; ← → Home End go further\n"
	"s\tsave the screen as text and as SVG\n"
	"t\tnext theme\n"
	"Ctrl-L\tdraw everything again\n"
	"q F10\tquit\n";

struct help {
	struct canvas *canvas;
	struct rect inner;
	int term_w;
	int y; /* of the next line, from the first, before scrolling */
	int scroll;
	bool draw;
};

static void help_put(const struct help *h, int x, int w, struct style style, const char *text,
		     int columns)
{
	int y = h->y - h->scroll;

	style.bg = COLOUR_PANEL;
	if (h->draw && y >= 0 && y < h->inner.h)
		canvas_text(h->canvas, h->inner.x + x, h->inner.y + y, columns < w ? columns : w,
			    style, text);
}

static int help_span(const char *text, size_t bytes)
{
	char copy[64];

	snprintf(copy, sizeof(copy), "%.*s", (int)bytes, text);
	return utf8_columns(copy);
}

/* A paragraph up to its newline. Returns what follows. */
static const char *help_paragraph(struct help *h, int x, const char *text)
{
	const char *end = strchrnul(text, '\n');

	while (text < end) {
		const char *begin = text;
		int columns = text_line(text, h->inner.w - x, &text);

		help_put(h, x, h->inner.w - x, STYLE(COLOUR_DEFAULT), begin, columns);
		h->y++;
	}
	return *end ? end + 1 : end;
}

static const char *help_entry(struct help *h, const char *text)
{
	size_t tab = strcspn(text, "\t\n");
	int term = help_span(text, tab);

	if (*text == '#') {
		h->y += h->y > 0;
		help_put(h, 0, h->inner.w, STYLE_BOLD(COLOUR_TITLE), text + 1,
			 help_span(text + 1, tab - 1));
		h->y++;
		return text + tab + 1;
	}
	help_put(h, 0, h->inner.w, STYLE_BOLD(COLOUR_KEY), text, term);
	h->y += term >= h->term_w;
	return help_paragraph(h, h->term_w, text + tab + 1);
}

static void help_draw(struct help *h, const char *text)
{
	while (*text)
		text = help_entry(h, text);
}

/* The texts of all that the view's key may show, then what is common; the height with draw off. */
static int help_pass(struct help *h, const struct view_frame *frame)
{
	const struct view_ops *ops;

	h->y = 0;
	for (size_t i = 0; (ops = views_at(i)); i++)
		if (ops->number == frame->state->view)
			help_draw(h, frame->shown->trees && ops->help_trees ? ops->help_trees
									    : ops->help);
	help_draw(h, help_common);
	return h->y;
}

enum { HELP_W = 92 };

void view_help_draw(const struct view_frame *frame, struct rect body)
{
	struct canvas *canvas = frame->canvas;
	struct style border = {.fg = COLOUR_DIM, .bg = COLOUR_PANEL};
	struct style title = {.fg = COLOUR_TITLE, .bg = COLOUR_PANEL, .attr = ATTR_BOLD};
	int w = body.w < HELP_W ? body.w : HELP_W;
	struct rect box = {body.x + (body.w - w) / 2, body.y, w, body.h};
	struct help h = {.canvas = canvas, .term_w = w < 60 ? 9 : 15};
	int lines, most;

	h.inner = (struct rect) {box.x + 2, box.y + 1, box.w - 4, box.h - 2};
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
	canvas_box(canvas, box, border, "help", title,
		   most > 0 ? "↑↓ scroll  Esc close" : "Esc close");
	h.draw = true;
	h.scroll = frame->state->help_scroll < most ? frame->state->help_scroll : most;
	help_pass(&h, frame);
}
