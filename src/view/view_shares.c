/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model_slices.h"
#include "view_rows.h"

/*
 * The cores' time that a row of many workers had, cell by cell. A stretch is added in a few steps,
 * however many cells it covers. Cells that time has passed stay as they are; what a frame has no
 * steps for is left to the next one, and until then such rows are shown as without slices.
 */

enum { FEW = 4 }; /* a slice takes a quarter of the steps of a cell */

/* The row whose sums are being made. */
struct shares {
	const struct view_list *list;
	struct rows_sum *sum;
	int w;				  /* cells of the sums */
	int64_t edges[DENSITY_CELLS + 1]; /* w + 1: where they begin; the last end is the sums' */
	double scale;			  /* cells a ns */
};

static int share_cell_of(const struct shares *shares, int64_t t_ns)
{
	int i = (int)((double)(t_ns - shares->edges[0]) * shares->scale);

	i = MAX(0, MIN(i, shares->w - 1));
	while (i > 0 && t_ns < shares->edges[i])
		i--;
	while (i + 1 < shares->w && t_ns >= shares->edges[i + 1])
		i++;
	return i;
}

static void share_add_stretch(void *arg, const struct model_stretch *stretch)
{
	struct shares *shares = arg;
	struct rows_sum *sum = shares->sum;
	int first = share_cell_of(shares, stretch->from_ns),
	    last = share_cell_of(shares, stretch->to_ns - 1);
	enum model_state state = stretch->state;

	if (first == last) {
		sum->ns[first][state] += (double)(stretch->to_ns - stretch->from_ns);
		return;
	}
	sum->ns[first][state] += (double)(shares->edges[first + 1] - stretch->from_ns);
	sum->ns[last][state] += (double)(stretch->to_ns - shares->edges[last]);
	sum->all[first + 1][state]++;
	sum->all[last][state]--;
}

/* The way that takes fewer steps: about so many slices as are shown, or cells. */
static void share_add_worker(struct shares *shares, uint32_t worker)
{
	const struct view_list *l = shares->list;
	const struct sample_worker *known = model_known(l->run, worker);
	int64_t from = shares->edges[0], to = shares->edges[shares->w];
	double length = (double)MAX(1, shares->sum->until_ns), slices;
	struct model_shares before = {0}, after;
	size_t n;

	l->rows->steps -= 4;
	if (known->create_ns >= to || (known->finish_ns >= 0 && known->finish_ns <= from))
		return;
	model_slices(l->run, worker, &n);
	slices = (double)n * fmin(1, (double)(to - from) / length);
	l->rows->steps -= (long)fmin(slices, FEW * shares->w) + FEW;
	if (slices < FEW * shares->w)
		model_stretches(l->model, l->run, worker, from, to, share_add_stretch, shares);
	else
		for (int i = 0; i <= shares->w; i++, before = after) {
			model_shares_until(l->model, l->run, worker, shares->edges[i], &after);
			for (int state = STATE_UNKNOWN; i > 0 && state < MODEL_STATES; state++)
				shares->sum->ns[i - 1][state] += after.ns[state] - before.ns[state];
		}
}

/* The share of the cores that the row could have had in the cell. */
static uint8_t share_of_cores(const struct shares *shares, int i)
{
	const double *ns = shares->sum->ns[i];
	int32_t allowed = shares->list->model->session.machine.cores_allowed;
	double length = (double)(shares->edges[i + 1] - shares->edges[i]);
	double cores = fmin(shares->sum->position, allowed > 0 ? allowed : 1);
	double on = ns[STATE_ON] / fmax(1, length) / cores;
	double waiting = ns[STATE_WAITING], blocked = ns[STATE_BLOCKED];

	if (on >= 1. / 32)
		return (uint8_t)fmax(1, fmin(SHARE_ALL, round(8 * on)));
	if (ns[STATE_UNKNOWN] >= waiting + blocked + ns[STATE_ON])
		return SHARE_UNKNOWN;
	if (waiting < blocked)
		return SHARE_BLOCKED;
	return (double)(model_throttled_until(shares->list->run, shares->edges[i + 1]) -
			model_throttled_until(shares->list->run, shares->edges[i])) > length / 2
		       ? SHARE_THROTTLED
		       : SHARE_WAITING;
}

/* The column of the axis that a time lies in: from -1, before it, to its width, behind it. */
static int share_column(const struct view_list *list, const struct rows_key *key, int64_t time_ns)
{
	double column = floor(plot_column(&list->axis, time_ns)) - list->axis.x;

	return (int)fmax(-1, fmin(key->w, column));
}

static void sum_begin(const struct view_list *list, struct rows_shares *kept, int row,
		      int64_t until_ns)
{
	struct rows_sum *sum = kept->sum;
	const struct rows_filled *filled = &kept->filled[row];
	const struct model_run *run = list->run;
	int column = share_column(list, &kept->key, until_ns);
	int64_t final_ns = until_ns;

	/*
	 * What of a run that goes on may still be told is not as it stays. That it is throttled is
	 * known a tick after its period of 100 ms.
	 */
	if (run->end_ns == INT64_MAX) {
		bool limited =
			run->n_points > 0 && run->points[run->n_points - 1].throttled_us >= 0;
		int64_t late_ns =
			(limited ? 3 : 2) * view_tick_ns(list->model) + (limited ? 100000000 : 0);

		final_ns = MIN(until_ns, list->model->newest_ns - run->begin_ns - late_ns);
	}
	memset(sum, 0, sizeof(*sum));
	sum->row = row;
	sum->until_ns = until_ns;
	sum->to = MIN(column, kept->key.w - 1);
	sum->from = MIN(filled->done, sum->to);
	sum->filled.until = column;
	sum->filled.done = MAX(0, MIN(column, share_column(list, &kept->key, final_ns)));
}

static void sum_end(struct shares *shares, struct rows_shares *kept)
{
	struct rows_sum *sum = kept->sum;
	uint8_t *cells = kept->cells + (size_t)sum->row * (size_t)kept->key.w;
	int32_t all[MODEL_STATES] = {0};

	/* What is in a state for all of a cell is added to what is for a part of it. */
	for (int i = 0; i < shares->w; i++)
		for (int state = 0; state < MODEL_STATES; state++) {
			all[state] += shares->sum->all[i][state];
			shares->sum->ns[i][state] +=
				all[state] * (double)(shares->edges[i + 1] - shares->edges[i]);
		}
	for (int x = 0; x < shares->w; x++)
		cells[sum->from + x] = share_of_cores(shares, x);
	memset(cells + sum->to + 1, SHARE_UNKNOWN, (size_t)(kept->key.w - sum->to - 1));
	kept->filled[sum->row] = sum->filled;
	sum->row = -1;
}

static void sum_go_on(const struct view_list *list, struct rows_shares *kept)
{
	struct rows_sum *sum = kept->sum;
	struct shares shares = {.list = list, .sum = sum, .w = sum->to - sum->from + 1};
	struct rows_members members;

	for (int i = 0; i <= shares.w; i++)
		shares.edges[i] = plot_time(&list->axis, list->axis.x + sum->from + i);
	shares.scale = shares.w / (double)MAX(1, shares.edges[shares.w] - shares.edges[0]);
	shares.edges[shares.w] =
		MAX(shares.edges[shares.w - 1], MIN(shares.edges[shares.w], sum->until_ns));
	view_rows_members(list, list->first + sum->row, &members);
	while (sum->position < members.n && list->rows->steps > 0)
		share_add_worker(&shares, view_rows_member(&members, sum->position++));
	if (sum->position >= members.n)
		sum_end(&shares, kept);
}

/* One row after the other, from where the last frame had to stop. */
static void shares_fill(const struct view_list *list, struct rows_shares *kept)
{
	int64_t until_ns = model_length(list->model, list->run);
	int column = share_column(list, &kept->key, until_ns), first = kept->next;

	if (kept->sum->row >= 0 && kept->sum->filled.until > column)
		kept->sum->row = -1; /* time has gone back */
	for (int i = 0; i < kept->key.n && column >= 0; i++) {
		int row = (first + i) % kept->key.n;

		if (kept->sum->row < 0 && kept->filled[row].until == column)
			continue;
		if (kept->sum->row < 0)
			sum_begin(list, kept, row, until_ns);
		row = kept->sum->row;
		sum_go_on(list, kept);
		kept->next = row;
		if (kept->sum->row >= 0)
			break;
	}
	for (int i = 0; i < kept->key.n && column >= 0; i++)
		list->rows->unfinished |= kept->filled[i].until != column;
}

/* What is kept */

/*
 * Keeps what is the same under the new key: all of it, or the rows that are shown again after the
 * list was scrolled, which move along.
 */
static void shares_renew(struct rows_shares *shares, const struct rows_key *key)
{
	struct rows_key old = shares->key;
	long by = (long)(key->first - old.first);
	size_t w = (size_t)key->w, n = 0, from = by > 0 ? (size_t)by : 0,
	       to = by < 0 ? (size_t)-by : 0;
	bool same;

	if (memcmp(&old, key, sizeof(old)) == 0)
		return;
	shares->sum->row = -1;
	old.first = key->first;
	if (memcmp(&old, key, sizeof(old)) == 0 && labs(by) < key->n) {
		n = (size_t)(key->n - labs(by));
		memmove(shares->cells + to * w, shares->cells + from * w, n * w);
		memmove(shares->filled + to, shares->filled + from, n * sizeof(*shares->filled));
		same = false;
	} else {
		/* of another cursor the cells stay until they are made anew */
		old.first = shares->key.first;
		old.until_ns = key->until_ns;
		same = memcmp(&old, key, sizeof(old)) == 0;
		shares->next = 0;
	}
	for (size_t i = 0; i < (size_t)key->n; i++) {
		if (i >= to && i < to + n)
			continue;
		if (!same)
			memset(shares->cells + i * w, SHARE_UNKNOWN, w);
		shares->filled[i] = (struct rows_filled) {.until = -1};
	}
	shares->key = *key;
}

const struct rows_shares *view_rows_shares(const struct view_list *list, int n)
{
	struct rows_shares *kept = &list->one->shares;
	/* The time is no part of the key: rows know how far they are. All is known at the end. */
	struct rows_key key = view_rows_key(list, n, list->run->end_ns);

	size_t rows = (size_t)MAX(0, n), cells = rows * (size_t)MAX(0, key.w);

	if (!model_has_slices(list->run) || cells == 0)
		return NULL;
	if (!kept->sum)
		kept->sum = calloc(1, sizeof(*kept->sum));
	if (cells > kept->cap_cells || rows > kept->cap_filled)
		kept->key.run = UINT32_MAX;
	if (!kept->sum || !view_rows_room(&kept->cells, &kept->cap_cells, cells, 1) ||
	    !view_rows_room(&kept->filled, &kept->cap_filled, rows, sizeof(*kept->filled)))
		return NULL;
	shares_renew(kept, &key);
	shares_fill(list, kept);
	return kept;
}
