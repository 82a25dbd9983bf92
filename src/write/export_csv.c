/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>

#include "core/plan.h"
#include "model/model_slices.h"
#include "write_parts.h"

/* A tick of a run that is being written. */
struct samples {
	struct csv_row row;
	const struct model_run *run;
	int64_t time_ns; /* since the run's begin */
	size_t point;	 /* of the run, the next that was not written */
};

/* The number of the last digits that are decimals. What is not known has no row. */
static void write_row(struct samples *samples, const char *subject, const char *metric,
		      int64_t value, int decimals)
{
	struct csv_row *row = &samples->row;

	if (value < 0)
		return;
	csv_row_run(row, samples->run);
	csv_row_number(row, samples->time_ns);
	csv_row_text(row, subject);
	csv_row_text(row, metric);
	csv_row_decimal(row, value, decimals);
	csv_row_keys(row, samples->run, NULL);
	csv_row_end(row);
}

/* The run's own values at that time, if it has any; its points are in the order of time. */
static void write_point_rows(struct samples *samples, int64_t time_ns)
{
	const struct model_run *run = samples->run;

	for (; samples->point < run->n_points && run->points[samples->point].time_ns <= time_ns;
	     samples->point++) {
		const struct model_point *point = &run->points[samples->point];
		const struct sample_memory *memory = &point->memory;

		if (point->time_ns < time_ns)
			continue;
		write_row(samples, "run", "rss_kb", memory->rss_kb, 0);
		write_row(samples, "run", "pss_kb", memory->pss_kb, 0);
		write_row(samples, "run", "uss_kb", memory->uss_kb, 0);
		write_row(samples, "run", "kernel_kb", memory->kernel_kb, 0);
		write_row(samples, "run", "estimated", memory->pss_kb < 0 ? -1 : memory->estimated,
			  0);
		write_row(samples, "run", "tasks", point->tasks, 0);
		write_row(samples, "run", "kernel_tables_kb", memory->kernel_tables_kb, 0);
		write_row(samples, "run", "kernel_stacks_kb", memory->kernel_stacks_kb, 0);
		write_row(samples, "run", "kernel_other_kb", memory->kernel_other_kb, 0);
		write_row(samples, "run", "kernel_estimated",
			  memory->kernel_other_kb < 0 ? -1 : memory->kernel_estimated, 0);
	}
}

static void write_run_samples(struct samples *samples)
{
	const struct model *model = samples->row.model;
	const struct model_run *run = samples->run;
	long row = model_load_at(model, run->begin_ns), last = model_load_at(model, run->end_ns);
	uint64_t self_us = row < 0 ? 0 : model->loads[row].self_cpu_us;

	samples->point = 0;
	while (++row <= last) {
		const struct model_load *load = &model->loads[row];

		samples->time_ns = load->time_ns - run->begin_ns;
		write_point_rows(samples, load->time_ns);
		for (uint32_t i = 0; i < model->n_cores; i++) {
			const struct sample_core *core =
				&model->cores[(size_t)row * model->n_cores + i];
			char subject[16];

			/* The kernel's number: machines that were joined have each its own. */
			snprintf(subject, sizeof(subject), "core%d",
				 model->cpus ? model->cpus[i] : core->cpu);
			write_row(samples, subject, "user_percent", core->user, 1);
			write_row(samples, subject, "system_percent", core->system, 1);
			write_row(samples, subject, "iowait_percent", core->iowait, 1);
			write_row(samples, subject, "steal_percent", core->steal, 1);
		}
		write_row(samples, "tuibench", "self_cpu_ms",
			  (int64_t)(load->self_cpu_us - self_us), 3);
	}
}

int export_samples(const struct model *model, FILE *out)
{
	struct samples samples = {.run = NULL};
	struct csv_row *row = &samples.row;

	if (csv_row_open(row, model, out))
		return -ENOMEM;
	fputs("trial,model,time_ns,subject,metric,value,", out);
	csv_row_key_names(row, false);
	csv_row_end(row);
	while ((samples.run = csv_row_next_run(model, samples.run)) != NULL)
		write_run_samples(&samples);
	return csv_row_close(row);
}

static void write_slice(struct csv_row *row, const struct model_run *run,
			const struct sample_slice *slice)
{
	const struct plan *plan = &row->model->cases[run->id.case_id].plan;
	bool others = slice->index == SAMPLE_OTHERS;
	struct plan_node node = {.parent = PLAN_ROOT};

	csv_row_run(row, run);
	if (others) {
		csv_row_text(row, "others");
	} else {
		plan_node(plan, slice->index, &node);
		csv_row_place(row, plan, slice->index);
	}
	csv_row_number(row, slice->cpu);
	csv_row_number(row, slice->on_ns);
	csv_row_number(row, slice->off_ns);
	csv_row_text(row, sample_why_name((enum sample_why)slice->why));
	/* The worker that woke it, or who else did. */
	if (slice->waker >= 0 && (uint32_t)slice->waker < run->n_workers)
		csv_row_place(row, plan, (uint32_t)slice->waker);
	else
		csv_row_text(row, sample_woken_name((enum sample_woken)slice->woken));
	csv_row_number(row, slice->ready_ns);
	const int64_t ids[] = {others ? -1 : (int64_t)slice->index,
			       node.parent == PLAN_ROOT ? -1 : (int64_t)node.parent};

	csv_row_keys(row, run, ids);
	csv_row_end(row);
}

int export_slices(const struct model *model, FILE *out)
{
	const struct model_run *run = NULL;
	struct csv_row row;

	if (csv_row_open(&row, model, out))
		return -ENOMEM;
	fputs("trial,model,worker,cpu,on_ns,off_ns,why,waker,ready_ns,", out);
	csv_row_key_names(&row, true);
	csv_row_end(&row);
	while ((run = csv_row_next_run(model, run)) != NULL) {
		const size_t cores = model_cores_seen(run);
		const struct sample_slice *list;
		size_t n;

		for (uint32_t worker = 0; worker < run->n_workers; worker++) {
			list = model_slices(run, worker, &n);
			for (size_t i = 0; i < n; i++)
				write_slice(&row, run, &list[i]);
		}
		for (size_t cpu = 0; cpu < cores; cpu++) {
			list = model_core_others(run, cpu, &n);
			for (size_t i = 0; i < n; i++)
				write_slice(&row, run, &list[i]);
		}
	}
	return csv_row_close(&row);
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

static void write_numbers(struct csv_row *row, const int64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		csv_row_number(row, numbers[i]);
}

#define NUMBERS(row, ...)                                                                          \
	write_numbers(row, (const int64_t[]) {__VA_ARGS__},                                        \
		      sizeof((const int64_t[]) {__VA_ARGS__}) / sizeof(int64_t))

static void write_worker(struct csv_row *row, const struct model_run *run, uint32_t index)
{
	const struct model *model = row->model;
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	const struct sample_worker w = model_worker(model, run, index);
	/* The worker's use of resources is known from its end on. */
	const bool told = sample_worker_told(&w);
	const bool split = told && model_split_worker(model, run, &w);
	struct plan_node node;

	plan_node(plan, index, &node);
	csv_row_run(row, run);
	csv_row_place(row, plan, index);
	if (node.parent == PLAN_ROOT)
		csv_row_text(row, "");
	else
		csv_row_place(row, plan, node.parent);
	csv_row_number(row, node.level);
	csv_row_work(row, plan_work_name((enum work_kind)node.work));
	NUMBERS(row, w.pid, w.tid, w.cpu_last >= 0 ? w.cpu_last : w.cpu_first, w.create_ns,
		w.created_ns, w.start_ns, w.finish_ns, w.join_ns, split ? (int64_t)w.user_us : -1,
		split ? (int64_t)w.system_us : -1);
	if (told)
		NUMBERS(row, w.minflt, w.majflt, w.nvcsw, w.nivcsw);
	else
		NUMBERS(row, -1, -1, -1, -1);
	csv_row_text(row, status_of(model, run, &w));
	NUMBERS(row, w.cpu_first, w.creator_cpu, model_migrations(model, run, index), w.cycles,
		w.instructions, w.cache_misses, w.tlb_misses);
	const int64_t ids[] = {index, node.parent == PLAN_ROOT ? -1 : (int64_t)node.parent};

	csv_row_keys(row, run, ids);
	/* User and system apart are estimates by the kernel's ticks, but their sum is exact. */
	NUMBERS(row, told ? (int64_t)w.user_us + w.system_us : -1, w.work_ns,
		told ? w.delay_us : -1);
	csv_row_unsigned(row, told, w.result);
	csv_row_end(row);
}

int export_workers(const struct model *model, FILE *out)
{
	const struct model_run *run = NULL;
	struct csv_row row;

	if (csv_row_open(&row, model, out))
		return -ENOMEM;
	fputs("trial,model,worker,parent,depth,work,pid,tid,cpu,create_ns,created_ns,start_ns,"
	      "finish_ns,join_ns,user_us,system_us,minflt,majflt,nvcsw,nivcsw,status,cpu_first,"
	      "creator_cpu,migrations,cycles,instructions,cache_misses,tlb_misses,",
	      out);
	csv_row_key_names(&row, true);
	/* New columns come last. */
	fputs(",cpu_us,work_ns,delay_us,result", out);
	csv_row_end(&row);
	while ((run = csv_row_next_run(model, run)) != NULL)
		for (uint32_t i = 0; i < run->n_workers; i++)
			write_worker(&row, run, i);
	return csv_row_close(&row);
}
