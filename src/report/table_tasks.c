/* SPDX-License-Identifier: MIT */
#include "table_add.h"

/* The table of work that is handed out piece by piece: medians over the trials. */

void table_tasks(const struct model *model, struct table *table)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model->cases[i].plan.tasks == 0)
			continue;
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (table->n_cells > 0)
		table_note(table, "Latency: the median of a run, from handed out to done; a pool's "
				  "worker takes the next task itself, others are created for it. "
				  "Creation each: of a pool, until all stand, by the tasks; else "
				  "from the call until the task runs.");
}
