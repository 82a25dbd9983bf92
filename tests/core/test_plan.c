/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/plan.h"

static struct plan make_plan(uint32_t levels, const uint32_t *fanout)
{
	struct plan plan = {.levels = levels};

	memcpy(plan.fanout, fanout, levels * sizeof(*fanout));
	return plan;
}

#define PLAN(...)                                                                                  \
	make_plan(sizeof((const uint32_t[]) {__VA_ARGS__}) / sizeof(uint32_t),                     \
		  (const uint32_t[]) {__VA_ARGS__})

static void counts_every_task_of_the_tree(void **state)
{
	struct plan flat = PLAN(5000), two = PLAN(50, 99), three = PLAN(20, 3, 82);
	struct plan one = PLAN(1, 1, 1);

	assert_int_equal(plan_count(&flat), 5000);
	assert_int_equal(plan_count(&two), 5000);
	assert_int_equal(plan_count(&three), 5000);
	assert_int_equal(plan_count(&one), 3);
	assert_int_equal(plan_leaves(&flat), 5000);
	assert_int_equal(plan_leaves(&two), 4950);
	assert_int_equal(plan_leaves(&three), 4920);
	assert_int_equal(plan_leaves(&one), 1);
}

static void refuses_what_is_empty_or_too_large(void **state)
{
	struct plan empty = PLAN(3, 0, 2), most = PLAN(PLAN_MAX_TASKS);
	struct plan more = PLAN(PLAN_MAX_TASKS + 1), many = PLAN(2000, 2000);
	struct plan overflow = PLAN(UINT32_MAX, UINT32_MAX, UINT32_MAX);
	struct plan none = {.levels = 0}, deep = PLAN(1);

	deep.levels = PLAN_MAX_LEVELS + 1;
	assert_int_equal(plan_count(&most), PLAN_MAX_TASKS);
	assert_int_equal(plan_count(&more), 0);
	assert_int_equal(plan_count(&many), 0);
	assert_int_equal(plan_count(&overflow), 0);
	assert_int_equal(plan_count(&empty), 0);
	assert_int_equal(plan_count(&none), 0);
	assert_int_equal(plan_count(&deep), 0);
	assert_int_equal(plan_leaves(&empty), 0);
}

static void levels_follow_one_another(void **state)
{
	struct plan plan = PLAN(20, 3, 82);
	uint32_t count;

	assert_int_equal(plan_level(&plan, 0, &count), 0);
	assert_int_equal(count, 20);
	assert_int_equal(plan_level(&plan, 1, &count), 20);
	assert_int_equal(count, 60);
	assert_int_equal(plan_level(&plan, 2, &count), 80);
	assert_int_equal(count, 4920);
}

/*
 * Every child refers to its parent, and the parent's range of children has the child at its index.
 */
static void check_links(const struct plan *plan)
{
	uint32_t i, leaves = 0, total = plan_count(plan);
	struct plan_node node, parent;

	for (i = 0; i < total; i++) {
		plan_node(plan, i, &node);
		leaves += node.children == 0;
		assert_int_equal(node.task, plan->task[node.level]);
		if (node.level == 0) {
			assert_int_equal(node.parent, PLAN_ROOT);
			assert_int_equal(node.ordinal, i);
			continue;
		}
		plan_node(plan, node.parent, &parent);
		assert_int_equal(parent.level, node.level - 1);
		assert_in_range(i - parent.first_child, 0, parent.children - 1);
		assert_int_equal(i - parent.first_child, node.ordinal);
	}
	assert_int_equal(leaves, plan_leaves(plan));
}

static void children_and_parents_agree(void **state)
{
	struct plan one = PLAN(1), line = PLAN(1, 1, 1, 1), bush = PLAN(5, 3, 2);
	struct plan binary = PLAN(2, 2, 2, 2), wide = PLAN(50, 9);

	bush.task[1] = PLAN_PROCESS;
	binary.task[3] = PLAN_PROCESS;
	check_links(&one);
	check_links(&line);
	check_links(&bush);
	check_links(&binary);
	check_links(&wide);
}

static void leaves_are_dealt_out_by_kind(void **state)
{
	struct plan plan = PLAN(2, 5);
	const uint8_t expected[] = {WORK_CPU, WORK_CPU, WORK_CPU, WORK_CPU, WORK_CPU,
				    WORK_CPU, WORK_IO,	WORK_IO,  WORK_FP,  WORK_NULL};
	const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 0, 1, 0, 0};
	struct plan_node node;
	uint32_t i;

	plan.leaves[WORK_CPU] = 6;
	plan.leaves[WORK_IO] = 2;
	plan.leaves[WORK_FP] = 1;
	for (i = 0; i < 2; i++) {
		plan_node(&plan, i, &node);
		assert_int_equal(node.work, WORK_NULL);
	}
	for (i = 0; i < 10; i++) {
		plan_node(&plan, 2 + i, &node);
		assert_int_equal(node.work, expected[i]);
		assert_int_equal(node.number, numbers[i]);
	}
}

static void assert_name(const struct plan *plan, uint32_t index, const char *expected)
{
	char buf[64];

	assert_string_equal(plan_name(plan, index, buf, sizeof(buf)), expected);
}

static void workers_of_a_tree_are_named_by_place(void **state)
{
	struct plan plan = PLAN(20, 3, 82);

	assert_name(&plan, 0, "1");
	assert_name(&plan, 19, "20");
	assert_name(&plan, 20, "1.1");
	assert_name(&plan, 79, "20.3");
	assert_name(&plan, 80, "1.1.1");
	assert_name(&plan, 80 + 82 * (3 * 3 + 1) + 80, "4.2.81");
	assert_name(&plan, 4999, "20.3.82");
}

static void the_leaves_of_a_tree_keep_their_place_when_they_work(void **state)
{
	struct plan plan = PLAN(2, 4);

	plan.leaves[WORK_CPU] = 8;
	assert_name(&plan, 2, "1.1");
	assert_name(&plan, 9, "2.4");
}

static void a_shape_reads_back_equal(void **state)
{
	static const char *const shapes[] = {"1",
					     "5000",
					     "50x99",
					     "20x3x82",
					     "1x5000",
					     "5000x1",
					     "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"};
	struct plan plan;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		assert_int_equal(plan_shape_parse(shapes[i], &plan), 0);
		assert_string_equal(plan_shape(&plan, text, sizeof(text)), shapes[i]);
	}
}

static void malformed_trees_are_refused(void **state)
{
	static const char *const wrong[] = {
		"",   "x",  "x5", "5x",	 "5xx5", "0", "5x0x5", "-5",
		"+5", " 5", "5 ", "5,5", "5X5",	 "a", "5x5k",  "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"};
	static const char *const large[] = {"4000001", "2000x2000", "99999999999999999999",
					    "4294967297", "65536x65536x65536x65536"};
	struct plan plan;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(plan_shape_parse(wrong[i], &plan), -EINVAL);
	for (i = 0; i < sizeof(large) / sizeof(*large); i++)
		assert_int_equal(plan_shape_parse(large[i], &plan), -ERANGE);
	assert_int_equal(plan_shape_parse("4000000", &plan), 0);
}

static void workers_of_a_set_are_named_by_work(void **state)
{
	struct plan plan = PLAN(9), hybrid = PLAN(2, 4), null = PLAN(2);

	plan.leaves[WORK_CPU] = hybrid.leaves[WORK_CPU] = 6;
	plan.leaves[WORK_IO] = hybrid.leaves[WORK_IO] = 2;
	null.leaves[WORK_NULL] = 2;
	plan.barrier = hybrid.barrier = null.barrier = true;
	assert_name(&plan, 0, "w1 cpu");
	assert_name(&plan, 5, "w6 cpu");
	assert_name(&plan, 6, "w7 io");
	assert_name(&plan, 7, "w8 io");
	assert_name(&plan, 8, "w9 null");
	assert_name(&hybrid, 1, "2");
	assert_name(&hybrid, 2, "w1 cpu");
	assert_name(&hybrid, 9, "w8 io");
	assert_name(&null, 1, "w2 null");
}

static void a_name_never_overruns_its_buffer(void **state)
{
	struct plan plan = PLAN(20, 3, 82);
	char buf[8];
	size_t size;

	for (size = 1; size <= sizeof(buf); size++) {
		memset(buf, '#', sizeof(buf));
		plan_name(&plan, 4999, buf, size);
		assert_int_equal(strlen(buf), size - 1 < 7 ? size - 1 : 7);
		memset(buf, '#', sizeof(buf));
		plan_shape(&plan, buf, size);
		assert_int_equal(strlen(buf), size - 1 < 7 ? size - 1 : 7);
	}
}

static void shape_is_the_fan_outs(void **state)
{
	struct plan flat = PLAN(5000), three = PLAN(20, 3, 82);
	char buf[64];

	assert_string_equal(plan_shape(&flat, buf, sizeof(buf)), "5000");
	assert_string_equal(plan_shape(&three, buf, sizeof(buf)), "20x3x82");
}

static void knows_which_tasks_it_has(void **state)
{
	struct plan plan = PLAN(2, 3);

	plan.task[0] = plan.task[1] = PLAN_PROCESS;
	assert_true(plan_has(&plan, PLAN_PROCESS));
	assert_false(plan_has(&plan, PLAN_THREAD));
	plan.task[1] = PLAN_THREAD;
	assert_true(plan_has(&plan, PLAN_PROCESS));
	assert_true(plan_has(&plan, PLAN_THREAD));
}

static void work_names_parse_back(void **state)
{
	enum work_kind work;
	int i;

	for (i = 0; i < WORK_KINDS; i++) {
		assert_int_equal(plan_work_parse(plan_work_name((enum work_kind)i), &work), 0);
		assert_int_equal(work, i);
	}
	assert_int_equal(plan_work_parse("gpu", &work), -EINVAL);
	assert_int_equal(plan_work_parse("", &work), -EINVAL);
	assert_int_equal(plan_work_parse("CPU", &work), -EINVAL);
}

static void primitives_parse_back_and_make_plans_of_their_own(void **state)
{
	struct plan plan;
	int i;

	for (i = 0; i < PLAN_PRIMITIVES; i++) {
		assert_int_equal(
			names_find(plan_primitive_names, PLAN_PRIMITIVES, plan_primitive_names[i]),
			i);
		plan_creation((enum plan_primitive)i, 1000, &plan);
		assert_int_equal(plan_count(&plan), 1000);
		assert_int_equal(plan_is_creation(&plan), i != PLAN_PLAIN);
		assert_int_equal(plan_runs_program(&plan), i == PLAN_POSIX_SPAWN ||
								   i == PLAN_FORK_EXEC ||
								   i == PLAN_VFORK_EXEC);
		plan.batch = 0;
		assert_false(plan_is_creation(&plan));
	}
	assert_int_equal(names_find(plan_primitive_names, PLAN_PRIMITIVES, "fork "), -EINVAL);
	assert_int_equal(names_find(plan_primitive_names, PLAN_PRIMITIVES, ""), -EINVAL);
}

static void plans_that_start_programs_are_sets_of_them_and_no_creation(void **state)
{
	struct plan plan;
	char name[32];

	for (int i = 0; i < PLAN_PRIMITIVES; i++) {
		bool starts = i == PLAN_POSIX_SPAWN || i == PLAN_FORK_EXEC || i == PLAN_VFORK_EXEC;

		assert_int_equal(plan_start_programs((enum plan_primitive)i, 3, &plan),
				 starts ? 0 : -EINVAL);
		if (!starts)
			continue;
		assert_true(plan_starts_programs(&plan));
		assert_false(plan_is_creation(&plan));
		assert_false(plan_runs_program(&plan));
		assert_string_equal(plan_name(&plan, 2, name, sizeof(name)), "w3 program");
		plan.batch = 1;
		assert_false(plan_is_creation(&plan));
		plan.barrier = true;
		assert_false(plan_starts_programs(&plan));
		plan_creation((enum plan_primitive)i, 3, &plan);
		assert_false(plan_starts_programs(&plan));
	}
	assert_int_equal(names_find(plan_primitive_names, PLAN_PRIMITIVES, "vfork+exec"),
			 PLAN_VFORK_EXEC);
}

static void a_placement_reads_back_equal(void **state)
{
	for (int i = 0; i < PLAN_PLACEMENTS; i++)
		assert_int_equal(
			names_find(plan_placement_names, PLAN_PLACEMENTS, plan_placement_names[i]),
			i);
	assert_int_equal(names_find(plan_placement_names, PLAN_PLACEMENTS, "pinned "), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_placement_reads_back_equal),
		cmocka_unit_test(counts_every_task_of_the_tree),
		cmocka_unit_test(refuses_what_is_empty_or_too_large),
		cmocka_unit_test(levels_follow_one_another),
		cmocka_unit_test(children_and_parents_agree),
		cmocka_unit_test(leaves_are_dealt_out_by_kind),
		cmocka_unit_test(workers_of_a_tree_are_named_by_place),
		cmocka_unit_test(the_leaves_of_a_tree_keep_their_place_when_they_work),
		cmocka_unit_test(a_shape_reads_back_equal),
		cmocka_unit_test(malformed_trees_are_refused),
		cmocka_unit_test(workers_of_a_set_are_named_by_work),
		cmocka_unit_test(a_name_never_overruns_its_buffer),
		cmocka_unit_test(shape_is_the_fan_outs),
		cmocka_unit_test(knows_which_tasks_it_has),
		cmocka_unit_test(work_names_parse_back),
		cmocka_unit_test(primitives_parse_back_and_make_plans_of_their_own),
		cmocka_unit_test(plans_that_start_programs_are_sets_of_them_and_no_creation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
