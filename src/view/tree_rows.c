/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/utf8.h"

enum { GROUPED_ABOVE = 100, GROUPS_MOST = 50, ALL_OPEN_BELOW = 25, ROWS_NAMED = 64, BITS = 64 };

static void tree_set_bit(uint64_t *bits, size_t i, bool on)
{
	uint64_t bit = UINT64_C(1) << i % BITS;

	if (on)
		bits[i / BITS] = bits[i / BITS] | bit;
	else
		bits[i / BITS] = bits[i / BITS] & ~bit;
}

static size_t tree_open_words(const struct tree_rows *tree)
{
	return 2 * (size_t)tree->n_tasks / BITS + 1;
}

/*
 * The index of a row's bit in tree->open. For a task, the task's index; for a group, n_tasks + the
 * index of its first task.
 */
static size_t tree_row_bit(const struct tree_rows *tree, const struct tree_row *row)
{
	return row->first + (row->group ? (size_t)tree->n_tasks : 0);
}

/*
 * The size of a group: the smallest of 10, 20, 50, 100 … that gives a readable number of groups. 0:
 * no groups are needed.
 */
static uint32_t tree_group_size(uint32_t fanout)
{
	static const uint32_t steps[] = {10, 20, 50};
	uint64_t power = 1;

	if (fanout <= GROUPED_ABOVE)
		return 0;
	for (;; power *= 10)
		for (size_t i = 0; i < 3; i++)
			if (fanout / (steps[i] * power) <= GROUPS_MOST)
				return (uint32_t)(steps[i] * power);
}

/* Adds a row. Returns whether the row is unfolded. */
static bool tree_add_row(struct tree_rows *tree, struct tree_row row)
{
	size_t bit = tree_row_bit(tree, &row);

	row.open = row.foldable && tree->open[bit / BITS] >> bit % BITS & 1;
	tree->rows[tree->n_rows++] = row;
	return row.open;
}

/*
 * Adds siblings, each with the unfolded rows below it. If there are too many siblings for a row
 * each, adds groups of siblings.
 */
static void tree_add_siblings(struct tree_rows *tree, uint32_t first, uint32_t count,
			      uint32_t level)
{
	uint32_t size = tree->group[level], end = first + count;

	for (uint32_t i = first; i < end; i++) {
		struct tree_row row = {.first = i, .count = 1, .level = (uint8_t)level};
		struct plan_node node;

		if (size && (i - first) % size == 0) {
			struct tree_row group = row;

			group.count = MIN(size, end - i);
			group.group = group.foldable = true;
			if (!tree_add_row(tree, group)) {
				i += group.count - 1;
				continue;
			}
		}
		row.foldable = level + 1 < tree->plan.levels;
		if (!tree_add_row(tree, row))
			continue;
		plan_node(&tree->plan, i, &node);
		tree_add_siblings(tree, node.first_child, node.children, level + 1);
	}
}

static void tree_make_rows(struct tree_rows *tree)
{
	tree->n_rows = 0;
	tree->generation++;
	tree_add_siblings(tree, 0, tree->plan.fanout[0], 0);
}

int tree_rows_init(struct tree_rows *tree, const struct plan *plan)
{
	bool set;
	char name[224];
	int most = 0;

	*tree = (struct tree_rows) {.plan = *plan, .n_tasks = plan_count(plan)};
	for (uint32_t level = 0; level < plan->levels; level++)
		tree->group[level] = tree_group_size(plan->fanout[level]);
	set = plan->barrier && plan->levels == 1 && tree->group[0];
	tree->open = calloc(tree_open_words(tree), sizeof(*tree->open));
	tree->rows = calloc(2 * (size_t)tree->n_tasks, sizeof(*tree->rows));
	if (!tree->open || !tree->rows) {
		tree_rows_free(tree);
		return -ENOMEM;
	}
	if (tree->n_tasks < ALL_OPEN_BELOW)
		memset(tree->open, 0xff, tree_open_words(tree) * sizeof(*tree->open));
	tree_make_rows(tree);
	/*
	 * Width of the widest name with its fold mark. If the only level is grouped and has a
	 * barrier, measures every row, because a group such as "▸w91–108" can be the widest.
	 * Otherwise, measures the tasks' names and adds the end of a group's name. If there are
	 * many tasks, measures only the last one's name.
	 */
	if (set)
		for (size_t i = 0; i < tree->n_rows; i++)
			tree->name_w =
				MAX(tree->name_w, utf8_columns(tree_rows_name(tree, &tree->rows[i],
									      name, sizeof(name))));
	if (!set)
		for (uint32_t i = tree->n_tasks <= ROWS_NAMED ? 0 : tree->n_tasks - 1;
		     i < tree->n_tasks; i++)
			tree->name_w =
				MAX(tree->name_w,
				    1 + utf8_columns(plan_name(plan, i, name, sizeof(name))));
	if (!set)
		for (uint32_t level = 0; level < plan->levels; level++)
			if (tree->group[level])
				most = snprintf(name, sizeof(name), "-%u", plan->fanout[level]);
	tree->name_w += most;
	return 0;
}

void tree_rows_free(struct tree_rows *tree)
{
	free(tree->open);
	free(tree->rows);
	*tree = (struct tree_rows) {0};
}

void tree_rows_select(struct tree_rows *tree, uint32_t task)
{
	struct plan_node node;

	tree->selected = 0;
	/*
	 * Select the last row of the task's level that contains the task: the task's own row or, if
	 * that row is hidden, its folded group. If there is no such row, do the same for the task's
	 * parent.
	 */
	for (bool found = false; !found; task = node.parent) {
		if (task == PLAN_ROOT)
			break;
		plan_node(&tree->plan, task, &node);
		for (size_t i = 0; i < tree->n_rows; i++) {
			const struct tree_row *row = &tree->rows[i];

			if (row->level != node.level || task < row->first ||
			    task - row->first >= row->count)
				continue;
			tree->selected = i;
			found = true;
		}
	}
}

void tree_rows_toggle(struct tree_rows *tree)
{
	size_t i = tree->selected;

	/*
	 * If the row cannot be folded, fold the nearest foldable row above it, because that row
	 * contains it.
	 */
	while (i > 0 && !tree->rows[i].foldable)
		i--;
	if (!tree->rows[i].foldable)
		return;
	tree_set_bit(tree->open, tree_row_bit(tree, &tree->rows[i]), !tree->rows[i].open);
	tree_make_rows(tree);
	tree->selected = i;
}

void tree_rows_toggle_all(struct tree_rows *tree)
{
	uint32_t task = tree->rows[tree->selected].first;
	bool folded = false;

	for (size_t i = 0; i < tree->n_rows; i++)
		folded |= tree->rows[i].foldable && !tree->rows[i].open;
	memset(tree->open, folded ? 0xff : 0, tree_open_words(tree) * sizeof(*tree->open));
	tree_make_rows(tree);
	tree_rows_select(tree, task);
}

void tree_rows_show(struct tree_rows *tree, uint32_t task)
{
	struct plan_node node;
	uint32_t size;

	for (uint32_t i = task; i != PLAN_ROOT; i = node.parent) {
		plan_node(&tree->plan, i, &node);
		if (i != task)
			tree_set_bit(tree->open, i, true);
		size = tree->group[node.level];
		if (size) /* Unfold the group that contains the task. */
			tree_set_bit(tree->open, tree->n_tasks + (size_t)(i - node.ordinal % size),
				     true);
	}
	tree_make_rows(tree);
	tree_rows_select(tree, task);
}

char *tree_rows_name(const struct tree_rows *tree, const struct tree_row *row, char *buf,
		     size_t size)
{
	const char *mark = " ";
	char name[96], last[96], *dot;
	size_t common;

	if (row->foldable && row->open)
		mark = "▾";
	else if (row->foldable)
		mark = "▸";

	plan_name(&tree->plan, row->first, name, sizeof(name));
	if (!row->group) {
		snprintf(buf, size, "%s%s", mark, name);
		return buf;
	}
	plan_name(&tree->plan, row->first + row->count - 1, last, sizeof(last));
	name[strcspn(name, " ")] = last[strcspn(last, " ")] = '\0';
	/*
	 * Drop the beginning that the last name shares with the first name, such as "4.2." or
	 * "hello".
	 */
	dot = strrchr(last, '.');
	common = strcspn(last, "0123456789");
	if (dot)
		common = (size_t)(dot + 1 - last);
	else if (strncmp(name, last, common) != 0)
		common = 0;
	snprintf(buf, size, "%s%s–%s", mark, name, last + common);
	return buf;
}

uint32_t tree_rows_spans(const struct tree_rows *tree, const struct tree_row *row,
			 struct tree_span spans[PLAN_MAX_LEVELS])
{
	uint32_t n = 0;

	spans[n++] = (struct tree_span) {row->first, row->count};
	while (row->level + n < tree->plan.levels) {
		struct plan_node node;

		plan_node(&tree->plan, spans[n - 1].first, &node);
		spans[n] =
			(struct tree_span) {node.first_child, spans[n - 1].count * node.children};
		n++;
	}
	return n;
}
