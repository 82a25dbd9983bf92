/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/layout.h"
#include "draw/plot.h"
#include "model/model.h"
#include "result/table.h"
#include "view/menu.h"
#include "view/view.h"

/* What the views share. Only the files of the views include this header. */

/* The input of a frame, and where drawing records what it shows. */
struct view_frame {
	struct canvas *canvas;
	const struct model *model;
	/* The model with all trials, for medians. It differs from `model` during a race. */
	const struct model *whole;
	const struct view_state *state;
	struct view_cache *cache;
	struct view_shown *shown;
	const struct view_headline *headline;
	const char *sentence; /* The most prominent text on the screen. */
};

int64_t view_tick_ns(const struct model *model);
/*
 * The model as of the moment at which a case's run is shown. In a race, this moment is the race's
 * position in the run.
 */
const struct model *view_model_of(const struct view_frame *frame, uint32_t case_id);
/* A copy of the frame with view_model_of() of the case as `model`. */
struct view_frame view_frame_of(const struct view_frame *frame, uint32_t case_id);
/*
 * view_has_measured(): whether any run counts so far. view_asks(): whether the question is shown
 * instead of the answer, because the answer is not known yet.
 */
bool view_has_measured(const struct model *model);
bool view_asks(const struct view_frame *frame);
/* Whether the race has a line with the answer's other metrics, so that the answer may be short. */
bool view_has_figures(const struct view_frame *frame);
/* Whether a recording is shown that will not grow, so that its end is known. */
bool view_replays(const struct view_frame *frame);
/* The words for preliminary figures: "so far" or, in a recording, "at this point". */
const char *view_preliminary(const struct view_frame *frame);
/*
 * Whether the first screen of the session is the race, which plays the runs of a trial together,
 * one below the other.
 */
bool view_race_offered(const struct view_frame *frame);
/*
 * Whether runs have an injected fault. Until the first run with a fault has ended, only the name of
 * the experiment shows this.
 */
bool view_race_has_faults(const struct model *model);
void view_race_draw(const struct view_frame *frame, struct rect rect);
/* The ratio of a comparison that is not decided: "1.24x ?", or "?" if it is unknown. */
const char *view_undecided(double ratio, char *buf, size_t size);
/* Whether programs are compared, so that their names are in the answer. */
bool view_compares_programs(const struct model *model);
/* Whether all cases are servers. */
bool view_serves(const struct model *model);
/*
 * Labels the time axis of the lanes of servers' workers in the first line of rect. Returns this
 * axis.
 */
struct plot_axis view_serving_axis(const struct view_frame *frame, struct rect rect);
/*
 * Draws the workers of the newest run of a server, each in a lane. If there are more workers than
 * lines, draws how many live at once.
 */
void view_serving_draw(const struct view_frame *frame, const struct plot_axis *axis,
		       struct rect rect, uint32_t case_id);
/* The hue and the shape of a case's mark. Names follow the shape: "● threads". */
uint8_t view_hue(const struct model *model, uint32_t case_id);
uint32_t view_shape(const struct model *model, uint32_t case_id);
/*
 * Shortens a text to at most `most` columns so that it differs from the texts of all other cases.
 * The text is the name of a case or model, or two such names with " / " or " - " between them. Any
 * other text is simply cut. Returns buf.
 */
char *view_fit(const struct model *model, const char *text, int most, char *buf, size_t size);
/* Fills this many eighths of a column from the left end of rect on, even beyond its right end. */
void view_fill_eighths(struct canvas *canvas, struct rect rect, int eighths, struct style style);
/*
 * Draws a case's shape in its hue and then the name, within place.w columns. Returns the column
 * after the name.
 */
int view_mark_name(struct canvas *canvas, struct rect place, const struct model *model,
		   uint32_t case_id, const char *name);
/* The range first … end - 1 of the cases that are compared with case `of`, including `of`. */
void view_group(const struct model *model, uint32_t of, uint32_t *first, uint32_t *end);
/*
 * The range of the cases that are compared with the running case or, after the session, with the
 * answer's case. Returns the running case or the answer's case.
 */
uint32_t view_alike(const struct view_frame *frame, uint32_t *first, uint32_t *end);
/*
 * The metric of memory that the user chose. In the Memory view, it may be any metric. In other
 * views, it is a part of the total.
 */
enum model_metric view_measure(const struct view_state *state);
/* The memory of a run: over the whole run if it has ended, otherwise at this moment. */
struct sample_memory view_memory_of(const struct model *model, const struct model_run *run);
/* Writes "3.4 MiB", or "~3.4 MiB" for an estimate. Returns buf. */
char *view_memory_figure(char *buf, size_t size, const struct sample_memory *memory,
			 enum model_metric which);
#define VIEW_MEMORY_FIGURE(memory, which) view_memory_figure((char[40]) {0}, 40, memory, which)
/* Why a run has no value in the metric. REASON_NONE if it has a value, or may still get one. */
enum reason view_memory_unknown(const struct model *model, const struct model_run *run,
				enum model_metric which);
/* The axis for the visible part of the time from 0 to longest. */
struct plot_axis view_axis_of(const struct view_state *state, int64_t longest, int x, int w);
/* The axis for the runs of the cases first … end - 1. It is as long as the longest run so far. */
struct plot_axis view_axis(const struct model *model, const struct view_state *state,
			   uint32_t first, uint32_t end, int x, int w);
/*
 * For runs that are drawn in columns: the next visible run after run i. Run i ends in column `to`,
 * and hides all runs that lie entirely in that column. column() returns the column of a time.
 */
size_t view_next_run(const struct model *model, size_t i, int to,
		     int (*column)(const void *arg, int64_t time_ns), const void *arg);
/*
 * view_alive_peak(): the largest number of workers alive at once that is known now: from samples
 * and, with `counted`, also from the present count. view_alive_top(): the smallest round number
 * that is at least the peak of each case first … end - 1.
 */
int64_t view_alive_peak(const struct model *model, const struct model_run *run, bool counted);
double view_alive_top(const struct model *model, uint32_t first, uint32_t end, bool counted);
/*
 * Fills y[2 * axis->w] for plot_area() with a metric of memory. If `which` is METRICS, fills it
 * with the numbers of tasks alive. NaN: unknown.
 */
void view_series(const struct model *model, const struct model_run *run,
		 const struct plot_axis *axis, enum model_metric which, double *y);
/*
 * Draws the texts in a plot's margins. rect includes the left margin. The scale is drawn only if
 * rect has two rows.
 */
void view_plot_labels(struct canvas *canvas, struct rect rect, struct rect plot, int right,
		      const char *label, const char *scale, const char *figure);

/*
 * Draws a plain box with a note at its upper right; NULL: no note. Returns the area inside the box,
 * without padding.
 */
struct rect view_box(struct canvas *canvas, struct rect box, const char *title, const char *note);
void view_top_line_draw(const struct view_frame *frame, struct rect rect);
void view_keys_draw(const struct view_frame *frame, struct rect rect);
void view_keys_draw_menu(struct canvas *canvas, struct menu *menu, struct rect rect);
/*
 * Counts the CPUs for the layout: the CPUs of the last tick or, before the first tick, of the
 * machine.
 */
struct layout_cpus view_cores_count(const struct view_frame *frame);
void view_cores_draw(const struct view_frame *frame, const struct layout_cores *layout);
/* Draws a case's column. Returns the number of rows by which the column can be scrolled. */
int view_column_draw(const struct view_frame *frame, struct rect box, uint32_t case_id);
/* Draws a case's box, with its name, trial and time in the upper edge. */
void view_column_title(const struct view_frame *frame, struct rect box, uint32_t case_id);
/*
 * The time for which an ended run was held while its memory was read; 0 if that time is too short
 * to be visible.
 */
int64_t view_held_ns(const struct model *model, const struct model_run *run);
void view_verdict_draw(const struct view_frame *frame, const struct layout_frame *layout);
/*
 * Draws the pairs of two cases along an axis of a / b. bound: the right end of an axis that several
 * comparisons share. 0: the axis ends where it suits these pairs.
 */
void view_pairs_draw(struct canvas *canvas, struct rect rect, const struct view_frame *frame,
		     const struct model_comparison *comparison, double bound);
/* The right end of the axis that suits the pairs. */
double view_pairs_bound(const struct view_frame *frame, const struct model_comparison *comparison);
/* A list on the screen: number of rows, index of the first row shown, and number of rows shown. */
struct view_window {
	int n, first, shown;
};
/*
 * Draws TABLE_PIVOT: the medians of each combination of settings, and how the models compare. Sets
 * the hint that is shown instead of the view's usual one.
 */
struct view_window view_medians_draw(const struct view_frame *frame, const struct table *table,
				     struct rect inner);
void view_clock_draw(const struct view_frame *frame, struct rect rect);
/* Makes a panel react to clicks. Zones that were added first are on top. */
void view_zone_add(struct view_shown *shown, struct view_zone zone);
/* Makes a click on a row or name open the Timeline of its case. */
void view_zone_case(struct view_shown *shown, struct rect rect, uint32_t case_id);
/* The number of lines for the view's caption; 0 if there is no room. */
int view_caption_lines(const struct view_frame *frame);
void view_caption_draw(const struct view_frame *frame, struct rect rect);
void view_help_draw(const struct view_frame *frame, struct rect body);
/* Draws the number of hidden rows of a list. Returns the column after the text. */
int view_rows_hidden(struct canvas *canvas, struct rect line, long above, long below);
void view_no_memory(struct canvas *canvas, struct rect rect);

/*
 * Returns the index of the first of n lines to show. The view can be scrolled to the last line but
 * not further. Records the largest scroll position.
 */
int view_scroll_to(const struct view_frame *frame, int n, int shown);
bool view_curve_log(const struct view_state *state, const struct view_shown *shown, bool x);
/*
 * Draws the table of the answer in a box, as the Results view does. Returns false if the table's
 * rows do not fit.
 */
bool view_answer_draw(const struct view_frame *frame, struct rect box);
/* The chosen case, if it is among the cases shown; otherwise one of the cases shown. */
uint32_t view_chosen(const struct view_state *state, const struct view_shown *shown);

void view_present_draw(const struct view_frame *frame, struct rect body);
/* Draws the question of a vote instead of the result, until the result is revealed. */
void view_cover_draw(const struct view_frame *frame, struct rect rect);

/* Draws the lecture's headings, or an error, instead of a view, if the scene has no session. */
void view_lecture_slide(const struct view_frame *frame, struct rect body);
/* The slide that sums the lecture up. */
void view_slide_draw(const struct view_frame *frame, struct rect body);
/* Draws the whole screen of the speaker: the scene, its notes, the next scene, the time. */
void view_lecture_notes(const struct view_frame *frame);

/*
 * The views in the order of their numbers. If several views have the same number, the last of them
 * that is offered is used.
 */
#define VIEWS(view)                                                                                \
	view(overview) view(timeline) view(memory) view(results) view(wakes) view(curve)           \
		view(latency) view(messages)

struct view_ops {
	int number;	    /* The key that chooses the view: 1 … 9. */
	const char *name;   /* "Overview" */
	const char *brief;  /* "Over" */
	const char *absent; /* Why the view is not offered, shown to a user who chooses it. */
	/* A heading "#NAME\n", then a line "TERM\tEXPLANATION\n" for each term. */
	const char *help;
	/* captions[0] is a description. captions[1] says where to look, and explains the terms. */
	const char *captions[2];
	/*
	 * Captions for the current state. If the function is NULL or returns NULL, `captions` is
	 * used.
	 */
	const char *const *(*captions_now)(const struct view_frame *frame);
	const char *help_trees; /* The help if trees are shown. NULL: `help` is used. */
	/* Where to look, shown below the sentence. NULL: the common hint is shown. */
	const char *hint;
	bool zooms; /* The keys + and - zoom the view's time. */
	bool roomy; /* The view leaves room for a panel with the sentence. */
	/* The view answers the question of its sessions, so these sessions open with it. */
	bool opens;
	/*
	 * Whether the model has the data that the view shows. Called whenever views are listed or
	 * chosen. NULL: always.
	 */
	bool (*offered)(const struct model *model);
	/*
	 * Whether the view shows a sentence of its own. Called for every frame, before draw().
	 * NULL: never.
	 */
	bool (*answers)(const struct view_frame *frame);
	/* Draws the view, inside rect only. Called for every frame. */
	void (*draw)(const struct view_frame *frame, struct rect rect);
	/*
	 * Handles a key of the view, with the key's act. Returns true if the key was used. NULL:
	 * the view has no keys.
	 */
	bool (*act)(struct view *view, const struct model *model, enum keys_act act, int key);
};

#define VIEW_DECLARE(name) extern const struct view_ops view_##name;
VIEWS(VIEW_DECLARE)

/* The i-th view in the order of the list; NULL after the last. */
const struct view_ops *views_at(size_t i);
/*
 * The last view with this number that the model offers. Without a model, any view with this number.
 * NULL: there is no such view.
 */
const struct view_ops *views_get(const struct model *model, int number);
/* The number of the view that answers the session's question. */
int views_of_session(const struct model *model);
