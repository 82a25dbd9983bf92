/* SPDX-License-Identifier: MIT */
#include "result/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stage/check.h"
#include "stage/synthetic.h"
#include "view/view.h"

/* Tests of made-up recordings of several machines. */

static const int64_t now_s = 2000000000;

/* Adds a recording of a machine with that label, without writing a file. */
static struct machines_recording *add(struct machines *machines, const char *label,
				      struct synthetic *session)
{
	char path[128];
	struct model model;

	synthetic_model(session, &model);
	snprintf(model.session.machine.label, MACHINE_TEXT, "%s", label);
	snprintf(model.session.machine.id, MACHINE_ID, "%.15s", label);
	snprintf(path, sizeof(path), "/nowhere/drop-%s.csv", label);
	assert_int_equal(machines_add(machines, path, now_s, &model, ""), 0);
	model_free(&model);
	return &machines->list[machines->n - 1];
}

static struct machines three_machines(void)
{
	static const char *const labels[] = {"anna", "ben", "carl"};
	struct machines machines = {.now_s = now_s};
	struct synthetic session;

	for (size_t i = 0; i < 3; i++) {
		synthetic_mixed(&session, 6);
		add(&machines, labels[i], &session);
	}
	return machines;
}

static void expect(struct machines *machines, const char *text)
{
	FILE *names = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(names);
	assert_int_equal(machines_expect(machines, names), 0);
	fclose(names);
}

static void assert_trouble(const struct machines *machines, enum machines_trouble kind,
			   const char *expected)
{
	char line[1024];

	assert_int_equal(machines_trouble(machines, kind, line, sizeof(line)), expected != NULL);
	if (expected)
		assert_string_equal(line, expected);
}

static void who_is_expected_and_has_not_reported_is_named(void **state)
{
	struct machines machines = three_machines();
	struct synthetic session;

	assert_trouble(&machines, MACHINES_MISSING, NULL);
	expect(&machines,
	       "# the class\nanna\ndrop-ben\r\n\ndora: no route to host\nemil  # late\n");
	assert_trouble(&machines, MACHINES_MISSING,
		       "2 of 4 have not reported: dora (no route to host), emil.");
	synthetic_mixed(&session, 6);
	add(&machines, "dora", &session);
	assert_trouble(&machines, MACHINES_MISSING, "1 of 4 has not reported: emil.");
	/* The list has grown, and no name occurs twice. */
	expect(&machines, "anna\nemil\nemil: exit status 3\nfrida\n");
	assert_trouble(&machines, MACHINES_MISSING,
		       "2 of 3 have not reported: emil (exit status 3), frida.");
	expect(&machines, "anna\n");
	assert_trouble(&machines, MACHINES_MISSING, NULL);
	machines_free(&machines);
}

static void of_many_who_are_missing_the_first_are_named(void **state)
{
	struct machines machines = three_machines();

	expect(&machines, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nanna\n");
	assert_trouble(&machines, MACHINES_MISSING,
		       "10 of 11 have not reported: a, b, c, d, e, f, g, h and 2 more.");
	machines_free(&machines);
}

static void a_recording_without_an_end_says_whether_it_grows(void **state)
{
	struct machines machines = three_machines();
	struct synthetic session;
	struct machines_recording *dora;

	assert_trouble(&machines, MACHINES_UNFINISHED, NULL);
	synthetic_mixed(&session, 6);
	session.stop_ns = 20000000000;
	dora = add(&machines, "dora", &session);
	dora->written_s = now_s - 2;
	assert_trouble(&machines, MACHINES_UNFINISHED, "1 has no end yet: dora.");
	dora->written_s = now_s - 184;
	assert_trouble(&machines, MACHINES_UNFINISHED,
		       "1 has no end yet: dora (nothing new for 3:04 min).");
	machines_free(&machines);
}

static void failed_runs_are_counted_and_their_reason_is_given(void **state)
{
	struct machines machines = three_machines();
	struct synthetic session;

	assert_trouble(&machines, MACHINES_FAILED, NULL);
	synthetic_mixed(&session, 6);
	session.broken_run = 5;
	session.broken = SAMPLE_CRASHED;
	add(&machines, "dora", &session);
	/* The user stopped this session. */
	session.broken = SAMPLE_INTERRUPTED;
	add(&machines, "emil", &session);
	assert_int_equal(machines.list[3].failed, 1);
	assert_int_equal(machines.list[4].failed, 0);
	snprintf(machines.list[3].failure, sizeof(machines.list[3].failure), "exit status 3");
	machines.list[3].runs = 12;
	assert_trouble(&machines, MACHINES_FAILED,
		       "1 has failed runs: dora (1 of 12: exit status 3).");
	machines_free(&machines);
}

static void a_recording_without_two_pairs_says_whether_it_goes_on(void **state)
{
	struct machines machines = {.now_s = now_s};
	struct synthetic session;

	synthetic_mixed(&session, 1);
	assert_string_equal(add(&machines, "anna", &session)->why,
			    "no two models have two pairs of trials");
	session.stop_ns = 600000000;
	assert_string_equal(add(&machines, "ben", &session)->why, "no two pairs of trials yet");
	machines_free(&machines);
}

static void a_recording_that_grew_takes_its_own_place(void **state)
{
	struct machines machines = three_machines();
	struct synthetic session;

	synthetic_mixed(&session, 6);
	add(&machines, "ben", &session);
	assert_true(machines.n == 3 && machines.n_machines == 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(machines.list[i].number, i);
	machines_free(&machines);
}

static void the_experiment_of_most_machines_is_pooled(void **state)
{
	struct machines machines = {.now_s = now_s};
	struct synthetic session;
	struct machines_answer answer;
	int err;

	synthetic_tree(&session, 6);
	add(&machines, "tree", &session);
	assert_string_equal(machines_main(&machines)->experiment, "tree");
	synthetic_mixed(&session, 6);
	for (size_t i = 0; i < 3; i++)
		add(&machines, ((const char *const[]) {"anna", "ben", "carl"})[i], &session);
	assert_ptr_equal(machines_main(&machines), &machines.list[1]);
	assert_string_equal(machines_left_out(machines_main(&machines), &machines.list[0]),
			    "another experiment");
	assert_true(machines_answer(&machines, 0, MACHINES_BY_RATIO, &answer, &err));
	assert_int_equal(answer.n, 3);
	machines_answer_free(&answer);
	/* A recording that is read again counts once. */
	synthetic_tree(&session, 6);
	for (size_t i = 0; i < 4; i++)
		add(&machines, "tree", &session);
	assert_string_equal(machines_main(&machines)->experiment, "mixed");
	machines_free(&machines);
}

static void set_machine(struct machines_recording *recording, const char *cpu, int32_t cores)
{
	snprintf(recording->machine.cpu, MACHINE_TEXT, "%s", cpu);
	recording->machine.cores_allowed = cores;
}

/*
 * Returns n machines, each with one of two models of CPU. Ratios on the second model are 1.2 times
 * those on the first.
 */
static struct machines many_machines(size_t n)
{
	struct machines machines = {.now_s = now_s};
	struct synthetic session;
	uint64_t random = 5;
	char label[32];

	synthetic_mixed(&session, 6);
	for (size_t i = 0; i < n; i++) {
		struct machines_recording *one;

		snprintf(label, sizeof(label), "m%03zu", i);
		one = add(&machines, label, &session);
		set_machine(one, i % 3 ? "Zen" : "Atom", i % 3 ? 16 : 4);
		for (uint32_t k = 0; k < one->n_values; k++) {
			one->values[k].estimate =
				(i % 3 ? 0.182 : 0) + 0.02 * random_normal(&random);
			one->values[k].variance = 1e-4;
		}
	}
	return machines;
}

static void machines_are_grouped_by_a_field(void **state)
{
	struct machines machines = many_machines(30);
	struct machines_answer answer;
	int err;

	machines.group = machines_field("cpu");
	assert_non_null(machines.group);
	assert_true(machines_answer(&machines, 0, MACHINES_BY_RATIO, &answer, &err));
	assert_int_equal(answer.n_groups, 2);
	assert_string_equal(answer.groups[0].name, "Atom");
	assert_true(answer.groups[0].first == 0 && answer.groups[0].n == 10);
	assert_true(answer.groups[1].first == 10 && answer.groups[1].n == 20);
	assert_float_equal(answer.groups[0].ratio.estimate, 1, 0.03);
	assert_float_equal(answer.groups[1].ratio.estimate, 1.2, 0.03);
	assert_true(answer.groups[0].ratio.high < answer.groups[1].ratio.low);
	assert_float_equal(answer.groups[0].weight + answer.groups[1].weight, 1, 1e-9);
	for (size_t i = 0; i < answer.n; i++) {
		assert_int_equal(answer.rows[i].group, i >= 10);
		if (i % 10 != 0)
			assert_true(answer.rows[i - 1].ratio.estimate <=
				    answer.rows[i].ratio.estimate);
	}
	machines_answer_free(&answer);
	/* Numbers are sorted by value, not by digits. */
	machines.group = machines_field("cores_allowed");
	assert_true(machines_answer(&machines, 0, MACHINES_BY_ARRIVAL, &answer, &err));
	assert_string_equal(answer.groups[0].name, "4");
	assert_string_equal(answer.groups[1].name, "16");
	machines_answer_free(&answer);
	machines_free(&machines);
}

static void rows_by_arrival_go_by_when_their_files_were_written(void **state)
{
	struct machines machines = many_machines(6);
	struct machines_answer answer;
	int err;

	for (size_t i = 0; i < machines.n; i++)
		machines.list[i].written_s = now_s - (int64_t)(i * 7 % machines.n);
	assert_true(machines_answer(&machines, 0, MACHINES_BY_ARRIVAL, &answer, &err));
	assert_int_equal(answer.n, 6);
	for (size_t i = 1; i < answer.n; i++)
		assert_true(answer.rows[i - 1].recording->written_s <
			    answer.rows[i].recording->written_s);
	machines_answer_free(&answer);
	machines_free(&machines);
}

static void the_next_field_is_one_that_machines_differ_in(void **state)
{
	struct machines machines = many_machines(6);
	const struct field *field = machines_next_field(&machines, NULL);

	assert_string_equal(field->name, "cpu");
	field = machines_next_field(&machines, field);
	assert_string_equal(field->name, "cores_allowed");
	assert_null(machines_next_field(&machines, field));
	snprintf(machines.list[5].machine.smt, MACHINE_TEXT, "off");
	field = machines_next_field(&machines, field);
	assert_string_equal(field->name, "smt");
	assert_null(machines_field("id"));
	assert_null(machines_field(""));
	machines_free(&machines);
}

static void assert_screen(const struct machines *machines, struct view_machines *view, int width,
			  int height, const char *has, const char *has_not)
{
	struct canvas canvas = {.width = 0};
	char *text;

	assert_int_equal(canvas_resize(&canvas, width, height), 0);
	assert_int_equal(view_machines_draw(&canvas, machines, view), 0);
	text = canvas_to_text(&canvas);
	assert_non_null(text);
	if (!strstr(text, has) || strstr(text, has_not))
		fail_msg("%dx%d: \"%s\", not \"%s\":\n%s", width, height, has, has_not, text);
	free(text);
	canvas_free(&canvas);
}

static void many_machines_are_densities_and_few_are_rows(void **state)
{
	struct view_machines view = {.notice = ""};
	struct machines machines = many_machines(MACHINES_DENSE + 1);

	for (int width = 80; width <= 120; width += 40) {
		assert_screen(&machines, &view, width, 36, "all machines", "weight");
		machines.group = machines_field("cpu");
		assert_screen(&machines, &view, width, 24, "Atom", "weight");
		view.rows = true;
		assert_screen(&machines, &view, width, 24, "weight", "all machines");
		view.rows = false;
		machines.group = NULL;
	}
	machines_free(&machines);
	machines = many_machines(9);
	assert_screen(&machines, &view, 80, 24, "m00", "Atom");
	machines.group = machines_field("cpu");
	assert_screen(&machines, &view, 80, 24, "Atom", "all machines");
	/* In the smallest sizes nothing fits. */
	for (int size = 1; size < 40; size++) {
		view.scroll = size;
		assert_screen(&machines, &view, size, size, "", "no such text");
	}
	machines_free(&machines);
}

static void a_reason_that_is_long_has_several_rows(void **state)
{
	struct view_machines view = {.notice = ""};
	struct machines machines = three_machines();

	expect(&machines,
	       "dora: ssh: connect to host dora.example.org port 22: Connection refused\n");
	assert_screen(&machines, &view, 80, 24, "Connection refused).", "no such text");
	for (int size = 1; size < 40; size++)
		assert_screen(&machines, &view, size, size, "", "no such text");
	machines_free(&machines);
}

static void densities_count_each_machine_once(void **state)
{
	struct machines machines = many_machines(200);
	struct machines_answer answer;
	unsigned counts[40], most, sum = 0;
	struct machines_group all = {.n = 200};
	int err;

	assert_true(machines_answer(&machines, 0, MACHINES_BY_RATIO, &answer, &err));
	assert_int_equal(answer.n, all.n);
	most = machines_density(&answer, &all, counts, 40);
	for (size_t i = 0; i < 40; i++) {
		sum += counts[i];
		assert_true(counts[i] <= most);
	}
	assert_int_equal(sum, 200);
	/* Values beyond the ends are drawn at the ends. */
	answer.low = 5;
	answer.high = 6;
	machines_density(&answer, &all, counts, 40);
	assert_int_equal(counts[0], 200);
	machines_answer_free(&answer);
	machines_free(&machines);
}

static void machines_of_one_name_are_told_apart_by_their_files(void **state)
{
	static const char *const ids[] = {"1", "2", "2", "3"};
	struct machines machines = {.now_s = now_s};
	struct synthetic session;
	struct model model;
	char path[128];

	synthetic_mixed(&session, 6);
	for (size_t i = 0; i < 4; i++) {
		synthetic_model(&session, &model);
		snprintf(model.session.machine.host, MACHINE_TEXT, "debian");
		snprintf(model.session.machine.label, MACHINE_TEXT, "%s", i == 3 ? "debian" : "");
		snprintf(model.session.machine.id, MACHINE_ID, "%s", ids[i]);
		snprintf(path, sizeof(path), "/nowhere/lab%zu.csv", i);
		assert_int_equal(machines_add(&machines, path, now_s, &model, ""), 0);
		model_free(&model);
		if (i == 0)
			assert_string_equal(machines.list[0].name, "debian");
	}
	assert_int_equal(machines.n_machines, 3);
	assert_string_equal(machines.list[0].name, "lab0");
	assert_string_equal(machines.list[1].name, "lab1");
	assert_string_equal(machines.list[3].name, "debian (lab3)");
	expect(&machines, "debian\nlab2\nlab3\nlab9\n");
	assert_trouble(&machines, MACHINES_MISSING, "1 of 4 has not reported: lab9.");
	machines_free(&machines);
}

static void an_interval_that_says_nothing_is_short(void **state)
{
	const struct stats_interval usual = {1, 0.94, 1.22}, nothing = {1, 1e-11, 1e11};

	assert_string_equal(MACHINES_INTERVAL(&usual), "0.94 to 1.22");
	assert_string_equal(MACHINES_INTERVAL(&nothing), "<.001 to >999");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_expected_and_has_not_reported_is_named),
		cmocka_unit_test(of_many_who_are_missing_the_first_are_named),
		cmocka_unit_test(a_recording_without_an_end_says_whether_it_grows),
		cmocka_unit_test(failed_runs_are_counted_and_their_reason_is_given),
		cmocka_unit_test(a_recording_without_two_pairs_says_whether_it_goes_on),
		cmocka_unit_test(a_recording_that_grew_takes_its_own_place),
		cmocka_unit_test(the_experiment_of_most_machines_is_pooled),
		cmocka_unit_test(machines_are_grouped_by_a_field),
		cmocka_unit_test(rows_by_arrival_go_by_when_their_files_were_written),
		cmocka_unit_test(the_next_field_is_one_that_machines_differ_in),
		cmocka_unit_test(many_machines_are_densities_and_few_are_rows),
		cmocka_unit_test(a_reason_that_is_long_has_several_rows),
		cmocka_unit_test(densities_count_each_machine_once),
		cmocka_unit_test(machines_of_one_name_are_told_apart_by_their_files),
		cmocka_unit_test(an_interval_that_says_nothing_is_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
