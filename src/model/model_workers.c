/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

/* This file stores a run's workers, and answers queries about them as of the cursor. */

/* n copies of the bytes [from, from + size) of sample_worker_unknown. NULL if memory is short. */
static char *unknown_members(size_t n, size_t from, size_t size)
{
	char *members = malloc(n * size);

	if (!members)
		return NULL;
	for (size_t i = 0; i < n; i++)
		memcpy(members + i * size, (const char *)&sample_worker_unknown + from, size);
	return members;
}

int model_workers_put(struct model_workers *workers, uint32_t all, uint32_t index,
		      const struct sample_worker *worker)
{
	const bool counts =
		memcmp(&worker->cycles, &sample_worker_unknown.cycles, MODEL_COUNTS) != 0;
	const size_t place = index % MODEL_BLOCK, n = MIN(MODEL_BLOCK, all - index + place);
	struct model_block *block;

	if (!workers->blocks) {
		workers->n_blocks = (all + MODEL_BLOCK - 1) / MODEL_BLOCK;
		workers->blocks = calloc(workers->n_blocks, sizeof(*block));
		workers->bytes = workers->n_blocks * sizeof(*block);
	}
	if (!workers->blocks)
		return -ENOMEM;
	block = &workers->blocks[index / MODEL_BLOCK];
	if (!block->lives) {
		block->lives = unknown_members(n, 0, MODEL_LIFE);
		workers->bytes += n * MODEL_LIFE;
	}
	if (counts && !block->counts) {
		block->counts = unknown_members(n, MODEL_LIFE, MODEL_COUNTS);
		workers->bytes += n * MODEL_COUNTS;
	}
	if (!block->lives || (counts && !block->counts))
		return -ENOMEM;
	memcpy(block->lives + place * MODEL_LIFE, worker, MODEL_LIFE);
	if (block->counts)
		memcpy(block->counts + place * MODEL_COUNTS, &worker->cycles, MODEL_COUNTS);
	return 0;
}

void model_workers_free(struct model_workers *workers)
{
	if (workers->blocks)
		for (size_t i = 0; i < workers->n_blocks; i++) {
			free(workers->blocks[i].lives);
			free(workers->blocks[i].counts);
		}
	free(workers->blocks);
	*workers = (struct model_workers) {.gone = true};
}

void model_workers_move(struct model_workers *workers, uint32_t all, model_move *move, void *arg)
{
	if (!workers->blocks)
		return;
	for (size_t i = 0; i < workers->n_blocks; i++) {
		struct model_block *block = &workers->blocks[i];
		const size_t n = MIN(MODEL_BLOCK, all - i * MODEL_BLOCK);

		block->lives = move(arg, block->lives, n * MODEL_LIFE);
		block->counts = move(arg, block->counts, n * MODEL_COUNTS);
	}
	workers->blocks = move(arg, workers->blocks, workers->n_blocks * sizeof(*workers->blocks));
}

/* The time of a worker's end, since the run's beginning; -1: not known. */
static int64_t worker_end(const struct sample_worker *worker)
{
	if (worker->finish_ns >= 0)
		return worker->finish_ns;
	if (worker->join_ns >= 0)
		return worker->join_ns;
	if (worker->status == SAMPLE_REFUSED)
		return worker->created_ns;
	return -1;
}

static bool has_happened(int64_t time_ns, int64_t now_ns)
{
	return time_ns >= 0 && time_ns <= now_ns;
}

/* The time, or -1 if the time is after now_ns. */
static int64_t time_if_happened(int64_t time_ns, int64_t now_ns)
{
	if (has_happened(time_ns, now_ns))
		return time_ns;
	return -1;
}

struct sample_worker model_worker(const struct model *model, const struct model_run *run,
				  uint32_t index)
{
	int64_t now_ns = model->now_ns - run->begin_ns;
	const struct sample_worker all = model_known(run, index);
	int64_t end_ns = worker_end(&all);
	struct sample_worker worker;

	if (model_ended(model, run))
		return all;
	/* Only its join shows how a killed worker ended, but the worker's lane shows when. */
	if (all.finish_ns < 0 && model_lane_end(run, index) >= 0)
		end_ns = model_lane_end(run, index);
	if (has_happened(end_ns, now_ns))
		worker = all;
	else
		worker = sample_worker_unknown;
	worker.create_ns = time_if_happened(all.create_ns, now_ns);
	worker.created_ns = time_if_happened(all.created_ns, now_ns);
	worker.start_ns = time_if_happened(all.start_ns, now_ns);
	worker.work_ns = time_if_happened(all.work_ns, now_ns);
	worker.finish_ns = time_if_happened(all.finish_ns, now_ns);
	worker.join_ns = time_if_happened(all.join_ns, now_ns);
	worker.pid = worker.tid = -1;
	worker.cpu_first = worker.parent_cpu = -1;
	if (worker.created_ns >= 0 || worker.start_ns >= 0)
		worker.pid = all.pid;
	if (worker.start_ns >= 0) {
		worker.tid = all.tid;
		worker.cpu_first = all.cpu_first;
	}
	if (worker.create_ns >= 0)
		worker.parent_cpu = all.parent_cpu;
	return worker;
}

struct model_counts model_counts_until(const struct model_run *run, int64_t now_ns)
{
	struct model_counts counts = {0};
	bool ended = now_ns == INT64_MAX;

	for (uint32_t i = 0; i < run->n_workers; i++) {
		const struct sample_worker worker = model_known(run, i);
		bool refused = worker.status == SAMPLE_REFUSED;
		bool over = has_happened(worker_end(&worker), now_ns);
		bool started = has_happened(worker.start_ns, now_ns);
		int same_core = sample_worker_same_core(&worker);
		/* A task may run, and even end, before its create call has returned. */
		bool exists = has_happened(sample_worker_begin(&worker), now_ns);

		counts.created += exists;
		counts.started += started;
		counts.finished += has_happened(worker.finish_ns, now_ns);
		counts.joined += has_happened(worker.join_ns, now_ns);
		counts.failed += (over || ended) && (refused || worker.status == SAMPLE_FAILED ||
						     worker.status == SAMPLE_CRASHED);
		counts.alive += exists && !over && !ended;
		counts.placed += started && same_core >= 0;
		counts.same_core += started && same_core > 0;
	}
	return counts;
}

struct model_counts model_counts(const struct model *model, const struct model_run *run)
{
	if (model_ended(model, run))
		return run->final;
	return model_counts_until(run, model->now_ns - run->begin_ns);
}

int64_t model_migrations(const struct model *model, const struct model_run *run, uint32_t worker)
{
	if (!model_ended(model, run))
		return model_worker(model, run, worker).migrations;
	return model_lane_migrations(model, run, worker);
}
