/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Every reason why a figure is not known, or is not compared. Each names one cause: a second cause
 * has a row of its own. Recordings have the numbers of the first ones, so new ones come last there.
 */

enum reason {
	REASON_NONE,
	/* A run's memory. */
	REASON_SHORT_CHILDREN,
	REASON_MANY_PROCESSES,
	REASON_UNLISTED,
	REASON_OTHER_PROC,
	REASON_SMAPS_DENIED,
	/* What the run used. */
	REASON_SIGCHLD,
	REASON_UNREPORTED,
	/* Its memory as well. */
	REASON_PROC_FAILED,
	/* The number that a program is to print. */
	REASON_NO_LINE,
	REASON_NO_NUMBER,
	REASON_OTHER_UNIT,
	REASONS_RECORDED,
	/* A figure that is not shown. */
	REASON_NOT_KNOWN = REASONS_RECORDED,
	REASON_SHORT_RUN,
	REASON_CREATING,
	REASON_NOT_FOLLOWED,
	REASON_POLLED,
	REASON_MESSAGES_LOST,
	/* The states of a task, or what it was blocked on. */
	REASON_SCHED_OFF,
	REASON_SHORT_TASK,
	REASON_SLICES_LOST,
	REASON_SHORT_WAITS,
	REASON_OWN_WAITS,
	REASON_SAMPLED_STATES,
	/* A comparison. */
	REASON_NO_FAULT,
	REASON_APART,
	REASON_NOT_TOGETHER,
	REASON_ZERO,
	REASON_FEW_TRIALS,
	REASON_NO_PAIR,
	REASON_UNLIKE,
	REASON_BOUNDS,
	REASON_LEFT,
	REASON_CUT,
	/* What differs between two programs. */
	REASON_NOT_REAL,
	REASON_SCATTERED,
	REASONS
};

/* In JSON: "short children". NULL: none, or -1. */
const char *reason_name(int reason);
/* Beside a figure: "(too short)". "" where the sentence alone is shown. */
const char *reason_brief(enum reason reason);
/* A clause, to be translated: "all its children ended before their memory could be read". */
const char *reason_sentence(enum reason reason);
