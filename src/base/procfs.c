/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#define STAT_FIRST_SIZE 4096

/*
 * Bytes of one read: enough for smaps_rollup, and for status unless the user has hundreds of
 * groups.
 */
#define FIELDS_CHUNK 4096

static int open_under(const char *root, const char *path)
{
	char full[PATH_MAX];
	int fd;

	if ((size_t)snprintf(full, sizeof(full), "%s/%s", root, path) >= sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

static int open_of_task(const char *root, pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/%s", (int)pid, name);
	return open_under(root, path);
}

static void close_kept(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int procfs_stat_open(struct procfs_stat *stat, const char *root)
{
	int fd = open_under(root, "stat");

	*stat = (struct procfs_stat) {.fd = MAX(fd, -1), .size = STAT_FIRST_SIZE};
	if (fd < 0)
		return fd;
	stat->buf = malloc(stat->size);
	if (stat->buf)
		return 0;
	procfs_stat_close(stat);
	return -ENOMEM;
}

/*
 * Enlarges the buffer until it has the line of every core. Each attempt reads from the start: the
 * kernel makes a new text for every pread(), so parts of two texts would not fit together. Lines
 * after the cores' lines, such as interrupts, are not read.
 */
int procfs_stat_read(struct procfs_stat *stat, struct procfs_core *cores, int max)
{
	int n = 0;

	for (;;) {
		ssize_t got = pread(stat->fd, stat->buf, stat->size - 1, 0);
		char *buf, *line = stat->buf;

		if (got < 0)
			return -errno;
		stat->buf[got] = '\0';
		/*
		 * The text is complete if it has at least a part of the line after the cores ("intr
		 * ...").
		 */
		while (line && !strncmp(line, "cpu", 3)) {
			line = strchr(line, '\n');
			if (line)
				line = line + 1;
			else
				line = NULL;
		}
		if ((size_t)got < stat->size - 1 ||
		    (line && *line && strncmp(line, "cpu", strlen(line))))
			break;
		buf = realloc(stat->buf, stat->size * 2);
		if (!buf)
			return -ENOMEM;
		stat->buf = buf;
		stat->size *= 2;
	}
	/* A line is like "cpu12 2031 0 2078 ...". The line of all cores together has no number. */
	for (const char *line = stat->buf; line;) {
		struct procfs_core *core = &cores[n];
		uint64_t *const times[] = {&core->user,	   &core->nice,	  &core->system,
					   &core->idle,	   &core->iowait, &core->irq,
					   &core->softirq, &core->steal};
		char *at = NULL, *end;
		unsigned long cpu;
		bool whole;

		if (strncmp(line, "cpu", 3) != 0 || n >= max)
			break;
		cpu = strtoul(line + 3, &at, 10);
		whole = line[3] >= '0' && line[3] <= '9' && cpu <= INT_MAX;
		for (size_t i = 0; i < LENGTH(times); i++) {
			if (!whole)
				break;
			*times[i] = strtoull(at, &end, 10);
			whole = end > at;
			at = end;
		}
		if (whole) {
			core->cpu = (int)cpu;
			n++;
		}
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return n;
}

void procfs_stat_close(struct procfs_stat *stat)
{
	close_kept(&stat->fd);
	free(stat->buf);
	stat->buf = NULL;
}

/*
 * DECIMAL: "Name: 123 kB". HEXADECIMAL: a set of signals. LETTER: "Name: Z (zombie)", stored as the
 * code of the letter.
 */
enum form { DECIMAL, HEXADECIMAL, LETTER };

struct procfs_field {
	const char *name;
	int64_t *value;
	enum form form;
};

/*
 * Parses the whole lines of the text. Returns their length in bytes, or the length of the text if
 * no line is complete.
 */
static size_t parse_lines(char *text, size_t size, const struct procfs_field *fields, size_t n)
{
	char *line = text, *end, *behind;
	int64_t number;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		size_t i = 0, len = strcspn(line, ":\n");
		const char *at = line + len + 1;

		*end = '\0';
		while (i < n &&
		       (strlen(fields[i].name) != len || strncmp(line, fields[i].name, len) != 0))
			i++;
		if (i == n || at > end)
			continue;
		/* A set of signals uses all 64 bits, which is too much for strtoll(). */
		if (fields[i].form == HEXADECIMAL)
			number = (int64_t)strtoull(at, &behind, 16);
		else
			number = strtoll(at, &behind, 10);
		if (fields[i].form == LETTER)
			*fields[i].value = at[strspn(at, " \t")];
		else if (behind > at)
			*fields[i].value = number;
	}
	if (line > text)
		return (size_t)(line - text);
	return size;
}

/*
 * Sets every field that the file has, and the others to -1. One pread() is usually enough; a user
 * with many groups needs several. The file of an ended task is empty.
 */
static int read_fields(int fd, const struct procfs_field *fields, size_t n)
{
	char chunk[FIELDS_CHUNK];
	off_t offset = 0;

	for (size_t i = 0; i < n; i++)
		*fields[i].value = -1;
	for (;;) {
		ssize_t got = pread(fd, chunk, sizeof(chunk) - 1, offset);

		if (got < 0)
			return -errno;
		if (!got && !offset)
			return -ESRCH;
		chunk[got] = '\0';
		if ((size_t)got < sizeof(chunk) - 1) {
			parse_lines(chunk, (size_t)got, fields, n);
			return 0;
		}
		offset += (off_t)parse_lines(chunk, (size_t)got, fields, n);
	}
}

int procfs_task_open(struct procfs_task *task, const char *root, pid_t pid)
{
	int fd = open_of_task(root, pid, "status");

	task->pid = pid;
	task->rollup_fd = -1;
	task->status_fd = MAX(fd, -1);
	if (fd == -ENOENT)
		return -ESRCH;
	if (fd < 0)
		return fd;
	return 0;
}

int procfs_task_status(struct procfs_task *task, struct procfs_memory *memory)
{
	int64_t state;
	const struct procfs_field fields[] = {
		{"State", &state, LETTER},	 {"VmRSS", &memory->rss_kb},
		{"RssAnon", &memory->anon_kb},	 {"RssFile", &memory->file_kb},
		{"RssShmem", &memory->shmem_kb}, {"VmPTE", &memory->page_tables_kb},
		{"Threads", &memory->threads},	 {"SigIgn", &memory->ignored, HEXADECIMAL},
	};
	int ret = read_fields(task->status_fd, fields, LENGTH(fields));

	memory->pss_kb = memory->pss_shmem_kb = memory->uss_kb = -1;
	if (ret)
		return ret;
	/*
	 * The state is also Z if the main thread has ended and other threads still run.
	 * memory->threads is above 1 in that case.
	 */
	if ((state == 'Z' || state == 'X') && memory->threads <= 1)
		return -ESRCH;
	return 0;
}

static int open_rollup(struct procfs_task *task, const char *root)
{
	int fd = open_of_task(root, task->pid, "smaps_rollup");
	char byte;

	if (fd < 0) {
		if (pread(task->status_fd, &byte, 1, 0) < 0 && errno == ESRCH)
			return -ESRCH;
		return fd;
	}
	task->rollup_fd = fd;
	return 0;
}

int procfs_task_rollup(struct procfs_task *task, const char *root, struct procfs_memory *memory)
{
	int64_t clean = -1, dirty = -1;
	const struct procfs_field fields[] = {
		{"Rss", &memory->rss_kb},
		{"Pss", &memory->pss_kb},
		{"Pss_Shmem", &memory->pss_shmem_kb},
		{"Private_Clean", &clean},
		{"Private_Dirty", &dirty},
	};
	int ret = 0;

	memory->pss_kb = memory->pss_shmem_kb = memory->uss_kb = -1;
	if (task->rollup_fd < 0)
		ret = open_rollup(task, root);
	if (!ret)
		ret = read_fields(task->rollup_fd, fields, LENGTH(fields));
	if (ret == -ESRCH) {
		/*
		 * The memory that the file described is gone, as after an exec(2). Open the file of
		 * the new memory.
		 */
		close_kept(&task->rollup_fd);
		ret = open_rollup(task, root);
		if (!ret)
			ret = read_fields(task->rollup_fd, fields, LENGTH(fields));
	}
	if (!ret && clean >= 0 && dirty >= 0)
		memory->uss_kb = clean + dirty;
	return ret;
}

void procfs_task_close(struct procfs_task *task)
{
	close_kept(&task->status_fd);
	close_kept(&task->rollup_fd);
}

int procfs_read_text(const char *root, const char *path, char *buf, size_t size)
{
	int fd = open_under(root, path), err = 0;
	size_t used = 0;
	ssize_t n = 1;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	while (n > 0 && used < size) {
		n = read(fd, buf + used, size - used);
		if (n > 0)
			used += (size_t)n;
	}
	if (n < 0)
		err = -errno;
	else if (used == size)
		err = -EFBIG;
	close(fd);
	if (used > 0 && buf[used - 1] == '\n')
		used--;
	buf[err ? 0 : used] = '\0';
	return err;
}

const char *procfs_read_stat(const char *root, const char *path, char *buf, size_t size)
{
	if (procfs_read_text(root, path, buf, size) < 0)
		return NULL;
	return strrchr(buf, ')');
}

const char *procfs_after_key(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (strncmp(text, key, length) == 0)
			return text + length;
	return NULL;
}

bool procfs_has_word(const char *list, char separator, const char *word)
{
	size_t length = strlen(word);
	const char *end;

	for (; *list; list = *end ? end + 1 : end) {
		end = strchrnul(list, separator);
		if ((size_t)(end - list) == length && strncmp(list, word, length) == 0)
			return true;
	}
	return false;
}

int procfs_perf_paranoid(void)
{
	char text[16], *end;
	long level;

	if (procfs_read_text("/proc", "sys/kernel/perf_event_paranoid", text, sizeof(text)) < 0)
		return INT_MIN;
	level = strtol(text, &end, 10);
	if (end > text)
		return (int)level;
	return INT_MIN;
}

bool procfs_own_folder(char *buf, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", buf, size - 1);
	char *slash;

	buf[MAX(n, 0)] = '\0';
	slash = strrchr(buf, '/');
	*(slash ? slash : buf) = '\0';
	return slash != NULL;
}

bool procfs_find_data(const char *name, char path[PATH_MAX])
{
	char dir[PATH_MAX];
	const char *const places[][2] = {{dir, "/man"},
					 {dir, TUIBENCH_TO_DATA "/tuibench"},
					 {TUIBENCH_DATADIR, "/tuibench"}};
	size_t i = 0;

	if (!procfs_own_folder(dir, sizeof(dir)))
		i = 2;
	for (; i < 3; i++) {
		int length = snprintf(path, PATH_MAX, "%s%s/%s", places[i][0], places[i][1], name);

		if (length < PATH_MAX && access(path, R_OK) == 0)
			return true;
	}
	return false;
}
