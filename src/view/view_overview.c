/* SPDX-License-Identifier: MIT */
#include <sys/param.h>

#include "model/model.h"
#include "view_rows.h"

enum { RANKS_W = 48 };

/* Of the cases begin … end - 1, those from first on, which counts all cases. */
static struct layout_overview overview_group(const struct view_frame *frame, struct rect rect,
					     uint32_t begin, uint32_t end, int first)
{
	struct layout_cpus cpus = view_cores_count(frame);
	struct layout_overview layout =
		layout_overview(rect, (int)(end - begin), first - (int)begin, &cpus);

	layout.first += (int)begin;
	/* Of many ways to create a task, a wider last column ranks all. */
	if (!model_has_latency(frame->model) || layout.n_columns < 2 ||
	    layout.n_columns == (int)frame->model->n_cases ||
	    !view_answer_draw(frame, (struct rect) {rect.x + rect.w - RANKS_W, layout.columns->y,
						    RANKS_W, layout.columns->h}))
		return layout;
	layout.n_columns--;
	for (int i = 0; i < layout.n_columns; i++) {
		layout.columns[i].w = (rect.w - RANKS_W) / layout.n_columns;
		layout.columns[i].x = rect.x + i * layout.columns[i].w;
	}
	return layout;
}

/*
 * Scrolls no farther than it must to show the running case; first counts all cases. Columns hold
 * cases that compare with it, or with the one that a key chose; all where there is room.
 */
static struct layout_overview overview_layout(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	uint32_t n = model->n_cases, begin = 0, end = n;
	int first = frame->shown->column, running;
	struct layout_overview layout = overview_group(frame, rect, 0, n, first);

	if (layout.n_columns == (int)n || layout.n_columns == 0)
		return layout;
	if (frame->state->browse) {
		first = MIN(frame->state->column, (int)n - 1);
		view_group(model, (uint32_t)first, &begin, &end);
		return overview_group(frame, rect, begin, end, first);
	}
	running = (int)view_alike(frame, &begin, &end);
	layout = overview_group(frame, rect, begin, end, first);
	layout.first = MIN(layout.first, running);
	layout.first = MAX(layout.first, running - layout.n_columns + 1);
	return layout;
}

static void overview_draw(const struct view_frame *frame, struct rect rect)
{
	struct layout_overview layout = overview_layout(frame, rect);
	struct view_shown *shown = frame->shown;
	int scroll = 0;

	shown->column = layout.first;
	shown->most_column = (int)frame->model->n_cases - layout.n_columns;
	if (layout.n_columns > 0) {
		shown->first_case = (uint32_t)layout.first;
		shown->last_case = (uint32_t)(layout.first + layout.n_columns - 1);
	}
	view_cores_draw(frame, &layout.cores);
	for (int i = 0; i < layout.n_columns; i++) {
		uint32_t case_id = (uint32_t)(layout.first + i);
		int most = 0;

		view_zone_add(shown, layout.columns[i], '2', case_id);
		if (view_tree_fits(frame->model, case_id) && view_has_rows(frame)) {
			shown->trees = shown->foldable = true;
			view_tree_draw(frame, layout.columns[i], case_id);
		} else {
			most = view_column_draw(frame, layout.columns[i], case_id);
		}
		scroll = MAX(scroll, most);
	}
	view_scroll_to(frame, scroll, 0);
}

/*
 * Moves from the column that a key chose, or else from the frame's: by one where not all that
 * compare are seen, then to the next of a sweep's values.
 */
static bool overview_move(struct view_state *state, const struct view_input *input, bool right)
{
	const struct view_shown *shown = input->shown;
	const struct model *model = input->model;
	int column = state->browse ? state->column : shown->column, n = (int)model->n_cases;
	int width = (int)(shown->last_case - shown->first_case) + 1;
	uint32_t begin, end;

	if (shown->most_column <= 0 || column >= n)
		return false;
	view_group(model, (uint32_t)column, &begin, &end);
	if (!right)
		column = column > (int)begin ? column - 1 : (int)begin - 1;
	else
		column = column + width < (int)end ? column + 1 : (int)end;
	if (column < 0 || column >= n)
		return false;
	state->browse = true;
	/* The first column so that the case is shown among those that compare with it. */
	view_group(model, (uint32_t)column, &begin, &end);
	state->column = MAX((int)begin, MIN(column, (int)end - width));
	return true;
}

static bool overview_act(struct view_state *state, const struct view_input *input,
			 enum keys_act act, int key)
{
	if (view_tree_act(state, input, act, key))
		return true;
	return act == KEYS_MOVE && (key == KEY_LEFT_ARROW || key == KEY_RIGHT_ARROW) &&
	       overview_move(state, input, key == KEY_RIGHT_ARROW);
}

#define OVERVIEW_SENTENCE                                                                          \
	"answer\tWhich model needed less time. Real: 1 is outside the interval of the trials' "    \
	"ratios (Wilcoxon's signed ranks). It is decided at planned interim looks, or after the "  \
	"last trial.\n"

static const char overview_help[] =
	"#Overview\n"
	"cores\tThe load of every core over time. One core = 100 %. From the bottom: programs "
	"(user), the kernel (system), waiting for a disk (I/O wait), taken by the host of a "
	"virtual machine (steal). If there are many CPUs, those of a package or node share a "
	"strip.\n"
	"now\tIn a strip: one cell for each CPU, in the kernel's order, as high as the CPU is "
	"busy. CPUs of the same core are one below the other.\n"
	"mean  most\tIn a strip, over time: the mean of its CPUs, and the busiest one.\n"
	"panel\tOne model: its newest run, from the first create call to the last join. All "
	"panels share one time axis and one memory scale, so you can compare them by eye.\n"
	"╌╌╌\tCreated. The worker waits for its first instruction, or at the start gate.\n"
	"╺━━\tRunning, cpu work.\n"
	"══ ╍╍ ┅┅ ┉┉\tRunning: io, fp, mem, write work.\n"
	"╺──\tRunning, other work, or a task that only creates others.\n"
	"█ ▁▄▇\tOn a core, all or part of the time, if that is known (-s sched). The share is "
	"beside "
	"the name. ░ waiting for a core; ┈ blocked.\n"
	"┈┈┤\tFinished, not joined by its creator yet; beside █ a gap. ┤ joined.\n"
	"✗\tFailed, crashed or refused, with the signal or errno.\n"
	"figure\tRight of a worker: from its first to its last instruction.\n"
	"creation\tFrom the first create call to the return of the last.\n"
	"yielded\tContext switches because the worker blocked.\n"
	"preempted\tContext switches of a worker that could go on: it lost the core, or gave it "
	"up by sched_yield().\n"
	"faults\tPages that the kernel mapped on first use.\n" OVERVIEW_SENTENCE;

static const char overview_help_trees[] =
	"#Overview of a tree\n"
	"level 1\tA band for each level. From the bottom: tasks that have "
	"started, "
	"then tasks that have ended and are to be joined. Tasks that are not created yet hang from "
	"the top. At the right: how many were created.\n"
	"▸ ▾\tA branch with everything below it, or a group of workers. Enter unfolds and folds "
	"it, down to single workers. * does so for all.\n"
	"▁▂▄▆▇ ▒ ▓\tWhat most of the workers of this row do in this cell of time: run (▁ few "
	"exist, ▇ nearly all), ▒ are being created, ▓ have ended and wait to be joined.\n"
	"create\tTime in the call that creates a worker. start: until its first instruction. work: "
	"from its first to its last instruction. join: until it was joined. Each is the median of "
	"all workers; p99: the value that 99 % of them do not exceed.\n"
	"alive at once\tA worker without work ends before the next ones are created, so only about "
	"a hundred of 5,000 exist at once. -s all-alive=yes keeps them alive until the whole tree "
	"exists.\n" OVERVIEW_SENTENCE;

static const char *const *overview_captions(const struct view_frame *frame)
{
	static const char *const captions[] = {
		"Each panel is one way to create a task: one after another, several a row, on the "
		"same time axis.",
		"Curve (5) has all ways in one picture. to join: the task has ended, but its "
		"creator has not joined it yet."};

	return model_has_latency(frame->model) ? captions : NULL;
}

const struct view_ops view_overview = {
	.number = 1,
	.name = "Overview",
	.brief = "Over",
	.captions = {"Each panel is the newest run of one model. A bar: a worker, from creation to "
		     "join; the time: from start to end.",
		     "yielded: the worker blocked. preempted: it lost its core. A trial's time: "
		     "first create to last join, less time held."},
	.captions_trees = {"Each panel is one model's tree, on the same time axis. Each band is a "
			   "level of the tree.",
			   "Watch the bands fill and drain. to join: the task has ended, but its "
			   "creator has not joined it yet."},
	.captions_now = overview_captions,
	.help = overview_help,
	.help_trees = overview_help_trees,
	.zooms = true,
	.roomy = true,
	.draw = overview_draw,
	.act = overview_act,
};
