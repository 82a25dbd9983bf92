/* SPDX-License-Identifier: MIT */
#include "check_rows.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* What jansson could not make is NULL, and an object that takes NULL says so: checked at the end.
 */
struct object {
	json_t *json;
	bool failed;
};

static void add(struct object *object, const char *name, json_t *value)
{
	object->failed |= json_object_set_new(object->json, name, value) != 0;
}

/* Texts of the machine may hold anything. */
static json_t *text_or_null(const char *s)
{
	char *copy = strdup(s);
	json_t *json;

	if (!copy)
		return NULL;
	utf8_mask(copy);
	json = *copy ? json_string(copy) : json_null();
	free(copy);
	return json;
}

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *count(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *row_json(const struct check_report *report, enum check_id id, bool *failed)
{
	static const char *const units[] = {
		[CHECK_NS] = "ns", [CHECK_RATIO] = "ratio", [CHECK_SHARE] = "share"};
	const struct check_result *result = &report->results[id];
	const struct check *check = &check_rows[id];
	struct object row = {json_object(), false};
	double low, high;

	check_range(report, id, &low, &high);
	add(&row, "check", json_string(check->name));
	add(&row, "state", json_string(check_state_name(check_state(report, id))));
	add(&row, "unit", json_string(units[check->unit]));
	add(&row, "value", real(result->value));
	add(&row, "low", real(result->low));
	add(&row, "high", real(result->high));
	add(&row, "pairs", result->pairs ? json_integer(result->pairs) : json_null());
	add(&row, "second_series", json_boolean(result->again));
	add(&row, "expected_low", real(low));
	add(&row, "expected_high", real(high));
	add(&row, "why", json_string(check->why));
	add(&row, "note", text_or_null(check_note(report, id)));
	add(&row, "for", json_string(check_claim_name(check->claim)));
	*failed |= row.failed;
	return row.json;
}

/* true, false, or null where it is not known. */
static json_t *trust_json(const struct check_report *report, bool *failed)
{
	struct object trusted = {json_object(), false};

	for (int i = 0; i < CLAIMS; i++) {
		enum check_claim claim = (enum check_claim)i;
		enum check_trust trust = check_trust(report, claim);

		add(&trusted, check_claim_name(claim),
		    trust == TRUST_UNCHECKED ? json_null() : json_boolean(trust == TRUST_YES));
	}
	*failed |= trusted.failed;
	return trusted.json;
}

static json_t *machine_json(const struct machine *m, bool *failed)
{
	struct object machine = {json_object(), false};

	add(&machine, "cpu", text_or_null(m->cpu));
	add(&machine, "cores", count(m->cores_online));
	add(&machine, "cores_allowed", count(m->cores_allowed));
	add(&machine, "kernel", text_or_null(m->kernel));
	add(&machine, "arch", text_or_null(m->arch));
	add(&machine, "virtual", text_or_null(m->virtualization));
	*failed |= machine.failed;
	return machine.json;
}

static json_t *rows_json(const struct check_report *report, bool *failed)
{
	json_t *rows = json_array();

	for (int id = 0; id < CHECKS; id++)
		*failed |= json_array_append_new(rows,
						 row_json(report, (enum check_id)id, failed)) != 0;
	return rows;
}

int check_write_json(const struct check_report *report, FILE *out)
{
	struct object all = {json_object(), false};
	char sentence[1024];
	int err = 0;

	add(&all, "tuibench", json_string(TUIBENCH_VERSION));
	add(&all, "schema", json_integer(1));
	add(&all, "kind", json_string("self-test"));
	add(&all, "begun_s", json_integer(report->wall_s));
	add(&all, "seconds", real(report->seconds));
	add(&all, "machine", machine_json(&report->machine, &all.failed));
	add(&all, "passed", json_boolean(check_passed(report)));
	add(&all, "trusted", trust_json(report, &all.failed));
	add(&all, "least_difference", real(check_least_difference(report)));
	add(&all, "least_time_ns", real(check_least_time(report)));
	add(&all, "sentence", json_string(check_sentence(report, sentence, sizeof(sentence))));
	add(&all, "rows", rows_json(report, &all.failed));
	if (all.failed)
		err = -ENOMEM;
	else if (json_dumpf(all.json, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) ||
		 fputc('\n', out) == EOF || fflush(out))
		err = -EIO;
	json_decref(all.json);
	return err;
}
