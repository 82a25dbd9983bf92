/* SPDX-License-Identifier: MIT */
#pragma once

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample_session.h"
#include "log/log.h"

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
	LOG_THINNED,
	LOG_RECORDS
};

/* The member of a sample that a cell holds; an empty one is unknown: fields_unknown(). */
struct log_field {
	uint8_t column;
	uint8_t type; /* enum field_type */
	uint16_t offset, size;
};

struct log_schema {
	const char *columns[LOG_NONE]; /* in the file's order: what is frequent comes first */
	uint8_t n_columns;
	uint8_t command;	       /* the column of a case's program, the last one */
	uint8_t printed, printed_unit; /* column of the metric that a program printed */
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
 * Makes a case of such words, passing over unknown ones. 0, -EINVAL: not a plan that can be run.
 */
int log_schema_case_parse(const char *text, struct sample_case *one);

/* The shortest decimals that give the number back. */
char *log_schema_double(double number, char *buf, size_t size);
int log_schema_double_parse(const char *text, double *number);

/* One row of a log: libcsv's cells as numbers and texts by column. */

#define LOG_FILE_COLUMNS 256 /* a file may have more than ours; those beyond are passed over */

/* The states of a cell; an empty cell has none. */
enum log_cell {
	LOG_CELL_PRESENT = 1,
	LOG_CELL_BAD = 2,  /* no number */
	LOG_CELL_HUGE = 4, /* above INT64_MAX */
};

/* A greeting before the header, by ssh or a script, has no more lines. */
#define LOG_GREETING 200

struct log_cells {
	const struct log_schema *schema;
	struct csv_parser csv;
	uint8_t map[LOG_FILE_COLUMNS]; /* the file's columns to ours, or LOG_NONE */
	unsigned n_columns;	       /* in the header; 0: none yet */
	unsigned fields, rows;	       /* fields of the line that is being parsed */

	uint8_t state[LOG_NONE]; /* enum log_cell, or'ed */
	int64_t number[LOG_NONE];
	char record[16], status[16], kind[16];
	char model[SAMPLE_LABEL], variables[VARIABLES_TEXT], subject[SAMPLE_LABEL];
	char value[SAMPLE_COMMAND], command[SAMPLE_COMMAND];
	char printed[32], printed_unit[SAMPLE_UNIT];
};

void log_cells_init(struct log_cells *cells, const struct log_schema *schema);
void log_cells_free(struct log_cells *cells);
/* Takes the header row, its line's end included. 0 or -EPROTO: not that of a log. */
int log_cells_header(struct log_cells *cells, const char *line, size_t n);
/* Takes one line, its end included. 1: a row; 0: a blank line; -1 with why it is none. */
int log_cells_row(struct log_cells *cells, const char *line, size_t n, const char **why);

/* The cell's text as in the file, to compare with; "" where it is empty. */
const char *log_cells_text(const struct log_cells *cells, unsigned column);
/* Copies the cell's text without control characters, to keep and show. */
void log_cells_copy(const struct log_cells *cells, unsigned column, char *to, size_t size);
bool log_cells_has(const struct log_cells *cells, unsigned column);
/* Into the member at base + offset; an empty cell is not known. False: it does not fit. */
bool log_cells_get(const struct log_cells *cells, const struct log_field *field, void *base);
/* Puts a value that was read as text in the column's place, as if the cell held it. */
void log_cells_put_number(struct log_cells *cells, unsigned column, const char *text, size_t n);

/* Compression: the bytes of a file are handed on in pieces; take() returns 0 or -errno to stop. */

/* zlib's widest window, and 16 for the header of gzip(1) in place of its own. */
#define LOG_GZIP_BITS (15 + 16)

typedef int log_take_bytes(void *arg, const void *bytes, size_t n);

/* How far what was taken is handed out. */
enum log_pack_until {
	LOG_PACK_SOME,	/* as the compressor likes */
	LOG_PACK_FLUSH, /* all of it can be unpacked */
	LOG_PACK_END,	/* the frame ends as well */
};

struct log_packer;

/* Not of LOG_PLAIN. NULL: out of memory. */
struct log_packer *log_packer_new(enum log_packing packing);
void log_packer_free(struct log_packer *packer);
int log_pack(struct log_packer *packer, const void *bytes, size_t n, enum log_pack_until to,
	     log_take_bytes *take, void *arg);

/*
 * Text at the end of a zstd file, of at most LOG_NOTE bytes, which every reader of zstd passes over
 * (a skippable frame, RFC 8878, 3.1.2).
 */
#define LOG_NOTE      32768
#define LOG_NOTE_HEAD 8 /* bytes of its magic number and its length */
int log_pack_note(const char *text, size_t n, log_take_bytes *take, void *arg);
/* The note in the last bytes of a file, and its length; NULL: there is none. */
const char *log_unpack_note(const char *bytes, size_t n, size_t *length);

struct log_unpacker;

struct log_unpacker *log_unpacker_new(void);
void log_unpacker_free(struct log_unpacker *unpacker);
/*
 * Unpacks a file's next bytes, or hands on those of one that is not compressed; n is 0 at its end.
 * Its state says whether, and why, nothing more is handed on. 0, -ENOMEM, or what take() returned.
 */
int log_unpack(struct log_unpacker *unpacker, const void *bytes, size_t n, log_take_bytes *take,
	       void *arg);
const struct log_unpacked *log_unpacker_state(const struct log_unpacker *unpacker);
