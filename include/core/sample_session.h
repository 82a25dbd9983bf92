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
/* Bytes of the name of a metric that programs print, and of its unit. */
#define SAMPLE_METRIC 32
#define SAMPLE_UNIT   16
/* Bytes of a command line: of tuibench itself, and of a program that it runs. */
#define SAMPLE_COMMAND COMMAND_BYTES
/* Bytes of a model's name, in a join of recordings with " @" and whose it is. */
#define SAMPLE_MODEL (2 * SAMPLE_LABEL + 2)
/* Bytes of the name of any case, "threads workers=4 alloc=400": its model and its variables. */
#define SAMPLE_NAME (SAMPLE_MODEL + VARIABLES_TEXT)
/* Cases of a session at most. */
#define SAMPLE_MAX_CASES 64

/* The page cache of what its workers read. */
enum sample_cache {
	SAMPLE_CACHE_UNKNOWN, /* of old */
	SAMPLE_CACHE_WARM,
	SAMPLE_CACHE_COLD,
	SAMPLE_CACHE_ONCE_COLD, /* in the session's first run alone */
	SAMPLE_CACHES
};

/* A column of the screen: one model with one value of each setting. Runs repeat cases. */
struct sample_case {
	char model[SAMPLE_MODEL]; /* "threads", "threads#2", "hybrid:2x4" */
	struct variables variables;
	struct plan plan;
	uint64_t stack_size; /* stack size of its threads, bytes; 0: the system's */
	uint8_t counting;    /* enum counting of the runs to come; the log has it as a variable */
	uint64_t ballast;    /* memory that their parent has touched, bytes */
	/* The work of one worker of each kind, in the kind's unit; 0: there is none. */
	uint64_t work_size[WORK_KINDS];
	/* With the cache unknown these two are not known either. */
	uint8_t cache;	 /* enum sample_cache */
	bool pinned;	 /* to cores that the user has chosen */
	uint64_t alloc;	 /* blocks that a cpu worker takes and gives back a chunk */
	char place[16];	 /* by which its CPUs were chosen: "spread"; "": not by the topology */
	uint8_t via;	 /* enum via: how its workers hand something over */
	uint32_t fibers; /* of VIA_UCONTEXT, all of one worker; else 0 */
	cpu_set_t cpus;	 /* on which it runs, where they were chosen; else empty */
	struct mistakes mistakes;
	struct serving serving; /* of a plan that serves; of token workers the wait alone */
	/* The program of its workers with its arguments, as it was given; "": none, or of old */
	char command[SAMPLE_COMMAND];
};

/* sample_session.wakes where wake-ups are seen. */
#define SAMPLE_WAKES "sched_waking"
/* The same where nobody has mounted the file system that describes tracepoints. */
#define SAMPLE_NO_TRACEFS "there is no tracefs"
/* The same where others than root may not read it. */
#define SAMPLE_HIDDEN_TRACEFS "tracefs cannot be read"
/* sample_session.sched_perf where the kernel's records are allowed. */
#define SAMPLE_PERF "allowed"

/* sample_session.tasks_by: how the tasks of commands are found. */
#define SAMPLE_TASKS_PERF      "perf"
#define SAMPLE_TASKS_CONNECTOR "connector"
#define SAMPLE_TASKS_POLLING   "polling"

/* The first sample of every session. */
struct sample_session {
	char version[32];	       /* of the tuibench that recorded it */
	char experiment[SAMPLE_LABEL]; /* "mixed" */
	char title[SAMPLE_LABEL];      /* "6 cpu + 2 io" */
	char options[SAMPLE_COMMAND];  /* its command line, quoted for a shell */
	int64_t wall_s;		       /* seconds since the epoch at the start */
	uint32_t trials, warmup;       /* per case */
	uint32_t interval_ms;	       /* of the ticks */
	int64_t seed;		       /* seed of the randomized order; -1: nothing is randomized */
	struct machine machine;
	/* The program at the terminal's other end, "tmux: server"; "": none, or not seen. */
	char terminal[SAMPLE_LABEL];
	char sched[SAMPLE_LABEL]; /* the source of slices: "own", "perf", "off"; "": of old */
	int64_t sched_ns;	  /* the shortest time off a core that it detects; -1: none */
	/* SAMPLE_WAKES if wake-ups are seen; otherwise the reason; "" in older recordings */
	char wakes[SAMPLE_LABEL];
	/*
	 * "user" if the processor's counters count the work without the kernel; otherwise the
	 * reason why there are none; "" in older recordings.
	 */
	char counters[SAMPLE_LABEL];
	char sched_perf[SAMPLE_LABEL]; /* SAMPLE_PERF, or the reason why the kernel's records are
					  unavailable; "" */
	/* Which CPUs share a core, a package, a node, as in topology/topology.h; "": not known */
	char topology[SAMPLE_TEXT];
	/* What surrounds its runs, as in base/environment.h; "": not known */
	char environment[SAMPLE_TEXT];
	/* the compiler of the runner, "gcc 12.2.0 -O2 -g"; and the commit, "" for a release */
	char compiler[SAMPLE_LABEL * 2], commit[SAMPLE_LABEL];
	char settings[SAMPLE_TEXT];  /* "alloc=0,400;nice=5"; "": none, or not known */
	char tasks_by[SAMPLE_LABEL]; /* SAMPLE_TASKS_PERF and the like; "": nobody looked */
	char metric[SAMPLE_METRIC];  /* the name of what programs print as a metric; "": none */
	int64_t for_ns;	 /* the time after which programs are ended; -1: they end, or as of old */
	int64_t wall_ns; /* fraction of a second to add to wall_s, ns; -1: older recording */
	uint32_t cases;
	const struct sample_case *cases_list;
};

/*
 * Writes the name of a case, one of the session's n: its model, and its variables if those differ
 * between cases. At most SAMPLE_NAME bytes. Returns buf.
 */
char *sample_case_name(const struct sample_case *cases, uint32_t n, uint32_t case_id, char *buf,
		       size_t size);

/* Its members by their names in the log. One added at the end becomes the last column there. */
extern const struct field sample_session_fields[];
