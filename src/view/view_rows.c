/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "model/model_alive.h"
#include "view_parts.h"

struct view_rows *view_rows_make(const struct model *model)
{
	struct view_rows *rows = calloc(1, sizeof(*rows) + model->n_cases * sizeof(rows->cases[0]));

	for (uint32_t i = 0; rows && i < model->n_cases; i++) {
		struct view_case *one = &rows->cases[i];

		rows->n_cases = i + 1;
		one->densities.key.run = one->shares.key.run = one->curves.key.run =
			one->bands.key.run = one->order.run = one->many.key.run = one->figures.run =
				UINT32_MAX;
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
		free(one->curves.alive);
		free(one->bands.stands);
		free(one->order.worker);
	}
	free(rows);
}

/* Time */

static int64_t run_length(const struct model *model, const struct model_run *run)
{
	if (run->end_ns != INT64_MAX && run->totals.elapsed_ns > 0)
		return run->totals.elapsed_ns + (run->totals.held_ns > 0 ? run->totals.held_ns : 0);
	return model_length(model, run);
}

static int64_t longest(const struct model *model, uint32_t case_id, uint32_t other_id)
{
	int64_t most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (!run || (case_id != VIEW_ALL_CASES && case_id != i && other_id != i))
			continue;
		most = MAX(most, run_length(model, run));
	}
	return most;
}

struct plot_axis view_rows_axis(const struct model *model, const struct view_state *state,
				uint32_t case_id, uint32_t other_id, int x, int w)
{
	return view_axis_of(state, longest(model, case_id, other_id), x,
			    w > DENSITY_CELLS ? DENSITY_CELLS : w);
}

/* Strips and curves */

static struct rows_key key_of(const struct view_list *list)
{
	struct rows_key key;

	memset(&key, 0, sizeof(key)); /* compared as bytes */
	key.run = list->run->id.run;
	key.until_ns = model_length(list->model, list->run);
	key.from_ns = list->axis.from_ns;
	key.to_ns = list->axis.to_ns;
	key.w = list->axis.w < DENSITY_CELLS ? list->axis.w : DENSITY_CELLS;
	return key;
}

/* Makes room for at least n items; the old ones need not be kept. */
static bool room(void *array, size_t *cap, size_t n, size_t item)
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

static bool densities_room(struct rows_densities *densities, const struct rows_key *key)
{
	size_t n = (size_t)key->n;

	densities->key.run = UINT32_MAX;
	return room(&densities->cells, &densities->cap_cells, n * (size_t)key->w,
		    sizeof(*densities->cells)) &&
	       room(&densities->sums, &densities->cap_sums, n, sizeof(*densities->sums));
}

static void add_row(struct density *density, const struct view_list *list, long i)
{
	const struct tree_row *row = &list->tree->rows[i];
	struct tree_span spans[PLAN_MAX_LEVELS];
	uint32_t levels = row->foldable ? tree_rows_spans(list->tree, row, spans) : 0;

	for (uint32_t level = 0; level < levels; level++)
		for (uint32_t j = 0; j < spans[level].count; j++)
			density_add(density, model_known(list->run, spans[level].first + j), 1);
}

static void add_ordered(struct density *density, const struct view_list *list, long i)
{
	const struct rows_order *order = &list->one->order;
	uint32_t at = (uint32_t)i * list->per_row;

	for (uint32_t j = 0; j < list->per_row && at + j < order->n; j++)
		density_add(density, model_known(list->run, order->worker[at + j]), 1);
}

const struct rows_densities *view_rows_densities(const struct view_list *list, int n)
{
	struct rows_densities *densities = &list->one->densities;
	uint32_t ordered = list->one->order.generation;
	struct rows_key key = key_of(list);
	struct density density;

	key.n = n;
	key.first = (uint64_t)list->first;
	key.generation = list->per_row ? ordered : list->tree->generation;
	key.per_row = list->per_row;
	if (memcmp(&key, &densities->key, sizeof(key)) == 0)
		return densities;
	if (n < 1 || key.w < 1 || !densities_room(densities, &key))
		return NULL;
	for (int i = 0; i < n; i++) {
		density_begin(&density, &list->axis, key.until_ns);
		(list->per_row ? add_ordered : add_row)(&density, list, list->first + i);
		density_cells(&density, densities->cells + (size_t)i * (size_t)key.w);
		densities->sums[i] = density.sum;
	}
	densities->key = key;
	return densities;
}

const struct rows_curves *view_rows_curves(const struct view_list *list)
{
	struct rows_curves *curves = &list->one->curves;
	size_t levels = list->tree->plan.levels;
	struct rows_key key = key_of(list);
	struct model_bins bins = {list->axis.from_ns, list->axis.to_ns, (size_t)list->axis.w};

	if (memcmp(&key, &curves->key, sizeof(key)) == 0)
		return curves;
	curves->key.run = UINT32_MAX;
	if (list->axis.w < 1 || list->axis.w > DENSITY_CELLS ||
	    !room(&curves->alive, &curves->cap_alive, levels * bins.n, sizeof(double)))
		return NULL;
	model_alive(list->model, list->run, &bins, curves->alive);
	curves->key = key;
	return curves;
}

const struct rows_bands *view_rows_bands(const struct view_list *list)
{
	struct rows_bands *bands = &list->one->bands;
	size_t n = (size_t)list->tree->plan.levels * MODEL_STANDS;
	struct rows_key key = key_of(list);
	struct model_bins bins = {list->axis.from_ns, list->axis.to_ns, (size_t)list->axis.w};

	if (memcmp(&key, &bands->key, sizeof(key)) == 0)
		return bands;
	bands->key.run = UINT32_MAX;
	if (list->axis.w < 1 || list->axis.w > DENSITY_CELLS ||
	    !room(&bands->stands, &bands->cap, n * bins.n, sizeof(double)))
		return NULL;
	model_stands(list->model, list->run, &bins, bands->stands, bands->created);
	bands->key = key;
	return bands;
}

/* Order */

struct place {
	int64_t key;
	uint32_t worker;
};

static int by_key(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->worker < y->worker ? -1 : 1;
}

static int64_t known(int64_t time_ns, int64_t until_ns)
{
	return time_ns >= 0 && time_ns <= until_ns ? time_ns : INT64_MAX;
}

/* Unknown places come last, the longest first. */
static int64_t place_key(const struct sample_worker *worker, enum view_order by, int64_t until_ns)
{
	int64_t finish = known(worker->finish_ns, until_ns);

	switch (by) {
	case VIEW_BY_CREATION:
		return known(worker->create_ns, until_ns);
	case VIEW_BY_START:
		return known(worker->start_ns, until_ns);
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

static int order_make(struct rows_order *order, const struct model_run *run, int64_t until_ns,
		      enum view_order by)
{
	struct place *places = reallocarray(NULL, run->n_workers, sizeof(*places));

	if (!places)
		return -ENOMEM;
	for (uint32_t i = 0; i < run->n_workers; i++)
		places[i] = (struct place) {place_key(model_known(run, i), by, until_ns), i};
	qsort(places, run->n_workers, sizeof(*places), by_key);
	for (uint32_t i = 0; i < run->n_workers; i++)
		order->worker[i] = places[i].worker;
	free(places);
	return 0;
}

/*
 * A run's order is renewed when the run is a sixteenth longer: sorting 32,000 takes longer than a
 * frame may.
 */
static bool order_stands(const struct rows_order *order, const struct model *model,
			 const struct model_run *run, enum view_order by)
{
	int64_t until_ns = model_length(model, run);

	if (!order->worker || order->run != run->id.run || order->by != by)
		return false;
	if (model_ended(model, run))
		return order->until_ns == INT64_MAX;
	return until_ns >= order->until_ns && until_ns < order->until_ns + order->until_ns / 16;
}

int view_rows_sort(struct rows_order *order, const struct model *model, const struct model_run *run,
		   enum view_order by)
{
	int64_t until_ns = model_ended(model, run) ? INT64_MAX : model_length(model, run);
	int err;

	if (order_stands(order, model, run, by))
		return 0;
	if (!order->worker) {
		order->worker = calloc(run->n_workers, sizeof(*order->worker));
		if (!order->worker)
			return -ENOMEM;
		order->n = run->n_workers;
	}
	err = order_make(order, run, until_ns, by);
	if (err)
		return err;
	order->run = run->id.run;
	order->by = by;
	order->until_ns = until_ns;
	order->generation++;
	return 0;
}
