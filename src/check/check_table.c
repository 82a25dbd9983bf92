/* SPDX-License-Identifier: MIT */
#include "check_rows.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/sentence.h"
#include "base/units.h"

/* Plain ASCII, as every table of a result. */

#define WIDTH  80
#define INDENT 4

static void add_value(struct sentence *to, enum check_unit unit, double value)
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

static void add_measured(struct sentence *to, const struct check_report *report, enum check_id id)
{
	const struct check_result *result = &report->results[id];
	enum check_unit unit = check_rows[id].unit;

	if (isnan(result->value)) {
		sentence_add(to, "?");
		return;
	}
	add_value(to, unit, result->value);
	if (isnan(result->low) || isnan(result->high))
		return;
	sentence_add(to, " (");
	add_value(to, unit, result->low);
	sentence_add(to, " to ");
	add_value(to, unit, result->high);
	sentence_add(to, ")");
}

static void add_expected(struct sentence *to, const struct check_report *report, enum check_id id)
{
	enum check_unit unit = check_rows[id].unit;
	double low, high;

	check_range(report, id, &low, &high);
	if (low == high) {
		sentence_add(to, "has %.2f%s", low, id == CHECK_INJECTED ? ", not 1" : "");
		return;
	}
	if (low == 0) {
		sentence_add(to, "up to ");
	} else {
		add_value(to, unit, low);
		sentence_add(to, " to ");
	}
	add_value(to, unit, high);
}

/* Words in lines that begin at INDENT. */
static void write_wrapped(FILE *out, const char *text, int indent)
{
	int at = 0;

	while (*text) {
		int n = (int)strcspn(text, " ");

		if (at > 0 && at + 1 + n > WIDTH) {
			fputc('\n', out);
			at = 0;
		}
		at += at == 0 ? fprintf(out, "%*s%.*s", indent, "", n, text)
			      : fprintf(out, " %.*s", n, text);
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void write_row(FILE *out, const char *title, const char *measured, const char *expected,
		      const char *state)
{
	fprintf(out, "%-16s  %-25s  %-17s%s%s\n", title, measured, expected, *state ? "  " : "",
		state);
}

static void write_check(const struct check_report *report, enum check_id id, FILE *out)
{
	const struct check_result *result = &report->results[id];
	char measured[64] = "", expected[64] = "", why[512] = "";
	struct sentence to_measured = {measured, sizeof(measured), 0};
	struct sentence to_expected = {expected, sizeof(expected), 0};
	struct sentence to_why = {why, sizeof(why), 0};

	add_measured(&to_measured, report, id);
	add_expected(&to_expected, report, id);
	write_row(out, check_rows[id].title, measured, expected,
		  check_state_name(check_state(report, id)));
	sentence_add(&to_why, "%s", check_rows[id].why);
	if (result->pairs)
		sentence_add(&to_why, "; %u pairs", result->pairs);
	if (result->again)
		sentence_add(&to_why, "; a second series, the first was off");
	if (*check_note(report, id))
		sentence_add(&to_why, "; %s", check_note(report, id));
	write_wrapped(out, why, INDENT);
}

/* "Intel Xeon, 2 cores, kvm, Linux 6.18.44" */
static void write_machine(const struct check_report *report, FILE *out)
{
	const struct machine *m = &report->machine;
	char text[512] = "";
	struct sentence to = {text, sizeof(text), 0};

	sentence_add(&to, "%s", *m->cpu ? m->cpu : "unknown processor");
	if (m->cores_allowed > 0)
		sentence_add(&to, ", %d core%s", m->cores_allowed,
			     m->cores_allowed == 1 ? "" : "s");
	if (m->cores_online > m->cores_allowed)
		sentence_add(&to, " of %d", m->cores_online);
	if (*m->virtualization && strcmp(m->virtualization, "none") != 0)
		sentence_add(&to, ", %s", m->virtualization);
	sentence_add(&to, ", Linux %s", *m->kernel ? m->kernel : "?");
	write_wrapped(out, text, 0);
}

int check_write_table(const struct check_report *report, FILE *out)
{
	char date[40] = "?", sentence[1024];
	struct tm utc;
	time_t wall = (time_t)report->wall_s;

	if (gmtime_r(&wall, &utc))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &utc);
	fprintf(out, "self-test of tuibench %s, %s, in %.0f s\n", TUIBENCH_VERSION, date,
		report->seconds);
	write_machine(report, out);
	fputc('\n', out);
	write_row(out, "check", "measured", "expected", "state");
	for (int id = 0; id < CHECKS; id++)
		write_check(report, (enum check_id)id, out);
	fputc('\n', out);
	write_wrapped(out, check_sentence(report, sentence, sizeof(sentence)), 0);
	return fflush(out) || ferror(out) ? -EIO : 0;
}
