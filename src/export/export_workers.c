/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include "core/plan.h"
#include "report/tidy.h"

/* A name is at most PLAN_MAX_LEVELS numbers of seven digits with a point between them. */
#define NAME_BYTES 160

static void write_place(struct tidy *tidy, const struct plan *plan, uint32_t index)
{
	struct plan_node node;
	char name[NAME_BYTES];

	plan_node(plan, index, &node);
	tidy_text(tidy, plan_name(plan, index, name, sizeof(name)));
	tidy_text(tidy,
		  node.parent == PLAN_ROOT ? "" : plan_name(plan, node.parent, name, sizeof(name)));
	tidy_number(tidy, node.level);
	tidy_text(tidy, plan_work_name((enum work_kind)node.work));
}

/* What it used is known from its end on. */
static void write_numbers(struct tidy *tidy, const struct sample_worker *worker)
{
	const int16_t cpu = worker->cpu_last >= 0 ? worker->cpu_last : worker->cpu_first;
	const int64_t known[] = {worker->pid,	    worker->tid,	cpu,
				 worker->create_ns, worker->created_ns, worker->start_ns,
				 worker->finish_ns, worker->join_ns};
	const uint64_t used[] = {worker->user_us, worker->system_us, worker->minflt,
				 worker->majflt,  worker->nvcsw,     worker->nivcsw};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		tidy_number(tidy, known[i]);
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		tidy_number(tidy, worker->finish_ns >= 0 ? (int64_t)used[i] : -1);
}

/* One that was not created has none; one that was still at it when the run ended was cut off. */
static const char *status_of(const struct model *model, const struct model_run *run,
			     const struct sample_worker *worker)
{
	if (worker->create_ns < 0 && worker->start_ns < 0)
		return "";
	if (worker->status == SAMPLE_RUNNING && model_ended(model, run))
		return sample_status_name(SAMPLE_INTERRUPTED);
	return sample_status_name((enum sample_status)worker->status);
}

static void write_worker(struct tidy *tidy, const struct model *model, const struct model_run *run,
			 uint32_t index)
{
	struct sample_worker worker = model_worker(model, run, index);

	tidy_run(tidy, model, run);
	write_place(tidy, &model->cases[run->id.icase].plan, index);
	write_numbers(tidy, &worker);
	tidy_text(tidy, status_of(model, run, &worker));
	tidy_end(tidy);
}

int export_workers(const struct model *model, FILE *out)
{
	const struct model_run *run = NULL;
	struct tidy tidy = {.out = out};

	fputs("trial,model,worker,parent,depth,work,pid,tid,cpu,create_ns,created_ns,start_ns,"
	      "finish_ns,join_ns,user_us,system_us,minflt,majflt,nvcsw,nivcsw,status\n",
	      out);
	while ((run = tidy_next_run(model, run)) != NULL) {
		for (uint32_t i = 0; i < run->n_workers; i++)
			write_worker(&tidy, model, run, i);
	}
	return report_finish(out);
}
