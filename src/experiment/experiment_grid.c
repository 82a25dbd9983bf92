/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static const char cores_name[] = "cores";
static const char env_prefix[] = "env:";

static bool is_env(const char *name)
{
	return strncmp(name, env_prefix, strlen(env_prefix)) == 0;
}

/* Lists that the program has for itself, whose cases are compared in a way of their own. */
static int take_list(struct experiment_build *build, const char *text)
{
	struct request *request = &build->experiment->request;
	bool stacks = strncmp(text, "stack-size=", 11) == 0;
	bool ballasts = strncmp(text, "ballast=", 8) == 0;
	const char **list = stacks ? &request->stack_sizes : &request->ballasts;

	if (!stacks && !ballasts)
		return 0;
	if (strcmp(*list, stacks ? "default" : "0") != 0)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" and --%s are the same; leave one of them out", text,
			      stacks ? "stack-size" : "ballast");
	*list = strchr(text, '=') + 1;
	return 1;
}

/* What changes the plan and not an option: "workers=2..8", "size=…", "cpu=…", "tree=…". */
static bool is_plan(const char *text)
{
	enum work_kind work;

	return strncmp(text, "workers=", 8) == 0 || strcmp(text, "workers") == 0 ||
	       strncmp(text, "size=", 5) == 0 || strncmp(text, "tree=", 5) == 0 ||
	       plan_work_value(text, &work);
}

/* The words outlive the values, which point to them. */
static const char *keep_word(struct experiment_build *build, struct experiment_grid *grid,
			     const char *text)
{
	char *word = build->experiment->words + grid->words;
	size_t length = strlen(text) + 1;

	if (length > sizeof(build->experiment->words) - grid->words)
		return NULL;
	memcpy(word, text, length);
	grid->words += length;
	return word;
}

/* Of a variable of the environment its name stands before the value: "NAME=VALUE". */
static const char *keep_value(struct experiment_build *build, struct experiment_grid *grid,
			      const struct experiment_vary *vary, const char *text)
{
	const char *name = vary->name + strlen(env_prefix), *word;
	char both[VARIABLE_NAME + 4 * VARIABLE_VALUE];

	if (!is_env(vary->name))
		return keep_word(build, grid, text);
	snprintf(both, sizeof(both), "%s=%s", name, text);
	word = keep_word(build, grid, both);
	return word ? word + strlen(name) + 1 : NULL;
}

static int refuse_many(struct experiment_build *build, const struct experiment_vary *vary)
{
	return REFUSE(build, -EINVAL, "--sweep: \"%s=\" has more than %d values", vary->name,
		      SAMPLE_MAX_CASES);
}

static int add_value(struct experiment_build *build, struct experiment_grid *grid,
		     struct experiment_vary *vary, const char *text)
{
	const char *word = keep_value(build, grid, vary, text);

	if (!word || vary->n == SAMPLE_MAX_CASES)
		return refuse_many(build, vary);
	if (strlen(text) >= VARIABLE_VALUE)
		return REFUSE(build, -EINVAL, "--sweep: \"%s=%s\": a value has at most %d bytes",
			      vary->name, text, VARIABLE_VALUE - 1);
	for (const char *c = text; *c; c++)
		if (*c == ';' || iscntrl((unsigned char)*c))
			return REFUSE(build, -EINVAL,
				      "--sweep: \"%s=%s\": a value has no semicolon and no control "
				      "character",
				      vary->name, text);
	vary->values[vary->n++] = word;
	return 0;
}

/* "2", "10..30:10"; what is no range of numbers is a word. */
static int add_item(struct experiment_build *build, struct experiment_grid *grid,
		    struct experiment_vary *vary, const char *item)
{
	uint64_t values[SAMPLE_MAX_CASES];
	char range[4 * VARIABLE_VALUE + 16];
	size_t n;
	int err = 0;

	snprintf(range, sizeof(range), "%s", item);
	if (strcmp(vary->name, cores_name) == 0)
		err = experiment_cores_range(build, item, range, sizeof(range));
	if (err)
		return err;
	if (strstr(range, "..") && !is_env(vary->name))
		err = units_parse_values(range, values, SAMPLE_MAX_CASES, &n);
	if (err == -E2BIG)
		return refuse_many(build, vary);
	if (err || !strstr(range, "..") || is_env(vary->name))
		return add_value(build, grid, vary, item);
	for (size_t i = 0; i < n && !err; i++)
		err = add_value(build, grid, vary, UNITS_EXACT(values[i]));
	return err;
}

/* One item of the list, up to a comma that has no backslash before it; returns what follows. */
static const char *next_item(const char *text, char *item, size_t size)
{
	size_t used = 0;

	for (; *text && *text != ','; text++) {
		if (text[0] == '\\' && (text[1] == ',' || text[1] == '\\'))
			text++;
		if (used + 1 < size)
			item[used++] = *text;
	}
	item[used] = '\0';
	return *text ? text + 1 : NULL;
}

static int take_option(struct experiment_build *build, struct experiment_grid *grid,
		       const char *text)
{
	struct experiment_vary *vary = &grid->options[grid->n];
	const char *rest = strchr(text, '=');
	size_t length = rest ? (size_t)(rest - text) : strlen(text);
	char item[4 * VARIABLE_VALUE];
	int err = 0;

	if (length >= sizeof(vary->name) || !rest)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" is not a variable and its values "
			      "(workers=2..8, alloc=0,400)",
			      text);
	*vary = (struct experiment_vary) {.n = 0};
	memcpy(vary->name, text, length);
	if (experiment_grid_has(grid, vary->name))
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\": %s is swept twice; give it one list", text,
			      vary->name);
	for (rest++; rest && !err;) {
		rest = next_item(rest, item, sizeof(item));
		err = add_item(build, grid, vary, item);
	}
	grid->n += !err;
	return err;
}

static int take_sweep(struct experiment_build *build, struct experiment_grid *grid,
		      const char *text)
{
	int taken = take_list(build, text);

	if (taken)
		return taken < 0 ? taken : 0;
	if (!is_plan(text))
		return take_option(build, grid, text);
	if (grid->sweep)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" and \"%s\" cannot be had together; leave one of "
			      "them out",
			      grid->sweep, text);
	grid->sweep = text;
	return 0;
}

int experiment_grid_read(struct experiment_build *build, struct experiment_grid *grid)
{
	struct request *request = &build->experiment->request;
	const char *const *more = request->more_sweeps;
	int err = request->sweep ? take_sweep(build, grid, request->sweep) : 0;

	for (size_t i = 0; i < REQUEST_SWEEPS - 1 && more[i] && !err; i++)
		err = take_sweep(build, grid, more[i]);
	request->sweep = grid->sweep;
	return err;
}

bool experiment_grid_has(const struct experiment_grid *grid, const char *name)
{
	for (size_t i = 0; i < grid->n; i++)
		if (strcmp(grid->options[i].name, name) == 0)
			return true;
	return false;
}

size_t experiment_grid_count(const struct experiment_grid *grid)
{
	size_t n = 1;

	for (size_t i = 0; i < grid->n; i++)
		n *= grid->options[i].n;
	return n;
}

/* The last option runs through its values first. */
static const char *value_of(const struct experiment_grid *grid, size_t combination, size_t option)
{
	for (size_t i = grid->n - 1; i > option; i--)
		combination /= grid->options[i].n;
	return grid->options[option].values[combination % grid->options[option].n];
}

static int refuse_name(struct experiment_build *build, const char *name, const char *value)
{
	if (strcmp(name, "command") == 0)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s=%s\": several programs are compared with one another "
			      "where --command is given for each",
			      name, value);
	return REFUSE(build, -EINVAL,
		      "--sweep: \"%s=%s\" does not begin with a variable that can be swept: "
		      "workers, size, a kind of work (cpu=1M,2M), cores, tree, or an option of a "
		      "run (alloc=0,400)",
		      name, value);
}

/* "NAME=VALUE"; a name that is there has the new value. */
static int set_env(struct experiment_build *build, struct request *request, const char *text)
{
	size_t n = strcspn(text, "=") + 1;

	for (size_t i = 0; n > 1 && i < REQUEST_ENVS; i++) {
		if (request->env[i] && strncmp(request->env[i], text, n) != 0)
			continue;
		request->env[i] = text;
		return 0;
	}
	return REFUSE(build, -EINVAL,
		      n == 1 ? "--sweep: \"env:%s\" names no variable "
			       "(env:MALLOC_ARENA_MAX=1,8)"
			     : "--sweep: \"env:%s\" is one variable too many beside those of --env",
		      text);
}

static int set_value(struct experiment_build *build, struct request *request, const char *name,
		     const char *value)
{
	int err;

	if (strcmp(name, cores_name) == 0) {
		request->cores = (uint32_t)strtoul(value, NULL, 10);
		return 0;
	}
	if (is_env(name))
		return set_env(build, request, value - (strlen(name) - strlen(env_prefix)) - 1);
	err = request->set ? request->set(request, name, value, build->error, build->size)
			   : -ENOENT;
	return err == -ENOENT ? refuse_name(build, name, value) : err;
}

int experiment_grid_set(struct experiment_build *build, const struct experiment_grid *grid,
			size_t combination, struct request *request)
{
	int err = 0;

	for (size_t i = 0; i < grid->n && !err; i++)
		err = set_value(build, request, grid->options[i].name,
				value_of(grid, combination, i));
	return err;
}

void experiment_grid_name(const struct experiment_grid *grid, size_t combination,
			  struct sample_case *one)
{
	for (size_t i = 0; i < grid->n; i++)
		variables_add(&one->variables, grid->options[i].name,
			      value_of(grid, combination, i));
}
