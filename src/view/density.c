/* SPDX-License-Identifier: MIT */
#include "density.h"

#include <string.h>
#include <sys/param.h>

void density_begin(struct density *density, const struct plot_axis *axis, int64_t until_ns)
{
	memset(density, 0, sizeof(*density));
	density->axis = axis;
	density->until_ns = until_ns;
	density->w = axis->w < DENSITY_CELLS ? axis->w : DENSITY_CELLS;
	density->scale = (double)axis->w / (double)(axis->to_ns - axis->from_ns);
	density->sum.begin_ns = density->sum.end_ns = -1;
}

static int64_t came(const struct density *density, int64_t time_ns)
{
	return time_ns >= 0 && time_ns <= density->until_ns ? time_ns : -1;
}

/* The cell of a time, -1 and w for what lies beside the axis. */
static int cell_of(const struct density *density, int64_t time_ns)
{
	double at = (double)(time_ns - density->axis->from_ns) * density->scale;

	return at < 0 ? -1 : at >= density->w ? density->w : (int)at;
}

/* One more in every cell that from … to touches: as differences from cell to cell. */
static void touch(const struct density *density, int32_t *delta, int64_t from_ns, int64_t to_ns)
{
	int from = cell_of(density, from_ns), to = cell_of(density, to_ns);

	if (to < 0 || from >= density->w)
		return;
	delta[from < 0 ? 0 : from]++;
	if (to < density->w)
		delta[to + 1]--;
}

static bool is_bad(const struct sample_worker *worker)
{
	return worker->status == SAMPLE_FAILED || worker->status == SAMPLE_CRASHED ||
	       worker->status == SAMPLE_REFUSED;
}

static void add_bad(struct density *density, const struct sample_worker *worker)
{
	int64_t end = worker->finish_ns >= 0 ? worker->finish_ns
		      : worker->join_ns >= 0 ? worker->join_ns
					     : worker->created_ns;
	int cell = cell_of(density, end);

	if (came(density, end) < 0)
		return;
	density->sum.bad++;
	if (cell >= 0 && cell < density->w)
		density->failed[cell] = true;
}

static void add_worker(struct density *density, const struct sample_worker *worker)
{
	int64_t create = came(density, worker->create_ns), start = came(density, worker->start_ns);
	int64_t finish = came(density, worker->finish_ns), join = came(density, worker->join_ns);
	int64_t last = join >= 0 ? join : density->until_ns;

	if (is_bad(worker))
		add_bad(density, worker);
	if (create < 0 || worker->status == SAMPLE_REFUSED)
		return;
	if (density->sum.begin_ns < 0 || create < density->sum.begin_ns)
		density->sum.begin_ns = create;
	density->sum.joined += join >= 0;
	density->sum.end_ns = MAX(density->sum.end_ns, join);
	touch(density, density->exist, create, last);
	touch(density, density->state[DENSITY_CREATED], create, start >= 0 ? start : last);
	if (start >= 0)
		touch(density, density->state[DENSITY_RUNNING], start, finish >= 0 ? finish : last);
	if (finish >= 0)
		touch(density, density->state[DENSITY_WAITING], finish, last);
}

void density_add(struct density *density, const struct sample_worker *workers, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		add_worker(density, &workers[i]);
	density->sum.workers += n;
}

/* A lone one among many is a dot, nearly all a full cell. */
static uint8_t shade_of(int32_t exist, uint32_t workers)
{
	static const double least[] = {0.08, 0.3, 0.55, 0.85};
	double share = workers ? (double)exist / workers : 0;
	uint8_t shade = 1;

	if (exist <= 0)
		return 0;
	while (shade < 5 && share >= least[shade - 1])
		shade++;
	return shade;
}

void density_cells(const struct density *density, struct density_cell *cells)
{
	int32_t exist = 0, state[DENSITY_STATES] = {0};

	for (int x = 0; x < density->w; x++) {
		uint8_t most = DENSITY_CREATED;

		exist += density->exist[x];
		for (uint8_t i = 0; i < DENSITY_STATES; i++) {
			state[i] += density->state[i][x];
			if (state[i] > state[most])
				most = i;
		}
		cells[x].shade = shade_of(exist, density->sum.workers);
		cells[x].state = density->failed[x] ? DENSITY_BAD : most;
	}
}
