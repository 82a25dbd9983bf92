/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Parsing of /proc under a root that the caller names ("/proc", or a fixture tree in tests).
 * Descriptors are kept open and read again with pread(): a quarter of the cost of reopening.
 * Every function returns 0 (or a count) or -errno; a field the kernel does not give is -1.
 */

/* What /proc/sys/kernel/perf_event_paranoid says; INT_MIN: nothing. */
int procfs_perf_paranoid(void);

/* One line of /proc/stat, in clock ticks since boot. Source: proc(5). */
struct procfs_core {
	int cpu;
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

/* A kept /proc/stat. */
struct procfs_stat {
	int fd;
	char *buf; /* grows with the machine's cores and is reused */
	size_t size;
};

int procfs_stat_open(struct procfs_stat *stat, const char *root);
/* Fills at most max cores, ascending by number (offline ones are absent); returns how many. */
int procfs_stat_read(struct procfs_stat *stat, struct procfs_core *cores, int max);
void procfs_stat_close(struct procfs_stat *stat);

/* The kept files of one process. Opened by procfs_task_open, -1 where not (yet) open. */
struct procfs_task {
	pid_t pid;
	int status_fd; /* /proc/PID/status: takes no mmap lock, safe while threads are created */
	int rollup_fd; /* /proc/PID/smaps_rollup, opened at the first use; holds the mmap lock */
};

/* KiB; -1 where unknown. */
struct procfs_memory {
	int64_t rss_kb, anon_kb, file_kb, shmem_kb; /* status: VmRSS and its three parts */
	int64_t page_tables_kb;			    /* status: VmPTE */
	int64_t threads;			    /* status: Threads */
	int64_t ignored;		      /* status: SigIgn, a bit for each signal from 1 on */
	int64_t pss_kb, pss_shmem_kb, uss_kb; /* smaps_rollup; uss = private clean + dirty */
};

/* -ESRCH when there is no such task. */
int procfs_task_open(struct procfs_task *task, const char *root, pid_t pid);
/*
 * Fills the fields of status only and sets the others to -1. -ESRCH when the task has ended, be
 * it reaped or still a zombie.
 */
int procfs_task_status(struct procfs_task *task, struct procfs_memory *memory);
/*
 * Fills rss_kb, pss_kb, pss_shmem_kb and uss_kb and leaves the others. -ESRCH when the task has
 * ended, -EACCES for another user's. The kept descriptor belongs to the program that ran at the
 * first use: call it first after an exec. By then the process may have ended, and its number be in
 * use again: the figures are its own if procfs_task_status finds it afterwards.
 */
int procfs_task_rollup(struct procfs_task *task, const char *root, struct procfs_memory *memory);
void procfs_task_close(struct procfs_task *task);

/*
 * A whole small file under root as one string without its last newline; -EFBIG where it does not
 * fit, and then, as with every error, buf is "".
 */
int procfs_read_text(const char *root, const char *path, char *buf, size_t size);
/*
 * The same of a task's stat: in it, from the ')' on that ends its name, which may hold any
 * characters; fields 3 and up of proc_pid_stat(5) follow. NULL with an error.
 */
const char *procfs_read_stat(const char *root, const char *path, char *buf, size_t size);
/* Behind a key at the begin of a line, "MemAvailable:"; NULL where no line begins so. */
const char *procfs_after_key(const char *text, const char *key);
/* The directory of this program; false, and "", where it is not known. */
bool procfs_own_folder(char *buf, size_t size);
/* A file or directory of ours that is not a program; false, and where it would be installed. */
bool procfs_find_data(const char *name, char path[PATH_MAX]);
/* Whether that word is in a list of words, "cpu,cpuacct". */
bool procfs_has_word(const char *list, char separator, const char *word);
