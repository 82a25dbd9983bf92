/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"
#include "core/sample_memory.h"
#include "core/sample_session.h"

struct sample_run {
	uint32_t run;	/* from 0, in the order they ran */
	uint32_t trial; /* counted ones from 1; 0: a warm-up */
	uint32_t case_id;
	uint32_t planned; /* runs planned in all, as of now */
};

/* Where programs write. */
enum sample_output { OUTPUT_NULL, OUTPUT_PIPE, OUTPUT_FILE };

/* The end of a run: times in ns, KiB, µs; -1 where unknown. */
struct sample_totals {
	uint8_t status;	    /* enum sample_status of the run */
	bool paused;	    /* it was stopped in between: not a measurement */
	int64_t begin_ns;   /* of the run on the session's clock */
	int64_t wall_ns;    /* the same on the clock of the day, since the epoch; -1: not known */
	int64_t go_ns;	    /* barrier opened, since begin; -1 without a barrier */
	int64_t elapsed_ns; /* first create to last join, without held_ns */
	int64_t held_ns;    /* all were held for their memory to be read; 0: were not */
	int64_t create_ns;  /* first create to the last create's return */
	uint32_t workers;   /* tasks of the plan */
	uint32_t created, finished, joined, failed, peak_alive;
	int64_t user_us, system_us, minflt, majflt, nvcsw, nivcsw;
	int64_t read_kb, written_kb, disk_read_kb, disk_written_kb;
	int64_t hello_lines;	     /* of hello workers that arrived whole; -1: not counted */
	struct sample_memory memory; /* peaks */
	int64_t self_cpu_us;	     /* the front end's own, during the run */
	/*
	 * The use of the run's cores by other programs, and what a host stole, in 0.1 %. It
	 * counts from before the run's program started until it had gone.
	 */
	int16_t others, steal;
	/*
	 * What /proc/stat counted of the whole machine from the first create to the last join,
	 * without the front end.
	 */
	int64_t stat_user_us, stat_system_us;
	/*
	 * Core time that is neither the model's nor the front end's: of what empties the pipe of
	 * hello workers, or of the clients of a server, and of the whole process at the other end
	 * of the terminal. -1: there is none, or it is not known.
	 */
	int64_t drain_us, terminal_us;
	int64_t checked_kb;  /* of read_kb, what the workers read only to check their work */
	int64_t slices_lost; /* for want of room; -1: none were looked for */
	/* Sums over the workers; -1 where the count of one worker is not known. */
	int64_t migrations, cycles, instructions, cache_misses, tlb_misses;
	/*
	 * Of a run in which one worker committed a fault: which, the worker, when, how long after
	 * that its parent learnt of it (-1: never), how many workers finished, and what was left.
	 */
	uint32_t fault; /* enum fault_kind */
	int32_t fault_worker;
	int64_t fault_ns, told_ns, survived;
	int64_t wrong_results; /* and how many finished with a wrong result; -1: as of old */
	uint32_t left;	       /* bits of enum fault_left */
	/* The workers' operations, see tally.h: how many, and their time; -1: they record none. */
	int64_t operations, operations_ns, operation_min_ns, operation_max_ns;
	/*
	 * Of workers that do one operation many times, see plan_step(): how many, in how much time
	 * of theirs on a core, and from the first one's begin to the last one's end; their page
	 * faults; memory that was copied for them, KiB. -1: not known, or there are none.
	 */
	int64_t steps, steps_ns, steps_span_ns, steps_faults, copied_kb;
	/*
	 * Pieces of work that were handed out and done, and what creating who does one takes, for
	 * each; -1: none are.
	 */
	int64_t tasks, task_create_ns;
	/* Jain's index of the workers' rates, in 0.1 %: 1000, all counted as fast as another. */
	int64_t fairness;
	int64_t messages;  /* that arrived, as their receivers counted; -1: none are sent */
	int64_t cgroup_kb; /* the peak of the run's own cgroup, the kernel's part included; -1 */
	/*
	 * Of programs that were run, the most that were seen of one at a time: its children, and
	 * its own threads. -1: there was no program, or nobody looked. And the most processes whose
	 * memory was read at once, of them and all that they created; -1: not all could be read.
	 */
	int32_t children, threads, processes;
	int64_t increments_lost; /* of workers that count together; -1: none do, or as of old */
	/*
	 * By cpu.stat of the run's cgroup: the periods in which its quota kept it from a CPU, and
	 * how long, summed over the CPUs and counted once it may run again. -1: it has no quota.
	 */
	int64_t throttled_periods, throttled_us;
	int64_t energy_uj; /* of all the processors, with all else that they did; -1 unknown */
	/*
	 * The tasks that the commands created, their first processes included, and how many more
	 * are in no row: for want of room, or because a record of it was lost. -1: nobody looked,
	 * or nobody knows how many were lost.
	 */
	int64_t tasks_created, tasks_lost;
	/*
	 * Processes that programs, or --own, had started and that still ran when the run ended;
	 * they were ended then. -1: there are neither, or as of old.
	 */
	int32_t left_running;
	/*
	 * Why its memory, and its CPU time, faults and switches, are not known, enum reason; 0:
	 * they are; -1: as of old.
	 */
	int16_t memory_reason, usage_reason;
	/* Of a warm-up: programs read their standard input, and it was empty. 1, 0; -1: not known
	 */
	int16_t read_nothing;
	int16_t program_output;	       /* enum sample_output; -1: no programs, or as of old */
	char others_who[SAMPLE_LABEL]; /* "cc1 480 ms, sshd 12 ms"; "": not known */
	char reason[256];	       /* one line when status is not SAMPLE_OK, "" */
	/* The trial that this run ends was crowded or paused: it does not count, and is repeated.
	 */
	bool repeated;
	/* Trials of each case that the interim analyses plan now; 0: the session's trials. */
	int32_t planned_trials;
	/*
	 * The number that a program printed as -s metric, its unit, and why there is none: enum
	 * reason, 0 if there is one, -1: none was asked for, or as of old.
	 */
	double printed; /* -1: there is none */
	char printed_unit[SAMPLE_UNIT];
	int16_t printed_reason;
	int64_t cut_ns; /* since its begin, when -s for ended its programs; -1: they ended */
	/*
	 * Requests of a server's clients that were answered, and that were not; the time from the
	 * first request to the last reply. -1: there is no server.
	 */
	int64_t requests, requests_failed, requests_ns;
};

/*
 * Whether other programs took more than a fifth of the run's cores, beyond the tick a core by which
 * their share may be off in a short run. It looks at their load, never at the run's own times.
 */
bool sample_is_crowded(const struct sample_totals *totals, int32_t clock_ticks);

#define SAMPLE_PROGRAM_PARTS 10

/*
 * Of a run whose slices are left out of its recording: what was computed of them. Times in ns; NaN:
 * not known, as without slices.
 */
struct sample_thinned {
	int64_t slices; /* how many are left out; 0: none, and nothing else holds */
	double creating_ns, starting_ns, working_ns, waiting_ns, blocked_ns, joining_ns;
	double running_ns, path_ns;		 /* of the critical path, see model_path_make() */
	double program_ns[SAMPLE_PROGRAM_PARTS]; /* enum model_program_part */
	double together;			 /* see model_together_make() */
	int64_t migrations;			 /* -1: not known */
};

/* Operations that took from_ns or longer, but less than the next bucket's; see tally.h. */
struct sample_bucket {
	int64_t from_ns, count;
};

/* Their members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_run_fields[];
extern const struct field sample_totals_fields[];
extern const struct field sample_thinned_fields[];
extern const struct field sample_bucket_fields[];
