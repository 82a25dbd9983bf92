/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_EXPERIMENT_PARTS_H
#define TUIBENCH_EXPERIMENT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiment.h"

/* The steps of experiment_build(), which are in files of their own. */

/* A line of the table of experiments. */
struct experiment_kind {
	const char *name, *about;
	const char *models;
	const char *tree;	      /* its structure; NULL: a set of workers */
	uint32_t workers[WORK_KINDS]; /* of a set */
};

struct experiment_build {
	struct experiment *experiment; /* its request is filled in step by step */
	const struct experiment_kind *kind;
	uint32_t workers; /* of a set */
	char *error;
	size_t size;
};

/* Each returns 0, or what experiment_build() returns, with the line for the user. */

/* Every structure with every stack size in every model. */
int experiment_cases(struct experiment_build *build);
/* That the file to copy can be copied; gives the io workers its size. */
int experiment_check_io_file(struct experiment_build *build);
/* That the CPUs to pin to may be used. */
int experiment_check_pin(struct experiment_build *build);
/* That each case fits the machine's limits on tasks and memory. */
int experiment_check_limits(struct experiment_build *build);
int experiment_check_alloc(struct experiment_build *build);
/* That the files that the io workers write fit. */
int experiment_check_disk(struct experiment_build *build);

/* The kind of work that is asked for most: the option to name where workers are too many. */
enum work_kind experiment_largest_kind(const struct request *request);

#endif
