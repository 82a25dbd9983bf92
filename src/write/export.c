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

static int write_bundle(const struct model *model, const void *recording, size_t n, FILE *out)
{
	struct bundle_member members[] = {
		{BUNDLE_SESSION, recording, n}, {.name = "page.html"},	 {.name = "session.json"},
		{.name = "methods.txt"},	{.name = "medians.svg"}, {.name = "timelines.svg"}};
	export_write *const writes[] = {NULL,	       export_html,  write_json,
					write_methods, plot_medians, plot_timelines};
	const size_t n_members = LENGTH(members);
	int err = 0;

	for (size_t i = 1; i < n_members; i++) {
		char *bytes = NULL;
		FILE *memory;

		if (err)
			break;
		memory = open_memstream(&bytes, &members[i].n);
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
	{"samples", "a row for each sampled value", export_samples},
	{"slices", "a row for each slice, a period on a core", export_slices},
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
