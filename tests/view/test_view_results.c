/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_private.h"
#include "stage/golden.h"
#include "stage/stage.h"
#include "view/view_cache.h"

/* Goldens of the Results view. */

static void results_read_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '4'));
	golden_assert("results-120x36", stage_draw(&stage, 120, 36));
	golden_assert("results-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

static void results_before_the_first_run_have_their_sections(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 1e-9);
	stage.view.state.view = 4;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "no run yet"));
	assert_non_null(strstr(stage.text, "─ memory at its peak ─"));
	assert_non_null(strstr(stage.text, "─ all runs ─"));
	stage_close(&stage);
}

/* Checks whether the line with one text also has the other. */
static void assert_line(const struct stage *stage, const char *with, const char *text, bool holds)
{
	const char *at = strstr(stage->text, with);
	char *line;

	assert_non_null(at);
	line = strndup(at, strcspn(at, "\n"));
	assert_int_equal(strstr(line, text) != NULL, holds);
	free(line);
}

static void results_of_a_sweep_compare_and_list_what_belongs_together(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage.view.state.view = 4;
	stage_draw(&stage, 120, 60);
	assert_int_equal(stage.view.cache->n_compared, 7);
	assert_non_null(strstr(stage.text, "processes / threads workers=8  "));
	assert_null(strstr(stage.text, "threads workers=3 / threads workers=2"));
	assert_non_null(strstr(stage.text, " ▾ "));
	stage_draw(&stage, 120, 400);
	assert_non_null(strstr(stage.text, "─ how it scales ─"));
	assert_non_null(strstr(stage.text, "─ median elapsed ─"));
	assert_non_null(strstr(stage.text, "fastest, or how close"));
	assert_null(strstr(stage.text, " ▾ "));
	/*
	 * the single runs and the pivot have no other heading, because their values are not medians
	 */
	assert_line(&stage, "─ memory at its peak ─", "─ medians ─", true);
	assert_line(&stage, "─ all runs ─", "─ medians ─", false);
	assert_line(&stage, "─ median elapsed ─", "─ medians ─", false);
	stage_close(&stage);
}

static void what_is_left_is_on_the_edge_of_a_box_or_in_a_row_of_its_own(void **state)
{
	struct stage stage;
	int titles = 0, own = 0;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '4'));
	for (int height = 14; height <= 60; height++) {
		const char *text = stage_draw(&stage, 120, height), *at = strstr(text, " ▾ ");
		const char *line = at;

		if (!at)
			continue;
		while (line > text && line[-1] != '\n')
			line--;
		/* The edge of a box with its title stays; a row inside the box does not. */
		titles += strncmp(line, "╭─ ", strlen("╭─ ")) == 0;
		own += line + strspn(line, " ") >= at;
		assert_true(line + strspn(line, " ") >= at || strncmp(line, "╭─", 6) == 0 ||
			    strncmp(line, "╰─", 6) == 0);
	}
	assert_true(titles > 0 && own > 0);
	stage_close(&stage);
}

/* Names like those of long commands, which differ only at their ends. */
static void long_names_of_a_pair_differ_in_any_width(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	for (uint32_t i = 0; i < 2; i++)
		snprintf(stage.model.cases[i].model, sizeof(stage.model.cases[i].model),
			 "true /tmp/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/%s",
			 i == 0 ? "one" : "two");
	for (int width = 64; width <= 200; width++) {
		const char *at;
		int pairs = 0;

		stage.view.state.view = 4;
		at = stage_draw(&stage, width, 300);
		while ((at = strstr(at, "two / "))) {
			pairs++;
			at++;
		}
		assert_in_range(pairs, 1, 100);
		assert_line(&stage, "two / ", "…", false); /* the result is shown completely */
		stage.view.state.view = 1;
		stage_draw(&stage, width, 24);
		assert_null(strstr(stage.text, "xSAME"));
	}
	stage_close(&stage);
}

static void a_column_is_as_wide_as_its_title(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.view = 4;
	stage_draw(&stage, 200, 50);
	assert_non_null(strstr(stage.text, "   written  read to check  from disks "));
	stage_close(&stage);
}

static void the_pair_of_a_real_difference_is_named_in_any_width(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.view = 4;
	for (int width = 64; width <= 120; width++) {
		const char *why;

		stage_draw(&stage, width, 300);
		why = strstr(stage.text, "─ why ─");
		assert_non_null(why);
		assert_non_null(strstr(why, "real?"));
		assert_non_null(strstr(why, " processes - threads "));
	}
	stage_close(&stage);
}

/* The sign of a page break, ▾, is on a box's edge or alone in its row. */
static void a_page_break_cuts_no_row(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.view = 4;
	for (int height = 20; height < 40; height++) {
		const char *mark, *line;

		stage_draw(&stage, 80, height);
		mark = line = strstr(stage.text, " ▾ ");
		if (!mark)
			continue;
		while (line[-1] != '\n')
			line--;
		if (strncmp(line, "╰", 3) != 0 && strncmp(line, "╭", 3) != 0)
			assert_int_equal(strspn(line, " "), mark + 1 - line);
	}
	stage_close(&stage);
}

/* Cached results equal those of a first frame. */
static void results_at_any_time_are_those_of_a_first_look(void **state)
{
	struct stage stage;
	int64_t newest_ns;

	stage_mixed(&stage, 0);
	newest_ns = stage.model.newest_ns;
	for (int i = 0; i < 360; i++) {
		int64_t now_ns = newest_ns / 97 * ((i * 41) % 97);
		char *kept;

		stage.view.state.view = 1 + i % 4;
		model_seek(&stage.model, now_ns);
		kept = strdup(stage_draw(&stage, 120, 80));
		assert_non_null(kept);
		view_cache_free(stage.view.cache);
		stage.view.cache = NULL;
		assert_string_equal(stage_draw(&stage, 120, 80), kept);
		free(kept);
	}
	stage_close(&stage);
}

/*
 * The Results page has the reason; the box of a worker says "see Results" in the place of its
 * counters.
 */
static void missing_counters_have_their_reason_on_the_screen(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	strcpy(stage.model.session.counters, "this machine shows none");
	stage.view.state.view = 4;
	stage_draw(&stage, 120, 80);
	assert_non_null(strstr(stage.text, "─ counters ─"));
	assert_non_null(strstr(stage.text, "misses (this machine shows none)."));
	assert_null(strstr(stage.text, " per cycle  "));
	stage.view.state.view = 2;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "│ cycles             ? see Results │"));
	stage_close(&stage);
}

static void counters_are_on_the_screen(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 2);
	session.counters = true;
	stage_open(&stage, &session);
	stage.view.state.view = 4;
	stage_draw(&stage, 120, 80);
	assert_non_null(strstr(stage.text, "  13.7 G        26.9 G        1.96 "));
	assert_null(strstr(stage.text, "Not known: "));
	stage.view.state.view = 2;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "│ per cycle                   2.00 │"));
	stage_close(&stage);
}

/* Results has the tasks of programs, as report and page do, and what they waited for. */
static void the_tasks_of_programs_are_among_the_results(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		struct model_run *run = &stage.model.runs[i];

		run->tasks = calloc(1, sizeof(*run->tasks));
		assert_non_null(run->tasks);
		run->n_tasks = run->cap_tasks = 1;
		run->tasks[0].known = (struct sample_task) {.index = run->n_workers,
							    .parent = -1,
							    .pid = 7,
							    .tid = 7,
							    .end_ns = 1000000,
							    .cpu_ns = 500000,
							    .exit_status = 3,
							    .name = "sort"};
	}
	stage.view.state.view = 4;
	stage_draw(&stage, 120, 90);
	assert_non_null(strstr(stage.text, "─ tasks of programs ─"));
	assert_line(&stage, "begun     lived", "most on", true);
	/* A narrow screen has no room for all columns, and shows the most telling ones. */
	stage_draw(&stage, 80, 90);
	assert_line(&stage, "lived", "most on", true);
	assert_line(&stage, "lived", "begun", false);
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_read_as_agreed),
		cmocka_unit_test(results_before_the_first_run_have_their_sections),
		cmocka_unit_test(results_of_a_sweep_compare_and_list_what_belongs_together),
		cmocka_unit_test(what_is_left_is_on_the_edge_of_a_box_or_in_a_row_of_its_own),
		cmocka_unit_test(long_names_of_a_pair_differ_in_any_width),
		cmocka_unit_test(a_column_is_as_wide_as_its_title),
		cmocka_unit_test(the_pair_of_a_real_difference_is_named_in_any_width),
		cmocka_unit_test(a_page_break_cuts_no_row),
		cmocka_unit_test(missing_counters_have_their_reason_on_the_screen),
		cmocka_unit_test(counters_are_on_the_screen),
		cmocka_unit_test(the_tasks_of_programs_are_among_the_results),
		cmocka_unit_test(results_at_any_time_are_those_of_a_first_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
