/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error_line.h" /* musl has no strerrorname_np() */
#include "base/units.h"
#include "core/plan.h"
#include "work/work_own.h"
#include "live_spawn.h"

/*
 * Adds up the steps. Leaves all values unset if the work counts no steps, or if a worker has not
 * reported its steps.
 */
static void total_steps(const struct live_run *run, struct sample_totals *totals)
{
	const struct plan *plan = &run->board->request.plan;
	/*
	 * In processes that have several threads, each thread would also count the copies of its
	 * siblings.
	 */
	bool copied = !plan_has(plan, PLAN_THREAD) || !plan_has(plan, PLAN_PROCESS);
	/*
	 * sum: steps of all workers together, from the beginning of the first to the end of the
	 * last. rates: steps per ns of each worker.
	 */
	struct work_steps sum = {.begin_ns = UINT64_MAX};
	uint64_t workers = 0;
	double rates = 0, squares = 0;
	enum work_kind kind = plan_step(plan);
	struct plan_node node;

	if (kind == WORK_KINDS)
		return;
	for (uint32_t i = 0; i < run->n; i++) {
		const struct work_steps *steps = &run->board->slot[i].steps;
		double rate;

		plan_node(plan, i, &node);
		if (node.children > 0 || node.work != kind)
			continue;
		if (steps->begin_ns == 0 || steps->end_ns < steps->begin_ns)
			return;
		rate = (double)steps->n / (double)(steps->end_ns - steps->begin_ns + 1);
		rates += rate;
		squares += rate * rate;
		workers++;
		sum.n += steps->n;
		sum.used_ns += steps->used_ns;
		sum.faults += steps->faults;
		sum.lost += steps->lost;
		copied &= steps->copied_kb != UINT64_MAX;
		sum.copied_kb += steps->copied_kb;
		sum.begin_ns = MIN(sum.begin_ns, steps->begin_ns);
		sum.end_ns = MAX(sum.end_ns, steps->end_ns);
	}
	totals->steps = (int64_t)sum.n;
	totals->steps_ns = (int64_t)sum.used_ns;
	if (workers > 0)
		totals->steps_span_ns = (int64_t)(sum.end_ns - sum.begin_ns);
	else
		totals->steps_span_ns = 0;
	totals->steps_faults = (int64_t)sum.faults;
	/* Jain, Chiu & Hawe 1984: (sum of rates)^2 / (n * sum of their squares). */
	if (squares > 0)
		totals->fairness = llround(1000 * rates * rates / ((double)workers * squares));
	if (kind == WORK_SHARE)
		totals->increments_lost = (int64_t)sum.lost;
	if (copied)
		totals->copied_kb = (int64_t)sum.copied_kb;
	else
		totals->copied_kb = -1;
}

/*
 * Counts the tasks, and measures how long it takes to create the worker of a task: for a pool,
 * until all workers are at the barrier; otherwise, from each task's creation until it runs.
 */
static void total_tasks(const struct live_run *run, struct sample_totals *totals)
{
	const struct scoreboard *board = run->board;
	const struct plan *plan = &board->request.plan;
	int64_t creation_ns = 0;

	if (plan->tasks == 0 || plan_serves(plan))
		return;
	totals->tasks = (int64_t)board->tasks.done;
	if (totals->tasks <= 0)
		return;
	if (plan_is_pool(plan)) {
		if (board->go_ns <= board->begin_ns)
			return;
		creation_ns = (int64_t)(board->go_ns - board->begin_ns);
	} else {
		for (uint32_t i = 0; i < run->n; i++) {
			const struct sample_worker *w = &run->known[i];

			if (w->create_ns < 0 || w->start_ns < 0)
				return;
			creation_ns += w->start_ns - w->create_ns;
		}
	}
	totals->task_create_ns = creation_ns / totals->tasks;
}

static void add_known(int64_t *sum, int64_t value)
{
	if (*sum >= 0 && (value < 0 || __builtin_add_overflow(*sum, value, sum)))
		*sum = -1;
}

/* Counts the workers by their states, and adds up the kernel's counts for them. */
static void total_workers(const struct live_run *run, struct sample_totals *t)
{
	const struct board_request *request = &run->board->request;
	int64_t first = -1, last = -1;
	struct plan_node node;

	t->workers = run->n;
	t->migrations = t->cycles = t->instructions = t->cache_misses = t->tlb_misses = 0;
	if (request->plan.leaves[WORK_MESSAGE] > 0)
		t->messages = 0;
	else
		t->messages = -1;
	for (uint32_t i = 0; i < run->n; i++) {
		const struct sample_worker *w = &run->known[i];

		t->created += w->created_ns >= 0 && w->status != SAMPLE_REFUSED;
		t->finished += w->finish_ns >= 0 && w->status != SAMPLE_CRASHED;
		t->joined += w->join_ns >= 0;
		t->failed += w->status != SAMPLE_OK && w->status != SAMPLE_RUNNING;
		if (w->create_ns >= 0 && (first < 0 || w->create_ns < first))
			first = w->create_ns;
		if (w->created_ns > last)
			last = w->created_ns;
		plan_node(&request->plan, i, &node);
		if (node.children > 0)
			continue;
		/* The receivers count the messages. In a group, the senders come first. */
		if (node.work == WORK_MESSAGE &&
		    node.number % (request->senders + request->receivers) >= request->senders)
			add_known(&t->messages, w->status == SAMPLE_OK ? (int64_t)w->result : -1);
		add_known(&t->migrations, w->migrations);
		add_known(&t->cycles, w->cycles);
		add_known(&t->instructions, w->instructions);
		add_known(&t->cache_misses, w->cache_misses);
		add_known(&t->tlb_misses, w->tlb_misses);
	}
	if (first >= 0 && last >= 0)
		t->create_ns = last - first;
	else
		t->create_ns = -1;
	t->peak_alive = live_peak_alive(run);
}

/* How long all tasks were held while their memory was read. */
static int64_t held(const struct scoreboard *board)
{
	if (board->hold_ns == 0 || board->go_ns < board->hold_ns)
		return 0;
	return (int64_t)(board->go_ns - board->hold_ns);
}

/* Subtracts the usage of the front end and of the starter. Returns -1 if the board has no value. */
static int64_t stat_us(uint64_t all_us, uint64_t starter_us, struct timeval before,
		       struct timeval after)
{
	int64_t left_us = (int64_t)(all_us - starter_us - (clock_us(after) - clock_us(before)));

	if (all_us == UINT64_MAX)
		return -1;
	return MAX(left_us, 0);
}

static int64_t kib(uint64_t bytes, uint64_t of_orphans)
{
	if (bytes == UINT64_MAX)
		return -1;
	return (int64_t)((bytes + of_orphans) / 1024);
}

/* Whether the values on the board are possible. A faulty runner may have written anything. */
static bool is_sane(const struct live_run *run, uint64_t now)
{
	const struct scoreboard *b = run->board;
	const uint64_t *count = (const uint64_t *)&b->totals;

	for (size_t i = 0; i < sizeof(b->totals) / sizeof(*count); i++)
		if (count[i] >= UINT64_C(1) << 53 && count[i] != UINT64_MAX)
			return false;
	return b->begin_ns == run->begin_ns && b->begin_ns <= b->end_ns && b->end_ns <= now &&
	       b->end_ns > 0 && b->go_ns <= b->end_ns && b->hold_ns <= b->end_ns &&
	       (b->go_ns == 0 || b->go_ns >= b->begin_ns) &&
	       (b->hold_ns == 0 || b->hold_ns >= b->begin_ns) && held(b) >= 0;
}

static void total_usage(const struct clock_usage *model, const struct clock_usage *orphans,
			struct sample_totals *t)
{
	t->user_us = (int64_t)(model->user_us + orphans->user_us);
	t->system_us = (int64_t)(model->system_us + orphans->system_us);
	t->minflt = (int64_t)(model->minflt + orphans->minflt);
	t->majflt = (int64_t)(model->majflt + orphans->majflt);
	t->nvcsw = (int64_t)(model->nvcsw + orphans->nvcsw);
	t->nivcsw = (int64_t)(model->nivcsw + orphans->nivcsw);
}

/* Adds up the operations that the workers reported. */
static void total_operations(struct live_run *run, struct sample_totals *totals)
{
	const struct tally *tally = &run->board->tally;
	const int64_t n = (int64_t)atomic_load(&tally->n);

	if (n > 0)
		run->buckets = calloc(TALLY_BUCKETS, sizeof(*run->buckets));
	else
		run->buckets = NULL;
	if (!run->buckets)
		return;
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
		uint32_t count = atomic_load_explicit(&tally->count[i], memory_order_relaxed);

		if (count > 0)
			run->buckets[run->n_buckets++] =
				(struct sample_bucket) {(int64_t)tally_edge(i), count};
	}
	totals->operations = n;
	totals->operations_ns = (int64_t)atomic_load(&tally->sum_ns);
	totals->operation_min_ns = (int64_t)(UINT64_MAX - atomic_load(&tally->least));
	totals->operation_max_ns = (int64_t)atomic_load(&tally->max_ns);
}

/* Largest plausible memory of a run. */
#define MOST_KB (UINT64_C(1) << 53)

static void total_served(const struct live_run *run, struct sample_totals *t)
{
	const struct board_served *served = &run->board->served;
	const uint64_t before_kb = run->board->before_pss_kb, idle_kb = run->board->idle_pss_kb;

	if (!plan_serves(&run->board->request.plan) || served->span_ns > INT64_MAX ||
	    served->requests + served->failed > run->board->request.plan.tasks)
		return;
	t->requests = (int64_t)served->requests;
	t->requests_failed = (int64_t)served->failed;
	t->requests_ns = (int64_t)served->span_ns;
	t->queue_most = run->queue_most;
	if (run->board->request.serving.idle == 0 || before_kb > MOST_KB || idle_kb > MOST_KB)
		return;
	t->idle_connections = run->board->request.serving.idle;
	t->idle_pss_kb = (int64_t)(idle_kb - MIN(before_kb, idle_kb));
}

/*
 * Collects the recorded requests of a server. Leaves out impossible times, because a faulty runner
 * may have written anything.
 */
static void collect_requests(struct live_run *run)
{
	const struct scoreboard *board = run->board;

	run->n_requests = 0;
	if (!plan_serves(&board->request.plan))
		return;
	for (uint32_t i = 0; i < SERVING_MARKS; i++) {
		const struct serving_mark *mark = &board->marks.mark[i];
		const uint64_t replied_ns =
			atomic_load_explicit(&mark->replied_ns, memory_order_acquire);
		const uint64_t read_ns = mark->read_ns;
		const uint32_t slot = mark->slot;

		if (slot >= run->n || read_ns < run->begin_ns || replied_ns < read_ns ||
		    replied_ns > board->end_ns)
			continue;
		run->requests[run->n_requests++] =
			(struct sample_request) {(int64_t)(read_ns - run->begin_ns),
						 (int64_t)(replied_ns - run->begin_ns), slot};
	}
}

static void board_totals(const struct live_run *run, struct sample_totals *t)
{
	const struct board_totals *b = &run->board->totals, *o = &run->orphans.used;
	uint64_t checked = 0;
	struct rusage self;

	t->held_ns = held(run->board);
	t->elapsed_ns = (int64_t)(run->board->end_ns - run->board->begin_ns) - t->held_ns;
	total_usage(&b->usage, &o->usage, t);
	getrusage(RUSAGE_SELF, &self);
	t->stat_user_us =
		stat_us(b->stat_user_us, b->starter.user_us, run->self.ru_utime, self.ru_utime);
	t->stat_system_us =
		stat_us(b->stat_system_us, b->starter.system_us, run->self.ru_stime, self.ru_stime);
	t->read_kb = kib(b->read_bytes, o->read_bytes);
	t->written_kb = kib(b->written_bytes, o->written_bytes);
	t->disk_read_kb = kib(b->disk_read_bytes, o->disk_read_bytes);
	t->disk_written_kb = kib(b->disk_written_bytes, o->disk_written_bytes);
	for (uint32_t i = 0; i < run->n; i++)
		checked += run->board->slot[i].checked;
	t->checked_kb = kib(checked, 0);
	if (run->board->request.plan.leaves[WORK_HELLO] > 0 && b->lines != UINT64_MAX)
		t->hello_lines = (int64_t)b->lines;
	total_served(run, t);
	if (t->drain_us < 0 && b->drain_us != UINT64_MAX)
		t->drain_us = (int64_t)b->drain_us;
}

/*
 * Guesses why a program could not be run: its input file, or the program itself, may have been
 * removed.
 */
static const char *why_not_run(const struct board_request *request, int error, char buf[256])
{
	if (*request->input_path && access(request->input_path, R_OK)) {
		snprintf(buf, 256, "its input (%.120s): %s", request->input_path, strerror(errno));
		return buf;
	}
	if (error == ENOENT && access(request->program_path, F_OK))
		return "it does not exist";
	if (error == ENOENT)
		return "the interpreter of its #! line, or its loader, does not exist";
	if (error == ENOEXEC)
		return "it is neither a program for this machine nor a script with a #! line";
	return strerror(error);
}

/*
 * The signal that an exit status names. A shell adds 128 to a signal's number, but a program may
 * choose such a status too.
 */
static int status_signal(uint64_t status)
{
	if (status > 128 && status <= 128u + (unsigned)SIGRTMAX)
		return (int)status - 128;
	return 0;
}

bool live_program_ended(const struct live_run *run, const struct sample_worker *program, char *buf,
			size_t size)
{
	char why[256];
	const int signal = status_signal(program->result);

	if (program->status == SAMPLE_CRASHED)
		snprintf(buf, size, "was ended by signal %d (%s)", program->error,
			 strsignal(program->error));
	else if (program->status != SAMPLE_FAILED)
		return false;
	else if (program->error != ECHILD)
		snprintf(buf, size, "could not be run: %s",
			 why_not_run(&run->board->request, program->error, why));
	else if (signal)
		snprintf(buf, size, "ended with status %d, 128 + signal %d (%s)",
			 (int)program->result, signal, strsignal(signal));
	else
		snprintf(buf, size, "ended with exit status %d", (int)program->result);
	return true;
}

/* Describes the failure that the runner recorded, after n tasks were created. */
static void board_reason(const struct live_run *run, uint32_t n, char *buf, size_t size)
{
	static const char *const stages[] = {
		[STAGE_NONE] = "run",
		[STAGE_SETUP] = "set up",
		[STAGE_FILE] = "make the input file of the io workers for",
		[STAGE_PREPARE] = "prepare",
		[STAGE_CREATE] = "create",
		[STAGE_WORK] = "do the work of",
		[STAGE_JOIN] = "join",
		[STAGE_SINK] = "count the lines of",
	};
	const struct scoreboard *b = run->board;
	const uint32_t stage = b->failure_stage, at = b->failure_slot;
	const int error = b->failure_errno;
	const char *errno_name = strerrorname_np(error), *what = NULL;
	char name[64] = "the run", path[sizeof(b->failure_path) + 4] = "", progress[64] = "";
	struct plan_node node;

	if (stage == STAGE_SINK && error == EILSEQ) {
		snprintf(buf, size, "%llu lines were printed, %llu arrived whole and %llu torn",
			 (unsigned long long)b->totals.said, (unsigned long long)b->totals.lines,
			 (unsigned long long)b->totals.torn);
		return;
	}
	if (stage == STAGE_CLIENTS) {
		if (error == EPIPE)
			snprintf(buf, size, "the clients ended before all requests had a reply");
		else
			snprintf(buf, size, "cannot start the clients: %s", strerror(error));
		return;
	}
	if (stage == STAGE_TASKS) {
		snprintf(buf, size, "not every task was done exactly once");
		return;
	}
	if (at < run->n)
		plan_name(&b->request.plan, at, name, sizeof(name));
	/* The worker called exit() or pthread_exit(), as a user's own work may do. */
	if (error == EOWNERDEAD && at < run->n && WIFEXITED(b->slot[at].wait_status)) {
		plan_node(&b->request.plan, at, &node);
		if (node.task == PLAN_THREAD)
			snprintf(buf, size, "worker %s: its thread ended before its work was done",
				 name);
		else
			snprintf(buf, size,
				 "worker %s ended with exit status %d before its work was done",
				 name, WEXITSTATUS(b->slot[at].wait_status));
		return;
	}
	if (b->failure_path[0])
		snprintf(path, sizeof(path), " (%.*s)", (int)sizeof(b->failure_path) - 1,
			 b->failure_path);
	if (stage == STAGE_CREATE)
		snprintf(progress, sizeof(progress), " after %s of %s", UNITS_COUNT(n),
			 UNITS_COUNT(run->n));
	if (stage < LENGTH(stages))
		what = stages[stage];
	if (!what)
		what = "run";
	snprintf(buf, size, "could not %s %s%s%s: %s (%s)", what, name, path, progress,
		 strerror(error), sentence_text(errno_name, "?"));
}

static void say_worker(const struct live_run *run, uint32_t i, char *buf, size_t size)
{
	const struct sample_worker *w = &run->known[i];
	const int signal = status_signal(w->result);
	struct plan_node node;
	char name[64], said[128], why[256];
	int id; /* Length of "w1" in the name "w1 program". */

	plan_name(&run->board->request.plan, i, name, sizeof(name));
	id = (int)strcspn(name, " ");
	plan_node(&run->board->request.plan, i, &node);
	live_run_said(run, said, sizeof(said));
	if (w->status == SAMPLE_CRASHED && node.work == WORK_PROGRAM && *said)
		snprintf(buf, size, "worker %s was ended by signal %d (%s; %s)", name, w->error,
			 strsignal(w->error), said);
	else if (w->status == SAMPLE_CRASHED)
		snprintf(buf, size, "worker %s was ended by signal %d (%s)", name, w->error,
			 strsignal(w->error));
	else if (node.work == WORK_PROGRAM && w->error != ECHILD)
		snprintf(buf, size, "worker %s could not run its command: %s", name,
			 why_not_run(&run->board->request, w->error, why));
	else if (node.work == WORK_PROGRAM && signal)
		snprintf(buf, size,
			 "the command of worker %.*s exited with status %d, 128 + signal %d "
			 "(%s%s%s)",
			 id, name, (int)w->result, signal, strsignal(signal), *said ? "; " : "",
			 said);
	else if (node.work == WORK_PROGRAM && *said)
		snprintf(buf, size,
			 "the command of worker %.*s exited with status %d (%s); to accept that, "
			 "use "
			 "-s ignore-failure=yes",
			 id, name, (int)w->result, said);
	else if (node.work == WORK_PROGRAM)
		snprintf(buf, size,
			 "the command of worker %.*s exited with status %d; to accept that, use -s "
			 "ignore-failure=yes",
			 id, name, (int)w->result);
	else if (w->error == EILSEQ)
		snprintf(buf, size,
			 node.work == WORK_OWN
				 ? "worker %s computed a different result from the first worker"
				 : "worker %s found that its result is wrong",
			 name);
	else if (node.work == WORK_OWN && w->error == WORK_OWN_NO_ERRNO)
		snprintf(buf, size, "worker %s: its run() returned neither 0 nor an errno", name);
	else if (node.work == WORK_OWN)
		snprintf(buf, size, "worker %s: its run() returned errno %d (%s), not 0", name,
			 w->error, strerror(w->error));
	else
		snprintf(buf, size, "worker %s failed: %s", name, strerror(w->error));
}

/*
 * The worker whose failure is on the board; run->n if there is none. Other workers may have been
 * ended only because they waited for this one.
 */
static uint32_t failed_first(const struct live_run *run)
{
	const struct scoreboard *b = run->board;

	if (b->failure_stage == STAGE_WORK && b->failure_errno != EOWNERDEAD &&
	    b->failure_slot < run->n)
		return b->failure_slot;
	return run->n;
}

bool live_run_death(const struct live_run *run, char *buf, size_t size)
{
	for (uint32_t i = 0; i < run->n_change; i++) {
		if (run->change[i].worker.status != SAMPLE_CRASHED || failed_first(run) < run->n)
			continue;
		say_worker(run, run->change[i].index, buf, size);
		return true;
	}
	return false;
}

bool live_run_never_begins(const struct live_run *run)
{
	const int status = run->wait_status;
	const int error = WEXITSTATUS(status) - BOARD_EXIT;

	if (scoreboard_state(run->board) != BOARD_SETUP || run->stopped || run->unfit[0])
		return false;
	if (run->board->request.plan.leaves[WORK_OWN] > 0)
		return false;
	if (WIFEXITED(status))
		return error <= 0 || error > BOARD_EXIT_ERRNO;
	/*
	 * These signals end a runner that cannot run on this machine. Other signals, such as
	 * SIGKILL, may come from another program.
	 */
	switch (WTERMSIG(status)) {
	case SIGILL:
	case SIGBUS:
	case SIGSEGV:
	case SIGSYS:
		return true;
	default:
		return false;
	}
}

/* The first worker that crashed or failed; run->n: none. */
static uint32_t failed_worker(const struct live_run *run)
{
	uint32_t failed = failed_first(run);

	if (failed < run->n && (run->known[failed].status == SAMPLE_CRASHED ||
				run->known[failed].status == SAMPLE_FAILED))
		return failed;
	for (failed = 0; failed < run->n; failed++)
		if (run->known[failed].status == SAMPLE_CRASHED ||
		    run->known[failed].status == SAMPLE_FAILED)
			break;
	return failed;
}

/*
 * With --own, the user's code runs inside the runner, and nothing else there could end the process.
 */
static const char *runner_words(const struct live_run *run)
{
	if (run->board->request.plan.leaves[WORK_OWN] == 0)
		return LIVE_PROGRAM_RUNNER;
	if (scoreboard_state(run->board) < BOARD_READY)
		return LIVE_PROGRAM_RUNNER ", in prepare() of --own or what it does when loaded,";
	return LIVE_PROGRAM_RUNNER ", the process in which --own runs,";
}

/* Says why the runner ended before it was done, by its exit status. */
static void say_exit(const struct live_run *run, char *reason, size_t size)
{
	const bool own = run->board->request.plan.leaves[WORK_OWN] > 0;
	const int status = WEXITSTATUS(run->wait_status), error = status - BOARD_EXIT;
	char said[160];

	if (scoreboard_state(run->board) != BOARD_SETUP || own)
		snprintf(reason, size, "%s ended with status %d before it was done",
			 runner_words(run), status);
	else if (error > 0 && error <= BOARD_EXIT_ERRNO)
		snprintf(reason, size, "%s could not begin: %s", LIVE_PROGRAM_RUNNER,
			 strerror(error));
	else if (*live_run_said(run, said, sizeof(said)))
		/* The status does not show the reason, but the loader has printed a line. */
		snprintf(reason, size, "%s could not begin (status %d): %s", LIVE_PROGRAM_RUNNER,
			 status, said);
	else if (status == 126 || status == 127)
		snprintf(reason, size,
			 "%s could not be loaded (status %d): its loader or a library is missing, "
			 "or not allowed",
			 LIVE_PROGRAM_RUNNER, status);
	else
		/* The runner wrote no reason to the board, so it may be of another version. */
		snprintf(reason, size,
			 "%s ended with status %d before it began, as a runner of another version "
			 "does: reinstall tuibench",
			 LIVE_PROGRAM_RUNNER, status);
}

/* Sets status and reason. sane: the values on the board make sense. */
static void judge_run(const struct live_run *run, bool sane, struct sample_totals *t)
{
	const struct board_request *request = &run->board->request;
	const enum board_state state = scoreboard_state(run->board);
	enum sample_status worker = SAMPLE_OK;
	const uint32_t failed = failed_worker(run);
	const char *writer = "a worker";
	char name[64];

	if (failed < run->n) {
		worker = (enum sample_status)run->known[failed].status;
		say_worker(run, failed, t->reason, sizeof(t->reason));
	}
	if (request->plan.leaves[WORK_OWN] > 0)
		writer = "--own";
	t->status = SAMPLE_FAILED;
	if (run->stopped) {
		t->status = SAMPLE_INTERRUPTED;
		snprintf(t->reason, sizeof(t->reason), "stopped before it was done");
	} else if (run->struck_ns) {
		/*
		 * The user made the worker crash, so the run is neither a measurement nor a
		 * failure.
		 */
		t->status = SAMPLE_CRASHED;
		plan_name(&request->plan, run->fault_slot, name, sizeof(name));
		snprintf(t->reason, sizeof(t->reason),
			 "%s was made to crash (x): %lld of %u workers survived", name,
			 (long long)t->survived, plan_leaves(&request->plan));
	} else if (run->overwritten) {
		snprintf(t->reason, sizeof(t->reason),
			 "%s wrote to memory that is not its own and overwrote the scoreboard",
			 writer);
	} else if (run->unfit[0]) {
		snprintf(t->reason, sizeof(t->reason), "%s", run->unfit);
	} else if (live_fault_done(run)) {
		t->status = SAMPLE_OK;
		t->reason[0] = '\0';
	} else if (WIFSIGNALED(run->wait_status)) {
		t->status = SAMPLE_CRASHED;
		if (worker != SAMPLE_CRASHED)
			snprintf(t->reason, sizeof(t->reason), "%s was ended by signal %d (%s)",
				 runner_words(run), WTERMSIG(run->wait_status),
				 strsignal(WTERMSIG(run->wait_status)));
	} else if (worker != SAMPLE_OK && run->board->failure_stage != STAGE_CREATE) {
		t->status = worker;
	} else if (state == BOARD_FAILED) {
		board_reason(run, t->created, t->reason, sizeof(t->reason));
	} else if (state == BOARD_DONE && !sane) {
		snprintf(t->reason, sizeof(t->reason), "%s reported values that make no sense",
			 LIVE_PROGRAM_RUNNER);
	} else if (state == BOARD_DONE) {
		t->status = SAMPLE_OK;
	} else {
		say_exit(run, t->reason, sizeof(t->reason));
	}
}

/*
 * Sets children and threads of programs. A program that ended before the first reading counts as
 * one process with one thread. Memory covers all processes, except children that ended before a
 * reading.
 */
static void total_tree(const struct live_run *run, struct sample_totals *totals)
{
	totals->children = run->memory.children;
	totals->threads = run->memory.threads;
	totals->processes = run->memory.processes;
	for (uint32_t i = 0; i < run->n; i++) {
		uint32_t known = run->board->slot[i].known;

		if (run->known[i].finish_ns >= 0) {
			totals->children = MAX(totals->children, 0);
			totals->threads = MAX(totals->threads, 1);
		}
		if (known & KNOWN_CHILDREN)
			totals->children = MAX(totals->children, 1);
		if (known & KNOWN_THREADS)
			totals->threads = MAX(totals->threads, 2);
	}
	if (run->orphans.reaped > 0 || run->board->adopted > 0 || run->board->left > 0)
		totals->children = MAX(totals->children, 1);
	if (!run->memory.saw_descendants && totals->children > 0)
		totals->processes = -1;
	else if (totals->children == 0 && !run->memory.partial)
		totals->processes = MAX(totals->processes, 1);
}

enum reason live_memory_reason(const struct live_run *run, const struct sample_totals *totals)
{
	const struct live_memory *memory = &run->memory;

	if (!memory->has_runner)
		return memory->reason;
	if (memory->tree && totals->children > 0 && totals->processes < 0) {
		if (memory->reason)
			return memory->reason;
		return REASON_SHORT_CHILDREN;
	}
	if (memory->last_error)
		return REASON_SMAPS_DENIED;
	return REASON_NONE;
}

/*
 * Upper bound of a run's stolen time; -1 if unknown. The host counts ticks, so each CPU may have
 * lost up to one tick more than it counted.
 */
static int64_t stolen_us(const struct sample_totals *totals)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const long tick_us = 1000000 / sysconf(_SC_CLK_TCK);

	if (totals->steal < 0 || totals->elapsed_ns < 0)
		return -1;
	if (totals->steal == 0)
		return 0;
	return (totals->elapsed_ns / 1000 * (totals->steal + 1) / 1000 + tick_us) * cpus;
}

void live_usage_judge(const struct live_run *run, struct sample_totals *totals)
{
	/*
	 * The cgroup's CPU time and the reaped usage may differ by 1 % or 10 ms, because the cgroup
	 * includes the start of the run.
	 */
	const struct clock_usage *starter = &run->board->totals.starter;
	const int64_t starter_us = (int64_t)(starter->user_us + starter->system_us);
	const int64_t known_us = totals->user_us + totals->system_us + 10000;
	const bool perf = run->command_tasks.by == TASKS_BY_PERF;
	/* Perf's records include the host's stolen time and interrupts. */
	const int64_t stolen = perf ? stolen_us(totals) : 0;
	const int64_t sure = perf ? 75 : 99;
	int64_t tasks_us = 0, user_us, system_us;
	bool lost;

	totals->usage_reason = REASON_NONE;
	if (!run->memory.tree)
		return;
	for (size_t i = 0; i < run->command_tasks.n; i++)
		tasks_us +=
			MAX(run->command_tasks.list[i].cpu_ns, run->command_tasks.list[i].run_ns) /
			1000;
	lost = totals->children > 0 && stolen >= 0 && (tasks_us - stolen) / 100 * sure > known_us;
	if (run->board->joined && live_charge_cpu(&run->charge, &user_us, &system_us) &&
	    (user_us + system_us - starter_us) / 100 * 99 > known_us) {
		/*
		 * The runner that started the programs is in their cgroup too, so subtract its
		 * time.
		 */
		totals->user_us = MAX(user_us - (int64_t)starter->user_us, 0);
		totals->system_us = MAX(system_us - (int64_t)starter->system_us, 0);
	} else if (lost) {
		totals->user_us = totals->system_us = -1;
	}
	if (!lost)
		return;
	totals->minflt = totals->majflt = totals->nvcsw = totals->nivcsw = -1;
	if (run->memory.ignores_children)
		totals->usage_reason = REASON_SIGCHLD;
	else
		totals->usage_reason = REASON_UNREPORTED;
}

/* Kernel memory of the runner before it joined the cgroup, KiB. */
static int64_t own_kernel_kb(const struct live_run *run)
{
	const struct live_kernel *kernel = run->memory.kernel;

	if (run->memory.tree || !kernel || isnan(kernel->process_tables_kb + kernel->process_kb))
		return 0;
	return (int64_t)(LIVE_KERNEL_STACK_KB + kernel->process_tables_kb + kernel->process_kb);
}

/*
 * Whether programs read the empty input of a warm-up, which changes the input's access time.
 * Unknown if a program fails, because it might not fail with another input.
 */
static int16_t read_nothing(const struct live_run *run)
{
	struct stat st;

	if (run->input_fd < 0 || fstat(run->input_fd, &st) < 0)
		return -1;
	for (uint32_t i = 0; i < run->n; i++)
		if (run->known[i].status != SAMPLE_OK || run->known[i].result != 0)
			return -1;
	return st.st_atim.tv_sec > 1;
}

void live_run_total(struct live_run *run, const struct rusage *usage, uint64_t now,
		    struct sample_totals *totals)
{
	const struct board_totals *b = &run->board->totals;
	const struct board_request *request = &run->board->request;
	bool sane = scoreboard_state(run->board) >= BOARD_DONE && is_sane(run, now);
	struct clock_usage reaped = {0};

	total_workers(run, totals);
	total_operations(run, totals);
	collect_requests(run);
	if (sane) {
		board_totals(run, totals);
	} else {
		/*
		 * Only two values are known: the time until the end was noticed, and the usage of
		 * the reaped processes.
		 */
		if (run->begin_ns)
			totals->elapsed_ns = (int64_t)(now - run->begin_ns);
		else
			totals->elapsed_ns = -1;
		clock_usage_add(&reaped, usage);
		total_usage(&reaped, &(struct clock_usage) {0}, totals);
		totals->held_ns = 0;
	}
	if (request->plan.leaves[WORK_PROGRAM] > 0)
		total_tree(run, totals);
	if (sane && request->plan.leaves[WORK_PROGRAM] > 0) {
		totals->program_output = OUTPUT_NULL;
		if (*request->output_path)
			totals->program_output = OUTPUT_FILE;
		else if (request->output_fd > 0)
			totals->program_output = OUTPUT_PIPE;
		totals->read_nothing = read_nothing(run);
	}
	if (sane && plan_runs_others(&request->plan))
		totals->left_running = (int32_t)MIN(run->board->left, PLAN_MAX_TASKS);
	totals->memory = run->peak;
	live_peak_raise(run, sane && b->peak_kb != UINT64_MAX ? (int64_t)b->peak_kb : -1,
			totals->children > 0, &totals->memory);
	if (totals->children > 0 || (run->memory.tree && totals->threads > 1))
		live_peak_doubt(run, totals->children > 0, &totals->memory);
	/* If the PSS of a process cannot be read, the sum is too low, so leave it out. */
	if (run->memory.tree && run->memory.last_error) {
		totals->memory.pss_kb = totals->memory.uss_kb = -1;
		totals->memory.pss_seen = -1;
	}
	totals->memory_reason = (int16_t)live_memory_reason(run, totals);
	if (run->board->joined) {
		totals->cgroup_kb = live_charge_peak(&run->charge);
		live_peak_kernel(live_charge_kernel_peak(&run->charge), own_kernel_kb(run),
				 &totals->memory);
	}
	totals->paused = run->was_paused;
	if (run->cut_ns > 0)
		totals->cut_ns = (int64_t)(run->cut_ns - run->begin_ns);
	live_perf_others(&run->perf, totals->others_who, sizeof(totals->others_who));
	if (run->reach != RING_NONE) {
		live_ring_count_lost(run->perf.ring);
		totals->slices_lost = run->perf.lost + (int64_t)run->perf.ring->lost;
	} else {
		totals->slices_lost = live_slices_lost(&run->slices);
	}
	totals->self_cpu_us = (int64_t)(clock_used_us(RUSAGE_SELF) - clock_us(run->self.ru_utime) -
					clock_us(run->self.ru_stime));
	live_fault_collect(run, totals);
	total_steps(run, totals);
	total_tasks(run, totals);
	sane &= fields_clamp(sample_totals_fields, totals);
	judge_run(run, sane, totals);
}
