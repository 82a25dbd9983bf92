/* SPDX-License-Identifier: MIT */
#include "check/check.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "check_clock.h"
#include "check_parts.h"

#define INJECTED 1.03

void check_init(struct check_report *report)
{
	memset(report, 0, sizeof(*report));
	report->injected = INJECTED;
	report->seconds = NAN;
	for (int i = 0; i < CHECKS; i++)
		report->results[i].value = report->results[i].low = report->results[i].high = NAN;
}

/* The parts in their order, and when each is stopped, in s since the begin: under a minute in all.
 */
static const struct part {
	int (*measure)(struct check_parts *parts);
	uint64_t by_s;
} parts_list[] = {
	{check_pairs_calibrate, 5}, {check_agree, 18},	 {check_pairs_same, 31},
	{check_pairs_injected, 44}, {check_watched, 57}, {check_pairs_again, 57},
};

int check_run(struct check_report *report, struct check_host *host, double put)
{
	uint64_t begin_ns = clock_now_ns();
	struct check_parts parts = {
		.report = report,
		.host = host,
		.put = isnan(put) ? INJECTED : put,
	};
	int err = 0;

	report->wall_s = (int64_t)time(NULL);
	machine_read("", &report->machine);
	host->show(host, "the clock", 0, 0);
	check_clock(report->results);
	for (size_t i = 0; i < sizeof(parts_list) / sizeof(*parts_list) && !err; i++) {
		parts.end_ns = begin_ns + parts_list[i].by_s * 1000000000u;
		err = parts_list[i].measure(&parts);
	}
	check_machine(&parts);
	report->seconds = (double)(clock_now_ns() - begin_ns) / 1e9;
	return err;
}
