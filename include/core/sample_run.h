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
	int64_t held_ns;    /* time for which all tasks were held to read their memory; 0: none */
	int64_t create_ns;  /* first create to the last create's return */
	uint32_t workers;   /* tasks of the plan */
	uint32_t created, finished, joined, failed, peak_alive;
	int64_t user_us, system_us, minflt, majflt, nvcsw, nivcsw;
	int64_t read_kb, written_kb, disk_read_kb, disk_written_kb;
	int64_t hello_lines;	     /* hello lines that arrived complete; -1: not counted */
	struct sample_memory memory; /* peaks */
	int64_t self_cpu_us;	     /* CPU time of the front end during the run */
	/*
	 * Use of the run's cores by other programs, and time stolen by a host, in 0.1 %. Counted
	 * from before the run's program started until it was gone.
	 */
	int16_t others, steal;
	/*
	 * What /proc/stat counted of the whole machine from the first create to the last join,
	 * without the front end.
	 */
	int64_t stat_user_us, stat_system_us;
	/*
	 * CPU time that is neither the model's nor the front end's: first of the process that
	 * empties the pipe of hello workers, or of a server's clients; then of the process at the
	 * other end of the terminal. -1: no such process, or unknown.
	 */
	int64_t drain_us, terminal_us;
	int64_t checked_kb;  /* the part of read_kb that workers read only to check their work */
	int64_t slices_lost; /* for want of room; -1: none were looked for */
	/* Sums over the workers; -1 where the count of one worker is not known. */
	int64_t migrations, cycles, instructions, cache_misses, tlb_misses;
	/*
	 * For a run in which one worker committed a fault: the kind of fault, the worker, the time,
	 * the delay until its parent noticed (-1: never), the number of workers that finished, and
	 * the leftovers.
	 */
	uint32_t fault; /* enum fault_kind */
	int32_t fault_worker;
	int64_t fault_ns, told_ns, survived;
	int64_t wrong_results; /* number that finished with a wrong result; -1: older recording */
	uint32_t left;	       /* bits of enum fault_left */
	/*
	 * The operations of workers, see tally.h: number, total, shortest and longest time; -1 if
	 * not recorded.
	 */
	int64_t operations, operations_ns, operation_min_ns, operation_max_ns;
	/*
	 * For workers that repeat one operation, see plan_step(): the number of operations, their
	 * CPU time, and the time from the first one's beginning to the last one's end; then page
	 * faults, and memory copied for the workers in KiB. -1: unknown or not applicable.
	 */
	int64_t steps, steps_ns, steps_span_ns, steps_faults, copied_kb;
	/*
	 * Pieces of work that were handed out and done, and the time to create a worker for each;
	 * -1 if none.
	 */
	int64_t tasks, task_create_ns;
	/* Jain's index of the workers' rates, in 0.1 %; 1000 means that all are equally fast. */
	int64_t fairness;
	int64_t messages;  /* that arrived, as their receivers counted; -1: none are sent */
	int64_t cgroup_kb; /* the peak of the run's own cgroup, the kernel's part included; -1 */
	/*
	 * For programs, the most children, and threads of its own, that one program had at a time;
	 * -1 if there was no program, or it was not checked. Then the most processes, of all
	 * programs and their offspring, whose memory was read together; -1 if not all could be
	 * read.
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
	 * The number of tasks that commands created, including their first processes. Then the
	 * number of tasks without a row, because there was no room or a record was lost. -1:
	 * unknown.
	 */
	int64_t tasks_created, tasks_lost;
	/*
	 * Processes started by programs, or by --own, that still ran at the end of the run and were
	 * ended. -1: neither was run, or older recording.
	 */
	int32_t left_running;
	/*
	 * enum reason why its memory is unknown, and why its CPU time, faults and switches are; 0:
	 * known; -1: older recording.
	 */
	int16_t memory_reason, usage_reason;
	/* For a warm-up, whether programs read their empty standard input: 1 or 0; -1: unknown */
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
	 * For -s metric: the number that a program printed, its unit, and enum reason if there is
	 * none (0 if there is one; -1 if none was asked for, or older recording).
	 */
	double printed; /* -1: there is none */
	char printed_unit[SAMPLE_UNIT];
	int16_t printed_reason;
	int64_t cut_ns; /* since its begin, when -s for ended its programs; -1: they ended */
	/*
	 * Requests of a server's clients: the number answered, the number not answered, and the
	 * time from the first request to the last reply. -1: no server.
	 */
	int64_t requests, requests_failed, requests_ns;
	/*
	 * A server's idle connections, and what they added to its PSS, in KiB. -1: none, or not
	 * read.
	 */
	int64_t idle_connections, idle_pss_kb;
};

/*
 * Whether other programs took more than a fifth of the run's cores. Allows for one tick for each
 * core, by which the share of a short run may be off. Uses only their load, never the run's own
 * times.
 */
bool sample_is_crowded(const struct sample_totals *totals, int32_t clock_ticks);

#define SAMPLE_PROGRAM_PARTS 10

/*
 * For a run whose slices are left out of its recording: values that were computed from the slices.
 * Times in ns; NaN if unknown, as without slices.
 */
struct sample_thinned {
	int64_t slices; /* number of slices left out; 0: none, and the other members are not set */
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
