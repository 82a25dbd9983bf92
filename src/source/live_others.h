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
	cpu_set_t counted; /* CPUs whose time has advanced since counted_ns (0: no start yet) */
	uint64_t counted_ns;
};

/* Reads once, so that the first load covers the time from here. 0 or -errno, and it is closed. */
int live_cores_open(struct live_cores *cores, const char *proc_root);
/*
 * Loads since the previous call, in an array that is valid until the next call. Returns their
 * number, or -errno.
 */
int live_cores_read(struct live_cores *cores, struct sample_core **load);
/*
 * Sets mhz of the cores that have worked since the last tick, by cpufreq under that root. The clock
 * of an idle core says nothing about the run. Reading costs up to 10 µs a core, because the kernel
 * may ask the core itself, so it happens once a second.
 */
void live_cores_mhz(struct live_cores *cores, const char *root, uint64_t now_ns,
		    struct sample_core *load, int n);
/*
 * Returns the first of these CPUs whose time, idle or not, has not advanced in /proc/stat for half
 * a second of readings; -1 if none, or not yet known. In a container /proc/stat may be simulated,
 * as by lxcfs. It may then lack CPUs, number them differently, or never change.
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
	struct live_others_sum before; /* for an empty set of cores: nothing was begun */
	struct live_others_self self;
	/*
	 * /proc/stat counts in ticks of 10 ms, so the share of a short run may seem to exceed all
	 * time. A deficit of one run is carried to the next; otherwise chance errors would add up.
	 */
	int64_t owed_us;
};

/* An empty set means all cores. The shares are unknown if the cores could not be opened. */
void live_others_begin(struct live_others *others, const cpu_set_t *set);
/*
 * The shares since live_others_begin(), in 0.1 % of the cores' time; -1: unknown, for instance
 * because a core went offline.
 */
void live_others_end(struct live_others *others, int16_t *share, int16_t *steal);
/*
 * Call it each time this program wakes. The CPU time used since then counts for the current core,
 * so that a run on some cores is not charged for this program's use of others.
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
	bool apart;  /* not for this run, which has a cgroup of its own */
	bool raised; /* our niceness is lower now */
	bool said;   /* time spent waiting for a core */
	int own;     /* our niceness before */
	const char
		*group; /* why it shares a group with the workers, in words; NULL if it does not */
	/* At the last look. */
	uint64_t looked_ns, waited_ns, ran_ns;
};

/* Finds what the kernel schedules as one group, from /proc and cgroups under root. */
void live_precedence_find(struct live_precedence *precedence, const char *root);
/*
 * Says why the runs' niceness has no effect on other programs, and what to do: each run is a
 * session, and so a group, of its own. NULL if niceness has an effect.
 */
const char *live_precedence_futile(const struct live_precedence *precedence);
/* A run has begun in the cgroup of that directory ("" for ours) with its inherited niceness. */
void live_precedence_take(struct live_precedence *precedence, const char *folder);
void live_precedence_give(struct live_precedence *precedence);
/*
 * Once a session: a line if the front end shares a group and waited for a core for most of the
 * last second, whatever its niceness, by /proc/thread-self/schedstat. nice is the workers'.
 */
bool live_precedence_waits(struct live_precedence *precedence, const char *root, int nice,
			   uint64_t now_ns, char *buf, size_t size);

/*
 * The program at the other end of the terminal, which uses CPU for all output: tmux, a terminal
 * emulator, sshd. It is the nearest ancestor that has the other end open, or such a server named by
 * $TMUX or $STY: /proc/PID/fdinfo has its "tty-index" (Linux 4.14). The files of sshd may not be
 * readable, but its title names its terminal. All CPU time of that process counts, whatever else it
 * shows. Programs further away do not count, such as the one at the other end of ssh.
 */

struct live_terminal {
	pid_t pid; /* 0: there is none, or it is not seen */
	clockid_t clock;
	int64_t begin_us;
	char name[SAMPLE_LABEL]; /* "tmux: server"; "" */
	const char *why; /* half a sentence that says why it is not seen; NULL if it is seen or
			    there is none */
};

void live_terminal_open(struct live_terminal *terminal, const char *root, int fd);
/* Its core time since it was found, µs; -1: not known. */
int64_t live_terminal_used_us(const struct live_terminal *terminal);
