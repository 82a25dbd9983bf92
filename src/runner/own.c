/* SPDX-License-Identifier: MIT */
#include "own.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "core/own_about.h"
#include "work/work_file.h"

/* The reason without the name of the file, which dlerror() begins with. */
static const char *reason(const char *path)
{
	const char *said = dlerror();
	size_t n = strlen(path);

	if (!said)
		return "cannot be loaded";
	return strncmp(said, path, n) == 0 && strncmp(said + n, ": ", 2) == 0 ? said + n + 2 : said;
}

static int check(const struct tuibench_work *work, char *error, size_t size)
{
	if (work->abi != TUIBENCH_WORK_ABI)
		return error_line(error, size, -EINVAL,
				  "has abi %u, and this tuibench takes %u: compile it anew with "
				  "its tuibench/work.h, and .abi = TUIBENCH_WORK_ABI",
				  work->abi, TUIBENCH_WORK_ABI);
	if (!work->run)
		return error_line(error, size, -EINVAL,
				  "has no .run in its tuibench_work, the function that does the "
				  "work");
	if (work->size == 0)
		return error_line(error, size, -EINVAL,
				  "has no .size in its tuibench_work, how much a worker does where "
				  "nothing is asked for");
	return 0;
}

int own_load(const char *path, struct work_own *own, char *error, size_t size)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!object)
		return error_line(error, size, -EINVAL,
				  "cannot be loaded: %s; it has to be a shared object (cc -shared "
				  "-fPIC -o mine.so mine.c)",
				  reason(path));
	own->work = dlsym(object, "tuibench_work");
	if (!own->work)
		return error_line(
			error, size, -EINVAL,
			"does not define tuibench_work (const struct tuibench_work "
			"tuibench_work = {…}, as the example in tuibench-experiments(7))");
	return check(own->work, error, size);
}

/* The first slot whose result is another than that of the first of all; PLAN_ROOT: none is. */
static uint32_t find_other(const struct scoreboard *board)
{
	uint32_t first = PLAN_ROOT;
	struct plan_node node;

	for (uint32_t i = 0; i < board->slots; i++) {
		plan_node(&board->request.plan, i, &node);
		if (node.work != WORK_OWN)
			continue;
		if (first == PLAN_ROOT)
			first = i;
		else if (board->slot[i].result != board->slot[first].result)
			return i;
	}
	return PLAN_ROOT;
}

int own_check(struct scoreboard *board, const struct work_own *own)
{
	uint32_t other = own->work && own->work->same_result ? find_other(board) : PLAN_ROOT;

	if (other == PLAN_ROOT)
		return 0;
	board->slot[other].error = EILSEQ;
	board->failure_stage = STAGE_WORK;
	board->failure_errno = EILSEQ;
	board->failure_slot = other;
	return -EILSEQ;
}

int own_probe(const char *path, int fd)
{
	struct own_about about = {.size = 0};
	struct work_own own = {.work = NULL};
	int err = own_load(path, &own, about.error, sizeof(about.error));

	if (!err) {
		about.size = own.work->size;
		snprintf(about.name, sizeof(about.name), "%s",
			 own.work->name ? own.work->name : "");
		snprintf(about.unit, sizeof(about.unit), "%s",
			 own.work->unit ? own.work->unit : "");
	}
	return work_file_write(fd, &about, sizeof(about)) || err ? EXIT_FAILURE : EXIT_SUCCESS;
}
