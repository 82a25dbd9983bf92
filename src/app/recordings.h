/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#include "model/model.h"
#include "source/source.h"

/* The recordings in the state folder, and a recording as a whole. */

/* The path of the newest one. 0, or -errno with one line in error (-ENOENT: there is none). */
int recordings_newest(char path[PATH_MAX], char *error, size_t size);
/*
 * Each with its date, machine, experiment, models, name and result in 80 columns, the newest last;
 * one that cannot be read with the reason. 0, or -errno with one line in error (-ENOENT: none).
 */
int recordings_list(FILE *out, char *error, size_t size);
/*
 * Reads the whole of one into the model, which is initialised here and freed by the caller in every
 * case. 0, or -errno with one line in error.
 */
int recordings_load(const char *path, struct model *model, char *error, size_t size);
/* The same of a source, which is closed; name is for messages. */
int recordings_read(struct source *source, const char *name, struct model *model, char *error,
		    size_t size);
/* The same of n, joined where there are several: see model_join.h. */
int recordings_open(char *const *paths, size_t n, struct model *model, char *error, size_t size);
