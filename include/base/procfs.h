/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Parses files of /proc under a root that the caller names: "/proc", or a directory with copies of
 * the files in tests. Descriptors stay open and are read again with pread(), which costs a quarter
 * of opening the file again. Functions that return an int return 0 (or a count) or -errno. A field
 * that the kernel does not provide is -1.
 */

/* Value of /proc/sys/kernel/perf_event_paranoid; INT_MIN if it cannot be read. */
int procfs_perf_paranoid(void);

/* One CPU's line of /proc/stat, in clock ticks since boot. Source: proc(5). */
struct procfs_core {
	int cpu;
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
};

/* An open /proc/stat. */
struct procfs_stat {
	int fd;
	char *buf; /* Grows with the number of cores. All readings use the same buffer. */
	size_t size;
};

int procfs_stat_open(struct procfs_stat *stat, const char *root);
/* Fills at most max cores in ascending order, without offline ones. Returns their number. */
int procfs_stat_read(struct procfs_stat *stat, struct procfs_core *cores, int max);
void procfs_stat_close(struct procfs_stat *stat);

/*
 * The open files of one process, set by procfs_task_open(). A descriptor that is not open yet is
 * -1.
 */
struct procfs_task {
	pid_t pid;
	/*
	 * /proc/PID/status. Reading it takes no mmap lock, so it does not delay a process that
	 * creates threads.
	 */
	int status_fd;
	/* /proc/PID/smaps_rollup, opened at first use. Reading it takes the mmap lock. */
	int rollup_fd;
};

/* Memory in KiB; -1 if unknown. */
struct procfs_memory {
	int64_t rss_kb, anon_kb, file_kb, shmem_kb; /* status: VmRSS and its three parts */
	int64_t page_tables_kb;			    /* status: VmPTE */
	int64_t threads;			    /* status: Threads */
	int64_t ignored;			    /* status: SigIgn; bit 0 is signal 1 */
	int64_t pss_kb, pss_shmem_kb,
		uss_kb; /* smaps_rollup; USS is private clean + private dirty. */
};

/* Opens a task's files. Returns -ESRCH if there is no such task. */
int procfs_task_open(struct procfs_task *task, const char *root, pid_t pid);
/*
 * Sets the members that the file status has, and the others to -1. Returns -ESRCH if the task has
 * ended, also if it is a zombie without other threads.
 */
int procfs_task_status(struct procfs_task *task, struct procfs_memory *memory);
/*
 * Sets rss_kb, pss_kb, pss_shmem_kb and uss_kb and leaves the others unchanged. Returns -ESRCH if
 * the task has ended, -EACCES if it belongs to another user. Make the first call after the
 * process's exec: a descriptor opened between vfork(2) and exec would show the memory of the
 * parent. The first call opens the file by PID, and another process may have that PID by then, so
 * use the values only if procfs_task_status() succeeds afterwards.
 */
int procfs_task_rollup(struct procfs_task *task, const char *root, struct procfs_memory *memory);
void procfs_task_close(struct procfs_task *task);

/*
 * Reads a whole small file under root as one string without its last newline. Returns -EFBIG if the
 * file does not fit. Sets buf to "" on any error.
 */
int procfs_read_text(const char *root, const char *path, char *buf, size_t size);
/*
 * Reads a task's stat file into buf. Returns a pointer to the ')' that ends the task's name; fields
 * 3 and up of proc_pid_stat(5) follow it. Parse from there, because the name may have any
 * characters. Returns NULL on error.
 */
const char *procfs_read_stat(const char *root, const char *path, char *buf, size_t size);
/*
 * The text after a key such as "MemAvailable:" at the beginning of a line; NULL if no line begins
 * with the key.
 */
const char *procfs_after_key(const char *text, const char *key);
/*
 * Writes the directory that contains this program. Returns false and sets buf to "" if it is
 * unknown.
 */
bool procfs_own_folder(char *buf, size_t size);
/*
 * Writes the path of a data file or directory of tuibench. If none can be read, writes the path at
 * which it would be installed and returns false.
 */
bool procfs_find_data(const char *name, char path[PATH_MAX]);
/* Whether the word is in a list such as "cpu,cpuacct". */
bool procfs_has_word(const char *list, char separator, const char *word);
