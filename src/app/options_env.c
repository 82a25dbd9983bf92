/* SPDX-License-Identifier: MIT */
#include "options_rule.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"

int options_env_nice(struct request *request, const char *value)
{
	bool minus = *value == '-';
	uint64_t number;

	if (units_parse_count(value + minus, minus ? 20 : 19, &number))
		return -EINVAL;
	request->nice = minus ? -(int)number : (int)number;
	request->niced = true;
	return 0;
}

int options_env_store(struct request *request, const char *value)
{
	size_t n = strcspn(value, "=") + 1;

	if (n == 1 || value[n - 1] != '=')
		return -EINVAL;
	for (size_t i = 0; i < REQUEST_ENVS; i++) {
		if (request->env[i] && strncmp(request->env[i], value, n) != 0)
			continue;
		request->env[i] = value;
		return 0;
	}
	return -E2BIG;
}
