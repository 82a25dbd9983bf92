/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bundle.h"
#include "result/report.h"

/* What a report says of how its figures came about. */
static int write_methods(const struct model *model, FILE *out)
{
	const struct sample_session *session = &model->session;
	char text[2048], wall[REPORT_WALL];

	fprintf(out, "Measured with tuibench %s: %s\n", session->version, session->options);
	fprintf(out, "Begun %s on %s.\n", report_wall(session->wall_s * 1000000000, wall),
		report_machine(text, sizeof(text), &session->machine));
	if (report_system(session, text, sizeof(text)))
		fprintf(out, "%s.\n", text);
	if (report_environment(session, text, sizeof(text)))
		fprintf(out, "%s\n", text);
	fprintf(out,
		"\nThe models took turns, one run of each in a trial, %s. %u trials were planned, "
		"after %u warm-up%s; the session ends earlier if all is decided. A ratio is the "
		"Hodges-Lehmann estimate over all pairs, which are two runs of one trial; its "
		"interval is that of the signed-rank test of Wilcoxon. %s Two are the same if the "
		"whole interval is "
		"within 5 %%. Counts, as of survivors, are compared as such. "
		"tuibench-statistics(7) names the sources.\n\n",
		session->seed < 0 ? "in a fixed order" : "in an order at random", session->trials,
		session->warmup, session->warmup == 1 ? "" : "s", REPORT_ERROR_RATE);
	fprintf(out, "%s\n", headline_line(model, text, sizeof(text)));
	return 0;
}

static int write_bundle(const struct model *model, const void *recording, size_t n, FILE *out)
{
	struct bundle_member members[] = {{BUNDLE_SESSION, recording, n},
					  {.name = "page.html"},
					  {.name = "session.json"},
					  {.name = "methods.txt"}};
	export_write *const writes[] = {NULL, export_html, write_json, write_methods};
	int err = 0;

	for (size_t i = 1; i < 4 && !err; i++) {
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
		err = bundle_write(members, 4, out);
	if (!err)
		err = report_finish(out);
	for (size_t i = 1; i < 4; i++)
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
	{"bundle", "recording, page, JSON, and how it was measured: one file",
	 .bundle = write_bundle, .binary = "tar"},
	{"cast", "a screencast for asciinema", .screencast = cast_write},
	{"svg-animation", "a screencast for a browser", .screencast = animation_write},
	{"svg", "the screen at the end, as a picture", .screencast = picture_write},
	{"slide", "the view at the end, as a slide (16:9)", .screencast = slide_write},
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

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
