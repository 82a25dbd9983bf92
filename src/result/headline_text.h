/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error_line.h"
#include "model/model.h"
#include "result/answer.h"

/*
 * An answer is made from templates: whole sentences, parts that fill a slot of a sentence, and
 * single words. A slot in braces is filled with a figure, a name or another part. Translations have
 * the same slots in the order of their language. Templates are not printf() formats, so a wrong
 * translation can do no harm.
 */

struct slot {
	const char *name, *text;
};

/* The translation; the template itself if the translation has other slots. */
const char *headline_text(const char *template);
void headline_fill(struct sentence *s, const char *template, const struct slot *slots, size_t n);
#define FILL(s, template, ...)                                                                     \
	headline_fill(s, template, (const struct slot[]) {__VA_ARGS__},                            \
		      sizeof((const struct slot[]) {__VA_ARGS__}) / sizeof(struct slot))
#define HEADLINE_ADD(s, template) headline_fill(s, template, NULL, 0)

/* Returns the list, after adding a comma unless the list is empty. */
struct sentence *headline_list(struct sentence *list);

const char *headline_number(uint32_t n, char buf[16]);
#define NUMBER(n) headline_number(n, (char[16]) {0})

/*
 * The name of a case, such as "threads". If a model is compared with itself, only the values, such
 * as "tree=50x99".
 */
const char *headline_name(const struct model *model, uint32_t case_id, char buf[SAMPLE_NAME]);
#define NAME_OF(model, case_id) headline_name(model, case_id, (char[SAMPLE_NAME]) {0})

#define MEDIAN_TEXT(answer, row) answer_median(answer, row, 0, (char[48]) {0})

/*
 * The words after a median: its meaning, such as " per operation", or the unit of printed numbers.
 */
const char *headline_suffix(const struct model *model, enum model_metric metric,
			    char buf[SAMPLE_UNIT + 1]);
#define SUFFIX_OF(model, metric) headline_suffix(model, metric, (char[SAMPLE_UNIT + 1]) {0})

/* Says why no trial has a value yet. */
void headline_no_trial(struct sentence *s, const struct model *model);
/* Whether a smaller value of the metric is faster. */
bool headline_is_time(enum model_metric metric);
