/* SPDX-License-Identifier: MIT */
#include "experiment/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/comparison.h"
#include "core/sample_run.h"
#include "core/sample_worker.h"
#include "stats/stats.h"

/*
 * Returns whether case `slow` really takes longer than case `fast`, by the trials that both have.
 * All comparisons of the session share one error probability.
 */
static bool is_slower(const struct advice *advice, uint32_t slow, uint32_t fast)
{
	const int64_t *x = advice->seen[fast].trial_ns, *y = advice->seen[slow].trial_ns;
	double logs[ADVICE_TRIALS];
	struct stats_interval interval;
	uint32_t pairs = 0;
	size_t n = 0;

	for (uint32_t a = 0; a < advice->n_cases; a++)
		for (uint32_t b = a + 1; b < advice->n_cases; b++)
			pairs += comparison_made(advice->cases, advice->n_cases, a, b);
	for (uint32_t i = 0; i < ADVICE_TRIALS; i++)
		if (x[i] > 0 && y[i] > 0)
			logs[n++] = log((double)y[i] / (double)x[i]);
	return comparison_made(advice->cases, advice->n_cases, MIN(slow, fast), MAX(slow, fast)) &&
	       !stats_signed_rank_interval(logs, n, INTERIM_ERROR / pairs, &interval) &&
	       interval.low > 0;
}

/*
 * If at most one in FEW tasks was alive at a time, the tasks hardly overlapped. If the later runs
 * read at most one FEW-th as much from the disk as the first run, only the first run was cold.
 */
#define FEW 4
/* Least ratio of two times that is explained. */
#define NOTICEABLE 1.1
/* KiB read from the disk. A run that reads less has only loaded its program. */
#define COLD_KB 4096

#define ADVICE_NAME (2 * SAMPLE_LABEL)

void advice_take(struct advice *advice, const struct sample_run *run,
		 const struct sample_totals *totals)
{
	bool reads = advice->cases[run->case_id].plan.leaves[WORK_IO] > 0;
	struct advice_case *seen;

	if (!advice->seen)
		advice->seen = calloc(advice->n_cases, sizeof(*advice->seen));
	if (!advice->seen || totals->status != SAMPLE_OK)
		return;
	seen = &advice->seen[run->case_id];
	if (reads && run->run == 0) {
		advice->first = run->case_id;
		advice->first_disk_kb = totals->disk_read_kb;
		advice->first_ns = totals->elapsed_ns;
	} else if (reads) {
		advice->others++;
		if (totals->disk_read_kb > advice->other_disk_kb)
			advice->other_disk_kb = totals->disk_read_kb;
	}
	if (run->trial == 0 || totals->paused)
		return;
	seen->trials++;
	seen->elapsed_ns += totals->elapsed_ns;
	if (run->trial <= ADVICE_TRIALS)
		seen->trial_ns[run->trial - 1] = totals->elapsed_ns;
	if (totals->peak_alive > seen->peak_alive)
		seen->peak_alive = totals->peak_alive;
}

/* Returns a name such as "threads" or "threads tree=50x99 stack=16K". */
static const char *advised_name(const struct sample_case *config, char *buf, size_t size)
{
	char variables[VARIABLES_TEXT];
	struct sentence name = sentence_in(buf, size);

	variables_format(&config->variables, ' ', variables, sizeof(variables));
	/*
	 * A name of an experiment's case is never longer than this; only joined recordings have
	 * longer ones.
	 */
	sentence_add(&name, "%.*s", SAMPLE_LABEL - 1, config->model);
	if (*variables)
		sentence_add(&name, " %s", variables);
	utf8_trim(buf);
	return buf;
}

static double mean(const struct advice *advice, uint32_t case_id)
{
	return (double)advice->seen[case_id].elapsed_ns / advice->seen[case_id].trials;
}

static bool is_tree(const struct plan *plan)
{
	return !plan->barrier && !plan_is_creation(plan);
}

static bool leaves_work(const struct plan *plan)
{
	for (int i = WORK_NULL + 1; i < WORK_KINDS; i++) {
		if (plan->leaves[i] > 0)
			return true;
	}
	return false;
}

/* Returns whether the plan is a tree that creates threads and whose leaves do no work. */
static bool creates_threads(const struct plan *plan)
{
	return is_tree(plan) && plan_has(plan, PLAN_THREAD) && !leaves_work(plan);
}

static bool said_few(const struct advice *advice, struct advice_line *line)
{
	for (uint32_t i = 0; i < advice->n_cases; i++) {
		const struct plan *plan = &advice->cases[i].plan;
		uint32_t peak = advice->seen[i].peak_alive, tasks = plan_count(plan);
		char name[ADVICE_NAME];

		if (!is_tree(plan) || leaves_work(plan) || plan->all_alive || plan->batch > 0 ||
		    advice->seen[i].trials == 0 || tasks < 2 * FEW || peak > tasks / FEW)
			continue;
		snprintf(line->text, sizeof(line->text),
			 "%s: each task ends immediately, so at most %s of %s were alive together; "
			 "-s all-alive=yes keeps all until the tree is complete, and measures "
			 "their memory",
			 advised_name(&advice->cases[i], name, sizeof(name)), UNITS_COUNT(peak),
			 UNITS_COUNT(tasks));
		return true;
	}
	return false;
}

static bool is_stack(const struct variable *variable)
{
	return strcmp(variable->name, "stack") == 0;
}

/*
 * Finds two measured cases of a model that creates threads. The second one is really slower.
 * by_stack: both have the same tree, and only the second has the system's stacks. Otherwise, both
 * have the system's stacks and their trees differ.
 */
static bool find_pair(const struct advice *advice, bool by_stack, uint32_t pair[2])
{
	for (uint32_t a = 0; a < advice->n_cases; a++) {
		for (uint32_t b = 0; b < advice->n_cases; b++) {
			const struct sample_case *x = &advice->cases[a], *y = &advice->cases[b];
			bool same;

			if (by_stack)
				same = variables_equal_but(&x->variables, &y->variables, is_stack);
			else
				same = variables_equal(&x->variables, &y->variables);

			if (advice->seen[a].trials == 0 || advice->seen[b].trials == 0 ||
			    !creates_threads(&x->plan) || !creates_threads(&y->plan) ||
			    strcmp(x->model, y->model) != 0 || same != by_stack ||
			    (x->stack_size > 0) != by_stack || y->stack_size > 0 ||
			    mean(advice, b) < NOTICEABLE * mean(advice, a) ||
			    !is_slower(advice, b, a))
				continue;
			pair[0] = a;
			pair[1] = b;
			return true;
		}
	}
	return false;
}

/*
 * Warns about a comparison of different trees: a difference that looks like the cost of a tree's
 * shape may be the cost of the threads' stacks.
 */
static bool said_stacks(const struct advice *advice, struct advice_line *line)
{
	char names[2][ADVICE_NAME];
	uint32_t pair[2];

	for (uint32_t i = 0; i < advice->n_cases; i++)
		if (advice->cases[i].stack_size > 0)
			return false;
	if (!find_pair(advice, false, pair))
		return false;
	line->kind = MESSAGE_STACKS;
	snprintf(line->text, sizeof(line->text),
		 "%s against %s: the threads' stacks may matter more here than the shape of the "
		 "tree, because the C library keeps at most 40 MiB of stacks for later threads; -s "
		 "stack=default,16K shows whether they do",
		 advised_name(&advice->cases[pair[0]], names[0], ADVICE_NAME),
		 advised_name(&advice->cases[pair[1]], names[1], ADVICE_NAME));
	return true;
}

/* Explains two cases with the same tree and different stacks. */
static bool explained_stacks(const struct advice *advice, struct advice_line *line)
{
	char name[ADVICE_NAME];
	uint32_t pair[2];

	if (!find_pair(advice, true, pair))
		return false;
	snprintf(line->text, sizeof(line->text),
		 "%s: %.2fx as long with the system's stacks. The extra time is spent mapping and "
		 "unmapping stacks that do not fit into the 40 MiB that the C library keeps",
		 advised_name(&advice->cases[pair[0]], name, sizeof(name)),
		 mean(advice, pair[1]) / mean(advice, pair[0]));
	return true;
}

/*
 * Warns about a common mistake: only the first run reads its files from the disk. Published reports
 * make it too: Gonzales 2016.
 */
static bool said_once_cold(const struct advice *advice, struct advice_line *line)
{
	char name[ADVICE_NAME];

	if (advice->others == 0 || advice->first_disk_kb < COLD_KB ||
	    advice->other_disk_kb > advice->first_disk_kb / FEW)
		return false;
	snprintf(line->text, sizeof(line->text),
		 "%s ran first, for %s, and read %s from the disk; every later run found the file "
		 "in the page cache. The extra time is the disk's, not the model's. Use -s "
		 "cache=warm or -s cache=cold for all runs, or --order random",
		 advised_name(&advice->cases[advice->first], name, sizeof(name)),
		 UNITS_TIME(advice->first_ns, false), UNITS_KIB(advice->first_disk_kb));
	return true;
}

size_t advice_lines(const struct advice *advice, struct advice_line lines[ADVICE_MOST])
{
	static bool (*const say[ADVICE_MOST])(const struct advice *advice,
					      struct advice_line *line) = {
		said_few, said_stacks, explained_stacks, said_once_cold};
	size_t n = 0;

	if (!advice->seen)
		return 0;
	for (size_t i = 0; i < ADVICE_MOST; i++) {
		lines[n].kind = MESSAGE_OTHER;
		n += say[i](advice, &lines[n]);
	}
	return n;
}
