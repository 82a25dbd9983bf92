/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/connection.h"
#include "work/work_file.h"

/*
 * The clients of a server, all in one loop, so that even a thousand clients use at most one core.
 * Each client has one connection at a time, sends a request, waits for the whole reply, and then
 * takes the next request. A connection is closed after serving.kept requests. With a rate, requests
 * are due at random times, whatever the server does. Latency is measured from the due time, even if
 * no client is free at that time. This avoids coordinated omission (Tene, How NOT to Measure
 * Latency, 2015).
 */

#define CLIENTS_EVENTS 64

enum client_state {
	CLIENT_IDLE, /* the client has no request */
	CLIENT_SENDING,
	CLIENT_RECEIVING,
};

struct client {
	int fd; /* -1: not connected */
	enum client_state state;
	uint32_t left;	   /* requests left on the connection, including the current one */
	uint64_t bytes;	   /* bytes sent or received so far of the current request or reply */
	uint64_t begun_ns; /* when the request began or, with a rate, was due */
};

struct clients {
	const struct load_order *order;
	struct client *list; /* the clients, followed by the idle connections */
	int epoll;
	uint64_t begun, opened; /* number of requests and of connections so far */
	/* begin_ns: beginning of the run. next_ns: time of the next request, with a rate. */
	uint64_t begin_ns, next_ns;
	uint64_t random;
	char *request;
	struct load_report report;
};

static uint64_t ended(const struct clients *clients)
{
	return clients->report.served.requests + clients->report.served.failed;
}

/* A random number in [0, 1). */
static double draw_share(uint64_t *state)
{
	return (double)(work_random(state) >> 11) / (double)(1ull << 53);
}

/*
 * A random number, exponentially distributed with mean 1. Uses only comparisons, because the runner
 * does not link libm: von Neumann, Various techniques used in connection with random digits, 1951.
 */
static double draw_exponential(uint64_t *state)
{
	for (int whole = 0;; whole++) {
		const double first = draw_share(state);
		double last = first, next = draw_share(state);
		int n = 1;

		for (; next < last; n++) {
			last = next;
			next = draw_share(state);
		}
		if (n % 2 == 1)
			return whole + first;
	}
}

/*
 * Closes a connection with a reset, which leaves no port in TIME_WAIT. Without that, a session
 * would soon use up all ports.
 */
static void reset_connection(int *fd)
{
	const struct linger reset = {.l_onoff = 1};

	if (*fd < 0)
		return;
	setsockopt(*fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(*fd);
	*fd = -1;
}

/*
 * Connects. Returns 0 or -errno. Does not wait, because the server's queue has room for every
 * client.
 */
static int connect_client(struct clients *clients, struct client *client)
{
	const struct sockaddr *address = (const struct sockaddr *)clients->order->address;
	struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = client};
	int err = 0;

	client->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (client->fd < 0)
		return -errno;
	if (connect(client->fd, address, clients->order->address_size) && errno != EINPROGRESS)
		err = -errno;
	if (!err && epoll_ctl(clients->epoll, EPOLL_CTL_ADD, client->fd, &event))
		err = -errno;
	if (err)
		reset_connection(&client->fd);
	return err;
}

/*
 * Opens the idle connections. If the server's queue is full, connect(2) waits, and fails after
 * CLIENTS_MOST_NS.
 */
static int open_idle(struct clients *clients)
{
	const struct sockaddr *address = (const struct sockaddr *)clients->order->address;
	const struct timeval most = {.tv_sec = CLIENTS_MOST_NS / 1000000000};
	struct client *idle = clients->list + clients->order->serving.clients;

	for (uint32_t i = 0; i < clients->order->serving.idle; i++) {
		idle[i].fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (idle[i].fd < 0 ||
		    setsockopt(idle[i].fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most)) ||
		    connect(idle[i].fd, address, clients->order->address_size))
			return -errno;
	}
	return 0;
}

/*
 * Counts all remaining requests of the connection as failed, because no connection is opened to
 * replace it.
 */
static void fail_client(struct clients *clients, struct client *client)
{
	clients->begun += client->left - 1;
	clients->report.served.failed += client->left;
	client->state = CLIENT_IDLE;
	client->left = 0;
	reset_connection(&client->fd);
}

static void finish_request(struct clients *clients, struct client *client)
{
	const uint64_t now_ns = clock_now_ns();

	tally_note(&clients->report.sheet, now_ns - client->begun_ns);
	clients->report.served.requests++;
	clients->report.served.span_ns = now_ns - clients->begin_ns;
	client->state = CLIENT_IDLE;
	if (--client->left == 0)
		reset_connection(&client->fd);
}

/* Continues the client's request as far as possible without waiting. */
static void go_on(struct clients *clients, struct client *client)
{
	const struct serving *serving = &clients->order->serving;
	int done = 1;

	if (client->state == CLIENT_SENDING) {
		done = connection_send(client->fd, clients->request, serving->request,
				       &client->bytes);
		if (done > 0)
			client->state = CLIENT_RECEIVING;
	}
	if (client->state == CLIENT_RECEIVING) {
		done = connection_receive(client->fd, 'H', serving->reply, &client->bytes);
		if (done > 0)
			finish_request(clients, client);
	}
	if (done < 0)
		fail_client(clients, client);
}

/*
 * Whether the idle client may take a request now. Its connection must have a request left, or the
 * client must be allowed to open another connection. With a rate, a request must also be due. Each
 * connection has a fixed number of requests.
 */
static bool has_request(const struct clients *clients, const struct client *client)
{
	const struct serving *serving = &clients->order->serving;

	if (client->left == 0 && clients->opened == clients->order->requests / serving->kept)
		return false;
	return serving->rate == 0 || clients->next_ns <= clock_now_ns();
}

static void begin_requests(struct clients *clients, struct client *client)
{
	while (client->state == CLIENT_IDLE && has_request(clients, client)) {
		int err = 0;

		clients->begun++;
		client->begun_ns = clock_now_ns();
		if (clients->order->serving.rate > 0) {
			client->begun_ns = clients->next_ns;
			/*
			 * Draw the time until the next request. Requests are independent of each
			 * other (a Poisson process).
			 */
			clients->next_ns += (uint64_t)(draw_exponential(&clients->random) * 1e9 /
						       clients->order->serving.rate);
		}
		client->state = CLIENT_SENDING;
		if (client->left == 0) {
			client->left = clients->order->serving.kept;
			clients->opened++;
			err = connect_client(clients, client);
		}
		if (err)
			fail_client(clients, client);
		else
			go_on(clients, client);
	}
}

/*
 * Waits for replies, until the next request or until_ns at the latest. Returns the number of
 * events, or -1. Uses ppoll(2) to wait if there is a rate, because epoll_wait(2) waits in steps of
 * a ms, which is too coarse for it.
 */
static int await_replies(const struct clients *clients, uint64_t until_ns,
			 struct epoll_event events[CLIENTS_EVENTS])
{
	const struct load_order *order = clients->order;
	struct pollfd poll_epoll = {.fd = clients->epoll, .events = POLLIN};
	const uint64_t now_ns = clock_now_ns();
	struct timespec most;
	uint64_t ns;

	if (order->serving.rate > 0 && clients->begun < order->requests)
		until_ns = MIN(until_ns, clients->next_ns);
	ns = until_ns - MIN(now_ns, until_ns);
	if (order->serving.rate == 0)
		return epoll_wait(clients->epoll, events, CLIENTS_EVENTS, (int)(ns / 1000000) + 1);
	most = (struct timespec) {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	ppoll(&poll_epoll, 1, &most, NULL);
	return epoll_wait(clients->epoll, events, CLIENTS_EVENTS, 0);
}

static int serve_clients(struct clients *clients)
{
	const struct load_order *order = clients->order;
	const uint64_t until_ns = clients->begin_ns + CLIENTS_MOST_NS;
	struct epoll_event events[CLIENTS_EVENTS];

	while (ended(clients) < order->requests && clock_now_ns() < until_ns) {
		const int n = await_replies(clients, until_ns, events);

		if (n < 0 && errno != EINTR)
			return -errno;
		for (int i = 0; i < n; i++) {
			go_on(clients, events[i].data.ptr);
			begin_requests(clients, events[i].data.ptr);
		}
		for (uint32_t i = 0; i < order->serving.clients; i++)
			if (order->serving.rate > 0)
				begin_requests(clients, &clients->list[i]);
	}
	/* If the time limit was reached, the requests without a reply count as failed. */
	clients->report.served.failed += order->requests - ended(clients);
	return 0;
}

/* Moves the clients to CPUs that the server may not use, if there are any. */
static void leave_cpus(const cpu_set_t *server)
{
	cpu_set_t own, others;

	if (sched_getaffinity(0, sizeof(own), &own))
		return;
	CPU_XOR(&others, &own, server);
	CPU_AND(&others, &others, &own);
	if (CPU_COUNT(&others) > 0)
		sched_setaffinity(0, sizeof(others), &others);
}

/* Writes a request: GET / HTTP/1.1, with a header line that makes it as long as `size`. */
static void write_request(char *request, size_t size)
{
	static const char begin[] = "GET / HTTP/1.1\r\nX: ", end[] = "\r\n\r\n";

	memset(request, 'x', size);
	memcpy(request, begin, strlen(begin));
	memcpy(request + size - strlen(end), end, strlen(end));
}

/* Waits for a byte, see load_go() and load_settle(). */
static int await_go(void)
{
	char byte;

	if (work_file_read(STDIN_FILENO, &byte, 1) != 1)
		return -EPIPE;
	return 0;
}

int clients_run(void)
{
	struct load_order order;
	struct clients clients = {.order = &order, .epoll = epoll_create1(EPOLL_CLOEXEC)};
	uint32_t connections;
	int err = -ENOMEM;

	prctl(PR_SET_NAME, "tuibench-client");
	/*
	 * Die with the runner. Killing the runner's group does not reach the clients, which have
	 * their own session.
	 */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The kernel may delay timers by 50 µs to save energy. Turn that off. */
	prctl(PR_SET_TIMERSLACK, 1);
	if (work_file_read(STDIN_FILENO, &order, sizeof(order)) != sizeof(order) ||
	    order.serving.clients == 0 || order.serving.request < SERVING_REQUEST_LEAST)
		return -EPROTO;
	leave_cpus(&order.server);
	clients.random = MAX(order.seed, 1);
	connections = order.serving.clients + order.serving.idle;
	clients.list = calloc(connections, sizeof(*clients.list));
	clients.request = malloc(order.serving.request);
	if (!clients.list || !clients.request || clients.epoll < 0)
		goto out;
	for (uint32_t i = 0; i < connections; i++)
		clients.list[i].fd = -1;
	write_request(clients.request, order.serving.request);
	err = await_go();
	if (!err && order.serving.idle > 0) {
		err = open_idle(&clients);
		if (!err)
			err = await_go();
	}
	if (!err) {
		clients.begin_ns = clients.next_ns = clock_now_ns();
		for (uint32_t i = 0; i < order.serving.clients; i++)
			begin_requests(&clients, &clients.list[i]);
		err = serve_clients(&clients);
	}
	for (uint32_t i = 0; i < connections; i++)
		reset_connection(&clients.list[i].fd);
	if (!err)
		err = work_file_write(STDOUT_FILENO, &clients.report, sizeof(clients.report));
out:
	free(clients.list);
	free(clients.request);
	if (clients.epoll >= 0)
		close(clients.epoll);
	return err;
}
