/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include "core/plan.h"
#include "model/model_slices.h"
#include "report/csv_row.h"

/* A name is at most PLAN_MAX_LEVELS numbers of seven digits with a point between them. */
#define NAME_BYTES 160

static void write_slice(struct csv_row *row, const struct model *model, const struct model_run *run,
			const char *name, const struct sample_slice *slice)
{
	csv_row_run(row, model, run);
	csv_row_text(row, name);
	csv_row_number(row, slice->cpu);
	csv_row_number(row, slice->on_ns);
	csv_row_number(row, slice->off_ns);
	csv_row_text(row, sample_why_name((enum sample_why)slice->why));
	csv_row_end(row);
}

static void write_lane(struct csv_row *row, const struct model *model, const struct model_run *run,
		       uint32_t worker)
{
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	const struct sample_slice *slices;
	char name[NAME_BYTES];
	size_t n;

	slices = model_slices(run, worker, &n);
	plan_name(plan, worker, name, sizeof(name));
	for (size_t i = 0; i < n; i++)
		write_slice(row, model, run, name, &slices[i]);
}

int export_slices(const struct model *model, FILE *out)
{
	const struct model_run *run = NULL;
	struct csv_row row = {.out = out};

	fputs("trial,model,worker,cpu,on_ns,off_ns,why\n", out);
	while ((run = csv_row_next_run(model, run)) != NULL) {
		for (uint32_t i = 0; i < run->n_workers; i++)
			write_lane(&row, model, run, i);
	}
	return report_finish(out);
}
