/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include "stage/check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot.h"
#include "draw/theme.h"
#include "model/model.h"
#include "model/model_lanes.h"
#include "result/report.h"
#include "result/table.h"
#include "stage/exported.h"
#include "stage/synthetic.h"
#include "write/write_parts.h"

/* Tests of the page's data. test_page.py tests in Chromium what the page shows. */

static const char data_begin[] = "<script type=\"application/json\" id=\"data\">";

/* Returns the JSON of a page that has two scripts and no control character. The caller frees it. */
static json_t *data_of(const char *html)
{
	const char *begin = strstr(html, data_begin), *end;
	json_error_t error;
	json_t *data;

	exported_assert_clean(html);
	assert_int_equal(exported_count(html, "<script"), 2);
	assert_int_equal(exported_count(html, "</script"), 2);
	assert_non_null(strstr(html, "default-src 'none'; script-src 'sha256-"));
	/* the name of a namespace, from which nothing is fetched */
	assert_int_equal(exported_count(html, "http"), 1 + exported_count(html, "http-equiv"));
	assert_non_null(begin);
	begin += strlen(data_begin);
	end = strstr(begin, "</script>");
	data = json_loadb(begin, (size_t)(end - begin), 0, &error);
	if (!data)
		fail_msg("%s", error.text);
	return data;
}

static json_t *page_of_model(const struct model *model)
{
	char *html = exported_model(export_html, model);
	json_t *data = data_of(html);

	free(html);
	return data;
}

static json_t *page_of(const struct synthetic *session)
{
	struct model model;
	json_t *data;

	synthetic_model(session, &model);
	data = page_of_model(&model);
	model_free(&model);
	return data;
}

static json_t *part(const json_t *data, const char *name)
{
	return json_object_get(json_object_get(data, "page"), name);
}

static const char *text_of(const json_t *json, const char *name)
{
	return json_string_value(json_object_get(json, name));
}

static long number_at(const json_t *list, size_t i)
{
	return (long)json_integer_value(json_array_get(list, i));
}

static void a_page_holds_the_json_of_its_session(void **state)
{
	struct synthetic session;
	json_t *data, *expected;
	char *json;

	synthetic_mixed(&session, 8);
	json = exported_text(write_json, &session);
	expected = json_loads(json, 0, NULL);
	data = page_of(&session);
	assert_non_null(expected);
	assert_true(json_equal(json_object_get(data, "session"), expected));
	assert_int_equal(json_array_size(part(data, "cases")), 2);
	assert_int_equal(json_array_size(part(data, "runs")), 2 * (8 + session.warmup));
	assert_true(json_array_size(part(data, "tables")) > 4);
	assert_string_equal(text_of(json_array_get(part(data, "tables"), 0), "title"), "answer");
	json_decref(expected);
	json_decref(data);
	free(json);
}

/* They are between the body's begin and its first script, so readers without scripts see them. */
static void the_answer_and_all_tables_are_in_the_page_without_its_script(void **state)
{
	char line[HEADLINE_BADGE + HEADLINE_TEXT], *html, *end;
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 8);
	session.title = "<b>6 cpu</b> & 2 io";
	synthetic_model(&session, &model);
	html = exported_model(export_html, &model);
	end = strstr(strstr(html, "<body>"), "<script");
	assert_non_null(end);
	*end = '\0';
	assert_non_null(strstr(html, "<h1>&lt;b&gt;6 cpu&lt;/b&gt; &amp; 2 io</h1>"));
	assert_non_null(strstr(html, headline_line(&model, line, sizeof(line))));
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_true(table_rows(&table) > 1);
	for (size_t row = 0; row < table_rows(&table); row++)
		for (size_t i = 0; i < table.n_columns; i++) {
			char buf[TABLE_TEXT], cell[TABLE_TEXT + 16];

			snprintf(cell, sizeof(cell), "<td>%s</td>",
				 table_text(&table, row, i, " to ", buf));
			assert_non_null(strstr(html, cell));
		}
	table_free(&table);
	assert_true(exported_count(html, "<table>") > 4);
	assert_int_equal(exported_count(html, "<table>"), exported_count(html, "</table>"));
	free(html);
	model_free(&model);
}

static void its_hues_are_those_of_the_screen(void **state)
{
	struct synthetic session;
	char *html, rule[32];

	synthetic_mixed(&session, 1);
	html = exported_text(export_html, &session);
	for (int dark = 0; dark < 2; dark++)
		for (uint32_t i = 0; i < IDENTITIES; i++) {
			const struct theme *theme = theme_find(dark ? "dark" : "light");

			snprintf(rule, sizeof(rule), "--m%u:#%06x", i,
				 theme->colour[identity_colour(i)].rgb);
			assert_true(exported_count(html, rule) > 0);
			snprintf(rule, sizeof(rule), "--w%u:#%06x", i,
				 theme->colour[plot_worker_colour(i)].rgb);
			assert_true(exported_count(html, rule) > 0);
		}
	free(html);
}

/* Each row's path on a core has the worker's colour in the light theme. */
static void the_plot_of_timelines_has_a_colour_for_each_worker(void **state)
{
	const struct theme *theme = theme_find("light");
	struct synthetic session;
	char *svg, ink[64];

	synthetic_mixed(&session, 1);
	session.slices = true;
	svg = exported_text(plot_timelines, &session);
	for (uint32_t i = 0; i < PLOT_WORKERS; i++) {
		snprintf(ink, sizeof(ink), "stroke-width=\"7\" stroke=\"#%06x\"",
			 theme->colour[plot_worker_colour(i)].rgb);
		assert_int_equal(exported_count(svg, ink), 2);
	}
	assert_non_null(strstr(svg, ">on a core<"));
	free(svg);
}

/* A run is as long as in JSON. The time for which its tasks were held is beside that time. */
static void plot_and_page_leave_out_what_was_held(void **state)
{
	const int64_t held_ns = INT64_C(50000000);
	struct synthetic session;
	struct model model;
	char took[32], label[96];
	json_t *page, *run;
	size_t i;
	char *svg;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	for (i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.held_ns = held_ns;
		model.runs[i].totals.go_ns = 2 * held_ns;
	}
	svg = exported_model(plot_timelines, &model);
	for (i = model.n_runs - 2; i < model.n_runs; i++) {
		units_format_time(took, sizeof(took), model.runs[i].totals.elapsed_ns, false);
		snprintf(label, sizeof(label), ": trial 1, %s + 50.0 ms held<", took);
		assert_non_null(strstr(svg, label));
	}
	free(svg);
	page = page_of_model(&model);
	json_array_foreach(json_object_get(page, "runs"), i, run)
	{
		const int64_t elapsed_ns = model.runs[i].totals.elapsed_ns;

		assert_int_equal(json_integer_value(json_object_get(run, "took")),
				 elapsed_ns / 1000);
		assert_int_equal(json_integer_value(json_object_get(run, "length")),
				 (elapsed_ns + held_ns) / 1000);
	}
	json_decref(page);
	model_free(&model);
}

/* Makes a session with that many cpu workers in each case, and their slices. */
static void of_cpu_workers(struct synthetic *session, uint32_t workers)
{
	for (uint32_t i = 0; i < session->cases; i++) {
		struct plan *plan = &session->list[i].plan;

		memset(plan->leaves, 0, sizeof(plan->leaves));
		plan->leaves[WORK_CPU] = plan->fanout[0] = workers;
	}
	session->slices = true;
}

static void a_lane_says_when_its_worker_was_on_which_core(void **state)
{
	static const struct sample_slice list[] = {
		{100000000, 140000000, 6, 1, WHY_BLOCKED, .waker = -1, .ready_ns = -1},
		{160000000, 181500000, 6, 0, WHY_PREEMPTED, .waker = -1, .ready_ns = 150000000},
		{150000000, 160000000, SAMPLE_OTHERS, 0, .waker = -1, .ready_ns = -1}};
	/* blocked, on core 1, blocked, waiting, on core 0; core 0: idle, others, worker 6 */
	static const long lane[] = {40000, 1, 10000, -2, 10000, -1, 21500, 0};
	static const long core[] = {0, 0, 150000, -1, 10000, -2, 21500, 6};
	struct model_throttle throttle = {.from_ns = 149000000, .to_ns = 158000000};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {3, list}};
	struct synthetic session;
	struct model model;
	json_t *data, *found;
	size_t first = 0;

	synthetic_mixed(&session, 1);
	session.stop_ns = 500000000;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	data = page_of_model(&model);
	found = json_array_get(json_object_get(json_array_get(part(data, "runs"), 0), "lanes"), 6);
	while (first < json_array_size(found) && number_at(found, first + 1) != 1)
		first++;
	for (size_t i = 0; i < sizeof(lane) / sizeof(lane[0]); i++)
		assert_int_equal(number_at(found, first + i), lane[i]);
	found = json_array_get(json_object_get(json_array_get(part(data, "runs"), 0), "cores"), 0);
	for (size_t i = 0; i < sizeof(core) / sizeof(core[0]); i++)
		assert_int_equal(number_at(found, i), core[i]);
	json_decref(data);
	model.runs[0].throttles = &throttle;
	model.runs[0].n_throttles = 1;
	data = page_of_model(&model);
	found = json_array_get(json_object_get(json_array_get(part(data, "runs"), 0), "lanes"), 6);
	assert_int_equal(number_at(found, first + 5), -5);
	json_decref(data);
	model.runs[0].throttles = NULL;
	model.runs[0].n_throttles = 0;
	model_free(&model);
}

/* Compares the columns of all lanes of a run with the time that its workers had on the cores. */
static void columns_add_up_to_the_share_of_the_worker(void **state)
{
	struct synthetic session;
	struct model model;
	json_t *data, *run, *lane;
	size_t columns = 0, i;

	synthetic_mixed(&session, 6);
	of_cpu_workers(&session, 48);
	synthetic_model(&session, &model);
	data = page_of_model(&model);
	run = json_array_get(part(data, "runs"), 0);
	json_array_foreach(json_object_get(run, "lanes"), i, lane)
	{
		size_t n = (json_array_size(lane) - 3) / 2;
		struct model_shares shares;
		double sum = 0;

		if (number_at(lane, 0) >= 0)
			continue;
		for (size_t k = 0; k < n; k++)
			sum += number_at(lane, 3 + 2 * k) / 1000.0 *
			       (double)(number_at(lane, 2) - number_at(lane, 1)) / (double)n;
		model_shares_until(&model, &model.runs[0], (uint32_t)i, INT64_MAX, &shares);
		assert_true(fabs(sum - shares.ns[STATE_ON] / 1e3) < 0.01 * sum);
		columns++;
	}
	assert_true(columns > 0);
	json_decref(data);
	model_free(&model);
}

static size_t length_of(const struct synthetic *session)
{
	char *html = exported_text(export_html, session);
	size_t length = strlen(html);

	json_decref(data_of(html));
	free(html);
	return length;
}

/* The size is bounded for any number of lanes, workers and ticks. */
static void a_page_is_bounded(void **state)
{
	struct synthetic session;
	size_t minute;

	synthetic_mixed(&session, 1);
	for (int i = 4; i < 10; i++)
		synthetic_add(&session, "threads", "", i * INT64_C(1000000000));
	of_cpu_workers(&session, 48);
	assert_true(length_of(&session) < 2500000);
	synthetic_mixed(&session, 1);
	of_cpu_workers(&session, 5000);
	assert_true(length_of(&session) < 2500000);
	synthetic_tree(&session, 2);
	assert_true(length_of(&session) < 2500000);
	synthetic_mixed(&session, 1);
	session.span_ns[0] = session.span_ns[1] = 60000000000;
	minute = length_of(&session);
	session.span_ns[0] = session.span_ns[1] = 3600000000000;
	assert_true(length_of(&session) < 2 * minute);
}

/* Makes three cases of the threads model. The last has those variables. */
static void make_sweep(struct synthetic *session, const char *last)
{
	synthetic_mixed(session, 6);
	session->cases = 1;
	variables_parse(&session->list[0].variables, "workers=2");
	synthetic_add(session, "threads", "workers=4", 4000000000);
	synthetic_add(session, "threads", last, 5000000000);
}

static void a_sweep_over_three_values_has_curves(void **state)
{
	struct synthetic session;
	json_t *data, *curve;

	make_sweep(&session, "workers=8");
	data = page_of(&session);
	curve = json_array_get(part(data, "curves"), 0);
	assert_string_equal(text_of(curve, "variable"), "workers");
	assert_int_equal(json_array_size(json_object_get(curve, "values")), 3);
	assert_true(json_is_true(json_object_get(curve, "numeric")));
	json_decref(data);
	make_sweep(&session, "workers=4");
	data = page_of(&session);
	assert_int_equal(json_array_size(part(data, "curves")), 0);
	json_decref(data);
	synthetic_scaling(&session, 12);
	data = page_of(&session);
	curve = json_array_get(part(data, "curves"), 0);
	assert_int_equal(json_array_size(json_object_get(curve, "lines")), 2);
	assert_int_equal(json_array_size(json_object_get(curve, "crosses")), 1);
	json_decref(data);
}

static void each_kind_of_work_has_curves(void **state)
{
	struct synthetic session;
	json_t *data, *curve;
	size_t i, works[2] = {0};

	synthetic_scaling(&session, 1);
	for (uint32_t k = 0; k < session.cases; k++)
		synthetic_vary(&session.list[k].variables, "work=%s;workers=%u",
			       k < 8 ? "cpu" : "io", k / 2 % 4 + 1);
	data = page_of(&session);
	json_array_foreach(part(data, "curves"), i, curve)
		works[strcmp(text_of(curve, "work"), "io") == 0]++;
	assert_true(works[0] > 0);
	assert_int_equal(works[0], works[1]);
	json_decref(data);
}

static void creation_has_histograms(void **state)
{
	struct synthetic session;
	json_t *data, *row;
	size_t i, k;

	synthetic_creation(&session, 6);
	data = page_of(&session);
	/* a latency until the call returns and, except for the clock, one until the task runs */
	assert_true(json_array_size(part(data, "latency")) > 2 * 16);
	json_array_foreach(part(data, "latency"), i, row)
	{
		double sum = 0;
		json_t *one;

		json_array_foreach(json_object_get(row, "counts"), k, one) sum +=
			json_number_value(one);
		assert_true(fabs(sum - (double)json_integer_value(json_object_get(row, "n"))) <
			    0.01 * sum);
	}
	/* runs that create different numbers of tasks make no curve of elapsed time */
	assert_int_equal(json_array_size(part(data, "curves")), 0);
	json_decref(data);
}

static void missing_counters_have_their_reason_on_the_page(void **state)
{
	static const enum sample_status ends[] = {SAMPLE_FAILED, SAMPLE_CRASHED,
						  SAMPLE_INTERRUPTED};
	struct synthetic session;
	json_t *data, *run;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		synthetic_mixed(&session, 2);
		session.broken_run = 0;
		session.broken = ends[i];
		data = page_of(&session);
		run = json_array_get(part(data, "runs"), 0);
		assert_true(json_is_false(json_object_get(run, "measured")));
		assert_non_null(strstr(text_of(run, "reason"), "worker 4"));
		assert_int_equal(number_at(json_object_get(run, "workers"), 6 * 3 + 5), ends[i]);
		json_decref(data);
	}
}

static void a_core_that_was_offline_has_no_load(void **state)
{
	struct synthetic session;
	json_t *data, *rows;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	data = page_of(&session);
	rows = json_object_get(part(data, "loads"), "rows");
	assert_int_equal(json_array_size(rows), 64);
	for (size_t i = 0; i < json_array_size(json_array_get(rows, 5)); i++)
		assert_int_equal(number_at(json_array_get(rows, 5), i), -1);
	assert_true(number_at(json_array_get(rows, 0), 4 * 100) >= 0);
	json_decref(data);
}

static void recordings_have_their_machines(void **state)
{
	struct synthetic session;
	struct model parts[2], model;
	json_t *data, *list;

	synthetic_mixed(&session, 1);
	for (int i = 0; i < 2; i++)
		synthetic_model(&session, &parts[i]);
	snprintf(parts[1].session.machine.host, sizeof(parts[1].session.machine.host), "laptop");
	assert_int_equal(model_join(parts, &model), 0);
	data = page_of_model(&model);
	list = json_object_get(json_object_get(data, "session"), "recordings");
	assert_string_equal(text_of(json_object_get(json_array_get(list, 1), "machine"), "host"),
			    "laptop");
	json_decref(data);
	model_free(&model);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
}

static void hostile_texts_are_text(void **state)
{
	struct synthetic session;
	json_t *data;

	exported_hostile(&session);
	data = page_of(&session);
	assert_string_equal(text_of(json_object_get(data, "page"), "title"), EXPORTED_HARMLESS);
	json_decref(data);
}

static void a_session_that_was_cut_is_a_page_at_any_time(void **state)
{
	struct synthetic session;

	for (int64_t stop_ns = 0; stop_ns < 8000; stop_ns += 170) {
		synthetic_mixed(&session, 1);
		session.stop_ns = stop_ns * 1000000;
		json_decref(page_of(&session));
	}
	synthetic_creation(&session, 1);
	session.stop_ns = 100000000;
	json_decref(page_of(&session));
}

/* A recording may have a task's time after the run's end. */
static void a_run_whose_tasks_have_not_begun_shows_its_workers(void **state)
{
	struct sample_task task = {.begin_ns = INT64_MAX / 2, .end_ns = -1, .parent = -1};
	struct sample sample = {.kind = SAMPLE_TASKS, .tasks = {1, &task}};
	struct synthetic session;
	struct model model;
	const struct model_run *run;
	json_t *data, *shown;

	synthetic_mixed(&session, 1);
	session.stop_ns = 1000000000;
	synthetic_model(&session, &model);
	run = model_running(&model);
	assert_non_null(run);
	task.index = run->n_workers;
	sample.time_ns = model.newest_ns;
	sample.run = run->id;
	assert_int_equal(model_apply(&model, &sample), 0);
	data = page_of_model(&model);
	shown = json_array_get(json_object_get(json_object_get(data, "page"), "runs"),
			       (size_t)(run - model.runs));
	assert_int_equal(json_integer_value(json_object_get(shown, "n")), run->n_workers);
	assert_null(json_object_get(shown, "names"));
	json_decref(data);
	model_free(&model);
}

static void no_session_is_a_page_that_says_so(void **state)
{
	struct model model;
	json_t *data;

	model_init(&model);
	data = page_of_model(&model);
	assert_true(json_is_null(json_object_get(data, "page")));
	json_decref(data);
}

struct two {
	struct model models[2];
};

/* The second scene has no session. */
static int two_scenes(void *arg, size_t i, struct export_scene *scene)
{
	struct two *two = arg;
	const struct export_scene made = {EXPORTED_HOSTILE, EXPORTED_HOSTILE "\n\nlast", "tuibench",
					  i == 1 ? NULL : &two->models[i / 2]};

	*scene = made;
	return 0;
}

static void a_lecture_is_one_page_of_its_scenes(void **state)
{
	struct two two;
	const struct export_lecture lecture = {EXPORTED_HOSTILE, 3, two_scenes, &two};
	struct synthetic session;
	json_t *data, *scenes, *scene;
	char *html = NULL;
	size_t size, i;
	FILE *out = open_memstream(&html, &size);

	assert_non_null(out);
	exported_hostile(&session);
	synthetic_model(&session, &two.models[0]);
	synthetic_scaling(&session, 6);
	synthetic_model(&session, &two.models[1]);
	assert_int_equal(export_lecture(&lecture, export_html, out), 0);
	fclose(out);
	data = data_of(html);
	scenes = json_object_get(data, "scenes");
	assert_int_equal(json_array_size(scenes), 3);
	json_array_foreach(scenes, i, scene)
	{
		assert_non_null(strstr(text_of(scene, "caption"), "\n\nlast"));
		assert_int_equal(json_is_null(json_object_get(scene, "session")), i == 1);
		assert_int_equal(json_is_null(json_object_get(scene, "page")), i == 1);
	}
	json_decref(data);
	free(html);
	model_free(&two.models[0]);
	model_free(&two.models[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_holds_the_json_of_its_session),
		cmocka_unit_test(its_hues_are_those_of_the_screen),
		cmocka_unit_test(the_plot_of_timelines_has_a_colour_for_each_worker),
		cmocka_unit_test(plot_and_page_leave_out_what_was_held),
		cmocka_unit_test(the_answer_and_all_tables_are_in_the_page_without_its_script),
		cmocka_unit_test(a_lane_says_when_its_worker_was_on_which_core),
		cmocka_unit_test(columns_add_up_to_the_share_of_the_worker),
		cmocka_unit_test(a_page_is_bounded),
		cmocka_unit_test(a_sweep_over_three_values_has_curves),
		cmocka_unit_test(each_kind_of_work_has_curves),
		cmocka_unit_test(creation_has_histograms),
		cmocka_unit_test(missing_counters_have_their_reason_on_the_page),
		cmocka_unit_test(a_core_that_was_offline_has_no_load),
		cmocka_unit_test(recordings_have_their_machines),
		cmocka_unit_test(hostile_texts_are_text),
		cmocka_unit_test(a_session_that_was_cut_is_a_page_at_any_time),
		cmocka_unit_test(a_run_whose_tasks_have_not_begun_shows_its_workers),
		cmocka_unit_test(no_session_is_a_page_that_says_so),
		cmocka_unit_test(a_lecture_is_one_page_of_its_scenes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
