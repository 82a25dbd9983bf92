/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include "core/plan.h"
#include "model/model_slices.h"
#include "report/csv_row.h"

/* A name is at most PLAN_MAX_LEVELS numbers of seven digits with a point between them. */
#define NAME_BYTES 160

static void write_slice(struct csv_row *row, const struct model *model, const struct model_run *run,
			const struct sample_slice *slice)
{
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	bool worker = slice->waker >= 0 && (uint32_t)slice->waker < run->n_workers;
	const char *waker = sample_woken_name((enum sample_woken)slice->woken);
	char name[NAME_BYTES];

	csv_row_run(row, model, run);
	csv_row_text(row, slice->index == SAMPLE_OTHERS
				  ? "others"
				  : plan_name(plan, slice->index, name, sizeof(name)));
	csv_row_number(row, slice->cpu);
	csv_row_number(row, slice->on_ns);
	csv_row_number(row, slice->off_ns);
	csv_row_text(row, sample_why_name((enum sample_why)slice->why));
	csv_row_text(row,
		     worker ? plan_name(plan, (uint32_t)slice->waker, name, sizeof(name)) : waker);
	csv_row_number(row, slice->ready_ns);
	csv_row_end(row);
}

static void write_workers(struct csv_row *row, const struct model *model,
			  const struct model_run *run)
{
	const struct sample_slice *slices;
	size_t n;

	for (uint32_t worker = 0; worker < run->n_workers; worker++) {
		slices = model_slices(run, worker, &n);
		for (size_t i = 0; i < n; i++)
			write_slice(row, model, run, &slices[i]);
	}
}

static void write_others(struct csv_row *row, const struct model *model,
			 const struct model_run *run)
{
	size_t cores = model_cores_seen(run), n;
	const struct sample_slice *slices;

	for (size_t cpu = 0; cpu < cores; cpu++) {
		slices = model_core_others(run, cpu, &n);
		for (size_t i = 0; i < n; i++)
			write_slice(row, model, run, &slices[i]);
	}
}

int export_slices(const struct model *model, FILE *out)
{
	const struct model_run *run = NULL;
	struct csv_row row = {.out = out};

	fputs("trial,model,worker,cpu,on_ns,off_ns,why,waker,ready_ns\n", out);
	while ((run = csv_row_next_run(model, run)) != NULL) {
		write_workers(&row, model, run);
		write_others(&row, model, run);
	}
	return report_finish(out);
}
