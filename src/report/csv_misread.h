/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Whether a reader of CSV would take the text for something else: for a formula (spreadsheets: it
 * begins with =, +, - or @), for a missing value (the defaults of pandas, R and others: NA, nan,
 * null, None ...), for a number that is written in another way than its digits say (1.10 is 1.1 to
 * all of them, 0x10 is 16 to R), or begins with the apostrophe that marks such texts. Spaces around
 * it change nothing. A plain number is none of these, a negative one neither.
 */
bool csv_misread(const char *text);
/* A number to those who read it, plain ones too. */
bool csv_is_number(const char *text);
