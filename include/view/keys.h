/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The keys of the program, in one table: where each works, what it does, its label in the bottom
 * line, its sentence in the help and in the manual.
 */

/* Where keys work: the bits of the present state. */
enum keys_where {
	KEYS_OVERVIEW = 1 << 1, /* 1 << the view's number; none while something is open over it */
	KEYS_TIMELINE = 1 << 2,
	KEYS_MEMORY = 1 << 3,
	KEYS_CURVE = 1 << 5,
	KEYS_VIEWS = 0x7e,
	KEYS_OPEN = 1 << 10, /* the help is over the view */
	KEYS_VOTE = 1 << 11, /* the view is covered for a vote */
	KEYS_SLIDE = 1 << 12,
	KEYS_LECTURE = 1 << 13,
	KEYS_LIVE = 1 << 14,   /* the newest sample is shown as it comes */
	KEYS_REPLAY = 1 << 15, /* a recording, or the newest run again */
	KEYS_SESSION = KEYS_LIVE | KEYS_REPLAY,
	/* Each of these alone: */
	KEYS_TYPING = 1 << 16,
	KEYS_MENU = 1 << 17,
	KEYS_QUESTION = 1 << 18,
	KEYS_ALWAYS = ~0,
};

/* clang-format off */
enum keys_act {
	/* of the app */
	KEYS_QUIT = 1, KEYS_NEXT_SCENE, KEYS_PREVIOUS_SCENE, KEYS_NOTES, KEYS_BLANK, KEYS_PAUSE, KEYS_SPEED,
	KEYS_RUN, KEYS_STEP, KEYS_SEEK, KEYS_CLOSE, KEYS_WHY, KEYS_NEXT,
	KEYS_OPEN_MENU, KEYS_MORE, KEYS_CRASH, KEYS_SAVE, KEYS_THEME, KEYS_REDRAW,
	KEYS_CHOOSE, KEYS_MOVE_MENU, KEYS_COPY, KEYS_CLOSE_MENU, KEYS_AGREE, KEYS_REFUSE,
	KEYS_MOVE_QUESTION,
	/* of all views */
	KEYS_SCROLL, KEYS_PRESENT, KEYS_COVER, KEYS_CAPTIONS, KEYS_VIEW, KEYS_HELP,
	KEYS_ZOOM,
	/* of some views */
	KEYS_FOLD, KEYS_FOLD_ALL, KEYS_CORES, KEYS_SEARCH, KEYS_FIND, KEYS_ORDER, KEYS_MODEL,
	KEYS_SPEEDUP, KEYS_MEASURE, KEYS_KIND, KEYS_LOG_Y, KEYS_LOG_X, KEYS_MOVE, KEYS_TYPE,
	KEYS_FOUND, KEYS_CANCEL
};
/* clang-format on */

/* The first row of a key goes first; the next one where that had no use for the key. */
struct keys_row {
	const char *keys; /* by name, with blanks between; "": any */
	unsigned where;
	enum keys_act act;
	const char *does;  /* NULL: another row says it */
	int weight;	   /* of the labels the greatest go first; 0 stays */
	const char *label; /* in the bottom line; NULL: none */
	const char *brief; /* where there is little room; NULL: the same */
	int tag;	   /* keys that the label names; a click is the first, of two the second */
};

/* The rows in the order of the bottom line, the help and the manual; NULL after the last. */
const struct keys_row *keys_at(size_t i);
/* The next row after one, or the first one, that has the key in such a state; NULL. */
const struct keys_row *keys_find(const struct keys_row *after, int key, unsigned where);
/* Returns the next key of *names, and moves *names past its name and the blank; 0 at the end. */
int keys_next(const char **names);
/* The heading of the row in the help and the manual: "Keys", "Lecture" … */
const char *keys_heading(const struct keys_row *row);

enum { KEYS_LABELS = 32 };

/* The labels of the bottom line, where they were drawn. */
struct keys_labels {
	int y, n;
	struct keys_label {
		int key, x, w;
	} list[KEYS_LABELS];
};

/* The key whose label is there; 0: none. */
int keys_label_at(const struct keys_labels *labels, int x, int y);
