/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "model/model_speedup.h"
#include "report/report.h"
#include "report/speedup.h"
#include "table_add.h"

/* The same work on more and more cores: a row for each number of them, model by model. */

static void add_point(const struct model *model, const struct model_speedup *speedup,
		      const struct model_speedup_point *point, struct table *table)
{
	char name[SAMPLE_NAME];

	table_add_words(table, "%s", report_curve_name(model, point->case_id, name, sizeof(name)))
		->case_id = (int32_t)point->case_id;
	table_add_value(table, point->cores);
	table_add_value(table, point->median);
	table_add_value(table, point->speedup.estimate);
	if (point == speedup->point)
		table_add_words(table, "%s", "");
	else
		table_add_range(table, &point->speedup, "six trials needed");
	if (isnan(point->efficiency))
		table_add_value(table, NAN);
	else
		table_add_words(table, "%.0f %%", 100 * point->efficiency);
	table_add_value(table, point->cores / speedup->point[0].cores);
}

static void note_laws(const struct model *model, const struct model_speedup *speedup,
		      struct table *table)
{
	char text[SPEEDUP_TEXT];

	/* Too few numbers of cores are too few for each model. */
	if (!table->note || speedup->law[LAW_AMDAHL].told != LAW_FEW_POINTS)
		table_note(table, "%s", speedup_laws(model, speedup, text, sizeof(text)));
	for (uint32_t p = 0; p < speedup->n; p++) {
		if (speedup->workers == 0 || speedup->point[p].cores <= speedup->workers)
			continue;
		table_note(table, "More cores than the %u workers serve for nothing.",
			   speedup->workers);
		break;
	}
}

void table_speedup(const struct model *model, struct table *table)
{
	struct model_speedup speedup;

	for (uint32_t i = 0; i < model->n_cases && !table->err; i++) {
		if (!model_speedup_begins(model, i))
			continue;
		table_fail(table, model_speedup(model, i, &speedup));
		for (uint32_t p = 0; p < speedup.n; p++)
			add_point(model, &speedup, &speedup.point[p], table);
		note_laws(model, &speedup, table);
	}
	if (table->n_cells > 0)
		table_note(table, "The speed-up is of the pairs of trials, each interval by itself "
				  "of 95 %%; efficiency is its share of the ideal.");
}
