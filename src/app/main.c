/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "base/array.h"
#include "base/debug.h"
#include "base/error_line.h"
#include "base/same_file.h"
#include "cli/command.h"
#include "core/sample.h"
#include "experiment/experiment.h"
#include "screen/screen.h"

/*
 * Defined in build.c.in. build_compiler: the compiler of tuibench-runner, with its flags.
 * build_commit: the commit; for a release, the name of its tag; "" if unknown. build_contacts:
 * lines with the addresses for reports; "" if there are none.
 */
extern const char build_compiler[], build_commit[], build_contacts[];

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_LIMITS = 3 };

enum { WARNINGS_PRINTED = 8 };

/*
 * Prints a line and returns status. While the screen is in use, the console keeps the line and
 * prints it later. In a lecture, the line is also on the slide of a scene that cannot run.
 */
static int complain(struct console *console, const char *line, int status)
{
	if (console && console->lecturer)
		lecturer_excuse(console->lecturer, line);
	console_say(console, "tuibench: %s", line);
	return status;
}

/*
 * Whether the session belongs in the recording of a lecture. If a lecture is only replayed, a
 * session that a key starts gets its own recording.
 */
static bool is_recorded_lecture(const struct console *console)
{
	return console->lecturer && console->lecturer->records;
}

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
		n = snprintf(path, PATH_MAX, "%s/%s-%s%s.csv.zst", folder, stamp, experiment,
			     again);
		if (n >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	/* The lock keeps --prune from removing the recording. */
	if (fd >= 0)
		(void)flock(fd, LOCK_EX | LOCK_NB);
	if (fd < 0)
		return -errno;
	return fd;
}

/*
 * Claims a file for a recording. Accepts a new or empty file that nobody has locked, a pipe, or a
 * device. Refuses any other file, so that no existing recording is overwritten. If two programs
 * begin at the same time, one gets the file and its lock. Returns 0, or -errno (-EEXIST: refused).
 */
static int claim_file(int fd, bool created)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && (!created || errno == EWOULDBLOCK))
		return -EEXIST;
	if (created || st.st_size == 0)
		return 0;
	return -EEXIST;
}

/*
 * Claims the file and returns fd. After an error, closes the file and returns -errno. If fd is
 * below 0, open(2) has failed.
 */
static int claimed(int fd, bool created)
{
	int err;

	if (fd < 0)
		return -errno;
	err = claim_file(fd, created);
	if (err == 0)
		return fd;
	close(fd);
	return err;
}

static int open_named(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	const bool created = fd >= 0;

	if (!created && errno == EEXIST)
		fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	return claimed(fd, created);
}

/*
 * Opens the recording as the options say. Never writes to a file that is not empty. Returns 0, or
 * -errno with a line in `error`. If the default place cannot be used, the session continues without
 * a log, and `notice` says so.
 */
static int open_recording(struct recording *recording, const struct options *options,
			  const char *experiment, char *error, size_t size)
{
	const char *path = options->log;
	const bool named = path && strcmp(path, "-") != 0;
	int fd, err;

	memset(recording, 0, sizeof(*recording));
	recording->in_state_folder = !path;
	if (options->no_log)
		return 0;
	if (path && !isatty(STDERR_FILENO) &&
	    (named ? same_output(path, STDERR_FILENO)
		   : same_files_open(STDOUT_FILENO, STDERR_FILENO))) {
		same_file_divert_errors();
		return error_line(error, size, -EINVAL,
				  "--log: \"%s\" is also where standard error goes; send it "
				  "elsewhere, such as 2>errors.txt",
				  path);
	}
	if (!path)
		fd = open_default(recording->path, experiment);
	else if (named)
		fd = open_named(path);
	/*
	 * Duplicate the descriptor of standard output. If its file were opened again, writes would
	 * begin at the file's start.
	 */
	else
		fd = claimed(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), false);
	if (fd < 0)
		err = fd;
	else
		err = 0;
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
		if (recording->log)
			err = log_compress(recording->log, log_packing_of(recording->path));
		else
			err = -ENOMEM;
		if (!err)
			log_limit(recording->log, options->log_limit);
		else if (recording->log)
			log_close(recording->log);
		else
			close(fd);
	}
	if (err == -EEXIST && !named)
		error_line(error, size, err,
			   "--log: standard output is a file that is not empty; name a new file");
	else if (err && path)
		error_line(error, size, err, "--log: cannot record to \"%s\": %s%s", path,
			   strerror(-err), err == -EEXIST ? " and is kept: name a new file" : "");
	return err;
}

/*
 * Flushes and closes the recording. Removes the file if an error has left it empty. Returns status.
 * If the recording is incomplete, returns a status that says why.
 */
static int close_recording(struct recording *recording, struct console *console, int status)
{
	const char *path = recording->path;
	const bool named = *path;
	char error[PATH_MAX + 256];
	bool recorded = named;
	struct stat st;
	int err;

	if (!recording->log)
		return status;
	err = log_close(recording->log);
	/* An empty file or a device is not a recording. */
	if (err && named) {
		bool there = stat(path, &st) == 0, file = there && S_ISREG(st.st_mode);

		if (file)
			recorded = st.st_size > 0;
		else
			recorded = there && S_ISFIFO(st.st_mode);
		if (file && !recorded)
			unlink(path);
	}
	if (recorded)
		console_say(console, "Recorded in %s", path);
	if (recorded && recording->in_state_folder && prune_is_due(error, sizeof(error)))
		complain(console, error, 0);
	/*
	 * Nobody reads the pipe any more. Report this by the exit status alone, as if SIGPIPE had
	 * ended the program.
	 */
	if (err == -EPIPE && !named)
		return 128 + SIGPIPE;
	if (err >= 0)
		return status;
	if (named && !recorded)
		error_line(error, sizeof(error), err, "nothing was recorded in %s: %s", path,
			   log_strerror(err));
	else
		error_line(error, sizeof(error), err, "the recording %s is not complete: %s",
			   named ? path : "on standard output", log_strerror(err));
	complain(console, error, 0);
	if (status)
		return status;
	return EXIT_FAILED;
}

/*
 * Checks that the recording is not an output file of a program, because the run would empty the
 * file. If it is one, closes and removes the recording, which was just created, and returns
 * -EINVAL. Otherwise returns 0.
 */
static int check_outputs(struct recording *recording, const struct experiment *experiment,
			 char *error, size_t size)
{
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const char *output = experiment->each[i].request.output;

		if (!output || !recording->path[0] || !same_file(recording->path, output))
			continue;
		log_close(recording->log);
		unlink(recording->path);
		return error_line(error, size, -EINVAL,
				  "-s output=%s is also the recording, and each run would empty "
				  "it; name another file",
				  output);
	}
	return 0;
}

static int run_session(const struct options *options, struct console *console)
{
	struct experiment *experiment = malloc(sizeof(*experiment));
	struct recording recording;
	struct source *source = NULL;
	char error[1024] = "out of memory";
	int err, status;

	if (!experiment)
		return complain(console, error, EXIT_FAILED);
	err = experiment_build(&options->request, experiment, error, sizeof(error));
	if (err < 0) {
		status = complain(console, error, err == -EINVAL ? EXIT_USAGE : EXIT_LIMITS);
		goto out;
	}
	DEBUG(options->debug, "app", "session %s: %u cases, %u trials, %u warm-ups",
	      experiment->title, experiment->n_cases, experiment->request.trials,
	      experiment->request.warmup);
	source = source_live_open(experiment, options->debug, error, sizeof(error));
	if (!source) {
		/*
		 * The status depends on the error: a wrong environment variable, a limit of the
		 * machine, or another failure.
		 */
		err = errno;
		status = EXIT_FAILED;
		if (err == EINVAL)
			status = EXIT_USAGE;
		else if (err == EAGAIN)
			status = EXIT_LIMITS;
		complain(console, error, status);
		goto out;
	}
	if (is_recorded_lecture(console)) {
		recording = lecturer_record_session(console, options);
	} else if (open_recording(&recording, options, experiment->request.experiment, error,
				  sizeof(error)) < 0 ||
		   check_outputs(&recording, experiment, error, sizeof(error)) < 0) {
		source->ops->close(source);
		status = complain(console, error, EXIT_USAGE);
		goto out;
	} else if (recording.notice[0]) {
		complain(console, recording.notice, 0);
	}
	DEBUG(options->debug, "app", "recording: %s", sentence_text(recording.path, "none"));
	if (options_screen(options))
		status = app_run(console, options, source, recording.log, NULL, recording.name);
	else
		status = batch_run(options, source, recording.log);
	if (status >= 128)
		console_hurry(console);
	source->ops->close(source);
	if (!is_recorded_lecture(console))
		status = close_recording(&recording, console, status);
out:
	if (err < 0)
		DEBUG(options->debug, "app", "status %d: %s", status, error);
	else
		DEBUG(options->debug, "app", "status %d", status);
	free(experiment);
	return status;
}

/*
 * Checks that no file that the command line reads is also written. Call it before any file is read
 * or written.
 */
static int check_inputs(const struct options *options, char *error, size_t size)
{
	const char *debug = getenv("TUIBENCH_DEBUG"), *output = options->output;
	int err = 0;

	for (int i = 0; i < options->n_logs; i++) {
		if (err)
			break;
		err = recordings_check_input(options, options->logs[i], error, size);
	}
	if (!err && options->rerun)
		err = recordings_check_input(options, options->rerun, error, size);
	if (!err && options->config_path[0])
		err = recordings_check_input(options, options->config_path, error, size);
	if (!err && output && same_open_file(output, STDERR_FILENO))
		err = error_line(error, size, -EINVAL,
				 "--output: \"%s\" is also where standard error goes; send it "
				 "elsewhere, such as 2>errors.txt",
				 output);
	if (err || !debug || !*debug)
		return err;
	if (!output)
		output = options->log;
	if (output && (strcmp(output, debug) == 0 || same_file(output, debug)))
		err = error_line(error, size, -EINVAL,
				 "TUIBENCH_DEBUG: \"%s\" is also the output file; name another",
				 debug);
	return err;
}

/*
 * The exit status for a failed export. A file that cannot be created is a wrong value of the
 * option; a disk that is full is not.
 */
static int export_status(int err)
{
	static const int wrong[] = {EINVAL, ENOENT, ENOTDIR, EISDIR, EACCES,
				    EPERM,  EROFS,  ELOOP,   ENXIO,  ENAMETOOLONG};

	for (size_t i = 0; i < LENGTH(wrong); i++)
		if (err == -wrong[i])
			return EXIT_USAGE;
	if (err)
		return EXIT_FAILED;
	return EXIT_DONE;
}

/*
 * Prints the warnings of recordings that were read, then writes their result and reports errors of
 * the output. rows: see struct result. -1: no rows.
 */
static int show_result(const struct options *options, const struct model *model, int rows)
{
	const struct theme *theme = options->theme ? theme_find(options->theme) : theme_at(0);
	const struct result result = {
		.model = model,
		.format = options->format,
		.rows = rows,
		.wish = {.width = options->size.width,
			 .height = options->size.height,
			 .fps = options->fps,
			 .speed = options->speed_given ? options->speed : 0,
			 .captions = options->captions,
			 .looks = options->looks,
			 .theme = theme,
			 .ascii = options->ascii},
	};
	char error[PATH_MAX + 256];
	size_t warnings = 0, said = 0;
	int err;

	for (size_t i = 0; i < model->n_messages; i++)
		warnings += model->messages[i].severity >= SAMPLE_WARNING;
	if (warnings > WARNINGS_PRINTED)
		fprintf(stderr, "tuibench: %zu more warnings\n", warnings - WARNINGS_PRINTED);
	for (size_t i = 0; i < model->n_messages; i++)
		if (model->messages[i].severity >= SAMPLE_WARNING &&
		    ++said + WARNINGS_PRINTED > warnings)
			complain(NULL, model->messages[i].text, 0);
	err = result_save(&result, options->output, error, sizeof(error));
	if (err)
		return complain(NULL, error, export_status(err));
	return EXIT_DONE;
}

static int keep_sample(void *log, const struct sample *sample)
{
	log_write(log, sample);
	return 0;
}

static int replay_source(const struct options *options, struct source *source, const char *path,
			 struct console *console)
{
	struct recording recording = {.log = NULL};
	struct pollfd fd = {.events = POLLIN};
	int status;

	if (!options_screen(options)) {
		status = batch_run(options, source, NULL);
	} else {
		if (is_recorded_lecture(console))
			recording = lecturer_record_session(console, options);
		status = app_run(console, options, source, recording.log, NULL,
				 strcmp(path, "-") ? path : "standard input");
		/*
		 * Read the rest of the samples, for which the screen did not wait, because they
		 * belong in the lecture's recording.
		 */
		while (recording.log && (fd.fd = source->ops->fd(source)) >= 0 &&
		       poll(&fd, 1, 0) > 0)
			if (source->ops->pump(source, keep_sample, recording.log) < 0)
				break;
	}
	source->ops->close(source);
	return status;
}

static int play(struct options *options, struct console *console);

/* Shows a recorded lecture on the screen scene by scene. Each scene is a replay. */
static int replay_scenes(const struct options *options, const struct scenes *scenes,
			 struct console *console)
{
	char error[PATH_MAX + 256];
	struct lecturer lecturer;
	struct source *source = NULL;
	int i, status;

	if (options->scene == 0 && !console->lecturer) {
		if (lecturer_open_recorded(&lecturer, options, scenes, error, sizeof(error)) < 0)
			return complain(console, error, EXIT_USAGE);
		status = lecturer_run(&lecturer, console, play);
		console->lecturer = NULL;
		lecturer_close(&lecturer);
		return status;
	}
	if (options->scene > 0)
		i = scenes_chosen(scenes, options, error, sizeof(error));
	else
		i = error_line(error, sizeof(error), -EINVAL,
			       "\"%s\" is a lecture of %zu scenes; --scene N plays one",
			       scenes->path, scenes->log.n);
	if (i >= 0)
		source = scenes_source(scenes, (size_t)i, error, sizeof(error));
	if (source)
		return replay_source(options, source, scenes->path, console);
	return complain(console, error, EXIT_USAGE);
}

/* Writes the result of a session. rows: see show_result(), or -errno. Closes rows. */
static int export_session(const struct options *options, const struct model *model, int rows)
{
	char error[256];
	int status;

	if (rows < 0 && options->format->bundle) {
		error_line(error, sizeof(error), rows, "cannot read the rows of the recording: %s",
			   strerror(-rows));
		return complain(NULL, error, EXIT_FAILED);
	}
	status = show_result(options, model, rows);
	if (rows >= 0)
		close(rows);
	return status;
}

/* Exports all scenes. A recording whose list cannot be read is written without it. */
static int export_all_scenes(const struct options *options, const struct scenes *scenes,
			     char *error, size_t size)
{
	struct lecturer lecturer;
	int err, list = lecturer_open_recorded(&lecturer, options, scenes, error, size);

	if (list)
		return scenes_export(scenes, NULL, options, error, size);
	err = scenes_export(scenes, &lecturer, options, error, size);
	lecturer_close(&lecturer);
	return err;
}

/* Exports one scene of a lecture's recording, or all scenes. */
static int export_scenes(const struct options *options, const struct scenes *scenes,
			 struct model *model)
{
	char error[PATH_MAX + 256];
	int i, err, rows = -1;

	if (options->scene == 0) {
		err = export_all_scenes(options, scenes, error, sizeof(error));
		if (err)
			return complain(NULL, error, export_status(err));
		return EXIT_DONE;
	}
	i = scenes_chosen(scenes, options, error, sizeof(error));
	if (i < 0 || scenes_load(scenes, (size_t)i, model, error, sizeof(error)))
		return complain(NULL, error, EXIT_USAGE);
	if (options->format->bundle)
		rows = scenes_rows(scenes, (size_t)i);
	return export_session(options, model, rows);
}

/* Exports one session. */
static int export_recording(const struct options *options, const char *path, struct model *model,
			    struct console *console)
{
	char error[PATH_MAX + 256];
	int rows = -1;

	if (recordings_load(path, model, error, sizeof(error)) < 0)
		return complain(console, error, EXIT_USAGE);
	if (options->format->bundle)
		rows = recordings_rows(path);
	return export_session(options, model, rows);
}

/* Plays a session, or says why --scene cannot choose one. */
static int play_recording(const struct options *options, const char *path, struct console *console)
{
	char error[PATH_MAX + 256];
	struct source *source = source_replay_open(path, options->follow, error, sizeof(error));

	if (!source)
		return complain(console, error, EXIT_USAGE);
	if (options->scene == 0)
		return replay_source(options, source, path, console);
	source->ops->close(source);
	return complain(console,
			"--scene needs the recording of a lecture, in a file; leave out --scene "
			"for other recordings",
			EXIT_USAGE);
}

/* Exports a recording, or plays it while it is read from a file or a pipe. */
static int use_recording(const struct options *options, char *const *path, struct console *console)
{
	const bool export = options->action == ACTION_EXPORT;
	char error[PATH_MAX + 256];
	struct scenes scenes;
	struct model model;
	int status, found = 0;

	model_init(&model);
	if (strcmp(*path, "-") == 0 && (export || options->scene > 0))
		found = scenes_take_input();
	if (found < 0)
		fprintf(stderr, "tuibench: standard input: %s\n", strerror(-found));
	found = scenes_open(&scenes, *path, error, sizeof(error));
	if (*scenes.changed)
		console_say(console, "tuibench: %s: changed since the bundle was made: %s",
			    basename(*path), scenes.changed);
	if (found < 0)
		status = complain(console, error, EXIT_USAGE);
	else if (found > 0 && !export && options_screen(options))
		status = replay_scenes(options, &scenes, console);
	else if (found > 0)
		status = export_scenes(options, &scenes, &model);
	else if (export && options->scene == 0)
		status = export_recording(options, *path, &model, console);
	else
		status = play_recording(options, *path, console);
	model_free(&model);
	scenes_close(&scenes);
	return status;
}

/* Exports several recordings as the scenes of a lecture. */
static int export_several(const struct options *options, struct console *console)
{
	char error[PATH_MAX + 256];
	struct scenes scenes;
	int status = EXIT_DONE;
	int err = scenes_of_recordings(&scenes, options, error, sizeof(error));

	if (err)
		status = complain(console, error, EXIT_USAGE);
	else
		err = export_all_scenes(options, &scenes, error, sizeof(error));
	if (err && !status)
		status = complain(console, error, export_status(err));
	scenes_close(&scenes);
	return status;
}

/*
 * Handles --replay and --export. Uses a single recording, joins two recordings, and pools a
 * directory or more than two recordings. Without a name, uses the newest recording.
 */
static int use_recordings(const struct options *options, struct console *console)
{
	const bool export = options->action == ACTION_EXPORT;
	char path[PATH_MAX], error[PATH_MAX + 256], *newest = path, text[256];
	struct model model;
	int status;

	if (options->n_logs == 0) {
		if (recordings_newest(path, error, sizeof(error)) < 0)
			return complain(console, error, EXIT_FAILED);
		if (recordings_check_input(options, path, error, sizeof(error)))
			return complain(console, error, EXIT_USAGE);
		return use_recording(options, &newest, console);
	}
	if (export && options->format->bundle && options->n_logs > 1)
		return export_several(options, console);
	if (machines_is_meant(options))
		return machines_run(options, console);
	if (options->n_logs == 1)
		return use_recording(options, options->logs, console);
	if (recordings_open_two(options->logs, &model, error, sizeof(error)) < 0) {
		status = complain(console, error, EXIT_USAGE);
	} else if (export || !options_screen(options)) {
		status = show_result(options, &model, -1);
	} else { /* make a name such as "desktop + laptop" */
		snprintf(text, sizeof(text), "%s + %s", model.origins[0].name,
			 model.origins[1].name);
		status = app_run(console, options, NULL, NULL, &model, text);
	}
	model_free(&model);
	return status;
}

/*
 * Asks the user for permission to do what a file requests, and shows the whole request. Nothing has
 * run before. Returns what app_ask() returns.
 */
__attribute__((format(printf, 5, 6))) static int ask(const struct options *options,
						     struct console *console, const char *title,
						     const char *yes, const char *format, ...)
{
	struct view_question question = {.title = title, .yes = yes};
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&question.text, format, args);
	va_end(args);
	if (n < 0)
		return complain(console, "out of memory", EXIT_FAILED);
	return app_ask(console, options, &question);
}

static int rerun(const struct options *options, struct console *console)
{
	struct next *next = &console->next;
	char error[PATH_MAX + 512], *outside = NULL, *line = NULL, *name = NULL;
	char *log = (char *)options->rerun;
	struct again again = {.keeps = true, .outside = &outside};
	struct options_walk walk = {options->argc, options->argv};
	struct model model;
	int status = EXIT_DONE, err;

	err = recordings_load(options->rerun, &model, error, sizeof(error));
	again.recorded = model.session.options;
	again.seed = model.session.seed;
	if (!err && !*again.recorded)
		err = error_line(error, sizeof(error), -ENODATA,
				 "--rerun: \"%s\" does not say which command was typed",
				 options->rerun);
	if (!err)
		err = again_make(next, &again, options, "--rerun", error, sizeof(error));
	/*
	 * Add the options that the user typed besides --rerun, because they also apply to the
	 * session.
	 */
	while (!err && options_next(&walk)) {
		const char *word = walk.rule->name, *value = walk.value;

		if (strcmp(word, "rerun") == 0 || strcmp(word, "yes") == 0 ||
		    strcmp(word, "config") == 0)
			continue;
		if (next_add(next, value ? "--%s=%s" : "--%s", word, value))
			err = error_line(error, sizeof(error), -E2BIG, "--rerun: too many words");
	}
	model_free(&model);
	if (err)
		status = complain(console, error, EXIT_USAGE);
	else if (!options->yes && (!(name = command_text(1, &log)) ||
				   !(line = command_text(next->argc, next->argv))))
		status = complain(console, "out of memory", EXIT_FAILED);
	else if (!options->yes && outside)
		status = ask(options, console, "run it again", "runs it",
			     "This command runs the session of %s again:\n"
			     "$ %s\n"
			     "\n"
			     "It does this outside tuibench, with your permissions:\n"
			     "%s",
			     name, line, outside);
	else if (!options->yes)
		status = ask(options, console, "run it again", "runs it",
			     "This command runs the session of %s again:\n"
			     "$ %s\n"
			     "\n"
			     "It does nothing outside tuibench.",
			     name, line);
	if (status)
		next_free(next);
	free(name);
	free(line);
	free(outside);
	return status;
}

/*
 * Plays a lecture. If a key chose the lecture in the menu, the menu's command line is parsed into
 * `options` and then dropped, because each scene has a command line of its own.
 */
static int play_lecture(struct options *options, struct console *console)
{
	struct lecturer lecturer = {.options = NULL};
	struct next words = console->now;
	struct debug *debug = options->debug;
	char error[PATH_MAX + 512], *outside = NULL;
	int status = EXIT_DONE, err = 0;

	console->now = (struct next) {.argc = 0};
	if (words.argc > 0)
		err = options_parse(options, words.argc, words.argv, error, sizeof(error));
	options->debug = debug;
	if (!err)
		err = lecturer_read(&lecturer, options, &outside, error, sizeof(error));
	/*
	 * Ask before the lecture uses something outside tuibench, unless its file was installed
	 * with tuibench or is trusted.
	 */
	if (!err && options->trust && !same_file(options->trust, lecturer.path))
		err = error_line(error, sizeof(error), -EINVAL,
				 "--trust and --lecture name different files; name the same file");
	else if (!err && outside && !options->trust && !lecturer.installed)
		status = ask(options, console, "a lecture from a file", "begins it",
			     "This lecture did not come with tuibench. Its blocks do this outside "
			     "tuibench, with your permissions:\n\n%s\nNone of it has run yet.",
			     outside);
	free(outside);
	if (!err && !status)
		err = lecturer_open(&lecturer, error, sizeof(error));
	if (!err && !status)
		err = lecturer_begin(&lecturer, options->scene, error, sizeof(error));
	if (!err && !status)
		err = open_recording(&lecturer.recording, options, "lecture", error, sizeof(error));
	if (err) {
		status = complain(console, error, EXIT_USAGE);
	} else if (!status) {
		/*
		 * Make one recording of the whole lecture, with a part for each session that runs
		 * or plays. The rows of a session must follow one another, so scenes that are shown
		 * during a session are recorded after it.
		 */
		lecturer.records = true;
		if (lecturer.recording.log)
			log_lecture(lecturer.recording.log, lecturer.lecture.title,
				    (uint32_t)lecturer.lecture.n);
		if (lecturer.recording.notice[0])
			complain(console, lecturer.recording.notice, 0);
		status = lecturer_run(&lecturer, console, play);
		console->lecturer = NULL;
		lecturer_record_seen(&lecturer, SIZE_MAX);
		status = close_recording(&lecturer.recording, console, status);
	}
	lecturer_close(&lecturer);
	next_free(&words);
	return status;
}

/*
 * Runs, plays or shows what the options ask for, on the screen or without one. Returns the exit
 * status.
 */
static int play(struct options *options, struct console *console)
{
	options->request.compiler = build_compiler;
	options->request.commit = build_commit;
	if (options->action == ACTION_LECTURE)
		return play_lecture(options, console);
	if (options->menu)
		return app_run(console, options, NULL, NULL, NULL, NULL);
	if (options->rerun)
		return rerun(options, console);
	if (options->replay)
		return use_recordings(options, console);
	return run_session(options, console);
}

static int run_or_replay(struct options *options)
{
	static const char *const articles[] = {"no", "a"};
	const char *term = sentence_text(getenv("TERM"), "");
	bool screen = options_screen(options), in = isatty(STDIN_FILENO),
	     out = isatty(STDOUT_FILENO);
	struct console console;
	char line[320];
	int status = EXIT_DONE, last;

	console_init(&console);
	/*
	 * If the terminal cannot draw, run without a screen. Say why, unless the user typed
	 * --batch.
	 */
	if (!options->batch && in && out && !screen) {
		screen_term_line(term, line, sizeof(line));
		fprintf(stderr, "tuibench: %s\n", line);
	}
	DEBUG(options->debug, "app", "%s screen: standard input is %s terminal, output %s, TERM=%s",
	      articles[screen], articles[in], articles[out], term);
	do {
		last = play(options, &console);
		if (!(status && last < 128))
			status = last;
	} while (console_advance(&console, options, &status));
	console_close(&console);
	return status;
}

static int show_notes(struct options *options)
{
	struct notes_reader *reader = malloc(sizeof(*reader));
	struct console console;
	char error[PATH_MAX + 256] = "out of memory";
	int status;

	if (!reader || notes_connect(reader, error, sizeof(error)) < 0) {
		free(reader);
		return complain(NULL, error, EXIT_LIMITS);
	}
	console_init(&console);
	console.notes = reader;
	options->replay = options->exit = true;
	options->fps = 1;
	status = app_run(&console, options, &reader->source, NULL, NULL, NULL);
	if (!status && reader->fd < 0)
		console_say(&console, reader->received
					      ? "tuibench: the lecture has ended"
					      : "tuibench: --notes: the lecture has no notes");
	if (!status && reader->fd < 0 && !reader->received)
		status = EXIT_LIMITS;
	notes_disconnect(reader);
	console_close(&console);
	free(reader);
	return status;
}

/*
 * Closes standard output. Returns 0 if all output was delivered. The next program in a pipe may
 * rely on this.
 */
static int close_output(void)
{
	bool failed = ferror(stdout) != 0;
	int err = errno;

	if (fflush(stdout) == 0 && !failed)
		return EXIT_DONE;
	fprintf(stderr, "tuibench: standard output: write error: %s\n",
		strerror(failed ? err : errno));
	return EXIT_FAILED;
}

static int act(struct options *options)
{
	char error[PATH_MAX + 512];
	int err, status;

	switch (options->action) {
	default:
		if (options->action == ACTION_VERSION) {
			printf("tuibench %s", TUIBENCH_VERSION);
			if (strcmp(build_commit, "v" TUIBENCH_VERSION))
				printf(", commit %s", sentence_text(build_commit, "?"));
			printf("\nBuilt by %s\n%s", build_compiler, build_contacts);
		}
		if (options->action == ACTION_COMPLETION)
			options_completion(options->completion, options->logs, options->n_logs,
					   stdout);
		break;
	case ACTION_HELP:
		if (options_help(options->topic, stdout)) {
			char text[256], meant[80];

			options_help_nearest(options->topic, meant, sizeof(meant));
			snprintf(text, sizeof(text),
				 *meant ? "--help: unknown topic \"%.80s\"; did you mean \"%s\"?"
					: "--help: unknown topic \"%.80s\"; use settings, keys, "
					  "experiments, formats, config, or the name of an option, "
					  "a setting, an experiment, a key or a word on the screen",
				 options->topic, meant);
			return complain(NULL, text, EXIT_USAGE);
		}
		break;
	case ACTION_LIST:
		err = recordings_list(stdout, error, sizeof(error));
		if (err < 0)
			complain(NULL, error, 0);
		if (err < 0 && err != -ENOENT)
			return EXIT_FAILED;
		break;
	case ACTION_PRUNE:
		if (prune_run(options, error, sizeof(error)) < 0)
			return complain(NULL, error, EXIT_FAILED);
		break;
	case ACTION_SELF_TEST:
		status = self_test_run(options);
		if (status)
			return status;
		return close_output();
	case ACTION_LECTURE:
		if (options->check) {
			if (lecture_check(options, stdout))
				return EXIT_USAGE;
			return close_output();
		}
		if (options->n_logs > 0)
			return run_or_replay(options);
		if (options->notes)
			return show_notes(options);
		if (lectures_list(stdout, error, sizeof(error)) < 0)
			return complain(NULL, error, EXIT_FAILED);
		break;
	case ACTION_RUN:
		return run_or_replay(options);
	case ACTION_EXPORT:
		return use_recordings(options, NULL);
	}
	return close_output();
}

/*
 * The program, from its options to its exit status. It is not a part of main(), so that main() can
 * check the stack limit before this function uses the stack.
 */
__attribute__((noinline)) static int program(int argc, char **argv)
{
	const char *path = getenv("TUIBENCH_DEBUG");
	struct options options;
	char error[1024];
	int status;

	/*
	 * If a recording becomes too large, write() must fail; the signal must not end the program.
	 */
	signal(SIGXFSZ, SIG_IGN);
	sentence_language();
	status = options_parse(&options, argc, argv, error, sizeof(error));
	if (status < 0)
		return complain(NULL, error,
				status == -ENOMEM || status == -EAGAIN || status == -ENOSPC
					? EXIT_LIMITS
					: EXIT_USAGE);
	/* Only these actions have input files to check and decisions to write to the debug file. */
	if (options.action == ACTION_RUN || options.action == ACTION_EXPORT ||
	    options.action == ACTION_LECTURE) {
		if (check_inputs(&options, error, sizeof(error)))
			return complain(NULL, error, EXIT_USAGE);
		status = debug_open(path, &options.debug);
		DEBUG(options.debug, "app", "tuibench %s: %s", TUIBENCH_VERSION, options.command);
		if (options.config_path[0])
			DEBUG(options.debug, "app", "options of %s; left out: %s",
			      options.config_path, sentence_text(options.left_out, "none"));
		if (!status)
			status = debug_error(options.debug);
	}
	if (status < 0) {
		debug_close(options.debug);
		error_line(error, sizeof(error), status, "TUIBENCH_DEBUG: cannot write \"%s\": %s",
			   path, status == -EAGAIN ? "nobody reads it" : strerror(-status));
		return complain(NULL, error, status == -ENOMEM ? EXIT_LIMITS : EXIT_USAGE);
	}
	status = act(&options);
	debug_close(options.debug);
	return status;
}

int main(int argc, char **argv)
{
	/*
	 * A session needs more than 128 KiB of stack, and works with 192 KiB. LEAST_KB leaves a
	 * reserve. With less than 16 KiB, not even this error could be printed.
	 */
	enum { LEAST_KB = 512 };
	struct rlimit limit;
	char text[160];

	/*
	 * If descriptor 0, 1 or 2 is closed, the next file that is opened would get its number. So
	 * open /dev/null with that number, in the wrong direction, so that writing a result to a
	 * closed output fails.
	 */
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(EXIT_FAILED);
	same_file_join_outputs();
	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= LEAST_KB * 1024)
		return program(argc, argv);
	snprintf(text, sizeof(text),
		 "the stack limit (RLIMIT_STACK) is %" PRIu64
		 " KiB, but tuibench needs %d; raise it with ulimit -s %d",
		 (uint64_t)limit.rlim_cur / 1024, LEAST_KB, LEAST_KB);
	return complain(NULL, text, EXIT_LIMITS);
}
