/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <string.h>

static const struct export_format formats[] = {
	{"trace", "the newest run, for Perfetto or speedscope", export_trace},
	{"html", "a page for a browser", export_html, .lecture = export_lecture_html,
	 .room = room_write_html},
	{"workers", "a row for each worker", export_workers},
	{"samples", "a row for each observation", export_samples},
	{"slices", "a row for each time on a core", export_slices},
	{"trace-all", "all runs, for Perfetto or speedscope", export_trace_all},
	{"csv", "a row for each run", write_csv, .room = room_write_csv, .result = 4},
	{"json", "all figures", write_json, .lecture = export_lecture_json, .room = room_write_json,
	 .result = 2},
	{"hyperfine", "times and exit codes, as of hyperfine", write_hyperfine, .result = 6},
	{"markdown", "all tables, in Markdown", write_markdown, .lecture = export_lecture_markdown,
	 .room = room_write_markdown, .result = 3},
	{"report", "all tables, as plain text", write_all_tables, .lecture = export_lecture_report,
	 .room = room_write_text, .result = 5},
	{"table", "the answer", write_answer, .lecture = export_lecture_table,
	 .room = room_write_text, .result = 1},
	{"cast", "a film for asciinema", .film = cast_write},
	{"svg-animation", "a film for a browser", .film = animation_write},
	{"svg", "the screen at the end, as a picture", .film = picture_write},
	{"slide", "the view at the end, as a slide (16:9)", .film = slide_write},
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct export_format *export_at(size_t i)
{
	return i < FORMATS ? &formats[i] : NULL;
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
