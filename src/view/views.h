/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/draw.h"
#include "model/model.h"
#include "result/table.h"
#include "view/menu.h"
#include "view/view.h"

/* What the views share among themselves; nobody else includes it. */

/* What a frame is drawn from, and where it says what it shows. */
struct view_frame {
	struct canvas *canvas;
	const struct model *model;
	const struct model *whole; /* all trials, for medians, wherever a race is */
	const struct view_state *state;
	struct view_cache *cache;
	struct view_shown *shown;
	const struct view_headline *headline;
	const char *sentence; /* the most prominent text of the screen */
};

int64_t view_tick_ns(const struct model *model);
/* The model as of the moment at which a case's run is shown: in a race, its position in the run. */
const struct model *view_model_of(const struct view_frame *frame, uint32_t case_id);
/* The frame with that model. */
struct view_frame view_frame_of(const struct view_frame *frame, uint32_t case_id);
/* Whether the question is shown in place of the answer, which is not known yet. */
bool view_asks(const struct view_frame *frame);
/* The first screen of flat sessions: all models one below the other, played together. */
bool view_race_offered(const struct view_frame *frame);
void view_race_draw(const struct view_frame *frame, struct rect rect);
/* What a case is known by: its hue, its shape, and that shape before its name, "● threads". */
uint8_t view_hue(const struct model *model, uint32_t case_id);
uint32_t view_shape(const struct model *model, uint32_t case_id);
/*
 * Shortens a case's name, a model's, or two of either with " / " or " - " between them, to at most
 * `most` columns, so that no other case looks the same. Other texts are cut without comparing them.
 * Returns buf.
 */
char *view_fit(const struct model *model, const char *text, int most, char *buf, size_t size);
/* Draws a case's shape in its hue and the name, in place.w columns in all. Returns the end. */
int view_mark_name(struct canvas *canvas, struct rect place, const struct model *model,
		   uint32_t case_id, const char *name);
/* The cases first … end - 1 around one that compare with it. */
void view_group(const struct model *model, uint32_t of, uint32_t *first, uint32_t *end);
/*
 * The cases that compare with the running one, or with the answer's once all is over; returns that
 * case.
 */
uint32_t view_alike(const struct view_frame *frame, uint32_t *first, uint32_t *end);
/* The measure of memory that is chosen: the whole in the view of memory, a part of it elsewhere. */
enum model_metric view_measure(const struct view_state *state);
/* Of an ended run in all, else as of now. */
struct sample_memory view_memory_of(const struct model *model, const struct model_run *run);
/* "3.4 MiB", "~3.4 MiB" where it is an estimate. Returns buf. */
char *view_memory_figure(char *buf, size_t size, const struct sample_memory *memory,
			 enum model_metric which);
#define VIEW_MEMORY_FIGURE(memory, which) view_memory_figure((char[40]) {0}, 40, memory, which)
/* Why a run has no such figure; REASON_NONE where it has one, or may still get it. */
enum reason view_memory_unknown(const struct model *model, const struct model_run *run,
				enum model_metric which);
/* The part of a time from 0 to longest that is shown. */
struct plot_axis view_axis_of(const struct view_state *state, int64_t longest, int x, int w);
/* The same of the runs of these cases: to the longest so far. */
struct plot_axis view_axis(const struct model *model, const struct view_state *state,
			   uint32_t first, uint32_t end, int x, int w);
/*
 * Of runs that are drawn in columns, the next one after run i that can be seen: others lie within
 * column `to`, where run i ends, and that one is drawn over them. column() says where a time lies.
 */
size_t view_next_run(const struct model *model, size_t i, int to,
		     int (*column)(const void *arg, int64_t time_ns), const void *arg);
/*
 * The most that were ever alive at once, as far as is known now: as sampled, or with those who are
 * counted now. And the least round number that holds that of the cases first … end - 1.
 */
int64_t view_alive_peak(const struct model *model, const struct model_run *run, bool counted);
double view_alive_top(const struct model *model, uint32_t first, uint32_t end, bool counted);
/* y[2 * axis->w] for plot_area(): a measure of memory, or METRICS: tasks alive. NaN: not known. */
void view_series(const struct model *model, const struct model_run *run,
		 const struct plot_axis *axis, enum model_metric which, double *y);
/* The texts in a plot's margins; the scale where rect, with the left margin, has two rows. */
void view_plot_labels(struct canvas *canvas, struct rect rect, struct rect plot, int right,
		      const char *label, const char *scale, const char *figure);

/*
 * Draws a plain box, with a note at its upper right or NULL. Returns its inside, without padding.
 */
struct rect view_box(struct canvas *canvas, struct rect box, const char *title, const char *note);
void view_top_line_draw(const struct view_frame *frame, struct rect rect);
void view_keys_draw(const struct view_frame *frame, struct rect rect);
void view_keys_draw_menu(struct canvas *canvas, struct menu *menu, struct rect rect);
/* As the machine has them, before the first tick; none in a picture. */
struct layout_cpus view_cores_count(const struct view_frame *frame);
void view_cores_draw(const struct view_frame *frame, const struct layout_cores *layout);
/* Returns how far the column can be scrolled. */
int view_column_draw(const struct view_frame *frame, struct rect box, uint32_t case_id);
/* A case's box: its name, trial and time on the upper edge. */
void view_column_title(const struct view_frame *frame, struct rect box, uint32_t case_id);
/* How long an ended run was held for its memory to be read, where that is seen; else 0. */
int64_t view_held_ns(const struct model *model, const struct model_run *run);
void view_verdict_draw(const struct view_frame *frame, const struct layout_frame *layout);
/*
 * The pairs of two cases along an axis of a / b; bound: where it ends if several share it; 0: their
 * own.
 */
void view_pairs_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		     const struct model_comparison *comparison, double bound);
void view_clock_draw(const struct view_frame *frame, struct rect rect);
/* Has a panel answer clicks; those added first are on top. */
void view_zone_add(struct view_shown *shown, struct view_zone zone);
/* Has a row or a name open the Timeline of its case. */
void view_zone_case(struct view_shown *shown, struct rect rect, uint32_t case_id);
/* The lines that the view's caption takes of a screen: none where there is no room for them. */
int view_caption_lines(const struct view_frame *frame);
void view_caption_draw(const struct view_frame *frame, struct rect rect);
void view_help_draw(const struct view_frame *frame, struct rect body);
/* How many rows of a list are not shown; returns where the text ends. */
int view_rows_hidden(struct canvas *canvas, struct rect line, long above, long below);
void view_no_memory(struct canvas *canvas, struct rect rect);

/* The first of n lines, so that the last is the lowest of those shown; notes how far it can go. */
int view_scroll_to(const struct view_frame *frame, int n, int shown);
bool view_curve_log(const struct view_state *state, const struct view_shown *shown, bool x);
/* The table of the answer in a box, as in Results; false: its rows do not fit. */
bool view_answer_draw(const struct view_frame *frame, struct rect box);
/* The case chosen, one of those shown. */
uint32_t view_chosen(const struct view_state *state, const struct view_shown *shown);

void view_present_draw(const struct view_frame *frame, struct rect body);
/* Instead of the result: the question, until it is revealed. */
void view_cover_draw(const struct view_frame *frame, struct rect rect);

/* Shown instead of a view if the scene has no session: the headings, and the fault. */
void view_lecture_slide(const struct view_frame *frame, struct rect body);
/* The whole screen of the speaker: the scene, its notes, the next one, the time. */
void view_lecture_notes(const struct view_frame *frame);

/* In the order of their numbers; of two with one number, the last that is offered takes it. */
#define VIEWS(view)                                                                                \
	view(overview) view(timeline) view(memory) view(results) view(wakes) view(curve)           \
		view(latency) view(messages)

struct view_ops {
	int number;		 /* of the key that chooses it: 1 … 9 */
	const char *name;	 /* "Overview" */
	const char *brief;	 /* "Over" */
	const char *absent;	 /* the reason why it is not offered, for who chooses it */
	const char *help;	 /* a heading, then a line for each term: view_help.c */
	const char *captions[2]; /* a description; where to look, with the terms */
	/* The same as asked for; NULL, and what returns NULL: those above. */
	const char *const *(*captions_now)(const struct view_frame *frame);
	const char *help_trees; /* the same where trees are shown; NULL: nothing else */
	const char *hint;	/* where to look, below the sentence; NULL for the common hint */
	bool zooms;		/* + and - zoom its time */
	bool roomy;		/* leaves the sentence a panel of its own */
	bool opens;		/* answers what its sessions ask: they open on it */
	/* Called whenever views are listed or chosen: has the model what it shows? NULL: yes. */
	bool (*offered)(const struct model *model);
	/* Called for every frame, before draw: has it a sentence of its own? NULL: no. */
	bool (*answers)(const struct view_frame *frame);
	/* Called for every frame; draws into rect only. */
	void (*draw)(const struct view_frame *frame, struct rect rect);
	/* Called for a key of the view, with its act; true if it was used. NULL: it has none. */
	bool (*act)(struct view *view, const struct model *model, enum keys_act act, int key);
};

#define VIEW_DECLARE(name) extern const struct view_ops view_##name;
VIEWS(VIEW_DECLARE)

/* The views in the order of the list; NULL after the last. */
const struct view_ops *views_at(size_t i);
/* The last view of that number that the model offers, or any without a model; NULL: none. */
const struct view_ops *views_get(const struct model *model, int number);
