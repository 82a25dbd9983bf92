/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle.h"
#include "base/error_line.h"
#include "draw/snapshot.h"

/* Writes the file and closes fd. */
__attribute__((warn_unused_result)) static int
write_fd(int fd, int (*write)(const void *what, FILE *out), const void *what)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = write(what, out);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

/*
 * Writes a bundle with all bytes of the recording, except for the speaker's notes. If the file is
 * itself a bundle, takes the recording inside the bundle.
 */
static int write_bundled(const struct result *result, FILE *out)
{
	struct export_bundled bundled = {.model = result->model, .lecture = result->lecture};
	struct bundle bundle;
	char *bytes;
	int err = bundle_read(result->rows, &bundle);

	if (err)
		return err;
	bundled.n = (size_t)(bundle.end - bundle.begin);
	bundled.recording = bytes = malloc(bundled.n + 1);
	if (!bytes)
		err = -ENOMEM;
	else if (pread(result->rows, bytes, bundled.n, bundle.begin) != (ssize_t)bundled.n)
		err = -EIO;
	if (!err && result->lecture)
		err = log_drop_notes(bytes, &bundled.n);
	if (!err)
		err = result->format->bundle(&bundled, out);
	free(bytes);
	return err;
}

static int write_in_format(const void *what, FILE *out)
{
	const struct result *result = what;
	if (result->machines)
		return result->format->machines(result->machines, out);
	if (result->format->bundle)
		return write_bundled(result, out);
	if (result->lecture)
		return export_lecture(result->lecture, result->format->write, out);
	if (result->format->screencast)
		return result->format->screencast(result->model, &result->wish, out);
	return result->format->write(result->model, out);
}

/*
 * Writes a new file in the same directory, then replaces the old file with rename(2), which works
 * only within a file system. If possible, the new file has no name until it is complete, so a
 * signal that ends the program leaves nothing behind. linkat(2) cannot replace a file, so the
 * complete file then gets a temporary name, and all signals are blocked until rename(2) has
 * replaced the old file.
 */
static int save_beside(const struct result *result, const char *path, mode_t mode)
{
	char beside[PATH_MAX], folder[PATH_MAX], from[32], *slash;
	bool unnamed = access("/proc/self/fd", X_OK) == 0;
	int fd = -1, kept = -1, err;
	sigset_t all, before;

	if (snprintf(beside, sizeof(beside), "%s.%ld.part", path, (long)getpid()) >=
	    (int)sizeof(beside))
		return -ENAMETOOLONG;
	slash = strrchr(strcpy(folder, beside), '/');
	if (slash)
		slash[slash == folder] = '\0';
	if (unnamed)
		fd = open(slash ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	/*
	 * If O_TMPFILE is not supported, use a named file. The file system then returns EOPNOTSUPP,
	 * an old kernel EISDIR.
	 */
	if (unnamed && fd < 0 && errno != EOPNOTSUPP && errno != EISDIR)
		return -errno;
	unnamed = fd >= 0;
	if (unnamed)
		kept = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	else
		fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0 || (unnamed && kept < 0)) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	err = write_fd(fd, write_in_format, result);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	snprintf(from, sizeof(from), "/proc/self/fd/%d", kept);
	if (!err && unnamed && linkat(AT_FDCWD, from, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) < 0)
		err = -errno;
	else if (!err)
		unnamed = false;
	if (!err && rename(beside, path) < 0)
		err = -errno;
	if (err && !unnamed)
		unlink(beside);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (kept >= 0)
		close(kept);
	return err;
}

int result_save(const struct result *result, const char *path, char *error, size_t size)
{
	char *target = NULL;
	struct stat st;
	int err = 0, fd;

	if (!path) {
		err = write_in_format(result, stdout);
		if (err)
			return error_line(error, size, err, "the export is not complete: %s",
					  strerror(-err));
		return 0;
	}
	if (stat(path, &st) < 0) {
		if (errno == ENOENT)
			err = save_beside(result, path, 0666);
		else
			err = -errno;
	} else if (S_ISDIR(st.st_mode)) {
		err = -EISDIR;
	} else if (!S_ISREG(st.st_mode)) {
		/* A pipe or a device cannot be replaced. */
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		if (fd < 0)
			err = -errno;
		else
			err = write_fd(fd, write_in_format, result);
	} else {
		/* Keep a symbolic link and replace its target. */
		target = realpath(path, NULL);
		if (target)
			err = save_beside(result, target, st.st_mode & 0777);
		else
			err = -errno;
	}
	free(target);
	if (err)
		return error_line(error, size, err, "--output: cannot write \"%s\": %s", path,
				  strerror(-err));
	return 0;
}

#define MOST 1000 /* Largest number of snapshots of a day. */

/* The files of a snapshot share one name: an SVG and, unless it is a slide, a text file. */
struct snapshot {
	const struct canvas *canvas;
	const struct theme *theme;
	/* Name of the slide's view. NULL: the snapshot is of the whole screen. */
	const char *slide;
	char text[PATH_MAX], svg[PATH_MAX];
	int text_fd, svg_fd;
};

static int create_file(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	if (fd < 0)
		return -errno;
	return fd;
}

static int create_files(struct snapshot *files, const char *folder)
{
	const char *slide = files->slide, *before = sentence_text(slide, "");
	const char *slash = "", *gap = "";
	mode_t mode = 0666;
	time_t now = time(NULL);
	struct tm local;
	char date[32];
	int err = -EEXIST;

	if (*folder) {
		/* Only the user may read a snapshot in the state directory. */
		mode = 0600;
		slash = "/";
	}
	if (slide)
		gap = "-";
	if (!localtime_r(&now, &local) || !strftime(date, sizeof(date), "%Y-%m-%d", &local))
		return -EINVAL;
	for (int number = 1; number <= MOST; number++) {
		int n = snprintf(files->svg, PATH_MAX, "%s%stuibench-%s-%s%s%d.svg", folder, slash,
				 date, before, gap, number);

		if (n >= PATH_MAX)
			return -ENAMETOOLONG;
		if (!slide) {
			memcpy(files->text, files->svg, (size_t)n + 1);
			memcpy(files->text + n - 3, "txt", 3);
			files->text_fd = err = create_file(files->text, mode);
			if (err == -EEXIST)
				continue;
			if (err < 0)
				break;
		}
		files->svg_fd = create_file(files->svg, mode);
		if (files->svg_fd < 0)
			err = files->svg_fd;
		else
			err = 0;
		if (err && !slide) {
			close(files->text_fd);
			unlink(files->text);
		}
		if (err != -EEXIST)
			break;
	}
	return err;
}

static int write_canvas_text(const void *canvas, FILE *out)
{
	char *text = canvas_to_text(canvas);
	int err = 0;

	if (!text)
		return -ENOMEM;
	if (fputs(text, out) < 0 || fflush(out)) {
		if (errno)
			err = -errno;
		else
			err = -EIO;
	}
	free(text);
	return err;
}

static int write_picture(const void *what, FILE *out)
{
	const struct snapshot *files = what;

	if (files->slide)
		return snapshot_slide(files->canvas, files->theme, out);
	return snapshot_svg(files->canvas, files->theme, out);
}

int snapshot_save(const struct canvas *canvas, const struct theme *theme, const char *slide,
		  char *said, size_t size)
{
	struct snapshot files = {.canvas = canvas, .theme = theme, .slide = slide};
	char folder[PATH_MAX];
	int err = create_files(&files, ""), text_err = 0;

	if (err && state_folder(folder) == 0)
		err = create_files(&files, folder);
	if (!err) {
		if (!slide)
			text_err = write_fd(files.text_fd, write_canvas_text, canvas);
		err = write_fd(files.svg_fd, write_picture, &files);
		if (text_err)
			err = text_err;
		if (err && !slide)
			unlink(files.text);
		if (err)
			unlink(files.svg);
	}
	if (err && slide)
		return error_line(said, size, err, "cannot save the slide: %s", strerror(-err));
	if (err)
		return error_line(said, size, err, "cannot save the screen: %s", strerror(-err));
	if (slide)
		return error_line(said, size, 0, "Saved for a slide, 16:9, as %s", files.svg);
	return error_line(said, size, 0, "Saved as %s and .txt", files.svg);
}
