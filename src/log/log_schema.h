/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_LOG_SCHEMA_H
#define TUIBENCH_LOG_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"

/*
 * What the writer and the reader of the log share: the columns, the records, and for each record
 * which column holds which member of a sample. Both walk the same tables, so that a column cannot
 * be written and forgotten in reading.
 */

/* In the file's order: what every row has and what is frequent comes first. */
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
	/* core */
	LOG_USER,
	LOG_SYSTEM,
	LOG_IOWAIT,
	LOG_STEAL,
	LOG_MHZ,
	/* tick, end */
	LOG_RSS,
	LOG_PSS,
	LOG_USS,
	LOG_KERNEL,
	LOG_ESTIMATED,
	LOG_TASKS,
	LOG_SELF_CPU,
	LOG_LOST,
	LOG_PAUSED,
	/* worker */
	LOG_PARENT,
	LOG_DEPTH,
	LOG_WORK,
	LOG_PID,
	LOG_TID,
	LOG_CPU_FIRST,
	LOG_CPU_LAST,
	LOG_CREATE,
	LOG_CREATED,
	LOG_START,
	LOG_WORK_START,
	LOG_FINISH,
	LOG_JOIN,
	LOG_RESULT,
	LOG_ERROR,
	/* worker, end */
	LOG_STATUS,
	LOG_USER_US,
	LOG_SYSTEM_US,
	LOG_MINFLT,
	LOG_MAJFLT,
	LOG_NVCSW,
	LOG_NIVCSW,
	/* end */
	LOG_BEGIN_TIME,
	LOG_GO,
	LOG_ELAPSED,
	LOG_HELD,
	LOG_CREATE_SPAN,
	LOG_WORKERS,
	LOG_N_CREATED,
	LOG_N_FINISHED,
	LOG_N_JOINED,
	LOG_N_FAILED,
	LOG_PEAK_ALIVE,
	LOG_READ,
	LOG_WRITTEN,
	LOG_DISK_READ,
	LOG_DISK_WRITTEN,
	LOG_LINES,
	LOG_OTHERS,
	LOG_VALUE,
	/* message; from here on what came after 0.1.0 */
	LOG_KIND,
	LOG_COLUMNS
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
	LOG_RECORDS
};

/* An empty cell is -1 where the type has a sign, else 0; a status is SAMPLE_RUNNING. */
enum log_type {
	LOG_I16,
	LOG_I32,
	LOG_I64,
	LOG_U32,
	LOG_U64,
	LOG_BOOL,
	LOG_STATUS_NAME,
	LOG_DOUBLE, /* these two in struct log_key only */
	LOG_TEXT,
};

struct log_field {
	uint8_t column; /* enum log_column */
	uint8_t type;	/* enum log_type */
	uint16_t offset;
};

/* The members of a sample that a record's cells hold, by column, ended by .column == LOG_COLUMNS */
extern const struct log_field log_schema_run[];	   /* of struct sample_run */
extern const struct log_field log_schema_core[];   /* of struct sample_core */
extern const struct log_field log_schema_worker[]; /* of struct sample_worker */
extern const struct log_field log_schema_tick[];   /* of struct sample_tick */
extern const struct log_field log_schema_end[];	   /* of struct sample_totals */

/* A meta row's subject, and which member of struct sample_session its value is. */
struct log_key {
	const char *name;
	uint16_t type; /* enum log_type */
	uint16_t offset;
	uint16_t size; /* of a text */
};

extern const struct log_key log_schema_keys[]; /* ended by .name == NULL */

extern const char *const log_schema_columns[LOG_COLUMNS];
extern const char *const log_schema_records[LOG_RECORDS];
extern const char *const log_schema_severities[3];

/* What fits, without what may not go to a terminal or into a row. Returns the length. */
size_t log_schema_copy(char *to, size_t size, const char *from);

/*
 * A case's plan and settings as words: "process:20 thread:3 cpu:6 batch:2 gated all_alive
 * stack:16384 ballast:1073741824 by:fork+exec cpu_size:360360". Returns buf.
 */
char *log_schema_case(const struct sample_case *one, char *buf, size_t size);
/* And back; words it does not know are passed over. 0, -EINVAL: not a plan that can be run. */
int log_schema_case_parse(const char *text, struct sample_case *one);

/* The shortest decimals that give the number back, with a point in any locale. */
char *log_schema_double(double number, char *buf, size_t size);
int log_schema_double_parse(const char *text, double *number);

#endif
