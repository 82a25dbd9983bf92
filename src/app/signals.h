/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * A signalfd that does not block for the n signals, but for those that whoever started us has us
 * ignore (nohup): blocked they would come all the same. SIGPIPE is blocked as well, so that it is
 * an error of write(). -errno.
 */
int signals_open(const int *numbers, size_t n);
/* The number of one of the n blocked signals that has come, which it takes; 0: none. */
int signals_take(const int *numbers, size_t n);
