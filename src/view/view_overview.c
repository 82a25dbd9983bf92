/* SPDX-License-Identifier: MIT */
#include <sys/param.h>

#include "view_rows.h"
#include "views.h"

/* Of the cases begin … end - 1, those from first on, which counts all cases. */
static struct layout_overview overview_group(const struct view_frame *frame, struct rect rect,
					     uint32_t begin, uint32_t end, int first)
{
	struct layout_cpus cpus = {.n = 0};
	struct layout_overview layout;

	if (!frame->state->alone)
		cpus = view_cores_count(frame);
	layout = layout_overview(rect, (int)(end - begin), first - (int)begin, &cpus);

	layout.first += (int)begin;
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
	"sentence\tWho needed less time, and whether that is real: the interval of the "           \
	"ratio of pairs (Wilcoxon's signed ranks) leaves 1 out. Nothing is "                       \
	"decided before the trials that were planned, but what an early look decides.\n"

static const char overview_help[] =
	"#Overview\n"
	"cores\tLoad of every core over time; one core = 100 %. From below: time in programs "
	"(user), in the kernel (system), waiting for a disk (I/O wait), taken by the host of a "
	"virtual machine (steal). Many CPUs share a strip, one for each package or node.\n"
	"now\tof a strip: a cell for each CPU, as high as it is busy, by the kernel's numbers; the "
	"CPUs of one core (its threads) stand below one another\n"
	"mean  most\tof a strip, over time: all of its CPUs, and the busiest one\n"
	"column\tOne model. Its newest run, from its first create call to its last join. All "
	"columns share one time axis and one scale of memory, so what differs in the picture "
	"differs in the world.\n"
	"╌╌╌\tcreated: waits for its first instruction, in sets at the gate\n"
	"╺━━\trunning, cpu work\n"
	"══ ╍╍ ┅┅ ┉┉\trunning: io, fp, mem, write work\n"
	"╺──\trunning, other work, or a task that only creates others\n"
	"█ ▁▄▇\twhere slices are known (-s sched): on a core, or for that share of the time, which "
	"stands beside the name; ░ could run and had no core; ┈ blocked\n"
	"┈┈┤\tfinished, and not yet joined by its creator; ┤ joined\n"
	"✗\tfailed, crashed or refused, and why: a signal or an errno\n"
	"figure\tat a worker's right: from its first to its last instruction\n"
	"created in\tfrom the first create call to the last one's return\n"
	"yielded\tcontext switches by choice: the worker had to wait\n"
	"preempted\tforced ones: another task got its core\n"
	"faults\tpages that had to be mapped on first use\n" OVERVIEW_SENTENCE;

static const char overview_help_trees[] =
	"#Overview of a tree\n"
	"level 1\tA band for each level along the time, as high as all of its tasks. Running ones "
	"stand below, upon them those that have ended and are to be joined; what is not yet "
	"created hangs from above. So it fills and drains. Behind it: how many were created.\n"
	"▸ ▾\tA branch with all below it, or a group of many; Enter unfolds and folds it, down to "
	"single workers; * all of them.\n"
	"▁▂▄▆▇ ▒ ▓\twhat most of the row's workers that exist do in that cell of time: they run, ▁ "
	"few exist, "
	"▇ nearly all; ▒ they are being created; ▓ they have ended and wait for their creator to "
	"join them.\n"
	"create\ttime within the call that creates a worker; start: until its first instruction; "
	"work: from its first to its last; join: until it was joined. Of all workers the median, "
	"and what 99 % of them stay below.\n"
	"alive at once\tA worker without work ends before the next ones are created, so of 5,000 "
	"about a hundred exist together. -s all-alive=yes keeps them until the whole tree "
	"stands.\n" OVERVIEW_SENTENCE;

const struct view_ops view_overview = {
	.number = 1,
	.name = "Overview",
	.brief = "Over",
	.captions = {"Each panel is one model's newest run, all on one axis of time: a bar for "
		     "each worker, from its creation to its join.",
		     "Look for what differs from left to right. yielded: it had to wait; "
		     "preempted: another task took its core."},
	.captions_trees = {"Each panel is one model's tree: a band as high as all tasks of a "
			   "level, along one axis of time.",
			   "Look how the bands fill and drain. to join: it has ended, and its "
			   "creator has not joined it yet."},
	.help = overview_help,
	.help_trees = overview_help_trees,
	.zooms = true,
	.roomy = true,
	.draw = overview_draw,
	.act = overview_act,
};
