/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error_line.h"
#include "base/utf8.h"

#define PREFIX "tuibench-lecture-"

/*
 * The first text of the file: the scene's number, the number of scenes, and when the lecture began,
 * ns. The number 2 is the version of this format.
 */
#define HEAD "tuibench notes 2 %zu %zu %" PRIu64

/* The other texts. A NUL byte follows each of them. */
enum { TITLE, HEADING, NEXT, CAPTION, NOTES, TEXTS };
enum { TEXT_BYTES = 3000 };

/*
 * Finds the directory. A directory that other users may write to is refused, because they could
 * replace the file.
 */
static int find_runtime_folder(const char **folder, char *error, size_t size)
{
	struct stat st;

	*folder = getenv("XDG_RUNTIME_DIR");
	if (!*folder || **folder != '/')
		return error_line(error, size, -ENOENT,
				  "XDG_RUNTIME_DIR is not set; log in again, or set it to a "
				  "directory of your own with mode 0700");
	if (stat(*folder, &st))
		return error_line(error, size, -errno, "XDG_RUNTIME_DIR: \"%s\": %s", *folder,
				  strerror(errno));
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
		return error_line(
			error, size, -EPERM,
			"XDG_RUNTIME_DIR: \"%s\" is not a directory of your own with mode 0700",
			*folder);
	return 0;
}

int notes_check(char *error, size_t size)
{
	const char *folder;

	return find_runtime_folder(&folder, error, size);
}

/*
 * Whether a running lecture has locked the file. Unlike the PID, the lock can be trusted in another
 * PID namespace, and it ends with the lecture.
 */
static bool is_held(const char *path)
{
	struct flock lock = {.l_type = F_RDLCK};
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool held = fd >= 0 && (fcntl(fd, F_GETLK, &lock) < 0 || lock.l_type == F_WRLCK);

	if (fd >= 0)
		close(fd);
	return held;
}

/*
 * Stores the path of a lecture's file and returns the PID in its name. Returns 0 if the file is not
 * a lecture's file. If an ended process left the file behind, removes the file and returns 0.
 */
static pid_t find_file(const char *folder, const char *name, char path[PATH_MAX])
{
	const bool ours = strncmp(name, PREFIX, strlen(PREFIX)) == 0;
	const pid_t pid = ours ? atoi(name + strlen(PREFIX)) : 0;

	if (pid <= 0 || snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		return 0;
	if (!is_held(path) && kill(pid, 0) && errno == ESRCH && !unlink(path))
		return 0;
	return pid;
}

static void remove_left(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[PATH_MAX];

	while (dir && (entry = readdir(dir)))
		find_file(folder, entry->d_name, path);
	if (dir)
		closedir(dir);
}

void notes_open(struct notes *notes)
{
	/* The lock belongs to this process, and ends with it even after a crash. */
	struct flock lock = {.l_type = F_WRLCK};
	char error[PATH_MAX + 128];
	const char *folder;
	int err;

	if (notes->tried)
		return;
	notes->tried = true;
	notes->begin_ns = clock_now_ns();
	err = find_runtime_folder(&folder, error, sizeof(error));
	if (!err && snprintf(notes->path, sizeof(notes->path), "%s/" PREFIX "%d", folder,
			     (int)getpid()) >= (int)sizeof(notes->path))
		err = error_line(error, sizeof(error), -ENAMETOOLONG,
				 "XDG_RUNTIME_DIR: \"%s\" is too long", folder);
	if (!err) {
		remove_left(folder);
		/* A file with our PID is from an ended process that had the same PID. */
		unlink(notes->path);
		notes->fd = open(notes->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (notes->fd < 0 || fcntl(notes->fd, F_SETLK, &lock))
			err = error_line(error, sizeof(error), -errno, "\"%s\": %s", notes->path,
					 strerror(errno));
		if (err)
			notes_close(notes);
	}
	snprintf(notes->line, sizeof(notes->line),
		 "Notes: type tuibench --lecture --notes in a second terminal.");
	if (err) {
		notes->path[0] = '\0';
		snprintf(notes->line, sizeof(notes->line), "No notes: %s", error);
	}
}

void notes_write(struct notes *notes, const struct view_lecture *scene)
{
	const bool last = scene->scene + 1 == scene->scenes;
	const char *const texts[TEXTS] = {
		[TITLE] = scene->title,
		[HEADING] = scene->heading,
		[NEXT] = last ? "" : scene->headings[scene->scene + 1],
		[CAPTION] = scene->caption,
		[NOTES] = scene->notes,
	};
	char *bytes = NULL;
	size_t n;
	FILE *to;

	if (!notes->path[0] || notes->written == scene->scene + 1 ||
	    !(to = open_memstream(&bytes, &n)))
		return;
	fprintf(to, HEAD "%c", scene->scene, scene->scenes, notes->begin_ns, '\0');
	for (int i = 0; i < TEXTS; i++)
		fprintf(to, "%.*s%c", i == NOTES ? NOTES_BYTES : TEXT_BYTES, texts[i], '\0');
	/*
	 * Empty the file first. Otherwise, on a full disk, text of another scene could remain after
	 * the new text.
	 */
	if (!fclose(to) && !ftruncate(notes->fd, 0) && pwrite(notes->fd, bytes, n, 0) == (ssize_t)n)
		notes->written = scene->scene + 1;
	free(bytes);
}

void notes_unlink(const struct notes *notes)
{
	if (notes->path[0])
		unlink(notes->path);
}

void notes_close(struct notes *notes)
{
	notes_unlink(notes);
	if (notes->path[0] && notes->fd >= 0)
		close(notes->fd);
	notes->path[0] = '\0';
}

/*
 * Reads the scene from the file. If the texts are incomplete, leaves the scene empty: another event
 * follows when they are complete. Returns false if no lecture holds the file any more, or if the
 * lecture's tuibench has another format of the file.
 */
static bool read_scene(struct notes_reader *reader, const char *path)
{
	struct flock lock = {.l_type = F_RDLCK};
	struct view_lecture scene = {0};
	char *texts[TEXTS], *at = reader->buffer;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = -1;

	if (fd >= 0 && !fcntl(fd, F_GETLK, &lock) && lock.l_type == F_WRLCK)
		n = read(fd, reader->buffer, sizeof(reader->buffer) - 1);
	if (fd >= 0)
		close(fd);
	reader->scene = scene;
	reader->begin_ns = 0;
	if (n <= 0)
		return n == 0;
	reader->buffer[n] = '\0';
	if (sscanf(at, HEAD, &scene.scene, &scene.scenes, &reader->begin_ns) != 3)
		return false;
	for (int i = 0; i < TEXTS; i++) {
		at += strlen(at) + 1;
		if (at >= reader->buffer + n)
			return true;
		texts[i] = at;
		/* Mask control characters, except newlines in the notes. */
		for (char *line = at, *end; *line; line = end + (*end != '\0')) {
			char was;

			end = strchrnul(line, i == NOTES ? '\n' : '\0');
			was = *end;
			*end = '\0';
			utf8_mask(line);
			*end = was;
		}
	}
	scene.title = texts[TITLE];
	scene.heading = texts[HEADING];
	if (*texts[NEXT])
		scene.next = texts[NEXT];
	else
		scene.next = NULL;
	scene.caption = texts[CAPTION];
	scene.notes = texts[NOTES];
	reader->scene = scene;
	reader->received = true;
	return true;
}

static int reader_fd(struct source *source)
{
	return ((struct notes_reader *)source)->fd;
}

/* Reads the scene when the file has changed. The source ends with the lecture. */
static int reader_pump(struct source *source, source_emit *emit, void *arg)
{
	struct notes_reader *reader = (struct notes_reader *)source;
	struct inotify_event events[64];

	while (read(reader->fd, events, sizeof(events)) > 0)
		; /* Discard the events, because the file itself shows the change. */
	if (!read_scene(reader, reader->path)) {
		/*
		 * If nobody holds the lock, remove the file, because the lecture was killed and
		 * left the file behind.
		 */
		if (!is_held(reader->path))
			unlink(reader->path);
		close(reader->fd);
		reader->fd = -1;
	}
	return 0;
}

static int refuse_control(struct source *source, enum source_command command)
{
	return -ENOTSUP;
}

static const struct source_ops reader_ops = {
	.fd = reader_fd, .pump = reader_pump, .control = refuse_control};

int notes_connect(struct notes_reader *reader, char *error, size_t size)
{
	const char *folder;
	struct dirent *entry;
	int err = find_runtime_folder(&folder, error, size);
	DIR *dir = err ? NULL : opendir(folder);
	uint64_t newest_ns = 0;

	*reader = (struct notes_reader) {.source = {.ops = &reader_ops}, .fd = -1};
	if (!dir) {
		if (err)
			return err;
		return error_line(error, size, -errno, "XDG_RUNTIME_DIR: \"%s\": %s", folder,
				  strerror(errno));
	}
	while ((entry = readdir(dir))) {
		char path[PATH_MAX];

		if (!find_file(folder, entry->d_name, path))
			continue;
		read_scene(reader, path);
		if (reader->begin_ns > newest_ns) {
			newest_ns = reader->begin_ns;
			strcpy(reader->path, path);
		}
	}
	closedir(dir);
	if (newest_ns == 0)
		return error_line(error, size, -ENOENT,
				  "--notes: no lecture is running; start one in another terminal: "
				  "tuibench --lecture NAME");
	reader->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (reader->fd < 0 ||
	    inotify_add_watch(reader->fd, reader->path, IN_MODIFY | IN_CLOSE_WRITE) < 0) {
		err = error_line(error, size, -errno, "\"%s\": %s", reader->path, strerror(errno));
		notes_disconnect(reader);
	}
	return err;
}

void notes_disconnect(struct notes_reader *reader)
{
	if (reader->fd >= 0)
		close(reader->fd);
	reader->fd = -1;
}

void notes_show(const struct notes_reader *reader, struct view_lecture *shown)
{
	const int scroll = shown->scene == reader->scene.scene ? shown->scroll : 0;

	*shown = reader->scene;
	shown->scroll = scroll;
	shown->speaker = true;
	if (reader->received)
		shown->elapsed_ns = clock_now_ns() - reader->begin_ns;
	else
		shown->elapsed_ns = 0;
}
