/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model_slices.h"
#include "view_rows.h"

/*
 * The cores' time that a row of many workers had, cell by cell. A stretch is added in a few steps,
 * however many cells it covers.
 */

enum { FEW = 4 }; /* a slice takes a quarter of the steps of a cell */

struct shares {
	const struct view_list *list;
	int64_t until_ns;
	int w;
	uint32_t workers;     /* of the row */
	const int64_t *edges; /* w + 1: where cells begin */
	double scale;	      /* cells a ns */
	double ns[DENSITY_CELLS][MODEL_STATES];
	/* As differences from cell to cell: how many were in a state for all of it. */
	int32_t all[DENSITY_CELLS + 1][MODEL_STATES];
};

static int cell_of(const struct shares *shares, int64_t t_ns)
{
	int i = (int)((double)(t_ns - shares->edges[0]) * shares->scale);

	i = MAX(0, MIN(i, shares->w - 1));
	while (i > 0 && t_ns < shares->edges[i])
		i--;
	while (i + 1 < shares->w && t_ns >= shares->edges[i + 1])
		i++;
	return i;
}

static void add_stretch(void *arg, const struct model_stretch *stretch)
{
	struct shares *shares = arg;
	int first = cell_of(shares, stretch->from_ns), last = cell_of(shares, stretch->to_ns - 1);
	enum model_state state = stretch->state;

	if (first == last) {
		shares->ns[first][state] += (double)(stretch->to_ns - stretch->from_ns);
		return;
	}
	shares->ns[first][state] += (double)(shares->edges[first + 1] - stretch->from_ns);
	shares->ns[last][state] += (double)(stretch->to_ns - shares->edges[last]);
	shares->all[first + 1][state]++;
	shares->all[last][state]--;
}

/* What is in a state for all of a cell is added to what is for a part of it. */
static void add_all(struct shares *shares)
{
	int32_t all[MODEL_STATES] = {0};

	for (int i = 0; i < shares->w; i++)
		for (int state = 0; state < MODEL_STATES; state++) {
			all[state] += shares->all[i][state];
			shares->ns[i][state] +=
				all[state] * (double)(shares->edges[i + 1] - shares->edges[i]);
		}
}

static void by_cells(struct shares *shares, uint32_t worker)
{
	const struct view_list *l = shares->list;
	struct model_shares before, after;

	model_shares_until(l->model, l->run, worker, shares->edges[0], &before);
	for (int i = 0; i < shares->w; i++, before = after) {
		model_shares_until(l->model, l->run, worker, shares->edges[i + 1], &after);
		for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
			shares->ns[i][state] += after.ns[state] - before.ns[state];
	}
}

/* The way that takes fewer steps: about so many slices as are shown, or cells. */
static void add_worker(struct shares *shares, uint32_t worker)
{
	const struct view_list *l = shares->list;
	const struct sample_worker *known = &l->run->workers[worker];
	int64_t from = shares->edges[0], to = shares->edges[shares->w];
	double length = (double)MAX(1, shares->until_ns);
	size_t n;

	shares->workers++;
	if (known->create_ns >= to || (known->finish_ns >= 0 && known->finish_ns <= from))
		return;
	model_slices(l->run, worker, &n);
	if ((double)n * fmin(1, (double)(to - from) / length) < FEW * shares->w)
		model_stretches(l->model, l->run, worker, from, to, add_stretch, shares);
	else
		by_cells(shares, worker);
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
	int64_t from = shares->edges[i], to = MIN(shares->until_ns, shares->edges[i + 1]);
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

static void fill_row(struct shares *shares, long i, uint8_t *cells)
{
	const struct view_list *l = shares->list;

	shares->workers = 0;
	memset(shares->ns, 0, (size_t)shares->w * sizeof(shares->ns[0]));
	memset(shares->all, 0, (size_t)(shares->w + 1) * sizeof(shares->all[0]));
	(l->per_row ? add_ordered : add_row)(shares, l->first + i);
	add_all(shares);
	for (int x = 0; x < shares->w; x++)
		cells[x] = share_of(shares, x);
}

static void fill(const struct view_list *list, struct rows_shares *kept, const struct rows_key *key)
{
	int64_t edges[DENSITY_CELLS + 1];
	struct shares shares = {.list = list, .w = key->w, .edges = edges};

	for (int i = 0; i <= key->w; i++)
		edges[i] = plot_time(&list->axis, list->axis.x + i);
	shares.until_ns = model_length(list->model, list->run);
	shares.scale = key->w / (double)MAX(1, edges[key->w] - edges[0]);
	for (int i = 0; i < key->n; i++)
		fill_row(&shares, i, kept->cells + (size_t)i * (size_t)key->w);
}

const struct rows_shares *view_rows_shares(const struct view_list *list, int n)
{
	struct rows_shares *kept = &list->one->shares;
	struct rows_key key = key_of(list, n);

	if (!model_has_slices(list->run) || n < 1 || key.w < 1)
		return NULL;
	if (memcmp(&key, &kept->key, sizeof(key)) == 0)
		return kept;
	if (!room(kept, &key))
		return NULL;
	fill(list, kept, &key);
	kept->key = key;
	return kept;
}
