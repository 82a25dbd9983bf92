/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "log/log.h"

/*
 * The recording of a lecture: scenes in the order they were shown, each followed by the rows of its
 * session or by none. A session is read as a file of its own: the header, then its part.
 */

/* The bytes of a session's rows in the file, from begin up to end; none: there is no session. */
struct log_part {
	off_t header; /* bytes of the file's first line */
	off_t begin, end;
	uint64_t lines; /* lines before them, without the header */
};

struct log_scenes {
	char *title;
	uint32_t planned; /* scenes of the lecture; 0: not known */
	size_t n;	  /* those that were shown */
	struct log_scene *scenes;
	struct log_part *parts; /* as many */
};

#define LOG_SCENES_MOST 1000

/*
 * Reads where the scenes are from a file that can be read at any place. 0: it is no lecture's
 * recording, but perhaps another; 1; -errno (-E2BIG: more scenes than LOG_SCENES_MOST). To be freed
 * in every case.
 */
int log_scenes_read(int fd, struct log_scenes *scenes);
void log_scenes_free(struct log_scenes *scenes);
