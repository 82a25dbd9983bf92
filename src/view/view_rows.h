/* SPDX-License-Identifier: MIT */
#pragma once

#include "views.h"
#include "core/sample_task.h"
#include "model/model_levels.h"
#include "model/model_lanes.h"
#include "model/model_wakes.h"

/*
 * The rows that show a plan's tree, folded and unfolded, computed from the plan alone. Each task
 * has a bit that says whether it is unfolded. The list of rows is rebuilt only when a bit changes.
 * If a task has too many children to read (--tree 5000), the children are put into groups of a
 * round size. A group folds like a branch, but is not a task.
 */

struct tree_row {
	/* The siblings of the row: first … first + count - 1. count is above 1 only in groups. */
	uint32_t first, count;
	uint8_t level;
	bool group;
	bool open;     /* The row's tasks or children are in rows of their own below this row. */
	bool foldable; /* The row has tasks or children that can be shown in rows of their own. */
};

struct tree_rows {
	struct plan plan;
	uint32_t n_tasks;
	/* For each level, the number of siblings in a group; 0: the level has no groups. */
	uint32_t group[PLAN_MAX_LEVELS];
	int name_w; /* Width of the widest name. */
	/*
	 * A bit for each task, then a bit for each group. The bit of a group is n_tasks after the
	 * bit of its first task.
	 */
	uint64_t *open;
	struct tree_row *rows; /* Large enough for a row for each task and each group. */
	size_t n_rows;
	size_t selected;     /* Index of the selected row. */
	uint32_t generation; /* Changes whenever the list of rows changes. */
};

/*
 * Makes the rows. Branches are folded, but a tree of few tasks is completely unfolded. Returns 0 or
 * -ENOMEM.
 */
int tree_rows_init(struct tree_rows *tree, const struct plan *plan);
void tree_rows_free(struct tree_rows *tree);
/*
 * Folds or unfolds the selected row. If that row cannot be folded, folds the row that contains it.
 */
void tree_rows_toggle(struct tree_rows *tree);
/* Unfolds all rows. If no row is folded, folds all rows. */
void tree_rows_toggle_all(struct tree_rows *tree);
/* Selects the task, and unfolds all rows that hide it. */
void tree_rows_show(struct tree_rows *tree, uint32_t task);
/* Selects the row of the task, or the folded row that contains it. */
void tree_rows_select(struct tree_rows *tree, uint32_t task);
/* The name with its mark: "▸4.2", "▾4.2", " 4.2.81", "▸1–100". Returns buf. */
char *tree_rows_name(const struct tree_rows *tree, const struct tree_row *row, char *buf,
		     size_t size);
/*
 * The tasks of a row and all their descendants, as a span for each level: spans[0] has the tasks of
 * row->level, spans[1] their children, and so on. Returns the number of levels.
 */
struct tree_span {
	uint32_t first, count;
};
uint32_t tree_rows_spans(const struct tree_rows *tree, const struct tree_row *row,
			 struct tree_span spans[PLAN_MAX_LEVELS]);

/*
 * A row of many workers along a time axis. Each cell has the number of workers that ran in the cell
 * or, if none ran, the most frequent state. Each worker is read only once, however many cells there
 * are, and no memory is allocated.
 */

enum { DENSITY_CELLS = PLOT_DOTS / 2 };

enum density_state {
	DENSITY_CREATED, /* from the create call to the first instruction */
	DENSITY_RUNNING, /* from the first instruction to the last */
	DENSITY_WAITING, /* from the last instruction to the join */
	DENSITY_STATES,
	DENSITY_BAD = DENSITY_STATES, /* a worker failed, crashed or could not be created */
	DENSITY_NONE
};

/*
 * A cell's share of the cores, if slices are known. 1 … 8: eighths of the cores that the workers
 * could have used, one core for each worker. From SHARE_WAITING on: the workers had almost no core,
 * and the value is the state of most of them.
 */
enum { SHARE_UNKNOWN, SHARE_ALL = 8, SHARE_WAITING, SHARE_BLOCKED, SHARE_THROTTLED };

struct density_cell {
	uint8_t state;
	uint32_t running; /* Number of workers that ran at any time within the cell. */
	uint8_t share;
};

struct density_sum {
	/* most: largest number of workers running in one cell. */
	uint32_t workers, joined, bad, most;
	/* First create call and last join of all workers. -1: there is none. */
	int64_t begin_ns, end_ns;
};

struct density {
	const struct plot_axis *axis;
	/* Times after until_ns are unknown. For an ended run, it is the run's end. */
	int64_t until_ns;
	int w;
	struct density_sum sum;
	int32_t state[DENSITY_STATES][DENSITY_CELLS + 1];
	bool failed[DENSITY_CELLS];
};

/* Begins a row. Keeps a pointer to the axis, which may have at most DENSITY_CELLS cells. */
void density_begin(struct density *density, const struct plot_axis *axis, int64_t until_ns);
/* Adds a worker with all of its known times. Times after until_ns are not shown. */
void density_add(struct density *density, const struct sample_worker *worker);
/*
 * Fills a cell for each column of the axis, from its left end on. Does not change the cells'
 * shares.
 */
void density_cells(struct density *density, struct density_cell *cells);

/*
 * What a cell of a row shows. The values are in the order of the legend. The cells of a row are
 * computed before they are drawn, and the legend lists what they show.
 */
enum view_inks {
	INK_NONE,
	INK_CREATED,
	INK_MANY_CREATED, /* INK_MANY: in a row of many workers */
	INK_BARRIER,
	INK_WORK,			 /* INK_WORK + its kind of work: a worker has started */
	INK_CAP = INK_WORK + WORK_KINDS, /* INK_CAP + its kind of work: where its work begins */
	INK_ON = INK_CAP + WORK_KINDS,	 /* on a core, from eighth to eighth of the cell */
	INK_FULL,			 /* on a core, with gaps that are too short to be seen */
	INK_PART,			 /* in short slices, which fill a part of the cell */
	INK_MANY_FULL,
	INK_MANY_PART,
	INK_WAITING,
	INK_REQUEST,
	INK_THROTTLED,
	INK_MANY_THROTTLED,
	INK_BLOCKED,
	INK_MANY_BLOCKED,
	INK_FINISHED,
	INK_MANY_FINISHED,
	INK_JOINED,
	INK_THREAD, /* in a thread's name */
	INK_FAILED,
	INK_BLANK,  /* In a row of many workers: no worker is alive, and nothing is drawn. */
	INK_OTHERS, /* other programs, in the lane of a core */
	INK_EXIT,   /* on a core after the worker's end, while the kernel ends the task */
	INK_IDLE,   /* The core is idle. Only in the lane of a core whose slices are all known. */
	INK_BEFORE, /* The bar is outside the visible time. */
	INK_AFTER,
	VIEW_INKS
};

_Static_assert(VIEW_INKS <= 64, "a set of inks has 64 bits");

/*
 * The lane of a worker or a core along a time axis. Each cell has eight parts. Stretches may be
 * added in any order. A cell is split at the edge between two stretches, so edges are exact to an
 * eighth. If slices are shorter than cells, a cell is filled from below by the share of its time on
 * a core.
 */

struct view_lane_cell {
	int64_t ns[MODEL_STATES];
	int64_t on_ns[PLOT_WORKERS]; /* Time in STATE_ON, for each colour of workers. */
	int64_t exit_ns;	     /* Time on a core after the end of a worker. */
	struct view_lane_eighth {
		int64_t ns; /* Length of the longest stretch in the eighth. */
		/*
		 * The worker that had the core in that stretch, counted from 1, plus `shift`. 0: no
		 * worker.
		 */
		uint32_t worker;
	} eighths[PLOT_EIGHTHS];
};

/* Instead of a worker's index: a worker that has ended is still on the core. */
#define VIEW_LANE_EXIT (UINT32_MAX - 1)

struct view_lane {
	const struct plot_axis *axis;
	double eighth_ns;
	/* Number of cells, up to the end of the axis. In a cached lane, up to the cursor. */
	int w;
	bool core;  /* This is the lane of a core, not of a worker. */
	bool exact; /* Slices of other programs are known, too, so a free core was idle. */
	/* Added to the index of a worker, so that w1 has the first colour in every model. */
	uint32_t shift;
	/*
	 * In the lane of a core: number of tasks before w1, which are the processes of a hybrid,
	 * plus `shift`.
	 */
	uint32_t unnumbered;
	/*
	 * For a cached lane. Cells before `done` are final, even those after the cursor, which are
	 * not shown. In each frame, cells are filled from `first` on. The cell of the cursor is
	 * kept_at, and only a part of it is filled. If the cell is final, its complete contents are
	 * stored in `kept`.
	 */
	int done, first, kept_at;
	struct view_lane_cell kept;
	/* Everything from which the cells are computed, except the run and the axis. */
	struct view_lane_source {
		int64_t from_ns, cut_ns;
		uint64_t version; /* Changes when final cells change. */
		uint64_t ends;	  /* The ends of the workers, where exits are drawn. */
	} source;
	struct view_lane_cell cells[];
};

/* Empties a lane. Keeps a pointer to the axis, which may have at most DENSITY_CELLS cells. */
void view_lane_begin(struct view_lane *lane, const struct plot_axis *axis);
void view_lane_add(struct view_lane *lane, const struct model_stretch *stretch, uint32_t worker);
struct view_cache;
/*
 * The lane of a worker, with its known states from from_ns to the cursor. exits: time on a core
 * after the worker's end has its own colour, as in the race. The lane is valid until the cache is
 * used for something else. NULL if no slice is known, or if memory is short.
 */
const struct view_lane *view_lane_worker(struct view_cache *cache, const struct plot_axis *axis,
					 const struct model *model, const struct model_run *run,
					 uint32_t worker, int64_t from_ns, bool exits);
#define VIEW_OTHERS_GLYPH    0x2248 /* ≈ means that other programs have the core. */
#define VIEW_UNSAMPLED_GLYPH '.'    /* Marks time before the first sample. */
#define VIEW_IDLE_GLYPH	     0xb7   /* · means that a core is idle. */
/*
 * The lane of a core: the workers that had the core, ≈ while other programs had it, and, if that is
 * known, · while it was idle. NULL if memory is short.
 */
const struct view_lane *view_lane_core(struct view_cache *cache, const struct plot_axis *axis,
				       const struct model *model, const struct model_run *run,
				       size_t cpu, bool exits);
/* Whether the lane of a core shows other programs, or shows that the core was idle. */
bool view_lane_has_others(const struct view_lane *lane);
bool view_lane_has_idle(const struct view_lane *lane);
/* Whether the lane shows workers on a core after their ends. */
bool view_lane_has_exits(const struct view_lane *lane);
/*
 * The time at which the worker ended: its last instruction, or the crash that ended its process.
 * -1: unknown. Afterwards the kernel ends the task, which may need a core once more.
 */
int64_t view_worker_end(const struct model_run *run, uint32_t index,
			const struct sample_worker *worker);
/* Whether most slices of a run are shorter than two thirds of a cell. Ignores the cursor. */
bool view_lane_is_dense(struct view_cache *cache, const struct model *model,
			const struct model_run *run, const struct plot_axis *axis);
/*
 * Slices of several runs in a frame, and their time. slices and on_ns: all slices. shorter and
 * short_ns: slices that are too short for a cell.
 */
struct view_lane_count {
	size_t slices, shorter;
	int64_t on_ns, short_ns;
};

void view_lane_count(struct view_lane_count *count, struct view_cache *cache,
		     const struct model *model, const struct model_run *run,
		     const struct plot_axis *axis);

struct view_bar;

/* Sets the inks of a bar in the cells in which the lane shows a state. */
void view_lane_inks(const struct view_lane *lane, struct view_bar *bar);
/* Draws a cell of the lane whose ink is INK_ON, INK_FULL or INK_PART. */
void view_lane_cell(const struct view_lane *lane, const struct view_bar *bar, int x);
/* Fills the first column of rect from below. eighths: height of the bar, in eighths of rect.h. */
void view_share_draw(struct canvas *canvas, struct rect rect, int eighths, struct style style);
/* Writes the numbers of workers (4 for w4) into the lane of a core, if there is room. */
void view_lane_numbers(const struct view_lane *lane, struct canvas *canvas, int y, bool dense);
/*
 * Writes the number of its core into each slice of a worker's lane that fills at least two cells.
 * Returns whether any number is written.
 */
bool view_lane_core_numbers(const struct view_lane *lane, const struct view_bar *bar);

struct view_list;

struct view_bar {
	struct canvas *canvas;
	const struct plot_axis *axis; /* At most DENSITY_CELLS wide. */
	int y;			      /* The middle line of the row. */
	int above, below;	      /* Number of the row's lines above and below it. */
	int64_t until_ns;	      /* Phases that have not ended are drawn up to this time. */
	uint8_t bg;		      /* COLOUR_PANEL for the selected row. */
	bool barrier;
	bool dense;  /* see view_lane_is_dense() */
	uint8_t hue; /* Colour of the lane. COLOUR_DEFAULT: each worker has its own colour. */
	bool race;   /* Draw only the worker's life, without marks of creation, barrier and join. */
	/* Set if a slice shows the number of its core. NULL: no slice shows it. */
	bool *core_numbers;
	/* The bar's worker, whose time on cores is shown. run NULL: do not show it. */
	const struct model *model;
	const struct model_run *run;
	struct view_cache *cache;
	uint32_t worker;
	bool thread; /* The row's name has the sign of a thread. */
	/* There is a cell after the end of the axis, because a join may be marked there. */
	uint8_t inks[DENSITY_CELLS + 1];
};

/* The glyph and colours of an ink. */
struct view_ink view_ink_of(enum view_inks ink);
/* The inks of the bar, as a set of bits. */
uint64_t view_bar_inks(const struct view_bar *bar);
/* The n columns from x on, on all lines of the row. */
struct rect view_bar_rect(const struct view_bar *bar, int x, int n);
/*
 * Draws the lane on the lines of a bar: █ ▌ on a core, ─ waiting for a core, ║ throttled, ┈
 * blocked, nothing while the worker is not alive. In the lane of a core: ≈ other programs.
 */
void view_bar_lane(struct view_bar *bar, const struct view_lane *lane);

/*
 * Draws entries such as "█ on a core ─ waits", as many as fit in w columns. Returns the column
 * after the entries.
 */
int view_legend_draw(struct canvas *canvas, int x, int y, int w, const struct view_legend *list,
		     size_t n);
/*
 * view_bar_colour(): the colour of workers with this kind of work. view_bar_colour_of_many(): the
 * colour of a row of many workers. It exists even for a kind of work without a colour of its own.
 */
uint8_t view_bar_colour(uint8_t work);
uint8_t view_bar_colour_of_many(uint8_t work);
/*
 * Draws a worker's bar: ╌ created, ┊ at the start barrier, ━ cpu ═ io ╍ fp ┅ mem ┉ write ─ other
 * work (or its lane, see below), ┈ finished, ┤ joined, ✗ failed.
 */
void view_bar_worker(struct view_bar *bar, const struct sample_worker *worker, uint8_t work);
/*
 * Draws a row of many workers: ▁ … █ for how many are running, with █ for `most`. If none is
 * running, draws the most frequent state: ▒ being created, ▓ ended and not joined. If slices are
 * known, running workers are drawn by their shares of the cores.
 */
void view_bar_density(struct view_bar *bar, const struct density_cell *cells, uint32_t most, int n,
		      uint8_t work);
/* Writes the object for which the task waited into the cells of its bar in which it is blocked. */
void view_bar_waits(const struct view_bar *bar, const struct density_cell *cells, int w);
bool view_bar_bad(const struct sample_worker *worker);
/*
 * The time at which the worker ended: its last instruction. For a killed worker, its lane's end.
 * -1: it has not ended.
 */
int64_t view_bar_end(const struct view_bar *bar, const struct sample_worker *worker);
/* A word for why a worker failed: "SIGSEGV", "ENOSPC", "stopped". Returns buf. */
char *view_bar_reason(const struct sample_worker *worker, char *buf, size_t size);

/*
 * How lanes show when workers were on a core: █ on a core, ▁ … ▇ on a core for part of the cell, ─
 * runnable without a core, ║ runnable but throttled by the run's quota, ┈ waiting for something
 * else.
 */

/* Width of a worker's share, beside its name. */
int view_lanes_share_w(const struct model *model);
/*
 * Writes for which share of its lifetime the bar's worker was on a core. The text ends before
 * column x.
 */
void view_lane_share(const struct view_bar *bar, int x, struct style style);
/*
 * Writes on a box's lower edge, from column x on, a legend of the inks, if `legend` is set. On the
 * right, writes the source of the lanes, or how to get lanes.
 */
void view_lanes_edge(struct canvas *canvas, struct rect box, const struct model *model,
		     const struct model_run *run, int x, bool legend);

/*
 * Caches for frames of many workers. Only rows that have changed since the last frame are computed
 * again.
 */

/* Everything from which a set of rows was computed. Equal keys mean equal rows. */
struct rows_key {
	uint32_t run;
	int64_t until_ns, from_ns, to_ns, cut_ns;
	int w, n;
	uint64_t first; /* Index of the first row. */
	uint32_t generation, per_row;
};

/*
 * A row of many workers, and how far its shares are computed. Shares of cells before `done` are
 * final.
 */
struct rows_many_row {
	struct density_sum sum;
	int64_t until_ns; /* The time up to which the row's density was computed. */
	/*
	 * until: the column that the run had reached when the shares were computed. -1: they have
	 * not been computed yet.
	 */
	int done, until;
};

struct rows_cells {
	struct rows_key key;
	struct density_cell *cells; /* key.n rows of key.w cells */
	struct rows_many_row *rows; /* key.n rows */
	uint32_t most;		    /* Largest number of workers running in one cell of any row. */
	size_t cap_cells, cap_rows;
};

/*
 * The values of each level in each column: one value from model_alive(), or MODEL_STANDS values
 * from model_stands().
 */
struct rows_levels {
	struct rows_key key;
	double *values;
	size_t cap;
	/* The number of created tasks; only with model_stands(). */
	uint32_t created[PLAN_MAX_LEVELS];
};

/* All workers of a run, sorted in an order other than the tree's. */
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

/* Sums over a row's workers, and over the known phases of their lives. */
struct rows_many {
	struct rows_key key;
	struct model_counts counts;
	uint32_t n;
	int64_t begin_ns, end_ns; /* First create call and last join. -1: there is none. */
	double sum_ns[MODEL_PHASES];
	uint32_t known[MODEL_PHASES];
};

struct rows_figures {
	uint32_t run, worker;
	int64_t until_ns;
	size_t n;
	bool known;
	struct model_lane_figures figures;
	/* n is 0 if the worker was never woken, or if the wake-ups are unknown. */
	struct model_woken woken;
};

/*
 * A row of tasks: a task of a command with all tasks that are folded into it, or a group of
 * siblings of one kind and name.
 */
struct task_row {
	uint32_t first; /* Index of the first task. */
	uint32_t at, n; /* The row's range in the order of all tasks. */
	uint32_t group; /* Number of siblings in the group; 0 for a single task. */
	uint8_t depth;
	bool foldable, open;
};

struct task_rows {
	uint32_t run, n_tasks, changes,
		folds; /* The run, counts and folds from which the rows were made. */
	struct task_row *rows;
	size_t n;
	uint32_t *order, n_order;
};

struct view_case {
	struct task_rows tasks;
	long top;      /* First row shown. The next frame scrolls only as far as necessary. */
	long top_flat; /* First row shown while rows are sorted. */
	struct rows_cells cells;
	struct rows_levels alive, stands;
	struct rows_many many; /* Sums of the selected row. */
	struct rows_figures figures;
	struct rows_order order;
};

struct view_rows {
	uint32_t n_cases;
	struct view_case cases[];
};

/*
 * The list of rows of a case's newest run. The rows that fit on the screen are drawn along a time
 * axis.
 */
struct view_list {
	struct canvas *canvas;
	struct view_shown *shown;
	struct view_cache *cache;
	const struct model *model;
	const struct model_run *run; /* NULL before the first run. */
	struct view_case *kept;
	struct view_fold *fold; /* The unfolded rows, and the selected one. */
	struct tree_rows *tree;
	/* The names are in the left margin. The number of hidden rows is in the last line. */
	struct rect rect;
	struct plot_axis axis;
	int right; /* Margin to the right of the axis, for figures. */
	long n, first,
		selected; /* Rows of the whole list: number, first one shown, selected one. */
	uint32_t per_row; /* Workers per row if they are sorted; otherwise 0. */
	const struct task_rows
		*tasks; /* The rows of a run of commands; NULL: the rows are workers. */
	/* The list is on the first screen. It shows only lanes, and no row is selected. */
	bool race;
	/* In the race: number of rows of the longest list of tasks so far. Otherwise 0. */
	int most;
	bool whole;  /* Tasks that begin after the cursor have rows, too. */
	bool dense;  /* see view_lane_is_dense() */
	uint8_t hue; /* Colour of all lanes. COLOUR_DEFAULT: each worker has its own colour. */
	bool *core_numbers; /* see view_bar */
};

/*
 * The time axis for the latest runs of the cases first … end - 1. If a run has ended, the axis
 * shows its whole length even if the cursor is earlier, so the axis does not move during a replay
 * in slow motion. It has at most DENSITY_CELLS cells.
 */
struct plot_axis view_rows_axis(const struct model *model, const struct view_state *state,
				uint32_t first, uint32_t end, int x, int w);
/* The length of a run's rows, ns. For a running run, the time so far. */
int64_t view_rows_length(const struct model *model, const struct model_run *run);
/* The longest time of the latest runs of the cases first … end - 1, ns. */
int64_t view_rows_longest(const struct model *model, uint32_t first, uint32_t end);
struct rows_key view_rows_key(const struct view_list *list, int n, int64_t until_ns);

/*
 * The n workers of a row of many workers: in the order of the tree's levels or, if `order` is set,
 * in sorted order.
 */
struct rows_members {
	const struct order_place *order; /* The sorted workers; NULL: use spans. */
	struct tree_span spans[PLAN_MAX_LEVELS];
	uint32_t n;
};

void view_rows_members(const struct view_list *list, long row, struct rows_members *members);
uint32_t view_rows_member(const struct rows_members *members, uint32_t i);
/*
 * For each level along the axis: the number of tasks alive or, if the last argument is true, the
 * number of tasks in each state. NULL if memory is short.
 */
const struct rows_levels *view_rows_levels(const struct view_list *list, bool stands);
/* Sorts the run's workers, unless they are sorted already. Returns 0 or -ENOMEM. */
int view_rows_sort(struct rows_order *order, const struct model *model, const struct model_run *run,
		   enum view_order by);
uint32_t view_rows_position(const struct rows_order *order, uint32_t worker);

/*
 * The unfolded rows of each case's tree, and the tree's selected row. Only the user changes them;
 * new samples never do.
 */

/*
 * The unfolded tasks of commands, by their indices, so that the same tasks are unfolded in the next
 * run.
 */
struct task_folds {
	/*
	 * Two bits for each task. The first is set if the task differs from the default, the second
	 * if the group that begins with the task does.
	 */
	uint64_t flip[SAMPLE_MOST_TASKS / 32 + 1];
	int all;       /* 1: all rows are unfolded. -1: all rows are folded. 0: the default. */
	uint32_t task; /* First task of the selected row. */
	bool group;
	uint32_t generation;
};

struct view_fold {
	struct task_folds tasks;
	uint32_t alike; /* The first case of the same shape, which owns the tree. */
	/*
	 * Shared by cases of the same shape, so that their rows are at the same height in
	 * neighbouring columns.
	 */
	struct tree_rows tree;
	uint32_t worker; /* The selected worker, if workers are sorted. */
};

struct view_folds {
	uint32_t n_cases;
	struct view_fold cases[];
};

struct tree_rows *view_folds_tree(struct view_folds *folds, uint32_t case_id);

/*
 * The list of a case: its newest run and all rows of its tree. The caller sets its position on the
 * screen.
 */
struct view_list view_list_of(const struct view_frame *frame, uint32_t case_id);
/*
 * The position of the selected row in the list. If workers are sorted, the position of the selected
 * worker.
 */
long view_list_place(const struct view_list *list);
/* Selects the row at this position. If there is no such row, selects the nearest row. */
void view_list_select(const struct view_list *list, int64_t place);
void view_list_move(const struct view_list *list, long by);
/* The first worker of the selected row. For rows of tasks, the first task. */
uint32_t view_list_worker(const struct view_list *list);
/*
 * What Enter does to the selected row: "Fold" or "Unfold". NULL if there is nothing to unfold below
 * the row; Enter then folds the row that contains it.
 */
const char *view_list_fold(const struct view_list *list);
/*
 * Draws the list. The run must have begun, and its workers must not have been dropped. Returns the
 * inks of the rows, as a set of bits.
 */
uint64_t view_list_draw(const struct view_list *list);
/*
 * Adds the inks to the frame's legend. If `alive` is set, also adds the levels of the plot of
 * living workers.
 */
void view_legend_add(const struct view_list *list, uint64_t inks, bool alive);
/* Number of lines of a row, including the blank lines after it. */
int view_list_pitch(const struct view_list *list);
struct style view_list_name_style(const struct view_bar *bar);
/*
 * Returns the first row to show. The list scrolls only as far as necessary to show the selected
 * row.
 */
long view_list_top(long first, long selected, long n, int h);
/* Why a case has no rows: its run has not begun, or its workers were dropped. */
const char *view_list_waits(const struct view_state *state, const struct model_run *run);
/* The number of rows by which a key moves. Returns false for another key. */
bool view_list_key(int key, long *by);
/* The most frequent kind of work of the leaves, for drawing rows of many workers. */
uint8_t view_list_work(const struct plan *plan);

/*
 * Draws the details of a list's selected row (a worker, a branch, several workers, or tasks) in a
 * box, with one item per line. brief: draws the items in columns, without a box.
 */
void view_details_draw(const struct view_list *list, struct rect rect, bool brief);

/*
 * Whether the case is shown as a tree, because it has several levels, or too many tasks for a row
 * each.
 */
bool view_tree_fits(const struct model *model, uint32_t case_id);
/*
 * Whether the case is a tree whose tasks only create and join other tasks. The first screen shows
 * such a tree as bands.
 */
bool view_bands_fit(const struct model *model, uint32_t case_id);
/* The number of bands: one for each level, but not too many to be read. */
int view_bands_count(const struct plan *plan);
/*
 * Draws a band for each level of the tree along the list's axis, in list->rect. The full height of
 * a band means all tasks of the level.
 */
void view_bands_draw(const struct view_list *list);
/*
 * Draws how many tasks of all levels together exist and have not ended, along the list's axis. The
 * full height means `most` tasks. On the right is the number of these tasks now or, after the run,
 * its largest value.
 */
void view_bands_alive(const struct view_list *list, struct rect rect, int64_t most);
/* Adds the inks of bands to the legend of the frame, which is w columns wide. */
void view_bands_legend(struct view_shown *shown, int w);
void view_tree_draw(const struct view_frame *frame, struct rect box, uint32_t case_id);
bool view_tree_act(struct view *view, const struct model *model, enum keys_act act, int key);
/*
 * A hint about how many of the tree's tasks are alive at once; "" if no case is a tree. Returns
 * buf.
 */
char *view_tree_hint(const struct model *model, char *buf, size_t size);

/*
 * Plots the number of tasks alive over time, stacked by level. rect includes the margin for the
 * scale.
 */
void view_tree_alive(const struct view_list *list, struct rect rect, double top);

/*
 * Rows of the Timeline for a run of commands. The threads and children of each process are below
 * the process. Siblings of one kind and name are adjacent. If there are many such siblings, they
 * form one row.
 */

/* The rows of a case as of the cursor; NULL if its run has no tasks so far. */
const struct task_rows *view_task_rows(const struct view_list *list);
/* The position of the selected row, or of the row into which it is folded. */
long view_task_selected(const struct task_rows *rows, const struct task_folds *folds);
void view_task_select(struct task_folds *folds, const struct task_row *row);
/*
 * Folds or unfolds the selected row, or the row above that contains it. With `all`, folds or
 * unfolds all rows.
 */
void view_task_fold(struct task_folds *folds, const struct task_rows *rows, bool all);
/* Width of the task names that are shown. */
int view_task_names_w(const struct view_list *list);
void view_task_draw(const struct view_list *list, const struct task_row *row, struct view_bar *bar);
