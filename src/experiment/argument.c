/* SPDX-License-Identifier: MIT */
#include "experiment/argument.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "experiment_parts.h"

static const char name_begins[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char name_goes_on[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				   "0123456789-";

/* Braces around a name: {n}, {{n}} or {{{n}}}. */
struct braces {
	size_t open; /* number of opening braces */
	/* number of opening braces that stay in the text: one for each pair */
	size_t written;
	size_t length; /* bytes of the braces and the name */
	size_t closed; /* number of closing braces that stay in the text */
	/* the name, which is replaced if the number of opening braces is odd */
	char name[VARIABLE_NAME];
};

/* Returns the length of the name at the start of the text; 0: there is none. */
static size_t argument_length(const char *text)
{
	size_t n;

	if (strspn(text, name_begins) == 0)
		return 0;
	n = strspn(text, name_goes_on);

	if (n < VARIABLE_NAME)
		return n;
	return 0;
}

bool argument_is_name(const char *text)
{
	size_t n = argument_length(text);

	return n > 0 && text[n] == '=';
}

/* Reads the braces at the start of the text. Returns false if they are plain text. */
static bool braces_read(const char *text, struct braces *braces)
{
	size_t open = strspn(text, "{"), pairs = open / 2;
	const char *name = text + open, *end = name + argument_length(name);
	size_t close;

	if (end == name || *end != '}')
		return false;
	*braces = (struct braces) {.open = open, .written = pairs};
	memcpy(braces->name, name, (size_t)(end - name));
	end += open % 2;
	close = strspn(end, "}") / 2;
	braces->closed = MIN(close, pairs);
	braces->length = (size_t)(end - text) + 2 * braces->closed;
	return true;
}

/*
 * Finds the next brace that begins a name; a brace after $ does not. Returns the end of the text if
 * there is none.
 */
static const char *brace_find(const char *text, const char *begin, struct braces *braces)
{
	while (*(text += strcspn(text, "{"))) {
		bool variable = text > begin && text[-1] == '$';

		if (!variable && braces_read(text, braces))
			break;
		text += strspn(text, "{");
	}
	return text;
}

bool argument_next(const char **at, char name[VARIABLE_NAME])
{
	const char *begin = *at;
	struct braces braces;

	while (*(*at = brace_find(*at, begin, &braces))) {
		*at += braces.length;
		if (braces.open % 2 == 0)
			continue;
		strcpy(name, braces.name);
		return true;
	}
	return false;
}

static const char cores_argument[] = "cores", trial_argument[] = "trial",
		  model_argument[] = "model";

bool argument_is_known(const char *name)
{
	return strcmp(name, cores_argument) == 0 || strcmp(name, trial_argument) == 0 ||
	       strcmp(name, model_argument) == 0;
}

static bool text_has(const char *text, const char *name)
{
	char found[VARIABLE_NAME];

	while (argument_next(&text, found))
		if (strcmp(found, name) == 0)
			return true;
	return false;
}

const char *experiment_typed(const struct request *request, const char *name)
{
	size_t n = strlen(name);
	const char *last = NULL;

	for (size_t i = 0; request->settings[i]; i++)
		if (strncmp(request->settings[i], name, n) == 0 && request->settings[i][n] == '=')
			last = request->settings[i];
	return last;
}

/* Settings whose values may contain {name}, as commands may. */
static const char *const filled_settings[] = {"setup", "prepare", "cleanup", "input", "output"};

bool argument_is_used(const struct request *request, const char *name)
{
	for (size_t i = 0; i < LENGTH(filled_settings); i++) {
		const char *typed = experiment_typed(request, filled_settings[i]);

		if (typed && text_has(typed, name))
			return true;
	}
	for (uint32_t i = 0; i < request->n_programs; i++)
		if (text_has(request->programs[i], name))
			return true;
	return false;
}

const char *argument_value(const struct request *request, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; request->values[i].typed; i++) {
		const char *typed = request->values[i].typed;

		if (strncmp(typed, name, n) == 0 && typed[n] == '=')
			return request->values[i].value;
	}
	return NULL;
}

/* Returns the value of the name in this trial; NULL: leave the name unchanged. */
static const char *value_of(const struct experiment_case *config, int64_t trial, const char *name,
			    char buf[32])
{
	if (strcmp(name, model_argument) == 0)
		return config->model;
	if (strcmp(name, cores_argument) == 0) {
		snprintf(buf, 32, "%" PRIu32, config->cores);
		return buf;
	}
	if (strcmp(name, trial_argument) == 0) {
		snprintf(buf, 32, "%" PRId64, trial);
		if (trial < 0)
			return NULL;
		return buf;
	}
	return argument_value(&config->request, name);
}

struct filled {
	char *words;
	size_t used;
};

static int fill_put(struct filled *filled, const char *text, size_t n)
{
	if (filled->used + n > COMMAND_BYTES)
		return -E2BIG;
	memcpy(filled->words + filled->used, text, n);
	filled->used += n;
	return 0;
}

static int fill_braces(struct filled *filled, const struct experiment_case *config, int64_t trial,
		       const char *text, const struct braces *braces)
{
	char buf[32];
	const char *value = value_of(config, trial, braces->name, buf);
	int err = fill_put(filled, text, braces->written);

	if (braces->open % 2 == 0)
		value = braces->name;
	if (!err && value)
		err = fill_put(filled, value, strlen(value));
	if (!err && !value)
		err = fill_put(filled, "{", 1);
	if (!err && !value)
		err = fill_put(filled, braces->name, strlen(braces->name));
	if (!err && !value)
		err = fill_put(filled, "}", 1);
	if (err)
		return err;
	return fill_put(filled, text + braces->length - braces->closed, braces->closed);
}

/* Appends the word with its names replaced by their values, and its NUL. */
static int fill_word(struct filled *filled, const struct experiment_case *config, int64_t trial,
		     const char *word)
{
	const char *at = word, *brace;
	struct braces braces;
	int err = 0;

	while (!err && *(brace = brace_find(at, word, &braces))) {
		err = fill_put(filled, at, (size_t)(brace - at));
		if (!err)
			err = fill_braces(filled, config, trial, brace, &braces);
		at = brace + braces.length;
	}
	if (err)
		return err;
	return fill_put(filled, at, strlen(at) + 1);
}

int argument_fill(const struct experiment_case *config, const char *text, int64_t trial,
		  char words[COMMAND_BYTES])
{
	char typed[COMMAND_BYTES], *word = typed;
	struct filled filled = {words, 0};
	int n = command_words_split(text, typed), err = 0;

	for (int i = 0; i < n; i++) {
		if (err)
			break;
		err = fill_word(&filled, config, trial, word);
		word += strlen(word) + 1;
	}
	if (err)
		return err;
	return n;
}

int argument_words(const struct experiment *experiment, uint32_t case_id, int64_t trial,
		   char words[COMMAND_BYTES])
{
	const struct experiment_case *config = &experiment->each[case_id];

	return argument_fill(config, config->request.programs[config->program], trial, words);
}

int argument_text(const struct experiment_case *config, const char *text, int64_t trial,
		  char filled_text[COMMAND_BYTES])
{
	struct filled filled = {filled_text, 0};

	return fill_word(&filled, config, trial, text);
}
