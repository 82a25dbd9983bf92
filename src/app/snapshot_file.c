/* SPDX-License-Identifier: MIT */
#include "snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error_line.h"
#include "draw/snapshot.h"
#include "state_folder.h"

#define MOST 1000 /* of a day */

/* Two new files of one name. */
struct pair {
	char text[PATH_MAX], svg[PATH_MAX];
	int text_fd, svg_fd;
};

static int create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	return fd < 0 ? -errno : fd;
}

/* 0, -EEXIST where one of them is there already, or another error. */
static int create_pair(struct pair *pair, const char *folder, const char *date, int number)
{
	const char *slash = *folder ? "/" : "";
	int n = snprintf(pair->text, PATH_MAX, "%s%stuibench-%s-%d.txt", folder, slash, date,
			 number);

	if (n >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(pair->svg, pair->text, (size_t)n + 1);
	memcpy(pair->svg + n - 3, "svg", 3);
	pair->text_fd = create(pair->text);
	if (pair->text_fd < 0)
		return pair->text_fd;
	pair->svg_fd = create(pair->svg);
	if (pair->svg_fd >= 0)
		return 0;
	close(pair->text_fd);
	unlink(pair->text);
	return pair->svg_fd;
}

static int create_in(struct pair *pair, const char *folder)
{
	time_t now = time(NULL);
	struct tm local;
	char date[32];
	int err = -EEXIST;

	if (!localtime_r(&now, &local) || !strftime(date, sizeof(date), "%Y-%m-%d", &local))
		return -EINVAL;
	for (int i = 1; i <= MOST && err == -EEXIST; i++)
		err = create_pair(pair, folder, date, i);
	return err;
}

static int create_anywhere(struct pair *pair)
{
	char folder[PATH_MAX];
	int err = create_in(pair, "");

	if (err && state_folder(folder) == 0)
		err = create_in(pair, folder);
	return err;
}

static int write_text(const struct canvas *canvas, FILE *out)
{
	char *text = canvas_to_text(canvas);
	int err = text ? 0 : -ENOMEM;

	if (text && (fputs(text, out) < 0 || fflush(out)))
		err = errno ? -errno : -EIO;
	free(text);
	return err;
}

/* theme is NULL for the text. Closes the descriptor. */
static int write_to(int fd, const struct canvas *canvas, const struct theme *theme)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = theme ? snapshot_svg(canvas, theme, out) : write_text(canvas, out);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

static int fill(struct pair *pair, const struct canvas *canvas, const struct theme *theme)
{
	int text_err = write_to(pair->text_fd, canvas, NULL);
	int err = write_to(pair->svg_fd, canvas, theme);

	err = text_err ? text_err : err;
	if (err) {
		unlink(pair->text);
		unlink(pair->svg);
	}
	return err;
}

int snapshot_save(const struct canvas *canvas, const struct theme *theme, char *said, size_t size)
{
	struct pair pair;
	int err = create_anywhere(&pair);

	if (!err)
		err = fill(&pair, canvas, theme);
	if (err)
		return error_line(said, size, err, "no snapshot: %s", strerror(-err));
	return error_line(said, size, 0, "Saved as %s and .txt", pair.svg);
}
