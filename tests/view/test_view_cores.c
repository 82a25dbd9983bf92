/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>
#include <string.h>

#include "stage/golden.h"
#include "stage/stage.h"
#include "view/view_cache.h"

/* Tests of the load of CPUs, for machines that are not available here. */

struct machine_of {
	const char *name;
	uint32_t cores, workers, busy;
	const char *topology, *online, *allowed;
};

static const struct machine_of machines[] = {
	{"1", 1, 8, 1, "hwloc;0.0 0", "0", NULL},
	{"4", 4, 8, 4, "hwloc;0.0 0-3", "0-3", NULL},
	{"16-smt", 16, 16, 8, "hwloc;0.0 0-7|8-15", "0-15", NULL},
	{"64", 64, 64, 33, "hwloc;0.0 0-31;1.1 32-63", "0-63", NULL},
	{"128", 128, 128, 65, "hwloc;0.0 0-31|64-95;1.1 32-63|96-127", "0-127", NULL},
	{"odd", 32, 32, 9, "hwloc;0.0 0-14:2|32-46:2;1.1 16-30:2|48-62:2", "0-62:2", NULL},
	{"cpuset", 32, 8, 4, "hwloc;0.0 0-15;0.1 16-31", "0-31", "0-3,16-19"},
	{"hybrid", 12, 8, 8, "hwloc;0.0.1 0-6:2|1-7:2;0.0.0 8-11", "0-11", NULL},
	{"unknown", 96, 96, 1, NULL, "0-95", NULL},
};

enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void open_on(struct stage *stage, const struct machine_of *machine)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.cores = machine->cores;
	session.busy = machine->busy;
	session.topology = machine->topology;
	session.online = machine->online;
	session.allowed = machine->allowed;
	for (uint32_t i = 0; i < session.cases; i++) {
		session.list[i].plan.fanout[0] = machine->workers;
		session.list[i].plan.leaves[WORK_CPU] = machine->workers - 2;
	}
	session.slices = session.wakes = true;
	stage_open(stage, &session);
	model_seek(&stage->model, stage->model.runs[1].begin_ns + 2 * INT64_C(1000000000));
	stage->view.state.cores = true; /* key k: the load of the cores above the race */
}

static const struct machine_of *machine(const char *name)
{
	for (int i = 0; i < MACHINES; i++)
		if (strcmp(machines[i].name, name) == 0)
			return &machines[i];
	fail_msg("no machine %s", name);
	return NULL;
}

static void assert_screen(struct stage *stage, const char *view, const char *name, int w, int h)
{
	char golden[64];

	snprintf(golden, sizeof(golden), "%s-%s-%dx%d", view, name, w, h);
	golden_assert(golden, stage_draw(stage, w, h));
}

static void machines_of_all_kinds_read_as_agreed(void **state)
{
	for (int i = 0; i < MACHINES; i++) {
		struct stage stage;

		open_on(&stage, &machines[i]);
		assert_screen(&stage, "cores", machines[i].name, 120, 36);
		assert_screen(&stage, "cores", machines[i].name, 80, 24);
		if (machines[i].cores == 128)
			assert_screen(&stage, "cores", machines[i].name, 64, 20);
		stage_close(&stage);
	}
}

static void draw_all(struct stage *stage, int w, int h)
{
	static const int keys[] = {'1', '2', 'k', 'k', '1', 0};

	stage_press(stage, keys, w, h);
}

static void machines_of_all_kinds_draw_at_every_size(void **state)
{
	for (int i = 0; i < MACHINES; i++) {
		struct stage stage;

		open_on(&stage, &machines[i]);
		stage_each_size(&stage, draw_all);
		stage_close(&stage);
	}
}

/* Counts the full cells of a line from a text to the box's edge. */
static int full_cells(const struct stage *stage, const char *text)
{
	const struct cell *cell = stage_find(stage, text);
	int n = 0;

	assert_non_null(cell);
	for (; cell->glyph != 0x2502; cell++)
		n += cell->glyph >= 0x2586 && cell->glyph <= 0x2588;
	return n;
}

static void one_busy_cpu_of_many_is_seen_over_time(void **state)
{
	struct stage stage;

	open_on(&stage, machine("unknown"));
	stage_draw(&stage, 120, 36);
	assert_int_equal(full_cells(&stage, "mean   2 %"), 0);
	assert_in_range(full_cells(&stage, "most  9"), 3, 60);
	stage_draw(&stage, 80, 24);
	assert_int_equal(full_cells(&stage, "mean   2 %"), 0);
	assert_in_range(full_cells(&stage, "most  9"), 3, 60);
	stage_close(&stage);
}

static void a_column_of_a_day_is_not_in_seconds(void **state)
{
	static const int64_t hour_ns = 3600 * INT64_C(1000000000);
	struct stage stage;

	open_on(&stage, machine("4"));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, " s, one core = 100 %"));
	stage.model.newest_ns = 26 * hour_ns;
	model_seek(&stage.model, 26 * hour_ns);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "one column 2:46:40 h, one core = 100 %"));
	stage_close(&stage);
}

/* A CPU that appeared later has no place, and makes no package, node or kind. */
static void a_cpu_of_unknown_place_makes_no_package(void **state)
{
	const struct machine_of late[] = {
		{"packages", 8, 8, 8, "hwloc;0.0 0-2;1.1 4-7", "0-7", NULL},
		{"kinds", 8, 8, 8, "hwloc;0.0.1 0-2;0.0.0 4-7", "0-7", NULL},
		{"none", 8, 8, 8, "hwloc;0.0 0-2,4-7", "0-7", NULL},
	};
	static const char *const says[] = {"cores 8 of 8 in 2 packages ",
					   "cores 8 of 8, 3 P and 4 E ", "cores 8 of 8 "};

	for (int i = 0; i < 3; i++) {
		struct stage stage;

		open_on(&stage, &late[i]);
		stage_draw(&stage, 120, 36);
		if (!stage_shows(&stage, says[i]))
			print_message("%s: %s\n", late[i].name, says[i]);
		assert_true(stage_shows(&stage, says[i]));
		assert_false(stage_shows(&stage, "nodes"));
		stage_close(&stage);
	}
}

/* No tick has the slow CPUs that the machine has, so no two kinds are reported. */
static void kinds_that_no_tick_has_are_not_counted(void **state)
{
	const struct machine_of fast = {"fast", 4, 4, 8, "hwloc;0.0.1 0-3;0.0.0 4-7", "0-7", NULL};
	struct stage stage;

	open_on(&stage, &fast);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "cores 4 of 4 "));
	assert_false(stage_shows(&stage, " P and "));
	stage_close(&stage);
}

static void strips_have_the_kernels_numbers(void **state)
{
	struct stage stage;

	open_on(&stage, machine("odd"));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "package 0 0-14:2 "));
	assert_true(stage_shows(&stage, " 48-62:2 "));
	assert_true(stage_shows(&stage, " a core: 0+32 2+34 … 30+62 "));
	assert_false(stage_shows(&stage, "0-7"));
	stage_close(&stage);
	open_on(&stage, machine("128"));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "pkg 1   32-63 "));
	assert_true(stage_shows(&stage, " 96-127 "));
	stage_close(&stage);
}

/* The lower of two lines has the second thread of the core above. */
static void threads_of_a_core_stand_below_one_another(void **state)
{
	struct stage stage;
	const struct cell *first, *second;

	open_on(&stage, machine("128"));
	stage_draw(&stage, 120, 36);
	first = stage_find(&stage, "0-31 ");
	second = stage_find(&stage, "64-95 ");
	assert_non_null(first);
	assert_ptr_equal(second, first + stage.canvas.width);
	/* CPUs 0 to 64 are busy: all of the first line, and the first of the second */
	assert_int_not_equal(first[10].glyph, 0xb7);
	assert_int_not_equal(first[11].glyph, 0xb7);
	assert_int_not_equal(second[10].glyph, 0xb7);
	assert_int_equal(second[11].glyph, 0xb7);
	stage_close(&stage);
}

static void allowed_cpus_are_distinguished_from_others(void **state)
{
	struct stage stage;

	open_on(&stage, machine("cpuset"));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "cores 8 of 32, 2 nodes"));
	assert_true(stage_shows(&stage, " may use CPU 0-3,16-19 "));
	stage_close(&stage);
	open_on(&stage, machine("4"));
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "may use"));
	stage_close(&stage);
}

static void fast_and_slow_cores_are_distinguished(void **state)
{
	struct stage stage;

	open_on(&stage, machine("hybrid"));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "cores 8, 4 P and 4 E, CPUs 12 of 12"));
	assert_true(stage_shows(&stage, "  P7 "));
	assert_true(stage_shows(&stage, " E11 "));
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "P cores 0-6:2"));
	assert_true(stage_shows(&stage, "E cores 8-11"));
	stage_close(&stage);
}

/* A strip's history uses the legend's glyphs with the legend's meaning; no shade means a load. */
static void shades_mean_what_the_legend_says(void **state)
{
	struct stage stage;
	const struct cell *cell;

	open_on(&stage, machine("64"));
	for (size_t i = 0; i < stage.model.n_loads * stage.model.n_cores; i++) {
		stage.model.cores[i].user = 500;
		stage.model.cores[i].system = stage.model.cores[i].steal = 0;
		stage.model.cores[i].iowait = 0;
	}
	stage_draw(&stage, 120, 36);
	for (int i = 0; i < 36 * 120; i++) {
		uint32_t glyph = stage.canvas.cells[i].glyph;

		assert_false(glyph >= 0x2591 && glyph <= 0x2593);
	}
	for (size_t i = 0; i < stage.model.n_loads * stage.model.n_cores; i++) {
		stage.model.cores[i].user = 0;
		stage.model.cores[i].system = 1000;
	}
	view_cache_free(stage.view.cache);
	stage.view.cache = NULL;
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "mean 100 %");
	assert_non_null(cell);
	/* time begins on the left, so the newest column is the last that is not blank */
	while (cell->glyph != 0x2502)
		cell++;
	do
		cell--;
	while (cell->glyph == ' ' || cell->glyph == 0);
	assert_int_equal(cell->glyph, 0x2588);
	assert_int_equal(cell->style.fg, COLOUR_SYSTEM);
	stage_close(&stage);
}

/* Every CPU with load has a lane with the kernel's number, which skips some on this machine. */
static void lanes_have_the_kernels_numbers(void **state)
{
	struct stage stage;

	open_on(&stage, machine("odd"));
	stage_draw(&stage, 120, 60);
	stage_key(&stage, '2');
	stage_draw(&stage, 120, 60);
	stage_key(&stage, 'k');
	stage_draw(&stage, 120, 60);
	assert_true(stage_shows(&stage, "core 0 "));
	assert_true(stage_shows(&stage, "core 2 "));
	assert_false(stage_shows(&stage, "core 1 "));
	assert_false(stage_shows(&stage, "core 31 "));
	assert_true(stage_shows(&stage, "core 62 "));
	stage_close(&stage);
}

static void an_idle_cpu_has_a_lane(void **state)
{
	struct machine_of few = *machine("odd");
	struct stage stage;

	few.workers = 4;
	open_on(&stage, &few);
	stage_draw(&stage, 120, 60);
	stage_key(&stage, '2');
	stage_draw(&stage, 120, 60);
	stage_key(&stage, 'k');
	stage_draw(&stage, 120, 60);
	assert_true(stage_shows(&stage, "core 60 "));
	stage_close(&stage);
}

/* Details of a worker on CPUs above the number of bits in a word. */
static void details_know_every_cpu(void **state)
{
	struct machine_of high = *machine("4");
	struct stage stage;

	high.topology = "hwloc;0.0 96-98:2|97-99:2";
	high.online = "96-99";
	open_on(&stage, &high);
	stage_draw(&stage, 120, 36);
	stage_type(&stage, "2");
	assert_true(stage_shows(&stage, "  96 97 "));
	assert_true(stage_shows(&stage, " 97: core 96+97 "));
	stage_close(&stage);
}

/* Rows of ten workers each: the kind and the numbers are shown. */
static void rows_of_many_tell_their_kind_and_how_many_they_are(void **state)
{
	static const int sizes[][2] = {{120, 36}, {80, 24}};
	struct stage stage;

	open_on(&stage, machine("128"));
	for (int i = 0; i < 2; i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_true(stage_shows(&stage, "▸w1–10 "));
		assert_true(stage_shows(&stage, "▸w11–20 "));
		assert_false(stage_shows(&stage, "▸…"));
		assert_true(stage_shows(&stage, "A row is 10 workers, "));
		assert_false(stage_shows(&stage, "One bar per worker"));
	}
	stage_close(&stage);
	open_on(&stage, machine("16-smt"));
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "█ on a core  ▄ in part  ─ waits for one  ┈ blocked"));
	assert_false(stage_shows(&stage, "A row is"));
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_of_all_kinds_read_as_agreed),
		cmocka_unit_test(machines_of_all_kinds_draw_at_every_size),
		cmocka_unit_test(a_column_of_a_day_is_not_in_seconds),
		cmocka_unit_test(one_busy_cpu_of_many_is_seen_over_time),
		cmocka_unit_test(a_cpu_of_unknown_place_makes_no_package),
		cmocka_unit_test(kinds_that_no_tick_has_are_not_counted),
		cmocka_unit_test(strips_have_the_kernels_numbers),
		cmocka_unit_test(threads_of_a_core_stand_below_one_another),
		cmocka_unit_test(allowed_cpus_are_distinguished_from_others),
		cmocka_unit_test(fast_and_slow_cores_are_distinguished),
		cmocka_unit_test(shades_mean_what_the_legend_says),
		cmocka_unit_test(lanes_have_the_kernels_numbers),
		cmocka_unit_test(an_idle_cpu_has_a_lane),
		cmocka_unit_test(details_know_every_cpu),
		cmocka_unit_test(rows_of_many_tell_their_kind_and_how_many_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
