/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error_line.h"

/* A new file that no other session of the same second has. */
static int open_default(char path[PATH_MAX], const char *experiment)
{
	char folder[PATH_MAX], stamp[32];
	time_t now = time(NULL);
	struct tm local;
	int fd = state_folder(folder);

	if (fd < 0) {
		snprintf(path, PATH_MAX, "%s", folder);
		return fd;
	}
	localtime_r(&now, &local);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H-%M-%S", &local);
	for (int i = 1; i < 100; i++) {
		char again[8] = "";
		int n;

		if (i > 1)
			snprintf(again, sizeof(again), "-%d", i);
		n = snprintf(path, PATH_MAX, "%s/%s-%s%s.csv", folder, stamp, experiment, again);
		if (n >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd < 0 ? -errno : fd;
}

/*
 * A recording that exists is never overwritten: a lecture is recorded once. Of two that begin at
 * once one has the file and its lock; the other refuses. What is there already may be a pipe or a
 * device, or a file that holds nothing and that nobody has.
 */
static int open_named(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666), err = 0;
	bool old = fd < 0 && errno == EEXIST;
	struct stat st;

	if (old)
		fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) < 0 &&
		 (old || errno == EWOULDBLOCK))
		err = -EEXIST;
	else if (S_ISREG(st.st_mode) && old && st.st_size > 0)
		err = -EEXIST;
	if (err < 0)
		close(fd);
	return err < 0 ? err : fd;
}

int recording_open(struct recording *recording, const struct options *options,
		   const char *experiment, char *error, size_t size)
{
	const char *path = options->log;
	const bool named = path && strcmp(path, "-") != 0;
	int fd, err;

	memset(recording, 0, sizeof(*recording));
	if (options->no_log)
		return 0;
	if (!path)
		fd = open_default(recording->path, experiment);
	else if (named)
		fd = open_named(path);
	else
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	err = fd >= 0 ? 0 : path && !named ? -errno : fd;
	if (err && !path) {
		snprintf(recording->notice, sizeof(recording->notice),
			 "nothing is recorded: cannot create %.300s: %s (--log FILE records "
			 "elsewhere)",
			 recording->path, strerror(-err));
		recording->path[0] = '\0';
		return 0;
	}
	if (!err && named)
		snprintf(recording->path, sizeof(recording->path), "%s", path);
	if (!err) {
		if (recording->path[0])
			recording->name = basename(recording->path);
		recording->log = log_create(fd);
		err = recording->log ? 0 : -ENOMEM;
		if (err)
			close(fd);
	}
	if (err && path)
		error_line(error, size, err, "--log: cannot record to \"%s\": %s%s", path,
			   strerror(-err), err == -EEXIST ? " and is kept: name a new file" : "");
	return err;
}

int recording_close(struct recording *recording, char *error, size_t size)
{
	const char *path = recording->path;
	bool named = *path;
	struct stat st;
	int err;

	if (!recording->log)
		return 0;
	err = log_close(recording->log);
	recording->log = NULL;
	recording->recorded = named;
	/* Nothing could be written: a file that is empty is no recording, nor is a device. */
	if (err && named) {
		bool there = stat(path, &st) == 0, file = there && S_ISREG(st.st_mode);

		recording->recorded = file ? st.st_size > 0 : there && S_ISFIFO(st.st_mode);
		if (file && !recording->recorded)
			unlink(path);
	}
	if (err < 0 && named && !recording->recorded)
		return error_line(error, size, err, "nothing was recorded in %s: %s", path,
				  log_strerror(err));
	return err == 0 ? 0
			: error_line(error, size, err, "the recording %s is not complete: %s",
				     named ? path : "on standard output", log_strerror(err));
}

int lecturer_record(struct lecturer *lecturer, char *error, size_t size)
{
	struct recording *recording = &lecturer->recording;
	const struct lecture *lecture = &lecturer->lecture;
	int err = recording_open(recording, lecturer->options, "lecture", error, size);

	lecturer->records = !err;
	if (!err && recording->log)
		log_lecture(recording->log, lecture->title, (uint32_t)lecture->n);
	return err;
}

/* A write that fails is reported at the lecture's end. */
static void write_scene(struct lecturer *lecturer, size_t i, const char *command)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[i];
	const struct log_scene row = {scene->heading, scene->caption, scene->notes, command};

	lecturer->scenes[i].recorded = true;
	if (lecturer->recording.log)
		log_scene(lecturer->recording.log, (uint32_t)i + 1, &row);
}

void lecturer_record_seen(struct lecturer *lecturer, size_t but)
{
	for (size_t i = 0; i < lecturer->lecture.n; i++)
		if (lecturer->scenes[i].seen && !lecturer->scenes[i].recorded && i != but)
			write_scene(lecturer, i, lecturer->lecture.scenes[i].command);
}

struct recording lecturer_record_session(struct lecturer *lecturer, const struct options *options,
					 const char *command)
{
	const size_t scene = lecturer_session(lecturer);

	if (scene == SIZE_MAX)
		return (struct recording) {.log = NULL};
	lecturer_record_seen(lecturer, scene);
	write_scene(lecturer, scene, command ? command : lecturer->lecture.scenes[scene].command);
	return options->no_log ? (struct recording) {.log = NULL} : lecturer->recording;
}
