/* SPDX-License-Identifier: MIT */
#include "check_rows.h"

#include <math.h>

#include "base/sentence.h"
#include "base/units.h"

/* Rounded up: what is claimed is never less than what was measured. */
static double percent_up(double share)
{
	return ceil(share * 1000) / 10;
}

/* "differences above 1.2 % in elapsed time" */
static void add_claim(struct sentence *to, const struct check_report *report,
		      enum check_claim claim, bool with_figure)
{
	double least = check_least_difference(report), ns = check_least_time(report);

	switch (claim) {
	case CLAIM_DIFFERENCES:
		sentence_add(to, "differences ");
		if (with_figure && !isnan(least))
			sentence_add(to, "above %.1f %% ", percent_up(least));
		sentence_add(to, "in elapsed time");
		break;
	case CLAIM_TIMES:
		sentence_add(to, "elapsed times as such");
		break;
	case CLAIM_CPU:
		sentence_add(to, "CPU times");
		break;
	default:
		sentence_add(to, "single times");
		if (with_figure && !isnan(ns))
			sentence_add(to, " from %s on", UNITS_TIME((int64_t)ceil(ns), true));
	}
}

static int count(const struct check_report *report, enum check_trust trust)
{
	int n = 0;

	for (int claim = 0; claim < CLAIMS; claim++)
		n += check_trust(report, (enum check_claim)claim) == trust;
	return n;
}

/* "A, B and C": the claims of one kind. */
static void add_claims(struct sentence *to, const struct check_report *report,
		       enum check_trust trust)
{
	int n = count(report, trust), said = 0;

	for (int i = 0; i < CLAIMS; i++) {
		enum check_claim claim = (enum check_claim)i;

		if (check_trust(report, claim) != trust)
			continue;
		sentence_add(to, "%s", said == 0 ? "" : said + 1 < n ? ", " : " and ");
		add_claim(to, report, claim, trust == TRUST_YES);
		if (trust == TRUST_NO) {
			/* " (others' load, steal)": the rows that speak against it. */
			const char *before = " (";

			for (int id = 0; id < CHECKS; id++) {
				if (check_rows[id].claim != claim ||
				    check_state(report, (enum check_id)id) != CHECK_OFF)
					continue;
				sentence_add(to, "%s%s", before, check_rows[id].title);
				before = ", ";
			}
			sentence_add(to, ")");
		}
		said++;
	}
}

char *check_sentence(const struct check_report *report, char *buf, size_t size)
{
	struct sentence to = {buf, size, 0};
	int yes = count(report, TRUST_YES), no = count(report, TRUST_NO);
	int unchecked = count(report, TRUST_UNCHECKED);

	buf[0] = '\0';
	sentence_add(&to, "This machine ");
	if (yes) {
		sentence_add(&to, "can be trusted for ");
		add_claims(&to, report, TRUST_YES);
	}
	if (no) {
		sentence_add(&to, yes ? "; not, as it is now, for "
				      : "cannot be trusted, as it is now, for ");
		add_claims(&to, report, TRUST_NO);
	}
	if (unchecked) {
		sentence_add(&to, yes || no ? "; unknown are " : "could not be checked for ");
		add_claims(&to, report, TRUST_UNCHECKED);
	}
	sentence_add(&to, ".");
	return buf;
}
