/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/curve.h"

/* Which line leads where, and where they cross, in one or two plain sentences. Returns buf. */
char *curve_answer(const struct curve *curve, char *buf, size_t size);
/* "4.7", as the variable's own values are written. Returns buf. */
char *curve_answer_number(char *buf, size_t size, const struct curve *curve, double number);
