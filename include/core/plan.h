/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/work_list.h"

/*
 * A plan is the tree of tasks that one run creates: level by level a fan-out and a kind of task.
 * It is plain arithmetic on a small value: nothing is allocated, so that the runner's memory
 * holds nothing that the reader's own program would not hold. Tasks are numbered breadth first
 * from 0: level 0 first, and within a level in the order of their parents.
 *
 * A set of workers (6 cpu + 2 io) is a tree of one level whose leaves do different work; hybrid
 * is a plan whose levels mix processes and threads. Neither has code of its own.
 */

#define PLAN_MAX_LEVELS 16
#define PLAN_ROOT	UINT32_MAX /* the parent of level 0: the runner's main thread */
#define PLAN_MAX_TASKS	4000000u   /* pid_max's own limit on 64-bit Linux is 4,194,304 */

enum plan_task { PLAN_THREAD, PLAN_PROCESS };

/*
 * How the tasks of a plan of one level are created, where that itself is what is measured: one is
 * created and joined, then the next; or all at once, where each becomes a program
 * (plan_starts_programs). PLAN_PLAIN is every other plan.
 */
enum plan_primitive {
	PLAN_PLAIN,	   /* what its kinds of task say: fork and pthread_create */
	PLAN_CALL,	   /* no task: what reading the clock itself takes */
	PLAN_FORK,	   /* process */
	PLAN_VFORK,	   /* process */
	PLAN_POSIX_SPAWN,  /* process that runs a small program */
	PLAN_FORK_EXEC,	   /* the same by hand */
	PLAN_PTHREAD,	   /* thread */
	PLAN_PTHREAD_COLD, /* thread on a stack that was never used before */
	PLAN_CLONE,	   /* thread without the C library's part */
	PLAN_VFORK_EXEC,   /* process that becomes a program of --command */
	PLAN_FIBER,	   /* no task of the kernel's: a fiber of the creating thread */
	PLAN_PRIMITIVES
};

/*
 * Where the tasks of such a plan may begin, which decides more than the call that creates them. A
 * recording of a version that did not know of it has 0.
 */
enum plan_placement {
	PLAN_NOT_PLACED,
	PLAN_PINNED, /* all on one core: the cost of the call, which can be had again */
	PLAN_FREE,   /* as the scheduler likes */
	PLAN_IDLE,   /* the same, the other cores having been left alone for PLAN_IDLE_NS */
	PLAN_PLACEMENTS
};

#define PLAN_IDLE_NS 1000000

enum work_kind {
#define WORK_KIND(number, NAME, name) WORK_##NAME = number,
	WORK_LIST(WORK_KIND)
#undef WORK_KIND
#define WORK_ONE(number, NAME, name) +1
		WORK_KINDS = WORK_LIST(WORK_ONE)
#undef WORK_ONE
};

struct plan {
	uint32_t levels;		  /* 1 … PLAN_MAX_LEVELS */
	uint32_t fanout[PLAN_MAX_LEVELS]; /* children of each task of the level above */
	uint8_t task[PLAN_MAX_LEVELS];	  /* enum plan_task of each level */
	uint32_t leaves[WORK_KINDS];	  /* leaves by kind of work; the rest, the last, do none */
	uint32_t batch;			  /* tasks created before the first is joined; 0: all */
	/*
	 * Both make the leaves wait until all leaves exist. A parent joins its children, so the
	 * whole tree exists then. Not with batch: a batch that waits for the next one never ends.
	 */
	bool barrier;	   /* sets: the work begins at once everywhere, apart from creation */
	bool all_alive;	   /* trees: every task stays until the last one exists */
	uint8_t primitive; /* enum plan_primitive */
	uint8_t placement; /* enum plan_placement, of a plan with a primitive */
	/*
	 * Pieces of work that are handed out one by one; 0: none are, each worker has its own. A
	 * plan with a barrier is then a pool, whose workers take one after the other; else each
	 * piece has a task of its own, and batch says how many of them may be alive at once.
	 */
	uint32_t tasks;
};

struct plan_node {
	uint32_t parent;      /* PLAN_ROOT at level 0 */
	uint32_t first_child; /* only where children > 0; children are numbered in a row */
	uint32_t children;
	uint32_t level;
	uint32_t ordinal; /* among the siblings, from 0 */
	uint8_t task;	  /* enum plan_task */
	uint32_t number;  /* of a leaf among those of its kind of work, from 0 */
	uint8_t work;	  /* enum work_kind; inner tasks only create and join: WORK_NULL */
};

/* The number of tasks, 0 when that exceeds PLAN_MAX_TASKS or a fan-out is 0. */
uint32_t plan_count(const struct plan *plan);
/* The number of leaves, 0 under the same condition. */
uint32_t plan_leaves(const struct plan *plan);
/* The number of the level's first task and how many there are on it. */
uint32_t plan_level(const struct plan *plan, uint32_t level, uint32_t *count);
/* index < plan_count(plan). */
void plan_node(const struct plan *plan, uint32_t index, struct plan_node *node);
/*
 * A worker's name is its place: "4.2.81", counted from 1, in trees; its number from 1 and its work,
 * "w1 cpu" … "w8 io", for the leaves of a set (a plan with a barrier, or one that starts programs).
 * Returns buf.
 */
char *plan_name(const struct plan *plan, uint32_t index, char *buf, size_t size);
/* Its workers record how long each of their operations takes: a round trip, a task, a write. */
bool plan_operates(const struct plan *plan);
/* True where any level is of processes, of threads. */
bool plan_has(const struct plan *plan, enum plan_task task);
/*
 * Levels and fan-outs from "20x3x82", the rest of the plan zeroed. 0; -EINVAL: not of that form, or
 * a fan-out of 0, or too many levels; -ERANGE: more than PLAN_MAX_TASKS.
 */
int plan_shape_parse(const char *text, struct plan *plan);
/* "20x3x82" */
char *plan_shape(const struct plan *plan, char *buf, size_t size);

/*
 * A primitive as it is named everywhere, "clock_gettime", "fork", "vfork", "posix_spawn",
 * "fork+exec", "pthread_create", "pthread_create:cold", "clone", "vfork+exec", "fiber", and
 * "plain".
 */
extern const char *const plan_primitive_names[PLAN_PRIMITIVES];
/* The kind of task that it creates. */
enum plan_task plan_primitive_task(enum plan_primitive primitive);
/*
 * A plan that creates and joins so many tasks, one after the other. True of such a plan alone:
 * plan_is_creation.
 */
void plan_creation(enum plan_primitive primitive, uint32_t tasks, struct plan *plan);
bool plan_is_creation(const struct plan *plan);
/* Whether its workers run code of the user: programs, or a shared object. */
bool plan_runs_others(const struct plan *plan);
/* A pool of workers, made before the first piece of work is handed out. */
bool plan_is_pool(const struct plan *plan);
/* A task is created for each piece of work, at most batch of them at once. */
bool plan_creates_each(const struct plan *plan);
/* Its workers serve the connections of clients. Then plan.tasks is the number of requests. */
bool plan_serves(const struct plan *plan);
/* "pinned", "free", "idle" and "" of PLAN_NOT_PLACED, as in the variable. */
extern const char *const plan_placement_names[PLAN_PLACEMENTS];
/* Whether its tasks run the small program that only records when it began. */
bool plan_runs_program(const struct plan *plan);
/*
 * Whether its primitive is a way to start the programs that its leaves run: fork+exec, vfork+exec,
 * posix_spawn. They begin at once, without a barrier.
 */
bool plan_starts_programs(const struct plan *plan);
/* Plans to start that many programs. -EINVAL: the primitive starts none. */
int plan_start_programs(enum plan_primitive primitive, uint32_t programs, struct plan *plan);

/* The kinds in the order in which they are shown. */
extern const enum work_kind plan_work_order[WORK_KINDS];
/* The name of a kind, "cpu"; and back, -EINVAL. */
const char *plan_work_name(enum work_kind work);
int plan_work_parse(const char *name, enum work_kind *work);
/* The text behind "cpu="; NULL where the text does not begin so. */
const char *plan_work_value(const char *text, enum work_kind *work);

/* Kinds of work that are one operation many times over, which are counted and timed. */

/* What its workers do, in one word: "write". NULL: nothing that is counted. */
const char *plan_step_name(enum work_kind kind);
/* That of all leaves of the plan; WORK_KINDS: they do other work, or not all the same. */
enum work_kind plan_step(const struct plan *plan);
/* Its workers share one thing, so that what they do together is timed, not each by itself. */
bool plan_shares_steps(const struct plan *plan);

/* The ways by which two workers hand something to one another, and where they do it. */

enum via {
	VIA_NONE, /* they hand over nothing */
	VIA_PIPE,
	VIA_SOCKET,   /* socketpair(2), of streams */
	VIA_EVENTFD,  /* one for each direction */
	VIA_FUTEX,    /* a word in shared memory, slept on */
	VIA_SIGNAL,   /* a queued signal with a value, waited for */
	VIA_MEMORY,   /* a word in shared memory, looked at without a pause */
	VIA_TCP,      /* a connection over the loopback interface */
	VIA_UNIX,     /* a connection of Unix domain sockets */
	VIA_UCONTEXT, /* a switch between fibers of one worker */
	VIAS
};

/* The cores of such a pair of workers. */
enum via_cores {
	VIA_FREE, /* the kernel's choice */
	VIA_SAME, /* both on one */
	VIA_TWO,  /* each on one of its own */
};

/* "pipe", …, as in -s via; "" for none. */
extern const char *const via_names[VIAS];

/* The ways in which one worker of a run ends before its work is done, asked for by -s fault. */
enum fault_kind {
	FAULT_NONE,
	FAULT_SEGV,    /* writes where no memory is */
	FAULT_ABORT,   /* abort(), as a failed assert() does */
	FAULT_EXIT,    /* exit(1): handlers run */
	FAULT_HANG,    /* waits for what never comes */
	FAULT_OOM,     /* allocates until it is refused, then aborts, as most programs do */
	FAULT_OVERRUN, /* writes past its own memory, and continues */
	FAULT_KINDS
};

/* The names of what a faulty worker makes begin so. */
#define FAULT_PREFIX "tuibench-fault-"

/* What the faulty worker made or held and nobody took back: bits. */
enum fault_left {
	FAULT_LEFT_FILE = 1,
	FAULT_LEFT_SHM = 2,  /* a POSIX shared memory object */
	FAULT_LEFT_LOCK = 4, /* a lock that those who live on share with it */
	FAULT_LEFTS = 3,     /* how many there are */
};

/* "segv", "abort", …, "" of none; and back, -EINVAL. */
extern const char *const fault_names[FAULT_KINDS];
/* The name of the i-th bit of enum fault_left, "shared memory"; NULL after the last. */
const char *fault_left_name(unsigned i);
/* Whether the name is one that a faulty worker gives in that directory: nothing else is removed. */
bool fault_is_ours(const char *name, const char *folder);

/*
 * What a report did to its work and should not have, chosen on purpose to see what it does. Zeros
 * are none of them.
 */

enum mistakes_order { MEM_RANDOM, MEM_SEQUENTIAL };

struct mistakes {
	uint32_t mem_order; /* enum mistakes_order: how mem workers walk */
	uint32_t rounds;    /* of mem and write workers; 0: as many as the kind has by itself */
	bool share_file;    /* io and write workers write one file, all of one kind the same */
};

bool mistakes_equal(const struct mistakes *a, const struct mistakes *b);

/* The place of a name in a list; -EINVAL: it is none of them. */
int names_find(const char *const *names, int n, const char *name);
/* The same, but 0 for an unknown name: names[0] means "not known". */
int names_find_or_0(const char *const *names, int n, const char *name);
const char *names_at(const char *const *names, int n, unsigned i);
