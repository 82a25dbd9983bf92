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

static const char *const message_names[MESSAGE_KINDS] = {
	[MESSAGE_OTHER] = "other",
	[MESSAGE_STACKS] = "stacks",
	[MESSAGE_NO_PSS] = "no_pss",
};

const char *sample_message_name(enum sample_message_kind kind)
{
	return message_names[kind < MESSAGE_KINDS ? kind : MESSAGE_OTHER];
}

enum sample_message_kind sample_message_parse(const char *name)
{
	enum sample_message_kind kind = MESSAGE_KINDS - 1;

	while (kind > MESSAGE_OTHER && strcmp(name, message_names[kind]) != 0)
		kind--;
	return kind;
}

int64_t sample_worker_begin(const struct sample_worker *worker)
{
	int64_t start = worker->start_ns, created = worker->created_ns;

	if (start >= 0 && (created < 0 || start < created))
		return start;
	return worker->status == SAMPLE_REFUSED ? -1 : created;
}
