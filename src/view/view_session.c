/* SPDX-License-Identifier: MIT */
#include "view_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "stats/stats.h"
#include "draw/text.h"
#include "result/report.h"
#include "topology/topology.h"

enum { LABEL_W = 16 };

typedef void fact(const struct model *model, struct sentence *s);

static void say_machine(const struct model *model, struct sentence *s)
{
	char text[SAMPLE_TEXT];

	sentence_add(s, "%s", report_machine(text, sizeof(text), &model->session.machine));
}

static void say_plan(const struct model *model, struct sentence *s)
{
	const struct sample_session *session = &model->session;

	sentence_add(s, "%s, %u trial%s of each", session->title, session->trials,
		     session->trials == 1 ? "" : "s");
	if (session->warmup > 0)
		sentence_add(s, " after %u warm-up%s", session->warmup,
			     session->warmup == 1 ? "" : "s");
	if (session->seed >= 0)
		sentence_add(s, ", their order drawn with the seed %lld", (long long)session->seed);
}

/* Whole words, as many as there is room for: the recording and the exports have all of them. */
static void say_command(const struct model *model, struct sentence *s)
{
	const char *options = model->session.options;
	size_t room = s->size - sizeof(" ...");

	if (strlen(options) <= room) {
		sentence_add(s, "%s", options);
		return;
	}
	while (room > 0 && options[room] != ' ')
		room--;
	sentence_add(s, "%.*s ...", (int)room, options);
}

static void say_system(const struct model *model, struct sentence *s)
{
	char text[SAMPLE_TEXT];

	report_system(&model->session, text, sizeof(text));
	sentence_add(s, "%s", text);
}

/* "nice=0, policy=other, stack=8M": what is not usual is warned of. */
static void say_environment(const struct model *model, struct sentence *s)
{
	for (const char *c = model->session.environment; *c; c++)
		sentence_add(s, *c == ';' ? ", " : "%c", *c);
}

static void say_source(const struct model *model, struct sentence *s)
{
	char text[SCHED_TEXT];

	if (sched_wanted(model))
		sentence_add(s, "%s", sched_source(model, NULL, text, sizeof(text)));
	else if (*model->session.sched)
		sentence_add(s, "not looked for (-s sched=%s)", model->session.sched);
}

static void say_wakes(const struct model *model, struct sentence *s)
{
	char text[SCHED_TEXT];

	if (*sched_no_wakes(model, text, sizeof(text)))
		sentence_add(s, "after a block not known: %s", text);
	else if (strcmp(model->session.wakes, SAMPLE_WAKES) == 0)
		sentence_add(s, "the kernel's own, exact");
}

/* "spread, CPUs 0: 1 core; 0-1: 2 cores", where they were chosen */
static void say_place(const struct model *model, struct sentence *s)
{
	struct topology topology;
	char text[TOPOLOGY_TEXT];

	topology_parse(model->session.topology, &topology);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *one = &model->cases[i];
		uint32_t first = 0;

		while (!CPU_EQUAL(&model->cases[first].cpus, &one->cpus))
			first++;
		if (CPU_COUNT(&one->cpus) == 0 || first < i)
			continue;
		if (s->used)
			sentence_add(s, "; ");
		else
			sentence_add(s, "%s, CPUs ", one->place);
		sentence_add(s, "%s", topology_describe(&topology, &one->cpus, text, sizeof(text)));
	}
}

static void say_counters(const struct model *model, struct sentence *s)
{
	const char *counters = model->session.counters;

	if (strcmp(counters, "user") == 0)
		sentence_add(s, "by the processor, of the workers' own work");
	else
		sentence_add(s, "%s", counters);
}

/* In 0.1 % of the cores: the middle and the greatest of all counted runs. */
static void say_share(const struct model *model, struct sentence *s, const char *who, bool steal)
{
	double *shares = calloc(model->n_runs + 1, sizeof(*shares)), most = 0;
	size_t n = 0;

	for (size_t i = 0; shares && i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int share = steal ? run->totals.steal : run->totals.others;

		if (report_counts(model, run) && share >= 0)
			shares[n++] = share / 10.0;
	}
	for (size_t i = 0; i < n; i++)
		most = fmax(most, shares[i]);
	if (n > 0)
		sentence_add(s, "%s%s %.1f %% (at most %.1f)", s->used ? ", " : "", who,
			     stats_select(shares, n, 0.5), most);
	free(shares);
}

static void say_others(const struct model *model, struct sentence *s)
{
	say_share(model, s, "other programs", false);
	say_share(model, s, "the host withheld", true);
	if (s->used)
		sentence_add(s, " of the cores: the median and the most of all runs");
}

static void say_own_cost(const struct model *model, struct sentence *s)
{
	char text[SAMPLE_TEXT];

	report_own_cost(model, text, sizeof(text));
	sentence_add(s, "%s", text);
}

static void say_version(const struct model *model, struct sentence *s)
{
	sentence_add(s, "tuibench %s, a sample every %u ms", model->session.version,
		     model->session.interval_ms);
}

static const struct {
	const char *label;
	fact *say;
} facts[] = {
	{"machine", say_machine},	  {"system", say_system},
	{"what ran", say_plan},		  {"typed", say_command},
	{"environment", say_environment}, {"on which cores", say_place},
	{"who else ran", say_others},	  {"who ran where", say_source},
	{"wake-ups", say_wakes},	  {"counters", say_counters},
	{"own cost", say_own_cost},	  {"recorded by", say_version},
};

enum { FACTS = sizeof(facts) / sizeof(facts[0]) };

/* "" where it is not known. */
static const char *fact_text(const struct model *model, int i, char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};

	buf[0] = '\0';
	facts[i].say(model, &s);
	return buf;
}

/* Recordings that were joined have a session each. */
int view_session_lines(const struct view_frame *frame, int width)
{
	char text[SAMPLE_TEXT];
	int lines = 0;

	if (!frame->model->has_session || frame->model->n_origins > 0)
		return 0;
	for (int i = 0; i < FACTS; i++)
		if (*fact_text(frame->model, i, text, sizeof(text)))
			lines += text_lines(text, width - LABEL_W);
	return lines;
}

void view_session_draw(const struct view_frame *frame, struct rect inner)
{
	struct rect rest = inner;
	char text[SAMPLE_TEXT];

	for (int i = 0; i < FACTS && rest.h > 0; i++) {
		struct rect place = {rest.x + LABEL_W, rest.y, rest.w - LABEL_W, rest.h};
		int lines;

		if (!*fact_text(frame->model, i, text, sizeof(text)))
			continue;
		lines = text_lines(text, place.w);
		if (lines > rest.h)
			break;
		canvas_text(frame->canvas, rest.x, rest.y, LABEL_W, STYLE(COLOUR_DIM),
			    facts[i].label);
		text_draw(frame->canvas, place, STYLE(COLOUR_DEFAULT), text);
		rest.y += lines;
		rest.h -= lines;
	}
}
