/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/work_file.h"

#define WRITES	   64 /* Writes before the first check of the clock. */
#define TOUCH_LINE 64
#define WRITTEN	   2   /* A value that differs from the parent's. */
#define WHOLE	   100 /* The size of the work is in % of the ballast. */
/* Memory that the process has written and that no other process maps. */
#define COPIED "Private_Dirty:"

struct pages {
	char *first;
	size_t n, step;
	/*
	 * Offset within a page, so that up to 64 workers of one process write to different cache
	 * lines.
	 */
	size_t at;
};

static uint64_t count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_minflt;
}

static void write_each(const struct pages *pages, struct work_ticker *ticker)
{
	struct work_pace pace = {ticker, WRITES, WRITES};
	char *p = pages->first + pages->at;

	for (size_t i = 0; i < pages->n; i++, p += pages->step) {
		__atomic_store_n(p, WRITTEN, __ATOMIC_RELAXED);
		work_step(&pace);
	}
}

/* Counts the pages that have the written value. Call it after the time was measured. */
static uint64_t count_written(const struct pages *pages)
{
	const char *p = pages->first + pages->at;
	uint64_t n = 0;

	for (size_t i = 0; i < pages->n; i++, p += pages->step)
		n += *p == WRITTEN;
	return n;
}

/* Writes to the pages. Counts page faults and copied memory outside the measured time. */
static int run_touch(const struct work_args *args, struct work_result *result)
{
	const size_t step = (size_t)sysconf(_SC_PAGESIZE);
	const struct pages pages = {
		.first = args->ballast,
		.n = (size_t)(args->ballast_bytes / step * args->size / WHOLE),
		.step = step,
		.at = args->index * TOUCH_LINE % step,
	};
	struct work_steps *done = &result->steps;
	uint64_t before, after;

	if (!args->ballast || pages.n == 0)
		return -EINVAL;
	before = work_smaps_kb(COPIED, &done->report_bytes);
	done->faults = count_faults();
	done->begin_ns = clock_now_ns();
	done->used_ns = clock_thread_ns();
	write_each(&pages, args->ticker);
	done->used_ns = clock_thread_ns() - done->used_ns;
	done->end_ns = clock_now_ns();
	done->faults = count_faults() - done->faults;
	after = work_smaps_kb(COPIED, &done->report_bytes);
	if (before == UINT64_MAX || after == UINT64_MAX)
		done->copied_kb = UINT64_MAX;
	else if (after > before)
		done->copied_kb = after - before;
	else
		done->copied_kb = 0;
	result->value = done->n = count_written(&pages);
	if (result->value == pages.n)
		return 0;
	return -EILSEQ;
}

const struct workload_ops work_touch_ops = {
	.about = "write to pages of the parent's ballast",
	.amount = "PERCENT of the ballast that they write to",
	.unit = "% of the ballast",
	.default_size = WHOLE,
	.most_size = WHOLE,
	.ticks = true,
	.run = run_touch,
};
