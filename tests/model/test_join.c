/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include "stage/check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/report.h"
#include "stage/synthetic.h"

#define TRIALS 6

/* Makes a session of two models and six trials on a machine of that name. */
static void make_part(struct model *part, const char *host, int64_t stop_ns)
{
	struct synthetic session;

	synthetic_mixed(&session, TRIALS);
	session.stop_ns = stop_ns;
	session.host = host;
	synthetic_model(&session, part);
}

static void join_two(const char *a, const char *b, struct model *out)
{
	struct model parts[2];

	make_part(&parts[0], a, INT64_MAX);
	make_part(&parts[1], b, INT64_MAX);
	snprintf(parts[1].session.machine.kernel, sizeof(parts[1].session.machine.kernel), "5.10");
	assert_int_equal(model_join(parts, out), 0);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void cases_are_named_by_their_machine(void **state)
{
	struct model model;
	char name[SAMPLE_NAME];

	join_two("desktop", "laptop", &model);
	assert_int_equal(model.n_cases, 4);
	assert_string_equal(model_case_name(&model, 0, name, sizeof(name)), "threads @desktop");
	assert_string_equal(model_case_name(&model, 3, name, sizeof(name)), "processes @laptop");
	assert_string_equal(model_origin(&model, 1)->name, "desktop");
	assert_string_equal(model_origin(&model, 2)->name, "laptop");
	model_free(&model);
}

static void long_names_stay_whole_beside_their_machine(void **state)
{
	char longest[SAMPLE_LABEL], host[24 + 1], wanted[SAMPLE_MODEL];
	struct model parts[2], model;

	(void)state;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	memset(host, 'h', sizeof(host) - 1);
	host[sizeof(host) - 1] = '\0';
	make_part(&parts[0], "desktop", INT64_MAX);
	make_part(&parts[1], host, INT64_MAX);
	snprintf(parts[1].cases[0].model, SAMPLE_LABEL, "%s", longest);
	longest[40] = 'y';
	snprintf(parts[1].cases[1].model, SAMPLE_LABEL, "%s", longest);
	assert_int_equal(model_join(parts, &model), 0);
	snprintf(wanted, sizeof(wanted), "%s @%s", longest, host);
	assert_string_equal(model.cases[3].model, wanted);
	longest[40] = 'x';
	snprintf(wanted, sizeof(wanted), "%s @%s", longest, host);
	assert_string_equal(model.cases[2].model, wanted);
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void one_machine_on_two_days_is_named_with_the_day(void **state)
{
	struct model parts[2], model;

	for (int later = 0; later <= 1; later++) {
		make_part(&parts[0], "desktop", INT64_MAX);
		make_part(&parts[1], "desktop", INT64_MAX);
		parts[1].session.wall_s += later * 26 * 3600;
		assert_int_equal(model_join(parts, &model), 0);
		if (later) {
			assert_int_equal(strncmp(model.origins[0].name, "desktop ", 8), 0);
			assert_int_equal(strlen(model.origins[0].name), strlen("desktop 11-20"));
		} else { /* in the same second */
			assert_string_equal(model.origins[0].name, "desktop#1");
			assert_string_equal(model.origins[1].name, "desktop#2");
		}
		model_free(&model);
		model_free(&parts[0]);
		model_free(&parts[1]);
	}
}

static void runs_take_turns_and_keep_their_durations(void **state)
{
	struct model single, model;

	make_part(&single, "desktop", INT64_MAX);
	join_two("desktop", "laptop", &model);
	assert_int_equal(model.n_runs, 2 * single.n_runs);
	assert_int_equal(model.planned, 2 * single.planned);
	for (size_t i = 0; i < model.n_runs; i++) {
		const struct model_run *run = &model.runs[i], *was = &single.runs[i / 2];

		assert_int_equal(run->id.run, i);
		assert_int_equal(run->id.case_id, was->id.case_id + 2 * (i % 2));
		assert_int_equal(run->id.trial, was->id.trial);
		assert_int_equal(run->end_ns - run->begin_ns, was->end_ns - was->begin_ns);
		assert_int_equal(run->totals.begin_ns, run->begin_ns);
		assert_int_equal(run->n_points, was->n_points);
		assert_int_equal(run->points[0].time_ns - run->begin_ns,
				 was->points[0].time_ns - was->begin_ns);
		assert_true(i == 0 || run->begin_ns >= model.runs[i - 1].end_ns);
	}
	assert_true(model.done);
	assert_int_equal(model.done_ns, model.newest_ns);
	model_free(&single);
	model_free(&model);
}

static void loads_are_in_order_with_columns_for_each_machine(void **state)
{
	struct model single, model;
	size_t unknown[2] = {0, 0};

	make_part(&single, "desktop", INT64_MAX);
	join_two("desktop", "laptop", &model);
	assert_int_equal(model.n_loads, 2 * single.n_loads);
	assert_int_equal(model.n_cores, 2 * single.n_cores);
	for (size_t i = 0; i < model.n_loads; i++) {
		const struct sample_core *row = model.cores + i * model.n_cores;
		bool first = row[0].user >= 0, second = row[single.n_cores].user >= 0;

		assert_true(first != second); /* a tick is of one machine only */
		unknown[first]++;
		for (uint32_t c = 0; c < model.n_cores; c++)
			assert_int_equal(row[c].cpu, c);
		if (i == 0)
			continue;
		assert_true(model.loads[i].time_ns >= model.loads[i - 1].time_ns);
		assert_true(model.loads[i].self_cpu_us >= model.loads[i - 1].self_cpu_us);
	}
	assert_int_equal(unknown[0], unknown[1]);
	model_free(&single);
	model_free(&model);
}

static void no_interval_is_claimed_across_recordings(void **state)
{
	struct model_comparison apart, within;
	struct model model;
	char text[1024];

	join_two("desktop", "laptop", &model);
	assert_int_equal(model_compare(&model, 0, 2, METRIC_ELAPSED, &apart), 0);
	assert_int_equal(apart.verdict, STATS_UNPAIRED);
	assert_int_equal(apart.pairs, 0);
	assert_true(fabs(apart.ratio.estimate - 1) < 1e-9); /* twice the same session */
	assert_true(isnan(apart.ratio.low) && isnan(apart.ratio.high));
	assert_string_equal(report_verdict(&apart), "untested");
	assert_int_equal(model_compare(&model, 2, 3, METRIC_ELAPSED, &within), 0);
	assert_int_equal(within.pairs, TRIALS);
	assert_false(isnan(within.ratio.low));
	headline_line(&model, text, sizeof(text));
	assert_non_null(strstr(text, "; threads @laptop "));
	assert_non_null(strstr(text, "processes @laptop"));
	model_free(&model);
}

/* One session wrote one file, the other many: the name is the same, but not the work. */
static void a_mistake_on_purpose_is_compared_with_no_recording_without_it(void **state)
{
	for (int mistaken = 0; mistaken < 2; mistaken++) {
		struct model parts[2], model;
		char text[1024];
		uint32_t across = 0;

		make_part(&parts[0], "desktop", INT64_MAX);
		make_part(&parts[1], "laptop", INT64_MAX);
		for (uint32_t i = 0; i < parts[1].n_cases; i++)
			parts[1].cases[i].mistakes.share_file = mistaken;
		assert_int_equal(model_join(parts, &model), 0);
		for (uint32_t a = 0, b = 0; report_next_pair(&model, &a, &b);)
			across += model_origin(&model, a) != model_origin(&model, b);
		assert_int_equal(across, mistaken ? 0 : 2);
		report_differences(&model, text, sizeof(text));
		assert_int_equal(strstr(text, "deliberate mistakes") != NULL, mistaken);
		model_free(&model);
		model_free(&parts[0]);
		model_free(&parts[1]);
	}
}

static void differences_between_the_joined_recordings_are_reported(void **state)
{
	struct model model;
	char text[256];

	join_two("desktop", "laptop", &model);
	assert_true(report_differences(&model, text, sizeof(text)));
	assert_string_equal(text, "The recordings differ in host (desktop and laptop), "
				  "kernel (6.1.0-18-amd64 and 5.10)");
	model_free(&model);
	make_part(&model, "desktop", INT64_MAX);
	assert_false(report_differences(&model, text, sizeof(text)));
	model_free(&model);
}

/* Joins two recordings of one machine, after set() has changed the second session. */
static const char *differ(void (*set)(struct model *second), char *buf, size_t size)
{
	struct model parts[2], model;

	for (int i = 0; i < 2; i++) {
		struct sample_session *session = &parts[i].session;

		make_part(&parts[i], "desktop", INT64_MAX);
		snprintf(session->environment, sizeof(session->environment),
			 "nice=0;policy=other;stack=8M;TMPDIR=/tmp");
		snprintf(session->machine.filesystem, MACHINE_TEXT, "ext4");
		for (uint32_t k = 0; k < parts[i].n_cases; k++)
			parts[i].cases[k].work_size[WORK_CPU] = 1 << 20;
	}
	set(&parts[1]);
	assert_int_equal(model_join(parts, &model), 0);
	report_differences(&model, buf, size);
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
	return buf;
}

static void set_nothing_that_matters(struct model *second)
{
	snprintf(second->session.options, sizeof(second->session.options),
		 "tuibench --log other.csv --label mine --seed 5 --theme light");
	second->session.seed = 5;
	second->session.machine.memory_kb += 40;
	snprintf(second->session.environment, sizeof(second->session.environment),
		 "nice=0;policy=other;stack=8M;TMPDIR=/var/tmp");
}

static void set_surroundings(struct model *second)
{
	snprintf(second->session.environment, sizeof(second->session.environment),
		 "nice=5;policy=other;stack=8M;LD_BIND_NOW=1;MALLOC_ARENA_MAX=1");
	snprintf(second->session.machine.filesystem, MACHINE_TEXT, "tmpfs");
	second->session.machine.memory_limit_kb = 1 << 20;
}

static void set_nothing_known(struct model *second)
{
	second->session.environment[0] = second->session.machine.filesystem[0] = '\0';
}

static void set_work(struct model *second)
{
	for (uint32_t i = 0; i < second->n_cases; i++)
		second->cases[i].work_size[WORK_CPU] = 2 << 20;
}

static void only_what_changes_figures_is_a_difference(void **state)
{
	char text[512];

	assert_string_equal(differ(set_nothing_that_matters, text, sizeof(text)), "");
	assert_string_equal(differ(set_nothing_known, text, sizeof(text)), "");
	assert_string_equal(differ(set_surroundings, text, sizeof(text)),
			    "The recordings differ in memory's limit (none and 1.0 GiB), TMPDIR's "
			    "file system (ext4 and tmpfs), nice (0 and 5), LD_BIND_NOW (not set "
			    "and 1), MALLOC_ARENA_MAX (not set and 1)");
	assert_string_equal(differ(set_work, text, sizeof(text)),
			    "The recordings differ in the work of one cpu worker (1M and 2M)");
}

static void a_run_that_was_cut_off_ends_where_its_recording_does(void **state)
{
	struct model parts[2], model;
	const struct model_run *cut;

	make_part(&parts[0], "desktop", INT64_C(1200000000));
	make_part(&parts[1], "laptop", INT64_MAX);
	assert_int_equal(parts[0].n_runs, 1);
	assert_int_equal(model_join(parts, &model), 0);
	cut = &model.runs[0];
	assert_true(model_ended(&model, cut));
	assert_int_equal(cut->totals.status, SAMPLE_INTERRUPTED);
	assert_true(model.runs[1].begin_ns >= cut->end_ns);
	assert_false(model.done);
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void messages_say_whose_they_are(void **state)
{
	struct sample sample = {.kind = SAMPLE_MESSAGE,
				.message = {.kind = MESSAGE_NO_PSS, .text = "hot"}};
	struct model parts[2], model;

	make_part(&parts[0], "desktop", INT64_MAX);
	make_part(&parts[1], "laptop", INT64_MAX);
	sample.time_ns = parts[1].newest_ns;
	assert_int_equal(model_apply(&parts[1], &sample), 0);
	assert_int_equal(model_join(parts, &model), 0);
	assert_string_equal(model.messages[model.n_messages - 1].text, "laptop: hot");
	assert_int_equal(model.messages[model.n_messages - 1].kind, MESSAGE_NO_PSS);
	assert_true(model.messages[model.n_messages - 1].time_ns <= model.newest_ns);
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_are_named_by_their_machine),
		cmocka_unit_test(long_names_stay_whole_beside_their_machine),
		cmocka_unit_test(one_machine_on_two_days_is_named_with_the_day),
		cmocka_unit_test(runs_take_turns_and_keep_their_durations),
		cmocka_unit_test(loads_are_in_order_with_columns_for_each_machine),
		cmocka_unit_test(no_interval_is_claimed_across_recordings),
		cmocka_unit_test(a_mistake_on_purpose_is_compared_with_no_recording_without_it),
		cmocka_unit_test(differences_between_the_joined_recordings_are_reported),
		cmocka_unit_test(only_what_changes_figures_is_a_difference),
		cmocka_unit_test(a_run_that_was_cut_off_ends_where_its_recording_does),
		cmocka_unit_test(messages_say_whose_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
