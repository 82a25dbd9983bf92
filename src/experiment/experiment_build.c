/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/names.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/variables.h"
#include "experiment/setting.h"
#include "work/workload.h"

#define DEFAULT_INTERVAL_MS 100
#define TITLE_LIST	    24

/* Returns the experiment that the other options imply. */
static const char *usual_experiment(const struct request *request)
{
	if (request->tree)
		return "tree";
	if (request->work)
		return "own";
	if (request->n_programs > 0)
		return "command";
	return experiment_at(0)->name;
}

static int find_kind(struct experiment_build *build)
{
	struct request *request = build->request;

	if (!request->experiment)
		request->experiment = usual_experiment(request);
	build->kind = experiment_find(request->experiment);
	if (!build->kind)
		return REFUSE(build, "%s: unknown experiment; see --help experiments",
			      request->experiment);
	if (request->tree && !build->kind->tree)
		return REFUSE(build,
			      "--tree: \"%s\" does not fit %s, which runs a set of workers; leave "
			      "one of them out",
			      request->tree, request->experiment);
	if (!request->tree)
		request->tree = build->kind->tree;
	request->fault = build->kind->fault;
	request->fault_percent = 50;
	if (request->interval_ms == 0) {
		if (build->kind->interval_ms)
			request->interval_ms = build->kind->interval_ms;
		else
			request->interval_ms = DEFAULT_INTERVAL_MS;
	}
	return 0;
}

/*
 * Returns the name of the work in the title. A user's function has the name that its object
 * reports; a program has its given name or, without one, the typed name. In anonymous recordings, a
 * function, and a program without a given name, have the name of their kind.
 */
static const char *title_work(const struct request *request, enum work_kind kind)
{
	if (kind == WORK_OWN && request->own.name[0] && !request->anonymous)
		return request->own.name;
	if (kind == WORK_PROGRAM && request->n_programs == 1 && request->n_names == 1)
		return request->program_names[0];
	if (kind == WORK_PROGRAM && request->n_programs == 1 && !request->anonymous)
		return request->programs[0];
	return plan_work_name(kind);
}

/* A program gets at most this many columns of a title. The settings need the rest. */
enum { TITLE_NAME = 40 };

/*
 * Writes the title's beginning, such as "6 cpu + 2 io workers" or "2 programs, 4 of one at once".
 */
static void title_set(const struct experiment_build *build, struct sentence *title)
{
	char fit[SAMPLE_COMMAND];
	const char *name;
	const struct request *request = build->request;
	const int64_t *workers = request->workers;
	const bool sweeps = experiment_grid_has(build->grid, "workers");
	const bool talks = workers[WORK_MESSAGE] > 0;
	int64_t groups = workers[WORK_MESSAGE] / (request->senders + request->receivers), all = 0;
	bool counted = false;

	/*
	 * For pairs, groups and writers, say what they do. For workers of other kinds, give their
	 * number.
	 */
	if (!sweeps && workers[WORK_TOKEN] > 0)
		sentence_add(title, "%" PRId64 " workers, %s round trips", workers[WORK_TOKEN],
			     UNITS_COUNT(build->experiment->cases[0].work_size[WORK_TOKEN]));
	else if (!sweeps && talks && experiment_grid_has(build->grid, "group"))
		sentence_add(title, "%" PRId64 " workers", workers[WORK_MESSAGE]);
	else if (!sweeps && talks)
		sentence_add(title, "%" PRId64 " group%s of %u sender%s, %u receiver%s", groups,
			     sentence_plural(groups), request->senders,
			     sentence_plural(request->senders), request->receivers,
			     sentence_plural(request->receivers));
	else if (!sweeps && build->kind->workers[WORK_TOUCH] > 0)
		sentence_add(title, "%" PRId64 " writer%s", workers[WORK_TOUCH],
			     sentence_plural(workers[WORK_TOUCH]));
	if (title->used)
		return;
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		int64_t n = request->workers[kind];
		bool programs = kind == WORK_PROGRAM && request->n_programs > 1, named;

		if (n == 0)
			continue;
		if (title->used)
			sentence_add(title, "%s", build->kind->by_kind ? ", " : " + ");
		if (programs) {
			sentence_add(title, "%u programs", request->n_programs);
			if (!sweeps && n > 1)
				sentence_add(title, ", %" PRId64 " of one at once", n);
			continue;
		}
		name = title_work(request, kind);
		named = kind == WORK_OWN && name != plan_work_name(kind);
		if (sweeps && kind == WORK_SHARE)
			name = "one counter";
		else if (!sweeps && named)
			sentence_add(title, "%" PRId64 " worker%s of ", n, sentence_plural(n));
		else if (!sweeps && (n > 1 || name == plan_work_name(kind)))
			sentence_add(title, "%" PRId64 " ", n);
		sentence_add(title, "%s",
			     names_fit(&name, 1, 0, TITLE_NAME, "...", fit, sizeof(fit)));
		counted |= !sweeps && kind != WORK_PROGRAM && !named;
		all += n;
	}
	if (counted)
		sentence_add(title, " worker%s", sentence_plural(all));
}

/*
 * Adds a setting, such as ", alloc=0,400". If the list of its values is too long, adds only its
 * name. Cuts off a single value that is too long.
 */
static void title_setting(const struct experiment_build *build, const char *typed,
			  struct sentence *title)
{
	char name[VARIABLE_NAME], value[TITLE_LIST + 1];
	size_t n = strcspn(typed, "=");

	snprintf(name, sizeof(name), "%.*s", (int)n, typed);
	snprintf(value, sizeof(value), "%.*s", TITLE_LIST - 3, typed + n + 1);
	utf8_trim(value);
	if (strlen(typed + n + 1) <= TITLE_LIST)
		sentence_add(title, ", %s", typed);
	else if (experiment_grid_has(build->grid, name))
		sentence_add(title, ", %s", name);
	else
		sentence_add(title, ", %s=%s...", name, value);
}

static void write_title(struct experiment_build *build)
{
	struct experiment *experiment = build->experiment;
	const struct request *request = &experiment->request;
	const struct experiment_kind *kind = build->kind;
	char text[16 * SAMPLE_LABEL] = "", shown[4 * sizeof(text)];
	char hidden[VARIABLE_NAME + sizeof("=(hidden)")];
	struct sentence title = sentence_in(text, sizeof(text)),
			kept = sentence_in(experiment->title, SAMPLE_LABEL);
	uint32_t most = 0;
	size_t end = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct plan *plan = &experiment->cases[i].plan;
		if (kind->hands_out || kind->serves)
			most = MAX(plan->tasks, most);
		else
			most = MAX((uint32_t)plan_count(plan), most);
	}
	if (kind->tree && !strchr(request->tree, ',')) {
		sentence_add(&title, "tree %s: %s tasks", request->tree, UNITS_COUNT(most));
	} else if (kind->tree) {
		sentence_add(&title, "trees ");
		for (const char *c = request->tree; *c; c++) {
			sentence_add(&title, "%c", *c);
			if (*c == ',')
				sentence_add(&title, " ");
		}
	} else if (kind->creates) {
		sentence_add(&title, "creating a task, %s times", UNITS_COUNT(most));
	} else if (kind->serves) {
		sentence_add(&title, "%s requests", UNITS_COUNT(most));
		if (!experiment_typed(request, "clients"))
			sentence_add(&title, " from %u client%s", request->serving.clients,
				     sentence_plural(request->serving.clients));
	} else if (kind->hands_out) {
		enum work_kind work = experiment_largest_kind(request);

		sentence_add(&title, "%s tasks of %s, %" PRId64 " at once", UNITS_COUNT(most),
			     plan_work_name(work), request->workers[work]);
	} else {
		title_set(build, &title);
	}
	for (size_t i = 0; request->settings[i]; i++)
		if (!setting_of(request, request->settings[i])->of_recording)
			title_setting(build,
				      setting_recorded(request, request->settings[i], hidden,
						       sizeof(hidden)),
				      &title);
	for (size_t i = 0; i < build->grid->n; i++)
		if (!build->grid->options[i].inner &&
		    !experiment_typed(request, build->grid->options[i].name))
			title_setting(build, build->grid->options[i].typed, &title);
	if (kind->one_core && request->pinned && !experiment_typed(request, "pin"))
		sentence_add(&title, ", CPU %s",
			     units_format_cpulist((char[32]) {0}, 32, &request->pin));
	if (kind->ballast && !experiment_typed(request, "ballast"))
		sentence_add(&title, ", %s", kind->ballast);
	/* Escape the typed text: it may have any bytes, and the title is written to terminals. */
	utf8_escape(text, shown, sizeof(shown));
	/* Take only whole parts, then "..." if some are missing. */
	for (size_t i = 1; i + sizeof(", ...") <= SAMPLE_LABEL; i++) {
		if (!shown[i])
			break;
		if (shown[i] == ',' && shown[i + 1] == ' ')
			end = i;
	}
	if (strlen(shown) >= SAMPLE_LABEL && end > 0)
		strcpy(shown + end, ", ...");
	sentence_add(&kept, "%s", shown);
}

/*
 * Makes an experiment without cases. Does not clear the memory for cases, because it is large and
 * mostly unused.
 */
static void begin_experiment(struct experiment *experiment, const struct request *request)
{
	memset(experiment, 0, offsetof(struct experiment, each));
	experiment->request = *request;
}

/*
 * Adds a value to the case. In anonymous recordings, a number replaces the name of a program or a
 * file and the value of a variable.
 */
static int add_value(const struct experiment_build *build, const struct experiment_vary *vary,
		     const char *value, struct sample_case *to)
{
	const struct request *request = build->request;
	char numbered[32], hidden[VARIABLE_NAME + sizeof("=(hidden)")];
	size_t i = 0;

	while (vary->values[i] != value)
		i++;
	snprintf(numbered, sizeof(numbered), "value %zu", i + 1);
	if (setting_recorded(request, vary->typed, hidden, sizeof(hidden)) == hidden)
		value = numbered;
	if (variables_find(&to->variables, vary->variable))
		return REFUSE(build,
			      "-s %s: another setting of this session has that name; rename {%s}",
			      vary->typed, vary->name);
	variables_add(&to->variables, vary->variable, value);
	return 0;
}

/* Makes all checks and cases for one value of each swept setting. */
static int build_part(struct experiment_build *build)
{
	int err = experiment_own(build);

	if (!err)
		err = experiment_program(build);
	if (!err)
		err = experiment_check_workers(build);
	if (!err)
		err = experiment_cases(build);
	if (!err)
		err = experiment_check_rows(build);
	if (!err)
		err = experiment_check_cases(build);
	return err;
}

/*
 * Builds and checks each combination of values as an experiment of its own. The session gets the
 * cases of all of them.
 */
static int build_grid(struct experiment_build *build, struct experiment *part)
{
	const struct experiment_grid *grid = build->grid;
	const struct request request = *build->request;
	struct experiment *all = build->experiment;
	size_t n = 1;

	for (size_t i = 0; i < grid->n; i++)
		n *= grid->options[i].n;
	for (size_t i = 0; i < n; i++) {
		struct experiment_build combination = *build;
		int err;

		combination.experiment = part;
		combination.request = &part->request;
		begin_experiment(part, &request);
		err = experiment_grid_set(&combination, i);
		if (!err)
			err = build_part(&combination);
		build->topology = combination.topology;
		if (err)
			return err;
		if (n > SAMPLE_MAX_CASES || all->n_cases + part->n_cases > SAMPLE_MAX_CASES) {
			err = experiment_check_settings(build);
			if (err)
				return err;
			return REFUSE(build,
				      "-s %s: with the other settings, this makes more "
				      "than %d configurations; leave some values out",
				      grid->options[0].typed, SAMPLE_MAX_CASES);
		}
		/*
		 * The session takes the request of the first part, and the largest number of
		 * workers in any part.
		 */
		if (i == 0) {
			all->request = part->request;
			all->one_cpu = part->one_cpu;
			all->holds_for_memory =
				build->kind->holds_for_memory || part->request.all_alive;
		}
		for (int k = 0; k < WORK_KINDS; k++)
			if (part->request.workers[k] > all->request.workers[k])
				all->request.workers[k] = part->request.workers[k];
		for (uint32_t k = 0; k < part->n_cases; k++) {
			struct sample_case *new = &all->cases[all->n_cases];

			all->each[all->n_cases] = part->each[k];
			all->each[all->n_cases++].request = part->request;
			*new = part->cases[k];
			for (size_t v = 0; v < grid->n; v++) {
				if (err)
					break;
				if (!grid->options[v].inner)
					err = add_value(build, &grid->options[v],
							combination.values[v], new);
			}
			if (err)
				return err;
		}
	}
	return 0;
}

/*
 * Builds the session. fits: assumes that the machine has room for the cases, and sets neither their
 * order, nor the trials, nor the title.
 */
static int build_session(const struct request *request, struct experiment *experiment, bool fits,
			 char *error, size_t size)
{
	struct experiment_grid grid = {.n = 0};
	struct experiment_build build = {.experiment = experiment,
					 .request = &experiment->request,
					 .grid = &grid,
					 .fits = fits,
					 .error = error,
					 .size = size};
	struct experiment *part = malloc(sizeof(*part));
	int err;

	if (!part)
		return error_line(error, size, -ENOMEM, "out of memory");
	begin_experiment(experiment, request);
	err = find_kind(&build);
	if (!err)
		err = experiment_grid_read(&build, &grid);
	if (!err)
		err = build_grid(&build, part);
	if (!err)
		err = experiment_check_settings(&build);
	free(build.topology);
	free(part);
	if (err || fits)
		return err;
	/*
	 * Sort the cases by group: by kind of work or way. In a group, the values of settings
	 * follow one another.
	 */
	for (uint32_t i = 1; i < experiment->n_cases; i++)
		for (uint32_t j = i; j > 0; j--) {
			const struct experiment_case each = experiment->each[j];
			const struct sample_case config = experiment->cases[j];

			if (experiment->each[j - 1].group <= each.group)
				break;
			experiment->each[j] = experiment->each[j - 1];
			experiment->each[j - 1] = each;
			experiment->cases[j] = experiment->cases[j - 1];
			experiment->cases[j - 1] = config;
		}
	experiment_trials(&build);
	write_title(&build);
	return 0;
}

int experiment_build(const struct request *request, struct experiment *experiment, char *error,
		     size_t size)
{
	int err = build_session(request, experiment, false, error, size);

	if (err == -ENOENT)
		return -EINVAL;
	return err;
}

int experiment_fits(const struct request *request, char *error, size_t size)
{
	struct experiment *experiment = malloc(sizeof(*experiment));
	int err = -ENOMEM;

	if (experiment)
		err = build_session(request, experiment, true, error, size);
	free(experiment);
	return err;
}
