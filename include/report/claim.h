/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/finding.h"

/* The parts of what is said of a comparison that sentences, tables and the screen share. */

#define CLAIM_TEXT 96

/* "0.986", "1.0003", "0.00012": with as many digits as tell it from 1 and from 0; "?" for NaN. */
char *claim_ratio(char *buf, size_t size, double ratio);
/* The same as an argument. */
#define CLAIM_RATIO(ratio) claim_ratio((char[32]) {0}, 32, ratio)
/* "7.1", "1.9", "1.14", "1.003": with as many digits as tell it from 1, and "?" for NaN. */
char *claim_times(char *buf, size_t size, double times);
#define CLAIM_TIMES(times) claim_times((char[32]) {0}, 32, times)
/* "2.1 to 4.0", "1.10 to 1.52", or one figure where both are about the same. */
char *claim_times_range(char *buf, size_t size, double low, double high);
#define CLAIM_TIMES_RANGE(low, high) claim_times_range((char[64]) {0}, 64, low, high)
/* "1.88 to 1.93": the same of an interval, with as many digits as tell its ends apart. */
char *claim_times_interval(char *buf, size_t size, double low, double high);
#define CLAIM_TIMES_INTERVAL(low, high) claim_times_interval((char[64]) {0}, 64, low, high)
/* "95 %", "96.25 %": the probability with which an interval holds, never more than that. */
char *claim_level(char *buf, size_t size, double level);
#define CLAIM_LEVEL(level) claim_level((char[32]) {0}, 32, level)
/* "12.4", "3.1", "0.040": a share in %, with as many digits as tell it from 0. */
char *claim_percent(char *buf, size_t size, double share);
#define CLAIM_PERCENT(share) claim_percent((char[32]) {0}, 32, share)
/* "3.1 %" longer, "2.4x" as long: what a ratio above is excluded of, rounded up. */
char *claim_excluded(char *buf, size_t size, double ratio);
#define CLAIM_EXCLUDED(ratio) claim_excluded((char[32]) {0}, 32, ratio)
/*
 * The verdict on a comparison that names no winner: "no difference above 3.1 %", "measuring, 8 of
 * 15", "too few trials", "not measured together". Returns buf.
 */
char *claim_none(const struct model *model, const struct model_comparison *comparison, char *buf,
		 size_t size);
