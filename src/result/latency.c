/* SPDX-License-Identifier: MIT */
#include "result/latency.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "core/sample_tick.h"
#include "result/report.h"

/* Ends of the axis, ns. The axis is longer if values lie outside. */
#define LATENCY_LEAST_NS   10.0
#define OPERATION_LEAST_NS 1e4
#define MOST_NS		   1e7

/* The first case of the same primitive. Cases are in the order of the command line. */
static uint32_t first_of_primitive(const struct model *model, uint32_t case_id)
{
	uint32_t i = 0;

	while (model->cases[i].plan.primitive != model->cases[case_id].plan.primitive)
		i++;
	return i;
}

uint32_t latency_places(const struct sample_case *config, enum model_latency_place places[2])
{
	const enum plan_placement placement = (enum plan_placement)config->plan.placement;

	if (placement == PLAN_PINNED || placement == PLAN_FREE)
		places[0] = LATENCY_SAME;
	else if (placement == PLAN_IDLE)
		places[0] = LATENCY_OTHER;
	else
		places[0] = LATENCY_NOT_RECORDED;
	places[1] = LATENCY_OTHER;
	if (placement == PLAN_FREE)
		return 2;
	return 1;
}

uint32_t latency_rows(const struct model *model, enum plan_placement placement,
		      struct latency_row rows[LATENCY_ROWS])
{
	enum model_latency_place places[2];
	uint32_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct plan *plan = &model->cases[i].plan;
		bool wanted = placement == PLAN_PLACEMENTS || plan->placement == placement ||
			      plan->placement == PLAN_NOT_PLACED;
		uint32_t of_case = latency_places(&model->cases[i], places);

		if ((!plan_is_creation(plan) && !plan_operates(plan)) || !wanted)
			continue;
		of_case = MIN(of_case, LATENCY_ROWS - n);
		for (uint32_t j = 0; j < of_case; j++) {
			uint32_t at = n++, first = first_of_primitive(model, i);

			/*
			 * Sorts by primitive, then by ballast. Cases of one ballast are already in
			 * order of placement.
			 */
			for (; at > 0; at--) {
				uint32_t id = rows[at - 1].case_id;
				uint32_t other = first_of_primitive(model, id);

				if (first > other ||
				    (first == other &&
				     model->cases[i].ballast >= model->cases[id].ballast))
					break;
				rows[at] = rows[at - 1];
			}
			rows[at] = (struct latency_row) {i, places[j]};
		}
	}
	return n;
}

const struct model_latency_at *latency_at(const struct model *model, const struct latency_row *row)
{
	const struct model_latency *latency = model_latency(model, row->case_id);

	if (latency)
		return &latency->at[row->place];
	return NULL;
}

char *latency_where(const struct model *model, const struct latency_row *row, bool brief, char *buf,
		    size_t size)
{
	static const char *const names[MODEL_PLACES][2] = {
		[LATENCY_SAME] = {"same core", "same"},
		[LATENCY_OTHER] = {"other core", "other"},
		[LATENCY_NOT_RECORDED] = {"not recorded", "not recorded"},
	};
	enum plan_placement placement =
		(enum plan_placement)model->cases[row->case_id].plan.placement;
	const struct model_latency_at *at = latency_at(model, row);
	struct sentence s = sentence_in(buf, size);
	const char *idle = "";

	if (plan_operates(&model->cases[row->case_id].plan))
		return buf;
	if (placement == PLAN_IDLE) {
		if (brief)
			idle = ", idle";
		else
			idle = ", 1 ms idle";
	}
	sentence_add(&s, "%s%s", placement == PLAN_PINNED ? "one core" : names[row->place][brief],
		     idle);
	if (placement > PLAN_PINNED && at && !isnan(at->share))
		sentence_add(&s, "%s %.0f %%", brief ? "" : ",", 100 * at->share);
	return buf;
}

char *latency_name(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	const struct sample_case *config = &model->cases[case_id];
	struct sentence s = sentence_in(buf, size);

	sentence_add(&s, "%s", config->model);
	if (!plan_operates(&config->plan))
		return buf;
	for (uint32_t i = 0; i < config->variables.n; i++)
		sentence_add(&s, " %s", config->variables.list[i].value);
	return buf;
}

const char *latency_operation(const struct model *model)
{
	static const char *const words[WORK_KINDS] = {[WORK_TOKEN] = "round trip"};

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].plan.tasks > 0) {
			if (plan_serves(&model->cases[i].plan))
				return "request";
			return "task";
		}
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		if (!words[kind])
			continue;
		for (uint32_t i = 0; i < model->n_cases; i++)
			if (model->cases[i].plan.leaves[kind] > 0)
				return words[kind];
	}
	return "operation";
}

const char *latency_title(const struct model *model, enum model_latency_span span)
{
	if (model_has_operations(model))
		return latency_operation(model);
	return metric_table[METRIC_CALLER + span].title;
}

bool latency_begins(const struct model *model, const struct latency_row *rows, uint32_t row)
{
	const struct sample_case *config = &model->cases[rows[row].case_id], *before;

	if (row == 0)
		return true;
	before = &model->cases[rows[row - 1].case_id];
	if (plan_operates(&config->plan))
		return !variables_equal(&config->variables, &before->variables);
	return config->plan.primitive != before->plan.primitive;
}

char *latency_ballast(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	uint64_t ballast = model->cases[case_id].ballast;

	bool varies = false;

	for (uint32_t i = 1; i < model->n_cases; i++)
		varies |= model->cases[i].ballast != model->cases[0].ballast;
	buf[0] = '\0';
	if (varies && ballast > 0)
		snprintf(buf, size, "%s touched", UNITS_EXACT(ballast));
	return buf;
}

void latency_range(const struct model *model, double *low, double *high)
{
	*low = OPERATION_LEAST_NS;
	*high = MOST_NS;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_latency *latency = model_latency(model, i);

		if (!plan_operates(&model->cases[i].plan))
			*low = LATENCY_LEAST_NS;
		if (!latency)
			continue;
		for (int place = 0; place < MODEL_PLACES; place++)
			latency_widen(&latency->at[place], low, high);
	}
}

void latency_widen(const struct model_latency_at *at, double *low, double *high)
{
	for (int span = 0; span < MODEL_LATENCIES; span++) {
		const struct model_latency_figures *figures = &at->span[span];

		if (figures->n == 0)
			continue;
		*low = fmin(*low, pow(10, floor(log10((double)MAX(figures->min, 10)) + 1e-9)));
		*high = fmax(*high, pow(10, ceil(log10((double)MAX(figures->max, 1)) - 1e-9)));
	}
}

double latency_between(const struct model_latency_figures *figures, double from, double to)
{
	uint32_t first = model_latency_bucket((int64_t)fmax(0, floor(from)));
	uint32_t last = model_latency_bucket((int64_t)fmin(1e18, ceil(to)));
	double n = 0;

	for (uint32_t i = MAX(first, 1) - 1; i <= last; i++) {
		double low = fmax(from, model_latency_edge(i));
		double high = fmin(to, model_latency_edge(i + 1));

		/* The share of a bucket that lies within the range, on the logarithmic axis. */
		if (figures->buckets[i] > 0 && high > low)
			n += figures->buckets[i] * (log10(high / low) * LATENCY_PER_DECADE);
	}
	return n;
}

char *latency_format(char *buf, size_t size, int64_t ns)
{
	static const struct {
		double size;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
	double value;
	int i = 0;

	while (i < 3 && (double)ns < units[i].size * (1 - 5e-4))
		i++;
	value = (double)ns / units[i].size;
	if (ns < 0)
		snprintf(buf, size, "?");
	else if (i == 3 || value >= 99.95)
		snprintf(buf, size, "%.0f %s", value, units[i].name);
	else if (value < 9.995)
		snprintf(buf, size, "%.2f %s", value, units[i].name);
	else
		snprintf(buf, size, "%.1f %s", value, units[i].name);
	return buf;
}

void latency_clocks(const struct model *model, const struct model_run *run, int16_t range[2])
{
	const struct model_origin *origin = model_origin(model, run->id.case_id);
	uint32_t first = 0, end = model->n_cores;
	const long last = MIN(model_load_at(model, run->end_ns) + 1, (long)model->n_loads - 1);

	if (origin) {
		first = origin->first_core;
		end = first + origin->n_cores;
	}

	for (long i = model_load_at(model, run->begin_ns) + 1; i <= last; i++) {
		const struct sample_core *row = model->cores + i * (long)model->n_cores;

		for (uint32_t j = first; j < end; j++) {
			if (row[j].mhz <= 0)
				continue;
			if (range[0] == 0 || row[j].mhz < range[0])
				range[0] = row[j].mhz;
			if (row[j].mhz > range[1])
				range[1] = row[j].mhz;
		}
	}
}

/* The latencies of a case's newest run, even of one that does not count; NULL if there are none. */
static const struct model_latency *newest_latency(const struct model *model, uint32_t case_id)
{
	for (size_t i = model->n_runs; i > 0; i--) {
		const struct model_latency *latency = model_latency_run(model, &model->runs[i - 1]);

		if (model->runs[i - 1].id.case_id == case_id && latency)
			return latency;
	}
	return NULL;
}

/*
 * The time to read the clock, ns. A case of PLAN_CALL measures it, because its call creates
 * nothing. Until that case has a counted trial, takes the newest run, which the views show. If
 * there is no such case, takes the value from the session's beginning.
 */
int64_t latency_clock(const struct model *model, uint32_t case_id)
{
	uint32_t clock = model_latency_clock(model, case_id);
	const struct model_latency_at *at = NULL;

	if (clock < model->n_cases)
		at = model_latency_headline(model_latency(model, clock));
	if (!at && clock < model->n_cases)
		at = model_latency_headline(newest_latency(model, clock));

	if (at)
		return at->span[LATENCY_CALLER].p50;
	return model_session(model, case_id)->machine.clock_ns;
}

static void add_conditions(const struct model *model, const struct machine *machine,
			   uint32_t case_id, bool brief, struct sentence *s)
{
	const char *source = brief ? "" : machine->frequency_source;
	char text[32], mhz[32] = "?";

	if (machine->mhz >= 0)
		snprintf(mhz, sizeof(mhz), "%" PRId64, machine->mhz);
	latency_format(text, sizeof(text), latency_clock(model, case_id));
	sentence_add(s, "%s%s MHz", brief ? "" : "CPU ", mhz);
	if (*source)
		sentence_add(s, " (%s)", source);
	sentence_add(s, " · %s %s", brief ? "clock" : "the clock itself", text);
}

char *latency_conditions(const struct model *model, bool brief, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);

	if (model->n_origins == 0)
		add_conditions(model, &model->session.machine, 0, brief, &s);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		const struct model_origin *origin = &model->origins[i];

		sentence_join(&s, "; ", "%s: ", origin->name);
		add_conditions(model, &origin->session.machine, origin->first_case, brief, &s);
	}
	return buf;
}

/* Published figures for one way to create a task, by span. NULL: the paper of quotes[] has none. */
struct quote {
	enum plan_primitive primitive;
	uint64_t ballast;
	const char *of[MODEL_LATENCIES];
};

#define FOUR_GIB (UINT64_C(4) << 30)

/*
 * M. Sysel, A Comparison of Processes and Threads Creation (2020), Table 1 and section 4.1, in µs.
 * Its 4 GB were allocated; the paper does not say how much of them was touched.
 */
static const struct quote quotes[] = {
	{PLAN_CALL, 0, {[LATENCY_CALLER] = "0.094"}},
	{PLAN_FORK, 0, {[LATENCY_CALLER] = "34-94", [LATENCY_TASK] = "60-170"}},
	{PLAN_FORK, FOUR_GIB, {[LATENCY_CALLER] = "~20000", [LATENCY_TASK] = "~20000"}},
	{PLAN_FORK_EXEC, 0, {[LATENCY_CALLER] = "34-94", [LATENCY_TASK] = ">=700"}},
	{PLAN_PTHREAD, 0, {[LATENCY_CALLER] = "49-143", [LATENCY_TASK] = "94-260"}},
	{PLAN_PTHREAD, FOUR_GIB, {[LATENCY_TASK] = "170-290"}},
};

const char *latency_quote(const struct sample_case *config, enum model_latency_span span)
{
	for (size_t i = 0; i < LENGTH(quotes); i++) {
		if (quotes[i].primitive == config->plan.primitive &&
		    quotes[i].ballast == config->ballast) {
			if (quotes[i].of[span])
				return quotes[i].of[span];
			return "";
		}
	}
	return "";
}
