/* SPDX-License-Identifier: MIT */
#include "write_json_speedup.h"

#include <math.h>

#include "base/units.h"
#include "model/model_speedup.h"
#include "report/report.h"

/* What is not known is null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *point_json(const struct model_speedup *speedup,
			  const struct model_speedup_point *point)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:i}", "cores", number(point->cores),
			 "median_ms", number(point->median / 1e6), "speedup",
			 number(point->speedup.estimate), "low", number(point->speedup.low), "high",
			 number(point->speedup.high), "efficiency", number(point->efficiency),
			 "ideal", number(point->cores / speedup->point[0].cores), "pairs",
			 (int)point->pairs);
}

static json_t *interval_json(const struct stats_interval *interval)
{
	return json_pack("{s:o,s:o,s:o}", "share", number(interval->estimate), "low",
			 number(interval->low), "high", number(interval->high));
}

/* Amdahl's law has no crosstalk to tell. */
static json_t *law_json(const struct law_fit *fit, enum law law)
{
	char why[128];

	if (fit->told != LAW_TOLD)
		return json_pack("{s:n,s:s}", "serial", "why", law_why(fit, law, why, sizeof(why)));
	if (law == LAW_AMDAHL)
		return json_pack("{s:o,s:o}", "serial", interval_json(&fit->serial), "misfit",
				 number(fit->misfit));
	return json_pack("{s:o,s:o,s:o}", "serial", interval_json(&fit->serial), "crosstalk",
			 interval_json(&fit->crosstalk), "misfit", number(fit->misfit));
}

static int add_speedup(const struct model *model, uint32_t first, json_t *list)
{
	json_t *points = json_array();
	struct model_speedup speedup;
	char name[SAMPLE_NAME];
	int err = model_speedup(model, first, &speedup);

	for (uint32_t p = 0; !err && p < speedup.n; p++)
		err = json_array_append_new(points, point_json(&speedup, &speedup.point[p]));
	if (err) {
		json_decref(points);
		return -1;
	}
	return json_array_append_new(
		list, json_pack("{s:s,s:i,s:o,s:o,s:o}", "model",
				report_curve_name(model, first, name, sizeof(name)), "workers",
				(int)speedup.workers, "points", points, "amdahl",
				law_json(&speedup.law[LAW_AMDAHL], LAW_AMDAHL), "usl",
				law_json(&speedup.law[LAW_USL], LAW_USL)));
}

int write_json_speedup(const struct model *model, json_t *json)
{
	json_t *list = NULL;
	int err = 0;

	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		if (!model_speedup_begins(model, i))
			continue;
		list = list ? list : json_array();
		err = add_speedup(model, i, list);
	}
	if (err)
		json_decref(list);
	return err || !list ? err : json_object_set_new(json, "speedup", list);
}

static int add_place(const struct model *model, uint32_t i, json_t *list)
{
	const struct sample_case *one = &model->cases[i];
	char cpus[256], name[SAMPLE_NAME];

	return json_array_append_new(
		list, json_pack("{s:s,s:s,s:s}", "case",
				model_case_name(model, i, name, sizeof(name)), "place", one->place,
				"cpus", units_format_cpulist(cpus, sizeof(cpus), &one->cpus)));
}

int write_json_places(const struct model *model, json_t *json)
{
	json_t *list = NULL;
	int err = 0;

	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		if (CPU_COUNT(&model->cases[i].cpus) == 0)
			continue;
		list = list ? list : json_array();
		err = add_place(model, i, list);
	}
	if (!err && *model->session.topology)
		err = json_object_set_new(json, "topology", json_string(model->session.topology));
	if (err)
		json_decref(list);
	return err || !list ? err : json_object_set_new(json, "places", list);
}
