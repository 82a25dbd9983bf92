/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/names.h"
#include "base/units.h"
#include "base/procfs.h"
#include "base/utf8.h"
#include "core/command_words.h"
#include "core/variables.h"
#include "experiment/argument.h"
#include "experiment/setting.h"
#include "work/fiber.h"
#include "work/workload.h"

/*
 * The value that a setting with several values has in this combination, and whether it is the
 * setting's first value. NULL if the setting does not have several values.
 */
static const char *grid_value(const struct experiment_build *build, const char *name, bool *first)
{
	const struct experiment_grid *grid = build->grid;

	*first = true;
	for (size_t i = 0; i < grid->n; i++) {
		/* Skip a {NAME} in a command, which may have the same name as a setting. */
		if (grid->options[i].setting->kind == SETTING_ARGUMENT ||
		    strcmp(grid->options[i].name, name) != 0)
			continue;
		*first = build->values[i] == grid->options[i].values[0];
		return build->values[i];
	}
	return NULL;
}

static int experiment_place(struct experiment_build *build, uint32_t cores, uint32_t workers,
			    struct sample_case *config)
{
	const struct request *request = build->request;
	enum topology_place place = request->place;
	const char *option = "-s place", *limit = "this program may use";
	int16_t order[CPU_SETSIZE];
	char list[128] = "";
	size_t n, wanted;
	bool same;

	if (request->cores > 0)
		option = "-s cores";
	if (request->pinned)
		limit = "-s pin names";
	if (!experiment_places(build) || CPU_COUNT(&build->allowed) == 0)
		return 0;
	if (build->kind->creates)
		return REFUSE(build,
			      "%s: creation chooses the cores of its tasks itself; -s pin limits "
			      "the CPUs that it may use",
			      option);
	/*
	 * If no place is given, use different cores: the CPUs with the lowest numbers might be on
	 * one core.
	 */
	if (place == TOPOLOGY_ANY)
		place = TOPOLOGY_SPREAD;
	same = place == TOPOLOGY_SAME_CORE;
	if (build->fits &&
	    !same) { /* The number of CPUs is enough here. Finding their places takes long. */
		n = (size_t)CPU_COUNT(&build->allowed);
	} else {
		if (!build->topology) {
			build->topology = malloc(sizeof(*build->topology));
			if (!build->topology)
				return REFUSE_AS(build, -ENOMEM, "out of memory");
			topology_read("", build->topology);
		}
		n = topology_order(build->topology, place, &build->allowed, order);
	}
	/* For "same core", use all CPUs of a core, even if there are fewer workers. */
	wanted = workers;
	if (cores > 0)
		wanted = cores;
	else if (same || workers > n)
		wanted = n;
	if (wanted > n && same)
		return REFUSE(build,
			      "-s cores=%" PRIu32 " is more than the %zu CPU%s that "
			      "-s place=same-core has",
			      cores, n, sentence_plural((int64_t)n));
	if (wanted > n)
		return REFUSE(build, "-s cores=%" PRIu32 " is more than the %zu CPU%s that %s (%s)",
			      cores, n, sentence_plural((int64_t)n), limit,
			      units_format_cpulist(list, sizeof(list), &build->allowed));
	for (size_t i = 0; i < wanted; i++) {
		if (build->fits)
			break;
		CPU_SET(order[i], &config->cpus);
	}
	snprintf(config->place, sizeof(config->place), "%s", topology_place_names[place]);
	config->pinned = true;
	return 0;
}

#define USUAL_TASKS 1000
/*
 * The default number of tasks of a pool gives each worker 1 / CASES_PART of the usual work, and at
 * least CASES_ROUNDS tasks.
 */
#define CASES_PART   2
#define CASES_ROUNDS 4

static bool is_model(const char *model, const char *name)
{
	size_t length = strlen(name);

	return strncmp(model, name, length) == 0 && (model[length] == '\0' || model[length] == ':');
}

static int experiment_pool_plan(struct experiment_build *build, const struct experiment_set *set,
				const char *model, struct plan *plan)
{
	const uint32_t asked = build->request->tasks;
	bool threads = is_model(model, "pool"), processes = is_model(model, "prefork");
	enum work_kind kind = WORK_FP;
	const char *colon = strchr(model, ':');
	uint64_t workers, size, tasks = 0;
	uint32_t usual;

	if (set->workers[WORK_CPU] > 0)
		kind = WORK_CPU;
	usual = set->workers[kind];
	workers = usual;
	size = set->work_size[kind];
	if (size > 0)
		tasks = workload_get(kind)->default_size / CASES_PART * usual / size;
	tasks = MAX(tasks, (uint64_t)CASES_ROUNDS * usual);
	/* Make the number of tasks a multiple of the workers, so that all get equally many. */
	if (asked > 0)
		tasks = asked;
	else if (tasks > USUAL_TASKS)
		tasks = USUAL_TASKS;
	else
		tasks = (tasks + usual - 1) / usual * usual;
	*plan = (struct plan) {.tasks = (uint32_t)tasks};
	if (!threads && !processes && strcmp(model, "threads") != 0 &&
	    strcmp(model, "processes") != 0)
		return REFUSE(build,
			      "--models: \"%s\" is not a model of pool (pool[:N], prefork[:N], "
			      "threads, processes)",
			      model);
	/* A number of workers follows the colon, as in "pool:4". */
	if (colon && (units_parse_count(colon + 1, PLAN_MAX_TASKS, &workers) || workers == 0))
		return REFUSE(build,
			      "--models: \"%s\": use %.*s:N with N from 1 to %u, such as %.*s:%u",
			      model, (int)(colon - model), model, PLAN_MAX_TASKS,
			      (int)(colon - model), model, usual);
	if (workers > plan->tasks)
		return REFUSE(build,
			      "--models: \"%s\" has %" PRIu64 " workers at once for %" PRIu32
			      " tasks; give -s tasks=%" PRIu64 " or more",
			      model, workers, plan->tasks, workers);
	if (processes || strcmp(model, "processes") == 0)
		plan->task[0] = PLAN_PROCESS;
	else
		plan->task[0] = PLAN_THREAD;
	/*
	 * With a barrier, the workers of a pool begin together. Without a barrier, they are created
	 * as tasks come.
	 */
	plan->levels = 1;
	plan->barrier = threads || processes;
	if (plan->barrier) {
		plan->batch = 0;
		plan->fanout[0] = (uint32_t)workers;
	} else {
		plan->batch = (uint32_t)workers;
		plan->fanout[0] = plan->tasks;
	}
	return 0;
}

/* The program that is run by default. It does nothing. */
static const char *const example[] = {"true"};

/*
 * The ways in which the Python script runs workers, each with the Python versions that have it. The
 * first installed version is used.
 */
static const struct {
	const char *name, *way, *pythons[4];
} python_ways[] = {
	{"threads", "threads", {"python3.14", "python3.13", "python3.12", "python3"}},
	{"processes", "processes", {"python3.14", "python3.13", "python3.12", "python3"}},
	/* Here, each interpreter has its own lock. */
	{"interpreters", "interpreters", {"python3.14", "python3.13", "python3.12"}},
	/* Here, Python was built without a global lock. */
	{"threads, no GIL", "threads", {"python3.14t", "python3.13t"}},
};
enum { PYTHON_WAYS = LENGTH(python_ways) };

/*
 * Returns whether this file is a program. A script with such a name does not count, because it may
 * start another version of Python.
 */
static bool is_program(const char *name)
{
	char path[PATH_MAX], head[4] = "";
	FILE *file = NULL;
	bool is;

	if (command_words_find(name, path) == 0)
		file = fopen(path, "re");
	is = file && fread(head, 1, sizeof(head), file) == sizeof(head) &&
	     memcmp(head, ELFMAG, SELFMAG) == 0;

	if (file)
		fclose(file);
	return is;
}

static void use_python(struct request *request, const char *name)
{
	static char texts[PYTHON_WAYS][PATH_MAX + 64];
	static const char *programs[PYTHON_WAYS], *names[PYTHON_WAYS];
	char script[PATH_MAX];
	uint32_t n = 0;

	procfs_find_data(name, script);
	for (size_t i = 0; i < PYTHON_WAYS; i++) {
		const char *const *python = python_ways[i].pythons;
		const char *const *last = python + 3;

		while (python < last && *python && !is_program(*python))
			python++;
		/*
		 * If no Python is installed, keep the first two ways, so that the error says that
		 * python3 is missing.
		 */
		if (!*python)
			continue;
		snprintf(texts[n], sizeof(texts[n]), "%s '%s' %s", *python, script,
			 python_ways[i].way);
		programs[n] = texts[n];
		names[n++] = python_ways[i].name;
	}
	request->programs = programs;
	request->program_names = names;
	request->n_programs = request->n_names = n;
}

/* Returns why a command cannot be split into words. */
static const char *no_words_why(int err)
{
	switch (err) {
	case -EINVAL:
		return "has a quote without its closing quote";
	case -ENOENT:
		return "names no program ('sort FILE')";
	case -E2BIG:
		return "has more than 255 words, or 4,096 bytes";
	default:
		return "has |, &, ;, < or >, which only a shell understands: quote them, or run sh "
		       "-c '...'";
	}
}

/*
 * Explains a command that begins with NAME=VALUE. The user may have meant to name the program,
 * which --name does, or to set a variable of its environment. Returns NULL for any other command.
 */
static char *explain_assignment(const char *words, int n, char *buf, size_t size)
{
	const char *sign = strchr(words, '='), *slash = strchr(words, '/'), *value;
	const char *more = "";
	char path[PATH_MAX];
	bool is_name;
	int length;

	if (!sign || sign - words >= VARIABLE_NAME || (slash && slash < sign))
		return NULL;
	value = sign + 1;
	length = (int)(sign - words);
	is_name = n == 1 || strchr(value, '/') || command_words_find(value, path) == 0;
	if (n > 2 || (is_name && n > 1))
		more = " ...";
	if (is_name)
		snprintf(buf, size, "to name a program, type --name %.*s -c '%s%s'", length, words,
			 value, more);
	else
		snprintf(buf, size, "to set an environment variable, type -s env:%.*s=%s -c '%s%s'",
			 length, words, value, value + strlen(value) + 1, more);
	return buf;
}

/* Returns why the program of a command cannot be started. */
static const char *no_program_why(int err, const char *words)
{
	if (err == -EACCES)
		return "is not executable; chmod +x it, or name another program";
	if (err == -EISDIR)
		return "is a directory; name a program in it";
	if (strchr(words, '/'))
		return "does not exist; name a program or its path";
	return "is not in PATH; name a program or its path";
}

/*
 * Checks the words of a command. n: number of words, or the error from splitting them. later: the
 * program need not exist yet, because another command may make it.
 */
static int check_words(struct experiment_build *build, const char *option, const char *text, int n,
		       const char *words, bool later)
{
	char path[PATH_MAX], assignment[COMMAND_BYTES];
	int err = n;

	if (err < 0)
		return REFUSE(build, "%s: \"%s\" %s", option, text, no_words_why(err));
	err = command_words_find(words, path);
	if (!err || (later && err == -ENOENT))
		return 0;
	if (explain_assignment(words, n, assignment, sizeof(assignment)))
		return REFUSE(build, "%s: \"%s\" is not a program; %s", option, words, assignment);
	return REFUSE(build, "%s: \"%s\" %s", option, words, no_program_why(err, words));
}

/* Refuses a name in braces that has no value. */
static int check_arguments(struct experiment_build *build, const char *option, const char *text)
{
	const char *at = text;
	char name[VARIABLE_NAME];

	while (argument_next(&at, name))
		if (!argument_is_known(name) && !argument_value(build->request, name))
			return REFUSE(build,
				      "%s: \"%s\" has {%s} without a value; give some (-s "
				      "%s=1,2,4), or type {{%s}} for the text {%s}",
				      option, text, name, name, name, name);
	return 0;
}

static int check_hook(struct experiment_build *build, const char *option, const char *text,
		      bool later)
{
	char words[COMMAND_BYTES], name[VARIABLE_NAME];
	const char *at = text;

	if (check_arguments(build, option, text))
		return -EINVAL;
	/* If the program's name includes a name in braces, it cannot be checked yet. */
	later |= argument_next(&at, name);
	return check_words(build, option, text, command_words_split(text, words), words, later);
}

/* Refuses the trial's number in a command that runs once for all trials. */
static int check_no_trial(struct experiment_build *build, const char *option, const char *text)
{
	char name[VARIABLE_NAME];

	while (argument_next(&text, name))
		if (strcmp(name, "trial") == 0)
			return REFUSE(build,
				      "%s: runs once for all trials, so {trial} has no number; use "
				      "-s prepare, which runs before each, or type {{trial}}",
				      option);
	return 0;
}

int experiment_check_hooks(struct experiment_build *build)
{
	const struct request *request = build->request;
	int err = 0;

	if (request->setup)
		err = check_hook(build, "-s setup", request->setup, false);
	if (!err && request->prepare)
		err = check_hook(build, "-s prepare", request->prepare, request->setup);
	if (!err && request->cleanup)
		err = check_hook(build, "-s cleanup", request->cleanup, request->setup);
	if (!err && request->setup)
		err = check_no_trial(build, "-s setup", request->setup);
	if (!err && request->cleanup)
		err = check_no_trial(build, "-s cleanup", request->cleanup);
	if (!err && request->input)
		err = check_arguments(build, "-s input", request->input);
	if (!err && request->output)
		err = check_arguments(build, "-s output", request->output);
	return err;
}

/* Returns the program's name, or the program as typed. */
static const char *called_as(const struct request *request, uint32_t program)
{
	if (program < request->n_names)
		return request->program_names[program];
	return request->programs[program];
}

/* Checks --name: each name belongs to one program, and all differ. */
static int check_names(struct experiment_build *build)
{
	const struct request *request = build->request;

	if (request->n_names > request->n_programs)
		return REFUSE(build,
			      "--name: \"%s\" names no program: the first --name is for the first "
			      "-c, and so on",
			      request->program_names[request->n_programs]);
	for (uint32_t i = 0; i < request->n_names; i++)
		for (uint32_t k = 0; k < request->n_programs; k++)
			if (k != i && strcmp(called_as(request, k), called_as(request, i)) == 0)
				return REFUSE(build,
					      "--name: \"%s\" names two programs; choose another",
					      called_as(request, i));
	return 0;
}

/*
 * Returns whether there are several programs, a command with several values of a name in braces, or
 * a program with a name (--name).
 */
static bool are_compared(const struct experiment_build *build)
{
	const struct experiment_grid *grid = build->grid;

	for (size_t i = 0; i < grid->n; i++)
		if (argument_is_used(build->request, grid->options[i].name))
			return true;
	return build->request->n_programs > 1 || build->request->n_names > 0;
}

/*
 * Sets the programs of the session, and checks their arguments. If the programs are compared, all
 * of them get the same model, unless the user compares models.
 */
int experiment_program(struct experiment_build *build)
{
	struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;
	const char *program;

	if (request->n_programs == 0 && kind->script) {
		if (check_names(build))
			return -EINVAL;
		use_python(request, kind->script);
	} else if (request->n_programs == 0 && kind->workers[WORK_PROGRAM] > 0) {
		request->programs = example;
		request->n_programs = 1;
	}
	if (request->n_programs == 0 && request->workers[WORK_PROGRAM] > 0)
		return REFUSE(build,
			      "--workers: program=%" PRId64
			      " needs a program; name one with -c 'PROGRAM ARGS'",
			      request->workers[WORK_PROGRAM]);
	if (request->n_programs == 0)
		return check_names(build);
	for (uint32_t i = 0; i < request->n_programs; i++)
		if (check_arguments(build, "--command", request->programs[i]))
			return -EINVAL;
	if (check_names(build))
		return -EINVAL;
	if (are_compared(build) && !request->models)
		request->models = "processes";
	program = request->programs[0];
	if (request->work)
		return REFUSE(build,
			      "--command: \"%s\" and --own both set the work of all workers; leave "
			      "one of them out",
			      program);
	if (kind->tree || kind->creates || kind->fault || kind->hands_out || kind->serves)
		return REFUSE(build, "--command: \"%s\" cannot run in %s; leave one of them out",
			      program, kind->name);
	if (request->workers[WORK_PROGRAM] == 0)
		return REFUSE(
			build,
			"--command: \"%s\" has no worker that runs it; name some (-w program=2)",
			program);
	return 0;
}

/* Bytes of a command's name. There must be room for "~64" and "#64" after it. */
enum { NAME_BYTES = VARIABLE_VALUE - 6 };
static_assert(VARIABLE_VALUE <= SAMPLE_LABEL, "a name is a model's or a variable's value");

static uint32_t first_of(const struct request *request, uint32_t program)
{
	uint32_t first = 0;

	while (strcmp(request->programs[first], request->programs[program]) != 0)
		first++;
	return first;
}

/*
 * Names the programs as they were typed. If a name is too long, shortens all names so that they
 * fit. Names that differ only in escapes get a number at the end.
 */
static int name_programs(const struct request *request, char names[][VARIABLE_VALUE])
{
	char(*typed)[SAMPLE_COMMAND] = calloc(request->n_programs, sizeof(*typed));
	const char *escaped[SAMPLE_MAX_CASES];
	uint32_t n = request->n_programs;
	char fit[SAMPLE_COMMAND];
	int most = NAME_BYTES - 1;

	if (!typed)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		escaped[i] = utf8_escape(called_as(request, i), typed[i], sizeof(typed[i]));
	for (uint32_t i = 0; i < n; i++)
		while (most > 1 && strlen(names_fit(escaped, n, i, most, "...", fit,
						    sizeof(fit))) >= NAME_BYTES)
			most--;
	for (uint32_t i = 0; i < n; i++) {
		unsigned char same = 1; /* number of programs with this name so far */

		names_fit(escaped, n, i, most, "...", fit, sizeof(fit));
		for (uint32_t k = 0; k < first_of(request, i); k++)
			same += strcmp(escaped[k], escaped[i]) == 0 && first_of(request, k) == k;
		strcpy(names[i], fit);
		if (same > 1)
			sprintf(names[i] + strlen(names[i]), "~%u", same);
	}
	free(typed);
	return 0;
}

/*
 * Fills in the values of this case and checks the command. If the command has no names in braces,
 * the case uses the typed text.
 */
static int fill_program(struct experiment_build *build, const struct experiment_case *as,
			struct sample_case *config)
{
	const char *typed = as->request.programs[as->program], *at = typed;
	char words[COMMAND_BYTES], text[COMMAND_BYTES], name[VARIABLE_NAME];
	int n = argument_fill(as, typed, ARGUMENT_NO_TRIAL, words);

	if (n >= 0 && argument_next(&at, name)) {
		if (command_words_join(words, n, text))
			n = -E2BIG;
		typed = text;
	}
	if (!as->request.anonymous)
		utf8_escape(typed, config->command, sizeof(config->command));
	return check_words(build, "--command", typed, n, words,
			   build->request->setup || build->request->prepare);
}

static int name_program(struct experiment_build *build, const struct experiment_case *as,
			struct sample_case *config)
{
	const struct request *request = build->request;
	const uint32_t program = as->program;
	char names[SAMPLE_MAX_CASES][VARIABLE_VALUE], *name = names[program];

	if (program < request->n_programs && fill_program(build, as, config))
		return -EINVAL;
	if (!are_compared(build) || (request->n_programs == 1 && strchr(request->models, ',')))
		return 0;
	if (name_programs(request, names))
		return REFUSE_AS(build, -ENOMEM, "out of memory");
	if (request->anonymous && program >= request->n_names)
		snprintf(name, VARIABLE_VALUE, "program %u", first_of(request, program) + 1);
	if (strchr(request->models, ','))
		variables_add(&config->variables, "command", name);
	else
		snprintf(config->model, sizeof(config->model), "%s", name);
	return 0;
}

/*
 * FORKED_BYTES: bytes for which the forks of a run together copy page tables. LEAST_FORKS: least
 * number of forks.
 */
#define FORKED_BYTES (UINT64_C(100) << 30)
#define LEAST_FORKS  10
/* Total sleep of all round trips in a run, ns, if the user gave no number of round trips. */
#define WAITS_OF_TRIPS UINT64_C(1000000000)
/* Creations in a run, each after a wait, if the user gave no number. */
#define IDLE_CREATIONS 50

/* The values for the next cases, which differ only in the model. */
struct variant {
	/* the tree's levels and fan-outs; levels 0: a set of workers instead of a tree */
	struct plan shape;
	const char *tree; /* the tree as typed; NULL if there is only one */
	enum plan_placement placement;
	uint32_t cores; /* number of CPUs; 0: the number that the user asked for */
	/* "same" or "two", the places of two workers that exchange messages; else NULL */
	const char *cores_name;
	struct experiment_set set;
	uint32_t workers; /* workers of the set, in all */
	uint32_t fibers;  /* number of fibers of the only worker; 0: the workers have no fibers */
	uint32_t program; /* index of the program in the list of --command */
};

typedef int add_item(struct experiment_build *build, struct variant *variant, const char *item);

/*
 * Calls add() for each part of the list, whose parts are separated by commas. Stops at the first
 * error.
 */
static int each(struct experiment_build *build, struct variant *variant, const char *list,
		add_item *add)
{
	char *copy = strdup(list), *rest = copy;
	int err = 0;

	if (!copy)
		return REFUSE_AS(build, -ENOMEM, "out of memory");
	while (!err && rest)
		err = add(build, variant, strsep(&rest, ","));
	free(copy);
	return err;
}

/*
 * Returns whether a hybrid has one task more than workers are wanted, such as 16x16 for 255
 * workers, and the experiment allows that. The additional task has no work.
 */
static bool is_one_short(const struct experiment_build *build, uint32_t workers, uint64_t tasks)
{
	return build->kind->hybrid_side > 0 && workers + 1 == tasks;
}

/* Makes a hybrid of processes and threads from the shape typed after "hybrid". */
static int shape_hybrid(struct experiment_build *build, uint32_t workers, const char *shape,
			struct plan *plan)
{
	uint32_t side = build->kind->hybrid_side, best_p = 1, best_t, p, t;
	struct plan typed;

	/*
	 * Choose the two factors nearest to a square, with fewer processes than threads: 8 workers
	 * are 2x4.
	 */
	for (uint32_t i = 2; i <= workers / i; i++)
		if (workers % i == 0)
			best_p = i;
	best_t = workers / best_p;
	if (workers == side * side || is_one_short(build, workers, (uint64_t)side * side))
		best_p = best_t = side;
	if (!*shape)
		typed = (struct plan) {.levels = 2, .fanout = {best_p, best_t}};
	else if (plan_shape_parse(shape + 1, &typed) == -EINVAL)
		typed.levels = 0;
	p = typed.fanout[0];
	t = typed.fanout[1];
	if (typed.levels != 2 || p > PLAN_MAX_TASKS || t > PLAN_MAX_TASKS)
		return REFUSE(build,
			      "--models: \"hybrid%s\" is not hybrid:PxT, processes x threads "
			      "(hybrid:%ux%u)",
			      shape, best_p, best_t);
	if ((uint64_t)p * t != workers && !is_one_short(build, workers, (uint64_t)p * t))
		return REFUSE(build,
			      "--models: \"hybrid%s\" makes %" PRIu64
			      " workers where %u are asked for (hybrid:%ux%u would fit)",
			      shape, (uint64_t)p * t, workers, best_p, best_t);
	plan->levels = 2;
	plan->fanout[0] = p;
	plan->fanout[1] = t;
	return 0;
}

/*
 * Returns the number of creations in a run: the number that the user gave, or a default. The
 * default is smaller if each creation follows a wait, or if forks copy the page tables of ballast:
 * with 1 GiB in use, a fork takes 200 times as long as with none.
 */
static uint32_t count_creations(const struct experiment_build *build, const struct variant *variant,
				enum plan_primitive primitive)
{
	const struct request *request = build->request;
	uint32_t many = variant->workers, idle = IDLE_CREATIONS;
	uint64_t few;

	if (build->asked_null)
		return many;
	if (request->quick) {
		many /= 2;
		idle /= 2;
	}
	if (variant->placement == PLAN_IDLE)
		return idle;
	if (request->ballast == 0 || (primitive != PLAN_FORK && primitive != PLAN_FORK_EXEC))
		return many;
	few = FORKED_BYTES / request->ballast;
	few = MAX(LEAST_FORKS, few);
	if (few < many)
		return (uint32_t)few;
	return many;
}

static int plan_primitive(struct experiment_build *build, const struct variant *variant,
			  const char *model, struct plan *plan)
{
	enum plan_primitive primitive =
		(enum plan_primitive)names_find_or_0(plan_primitive_names, PLAN_PRIMITIVES, model);

	if (primitive == PLAN_PLAIN)
		return REFUSE(build, "--models: \"%s\" is not a way to create a task (%s)", model,
			      build->kind->models);
	if (primitive == PLAN_FIBER && !fiber_supported())
		return REFUSE_AS(build, -ENOTSUP, "--models: \"%s\" " FIBERS_MISSING, model);
	plan_creation(primitive, count_creations(build, variant, primitive), plan);
	plan->placement = (uint8_t)variant->placement;
	return 0;
}

/* Refuses a name other than threads, processes and hybrid. */
static int refuse_model(struct experiment_build *build, const char *model, uint32_t programs)
{
	const char *also = "", *as_hybrid = "", *as_shape = "";
	struct plan plan;

	if (!model[strspn(model, "0123456789")])
		return REFUSE(build,
			      "--models: \"%s\" is not a model (threads, processes, "
			      "hybrid[:PxT]); a number of trials is -n %s",
			      model, model);
	if (programs > 0)
		also = ", fork+exec, vfork+exec, posix_spawn";
	/* A shape such as "2x2" is a hybrid typed without "hybrid:", as in sentences and tables. */
	if (plan_shape_parse(model, &plan) != -EINVAL && plan.levels == 2) {
		as_hybrid = "; for a hybrid, type hybrid:";
		as_shape = model;
	}
	return REFUSE(build,
		      "--models: \"%s\" is not a model (threads, processes, hybrid[:PxT]%s)%s%s",
		      model, also, as_hybrid, as_shape);
}

/*
 * Plans a model that is not threads, processes or both: a way to start programs. Refuses models
 * that this experiment does not have.
 */
static int plan_other_model(struct experiment_build *build, const struct variant *variant,
			    const char *model, struct plan *plan)
{
	/* The way to start a program for each way of creation; PLAN_PLAIN: there is none. */
	static const enum plan_primitive ways[PLAN_PRIMITIVES] = {
		[PLAN_FORK] = PLAN_FORK_EXEC,	       [PLAN_FORK_EXEC] = PLAN_FORK_EXEC,
		[PLAN_VFORK] = PLAN_VFORK_EXEC,	       [PLAN_VFORK_EXEC] = PLAN_VFORK_EXEC,
		[PLAN_POSIX_SPAWN] = PLAN_POSIX_SPAWN,
	};
	const enum plan_primitive way =
		ways[names_find_or_0(plan_primitive_names, PLAN_PRIMITIVES, model)];
	const uint32_t programs = variant->set.workers[WORK_PROGRAM];
	const char *instead = "workers with work of their own";

	if (build->kind->tree)
		instead = "a tree of them";
	if (is_model(model, "pool") || is_model(model, "prefork"))
		return REFUSE(build,
			      "--models: \"%s\" is only for the experiment pool, which hands out "
			      "tasks; %s has %s",
			      model, build->kind->name, instead);
	if (way != PLAN_PLAIN && programs == variant->workers && programs > 0)
		return plan_start_programs(way, programs, plan);
	if (way != PLAN_PLAIN)
		return REFUSE(
			build,
			"--models: \"%s\" starts a program, so it needs -c (other models: threads, "
			"processes, hybrid[:PxT]); tuibench creation times the call alone",
			model);
	return refuse_model(build, model, programs);
}

/*
 * Makes the plan of a model from its name, as the experiment understands it, or refuses the name.
 * Returns 0 or -errno.
 */
static int plan_model(struct experiment_build *build, const struct variant *variant,
		      const char *model, struct plan *plan)
{
	const struct request *request = build->request;
	const bool threads = strcmp(model, "threads") == 0, hybrid = is_model(model, "hybrid");
	char shape[128];
	int err = 0;

	if (build->kind->creates)
		return plan_primitive(build, variant, model, plan);
	if (build->kind->hands_out)
		return experiment_pool_plan(build, &variant->set, model, plan);
	if (build->kind->serves)
		return experiment_server_plan(build, &variant->set, model, plan);
	if (!threads && !hybrid && strcmp(model, "processes") != 0)
		return plan_other_model(build, variant, model, plan);
	/*
	 * A set of workers is a tree of one level, or of two levels if it is a hybrid. It has a
	 * barrier.
	 */
	*plan = variant->shape;
	plan->batch = (uint32_t)request->batch;
	plan->all_alive = request->all_alive;
	plan->barrier = plan->levels == 0;
	if (hybrid && !plan->barrier && model[6] == ':')
		return REFUSE(
			build,
			"--models: \"%s\" does not fit a tree, whose inner levels are processes "
			"and whose leaves are threads; use hybrid",
			model);
	if (hybrid && plan->levels == 1)
		return REFUSE(build,
			      "--models: \"hybrid\" needs a tree of at least two levels, processes "
			      "that create threads; %s has one",
			      plan_shape(plan, shape, sizeof(shape)));
	if (plan->barrier) {
		plan->levels = 1;
		plan->fanout[0] = variant->workers;
	}
	if (plan->barrier && hybrid)
		err = shape_hybrid(build, variant->workers, model + strlen("hybrid"), plan);
	for (uint32_t i = 0; i < plan->levels; i++) {
		if (threads || (hybrid && i + 1 == plan->levels))
			plan->task[i] = PLAN_THREAD;
		else
			plan->task[i] = PLAN_PROCESS;
	}
	if (!err && plan_count(plan) == 0)
		err = REFUSE(build,
			     "--models: \"%s\" with %u workers needs more than %u tasks, the most "
			     "that can be planned",
			     model, variant->workers, PLAN_MAX_TASKS);
	return err;
}

/* Gives work to the leaves. In a tree, all leaves do the one kind of work that has a size. */
static void deal_work(const struct experiment_set *set, struct sample_case *config)
{
	const bool is_set = config->plan.barrier || plan_starts_programs(&config->plan);

	/* The plan of a server already has its work. */
	if (plan_serves(&config->plan))
		return;

	for (int i = 0; i < WORK_KINDS; i++) {
		uint64_t size = set->work_size[i];

		if (config->plan.tasks > 0) {
			if (set->workers[i] > 0)
				config->plan.leaves[i] = config->plan.fanout[0];
			else
				config->plan.leaves[i] = 0;
		} else if (is_set)
			config->plan.leaves[i] = set->workers[i];
		else if (size > 0)
			config->plan.leaves[i] = plan_leaves(&config->plan);
		if (config->plan.leaves[i] > 0) {
			if (size)
				config->work_size[i] = size;
			else
				config->work_size[i] =
					workload_get((enum work_kind)i)->default_size;
		}
	}
}

static void label_model(const struct plan *plan, const char *asked, char *label, size_t size)
{
	bool hybrid = plan_has(plan, PLAN_THREAD) && plan_has(plan, PLAN_PROCESS);

	if (plan_serves(plan))
		experiment_server_label(plan, asked, label, size);
	else if (plan_is_pool(plan))
		snprintf(label, size, "%s", asked);
	else if (plan->primitive != PLAN_PLAIN)
		snprintf(label, size, "%s", plan_primitive_names[plan->primitive]);
	else if (hybrid && plan->barrier)
		snprintf(label, size, "hybrid:%ux%u", plan->fanout[0], plan->fanout[1]);
	else if (hybrid)
		snprintf(label, size, "hybrid");
	else if (plan->task[0] == PLAN_THREAD)
		snprintf(label, size, "threads");
	else
		snprintf(label, size, "processes");
}

static bool is_taken(const struct experiment *experiment, const struct sample_case *new)
{
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *config = &experiment->cases[i];

		if (variables_equal(&config->variables, &new->variables) &&
		    strcmp(config->model, new->model) == 0)
			return true;
	}
	return false;
}

/*
 * Appends "#2" to the name of a model that was typed a second time, to compare it with itself
 * (A/A).
 */
static void number_model(const struct experiment *experiment, struct sample_case *new)
{
	size_t len = strlen(new->model);

	for (uint32_t n = 2; is_taken(experiment, new); n++)
		snprintf(new->model + len, sizeof(new->model) - len, "#%u", n);
}

/* Returns whether the size of the tasks' stacks can be chosen. Fibers have a fixed size. */
static bool has_stack(const struct plan *plan)
{
	return plan_has(plan, PLAN_THREAD) && plan->primitive != PLAN_FIBER;
}

static void write_variable(struct sample_case *config, const char *name, const char *value)
{
	if (value && *value)
		variables_add(&config->variables, name, value);
}

static void write_variables(const struct experiment_build *build, const struct variant *variant,
			    struct sample_case *config)
{
	const struct request *request = build->request;
	bool first;

	if (variant->set.kind < WORK_KINDS)
		write_variable(config, "work", plan_work_name(variant->set.kind));
	write_variable(config, "via", counting_names[request->counting]);
	write_variable(config, "tree", variant->tree);
	write_variable(config, "cores", variant->cores_name);
	if (!build->kind->serves || experiment_typed(request, "via"))
		write_variable(config, "via", via_names[request->via]);
	write_variable(config, "ballast", grid_value(build, "ballast", &first));
	write_variable(config, "placement", plan_placement_names[variant->placement]);
	if (has_stack(&config->plan))
		write_variable(config, "stack", grid_value(build, "stack", &first));
}

/* Returns the number of CPUs that the case's tasks may use. */
static uint32_t count_cores(const struct experiment_build *build, const struct sample_case *config)
{
	if (CPU_COUNT(&config->cpus) > 0)
		return (uint32_t)CPU_COUNT(&config->cpus);
	if (build->request->cores > 0)
		return build->request->cores;
	return (uint32_t)build->cpus;
}

static int take_model(struct experiment_build *build, struct variant *variant, const char *model)
{
	struct experiment *experiment = build->experiment;
	const struct request *request = &experiment->request;
	struct sample_case new = {.ballast = request->ballast,
				  .via = (uint8_t)request->via,
				  .fibers = variant->fibers,
				  .counting = (uint8_t)request->counting};
	int err = plan_model(build, variant, model, &new.plan);
	uint32_t cores = variant->cores;
	bool first;

	if (err)
		return err;
	if (cores == 0)
		cores = request->cores;
	/*
	 * Reading the clock creates no task, and a fiber stays on its thread's CPU, so neither has
	 * a placement.
	 */
	if ((new.plan.primitive == PLAN_CALL || new.plan.primitive == PLAN_FIBER) &&
	    variant->placement > PLAN_PINNED)
		return 0;
	grid_value(build, "stack", &first);
	if (has_stack(&new.plan))
		new.stack_size = request->stack_size;
	else if (!first)
		return 0; /* the size of a process's stack cannot be chosen */
	if (experiment->n_cases == SAMPLE_MAX_CASES)
		return REFUSE(build,
			      "--models: \"%s\" is one too many; at most %d models, trees and "
			      "values of settings fit",
			      model, SAMPLE_MAX_CASES);
	new.cache = (uint8_t)request->cache;
	new.pinned = request->pinned;
	new.alloc = request->alloc;
	if (build->kind->workers[WORK_TOKEN] > 0)
		new.serving.wait_ns = request->serving.wait_ns;
	if (build->kind->serves) {
		new.serving = request->serving;
		if (!(cores > 0))
			cores = experiment_server_cores(build);
	}
	err = experiment_place(build, cores, (uint32_t)plan_count(&new.plan), &new);
	if (err)
		return err;
	deal_work(&variant->set, &new);
	new.mistakes = experiment_mistakes(request, &new.plan);
	write_variables(build, variant, &new);
	label_model(&new.plan, model, new.model, sizeof(new.model));
	experiment->each[experiment->n_cases] = (struct experiment_case) {
		.request = *request,
		.program = variant->program,
		.group = build->groups,
		.cores = count_cores(build, &new),
	};
	strcpy(experiment->each[experiment->n_cases].model, new.model);
	err = name_program(build, &experiment->each[experiment->n_cases], &new);
	if (err)
		return err;
	number_model(experiment, &new);
	experiment->cases[experiment->n_cases++] = new;
	return 0;
}

/* Returns the value of -s cpu.size, which takes precedence over -s size; NULL if not given. */
static const char *size_of_kind(const struct request *request, enum work_kind kind)
{
	char name[VARIABLE_NAME];

	snprintf(name, sizeof(name), "%s.size", plan_work_name(kind));
	return experiment_typed(request, name);
}

static int check_size(struct experiment_build *build)
{
	const struct request *request = build->request;
	const char *own = NULL, *of_kind;

	if (request->size == 0)
		return 0;
	for (int i = 0; i < WORK_KINDS; i++) {
		of_kind = size_of_kind(request, (enum work_kind)i);
		if (!of_kind && request->workers[i] > 0 &&
		    workload_get((enum work_kind)i)->default_size > 0)
			return 0;
		if (of_kind)
			own = of_kind;
	}
	if (own)
		return REFUSE(build, "-s size=%s has no effect with -s %s; leave one of them out",
			      UNITS_EXACT(request->size), own);
	return 0;
}

/* Applies -s size to each kind that has workers and no size of its own. */
static int set_sizes(struct experiment_build *build, struct experiment_set *set)
{
	const struct request *request = build->request;
	const char *text = UNITS_EXACT(request->size);

	for (int i = 0; i < WORK_KINDS; i++) {
		const struct workload_ops *ops = workload_get((enum work_kind)i);
		bool has = set->workers[i] > 0;

		if (request->size == 0)
			break;
		if (build->kind->tree)
			has = request->work_size[i] > 0;
		if (!has || ops->default_size == 0 || size_of_kind(request, (enum work_kind)i))
			continue;
		if (!workload_takes(ops, request->size))
			return REFUSE(build,
				      "-s size=%s is not an amount of work for %s workers (%s)",
				      text, plan_work_name((enum work_kind)i), ops->unit);
		set->work_size[i] = request->size;
	}
	if (build->io_bytes > 0 && set->workers[WORK_IO] > 0 &&
	    set->work_size[WORK_IO] > build->io_bytes)
		return REFUSE(build,
			      "-s size=%s is more than the %" PRIu64 " bytes of -s io-file=%s",
			      text, build->io_bytes, request->io_file);
	return 0;
}

/*
 * Returns the number of round trips with which a run takes at most a second, even if all pairs
 * sleep one after the other.
 */
static uint64_t count_waits(const struct request *request, uint32_t workers)
{
	const uint64_t usual = workload_get(WORK_TOKEN)->default_size;
	const uint64_t fit = WAITS_OF_TRIPS / request->serving.wait_ns / MAX(workers / 2, 1);

	return MAX(MIN(usual, fit), 1);
}

/*
 * Adds the cases of all models, in each place. By default, messages are exchanged on one core and,
 * if there are two cores, also on two. Creation is measured on one core. If there are more cores,
 * it is also measured on cores that the scheduler chooses, and again after these were idle, but
 * both only with the first value of ballast.
 */
static int each_value(struct experiment_build *build, struct variant *variant)
{
	const struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;
	const bool hands_over = kind->workers[WORK_TOKEN] > 0 && !request->pinned &&
				request->cores == 0 && request->place == TOPOLOGY_ANY;
	static const char *const cores_names[] = {NULL, "same", "two"};
	const bool fibers = request->via == VIA_UCONTEXT;
	uint32_t most_cores = hands_over;
	int first = PLAN_NOT_PLACED, last = PLAN_NOT_PLACED;
	int err = set_sizes(build, &variant->set);
	bool as_it_is;

	if (hands_over && build->cpus > 1)
		most_cores = 2;
	grid_value(build, "ballast", &as_it_is);
	if (kind->creates) {
		first = PLAN_PINNED;
		last = PLAN_PINNED;
		if (build->cpus > 1 && as_it_is)
			last = PLAN_IDLE;
	}
	variant->workers = 0;
	for (int i = 0; i < WORK_KINDS; i++)
		variant->workers += variant->set.workers[i];
	if (request->serving.wait_ns > 0 && variant->set.workers[WORK_TOKEN] > 0 &&
	    variant->set.work_size[WORK_TOKEN] == 0)
		variant->set.work_size[WORK_TOKEN] = count_waits(request, variant->workers);
	/*
	 * All fibers belong to one worker, which is on one core at a time, so there is no second
	 * place.
	 */
	if (fibers) {
		most_cores = MIN(most_cores, 1);
		variant->fibers = variant->workers;
		variant->workers = variant->set.workers[WORK_TOKEN] = 1;
	}
	for (uint32_t cores = hands_over; cores <= most_cores; cores++) {
		if (err)
			break;
		variant->cores = cores;
		variant->cores_name = cores_names[cores];
		for (int i = first; i <= last; i++) {
			if (err)
				break;
			variant->placement = (enum plan_placement)i;
			err = each(build, variant, sentence_text(request->models, kind->models),
				   take_model);
		}
	}
	build->groups++;
	return err;
}

static int take_tree(struct experiment_build *build, struct variant *variant, const char *tree)
{
	int err = plan_shape_parse(tree, &variant->shape);

	if (err == -EINVAL)
		return REFUSE(build,
			      "--tree: \"%s\" is not a tree: fan-outs above 0 joined by x, in at "
			      "most %d levels (20x3x82)",
			      tree, PLAN_MAX_LEVELS);
	if (err)
		return REFUSE(build,
			      "--tree: \"%s\" makes more than the %u tasks that can be planned",
			      tree, PLAN_MAX_TASKS);
	if (strchr(build->request->tree, ','))
		variant->tree = tree;
	else
		variant->tree = NULL;
	return each_value(build, variant);
}

/*
 * Begins a variant with the workers and sizes of the request. If kinds of work are run separately,
 * takes only this kind.
 */
static void begin_set(const struct experiment_build *build, enum work_kind kind,
		      struct variant *variant)
{
	const struct request *request = build->request;
	const bool halves = request->quick && !build->kind->tree && !build->kind->creates;
	struct experiment_set *set = &variant->set;
	uint64_t lost[WORK_KINDS], total = request->total, left = total, asked = 0;

	*set = (struct experiment_set) {.kind = kind};
	for (int i = 0; i < WORK_KINDS; i++) {
		/*
		 * --quick halves a default size. If it is 0, the workload's own default applies,
		 * which is short enough.
		 */
		set->work_size[i] = request->work_size[i];
		if (set->work_size[i] == 0) {
			set->work_size[i] = build->kind->work_size[i];
			if (halves)
				set->work_size[i] /= 2;
		}
		if (kind == WORK_KINDS || i == (int)kind) {
			if (total && kind < WORK_KINDS)
				set->workers[i] = (uint32_t)total;
			else
				set->workers[i] = (uint32_t)request->workers[i];
		}
		asked += (uint64_t)request->workers[i];
	}
	if (total == 0 || kind < WORK_KINDS || asked == 0)
		return;
	/*
	 * Scale the numbers of workers in proportion, so that they add up to this total. The kinds
	 * with the largest fractions get the remainder.
	 */
	for (int i = 0; i < WORK_KINDS; i++) {
		uint64_t share = total * (uint64_t)request->workers[i];

		set->workers[i] = (uint32_t)(share / asked);
		lost[i] = share % asked;
		left -= set->workers[i];
	}
	for (; left > 0; left--) {
		int most = 0;

		for (int i = 1; i < WORK_KINDS; i++) {
			if (lost[i] > lost[most])
				most = i;
		}
		set->workers[most]++;
		lost[most] = 0;
	}
}

int experiment_cases(struct experiment_build *build)
{
	const struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;
	int err = check_size(build);

	for (uint32_t i = 0; i < MAX(1, request->n_programs); i++) {
		struct variant variant = {.program = i};

		if (err)
			break;
		for (size_t k = 0; k < WORK_KINDS; k++) {
			if (!kind->by_kind || err || request->workers[plan_work_order[k]] == 0)
				continue;
			begin_set(build, plan_work_order[k], &variant);
			err = each_value(build, &variant);
		}
		if (kind->by_kind)
			continue;
		begin_set(build, WORK_KINDS, &variant);
		if (kind->tree)
			err = each(build, &variant, request->tree, take_tree);
		else
			err = each_value(build, &variant);
	}
	return err;
}
