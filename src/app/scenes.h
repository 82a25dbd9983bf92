/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "log/log_scenes.h"
#include "model/model.h"
#include "source/source.h"

struct options;

/* The recording of a lecture, opened: its scenes, and their sessions one by one. */
struct scenes {
	int fd;
	const char *path; /* the caller's */
	struct log_scenes log;
};

/*
 * Takes all of standard input, which is a file from then on: a pipe cannot be read at any place.
 * 0 or -errno.
 */
int scenes_take_input(void);
/*
 * 1 where the file is the recording of a lecture; 0: it is something else, or cannot be read, which
 * whoever opens it says; -errno with one line in error. To be closed in every case.
 */
int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size);
void scenes_close(struct scenes *scenes);
/* Whether the scene at that place, from 0, has a session. */
bool scenes_ran(const struct scenes *scenes, size_t i);
/* "4 of 5 scenes, 3 with a session". Returns buf. */
const char *scenes_count(const struct scenes *scenes, char *buf, size_t size);
/* The session of a scene that has one; NULL with one line in error. */
struct source *scenes_source(const struct scenes *scenes, size_t i, char *error, size_t size);
/*
 * All of it, into a model that is initialised here and freed by the caller in every case. 0, or
 * -errno with one line in error.
 */
int scenes_load(const struct scenes *scenes, size_t i, struct model *model, char *error,
		size_t size);
/*
 * The place of the scene that --scene chose; -EINVAL with one line in error where there is none, or
 * none that ran.
 */
int scenes_chosen(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size);
/* The whole lecture as --export or --format has it. 0, or -errno with one line in error. */
int scenes_export(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size);
