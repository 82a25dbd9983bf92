/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/machine.h"
#include "core/command_words.h"
#include "core/fields.h"
#include "core/plan.h"
#include "core/serving.h"
#include "core/variables.h"

#define SAMPLE_LABEL 64
#define SAMPLE_TEXT  512
/* Room for the name and the unit of a metric that programs print, bytes. */
#define SAMPLE_METRIC 32
#define SAMPLE_UNIT   16
/* Room for a command line, of tuibench itself or of a program that it runs, bytes. */
#define SAMPLE_COMMAND COMMAND_BYTES
/*
 * Room for a model's name, bytes. In joined recordings, " @" and the name of the machine follow the
 * model.
 */
#define SAMPLE_MODEL (2 * SAMPLE_LABEL + 2)
/*
 * Room for a case's name, bytes: its model and its variables, such as "threads workers=4
 * alloc=400".
 */
#define SAMPLE_NAME (SAMPLE_MODEL + VARIABLES_TEXT)
/* Largest number of cases in a session. */
#define SAMPLE_MAX_CASES 64

/* State of the page cache for the files that workers read. */
enum sample_cache {
	SAMPLE_CACHE_UNKNOWN, /* older recording */
	SAMPLE_CACHE_WARM,
	SAMPLE_CACHE_COLD,
	SAMPLE_CACHE_ONCE_COLD, /* cold only in the session's first run */
	SAMPLE_CACHES
};

/*
 * A case is one model with one value of each setting: a column of the screen. A run is one
 * execution of a case.
 */
struct sample_case {
	char model[SAMPLE_MODEL]; /* "threads", "threads#2", "hybrid:2x4" */
	struct variables variables;
	struct plan plan;
	uint64_t stack_size; /* Stack size of its threads, bytes; 0: the system's default. */
	/* Enum counting of its runs. The recording stores this value as a variable. */
	uint8_t counting;
	uint64_t ballast; /* memory that their parent has touched, bytes */
	/*
	 * Amount of work of one worker of each kind, in the kind's unit; 0: no worker of that kind.
	 */
	uint64_t work_size[WORK_KINDS];
	/* `cache` and `pinned` are both unknown in an older recording. */
	uint8_t cache; /* enum sample_cache */
	bool pinned;   /* The user has chosen the cores. */
	/* Bytes that a cpu worker allocates and frees in each step; 0: none. */
	uint64_t alloc;
	/*
	 * The rule by which the case's CPUs were chosen, such as "spread"; "": not chosen by the
	 * topology.
	 */
	char place[16];
	uint8_t via; /* enum via: how its workers hand over a token or message */
	/* Number of fibers with VIA_UCONTEXT, which all belong to one worker; otherwise 0. */
	uint32_t fibers;
	cpu_set_t cpus; /* CPUs on which the case runs, if they were chosen; otherwise empty. */
	struct mistakes mistakes;
	struct serving serving; /* For a plan with a server. Token workers use only wait_ns. */
	/*
	 * Command line of the workers' program as the user gave it; "": no program, or older
	 * recording.
	 */
	char command[SAMPLE_COMMAND];
};

/* Value of sample_session.wakes if wake-ups are recorded. */
#define SAMPLE_WAKES "sched_waking"
/* Value of sample_session.wakes if tracefs, which describes tracepoints, is not mounted. */
#define SAMPLE_NO_TRACEFS "there is no tracefs"
/* Value of sample_session.wakes if only root may read tracefs. */
#define SAMPLE_HIDDEN_TRACEFS "tracefs cannot be read"
/* Value of sample_session.sched_perf if the kernel's records are allowed. */
#define SAMPLE_PERF "allowed"

/* Values of sample_session.tasks_by: how the tasks of commands are found. */
#define SAMPLE_TASKS_PERF      "perf"
#define SAMPLE_TASKS_CONNECTOR "connector"
#define SAMPLE_TASKS_POLLING   "polling"

/*
 * A result of the warm-ups: the configuration that recording of context switches slows most, and
 * how later runs are recorded.
 */
struct sample_watched {
	/* context switches per second in the warm-ups; 0: not judged, and no other member is set */
	int64_t rate;
	uint32_t case_id;
	double share; /* share of the configuration's time that recording takes, 0 to 1 */
	/* time to record one context switch, measured before the first trial; -1: not measured */
	int64_t record_ns;
	/*
	 * The configuration's median time in warm-ups without records, ns, see sample_alone_ns();
	 * -1: there were no such warm-ups
	 */
	int64_t plain_ns;
	/*
	 * The time with records divided by that without: the median over pairs of warm-ups, the
	 * least and the most. Of five pairs, the second least and the second most. Not above 0:
	 * unknown.
	 */
	double slowdown, slowdown_low, slowdown_high;
	/*
	 * For the runs from then on, these values replace the session's own. sched "": nothing
	 * changes.
	 */
	char sched[SAMPLE_LABEL], wakes[SAMPLE_LABEL], tasks_by[SAMPLE_LABEL];
	int64_t sched_ns;
};

/*
 * The assumed cost of recording a context switch, ns, where record_ns is unknown: see
 * tuibench-statistics(7).
 */
#define SAMPLE_RECORD_NS 1500
/*
 * If recording context switches takes at least this share of a configuration's time, tuibench
 * avoids or reports it.
 */
#define SAMPLE_WATCHED_SHARE 0.02

/* The first sample of every session. */
struct sample_session {
	char version[32];	       /* Version of the tuibench that made the recording. */
	char experiment[SAMPLE_LABEL]; /* "mixed" */
	char title[SAMPLE_LABEL];      /* "6 cpu + 2 io" */
	char options[SAMPLE_COMMAND];  /* The command line, quoted for a shell. */
	int64_t wall_s;		       /* when the session began, in seconds since the epoch */
	uint32_t trials, warmup;       /* per case */
	uint32_t interval_ms;	       /* Interval between ticks. */
	int64_t seed;		       /* seed of the randomized order; -1: nothing is randomized */
	struct machine machine;
	/*
	 * The program that displays the terminal, such as "tmux: server"; "": no terminal, or
	 * unknown.
	 */
	char terminal[SAMPLE_LABEL];
	/* The source of slices: "own", "perf" or "off"; "": older recording. */
	char sched[SAMPLE_LABEL];
	/*
	 * The shortest time off a core that the source `sched` detects, ns; -1: there is no source.
	 */
	int64_t sched_ns;
	/*
	 * SAMPLE_WAKES if wake-ups are recorded. Otherwise the reason why they are not. "" in older
	 * recordings.
	 */
	char wakes[SAMPLE_LABEL];
	/*
	 * "user" if the processor's counters count the work, without the kernel's part. Otherwise
	 * the reason why there are no counts. "" in older recordings.
	 */
	char counters[SAMPLE_LABEL];
	/*
	 * SAMPLE_PERF, or the reason why the kernel's records are unavailable; "" if the source is
	 * off, and in older recordings.
	 */
	char sched_perf[SAMPLE_LABEL];
	/*
	 * The CPUs that share a core, a package, a node, in the form of topology/topology.h; "":
	 * unknown.
	 */
	char topology[SAMPLE_TEXT];
	/* The environment of the session's runs, in the form of base/environment.h; "": unknown. */
	char environment[SAMPLE_TEXT];
	/*
	 * compiler: the compiler of the runner, such as "gcc 12.2.0 -O2 -g". commit: "" for a
	 * release.
	 */
	char compiler[SAMPLE_LABEL * 2], commit[SAMPLE_LABEL];
	/* The settings, such as "alloc=0,400;nice=5"; "": none, or unknown. */
	char settings[SAMPLE_TEXT];
	/* One of the SAMPLE_TASKS names; "": tasks were not observed. */
	char tasks_by[SAMPLE_LABEL];
	/*
	 * The name that programs print before a number, which makes the number a metric; "": none.
	 */
	char metric[SAMPLE_METRIC];
	/* The time after which programs are ended, ns; -1: never, or older recording. */
	int64_t for_ns;
	char prediction[SAMPLE_TEXT]; /* What the user expects, see --predict; "": nothing. */
	int64_t wall_ns; /* Fraction of a second to add to wall_s, ns; -1: older recording. */
	struct sample_watched watched; /* Applies from the end of the last warm-up on. */
	uint32_t cases;
	const struct sample_case *cases_list;
};

/*
 * Writes the name of a case, one of the session's n: its model and, if the cases differ in
 * variables, its variables with their values. Leaves out the usual placement of a creation. At most
 * SAMPLE_NAME bytes. Returns buf.
 */
char *sample_case_name(const struct sample_case *cases, uint32_t n, uint32_t case_id, char *buf,
		       size_t size);

/*
 * The members by their names in the recording. A member added at the end becomes the last column.
 */
extern const struct field sample_session_fields[];
extern const struct field sample_watched_fields[];
