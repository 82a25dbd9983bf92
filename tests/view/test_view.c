/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/layout.h"
#include "stage/synthetic.h"
#include "view/view.h"

#define SECOND INT64_C(1000000000)

/* A model, a cursor and what was drawn of it. */
struct stage {
	struct model model;
	struct view_state view;
	struct canvas canvas;
	char *text;
};

static void stage_open(struct stage *stage, const struct synthetic *session)
{
	*stage = (struct stage) {0};
	synthetic_model(session, &stage->model);
	view_state_init(&stage->view);
	stage->view.live = true;
	stage->view.log_name = "/var/tmp/lecture.csv";
}

static void stage_close(struct stage *stage)
{
	view_state_free(&stage->view);
	model_free(&stage->model);
	canvas_free(&stage->canvas);
	free(stage->text);
}

static const char *stage_draw(struct stage *stage, int width, int height)
{
	assert_int_equal(canvas_resize(&stage->canvas, width, height), 0);
	view_draw(&stage->canvas, &stage->model, &stage->view);
	free(stage->text);
	stage->text = canvas_to_text(&stage->canvas);
	assert_non_null(stage->text);
	return stage->text;
}

static bool stage_key(struct stage *stage, int key)
{
	return view_key(&stage->view, &stage->model, key);
}

/* 6 cpu + 2 io, six trials, up to stop_s; 0: all of it. */
static void stage_mixed(struct stage *stage, double stop_s)
{
	struct synthetic session;

	synthetic_mixed(&session, 6);
	if (stop_s > 0)
		session.stop_ns = (int64_t)(stop_s * 1e9);
	stage_open(stage, &session);
}

static void stage_tree(struct stage *stage)
{
	struct synthetic session;

	synthetic_tree(&session, 6);
	stage_open(stage, &session);
}

static void stage_sweep(struct stage *stage,
			void (*make)(struct synthetic *session, uint32_t trials), double stop_s)
{
	struct synthetic session;

	make(&session, 6);
	if (stop_s > 0)
		session.stop_ns = (int64_t)(stop_s * 1e9);
	stage_open(stage, &session);
}

/* Where a text begins in the n cells; NULL where it does not stand there. */
static const struct cell *find_text(const struct cell *cells, int n, const char *text)
{
	int length = (int)strlen(text);

	for (int i = 0; i + length <= n; i++) {
		int same = 0;

		while (same < length && (cells[i + same].glyph ? cells[i + same].glyph : ' ') ==
						(uint32_t)text[same])
			same++;
		if (same == length)
			return &cells[i];
	}
	return NULL;
}

static const struct cell *stage_find(const struct stage *stage, const char *text)
{
	return find_text(stage->canvas.cells, stage->canvas.width * stage->canvas.height, text);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* With TUIBENCH_GOLDEN=write in the environment, the texts are written instead of compared. */
static void assert_golden(const char *name, const char *text)
{
	const char *mode = getenv("TUIBENCH_GOLDEN");
	char path[512], *golden;

	snprintf(path, sizeof(path), "%s/golden/%s.txt", TEST_DATA, name);
	if (mode && !strcmp(mode, "write")) {
		write_file(path, text);
		return;
	}
	golden = read_file(path);
	assert_non_null(golden);
	assert_string_equal(text, golden);
	free(golden);
}

static void the_overview_at_the_end_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_golden("overview-120x36", stage_draw(&stage, 120, 36));
	assert_golden("overview-80x24", stage_draw(&stage, 80, 24));
	assert_golden("overview-60x20", stage_draw(&stage, 60, 20));
	assert_golden("overview-40x12", stage_draw(&stage, 40, 12));
	stage_close(&stage);
}

static void the_overview_reads_as_agreed_while_it_runs(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	assert_golden("running-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

static void the_overview_of_a_tree_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	assert_golden("tree-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

static void the_overview_in_ascii_reads_as_agreed(void **state)
{
	struct stage stage;
	char *text;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 80, 24);
	canvas_to_ascii(&stage.canvas);
	text = canvas_to_text(&stage.canvas);
	assert_golden("ascii-80x24", text);
	free(text);
	stage_close(&stage);
}

static void a_warning_is_marked_and_stands_with_the_messages(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.others = 230;
	stage_open(&stage, &session);
	assert_golden("warned-120x36", stage_draw(&stage, 120, 36));
	assert_golden("warned-80x24", stage_draw(&stage, 80, 24));
	assert_true(stage_key(&stage, '6'));
	assert_golden("warnings-120x36", stage_draw(&stage, 120, 36));
	assert_golden("warnings-80x24", stage_draw(&stage, 80, 24));
	model_seek(&stage.model, 1);
	assert_null(strstr(stage_draw(&stage, 120, 36), "other programs"));
	stage_close(&stage);
}

static void the_other_views_read_as_agreed(void **state)
{
	static const struct {
		int key;
		const char *wide, *narrow;
	} views[] = {{'3', "memory-120x36", "memory-80x24"},
		     {'4', "results-120x36", "results-80x24"},
		     {'6', "messages-120x36", "messages-80x24"}};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		assert_true(stage_key(&stage, views[i].key));
		assert_golden(views[i].wide, stage_draw(&stage, 120, 36));
		assert_golden(views[i].narrow, stage_draw(&stage, 80, 24));
	}
	stage_close(&stage);
}

static void the_curve_reads_as_agreed(void **state)
{
	static const struct {
		void (*make)(struct synthetic *session, uint32_t trials);
		double stop_s;
		const char *wide, *narrow;
	} curves[] = {
		{synthetic_scaling, 0, "curve-120x36", "curve-80x24"},
		{synthetic_scaling, 15, "curve-running-120x36", "curve-running-80x24"},
		{synthetic_hello, 0, "curve-three-120x36", "curve-three-80x24"},
		{synthetic_shapes, 0, "curve-trees-120x36", "curve-trees-80x24"},
	};

	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		struct stage stage;

		stage_sweep(&stage, curves[i].make, curves[i].stop_s);
		assert_true(stage_key(&stage, '5'));
		assert_golden(curves[i].wide, stage_draw(&stage, 120, 36));
		assert_golden(curves[i].narrow, stage_draw(&stage, 80, 24));
		stage_close(&stage);
	}
}

static void creation_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	assert_golden("creation-200x50", stage_draw(&stage, 200, 50));
	assert_golden("creation-120x36", stage_draw(&stage, 120, 36));
	assert_golden("creation-80x24", stage_draw(&stage, 80, 24));
	assert_golden("creation-40x12", stage_draw(&stage, 40, 12));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation, 1);
	assert_true(stage_key(&stage, '5'));
	assert_golden("creation-running-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

static void creation_shows_one_span_after_the_other(void **state)
{
	struct stage stage;
	char *text;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	text = strdup(stage_draw(&stage, 200, 50)); /* there is room for both */
	assert_non_null(text);
	assert_non_null(strstr(text, "caller"));
	assert_non_null(strstr(text, " task "));
	assert_non_null(strstr(text, "m Until when"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 50), "to the caller"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 50), "to the task"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 50), "until joined"));
	assert_true(stage_key(&stage, 'm'));
	assert_string_equal(stage_draw(&stage, 200, 50), text);
	free(text);
	/* and where there is none, no press of the key is in vain */
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "to the caller"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "to the task"));
	stage_close(&stage);
}

static void creation_plots_the_two_that_its_verdict_is_of(void **state)
{
	struct stage stage;
	const char *text;

	stage_sweep(&stage, synthetic_creation, 0);
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "With pthread_create"));
	assert_non_null(strstr(text, " fork faster"));
	assert_non_null(strstr(text, "pthread_create faster"));
	stage_close(&stage);
}

static void creation_scrolls_where_its_rows_do_not_fit(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	assert_null(strstr(stage_draw(&stage, 40, 12), "clone"));
	assert_true(stage_key(&stage, KEY_END_KEY));
	assert_non_null(strstr(stage_draw(&stage, 40, 12), "clone"));
	stage_close(&stage);
}

static void the_help_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '?'));
	assert_golden("help-120x60", stage_draw(&stage, 120, 60));
	stage_close(&stage);
}

/* Every size that is small, and steps that hit all remainders among the larger ones. */
static void each_size(struct stage *stage, void (*check)(struct stage *stage, int w, int h))
{
	for (int h = 1; h <= 16; h++)
		for (int w = 1; w <= 46; w++)
			check(stage, w, h);
	for (int h = 1; h <= 60; h += 5)
		for (int w = 47 + h % 11; w <= 200; w += 11)
			check(stage, w, h);
}

static void draw_all(struct stage *stage, int w, int h)
{
	static const int keys[] = {'1', '2', '3', '4', '6', '?', KEY_END_KEY, KEY_ESCAPE};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		stage_key(stage, keys[i]);
		assert_int_equal(canvas_resize(&stage->canvas, w, h), 0);
		view_draw(&stage->canvas, &stage->model, &stage->view);
		assert_true(stage->canvas.cells[0].glyph || stage->canvas.cells[w > 1].glyph);
	}
}

static void every_view_draws_at_every_size(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	each_size(&stage, draw_all);
	stage_close(&stage);
}

static void draw_curve(struct stage *stage, int w, int h)
{
	static const int keys[] = {'m', 'l', 'L', 'm', 'l', 'L', '?', '?'};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		stage_key(stage, keys[i]);
		assert_int_equal(canvas_resize(&stage->canvas, w, h), 0);
		view_draw(&stage->canvas, &stage->model, &stage->view);
		assert_true(stage->canvas.cells[0].glyph || stage->canvas.cells[w > 1].glyph);
	}
}

static void creation_draws_at_every_size(void **state)
{
	struct stage stage;

	for (int stop_s = 0; stop_s <= 2; stop_s++) {
		stage_sweep(&stage, synthetic_creation, stop_s);
		assert_true(stage_key(&stage, '5'));
		each_size(&stage, draw_curve);
		stage_close(&stage);
	}
}

static void every_curve_draws_at_every_size(void **state)
{
	static void (*const makes[])(struct synthetic * session, uint32_t trials) = {
		synthetic_scaling, synthetic_hello, synthetic_shapes};

	for (size_t i = 0; i < sizeof(makes) / sizeof(makes[0]); i++) {
		struct stage stage;

		stage_sweep(&stage, makes[i], i ? 8.5 : 0);
		assert_true(stage_key(&stage, '5'));
		each_size(&stage, draw_curve);
		stage_close(&stage);
	}
}

static void a_tree_on_many_cores_draws_at_every_size(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_tree(&session, 2);
	synthetic_add(&session, "hybrid:2x4", "", SECOND / 3);
	session.cores = 96;
	session.broken_run = 1;
	session.broken = SAMPLE_CRASHED;
	stage_open(&stage, &session);
	each_size(&stage, draw_all);
	stage_close(&stage);
}

static void check_sentence(struct stage *stage, int w, int h)
{
	if (w < LAYOUT_LEAST_W || h < LAYOUT_LEAST_H)
		return;
	for (int key = '1'; key <= '6'; key++) {
		stage_key(stage, key);
		stage_draw(stage, w, h);
		assert_non_null(stage_find(stage, "No difference"));
		assert_non_null(stage_find(stage, "faster"));
	}
}

static void the_sentence_is_whole_at_every_size_of_every_view(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	each_size(&stage, check_sentence);
	stage_close(&stage);
}

static void a_long_sentence_gets_fewer_words_instead_of_a_cut(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	for (size_t i = 2; i < 5; i++)
		synthetic_add(&session,
			      i == 2   ? "hybrid:2x4"
			      : i == 3 ? "hybrid:4x2"
				       : "hybrid",
			      "", (int64_t)i * 3 * SECOND);
	session.span_ns[0] = SECOND;
	session.span_ns[1] = 2 * SECOND;
	session.cases = 4;
	stage_open(&stage, &session);
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "Threads lead: "));
	assert_non_null(strstr(stage_draw(&stage, 40, 12), "Threads are"));
	assert_non_null(strstr(stage.text, "(real)."));
	assert_null(strstr(stage.text, "…"));
	stage_close(&stage);
}

static void a_session_that_has_not_begun_draws(void **state)
{
	struct stage stage = {0};

	model_init(&stage.model);
	view_state_init(&stage.view);
	each_size(&stage, draw_all);
	stage_close(&stage);
}

static void below_the_least_size_one_line_asks_for_room(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_string_equal(stage_draw(&stage, 60, 3),
			    "tuibench needs 40x12: please make the window larger\n\n\n");
	assert_string_equal(stage_draw(&stage, 20, 2), "tuibench needs 40x12\n\n");
	assert_string_equal(stage_draw(&stage, 5, 1), "40x12\n");
	assert_string_equal(stage_draw(&stage, 1, 1), "4\n");
	stage_close(&stage);
}

static void a_real_lead_is_a_band_in_the_leaders_hue(void **state)
{
	struct stage stage;
	const struct cell *cell;

	stage_tree(&stage);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "Threads are 29 % faster");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_MODEL0);
	assert_int_equal(cell->style.attr, ATTR_BOLD | ATTR_REVERSE);
	stage_close(&stage);
}

static void a_difference_that_is_not_real_gets_nobodys_hue(void **state)
{
	struct stage stage;
	const struct cell *cell;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "No difference found");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_TITLE);
	assert_int_equal(cell->style.attr, ATTR_BOLD);
	stage_close(&stage);
}

static void the_band_is_the_leaders_when_a_later_model_leads(void **state)
{
	struct synthetic session;
	struct stage stage;
	const struct cell *cell;

	synthetic_mixed(&session, 6);
	synthetic_add(&session, "hybrid:2x4", "", 2 * SECOND);
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "Hybrid:2x4 leads");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_MODEL2);
	assert_true(cell->style.attr & ATTR_REVERSE);
	stage_close(&stage);
}

static void the_verdicts_axis_is_of_the_fastest_and_the_runner_up(void **state)
{
	struct synthetic session;
	struct stage stage;
	const char *text;

	synthetic_mixed(&session, 6);
	session.span_ns[0] = 5 * SECOND;
	synthetic_add(&session, "hybrid:2x4", "", 2 * SECOND);
	stage_open(&stage, &session);
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "◂ hybrid:2x4 faster"));
	assert_non_null(strstr(text, "processes faster ▸"));
	assert_null(strstr(text, "threads faster"));
	stage_close(&stage);
}

static void the_verdicts_axis_of_a_sweep_is_of_the_value_being_measured(void **state)
{
	struct stage stage;
	const char *text;

	stage_sweep(&stage, synthetic_scaling, 0);
	for (size_t i = 0; i < stage.model.n_runs; i += 3) {
		uint32_t icase = stage.model.runs[i].id.icase;
		char at[SAMPLE_LABEL + 8];

		model_seek(&stage.model, stage.model.runs[i].begin_ns);
		snprintf(at, sizeof(at), "at %s ", stage.model.cases[icase].variables);
		text = stage_draw(&stage, 120, 36);
		assert_non_null(strstr(text, "◂ threads faster"));
		assert_non_null(strstr(text, at));
	}
	stage_close(&stage);
}

static void a_session_on_hold_says_how_to_start(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0.05);
	stage.view.hold = true;
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "Ready: Space starts the first run."));
	assert_non_null(strstr(stage.text, "waits for Space"));
	stage_close(&stage);
}

static void the_second_model_has_its_place_from_the_start(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 1.5);
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "waits for its turn"));
	assert_non_null(strstr(stage.text, "processes"));
	stage_close(&stage);
}

static void a_model_keeps_its_hue_and_another_name_gets_another(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	synthetic_add(&session, "threads#2", "", 3 * SECOND);
	stage_open(&stage, &session);
	stage_draw(&stage, 200, 40);
	assert_int_equal(stage_find(&stage, "threads")->style.fg, COLOUR_MODEL0);
	assert_int_equal(stage_find(&stage, "processes")->style.fg, COLOUR_MODEL1);
	assert_int_equal(stage_find(&stage, "threads#2")->style.fg, COLOUR_MODEL2);
	stage_close(&stage);
}

static void a_crashed_worker_stands_out_with_its_signal(void **state)
{
	struct synthetic session;
	struct stage stage;
	const struct cell *cell;

	synthetic_mixed(&session, 1);
	session.broken_run = 1;
	session.broken = SAMPLE_CRASHED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	cell = stage_find(&stage, "SIGSEGV");
	assert_non_null(cell);
	assert_int_equal(cell->style.fg, COLOUR_BAD);
	stage_close(&stage);
}

static void a_run_that_was_stopped_is_not_called_failed(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.broken_run = 1;
	session.broken = SAMPLE_INTERRUPTED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, "A run failed"));
	assert_non_null(strstr(stage.text, "A run was stopped before its end"));
	stage_close(&stage);
	session.broken = SAMPLE_FAILED;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "A run failed"));
	stage_close(&stage);
}

static void what_is_not_known_is_a_question_mark_and_no_area(void **state)
{
	static const struct sample_memory unknown = {-1, -1, -1, -1, false};
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

/* With RSS alone it was sampled, but only while tasks were created. */
static void forget_memory(struct model *model, bool all)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct sample_memory *memory = &model->runs[i].totals.memory;

		memory->pss_kb = memory->uss_kb = -1;
		if (all)
			memory->rss_kb = memory->kernel_kb = -1;
	}
}

static void what_is_not_known_says_why_where_it_stands(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	forget_memory(&stage.model, false);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "PSS ? (creating)"));
	assert_non_null(strstr(stage_draw(&stage, 160, 40), "PSS ? not read while tasks are"));
	stage_key(&stage, '3');
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "? not read while tasks are created"));
	forget_memory(&stage.model, true);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "? too short a run to read it"));
	stage_close(&stage);
	stage_mixed(&stage, 0);
	forget_memory(&stage.model, false);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "(too short)"));
	stage_close(&stage);
}

static void what_was_not_sampled_stays_a_gap(void **state)
{
	struct stage stage;
	struct model_run *run;
	int full;

	stage_mixed(&stage, 0);
	run = &stage.model.runs[stage.model.n_runs - 1];
	stage_draw(&stage, 120, 36);
	full = 0;
	for (const char *at = stage.text; (at = strstr(at, "⣿")); at++)
		full++;
	for (size_t i = run->n_points / 3; i < run->n_points * 2 / 3; i++)
		run->points[i].memory.pss_kb = -1;
	stage_draw(&stage, 120, 36);
	for (const char *at = stage.text; (at = strstr(at, "⣿")); at++)
		full--;
	assert_true(full > 10);
	stage_close(&stage);
}

static void what_is_not_known_is_no_estimate(void **state)
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

static void a_run_whose_workers_were_dropped_says_so(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	for (size_t i = 0; i < stage.model.n_runs; i++) {
		free(stage.model.runs[i].workers);
		stage.model.runs[i].workers = NULL;
	}
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "no longer kept"));
	stage_close(&stage);
}

static void many_cores_are_strips_with_their_numbers(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "0-15"));
	assert_non_null(strstr(stage.text, "48-63"));
	stage_close(&stage);
}

static void cores_have_their_place_before_the_first_tick(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	session.stop_ns = 1;
	stage_open(&stage, &session);
	assert_int_equal(stage.model.n_cores, 0);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "0-15     ? %"));
	assert_non_null(strstr(stage.text, "48-63    ? %"));
	each_size(&stage, draw_all);
	stage_close(&stage);
}

static void tab_visits_the_views_that_exist(void **state)
{
	static const enum view_id order[] = {VIEW_TIMELINE, VIEW_MEMORY, VIEW_RESULTS,
					     VIEW_MESSAGES, VIEW_OVERVIEW};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < 5; i++) {
		assert_true(stage_key(&stage, KEY_TAB));
		assert_int_equal(stage.view.view, order[i]);
	}
	assert_true(stage_key(&stage, KEY_BACK_TAB));
	assert_int_equal(stage.view.view, VIEW_MESSAGES);
	assert_true(stage_key(&stage, '4'));
	assert_int_equal(stage.view.view, VIEW_RESULTS);
	assert_false(stage_key(&stage, '5'));
	assert_false(stage_key(&stage, '7'));
	assert_int_equal(stage.view.view, VIEW_RESULTS);
	stage_close(&stage);
}

static void the_curve_is_offered_where_something_is_swept(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	assert_null(view_get(&stage.model, VIEW_CURVE));
	assert_null(strstr(stage.text, "4 │ 5 │ 6"));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "4 │ 5 │ 6"));
	assert_true(stage_key(&stage, '4'));
	assert_true(stage_key(&stage, KEY_TAB));
	assert_int_equal(stage.view.view, VIEW_CURVE);
	assert_true(stage_key(&stage, KEY_TAB));
	assert_int_equal(stage.view.view, VIEW_MESSAGES);
	assert_true(stage_key(&stage, KEY_BACK_TAB));
	assert_int_equal(stage.view.view, VIEW_CURVE);
	stage_close(&stage);
}

static void m_goes_round_the_metrics_of_the_curve(void **state)
{
	static const char *const titles[] = {"CPU time over workers", "memory over workers",
					     "time to create over workers",
					     "elapsed time over workers"};
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_key(&stage, '5');
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		assert_true(stage_key(&stage, 'm'));
		assert_non_null(strstr(stage_draw(&stage, 120, 36), titles[i]));
	}
	stage_close(&stage);
}

static void l_and_L_turn_the_axes_of_the_curve_and_turn_them_back(void **state)
{
	static const int keys[] = {'l', 'L'};
	struct stage stage;

	stage_sweep(&stage, synthetic_hello, 0);
	stage_key(&stage, '5');
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *before = strdup(stage_draw(&stage, 120, 36));

		assert_true(stage_key(&stage, keys[i]));
		assert_true(strcmp(stage_draw(&stage, 120, 36), before) != 0);
		assert_non_null(strstr(stage.text, i ? "L Linear x" : "l Linear y"));
		assert_true(stage_key(&stage, keys[i]));
		assert_string_equal(stage_draw(&stage, 120, 36), before);
		free(before);
	}
	stage_close(&stage);
	stage_sweep(&stage, synthetic_shapes, 0);
	stage_key(&stage, '5');
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, "Log x"));
	assert_false(stage_key(&stage, 'L'));
	stage_close(&stage);
}

static void each_line_of_the_curve_has_its_models_hue_and_a_mark_of_its_own(void **state)
{
	static const uint32_t marks[] = {0x25cf, 0x25a0, 0x25b2};
	struct stage stage;

	stage_sweep(&stage, synthetic_hello, 0);
	stage_key(&stage, '5');
	stage_draw(&stage, 120, 36);
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++)
		for (int j = 0; j < 3; j++)
			if (stage.canvas.cells[i].glyph == marks[j])
				assert_int_equal(stage.canvas.cells[i].style.fg, COLOUR_MODEL0 + j);
	stage_close(&stage);
}

static void what_was_not_measured_leaves_no_point_in_the_curve(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage_key(&stage, '5');
	stage_key(&stage, 'm');
	stage_key(&stage, 'm');
	for (size_t i = 0; i < stage.model.n_runs; i++)
		stage.model.runs[i].totals.memory.kernel_kb = -1;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "memory over workers"));
	for (int i = 0; i < stage.canvas.width * stage.canvas.height; i++)
		assert_int_not_equal(stage.canvas.cells[i].glyph >> 8, 0x28);
	assert_null(strstr(stage.text, " 0 KiB"));
	stage_close(&stage);
}

static void the_curve_of_a_moment_is_the_same_when_time_is_turned_back(void **state)
{
	struct stage then, later;
	char *text;

	stage_sweep(&then, synthetic_scaling, 12);
	stage_sweep(&later, synthetic_scaling, 0);
	stage_key(&then, '5');
	stage_key(&later, '5');
	stage_draw(&later, 120, 36);
	model_seek(&later.model, then.model.now_ns);
	text = strdup(stage_draw(&then, 120, 36));
	assert_string_equal(stage_draw(&later, 120, 36), text);
	free(text);
	stage_close(&then);
	stage_close(&later);
}

static void help_opens_and_escape_closes_it_but_never_more(void **state)
{
	static const int keys[] = {'?', 'h', KEY_F1};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < 3; i++) {
		assert_true(stage_key(&stage, keys[i]));
		assert_true(stage.view.help);
		assert_true(stage_key(&stage, KEY_ESCAPE));
		assert_false(stage.view.help);
	}
	assert_false(stage_key(&stage, KEY_ESCAPE));
	assert_false(stage_key(&stage, 'q'));
	assert_false(stage_key(&stage, ' '));
	stage_close(&stage);
}

static void help_scrolls_to_its_last_line_on_a_small_screen(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	assert_null(strstr(stage_draw(&stage, 80, 24), "q F10"));
	stage_key(&stage, KEY_END_KEY);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "q F10"));
	stage_close(&stage);
}

static void every_view_has_its_own_help(void **state)
{
	static const struct {
		int key;
		const char *title;
	} views[] = {{'1', "Overview"}, {'3', "gap"}, {'4', "one trial"}, {'6', "a warning"}};
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	for (size_t i = 0; i < 4; i++) {
		stage_key(&stage, views[i].key);
		stage_draw(&stage, 120, 60);
		assert_non_null(strstr(stage.text, views[i].title));
		assert_non_null(strstr(stage.text, "counts eight times"));
	}
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
		assert_non_null(strstr(stage_draw(&stage, 120, 36), labels[i]));
	}
	stage_close(&stage);
}

static void scrolling_stops_at_the_end_and_turns_at_once(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 2);
	for (uint32_t i = 0; i < session.cases; i++) {
		session.list[i].plan.fanout[0] = 60;
		session.list[i].plan.leaves[WORK_CPU] = 58;
	}
	stage_open(&stage, &session);
	stage_draw(&stage, 120, 36);
	assert_true(stage_key(&stage, KEY_END_KEY));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "io1 "));
	assert_int_equal(stage.view.scroll, stage.view.most_scroll);
	assert_true(stage_key(&stage, KEY_UP_ARROW));
	stage_draw(&stage, 120, 36);
	assert_null(strstr(stage.text, "io1 "));
	assert_true(stage_key(&stage, KEY_HOME_KEY));
	assert_int_equal(stage.view.scroll, 0);
	stage_close(&stage);
}

static void arrows_reach_the_columns_that_do_not_fit(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 60, 20);
	assert_non_null(strstr(stage.text, "1 of 2"));
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	stage_draw(&stage, 60, 20);
	assert_non_null(strstr(stage.text, "2 of 2"));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	assert_non_null(strstr(stage_draw(&stage, 60, 20), "1 of 2"));
	stage_close(&stage);
}

/* Where nothing is left to move to, an arrow is the clock's of a replay. */
static void arrows_are_left_to_the_clock_at_either_end(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	assert_false(stage_key(&stage, KEY_LEFT_ARROW));
	assert_false(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_false(stage.view.browse);
	stage_draw(&stage, 60, 20);
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	stage_draw(&stage, 60, 20);
	assert_false(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	stage_draw(&stage, 60, 20);
	assert_false(stage_key(&stage, KEY_LEFT_ARROW));
	stage_close(&stage);
}

static void a_sweep_shows_the_models_of_the_value_that_runs(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0.05);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "╭─ threads workers=2 "));
	assert_non_null(strstr(stage.text, "╭─ processes workers=2 "));
	assert_null(strstr(stage.text, "╭─ threads workers=3 "));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_scaling, 0);
	/* the last trial goes back to the first value */
	model_seek(&stage.model, stage.model.runs[13].begin_ns);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "╭─ processes workers=8 "));
	assert_true(stage_key(&stage, KEY_LEFT_ARROW));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "╭─ processes workers=7 "));
	model_seek(&stage.model, 0);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "╭─ processes workers=7 "));
	assert_true(stage_key(&stage, 'f'));
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "╭─ threads workers=2 "));
	stage_close(&stage);
}

static void a_column_keeps_its_time_beside_a_long_name(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_scaling(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++)
		snprintf(session.list[i].variables, sizeof(session.list[i].variables),
			 "work=write;workers=%u", i / 2 + 2);
	stage_open(&stage, &session);
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "╭─ processes w"));
	assert_non_null(strstr(stage.text, "=8 ─"));
	assert_non_null(strstr(stage.text, "s ─╮\n"));
	stage_close(&stage);
}

static void results_of_a_sweep_compare_and_list_what_belongs_together(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_scaling, 0);
	stage.view.view = VIEW_RESULTS;
	stage_draw(&stage, 120, 36);
	assert_int_equal(stage.view.cache.n_compared, 7);
	assert_non_null(strstr(stage.text, "threads workers=8 / processes workers=8  "));
	assert_null(strstr(stage.text, "threads workers=2 / threads workers=3"));
	assert_non_null(strstr(stage.text, " ▾ "));
	stage_draw(&stage, 120, 250);
	assert_non_null(strstr(stage.text, "─ how it scales ─"));
	assert_null(strstr(stage.text, " ▾ "));
	stage_close(&stage);
}

static void memory_of_a_sweep_is_that_of_one_value_and_names_each_line(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_hello, 0);
	stage.view.view = VIEW_MEMORY;
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "╭─ RSS, summed ─"));
	assert_non_null(strstr(stage.text, " size=10 ─╮╭─ PSS"));
	assert_non_null(strstr(stage.text, "━ threads peak"));
	assert_non_null(strstr(stage.text, "━ hybrid:2x4 peak"));
	assert_null(strstr(stage.text, "threads size="));
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "threads "));
	assert_non_null(strstr(stage.text, "hybrid:2x4 "));
	stage_close(&stage);
}

static void what_the_page_goes_on_with_cuts_no_word(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.view = VIEW_RESULTS;
	for (int height = 20; height < 40; height++) {
		const char *mark;

		stage_draw(&stage, 80, height);
		mark = strstr(stage.text, " ▾ ");
		if (mark)
			assert_true(mark[-1] == ' ' || (unsigned char)mark[-1] >= 0x80);
	}
	stage_close(&stage);
	/* the dots of an axis go on up to it */
	stage_sweep(&stage, synthetic_scaling, 0);
	stage.view.view = VIEW_RESULTS;
	stage_draw(&stage, 120, 16);
	assert_non_null(strstr(stage.text, "· ▾ "));
	stage_close(&stage);
}

static void zoom_in_move_and_fit_again(void **state)
{
	struct stage stage;
	char *whole;

	stage_mixed(&stage, 0);
	whole = strdup(stage_draw(&stage, 120, 36));
	assert_true(stage_key(&stage, '+'));
	assert_true(strcmp(stage_draw(&stage, 120, 36), whole) != 0);
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_true(stage.view.from > 0.25);
	for (int i = 0; i < 20; i++)
		stage_key(&stage, KEY_RIGHT_ARROW);
	assert_true(stage.view.from + 1 / stage.view.zoom <= 1);
	assert_true(stage_key(&stage, '='));
	assert_string_equal(stage_draw(&stage, 120, 36), whole);
	free(whole);
	stage_close(&stage);
}

static void a_notice_stands_until_the_next_key(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.notice = "The log is on another planet.";
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "another planet"));
	stage_key(&stage, 'x');
	assert_null(strstr(stage_draw(&stage, 120, 36), "another planet"));
	stage_close(&stage);
}

static void the_bottom_line_offers_only_what_works_now(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "Space Pause"));
	assert_non_null(strstr(stage.text, "r Once more"));
	stage.view.hold = true;
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "Space Start"));
	stage.view.hold = false;
	stage.view.live = false;
	stage.view.clock = (struct view_clock) {.shown = true, .paused = true, .speed = 0.05};
	stage_draw(&stage, 120, 36);
	assert_non_null(strstr(stage.text, "Space Play"));
	assert_non_null(strstr(stage.text, "< Slower"));
	assert_non_null(strstr(stage.text, "1/20x"));
	assert_null(strstr(stage.text, "Once more"));
	assert_null(strstr(stage.text, "Timeline"));
	/* what is shorter stays where something longer of the same weight does not fit */
	stage_draw(&stage, 80, 24);
	assert_null(strstr(stage.text, "Memory: PSS"));
	assert_non_null(strstr(stage.text, "< Slower"));
	stage_close(&stage);
}

/* The key of what stands where the text begins in the bottom line. */
static int click_on(struct stage *stage, const char *text)
{
	const struct canvas *canvas = &stage->canvas;
	const struct cell *line = canvas->cells + (canvas->height - 1) * canvas->width;
	const struct cell *cell = find_text(line, canvas->width, text);

	assert_non_null(cell);
	return view_click(&stage->model, &stage->view, canvas->width, canvas->height,
			  (int)(cell - line), canvas->height - 1);
}

static void a_click_does_what_the_key_on_the_label_does(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 8.5);
	stage_draw(&stage, 120, 36);
	assert_int_equal(click_on(&stage, "Quit"), 'q');
	assert_int_equal(click_on(&stage, "Space"), ' ');
	assert_int_equal(click_on(&stage, "Once more"), 'r');
	assert_int_equal(click_on(&stage, "Memory:"), 'm');
	assert_int_equal(click_on(&stage, "Theme"), 't');
	assert_int_equal(click_on(&stage, "? Help"), '?');
	assert_int_equal(click_on(&stage, "Overview"), '1');
	assert_int_equal(click_on(&stage, "3"), '3');
	assert_int_equal(click_on(&stage, "6"), '6');
	assert_int_equal(view_click(&stage.model, &stage.view, 120, 36, 2, 10), 0);
	assert_int_equal(view_click(&stage.model, &stage.view, 120, 36, 8, 35), 0);
	assert_int_equal(view_click(&stage.model, &stage.view, 20, 5, 1, 4), 0);
	stage_close(&stage);
}

static void messages_scroll_from_the_newest_to_the_oldest(void **state)
{
	struct synthetic session;
	struct stage stage;
	struct sample sample = {.kind = SAMPLE_MESSAGE};

	synthetic_mixed(&session, 1);
	stage_open(&stage, &session);
	sample.time_ns = stage.model.newest_ns;
	for (int i = 0; i < 100; i++) {
		sample.message.severity = i % 3;
		snprintf(sample.message.text, sizeof(sample.message.text), "message no. %d.", i);
		assert_int_equal(model_apply(&stage.model, &sample), 0);
	}
	stage_key(&stage, '6');
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "no. 99."));
	assert_null(strstr(stage.text, "no. 5."));
	stage_key(&stage, KEY_PAGE_UP);
	assert_null(strstr(stage_draw(&stage, 80, 24), "no. 99."));
	stage_key(&stage, KEY_END_KEY);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "no. 99."));
	stage_close(&stage);
}

static void what_is_shown_then_is_shown_again_when_time_is_turned_back(void **state)
{
	struct stage then, later;
	char *text;

	stage_mixed(&then, 8.5);
	stage_mixed(&later, 0);
	model_seek(&later.model, then.model.now_ns);
	text = strdup(stage_draw(&then, 120, 36));
	assert_string_equal(stage_draw(&later, 120, 36), text);
	free(text);
	stage_close(&then);
	stage_close(&later);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_overview_at_the_end_reads_as_agreed),
		cmocka_unit_test(the_overview_reads_as_agreed_while_it_runs),
		cmocka_unit_test(the_overview_of_a_tree_reads_as_agreed),
		cmocka_unit_test(the_overview_in_ascii_reads_as_agreed),
		cmocka_unit_test(a_warning_is_marked_and_stands_with_the_messages),
		cmocka_unit_test(the_other_views_read_as_agreed),
		cmocka_unit_test(the_curve_reads_as_agreed),
		cmocka_unit_test(creation_reads_as_agreed),
		cmocka_unit_test(creation_shows_one_span_after_the_other),
		cmocka_unit_test(creation_plots_the_two_that_its_verdict_is_of),
		cmocka_unit_test(creation_scrolls_where_its_rows_do_not_fit),
		cmocka_unit_test(the_help_reads_as_agreed),
		cmocka_unit_test(every_view_draws_at_every_size),
		cmocka_unit_test(every_curve_draws_at_every_size),
		cmocka_unit_test(creation_draws_at_every_size),
		cmocka_unit_test(a_tree_on_many_cores_draws_at_every_size),
		cmocka_unit_test(the_sentence_is_whole_at_every_size_of_every_view),
		cmocka_unit_test(a_long_sentence_gets_fewer_words_instead_of_a_cut),
		cmocka_unit_test(a_session_that_has_not_begun_draws),
		cmocka_unit_test(below_the_least_size_one_line_asks_for_room),
		cmocka_unit_test(a_real_lead_is_a_band_in_the_leaders_hue),
		cmocka_unit_test(a_difference_that_is_not_real_gets_nobodys_hue),
		cmocka_unit_test(the_band_is_the_leaders_when_a_later_model_leads),
		cmocka_unit_test(the_verdicts_axis_is_of_the_fastest_and_the_runner_up),
		cmocka_unit_test(the_verdicts_axis_of_a_sweep_is_of_the_value_being_measured),
		cmocka_unit_test(a_session_on_hold_says_how_to_start),
		cmocka_unit_test(the_second_model_has_its_place_from_the_start),
		cmocka_unit_test(a_model_keeps_its_hue_and_another_name_gets_another),
		cmocka_unit_test(a_crashed_worker_stands_out_with_its_signal),
		cmocka_unit_test(a_run_that_was_stopped_is_not_called_failed),
		cmocka_unit_test(what_is_not_known_is_a_question_mark_and_no_area),
		cmocka_unit_test(what_is_not_known_says_why_where_it_stands),
		cmocka_unit_test(what_was_not_sampled_stays_a_gap),
		cmocka_unit_test(what_is_not_known_is_no_estimate),
		cmocka_unit_test(a_run_whose_workers_were_dropped_says_so),
		cmocka_unit_test(many_cores_are_strips_with_their_numbers),
		cmocka_unit_test(cores_have_their_place_before_the_first_tick),
		cmocka_unit_test(tab_visits_the_views_that_exist),
		cmocka_unit_test(the_curve_is_offered_where_something_is_swept),
		cmocka_unit_test(m_goes_round_the_metrics_of_the_curve),
		cmocka_unit_test(l_and_L_turn_the_axes_of_the_curve_and_turn_them_back),
		cmocka_unit_test(each_line_of_the_curve_has_its_models_hue_and_a_mark_of_its_own),
		cmocka_unit_test(what_was_not_measured_leaves_no_point_in_the_curve),
		cmocka_unit_test(the_curve_of_a_moment_is_the_same_when_time_is_turned_back),
		cmocka_unit_test(help_opens_and_escape_closes_it_but_never_more),
		cmocka_unit_test(help_scrolls_to_its_last_line_on_a_small_screen),
		cmocka_unit_test(every_view_has_its_own_help),
		cmocka_unit_test(m_goes_round_the_measures_of_memory),
		cmocka_unit_test(scrolling_stops_at_the_end_and_turns_at_once),
		cmocka_unit_test(arrows_reach_the_columns_that_do_not_fit),
		cmocka_unit_test(arrows_are_left_to_the_clock_at_either_end),
		cmocka_unit_test(a_sweep_shows_the_models_of_the_value_that_runs),
		cmocka_unit_test(a_column_keeps_its_time_beside_a_long_name),
		cmocka_unit_test(results_of_a_sweep_compare_and_list_what_belongs_together),
		cmocka_unit_test(memory_of_a_sweep_is_that_of_one_value_and_names_each_line),
		cmocka_unit_test(what_the_page_goes_on_with_cuts_no_word),
		cmocka_unit_test(zoom_in_move_and_fit_again),
		cmocka_unit_test(a_notice_stands_until_the_next_key),
		cmocka_unit_test(the_bottom_line_offers_only_what_works_now),
		cmocka_unit_test(a_click_does_what_the_key_on_the_label_does),
		cmocka_unit_test(messages_scroll_from_the_newest_to_the_oldest),
		cmocka_unit_test(what_is_shown_then_is_shown_again_when_time_is_turned_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
