/* SPDX-License-Identifier: MIT */
#include "model_lanes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* The open slice of the lane is told again. */
static void drop_open(struct model_lane *lane)
{
	if (lane->n > 0 && lane->slices[lane->n - 1].off_ns < 0)
		lane->n--;
}

static bool fits(const struct model_lane *lane, const struct sample_slice *slice)
{
	if (slice->on_ns < 0 || (slice->off_ns >= 0 && slice->off_ns < slice->on_ns))
		return false;
	return lane->n == 0 || slice->on_ns >= lane->slices[lane->n - 1].off_ns;
}

static int take(struct model_run *run, const struct sample_slice *slice)
{
	struct model_lane *lane;
	struct sample_slice *slices;

	if (slice->index >= run->n_workers)
		return -EPROTO;
	lane = &run->lanes[slice->index];
	drop_open(lane);
	if (!fits(lane, slice))
		return -EPROTO;
	slices = array_room(lane->slices, lane->n, &lane->cap, sizeof(*slices));
	if (!slices)
		return -ENOMEM;
	lane->slices = slices;
	slices[lane->n++] = *slice;
	return 0;
}

int model_lanes_take(struct model_run *run, const struct sample_slice *slices, uint32_t n)
{
	int err = 0;

	if (!run->lanes && n > 0)
		run->lanes = calloc(run->n_workers, sizeof(*run->lanes));
	if (!run->lanes && n > 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < n && err != -ENOMEM; i++) {
		int one = take(run, &slices[i]);

		err = one ? one : err;
	}
	return err;
}

void model_lanes_free(struct model_lane *lanes, uint32_t n)
{
	for (uint32_t i = 0; lanes && i < n; i++)
		free(lanes[i].slices);
	free(lanes);
}
