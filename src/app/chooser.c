/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "experiment/setting.h"
#include "result/report.h"

/*
 * READ_NS: longest time to read recordings before keys are handled. READ_LITTLE_NS: the longest
 * time while runs are measured, because reading must not disturb them.
 */
#define READ_NS	       UINT64_C(30000000)
#define READ_LITTLE_NS UINT64_C(3000000)
/* Shortest time before a growing recording is read again. */
#define READ_AGAIN_NS UINT64_C(1000000000)

struct chooser {
	struct menu menu;
	char **paths; /* Paths of the recordings, in the menu's order. */
	int n_paths;
	struct recordings_reading reading;
	struct model read; /* Model of the recording that is being read. */
	int reads;	   /* Index of the recording that is being read. -1: none is being read. */
	bool sealed;	   /* Sessions are run without the configuration file. */
	char **words;	   /* Storage for the names and values of settings in the menu. */
	size_t n_words, cap_words;
};

struct menu *chooser_menu(struct chooser *chooser)
{
	return &chooser->menu;
}

const char *chooser_after(const char *experiment)
{
	const struct experiment_kind *next;
	size_t i = 0;

	while (experiment_at(i) && strcmp(experiment_at(i)->name, experiment) != 0)
		i++;
	next = experiment_at(i + 1);
	if (next)
		return next->name;
	return experiment_at(0)->name;
}

static const char *keep_text(struct chooser *chooser, const char *text)
{
	char *word;

	if (!array_grow(&chooser->words, chooser->n_words, &chooser->cap_words, sizeof(word)))
		return NULL;
	word = strdup(text);
	if (word)
		chooser->words[chooser->n_words++] = word;
	return word;
}

bool chooser_has_tour(void)
{
	char path[PATH_MAX];

	return lectures_find("tour", path);
}

/* Adds the tour and the experiments. The tour, the first row, is a lecture and has no choices. */
static void add_experiments(struct menu *menu, const char *selected)
{
	static const char *const names[] = {"models", "what runs", "trials"};
	const struct experiment_kind *kind;
	struct experiment_choice choice;

	if (chooser_has_tour())
		menu->experiments[menu->n_experiments++] = (struct menu_experiment) {
			.name = "tour",
			.question = "Threads or processes? A tour of two minutes",
			.about = "Create, crash, compute, write after a fork. PgDn steps.",
		};
	for (size_t i = 0; (kind = experiment_at(i)); i++) {
		struct menu_experiment *experiment = &menu->experiments[menu->n_experiments];

		if (menu->n_experiments == MENU_EXPERIMENTS)
			break;
		experiment->name = kind->name;
		experiment->question = kind->question;
		experiment->about = kind->about;
		experiment->n_parts = MENU_SETTINGS;
		for (int part = 0; part < MENU_SETTINGS; part++) {
			int *n = &experiment->n[part];

			experiment->part[part] = names[part];
			while (*n < MENU_CHOICES &&
			       experiment_choice(kind, (enum experiment_aspect)part, (size_t)*n,
						 &choice))
				experiment->choices[part][(*n)++] =
					(struct menu_choice) {choice.label, choice.options};
		}
		if (selected && strcmp(experiment->name, selected) == 0)
			menu->row = menu->n_experiments;
		menu->n_experiments++;
	}
}

/* Adds the recordings. If they cannot be listed, the menu has no recordings. */
static void add_recordings(struct chooser *chooser, const char *left_out)
{
	struct menu *menu = &chooser->menu;
	char error[512], **paths;
	int n = recordings_paths(&paths, error, sizeof(error));

	if (n < 0)
		return;
	chooser->paths = paths;
	menu->recordings = calloc((size_t)n, sizeof(*menu->recordings));
	for (int i = 0; i < n; i++) {
		const char *file = strrchr(paths[i], '/') + 1;
		bool skip = !menu->recordings || (left_out && strcmp(file, left_out) == 0);
		char *name = skip ? NULL : utf8_printable(file);
		int y, month, day, hour, minute, behind = 0;
		struct menu_recording *recording;

		if (name) {
			recording = &menu->recordings[menu->n_recordings++];
			recording->name = name;
			/*
			 * A name such as "2026-11-20T15-30-00-hello.csv" has the date and the
			 * experiment.
			 */
			sscanf(name, "%4d-%2d-%2dT%2d-%2d-%*2d-%n", &y, &month, &day, &hour,
			       &minute, &behind);
			if (behind > 0)
				snprintf(recording->date, sizeof(recording->date),
					 "%.10s %.2s:%.2s", name, name + 11, name + 14);
			else
				strcpy(recording->date, "?");
			snprintf(recording->experiment, sizeof(recording->experiment), "%.*s",
				 (int)strcspn(name + behind, "."), name + behind);
			utf8_trim(recording->experiment);
			paths[chooser->n_paths++] = paths[i];
		} else {
			free(paths[i]);
		}
	}
}

struct chooser *chooser_open(const char *experiment, const char *left_out)
{
	struct chooser *chooser = calloc(1, sizeof(*chooser));

	if (!chooser)
		return NULL;
	chooser->reads = -1;
	chooser->menu.part = MENU_LIST;
	chooser->menu.stale = true;
	add_experiments(&chooser->menu, experiment);
	add_recordings(chooser, left_out);
	return chooser;
}

static void stop_reading(struct chooser *chooser)
{
	if (chooser->reads >= 0)
		recordings_end(&chooser->reading);
	chooser->reads = -1;
}

void chooser_close(struct chooser *chooser)
{
	if (!chooser)
		return;
	stop_reading(chooser);
	for (int i = 0; i < chooser->menu.n_recordings; i++) {
		free(chooser->menu.recordings[i].name);
		free(chooser->menu.recordings[i].sentence);
	}
	while (chooser->n_words > 0)
		free(chooser->words[--chooser->n_words]);
	free(chooser->words);
	free(chooser->menu.recordings);
	recordings_paths_free(chooser->paths, chooser->n_paths);
	free(chooser);
}

/*
 * Makes the command line of the selected row. If `sealed` is set, the session reads no
 * configuration file, because the file could add something that the menu does not show.
 */
static int add_row(struct next *next, const struct chooser *chooser)
{
	const struct menu *menu = &chooser->menu;
	const struct menu_experiment *experiment = menu_experiment(menu);
	char options[256], *rest, *word;

	next_add(next, "tuibench");
	if (menu_lecture(menu)) {
		next_add(next, "--lecture");
		return next_add(next, "%s", experiment->name);
	}
	if (!experiment) {
		next_add(next, "--replay");
		return next_add(next, "%s", chooser->paths[menu->row - menu->n_experiments]);
	}
	next_add(next, "%s", experiment->name);
	for (int part = 0; part < experiment->n_parts; part++) {
		snprintf(options, sizeof(options), "%s",
			 experiment->choices[part][experiment->chosen[part]].options);
		for (rest = options; (word = strsep(&rest, " "));) {
			size_t n = rest ? strcspn(rest, "=") : 0;
			bool chosen = false;

			/* Skip a setting for which a later part of the row has chosen a value. */
			for (int k = MENU_SETTINGS; k < experiment->n_parts; k++)
				chosen |= n > 0 && rest[n] && experiment->chosen[k] > 0 &&
					  strlen(experiment->part[k]) == n &&
					  strncmp(experiment->part[k], rest, n) == 0;
			if (part < MENU_SETTINGS && strcmp(word, "-s") == 0 && chosen)
				strsep(&rest, " ");
			else if (*word)
				next_add(next, "%s", word);
		}
	}
	if (chooser->sealed)
		next_add(next, "--config=" CONFIG_NONE);
	return next->err;
}

void chooser_seal(struct chooser *chooser)
{
	chooser->sealed = true;
}

/*
 * Describes the session: "6 cpu + 2 io: 2 configurations, 5 trials and 1 warm-up of each, 12 runs
 * of up to 8 tasks; about 6 s on two cores".
 */
static void write_takes(struct menu *menu, const struct experiment *experiment)
{
	const struct request *request = &experiment->request;
	struct sentence takes = sentence_in(menu->takes, sizeof(menu->takes));
	double s = experiment_time(experiment);
	uint32_t most = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		uint32_t tasks = plan_count(&experiment->cases[i].plan);

		most = MAX(tasks, most);
	}
	sentence_add(&takes, "%s: %u configuration%s, %u trial%s", experiment->title,
		     experiment->n_cases, sentence_plural(experiment->n_cases), request->trials,
		     sentence_plural(request->trials));
	if (request->warmup > 0)
		sentence_add(&takes, " and %u warm-up%s", request->warmup,
			     sentence_plural(request->warmup));
	sentence_add(&takes, " of each, %s runs of up to %s tasks; ",
		     UNITS_COUNT(experiment_runs(experiment)), UNITS_COUNT(most));
	if (isnan(s))
		sentence_add(&takes, "its time cannot be estimated");
	else if (s < 1.5)
		sentence_add(&takes, "about a second on two cores");
	else if (s < 180)
		sentence_add(&takes, "about %.0f s on two cores", s);
	else
		sentence_add(&takes, "about %.0f min on two cores", s / 60);
}

static void add_settings(struct chooser *chooser, struct menu_experiment *row,
			 const struct request *request, const struct experiment *experiment)
{
	char name[VARIABLE_NAME], value[VARIABLE_VALUE], option[VARIABLE_NAME + VARIABLE_VALUE + 8];
	const char *setting_typed;
	struct request set;
	char unused[512];
	size_t at, length;

	for (size_t i = 0; setting_name(i, name); i++) {
		const struct setting *setting = setting_find(name);
		int part = row->n_parts, n = 1;
		struct menu_choice *choices = row->choices[part];

		if (part == MENU_PARTS)
			break;
		if (!setting_concerns(name, experiment, false))
			continue;
		choices[0] = (struct menu_choice) {setting_usual(setting, request->experiment), ""};
		for (size_t k = 0; n < MENU_CHOICES; k++) {
			if (!setting_offer(name, k, experiment, value))
				break;
			if (strcmp(value, choices[0].label) == 0)
				continue;
			if (setting->kind == SETTING_VARIABLE)
				snprintf(option, sizeof(option), "-s env:%s", value);
			else
				snprintf(option, sizeof(option), "-s %s=%s", name, value);
			/*
			 * Try each value instead of the setting's current value. Skip a value with
			 * which the session cannot run.
			 */
			setting_typed = option + strlen("-s ");
			length = strcspn(setting_typed, "=") + 1;
			set = *request;
			at = 0;
			while (set.settings[at] && strncmp(set.settings[at], setting_typed, length))
				at++;
			set.settings[at] = setting_typed;
			if (at == REQUEST_SETTINGS || experiment_fits(&set, unused, sizeof(unused)))
				continue;
			choices[n].label = keep_text(chooser, value);
			choices[n].options = keep_text(chooser, option);
			n += choices[n].label && choices[n].options;
		}
		row->part[part] = keep_text(chooser, name);
		if (n == 1 || !row->part[part])
			continue;
		row->n[part] = n;
		row->n_parts++;
	}
}

/* Describes a recording: "2026-11-29 15:40 mixed: threads, processes, on desktop". */
static void describe_recording(struct menu *menu, const struct menu_recording *recording)
{
	struct sentence s = sentence_in(menu->takes, sizeof(menu->takes));

	sentence_add(&s, "%s  %s", recording->date, recording->experiment);
	if (*recording->models)
		sentence_add(&s, ": %s", recording->models);
	if (*recording->machine)
		sentence_add(&s, ", on %s", recording->machine);
}

void chooser_refresh(struct chooser *chooser)
{
	struct menu *menu = &chooser->menu;
	const struct menu_recording *recording = menu_recording(menu);
	struct experiment *experiment;
	struct options *options;
	struct next next = {.argc = 0};
	int err;

	if (!menu->stale)
		return;
	menu->stale = false;
	menu->refusal[0] = menu->takes[0] = menu->command[0] = '\0';
	experiment = malloc(sizeof(*experiment));
	options = calloc(1, sizeof(*options));
	err = add_row(&next, chooser);
	if (!err)
		command_write(menu->command, sizeof(menu->command), next.argc, next.argv, "");
	if (!err && experiment && options) {
		err = options_parse(options, next.argc, next.argv, menu->refusal,
				    sizeof(menu->refusal));
		if (!err && options->action == ACTION_RUN && !options->replay) {
			err = experiment_build(&options->request, experiment, menu->refusal,
					       sizeof(menu->refusal));
			if (!err)
				write_takes(menu, experiment);
			if (!err && menu->experiments[menu->row].n_parts == MENU_SETTINGS)
				add_settings(chooser, &menu->experiments[menu->row],
					     &options->request, experiment);
		} else if (!err && menu_lecture(menu)) {
			snprintf(menu->takes, sizeof(menu->takes),
				 "Its first scene says how long it takes. q leaves it.");
		}
	}
	if (*menu->command && recording)
		describe_recording(menu, recording);
	free(experiment);
	free(options);
	next_free(&next);
}

static void set_sentence(struct menu_recording *recording, const char *text)
{
	free(recording->sentence);
	recording->sentence = utf8_printable(text);
	recording->read = true;
}

/* Marks the selected recording as unread if its file has grown since it was read. */
static void read_again_if_grown(struct chooser *chooser)
{
	const int i = chooser->menu.row - chooser->menu.n_experiments;
	struct menu_recording *recording;
	struct stat st;

	if (i < 0 || i == chooser->reads)
		return;
	recording = &chooser->menu.recordings[i];
	if (!recording->read || clock_now_ns() - recording->read_ns < READ_AGAIN_NS)
		return;
	if (stat(chooser->paths[i], &st) == 0 && st.st_size != recording->bytes)
		recording->read = false;
}

/*
 * The index of the recording to read next: the selected recording. If that was read, the first
 * unread recording of the list. -1: none is left.
 */
static int unread(const struct menu *menu, bool only_selected)
{
	int selected = menu->row - menu->n_experiments;

	if (selected >= 0 && !menu->recordings[selected].read)
		return selected;
	if (!only_selected)
		for (int i = 0; i < menu->n_recordings; i++)
			if (!menu->recordings[i].read)
				return i;
	return -1;
}

/*
 * Begins to read a recording. If it is the recording of a lecture, only the title is read, because
 * a lecture has several sessions.
 */
static int begin_reading(struct chooser *chooser, int i)
{
	struct menu_recording *recording = &chooser->menu.recordings[i];
	char text[SAMPLE_TEXT], error[512];
	struct scenes scenes;
	struct stat st;
	int err;

	stop_reading(chooser);
	if (stat(chooser->paths[i], &st) == 0)
		recording->bytes = st.st_size;
	else
		recording->bytes = -1;
	recording->read_ns = clock_now_ns();
	err = recordings_begin(&chooser->reading, chooser->paths[i], &chooser->read);
	if (err == -EMEDIUMTYPE) {
		recording->unreadable =
			scenes_open(&scenes, chooser->paths[i], error, sizeof(error)) <= 0;
		if (recording->unreadable) {
			set_sentence(recording, error);
		} else {
			snprintf(recording->experiment, sizeof(recording->experiment), "lecture");
			snprintf(text, sizeof(text), "%s: %s", scenes.log.title,
				 scenes_count(&scenes, error, sizeof(error)));
			set_sentence(recording, text);
		}
		scenes_close(&scenes);
	} else if (err) {
		set_sentence(recording, source_strerror(err));
		recording->unreadable = true;
	} else {
		chooser->reads = i;
	}
	return err;
}

int chooser_try(struct chooser *chooser)
{
	const int i = chooser->menu.row - chooser->menu.n_experiments;
	struct menu_recording *recording = &chooser->menu.recordings[i];
	int err;

	recording->unreadable = false;
	err = begin_reading(chooser, i);
	stop_reading(chooser);
	if (recording->unreadable && err == -EMEDIUMTYPE)
		return -EINVAL;
	return err;
}

bool chooser_read(struct chooser *chooser, bool little)
{
	uint64_t until_ns = clock_now_ns() + (little ? READ_LITTLE_NS : READ_NS);
	const struct sample_session *session = &chooser->read.session;
	struct menu *menu = &chooser->menu;
	char line[HEADLINE_BADGE + HEADLINE_TEXT], date[32];
	int i;

	read_again_if_grown(chooser);
	while ((i = unread(menu, little)) >= 0 && clock_now_ns() < until_ns) {
		struct menu_recording *recording = &menu->recordings[i];
		int more = 1;

		if (i != chooser->reads)
			begin_reading(chooser, i);
		if (i != chooser->reads)
			continue;
		while (more > 0 && clock_now_ns() < until_ns)
			more = recordings_go_on(&chooser->reading);
		if (more > 0)
			continue;
		if (more < 0) {
			set_sentence(recording, source_why(chooser->reading.source, more));
		} else {
			/*
			 * Use the recorded time, because a file that was not named by tuibench has
			 * no date in its name.
			 */
			if (session->wall_s >= 0)
				snprintf(recording->date, sizeof(recording->date), "%.16s",
					 recordings_date(session->wall_s, date));
			snprintf(recording->machine, sizeof(recording->machine), "%s",
				 session->machine.host);
			snprintf(recording->experiment, sizeof(recording->experiment), "%s",
				 session->experiment);
			recordings_models(&chooser->read, recording->models,
					  sizeof(recording->models));
			utf8_mask(recording->machine);
			utf8_mask(recording->experiment);
			utf8_mask(recording->models);
			set_sentence(recording, headline_line(&chooser->read, line, sizeof(line)));
		}
		recording->unreadable = more < 0;
		menu->stale |= recording == menu_recording(menu);
		stop_reading(chooser);
	}
	return i >= 0;
}
