/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "log/log.h"

struct sample;

/* A source of samples: a live run or a recording. Nothing above knows which. */

enum source_command {
	SOURCE_START,	 /* ends the wait of --hold */
	SOURCE_PAUSE,	 /* toggles */
	SOURCE_ONE_MORE, /* one more trial of every case */
	SOURCE_ENOUGH,	 /* end after this trial, unless a number of trials was asked for */
	SOURCE_STOP,	 /* end the current run as interrupted, plan no more */
};

struct source {
	const struct source_ops *ops;
	const char *name; /* of what is read, the source's; NULL: a live session */
};

typedef int source_take(void *arg, const struct sample *sample);

struct source_ops {
	/*
	 * A descriptor that polls readable when pump() may have something; -1 when nothing will
	 * come any more. Owned by the source. Ask anew before each wait: it notes when that begins.
	 */
	int (*fd)(struct source *source);
	/*
	 * Hands the samples that there are now to take(), each valid during that call only, a few
	 * dozen at most so that the caller can look at its keys in between. 0, -errno when the
	 * source is broken for good, or what take() returned if that was not 0 (it stops there).
	 */
	int (*pump)(struct source *source, source_take *take, void *arg);
	/* 0, or -ENOTSUP where the source cannot do that (a recording is not run again). */
	int (*control)(struct source *source, enum source_command command);
	/*
	 * Makes a worker of the run that goes on crash. 0; -ESRCH: it is not at work; -EBUSY: the
	 * run has its fault; -ENOTSUP. NULL: the same.
	 */
	int (*crash)(struct source *source, uint32_t worker);
	/*
	 * What it waits for between two runs, in a sentence for the screen, if that takes more than
	 * a moment; the source's, until the next call. NULL, or NULL returned: nothing.
	 */
	const char *(*waits_for)(struct source *source);
	/* Ends and awaits everything it started, removes its files, frees itself. */
	void (*close)(struct source *source);
};

/* A source with nothing to hand out: what it had is elsewhere already. */
extern const struct source_ops source_over;

/* The meaning of an error of open or pump(), for the user. */
const char *source_strerror(int err);
/* Why no more comes of it, in one sentence that names what is read. Returns buf. */
char *source_broken(const struct source *source, int err, char *buf, size_t size);

struct debug;
struct experiment;

/*
 * Runs an experiment. The experiment stays the caller's and must outlive the source, as does debug,
 * which may be NULL. Its number of trials changes after the warm-up: experiment_fit_trials().
 * NULL, with a line for the user in error[size].
 */
struct source *source_live_open(struct experiment *experiment, struct debug *debug, char *error,
				size_t size);

/*
 * Plays a recording: hands its samples as fast as they can be read, as they were recorded. path "-"
 * is standard input; follow says that the file grows: its end is not the end. NULL, with errno
 * and a line for the user in error[size], where it cannot be opened. pump() returns -EPROTO for a
 * file that is no recording, -ENODATA at the end of one without a session.
 */
struct source *source_replay_open(const char *path, bool follow, char *error, size_t size);
/* Of a source that source_replay_open() has opened: for who wants its answer alone. */
void source_replay_answer_only(struct source *source);
/* Of such a source: whether it is a bundle whose recording is not as it was written. */
bool source_replay_is_changed(const struct source *source);

/*
 * Plays one session of a lecture's recording. The file, of which the source keeps a descriptor of
 * its own, is read at its places: sources of one file go their own ways.
 */
struct source *source_replay_open_part(int fd, const struct log_part *part, const char *name,
				       char *error, size_t size);

struct own_about;

/*
 * Asks a shared object of --own what it is, in a runner of its own: whatever its code does happens
 * there. 0; -EINVAL, or what keeps the runner from being started, with one line in error that says
 * what is wrong and what would be right.
 */
int source_own_ask(const char *path, struct own_about *about, char *error, size_t size);
