/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "check_rows.h"
#include "check_session.h"

#define TRIALS	  15
#define RUN_NS	  250e6
#define SOME_WORK 5000000 /* divisions: some 15 ms */

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
	request.trials = TRIALS;
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
