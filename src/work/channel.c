/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/scoreboard.h"
#include "work/work_file.h"

struct channel_ops {
	int (*open)(struct channel *channel);
	/* Called by each worker before either side sends; NULL: nothing to do. */
	int (*ready)(void);
	int (*send)(struct channel_end *end, uint32_t number);
	int (*receive)(struct channel_end *end, uint32_t *number);
};

static int other(const struct channel_end *end)
{
	return 1 - end->side;
}

static int open_pipes(struct channel *channel)
{
	int fds[2];

	for (int side = 0; side < 2; side++) {
		if (pipe2(fds, O_CLOEXEC))
			return -errno;
		channel->to[side] = fds[1];
		channel->from[1 - side] = fds[0];
	}
	return 0;
}

static int open_sockets(struct channel *channel)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	for (int side = 0; side < 2; side++)
		channel->to[side] = channel->from[side] = fds[side];
	return 0;
}

static int send_bytes(struct channel_end *end, uint32_t number)
{
	return work_file_write(end->channel->to[end->side], &number, sizeof(number));
}

static int receive_bytes(struct channel_end *end, uint32_t *number)
{
	ssize_t n = work_file_read(end->channel->from[end->side], number, sizeof(*number));

	if (n < 0)
		return (int)n;
	if (n == sizeof(*number))
		return 0;
	return -EPIPE;
}

static int open_events(struct channel *channel)
{
	for (int side = 0; side < 2; side++) {
		int fd = eventfd(0, EFD_CLOEXEC);

		if (fd < 0)
			return -errno;
		channel->to[side] = channel->from[1 - side] = fd;
	}
	return 0;
}

static int send_event(struct channel_end *end, uint32_t number)
{
	uint64_t value = number;

	return work_file_write(end->channel->to[end->side], &value, sizeof(value));
}

/*
 * Receives a number. The other side sends the next number only after this one was read, so the
 * counter holds a single number.
 */
static int receive_event(struct channel_end *end, uint32_t *number)
{
	uint64_t value = 0;
	ssize_t n = work_file_read(end->channel->from[end->side], &value, sizeof(value));

	*number = (uint32_t)value;
	if (n < 0)
		return (int)n;
	return 0;
}

static int send_word(struct channel_end *end, uint32_t number)
{
	atomic_store_explicit(&end->channel->side[other(end)].word, number, memory_order_release);
	return 0;
}

static uint32_t read_word(const struct channel_end *end)
{
	return atomic_load_explicit(&end->channel->side[end->side].word, memory_order_acquire);
}

static int send_futex(struct channel_end *end, uint32_t number)
{
	send_word(end, number);
	scoreboard_wake(&end->channel->side[other(end)].word);
	return 0;
}

static int receive_futex(struct channel_end *end, uint32_t *number)
{
	int err = 0;

	while ((*number = read_word(end)) == end->newest &&
	       (!err || err == -EAGAIN || err == -EINTR))
		err = scoreboard_wait(&end->channel->side[end->side].word, end->newest, NULL);
	if (*number == end->newest)
		return err;
	return 0;
}

static int receive_word(struct channel_end *end, uint32_t *number)
{
	while ((*number = read_word(end)) == end->newest) {
		if (end->yields)
			sched_yield();
#if defined(__x86_64__) || defined(__i386__)
		else
			__builtin_ia32_pause();
#elif defined(__aarch64__)
		else
			__asm__ volatile("yield");
#endif
	}
	return 0;
}

static void signal_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGRTMIN);
}

/*
 * Blocks the signal, before the other side can send it. receive_signal() waits for it, so it needs
 * no handler.
 */
static int block_signal(void)
{
	sigset_t set;

	signal_set(&set);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	return 0;
}

/* Sends the signal to one task. The same call works for a thread and for a process. */
static int send_signal(struct channel_end *end, uint32_t number)
{
	const struct channel *channel = end->channel;
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_code = SI_QUEUE;
	info.si_pid = channel->pid[end->side];
	info.si_uid = getuid();
	info.si_value.sival_int = (int)number;
	if (syscall(SYS_rt_tgsigqueueinfo, channel->pid[other(end)], channel->tid[other(end)],
		    SIGRTMIN, &info) < 0)
		return -errno;
	return 0;
}

static int receive_signal(struct channel_end *end, uint32_t *number)
{
	siginfo_t info;
	sigset_t set;

	signal_set(&set);
	while (sigwaitinfo(&set, &info) < 0)
		if (errno != EINTR)
			return -errno;
	*number = (uint32_t)info.si_value.sival_int;
	return 0;
}

/*
 * Receives a number from another fiber, and lets the other fibers of the thread run meanwhile. If a
 * fiber has failed, returns an error, because the number may never come.
 */
static int receive_fiber(struct channel_end *end, uint32_t *number)
{
	while ((*number = read_word(end)) == end->newest) {
		if (end->fibers->err)
			return -ECANCELED;
		fiber_ring_next(end->fibers);
	}
	return 0;
}

static const struct channel_ops channel_ways[VIAS] = {
	[VIA_PIPE] = {.open = open_pipes, .send = send_bytes, .receive = receive_bytes},
	[VIA_SOCKET] = {.open = open_sockets, .send = send_bytes, .receive = receive_bytes},
	[VIA_EVENTFD] = {.open = open_events, .send = send_event, .receive = receive_event},
	[VIA_FUTEX] = {.send = send_futex, .receive = receive_futex},
	[VIA_SIGNAL] = {.ready = block_signal, .send = send_signal, .receive = receive_signal},
	[VIA_MEMORY] = {.send = send_word, .receive = receive_word},
	[VIA_UCONTEXT] = {.send = send_word, .receive = receive_fiber},
};

int channel_open(struct channel *channel, enum via via)
{
	if (channel_ways[via].open)
		return channel_ways[via].open(channel);
	return 0;
}

int channel_meet(struct channel_end *end, struct channel *channel, const struct work_args *args)
{
	int side = (int)(args->index % 2), err;

	*end = (struct channel_end) {.channel = channel,
				     .side = side,
				     .yields = args->cores != VIA_TWO,
				     .ops = &channel_ways[args->via]};
	channel->pid[side] = args->pid;
	channel->tid[side] = args->tid;
	if (end->ops->ready)
		err = end->ops->ready();
	else
		err = 0;
	if (err)
		return err;
	if (atomic_fetch_add(&channel->ready, 1) == 1)
		scoreboard_wake(&channel->ready);
	while (atomic_load(&channel->ready) == 1 && (!err || err == -EAGAIN || err == -EINTR))
		err = scoreboard_wait(&channel->ready, 1, NULL);
	if (atomic_load(&channel->ready) == 1)
		return err;
	return 0;
}

void channel_between(struct channel_end *end, struct channel *channel, int side,
		     struct fiber_ring *fibers)
{
	*end = (struct channel_end) {.channel = channel,
				     .side = side,
				     .fibers = fibers,
				     .ops = &channel_ways[VIA_UCONTEXT]};
}

int channel_send(struct channel_end *end, uint32_t number)
{
	return end->ops->send(end, number);
}

int channel_receive(struct channel_end *end, uint32_t *number)
{
	int err = end->ops->receive(end, number);

	end->newest = *number;
	return err;
}
