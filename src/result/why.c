/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "result/differs.h"
#include "model/model_parts.h"

/*
 * Known causes of differences in the parts. A cause is named only if its experiment would differ
 * from this session, because it could otherwise show nothing new. If a recording does not have
 * enough data to decide that, the cause is not named.
 */

#define BIT(part) (1u << (METRIC_##part - METRIC_CREATING))

/* Conditions for the slower case, for causes that the session itself has not examined. */
enum why_condition {
	FORKS,
	MAPS_STACKS, /* all its workers are threads, and no case has set a size for stacks */
	ALLOCATES,
	ALLOCATES_CACHED,
	ALLOCATES_BEYOND,
	SHARES_FILE,
	SHARES_STREAM,
	WHY_COPIES,
	/* a program whose tasks need more CPU time waits longer for the same cores */
	COMPUTES_MORE,
	CROWDED, /* other programs had cores, so no placement of the workers avoids the waits */
	SHARES_CORES,
};

struct cause {
	unsigned parts;
	enum why_condition condition;
	const char *text, *options;
};

/* Largest block that glibc caches for each thread and allocates without a lock. */
#define CACHED 1032

/*
 * The smallest number of processes, at least two, among which the workers can be divided equally,
 * with at least as many workers as processes; 0 if none.
 */
static uint32_t fewest_processes(uint32_t workers)
{
	for (uint32_t i = 2; i * i <= workers; i++)
		if (workers % i == 0)
			return i;
	return 0;
}

static bool holds(enum why_condition condition, const struct model *model,
		  const struct sample_case *longer, const struct sample_case *shorter)
{
	const struct machine *machine = &model->session.machine;
	const struct variables *varied = &longer->variables;
	const bool threads = plan_has(&longer->plan, PLAN_THREAD);
	const bool processes = plan_has(&longer->plan, PLAN_PROCESS);
	/*
	 * Allocating takes longer in threads, because in a process with a single thread glibc takes
	 * its lock without an atomic instruction.
	 */
	const bool locks = longer->alloc > 0 && threads && !plan_has(&shorter->plan, PLAN_THREAD) &&
			   strncmp(machine->libc, "glibc", 5) == 0;
	bool ballast = false, stacks = false, hybrids = false;
	struct model_busy busy = {0};

	for (uint32_t i = 0; i < model->n_cases; i++) {
		ballast |= model->cases[i].ballast > 0;
		stacks |= model->cases[i].stack_size > 0;
		hybrids |= strncmp(model->cases[i].model, "hybrid", 6) == 0;
	}
	switch (condition) {
	case FORKS:
		return !ballast && processes && !plan_has(&shorter->plan, PLAN_PROCESS);
	case MAPS_STACKS:
		return !stacks && threads && !processes;
	case ALLOCATES:
		return longer->alloc > 0 && threads;
	case ALLOCATES_CACHED:
		return locks && longer->alloc <= CACHED &&
		       !variables_find(varied, "env:GLIBC_TUNABLES");
	case ALLOCATES_BEYOND:
		return locks && longer->alloc > CACHED && !variables_find(varied, "alloc");
	case SHARES_FILE:
		return longer->mistakes.share_file && !variables_find(varied, "share-file");
	case SHARES_STREAM:
		/*
		 * The experiment runs hybrids with the same number of workers, which have a stream
		 * for each process. If the session has a hybrid, that shows nothing new.
		 */
		return !hybrids && longer->plan.levels == 1 &&
		       longer->plan.task[0] == PLAN_THREAD &&
		       fewest_processes(longer->plan.leaves[WORK_HELLO]) > 0;
	case WHY_COPIES:
		return longer->cache == SAMPLE_CACHE_WARM && longer->plan.leaves[WORK_IO] > 0;
	case COMPUTES_MORE:
		return differs_more_cpu(model, (uint32_t)(shorter - model->cases),
					(uint32_t)(longer - model->cases)) > 0;
	case CROWDED:
		return model_is_busy(model, &busy) && busy.others > 0;
	case SHARES_CORES:
		/*
		 * The scaling experiment already pins its workers to one core, so pinning would
		 * show nothing new.
		 */
		return longer->cache != SAMPLE_CACHE_UNKNOWN && !longer->pinned &&
		       strcmp(model->session.experiment, "scaling") != 0 &&
		       machine->cores_allowed > 1;
	}
	return false;
}

static const struct cause causes[] = {
	{BIT(CREATING), FORKS, "Creating a process copies its parent's page tables.",
	 "--set ballast=0,64M"},
	{BIT(JOINING), FORKS, "A process that ends gives its page tables back.",
	 "--set ballast=0,64M"},
	{BIT(CREATING) | BIT(JOINING), MAPS_STACKS, "Each thread has a stack mapped for it.",
	 "--set stack=default,16K"},
	{BIT(WORKING) | BIT(WAITING) | BIT(BLOCKED) | BIT(RUNNING), ALLOCATES_BEYOND,
	 "Threads lock the allocator for blocks that are not in its thread cache.",
	 "--set alloc=1000,"},
	{BIT(WORKING) | BIT(WAITING) | BIT(BLOCKED) | BIT(RUNNING), ALLOCATES_CACHED,
	 "Threads lock the allocator where its thread cache does not help.",
	 "--set env:GLIBC_TUNABLES=-,glibc.malloc.tcache_count=0"},
	{BIT(WORKING) | BIT(BLOCKED) | BIT(RUNNING), ALLOCATES,
	 "Threads share the allocator and its locks.", "--set alloc=0"},
	{BIT(WORKING) | BIT(WAITING) | BIT(BLOCKED) | BIT(RUNNING), SHARES_FILE,
	 "All workers write to one file and wait for its lock.", "--set share-file=no,yes"},
	{BIT(WORKING) | BIT(WAITING) | BIT(BLOCKED) | BIT(RUNNING), SHARES_STREAM,
	 "All threads write to one stream and wait for its lock.", "--models"},
	{BIT(BLOCKED), WHY_COPIES, "How long a copy waits depends on the page cache.",
	 "--set cache=cold"},
	{BIT(WAITING), COMPUTES_MORE,
	 "Tasks that need more CPU time also wait longer for the cores that they share.", ""},
	{BIT(WAITING), CROWDED, NULL, ""},
	{BIT(WAITING), SHARES_CORES,
	 "The kernel's placement of the workers decides which of them wait for a core.",
	 "--set pin"},
};

/*
 * Whether the verdict names a faster case. If not, there is nothing to explain. The verdict is
 * about ratios, `whole` about a difference; both must be significant in the same direction.
 */
static bool is_decided(const struct model_parts_difference *difference)
{
	const enum stats_verdict verdict = difference->elapsed.verdict;

	return difference->whole.verdict == verdict && (verdict == STATS_A || verdict == STATS_B);
}

/* The CPU on which all of a run's workers began and ended; -1 if they used several. */
static int one_cpu(const struct model_run *run)
{
	int cpu;

	if (run->n_workers == 0 || run->workers.gone)
		return -1;
	cpu = model_known(run, 0).cpu_first;

	for (uint32_t i = 0; i < run->n_workers; i++)
		if (model_known(run, i).cpu_first != cpu || model_known(run, i).cpu_last != cpu)
			return -1;
	return cpu;
}

static bool limited_to_one(const struct machine *machine)
{
	return machine->cores_allowed == 1 || (machine->cpu_quota > 0 && machine->cpu_quota <= 1);
}

/*
 * Explains why no model is faster. If the reason is a limit to one CPU, the user can lift it only
 * if it comes from -s pin.
 */
static bool cause_none(const struct model *model, const struct model_comparison *whole,
		       struct why_cause *out)
{
	const struct sample_session *session = model_session(model, whole->a);
	const struct sample_case *config = &model->cases[whole->a];
	const struct machine *machine = &session->machine;
	struct model_comparison verdict;
	/* The recording does not name the CPUs of -s pin, so check where the workers ran. */
	int cpu = -1;
	bool pinned;

	if (model->n_runs > 0)
		cpu = one_cpu(&model->runs[model->n_runs - 1]);
	pinned = cpu >= 0;
	for (size_t i = 0; i < model->n_runs; i++)
		pinned &= model->cases[model->runs[i].id.case_id].pinned &&
			  (model->runs[i].workers.gone || one_cpu(&model->runs[i]) == cpu);
	/* On one core, models cannot differ in how many workers run at the same time. */
	if (model->n_origins > 0 || !config->plan.barrier || plan_leaves(&config->plan) < 2 ||
	    strcmp(session->experiment, "scaling") == 0 ||
	    variables_find(&config->variables, "cores") || !(limited_to_one(machine) || pinned) ||
	    model_compare(model, whole->a, whole->b, METRIC_ELAPSED, &verdict) ||
	    verdict.verdict != STATS_NONE)
		return false;
	out->recorded = session->options;
	if (machine_quota(machine) >= 0)
		snprintf(out->text, sizeof(out->text),
			 "A quota of %.3g of %d cores limits all workers together.",
			 machine->cpu_quota, machine->cores_allowed);
	else
		snprintf(out->text, sizeof(out->text),
			 "All workers share one core, so nothing runs at the same time.");
	out->options[0] = '\0';
	/*
	 * Accept only a list such as "0-2,4", because a command that a shell runs could be in a
	 * recording's text.
	 */
	if (!limited_to_one(machine) && machine->cores_allowed > 1 && *machine->cpus_allowed &&
	    !machine->cpus_allowed[strspn(machine->cpus_allowed, "0123456789,-")]) {
		snprintf(out->options, sizeof(out->options), "--set pin=%.50s",
			 machine->cpus_allowed);
		for (char *c = out->options; *c; c++)
			if (*c == ',')
				*c = '+';
	}
	return true;
}

bool why_crowded(const struct model *model, char *buf, size_t size)
{
	struct model_busy busy = {0};

	if (!model_is_busy(model, &busy) || !(busy.others > 0))
		return false;
	snprintf(buf, size,
		 "Other programs used %.0f %% of the CPU. Close them and run the session again.",
		 100 * busy.others);
	return true;
}

/*
 * Whether the cause, whose part is ns long, is to replace the cause found so far, whose part is
 * `most` ns long. A cause with an experiment always wins over CROWDED, whose only advice is to
 * close programs.
 */
static bool explains_more(const struct cause *cause, double ns, const struct cause *found,
			  double most)
{
	if (!found)
		return true;
	if ((cause->condition == CROWDED) != (found->condition == CROWDED))
		return found->condition == CROWDED;
	return ns > most;
}

bool why_cause(const struct model *model, const struct model_parts_difference *difference,
	       struct why_cause *out)
{
	double whole = difference->whole.ratio.estimate, most = 0;
	const struct sample_case *longer = &model->cases[difference->whole.a];
	const struct sample_case *shorter = &model->cases[difference->whole.b];
	const struct sample_session *session;
	const struct cause *found = NULL;

	if (whole > 0) {
		longer = &model->cases[difference->whole.b];
		shorter = &model->cases[difference->whole.a];
	}
	for (uint32_t i = 0; i < difference->n; i++) {
		const struct model_comparison *c = &difference->part[i];
		const unsigned bit = 1u << (c->metric - METRIC_CREATING);
		const struct cause *cause = causes, *end = causes + LENGTH(causes);

		for (; cause < end; cause++)
			if (cause->parts & bit && holds(cause->condition, model, longer, shorter))
				break;
		/*
		 * Suggest an experiment for a part only if the part is at least a tenth of the
		 * difference.
		 */
		if (cause == end || !why_names(c) || !(c->ratio.estimate * whole > 0) ||
		    fabs(c->ratio.estimate) < fabs(whole) / 10)
			continue;
		if (!explains_more(cause, fabs(c->ratio.estimate), found, most))
			continue;
		most = fabs(c->ratio.estimate);
		found = cause;
	}
	if (!found || !is_decided(difference))
		return cause_none(model, &difference->whole, out);
	session = model_session(model, difference->whole.a);
	out->recorded = session->options;
	if (found->condition == CROWDED)
		why_crowded(model, out->text, sizeof(out->text));
	else
		snprintf(out->text, sizeof(out->text), "%s", found->text);
	snprintf(out->options, sizeof(out->options), "%s", found->options);
	if (found->condition == SHARES_CORES)
		snprintf(out->options, sizeof(out->options), "--set pin=%d",
			 atoi(session->machine.cpus_allowed));
	if (found->condition == ALLOCATES_BEYOND)
		snprintf(out->options, sizeof(out->options), "%s%" PRIu64, found->options,
			 longer->alloc);
	if (found->condition == SHARES_STREAM) {
		/* for example "--models threads,hybrid:3x85,hybrid:85x3" */
		const uint32_t workers = longer->plan.leaves[WORK_HELLO];
		const uint32_t few = fewest_processes(workers), many = workers / MAX(1, few);
		struct sentence options = sentence_in(out->options, sizeof(out->options));
		sentence_add(&options, "--models threads,hybrid:%ux%u", few, many);
		if (few != many)
			sentence_add(&options, ",hybrid:%ux%u", many, few);
	}
	return true;
}

/* Least difference that is not shown as 0, ns. */
#define WHY_LEAST_NS 500

static bool is_real(const struct model_comparison *c)
{
	return c->verdict == STATS_A || c->verdict == STATS_B;
}

char *why_reality(const struct model *model, const struct model_comparison *difference, char *buf,
		  size_t size)
{
	if (is_real(difference))
		snprintf(buf, size, "real");
	else if (difference->verdict == STATS_NONE)
		snprintf(buf, size, "not real");
	else
		claim_none(model, difference, buf, size);
	return buf;
}

bool why_names(const struct model_comparison *part)
{
	return is_real(part) && fabs(part->ratio.estimate) >= WHY_LEAST_NS;
}

struct named_part {
	enum model_metric part;
	double ns; /* Difference between the medians in the table of parts, ns. */
};

/* Parts on which the second case spends more come first, and then the larger ones. */
static bool comes_before(const struct named_part *part, const struct named_part *other)
{
	if ((part->ns >= 0) != (other->ns >= 0))
		return part->ns >= 0;
	return fabs(part->ns) > fabs(other->ns);
}

char *why_sentence(const struct model *model, const struct model_parts_difference *difference,
		   char *buf, size_t size)
{
	struct named_part named[MODEL_PARTS], part;
	static const char *const real[] = {"real", "both real", "all real"};
	const char *b = MODEL_CASE_NAME(model, difference->whole.b);
	struct sentence s = sentence_in(buf, size);
	uint32_t n = 0;

	if (!is_decided(difference))
		return buf;
	for (uint32_t i = 0; i < difference->n; i++) {
		uint32_t at = n;

		part.part = difference->part[i].metric;
		part.ns = difference->part_ns[i];
		/* Leave out a part whose medians differ in the other direction than its pairs. */
		if (!why_names(&difference->part[i]) || fabs(part.ns) < WHY_LEAST_NS ||
		    (part.ns > 0) != (difference->part[i].ratio.estimate > 0))
			continue;
		for (; at > 0; at--) {
			if (!comes_before(&part, &named[at - 1]))
				break;
			named[at] = named[at - 1];
		}
		named[at] = part;
		n++;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct metric *metric = &metric_table[named[i].part];
		const char *what = sentence_text(metric->words, metric->title), *than = "less";

		if (i > 0)
			sentence_add(&s, ",");
		else if (report_name_is_plural(b))
			sentence_add(&s, "Where the time goes: %s take", b);
		else
			sentence_add(&s, "Where the time goes: %s takes", b);
		if (named[i].ns > 0)
			than = "more";
		sentence_add(&s, " %s %s %s", UNITS_TIME(llround(fabs(named[i].ns)), false), than,
			     what);
	}
	if (n > 0)
		sentence_add(&s, " than %s (%s).", MODEL_CASE_NAME(model, difference->whole.a),
			     real[MIN(n, LENGTH(real)) - 1]);
	return buf;
}

void why_find(const struct model *model, struct why *out)
{
	struct model_parts_difference difference;
	uint32_t a, b;

	*out = (struct why) {.has_cause = false};
	if (!model_parts_pair(model, &a, &b) || model_parts_compare(model, a, b, &difference))
		return;
	out->differs_known = differs_of_session(model, out->differs, sizeof(out->differs));
	why_sentence(model, &difference, out->sentence, sizeof(out->sentence));
	out->has_cause = why_cause(model, &difference, &out->cause);
}

char *why_read(const struct model *model, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	struct why why;

	why_find(model, &why);
	sentence_add(&s, "%s", why.differs);
	if (*why.sentence)
		sentence_join(&s, " ", "%s", why.sentence);
	if (why.has_cause)
		sentence_join(&s, " ", "%s", why.cause.text);
	if (why.has_cause && *why.cause.options)
		sentence_add(&s, " %s would show it.", why.cause.options);
	return buf;
}
