/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/theme.h"
#include "model/model.h"
#include "view/view.h"

/*
 * All formats of --export; tuibench-export(5) describes them. A new format needs its writer
 * declared here and a row in export.c.
 *
 * trace, html, workers, samples, slices and tasks convert the recording itself, up to the
 * cursor, including runs that were cut off. Their texts are valid UTF-8 without control characters,
 * even if the recording's are not.
 *
 * cast, svg-animation, svg and slide show the recording as the screen does: the same views draw
 * their frames.
 */

/* A writer of a format. Returns 0 or -errno. */
typedef int export_write(const struct model *model, FILE *out);

export_write export_trace, export_html, export_workers, export_samples, export_slices, export_tasks,
	export_trace_all, write_csv, write_json, write_hyperfine, write_markdown, write_all_tables,
	write_answer;
/*
 * Parts of a bundle. plot_medians: the medians of the answer's metrics with their intervals.
 * plot_timelines: a typical run of each case. Both are pictures for print, readable without colour.
 * write_methods: how the figures were obtained, in words that a report can quote.
 */
export_write plot_medians, plot_timelines, write_methods;
/* Writes only the table of write_answer(). Writes nothing if it has more than ANSWER_ROWS rows. */
export_write write_answer_table;

/* Options of a screencast. */
struct screencast_wish {
	int width, height; /* size of the screen, in cells */
	uint32_t fps;	   /* Upper limit of frames per second. */
	/*
	 * Playing speed relative to real time. 0: real time, or faster if the recording would take
	 * more than a minute.
	 */
	double speed;
	int captions; /* enum view_captions */
	struct view_looks looks;
	const struct theme *theme;
	bool ascii;
};

typedef int export_screencast(const struct model *model, const struct screencast_wish *wish,
			      FILE *out);

export_screencast cast_write, animation_write, picture_write, slide_write;

/*
 * A scene of a lecture. Any text may be "". The speaker's notes are left out, because the audience
 * may get the file.
 */
struct export_scene {
	const char *heading, *caption, *command;
	/* The model of the scene's session; NULL: the scene has no session. */
	const struct model *model;
	/* The list of a scene that sums the lecture up. n_items 0: the scene has no list. */
	const struct export_item {
		const char *text;
		const char *result; /* What its scene has measured; NULL: it has no scene. */
	} * items;
	size_t n_items;
};

/*
 * A lecture, read scene by scene, because the sessions of all scenes together may not fit into
 * memory.
 */
struct export_lecture {
	const char *title;
	size_t n;
	/*
	 * Fills in scene i. The texts and the model are valid until the next call. Returns 0 or
	 * -errno.
	 */
	int (*scene)(void *arg, size_t i, struct export_scene *scene);
	void *arg;
};

/*
 * Writes a lecture in the format of `write`, such as export_html() or write_json(); the writer must
 * support lectures. Returns 0 or -errno.
 */
int export_lecture(const struct export_lecture *lecture, export_write *write, FILE *out);

struct machines;

/* A writer of the pooled answer of several machines. Returns 0 or -errno. */
typedef int export_machines_write(const struct machines *machines, FILE *out);

export_machines_write machines_write_text, machines_write_markdown, machines_write_csv,
	machines_write_json, machines_write_html;

/* What a bundle contains. */
struct export_bundled {
	const struct model *model;
	const struct export_lecture *lecture; /* If not NULL: bundled in place of `model`. */
	/* The bytes of the recording from which the model or the lecture was made. */
	const void *recording;
	size_t n;
};

/* A writer of a bundle. Returns 0 or -errno. */
typedef int export_bundle(const struct export_bundled *bundled, FILE *out);

struct export_format {
	const char *name, *about;
	export_write *write; /* NULL: the format is a screencast or a bundle. */
	export_bundle *bundle;
	export_screencast *screencast;
	/*
	 * Suffix of the format's files, if the format is binary and must not be written to a
	 * terminal. NULL: the format is text.
	 */
	const char *binary;
	bool lecture;			 /* The format can hold a whole lecture. */
	export_machines_write *machines; /* Writer for several machines; NULL: not supported. */
	/* Position among the formats of --format, from 1; 0: only --export has the format. */
	uint32_t result;
};

/*
 * export_at(): the format with that number in the order of --help. The other two functions find a
 * format by its name, or by its position in --format. All return NULL if there is none.
 */
const struct export_format *export_at(size_t i);
const struct export_format *export_find(const char *name);
const struct export_format *export_of_result(uint32_t place);
