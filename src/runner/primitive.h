/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/hello_program.h"
#include "task.h"

/*
 * The ways to create a task that are measured by themselves. One task at a time exists, is created
 * by the runner's main thread, and does nothing but to say when it ran; it lasts for microseconds
 * and waits for nothing, so that it needs no tie to its parent. PLAN_FORK also creates the leaves
 * of a tree that have nothing to do: there it ties them to their parent.
 */

struct primitive {
	const char *program; /* what posix_spawn and exec run */
	char report_fd[12];  /* its argument: where it writes its struct hello_report */
	int pipe[2];
	void *stack;		/* of the cloned task; else NULL */
	_Atomic uint32_t alive; /* a futex word that the kernel clears when that ends */
};

/* NULL: that of the plan's kind of task. */
const struct task_ops *primitive_ops(enum plan_primitive primitive);
/* 0 or errno with nothing left behind. program outlives it. */
int primitive_open(struct primitive *primitive, enum plan_primitive kind, const char *program);
void primitive_close(struct primitive *primitive);
