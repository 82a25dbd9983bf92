/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check_parts.h"
#include "base/clock.h"

#define TRIALS	 3
#define INTERVAL 10 /* ms: workers are seen soon */

/* What each witness counts, ns; -1: not known. */
struct counts {
	uint64_t at_ns;
	int64_t self_ns, children_ns, cgroup_ns, perf_ns;
	struct check_load load;
};

struct witnesses {
	struct check_cgroup cgroup;
	int perf; /* below 0: an error */
	struct check_schedstat schedstat;
	struct counts before, after;
};

static void read_counts(const struct witnesses *w, struct counts *counts)
{
	counts->at_ns = clock_now_ns();
	counts->cgroup_ns = check_cgroup_used(&w->cgroup);
	counts->perf_ns = check_perf_used(w->perf);
	counts->self_ns = 1000 * (int64_t)clock_used_us(RUSAGE_SELF);
	counts->children_ns = 1000 * (int64_t)clock_used_us(RUSAGE_CHILDREN);
}

/* The reading that takes longest stands first and last: what it uses is no run's. */
static void count_before(void *arg)
{
	struct witnesses *w = arg;

	check_load_read(&w->before.load);
	read_counts(w, &w->before);
}

static void look_at_workers(void *arg, const struct model *model, const struct sample *sample)
{
	check_schedstat_look(&((struct witnesses *)arg)->schedstat, model, sample);
}

static void judge_witnesses(const struct witnesses *w, double cpu_ns,
			    struct check_result results[CHECKS])
{
	const struct check_load *before = &w->before.load, *after = &w->after.load;
	struct check_result *stat = &results[CHECK_PROC_STAT];
	int64_t children_ns = w->after.children_ns - w->before.children_ns;
	double others_ns = 1e3 * (double)(after->others_us - before->others_us);
	double self_ns = (double)(w->after.self_ns - w->before.self_ns);

	if (isnan(cpu_ns)) {
		for (int id = CHECK_GETRUSAGE; id <= CHECK_PERF; id++)
			snprintf(results[id].note, sizeof(results[id].note), "a run failed");
		return;
	}
	if (children_ns > 0)
		results[CHECK_GETRUSAGE].value = cpu_ns / (double)children_ns;
	/* This program itself is counted by these witnesses as well, and left out. */
	if (w->before.cgroup_ns >= 0 && w->after.cgroup_ns > w->before.cgroup_ns)
		results[CHECK_CGROUP].value =
			cpu_ns / ((double)(w->after.cgroup_ns - w->before.cgroup_ns) - self_ns);
	if (w->before.perf_ns >= 0 && w->after.perf_ns > w->before.perf_ns)
		results[CHECK_PERF].value =
			cpu_ns / ((double)(w->after.perf_ns - w->before.perf_ns) - self_ns);
	/* The runs, this program and all others, by what the cores did. */
	if (before->busy_us < 0 || after->busy_us < 0) {
		snprintf(stat->note, sizeof(stat->note), "no /proc/stat");
	} else {
		stat->value = (cpu_ns + others_ns + self_ns) /
			      (1e3 * (double)(after->busy_us - before->busy_us));
		snprintf(stat->note, sizeof(stat->note), "others used %.2f of a core",
			 others_ns / (double)(w->after.at_ns - w->before.at_ns));
	}
	check_schedstat_judge(&w->schedstat, &results[CHECK_SCHEDSTAT]);
}

int check_agree(struct check_parts *parts)
{
	struct request request = check_session_request(&parts->report->machine, parts->work);
	struct check_result *results = parts->report->results;
	struct witnesses w = {0};
	struct check_session session = {.host = parts->host,
					.what = "agreement with the kernel",
					.deadline_ns = parts->end_ns,
					.look = look_at_workers,
					.before = count_before,
					.arg = &w};
	const char *step;
	char why[256];
	int err;

	request.models = "threads,processes";
	request.trials = TRIALS;
	request.warmup = 0;
	request.interval_ms = INTERVAL;
	err = check_cgroup_open(&w.cgroup, &step);
	if (err)
		snprintf(results[CHECK_CGROUP].note, sizeof(results[CHECK_CGROUP].note), "%s: %s",
			 step, strerror(-err));
	w.perf = check_perf_open();
	if (w.perf < 0)
		check_perf_why(w.perf, results[CHECK_PERF].note, sizeof(results[CHECK_PERF].note));
	check_schedstat_init(&w.schedstat);
	err = check_session_run(&session, &request, why, sizeof(why));
	read_counts(&w, &w.after);
	check_load_read(&w.after.load);
	if (!err)
		judge_witnesses(&w, check_session_cpu_ns(&session.model), results);
	check_schedstat_close(&w.schedstat);
	if (w.perf >= 0)
		close(w.perf);
	check_cgroup_close(&w.cgroup);
	model_free(&session.model);
	for (int id = CHECK_GETRUSAGE; err && id <= CHECK_PERF; id++)
		check_give_up(&results[id], err, why);
	return err == -EINTR || err == -ENOMEM ? err : 0;
}

#define PAIRS_TRIALS 15
#define RUN_NS	     250e6
#define SOME_WORK    5000000 /* divisions: some 15 ms */

/* By its CPU time: under load it is the same work that takes longer. */
int check_pairs_calibrate(struct check_parts *parts)
{
	double workers = check_session_cores(&parts->report->machine);
	struct request request = check_session_request(&parts->report->machine, SOME_WORK);
	struct check_session session = {
		.host = parts->host, .what = "how long work takes", .deadline_ns = parts->end_ns};
	char why[256];
	double best = INFINITY;
	int err;

	request.trials = 4;
	request.warmup = 0;
	err = check_session_run(&session, &request, why, sizeof(why));
	for (size_t i = 0; i < session.model.n_runs; i++)
		best = fmin(best, metric_value(&session.model.runs[i], METRIC_CPU) / workers);
	model_free(&session.model);
	parts->work =
		isfinite(best) && best > 0 ? (uint64_t)(SOME_WORK * RUN_NS / best) : SOME_WORK;
	return err == -EINTR || err == -ENOMEM ? err : 0;
}

int check_give_up(struct check_result *result, int err, const char *why)
{
	if (err == -ETIMEDOUT)
		why = "its time was over";
	if (err && !result->note[0])
		snprintf(result->note, sizeof(result->note), "%s", why);
	return err == -EINTR || err == -ENOMEM ? err : 0;
}

/* Threads with the second amount of work by threads with the first, in elapsed time. */
static int compare_threads(struct check_parts *parts, const char *what, uint64_t second,
			   enum check_id id)
{
	struct request request = check_session_request(&parts->report->machine, parts->work);
	struct check_result *out = &parts->report->results[id];
	struct check_session session = {.host = parts->host,
					.what = what,
					.deadline_ns = parts->end_ns,
					.second_work = second};
	struct model_comparison found;
	char why[256];
	int err, bad = 0;
	bool known;

	request.models = "threads,threads";
	request.trials = PAIRS_TRIALS;
	request.warmup = 1;
	err = check_session_run(&session, &request, why, sizeof(why));
	out->note[0] = '\0';
	check_give_up(out, err, why);
	if (session.model.n_cases == 2) {
		check_machine_add(parts, &session.model);
		bad = model_compare(&session.model, 0, 1, METRIC_ELAPSED, &found);
		known = !bad && !isnan(found.ratio.low) && !isnan(found.ratio.high);
		if (!bad) {
			out->value = known ? found.ratio.estimate : NAN;
			out->low = known ? found.ratio.low : NAN;
			out->high = known ? found.ratio.high : NAN;
			out->pairs = found.pairs;
		}
		if (!bad && !known && !out->note[0])
			snprintf(out->note, sizeof(out->note), "too few for an interval");
	}
	model_free(&session.model);
	return bad ? bad : check_give_up(out, err, why);
}

int check_pairs_same(struct check_parts *parts)
{
	uint64_t begin_ns = clock_now_ns();
	int err = compare_threads(parts, "threads against threads", parts->work, CHECK_SAME);

	parts->series_ns = clock_now_ns() - begin_ns;
	return err;
}

int check_pairs_injected(struct check_parts *parts)
{
	uint64_t more = (uint64_t)llround((double)parts->work * parts->put);

	return compare_threads(parts, "an injected difference", more, CHECK_INJECTED);
}

static int measure_again(struct check_parts *parts, enum check_id id,
			 int (*measure)(struct check_parts *parts))
{
	struct check_result *out = &parts->report->results[id];

	if (check_state(parts->report, id) != CHECK_OFF ||
	    clock_now_ns() + parts->series_ns > parts->end_ns)
		return 0;
	out->again = true;
	return measure(parts);
}

/* Of 20 series chance alone puts one off; what is wrong with the machine does it twice. */
int check_pairs_again(struct check_parts *parts)
{
	int err = measure_again(parts, CHECK_SAME, check_pairs_same);

	return err ? err : measure_again(parts, CHECK_INJECTED, check_pairs_injected);
}
