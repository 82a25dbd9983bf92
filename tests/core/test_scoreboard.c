/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/scoreboard.h"

#define WORKERS 8

static struct scoreboard *make_board(uint32_t tasks, int *fd)
{
	struct board_request request = {.plan = {.levels = 1, .fanout = {tasks}}};
	struct scoreboard *board;

	assert_int_equal(scoreboard_create(&request, &board, fd), 0);
	return board;
}

static void slots_share_no_cache_line(void **state)
{
	int fd;
	struct scoreboard *board = make_board(2, &fd);

	assert_int_equal(sizeof(struct worker_slot) % SCOREBOARD_LINE, 0);
	assert_int_equal((uintptr_t)&board->slot[0] % SCOREBOARD_LINE, 0);
	assert_int_equal(offsetof(struct worker_slot, worker) % SCOREBOARD_LINE, 0);
	scoreboard_close(board);
	close(fd);
}

static void a_new_board_is_empty_and_says_what_it_is(void **state)
{
	int fd;
	struct scoreboard *board = make_board(WORKERS, &fd);
	struct stat st;

	assert_int_equal(board->magic, SCOREBOARD_MAGIC);
	assert_int_equal(board->slots, WORKERS);
	assert_int_equal(board->state, BOARD_SETUP);
	assert_int_equal(board->failure_slot, PLAN_ROOT);
	assert_int_equal(board->slot[WORKERS - 1].state, SLOT_UNUSED);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, scoreboard_size(WORKERS, 0));
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	scoreboard_close(board);
	close(fd);
}

static void every_page_that_both_write_is_there_from_the_start(void **state)
{
	int fd;
	struct scoreboard *board = make_board(5000, &fd);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = (scoreboard_size(5000, 0) + page - 1) / page;
	unsigned char *resident = calloc(pages, 1);

	assert_int_equal(mincore(board, scoreboard_size(5000, 0), resident), 0);
	for (size_t i = offsetof(struct scoreboard, go) / page; i < pages; i++)
		assert_true(resident[i] & 1);
	free(resident);
	scoreboard_close(board);
	close(fd);
}

static void nobody_can_shrink_it_under_the_others(void **state)
{
	int fd;
	struct scoreboard *board = make_board(WORKERS, &fd);

	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(errno, EPERM);
	scoreboard_close(board);
	close(fd);
}

static void a_plan_without_tasks_is_refused(void **state)
{
	struct board_request request = {.plan = {.levels = 0}};
	struct scoreboard *board;
	int fd;

	assert_int_equal(scoreboard_create(&request, &board, &fd), -EOVERFLOW);
}

static void anything_but_a_scoreboard_is_refused(void **state)
{
	int fd;
	struct scoreboard *board = make_board(WORKERS, &fd), *other, *shared;
	int empty = memfd_create("empty", MFD_CLOEXEC);

	assert_int_equal(scoreboard_open(empty, &other), -EPROTO);
	assert_int_equal(ftruncate(empty, (off_t)scoreboard_size(WORKERS, 0)), 0);
	assert_int_equal(scoreboard_open(empty, &other), -EPROTO);
	assert_int_equal(scoreboard_open(-1, &other), -EBADF);

	assert_int_equal(scoreboard_open(fd, &shared), 0);
	shared->version++;
	assert_int_equal(scoreboard_open(fd, &other), -EPROTO);
	shared->version--;
	shared->slots++;
	assert_int_equal(scoreboard_open(fd, &other), -EPROTO);
	/* The request is unchanged in the parent. */
	assert_int_equal(board->slots, WORKERS);
	shared->slots--;
	assert_int_equal(scoreboard_open(fd, &other), 0);
	scoreboard_close(other);
	scoreboard_close(shared);
	scoreboard_close(board);
	close(empty);
	close(fd);
}

static void fill(struct worker_slot *slot, uint64_t value)
{
	slot->start_ns = clock_now_ns();
	slot->result = value;
	slot->finish_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
}

struct filler {
	struct worker_slot *slot;
	uint64_t value;
	pthread_t thread;
};

static void *fill_slot(void *arg)
{
	struct filler *filler = arg;

	fill(filler->slot, filler->value);
	return NULL;
}

/* Spins on the state as a sampler does. The values that the state announces must be valid. */
static void expect(const struct worker_slot *slot, uint64_t value)
{
	while (atomic_load_explicit(&slot->worker, memory_order_acquire) != WORKER_FINISHED)
		sched_yield();
	assert_int_equal(slot->result, value);
	assert_true(slot->start_ns > 0 && slot->start_ns <= slot->finish_ns);
}

static void writes_of_threads_are_visible(void **state)
{
	int fd, i;
	struct scoreboard *board = make_board(WORKERS, &fd);
	struct filler filler[WORKERS];

	for (i = 0; i < WORKERS; i++) {
		filler[i] = (struct filler) {&board->slot[i], 1000 + (uint64_t)i, 0};
		assert_int_equal(pthread_create(&filler[i].thread, NULL, fill_slot, &filler[i]), 0);
	}
	for (i = 0; i < WORKERS; i++)
		expect(&board->slot[i], 1000 + (uint64_t)i);
	for (i = 0; i < WORKERS; i++)
		pthread_join(filler[i].thread, NULL);
	scoreboard_close(board);
	close(fd);
}

/* Forks a child that maps the board itself, as the runner does. */
static pid_t fork_filler(int fd, int i)
{
	struct scoreboard *board;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (scoreboard_open(fd, &board))
		_exit(1);
	scoreboard_await_release(board);
	fill(&board->slot[i], 2000 + (uint64_t)i);
	_exit(0);
}

static void writes_of_processes_before_a_release_are_visible(void **state)
{
	int fd, i, status;
	struct scoreboard *board = make_board(WORKERS, &fd);
	pid_t pid[WORKERS];
	uint64_t released;

	for (i = 0; i < WORKERS; i++) {
		pid[i] = fork_filler(fd, i);
		assert_true(pid[i] > 0);
	}
	released = clock_now_ns();
	scoreboard_release(board);
	for (i = 0; i < WORKERS; i++) {
		expect(&board->slot[i], 2000 + (uint64_t)i);
		assert_true(board->slot[i].start_ns >= released);
		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	scoreboard_close(board);
	close(fd);
}

static void a_wait_ends_when_the_word_differs_or_the_time_is_over(void **state)
{
	int fd;
	struct scoreboard *board = make_board(1, &fd);
	const struct timespec soon = {.tv_nsec = 1000000};

	assert_int_equal(scoreboard_wait(&board->barrier, BARRIER_OPEN, NULL), -EAGAIN);
	assert_int_equal(scoreboard_wait(&board->barrier, BARRIER_CLOSED, &soon), -ETIMEDOUT);
	scoreboard_release(board);
	scoreboard_await_release(board);
	scoreboard_close(board);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_share_no_cache_line),
		cmocka_unit_test(a_new_board_is_empty_and_says_what_it_is),
		cmocka_unit_test(every_page_that_both_write_is_there_from_the_start),
		cmocka_unit_test(nobody_can_shrink_it_under_the_others),
		cmocka_unit_test(a_plan_without_tasks_is_refused),
		cmocka_unit_test(anything_but_a_scoreboard_is_refused),
		cmocka_unit_test(writes_of_threads_are_visible),
		cmocka_unit_test(writes_of_processes_before_a_release_are_visible),
		cmocka_unit_test(a_wait_ends_when_the_word_differs_or_the_time_is_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
