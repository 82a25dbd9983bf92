/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <stddef.h>
#include <string.h>

/* What a reader must know to be different before comparing the numbers of two sessions. */
static const struct {
	const char *name;
	size_t offset, size; /* of struct sample_session; size 0: a text */
} conditions[] = {
	{"host", offsetof(struct sample_session, machine.host), 0},
	{"cpu", offsetof(struct sample_session, machine.cpu), 0},
	{"cores", offsetof(struct sample_session, machine.cores_online), sizeof(int32_t)},
	{"allowed cores", offsetof(struct sample_session, machine.cores_allowed), sizeof(int32_t)},
	{"memory", offsetof(struct sample_session, machine.memory_kb), sizeof(int64_t)},
	{"kernel", offsetof(struct sample_session, machine.kernel), 0},
	{"libc", offsetof(struct sample_session, machine.libc), 0},
	{"virtualization", offsetof(struct sample_session, machine.virtualization), 0},
	{"governor", offsetof(struct sample_session, machine.governor), 0},
	{"tuibench", offsetof(struct sample_session, version), 0},
	{"options", offsetof(struct sample_session, options), 0},
};

#define CONDITIONS (sizeof(conditions) / sizeof(conditions[0]))

static bool differs(const struct model *model, size_t condition)
{
	size_t offset = conditions[condition].offset, size = conditions[condition].size;
	const char *first = (const char *)&model->origins[0].session + offset;

	for (uint32_t i = 1; i < model->n_origins; i++) {
		const char *other = (const char *)&model->origins[i].session + offset;

		if (size ? memcmp(first, other, size) != 0 : strcmp(first, other) != 0)
			return true;
	}
	return false;
}

bool report_differences(const struct model *model, char *buf, size_t size)
{
	const char *before = "The recordings differ in ";
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; model->n_origins > 1 && i < CONDITIONS; i++) {
		if (!differs(model, i) || len >= size)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s", before, conditions[i].name);
		before = ", ";
	}
	return len > 0;
}
