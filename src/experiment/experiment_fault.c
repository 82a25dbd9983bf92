/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF 50

/* "@30" */
static int take_percent(const char *text, uint32_t *percent)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || value > 99)
		return -EINVAL;
	*percent = (uint32_t)value;
	return 0;
}

static int parse(const char *text, enum fault_kind *kind, uint32_t *percent)
{
	size_t length = strcspn(text, "@");
	char name[8];

	*percent = HALF;
	if (length >= sizeof(name))
		return -EINVAL;
	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	if (fault_parse(name, kind))
		return -EINVAL;
	return text[length] ? take_percent(text + length + 1, percent) : 0;
}

int experiment_fault(struct experiment_build *build)
{
	struct experiment *experiment = build->experiment;
	const char *asked = experiment->request.fault;

	if (!build->kind->fault)
		return 0;
	if (parse(asked ? asked : build->kind->fault, &build->fault, &build->fault_percent))
		return REFUSE(build, -EINVAL,
			      "-s fault=%s: is not segv, abort, exit, hang, oom or overrun, or "
			      "one of them "
			      "after so much of its work (segv@10: at 10 %%)",
			      asked);
	if (experiment->request.workers[WORK_HELLO] > 0 ||
	    experiment->request.workers[WORK_NULL] > 0)
		return REFUSE(
			build, -EINVAL,
			"--workers: hello and null workers end too soon to crash in the midst of "
			"their work; ask for cpu, io, mem, fp or write workers");
	return 0;
}
