/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"
#include "core/sample_memory.h"
#include "core/sample_worker.h"

/* Shares of one core in 0.1 %, since the previous tick; all -1: offline or not known. */
struct sample_core {
	int16_t cpu;
	int16_t user, system, iowait, steal; /* user with nice, system with interrupts */
	int16_t mhz; /* of a core that was at work; read about once a second, else -1 */
};

struct sample_change {
	uint32_t index; /* in the case's plan */
	struct sample_worker worker;
};

struct sample_tick {
	uint32_t n_cores;
	const struct sample_core *cores;
	bool in_run; /* the members below belong to the current run */
	struct sample_memory memory;
	int64_t tasks;	    /* tasks alive as the kernel counts them; -1 unknown */
	uint32_t n_workers; /* workers that changed since the previous tick */
	const struct sample_change *workers;
	uint64_t self_cpu_us; /* the front end's own CPU time since the session's start */
	int64_t terminal_us;  /* the terminal's since then; -1: not known */
	/* Of a run of programs, see sample_totals. */
	int32_t children, threads, processes;
	int64_t throttled_periods, throttled_us; /* see sample_totals; until now */
	uint32_t lost;				 /* ticks that had to be skipped before this one */
	bool paused;
	/*
	 * Bytes made and needed of the file made before the run; 0 of 0: no file, or a recording.
	 */
	uint64_t prepared, to_prepare;
};

struct sample_core sample_core_unknown(int cpu);

/* Their members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_core_fields[];
extern const struct field sample_tick_fields[];
