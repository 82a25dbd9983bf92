/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error_line.h"

#define MS UINT64_C(1000000)

/* Name of the file in the directory that lists the expected machines. */
#define EXPECTED "expected.txt"

/*
 * READ_MS: longest time to read before keys are handled. LIST_MS: interval for listing the
 * directory.
 */
enum { READ_MS = 30, LIST_MS = 1000 };

/*
 * Queues a path unless it is in the queue already. The path of the file that is being read is the
 * first in the queue, and may be queued again, because the file may have grown.
 */
static void wait_for(struct machines_app *app, const char *path)
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

/*
 * Finds the recording of a path. The search starts after the last match, because the paths of a
 * directory are mostly in the same order each time.
 */
static const struct machines_recording *find_recording(const struct machines *machines,
						       const char *path, size_t *next)
{
	for (size_t i = 0; i < machines->n; i++) {
		const size_t at = (*next + i) % machines->n;

		if (strcmp(machines->list[at].path, path) == 0) {
			*next = at + 1;
			return &machines->list[at];
		}
	}
	return NULL;
}

/* Lists the recordings that are new or have changed, and the expected machines. */
static int list_folder(struct machines_app *app)
{
	struct dirent **entries;
	size_t next = 0;
	int n = scandir(app->folder, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
		const bool recording =
			*name != '.' && dot && (log_name_end(name) > 0 || strcmp(dot, ".tar") == 0);
		const bool expected = strcmp(name, EXPECTED) == 0;
		const struct machines_recording *known;
		char path[PATH_MAX];
		struct stat st;
		FILE *names;

		snprintf(path, sizeof(path), "%s/%s", app->folder, name);
		if (expected && (names = fopen(path, "re")) != NULL) {
			if (!app->err)
				app->err = machines_expect(&app->machines, names);
			fclose(names);
		}
		if (recording)
			known = find_recording(&app->machines, path, &next);
		else
			known = NULL;
		/*
		 * Read a recording again if its file was written since the last reading. File times
		 * count whole seconds here, so also read an unfinished recording again until 4 s
		 * after its last write.
		 */
		if (recording &&
		    (!known || (stat(path, &st) == 0 &&
				(st.st_mtime != known->written_s ||
				 (!known->done && llabs(time(NULL) - st.st_mtime) <= 4)))))
			wait_for(app, path);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	if (n < 0)
		return -errno;
	return 0;
}

static void end_reading(struct machines_app *app, int err)
{
	const bool changed = app->reads && source_replay_is_changed(app->reading.source);
	const bool session = err == 0 && app->model.has_session && !changed;
	const char *why = "no session yet";
	struct stat st;

	if (err)
		why = source_strerror(err);
	else if (changed)
		why = "changed since the bundle was made";
	if (stat(app->waiting[0], &st))
		st.st_mtime = -1;
	err = machines_add(&app->machines, app->waiting[0], st.st_mtime,
			   session ? &app->model : NULL, why);
	if (!app->err)
		app->err = err;
	if (app->reads)
		recordings_end(&app->reading);
	app->reads = false;
	free(app->waiting[0]);
	memmove(app->waiting, app->waiting + 1, --app->n_waiting * sizeof(*app->waiting));
}

/* Reads waiting recordings for some milliseconds. Only one recording is in memory at a time. */
static void read_some(struct machines_app *app)
{
	const uint64_t until = clock_now_ns() + READ_MS * MS;
	int more;

	while (app->n_waiting > 0 && !app->err && clock_now_ns() < until) {
		if (app->reads) {
			more = recordings_go_on(&app->reading);
			/* -ENODATA: the recording has no session yet. */
			if (more <= 0)
				end_reading(app, more == -ENODATA ? 0 : more);
			continue;
		}
		more = recordings_begin(&app->reading, app->waiting[0], &app->model);
		app->reads = more == 0;
		if (more)
			end_reading(app, more);
	}
}

static int machines_fd(struct source *source)
{
	const struct machines_app *app = (struct machines_app *)source;

	if (app->options->exit && app->n_waiting == 0)
		return -1;
	return app->timer_fd;
}

/*
 * Lists the directory and reads recordings. Lists it at intervals, because it may be on a network,
 * where inotify(7) does not report changes by other machines.
 */
static int machines_pump(struct source *source, source_emit *emit, void *arg)
{
	struct machines_app *app = (struct machines_app *)source;
	struct itimerspec next = {.it_value.tv_nsec = 1};

	if (app->folder && app->n_waiting == 0)
		list_folder(app);
	read_some(app);
	if (app->n_waiting == 0)
		next.it_value = (struct timespec) {.tv_sec = LIST_MS / 1000};
	timerfd_settime(app->timer_fd, 0, &next, NULL);
	return app->err;
}

static int machines_control(struct source *source, enum source_command command)
{
	return 0;
}

static const struct source_ops machines_ops = {
	.fd = machines_fd, .pump = machines_pump, .control = machines_control};

static int show_on_screen(struct machines_app *app, struct console *console)
{
	char line[2 * SAMPLE_TEXT];
	struct machines_answer answer;
	int status, err;

	app->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (app->timer_fd < 0) {
		console_say(console, "tuibench: a timer: %s", strerror(errno));
		return 1;
	}
	console->behind = console->lecturer;
	console->lecturer = NULL;
	console->machines = app;
	status = app_run(console, app->options, &app->source, NULL, NULL, NULL);
	console->lecturer = console->behind;
	console->behind = NULL;
	console->machines = NULL;
	close(app->timer_fd);
	if (machines_answer(&app->machines, 0, MACHINES_BY_RATIO, &answer, &err)) {
		console_say_text(console, machines_sentence(&answer, line, sizeof(line)));
		machines_answer_free(&answer);
	}
	return status;
}

bool machines_is_meant(const struct options *options)
{
	struct stat st;

	if (options->n_logs == 1)
		return strcmp(options->logs[0], "-") != 0 && stat(options->logs[0], &st) == 0 &&
		       S_ISDIR(st.st_mode);
	return options->n_logs > 2;
}

/* Says why the recordings cannot be pooled. error is "" if they can be. */
static void say_unpooled(const struct machines_app *app, bool screen, char *error, size_t size)
{
	const struct machines *machines = &app->machines;
	const struct options *options = app->options;
	char names[PATH_MAX], why[PATH_MAX] = "";

	*error = '\0';
	if (!screen && !options->format->machines) {
		snprintf(error, size,
			 "%s takes one recording; for several machines, use table, report, "
			 "markdown, csv, json or html",
			 options->format->name);
	} else if (!app->folder && machines->n_machines < MACHINES_LEAST) {
		for (size_t i = 0; i < machines->n; i++) {
			if (!*machines->list[i].why)
				continue;
			snprintf(why, sizeof(why), "%s: %s; ", basename(machines->list[i].path),
				 machines->list[i].why);
			break;
		}
		snprintf(error, size,
			 "%sa pooled answer needs recordings from %d machines, and these come from "
			 "%u; name two to see them side by side",
			 why, MACHINES_LEAST, machines->n_machines);
	} else if (app->grouped && !machines->group) {
		snprintf(error, size, "--select \"%s\": group machines by %s",
			 options->looks.select, machines_field_names(names, sizeof(names)));
	} else if (!screen && app->folder && machines->n == 0) {
		error_line(error, size, -EINVAL,
			   "\"%s\": no recordings (*.csv, *.csv.zst, *.csv.gz or *.tar) found; "
			   "pooling needs at least %d machines",
			   app->folder, MACHINES_LEAST);
	} else if (!screen && app->folder && machines->n_machines < MACHINES_LEAST) {
		const char *comes = "come";

		if (machines->n == 1)
			comes = "comes";
		error_line(error, size, -EINVAL,
			   "\"%s\": a pooled answer needs recordings from %d machines, but its %zu "
			   "recording%s %s from %u",
			   app->folder, MACHINES_LEAST, machines->n,
			   sentence_plural((int64_t)machines->n), comes, machines->n_machines);
	}
}

int machines_run(const struct options *options, struct console *console)
{
	struct machines_app app = {.source = {.ops = &machines_ops}, .options = options};
	const bool screen = options->action != ACTION_EXPORT && options_screen(options);
	const struct result result = {.format = options->format, .machines = &app.machines};
	char error[PATH_MAX + 256];
	int status = 0, err = 0, refused = 0;

	model_init(&app.model);
	app.grouped = options->looks.select != NULL;
	if (app.grouped)
		app.machines.group = machines_field(options->looks.select);
	if (options->n_logs == 1) {
		app.folder = options->logs[0];
		err = list_folder(&app);
	}
	for (int i = 0; i < options->n_logs; i++) {
		if (app.folder)
			break;
		wait_for(&app, options->logs[i]);
	}
	for (size_t i = 0; i < app.n_waiting; i++) {
		if (refused)
			break;
		refused = recordings_check_input(options, app.waiting[i], error, sizeof(error));
	}
	while (!refused && (!screen || !app.folder) && app.n_waiting > 0 && !app.err)
		read_some(&app);
	app.machines.now_s = time(NULL);
	if (!err)
		err = app.err;
	if (!refused && err)
		error_line(error, sizeof(error), err, "\"%s\": %s", options->logs[0],
			   strerror(-err));
	else if (!refused)
		say_unpooled(&app, screen, error, sizeof(error));
	if (!*error && screen)
		status = show_on_screen(&app, console);
	else if (!*error)
		result_save(&result, options->output, error, sizeof(error));
	if (*error) {
		console_say(console, "tuibench: %s", error);
		status = 2;
	}
	if (app.reads)
		recordings_end(&app.reading);
	for (size_t i = 0; i < app.n_waiting; i++)
		free(app.waiting[i]);
	free(app.waiting);
	machines_free(&app.machines);
	return status;
}
