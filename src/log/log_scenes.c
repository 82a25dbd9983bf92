/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "log_parts.h"

/*
 * As long as the longest line that the reader of a session takes, and more: a longer one has none.
 */
#define SCAN_BYTES (1 << 18)

/* The texts of a scene that can still grow; NULL: there is no row of it. */
struct scan_texts {
	char *part[LOG_SCENE_PARTS];
};

struct scan {
	int fd;
	struct log_scenes *scenes;
	struct log_schema schema;
	struct log_cells cells;
	struct scan_texts *texts; /* by scene */
	size_t cap_texts, cap_parts;
	bool in_session; /* rows of a session came after the newest scene's */
	uint64_t lines;	 /* so far, with the header */
	off_t header;	 /* bytes of it */

	off_t offset; /* of buffer[at] in the file */
	size_t at, used;
	bool skipping; /* the rest of a line that is too long */
	char buffer[SCAN_BYTES];
};

/* Lines */

/* More bytes behind those that are left; 1, 0 at the end, or -errno. */
static int fill_buffer(struct scan *scan)
{
	size_t left = scan->used - scan->at;
	ssize_t n;

	memmove(scan->buffer, scan->buffer + scan->at, left);
	scan->at = 0;
	scan->used = left;
	if (left == SCAN_BYTES) {
		scan->skipping = true;
		scan->offset += (off_t)left;
		scan->used = 0;
	}
	n = pread(scan->fd, scan->buffer + scan->used, SCAN_BYTES - scan->used,
		  scan->offset + (off_t)scan->used);
	if (n < 0)
		return errno == EINTR ? 1 : -errno;
	scan->used += (size_t)n;
	return n > 0;
}

/* The next line with its end, n is 0 for one that is too long. 1, 0 at the end, or -errno. */
static int next_line(struct scan *scan, const char **line, size_t *n)
{
	const char *newline;
	int more = 1;

	while (!(newline = memchr(scan->buffer + scan->at, '\n', scan->used - scan->at)) &&
	       more > 0)
		more = fill_buffer(scan);
	if (!newline)
		return more;
	*line = scan->buffer + scan->at;
	*n = (size_t)(newline + 1 - *line);
	scan->at += *n;
	scan->offset += (off_t)*n;
	scan->lines++;
	if (scan->skipping)
		*n = 0;
	scan->skipping = false;
	return 1;
}

/* Scenes */

static int add_text(char **text, const char *piece, bool more)
{
	const size_t before = *text ? strlen(*text) : 0, n = strlen(piece);
	const bool line = *text && !more;
	char *longer = realloc(*text, before + line + n + 1);

	if (!longer)
		return -ENOMEM;
	if (line)
		longer[before] = '\n';
	memcpy(longer + before + line, piece, n + 1);
	*text = longer;
	return 0;
}

/* What comes before this row belongs to the scene before. */
static void end_part(struct scan *scan, off_t at)
{
	if (scan->in_session)
		scan->scenes->parts[scan->scenes->n - 1].end = at;
	scan->in_session = false;
}

static int add_scene(struct scan *scan, off_t at)
{
	struct log_scenes *scenes = scan->scenes;
	struct scan_texts *texts;
	struct log_part *parts;

	if (scenes->n == LOG_SCENES_MOST)
		return -E2BIG;
	texts = array_room(scan->texts, scenes->n, &scan->cap_texts, sizeof(*texts));
	if (texts)
		scan->texts = texts;
	parts = array_room(scenes->parts, scenes->n, &scan->cap_parts, sizeof(*parts));
	if (parts)
		scenes->parts = parts;
	if (!texts || !parts)
		return -ENOMEM;
	end_part(scan, at);
	memset(&texts[scenes->n], 0, sizeof(*texts));
	parts[scenes->n++] = (struct log_part) {.header = scan->header};
	return 0;
}

static bool is_scene(struct scan *scan, const char *line, size_t n)
{
	const char *name = log_schema_records[LOG_SCENE_ROW], *why;

	return memmem(line, n, name, strlen(name)) &&
	       log_cells_row(&scan->cells, line, n, &why) > 0 &&
	       strcmp(log_cells_text(&scan->cells, LOG_RECORD), name) == 0;
}

static int take_scene_row(struct scan *scan, const char *line, size_t n)
{
	const off_t at = scan->offset - (off_t)n;

	if (is_scene(scan, line, n)) {
		/*
		 * A scene's own rows: a heading begins one, and so does what comes after a session.
		 */
		const char *subject = log_cells_text(&scan->cells, LOG_SUBJECT);
		enum log_scene_part part = 0;
		const bool more =
			strcmp(log_cells_text(&scan->cells, LOG_KIND), LOG_SCENE_MORE) == 0;
		char value[SAMPLE_TEXT];
		int err = 0;

		while (part < LOG_SCENE_PARTS && strcmp(subject, log_schema_scene_parts[part]) != 0)
			part++;
		log_cells_copy(&scan->cells, LOG_VALUE, value, sizeof(value));
		if (part < LOG_SCENE_HEADING) {
			if (part == LOG_LECTURE_TITLE)
				return add_text(&scan->scenes->title, value, more);
			scan->scenes->planned = (uint32_t)strtoul(value, NULL, 10);
			return 0;
		}
		if (scan->in_session || scan->scenes->n == 0 ||
		    (part == LOG_SCENE_HEADING && !more))
			err = add_scene(scan, at);
		if (err || part == LOG_SCENE_PARTS)
			return err;
		return add_text(&scan->texts[scan->scenes->n - 1].part[part], value, more);
	}
	/* A session's first row is where it begins. A line that is too long has lost its begin. */
	if (n > 0 && !scan->in_session && scan->scenes->n > 0) {
		scan->in_session = true;
		scan->scenes->parts[scan->scenes->n - 1].begin = at;
		scan->scenes->parts[scan->scenes->n - 1].lines = scan->lines - 2;
	}
	return 0;
}

static int take_header(struct scan *scan)
{
	const char *line;
	size_t n;
	int more = next_line(scan, &line, &n);

	if (more <= 0 || n == 0 || log_cells_header(&scan->cells, line, n) < 0)
		return more < 0 ? more : 0;
	scan->header = scan->offset;
	return 1;
}

/* The first row shows whether it is a lecture's. */
static int take_rows(struct scan *scan)
{
	const char *line;
	size_t n;
	int err = 0, more;

	while (!err && (more = next_line(scan, &line, &n)) > 0) {
		if (scan->lines == 2 && !is_scene(scan, line, n))
			return 0;
		err = take_scene_row(scan, line, n);
	}
	if (err || more < 0)
		return err ? err : more;
	end_part(scan, scan->offset + (off_t)(scan->used - scan->at));
	return scan->lines > 1;
}

/* What is not there is an empty text. */
static int keep_scene_text(char **from, const char **to)
{
	*to = *from ? *from : strdup("");
	*from = NULL;
	return *to ? 0 : -ENOMEM;
}

static int keep_texts(struct scan *scan)
{
	struct log_scenes *scenes = scan->scenes;
	int err = 0;

	if (!scenes->title)
		scenes->title = strdup("");
	scenes->scenes = calloc(scenes->n + 1, sizeof(*scenes->scenes));
	if (!scenes->title || !scenes->scenes)
		return -ENOMEM;
	for (size_t i = 0; i < scenes->n; i++) {
		struct log_scene *scene = &scenes->scenes[i];
		char **part = scan->texts[i].part;

		err |= keep_scene_text(&part[LOG_SCENE_HEADING], &scene->heading);
		err |= keep_scene_text(&part[LOG_SCENE_CAPTION], &scene->caption);
		err |= keep_scene_text(&part[LOG_SCENE_NOTES], &scene->notes);
		err |= keep_scene_text(&part[LOG_SCENE_COMMAND], &scene->command);
	}
	return err ? -ENOMEM : 0;
}

int log_scenes_read(int fd, struct log_scenes *scenes)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	int found, err;

	*scenes = (struct log_scenes) {0};
	if (!scan)
		return -ENOMEM;
	scan->fd = fd;
	scan->scenes = scenes;
	log_schema_init(&scan->schema);
	log_cells_init(&scan->cells, &scan->schema);
	found = take_header(scan);
	if (found > 0)
		found = take_rows(scan);
	err = keep_texts(scan);
	for (size_t i = 0; i < scan->scenes->n; i++)
		for (int part = 0; part < LOG_SCENE_PARTS; part++)
			free(scan->texts[i].part[part]);
	free(scan->texts);
	log_cells_free(&scan->cells);
	free(scan);
	return err && found >= 0 ? err : found;
}

void log_scenes_free(struct log_scenes *scenes)
{
	for (size_t i = 0; scenes->scenes && i < scenes->n; i++) {
		free((char *)scenes->scenes[i].heading);
		free((char *)scenes->scenes[i].caption);
		free((char *)scenes->scenes[i].notes);
		free((char *)scenes->scenes[i].command);
	}
	free(scenes->scenes);
	free(scenes->parts);
	free(scenes->title);
	*scenes = (struct log_scenes) {0};
}
