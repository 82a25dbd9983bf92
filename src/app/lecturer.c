/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/procfs.h"
#include "base/utf8.h"
#include "cli/command.h"

bool lectures_find(const char *name, char path[PATH_MAX])
{
	char folder[PATH_MAX], installed[2 * PATH_MAX], at[PATH_MAX], real[PATH_MAX];

	snprintf(path, PATH_MAX, "%s", name);
	if (strchr(name, '/') || access(name, F_OK) == 0 || !procfs_find_data("lectures", folder))
		return false;
	snprintf(installed, sizeof(installed), "%s/%s.md", folder, name);
	if (strlen(installed) >= PATH_MAX || access(installed, F_OK) != 0)
		return false;
	memcpy(path, installed, strlen(installed) + 1);
	/* A link can lead to any file, so a linked file does not count as installed. */
	if (!realpath(folder, at) || !realpath(path, real))
		return false;
	return strncmp(real, at, strlen(at)) == 0 && real[strlen(at)] == '/' &&
	       strcmp(real + strlen(at), path + strlen(folder)) == 0;
}

int lectures_list(FILE *out, char *error, size_t size)
{
	char folder[PATH_MAX], pattern[PATH_MAX + 8];
	struct lecture lecture;
	glob_t files;
	int err = 0;

	if (!procfs_find_data("lectures", folder))
		return error_line(
			error, size, -ENOENT,
			"no lectures are installed in %s; --lecture FILE.md shows your own",
			TUIBENCH_DATADIR "/tuibench/lectures");
	snprintf(pattern, sizeof(pattern), "%s/*.md", folder);
	if (glob(pattern, 0, NULL, &files))
		return error_line(error, size, -ENOENT, "no lectures are in %s", folder);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *name = strrchr(files.gl_pathv[i], '/') + 1;

		err = lecture_read(files.gl_pathv[i], &lecture, error, size);
		if (err)
			break;
		fprintf(out, "%-16.*s %s\n", (int)(strlen(name) - strlen(".md")), name,
			lecture.title);
		lecture_free(&lecture);
	}
	if (!err)
		fprintf(out, "tuibench --lecture NAME shows one of them; they are files of %s\n",
			folder);
	globfree(&files);
	return err;
}

/*
 * The first character outside single quotes that is special in a shell; NULL if there is no such
 * character.
 */
static const char *shell_mark(const char *line)
{
	bool quoted = false;

	for (; *line; line++) {
		quoted ^= *line == '\'';
		if (!quoted && strchr("\"`$\\;|&<>()*?~{}!", *line))
			return line;
	}
	return NULL;
}

/* Refuses options that do not suit a scene. A scene shows a session until the speaker leaves it. */
static int check_kind(const struct options *options, char *error, size_t size)
{
	const char *what = NULL;

	if (options->action != ACTION_RUN || options->menu || options->rerun)
		what = "this command neither runs nor replays a session";
	else if (options->batch || options->log)
		what = "--batch and --log do not work in a scene; leave them out";
	else if (options->exit)
		what = "--exit does not work in a scene; leave it out";
	else if (options->replay && options->n_logs == 1 && strcmp(options->logs[0], "-") == 0)
		what = "--replay -: the keys come from standard input; name a file";
	if (what)
		return error_line(error, size, -EINVAL, "%s", what);
	return 0;
}

/*
 * Refuses only values that are invalid on every machine. Whether the session fits this machine is
 * checked later. Sets the number of trials to 1, because computing that number for every scene
 * would delay the first scene.
 */
static int check_values(const struct options *options, char *error, size_t size)
{
	struct request request = options->request;
	struct experiment *experiment = malloc(sizeof(*experiment));
	int err;

	if (!experiment)
		return error_line(error, size, -ENOMEM, "out of memory");
	request.quick = false;
	if (!request.trials)
		request.trials = 1;
	err = experiment_build(&request, experiment, error, size);
	free(experiment);
	if (err == -EINVAL || err == -ENOMEM)
		return err;
	return 0;
}

/*
 * Makes names of recordings relative to the lecture's file, like a link in the lecture's text.
 * getopt has moved the names to the end of the words. Refuses all files except regular files:
 * opening a pipe can block forever, without reacting to keys or signals, and opening a device can
 * do harm.
 */
static int place_recordings(const struct options *options, const char *path, char *error,
			    size_t size)
{
	const char *slash = strrchr(path, '/');
	struct stat st;
	char *placed;

	for (int i = 0; i < options->n_logs; i++) {
		if (slash && *options->logs[i] != '/') {
			if (asprintf(&placed, "%.*s/%s", (int)(slash - path), path,
				     options->logs[i]) < 0)
				return error_line(error, size, -ENOMEM, "out of memory");
			free(options->logs[i]);
			options->logs[i] = placed;
		}
		if (stat(options->logs[i], &st) == 0 && !S_ISREG(st.st_mode))
			return error_line(error, size, -EINVAL,
					  "--replay: \"%s\" is not a file; name a recording",
					  options->logs[i]);
	}
	return 0;
}

/*
 * Parses the command twice: as the lecture has it, and as it will run, with the speaker's current
 * choices for the screen and for recordings. path: the lecture's file, to which paths of recordings
 * are relative. NULL: the paths stay unchanged.
 */
static int look_at_words(struct lecturer_scene *made, const char *path, const struct options *now,
			 char *error, size_t size)
{
	struct next *words = &made->words;
	struct options *options = calloc(1, sizeof(*options)), asked = *now;
	int err;

	if (!options)
		return error_line(error, size, -ENOMEM, "out of memory");
	err = options_parse_scene(options, words->argc, words->argv, error, size);
	if (!err)
		err = check_kind(options, error, size);
	if (!err && !options->replay)
		err = check_values(options, error, size);
	asked.no_log &= !err && !options->replay;
	asked.config = NULL;
	if (!err && next_add_now(words, &asked))
		err = error_line(error, size, -E2BIG, "too many words");
	if (!err)
		err = options_parse_scene(options, words->argc, words->argv, error, size);
	if (!err && path && options->replay)
		err = place_recordings(options, path, error, size);
	if (!err) {
		made->same = options->replay && options->n_logs == 0;
		made->looks = options->looks;
	}
	free(options);
	return err;
}

int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size)
{
	const char *mark = shell_mark(scene->command);
	char what[512];
	int err;

	*made = (struct lecturer_scene) {.same = false};
	if (!*scene->command)
		return 0;
	if (mark)
		return error_line(error, size, -EINVAL,
				  "%s:%u: only a shell understands %c; put the word in '…'", path,
				  scene->line, *mark);
	/* Ignore the user's configuration file, so that a scene runs the same everywhere. */
	next_add(&made->words, "tuibench");
	next_add(&made->words, "--config=" CONFIG_NONE);
	err = next_add_line(&made->words, scene->command + strcspn(scene->command, " "));
	if (err)
		error_line(what, sizeof(what), err, "not a command line: %s",
			   err == -EINVAL ? "a ' has no closing '" : strerror(-err));
	else
		err = look_at_words(made, path, now, what, sizeof(what));
	if (!err)
		return 0;
	next_free(&made->words);
	return error_line(error, size, err, "%s:%u: %s", path, scene->line, what);
}

/*
 * Adds a line to outside for each option of the scene's command that starts or opens something
 * outside tuibench. Returns 0, or a negative errno with a line in error if memory is short, or if
 * the command names a configuration file, which no scene may do. Other errors in the command are
 * not reported here.
 */
static int tell_words_outside(const struct lecture_scene *scene, const char *path, char **outside,
			      char *error, size_t size)
{
	char where[PATH_MAX + 32];
	struct next words = {.argc = 0};
	struct options_walk walk = {0};
	bool config = false; /* the command has --config */
	int err = 0;

	snprintf(where, sizeof(where), "%s:%u ", path, scene->line);
	utf8_mask(where); /* Mask newlines in the path, which would begin another line. */
	/* If a command cannot be split, lecturer_words_make() refuses it before any scene runs. */
	if (next_add_line(&words, scene->command) == 0)
		walk = (struct options_walk) {words.argc, words.argv};
	while (walk.argc > 0 && err >= 0 && options_next(&walk)) {
		if (!walk.rule)
			continue;
		err = options_rule_tell(walk.rule, walk.value, where, outside);
		config |= walk.rule->offset == offsetof(struct options, config);
	}
	next_free(&words);
	if (err < 0)
		return error_line(error, size, err, "%s: out of memory", path);
	if (config)
		return error_line(error, size, -EINVAL,
				  "%s:%u: --config does not work in a lecture; write the options "
				  "into the block",
				  path, scene->line);
	return 0;
}

#define NONE SIZE_MAX

static bool has_session(const struct lecturer_scene *scene)
{
	return scene->words.argc > 0 && !scene->same;
}

static size_t session_scene(const struct lecturer *lecturer, size_t scene)
{
	for (size_t i = scene + 1; i > 0; i--)
		if (has_session(&lecturer->scenes[i - 1]))
			return i - 1;
	return NONE;
}

static int make_recorded_scene(struct lecturer *lecturer, const struct scenes *scenes, size_t i,
			       char *error, size_t size);

/* The first scene from `scene` on that has a session of its own. NONE: there is no such scene. */
static size_t next_session(const struct lecturer *lecturer, size_t scene)
{
	while (scene < lecturer->lecture.n && !has_session(&lecturer->scenes[scene]))
		scene++;
	if (scene < lecturer->lecture.n)
		return scene;
	return NONE;
}

/*
 * Gives the items the results of the scenes that they name. If no item names a scene, gives them
 * the results of the scenes in order.
 */
static void make_items(struct lecturer *lecturer)
{
	const struct lecture *lecture = &lecturer->lecture;
	bool named = false;
	size_t scene = 0;

	if (!lecture_sums_up(lecture, lecture->n - 1))
		return;
	lecturer->n_items = lecture_items(lecture->scenes[lecture->n - 1].notes, lecturer->items);
	for (size_t i = 0; i < lecturer->n_items; i++)
		named |= lecturer->items[i].scene != LECTURE_UNNAMED;
	for (size_t i = 0; i < lecturer->n_items; i++) {
		size_t of = lecturer->items[i].scene;

		if (!named) {
			of = next_session(lecturer, scene);
			scene = of == NONE ? lecture->n : of + 1;
		} else if (of < lecture->n) {
			of = session_scene(lecturer, of);
		}
		lecturer->item_scenes[i] = of < lecture->n ? of : NONE;
		lecturer->shown_items[i].text = lecturer->items[i].text;
		lecturer->shown_items[i].result =
			of < lecture->n ? &lecturer->scenes[of].result : NULL;
	}
}

/* Makes the scenes of the lecture's file, or of its recording if `recorded` is not NULL. */
static int make_scenes(struct lecturer *lecturer, const struct scenes *recorded, char *error,
		       size_t size)
{
	const struct lecture *lecture = &lecturer->lecture;
	int err = 0;

	lecturer->scenes = calloc(lecture->n, sizeof(*lecturer->scenes));
	lecturer->headings = calloc(lecture->n, sizeof(*lecturer->headings));
	if (!lecturer->scenes || !lecturer->headings)
		return error_line(error, size, -ENOMEM, "out of memory");
	for (size_t i = 0; i < lecture->n; i++) {
		const struct lecture_scene *scene = &lecture->scenes[i];

		if (err)
			break;
		lecturer->headings[i] = scene->heading;
		if (recorded)
			err = make_recorded_scene(lecturer, recorded, i, error, size);
		else
			err = lecturer_words_make(&lecturer->scenes[i], scene, lecturer->path,
						  lecturer->options, error, size);
		if (!err && !recorded && lecturer->scenes[i].same &&
		    session_scene(lecturer, i) == NONE)
			err = error_line(error, size, -EINVAL,
					 "%s:%u: --replay without a file replays the session of "
					 "the previous scene, and there is none",
					 lecturer->path, scene->line);
	}
	if (!err)
		make_items(lecturer);
	return err;
}

int lecturer_read(struct lecturer *lecturer, const struct options *options, char **outside,
		  char *error, size_t size)
{
	const struct lecture *lecture = &lecturer->lecture;
	int err;

	*lecturer = (struct lecturer) {.options = options};
	lecturer->installed = lectures_find(options->logs[0], lecturer->path);
	if (options->check)
		err = lecture_read_faulty(lecturer->path, &lecturer->lecture, &lecturer->faults,
					  error, size);
	else
		err = lecture_read(lecturer->path, &lecturer->lecture, error, size);
	if (err == -ENOENT && !strpbrk(lecturer->path, "/."))
		error_line(error, size, err,
			   "%s is neither a file nor an installed lecture; --lecture without a "
			   "name lists those that are installed",
			   lecturer->path);
	for (size_t i = 0; i < lecture->n; i++) {
		if (err)
			break;
		err = tell_words_outside(&lecture->scenes[i], lecturer->path, outside, error, size);
		if (err == -EINVAL && options->check)
			err = lecture_add_fault(&lecturer->faults, error);
	}
	if (err)
		lecturer_close(lecturer);
	return err;
}

int lecturer_open(struct lecturer *lecturer, char *error, size_t size)
{
	int err = make_scenes(lecturer, NULL, error, size);

	if (err)
		lecturer_close(lecturer);
	return err;
}

int lecturer_begin(struct lecturer *lecturer, uint32_t scene, char *error, size_t size)
{
	if (scene > lecturer->lecture.n)
		return error_line(error, size, -EINVAL, "--scene: \"%u\": %s has scenes 1 to %zu",
				  scene, lecturer->path, lecturer->lecture.n);
	if (scene > 0)
		lecturer->at = scene - 1;
	return 0;
}

void lecturer_close(struct lecturer *lecturer)
{
	for (size_t i = 0; i < lecturer->lecture.n; i++) {
		if (!lecturer->scenes)
			break;
		next_free(&lecturer->scenes[i].words);
		free(lecturer->scenes[i].reason);
		model_free(&lecturer->scenes[i].kept);
	}
	free(lecturer->scenes);
	free(lecturer->headings);
	lecture_free(&lecturer->lecture);
	free(lecturer->faults);
	*lecturer = (struct lecturer) {.options = NULL};
}

size_t lecturer_session(const struct lecturer *lecturer)
{
	return session_scene(lecturer, lecturer->at);
}

/*
 * The scene whose session has just ended. After a step, `at` is the next scene, and `from` the
 * scene before the step.
 */
static size_t ended_scene(const struct lecturer *lecturer)
{
	return session_scene(lecturer, lecturer->stepped ? lecturer->from : lecturer->at);
}

const char *lecturer_ended_heading(const struct lecturer *lecturer)
{
	const size_t session = ended_scene(lecturer);

	return session == NONE ? NULL : lecturer->headings[session];
}

int lecturer_words(const struct lecturer *lecturer, struct next *next)
{
	const struct next *words = &lecturer->scenes[lecturer_session(lecturer)].words;
	int err = 0;

	for (int i = 0; i < words->argc; i++)
		if (!err)
			err = next_add(next, "%s", words->argv[i]);
	return err;
}

bool lecturer_prints(struct lecturer *lecturer)
{
	const size_t session = ended_scene(lecturer);
	struct lecturer_scene *scene;

	if (session == NONE)
		return true;
	scene = &lecturer->scenes[session];
	if (lecturer->again && scene->printed)
		return false;
	scene->printed = true;
	return true;
}

void lecturer_excuse(struct lecturer *lecturer, const char *line)
{
	const size_t session = session_scene(lecturer, lecturer->at);

	if (session == NONE)
		return;
	free(lecturer->scenes[session].reason);
	lecturer->scenes[session].reason = strdup(line);
}

/* Records a scene. A failed write is reported at the lecture's end. */
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

struct recording lecturer_record_session(const struct console *console,
					 const struct options *options)
{
	struct lecturer *lecturer = console->lecturer;
	const size_t scene = lecturer_session(lecturer);

	if (scene != NONE) {
		lecturer_record_seen(lecturer, scene);
		write_scene(lecturer, scene,
			    console->now.argc > 0 ? options->command
						  : lecturer->lecture.scenes[scene].command);
	}
	if (scene == NONE || options->no_log)
		return (struct recording) {.log = NULL};
	return lecturer->recording;
}

static bool has_notes(const struct lecture *lecture)
{
	bool has = false;

	for (size_t i = 0; i < lecture->n; i++)
		has |= *lecture->scenes[i].notes != '\0';
	return has;
}

const char *lecturer_show(struct lecturer *lecturer, struct view_state *state)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[lecturer->at];
	const size_t session = session_scene(lecturer, lecturer->at);
	const bool sums_up = session != NONE && lecture_sums_up(&lecturer->lecture, lecturer->at);
	const struct view_looks *looks = NULL;

	/* Use the view options of the last command up to this scene. */
	for (size_t i = lecturer->at + 1; i > 0; i--) {
		if (looks)
			break;
		if (lecturer->scenes[i - 1].words.argc > 0)
			looks = &lecturer->scenes[i - 1].looks;
	}
	lecturer->shown = true;
	lecturer->scenes[lecturer->at].seen = true;
	state->lecture = (struct view_lecture) {
		.title = lecturer->lecture.title,
		.heading = scene->heading,
		.caption = scene->caption,
		.notes = scene->notes,
		.has_notes = has_notes(&lecturer->lecture),
		.headings = lecturer->headings,
		.scene = lecturer->at,
		.scenes = lecturer->lecture.n,
		.slide = lecturer->slide || sums_up,
		.sums_up = sums_up,
		.items = lecturer->shown_items,
		.n_items = sums_up ? lecturer->n_items : 0,
		.again = lecturer->again,
		.reason = lecturer->slide && session != NONE ? lecturer->scenes[session].reason
							     : NULL,
	};
	/* If a session is shown again, cover no result, because the audience has already voted. */
	if (lecturer->scenes[lecturer->at].same)
		state->vote = false;
	if (!looks)
		return NULL;
	view_look(state, looks);
	state->present = false;
	return looks->select;
}

void lecturer_keep(struct lecturer *lecturer, struct model *model)
{
	const size_t session = ended_scene(lecturer);

	if (!lecturer->stepped || lecturer->slide || session == NONE || model->n_runs == 0)
		return;
	model_free(&lecturer->scenes[session].kept);
	lecturer->scenes[session].kept = *model;
	model_init(model);
}

const char *lecturer_ahead(struct lecturer *lecturer)
{
	const size_t next = lecturer->at + 1;
	struct lecturer_scene *scene;
	char error[SAMPLE_TEXT];

	if (next >= lecturer->lecture.n || !has_session(&lecturer->scenes[next]))
		return NULL;
	scene = &lecturer->scenes[next];
	if (scene->kept.has_session || next_check(&scene->words, error, sizeof(error)) == 0)
		return NULL;
	snprintf(lecturer->notice, sizeof(lecturer->notice), "The next scene cannot run: %.400s",
		 error);
	return lecturer->notice;
}

const char *lecturer_without_notes(struct lecturer *lecturer)
{
	const struct notes *notes = &lecturer->notes;
	const bool told = lecturer->told_notes;

	lecturer->told_notes = true;
	if (told || !lecturer->records || lecturer->installed || !has_notes(&lecturer->lecture))
		return NULL;
	if (!notes->tried || *notes->path)
		return NULL;
	return notes->line;
}

void lecturer_sum_up(struct lecturer *lecturer, const struct model *model)
{
	const size_t session = ended_scene(lecturer);

	if (lecturer->slide || session == NONE || model->n_runs == 0)
		return;
	view_result_read(&lecturer->scenes[session].result, model);
}

bool lecturer_leaves(const struct lecturer *lecturer, int by)
{
	const size_t next = lecturer->at + (size_t)by;

	if (next >= lecturer->lecture.n)
		return false;
	return session_scene(lecturer, next) != session_scene(lecturer, lecturer->at);
}

bool lecturer_step(struct lecturer *lecturer, int by)
{
	const bool first = by < 0 && lecturer->at == 0;
	const bool last = by > 0 && lecturer->at + 1 == lecturer->lecture.n;

	if (first || last) {
		snprintf(lecturer->notice, sizeof(lecturer->notice),
			 first ? "This is the first scene." : "This is the last scene: q quits.");
		return false;
	}
	lecturer->stepped = lecturer_leaves(lecturer, by);
	lecturer->from = lecturer->at;
	lecturer->at += (size_t)by;
	return true;
}

/* A copy of a text from the recording as one line. Not for notes, which have several lines. */

static char *one_line(const char *text)
{
	char *line = strdup(text);

	for (char *at = line; at;) {
		if ((at = strchr(at, '\n')) == NULL)
			break;
		*at = ' ';
	}
	return line;
}

/*
 * Makes the command line that plays a recorded scene. If the scene's command did not run in the
 * recorded lecture, playing the scene reports this.
 */
static int make_recorded_scene(struct lecturer *lecturer, const struct scenes *scenes, size_t i,
			       char *error, size_t size)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[i];
	const struct options *now = lecturer->options;
	struct lecturer_scene *made = &lecturer->scenes[i];
	struct next *next = &made->words;
	char *command, *words[NEXT_WORDS + 1], *outside = NULL;
	struct options_walk walk;
	int n;

	if (!scenes_ran(scenes, i) && !*scene->command)
		return 0;
	/*
	 * A scene without a session may show the previous session again. If the scene's command
	 * would do more, it is not even parsed, because playing a recorded lecture starts nothing.
	 */
	if (!scenes_ran(scenes, i)) {
		bool plain = tell_words_outside(scene, scenes->path, &outside, error, size) == 0 &&
			     !outside;

		free(outside);
		if (plain && !lecturer_words_make(made, scene, scenes->path, now, error, size) &&
		    made->same)
			return 0;
	}
	made->same = false;
	/*
	 * The second attempt leaves out the view options, such as --view, because they may be
	 * invalid, for instance in a damaged row.
	 */
	for (int looks = 1; looks >= 0; looks--) {
		next_free(next);
		next_add(next, "tuibench");
		next_add(next, "--replay");
		next_add(next, "--scene=%zu", i + 1);
		if (now->speed_given)
			next_add(next, "--speed=%g", now->speed);
		next_add(next, "--config=" CONFIG_NONE);
		/* Copy the view options of the recorded command. */
		if (looks)
			command = strdup(scenes->log.scenes[i].command);
		else
			command = NULL;
		if (command)
			n = command_split(command, words, NEXT_WORDS);
		else
			n = 0;
		walk = (struct options_walk) {n, words};
		while (n > 0 && options_next(&walk))
			if (walk.rule && walk.rule->offset - offsetof(struct options, looks) <
						 sizeof(struct view_looks))
				next_add(next, "--%s=%s", walk.rule->name, walk.value);
		if (looks && !command)
			next->err = -ENOMEM;
		free(command);
		/*
		 * "./" keeps a name from being read as an option. Standard input has a name below
		 * /proc.
		 */
		if (strcmp(scenes->path, "-") == 0)
			next_add(next, "/proc/self/fd/%d", scenes->fd);
		else
			next_add(next, "%s%s", *scenes->path == '-' ? "./" : "", scenes->path);
		if (next->err)
			return error_line(error, size, -ENOMEM, "out of memory");
		if (look_at_words(made, NULL, now, error, size) == 0)
			return 0;
	}
	return -EINVAL;
}

int lecturer_open_recorded(struct lecturer *lecturer, const struct options *options,
			   const struct scenes *scenes, char *error, size_t size)
{
	struct lecture *lecture = &lecturer->lecture;
	int err = 0;

	*lecturer = (struct lecturer) {.options = options};
	if (scenes->log.n == 0)
		return error_line(error, size, -ENODATA,
				  "\"%s\" is the recording of a lecture that showed no scene",
				  scenes->path);
	lecture->title = one_line(scenes->log.title);
	lecture->scenes = calloc(scenes->log.n, sizeof(*lecture->scenes));
	if (!lecture->title || !lecture->scenes)
		err = -ENOMEM;
	while (!err && lecture->n < scenes->log.n) {
		const struct log_scene *from = &scenes->log.scenes[lecture->n];
		struct lecture_scene *to = &lecture->scenes[lecture->n++];

		*to = (struct lecture_scene) {
			.heading = one_line(from->heading),
			.caption = one_line(from->caption),
			.notes = strdup(from->notes),
			.command = one_line(from->command),
		};
		if (!to->heading || !to->caption || !to->notes || !to->command)
			err = -ENOMEM;
	}
	if (err)
		err = error_line(error, size, err, "out of memory");
	else
		err = make_scenes(lecturer, scenes, error, size);
	if (err)
		lecturer_close(lecturer);
	return err;
}
