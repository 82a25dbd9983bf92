/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error_line.h"
#include "base/utf8.h"

#define PREFIX "tuibench-lecture-"

/* The first text of a packet; another release may send another. */
static const char version[] = "tuibench notes 1";

/* Whoever else may write to the folder could take the socket's place. */
static int find_runtime_folder(const char **folder, char *error, size_t size)
{
	struct stat st;

	*folder = getenv("XDG_RUNTIME_DIR");
	if (!*folder || **folder != '/')
		return error_line(error, size, -ENOENT,
				  "XDG_RUNTIME_DIR names no folder; log in anew, or set it to a "
				  "folder of your own with mode 0700");
	if (stat(*folder, &st))
		return error_line(error, size, -errno, "XDG_RUNTIME_DIR: \"%s\": %s", *folder,
				  strerror(errno));
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
		return error_line(error, size, -EPERM,
				  "XDG_RUNTIME_DIR: \"%s\" is no folder of your own with mode "
				  "0700",
				  *folder);
	return 0;
}

/* A socket, and the address of that name; -errno. */
static int open_socket(struct sockaddr_un *at, const char *folder, const char *name, char *error,
		       size_t size)
{
	int n, fd;

	*at = (struct sockaddr_un) {.sun_family = AF_UNIX};
	n = snprintf(at->sun_path, sizeof(at->sun_path), "%s/%s", folder, name);
	if (n >= (int)sizeof(at->sun_path)) {
		at->sun_path[0] = '\0';
		return error_line(error, size, -ENAMETOOLONG, "XDG_RUNTIME_DIR: \"%s\" is too long",
				  folder);
	}
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return fd >= 0 ? fd
		       : error_line(error, size, -errno, "\"%s\": %s", at->sun_path,
				    strerror(errno));
}

void notes_open(struct notes *notes)
{
	char error[PATH_MAX + 128], name[48];
	const char *folder;
	int err;

	if (notes->tried)
		return;
	notes->tried = true;
	notes->begin_ns = clock_now_ns();
	snprintf(name, sizeof(name), PREFIX "%d", (int)getpid());
	err = find_runtime_folder(&folder, error, sizeof(error));
	if (!err) {
		notes->fd = open_socket(&notes->at, folder, name, error, sizeof(error));
		err = notes->fd < 0 ? notes->fd : 0;
	}
	/* A socket of this process's number is one that another left behind. */
	if (!err)
		notes_unlink(notes);
	/* the file takes its mode from the socket's */
	if (!err && (fchmod(notes->fd, 0600) ||
		     bind(notes->fd, (struct sockaddr *)&notes->at, sizeof(notes->at)) ||
		     listen(notes->fd, NOTES_TERMINALS)))
		err = error_line(error, sizeof(error), -errno, "\"%s\": %s", notes->at.sun_path,
				 strerror(errno));
	if (err)
		notes_close(notes);
	if (err)
		snprintf(notes->line, sizeof(notes->line), "No notes: %s", error);
	else
		snprintf(notes->line, sizeof(notes->line),
			 "Notes: type tuibench --lecture --notes in a second terminal.");
}

int notes_fd(const struct notes *notes)
{
	return notes->at.sun_path[0] ? notes->fd : -1;
}

static void drop_terminal(struct notes *notes, int i)
{
	shutdown(notes->terminals[i].fd, SHUT_RDWR);
	close(notes->terminals[i].fd);
	notes->terminals[i] = notes->terminals[--notes->n];
}

/* Those that have gone make room. What a terminal sends is never read. */
void notes_accept(struct notes *notes)
{
	int fd = accept4(notes->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	for (int i = notes->n - 1; i >= 0; i--) {
		ssize_t n = recv(notes->terminals[i].fd, (char[1]) {0}, 1, MSG_PEEK);

		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			drop_terminal(notes, i);
	}
	if (notes->n == NOTES_TERMINALS)
		close(fd);
	else
		notes->terminals[notes->n++] = (struct notes_terminal) {fd, 0};
}

void notes_send(struct notes *notes, const struct view_lecture *scene,
		struct pollfd behind[NOTES_TERMINALS])
{
	const bool last = scene->scene + 1 == scene->scenes;
	const char *texts[] = {version,	       scene->title,
			       scene->heading, last ? "" : scene->headings[scene->scene + 1],
			       scene->caption, scene->notes};
	char *packet = NULL;
	size_t n;
	FILE *to;

	for (int i = notes->n - 1; i >= 0; i--) {
		struct notes_terminal *terminal = &notes->terminals[i];

		if (terminal->sent == scene->scene + 1)
			continue;
		if (!packet) {
			to = open_memstream(&packet, &n);
			if (!to)
				break;
			for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
				fprintf(to, "%.*s%c", k < 5 ? 3000 : NOTES_BYTES, texts[k], '\0');
			fprintf(to, "%zu %zu %" PRIu64, scene->scene, scene->scenes,
				notes->begin_ns);
			if (fclose(to))
				break;
		}
		if (send(terminal->fd, packet, n, MSG_NOSIGNAL) >= 0)
			terminal->sent = scene->scene + 1;
		else if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
			drop_terminal(notes, i);
	}
	for (int i = 0; i < NOTES_TERMINALS; i++)
		behind[i] = (struct pollfd) {
			.fd = i < notes->n && notes->terminals[i].sent != scene->scene + 1
				      ? notes->terminals[i].fd
				      : -1,
			.events = POLLOUT,
		};
	free(packet);
}

void notes_unlink(const struct notes *notes)
{
	if (notes->at.sun_path[0])
		unlink(notes->at.sun_path);
}

void notes_close(struct notes *notes)
{
	notes_unlink(notes);
	if (notes->at.sun_path[0] && notes->fd >= 0)
		close(notes->fd);
	while (notes->n > 0)
		drop_terminal(notes, notes->n - 1);
	notes->at.sun_path[0] = '\0';
}

static int take_packet(struct notes_reader *reader, size_t n)
{
	struct view_lecture *scene = &reader->scene;
	char *texts[7], *at = reader->buffer;

	reader->buffer[n] = '\0';
	for (int i = 0; i < 7; i++) {
		if (at > reader->buffer + n)
			return -EPROTO;
		texts[i] = at;
		at += strlen(at) + 1;
		if (i != 5)
			utf8_mask(texts[i]);
	}
	/* Control characters are masked, but for newlines, which only the notes have. */
	for (char *line = texts[5], *end; *line; line = end + (*end == '\n')) {
		char was;

		end = strchrnul(line, '\n');
		was = *end;
		*end = '\0';
		utf8_mask(line);
		*end = was;
	}
	if (strcmp(texts[0], version) != 0 || sscanf(texts[6], "%zu %zu %" SCNu64, &scene->scene,
						     &scene->scenes, &reader->begin_ns) != 3)
		return -EPROTO;
	scene->title = texts[1];
	scene->heading = texts[2];
	scene->next = *texts[3] ? texts[3] : NULL;
	scene->caption = texts[4];
	scene->notes = texts[5];
	reader->received = true;
	return 0;
}

static int reader_fd(struct source *source)
{
	return ((struct notes_reader *)source)->fd;
}

/* The lecture's end is the source's, and so is what is no packet of a lecture. */
static int reader_pump(struct source *source, source_take *take, void *arg)
{
	struct notes_reader *reader = (struct notes_reader *)source;
	ssize_t n = recv(reader->fd, reader->buffer, sizeof(reader->buffer) - 1, MSG_TRUNC);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n > 0 && (size_t)n < sizeof(reader->buffer) && take_packet(reader, (size_t)n) == 0)
		return 0;
	close(reader->fd);
	reader->fd = -1;
	reader->scene = (struct view_lecture) {.title = NULL};
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
	struct timespec newest = {.tv_sec = 0};
	const char *folder;
	struct dirent *entry;
	int err = find_runtime_folder(&folder, error, size);
	DIR *dir = err ? NULL : opendir(folder);

	*reader = (struct notes_reader) {.source = {.ops = &reader_ops}, .fd = -1};
	if (!dir)
		return err ? err
			   : error_line(error, size, -errno, "XDG_RUNTIME_DIR: \"%s\": %s", folder,
					strerror(errno));
	while ((entry = readdir(dir))) {
		struct sockaddr_un at;
		struct stat st;
		int fd, pid;

		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		fd = open_socket(&at, folder, entry->d_name, error, size);
		if (fd < 0)
			continue;
		if (lstat(at.sun_path, &st) || !S_ISSOCK(st.st_mode) ||
		    (reader->fd >= 0 && st.st_mtim.tv_sec < newest.tv_sec)) {
			close(fd);
			continue;
		}
		if (connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0) {
			if (reader->fd >= 0)
				close(reader->fd);
			reader->fd = fd;
			newest = st.st_mtim;
			continue;
		}
		/* One that nobody listens at, and whose process is gone, is removed. */
		pid = atoi(entry->d_name + strlen(PREFIX));
		if (errno == ECONNREFUSED && pid > 0 && kill(pid, 0) && errno == ESRCH)
			unlink(at.sun_path);
		close(fd);
	}
	closedir(dir);
	return reader->fd >= 0 ? 0
			       : error_line(error, size, -ENOENT,
					    "--notes: no lecture runs; begin one in another "
					    "terminal: tuibench --lecture NAME");
}

void notes_show(const struct notes_reader *reader, struct view_lecture *shown)
{
	const int scroll = shown->scene == reader->scene.scene ? shown->scroll : 0;

	*shown = reader->scene;
	shown->scroll = scroll;
	shown->speaker = true;
	shown->elapsed_ns = reader->received ? clock_now_ns() - reader->begin_ns : 0;
}
