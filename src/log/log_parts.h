/* SPDX-License-Identifier: MIT */
#pragma once

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample_session.h"
#include "log/log.h"

/*
 * The schema that the writer and the reader of the log share: columns, records, and which member
 * each column holds. Both use the tables of members, so no column can be written but not read.
 */

/* Columns that the code names. The other columns only hold a member of a sample. */
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
	/*
	 * Number of columns with a fixed index in first_columns[]. The others follow in the order
	 * of the tables of members.
	 */
	LOG_FIRST_COLUMNS,
	LOG_NONE = UINT8_MAX, /* No column. The number of a column fits in a byte. */
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
	LOG_REQUEST,
	LOG_WATCHED,
	LOG_MERGED,
	LOG_WAKES,
	LOG_RECORDS
};

/* The member of a sample that a cell holds. An empty cell means unknown: fields_unknown(). */
struct log_field {
	uint8_t column;
	uint8_t type; /* enum field_type */
	uint16_t offset, size;
};

struct log_schema {
	const char *columns[LOG_NONE]; /* In the file's order: frequent columns come first. */
	uint8_t n_columns;
	uint8_t command; /* Column of the command of a case's program. It is the last column. */
	uint8_t printed, printed_unit; /* Columns of the metric that a program printed. */
	/*
	 * For each record, its fields by column; LOG_NONE ends the list. All rows of a run have the
	 * fields of LOG_BEGIN.
	 */
	struct log_field fields[LOG_RECORDS][LOG_NONE + 1];
};

void log_schema_init(struct log_schema *schema);
/* The number of the column whose name has these n bytes, or LOG_NONE. */
uint8_t log_schema_column(const struct log_schema *schema, const char *name, size_t n);

extern const char *const log_schema_records[LOG_RECORDS];
extern const char *const log_schema_severities[3];

/* The subjects of a scene's rows. The first two are for the whole lecture. */
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
/* The kind of a row that continues the text of the row above. */
#define LOG_SCENE_MORE "more"

/* Copies as much as fits, with characters masked for terminals and rows. Returns the length. */
size_t log_schema_copy(char *to, size_t size, const char *from);

/*
 * Writes a case's plan and settings as words: "process:20 thread:3 cpu:6 batch:2 gated all_alive
 * stack:16384 ballast:1073741824 by:fork+exec cache:cold pin alloc:400 place:spread cpus:0,2
 * cpu_size:360360". Returns buf.
 */
char *log_schema_case(const struct sample_case *config, char *buf, size_t size);
/*
 * Reads the words of log_schema_case() into a case. Ignores unknown words. Returns 0, or -EINVAL if
 * the plan cannot be run.
 */
int log_schema_case_parse(const char *text, struct sample_case *config);

/* Writes the shortest decimal number that reads back as the same double. */
char *log_schema_double(double number, char *buf, size_t size);
int log_schema_double_parse(const char *text, double *number);

/* A row of a log: the cells from libcsv as numbers and texts, by column. */

/*
 * Number of a file's columns that are read. Further columns are ignored, like columns that this
 * version does not know.
 */
#define LOG_FILE_COLUMNS 256

/* State of a cell, as bits. An empty cell has none. */
enum log_cell {
	LOG_CELL_PRESENT = 1,
	LOG_CELL_BAD = 2,  /* The cell is not a number. */
	LOG_CELL_HUGE = 4, /* above INT64_MAX */
};

/* Largest number of lines before the header: a greeting that ssh or a script may print. */
#define LOG_GREETING 200

struct log_cells {
	const struct log_schema *schema;
	struct csv_parser csv;
	uint8_t map[LOG_FILE_COLUMNS]; /* By column of the file: our column, or LOG_NONE. */
	unsigned n_columns;	       /* Number of columns in the header; 0: no header yet. */
	unsigned fields, rows;	       /* fields: number of fields so far in the current line. */
	bool short_of_memory;	       /* A line was not parsed because libcsv got no memory. */

	uint8_t state[LOG_NONE]; /* Bits of enum log_cell. */
	int64_t number[LOG_NONE];
	char record[16], status[16], kind[16];
	char model[SAMPLE_LABEL], variables[VARIABLES_TEXT], subject[SAMPLE_LABEL];
	char value[SAMPLE_COMMAND], command[SAMPLE_COMMAND];
	char printed[32], printed_unit[SAMPLE_UNIT];
};

void log_cells_init(struct log_cells *cells, const struct log_schema *schema);
void log_cells_free(struct log_cells *cells);
/*
 * Parses the header row, including its line end. Returns 0, or -EPROTO if it is not the header of a
 * log.
 */
int log_cells_header(struct log_cells *cells, const char *line, size_t n);
/*
 * Parses one line, including its line end. Returns 1 for a row; 0 for a blank line; -1 if the line
 * is not a row, with the reason in *why.
 */
int log_cells_row(struct log_cells *cells, const char *line, size_t n, const char **why);

/* The cell's text, unchanged from the file, for comparisons; "" if the cell is empty. */
const char *log_cells_text(const struct log_cells *cells, unsigned column);
/* Copies the cell's text without control characters, for storing and display. */
void log_cells_copy(const struct log_cells *cells, unsigned column, char *to, size_t size);
bool log_cells_has(const struct log_cells *cells, unsigned column);
/*
 * Stores the cell in the member at base + offset. An empty cell is unknown. Returns false if the
 * value does not fit.
 */
bool log_cells_get(const struct log_cells *cells, const struct log_field *field, void *base);
/* Sets a column to a number that was read as text, as if the cell held it. */
void log_cells_put_number(struct log_cells *cells, unsigned column, const char *text, size_t n);

/*
 * Compression. A file's bytes are passed on piece by piece, to write(), which returns 0, or -errno
 * to stop.
 */

/* zlib's largest window, plus 16 for a gzip(1) header instead of zlib's own. */
#define LOG_GZIP_BITS (15 + 16)

typedef int log_write_bytes(void *arg, const void *bytes, size_t n);

/* How much of the compressed data log_pack() must pass on. */
enum log_pack_until {
	LOG_PACK_SOME,	/* as much as the compressor has ready */
	LOG_PACK_FLUSH, /* so much that all data so far can be unpacked */
	LOG_PACK_END,	/* everything, and the end of the frame */
};

struct log_packer;

/* Makes a packer. packing must not be LOG_PLAIN. Returns NULL if memory is short. */
struct log_packer *log_packer_new(enum log_packing packing);
void log_packer_free(struct log_packer *packer);
int log_pack(struct log_packer *packer, const void *bytes, size_t n, enum log_pack_until to,
	     log_write_bytes *write, void *arg);

/*
 * Appends a text of at most LOG_NOTE bytes to a zstd file, as a skippable frame (RFC 8878, 3.1.2).
 * Readers of zstd ignore such a frame.
 */
#define LOG_NOTE       32768
#define LOG_NOTE_HEAD  8 /* Bytes of the frame's magic number and its length. */
#define LOG_NOTE_CHECK 4 /* Bytes of the text's CRC-32, before the text. */
int log_pack_note(const char *text, size_t n, log_write_bytes *write, void *arg);
/* Finds the note in the last bytes of a file, and its length; NULL: none, or it is damaged. */
const char *log_unpack_note(const char *bytes, size_t n, size_t *length);

struct log_unpacker;

struct log_unpacker *log_unpacker_new(void);
void log_unpacker_free(struct log_unpacker *unpacker);
/*
 * Unpacks a file's next bytes, or passes them on if the file is not compressed. n is 0 at the end
 * of the file. log_unpacker_state() says whether and why no more data is passed on. Returns 0,
 * -ENOMEM, or the value that write() returned.
 */
int log_unpack(struct log_unpacker *unpacker, const void *bytes, size_t n, log_write_bytes *write,
	       void *arg);
const struct log_unpacked *log_unpacker_state(const struct log_unpacker *unpacker);
