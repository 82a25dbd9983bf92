/* SPDX-License-Identifier: MIT */
#include "options_rule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"

/* How many workers there are of a kind: "cpu=" alone is what each of them does. */
static const char workers_of[] = "-workers";

/* What is swept and is no option. */
static const char *const plans[] = {
	"workers=", "size=", "cores=", "tree=", "cpu=", "io=", "stack-size=", "ballast="};

#define PLANS (sizeof(plans) / sizeof(*plans))

/* "cpu-workers" is --cpu. */
static bool is_named(const struct options_rule *rule, const char *name)
{
	size_t length = strlen(rule->name);

	if (strncmp(rule->name, name, length) != 0)
		return false;
	return strcmp(name + length, rule->value == VALUE_WORKERS ? workers_of : "") == 0;
}

const struct options_rule *options_sweep_rule(const char *name)
{
	const struct options_rule *rule;

	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		if (rule->swept && is_named(rule, name))
			return rule;
	return NULL;
}

/* "prepare=a,b" and "env:NAME=a,b" name their option before the = or the colon. */
const char *options_rule_outside(const struct options_rule *rule, const char *value)
{
	const size_t n = value ? strcspn(value, ":=") : 0;

	if (rule->value != VALUE_SWEEP)
		return rule->outside;
	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		if (strlen(rule->name) == n && strncmp(rule->name, value, n) == 0)
			return rule->outside;
	return NULL;
}

/* A flag has no value of its own. */
static int store(struct options *options, const struct options_rule *rule, const char *value)
{
	bool yes = strcmp(value, "yes") == 0;

	if (rule->value != VALUE_FLAG)
		return options_value_store(options, rule, value);
	*(bool *)((char *)options + rule->offset) = yes;
	return yes || strcmp(value, "no") == 0 ? 0 : -EINVAL;
}

static int refuse(const struct options_rule *rule, const char *name, const char *value, char *error,
		  size_t size)
{
	char what[256] = "yes or no";

	return error_line(
		error, size, -EINVAL, "--sweep: \"%s=%s\": \"%s\" is not %s", name, value, value,
		rule->value == VALUE_FLAG ? what
					  : options_value_describe(rule, what, sizeof(what)));
}

int options_sweep_set(struct request *request, const char *name, const char *value, char *error,
		      size_t size)
{
	const struct options_rule *rule = options_sweep_rule(name);
	struct options *options = rule ? calloc(1, sizeof(*options)) : NULL;
	int err;

	if (!rule)
		return -ENOENT;
	if (!options)
		return error_line(error, size, -ENOMEM, "out of memory");
	options->request = *request;
	err = store(options, rule, value);
	if (err)
		err = refuse(rule, name, value, error, size);
	else
		*request = options->request;
	free(options);
	return err;
}

int options_sweep_store(struct request *request, const char *text)
{
	if (!request->sweep) {
		request->sweep = text;
		return 0;
	}
	for (size_t i = 0; i < REQUEST_SWEEPS - 1; i++) {
		if (!request->more_sweeps[i]) {
			request->more_sweeps[i] = text;
			return 0;
		}
	}
	return -E2BIG;
}

/* "cache=warm,cold": the values of a word are known, and two of them make a sweep. */
static const char *write_word(const struct options_rule *rule, char buf[OPTIONS_WORD])
{
	const char *workers = rule->value == VALUE_WORKERS ? workers_of : "";

	if (rule->value == VALUE_FLAG)
		snprintf(buf, OPTIONS_WORD, "%s=no,yes", rule->name);
	else if (rule->words)
		snprintf(buf, OPTIONS_WORD, "%s=%s,%s", rule->name, rule->words[0], rule->words[1]);
	else
		snprintf(buf, OPTIONS_WORD, "%s%s=", rule->name, workers);
	return buf;
}

const char *options_sweep_word(size_t i, char buf[OPTIONS_WORD])
{
	const struct options_rule *rule;

	if (i < PLANS)
		return plans[i];
	i -= PLANS;
	for (size_t k = 0; (rule = options_rule_at(k)); k++)
		if (rule->swept && i-- == 0)
			return write_word(rule, buf);
	return NULL;
}
