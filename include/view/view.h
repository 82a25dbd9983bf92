/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "model/model.h"
#include "result/machines.h"
#include "view/keys.h"

/*
 * A view draws a const model into a canvas, without a clock or I/O. Three structs separate its
 * data: keys and the owner (app/, or a test) write choices to struct view_state; drawing records
 * what it showed in struct view_shown; derived results are in struct view_cache, which can be
 * emptied at any time.
 */

/*
 * VIEW_NUMBERS: largest number of a view, which is also the key that chooses the view. VIEW_ZONES:
 * largest number of areas that can be clicked. VIEW_LEGENDS: largest number of entries of a legend.
 */
enum { VIEW_NUMBERS = 9, VIEW_ZONES = 512, VIEW_LEGENDS = 16 };

/*
 * When the two-line caption is shown. VIEW_CAPTIONS_FIT: if there is room for it. A key sets the
 * other two values.
 */
enum view_captions { VIEW_CAPTIONS_FIT, VIEW_CAPTIONS_ON, VIEW_CAPTIONS_OFF };

/* The orders of the Timeline's rows. */
enum view_order {
	VIEW_BY_TREE,
	VIEW_BY_CREATION,
	VIEW_BY_START,
	VIEW_BY_DURATION,
	VIEW_BY_FINISH,
	VIEW_ORDERS
};

/*
 * The scale of an axis in the Curve view. VIEW_SCALE_FITS: the scale that suits the values. A key
 * sets the other two.
 */
enum view_scale { VIEW_SCALE_FITS, VIEW_SCALE_LINEAR, VIEW_SCALE_LOG };

/* The spans that the Curve view shows for a creation session. */
enum view_spans {
	/*
	 * Until the call returns, and until the task runs. Without room for both spans, only the
	 * second is shown.
	 */
	VIEW_SPANS_BOTH,
	VIEW_SPANS_CALLER,
	VIEW_SPANS_TASK,
	VIEW_SPANS_JOINED,
	VIEW_SPANS
};

/*
 * The placements shown for a creation session. VIEW_PLACES_ONE is the placement PLAN_PINNED; the
 * next ones follow in the same order.
 */
enum view_places {
	VIEW_PLACES_ONE,
	VIEW_PLACES_FREE,
	VIEW_PLACES_IDLE,
	VIEW_PLACES_ALL,
	VIEW_PLACES
};

/*
 * The clock of a recording, or of a trial that is played again. The clock is drawn in a line above
 * the keys.
 */
struct view_clock {
	bool shown;
	bool paused;
	bool live;  /* A session is running at the same time, or can be started. */
	bool grows; /* The recording may still grow, because it comes from a pipe or is followed. */
	bool reading; /* The recording is not read to its end yet, so its length is not known. */
	double speed; /* 1 is real time. */
};

/*
 * A trial that is shown again: all models together on one axis, slower or faster than they ran. The
 * owner's clock moves the position; views draw the runs as of that position.
 */
struct view_race {
	/* If trial.number is 0, there is no race, and views show the newest runs as they arrive. */
	struct model_trial trial;
	/*
	 * The position: time since the beginning of each run, ns, without the time for which the
	 * run was held.
	 */
	int64_t ns;
	int64_t length_ns; /* Elapsed time of the longest run. */
	int64_t axis_ns;   /* Length of the time axis. */
	/* Playing time / real time. Below 1, the race is faster than the runs were. */
	double slower;
	bool moves;
	bool nearest; /* This is the trial nearest to the medians. */
	/* All runs so far were short, so the first trial will be shown again when it has ended. */
	bool expected;
	bool early; /* No trial has ended yet, and runs are too short to be watched live. */
};

/* Largest number of models for which a scene's result has a bar each. */
enum { VIEW_RESULT_ROWS = 4 };

/* What a scene has measured, for the slide that sums the lecture up. */
struct view_result {
	bool measured;	    /* Some run has begun. */
	char badge[64];	    /* "FASTER"; "": nothing is compared. */
	char figure[48];    /* "6.9x per pair", "0 / 3 of 4 survived". "": no figure. */
	char sentence[256]; /* The answer, unless two models are compared. "": no sentence. */
	/*
	 * The colours (enum colour) of badge and figure. hue is the winner's colour, or the
	 * badge's. The badge has the colour that it has in the scene.
	 */
	uint8_t badge_hue, hue;
	bool track; /* The end of a bar is all that there could be, such as all workers. */
	uint32_t n; /* Number of bars. 0: the result has no bars. */
	struct view_result_row {
		char name[SAMPLE_NAME], median[48];
		uint32_t shape;
		uint8_t hue;
		double share; /* Length of the bar as a share of the longest bar. */
	} rows[VIEW_RESULT_ROWS];
};

/* Reads the result of a session as of the end of its runs. */
void view_result_read(struct view_result *result, const struct model *model);

/* An item of the slide that sums a lecture up. */
struct view_lecture_item {
	const char *text;
	const struct view_result *result; /* NULL: the item sums up no scene. */
};

/* A lecture's scene. The texts belong to the owner. */
struct view_lecture {
	const char *title, *heading; /* title is NULL if there is no lecture. */
	const char *caption, *notes;
	const char *const *headings; /* The headings of all scenes. */
	size_t scene, scenes;	     /* scene: index of the scene. scenes: number of scenes. */
	/* This is the second terminal. It shows only the speaker's notes. */
	bool speaker;
	/* Notes only: the first line that is shown. */
	int scroll;
	const char *next;    /* Notes only: heading of the next scene; NULL after the last one. */
	uint64_t elapsed_ns; /* Time since the lecture began. */
	bool blank;
	bool has_notes; /* Some scene has notes. */
	bool slide;	/* The scene runs nothing and plays nothing. */
	bool sums_up;	/* The slide shows `items`, each with the result of its scene. */
	const struct view_lecture_item *items;
	size_t n_items;
	bool again;	    /* The session was left before and is shown again. */
	const char *reason; /* Why the scene runs nothing; NULL if it has no command. */
};

struct timeline_state {
	enum view_order order;
	/*
	 * Number of workers in a row if they are sorted. 0: the smallest number with which all rows
	 * fit.
	 */
	uint32_t per_row;
	char search[32];
	bool cores; /* Show only the lanes of cores, without workers. */
};

struct curve_state {
	uint32_t metric; /* Index in metric_curves_of(). */
	uint32_t work;	 /* Index of the kind of work. */
	enum view_scale scale_x, scale_y;
	bool speedup; /* If cores are swept, show the speedup instead of the metric. */
};

struct latency_state {
	enum view_spans spans;
	enum view_places places;
};

/*
 * The choices of keys and of the owner. Drawing a frame changes only four members. It allocates
 * `folds`. It sets `view` until the user has chosen a view, and if the session lacks the chosen
 * one. It clears `typing` if the view changes. It sets `chosen` until the user has picked a case.
 */
struct view_state {
	int view; /* Number of the view. */
	/*
	 * A key or the owner chose the view. If false, the view that has the session's answer is
	 * shown.
	 */
	bool settled;
	enum model_metric memory;
	bool help;
	int scroll; /* The first row shown. */
	int help_scroll;
	bool browse; /* A key chose the column. If false, the case of the current run is shown. */
	int column;  /* With browse: the first case shown, if there is not enough room for all. */
	bool picked; /* A key chose the case. If false, the answer chooses it at the end. */
	/* The case that the Timeline shows, and in whose rows the selection can be moved. */
	uint32_t chosen;
	enum view_captions captions;
	double zoom; /* Zoom of the time axis. 1: the whole time fits. */
	double from; /* Left end of the time shown, as a share of the whole. */
	/* The time span shown; used instead of zoom and from unless window_to_ns is 0. */
	int64_t window_from_ns, window_to_ns;
	bool typing;  /* Text is being typed, so every key goes to the view. */
	bool hold;    /* The session waits for Space before the first run. */
	bool vote;    /* The result is covered for a vote. */
	bool present; /* Large medians are shown instead of the view. */
	/* Share of the bars of medians that is still hidden after a vote, from 1 down to 0. */
	double hidden;
	/* The view is drawn for a picture, without the load of the cores, captions and keys. */
	bool alone;
	bool live;    /* The source is not a recording. */
	bool decides; /* The session ends once every headline metric is decided. */
	struct view_clock clock;
	struct view_race race;
	/*
	 * Show the load of the cores in the Overview and, if there are many cores, a lane for each
	 * core.
	 */
	bool cores;
	/* Share of the way that bars still have to move to their new medians, from 1 down to 0. */
	double unsettled;
	/* The figures and the headline do not change, even if more runs have ended. */
	bool steady;
	/* The experiment's question, shown until there is an answer. NULL: no question. */
	const char *question;
	const char *ballot; /* The question of a vote; NULL: "which case will be faster". */
	/* The menu begins with the tour, because tuibench was started for the first time. */
	bool tour;
	/* Name of the experiment to run next; NULL while the session is running. */
	const char *next;
	const char *log_name;  /* Name of the recording for the first line. NULL: no name. */
	const char *waits_for; /* What the source waits for between two runs; NULL: nothing. */
	/* A line shown instead of the hint until the next key is pressed. NULL: no such line. */
	const char *notice;
	/* Like notice, but a legend takes precedence over it. NULL: no suggestion. */
	const char *suggestion;
	struct view_lecture lecture;
	struct view_folds
		*folds; /* The unfolded rows and the selection. NULL until there are cases. */
	struct timeline_state timeline;
	struct curve_state curve;
	struct latency_state latency;
};

/*
 * An area that can be clicked, such as a panel or a row. A click chooses case_id, unless that is
 * UINT32_MAX, and presses the key.
 */
struct view_zone {
	struct rect rect;
	int key;
	uint32_t case_id;
	enum model_metric memory; /* The memory metric that a click chooses. METRICS: none. */
	/* The members from here on are for rows of workers, in which a click selects a row. */
	int pitch;  /* Lines per row. 0: the zone has no rows. */
	long first; /* Index of the top row in the whole list. */
	/* Workers per row if they are sorted. 0: the rows are the tree's. */
	uint32_t per_row;
	bool tasks; /* The rows are tasks of commands. */
};

/* How a stretch of a bar is drawn. */
struct view_ink {
	uint32_t glyph;
	uint8_t colour;
	uint8_t bed;   /* Background colour. COLOUR_DEFAULT: the background of the bar. */
	uint32_t tall; /* Glyph in a row of several lines. 0: the ink is always a thin line. */
	uint8_t attr;
};

struct view_legend {
	struct view_ink ink;
	const char *name;
};

/* What the last frame showed. Keys and clicks refer to it. */
struct view_shown {
	bool one_value; /* The Memory view shows only the cases of one value of a setting. */
	int view;
	bool scrolls; /* The view is longer than the screen, or may become so. */
	/*
	 * Largest values of `scroll` and of the scroll position of the help. Messages scroll back
	 * from the newest message.
	 */
	int most_scroll, most_help;
	int most_notes; /* Largest value of scroll for a lecture's notes. */
	/* column: the first case shown. most_column: largest value of `column`. */
	int column, most_column;
	uint32_t first_case, last_case; /* The cases shown, including the chosen one. */
	bool trees;			/* Some rows of the shown cases are trees. */
	bool listed;			/* The chosen model has rows, which can be searched. */
	bool sortable;			/* The rows of the chosen model can be sorted. */
	bool foldable;			/* Some rows of the chosen model can be folded. */
	const char *fold; /* "Fold" or "Unfold", the effect of Enter. NULL: Enter has no effect. */
	bool lanes;	  /* The slices are known, so lanes show when workers were on which core. */
	/* Shown instead of the view's usual hint. NULL: the usual hint is shown. */
	const char *hint;
	/* The height of a mark in a lane shows how much of the cell's time is on a core. */
	bool heights;
	int n_legend;	   /* Number of entries of the legend, which replaces the view's hint. */
	bool keeps_legend; /* The legend is shown even if there is then no line for a warning. */
	struct view_legend legend[VIEW_LEGENDS];
	/*
	 * The centre for zooming, as a share of the whole time. -1: the middle of the shown time.
	 */
	double anchor;
	struct keys_labels labels;
	struct rect clock; /* The line that shows the time. */
	bool captioned;
	int n_zones;
	struct view_zone zones[VIEW_ZONES];
	uint32_t per_row; /* Workers per row in the Timeline's order. */
	bool operations;  /* The Curve view shows durations of operations. */
	bool serving;	  /* The Curve view shows the lanes of servers' workers. */
	/*
	 * The key m has an effect: both spans fit, or the table of operations' medians has several
	 * rows.
	 */
	bool spans_fit;
	bool scales;	/* Medians of each value of the first setting have a scale of their own. */
	bool placed;	/* Tasks began in several places. See comparison_mixed(). */
	bool explained; /* The view explains its signs in its box, and needs no hint for them. */
	struct {
		uint32_t works; /* Number of kinds of work. */
		bool numeric;	/* All values are numbers. */
		bool positive;	/* All values are positive, so they have logarithms. */
		bool wants_log; /* A logarithmic axis would suit the values better. */
		bool beside;	/* All kinds of work are shown side by side. */
		bool compared;	/* A row below the plots says which line is best at each value. */
		/* The session varies the number of cores, so it has speedups to show. */
		bool speedup;
	} curve;
};

/*
 * VIEW_CAPTION_LINES: lines of a lecture's caption on the screen. VIEW_CAPTION_NARROW: their width
 * on 80 columns.
 */
enum { VIEW_CAPTION_LINES = 2, VIEW_CAPTION_NARROW = 78 };

/* What a view shows at first, from options of the command line or of a lecture's scene. */
struct view_looks {
	int view;    /* Number of the view. 0: the view that has the answer. */
	double zoom; /* Zoom of the time axis from its beginning. 0 or 1: the whole time. */
	/* The time span shown, instead of a zoom. If to_ns is 0, zoom is used. */
	int64_t from_ns, to_ns;
	/* Name of the worker to select, or a beginning of the name. NULL: select the first row. */
	const char *select;
};

struct view {
	struct view_state state;
	struct view_shown shown;
	struct view_cache *cache; /* NULL until the first frame. */
};

void view_init(struct view *view);
void view_look(struct view_state *state, const struct view_looks *looks);
/* Frees the view, and leaves it as after view_init(). */
void view_free(struct view *view);
/*
 * Draws the whole screen: top line, view, sentence and keys. If the help is open, draws it over the
 * view.
 */
void view_draw(struct canvas *canvas, const struct model *model, struct view *view);
/*
 * Selects a worker in every case that has it, and unfolds its row: the first worker with this name,
 * or the first whose name begins with it. If there is no such worker, selects the first task of a
 * program with this name or thread ID, and the task's case. Returns 0; -EAGAIN if there is no such
 * worker or task yet, or memory is short; -ENOENT.
 */
int view_select(struct view *view, const struct model *model, const char *name);
/* Whether there is a worker or a task that view_select() would select. */
bool view_finds(const struct model *model, const char *name);
/*
 * The selected worker of the current run and its name. Returns false if no single worker is
 * selected.
 */
bool view_selected(struct view *view, const struct model *model, uint32_t *worker, char *name,
		   size_t size);
/*
 * A term that the help of a view explains. The texts are not terminated: each ends at the next tab
 * or line end.
 */
struct view_term {
	const char *heading, *term, *text;
};
/* The i-th term of the helps of all views. Returns false after the last term. */
bool view_term_at(size_t i, struct view_term *term);
enum { VIEW_PANEL_NAME = 32 };
/*
 * Draws the view alone, as for a slide: its content, the answer and the machine. Keys and clicks
 * still refer to the last frame. Stores the view's name in lower case in `name` and returns it. The
 * name is "vote" or "medians" if a vote or large medians cover the view.
 */
const char *view_panel(struct canvas *canvas, const struct model *model, struct view *view,
		       char name[VIEW_PANEL_NAME]);
/*
 * The bits of keys_where that apply now. They include the bits of the view only if no text is being
 * typed, and never on the second terminal of a lecture.
 */
unsigned view_where(const struct view_state *state);
/*
 * Performs the act of a keys_row when `key` is pressed. Returns false if no view can use the key
 * now.
 */
bool view_act(struct view *view, const struct model *model, enum keys_act act, int key);
/*
 * Handles a mouse press or the wheel at x, y of the last frame. Returns the key that the caller
 * must handle instead. 0: there is no such key, or a row was selected.
 */
int view_mouse(struct view *view, int key, int x, int y);
/* Position of x, y on the line that shows the time, from 0 to 1; -1 if x, y is not on that line. */
double view_clock_at(const struct view_shown *shown, int x, int y);

/*
 * A question over the screen about commands that a file wants to run. It can be answered only when
 * all of its text has been shown, so that nobody agrees to something unseen.
 */
struct view_question {
	const char *title;
	char *text;	 /* Paragraphs, freed by the owner. NULL: there is no question. */
	const char *yes; /* What Enter does, such as "runs it". */
	int key;	 /* Another key that does the same as Enter. 0: no other key. */
	int scroll;	 /* First line shown. */
	int most,
		page; /* From the last frame: largest value of scroll, and number of lines shown. */
	/* A frame was drawn since the question was opened, and since Enter last scrolled. */
	bool drawn;
};

/*
 * Draws the question. A paragraph of its text that begins with "* " is about something that starts
 * or opens things outside tuibench. A paragraph that begins with "$ " is a command line.
 */
void view_question_draw(struct canvas *canvas, struct view_question *question);
/*
 * Handles a key that scrolls or agrees. Enter shows the next page. On the last page, Enter agrees.
 * Returns whether the user agreed.
 */
bool view_question_agree(struct view_question *question, int key);

/* Several machines on the screen, one row for each, as a forest plot. */

struct view_machines {
	/* Index of the question. Drawing lowers it if there are fewer questions. */
	size_t question;
	enum machines_order order;
	int scroll;
	bool rows;	    /* Show a row for each machine, even if there are many machines. */
	const char *folder; /* The directory that is watched. NULL: none is watched. */
	bool reading;	    /* Some recordings have not been read yet. */
	const char *notice; /* A line for the user. "": no line. */
};

/*
 * Moves *scroll within 0 … most: by a line with the arrows, by a page, or to an end. Returns false
 * for any other key.
 */
bool view_scroll_by(int *scroll, int most, int key);
/* Returns 0 or -ENOMEM. */
int view_machines_draw(struct canvas *canvas, const struct machines *machines,
		       struct view_machines *view);
