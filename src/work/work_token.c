/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"

/*
 * Two workers hand a token back and forth, a number that each of them checks and counts up. Of each
 * pair the first one takes the time of every round trip.
 */

/* Round trips between two looks at where they were: each look takes a µs or two. */
#define TOKEN_LOOK 256

struct trip {
	const struct work_args *args;
	struct channel_end end;
	struct tally_sheet *sheet; /* of the first of a pair; the other has none */
	uint64_t done;
};

/* Never 0, and never that of the trip before. */
static uint32_t token_of(uint64_t trip, uint32_t side)
{
	return (uint32_t)(2 * trip + 1 + side) | 1u << 31;
}

static int expect(struct trip *trip, uint32_t wanted)
{
	uint32_t found;
	int err = channel_receive(&trip->end, &found);

	if (err)
		return err;
	if (found == wanted)
		return 0;
	return -EILSEQ;
}

/* Sends it away and has it back; the clock is read once a trip. */
static int serve(struct trip *trip)
{
	uint64_t before_ns = clock_now_ns(), now_ns;
	int err = 0;

	for (; trip->done < trip->args->size; trip->done += !err) {
		if (err)
			break;
		err = channel_send(&trip->end, token_of(trip->done, 0));
		if (!err)
			err = expect(trip, token_of(trip->done, 1));
		now_ns = clock_now_ns();
		tally_note(trip->sheet, now_ns - before_ns);
		before_ns = now_ns;
		if (trip->done % TOKEN_LOOK == 0 && !err) {
			work_tick(trip->args->ticker, 1);
			before_ns = clock_now_ns();
		}
	}
	return err;
}

static int give_back(struct trip *trip)
{
	int err = 0;

	for (; trip->done < trip->args->size; trip->done++) {
		err = expect(trip, token_of(trip->done, 0));
		if (!err)
			err = channel_send(&trip->end, token_of(trip->done, 1));
		if (err)
			break;
	}
	return err;
}

static int run_token(const struct work_args *args, struct work_result *result)
{
	const bool first = args->index % 2 == 0;
	struct channel *channels = args->shared;
	struct trip trip = {.args = args};
	cpu_set_t set, one;
	int err = 0, cpu = 0;

	*result = (struct work_result) {.value = 0};
	if (first) {
		trip.sheet = calloc(1, sizeof(*trip.sheet));
		if (!trip.sheet)
			return -ENOMEM;
	}
	/* Each on one of the cores that it may use, in their order. */
	if (args->cores == VIA_TWO) {
		int skip = first ? 0 : 1;

		if (sched_getaffinity(0, sizeof(set), &set)) {
			err = -errno;
			CPU_ZERO(&set);
		}
		for (; cpu < CPU_SETSIZE - 1; cpu++)
			if (CPU_ISSET(cpu, &set) && skip-- == 0)
				break;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!err && sched_setaffinity(0, sizeof(one), &one))
			err = -errno;
	}
	if (!err)
		err = channel_meet(&trip.end, &channels[args->index / 2], args);
	if (!err) {
		if (first)
			err = serve(&trip);
		else
			err = give_back(&trip);
	}
	if (!err && first)
		tally_merge(args->tally, trip.sheet);
	free(trip.sheet);
	result->value = trip.done;
	return err;
}

static size_t shared_bytes_token(const struct work_args *args)
{
	return (args->peers + 1) / 2 * sizeof(struct channel);
}

/* A worker without another would wait for ever. */
static int prepare_token(const struct work_args *args, struct work_result *result)
{
	struct channel *channels = args->shared;
	int err = args->peers % 2 || args->via == VIA_NONE ? -EINVAL : 0;

	for (uint32_t i = 0; i < args->peers / 2; i++) {
		if (err)
			break;
		err = channel_open(&channels[i], args->via);
	}
	return err;
}

const struct workload_ops work_token_ops = {
	.about = "play ping-pong with a token, in pairs",
	.amount = "ROUND TRIPS",
	.unit = "round trips",
	.default_size = 2500,
	.most_size = 1u << 30,
	.ticks = true,
	.talks = true,
	.shared_bytes = shared_bytes_token,
	.prepare = prepare_token,
	.run = run_token,
};
