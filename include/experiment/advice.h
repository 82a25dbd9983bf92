/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "core/sample_message.h"

struct sample_run;
struct sample_totals;

/*
 * Advice on what to try next: a line on what was seen and the options of the experiment that
 * explains it. Pure: fed with the ends of runs.
 */

#define ADVICE_MOST 4
/* An order is judged by the first trials, this many. */
#define ADVICE_TRIALS 64

struct advice_case {
	uint32_t trials;    /* counted and measured */
	int64_t elapsed_ns; /* of all of them */
	uint32_t peak_alive;
	int64_t trial_ns[ADVICE_TRIALS]; /* 0: not measured */
};

struct advice {
	uint32_t n_cases;
	const struct sample_case *cases; /* the caller's */
	struct advice_case *seen; /* each, from the first run's end on; the caller frees it */
	/*
	 * The KiB that io workers read from the disk: in the first run, and at most in any other.
	 */
	int64_t first_disk_kb, other_disk_kb;
	int64_t first_ns;
	uint32_t first, others; /* the first run's case, and how many runs there were after it */
};

/* A run has ended. */
void advice_take(struct advice *advice, const struct sample_run *run,
		 const struct sample_totals *totals);

struct advice_line {
	enum sample_message_kind kind;
	char text[SAMPLE_TEXT];
};

/* Writes the lines that apply; returns how many. */
size_t advice_lines(const struct advice *advice, struct advice_line lines[ADVICE_MOST]);
