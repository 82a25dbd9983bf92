/* SPDX-License-Identifier: MIT */
#include "scenes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error_line.h"
#include "export/export.h"
#include "cli/options.h"
#include "recordings.h"
#include "result.h"

static int copy_input(int to)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) != 0)
		if (n < 0 ? errno != EINTR : write(to, bytes, (size_t)n) != n)
			return n < 0 ? -errno : -ENOSPC;
	return lseek(to, 0, SEEK_SET) < 0 || dup2(to, STDIN_FILENO) < 0 ? -errno : 0;
}

int scenes_take_input(void)
{
	struct stat st;
	int fd, err;

	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	fd = memfd_create("recording", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = copy_input(fd);
	close(fd);
	return err;
}

/* Only what can be read at any place: a pipe would lose what was looked at. */
static int open_file(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode)
			       ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
			       : -1;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size)
{
	int found;

	*scenes = (struct scenes) {.fd = open_file(path), .path = path};
	if (scenes->fd < 0)
		return 0;
	found = log_scenes_read(scenes->fd, &scenes->log);
	if (found == -E2BIG)
		return error_line(error, size, found, "\"%s\": has more than %d scenes", path,
				  LOG_SCENES_MOST);
	if (found < 0)
		return error_line(error, size, found, "cannot read \"%s\": %s", path,
				  strerror(-found));
	return found;
}

void scenes_close(struct scenes *scenes)
{
	log_scenes_free(&scenes->log);
	if (scenes->fd >= 0)
		close(scenes->fd);
	scenes->fd = -1;
}

bool scenes_ran(const struct scenes *scenes, size_t i)
{
	return scenes->log.parts[i].begin < scenes->log.parts[i].end;
}

const char *scenes_count(const struct scenes *scenes, char *buf, size_t size)
{
	const size_t n = scenes->log.n;
	char of[32] = "";
	size_t ran = 0;

	for (size_t i = 0; i < n; i++)
		ran += scenes_ran(scenes, i);
	if (scenes->log.planned > n)
		snprintf(of, sizeof(of), " of %u", scenes->log.planned);
	snprintf(buf, size, "%zu%s scene%s, %zu with a session", n, of, n == 1 && !*of ? "" : "s",
		 ran);
	return buf;
}

static const char *name_of(const struct scenes *scenes, char *buf, size_t size, size_t i)
{
	const char *slash = strrchr(scenes->path, '/');

	snprintf(buf, size, "%s, scene %zu", slash ? slash + 1 : scenes->path, i + 1);
	return buf;
}

struct source *scenes_source(const struct scenes *scenes, size_t i, char *error, size_t size)
{
	char name[256];

	return source_replay_open_part(scenes->fd, &scenes->log.parts[i],
				       name_of(scenes, name, sizeof(name), i), error, size);
}

int scenes_load(const struct scenes *scenes, size_t i, struct model *model, char *error,
		size_t size)
{
	char name[256];
	struct source *source = scenes_source(scenes, i, error, size);

	model_init(model);
	if (!source)
		return -errno;
	return recordings_read(source, name_of(scenes, name, sizeof(name), i), model, error, size);
}

/* "1, 3, 4" */
static const char *list_ran(const struct scenes *scenes, char *buf, size_t size)
{
	struct sentence list = {buf, size, 0};

	sentence_add(&list, "none");
	for (size_t i = 0, n = 0; i < scenes->log.n; i++) {
		if (!scenes_ran(scenes, i))
			continue;
		if (n++ == 0)
			list.used = 0;
		sentence_add(&list, "%s%zu", n > 1 ? ", " : "", i + 1);
	}
	return buf;
}

int scenes_chosen(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size)
{
	const size_t n = scenes->log.n, i = options->scene - 1;
	char ran[128];

	if (options->scene <= n && scenes_ran(scenes, i))
		return (int)i;
	return error_line(error, size, -EINVAL,
			  "--scene: \"%s\" has %s %u; those with a session: %s", scenes->path,
			  options->scene > n ? "no scene" : "nothing that ran in scene",
			  options->scene, list_ran(scenes, ran, sizeof(ran)));
}

/* Export */

struct exported {
	const struct scenes *scenes;
	struct model model; /* of the scene that is being written */
	char error[512];
};

/* A session that was cut off before it began is none. */
static int load_scene(void *arg, size_t i, struct export_scene *scene)
{
	struct exported *exported = arg;
	const struct log_scene *text = &exported->scenes->log.scenes[i];
	int err;

	*scene = (struct export_scene) {text->heading, text->caption, text->notes, text->command,
					NULL};
	model_free(&exported->model);
	if (!scenes_ran(exported->scenes, i))
		return 0;
	err = scenes_load(exported->scenes, i, &exported->model, exported->error,
			  sizeof(exported->error));
	if (err == 0)
		scene->model = &exported->model;
	return err == -ENODATA ? 0 : err;
}

/* A film and what is a session's row by row have no place for several. */
static int refuse(const struct scenes *scenes, const char *format, char *error, size_t size)
{
	return error_line(error, size, -EINVAL,
			  "%s: is of one session, and \"%s\" is a lecture of %zu scenes; --scene N "
			  "takes one",
			  format, scenes->path, scenes->log.n);
}

static int write_lecture(const struct options *options, const struct export_lecture *lecture,
			 char *error, size_t size)
{
	const struct result result = {.format = options->format, .lecture = lecture};
	int err;

	if (options->output)
		return result_save(&result, options->output, error, size);
	err = result_write(&result, stdout);
	return err ? error_line(error, size, err, "the export is not complete: %s", strerror(-err))
		   : 0;
}

int scenes_export(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size)
{
	struct exported exported = {.scenes = scenes};
	const struct export_lecture lecture = {scenes->log.title, scenes->log.n, load_scene,
					       &exported};
	int err;

	if (options->film)
		return refuse(scenes, options->film->name, error, size);
	if (!export_lecture_of(options->format))
		return refuse(scenes, options->format->name, error, size);
	model_init(&exported.model);
	err = write_lecture(options, &lecture, error, size);
	model_free(&exported.model);
	return err;
}
