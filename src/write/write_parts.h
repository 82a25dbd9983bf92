/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"
#include "write/export.h"
#include "view/race.h"
#include "view/view.h"

/*
 * A table of CSV (RFC 4180, lines end with \n): a row each observation, an empty cell is not known.
 *
 * The last columns of all tables are those by which they join: run, of tables of workers also
 * worker_id and parent_id, then session, host, and var_NAME for each variable that any case has. A
 * run has one number in the whole export, a session one name.
 */
struct csv_row {
	FILE *out;
	bool inside; /* the row has a cell already */
	const struct model *model;
	char sessions[2][SAMPLE_LABEL + 64]; /* by origin; one where there is none */
	struct csv_column *columns;	     /* columns of variables */
	size_t n_columns;
};

/*
 * A text that a reader would take for something else (a formula, a missing value, another number)
 * gets an apostrophe in front, and so does one that begins with an apostrophe.
 */
void csv_row_text(struct csv_row *row, const char *text);
/* The same for a name, which is never written as a number: a program may be called 1.1. */
void csv_row_name(struct csv_row *row, const char *name);
/* Whole; unknown below 0. */
void csv_row_number(struct csv_row *row, int64_t value);
/* The number of the last digits that are decimals; values below 0 are unknown. */
void csv_row_decimal(struct csv_row *row, int64_t value, int decimals);
/* A number, as that; NaN: not known. */
void csv_row_real(struct csv_row *row, double value, int decimals);
void csv_row_end(struct csv_row *row);

struct frame {
	int64_t at_ns;	    /* time in the screencast */
	int64_t session_ns; /* time in the session that the frame shows */
};

/*
 * The frames of a screencast: a recording on a screen that nobody sees, with a cursor of its own.
 * Where nothing runs for long, it goes on sooner.
 */
struct frames {
	struct model model; /* the caller owns the memory that the model points at */
	const struct screencast_wish *wish;
	double speed;
	int64_t step_ns; /* from frame to frame */
	struct frame *list;
	uint32_t n; /* the last one is the session's end */
	struct view view;
	bool races; /* a pair of runs can be played */
	struct race_clock race;
	const char *select;   /* a worker that is not known yet; NULL */
	struct canvas canvas; /* the frame drawn last */
};

/* Freed by frames_close() in every case. 0 or -ENOMEM. */
int frames_open(struct frames *frames, const struct model *model,
		const struct screencast_wish *wish);
void frames_close(struct frames *frames);
/* Draws one. 0 or -ENOMEM. */
int frames_draw(struct frames *frames, uint32_t frame);

/*
 * Functions that all JSON formats share. Functions of jansson named _new take the reference, even
 * when they fail. An object or a list that cannot take a value becomes NULL, and so does every
 * container to which NULL is added. So only the outermost value has to be checked.
 */

void json_put(json_t **object, const char *name, json_t *value);
void json_push(json_t **list, json_t *value);
/* null for NaN. */
json_t *json_finite(double value);
/* A text without control characters. */
json_t *json_printable(const char *text);
/* Members in their order, put into an object. */
struct json_member {
	const char *name;
	json_t *value;
};
json_t *json_add(json_t *object, const struct json_member *members, size_t n);
#define JSON_ADD(object, ...)                                                                      \
	json_add(object, (const struct json_member[]) {__VA_ARGS__},                               \
		 sizeof((const struct json_member[]) {__VA_ARGS__}) / sizeof(struct json_member))
#define JSON_OBJECT(...) JSON_ADD(json_object(), __VA_ARGS__)
/* Writes a value in one line, and takes it. 0 or -errno: without memory it is NULL. */
int json_write(FILE *out, json_t *json);
/* A value of the metric as JSON has it: times in ms but those of creations and operations. */
double json_scaled(enum model_metric metric, double value);

/* page.html, which ends in a NUL byte: see embed.py. */
extern const unsigned char page_html[];

/* The members of a session, NULL for none: its JSON, and with `page` what a page adds. */
int page_session(const struct model *model, bool page, FILE *out);
/* A lecture's page, and what is in it: a lecture scene by scene in a session's format. */
int page_lecture(const struct export_lecture *lecture, FILE *out);
int lecture_write(const struct export_lecture *lecture, export_write *write, FILE *out);

/*
 * The run that stands for its case: the measured one whose time is nearest to the median, the
 * newest if none was measured, NULL if none began.
 */
const struct model_run *export_typical_run(const struct model *model, uint32_t case_id);
/*
 * Pictures for paper, in black and greys: the medians of the answer's metrics with their intervals,
 * and a typical run of each case.
 */
export_write plot_medians, plot_timelines;

/* "threads, trial 3"; returns buf. */
char *export_run_name(const struct model *model, const struct model_run *run, char *buf,
		      size_t size);
/* Text in lines of at most 80 columns, broken at blanks, in plain ASCII. Returns how many. */
int write_text_wrapped(FILE *out, const char *text);
/* Text in which no character means anything to Markdown, within a line or at its begin. */
void write_escaped(FILE *out, const char *text);
void write_escaped_line(FILE *out, const char *text);
/* Text of an element or of an attribute in double quotes, of HTML or XML. */
void write_html(FILE *out, const char *text);
/* printf() of %s and %d alone, each text through escape(). */
void write_marked(FILE *out, void (*escape)(FILE *out, const char *text), const char *format, ...)
	__attribute__((format(printf, 3, 4)));
