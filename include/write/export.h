/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/draw.h"
#include "model/model.h"
#include "view/view.h"

/*
 * Every format of --export; tuibench-export(5) describes them. A new one needs its writer here,
 * and a row in export.c.
 *
 * trace, html, workers, samples, slices and tasks are the recording itself in the formats of other
 * tools, up to now, cut-off runs as well: texts are UTF-8 without control characters whatever it
 * holds.
 *
 * cast, svg-animation, svg and slide are a recording as it looked: the very views draw its frames.
 */

/* 0 or -errno. */
typedef int export_write(const struct model *model, FILE *out);

export_write export_trace, export_html, export_workers, export_samples, export_slices, export_tasks,
	export_trace_all, write_csv, write_json, write_hyperfine, write_markdown, write_all_tables,
	write_answer;
/* The table of write_answer() alone: up to ANSWER_ROWS rows, else nothing. */
export_write write_answer_table;

/* Options of a screencast. */
struct screencast_wish {
	int width, height; /* size of the screen, in cells */
	uint32_t fps;	   /* most frames a second */
	double speed; /* times of real time; 0: real time, or so fast that a minute is enough */
	int captions; /* enum view_captions */
	struct view_looks looks;
	const struct theme *theme;
	bool ascii;
};

typedef int export_screencast(const struct model *model, const struct screencast_wish *wish,
			      FILE *out);

export_screencast cast_write, animation_write, picture_write, slide_write;

/* A scene of a lecture: any text, "" where there is none. */
struct export_scene {
	const char *heading, *caption, *notes, *command;
	const struct model *model; /* model of the scene's session; NULL if it has none */
};

/* A lecture, scene by scene: its sessions together may need more memory than there is. */
struct export_lecture {
	const char *title;
	size_t n;
	/* Scene i, valid until the next call; 0 or -errno. */
	int (*scene)(void *arg, size_t i, struct export_scene *scene);
	void *arg;
};

/* In the format of export_html(), write_json() or another that has lectures. 0 or -errno. */
int export_lecture(const struct export_lecture *lecture, export_write *write, FILE *out);

struct machines;

/* All of several machines. 0 or -errno. */
typedef int export_machines_write(const struct machines *machines, FILE *out);

export_machines_write machines_write_text, machines_write_markdown, machines_write_csv,
	machines_write_json, machines_write_html;

/* With the bytes of the recording that the model is of. 0 or -errno. */
typedef int export_bundle(const struct model *model, const void *recording, size_t n, FILE *out);

struct export_format {
	const char *name, *about;
	export_write *write; /* NULL: it is a screencast or a bundle */
	export_bundle *bundle;
	export_screencast *screencast;
	const char *binary; /* the suffix of its file, which no terminal shows; NULL: it is text */
	bool lecture;	    /* a whole lecture in one, too */
	export_machines_write *machines; /* several machines; NULL: not in this format */
	uint32_t result;		 /* its place among those of --format, from 1; 0: none */
};

/* NULL where there is none: that number, in the order of --help; that name; that place. */
const struct export_format *export_at(size_t i);
const struct export_format *export_find(const char *name);
const struct export_format *export_of_result(uint32_t place);
