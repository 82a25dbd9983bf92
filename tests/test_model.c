/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synthetic.h"

#define MS 1000000ll

static void same_samples_make_equal_models(void **state)
{
	struct synthetic session;
	struct model a, b;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &a);
	synthetic_model(&session, &b);
	assert_true(model_equal(&a, &b));
	a.runs[1].workers[7].join_ns++;
	assert_false(model_equal(&a, &b));
	model_free(&a);
	model_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_samples_make_equal_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
