/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/fields.h"
#include "core/sample_memory.h"
#include "core/sample_session.h"

struct sample_run {
	uint32_t run;	/* Number of the run in the session, from 0. */
	uint32_t trial; /* Number of the trial, from 1; 0: a warm-up. */
	uint32_t case_id;
	uint32_t planned; /* Number of runs planned in total, as far as known so far. */
};

/* Where programs write their output. */
enum sample_output { OUTPUT_NULL, OUTPUT_PIPE, OUTPUT_FILE };

/* The end of a run. Times in ns, memory in KiB, CPU times in µs; -1 if unknown. */
struct sample_totals {
	uint8_t status;	  /* enum sample_status of the run */
	bool paused;	  /* The run was stopped for a while, so its times are no measurement. */
	int64_t begin_ns; /* When the run began, on the session's clock. */
	int64_t wall_ns;  /* When the run began, in ns since the epoch; -1: unknown. */
	/* When the barrier opened, since the run's beginning; -1 without a barrier. */
	int64_t go_ns;
	int64_t elapsed_ns; /* From the first create call to the last join, without held_ns. */
	/* Time for which all tasks were held while tuibench read their memory; 0: not held. */
	int64_t held_ns;
	int64_t create_ns; /* From the first create call to the return of the last create call. */
	uint32_t workers;  /* number of tasks in the plan */
	uint32_t created, finished, joined, failed, peak_alive;
	int64_t user_us, system_us, minflt, majflt, nvcsw, nivcsw;
	int64_t read_kb, written_kb, disk_read_kb, disk_written_kb;
	int64_t hello_lines; /* Number of hello lines that arrived complete; -1: not counted. */
	struct sample_memory memory; /* Peaks during the run. */
	int64_t self_cpu_us;	     /* CPU time of the front end during the run */
	/*
	 * Share of the run's cores that other programs used, and share that the host stole, in 0.1
	 * %. Measured from just before the runner's start until its end.
	 */
	int16_t others, steal;
	/*
	 * CPU times of the whole machine from /proc/stat between the first create call and the last
	 * join, less the front end's own.
	 */
	int64_t stat_user_us, stat_system_us;
	/*
	 * CPU time of helper processes. drain_us: the process that empties the pipe of hello
	 * workers, or a server's clients. terminal_us: the terminal's process. -1: there is no such
	 * process, or its time is unknown.
	 */
	int64_t drain_us, terminal_us;
	int64_t checked_kb; /* The part of read_kb that workers read only to check their work. */
	/* Slices that were lost because a ring was full; -1: slices were not recorded. */
	int64_t slices_lost;
	/* Sums over the workers; -1 if a worker's count is unknown. */
	int64_t migrations, cycles, instructions, cache_misses, tlb_misses;
	/*
	 * For a run in which one worker commits a fault. fault: the kind. fault_worker: the worker.
	 * fault_ns: when the fault happened. noticed_ns: how long the parent took to notice it; -1:
	 * never. survived: number of workers that finished.
	 */
	uint32_t fault; /* enum fault_kind */
	int32_t fault_worker;
	int64_t fault_ns, noticed_ns, survived;
	/* Number of workers that finished with a wrong result; -1: older recording. */
	int64_t wrong_results;
	uint32_t left; /* what the faulty worker left behind: bits of enum fault_left */
	/*
	 * The operations that workers recorded, see tally.h: their number, total time, shortest and
	 * longest time, ns. -1: not recorded.
	 */
	int64_t operations, operations_ns, operation_min_ns, operation_max_ns;
	/*
	 * For workers that repeat one operation, see plan_step(). steps: number of operations.
	 * steps_ns: their CPU time. steps_span_ns: from the beginning of the first to the end of
	 * the last. steps_faults: page faults. copied_kb: memory copied for the workers, KiB. -1:
	 * unknown or not applicable.
	 */
	int64_t steps, steps_ns, steps_span_ns, steps_faults, copied_kb;
	/*
	 * tasks: number of handed-out pieces of work that were done. task_create_ns: mean time to
	 * create the worker of a piece. -1: no work is handed out.
	 */
	int64_t tasks, task_create_ns;
	/* Jain's fairness index of the workers' rates, in 0.1 %; 1000: all are equally fast. */
	int64_t fairness;
	/*
	 * Number of messages that arrived, as counted by their receivers; -1: the workers send no
	 * messages.
	 */
	int64_t messages;
	int64_t cgroup_kb; /* Peak of the run's own cgroup, with the kernel's part; -1: unknown. */
	/*
	 * For programs. children and threads: the most children, and the most threads, that one
	 * program had at a time; -1 if there was no program, or they were not counted. processes:
	 * the most processes, of all programs and their descendants, whose memory was read
	 * together; -1 if some could not be read.
	 */
	int32_t children, threads, processes;
	/*
	 * Number of increments lost by workers that share a counter; -1: they share none, or older
	 * recording.
	 */
	int64_t increments_lost;
	/*
	 * From cpu.stat of the run's cgroup: the number of periods in which the quota kept the run
	 * from a CPU, and the time for which it did, µs, summed over the CPUs. The kernel adds the
	 * time only when the run may continue. -1: no quota.
	 */
	int64_t throttled_periods, throttled_us;
	/*
	 * Energy of all processors during the run, including all other work on the machine; -1:
	 * unknown.
	 */
	int64_t energy_uj;
	/*
	 * tasks_created: number of tasks that commands created, including their first processes.
	 * tasks_lost: number of these tasks that are not listed, because the list was full or a
	 * record was lost. -1: unknown.
	 */
	int64_t tasks_created, tasks_lost;
	/*
	 * Number of processes that programs or --own had started and that tuibench killed because
	 * they still ran at the end of the run. -1: the run had neither, or older recording.
	 */
	int32_t left_running;
	/*
	 * enum reason. memory_reason: why the memory is unknown. usage_reason: why CPU time, page
	 * faults and context switches are unknown. 0: known. -1: older recording.
	 */
	int16_t memory_reason, usage_reason;
	/*
	 * For a warm-up: 1 if a program read its standard input, which was empty; 0 if no program
	 * did; -1: unknown.
	 */
	int16_t read_nothing;
	int16_t program_output; /* enum sample_output; -1: no programs, or older recording. */
	/*
	 * The other programs that used CPU time, and how much each used: "cc1 480 ms, sshd 12 ms";
	 * "": unknown.
	 */
	char others_who[SAMPLE_LABEL];
	char reason[256]; /* One line if status is not SAMPLE_OK, otherwise "". */
	/*
	 * The run ends a trial that does not count and is repeated, because other programs crowded
	 * it or it was paused.
	 */
	bool repeated;
	/*
	 * Number of trials of each case for which the interim analyses are now planned; 0: as many
	 * as the session planned.
	 */
	int32_t planned_trials;
	/*
	 * For -s metric. printed: the number that a program printed. printed_unit: its unit.
	 * printed_reason: enum reason why there is no number; 0: there is one; -1: without -s
	 * metric, or older recording.
	 */
	double printed; /* -1: the program printed no number. */
	char printed_unit[SAMPLE_UNIT];
	int16_t printed_reason;
	/*
	 * When -s for=TIME ended the programs, since the run's beginning; -1: they ended by
	 * themselves.
	 */
	int64_t cut_ns;
	/*
	 * Requests of a server's clients: number answered, number not answered, and the time from
	 * the first request to the last reply. -1: no server.
	 */
	int64_t requests, requests_failed, requests_ns;
	/*
	 * A server's idle connections, and by how many KiB they raised its PSS. -1: there are none,
	 * or PSS was not read.
	 */
	int64_t idle_connections, idle_pss_kb;
	/*
	 * Largest number of connections that waited at a tick to be accepted; -1: unknown, or no
	 * server.
	 */
	int64_t queue_most;
};

/*
 * Whether other programs used more than a fifth of the run's cores. The limit is higher by one tick
 * for each core, because /proc/stat can be wrong by that much in a short run. The result depends
 * only on the load of other programs, never on the run's own times.
 */
bool sample_is_crowded(const struct sample_totals *totals, int32_t clock_ticks);
/*
 * The elapsed time less the share of the run's cores that other programs used, ns. Never below the
 * CPU time of the run's tasks, which may exceed the elapsed time if several cores work.
 */
double sample_alone_ns(const struct sample_totals *totals);

#define SAMPLE_PROGRAM_PARTS 10
/* Largest number of trials that a session repeats because something disturbed them. */
#define SAMPLE_REPEATS_MOST 5

/*
 * Values computed from the slices of a run, for a recording that leaves these slices out. Times in
 * ns. NaN: unknown, as in a run without slices.
 */
struct sample_thinned {
	int64_t slices; /* Number of slices left out. 0: none, and the other members are not set. */
	double creating_ns, starting_ns, working_ns, waiting_ns, blocked_ns, joining_ns;
	/* running_ns, and the length of the critical path, see model_path_make() */
	double running_ns, path_ns;
	double program_ns[SAMPLE_PROGRAM_PARTS]; /* enum model_program_part */
	double together;			 /* see model_together_make() */
	int64_t migrations;			 /* -1: unknown */
};

/*
 * Number of operations that took at least from_ns, but less than the from_ns of the next bucket;
 * see tally.h.
 */
struct sample_bucket {
	int64_t from_ns, count;
};

/*
 * A part of a run's wake-ups, for a recording without the run's slices: `count` wake-ups of one
 * kind by one kind of waker in a bucket of times, see tally.h. Ordered by kind, waker and time.
 */
struct sample_wake {
	int64_t from_ns, count;
	int64_t max_ns; /* The longest wake-up of that kind by that kind of waker. */
	uint8_t wake;	/* the kind, by its place in sample_wake_names[] */
	uint8_t woken;	/* enum sample_woken */
};

/*
 * A request that a worker of a server has read and answered. Times are ns since the run's
 * beginning.
 */
struct sample_request {
	/* When the whole request was read, and when the whole reply was written. */
	int64_t request_ns, reply_ns;
	uint32_t index; /* the worker */
};

/*
 * The members by their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_run_fields[];
extern const struct field sample_totals_fields[];
extern const struct field sample_thinned_fields[];
extern const struct field sample_bucket_fields[];
extern const struct field sample_request_fields[];
