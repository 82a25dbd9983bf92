/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error_line.h"
#include "draw/draw.h"
#include "result/room.h"
#include "screen/screen.h"
#include "source/source.h"
#include "view/view.h"

#define MS UINT64_C(1000000)

#define EXPECTED "expected.txt" /* names of the machines that a folder is to have */

/*
 * A recording that grows is read again no sooner than that; folders are listed, without inotify
 * more often; one that has stopped growing says so.
 */
enum { AGAIN_MS = 400, LIST_MS = 2000, READ_MS = 30, QUIET_MS = 10000 };

struct room_app {
	const struct options *options;
	struct console *console;
	const char *folder; /* NULL: names */
	int watch_fd;	    /* -1: no inotify */
	struct room room;
	char **waiting; /* paths to be read, in their order */
	size_t n_waiting, cap_waiting;
	struct recordings_reading reading; /* of the first that waits, where model is in use */
	struct model model;
	bool reads;
	uint64_t again_ns, list_ns;
	struct view_room view;
	struct canvas canvas;
	char notice[PATH_MAX];
	bool dirty, stalled, quit;
	bool grouped; /* as the user wants it */
	int err;
};

/* What waits already is read once; of the one that is being read there may be more by now. */
static void wait_for(struct room_app *app, const char *path)
{
	for (size_t i = app->reads ? 1 : 0; i < app->n_waiting; i++)
		if (strcmp(app->waiting[i], path) == 0)
			return;
	if (!array_grow(&app->waiting, app->n_waiting, &app->cap_waiting, sizeof(path)) ||
	    !(app->waiting[app->n_waiting] = strdup(path)))
		app->err = -ENOMEM;
	else
		app->n_waiting++;
}

/* In the order of the folder it is mostly the one behind that of before. */
static const struct room_recording *find_recording(const struct room *room, const char *path,
						   size_t *next)
{
	for (size_t i = 0; i < room->n; i++) {
		const size_t at = (*next + i) % room->n;

		if (strcmp(room->list[at].path, path) == 0) {
			*next = at + 1;
			return &room->list[at];
		}
	}
	return NULL;
}

static void wait_in_folder(struct room_app *app, const char *name)
{
	const size_t n = strlen(name);
	char path[PATH_MAX];
	FILE *names;

	if (strcmp(name, EXPECTED) == 0 &&
	    snprintf(path, sizeof(path), "%s/%s", app->folder, name) < PATH_MAX &&
	    (names = fopen(path, "re")) != NULL) {
		app->err = app->err ? app->err : room_expect(&app->room, names);
		app->dirty = true;
		fclose(names);
	}
	if (*name != '.' && n > 4 &&
	    (strcmp(name + n - 4, ".csv") == 0 || strcmp(name + n - 4, ".tar") == 0) &&
	    snprintf(path, sizeof(path), "%s/%s", app->folder, name) < PATH_MAX)
		wait_for(app, path);
}

/* All that are there, or those that are new or have changed. */
static int list_folder(struct room_app *app, bool only_new)
{
	struct dirent **entries;
	char path[PATH_MAX];
	struct stat st;
	size_t next = 0;
	int n = scandir(app->folder, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const struct room_recording *known;

		snprintf(path, sizeof(path), "%s/%s", app->folder, entries[i]->d_name);
		known = only_new ? find_recording(&app->room, path, &next) : NULL;
		/* Since it was read; in the second of that, too. */
		if (!known || (stat(path, &st) == 0 &&
			       (st.st_mtime != known->written_s ||
				(!known->done && time(NULL) - st.st_mtime <= 2 * LIST_MS / 1000))))
			wait_in_folder(app, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	app->list_ns = clock_now_ns() + (app->watch_fd < 0 ? LIST_MS : QUIET_MS) * MS;
	return n < 0 ? -errno : 0;
}

static void end_reading(struct room_app *app, int err)
{
	const bool changed = app->reads && source_replay_is_changed(app->reading.source);
	const bool session = err == 0 && app->model.has_session && !changed;
	struct stat st;
	const char *why = err	    ? source_strerror(err)
			  : changed ? "changed since the bundle was made"
				    : "no session yet";

	err = room_add(&app->room, app->waiting[0],
		       stat(app->waiting[0], &st) == 0 ? st.st_mtime : -1,
		       session ? &app->model : NULL, why);
	app->err = app->err ? app->err : err;
	if (app->reads)
		recordings_end(&app->reading);
	app->reads = false;
	free(app->waiting[0]);
	memmove(app->waiting, app->waiting + 1, --app->n_waiting * sizeof(*app->waiting));
	app->dirty = true;
}

/* Some milliseconds of what waits: one recording after the other is in memory. */
static void read_some(struct room_app *app)
{
	const uint64_t until = clock_now_ns() + READ_MS * MS;
	int more;

	while (app->n_waiting > 0 && !app->err && clock_now_ns() < until) {
		if (!app->reads) {
			more = recordings_begin(&app->reading, app->waiting[0], &app->model);
			app->reads = more == 0;
			if (more) {
				end_reading(app, more);
				continue;
			}
		}
		more = recordings_go_on(&app->reading);
		/* One that has only begun says so by its end. */
		if (more <= 0)
			end_reading(app, more == -ENODATA ? 0 : more);
	}
	if (app->n_waiting == 0)
		app->again_ns = clock_now_ns() + AGAIN_MS * MS;
}

static void draw_room(struct room_app *app)
{
	int width, height;

	screen_size(app->console->screen, &width, &height);
	app->view.reading = app->n_waiting > 0;
	app->view.folder = app->folder;
	app->view.notice = app->notice;
	app->room.now_s = time(NULL);
	if (!app->grouped && app->room.n_machines > ROOM_DENSE)
		app->room.group = room_next_field(&app->room, NULL);
	if (canvas_resize(&app->canvas, width, height) == 0 &&
	    view_room_draw(&app->canvas, &app->room, &app->view) == 0) {
		if (app->console->ascii)
			canvas_to_ascii(&app->canvas);
		app->stalled = !screen_blit(app->console->screen, &app->canvas);
	}
	app->dirty = app->stalled;
}

static void press(struct room_app *app)
{
	int key, x, y;

	while (!app->quit && (key = screen_key(app->console->screen, &x, &y)) > 0) {
		app->notice[0] = '\0';
		app->dirty = true;
		switch (key) {
		case 'q':
		case KEY_F10:
			app->quit = true;
			break;
		case KEY_TAB:
		case KEY_RIGHT_ARROW:
			app->view.question++;
			break;
		case KEY_BACK_TAB:
		case KEY_LEFT_ARROW:
			app->view.question -= app->view.question > 0;
			break;
		case 'o':
			app->view.order = (app->view.order + 1) % ROOM_ORDERS;
			break;
		case 'g': /* after the last field a row for each machine */
			app->grouped = true;
			app->room.group = room_next_field(&app->room, app->room.group);
			app->view.rows = !app->room.group;
			app->view.scroll = 0;
			break;
		case 't':
			app->console->theme +=
				theme_at(app->console->theme + 1) ? 1 : -app->console->theme;
			screen_set_theme(app->console->screen, theme_at(app->console->theme));
			break;
		case 's':
			snapshot_save(&app->canvas, theme_at(app->console->theme), NULL,
				      app->notice, sizeof(app->notice));
			break;
		case KEY_CTRL_L:
			screen_redraw(app->console->screen);
			break;
		case KEY_UP_ARROW:
		case KEY_WHEEL_UP:
			app->view.scroll--;
			break;
		case KEY_DOWN_ARROW:
		case KEY_WHEEL_DOWN:
			app->view.scroll++;
			break;
		case KEY_PAGE_UP:
			app->view.scroll -= app->canvas.height / 2;
			break;
		case KEY_PAGE_DOWN:
			app->view.scroll += app->canvas.height / 2;
			break;
		case KEY_HOME_KEY:
			app->view.scroll = 0;
			break;
		case KEY_END_KEY:
			app->view.scroll = INT_MAX / 2;
			break;
		}
		app->view.scroll = MAX(app->view.scroll, 0);
	}
}

static void run_loop(struct room_app *app)
{
	enum { KEYS, SIGNALS, FILES, TERMINAL, FDS };
	struct pollfd fds[FDS] = {
		[KEYS] = {.fd = app->console->tty_in, .events = POLLIN},
		[SIGNALS] = {.fd = app->console->signal_fd, .events = POLLIN},
		[FILES] = {.fd = app->watch_fd, .events = POLLIN},
		[TERMINAL] = {.fd = STDOUT_FILENO},
	};
	_Alignas(struct inotify_event) char bytes[16384];
	ssize_t n;

	while (!app->quit && !app->err) {
		uint64_t now = clock_now_ns();
		int wait = app->watch_fd < 0 ? LIST_MS : QUIET_MS, ready, number;

		if (app->n_waiting > 0)
			wait = now < app->again_ns ? (int)((app->again_ns - now) / MS) + 1 : 0;
		if (app->dirty && !app->stalled)
			draw_room(app);
		if (app->options->exit && app->n_waiting == 0 && !app->dirty)
			return;
		fds[TERMINAL].events = app->stalled ? POLLOUT : 0;
		ready = poll(fds, FDS, wait);
		if (ready < 0)
			continue;
		app->dirty |= ready == 0 && app->n_waiting == 0;
		number = fds[SIGNALS].revents ? signals_take(app->console->signal_fd) : 0;
		app->dirty |= number != 0;
		app->quit = number && !console_heed(app->console, number);
		if (fds[KEYS].revents)
			press(app);
		while (fds[FILES].revents && (n = read(app->watch_fd, bytes, sizeof(bytes))) > 0)
			for (const char *at = bytes; at < bytes + n;) {
				const struct inotify_event *event = (const void *)at;

				if (event->mask & IN_Q_OVERFLOW)
					list_folder(app, false);
				else if (event->len > 0)
					wait_in_folder(app, event->name);
				at += sizeof(*event) + event->len;
			}
		if (fds[TERMINAL].revents & (POLLHUP | POLLERR) ||
		    screen_gone(app->console->screen))
			app->quit = true;
		else if (fds[TERMINAL].revents)
			app->dirty = true, app->stalled = false;
		/* inotify does not say what other machines write to a folder that is shared. */
		if (app->folder && clock_now_ns() >= app->list_ns)
			list_folder(app, true);
		if (app->n_waiting > 0 && clock_now_ns() >= app->again_ns)
			read_some(app);
	}
}

static int show_on_screen(struct room_app *app)
{
	struct console *console = app->console;
	char line[2 * SAMPLE_TEXT];
	struct room_answer answer;
	int err;

	if (console_open(console, app->options) < 0)
		return console->signal ? 128 + console->signal : 1;
	app->dirty = true;
	run_loop(app);
	canvas_free(&app->canvas);
	if (!console_stays(console))
		console_leave(console);
	if (room_answer(&app->room, 0, ROOM_BY_RATIO, &answer, &err)) {
		console_say_text(console, room_sentence(&answer, line, sizeof(line)));
		room_answer_free(&answer);
	}
	return console->signal ? 128 + console->signal : 0;
}

bool room_is_meant(const struct options *options)
{
	struct stat st;

	if (options->n_logs == 1)
		return strcmp(options->logs[0], "-") != 0 && stat(options->logs[0], &st) == 0 &&
		       S_ISDIR(st.st_mode);
	return options->n_logs > 2;
}

int room_run(const struct options *options, struct console *console)
{
	struct room_app app = {.options = options, .console = console, .watch_fd = -1};
	const bool screen = options->action != ACTION_EXPORT && options_screen(options);
	const struct result result = {.format = options->format, .room = &app.room};
	char error[PATH_MAX + 256];
	int status = 0, err = 0;

	model_init(&app.model);
	app.grouped = options->looks.select != NULL;
	app.room.group = options->looks.select ? room_field(options->looks.select) : NULL;
	if (options->n_logs == 1) {
		app.folder = options->logs[0];
		if (screen)
			app.watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		if (app.watch_fd >= 0 &&
		    inotify_add_watch(app.watch_fd, app.folder,
				      IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO) < 0) {
			close(app.watch_fd);
			app.watch_fd = -1;
		}
		err = list_folder(&app, false);
	}
	for (int i = 0; i < options->n_logs && !app.folder; i++)
		wait_for(&app, options->logs[i]);
	while ((!screen || !app.folder) && app.n_waiting > 0 && !app.err)
		read_some(&app);
	app.room.now_s = time(NULL);
	if (err || app.err) {
		err = err ? err : app.err;
		error_line(error, sizeof(error), err, "\"%s\": %s", options->logs[0],
			   strerror(-err));
		console_say(console, "tuibench: %s", error);
		status = 2;
	} else if (!screen && !options->format->room) {
		console_say(console,
			    "tuibench: %s: is of one recording; a room has table, report, "
			    "markdown, csv, json, html",
			    options->format->name);
		status = 2;
	} else if (!app.folder && app.room.n_machines < ROOM_LEAST) {
		*error = '\0';
		for (size_t i = 0; i < app.room.n && !*error; i++)
			if (*app.room.list[i].why)
				snprintf(error, sizeof(error), "%s: %s; ",
					 basename(app.room.list[i].path), app.room.list[i].why);
		console_say(console,
			    "tuibench: %sa pooled answer needs recordings of %d machines, and "
			    "these are of %u; name two to see them side by side",
			    error, ROOM_LEAST, app.room.n_machines);
		status = 2;
	} else if (app.grouped && !app.room.group) {
		console_say(console, "tuibench: --select \"%s\": a room has %s",
			    options->looks.select, room_field_names(error, sizeof(error)));
		status = 2;
	} else if (screen) {
		status = show_on_screen(&app);
	} else if (app.folder && app.room.n_machines < ROOM_LEAST) {
		error_line(error, sizeof(error), -EINVAL,
			   "\"%s\": a pooled answer needs recordings of %d machines, and has %u "
			   "(%zu recordings *.csv or *.tar)",
			   app.folder, ROOM_LEAST, app.room.n_machines, app.room.n);
		console_say(console, "tuibench: %s", error);
		status = 2;
	} else if (result_save(&result, options->output, error, sizeof(error))) {
		console_say(console, "tuibench: %s", error);
		status = 2;
	}
	if (app.reads)
		recordings_end(&app.reading);
	for (size_t i = 0; i < app.n_waiting; i++)
		free(app.waiting[i]);
	free(app.waiting);
	if (app.watch_fd >= 0)
		close(app.watch_fd);
	room_free(&app.room);
	return status;
}
