/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "log_parts.h"

/*
 * Most bytes to read. They contain the first rows of a session, unless long texts of a lecture come
 * first.
 */
#define BEGUN_BYTES (1 << 16)
#define SECOND_NS   INT64_C(1000000000)
/* Bytes to read at the end of the file: at least the longest row and the longest note. */
#define END_BYTES (LOG_NOTE + LOG_NOTE_HEAD + LOG_NOTE_CHECK)

struct begun {
	struct log_schema schema;
	struct log_cells cells;
	int64_t wall_s, wall_ns;
	bool complete; /* All rows that describe the session have been read. */
	size_t used, taken;
	char bytes[BEGUN_BYTES];
};

static int keep_bytes(void *arg, const void *bytes, size_t n)
{
	struct begun *begun = arg;
	const size_t part = MIN(n, BEGUN_BYTES - begun->used);

	memcpy(begun->bytes + begun->used, bytes, part);
	begun->used += part;
	if (begun->used == BEGUN_BYTES)
		return -ECANCELED;
	return 0;
}

static void take_begun_row(struct begun *begun, const char *line, size_t n)
{
	struct log_cells *cells = &begun->cells;
	const char *record, *why, *subject, *value;

	if (log_cells_row(cells, line, n, &why) <= 0)
		return;
	record = log_cells_text(cells, LOG_RECORD);
	if (strcmp(record, log_schema_records[LOG_SCENE_ROW]) == 0)
		return;
	begun->complete = strcmp(record, log_schema_records[LOG_META]) != 0;
	if (begun->complete)
		return;
	subject = log_cells_text(cells, LOG_SUBJECT);
	value = log_cells_text(cells, LOG_VALUE);
	if (strcmp(subject, "wall_s") == 0)
		begun->wall_s = strtoll(value, NULL, 10);
	else if (strcmp(subject, "wall_ns") == 0)
		begun->wall_ns = strtoll(value, NULL, 10);
}

/* Takes the complete rows from begun->taken on. */
static void take_begun_rows(struct begun *begun)
{
	const char *newline;

	while (!begun->complete) {
		const char *at = begun->bytes + begun->taken;

		newline = memchr(at, '\n', begun->used - begun->taken);
		if (!newline)
			return;
		if (begun->cells.n_columns == 0)
			log_cells_header(&begun->cells, at, (size_t)(newline + 1 - at));
		else
			take_begun_row(begun, at, (size_t)(newline + 1 - at));
		begun->taken = (size_t)(newline + 1 - begun->bytes);
	}
}

/* Reads the file up to the first row that does not describe the session. */
static void read_begin(int fd, struct begun *begun)
{
	struct log_unpacker *unpacker = log_unpacker_new();
	char bytes[4096];
	off_t at = 0;
	ssize_t n = 0;
	int err = unpacker ? 0 : -ENOMEM;

	while (!err && !begun->complete && (n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		err = log_unpack(unpacker, bytes, (size_t)n, keep_bytes, begun);
		at += n;
		take_begun_rows(begun);
		if (log_unpacker_state(unpacker)->why != LOG_UNPACK_ENDED)
			err = -ECANCELED;
	}
	log_unpacker_free(unpacker);
}

/* Reads the file's first rows. Returns NULL if memory is short. */
static struct begun *begun_new(int fd)
{
	struct begun *begun = malloc(sizeof(*begun));

	if (!begun)
		return NULL;
	begun->wall_s = -1;
	begun->wall_ns = 0;
	begun->complete = false;
	begun->used = begun->taken = 0;
	log_schema_init(&begun->schema);
	log_cells_init(&begun->cells, &begun->schema);
	read_begin(fd, begun);
	return begun;
}

static void begun_free(struct begun *begun)
{
	log_cells_free(&begun->cells);
	free(begun);
}

int64_t log_begun_ns(int fd)
{
	struct begun *begun = begun_new(fd);
	int64_t ns = -1;

	if (!begun)
		return -1;
	if (begun->complete && begun->wall_s >= 0 && begun->wall_s < INT64_MAX / SECOND_NS)
		ns = begun->wall_s * SECOND_NS;
	if (ns >= 0 && begun->wall_ns > 0 && begun->wall_ns < SECOND_NS)
		ns += begun->wall_ns;
	begun_free(begun);
	return ns;
}

/*
 * Finds the last row in the last n bytes of a file. In a packed file, the note contains the row.
 * Returns NULL if there is none.
 */
static const char *last_row(const char *bytes, size_t n, bool packed, size_t *length)
{
	const char *end, *before;

	if (packed)
		return log_unpack_note(bytes, n, length);
	if (n == 0 || bytes[n - 1] != '\n')
		return NULL;
	end = bytes + n;
	before = memrchr(bytes, '\n', n - 1);
	if (!before)
		return NULL;
	*length = (size_t)(end - before - 1);
	return before + 1;
}

bool log_answer(int fd, char *answer, size_t size)
{
	struct begun *begun = begun_new(fd);
	const off_t all = lseek(fd, 0, SEEK_END);
	char *const bytes = malloc(END_BYTES);
	const char *row = NULL, *why;
	bool known = false;
	size_t length;
	ssize_t n = 0;

	if (begun && bytes && all > 0)
		n = pread(fd, bytes, END_BYTES, MAX(0, all - END_BYTES));
	if (n > 0 && begun->cells.n_columns > 0)
		row = last_row(bytes, (size_t)n, log_is_packed(fd), &length);
	if (row && log_cells_row(&begun->cells, row, length, &why) > 0)
		known = strcmp(log_cells_text(&begun->cells, LOG_RECORD),
			       log_schema_records[LOG_DONE]) == 0 &&
			log_cells_has(&begun->cells, LOG_VALUE);
	if (known)
		log_cells_copy(&begun->cells, LOG_VALUE, answer, size);
	if (begun)
		begun_free(begun);
	free(bytes);
	return known;
}
