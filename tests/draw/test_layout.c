/* SPDX-License-Identifier: MIT */
#include "draw/layout.h"

#include <sys/param.h>

#include "stage/check.h"

enum { WIDEST = 200, HIGHEST = 60 };

static const char sentence[] = "Threads took 0.99 of the processes' time. 4 pairs: too few to call "
			       "it real (6 needed).";

static bool shown(struct rect r)
{
	return r.w > 0 && r.h > 0;
}

static bool within(struct rect r, struct rect of)
{
	return !shown(r) ||
	       (r.x >= of.x && r.y >= of.y && r.x + r.w <= of.x + of.w && r.y + r.h <= of.y + of.h);
}

static bool apart(struct rect a, struct rect b)
{
	return !shown(a) || !shown(b) || a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y ||
	       b.y + b.h <= a.y;
}

static void assert_parts(const struct rect *parts, size_t n, struct rect of)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(parts[i].w >= 0 && parts[i].h >= 0);
		assert_true(within(parts[i], of));
		for (size_t j = 0; j < i; j++)
			assert_true(apart(parts[i], parts[j]));
	}
}

static void each_size(void (*check)(int width, int height))
{
	for (int height = 1; height <= HIGHEST; height++)
		for (int width = 1; width <= WIDEST; width++)
			check(width, height);
}

static struct layout_frame frame_of(int width, int height, bool main)
{
	struct layout_wish wish = {.main = main, .sentence = sentence, .pairs = true};

	return layout_frame(width, height, &wish);
}

static void check_frame(int width, int height)
{
	for (int main = 0; main < 2; main++) {
		struct layout_frame f = frame_of(width, height, main);
		struct rect screen = {0, 0, width, height};
		struct rect parts[] = {f.top_line, f.sentence, f.body, f.pairs, f.hint, f.keys};

		assert_parts(parts, 6, screen);
	}
}

static void the_screen_is_cut_without_overlap_at_every_size(void **state)
{
	each_size(check_frame);
}

static void check_sentence(int width, int height)
{
	for (int main = 0; main < 2; main++) {
		struct layout_frame f = frame_of(width, height, main);

		assert_true(f.ask == (width < LAYOUT_LEAST_W || height < LAYOUT_LEAST_H));
		if (f.ask)
			continue;
		assert_true(shown(f.sentence) && shown(f.top_line) && shown(f.keys));
		assert_true(f.sentence.w * f.sentence.h >= (int)sizeof(sentence) - 1);
		assert_true(f.body.h >= 6);
	}
}

static void the_sentence_is_there_wherever_there_is_a_screen(void **state)
{
	each_size(check_sentence);
}

static void below_the_least_size_only_one_line_is_left(void **state)
{
	struct layout_frame f = frame_of(39, 50, true);

	assert_true(f.ask);
	assert_int_equal(f.top_line.h, 1);
	assert_false(shown(f.body) || shown(f.sentence) || shown(f.keys));
	assert_true(frame_of(200, 11, true).ask);
	assert_false(frame_of(40, 12, true).ask);
}

static void assert_cores(const struct layout_cores *c, struct rect body, int n_cores)
{
	if (!shown(c->box))
		return;
	assert_true(within(c->box, body));
	assert_true(within(c->inner, c->box));
	assert_true(c->rows * c->h <= c->inner.h);
	assert_true(c->columns * c->w + (c->columns - 1) * 2 <= c->inner.w);
	assert_true(c->strips || c->rows * c->columns >= n_cores);
	assert_true(c->w > 0 && c->h > 0);
}

/* Makes n CPUs in nodes and packages. */
static struct layout_cpus cpus_of(int n, int threads, int nodes, int packages)
{
	int cores = n / threads;
	struct layout_cpus cpus = {
		.n = n,
		.threads = threads,
		.parts = {nodes, packages, 1, 1},
		.most = {cores / nodes, cores / packages, cores, cores},
	};

	return cpus;
}

static void check_overview(int width, int height)
{
	const struct layout_cpus cpus[] = {cpus_of(1, 1, 1, 1),	   cpus_of(2, 1, 1, 1),
					   cpus_of(8, 2, 1, 1),	   cpus_of(16, 1, 2, 2),
					   cpus_of(17, 1, 1, 1),   cpus_of(64, 1, 2, 2),
					   cpus_of(256, 2, 8, 2),  cpus_of(256, 8, 2, 2),
					   cpus_of(1000, 4, 4, 4), cpus_of(1000, 1, 1, 1)};
	struct rect body = frame_of(width, height, true).body;

	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		for (int cases = 1; cases <= 5; cases += 2) {
			struct layout_overview o = layout_overview(body, cases, 1, &cpus[i]);
			struct rect parts[1 + LAYOUT_COLUMNS] = {o.cores.box};

			for (int j = 0; j < o.n_columns; j++)
				parts[1 + j] = o.columns[j];
			assert_parts(parts, 1 + (size_t)o.n_columns, body);
			assert_cores(&o.cores, body, cpus[i].n);
			assert_true(o.first + o.n_columns <= cases || !o.n_columns);
			if (shown(body))
				assert_true(o.n_columns >= 1);
		}
}

static void the_overview_holds_at_every_size_and_number_of_cores(void **state)
{
	each_size(check_overview);
}

static void columns_are_as_many_as_keep_their_least_width(void **state)
{
	struct rect body = {0, 1, 80, 20};
	const struct layout_cpus two = cpus_of(2, 1, 1, 1);

	assert_int_equal(layout_overview(body, 2, 0, &two).n_columns, 2);
	assert_int_equal(layout_overview(body, 3, 0, &two).n_columns, 2);
	assert_int_equal(layout_overview(body, 3, 9, &two).first, 1);
	body.w = 120;
	assert_int_equal(layout_overview(body, 3, 0, &two).n_columns, 3);
	body.w = 40;
	assert_int_equal(layout_overview(body, 2, 0, &two).n_columns, 1);
}

static struct layout_cores cores_in(int width, int height, struct layout_cpus cpus)
{
	struct rect body = {0, 1, width, height};

	return layout_overview(body, 2, 0, &cpus).cores;
}

static void many_cores_become_a_strip_for_each_part(void **state)
{
	struct layout_cores few = cores_in(120, 28, cpus_of(8, 1, 1, 1));
	struct layout_cores two = cores_in(120, 28, cpus_of(128, 2, 2, 2));
	struct layout_cores one = cores_in(120, 28, cpus_of(32, 1, 1, 1));

	assert_false(few.strips);
	assert_true(few.columns > 1);
	assert_true(two.strips);
	assert_int_equal(two.rows, 2);
	assert_int_equal(two.h, 2);
	assert_int_equal(one.rows, 1);
	assert_int_equal(one.h, 2);
	assert_int_equal(one.name_w, 0);
}

static void nodes_that_have_no_room_become_packages(void **state)
{
	const struct layout_cpus cpus = cpus_of(256, 2, 8, 2);

	assert_int_equal(cores_in(120, 60, cpus).rows, 8);
	assert_int_equal(cores_in(120, 28, cpus).rows, 2);
	assert_int_equal(cores_in(64, 13, cpus).rows, 1);
}

static void check_column(int width, int height)
{
	struct rect box = {3, 2, width, height};

	for (int workers = 0; workers <= 5000; workers = workers * 7 + 1)
		for (int flags = 0; flags < 4; flags++) {
			struct layout_need need = {
				.workers = workers, .many = flags & 1, .kernel = flags & 2};
			struct layout_column c = layout_column(box, &need);
			struct rect parts[] = {c.axis,	 c.alive,  c.rows,
					       c.memory, c.kernel, c.totals};
			int used = 0;

			assert_parts(parts, 6, box);
			for (int i = 0; i < 6; i++)
				used += parts[i].h;
			/* The remaining height is used for plots, and is not left empty. */
			assert_int_equal(used, height > 2 ? height - 2 : 0);
		}
}

static void a_column_uses_every_row_at_every_size(void **state)
{
	each_size(check_column);
}

static void all_eight_workers_are_seen_at_80x24(void **state)
{
	struct layout_need need = {.workers = 8, .kernel = true};
	struct rect body = frame_of(80, 24, true).body;
	const struct layout_cpus two = cpus_of(2, 1, 1, 1);
	struct layout_overview o = layout_overview(body, 2, 0, &two);
	struct layout_column c = layout_column(o.columns[0], &need);

	assert_true(shown(o.cores.box));
	assert_int_equal(o.n_columns, 2);
	assert_int_equal(c.rows.h, 8);
	assert_true(shown(c.axis) && shown(c.memory) && shown(c.kernel));
}

static void check_grid(int width, int height)
{
	struct rect body = {0, 1, width, height}, boxes[4];
	int n = layout_grid(body, 4, boxes);

	assert_in_range(n, 1, 4);
	assert_parts(boxes, (size_t)n, body);
}

static void plots_of_memory_share_the_body_without_overlap(void **state)
{
	each_size(check_grid);
}

/*
 * Checks that each rectangle is below the one before and inside the box. Returns their total
 * height.
 */
static int assert_stacked(struct rect box, const struct rect *list, size_t n)
{
	int y = box.y, used = 0;

	for (size_t i = 0; i < n; i++) {
		assert_true(within(list[i], box));
		if (!shown(list[i]))
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
	bool was[6] = {false};

	for (int h = 3; h < 60; h++) {
		struct layout_tree t = layout_tree((struct rect) {0, 0, 58, h}, &need);
		const struct rect list[] = {t.counts, t.bands, t.axis, t.rows, t.times, t.memory};

		for (int i = 0; i < 6; i++) {
			assert_true(shown(list[i]) || !was[i]);
			was[i] = shown(list[i]);
		}
	}
	for (int i = 0; i < 6; i++)
		assert_true(was[i]);
}

static void the_timeline_has_its_panel_at_the_side_below_or_not_at_all(void **state)
{
	for (int w = 36; w < 220; w++)
		for (int h = 3; h < 90; h++) {
			struct rect body = {0, 1, w, h};
			const struct layout_timeline_need need = {.name_w = 9,
								  .alive = h % 9,
								  .rows = w * h % 300 + 1,
								  .beside = w % 2,
								  .top = h % 2,
								  .selected = w % 3};
			struct layout_timeline t = layout_timeline(body, &need);
			const struct rect list[] = {t.alive, t.axis, t.rows,
						    t.below ? t.details : (struct rect) {0}};

			assert_true(within(t.box, body));
			assert_stacked(t.box, list, 4);
			assert_true(h < 4 || t.rows.h > 0);
			if (shown(t.details) && !t.below)
				assert_int_equal(t.details.x, t.box.x + t.box.w);
			assert_int_equal(shown(t.details) && !t.below, w >= 100);
		}
}

/* There is a blank line only if everything else has room. */
static void the_race_has_every_run_before_a_blank_line(void **state)
{
	for (int models = 2; models <= 4; models++)
		for (int h = 10; h <= 70; h++) {
			const struct layout_race_need need = {.models = models,
							      .rows = {8, 8, 8, 8},
							      .cores = 2,
							      .metrics = 4,
							      .name_w = 8};
			const struct rect body = {0, 1, 120, h};
			const struct layout_race race = layout_race(body, &need);
			const int blanks =
				(race.bars.y > body.y) + (race.bars.h > race.compared + 1);

			if (shown(race.bars) && !shown(race.runs))
				assert_true(blanks < race.compared);
			assert_true(race.runs.y + race.runs.h <= body.y + body.h);
		}
}

/* What is left out first if a session with a crash in three models has fewer lines. */
static void models_that_are_seen_together_lose_cores_then_bars_then_the_axis(void **state)
{
	static const struct {
		int h, cores, bars, axis;
	} rows[] = {{50, 2, 8, 1}, {33, 2, 8, 1}, {27, 2, 5, 1}, {21, 0, 5, 1}, {20, 0, 4, 1},
		    {19, 0, 3, 1}, {17, 0, 0, 1}, {16, 0, 0, 1}, {15, 0, 0, 0}};
	const struct layout_race_need need = {.models = 3,
					      .rows = {4, 4, 4},
					      .cores = 2,
					      .metrics = 3,
					      .name_w = 8,
					      .together = true};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rect body = {0, 1, 80, rows[i].h};
		const struct layout_race race = layout_race(body, &need);

		assert_int_equal(race.n, 3);
		/* No times are compared after a fault. */
		assert_int_equal(race.runs.h, 0);
		assert_int_equal(race.bars.h, rows[i].bars);
		assert_int_equal(race.models[0].axis.h + race.models[1].axis.h, 0);
		assert_int_equal(race.models[2].axis.h, rows[i].axis);
		for (int k = 0; k < 3; k++) {
			assert_true(race.models[k].rows.h >= 4);
			assert_int_equal(race.models[k].cores.h, rows[i].cores);
		}
	}
}

/* Otherwise a level would seem to have more tasks at once in one model than in the other. */
static void bands_and_tasks_alive_fill_the_lines_alike_in_every_model(void **state)
{
	for (int models = 1; models <= 3; models++)
		for (int h = 8; h <= 60; h++) {
			const struct layout_race_need need = {.models = models,
							      .rows = {3, 3, 3},
							      .metrics = 3,
							      .name_w = 7,
							      .bands = true};
			const struct rect body = {0, 1, 120, h};
			const struct layout_race race = layout_race(body, &need);
			const struct rect last = race.models[race.n - 1].rows;
			const int alive = race.models[race.n - 1].alive.h;

			/* At 80x24, with a clock and an answer of two lines, all are seen. */
			assert_true(race.n == models || h < 18);
			/* With two lines for the last level, the tasks alive have two or a fifth.
			 */
			assert_true(last.h + alive < 6 || alive == MAX(2, (last.h + alive) / 5));
			assert_true(last.h >= 3);
			/* The tasks alive take no line from a level that has only one. */
			assert_true(alive > 0 || last.h == 3);
			for (int i = 0; i < race.n; i++) {
				assert_int_equal(race.models[i].rows.h, last.h);
				assert_int_equal(race.models[i].alive.h, alive);
			}
			assert_true(last.y + last.h < body.y + body.h);
			/* Fewer lines stay empty than another line for each model would need. */
			assert_true(body.y + body.h - race.figures.y - race.figures.h < race.n);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_screen_is_cut_without_overlap_at_every_size),
		cmocka_unit_test(the_sentence_is_there_wherever_there_is_a_screen),
		cmocka_unit_test(below_the_least_size_only_one_line_is_left),
		cmocka_unit_test(the_overview_holds_at_every_size_and_number_of_cores),
		cmocka_unit_test(columns_are_as_many_as_keep_their_least_width),
		cmocka_unit_test(many_cores_become_a_strip_for_each_part),
		cmocka_unit_test(nodes_that_have_no_room_become_packages),
		cmocka_unit_test(a_column_uses_every_row_at_every_size),
		cmocka_unit_test(all_eight_workers_are_seen_at_80x24),
		cmocka_unit_test(plots_of_memory_share_the_body_without_overlap),
		cmocka_unit_test(a_trees_column_is_full_and_nothing_overlaps),
		cmocka_unit_test(parts_that_are_shown_stay_when_the_box_grows),
		cmocka_unit_test(the_race_has_every_run_before_a_blank_line),
		cmocka_unit_test(models_that_are_seen_together_lose_cores_then_bars_then_the_axis),
		cmocka_unit_test(bands_and_tasks_alive_fill_the_lines_alike_in_every_model),
		cmocka_unit_test(the_timeline_has_its_panel_at_the_side_below_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
