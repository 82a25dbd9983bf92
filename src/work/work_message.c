/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "work/work_file.h"

/*
 * Groups of senders and receivers, as in hackbench: each sender writes to each receiver of its
 * group in turn. A receiver checks that every message of every sender arrives once, in order.
 */

/*
 * Number of messages between two checks for an absence from the core, because a check takes a µs or
 * two.
 */
#define LOOK 256

/*
 * All messages have the same size and layout: the sender, the number of the message, and fixed
 * content.
 */
struct message {
	uint32_t sender, number;
	unsigned char rest[WORK_MESSAGE_BYTES - 8];
};

_Static_assert(sizeof(struct message) == WORK_MESSAGE_BYTES, "no padding");

/* The descriptors of a group, in shared memory, indexed by receiver. */
struct message_group {
	int32_t to[WORK_MESSAGE_MOST], from[WORK_MESSAGE_MOST];
};

static uint32_t group_size(const struct work_args *args)
{
	return args->senders + args->receivers;
}

static int send_all(const struct work_args *args, const struct message_group *group, uint64_t *done)
{
	struct message message = {.sender = args->index % group_size(args)};
	int err;

	memset(message.rest, 'm', sizeof(message.rest));
	for (; message.number < args->size; message.number++) {
		for (uint32_t i = 0; i < args->receivers; i++) {
			err = work_file_write(group->to[i], &message, sizeof(message));
			if (err)
				return err;
			*done += 1;
			if (*done % LOOK == 0)
				work_tick(args->ticker, 1);
		}
	}
	return 0;
}

static int receive_all(const struct work_args *args, int from, uint64_t *done)
{
	uint32_t next[WORK_MESSAGE_MOST] = {0};
	struct message message;

	while (*done < args->senders * args->size) {
		ssize_t n = work_file_read(from, &message, sizeof(message));

		if (n != sizeof(message)) {
			if (n < 0)
				return (int)n;
			return -EPIPE;
		}
		/* The message must be the next one of its sender, with unchanged content. */
		if (!(message.sender < args->senders && message.number == next[message.sender]++ &&
		      message.rest[0] == 'm' && message.rest[sizeof(message.rest) - 1] == 'm'))
			return -EILSEQ;
		if (++*done % LOOK == 0)
			work_tick(args->ticker, 1);
	}
	return 0;
}

static int run_message(const struct work_args *args, struct work_result *result)
{
	const struct message_group *groups = args->shared;
	const struct message_group *group = &groups[args->index / group_size(args)];
	uint32_t place = args->index % group_size(args);

	*result = (struct work_result) {.value = 0};
	if (place < args->senders)
		return send_all(args, group, &result->value);
	return receive_all(args, group->from[place - args->senders], &result->value);
}

static size_t shared_bytes_message(const struct work_args *args)
{
	return (args->peers / group_size(args) + 1) * sizeof(struct message_group);
}

/* Opens a channel for each receiver. Refuses an incomplete group, which would wait forever. */
static int prepare_message(const struct work_args *args, struct work_result *result)
{
	struct message_group *groups = args->shared;
	int fds[2], err;

	(void)result;
	if (args->peers % group_size(args) || (args->via != VIA_PIPE && args->via != VIA_SOCKET))
		return -EINVAL;
	for (uint32_t i = 0; i < args->peers / group_size(args) * args->receivers; i++) {
		if (args->via == VIA_PIPE)
			err = pipe2(fds, O_CLOEXEC);
		else
			err = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds);
		if (err)
			return -errno;
		groups[i / args->receivers].from[i % args->receivers] = fds[0];
		groups[i / args->receivers].to[i % args->receivers] = fds[1];
	}
	return 0;
}

const struct workload_ops work_message_ops = {
	.about = "send messages of 100 bytes (-s group)",
	.amount = "MESSAGES from each sender to each receiver",
	.unit = "messages",
	.default_size = 2500,
	.most_size = 1u << 30,
	.ticks = true,
	.talks = true,
	.shared_bytes = shared_bytes_message,
	.prepare = prepare_message,
	.run = run_message,
};
