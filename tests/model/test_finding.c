/* SPDX-License-Identifier: MIT */
#include "model/finding.h"

#include "stage/check.h"

#include "stage/synthetic.h"

#define SECOND 1000000000ll

static struct finding_lead lead_of(const struct synthetic *session, uint32_t first)
{
	struct finding_lead lead;
	struct model model;

	synthetic_model(session, &model);
	assert_int_equal(finding_lead(&model, first, model.n_cases - 1, &lead), 0);
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
	lead = lead_of(&session, 0);
	assert_int_equal(lead.lead, 2);
	assert_int_equal(lead.others, 2);
	assert_int_equal(lead.real, 2);
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
	lead = lead_of(&session, 0);
	assert_int_equal(lead.lead, 1);
	assert_int_equal(lead.next.a, 0);
	assert_int_equal(lead.next.b, 1);
	assert_int_equal(lead.next.verdict, STATS_B);
}

static void a_case_that_was_never_measured_neither_leads_nor_runs_up(void **state)
{
	struct synthetic session;
	struct finding_lead lead;

	synthetic_mixed(&session, 1);
	synthetic_add(&session, "hybrid:2x4", "", 2 * SECOND);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	lead = lead_of(&session, 0);
	assert_int_equal(lead.pairs, 0);
	assert_int_equal(lead.lead, 2);
	assert_int_equal(lead.next.a, 2);
	assert_int_equal(lead.next.b, 1);
}

static void a_swept_value_has_a_lead_of_its_own(void **state)
{
	struct synthetic session;
	struct finding_lead low, high;

	synthetic_scaling(&session, 6);
	low = lead_of(&session, 0);
	high = lead_of(&session, session.cases - 2);
	assert_int_equal(low.others, 1);
	assert_int_equal(low.lead, 0);
	assert_int_equal(high.others, 1);
	assert_int_equal(high.lead, session.cases - 1);
}

static void one_case_leads_nobody(void **state)
{
	struct synthetic session;
	struct finding_lead lead;

	synthetic_mixed(&session, 6);
	session.cases = 1;
	lead = lead_of(&session, 0);
	assert_int_equal(lead.lead, 0);
	assert_int_equal(lead.others, 0);
	assert_int_equal(lead.pairs, UINT32_MAX);
}

/* What two have left to do has ended once both have. */
static void several_have_ended_once_all_have(void **state)
{
	for (int i = 0; i < 4; i++) {
		struct finding_progress progress = {.pairs = 4, .planned = 6, .ended = i & 1};
		const struct finding_progress other = {.pairs = 3, .planned = 7, .ended = i & 2};

		finding_behind(&progress, &other);
		assert_int_equal(progress.ended, i == 3);
		assert_int_equal(progress.pairs, 3);
		assert_int_equal(progress.planned, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fastest_meets_the_runner_up),
		cmocka_unit_test(of_two_both_keep_their_sides),
		cmocka_unit_test(a_case_that_was_never_measured_neither_leads_nor_runs_up),
		cmocka_unit_test(a_swept_value_has_a_lead_of_its_own),
		cmocka_unit_test(one_case_leads_nobody),
		cmocka_unit_test(several_have_ended_once_all_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
