/* SPDX-License-Identifier: MIT */
#include "snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error_line.h"
#include "draw/snapshot.h"
#include "recordings.h"

#define MOST 1000 /* of a day */

/* New files of one name: a picture, and what it says as text unless it is a slide. */
struct files {
	char text[PATH_MAX], svg[PATH_MAX];
	int text_fd, svg_fd; /* -1: none */
	const char *slide;   /* the name of what it shows; NULL: the whole screen */
};

static int create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	return fd < 0 ? -errno : fd;
}

static int create_text(struct files *files, int n)
{
	if (files->slide)
		return 0;
	memcpy(files->text, files->svg, (size_t)n + 1);
	memcpy(files->text + n - 3, "txt", 3);
	files->text_fd = create(files->text);
	return files->text_fd < 0 ? files->text_fd : 0;
}

/* 0, -EEXIST where one of them is there already, or another error. */
static int create_files(struct files *files, const char *folder, const char *date, int number)
{
	int n = snprintf(files->svg, PATH_MAX, "%s%stuibench-%s-%s%s%d.svg", folder,
			 *folder ? "/" : "", date, files->slide ? files->slide : "",
			 files->slide ? "-" : "", number);
	int err;

	if (n >= PATH_MAX)
		return -ENAMETOOLONG;
	err = create_text(files, n);
	if (err)
		return err;
	files->svg_fd = create(files->svg);
	if (files->svg_fd >= 0)
		return 0;
	if (!files->slide) {
		close(files->text_fd);
		unlink(files->text);
	}
	return files->svg_fd;
}

static int create_in(struct files *files, const char *folder)
{
	time_t now = time(NULL);
	struct tm local;
	char date[32];
	int err = -EEXIST;

	if (!localtime_r(&now, &local) || !strftime(date, sizeof(date), "%Y-%m-%d", &local))
		return -EINVAL;
	for (int i = 1; i <= MOST && err == -EEXIST; i++)
		err = create_files(files, folder, date, i);
	return err;
}

static int create_anywhere(struct files *files)
{
	char folder[PATH_MAX];
	int err = create_in(files, "");

	if (err && state_folder(folder) == 0)
		err = create_in(files, folder);
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

static int write_svg(const struct canvas *canvas, const struct theme *theme, bool slide, FILE *out)
{
	return slide ? snapshot_slide(canvas, theme, out) : snapshot_svg(canvas, theme, out);
}

/* theme is NULL for the text. Closes the descriptor. */
static int write_to(int fd, const struct canvas *canvas, const struct theme *theme, bool slide)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = theme ? write_svg(canvas, theme, slide, out) : write_text(canvas, out);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

static int fill(struct files *files, const struct canvas *canvas, const struct theme *theme)
{
	int text_err = files->slide ? 0 : write_to(files->text_fd, canvas, NULL, false);
	int err = write_to(files->svg_fd, canvas, theme, files->slide != NULL);

	err = text_err ? text_err : err;
	if (err && !files->slide)
		unlink(files->text);
	if (err)
		unlink(files->svg);
	return err;
}

static int save(struct files *files, const struct canvas *canvas, const struct theme *theme)
{
	int err = create_anywhere(files);

	return err ? err : fill(files, canvas, theme);
}

int snapshot_save(const struct canvas *canvas, const struct theme *theme, char *said, size_t size)
{
	struct files files = {.slide = NULL};
	int err = save(&files, canvas, theme);

	if (err)
		return error_line(said, size, err, "no snapshot: %s", strerror(-err));
	return error_line(said, size, 0, "Saved as %s and .txt", files.svg);
}

int snapshot_save_slide(const struct canvas *canvas, const struct theme *theme, const char *name,
			char *said, size_t size)
{
	struct files files = {.slide = name};
	int err = save(&files, canvas, theme);

	if (err)
		return error_line(said, size, err, "no slide: %s", strerror(-err));
	return error_line(said, size, 0, "Saved for a slide, 16:9, as %s", files.svg);
}
