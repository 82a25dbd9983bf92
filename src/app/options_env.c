/* SPDX-License-Identifier: MIT */
#include "options_rule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { LEAST_QUOTA = 10, MOST_CPUS = 1024 };

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

/* The kernel's least quota is 1 ms in each period of 100 ms; three decimals at most. */
int options_env_quota(struct request *request, const char *value)
{
	const char *point = strchr(value, '.');
	size_t decimals = point ? strspn(point + 1, "0123456789") : 0;
	uint64_t whole = 0, part = 0;
	char text[32];

	if (strcmp(value, "max") == 0) {
		request->quota = 0;
		return 0;
	}
	if (point && (decimals == 0 || decimals > 3 || point[1 + decimals]))
		return -EINVAL;
	snprintf(text, sizeof(text), "%.*s", point ? (int)(point - value) : 16, value);
	if (units_parse_count(text, MOST_CPUS, &whole))
		return -EINVAL;
	if (point)
		part = strtoull(point + 1, NULL, 10);
	for (size_t i = decimals; i < 3; i++)
		part *= 10;
	whole = 1000 * whole + part;
	if (whole < LEAST_QUOTA || whole > 1000 * MOST_CPUS)
		return -EINVAL;
	request->quota = (uint32_t)whole;
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
