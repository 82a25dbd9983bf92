/* SPDX-License-Identifier: MIT */
#include "export/export.h"
#include "report/report.h"

#include "report/tidy.h"

/* A tick of a run that is being written. */
struct samples {
	struct tidy tidy;
	const struct model *model;
	const struct model_run *run;
	int64_t time_ns; /* since the run's begin */
	size_t point;	 /* of the run, the next that was not written */
};

/* The cells before the value. */
static struct tidy *write_key(struct samples *samples, const char *subject, const char *metric)
{
	struct tidy *tidy = &samples->tidy;

	tidy_run(tidy, samples->model, samples->run);
	tidy_number(tidy, samples->time_ns);
	tidy_text(tidy, subject);
	tidy_text(tidy, metric);
	return tidy;
}

static void write_number(struct samples *samples, const char *subject, const char *metric,
			 int64_t value)
{
	tidy_number(write_key(samples, subject, metric), value);
	tidy_end(&samples->tidy);
}

static void write_percent(struct samples *samples, const char *subject, const char *metric,
			  int64_t tenths)
{
	tidy_decimal(write_key(samples, subject, metric), tenths, 1);
	tidy_end(&samples->tidy);
}

static void write_point(struct samples *samples, const struct model_point *point)
{
	const struct sample_memory *memory = &point->memory;

	write_number(samples, "run", "rss_kb", memory->rss_kb);
	write_number(samples, "run", "pss_kb", memory->pss_kb);
	write_number(samples, "run", "uss_kb", memory->uss_kb);
	write_number(samples, "run", "kernel_kb", memory->kernel_kb);
	write_number(samples, "run", "estimated", memory->estimated);
	write_number(samples, "run", "tasks", point->tasks);
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

static void write_core(struct samples *samples, const struct sample_core *core)
{
	char subject[16];

	snprintf(subject, sizeof(subject), "core%d", core->cpu);
	write_percent(samples, subject, "user_percent", core->user);
	write_percent(samples, subject, "system_percent", core->system);
	write_percent(samples, subject, "iowait_percent", core->iowait);
	write_percent(samples, subject, "steal_percent", core->steal);
}

/* What the front end had used before the run. */
static uint64_t self_before(const struct model *model, const struct model_run *run)
{
	long load = model_load_at(model, run->begin_ns);

	return load < 0 ? 0 : model->loads[load].self_cpu_us;
}

static void write_load(struct samples *samples, size_t row, uint64_t self_us)
{
	const struct model *model = samples->model;
	const struct model_load *load = &model->loads[row];

	samples->time_ns = load->time_ns - samples->run->begin_ns;
	write_points(samples, load->time_ns);
	for (uint32_t i = 0; i < model->n_cores; i++)
		write_core(samples, &model->cores[row * model->n_cores + i]);
	tidy_decimal(write_key(samples, "tuibench", "self_cpu_ms"),
		     (int64_t)(load->self_cpu_us - self_us), 3);
	tidy_end(&samples->tidy);
}

static void write_run(struct samples *samples)
{
	const struct model *model = samples->model;
	const struct model_run *run = samples->run;
	long last = model_load_at(model, run->end_ns);
	uint64_t self_us = self_before(model, run);

	samples->point = 0;
	for (long row = model_load_at(model, run->begin_ns) + 1; row <= last; row++)
		write_load(samples, (size_t)row, self_us);
}

int export_samples(const struct model *model, FILE *out)
{
	struct samples samples = {.tidy = {.out = out}, .model = model};

	fputs("trial,model,time_ns,subject,metric,value\n", out);
	while ((samples.run = tidy_next_run(model, samples.run)) != NULL)
		write_run(&samples);
	return report_finish(out);
}
