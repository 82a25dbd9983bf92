/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Parses files of /proc under a root that the caller names ("/proc", or a fixture tree in tests).
 * Descriptors stay open and are read again with pread(), a quarter of the cost of reopening.
 * Functions that return an int return 0 (or a count) or -errno. A field that the kernel does not
 * provide is -1.
 */

/* Value of /proc/sys/kernel/perf_event_paranoid; INT_MIN if it cannot be read. */
int procfs_perf_paranoid(void);

/* One line of /proc/stat, in clock ticks since boot. Source: proc(5). */
struct procfs_core {
	int cpu;
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

/* /proc/stat, kept open. */
struct procfs_stat {
	int fd;
	char *buf; /* grows with the number of cores and is reused */
	size_t size;
};

int procfs_stat_open(struct procfs_stat *stat, const char *root);
/* Fills at most max cores, in ascending order and without offline ones. Returns their number. */
int procfs_stat_read(struct procfs_stat *stat, struct procfs_core *cores, int max);
void procfs_stat_close(struct procfs_stat *stat);

/* The open files of one process. procfs_task_open() fills it; a descriptor not yet open is -1. */
struct procfs_task {
	pid_t pid;
	int status_fd; /* /proc/PID/status: takes no mmap lock, safe while threads are created */
	int rollup_fd; /* /proc/PID/smaps_rollup, opened at first use; takes the mmap lock */
};

/* Memory in KiB; -1 if unknown. */
struct procfs_memory {
	int64_t rss_kb, anon_kb, file_kb, shmem_kb; /* status: VmRSS and its three parts */
	int64_t page_tables_kb;			    /* status: VmPTE */
	int64_t threads;			    /* status: Threads */
	int64_t ignored;			    /* status: SigIgn; bit 0 is signal 1 */
	int64_t pss_kb, pss_shmem_kb, uss_kb;	    /* smaps_rollup; uss = private clean + dirty */
};

/* Returns -ESRCH if there is no such task. */
int procfs_task_open(struct procfs_task *task, const char *root, pid_t pid);
/*
 * Fills the fields from status and sets the others to -1. Returns -ESRCH if the task has ended,
 * reaped or still a zombie.
 */
int procfs_task_status(struct procfs_task *task, struct procfs_memory *memory);
/*
 * Fills rss_kb, pss_kb, pss_shmem_kb and uss_kb and leaves the others. Returns -ESRCH if the task
 * has ended, -EACCES if it belongs to another user. Call it for the first time after an exec,
 * because the kept descriptor belongs to the program that ran at the first call. The process may
 * have ended by that call, and its PID may be in use again. The values belong to the process if
 * procfs_task_status() succeeds afterwards.
 */
int procfs_task_rollup(struct procfs_task *task, const char *root, struct procfs_memory *memory);
void procfs_task_close(struct procfs_task *task);

/*
 * Reads a whole small file under root as one string without its last newline. Returns -EFBIG if the
 * file does not fit. After any error buf is "".
 */
int procfs_read_text(const char *root, const char *path, char *buf, size_t size);
/*
 * Reads a task's stat file into buf. Returns a pointer to the ')' that ends the task's name, which
 * may hold any characters; fields 3 and up of proc_pid_stat(5) follow it. NULL on error.
 */
const char *procfs_read_stat(const char *root, const char *path, char *buf, size_t size);
/* The text after a key that begins a line, such as "MemAvailable:"; NULL if no line does. */
const char *procfs_after_key(const char *text, const char *key);
/* Directory of this program. False, with buf "", if unknown. */
bool procfs_own_folder(char *buf, size_t size);
/*
 * Path of a data file or directory of tuibench. If none is readable, returns false with the path
 * where it would be installed.
 */
bool procfs_find_data(const char *name, char path[PATH_MAX]);
/* Whether word is in a list of words such as "cpu,cpuacct". */
bool procfs_has_word(const char *list, char separator, const char *word);
