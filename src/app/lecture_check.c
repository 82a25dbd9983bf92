/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/error_line.h"
#include "draw/text.h"
#include "experiment/experiment.h"

/* The check of a lecture (--check) runs nothing, and reports all errors. */

/*
 * A scene's line in the list, and the shortest and longest time that its runs take, s; NaN if
 * unknown.
 */
struct outlook {
	char text[160];
	double least, most;
	bool session; /* The scene has a session of its own. */
};

/* Writes "about 4 s", or "4 to 15 s". */
static const char *duration_text(double least, double most, char *buf, size_t size)
{
	const double low = fmax(1, round(least)), high = fmax(1, round(most));

	if (low < high)
		snprintf(buf, size, "%.0f to %.0f s", low, high);
	else
		snprintf(buf, size, "about %.0f s", low);
	return buf;
}

/*
 * Checks whether the recordings that a scene plays can be read. Returns 0, or -errno with a line in
 * `error`.
 */
static int check_recordings(const struct options *options, char *error, size_t size)
{
	for (int i = 0; i < options->n_logs; i++)
		if (access(options->logs[i], R_OK) != 0)
			return error_line(error, size, -errno, "cannot read \"%s\": %s",
					  options->logs[i], strerror(errno));
	return 0;
}

static int check_session(const struct options *options, struct outlook *out, char *error,
			 size_t size)
{
	struct experiment *experiment;
	char duration[48];
	int err;

	if (options->replay) {
		snprintf(out->text, sizeof(out->text), "plays %s",
			 options->n_logs > 0 ? options->logs[0] : "the previous scene again");
		return check_recordings(options, error, size);
	}
	experiment = malloc(sizeof(*experiment));
	if (!experiment)
		return error_line(error, size, -ENOMEM, "out of memory");
	err = experiment_build(&options->request, experiment, error, size);
	if (!err) {
		out->least = experiment_time(experiment);
		out->most = experiment_time_most(experiment);
		if (isnan(out->least))
			snprintf(duration, sizeof(duration), "duration unknown");
		else
			duration_text(out->least, out->most, duration, sizeof(duration));
		snprintf(out->text, sizeof(out->text), "runs %s, %s", experiment->title, duration);
	}
	free(experiment);
	return err;
}

/* Counts the lines that are not empty. */
static unsigned count_lines(const char *text)
{
	unsigned n = *text != '\0';

	while ((text = strchr(text, '\n'))) {
		text += strspn(text, "\n");
		n += *text != '\0';
	}
	return n;
}

/* Says what a scene without a command shows, and how much of its text only the speaker sees. */
static void describe_no_command(const struct lecture *lecture, size_t at, struct outlook *out)
{
	const struct lecture_scene *scene = &lecture->scenes[at];
	const bool sums_up = lecture_sums_up(lecture, at);
	const char *notes = scene->notes;
	struct sentence s = sentence_in(out->text, sizeof(out->text));
	unsigned lines;

	while (sums_up && strncmp(notes, "- ", 2) == 0) {
		notes += strcspn(notes, "\n");
		notes += *notes == '\n';
	}
	lines = count_lines(notes + strspn(notes, "\n"));
	if (sums_up)
		sentence_add(&s, "shows its list");
	else
		sentence_add(&s, *scene->caption ? "caption only" : "heading only");
	if (lines == 1)
		sentence_add(&s, "; 1 line goes to the notes");
	else if (lines > 1)
		sentence_add(&s, "; %u lines go to the notes", lines);
}

/* Checks a scene. Returns 0, or -errno with a line in `error` that names file and line. */
static int check_scene(const struct lecturer *lecturer, size_t at, struct outlook *out, char *error,
		       size_t size)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[at];
	struct lecturer_scene made;
	struct options *options;
	char what[512];
	int err = lecturer_words_make(&made, scene, lecturer->path, lecturer->options, error, size);

	*out = (struct outlook) {.least = 0};
	describe_no_command(&lecturer->lecture, at, out);
	if (err || made.words.argc == 0)
		return err;
	options = calloc(1, sizeof(*options));
	if (options)
		err = options_parse_scene(options, made.words.argc, made.words.argv, what,
					  sizeof(what));
	else
		err = error_line(what, sizeof(what), -ENOMEM, "out of memory");
	if (!err)
		err = check_session(options, out, what, sizeof(what));
	out->session = !err && !made.same;
	if (err)
		error_line(error, size, err, "%s:%u: %s", lecturer->path, scene->line, what);
	free(options);
	next_free(&made.words);
	return err;
}

/* Whether the option changes how a scene shows its session. */
static bool is_of_view(const struct options_rule *rule)
{
	return rule->offset - offsetof(struct options, looks) < sizeof(struct view_looks) ||
	       rule->offset == offsetof(struct options, vote) ||
	       rule->offset == offsetof(struct options, request.hold);
}

/* Writes the options of a scene that change the view: ", --vote, --view memory". */
static void write_looks(const struct lecture_scene *scene, FILE *out)
{
	struct next words = {.argc = 0};
	struct options_walk walk = {0};

	if (next_add_line(&words, scene->command) == 0)
		walk = (struct options_walk) {words.argc, words.argv};
	while (walk.argc > 0 && options_next(&walk)) {
		if (!walk.rule || !is_of_view(walk.rule))
			continue;
		fprintf(out, ", --%s", walk.rule->name);
		if (walk.value)
			fprintf(out, " %s", walk.value);
	}
	next_free(&words);
}

/* Warns of a caption that would be cut off on the narrowest usual screen. */
static void check_caption(const struct lecturer *lecturer, const struct lecture_scene *scene,
			  FILE *out)
{
	const int lines = text_lines(scene->caption, VIEW_CAPTION_NARROW);

	if (lines > VIEW_CAPTION_LINES)
		fprintf(out,
			"      %s:%u: the caption takes %d lines on 80 columns; the screen shows "
			"%d\n",
			lecturer->path, scene->line, lines, VIEW_CAPTION_LINES);
}

/*
 * Says how many items of the last scene's list show a scene's result, and which items name a scene
 * without a result. runs: number of scenes before the last one that have a session of their own.
 */
static void check_list(const struct lecturer *lecturer, unsigned runs, FILE *out)
{
	const struct lecture *lecture = &lecturer->lecture;
	const struct lecture_scene *last = &lecture->scenes[lecture->n - 1];
	struct lecture_item items[LECTURE_ITEMS];
	const size_t n = lecture_items(last->notes, items);
	size_t shown = MIN(runs, n), named = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t scene = items[i].scene;

		if (scene == LECTURE_UNNAMED)
			continue;
		named++;
		if (scene >= lecture->n || !*lecture->scenes[scene].command)
			fprintf(out, "      %s:%u: an item names scene %zu, which runs nothing\n",
				lecturer->path, last->line, scene + 1);
	}
	if (named > 0)
		shown = named;
	fprintf(out, "      %zu item%s of the list %s the result of a scene\n", shown,
		sentence_plural(shown), shown == 1 ? "has" : "have");
}

/* Reports a block of code that does not run. */
static void check_other(const struct lecturer *lecturer, const struct lecture_scene *scene,
			FILE *out)
{
	if (*scene->other)
		fprintf(out,
			"      %s:%u: this \"%s\" block goes to the notes; only \"tuibench\" "
			"blocks run\n",
			lecturer->path, scene->other_line, scene->other);
	else if (scene->other_line > 0)
		fprintf(out,
			"      %s:%u: this block goes to the notes; to run it, begin it with "
			"```tuibench\n",
			lecturer->path, scene->other_line);
}

/* Writes the faults of the file, a line for each fault. Returns the number of faults. */
static unsigned write_faults(const char *faults, FILE *out)
{
	unsigned n = 0;

	for (; *faults; faults += strcspn(faults, "\n") + 1, n++)
		fprintf(out, "  error: %.*s\n", (int)strcspn(faults, "\n"), faults);
	return n;
}

int lecture_check(const struct options *options, FILE *out)
{
	struct lecturer lecturer;
	char error[1024], *outside = NULL;
	char duration[48];
	double least = 0, most = 0;
	unsigned errors = 0, unknown = 0, runs = 0;

	if (lecturer_read(&lecturer, options, &outside, error, sizeof(error))) {
		fprintf(out, "%s\n", error);
		return 1;
	}
	fprintf(out, "%s: %s, %zu scene%s\n", lecturer.path, lecturer.lecture.title,
		lecturer.lecture.n, sentence_plural(lecturer.lecture.n));
	errors = write_faults(sentence_text(lecturer.faults, ""), out);
	for (size_t i = 0; i < lecturer.lecture.n; i++) {
		const struct lecture_scene *scene = &lecturer.lecture.scenes[i];
		struct outlook outlook;

		if (check_scene(&lecturer, i, &outlook, error, sizeof(error))) {
			fprintf(out, "  %2zu  %s\n      error: %s\n", i + 1, scene->heading, error);
			errors++;
		} else {
			fprintf(out, "  %2zu  %s: %s", i + 1, scene->heading, outlook.text);
			write_looks(scene, out);
			fputc('\n', out);
			if (isnan(outlook.least)) {
				unknown++;
			} else {
				least += outlook.least > 0 ? fmax(1, outlook.least) : 0;
				most += outlook.most > 0 ? fmax(1, outlook.most) : 0;
			}
		}
		runs += outlook.session;
		if (lecture_sums_up(&lecturer.lecture, i))
			check_list(&lecturer, runs, out);
		check_caption(&lecturer, scene, out);
		check_other(&lecturer, scene, out);
	}
	if (most > 0 || unknown > 0)
		fprintf(out, "Runs take %s in all on an idle machine",
			duration_text(least, most, duration, sizeof(duration)));
	if (unknown > 0)
		fprintf(out, ", not counting %u scene%s of unknown duration", unknown,
			sentence_plural(unknown));
	if (most > 0 || unknown > 0)
		fprintf(out, ". On a busy machine they can take several times as long.\n");
	if (notes_check(error, sizeof(error)))
		fprintf(out, "The speaker will have no notes: %s\n", error);
	if (outside)
		fprintf(out, "Its commands start or open:\n%s", outside);
	if (errors > 0)
		fprintf(out, "%u error%s.\n", errors, sentence_plural(errors));
	free(outside);
	lecturer_close(&lecturer);
	return errors > 0;
}
