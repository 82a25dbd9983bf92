/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * The reasons why a figure is unknown or is not compared. A row names one cause, and a second cause
 * needs a row of its own. Recordings store the numbers below REASONS_RECORDED, so add a reason that
 * is recorded at the end of that part.
 */

enum reason {
	REASON_NONE,
	/* A run's memory is unknown. */
	REASON_SHORT_CHILDREN,
	REASON_MANY_PROCESSES,
	REASON_UNLISTED,
	REASON_OTHER_PROC,
	REASON_SMAPS_DENIED,
	/* A run's CPU time, page faults and context switches are unknown. */
	REASON_SIGCHLD,
	REASON_UNREPORTED,
	/*
	 * A run's memory is unknown. Added after the reasons above, because recordings store the
	 * numbers.
	 */
	REASON_PROC_FAILED,
	/* A program did not print its metric. */
	REASON_NO_LINE,
	REASON_NO_NUMBER,
	REASON_OTHER_UNIT,
	REASONS_RECORDED,
	/* A figure is not shown. */
	REASON_NOT_KNOWN = REASONS_RECORDED,
	REASON_SHORT_RUN,
	REASON_CREATING,
	REASON_NOT_FOLLOWED,
	REASON_POLLED,
	REASON_MESSAGES_LOST,
	/* The states of a task, or what it was blocked on, are unknown. */
	REASON_SCHED_OFF,
	REASON_SHORT_TASK,
	REASON_SLICES_LOST,
	REASON_SHORT_WAITS,
	REASON_OWN_WAITS,
	REASON_SAMPLED_STATES,
	/* No parent noticed the fault, because the parent ended too. */
	REASON_PARENT_ENDED,
	/* A comparison is not made. */
	REASON_NO_FAULT,
	REASON_APART,
	REASON_NOT_TOGETHER,
	REASON_ZERO,
	REASON_FEW_TRIALS,
	REASON_FAILED_PAIRS, /* Without failed runs, there would have been enough trials. */
	REASON_NO_PAIR,
	REASON_UNLIKE,
	REASON_BOUNDS,
	REASON_LEFT,
	REASON_CUT,
	/* The difference between two programs has no known cause. */
	REASON_NOT_REAL,
	REASON_SCATTERED,
	REASONS
};

/* The name in JSON, such as "short children". NULL for REASON_NONE and for -1. */
const char *reason_name(int reason);
/* A few words to show beside a figure: "(too short)". "" if only the sentence is shown. */
const char *reason_brief(enum reason reason);
/*
 * A clause for gettext(), without a capital letter or a full stop: "its children ended before their
 * memory could be read".
 */
const char *reason_sentence(enum reason reason);
