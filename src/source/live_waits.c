/* SPDX-License-Identifier: MIT */
#include "live_tasks.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

/* The wait depends on the file in the call's first argument. */
#define BY_FILE -1

/* Some of these calls do not exist on all architectures. */
static const struct {
	int call;
	int wait; /* enum sample_wait, or BY_FILE */
} waiting_calls[] = {
	{SYS_read, BY_FILE},
	{SYS_write, BY_FILE},
	{SYS_readv, BY_FILE},
	{SYS_writev, BY_FILE},
	{SYS_pread64, BY_FILE},
	{SYS_pwrite64, BY_FILE},
	{SYS_fsync, BY_FILE},
	{SYS_fdatasync, BY_FILE},
	{SYS_flock, BY_FILE},
	{SYS_ioctl, BY_FILE},
	{SYS_sendfile, BY_FILE},
	{SYS_splice, BY_FILE},
	{SYS_getdents64, BY_FILE},
	{SYS_fallocate, BY_FILE},
	{SYS_openat, WAIT_FILE},
	{SYS_unlinkat, WAIT_FILE},
	{SYS_mkdirat, WAIT_FILE},
	{SYS_renameat2, WAIT_FILE},
	{SYS_statx, WAIT_FILE},
	{SYS_sync, WAIT_FILE},
	{SYS_syncfs, WAIT_FILE},
	{SYS_execve, WAIT_FILE},
	{SYS_nanosleep, WAIT_SLEEP},
	{SYS_clock_nanosleep, WAIT_SLEEP},
	{SYS_wait4, WAIT_CHILD},
	{SYS_waitid, WAIT_CHILD},
	{SYS_clone, WAIT_CHILD}, /* the number under which vfork() appears */
	{SYS_clone3, WAIT_CHILD},
	{SYS_ppoll, WAIT_EVENTS},
	{SYS_pselect6, WAIT_EVENTS},
	{SYS_epoll_pwait, WAIT_EVENTS},
	{SYS_io_getevents, WAIT_EVENTS},
	{SYS_io_uring_enter, WAIT_EVENTS},
	{SYS_rt_sigsuspend, WAIT_SIGNAL},
	{SYS_rt_sigtimedwait, WAIT_SIGNAL},
	{SYS_connect, WAIT_SOCKET},
	{SYS_accept4, WAIT_SOCKET},
	{SYS_sendto, WAIT_SOCKET},
	{SYS_sendmsg, WAIT_SOCKET},
	{SYS_sendmmsg, WAIT_SOCKET},
	{SYS_recvfrom, WAIT_SOCKET},
	{SYS_recvmsg, WAIT_SOCKET},
	{SYS_recvmmsg, WAIT_SOCKET},
	{SYS_futex, WAIT_LOCK},
#ifdef SYS_accept
	{SYS_accept, WAIT_SOCKET},
#endif
#ifdef SYS_epoll_pwait2
	{SYS_epoll_pwait2, WAIT_EVENTS},
#endif
#ifdef SYS_clock_nanosleep_time64
	{SYS_clock_nanosleep_time64, WAIT_SLEEP},
	{SYS_ppoll_time64, WAIT_EVENTS},
	{SYS_pselect6_time64, WAIT_EVENTS},
	{SYS_futex_time64, WAIT_LOCK},
#endif
#ifdef SYS_poll
	{SYS_open, WAIT_FILE},
	{SYS_stat, WAIT_FILE},
	{SYS_lstat, WAIT_FILE},
	{SYS_unlink, WAIT_FILE},
	{SYS_rename, WAIT_FILE},
	{SYS_mkdir, WAIT_FILE},
	{SYS_rmdir, WAIT_FILE},
	{SYS_vfork, WAIT_CHILD},
	{SYS_poll, WAIT_EVENTS},
	{SYS_epoll_wait, WAIT_EVENTS},
	{SYS_pause, WAIT_SIGNAL},
#endif
#ifdef SYS_select
	{SYS_select, WAIT_EVENTS},
#endif
};

/*
 * Reads a part of a file. The caller frees it. NULL if the file has no such part, or memory is
 * short.
 */
static void *read_file_part(int fd, uint64_t offset, uint64_t size)
{
	enum { MOST = 16 << 20 };
	void *part;

	if (size == 0 || size > MOST || offset > INT64_MAX - MOST)
		return NULL;
	part = malloc(size);
	if (part && pread(fd, part, size, (off_t)offset) == (ssize_t)size)
		return part;
	free(part);
	return NULL;
}

static bool is_native(const ElfW(Ehdr) * elf)
{
	int class = ELFCLASS32;

	if (sizeof(long) == 8)
		class = ELFCLASS64;
	return memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 && elf->e_ident[EI_CLASS] == class &&
	       elf->e_shentsize == sizeof(ElfW(Shdr)) && elf->e_phentsize == sizeof(ElfW(Phdr));
}

/* Finds a symbol in a table of symbols, whose names are in another section. */
static bool find_in_table(int fd, const ElfW(Shdr) * table, const ElfW(Shdr) * text,
			  const char *name, uint64_t *from, uint64_t *size)
{
	ElfW(Sym) *symbols = read_file_part(fd, table->sh_offset, table->sh_size);
	char *names = read_file_part(fd, text->sh_offset, text->sh_size);
	size_t n_symbols = 0;
	bool found = false;

	if (symbols && names)
		n_symbols = table->sh_size / sizeof(*symbols);
	for (size_t k = 0; k < n_symbols; k++) {
		const size_t at = symbols[k].st_name, n = strlen(name) + 1;

		if (at >= text->sh_size || text->sh_size - at < n ||
		    memcmp(names + at, name, n) != 0 || symbols[k].st_shndx == SHN_UNDEF)
			continue;
		*from = symbols[k].st_value;
		*size = symbols[k].st_size;
		found = true;
	}
	free(symbols);
	free(names);
	return found;
}

/*
 * Finds a symbol of a program or library. *from is relative to the address at which the file's
 * beginning is mapped. Returns false if there is no such symbol.
 */
static bool find_symbol(const char *path, const char *name, uint64_t *from, uint64_t *size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ElfW(Ehdr) *elf = read_file_part(fd, 0, sizeof(*elf));
	ElfW(Shdr) *sections = NULL;
	ElfW(Phdr) *parts = NULL;
	unsigned n_sections = 0;
	bool found = false;

	if (elf && is_native(elf)) {
		sections = read_file_part(fd, elf->e_shoff, elf->e_shnum * sizeof(*sections));
		parts = read_file_part(fd, elf->e_phoff, elf->e_phnum * sizeof(*parts));
	}
	if (sections && parts)
		n_sections = elf->e_shnum;
	for (unsigned i = 0; i < n_sections; i++) {
		const ElfW(Shdr) *section = &sections[i];

		if (section->sh_type != SHT_DYNSYM || section->sh_link >= n_sections)
			continue;
		found = find_in_table(fd, section, &sections[section->sh_link], name, from, size);
		if (found)
			break;
	}
	if (found)
		for (unsigned i = 0; i < elf->e_phnum; i++)
			if (parts[i].p_type == PT_LOAD && parts[i].p_offset == 0)
				*from -= parts[i].p_vaddr;
	free(parts);
	free(sections);
	free(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * Whether the address is in a process's _PyRuntime, where Python (3.8 and later) has the GIL of its
 * main interpreter. Looks the range up once for each process.
 */
static bool is_in_python(struct live_tasks *tasks, int32_t pid, uint64_t address)
{
	struct live_python python = {.pid = pid};
	unsigned long begin, offset;
	char path[PATH_MAX + 64], *line = NULL;
	size_t size = 0;
	FILE *maps;
	int at = 0;

	for (size_t i = tasks->n_pythons; i-- > 0;)
		if (tasks->pythons[i].pid == pid)
			return address >= tasks->pythons[i].from && address < tasks->pythons[i].to;
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && python.to == 0 && getline(&line, &size, maps) > 0) {
		uint64_t from, length;

		if (sscanf(line, "%lx-%*x %*s %lx %*s %*s %n", &begin, &offset, &at) != 2 ||
		    offset != 0 || line[at] != '/' || !strstr(strrchr(line, '/'), "python"))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(path, sizeof(path), "/proc/%d/root%s", pid, line + at);
		if (find_symbol(path, "_PyRuntime", &from, &length)) {
			python.from = begin + from;
			python.to = python.from + length;
		}
	}
	free(line);
	if (maps)
		fclose(maps);
	if (array_grow(&tasks->pythons, tasks->n_pythons, &tasks->cap_pythons, sizeof(python)))
		tasks->pythons[tasks->n_pythons++] = python;
	return address >= python.from && address < python.to;
}

/*
 * The wait for a futex. A private futex is identified by its address and process. A futex that
 * processes may share is identified by its address and command: the processes of a command are
 * forks of one another, so they usually have the futex at the same address.
 */
static int wait_of_futex(struct live_tasks *tasks, const struct live_task *task,
			 const uint64_t args[6])
{
	const int what = (int)args[1] & FUTEX_CMD_MASK;
	const bool shared = !(args[1] & FUTEX_PRIVATE_FLAG);
	struct live_lock lock = {task->pid, args[0]};
	const struct live_task *other = NULL;

	if (shared) {
		lock.space = -(int32_t)task->worker - 1;
		other = live_tasks_find(tasks, (int32_t)args[2]);
	}
	/* pthread_join() waits until the kernel clears the thread's number. */
	if (what != FUTEX_LOCK_PI && other && other != task && other->pid == task->pid)
		return WAIT_THREAD;
	/*
	 * Every wait in that range is for the GIL. If the wait has a timeout, the switch interval,
	 * the thread waits to get the GIL. Otherwise it waits for the GIL's mutex, or until another
	 * thread has got the GIL (FORCE_SWITCHING).
	 */
	if (!shared && is_in_python(tasks, task->pid, args[0]))
		return WAIT_GIL;
	for (size_t i = tasks->n_locks; i-- > 0;)
		if (tasks->locks[i].space == lock.space && tasks->locks[i].address == lock.address)
			return WAIT_LOCK + (int)i + 1;
	if (tasks->n_locks == SAMPLE_MOST_LOCKS ||
	    !array_grow(&tasks->locks, tasks->n_locks, &tasks->cap_locks, sizeof(lock)))
		return WAIT_LOCK;
	tasks->locks[tasks->n_locks++] = lock;
	return WAIT_LOCK + (int)tasks->n_locks;
}

/* The wait of a task. syscall: the text of its file /proc/PID/task/TID/syscall. */
static int wait_of(struct live_tasks *tasks, const struct live_task *task, const char *root,
		   const char *syscall)
{
	static const struct {
		const char *begin;
		enum sample_wait wait;
	} kinds[] = {{"pipe:", WAIT_PIPE},	   {"socket:", WAIT_SOCKET},
		     {"anon_inode:", WAIT_EVENTS}, {"/dev/pts/", WAIT_TERMINAL},
		     {"/dev/tty", WAIT_TERMINAL},  {"/", WAIT_FILE}};
	char text[256], path[128], target[32] = "";
	uint64_t args[6], stack;
	const char *state;
	long call;

	/*
	 * The text is "running"; or, in a call, the call's number with its arguments; or, outside a
	 * call or if stopped, "-1", the stack pointer and the program counter.
	 */
	if (sscanf(syscall, "%ld", &call) != 1)
		return 0;
	if (call < 0) {
		if (live_tasks_text(root, task, "stat", text, sizeof(text)) < 0)
			state = NULL;
		else
			state = strrchr(text, ')');
		if (state && strncmp(state, ") D", 3) == 0)
			return WAIT_PAGE;
		return 0;
	}
	if (sscanf(syscall,
		   "%*d %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		   " %" SCNx64,
		   &args[0], &args[1], &args[2], &args[3], &args[4], &args[5], &stack) != 7)
		return 0;
	/* Give no answer for a 32-bit program, which has other system call numbers. */
	if (sizeof(long) == 8 && stack <= UINT32_MAX)
		return 0;
	for (size_t i = 0; i < LENGTH(waiting_calls); i++) {
		if (waiting_calls[i].call != call)
			continue;
		if (waiting_calls[i].wait != BY_FILE) {
			if (waiting_calls[i].wait == WAIT_LOCK)
				return wait_of_futex(tasks, task, args);
			return waiting_calls[i].wait;
		}
		snprintf(path, sizeof(path), "%s/%d/fd/%d", root, task->pid, (int)args[0]);
		if (readlink(path, target, sizeof(target) - 1) < 0)
			return WAIT_OTHER;
		for (size_t k = 0; k < LENGTH(kinds); k++)
			if (strncmp(target, kinds[k].begin, strlen(kinds[k].begin)) == 0)
				return kinds[k].wait;
	}
	return WAIT_OTHER;
}

int live_waits_read(struct live_tasks *tasks, const struct live_task *task, const char *root)
{
	char text[256];

	if (live_tasks_text(root, task, "syscall", text, sizeof(text)) < 0)
		return 0;
	return wait_of(tasks, task, root, text);
}

void live_waits_see(struct live_tasks *tasks, struct live_task *task, int64_t now_ns)
{
	char text[256];
	int wait = 0;

	if (live_tasks_kept(tasks, task, TASK_SYSCALL, text, sizeof(text)) == 0)
		wait = wait_of(tasks, task, "/proc", text);
	if (wait <= 0 || !array_grow(&tasks->sights, tasks->n_sights, &tasks->cap_sights,
				     sizeof(*tasks->sights)))
		return;
	tasks->sights[tasks->n_sights++] =
		(struct live_sight) {now_ns, (uint32_t)(task - tasks->list), task->sight, wait};
	task->sight = (uint32_t)tasks->n_sights;
}
