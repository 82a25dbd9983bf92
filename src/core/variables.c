/* SPDX-License-Identifier: MIT */
#include "core/variables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/units.h"
#include "base/utf8.h"

const struct variable *variables_find(const struct variables *variables, const char *name)
{
	for (uint32_t i = 0; i < variables->n; i++)
		if (strcmp(variables->list[i].name, name) == 0)
			return &variables->list[i];
	return NULL;
}

void variables_add(struct variables *variables, const char *name, const char *value)
{
	struct variable *new = &variables->list[variables->n];
	uint64_t number;

	if (variables->n == VARIABLES_MOST || variables_find(variables, name))
		return;
	snprintf(new->name, sizeof(new->name), "%s", name);
	snprintf(new->value, sizeof(new->value), "%s", value);
	utf8_trim(new->name);
	utf8_trim(new->value);
	if (units_parse_size(new->value, &number) == 0)
		new->number = (double)number;
	else
		new->number = NAN;
	variables->n++;
}

bool variables_has(const struct variables *variables, const struct variable *variable)
{
	const struct variable *found = variables_find(variables, variable->name);

	return found && strcmp(found->value, variable->value) == 0;
}

static bool covers(const struct variables *b, const struct variables *a,
		   bool (*leave_out)(const struct variable *))
{
	for (uint32_t i = 0; i < a->n; i++)
		if (!(leave_out && leave_out(&a->list[i])) && !variables_has(b, &a->list[i]))
			return false;
	return true;
}

bool variables_equal_but(const struct variables *a, const struct variables *b,
			 bool (*leave_out)(const struct variable *))
{
	return covers(a, b, leave_out) && covers(b, a, leave_out);
}

bool variables_equal(const struct variables *a, const struct variables *b)
{
	return variables_equal_but(a, b, NULL);
}

char *variables_format(const struct variables *variables, char separator, char *buf, size_t size)
{
	char item[4 * VARIABLE_VALUE];
	size_t used = 0;

	snprintf(buf, size, "%s", "");
	for (uint32_t i = 0; i < variables->n; i++) {
		const struct variable *variable = &variables->list[i];
		const char *value = variable->value;

		if (used >= size)
			break;

		if (separator == NAMES_SEPARATOR) {
			names_put_item(value, item, sizeof(item));
			value = item;
		}
		used += (size_t)snprintf(buf + used, size - used, "%.*s%s=%s", i > 0, &separator,
					 variable->name, value);
	}
	return buf;
}

void variables_parse(struct variables *variables, const char *text)
{
	char item[VARIABLE_NAME + VARIABLE_VALUE], *value;

	variables->n = 0;
	while (names_next_item(&text, item, sizeof(item))) {
		if (!*item)
			continue;
		value = strchrnul(item, '=');
		if (*value)
			*value++ = '\0';
		variables_add(variables, item, value);
	}
}

const char *const counting_names[COUNTINGS] = {
	[COUNTING_NONE] = "",	      [COUNTING_MUTEX] = "mutex", [COUNTING_SPINLOCK] = "spinlock",
	[COUNTING_ATOMIC] = "atomic", [COUNTING_FALSE] = "false", [COUNTING_LINE] = "line",
	[COUNTING_PLAIN] = "plain",
};
