/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "experiment/experiment.h"
#include "core/sample_message.h"

struct sample_run;
struct sample_totals;

/*
 * Advice on what to try next. Each piece of advice is one line: an observation, and the options of
 * an experiment that explains it. Advice is computed only from the ends of runs.
 */

#define ADVICE_MOST 4
/* Number of trials, the first ones, from which the effect of the order is judged. */
#define ADVICE_TRIALS 64

struct advice_case {
	uint32_t trials;    /* Number of measured trials that are part of the results. */
	int64_t elapsed_ns; /* Sum over these trials. */
	uint32_t peak_alive;
	int64_t trial_ns[ADVICE_TRIALS]; /* 0: not measured */
};

struct advice {
	uint32_t n_cases;
	const struct sample_case *cases; /* Owned by the caller. */
	/* One entry for each case, allocated at the end of the first run. The caller frees it. */
	struct advice_case *seen;
	/*
	 * KiB that io workers read from the disk: in the first run, and in the later run that read
	 * most.
	 */
	int64_t first_disk_kb, other_disk_kb;
	int64_t first_ns;
	uint32_t first, others; /* The case of the first run, and the number of runs after it. */
};

/* Takes a run that has ended. */
void advice_take(struct advice *advice, const struct sample_run *run,
		 const struct sample_totals *totals);

struct advice_line {
	enum sample_message_kind kind;
	char text[SAMPLE_TEXT];
};

/* Writes the lines that apply. Returns their number. */
size_t advice_lines(const struct advice *advice, struct advice_line lines[ADVICE_MOST]);
