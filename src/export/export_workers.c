/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include <errno.h>

#include "core/plan.h"
#include "model/model_slices.h"
#include "report/csv_keys.h"

/* The worker's use of resources is known from its end on. */
static void write_numbers(struct csv_row *row, const struct sample_worker *worker, bool split)
{
	const int16_t cpu = worker->cpu_last >= 0 ? worker->cpu_last : worker->cpu_first;
	const int64_t known[] = {worker->pid,	    worker->tid,	cpu,
				 worker->create_ns, worker->created_ns, worker->start_ns,
				 worker->finish_ns, worker->join_ns};
	const uint32_t times[] = {worker->user_us, worker->system_us};
	const uint32_t used[] = {worker->minflt, worker->majflt, worker->nvcsw, worker->nivcsw};

	const bool told = sample_worker_told(worker);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		csv_row_number(row, known[i]);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		csv_row_number(row, told && split ? (int64_t)times[i] : -1);
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		csv_row_number(row, told ? (int64_t)used[i] : -1);
}

static void write_counts(struct csv_row *row, const struct sample_worker *worker,
			 int64_t migrations)
{
	const int64_t counts[] = {migrations, worker->cycles, worker->instructions,
				  worker->cache_misses, worker->tlb_misses};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		csv_row_number(row, counts[i]);
}

/* New columns come last. */
static const char *const more[] = {"cpu_us", "work_ns", "delay_us", "result"};

/* User and system apart are estimates by the kernel's ticks, but their sum is exact. */
static void write_more(struct csv_row *row, const struct sample_worker *worker)
{
	const bool told = sample_worker_told(worker);

	csv_row_number(row, told ? (int64_t)worker->user_us + worker->system_us : -1);
	csv_row_number(row, worker->work_ns);
	csv_row_number(row, told ? worker->delay_us : -1);
	csv_row_unsigned(row, told, worker->result);
}

/* A worker not created has no status; one still at work at the run's end was cut off. */
static const char *status_of(const struct model *model, const struct model_run *run,
			     const struct sample_worker *worker)
{
	if (worker->create_ns < 0 && worker->start_ns < 0)
		return "";
	if (worker->status == SAMPLE_RUNNING && model_ended(model, run))
		return sample_status_name(SAMPLE_INTERRUPTED);
	return sample_status_name((enum sample_status)worker->status);
}

int export_workers(const struct model *model, FILE *out)
{
	const struct model_run *run = NULL;
	struct csv_keys *keys = csv_keys_new(model);
	struct csv_row row = {.out = out};

	if (!keys)
		return -ENOMEM;
	fputs("trial,model,worker,parent,depth,work,pid,tid,cpu,create_ns,created_ns,start_ns,"
	      "finish_ns,join_ns,user_us,system_us,minflt,majflt,nvcsw,nivcsw,status,cpu_first,"
	      "creator_cpu,migrations,cycles,instructions,cache_misses,tlb_misses,",
	      out);
	csv_keys_worker_names(&row, keys);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		csv_row_text(&row, more[i]);
	csv_row_end(&row);
	while ((run = csv_row_next_run(model, run)) != NULL) {
		for (uint32_t i = 0; i < run->n_workers; i++) {
			const struct plan *plan = &model->cases[run->id.case_id].plan;
			struct sample_worker worker = model_worker(model, run, i);
			struct plan_node node;

			plan_node(plan, i, &node);
			csv_row_run(&row, model, run);
			csv_keys_place(&row, plan, i);
			if (node.parent == PLAN_ROOT)
				csv_row_text(&row, "");
			else
				csv_keys_place(&row, plan, node.parent);
			csv_row_number(&row, node.level);
			csv_keys_work(&row, plan_work_name((enum work_kind)node.work));
			write_numbers(&row, &worker, model_split_worker(model, run, &worker));
			csv_row_text(&row, status_of(model, run, &worker));
			csv_row_number(&row, worker.cpu_first);
			csv_row_number(&row, worker.creator_cpu);
			write_counts(&row, &worker, model_migrations(model, run, i));
			csv_keys_worker(&row, keys, run, i,
					node.parent == PLAN_ROOT ? -1 : (int64_t)node.parent);
			write_more(&row, &worker);
			csv_row_end(&row);
		}
	}
	csv_keys_free(keys);
	return report_finish(out);
}
