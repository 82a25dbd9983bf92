/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bundle.h"
#include "core/tally.h"
#include "core/sample.h"
#include "core/serving.h"
#include "log_parts.h"

/*
 * The writer puts no newline into a cell, so a row is a line. This file splits the lines, and
 * limits their length, because libcsv would buffer a cell of any length. Damage is thus limited to
 * its line.
 */
#define LOG_LINE      65536
#define LOG_MAX_CORES 8192 /* The kernel's own limit on x86. */
/*
 * Number of bytes without a valid row, after which the rest of the file is not read. Such bytes are
 * a hole of NUL bytes, or data of another kind.
 */
#define LOG_GARBAGE (UINT64_C(16) << 20)

/*
 * Bytes that are read at a time to check a file's beginning. A compressed piece unpacks to ten
 * times as many.
 */
#define BEGIN_PIECE 4096

/*
 * The reader's caller allocates memory for each worker of a run, and for each core of a tick. A
 * damaged recording may name many workers or cores for which it has no rows. So only this number
 * without a row is accepted, which keeps the memory in proportion to the file.
 */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define LOG_UNSEEN_WORKERS 1000u /* smaller, to test many inputs per second */
#else
#define LOG_UNSEEN_WORKERS PLAN_MAX_TASKS
#endif
#define LOG_UNSEEN_CORES 10000000u

/*
 * Rows of one kind that wait for the tick, or for the end, by which their sample becomes complete.
 */
struct log_waiting {
	void *items;
	uint32_t n;
	size_t cap;
	int64_t time_ns;
	uint64_t line;	 /* Line of the first of these rows. */
	const char *why; /* Why these rows are left out, if that tick or end never comes. */
};

struct log_reader {
	struct log_schema schema;
	struct log_cells cells;
	struct log_unpacker *unpacker;
	uint64_t line_number;
	bool skipping;	 /* The line is too long, and the rest of it is being skipped. */
	bool foreign;	 /* The file is not a log. */
	uint8_t head[8]; /* The first bytes, which may identify another format. */
	size_t n_head;
	bool tar;	  /* The file is a tar file. */
	bool separated;	  /* A line was a header except for its separators. */
	uint64_t garbage; /* Bytes since the last valid row. */
	bool brief;	  /* Only rows that the answer needs are read. */
	bool ended;
	struct log_damage damage;
	/* The field whose value did not fit, so that the row is unreadable; NULL: none. */
	const struct log_field *misfit;

	bool has_session;  /* A meta or case row was read. */
	bool gave_session; /* The session was passed on, so its rows can no longer change it. */
	int64_t session_ns;
	struct sample_session session; /* `cases` is the number of cases that its row announces. */
	uint32_t n_cases;	       /* Number of cases read. */
	/* By case number in the file: 1 + index in cases[]; 0: unknown. */
	uint8_t place[SAMPLE_MAX_CASES];

	bool in_run;
	struct sample_run run; /* The newest run. */
	/* Times of the run's beginning and of the newest tick; INT64_MIN: none. */
	int64_t run_ns, tick_ns;
	uint32_t run_workers; /* Number of tasks in the run's plan. */
	/* Lower bound of the number of the run's workers without a row so far. */
	uint32_t run_unseen;
	uint32_t run_tasks; /* Number of tasks of the run's commands so far. */
	uint64_t unseen_workers, unseen_cores, ticks;
	uint8_t core_seen[LOG_MAX_CORES];
	uint32_t n_core_seen;
	struct log_waiting workers, cores, buckets, requests, wakes;

	struct sample_thinned thinned; /* Thinned slices of the current run. */
	struct sample_watched watched; /* How the current run is recorded. */

	struct sample sample;
	struct sample_slice slice; /* The slice that `sample` contains. */
	struct sample_task task;   /* The task that `sample` contains. */
	int (*emit)(void *arg, const struct sample *sample);
	void *emit_arg;
	int result; /* If not 0, feeding ends and returns this value. */
	size_t used;
	/* Large, but most of the memory is never touched. */
	struct sample_case cases[SAMPLE_MAX_CASES];
	char line[LOG_LINE];
};

struct log_reader *log_reader_new(void)
{
	struct log_reader *reader = malloc(sizeof(*reader));

	if (!reader)
		return NULL;
	memset(reader, 0, offsetof(struct log_reader, cases));
	reader->unpacker = log_unpacker_new();
	if (!reader->unpacker) {
		free(reader);
		return NULL;
	}
	log_schema_init(&reader->schema);
	log_cells_init(&reader->cells, &reader->schema);
	reader->cores.why = "a core row without its tick row";
	reader->workers.why = "a worker row without its tick row or its run's end row";
	reader->buckets.why = "an operations row without its run's end row";
	reader->requests.why = "a request row without its run's end row";
	reader->wakes.why = "a wakes row without its run's end row";
	reader->run_ns = INT64_MIN;
	reader->tick_ns = INT64_MIN;
	return reader;
}

void log_reader_free(struct log_reader *reader)
{
	if (!reader)
		return;
	log_unpacker_free(reader->unpacker);
	log_cells_free(&reader->cells);
	free(reader->workers.items);
	free(reader->cores.items);
	free(reader->buckets.items);
	free(reader->requests.items);
	free(reader->wakes.items);
	free(reader);
}

const struct log_damage *log_reader_damage(const struct log_reader *reader)
{
	return &reader->damage;
}

static void leave_out_rows(struct log_reader *reader, uint64_t line, uint64_t rows, const char *why)
{
	struct log_damage *damage = &reader->damage;
	const char *column = reader->misfit ? reader->schema.columns[reader->misfit->column] : NULL;

	damage->left_out += rows;
	reader->misfit = NULL;
	/*
	 * Waiting rows may be dropped after rows that follow them in the file, so keep the lower
	 * line number.
	 */
	if (damage->first_line != 0 && damage->first_line < line)
		return;
	damage->first_line = line;
	if (column)
		snprintf(damage->reason, sizeof(damage->reason), "%s: %s", column, why);
	else
		snprintf(damage->reason, sizeof(damage->reason), "%s", why);
}

static const char *const no_fit = "not a number that fits";

/* Reads the members of a row. Returns NULL, or the reason why the row cannot be read. */
static const char *take_fields(struct log_reader *reader, const struct log_field *fields, void *to)
{
	for (; fields->column != LOG_NONE; fields++)
		if (!log_cells_get(&reader->cells, fields, to)) {
			reader->misfit = fields;
			return no_fit;
		}
	reader->misfit = NULL;
	return NULL;
}

/* Bytes of a sample of any kind except the session, which occurs once and has long texts. */
#define BYTES_OF_MOST (offsetof(struct sample, end) + sizeof(((struct sample *)NULL)->end))
static_assert(sizeof(struct sample_message) <= sizeof(((struct sample *)NULL)->end) &&
		      sizeof(struct sample_tick) <= sizeof(((struct sample *)NULL)->end),
	      "the end of a run is the largest");

static struct sample *begin_sample(struct log_reader *reader, enum sample_kind kind,
				   int64_t time_ns)
{
	struct sample *sample = &reader->sample;

	memset(sample, 0, kind == SAMPLE_SESSION ? sizeof(*sample) : BYTES_OF_MOST);
	sample->kind = kind;
	sample->time_ns = time_ns;
	sample->run = reader->run;
	return sample;
}

static void give_sample(struct log_reader *reader)
{
	if (!reader->result)
		reader->result = reader->emit(reader->emit_arg, &reader->sample);
}

/* Drops rows that wait for a tick or an end. */
static void drop_waiting(struct log_reader *reader, struct log_waiting *waiting)
{
	if (waiting->n > 0)
		leave_out_rows(reader, waiting->line, waiting->n, waiting->why);
	waiting->n = 0;
}

static void keep_waiting(struct log_reader *reader, struct log_waiting *waiting, int64_t time_ns,
			 const void *item, size_t size)
{
	if (!array_grow(&waiting->items, waiting->n, &waiting->cap, size)) {
		reader->result = -ENOMEM;
		return;
	}
	if (waiting->n == 0)
		waiting->line = reader->line_number;
	memcpy((char *)waiting->items + waiting->n++ * size, item, size);
	waiting->time_ns = time_ns;
}

/* Passes the session on. It is complete when its last case was read, or when other rows begin. */
static void give_session(struct log_reader *reader)
{
	struct sample *sample;

	if (reader->gave_session || reader->n_cases == 0)
		return;
	reader->gave_session = true;
	sample = begin_sample(reader, SAMPLE_SESSION, reader->session_ns);
	sample->session = reader->session;
	sample->session.cases = reader->n_cases;
	sample->session.cases_list = reader->cases;
	give_sample(reader);
}

/* Begins a session. Its members are unknown until a row sets them. */
static void start_session(struct log_reader *reader, int64_t time_ns)
{
	reader->has_session = true;
	reader->session_ns = time_ns;
	fields_unknown(sample_session_fields, &reader->session);
}

/* Sets a member to the row's value. An empty value means unknown, like an empty cell. */
static const char *take_member(struct log_reader *reader, const struct field *member,
			       const char *text, void *to)
{
	const struct log_field field = {LOG_VALUE, member->type, member->offset, member->size};

	if (*text)
		log_cells_put_number(&reader->cells, LOG_VALUE, text, strlen(text));
	if (log_cells_get(&reader->cells, &field, to))
		return NULL;
	return no_fit;
}

static const char *take_meta(struct log_reader *reader, int64_t time_ns)
{
	static const struct log_field number = {LOG_VALUE, FIELD_U32, 0, sizeof(uint32_t)};
	const char *subject = log_cells_text(&reader->cells, LOG_SUBJECT);
	const char *text = log_cells_text(&reader->cells, LOG_VALUE);
	uint32_t format;

	if (reader->gave_session)
		return "a meta row after the session has begun";
	if (!reader->has_session)
		start_session(reader, time_ns);
	if (strcmp(subject, "format") == 0) {
		log_cells_put_number(&reader->cells, LOG_VALUE, text, strlen(text));
		if (!log_cells_get(&reader->cells, &number, &format))
			return no_fit;
		reader->damage.newer = format > LOG_FORMAT;
		return NULL;
	}
	for (const struct field *key = sample_session_fields; key->name; key++)
		if (strcmp(subject, key->name) == 0)
			return take_member(reader, key, text, &reader->session);
	return "a meta row with an unknown subject";
}

static const char *take_case(struct log_reader *reader, int64_t time_ns)
{
	static const struct log_field number[] = {{LOG_CASE, FIELD_U32, 0, sizeof(uint32_t)},
						  {LOG_NONE}};
	struct sample_case *c = &reader->cases[reader->n_cases];
	char variables[VARIABLES_TEXT];
	const char *why;
	uint32_t i;

	if (reader->gave_session)
		return "a case row after the session has begun";
	why = take_fields(reader, number, &i);
	if (why)
		return why;
	if (i >= SAMPLE_MAX_CASES || reader->place[i] > 0)
		return "a case whose number is too large or not new";
	if (log_schema_case_parse(log_cells_text(&reader->cells, LOG_VALUE), c) < 0)
		return "a plan that cannot be run";
	log_cells_copy(&reader->cells, LOG_MODEL, c->model, sizeof(c->model));
	log_cells_copy(&reader->cells, LOG_VARIABLES, variables, sizeof(variables));
	variables_parse(&c->variables, variables);
	log_cells_copy(&reader->cells, reader->schema.command, c->command, sizeof(c->command));
	if (!reader->has_session)
		start_session(reader, time_ns);
	reader->place[i] = (uint8_t)++reader->n_cases;
	if (reader->n_cases == reader->session.cases)
		give_session(reader);
	return NULL;
}

/* Runs. */

/* Reads the row's run. The case's number becomes an index in cases[]. */
static const char *take_run(struct log_reader *reader, struct sample_run *run)
{
	const char *why = take_fields(reader, reader->schema.fields[LOG_BEGIN], run);

	if (why)
		return why;
	if (!log_cells_has(&reader->cells, LOG_RUN) || !log_cells_has(&reader->cells, LOG_CASE))
		return "a row without its run";
	if (run->case_id >= SAMPLE_MAX_CASES || reader->place[run->case_id] == 0)
		return "a run of an unknown case";
	run->case_id = reader->place[run->case_id] - 1u;
	return NULL;
}

static const struct log_field index_field[] = {{LOG_ID, FIELD_U32, 0, sizeof(uint32_t)},
					       {LOG_NONE}};

/*
 * Reads the members of a row. Its run must be the current one. If index is not NULL, it gets the
 * number of the row's worker.
 */
static const char *take_running(struct log_reader *reader, enum log_record record, void *to,
				uint32_t *index)
{
	struct sample_run run;
	const char *why = take_run(reader, &run);

	if (why)
		return why;
	if (!reader->in_run || run.run != reader->run.run || run.case_id != reader->run.case_id)
		return "a row of a run that has not begun or has ended";
	reader->run = run;
	if (index)
		why = take_fields(reader, index_field, index);
	else
		why = NULL;
	if (why)
		return why;
	return take_fields(reader, reader->schema.fields[record], to);
}

static void give_end(struct log_reader *reader, int64_t time_ns, const struct sample_totals *totals)
{
	struct sample *sample = begin_sample(reader, SAMPLE_RUN_END, time_ns);

	sample->end.totals = *totals;
	sample->end.n_workers = reader->workers.n;
	sample->end.workers = reader->workers.items;
	sample->end.n_buckets = reader->buckets.n;
	sample->end.buckets = reader->buckets.items;
	sample->end.n_requests = reader->requests.n;
	sample->end.requests = reader->requests.items;
	sample->end.n_wakes = reader->wakes.n;
	sample->end.wakes = reader->wakes.items;
	sample->end.thinned = reader->thinned;
	sample->end.watched = reader->watched;
	if (sample->end.watched.case_id >= SAMPLE_MAX_CASES ||
	    reader->place[sample->end.watched.case_id] == 0)
		sample->end.watched.rate = 0;
	else
		sample->end.watched.case_id = reader->place[sample->end.watched.case_id] - 1u;
	reader->in_run = false;
	give_sample(reader);
	reader->workers.n = reader->buckets.n = reader->requests.n = reader->wakes.n = 0;
}

static const char *take_begin(struct log_reader *reader, int64_t time_ns)
{
	struct sample_run run;
	const char *why = take_run(reader, &run);
	uint32_t workers;

	if (why)
		return why;
	if (reader->run_ns >= 0 && (run.run <= reader->run.run || time_ns < reader->run_ns))
		return "a run out of order";
	workers = plan_count(&reader->cases[run.case_id].plan);
	if (reader->unseen_workers + workers > LOG_UNSEEN_WORKERS)
		return "more workers than there are rows for";
	if (reader->in_run) {
		/*
		 * Another run begins, so the end of the previous run, which has its measurements,
		 * is missing.
		 */
		struct sample_totals totals = {0};

		fields_unknown(sample_totals_fields, &totals);
		totals.status = SAMPLE_INTERRUPTED;
		totals.workers = reader->run_workers;
		snprintf(totals.reason, sizeof(totals.reason), "its end is not in the recording");
		drop_waiting(reader, &reader->workers);
		drop_waiting(reader, &reader->buckets);
		drop_waiting(reader, &reader->requests);
		drop_waiting(reader, &reader->wakes);
		give_end(reader, time_ns, &totals);
	}
	reader->in_run = true;
	reader->run = run;
	reader->run_ns = time_ns;
	reader->run_workers = workers;
	reader->run_tasks = 0;
	fields_unknown(sample_thinned_fields, &reader->thinned);
	reader->thinned.slices = 0;
	fields_unknown(sample_watched_fields, &reader->watched);
	reader->watched.rate = 0;
	reader->run_unseen = workers;
	reader->unseen_workers += workers;
	begin_sample(reader, SAMPLE_RUN_BEGIN, time_ns);
	give_sample(reader);
	return NULL;
}

static const char *take_worker(struct log_reader *reader, int64_t time_ns)
{
	struct sample_change change = {0};
	const char *why = take_running(reader, LOG_WORKER, &change.worker, &change.index);

	if (why)
		return why;
	if (!log_cells_has(&reader->cells, LOG_ID) || change.index >= reader->run_workers)
		return "a worker that is not in the plan";
	/* Each worker has at most one row in a tick. This check also limits the memory. */
	if (reader->workers.n == reader->run_workers)
		return "more worker rows than workers";
	if (reader->run_unseen > 0) {
		reader->run_unseen--;
		reader->unseen_workers--;
	}
	keep_waiting(reader, &reader->workers, time_ns, &change, sizeof(change));
	return NULL;
}

/*
 * Reads a slice of a run that has ended. The writer left it out during the run and added it later.
 * The reader no longer knows how many tasks the run has, so *most is only an upper bound, and the
 * model checks the number.
 */
static const char *take_late_slice(struct log_reader *reader, struct sample_slice *slice,
				   struct sample_run *run, uint32_t *most)
{
	const char *why = take_run(reader, run);

	if (!why && (reader->run_ns < 0 || run->run > reader->run.run))
		why = "a slice of a run that has not begun";
	if (!why)
		why = take_fields(reader, index_field, &slice->index);
	if (!why)
		why = take_fields(reader, reader->schema.fields[LOG_SLICE], slice);
	if (!why)
		*most = plan_count(&reader->cases[run->case_id].plan) + SAMPLE_MOST_TASKS;
	return why;
}

/* Reads a slice. merged: number of slices that the row replaces, 0 for a single one. */
static const char *read_slice(struct log_reader *reader, int64_t time_ns, uint32_t merged)
{
	struct sample_slice *slice = &reader->slice;
	uint32_t most = reader->run_workers + reader->run_tasks;
	struct sample_run run;
	const char *why;

	*slice = (struct sample_slice) {.merged = (uint8_t)merged};
	if (reader->in_run)
		why = take_running(reader, LOG_SLICE, slice, &slice->index);
	else
		why = take_late_slice(reader, slice, &run, &most);
	if (why)
		return why;
	if (!log_cells_has(&reader->cells, LOG_ID))
		slice->index = SAMPLE_OTHERS;
	else if (slice->index >= most)
		return "a slice of a worker that the plan does not have";
	if (slice->on_ns < 0 || slice->off_ns < slice->on_ns)
		return "a slice that ends before it begins";
	slice->why = (uint8_t)names_find_or_0(sample_why_names, WHYS,
					      log_cells_text(&reader->cells, LOG_KIND));
	slice->woken = (uint8_t)names_find_or_0(sample_woken_names, WOKENS,
						log_cells_text(&reader->cells, LOG_SUBJECT));
	begin_sample(reader, SAMPLE_SLICES, time_ns);
	if (!reader->in_run)
		reader->sample.run = run;
	reader->sample.slices.n = 1;
	reader->sample.slices.list = slice;
	give_sample(reader);
	return NULL;
}

static const char *take_task(struct log_reader *reader, int64_t time_ns)
{
	struct sample_task *task = &reader->task;
	uint32_t next = reader->run_workers + reader->run_tasks;
	const char *why;

	*task = (struct sample_task) {0};
	why = take_running(reader, LOG_TASK, task, NULL);
	if (why)
		return why;
	/*
	 * Rows of new tasks come in the order of the tasks' indices. This check also limits the
	 * memory.
	 */
	if (task->index < reader->run_workers || task->index > next ||
	    reader->run_tasks + (task->index == next) > SAMPLE_MOST_TASKS)
		return "a task out of order";
	if (task->worker >= reader->run_workers ||
	    (task->parent != -1 &&
	     (task->parent < (int32_t)reader->run_workers || task->parent >= (int32_t)task->index)))
		return "a task that belongs to no command";
	if (task->begin_ns < 0 || (task->end_ns >= 0 && task->end_ns < task->begin_ns))
		return "a task that ends before it begins";
	reader->run_tasks += task->index == next;
	begin_sample(reader, SAMPLE_TASKS, time_ns);
	reader->sample.tasks.n = 1;
	reader->sample.tasks.list = task;
	give_sample(reader);
	return NULL;
}

static const char *take_slice_row(struct log_reader *reader, int64_t time_ns)
{
	return read_slice(reader, time_ns, 0);
}

static const char *take_merged_row(struct log_reader *reader, int64_t time_ns)
{
	static const struct log_field number = {LOG_VALUE, FIELD_U32, 0, sizeof(uint32_t)};
	const char *text = log_cells_text(&reader->cells, LOG_VALUE);
	uint32_t merged;

	if (reader->in_run)
		return "slices of an unfinished run cannot be merged";
	log_cells_put_number(&reader->cells, LOG_VALUE, text, strlen(text));
	if (!log_cells_get(&reader->cells, &number, &merged))
		return no_fit;
	if (merged < 2 || merged > UINT8_MAX || !log_cells_has(&reader->cells, LOG_ID))
		return "not several slices of one task";
	return read_slice(reader, time_ns, merged);
}

static const char *take_bucket(struct log_reader *reader, int64_t time_ns)
{
	const struct sample_bucket *before = reader->buckets.items;
	const uint32_t n = reader->buckets.n;
	struct sample_bucket bucket = {0};
	const char *why = take_running(reader, LOG_BUCKET, &bucket, NULL);

	if (why)
		return why;
	/* Each bucket occurs once, in ascending order. This check also limits the memory. */
	if (bucket.from_ns < 0 || bucket.count <= 0 || bucket.count > UINT32_MAX ||
	    (n > 0 && tally_bucket((uint64_t)before[n - 1].from_ns) >=
			      tally_bucket((uint64_t)bucket.from_ns)))
		return "operations out of order, or without time or number";
	keep_waiting(reader, &reader->buckets, time_ns, &bucket, sizeof(bucket));
	return NULL;
}

static const char *take_request_row(struct log_reader *reader, int64_t time_ns)
{
	struct sample_request request = {0};
	const char *why = take_running(reader, LOG_REQUEST, &request, &request.index);

	if (why)
		return why;
	if (!log_cells_has(&reader->cells, LOG_ID) || request.index >= reader->run_workers)
		return "a request of a worker that the plan does not have";
	if (request.request_ns < 0 || request.reply_ns < request.request_ns)
		return "a request that was answered before it was read";
	/* A run records no more requests. The check also limits the memory of the reader. */
	if (reader->requests.n == SERVING_MARKS)
		return "more requests than a run records";
	keep_waiting(reader, &reader->requests, time_ns, &request, sizeof(request));
	return NULL;
}

/* Whether the bucket is after the last one. This also limits the memory of the reader. */
static bool follows_wake(const struct log_reader *reader, const struct sample_wake *next)
{
	const struct sample_wake *list = reader->wakes.items, *last;

	if (reader->wakes.n == 0)
		return true;
	last = &list[reader->wakes.n - 1];
	if (last->wake != next->wake)
		return last->wake < next->wake;
	if (last->woken != next->woken)
		return last->woken < next->woken;
	return last->max_ns == next->max_ns &&
	       tally_bucket((uint64_t)last->from_ns) < tally_bucket((uint64_t)next->from_ns);
}

/*
 * Takes one bucket of the cell, such as " 1024:12". Returns the number of characters, 0 if it makes
 * no sense.
 */
static int take_wake(struct log_reader *reader, int64_t time_ns, const char *text,
		     struct sample_wake *next)
{
	int used = 0;

	if (sscanf(text, " %" SCNd64 ":%" SCNd64 "%n", &next->from_ns, &next->count, &used) != 2)
		return 0;
	if (next->from_ns < 0 || next->from_ns > next->max_ns || next->count <= 0 ||
	    next->count > UINT32_MAX || !follows_wake(reader, next))
		return 0;
	keep_waiting(reader, &reader->wakes, time_ns, next, sizeof(*next));
	return used;
}

/* The cell holds the longest time, and then the buckets. */
static const char *take_wakes_row(struct log_reader *reader, int64_t time_ns)
{
	const char *text = log_cells_text(&reader->cells, LOG_VALUE);
	const char *kind = log_cells_text(&reader->cells, LOG_KIND);
	const char *waker = log_cells_text(&reader->cells, LOG_SUBJECT);
	const int wake = names_find(sample_wake_names, SAMPLE_WAKE_KINDS, kind);
	const uint32_t n = reader->wakes.n;
	struct sample_wake next = {0};
	struct sample_run run;
	const char *why = take_running(reader, LOG_WAKES, &run, NULL);
	int used = 0;

	if (why)
		return why;
	next.wake = (uint8_t)wake;
	next.woken = (uint8_t)names_find_or_0(sample_woken_names, WOKENS, waker);
	if (wake >= 0 && sscanf(text, "%" SCNd64 "%n", &next.max_ns, &used) != 1)
		used = 0;
	for (text += used; used > 0 && *text; text += used)
		used = take_wake(reader, time_ns, text, &next);
	if (used > 0)
		return NULL;
	reader->wakes.n = n;
	return "wake-ups out of order, or without time or number";
}

/* Reads a row that sets one member of *to. */
static const char *take_member_row(struct log_reader *reader, enum log_record record,
				   const struct field *members, void *to)
{
	const char *subject = log_cells_text(&reader->cells, LOG_SUBJECT);
	const char *text = log_cells_text(&reader->cells, LOG_VALUE);
	struct sample_run run;
	const char *why = take_running(reader, record, &run, NULL);

	if (why)
		return why;
	for (const struct field *member = members; member->name; member++)
		if (strcmp(subject, member->name) == 0)
			return take_member(reader, member, text, to);
	return "an unknown metric";
}

/* Handles the row that follows the late slices of an ended run: they are complete now. */
static const char *take_late_end(struct log_reader *reader, int64_t time_ns)
{
	struct sample_run run;
	const char *why = take_run(reader, &run);

	if (why)
		return why;
	if (strcmp(log_cells_text(&reader->cells, LOG_SUBJECT), "slices") != 0)
		return "an unknown metric";
	begin_sample(reader, SAMPLE_SLICES, time_ns)->run = run;
	give_sample(reader);
	return NULL;
}

static const char *take_thinned_row(struct log_reader *reader, int64_t time_ns)
{
	if (!reader->in_run)
		return take_late_end(reader, time_ns);
	return take_member_row(reader, LOG_THINNED, sample_thinned_fields, &reader->thinned);
}

static const char *take_watched_row(struct log_reader *reader, int64_t time_ns)
{
	return take_member_row(reader, LOG_WATCHED, sample_watched_fields, &reader->watched);
}

static const char *const no_room = "more cores than there are rows for";

static const char *take_core(struct log_reader *reader, int64_t time_ns)
{
	struct sample_core core;
	const char *why = take_fields(reader, reader->schema.fields[LOG_CORE], &core);

	if (why)
		return why;
	if (core.cpu < 0 || core.cpu >= LOG_MAX_CORES)
		return "a core whose number is missing or too large";
	if (reader->cores.time_ns != time_ns)
		drop_waiting(reader, &reader->cores);
	if (reader->cores.n == LOG_MAX_CORES)
		return "more cores than any machine has";
	/*
	 * If a core appears late, the receiver of the samples stores a value of it for each earlier
	 * tick, so limit the number of such cores.
	 */
	if (!reader->core_seen[core.cpu]) {
		if (reader->unseen_cores + reader->ticks > LOG_UNSEEN_CORES)
			return no_room;
		reader->unseen_cores += reader->ticks;
		reader->core_seen[core.cpu] = 1;
		reader->n_core_seen++;
	}
	keep_waiting(reader, &reader->cores, time_ns, &core, sizeof(core));
	return NULL;
}

static const char *take_tick(struct log_reader *reader, int64_t time_ns)
{
	struct sample_tick tick = {.in_run = log_cells_has(&reader->cells, LOG_RUN)};
	const char *why;
	uint64_t unseen;

	fields_unknown(sample_tick_fields, &tick);
	tick.memory = sample_memory_unknown();
	if (tick.in_run)
		why = take_running(reader, LOG_TICK, &tick, NULL);
	else
		why = take_fields(reader, reader->schema.fields[LOG_TICK], &tick);
	if (!why && time_ns < reader->tick_ns)
		why = "a tick out of order";
	if (why)
		return why;
	if (reader->cores.time_ns != time_ns)
		drop_waiting(reader, &reader->cores);
	if (reader->cores.n < reader->n_core_seen)
		unseen = reader->n_core_seen - reader->cores.n;
	else
		unseen = 0;
	if (reader->unseen_cores + unseen > LOG_UNSEEN_CORES)
		return no_room;
	reader->unseen_cores += unseen;
	reader->ticks++;
	reader->tick_ns = time_ns;
	tick.n_cores = reader->cores.n;
	tick.cores = reader->cores.items;
	if (tick.in_run) {
		tick.n_workers = reader->workers.n;
		tick.workers = reader->workers.items;
	}
	begin_sample(reader, SAMPLE_TICK, time_ns)->tick = tick;
	give_sample(reader);
	reader->cores.n = 0;
	if (tick.in_run)
		reader->workers.n = 0;
	return NULL;
}

static const char *take_end(struct log_reader *reader, int64_t time_ns)
{
	struct sample_totals totals = {0};
	const char *why = take_running(reader, LOG_END, &totals, NULL);

	if (!why && time_ns < reader->run_ns)
		why = "an end row before its begin row";
	if (why)
		return why;
	give_end(reader, time_ns, &totals);
	return NULL;
}

static const char *take_message(struct log_reader *reader, int64_t time_ns)
{
	int severity =
		names_find(log_schema_severities, 3, log_cells_text(&reader->cells, LOG_SUBJECT));
	struct sample *sample;

	if (severity < 0)
		return "a message with an unknown severity";
	sample = begin_sample(reader, SAMPLE_MESSAGE, time_ns);
	sample->message.severity = (enum sample_severity)severity;
	log_cells_copy(&reader->cells, LOG_VALUE, sample->message.text,
		       sizeof(sample->message.text));
	/* Older recordings have no kinds of messages, so find the kind from the words. */
	if (memchr(reader->cells.map, LOG_KIND, MIN(reader->cells.n_columns, LOG_FILE_COLUMNS)))
		sample->message.kind = (enum sample_message_kind)names_find_or_0(
			sample_message_names, MESSAGE_KINDS,
			log_cells_text(&reader->cells, LOG_KIND));
	else if (severity == SAMPLE_INFO &&
		 strstr(sample->message.text, "--stack-size default,16K"))
		sample->message.kind = MESSAGE_STACKS;
	else if (strstr(sample->message.text, "smaps_rollup"))
		sample->message.kind = MESSAGE_NO_PSS;
	else
		sample->message.kind = MESSAGE_OTHER;
	give_sample(reader);
	return NULL;
}

static const char *take_done(struct log_reader *reader, int64_t time_ns)
{
	begin_sample(reader, SAMPLE_DONE, time_ns);
	give_sample(reader);
	return NULL;
}

/*
 * Each function handles a row of its record. It returns NULL, or the reason for leaving the row
 * out.
 */
static const char *(*const take_record[LOG_RECORDS])(struct log_reader *reader, int64_t time_ns) = {
	[LOG_META] = take_meta,
	[LOG_CASE_ROW] = take_case,
	[LOG_BEGIN] = take_begin,
	[LOG_CORE] = take_core,
	[LOG_WORKER] = take_worker,
	[LOG_TICK] = take_tick,
	[LOG_END] = take_end,
	[LOG_MESSAGE] = take_message,
	[LOG_DONE] = take_done,
	[LOG_SLICE] = take_slice_row,
	[LOG_BUCKET] = take_bucket,
	[LOG_TASK] = take_task,
	[LOG_THINNED] = take_thinned_row,
	[LOG_REQUEST] = take_request_row,
	[LOG_WATCHED] = take_watched_row,
	[LOG_MERGED] = take_merged_row,
	[LOG_WAKES] = take_wakes_row,
};

static const char *take_row(struct log_reader *reader)
{
	static const struct log_field time[] = {{LOG_TIME, FIELD_I64, 0, sizeof(int64_t)},
						{LOG_NONE}};
	int record = names_find(log_schema_records, LOG_RECORDS,
				log_cells_text(&reader->cells, LOG_RECORD));
	const char *why;
	int64_t time_ns;

	if (record < 0)
		return "an unknown record";
	if (record == LOG_SCENE_ROW) {
		/*
		 * A scene's row at the beginning means the recording of a lecture, which has
		 * several sessions.
		 */
		if (reader->has_session || reader->damage.rows > 1)
			return "a scene's row in a session";
		reader->result = -EMEDIUMTYPE;
		return NULL;
	}
	why = take_fields(reader, time, &time_ns);
	if (why)
		return why;
	if (time_ns < 0)
		return "a row without its time";
	if (record != LOG_META && record != LOG_CASE_ROW) {
		if (reader->n_cases == 0)
			return "a row before the session's first case";
		give_session(reader);
	}
	return take_record[record](reader, time_ns);
}

void log_reader_skip(struct log_reader *reader, uint64_t lines)
{
	reader->line_number += lines;
}

void log_reader_answer_only(struct log_reader *reader)
{
	reader->brief = true;
}

/* Lines. */

/*
 * Whether workers share an object. If they do, the answer needs the slices, because only these show
 * when workers ran at the same time.
 */
static bool needs_slices(const struct log_reader *reader)
{
	for (uint32_t i = 0; i < reader->n_cases; i++)
		if (reader->cases[i].plan.leaves[WORK_SHARE] > 0)
			return true;
	return false;
}

/*
 * Whether the answer can do without the row. It needs a tick that follows rows of workers, because
 * the tick completes their sample.
 */
static bool is_needless(const struct log_reader *reader, const char *line, size_t n)
{
	static const char *const begins[] = {"slice,", "task,", "merged,", "core,", "tick,"};
	size_t i = 0;

	while (i < 5 && (n < strlen(begins[i]) || memcmp(line, begins[i], strlen(begins[i])) != 0))
		i++;
	return i == 3 || (i == 4 && reader->workers.n == 0) || (i < 3 && !needs_slices(reader));
}

/*
 * Takes the header. A line before the header belongs to a greeting, which may end without a
 * newline.
 */
static void take_first_line(struct log_reader *reader, const char *line, size_t n)
{
	static const char *const others[] = {"record;time_ns;", "record\ttime_ns\t"};
	static const char header[] = "record,time_ns,";
	struct log_damage *damage = &reader->damage;
	const char *at = memmem(line, n, header, sizeof(header) - 1);
	size_t length = n;

	if (log_cells_header(&reader->cells, line, n) == 0)
		return;
	for (size_t i = 0; i < 2; i++)
		reader->separated |= memmem(line, n, others[i], strlen(others[i])) != NULL;
	if (damage->greeting++ == 0)
		reader->tar = bundle_is_tar(line, n);
	while (length > 0 && strchr(" \t\r\n", line[length - 1]))
		length--;
	if (!*damage->greeted)
		snprintf(damage->greeted, sizeof(damage->greeted), "%.*s", (int)length, line);
	if (at)
		log_cells_header(&reader->cells, at, n - (size_t)(at - line));
	reader->foreign = reader->cells.n_columns == 0 && damage->greeting == LOG_GREETING;
	reader->foreign |= reader->tar;
}

static void take_line(struct log_reader *reader, const char *line, size_t n)
{
	const char *why;
	int kind;

	reader->line_number++;
	if (reader->cells.n_columns == 0) {
		take_first_line(reader, line, n);
		if (reader->cells.short_of_memory)
			reader->result = -ENOMEM;
		return;
	}
	reader->garbage += n;
	if (reader->brief && reader->cells.map[0] == LOG_RECORD && is_needless(reader, line, n)) {
		reader->garbage = 0;
		return;
	}
	kind = log_cells_row(&reader->cells, line, n, &why);
	if (reader->cells.short_of_memory)
		reader->result = -ENOMEM;
	if (kind == 0)
		return;
	reader->damage.rows++;
	if (kind > 0) {
		if (names_find(log_schema_records, LOG_RECORDS,
			       log_cells_text(&reader->cells, LOG_RECORD)) >= 0)
			reader->garbage = 0;
		why = take_row(reader);
	}
	if (why)
		leave_out_rows(reader, reader->line_number, 1, why);
}

/* Takes a part of a line. whole: the part includes the end of the line. */
static void take_part(struct log_reader *reader, const char *bytes, size_t n, bool whole)
{
	if (reader->skipping) {
		reader->skipping = !whole;
		reader->garbage += n;
	} else if (n > LOG_LINE - reader->used) {
		reader->line_number++;
		reader->used = 0;
		reader->foreign = reader->cells.n_columns == 0;
		reader->damage.rows++;
		leave_out_rows(reader, reader->line_number, 1, "a line of more than 65536 bytes");
		reader->skipping = !whole;
	} else if (whole && reader->used == 0) {
		take_line(reader, bytes, n);
	} else {
		memcpy(reader->line + reader->used, bytes, n);
		reader->used += n;
		if (whole) {
			take_line(reader, reader->line, reader->used);
			reader->used = 0;
		}
	}
}

/* The error for a file that is not a log, found from its first bytes. */
static int foreign_error(const struct log_reader *reader)
{
	static const struct {
		uint8_t bytes[4];
		size_t n;
		int err;
	} known[] = {
		{{0x1f, 0x8b}, 2, LOG_ECOMPRESSED},		/* compressed twice with gzip */
		{{0xfd, '7', 'z', 'X'}, 4, LOG_ECOMPRESSED},	/* xz */
		{{0x28, 0xb5, 0x2f, 0xfd}, 4, LOG_ECOMPRESSED}, /* compressed twice with zstd */
		{{'B', 'Z', 'h'}, 3, LOG_ECOMPRESSED},		/* bzip2 */
		{{'P', 'K', 3, 4}, 4, LOG_ECOMPRESSED},		/* zip */
		{{0x04, 0x22, 0x4d, 0x18}, 4, LOG_ECOMPRESSED}, /* lz4 */
		{{0xff, 0xfe}, 2, LOG_EUTF16},
		{{0xfe, 0xff}, 2, LOG_EUTF16},
		{{'r', 0, 'e', 0}, 4, LOG_EUTF16},
		{{0, 'r', 0, 'e'}, 4, LOG_EUTF16},
	};

	for (size_t i = 0; i < LENGTH(known); i++)
		if (reader->n_head >= known[i].n &&
		    memcmp(reader->head, known[i].bytes, known[i].n) == 0)
			return -known[i].err;
	if (reader->damage.unpacked.why == LOG_UNPACK_BROKEN ||
	    reader->damage.unpacked.why == LOG_UNPACK_BOMB)
		return -LOG_EUNPACK;
	/*
	 * The session has only begun, or ended in its first second, so there was nothing to unpack.
	 */
	if (reader->damage.unpacked.packed && reader->damage.unpacked.out == 0)
		return -ENODATA;
	if (reader->tar)
		return -LOG_ETAR;
	if (reader->separated)
		return -LOG_ESEPARATOR;
	return -EPROTO;
}

/*
 * Feeds the next unpacked bytes to the row reader. Returning a value other than 0 ends the
 * unpacking, but does not mean that the file is damaged.
 */
static int take_bytes(void *arg, const void *bytes, size_t n)
{
	struct log_reader *reader = arg;
	const char *at = bytes;

	for (size_t i = 0; i < n; i++) {
		if (reader->n_head >= sizeof(reader->head))
			break;
		reader->head[reader->n_head++] = (uint8_t)at[i];
	}
	while (n > 0 && !reader->foreign && !reader->result && !reader->damage.garbage) {
		const char *newline = memchr(at, '\n', n);
		size_t part = newline ? (size_t)(newline + 1 - at) : n;

		take_part(reader, at, part, newline != NULL);
		reader->damage.garbage = reader->garbage > LOG_GARBAGE;
		at += part;
		n -= part;
	}
	if (reader->foreign || reader->result || reader->damage.garbage)
		return -ECANCELED;
	return 0;
}

/* At the end of the file, handles rows that still wait for others. */
static void end_rows(struct log_reader *reader)
{
	reader->ended = true;
	reader->foreign |= reader->cells.n_columns == 0;
	/* Ignore a line without a newline, because its last number may be incomplete. */
	reader->damage.torn = !reader->foreign && (reader->used > 0 || reader->skipping);
	if (!reader->foreign && reader->used > 0) {
		reader->damage.rows++;
		leave_out_rows(reader, reader->line_number + 1, 1, "a line without its end");
	}
	if (!reader->foreign)
		give_session(reader);
	drop_waiting(reader, &reader->cores);
	drop_waiting(reader, &reader->workers);
	drop_waiting(reader, &reader->buckets);
	drop_waiting(reader, &reader->requests);
	drop_waiting(reader, &reader->wakes);
}

int log_reader_feed(struct log_reader *reader, const void *bytes, size_t n,
		    int (*emit)(void *arg, const struct sample *sample), void *arg)
{
	struct log_damage *damage = &reader->damage;

	reader->emit = emit;
	reader->emit_arg = arg;
	if (log_unpack(reader->unpacker, bytes, n, take_bytes, reader) == -ENOMEM)
		return -ENOMEM;
	damage->unpacked = *log_unpacker_state(reader->unpacker);
	damage->garbage |= damage->unpacked.why == LOG_UNPACK_GARBAGE;
	if (n == 0 && !reader->ended)
		end_rows(reader);
	if (reader->foreign)
		return foreign_error(reader);
	return reader->result;
}

static int stop_at_sample(void *arg, const struct sample *sample)
{
	return ECANCELED;
}

int log_check_begin(int fd, off_t at, size_t n)
{
	struct log_reader *reader = log_reader_new();
	char bytes[BEGIN_PIECE];
	int err = reader ? 0 : -ENOMEM;
	ssize_t got = 1;

	for (size_t read = 0; read < n; read += (size_t)got) {
		if (err || got <= 0)
			break;
		got = pread(fd, bytes, MIN(sizeof(bytes), n - read), at + (off_t)read);
		if (got > 0)
			err = log_reader_feed(reader, bytes, (size_t)got, stop_at_sample, NULL);
		else if (got < 0)
			err = -errno;
	}
	/*
	 * Even after the longest greeting there is no header. Let the reader find out what kind of
	 * file this is.
	 */
	if (!err && reader->cells.n_columns == 0)
		err = log_reader_feed(reader, NULL, 0, stop_at_sample, NULL);
	log_reader_free(reader);
	if (err == ECANCELED)
		return 0;
	return err;
}
