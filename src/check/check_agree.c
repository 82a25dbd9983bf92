/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "check_parts.h"
#include "base/clock.h"
#include "check/check.h"
#include "check_rows.h"

#define TRIALS	 3
#define INTERVAL 10 /* ms: workers are seen soon */

/* What each witness counts, ns; -1: not known. */
struct counts {
	uint64_t begin_ns;
	int64_t self_ns, children_ns, cgroup_ns, perf_ns;
	struct check_load load;
};

struct witnesses {
	struct check_cgroup cgroup;
	int perf; /* below 0: an error */
	struct check_schedstat schedstat;
	struct counts before, after;
};

/* Readings that take longest stand first and last: what they use is no run's. */
static void count_before(void *arg)
{
	struct witnesses *w = arg;

	check_load_read(&w->before.load);
	w->before.begin_ns = clock_now_ns();
	w->before.cgroup_ns = check_cgroup_used(&w->cgroup);
	w->before.perf_ns = check_perf_used(w->perf);
	w->before.self_ns = 1000 * (int64_t)clock_used_us(RUSAGE_SELF);
	w->before.children_ns = 1000 * (int64_t)clock_used_us(RUSAGE_CHILDREN);
}

static void look(void *arg, const struct model *model, const struct sample *sample)
{
	check_schedstat_look(&((struct witnesses *)arg)->schedstat, model, sample);
}

/* This program itself is counted by a witness as well, and left out. */
static double without_self(const struct witnesses *w, int64_t before, int64_t after)
{
	return (double)(after - before - (w->after.self_ns - w->before.self_ns));
}

/* The runs, this program and all others, by what the cores did. */
static void judge_load(const struct witnesses *w, double cpu_ns, struct check_result *out)
{
	const struct check_load *before = &w->before.load, *after = &w->after.load;
	double others_ns = 1e3 * (double)(after->others_us - before->others_us);
	double busy_ns = 1e3 * (double)(after->busy_us - before->busy_us);
	double wall_ns = (double)(w->after.begin_ns - w->before.begin_ns);

	if (before->busy_us < 0 || after->busy_us < 0) {
		snprintf(out->note, sizeof(out->note), "no /proc/stat");
		return;
	}
	out->value =
		(cpu_ns + others_ns + (double)(w->after.self_ns - w->before.self_ns)) / busy_ns;
	snprintf(out->note, sizeof(out->note), "others used %.2f of a core", others_ns / wall_ns);
}

static void judge(const struct witnesses *w, double cpu_ns, struct check_result results[CHECKS])
{
	int64_t children_ns = w->after.children_ns - w->before.children_ns;

	if (isnan(cpu_ns)) {
		for (int id = CHECK_GETRUSAGE; id <= CHECK_PERF; id++)
			snprintf(results[id].note, sizeof(results[id].note), "a run failed");
		return;
	}
	if (children_ns > 0)
		results[CHECK_GETRUSAGE].value = cpu_ns / (double)children_ns;
	if (w->before.cgroup_ns >= 0 && w->after.cgroup_ns > w->before.cgroup_ns)
		results[CHECK_CGROUP].value =
			cpu_ns / without_self(w, w->before.cgroup_ns, w->after.cgroup_ns);
	if (w->before.perf_ns >= 0 && w->after.perf_ns > w->before.perf_ns)
		results[CHECK_PERF].value =
			cpu_ns / without_self(w, w->before.perf_ns, w->after.perf_ns);
	judge_load(w, cpu_ns, &results[CHECK_PROC_STAT]);
	check_schedstat_judge(&w->schedstat, &results[CHECK_SCHEDSTAT]);
}

static void open_witnesses(struct witnesses *w, struct check_result results[CHECKS])
{
	struct check_result *cgroup = &results[CHECK_CGROUP], *perf = &results[CHECK_PERF];
	const char *why;
	int err = check_cgroup_open(&w->cgroup, &why);

	if (err)
		snprintf(cgroup->note, sizeof(cgroup->note), "%s: %s", why, strerror(-err));
	w->perf = check_perf_open();
	if (w->perf < 0)
		check_perf_why(w->perf, perf->note, sizeof(perf->note));
	check_schedstat_init(&w->schedstat);
}

int check_agree(struct check_parts *parts)
{
	struct request request = check_session_request(&parts->report->machine, parts->work);
	struct check_result *results = parts->report->results;
	struct witnesses w = {0};
	struct check_session session = {.host = parts->host,
					.what = "agreement with the kernel",
					.deadline_ns = parts->end_ns,
					.look = look,
					.before = count_before,
					.arg = &w};
	char why[256];
	int err;

	request.models = "threads,processes";
	request.trials = TRIALS;
	request.warmup = 0;
	request.interval_ms = INTERVAL;
	open_witnesses(&w, results);
	err = check_session_run(&session, &request, why, sizeof(why));
	w.after.cgroup_ns = check_cgroup_used(&w.cgroup);
	w.after.perf_ns = check_perf_used(w.perf);
	w.after.self_ns = 1000 * (int64_t)clock_used_us(RUSAGE_SELF);
	w.after.children_ns = 1000 * (int64_t)clock_used_us(RUSAGE_CHILDREN);
	w.after.begin_ns = clock_now_ns();
	check_load_read(&w.after.load);
	if (!err)
		judge(&w, check_session_cpu_ns(&session.model), results);
	check_schedstat_close(&w.schedstat);
	check_perf_close(w.perf);
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

static void take_ratio(const struct model_comparison *found, struct check_result *out)
{
	bool known = !isnan(found->ratio.low) && !isnan(found->ratio.high);

	out->value = known ? found->ratio.estimate : NAN;
	out->low = known ? found->ratio.low : NAN;
	out->high = known ? found->ratio.high : NAN;
	out->pairs = found->pairs;
	if (!known && !out->note[0])
		snprintf(out->note, sizeof(out->note), "too few for an interval");
}

/* Threads with the second amount of work by threads with the first, in elapsed time. */
static int compare(struct check_parts *parts, const char *what, uint64_t second, enum check_id id)
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

	request.models = "threads,threads";
	request.trials = PAIRS_TRIALS;
	request.warmup = 1;
	err = check_session_run(&session, &request, why, sizeof(why));
	out->note[0] = '\0';
	check_give_up(out, err, why);
	if (session.model.n_cases == 2) {
		check_machine_add(parts, &session.model);
		bad = model_compare(&session.model, 0, 1, METRIC_ELAPSED, &found);
		if (!bad)
			take_ratio(&found, out);
	}
	model_free(&session.model);
	return bad ? bad : check_give_up(out, err, why);
}

int check_pairs_same(struct check_parts *parts)
{
	uint64_t begin_ns = clock_now_ns();
	int err = compare(parts, "threads against threads", parts->work, CHECK_SAME);

	parts->series_ns = clock_now_ns() - begin_ns;
	return err;
}

int check_pairs_injected(struct check_parts *parts)
{
	uint64_t more = (uint64_t)llround((double)parts->work * parts->put);

	return compare(parts, "an injected difference", more, CHECK_INJECTED);
}

static int again(struct check_parts *parts, enum check_id id,
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
	int err = again(parts, CHECK_SAME, check_pairs_same);

	return err ? err : again(parts, CHECK_INJECTED, check_pairs_injected);
}
