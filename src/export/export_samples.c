/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include <errno.h>

#include "report/csv_keys.h"

/* A tick of a run that is being written. */
struct samples {
	struct csv_row row;
	const struct csv_keys *keys;
	const struct model *model;
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
	csv_row_run(row, samples->model, samples->run);
	csv_row_number(row, samples->time_ns);
	csv_row_text(row, subject);
	csv_row_text(row, metric);
	csv_row_decimal(row, value, decimals);
	csv_keys_run(row, samples->keys, samples->run);
	csv_row_end(row);
}

static void write_point(struct samples *samples, const struct model_point *point)
{
	const struct sample_memory *memory = &point->memory;

	write_row(samples, "run", "rss_kb", memory->rss_kb, 0);
	write_row(samples, "run", "pss_kb", memory->pss_kb, 0);
	write_row(samples, "run", "uss_kb", memory->uss_kb, 0);
	write_row(samples, "run", "kernel_kb", memory->kernel_kb, 0);
	write_row(samples, "run", "estimated", memory->pss_kb < 0 ? -1 : memory->estimated, 0);
	write_row(samples, "run", "tasks", point->tasks, 0);
	write_row(samples, "run", "kernel_tables_kb", memory->kernel_tables_kb, 0);
	write_row(samples, "run", "kernel_stacks_kb", memory->kernel_stacks_kb, 0);
	write_row(samples, "run", "kernel_other_kb", memory->kernel_other_kb, 0);
	write_row(samples, "run", "kernel_estimated",
		  memory->kernel_other_kb < 0 ? -1 : memory->kernel_estimated, 0);
}

/* The run's own values at that time, if it has any; its points are in the order of time. */
static void write_points(struct samples *samples, int64_t time_ns)
{
	const struct model_run *run = samples->run;

	while (samples->point < run->n_points && run->points[samples->point].time_ns < time_ns)
		samples->point++;
	while (samples->point < run->n_points && run->points[samples->point].time_ns == time_ns)
		write_point(samples, &run->points[samples->point++]);
}

/* Under the kernel's number, which machines that were joined have each its own of. */
static void write_core(struct samples *samples, const struct sample_core *core, uint32_t column)
{
	const struct model *model = samples->model;
	char subject[16];

	snprintf(subject, sizeof(subject), "core%d", model->cpus ? model->cpus[column] : core->cpu);
	write_row(samples, subject, "user_percent", core->user, 1);
	write_row(samples, subject, "system_percent", core->system, 1);
	write_row(samples, subject, "iowait_percent", core->iowait, 1);
	write_row(samples, subject, "steal_percent", core->steal, 1);
}

static void write_load(struct samples *samples, size_t row, uint64_t self_us)
{
	const struct model *model = samples->model;
	const struct model_load *load = &model->loads[row];

	samples->time_ns = load->time_ns - samples->run->begin_ns;
	write_points(samples, load->time_ns);
	for (uint32_t i = 0; i < model->n_cores; i++)
		write_core(samples, &model->cores[row * model->n_cores + i], i);
	write_row(samples, "tuibench", "self_cpu_ms", (int64_t)(load->self_cpu_us - self_us), 3);
}

static void write_run(struct samples *samples)
{
	const struct model *model = samples->model;
	const struct model_run *run = samples->run;
	long row = model_load_at(model, run->begin_ns), last = model_load_at(model, run->end_ns);
	uint64_t self_us = row < 0 ? 0 : model->loads[row].self_cpu_us;

	samples->point = 0;
	while (++row <= last)
		write_load(samples, (size_t)row, self_us);
}

int export_samples(const struct model *model, FILE *out)
{
	struct csv_keys *keys = csv_keys_new(model);
	struct samples samples = {.row = {.out = out}, .keys = keys, .model = model};

	if (!keys)
		return -ENOMEM;
	fputs("trial,model,time_ns,subject,metric,value,", out);
	csv_keys_names(&samples.row, keys);
	csv_row_end(&samples.row);
	while ((samples.run = csv_row_next_run(model, samples.run)) != NULL)
		write_run(&samples);
	csv_keys_free(keys);
	return report_finish(out);
}
