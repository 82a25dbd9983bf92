/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/serving.h"
#include "work/connection.h"

/*
 * The server that serves all connections in one loop. It waits for all of them together (epoll(7)),
 * even while a request waits (-s wait). While it computes for one connection, the others have to
 * wait.
 */

#define LOOP_EVENTS 64

enum connection_stage { CONNECTION_READING, CONNECTION_WAITING, CONNECTION_WRITING };

struct connection {
	int fd;
	enum connection_stage stage;
	uint32_t served; /* Number of replies that were sent on the connection so far. */
	uint64_t bytes; /* bytes of the request that were read, or of the reply that were written */
	uint64_t due_ns;	 /* end of the request's wait */
	struct connection *next; /* Next connection in stage CONNECTION_WAITING. */
	/* mark that records the times of the connection's request; NULL: none */
	struct serving_mark *mark;
	/* The connection's place in the list of all connections. */
	struct connection *after, **link;
};

struct loop {
	const struct work_args *args;
	int epoll, timer;
	/*
	 * Connections in stage CONNECTION_WAITING, in the order in which their waits end.
	 */
	struct connection *first, *last;
	struct connection *all;
	uint64_t served;
};

static void open_connection(struct loop *loop, struct connection *connection, int fd)
{
	connection->fd = fd;
	connection->after = loop->all;
	connection->link = &loop->all;
	if (loop->all)
		loop->all->link = &connection->after;
	loop->all = connection;
}

static void close_connection(struct connection *connection)
{
	*connection->link = connection->after;
	if (connection->after)
		connection->after->link = connection->link;
	close(connection->fd);
	free(connection);
}

/*
 * Sets the timer to the end of the first wait. All waits are equally long, so the first one to
 * begin is the first to end.
 */
static void set_wait_timer(const struct loop *loop)
{
	const uint64_t ns = loop->first ? loop->first->due_ns : 0;
	const struct itimerspec at = {.it_value = {.tv_sec = (time_t)(ns / 1000000000),
						   .tv_nsec = (long)(ns % 1000000000)}};

	timerfd_settime(loop->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void begin_wait(struct loop *loop, struct connection *connection)
{
	connection->stage = CONNECTION_WAITING;
	connection->due_ns = clock_now_ns() + loop->args->serving->wait_ns;
	connection->next = NULL;
	if (loop->first) {
		loop->last->next = connection;
		loop->last = connection;
		return;
	}
	loop->first = loop->last = connection;
	set_wait_timer(loop);
}

/*
 * Continues a connection until it has to wait, and closes it at its end. Returns 0 or the error of
 * serve_compute().
 */
static int advance(struct loop *loop, struct connection *connection)
{
	const struct serving *serving = loop->args->serving;
	int done = 1, err = 0;

	while (done == 1 && !err) {
		switch (connection->stage) {
		case CONNECTION_READING:
			done = connection_receive(connection->fd, 'G', serving->request,
						  &connection->bytes);
			if (done < 1)
				break;
			connection->mark = serve_begin_mark(loop->args);
			err = serve_compute(loop->args);
			connection->stage = CONNECTION_WRITING;
			if (serving->wait_ns > 0)
				begin_wait(loop, connection);
			break;
		case CONNECTION_WAITING:
			return 0;
		case CONNECTION_WRITING:
			done = connection_send(connection->fd, loop->args->shared, serving->reply,
					       &connection->bytes);
			if (done < 1)
				break;
			serve_end_mark(connection->mark);
			loop->served++;
			connection->stage = CONNECTION_READING;
			if (++connection->served == serving->kept)
				done = -EPIPE;
			break;
		}
	}
	if (done < 0 || err)
		close_connection(connection);
	return err;
}

/* Serves the connections whose request has waited long enough. */
static int end_waits(struct loop *loop)
{
	const uint64_t now_ns = clock_now_ns();
	struct connection *connection;
	int err = 0;

	while (!err && (connection = loop->first)) {
		if (connection->due_ns > now_ns)
			break;
		loop->first = connection->next;
		connection->stage = CONNECTION_WRITING;
		err = advance(loop, connection);
	}
	set_wait_timer(loop);
	return err;
}

/*
 * Accepts all connections that are pending at the listener. Returns 0; -ESHUTDOWN if the clients
 * are done; -errno.
 */
static int accept_all(struct loop *loop)
{
	struct connection *connection;
	struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET};
	int err = 0, fd;

	while (!err) {
		fd = connection_accept(loop->args->listener, SOCK_NONBLOCK);
		if (fd == -EAGAIN)
			return 0;
		if (fd < 0)
			return fd;
		connection = calloc(1, sizeof(*connection));
		if (!connection) {
			close(fd);
			return -ENOMEM;
		}
		open_connection(loop, connection, fd);
		event.data.ptr = connection;
		if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event))
			return -errno;
		err = advance(loop, connection);
		serve_note_ready(loop->args);
	}
	return err;
}

/*
 * Runs the loop. Handles events of connections before ended waits: handling a wait may free a
 * connection, and that connection may also have an event.
 */
static int run_loop(struct loop *loop)
{
	struct epoll_event events[LOOP_EVENTS];
	int err = 0, n;

	while (!err) {
		bool is_due = false, has_new = false, is_shut = false;
		uint64_t times;

		n = epoll_wait(loop->epoll, events, LOOP_EVENTS, -1);
		if (n < 0 && errno != EINTR)
			return -errno;
		for (int i = 0; i < n; i++) {
			void *of = events[i].data.ptr;

			if (err)
				break;
			if (of == &loop->timer)
				is_due = true;
			else if (of == loop)
				has_new = true;
			else
				err = advance(loop, of);
			/*
			 * Check for the shutdown here, because accept(2) on a Unix socket that was
			 * shut down returns only EAGAIN.
			 */
			is_shut |= of == loop && events[i].events & EPOLLHUP;
		}
		if (is_due && !err) {
			(void)!read(loop->timer, &times, sizeof(times));
			err = end_waits(loop);
		}
		if (has_new && !err) {
			if (is_shut)
				err = -ESHUTDOWN;
			else
				err = accept_all(loop);
		}
	}
	if (err == -ESHUTDOWN)
		return 0;
	return err;
}

static int run_events(const struct work_args *args, struct work_result *result)
{
	struct loop loop = {.args = args, .epoll = -1, .timer = -1};
	struct epoll_event listens = {.events = EPOLLIN | EPOLLEXCLUSIVE, .data.ptr = &loop};
	struct epoll_event ticks = {.events = EPOLLIN, .data.ptr = &loop.timer};
	int err = 0;

	*result = (struct work_result) {.value = 0};
	loop.epoll = epoll_create1(EPOLL_CLOEXEC);
	loop.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (loop.epoll < 0 || loop.timer < 0 ||
	    epoll_ctl(loop.epoll, EPOLL_CTL_ADD, args->listener, &listens) ||
	    epoll_ctl(loop.epoll, EPOLL_CTL_ADD, loop.timer, &ticks))
		err = -errno;
	serve_note_ready(args);
	if (!err)
		err = run_loop(&loop);
	result->value = loop.served;
	while (loop.all)
		close_connection(loop.all);
	if (loop.timer >= 0)
		close(loop.timer);
	if (loop.epoll >= 0)
		close(loop.epoll);
	return err;
}

const struct workload_ops work_events_ops = {
	.about = "serve all in one event loop (-s work, -s wait, -s file)",
	.unit = "requests",
	.shared_bytes = serve_shared_bytes,
	.prepare = serve_prepare,
	.run = run_events,
};
