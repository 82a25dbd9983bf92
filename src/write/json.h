/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "model/model.h"
#include "write/export.h"

/*
 * What all formats of JSON share. Functions of jansson named _new take the reference, even when
 * they fail. An object or a list that cannot take a value becomes NULL, and so does what NULL is
 * put into: only the whole has to be checked.
 */

void json_put(json_t **object, const char *name, json_t *value);
void json_push(json_t **list, json_t *value);
/* null for NaN. */
json_t *json_finite(double value);
/* A text without control characters. */
json_t *json_printable(const char *text);
/* A value of the metric as JSON has it: times in ms but those of creations and operations. */
double json_scaled(enum model_metric metric, double value);

/* page.html, with a NUL behind it: see embed.py. */
extern const unsigned char page_html[];

/* The members of a session, NULL for none: its JSON, and with `page` what a page adds. */
int page_session(const struct model *model, bool page, FILE *out);
/* A lecture with that of each scene. */
int page_lecture(const struct export_lecture *lecture, bool page, FILE *out);
