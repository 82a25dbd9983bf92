/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "task.h"
#include "core/scoreboard.h"

/* The fault that one worker of a run commits on purpose. */

/* Whether that worker is asked for one. */
bool fault_is_of(const struct task *task);
/* The part of a work of that size that it does before. */
uint64_t fault_size(const struct task *task, uint64_t size);
/*
 * Makes a file and a shared memory object, and takes the run's lock, as a worker in the midst of
 * something has. exit() takes back the first two. 0 or errno.
 */
int fault_prepare(const struct task *task);
/*
 * FAULT_OVERRUN: each task has a block in an array on the heap of who created them all, which holds
 * what it wrote there. Threads share the array; a process has its own copy since the fork. The
 * faulty worker writes its own block and as much again, over that of its next sibling (the last
 * one: of the one before), and goes on. At its end each worker looks at its block.
 */
/* 0 or -ENOMEM; the blocks are the process's until it ends. */
int fault_blocks(struct team *team);
void fault_overrun(const struct task *task);
/* Its block holds what it did not write. */
bool fault_spoiled(const struct task *task);
/* Commits any other, which board->fault_ns tells first. */
_Noreturn void fault_commit(const struct task *task);
/*
 * Keeps a worker that is done from ending before the fault, and one that dies of it from ending at
 * all: who survives is no matter of who was faster. Bounded, should the fault never come; returns
 * at once in runs without one.
 */
void fault_await(const struct task *task);

/*
 * Says which worker a fatal signal hit. The signal still does what it does by default: with
 * threads it ends the whole runner, with processes one worker.
 */

/* Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT; inherited by fork. */
int crash_install(void);
/* The slot that the calling thread fills from now on; NULL: none. */
void crash_slot(struct worker_slot *slot);
