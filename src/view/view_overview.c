/* SPDX-License-Identifier: MIT */
#include "model/model_sweep.h"
#include "view_parts.h"
#include "views.h"
#include "view_tree.h"

/* Rows are moved in a column that is seen. */
static void overview_choose(struct view_state *state, uint32_t first, uint32_t n)
{
	if (state->chosen < first)
		state->chosen = first;
	if (state->chosen >= first + n)
		state->chosen = first + n - 1;
}

/* The cases among which columns are chosen. */
struct overview_group {
	int first, n;
};

static int overview_running(const struct model *model)
{
	const struct model_run *run = model_newest(model);

	return run ? (int)run->id.icase : 0;
}

/*
 * Of a sweep those that compare with what runs now: its models at one value. All of them where a
 * key has chosen, or where all of them are to be compared.
 */
static struct overview_group overview_group(const struct model *model,
					    const struct view_state *state)
{
	int running = overview_running(model), n = (int)model->n_cases;
	struct overview_group group = {running, 1};

	if (state->browse || n == 0)
		return (struct overview_group) {0, n};
	while (group.first > 0 &&
	       model_comparable(&model->cases[group.first - 1], &model->cases[running]))
		group.first--;
	while (group.first + group.n < n &&
	       model_comparable(&model->cases[group.first + group.n], &model->cases[running]))
		group.n++;
	return group;
}

/* Moves no farther than it must for what runs to be seen; first counts all cases. */
static struct layout_overview overview_layout(struct rect rect, const struct model *model,
					      const struct view_state *state)
{
	int cores = view_cores_count(model), n = (int)model->n_cases;
	struct overview_group group = overview_group(model, state);
	int column = state->column - group.first, running = overview_running(model);
	struct layout_overview layout = layout_overview(rect, n, state->column, cores);

	if (layout.n_columns == n || layout.n_columns == 0)
		return layout;
	layout = layout_overview(rect, group.n, column, cores);
	running -= group.first;
	if (!state->browse && running < layout.first)
		layout.first = running;
	if (!state->browse && running >= layout.first + layout.n_columns)
		layout.first = running - layout.n_columns + 1;
	layout.first += group.first;
	return layout;
}

static void overview_draw(struct canvas *canvas, struct rect rect, const struct model *model,
			  struct view_state *state)
{
	struct layout_overview layout = overview_layout(rect, model, state);
	int scroll = 0;

	state->trees = false;
	state->column = layout.first;
	state->most_column = (int)model->n_cases - layout.n_columns;
	if (layout.n_columns > 0)
		overview_choose(state, (uint32_t)layout.first, (uint32_t)layout.n_columns);
	view_cores_draw(canvas, &layout.cores, model);
	for (int i = 0; i < layout.n_columns; i++) {
		uint32_t icase = (uint32_t)(layout.first + i);
		bool tree = view_tree_fits(model, icase) && view_rows_get(state, model);
		int most = 0;

		state->trees |= tree;
		state->folds = state->trees;
		if (tree)
			view_tree_draw(canvas, layout.columns[i], model, state, icase);
		else
			most = view_column_draw(canvas, layout.columns[i], model, state, icase);
		scroll = most > scroll ? most : scroll;
	}
	view_scroll_clamp(state, scroll, 0);
}

static bool overview_move(struct view_state *state, int by)
{
	int column = state->column + by;

	if (column < 0 || column > state->most_column)
		return false;
	state->browse = true;
	state->column = column;
	return true;
}

static bool overview_key(struct view_state *state, const struct model *model, int key)
{
	if (view_tree_key(state, model, key))
		return true;
	if (key == KEY_LEFT_ARROW || key == KEY_RIGHT_ARROW)
		return overview_move(state, key == KEY_RIGHT_ARROW ? 1 : -1);
	if (key != 'f' || state->most_column <= 0)
		return view_scroll(&state->scroll, key);
	state->browse = !state->browse;
	return true;
}

static const char overview_help[] =
	"#Overview\n"
	"cores\tLoad of every core over time; one core = 100 %. From below: time in programs "
	"(user), in the kernel (system), waiting for a disk (I/O wait), taken by the host of a "
	"virtual machine (steal). Many cores share a row: the shade says how busy.\n"
	"column\tOne model. Its newest run, from its first create call to its last join. All "
	"columns share one time axis and one scale of memory, so what differs in the picture "
	"differs in the world.\n"
	"╌╌╌\tcreated: waits for its first instruction, in sets at the gate\n"
	"╺━━\trunning, cpu work\n"
	"╺══\trunning, io work\n"
	"╺──\trunning, other work, or a task that only creates others\n"
	"┈┈┤\tfinished, and not yet joined by its creator; ┤ joined\n"
	"✗\tfailed, crashed or refused, and why: a signal or an errno\n"
	"figure\tat a worker's right: from its first to its last instruction\n"
	"created in\tfrom the first create call to the last one's return\n"
	"yielded\tcontext switches by choice: the worker had to wait\n"
	"preempted\tforced ones: another task got its core\n"
	"faults\tpages that had to be mapped on first use\n"
	"sentence\tWho needed less time, and whether that is real: the 95 % interval of the "
	"ratio of pairs (Wilcoxon's signed ranks) leaves 1 out. With fewer than six pairs there "
	"is none.\n";

static const char overview_help_trees[] =
	"#Overview of a tree\n"
	"alive\tHow many exist over time, level upon level: the outermost below, the leaves in the "
	"model's hue. One scale for all columns.\n"
	"▸ ▾\tA branch with all below it, or a group of many; Enter unfolds and folds it, down to "
	"single workers; * all of them.\n"
	"░▒▓█\thow many of the row's workers exist in that cell of time: · few, █ nearly all. "
	"The colour is what most of them do: being created, running, or finished and waiting "
	"for their creator to join them.\n"
	"rate\thow many were created in a cell of time, the most as a figure\n"
	"create\ttime within the call that creates a worker; start: until its first "
	"instruction; work: from its first to its last; join: until it was joined. Of all "
	"workers the median, and what 99 % of them stay below.\n"
	"alive at once\tA worker without work ends before the next ones are created, so of "
	"5,000 about a hundred exist together. --all-alive keeps them until the whole tree "
	"stands.\n"
	"c\tchooses the column in which rows are moved, where the trees differ in shape\n"
	"sentence\tWho needed less time, and whether that is real: the 95 % interval of the "
	"ratio of pairs (Wilcoxon's signed ranks) leaves 1 out. With fewer than six pairs there "
	"is none.\n";

/* Trees of one shape move together; else there is a column to choose. */
static bool overview_shapes(const struct model *model, const struct view_state *state)
{
	for (uint32_t i = 0; state->rows && i < model->n_cases; i++)
		if (state->rows->cases[i].alike != 0)
			return true;
	return false;
}

static void overview_labels(struct view_labels *labels, const struct model *model,
			    const struct view_state *state)
{
	bool tree = model->n_cases > 0 && view_tree_fits(model, state->chosen % model->n_cases);

	if (tree && state->folds)
		view_tree_labels(labels);
	if (tree && overview_shapes(model, state))
		view_label(labels, 'c', 4, "c", "Column");
	view_label_memory(labels, state);
}

const struct view_ops view_overview = {
	.number = 1,
	.name = "Overview",
	.help = overview_help,
	.help_trees = overview_help_trees,
	.zooms = true,
	.roomy = true,
	.draw = overview_draw,
	.key = overview_key,
	.labels = overview_labels,
};
