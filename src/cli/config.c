/* SPDX-License-Identifier: MIT */
#include "cli/config.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/error_line.h"

/* More is no configuration. */
#define MOST_BYTES 65536
#define BLANKS	   " \t\r\v\f"

struct reader {
	const struct config_place *place;
	config_take *take;
	void *to;
	char *error;
	size_t size;
	int line, err;
};

void config_find(const char *typed, struct config_place *place)
{
	const char *name = typed ? typed : getenv("TUIBENCH_CONFIG");

	*place = (struct config_place) {
		.by = typed ? "--config" : "TUIBENCH_CONFIG",
		.named = name && *name,
	};
	if (!name || !*name) {
		const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
		int n = 0;

		place->by = "configuration";
		if (config && *config == '/')
			n = snprintf(place->path, PATH_MAX, "%s/tuibench/config", config);
		else if (home && *home == '/')
			n = snprintf(place->path, PATH_MAX, "%s/.config/tuibench/config", home);
		if (n >= PATH_MAX)
			place->path[0] = '\0';
	} else if (strcmp(name, CONFIG_NONE) != 0)
		snprintf(place->path, PATH_MAX, "%s", name);
}

static int refuse(struct reader *reader, const char *text)
{
	reader->err = error_line(reader->error, reader->size, -EINVAL, "%s:%d: %s",
				 reader->place->path, reader->line, text);
	return reader->err;
}

/* Called by inih, whose errors are 0. */
static int take_pair(void *user, const char *section, const char *name, const char *value)
{
	struct reader *reader = user;
	char text[512];

	(void)section;
	if (!*name)
		refuse(reader, "no name stands before the =; a line is NAME = VALUE");
	else if (reader->take(reader->to, name, value, reader->line, text, sizeof(text)))
		refuse(reader, text);
	return reader->err == 0;
}

/* What stands behind a blank and # or ; is a comment, as what begins so. */
static void cut_comment(char *line)
{
	for (char *c = line; *c; c++)
		if ((*c == '#' || *c == ';') && (c == line || strchr(BLANKS, c[-1]))) {
			*c = '\0';
			return;
		}
}

/* Each line goes to inih by itself: indented ones would be parts of the one above. */
static int read_line(struct reader *reader, char *line)
{
	line += strspn(line, BLANKS);
	cut_comment(line);
	if (!line[strspn(line, BLANKS)])
		return 0;
	if (*line == '[')
		return refuse(reader, "there are no sections; a line is NAME = VALUE");
	if (!strpbrk(line, "=:"))
		return refuse(reader, "no = stands here; a line is NAME = VALUE (ascii = yes)");
	if (strlen(line) + 3 > (size_t)ini_max_line)
		return refuse(reader, "the line is too long; 197 bytes are taken");
	if (ini_parse_string(line, take_pair, reader) && !reader->err)
		return refuse(reader, "cannot be read; a line is NAME = VALUE");
	return reader->err;
}

int config_parse(const struct config_place *place, char *text, size_t n, config_take *take,
		 void *to, char *error, size_t size)
{
	struct reader reader = {place, take, to, error, size, 0, 0};
	char *rest = text, *end = text + n;

	text[n] = '\0';
	if (strncmp(rest, "\xef\xbb\xbf", 3) == 0)
		rest += 3;
	while (!reader.err && rest < end) {
		char *line = rest, *newline = memchr(rest, '\n', (size_t)(end - rest));

		rest = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		reader.line++;
		if (strlen(line) < (size_t)((newline ? newline : end) - line))
			return refuse(&reader, "holds a byte 0; this is no text");
		read_line(&reader, line);
	}
	return reader.err;
}

/* A file or the null device: others may never end, or never begin. */
static int check_kind(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return 0;
	return !S_ISREG(st.st_mode) ? -ESPIPE : st.st_size > MOST_BYTES ? -EFBIG : 0;
}

static ssize_t read_all(int fd, char *text)
{
	size_t n = 0;

	while (n <= MOST_BYTES) {
		ssize_t got = read(fd, text + n, MOST_BYTES + 1 - n);

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			return (ssize_t)n;
		n += got > 0 ? (size_t)got : 0;
	}
	return -EFBIG;
}

static const char *reason(int err)
{
	switch (err) {
	case -EISDIR:
		return "is a folder; name a file";
	case -ESPIPE:
		return "is not a regular file";
	case -EFBIG:
		return "is too large for a configuration, more than 64 KiB";
	default:
		return NULL;
	}
}

/* A user's own that is not there, or in a folder of somebody else's. */
static bool is_absent(const struct config_place *place, int err)
{
	struct stat st;

	return !place->named && (err == -ENOENT || err == -ENOTDIR ||
				 (err == -EACCES && stat(place->path, &st) != 0));
}

static int open_file(const struct config_place *place)
{
	int fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int err = fd < 0 ? -errno : check_kind(fd);

	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

/* 0, or why there is no text. */
static int read_file(int fd, char **text, size_t *n)
{
	ssize_t got;

	*text = malloc(MOST_BYTES + 2);
	got = *text ? read_all(fd, *text) : -ENOMEM;
	*n = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

int config_read(const struct config_place *place, config_take *take, void *to, char *error,
		size_t size)
{
	char *text = NULL;
	size_t n = 0;
	int fd, err;

	if (!place->path[0])
		return 0;
	fd = open_file(place);
	if (is_absent(place, fd))
		return 0;
	err = fd < 0 ? fd : read_file(fd, &text, &n);
	if (fd >= 0)
		close(fd);
	if (!err)
		err = config_parse(place, text, n, take, to, error, size);
	else if (reason(err))
		error_line(error, size, err, "%s: \"%s\" %s", place->by, place->path, reason(err));
	else
		error_line(error, size, err, "%s: \"%s\" cannot be read: %s", place->by,
			   place->path, strerror(-err));
	free(text);
	return err;
}
