/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <math.h>
#include <string.h>

#include "base/error_line.h"
#include "base/units.h"
#include "model/model_latency.h"

/* The text being written, and the warning it is about. */
struct text {
	struct sentence s;
	const struct model *model;
	const struct sample_session *session;
	const struct model_warning *warning;
};

#define CASE(text) MODEL_CASE_NAME((text)->model, (text)->warning->case_id)

/* Names the figure that a trial is judged by, unless it is all of its time. */
static void say_far(struct text *text, const char *which, const char *more)
{
	enum model_metric metric = model_headline(text->model);
	bool step = metric == METRIC_STEP;

	sentence_add(&text->s, "%s of %s took %s", which, CASE(text),
		     step ? METRIC_TEXT(metric, text->warning->took)
			  : UNITS_TIME(llround(text->warning->took), true));
	if (metric == METRIC_TASK)
		sentence_add(&text->s, " until a task runs");
	else if (step)
		sentence_add(&text->s, " for an operation");
	sentence_add(&text->s, ", the median");
	if (text->warning->kind == WARNING_OUTLIERS)
		sentence_add(&text->s, " of its %u", text->warning->trials);
	sentence_add(&text->s, " is %s",
		     step ? METRIC_TEXT(metric, text->warning->median)
			  : UNITS_TIME(llround(text->warning->median), true));
	if (text->warning->n > 1)
		sentence_add(&text->s, ", and %s %u more", more, text->warning->n - 1);
}

static void say_first(struct text *text)
{
	say_far(text, "the first trial", "so with");
	sentence_add(
		&text->s,
		": it found caches cold or the clock low, and it counts; --warmup %u runs each "
		"case beforehand without counting",
		text->session->warmup + 1);
}

static void say_outliers(struct text *text)
{
	say_far(text, "a trial", "there are");
	if (text->warning->took < text->warning->median)
		sentence_add(&text->s, ": faster than the others, which may have met other "
				       "programs or a lower clock; give more --trials");
	else
		sentence_add(&text->s, ": such outliers widen the interval; close other programs "
				       "and give more --trials");
}

static void say_busy(struct text *text)
{
	uint32_t trial = text->warning->trial;

	sentence_add(&text->s, "other programs used %.0f %% of the cores ", text->warning->percent);
	if (trial > 0)
		sentence_add(&text->s, "during trial %u of %s", trial, CASE(text));
	else
		sentence_add(&text->s, "while the runs went on");
	sentence_add(&text->s, ": the times hold that too; close them (");
	if (*text->warning->who)
		sentence_add(&text->s, "above all %s", text->warning->who);
	else
		sentence_add(&text->s, "top shows which");
	sentence_add(&text->s, ") and run again");
}

static void say_steal(struct text *text)
{
	sentence_add(
		&text->s,
		"the host of this virtual machine withheld %.1f %% of the cores' time (steal): "
		"the times hold that too; use a machine of your own or a quieter hour, and "
		"give more --trials",
		text->warning->percent);
}

static void say_frequency(struct text *text)
{
	const char *governor = text->session->machine.governor;

	sentence_add(&text->s,
		     "core %d worked at %d to %d MHz: a time then depends on the clock it met; "
		     "the governor is ",
		     text->warning->cpu, text->warning->low_mhz, text->warning->high_mhz);
	if (strcmp(governor, "performance") == 0)
		sentence_add(&text->s, "performance, so it is turbo or heat: switch turbo off, or "
				       "let the machine cool");
	else
		sentence_add(&text->s, "%s; sudo cpupower frequency-set -g performance keeps it",
			     *governor ? governor : "not known");
}

/* "trials 3, 7, ..." */
static void say_trials(struct text *text)
{
	const uint32_t *trial = text->warning->trial_list;

	sentence_add(&text->s, "trial%s ", text->warning->n > 1 ? "s" : "");
	for (; *trial; trial++)
		sentence_add(&text->s, "%s%u", trial > text->warning->trial_list ? ", " : "",
			     *trial);
	sentence_add(&text->s, "%s", text->warning->n < MODEL_WARNING_TRIALS ? "" : ", ...");
}

static void say_cores(struct text *text)
{
	const struct model_warning *warning = text->warning;

	sentence_add(&text->s, "%u of %u runs of %s used %.1f of %.0f cores that were free (",
		     warning->n, warning->trials, CASE(text), warning->cores, warning->cores_free);
	say_trials(text);
	sentence_add(&text->s, "): %s instead of %s", UNITS_TIME(llround(warning->took), true),
		     UNITS_TIME(llround(warning->median), true));
	if (warning->others > 0)
		sentence_add(&text->s, ", and so did %u of others", warning->others);
	sentence_add(&text->s,
		     "; the kernel left their tasks together: more --trials tell how often");
}

static void say_repeated(struct text *text)
{
	bool one = text->warning->n == 1;

	sentence_add(&text->s, "other programs used more than a fifth of the cores in ");
	say_trials(text);
	sentence_add(&text->s, ": %s repeated at the end and count%s nowhere",
		     one ? "it was" : "they were", one ? "s" : "");
}

static void say_company(struct text *text)
{
	const struct model_warning *warning = text->warning;

	sentence_add(&text->s, "%s had ", CASE(text));
	if (warning->children > 0)
		sentence_add(&text->s, "%d or more child process%s", warning->children,
			     warning->children > 1 ? "es" : "");
	if (warning->threads > 1)
		sentence_add(&text->s, "%s%d or more threads", warning->children > 0 ? " and " : "",
			     warning->threads);
	sentence_add(&text->s,
		     ", which tuibench does not follow: its memory, tasks and lanes are "
		     "not known (?); its CPU time holds that of all it waited for%s",
		     warning->others ? "; the same is true of other cases" : "");
}

static void say_throttled(struct text *text)
{
	const struct model_warning *warning = text->warning;

	sentence_add(
		&text->s, "its quota of CPUs held %s back in %u of %u runs (%s periods of 100 ms)",
		CASE(text), warning->n, warning->trials, UNITS_COUNT((int64_t)warning->periods));
	if (warning->others > 0)
		sentence_add(&text->s, ", and %u other case%s", warning->others,
			     warning->others > 1 ? "s" : "");
	sentence_add(&text->s, ": the times hold that too, and no other program has part in it");
}

char *warning_text(const struct model *model, const struct model_warning *warning, char *buf,
		   size_t size)
{
	static void (*const say[WARNINGS])(struct text * text) = {
		[WARNING_FIRST] = say_first,	     [WARNING_OUTLIERS] = say_outliers,
		[WARNING_BUSY] = say_busy,	     [WARNING_STEAL] = say_steal,
		[WARNING_FREQUENCY] = say_frequency, [WARNING_CORES] = say_cores,
		[WARNING_REPEATED] = say_repeated,   [WARNING_COMPANY] = say_company,
		[WARNING_THROTTLED] = say_throttled,
	};
	const struct model_origin *origin = warning->origin;
	struct text text = {.s = {buf, size, 0},
			    .model = model,
			    .session = origin ? &origin->session : &model->session,
			    .warning = warning};

	buf[0] = '\0';
	if (origin && *origin->name)
		sentence_add(&text.s, "%s: ", origin->name);
	say[warning->kind](&text);
	return buf;
}
