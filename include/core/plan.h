/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/work_list.h"

/*
 * A plan is the tree of tasks that one run creates: for each level, a fan-out and a kind of task.
 * It is plain arithmetic on a small value. Nothing is allocated, so that the runner's memory is
 * that of a program the reader would write. Tasks are numbered breadth first from 0, within a level
 * in the order of their parents. A set of workers (6 cpu + 2 io) is a tree of one level whose
 * leaves do different work. Hybrid is a plan whose levels mix processes and threads. Neither has
 * code of its own.
 */

#define PLAN_MAX_LEVELS 16
#define PLAN_ROOT	UINT32_MAX /* the parent of level 0: the runner's main thread */
#define PLAN_MAX_TASKS	4000000u   /* pid_max's own limit on 64-bit Linux is 4,194,304 */

enum plan_task { PLAN_THREAD, PLAN_PROCESS };

/*
 * How the tasks of a plan of one level are created if creation itself is measured. Either one task
 * is created and joined before the next, or all are created together and each becomes a program
 * (plan_starts_programs). PLAN_PLAIN is every other plan.
 */
enum plan_primitive {
	PLAN_PLAIN,	   /* as the kinds of task require: fork and pthread_create */
	PLAN_CALL,	   /* no task: the cost of reading the clock */
	PLAN_FORK,	   /* process */
	PLAN_VFORK,	   /* process */
	PLAN_POSIX_SPAWN,  /* process that runs a small program */
	PLAN_FORK_EXEC,	   /* process that runs a small program, by fork and exec */
	PLAN_PTHREAD,	   /* thread */
	PLAN_PTHREAD_COLD, /* thread on a stack that was never used before */
	PLAN_CLONE,	   /* thread without the C library's part */
	PLAN_VFORK_EXEC,   /* process that becomes a program of --command */
	PLAN_FIBER,	   /* no task of the kernel's: a fiber of the creating thread */
	PLAN_PRIMITIVES
};

/*
 * The cores on which the tasks of such a plan may begin. The placement changes the time more than
 * the choice of primitive does. 0 in recordings by versions without it.
 */
enum plan_placement {
	PLAN_NOT_PLACED,
	PLAN_PINNED, /* all on one core: the cost of the call, repeatable */
	PLAN_FREE,   /* chosen by the scheduler */
	PLAN_IDLE,   /* like PLAN_FREE, after the other cores were idle for PLAN_IDLE_NS */
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
	uint32_t leaves[WORK_KINDS]; /* leaves by kind of work; the remaining, last ones do none */
	uint32_t batch;		     /* tasks created before the first is joined; 0: all */
	/*
	 * Both make the leaves wait until all leaves exist. Since a parent joins its children, the
	 * whole tree exists then. Neither goes with batch, because a batch that waits for the next
	 * never ends.
	 */
	bool barrier;	   /* sets: the work begins at once everywhere, apart from creation */
	bool all_alive;	   /* trees: every task stays until the last one exists */
	uint8_t primitive; /* enum plan_primitive */
	uint8_t placement; /* enum plan_placement; set if primitive is */
	/*
	 * Pieces of work that are handed out one by one; 0 if each worker has its own work. A plan
	 * with a barrier is then a pool, whose workers take the pieces in turn. Without a barrier
	 * each piece has a task of its own, and at most batch of them are alive at once.
	 */
	uint32_t tasks;
};

struct plan_node {
	uint32_t parent;      /* PLAN_ROOT at level 0 */
	uint32_t first_child; /* set if children > 0; children are numbered consecutively */
	uint32_t children;
	uint32_t level;
	uint32_t ordinal; /* among the siblings, from 0 */
	uint8_t task;	  /* enum plan_task */
	uint32_t number;  /* of a leaf: its place, from 0, in its kind of work */
	uint8_t work;	  /* enum work_kind; inner tasks only create and join: WORK_NULL */
};

/* The number of tasks, 0 when that exceeds PLAN_MAX_TASKS or a fan-out is 0. */
uint32_t plan_count(const struct plan *plan);
/* The number of leaves; 0 if plan_count() is 0. */
uint32_t plan_leaves(const struct plan *plan);
/* Returns the number of the level's first task; *count gets how many tasks the level has. */
uint32_t plan_level(const struct plan *plan, uint32_t level, uint32_t *count);
/* index < plan_count(plan). */
void plan_node(const struct plan *plan, uint32_t index, struct plan_node *node);
/*
 * Names a worker by its place. In trees that is "4.2.81", counted from 1. A leaf of a set (a plan
 * with a barrier, or one that starts programs) has its number from 1 and its work, "w1 cpu" … "w8
 * io". Returns buf.
 */
char *plan_name(const struct plan *plan, uint32_t index, char *buf, size_t size);
/* Whether workers record the time of each operation: a round trip, a task, a write. */
bool plan_operates(const struct plan *plan);
/* Whether any level has that kind of task. */
bool plan_has(const struct plan *plan, enum plan_task task);
/*
 * Parses levels and fan-outs such as "20x3x82" and zeroes the rest of the plan. Returns 0; -EINVAL
 * if the form is wrong, a fan-out is 0, or there are too many levels; -ERANGE for more than
 * PLAN_MAX_TASKS.
 */
int plan_shape_parse(const char *text, struct plan *plan);
/* "20x3x82" */
char *plan_shape(const struct plan *plan, char *buf, size_t size);

/*
 * The names of primitives, in options, on screens and in recordings: "clock_gettime", "fork",
 * "vfork", "posix_spawn", "fork+exec", "pthread_create", "pthread_create:cold", "clone",
 * "vfork+exec", "fiber", and "plain".
 */
extern const char *const plan_primitive_names[PLAN_PRIMITIVES];
/* The kind of task that the primitive creates. */
enum plan_task plan_primitive_task(enum plan_primitive primitive);
/*
 * Makes a plan that creates and joins that number of tasks, one after the other. plan_is_creation()
 * is true only of such a plan.
 */
void plan_creation(enum plan_primitive primitive, uint32_t tasks, struct plan *plan);
bool plan_is_creation(const struct plan *plan);
/* Whether workers run the user's code: programs, or a shared object. */
bool plan_runs_others(const struct plan *plan);
/* Whether the plan has a pool of workers, made before the first piece of work is handed out. */
bool plan_is_pool(const struct plan *plan);
/* Whether a task is created for each piece of work, with at most batch of them at once. */
bool plan_creates_each(const struct plan *plan);
/* Whether workers serve clients' connections. Then plan.tasks is the number of requests. */
bool plan_serves(const struct plan *plan);
/* The values of the setting: "pinned", "free", "idle", and "" for PLAN_NOT_PLACED. */
extern const char *const plan_placement_names[PLAN_PLACEMENTS];
/* Whether its tasks run the small program that only records when it began. */
bool plan_runs_program(const struct plan *plan);
/*
 * Whether the primitive starts the programs that leaves run: fork+exec, vfork+exec, posix_spawn.
 * The programs begin immediately, without a barrier.
 */
bool plan_starts_programs(const struct plan *plan);
/* Makes a plan that starts that number of programs. -EINVAL if the primitive starts none. */
int plan_start_programs(enum plan_primitive primitive, uint32_t programs, struct plan *plan);

/* The kinds in the order in which they are shown. */
extern const enum work_kind plan_work_order[WORK_KINDS];
/* From a kind to its name, such as "cpu", and back (-EINVAL for an unknown name). */
const char *plan_work_name(enum work_kind work);
int plan_work_parse(const char *name, enum work_kind *work);
/* The text after "cpu=" or another kind's name; NULL if the text does not begin with one. */
const char *plan_work_value(const char *text, enum work_kind *work);

/* Kinds of work that are one operation many times over, which are counted and timed. */

/* The operation in one word: "write". NULL if the kind counts no operations. */
const char *plan_step_name(enum work_kind kind);
/* The kind whose operation all leaves of the plan do; WORK_KINDS if there is no such kind. */
enum work_kind plan_step(const struct plan *plan);
/* Whether workers share an object, so that their operations are timed together. */
bool plan_shares_steps(const struct plan *plan);

/* How two workers hand something to each other, and on which cores. */

enum via {
	VIA_NONE, /* they hand over nothing */
	VIA_PIPE,
	VIA_SOCKET,   /* socketpair(2), of streams */
	VIA_EVENTFD,  /* one for each direction */
	VIA_FUTEX,    /* a word in shared memory; the receiver sleeps on it */
	VIA_SIGNAL,   /* a queued signal with a value, waited for */
	VIA_MEMORY,   /* a word in shared memory; the receiver polls it without a pause */
	VIA_TCP,      /* a connection over the loopback interface */
	VIA_UNIX,     /* a connection of Unix domain sockets */
	VIA_UCONTEXT, /* a switch between fibers of one worker */
	VIAS
};

/* The cores of two workers that hand something to each other. */
enum via_cores {
	VIA_FREE, /* the kernel's choice */
	VIA_SAME, /* both on one */
	VIA_TWO,  /* each on its own */
};

/* "pipe" and so on, as in -s via; "" for VIA_NONE. */
extern const char *const via_names[VIAS];

/* How one worker of a run fails before its work is done (-s fault). */
enum fault_kind {
	FAULT_NONE,
	FAULT_SEGV,    /* writes to an unmapped address */
	FAULT_ABORT,   /* abort(), as a failed assert() does */
	FAULT_EXIT,    /* exit(1): handlers run */
	FAULT_HANG,    /* waits for ever */
	FAULT_OOM,     /* allocates until it is refused, then aborts, as most programs do */
	FAULT_OVERRUN, /* writes past its own memory, and continues */
	FAULT_KINDS
};

/* The beginning of the names of all that a faulty worker makes. */
#define FAULT_PREFIX "tuibench-fault-"

/* Bits: what the faulty worker made or held and no other process removed or released. */
enum fault_left {
	FAULT_LEFT_FILE = 1,
	FAULT_LEFT_SHM = 2,  /* a POSIX shared memory object */
	FAULT_LEFT_LOCK = 4, /* a lock that it shares with the surviving workers */
	FAULT_LEFTS = 3,     /* how many there are */
};

/* From a kind to "segv", "abort" and so on ("" for FAULT_NONE), and back (-EINVAL). */
extern const char *const fault_names[FAULT_KINDS];
/* The name of bit i of enum fault_left, such as "shared memory"; NULL after the last. */
const char *fault_left_name(unsigned i);
/* Whether a faulty worker gives such a name in that directory. No other files are removed. */
bool fault_is_ours(const char *name, const char *folder);

/*
 * Mistakes of a measurement, which the user chooses in order to see their effect. All zero: none.
 */

enum mistakes_order { MEM_RANDOM, MEM_SEQUENTIAL };

struct mistakes {
	uint32_t mem_order; /* enum mistakes_order: how mem workers walk */
	uint32_t rounds;    /* of mem and write workers; 0: the default of the kind */
	bool share_file;    /* all io workers write one file; so do all write workers */
};

bool mistakes_equal(const struct mistakes *a, const struct mistakes *b);

/* The index of a name in a list; -EINVAL if it is not there. */
int names_find(const char *const *names, int n, const char *name);
/* Like names_find(), but 0 for an unknown name: names[0] means "not known". */
int names_find_or_0(const char *const *names, int n, const char *name);
const char *names_at(const char *const *names, int n, unsigned i);
