/* SPDX-License-Identifier: MIT */
#include "strip.h"

#include <string.h>

void strip_begin(struct strip *strip, const struct plot_axis *axis, int64_t until_ns)
{
	memset(strip, 0, sizeof(*strip));
	strip->axis = axis;
	strip->until_ns = until_ns;
	strip->w = axis->w < STRIP_CELLS ? axis->w : STRIP_CELLS;
	strip->scale = (double)axis->w / (double)(axis->to_ns - axis->from_ns);
	strip->begin_ns = strip->end_ns = -1;
}

static int64_t came(const struct strip *strip, int64_t time_ns)
{
	return time_ns >= 0 && time_ns <= strip->until_ns ? time_ns : -1;
}

/* The cell of a time, -1 and w for what lies beside the axis. */
static int cell_of(const struct strip *strip, int64_t time_ns)
{
	double at = (double)(time_ns - strip->axis->from_ns) * strip->scale;

	return at < 0 ? -1 : at >= strip->w ? strip->w : (int)at;
}

/* One more in every cell that from … to touches: as differences from cell to cell. */
static void touch(const struct strip *strip, int32_t *delta, int64_t from_ns, int64_t to_ns)
{
	int from = cell_of(strip, from_ns), to = cell_of(strip, to_ns);

	if (to < 0 || from >= strip->w)
		return;
	delta[from < 0 ? 0 : from]++;
	if (to < strip->w)
		delta[to + 1]--;
}

static bool is_bad(const struct sample_worker *worker)
{
	return worker->status == SAMPLE_FAILED || worker->status == SAMPLE_CRASHED ||
	       worker->status == SAMPLE_REFUSED;
}

static void add_bad(struct strip *strip, const struct sample_worker *worker)
{
	int64_t end = worker->finish_ns >= 0 ? worker->finish_ns
		      : worker->join_ns >= 0 ? worker->join_ns
					     : worker->created_ns;
	int cell = cell_of(strip, end);

	if (came(strip, end) < 0)
		return;
	strip->bad++;
	if (cell >= 0 && cell < strip->w)
		strip->failed[cell] = true;
}

static void add_worker(struct strip *strip, const struct sample_worker *worker)
{
	int64_t create = came(strip, worker->create_ns), start = came(strip, worker->start_ns);
	int64_t finish = came(strip, worker->finish_ns), join = came(strip, worker->join_ns);
	int64_t last = join >= 0 ? join : strip->until_ns;

	if (is_bad(worker))
		add_bad(strip, worker);
	if (create < 0 || worker->status == SAMPLE_REFUSED)
		return;
	if (strip->begin_ns < 0 || create < strip->begin_ns)
		strip->begin_ns = create;
	strip->joined += join >= 0;
	if (join > strip->end_ns)
		strip->end_ns = join;
	touch(strip, strip->exist, create, last);
	touch(strip, strip->state[STRIP_CREATED], create, start >= 0 ? start : last);
	if (start >= 0)
		touch(strip, strip->state[STRIP_RUNNING], start, finish >= 0 ? finish : last);
	if (finish >= 0)
		touch(strip, strip->state[STRIP_WAITING], finish, last);
}

void strip_add(struct strip *strip, const struct sample_worker *workers, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		add_worker(strip, &workers[i]);
	strip->workers += n;
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

void strip_cells(const struct strip *strip, struct strip_cell *cells)
{
	int32_t exist = 0, state[STRIP_STATES] = {0};

	for (int x = 0; x < strip->w; x++) {
		uint8_t most = STRIP_CREATED;

		exist += strip->exist[x];
		for (uint8_t i = 0; i < STRIP_STATES; i++) {
			state[i] += strip->state[i][x];
			if (state[i] > state[most])
				most = i;
		}
		cells[x].shade = shade_of(exist, strip->workers);
		cells[x].state = strip->failed[x] ? STRIP_BAD : most;
	}
}
