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

/* The load of every core between two readings of /proc/stat, whose ticks are usually 10 ms long. */
struct live_cores {
	struct procfs_stat stat;
	int max;		    /* Room in the arrays, in cores. */
	struct procfs_core *before; /* the previous reading, max entries */
	struct procfs_core *now;
	int n_before;
	struct sample_core *load; /* The result of live_cores_read(). */
	uint64_t mhz_ns;	  /* Earliest time of the next reading of frequencies. */
	/*
	 * counted: CPUs whose times have advanced since counted_ns. counted_ns 0: the check has not
	 * begun.
	 */
	cpu_set_t counted;
	uint64_t counted_ns;
};

/*
 * Reads /proc/stat once, so that the first load covers the time from now. Returns 0, or -errno with
 * cores closed.
 */
int live_cores_open(struct live_cores *cores, const char *proc_root);
/*
 * Computes the loads since the previous call. Returns their number, or -errno. The array is valid
 * until the next call.
 */
int live_cores_read(struct live_cores *cores, struct sample_core **load);
/*
 * Sets mhz of the cores that have worked since the last tick, from cpufreq under root. Skips idle
 * cores, whose frequency says nothing about the run. Reading one core costs up to 10 µs, because
 * the kernel may ask the core itself, so frequencies are read once a second.
 */
void live_cores_mhz(struct live_cores *cores, const char *root, uint64_t now_ns,
		    struct sample_core *load, int n);
/*
 * Returns the first of these CPUs whose times in /proc/stat, idle time included, have not advanced
 * for half a second of readings; -1 if all advance, or if it is too early to say. In a container,
 * /proc/stat may be simulated, for instance by lxcfs. It may then lack CPUs, number them
 * differently, or never change.
 */
int live_cores_uncounted(struct live_cores *cores, const cpu_set_t *usable, uint64_t now_ns);
void live_cores_close(struct live_cores *cores);

/*
 * How much other programs, and the host of a virtual machine, used the cores during a run: the
 * times in /proc/stat, less the times of this program and its reaped children. Interrupts belong to
 * no program and are left out.
 */

struct live_others_sum {
	int cores;
	int64_t wall_us;	   /* A time of clock_now_ns(). */
	int64_t busy_us, steal_us; /* Sums over the cores. */
	/* CPU time of this program on these cores, and of its children. */
	int64_t own_us;
};

struct live_others_self {
	/*
	 * CPU time of this program: on all cores until the last call of live_others_look(), and on
	 * the counted cores alone.
	 */
	int64_t seen_us;
	int64_t on_us;
};

struct live_others {
	struct live_cores *cores;      /* Owned by the caller. */
	cpu_set_t set;		       /* The cores that are counted; empty: all cores. */
	struct live_others_sum before; /* Sums at the beginning; cores 0: they were not read. */
	struct live_others_self self;
	/*
	 * /proc/stat counts in ticks of 10 ms. So in a short run, other programs may seem to have
	 * used less than nothing. The deficit is carried over to the next run, because rounding
	 * errors would add up otherwise.
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
 * Call it each time this program wakes up. Charges the CPU time used since the last call to the
 * current core, so that a run on some cores is not charged for this program's use of the others.
 */
void live_others_look(struct live_others *others);

void live_others_attribute(struct live_others_self *self, int64_t used_us, bool on);
void live_others_judge(const struct live_others_sum *before, const struct live_others_sum *after,
		       int64_t *owed_us, int16_t *share, int16_t *steal);

/*
 * Whether the front end gets a core while workers are running. The kernel first divides the cores
 * among groups of tasks. Each session is a group (sched(7), autogroup), unless autogroup is turned
 * off or a cgroup of the cpu controller contains the tasks. In these two cases, front end and
 * workers share one group, so with a thousand busy workers the front end gets a thousandth of the
 * time. If it is allowed to, the front end then sets its niceness lower than theirs during a run.
 */

struct live_precedence {
	/*
	 * The front end and this run are in different groups, because the run has its own cgroup.
	 */
	bool apart;
	bool raised; /* Our niceness was lowered for the run. */
	bool said;   /* The message about waiting for a core was given. */
	int own;     /* our usual niceness */
	/*
	 * Why the front end shares a group with the workers, in words; NULL: it has its own group.
	 */
	const char *group;
	/* Values at the last check. */
	uint64_t looked_ns, waited_ns, ran_ns;
};

/*
 * Finds out whether the kernel schedules front end and workers as one group, from /proc and cgroups
 * under root.
 */
void live_precedence_find(struct live_precedence *precedence, const char *root);
/*
 * Says why the niceness of runs has no effect on other programs, and what to do: each run is a
 * session, which has its own group. NULL if niceness has an effect.
 */
const char *live_precedence_futile(const struct live_precedence *precedence);
/*
 * Call it when a run has begun in the cgroup of that directory ("": in ours). Lowers our niceness
 * if the run shares our group.
 */
void live_precedence_take(struct live_precedence *precedence, const char *folder);
void live_precedence_give(struct live_precedence *precedence);
/*
 * Writes a line and returns true, once a session, if the front end shares a group and waited for a
 * core for most of the last second, although its niceness is lower. Reads
 * /proc/thread-self/schedstat. nice is the workers' niceness.
 */
bool live_precedence_waits(struct live_precedence *precedence, const char *root, int nice,
			   uint64_t now_ns, char *buf, size_t size);

/*
 * The program that displays the terminal and uses CPU time for all output: tmux, a terminal
 * emulator, sshd. It is the nearest ancestor that has the other end of the terminal open, or the
 * server that $TMUX or $STY names. /proc/PID/fdinfo shows the "tty-index" of that end (Linux 4.14).
 * The files of sshd may be unreadable, but its title names its terminal. All CPU time of the
 * program counts, even for other terminals. More distant programs do not count, such as the
 * terminal at the other end of ssh.
 */

struct live_terminal {
	pid_t pid; /* 0: there is no such process, or it was not found. */
	clockid_t clock;
	int64_t begin_us;
	char name[SAMPLE_LABEL]; /* "tmux: server"; "" if none. */
	/* Why the process was not found, as a clause; NULL if it was found, or there is none. */
	const char *why;
};

void live_terminal_open(struct live_terminal *terminal, const char *root, int fd);
/* CPU time of the process since it was found, µs; -1: unknown. */
int64_t live_terminal_used_us(const struct live_terminal *terminal);
