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
 * A table in CSV (RFC 4180, but lines end with \n): a row for each observation; an empty cell is
 * unknown.
 *
 * The last columns of every table are keys for joins: run; in tables of workers also worker_id
 * and parent_id; then session, host, and var_NAME for each variable that any case has. A run's
 * number is unique in the whole export, and so is a session's name.
 */
struct csv_row {
	FILE *out;
	bool inside; /* The row already has a cell. */
	const struct model *model;
	/* Names of the sessions, by origin. A single session is the first. */
	char sessions[2][SAMPLE_LABEL + 64];
	struct csv_column *columns; /* columns for the variables */
	size_t n_columns;
};

/*
 * Writes a text cell. Puts an apostrophe before texts that a reader would take for something else
 * (a formula, a missing value, a number), and before texts that begin with an apostrophe.
 */
void csv_row_text(struct csv_row *row, const char *text);
/* Writes a name. A name is never a number, even if a program is called 1.1. */
void csv_row_name(struct csv_row *row, const char *name);
/* Writes an integer. A negative value is unknown. */
void csv_row_number(struct csv_row *row, int64_t value);
/* Writes value / 10^decimals. A negative value is unknown. */
void csv_row_decimal(struct csv_row *row, int64_t value, int decimals);
/* Writes a number with that many decimals; NaN is unknown. */
void csv_row_real(struct csv_row *row, double value, int decimals);
void csv_row_end(struct csv_row *row);

struct frame {
	int64_t at_ns;	    /* when the frame is shown in the screencast */
	int64_t session_ns; /* time in the session that the frame shows */
};

/*
 * The frames of a screencast: a recording is played on an invisible screen with a cursor of its
 * own. Long times in which nothing runs are shortened.
 */
struct frames {
	struct model model; /* A copy. The caller owns the memory that it points to. */
	const struct screencast_wish *wish;
	double speed;
	int64_t step_ns; /* Time between two frames, ns. */
	struct frame *list;
	uint32_t n; /* Number of frames. The last one shows the session's end. */
	struct view view;
	bool races; /* There are trials whose race is played. */
	struct race_clock race;
	/* Name of a worker to select, while it is not known yet; otherwise NULL. */
	const char *select;
	struct canvas canvas; /* The last frame drawn. */
};

/* Lists the frames. Returns 0 or -ENOMEM. Call frames_close() in every case. */
int frames_open(struct frames *frames, const struct model *model,
		const struct screencast_wish *wish);
void frames_close(struct frames *frames);
/* Draws a frame. Returns 0 or -ENOMEM. */
int frames_draw(struct frames *frames, uint32_t frame);

/*
 * Functions that all JSON formats share. Like jansson's functions named _new, they take over the
 * reference to the value, even when they fail. If a value cannot be added to an object or a list,
 * the container becomes NULL, and so does every container to which NULL is added. So only the
 * outermost value has to be checked.
 */

void json_put(json_t **object, const char *name, json_t *value);
void json_push(json_t **list, json_t *value);
/* A number as JSON; null for NaN. */
json_t *json_finite(double value);
/* A text as JSON, without control characters. */
json_t *json_printable(const char *text);
/* Members to put into an object in this order. */
struct json_member {
	const char *name;
	json_t *value;
};
json_t *json_add(json_t *object, const struct json_member *members, size_t n);
#define JSON_ADD(object, ...)                                                                      \
	json_add(object, (const struct json_member[]) {__VA_ARGS__},                               \
		 sizeof((const struct json_member[]) {__VA_ARGS__}) / sizeof(struct json_member))
#define JSON_OBJECT(...) JSON_ADD(json_object(), __VA_ARGS__)
/* The members of a ratio with its interval. */
/* clang-format off */
#define JSON_RATIO(of)                                                                             \
	{"ratio", json_finite((of).estimate)}, {"low", json_finite((of).low)},                     \
	{"high", json_finite((of).high)}
/* clang-format on */
/*
 * Writes a value in one line and frees the value. Returns 0 or -errno. If the value is NULL,
 * because memory was short, returns -ENOMEM.
 */
int json_write(FILE *out, json_t *json);
/* A value of the metric in JSON's unit: times in ms, except times of creations and operations. */
double json_scaled(enum model_metric metric, double value);

/* page.html as a string, ending with a NUL byte: see embed.py. */
extern const unsigned char page_html[];

/*
 * Writes the members of a session (NULL: no members): its JSON and, with `page`, the values that
 * only the page needs.
 */
int page_session(const struct model *model, bool page, FILE *out);
/*
 * page_lecture() writes a lecture as a page. lecture_write() writes a lecture scene by scene, each
 * session in its own format. With `page`, write_json() also writes what only the page needs.
 */
int page_lecture(const struct export_lecture *lecture, FILE *out);
int lecture_write(const struct export_lecture *lecture, export_write *write, bool page, FILE *out);

/*
 * The run that represents its case: the measured run whose time is nearest to the median. If none
 * was measured, the newest; NULL if none has begun.
 */
const struct model_run *export_typical_run(const struct model *model, uint32_t case_id);
/* Writes a name such as "threads, trial 3". Returns buf. */
char *export_run_name(const struct model *model, const struct model_run *run, char *buf,
		      size_t size);
/*
 * Writes text in lines of at most 80 columns, broken at blanks, in plain ASCII. Returns the number
 * of lines.
 */
int write_text_wrapped(FILE *out, const char *text);
/*
 * Write text without the meaning that its characters have in Markdown: write_escaped() within a
 * line, write_escaped_line() as a line.
 */
void write_escaped(FILE *out, const char *text);
void write_escaped_line(FILE *out, const char *text);
/* Writes text for an element, or for an attribute in double quotes, of HTML or XML. */
void write_html(FILE *out, const char *text);
/* Like printf(), but only with %s and %d. escape() writes each text. */
void write_marked(FILE *out, void (*escape)(FILE *out, const char *text), const char *format, ...)
	__attribute__((format(printf, 3, 4)));
