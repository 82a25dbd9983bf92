/* SPDX-License-Identifier: MIT */
#include "model_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "model_core_lanes.h"

enum model_state model_lane_after(const struct sample_slice *slice)
{
	switch ((enum sample_why)slice->why) {
	case WHY_PREEMPTED:
		return STATE_WAITING;
	case WHY_BLOCKED:
		return STATE_BLOCKED;
	case WHY_ENDED:
		return STATE_NONE;
	default:
		return STATE_UNKNOWN;
	}
}

int64_t model_lane_ready(const struct sample_slice *slice, const struct sample_slice *next,
			 int64_t off_ns, int64_t to_ns)
{
	if (!next || slice->why != WHY_BLOCKED || next->ready_ns < slice->off_ns)
		return to_ns;
	return MAX(off_ns, MIN(next->ready_ns, to_ns));
}

size_t model_lane_begun(const struct model_lane *lane, int64_t t_ns)
{
	size_t low = 0, high = lane->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lane->slices[middle].on_ns <= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The time of the first n slices, and of what lies between them, until t_ns. */
static struct lane_time sum(const struct model_lane *lane, size_t n, int64_t t_ns)
{
	struct lane_time time = {{0}};
	size_t block = (n - 1) / LANE_BLOCK;

	if (n == 0)
		return time;
	if (block > 0)
		time = lane->blocks[block - 1];
	for (size_t i = block * LANE_BLOCK; i < n; i++) {
		const struct sample_slice *slice = &lane->slices[i];
		int64_t next = i + 1 < n ? slice[1].on_ns : t_ns;
		int64_t off = slice->off_ns < 0 ? next : MIN(slice->off_ns, next);
		int64_t ready =
			model_lane_ready(slice, i + 1 < lane->n ? slice + 1 : NULL, off, next);

		time.ns[STATE_ON] += off - slice->on_ns;
		time.ns[model_lane_after(slice)] += ready - off;
		time.ns[STATE_WAITING] += next - ready;
	}
	return time;
}

struct lane_time model_lane_until(const struct model_lane *lane, int64_t t_ns)
{
	return sum(lane, model_lane_begun(lane, t_ns), t_ns);
}

/* Sums up to the blocks that begin at slice i or behind it. */
static void sum_blocks(struct model_lane *lane, size_t i)
{
	size_t block = MAX(1, (i + LANE_BLOCK - 1) / LANE_BLOCK);

	for (i = block * LANE_BLOCK; i < lane->n; i += LANE_BLOCK)
		lane->blocks[i / LANE_BLOCK - 1] = sum(lane, i, lane->slices[i].on_ns);
}

static bool room(struct model_lane *lane)
{
	struct sample_slice *slices =
		array_room(lane->slices, lane->n, &lane->cap, sizeof(*slices));
	struct lane_time *blocks;

	if (!slices)
		return false;
	lane->slices = slices;
	if (lane->n < LANE_BLOCK)
		return true;
	blocks = array_room(lane->blocks, lane->n / LANE_BLOCK - 1, &lane->cap_blocks,
			    sizeof(*blocks));
	if (!blocks)
		return false;
	lane->blocks = blocks;
	return true;
}

int model_lane_add(struct model_lane *lane, const struct sample_slice *slice)
{
	size_t i = lane->n;

	if (!room(lane))
		return -ENOMEM;
	while (i > 0 && lane->slices[i - 1].on_ns > slice->on_ns)
		i--;
	memmove(lane->slices + i + 1, lane->slices + i, (lane->n - i) * sizeof(*slice));
	lane->slices[i] = *slice;
	lane->n++;
	sum_blocks(lane, i);
	return 0;
}

/* The open slice of the lane is told again. */
static void drop_open(struct model_lane *lane)
{
	if (lane->n > 0 && lane->slices[lane->n - 1].open)
		lane->n--;
}

bool model_lane_fits(const struct model_lane *lane, const struct sample_slice *slice)
{
	if (slice->on_ns < 0 || (slice->off_ns >= 0 && slice->off_ns < slice->on_ns))
		return false;
	return lane->n == 0 || slice->on_ns >= lane->slices[lane->n - 1].off_ns;
}

static int take(struct model_run *run, const struct sample_slice *slice)
{
	struct model_lane *lane;
	int err;

	if (slice->index == SAMPLE_OTHERS)
		return model_core_lanes_others(run->cores, slice);
	if (slice->index >= run->n_workers)
		return -EPROTO;
	lane = &run->lanes[slice->index];
	drop_open(lane);
	if (!model_lane_fits(lane, slice))
		return -EPROTO;
	err = model_lane_add(lane, slice);
	if (!err && !slice->open)
		model_core_lanes_add(run->cores, lane, slice->index);
	return err;
}

static bool begin(struct model_run *run)
{
	if (!run->lanes)
		run->lanes = calloc(run->n_workers, sizeof(*run->lanes));
	if (!run->cores)
		run->cores = model_core_lanes_new(run->n_workers);
	return run->lanes && run->cores;
}

int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n)
{
	int err = 0;

	if (n > 0 && !begin(run))
		return -ENOMEM;
	for (uint32_t i = 0; i < n && err != -ENOMEM; i++) {
		int one = take(run, &slices[i]);

		err = one ? one : err;
	}
	return err;
}

void model_lanes_free(struct model_lane *lanes, uint32_t n)
{
	for (uint32_t i = 0; lanes && i < n; i++) {
		free(lanes[i].slices);
		free(lanes[i].blocks);
	}
	free(lanes);
}

/* The slices tell of every switch. */
static bool has_all(const struct model *model, const struct model_run *run)
{
	return run->lanes && strcmp(model->session.sched, "perf") == 0 &&
	       run->totals.slices_lost == 0;
}

int64_t model_lane_migrations(const struct model *model, const struct model_run *run,
			      uint32_t worker)
{
	int64_t migrations = model_known(run, worker)->migrations;
	const struct model_lane *lane;

	if (migrations >= 0 || run->end_ns == INT64_MAX || !has_all(model, run))
		return migrations;
	lane = &run->lanes[worker];
	if (lane->n > 0)
		migrations = 0;
	for (size_t i = 1; i < lane->n; i++)
		migrations += lane->slices[i].cpu != lane->slices[i - 1].cpu;
	return migrations;
}
