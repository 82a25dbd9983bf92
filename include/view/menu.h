/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "core/sample_session.h"
#include "draw/draw.h"
#include "view/keys.h"

/*
 * The menu: every experiment with its choices, and recordings to replay. Data that keys change and
 * view_menu.c draws; whoever owns it fills it in, and says what a choice takes and is typed as.
 */

enum {
	MENU_CHOICES = 12, /* of a part, at most */
	MENU_EXPERIMENTS = 32,
	MENU_ZONES = 512,
	MENU_COMMAND = 4352, /* with the longest path */
};

/*
 * What may be chosen of an experiment, in lines below one another: behind the trials a line for
 * each setting that concerns it. Or the cursor is in the list.
 */
enum menu_part {
	MENU_MODELS,
	MENU_SIZE,
	MENU_TRIALS,
	MENU_SETTINGS,
	MENU_PARTS = MENU_SETTINGS + 32,
	MENU_LIST = MENU_PARTS
};

struct menu_choice {
	const char *label, *options; /* options: as typed, with blanks between; "": none */
};

struct menu_experiment {
	const char *name, *question, *about;
	int n_parts;		      /* 0: it is a lecture */
	const char *part[MENU_PARTS]; /* their names; a setting's is its own */
	int n[MENU_PARTS], chosen[MENU_PARTS];
	struct menu_choice choices[MENU_PARTS][MENU_CHOICES];
};

/* Text of a file: without what a terminal would take for more than text. */
struct menu_recording {
	char *name; /* of its file; the owner's */
	char date[20], experiment[SAMPLE_LABEL];
	bool read, unreadable; /* its sentence says why */
	char *sentence;	       /* NULL: it was not read yet; the owner's */
	char models[160], machine[128];
	int64_t bytes;	  /* of its file when it was read last */
	uint64_t read_ns; /* when that was, as of clock_now_ns() */
};

/* Where the last frame has what a click means. */
struct menu_zone {
	struct rect rect;
	int key;
	enum menu_part part; /* that it is pressed in */
	int value;	     /* without a key: the choice, or the row */
};

struct menu_shown {
	int scroll, pitch; /* lines above the list's first one; lines a row */
	int page;	   /* rows */
	int row;	   /* whose choices the zones are */
	struct keys_labels labels;
	int n_zones;
	struct menu_zone zones[MENU_ZONES];
};

struct menu {
	int n_experiments, n_recordings;
	struct menu_experiment experiments[MENU_EXPERIMENTS];
	struct menu_recording *recordings; /* the newest first */
	int row;			   /* of the experiments, then of the recordings */
	enum menu_part part;		   /* that the left and right arrows change */
	bool alone;			   /* there is no session below it */
	bool running;			   /* a session is, and a choice would end it */
	bool stale;			   /* what follows is of another choice */
	char command[MENU_COMMAND];	   /* the equal command line */
	char takes[SAMPLE_TEXT];	   /* what it takes on this machine */
	char refusal[1024];		   /* why it cannot run here; "": it can */
	const char *notice;		   /* a line over it; NULL: none */
	struct menu_shown shown;
};

/* Arrows, PgUp, PgDn, Home, End and Tab: another row, line or choice. */
void menu_move(struct menu *menu, int key);
/* Whether the choice can be run. */
bool menu_ready(const struct menu *menu);
/* Handles a press or the wheel. Returns the key to press for it, 0 if none. */
int menu_mouse(struct menu *menu, int key, int x, int y);
/* The experiment that is selected, NULL for a recording; and the other way round. */
const struct menu_experiment *menu_experiment(const struct menu *menu);
const struct menu_recording *menu_recording(const struct menu *menu);
/* A lecture is, which has no choices. */
bool menu_lecture(const struct menu *menu);
/* Draws it over the canvas, but for the first line where a session is below it. */
void view_menu_draw(struct canvas *canvas, struct menu *menu);
