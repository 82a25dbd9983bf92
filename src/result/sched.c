/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"
#include "model/model.h"
#include "model/model_lanes.h"

/*
 * Slices with a resolution of less than this many ns count as exact. The kernel's records are more
 * precise.
 */
enum { EXACT_NS = 100 };

static bool is(const struct model *model, const char *source)
{
	return strcmp(model->session.sched, source) == 0;
}

bool sched_wanted(const struct model *model)
{
	bool some = !is(model, "own");

	/*
	 * With the workers' own clocks, lanes need a worker with a loop, in which it records when
	 * it is on a core. Other workers end too soon.
	 */
	for (uint32_t i = 0; i < model->n_cases; i++)
		for (int kind = 0; kind < WORK_KINDS; kind++)
			some |= !WORK_HAS_NO_LOOP(kind) && model->cases[i].plan.leaves[kind] > 0;
	return some && !is(model, "") && !is(model, "off");
}

/*
 * Number of slices lost in the run or, if run is NULL, in all counted runs; -1: no slices were
 * recorded, or the run has not ended.
 */
static int64_t count_lost_slices(const struct model *model, const struct model_run *run)
{
	int64_t lost = -1;

	if (run) {
		if (model_ended(model, run))
			return run->totals.slices_lost;
		return -1;
	}
	for (size_t i = 0; i < model->n_runs; i++) {
		run = &model->runs[i];
		if (report_counts(model, run) && run->totals.slices_lost >= 0)
			lost = (MAX(0, lost)) + run->totals.slices_lost;
	}
	return lost;
}

/* Number of slices that the recording leaves out, of the run or, if run is NULL, of all runs. */
static int64_t count_left_out(const struct model *model, const struct model_run *run)
{
	int64_t left_out = 0;

	if (run)
		return run->slices_left_out;
	for (size_t i = 0; i < model->n_runs; i++)
		left_out += model->runs[i].slices_left_out;
	return left_out;
}

/* Number of slices that the recording has merged with others, of the run or of all runs. */
static int64_t count_merged(const struct model *model, const struct model_run *run)
{
	uint64_t merged = 0;

	if (run)
		return (int64_t)run->slices_merged;
	for (size_t i = 0; i < model->n_runs; i++)
		merged += model->runs[i].slices_merged;
	return (int64_t)merged;
}

/*
 * Whether most slices were not noticed. A worker's own clock notices only pauses above some length,
 * so all slices between two such pauses look like one.
 */
static bool slices_unseen(const struct model_run *run, uint64_t *seen, uint64_t *all)
{
	*seen = *all = 0;
	if (!run || run->workers.gone)
		return false;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		const struct sample_worker worker = model_known(run, i);
		size_t n;

		model_slices(run, i, &n);
		/* Slices are merged only if the kernel recorded every switch. */
		if (run->slices_merged > 0)
			n = 1 + (size_t)worker.nvcsw + (size_t)worker.nivcsw;
		*seen += n;
		*all += (uint64_t)worker.nvcsw + worker.nivcsw + 1;
	}
	return *all > 2 * *seen;
}

char *sched_source(const struct model *model, const struct model_run *run, char *buf, size_t size)
{
	int64_t least_ns = model->session.sched_ns, lost = count_lost_slices(model, run);
	const char *resolution = UNITS_TIME(least_ns, false), *by = model->session.sched;
	struct sentence s = sentence_in(buf, size);
	uint64_t seen, all;
	int64_t left_out, merged;

	if (!sched_wanted(model))
		return buf;
	if (is(model, "own"))
		by = "the workers' clock";
	else if (is(model, "perf"))
		by = "kernel records";
	sentence_add(&s, "%s", by);
	if (lost == 0 && slices_unseen(run, &seen, &all)) {
		sentence_add(&s, " shows %s of %s slices", UNITS_COUNT((int64_t)seen),
			     UNITS_COUNT((int64_t)all));
		return buf;
	}
	left_out = count_left_out(model, run);
	if (left_out > 0)
		sentence_add(&s, ", %s left out of the recording", UNITS_COUNT(left_out));
	merged = count_merged(model, run);
	if (merged > 0)
		sentence_add(&s, ", %s merged per 1 ms", UNITS_COUNT(merged));
	if (least_ns < 0)
		resolution = "?";
	else if (least_ns < EXACT_NS)
		resolution = "exact";
	sentence_add(&s, ", %s", resolution);
	if (lost >= 0)
		sentence_add(&s, ", %s lost", UNITS_COUNT(lost));
	return buf;
}

char *sched_tasks(const struct model *model, const struct model_run *run, char *buf, size_t size)
{
	const char *by = model->session.tasks_by;
	int64_t n = model_tasks_created(model, run), lost = run->totals.tasks_lost;
	struct sentence s = sentence_in(buf, size);

	if (n < 0 || !*by)
		return buf;
	sentence_add(&s, "%s task%s by %s", UNITS_COUNT(n), sentence_plural(n),
		     strcmp(by, SAMPLE_TASKS_CONNECTOR) == 0 ? "the process connector" : by);
	if (strcmp(by, SAMPLE_TASKS_POLLING) == 0)
		sentence_add(&s, ", without most of those under 5 ms");
	else if (model_ended(model, run) && lost < 0)
		sentence_add(&s, ", some lost");
	else if (model_ended(model, run) && lost > 0)
		sentence_add(&s, ", of which the first %s have rows", UNITS_COUNT(n - lost));
	else if (model_ended(model, run))
		sentence_add(&s, ", 0 lost");
	if (run->slices_merged > 0)
		sentence_add(&s, ", slices merged per 1 ms");
	return buf;
}

static bool may_have_records(const struct model *model)
{
	return strcmp(model->session.sched_perf, SAMPLE_PERF) == 0;
}

char *sched_no_wakes(const struct model *model, char *buf, size_t size)
{
	const char *why = model->session.wakes;

	*buf = '\0';
	if (*why == '\0' || strcmp(why, SAMPLE_WAKES) == 0)
		return buf;
	if (is(model, "own"))
		snprintf(buf, size,
			 "Wake-ups after a block are not known: %s; use -s sched=perf as root",
			 why);
	else if (strcmp(why, SAMPLE_NO_TRACEFS) == 0)
		snprintf(buf, size,
			 "Wake-ups after a block need tracefs, which root may mount at "
			 "/sys/kernel/tracing");
	else if (strcmp(why, SAMPLE_HIDDEN_TRACEFS) == 0)
		snprintf(buf, size,
			 "Wake-ups after a block need tracefs, which only root may read");
	else
		snprintf(buf, size, "Wake-ups after a block are not known: %s", why);
	return buf;
}

char *sched_no_lanes(const struct model *model, bool brief, char *buf, size_t size)
{
	const char *perf = model->session.sched_perf;

	*buf = '\0';
	if (sched_wanted(model) || !is(model, "own") || !*perf)
		return buf;
	if (brief && *model->session.watched.sched)
		snprintf(buf, size, "no lanes, because it switches too often");
	else if (*model->session.watched.sched)
		snprintf(buf, size,
			 "no lanes, because recording each switch would take about %.0f %% of the "
			 "time; -s sched=perf records them anyway",
			 100 * model->session.watched.share);
	else if (brief)
		snprintf(buf, size, "%s",
			 may_have_records(model) ? "lanes need -s sched=perf"
						 : "no lanes without kernel records");
	else if (may_have_records(model))
		snprintf(buf, size,
			 "no lanes, because tasks without a loop record nothing; -s sched=perf "
			 "sees them");
	else
		snprintf(buf, size,
			 "no lanes, because tasks without a loop record nothing; the kernel's "
			 "records are not available: %s",
			 perf);
	return buf;
}

char *sched_sentence(const struct model *model, char *buf, size_t size)
{
	char source[SCHED_TEXT], wakes[SCHED_TEXT];
	struct sentence s = sentence_in(buf, size);
	sched_no_wakes(model, wakes, sizeof(wakes));
	if (*sched_no_lanes(model, false, source, sizeof(source)))
		sentence_add(&s, "Source of slices: %s.", source);
	else if (*sched_source(model, NULL, source, sizeof(source)) && *wakes)
		sentence_add(&s, "Source of slices: %s. %s.", source, wakes);
	else if (*source)
		sentence_add(&s, "Source of slices: %s.", source);
	return buf;
}
