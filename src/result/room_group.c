/* SPDX-License-Identifier: MIT */
#include "result/room.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "stats/stats.h"

/* The machines of an answer by what they have in common. */

#define PREFIX "machine."

/* What groups well comes first; what was measured, or is another on each machine, does not group.
 */
static const char *const fields[] = {
	"cpu",
	"cores_allowed",
	"kernel",
	"distribution",
	"memory_kb",
	"cores_online",
	"cpu_quota",
	"governor",
	"virtualization",
	"smt",
	"mitigations",
	"caches",
	"hugepages",
	"filesystem",
	"libc",
	"arch",
	"cpus_allowed",
	"page_kb",
	"memory_limit_kb",
	"performance_cores",
	"efficiency_cores",
	"clock_ticks",
	"frequency_source",
};
enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

const char *room_field_name(const struct field *field)
{
	return field->name + strlen(PREFIX);
}

const struct field *room_field(const char *name)
{
	for (size_t i = 0; i < FIELDS; i++)
		for (const struct field *field = sample_session_fields; field->name; field++)
			if (strcmp(fields[i], name) == 0 &&
			    strncmp(field->name, PREFIX, strlen(PREFIX)) == 0 &&
			    strcmp(room_field_name(field), name) == 0)
				return field;
	return NULL;
}

char *room_field_names(char *buf, size_t size)
{
	size_t used = 0;

	*buf = '\0';
	for (size_t i = 0; i < FIELDS && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", fields[i]);
	return buf;
}

/* What the machine has there. Returns its place among others: NaN of texts, which are sorted. */
static double read_field(const struct field *field, const struct room_recording *recording,
			 char *buf, size_t size)
{
	struct field of_machine = *field;
	const char *at;
	double number;

	of_machine.offset -= offsetof(struct sample_session, machine);
	at = (const char *)&recording->machine + of_machine.offset;
	*buf = '\0';
	if (field->type == FIELD_TEXT) {
		snprintf(buf, size, "%s", *at ? at : "unknown");
		return NAN;
	}
	number = field->type == FIELD_DOUBLE ? *(const double *)(const void *)at
					     : fields_number(&of_machine, &recording->machine);
	if (!(number >= 0))
		snprintf(buf, size, "%s", field->type == FIELD_DOUBLE ? "none" : "unknown");
	else if (strstr(field->name, "_kb"))
		units_format_kib(buf, size, (int64_t)number);
	else
		snprintf(buf, size, "%g", number);
	return number;
}

static int by_name(const void *left, const void *right)
{
	const struct room_group *a = left, *b = right;

	if (a->number < b->number || a->number > b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

const struct field *room_next_field(const struct room *room, const struct field *before)
{
	char first[MACHINE_TEXT * 2], other[MACHINE_TEXT * 2];
	const struct field *field;
	size_t i = 0;

	while (before && i < FIELDS && strcmp(fields[i], room_field_name(before)) != 0)
		i++;
	for (i += before != NULL; i < FIELDS; i++) {
		field = room_field(fields[i]);
		*first = *other = '\0';
		for (size_t k = 0; k < room->n && field; k++) {
			if (*room->list[k].why)
				continue;
			read_field(field, &room->list[k], *first ? other : first, sizeof(first));
			if (*first && *other && strcmp(first, other) != 0)
				return field;
		}
	}
	return NULL;
}

/* The group of that name, which is made where there is none; groups->n counts its machines. */
static int take_group(struct room_answer *answer, size_t *cap, const struct room_group *made)
{
	size_t at = 0;

	while (at < answer->n_groups && strcmp(answer->groups[at].name, made->name) != 0)
		at++;
	if (!array_grow(&answer->groups, answer->n_groups, cap, sizeof(*made)))
		return -ENOMEM;
	if (at == answer->n_groups)
		answer->groups[answer->n_groups++] = *made;
	return 0;
}

int room_groups_find(struct room_answer *answer, const struct field *field)
{
	struct room_group made = {.n = 0};
	size_t cap = 0;
	int err = 0;

	for (size_t i = 0; i < answer->n && !err; i++) {
		made.number =
			read_field(field, answer->rows[i].recording, made.name, sizeof(made.name));
		err = take_group(answer, &cap, &made);
	}
	if (err)
		return err;
	qsort(answer->groups, answer->n_groups, sizeof(*answer->groups), by_name);
	for (size_t i = 0; i < answer->n; i++) {
		struct room_row *row = &answer->rows[i];

		read_field(field, row->recording, made.name, sizeof(made.name));
		while (strcmp(answer->groups[row->group].name, made.name) != 0)
			row->group++;
		answer->groups[row->group].n++;
	}
	return 0;
}

int room_groups_pool(struct room_answer *answer, double *y, double *v)
{
	size_t first = 0;

	for (size_t g = 0; g < answer->n_groups; g++) {
		struct room_group *group = &answer->groups[g];
		const struct room_row *row = &answer->rows[first];
		struct pooled pooled;
		int err;

		group->first = first;
		first += group->n;
		for (size_t i = 0; i < group->n; i++) {
			group->weight += row[i].weight;
			y[i] = row[i].estimate;
			v[i] = row[i].variance;
		}
		group->ratio = row->ratio;
		group->low = row->low;
		group->high = row->high;
		if (group->n < 2)
			continue;
		err = pooled_estimates(y, v, group->n, POOLED_ROBUST, &pooled);
		if (err)
			return err;
		group->ratio = exp(pooled.mean);
		group->low = exp(pooled.low);
		group->high = exp(pooled.high);
	}
	return 0;
}
