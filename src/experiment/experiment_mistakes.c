/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static bool walks(const struct plan *plan)
{
	return plan->leaves[WORK_MEM] > 0;
}

int experiment_check_mistakes(struct experiment_build *build)
{
	if (build->experiment->request.mistakes.share_file && access("/proc/self/fd", F_OK))
		return REFUSE(build, -ENOENT,
			      "-s share-file: each worker opens the one file through "
			      "/proc/self/fd, and it is not there: mount /proc");
	return 0;
}

struct mistakes experiment_mistakes(const struct request *request, const struct plan *plan)
{
	struct mistakes mistakes = request->mistakes;

	mistakes.share_file &= mistakes_concern_files(plan);
	if (!walks(plan))
		mistakes.mem_order = MEM_RANDOM;
	if (!mistakes_concern_rounds(plan))
		mistakes.rounds = 0;
	return mistakes;
}

static void take(struct mistakes *all, const struct mistakes *one)
{
	all->share_file |= one->share_file;
	all->mem_order |= one->mem_order;
	all->rounds |= one->rounds;
}

/* The figures were measured with two workers of 64 MiB, and with three. */
size_t experiment_warnings(const struct experiment *experiment,
			   const char *out[EXPERIMENT_WARNINGS])
{
	struct mistakes all = {0};
	bool loose = false;
	size_t n = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct request *request = &experiment->each[i].request;
		cpu_set_t cpus = request->pin;

		take(&all, &experiment->cases[i].mistakes);
		if (request->pinned || !sched_getaffinity(0, sizeof(cpus), &cpus))
			loose |= request->quota > 1000 * (uint32_t)CPU_COUNT(&cpus);
	}
	if (loose)
		out[n++] = "-s quota is more CPUs than this program may use: it limits nothing";
	if (all.share_file)
		out[n++] = "-s share-file=yes is a known mistake: workers that write one file wait "
			   "for "
			   "its lock, and its blocks reach the disk once instead of once for each "
			   "(64 of 192 MiB of three workers): times and bytes are of one file, not "
			   "of so many";
	if (all.mem_order == MEM_SEQUENTIAL)
		out[n++] =
			"-s mem-order=sequential is a known mistake: the processor fetches ahead "
			"what is read in its order (a random walk took 15 times as long), so that "
			"this measures the prefetcher, not how memory is shared";
	if (all.rounds > 0)
		out[n++] = "-s rounds is a known mistake where it takes the place of --trials: "
			   "rounds of one run share its memory, caches and core, and give no "
			   "interval";
	return n;
}
