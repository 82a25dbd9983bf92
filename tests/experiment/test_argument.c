/* SPDX-License-Identifier: MIT */
#include "experiment/argument.h"

#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
	struct request request;
	struct experiment experiment;
	const char *programs[16];
	char error[512];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	request_init(&f->request);
	f->request.programs = f->programs;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void add_program(struct fixture *f, const char *program)
{
	f->programs[f->request.n_programs++] = program;
}

static void set(struct fixture *f, const char *setting)
{
	size_t n = 0;

	while (f->request.settings[n])
		n++;
	f->request.settings[n] = setting;
}

static int build(struct fixture *f)
{
	f->error[0] = '\0';
	return experiment_build(&f->request, &f->experiment, f->error, sizeof(f->error));
}

static void refused(struct fixture *f, const char *line)
{
	assert_int_equal(build(f), -EINVAL);
	assert_string_equal(f->error, line);
}

/* Returns the words of a case's command, with "|" between them. */
static const char *words_of(struct fixture *f, uint32_t case_id, int64_t trial)
{
	static char words[COMMAND_BYTES];
	char *end = words;
	int n = argument_words(&f->experiment, case_id, trial, words);

	assert_true(n > 0);
	for (int i = 0; i < n - 1; i++) {
		end += strlen(end);
		*end++ = '|';
	}
	return words;
}

static void only_a_name_in_single_braces_is_replaced(void **state)
{
	static const struct {
		const char *typed, *run, *command;
	} commands[] = {
		{"true {n}", "true|4", "true 4"},
		{"true a{n}b{n}", "true|a4b4", "true a4b4"},
		{"t{r}u{e} 1", "true|1", "true 1"},
		{"true {{n}}", "true|{n}", "true {{n}}"},
		{"true {{{n}}}", "true|{4}", "true '{4}'"},
		{"true {{{{n}}}} {{n}", "true|{{n}}|{n}", "true {{{{n}}}} {{n}"},
		{"true {} {n}", "true|{}|4", "true '{}' 4"},
		{"true {} {{}} { } }{", "true|{}|{{}}|{|}|}{", "true {} {{}} { } }{"},
		{"true '{print $1}' '{ print }'", "true|{print $1}|{ print }",
		 "true '{print $1}' '{ print }'"},
		{"true '{\"a\":{\"b\":1}}' '{{.Names}}'", "true|{\"a\":{\"b\":1}}|{{.Names}}",
		 "true '{\"a\":{\"b\":1}}' '{{.Names}}'"},
		{"true '{if (x) {{print}}}'", "true|{if (x) {print}}", "true '{if (x) {{print}}}'"},
		{"true {1..3} {a,b} {1n} ${n} x{n", "true|{1..3}|{a,b}|{1n}|${n}|x{n",
		 "true {1..3} {a,b} {1n} ${n} x{n"},
		{"true \"{n} {text}\"", "true|4 a b", "true '4 a b'"},
		{"true {text}", "true|a b", "true 'a b'"},
		{"true {quote}{n}", "true|it's \"$4", "true 'it'\\''s \"$4'"},
		{"true {block-size_1}", "true|8", "true 8"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		const char *typed = commands[i].typed;

		f->request.n_programs = 0;
		memset(f->request.settings, 0, sizeof(f->request.settings));
		add_program(f, typed);
		if (strstr(typed, "{n}") && !strstr(typed, "{{n}}") && !strstr(typed, "${n}"))
			set(f, "n=4");
		if (strstr(typed, "{{{n}}}") && !strstr(typed, "{{{{"))
			set(f, "n=4");
		if (strstr(typed, "{r}")) {
			set(f, "r=r");
			set(f, "e=e");
		}
		if (strstr(typed, "{text}"))
			set(f, "text=a b");
		if (strstr(typed, "{quote}"))
			set(f, "quote=it's \"$");
		if (strstr(typed, "{block-size_1}"))
			set(f, "block-size_1=8");
		if (build(f))
			fail_msg("%s: %s", typed, f->error);
		assert_string_equal(words_of(f, 0, 1), commands[i].run);
		assert_string_equal(f->experiment.cases[0].command, commands[i].command);
	}
}

static void each_value_is_a_configuration_of_each_command(void **state)
{
	static const char *const commands[] = {"true cpu 2", "true cpu 3", "echo cpu 2",
					       "echo cpu 3"};
	struct fixture *f = *state;

	add_program(f, "true cpu {n}");
	add_program(f, "echo cpu {n}");
	set(f, "n=2..3");
	assert_int_equal(build(f), 0);
	assert_int_equal(f->experiment.n_cases, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct sample_case *one = &f->experiment.cases[i];
		bool found = false;

		for (size_t k = 0; k < 4; k++)
			found |= strcmp(one->command, commands[k]) == 0;
		assert_true(found);
		assert_string_equal(one->variables.list[0].name, "n");
		assert_int_equal((int)one->variables.list[0].number, one->command[9] - '0');
		assert_string_equal(one->model,
				    *one->command == 't' ? "true cpu {n}" : "echo cpu {n}");
	}
}

static void ranges_steps_and_texts_cross(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true {n} {kind} {s}");
	set(f, "n=1,10..30:10");
	set(f, "kind=small,very large");
	set(f, "s=1");
	assert_int_equal(build(f), 0);
	assert_int_equal(f->experiment.n_cases, 8);
	assert_string_equal(words_of(f, 7, 0), "true|30|very large|1");
	/* A setting with one value is in every command, and is not a variable. */
	assert_int_equal(f->experiment.cases[7].variables.n, 2);
}

static void one_command_with_values_is_compared_with_itself(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true {n}");
	set(f, "n=1,2");
	assert_int_equal(build(f), 0);
	assert_int_equal(f->experiment.n_cases, 2);
	assert_string_equal(f->experiment.cases[0].model, "true {n}");
	f->request.models = "threads,processes";
	assert_int_equal(build(f), 0);
	assert_int_equal(f->experiment.n_cases, 4);
	assert_string_equal(f->experiment.cases[0].model, "threads");
	f->request.models = NULL;
	f->request.settings[0] = "n=1";
	assert_int_equal(build(f), 0);
	assert_string_equal(f->experiment.cases[1].model, "processes");
}

static void cores_trial_and_model_are_known(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true {cores} {trial} {model}");
	f->request.models = "posix_spawn,threads";
	set(f, "cores=1");
	assert_int_equal(build(f), 0);
	assert_string_equal(words_of(f, 0, 0), "true|1|0|posix_spawn");
	assert_string_equal(words_of(f, 1, 12), "true|1|12|threads");
	assert_string_equal(f->experiment.cases[1].command, "true 1 '{trial}' threads");
	set(f, "trial=2");
	refused(f, "-s trial: tuibench fills in {trial} itself; choose another name");
}

static void settings_of_programs_are_filled_in_and_obeyed(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true {workers}");
	set(f, "workers=1,2");
	assert_int_equal(build(f), 0);
	assert_string_equal(words_of(f, 1, 1), "true|2");
	assert_int_equal(f->experiment.cases[1].plan.leaves[WORK_PROGRAM], 2);
}

/*
 * size is for workers that compute, stack for threads. A program has neither, so both are the
 * command's own.
 */
static void a_setting_of_other_work_is_the_commands(void **state)
{
	static const char *const settings[] = {"size=tiny,huge", "tasks=x,y", "via=a,b",
					       "stack=1,2", "alloc=no,yes"};
	struct fixture *f = *state;
	char program[64];

	add_program(f, program);
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		f->request.settings[0] = settings[i];
		snprintf(program, sizeof(program), "true {%.*s}", (int)strcspn(settings[i], "="),
			 settings[i]);
		if (build(f))
			fail_msg("%s: %s", settings[i], f->error);
		assert_int_equal(f->experiment.n_cases, 2);
		assert_string_equal(words_of(f, 1, 1) + strlen("true|"),
				    strrchr(settings[i], ',') + 1);
	}
}

static void a_name_needs_a_value_and_a_value_a_name(void **state)
{
	struct fixture *f = *state;

	add_program(f, "awk {print}");
	refused(f, "--command: \"awk {print}\" has {print} without a value; give some (-s "
		   "print=1,2,4), or type {{print}} for the text {print}");
	f->programs[0] = "true {n} {cores} {kind} {n}";
	set(f, "m=1");
	refused(f, "-s m: no command has {m}; the commands have {n}, {kind}");
	f->programs[0] = "true";
	refused(f, "-s m: no command has {m}; type {m} in -c where its values go");
	f->programs[0] = "tr{m}";
	refused(f, "--command: \"tr1\" is not in PATH; name a program or its path");
}

static void a_command_that_begins_with_an_assignment_is_told_what_to_type(void **state)
{
	static const struct {
		const char *command, *error;
	} rows[] = {
		{"A=./prog", "--command: \"A=./prog\" is not a program; to name a program, type "
			     "--name A -c './prog'"},
		{"old=true 1 2", "--command: \"old=true\" is not a program; to name a program, "
				 "type --name old -c 'true ...'"},
		{"N=3 true", "--command: \"N=3\" is not a program; to set an environment variable, "
			     "type -s env:N=3 -c 'true'"},
		{"N=3 true 1", "--command: \"N=3\" is not a program; to set an environment "
			       "variable, type -s env:N=3 -c 'true ...'"},
		{"./no=1", "--command: \"./no=1\" does not exist; name a program or its path"},
	};
	struct fixture *f = *state;

	add_program(f, "true");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		f->programs[0] = rows[i].command;
		refused(f, rows[i].error);
	}
}

static void what_runs_once_has_no_number_of_a_trial(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true");
	f->request.setup = "true {trial}";
	refused(f, "-s setup: runs once for all trials, so {trial} has no number; use -s prepare, "
		   "which runs before each, or type {{trial}}");
	f->request.setup = "true {{trial}} {cores}";
	f->request.prepare = "true {trial}";
	assert_int_equal(build(f), 0);
	f->request.cleanup = "true {trial}";
	refused(f, "-s cleanup: runs once for all trials, so {trial} has no number; use -s "
		   "prepare, which runs before each, or type {{trial}}");
}

/* hyperfine's -m 10 sets a number of trials. */
static void a_number_of_models_is_one_of_trials(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true");
	f->request.models = "10";
	refused(f,
		"--models: \"10\" is not a model (threads, processes, hybrid[:PxT]); a number of "
		"trials is -n 10");
}

static void what_is_too_long_with_its_value_is_refused(void **state)
{
	static char program[COMMAND_BYTES], value[COMMAND_BYTES];
	struct fixture *f = *state;

	memset(program, 'x', 3000);
	memcpy(program, "true {n}", strlen("true {n}"));
	memset(value, 'y', 1500);
	memcpy(value, "n=", 2);
	add_program(f, program);
	set(f, value);
	assert_int_equal(build(f), -EINVAL);
	assert_non_null(strstr(f->error, "4,096 bytes"));
}

static void an_anonymous_recording_has_numbers_and_no_texts(void **state)
{
	struct fixture *f = *state;
	char settings[256];

	f->request.anonymous = true;
	add_program(f, "true {n} {path}");
	set(f, "n=1,2");
	set(f, "path=/home/me,/root");
	assert_int_equal(build(f), 0);
	assert_string_equal(f->experiment.cases[3].variables.list[0].value, "2");
	assert_string_equal(f->experiment.cases[3].variables.list[1].value, "value 2");
	assert_string_equal(f->experiment.cases[3].command, "");
	assert_string_equal(experiment_settings(&f->request, settings, sizeof(settings)),
			    "n=1,2;path=(hidden)");
	assert_string_equal(words_of(f, 3, 1), "true|2|/root");
}

static void a_program_has_the_name_that_it_was_given(void **state)
{
	static const char *const names[] = {"progA", "threads"};
	struct fixture *f = *state;

	f->request.program_names = names;
	f->request.n_names = 2;
	add_program(f, "true -a {n}");
	add_program(f, "true -b {n}");
	add_program(f, "true -c");
	set(f, "n=1,2");
	assert_int_equal(build(f), 0);
	assert_string_equal(f->experiment.cases[0].model, "progA");
	assert_string_equal(f->experiment.cases[0].command, "true -a 1");
	assert_string_equal(f->experiment.cases[2].model, "threads");
	assert_string_equal(f->experiment.cases[4].model, "true -c");
	/* Names can be shown; a case without a name gets a number. */
	f->request.anonymous = true;
	assert_int_equal(build(f), 0);
	assert_string_equal(f->experiment.cases[0].model, "progA");
	assert_string_equal(f->experiment.cases[4].model, "program 3");
	assert_string_equal(f->experiment.cases[0].command, "");
	f->request.anonymous = false;
	f->request.models = "threads,processes";
	assert_int_equal(build(f), 0);
	assert_string_equal(f->experiment.cases[0].model, "threads");
	assert_string_equal(f->experiment.cases[0].variables.list[0].value, "progA");
}

static void one_program_with_a_name_is_called_by_it(void **state)
{
	static const char *const names[] = {"a\033[31m;b"};
	struct fixture *f = *state;

	f->request.program_names = names;
	f->request.n_names = 1;
	add_program(f, "true");
	assert_int_equal(build(f), 0);
	assert_int_equal(f->experiment.n_cases, 1);
	assert_string_equal(f->experiment.cases[0].model, "a\\x1b[31m;b");
	assert_string_equal(f->experiment.title, "a\\x1b[31m;b");
}

static void no_two_programs_are_called_alike(void **state)
{
	static const char *const alike[] = {"a", "a"}, *const typed[] = {"true -b"};
	static const char *const numbered[] = {"a#2", "a", "a#3"};
	static char text[2][200];
	static const char *const texts[] = {text[0], text[1]};
	struct fixture *f = *state;

	add_program(f, "true -a");
	add_program(f, "true -b");
	f->request.n_names = 2;
	f->request.program_names = alike;
	refused(f, "--name: \"a\" names two programs; choose another");
	f->request.n_names = 1;
	f->request.program_names = typed;
	refused(f, "--name: \"true -b\" names two programs; choose another");
	f->request.n_names = 3;
	f->request.program_names = numbered;
	refused(f, "--name: \"a#3\" names no program: the first --name is for the first -c, and so "
		   "on");
	f->request.n_names = 2;
	assert_int_equal(build(f), 0);
	assert_string_equal(f->experiment.cases[0].model, "a#2");
	assert_string_equal(f->experiment.cases[1].model, "a");
	/* A text that is too long keeps the part that distinguishes it. */
	memset(text, 'x', sizeof(text));
	text[0][sizeof(text[0]) - 1] = text[1][sizeof(text[1]) - 1] = '\0';
	text[1][100] = 'y';
	f->request.program_names = texts;
	assert_int_equal(build(f), 0);
	assert_string_not_equal(f->experiment.cases[0].model, f->experiment.cases[1].model);
}

/* The session varies the command, so no parameter may be named `command`. */
static void a_name_is_not_that_of_something_else_that_is_varied(void **state)
{
	struct fixture *f = *state;

	add_program(f, "true {command}");
	add_program(f, "echo {command}");
	set(f, "command=1,2");
	assert_int_equal(build(f), 0);
	f->request.models = "threads,processes";
	refused(f, "-s command=1,2: another setting of this session has that name; rename "
		   "{command}");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(only_a_name_in_single_braces_is_replaced),
		TEST(each_value_is_a_configuration_of_each_command),
		TEST(ranges_steps_and_texts_cross),
		TEST(one_command_with_values_is_compared_with_itself),
		TEST(cores_trial_and_model_are_known),
		TEST(settings_of_programs_are_filled_in_and_obeyed),
		TEST(a_setting_of_other_work_is_the_commands),
		TEST(a_name_needs_a_value_and_a_value_a_name),
		TEST(a_command_that_begins_with_an_assignment_is_told_what_to_type),
		TEST(what_runs_once_has_no_number_of_a_trial),
		TEST(a_number_of_models_is_one_of_trials),
		TEST(what_is_too_long_with_its_value_is_refused),
		TEST(an_anonymous_recording_has_numbers_and_no_texts),
		TEST(a_program_has_the_name_that_it_was_given),
		TEST(one_program_with_a_name_is_called_by_it),
		TEST(no_two_programs_are_called_alike),
		TEST(a_name_is_not_that_of_something_else_that_is_varied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
