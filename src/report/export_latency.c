/* SPDX-License-Identifier: MIT */
#include "report/export_latency.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the paper has of a way to create a task; NULL: nothing. */
struct quote {
	enum plan_primitive primitive;
	uint64_t ballast;
	const char *of[MODEL_LATENCIES];
};

#define FOUR_GIB (UINT64_C(4) << 30)

/*
 * M. Sysel, A Comparison of Processes and Threads Creation (2020), Table 1 and section 4.1, in µs.
 * Its 4 GB were allocated; how much of them was touched it does not say.
 */
static const struct quote quotes[] = {
	{PLAN_CALL, 0, {[LATENCY_CALLER] = "0.094"}},
	{PLAN_FORK, 0, {[LATENCY_CALLER] = "34-94", [LATENCY_TASK] = "60-170"}},
	{PLAN_FORK, FOUR_GIB, {[LATENCY_CALLER] = "~20000", [LATENCY_TASK] = "~20000"}},
	{PLAN_FORK_EXEC, 0, {[LATENCY_CALLER] = "34-94", [LATENCY_TASK] = ">=700"}},
	{PLAN_PTHREAD, 0, {[LATENCY_CALLER] = "49-143", [LATENCY_TASK] = "94-260"}},
	{PLAN_PTHREAD, FOUR_GIB, {[LATENCY_TASK] = "170-290"}},
};

const char *const export_quoted =
	"Quoted are the figures of one laptop at 1.3 to 3.9 GHz (M. Sysel, A Comparison of "
	"Processes and Threads Creation, 2020), ranges over its frequencies; nothing that is "
	"expected here.";

const char *const export_first =
	"First is the first creation of a run, the median of all runs; it is not in the other "
	"figures.";

const char *export_quote(const struct sample_case *one, enum model_latency_span span)
{
	for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
		if (quotes[i].primitive == one->plan.primitive && quotes[i].ballast == one->ballast)
			return quotes[i].of[span] ? quotes[i].of[span] : "";
	}
	return "";
}

char *export_micros(char *buf, size_t size, int64_t ns)
{
	int decimals = ns < 1000 ? 3 : ns < 10000 ? 2 : ns < 100000 ? 1 : 0;

	if (ns < 0)
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%.*f", decimals, (double)ns / 1000);
	return buf;
}

static void say_frequency(char *buf, size_t size, const struct machine *machine)
{
	bool exact = strcmp(machine->frequency_source, "cpufreq") == 0;

	if (machine->mhz < 0)
		snprintf(buf, size, "CPU frequency ?");
	else
		snprintf(buf, size, "CPU at %" PRId64 " MHz%s", (int64_t)machine->mhz,
			 exact ? "" : " as /proc/cpuinfo says, changes unseen");
}

char *export_conditions(char *buf, size_t size, const struct model *model, bool ascii)
{
	const struct machine *machine = &model->session.machine;
	uint32_t icase = model_latency_clock(model, 0);
	const struct model_latency *clock =
		icase < model->n_cases ? model_latency(model, icase) : NULL;
	char frequency[128], micros[32];

	say_frequency(frequency, sizeof(frequency), machine);
	export_micros(micros, sizeof(micros), clock ? clock->span[LATENCY_CALLER].p50 : -1);
	snprintf(buf, size,
		 "%s, governor %s. Reading the clock takes %s %s, which is a part of every figure. "
		 "Ballast is touched in pages of 4 KiB.",
		 frequency, *machine->governor ? machine->governor : "?", micros,
		 ascii ? "us" : "µs");
	return buf;
}
