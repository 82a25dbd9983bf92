/* SPDX-License-Identifier: MIT */
#include "chooser.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/config.h"
#include "experiment/setting.h"
#include "cli/options.h"
#include "lecturer.h"
#include "recordings.h"
#include "result/report.h"
#include "source/source.h"

/* At a time: keys are looked at in between, and runs that are measured are not to feel it. */
#define READ_NS	       UINT64_C(30000000)
#define READ_LITTLE_NS UINT64_C(3000000)

struct chooser {
	struct menu menu;
	char **paths; /* of the recordings, in the menu's order */
	int n_paths;
	struct recordings_reading reading;
	int reads;    /* the recording that is read in parts; -1: none */
	bool sealed;  /* sessions run without the file of options */
	char **words; /* the names and values of settings that the menu shows */
	size_t n_words, cap_words;
};

struct menu *chooser_menu(struct chooser *chooser)
{
	return &chooser->menu;
}

const char *chooser_after(const char *experiment)
{
	int i = experiment_find(experiment);
	const char *name = experiment_name((size_t)i + 1);

	return name ? name : experiment_name(0);
}

/* Rows */

static void add_choices(struct menu_experiment *experiment, size_t i, int part)
{
	static const char *const names[] = {"models", "what runs", "trials"};
	struct experiment_choice choice;
	int n = 0;

	while (n < MENU_CHOICES &&
	       experiment_choice(i, (enum experiment_aspect)part, (size_t)n, &choice))
		experiment->choices[part][n++] =
			(struct menu_choice) {choice.label, choice.options};
	experiment->n[part] = n;
	experiment->part[part] = names[part];
	experiment->n_parts = part + 1;
}

/* A text that the menu shows; NULL without memory. */
static const char *keep(struct chooser *chooser, const char *text)
{
	char **words = array_room(chooser->words, chooser->n_words, &chooser->cap_words,
				  sizeof(*words)),
	     *word = words ? strdup(text) : NULL;

	chooser->words = words ? words : chooser->words;
	if (word)
		words[chooser->n_words++] = word;
	return word;
}

bool chooser_has_tour(void)
{
	char path[PATH_MAX];

	return lectures_find("tour", path);
}

/* The tour is the first row: a lecture, which has nothing to choose. */
static void add_experiments(struct menu *menu, const char *selected)
{
	if (chooser_has_tour())
		menu->experiments[menu->n_experiments++] = (struct menu_experiment) {
			.name = "tour",
			.question = "Threads or processes? A tour of two minutes",
			.about = "create, crash, compute, write after a fork: step with PgDn",
		};
	for (size_t i = 0; menu->n_experiments < MENU_EXPERIMENTS; i++) {
		struct menu_experiment *experiment = &menu->experiments[menu->n_experiments];

		experiment->name = experiment_name(i);
		if (!experiment->name)
			break;
		experiment->question = experiment_text(i).question;
		experiment->about = experiment_text(i).about;
		for (int part = 0; part < MENU_SETTINGS; part++)
			add_choices(experiment, i, part);
		if (selected && strcmp(experiment->name, selected) == 0)
			menu->row = menu->n_experiments;
		menu->n_experiments++;
	}
}

/* "2026-11-20T15-30-00-hello.csv" says when and what; of another name it is what is known. */
static void read_name(struct menu_recording *recording)
{
	const char *name = recording->name;
	int y, month, day, hour, minute, n = 0;

	sscanf(name, "%4d-%2d-%2dT%2d-%2d-%*2d-%n", &y, &month, &day, &hour, &minute, &n);
	if (n > 0)
		snprintf(recording->date, sizeof(recording->date), "%.10s %.2s:%.2s", name,
			 name + 11, name + 14);
	else
		snprintf(recording->date, sizeof(recording->date), "?");
	snprintf(recording->experiment, sizeof(recording->experiment), "%.*s",
		 (int)strcspn(name + n, "."), name + n);
	utf8_trim(recording->experiment);
}

static bool add_recording(struct menu *menu, const char *path)
{
	struct menu_recording *recording = &menu->recordings[menu->n_recordings];

	recording->name = utf8_printable(strrchr(path, '/') + 1);
	if (!recording->name)
		return false;
	read_name(recording);
	menu->n_recordings++;
	return true;
}

/* Where they cannot be listed there are none to choose. */
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
		bool skip = left_out && strcmp(strrchr(paths[i], '/') + 1, left_out) == 0;

		if (skip || !menu->recordings || !add_recording(menu, paths[i]))
			free(paths[i]);
		else
			paths[chooser->n_paths++] = paths[i];
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

/* The command line */

/* Whether a line below has another value of the setting that the words begin with. */
static bool is_chosen(const struct menu_experiment *experiment, const char *words)
{
	size_t n = strcspn(words, "=");

	for (int part = MENU_SETTINGS; part < experiment->n_parts && words[n]; part++)
		if (experiment->chosen[part] > 0 && strlen(experiment->part[part]) == n &&
		    strncmp(experiment->part[part], words, n) == 0)
			return true;
	return false;
}

static void add_experiment(struct next *next, const struct menu_experiment *experiment)
{
	char options[256], *rest, *word;

	next_add(next, "%s", experiment->name);
	for (int part = 0; part < experiment->n_parts; part++) {
		snprintf(options, sizeof(options), "%s",
			 experiment->choices[part][experiment->chosen[part]].options);
		for (rest = options; (word = strsep(&rest, " "));) {
			if (part < MENU_SETTINGS && strcmp(word, "-s") == 0 &&
			    is_chosen(experiment, rest))
				strsep(&rest, " ");
			else if (*word)
				next_add(next, "%s", word);
		}
	}
}

/* What runs is what is shown: a file of options could add to it. */
static int add_row(struct next *next, const struct chooser *chooser)
{
	const struct menu *menu = &chooser->menu;
	const struct menu_experiment *experiment = menu_experiment(menu);

	next_add(next, "tuibench");
	if (menu_lecture(menu)) {
		next_add(next, "--lecture");
		return next_add(next, "%s", experiment->name);
	}
	if (!experiment) {
		next_add(next, "--replay");
		return next_add(next, "%s", chooser->paths[menu->row - menu->n_experiments]);
	}
	add_experiment(next, experiment);
	if (chooser->sealed)
		next_add(next, "--config=" CONFIG_NONE);
	return next->err;
}

/* What it takes */

/* "about 35 s", "about 5 min" */
static void add_time(struct sentence *takes, const struct experiment *experiment)
{
	double s = experiment_time(experiment);

	if (isnan(s))
		sentence_add(takes, "the time it takes: ?");
	else if (s < 1.5)
		sentence_add(takes, "about a second on two cores");
	else if (s < 180)
		sentence_add(takes, "about %.0f s on two cores", s);
	else
		sentence_add(takes, "about %.0f min on two cores", s / 60);
}

/* The most that a run creates. */
static uint32_t most_tasks(const struct experiment *experiment)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		uint32_t tasks = plan_count(&experiment->cases[i].plan);

		most = tasks > most ? tasks : most;
	}
	return most;
}

static void say_takes(struct menu *menu, const struct experiment *experiment)
{
	const struct request *request = &experiment->request;
	struct sentence takes = {menu->takes, sizeof(menu->takes), 0};

	sentence_add(&takes, "%s: %u case%s, %u trial%s", experiment->title, experiment->n_cases,
		     experiment->n_cases == 1 ? "" : "s", request->trials,
		     request->trials == 1 ? "" : "s");
	if (request->warmup > 0)
		sentence_add(&takes, " and %u warm-up%s", request->warmup,
			     request->warmup == 1 ? "" : "s");
	sentence_add(&takes, " of each, %s runs of up to %s tasks; ",
		     UNITS_COUNT(experiment_runs(experiment)), UNITS_COUNT(most_tasks(experiment)));
	add_time(&takes, experiment);
}

/* Whether it fits is asked of the machine as it is now. */
static void weigh(struct chooser *chooser, struct options *options, struct experiment *experiment,
		  struct next *next)
{
	struct menu *menu = &chooser->menu;
	struct menu_experiment *row = &menu->experiments[menu->row];
	int err = options_parse(options, next->argc, next->argv, menu->refusal,
				sizeof(menu->refusal));

	if (!err && options->action == ACTION_RUN && !options->replay)
		err = experiment_build(&options->request, experiment, menu->refusal,
				       sizeof(menu->refusal));
	if (menu_lecture(menu) && !err)
		snprintf(menu->takes, sizeof(menu->takes),
			 "Its first scene says how long it takes. q leaves it.");
	if (err || options->replay || menu_lecture(menu))
		return;
	say_takes(menu, experiment);
	if (row->n_parts == MENU_SETTINGS) {
		/*
		 * A line for each setting that concerns it: what it is by itself, and the values
		 * often meant.
		 */
		char name[VARIABLE_NAME], value[VARIABLE_VALUE],
			option[VARIABLE_NAME + VARIABLE_VALUE + 8];

		for (size_t i = 0; setting_name(i, name) && row->n_parts < MENU_PARTS; i++) {
			const struct setting *setting = setting_find(name);
			int part = row->n_parts, n = 1;
			struct menu_choice *choices = row->choices[part];

			if (!setting_concerns(name, experiment, false))
				continue;
			choices[0] = (struct menu_choice) {setting->usual, ""};
			for (size_t k = 0;
			     n < MENU_CHOICES && setting_offer(name, k, experiment, value); k++) {
				if (strcmp(value, setting->usual) == 0)
					continue;
				if (setting->kind == SETTING_VARIABLE)
					snprintf(option, sizeof(option), "-s env:%s", value);
				else
					snprintf(option, sizeof(option), "-s %s=%s", name, value);
				choices[n].label = keep(chooser, value);
				choices[n].options = keep(chooser, option);
				n += choices[n].label && choices[n].options;
			}
			row->part[part] = keep(chooser, name);
			if (n == 1 || !row->part[part])
				continue;
			row->n[part] = n;
			row->n_parts++;
		}
	}
}

static void say_recording(struct menu *menu)
{
	const struct menu_recording *recording = menu_recording(menu);

	snprintf(menu->takes, sizeof(menu->takes), "%s  %s%s%s%s%s", recording->date,
		 recording->experiment, *recording->models ? ": " : "", recording->models,
		 *recording->machine ? ", on " : "", recording->machine);
}

static void write_command(struct chooser *chooser, struct next *next)
{
	struct menu *menu = &chooser->menu;
	struct experiment *experiment = calloc(1, sizeof(*experiment));
	struct options *options = calloc(1, sizeof(*options));

	command_write(menu->command, sizeof(menu->command), next->argc, next->argv, "");
	if (experiment && options)
		weigh(chooser, options, experiment, next);
	if (menu_recording(menu))
		say_recording(menu);
	free(experiment);
	free(options);
}

void chooser_seal(struct chooser *chooser)
{
	chooser->sealed = true;
}

void chooser_refresh(struct chooser *chooser)
{
	struct menu *menu = &chooser->menu;
	struct next next = {.argc = 0};

	if (!menu->stale)
		return;
	menu->stale = false;
	menu->refusal[0] = menu->takes[0] = menu->command[0] = '\0';
	if (add_row(&next, chooser) == 0)
		write_command(chooser, &next);
	next_free(&next);
}

/* Recordings */

static void take_sentence(struct menu_recording *recording, const char *text)
{
	free(recording->sentence);
	recording->sentence = utf8_printable(text);
	recording->read = true;
}

/* Why it cannot be replayed. */
static void take_error(struct menu_recording *recording, const char *text)
{
	take_sentence(recording, text);
	recording->unreadable = true;
}

/* The name has the time of the start, too; of files that others named this is the only one. */
static void take_date(struct menu_recording *recording, int64_t wall_s)
{
	time_t wall = (time_t)wall_s;
	struct tm local;

	if (wall_s >= 0 && localtime_r(&wall, &local))
		strftime(recording->date, sizeof(recording->date), "%Y-%m-%d %H:%M", &local);
}

static void take_session(struct menu_recording *recording, const struct model *model)
{
	char line[HEADLINE_BADGE + HEADLINE_TEXT];
	struct sentence models = {recording->models, sizeof(recording->models), 0};

	snprintf(recording->machine, sizeof(recording->machine), "%s", model->session.machine.host);
	snprintf(recording->experiment, sizeof(recording->experiment), "%s",
		 model->session.experiment);
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first_alike(model, i) == i)
			sentence_add(&models, "%s%s", i ? ", " : "", model->cases[i].model);
	take_date(recording, model->session.wall_s);
	utf8_mask(recording->machine);
	utf8_mask(recording->experiment);
	utf8_mask(recording->models);
	take_sentence(recording, headline_line(model, line, sizeof(line)));
}

/* The one to read: the selected, else the first from the top of what is shown. */
static int unread(const struct menu *menu, bool only_selected)
{
	int selected = menu->row - menu->n_experiments;

	if (selected >= 0 && !menu->recordings[selected].read)
		return selected;
	for (int i = 0; i < menu->n_recordings && !only_selected; i++)
		if (!menu->recordings[i].read)
			return i;
	return -1;
}

/* A lecture has several sessions: its title stands for them. */
static void take_lecture(struct menu_recording *recording, const char *path)
{
	char text[SAMPLE_TEXT], error[512];
	struct scenes scenes;

	if (scenes_open(&scenes, path, error, sizeof(error)) > 0) {
		snprintf(recording->experiment, sizeof(recording->experiment), "lecture");
		snprintf(text, sizeof(text), "%s: %s", scenes.log.title,
			 scenes_count(&scenes, error, sizeof(error)));
		take_sentence(recording, text);
	} else {
		take_error(recording, error);
	}
	scenes_close(&scenes);
}

static int begin_reading(struct chooser *chooser, int i)
{
	int err;

	stop_reading(chooser);
	err = recordings_begin(&chooser->reading, chooser->paths[i]);
	if (err == -EMEDIUMTYPE)
		take_lecture(&chooser->menu.recordings[i], chooser->paths[i]);
	else if (err)
		take_error(&chooser->menu.recordings[i], source_strerror(err));
	else
		chooser->reads = i;
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
	return recording->unreadable && err == -EMEDIUMTYPE ? -EINVAL : err;
}

/* The whole of it or until then. */
static void read_on(struct chooser *chooser, uint64_t until_ns)
{
	struct menu_recording *recording = &chooser->menu.recordings[chooser->reads];
	int more = 1;

	while (more > 0 && clock_now_ns() < until_ns)
		more = recordings_go_on(&chooser->reading);
	if (more > 0)
		return;
	if (more == 0)
		take_session(recording, &chooser->reading.model);
	else
		take_error(recording, source_strerror(more));
	chooser->menu.stale |= recording == menu_recording(&chooser->menu);
	stop_reading(chooser);
}

bool chooser_read(struct chooser *chooser, bool little)
{
	uint64_t until_ns = clock_now_ns() + (little ? READ_LITTLE_NS : READ_NS);
	int i;

	while ((i = unread(&chooser->menu, little)) >= 0 && clock_now_ns() < until_ns) {
		if (i != chooser->reads)
			begin_reading(chooser, i);
		if (i == chooser->reads)
			read_on(chooser, until_ns);
	}
	return i >= 0;
}
