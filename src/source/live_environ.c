/* SPDX-License-Identifier: MIT */
#include "live_environ.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

/* Bytes of a name: "NAME=VALUE", or "NAME" alone. */
static size_t name_length(const char *text)
{
	return strcspn(text, "=");
}

static bool same_name(const char *a, const char *b)
{
	size_t n = name_length(a);

	return n == name_length(b) && memcmp(a, b, n) == 0;
}

static bool is_changed(const struct request *request, const char *variable)
{
	for (size_t i = 0; i < REQUEST_ENVS && request->env[i]; i++)
		if (same_name(request->env[i], variable))
			return true;
	return false;
}

/* "-" leaves it out. */
static bool is_set(const char *variable)
{
	return strcmp(variable + name_length(variable), "=-") != 0;
}

char **live_environ_make(const struct request *request)
{
	size_t most = REQUEST_ENVS + 1, n = 0;
	char **made;

	for (size_t i = 0; environ[i]; i++)
		most++;
	made = calloc(most, sizeof(*made));
	if (!made)
		return NULL;
	for (size_t i = 0; environ[i]; i++)
		if (!is_changed(request, environ[i]))
			made[n++] = environ[i];
	for (size_t i = 0; i < REQUEST_ENVS && request->env[i]; i++)
		if (is_set(request->env[i]))
			made[n++] = (char *)request->env[i];
	return made;
}

/* Of the first case; what is swept is a variable of the cases. */
static bool is_swept(const struct experiment *experiment, const char *text)
{
	char name[VARIABLE_NAME] = "env:";
	size_t n = name_length(text);

	if (n >= sizeof(name) - 4)
		return false;
	memcpy(name + 4, text, n);
	return variables_find(&experiment->cases[0].variables, name) != NULL;
}

char *live_environ_session(const struct experiment *experiment, char *buf, size_t size)
{
	const struct request *request = &experiment->each[0].request;
	const struct variables *swept = &experiment->cases[0].variables;
	int policy = experiment_policy(request);
	bool stack = strcmp(request->stack_sizes, "default") != 0;
	char **variables = live_environ_make(request);
	char nice[16];
	size_t n = 0;

	buf[0] = '\0';
	if (!variables)
		return buf;
	for (size_t i = 0; variables[i]; i++)
		if (!is_swept(experiment, variables[i]))
			variables[n++] = variables[i];
	variables[n] = NULL;
	snprintf(nice, sizeof(nice), "%d", request->niced ? request->nice : environment_nice());
	environment_read(variables, variables_find(swept, "nice") ? NULL : nice,
			 variables_find(swept, "policy") ? -1
			 : policy < 0			 ? sched_getscheduler(0)
							 : policy,
			 request->quota > 0 && !variables_find(swept, "quota")
				 ? experiment_quota(request->quota, (char[EXPERIMENT_QUOTA]) {0})
				 : NULL,
			 strchr(request->stack_sizes, ',') ? NULL
			 : stack			   ? request->stack_sizes
							   : "",
			 buf, size);
	free(variables);
	return buf;
}

static const struct {
	const char *item;	    /* how it begins */
	const char *usual;	    /* its value that is none to warn of */
	const char *before, *after; /* the line, with the value between them */
} warnings[] = {
	{"LD_PRELOAD=", "", "LD_PRELOAD=",
	 " puts other code into every task that is measured; -s env:LD_PRELOAD=- leaves it out"},
	{"LD_AUDIT=", "", "LD_AUDIT=",
	 " puts other code into every task that is measured; -s env:LD_AUDIT=- leaves it out"},
	{"nice=", "0", "what is measured runs with niceness ",
	 ", another one than 0: how it shares the cores with other programs depends on it; -s "
	 "nice=0 where that is allowed"},
	{"policy=", "other", "what is measured runs with the scheduling policy ",
	 ", another one than other: how it shares the cores with other programs depends on it; -s "
	 "policy=other where that is allowed"},
	{"addresses=", "unlimited", "the addresses of each process are limited to ",
	 " (ulimit -v): threads share what processes have each"},
};

/* The value of the item, up to its semicolon; NULL: it is not there, or the usual one. */
static const char *find_unusual(const char *environment, size_t k, size_t *length)
{
	size_t n = strlen(warnings[k].item);
	const char *at = environment;

	while (at && strncmp(at, warnings[k].item, n) != 0)
		at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL;
	if (!at)
		return NULL;
	*length = strcspn(at + n, ";");
	if (*length == strlen(warnings[k].usual) &&
	    strncmp(at + n, warnings[k].usual, *length) == 0)
		return NULL;
	return at + n;
}

/* The user chose it, with -s. */
static bool is_chosen(const struct request *request, const char *item)
{
	return strcmp(item, "nice=") == 0     ? request->niced
	       : strcmp(item, "policy=") == 0 ? request->policy != POLICY_INHERITED
					      : false;
}

char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size)
{
	for (size_t k = 0; k < sizeof(warnings) / sizeof(warnings[0]); k++) {
		size_t length;
		const char *value = find_unusual(environment, k, &length);

		if (!value || is_chosen(request, warnings[k].item) || i-- > 0)
			continue;
		snprintf(buf, size, "%s%.*s%s", warnings[k].before, (int)length, value,
			 warnings[k].after);
		return buf;
	}
	return NULL;
}
