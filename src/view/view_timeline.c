/* SPDX-License-Identifier: MIT */
#include "core/sample_tick.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/units.h"
#include "base/utf8.h"
#include "draw/key.h"
#include "view_cache.h"

enum { CORES_MOST = 8192 };

/*
 * Lists the cores whose load is known now, and all cores that have had a worker of the run so far.
 * Returns the number of cores; 0 if no slice has a core.
 */
static int core_lanes(const struct view_list *list, uint16_t cpus[CORES_MOST])
{
	const struct model *model = list->model;
	bool loaded[CORES_MOST] = {false};
	int count = 0;
	long tick = -1;
	size_t n;

	if (!list->run)
		return 0;
	n = model_cores_seen(list->run);
	if (n == 0)
		return 0;
	if (model->n_loads)
		tick = model_load_at(model, model->now_ns);
	for (uint32_t i = 0; i < model->n_cores; i++)
		if (tick >= 0 && (size_t)model->cores[i].cpu < CORES_MOST)
			loaded[model->cores[i].cpu] =
				model->cores[(size_t)tick * model->n_cores + i].user >= 0;
	for (size_t cpu = 0; cpu < CORES_MOST; cpu++)
		if (loaded[cpu] || (cpu < n && model_core_used(list->run, cpu)))
			cpus[count++] = (uint16_t)cpu;
	return count;
}

/* The share of a run's time in which its workers had the core; NaN before the run began. */
static double core_share(const struct view_list *list, size_t cpu)
{
	const int64_t until_ns = model_length(list->model, list->run);
	struct model_core_shares shares;

	if (until_ns <= 0)
		return NAN;
	model_core_shares_until(list->model, list->run, cpu, until_ns, &shares);
	return shares.ns[CORE_OURS] / (double)until_ns;
}

static void draw_core_lane(const struct view_list *list, size_t cpu, int y)
{
	struct view_bar bar = {.canvas = list->canvas,
			       .axis = &list->axis,
			       .y = y,
			       .dense = list->dense,
			       .run = list->run};
	const double share = core_share(list, cpu);
	const struct view_lane *lane;
	char text[32];

	snprintf(text, sizeof(text), "core %zu", cpu);
	canvas_text(list->canvas, list->rect.x, y, list->axis.x - list->rect.x - 1, PLAIN, text);
	lane = view_lane_core(list->cache, &list->axis, list->model, list->run, cpu, false);
	if (!lane)
		return;
	view_bar_lane(&bar, lane);
	view_lane_numbers(lane, list->canvas, y, list->dense);
	if (isnan(share))
		return;
	snprintf(text, sizeof(text), "%.0f %%", 100 * share);
	canvas_right(list->canvas, list->axis.x + list->axis.w + list->right, y, PLAIN, text);
}

/* Draws the lanes of n cores, or of as many as fit into rect. */
static void core_lanes_draw(const struct view_list *list, struct rect rect, const uint16_t *cpus,
			    int n)
{
	static const char *const entries[] = {" █ 1, 2 …: which worker ", " ▁▄▇ several ",
					      " ≈ others ", " ║ throttled "};
	size_t n_entries = 3;
	int pitch = 1, x;

	if (rect.h < 2)
		return;
	if (list->run && list->run->n_throttles)
		n_entries = 4;
	if (2 * n <= rect.h - 1)
		pitch = 2;
	x = canvas_text(list->canvas, rect.x, rect.y, rect.w, DIM, "cores ");
	canvas_hline(list->canvas, x, rect.y, rect.x + rect.w - x, 0x2500, STYLE(COLOUR_BORDER));
	x = list->axis.x;
	for (size_t e = 0; e < n_entries; e++)
		if (x + utf8_columns(entries[e]) <= rect.x + rect.w)
			x = canvas_text(list->canvas, x, rect.y, -1, DIM, entries[e]);
	for (int i = 0; i < n; i++)
		if (1 + i * pitch < rect.h)
			draw_core_lane(list, cpus[i], rect.y + 1 + i * pitch);
}

/*
 * MODELS_MOST: largest number of models that share the screen. Two models share it if each has room
 * for ROWS_LEAST rows. Three or four models share it only if all of their rows fit.
 */
enum { MODELS_MOST = 4, ROWS_LEAST = 4, TIMELINE_FEW = 16, ALIVE_FEW = 2, ALIVE_MOST = 8 };

struct timeline {
	const struct view_frame *frame;
	uint32_t case_id, first, end; /* The case, and the range of cases that share its axis. */
	/*
	 * The case after the shown cases. After the last case, it is the first one. UINT32_MAX: all
	 * cases are shown.
	 */
	uint32_t next;
	bool selected; /* Keys affect this case. */
	struct layout_timeline layout;
	struct view_list list;
	int n_cores; /* Number of cores with a lane. 0: no core is known. */
	uint16_t cpus[CORES_MOST];
	struct rect cores; /* Area for lanes of cores, if there is room for them. */
	uint64_t inks;	   /* The inks of the rows, as a set of bits. */
};

static const char *const order_names[VIEW_ORDERS] = {
	[VIEW_BY_TREE] = "name",	 [VIEW_BY_CREATION] = "creation", [VIEW_BY_START] = "start",
	[VIEW_BY_DURATION] = "duration", [VIEW_BY_FINISH] = "finish",
};

/* Whether lanes of cores are shown instead of the workers. */
static bool timeline_cores(const struct timeline *t)
{
	return t->frame->state->timeline.cores && t->n_cores > 0;
}

static void timeline_rows(struct timeline *t)
{
	struct view_list *l = &t->list;
	const enum view_order by = t->frame->state->timeline.order;
	uint32_t n, h, fit, wanted = t->frame->state->timeline.per_row;

	if (l->tasks || by == VIEW_BY_TREE)
		return;
	if (view_rows_sort(&l->kept->order, l->model, l->run, by) != 0)
		return;
	/*
	 * Unless Enter or a search has chosen one worker per row, take the smallest number of
	 * workers per row with which all rows fit.
	 */
	n = l->run->n_workers;
	if (timeline_cores(t))
		h = (uint32_t)MAX(1, t->layout.rows.h);
	else
		h = (uint32_t)MAX(1, l->rect.h);
	fit = (n + h - 1) / h;
	if (wanted && wanted < fit)
		l->per_row = wanted;
	else
		l->per_row = fit;
	l->n = (n + l->per_row - 1) / l->per_row;
	l->selected = view_list_place(l) / l->per_row;
}

/*
 * The centre for zooming, chosen so that the selected worker stays in view: the middle of the
 * visible part of its lane, so that its slices can be reached. If no part of the lane is visible,
 * it is the beginning of the lane. -1: the worker does not exist yet.
 */
static double timeline_anchor(const struct timeline *t)
{
	const struct view_list *l = &t->list;
	uint32_t worker = view_list_worker(l), lane = worker;
	struct sample_worker known = sample_worker_unknown;
	struct plot_axis whole =
		view_rows_axis(l->model, &(struct view_state) {.zoom = 1}, t->first, t->end, 0, 1);
	int64_t finish, from, to;
	size_t n;

	if (!l->tasks)
		known = model_worker(l->model, l->run, worker);
	else if (worker < l->tasks->n_tasks)
		known = model_task_worker(model_task_known(l->run, worker));
	finish = fields_known_or(known.finish_ns, model_length(l->model, l->run));
	from = MAX(known.create_ns, l->axis.from_ns);
	to = MIN(finish, l->axis.to_ns);
	if (known.create_ns < 0)
		return -1;
	if (l->tasks)
		lane += l->run->n_workers;
	model_slices(l->run, lane, &n);
	if (n > 0 && from < to)
		return ((double)from + (double)(to - from) / 2) / (double)whole.to_ns;
	return (double)known.create_ns / (double)whole.to_ns;
}

/*
 * Writes the title. On the box's lower edge, writes from right to left the order, the key for the
 * next model, and the source of the lanes, and at the left the accept queue. For the tasks of a
 * program, writes only the source.
 */
static void timeline_title(const struct timeline *t)
{
	const struct view_list *l = &t->list;
	struct rect box = t->layout.box;
	int x = box.x + 2, y = box.y + box.h - 1, end = box.x + box.w - 2;
	const struct view_frame frame = view_frame_of(t->frame, t->case_id);
	char order[SAMPLE_TEXT + 8];

	view_column_title(&frame, box, t->case_id);
	if (l->tasks) {
		sched_tasks(l->model, l->run, order, sizeof(order));
		if (x + utf8_columns(order) + 3 < end)
			canvas_printf(l->canvas, x, y, -1, DIM, " %s ", order);
		return;
	}
	if (l->run && model_queue(l->model, l->run) >= 0)
		x += canvas_printf(l->canvas, x, y, end - x, DIM, " accept queue %s ",
				   UNITS_COUNT(model_queue(l->model, l->run)));
	if (!timeline_cores(t)) {
		const char *name = order_names[t->frame->state->timeline.order];

		if (l->per_row > 1)
			snprintf(order, sizeof(order), " by %s, %u a row ", name, l->per_row);
		else
			snprintf(order, sizeof(order), " by %s ", name);
		end -= utf8_columns(order);
		if (end > box.x + 2)
			canvas_text(l->canvas, end, y, -1, DIM, order);
	}
	if (t->selected && t->next != UINT32_MAX) {
		snprintf(order, sizeof(order), " c: %s ", l->model->cases[t->next].model);
		if (x + utf8_columns(order) + 2 < end) {
			end -= utf8_columns(order) + 1;
			canvas_text(l->canvas, end, y, -1, DIM, order);
		}
	}
	view_lanes_edge(l->canvas, RECT(box.x, box.y, end - box.x, box.h), l->model, l->run, x,
			false);
}

static void timeline_body(struct timeline *t)
{
	struct view_list *l = &t->list;
	int w = t->layout.axis.w - t->layout.left - t->layout.right;
	struct rect box = t->layout.box;
	int core = 0, x, y = box.y + box.h - 1;
	long *top;

	timeline_rows(t);
	if (l->per_row || l->tasks)
		top = &l->kept->top_flat;
	else
		top = &l->kept->top;
	l->axis = view_rows_axis(l->model, t->frame->state, t->first, t->end,
				 t->layout.axis.x + t->layout.left, w);
	if (l->axis.w < 1)
		return;
	l->dense = l->run && view_lane_is_dense(l->cache, l->model, l->run, &l->axis);
	if (t->selected) {
		t->frame->shown->lanes = t->n_cores > 0;
		t->frame->shown->per_row = l->per_row;
		t->frame->shown->foldable = l->per_row || l->tasks || l->tree->plan.levels > 1 ||
					    l->tree->rows[0].group;
		t->frame->shown->fold = view_list_fold(l);
		t->frame->shown->listed = true;
		t->frame->shown->sortable = !l->tasks;
		t->frame->shown->anchor = timeline_anchor(t);
	}
	if (!l->tasks)
		view_tree_alive(l, t->layout.alive,
				view_alive_top(l->model, t->first, t->end, true));
	if (t->layout.axis.h > 0)
		plot_time_labels(l->canvas, &l->axis, t->layout.axis.y, DIM);
	if (!timeline_cores(t)) {
		l->first = *top = view_list_top(*top, l->selected, l->n, l->rect.h);
		if (!t->selected)
			l->selected = -1;
		t->inks = view_list_draw(l);
	}
	if (timeline_cores(t) && t->n_cores > t->cores.h - 1)
		core = view_scroll_to(t->frame, t->n_cores, t->cores.h - 1);
	if (timeline_cores(t)) /* The lanes of cores have a legend of their own. */
		t->frame->shown->hint = "";
	core_lanes_draw(l, t->cores, t->cpus + core, t->n_cores - core);
	if (t->layout.details.h > 0)
		view_details_draw(l, t->layout.details, t->layout.below);
	timeline_title(t);
	if (!t->frame->state->typing)
		return;
	x = canvas_printf(l->canvas, box.x + 2, y, box.w - 4, STYLE_BOLD(COLOUR_KEY),
			  " name or tid: %s", t->frame->state->timeline.search);
	canvas_put(l->canvas, x, y, '_', STYLE_BOLD(COLOUR_TITLE));
	canvas_put(l->canvas, x + 1, y, ' ', PLAIN);
}

/*
 * Lays out rows and lanes. The lanes of cores are shown if the rows leave enough space, or if the
 * lanes need at most a third of the space; otherwise they are left out. If they are shown instead
 * of the workers, they get all of the space.
 */
static void timeline_layout(struct timeline *t, struct rect rect)
{
	struct view_list *l = &t->list;
	long n = (long)l->tree->n_tasks;
	struct layout_timeline_need need = {.name_w = view_lanes_share_w(l->model),
					    .beside = t->end - t->first > 1,
					    .top = t->case_id == t->first,
					    .selected = t->selected};
	int h = 0;

	if (t->frame->state->timeline.order == VIEW_BY_TREE)
		n = l->n;
	if (l->tasks) {
		need.name_w += view_task_names_w(l);
		need.rows = INT16_MAX;
	} else {
		t->n_cores = core_lanes(l, t->cpus);
		if (t->n_cores > 0)
			h = t->n_cores + 1;
		need.name_w += l->tree->name_w;
		need.rows = n + h;
		need.alive = ALIVE_MOST;
		if (l->tree->n_tasks <= TIMELINE_FEW)
			need.alive = ALIVE_FEW;
	}
	t->layout = layout_timeline(rect, &need);
	if (timeline_cores(t))
		h = t->layout.rows.h;
	else if (h > t->layout.rows.h / 3 && h > t->layout.rows.h - n)
		h = 0;
	l->rect = t->cores = t->layout.rows;
	l->rect.h -= h;
	t->cores.y += l->rect.h;
	t->cores.h = h;
	l->right = t->layout.right;
}

static uint32_t timeline_chosen(const struct view_frame *frame)
{
	if (frame->state->chosen < frame->model->n_cases)
		return frame->state->chosen;
	return 0;
}

/* Lays out n cases one below the other. Returns false if they do not fit. */
static bool timelines_place(struct timeline *list, const struct view_frame *frame, uint32_t first,
			    uint32_t n, struct rect rect)
{
	bool fit = true, lanes = true;
	int y = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct timeline *t = &list[i];
		/* The first case has an additional line, for the axis. */
		int end = 1 + (rect.h - 1) * (int)(i + 1) / (int)n;

		*t = (struct timeline) {.frame = frame,
					.case_id = first + i,
					.first = first,
					.end = first + n,
					.next = UINT32_MAX,
					.selected = first + i == timeline_chosen(frame),
					.list = view_list_of(frame, first + i)};
		t->list.tasks = view_task_rows(&t->list);
		if (t->list.tasks) {
			t->list.n = (long)t->list.tasks->n;
			t->list.selected = view_list_place(&t->list);
		}
		timeline_layout(t, RECT(rect.x, rect.y + y, rect.w, end - y));
		if (!t->layout.below && t->layout.details.w > 0) {
			t->layout.details.y = rect.y;
			if (t->selected)
				t->layout.details.h = rect.h;
			else
				t->layout.details.h = 0;
		}
		if (timeline_cores(t))
			fit &= t->cores.h > t->n_cores;
		else if (n > 2)
			fit &= t->list.rect.h >= t->list.n;
		else
			fit &= t->list.rect.h >= MIN(t->list.n, ROWS_LEAST);
		lanes &= t->n_cores == 0 || t->cores.h > 0;
		y = end;
	}
	/* Either all cases have lanes of cores, or no case has. */
	if (!lanes)
		for (uint32_t i = 0; i < n; i++) {
			list[i].list.rect = list[i].layout.rows;
			list[i].cores.h = 0;
		}
	return fit;
}

/* Draws as many of the compared models as fit. The chosen model is always among them. */
static void timeline_draw(const struct view_frame *frame, struct rect rect)
{
	uint32_t chosen = timeline_chosen(frame), first, end, from, n;
	struct timeline list[MODELS_MOST];
	uint64_t inks = 0;

	if (frame->model->n_cases == 0)
		return;
	view_group(frame->model, chosen, &first, &end);
	for (n = MIN(end - first, MODELS_MOST);; n--) {
		from = MIN(first + (chosen - first) / n * n, end - n);
		if (timelines_place(list, frame, from, n, rect) || n == 1)
			break;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct timeline *t = &list[i];
		struct rect box = t->layout.box;

		if (n < end - first) {
			if (from + n < end)
				t->next = from + n;
			else
				t->next = first;
		}
		if (t->list.run && !t->list.run->workers.gone) {
			timeline_body(t);
			inks |= t->inks;
			continue;
		}
		view_column_title(frame, box, t->case_id);
		canvas_text(t->list.canvas, box.x + 4, box.y + box.h / 2, box.w - 6, DIM,
			    view_list_waits(t->frame->state, t->list.run));
	}
	for (uint32_t i = 0; i < n; i++)
		if (list[i].selected && list[i].list.run)
			view_legend_add(&list[i].list, inks, list[i].layout.alive.h > 0);
}

/*
 * The list of rows. If an order was chosen, the workers in this order, with per_row workers in each
 * row; otherwise, rows of the tree or of tasks.
 */
static struct view_list timeline_list(struct view *view, const struct model *model,
				      const struct model_run *run, uint32_t per_row)
{
	const struct view_frame frame = {
		.model = model, .whole = model, .state = &view->state, .cache = view->cache};
	struct view_list list = view_list_of(&frame, run->id.case_id);
	const struct task_rows *tasks = &list.kept->tasks;
	enum view_order by = view->state.timeline.order;

	if (by != VIEW_BY_TREE && view_rows_sort(&list.kept->order, model, run, by) == 0)
		list.per_row = MAX(1, per_row);
	if (tasks->run == run->id.run && tasks->n > 0)
		list.tasks = tasks;
	else
		list.tasks = NULL;
	return list;
}

/*
 * Selects the next worker, by index, whose name begins with the typed text; with `back`, the
 * previous one. The search begins at worker `from`, and continues at the other end of the list. If
 * no name matches, selects the worker with the typed thread ID.
 */
static void timeline_search(struct view_state *state, const struct view_list *list, uint32_t from,
			    bool back)
{
	const struct model_run *run = list->run;
	const struct plan *plan = model_plan(list->model, run);
	const struct task_rows *tasks = list->tasks;
	struct timeline_state *own = &state->timeline;
	uint32_t n = run->n_workers;

	if (tasks)
		n = tasks->n_tasks;
	if (!own->search[0])
		return;
	for (uint64_t i = 0; i < 2 * (uint64_t)n; i++) {
		bool by_tid = i >= n;
		uint32_t at = (uint32_t)(i % n);
		uint32_t worker;
		const struct sample_task *task = NULL;
		int tid;
		char text[96];

		if (back)
			at = n - at;
		worker = (from + at) % n;
		if (tasks) {
			task = model_task_known(run, worker);
			tid = task->tid;
		} else {
			tid = model_worker(list->model, run, worker).tid;
		}

		if (by_tid)
			snprintf(text, sizeof(text), "%d", tid);
		else if (task)
			snprintf(text, sizeof(text), "%s", task->name);
		else
			plan_name(plan, worker, text, sizeof(text));
		/* A name matches if it begins with the typed text. A thread ID must be equal. */
		if (by_tid && (tid <= 0 || strcmp(text, own->search) != 0))
			continue;
		if (!by_tid && strncmp(text, own->search, strlen(own->search)) != 0)
			continue;
		if (list->per_row > 1)
			own->per_row = 1;
		if (tasks)
			view_task_select(&list->fold->tasks, &(struct task_row) {.first = worker});
		else if (list->per_row)
			list->fold->worker = worker;
		else
			tree_rows_show(list->tree, worker);
		return;
	}
	state->notice = "no worker with that name or thread ID";
}

/* Changes the search's text. */
static void timeline_type(struct timeline_state *own, int key)
{
	const size_t n = strlen(own->search);

	if (key == KEY_BACKSPACE_KEY && n > 0)
		own->search[n - 1] = '\0';
	else if (key > ' ' && key < 0x7f && n + 1 < sizeof(own->search))
		memcpy(own->search + n, (char[]) {(char)key, '\0'}, 2);
}

/*
 * Folds or unfolds. On a row of many workers, Enter shows each worker in a row of its own. On a row
 * of a single worker, Enter returns to rows of many workers.
 */
static void timeline_fold(const struct view_list *list, struct timeline_state *own, bool all)
{
	if (list->tasks)
		view_task_fold(&list->fold->tasks, list->tasks, all);
	else if (list->per_row > 0)
		own->per_row = list->per_row > 1;
	else if (all)
		tree_rows_toggle_all(list->tree);
	else
		tree_rows_toggle(list->tree);
}

/* Sorts the rows by the next order. The selected worker stays selected. */
static void timeline_sort(struct view *view, const struct model *model,
			  const struct view_list *list)
{
	struct timeline_state *own = &view->state.timeline;
	const uint32_t worker = view_list_worker(list);
	struct view_list sorted;

	own->order = (enum view_order)((own->order + 1) % VIEW_ORDERS);
	sorted = timeline_list(view, model, list->run, 1);
	if (sorted.per_row)
		sorted.fold->worker = worker;
	else
		tree_rows_select(sorted.tree, worker);
}

/* Goes to the next match of the last search, or to the previous one. */
static void timeline_find(struct view_state *state, const struct view_list *list, bool back)
{
	const uint32_t worker = view_list_worker(list);
	uint32_t n = list->run->n_workers;

	if (list->tasks)
		n = list->tasks->n_tasks;
	if (back)
		timeline_search(state, list, (worker + n - 1) % n, true);
	else
		timeline_search(state, list, (worker + 1) % n, false);
}

/* Performs an act on the rows of a run. */
static bool timeline_act_on(struct view *view, const struct model *model,
			    const struct model_run *run, enum keys_act act, int key)
{
	struct view_state *state = &view->state;
	struct timeline_state *own = &state->timeline;
	const struct view_list list = timeline_list(view, model, run, view->shown.per_row);
	long by;

	switch (act) {
	case KEYS_MOVE:
		if (!view_list_key(key, &by))
			return false;
		view_list_move(&list, by);
		return true;
	case KEYS_FOLD:
	case KEYS_FOLD_ALL:
		timeline_fold(&list, own, act == KEYS_FOLD_ALL);
		return true;
	case KEYS_ORDER:
		/* The order of tasks cannot be changed. */
		if (list.tasks)
			return false;
		timeline_sort(view, model, &list);
		return true;
	case KEYS_SEARCH:
		state->typing = true;
		own->search[0] = '\0';
		return true;
	case KEYS_FOUND:
		timeline_search(state, &list, 0, false);
		return true;
	case KEYS_FIND:
		timeline_find(state, &list, key == 'N');
		return true;
	default:
		return act == KEYS_TYPE || act == KEYS_CANCEL;
	}
}

static bool timeline_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	const uint32_t n = model->n_cases;
	struct view_state *state = &view->state;
	struct timeline_state *own = &state->timeline;
	const struct view_frame frame = {
		.model = model, .whole = model, .state = state, .cache = view->cache};
	const struct model_run *run;
	uint32_t case_id = 0;

	if (act == KEYS_CORES && view->shown.lanes) {
		own->cores = !own->cores;
		return true;
	}
	if (act == KEYS_MODEL && n > 0) {
		state->chosen = (state->chosen + 1) % n;
		state->picked = true;
		return true;
	}
	state->typing &= act != KEYS_FOUND && act != KEYS_CANCEL;
	if (act == KEYS_TYPE)
		timeline_type(own, key);
	/* While only lanes of cores are shown, the arrows scroll. */
	if (n == 0 || (act == KEYS_MOVE && own->cores && view->shown.most_scroll > 0))
		return false;
	if (state->chosen < n)
		case_id = state->chosen;
	/* The run on the screen. While a trial is played, it is not the newest run. */
	run = model_latest(view_model_of(&frame, case_id), case_id);
	return run && !run->workers.gone && timeline_act_on(view, model, run, act, key);
}

static const char timeline_help[] =
	"#Timeline\n"
	"╌┊━┈┤\tFrom the create call to the first instruction, at the start barrier, work (━ cpu, "
	"═ io, ╍ fp, ┅ mem, ┉ write, ─ other), finished, joined.\n"
	"┃\tA server's worker had read a request. A run has at most 64 marks, one for every "
	"n-th request.\n"
	"◂ ▸\tThe worker ran before (◂) or after (▸) the time shown.\n"
	"█ ▁▄▇ ─ ┈\tWith lanes (-s sched): on a core, with its number if it fits; part of the "
	"time, by height; waiting for a core; blocked. Beside the name: the share of its life that "
	"the worker was on a core.\n"
	"▁▄█ ▒ ▓\tA row of many workers: the height shows how many have started (█ the most), ▒ "
	"that "
	"they are being created, ▓ that they have ended and wait to be joined. With lanes, ▁ … █ "
	"is their share of the cores; ─ waiting "
	"for a core, · blocked.\n"
	"Enter *\tUnfold and fold. If you sort by anything but the tree, each row is one worker, "
	"or several if not all fit.\n"
	"k\tLanes of the cores instead of the workers: ▐w1 ran, ▁▄▇ several in turn, ≈ other "
	"programs; empty: idle. They are below the workers if there is room. The selected worker "
	"is bright.\n"
	"below\tWhere the lanes come from, the shortest time off a core that they show, and how "
	"many slices were lost because the buffer was full. If most were lost, it also says what "
	"share of all slices is shown.\n"
	"▸sort +3\tEach thread (·) and process of a command has a row. This one is folded: sort "
	"and 3 tasks below it. 12 × cc1: children that share a name. In ┈ and on the right: what "
	"the task was blocked on.\n"
	"/\tFind a worker: type the beginning of a name (4.2), or a thread ID.\n"
	"+ -\tZoom the time axis around the selected worker.\n"
	"on the right\tThe selected worker: when its create call began, then the call's return, "
	"its first instruction, its last instruction and its join, each counted from the event "
	"before; then its cores, usage and result. All workers of its level or branch follow.\n";

static const char *const *timeline_captions(const struct view_frame *frame)
{
	static const char *const commands[] = {
		"Each row is one thread or process of a command: its creation, its time on a core, "
		"and its end.",
		"Enter unfolds a process, or tasks that share a name. tasks by: how they were "
		"found."};
	const struct model *model = frame->model;
	const uint32_t case_id = timeline_chosen(frame);
	const struct model_run *run = NULL;
	struct view_cache *cache = frame->cache;
	const char *rows = "Each row is one worker of a run", *states = "";
	const char *ends = "to join: ended, not joined yet.";
	const char *switches =
		" switches: voluntary (it blocked) + involuntary (it lost its core).";
	struct view_median median;
	int64_t held_ns;

	if (model->n_cases > 0)
		run = model_latest(model, case_id);
	if (run && run->n_tasks > 0)
		return commands;
	if (!run || run->workers.gone)
		return NULL;
	if (model_has_latency(model)) {
		switches = "";
		if (view_folds_tree(frame->state->folds, case_id)->rows[0].group)
			rows = "Each row is several tasks, created one after another. Enter "
			       "unfolds it";
		else
			rows = "Each row is one task. They were created one after another";
	} else if (view_tree_fits(model, case_id))
		rows = "Each row is one branch. Enter unfolds a branch, down to one task";
	else {
		states = ": created, waiting at the start barrier, working, ended, joined";
		ends = "barrier: all wait there, then start at once.";
	}
	held_ns = view_held_ns(model, run);
	if (held_ns > 0 && !*states)
		rows = "Each row is a branch or several tasks";
	if (held_ns > 0)
		snprintf(cache->caption[0], sizeof(cache->caption[0]),
			 "%s. The trial's %s leave out %s in which all tasks paused while memory "
			 "was read.",
			 rows, UNITS_TIME(model_elapsed(model, run), false),
			 UNITS_TIME(held_ns, false));
	else
		snprintf(cache->caption[0], sizeof(cache->caption[0]), "%s%s.", rows, states);
	median = view_cache_median(cache, model, case_id);
	/*
	 * For sessions that measure creation: how long the create call takes, and how long until
	 * the task runs.
	 */
	if (median.caller > 0)
		snprintf(cache->caption[1], sizeof(cache->caption[1]),
			 "%s: the call returns in %s, the task runs after %s (medians). to join: "
			 "ended, not joined.",
			 model->cases[case_id].model, METRIC_TEXT(METRIC_CALLER, median.caller),
			 METRIC_TEXT(METRIC_TASK, median.value));
	else
		snprintf(cache->caption[1], sizeof(cache->caption[1]), "%s%s", ends, switches);
	cache->captions[0] = cache->caption[0];
	cache->captions[1] = cache->caption[1];
	return cache->captions;
}

const struct view_ops view_timeline = {
	.number = 2,
	.name = "Timeline",
	.brief = "Time",
	.captions =
		{"Each row is one worker of a run: created, waiting at the start barrier, working, "
		 "ended, joined.",
		 "barrier: all wait there, then start at once."},
	.captions_now = timeline_captions,
	.help = timeline_help,
	.zooms = true,
	.draw = timeline_draw,
	.act = timeline_act,
	.hint = "╌ created  ┊ barrier  ━ cpu  ═ io  ─ other  ┈ finished  ┤ joined",
};
