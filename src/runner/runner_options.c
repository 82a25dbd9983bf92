/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work/work_file.h"

/* The long_options as asked, before they become a plan. */
struct asked {
	const char *model, *tree;
	struct board_request *request;
};

/* The first number getopt gives for an option that asks for workers of a kind. */
#define WORKERS 256

/* The comma comes first, so that the list stands where any row may. */
/* clang-format off */
#define WORKERS_OPTION(number, NAME, name) , {#name, required_argument, NULL, WORKERS + number}
/* clang-format on */
static const struct option long_options[] = {
	{"model", required_argument, NULL, 'm'} WORK_LIST(WORKERS_OPTION),
	{"tree", required_argument, NULL, 't'},
	{"size", required_argument, NULL, 's'},
	{"io-file", required_argument, NULL, 'f'},
	{"sink", required_argument, NULL, 'k'},
	{"via", required_argument, NULL, 'v'},
	{"cache", required_argument, NULL, 'a'},
	{"ballast", required_argument, NULL, 'b'},
	{"command", required_argument, NULL, 'c'},
	{"work", required_argument, NULL, 'w'},
	{NULL, 0, NULL, 0},
};

void runner_options_usage(FILE *out)
{
	static const char *const more[WORK_KINDS] = {
		[WORK_IO] = " --io-file FILE [--cache warm|cold|leave]",
		[WORK_TOKEN] = " [--via pipe|socketpair|eventfd|futex|signal|memory]",
		[WORK_HELLO] = " [--sink pipe|file|null]",
		[WORK_OWN] = " --work ./FILE.so",
		[WORK_PROGRAM] = " --command 'PROGRAM ARGS'",
	};

	fprintf(out, "usage: tuibench-runner --model threads|processes|hybrid:PxT ");
	for (int i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];

		fprintf(out, "[--%s N%s] ", plan_work_name(kind), more[kind] ? more[kind] : "");
	}
	fprintf(out, "[--tree AxB] [--size KIND=N] [--ballast BYTES], or --model ");
	for (int i = PLAN_PLAIN + 1; i < PLAN_PRIMITIVES; i++)
		fprintf(out, "%s%s", i > PLAN_PLAIN + 1 ? "|" : "", plan_primitive_names[i]);
	fprintf(out, " --null N [--ballast BYTES]\n");
}

/* Digits only: strtoull alone takes signs and blanks. */
static int parse_bytes(const char *text, uint64_t *bytes)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	return errno || *end ? -EINVAL : 0;
}

static const char *const sinks[] = {
	[SINK_PIPE] = "pipe", [SINK_FILE] = "file", [SINK_NULL] = "null", NULL};
static const char *const caches[] = {
	[CACHE_WARM] = "warm", [CACHE_COLD] = "cold", [CACHE_LEAVE] = "leave", NULL};

static int parse_word(const char *text, const char *const *words, uint32_t *word)
{
	for (uint32_t i = 0; words[i]; i++) {
		if (strcmp(text, words[i]) == 0) {
			*word = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int copy_path(char *to, size_t size, const char *path)
{
	return (size_t)snprintf(to, size, "%s", path) < size ? 0 : -EINVAL;
}

static int take_runner_option(struct asked *asked, int option, const char *value)
{
	struct board_request *request = asked->request;
	enum work_kind kind;
	const char *size;
	uint64_t count;
	int n;

	switch (option) {
	case 'm':
		asked->model = value;
		return 0;
	case 't':
		asked->tree = value;
		return 0;
	case 's': /* "cpu=360360" */
		size = plan_work_value(value, &kind);
		return size ? parse_bytes(size, &request->work_size[kind]) : -EINVAL;
	case 'f':
		return copy_path(request->io_path, sizeof(request->io_path), value);
	case 'c':
		n = command_words_split(value, request->program_words);
		if (n < 0)
			return n;
		request->program_n = (uint32_t)n;
		return command_words_find(request->program_words, request->program_path);
	case 'w':
		return copy_path(request->own_path, sizeof(request->own_path), value);
	case 'b':
		return parse_bytes(value, &request->ballast);
	case 'k':
		return parse_word(value, sinks, &request->sink);
	case 'v':
		request->via = (enum via)names_find_or_0(via_names, VIAS, value);
		return request->via == VIA_NONE ? -EINVAL : 0;
	case 'a':
		return parse_word(value, caches, &request->cache);
	default:
		if (option < WORKERS || parse_bytes(value, &count) || count > PLAN_MAX_TASKS)
			return -EINVAL;
		request->plan.leaves[option - WORKERS] = (uint32_t)count;
		return 0;
	}
}

static uint64_t count_asked(const struct plan *plan)
{
	uint64_t count = 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		count += plan->leaves[kind];
	return count;
}

/* The plan of a model; "hybrid:2x4" names a shape of its own. */
static int choose_plan(const struct asked *asked, struct plan *plan)
{
	const char *model = asked->model;
	const bool shaped = strncmp(model, "hybrid:", 7) == 0;
	const bool hybrid = shaped || strcmp(model, "hybrid") == 0;
	const bool threads = strcmp(model, "threads") == 0;
	const uint64_t workers = count_asked(plan);
	const int primitive = names_find(plan_primitive_names, PLAN_PRIMITIVES, model);
	struct plan shape;

	if (primitive > PLAN_PLAIN) {
		if (asked->tree || workers != plan->leaves[WORK_NULL])
			return -EINVAL;
		plan_creation((enum plan_primitive)primitive, (uint32_t)workers, plan);
		return 0;
	}
	if ((!hybrid && !threads && strcmp(model, "processes") != 0) ||
	    (asked->tree && (workers > 0 || shaped)))
		return -EINVAL;
	plan->gated = !asked->tree;
	if (asked->tree || shaped) {
		/* "20x3x82"; the leaves are counted already. */
		if (plan_shape_parse(asked->tree ? asked->tree : model + 7, &shape))
			return -EINVAL;
		plan->levels = shape.levels;
		memcpy(plan->fanout, shape.fanout, sizeof(plan->fanout));
	} else if (hybrid || workers > PLAN_MAX_TASKS) {
		return -EINVAL;
	} else {
		plan->levels = 1;
		plan->fanout[0] = (uint32_t)workers;
	}
	/* All levels of a hybrid but the last are processes. */
	for (uint32_t i = 0; i < plan->levels; i++)
		plan->task[i] =
			threads || (hybrid && i + 1 == plan->levels) ? PLAN_THREAD : PLAN_PROCESS;
	return 0;
}

int runner_options_parse(int argc, char **argv, struct board_request *request)
{
	struct asked asked = {.request = request};
	char *path = request->hello_path, *slash;
	const uint32_t *leaves;
	int option, err;
	ssize_t n;

	memset(request, 0, sizeof(*request));
	for (int kind = 0; kind < WORK_KINDS; kind++)
		request->work_size[kind] = workload_get((enum work_kind)kind)->default_size;
	request->via = VIA_PIPE;
	request->senders = request->receivers = WORK_MESSAGE_SIDE;
	err = copy_path(request->tmp_dir, sizeof(request->tmp_dir), work_file_dir());
	/* The program to start lies beside this one. */
	n = readlink("/proc/self/exe", path, sizeof(request->hello_path) - sizeof(HELLO_PROGRAM));
	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash ? slash + 1 : path, HELLO_PROGRAM);
	opterr = 0;
	while (!err && (option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		err = take_runner_option(&asked, option, optarg);
	if (err || optind < argc || !asked.model || choose_plan(&asked, &request->plan) ||
	    plan_count(&request->plan) == 0)
		return -EINVAL;
	leaves = request->plan.leaves;
	if (count_asked(&request->plan) > plan_leaves(&request->plan) ||
	    (leaves[WORK_IO] > 0 && request->io_path[0] == '\0') ||
	    (leaves[WORK_PROGRAM] > 0 && request->program_n == 0) ||
	    (leaves[WORK_OWN] > 0 && request->own_path[0] == '\0'))
		return -EINVAL;
	return 0;
}

static void print_time(FILE *out, const struct scoreboard *board, uint64_t ns)
{
	if (ns == 0)
		fprintf(out, " %11s", "-");
	else
		fprintf(out, " %11.1f", (double)(ns - board->begin_ns) / 1000.0);
}

void runner_table_print(FILE *out, const struct scoreboard *board)
{
	fprintf(out, "%-12s %7s %7s %11s %11s %11s %11s %11s %12s  %s\n", "worker", "pid", "tid",
		"create us", "created us", "start us", "finish us", "joined us", "result",
		"status");
	for (uint32_t i = 0; i < board->slots; i++) {
		const struct worker_slot *slot = &board->slot[i];
		const char *status = slot->worker == WORKER_FINISHED ? "ok" : "lost";
		char name[128], killed[32];

		if (slot->state == SLOT_UNUSED) {
			status = "not tried";
		} else if (slot->state == SLOT_REFUSED) {
			status = strerror(slot->create_error);
		} else if (WIFSIGNALED(slot->wait_status)) {
			snprintf(killed, sizeof(killed), "signal %d", WTERMSIG(slot->wait_status));
			status = killed;
		} else if (slot->error) {
			status = strerror(slot->error);
		}
		fprintf(out, "%-12s %7d %7d",
			plan_name(&board->request.plan, i, name, sizeof(name)), slot->pid,
			slot->tid);
		print_time(out, board, slot->create_ns);
		print_time(out, board, slot->created_ns);
		print_time(out, board, slot->start_ns);
		print_time(out, board, slot->finish_ns);
		print_time(out, board, slot->join_ns);
		fprintf(out, " %12" PRIu64 "  %s\n", slot->result, status);
	}
	if (board->request.plan.leaves[WORK_HELLO] > 0 && board->totals.lines != UINT64_MAX)
		fprintf(out, "%" PRIu64 " lines said, %" PRIu64 " whole, %" PRIu64 " torn\n",
			board->totals.said, board->totals.lines, board->totals.torn);
	fprintf(out, "%.1f us elapsed, %" PRIu64 " us user, %" PRIu64 " us system\n",
		(double)(board->end_ns - board->begin_ns) / 1000.0, board->totals.usage.user_us,
		board->totals.usage.system_us);
}
