/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "export/export.h"
#include "model/model.h"

/* page.html, with a NUL behind it: see embed.py. */
extern const unsigned char page_html[];

/* The members of a session, NULL for none: its JSON, and with `page` what page_json() writes. */
int page_session(const struct model *model, bool page, FILE *out);
/* A lecture with both of each scene. */
int page_lecture(const struct export_lecture *lecture, FILE *out);

/*
 * Writes what a page shows beside the JSON of its session, as compact JSON:
 *
 *     cases     name, model, hue, the run that is shown, its workers' names, parts of its time
 *     runs      all that have begun: times, memory, workers, lanes of workers and of cores
 *     loads, tables, curves, latency, messages
 *
 * Times are µs, of workers and lanes since the begin of their run, else since the session's; -1 is
 * not known. The size is bounded: a lane with too many stretches becomes shares of equal columns.
 * 0 or -ENOMEM.
 */
int page_json(const struct model *model, FILE *out);
