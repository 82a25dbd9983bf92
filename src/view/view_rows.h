/* SPDX-License-Identifier: MIT */
#pragma once

#include "views.h"
#include "core/sample_task.h"

/*
 * The rows that show a plan's tree, folded and unfolded, computed from the plan alone. A bit for
 * each task says whether it is unfolded. The list of rows is rebuilt when a bit changes, not by a
 * frame. If a task has more children than anyone reads (--tree 5000), they are put into groups of a
 * round number, which fold like branches and are no tasks.
 */

struct tree_row {
	uint32_t first, count; /* siblings, count > 1 in groups only */
	uint8_t level;
	bool group;
	bool open;     /* its tasks or children follow as rows of their own */
	bool foldable; /* there is something to follow */
};

struct tree_rows {
	struct plan plan;
	uint32_t n_tasks;
	uint32_t group[PLAN_MAX_LEVELS]; /* siblings of that level in a group; 0: no groups */
	int name_w;			 /* columns of the longest name */
	uint64_t *open;			 /* a bit a task, then a bit a group by its first task */
	struct tree_row *rows;		 /* there is room for a row a task, and as many groups */
	size_t n_rows;
	size_t selected;     /* < n_rows */
	uint32_t generation; /* of the list: another one after every change */
};

/* Branches folded; a tree of a few tasks all open. 0 or -ENOMEM. */
int tree_rows_init(struct tree_rows *tree, const struct plan *plan);
void tree_rows_free(struct tree_rows *tree);
/* Folds or unfolds the selected row; a row with nothing below it folds what it is part of. */
void tree_rows_toggle(struct tree_rows *tree);
/* Unfolds everything; folds everything where nothing is folded. */
void tree_rows_toggle_all(struct tree_rows *tree);
/* Selects the task, and unfolds all that hides it. */
void tree_rows_show(struct tree_rows *tree, uint32_t task);
/* Selects the row of the task, or the one it is folded into. */
void tree_rows_select(struct tree_rows *tree, uint32_t task);
/* "▸4.2", "▾4.2", " 4.2.81", "▸1–100". Returns buf. */
char *tree_rows_name(const struct tree_rows *tree, const struct tree_row *row, char *buf,
		     size_t size);
/*
 * The tasks of a row with all their descendants, a span for each level: spans[0] has the tasks of
 * row->level, spans[1] their children, and so on. Returns the number of levels.
 */
struct tree_span {
	uint32_t first, count;
};
uint32_t tree_rows_spans(const struct tree_rows *tree, const struct tree_row *row,
			 struct tree_span spans[PLAN_MAX_LEVELS]);

/*
 * A row of many workers along a time axis: how many of them ran in each cell; where none did, what
 * most did. One pass over the workers, whatever the number of cells; nothing is allocated.
 */

enum { DENSITY_CELLS = PLOT_DOTS / 2 };

enum density_state {
	DENSITY_CREATED, /* from the create call to the first instruction */
	DENSITY_RUNNING, /* from the first instruction to the last */
	DENSITY_WAITING, /* from there until it was joined */
	DENSITY_STATES,
	DENSITY_BAD = DENSITY_STATES, /* one failed, crashed or was refused here */
	DENSITY_NONE
};

/*
 * A cell's share of the cores, where slices are known. 1 … 8: the workers had that number of
 * eighths of the cores that they could use, one each. Above 8: they had almost none, and most of
 * them were in this state.
 */
enum { SHARE_UNKNOWN, SHARE_ALL = 8, SHARE_WAITING, SHARE_BLOCKED, SHARE_THROTTLED };

struct density_cell {
	uint8_t state;
	uint32_t running; /* at any time within it */
	uint8_t share;
};

struct density_sum {
	uint32_t workers, joined, bad, most; /* running in one cell */
	int64_t begin_ns, end_ns;	     /* the first create and the last join of all; -1 */
};

struct density {
	const struct plot_axis *axis;
	int64_t until_ns; /* later times are unknown; in ended runs the end */
	int w;
	struct density_sum sum;
	int32_t state[DENSITY_STATES][DENSITY_CELLS + 1];
	bool failed[DENSITY_CELLS];
};

/* The axis is kept; it covers at most DENSITY_CELLS cells. */
void density_begin(struct density *density, const struct plot_axis *axis, int64_t until_ns);
/* A worker, as it will have been in the end: shown is what came by until_ns. */
void density_add(struct density *density, const struct sample_worker *worker);
/* Fills one cell for each column of the axis, from its left end. Keeps the cells' shares. */
void density_cells(struct density *density, struct density_cell *cells);

/*
 * A lane: a worker, or a core, along an axis of time, in cells of eight parts. Stretches are added
 * in any order; drawing splits a cell at the edge between two of them, so that edges are exact to
 * an eighth. Where slices are shorter than cells, a cell is filled from below by the share of its
 * time.
 */

struct view_lane_cell {
	int64_t ns[MODEL_STATES];
	int64_t on_ns[PLOT_WORKERS]; /* of STATE_ON, by the colours of workers */
};

struct view_lane_eighth {
	int64_t ns;	 /* the longest stretch in it */
	uint32_t worker; /* that had the core in it, from 1; 0: nobody */
};

struct view_lane {
	const struct plot_axis *axis;
	double eighth_ns;
	int w;
	bool core;	     /* of a core, not of a worker */
	uint32_t unnumbered; /* of a core: tasks before w1, such as the processes of a hybrid */
	struct view_lane_cell cells[DENSITY_CELLS];
	struct view_lane_eighth eighths[DENSITY_CELLS * PLOT_EIGHTHS];
};

/* Empties it. The axis is kept; it covers at most DENSITY_CELLS cells. */
void view_lane_begin(struct view_lane *lane, const struct plot_axis *axis);
void view_lane_add(struct view_lane *lane, const struct model_stretch *stretch, uint32_t worker);
/* Fills a lane with the known states of a worker from from_ns to the cursor; false: no slice. */
bool view_lane_worker(struct view_lane *lane, const struct model *model,
		      const struct model_run *run, uint32_t worker, int64_t from_ns);
#define VIEW_OTHERS_GLYPH 0x2248 /* ≈: other programs have the core */
/* The same for a core: the workers that had it, and ≈ where other programs did. */
void view_lane_core(struct view_lane *lane, const struct model *model, const struct model_run *run,
		    size_t cpu);
/* Whether the lane of a core shows other programs. */
bool view_lane_has_others(const struct view_lane *lane);
/* Whether most slices of a run are shorter than two thirds of a cell, whatever the cursor. */
bool view_lane_is_dense(const struct model_run *run, const struct plot_axis *axis);

struct view_lane_style {
	uint8_t ground;			   /* the background: COLOUR_PANEL for the selected row */
	bool dense;			   /* see view_lane_is_dense() */
	const struct model_run *throttled; /* the run, where a quota may have kept it; NULL */
};

/* On h lines from y on: █ ▌ on a core, ─ waiting for one, ┈ blocked, nothing where it is not alive.
 */
void view_lane_draw(const struct view_lane *lane, struct canvas *canvas, int y, int h,
		    const struct view_lane_style *style);
/* The numbers of workers (4 for w4), where the lane of a core has room for them. */
void view_lane_numbers(const struct view_lane *lane, struct canvas *canvas, int y);

struct view_list;

struct view_bar {
	struct canvas *canvas;
	const struct plot_axis *axis;
	int y;
	int64_t until_ns; /* the end of phases that have not ended */
	uint8_t bg;	  /* COLOUR_PANEL: the selected row */
	bool barrier;
	bool dense; /* see view_lane_is_dense() */
	bool race;  /* lives alone: no marks of creation, barrier and join */
	/* The bar's worker, to look up when it was on a core; run NULL to show none of that. */
	const struct model *model;
	const struct model_run *run;
	uint32_t worker;
};

/* Draws "█ on a core   ░ waits" as far as it fits in w. Returns the column after it. */
int view_legend_draw(struct canvas *canvas, int x, int y, int w, const struct view_legend *list,
		     size_t n);
/* The colour of who does that work; of many, also of work that has no colour of its own. */
uint8_t view_bar_colour(uint8_t work);
uint8_t view_bar_colour_of_many(uint8_t work);
/*
 * ╌ created, ┊ at the start barrier, ━ cpu ═ io ╍ fp ┅ mem ┉ write ─ other work, or its lane
 * (below), ┈ finished, ┤ joined, ✗ what went wrong.
 */
void view_bar_worker(struct view_bar *bar, const struct sample_worker *worker, uint8_t work);
/*
 * ▁ … █ how many run, █ for `most`. Where none does, what most do: ▒ are being created, ▓ have
 * ended and are to be joined. Those who run by their shares of the cores, where these are known.
 */
void view_bar_density(const struct view_bar *bar, const struct density_cell *cells, uint32_t most,
		      int n, uint8_t work);
/* Says in cells of a bar of one task, where they are blocked, what it waited for. */
void view_bar_waits(const struct view_bar *bar, const struct density_cell *cells, int w);
/* Adds to the legend each ink that rows have in rect of the canvas. */
void view_bar_legend(const struct view_list *list, struct rect rect);
bool view_bar_bad(const struct sample_worker *worker);
/* "SIGSEGV", "ENOSPC", "stopped". Returns buf. */
char *view_bar_reason(const struct sample_worker *worker, char *buf, size_t size);

/*
 * When workers were on a core: █ on one, ▁ … ▇ for the share of a cell that they were, ░ could run
 * and had none, ║ the same by the run's quota, ┈ waited for something else.
 */

/* The room that a share takes beside a name. */
int view_lanes_share_w(const struct model *model);
/* The share of its life that the bar's worker was on a core, ending before column x. */
void view_lane_share(const struct view_bar *bar, int x, struct style style);
/*
 * On a box's lower edge, from column x on: a legend of the inks, if asked for; at the right where
 * the lanes come from, or what would give them.
 */
void view_lanes_edge(struct canvas *canvas, struct rect box, const struct model *model,
		     const struct model_run *run, int x, bool legend);

/* A frame of many workers computes only the rows that changed since the last frame. */

/* The input that rows were drawn from: while it is the same, so are they. */
struct rows_key {
	uint32_t run;
	int64_t until_ns, from_ns, to_ns;
	int w, n;
	uint64_t first; /* row */
	uint32_t generation, per_row;
};

/* A row of many, and how far its shares are: those before `done` stay. */
struct rows_many_row {
	struct density_sum sum;
	int64_t until_ns; /* its density is as of then */
	int done, until;  /* the shares up to the column `until` are as of then; -1: none is */
};

struct rows_cells {
	struct rows_key key;
	struct density_cell *cells; /* key.n rows of key.w */
	struct rows_many_row *rows; /* key.n */
	uint32_t most;		    /* running in one cell of any row */
	size_t cap_cells, cap_rows;
};

/* A value a column, level by level: of model_alive(), or of model_stands(), MODEL_STANDS each. */
struct rows_levels {
	struct rows_key key;
	double *values;
	size_t cap;
	uint32_t created[PLAN_MAX_LEVELS]; /* with model_stands() only */
};

/* All workers of a run in another order than the tree's. */
struct rows_order {
	uint32_t run;
	int64_t until_ns;
	enum view_order by;
	struct order_place {
		double key;
		uint32_t worker;
	} * places;
	uint32_t n, generation;
};

/* The sums of a row's workers, and of the phases of their lives as far as these are known. */
struct rows_many {
	struct rows_key key;
	struct model_counts counts;
	uint32_t n;
	int64_t begin_ns, end_ns; /* the first create, the last join; -1 */
	double sum_ns[MODEL_PHASES];
	uint32_t known[MODEL_PHASES];
};

struct rows_figures {
	uint32_t run, worker;
	int64_t until_ns;
	size_t n;
	bool known;
	struct model_lane_figures figures;
	struct model_woken woken; /* n 0: never, or not known */
};

/* A task of a command with all that is folded into it, or siblings of one kind and name. */
struct task_row {
	uint32_t first; /* task */
	uint32_t at, n; /* its range in the order of all tasks */
	uint32_t group; /* number of siblings; 0 for a single task */
	uint8_t depth;
	bool foldable, open;
};

struct task_rows {
	uint32_t run, n_tasks, changes, folds; /* of what they were made */
	struct task_row *rows;
	size_t n;
	uint32_t *order, n_order;
};

struct view_case {
	struct task_rows tasks;
	long top;      /* row shown first: the next frame moves no farther than it must */
	long top_flat; /* the same of the order's rows */
	struct rows_cells cells;
	struct rows_levels alive, stands;
	struct rows_many many; /* of the selected row */
	struct rows_figures figures;
	struct rows_order order;
};

struct view_rows {
	uint32_t n_cases;
	struct view_case cases[];
};

/* The rows of a case's newest run. A screenful of them is shown along an axis of time. */
struct view_list {
	struct canvas *canvas;
	struct view_shown *shown;
	const struct model *model;
	const struct model_run *run; /* NULL before the first */
	struct view_case *one;
	struct view_fold *fold; /* which rows are unfolded, and the selected one */
	struct tree_rows *tree;
	struct rect rect; /* left margin: names; last row: number of hidden rows */
	struct plot_axis axis;
	int right;		       /* margin at the axis' right for figures */
	long n, first, selected;       /* rows of the whole list */
	uint32_t per_row;	       /* workers a row when they are sorted; else 0 */
	const struct task_rows *tasks; /* the rows, of a run of commands; NULL: workers */
	bool race;  /* of the first screen: lanes alone, and no row is selected */
	bool dense; /* see view_lane_is_dense() */
};

/*
 * The time shown, for the latest runs of the cases first … end - 1. If a run's end is known, the
 * axis has the run's whole length, wherever the cursor is. So it does not move during a replay in
 * slow motion. It is at most as wide as densities.
 */
struct plot_axis view_rows_axis(const struct model *model, const struct view_state *state,
				uint32_t first, uint32_t end, int x, int w);
struct rows_key view_rows_key(const struct view_list *list, int n, int64_t until_ns);

/* The workers of a row of many: n, in the order of levels or of the list. */
struct rows_members {
	const struct order_place *order; /* NULL: they are numbers */
	struct tree_span spans[PLAN_MAX_LEVELS];
	uint32_t n;
};

void view_rows_members(const struct view_list *list, long row, struct rows_members *members);
uint32_t view_rows_member(const struct rows_members *members, uint32_t i);
/* How many of the list's run were alive along its axis, or stood how; NULL without memory. */
const struct rows_levels *view_rows_levels(const struct view_list *list, bool stands);
/* Puts the run's workers into the order, unless they are. 0 or -ENOMEM. */
int view_rows_sort(struct rows_order *order, const struct model *model, const struct model_run *run,
		   enum view_order by);
uint32_t view_rows_position(const struct rows_order *order, uint32_t worker);

/* The unfolded parts of each case's tree, and its selected row: only keys change them. */

/* Which tasks of commands are unfolded, by their numbers, so that the next run keeps them. */
struct task_folds {
	/* two bits a task: it, and the group that it begins, are the other way */
	uint64_t flip[SAMPLE_MOST_TASKS / 32 + 1];
	int all;       /* 1: all are open, -1: none is */
	uint32_t task; /* the selected row begins with it */
	bool group;
	uint32_t generation;
};

struct view_fold {
	struct task_folds tasks;
	uint32_t alike;	       /* the first case of the same shape: it holds the tree */
	struct tree_rows tree; /* shared, so that the columns' rows stay side by side */
	uint32_t worker;       /* the selected worker when workers are sorted */
};

struct view_folds {
	uint32_t n_cases;
	struct view_fold cases[];
};

struct tree_rows *view_folds_tree(struct view_folds *folds, uint32_t case_id);

/* A case's list: its newest run and all rows of its tree. The caller places them. */
struct view_list view_list_of(const struct view_frame *frame, uint32_t case_id);
/* The place of the selected row: that of the row, or of the worker in the order. */
long view_list_place(const struct view_list *list);
/* Selects the place, as far as there are some. */
void view_list_select(const struct view_list *list, int64_t place);
void view_list_move(const struct view_list *list, long by);
/* The first worker of the selected row; of tasks, the task. */
uint32_t view_list_worker(const struct view_list *list);
/*
 * "Fold" or "Unfold", as Enter does to the selected row; NULL where nothing is below it, though
 * Enter folds what it is part of.
 */
const char *view_list_fold(const struct view_list *list);
/* Draws the list once the run has begun, while its workers are kept. */
void view_list_draw(const struct view_list *list);
struct style view_list_name_style(const struct view_bar *bar);
/* Moves the first row so that the selected one is shown. */
long view_list_top(long first, long selected, long n, int h);
/* The reason why a case has no rows: it has not begun, or its workers were dropped. */
const char *view_list_waits(const struct view_state *state, const struct model_run *run);
/* The rows by which a key moves; false for another key. */
bool view_list_key(int key, long *by);
/* The most frequent work of the leaves: what a density's running workers do. */
uint8_t view_list_work(const struct plan *plan);

/*
 * Draws the details of a list's selected row: a worker, a branch, several workers, or tasks. They
 * are in a box, one below the other. brief draws them in columns without a box.
 */
void view_details_draw(const struct view_list *list, struct rect rect, bool brief);

/* The case suits a tree: it has levels, or too many tasks for a row each to say much. */
bool view_tree_fits(const struct model *model, uint32_t case_id);
void view_tree_draw(const struct view_frame *frame, struct rect box, uint32_t case_id);
bool view_tree_act(struct view *view, const struct model *model, enum keys_act act, int key);
/* Whether all of the tree is alive at once; "" where no case is a tree. Returns buf. */
char *view_tree_hint(const struct model *model, char *buf, size_t size);

/* How many are alive over time, level upon level; rect with the margin for the scale's end. */
void view_tree_alive(const struct view_list *list, struct rect rect, double top);

/*
 * The Timeline's rows of a run of commands: each process with its threads and children below it.
 * Siblings of one kind and name follow one another, and are one row where they are many.
 */

/* The rows of a case as of the cursor, where its run has tasks; NULL: it has none by now. */
const struct task_rows *view_task_rows(const struct view_list *list);
/* The place of the selected row, or of the one that it is folded into. */
long view_task_selected(const struct task_rows *rows, const struct task_folds *folds);
void view_task_select(struct task_folds *folds, const struct task_row *row);
/* Folds or unfolds the selected row, else the one above that holds it; or all of them. */
void view_task_fold(struct task_folds *folds, const struct task_rows *rows, bool all);
/* The width of the task names that are shown. */
int view_task_names_w(const struct view_list *list);
void view_task_draw(const struct view_list *list, const struct task_row *row, struct view_bar *bar);
