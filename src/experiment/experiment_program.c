/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "core/command_words.h"

/* Programs, --command, in the place of the work that an experiment has by itself. */

enum plan_primitive experiment_program_way(const char *model)
{
	static const struct {
		const char *name;
		enum plan_primitive primitive;
	} ways[] = {{"fork+exec", PLAN_FORK_EXEC},
		    {"fork", PLAN_FORK_EXEC},
		    {"vfork+exec", PLAN_VFORK_EXEC},
		    {"vfork", PLAN_VFORK_EXEC},
		    {"posix_spawn", PLAN_POSIX_SPAWN}};

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(model, ways[i].name) == 0)
			return ways[i].primitive;
	return PLAN_PLAIN;
}

/* What its row runs where nothing is named: the program that does nothing. */
static const char *const example[] = {"true"};

static const char *words_reason(int err)
{
	switch (err) {
	case -EINVAL:
		return "has a quote that is not closed";
	case -ENOENT:
		return "names no program ('sort FILE')";
	case -E2BIG:
		return "has more than 255 words, or 4,096 bytes";
	default:
		return "has |, &, ;, < or >, which are a shell's: quote them, or run sh -c '...'";
	}
}

static int check_words(struct experiment_build *build, const char *option, const char *text)
{
	char words[COMMAND_BYTES], path[PATH_MAX];
	int n = command_words_split(text, words), err;

	if (n < 0)
		return REFUSE(build, -EINVAL, "%s: \"%s\" %s", option, text, words_reason(n));
	err = command_words_find(words, path);
	if (err == -EACCES)
		return REFUSE(build, -EINVAL,
			      "%s: \"%s\" may not be run; chmod +x it, or name another program",
			      option, words);
	if (err == -EISDIR)
		return REFUSE(build, -EINVAL, "%s: \"%s\" is a folder; name a program in it",
			      option, words);
	if (err)
		return REFUSE(build, -EINVAL, "%s: \"%s\" is %s; name a program or its path",
			      option, words,
			      strchr(words, '/') ? "not there" : "in no folder of PATH");
	return 0;
}

/* The commands of -s prepare, of which each case may have one of its own. */
int experiment_prepare(struct experiment_build *build)
{
	const char *prepare = build->experiment->request.prepare;

	return prepare ? check_words(build, "-s prepare", prepare) : 0;
}

/* What makes no sense with a program. */
static int refuse(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	const char *program = request->programs[0];

	if (request->work)
		return REFUSE(build, -EINVAL,
			      "--command: \"%s\" and --own are each the work of all workers; leave "
			      "one of them out",
			      program);
	if (build->kind->tree || build->kind->creates || build->kind->fault ||
	    build->kind->hands_out)
		return REFUSE(build, -EINVAL,
			      "--command: \"%s\" is for sets of workers; %s has none "
			      "that could run it",
			      program, build->kind->name);
	if (request->workers[WORK_PROGRAM] == 0)
		return REFUSE(
			build, -EINVAL,
			"--command: \"%s\" has no worker that runs it; name some (-w program=2)",
			program);
	return 0;
}

static int refuse_without(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;

	if (request->workers[WORK_PROGRAM] > 0)
		return REFUSE(build, -EINVAL,
			      "--workers: program=%" PRId64
			      " needs -c 'PROGRAM ARGS', which they run",
			      request->workers[WORK_PROGRAM]);
	return 0;
}

/* Several are compared with one another, unless there are models to compare. */
int experiment_program(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	int err = 0;

	if (request->n_programs == 0 && build->kind->workers[WORK_PROGRAM] > 0) {
		request->programs = example;
		request->n_programs = 1;
	}
	if (request->n_programs == 0)
		return refuse_without(build);
	for (uint32_t i = 0; i < request->n_programs && !err; i++)
		err = check_words(build, "--command", request->programs[i]);
	if (request->n_programs > 1 && !request->models)
		request->models = "processes";
	return err ? err : refuse(build);
}

/* Bytes of a command's name; behind it there is room for "~64" and "#64". */
enum { NAME_BYTES = VARIABLE_VALUE - 6, HEAD_BYTES = 28 };
static_assert(VARIABLE_VALUE <= SAMPLE_LABEL, "a name is a model's or a variable's value");

/* Its begin and its end where it is longer. A variable's value ends at a semicolon in the log. */
static void shorten(const char *text, char name[NAME_BYTES])
{
	size_t length = strlen(text);
	char head[HEAD_BYTES + 1];
	const char *tail;

	snprintf(name, NAME_BYTES, "%s", text);
	if (length >= NAME_BYTES) {
		tail = text + length - (NAME_BYTES - 1 - HEAD_BYTES - strlen("..."));
		while (((unsigned char)*tail & 0xc0) == 0x80)
			tail++;
		snprintf(head, sizeof(head), "%s", text);
		utf8_trim(head);
		snprintf(name, NAME_BYTES, "%s...%s", head, tail);
	}
	utf8_mask(name);
	for (char *c = name; *c; c++)
		*c = (char)(*c == ';' ? ',' : *c);
}

/* A command that is given twice is one: its cases are told apart as those of any model. */
static uint32_t first_of(const struct request *request, uint32_t program)
{
	uint32_t first = 0;

	while (strcmp(request->programs[first], request->programs[program]) != 0)
		first++;
	return first;
}

/* Commands that differ have names that do. */
static void name_program(const struct request *request, uint32_t program, char *buf, size_t size)
{
	char name[NAME_BYTES], other[NAME_BYTES];
	uint32_t first = first_of(request, program);
	unsigned char same = 1;

	shorten(request->programs[program], name);
	for (uint32_t i = 0; i < first; i++) {
		shorten(request->programs[i], other);
		same += strcmp(other, name) == 0 && first_of(request, i) == i;
	}
	if (same > 1)
		snprintf(buf, size, "%s~%u", name, same);
	else
		snprintf(buf, size, "%s", name);
}

void experiment_program_case(struct experiment_build *build, uint32_t program,
			     struct sample_case *one)
{
	struct experiment *experiment = build->experiment;
	const struct request *request = &experiment->request;
	char name[VARIABLE_VALUE];

	experiment->program_of[experiment->n_cases] = program;
	if (program < request->n_programs)
		snprintf(one->command, sizeof(one->command), "%s", request->programs[program]);
	utf8_mask(one->command);
	if (request->n_programs < 2)
		return;
	name_program(request, program, name, sizeof(name));
	if (strchr(request->models, ','))
		variables_add(&one->variables, "command", name);
	else
		snprintf(one->model, sizeof(one->model), "%s", name);
}
