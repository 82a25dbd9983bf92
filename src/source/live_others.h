/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/procfs.h"
#include "core/sample_session.h"
#include "core/sample_tick.h"

/* Load of every core between two readings of /proc/stat (whose ticks are usually 10 ms long). */
struct live_cores {
	struct procfs_stat stat;
	int max;		    /* cores that fit in the arrays */
	struct procfs_core *before; /* the previous reading, max entries */
	struct procfs_core *now;
	int n_before;
	struct sample_core *load; /* what live_cores_read returns */
	uint64_t mhz_ns;	  /* no reading of frequencies before */
	cpu_set_t counted;	  /* whose time has gone on since counted_ns, 0: not yet */
	uint64_t counted_ns;
};

/* Reads once, so that the first load covers the time from here. 0 or -errno, and it is closed. */
int live_cores_open(struct live_cores *cores, const char *proc_root);
/* Loads since the previous call, the cores' own until the next one; how many, or -errno. */
int live_cores_read(struct live_cores *cores, struct sample_core **load);
/*
 * Sets mhz of the cores that have worked since the last tick, by cpufreq under that root. The clock
 * of an idle core says nothing about the run. Reading costs up to 10 µs a core, because the kernel
 * may ask the core itself, so it happens once a second.
 */
void live_cores_mhz(struct live_cores *cores, const char *root, uint64_t now_ns,
		    struct sample_core *load, int n);
/*
 * The first of these CPUs whose time /proc/stat has not counted for half a second of readings, idle
 * or not; -1: none, or not yet known. A container's may be made up, as by lxcfs: then it lacks
 * CPUs, or has others' numbers, or stands still.
 */
int live_cores_uncounted(struct live_cores *cores, const cpu_set_t *usable, uint64_t now_ns);
void live_cores_close(struct live_cores *cores);

/*
 * How much other programs, and a virtual machine's host, used the cores during a run: what
 * /proc/stat counted, less this program and its reaped children. Interrupts belong to nobody and
 * are left out.
 */

struct live_others_sum {
	int cores;
	int64_t wall_us;	   /* since anywhere */
	int64_t busy_us, steal_us; /* of all the cores together */
	int64_t own_us;		   /* this program, on these cores, and its children */
};

struct live_others_self {
	int64_t seen_us; /* of all, at the last look */
	int64_t on_us;
};

struct live_others {
	struct live_cores *cores;      /* the caller's */
	cpu_set_t set;		       /* of these cores; empty: of all */
	struct live_others_sum before; /* of no cores: nothing has begun */
	struct live_others_self self;
	/*
	 * /proc/stat counts in ticks of 10 ms, so a short run may seem to have used more than all.
	 * What is missing in one run is taken off the next, or chance would add up.
	 */
	int64_t owed_us;
};

/* An empty set: all cores. The shares are unknown where the cores could not be opened. */
void live_others_begin(struct live_others *others, const cpu_set_t *set);
/*
 * The shares since live_others_begin(), in 0.1 % of the cores' time; -1: unknown, for instance
 * because a core went offline.
 */
void live_others_end(struct live_others *others, int16_t *share, int16_t *steal);
/*
 * Call it each time this program wakes: what it used since then counts for the core that it is on
 * now. So a run on some of the cores is not charged for this program on others.
 */
void live_others_look(struct live_others *others);

void live_others_attribute(struct live_others_self *self, int64_t used_us, bool on);
void live_others_judge(const struct live_others_sum *before, const struct live_others_sum *after,
		       int64_t *owed_us, int16_t *share, int16_t *steal);

/*
 * Whether the front end gets a core beside the workers. The kernel shares the cores among groups
 * of tasks first. Sessions are groups (sched(7), autogroup), unless that is off or a cgroup of the
 * cpu controller holds them. Then front end and workers share one group, and beside a thousand
 * busy workers the front end gets a thousandth. Where it may, it takes a lower niceness than
 * theirs during a run.
 */

struct live_precedence {
	bool apart;	   /* not for this run, which has a cgroup of its own */
	bool raised;	   /* our niceness is lower now */
	bool said;	   /* that it waits */
	int own;	   /* our niceness before */
	const char *group; /* why it is one with the workers, in words; NULL: it is not */
	/* At the last look. */
	uint64_t looked_ns, waited_ns, ran_ns;
};

/* Finds what the kernel schedules as one group, from /proc and cgroups under root. */
void live_precedence_find(struct live_precedence *precedence, const char *root);
/*
 * Why the niceness of runs weighs nothing beside other programs, with what to do: each run is a
 * session of its own, and so a group of its own. NULL: it does weigh.
 */
const char *live_precedence_futile(const struct live_precedence *precedence);
/* A run has begun, in the cgroup of that directory ("": in ours); it keeps the niceness it
 * inherited.
 */
void live_precedence_take(struct live_precedence *precedence, const char *folder);
void live_precedence_give(struct live_precedence *precedence);
/*
 * Once a session: a line if the front end shares a group and waited for a core for most of the
 * last second, whatever its niceness, by /proc/thread-self/schedstat. nice is the workers'.
 */
bool live_precedence_waits(struct live_precedence *precedence, const char *root, int nice,
			   uint64_t now_ns, char *buf, size_t size);

/*
 * The program at the other end of the terminal, which uses CPU for all that is drawn: tmux, a
 * terminal emulator, sshd. It is the nearest ancestor, or the server that $TMUX or $STY names,
 * that holds the other end: /proc/PID/fdinfo has its "tty-index" (Linux 4.14). The files of sshd
 * may not be readable, but its title names its terminal. The whole process is counted, whatever
 * else it shows, and nothing behind it, such as the program at the other end of ssh.
 */

struct live_terminal {
	pid_t pid; /* 0: there is none, or it is not seen */
	clockid_t clock;
	int64_t begin_us;
	char name[SAMPLE_LABEL]; /* "tmux: server"; "" */
	const char *why; /* it is not seen, a half sentence; NULL: it is, or none is there */
};

void live_terminal_open(struct live_terminal *terminal, const char *root, int fd);
/* Its core time since it was found, µs; -1: not known. */
int64_t live_terminal_used_us(const struct live_terminal *terminal);
