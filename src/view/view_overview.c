/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "core/comparison.h"
#include "draw/key.h"
#include "model/model.h"
#include "result/finding.h"
#include "view_cache.h"

enum { RANKS_W = 52 };

/*
 * A grid with the fastest model for each value of a sweep. One setting is in the columns, all other
 * settings are in the rows.
 */

enum {
	GRID_LINES = 32,
	GRID_LEAST = 3,
	GRID_MOST = 128,
	GRID_BESIDE = 110,
	FIELD_W = 9,
	FIELD_MOST = 22
};

struct grid_lines {
	int n;
	char list[GRID_LINES][VARIABLES_TEXT];
};

struct grid {
	const char *across; /* The setting in the columns. "": there is only one column. */
	struct grid_lines rows, columns;
};

/*
 * The index of a text among the lines. Adds the text if it is new. -1: there is no room for a new
 * text.
 */
static int grid_line(struct grid_lines *lines, const char *text)
{
	int i = 0;

	while (i < lines->n && strcmp(lines->list[i], text) != 0)
		i++;
	if (i == GRID_LINES)
		return -1;
	if (i == lines->n)
		snprintf(lines->list[lines->n++], VARIABLES_TEXT, "%s", text);
	return i;
}

/*
 * The text of a line. For a column: the value of the setting `across`, such as "same". For a row:
 * the other settings that vary, such as "pipe" or "workers=2".
 */
static void grid_text(const struct model *model, const struct variables *of, const char *across,
		      bool column, char buf[VARIABLES_TEXT])
{
	struct variables shown = {.n = 0};
	const struct variables *first = &model->cases[0].variables;

	for (uint32_t v = 0; v < MIN(of->n, first->n); v++) {
		bool varies = false;

		for (uint32_t i = 1; i < model->n_cases; i++)
			varies |= !variables_has(&model->cases[i].variables, &first->list[v]);
		if (varies && (strcmp(of->list[v].name, across) == 0) == column)
			shown.list[shown.n++] = of->list[v];
	}
	variables_format(&shown, ' ', buf, VARIABLES_TEXT);
	if (column && shown.n == 1)
		snprintf(buf, VARIABLES_TEXT, "%s", shown.list[0].value);
}

static bool grid_offered(const struct view_frame *frame)
{
	const struct model *model = frame->model;
	uint32_t values = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		values += i == 0 || !comparison_alike(&model->cases[i - 1], &model->cases[i]);
	return model_over(model) && table_pivots(model) && values >= GRID_LEAST &&
	       values <= GRID_MOST && 2 * values <= model->n_cases && model->n_cases % values == 0;
}

/*
 * Reads the grid. The setting with the fewest values is in the columns. Returns false if there are
 * too many values.
 */
static bool grid_read(struct grid *grid, const struct model *model)
{
	const struct variables *first = &model->cases[0].variables;
	char text[VARIABLES_TEXT];
	int fewest = GRID_LINES;

	*grid = (struct grid) {.across = ""};
	for (uint32_t v = 0; v < first->n; v++) {
		struct grid_lines values = {0}, others = {0};

		for (uint32_t i = 0; i < model->n_cases; i++) {
			const struct variables *of = &model->cases[i].variables;

			grid_text(model, of, first->list[v].name, true, text);
			grid_line(&values, text);
			grid_text(model, of, first->list[v].name, false, text);
			grid_line(&others, text);
		}
		if (values.n < 2 || others.n < 2 || values.n >= fewest)
			continue;
		fewest = values.n;
		grid->across = first->list[v].name;
	}
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *of = &model->cases[i].variables;

		grid_text(model, of, grid->across, true, text);
		grid_line(&grid->columns, text);
		grid_text(model, of, grid->across, false, text);
		if (grid_line(&grid->rows, text) < 0)
			return false;
	}
	return true;
}

/*
 * Draws which of the cases first … end - 1 is fastest, and by which factor. If that case is
 * significantly fastest, the field has the case's hue. Otherwise the field is dim, and its text is
 * "same" or ends with "?".
 */
static void grid_field(const struct view_frame *frame, struct rect field, uint32_t first,
		       uint32_t end)
{
	uint32_t cases[SAMPLE_MAX_CASES], n = 0;
	struct style style = DIM;
	struct finding_lead lead;
	char mark[UTF8_BYTES], text[SAMPLE_NAME + 48] = "?";
	double ratio;
	bool real;

	for (; first + n < end; n++)
		cases[n] = first + n;
	if (finding_among(frame->model, cases, n, model_headline(frame->model), &lead))
		return;
	real = lead.sure == FINDING_REAL;
	ratio = finding_ahead(&lead).estimate;
	utf8_put(view_shape(frame->model, lead.lead), mark);
	if (lead.excluded <= MODEL_MARGIN && !real) {
		snprintf(text, sizeof(text), "same");
	} else if (!real) {
		view_undecided(ratio, text, sizeof(text));
	} else if (!isnan(ratio)) {
		snprintf(text, sizeof(text), "%s %s %sx", mark,
			 frame->model->cases[lead.lead].model, CLAIM_TIMES(ratio));
		if (field.w < FIELD_MOST - 1 || utf8_columns(text) > field.w)
			snprintf(text, sizeof(text), "%s %sx", mark, CLAIM_TIMES(ratio));
	}
	if (real) {
		style = (struct style) {.fg = view_hue(frame->model, lead.lead),
					.attr = ATTR_BOLD | ATTR_REVERSE};
		canvas_fill(frame->canvas, field, ' ', style);
	}
	canvas_text(frame->canvas, field.x + MAX(0, field.w - utf8_columns(text)) / 2,
		    field.y + (field.h - 1) / 2, field.w, style, text);
	view_zone_case(frame->shown, field, lead.lead);
}

static void grid_draw(const struct view_frame *frame, struct grid *grid, struct rect box)
{
	const struct model *model = frame->model;
	struct rect inner = view_box(frame->canvas, box, "who is faster, and by how much", NULL);
	int left = utf8_columns(grid->across), w, pitch, shown, x = inner.x;
	char text[VARIABLES_TEXT];

	for (int i = 0; i < grid->rows.n; i++)
		left = MAX(left, utf8_columns(grid->rows.list[i]));
	left = MIN(left + 2, inner.w / 2);
	w = MIN(FIELD_MOST, (inner.w - left) / MAX(1, grid->columns.n));
	pitch = MAX(1, MIN(3, (inner.h - 2) / MAX(1, grid->rows.n)));
	shown = MIN(grid->rows.n, MAX(0, inner.h - 2) / pitch);
	if (w < FIELD_W)
		return;
	canvas_right(frame->canvas, inner.x + left - 2, inner.y, DIM, grid->across);
	for (int i = 0; i < grid->columns.n; i++)
		canvas_text(frame->canvas,
			    inner.x + left + i * w +
				    MAX(0, w - 1 - utf8_columns(grid->columns.list[i])) / 2,
			    inner.y, w - 1, STYLE_BOLD(COLOUR_DEFAULT), grid->columns.list[i]);
	for (int i = 0; i < shown; i++)
		canvas_text(frame->canvas, inner.x,
			    inner.y + 1 + i * pitch + (MAX(1, pitch - 1) - 1) / 2, left - 1, PLAIN,
			    grid->rows.list[i]);
	for (uint32_t first = 0, end; first < model->n_cases; first = end) {
		const struct variables *of = &model->cases[first].variables;
		int row, column;

		view_group(model, first, &first, &end);
		grid_text(model, of, grid->across, false, text);
		row = grid_line(&grid->rows, text);
		grid_text(model, of, grid->across, true, text);
		column = grid_line(&grid->columns, text);
		if (row < shown)
			grid_field(frame,
				   RECT(inner.x + left + column * w, inner.y + 1 + row * pitch,
					w - 1, MAX(1, pitch - 1)),
				   first, end);
	}
	if (shown < grid->rows.n)
		snprintf(text, sizeof(text), "%d more: see Results  ", grid->rows.n - shown);
	else
		text[0] = '\0';
	x = canvas_text(frame->canvas, x, inner.y + inner.h - 1, inner.w, STYLE(COLOUR_TITLE),
			text);
	for (uint32_t id = 0; id == 0 || comparison_alike(&model->cases[0], &model->cases[id]);
	     id++) {
		struct rect place = {x, inner.y + inner.h - 1, inner.x + inner.w - x, 1};

		x = view_mark_name(frame->canvas, place, model, id, model->cases[id].model) + 2;
	}
	if (inner.x + inner.w - x >= 14)
		canvas_text(frame->canvas, x, inner.y + inner.h - 1, -1, DIM, "?: not decided");
}

/*
 * Whether the last column is a wide column that ranks all cases. Sessions about creating tasks have
 * such a column if not every case has a column.
 */
static bool overview_ranks(const struct view_frame *frame, struct rect rect,
			   const struct layout_overview *layout)
{
	size_t rows = table_rows(view_cache_table(frame->cache, frame->model, TABLE_ANSWER));

	return model_has_latency(frame->model) && layout->n_columns > 0 &&
	       layout->n_columns < (int)frame->model->n_cases && rect.w >= 2 * LAYOUT_COLUMN_W &&
	       rows > 0 && (int)rows + 3 <= layout->columns->h;
}

/* Lays out the cases begin … end - 1. Case `first` is the first case shown. */
static struct layout_overview overview_group(const struct view_frame *frame, struct rect rect,
					     uint32_t begin, uint32_t end, int first)
{
	struct layout_cpus cpus = view_cores_count(frame);
	struct layout_overview layout =
		layout_overview(rect, (int)(end - begin), first - (int)begin, &cpus);

	layout.first += (int)begin;
	if (!overview_ranks(frame, rect, &layout))
		return layout;
	layout.n_columns = MAX(1, layout.n_columns - 1);
	for (int i = 0; i < layout.n_columns; i++) {
		layout.columns[i].w = (rect.w - RANKS_W) / layout.n_columns;
		layout.columns[i].x = rect.x + i * layout.columns[i].w;
	}
	return layout;
}

/*
 * Lays out the columns. If there is room, they show all cases. Otherwise they show the cases that
 * are compared with the running case, or with the case that a key chose. They scroll only as far as
 * necessary to show the running case.
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

enum { TREE_LEAST_H = 9 };

/*
 * If all columns have trees, stacks the trees over the full width. Shows as many trees as have room
 * for all of their bands.
 */
static void overview_stack_trees(const struct view_frame *frame, struct layout_overview *layout)
{
	struct rect all = layout->columns[0];
	int n = layout->n_columns;

	if (n < 2)
		return;
	for (int i = 0; i < n; i++)
		if (!view_tree_fits(frame->model, (uint32_t)(layout->first + i)))
			return;
	all.w = layout->columns[n - 1].x + layout->columns[n - 1].w - all.x;
	n = MAX(1, MIN(n, all.h / TREE_LEAST_H));
	for (int i = 0; i < n; i++) {
		const int from = all.h * i / n, to = all.h * (i + 1) / n;

		layout->columns[i] = RECT(all.x, all.y + from, all.w, to - from);
	}
	layout->n_columns = n;
}

/*
 * Whether slices are known, and not only the load of the cores. Checks the last ended run, because
 * a run that has just begun has no slices yet.
 */
static bool overview_has_lanes(const struct view_frame *frame)
{
	const struct model *model = frame->model;

	for (size_t i = model_runs_begun(model); i > 0; i--)
		if (model_ended(model, &model->runs[i - 1]))
			return model_has_slices(&model->runs[i - 1]);
	return true;
}

/*
 * Least height at which the load of the cores is shown without lanes. On a lower screen, the load
 * would take the lines of workers' lanes.
 */
enum { RACE_CORES_H = 16 };

/*
 * Draws the race. The load of the cores is above the race if the user wants to see it, or if there
 * are neither lanes nor bands. At the end of a sweep, the grid of the fastest models is beside the
 * race or replaces it.
 */
static void overview_draw_race(const struct view_frame *frame, struct rect rect)
{
	struct rect fields = rect;
	struct grid grid;

	if (frame->state->cores || (rect.h >= RACE_CORES_H && !overview_has_lanes(frame) &&
				    !view_bands_fit(frame->model, 0))) {
		const struct layout_cpus cpus = view_cores_count(frame);
		const struct layout_overview layout = layout_overview(rect, 1, 0, &cpus);

		view_cores_draw(frame, &layout.cores);
		rect.y += layout.cores.box.h;
		rect.h -= layout.cores.box.h;
		fields = rect;
	}
	if (!grid_offered(frame) || !grid_read(&grid, frame->model)) {
		view_race_draw(frame, rect);
		return;
	}
	if (rect.w >= GRID_BESIDE) {
		fields.w = RANKS_W;
		fields.x = rect.x + rect.w - fields.w;
		rect.w -= fields.w + 1;
		view_race_draw(frame, rect);
	}
	grid_draw(frame, &grid, fields);
}

static void overview_draw(const struct view_frame *frame, struct rect rect)
{
	struct layout_overview layout;
	struct view_shown *shown = frame->shown;
	struct rect fields = rect;
	struct grid grid;
	int scroll = 0;

	if (view_race_offered(frame)) {
		overview_draw_race(frame, rect);
		return;
	}
	layout = overview_layout(frame, rect);
	if (layout.n_columns > 0 && grid_offered(frame) && grid_read(&grid, frame->model)) {
		fields.y = layout.columns->y;
		fields.h = layout.columns->h;
		if (rect.w >= GRID_BESIDE)
			fields.w = RANKS_W;
		fields.x = rect.x + rect.w - fields.w;
		/* The panels get the remaining space. If no space remains, there are no panels. */
		if (fields.w == rect.w)
			layout.n_columns = 0;
		layout.n_columns = MIN(layout.n_columns, 2);
		for (int i = 0; i < layout.n_columns; i++) {
			layout.columns[i].w = (rect.w - fields.w) / layout.n_columns;
			layout.columns[i].x = rect.x + i * layout.columns[i].w;
		}
		grid_draw(frame, &grid, fields);
	}
	if (!overview_ranks(frame, rect, &layout))
		overview_stack_trees(frame, &layout);
	else
		view_answer_draw(frame, RECT(rect.x + rect.w - RANKS_W, layout.columns->y, RANKS_W,
					     layout.columns->h));
	shown->column = layout.first;
	if (layout.n_columns > 0)
		shown->most_column = (int)frame->model->n_cases - layout.n_columns;
	else
		shown->most_column = 0;
	if (layout.n_columns > 0) {
		shown->first_case = (uint32_t)layout.first;
		shown->last_case = (uint32_t)(layout.first + layout.n_columns - 1);
	}
	view_cores_draw(frame, &layout.cores);
	for (int i = 0; i < layout.n_columns; i++) {
		uint32_t case_id = (uint32_t)(layout.first + i);
		const struct view_frame of = view_frame_of(frame, case_id);
		int most = 0;

		if (view_tree_fits(frame->model, case_id)) {
			shown->trees = true;
			view_tree_draw(&of, layout.columns[i], case_id);
		} else {
			most = view_column_draw(&of, layout.columns[i], case_id);
		}
		/*
		 * A click goes to the zones of the rows before it goes to this zone, because they
		 * were added earlier.
		 */
		view_zone_case(shown, layout.columns[i], case_id);
		scroll = MAX(scroll, most);
	}
	view_scroll_to(frame, scroll, 0);
}

/*
 * Acts on a key. ← and → move from the column that a key chose, or from the first column shown. If
 * some of the compared cases are hidden, the keys move by one column, otherwise to the next value
 * of a sweep.
 */
static bool overview_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	const struct view_shown *shown = &view->shown;
	struct view_state *state = &view->state;
	int column = state->browse ? state->column : shown->column, n = (int)model->n_cases;
	int width = (int)(shown->last_case - shown->first_case) + 1;
	uint32_t begin, end;

	if (act == KEYS_CORES) {
		state->cores = !state->cores;
		return true;
	}
	if (view_tree_act(view, model, act, key))
		return true;
	if (act != KEYS_MODEL &&
	    (act != KEYS_MOVE || (key != KEY_LEFT_ARROW && key != KEY_RIGHT_ARROW)))
		return false;
	if (shown->most_column <= 0 || column >= n)
		return false;
	view_group(model, (uint32_t)column, &begin, &end);
	if (act == KEYS_MODEL) {
		column = (int)end % n;
	} else if (key == KEY_LEFT_ARROW) {
		if (column > (int)begin)
			column = column - 1;
		else
			column = (int)begin - 1;
	} else if (column + width < (int)end)
		column = column + 1;
	else
		column = (int)end;
	if (column < 0 || column >= n)
		return false;
	state->browse = true;
	/* Scrolls so that the case is visible together with the cases with which it is compared. */
	view_group(model, (uint32_t)column, &begin, &end);
	state->column = MAX((int)begin, MIN(column, (int)end - width));
	return true;
}

#define OVERVIEW_SENTENCE                                                                          \
	"answer\tWhich model needed less time. Real: 1 is outside the interval of the trials' "    \
	"ratios (Wilcoxon's signed ranks). The answer comes at planned interim analyses, or "      \
	"after "                                                                                   \
	"the "                                                                                     \
	"last trial.\n"

static const char overview_help[] =
	"#Overview\n"
	"race\tAll models of one trial, played again together on one time axis, slower than they "
	"ran; the top line says how much. Measuring continues at full speed meanwhile. Runs of a "
	"second or more are shown as they run. At the end the trial nearest to the medians is "
	"played once; Space plays it again.\n"
	"w1 cpu\tEach row is one worker, in one of eight colours. The time on the right is its "
	"lifetime so far.\n"
	"█ ▌\tOn a core, exact to an eighth of a cell.\n"
	"▁▄▇\tA cell with several slices: the height is the share of the time on a core.\n"
	"─\tWaiting for a core.\n"
	"┈\tBlocked: the worker waits for something else, such as a file, a lock or the start "
	"barrier. done: its work is done, and it waits for the crash of another worker.\n"
	"║\tThrottled by the run's quota.\n"
	"▒\tExit: from a worker's last instruction, or its crash, until the kernel has ended it, "
	"for which it may have to wait for a core. A lifetime leaves this out. Parts of a cell are "
	"grey.\n"
	"✗\tFailed, crashed or refused, with the signal or errno. ← marks when the parent noticed "
	"the crash: its wait for that worker, or for its process, returned. The parent may still "
	"be joining another worker, so the delay after the crash varies.\n"
	"memory\tFor a program with one task, its memory over time, as sampled. On the left: "
	"the top of the scale, which only grows. Dots: not sampled yet. On the right: the peak of "
	"this run by the kernel, which may lie between two samples.\n"
	"core 0\tWhich worker each core ran, in the worker's colour and with its number. ≈ means "
	"that another program used the core. A core can be idle while a worker waits for one, "
	"because the kernel moves waiting workers only from time to time. If cores "
	"idled like this for at least 2 % of the run, the line above the workers says how long. On "
	"the right: the share of the run in which the core ran one of the workers. In 78/94 %, the "
	"second number is the core's load by all programs, "
	"as the kernel counts it. In a run too short for two readings, it comes from the recorded "
	"slices, if they include other programs. More than four cores share one line; k unfolds "
	"it.\n"
	"bars\tThe median of each headline metric so far, and what is known of the difference.\n"
	"every run\tOne ○ for each run that counts, from the shortest to the longest; the model's "
	"own mark is at the median. 2 up to 1.04 s →: two runs are far beyond the others and are "
	"not on the line.\n"
	"load\tWith k, or without slices: the load of every core over time. One core = 100 %. From "
	"the bottom: programs (user), the kernel (system), waiting for a disk (I/O wait), taken by "
	"the host of a virtual machine (steal). If there are many CPUs, those of a package or node "
	"share a strip.\n"
	"now\tIn a strip: one cell for each CPU, in the kernel's order. The busier the CPU, the "
	"fuller its cell. CPUs of the same core are one below the other.\n"
	"mean  most\tIn a strip: how busy its CPUs were on average, and how busy the busiest one "
	"was, over time.\n"
	"fields\tAfter a sweep of models: the fastest at each value, and how many times as long "
	"the second takes. A field is coloured if the difference is real. ?: not "
	"decided.\n" OVERVIEW_SENTENCE;

static const char overview_help_trees[] =
	"#Overview of a tree\n"
	"level 1\tEach band is one level of the tree, as high as all of its tasks, on one time "
	"axis for all models. From the bottom: tasks that have started and not ended, tasks that "
	"are created and not started, then tasks that have ended and are not joined. Tasks that "
	"are not created yet hang from the top. Joined tasks leave their part blank. The number "
	"on the right says how many were created. Timeline (2) has a row for each branch.\n"
	"alive\tHow many tasks exist and have not ended, on one scale for all models. On the right "
	"is the number now or, after the run, the peak: the most at once.\n"
	"join wait\tThe time from a task's last instruction until its parent has joined it, the "
	"median of this run's tasks.\n"
	"cores used\tCPU time divided by time: the mean number of cores that were busy with the "
	"tree.\n"
	"▸ ▾\tA branch with everything below it, or a group of workers. Enter unfolds and folds "
	"it, down to single workers. * does so for all.\n"
	"▁▂▄▆▇ ▒ ▓\tWhat most workers of this row do at that time: they run (▁ few exist, ▇ nearly "
	"all), are being created (▒), or have ended and wait to be joined (▓).\n"
	"create\tTime in the call that creates a worker. start: until its first instruction. work: "
	"from its first to its last instruction. join: until it was joined. Each is the median of "
	"all workers; p99: the value that 99 % of them do not exceed.\n"
	"alive at once\tA worker without work ends before the next ones are created, so only about "
	"a hundred of 5,000 exist at once. -s all-alive=yes keeps them alive until the whole tree "
	"exists.\n" OVERVIEW_SENTENCE;

static const char *const *overview_captions(const struct view_frame *frame)
{
	static const char *const fields[] = {
		"Each cell is one value: the fastest model, and how many times as long the second "
		"fastest takes. In colour if real.",
		"same: less than 5 % apart. ?: not decided. A panel is the newest run of one "
		"model, at one value."};
	static const char *const captions[] = {
		"Each panel is one way to create a task. Its tasks follow one another along the "
		"time axis, several to a row.",
		"Curve (5) shows all of them in one plot. to join: the task has ended, but its "
		"parent has not joined it yet."};
	static const char *const trees[] = {
		"Each band is one level of a model's tree, as high as all of its tasks. It fills, "
		"then it drains.",
		"All models have one time axis. Their time runs from the first create call to the "
		"last join."};
	const uint32_t n = frame->model->n_cases;

	if (model_has_latency(frame->model))
		return captions;
	if (grid_offered(frame))
		return fields;
	if (n > 0 && view_tree_fits(frame->model, MIN(frame->state->chosen, n - 1)))
		return trees;
	return NULL;
}

const struct view_ops view_overview = {
	.number = 1,
	.name = "Overview",
	.brief = "Over",
	.captions =
		{"Each row is one worker of one trial, from its creation to its end. Its colour "
		 "is the same on the cores below.",
		 "The time of a model runs from the first create call to the last join, without "
		 "pauses to read memory."},
	.captions_now = overview_captions,
	.help = overview_help,
	.help_trees = overview_help_trees,
	.zooms = true,
	.roomy = true,
	.draw = overview_draw,
	.act = overview_act,
};
