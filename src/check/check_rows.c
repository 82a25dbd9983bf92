/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <math.h>

/* clang-format off */
const struct check check_rows[CHECKS] = {
	[CHECK_CLOCK_COST] = {"clock_cost", "clock: cost", CHECK_NS, 0, 200, CLAIM_SINGLE, true,
		"what one reading costs; above some 200 ns it is a system call instead of the vDSO"},
	[CHECK_CLOCK_STEP] = {"clock_step", "clock: step", CHECK_NS, 0, 1000, CLAIM_SINGLE, true,
		"the smallest step between two readings; coarse clocks step by 1 ms or more"},
	[CHECK_CLOCK_CORES] = {"clock_cores", "clock: cores", CHECK_NS, 0, 50000, CLAIM_SINGLE, false,
		"the most by which the clocks of two cores may differ: the time of moving a task from "
		"one to the other and back; below 0 a clock went back"},
	[CHECK_SAME] = {"same", "threads, threads", CHECK_RATIO, 1, 1, CLAIM_DIFFERENCES, true,
		"a model against itself: any winner would be chance"},
	[CHECK_INJECTED] = {"injected", "injected", CHECK_RATIO, 1.03, 1.03, CLAIM_DIFFERENCES, true,
		"threads against threads with this much more work: it must be found"},
	[CHECK_WATCHED] = {"watched", "being watched", CHECK_RATIO, 0.98, 1.02, CLAIM_TIMES, true,
		"elapsed time with the usual sampling, divided by that with hardly any"},
	[CHECK_OWN] = {"own_cpu", "own CPU", CHECK_SHARE, 0, 0.02, CLAIM_TIMES, true,
		"the share of one core that the front end uses during a run"},
	[CHECK_GETRUSAGE] = {"getrusage", "by getrusage", CHECK_RATIO, 0.98, 1.005, CLAIM_CPU, true,
		"CPU time of the runs, divided by that of all children, which includes the start and "
		"end of the runner"},
	[CHECK_SCHEDSTAT] = {"schedstat", "by schedstat", CHECK_RATIO, 0.98, 1.02, CLAIM_CPU, false,
		"CPU time of the workers, divided by the scheduler's own, which was last read some ms "
		"before they ended: the time since then may have been used or not"},
	[CHECK_PROC_STAT] = {"proc_stat", "by /proc/stat", CHECK_RATIO, 0.95, 1.05, CLAIM_CPU, false,
		"CPU time of the runs and all other programs, divided by the cores' busy time, which "
		"is counted in ticks"},
	[CHECK_CGROUP] = {"cgroup", "by a cgroup", CHECK_RATIO, 0.98, 1.005, CLAIM_CPU, false,
		"CPU time of the runs, divided by that of their cgroup, which includes the start and "
		"end of the runner"},
	[CHECK_PERF] = {"perf", "by perf", CHECK_RATIO, 0.98, 1.005, CLAIM_CPU, false,
		"CPU time of the runs, divided by the task clock of perf_event_open(2), which includes "
		"the start and end of the runner"},
	[CHECK_HAD] = {"cores_had", "cores had", CHECK_SHARE, 0.95, 1.01, CLAIM_TIMES, true,
		"the share of the cores that the runs got, with a worker for each"},
	[CHECK_OTHERS] = {"others", "others' load", CHECK_SHARE, 0, 0.05, CLAIM_TIMES, true,
		"the share of the cores that other programs used; it makes times longer and noisier"},
	[CHECK_STEAL] = {"steal", "steal", CHECK_SHARE, 0, 0.01, CLAIM_TIMES, false,
		"the share of the cores that the host of a virtual machine withheld"},
	[CHECK_FREQUENCY] = {"frequency", "clock rate", CHECK_RATIO, 1, 1.05, CLAIM_TIMES, false,
		"the fastest clock of a busy core, divided by the slowest"},
};
/* clang-format on */

void check_range(const struct check_report *report, enum check_id id, double *low, double *high)
{
	bool injected = id == CHECK_INJECTED;

	*low = injected ? report->injected : check_rows[id].low;
	*high = injected ? report->injected : check_rows[id].high;
}

/* An interval of more than twice the range may lie in it and beyond: it decides neither. */
static bool is_too_wide(const struct check_report *report, enum check_id id)
{
	const struct check_result *result = &report->results[id];
	double low, high;

	check_range(report, id, &low, &high);
	return low < high && result->high - result->low > 2 * (high - low);
}

const char *check_note(const struct check_report *report, enum check_id id)
{
	const char *note = report->results[id].note;

	return *note || !is_too_wide(report, id) ? note : "the interval is too wide";
}

enum check_state check_state(const struct check_report *report, enum check_id id)
{
	const struct check_result *result = &report->results[id];
	bool ranges = !isnan(result->low) && !isnan(result->high);
	double from = ranges ? result->low : result->value;
	double to = ranges ? result->high : result->value;
	double low, high;

	if (isnan(from) || isnan(to) || is_too_wide(report, id))
		return CHECK_ABSENT;
	check_range(report, id, &low, &high);
	if (id == CHECK_INJECTED && from <= 1 && to >= 1)
		return CHECK_OFF;
	return from <= high && to >= low ? CHECK_OK : CHECK_OFF;
}

const char *check_state_name(enum check_state state)
{
	static const char *const names[] = {
		[CHECK_ABSENT] = "not available", [CHECK_OK] = "ok", [CHECK_OFF] = "off"};

	return names[state];
}

bool check_passed(const struct check_report *report)
{
	for (int id = 0; id < CHECKS; id++)
		if (check_state(report, (enum check_id)id) == CHECK_OFF)
			return false;
	return true;
}

enum check_trust check_trust(const struct check_report *report, enum check_claim claim)
{
	enum check_trust trust = TRUST_YES;

	for (int id = 0; id < CHECKS; id++) {
		enum check_state state = check_state(report, (enum check_id)id);

		if (check_rows[id].claim != claim)
			continue;
		if (state == CHECK_OFF)
			return TRUST_NO;
		if (state == CHECK_ABSENT && check_rows[id].rests)
			trust = TRUST_UNCHECKED;
	}
	return trust;
}

const char *check_claim_name(enum check_claim claim)
{
	static const char *const names[] = {[CLAIM_DIFFERENCES] = "differences",
					    [CLAIM_TIMES] = "elapsed_times",
					    [CLAIM_CPU] = "cpu_times",
					    [CLAIM_SINGLE] = "single_times"};

	return names[claim];
}

/*
 * A difference as large as the whole interval is found nearly always: half of it is what chance
 * moves the estimate by at most in 95 of 100 sessions, the other half what the interval needs.
 */
static double width(const struct check_result *result)
{
	return result->high / result->low - 1;
}

double check_least_difference(const struct check_report *report)
{
	return fmax(width(&report->results[CHECK_SAME]), width(&report->results[CHECK_INJECTED]));
}

double check_least_time(const struct check_report *report)
{
	double cost = report->results[CHECK_CLOCK_COST].value;
	double step = report->results[CHECK_CLOCK_STEP].value;

	return isnan(cost) || isnan(step) ? NAN : 20 * fmax(cost, step);
}
