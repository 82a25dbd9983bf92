/* SPDX-License-Identifier: MIT */
#pragma once

#include "options.h"

/*
 * Takes --work apart, "./mine.so,1M", and asks the shared object what it is. 0, or an errno with
 * one line that says what would be right.
 */
int options_own(struct options *options, char *error, size_t size);
