/* SPDX-License-Identifier: MIT */
#include "result/finding.h"

#include "stage/check.h"

#include "stage/synthetic.h"

#define SECOND 1000000000ll

static struct finding_lead lead_of(const struct synthetic *session)
{
	static const uint32_t cases[] = {0, 1, 2};
	struct finding_lead lead;
	struct model model;

	synthetic_model(session, &model);
	assert_int_equal(finding_among(&model, cases, model.n_cases, METRIC_ELAPSED, &lead), 0);
	model_free(&model);
	return lead;
}

static void the_fastest_meets_the_runner_up(void **state)
{
	struct synthetic session;
	struct finding_lead lead;

	synthetic_mixed(&session, 8);
	session.span_ns[0] = 5 * SECOND;
	session.span_ns[1] = 3 * SECOND;
	synthetic_add(&session, "hybrid:2x4", "", 2 * SECOND);
	lead = lead_of(&session);
	assert_int_equal(lead.lead, 2);
	assert_int_equal(lead.others, 2);
	assert_int_equal(lead.sure, FINDING_REAL);
	assert_int_equal(lead.pairs, 8);
	assert_int_equal(lead.next.a, 2);
	assert_int_equal(lead.next.b, 1);
	assert_true(lead.next.ratio.estimate > 1.4 && lead.next.ratio.estimate < 1.6);
}

static void of_two_both_keep_their_sides(void **state)
{
	struct synthetic session;
	struct finding_lead lead;

	synthetic_mixed(&session, 6);
	session.span_ns[1] = 2 * SECOND;
	lead = lead_of(&session);
	assert_int_equal(lead.lead, 1);
	assert_int_equal(lead.next.a, 0);
	assert_int_equal(lead.next.b, 1);
	assert_int_equal(lead.next.verdict, STATS_B);
}

static void a_case_that_was_never_measured_is_neither_first_nor_second(void **state)
{
	struct synthetic session;
	struct finding_lead lead;

	synthetic_mixed(&session, 1);
	synthetic_add(&session, "hybrid:2x4", "", 2 * SECOND);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	lead = lead_of(&session);
	assert_int_equal(lead.pairs, 0);
	assert_int_equal(lead.lead, 2);
	assert_int_equal(lead.next.a, 2);
	assert_int_equal(lead.next.b, 1);
}

static void one_case_is_compared_with_nothing(void **state)
{
	struct synthetic session;
	struct finding_lead lead;

	synthetic_mixed(&session, 6);
	session.cases = 1;
	lead = lead_of(&session);
	assert_int_equal(lead.lead, 0);
	assert_int_equal(lead.others, 0);
	assert_int_equal(lead.pairs, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fastest_meets_the_runner_up),
		cmocka_unit_test(of_two_both_keep_their_sides),
		cmocka_unit_test(a_case_that_was_never_measured_is_neither_first_nor_second),
		cmocka_unit_test(one_case_is_compared_with_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
