/* SPDX-License-Identifier: MIT */
#include "shared.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work/work_file.h"

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
