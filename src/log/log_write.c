/* SPDX-License-Identifier: MIT */
#include "core/sample.h"
#include "log/log.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/patience.h"
#include "log_parts.h"

#define LOG_BUFFER 65536
#define WAKE_BYTES 32	 /* More than a bucket of wake-ups in a row. */
#define LOG_ROW	   16384 /* More than the longest row: a quoted command and every other cell. */
#define LOG_PERIOD INT64_C(1000000000)
#define LOG_ENDS   256 /* At most this many ends of samples are stored. */

struct log_writer {
	int fd;
	bool regular; /* The descriptor is a regular file, not a pipe or a terminal. */
	const struct patience
		*patience; /* Time limit for writing to a file that is not regular; NULL: none. */
	int error;	   /* -errno of the first write that failed */
	enum log_packing packing;
	struct log_packer *packer; /* NULL: no compression. */
	int64_t flushed_ns;
	/* By worker of the run. due: its newest state is still to be written. held: that state. */
	bool *due; /* NULL: rows are written at once. */
	struct sample_worker *held;
	uint32_t n_workers;

	/* The cells from run to variables, which all rows of a run share. */
	struct sample_run run;
	bool in_run;
	char run_cells[2 * SAMPLE_MODEL + 2 * VARIABLES_TEXT + 64];
	size_t run_length;

	/*
	 * Slices of a run are written as long as the file is shorter than slices_until. left_out
	 * counts the others.
	 */
	uint64_t limit, slices_until, left_out;
	uint64_t session_begin; /* Bytes of the file before the session. */
	/* Slices written so far. The bytes are without the cells of record and time. */
	uint64_t slice_rows, slice_bytes;
	bool late;     /* The left-out slices of a run that has ended are being written. */
	bool reported; /* log_write() has returned the error. */
	/* runs: number of runs begun so far. thinned: number of these that lack slices. */
	uint32_t runs, thinned;

	char answer[SAMPLE_COMMAND]; /* The answer, for the row of the session's end. */
	/*
	 * Copy of the newest row "done" (NULL: none), and the number of bytes of all rows up to the
	 * end of that row.
	 */
	char *end_row;
	size_t end_length;
	uint64_t ended;

	struct log_schema schema;
	uint64_t drained; /* Bytes of rows that have left the buffer. */
	uint64_t written; /* Bytes that were written to the file. */
	/*
	 * Where samples end in the file: `whole` is the last end before the buffer, ends[] are
	 * those in the buffer.
	 */
	uint64_t whole, ends[LOG_ENDS];
	uint32_t n_ends;

	unsigned column; /* Column of the next cell of the current row. */
	size_t used;
	uint32_t n_cases;
	/* Large, but most of the memory is never touched. */
	struct sample_case cases[SAMPLE_MAX_CASES];
	char buffer[LOG_BUFFER];
};

struct log_writer *log_create(int fd)
{
	struct log_writer *log = malloc(sizeof(*log));
	struct stat st;

	if (!log)
		return NULL;
	memset(log, 0, offsetof(struct log_writer, cases));
	log_schema_init(&log->schema);
	log->fd = fd;
	log->regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	log->flushed_ns = -LOG_PERIOD;
	log->limit = log->slices_until = UINT64_MAX;
	return log;
}

void log_limit(struct log_writer *log, uint64_t bytes)
{
	if (log->regular)
		log->limit = bytes;
	else
		log->limit = UINT64_MAX;
}

uint64_t log_left_out(const struct log_writer *log)
{
	return log->left_out;
}

uint32_t log_thinned(const struct log_writer *log, uint32_t *runs)
{
	*runs = log->runs;
	return log->thinned;
}

const char *log_strerror(int err)
{
	if (patience_unread(err))
		return "nobody reads it";
	return strerror(-err);
}

void log_set_patience(struct log_writer *log, const struct patience *patience)
{
	if (log->regular)
		log->patience = NULL;
	else
		log->patience = patience;
}

int log_compress(struct log_writer *log, enum log_packing packing)
{
	if (packing == LOG_PLAIN)
		return 0;
	log->packing = packing;
	log->packer = log_packer_new(packing);
	if (log->packer)
		return 0;
	return -ENOMEM;
}

/*
 * Writes to the file, and adds the number of bytes written to *done. With patience, adds all n even
 * after an error, because patience_write() does not return the number. Returns 0 or -errno.
 */
static int write_bytes(const struct log_writer *log, const char *bytes, size_t n, uint64_t *done)
{
	struct pollfd writable = {.fd = log->fd, .events = POLLOUT};
	size_t at = 0;
	int err = 0;

	if (log->patience) {
		*done += n;
		return patience_write(log->patience, log->fd, bytes, n);
	}
	while (!err && at < n) {
		const ssize_t written = write(log->fd, bytes + at, n - at);

		if (written > 0)
			at += (size_t)written;
		else if (written < 0 && errno == EAGAIN) {
			if (poll(&writable, 1, -1) < 0 && errno != EINTR)
				err = -errno;
			else
				err = 0;
		} else if (written == 0 || errno != EINTR) {
			if (written == 0)
				err = -EIO;
			else
				err = -errno;
		}
	}
	*done += at;
	return err;
}

static int write_packed(void *arg, const void *bytes, size_t n)
{
	struct log_writer *log = arg;

	return write_bytes(log, bytes, n, &log->written);
}

/*
 * Truncates a file after its last whole sample. If that fails, nothing is done, because the reader
 * can handle an incomplete row or frame.
 */
static void cut_back(const struct log_writer *log)
{
	const off_t at = log->regular ? lseek(log->fd, 0, SEEK_CUR) : -1;
	uint64_t end = log->whole, torn;

	for (uint32_t i = 0; i < log->n_ends; i++) {
		if (log->ends[i] > log->written)
			break;
		end = log->ends[i];
	}
	torn = log->written - end;
	if (torn > 0 && at >= (off_t)torn)
		(void)!ftruncate(log->fd, at - (off_t)torn);
}

/* Writes the whole buffer. Its last byte is always the end of a row. */
static void log_drain(struct log_writer *log, enum log_pack_until to)
{
	/* After an error, rows are discarded. */
	if (log->error) {
		log->n_ends = 0;
		log->used = 0;
		return;
	}
	log->drained += log->used;
	if (log->packer)
		log->error = log_pack(log->packer, log->buffer, log->used, to, write_packed, log);
	else
		log->error = write_bytes(log, log->buffer, log->used, &log->written);
	/* In an unfinished frame, only flushed rows can be unpacked. */
	if (log->error)
		cut_back(log);
	else if (log->packer && to != LOG_PACK_SOME)
		log->whole = log->written;
	else if (log->n_ends > 0)
		log->whole = log->ends[log->n_ends - 1];
	log->n_ends = 0;
	log->used = 0;
}

/* Records that a sample ends here, where the file may be truncated. */
static void log_end_sample(struct log_writer *log)
{
	if (log->packer)
		return;
	log->ends[log->n_ends++] = log->drained + log->used;
	if (log->n_ends == LOG_ENDS)
		log_drain(log, LOG_PACK_SOME);
}

static void log_comma_to(struct log_writer *log, unsigned column)
{
	while (log->column < column) {
		log->buffer[log->used++] = ',';
		log->column++;
	}
}

static void log_bytes(struct log_writer *log, const char *bytes, size_t n)
{
	memcpy(log->buffer + log->used, bytes, n);
	log->used += n;
}

static void log_text(struct log_writer *log, unsigned column, const char *text)
{
	char cell[SAMPLE_COMMAND]; /* the longest cell */
	size_t n = log_schema_copy(cell, sizeof(cell), text);

	log_comma_to(log, column);
	/* Quote outer spaces too, because libcsv drops spaces around a cell without quotes. */
	if (strcspn(cell, ",\"") < n || (n > 0 && (cell[0] == ' ' || cell[n - 1] == ' ')))
		log->used += csv_write2(log->buffer + log->used, LOG_BUFFER - log->used, cell, n,
					CSV_QUOTE);
	else
		log_bytes(log, cell, n);
}

/* Writes a number digit by digit, because snprintf() would be most of the cost of a row. */
static void log_unsigned(struct log_writer *log, unsigned column, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	log_comma_to(log, column);
	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	log_bytes(log, digits + at, sizeof(digits) - at);
}

static void log_number(struct log_writer *log, unsigned column, int64_t number)
{
	log_comma_to(log, column);
	if (number < 0)
		log->buffer[log->used++] = '-';
	log_unsigned(log, column, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void log_field(struct log_writer *log, const struct log_field *field, const void *base)
{
	const void *member = (const char *)base + field->offset;
	const int64_t integer = fields_integer(field->type, member);
	char number[32];
	double d;

	switch ((enum field_type)field->type) {
	case FIELD_I16:
	case FIELD_I32:
	case FIELD_I64:
		if (integer != -1)
			log_number(log, field->column, integer);
		break;
	case FIELD_U32:
	case FIELD_U64:
	case FIELD_BOOL:
		log_unsigned(log, field->column, (uint64_t)integer);
		break;
	case FIELD_STATUS:
		log_text(log, field->column, sample_status_name(*(const uint8_t *)member));
		break;
	case FIELD_DOUBLE:
		d = *(const double *)member;
		if (d != -1 && isfinite(d))
			log_text(log, field->column, log_schema_double(d, number, sizeof(number)));
		break;
	case FIELD_TEXT:
		log_text(log, field->column, member);
		break;
	default:
		break;
	}
}

static void log_fields(struct log_writer *log, enum log_record record, const void *base)
{
	const struct log_field *field = log->schema.fields[record];

	for (; field->column != LOG_NONE; field++)
		log_field(log, field, base);
}

static void log_row_begin(struct log_writer *log, enum log_record record, int64_t time_ns)
{
	const char *name = log_schema_records[record];

	if (log->used > LOG_BUFFER - LOG_ROW)
		log_drain(log, LOG_PACK_SOME);
	log_bytes(log, name, strlen(name));
	log->column = LOG_RECORD;
	log_number(log, LOG_TIME, time_ns);
}

/* Writes the cells that name the row's run. */
static void log_row_run(struct log_writer *log)
{
	log_bytes(log, log->run_cells, log->run_length);
	log->column = LOG_VARIABLES;
}

static void log_row_end(struct log_writer *log)
{
	log_comma_to(log, log->schema.n_columns - 1u);
	log_bytes(log, "\r\n", 2);
}

static const struct sample_case *log_case(const struct log_writer *log)
{
	if (log->run.case_id < log->n_cases)
		return &log->cases[log->run.case_id];
	return NULL;
}

/*
 * Makes the cells that name the run. Writes them to the end of the buffer, and copies them from
 * there.
 */
static void log_set_run(struct log_writer *log, const struct sample_run *run)
{
	const struct sample_case *c;
	char variables[VARIABLES_TEXT] = "";
	size_t before;

	if (log->in_run && memcmp(run, &log->run, sizeof(*run)) == 0)
		return;
	if (log->used > LOG_BUFFER - LOG_ROW)
		log_drain(log, LOG_PACK_SOME);
	before = log->used;
	log->in_run = true;
	log->run = *run;
	log->column = LOG_TIME;
	log_fields(log, LOG_BEGIN, run);
	c = log_case(log);
	log_text(log, LOG_MODEL, c ? c->model : "");
	if (c)
		variables_format(&c->variables, ';', variables, sizeof(variables));
	log_text(log, LOG_VARIABLES, variables);
	log->run_length = log->used - before;
	memcpy(log->run_cells, log->buffer + before, log->run_length);
	log->used = before;
}

/* Writes a row that consists of members of a sample. */
static void log_row(struct log_writer *log, enum log_record record, int64_t time_ns, bool of_run,
		    const void *base)
{
	log_row_begin(log, record, time_ns);
	if (of_run)
		log_row_run(log);
	log_fields(log, record, base);
	log_row_end(log);
}

/* Writes the header if nothing was written yet. Returns false if nothing more may be written. */
static bool log_starts(struct log_writer *log)
{
	if (log->drained + log->used > 0 || log->error)
		return !log->error;
	log->column = LOG_RECORD;
	for (unsigned i = 0; i < log->schema.n_columns; i++)
		log_text(log, i, log->schema.columns[i]);
	log_row_end(log);
	return true;
}

static void log_meta(struct log_writer *log, int64_t time_ns, const char *key,
		     const struct log_field *value, const void *base)
{
	log_row_begin(log, LOG_META, time_ns);
	log_text(log, LOG_SUBJECT, key);
	log_field(log, value, base);
	log_row_end(log);
}

static void log_session(struct log_writer *log, const struct sample *sample)
{
	static const struct log_field format = {LOG_VALUE, FIELD_U32, 0, sizeof(uint32_t)};
	const struct sample_session *session = &sample->session;
	const int64_t time_ns = sample->time_ns;
	char plan[SAMPLE_TEXT], variables[VARIABLES_TEXT];

	log_meta(log, time_ns, "format", &format, &(uint32_t) {LOG_FORMAT});
	for (const struct field *key = sample_session_fields; key->name; key++) {
		const struct log_field value = {LOG_VALUE, key->type, key->offset, key->size};

		log_meta(log, time_ns, key->name, &value, session);
	}
	log->n_cases = MIN(session->cases, SAMPLE_MAX_CASES);
	for (uint32_t i = 0; i < log->n_cases; i++) {
		const struct sample_case *config = &log->cases[i];

		log->cases[i] = session->cases_list[i];
		log_row_begin(log, LOG_CASE_ROW, time_ns);
		log_unsigned(log, LOG_CASE, i);
		log_text(log, LOG_MODEL, config->model);
		log_text(log, LOG_VARIABLES,
			 variables_format(&config->variables, ';', variables, sizeof(variables)));
		log_text(log, LOG_VALUE, log_schema_case(config, plan, sizeof(plan)));
		log_text(log, log->schema.command, config->command);
		log_row_end(log);
	}
}

static void log_worker(struct log_writer *log, uint32_t index, const struct sample_worker *worker,
		       int64_t time_ns)
{
	const struct sample_case *c = log_case(log);
	struct plan_node node;
	char name[SAMPLE_LABEL];

	plan_node(&c->plan, index, &node);
	log_row_begin(log, LOG_WORKER, time_ns);
	log_row_run(log);
	log_unsigned(log, LOG_ID, index);
	log_text(log, LOG_SUBJECT, plan_name(&c->plan, index, name, sizeof(name)));
	if (node.parent != PLAN_ROOT)
		log_unsigned(log, LOG_PARENT, node.parent);
	log_unsigned(log, LOG_DEPTH, node.level + 1);
	log_text(log, LOG_WORK, plan_work_name((enum work_kind)node.work));
	log_fields(log, LOG_WORKER, worker);
	log_row_end(log);
}

static void forget_workers(struct log_writer *log)
{
	free(log->held);
	free(log->due);
	log->held = NULL;
	log->due = NULL;
}

static void log_due_workers(struct log_writer *log, int64_t time_ns)
{
	for (uint32_t i = 0; i < log->n_workers; i++) {
		if (!log->due)
			break;
		if (log->due[i]) {
			log->due[i] = false;
			log_worker(log, i, &log->held[i], time_ns);
		}
	}
}

static void log_workers(struct log_writer *log, const struct sample_change *changes, uint32_t n,
			int64_t time_ns)
{
	for (const struct sample_change *change = changes; change < changes + n; change++) {
		const struct sample_worker *worker = &change->worker;
		const uint32_t index = change->index;
		bool hold = log->due && worker->join_ns == -1 && worker->status != SAMPLE_REFUSED;

		if (index >= log->n_workers)
			continue;
		if (log->due)
			log->due[index] = hold;
		if (hold)
			log->held[index] = *worker;
		else
			log_worker(log, index, worker, time_ns);
	}
}

/*
 * Whether to flush now. The reader of a pipe should get every sample at once; a regular file can
 * wait.
 */
static bool log_must_flush(const struct log_writer *log, const struct sample *sample)
{
	return !log->regular || sample->kind == SAMPLE_RUN_END || sample->kind == SAMPLE_DONE ||
	       sample->time_ns - log->flushed_ns >= LOG_PERIOD;
}

/*
 * Writes a tick. The tick's own row comes last, so a reader that has this row has the whole tick.
 */
static void log_tick(struct log_writer *log, const struct sample *sample)
{
	const struct sample_tick *tick = &sample->tick;

	if (tick->in_run) {
		log_set_run(log, &sample->run);
		log_workers(log, tick->workers, tick->n_workers, sample->time_ns);
		if (log_must_flush(log, sample))
			log_due_workers(log, sample->time_ns);
	}
	for (uint32_t i = 0; i < tick->n_cores; i++)
		log_row(log, LOG_CORE, sample->time_ns, tick->in_run, &tick->cores[i]);
	log_row(log, LOG_TICK, sample->time_ns, tick->in_run, tick);
}

/* Estimates the length of the file after everything so far has been written to it. */
static uint64_t file_bytes(const struct log_writer *log)
{
	return log->written + (log->packer ? 0 : log->used);
}

/*
 * A run's slices are recorded completely or not at all, because half of a run would give a wrong
 * timeline and wrong times by state. Which run is the newest, and which is the median of its case,
 * is known only at the session's end. Nothing is removed from the file, because another program may
 * be following it. So half of the limit is for the end: see log_late_room(). The first runs may use
 * the other half: each a quarter of the remaining space, or more if fewer runs are planned. If a
 * run needs more space, the bytes written for it are wasted. A part of the limit, and at least
 * OTHERS_LEAST bytes, is reserved for other rows, and for bytes that are still in the compressor.
 */
#define SLICES_SHARE 4
#define OTHERS_PART  64
#define OTHERS_LEAST 8192

/* Size of the session's part of the file from which on no slices are written. */
static uint64_t most_bytes(const struct log_writer *log)
{
	const uint64_t others = MAX(log->limit / OTHERS_PART, OTHERS_LEAST);

	return log->limit - MIN(log->limit, others);
}

static uint64_t session_bytes(const struct log_writer *log)
{
	return file_bytes(log) - log->session_begin;
}

bool log_exceeds(const struct log_writer *log)
{
	return session_bytes(log) > log->limit;
}

static void give_room(struct log_writer *log, const struct sample_run *run)
{
	const uint64_t used = session_bytes(log), most = most_bytes(log) / 2;
	const uint64_t left = most - MIN(used, most);
	const uint32_t runs = run->planned > run->run ? run->planned - run->run : 1;

	log->left_out = 0;
	log->slices_until = UINT64_MAX;
	if (log->limit != UINT64_MAX)
		log->slices_until = file_bytes(log) + left / MIN(runs, SLICES_SHARE);
}

static void log_slice(struct log_writer *log, int64_t time_ns, const struct sample_slice *slice)
{
	uint64_t before;

	log_row_begin(log, slice->merged > 0 ? LOG_MERGED : LOG_SLICE, time_ns);
	before = log->used;
	log_row_run(log);
	if (slice->index != SAMPLE_OTHERS)
		log_unsigned(log, LOG_ID, slice->index);
	if (slice->woken != WOKEN_UNKNOWN)
		log_text(log, LOG_SUBJECT, names_at(sample_woken_names, WOKENS, slice->woken));
	if (slice->merged > 0)
		log_unsigned(log, LOG_VALUE, slice->merged);
	log_text(log, LOG_KIND, names_at(sample_why_names, WHYS, slice->why));
	log_fields(log, LOG_SLICE, slice);
	log_row_end(log);
	log->slice_rows++;
	log->slice_bytes += log->used - before;
}

static void log_slices(struct log_writer *log, const struct sample *sample)
{
	log_set_run(log, &sample->run);
	for (uint32_t i = 0; i < sample->slices.n; i++) {
		const struct sample_slice *slice = &sample->slices.list[i];

		/* Skip an open slice. It comes again when it has ended. */
		if (slice->open)
			continue;
		if (log->left_out > 0 || file_bytes(log) >= log->slices_until) {
			log->thinned += log->left_out == 0;
			log->left_out++;
			continue;
		}
		log_slice(log, sample->time_ns, slice);
	}
}

/* About the length of a slice's row without its first two cells, used if none was written yet. */
#define SLICE_BYTES 200

uint64_t log_late_room(const struct log_writer *log)
{
	const uint64_t used = session_bytes(log), most = most_bytes(log);
	const double rows = (double)(log->drained + log->used);
	double each = SLICE_BYTES;

	if (log->error || log->limit == UINT64_MAX || used >= most || rows == 0)
		return 0;
	if (log->slice_rows > 0)
		each = (double)log->slice_bytes / (double)log->slice_rows;
	/* Add the first two cells, and an eighth, because runs differ. */
	each = (each + 24) * 9 / 8;
	if (log->packer)
		each *= (double)log->written / rows;
	return (uint64_t)((double)(most - used) / each);
}

void log_late_begin(struct log_writer *log, const struct sample_run *run)
{
	log_set_run(log, run);
	log->late = true;
}

void log_late(struct log_writer *log, int64_t time_ns, const struct sample_slice *slices, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		log->late = log->late && session_bytes(log) < most_bytes(log);
		if (log->late && !slices[i].open)
			log_slice(log, time_ns, &slices[i]);
	}
}

bool log_late_end(struct log_writer *log, int64_t time_ns)
{
	const bool whole = log->late;

	if (whole) {
		log_row_begin(log, LOG_THINNED, time_ns);
		log_row_run(log);
		log_text(log, LOG_SUBJECT, "slices");
		log_unsigned(log, LOG_VALUE, 0);
		log_row_end(log);
		log->thinned--;
	}
	log_end_sample(log);
	/* Flush, because the room for the next run depends on the file's length. */
	log_drain(log, LOG_PACK_FLUSH);
	log->late = log->in_run = false;
	return whole && !log->error;
}

static void log_tasks(struct log_writer *log, const struct sample *sample)
{
	log_set_run(log, &sample->run);
	for (uint32_t i = 0; i < sample->tasks.n; i++)
		log_row(log, LOG_TASK, sample->time_ns, true, &sample->tasks.list[i]);
}

static void log_begin(struct log_writer *log, const struct sample *sample)
{
	const struct sample_case *c;

	log->runs++;
	give_room(log, &sample->run);
	log_set_run(log, &sample->run);
	c = log_case(log);
	if (c)
		log->n_workers = plan_count(&c->plan);
	else
		log->n_workers = 0;
	forget_workers(log);
	/*
	 * Without memory to hold workers' rows, each row is written at once. The recording then has
	 * more rows, with the same final states.
	 */
	log->held = calloc(log->n_workers, sizeof(*log->held));
	if (log->held)
		log->due = calloc(log->n_workers, sizeof(*log->due));
	else
		log->due = NULL;
	log_row_begin(log, LOG_BEGIN, sample->time_ns);
	log_row_run(log);
	log_row_end(log);
}

/*
 * Writes values as rows. They have no columns in the row of the end, because most recordings do not
 * have such values.
 */
static void log_member_rows(struct log_writer *log, enum log_record record, int64_t time_ns,
			    const struct field *members, const void *base)
{
	for (const struct field *member = members; member->name; member++) {
		const struct log_field value = {LOG_VALUE, member->type, member->offset,
						member->size};

		log_row_begin(log, record, time_ns);
		log_row_run(log);
		log_text(log, LOG_SUBJECT, member->name);
		log_field(log, &value, base);
		log_row_end(log);
	}
}

/*
 * Writes the wake-ups of one kind by one kind of waker: the longest, and then the number in each
 * bucket, in as many rows as are needed. Returns the number of buckets.
 */
static uint32_t log_wakes(struct log_writer *log, int64_t time_ns, const struct sample_wake *list,
			  uint32_t n)
{
	char text[SAMPLE_TEXT];
	struct sentence buckets;
	uint32_t i = 0;

	while (i < n && list[i].wake == list->wake && list[i].woken == list->woken) {
		buckets = sentence_in(text, sizeof(text));
		sentence_add(&buckets, "%" PRId64, list->max_ns);
		for (; i < n && strlen(text) + WAKE_BYTES < sizeof(text); i++) {
			if (list[i].wake != list->wake || list[i].woken != list->woken)
				break;
			sentence_add(&buckets, " %" PRId64 ":%" PRId64, list[i].from_ns,
				     list[i].count);
		}
		log_row_begin(log, LOG_WAKES, time_ns);
		log_row_run(log);
		log_text(log, LOG_SUBJECT, names_at(sample_woken_names, WOKENS, list->woken));
		log_text(log, LOG_VALUE, text);
		log_text(log, LOG_KIND, names_at(sample_wake_names, SAMPLE_WAKE_KINDS, list->wake));
		log_row_end(log);
	}
	return i;
}

static void log_all_wakes(struct log_writer *log, const struct sample *sample)
{
	const uint32_t n = sample->end.n_wakes;

	for (uint32_t i = 0; i < n;)
		i += log_wakes(log, sample->time_ns, &sample->end.wakes[i], n - i);
}

static void log_end(struct log_writer *log, const struct sample *sample)
{
	log_set_run(log, &sample->run);
	log_workers(log, sample->end.workers, sample->end.n_workers, sample->time_ns);
	log_due_workers(log, sample->time_ns);
	for (uint32_t i = 0; i < sample->end.n_buckets; i++)
		log_row(log, LOG_BUCKET, sample->time_ns, true, &sample->end.buckets[i]);
	for (uint32_t i = 0; i < sample->end.n_requests; i++) {
		log_row_begin(log, LOG_REQUEST, sample->time_ns);
		log_row_run(log);
		log_unsigned(log, LOG_ID, sample->end.requests[i].index);
		log_fields(log, LOG_REQUEST, &sample->end.requests[i]);
		log_row_end(log);
	}
	if (sample->end.thinned.slices > 0)
		log_member_rows(log, LOG_THINNED, sample->time_ns, sample_thinned_fields,
				&sample->end.thinned);
	if (sample->end.thinned.slices > 0)
		log_all_wakes(log, sample);
	if (sample->end.watched.rate > 0)
		log_member_rows(log, LOG_WATCHED, sample->time_ns, sample_watched_fields,
				&sample->end.watched);
	log_row(log, LOG_END, sample->time_ns, true, &sample->end.totals);
	log->in_run = false;
}

static void log_message(struct log_writer *log, const struct sample *sample)
{
	log_row_begin(log, LOG_MESSAGE, sample->time_ns);
	if (log->in_run)
		log_row_run(log);
	log_text(log, LOG_SUBJECT, log_schema_severities[sample->message.severity]);
	log_text(log, LOG_VALUE, sample->message.text);
	if (sample->message.kind != MESSAGE_OTHER)
		log_text(log, LOG_KIND,
			 names_at(sample_message_names, MESSAGE_KINDS, sample->message.kind));
	log_row_end(log);
}

static void log_done(struct log_writer *log, const struct sample *sample)
{
	size_t before;

	/* Empty a full buffer now: log_row_begin() would do so after `before` is set. */
	if (log->used > LOG_BUFFER - LOG_ROW)
		log_drain(log, LOG_PACK_SOME);
	before = log->used;
	log_row_begin(log, LOG_DONE, sample->time_ns);
	log_text(log, LOG_VALUE, log->answer);
	log_row_end(log);
	if (log->packing != LOG_ZSTD)
		return;
	free(log->end_row);
	log->end_length = log->used - before;
	log->end_row = malloc(log->end_length);
	if (log->end_row)
		memcpy(log->end_row, log->buffer + before, log->end_length);
	log->ended = log->drained + log->used;
}

static void (*const log_rows[])(struct log_writer *log, const struct sample *sample) = {
	[SAMPLE_SESSION] = log_session, [SAMPLE_RUN_BEGIN] = log_begin, [SAMPLE_TICK] = log_tick,
	[SAMPLE_RUN_END] = log_end,	[SAMPLE_MESSAGE] = log_message, [SAMPLE_DONE] = log_done,
	[SAMPLE_SLICES] = log_slices,	[SAMPLE_TASKS] = log_tasks,
};

void log_end_with(struct log_writer *log, const char *answer)
{
	/* If an answer does not fit, leave all of it out. */
	snprintf(log->answer, sizeof(log->answer), "%s",
		 strlen(answer) < sizeof(log->answer) ? answer : "");
}

int log_write(struct log_writer *log, const struct sample *sample)
{
	if (log_starts(log)) {
		log_rows[sample->kind](log, sample);
		log_end_sample(log);
		if (log_must_flush(log, sample)) {
			log->flushed_ns = sample->time_ns;
			log_drain(log, LOG_PACK_FLUSH);
		}
	}
	if (log->reported)
		return 0;
	log->reported = log->error != 0;
	return log->error;
}

/* Lectures. */

static void log_scene_row(struct log_writer *log, uint32_t number, enum log_scene_part part,
			  const char *text, bool more)
{
	log_row_begin(log, LOG_SCENE_ROW, 0);
	if (number > 0)
		log_unsigned(log, LOG_ID, number);
	log_text(log, LOG_SUBJECT, log_schema_scene_parts[part]);
	log_text(log, LOG_VALUE, text);
	if (more)
		log_text(log, LOG_KIND, LOG_SCENE_MORE);
	log_row_end(log);
}

/* Writes a line of a text, in several rows if necessary. */
static void log_scene_line(struct log_writer *log, uint32_t number, enum log_scene_part part,
			   const char *line, size_t n)
{
	char text[SAMPLE_TEXT];
	size_t piece, at = 0;

	do {
		/* Cut the text at the end of a character, so that it fits into a row. */
		if (n - at < SAMPLE_TEXT)
			piece = n - at;
		else
			piece = SAMPLE_TEXT - 1;
		for (size_t back = 0; back < 4; back++)
			if (piece < n - at &&
			    ((unsigned char)line[at + piece - back] & 0xc0) != 0x80) {
				piece -= back;
				break;
			}
		memcpy(text, line + at, piece);
		text[piece] = '\0';
		log_scene_row(log, number, part, text, at > 0);
		at += piece;
	} while (at < n);
}

static void log_scene_text(struct log_writer *log, uint32_t number, enum log_scene_part part,
			   const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		log_scene_line(log, number, part, text, n);
		text += n;
		text += *text == '\n';
	}
}

int log_lecture(struct log_writer *log, const char *title, uint32_t scenes)
{
	char number[16];

	if (!log_starts(log))
		return 0;
	log_scene_line(log, 0, LOG_LECTURE_TITLE, title, strcspn(title, "\n"));
	snprintf(number, sizeof(number), "%u", scenes);
	log_scene_row(log, 0, LOG_LECTURE_SCENES, number, false);
	log_end_sample(log);
	return log_flush(log);
}

int log_scene(struct log_writer *log, uint32_t number, const struct log_scene *scene)
{
	if (!log_starts(log))
		return 0;
	/* The next session has its own cases, runs and clock. */
	log->n_cases = 0;
	log->in_run = false;
	log->flushed_ns = -LOG_PERIOD;
	log->n_workers = 0;
	log->session_begin = file_bytes(log);
	log->runs = log->thinned = 0;
	log_scene_line(log, number, LOG_SCENE_HEADING, scene->heading,
		       strcspn(scene->heading, "\n"));
	log_scene_text(log, number, LOG_SCENE_CAPTION, scene->caption);
	log_scene_text(log, number, LOG_SCENE_NOTES, scene->notes);
	log_scene_text(log, number, LOG_SCENE_COMMAND, scene->command);
	log_end_sample(log);
	return log_flush(log);
}

int log_flush(struct log_writer *log)
{
	if (log->error)
		return 0;
	log_drain(log, LOG_PACK_FLUSH);
	return log->error;
}

/* Repeats the row "done" in a note, so that --list does not have to unpack the file. */
static void log_note_end(struct log_writer *log)
{
	if (log->error || !log->end_row || log->ended != log->drained)
		return;
	log->error = log_pack_note(log->end_row, log->end_length, write_packed, log);
	if (log->error)
		cut_back(log);
}

int log_close(struct log_writer *log)
{
	int err;

	/* Without a sample, there is no frame to end. */
	if (log->drained + log->used > 0)
		log_drain(log, LOG_PACK_END);
	log_note_end(log);
	err = log->error;
	if (close(log->fd) < 0 && !err)
		err = -errno;
	forget_workers(log);
	log_packer_free(log->packer);
	free(log->end_row);
	free(log);
	return err;
}
