/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_LIVE_FILE_H
#define TUIBENCH_LIVE_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes it that long, with content that neither compresses nor repeats. 0 or -errno (-ENOSPC);
 * a file that is long enough already is left alone.
 */
int live_file_fill(int fd, uint64_t bytes);

#endif
