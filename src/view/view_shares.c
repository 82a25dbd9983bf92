/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model_slices.h"
#include "view_rows.h"

/* The cores' time that a row of many workers had, cell by cell. */

struct shares {
	const struct view_list *list;
	int64_t until_ns;
	int w;
	uint32_t workers; /* of the row */
	double ns[DENSITY_CELLS][MODEL_STATES];
};

static int cell_of(const struct shares *shares, int64_t t_ns)
{
	const struct plot_axis *axis = &shares->list->axis;
	double cell = floor(plot_column(axis, t_ns)) - axis->x;

	return (int)fmax(0, fmin(shares->w - 1, cell));
}

/* What is drawn of a stretch, cell by cell. */
static void add_stretch(struct shares *shares, int64_t from_ns, int64_t to_ns,
			enum model_state state)
{
	const struct plot_axis *axis = &shares->list->axis;

	if (to_ns <= axis->from_ns || from_ns >= axis->to_ns)
		return;
	for (int i = cell_of(shares, from_ns); i < shares->w; i++) {
		int64_t begin = MAX(from_ns, plot_time(axis, axis->x + i));
		int64_t end = MIN(to_ns, plot_time(axis, axis->x + i + 1));

		if (begin >= to_ns)
			return;
		if (end > begin)
			shares->ns[i][state] += (double)(end - begin);
	}
}

static void by_stretches(struct shares *shares, uint32_t worker)
{
	const struct view_list *l = shares->list;
	struct model_stretch stretch;

	for (int64_t t = 0; model_stretch_at(l->model, l->run, worker, t, &stretch);
	     t = stretch.to_ns)
		if (stretch.state != STATE_NONE)
			add_stretch(shares, t, stretch.to_ns, stretch.state);
}

static void by_cells(struct shares *shares, uint32_t worker)
{
	const struct view_list *l = shares->list;
	struct model_shares before, after;

	model_shares_until(l->model, l->run, worker, l->axis.from_ns, &before);
	for (int i = 0; i < shares->w; i++, before = after) {
		int64_t end = plot_time(&l->axis, l->axis.x + i + 1);

		model_shares_until(l->model, l->run, worker, end, &after);
		for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
			shares->ns[i][state] += after.ns[state] - before.ns[state];
	}
}

/* The way that takes fewer steps: slices or cells. */
static void add_worker(struct shares *shares, uint32_t worker)
{
	size_t n;

	model_slices(shares->list->run, worker, &n);
	if (n < (size_t)shares->w / 2)
		by_stretches(shares, worker);
	else
		by_cells(shares, worker);
	shares->workers++;
}

static void add_row(struct shares *shares, long i)
{
	const struct view_list *l = shares->list;
	const struct tree_row *row = &l->tree->rows[i];
	struct tree_span spans[PLAN_MAX_LEVELS];
	uint32_t levels = row->foldable ? tree_rows_spans(l->tree, row, spans) : 0;

	for (uint32_t level = 0; level < levels; level++)
		for (uint32_t j = 0; j < spans[level].count; j++)
			add_worker(shares, spans[level].first + j);
}

static void add_ordered(struct shares *shares, long i)
{
	const struct rows_order *order = &shares->list->one->order;
	uint32_t at = (uint32_t)i * shares->list->per_row;

	for (uint32_t j = 0; j < shares->list->per_row && at + j < order->n; j++)
		add_worker(shares, order->worker[at + j]);
}

/* The share of the cores that the row could have had in the cell. */
static uint8_t share_of(const struct shares *shares, int i)
{
	const struct view_list *l = shares->list;
	int32_t allowed = l->model->session.machine.cores_allowed;
	int64_t from = plot_time(&l->axis, l->axis.x + i);
	int64_t to = MIN(shares->until_ns, plot_time(&l->axis, l->axis.x + i + 1));
	double cores = fmin(shares->workers, allowed > 0 ? allowed : 1);
	double on = shares->ns[i][STATE_ON] / fmax(1, (double)(to - from)) / cores;
	double waiting = shares->ns[i][STATE_WAITING], blocked = shares->ns[i][STATE_BLOCKED];

	if (on >= 1. / 32)
		return (uint8_t)fmax(1, fmin(SHARE_ALL, round(8 * on)));
	if (shares->ns[i][STATE_UNKNOWN] >= waiting + blocked + shares->ns[i][STATE_ON])
		return SHARE_UNKNOWN;
	return waiting >= blocked ? SHARE_WAITING : SHARE_BLOCKED;
}

/* While time goes on within a cell of the axis, nothing is made anew. */
static struct rows_key key_of(const struct view_list *list, int n)
{
	struct rows_key key;
	int64_t until_ns = model_length(list->model, list->run);

	memset(&key, 0, sizeof(key)); /* compared as bytes */
	key.run = list->run->id.run;
	key.from_ns = list->axis.from_ns;
	key.to_ns = list->axis.to_ns;
	key.w = MIN(list->axis.w, DENSITY_CELLS);
	key.until_ns = (int64_t)floor(plot_column(&list->axis, until_ns));
	key.n = n;
	key.first = (uint64_t)list->first;
	key.generation = list->per_row ? list->one->order.generation : list->tree->generation;
	key.per_row = list->per_row;
	return key;
}

static bool room(struct rows_shares *shares, const struct rows_key *key)
{
	size_t n = (size_t)key->n * (size_t)key->w;

	if (n <= shares->cap_cells)
		return true;
	free(shares->cells);
	shares->key.run = UINT32_MAX;
	shares->cells = calloc(n, 1);
	shares->cap_cells = shares->cells ? n : 0;
	return shares->cells;
}

const struct rows_shares *view_rows_shares(const struct view_list *list, int n)
{
	struct rows_shares *kept = &list->one->shares;
	struct rows_key key = key_of(list, n);
	struct shares row;

	if (!model_has_slices(list->run) || n < 1 || key.w < 1)
		return NULL;
	if (memcmp(&key, &kept->key, sizeof(key)) == 0)
		return kept;
	if (!room(kept, &key))
		return NULL;
	for (int i = 0; i < n; i++) {
		row = (struct shares) {.list = list, .w = key.w};
		row.until_ns = model_length(list->model, list->run);
		(list->per_row ? add_ordered : add_row)(&row, list->first + i);
		for (int x = 0; x < key.w; x++)
			kept->cells[(size_t)i * (size_t)key.w + (size_t)x] = share_of(&row, x);
	}
	kept->key = key;
	return kept;
}
