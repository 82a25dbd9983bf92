/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "core/sample_session.h"
#include "draw/canvas.h"
#include "view/keys.h"

/*
 * The menu: every experiment with its choices, and recordings to replay. menu.c changes this data
 * when keys are pressed, and view_menu.c draws it. The owner of the menu fills in the lists, and
 * the duration and command line of the selected row.
 */

enum {
	MENU_CHOICES = 12, /* Largest number of choices of a part. */
	MENU_EXPERIMENTS = 32,
	MENU_ZONES = 512,
	MENU_COMMAND = 4352, /* Enough for the longest path in a command line. */
};

/*
 * The lines of an experiment's choices, from top to bottom. After the line of trials there is a
 * line for each setting that applies. MENU_LIST: the cursor is in the list of experiments and
 * recordings.
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
	/* options: as typed, separated by blanks. "": the choice needs no options. */
	const char *label, *options;
};

struct menu_experiment {
	const char *name, *question, *about;
	int n_parts; /* 0: the row is a lecture */
	/* Names of the parts. The part of a setting has the setting's name. */
	const char *part[MENU_PARTS];
	int n[MENU_PARTS], chosen[MENU_PARTS];
	struct menu_choice choices[MENU_PARTS][MENU_CHOICES];
};

/* A recording in the list. Its texts hold no control characters. */
struct menu_recording {
	char *name; /* File name; freed by the owner. */
	char date[20], experiment[SAMPLE_LABEL];
	bool read;
	bool unreadable; /* The file could not be read, and `sentence` says why. */
	/* The recording's answer, freed by the owner. NULL: the recording has not been read yet. */
	char *sentence;
	char models[160], machine[128];
	int64_t bytes;	  /* Size of the file, in bytes, when the recording was last read. */
	uint64_t read_ns; /* When the recording was last read, a time of clock_now_ns(). */
};

/* An area of the last frame that can be clicked. */
struct menu_zone {
	struct rect rect;
	int key;
	enum menu_part part; /* The part of the menu to which the zone belongs. */
	int value;	     /* If the zone has no key: the index of the choice or of the row. */
};

struct menu_shown {
	/* scroll: number of lines above the first line shown. pitch: number of lines per row. */
	int scroll, pitch;
	int page; /* Number of rows shown. */
	int row;  /* Index of the row that was selected when the zones were drawn. */
	struct keys_labels labels;
	int n_zones;
	struct menu_zone zones[MENU_ZONES];
};

struct menu {
	int n_experiments, n_recordings;
	struct menu_experiment experiments[MENU_EXPERIMENTS];
	struct menu_recording *recordings; /* The newest recording is first. */
	/* Index of the selected row. The experiments come first, then the recordings. */
	int row;
	enum menu_part part;	    /* The part that the left and right arrows change. */
	bool alone;		    /* There is no session on the screen behind the menu. */
	bool running;		    /* A session is running, and a choice would end it. */
	bool stale;		    /* command, takes and refusal belong to an earlier choice. */
	char command[MENU_COMMAND]; /* The command line for the choice. */
	/*
	 * What the choice takes: the runs of the session and its time on two cores. For a
	 * recording, its contents.
	 */
	char takes[SAMPLE_TEXT];
	char refusal[1024]; /* Why the choice cannot run here. "": it can run. */
	const char *notice; /* A line above the menu. NULL: no such line. */
	struct menu_shown shown;
};

/* Handles arrows, PgUp, PgDn, Home, End and Tab: moves to another row, line or choice. */
void menu_move(struct menu *menu, int key);
/* Whether the choice can be run. */
bool menu_ready(const struct menu *menu);
/*
 * Handles a mouse press or the wheel. Returns the key that has the same effect; 0 if there is none.
 */
int menu_mouse(struct menu *menu, int key, int x, int y);
/*
 * menu_experiment(): the selected experiment; NULL if a recording is selected. menu_recording():
 * the selected recording; NULL if an experiment is selected.
 */
const struct menu_experiment *menu_experiment(const struct menu *menu);
const struct menu_recording *menu_recording(const struct menu *menu);
/* Whether a lecture is selected. It has no choices. */
bool menu_lecture(const struct menu *menu);
/*
 * Draws the menu over the canvas. If a session is behind the menu, the session's first line stays
 * visible.
 */
void view_menu_draw(struct canvas *canvas, struct menu *menu);
