/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/command_words.h"
#include "task.h"

struct plan_node;

/*
 * Workers that run the program of --command: a process becomes it, a thread starts it
 * (posix_spawn(3)) and waits until it has ended. Or its creator starts it at once, by a way that
 * the plan names, and there is no other task.
 */

/* What is executed from here on has the three standard files alone, and no terminal. */
void program_detach(void);
/* Such words, one behind the other, as execve(2) wants them; they are not copied. */
void program_list_words(const char *word, uint32_t n, char *argv[COMMAND_WORDS + 1]);
/* The same where the plan has programs. */
void program_keep_files(const struct board_request *request);
/* The work of such a worker; does not return in a process that has become the program. */
void program_run(struct task *task, const struct plan_node *node, struct task_watch *watch);
/* How the tasks of such a plan are created and joined; NULL: the plan has no such way. */
const struct task_ops *program_ops(const struct plan *plan);
/*
 * Joins a process of a plan with programs: reaps whoever ends until it was that one, so that each
 * one's end is known when it comes. 0 or errno.
 */
int program_join(struct task *task);
