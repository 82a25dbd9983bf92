/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "core/plan.h"
#include "core/sample_task.h"
#include "core/sample_tick.h"
#include "draw/theme.h"
#include "result/finding.h"
#include "model/model.h"
#include "model/model_parts.h"
#include "result/latency.h"
#include "result/report.h"
#include "result/task.h"
#include "result/table.h"

/*
 * Limits that keep the page small. WORKERS_TYPICAL: if the typical runs have more workers than
 * this, their workers have neither names nor rows. WORKERS_OTHER: if all runs together have more
 * workers than this, the other runs have no rows.
 */
enum {
	WORKERS_TYPICAL = 200000,
	WORKERS_OTHER = 40000,
	/*
	 * Largest number of workers' lanes in a run. A run with more workers has only lanes of its
	 * cores.
	 */
	LANES = 200,
	STRETCHES_TYPICAL = 60000,
	STRETCHES_OTHER = 30000,
	POINTS = 40000,
	LOADS = 240,
	SPLITS = 4,
	PAGE_COLUMNS = 120,
	PAGE_NAME = 160
};

static int64_t to_us(int64_t ns)
{
	if (ns < 0)
		return -1;
	return ns / 1000;
}

static const char *unit_of(enum model_metric metric)
{
	switch (metric_table[metric].unit) {
	case METRIC_NS:
	case METRIC_US:
	case METRIC_SHORT: {
		if (json_scaled(metric, 1) < 1)
			return "ms";
		return "ns";
	}
	case METRIC_KIB:
		return "KiB";
	case METRIC_PERCENT:
		return "%";
	default:
		return "";
	}
}

static const char *words_of(const struct model *model, enum model_metric metric)
{
	if (metric == METRIC_PRINTED)
		return model->printed_title;
	if (metric_table[metric].words)
		return metric_table[metric].words;
	return metric_table[metric].title;
}

static int hue_of(const struct model *model, uint32_t case_id)
{
	return (int)(model_identity(model, case_id) % IDENTITIES);
}

/* Writes "name": value and a comma, and frees the value. */
static int put_member(FILE *out, const char *name, json_t *json)
{
	int err;

	fprintf(out, "\"%s\":", name);
	err = json_write(out, json);
	fputs(",\n", out);
	return err;
}

const struct model_run *export_typical_run(const struct model *model, uint32_t case_id)
{
	const struct model_run *best = NULL;
	struct report_summary summary;
	double nearest = INFINITY;

	if (report_summarize(model, case_id, model_headline(model), &summary) != 0 ||
	    summary.n == 0)
		return model_latest(model, case_id);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		double distance =
			fabs(metric_value(run, model_headline(model)) - summary.median.estimate);

		if (run->id.case_id == case_id && model_measured(model, run) &&
		    distance < nearest) {
			best = run;
			nearest = distance;
		}
	}
	return best;
}

static json_t *case_json(const struct model *model, uint32_t id, bool named)
{
	const struct sample_case *config = &model->cases[id];
	const struct model_run *run = export_typical_run(model, id);
	json_t *names = json_array(), *list = json_array();
	json_int_t typical = -1;
	struct model_parts parts;
	char name[PAGE_NAME];

	if (run && named)
		for (uint32_t i = 0; i < run->n_workers; i++)
			json_push(&names,
				  json_printable(plan_name(&config->plan, i, name, sizeof(name))));
	/*
	 * The parts in the order of enum model_path_part. Then the sum of three parts, which is
	 * known only if these parts cannot be separated. Then the time of the whole path.
	 */
	if (!model_has_latency(model) && !model_parts(model, id, &parts) && parts.n > 0) {
		for (int i = 0; i < MODEL_PARTS; i++)
			json_push(&list, json_finite(parts.ns[i]));
		if (parts.split)
			parts.running_ns = NAN;
		json_push(&list, json_finite(parts.running_ns));
		json_push(&list, json_finite(parts.all_ns));
	}
	if (run)
		typical = run - model->runs;
	return json_pack("{s:o,s:i,s:I,s:b,s:o,s:o,s:o}", "name",
			 json_printable(MODEL_CASE_NAME(model, id)), "hue", hue_of(model, id),
			 "typical", typical, "set", config->plan.barrier, "workers", names, "parts",
			 list, "command", json_printable(config->command));
}

static json_t *tables_json(const struct model *model)
{
	json_t *list = json_array();
	struct table table;
	char buf[TABLE_TEXT];

	for (int id = 0; id < TABLE_TRIALS; id++) {
		json_t *columns, *rows, *note;
		int err = table_build(model, (enum table_id)id, &table);

		if (err)
			json_push(&list, NULL);
		if (err || table_rows(&table) == 0) {
			table_free(&table);
			continue;
		}
		columns = json_array();
		rows = json_array();
		if (table.note)
			note = json_printable(table.note);
		else
			note = json_null();
		for (size_t i = 0; i < table.n_columns; i++) {
			const char *title = table.title;

			if (i > 0)
				title = table_title(&table.columns[i]);
			json_push(&columns, json_pack("[o,b]", json_printable(title),
						      table.columns[i].align == TABLE_LEFT));
		}
		for (size_t r = 0; r < table_rows(&table); r++) {
			json_t *row = json_array();

			json_push(&row, json_integer(table_cell(&table, r, 0)->case_id));
			for (size_t i = 0; i < table.n_columns; i++)
				json_push(&row,
					  json_printable(table_text(&table, r, i, " to ", buf)));
			json_push(&rows, row);
		}
		json_push(&list, json_pack("{s:i,s:o,s:o,s:o,s:o,s:b}", "id", id, "title",
					   json_printable(table.title), "columns", columns, "rows",
					   rows, "note", note, "grouped", table.grouped));
		table_free(&table);
	}
	return list;
}

static json_t *curve_json(const struct model *model, const struct curve *curve)
{
	json_t *values = json_array(), *lines = json_array(), *crosses = json_array();

	for (uint32_t v = 0; v < curve->n_values; v++)
		json_push(&values, json_pack("[o,o]", json_printable(curve->value[v].text),
					     json_finite(curve->value[v].number)));
	for (uint32_t l = 0; l < curve->n_lines; l++) {
		json_t *points = json_array();

		for (uint32_t v = 0; v < curve->n_values; v++) {
			const struct curve_point *at = &curve->point[l][v];

			json_push(&points,
				  json_pack("[o,o,o]",
					    json_finite(json_scaled(curve->metric, at->median)),
					    json_finite(json_scaled(curve->metric, at->least)),
					    json_finite(json_scaled(curve->metric, at->most))));
		}
		json_push(&lines,
			  json_pack("{s:o,s:i,s:o}", "name", json_printable(curve->line[l].name),
				    "hue", hue_of(model, curve->line[l].case_id), "points",
				    points));
	}
	for (uint32_t i = 0; i < curve->n_crosses; i++)
		json_push(&crosses, json_pack("[o,i,i]", json_finite(curve->cross[i].at),
					      curve->cross[i].from, curve->cross[i].to));
	return json_pack("{s:s,s:s,s:o,s:o,s:b,s:b,s:o,s:o,s:o}", "metric",
			 words_of(model, curve->metric), "unit", unit_of(curve->metric), "variable",
			 json_printable(curve->name), "work", json_printable(curve->work),
			 "numeric", curve->numeric, "log", curve_wants_log(curve), "values", values,
			 "lines", lines, "crosses", crosses);
}

static json_t *curves_json(const struct model *model)
{
	const enum model_metric *metric = metric_curves_of(model);
	const bool swept = curve_swept(model) && !model_has_latency(model);
	struct curve *curve = calloc(1, sizeof(*curve));
	json_t *list;

	if (!curve)
		return NULL;
	list = json_array();
	for (; list; metric++) {
		if (!swept || *metric == METRICS)
			break;
		for (uint32_t work = 0; work < MAX(1, curve->n_works); work++) {
			int err = curve_read(curve, model, *metric, work);

			if (err)
				json_push(&list, NULL);
			else if (curve->n_lines > 0 && curve->n_values >= 3)
				json_push(&list, curve_json(model, curve));
		}
	}
	free(curve);
	return list;
}

/*
 * Durations of creations or operations, as counts for columns of equal width on a logarithmic axis.
 */

static json_t *latency_json(const struct model *model)
{
	struct latency_row rows[LATENCY_ROWS];
	json_t *list = json_array();
	const uint32_t n = latency_rows(model, PLAN_PLACEMENTS, rows);
	char name[SAMPLE_NAME], where[64];
	double low, high;

	latency_range(model, &low, &high);
	for (uint32_t i = 0; i < n * MODEL_LATENCIES; i++) {
		const struct latency_row *row = &rows[i / MODEL_LATENCIES];
		enum model_latency_span span = (enum model_latency_span)(i % MODEL_LATENCIES);
		const struct model_latency_at *at = latency_at(model, row);
		const struct plan *plan = &model->cases[row->case_id].plan;
		const struct model_latency_figures *f;
		enum model_latency_span last = LATENCY_CALLER;
		double step = pow(high / low, 1.0 / PAGE_COLUMNS);
		json_t *counts;

		if (plan_is_creation(plan) && plan->primitive != PLAN_CALL)
			last = LATENCY_TASK;
		if (!at || at->span[span].n == 0 || span > last)
			continue;
		f = &at->span[span];
		counts = json_array();
		for (int k = 0; k < PAGE_COLUMNS; k++)
			json_push(&counts, json_finite(latency_between(f, low * pow(step, k),
								       low * pow(step, k + 1))));
		json_push(&list,
			  json_pack("{s:o,s:o,s:o,s:i,s:I,s:I,s:I,s:f,s:f,s:o}", "name",
				    json_printable(
					    latency_name(model, row->case_id, name, sizeof(name))),
				    "where",
				    json_printable(
					    latency_where(model, row, false, where, sizeof(where))),
				    "span", json_printable(latency_title(model, span)), "hue",
				    hue_of(model, row->case_id), "n", (json_int_t)f->n, "p50",
				    (json_int_t)f->p50, "p99", (json_int_t)f->p99, "low", low,
				    "high", high, "counts", counts));
	}
	return list;
}

static json_t *messages_json(const struct model *model)
{
	json_t *list = json_array();

	for (size_t i = 0; i < model->n_messages; i++)
		if (model->messages[i].time_ns <= model->now_ns)
			json_push(&list, json_pack("[I,i,o]", to_us(model->messages[i].time_ns),
						   (int)model->messages[i].severity,
						   json_printable(model->messages[i].text)));
	return list;
}

/* User, system, I/O wait and stolen time of each core in %, for equal steps of the session. */
static json_t *loads_json(const struct model *model)
{
	const double scale = (double)LOADS / ((double)model->now_ns + 1);
	json_t *cpus = json_array(), *rows = json_array();
	long last = model_load_at(model, model->now_ns);

	for (uint32_t core = 0; core < model->n_cores; core++) {
		double sum[LOADS][SPLITS] = {{0}};
		int n[LOADS] = {0};
		json_t *row;

		if (model->now_ns <= 0)
			break;
		row = json_array();
		for (long i = 0; i <= last; i++) {
			const struct sample_core *load =
				&model->cores[(size_t)i * model->n_cores + core];
			const double split[SPLITS] = {load->user, load->system, load->iowait,
						      load->steal};
			int from = 0, to = (int)((double)model->loads[i].time_ns * scale);

			if (i > 0)
				from = (int)((double)model->loads[i - 1].time_ns * scale);
			if (load->user < 0 || load->system < 0)
				continue;
			for (int c = MAX(0, from); c <= MIN(to, LOADS - 1); c++) {
				n[c]++;
				for (int k = 0; k < SPLITS; k++)
					sum[c][k] += fmax(0, split[k]) / 10;
			}
		}
		for (int i = 0; i < LOADS * SPLITS; i++) {
			const int c = i / SPLITS;
			json_int_t mean = -1;

			if (n[c] > 0)
				mean = lround(sum[c][i % SPLITS] / n[c]);
			json_push(&row, json_integer(mean));
		}
		json_push(&rows, row);
		json_push(&cpus, json_integer(model->cores[core].cpu));
	}
	return json_pack("{s:o,s:o}", "cpus", cpus, "rows", rows);
}

/*
 * The runs are written one by one. As a single JSON tree, they would need fifty times the memory of
 * their recording.
 */

/*
 * Number of tasks of the run's commands so far. If there are such tasks, the rows show them instead
 * of the workers.
 */
static uint32_t tasks_begun(const struct model *model, const struct model_run *run)
{
	uint32_t n = 0;
	struct sample_task task;

	while (n < run->n_tasks && model_task(model, run, n, &task))
		n++;
	return n;
}

static uint32_t run_rows(const struct model *model, const struct model_run *run)
{
	const uint32_t tasks = tasks_begun(model, run);

	if (tasks > 0)
		return tasks;
	return run->n_workers;
}

/*
 * Sorts the tasks by creation. After each process come its threads, then its children. Returns the
 * n tasks in this order, followed by each task's index in the order. The caller frees the result.
 * NULL: memory is short.
 */
static uint32_t *order_tasks(const struct model_run *run, uint32_t n)
{
	uint32_t *order = calloc(3 * (size_t)n + 1, sizeof(*order)), at, m = 0;
	uint32_t *next = order + n,
		 *first = next + n; /* Indices plus 1. Entry n: tasks without a parent. */

	if (!order)
		return NULL;
	for (int threads = 0; threads < 2; threads++)
		for (uint32_t i = n; i-- > 0;) {
			const struct sample_task *task = model_task_known(run, i);
			uint32_t of = n;

			if (task->parent >= 0)
				of = (uint32_t)task->parent - run->n_workers;

			if ((task->pid != task->tid) != threads)
				continue;
			next[i] = first[of];
			first[of] = i + 1;
		}
	for (at = first[n]; at > 0;) {
		order[m++] = at - 1;
		if (first[at - 1]) {
			at = first[at - 1];
			continue;
		}
		while (at > 0 && !next[at - 1]) {
			int32_t parent = model_task_known(run, at - 1)->parent;

			if (parent < 0)
				at = 0;
			else
				at = (uint32_t)parent - run->n_workers + 1;
		}
		if (at > 0)
			at = next[at - 1];
		else
			at = 0;
	}
	for (uint32_t i = 0; i < m; i++)
		order[n + order[i]] = i;
	return order;
}

/* The known data of a worker. An index from n_workers on is an index of a task. */
static struct sample_worker row_life(const struct model *model, const struct model_run *run,
				     uint32_t index)
{
	struct sample_task task;

	if (index < run->n_workers)
		return model_worker(model, run, index);
	model_task(model, run, index - run->n_workers, &task);
	return model_task_worker(&task);
}

struct lane {
	FILE *out;
	const struct model_run *run;
	/* The tasks in the order of the rows. NULL: the rows are workers. */
	const uint32_t *order;
	const uint32_t *places; /* The row of each task. */
	uint32_t stretches;
	bool put;
};

/* The worker or task of a row, as an index for row_life(). */
static uint32_t row_index(const struct lane *lane, uint32_t row)
{
	if (lane->order)
		return lane->run->n_workers + lane->order[row];
	return row;
}

static void take_stretch(void *arg, const struct model_stretch *at)
{
	static const int codes[MODEL_STATES] = {[STATE_NONE] = -3,
						[STATE_UNKNOWN] = -3,
						[STATE_ON] = -4,
						[STATE_WAITING] = -1,
						[STATE_BLOCKED] = -2};
	struct lane *lane = arg;
	int code = codes[at->state];
	bool throttled =
		at->state == STATE_WAITING && 2 * (model_throttled_until(lane->run, at->to_ns) -
						   model_throttled_until(lane->run, at->from_ns)) >
						      at->to_ns - at->from_ns;

	lane->stretches++;
	if (throttled)
		code = -5;
	else if (at->cpu >= 0)
		code = at->cpu;
	else if (at->waited > 0)
		code = -10 - at->waited;
	if (lane->put)
		fprintf(lane->out, ",%" PRId64 ",%d", to_us(at->to_ns) - to_us(at->from_ns), code);
}

static void put_worker_lane(const struct model *model, struct lane *lane, uint32_t worker,
			    uint32_t most)
{
	const struct sample_worker known = row_life(model, lane->run, worker);
	const bool sampled = worker >= lane->run->n_workers && model_tasks_sampled(model);
	int64_t from = sample_worker_begin(&known);
	int64_t to = fields_known_or(known.finish_ns, model_length(model, lane->run));
	size_t slices;

	model_slices(lane->run, worker, &slices);
	if (from < 0 || to <= from || slices == 0) {
		fputs("[]", lane->out);
		return;
	}
	lane->stretches = 0;
	lane->put = false;
	model_stretches(model, lane->run, worker, from, to, take_stretch, lane);
	/* If slices are not exact, use fewer columns, so that the lane does not look exact. */
	if (sampled)
		most = (uint32_t)MAX(1, MIN(most, (to - from) / SAMPLE_SCHEDSTAT_NS));
	if (!sampled && lane->stretches <= most) {
		fprintf(lane->out, "[%" PRId64, to_us(from));
		lane->put = true;
		model_stretches(model, lane->run, worker, from, to, take_stretch, lane);
	} else {
		fprintf(lane->out, "[-1,%" PRId64 ",%" PRId64, to_us(from), to_us(to));
		for (uint32_t i = 0; i < most; i++) {
			int64_t a = from + (int64_t)((double)(to - from) * i / most);
			int64_t b = from + (int64_t)((double)(to - from) * (i + 1) / most);
			struct model_shares shares = {{0}};

			model_shares_add(model, lane->run, worker, a, b, &shares);
			fprintf(lane->out, ",%ld,%ld",
				lround(1000 * shares.ns[STATE_ON] / (double)MAX(1, b - a)),
				lround(1000 * shares.ns[STATE_WAITING] / (double)MAX(1, b - a)));
		}
	}
	fputc(']', lane->out);
}

/*
 * The code for what a core ran: the row of a worker or task, -2 for other programs, -1 for nothing.
 */
static int64_t core_code(const struct lane *lane, const struct model_core_stretch *at)
{
	if (at->state == CORE_OURS && lane->order && at->worker >= lane->run->n_workers)
		return lane->places[at->worker - lane->run->n_workers];
	if (at->state == CORE_OURS)
		return at->worker;
	if (at->state == CORE_OTHERS)
		return -2;
	return -1;
}

static void put_core_lane(const struct model *model, struct lane *lane, uint32_t cpu, uint32_t most)
{
	const int64_t end = model_length(model, lane->run);
	struct model_core_shares before = {{0}}, after;
	struct model_core_stretch at;
	uint32_t n = 0;

	/*
	 * The first pass counts the stretches. The second pass writes each stretch. If there are
	 * too many stretches, shares are written instead.
	 */
	for (int pass = 0; pass < 2; pass++) {
		if (n > most)
			break;
		if (pass > 0)
			fprintf(lane->out, "[%u,0", cpu);
		for (int64_t t = 0; n <= most; t = at.to_ns) {
			if (t >= end || !model_core_stretch_at(model, lane->run, cpu, t, &at) ||
			    at.to_ns <= t)
				break;
			n += pass == 0;
			if (pass > 0)
				fprintf(lane->out, ",%" PRId64 ",%" PRId64,
					to_us(MIN(end, at.to_ns)) - to_us(t), core_code(lane, &at));
		}
	}
	if (n <= most) {
		fputc(']', lane->out);
		return;
	}
	fprintf(lane->out, "[%u,-1,%" PRId64, cpu, to_us(end));
	for (uint32_t i = 0; i < most; i++, before = after) {
		double all = (double)end / most;

		model_core_shares_until(model, lane->run, cpu, (int64_t)(all * (i + 1)), &after);
		fprintf(lane->out, ",%ld,%ld",
			lround(1000 * (after.ns[CORE_OURS] - before.ns[CORE_OURS]) / all),
			lround(1000 * (after.ns[CORE_OTHERS] - before.ns[CORE_OTHERS]) / all));
	}
	fputc(']', lane->out);
}

/*
 * Writes points of memory. If there are too many points, each written point is the maximum of
 * several, so that peaks remain.
 */
static void put_memory(const struct model *model, const struct model_run *run, size_t most,
		       FILE *out)
{
	static const enum model_metric metrics[] = {METRIC_RSS, METRIC_PSS, METRIC_USS,
						    METRIC_KERNEL};
	size_t n = 0, step;
	const char *comma = "";

	while (n < run->n_points && run->points[n].time_ns <= model->now_ns)
		n++;
	step = (n + most - 1) / most;
	for (size_t i = 0; i < n; i += step) {
		size_t end = MIN(n, i + step);

		fprintf(out, "%s%" PRId64, comma,
			to_us(MAX(0, run->points[end - 1].time_ns - run->begin_ns)));
		for (size_t m = 0; m < 4; m++) {
			double peak = -1;

			for (size_t j = i; j < end; j++)
				peak = fmax(peak, metric_kib(&run->points[j].memory, metrics[m]));
			fprintf(out, ",%" PRId64, (int64_t)peak);
		}
		comma = ",";
	}
}

/* Largest number of tasks of a run that a page lists: the tasks that were created first. */
#define TASKS_MOST 10000

/*
 * Writes each task of a program: its thread ID, whether it is a thread, its CPU time and its time
 * in each state, its longest cause of blocking, and its exit status.
 */
static void put_tasks(const struct model *model, const struct model_run *run, const uint32_t *order,
		      uint32_t n, FILE *out)
{
	struct task task;

	fputs(",\"tasks\":[", out);
	for (uint32_t i = 0; i < MIN(n, TASKS_MOST); i++) {
		int waited = -1;

		if (i > 0)
			fputc(',', out);
		task_read(model, run, run->n_workers + order[i], &task);
		fprintf(out, "%d,%d,%" PRId64, task.tid, task.thread, to_us(task.cpu_ns));
		for (int state = STATE_ON; state < MODEL_STATES; state++) {
			double ns = task.in_ns[state];

			if (isnan(ns))
				ns = -1;
			fprintf(out, ",%" PRId64, to_us((int64_t)ns));
		}
		if (task.n_waits > 0)
			waited = task.waits[0].waited;
		fprintf(out, ",%d,%d", waited, task.exit_status);
	}
	fputc(']', out);
}

struct limits {
	/* The other runs, which are not typical, have few enough workers to show them all. */
	bool workers;
	/* Largest number of stretches in a lane: [0] of other runs, [1] of the typical runs. */
	uint32_t lanes[2];
	size_t points;
};

/* The times of workers or tasks, and the names of tasks. */
static void put_workers(const struct model *model, const struct lane *lane, uint32_t n)
{
	FILE *out = lane->out;
	const char *comma = "";

	fputs(",\"workers\":[", out);
	for (uint32_t i = 0; i < n; i++, comma = ",") {
		struct sample_worker w = row_life(model, lane->run, row_index(lane, i));

		fprintf(out, "%s%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d",
			comma, to_us(w.create_ns), to_us(sample_worker_begin(&w)), to_us(w.work_ns),
			to_us(w.finish_ns), to_us(w.join_ns), w.status);
	}
	fputc(']', out);
	if (!lane->order)
		return;
	fputs(",\"names\":[", out);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			fputc(',', out);
		json_write(out, json_printable(TASK_NAME(lane->run, row_index(lane, i))));
	}
	fputc(']', out);
}

/* Writes what each core ran and, unless there are too many workers, the states of each worker. */
static void put_lanes(const struct model *model, struct lane *lane, uint32_t n, uint32_t most)
{
	const size_t cores = model_cores_seen(lane->run);
	const char *comma = "";

	fputs(",\"cores\":[", lane->out);
	for (uint32_t cpu = 0; cpu < cores; cpu++)
		if (model_core_used(lane->run, cpu)) {
			fputs(comma, lane->out);
			put_core_lane(model, lane, cpu, most);
			comma = ",";
		}
	fputs("]", lane->out);
	if (n > LANES)
		return;
	fputs(",\"lanes\":[", lane->out);
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			fputc(',', lane->out);
		put_worker_lane(model, lane, row_index(lane, i), most);
	}
	fputs("]", lane->out);
}

/*
 * Writes a run as JSON. The typical run of a case gets its tasks, and more stretches than other
 * runs.
 */
static void put_run(const struct model *model, const struct model_run *run, bool typical,
		    const struct limits *limits, FILE *out)
{
	struct lane lane = {.out = out, .run = run};
	const bool known = !run->workers.gone;
	const uint32_t most = limits->lanes[typical], n = run_rows(model, run);
	static const char *const truth[] = {"false", "true"};
	int64_t end_ns = model->now_ns;
	const char *status = "going on";
	uint32_t *order = NULL;

	if (tasks_begun(model, run) > 0)
		order = order_tasks(run, n);
	if (order) {
		lane.order = order;
		lane.places = order + n;
	}
	if (model_ended(model, run)) {
		end_ns = run->end_ns;
		status = report_status(run);
	}
	fprintf(out,
		"{\"case\":%u,\"trial\":%u,\"begin\":%" PRId64 ",\"end\":%" PRId64
		",\"length\":%" PRId64 ",\"took\":%" PRId64
		",\"status\":\"%s\",\"counts\":%s,\"measured\":%s,"
		"\"memory\":[",
		run->id.case_id, run->id.trial, to_us(run->begin_ns), to_us(end_ns),
		to_us(model_length(model, run)), to_us(model_elapsed(model, run)), status,
		truth[report_counts(model, run)], truth[model_measured(model, run)]);
	put_memory(model, run, limits->points, out);
	fputs("],", out);
	put_member(out, "reason", json_printable(run->totals.reason));
	fprintf(out, "\"n\":%u", n);
	if (known && (typical || limits->workers)) {
		put_workers(model, &lane, n);
		if (order && typical)
			put_tasks(model, run, order, n, out);
	}
	if (known && model_has_slices(run) && most > 0)
		put_lanes(model, &lane, n, most);
	fputc('}', out);
	free(order);
}

static int put_page_runs(const struct model *model, bool *typical, bool named, FILE *out)
{
	const size_t n = model_runs_begun(model);
	struct limits limits = {.points = MIN(240, MAX(8, POINTS / (n + 1)))};
	uint64_t workers = 0, lanes[2] = {0};

	for (size_t i = 0; i < n; i++) {
		const struct model_run *run = &model->runs[i];
		const uint32_t rows = run_rows(model, run);

		workers += rows;
		if (!model_has_slices(run))
			continue;
		lanes[typical[i]] += model_cores_seen(run);
		if (rows <= LANES)
			lanes[typical[i]] += rows;
	}
	limits.workers = workers <= WORKERS_OTHER;
	if (lanes[0])
		limits.lanes[0] = (uint32_t)MIN(200, STRETCHES_OTHER / lanes[0]);
	if (lanes[1])
		limits.lanes[1] = (uint32_t)MIN(1500, STRETCHES_TYPICAL / lanes[1]);
	for (int i = 0; i < 2; i++) {
		if (limits.lanes[i] < 24)
			limits.lanes[i] = 0;
	}
	fputs("\"runs\":[", out);
	for (size_t i = 0; i < n; i++) {
		if (ferror(out))
			break;
		if (i > 0)
			fputs(",\n", out);
		put_run(model, &model->runs[i], typical[i] && named, &limits, out);
	}
	fputc(']', out);
	return report_finish(out);
}

/*
 * Writes the values that a page needs besides the JSON of its session, as compact JSON:
 *
 * - cases: name, model, hue, the run that is shown, the names of its workers, the parts of its time
 * - runs: all that have begun, with times, memory, workers, and lanes of workers and cores; a run
 *   of commands has tasks, with names, instead of workers
 * - waits: the names of enum sample_wait
 * - loads, tables, curves, latency, messages
 *
 * Times are in µs: of workers and lanes since the run's beginning, others since the
 * session's; -1: unknown. The size is limited: a lane with too many stretches is written as shares
 * of equal columns. Returns 0 or -ENOMEM.
 */
static int put_page(const struct model *model, FILE *out)
{
	const struct sample_session *session = &model->session;
	const enum model_metric metric = model_headline(model);
	bool *typical = calloc(model->n_runs + 1, sizeof(*typical));
	json_t *cases = json_array(), *waits = json_array();
	uint64_t workers = 0;
	char line[1024], overhead[1024], differences[1024], conditions[1024] = "",
							    date[REPORT_WALL];
	int err = 0;

	if (!typical)
		return -ENOMEM;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = export_typical_run(model, i);

		if (run) {
			workers += run_rows(model, run);
			typical[run - model->runs] = true;
		}
	}
	for (uint32_t i = 0; i < model->n_cases; i++)
		json_push(&cases, case_json(model, i, workers <= WORKERS_TYPICAL));
	for (int i = 0; i < WAITS; i++)
		json_push(&waits, json_string(SAMPLE_WAIT(i)));
	report_overhead(model, overhead, sizeof(overhead));
	report_differences(model, differences, sizeof(differences));
	if (model_times_each(model))
		latency_conditions(model, false, conditions, sizeof(conditions));
	const struct json_member members[] = {
		{"title", json_printable(session->title)},
		{"date", json_string(report_date(session->wall_s, false, date))},
		{"now", json_integer(to_us(model->now_ns))},
		{"machine", json_printable(report_machine(line, sizeof(line), &session->machine))},
		{"experiment", json_printable(session->experiment)},
		{"overhead", json_printable(overhead)},
		{"lost", json_boolean(model->lost > 0)},
		{"differences", json_printable(differences)},
		{"conditions", json_printable(conditions)},
		{"error_rate", json_string(REPORT_ERROR_RATE)},
		{"headline", json_pack("{s:s?,s:s,s:s,s:b}", "name", metric_table[metric].name,
				       "title", words_of(model, metric), "unit", unit_of(metric),
				       "lower", (int)metric_is(metric, METRIC_MORE_IS_WORSE))},
		{"cases", cases},
		{"loads", loads_json(model)},
		{"tables", tables_json(model)},
		{"curves", curves_json(model)},
		{"latency", latency_json(model)},
		{"messages", messages_json(model)},
		{"waits", waits},
	};

	fputs("{", out);
	for (size_t i = 0; i < LENGTH(members); i++)
		err |= put_member(out, members[i].name, members[i].value);
	if (err)
		err = -ENOMEM;
	else
		err = put_page_runs(model, typical, workers <= WORKERS_TYPICAL, out);
	fputs("}", out);
	free(typical);
	return err;
}

int page_session(const struct model *model, bool page, FILE *out)
{
	int err = 0;

	fputs("\"session\": ", out);
	if (model)
		err = write_json(model, out);
	else
		fputs("null", out);
	if (!page || err)
		return err;
	fputs(",\n\"page\": ", out);
	if (model && model->has_session)
		return put_page(model, out);
	fputs("null", out);
	return 0;
}
