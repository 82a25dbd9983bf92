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

/* The members of a bundle. Owns the bytes of all members but the first, which is the recording. */
struct pack {
	struct bundle_member members[BUNDLE_MEMBERS];
	char names[BUNDLE_MEMBERS][48];
	size_t n;
};

/* Adds a member that is written from a model or, if `lecture` is not NULL, from a lecture. */
static int pack_add(struct pack *pack, const char *name, export_write *write,
		    const struct model *model, const struct export_lecture *lecture)
{
	struct bundle_member *member = &pack->members[pack->n];
	char *bytes = NULL;
	FILE *memory;
	int err;

	/* SHA256SUMS is a member, too. */
	if (pack->n + 1 == BUNDLE_MEMBERS)
		return -E2BIG;
	memory = open_memstream(&bytes, &member->n);
	if (!memory)
		return -errno;
	if (lecture)
		err = export_lecture(lecture, write, memory);
	else
		err = write(model, memory);
	if (fclose(memory) && !err)
		err = -ENOMEM;
	snprintf(pack->names[pack->n], sizeof(pack->names[0]), "%s", name);
	member->name = pack->names[pack->n++];
	member->bytes = bytes;
	return err;
}

/*
 * Adds the plots of a session. number: the number of its scene, from 1. 0: there is only one
 * session.
 */
static int pack_plots(struct pack *pack, const struct model *model, size_t number)
{
	static const struct {
		const char *name;
		export_write *write;
	} plots[] = {{"medians", plot_medians}, {"timelines", plot_timelines}};
	char name[48];
	int err = 0;

	for (size_t i = 0; i < LENGTH(plots); i++) {
		snprintf(name, sizeof(name), "%s.svg", plots[i].name);
		if (number > 0)
			snprintf(name, sizeof(name), "%s-%zu.svg", plots[i].name, number);
		if (!err)
			err = pack_add(pack, name, plots[i].write, model, NULL);
	}
	return err;
}

/* Adds the plots of all scenes that have a session. */
static int pack_scenes(struct pack *pack, const struct export_lecture *lecture)
{
	struct export_scene scene;
	int err = 0;

	for (size_t i = 0; i < lecture->n; i++) {
		if (!err)
			err = lecture->scene(lecture->arg, i, &scene);
		if (!err && scene.model)
			err = pack_plots(pack, scene.model, i + 1);
	}
	return err;
}

/* Says what each file of the bundle is. */
static const char contents[] =
	"session.csv has all measurements; tuibench-log(5) describes its columns. In\n"
	"rows of the kind \"end\", repeated=1 marks the last run of a trial that does not\n"
	"count, so leave out all runs of that trial. tuibench -r plays this archive.\n"
	"session.json has the results; tuibench-export(5) describes them.\n"
	"page.html is a page for a browser, and methods.txt a text for a report.\n"
	"medians.svg and timelines.svg are plots. If there are several sessions, their\n"
	"number is in the name. The page and methods.txt have the same order.\n"
	"SHA256SUMS shows whether a file was changed.\n";

static int write_contents(const struct model *model, FILE *out)
{
	fputs(contents, out);
	return 0;
}

static int write_bundle(const struct export_bundled *bundled, FILE *out)
{
	static const struct {
		const char *name;
		export_write *write;
	} texts[] = {{"page.html", export_html},
		     {"session.json", write_json},
		     {"methods.txt", write_methods}};
	struct pack *pack = calloc(1, sizeof(*pack));
	int err = 0;

	if (!pack)
		return -ENOMEM;
	pack->members[pack->n++] =
		(struct bundle_member) {BUNDLE_SESSION, bundled->recording, bundled->n};
	for (size_t i = 0; i < LENGTH(texts); i++)
		if (!err)
			err = pack_add(pack, texts[i].name, texts[i].write, bundled->model,
				       bundled->lecture);
	if (!err)
		err = pack_add(pack, "README.txt", write_contents, bundled->model, NULL);
	if (!err && bundled->lecture)
		err = pack_scenes(pack, bundled->lecture);
	else if (!err)
		err = pack_plots(pack, bundled->model, 0);
	if (!err)
		err = bundle_write(pack->members, pack->n, out);
	if (!err)
		err = report_finish(out);
	for (size_t i = 1; i < pack->n; i++)
		free((void *)pack->members[i].bytes);
	free(pack);
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
	 .binary = "tar", .lecture = true},
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
