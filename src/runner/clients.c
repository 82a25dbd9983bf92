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
#include "work/work_file.h"

/*
 * The clients of a server, all in one loop, so that even a thousand of them use at most one core.
 * Each has one connection at a time. It sends a request, waits for the whole reply and then takes
 * the next request; a connection is closed after its number of requests. With a rate, the time of
 * each request is fixed before the run, and its latency counts from that time, even if no client is
 * free (coordinated omission: Tene, How NOT to Measure Latency, 2015).
 */

#define CLIENTS_EVENTS 64
#define CLIENTS_CHUNK  16384
/* Pause before connecting again if the server's queue is full. */
#define RETRY_NS 1000000

enum client_state {
	CLIENT_IDLE,	/* the client has no request */
	CLIENT_REFUSED, /* the server's queue is full; the client will try to connect again */
	CLIENT_SENDING,
	CLIENT_RECEIVING,
};

struct client {
	int fd; /* -1: not connected */
	enum client_state state;
	uint32_t left;	   /* number of requests of its connection without a reply */
	uint64_t bytes;	   /* bytes sent or received so far of the current request or reply */
	uint64_t begun_ns; /* when its request began */
};

struct clients {
	const struct load_order *order;
	struct client *list;
	int epoll;
	/*
	 * begun: number of requests. opened: number of connections. refused: number of clients in
	 * CLIENT_REFUSED.
	 */
	uint64_t begun, opened, refused;
	/* begin_ns: beginning of the run. next_ns: time of the next request, with a rate. */
	uint64_t begin_ns, next_ns;
	uint64_t random;
	char *request;
	int *idle; /* open connections that send nothing; NULL: none */
	struct load_report report;
};

static uint64_t ended(const struct clients *clients)
{
	return clients->report.served.requests + clients->report.served.failed;
}

/* A random number of at least 0 and below 1. */
static double draw_share(uint64_t *state)
{
	return (double)(work_random(state) >> 11) / (double)(1ull << 53);
}

/*
 * A random number, exponentially distributed with mean 1. It is found by comparisons alone, because
 * the runner does not link libm: von Neumann, Various techniques used in connection with random
 * digits, 1951.
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

/* The time until the next request. Requests are independent of each other (a Poisson process). */
static uint64_t draw_pause_ns(struct clients *clients)
{
	return (uint64_t)(draw_exponential(&clients->random) * 1e9 / clients->order->serving.rate);
}

/*
 * Closes a connection with a reset, which leaves no port in TIME_WAIT. Otherwise a session would
 * soon use up all ports.
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

/* Connects. Returns 0; -EAGAIN if the server's queue is full; -errno. */
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
 * Opens the idle connections. The server accepts them meanwhile; a connection that it does not
 * accept in time is an error.
 */
static int open_idle(struct clients *clients)
{
	const struct sockaddr *address = (const struct sockaddr *)clients->order->address;
	const struct timeval most = {.tv_sec = CLIENTS_MOST_NS / 1000000000};
	int fd;

	for (uint32_t i = 0; i < clients->order->serving.idle; i++) {
		fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0)
			return -errno;
		clients->idle[i] = fd;
		if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most)) ||
		    connect(fd, address, clients->order->address_size))
			return -errno;
	}
	return 0;
}

/*
 * Counts all requests of the client's connection as failed, because the server counts connections.
 */
static void fail_client(struct clients *clients, struct client *client)
{
	clients->begun += client->left - 1;
	clients->report.served.failed += client->left;
	client->state = CLIENT_IDLE;
	client->left = 0;
	reset_connection(&client->fd);
}

/* Continues sending. Returns 1 if all was sent, 0 if it has to wait, or -errno. */
static int send_on(struct clients *clients, struct client *client)
{
	const uint64_t size = clients->order->serving.request;

	while (client->bytes < size) {
		ssize_t n = send(client->fd, clients->request + client->bytes, size - client->bytes,
				 MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (errno == EAGAIN)
				return 0;
			return -errno;
		}
		client->bytes += (uint64_t)n;
	}
	client->bytes = 0;
	client->state = CLIENT_RECEIVING;
	return 1;
}

static int receive_on(struct clients *clients, struct client *client)
{
	const uint64_t size = clients->order->serving.reply;
	char chunk[CLIENTS_CHUNK];

	while (client->bytes < size) {
		ssize_t n = recv(client->fd, chunk, MIN(size - client->bytes, sizeof(chunk)), 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0) {
			if (n < 0)
				return -errno;
			return -ECONNRESET;
		}
		if (client->bytes == 0 && chunk[0] != 'H')
			return -EILSEQ;
		client->bytes += (uint64_t)n;
	}
	client->bytes = 0;
	return 1;
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

/* Continues the client's request until it has to wait. */
static void go_on(struct clients *clients, struct client *client)
{
	int done = 1;

	if (client->state == CLIENT_REFUSED) {
		done = connect_client(clients, client);
		if (done == -EAGAIN)
			return;
		clients->refused--;
		client->state = CLIENT_SENDING;
		if (!done)
			done = 1;
	}
	if (client->state == CLIENT_SENDING && done > 0)
		done = send_on(clients, client);
	if (client->state == CLIENT_RECEIVING && done > 0)
		done = receive_on(clients, client);
	if (done < 0)
		fail_client(clients, client);
	else if (client->state == CLIENT_RECEIVING && done > 0)
		finish_request(clients, client);
}

/*
 * Whether there is a request for the idle client now. Each connection has a fixed number of
 * requests.
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
		clients->begun++;
		client->begun_ns = clock_now_ns();
		if (clients->order->serving.rate > 0) {
			client->begun_ns = clients->next_ns;
			clients->next_ns += draw_pause_ns(clients);
		}
		client->state = CLIENT_SENDING;
		if (client->left == 0) {
			client->left = clients->order->serving.kept;
			client->state = CLIENT_REFUSED;
			clients->opened++;
			clients->refused++;
		}
		go_on(clients, client);
	}
}

/* The time until the next request, attempt to connect, or end of the run. */
static int64_t patience_ns(const struct clients *clients, uint64_t until_ns)
{
	const uint64_t now_ns = clock_now_ns();
	uint64_t next_ns = until_ns;

	if (clients->refused > 0)
		next_ns = MIN(next_ns, now_ns + RETRY_NS);
	if (clients->order->serving.rate > 0 && clients->begun < clients->order->requests)
		next_ns = MIN(next_ns, MAX(clients->next_ns, now_ns));
	if (next_ns > now_ns)
		return (int64_t)(next_ns - now_ns);
	return 0;
}

static int serve_clients(struct clients *clients)
{
	const uint32_t n_clients = clients->order->serving.clients;
	const uint64_t until_ns = clients->begin_ns + CLIENTS_MOST_NS;
	struct pollfd poll_epoll = {.fd = clients->epoll, .events = POLLIN};
	struct epoll_event events[CLIENTS_EVENTS];

	while (ended(clients) < clients->order->requests && clock_now_ns() < until_ns) {
		const int64_t ns = patience_ns(clients, until_ns);
		const struct timespec most = {.tv_sec = ns / 1000000000,
					      .tv_nsec = ns % 1000000000};
		int n;

		/*
		 * If it only waits for replies, epoll_wait() alone is enough, which saves a call.
		 */
		if (clients->order->serving.rate == 0 && clients->refused == 0) {
			n = epoll_wait(clients->epoll, events, CLIENTS_EVENTS,
				       (int)(ns / 1000000) + 1);
		} else {
			ppoll(&poll_epoll, 1, &most, NULL);
			n = epoll_wait(clients->epoll, events, CLIENTS_EVENTS, 0);
		}
		if (n < 0 && errno != EINTR)
			return -errno;
		for (int i = 0; i < n; i++) {
			go_on(clients, events[i].data.ptr);
			begin_requests(clients, events[i].data.ptr);
		}
		for (uint32_t i = 0; i < n_clients; i++) {
			if (clients->refused <= 0)
				break;
			if (clients->list[i].state == CLIENT_REFUSED)
				go_on(clients, &clients->list[i]);
		}
		for (uint32_t i = 0; i < n_clients; i++) {
			if (clients->order->serving.rate <= 0)
				break;
			begin_requests(clients, &clients->list[i]);
		}
	}
	/* The time is over. Requests without a reply count as failed. */
	clients->report.served.failed += clients->order->requests - ended(clients);
	return 0;
}

/* Moves the clients to CPUs that the server does not use, if there are any. */
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

/* Writes a request: GET / HTTP/1.1, with a header line that fills up the size. */
static void write_request(char *request, size_t size)
{
	static const char begin[] = "GET / HTTP/1.1\r\nX: ", end[] = "\r\n\r\n";

	memset(request, 'x', size);
	memcpy(request, begin, strlen(begin));
	memcpy(request + size - strlen(end), end, strlen(end));
}

int clients_run(void)
{
	struct load_order order;
	struct clients clients = {.order = &order, .epoll = epoll_create1(EPOLL_CLOEXEC)};
	char byte;
	int err = -ENOMEM;

	prctl(PR_SET_NAME, "tuibench-client");
	/* Clients are not in the runner's group, which is killed as a whole. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* By default, the kernel may delay timers by 50 µs to save energy. */
	prctl(PR_SET_TIMERSLACK, 1);
	if (work_file_read(STDIN_FILENO, &order, sizeof(order)) != sizeof(order) ||
	    order.serving.clients == 0 || order.serving.request < SERVING_REQUEST_LEAST)
		return -EPROTO;
	leave_cpus(&order.server);
	if (order.seed)
		clients.random = order.seed;
	else
		clients.random = 1;
	clients.list = calloc(order.serving.clients, sizeof(*clients.list));
	clients.request = malloc(order.serving.request);
	clients.idle = malloc(MAX(order.serving.idle, 1) * sizeof(*clients.idle));
	if (clients.list && clients.request && clients.idle && clients.epoll >= 0)
		err = 0;
	if (!err)
		for (uint32_t i = 0; i < order.serving.clients; i++)
			clients.list[i].fd = -1;
	if (!err)
		for (uint32_t i = 0; i < order.serving.idle; i++)
			clients.idle[i] = -1;
	if (!err) {
		write_request(clients.request, order.serving.request);
		/* Waits until the server can accept. */
		if (work_file_read(STDIN_FILENO, &byte, 1) != 1)
			err = -EPIPE;
	}
	if (!err && order.serving.idle > 0) {
		err = open_idle(&clients);
		/* Waits until the server has accepted them and its memory was read. */
		if (!err && work_file_read(STDIN_FILENO, &byte, 1) != 1)
			err = -EPIPE;
	}
	if (!err) {
		clients.begin_ns = clients.next_ns = clock_now_ns();
		for (uint32_t i = 0; i < order.serving.clients; i++)
			begin_requests(&clients, &clients.list[i]);
		err = serve_clients(&clients);
	}
	for (uint32_t i = 0; clients.list; i++) {
		if (i >= order.serving.clients)
			break;
		reset_connection(&clients.list[i].fd);
	}
	for (uint32_t i = 0; clients.idle; i++) {
		if (i >= order.serving.idle)
			break;
		reset_connection(&clients.idle[i]);
	}
	free(clients.list);
	free(clients.idle);
	free(clients.request);
	if (clients.epoll >= 0)
		close(clients.epoll);
	if (err)
		return err;
	return work_file_write(STDOUT_FILENO, &clients.report, sizeof(clients.report));
}
