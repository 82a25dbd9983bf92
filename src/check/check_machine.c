/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "stats/stats.h"

void check_machine_add(struct check_parts *parts, const struct model *model)
{
	struct check_sums *sums = &parts->sums;
	int64_t measured_mhz;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct sample_totals *totals = &model->runs[i].totals;
		double seconds = (double)totals->elapsed_ns / 1e9;

		if (!model_measured(model, &model->runs[i]))
			continue;
		sums->own_ns += 1e3 * (double)totals->self_cpu_us;
		sums->cpu_ns += 1e3 * (double)(totals->user_us + totals->system_us);
		sums->core_ns += 1e9 * seconds * totals->workers;
		if (totals->others < 0 || totals->steal < 0)
			continue;
		sums->seconds += seconds;
		sums->others += seconds * totals->others / 1e3;
		sums->steal += seconds * totals->steal / 1e3;
	}
	/* The fastest by the slowest that one core was seen at. */
	for (uint32_t core = 0; core < model->n_cores; core++) {
		int least = 0, most = 0;

		for (size_t i = 0; i < model->n_loads; i++) {
			int mhz = model->cores[i * model->n_cores + core].mhz;

			if (mhz <= 0)
				continue;
			least = !least || mhz < least ? mhz : least;
			most = mhz > most ? mhz : most;
		}
		if (least)
			sums->rate = fmax(sums->rate, (double)most / least);
	}
	measured_mhz = machine_core_mhz();
	if (measured_mhz <= 0)
		return;
	sums->low = !sums->low || measured_mhz < sums->low ? measured_mhz : sums->low;
	sums->high = measured_mhz > sums->high ? measured_mhz : sums->high;
}

void check_machine(struct check_parts *parts)
{
	struct check_result *results = parts->report->results;
	const struct check_sums *sums = &parts->sums;
	double cores = check_session_cores(&parts->report->machine);
	struct check_result *rate = &results[CHECK_FREQUENCY];
	const char *why = sums->core_ns > 0 ? "no /proc/stat" : "its time was over";

	if (sums->core_ns <= 0) {
		/* No run has ended that would show it. */
		snprintf(results[CHECK_OWN].note, sizeof(rate->note), "%s", why);
		snprintf(results[CHECK_HAD].note, sizeof(rate->note), "%s", why);
	} else {
		results[CHECK_OWN].value = sums->own_ns * cores / sums->core_ns;
		results[CHECK_HAD].value = sums->cpu_ns / sums->core_ns;
		snprintf(results[CHECK_HAD].note, sizeof(rate->note), "%.0f worker%s", cores,
			 cores > 1 ? "s" : "");
	}
	if (sums->seconds > 0) {
		results[CHECK_OTHERS].value = sums->others / sums->seconds;
		results[CHECK_STEAL].value = sums->steal / sums->seconds;
	} else {
		snprintf(results[CHECK_OTHERS].note, sizeof(rate->note), "%s", why);
		snprintf(results[CHECK_STEAL].note, sizeof(rate->note), "%s", why);
	}
	/* What cpufreq said of cores at work; else what a loop in between took. */
	if (sums->rate > 0) {
		rate->value = sums->rate;
	} else if (sums->low > 0) {
		rate->value = (double)sums->high / (double)sums->low;
		snprintf(rate->note, sizeof(rate->note),
			 "there is no cpufreq: %lld to %lld MHz measured between the series",
			 (long long)sums->low, (long long)sums->high);
	} else {
		snprintf(rate->note, sizeof(rate->note), "no cpufreq, and none measured");
	}
}

#define SERIES	 101
#define READINGS 200
#define CHANGES	 20 /* to a core and back */
/* What a part of it may take: a signal is obeyed after it. */
#define LONGEST_NS 30000000u

/* One move to the core: the time that passed, below 0 where it went back. 0 or -errno. */
static int change_core(int cpu, int64_t *least)
{
	cpu_set_t one;
	uint64_t before;
	int64_t passed;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	before = clock_now_ns();
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		return -errno;
	passed = (int64_t)(clock_now_ns() - before);
	*least = passed < *least ? passed : *least;
	return 0;
}

/* The worst of the cores, each against the first. */
static void compare_cores(const cpu_set_t *allowed, struct check_result *out)
{
	uint64_t begin = clock_now_ns();
	int64_t worst = 0;
	int home = -1, n = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && clock_now_ns() - begin < LONGEST_NS; cpu++) {
		int64_t there, back, bound;
		int err = 0;

		if (!CPU_ISSET((size_t)cpu, allowed))
			continue;
		if (home < 0) {
			home = cpu;
			continue;
		}
		/*
		 * A move takes some time: whichever clock is ahead, it is so by no more than
		 * what passed at most on the way there or back. Below 0 a clock went back.
		 */
		there = back = INT64_MAX;
		for (int i = 0; i < CHANGES && !err; i++) {
			err = change_core(cpu, &there);
			if (!err)
				err = change_core(home, &back);
		}
		bound = there < 0 ? there : back < 0 ? back : there > back ? there : back;
		if (err) {
			snprintf(out->note, sizeof(out->note), "sched_setaffinity: %s",
				 strerror(-err));
			return;
		}
		n++;
		worst = worst < 0 || (bound >= 0 && bound <= worst) ? worst : bound;
	}
	out->value = (double)worst;
	snprintf(out->note, sizeof(out->note), "%d cores, each %d times there and back", n + 1,
		 CHANGES);
}

void check_clock(struct check_result results[CHECKS])
{
	struct check_result *cores = &results[CHECK_CLOCK_CORES];
	uint64_t least = UINT64_MAX, begin, before, now;
	struct timespec says = {0};
	double each[SERIES];
	cpu_set_t allowed;

	for (int i = 0; i < SERIES; i++) {
		begin = now = clock_now_ns();
		for (int k = 0; k < READINGS; k++)
			now = clock_now_ns();
		each[i] = (double)(now - begin) / READINGS;
	}
	stats_sort(each, SERIES);
	results[CHECK_CLOCK_COST].value = stats_median(each, SERIES);
	begin = before = clock_now_ns();
	for (int i = 0; i < SERIES * READINGS && before - begin < LONGEST_NS; i++) {
		now = clock_now_ns();
		if (now != before && now - before < least)
			least = now - before;
		before = now;
	}
	/* The kernel's figure is a lower bound: a clock may step coarser, never finer. */
	clock_getres(CLOCK_MONOTONIC, &says);
	if (least < UINT64_MAX)
		results[CHECK_CLOCK_STEP].value =
			fmax((double)least, (double)says.tv_sec * 1e9 + (double)says.tv_nsec);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		snprintf(cores->note, sizeof(cores->note), "sched_getaffinity: %s",
			 strerror(errno));
	else if (CPU_COUNT(&allowed) < 2)
		snprintf(cores->note, sizeof(cores->note), "there is one core");
	else {
		compare_cores(&allowed, cores);
		sched_setaffinity(0, sizeof(allowed), &allowed);
	}
}
