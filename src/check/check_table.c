/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check_parts.h"
#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"

/* Plain ASCII, like every table of results. */

static const char *const state_names[] = {
	[CHECK_ABSENT] = "not available", [CHECK_OK] = "ok", [CHECK_OFF] = "off"};
static const char *const claim_names[] = {[CLAIM_DIFFERENCES] = "differences",
					  [CLAIM_TIMES] = "elapsed_times",
					  [CLAIM_CPU] = "cpu_times",
					  [CLAIM_SINGLE] = "single_times"};

static void add_measure(struct sentence *to, enum check_unit unit, double value)
{
	switch (unit) {
	case CHECK_NS:
		if (value < 1000)
			sentence_add(to, "%.0f ns", value);
		else
			sentence_add(to, "%s", UNITS_TIME(llround(value), true));
		break;
	case CHECK_SHARE:
		sentence_add(to, "%.1f %%", 100 * value);
		break;
	default:
		sentence_add(to, "%.3f", value);
	}
}

static void write_table_row(FILE *out, const char *title, const char *measured,
			    const char *expected, const char *state)
{
	fprintf(out, "%-16s  %-25s  %-20s%s%s\n", title, measured, expected, *state ? "  " : "",
		state);
}

static void write_check(const struct check_report *report, enum check_id id, FILE *out)
{
	const struct check_result *result = &report->results[id];
	const enum check_unit unit = check_rows[id].unit;
	char measured[64] = "", expected[64] = "", why[512] = "";
	struct sentence is = sentence_in(measured, sizeof(measured));
	struct sentence wanted = sentence_in(expected, sizeof(expected));
	struct sentence to_why = sentence_in(why, sizeof(why));
	double low, high;

	if (isnan(result->value))
		sentence_add(&is, "?");
	else
		add_measure(&is, unit, result->value);
	if (!isnan(result->value) && !isnan(result->low) && !isnan(result->high)) {
		sentence_add(&is, " (");
		add_measure(&is, unit, result->low);
		sentence_add(&is, " to ");
		add_measure(&is, unit, result->high);
		sentence_add(&is, ")");
	}
	check_range(report, id, &low, &high);
	if (low == high) {
		sentence_add(&wanted, "includes %.2f%s", low,
			     id == CHECK_INJECTED ? ", not 1" : "");
	} else {
		if (low != 0)
			add_measure(&wanted, unit, low);
		sentence_add(&wanted, low == 0 ? "up to " : " to ");
		add_measure(&wanted, unit, high);
	}
	write_table_row(out, check_rows[id].title, measured, expected,
			state_names[check_state(report, id)]);
	sentence_add(&to_why, "%s", check_rows[id].why);
	if (result->pairs)
		sentence_add(&to_why, "; %u pairs", result->pairs);
	if (result->again)
		sentence_add(&to_why, "; this is a second series, because the first was off");
	if (*check_note(report, id))
		sentence_add(&to_why, "; %s", check_note(report, id));
	sentence_wrap(out, why, 0, 4, "    ");
}

int check_write_table(const struct check_report *report, FILE *out)
{
	const struct machine *m = &report->machine;
	char date[40] = "?", sentence[1024], text[512] = "";
	struct sentence to = sentence_in(text, sizeof(text));
	struct tm utc;
	time_t wall = (time_t)report->wall_s;

	if (gmtime_r(&wall, &utc))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &utc);
	fprintf(out, "self-test of tuibench %s, %s, in %.0f s\n", TUIBENCH_VERSION, date,
		report->seconds);
	/* The text is like "Intel Xeon, 2 cores, kvm, Linux 6.18.44". */
	sentence_add(&to, "%s", sentence_text(m->cpu, "unknown processor"));
	if (m->cores_allowed > 0)
		sentence_add(&to, ", %d core%s", m->cores_allowed,
			     sentence_plural(m->cores_allowed));
	if (m->cores_online > m->cores_allowed)
		sentence_add(&to, " of %d", m->cores_online);
	if (*m->virtualization && strcmp(m->virtualization, "none") != 0)
		sentence_add(&to, ", %s", m->virtualization);
	sentence_add(&to, ", Linux %s", sentence_text(m->kernel, "?"));
	sentence_wrap(out, text, 0, 0, "");
	fputc('\n', out);
	write_table_row(out, "check", "measured", "expected", "state");
	for (int id = 0; id < CHECKS; id++)
		write_check(report, (enum check_id)id, out);
	fputc('\n', out);
	sentence_wrap(out, check_sentence(report, sentence, sizeof(sentence)), 0, 0, "");
	if (fflush(out) || ferror(out))
		return -EIO;
	return 0;
}

/*
 * Adds a claim: "differences above 1.2 % in elapsed time"; without a figure, "differences in
 * elapsed time".
 */
static void add_claim(struct sentence *to, const struct check_report *report,
		      enum check_claim claim, bool with_figure)
{
	double least = check_least_difference(report), ns = check_least_time(report);

	switch (claim) {
	case CLAIM_DIFFERENCES:
		sentence_add(to, "differences ");
		if (with_figure && !isnan(least))
			/*
			 * Round up, so that the claim is never smaller than the measured
			 * difference.
			 */
			sentence_add(to, "above %.1f %% ", ceil(least * 1000) / 10);
		sentence_add(to, "in elapsed time");
		break;
	case CLAIM_TIMES:
		sentence_add(to, "absolute elapsed times");
		break;
	case CLAIM_CPU:
		sentence_add(to, "CPU times");
		break;
	default:
		sentence_add(to, "single times");
		if (with_figure && !isnan(ns))
			sentence_add(to, " of at least %s", UNITS_TIME((int64_t)ceil(ns), true));
	}
}

static int count_claims(const struct check_report *report, enum check_trust trust)
{
	int n = 0;

	for (int claim = 0; claim < CLAIMS; claim++)
		n += check_trust(report, (enum check_claim)claim) == trust;
	return n;
}

/* Adds all claims of one kind, as in "A, B and C". */
static void add_claims(struct sentence *to, const struct check_report *report,
		       enum check_trust trust)
{
	int n = count_claims(report, trust), said = 0;

	for (int i = 0; i < CLAIMS; i++) {
		enum check_claim claim = (enum check_claim)i;

		if (check_trust(report, claim) != trust)
			continue;
		if (said > 0)
			sentence_add(to, said + 1 < n ? ", " : " and ");
		add_claim(to, report, claim, trust == TRUST_YES);
		if (trust == TRUST_NO) {
			/* Adds the rows that failed, as in " (others' load, steal)". */
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
	/* A sentence for each kind of claims: the words before and after the claims. */
	static const struct {
		enum check_trust trust;
		const char *before, *after;
	} kinds[] = {
		{TRUST_YES, "Trust ", "."},
		{TRUST_NO, "Do not trust ", " now."},
		{TRUST_UNCHECKED, "", " could not be checked."},
	};
	struct sentence to = sentence_in(buf, size);

	for (size_t i = 0; i < LENGTH(kinds); i++) {
		size_t begin;

		if (count_claims(report, kinds[i].trust) == 0)
			continue;
		if (to.used > 0)
			sentence_add(&to, " ");
		begin = to.used;
		sentence_add(&to, "%s", kinds[i].before);
		add_claims(&to, report, kinds[i].trust);
		sentence_add(&to, "%s", kinds[i].after);
		sentence_begin(&to, begin);
	}
	return buf;
}

/*
 * Returns a text in which bytes that are no printable UTF-8 are masked, because texts about the
 * machine may have any bytes. Returns null if the text is empty.
 */
static json_t *masked_or_null(const char *s)
{
	char *copy = strdup(s);
	json_t *json;

	if (!copy)
		return NULL;
	utf8_mask(copy);
	if (*copy)
		json = json_string(copy);
	else
		json = json_null();
	free(copy);
	return json;
}

static json_t *real(double value)
{
	if (isfinite(value))
		return json_real(value);
	return json_null();
}

static json_t *json_count(int64_t value)
{
	if (value < 0)
		return json_null();
	return json_integer(value);
}

/*
 * Returns NULL if memory is short. The caller notices, because adding NULL to an array fails.
 */
/* clang-format off */
static json_t *check_row_json(const struct check_report *report, enum check_id id)
{
	static const char *const units[] = {
		[CHECK_NS] = "ns", [CHECK_RATIO] = "ratio", [CHECK_SHARE] = "share"};
	const struct check_result *result = &report->results[id];
	const struct check *check = &check_rows[id];
	double low, high;

	check_range(report, id, &low, &high);
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:s, s:o, s:s}",
		"check", check->name,
		"state", state_names[check_state(report, id)],
		"unit", units[check->unit],
		"value", real(result->value),
		"low", real(result->low),
		"high", real(result->high),
		"pairs", json_count(result->pairs ? (int64_t)result->pairs : -1),
		"second_series", (int)result->again,
		"expected_low", real(low),
		"expected_high", real(high),
		"why", check->why,
		"note", masked_or_null(check_note(report, id)),
		"for", claim_names[check->claim]);
}

int check_write_json(const struct check_report *report, FILE *out)
{
	const struct machine *m = &report->machine;
	json_t *rows = json_array(), *trusted = json_object(), *all;
	char sentence[1024];
	bool failed = false;
	int err = 0;

	for (enum check_claim claim = 0; claim < CLAIMS; claim++) {
		enum check_trust trust = check_trust(report, claim);

		failed |= json_object_set_new(trusted, claim_names[claim],
					      trust == TRUST_UNCHECKED
						      ? json_null()
						      : json_boolean(trust == TRUST_YES)) != 0;
	}
	for (enum check_id id = 0; id < CHECKS; id++)
		failed |= json_array_append_new(rows, check_row_json(report, id)) != 0;
	all = json_pack("{s:s, s:i, s:s, s:I, s:o, s:{s:o, s:o, s:o, s:o, s:o, s:o}, "
			"s:b, s:o, s:o, s:o, s:s, s:o}",
		"tuibench", TUIBENCH_VERSION,
		"schema", 1,
		"kind", "self-test",
		"begun_s", (json_int_t)report->wall_s,
		"seconds", real(report->seconds),
		"machine",
			"cpu", masked_or_null(m->cpu),
			"cores", json_count(m->cores_online),
			"cores_allowed", json_count(m->cores_allowed),
			"kernel", masked_or_null(m->kernel),
			"arch", masked_or_null(m->arch),
			"virtual", masked_or_null(m->virtualization),
		"passed", (int)check_passed(report),
		"trusted", trusted,
		"least_difference", real(check_least_difference(report)),
		"least_time_ns", real(check_least_time(report)),
		"sentence", check_sentence(report, sentence, sizeof(sentence)),
		"rows", rows);
	if (failed || !all)
		err = -ENOMEM;
	else if (json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) ||
		 fputc('\n', out) == EOF || fflush(out))
		err = -EIO;
	json_decref(all);
	return err;
}

const struct check check_rows[CHECKS] = {
	[CHECK_CLOCK_COST] = {"clock_cost", "clock: cost", CHECK_NS, 0, 200, CLAIM_SINGLE, true,
		"the cost of one reading; above about 200 ns, a system call reads the clock instead of the vDSO"},
	[CHECK_CLOCK_STEP] = {"clock_step", "clock: step", CHECK_NS, 0, 1000, CLAIM_SINGLE, true,
		"the smallest step between two readings; coarse clocks step by 1 ms or more"},
	[CHECK_CLOCK_CORES] = {"clock_cores", "clock: cores", CHECK_NS, 0, 50000, CLAIM_SINGLE, false,
		"the most by which the clocks of two cores may differ, which is the time to move a task from one to the other and back; below 0, a clock went backwards"},
	[CHECK_SAME] = {"same", "threads, threads", CHECK_RATIO, 1, 1, CLAIM_DIFFERENCES, true,
		"a model against itself, so any winner would be chance"},
	[CHECK_INJECTED] = {"injected", "injected", CHECK_RATIO, 1.03, 1.03, CLAIM_DIFFERENCES, true,
		"threads against threads with this much more work, which tuibench must find"},
	[CHECK_WATCHED] = {"watched", "sampling", CHECK_RATIO, 0.98, 1.02, CLAIM_TIMES, true,
		"elapsed time with the usual sampling, divided by the time with almost none"},
	[CHECK_OWN] = {"own_cpu", "overhead", CHECK_SHARE, 0, 0.02, CLAIM_TIMES, true,
		"the share of one core that the front end uses during a run"},
	[CHECK_GETRUSAGE] = {"getrusage", "by getrusage", CHECK_RATIO, 0.98, 1.005, CLAIM_CPU, true,
		"CPU time of the runs, divided by that of all children, which includes the start and "
		"end of the runner"},
	[CHECK_SCHEDSTAT] = {"schedstat", "by schedstat", CHECK_RATIO, 0.98, 1.02, CLAIM_CPU, false,
		"CPU time of the workers, divided by the scheduler's count, which is read last a few ms before they end, so those few ms may be missing from it"},
	[CHECK_PROC_STAT] = {"proc_stat", "by /proc/stat", CHECK_RATIO, 0.95, 1.05, CLAIM_CPU, false,
		"CPU time of the runs and all other programs, divided by the cores' busy time, which "
		"is counted in ticks"},
	[CHECK_CGROUP] = {"cgroup", "by a cgroup", CHECK_RATIO, 0.98, 1.005, CLAIM_CPU, false,
		"CPU time of the runs, divided by that of their cgroup, which includes the start and "
		"end of the runner"},
	[CHECK_PERF] = {"perf", "by perf", CHECK_RATIO, 0.98, 1.005, CLAIM_CPU, false,
		"CPU time of the runs, divided by the task clock of perf_event_open(2), which includes "
		"the start and end of the runner"},
	[CHECK_HAD] = {"cores_had", "CPU share", CHECK_SHARE, 0.95, 1.01, CLAIM_TIMES, true,
		"the share of the cores that the runs got, with one worker per core"},
	[CHECK_OTHERS] = {"others", "others' load", CHECK_SHARE, 0, 0.05, CLAIM_TIMES, true,
		"the share of the cores that other programs used; it makes times longer and noisier"},
	[CHECK_STEAL] = {"steal", "steal", CHECK_SHARE, 0, 0.01, CLAIM_TIMES, false,
		"the share of the cores that a virtual machine's host stole"},
	[CHECK_FREQUENCY] = {"frequency", "clock rate", CHECK_RATIO, 1, 1.05, CLAIM_TIMES, false,
		"the fastest clock of a busy core, divided by the slowest"},
};
/* clang-format on */

void check_range(const struct check_report *report, enum check_id id, double *low, double *high)
{
	bool injected = id == CHECK_INJECTED;

	if (injected) {
		*low = report->injected;
		*high = report->injected;
	} else {
		*low = check_rows[id].low;
		*high = check_rows[id].high;
	}
}

/*
 * Whether the interval is too wide for a verdict. If it is more than twice as wide as the range, it
 * may cover the whole range by chance.
 */
static bool is_too_wide(const struct check_report *report, enum check_id id)
{
	const struct check_result *result = &report->results[id];
	double low, high;

	check_range(report, id, &low, &high);
	return low < high && result->high - result->low > 2 * (high - low);
}

const char *check_note(const struct check_report *report, enum check_id id)
{
	const char *note = report->results[id].note;

	if (*note || !is_too_wide(report, id))
		return note;
	return "the interval is too wide";
}

enum check_state check_state(const struct check_report *report, enum check_id id)
{
	const struct check_result *result = &report->results[id];
	bool ranges = !isnan(result->low) && !isnan(result->high);
	double from = ranges ? result->low : result->value;
	double to = ranges ? result->high : result->value;
	double low, high;

	if (isnan(from) || isnan(to) || is_too_wide(report, id))
		return CHECK_ABSENT;
	check_range(report, id, &low, &high);
	if (id == CHECK_INJECTED && from <= 1 && to >= 1)
		return CHECK_OFF;
	if (from <= high && to >= low)
		return CHECK_OK;
	return CHECK_OFF;
}

bool check_passed(const struct check_report *report)
{
	for (int id = 0; id < CHECKS; id++)
		if (check_state(report, (enum check_id)id) == CHECK_OFF)
			return false;
	return true;
}

enum check_trust check_trust(const struct check_report *report, enum check_claim claim)
{
	enum check_trust trust = TRUST_YES;

	for (int id = 0; id < CHECKS; id++) {
		enum check_state state = check_state(report, (enum check_id)id);

		if (check_rows[id].claim != claim)
			continue;
		if (state == CHECK_OFF)
			return TRUST_NO;
		if (state == CHECK_ABSENT && check_rows[id].rests)
			trust = TRUST_UNCHECKED;
	}
	return trust;
}

/*
 * Returns the interval's width, because a difference as large as the width is nearly always found.
 * Half of the width covers chance, which moves the estimate by less in 95 of 100 sessions. The
 * other half is the margin that the interval itself needs.
 */
static double width(const struct check_result *result)
{
	return result->high / result->low - 1;
}

double check_least_difference(const struct check_report *report)
{
	return fmax(width(&report->results[CHECK_SAME]), width(&report->results[CHECK_INJECTED]));
}

double check_least_time(const struct check_report *report)
{
	double cost = report->results[CHECK_CLOCK_COST].value;
	double step = report->results[CHECK_CLOCK_STEP].value;

	if (isnan(cost) || isnan(step))
		return NAN;
	return 20 * fmax(cost, step);
}
