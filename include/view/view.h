/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/draw.h"
#include "model/model.h"
#include "result/machines.h"
#include "view/keys.h"

/*
 * A view draws a const model into a canvas, without clock or I/O. Three structs keep its data
 * apart: keys and the owner write the choices to struct view_state, drawing writes what it showed
 * to struct view_shown, and derived results are in struct view_cache, which could be emptied at any
 * time.
 */

/* The number of a view is the key that chooses it. */
enum { VIEW_NUMBERS = 9, VIEW_ZONES = 512, VIEW_LEGENDS = 16 };

/* Whether the two-line caption is shown: if there is room, unless a key has chosen. */
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

/* How the Curve view draws an axis: to suit the values, unless a key has chosen. */
enum view_scale { VIEW_SCALE_FITS, VIEW_SCALE_LINEAR, VIEW_SCALE_LOG };

/* The spans shown of a creation session: both if there is room, or a single one. */
enum view_spans {
	VIEW_SPANS_BOTH, /* until it returns and until the task runs */
	VIEW_SPANS_CALLER,
	VIEW_SPANS_TASK,
	VIEW_SPANS_JOINED,
	VIEW_SPANS
};

/* The placements of a creation session, in the order of enum plan_placement. */
enum view_places {
	VIEW_PLACES_ONE,
	VIEW_PLACES_FREE,
	VIEW_PLACES_IDLE,
	VIEW_PLACES_ALL,
	VIEW_PLACES
};

/* The clock of a recording, or of a trial that is watched again. Its line is above the keys. */
struct view_clock {
	bool shown;
	bool paused;
	bool live;    /* a session is running meanwhile, or could */
	double speed; /* 1 is real time */
};

/*
 * A trial that is shown again, all models together on one axis, slower or faster than it ran. The
 * owner's clock moves the position; views draw the runs as of that position.
 */
struct view_race {
	struct model_trial trial; /* number 0: none, the newest runs are shown as they come */
	int64_t ns;		  /* the position, since the beginning of each run */
	int64_t length_ns;	  /* of the longest run */
	int64_t axis_ns;	  /* the time shown */
	double slower;		  /* playback time / real time; below 1 the race is faster */
	bool moves;
	bool nearest; /* the trial is the one nearest to the medians */
	bool early;   /* no trial has ended yet, and runs are too short to be watched live */
};

/* A lecture's scene. The texts belong to the owner. */
struct view_lecture {
	const char *title, *heading; /* NULL: no lecture */
	const char *caption, *notes;
	const char *const *headings; /* of all scenes */
	size_t scene, scenes;	     /* number of the scene, from 0; number of scenes */
	bool speaker;		     /* a second terminal, which shows only the notes */
	int scroll;		     /* first line of the notes; for the notes also: */
	const char *next;	     /* the next scene's heading; NULL after the last scene */
	uint64_t elapsed_ns;	     /* since the lecture began */
	bool blank;		     /* the screen is blank */
	bool slide;		     /* the scene neither runs nor plays anything */
	const char *reason;	     /* why not; NULL if nothing was to run or play */
};

struct timeline_state {
	enum view_order order;
	uint32_t per_row; /* workers a row when sorted; 0: enough that all fit */
	char search[32];
	bool cores; /* lanes of cores, without workers */
};

struct curve_state {
	uint32_t metric; /* its index in metric_curves_of() */
	uint32_t work;	 /* the kind of work */
	enum view_scale scale_x, scale_y;
	bool speedup; /* show speedup instead of the metric, if cores are swept */
};

struct latency_state {
	enum view_spans spans;
	enum view_places places;
};

/*
 * The choices of keys or the owner. Drawing a frame changes none, but creates the folds of new
 * cases.
 */
struct view_state {
	int view;     /* its number */
	bool settled; /* chosen by a key or the owner; else the session's answer is shown */
	enum model_metric memory;
	bool help;
	int scroll; /* first row shown, of what the view scrolls */
	int help_scroll;
	bool browse;	 /* a key has chosen the column; else the column follows the current run */
	int column;	 /* with browse: first case shown where not all fit */
	bool picked;	 /* the case is chosen by a key; else by the answer at the end */
	uint32_t chosen; /* the case that the Timeline shows and that rows are moved in */
	enum view_captions captions;
	double zoom;			      /* zoom of the time axis; 1: all fits */
	double from;			      /* left end of the time shown, 0 … 1 of the whole */
	int64_t window_from_ns, window_to_ns; /* the time shown instead, unless window_to_ns is 0 */
	bool typing;			      /* every key goes to the view */
	bool hold;			      /* waiting for Space before the first run */
	bool vote;			      /* the result is covered for a vote */
	bool present;			      /* show large medians instead of the view */
	double hidden; /* part of the medians' bars still hidden after a vote: 1 … 0 */
	bool alone;    /* draw the view for a picture: no cores, captions or keys */
	bool live;     /* not a recording */
	struct view_clock clock;
	struct view_race race;
	bool cores;	  /* in the Overview: the load of the cores, and a lane for each of many */
	double unsettled; /* part of the way of bars to their new medians that is left: 1 … 0 */
	const char *question;  /* the experiment's question, shown until there is an answer; NULL */
	const char *ballot;    /* the question of a vote; NULL: which case will be faster */
	bool tour;	       /* the menu begins with the tour, because this is a first start */
	const char *next;      /* experiment that follows this session; NULL while it is running */
	const char *log_name;  /* for the first line; NULL: none */
	const char *waits_for; /* between two runs; NULL */
	const char *notice;    /* a line shown instead of the hint until the next key; NULL */
	struct view_lecture lecture;
	struct view_folds *folds; /* unfolded rows and the selection; NULL until there are cases */
	struct timeline_state timeline;
	struct curve_state curve;
	struct latency_state latency;
};

/* A panel or a row. A click chooses its case, unless that is UINT32_MAX, and acts as its key. */
struct view_zone {
	struct rect rect;
	int key;
	uint32_t case_id;
	enum model_metric memory; /* the memory metric that a click chooses; METRICS: none */
	/* For rows of workers, where a press selects a row: */
	int pitch;	  /* lines a row; 0: no rows */
	long first;	  /* row of the whole list at the top */
	uint32_t per_row; /* workers a row in an order; 0: the tree's rows */
	bool tasks;	  /* rows of the tasks of commands */
};

/* The look of a stretch of a bar. */
struct view_ink {
	uint32_t glyph;
	uint8_t colour;
	uint8_t bed; /* the background; COLOUR_DEFAULT: the bar's */
};

struct view_legend {
	struct view_ink ink;
	const char *name;
};

/* The state that the last frame showed: where keys and clicks start from. */
struct view_shown {
	int view;
	bool scrolls;			/* the view is longer than the screen, or may be */
	int most_scroll, most_help;	/* how far each can go; in messages, back from the newest */
	int most_notes;			/* the same of a lecture's notes */
	int column, most_column;	/* first case shown, and how far that can go */
	uint32_t first_case, last_case; /* cases shown; the chosen one is among them */
	bool trees;			/* some of their rows are trees */
	bool listed;			/* the chosen model has rows, which can be searched */
	bool sortable;			/* its rows can be sorted */
	bool foldable;			/* some of its rows can be folded */
	const char *fold;		/* Enter's effect on the selected row, one word; NULL */
	bool lanes;			/* it is known when workers were on which core */
	const char *hint;		/* instead of the view's usual hint; NULL */
	bool others;			/* some core's lane shows other programs */
	bool loads;			/* a core's lane has the kernel's load */
	int n_legend;			/* entries shown instead of the view's own hint */
	struct view_legend legend[VIEW_LEGENDS];
	double anchor; /* the centre of the zoom, 0 … 1 of the whole time; -1: the middle */
	struct keys_labels labels;
	struct rect clock; /* the line of time */
	bool captioned;
	int n_zones;
	struct view_zone zones[VIEW_ZONES];
	uint32_t per_row; /* workers a row in the Timeline's order */
	bool operations;  /* the Curve shows operations of workers */
	bool spans_fit;	  /* both spans fit (creation), or there are medians (operations) */
	bool placed;	  /* the tasks began in several places */
	struct {
		uint32_t works; /* kinds of work */
		bool numeric;	/* the values are numbers */
		bool positive;	/* the values are positive, so they have logarithms */
		bool wants_log; /* a logarithmic axis would suit the values better */
		bool speedup;	/* the values are numbers of cores */
	} curve;
};

/* Choices for a view before it is shown, by options of a command line or a lecture's scene. */
struct view_looks {
	int view;		/* the view's number; 0: the view with the answer */
	double zoom;		/* of time, from its begin on; 0 or 1: all of it */
	int64_t from_ns, to_ns; /* the time shown instead, unless to_ns is 0 */
	const char *select;	/* a worker's name, or its beginning; NULL: the first row */
};

struct view {
	struct view_state state;
	struct view_shown shown;
	struct view_cache *cache; /* NULL until the first frame */
};

void view_init(struct view *view);
void view_look(struct view_state *state, const struct view_looks *looks);
/* The view is as after view_init(). */
void view_free(struct view *view);
/* Draws the whole screen: top line, the view, the sentence, the keys; help over it. */
void view_draw(struct canvas *canvas, const struct model *model, struct view *view);
/*
 * Selects the first worker of that name, else the first whose name begins so, in every case that
 * has one. 0; -EAGAIN: there are no cases yet; -ENOENT.
 */
int view_select(struct view *view, const struct model *model, const char *name);
/* The selected worker of the current run, and its name; false if there is none. */
bool view_selected(struct view *view, const struct model *model, uint32_t *worker, char *name,
		   size_t size);
/*
 * Draws the view alone, as for a slide: its content, the leader and the machine. Keys and clicks
 * stay as in the last frame. Returns name, in lower case.
 */
enum { VIEW_PANEL_NAME = 32 };
const char *view_panel(struct canvas *canvas, const struct model *model, struct view *view,
		       char name[VIEW_PANEL_NAME]);
/* The bits of keys_where that apply: text entry alone, or the view and anything open over it. */
unsigned view_where(const struct view_state *state);
/* Does what a row of keys says, for one of its keys; false if no view has a use for it now. */
bool view_act(struct view *view, const struct model *model, enum keys_act act, int key);
/*
 * Handles a press or the wheel at x, y of the last frame. Returns the key that the caller must
 * press for it; 0 if none, or if a row was selected.
 */
int view_mouse(struct view *view, int key, int x, int y);
/* The position of x, y in the line of time, 0 … 1 of the whole; -1 if not on it. */
double view_clock_at(const struct view_shown *shown, int x, int y);

/*
 * A question over the screen about what a file asks for. It can be answered only when all of its
 * text has been drawn, so that nobody agrees to what they could not see.
 */
struct view_question {
	const char *title;
	char *text;	 /* paragraphs; NULL: nothing is asked; the owner's to free */
	const char *yes; /* what Enter does: "runs it" */
	int key;	 /* another key that does the same; 0: none */
	int scroll;	 /* first line shown */
	int most, page;	 /* of the last frame: the last line to scroll to, lines shown */
	bool drawn;	 /* since it was opened, or since Enter scrolled */
};

/*
 * Paragraphs that begin with "* " are what starts or opens something outside tuibench, those with
 * "$ " are command lines.
 */
void view_question_draw(struct canvas *canvas, struct view_question *question);
/*
 * A key that scrolls or agrees: Enter shows the next page until the last one is on the screen, and
 * agrees there. Whether it agreed.
 */
bool view_question_agree(struct view_question *question, int key);

/* Several machines on the screen: a row each, as a forest plot. */

struct view_machines {
	size_t question; /* from 0; drawing makes it one that there is */
	enum machines_order order;
	int scroll;
	bool rows;	    /* a row for each machine, however many there are */
	const char *folder; /* that is watched; NULL: none */
	bool reading;	    /* there are recordings to be read */
	const char *notice; /* a line for the user; "" */
};

/* Moves *scroll by the arrows, a page or to an end, 0 … most; false for another key. */
bool view_scroll_by(int *scroll, int most, int key);
/* 0 or -ENOMEM. */
int view_machines_draw(struct canvas *canvas, const struct machines *machines,
		       struct view_machines *view);
