/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "core/own_about.h"

/*
 * Asks a shared object of --own what it is, in a runner of its own: whatever its code does happens
 * there. 0; -EINVAL, or what keeps the runner from being started, with one line in error that says
 * what is wrong and what would be right.
 */
int source_own_ask(const char *path, struct own_about *about, char *error, size_t size);
