/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "core/scoreboard.h"
#include "core/sample.h"
#include "fuzz.h"
#include "fuzz_draw.h"
#include "model/model.h"
#include "source/live_run.h"

/*
 * Simulates a runner that writes random bytes into the scoreboard while the front end reads it. The
 * input is the number of a shape and a list of writes and readings. Every sample must have what
 * sample.h promises: workers of the plan, statuses with names, and times and counts that are known
 * or -1. All samples go into a model, which is drawn and exported.
 */

#define SLOTS_MOST 16
#define ENTRIES	   16

static const struct sample_run id = {.trial = 1, .planned = 1};

enum { SHAPES = 8 };

static void shape(struct board_request *request, unsigned number)
{
	struct plan *plan = &request->plan;
	static const enum work_kind kinds[SHAPES] = {WORK_CPU, WORK_SHARE, WORK_MESSAGE, WORK_HELLO,
						     WORK_CPU, WORK_TOUCH, WORK_PROGRAM, WORK_CPU};

	*plan = (struct plan) {.levels = 1, .fanout = {6, 2}, .barrier = number != 4};
	plan->task[0] = number & 1 ? PLAN_PROCESS : PLAN_THREAD;
	plan->levels = number == 4 || number == 7 ? 2 : 1;
	plan->leaves[kinds[number]] = plan_leaves(plan);
	plan->tasks = number == 0 ? 100 : 0;
	request->senders = request->receivers = 3;
	request->slices = number < 6 ? ENTRIES : 0;
	request->fault = number == 7 ? FAULT_HANG : FAULT_NONE;
}

static struct scoreboard *board_of(unsigned number)
{
	static struct scoreboard *boards[SHAPES];
	struct board_request *request;
	int fd;

	if (!boards[number]) {
		request = calloc(1, sizeof(*request));
		fuzz_assert(request);
		shape(request, number);
		fuzz_assert(scoreboard_create(request, &boards[number], &fd) == 0);
		fuzz_assert(boards[number]->slots <= 2 * SLOTS_MOST);
		free(request);
	}
	return boards[number];
}

/* Returns the part of the board that a runner can write. */
static uint8_t *reach(struct scoreboard *board, size_t *size)
{
	const size_t from = offsetof(struct scoreboard, go);

	*size = scoreboard_size(board->slots, board->request.slices) - from;
	return (uint8_t *)board + from;
}

static void check_workers(const struct live_run *run)
{
	for (uint32_t i = 0; i < run->n_change; i++) {
		const struct sample_worker *w = &run->change[i].worker;

		fuzz_assert(run->change[i].index < run->n);
		fuzz_assert(w->status <= SAMPLE_RUNNING);
		fuzz_assert(w->create_ns >= -1 && w->created_ns >= -1 && w->start_ns >= -1);
		fuzz_assert(w->work_ns >= -1 && w->finish_ns >= -1 && w->join_ns >= -1);
		fuzz_assert(w->delay_us >= -1 && w->migrations >= -1);
	}
}

static void begin_model(struct model *model, const struct board_request *request)
{
	struct sample_case one = {.model = "threads", .plan = request->plan};
	struct sample sample = {.kind = SAMPLE_SESSION,
				.session = {.version = "1",
					    .experiment = "mixed",
					    .trials = 1,
					    .interval_ms = 100,
					    .seed = -1,
					    .sched = "own",
					    .cases = 1,
					    .cases_list = &one}};

	model_init(model);
	fuzz_assert(model_apply(model, &sample) == 0);
	sample = (struct sample) {.kind = SAMPLE_RUN_BEGIN, .run = id};
	fuzz_assert(model_apply(model, &sample) == 0);
}

static struct sample sample_of(const struct live_run *run, enum sample_kind kind)
{
	return (struct sample) {
		.kind = kind, .run = id, .time_ns = (int64_t)(clock_now_ns() - run->started_ns)};
}

static void take_slices(struct live_run *run, struct model *model, bool over)
{
	struct sample sample = sample_of(run, SAMPLE_SLICES);
	const struct live_lanes lanes = live_run_lanes(run, over);
	const struct sample_slice *list = lanes.slices;

	for (uint32_t i = 0; i < lanes.n_slices; i++) {
		fuzz_assert(list[i].index < run->n && list[i].why < WHYS);
		fuzz_assert(list[i].woken < WOKENS && list[i].waker >= -1);
	}
	sample.slices.n = lanes.n_slices;
	sample.slices.list = list;
	model_apply(model, &sample); /* leaves out slices that overlap */
}

static void scan(struct live_run *run, struct model *model)
{
	struct sample sample = sample_of(run, SAMPLE_TICK);
	struct sample_tick *tick = &sample.tick;
	char text[256];

	live_run_scan(run, clock_now_ns(), false);
	tick->in_run = true;
	tick->memory = sample_memory_unknown();
	tick->tasks = tick->terminal_us = tick->children = tick->threads = -1;
	tick->throttled_periods = tick->throttled_us = -1;
	tick->workers = run->change;
	tick->n_workers = run->n_change;
	fuzz_assert(model_apply(model, &sample) == 0);
	check_workers(run);
	if (live_run_death(run, text, sizeof(text)))
		fuzz_assert(*text);
	live_fault_stuck(run, clock_now_ns());
	take_slices(run, model, false);
}

/* Returns a value that has a meaning, or any value. */
static uint64_t value_of(const struct live_run *run, uint8_t how, const uint8_t *bytes)
{
	uint64_t any;

	memcpy(&any, bytes, sizeof(any));
	switch (how % 6) {
	case 0:
		return any & 0xff;
	case 1:
		return any & 1 ? UINT64_MAX : INT64_MIN;
	case 2:
		return run->started_ns + 1 + any % 1000000;
	case 3:
		return (any & 7) << 32 | (any >> 8 & 7);
	case 4:
		return UINT64_C(1) << (any & 63);
	default:
		return any;
	}
}

/* Prefers places that the front end reads most: the states, and the first bytes of the slots. */
static size_t place_of(const struct live_run *run, uint16_t where, size_t size)
{
	const size_t slots = offsetof(struct scoreboard, slot) - offsetof(struct scoreboard, go);

	if (where & 0x8000)
		return slots + (where & 0x7fff) * 8u % (run->n * sizeof(struct worker_slot));
	if (where & 0x4000)
		return (where & 0x3fff) * 8u % 512;
	return where * 8u % (size - 8);
}

/* A write has eleven bytes: how, where, what. A look has one byte. */
static void play(struct live_run *run, struct model *model, const uint8_t *bytes, size_t n)
{
	size_t size;
	uint8_t *at = reach(run->board, &size);

	while (n > 0) {
		uint8_t how = *bytes;
		uint64_t value;

		if (how >= 0xf0 || n < 11) {
			scan(run, model);
			bytes++, n--;
			if (how < 0xf0)
				return;
			continue;
		}
		value = value_of(run, how, bytes + 3);
		memcpy(at + place_of(run, (uint16_t)(bytes[1] | bytes[2] << 8), size), &value,
		       sizeof(value));
		bytes += 11;
		n -= 11;
	}
}

static void end_run(struct live_run *run, struct model *model)
{
	struct sample sample = sample_of(run, SAMPLE_RUN_END);
	struct sample_totals totals;

	live_run_collect(run, &totals);
	fuzz_assert(totals.status <= SAMPLE_RUNNING);
	fuzz_assert(memchr(totals.reason, 0, sizeof(totals.reason)));
	for (const struct field *field = sample_totals_fields; field->type != FIELD_END; field++) {
		int64_t value;

		if (field->type != FIELD_I64)
			continue;
		memcpy(&value, (const char *)&totals + field->offset, sizeof(value));
		if (value < -1)
			fuzz_fail(field->name, -1, "a number that is known, or -1");
	}
	check_workers(run);
	take_slices(run, model, true);
	totals.begin_ns = 1;
	sample.end.totals = totals;
	sample.end.workers = run->change;
	sample.end.n_workers = run->n_change;
	sample.end.buckets = run->buckets;
	sample.end.n_buckets = run->n_buckets;
	sample.end.requests = run->requests;
	sample.end.n_requests = run->n_requests;
	fuzz_assert(model_apply(model, &sample) == 0);
}

/* Opens a run whose runner is not a process. */
static void open_run(struct live_run *run, struct scoreboard *board)
{
	static struct sample_worker known[2 * SLOTS_MOST];
	static struct sample_change change[2 * SLOTS_MOST];
	static uint16_t seen[2 * SLOTS_MOST];

	memset(run, 0, sizeof(*run));
	memset(seen, 0, sizeof(seen));
	run->board = board;
	run->pid = INT_MAX;
	run->charge.join_fd = -1;
	run->fault = (enum fault_kind)board->request.fault;
	run->memory.root = "/nowhere";
	run->peak = sample_memory_unknown();
	run->started_ns = clock_now_ns() - 1000000000;
	run->n = board->slots;
	run->stride = 1;
	run->known = known;
	run->change = change;
	run->seen = seen;
	for (uint32_t i = 0; i < run->n; i++)
		known[i] = sample_worker_unknown;
	fuzz_assert(live_slices_open(&run->slices, board) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct live_run run;
	struct model model;
	struct scoreboard *board;
	size_t size;
	uint8_t *at;

	if (n < 2)
		return 0;
	board = board_of(bytes[0] % SHAPES);
	at = reach(board, &size);
	memset(at, 0, size);
	open_run(&run, board);
	/* In a run that has not begun, nothing else is read. So let half of the runs begin. */
	if (bytes[0] & 0x80) {
		atomic_store(&board->state, bytes[1] % (BOARD_FAILED + 2));
		board->begin_ns = run.started_ns + 1;
	}
	begin_model(&model, &board->request);
	play(&run, &model, bytes + 2, n - 2);
	end_run(&run, &model);
	fuzz_draw(&model, fuzz_hash(bytes, n));
	model_free(&model);
	live_slices_close(&run.slices);
	free(run.buckets);
	live_memory_close(&run.memory);
	return 0;
}
