/* SPDX-License-Identifier: MIT */
#include "draw/key.h"
#include "stage/check.h"

#include <string.h>

#include "result/table.h"
#include "stage/golden.h"
#include "stage/stage.h"

/* Goldens of the Memory view. */

static void memory_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '3'));
	golden_assert("memory-120x36", stage_draw(&stage, 120, 36));
	golden_assert("memory-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

static void unknown_memory_is_a_question_mark_and_no_area(void **state)
{
	const struct sample_memory unknown = sample_memory_unknown();
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		stage.model.runs[i].totals.memory = unknown;
		stage.model.runs[i].totals.minflt = -1;
		for (size_t j = 0; j < stage.model.runs[i].n_points; j++)
			stage.model.runs[i].points[j].memory = unknown;
	}
	stage.model.session.machine.mhz = -1;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "? MHz"));
	assert_null(strstr(stage.text, "⣿"));
	assert_null(strstr(stage.text, " 0 KiB"));
	stage_key(&stage, '4');
	assert_null(strstr(stage_draw(&stage, 120, 36), " 0 KiB"));
	stage_close(&stage);
}

/* Draws without cached values. */
static void draw_afresh(struct stage *stage, int w, int h)
{
	synthetic_changed(&stage->model);
	view_free(&stage->view);
	view_look(&stage->view.state, &(struct view_looks) {.view = 3});
	stage_draw(stage, w, h);
}

/*
 * Keeps only RSS and the kernel's memory, as if memory was sampled only while tasks were created.
 * all: keeps neither.
 */
static void forget_memory(struct model *model, bool all)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct sample_memory *memory = &model->runs[i].totals.memory;

		memory->pss_kb = memory->uss_kb = -1;
		if (all)
			memory->rss_kb = memory->kernel_kb = -1;
	}
	synthetic_changed(model);
}

/* A session whose workers are created one after the other, so that no memory is read. */
static void open_creating(struct stage *stage)
{
	struct synthetic session;

	synthetic_tree(&session, 6);
	for (uint32_t i = 0; i < session.cases; i++)
		session.list[i].plan =
			(struct plan) {.levels = 1, .fanout = {5000}, .tasks = 5000, .batch = 2};
	stage_open(stage, &session);
}

static void unknown_memory_has_its_reason_beside_it(void **state)
{
	struct stage stage;

	open_creating(&stage);
	forget_memory(&stage.model, false);
	assert_non_null(strstr(stage_draw(&stage, 44, 60), "PSS ? (creating)"));
	assert_non_null(strstr(stage_draw(&stage, 160, 60), "PSS ? not read while tasks are"));
	stage_key(&stage, '3');
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "PSS+kernel, PSS, USS ? not read"));
	/* memory that was read once or twice has a bar, but no curve */
	assert_true(stage_shows(&stage, "● ≥44 KiB"));
	assert_false(stage_shows(&stage, "run nearest the median"));
	forget_memory(&stage.model, true);
	draw_afresh(&stage, 80, 24);
	assert_true(stage_shows(&stage, "? the run was too short to read it"));
	assert_false(stage_shows(&stage, "USS"));
	stage_close(&stage);
	stage_mixed(&stage, 0);
	forget_memory(&stage.model, false);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "PSS ? the run was too short"));
	stage_close(&stage);
}

static void a_message_of_no_pss_is_known_by_its_kind_and_not_by_its_words(void **state)
{
	struct stage stage;

	open_creating(&stage);
	forget_memory(&stage.model, false);
	stage_tell(&stage, MESSAGE_OTHER, "no /proc/7/smaps_rollup");
	stage_draw(&stage, 160, 40);
	assert_true(stage_shows(&stage, "PSS ? not read while tasks are"));
	stage_tell(&stage, MESSAGE_NO_PSS, "the kernel keeps this to itself");
	stage_draw(&stage, 160, 40);
	assert_true(stage_shows(&stage, "PSS ? cannot be read"));
	stage_close(&stage);
}

static void unknown_memory_is_not_estimated(void **state)
{
	static const char pages[] = {'1', '3'};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct sample_memory *memory = &stage.model.runs[i].totals.memory;

		memory->estimated = true;
		memory->pss_kb = i % 2 == 0 ? -1 : memory->pss_kb;
	}
	for (size_t i = 0; i < 2; i++) {
		stage_key(&stage, pages[i]);
		stage_draw(&stage, 120, 36);
		assert_null(strstr(stage.text, "~?"));
	}
	assert_non_null(strchr(stage.text, '~'));
	stage_close(&stage);
}

static void set_kernel(struct model *model, bool estimated, int64_t other_kb)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		model->runs[i].totals.memory.kernel_estimated = estimated;
		model->runs[i].totals.memory.kernel_other_kb = other_kb;
	}
}

static void the_parts_of_the_kernel_s_share_are_named_and_an_estimate_is_marked(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '3');
	stage_draw(&stage, 160, 48);
	assert_true(
		stage_shows(&stage, "page tables 10 KiB, stacks 144 KiB, slab and other 10 KiB"));
	assert_null(strchr(stage.text, '~'));
	set_kernel(&stage.model, true, 10);
	stage_draw(&stage, 160, 48);
	assert_true(stage_shows(&stage, "stacks 144 KiB, slab and other ~10 KiB"));
	draw_afresh(&stage, 160, 48);
	assert_true(stage_shows(&stage, "● ≥~164 KiB"));
	set_kernel(&stage.model, false, -1);
	stage_draw(&stage, 160, 48);
	assert_true(stage_shows(&stage, "stacks 144 KiB, slab and other ?"));
	stage_close(&stage);
}

static void memory_read_before_the_work_is_not_shown_as_a_peak(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '3');
	stage_draw(&stage, 160, 48);
	/* The kernel's part is sampled. */
	assert_true(stage_shows(&stage, "≥164 KiB"));
	assert_false(stage_shows(&stage, "≥976 KiB"));
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.memory.pss_seen = SEEN_START;
	draw_afresh(&stage, 160, 48);
	assert_true(stage_shows(&stage, "read at the start"));
	stage_key(&stage, '4');
	stage_draw(&stage, 160, 120);
	assert_non_null(strstr(stage.text, "≥"));
	stage_close(&stage);
}

static void memory_of_a_program_with_children_is_not_known(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '3');
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		stage.model.runs[i].children = 1;
		stage.model.runs[i].processes = -1;
		stage.model.runs[i].totals.memory = sample_memory_unknown();
	}
	stage_draw(&stage, 160, 48);
	assert_true(stage_shows(&stage, "it has children or threads, which are not followed"));
	stage_close(&stage);
}

static void m_goes_round_the_measures_of_memory(void **state)
{
	static const char *const labels[] = {"Memory: RSS", "Memory: USS", "Memory: kernel",
					     "Memory: PSS"};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < 4; i++) {
		assert_true(stage_key(&stage, 'm'));
		assert_non_null(strstr(stage_draw(&stage, 180, 36), labels[i]));
	}
	stage_close(&stage);
}

static void memory_of_a_sweep_is_that_of_one_value_and_names_each_line(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_hello, 0);
	stage.view.state.view = 3;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, " size=10 ─╮\n"));
	assert_non_null(strstr(stage.text, "● threads  ■ processes  ▲ hybrid:2x4 "));
	assert_null(strstr(stage.text, "threads size="));
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "threads "));
	assert_non_null(strstr(stage.text, "hybrid:2x4 "));
	stage_close(&stage);
}

/* c goes on to the next value, whose models are shown together even if others are between them. */
static void c_shows_the_memory_of_the_next_value(void **state)
{
	struct stage stage;
	struct sample_case moved;
	int tens = 0;

	stage_sweep(&stage, synthetic_hello, 0);
	moved = stage.model.cases[1];
	stage.model.cases[1] = stage.model.cases[3];
	stage.model.cases[3] = moved;
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		uint32_t *id = &stage.model.runs[i].id.case_id;

		if (*id == 1 || *id == 3)
			*id = 4 - *id;
	}
	synthetic_changed(&stage.model);
	stage.view.state.view = 3;
	for (int i = 0; i < 11; i++) {
		stage_draw(&stage, 120, 36);
		assert_true(stage_shows(&stage, "c Values"));
		assert_true(stage_shows(&stage, "● threads"));
		assert_true(stage_shows(&stage, "■ processes"));
		assert_true(stage_shows(&stage, "▲ hybrid:2x4"));
		tens += stage_shows(&stage, " size=10 ─╮\n");
		assert_true(stage_key(&stage, 'c'));
	}
	/* Each of the 11 values was shown. */
	assert_int_equal(tens, 1);
	stage_close(&stage);
}

/* Every cell of the table; also in each measure of the plots. */
static void the_bars_of_memory_have_the_medians_of_the_results(void **state)
{
	struct table table;
	char text[TABLE_TEXT];
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '3');
	stage_draw(&stage, 120, 36);
	assert_int_equal(table_build(&stage.model, TABLE_MEMORY, &table), 0);
	assert_int_equal(table.n_columns, 6);
	for (size_t row = 0; row < table_rows(&table); row++)
		for (size_t column = 1; column < table.n_columns; column++)
			assert_true(stage_shows(&stage, table_text(&table, row, column, "", text)));
	table_free(&table);
	stage_close(&stage);
}

static void the_first_run_shows_its_memory_while_it_goes_on(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 1);
	stage_key(&stage, '3');
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "median peak so far"));
	assert_true(stage_shows(&stage, "this run"));
	assert_true(stage_shows(&stage, "PSS+kernel, the newest run"));
	stage_close(&stage);
}

static void lines_of_the_same_memory_do_not_hide_each_other(void **state)
{
	uint32_t cells[2] = {0, 0};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		for (size_t j = 0; j < stage.model.runs[i].n_points; j++)
			stage.model.runs[i].points[j].memory.rss_kb = 4000;
	stage_type(&stage, "3mm");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "RSS, run nearest the median"));
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++) {
		const struct cell *cell = &stage.canvas.cells[i];
		bool line = cell->glyph > 0x2800 && cell->glyph <= 0x28ff;

		for (int hue = 0; hue < 2; hue++)
			cells[hue] += line && cell->style.fg == COLOUR_MODEL0 + hue;
	}
	assert_in_range(cells[0], 10, 60);
	assert_in_range(cells[1], 10, 60);
	stage_close(&stage);
}

static void all_measures_of_memory_are_reached_on_a_small_screen(void **state)
{
	static const char *const shown[] = {"PSS+kernel", "RSS", "USS", "PSS+kernel, run nearest"};
	bool seen[4] = {false};
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '3');
	for (int i = 0; i < 8; i++) {
		stage_draw(&stage, 40, 14);
		for (size_t j = 0; j < 4; j++)
			seen[j] |= stage_shows(&stage, shown[j]);
		stage_press(&stage, (const int[]) {KEY_DOWN_ARROW, 0}, 40, 14);
	}
	for (size_t j = 0; j < 4; j++)
		assert_true(seen[j]);
	stage_close(&stage);
}

/* What a write after a fork costs is not in the peaks: these are read before it. */
static void copied_memory_is_beside_the_peaks(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	stage_type(&stage, "3");
	assert_false(stage_shows(&stage, "copied"));
	stage_close(&stage);
	stage_mixed(&stage, 0);
	for (uint32_t i = 0; i < 2; i++) {
		memset(stage.model.cases[i].plan.leaves, 0,
		       sizeof(stage.model.cases[i].plan.leaves));
		stage.model.cases[i].plan.leaves[WORK_TOUCH] = 1;
	}
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.copied_kb = stage.model.runs[i].id.case_id * 6554;
	synthetic_changed(&stage.model);
	stage_type(&stage, "3");
	assert_true(stage_shows(&stage, "copied"));
	assert_true(stage_shows(&stage, "6.4 MiB"));
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_reads_as_agreed),
		cmocka_unit_test(unknown_memory_is_a_question_mark_and_no_area),
		cmocka_unit_test(unknown_memory_has_its_reason_beside_it),
		cmocka_unit_test(a_message_of_no_pss_is_known_by_its_kind_and_not_by_its_words),
		cmocka_unit_test(unknown_memory_is_not_estimated),
		cmocka_unit_test(
			the_parts_of_the_kernel_s_share_are_named_and_an_estimate_is_marked),
		cmocka_unit_test(memory_read_before_the_work_is_not_shown_as_a_peak),
		cmocka_unit_test(memory_of_a_program_with_children_is_not_known),
		cmocka_unit_test(m_goes_round_the_measures_of_memory),
		cmocka_unit_test(memory_of_a_sweep_is_that_of_one_value_and_names_each_line),
		cmocka_unit_test(c_shows_the_memory_of_the_next_value),
		cmocka_unit_test(the_bars_of_memory_have_the_medians_of_the_results),
		cmocka_unit_test(the_first_run_shows_its_memory_while_it_goes_on),
		cmocka_unit_test(lines_of_the_same_memory_do_not_hide_each_other),
		cmocka_unit_test(all_measures_of_memory_are_reached_on_a_small_screen),
		cmocka_unit_test(copied_memory_is_beside_the_peaks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
