/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"
#include "core/sample_memory.h"
#include "core/sample_worker.h"

/*
 * Shares of one core's time since the previous tick, in 0.1 %. All are -1 if the core is offline or
 * unknown.
 */
struct sample_core {
	int16_t cpu;
	int16_t user, system, iowait, steal; /* user includes nice; system includes interrupts */
	/* Frequency of a core that was busy, read about once a second; -1: idle or unknown. */
	int16_t mhz;
};

struct sample_change {
	uint32_t index; /* Index of the worker in the case's plan. */
	struct sample_worker worker;
};

struct sample_tick {
	uint32_t n_cores;
	const struct sample_core *cores;
	bool in_run; /* The members from here on are valid and belong to the current run. */
	struct sample_memory memory;
	int64_t tasks;	    /* Number of tasks alive, as the kernel counts them; -1: unknown. */
	uint32_t n_workers; /* workers that changed since the previous tick */
	const struct sample_change *workers;
	uint64_t self_cpu_us; /* the front end's own CPU time since the session's start */
	/* CPU time of the terminal's process since the session's start; -1: unknown. */
	int64_t terminal_us;
	/* See struct sample_totals; only for a run of programs. */
	int32_t children, threads, processes;
	int64_t throttled_periods, throttled_us; /* Values so far, see struct sample_totals. */
	/* Connections that wait to be accepted by a server; -1: unknown, or no server. */
	int64_t queue;
	uint32_t lost; /* Number of ticks that were skipped before this one. */
	bool paused;
	/*
	 * For the file that is made before the run: bytes written, and its size. Both 0: there is
	 * no file, or the source is a recording.
	 */
	uint64_t prepared, to_prepare;
};

struct sample_core sample_core_unknown(int cpu);

/*
 * The members by their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_core_fields[];
extern const struct field sample_tick_fields[];
