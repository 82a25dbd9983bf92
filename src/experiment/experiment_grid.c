/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "experiment/setting.h"

/* The settings of a session: what has one value is set, every value of one meets all of the others.
 */

/* Text that outlives the values, which point to it; NULL: there is no room. */
static char *keep(struct experiment_build *build, const char *text)
{
	struct experiment *experiment = build->experiment;
	size_t length = strlen(text) + 1;
	char *word = experiment->words + experiment->n_words;

	if (length > sizeof(experiment->words) - experiment->n_words)
		return NULL;
	experiment->n_words += length;
	return memcpy(word, text, length);
}

struct reading {
	struct experiment_build *build;
	struct experiment_vary *vary;
};

static int take_value(void *arg, const char *text)
{
	struct reading *reading = arg;
	struct experiment_vary *vary = reading->vary;
	const char *colon = strchr(vary->name, ':'), *word;
	size_t behind = colon ? strlen(colon) : 0; /* "NAME=", which stands before the value */
	char *both = NULL;

	if (vary->n == SAMPLE_MAX_CASES)
		return -E2BIG;
	if (colon && asprintf(&both, "%s=%s", colon + 1, text) < 0)
		return -ENOMEM;
	word = keep(reading->build, both ? both : text);
	free(both);
	if (!word)
		return -ENOSPC;
	vary->values[vary->n++] = word + behind;
	return 0;
}

/* Those of -s pin, or all that this program may use. */
static int count_usable(const struct request *request)
{
	cpu_set_t cpus;

	if (request->pinned)
		return CPU_COUNT(&request->pin);
	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

const char *experiment_typed(const struct request *request, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; request->settings[i]; i++)
		if (strncmp(request->settings[i], name, n) == 0 && request->settings[i][n] == '=')
			return request->settings[i];
	return NULL;
}

char *experiment_settings(const struct request *request, char *buf, size_t size)
{
	struct sentence to = {buf, size, 0};

	*buf = '\0';
	for (size_t i = 0; request->settings[i]; i++) {
		const char *text = request->settings[i];
		size_t before = to.used, length = before + strlen(text) + (before > 0);

		if (length >= size)
			continue;
		sentence_add(&to, "%s%s", before ? ";" : "", text);
		/* a semicolon ends one */
		for (char *c = buf + before + (before > 0); *c; c++)
			*c = (char)(*c == ';' ? ',' : *c);
	}
	utf8_mask(buf);
	return buf;
}

static int take_setting(struct experiment_build *build, struct experiment_grid *grid,
			const char *text)
{
	struct request *request = &build->experiment->request;
	struct experiment_vary vary = {.typed = text};
	struct reading reading = {build, &vary};
	const struct setting *setting;
	char error[512];
	bool varies;
	int err;

	snprintf(vary.name, sizeof(vary.name), "%.*s", (int)strcspn(text, "="), text);
	setting = setting_find(vary.name);
	if (setting && setting->kind == SETTING_LIST && strchr(text, '=')) {
		*(const char **)((char *)request + setting->offset) = strchr(text, '=') + 1;
		return setting_check(text, error, sizeof(error))
			       ? REFUSE(build, -EINVAL, "-s %s", error)
			       : 0;
	}
	err = setting_each(text, count_usable(request), take_value, &reading, error, sizeof(error));
	if (err)
		return REFUSE(build, err, "-s %s", error);
	varies = vary.n > 1;
	if (varies && grid->n == REQUEST_SWEEPS)
		return REFUSE(build, -EINVAL,
			      "-s %s: is one list of values too many; %d can be "
			      "crossed",
			      text, REQUEST_SWEEPS);
	/* "KIND.size" is the variable KIND in recordings. */
	snprintf(vary.variable, sizeof(vary.variable), "%s", vary.name);
	if (setting->kind == SETTING_WORK)
		vary.variable[strcspn(vary.variable, ".")] = '\0';
	if (varies)
		grid->options[grid->n++] = vary;
	else if (setting_store(request, setting, vary.name, vary.values[0]))
		return setting_check(text, error, sizeof(error))
			       ? REFUSE(build, -EINVAL, "-s %s", error)
			       : REFUSE(build, -EINVAL, "-s %s: is one variable too many", text);
	return 0;
}

int experiment_grid_read(struct experiment_build *build, struct experiment_grid *grid)
{
	const struct request *request = &build->experiment->request;
	const char *usual = experiment_usual_sweep(build);
	int err = 0;

	for (size_t i = 0; request->settings[i] && !err; i++)
		err = take_setting(build, grid, request->settings[i]);
	if (!err && usual && grid->n == 0)
		err = take_setting(build, grid, usual);
	return err;
}

bool experiment_grid_has(const struct experiment_grid *grid, const char *name)
{
	for (size_t i = 0; i < grid->n; i++)
		if (strcmp(grid->options[i].name, name) == 0)
			return true;
	return false;
}

size_t experiment_grid_count(const struct experiment_grid *grid)
{
	size_t n = 1;

	for (size_t i = 0; i < grid->n; i++)
		n *= grid->options[i].n;
	return n;
}

/* The last option runs through its values first. */
static const char *value_of(const struct experiment_grid *grid, size_t combination, size_t option)
{
	for (size_t i = grid->n - 1; i > option; i--)
		combination /= grid->options[i].n;
	return grid->options[option].values[combination % grid->options[option].n];
}

int experiment_grid_set(struct experiment_build *build, const struct experiment_grid *grid,
			size_t combination, struct request *request)
{
	char error[512];

	for (size_t i = 0; i < grid->n; i++) {
		const struct experiment_vary *vary = &grid->options[i];
		const char *value = value_of(grid, combination, i);
		char text[VARIABLE_NAME + VARIABLE_VALUE + 2];

		if (!setting_store(request, setting_find(vary->name), vary->name, value))
			continue;
		snprintf(text, sizeof(text), "%s=%s", vary->name, value);
		return setting_check(text, error, sizeof(error))
			       ? REFUSE(build, -EINVAL, "-s %s", error)
			       : REFUSE(build, -EINVAL, "-s %s: is one variable too many", text);
	}
	return 0;
}

void experiment_grid_name(const struct experiment_grid *grid, size_t combination,
			  struct sample_case *one)
{
	for (size_t i = 0; i < grid->n; i++)
		variables_add(&one->variables, grid->options[i].variable,
			      value_of(grid, combination, i));
}

int experiment_check_settings(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	char name[VARIABLE_NAME], of[VARIABLE_NAME + 8], text[1024] = "";
	const struct setting *setting;
	struct sentence those = {text, sizeof(text), 0};

	for (size_t i = 0; request->settings[i]; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(request->settings[i], "="),
			 request->settings[i]);
		if (setting_concerns(name, build->experiment, false))
			continue;
		for (size_t k = 0; setting_name(k, name); k++)
			if (setting_concerns(name, build->experiment, false))
				sentence_add(&those, "%s%s", those.used ? ", " : "", name);
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(request->settings[i], "="),
			 request->settings[i]);
		setting = setting_find(name);
		snprintf(of, sizeof(of), "%.*s workers", (int)strcspn(name, "."), name);
		return REFUSE(build, -EINVAL,
			      "-s %s: is for %s, and would do nothing here; these would: %s",
			      request->settings[i],
			      setting->kind == SETTING_WORK ? of : setting->of, text);
	}
	return 0;
}
