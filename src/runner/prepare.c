/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/own_about.h"
#include "work/work_file.h"

struct work_args shared_args(const struct shared *shared, const struct board_request *request,
			     enum work_kind kind)
{
	struct work_args args = {
		.size = request->work_size[kind],
		.alloc = request->alloc,
		.io_path = request->io_path,
		.tmp_dir = request->tmp_dir,
		.cache = request->cache,
		.mistakes = request->mistakes,
		.peers = request->plan.leaves[kind],
		.via = (enum via)request->via,
		.fibers = request->fibers,
		.senders = request->senders,
		.receivers = request->receivers,
		.cores = VIA_TWO,
		.counting = request->counting,
		.one_process = !plan_has(&request->plan, PLAN_PROCESS),
		.serving = &request->serving,
		.listener = -1,
		.connection = -1,
	};

	if (CPU_COUNT(&request->pin) == 0)
		args.cores = VIA_FREE;
	else if (CPU_COUNT(&request->pin) == 1)
		args.cores = VIA_SAME;
	if (shared) {
		args.own = shared->own;
		args.one_file = shared->file[kind];
		args.shared = shared->at[kind];
	}
	return args;
}

/* Whether all workers of the kind use the same file. */
static bool has_one_file(const struct board_request *request, int kind)
{
	if (kind == WORK_IO || kind == WORK_WRITE)
		return request->mistakes.share_file;
	return (kind == WORK_SERVE || kind == WORK_EVENTS) && request->serving.file > 0;
}

int shared_open(struct shared *shared, const struct board_request *request, const char **path)
{
	*path = NULL;
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		const struct workload_ops *ops = workload_get((enum work_kind)kind);
		const struct work_args args = shared_args(shared, request, (enum work_kind)kind);
		size_t bytes = 0;
		void *at;

		if (args.peers > 0 && ops->shared_bytes)
			bytes = ops->shared_bytes(&args);
		if (bytes == 0)
			continue;
		/*
		 * Fault in all pages. Otherwise the first worker to use a page would have the page
		 * fault, and the others would not.
		 */
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (at == MAP_FAILED)
			return -errno;
		shared->at[kind] = at;
		shared->bytes[kind] = bytes;
	}
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		if (request->plan.leaves[kind] == 0 || !has_one_file(request, kind))
			continue;
		*path = request->tmp_dir;
		shared->file[kind] = work_file_unnamed(request->tmp_dir);
		if (shared->file[kind] < 0)
			return shared->file[kind];
	}
	return 0;
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

/*
 * Maps the ballast and touches all of it. It stays mapped until the end, like the memory of a
 * larger program that forks. Its pages have 4 KiB, whatever the machine's setting, unless the user
 * asks for huge pages, which make a fork 35x as fast. A kernel without huge pages refuses the
 * advice, so ignores that error.
 */
int ballast_touch(struct scoreboard *board, const char **path)
{
	const struct board_request *request = &board->request;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t report_bytes = 0, kb;
	char *p;

	*path = NULL;
	if (request->ballast == 0)
		return 0;
	p = mmap(NULL, request->ballast + HUGE_PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return errno;
	/* Begin the ballast at a multiple of a huge page. Memory before that is not touched. */
	p += (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
	madvise(p, request->ballast, request->ballast_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	for (size_t offset = 0; offset < request->ballast; offset += page)
		p[offset] = 1;
	board->ballast_at = p;
	if (!request->ballast_huge)
		return 0;
	kb = work_smaps_kb("AnonHugePages:", &report_bytes);
	if (kb != UINT64_MAX && kb * 1024 >= request->ballast / HUGE_PAGE * HUGE_PAGE)
		return 0;
	*path = "/sys/kernel/mm/transparent_hugepage/enabled";
	return ENOMEM;
}

#define BLOCK_BYTES ((size_t)1 << 20)

int io_file_make(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	uint64_t seed = 0x9e3779b97f4a7c15u, size = request->work_size[WORK_IO], *block;
	void (*before)(int);
	struct stat st;
	int fd, error = 0;

	if (!request->make_io_file)
		return 0;
	fd = open(request->io_path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (fstat(fd, &st) < 0)
		error = errno;
	if (error || (uint64_t)st.st_size >= size) {
		close(fd);
		return error;
	}
	block = malloc(BLOCK_BYTES);
	if (!block)
		error = ENOMEM;
	board->to_prepare = size;
	/*
	 * SIGXFSZ is ignored now, so exceeding a limit on file sizes is an error of write(2), like
	 * a full disk.
	 */
	before = signal(SIGXFSZ, SIG_IGN);
	for (uint64_t done = 0; done < size;) {
		size_t part = (size_t)MIN(size - done, BLOCK_BYTES);

		if (error)
			break;

		for (size_t i = 0; i < BLOCK_BYTES / sizeof(*block); i++)
			block[i] = work_random(&seed);
		error = -work_file_write(fd, block, part);
		done += part;
		atomic_store_explicit(&board->prepared, done, memory_order_relaxed);
	}
	signal(SIGXFSZ, before);
	free(block);
	/* Empty the incomplete file, because it would take up space on the full disk. */
	if (error)
		(void)!ftruncate(fd, 0);
	close(fd);
	return error;
}

/* Advice on how to fix the error of dlerror(). */
static const char *own_advice(const char *reason)
{
	static const char undefined[] = "undefined symbol: ";
	const char *symbol = strstr(reason, undefined);
	void *libm = symbol ? dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL) : NULL;
	bool of_libm;

	if (!symbol)
		return "it has to be a shared object (cc -shared -fPIC -o mine.so mine.c)";
	of_libm = libm && dlsym(libm, symbol + strlen(undefined));
	if (libm)
		dlclose(libm);
	if (of_libm)
		return "link the library that has it: cc -shared -fPIC -o mine.so mine.c -lm";
	return "link the library that has it: cc -shared -fPIC -o mine.so mine.c -lNAME";
}

int own_load(const char *path, struct work_own *own, char *error, size_t size)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const size_t n = strlen(path);
	const char *reason;
	char said[512];

	*error = '\0';
	if (!object) {
		reason = dlerror();
		/*
		 * Skip the file's name at the beginning of dlerror(), because the line names the
		 * file already.
		 */
		if (reason && strncmp(reason, path, n) == 0 && strncmp(reason + n, ": ", 2) == 0)
			reason += n + 2;
		/* Copy the text, because the next call of dlopen() overwrites it. */
		snprintf(said, sizeof(said), "%s", reason ? reason : "");
		/* If the line is too long, cut the reason and keep the advice. */
		snprintf(error, size, "cannot be loaded: %.*s; %s", (int)size - 120, said,
			 own_advice(said));
		return -EINVAL;
	}
	own->work = dlsym(object, "tuibench_work");
	if (!own->work)
		snprintf(error, size,
			 "does not define tuibench_work (const struct tuibench_work "
			 "tuibench_work = {…}, as the example in tuibench-experiments(7))");
	else if (own->work->abi != TUIBENCH_WORK_ABI)
		snprintf(error, size,
			 "has ABI %u, but this tuibench needs %u: recompile it with the "
			 "tuibench/work.h of this version, and .abi = TUIBENCH_WORK_ABI",
			 own->work->abi, TUIBENCH_WORK_ABI);
	else if (!own->work->run)
		snprintf(error, size,
			 "has a tuibench_work without .run, the function that does the work");
	else if (own->work->size == 0)
		snprintf(error, size,
			 "has a tuibench_work without .size, the default amount of work of a "
			 "worker");
	if (*error)
		return -EINVAL;
	return 0;
}

int own_check(struct scoreboard *board, const struct work_own *own)
{
	uint32_t first = PLAN_ROOT;
	struct plan_node node;

	if (!own->work || !own->work->same_result)
		return 0;
	for (uint32_t i = 0; i < board->slots; i++) {
		plan_node(&board->request.plan, i, &node);
		if (node.work != WORK_OWN)
			continue;
		if (first == PLAN_ROOT)
			first = i;
		if (board->slot[i].result == board->slot[first].result)
			continue;
		board->slot[i].error = EILSEQ;
		return task_fail_run(board, STAGE_WORK, EILSEQ, i, NULL);
	}
	return 0;
}

int own_probe(const char *path, int fd)
{
	struct own_about about = {.size = 0};
	struct work_own own = {.work = NULL};
	int err = own_load(path, &own, about.error, sizeof(about.error));

	if (!err) {
		about.size = own.work->size;
		snprintf(about.name, sizeof(about.name), "%s",
			 own.work->name ? own.work->name : "");
		snprintf(about.unit, sizeof(about.unit), "%s",
			 own.work->unit ? own.work->unit : "");
	}
	if (work_file_write(fd, &about, sizeof(about)) || err)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
