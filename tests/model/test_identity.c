/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>

#include "draw/canvas.h"
#include "draw/theme.h"
#include "model/model.h"

static void check(const char *const names[], const char *const varied[], const char *expected)
{
	static struct sample_case cases[8];
	struct model model = {.cases = cases};
	char found[64] = "";

	for (; names[model.n_cases]; model.n_cases++) {
		struct sample_case *one = &cases[model.n_cases];

		*one = (struct sample_case) {0};
		snprintf(one->model, sizeof(one->model), "%s", names[model.n_cases]);
		variables_parse(&one->variables, varied ? varied[model.n_cases] : "");
	}
	for (uint32_t i = 0; i < model.n_cases; i++)
		snprintf(found + i, sizeof(found) - i, "%u", model_identity(&model, i));
	assert_string_equal(found, expected);
}

static void the_three_kinds_have_their_own_in_every_order(void **state)
{
	check((const char *[]) {"threads", "processes", "hybrid", NULL}, NULL, "012");
	check((const char *[]) {"hybrid:2x3", "processes", NULL}, NULL, "21");
	check((const char *[]) {"processes", "threads", NULL}, NULL, "10");
}

/* An A/A check, three trees, a second machine, which has not hybrid's. */
static void cases_that_are_compared_have_different_identities(void **state)
{
	check((const char *[]) {"threads", "threads#2", NULL}, NULL, "03");
	check((const char *[]) {"threads", "threads", "threads", NULL},
	      (const char *[]) {"tree=5000", "tree=50x99", "tree=20x3x82"}, "034");
	check((const char *[]) {"threads @a", "processes @a", "threads @b", "processes @b", NULL},
	      NULL, "0134");
}

static void points_of_one_curve_share_theirs(void **state)
{
	check((const char *[]) {"threads", "processes", "threads", "processes", NULL},
	      (const char *[]) {"work=cpu;workers=2", "work=cpu;workers=2", "work=cpu;workers=4",
				"work=cpu;workers=4"},
	      "0101");
}

static void eight_models_have_eight_identities(void **state)
{
	check((const char *[]) {"pthread", "clone", "fork", "vfork", "spawn", "exec", "pool",
				"prefork", NULL},
	      NULL, "01234567");
	check((const char *[]) {"threads", "processes", "a", "b", "c", "d", "e", "f", NULL}, NULL,
	      "01345672");
}

/* As on a terminal without colours, and without UTF-8. */
static void shapes_differ_in_ascii_too(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, IDENTITIES, 2), 0);
	for (int i = 0; i < IDENTITIES; i++)
		for (int y = 0; y < 2; y++)
			canvas_put(&canvas, i, y, identity_glyph((uint32_t)i),
				   STYLE(identity_colour((uint32_t)i)));
	canvas_to_ascii(&canvas);
	for (int i = 0; i < IDENTITIES; i++)
		for (int j = 0; j < i; j++) {
			assert_int_not_equal(identity_glyph((uint32_t)i),
					     identity_glyph((uint32_t)j));
			assert_int_not_equal(canvas.cells[i].glyph, canvas.cells[j].glyph);
			assert_int_not_equal(canvas.cells[i].style.fg, canvas.cells[j].style.fg);
			assert_in_range(canvas.cells[i].glyph, '!', '~');
		}
	canvas_free(&canvas);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_three_kinds_have_their_own_in_every_order),
		cmocka_unit_test(cases_that_are_compared_have_different_identities),
		cmocka_unit_test(points_of_one_curve_share_theirs),
		cmocka_unit_test(eight_models_have_eight_identities),
		cmocka_unit_test(shapes_differ_in_ascii_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
