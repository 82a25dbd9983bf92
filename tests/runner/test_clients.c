/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "runner/runner.h"
#include "work/work_file.h"

/*
 * Runs the code of the clients in simulated time. This file replaces the clock and the sockets, and
 * simulates the server. The server processes one request after the other, in the order in which
 * they come, each for SERVICE_NS. So queueing theory gives the mean time of a request.
 */

#define SERVICE_NS   1000
#define CLIENTS_MOST 64

static struct {
	uint64_t now_ns, free_ns; /* free_ns: when the server has done all of its requests */
	/* when the reply of each connection comes; UINT64_MAX: it awaits none */
	uint64_t reply_ns[CLIENTS_MOST];
	int connections;
} sim;

static uint64_t sim_now_ns(void)
{
	return sim.now_ns;
}

static int sim_socket(int family, int type, int protocol)
{
	assert_true(sim.connections < CLIENTS_MOST);
	sim.reply_ns[sim.connections] = UINT64_MAX;
	return sim.connections++;
}

static int sim_connect(int fd, const struct sockaddr *address, socklen_t size)
{
	return 0;
}

static int sim_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	return 0;
}

static ssize_t sim_send(int fd, const void *bytes, size_t size, int flags)
{
	sim.free_ns = MAX(sim.free_ns, sim.now_ns) + SERVICE_NS;
	sim.reply_ns[fd] = sim.free_ns;
	return (ssize_t)size;
}

static ssize_t sim_recv(int fd, void *bytes, size_t size, int flags)
{
	if (sim.now_ns < sim.reply_ns[fd]) {
		errno = EAGAIN;
		return -1;
	}
	sim.reply_ns[fd] = UINT64_MAX;
	*(char *)bytes = 'H';
	return (ssize_t)size;
}

#define clock_now_ns sim_now_ns
#define socket	     sim_socket
#define connect	     sim_connect
#define epoll_ctl    sim_epoll_ctl
#define send	     sim_send
#define recv	     sim_recv
#include "../../src/runner/clients.c"
#include "../../src/work/connection.c"

/* Returns the mean latency of the requests, in service times. rate: requests/s; 0: closed loop. */
static double simulate(uint32_t n_clients, double rate, uint64_t requests)
{
	struct load_order order = {
		.serving = {.clients = n_clients,
			    .kept = UINT32_MAX,
			    .rate = (uint32_t)rate,
			    .request = SERVING_REQUEST_LEAST,
			    .reply = SERVING_REPLY_LEAST},
		.requests = (uint64_t)UINT32_MAX * n_clients,
	};
	struct client list[CLIENTS_MOST] = {{.fd = -1}};
	char request[SERVING_REQUEST_LEAST];
	struct clients *clients = calloc(1, sizeof(*clients));
	double mean;

	assert_non_null(clients);
	memset(&sim, 0, sizeof(sim));
	clients->order = &order;
	clients->list = list;
	clients->request = request;
	clients->random = 1795527134;
	while (clients->report.served.requests < requests) {
		uint64_t next_ns = UINT64_MAX;

		for (uint32_t i = 0; i < n_clients; i++)
			begin_requests(clients, &list[i]);
		for (int i = 0; i < sim.connections; i++)
			next_ns = MIN(next_ns, sim.reply_ns[i]);
		if (rate > 0 && clients->next_ns > sim.now_ns)
			next_ns = MIN(next_ns, clients->next_ns);
		sim.now_ns = next_ns;
		for (uint32_t i = 0; i < n_clients; i++)
			if (list[i].state == CLIENT_RECEIVING)
				go_on(clients, &list[i]);
	}
	assert_int_equal(clients->report.served.failed, 0);
	assert_int_equal(clients->report.sheet.n, clients->report.served.requests);
	mean = (double)clients->report.sheet.sum_ns / (double)clients->report.sheet.n / SERVICE_NS;
	free(clients);
	return mean;
}

/*
 * An M/D/1 queue: a request that comes at a random moment to a server with the load rho waits for
 * rho / (2 (1 - rho)) service times (Pollaczek and Khinchine). It waits in the queue of the server
 * or, if all clients are busy, for a client. So the time must be counted from the moment when the
 * request was due, not from when it was sent.
 */
static void an_open_loop_waits_as_theory_says_with_any_number_of_clients(void **state)
{
	static const uint32_t n_clients[] = {1, 4, CLIENTS_MOST};
	static const double loads[] = {0.1, 0.5, 0.8, 0.9};

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		for (size_t n = 0; n < sizeof(n_clients) / sizeof(n_clients[0]); n++) {
			const double rho = loads[i], theory = 1 + rho / (2 * (1 - rho));
			const double mean = simulate(n_clients[n], rho * 1e9 / SERVICE_NS, 400000);

			print_message("load %.1f, %u clients: %.3f service times, theory %.3f\n",
				      rho, n_clients[n], mean, theory);
			assert_true(fabs(mean / theory - 1) < 0.03);
		}
}

/* Little's law: N clients without a pause keep the server busy, and each waits for all of them. */
static void a_closed_loop_takes_a_service_time_for_each_client(void **state)
{
	for (uint32_t n = 1; n <= CLIENTS_MOST; n *= 4) {
		const double mean = simulate(n, 0, 20000);

		print_message("%u clients: %.3f service times\n", n, mean);
		assert_true(fabs(mean / n - 1) < 0.01);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_open_loop_waits_as_theory_says_with_any_number_of_clients),
		cmocka_unit_test(a_closed_loop_takes_a_service_time_for_each_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
