/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_latency.h"
#include "model/model_levels.h"
#include "model/model_sweep.h"
#include "model/model_warnings.h"

/*
 * jansson's _new functions take the reference, also when they fail, and pass a NULL value on as a
 * failure: it is enough to look at the results at the end of each object.
 */

/* Texts come from the machine and from recordings: what is not UTF-8 becomes '?'. */
static json_t *text(const char *s)
{
	json_t *json = json_string(s);
	char *copy;

	if (json)
		return json;
	copy = strdup(s);
	if (!copy)
		return NULL;
	for (char *p = copy; *p; p++) {
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	}
	json = json_string(copy);
	free(copy);
	return json;
}

static json_t *text_or_null(const char *s)
{
	return *s ? text(s) : json_null();
}

static json_t *count(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Times in ms. */
static json_t *figure(const struct model_run *run, enum model_metric metric)
{
	double value = metric_result(run, metric);
	uint8_t unit = metric_table[metric].unit;

	if (unit == METRIC_NS || unit == METRIC_US)
		return real(value / 1e6);
	return isnan(value) ? json_null() : json_integer(llround(value));
}

static json_t *machine_json(const struct machine *m)
{
	json_t *json = json_object();
	int err = 0;

	err |= json_object_set_new(json, "host", text_or_null(m->host));
	err |= json_object_set_new(json, "kernel", text_or_null(m->kernel));
	err |= json_object_set_new(json, "arch", text_or_null(m->arch));
	err |= json_object_set_new(json, "libc", text_or_null(m->libc));
	err |= json_object_set_new(json, "cpu", text_or_null(m->cpu));
	err |= json_object_set_new(json, "cores", count(m->cores_online));
	err |= json_object_set_new(json, "cores_allowed", count(m->cores_allowed));
	err |= json_object_set_new(json, "cpus_allowed", text_or_null(m->cpus_allowed));
	err |= json_object_set_new(json, "performance_cores", count(m->performance_cores));
	err |= json_object_set_new(json, "efficiency_cores", count(m->efficiency_cores));
	err |= json_object_set_new(json, "cpu_quota",
				   m->cpu_quota < 0 ? json_null() : real(m->cpu_quota));
	err |= json_object_set_new(json, "mhz", count(m->mhz));
	err |= json_object_set_new(json, "mhz_source", text_or_null(m->frequency_source));
	err |= json_object_set_new(json, "governor", text_or_null(m->governor));
	err |= json_object_set_new(json, "memory_kb", count(m->memory_kb));
	err |= json_object_set_new(json, "memory_limit_kb", count(m->memory_limit_kb));
	err |= json_object_set_new(json, "hugepages", text_or_null(m->hugepages));
	err |= json_object_set_new(json, "virtual", text_or_null(m->virtualization));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

/* A variable's value: a number where it is one; a tree of one level is a tree like the others. */
static json_t *variable(const char *name, const char *value)
{
	char *end;
	long long number;

	if (strcmp(name, "tree") == 0)
		return text(value);
	errno = 0;
	number = strtoll(value, &end, 10);
	return *value && !*end && !errno ? json_integer(number) : text(value);
}

/* As an object; with others given, those that they have too or have not. */
static json_t *variables_json(const struct variables *variables, const struct variables *others,
			      bool common)
{
	json_t *json = json_object();
	int err = 0;

	for (uint32_t i = 0; i < variables->n && !err; i++) {
		const struct variable *one = &variables->list[i];

		if (!others || variables_has(others, one) == common)
			err = json_object_set_new(json, one->name, variable(one->name, one->value));
	}
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

/* In the order of the contract: the memory and the status between the other figures. */
static int set_figures(const struct model_run *run, json_t *json)
{
	json_t *memory = NULL;
	int err = 0;

	for (enum model_metric i = 0; i < METRICS && !err; i++) {
		bool peak = metric_is(i, METRIC_OF_MEMORY);

		if (!metric_is(i, METRIC_OF_RUNS))
			continue;
		if (peak && !memory) {
			memory = json_object();
			err |= json_object_set_new(json, "memory", memory);
			err |= json_object_set_new(json, "status", json_string(export_status(run)));
		}
		err |= json_object_set_new(peak ? memory : json, metric_table[i].name,
					   figure(run, i));
	}
	return err;
}

static json_t *span_json(const struct model_span *span)
{
	json_t *json = json_object();
	int err = 0;

	err |= json_object_set_new(json, "n", json_integer(span->n));
	err |= json_object_set_new(json, "p50_ns", real(span->median));
	err |= json_object_set_new(json, "p99_ns", real(span->p99));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

/* Where the time of one level's tasks goes. */
static json_t *level_json(const struct model_level *level)
{
	json_t *json = json_object();
	int err = json_object_set_new(json, "workers", json_integer(level->tasks));

	for (int i = 0; i < MODEL_PHASES && !err; i++)
		err = json_object_set_new(json, model_phase_name((enum model_phase)i),
					  span_json(&level->phase[i]));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

/* One object a level, and one of all; null where they are not known. */
static int set_levels(const struct model *model, const struct model_run *run, json_t *json)
{
	const struct model_levels *levels = model_levels(model, run);
	json_t *list = json_array();
	int err = json_object_set_new(json, "levels", list);

	for (uint32_t i = 0; levels && i < levels->levels && !err; i++)
		err = json_array_append_new(list, level_json(&levels->level[i]));
	if (!err)
		err = json_object_set_new(json, "all",
					  levels ? level_json(&levels->all) : json_null());
	return err;
}

static int set_figures_of(json_t *json, const struct model_latency_figures *f)
{
	const struct {
		const char *name;
		int64_t value;
	} all[] = {
		{"n", f->n},	 {"min", f->min}, {"p50", f->p50},     {"p90", f->p90},
		{"p99", f->p99}, {"max", f->max}, {"first", f->first},
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && !err; i++)
		err = json_object_set_new(json, all[i].name, count(all[i].value));
	return err;
}

/* What the creations of a run took, in ns; null where it did not create tasks one by one. */
static json_t *latency_json(const struct model_latency *latency)
{
	json_t *json = latency ? json_object() : json_null(), *span;
	int err = 0;

	for (int i = 0; latency && i < MODEL_LATENCIES && !err; i++) {
		span = json_object();
		err = set_figures_of(span, &latency->span[i]);
		err |= json_object_set_new(json, model_latency_name((enum model_latency_span)i),
					   span);
	}
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static int set_latency(const struct model *model, const struct model_run *run, json_t *json)
{
	if (!model_has_latency(model))
		return 0;
	return json_object_set_new(json, "latency", latency_json(model_latency_run(model, run)));
}

static json_t *run_json(const struct model *model, const struct model_run *run)
{
	const struct sample_case *one = &model->cases[run->id.icase];
	json_t *json = json_object();
	int err = 0;

	err |= json_object_set_new(json, "trial", json_integer(run->id.trial));
	err |= json_object_set_new(json, "model", text(one->model));
	err |= json_object_set_new(json, "variables", variables_json(&one->variables, NULL, true));
	err |= set_figures(run, json);
	err |= set_levels(model, run, json);
	err |= set_latency(model, run, json);
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *runs_json(const struct model *model)
{
	json_t *json = json_array();
	int err = json ? 0 : -1;

	for (size_t i = 0; i < model->n_runs && !err; i++) {
		if (export_counts(model, &model->runs[i]))
			err = json_array_append_new(json, run_json(model, &model->runs[i]));
	}
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *comparison_json(const struct model *model, const struct model_comparison *c)
{
	const struct sample_case *a = &model->cases[c->a], *b = &model->cases[c->b];
	json_t *json = json_object();
	int err = 0;

	err |= json_object_set_new(json, "a", text(a->model));
	err |= json_object_set_new(json, "b", text(b->model));
	err |= json_object_set_new(json, "metric", json_string(metric_table[c->metric].name));
	err |= json_object_set_new(json, "variables",
				   variables_json(&a->variables, &b->variables, true));
	err |= json_object_set_new(json, "a_variables",
				   variables_json(&a->variables, &b->variables, false));
	err |= json_object_set_new(json, "b_variables",
				   variables_json(&b->variables, &a->variables, false));
	err |= json_object_set_new(json, "pairs", json_integer(c->pairs));
	err |= json_object_set_new(json, "ratio", real(c->ratio.estimate));
	err |= json_object_set_new(json, "low", real(c->ratio.low));
	err |= json_object_set_new(json, "high", real(c->ratio.high));
	err |= json_object_set_new(json, "verdict", json_string(export_verdict(c->verdict)));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static int add_comparisons(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	struct model_comparison comparison;
	int err = 0;

	for (enum model_metric i = 0; i < METRICS && !err; i++) {
		if (!metric_is(i, METRIC_OF_PAIRS) || !metric_applies(model, i))
			continue;
		err = model_compare(model, a, b, i, &comparison);
		if (!err && json_array_append_new(arg, comparison_json(model, &comparison)))
			err = -ENOMEM;
	}
	return err;
}

static json_t *comparisons_json(const struct model *model)
{
	json_t *json = json_array();

	if (json && export_pairs(model, add_comparisons, json) == 0)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *recording_json(const struct model_origin *origin)
{
	json_t *json = json_object();
	int err = 0;

	err |= json_object_set_new(json, "name", text(origin->name));
	err |= json_object_set_new(json, "tuibench", text(origin->session.version));
	err |= json_object_set_new(json, "experiment", text(origin->session.experiment));
	err |= json_object_set_new(json, "options", text(origin->session.options));
	err |= json_object_set_new(json, "wall_s", json_integer(origin->session.wall_s));
	err |= json_object_set_new(json, "machine", machine_json(&origin->session.machine));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

/* Of several that were joined; a model's name ends in " @" and that of its recording. */
static json_t *recordings_json(const struct model *model)
{
	json_t *json = json_array();
	int err = json ? 0 : -1;

	for (uint32_t i = 0; i < model->n_origins && !err; i++)
		err = json_array_append_new(json, recording_json(&model->origins[i]));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

static int add_crossings(json_t *list, const struct finding_crosses *found)
{
	int err = 0;

	for (size_t i = 0; i < found->n && !err; i++)
		err = json_array_append_new(
			list, json_pack("{s:f,s:f,s:f}", "at", found->cross[i].at, "low",
					found->cross[i].low, "high", found->cross[i].high));
	return err;
}

static int add_crossover(json_t *list, const struct model *model, uint32_t a, uint32_t b,
			 enum model_metric metric)
{
	const struct sample_case *one = &model->cases[a], *two = &model->cases[b];
	json_t *json = json_object(), *crossings = json_array();
	const struct variable *swept = model_swept(one);
	const char *work = model_work(one);
	struct finding_crosses found;
	int err = finding_crosses(model, a, b, metric, &found);

	err |= add_crossings(crossings, &found);
	err |= json_object_set_new(json, "a", text(one->model));
	err |= json_object_set_new(json, "b", text(two->model));
	err |= json_object_set_new(json, "metric", json_string(metric_table[metric].name));
	err |= json_object_set_new(json, "work", *work ? text(work) : json_null());
	err |= json_object_set_new(json, "variable", text(swept ? swept->name : ""));
	err |= json_object_set_new(json, "found", crossings);
	err |= json_array_append_new(list, json);
	return err ? -ENOMEM : 0;
}

static int add_crossovers(void *arg, const struct model *model, uint32_t a, uint32_t b)
{
	int err = 0;

	for (enum model_metric i = 0; i < METRICS && !err; i++) {
		if (metric_is(i, METRIC_OF_PAIRS) && metric_applies(model, i))
			err = add_crossover(arg, model, a, b, i);
	}
	return err;
}

static json_t *crossovers_json(const struct model *model)
{
	json_t *json = json_array();

	if (json && model_curves(model, add_crossovers, json) == 0)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *warnings_json(const struct model *model)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	json_t *json = json_array();
	int n = model_warnings(model, warnings), err = json && n >= 0 ? 0 : -1;

	for (int i = 0; i < n && !err; i++)
		err = json_array_append_new(json, json_pack("{s:s,s:o}", "kind",
							    model_warning_name(warnings[i].kind),
							    "text", text(warnings[i].text)));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

/* What reading the clock takes, ns, which is a part of every latency. */
static json_t *clock_json(const struct model *model)
{
	uint32_t icase = model_latency_clock(model, 0);
	const struct model_latency *latency =
		icase < model->n_cases ? model_latency(model, icase) : NULL;

	return latency ? count(latency->span[LATENCY_CALLER].p50) : json_null();
}

static json_t *session_json(const struct model *model)
{
	const struct model_session *session = &model->session;
	json_t *json = json_object();
	int err = 0;

	err |= json_object_set_new(json, "tuibench", text(session->version));
	err |= json_object_set_new(json, "schema", json_integer(1));
	err |= json_object_set_new(json, "experiment", text(session->experiment));
	err |= json_object_set_new(json, "options", text(session->options));
	err |= json_object_set_new(json, "machine", machine_json(&session->machine));
	if (model->n_origins > 0)
		err |= json_object_set_new(json, "recordings", recordings_json(model));
	if (model_has_latency(model))
		err |= json_object_set_new(json, "clock_ns", clock_json(model));
	err |= json_object_set_new(json, "runs", runs_json(model));
	err |= json_object_set_new(json, "comparisons", comparisons_json(model));
	err |= json_object_set_new(json, "crossovers", crossovers_json(model));
	err |= json_object_set_new(json, "warnings", warnings_json(model));
	if (!err)
		return json;
	json_decref(json);
	return NULL;
}

int export_json(const struct model *model, FILE *out)
{
	json_t *json = session_json(model);
	char *string = NULL;

	/* 15 digits: nanoseconds in ms for runs of up to ten days, and 0.1 stays 0.1. */
	if (json)
		string = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	json_decref(json);
	if (!string)
		return -ENOMEM;
	fputs(string, out);
	fputc('\n', out);
	free(string);
	return export_finish(out);
}
