/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model_latency.h"

/*
 * The parts that the screen and the page share in showing the time of creating a task. Nothing here
 * depends on the number of tasks: model_latency.h has worked that out when a run ended.
 */

#define LATENCY_ROWS 64

/*
 * The cases in the order shown: those of one primitive together, by their ballast. Returns how
 * many; what is beyond the rows is left out.
 */
uint32_t latency_rows(const struct model *model, uint32_t rows[LATENCY_ROWS]);
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
