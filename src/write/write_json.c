/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/names.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/sample_task.h"
#include "model/model.h"
#include "model/model_levels.h"
#include "model/model_parts.h"
#include "model/model_lanes.h"
#include "model/model_wakes.h"
#include "result/answer.h"
#include "result/finding.h"
#include "result/latency.h"
#include "result/differs.h"
#include "result/report.h"

void json_put(json_t **object, const char *name, json_t *value)
{
	if (json_object_set_new(*object, name, value) == 0)
		return;
	json_decref(*object);
	*object = NULL;
}

void json_push(json_t **list, json_t *value)
{
	if (json_array_append_new(*list, value) == 0)
		return;
	json_decref(*list);
	*list = NULL;
}

json_t *json_finite(double value)
{
	if (isfinite(value))
		return json_real(value);
	return json_null();
}

json_t *json_printable(const char *text)
{
	char *printable = utf8_printable(text);
	json_t *json = NULL;

	if (printable)
		json = json_string(printable);
	free(printable);
	return json;
}

int json_write(FILE *out, json_t *json)
{
	const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY;
	int err = 0;

	if (!json)
		err = -ENOMEM;
	else if (json_dumpf(json, out, flags))
		err = -EIO;

	json_decref(json);
	return err;
}

static json_t *json_unless(json_t *json, int err)
{
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

json_t *json_add(json_t *object, const struct json_member *members, size_t n)
{
	for (size_t i = 0; i < n; i++)
		json_put(&object, members[i].name, members[i].value);
	return object;
}

static void put_unless_empty(json_t **json, const char *name, json_t *list)
{
	if (list && json_array_size(list) == 0)
		json_decref(list);
	else
		json_put(json, name, list);
}

/*
 * A text as JSON. Texts come from the machine and from recordings. Bytes that are not UTF-8 become
 * '?'.
 */
static json_t *text_json(const char *s)
{
	json_t *json = json_string(s);
	char *copy;

	if (json)
		return json;
	copy = strdup(s);
	if (copy) {
		utf8_mask(copy);
		json = json_string(copy);
	}
	free(copy);
	return json;
}

static json_t *text_or_null(const char *s)
{
	if (*s)
		return text_json(s);
	return json_null();
}

static json_t *bool_or_null(bool known, bool value)
{
	if (!known)
		return json_null();
	return json_boolean(value);
}

/* The number, or null for 0. */
static json_t *size_or_null(int64_t value)
{
	if (value == 0)
		return json_null();
	return json_integer(value);
}

static json_t *count_or_null(int64_t value)
{
	if (value < 0)
		return json_null();
	return json_integer(value);
}

static json_t *figure_json(const struct model_run *run, enum model_metric metric)
{
	double value = metric_result(run, metric);
	uint8_t unit = metric_table[metric].unit;

	if (unit == METRIC_NS || unit == METRIC_US)
		return json_finite(value / 1e6);
	if (unit == METRIC_PERCENT)
		return json_finite(value);
	if (unit == METRIC_SHORT)
		return json_finite(round(value * 1e3) / 1e3);
	if (unit == METRIC_DECIMAL)
		return json_finite(round(value * 1e4) / 1e4);
	if (unit == METRIC_FIGURE)
		return json_finite(value);
	if (isnan(value))
		return json_null();
	return json_integer(llround(value));
}

/* A text such as "nice=0;LD_BIND_NOW=1" as an object of names and values. */
static json_t *pairs_json(const char *text)
{
	json_t *json;
	char item[SAMPLE_TEXT], *equals;

	if (!*text)
		return json_null();
	json = json_object();
	while (names_next_item(&text, item, sizeof(item))) {
		equals = strchr(item, '=');
		if (!equals)
			continue;
		*equals = '\0';
		json_object_set_new(json, item, text_or_null(equals + 1));
	}
	return json;
}

static json_t *machine_json(const struct machine *m)
{
	double quota = m->cpu_quota;

	if (quota < 0)
		quota = NAN;
	return JSON_OBJECT(
		{"host", text_or_null(m->host)}, {"kernel", text_or_null(m->kernel)},
		{"arch", text_or_null(m->arch)}, {"libc", text_or_null(m->libc)},
		{"cpu", text_or_null(m->cpu)}, {"cores", count_or_null(m->cores_online)},
		{"cores_allowed", count_or_null(m->cores_allowed)},
		{"cpus_allowed", text_or_null(m->cpus_allowed)},
		{"performance_cores", count_or_null(m->performance_cores)},
		{"efficiency_cores", count_or_null(m->efficiency_cores)},
		{"cpu_quota", json_finite(quota)}, {"mhz", count_or_null(m->mhz)},
		{"mhz_source", text_or_null(m->frequency_source)},
		{"governor", text_or_null(m->governor)}, {"memory_kb", count_or_null(m->memory_kb)},
		{"memory_limit_kb", count_or_null(m->memory_limit_kb)},
		{"hugepages", text_or_null(m->hugepages)},
		{"virtual", text_or_null(m->virtualization)},
		{"distribution", text_or_null(m->distribution)},
		{"filesystem", text_or_null(m->filesystem)}, {"caches", text_or_null(m->caches)},
		{"smt", bool_or_null(*m->smt, strcmp(m->smt, "on") == 0)},
		{"mitigations", text_or_null(m->mitigations)}, {"id", text_or_null(m->id)},
		{"label", text_or_null(m->label)});
}

/*
 * The variables as an object. If `others` is not NULL, only variables that `others` has as well
 * (common), or lacks.
 */
static json_t *variables_json(const struct variables *variables, const struct variables *others,
			      bool common)
{
	json_t *json = json_object();

	for (uint32_t i = 0; i < variables->n; i++) {
		const struct variable *variable = &variables->list[i];
		char *end;
		long long number;

		if (others && variables_has(others, variable) != common)
			continue;
		errno = 0;
		number = strtoll(variable->value, &end, 10);
		/*
		 * Write a number as a JSON number, except for trees: a tree of one level must be a
		 * text like other trees.
		 */
		if (*variable->value && !*end && !errno && strcmp(variable->name, "tree") != 0)
			json_put(&json, variable->name, json_integer(number));
		else
			json_put(&json, variable->name, text_json(variable->value));
	}
	return json;
}

static json_t *name_or_null(const char *name)
{
	if (name)
		return json_string(name);
	return json_null();
}

static json_t *memory_json(const struct model_run *run)
{
	const struct sample_memory *memory = &run->totals.memory;
	/* If neither PSS nor USS is known, "estimated" is null. */
	bool known = memory->pss_kb >= 0 || memory->uss_kb >= 0;
	/*
	 * If the kernel's memory is unknown, or only page tables and stacks are known,
	 * "kernel_estimated" is null.
	 */
	bool whole_known = memory->kernel_kb >= 0 && memory->kernel_other_kb >= 0;
	json_t *json = json_object();

	for (enum model_metric i = 0; i < METRICS; i++) {
		if (!metric_is(i, METRIC_OF_RUNS) || !metric_is(i, METRIC_OF_MEMORY))
			continue;
		json_put(&json, metric_table[i].name, figure_json(run, i));
		if (i == METRIC_OTHER)
			json_put(&json, "kernel_estimated",
				 bool_or_null(whole_known, memory->kernel_estimated));
	}
	return JSON_ADD(json, {"cgroup_peak_kb", count_or_null(run->totals.cgroup_kb)},
			{"rss_seen", name_or_null(sample_seen_name(memory->rss_seen))},
			{"pss_seen", name_or_null(sample_seen_name(memory->pss_seen))},
			{"kernel_seen", name_or_null(sample_seen_name(memory->kernel_seen))},
			{"estimated", bool_or_null(known, memory->estimated)});
}

/* The reason why a value is unknown; null if it is known, or the reason is unknown. */
static json_t *reason_json(int reason)
{
	if (reason_name(reason))
		return json_string(reason_sentence((enum reason)reason));
	return json_null();
}

/*
 * At most this many tasks of a run are listed (the first ones), and at most this many waits of a
 * task.
 */
#define TASKS_LISTED 1000
#define WAITS_LISTED 16

/* What a task was blocked on; null if the recording leaves out the slices. */
static json_t *blocked_json(const struct model *model, const struct model_run *run, uint32_t task)
{
	struct model_wait waits[WAITS_LISTED];
	json_t *list;
	size_t n;

	if (run->slices_left_out > 0 && !model_has_slices(run))
		return json_null();
	n = model_waits_add(model, run, run->n_workers + task, waits, 0, WAITS_LISTED);
	list = json_array();
	for (size_t i = 0; i < n; i++)
		json_push(&list, JSON_OBJECT({"on", text_or_null(SAMPLE_WAIT(waits[i].waited))},
					     {"ns", count_or_null((int64_t)waits[i].ns)}));
	return list;
}

/* The tasks of a run's commands, and how they were observed. "seen_by" is null if they were not. */
static json_t *command_tasks_json(const struct model *model, const struct model_run *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < MIN(run->n_tasks, TASKS_LISTED); i++) {
		const struct sample_task *task = model_task_known(run, i);
		const char *kind = "thread";
		int64_t parent = task->parent;

		if (parent >= 0)
			parent -= run->n_workers;
		if (task->tid == task->pid)
			kind = "process";
		json_push(&list, JSON_OBJECT({"kind", json_string(kind)},
					     {"name", text_or_null(task->name)},
					     {"pid", count_or_null(task->pid)},
					     {"tid", count_or_null(task->tid)},
					     {"parent", count_or_null(parent)},
					     {"created_ns", count_or_null(task->begin_ns)},
					     {"ended_ns", count_or_null(task->end_ns)},
					     {"cpu_ns", count_or_null(task->cpu_ns)},
					     {"exit_status", count_or_null(task->exit_status)},
					     {"blocked", blocked_json(model, run, (uint32_t)i)}));
	}
	return JSON_OBJECT({"seen_by", text_or_null(model->session.tasks_by)},
			   {"lost", count_or_null(run->totals.tasks_lost)}, {"first", list});
}

double json_scaled(enum model_metric metric, double value)
{
	uint8_t unit = metric_table[metric].unit;
	bool ms = (unit == METRIC_NS || unit == METRIC_US) &&
		  !metric_is(metric, METRIC_OF_CREATIONS) &&
		  !metric_is(metric, METRIC_OF_OPERATIONS);

	if (ms)
		return value / 1e6;
	return value;
}

/*
 * Adds the critical path and, if there are several kinds of work, the time of each, in ms. Adds
 * only known values, and does not round them, because comparisons use them.
 */
static void put_metrics(json_t **json, const struct model *model, const struct model_run *run)
{
	json_t *path = json_object(), *kinds = json_object(), *compared = json_object();

	for (enum model_metric i = 0; i < METRICS; i++) {
		const struct metric *metric = &metric_table[i];
		double value = metric_value(run, i);

		/* If working, waiting and blocked cannot be separated, one member has their sum. */
		if ((i >= METRIC_CREATING && i <= METRIC_JOINING) ||
		    (i == METRIC_RUNNING && isnan(metric_result(run, METRIC_WORKING))))
			json_put(&path, metric->name, figure_json(run, i));
		if (metric_is(i, METRIC_OF_KINDS) && metric_applies(model, i))
			json_put(&kinds, metric->title, figure_json(run, i));
		if (metric_is(i, METRIC_OF_PAIRS) && isfinite(value) && !metric_is_partial(run, i))
			json_put(&compared, metric->name, json_real(json_scaled(i, value)));
	}
	json_put(json, "path", path);
	json_put(json, "elapsed_by_work", kinds);
	json_put(json, "compared", compared);
}

static json_t *level_json(const struct model_level *level)
{
	json_t *json = json_object();

	json_put(&json, "workers", json_integer(level->tasks));
	for (int i = 0; i < MODEL_PHASES; i++)
		json_put(&json, model_phase_names[i],
			 JSON_OBJECT({"n", json_integer(level->phase[i].n)},
				     {"p50_ns", json_finite(level->phase[i].median)},
				     {"p99_ns", json_finite(level->phase[i].p99)}));
	json_put(&json, "sibling_pairs", json_finite(level->pairs));
	json_put(&json, "inversions", json_finite(level->inversions));
	return json;
}

/* A cell of the answer. The median is in the unit that the metric's name ends with. */
static json_t *cell_json(const struct answer_cell *cell, enum model_metric metric)
{
	const char *name = sentence_text(metric_table[metric].name, "memory_kb");
	double median = cell->median, at_most = NAN;
	const char *why = NULL;

	if (strcmp(name + strlen(name) - 3, "_ms") == 0)
		median /= 1e6;
	if (cell->state == ANSWER_WITHHELD)
		why = reason_sentence(cell->why);
	else if (cell->state == ANSWER_CLOSE)
		at_most = finding_excluded(&cell->ratio);
	return JSON_OBJECT({"metric", json_string(name)}, {"median", json_finite(median)},
			   {"estimated", json_boolean(cell->estimated)},
			   {"seen", name_or_null(metric_seen_name(cell->seen, cell->estimated))},
			   {"state", json_string(answer_state_name(cell->state))},
			   {"why", name_or_null(why)}, JSON_RATIO(cell->ratio),
			   {"at_most", json_finite(at_most)}, {"pairs", json_integer(cell->pairs)});
}

static json_t *answer_json(const struct model *model, const struct answer *answer)
{
	json_t *rows = json_array();

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		const struct sample_case *config = &model->cases[row->case_id];
		json_t *cells = json_array(), *reference = json_null();

		if (row->reference != row->case_id)
			reference = text_json(MODEL_CASE_NAME(model, row->reference));
		for (uint32_t k = 0; k < answer->n_metrics; k++)
			json_push(&cells, cell_json(&row->cells[k], answer->metrics[k]));
		json_push(&rows,
			  JSON_OBJECT({"case", text_json(MODEL_CASE_NAME(model, row->case_id))},
				      {"model", text_json(config->model)},
				      {"variables", variables_json(&config->variables, NULL, true)},
				      {"reference", reference}, {"metrics", cells}));
	}

	return JSON_OBJECT({"decided", json_boolean(answer_is_decided(answer))},
			   {"margin", json_real(MODEL_MARGIN)}, {"rows", rows});
}

static json_t *add_spread(json_t *json, const struct model_latency_figures *f)
{
	static const struct model_latency_figures unknown = {
		.min = -1, .p50 = -1, .p90 = -1, .p99 = -1, .max = -1};

	if (!f)
		f = &unknown;
	return JSON_ADD(json, {"min", count_or_null(f->min)}, {"p50", count_or_null(f->p50)},
			{"p90", count_or_null(f->p90)}, {"p99", count_or_null(f->p99)},
			{"max", count_or_null(f->max)});
}

/* The times of a run's creations by place, ns; null if it did not create tasks one by one. */
static json_t *latencies_json(const struct model_latency *latency)
{
	json_t *json;

	if (!latency)
		return json_null();
	json = json_object();
	for (int i = 0; i < MODEL_PLACES; i++) {
		json_t *place;

		if (!model_latency_has(latency->placement, (enum model_latency_place)i))
			continue;
		place = json_object();
		json_put(&place, "share", json_finite(latency->at[i].share));
		for (int span = 0; span < MODEL_LATENCIES; span++) {
			const struct model_latency_figures *f = &latency->at[i].span[span];
			json_t *times = json_object();

			json_put(&times, "n", count_or_null(f->n));
			times = add_spread(times, f);
			json_put(&times, "first", count_or_null(f->first));
			json_put(&place, model_latency_names[span], times);
		}
		json_put(&json, model_latency_places[i], place);
	}
	return json;
}

/* The delays from runnable to running, ns, by kind and by waker. */
static json_t *wakes_json(const struct model_wakes *wakes)
{
	json_t *json = json_array();

	if (!wakes)
		return json;
	for (int i = 0; i < MODEL_WAKES * WOKENS; i++) {
		enum model_wake wake = (enum model_wake)(i / WOKENS);
		enum sample_woken who = (enum sample_woken)(i % WOKENS);
		struct model_wake_figures f = model_wakes_figures(wakes, wake, who);

		if (f.n > 0)
			json_push(&json,
				  JSON_OBJECT({"after", json_string(sample_wake_names[wake])},
					      {"by", text_or_null(names_at(sample_woken_names,
									   WOKENS, who))},
					      {"n", json_integer((json_int_t)f.n)},
					      {"p50", count_or_null(f.p50)},
					      {"p90", count_or_null(f.p90)},
					      {"p99", count_or_null(f.p99)},
					      {"max", count_or_null(f.max)}));
	}
	return json;
}

/*
 * Name of the case whose run came before this one in the session, even if it was a warm-up; null
 * for the first run.
 */
static json_t *order_json(const struct model *model, const struct model_run *run)
{
	const struct model_origin *origin = model_origin(model, run->id.case_id);

	for (const struct model_run *before = run; before > model->runs;) {
		before--;
		if (model_origin(model, before->id.case_id) == origin)
			return text_json(MODEL_CASE_NAME(model, before->id.case_id));
	}
	return json_null();
}

/* How values were measured that are not exact. */
static json_t *seen_json(const struct model_run *run)
{
	json_t *seen = json_object();

	for (enum model_metric i = 0; i < METRICS; i++) {
		const char *how = metric_run_seen_name(run, i);

		if (how && metric_is(i, METRIC_OF_RUNS))
			json_put(&seen, metric_table[i].name, json_string(how));
	}
	if (!model_has_command_tasks(run))
		return seen;
	json_put(&seen, "program_children", json_string(sample_seen_name(SEEN_SAMPLED)));
	json_put(&seen, "program_threads", json_string(sample_seen_name(SEEN_SAMPLED)));
	if (run->processes >= 0)
		json_put(&seen, "program_processes", json_string(sample_seen_name(SEEN_SAMPLED)));
	return seen;
}

static void put_fault(json_t **json, const struct sample_totals *totals)
{
	json_t *left = json_array();
	const char *name;

	for (unsigned i = 0; (name = fault_left_name(i)); i++)
		if (totals->left & 1u << i)
			json_push(&left, json_string(name));
	json_put(json, "fault", json_string(names_at(fault_names, FAULT_KINDS, totals->fault)));
	json_put(json, "left_behind", left);
}

static json_t *operations_json(const struct model *model, const struct model_run *run)
{
	const struct model_latency_figures *f = model_operations_run(model, run);
	json_t *json = json_object();
	int64_t n = -1;
	double mean = NAN;

	if (f) {
		n = run->totals.operations;
		mean = metric_value(run, METRIC_OPERATION_MEAN);
	}
	json_put(&json, "n", count_or_null(n));
	json_put(&json, "mean", json_finite(mean));
	return add_spread(json, f);
}

/* The metrics of a run. In the documented order, memory and status are between them. */
static void put_run_metrics(json_t **json, const struct model *model, const struct model_run *run)
{
	bool has_memory = false;

	for (enum model_metric i = 0; i < METRICS; i++) {
		if (!metric_is(i, METRIC_OF_RUNS) || metric_is(i, METRIC_OF_PATH))
			continue;
		if (metric_is(i, METRIC_OF_FOR | METRIC_OF_PRINTED) && !metric_applies(model, i))
			continue;
		if (!metric_is(i, METRIC_OF_MEMORY)) {
			json_put(json, metric_table[i].name, figure_json(run, i));
		} else if (!has_memory) {
			json_put(json, "memory", memory_json(run));
			json_put(json, "status", json_string(report_status(run)));
			has_memory = true;
		}
		if (i == METRIC_SYSTEM)
			json_put(json, "split", name_or_null(model_split_names[run->split.source]));
	}
}

static json_t *run_json(const struct model *model, const struct model_run *run)
{
	const struct sample_case *config = &model->cases[run->id.case_id];
	const struct model_levels *levels = model_levels(model, run);
	json_t *list = json_array(), *all = json_null();
	char wall[REPORT_WALL];
	json_t *json = JSON_OBJECT({"trial", json_integer(run->id.trial)},
				   {"began", text_or_null(report_wall(run->totals.wall_ns, wall))},
				   {"model", text_json(config->model)},
				   {"variables", variables_json(&config->variables, NULL, true)});

	put_run_metrics(&json, model, run);
	json_put(&json, "seen", seen_json(run));
	json_put(&json, "memory_reason", reason_json(run->totals.memory_reason));
	json_put(&json, "usage_reason", reason_json(run->totals.usage_reason));
	json_put(&json, "program_children", count_or_null(run->children));
	json_put(&json, "program_threads", count_or_null(run->threads));
	json_put(&json, "program_processes", count_or_null(run->processes));
	json_put(&json, "left_running", count_or_null(run->totals.left_running));
	if (*model->session.metric) {
		json_put(&json, "printed_unit", text_or_null(run->totals.printed_unit));
		json_put(&json, "printed_reason", reason_json(run->totals.printed_reason));
	}

	if (*config->command)
		json_put(&json, "command", text_json(config->command));
	if (run->totals.tasks_created >= 0)
		json_put(&json, "command_tasks", command_tasks_json(model, run));
	put_metrics(&json, model, run);
	json_put(&json, "order", order_json(model, run));
	json_put(&json, "slices_lost", count_or_null(run->totals.slices_lost));
	if (run->slices_left_out > 0)
		json_put(&json, "slices_left_out", json_integer(run->slices_left_out));
	if (run->slices_merged > 0)
		json_put(&json, "slices_merged", json_integer((json_int_t)run->slices_merged));
	json_put(&json, "wakes", wakes_json(model_wakes_run(model, run)));
	if (levels) {
		for (uint32_t i = 0; i < levels->levels; i++)
			json_push(&list, level_json(&levels->level[i]));
		all = level_json(&levels->all);
	}
	json_put(&json, "levels", list);
	json_put(&json, "all", all);
	if (run->totals.fault)
		put_fault(&json, &run->totals);
	if (model_has_latency(model)) {
		int16_t mhz[2] = {0, 0};

		latency_clocks(model, run, mhz);
		json_put(&json, "latency", latencies_json(model_latency_run(model, run)));
		json_put(&json, "mhz_low", size_or_null(mhz[0]));
		json_put(&json, "mhz_high", size_or_null(mhz[1]));
	}
	if (model_has_operations(model))
		json_put(&json, "operations", operations_json(model, run));
	return json;
}

/*
 * Formats a value with 15 digits. That is enough for nanoseconds in ms in runs of up to ten days,
 * and 0.1 stays 0.1.
 */
static char *dump(json_t *json)
{
	char *string = NULL;

	if (json)
		string = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	json_decref(json);
	return string;
}

/*
 * A list of the session that may be long. Its items are written one by one. As one tree, they would
 * need fifty times the memory of their recording.
 */
struct items {
	FILE *out;
	bool any; /* An item has been written. */
};

static int put_item(struct items *items, json_t *json)
{
	char *string = dump(json);

	if (!string)
		return -ENOMEM;
	if (items->any)
		fputc(',', items->out);
	items->any = true;
	/* Newlines within texts are escaped, so every newline here belongs to the layout. */
	for (const char *line = string; *line;) {
		size_t n = strcspn(line, "\n");

		fprintf(items->out, "\n    %.*s", (int)n, line);
		line += n + (line[n] == '\n');
	}
	free(string);
	return 0;
}

static json_t *analysis_json(json_t *trial, uint32_t pairs, double alpha)
{
	return JSON_OBJECT({"trial", trial}, {"pairs", json_integer(pairs)},
			   {"alpha", json_finite(alpha)}, {"level", json_finite(1 - alpha)});
}

/*
 * Adds the trials of the pairs, and each analysis at its trial; null for an analysis that is not
 * due yet.
 */
static void put_analyses(json_t **json, const struct model *model, const struct model_comparison *c)
{
	const uint32_t after[] = {c->interim.early, c->interim.middle, c->planned};
	json_t *trials = json_array(), *analyses = json_array();
	size_t n, n_after = 0;
	uint32_t *list;
	int err = model_pair_trials(model, c, &list, &n);

	if (!err && !c->ended && !c->no_ratio)
		n_after = LENGTH(after);
	for (size_t i = 0; i < n; i++) {
		double alpha = interim_level(&c->interim, c->end, (uint32_t)i + 1);

		json_push(&trials, json_integer(list[i]));
		/*
		 * Leave out an analysis that can find nothing significant at its level, because it
		 * has too few pairs.
		 */
		if (!c->no_ratio && stats_signed_rank_at(i + 1, alpha) > 0)
			json_push(&analyses,
				  analysis_json(json_integer(list[i]), (uint32_t)i + 1, alpha));
	}
	for (size_t i = 0; i < n_after; i++) {
		double alpha = interim_level(&c->interim, c->planned, after[i]);

		if (after[i] > n && stats_signed_rank_at(after[i], alpha) > 0)
			json_push(&analyses, analysis_json(json_null(), after[i], alpha));
	}
	free(list);
	json_put(json, "trials", json_unless(trials, err));
	json_put(json, "analyses", analyses);
}

/*
 * Describes two cases, and the metric and work if given: what the cases share, and in what they
 * differ.
 */
static json_t *compared_cases_json(const struct sample_case *a, const struct sample_case *b,
				   const char *metric, const char *work)
{
	json_t *json = JSON_OBJECT({"a", text_json(a->model)}, {"b", text_json(b->model)});

	if (metric)
		json = JSON_ADD(json, {"metric", json_string(metric)},
				{"work", name_or_null(work)});
	return JSON_ADD(json, {"variables", variables_json(&a->variables, &b->variables, true)},
			{"a_variables", variables_json(&a->variables, &b->variables, false)},
			{"b_variables", variables_json(&b->variables, &a->variables, false)});
}

static int put_comparisons_of(struct items *items, const struct model *model, uint32_t a,
			      uint32_t b)
{
	struct model_comparison c;
	json_t *json;
	int err = 0;

	for (enum model_metric i = 0; i < METRICS; i++) {
		const char *name = metric_table[i].name, *title = NULL;

		if (err)
			break;
		if (!metric_is(i, METRIC_OF_PAIRS) || !metric_applies(model, i))
			continue;
		err = model_compare(model, a, b, i, &c);
		if (err)
			break;
		if (metric_is(i, METRIC_OF_KINDS)) {
			name = metric_table[METRIC_ELAPSED].name;
			title = metric_table[i].title;
		}
		json = compared_cases_json(&model->cases[a], &model->cases[b], name, title);
		json = JSON_ADD(
			json, {"pairs", json_integer(c.pairs)},
			{"planned", size_or_null(c.planned)}, {"family", size_or_null(c.family)},
			{"ratio", json_finite(c.ratio.estimate)},
			{"ratio_of", json_string("b / a")}, {"low", json_finite(c.ratio.low)},
			{"high", json_finite(c.ratio.high)},
			{"sampled_low", json_finite(c.sampled.low)},
			{"sampled_high", json_finite(c.sampled.high)},
			{"level", json_finite(c.level)},
			{"verdict", name_or_null(report_verdict(&c))},
			{"untested", name_or_null(report_untested(model, &c))});
		put_analyses(&json, model, &c);
		err = put_item(items, json);
	}
	return err;
}

static int put_comparisons(struct items *items, const struct model *model)
{
	int err = 0;

	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);)
		if (!err)
			err = put_comparisons_of(items, model, a, b);
	return err;
}

/*
 * A difference b - a in ms. Elapsed times are judged by their ratio, so their interval is in
 * `comparisons`.
 */
static json_t *difference_json(const struct model *model, const struct model_comparison *c,
			       double ns, const char *part)
{
	const bool by_ratio = c->metric == METRIC_ELAPSED;
	const double low_ns = by_ratio ? NAN : c->ratio.low;
	const double high_ns = by_ratio ? NAN : c->ratio.high;
	bool decided = c->verdict == STATS_A || c->verdict == STATS_B || c->verdict == STATS_NONE;
	json_t *json = JSON_OBJECT(
		{"part", text_json(part)}, {"pairs", json_integer(c->pairs)},
		{"difference_ms", json_finite(ns / 1e6)}, {"low_ms", json_finite(low_ns / 1e6)},
		{"high_ms", json_finite(high_ns / 1e6)}, {"level", json_finite(c->level)},
		{"real", bool_or_null(decided, c->verdict != STATS_NONE)});

	put_analyses(&json, model, c);
	return json;
}

static int put_why(struct items *items, const struct model *model, uint32_t a, uint32_t b)
{
	struct why_cause cause = {"", ""};
	struct model_parts_difference d;
	int err = model_parts_compare(model, a, b, &d);
	char sentence[WHY_TEXT];
	json_t *parts, *json;

	if (err)
		return err;
	if (!why_cause(model, &d, &cause))
		cause = (struct why_cause) {"", ""};
	parts = json_array();
	for (uint32_t i = 0; i < d.n; i++)
		json_push(&parts, difference_json(model, &d.part[i], d.part_ns[i],
						  metric_table[d.part[i].metric].title));
	json = compared_cases_json(&model->cases[d.whole.a], &model->cases[d.whole.b], NULL, NULL);
	json = JSON_ADD(
		json, {"elapsed", difference_json(model, &d.elapsed, d.whole_ns, "elapsed")},
		{"parts", parts},
		{"sentence", text_json(why_sentence(model, &d, sentence, sizeof(sentence)))},
		{"cause", text_or_null(cause.text)}, {"experiment", text_or_null(cause.options)});
	return put_item(items, json);
}

static int put_whys(struct items *items, const struct model *model)
{
	int err = 0;

	/*
	 * If tasks are created one by one, cases may have different numbers of tasks, so do not
	 * compare elapsed times.
	 */
	if (model_has_latency(model))
		return 0;
	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);)
		if (!err)
			err = put_why(items, model, a, b);
	return err;
}

static json_t *differs_part_json(const struct model *model, const struct differs_part *part)
{
	const struct model_comparison *c = &part->difference;
	json_t *json = difference_json(model, c, c->ratio.estimate, metric_table[c->metric].title);

	return JSON_ADD(json, {"share", json_finite(part->share)},
			{"named", json_boolean(part->named)}, {"why", reason_json(part->reason)});
}

/* Adds the parts of the path through the tasks of two programs. */
static int add_differs(json_t **list, const struct model *model, uint32_t a, uint32_t b)
{
	struct differs differs;
	char sentence[WHY_TEXT];
	json_t *parts = json_array(), *json;

	if (!differs_read(model, a, b, &differs)) {
		json_decref(parts);
		return 0;
	}
	for (uint32_t i = 0; i < differs.n; i++)
		json_push(&parts, differs_part_json(model, &differs.parts[i]));
	if (differs.blocked.named)
		json_push(&parts, differs_part_json(model, &differs.blocked));
	json = compared_cases_json(&model->cases[a], &model->cases[b], NULL, NULL);
	json_push(list,
		  JSON_ADD(json,
			   {"elapsed", difference_json(model, &differs.elapsed,
						       differs.whole.ratio.estimate, "elapsed")},
			   {"parts", parts},
			   {"sentence",
			    text_json(differs_sentence(&differs, sentence, sizeof(sentence)))},
			   {"why", reason_json(differs.reason)}));
	return 0;
}

/* A recording of a joined session. The names of its models end in " @" and the recording's name. */
static json_t *recording_json(const struct model_origin *origin)
{
	return JSON_OBJECT({"name", text_json(origin->name)},
			   {"tuibench", text_json(origin->session.version)},
			   {"experiment", text_json(origin->session.experiment)},
			   {"options", text_json(origin->session.options)},
			   {"seed", count_or_null(origin->session.seed)},
			   {"wall_s", json_integer(origin->session.wall_s)},
			   {"machine", machine_json(&origin->session.machine)},
			   {"counters", text_or_null(origin->session.counters)},
			   {"environment", pairs_json(origin->session.environment)},
			   {"compiler", text_or_null(origin->session.compiler)},
			   {"commit", text_or_null(origin->session.commit)},
			   {"settings", pairs_json(origin->session.settings)});
}

static int add_crossovers(json_t **crossovers, const struct model *model, uint32_t a, uint32_t b)
{
	const struct sample_case *config = &model->cases[a], *two = &model->cases[b];
	const struct variable *swept = model_swept(config);
	const char *variable = "";
	int err = 0;

	if (swept)
		variable = swept->name;
	for (enum model_metric i = 0; i < METRICS; i++) {
		struct finding_crosses found;
		json_t *list;

		if (err)
			break;
		if (!metric_is(i, METRIC_OF_PAIRS) || !metric_applies(model, i))
			continue;
		err = finding_crosses(model, a, b, i, &found);
		list = json_array();
		for (size_t k = 0; k < found.n; k++)
			json_push(&list,
				  json_pack("{s:f,s:f,s:f}", "at", found.cross[k].at, "low",
					    found.cross[k].low, "high", found.cross[k].high));
		json_push(crossovers,
			  JSON_OBJECT({"a", text_json(config->model)}, {"b", text_json(two->model)},
				      {"metric", json_string(metric_table[i].name)},
				      {"work", text_or_null(model_work(config))},
				      {"variable", text_json(variable)}, {"found", list}));
	}
	return err;
}

static int add_pool(json_t **list, const struct model *model, uint32_t a, uint32_t b)
{
	static const char *const answers[] = {
		[FINDING_POOL_OPEN] = "not_decided",
		[FINDING_POOL_FOUND] = "found",
		[FINDING_POOL_ALWAYS] = "above",
		[FINDING_POOL_NEVER] = "below",
	};
	struct finding_pool found;
	int err = finding_pool(model, a, b, &found);

	json_push(list, JSON_OBJECT({"pool", text_json(model->cases[a].model)},
				    {"each", text_json(model->cases[b].model)},
				    {"metric", json_string(metric_table[found.metric].name)},
				    {"less_than_percent",
				     json_finite(round(100 * (FINDING_POOL_LEAST - 1)))},
				    {"answer", json_string(answers[found.answer])},
				    {"at_us", json_finite(found.at / 1e3)},
				    {"low_us", json_finite(found.low / 1e3)},
				    {"high_us", json_finite(found.high / 1e3)},
				    {"least_us", json_finite(found.least / 1e3)},
				    {"most_us", json_finite(found.most / 1e3)}));
	return err;
}

/* What the warm-ups showed about the cost of recording switches. */
static json_t *watched_json(const struct model *model)
{
	const struct sample_watched *watched = &model->session.watched;
	const bool pairs = watched->slowdown > 0;

	if (watched->rate <= 0)
		return json_null();
	return JSON_OBJECT(
		{"case", json_integer(watched->case_id)},
		{"switches_per_s", json_integer(watched->rate)},
		{"record_ns", count_or_null(watched->record_ns)},
		{"share", json_finite(watched->share)},
		{"slowdown", json_finite(model_slowdown(model, watched->case_id, watched))},
		{"slowdown_low", json_finite(pairs ? watched->slowdown_low : NAN)},
		{"slowdown_high", json_finite(pairs ? watched->slowdown_high : NAN)},
		{"avoided", json_boolean(*watched->sched != '\0')});
}

static json_t *sched_json(const struct model *model)
{
	const struct sample_session *session = &model->session;
	const char *no_wakes = session->wakes, *no_records = session->sched_perf;
	bool seen = strcmp(no_wakes, SAMPLE_WAKES) == 0;

	if (seen)
		no_wakes = "";
	if (strcmp(no_records, SAMPLE_PERF) == 0)
		no_records = "";
	return JSON_OBJECT({"source", text_or_null(session->sched)},
			   {"resolution_ns", count_or_null(session->sched_ns)},
			   {"wakes", bool_or_null(*session->wakes, seen)},
			   {"no_wakes", text_or_null(no_wakes)},
			   {"no_records", text_or_null(no_records)},
			   {"watched", watched_json(model)});
}

static void put_speedup(json_t **json, const struct model *model)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < model->n_cases; i++) {
		struct model_speedup speedup = {.n = 0};
		const struct stats_interval *serial = &speedup.amdahl.serial;
		char name[SAMPLE_NAME], why[128];
		json_t *points, *law;
		int err;

		if (!model_speedup_begins(model, i))
			continue;
		points = json_array();
		err = model_speedup(model, i, &speedup);
		for (uint32_t p = 0; p < speedup.n; p++) {
			const struct model_speedup_point *at = &speedup.point[p];

			json_push(&points,
				  JSON_OBJECT({"cores", json_finite(at->cores)},
					      {"median_ms", json_finite(at->median / 1e6)},
					      {"speedup", json_finite(at->speedup.estimate)},
					      {"low", json_finite(at->speedup.low)},
					      {"high", json_finite(at->speedup.high)},
					      {"efficiency", json_finite(at->efficiency)},
					      {"ideal",
					       json_finite(at->cores / speedup.point[0].cores)},
					      {"pairs", json_integer(at->pairs)}));
		}
		if (speedup.amdahl.state != AMDAHL_KNOWN)
			law = json_pack("{s:n,s:s}", "serial_fraction", "why",
					amdahl_why(&speedup.amdahl, why, sizeof(why)));
		else
			law = json_pack("{s:{s:o,s:o,s:o},s:o}", "serial_fraction", "share",
					json_finite(serial->estimate), "low",
					json_finite(serial->low), "high", json_finite(serial->high),
					"misfit", json_finite(speedup.amdahl.misfit));
		json_push(&list, json_pack("{s:s,s:i,s:o,s:o}", "model",
					   report_curve_name(model, i, name, sizeof(name)),
					   "workers", (int)speedup.workers, "points",
					   json_unless(points, err), "amdahl", law));
	}
	put_unless_empty(json, "speedup", list);
}

/* Adds the machine's topology as text. Adds each case's placement and CPUs, if any. */
static void put_places(json_t **json, const struct model *model)
{
	json_t *list = json_array();
	char cpus[256];

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];

		if (CPU_COUNT(&config->cpus) > 0)
			json_push(
				&list,
				json_pack("{s:s,s:s,s:s}", "case", MODEL_CASE_NAME(model, i),
					  "place", config->place, "cpus",
					  units_format_cpulist(cpus, sizeof(cpus), &config->cpus)));
	}
	if (*model->session.topology)
		json_put(json, "topology", json_string(model->session.topology));
	put_unless_empty(json, "places", list);
}

/* The session, without the items of long_lists[]. */
static json_t *session_json(const struct model *model)
{
	const struct sample_session *session = &model->session;
	json_t *recordings = json_array(), *warnings = json_array();
	json_t *crossovers = json_array(), *pools = json_array(), *differences = json_array();
	struct model_warning list[MODEL_WARNINGS_MOST];
	int n = model_warnings(model, list);
	char sentence[HEADLINE_TEXT] = "", badge[HEADLINE_BADGE] = "", differ[1024];
	json_t *repeated = json_array(); /* The trials that were discarded and repeated. */
	struct model_busy busy;
	struct answer answer;
	int err = answer_read(&answer, model);
	json_t *json = JSON_OBJECT(
		{"tuibench", text_json(session->version)}, {"schema", json_integer(1)},
		{"experiment", text_json(session->experiment)},
		{"options", text_json(session->options)}, {"seed", count_or_null(session->seed)},
		{"machine", machine_json(&session->machine)},
		{"environment", pairs_json(session->environment)},
		{"terminal", text_or_null(session->terminal)}, {"sched", sched_json(model)},
		{"counters", text_or_null(session->counters)},
		{"compiler", text_or_null(session->compiler)},
		{"commit", text_or_null(session->commit)},
		{"settings", pairs_json(session->settings)});

	if (*session->metric)
		json_put(&json, "metric", text_json(session->metric));
	for (uint32_t i = 0; i < model->n_origins; i++)
		json_push(&recordings, recording_json(&model->origins[i]));
	put_unless_empty(&json, "recordings", recordings);
	if (report_differences(model, differ, sizeof(differ)))
		json_put(&json, "differences", text_json(differ));
	if (model_has_latency(model))
		json_put(&json, "clock_ns", count_or_null(latency_clock(model, 0)));
	put_places(&json, model);
	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);)
		err |= add_differs(&differences, model, a, b);
	for (uint32_t a = 0, b = 0; model_next_curves(model, &a, &b);)
		err |= add_crossovers(&crossovers, model, a, b);
	for (uint32_t a = 0, b = 0; finding_next_pool(model, &a, &b);)
		err |= add_pool(&pools, model, a, b);
	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].totals.repeated && model_is_replaced(model, &model->runs[i]))
			json_push(&repeated, json_integer(model->runs[i].id.trial));
	for (int i = 0; i < n; i++)
		json_push(&warnings,
			  json_pack("{s:s,s:o}", "kind", model_warning_names[list[i].kind], "text",
				    text_json(list[i].text)));
	headline_badge(&answer, model, badge, sizeof(badge));
	json = JSON_ADD(json, {"badge", text_or_null(headline_word(&answer, model))},
			{"badge_text", text_or_null(badge)},
			{"busy", json_boolean(model_is_busy(model, &busy))},
			{"sentence", text_json(headline_sentence(&answer, model, sentence,
								 sizeof(sentence), NULL))},
			{"answer", answer_json(model, &answer)}, {"runs", json_array()},
			{"comparisons", json_array()}, {"why", json_array()},
			{"crossovers", crossovers}, {"pools", pools},
			{"warnings", json_unless(warnings, n < 0)}, {"repeated", repeated});

	answer_free(&answer);
	if (*session->prediction)
		json_put(&json, "prediction", text_json(session->prediction));
	put_unless_empty(&json, "differs", differences);
	put_speedup(&json, model);
	return json_unless(json, err);
}

static int put_runs(struct items *items, const struct model *model)
{
	int err = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		if (err || ferror(items->out))
			break;
		if (report_counts(model, &model->runs[i]))
			err = put_item(items, run_json(model, &model->runs[i]));
	}
	return err;
}

/* The lists that session_json() leaves empty, in the order of its members. */
static const struct {
	const char *begin;
	int (*put)(struct items *items, const struct model *model);
} long_lists[] = {
	{"\n  \"runs\": [", put_runs},
	{"\n  \"comparisons\": [", put_comparisons},
	{"\n  \"why\": [", put_whys},
};

int write_json(const struct model *model, FILE *out)
{
	char *string = dump(session_json(model)), *rest = string;
	int err = 0;

	if (!string)
		return -ENOMEM;
	for (size_t i = 0; i < LENGTH(long_lists); i++) {
		struct items items = {.out = out};
		const char *begin = long_lists[i].begin;
		char *at;

		if (err)
			break;
		at = strstr(rest, begin) + strlen(begin);
		fwrite(rest, 1, (size_t)(at - rest), out);
		err = long_lists[i].put(&items, model);
		if (items.any)
			fputs("\n  ", out);
		rest = at;
	}
	if (!err)
		fprintf(out, "%s\n", rest);
	free(string);
	if (err)
		return err;
	return report_finish(out);
}

/*
 * A numeric value as a number, for scripts that plot over it: "1M" is 1048576, "0.5" is 0.5.
 * Otherwise the text.
 */
static json_t *value_json(const struct variable *variable)
{
	static const char digits[] = "0123456789";
	const char *value = variable->value + (*variable->value == '-');
	size_t whole = strspn(value, digits), part;

	if (!isnan(variable->number))
		return json_integer((json_int_t)variable->number);
	if (value[whole] == '.')
		part = strspn(value + whole + 1, digits);
	else
		part = 0;
	if (whole > 0 && !value[whole])
		return json_finite((double)strtoll(variable->value, NULL, 10));
	if (whole > 0 && part > 0 && !value[whole + 1 + part])
		return json_finite(strtod(variable->value, NULL));
	return text_json(variable->value);
}

/* A result in hyperfine's format; NULL if the case has no trial, or memory is short. */
static json_t *hyperfine_json(const struct model *model, uint32_t case_id, double *seconds)
{
	const struct sample_case *config = &model->cases[case_id];
	json_t *json, *times = json_array(), *codes = json_array(), *parameters = json_object();
	const bool program =
		config->plan.leaves[WORK_PROGRAM] == 1 && plan_count(&config->plan) == 1;
	double sum = 0, squares = 0, user = 0, system = 0;
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		double took = metric_result(run, METRIC_ELAPSED) / 1e9;

		if (run->id.case_id != case_id || !model_measured(model, run) || isnan(took))
			continue;
		seconds[n++] = took;
		sum += took;
		user += fields_known(run->totals.user_us) / 1e6;
		system += fields_known(run->totals.system_us) / 1e6;
		json_push(&times, json_real(took));
		/*
		 * A failed trial is not a measurement, so exit codes other than 0 occur only with
		 * -s ignore-failure.
		 */
		if (!program)
			json_push(&codes, json_integer(0));
		else if (run->workers.gone)
			json_push(&codes, json_null());
		else
			json_push(&codes, json_integer((json_int_t)model_known(run, 0).result));
	}
	for (size_t i = 0; i < n; i++)
		squares += pow(seconds[i] - sum / (double)n, 2);
	for (size_t i = 0; i < config->variables.n; i++)
		json_put(&parameters, config->variables.list[i].name,
			 value_json(&config->variables.list[i]));
	json = JSON_OBJECT({"command", text_json(sentence_text(config->command,
							       MODEL_CASE_NAME(model, case_id)))},
			   {"mean", json_finite(sum / (double)n)},
			   {"stddev", json_finite(sqrt(squares / (double)(n - 1)))},
			   {"median", json_finite(stats_select(seconds, n, 0.5))},
			   {"user", json_finite(user / (double)n)},
			   {"system", json_finite(system / (double)n)},
			   {"min", json_finite(stats_select(seconds, n, 0))},
			   {"max", json_finite(stats_select(seconds, n, 1))}, {"times", times},
			   {"exit_codes", codes});
	if (config->variables.n > 0)
		json_put(&json, "parameters", parameters);
	else
		json_decref(parameters);
	if (n > 0)
		return json;
	json_decref(json);
	return NULL;
}

int write_hyperfine(const struct model *model, FILE *out)
{
	double *scratch = calloc(model->n_runs + 1, sizeof(*scratch));
	json_t *results = json_array();
	char *string;

	/*
	 * If tasks are created one by one, cases may have different numbers of tasks, so there are
	 * no elapsed times.
	 */
	for (uint32_t i = 0; i < model->n_cases; i++) {
		json_t *json;

		if (!scratch || model_has_latency(model))
			break;
		json = hyperfine_json(model, i, scratch);

		if (json)
			json_push(&results, json);
	}
	string = dump(JSON_OBJECT({"results", results}));
	free(scratch);
	if (string && scratch)
		fprintf(out, "%s\n", string);
	free(string);
	if (string && scratch)
		return report_finish(out);
	return -ENOMEM;
}
