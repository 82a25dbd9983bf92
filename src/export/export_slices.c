/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include <errno.h>

#include "core/plan.h"
#include "model/model_slices.h"
#include "report/csv_keys.h"

/* What the rows of a run have in common. */
struct slices {
	struct csv_row row;
	const struct csv_keys *keys;
	const struct model *model;
	const struct model_run *run;
	const struct plan *plan;
};

static void write_slice(struct slices *slices, const struct sample_slice *slice)
{
	bool others = slice->index == SAMPLE_OTHERS;
	struct plan_node node = {.parent = PLAN_ROOT};
	struct csv_row *row = &slices->row;

	csv_row_run(row, slices->model, slices->run);
	if (others) {
		csv_row_text(row, "others");
	} else {
		plan_node(slices->plan, slice->index, &node);
		csv_keys_place(row, slices->plan, slice->index);
	}
	csv_row_number(row, slice->cpu);
	csv_row_number(row, slice->on_ns);
	csv_row_number(row, slice->off_ns);
	csv_row_text(row, sample_why_name((enum sample_why)slice->why));
	/* The worker that woke it, or who else did. */
	if (slice->waker >= 0 && (uint32_t)slice->waker < slices->run->n_workers)
		csv_keys_place(&slices->row, slices->plan, (uint32_t)slice->waker);
	else
		csv_row_text(&slices->row, sample_woken_name((enum sample_woken)slice->woken));
	csv_row_number(row, slice->ready_ns);
	csv_keys_worker(row, slices->keys, slices->run, others ? -1 : (int64_t)slice->index,
			node.parent == PLAN_ROOT ? -1 : (int64_t)node.parent);
	csv_row_end(row);
}

static void write_workers(struct slices *slices)
{
	const struct sample_slice *list;
	size_t n;

	for (uint32_t worker = 0; worker < slices->run->n_workers; worker++) {
		list = model_slices(slices->run, worker, &n);
		for (size_t i = 0; i < n; i++)
			write_slice(slices, &list[i]);
	}
}

static void write_others(struct slices *slices)
{
	size_t cores = model_cores_seen(slices->run), n;
	const struct sample_slice *list;

	for (size_t cpu = 0; cpu < cores; cpu++) {
		list = model_core_others(slices->run, cpu, &n);
		for (size_t i = 0; i < n; i++)
			write_slice(slices, &list[i]);
	}
}

int export_slices(const struct model *model, FILE *out)
{
	struct csv_keys *keys = csv_keys_new(model);
	struct slices slices = {.row = {.out = out}, .keys = keys, .model = model};

	if (!keys)
		return -ENOMEM;
	fputs("trial,model,worker,cpu,on_ns,off_ns,why,waker,ready_ns,", out);
	csv_keys_worker_names(&slices.row, keys);
	csv_row_end(&slices.row);
	while ((slices.run = csv_row_next_run(model, slices.run)) != NULL) {
		slices.plan = &model->cases[slices.run->id.case_id].plan;
		write_workers(&slices);
		write_others(&slices);
	}
	csv_keys_free(keys);
	return report_finish(out);
}
