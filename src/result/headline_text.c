/* SPDX-License-Identifier: MIT */
#include "headline_text.h"

#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "model/model.h"
#include "model/model_kind.h"
#include "result/report.h"

/* How often a slot, braces included, occurs in a text. */
static size_t count_slot(const char *text, const char *slot, size_t length)
{
	size_t n = 0;

	while ((text = strchr(text, '{')) != NULL)
		n += strncmp(text++, slot, length) == 0;
	return n;
}

bool headline_fits(const char *template, const char *translation)
{
	const char *const texts[] = {template, translation};

	for (int i = 0; i < 2; i++) {
		const char *open = texts[i], *close;

		for (; (open = strchr(open, '{')) != NULL; open = close) {
			size_t length = strcspn(open, "}") + 1;

			close = open + length - 1;
			if (!*close || count_slot(template, open, length) !=
					       count_slot(translation, open, length))
				return false;
		}
	}
	return true;
}

const char *headline_text(const char *template)
{
	const char *text = sentence_translated(template);

	if (headline_fits(template, text))
		return text;
	return template;
}

void headline_fill(struct sentence *s, const char *template, const struct slot *slots, size_t n)
{
	const char *at = headline_text(template), *open, *close;

	while ((open = strchr(at, '{')) != NULL && (close = strchr(open, '}')) != NULL) {
		sentence_marked(s, at, (size_t)(open - at));
		for (size_t i = 0; i < n; i++)
			if (strlen(slots[i].name) == (size_t)(close - open - 1) &&
			    strncmp(slots[i].name, open + 1, strlen(slots[i].name)) == 0)
				sentence_add(s, "%s", slots[i].text);
		at = close + 1;
	}
	sentence_marked(s, at, strlen(at));
}

struct sentence *headline_list(struct sentence *list)
{
	if (list->used)
		HEADLINE_ADD(list, N_(", "));
	return list;
}

const char *headline_number(uint32_t n, char buf[16])
{
	snprintf(buf, 16, "%u", n);
	return buf;
}

/*
 * HEADLINE_NAME: number of bytes of a command from which on the sentence names the programs instead
 * of the commands. HEADLINE_WORDS: number of bytes from which on it leaves out words with which all
 * commands end.
 */
enum { HEADLINE_NAME = 24, HEADLINE_WORDS = 16 };

/* The length of the program's name in a command, without its directory. */
static int program_length(const char *command, const char **name)
{
	const int n = (int)strcspn(command, " ");
	const char *folder = memrchr(command, '/', (size_t)n);

	*name = command;
	if (folder)
		*name = folder + 1;
	return n - (int)(*name - command);
}

/*
 * Writes the program's name, such as "awk", if a session compares long commands of different
 * programs without labels. Otherwise returns false. Tables show the whole commands.
 */
static bool short_command(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME])
{
	const char *name, *other;
	const int n = program_length(model->cases[case_id].command, &name);
	bool is_long = false, same = n == 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];
		const int length = program_length(config->command, &other);

		is_long |= strlen(config->command) >= HEADLINE_NAME;
		same |= strcmp(config->model, config->command) != 0 || config->variables.n > 0;
		same |= i != case_id && length == n && strncmp(name, other, (size_t)n) == 0;
	}
	if (same || !is_long)
		return false;
	snprintf(buf, SAMPLE_NAME, "%.*s", n, name);
	return true;
}

/* The number of bytes of the words, blanks included, with which both commands end alike. */
static size_t common_end(const char *a, const char *b)
{
	const size_t length_a = strlen(a), length_b = strlen(b);
	size_t n = 0, words = 0;

	while (n < length_a && n < length_b) {
		if (a[length_a - n - 1] != b[length_b - n - 1])
			break;
		n++;
		if (a[length_a - n] == ' ')
			words = n;
	}
	return words;
}

/*
 * Writes the beginning of a command, such as "gzip -1" of "gzip -1 -c /usr/bin/gdb", if a session
 * compares long commands without labels, and all of them end with the same words. Returns false if
 * a word is quoted, because its parts are no words.
 */
static bool distinct_command(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME])
{
	const char *command = model->cases[case_id].command;
	size_t end = SIZE_MAX;
	bool is_long = false;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];

		if (strcmp(config->model, config->command) != 0 || config->variables.n > 0 ||
		    strpbrk(config->command, "'\"\\"))
			return false;
		is_long |= strlen(config->command) >= HEADLINE_WORDS;
		if (i != case_id)
			end = MIN(end, common_end(command, config->command));
	}
	if (!is_long || end == SIZE_MAX || end == 0 || end == strlen(command))
		return false;
	snprintf(buf, SAMPLE_NAME, "%.*s", (int)(strlen(command) - end), command);
	return true;
}

const char *headline_name(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME])
{
	const char *values;
	bool varies = false;

	if (short_command(model, case_id, buf) || distinct_command(model, case_id, buf))
		return buf;
	model_case_name(model, case_id, buf, SAMPLE_NAME);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];

		if (config->variables.n == 0 || strcmp(config->model, model->cases[0].model) != 0)
			return buf;
		varies |= !variables_equal(&config->variables, &model->cases[0].variables);
	}
	/* Skip the model's name, which may contain blanks; the values follow. */
	values = buf + strlen(model->cases[case_id].model);
	if (varies && *values == ' ')
		return values + 1;
	return buf;
}

/* Whether some run counts, so that its case has a median. */
static bool has_counted_run(const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (report_counts(model, &model->runs[i]))
			return true;
	return false;
}

/*
 * The template to use if no trial was measured. crowded: number of a case's trials that do not
 * count, because other programs used the cores. When a run of the next trial counts, the views show
 * its median, so the sentence no longer says that nothing counts.
 */
static const char *no_trial_template(const struct model *model, uint32_t crowded)
{
	if (model_stopped(model))
		return N_("The session was stopped before a trial was measured");
	if (model_over(model))
		return N_("No trial was measured");
	if (crowded == 0)
		return N_("No trial is complete yet");
	if (has_counted_run(model))
		return N_("The first trial that counts is under way, after {n} that other programs "
			  "disturbed");
	if (crowded == 1)
		return N_("No trial counts yet: other programs used the cores in the only one so "
			  "far");
	return N_("No trial counts yet: other programs used the cores in all {n} so far");
}

void headline_no_trial(struct sentence *s, const struct model *model)
{
	uint32_t crowded = 0;
	enum reason reason = REASON_NOT_KNOWN;

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_prints(model) && reason == REASON_NOT_KNOWN)
			reason = report_missed(model, i, METRIC_PRINTED);
	if (reason != REASON_NOT_KNOWN) {
		FILL(s, N_("{name} is not known: {why}"), {"name", model->session.metric},
		     {"why", sentence_translated(reason_sentence(reason))});
		return;
	}
	for (uint32_t i = 0; i < model->n_cases; i++)
		crowded = MAX(crowded, model_replaced(model, i));
	FILL(s, no_trial_template(model, crowded), {"n", NUMBER(crowded)});
}

bool headline_is_time(enum model_metric metric)
{
	uint8_t unit = metric_table[metric].unit;

	/*
	 * CPU time is no speed. It is the headline only if elapsed times mean nothing: see
	 * model_headline().
	 */
	if (metric == METRIC_CPU)
		return false;
	return unit == METRIC_NS || unit == METRIC_US || unit == METRIC_SHORT;
}

const char *headline_suffix(const struct model *model, enum model_metric metric,
			    char buf[SAMPLE_UNIT + 1])
{
	switch (metric) {
	case METRIC_TASK:
		return headline_text(N_(" until the task runs"));
	case METRIC_OPERATION:
		return headline_text(N_(" a round trip"));
	case METRIC_STEP:
		return headline_text(N_(" per operation"));
	case METRIC_REQUEST:
		return headline_text(N_(" a request"));
	case METRIC_REQUEST_P99:
		return headline_text(N_(" at p99"));
	case METRIC_CPU:
		return headline_text(N_(" of CPU time"));
	case METRIC_PRINTED:
		if (!*model->printed_unit)
			return "";
		snprintf(buf, SAMPLE_UNIT + 1, " %s", model->printed_unit);
		return buf;
	default:
		return "";
	}
}
