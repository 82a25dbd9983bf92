/* SPDX-License-Identifier: MIT */
#include "core/fault.h"

#include <errno.h>
#include <string.h>

static const char *const names[FAULT_KINDS] = {
	[FAULT_NONE] = "",	     [FAULT_SEGV] = "segv", [FAULT_ABORT] = "abort",
	[FAULT_EXIT] = "exit",	     [FAULT_HANG] = "hang", [FAULT_OOM] = "oom",
	[FAULT_OVERRUN] = "overrun",
};

const char *fault_name(enum fault_kind kind)
{
	return names[kind < FAULT_KINDS ? kind : FAULT_NONE];
}

int fault_parse(const char *name, enum fault_kind *kind)
{
	for (int i = FAULT_SEGV; i < FAULT_KINDS; i++) {
		if (strcmp(name, names[i]) != 0)
			continue;
		*kind = (enum fault_kind)i;
		return 0;
	}
	return -EINVAL;
}

const char *fault_left_name(unsigned i)
{
	static const char *const left[] = {"file", "shared memory", "lock"};

	return i < sizeof(left) / sizeof(left[0]) ? left[i] : NULL;
}

bool fault_is_ours(const char *name, const char *folder)
{
	size_t length = strlen(folder), own = strlen(FAULT_PREFIX);

	return strncmp(name, folder, length) == 0 && name[length] == '/' &&
	       strncmp(name + length + 1, FAULT_PREFIX, own) == 0 &&
	       !strchr(name + length + 1 + own, '/');
}
