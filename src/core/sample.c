/* SPDX-License-Identifier: MIT */
#include "core/sample.h"

#include <string.h>

static const char *const status_names[] = {
	[SAMPLE_OK] = "ok",	      [SAMPLE_FAILED] = "failed",
	[SAMPLE_CRASHED] = "crashed", [SAMPLE_INTERRUPTED] = "interrupted",
	[SAMPLE_REFUSED] = "refused", [SAMPLE_RUNNING] = "running",
};

const char *sample_status_name(enum sample_status status)
{
	return status_names[status <= SAMPLE_RUNNING ? status : SAMPLE_RUNNING];
}

enum sample_status sample_status_parse(const char *name)
{
	enum sample_status status = SAMPLE_OK;

	while (status < SAMPLE_RUNNING && strcmp(name, status_names[status]) != 0)
		status++;
	return status;
}

int64_t sample_worker_begin(const struct sample_worker *worker)
{
	int64_t start = worker->start_ns, created = worker->created_ns;

	if (start >= 0 && (created < 0 || start < created))
		return start;
	return worker->status == SAMPLE_REFUSED ? -1 : created;
}
