/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The program's keys in one table: where each key works, what it does, its label in the bottom
 * line, and its sentence in the help and the manual.
 */

/* Where a key works, as bits of the present state. */
enum keys_where {
	/*
	 * The bits of the views: a view's bit is 1 << its number. It is set only if nothing is open
	 * over the view.
	 */
	KEYS_OVERVIEW = 1 << 1,
	KEYS_TIMELINE = 1 << 2,
	KEYS_MEMORY = 1 << 3,
	KEYS_CURVE = 1 << 5,
	KEYS_VIEWS = 0x7e,
	KEYS_OPEN = 1 << 10, /* The help is open over the view. */
	KEYS_VOTE = 1 << 11, /* The view is covered while the audience votes. */
	KEYS_SLIDE = 1 << 12,
	KEYS_LECTURE = 1 << 13,
	KEYS_LIVE = 1 << 14,   /* The newest sample is shown as it arrives. */
	KEYS_REPLAY = 1 << 15, /* A recording is played, or the newest trial is played again. */
	KEYS_SESSION = KEYS_LIVE | KEYS_REPLAY,
	/* If one of these three bits is set, no other bit is set. */
	KEYS_TYPING = 1 << 16,
	KEYS_MENU = 1 << 17,
	KEYS_QUESTION = 1 << 18,
	KEYS_ALWAYS = ~0,
};

/* clang-format off */
enum keys_act {
	/* acts that the app performs */
	KEYS_QUIT = 1, KEYS_NEXT_SCENE, KEYS_PREVIOUS_SCENE, KEYS_NOTES, KEYS_BLANK, KEYS_PAUSE, KEYS_SPEED,
	KEYS_RUN, KEYS_STEP, KEYS_SEEK, KEYS_CLOSE, KEYS_WHY, KEYS_NEXT,
	KEYS_OPEN_MENU, KEYS_MORE, KEYS_CRASH, KEYS_SAVE, KEYS_THEME, KEYS_REDRAW,
	KEYS_CHOOSE, KEYS_MOVE_MENU, KEYS_COPY, KEYS_CLOSE_MENU, KEYS_AGREE, KEYS_REFUSE,
	KEYS_MOVE_QUESTION,
	/* acts that every view has */
	KEYS_SCROLL, KEYS_PRESENT, KEYS_COVER, KEYS_CAPTIONS, KEYS_VIEW, KEYS_HELP,
	KEYS_ZOOM,
	/* acts that only some views have */
	KEYS_FOLD, KEYS_FOLD_ALL, KEYS_CORES, KEYS_SEARCH, KEYS_FIND, KEYS_ORDER, KEYS_MODEL,
	KEYS_SPEEDUP, KEYS_MEASURE, KEYS_KIND, KEYS_LOG_Y, KEYS_LOG_X, KEYS_MOVE, KEYS_TYPE,
	KEYS_FOUND, KEYS_CANCEL
};
/* clang-format on */

/*
 * A key may have several rows. The first row that applies is used. If that row cannot use the key
 * now, the next row that applies is used.
 */
struct keys_row {
	const char *keys; /* Names of keys, separated by blanks. "": any key. */
	unsigned where;
	enum keys_act act;
	const char *does; /* What the key does, for the help; NULL: documented in another row. */
	/*
	 * Rank by which labels are dropped if they do not fit: the greatest weight is dropped
	 * first. 0: the label always stays.
	 */
	int weight;
	const char *label; /* Label in the bottom line. NULL: no label. */
	const char *brief; /* A shorter label; NULL: use `label`. */
	/*
	 * Number of keys that the label shows; 0 means 1. A click on the label presses the first of
	 * these keys. If the label shows two keys, a click on the second key presses it.
	 */
	int tag;
};

/* The i-th row in the order of the bottom line, the help and the manual; NULL after the last. */
const struct keys_row *keys_at(size_t i);
/*
 * The next row after `after` that has the key and applies in the state `where`. If `after` is NULL,
 * the first such row. NULL: there are no more rows.
 */
const struct keys_row *keys_find(const struct keys_row *after, int key, unsigned where);
/* Returns the next key of *names and moves *names past it. Returns 0 at the end. */
int keys_next(const char **names);
/* The heading of the row's group in the help and the manual: "Keys", "Lecture" and so on. */
const char *keys_heading(const struct keys_row *row);

enum { KEYS_LABELS = 32 };

/* The labels of the bottom line, with the positions where they were drawn. */
struct keys_labels {
	int y, n;
	struct keys_label {
		int key, x, w;
	} list[KEYS_LABELS];
};

/* The key of the label at position x, y. 0: there is no label. */
int keys_label_at(const struct keys_labels *labels, int x, int y);
