/* SPDX-License-Identifier: MIT */
#include "view/keys.h"

#include <string.h>

#include "base/utf8.h"
#include "draw/key.h"

#define ZOOMED (KEYS_OVERVIEW | KEYS_TIMELINE | KEYS_MEMORY)
#define ROWS   (KEYS_OVERVIEW | KEYS_TIMELINE)
#define MOVES  "↑ ↓ PgUp PgDn Home End"

static const struct keys_row rows[] = {
	{"q F10", KEYS_SESSION | KEYS_OPEN | KEYS_VOTE | KEYS_SLIDE | KEYS_MENU, KEYS_QUIT, "Quit",
	 .does = "Quit and print the answer."},
	{"PgDn", KEYS_LECTURE, KEYS_NEXT_SCENE, "Next scene", "Next", 1,
	 .does = "Show the next scene, or reveal a vote."},
	{"PgUp", KEYS_LECTURE, KEYS_PREVIOUS_SCENE, "Back", NULL, 2,
	 .does = "Show the previous scene again."},
	{".", KEYS_LECTURE, KEYS_BLANK, .does = "Blank the screen until the next key."},
	{"n", KEYS_LECTURE, KEYS_NOTES, "Notes", NULL, 3,
	 .does = "Show or hide the speaker's notes."},
	{MOVES, KEYS_OPEN, KEYS_SCROLL},
	{"Space", KEYS_SESSION | KEYS_VOTE, KEYS_PAUSE, "Pause", NULL, 2,
	 .does = "Pause the session, workers included. Start one that is held, reveal a vote, stop "
		 "the clock of a replay."},
	{"<", KEYS_SESSION, KEYS_SLOWER, "Slower", NULL, 3,
	 .does = "Play slower. Live, show the newest run again in slow motion."},
	{">", KEYS_REPLAY, KEYS_FASTER, "Faster", NULL, 3, .does = "Play faster."},
	{"[ ]", KEYS_SESSION, KEYS_RUN, "Run", NULL, 4, 2,
	 .does = "Go to the previous or the next run."},
	{", .", KEYS_REPLAY, KEYS_STEP, .does = "Step one sample back or forward."},
	{"Home End", KEYS_REPLAY, KEYS_SEEK, .does = "Go to the start or the end of a replay."},
	{"Esc", KEYS_SESSION | KEYS_OPEN, KEYS_CLOSE, "Close", NULL, 0,
	 .does = "Close what is open: help, notes, vote, slow motion. Follow the session's columns "
		 "again. Never quit."},
	{"y", KEYS_SESSION, KEYS_WHY, "Why", NULL, 2,
	 .does = "Run the experiment that shows why, after a question."},
	{"E", KEYS_SESSION, KEYS_NEXT, "Next", NULL, 2,
	 .does = "Run the next experiment, at the end."},
	{"e", KEYS_SESSION, KEYS_OPEN_MENU, "Menu", NULL, 8,
	 .does = "Open the menu: experiments, recordings."},
	{"r", KEYS_SESSION, KEYS_MORE, "Once more", "More", 4,
	 .does = "Run one more trial of every model."},
	{"x", KEYS_SESSION, KEYS_CRASH, .does = "Twice: make the selected worker crash."},
	{"p", KEYS_SESSION, KEYS_PRESENT, "Large", NULL, 10,
	 .does = "Show the medians in large digits."},
	{"v", KEYS_SESSION | KEYS_VOTE, KEYS_COVER, "Vote", NULL, 11,
	 .does = "Cover the result for a vote."},
	{"Enter", ROWS, KEYS_FOLD, "Fold", NULL, 3, .does = "Fold or unfold the selected row."},
	{"*", ROWS, KEYS_FOLD_ALL, "All", NULL, 4, .does = "Fold or unfold all rows."},
	{"k", KEYS_TIMELINE, KEYS_CORES, "Cores", NULL, 3,
	 .does = "Show cores instead of workers, or back."},
	{"/", KEYS_TIMELINE, KEYS_SEARCH, "Search", NULL, 3,
	 .does = "Search for a worker by name or thread ID."},
	{"n N", KEYS_TIMELINE, KEYS_FIND, .does = "Find the next or the previous worker."},
	{"o", KEYS_TIMELINE, KEYS_ORDER, "Order", NULL, 3,
	 .does = "Order the rows by name, creation, start, duration or finish."},
	{"c", ROWS, KEYS_MODEL, "Model", NULL, 4, .does = "Select the next model."},
	{"u", KEYS_CURVE, KEYS_SPEEDUP, "Speed-up", NULL, 2,
	 .does = "Show the speed-up over the fewest cores."},
	{"m", ZOOMED | KEYS_CURVE, KEYS_MEASURE, "Metric", NULL, 3,
	 .does = "Change what is measured: PSS, RSS, USS, kernel memory; the metric of a curve."},
	{"w", KEYS_CURVE, KEYS_KIND, "Work", NULL, 3,
	 .does = "Show the next kind of work, or where created tasks begin."},
	{"l", KEYS_CURVE, KEYS_LOG_Y, "Log y", NULL, 3,
	 .does = "Make the y axis logarithmic or linear."},
	{"L", KEYS_CURVE, KEYS_LOG_X, "Log x", NULL, 4,
	 .does = "Make the x axis logarithmic or linear."},
	{"+ - =", ZOOMED, KEYS_ZOOM, "Zoom", NULL, 6, 3,
	 .does = "Zoom time in or out; fit all of it."},
	{"← →", KEYS_VIEWS, KEYS_MOVE, "Move", NULL, 5, 2,
	 .does = "Move in zoomed time or among columns. Else move the clock of a replay."},
	{MOVES, KEYS_VIEWS, KEYS_MOVE, "Scroll", NULL, 7, 2, .does = "Select another row; scroll."},
	{"← →", KEYS_REPLAY, KEYS_SEEK},
	{"s", KEYS_SESSION | KEYS_MENU, KEYS_SAVE, "Snapshot", "Save", 5,
	 .does = "Save the screen as text and as SVG."},
	{"S", KEYS_SESSION, KEYS_SLIDE_SAVE, "Slide", NULL, 11,
	 .does = "Save the view as a slide (SVG, 16:9)."},
	{"t", KEYS_SESSION | KEYS_SLIDE | KEYS_MENU, KEYS_THEME, "Theme", NULL, 5,
	 .does = "Change the theme."},
	{"i", KEYS_SESSION, KEYS_CAPTIONS, "Captions", NULL, 12,
	 .does = "Show or hide two lines about the view."},
	{"Tab Shift-Tab 1…6", KEYS_SESSION, KEYS_VIEW,
	 .does = "Show the next or previous view, or one by number."},
	{"? h F1", KEYS_SESSION, KEYS_HELP, "Help", NULL, 1, .does = "Show or hide the help."},
	{"Ctrl-L", KEYS_ALWAYS, KEYS_REDRAW, .does = "Draw the whole screen again."},

	{"Enter", KEYS_MENU, KEYS_CHOOSE, "Run", NULL, 1,
	 .does = "Run the experiment, or play the recording. Press it twice to end a running "
		 "session."},
	{MOVES, KEYS_MENU, KEYS_MOVE_MENU, "Choose", NULL, 2, 2,
	 .does = "Select another row, or another line of choices."},
	{"← →", KEYS_MENU, KEYS_MOVE_MENU, "Change", NULL, 3, 2,
	 .does = "Change the choice. The first one leads back to the list."},
	{"Tab Shift-Tab", KEYS_MENU, KEYS_MOVE_MENU, "Next line", NULL, 6,
	 .does = "Go to the next or the previous line: list, models, size, trials."},
	{"c", KEYS_MENU, KEYS_COPY, "Copy", NULL, 5,
	 .does = "Copy the command line to the clipboard, and print it on leaving."},
	{"Esc e", KEYS_MENU, KEYS_CLOSE_MENU, "Close", NULL, 4, .does = "Close the menu."},

	{"Enter", KEYS_TYPING, KEYS_FOUND, "Find", .does = "Find the worker."},
	{"Esc", KEYS_TYPING, KEYS_CANCEL, "Cancel", .does = "Cancel the search."},
	{"", KEYS_TYPING, KEYS_TYPE},

	{"Enter y", KEYS_QUESTION, KEYS_AGREE,
	 .does = "Show the rest of the question, then agree. y agrees to a why alone."},
	{"q n Esc F10", KEYS_QUESTION, KEYS_REFUSE, .does = "Refuse."},
	{MOVES, KEYS_QUESTION, KEYS_MOVE_QUESTION, .does = "Scroll."},
};

enum { ROWS_N = sizeof(rows) / sizeof(*rows) };

const struct keys_row *keys_at(size_t i)
{
	return i < ROWS_N ? &rows[i] : NULL;
}

const char *keys_heading(const struct keys_row *row)
{
	return row->where == KEYS_LECTURE    ? "Lecture"
	       : row->where == KEYS_MENU     ? "Menu"
	       : row->where == KEYS_TYPING   ? "Search"
	       : row->where == KEYS_QUESTION ? "Question"
					     : "Keys";
}

int keys_next(const char **names)
{
	/* in the order of enum key, from its first one */
	static const char *const named[] = {
		"↑",	     "↓",    "←",	  "→",	   "PgUp",
		"PgDn",	     "Home", "End",	  "Enter", "Esc",
		"Backspace", "Tab",  "Shift-Tab", "F1",	   [KEY_F10 - KEY_UP_ARROW] = "F10",
		"Ctrl-L"};
	const char *name = *names;
	const size_t length = strcspn(name, " ");

	*names += length + (name[length] == ' ');
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (named[i] && strlen(named[i]) == length && !strncmp(name, named[i], length))
			return KEY_UP_ARROW + (int)i;
	if (strncmp(name, "Space", 5) == 0)
		return ' ';
	return (unsigned char)*name;
}

const struct keys_row *keys_find(const struct keys_row *after, int key, unsigned where)
{
	for (const struct keys_row *row = after ? after + 1 : rows; row < rows + ROWS_N; row++) {
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
