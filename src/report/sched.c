/* SPDX-License-Identifier: MIT */
#include "report/sched.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/sentence.h"
#include "base/units.h"
#include "model/model_slices.h"
#include "report/report.h"

/* The kernel's records tell to less than this. */
enum { EXACT_NS = 100 };

/* Workers that do something note when they are on a core; the others end too soon. */
static bool notes(const struct plan *plan)
{
	uint32_t n = 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		n += kind == WORK_NULL || kind == WORK_HELLO ? 0 : plan->leaves[kind];
	return n > 0;
}

static bool is(const struct model *model, const char *source)
{
	return strcmp(model->session.sched, source) == 0;
}

bool sched_wanted(const struct model *model)
{
	bool some = !is(model, "own");

	for (uint32_t i = 0; i < model->n_cases; i++)
		some |= notes(&model->cases[i].plan);
	return some && !is(model, "") && !is(model, "off");
}

/* What the counted runs lost together; -1: none has slices. */
static int64_t lost_by_all(const struct model *model)
{
	int64_t lost = -1;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (report_counts(model, run) && run->totals.slices_lost >= 0)
			lost = (lost < 0 ? 0 : lost) + run->totals.slices_lost;
	}
	return lost;
}

static int64_t lost_by(const struct model *model, const struct model_run *run)
{
	if (!run)
		return lost_by_all(model);
	return model_ended(model, run) ? run->totals.slices_lost : -1;
}

char *sched_source(const struct model *model, const struct model_run *run, char *buf, size_t size)
{
	int64_t least_ns = model->session.sched_ns, lost = lost_by(model, run);
	const char *resolution = least_ns < 0	       ? "?"
				 : least_ns < EXACT_NS ? "exact"
						       : UNITS_TIME(least_ns, false);
	struct sentence s = {buf, size, 0};

	*buf = '\0';
	if (!sched_wanted(model))
		return buf;
	sentence_add(&s, "%s, %s",
		     is(model, "own")	 ? "own clock"
		     : is(model, "perf") ? "kernel records"
					 : model->session.sched,
		     resolution);
	if (lost >= 0)
		sentence_add(&s, ", %s lost", UNITS_COUNT(lost));
	return buf;
}

/* What else would tell, and why it does not. */
static const char *records(const struct model *model, char *buf, size_t size)
{
	const char *perf = model->session.sched_perf;

	if (strcmp(perf, SAMPLE_PERF) == 0)
		return "--sched perf";
	snprintf(buf, size, "the kernel's records (%s)", *perf ? perf : "--sched perf");
	return buf;
}

char *sched_no_wakes(const struct model *model, char *buf, size_t size)
{
	const char *why = model->session.wakes;

	*buf = '\0';
	if (!*why || strcmp(why, SAMPLE_WAKES) == 0)
		return buf;
	snprintf(buf, size, "%s: root, or a readable /sys/kernel/tracing%s", why,
		 is(model, "own") ? ", and --sched perf" : "");
	return buf;
}

char *sched_no_lanes(const struct model *model, char *buf, size_t size)
{
	char with[SAMPLE_LABEL + 32];

	*buf = '\0';
	if (sched_wanted(model) || !is(model, "own"))
		return buf;
	snprintf(buf, size, "no lanes: tasks without a loop note nothing; %s would tell",
		 records(model, with, sizeof(with)));
	return buf;
}

char *sched_sentence(const struct model *model, char *buf, size_t size)
{
	char source[SCHED_TEXT], wakes[SCHED_TEXT];

	*buf = '\0';
	if (*sched_no_lanes(model, source, sizeof(source)))
		snprintf(buf, size, "Of when workers were on a core: %s.", source);
	else if (*sched_source(model, NULL, source, sizeof(source)))
		snprintf(buf, size, "When workers were on a core is known by %s.%s%s%s", source,
			 *sched_no_wakes(model, wakes, sizeof(wakes)) ? " Wake-ups: " : "", wakes,
			 *wakes ? "." : "");
	return buf;
}
