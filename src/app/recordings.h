/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "draw/canvas.h"
#include "draw/theme.h"
#include "log/log.h"
#include "log/log_scenes.h"
#include "model/model.h"
#include "source/source.h"
#include "write/export.h"

struct lecturer;

/* The place of a session's log: a file that the user names, the state folder, standard output. */
struct recording {
	struct log_writer *log; /* NULL: nothing is recorded */
	char path[PATH_MAX];	/* "" where it has none */
	const char *name;	/* of the file without its folder, NULL where it has none */
	bool recorded;		/* once it is closed: something is there */
	char notice[512];	/* one line about a default place that could not be used, "" */
};

/*
 * Opens it as the options say. A file that holds something already is never written to. 0, or
 * -errno with one line in error; where the default place cannot be used the session goes on
 * without a log and notice says so.
 */
int recording_open(struct recording *recording, const struct options *options,
		   const char *experiment, char *error, size_t size);
/*
 * Flushes and closes; its path stays. A file in which nothing could be written is removed. 0 or
 * -errno with one line in error.
 */
int recording_close(struct recording *recording, char *error, size_t size);

/*
 * The recording of a lecture while it is held: one file, of which each session that runs or plays
 * is a part. A session's rows stay together: scenes that are shown while it goes on follow it.
 */
struct lecture_log {
	struct recording recording;
	const struct lecturer *lecturer;
	bool *recorded; /* scenes that are in it */
};

/* As recording_open(). To be freed in every case. */
int lecture_log_open(struct lecture_log *log, const struct options *options,
		     const struct lecturer *lecturer, char *error, size_t size);
/*
 * A session begins, by its own command line where it is not its scene's, NULL where it is: the
 * recording that it goes to, whose log is NULL where it is not recorded; not to be closed.
 */
struct recording lecture_log_begin(struct lecture_log *log, const struct options *options,
				   const char *command);
/* Writes the scenes that came last; the recording is the caller's to close. */
void lecture_log_end(struct lecture_log *log);
void lecture_log_free(struct lecture_log *log);

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
/* The same of n, joined where there are several: see model_join(). */
int recordings_open(char *const *paths, size_t n, struct model *model, char *error, size_t size);

/* The paths of all, the newest first; how many, or -errno with one line in error. */
int recordings_paths(char ***paths, char *error, size_t size);
void recordings_paths_free(char **paths, int n);

/* One that is read in parts, which is no pipe. The path and the model are the caller's. */
struct recordings_reading {
	const char *path;
	struct source *source;
	struct model *model;
	unsigned long long left_out; /* samples that contradict earlier ones */
};

/* Initialises the model. 0, or -errno, of which source_strerror() says why, and nothing to end. */
int recordings_begin(struct recordings_reading *reading, const char *path, struct model *model);
/* A part of some milliseconds: 1, 0 when the model has all of it, or -errno. */
int recordings_go_on(struct recordings_reading *reading);
/* Frees the model's contents. */
void recordings_end(struct recordings_reading *reading);

/* What a list shows of one: "2026-11-20 15:30", "?"; and "threads, processes". Both return buf. */
const char *recordings_date(int64_t wall_s, char buf[32]);
const char *recordings_models(const struct model *model, char *buf, size_t size);

/*
 * The state folder: $XDG_STATE_HOME/tuibench (by the XDG Base Directory Specification only if that
 * is absolute) or ~/.local/state/tuibench. 0, or -errno and path is what to call it in a message.
 */
int state_folder_name(char path[PATH_MAX]);

/* The same, and the folder is made if it is not there. */
int state_folder(char path[PATH_MAX]);

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

/* A session in one of the formats of --export. */
struct result {
	const struct model *model;
	const struct export_format *format;
	struct film_wish wish;		      /* of a film */
	const struct export_lecture *lecture; /* instead of a model, in a format that has it */
};

/*
 * To the file at path, which is replaced when all of it is written: an export that fails leaves
 * what was there, and nothing else. NULL: to standard output. 0, or -errno with one line in error.
 */
int result_save(const struct result *result, const char *path, char *error, size_t size);

/*
 * Saves the canvas as tuibench-DATE-N.txt and .svg, with the least N that both are free of: in the
 * current folder, or in the state folder where that cannot be written to. What they are, or why
 * not, is one line in said[size]. A slide of that name (else NULL) is tuibench-DATE-NAME-N.svg
 * alone. 0 or -errno with neither file left behind.
 */
int snapshot_save(const struct canvas *canvas, const struct theme *theme, const char *slide,
		  char *said, size_t size);
