/* SPDX-License-Identifier: MIT */
#include "shared.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work/work_file.h"
#include "core/command_words.h"
#include "program.h"

struct work_args shared_args(const struct shared *shared, const struct board_request *request,
			     enum work_kind kind)
{
	return (struct work_args) {
		.size = request->work_size[kind],
		.alloc = request->alloc,
		.io_path = request->io_path,
		.tmp_dir = request->tmp_dir,
		.cache = request->cache,
		.own = shared ? shared->own : NULL,
		.one_file = shared ? shared->file[kind] : 0,
		.mistakes = request->mistakes,
		.shared = shared ? shared->at[kind] : NULL,
		.peers = request->plan.leaves[kind],
		.via = (enum via)request->via,
		.senders = request->senders,
		.receivers = request->receivers,
		.cores = request->pin_count == 0   ? VIA_FREE
			 : request->pin_count == 1 ? VIA_SAME
						   : VIA_TWO,
		.counting = request->counting,
		.one_process = !plan_has(&request->plan, PLAN_PROCESS),
	};
}

/* Populated: no worker's first look shall take a fault that another's did not. */
static int map(struct shared *shared, const struct board_request *request, enum work_kind kind)
{
	const struct workload_ops *ops = workload_get(kind);
	const struct work_args args = shared_args(shared, request, kind);
	size_t bytes = args.peers > 0 && ops->shared_bytes ? ops->shared_bytes(&args) : 0;
	void *at;

	if (bytes == 0)
		return 0;
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE,
		  -1, 0);
	if (at == MAP_FAILED)
		return -errno;
	shared->at[kind] = at;
	shared->bytes[kind] = bytes;
	return 0;
}

int shared_open(struct shared *shared, const struct board_request *request)
{
	int err = 0;

	for (int kind = 0; kind < WORK_KINDS && !err; kind++)
		err = map(shared, request, (enum work_kind)kind);
	if (err)
		shared_close(shared);
	return err;
}

static int make_file(struct shared *shared, const struct board_request *request,
		     enum work_kind kind)
{
	int fd = request->plan.leaves[kind] > 0 ? work_file_unnamed(request->tmp_dir) : 0;

	shared->file[kind] = fd > 0 ? fd : 0;
	return fd < 0 ? fd : 0;
}

int shared_files(struct shared *shared, const struct board_request *request)
{
	int err;

	if (!request->mistakes.share_file)
		return 0;
	err = make_file(shared, request, WORK_IO);
	return err ? err : make_file(shared, request, WORK_WRITE);
}

void shared_close(struct shared *shared)
{
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		if (shared->at[kind])
			munmap(shared->at[kind], shared->bytes[kind]);
		if (shared->file[kind] > 0)
			close(shared->file[kind]);
	}
	memset(shared->at, 0, sizeof(shared->at));
	memset(shared->file, 0, sizeof(shared->file));
}

#define HUGE_PAGE (UINT64_C(2) << 20)

/* It begins at a multiple of a huge page; what lies before stays untouched. */
static char *ballast_map(size_t size)
{
	char *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	return p + (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
}

static void touch(char *p, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t offset = 0; offset < size; offset += page)
		p[offset] = 1;
}

/* Bytes of this process in huge pages, as the kernel has it. */
static uint64_t huge_bytes(void)
{
	uint64_t told = 0, kb = work_smaps_kb("AnonHugePages:", &told);

	return kb == UINT64_MAX ? 0 : kb * 1024;
}

/*
 * Stays mapped until the end: it is what a larger program would have in memory when it forks. In
 * pages of 4 KiB whatever the machine's setting, unless huge ones are asked for, which make a fork
 * 35 times as cheap; a kernel without huge pages does not know the advice.
 */
int ballast_touch(struct scoreboard *board, const char **path)
{
	const struct board_request *request = &board->request;
	char *p;

	*path = NULL;
	if (request->ballast == 0)
		return 0;
	p = ballast_map(request->ballast);
	if (!p)
		return errno;
	madvise(p, request->ballast, request->ballast_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	touch(p, request->ballast);
	board->ballast_at = p;
	if (!request->ballast_huge || huge_bytes() >= request->ballast / HUGE_PAGE * HUGE_PAGE)
		return 0;
	*path = "/sys/kernel/mm/transparent_hugepage/enabled";
	return ENOMEM;
}

static int fail(struct scoreboard *board, int error, uint32_t status)
{
	board->failure_stage = STAGE_COMMAND;
	board->failure_errno = error;
	board->failure_slot = status;
	snprintf(board->failure_path, sizeof(board->failure_path), "%.255s",
		 board->request.prepare_words);
	return -error;
}

/* Without the runner's files and what it ignores or handles. */
static int start(char *const *argv, pid_t *pid)
{
	posix_spawnattr_t attr;
	sigset_t all;
	int error;

	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return error;
}

int prepare_run(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	char *argv[COMMAND_WORDS + 1];
	int status = 0, error;
	pid_t pid;

	if (request->prepare_n == 0)
		return 0;
	program_detach();
	program_list_words(request->prepare_words, request->prepare_n, argv);
	error = start(argv, &pid);
	if (error)
		return fail(board, error, PLAN_ROOT);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(board, errno, PLAN_ROOT);
	if (status == 0)
		return 0;
	return fail(board, ECHILD,
		    WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status)
				      : 128 + (uint32_t)WTERMSIG(status));
}
