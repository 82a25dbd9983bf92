/* SPDX-License-Identifier: MIT */
#include "stage/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/synthetic.h"

/* PID of the first task of a run. */
#define FIRST_PID 1000

static int keep_session(void *arg, const struct sample *sample)
{
	*(struct sample *)arg = *sample;
	return 1;
}

uint32_t programs_task(struct programs_run *run, int parent, bool thread, const char *name,
		       int64_t begin_ns, int64_t end_ns)
{
	const uint32_t at = run->n_tasks++;
	struct sample_task *task = &run->tasks[at];

	if (at >= PROGRAMS_TASKS)
		abort();
	*task = (struct sample_task) {.index = 1 + at,
				      .parent = parent < 0 ? -1 : 1 + parent,
				      .pid = FIRST_PID + (int32_t)(thread ? (uint32_t)parent : at),
				      .tid = FIRST_PID + (int32_t)at,
				      .exit_status = thread ? -1 : 0,
				      .begin_ns = begin_ns,
				      .end_ns = end_ns,
				      .cpu_ns = 0,
				      .waited_ns = -1};
	snprintf(task->name, sizeof(task->name), "%s", name);
	return at;
}

void programs_slice(struct programs_run *run, uint32_t task, int64_t on_ns, int64_t off_ns,
		    enum sample_why why, int waited)
{
	if (run->n_slices >= PROGRAMS_SLICES)
		abort();
	run->slices[run->n_slices++] = (struct sample_slice) {.on_ns = on_ns,
							      .off_ns = off_ns,
							      .index = 1 + task,
							      .cpu = (int16_t)(task % 2),
							      .why = (uint8_t)why,
							      .waker = -1,
							      .waited = (int16_t)waited,
							      .ready_ns = -1};
	run->tasks[task].cpu_ns += off_ns - on_ns;
}

/* Makes the command's worker: it is created, becomes the program, and is joined. */
static struct sample_worker make_worker(const struct programs_run *run)
{
	struct sample_worker worker = sample_worker_unknown;

	worker.create_ns = 0;
	worker.created_ns = worker.start_ns = worker.work_ns = 1000;
	worker.finish_ns = worker.join_ns = run->elapsed_ns;
	worker.status = SAMPLE_OK;
	worker.user_us = run->cpu_ns < 0 ? 0 : (uint32_t)(run->cpu_ns / 1000);
	worker.pid = worker.tid = FIRST_PID;
	return worker;
}

static struct sample_totals make_totals(const struct programs *programs,
					const struct programs_run *run, int64_t begin_ns)
{
	struct sample_totals totals = {0};

	fields_unknown(sample_totals_fields, &totals);
	totals.status = SAMPLE_OK;
	totals.begin_ns = begin_ns;
	totals.go_ns = -1;
	totals.held_ns = 0;
	totals.elapsed_ns = run->elapsed_ns;
	totals.create_ns = 1000;
	totals.workers = totals.created = totals.finished = totals.joined = totals.peak_alive = 1;
	totals.failed = 0;
	totals.paused = totals.repeated = false;
	totals.user_us = run->cpu_ns < 0 ? -1 : run->cpu_ns / 1000;
	totals.system_us = run->cpu_ns < 0 ? -1 : 0;
	totals.slices_lost = programs->slices_lost;
	totals.tasks_created = run->n_tasks;
	totals.tasks_lost = 0;
	totals.left_running = 0;
	totals.fault = 0;
	totals.reason[0] = totals.others_who[0] = '\0';
	return totals;
}

int programs_play(const struct programs *programs,
		  int (*take)(void *arg, const struct sample *sample), void *arg)
{
	struct sample_case cases[2];
	struct sample sample, session;
	struct synthetic synthetic;
	struct programs_run *run = calloc(1, sizeof(*run));
	int64_t now_ns = 1000000;
	int err;

	if (!run)
		abort();
	synthetic_mixed(&synthetic, programs->trials);
	synthetic.experiment = "command";
	synthetic.title = "2 programs";
	synthetic_play(&synthetic, keep_session, &session);
	for (int i = 0; i < 2; i++) {
		cases[i] = synthetic.list[0];
		snprintf(cases[i].model, sizeof(cases[i].model), "%s", i == 0 ? "a" : "b");
		strcpy(cases[i].command, i == 0 ? "./a" : "./b");
		cases[i].plan =
			(struct plan) {.levels = 1, .fanout = {1}, .leaves = {[WORK_PROGRAM] = 1}};
		cases[i].plan.task[0] = PLAN_PROCESS;
	}
	session.session.cases = 2;
	session.session.cases_list = cases;
	session.session.warmup = 0;
	snprintf(session.session.sched, sizeof(session.session.sched), "%s",
		 programs->sched ? programs->sched : "perf");
	snprintf(session.session.tasks_by, sizeof(session.session.tasks_by), "%s",
		 programs->tasks_by ? programs->tasks_by : "perf");
	err = take(arg, &session);
	for (uint32_t i = 0; i < 2 * programs->trials && !err; i++) {
		struct sample_change change = {.index = 0};

		*run = (struct programs_run) {.id = {.run = i,
						     .trial = 1 + i / 2,
						     .case_id = i / 2 % 2 == 0 ? i % 2 : 1 - i % 2,
						     .planned = 2 * programs->trials},
					      .cpu_ns = -1};
		programs->fill(run, programs->arg);
		sample = (struct sample) {
			.kind = SAMPLE_RUN_BEGIN, .time_ns = now_ns, .run = run->id};
		err = take(arg, &sample);
		sample.kind = SAMPLE_TASKS;
		sample.time_ns = now_ns + run->elapsed_ns;
		sample.tasks.n = run->n_tasks;
		sample.tasks.list = run->tasks;
		if (!err && run->n_tasks > 0)
			err = take(arg, &sample);
		sample.kind = SAMPLE_SLICES;
		sample.slices.n = run->n_slices;
		sample.slices.list = run->slices;
		if (!err && run->n_slices > 0)
			err = take(arg, &sample);
		sample.kind = SAMPLE_RUN_END;
		memset(&sample.end, 0, sizeof(sample.end));
		change.worker = make_worker(run);
		sample.end.totals = make_totals(programs, run, now_ns);
		sample.end.n_workers = 1;
		sample.end.workers = &change;
		if (!err)
			err = take(arg, &sample);
		now_ns += run->elapsed_ns + 50000000;
	}
	sample = (struct sample) {.kind = SAMPLE_DONE, .time_ns = now_ns};
	if (!err)
		err = take(arg, &sample);
	free(run);
	return err;
}

static int apply_sample(void *arg, const struct sample *sample)
{
	return model_apply(arg, sample);
}

void programs_model(const struct programs *programs, struct model *model)
{
	model_init(model);
	if (programs_play(programs, apply_sample, model) != 0)
		abort();
}
