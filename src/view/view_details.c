/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model_slices.h"
#include "model/model.h"
#include "base/units.h"
#include "topology/topology.h"
#include "view_bars.h"

enum { DETAILS = 48, TITLE = 128 };

struct detail {
	const char *label; /* NULL: a blank line */
	char value[48];
	bool bad, heading;
};

struct details {
	char title[TITLE];
	struct detail list[DETAILS];
	int n;
};

static struct detail *add(struct details *details, const char *label)
{
	struct detail *detail = &details->list[details->n < DETAILS ? details->n++ : DETAILS - 1];

	*detail = (struct detail) {.label = label};
	return detail;
}

__attribute__((format(printf, 3, 4))) static void
add_text(struct details *details, const char *label, const char *format, ...)
{
	struct detail *detail = add(details, label);
	va_list args;

	va_start(args, format);
	vsnprintf(detail->value, sizeof(detail->value), format, args);
	va_end(args);
}

static void add_blank(struct details *details, const char *heading)
{
	add(details, NULL);
	if (heading)
		add(details, heading)->heading = true;
}

static void add_time(struct details *details, const char *label, int64_t ns)
{
	add_text(details, label, "%s", ns >= 0 ? UNITS_TIME(ns, false) : "–");
}

static void add_count(struct details *details, const char *label, int64_t n)
{
	add_text(details, label, "%s", UNITS_COUNT(n));
}

/* The time since the event before: the difference is what one asks. */
static void add_since(struct details *details, const char *label, int64_t ns, int64_t since_ns)
{
	if (ns < 0 || since_ns < 0)
		add_text(details, label, "–");
	else
		add_text(details, label, "%s%s", ns < since_ns ? "-" : "+",
			 UNITS_TIME(llabs(ns - since_ns), false));
}

static void add_times(struct details *details, const struct sample_worker *worker, bool gated)
{
	add_time(details, "create called", worker->create_ns);
	add_since(details, "returned", worker->created_ns, worker->create_ns);
	add_since(details, "started", worker->start_ns, worker->create_ns);
	if (gated)
		add_since(details, "began work", worker->work_ns, worker->start_ns);
	add_since(details, "finished", worker->finish_ns,
		  gated ? worker->work_ns : worker->start_ns);
	add_since(details, "joined", worker->join_ns, worker->finish_ns);
}

/* "0 → 1 (0)": where it began and ended, and where its creator called. */
static void add_cores(struct details *details, const struct sample_worker *worker)
{
	char ended[16] = "", creator[16] = "";

	if (worker->cpu_last >= 0 && worker->cpu_last != worker->cpu_first)
		snprintf(ended, sizeof(ended), " → %d", worker->cpu_last);
	if (worker->creator_cpu >= 0)
		snprintf(creator, sizeof(creator), " (%d)", worker->creator_cpu);
	if (worker->cpu_first < 0)
		add_text(details, "core", "–");
	else
		add_text(details, *creator ? "core (by)" : "core", "%d%s%s", worker->cpu_first,
			 ended, creator);
}

static void add_events(struct details *details, enum model_metric metric, double n)
{
	add_text(details, metric_table[metric].title, "%s", METRIC_TEXT(metric, n));
}

/* Of a session that has none it says so in one line. */
static void add_counts(struct details *details, const struct sample_session *session,
		       const struct sample_worker *worker)
{
	double cycles = fields_known(worker->cycles);

	if (worker->cycles < 0) {
		if (*session->counters)
			add_text(details, metric_table[METRIC_CYCLES].title, "? see Results");
		return;
	}
	add_events(details, METRIC_CYCLES, cycles);
	add_events(details, METRIC_INSTRUCTIONS, fields_known(worker->instructions));
	add_events(details, METRIC_PER_CYCLE,
		   worker->cycles ? fields_known(worker->instructions) / cycles : NAN);
	add_events(details, METRIC_CACHE_MISSES, fields_known(worker->cache_misses));
	add_events(details, METRIC_TLB_MISSES, fields_known(worker->tlb_misses));
}

static void add_usage(struct details *details, const struct sample_worker *worker, bool split)
{
	if (sample_worker_told(worker)) {
		/* Its parts; where they cannot be told, their sum alone. */
		int64_t user_ns = worker->user_us * INT64_C(1000);
		int64_t system_ns = worker->system_us * INT64_C(1000);

		if (split) {
			add_time(details, "user", user_ns);
			add_time(details, "system", system_ns);
		} else {
			add_time(details, "cpu time", user_ns + system_ns);
			add_text(details, "user, system", "? too short");
		}
		if (worker->majflt > 0)
			add_text(details, "faults", "%u + %u major", worker->minflt,
				 worker->majflt);
		else
			add_count(details, "faults", worker->minflt);
		add_text(details, "switches", "%u + %u", worker->nvcsw, worker->nivcsw);
	} else {
		add_text(details, "user", "–");
		add_text(details, "system", "–");
		add_text(details, "faults", "–");
		add_text(details, "switches", "–");
	}
}

static void add_share(struct details *details, const char *label, double ns, double life)
{
	add_text(details, label, "%s %3.0f %%", UNITS_TIME((int64_t)ns, false), 100 * ns / life);
}

enum { LANE_AT_ONCE = 4096 };

/* Looked at again when something is new; where that is much, when the run is a bit longer. */
static bool figures_stand(const struct rows_figures *kept, const struct view_list *l,
			  uint32_t worker, size_t n)
{
	int64_t until_ns = model_length(l->model, l->run), later = until_ns - kept->until_ns;

	if (kept->run != l->run->id.run || kept->worker != worker)
		return false;
	if (kept->n == n && later == 0)
		return true;
	return n > LANE_AT_ONCE && later >= 0 && later < kept->until_ns / 32;
}

static const struct model_lane_figures *figures_get(const struct view_list *l, uint32_t worker)
{
	struct rows_figures *kept = &l->one->figures;
	size_t n;

	model_slices(l->run, worker, &n);
	if (!figures_stand(kept, l, worker, n)) {
		*kept = (struct rows_figures) {.run = l->run->id.run,
					       .worker = worker,
					       .until_ns = model_length(l->model, l->run),
					       .n = n};
		kept->known = model_lane_figures(l->model, l->run, worker, &kept->figures) == 0;
		if (model_woken(l->model, l->run, worker, &kept->woken) < 0)
			kept->woken.n = 0;
	}
	model_shares_until(l->model, l->run, worker, INT64_MAX, &kept->figures.shares);
	return kept->known && kept->figures.slices > 0 ? &kept->figures : NULL;
}

enum { PLACES_MOST = 2 };

/* Something that the number of a CPU does not say. */
static bool has_places(const struct topology *topology)
{
	return topology->packages > 1 || topology->nodes > 1 || topology->kinds > 1 ||
	       (uint32_t)topology->cores < topology->n;
}

/* Of few: more are a list that nobody reads. */
static void add_places(struct details *details, const struct model *model, const cpu_set_t *cores)
{
	struct topology topology;

	if (CPU_COUNT(cores) > PLACES_MOST || topology_parse(model->session.topology, &topology) ||
	    !has_places(&topology))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cores)) {
			/* "5: core 2+5", and below it "package 0, node 0" */
			char name[TOPOLOGY_NAME], *rest;

			topology_name(&topology, cpu, name, sizeof(name));
			rest = strstr(name, ", package");
			rest = rest ? rest : strstr(name, ", node");
			add_text(details, " CPU", "%d: %.*s", cpu,
				 (int)(rest ? (size_t)(rest - name) : strlen(name)), name);
			if (rest)
				add_text(details, "", "%s", rest + 2);
		}
}

/* "0 1", of many how many. */
static void add_cores_of(struct details *details, const struct model_lane_figures *lane)
{
	struct detail *detail = add(details, "cores");
	int known = CPU_COUNT(&lane->cores), n = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && known <= 6; cpu++)
		if (CPU_ISSET(cpu, &lane->cores))
			n += snprintf(detail->value + n, sizeof(detail->value) - (size_t)n,
				      n ? " %d" : "%d", cpu);
	if (n == 0)
		snprintf(detail->value, sizeof(detail->value), known ? "%d of them" : "?", known);
}

/* By whom, most often: "w8 io 12", "the kernel 29". */
static void add_wakers(struct details *details, const struct view_list *l,
		       const struct model_woken *woken)
{
	static const char *const names[WOKENS] = {[WOKEN_BY_MAIN] = " by the first",
						  [WOKEN_BY_INTERRUPT] = " by the kernel",
						  [WOKEN_BY_OTHERS] = " by others"};
	const struct plan *plan = &l->model->cases[l->run->id.case_id].plan;
	uint32_t more = woken->by[WOKEN_BY_WORKER] - woken->worker_n;
	char name[32];

	if (woken->worker_n > 0) {
		plan_name(plan, woken->worker, name, sizeof(name));
		add_text(details, " by worker", more ? "%s %u, others %u" : "%s %u", name,
			 woken->worker_n, more);
	}
	for (int i = 0; i < WOKENS; i++)
		if (names[i] && woken->by[i] > 0)
			add_count(details, names[i], woken->by[i]);
}

static void add_woken(struct details *details, const struct view_list *l)
{
	const struct model_woken *woken = &l->one->figures.woken;

	if (woken->n == 0)
		return;
	add_count(details, "woken, times", woken->n);
	add_wakers(details, l, woken);
	add_text(details, " to a core", "%s, %s", UNITS_TIME((int64_t)woken->median_ns, false),
		 UNITS_TIME((int64_t)woken->longest_ns, false));
}

/* What it did with its life, where slices tell. */
static void add_lane(struct details *details, const struct view_list *l, uint32_t index)
{
	const struct model_lane_figures *lane;
	double life = 0, throttled;
	int64_t counted;

	lane = model_has_slices(l->run) ? figures_get(l, index) : NULL;
	if (!lane)
		return;
	for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
		life += lane->shares.ns[state];
	if (model_ended(l->model, l->run) && l->run->totals.slices_lost > 0)
		add_text(details, "as far as seen", "%s lost",
			 UNITS_COUNT(l->run->totals.slices_lost));
	add_share(details, "on a core", lane->shares.ns[STATE_ON], life);
	throttled = model_throttled(l->model, l->run, index);
	add_share(details, "waited", lane->shares.ns[STATE_WAITING] - throttled, life);
	if (l->run->n_throttles > 0)
		add_share(details, "throttled", throttled, life);
	add_share(details, "blocked", lane->shares.ns[STATE_BLOCKED], life);
	add_time(details, "longest wait", (int64_t)lane->longest_wait_ns);
	add_count(details, "slices", (int64_t)lane->slices);
	add_time(details, "median slice", (int64_t)lane->median_ns);
	add_time(details, "longest slice", (int64_t)lane->longest_ns);
	counted = model_migrations(l->model, l->run, index); /* may know of more than slices do */
	add_count(details, "migrations", counted < 0 ? (int64_t)lane->migrations : counted);
	add_cores_of(details, lane);
	add_places(details, l->model, &lane->cores);
	add_woken(details, l);
}

static void add_status(struct details *details, const struct sample_worker *worker)
{
	char reason[64];

	if (worker->result)
		add_text(details, "result", "%llu", (unsigned long long)worker->result);
	add_text(details, "status", "%s",
		 view_bar_bad(worker) ? view_bar_reason(worker, reason, sizeof(reason))
				      : sample_status_name((enum sample_status)worker->status));
	details->list[details->n - 1].bad = view_bar_bad(worker);
}

/* Medians of the level that the worker is one of. */
static void add_level(struct details *details, const struct view_list *l, uint32_t level)
{
	static const char *const names[MODEL_PHASES] = {
		"in create call", "until started", "at the gate", "until finished", "until joined"};
	const struct model_levels *levels = model_levels(l->model, l->run);

	if (!levels || level >= levels->levels)
		return;
	add_blank(details, "the level's median, 99 %");
	for (int phase = 0; phase < MODEL_PHASES; phase++) {
		const struct model_span *span = &levels->level[level].phase[phase];

		if (span->n)
			add_text(details, names[phase], "%7s %7s",
				 UNITS_TIME((int64_t)span->median, false),
				 UNITS_TIME((int64_t)span->p99, false));
	}
	if (levels->level[level].pairs > 0)
		add_text(details, "inversions", "%s",
			 METRIC_TEXT(METRIC_SHARE, model_inversions(&levels->level[level])));
}

static void details_worker(struct details *details, const struct view_list *l, uint32_t index)
{
	const struct plan *plan = &l->model->cases[l->run->id.case_id].plan;
	struct sample_worker worker = model_worker(l->model, l->run, index);
	struct plan_node node;
	char name[96];

	plan_node(plan, index, &node);
	plan_name(plan, index, name, sizeof(name));
	snprintf(details->title, sizeof(details->title), "%s %s",
		 node.task == PLAN_PROCESS ? "process" : "thread", name);
	add_lane(details, l, index);
	add_times(details, &worker, !node.children && (plan->gated || plan->all_alive));
	if (worker.tid > 0)
		add_text(details, "pid  tid", "%d  %d", worker.pid, worker.tid);
	else
		add_text(details, "pid  tid", "–");
	add_cores(details, &worker);
	add_usage(details, &worker, model_split_worker(l->model, l->run, &worker));
	if (worker.finish_ns >= 0)
		add_counts(details, &l->model->session, &worker);
	add_status(details, &worker);
	add_level(details, l, node.level);
}

/* Many at once */

static void add_part(struct rows_many *many, enum rows_part part, int64_t from_ns, int64_t to_ns)
{
	if (from_ns < 0 || to_ns < 0)
		return;
	many->known[part]++;
	many->sum_ns[part] += to_ns > from_ns ? (double)(to_ns - from_ns) : 0;
}

static void many_add(struct rows_many *many, const struct view_list *l, uint32_t index)
{
	struct sample_worker worker = model_worker(l->model, l->run, index);

	many->n++;
	many->counts.created += worker.start_ns >= 0 || worker.created_ns >= 0;
	many->counts.finished += worker.finish_ns >= 0;
	many->counts.joined += worker.join_ns >= 0;
	many->counts.failed += view_bar_bad(&worker);
	if (worker.create_ns >= 0 && (many->begin_ns < 0 || worker.create_ns < many->begin_ns))
		many->begin_ns = worker.create_ns;
	many->end_ns = MAX(many->end_ns, worker.join_ns);
	add_part(many, ROWS_CREATE, worker.create_ns, worker.created_ns);
	add_part(many, ROWS_START, worker.create_ns, worker.start_ns);
	add_part(many, ROWS_WORK, worker.start_ns, worker.finish_ns);
	add_part(many, ROWS_JOIN, worker.finish_ns, worker.join_ns);
}

/* Counted once for an ended run: a branch may be nearly all of the tree. */
static const struct rows_many *many_get(const struct view_list *l)
{
	struct rows_many *many = &l->one->many;
	struct rows_key key = view_rows_key(l, 1, model_length(l->model, l->run));
	struct rows_members members;

	key.from_ns = key.to_ns = key.w = 0; /* whatever time is shown */
	key.first = (uint64_t)l->selected;
	if (memcmp(&key, &many->key, sizeof(key)) == 0)
		return many;
	*many = (struct rows_many) {.begin_ns = -1, .end_ns = -1};
	view_rows_members(l, l->selected, &members);
	for (uint32_t i = 0; i < members.n; i++)
		many_add(many, l, view_rows_member(&members, i));
	many->key = key;
	return many;
}

static void details_many(struct details *details, const struct view_list *l)
{
	static const char *const names[ROWS_PARTS] = {[ROWS_CREATE] = "in create call",
						      [ROWS_START] = "until started",
						      [ROWS_WORK] = "until finished",
						      [ROWS_JOIN] = "until joined"};
	const struct rows_many *many = many_get(l);

	add_count(details, "workers", many->n);
	add_count(details, "created", many->counts.created);
	add_count(details, "finished", many->counts.finished);
	add_count(details, "joined", many->counts.joined);
	if (many->counts.failed) {
		add_count(details, "failed", many->counts.failed);
		details->list[details->n - 1].bad = true;
	}
	add_time(details, "first create", many->begin_ns);
	add_time(details, "last join", many->counts.joined < many->n ? -1 : many->end_ns);
	add_blank(details, "on average");
	for (int part = 0; part < ROWS_PARTS; part++)
		add_time(details, names[part],
			 many->known[part] ? (int64_t)(many->sum_ns[part] / many->known[part])
					   : -1);
}

static void details_make(struct details *details, const struct view_list *l)
{
	const struct tree_row *row = l->per_row ? NULL : &l->tree->rows[l->selected];
	char name[TITLE];

	if (row && row->group) {
		tree_rows_name(l->tree, row, name, sizeof(name));
		snprintf(details->title, sizeof(details->title), "%s",
			 name + 3); /* after its mark */
		details_many(details, l);
	} else if (l->per_row > 1 && (uint32_t)l->selected * l->per_row + 1 < l->run->n_workers) {
		details_many(details, l);
		snprintf(details->title, sizeof(details->title), "%s workers",
			 UNITS_COUNT(many_get(l)->n));
	} else {
		details_worker(details, l,
			       row ? row->first : l->one->order.worker[l->selected * l->per_row]);
		if (row && row->foldable) {
			add_blank(details, "with all below it");
			details_many(details, l);
		}
	}
}

static void draw_detail(struct canvas *canvas, int x, int y, int w, const struct detail *detail)
{
	int end;

	if (detail->heading) {
		canvas_text(canvas, x, y, w, STYLE(COLOUR_TITLE), detail->label);
		return;
	}
	end = canvas_right(canvas, x + w, y, STYLE(detail->bad ? COLOUR_BAD : COLOUR_DEFAULT),
			   detail->value);
	canvas_text(canvas, x, y, end - x - 1, STYLE(COLOUR_DIM), detail->label);
}

static void draw_boxed(struct canvas *canvas, struct rect rect, const struct details *details)
{
	struct rect inner = view_box(canvas, rect, details->title, NULL);

	for (int i = 0; i < details->n && i < inner.h; i++)
		if (details->list[i].label)
			draw_detail(canvas, inner.x, inner.y + i, inner.w, &details->list[i]);
}

enum { BRIEF_W = 25, BRIEF_GAP = 2 };

/* Column by column, without blanks and headings. */
static void draw_brief(struct canvas *canvas, struct rect rect, const struct details *details)
{
	int columns = (rect.w + BRIEF_GAP) / BRIEF_W, at = 0;
	int w = columns > 0 ? (rect.w + BRIEF_GAP) / columns : rect.w;

	canvas_hline(canvas, rect.x, rect.y, rect.w, 0x2500, STYLE(COLOUR_BORDER));
	canvas_printf(canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_TITLE), "%s ",
		      details->title);
	for (int i = 0; i < details->n && rect.h > 1; i++) {
		int column = at / (rect.h - 1), row = at % (rect.h - 1);

		if (!details->list[i].label || details->list[i].heading || column >= columns)
			continue;
		draw_detail(canvas, rect.x + column * w, rect.y + 1 + row, w - BRIEF_GAP,
			    &details->list[i]);
		at++;
	}
}

void view_details_draw(const struct view_list *list, struct rect rect, bool brief)
{
	struct details details = {.n = 0};

	details_make(&details, list);
	if (brief)
		draw_brief(list->canvas, rect, &details);
	else
		draw_boxed(list->canvas, rect, &details);
}
