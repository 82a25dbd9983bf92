/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/comparison.h"
#include "model/model_sweep.h"
#include "table_add.h"

/* The table of a sweep of workers, one row for each case: curve by curve. */

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

static void add_row(const struct model *model, uint32_t case_id, struct table *table)
{
	const struct sample_case *one = &model->cases[case_id];
	const struct variable *swept = model_swept(one);
	char work[SAMPLE_LABEL];

	name_work(one, work, sizeof(work));
	table_add_words(table, "%s", one->model)->case_id = (int32_t)case_id;
	table_add_words(table, "%s", work);
	table_add_value(table, swept ? swept->number : NAN);
	table_add_medians(table, model, case_id, 3);
}

void table_scaling(const struct model *model, struct table *table)
{
	const struct variable *swept = model->n_cases ? model_swept(&model->cases[0]) : NULL;

	if (!swept || strcmp(swept->name, "workers") != 0)
		return;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_first(model, i, comparison_same_curve) != i)
			continue;
		for (uint32_t j = i; j < model->n_cases; j++) {
			if (comparison_same_curve(&model->cases[i], &model->cases[j]))
				add_row(model, j, table);
		}
	}
}
