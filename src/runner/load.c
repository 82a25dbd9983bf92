/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/work_file.h"

/*
 * The kernel reduces this to net.core.somaxconn. The front end refuses more clients than that
 * limit.
 */
#define BACKLOG 65535

/* Makes an unused address: port 0 of the loopback interface, or an abstract Unix socket name. */
static socklen_t any_address(enum via via, struct sockaddr_storage *address)
{
	struct sockaddr_in *in = (struct sockaddr_in *)address;

	memset(address, 0, sizeof(*address));
	if (via == VIA_UNIX) {
		address->ss_family = AF_UNIX;
		return sizeof(sa_family_t);
	}
	in->sin_family = AF_INET;
	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof(*in);
}

/* Listens at the address, and sets it to the actual one. Returns the descriptor or -errno. */
static int listen_at(struct sockaddr_storage *address, socklen_t *size, bool shared, int flags)
{
	const int on = 1;
	int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | flags, 0), err;
	bool fails;

	if (fd < 0)
		return -errno;
	fails = shared && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
	/*
	 * Accepted connections inherit this option. Without it, a reply could wait for an
	 * acknowledgement.
	 */
	if (address->ss_family == AF_INET)
		fails |= setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0;
	fails = fails || bind(fd, (struct sockaddr *)address, *size) || listen(fd, BACKLOG);
	*size = sizeof(*address);
	if (!fails && !getsockname(fd, (struct sockaddr *)address, size))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int open_listeners(struct load *load, const struct board_request *request,
			  struct load_order *order)
{
	const uint32_t loops = request->plan.leaves[WORK_EVENTS];
	const bool shared = loops > 1 && request->via == VIA_TCP;
	struct sockaddr_storage address;
	socklen_t size = any_address((enum via)request->via, &address);
	int fd;

	load->listeners = calloc(shared ? loops : 1, sizeof(*load->listeners));
	if (!load->listeners)
		return -ENOMEM;
	while (load->n < (shared ? loops : 1)) {
		fd = listen_at(&address, &size, shared, loops > 0 ? SOCK_NONBLOCK : 0);
		if (fd < 0)
			return fd;
		load->listeners[load->n++] = fd;
	}
	if (address.ss_family == AF_INET)
		load->port = ntohs(((const struct sockaddr_in *)&address)->sin_port);
	order->address_size = (uint32_t)size;
	memcpy(order->address, &address, size);
	return 0;
}

static int start_clients(struct load *load, const char *program, const struct load_order *order)
{
	char *argv[] = {(char *)program, (char *)"--clients", NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int go[2], report[2], err;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(report, O_CLOEXEC)) {
		err = -errno;
		close(go[0]);
		close(go[1]);
		return err;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, go[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, report[1], STDOUT_FILENO);
	/*
	 * The clients get a session of their own. With autogroups (sched(7)), a server and clients
	 * of one session would have to share one group's part of the CPU.
	 */
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID);
	err = -posix_spawn(&load->clients, program, &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	close(go[0]);
	close(report[1]);
	load->go_fd = go[1];
	load->report_fd = report[0];
	if (err) {
		load->clients = 0;
		return err;
	}
	return work_file_write(load->go_fd, order, sizeof(*order));
}

int load_open(struct load *load, const struct board_request *request, const char *program)
{
	struct load_order order = {.serving = request->serving,
				   .requests = request->plan.tasks,
				   .seed = clock_now_ns(),
				   .server = request->pin};
	int err;

	*load = (struct load) {.go_fd = -1, .report_fd = -1};
	if (!plan_serves(&request->plan))
		return 0;
	/* If the clients have died, write(2) should fail instead of killing the runner. */
	signal(SIGPIPE, SIG_IGN);
	err = open_listeners(load, request, &order);
	if (err)
		return err;
	return start_clients(load, program, &order);
}

/*
 * PSS of the runner and its worker processes in KiB, without the memory that is shared with the
 * front end. UINT64_MAX: the PSS of some process is unknown.
 */
static uint64_t read_pss_kb(struct scoreboard *board)
{
	const struct plan *plan = &board->request.plan;
	uint64_t sum_kb, report_bytes = 0;

	sum_kb = work_smaps_pss_kb(getpid(), &report_bytes);
	for (uint32_t i = 0; i < board->slots; i++) {
		const struct worker_slot *slot = &board->slot[i];
		struct plan_node node;
		uint64_t kb = 0;

		plan_node(plan, i, &node);
		if (node.task == PLAN_PROCESS && atomic_load(&slot->state) == SLOT_CREATED)
			kb = work_smaps_pss_kb(slot->pid, &report_bytes);
		if (kb == UINT64_MAX || sum_kb == UINT64_MAX) {
			sum_kb = UINT64_MAX;
			break;
		}
		sum_kb += kb;
	}
	atomic_fetch_add(&board->report_bytes, report_bytes);
	return sum_kb;
}

/* Pause between two checks of board->ready. */
static const struct timespec settle_pause = {.tv_nsec = 1000000};

/*
 * Waits until board->ready is at least `wanted`. Returns false if the run or any child ended, or
 * CLIENTS_MOST_NS passed.
 */
static bool await_ready(struct scoreboard *board, uint32_t wanted)
{
	const uint64_t until_ns = clock_now_ns() + CLIENTS_MOST_NS;

	while (atomic_load(&board->ready) < wanted) {
		siginfo_t ended = {.si_pid = 0};

		/* Check for an ended child: the clients, or a worker that was not joined yet. */
		waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
		if (ended.si_pid != 0 || barrier_called_off(board) || clock_now_ns() > until_ns)
			return false;
		nanosleep(&settle_pause, NULL);
	}
	return true;
}

/* Number of workers that must be ready to accept before the first connection is opened. */
static uint32_t accepting_workers(const struct board_request *request)
{
	if (plan_creates_each(&request->plan))
		return 0;
	return plan_leaves(&request->plan);
}

/*
 * Sends the clients a byte. Closing the pipe would not be enough, because workers may have
 * inherited it. last: the clients wait for no further byte, so also closes the pipe.
 */
static void send_go(struct load *load, bool last)
{
	if (load->go_fd < 0)
		return;
	(void)!write(load->go_fd, "g", 1);
	if (!last)
		return;
	close(load->go_fd);
	load->go_fd = -1;
}

void load_go(struct load *load, struct scoreboard *board)
{
	const struct board_request *request = &board->request;

	board->marks.every = request->plan.tasks / SERVING_MARKS + 1;
	if (request->serving.idle > 0) {
		await_ready(board, accepting_workers(request));
		board->before_pss_kb = read_pss_kb(board);
	}
	send_go(load, request->serving.idle == 0);
}

void load_settle(struct load *load, struct scoreboard *board)
{
	const struct board_request *request = &board->request;

	if (request->serving.idle == 0)
		return;
	if (await_ready(board, accepting_workers(request) + request->serving.idle)) {
		board->idle_pss_kb = read_pss_kb(board);
		send_go(load, true);
	} else if (load->clients > 0) {
		kill(load->clients, SIGKILL);
	}
}

int load_listener(const struct load *load, uint32_t worker)
{
	return load->listeners[worker % load->n];
}

void load_shut(const struct load *load)
{
	for (uint32_t i = 0; i < load->n; i++)
		shutdown(load->listeners[i], SHUT_RDWR);
}

int load_close(struct load *load, struct scoreboard *board)
{
	struct load_report report;
	struct rusage usage;
	bool whole;
	pid_t pid;

	if (load->n == 0)
		return 0;
	/* The clients still wait for the byte that lets them begin, so end them. */
	if (load->go_fd >= 0) {
		if (load->clients > 0)
			kill(load->clients, SIGKILL);
		close(load->go_fd);
	}
	whole = load->report_fd >= 0 &&
		work_file_read(load->report_fd, &report, sizeof(report)) == sizeof(report);
	do {
		if (load->clients > 0)
			pid = wait4(load->clients, NULL, 0, &usage);
		else
			pid = 0;
	} while (pid < 0 && errno == EINTR);
	if (pid > 0)
		board->totals.drain_us = clock_us(usage.ru_utime) + clock_us(usage.ru_stime);
	if (whole) {
		board->served = report.served;
		tally_merge(&board->tally, &report.sheet);
	}
	load_shut(load);
	for (uint32_t i = 0; i < load->n; i++)
		close(load->listeners[i]);
	if (load->report_fd >= 0)
		close(load->report_fd);
	free(load->listeners);
	load->n = 0;
	if (whole)
		return 0;
	return -EPIPE;
}
