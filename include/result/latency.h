/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "model/model_latency.h"

/*
 * The time to create a task, as the screen and the page show it. The model summarizes the tasks at
 * a run's end, so these functions take the same time for any number of tasks.
 */

#define LATENCY_ROWS 128

/* A row of the list: a case, and a place in which tasks of the case began. */
struct latency_row {
	uint32_t case_id;
	enum model_latency_place place;
};

/*
 * Fills rows in the order in which they are shown: rows of one primitive together, sorted by
 * ballast, placement and place. Lists only cases with this placement (PLAN_PLACEMENTS: all cases)
 * and cases without a placement. Returns the number of rows. Rows beyond LATENCY_ROWS are left out.
 */
uint32_t latency_rows(const struct model *model, enum plan_placement placement,
		      struct latency_row rows[LATENCY_ROWS]);
/* Lists the places of a case that have a row. Returns the number of places. */
uint32_t latency_places(const struct sample_case *config, enum model_latency_place places[2]);
/* The figures of a row; NULL if it has no figures yet. */
const struct model_latency_at *latency_at(const struct model *model, const struct latency_row *row);
/*
 * Describes the place of a row: "one core"; "same core, 12 %"; "other core, 88 %"; "other core, 1
 * ms idle, 98 %"; "not recorded"; "" for operations. The percentage is the share of tasks that
 * began in this place. brief: in fewer words. Returns buf.
 */
char *latency_where(const struct model *model, const struct latency_row *row, bool brief, char *buf,
		    size_t size);
/*
 * The name of the case's model. If operations are timed, the values of the case's variables follow:
 * "threads pipe same".
 */
char *latency_name(const struct model *model, uint32_t case_id, char *buf, size_t size);
/*
 * The word for the operation that workers repeat: "round trip", "task", "request" or "operation".
 */
const char *latency_operation(const struct model *model);
/*
 * The title of a span, such as "until it returns". In sessions with operations, the operation's
 * title.
 */
const char *latency_title(const struct model *model, enum model_latency_span span);
/*
 * Whether the row begins a group: its primitive differs from the previous row's or, for operations,
 * its variables do.
 */
bool latency_begins(const struct model *model, const struct latency_row *rows, uint32_t row);
/*
 * Widens the range so that it includes the lowest and highest frequency of busy cores during a run,
 * MHz. A range of {0, 0} is unknown. The first tick after the run's end is included, because a run
 * may be shorter than a tick.
 */
void latency_clocks(const struct model *model, const struct model_run *run, int16_t range[2]);
/* The ballast, such as "1G touched", if the session varies it; otherwise "". Returns buf. */
char *latency_ballast(const struct model *model, uint32_t case_id, char *buf, size_t size);
/*
 * The range of the axis in ns: whole powers of ten that include all values of counted trials. It is
 * at least 10 ns to 10 ms for creations, and 10 us to 10 ms for operations.
 */
void latency_range(const struct model *model, double *low, double *high);
/* Widens a range from latency_range(), if necessary, so that it includes the values of `at`. */
void latency_widen(const struct model_latency_at *at, double *low, double *high);
/*
 * Number of values between two times in ns. This is an estimate, which assumes that the values of a
 * bucket are spread evenly over it on the logarithmic axis.
 */
double latency_between(const struct model_latency_figures *figures, double from, double to);
/*
 * A time with more digits than units_format_time() gives: "23 ns", "4.13 µs", "580 µs", "13.5 ms".
 * "?" for negative values.
 */
char *latency_format(char *buf, size_t size, int64_t ns);
#define LATENCY_TEXT(ns) latency_format((char[32]) {0}, 32, ns)
/*
 * The conditions that affect every figure, in one line for each recording: "CPU 2600 MHz (cpuinfo)
 * · the clock itself 28 ns". brief: in fewer words, "2600 MHz · clock 28 ns". Returns buf.
 */
char *latency_conditions(const struct model *model, bool brief, char *buf, size_t size);
/*
 * The time that reading the clock takes under a case's conditions, ns; -1 if unknown. Every figure
 * includes this time.
 */
int64_t latency_clock(const struct model *model, uint32_t case_id);
/*
 * A published figure for comparison, in µs: "34-94"; "" if nothing is published for the case.
 * Source: M. Sysel, A Comparison of Processes and Threads Creation, 2020.
 */
const char *latency_quote(const struct sample_case *config, enum model_latency_span span);
