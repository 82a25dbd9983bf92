/* SPDX-License-Identifier: MIT */
#include "export/export.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_join.h"
#include "model/model_slices.h"
#include "export/svg.h"
#include "report/curve_answer.h"
#include "stage/exported.h"
#include "stage/synthetic.h"

#define DEPTH 32

/* Whether the tag that begins at < ends with its >; attributes hold no > of their own. */
static bool is_alone(const char *tag, size_t length)
{
	return tag[length - 1] == '/' || strncmp(tag, "meta", 4) == 0 ||
	       strncmp(tag, "!DOCTYPE", 8) == 0;
}

/* Every element is closed, in the order in which they were opened. */
static void assert_balanced(const char *html)
{
	struct {
		const char *name;
		size_t length;
	} open[DEPTH];
	size_t depth = 0;

	while ((html = strchr(html, '<')) != NULL) {
		const char *tag = ++html;
		size_t length = strcspn(tag, ">"), name = strcspn(tag, " >/");

		assert_int_equal(tag[length], '>');
		if (*tag == '/') {
			assert_true(depth > 0);
			depth--;
			assert_int_equal(open[depth].length, length - 1);
			assert_memory_equal(open[depth].name, tag + 1, length - 1);
		} else if (!is_alone(tag, length)) {
			assert_true(depth < DEPTH);
			open[depth].name = tag;
			open[depth++].length = name;
		}
		html = tag + length;
	}
	assert_int_equal(depth, 0);
}

/* Nothing from elsewhere, nothing that runs, no number that is none. */
static void assert_self_contained(const char *html)
{
	static const char *const never[] = {
		"<script", "<link",  "<img", "<iframe", "http:", "https:", "url(",
		"@import", "onload", "src=", "nan",	"inf\"", "-0\"",   "(null)"};

	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (strstr(html, never[i]))
			fail_msg("the page holds %s", never[i]);
	}
	assert_non_null(strstr(html, "default-src 'none'"));
}

/* Every figure has a name and a description of its own. */
static void assert_described(const char *html)
{
	size_t figures = exported_count(html, "<svg role=\"img\"");
	char id[32];

	assert_int_equal(exported_count(html, "<desc id="), figures);
	for (size_t i = 1; i <= figures; i++) {
		snprintf(id, sizeof(id), "labelledby=\"t%zu d%zu\"", i, i);
		assert_int_equal(exported_count(html, id), 1);
		snprintf(id, sizeof(id), "<title id=\"t%zu\"", i);
		assert_int_equal(exported_count(html, id), 1);
	}
}

/* The names of the groups of each table stand beside all of its rows, none beside two. */
static void assert_grouped(const char *html)
{
	static const char begin[] = "<table class=\"long\">";

	while ((html = strstr(html, begin)) != NULL) {
		const char *end = strstr(html, "</table>"), *row = html, *span = html;
		long rows = -1, named = 0; /* the first row has the titles */

		while ((row = strstr(row, "<tr>")) != NULL && row++ < end)
			rows++;
		while ((span = strstr(span, "rowspan=\"")) != NULL && span < end) {
			span += strlen("rowspan=\"");
			named += strtol(span, NULL, 10);
		}
		assert_int_equal(named, rows);
		html = end;
	}
}

static void assert_sound(const char *html)
{
	exported_assert_clean(html);
	assert_balanced(html);
	assert_self_contained(html);
	assert_described(html);
	assert_grouped(html);
}

/* The page of a session, which is sound; the caller's. */
static char *page_of(const struct synthetic *session)
{
	char *html = exported_text(export_html, session);

	assert_sound(html);
	return html;
}

static void a_page_tells_verdict_results_workers_memory_cores_and_machine(void **state)
{
	static const char *const parts[] = {"class=\"verdict",
					    "<h2>Results</h2>",
					    "<h2>Timelines</h2>",
					    "<h2>Memory over time",
					    "<h2>Cores</h2>",
					    "<h2>Machine and options</h2>",
					    "AMD EPYC 7B13",
					    "8 of 8",
					    "95 % interval",
					    "cpu5",
					    "io1",
					    "@media print"};
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 8);
	html = page_of(&session);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		assert_non_null(strstr(html, parts[i]));
	assert_non_null(strstr(html, "tuibench -s 'io-file=/srv/a, &quot;b&quot; and \xc3\xbc'"));
	free(html);
}

static void an_axis_of_nothing_ends_at_one(void **state)
{
	assert_float_equal(svg_round_up(0, SVG_COUNT), 1, 0);
	assert_float_equal(svg_round_up(NAN, SVG_TIME), 1, 0);
	assert_float_equal(svg_round_up(97, SVG_COUNT), 100, 0);
}

static void a_mark_stands_for_each_trial(void **state)
{
	struct synthetic session;
	char *few, *more;

	synthetic_mixed(&session, 6);
	few = page_of(&session);
	synthetic_mixed(&session, 7);
	more = page_of(&session);
	/* one in the row of each of two models, one for the pair, wide and narrow */
	assert_int_equal(exported_count(more, "\"mark m") - exported_count(few, "\"mark m"), 4);
	/* a mark at the end of the narrow axis, which has no names beside it, is not cut */
	assert_int_equal(exported_count(more, "<line class=\"base\" x1=\"6\""), 2);
	assert_int_equal(exported_count(more, "<line class=\"base\" x1=\"0\""), 0);
	free(few);
	free(more);
}

/* The least of the numbers between the two texts. */
static double least_between(const char *text, const char *before, const char *after)
{
	double least = INFINITY;

	while ((text = strstr(text, before))) {
		char *end;
		double value = strtod(text += strlen(before), &end);

		if (end > text && strncmp(end, after, strlen(after)) == 0)
			least = fmin(least, value);
	}
	assert_true(least < INFINITY);
	return least;
}

/* A telephone is 360 px wide where the page has margins; the verdict's box takes 47 of them. */
static void labels_of_plots_are_legible_on_a_telephone(void **state)
{
	struct synthetic session;
	double font, plot, narrow;
	char *html;

	synthetic_mixed(&session, 6);
	html = page_of(&session);
	font = least_between(html, "font-size:", "px");
	plot = least_between(html, ".wide>svg{min-width:", "px");
	assert_int_equal(exported_count(html, "viewBox=\"0 0 760 "),
			 exported_count(html, "<div class=\"wide\"><svg "));
	assert_true(font * plot / 760 >= 9);
	narrow = least_between(html,
			       "<div class=\"narrow\"><svg role=\"img\" aria-labelledby=\"t2 "
			       "d2\" viewBox=\"0 0 ",
			       " ");
	assert_true(font * (360 - 47) / narrow >= 9);
	/* the box scrolls, the page does not */
	assert_non_null(strstr(html, ".wide{overflow-x:auto"));
	assert_int_equal(exported_count(html, "<table"),
			 exported_count(html, "<div class=\"wide\"><table"));
	free(html);
}

static void fewer_than_six_pairs_have_no_interval(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 5);
	html = page_of(&session);
	assert_null(strstr(html, "class=\"band\""));
	assert_non_null(strstr(html, "too few trials"));
	free(html);
}

static void five_thousand_workers_are_no_five_thousand_elements(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_tree(&session, 2);
	html = page_of(&session);
	assert_true(exported_count(html, "<") < 2000);
	assert_true(strlen(html) < 300000);
	assert_non_null(strstr(html, "of 5,000"));
	free(html);
}

/* So many workers for each case, all of cpu, and their slices. */
static void of_cpu_workers(struct synthetic *session, uint32_t workers)
{
	for (uint32_t i = 0; i < session->cases; i++) {
		struct plan *plan = &session->list[i].plan;

		memset(plan->leaves, 0, sizeof(plan->leaves));
		plan->leaves[WORK_CPU] = plan->fanout[0] = workers;
	}
	session->slices = true;
}

/* The width of what has that title. */
static double width_of(const char *html, const char *title)
{
	const char *at = strstr(html, title);
	double x, y, w;

	assert_non_null(at);
	at = strstr(at, " d=\"M");
	assert_int_equal(sscanf(at, " d=\"M%lf %lfh%lf", &x, &y, &w), 3);
	return w;
}

/* Whether what has that title is drawn in a class of that name. */
static bool is_of_class(const char *html, const char *title, const char *name)
{
	const char *at = strstr(html, title);
	char class[64];

	assert_non_null(at);
	at = strstr(at, "class=\"");
	assert_int_equal(sscanf(at, "class=\"%63[^\"]", class), 1);
	return strlen(class) >= strlen(name) &&
	       strcmp(class + strlen(class) - strlen(name), name) == 0;
}

static void a_bar_says_when_its_worker_was_on_which_core(void **state)
{
	static const struct sample_slice list[] = {
		{100000000, 140000000, 6, 1, WHY_BLOCKED, .waker = -1, .ready_ns = -1},
		{160000000, 181500000, 6, 0, WHY_PREEMPTED, .waker = -1, .ready_ns = 150000000},
		{150000000, 160000000, SAMPLE_OTHERS, 0, .waker = -1, .ready_ns = -1}};
	static const char *const titles[] = {
		"<title>io0: on core 1 from 100.000 ms for 40.0 ms</title>",
		"<title>io0: blocked from 140.000 ms for 10.0 ms</title>",
		"<title>io0: waits for a core from 150.000 ms for 10.0 ms</title>",
		"<title>io0: on core 0 from 160.000 ms for 21.5 ms</title>",
		"<title>core 1: io0 from 100.000 ms for 40.0 ms</title>",
		"<title>core 0: others from 150.000 ms for 10.0 ms</title>"};
	static const char throttled[] =
		"<title>io0: throttled by its quota from 150.000 ms for 10.0 ms</title>";
	struct model_throttle throttle = {.from_ns = 149000000, .to_ns = 158000000};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {3, list}};
	struct synthetic session;
	struct model model;
	char *html;

	synthetic_mixed(&session, 1);
	session.stop_ns = 500000000;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	html = exported_model(export_html, &model);
	assert_sound(html);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		assert_int_equal(exported_count(html, titles[i]), 1);
	assert_true(is_of_class(html, titles[1], "lb"));
	assert_true(is_of_class(html, titles[2], " lw"));
	/* 40 ms are as much wider than 21.5 ms, to the hundredth of a step of either */
	assert_true(fabs(width_of(html, titles[0]) / width_of(html, titles[3]) - 40 / 21.5) < 1e-3);
	assert_true(fabs(width_of(html, titles[0]) / width_of(html, titles[4]) - 1) < 1e-3);
	assert_null(strstr(html, "throttled by"));
	free(html);
	model.runs[0].throttles = &throttle;
	model.runs[0].n_throttles = 1;
	html = exported_model(export_html, &model);
	assert_sound(html);
	assert_int_equal(exported_count(html, titles[2]), 0);
	assert_true(is_of_class(html, throttled, "lt"));
	assert_true(exported_count(html, "throttled by its quota</span>") > 0);
	free(html);
	model.runs[0].throttles = NULL;
	model.runs[0].n_throttles = 0;
	model_free(&model);
}

/* The first figure of the timelines. */
static char *first_timeline(const struct model *model)
{
	char *html = exported_model(export_html, model), *figure;
	const char *at = strstr(strstr(html, "<h2>Timelines"), "<svg role");

	assert_sound(html);
	figure = strndup(at, (size_t)(strstr(at, "</figure>") - at));
	free(html);
	return figure;
}

/* The time in which all stood still for their memory to be read is part of the axis. */
static void a_run_that_was_held_is_drawn_to_its_end(void **state)
{
	struct synthetic session;
	struct model model;
	char *plain, *held;

	synthetic_mixed(&session, 1);
	session.slices = true;
	synthetic_model(&session, &model);
	plain = first_timeline(&model);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.elapsed_ns -= 1000000000;
		model.runs[i].totals.held_ns = 1000000000;
	}
	held = first_timeline(&model);
	assert_string_equal(held, plain);
	free(plain);
	free(held);
	model_free(&model);
}

/* The shares of a model's columns, weighted by their lengths, beside those of its worker. */
static void columns_add_up_to_the_share_of_the_worker(void **state)
{
	struct synthetic session;
	struct model_shares shares;
	struct model model;
	double sum = 0, all = 0, from, length, share;
	char *html;

	synthetic_mixed(&session, 1);
	session.slices = true;
	synthetic_model(&session, &model);
	html = exported_model(export_html, &model);
	for (const char *at = html; (at = strstr(at, "<title>cpu0 from ")); at++) {
		char unit[8];

		assert_int_equal(sscanf(at, "<title>cpu0 from %lf ms for %lf %7[^:]: on a core %lf",
					&from, &length, unit, &share),
				 4);
		length *= strcmp(unit, "ms") == 0 ? 1 : 1e-3;
		sum += length * share / 100;
		all += length;
		if (from + length > 2900)
			break;
	}
	model_shares_until(&model, &model.runs[0], 0, INT64_MAX, &shares);
	assert_true(all > 2500);
	assert_true(fabs(sum - shares.ns[STATE_ON] / 1e6) < 0.02 * sum);
	assert_sound(html);
	assert_true(strlen(html) < 1000000);
	free(html);
	model_free(&model);
}

/* However many lanes: eight cases of as many workers as have rows. */
static void lanes_are_bounded(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 1);
	for (int i = 4; i < 10; i++)
		synthetic_add(&session, "threads", "", i * INT64_C(1000000000));
	of_cpu_workers(&session, 48);
	html = page_of(&session);
	assert_non_null(strstr(html, "<title>cpu47"));
	assert_true(exported_count(html, "<title>") < 12000);
	assert_true(strlen(html) < 2500000);
	free(html);
}

static void thousands_have_the_shares_of_their_levels(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 1);
	of_cpu_workers(&session, 5000);
	html = page_of(&session);
	assert_non_null(strstr(html, "<title>level 1 from "));
	assert_non_null(strstr(html, "<title>core 1"));
	assert_true(strlen(html) < 600000);
	free(html);
}

static void an_hour_is_no_longer_page_than_a_minute(void **state)
{
	struct synthetic session;
	char *minute, *hour;

	synthetic_mixed(&session, 1);
	session.span_ns[0] = session.span_ns[1] = 60000000000;
	minute = page_of(&session);
	session.span_ns[0] = session.span_ns[1] = 3600000000000;
	hour = page_of(&session);
	assert_true(strlen(hour) < 2 * strlen(minute));
	free(minute);
	free(hour);
}

static void a_flat_tree_puts_its_branches_together(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_tree(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++) {
		session.list[i].plan.levels = 1;
		session.list[i].plan.fanout[0] = 5000;
	}
	html = page_of(&session);
	assert_non_null(strstr(html, ">1 \xe2\x80\x93 209<"));
	assert_non_null(strstr(html, ">4808 \xe2\x80\x93 5000<"));
	free(html);
}

/* Three cases of the threads model, the last with those variables. */
static void make_sweep(struct synthetic *session, const char *last)
{
	synthetic_mixed(session, 6);
	session->cases = 1;
	variables_parse(&session->list[0].variables, "workers=2");
	synthetic_add(session, "threads", "workers=4", 4000000000);
	synthetic_add(session, "threads", last, 5000000000);
}

static size_t curves_of(const struct synthetic *session)
{
	struct model model;
	size_t n;

	synthetic_model(session, &model);
	n = metric_count(metric_curves_of(&model));
	model_free(&model);
	return n;
}

static void a_sweep_over_three_numbers_is_a_curve(void **state)
{
	struct synthetic session;
	char *html;

	make_sweep(&session, "workers=8");
	html = page_of(&session);
	assert_non_null(strstr(html, ">elapsed time over workers<"));
	assert_int_equal(exported_count(html, "<path class=\"curve l0 d0"), curves_of(&session));
	assert_non_null(strstr(html, ">threads, workers=4: "));
	free(html);
	make_sweep(&session, "workers=4");
	html = page_of(&session);
	assert_null(strstr(html, "<path class=\"curve l0 d0"));
	free(html);
	make_sweep(&session, "tree=20x3x82");
	html = page_of(&session);
	assert_null(strstr(html, "<path class=\"curve l0 d0"));
	assert_null(strstr(html, "<h2>Over"));
	free(html);
}

static void what_is_no_number_has_a_bar_for_each_value(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_shapes(&session, 2);
	html = page_of(&session);
	assert_non_null(strstr(html, "<h2>Over tree<"));
	assert_non_null(strstr(html, "<h3>So far threads stack=16K lead at every value"));
	/* each has its hue, as in the other figures */
	assert_int_equal(exported_count(html, "<path class=\"curve l5 d0 faint"),
			 curves_of(&session));
	free(html);
}

static void each_kind_of_work_has_a_figure(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_scaling(&session, 1);
	for (uint32_t i = 0; i < session.cases; i++)
		synthetic_vary(&session.list[i].variables, "work=%s;workers=%u",
			       i < 8 ? "cpu" : "io", i / 2 % 4 + 1);
	html = page_of(&session);
	assert_int_equal(exported_count(html, ">elapsed time over workers<"), 2);
	assert_non_null(strstr(html, "<h3>cpu: "));
	assert_non_null(strstr(html, "<h3>io: "));
	assert_non_null(strstr(html, ">cpu: threads / processes<"));
	assert_non_null(strstr(html, "too few trials"));
	free(html);
}

static void a_crossover_is_marked_and_told_with_its_interval(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_scaling(&session, 12);
	html = page_of(&session);
	assert_true(exported_count(html, "<line class=\"meet\"") >= 2);
	assert_non_null(strstr(html, ">5.2 (4 to 6)</text>"));
	assert_non_null(strstr(html, "<h3>Where the curves cross</h3>"));
	assert_non_null(strstr(html, "<td>5.2 (4 to 6)</td>"));
	free(html);
	for (uint32_t i = 0; i < session.cases; i += 2)
		session.span_ns[i] *= 2;
	html = page_of(&session);
	assert_null(strstr(html, " (4 to 6)"));
	assert_non_null(strstr(html, "<td>none found</td>"));
	free(html);
}

static void no_crossover_is_claimed_between_recordings(void **state)
{
	struct synthetic session;
	struct model parts[2], model;
	char *html;

	synthetic_scaling(&session, 12);
	for (int i = 0; i < 2; i++)
		synthetic_model(&session, &parts[i]);
	snprintf(parts[1].session.machine.host, sizeof(parts[1].session.machine.host), "laptop");
	assert_int_equal(model_join(parts, 2, &model), 0);
	html = exported_model(export_html, &model);
	assert_sound(html);
	assert_int_equal(exported_count(html, "<td>5.2 (4 to 6)</td>"), 2);
	assert_int_equal(exported_count(html, ">5.2 (4 to 6)</text>"), 2);
	assert_non_null(strstr(html, "between them no crossover is claimed"));
	free(html);
	model_free(&model);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
}

static void a_page_of_recordings_begins_with_the_machine_of_each(void **state)
{
	struct synthetic session;
	struct model parts[2], model;
	char *html, *title;

	synthetic_mixed(&session, 1);
	for (int i = 0; i < 2; i++)
		synthetic_model(&session, &parts[i]);
	snprintf(parts[1].session.machine.host, sizeof(parts[1].session.machine.host), "laptop");
	assert_int_equal(model_join(parts, 2, &model), 0);
	html = exported_model(export_html, &model);
	assert_sound(html);
	assert_int_equal(exported_count(html, "<p class=\"kicker\">"), 2);
	title = strstr(html, "<h1>");
	assert_non_null(title);
	*title = '\0';
	assert_non_null(strstr(html, " · laptop"));
	free(html);
	model_free(&model);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
}

static void a_warning_follows_the_verdict(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 6);
	html = page_of(&session);
	assert_null(strstr(html, "<p class=\"warning\">"));
	free(html);
	session.others = 300;
	html = page_of(&session);
	assert_non_null(strstr(html, "<p class=\"warning\">! other programs used 30 % of"));
	free(html);
}

static void creation_has_histograms_and_percentiles(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_creation(&session, 6);
	html = page_of(&session);
	assert_non_null(strstr(html, "<h2>Time to create a task</h2>"));
	/* two histograms for each of sixteen cases on one core, one for the clock */
	assert_int_equal(exported_count(html, "<path class=\"cpu\""), 16 + 21);
	assert_int_equal(exported_count(html, "<path class=\"io\""), 14 + 21);
	assert_int_equal(exported_count(html, ">to the caller</td>"), 16 + 21);
	assert_int_equal(exported_count(html, ">until joined</td>"), 14 + 21);
	assert_int_equal(exported_count(html, ">34-94</td>"), 2 * 4);
	assert_int_equal(exported_count(html, ">same core, 75 %</td>"), 7 * 3);
	assert_int_equal(exported_count(html, ">other core, 25 %</td>"), 7 * 3);
	assert_non_null(strstr(html, "nothing that is expected here"));
	assert_non_null(strstr(html, "the clock itself 22 ns"));
	/* runs that create different numbers of tasks are no curve of elapsed time */
	assert_null(strstr(html, "<h2>Over ballast"));
	free(html);
}

static void creation_that_was_cut_is_a_page(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_creation(&session, 1);
	session.stop_ns = 100000000;
	html = page_of(&session);
	assert_non_null(strstr(html, ">not measured</text>"));
	free(html);
}

static void what_failed_is_told_and_not_counted(void **state)
{
	static const enum sample_status ends[] = {SAMPLE_FAILED, SAMPLE_CRASHED,
						  SAMPLE_INTERRUPTED};
	struct synthetic session;
	char *html;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		synthetic_mixed(&session, 2);
		session.broken_run = 0;
		session.broken = ends[i];
		html = page_of(&session);
		assert_non_null(strstr(html, "not counted. worker 4"));
		assert_non_null(strstr(html, ">1 of 2<"));
		free(html);
	}
}

static void a_crash_is_crossed_in_its_timeline(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 1);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	html = page_of(&session);
	assert_int_equal(exported_count(html, "<line class=\"cross\""), 2);
	assert_non_null(strstr(html, ">crashed</text>"));
	free(html);
}

static void many_cores_are_a_heat_map_with_a_gap_for_the_unknown(void **state)
{
	struct synthetic session;
	char *html;

	synthetic_mixed(&session, 1);
	session.cores = 64;
	html = page_of(&session);
	assert_int_equal(exported_count(html, "? not known"), 1);
	assert_int_equal(exported_count(html, "\"user a5\""), 1);
	free(html);
}

static void hostile_texts_are_text(void **state)
{
	struct synthetic session;
	char *html;

	exported_hostile(&session);
	html = page_of(&session);
	assert_true(exported_count(html, "a&quot;b, &lt;/script&gt;&lt;script&gt;alert('x')") > 5);
	free(html);
}

static void a_session_that_was_cut_is_a_page_at_any_time(void **state)
{
	struct synthetic session;

	for (int64_t stop_ns = 0; stop_ns < 8000; stop_ns += 170) {
		synthetic_mixed(&session, 1);
		session.stop_ns = stop_ns * 1000000;
		free(page_of(&session));
	}
}

static void no_session_is_a_page_that_says_so(void **state)
{
	struct model model;
	char *html = NULL;
	size_t size;
	FILE *out = open_memstream(&html, &size);

	model_init(&model);
	assert_int_equal(export_html(&model, out), 0);
	fclose(out);
	assert_balanced(html);
	assert_non_null(strstr(html, "Nothing has been recorded."));
	free(html);
}

struct two {
	struct model models[2];
};

/* The second has no session. */
static int two_scenes(void *arg, size_t i, struct export_scene *scene)
{
	struct two *two = arg;
	const struct export_scene made = {EXPORTED_HOSTILE, EXPORTED_HOSTILE "\n\nlast", "note",
					  "tuibench", i == 1 ? NULL : &two->models[i / 2]};

	*scene = made;
	return 0;
}

static void a_lecture_is_one_page_of_its_scenes(void **state)
{
	struct two two;
	const struct export_lecture lecture = {EXPORTED_HOSTILE, 3, two_scenes, &two};
	struct synthetic session;
	char *html = NULL;
	size_t size;
	FILE *out = open_memstream(&html, &size);

	assert_non_null(out);
	exported_hostile(&session);
	synthetic_model(&session, &two.models[0]);
	synthetic_scaling(&session, 6);
	synthetic_model(&session, &two.models[1]);
	assert_int_equal(export_lecture_html(&lecture, out), 0);
	fclose(out);
	assert_sound(html);
	assert_int_equal(exported_count(html, "<h1>"), 1);
	assert_int_equal(exported_count(html, "<section class=\"scene\"><h2>"), 3);
	assert_int_equal(exported_count(html, "<h2>"), 3);
	assert_int_equal(exported_count(html, "class=\"verdict"), 2);
	assert_int_equal(exported_count(html, "<h4>Results</h4>"), 2);
	assert_int_equal(exported_count(html, "<h4>Over workers</h4>"), 1);
	assert_int_equal(exported_count(html, "Speaker's notes"), 3);
	assert_int_equal(exported_count(html, "How to read it"), 1);
	assert_int_equal(exported_count(html, "<p class=\"caption\">last</p>"), 3);
	free(html);
	model_free(&two.models[0]);
	model_free(&two.models[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_tells_verdict_results_workers_memory_cores_and_machine),
		cmocka_unit_test(an_axis_of_nothing_ends_at_one),
		cmocka_unit_test(a_mark_stands_for_each_trial),
		cmocka_unit_test(labels_of_plots_are_legible_on_a_telephone),
		cmocka_unit_test(fewer_than_six_pairs_have_no_interval),
		cmocka_unit_test(five_thousand_workers_are_no_five_thousand_elements),
		cmocka_unit_test(a_bar_says_when_its_worker_was_on_which_core),
		cmocka_unit_test(a_run_that_was_held_is_drawn_to_its_end),
		cmocka_unit_test(columns_add_up_to_the_share_of_the_worker),
		cmocka_unit_test(lanes_are_bounded),
		cmocka_unit_test(thousands_have_the_shares_of_their_levels),
		cmocka_unit_test(an_hour_is_no_longer_page_than_a_minute),
		cmocka_unit_test(a_flat_tree_puts_its_branches_together),
		cmocka_unit_test(a_sweep_over_three_numbers_is_a_curve),
		cmocka_unit_test(what_is_no_number_has_a_bar_for_each_value),
		cmocka_unit_test(each_kind_of_work_has_a_figure),
		cmocka_unit_test(a_crossover_is_marked_and_told_with_its_interval),
		cmocka_unit_test(no_crossover_is_claimed_between_recordings),
		cmocka_unit_test(a_page_of_recordings_begins_with_the_machine_of_each),
		cmocka_unit_test(a_warning_follows_the_verdict),
		cmocka_unit_test(creation_has_histograms_and_percentiles),
		cmocka_unit_test(creation_that_was_cut_is_a_page),
		cmocka_unit_test(what_failed_is_told_and_not_counted),
		cmocka_unit_test(a_crash_is_crossed_in_its_timeline),
		cmocka_unit_test(many_cores_are_a_heat_map_with_a_gap_for_the_unknown),
		cmocka_unit_test(hostile_texts_are_text),
		cmocka_unit_test(a_lecture_is_one_page_of_its_scenes),
		cmocka_unit_test(a_session_that_was_cut_is_a_page_at_any_time),
		cmocka_unit_test(no_session_is_a_page_that_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
