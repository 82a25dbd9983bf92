/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <math.h>
#include <stdio.h>

#include "check_session.h"

/* The fastest by the slowest that one core was seen at. */
static void add_rate(struct check_sums *sums, const struct model *model)
{
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
}

static void measure_rate(struct check_sums *sums)
{
	int64_t mhz = machine_core_mhz();

	if (mhz <= 0)
		return;
	sums->low = !sums->low || mhz < sums->low ? mhz : sums->low;
	sums->high = mhz > sums->high ? mhz : sums->high;
}

/* What cpufreq said of cores at work; else what a loop in between took. */
static void tell_rate(const struct check_sums *sums, struct check_result *rate)
{
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

static void add_run(struct check_sums *sums, const struct model_run *run)
{
	const struct sample_totals *totals = &run->totals;
	double seconds = (double)totals->elapsed_ns / 1e9;

	sums->own_ns += 1e3 * (double)totals->self_cpu_us;
	sums->cpu_ns += 1e3 * (double)(totals->user_us + totals->system_us);
	sums->core_ns += 1e9 * seconds * totals->workers;
	if (totals->others < 0 || totals->steal < 0)
		return;
	sums->seconds += seconds;
	sums->others += seconds * totals->others / 1e3;
	sums->steal += seconds * totals->steal / 1e3;
}

void check_machine_add(struct check_parts *parts, const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (model_measured(model, &model->runs[i]))
			add_run(&parts->sums, &model->runs[i]);
	add_rate(&parts->sums, model);
	measure_rate(&parts->sums);
}

void check_machine(struct check_parts *parts)
{
	struct check_result *results = parts->report->results;
	const struct check_sums *sums = &parts->sums;
	double cores = check_session_cores(&parts->report->machine);
	struct check_result *rate = &results[CHECK_FREQUENCY];
	const char *why = sums->core_ns > 0 ? "no /proc/stat" : "its time was over";

	if (sums->core_ns <= 0) {
		/* No run has ended that would tell. */
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
	tell_rate(sums, rate);
}
