/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The ways in which one worker of a run ends before its work is done, asked for by -s fault. */
enum fault_kind {
	FAULT_NONE,
	FAULT_SEGV,    /* writes where no memory is */
	FAULT_ABORT,   /* abort(), as a failed assert() does */
	FAULT_EXIT,    /* exit(1): handlers run */
	FAULT_HANG,    /* waits for what never comes */
	FAULT_OOM,     /* allocates until it is refused, then aborts, as most programs do */
	FAULT_OVERRUN, /* writes past its own memory, and goes on */
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
const char *fault_name(enum fault_kind kind);
int fault_parse(const char *name, enum fault_kind *kind);
/* The name of the i-th bit of enum fault_left, "shared memory"; NULL after the last. */
const char *fault_left_name(unsigned i);
/* Whether the name is one that a faulty worker gives in that folder: nothing else is removed. */
bool fault_is_ours(const char *name, const char *folder);
