/* SPDX-License-Identifier: MIT */
#include "core/variables.h"

#include "stage/check.h"

#include <math.h>
#include <string.h>

static struct variables parse(const char *text)
{
	struct variables variables = {0};

	variables_parse(&variables, text);
	return variables;
}

static void expect(const char *text, const char *again)
{
	struct variables variables = parse(text);
	char buf[64];

	assert_string_equal(variables_format(&variables, ';', buf, sizeof(buf)), again);
}

static void a_text_reads_back_as_it_was_written(void **state)
{
	struct variables variables = {0};
	char buf[64];

	variables_add(&variables, "work", "mem");
	variables_add(&variables, "size", "16K");
	assert_string_equal(variables_format(&variables, ';', buf, sizeof(buf)),
			    "work=mem;size=16K");
	assert_string_equal(variables_format(&variables, ' ', buf, sizeof(buf)),
			    "work=mem size=16K");
	assert_true(isnan(variables.list[0].number));
	assert_true(variables.list[1].number == 16384);
	assert_true(isnan(parse("tree=50x99").list[0].number));
	expect("work=mem;tree=50x99;stack=default", "work=mem;tree=50x99;stack=default");
	expect("", "");
}

static void malformed_variables_do_no_harm(void **state)
{
	char text[256];

	expect(";;", "");
	expect("a", "a=");
	expect("a=", "a=");
	expect("=;=", "=");
	expect("a=1;;b", "a=1;b=");
	expect("a=1;a=2", "a=1");
	expect("a=1=2", "a=1=2");
	expect("a_very_long_name_of_a_variable_of_a_session=1",
	       "a_very_long_name_of_a_variable_of_a_ses=1");
	expect("a=1;b=2;c=3;d=4;e=5;f=6;g=7;h=8;i=9;j=10;k=11",
	       "a=1;b=2;c=3;d=4;e=5;f=6;g=7;h=8;i=9;j=10");
	/* its last character would be incomplete, which JSON does not allow */
	expect("a_very_long_name_of_a_variable_of_a_se\u00e9=1",
	       "a_very_long_name_of_a_variable_of_a_se=1");
	memset(text, '9', sizeof(text));
	memcpy(text, "n=", 2);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(strlen(parse(text).list[0].value), VARIABLE_VALUE - 1);
}

static void a_text_that_is_too_long_is_cut(void **state)
{
	struct variables variables = parse("work=mem;size=16K");
	char buf[12];

	assert_string_equal(variables_format(&variables, ';', buf, sizeof(buf)), "work=mem;si");
	assert_string_equal(variables_format(&variables, ';', buf, 1), "");
}

static void a_variable_is_found_by_its_whole_name(void **state)
{
	struct variables variables = parse("workers=4;work=fp");

	assert_string_equal(variables_find(&variables, "work")->value, "fp");
	assert_null(variables_find(&variables, "wor"));
	assert_null(variables_find(&variables, ""));
}

static bool is_stack(const struct variable *variable)
{
	return strcmp(variable->name, "stack") == 0;
}

static void variables_are_equal_but_for_some(void **state)
{
	struct variables a = parse("work=fp;workers=4"), b = parse("work=fp;workers=8;stack=16K");
	struct variables c = parse("work=fp;workers=8");

	assert_false(variables_equal(&b, &c));
	assert_false(variables_equal(&c, &b));
	assert_true(variables_equal_but(&b, &c, is_stack));
	assert_true(variables_equal_but(&c, &b, is_stack));
	assert_false(variables_equal_but(&a, &b, is_stack));
	assert_true(variables_equal(&a, &a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_reads_back_as_it_was_written),
		cmocka_unit_test(malformed_variables_do_no_harm),
		cmocka_unit_test(a_text_that_is_too_long_is_cut),
		cmocka_unit_test(a_variable_is_found_by_its_whole_name),
		cmocka_unit_test(variables_are_equal_but_for_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
