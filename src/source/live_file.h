/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_LIVE_FILE_H
#define TUIBENCH_LIVE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The folder for temporary files: TMPDIR, or /tmp. */
const char *live_file_dir(void);
/*
 * A file without a name in dir, which nobody has to remove: close-on-exec, opened for reading and
 * writing. The descriptor or -errno.
 */
int live_file_create(const char *dir);
/*
 * Makes it that long, with content that neither compresses nor repeats. 0 or -errno (-ENOSPC);
 * a file that is long enough already is left alone.
 */
int live_file_fill(int fd, uint64_t bytes);

#endif
