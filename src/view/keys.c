/* SPDX-License-Identifier: MIT */
#include "view/keys.h"

#include <string.h>

#include "base/array.h"
#include "draw/key.h"

#define ZOOMED	  (KEYS_OVERVIEW | KEYS_TIMELINE | KEYS_MEMORY)
#define KEYS_ROWS (KEYS_OVERVIEW | KEYS_TIMELINE)
#define MOVES	  "↑ ↓ PgUp PgDn Home End"

static const struct keys_row keys_rows[] = {
	{"Enter", KEYS_MENU, KEYS_CHOOSE,
	 "Run the experiment, or play the recording. Press the key twice to end a running session.",
	 0, "Run"},
	{MOVES, KEYS_MENU, KEYS_MOVE_MENU, "Select another row, or another line of choices.", 2,
	 "Choose", .tag = 2},
	{"← →", KEYS_MENU, KEYS_MOVE_MENU,
	 "Change the choice; ← on the first choice returns to the list.", 3, "Change", .tag = 2},
	{"Tab Shift-Tab", KEYS_MENU, KEYS_MOVE_MENU,
	 "Go to the next or the previous line: list, models, size, trials.", 4, "Next line"},
	{"Esc e", KEYS_MENU, KEYS_CLOSE_MENU, "Close the menu.", 4, "Close"},
	{"c", KEYS_MENU, KEYS_COPY,
	 "Copy the command line to the clipboard, and print it at the end.", 5, "Copy"},

	{"Enter", KEYS_TYPING, KEYS_FOUND, "Find the worker.", 0, "Find"},
	{"Esc", KEYS_TYPING, KEYS_CANCEL, "Cancel the search.", 0, "Cancel"},

	{"Enter y", KEYS_QUESTION, KEYS_AGREE,
	 "Agree. y agrees only if y opened the question. In a long question, the key first scrolls "
	 "to the end."},
	{"q n Esc F10", KEYS_QUESTION, KEYS_REFUSE, "Refuse."},
	{MOVES, KEYS_QUESTION, KEYS_MOVE_QUESTION, "Scroll."},

	{"q F10", KEYS_SESSION | KEYS_OPEN | KEYS_VOTE | KEYS_SLIDE | KEYS_MENU, KEYS_QUIT,
	 "Quit and print the answer.", 0, "Quit"},
	/* In a lecture too, PgDn and PgUp scroll the help while it is open. */
	{MOVES, KEYS_OPEN, KEYS_SCROLL},
	{"PgDn", KEYS_LECTURE, KEYS_NEXT_SCENE,
	 "Show the next scene, or start or reveal a vote. Press the key twice to leave a scene "
	 "that "
	 "is still measuring.",
	 1, "Next scene", .brief = "Next"},
	{"PgUp", KEYS_LECTURE, KEYS_PREVIOUS_SCENE, "Show the previous scene again.", 2, "Back"},
	{"Space", KEYS_LECTURE, KEYS_PAUSE,
	 "Like PgDn: show the next scene, or start or reveal a vote. It does not pause."},
	{".", KEYS_LECTURE, KEYS_BLANK, "Blank the screen until the next key."},
	{"n", KEYS_LECTURE, KEYS_NOTES,
	 "Show how to open the speaker's notes in a second terminal.", 1, "Notes"},
	{"Space", KEYS_SESSION | KEYS_VOTE, KEYS_PAUSE,
	 "Pause the session and its workers. The key also starts a held session, reveals a vote, "
	 "stops a replay, and at the end plays the race again.",
	 2, "Pause"},
	{"< >", KEYS_SESSION, KEYS_SPEED,
	 "Play the race of all models slower or faster. In a recording of long runs, play the "
	 "session slower or faster.",
	 3, "Speed", .tag = 2},
	{"[ ]", KEYS_SESSION, KEYS_RUN, "Play the previous or the next trial.", 4, "Trial",
	 .tag = 2},
	{", .", KEYS_SESSION, KEYS_STEP, "Stop the race and step back or forward."},
	{"Home End", KEYS_REPLAY, KEYS_SEEK, "Go to the start or the end of a replay."},
	{"Esc", KEYS_SESSION | KEYS_OPEN, KEYS_CLOSE,
	 "Close help or vote, and follow the race again. Esc never quits.", 0, "Close"},
	{"y", KEYS_SESSION, KEYS_WHY,
	 "Offer an experiment that shows why the models differ, and run it if you agree.", 2,
	 "Why"},
	{"E", KEYS_SESSION, KEYS_NEXT,
	 "Run the next experiment of the menu. While a session runs, open the menu.", 2, "Next"},
	{"e", KEYS_SESSION | KEYS_SLIDE, KEYS_OPEN_MENU, "Open the menu and choose what to run.", 3,
	 "Menu"},
	{"r", KEYS_SESSION, KEYS_MORE, "Run one more trial of every model.", 4, "Once more",
	 .brief = "More"},
	{"x", KEYS_SESSION, KEYS_CRASH, "Crash the selected worker: press twice."},
	{"p", KEYS_SESSION, KEYS_PRESENT, "Show the medians in large digits.", 10, "Large"},
	{"v", KEYS_SESSION | KEYS_VOTE, KEYS_COVER, "Cover the result for a vote.", 11, "Vote"},
	{"Enter", KEYS_ROWS, KEYS_FOLD, "Fold or unfold the selected row.", 3, "Fold"},
	{"*", KEYS_ROWS, KEYS_FOLD_ALL, "Fold or unfold all rows.", 4, "All"},
	{"k", KEYS_ROWS, KEYS_CORES,
	 "Switch between workers and cores. In the Overview, also show the load of the cores.", 3,
	 "Cores"},
	{"/", KEYS_TIMELINE, KEYS_SEARCH, "Search for a worker by name or thread ID.", 3, "Search"},
	{"n N", KEYS_TIMELINE, KEYS_FIND, "Find the next or the previous worker."},
	{"o", KEYS_TIMELINE, KEYS_ORDER,
	 "Order the rows by name, creation, start, duration (longest first) or finish.", 3,
	 "Order"},
	{"c", KEYS_ROWS | KEYS_MEMORY, KEYS_MODEL, "Select the next model or value.", 4, "Model"},
	{"u", KEYS_CURVE, KEYS_SPEEDUP, "Show the speed-up over the fewest cores.", 1, "Speed-up"},
	{"m", ZOOMED | KEYS_CURVE, KEYS_MEASURE,
	 "Change the metric: PSS, RSS, USS or kernel memory; in the Curve, any metric.", 3,
	 "Metric"},
	{"w", KEYS_CURVE, KEYS_KIND,
	 "Show one kind of work after the other, then all. In creation, show tasks on one core, "
	 "any core or an idle "
	 "core.",
	 3, "Work"},
	{"l", KEYS_CURVE, KEYS_LOG_Y, "Make the y axis logarithmic or linear.", 3, "Log y"},
	{"L", KEYS_CURVE, KEYS_LOG_X, "Make the x axis logarithmic or linear.", 4, "Log x"},
	{"+ - =", ZOOMED, KEYS_ZOOM, "Zoom time in or out, or fit all of it.", 6, "Zoom", .tag = 3},
	{"← →", KEYS_VIEWS, KEYS_MOVE,
	 "Move the picture if it is too wide; otherwise move through a replay.", 5, "Move",
	 .tag = 2},
	{MOVES, KEYS_VIEWS, KEYS_MOVE,
	 "Select another row, or scroll. In a replay, Home and End go to its start and end.", 7,
	 "Scroll", .tag = 2},
	{"← →", KEYS_REPLAY, KEYS_SEEK},
	{"s", KEYS_SESSION | KEYS_MENU, KEYS_SAVE, "Save the screen as text and as SVG.", 5,
	 "Snapshot", .brief = "Save"},
	{"S", KEYS_SESSION, KEYS_SAVE, "Save the view as a slide (SVG, 16:9).", 11, "Slide"},
	{"t", KEYS_SESSION | KEYS_SLIDE | KEYS_MENU, KEYS_THEME, "Change the theme.", 5, "Theme"},
	{"i", KEYS_SESSION, KEYS_CAPTIONS, "Show or hide the caption of the view.", 12, "Captions"},
	{"Tab Shift-Tab 1…6", KEYS_SESSION, KEYS_VIEW,
	 "Show the next or previous view, or one by number."},
	{"? h F1", KEYS_SESSION, KEYS_HELP, "Show or hide the help.", 1, "Help"},
	{"Ctrl-L", KEYS_ALWAYS, KEYS_REDRAW, "Draw the whole screen again."},
	{"", KEYS_TYPING, KEYS_TYPE},
};

enum { ROWS_N = LENGTH(keys_rows) };

const struct keys_row *keys_at(size_t i)
{
	if (i < ROWS_N)
		return &keys_rows[i];
	return NULL;
}

const char *keys_heading(const struct keys_row *row)
{
	if (row->where == KEYS_LECTURE)
		return "Lecture";
	if (row->where == KEYS_MENU)
		return "Menu";
	if (row->where == KEYS_TYPING)
		return "Search";
	if (row->where == KEYS_QUESTION)
		return "Question";
	return "Keys";
}

int keys_next(const char **names)
{
	/* Indexed by enum key, from the first key on. */
	static const char *const named[] = {
		"↑",	     "↓",    "←",	  "→",	   "PgUp",
		"PgDn",	     "Home", "End",	  "Enter", "Esc",
		"Backspace", "Tab",  "Shift-Tab", "F1",	   [KEY_F10 - KEY_UP_ARROW] = "F10",
		"Ctrl-L"};
	const char *name = *names;
	const size_t length = strcspn(name, " ");

	*names += length + (name[length] == ' ');
	for (size_t i = 0; i < LENGTH(named); i++)
		if (named[i] && strlen(named[i]) == length && !strncmp(name, named[i], length))
			return KEY_UP_ARROW + (int)i;
	if (strncmp(name, "Space", 5) == 0)
		return ' ';
	return (unsigned char)*name;
}

const struct keys_row *keys_find(const struct keys_row *after, int key, unsigned where)
{
	for (const struct keys_row *row = after ? after + 1 : keys_rows; row < keys_rows + ROWS_N;
	     row++) {
		const char *names = row->keys;

		if (!(row->where & where))
			continue;
		if (!*names)
			return row;
		while (*names) {
			const char *range = *names == '1' ? strstr(names, "…") : NULL;
			const int first = keys_next(&names);

			if (key == first || (range && key > first && key <= range[3]))
				return row;
		}
	}
	return NULL;
}

int keys_label_at(const struct keys_labels *labels, int x, int y)
{
	const struct keys_label *label = labels->list, *end = label + labels->n;

	if (y != labels->y)
		return 0;
	for (; label < end; label++)
		if (x >= label->x && x < label->x + label->w - 1)
			return label->key;
	return 0;
}
