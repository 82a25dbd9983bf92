/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

/*
 * Every format of --export, in the order of --help: its name, what writes it, its place among
 * those that --format takes as well or 0, and what --help says of it. New ones need a line here.
 *
 * trace, html, workers, samples and slices are the recording itself in the formats of other tools,
 * up to now, cut-off runs as well: texts are UTF-8 without control characters whatever it holds.
 *
 * trace is Chrome's trace events, as Perfetto and speedscope read them; warm-ups as well. It has at
 * most 20 MB, trace-all whatever it takes. html is one self-contained page, for the screen and as a
 * hand-out on A4: its script draws what its data says, and its policy forbids any other.
 *
 * workers, samples and slices are tidy CSV about the counted runs: a row per worker, per
 * observation that has a value, per stretch of a worker on a core. They and csv join by their last
 * columns, see csv_row.h.
 * Times are ns since the run's begin. The subjects of samples are "run" (rss_kb, pss_kb, uss_kb,
 * kernel_kb, tasks as the kernel counts them; estimated is 1 where PSS and USS were extrapolated;
 * kernel_tables_kb, kernel_stacks_kb, kernel_other_kb; kernel_estimated is 1 where the last is),
 * "core0" … (shares of that core of the run's machine, 100 is all of it, since the tick before) and
 * "tuibench" (self_cpu_ms, what the front end used since the run's begin).
 */
#define EXPORT_LIST(X)                                                                             \
	X("trace", export_trace, 0, "Perfetto, speedscope")                                        \
	X("html", export_html, 0, "a page")                                                        \
	X("workers", export_workers, 0, "a row for each worker")                                   \
	X("samples", export_samples, 0, "a row for each observation")                              \
	X("slices", export_slices, 0, "a row for each time on a core")                             \
	X("trace-all", export_trace_all, 0, "the same of all runs")                                \
	X("csv", write_csv, 4, "tidy tables")                                                      \
	X("json", write_json, 2, "all figures")                                                    \
	X("markdown", write_markdown, 3, "all tables")                                             \
	X("report", write_all_tables, 5, "all tables")                                             \
	X("table", write_answer, 1, "the answer")

#define EXPORT_WRITER(name, write, result, about) int write(const struct model *model, FILE *out);
EXPORT_LIST(EXPORT_WRITER)
#undef EXPORT_WRITER
/* The table of write_answer() alone: up to ANSWER_ROWS rows, else nothing. */
int write_answer_table(const struct model *model, FILE *out);

struct export_format {
	const char *name, *about;
	int (*write)(const struct model *model, FILE *out); /* 0 or -errno */
	uint32_t result; /* its place among those of --format, from 1; 0: none */
};

/* A scene of a lecture: any text, "" where there is none. */
struct export_scene {
	const char *heading, *caption, *notes, *command;
	const struct model *model; /* of its session; NULL: it has none */
};

/* A lecture, scene by scene: its sessions together may need more memory than there is. */
struct export_lecture {
	const char *title;
	size_t n;
	/* Scene i, valid until the next call; 0 or -errno. */
	int (*scene)(void *arg, size_t i, struct export_scene *scene);
	void *arg;
};

typedef int export_lecture_write(const struct export_lecture *lecture, FILE *out);

/* The formats that hold several sessions: a whole lecture in one; NULL: the format is of one. */
export_lecture_write *export_lecture_of(const struct export_format *format);
export_lecture_write export_lecture_html, export_lecture_json, export_lecture_markdown,
	export_lecture_report, export_lecture_table;

/* NULL where there is none: that number, that name, that place among those of --format. */
const struct export_format *export_at(size_t i);
const struct export_format *export_find(const char *name);
const struct export_format *export_of_result(uint32_t place);
