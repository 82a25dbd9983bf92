/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Makes it that long, with content that neither compresses nor repeats. 0 or -errno (-ENOSPC);
 * a file that is long enough already is left alone.
 */
int live_file_fill(int fd, uint64_t bytes);
