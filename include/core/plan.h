/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/work_list.h"

/*
 * A plan is the tree of tasks that one run creates: for each level, a fan-out and a kind of task. A
 * plan is a small value and needs no allocation, so it adds nothing to the measured memory of the
 * runner. Tasks are numbered breadth first from 0, within a level in the order of their parents. A
 * set of workers (6 cpu + 2 io) is a tree of one level whose leaves do different work. A hybrid is
 * a plan whose levels mix processes and threads. Sets and hybrids have no code of their own.
 */

#define PLAN_MAX_LEVELS 16
#define PLAN_ROOT	UINT32_MAX /* the parent of level 0: the runner's main thread */
#define PLAN_MAX_TASKS	4000000u   /* pid_max's own limit on 64-bit Linux is 4,194,304 */

enum plan_task { PLAN_THREAD, PLAN_PROCESS };

/*
 * How the tasks are created. A plan with a primitive other than PLAN_PLAIN has one level, and
 * either measures creation or starts programs. A plan that measures creation joins each task before
 * it creates the next one.
 */
enum plan_primitive {
	PLAN_PLAIN, /* fork() for processes, pthread_create() for threads */
	/*
	 * Creates no task. Measures the cost of reading the clock, which is part of all other
	 * figures.
	 */
	PLAN_CALL,
	PLAN_FORK,	  /* process */
	PLAN_VFORK,	  /* process */
	PLAN_POSIX_SPAWN, /* process that runs tuibench-hello or a program of --command */
	/* process that runs tuibench-hello or a program of --command, by fork and exec */
	PLAN_FORK_EXEC,
	PLAN_PTHREAD,	   /* thread */
	PLAN_PTHREAD_COLD, /* thread on a stack that was never used before */
	PLAN_CLONE,	   /* thread without the work that the C library adds */
	PLAN_VFORK_EXEC,   /* process that becomes a program of --command, by vfork and exec */
	PLAN_FIBER,	   /* a fiber of the creating thread; the kernel sees no task */
	PLAN_PRIMITIVES
};

/*
 * The cores on which tasks created by a primitive may begin. The placement changes the time of a
 * creation more than the primitive does. 0 in recordings of versions without this setting.
 */
enum plan_placement {
	PLAN_NOT_PLACED,
	PLAN_PINNED, /* All tasks on one core. Measures the cost of the call, and repeats well. */
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
	uint8_t task[PLAN_MAX_LEVELS];	  /* enum plan_task of the level */
	/*
	 * Number of leaves for each kind of work. The remaining leaves, which are numbered last, do
	 * nothing.
	 */
	uint32_t leaves[WORK_KINDS];
	uint32_t batch; /* tasks created before the first is joined; 0: all tasks */
	/*
	 * barrier and all_alive both make the leaves wait until all leaves exist. Parents end only
	 * after they have joined their children, so at that moment the whole tree exists. Neither
	 * can be combined with batch, whose leaves would wait for leaves that are created only
	 * after the batch has ended.
	 */
	/*
	 * For sets: all workers begin to work at the same time, so creation can be measured
	 * separately.
	 */
	bool barrier;
	bool all_alive;	   /* For trees: no task ends before the last one exists. */
	uint8_t primitive; /* enum plan_primitive */
	uint8_t placement; /* enum plan_placement; set only with a primitive */
	/*
	 * Number of pieces of work that are handed out one by one, or of requests to a server; 0:
	 * each worker has its own work. With a barrier, the plan is a pool, whose workers take the
	 * pieces in turn. Without a barrier, each piece has its own task, and at most `batch` of
	 * these tasks are alive at once.
	 */
	uint32_t tasks;
};

struct plan_node {
	uint32_t parent;      /* PLAN_ROOT at level 0 */
	uint32_t first_child; /* Valid if children > 0. Children are numbered consecutively. */
	uint32_t children;
	uint32_t level;
	uint32_t ordinal; /* Number of the task among its siblings, from 0. */
	uint8_t task;	  /* enum plan_task */
	uint32_t number;  /* Number of a leaf among the leaves with its kind of work, from 0. */
	uint8_t work; /* enum work_kind. WORK_NULL for inner tasks, which only create and join. */
};

/* The number of tasks. 0 if it exceeds PLAN_MAX_TASKS or a fan-out is 0. */
uint32_t plan_count(const struct plan *plan);
/* The number of leaves; 0 if plan_count() is 0. */
uint32_t plan_leaves(const struct plan *plan);
/* Returns the number of the level's first task. Sets *count to the number of tasks in the level. */
uint32_t plan_level(const struct plan *plan, uint32_t level, uint32_t *count);
/* Describes the task with that index, which must be below plan_count(plan). */
void plan_node(const struct plan *plan, uint32_t index, struct plan_node *node);
/*
 * Names a worker by its position. In a tree the name is such as "4.2.81", counted from 1. In a set
 * (a plan with a barrier, or one that starts programs) the name is the leaf's number, from 1, and
 * its work: "w1 cpu" … "w8 io". Returns buf.
 */
char *plan_name(const struct plan *plan, uint32_t index, char *buf, size_t size);
/*
 * Whether workers record the time of each operation: a round trip, a handed-out piece of work, or a
 * request.
 */
bool plan_operates(const struct plan *plan);
/* Whether any level creates that kind of task. */
bool plan_has(const struct plan *plan, enum plan_task task);
/*
 * Parses levels and fan-outs such as "20x3x82", and zeroes the rest of the plan. Returns 0; -EINVAL
 * if the form is wrong, a fan-out is 0, or there are too many levels; -ERANGE for more than
 * PLAN_MAX_TASKS.
 */
int plan_shape_parse(const char *text, struct plan *plan);
/* Writes the shape, such as "20x3x82". Returns buf. */
char *plan_shape(const struct plan *plan, char *buf, size_t size);

/*
 * The names of the primitives, as in options, on screens and in recordings: "clock_gettime",
 * "fork", "vfork", "posix_spawn", "fork+exec", "pthread_create", "pthread_create:cold", "clone",
 * "vfork+exec", "fiber", and "plain".
 */
extern const char *const plan_primitive_names[PLAN_PRIMITIVES];
/* The kind of task that the primitive creates. */
enum plan_task plan_primitive_task(enum plan_primitive primitive);
/*
 * Makes a plan that creates and joins that number of tasks one by one. plan_is_creation() is true
 * only for such a plan.
 */
void plan_creation(enum plan_primitive primitive, uint32_t tasks, struct plan *plan);
bool plan_is_creation(const struct plan *plan);
/* Whether workers run the user's code: programs, or a shared object. */
bool plan_runs_others(const struct plan *plan);
/* Whether the plan has a pool: workers that exist before the first piece of work is handed out. */
bool plan_is_pool(const struct plan *plan);
/* Whether a task is created for each piece of work, with at most `batch` tasks at once. */
bool plan_creates_each(const struct plan *plan);
/* Whether workers serve clients' connections. If so, plan.tasks is the number of requests. */
bool plan_serves(const struct plan *plan);
/* The names of the placements: "pinned", "free", "idle", and "" for PLAN_NOT_PLACED. */
extern const char *const plan_placement_names[PLAN_PLACEMENTS];
/*
 * Whether the plan's tasks run tuibench-hello, which only records its beginning, its end and its
 * usage.
 */
bool plan_runs_program(const struct plan *plan);
/*
 * Whether the leaves run programs, which the primitive starts: fork+exec, vfork+exec or
 * posix_spawn. The programs begin immediately, without a barrier.
 */
bool plan_starts_programs(const struct plan *plan);
/*
 * Makes a plan that starts that number of programs. Returns -EINVAL if the primitive starts no
 * programs.
 */
int plan_start_programs(enum plan_primitive primitive, uint32_t programs, struct plan *plan);

/* The kinds of work in the order in which they are shown. */
extern const enum work_kind plan_work_order[WORK_KINDS];
/*
 * plan_work_name(): the name of a kind, such as "cpu". plan_work_parse(): the kind with that name;
 * returns 0, or -EINVAL if there is none.
 */
const char *plan_work_name(enum work_kind work);
int plan_work_parse(const char *name, enum work_kind *work);
/*
 * For a text such as "cpu=…" with the name of any kind: the text after "=". NULL if the text begins
 * otherwise.
 */
const char *plan_work_value(const char *text, enum work_kind *work);

/* A step is the operation that a kind of work repeats. Steps are counted and timed. */

/* A word for the kind's step, such as "write" or "increment". NULL if the kind has no steps. */
const char *plan_step_name(enum work_kind kind);
/*
 * The kind of work whose steps all leaves of the plan do; WORK_KINDS if the leaves have no steps,
 * or of several kinds.
 */
enum work_kind plan_step(const struct plan *plan);
/*
 * Whether the workers use a common object, so that their steps are timed together: from the first
 * step of any worker to the last one.
 */
bool plan_shares_steps(const struct plan *plan);

/* The means by which one worker hands a token or a message to another. */

enum via {
	VIA_NONE, /* the workers hand over nothing */
	VIA_PIPE,
	VIA_SOCKET,   /* socketpair(2) with SOCK_STREAM */
	VIA_EVENTFD,  /* eventfd(2), one for each direction */
	VIA_FUTEX,    /* a word in shared memory; the receiver sleeps on it with futex(2) */
	VIA_SIGNAL,   /* a queued signal with a value; the receiver waits for it */
	VIA_MEMORY,   /* a word in shared memory; the receiver polls it without pausing */
	VIA_TCP,      /* a connection over the loopback interface */
	VIA_UNIX,     /* a connection of Unix domain sockets */
	VIA_UCONTEXT, /* a switch between fibers of one worker */
	VIAS
};

/* The cores of two workers that hand over tokens or messages. */
enum via_cores {
	VIA_FREE, /* chosen by the kernel */
	VIA_SAME, /* both on one core */
	VIA_TWO,  /* each on its own core */
};

/* The names in -s via: "pipe" and the others, and "" for VIA_NONE. */
extern const char *const via_names[VIAS];

/* How one worker of a run fails before it has done its work (-s fault). */
enum fault_kind {
	FAULT_NONE,
	FAULT_SEGV,  /* writes to an unmapped address */
	FAULT_ABORT, /* abort(), as a failed assert() does */
	FAULT_EXIT,  /* exit(1), which runs the exit handlers */
	FAULT_HANG,  /* waits forever */
	FAULT_OOM, /* Allocates memory until the kernel refuses, then aborts as most programs do. */
	FAULT_OVERRUN, /* Writes past the end of its own memory, and continues. */
	FAULT_KINDS
};

/* Prefix of the names of all files and shared memory objects that a faulty worker makes. */
#define FAULT_PREFIX "tuibench-fault-"

/* Bits for what the faulty worker made or held, if no other process has removed or released it. */
enum fault_left {
	FAULT_LEFT_FILE = 1,
	FAULT_LEFT_SHM = 2,  /* a POSIX shared memory object */
	FAULT_LEFT_LOCK = 4, /* a lock that all workers share */
	FAULT_LEFTS = 3,     /* number of bits */
};

/* The names of the faults, such as "segv"; "" for FAULT_NONE. */
extern const char *const fault_names[FAULT_KINDS];
/* The name of bit i of enum fault_left, such as "shared memory"; NULL after the last bit. */
const char *fault_left_name(unsigned i);
/*
 * Whether a file with that name in that directory was made by a faulty worker. Only such files are
 * removed.
 */
bool fault_is_ours(const char *name, const char *folder);

/*
 * Deliberate measurement mistakes, which the user chooses in order to see their effect. All zero:
 * none.
 */

enum mistakes_order { MEM_RANDOM, MEM_SEQUENTIAL };

struct mistakes {
	/* enum mistakes_order: the order in which mem workers walk their memory */
	uint32_t mem_order;
	uint32_t rounds; /* Rounds of mem and write workers; 0: the kind's default. */
	bool share_file; /* All io workers write to one file, and so do all write workers. */
};

bool mistakes_equal(const struct mistakes *a, const struct mistakes *b);

/* The index of a name in a list, or -EINVAL. */
int names_find(const char *const *names, int n, const char *name);
/* Like names_find(), but returns 0 for an unknown name, because names[0] means "unknown". */
int names_find_or_0(const char *const *names, int n, const char *name);
const char *names_at(const char *const *names, int n, unsigned i);
