/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

#include "model/model_sweep.h"
#include "base/units.h"

const char *const export_scaling_titles[EXPORT_SCALING] = {"program", "worker", "scale", "CPU",
							   "PSS",     "I/O",	"time"};

bool export_has_scaling(const struct model *model)
{
	const struct variable *swept = model->n_cases ? model_swept(&model->cases[0]) : NULL;

	return swept && strcmp(swept->name, "workers") == 0;
}

/* "fp", "cpu+io" */
static void name_work(const struct sample_case *one, char *buf, size_t size)
{
	*buf = '\0';
	for (int i = 0; i < WORK_KINDS; i++) {
		size_t used = strlen(buf);

		if (one->plan.leaves[i] > 0)
			snprintf(buf + used, size - used, "%s%s", used ? "+" : "",
				 plan_work_name((enum work_kind)i));
	}
}

static int fill_row(const struct model *model, uint32_t icase, struct export_scaling_row *row)
{
	static const enum model_metric metrics[] = {METRIC_SHARE, METRIC_PSS, METRIC_IO,
						    METRIC_ELAPSED};
	const struct sample_case *one = &model->cases[icase];
	const struct variable *swept = model_swept(one);
	struct export_summary s;
	int err = 0;

	row->icase = icase;
	snprintf(row->cell[0], sizeof(row->cell[0]), "%s", one->model);
	name_work(one, row->cell[1], sizeof(row->cell[1]));
	units_format_count(row->cell[2], sizeof(row->cell[2]), swept ? (int64_t)swept->number : 0);
	for (int i = 0; i < 4 && !err; i++) {
		err = export_summarize(model, icase, metrics[i], &s);
		metric_format(row->cell[3 + i], sizeof(row->cell[3 + i]), metrics[i],
			      err ? -1 : s.median.estimate, true);
	}
	return err;
}

static bool begins_curve(const struct model *model, uint32_t icase)
{
	for (uint32_t i = 0; i < icase; i++) {
		if (model_same_curve(&model->cases[i], &model->cases[icase]))
			return false;
	}
	return true;
}

int export_scaling(const struct model *model,
		   void (*take)(void *arg, const struct export_scaling_row *row), void *arg)
{
	struct export_scaling_row row;
	int err = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		for (uint32_t j = begins_curve(model, i) ? i : model->n_cases;
		     j < model->n_cases && !err; j++) {
			if (!model_same_curve(&model->cases[i], &model->cases[j]))
				continue;
			err = fill_row(model, j, &row);
			if (!err)
				take(arg, &row);
		}
	}
	return err;
}
