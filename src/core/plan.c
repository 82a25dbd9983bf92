/* SPDX-License-Identifier: MIT */
#include "core/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"

#define WORK_NAME(number, NAME, name) [number] = #name,
static const char *const work_names[WORK_KINDS] = {WORK_LIST(WORK_NAME)};

#define WORK_NUMBER(number, NAME, name) WORK_##NAME,
const enum work_kind plan_work_order[WORK_KINDS] = {WORK_LIST(WORK_NUMBER)};

#define WORK_BIT(number, NAME, name) | 1u << number
_Static_assert((0 WORK_LIST(WORK_BIT)) == (1u << WORK_KINDS) - 1, "numbers from 0 without a gap");

const char *const plan_primitive_names[PLAN_PRIMITIVES] = {
	[PLAN_PLAIN] = "plain",
	[PLAN_CALL] = "clock_gettime",
	[PLAN_FORK] = "fork",
	[PLAN_VFORK] = "vfork",
	[PLAN_POSIX_SPAWN] = "posix_spawn",
	[PLAN_FORK_EXEC] = "fork+exec",
	[PLAN_PTHREAD] = "pthread_create",
	[PLAN_PTHREAD_COLD] = "pthread_create:cold",
	[PLAN_CLONE] = "clone",
	[PLAN_VFORK_EXEC] = "vfork+exec",
	[PLAN_FIBER] = "fiber",
};

int names_find(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -EINVAL;
}

int names_find_or_0(const char *const *names, int n, const char *name)
{
	int i = names_find(names, n, name);

	return MAX(0, i);
}

const char *names_at(const char *const *names, int n, unsigned i)
{
	return names[i < (unsigned)n ? i : 0];
}

uint32_t plan_count(const struct plan *plan)
{
	uint64_t total = 0, count = 1;

	if (plan->levels == 0 || plan->levels > PLAN_MAX_LEVELS)
		return 0;
	/* count is at most 4 million × 4 billion, so 64 bits do not overflow. */
	for (uint32_t i = 0; i < plan->levels; i++) {
		count *= plan->fanout[i];
		total += count;
		if (count == 0 || total > PLAN_MAX_TASKS)
			return 0;
	}
	return (uint32_t)total;
}

uint32_t plan_level(const struct plan *plan, uint32_t level, uint32_t *count)
{
	uint32_t first = 0;

	*count = plan->fanout[0];
	for (uint32_t i = 1; i <= level; i++) {
		first += *count;
		*count *= plan->fanout[i];
	}
	return first;
}

uint32_t plan_leaves(const struct plan *plan)
{
	uint32_t count = plan_count(plan);

	if (count > 0)
		plan_level(plan, plan->levels - 1, &count);
	return count;
}

void plan_node(const struct plan *plan, uint32_t index, struct plan_node *node)
{
	uint32_t level = 0, above = 0, first = 0, count = plan->fanout[0], place;
	int kind = WORK_NULL + 1;

	while (index - first >= count && level + 1 < plan->levels) {
		above = first;
		first += count;
		count *= plan->fanout[++level];
	}
	place = index - first;
	*node = (struct plan_node) {
		.parent = level > 0 ? above + place / plan->fanout[level] : PLAN_ROOT,
		.level = level,
		.ordinal = place % plan->fanout[level],
		.task = plan->task[level],
		.work = WORK_NULL,
	};
	if (level + 1 < plan->levels) {
		node->children = plan->fanout[level + 1];
		node->first_child = first + count + place * node->children;
		return;
	}
	/*
	 * Leaves are sorted by kind of work, in the order of the enum. The remaining leaves,
	 * WORK_NULL, come last.
	 */
	for (; kind < WORK_KINDS; kind++) {
		if (place < plan->leaves[kind])
			break;
		place -= plan->leaves[kind];
	}
	node->number = place; /* The leaf's number within its kind. */
	if (kind < WORK_KINDS)
		node->work = (enum work_kind)kind;
}

/*
 * Appends a number, preceded by the separator unless the number is the first. Returns the new
 * length.
 */
static size_t append(char *buf, size_t size, size_t len, char separator, uint32_t number)
{
	if (len >= size)
		return len;
	return len +
	       (size_t)snprintf(buf + len, size - len, "%.*s%" PRIu32, len > 0, &separator, number);
}

char *plan_name(const struct plan *plan, uint32_t index, char *buf, size_t size)
{
	bool set = plan->barrier || plan_starts_programs(plan);
	uint32_t ordinal[PLAN_MAX_LEVELS];
	struct plan_node node;
	uint32_t depth = 0;
	size_t len = 0;

	plan_node(plan, index, &node);
	if (set && node.level + 1 == plan->levels) {
		uint32_t leaf = index - plan_level(plan, node.level, &(uint32_t) {0});

		snprintf(buf, size, "w%" PRIu32 " %s", leaf + 1, work_names[node.work]);
		return buf;
	}
	for (; index != PLAN_ROOT; index = node.parent) {
		plan_node(plan, index, &node);
		ordinal[depth++] = node.ordinal;
	}
	while (depth > 0)
		len = append(buf, size, len, '.', ordinal[--depth] + 1);
	return buf;
}

bool plan_operates(const struct plan *plan)
{
	if (plan->tasks > 0)
		return true;
	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (plan->leaves[kind] > 0 && WORK_OPERATES(kind))
			return true;
	return false;
}

bool plan_has(const struct plan *plan, enum plan_task task)
{
	for (uint32_t i = 0; i < plan->levels; i++) {
		if (plan->task[i] == task)
			return true;
	}
	return false;
}

int plan_shape_parse(const char *text, struct plan *plan)
{
	bool too_large = false;
	uint64_t fanout;
	char *end;

	memset(plan, 0, sizeof(*plan));
	do {
		/*
		 * The text must begin with a digit, because strtoull() also accepts signs and
		 * blanks.
		 */
		if (plan->levels == PLAN_MAX_LEVELS || *text < '0' || *text > '9')
			return -EINVAL;
		fanout = strtoull(text, &end, 10);
		if (fanout == 0)
			return -EINVAL;
		text = end;
		too_large |= fanout > PLAN_MAX_TASKS;
		plan->fanout[plan->levels++] = (uint32_t)fanout;
	} while (*text == 'x' && *++text);
	if (*text || text[-1] == 'x')
		return -EINVAL;
	if (too_large || plan_count(plan) == 0)
		return -ERANGE;
	return 0;
}

char *plan_shape(const struct plan *plan, char *buf, size_t size)
{
	size_t len = 0;

	if (size > 0)
		buf[0] = '\0';
	for (uint32_t i = 0; i < plan->levels; i++)
		len = append(buf, size, len, 'x', plan->fanout[i]);
	return buf;
}

enum plan_task plan_primitive_task(enum plan_primitive primitive)
{
	bool thread = primitive == PLAN_PTHREAD || primitive == PLAN_PTHREAD_COLD ||
		      primitive == PLAN_CLONE || primitive == PLAN_FIBER || primitive <= PLAN_CALL;

	if (thread)
		return PLAN_THREAD;
	return PLAN_PROCESS;
}

void plan_creation(enum plan_primitive primitive, uint32_t tasks, struct plan *plan)
{
	*plan = (struct plan) {
		.levels = 1,
		.fanout = {tasks},
		.task = {(uint8_t)plan_primitive_task(primitive)},
		.batch = 1,
		.primitive = (uint8_t)primitive,
	};
}

bool plan_is_creation(const struct plan *plan)
{
	return plan->primitive > PLAN_PLAIN && plan->primitive < PLAN_PRIMITIVES &&
	       plan->levels == 1 && plan->batch == 1 && !plan->barrier && !plan->all_alive &&
	       plan->leaves[WORK_PROGRAM] == 0 &&
	       plan->task[0] == plan_primitive_task((enum plan_primitive)plan->primitive);
}

bool plan_runs_others(const struct plan *plan)
{
	return plan->leaves[WORK_PROGRAM] > 0 || plan->leaves[WORK_OWN] > 0;
}

bool plan_is_pool(const struct plan *plan)
{
	return plan->tasks > 0 && plan->barrier;
}

bool plan_serves(const struct plan *plan)
{
	return plan->leaves[WORK_SERVE] > 0 || plan->leaves[WORK_EVENTS] > 0;
}

bool plan_creates_each(const struct plan *plan)
{
	return plan->tasks > 0 && !plan->barrier;
}

const char *const plan_placement_names[PLAN_PLACEMENTS] = {
	[PLAN_NOT_PLACED] = "",
	[PLAN_PINNED] = "pinned",
	[PLAN_FREE] = "free",
	[PLAN_IDLE] = "idle",
};

static bool starts_program(int primitive)
{
	return primitive == PLAN_POSIX_SPAWN || primitive == PLAN_FORK_EXEC ||
	       primitive == PLAN_VFORK_EXEC;
}

bool plan_runs_program(const struct plan *plan)
{
	return plan->leaves[WORK_PROGRAM] == 0 && starts_program(plan->primitive);
}

bool plan_starts_programs(const struct plan *plan)
{
	return starts_program(plan->primitive) && plan->levels == 1 && !plan->barrier &&
	       plan->leaves[WORK_PROGRAM] == plan->fanout[0];
}

int plan_start_programs(enum plan_primitive primitive, uint32_t programs, struct plan *plan)
{
	if (!starts_program(primitive))
		return -EINVAL;
	*plan = (struct plan) {
		.levels = 1,
		.fanout = {programs},
		.task = {PLAN_PROCESS},
		.leaves = {[WORK_PROGRAM] = programs},
		.primitive = (uint8_t)primitive,
	};
	return 0;
}

const char *plan_work_name(enum work_kind work)
{
	return work_names[work];
}

int plan_work_parse(const char *name, enum work_kind *work)
{
	int i = names_find(work_names, WORK_KINDS, name);

	if (i >= 0)
		*work = (enum work_kind)i;
	if (i < 0)
		return i;
	return 0;
}

const char *plan_work_value(const char *text, enum work_kind *work)
{
	for (int i = 0; i < WORK_KINDS; i++) {
		size_t n = strlen(work_names[i]);

		if (strncmp(text, work_names[i], n) == 0 && text[n] == '=') {
			*work = (enum work_kind)i;
			return text + n + 1;
		}
	}
	return NULL;
}

static const struct {
	const char *name;
	bool shared;
} plan_steps[WORK_KINDS] = {
	[WORK_TOUCH] = {"write", false},
	[WORK_SHARE] = {"increment", true},
};

const char *plan_step_name(enum work_kind kind)
{
	return plan_steps[kind].name;
}

enum work_kind plan_step(const struct plan *plan)
{
	uint32_t leaves = plan_leaves(plan);

	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (plan_steps[kind].name && leaves > 0 && plan->leaves[kind] >= leaves)
			return (enum work_kind)kind;
	return WORK_KINDS;
}

bool plan_shares_steps(const struct plan *plan)
{
	enum work_kind kind = plan_step(plan);

	return kind < WORK_KINDS && plan_steps[kind].shared;
}

const char *const via_names[VIAS] = {
	[VIA_NONE] = "",
	[VIA_PIPE] = "pipe",
	[VIA_SOCKET] = "socketpair",
	[VIA_EVENTFD] = "eventfd",
	[VIA_FUTEX] = "futex",
	[VIA_SIGNAL] = "signal",
	[VIA_MEMORY] = "memory",
	[VIA_TCP] = "tcp",
	[VIA_UNIX] = "unix",
	[VIA_UCONTEXT] = "ucontext",
};

const char *const fault_names[FAULT_KINDS] = {
	[FAULT_NONE] = "",	     [FAULT_SEGV] = "segv", [FAULT_ABORT] = "abort",
	[FAULT_EXIT] = "exit",	     [FAULT_HANG] = "hang", [FAULT_OOM] = "oom",
	[FAULT_OVERRUN] = "overrun",
};

const char *fault_left_name(unsigned i)
{
	static const char *const left[] = {"file", "shared memory", "lock"};

	if (i < LENGTH(left))
		return left[i];
	return NULL;
}

bool fault_is_ours(const char *name, const char *folder)
{
	size_t length = strlen(folder), own = strlen(FAULT_PREFIX);

	return strncmp(name, folder, length) == 0 && name[length] == '/' &&
	       strncmp(name + length + 1, FAULT_PREFIX, own) == 0 &&
	       !strchr(name + length + 1 + own, '/');
}

bool mistakes_equal(const struct mistakes *a, const struct mistakes *b)
{
	return a->mem_order == b->mem_order && a->rounds == b->rounds &&
	       a->share_file == b->share_file;
}
