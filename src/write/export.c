/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/bundle.h"
#include "base/error_line.h"
#include "result/report.h"

enum { TRIALS_NAMED = 8 };

/*
 * "Trials 1, 2 were discarded …", about trials that were replaced because other programs disturbed
 * them; "" if there are none.
 */
static char *discarded_trials(const struct model *model, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	uint32_t trials[TRIALS_NAMED], n = 0, last = 0;

	*buf = '\0';
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!model_is_replaced(model, run) || (n > 0 && run->id.trial == last))
			continue;
		last = run->id.trial;
		if (n < TRIALS_NAMED)
			trials[n] = last;
		n++;
	}
	if (n == 0)
		return buf;
	sentence_add(&s, n == 1 ? " Trial" : " Trials");
	for (uint32_t i = 0; i < MIN(n, TRIALS_NAMED); i++)
		sentence_add(&s, "%s %u", i > 0 ? "," : "", trials[i]);
	if (n > TRIALS_NAMED)
		sentence_add(&s, " and %u more", n - TRIALS_NAMED);
	sentence_add(
		&s, n == 1 ? " was discarded and repeated at the end, because other programs used "
			     "more than a fifth of the cores or the session was paused."
			   : " were discarded and repeated at the end, because other programs used "
			     "more than a fifth of the cores or the session was paused.");
	return buf;
}

/* The smallest number of counted trials of any case. */
static uint32_t counted_trials(const struct model *model)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t n = 0;

		for (const struct model_run *run = NULL;
		     (run = model_next_measured(model, run, i, 1));)
			n++;
		least = MIN(least, n);
	}
	if (model->n_cases > 0)
		return least;
	return 0;
}

/* Writes how the figures were obtained: two paragraphs to quote in a report, then details. */
static int write_methods(const struct model *model, FILE *out)
{
	const struct sample_session *session = &model->session;
	char text[HEADLINE_BADGE + HEADLINE_TEXT], wall[REPORT_WALL], order[96];
	char warmups[64];

	if (session->seed < 0)
		snprintf(order, sizeof(order), "in an order that was not randomized");
	else
		snprintf(order, sizeof(order), "in randomized order (seed %" PRId64 ")",
			 session->seed);
	if (session->warmup == 0)
		snprintf(warmups, sizeof(warmups), "Without warm-ups");
	else
		snprintf(warmups, sizeof(warmups), "After %u warm-up%s of each configuration",
			 session->warmup, sentence_plural(session->warmup));
	fprintf(out, "The experiment \"%s\" (%s) was run with tuibench %s on %s, ",
		session->experiment, session->title, session->version,
		report_machine(text, sizeof(text), &session->machine));
	fprintf(out, "beginning at %s. The command was: %s. ",
		report_wall(session->wall_s * 1000000000, wall), session->options);
	fprintf(out,
		"%s, each trial ran every configuration once, %s. %u of %u planned trials were "
		"counted.%s%s\n\n",
		warmups, order, counted_trials(model), session->trials,
		discarded_trials(model, text, sizeof(text)),
		model_over(model) ? "" : " The recording has no end.");
	fprintf(out,
		"Configurations were compared pair by pair, a pair being two runs of one trial. A "
		"ratio is the Hodges-Lehmann estimate over all pairs, with the interval of "
		"Wilcoxon's signed-rank test. %s Two configurations are called the same if the "
		"whole interval lies within 5 %%. Result: ",
		REPORT_ERROR_RATE);
	fprintf(out, "%s.\n", headline_line(model, text, sizeof(text)));
	fputs("\nDetails\n", out);
	if (report_system(session, text, sizeof(text)))
		fprintf(out, "%s.\n", text);
	if (report_environment(session, text, sizeof(text)))
		fprintf(out, "%s\n", text);
	fputs("tuibench-statistics(7) explains the tests and names their sources.\n", out);
	return 0;
}

static int write_bundle(const struct model *model, const void *recording, size_t n, FILE *out)
{
	struct bundle_member members[] = {
		{BUNDLE_SESSION, recording, n}, {.name = "page.html"},	 {.name = "session.json"},
		{.name = "methods.txt"},	{.name = "medians.svg"}, {.name = "timelines.svg"}};
	export_write *const writes[] = {NULL,	       export_html,  write_json,
					write_methods, plot_medians, plot_timelines};
	const size_t n_members = LENGTH(members);
	int err = 0;

	for (size_t i = 1; i < n_members && !err; i++) {
		char *bytes = NULL;
		FILE *memory = open_memstream(&bytes, &members[i].n);

		if (memory)
			err = writes[i](model, memory);
		else
			err = -errno;
		if (memory && fclose(memory) && !err)
			err = -ENOMEM;
		members[i].bytes = bytes;
	}
	if (!err)
		err = bundle_write(members, n_members, out);
	if (!err)
		err = report_finish(out);
	for (size_t i = 1; i < n_members; i++)
		free((void *)members[i].bytes);
	return err;
}

static const struct export_format formats[] = {
	{"trace", "the newest run, for Perfetto or speedscope", export_trace},
	{"html", "a page for a browser", export_html, .lecture = true,
	 .machines = machines_write_html},
	{"workers", "a row for each worker", export_workers},
	{"samples", "a row for each observation", export_samples},
	{"slices", "a row for each stretch of time on a core", export_slices},
	{"tasks", "a row for each thread and process", export_tasks},
	{"trace-all", "all runs, for Perfetto or speedscope", export_trace_all},
	{"csv", "a row for each run", write_csv, .machines = machines_write_csv, .result = 4},
	{"json", "all figures", write_json, .lecture = true, .machines = machines_write_json,
	 .result = 2},
	{"hyperfine", "times and exit codes, in the format of hyperfine", write_hyperfine,
	 .result = 6},
	{"markdown", "all tables, in Markdown", write_markdown, .lecture = true,
	 .machines = machines_write_markdown, .result = 3},
	{"report", "all tables, as plain text", write_all_tables, .lecture = true,
	 .machines = machines_write_text, .result = 5},
	{"table", "the answer", write_answer, .lecture = true, .machines = machines_write_text,
	 .result = 1},
	{"bundle", "recording, page, JSON, plots and methods, in one file", .bundle = write_bundle,
	 .binary = "tar"},
	{"cast", "a screencast for asciinema", .screencast = cast_write},
	{"svg-animation", "a screencast for a browser", .screencast = animation_write},
	{"svg", "the screen at the end, as a picture", .screencast = picture_write},
	{"slide", "the view at the end, as a slide (16:9)", .screencast = slide_write},
};

#define FORMATS LENGTH(formats)

const struct export_format *export_at(size_t i)
{
	if (i < FORMATS)
		return &formats[i];
	return NULL;
}

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

const struct export_format *export_of_result(uint32_t place)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].result == place)
			return &formats[i];
	return NULL;
}

int export_lecture(const struct export_lecture *lecture, export_write *write, FILE *out)
{
	if (write == export_html)
		return page_lecture(lecture, out);
	return lecture_write(lecture, write, false, out);
}
