/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "log_parts.h"

/* The session's rows are the first, but for the texts of a lecture's scenes. */
#define BEGUN_BYTES (1 << 16)
#define SECOND_NS   INT64_C(1000000000)

struct begun {
	struct log_schema schema;
	struct log_cells cells;
	int64_t wall_s, wall_ns;
	bool complete; /* all rows of the session's own have been read */
	size_t used;
	char bytes[BEGUN_BYTES];
};

static int keep_bytes(void *arg, const void *bytes, size_t n)
{
	struct begun *begun = arg;
	const size_t part = MIN(n, BEGUN_BYTES - begun->used);

	memcpy(begun->bytes + begun->used, bytes, part);
	begun->used += part;
	return begun->used == BEGUN_BYTES ? -ECANCELED : 0;
}

/* The first bytes of the file's rows. */
static void read_begin(int fd, struct begun *begun)
{
	struct log_unpacker *unpacker = log_unpacker_new();
	char bytes[4096];
	off_t at = 0;
	ssize_t n = 0;
	int err = unpacker ? 0 : -ENOMEM;

	while (!err && (n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		err = log_unpack(unpacker, bytes, (size_t)n, keep_bytes, begun);
		at += n;
		if (log_unpacker_state(unpacker)->why != LOG_UNPACK_ENDED)
			err = -ECANCELED;
	}
	log_unpacker_free(unpacker);
}

/* False: what follows is no row that could say it. */
static bool take_begun_row(struct begun *begun, const char *line, size_t n)
{
	struct log_cells *cells = &begun->cells;
	const char *record, *why, *subject, *value;

	if (log_cells_row(cells, line, n, &why) <= 0)
		return true;
	record = log_cells_text(cells, LOG_RECORD);
	if (strcmp(record, log_schema_records[LOG_SCENE_ROW]) == 0)
		return true;
	begun->complete = strcmp(record, log_schema_records[LOG_META]) != 0;
	if (begun->complete)
		return false;
	subject = log_cells_text(cells, LOG_SUBJECT);
	value = log_cells_text(cells, LOG_VALUE);
	if (strcmp(subject, "wall_s") == 0)
		begun->wall_s = strtoll(value, NULL, 10);
	else if (strcmp(subject, "wall_ns") == 0)
		begun->wall_ns = strtoll(value, NULL, 10);
	return true;
}

static void take_begun_rows(struct begun *begun, size_t n)
{
	const char *at = begun->bytes, *const end = at + n, *newline;
	bool more = true;

	while (more && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		const size_t length = (size_t)(newline + 1 - at);

		if (begun->cells.n_columns == 0)
			log_cells_header(&begun->cells, at, length);
		else
			more = take_begun_row(begun, at, length);
		at = newline + 1;
	}
}

int64_t log_begun_ns(int fd)
{
	struct begun *begun = malloc(sizeof(*begun));
	int64_t ns = -1;

	if (!begun)
		return -1;
	begun->wall_s = -1;
	begun->complete = false;
	begun->wall_ns = 0;
	log_schema_init(&begun->schema);
	log_cells_init(&begun->cells, &begun->schema);
	begun->used = 0;
	read_begin(fd, begun);
	take_begun_rows(begun, begun->used);
	if (begun->complete && begun->wall_s >= 0 && begun->wall_s < INT64_MAX / SECOND_NS)
		ns = begun->wall_s * SECOND_NS;
	if (ns >= 0 && begun->wall_ns > 0 && begun->wall_ns < SECOND_NS)
		ns += begun->wall_ns;
	log_cells_free(&begun->cells);
	free(begun);
	return ns;
}
