/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model.h"

struct view_rows *view_rows_make(const struct model *model)
{
	struct view_rows *rows = calloc(1, sizeof(*rows) + model->n_cases * sizeof(rows->cases[0]));

	for (uint32_t i = 0; rows && i < model->n_cases; i++) {
		struct view_case *one = &rows->cases[i];

		rows->n_cases = i + 1;
		one->densities.key.run = one->shares.key.run = one->alive.key.run =
			one->stands.key.run = one->order.run = one->many.key.run =
				one->figures.run = UINT32_MAX;
	}
	return rows;
}

void view_rows_begin(struct view_rows *rows)
{
	rows->steps = VIEW_ROWS_STEPS;
	rows->unfinished = false;
}

void view_rows_free(struct view_rows *rows)
{
	for (uint32_t i = 0; rows && i < rows->n_cases; i++) {
		struct view_case *one = &rows->cases[i];

		free(one->densities.cells);
		free(one->densities.sums);
		free(one->shares.cells);
		free(one->shares.filled);
		free(one->shares.sum);
		free(one->alive.values);
		free(one->stands.values);
		free(one->order.worker);
	}
	free(rows);
}

/* The first case whose tree is of the same shape. */
static uint32_t folds_first_alike(const struct model *model, uint32_t case_id)
{
	const struct plan *a, *b = &model->cases[case_id].plan;
	uint32_t i = 0;

	for (;; i++) {
		a = &model->cases[i].plan;
		if (a->levels == b->levels && a->gated == b->gated &&
		    memcmp(a->fanout, b->fanout, a->levels * sizeof(*a->fanout)) == 0 &&
		    memcmp(a->leaves, b->leaves, sizeof(a->leaves)) == 0)
			return i;
	}
}

struct view_folds *view_folds_make(const struct model *model)
{
	struct view_folds *folds =
		calloc(1, sizeof(*folds) + model->n_cases * sizeof(folds->cases[0]));

	for (uint32_t i = 0; folds && i < model->n_cases; i++) {
		struct view_fold *one = &folds->cases[i];

		folds->n_cases = i + 1;
		one->alike = folds_first_alike(model, i);
		if (one->alike == i && tree_rows_init(&one->tree, &model->cases[i].plan) != 0) {
			view_folds_free(folds);
			return NULL;
		}
	}
	return folds;
}

void view_folds_free(struct view_folds *folds)
{
	for (uint32_t i = 0; folds && i < folds->n_cases; i++)
		tree_rows_free(&folds->cases[i].tree);
	free(folds);
}

struct tree_rows *view_folds_tree(struct view_folds *folds, uint32_t case_id)
{
	return &folds->cases[folds->cases[case_id].alike].tree;
}

/* Time */

struct plot_axis view_rows_axis(const struct model *model, const struct view_state *state,
				uint32_t case_id, uint32_t other_id, int x, int w)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);
		int64_t length;

		if (!run || (case_id != VIEW_ALL_CASES && case_id != i && other_id != i))
			continue;
		length = model_length(model, run);
		/* with the time in which an ended run was held for its memory to be read */
		if (run->end_ns != INT64_MAX && run->totals.elapsed_ns > 0)
			length = run->totals.elapsed_ns + MAX(0, run->totals.held_ns);
		longest = MAX(longest, length);
	}
	return view_axis_of(state, longest, x, MIN(w, DENSITY_CELLS));
}

/* Strips and curves */

struct rows_key view_rows_key(const struct view_list *list, int n, int64_t until_ns)
{
	struct rows_key key;

	memset(&key, 0, sizeof(key)); /* compared as bytes */
	key.run = list->run->id.run;
	key.until_ns = until_ns;
	key.from_ns = list->axis.from_ns;
	key.to_ns = list->axis.to_ns;
	key.w = MIN(list->axis.w, DENSITY_CELLS);
	key.n = n;
	key.first = (uint64_t)list->first;
	key.generation = list->per_row ? list->one->order.generation : list->tree->generation;
	key.per_row = list->per_row;
	return key;
}

void view_rows_members(const struct view_list *list, long row, struct rows_members *members)
{
	const struct rows_order *order = &list->one->order;
	const struct tree_row *of = &list->tree->rows[list->per_row ? 0 : row];
	uint32_t at = (uint32_t)row * list->per_row, levels;

	members->n = 0;
	members->order = list->per_row ? order->worker : NULL;
	if (list->per_row) {
		members->n = at < order->n ? MIN(list->per_row, order->n - at) : 0;
		members->spans[0] = (struct tree_span) {at, members->n};
		return;
	}
	levels = of->foldable ? tree_rows_spans(list->tree, of, members->spans) : 0;
	for (uint32_t level = 0; level < levels; level++)
		members->n += members->spans[level].count;
}

uint32_t view_rows_member(const struct rows_members *members, uint32_t i)
{
	const struct tree_span *span = members->spans;

	for (; i >= span->count; span++)
		i -= span->count;
	return members->order ? members->order[span->first + i] : span->first + i;
}

bool view_rows_room(void *array, size_t *cap, size_t n, size_t item)
{
	void **place = array;

	if (n <= *cap)
		return true;
	free(*place);
	*cap = 0;
	*place = calloc(n, item);
	if (*place)
		*cap = n;
	return *place != NULL;
}

const struct rows_densities *view_rows_densities(const struct view_list *list, int n)
{
	struct rows_densities *densities = &list->one->densities;
	struct rows_key key = view_rows_key(list, n, model_length(list->model, list->run));
	struct rows_members members;
	struct density density;

	if (memcmp(&key, &densities->key, sizeof(key)) == 0)
		return densities;
	densities->key.run = UINT32_MAX;
	if (n < 1 || key.w < 1 ||
	    !view_rows_room(&densities->cells, &densities->cap_cells, (size_t)n * (size_t)key.w,
			    sizeof(*densities->cells)) ||
	    !view_rows_room(&densities->sums, &densities->cap_sums, (size_t)n,
			    sizeof(*densities->sums)))
		return NULL;
	for (int i = 0; i < n; i++) {
		density_begin(&density, &list->axis, key.until_ns);
		view_rows_members(list, list->first + i, &members);
		for (uint32_t j = 0; j < members.n; j++)
			density_add(&density, model_known(list->run, view_rows_member(&members, j)),
				    1);
		density_cells(&density, densities->cells + (size_t)i * (size_t)key.w);
		densities->sums[i] = density.sum;
	}
	densities->key = key;
	return densities;
}

const struct rows_levels *view_rows_levels(const struct view_list *list, bool stands)
{
	struct rows_levels *kept = stands ? &list->one->stands : &list->one->alive;
	struct rows_key key = view_rows_key(list, 0, model_length(list->model, list->run));
	struct model_bins bins = {list->axis.from_ns, list->axis.to_ns, (size_t)list->axis.w};
	size_t values = (size_t)list->tree->plan.levels * (stands ? MODEL_STANDS : 1) * bins.n;

	key.first = key.generation = key.per_row = 0; /* whatever rows are shown */
	if (memcmp(&key, &kept->key, sizeof(key)) == 0)
		return kept;
	kept->key.run = UINT32_MAX;
	if (list->axis.w < 1 || list->axis.w > DENSITY_CELLS ||
	    !view_rows_room(&kept->values, &kept->cap, values, sizeof(double)))
		return NULL;
	if (stands)
		model_stands(list->model, list->run, &bins, kept->values, kept->created);
	else
		model_alive(list->model, list->run, &bins, kept->values);
	kept->key = key;
	return kept;
}

/* Order */

struct order_place {
	int64_t key;
	uint32_t worker;
};

static int order_by_key(const void *a, const void *b)
{
	const struct order_place *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->worker < y->worker ? -1 : 1;
}

static int64_t order_known(int64_t time_ns, int64_t until_ns)
{
	return time_ns >= 0 && time_ns <= until_ns ? time_ns : INT64_MAX;
}

/* Unknown places come last, the longest first. */
static int64_t order_key(const struct sample_worker *worker, enum view_order by, int64_t until_ns)
{
	int64_t finish = order_known(worker->finish_ns, until_ns);

	switch (by) {
	case VIEW_BY_CREATION:
		return order_known(worker->create_ns, until_ns);
	case VIEW_BY_START:
		return order_known(worker->start_ns, until_ns);
	case VIEW_BY_DURATION:
		return finish == INT64_MAX || worker->start_ns < 0 ? INT64_MAX
								   : worker->start_ns - finish;
	default:
		return finish;
	}
}

uint32_t view_rows_position(const struct rows_order *order, uint32_t worker)
{
	uint32_t i = 0;

	while (i < order->n && order->worker[i] != worker)
		i++;
	return i < order->n ? i : 0;
}

int view_rows_sort(struct rows_order *order, const struct model *model, const struct model_run *run,
		   enum view_order by)
{
	int64_t length = model_length(model, run);
	int64_t until_ns = model_ended(model, run) ? INT64_MAX : length;
	struct order_place *places;

	/*
	 * A run's order is renewed when the run is a sixteenth longer: sorting 32,000 takes longer
	 * than a frame may.
	 */
	if (order->worker && order->run == run->id.run && order->by == by &&
	    (until_ns == order->until_ns || (until_ns != INT64_MAX && length >= order->until_ns &&
					     length < order->until_ns + order->until_ns / 16)))
		return 0;
	if (!order->worker) {
		order->worker = calloc(run->n_workers, sizeof(*order->worker));
		if (!order->worker)
			return -ENOMEM;
		order->n = run->n_workers;
	}
	places = reallocarray(NULL, run->n_workers, sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (uint32_t i = 0; i < run->n_workers; i++)
		places[i] = (struct order_place) {order_key(model_known(run, i), by, until_ns), i};
	qsort(places, run->n_workers, sizeof(*places), order_by_key);
	for (uint32_t i = 0; i < run->n_workers; i++)
		order->worker[i] = places[i].worker;
	free(places);
	order->run = run->id.run;
	order->by = by;
	order->until_ns = until_ns;
	order->generation++;
	return 0;
}
