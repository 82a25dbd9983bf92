/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_EXPORT_H
#define TUIBENCH_EXPORT_H

#include <stdio.h>

#include "model.h"

/*
 * The result of a session in the formats of --format and --export. Each writes to out and returns
 * 0 or -errno; numbers that are not known are null or empty, never 0.
 */
int export_json(const struct model *model, FILE *out);
int export_table(const struct model *model, FILE *out);
int export_markdown(const struct model *model, FILE *out);
int export_csv(const struct model *model, FILE *out); /* one row per run */

#endif
