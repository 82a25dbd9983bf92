/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "core/sample_task.h"
#include "topology/topology.h"

enum { DETAILS_ROWS = 48, DETAILS_TITLE = 128, DETAILS_TASKS = 4000, WAITS_MOST = 12 };

struct detail {
	const char *label; /* NULL: the line is blank */
	char value[48];
	bool bad, heading;
};

struct details {
	char title[DETAILS_TITLE];
	struct detail list[DETAILS_ROWS];
	int n;
};

static struct detail *details_add(struct details *details, const char *label)
{
	struct detail *detail;

	details->n = MIN(details->n + 1, DETAILS_ROWS);
	detail = &details->list[details->n - 1];

	*detail = (struct detail) {.label = label};
	return detail;
}

__attribute__((format(printf, 3, 4))) static void
details_text(struct details *details, const char *label, const char *format, ...)
{
	struct detail *detail = details_add(details, label);
	va_list args;

	va_start(args, format);
	vsnprintf(detail->value, sizeof(detail->value), format, args);
	va_end(args);
}

static void details_blank(struct details *details, const char *heading)
{
	details_add(details, NULL);
	if (heading)
		details_add(details, heading)->heading = true;
}

static void details_time(struct details *details, const char *label, int64_t ns)
{
	if (ns >= 0)
		details_text(details, label, "%s", UNITS_TIME(ns, false));
	else
		details_text(details, label, "–");
}

static void details_count(struct details *details, const char *label, int64_t n)
{
	details_text(details, label, "%s", UNITS_COUNT(n));
}

/*
 * Adds a line with an event's time since the previous event, because the reader wants to know how
 * long each step took.
 */
static void details_since(struct details *details, const struct view_list *l, const char *label,
			  int64_t ns, int64_t since_ns)
{
	if (ns < 0 || since_ns < 0)
		details_text(details, label, "–");
	else if (ns < since_ns)
		details_text(details, label, "-%s", UNITS_TIME(since_ns - ns, false));
	else
		details_text(details, label, "+%s",
			     UNITS_TIME(model_between(l->run, since_ns, ns), false));
}

static void details_usage(struct details *details, const struct sample_worker *worker, bool split)
{
	const bool reported = sample_worker_reported(worker);
	/* -1: unknown. If both times are known but too short to distinguish, their sum is shown. */
	int64_t user_ns = -1, system_ns = -1;

	if (reported) {
		user_ns = worker->user_us * INT64_C(1000);
		system_ns = worker->system_us * INT64_C(1000);
	}
	split |= !reported;
	if (split) {
		details_time(details, "user", user_ns);
		details_time(details, "system", system_ns);
	} else {
		details_time(details, "cpu time", user_ns + system_ns);
		details_text(details, "user, system", "? too short");
	}
	if (!reported)
		details_text(details, "faults", "–");
	else if (worker->majflt > 0)
		details_text(details, "faults", "%u + %u major", worker->minflt, worker->majflt);
	else
		details_count(details, "faults", worker->minflt);
	if (reported)
		details_text(details, "switches", "%u + %u", worker->nvcsw, worker->nivcsw);
	else
		details_text(details, "switches", "–");
}

static void details_share(struct details *details, const char *label, double ns, double life)
{
	details_text(details, label, "%s %3.0f %%", UNITS_TIME((int64_t)ns, false),
		     100 * ns / life);
}

enum { LANE_AT_ONCE = 4096 };

static const struct model_lane_figures *details_lane_figures(const struct view_list *l,
							     uint32_t worker)
{
	struct rows_figures *kept = &l->kept->figures;
	int64_t until_ns = model_length(l->model, l->run), later = until_ns - kept->until_ns;
	bool same = kept->run == l->run->id.run && kept->worker == worker;
	size_t n;

	model_slices(l->run, worker, &n);
	/*
	 * Read the figures again when slices arrive. If there are many slices, wait until the run
	 * is longer by 1/32.
	 */
	if (!same || ((kept->n != n || later != 0) &&
		      (n <= LANE_AT_ONCE || later < 0 || later >= kept->until_ns / 32))) {
		*kept = (struct rows_figures) {
			.run = l->run->id.run, .worker = worker, .until_ns = until_ns, .n = n};
		kept->known = model_lane_figures(l->model, l->run, worker, &kept->figures) == 0;
		if (model_woken(l->model, l->run, worker, &kept->woken) < 0)
			kept->woken.n = 0;
	}
	model_shares_until(l->model, l->run, worker, INT64_MAX, &kept->figures.shares);
	if (kept->known && kept->figures.slices > 0)
		return &kept->figures;
	return NULL;
}

enum { PLACES_MOST = 2 };

/* Lists where the worker's cores are, if there are few, because nobody reads a long list. */
static void details_places(struct details *details, const struct model *model,
			   const cpu_set_t *cores)
{
	struct topology topology;

	if (CPU_COUNT(cores) > PLACES_MOST || topology_parse(model->session.topology, &topology))
		return;
	/*
	 * If the machine has one package, node and kind of core, and one thread per core, add
	 * nothing, because the CPU's number above is enough.
	 */
	if (topology.packages < 2 && topology.nodes < 2 && topology.kinds < 2 &&
	    (uint32_t)topology.cores >= topology.n)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cores)) {
			/* "5: core 2+5" and, in the line below, "package 0, node 0". */
			char name[TOPOLOGY_NAME], *rest;

			topology_name(&topology, cpu, name, sizeof(name));
			rest = strstr(name, ", package");
			if (!rest)
				rest = strstr(name, ", node");
			if (rest)
				*rest = '\0';
			details_text(details, " CPU", "%d: %s", cpu, name);
			if (rest)
				details_text(details, "", "%s", rest + 2);
		}
}

static void details_woken(struct details *details, const struct view_list *l)
{
	static const char *const names[WOKENS] = {[WOKEN_BY_MAIN] = " by first task",
						  [WOKEN_BY_INTERRUPT] = " by the kernel",
						  [WOKEN_BY_OTHERS] = " by others"};
	const struct model_woken *woken = &l->kept->figures.woken;
	uint32_t more = woken->by[WOKEN_BY_WORKER] - woken->worker_n;
	char name[32];

	if (woken->n == 0)
		return;
	details_count(details, "woken, times", woken->n);
	/*
	 * The wakers: first the worker that woke this worker most often, such as "w8 io 12", then
	 * each other kind of waker.
	 */
	if (woken->worker_n > 0) {
		plan_name(&l->model->cases[l->run->id.case_id].plan, woken->worker, name,
			  sizeof(name));
		if (more > 0)
			details_text(details, " by worker", "%s %u, others %u", name,
				     woken->worker_n, more);
		else
			details_text(details, " by worker", "%s %u", name, woken->worker_n);
	}
	for (int i = 0; i < WOKENS; i++)
		if (names[i] && woken->by[i] > 0)
			details_count(details, names[i], woken->by[i]);
	details_text(details, " to a core", "%s, %s", UNITS_TIME((int64_t)woken->median_ns, false),
		     UNITS_TIME((int64_t)woken->longest_ns, false));
}

/* Lists the cores, "0 2 5". If there are many cores, counts them, "12 of them". */
static void details_cores(struct details *details, const cpu_set_t *cores)
{
	struct detail *detail = details_add(details, "cores");
	struct sentence list = sentence_in(detail->value, sizeof(detail->value));
	const int known = CPU_COUNT(cores);

	if (known == 0)
		sentence_add(&list, "?");
	else if (known > 6)
		sentence_add(&list, "%d of them", known);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (known <= 6 && CPU_ISSET(cpu, cores))
			sentence_join(&list, " ", "%d", cpu);
}

static void details_lane(struct details *details, const struct view_list *l, uint32_t index)
{
	const struct sample_worker worker = model_worker(l->model, l->run, index);
	const uint64_t switches = (uint64_t)worker.nvcsw + worker.nivcsw;
	const struct model_lane_figures *lane;
	double life = 0, throttled;
	int64_t counted;

	if (model_has_slices(l->run))
		lane = details_lane_figures(l, index);
	else
		lane = NULL;
	if (!lane)
		return;
	for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
		life += lane->shares.ns[state];
	if (model_ended(l->model, l->run) && l->run->totals.slices_lost > 0)
		details_text(details, "as far as seen", "%s lost",
			     UNITS_COUNT(l->run->totals.slices_lost));
	details_share(details, "on a core", lane->shares.ns[STATE_ON], life);
	throttled = model_throttled(l->model, l->run, index);
	details_share(details, "waited", lane->shares.ns[STATE_WAITING] - throttled, life);
	if (l->run->n_throttles > 0)
		details_share(details, "throttled", throttled, life);
	details_share(details, "blocked", lane->shares.ns[STATE_BLOCKED], life);
	if (l->run->slices_merged == 0)
		details_time(details, "longest wait", (int64_t)lane->longest_wait_ns);
	if (worker.finish_ns >= 0 && switches > 2 * (uint64_t)lane->slices) {
		/*
		 * A worker that records its slices itself, by reading the clock, misses short gaps,
		 * so one recorded slice may contain several real ones. Show the number of switches
		 * too.
		 */
		details_text(details, "slices seen", "%s of %s", UNITS_COUNT(lane->slices),
			     UNITS_COUNT(switches));
	} else if (isnan(lane->longest_ns)) {
		details_count(details, "slices", (int64_t)lane->slices);
		details_text(details, "", "merged per 1 ms");
	} else {
		details_count(details, "slices", (int64_t)lane->slices);
		details_time(details, "median slice", (int64_t)lane->median_ns);
		details_time(details, "longest slice", (int64_t)lane->longest_ns);
	}
	/* The kernel's count may include migrations that slices do not show. */
	counted = model_migrations(l->model, l->run, index);
	details_count(details, "migrations", fields_known_or(counted, (int64_t)lane->migrations));
	details_cores(details, &lane->cores);
	details_places(details, l->model, &lane->cores);
	details_woken(details, l);
}

static const char *const phase_names[MODEL_PHASES] = {
	"in create call", "started after", "at the barrier", "finished after", "joined after"};

static void details_level(struct details *details, const struct view_list *l, uint32_t level)
{
	const struct model_levels *levels = model_levels(l->model, l->run);

	if (!levels || level >= levels->levels)
		return;
	if (levels->levels > 1)
		details_blank(details, "its level: median, p99");
	else
		details_blank(details, "all workers: median, p99");
	for (int phase = 0; phase < MODEL_PHASES; phase++) {
		const struct model_span *span = &levels->level[level].phase[phase];

		if (span->n)
			details_text(details, phase_names[phase], "%7s %7s",
				     UNITS_TIME((int64_t)span->median, false),
				     UNITS_TIME((int64_t)span->p99, false));
	}
	if (levels->level[level].pairs > 0)
		details_text(details, "inversions", "%s",
			     METRIC_TEXT(METRIC_SHARE, model_inversions(&levels->level[level])));
}

/*
 * Writes "0 → 1 (0)": the core on which the worker began, the core on which it ended and, in
 * parentheses, the core on which its parent created it.
 */
static void details_core(struct details *details, const struct sample_worker *worker)
{
	char ended[16] = "", parent[16] = "";
	const char *label = "core";

	if (worker->cpu_first < 0) {
		details_text(details, label, "–");
		return;
	}
	if (worker->cpu_last >= 0 && worker->cpu_last != worker->cpu_first)
		snprintf(ended, sizeof(ended), " → %d", worker->cpu_last);
	if (worker->parent_cpu >= 0) {
		label = "core (parent)";
		snprintf(parent, sizeof(parent), " (%d)", worker->parent_cpu);
	}
	details_text(details, label, "%d%s%s", worker->cpu_first, ended, parent);
}

static void details_counters(struct details *details, const struct model *model,
			     const struct sample_worker *worker)
{
	const double cycles = fields_known(worker->cycles);
	const double instructions = fields_known(worker->instructions);
	double per_cycle = NAN;

	if (worker->cycles != 0)
		per_cycle = instructions / cycles;
	if (worker->cycles >= 0) {
		const struct {
			enum model_metric metric;
			double value;
		} rows[] = {
			{METRIC_CYCLES, cycles},
			{METRIC_INSTRUCTIONS, instructions},
			{METRIC_PER_CYCLE, per_cycle},
			{METRIC_CACHE_MISSES, fields_known(worker->cache_misses)},
			{METRIC_TLB_MISSES, fields_known(worker->tlb_misses)},
		};

		for (size_t i = 0; i < LENGTH(rows); i++)
			details_text(details, metric_table[rows[i].metric].title, "%s",
				     METRIC_TEXT(rows[i].metric, rows[i].value));
	} else if (*model->session.counters) {
		details_text(details, metric_table[METRIC_CYCLES].title, "? see Results");
	}
}

static void details_worker(struct details *details, const struct view_list *l, uint32_t index)
{
	const struct plan *plan = &l->model->cases[l->run->id.case_id].plan;
	struct sample_worker worker = model_worker(l->model, l->run, index);
	static const char *const kinds[] = {[PLAN_THREAD] = "thread", [PLAN_PROCESS] = "process"};
	bool bad = view_bar_bad(&worker), behind_barrier;
	struct plan_node node;
	char name[96], reason[64];

	plan_node(plan, index, &node);
	plan_name(plan, index, name, sizeof(name));
	behind_barrier = !node.children && (plan->barrier || plan->all_alive);
	snprintf(details->title, sizeof(details->title), "%s %s", kinds[node.task], name);
	details_lane(details, l, index);
	details_time(details, "create called", worker.create_ns);
	details_since(details, l, "returned", worker.created_ns, worker.create_ns);
	details_since(details, l, "started", worker.start_ns, worker.create_ns);
	if (behind_barrier) {
		details_since(details, l, "began work", worker.work_ns, worker.start_ns);
		details_since(details, l, "finished", worker.finish_ns, worker.work_ns);
	} else {
		details_since(details, l, "finished", worker.finish_ns, worker.start_ns);
	}

	details_since(details, l, "joined", worker.join_ns, worker.finish_ns);
	if (worker.tid > 0)
		details_text(details, "pid  tid", "%d  %d", worker.pid, worker.tid);
	else
		details_text(details, "pid  tid", "–");
	details_core(details, &worker);
	details_usage(details, &worker, model_split_worker(l->model, l->run, &worker));
	if (worker.finish_ns >= 0)
		details_counters(details, l->model, &worker);
	if (worker.result)
		details_text(details, "result", "%llu", (unsigned long long)worker.result);
	if (bad)
		details_text(details, "status", "%s",
			     view_bar_reason(&worker, reason, sizeof(reason)));
	else
		details_text(details, "status", "%s",
			     sample_status_name((enum sample_status)worker.status));
	details->list[details->n - 1].bad = bad;
	details_level(details, l, node.level);
}

/*
 * The sums over a branch. For an ended run they are computed only once, because a branch may be
 * nearly the whole tree.
 */
static const struct rows_many *details_sum(const struct view_list *l)
{
	struct rows_many *many = &l->kept->many;
	struct rows_key key = view_rows_key(l, 1, model_length(l->model, l->run));
	struct rows_members members;
	const struct sample_totals *totals = NULL;

	if (model_ended(l->model, l->run))
		totals = &l->run->totals;
	key.from_ns = key.to_ns = key.w = 0; /* The sums do not depend on the time span shown. */
	key.first = (uint64_t)l->selected;
	if (memcmp(&key, &many->key, sizeof(key)) == 0)
		return many;
	*many = (struct rows_many) {.begin_ns = -1, .end_ns = -1};
	view_rows_members(l, l->selected, &members);
	for (uint32_t i = 0; i < members.n; i++) {
		uint32_t index = view_rows_member(&members, i);
		struct sample_worker worker = model_worker(l->model, l->run, index);

		many->n++;
		many->counts.created += worker.start_ns >= 0 || worker.created_ns >= 0;
		many->counts.finished += worker.finish_ns >= 0;
		many->counts.joined += worker.join_ns >= 0;
		many->counts.failed += view_bar_bad(&worker);
		if (worker.create_ns >= 0 &&
		    (many->begin_ns < 0 || worker.create_ns < many->begin_ns))
			many->begin_ns = worker.create_ns;
		many->end_ns = MAX(many->end_ns, worker.join_ns);
		for (enum model_phase phase = 0; phase < MODEL_PHASES; phase++) {
			double ns = model_phase(totals, &worker, phase, false);

			many->known[phase] += !isnan(ns);
			if (!isnan(ns))
				many->sum_ns[phase] += ns;
		}
	}
	many->key = key;
	return many;
}

static void details_many(struct details *details, const struct view_list *l)
{
	const struct rows_many *many = details_sum(l);

	details_count(details, "workers", many->n);
	details_count(details, "created", many->counts.created);
	details_count(details, "finished", many->counts.finished);
	details_count(details, "joined", many->counts.joined);
	if (many->counts.failed) {
		details_count(details, "failed", many->counts.failed);
		details->list[details->n - 1].bad = true;
	}
	details_time(details, "first create", many->begin_ns);
	if (many->counts.joined < many->n)
		details_time(details, "last join", -1);
	else
		details_time(details, "last join", many->end_ns);

	details_blank(details, "on average");
	for (int phase = 0; phase < MODEL_PHASES; phase++)
		if (phase != PHASE_BARRIER && many->known[phase])
			details_time(details, phase_names[phase],
				     (int64_t)(many->sum_ns[phase] / many->known[phase]));
		else if (phase != PHASE_BARRIER)
			details_time(details, phase_names[phase], -1);
}

static void details_task(struct details *details, const struct view_list *list)
{
	static const char *const labels[MODEL_STATES] = {
		[STATE_ON] = "on a core", [STATE_WAITING] = "waiting", [STATE_BLOCKED] = "blocked"};
	const struct model_run *run = list->run;
	const struct task_row *row = &list->tasks->rows[list->selected];
	struct model_shares shares = {{0}};
	struct model_wait waits[WAITS_MOST];
	struct sample_task task;
	size_t n_waits = 0;
	const char *on = " on";
	uint32_t n_tasks = 1;
	bool thread;
	double life = 0;

	model_task(list->model, run, row->first, &task);
	thread = task.pid != task.tid;
	snprintf(details->title, sizeof(details->title), "%s",
		 sentence_text(task.name, "name not known"));
	if (thread) {
		details_text(details, "thread", "%d", task.tid);
		details_text(details, "of process", "%d", task.pid);
	} else {
		details_text(details, "process", "%d", task.tid);
	}
	if (task.parent >= 0 && !thread) {
		const struct sample_task *parent =
			model_task_known(run, (size_t)task.parent - run->n_workers);

		details_text(details, "by", "%s %d", parent->name, parent->pid);
	}
	details_time(details, "created", task.begin_ns);
	details_time(details, "ended", task.end_ns);
	if (!thread && task.exit_status < 0 && task.end_ns < 0)
		details_text(details, "exit status", "–");
	else if (!thread && task.exit_status < 0)
		details_text(details, "exit status", "? by %s", list->model->session.tasks_by);
	else if (!thread)
		details_text(details, "exit status", "%d", task.exit_status);
	if (row->group > 0)
		n_tasks = MIN(row->n, DETAILS_TASKS);
	for (uint32_t k = 0; k < n_tasks; k++) {
		const uint32_t lane = run->n_workers + list->tasks->order[row->at + k];

		model_shares_add(list->model, run, lane, 0, INT64_MAX, &shares);
		n_waits = model_waits_add(list->model, run, lane, waits, n_waits, WAITS_MOST);
	}
	if (task.cpu_ns < 0 && model_has_slices(run) &&
	    (task.end_ns < 0 || !model_tasks_sampled(list->model)))
		task.cpu_ns = (int64_t)shares.ns[STATE_ON];
	if (row->group == 0)
		details_time(details, "cpu time", task.cpu_ns);
	for (int state = STATE_ON; state < MODEL_STATES; state++)
		life += shares.ns[state];
	if (life > 0 && row->group > 0)
		details_blank(details, "all together");
	else if (life > 0)
		details_blank(details, NULL);
	for (int state = STATE_ON; state < MODEL_STATES; state++)
		if (life > 0)
			details_share(details, labels[state], shares.ns[state], life);
	/*
	 * If no cause of the waits is known, list none. If some are known, show an unknown cause as
	 * "?".
	 */
	if (n_waits == 1 && waits[0].waited <= 0)
		n_waits = 0;
	for (size_t i = 0; i < n_waits; i++) {
		details_text(details, on, "%s %s %3.0f %%",
			     sentence_text(SAMPLE_WAIT(waits[i].waited), "?"),
			     UNITS_TIME((int64_t)waits[i].ns, false), 100 * waits[i].ns / life);
		on = "";
	}
	if (row->n > 1) {
		details_blank(details, NULL);
		if (row->group > 0)
			details_count(details, "with that name", row->group);
		else
			details_count(details, "tasks below it", row->n - 1);
	}
}

static void detail_draw(struct canvas *canvas, int x, int y, int w, const struct detail *detail)
{
	struct style style = PLAIN;
	int end;

	if (detail->heading) {
		canvas_text(canvas, x, y, w, STYLE(COLOUR_TITLE), detail->label);
		return;
	}
	if (detail->bad)
		style = STYLE(COLOUR_BAD);
	end = canvas_right(canvas, x + w, y, style, detail->value);
	canvas_text(canvas, x, y, end - x - 1, DIM, detail->label);
}

enum { BRIEF_W = 25, BRIEF_GAP = 2 };

static void details_draw(const struct details *details, struct canvas *canvas, struct rect rect,
			 bool brief)
{
	int columns = (rect.w + BRIEF_GAP) / BRIEF_W, at = 0;
	int w = rect.w;

	if (columns > 0)
		w = (rect.w + BRIEF_GAP) / columns;

	if (brief) {
		canvas_hline(canvas, rect.x, rect.y, rect.w, 0x2500, STYLE(COLOUR_BORDER));
		canvas_printf(canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_TITLE), "%s ",
			      details->title);
	} else {
		rect = view_box(canvas, rect, details->title, NULL);
	}
	for (int i = 0; i < MIN(details->n, rect.h); i++)
		if (!brief && details->list[i].label &&
		    !(details->list[i].heading && i + 1 == rect.h))
			detail_draw(canvas, rect.x, rect.y + i, rect.w, &details->list[i]);
	/* Fill the columns one after the other, without blank lines and headings. */
	for (int i = 0; i < details->n && rect.h > 1 && brief; i++) {
		int column = at / (rect.h - 1), row = at % (rect.h - 1);

		if (!details->list[i].label || details->list[i].heading || column >= columns)
			continue;
		detail_draw(canvas, rect.x + column * w, rect.y + 1 + row, w - BRIEF_GAP,
			    &details->list[i]);
		at++;
	}
}

void view_details_draw(const struct view_list *l, struct rect rect, bool brief)
{
	const struct tree_row *row = l->per_row || l->tasks ? NULL : &l->tree->rows[l->selected];
	struct details details = {.n = 0};
	char name[DETAILS_TITLE];

	if (l->tasks) {
		details_task(&details, l);
	} else if (row && row->group) {
		tree_rows_name(l->tree, row, name, sizeof(name));
		snprintf(details.title, sizeof(details.title), "%s",
			 name + 3); /* Skip the fold mark. */
		details_many(&details, l);
	} else if (l->per_row > 1 && (uint32_t)l->selected * l->per_row + 1 < l->run->n_workers) {
		details_many(&details, l);
		snprintf(details.title, sizeof(details.title), "%s workers",
			 UNITS_COUNT(details_sum(l)->n));
	} else {
		details_worker(&details, l,
			       row ? row->first
				   : l->kept->order.places[l->selected * l->per_row].worker);
		if (row && row->foldable) {
			details_blank(&details, "with all below it");
			details_many(&details, l);
		}
	}
	details_draw(&details, l->canvas, rect, brief);
}
