/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <string.h>

#include "draw/text.h"

/*
 * A line that begins with '#' is a heading. Otherwise what stands before a tab is a term, which
 * gets a column of its own.
 */
static const char *const help_overview =
	"#Overview\n"
	"cores\tLoad of every core over time; one core = 100 %. From below: time in programs "
	"(user), in the kernel (system), waiting for a disk (I/O wait), taken by the host of a "
	"virtual machine (steal). Many cores share a row: the shade says how busy.\n"
	"column\tOne model. Its newest run, from its first create call to its last join. All "
	"columns share one time axis and one scale of memory, so what differs in the picture "
	"differs in the world.\n"
	"╌╌╌\tcreated: waits for its first instruction, in sets at the gate\n"
	"╺━━\trunning, cpu work\n"
	"╺══\trunning, io work\n"
	"╺──\trunning, other work, or a task that only creates others\n"
	"┈┈┤\tfinished, and not yet joined by its creator; ┤ joined\n"
	"✗\tfailed, crashed or refused, and why: a signal or an errno\n"
	"figure\tat a worker's right: from its first to its last instruction\n"
	"created in\tfrom the first create call to the last one's return\n"
	"yielded\tcontext switches by choice: the worker had to wait\n"
	"preempted\tforced ones: another task got its core\n"
	"faults\tpages that had to be mapped on first use\n"
	"sentence\tWho needed less time, and whether that is real: the 95 % interval of the "
	"ratio of pairs (Wilcoxon's signed ranks) leaves 1 out. With fewer than six pairs there "
	"is none.\n";

static const char *const help_tree =
	"#Overview of a tree\n"
	"alive\tHow many exist over time, level upon level: the outermost below, the leaves in the "
	"model's hue. One scale for all columns.\n"
	"▸ ▾\tA branch with all below it, or a group of many; Enter unfolds and folds it, down to "
	"single workers; * all of them.\n"
	"░▒▓█\thow many of the row's workers exist in that cell of time: · few, █ nearly all. "
	"The colour is what most of them do: being created, running, or finished and waiting "
	"for their creator to join them.\n"
	"rate\thow many were created in a cell of time, the most as a figure\n"
	"create\ttime within the call that creates a worker; start: until its first "
	"instruction; work: from its first to its last; join: until it was joined. Of all "
	"workers the median, and what 99 % of them stay below.\n"
	"alive at once\tA worker without work ends before the next ones are created, so of "
	"5,000 about a hundred exist together. --all-alive keeps them until the whole tree "
	"stands.\n"
	"c\tchooses the column in which rows are moved, where the trees differ in shape\n"
	"sentence\tWho needed less time, and whether that is real: the 95 % interval of the "
	"ratio of pairs (Wilcoxon's signed ranks) leaves 1 out. With fewer than six pairs there "
	"is none.\n";

static const char *const help_timeline =
	"#Timeline\n"
	"╌┄━┈┤\tcreate call to first instruction, at the gate, work (━ cpu, ═ io, ─ other), "
	"finished, joined\n"
	"◂ ▸\tit lies before, or after, the time shown\n"
	"░▒▓█\ta row of many: how many of them exist, in the colour of what most do\n"
	"o\torder of the rows: by name, as the tree folds, or by creation, start, duration (the "
	"longest "
	"first) or finish\n"
	"Enter *\tunfold and fold; in an order: single workers, or so many a row that all "
	"fit\n"
	"z Z\tin an order: fewer workers a row, more\n"
	"/ n N\tsearch by name (4.2: what begins so) or tid; the next, the previous\n"
	"c\tthe next model\n"
	"+ -\tzoom time around the selected worker\n"
	"at the right\tThe selected worker: when its create call began; since then its return "
	"and its first instruction; its last instruction since the first, its join since the "
	"last. Its cores, usage and result; below, all workers of its level or branch.\n";

static const char *const help_memory =
	"#Memory\n"
	"lines\tOne a model, in its hue. All plots share the time axis; each has its own scale, "
	"which stands at its left.\n"
	"gap ?\tNothing was sampled: PSS and USS are not read while tasks are created, since that "
	"would slow them, and a run may be over before it can be read. --all-alive keeps a tree's "
	"tasks until they were.\n"
	"~\tan estimate from some of the processes\n";

static const char *const help_results =
	"#Results\n"
	"○\tone trial (along the ratio: one pair of trials)\n"
	"●\tthe median (of a ratio: the Hodges-Lehmann estimate)\n"
	"━\tits 95 % interval; it takes six trials\n"
	"ratio\tBelow 1 the first named needed less. Real: the interval leaves 1 out.\n"
	"medians\tover the counted trials; warm-ups, failed and paused runs are left out\n"
	"all runs\teach run in the order it ran\n";

static const char *const help_curve =
	"#Curve\n"
	"lines\tOne a model, through the medians of its trials, over what the session varies. "
	"Where it varies more than one thing, one a model and what else varies.\n"
	"dotted\tfrom the least of the trials to the most\n"
	"gap\tNo trial has been measured there.\n"
	"×\tTwo lines cross. Bold: the lead is real on both sides, and ━ on the axis shows between "
	"which values it changes hands. Dim: chance may have done it.\n"
	"ahead by\tHow much less the leader's median is than the next one; in its hue where the "
	"pairs of trials make that real against every other line, \"none\" where they do not.\n"
	"m\telapsed time, CPU time, memory (PSS + kernel), time to create\n"
	"w\tthe next kind of work, where that varies too: different work does not compare\n"
	"l L\tthe y and the x axis: linear or logarithmic. At first what suits the values; values "
	"that are no numbers stand side by side.\n"
	"#Curve of creation\n"
	"rows\tOne a way to create a task, and what its creator had touched of memory before. "
	"One logarithmic axis of time for all.\n"
	"caller\tfrom the call until it returns to who called it\n"
	"task\tfrom the call to the first instruction of the task; of a program, of its main\n"
	"▁█\tHow many creations took so long, by the row's highest; even a single one shows.\n"
	"┃ ╎ │\tp50, p90, p99: half, 90 %, 99 % of them were faster\n"
	"first\tthe first creation of each run, which is in none of the others: their median\n"
	"the clock itself\twhat reading it takes, which every figure contains\n"
	"Sysel 2020\twhat his paper says of his machine, from 1.3 to 3.4 GHz\n"
	"m\tto the caller and the task, where there is room for both; one of them; until joined\n";

static const char *const help_messages = "#Messages\n"
					 "·\tworth knowing\n"
					 "!\ta warning: a figure is missing or doubtful\n"
					 "✗\tan error, and what to do\n";

static const char *const help_common =
	"#Memory, four ways\n"
	"RSS\tResident pages, summed over the processes as top does. A page that eight "
	"processes share counts eight times: too much for processes, right for threads.\n"
	"PSS\tEach page divided by the number of processes that map it. The sum is what the "
	"model really occupies. It leaves out the kernel's share.\n"
	"USS\tPages that no other process maps: what would come back if it ended.\n"
	"kernel\tPage tables and kernel stacks, in none of the other three: about 20 KiB for a "
	"thread, 80 KiB for a process.\n"
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
	"r\tone more trial of every model\n"
	"< >\trecordings: slower, faster; live: the newest run again, in slow motion\n"
	"[ ]\trecordings: the run before, the next one\n"
	", .\trecordings: a step back, forth; ← → Home End go further\n"
	"s\tsave the screen as text and as SVG\n"
	"t\tnext theme\n"
	"Ctrl-L\tdraw everything again\n"
	"q F10\tquit\n";

static const char *help_text(const struct view_state *state)
{
	switch (state->view) {
	case VIEW_OVERVIEW:
		return state->trees ? help_tree : help_overview;
	case VIEW_TIMELINE:
		return help_timeline;
	case VIEW_MEMORY:
		return help_memory;
	case VIEW_RESULTS:
		return help_results;
	case VIEW_CURVE:
		return help_curve;
	case VIEW_MESSAGES:
		return help_messages;
	default:
		return "";
	}
}

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

	if (bytes >= sizeof(copy))
		bytes = sizeof(copy) - 1;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return canvas_columns(copy);
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

/* Both texts one below the other; the height with draw off. */
static int help_pass(struct help *h, const struct view_state *state)
{
	h->y = 0;
	for (const char *text = help_text(state); *text;)
		text = help_entry(h, text);
	for (const char *text = help_common; *text;)
		text = help_entry(h, text);
	return h->y;
}

enum { HELP_W = 92 };

void view_help_draw(struct canvas *canvas, struct rect body, struct view_state *state)
{
	struct style border = {.fg = COLOUR_DIM, .bg = COLOUR_PANEL};
	struct style title = {.fg = COLOUR_TITLE, .bg = COLOUR_PANEL, .attr = ATTR_BOLD};
	int w = body.w < HELP_W ? body.w : HELP_W;
	struct rect box = {body.x + (body.w - w) / 2, body.y, w, body.h};
	struct help h = {.canvas = canvas, .term_w = w < 60 ? 9 : 15};
	int lines;

	h.inner = (struct rect) {box.x + 2, box.y + 1, box.w - 4, box.h - 2};
	lines = help_pass(&h, state);
	if (lines < h.inner.h) {
		box.h = lines + 2;
		box.y = body.y + (body.h - box.h) / 2;
		h.inner.y = box.y + 1;
		h.inner.h = lines;
	}
	if (state->help_scroll > lines - h.inner.h)
		state->help_scroll = lines - h.inner.h;
	canvas_fill(canvas, box, ' ', border);
	canvas_box(canvas, box, border, "help", title,
		   lines > h.inner.h ? "↑↓ scroll  Esc close" : "Esc close");
	h.draw = true;
	h.scroll = state->help_scroll;
	help_pass(&h, state);
}
