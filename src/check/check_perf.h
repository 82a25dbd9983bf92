/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * The task clock of perf_event_open(2), of this program and of what it starts from here on.
 * A descriptor, or -errno.
 */
int check_perf_open(void);
/* ns; -1: not known. */
int64_t check_perf_used(int fd);
void check_perf_close(int fd);
/* "perf_event_paranoid is 3": why it cannot be had. */
void check_perf_why(int err, char *buf, int size);
