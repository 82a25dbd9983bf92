/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include "work/work_own.h"

/* Number of calls of tuibench_tick() before the first check of the clock. */
#define OWN_STEPS 1

static void look_own(struct tuibench_worker *worker)
{
	worker->left = worker->steps = work_tick(worker->ticker, worker->steps);
}

static struct tuibench_worker worker_of(const struct work_args *args)
{
	return (struct tuibench_worker) {
		.size = args->size,
		.index = args->index,
		.workers = args->peers,
		.data = args->own->data,
		.shared = args->shared,
		.look = look_own,
		.left = args->ticker ? OWN_STEPS : UINT64_MAX,
		.steps = OWN_STEPS,
		.ticker = args->ticker,
	};
}

/* Returns -errno for an errno of either sign, and -WORK_OWN_NO_ERRNO for any other value. */
static int error_of(int returned)
{
	if (returned > -WORK_OWN_NO_ERRNO && returned < WORK_OWN_NO_ERRNO) {
		if (returned < 0)
			return returned;
		return -returned;
	}
	return -WORK_OWN_NO_ERRNO;
}

static size_t shared_bytes_own(const struct work_args *args)
{
	return args->own->work->shared_bytes;
}

static int prepare_own(const struct work_args *args, struct work_result *result)
{
	struct tuibench_worker worker = worker_of(args);
	int err;

	if (!args->own->work->prepare)
		return 0;
	worker.left = UINT64_MAX;
	err = error_of(args->own->work->prepare(&worker));
	args->own->data = worker.data;
	if (err)
		result->path = "prepare() of --own";
	else
		result->path = NULL;
	return err;
}

static int run_own(const struct work_args *args, struct work_result *result)
{
	struct tuibench_worker worker = worker_of(args);
	int err = error_of(args->own->work->run(&worker));

	result->value = worker.result;
	return err;
}

const struct workload_ops work_own_ops = {
	.about = "run the function of --own",
	.amount = "UNITS, as your function counts them",
	.unit = "units",
	.default_size = 1,
	.ticks = true,
	.shared_bytes = shared_bytes_own,
	.prepare = prepare_own,
	.run = run_own,
};
