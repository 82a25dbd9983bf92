/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/curve.h"

/*
 * The answer of a curve, in one or two plain sentences: who leads where, where they cross. Returns
 * buf.
 */
char *curve_answer(const struct curve *curve, char *buf, size_t size);
/* "4.7", as the variable's own values are written. Returns buf. */
char *curve_answer_number(char *buf, size_t size, const struct curve *curve, double number);
