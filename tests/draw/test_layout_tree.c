/* SPDX-License-Identifier: MIT */
#include "draw/layout.h"

#include "stage/check.h"

static bool is_shown(struct rect r)
{
	return r.w > 0 && r.h > 0;
}

static void assert_inside(struct rect r, struct rect box)
{
	if (!is_shown(r))
		return;
	assert_true(r.x >= box.x && r.x + r.w <= box.x + box.w);
	assert_true(r.y >= box.y && r.y + r.h <= box.y + box.h);
}

/* Each lies below the one before, within the box. */
static int assert_stacked(struct rect box, const struct rect *list, size_t n)
{
	int y = box.y, used = 0;

	for (size_t i = 0; i < n; i++) {
		assert_inside(list[i], box);
		if (!is_shown(list[i]))
			continue;
		assert_true(list[i].y >= y);
		y = list[i].y + list[i].h;
		used += list[i].h;
	}
	return used;
}

static void a_trees_column_is_full_and_nothing_overlaps(void **state)
{
	for (int w = 4; w < 200; w += 7)
		for (int h = 3; h < 80; h++)
			for (long rows = 1; rows < 6000; rows = rows * 3 + 1) {
				const struct layout_tree_need need = {.rows = rows,
								      .name_w = (int)rows % 17,
								      .levels = 1 + w % 16,
								      .reason = h % 2};
				struct rect box = {3, 5, w, h};
				struct layout_tree t = layout_tree(box, &need);
				const struct rect list[] = {t.reason, t.counts, t.bands, t.axis,
							    t.rows,   t.times,	t.memory};
				int used = assert_stacked(box, list, 7);

				assert_true(w <= 4 || used == h - 2);
				assert_true(t.times.h == 0 || t.times.h == 3);
			}
}

static void parts_that_are_shown_stay_when_the_box_grows(void **state)
{
	const struct layout_tree_need need = {.rows = 20, .name_w = 8, .levels = 3};
	bool shown[6] = {false};

	for (int h = 3; h < 60; h++) {
		struct layout_tree t = layout_tree((struct rect) {0, 0, 58, h}, &need);
		const struct rect list[] = {t.counts, t.bands, t.axis, t.rows, t.times, t.memory};

		for (int i = 0; i < 6; i++) {
			assert_true(is_shown(list[i]) || !shown[i]);
			shown[i] = is_shown(list[i]);
		}
	}
	for (int i = 0; i < 6; i++)
		assert_true(shown[i]);
}

static void the_timeline_has_its_panel_at_the_side_below_or_not_at_all(void **state)
{
	for (int w = 36; w < 220; w++)
		for (int h = 3; h < 90; h++) {
			struct rect body = {0, 1, w, h};
			struct layout_timeline t = layout_timeline(body, 9, w * h % 300 + 1);
			const struct rect list[] = {t.alive, t.axis, t.rows,
						    t.below ? t.details : (struct rect) {0}};

			assert_inside(t.box, body);
			assert_stacked(t.box, list, 4);
			assert_true(h < 4 || t.rows.h > 0);
			if (is_shown(t.details) && !t.below)
				assert_int_equal(t.details.x, t.box.x + t.box.w);
			assert_int_equal(is_shown(t.details) && !t.below, w >= 100);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trees_column_is_full_and_nothing_overlaps),
		cmocka_unit_test(parts_that_are_shown_stay_when_the_box_grows),
		cmocka_unit_test(the_timeline_has_its_panel_at_the_side_below_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
