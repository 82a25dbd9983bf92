/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/*
 * The parts that the screen and the page share in showing the time of creating a task. Nothing here
 * depends on the number of tasks: model.h has worked that out when a run ended.
 */

#define LATENCY_ROWS 128

/* A case, and where its tasks began. */
struct latency_row {
	uint32_t case_id;
	enum model_latency_place place;
};

/*
 * Fills in the rows in the order shown: the rows of one primitive together, by ballast, placement
 * and place. placement PLAN_PLACEMENTS: rows of all placements. Returns the number of rows; more
 * than LATENCY_ROWS are left out.
 */
uint32_t latency_rows(const struct model *model, enum plan_placement placement,
		      struct latency_row rows[LATENCY_ROWS]);
/* The places of a case that have a row; returns how many. */
uint32_t latency_places(const struct sample_case *one, enum model_latency_place places[2]);
/* The figures of a row; NULL: none yet. */
const struct model_latency_at *latency_at(const struct model *model, const struct latency_row *row);
/*
 * "one core"; "same core, 12 %", "other core, 88 %", "other core, 1 ms idle, 98 %" of what
 * began there; "not recorded". brief is at most 14 columns wide. Returns buf.
 */
char *latency_where(const struct model *model, const struct latency_row *row, bool brief, char *buf,
		    size_t size);
/* The model; where operations are timed with the values of its variables: "threads pipe same". */
char *latency_name(const struct model *model, uint32_t case_id, char *buf, size_t size);
/* The word for what workers do again and again: "round trip", "operation". */
const char *latency_operation(const struct model *model);
/* The name of a span, "until it returns", or of the operation. */
const char *latency_title(const struct model *model, enum model_latency_span span);
/* Whether the row is of another primitive, or of other variables, than the one before. */
bool latency_begins(const struct model *model, const struct latency_row *rows, uint32_t row);
/*
 * The least and the greatest frequency of the cores at work during a run, MHz, until the tick after
 * its end: a run may be shorter than a tick. Widens range; {0, 0} is not known.
 */
void latency_clocks(const struct model *model, const struct model_run *run, int16_t range[2]);
/* "1G touched" where the session varies that; "". Returns buf. */
char *latency_ballast(const struct model *model, uint32_t case_id, char *buf, size_t size);
/* The range in ns: whole powers of ten that hold all, from 10 ns or less to 10 ms or more. */
void latency_range(const struct model *model, double *low, double *high);
/* The values from one time to another, both in ns, as if a bucket were evenly filled. */
double latency_between(const struct model_latency_figures *figures, double from, double to);
/* "23 ns", "4.13 µs", "580 µs", "13.5 ms": finer than units_format_time(); "?" below 0. */
char *latency_format(char *buf, size_t size, int64_t ns);
#define LATENCY_TEXT(ns) latency_format((char[32]) {0}, 32, ns)
/*
 * "CPU 2600 MHz (cpuinfo) · the clock itself 28 ns", of each recording: what every figure depends
 * on, in a line; brief is "2600 MHz · clock 28 ns". Returns buf.
 */
char *latency_conditions(const struct model *model, bool brief, char *buf, size_t size);
/* The cost of reading the clock under a case's conditions, ns, a part of every figure; -1. */
int64_t latency_clock(const struct model *model, uint32_t case_id);
/* A figure of a paper beside ours, in µs: "34-94"; "" where it has none for the case. */
const char *latency_quote(const struct sample_case *one, enum model_latency_span span);
