/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"

/*
 * The schema that writer and reader of the log share: columns, records, and which column holds
 * which member. Both follow the tables of members, so no column can be written and forgotten in
 * reading.
 */

/* Those that are not only a member of a sample. */
enum log_column {
	LOG_RECORD,
	LOG_TIME,
	LOG_RUN,
	LOG_TRIAL,
	LOG_PLANNED,
	LOG_CASE,
	LOG_MODEL,
	LOG_VARIABLES,
	LOG_ID,
	LOG_SUBJECT,
	LOG_PARENT = 24,
	LOG_DEPTH,
	LOG_WORK,
	LOG_STATUS = 39,
	LOG_VALUE = 63,
	LOG_KIND,
	LOG_FIRST_COLUMNS,    /* later ones follow in the order of the tables of members */
	LOG_NONE = UINT8_MAX, /* a column's number is kept in a byte */
};

enum log_record {
	LOG_META,
	LOG_CASE_ROW,
	LOG_BEGIN,
	LOG_CORE,
	LOG_WORKER,
	LOG_TICK,
	LOG_END,
	LOG_MESSAGE,
	LOG_DONE,
	LOG_SLICE,
	LOG_SCENE_ROW,
	LOG_BUCKET,
	LOG_TASK,
	LOG_RECORDS
};

/* The member of a sample that a cell holds; an empty one is unknown: fields_unknown(). */
struct log_field {
	uint8_t column;
	uint8_t type; /* enum field_type */
	uint16_t offset;
};

struct log_schema {
	const char *columns[LOG_NONE]; /* in the file's order: what is frequent comes first */
	uint8_t n_columns;
	uint8_t command; /* the column of a case's program, the last one */
	/* The fields by column, ended by LOG_NONE; LOG_BEGIN's are in all rows of a run. */
	struct log_field fields[LOG_RECORDS][LOG_NONE + 1];
};

void log_schema_init(struct log_schema *schema);
/* The number of the column with that name of n bytes, or LOG_NONE. */
uint8_t log_schema_column(const struct log_schema *schema, const char *name, size_t n);

extern const char *const log_schema_records[LOG_RECORDS];
extern const char *const log_schema_severities[3];

/* The subjects of the rows of a scene: the first two are of the lecture. */
enum log_scene_part {
	LOG_LECTURE_TITLE,
	LOG_LECTURE_SCENES,
	LOG_SCENE_HEADING,
	LOG_SCENE_CAPTION,
	LOG_SCENE_NOTES,
	LOG_SCENE_COMMAND,
	LOG_SCENE_PARTS
};
extern const char *const log_schema_scene_parts[LOG_SCENE_PARTS];
/* The kind of a row that continues the line of the row above. */
#define LOG_SCENE_MORE "more"

/* Copies what fits, masked for terminals and rows. Returns the length. */
size_t log_schema_copy(char *to, size_t size, const char *from);

/*
 * A case's plan and settings as words: "process:20 thread:3 cpu:6 batch:2 gated all_alive
 * stack:16384 ballast:1073741824 by:fork+exec cache:cold pin
 * alloc:400 place:spread cpus:0,2 cpu_size:360360". Returns buf.
 */
char *log_schema_case(const struct sample_case *one, char *buf, size_t size);
/*
 * Reads a case from such words, passing over unknown ones. 0, -EINVAL: not a plan that can be run.
 */
int log_schema_case_parse(const char *text, struct sample_case *one);

/* The shortest decimals that give the number back, with a point in any locale. */
char *log_schema_double(double number, char *buf, size_t size);
int log_schema_double_parse(const char *text, double *number);
