/* SPDX-License-Identifier: MIT */
#include "live_sched.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/param.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "live_spawn.h"

/*
 * Least number of switches of a warm-up that is judged. With fewer, its rate says little, and
 * recording them takes only about 1 ms.
 */
#define LEAST_SWITCHES 1000
/*
 * Share of the run's time. If recording would take at least this share, measure the cost of
 * recording a switch.
 */
#define MEASURE_FROM (SAMPLE_WATCHED_SHARE / 4)

void live_rate_take(struct live_rate *most, uint32_t case_id, const struct sample_totals *totals)
{
	const int64_t switches = totals->nvcsw + totals->nivcsw;
	double rate, on_core;

	if (totals->status != SAMPLE_OK || totals->paused || totals->nvcsw < 0 ||
	    totals->nivcsw < 0 || switches < LEAST_SWITCHES || totals->elapsed_ns <= 0)
		return;
	rate = (double)switches * 1e9 / (double)totals->elapsed_ns;
	/*
	 * Leave out the time that other programs had the cores, because trials should not have such
	 * time.
	 */
	on_core = (double)switches * 1e9 / sample_alone_ns(totals);
	if (on_core > most->on_core)
		*most = (struct live_rate) {case_id, rate, on_core, totals->elapsed_ns};
}

/*
 * TRIPS: round trips of one measurement. TRIPS_AGAIN: largest number of repetitions. TRIPS_MOST_NS:
 * time after which there are no more repetitions, because a signal waits meanwhile, and tuibench
 * must obey a signal within 100 ms.
 */
#define TRIPS	      500
#define TRIPS_AGAIN   5
#define TRIPS_MOST_NS UINT64_C(40000000)

/*
 * CPU time of this process and another one, or -1. Unlike elapsed time, it hardly depends on other
 * programs.
 */
static int64_t both_used_ns(pid_t other)
{
	struct timespec mine, others;
	clockid_t clock;

	if (clock_getcpuclockid(other, &clock) != 0 || clock_gettime(clock, &others) < 0 ||
	    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mine) < 0)
		return -1;
	return (mine.tv_sec + others.tv_sec) * INT64_C(1000000000) + mine.tv_nsec + others.tv_nsec;
}

/* Makes the round trips. Returns their CPU time in ns, or -1. */
static int64_t make_trips(pid_t child, int there, int back)
{
	int64_t begin_ns = -1;
	char byte = 0;

	/* Do not measure the first trips, because they wait for the child to begin. */
	for (int i = -TRIPS / 10; i < TRIPS; i++) {
		if (i == 0)
			begin_ns = both_used_ns(child);
		if (write(there, &byte, 1) != 1 || read(back, &byte, 1) != 1)
			return -1;
	}
	if (begin_ns < 0)
		return -1;
	return both_used_ns(child) - begin_ns;
}

/*
 * Starts a child and passes a byte to it and back. Both processes are on one core, so each trip has
 * two switches. Returns the CPU time of all trips in ns, or -1.
 */
static int64_t trips_ns(const char *runner)
{
	char *const argv[] = {"tuibench-runner", "--echo", NULL}, *const envp[] = {NULL};
	struct live_spawn_fd fds[2];
	int there[2], back[2];
	int64_t ns = -1;
	pid_t child;

	if (pipe2(there, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(back, O_CLOEXEC) < 0) {
		close(there[0]);
		close(there[1]);
		return -1;
	}
	fds[0] = (struct live_spawn_fd) {there[0], STDIN_FILENO};
	fds[1] = (struct live_spawn_fd) {back[1], STDOUT_FILENO};
	live_spawn(&child, runner, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF, NULL, argv, envp,
		   fds, 2);
	close(there[0]);
	close(back[1]);
	if (child > 0)
		ns = make_trips(child, there[1], back[0]);
	close(there[1]);
	close(back[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return ns;
}

int64_t live_record_ns(const char *runner, struct live_sched *session)
{
	const enum ring_reach reach = session->reach;
	int64_t ns = 0, least_ns[2] = {INT64_MAX, INT64_MAX};
	struct live_ring ring = {.n = 0};
	const uint64_t begin_ns = clock_now_ns();
	const int cpu = sched_getcpu();
	cpu_set_t core, before;

	live_ring_close(&session->ring);
	if (reach == RING_NONE || cpu < 0 || sched_getaffinity(0, sizeof(before), &before) < 0)
		return -1;
	CPU_ZERO(&core);
	CPU_SET((size_t)cpu, &core);
	if (sched_setaffinity(0, sizeof(core), &core) < 0)
		return -1;
	/* Measure in turn with and without records. */
	for (int i = 0; i < 2 * TRIPS_AGAIN; i++) {
		const int recorded = i % 2;

		if (i > 0 && !recorded && clock_now_ns() - begin_ns > TRIPS_MOST_NS)
			break;
		if (recorded && live_ring_open(&ring, reach, getpid(), &core) < 0)
			ns = -1;
		else
			ns = trips_ns(runner);
		live_ring_close(&ring);
		if (ns < 0)
			break;
		least_ns[recorded] = MIN(least_ns[recorded], ns);
	}
	sched_setaffinity(0, sizeof(before), &before);
	if (ns < 0)
		return -1;
	/* Other programs may have slowed the trips more than the records did. */
	ns = (least_ns[1] - least_ns[0]) / (2 * TRIPS);
	if (ns > 0)
		return ns;
	return -1;
}

bool live_rate_matters(const struct live_rate *most)
{
	return most->on_core * SAMPLE_RECORD_NS / 1e9 >= MEASURE_FROM;
}

void live_sched_judge(struct live_sched *sched, const struct live_rate *most, bool change,
		      int64_t record_ns, const char *tasks, struct sample_watched *watched)
{
	const double each_ns = record_ns >= 0 ? (double)record_ns : SAMPLE_RECORD_NS;

	*watched = (struct sample_watched) {.rate = llround(most->rate),
					    .case_id = most->case_id,
					    .share = most->on_core * each_ns / 1e9,
					    .record_ns = record_ns,
					    .plain_ns = -1,
					    .slowdown = -1,
					    .slowdown_low = -1,
					    .slowdown_high = -1,
					    .sched_ns = -1};
	if (!change || watched->share < SAMPLE_WATCHED_SHARE)
		return;
	sched->source = SCHED_OWN;
	sched->reach = RING_NONE;
	sched->seldom = true;
	if (sched->tasks != TASKS_BY_NOBODY)
		sched->tasks = live_tasks_choose(TASKS_BY_CONNECTOR, tasks);
	snprintf(watched->sched, sizeof(watched->sched), "%s", live_sched_name(sched));
	snprintf(watched->wakes, sizeof(watched->wakes), "%s", live_sched_wakes(sched));
	snprintf(watched->tasks_by, sizeof(watched->tasks_by), "%s",
		 live_tasks_name_of(sched->tasks));
}
