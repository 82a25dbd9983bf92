/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"

/*
 * Two workers hand a token back and forth. The token is a number that each of them checks and
 * increments. The first worker of each pair measures the time of every round trip.
 */

/*
 * Number of round trips between two checks for an absence from the core, because a check takes a µs
 * or two.
 */
#define TOKEN_LOOK 256

struct trip {
	const struct work_args *args;
	struct channel_end end;
	/* Durations of round trips; NULL for the second worker of a pair. */
	struct tally_sheet *sheet;
	uint64_t done;
};

/* The token of a trip. It is never 0, and always differs from the previous trip's token. */
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

/*
 * Plays all round trips of the first worker. Reads the clock once for each trip, and again after a
 * check.
 */
static int serve(struct trip *trip)
{
	uint64_t before_ns = clock_now_ns(), now_ns;
	int err = 0;

	for (; trip->done < trip->args->size; trip->done += !err) {
		if (err)
			break;
		err = channel_send(&trip->end, token_of(trip->done, 0));
		serve_wait(trip->args->serving->wait_ns);
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

static void play_fiber(void *arg)
{
	struct trip *trip = arg;

	int err;

	if (trip->sheet)
		err = serve(trip);
	else
		err = give_back(trip);
	fiber_ring_end(trip->end.fibers, err);
}

/* Runs all pairs in one thread. The two fibers of a pair are neighbours in the ring. */
static int run_fibers(const struct work_args *args, struct work_result *result)
{
	struct trip *trips = calloc(args->fibers, sizeof(*trips));
	struct tally_sheet *sheet = calloc(1, sizeof(*sheet));
	struct channel *channels = args->shared;
	struct fiber_ring ring;
	int err = -ENOMEM;

	if (trips && sheet) {
		for (uint32_t i = 0; i < args->fibers; i++) {
			trips[i] = (struct trip) {.args = args, .sheet = i % 2 ? NULL : sheet};
			channel_between(&trips[i].end, &channels[i / 2], (int)(i % 2), &ring);
		}
		err = fiber_ring_run(&ring, args->fibers, play_fiber, trips, sizeof(*trips));
		result->value = trips[0].done;
	}
	if (!err)
		tally_merge(args->tally, sheet);
	free(sheet);
	free(trips);
	return err;
}

static int run_token(const struct work_args *args, struct work_result *result)
{
	const bool first = args->index % 2 == 0;
	struct channel *channels = args->shared;
	struct trip trip = {.args = args};
	cpu_set_t set, core;
	int err = 0, cpu = 0;

	*result = (struct work_result) {.value = 0};
	if (args->via == VIA_UCONTEXT)
		return run_fibers(args, result);
	if (first) {
		trip.sheet = calloc(1, sizeof(*trip.sheet));
		if (!trip.sheet)
			return -ENOMEM;
	}
	/* Pins the workers to the first two cores that they may use, one each. */
	if (args->cores == VIA_TWO) {
		int skip = first ? 0 : 1;

		if (sched_getaffinity(0, sizeof(set), &set)) {
			err = -errno;
			CPU_ZERO(&set);
		}
		for (; cpu < CPU_SETSIZE - 1; cpu++)
			if (CPU_ISSET(cpu, &set) && skip-- == 0)
				break;
		CPU_ZERO(&core);
		CPU_SET(cpu, &core);
		if (!err && sched_setaffinity(0, sizeof(core), &core))
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

/* Number of players: workers, or fibers of one worker. */
static uint32_t token_players(const struct work_args *args)
{
	if (args->via == VIA_UCONTEXT)
		return args->fibers;
	return args->peers;
}

static size_t shared_bytes_token(const struct work_args *args)
{
	return (token_players(args) + 1) / 2 * sizeof(struct channel);
}

/*
 * Checks that the number of players is even, because a player without a partner would wait forever.
 */
static int prepare_token(const struct work_args *args, struct work_result *result)
{
	struct channel *channels = args->shared;
	const uint32_t players = token_players(args);
	int err = 0;

	if (players % 2 || args->via == VIA_NONE)
		err = -EINVAL;
	for (uint32_t i = 0; i < players / 2; i++) {
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
