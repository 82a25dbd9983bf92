/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <errno.h>
#include <math.h>

#include "check_session.h"
#include "core/stats.h"

#define TRIALS 15
#define RARELY 10000 /* ms between samples: the first of a run alone */

/* One run, sampled that often: its elapsed time, ns; NaN. */
static int measure(struct check_parts *parts, uint32_t interval_ms, uint32_t run, double *elapsed)
{
	struct request request = check_session_request(&parts->report->machine, parts->work);
	struct check_session session = {.host = parts->host,
					.what = "what being watched costs",
					.done = run,
					.of = 2 * TRIALS,
					.deadline_ns = parts->end_ns};
	char why[256];
	int err;

	request.trials = 1;
	request.warmup = 0;
	request.interval_ms = interval_ms;
	err = check_session_run(&session, &request, why, sizeof(why));
	*elapsed = NAN;
	model_trials(&session.model, 0, METRIC_ELAPSED, elapsed, NULL, 1);
	model_free(&session.model);
	if (err && parts->report->results[CHECK_WATCHED].note[0] == '\0')
		return check_give_up(&parts->report->results[CHECK_WATCHED], err, why);
	return err == -EINTR || err == -ENOMEM ? err : 0;
}

/* In turn, and each of the two first as often as the other. */
static int measure_pair(struct check_parts *parts, uint32_t pair, double *rarely, double *always)
{
	bool swapped = pair % 2;
	int err = measure(parts, swapped ? 0 : RARELY, 2 * pair, swapped ? always : rarely);

	return err ? err
		   : measure(parts, swapped ? RARELY : 0, 2 * pair + 1, swapped ? rarely : always);
}

int check_watched(struct check_parts *parts)
{
	struct check_result *out = &parts->report->results[CHECK_WATCHED];
	double rarely[TRIALS], always[TRIALS];
	struct stats_interval ratio;
	uint32_t n = 0;

	for (uint32_t pair = 0; pair < TRIALS && !out->note[0]; pair++) {
		int err = measure_pair(parts, pair, &rarely[n], &always[n]);

		if (err)
			return err;
		n += rarely[n] > 0 && always[n] > 0;
	}
	if (stats_paired_ratio(rarely, always, n, &ratio))
		return -ENOMEM;
	if (isnan(ratio.low) || isnan(ratio.high))
		return check_give_up(out, -ETIMEDOUT, "");
	out->value = ratio.estimate;
	out->low = ratio.low;
	out->high = ratio.high;
	out->pairs = n;
	return 0;
}
