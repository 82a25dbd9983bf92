/* SPDX-License-Identifier: MIT */
#include "work/work_tick.h"

#include <sched.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "core/sample_slice.h"
#include "work_parts.h"

#define STEPS_MOST (UINT64_C(1) << 20)
/*
 * Largest number of attempts to read the counters without a context switch in between. Under a
 * debugger or strace, each call is a context switch, so every attempt would fail.
 */
#define READ_TRIES 8

struct tick_reading {
	uint64_t now_ns;  /* time of the reading */
	uint64_t used_ns; /* CPU time, including the current slice */
	/* CPU time up to the last switch or, if that was later, up to the kernel's last tick */
	uint64_t before_us;
	long voluntary, forced;
};

/*
 * Reads the counters. If the thread was switched out during the reading, reads again, because the
 * values would be of different moments.
 */
static void read_counters(const struct work_ticker *ticker, struct tick_reading *reading)
{
	for (int i = 0; i < READ_TRIES; i++) {
		/*
		 * Call getrusage() before reading the thread's clock. Until that clock is read,
		 * getrusage() reports the CPU time up to when the thread last left its core, or up
		 * to the kernel's last tick. Reading the clock adds the time since then.
		 */
		struct rusage usage;

		reading->now_ns = clock_now_ns();
		getrusage(RUSAGE_THREAD, &usage);
		reading->before_us = clock_us(usage.ru_utime) + clock_us(usage.ru_stime);
		reading->voluntary = usage.ru_nvcsw;
		reading->forced = usage.ru_nivcsw;
		reading->used_ns = clock_thread_ns();
		if (!work_watch_was_away() &&
		    clock_now_ns() - reading->now_ns <= WORK_TICK_GAP * ticker->tick_ns)
			break;
	}
}

static void keep(struct work_ticker *ticker, const struct tick_reading *reading)
{
	ticker->read_ns = reading->now_ns;
	ticker->used_ns = reading->used_ns;
	ticker->voluntary = reading->voluntary;
	ticker->forced = reading->forced;
}

static void begin_slice(struct work_ticker *ticker, uint64_t on_ns, int cpu)
{
	ticker->on_ns = on_ns;
	ticker->cpu = cpu;
	slices_begin(ticker->ring, on_ns, cpu);
}

static void put(struct work_ticker *ticker, uint64_t off_ns, enum sample_why why, long switches)
{
	uint64_t guess_ns = off_ns - ticker->seen_ns;
	const struct slice slice = {
		.on_ns = ticker->on_ns,
		.off_ns = off_ns,
		.cpu = (int16_t)ticker->cpu,
		.why = (uint8_t)why,
		.switches = (uint8_t)(MIN(switches, UINT8_MAX)),
		.guess_ns = (uint32_t)(MIN(guess_ns, UINT32_MAX)),
	};

	slices_put(ticker->ring, ticker->entries, &slice);
}

static long switches(const struct work_ticker *ticker, const struct tick_reading *reading)
{
	return reading->voluntary - ticker->voluntary + reading->forced - ticker->forced;
}

void work_tick_open(struct work_ticker *ticker, struct slices *ring, uint32_t entries,
		    uint64_t tick_ns, bool marked)
{
	struct tick_reading reading;

	*ticker = (struct work_ticker) {.ring = ring,
					.entries = entries,
					.tick_ns = tick_ns,
					.most = marked ? WORK_TICK_MARKED : 1};
	work_watch_begin();
	read_counters(ticker, &reading);
	keep(ticker, &reading);
	ticker->seen_ns = reading.now_ns;
	begin_slice(ticker, reading.now_ns, sched_getcpu());
}

/*
 * Records a time off the core. Returns whether the worker really was off it. If the worker waited
 * for something, the gap may also include a wait for a core.
 */
static bool note_gap(struct work_ticker *ticker)
{
	struct tick_reading reading;
	uint64_t off_ns, back_ns;
	int64_t since_ns;
	bool waited, away;
	int cpu;

	read_counters(ticker, &reading);
	cpu = sched_getcpu();
	/*
	 * The time off the core is the time that has passed since the last reading, less the
	 * thread's CPU time in it. It cannot exceed the time since the worker was last seen on its
	 * core.
	 */
	since_ns = (int64_t)(reading.now_ns - ticker->read_ns) -
		   (int64_t)(reading.used_ns - ticker->used_ns);
	off_ns = (uint64_t)MIN(MAX(0, since_ns), (int64_t)(reading.now_ns - ticker->seen_ns));
	waited = reading.voluntary != ticker->voluntary;
	/*
	 * If there was no switch and the CPU is the same, the worker stayed on its core, and an
	 * interrupt or a long call took the time. A large gap counts all the same, because the host
	 * of a virtual machine may have stolen the core.
	 */
	away = switches(ticker, &reading) > 0 || cpu != ticker->cpu ||
	       off_ns >= WORK_TICK_GAP * ticker->tick_ns;
	if (away) {
		/*
		 * The worker came back at the present time less the CPU time of the new slice. This
		 * is accurate to a µs. After a tick of the kernel, however, the result is too late
		 * by the CPU time before that tick.
		 */
		uint64_t before_ns = reading.before_us * 1000;
		uint64_t back_used_ns =
			reading.used_ns > before_ns ? reading.used_ns - before_ns : 0;
		uint64_t most = reading.now_ns - ticker->seen_ns - off_ns;

		back_ns = reading.now_ns - MIN(back_used_ns, most);
		put(ticker, back_ns - off_ns, waited ? WHY_BLOCKED : WHY_PREEMPTED,
		    switches(ticker, &reading));
		begin_slice(ticker, back_ns, cpu);
	}
	keep(ticker, &reading);
	ticker->seen_ns = reading.now_ns;
	return away;
}

/* Adapts the number of steps so that they take between half and twice the wanted time. */
static uint64_t fit_steps(const struct work_ticker *ticker, uint64_t took_ns, uint64_t steps)
{
	if (took_ns < ticker->tick_ns / 2 && steps < STEPS_MOST)
		return steps * 2;
	if (took_ns > ticker->tick_ns * 2 && steps > 1)
		return steps / 2;
	return steps;
}

/*
 * Reads the clock. Called at every eighth check and after an absence if there are marks, otherwise
 * at every check.
 */
static uint64_t look_at_clock(struct work_ticker *ticker, bool away, uint64_t steps)
{
	uint64_t now_ns = clock_now_ns(), took_ns = (now_ns - ticker->seen_ns) / ticker->looks;

	ticker->looks = 0;
	away |= took_ns > WORK_TICK_GAP * ticker->tick_ns || sched_getcpu() != ticker->cpu;
	if (away)
		away = note_gap(ticker);
	else
		ticker->seen_ns = now_ns;
	slices_seen(ticker->ring, ticker->seen_ns);
	if (away)
		return steps;
	return fit_steps(ticker, took_ns, steps);
}

uint64_t work_tick_look(struct work_ticker *ticker, uint64_t steps)
{
	bool away = work_watch_was_away();

	if (++ticker->looks < ticker->most && !away)
		return steps;
	return look_at_clock(ticker, away, steps);
}

void work_tick_close(struct work_ticker *ticker)
{
	ticker->looks++;
	look_at_clock(ticker, work_watch_was_away(), 1);
	work_watch_end();
	put(ticker, ticker->seen_ns, WHY_ENDED, 0);
	slices_end(ticker->ring);
}

bool work_tick_marked(void)
{
	const struct timespec moment = {.tv_nsec = 1000};
	bool marked;

	work_watch_begin();
	nanosleep(&moment, NULL);
	marked = work_watch_was_away();
	work_watch_end();
	return marked;
}
