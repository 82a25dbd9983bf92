/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/procfs.h"
#include "base/units.h"
#include "capacity.h"

#define HUGE_PAGE (UINT64_C(2) << 20)
#define HUGEPAGES "/sys/kernel/mm/transparent_hugepage/enabled"

/* Workers that write to their creator's memory, and the pages that it is in. */

static int check_huge(struct experiment_build *build, uint64_t ballast)
{
	char text[128];

	if (ballast % HUGE_PAGE)
		return REFUSE(
			build, -EINVAL,
			"-s ballast-pages=huge: its pages are of 2 MiB, and -s ballast=%s is no "
			"whole number of them (-s ballast=64M)",
			UNITS_EXACT(ballast));
	if (procfs_read_text("", HUGEPAGES, text, sizeof(text)))
		return REFUSE(build, -EAGAIN,
			      "-s ballast-pages=huge: cannot be had: this kernel has no "
			      "transparent huge pages (%s is missing)",
			      HUGEPAGES);
	if (strstr(text, "[never]"))
		return REFUSE(build, -EAGAIN,
			      "-s ballast-pages=huge: cannot be had: %s says never; an "
			      "administrator can write madvise to it",
			      HUGEPAGES);
	return 0;
}

/* Each process that writes has a copy of what it writes to. */
static uint64_t copies(const struct plan *plan)
{
	uint32_t processes = 0;

	for (uint32_t i = 0; i < plan->levels; i++)
		if (plan->task[i] == PLAN_PROCESS)
			plan_level(plan, i, &processes);
	return processes < plan->leaves[WORK_TOUCH] ? processes : plan->leaves[WORK_TOUCH];
}

static int check_copies(struct experiment_build *build, const struct sample_case *one)
{
	uint64_t each_kb = one->ballast / 1024 * one->work_size[WORK_TOUCH] / 100;
	uint64_t free_kb = capacity_memory_free(""), n = copies(&one->plan);
	uint64_t left_kb = free_kb > one->ballast / 1024 ? free_kb - one->ballast / 1024 : 0;

	if (n == 0 || each_kb <= left_kb / n)
		return 0;
	return REFUSE(
		build, -EAGAIN,
		"-s ballast=%s: is copied by %" PRIu64 " processes that write to %" PRIu64
		" %% of it; free memory is %s: at most -s ballast=%s fits",
		UNITS_EXACT(one->ballast), n, one->work_size[WORK_TOUCH],
		UNITS_KIB((int64_t)free_kb),
		UNITS_EXACT(free_kb * 100 / (100 + n * one->work_size[WORK_TOUCH]) >> 10 << 20));
}

static int check_case(struct experiment_build *build, const struct sample_case *one)
{
	bool huge = build->experiment->request.ballast_pages == BALLAST_HUGE;
	int err = huge && one->ballast > 0 ? check_huge(build, one->ballast) : 0;

	if (one->plan.leaves[WORK_SHARE] > 0 && one->counting == 0)
		return REFUSE(
			build, -EINVAL,
			"--workers: share workers are for the experiment share, which has each way "
			"to count together");
	if (err || one->plan.leaves[WORK_TOUCH] == 0)
		return err;
	if (one->ballast < HUGE_PAGE)
		return REFUSE(build, -EINVAL,
			      "-s ballast=%s: is too little for touch workers, which write to "
			      "each page of it; give 2M or more (-s ballast=64M)",
			      UNITS_EXACT(one->ballast));
	return check_copies(build, one);
}

int experiment_check_touch(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	int err = 0;

	for (uint32_t i = 0; i < experiment->n_cases && !err; i++)
		err = check_case(build, &experiment->cases[i]);
	return err;
}
