/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "source/source.h"

#define MOST_CORES 64
/* The pause between two looks at what is going on, and at the deadline. */
#define LOOK_MS	 5
#define PAUSE_MS 50

struct loop {
	struct check_session *session;
	struct source *source;
	bool holds; /* before the first run */
	bool over;
	int err;
};

uint32_t check_session_cores(const struct machine *machine)
{
	int32_t cores = machine->cores_allowed > 0 ? machine->cores_allowed : 1;

	if (machine->cpu_quota > 0 && machine->cpu_quota < cores)
		cores = (int32_t)fmax(1, machine->cpu_quota);
	return (uint32_t)(cores < MOST_CORES ? cores : MOST_CORES);
}

struct request check_session_request(const struct machine *machine, uint64_t work)
{
	struct request request;

	request_init(&request);
	request.experiment = "mixed";
	request.models = "threads";
	for (int i = 0; i < WORK_KINDS; i++)
		request.workers[i] = 0;
	request.workers[WORK_CPU] = check_session_cores(machine);
	request.work_size[WORK_CPU] = work;
	request.seed = clock_now_ns(); /* of who goes first */
	request.command = "tuibench --self-test";
	return request;
}

static int take_sample(void *arg, const struct sample *sample)
{
	struct loop *loop = arg;
	struct check_session *session = loop->session;
	int err = model_apply(&session->model, sample);

	if (err == -ENOMEM)
		loop->err = err;
	if (session->look)
		session->look(session->arg, &session->model, sample);
	/* It holds once it has learnt what the kernel takes, for which it creates tasks. */
	if (loop->holds && sample->kind == SAMPLE_TICK) {
		loop->holds = false;
		session->before(session->arg);
		loop->source->ops->control(loop->source, SOURCE_START);
	}
	if (sample->kind == SAMPLE_RUN_BEGIN)
		session->host->show(session->host, session->what,
				    session->done + sample->run.run + 1,
				    session->of ? session->of : sample->run.planned);
	loop->over |= sample->kind == SAMPLE_DONE || loop->err;
	return loop->over;
}

static void stop_session(struct loop *loop, int err)
{
	loop->err = loop->err ? loop->err : err;
	if (loop->source->ops->control(loop->source, SOURCE_STOP))
		loop->over = true;
}

static void wait_for_sample(struct loop *loop)
{
	struct check_session *session = loop->session;
	struct pollfd fds[] = {
		{.fd = loop->source->ops->fd(loop->source), .events = POLLIN},
		{.fd = session->host->fd, .events = POLLIN},
	};
	int err;

	if (fds[0].fd < 0) {
		loop->over = true;
		return;
	}
	if (poll(fds, 2, session->look ? LOOK_MS : PAUSE_MS) < 0 && errno != EINTR)
		loop->err = -errno;
	if (fds[1].revents && !session->host->take(session->host, loop->source)) {
		loop->over |= loop->err == -EINTR; /* the second does not wait for its end */
		stop_session(loop, -EINTR);
	}
	if (!loop->err && clock_now_ns() >= session->deadline_ns)
		stop_session(loop, -ETIMEDOUT);
	if (session->look)
		session->look(session->arg, &session->model, NULL);
	if (!fds[0].revents)
		return;
	err = loop->source->ops->pump(loop->source, take_sample, loop);
	if (err < 0) {
		loop->err = err;
		loop->over = true;
	}
}

int check_session_run(struct check_session *session, const struct request *request, char *error,
		      size_t size)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));
	struct loop loop = {.session = session, .holds = session->before != NULL};
	struct request held = *request;

	model_init(&session->model);
	snprintf(error, size, "out of memory");
	if (!experiment)
		return -ENOMEM;
	held.hold = loop.holds;
	loop.err = experiment_build(&held, experiment, error, size);
	if (!loop.err) {
		if (session->second_work > 0 && experiment->n_cases > 1)
			experiment->cases[1].work_size[WORK_CPU] = session->second_work;
		loop.source = source_live_open(experiment, NULL, error, size);
		loop.err = loop.source ? 0 : -ENOENT;
	}
	if (loop.source) {
		while (!loop.over)
			wait_for_sample(&loop);
		loop.source->ops->close(loop.source);
		if (loop.err)
			snprintf(error, size, "%s", strerror(-loop.err));
	}
	free(experiment);
	return loop.err;
}

double check_session_cpu_ns(const struct model *model)
{
	double sum = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!model_ended(model, run) || run->totals.status != SAMPLE_OK)
			return NAN;
		sum += metric_value(run, METRIC_CPU);
	}
	return sum;
}
