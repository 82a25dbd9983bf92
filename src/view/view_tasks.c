/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"
#include "result/report.h"

/*
 * GROUPED: if more siblings than this have one kind and name, they form one row, a group, which is
 * folded at first. ALL_OPEN: if there are at most this many tasks, all other rows are unfolded at
 * first; if there are more, only the rows of tasks without a parent. DEPTH: rows at this depth or
 * deeper do not fold. INDENTED: largest number of columns by which a name is indented. CORES_SEEN:
 * if a row has more tasks than this, only a sample of them is read.
 */
enum { ALL_OPEN = 25, GROUPED = 6, DEPTH = 100, INDENTED = 8, CORES_SEEN = 4000 };

/* Siblings of one kind and name. Groups are in the order of their first tasks. */
struct sibling_group {
	uint32_t first, last; /* Indices of the first and the last task. */
	/*
	 * count: number of tasks in the group. all: number of these tasks and all their
	 * descendants.
	 */
	uint32_t count, all;
	uint32_t next; /* Next group of the same parent, plus 1. 0: no more groups. */
};

struct kin {
	const struct model_run *run;
	uint32_t n;
	uint32_t *parent;  /* for each task: its parent, plus 1 */
	uint32_t *all;	   /* for each task: the number of its descendants, plus 1 for the task */
	uint32_t *sibling; /* for each task: the next task of its group, plus 1 */
	uint32_t *group;   /* for each task: its group */
	/* For each task: its first group of children, plus 1. [0] is for tasks without a parent. */
	uint32_t *children;
	uint32_t *last; /* for each task: its last group of children, plus 1 */
	struct sibling_group *groups;
	uint32_t n_groups;
	uint32_t *table; /* hash table of groups by parent, kind and name; plus 1 */
	uint32_t mask;
};

static bool is_thread(const struct sample_task *task)
{
	return task->pid != task->tid;
}

/* The group of a task. Makes a new group if the task's parent, kind and name have no group yet. */
static uint32_t find_group(struct kin *f, uint32_t task)
{
	const struct sample_task *of = model_task_known(f->run, task), *first;
	uint32_t hash = 2166136261u ^ f->parent[task], at;

	for (const char *c = of->name; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 16777619u;
	hash = (hash ^ is_thread(of)) * 16777619u;
	for (at = hash & f->mask; f->table[at]; at = (at + 1) & f->mask) {
		const struct sibling_group *group = &f->groups[f->table[at] - 1];

		first = model_task_known(f->run, group->first);
		if (f->parent[group->first] == f->parent[task] &&
		    is_thread(first) == is_thread(of) && strcmp(first->name, of->name) == 0)
			return f->table[at] - 1;
	}
	f->groups[f->n_groups++] = (struct sibling_group) {.first = task, .last = task};
	f->table[at] = f->n_groups;
	return f->n_groups - 1;
}

static bool make_kin(struct kin *f, const struct model_run *run, uint32_t n)
{
	uint32_t size = 64;

	*f = (struct kin) {.run = run, .n = n};
	while (size < 2 * n)
		size *= 2;
	f->mask = size - 1;
	f->parent = calloc((size_t)n * 4 + 2 * ((size_t)n + 1), sizeof(*f->parent));
	f->groups = calloc(n + 1, sizeof(*f->groups));
	f->table = calloc(size, sizeof(*f->table));
	if (!f->parent || !f->groups || !f->table)
		return false;
	f->all = f->parent + n;
	f->sibling = f->all + n;
	f->group = f->sibling + n;
	f->children = f->group + n;
	f->last = f->children + n + 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct sample_task *task = model_task_known(run, i);
		uint32_t g;

		if (task->parent < 0)
			f->parent[i] = 0;
		else
			f->parent[i] = (uint32_t)task->parent - run->n_workers + 1;
		f->all[i] = 1;
		g = f->group[i] = find_group(f, i);
		f->groups[g].count++;
		if (f->groups[g].first != i) {
			f->sibling[f->groups[g].last] = i + 1;
			f->groups[g].last = i;
			continue;
		}
		if (f->last[f->parent[i]])
			f->groups[f->last[f->parent[i]] - 1].next = g + 1;
		else
			f->children[f->parent[i]] = g + 1;
		f->last[f->parent[i]] = g + 1;
	}
	for (uint32_t i = n; i-- > 0;) {
		f->groups[f->group[i]].all += f->all[i];
		if (f->parent[i])
			f->all[f->parent[i] - 1] += f->all[i];
	}
	return true;
}

static bool is_open(const struct task_folds *folds, const struct kin *f, uint32_t task, bool group,
		    int depth)
{
	size_t bit = 2 * (size_t)task + group;
	bool open = !group && (f->n <= ALL_OPEN || depth == 0);

	if (folds->all)
		open = folds->all > 0;
	return open != (folds->flip[bit / 64] >> bit % 64 & 1);
}

/*
 * Adds the rows below a parent if `shown`, with threads first. Adds the tasks to the order even if
 * they are not shown, so that the tasks of a row are adjacent in the order.
 */
static void add_rows_of(struct task_rows *rows, const struct task_folds *folds, const struct kin *f,
			uint32_t parent, int depth, bool shown)
{
	uint32_t next;

	/* Stop in a longer chain of forks. Deeper tasks have no position in the order. */
	if (depth > 2 * DEPTH)
		return;
	for (int threads = 1; threads >= 0; threads--)
		for (uint32_t g = f->children[parent]; g; g = next) {
			const struct sibling_group *group = &f->groups[g - 1];
			struct task_row row = {.first = group->first,
					       .at = rows->n_order,
					       .n = group->all,
					       .depth = (uint8_t)MIN(depth, DEPTH),
					       .group = group->count,
					       .foldable = true};
			bool grouped = group->count > GROUPED, within;

			next = group->next;
			if (is_thread(model_task_known(f->run, group->first)) != (threads == 1))
				continue;
			row.open = is_open(folds, f, group->first, true, depth);
			if (shown && grouped)
				rows->rows[rows->n++] = row;
			within = shown && (!grouped || row.open);
			for (uint32_t task = group->first + 1; task; task = f->sibling[task - 1]) {
				const int deep = depth + grouped;
				const uint32_t all = f->all[task - 1];

				row = (struct task_row) {.first = task - 1,
							 .at = rows->n_order,
							 .n = all,
							 .depth = (uint8_t)deep,
							 .foldable = all > 1 && deep < DEPTH};
				row.open =
					row.foldable && is_open(folds, f, row.first, false, deep);
				if (within)
					rows->rows[rows->n++] = row;
				rows->order[rows->n_order++] = row.first;
				add_rows_of(rows, folds, f, task, deep + 1, within && row.open);
			}
		}
}

const struct task_rows *view_task_rows(const struct view_list *list)
{
	const struct task_folds *folds = &list->fold->tasks;
	struct task_rows *rows = &list->kept->tasks;
	const struct model_run *run = list->run;
	const int64_t now_ns = run ? list->model->now_ns - run->begin_ns : 0;
	struct kin f;
	uint32_t n = 0;

	while (run && n < run->n_tasks) {
		if (!list->whole && model_task_known(run, n)->begin_ns > now_ns)
			break;
		n++;
	}
	if (run && rows->order && rows->run == run->id.run && rows->n_tasks == n &&
	    rows->changes == run->task_changes && rows->folds == folds->generation) {
		if (rows->n > 0)
			return rows;
		return NULL;
	}
	rows->n = rows->n_order = 0;
	free(rows->order);
	free(rows->rows);
	if (n > 0)
		rows->order = calloc(n, sizeof(*rows->order));
	else
		rows->order = NULL;
	/* Room for a row for each task and each group. */
	if (n > 0)
		rows->rows = calloc(2 * (size_t)n, sizeof(*rows->rows));
	else
		rows->rows = NULL;
	if (!rows->order || !rows->rows)
		return NULL;
	rows->run = run->id.run;
	rows->n_tasks = n;
	rows->changes = run->task_changes;
	rows->folds = folds->generation;
	if (make_kin(&f, run, n))
		add_rows_of(rows, folds, &f, 0, 0, true);
	free(f.parent);
	free(f.groups);
	free(f.table);
	if (rows->n > 0)
		return rows;
	return NULL;
}

long view_task_selected(const struct task_rows *rows, const struct task_folds *folds)
{
	uint32_t at = 0;
	long best = 0;

	while (at < rows->n_order && rows->order[at] != folds->task)
		at++;
	/*
	 * Find the deepest row that contains the task. If the selected row is a group that begins
	 * with the task, stop at this group.
	 */
	for (size_t i = 0; i < rows->n; i++) {
		const struct task_row *row = &rows->rows[i];

		if (at >= row->at && at - row->at < row->n)
			best = (long)i;
		if (folds->group && row->group > 0 && row->first == folds->task)
			break;
	}
	return best;
}

void view_task_select(struct task_folds *folds, const struct task_row *row)
{
	folds->task = row->first;
	folds->group = row->group > 0;
}

void view_task_fold(struct task_folds *folds, const struct task_rows *rows, bool all)
{
	long i = view_task_selected(rows, folds);
	const struct task_row *row;
	size_t bit;

	if (rows->n == 0)
		return;
	if (all) {
		bool folded = false;

		for (size_t k = 0; k < rows->n; k++)
			folded |= rows->rows[k].foldable && !rows->rows[k].open;
		if (folded)
			folds->all = 1;
		else
			folds->all = -1;
		memset(folds->flip, 0, sizeof(folds->flip));
		folds->generation++;
		return;
	}
	while (i > 0 && !rows->rows[i].foldable)
		for (uint8_t depth = rows->rows[i--].depth; i > 0;) {
			if (rows->rows[i].depth < depth)
				break;
			i--;
		}
	row = &rows->rows[i];
	if (!row->foldable)
		return;
	bit = 2 * (size_t)row->first + (row->group > 0);
	folds->flip[bit / 64] ^= UINT64_C(1) << bit % 64;
	folds->generation++;
	view_task_select(folds, row);
}

/*
 * The name with its marks: "▾sort", " ·worker". A row that folds has a fold mark, a thread has a
 * dot. Returns buf.
 */
static char *task_row_name(const struct view_list *list, const struct task_row *row, char *buf,
			   size_t size)
{
	const struct model_run *run = list->run;
	const struct sample_task *task = model_task_known(run, row->first);
	const char *mark = " ", *process = "";
	bool inherited;
	const char *name = sentence_text(task->name, "?");
	/* An escape such as "\xff" has at most four bytes for each byte. */
	char spelled[4 * SAMPLE_TASK_NAME];

	if (row->foldable)
		mark = row->open ? "▾" : "▸";
	if (task->parent >= 0)
		process = model_task_known(run, (uint32_t)task->parent - run->n_workers)->name;
	inherited = is_thread(task) && strcmp(task->name, process) == 0;
	if (list->canvas->glyphs != GLYPHS_ALL)
		name = utf8_ascii(name, spelled, sizeof(spelled));
	if (row->group > 0 && inherited)
		snprintf(buf, size, "%s%s threads", mark, UNITS_COUNT(row->group));
	else if (row->group > 0)
		snprintf(buf, size, "%s%s × %s%s", mark, UNITS_COUNT(row->group),
			 is_thread(task) ? "·" : "", name);
	else if (inherited)
		snprintf(buf, size, "%s·%d", mark, task->tid);
	else
		snprintf(buf, size, "%s%s%s", mark, is_thread(task) ? "·" : "", name);
	if (!row->open && row->group == 0 && row->n > 1)
		snprintf(buf + strlen(buf), size - strlen(buf), " +%s", UNITS_COUNT(row->n - 1));
	return buf;
}

int view_task_names_w(const struct view_list *list)
{
	const struct task_rows *rows = list->tasks;
	char name[96];
	int w = 8;

	for (size_t i = 0; i < MIN(rows->n, 1000); i++)
		w = MAX(w, MIN(rows->rows[i].depth, INDENTED) +
				   utf8_columns(task_row_name(list, &rows->rows[i], name,
							      sizeof(name))));
	return MIN(w, 28);
}

/*
 * For each cell, the time of a row's tasks on cores, as eighths of the cores, and the most frequent
 * state of the tasks without a core. If there are very many tasks, reads only a sample. If slices
 * are not exact, a cell shows the average of the stretch around it, because an exact share would
 * look like a slice.
 */
static void shares_of_many(const struct view_bar *bar, const struct view_list *list,
			   const struct task_row *row, struct density_cell cells[DENSITY_CELLS])
{
	const struct plot_axis *axis = bar->axis;
	const int w = MIN(axis->w, DENSITY_CELLS);
	const uint32_t step = row->n / CORES_SEEN + 1;
	double ns[DENSITY_CELLS][MODEL_STATES] = {{0}};
	const int cores = MAX(1, list->model->session.machine.cores_allowed);
	const int64_t cell_ns = plot_time(axis, axis->x + 1) - plot_time(axis, axis->x);
	int64_t more_ns = 0;

	if (model_tasks_sampled(list->model))
		more_ns = MAX(0, (SAMPLE_SCHEDSTAT_NS - cell_ns + 1) / 2);

	for (uint32_t k = 0; k < row->n; k += step) {
		const uint32_t i = list->tasks->order[row->at + k], lane = list->run->n_workers + i;
		const struct sample_task *task = model_task_known(list->run, i);
		int64_t end = task->end_ns < 0 ? bar->until_ns : MIN(task->end_ns, bar->until_ns);
		int from = MAX(0, plot_cell(axis, task->begin_ns));
		int to = MIN(w - 1, plot_cell(axis, end));
		struct model_shares seen;

		if (to < 0 || from >= w)
			continue;
		for (int x = from; x <= to; x++) {
			const int64_t first =
				MAX(task->begin_ns, plot_time(axis, axis->x + x) - more_ns);
			const int64_t last = MIN(end, plot_time(axis, axis->x + x + 1) + more_ns);
			const int64_t part = MIN(end, plot_time(axis, axis->x + x + 1)) -
					     MAX(task->begin_ns, plot_time(axis, axis->x + x));

			seen = (struct model_shares) {{0}};
			model_shares_add(list->model, list->run, lane, first, last, &seen);
			if (last <= first)
				continue;
			for (int s = 0; s < MODEL_STATES; s++)
				ns[x][s] +=
					seen.ns[s] * (double)MAX(0, part) / (double)(last - first);
		}
	}
	for (int x = 0; x < w; x++) {
		double cell =
			(double)(plot_time(axis, axis->x + x + 1) - plot_time(axis, axis->x + x));
		double on = 8 * step * ns[x][STATE_ON] / (cell * MIN((int)row->n, cores));

		double known = ns[x][STATE_ON] + ns[x][STATE_WAITING] + ns[x][STATE_BLOCKED];

		if (ns[x][STATE_UNKNOWN] > known)
			cells[x].share = SHARE_UNKNOWN;
		else if (on >= 0.25)
			cells[x].share = (uint8_t)MAX(1, MIN(SHARE_ALL, (int)(on + 0.5)));
		else if (ns[x][STATE_WAITING] > ns[x][STATE_BLOCKED])
			cells[x].share = SHARE_WAITING;
		else
			cells[x].share = SHARE_BLOCKED;
	}
}

static void draw_many(struct view_bar *bar, const struct view_list *list,
		      const struct task_row *row)
{
	struct density_cell cells[DENSITY_CELLS] = {{0}};
	struct density density;

	density_begin(&density, bar->axis, bar->until_ns);
	for (uint32_t k = 0; k < row->n; k++) {
		const struct sample_worker worker = model_task_worker(
			model_task_known(list->run, list->tasks->order[row->at + k]));

		density_add(&density, &worker);
	}
	density_cells(&density, cells);
	if (model_has_slices(list->run))
		shares_of_many(bar, list, row, cells);
	view_bar_density(bar, cells, density.sum.workers, density.w, WORK_PROGRAM);
	if (row->n == 1)
		view_bar_waits(bar, cells, density.w);
}

void view_task_draw(const struct view_list *list, const struct task_row *row, struct view_bar *bar)
{
	const int x = list->rect.x + MIN(row->depth, INDENTED);
	struct style style = {.fg = COLOUR_DEFAULT, .bg = bar->bg};
	int shares_w = view_lanes_share_w(list->model);
	struct sample_task task;
	char name[96];

	bar->worker = list->run->n_workers + row->first;
	bar->thread = is_thread(model_task_known(list->run, row->first));
	model_task(list->model, list->run, row->first, &task);
	if (row->group || list->race)
		shares_w = 0;
	if (model_task_known(list->run, row->first)->begin_ns > bar->until_ns) {
		canvas_text(list->canvas, x, bar->y, list->axis.x - x - 1, DIM,
			    task_row_name(list, row, name, sizeof(name)));
		return;
	}
	canvas_text(list->canvas, x, bar->y, list->axis.x - x - 1 - shares_w,
		    view_list_name_style(bar), task_row_name(list, row, name, sizeof(name)));
	if (row->group > 0 || (row->foldable && !row->open) ||
	    (model_tasks_sampled(list->model) && model_has_slices(list->run))) {
		struct task_row all = *row;

		/*
		 * An unfolded row does not include its descendants, because these have rows of
		 * their own.
		 */
		if (row->open && row->group == 0)
			all.n = 1;
		else
			all.n = row->n;
		draw_many(bar, list, &all);
	} else {
		const struct sample_worker worker = model_task_worker(&task);

		if (sched_wanted(list->model) && !list->race)
			view_lane_share(bar, list->axis.x - 1, style);
		view_bar_worker(bar, &worker, WORK_PROGRAM);
	}
	if (row->group > 0)
		return;
	if (task.end_ns < 0)
		style.fg = COLOUR_DIM;
	else
		style.fg = COLOUR_DEFAULT;
	canvas_right(
		list->canvas, list->axis.x + list->axis.w + list->right, bar->y, style,
		UNITS_TIME(fields_known_or(task.end_ns, bar->until_ns) - task.begin_ns, false));
}
