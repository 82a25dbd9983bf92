/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "view/view_rows.h"

#define MS INT64_C(1000000)

static const struct plan shapes[] = {
	{.levels = 1, .fanout = {1}},
	{.levels = 2, .fanout = {1, 1}},
	{.levels = 1, .fanout = {5000}},
	{.levels = 1, .fanout = {5001}},
	{.levels = 2, .fanout = {50, 99}},
	{.levels = 3, .fanout = {20, 3, 82}},
	{.levels = 8, .fanout = {2, 2, 2, 2, 2, 2, 2, 2}},
	{.levels = 2, .fanout = {1, 5000}},
	{.levels = 2, .fanout = {5000, 1}},
	{.levels = 2, .fanout = {101, 101}},
};

enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]), NAME = 224 };

static void open_tree(struct tree_rows *tree, const struct plan *plan)
{
	assert_int_equal(tree_rows_init(tree, plan), 0);
}

static const char *name_at(const struct tree_rows *tree, size_t i, char buf[NAME])
{
	assert_true(i < tree->n_rows);
	return tree_rows_name(tree, &tree->rows[i], buf, NAME);
}

/* Marks the tasks of the row. No task may be marked twice. */
static void mark(const struct tree_rows *tree, const struct tree_row *row, uint8_t *marks)
{
	struct tree_span spans[PLAN_MAX_LEVELS];
	uint32_t levels = tree_rows_spans(tree, row, spans);

	for (uint32_t i = 0; i < levels; i++)
		for (uint32_t j = 0; j < spans[i].count; j++) {
			assert_true(spans[i].first + j < tree->n_tasks);
			assert_int_equal(marks[spans[i].first + j]++, 0);
		}
}

static void the_folded_rows_stand_for_every_task_once(void **state)
{
	for (size_t i = 0; i < SHAPES; i++) {
		struct tree_rows tree;
		uint8_t *marks;

		open_tree(&tree, &shapes[i]);
		while (tree.rows[0].open)
			tree_rows_toggle_all(&tree);
		marks = calloc(tree.n_tasks, 1);
		assert_non_null(marks);
		for (size_t row = 0; row < tree.n_rows; row++)
			mark(&tree, &tree.rows[row], marks);
		assert_null(memchr(marks, 0, tree.n_tasks));
		free(marks);
		tree_rows_free(&tree);
	}
}

static size_t count_groups(const struct tree_rows *tree)
{
	size_t n = 0;

	for (size_t i = 0; i < tree->n_rows; i++)
		n += tree->rows[i].group;
	return n;
}

static void all_unfolded_gives_each_task_a_row_of_its_own(void **state)
{
	for (size_t i = 0; i < SHAPES; i++) {
		struct tree_rows tree;
		size_t folded;

		open_tree(&tree, &shapes[i]);
		while (tree.rows[0].open)
			tree_rows_toggle_all(&tree);
		folded = tree.n_rows;
		tree_rows_toggle_all(&tree);
		assert_int_equal(tree.n_rows, tree.n_tasks + count_groups(&tree));
		if (tree.n_rows > folded)
			tree_rows_toggle_all(&tree);
		assert_int_equal(tree.n_rows, folded);
		tree_rows_free(&tree);
	}
}

static void a_tree_begins_with_its_branches(void **state)
{
	struct tree_rows tree;
	char name[NAME];

	open_tree(&tree, &shapes[5]);
	assert_int_equal(tree.n_rows, 20);
	assert_string_equal(name_at(&tree, 0, name), "▸1");
	assert_string_equal(name_at(&tree, 19, name), "▸20");
	tree_rows_free(&tree);
}

static void a_small_tree_is_open_from_the_start(void **state)
{
	static const struct plan small = {.levels = 2, .fanout = {2, 2}};
	struct tree_rows tree;

	open_tree(&tree, &small);
	assert_int_equal(tree.n_rows, 6);
	tree_rows_free(&tree);
}

static void five_thousand_siblings_are_fifty_groups(void **state)
{
	struct tree_rows tree;
	const struct view_list list = {.tree = &tree};
	char name[NAME];

	open_tree(&tree, &shapes[2]);
	assert_int_equal(tree.n_rows, 50);
	assert_string_equal(name_at(&tree, 1, name), "▸101–200");
	view_list_move(&list, 1);
	tree_rows_toggle(&tree);
	assert_int_equal(tree.n_rows, 150);
	assert_string_equal(name_at(&tree, 1, name), "▾101–200");
	assert_string_equal(name_at(&tree, 2, name), " 101");
	tree_rows_free(&tree);
}

static void a_group_of_a_set_has_its_numbers(void **state)
{
	const struct plan plan = {
		.levels = 1, .fanout = {900}, .leaves = {[WORK_HELLO] = 900}, .barrier = true};
	struct tree_rows tree;
	char name[NAME];

	open_tree(&tree, &plan);
	assert_string_equal(name_at(&tree, 1, name), "▸w21–40");
	tree_rows_free(&tree);
}

static void the_last_group_may_be_smaller(void **state)
{
	struct tree_rows tree;
	const struct tree_row *last;

	open_tree(&tree, &shapes[3]);
	last = &tree.rows[tree.n_rows - 1];
	assert_int_equal(last->first + last->count, 5001);
	tree_rows_free(&tree);
}

static void a_branch_unfolds_down_to_single_workers_and_folds_from_there(void **state)
{
	struct tree_rows tree;
	const struct view_list list = {.tree = &tree};
	char name[NAME];

	open_tree(&tree, &shapes[5]);
	view_list_move(&list, 3);
	tree_rows_toggle(&tree);
	assert_int_equal(tree.n_rows, 23);
	view_list_move(&list, 2);
	assert_string_equal(name_at(&tree, tree.selected, name), "▸4.2");
	tree_rows_toggle(&tree);
	view_list_move(&list, 82);
	assert_string_equal(name_at(&tree, tree.selected, name), " 4.2.82");
	tree_rows_toggle(&tree);
	assert_string_equal(name_at(&tree, tree.selected, name), "▸4.2");
	assert_int_equal(tree.n_rows, 23);
	tree_rows_free(&tree);
}

static void showing_a_task_unfolds_what_hides_it(void **state)
{
	struct tree_rows tree;
	char name[NAME];

	open_tree(&tree, &shapes[7]);
	tree_rows_show(&tree, 4321);
	assert_string_equal(name_at(&tree, tree.selected, name), " 1.4321");
	tree_rows_free(&tree);
}

static void selecting_a_task_that_is_folded_selects_its_branch(void **state)
{
	struct tree_rows tree;
	char name[NAME];

	open_tree(&tree, &shapes[5]);
	tree_rows_select(&tree, 4999);
	assert_string_equal(name_at(&tree, tree.selected, name), "▸20");
	assert_int_equal(tree.n_rows, 20);
	tree_rows_free(&tree);
}

static void moving_stops_at_both_ends(void **state)
{
	struct tree_rows tree;
	const struct view_list list = {.tree = &tree};

	open_tree(&tree, &shapes[5]);
	view_list_move(&list, -1);
	assert_int_equal(tree.selected, 0);
	view_list_move(&list, INT32_MAX);
	assert_int_equal(tree.selected, 19);
	view_list_move(&list, -INT32_MAX);
	assert_int_equal(tree.selected, 0);
	tree_rows_free(&tree);
}

static void every_list_of_rows_has_a_generation_of_its_own(void **state)
{
	struct tree_rows tree;
	uint32_t before;

	open_tree(&tree, &shapes[5]);
	before = tree.generation;
	tree_rows_toggle(&tree);
	assert_int_not_equal(tree.generation, before);
	tree_rows_free(&tree);
}

/* For the tests of densities: an axis of ten cells of a millisecond each. */

static const struct plot_axis axis = {.from_ns = 0, .to_ns = 10 * MS, .x = 0, .w = 10};

static struct sample_worker worker_of(int64_t create, int64_t start, int64_t finish, int64_t join)
{
	return (struct sample_worker) {.create_ns = create,
				       .created_ns = create,
				       .start_ns = start,
				       .finish_ns = finish,
				       .join_ns = join};
}

static void draw_density(struct density *density, const struct plot_axis *scale, int64_t until_ns,
			 const struct sample_worker *workers, int n, struct density_cell *cells)
{
	density_begin(density, scale, until_ns);
	for (int i = 0; i < n; i++)
		density_add(density, &workers[i]);
	density_cells(density, cells);
}

static void a_density_shows_the_states_of_workers(void **state)
{
	const struct sample_worker workers[] = {
		worker_of(MS / 2, 2 * MS + MS / 2, 5 * MS + MS / 2, 8 * MS + MS / 2)};
	struct density_cell cells[10];
	struct density density;

	draw_density(&density, &axis, 10 * MS, workers, 1, cells);
	assert_int_equal(cells[9].state, DENSITY_NONE);
	assert_int_equal(cells[1].state, DENSITY_CREATED);
	assert_int_equal(cells[4].state, DENSITY_RUNNING);
	assert_int_equal(cells[4].running, 1);
	assert_int_equal(cells[7].state, DENSITY_WAITING);
	assert_int_equal(density.sum.begin_ns, MS / 2);
	assert_int_equal(density.sum.end_ns, 8 * MS + MS / 2);
}

static void a_density_knows_nothing_of_what_comes_after_the_cursor(void **state)
{
	const struct sample_worker workers[] = {worker_of(MS, 2 * MS, 6 * MS, 8 * MS),
						worker_of(5 * MS, 6 * MS, 7 * MS, 8 * MS)};
	struct density_cell cells[10];
	struct density density;

	draw_density(&density, &axis, 4 * MS + MS / 2, workers, 2, cells);
	assert_int_equal(cells[0].state, DENSITY_NONE);
	assert_int_equal(cells[4].state, DENSITY_RUNNING);
	for (int i = 5; i < 10; i++)
		assert_int_equal(cells[i].state, DENSITY_NONE);
	assert_int_equal(density.sum.end_ns, -1);
}

static void one_worker_that_runs_is_seen_among_many_that_do_not(void **state)
{
	struct sample_worker workers[100];
	struct density_cell cells[10];
	struct density density;

	for (int i = 0; i < 100; i++)
		workers[i] = worker_of(0, i * MS / 10, (i + 1) * MS / 10 - 1, 10 * MS);
	for (int i = 0; i < 50; i++)
		workers[i].start_ns = 0;
	workers[99].start_ns = -1;
	draw_density(&density, &axis, 10 * MS - 1, workers, 100, cells);
	for (int i = 0; i < 10; i++)
		assert_int_equal(cells[i].state, DENSITY_RUNNING);
	assert_int_equal(cells[0].running, 50);
	assert_int_equal(density.sum.most, 50);
	assert_in_range(cells[9].running, 1, 10);
}

static void times_outside_the_axis_are_not_drawn(void **state)
{
	static const struct plot_axis part = {.from_ns = 4 * MS, .to_ns = 6 * MS, .w = 10};
	const struct sample_worker workers[] = {worker_of(MS, MS, 2 * MS, 3 * MS),
						worker_of(7 * MS, 7 * MS, 8 * MS, 9 * MS)};
	struct density_cell cells[10];
	struct density density;

	draw_density(&density, &part, 10 * MS, workers, 2, cells);
	for (int i = 0; i < 10; i++)
		assert_int_equal(cells[i].state, DENSITY_NONE);
}

static void a_failure_is_marked_where_it_happened(void **state)
{
	struct sample_worker workers[] = {worker_of(MS, MS, 5 * MS + MS / 2, 8 * MS)};
	struct density_cell cells[10];
	struct density density;

	workers[0].status = SAMPLE_CRASHED;
	draw_density(&density, &axis, 10 * MS, workers, 1, cells);
	assert_int_equal(cells[5].state, DENSITY_BAD);
	assert_int_equal(cells[4].state, DENSITY_RUNNING);
	assert_int_equal(density.sum.bad, 1);
}

static void a_refused_worker_never_existed_but_counts_as_bad(void **state)
{
	struct sample_worker workers[] = {worker_of(MS, -1, -1, -1)};
	struct density_cell cells[10];
	struct density density;

	workers[0].status = SAMPLE_REFUSED;
	draw_density(&density, &axis, 10 * MS, workers, 1, cells);
	assert_int_equal(cells[1].state, DENSITY_NONE);
	assert_int_equal(density.sum.bad, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_folded_rows_stand_for_every_task_once),
		cmocka_unit_test(all_unfolded_gives_each_task_a_row_of_its_own),
		cmocka_unit_test(a_tree_begins_with_its_branches),
		cmocka_unit_test(a_small_tree_is_open_from_the_start),
		cmocka_unit_test(five_thousand_siblings_are_fifty_groups),
		cmocka_unit_test(a_group_of_a_set_has_its_numbers),
		cmocka_unit_test(the_last_group_may_be_smaller),
		cmocka_unit_test(a_branch_unfolds_down_to_single_workers_and_folds_from_there),
		cmocka_unit_test(showing_a_task_unfolds_what_hides_it),
		cmocka_unit_test(selecting_a_task_that_is_folded_selects_its_branch),
		cmocka_unit_test(moving_stops_at_both_ends),
		cmocka_unit_test(every_list_of_rows_has_a_generation_of_its_own),
		cmocka_unit_test(a_density_shows_the_states_of_workers),
		cmocka_unit_test(a_density_knows_nothing_of_what_comes_after_the_cursor),
		cmocka_unit_test(one_worker_that_runs_is_seen_among_many_that_do_not),
		cmocka_unit_test(times_outside_the_axis_are_not_drawn),
		cmocka_unit_test(a_failure_is_marked_where_it_happened),
		cmocka_unit_test(a_refused_worker_never_existed_but_counts_as_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
