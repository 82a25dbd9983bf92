/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_EXPORT_LATENCY_H
#define TUIBENCH_EXPORT_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model_latency.h"

/* What the tables of ways to create a task say, in all formats for readers. */

/* A figure of the paper beside ours, in µs: "34-94"; "" where it has none for the case. */
const char *export_quote(const struct sample_case *one, enum model_latency_span span);
/* Where that comes from, and what "first" is: a sentence each. */
extern const char *const export_quoted, *const export_first;
/* ns as µs of at least three digits, without the unit: "0.024", "9.71", "51.0", "13469"; "?" */
char *export_micros(char *buf, size_t size, int64_t ns);
/*
 * The frequency and what the clock itself takes, "?" where they are not known; "us" for µs where
 * ascii. Returns buf.
 */
char *export_conditions(char *buf, size_t size, const struct model *model, bool ascii);

#endif
