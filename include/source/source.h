/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "log/log.h"

struct sample;

/* A source of samples: a live session or a recording. The caller reads both in the same way. */

enum source_command {
	SOURCE_START,	 /* ends the wait of --hold */
	SOURCE_PAUSE,	 /* pauses or continues */
	SOURCE_ONE_MORE, /* adds one trial of every case */
	/* ends the session after this trial, unless the user gave the number of trials */
	SOURCE_ENOUGH,
	SOURCE_STOP, /* ends the current run as interrupted and plans no more */
};

struct source {
	const struct source_ops *ops;
	/* Name of the file that is read, which the source owns; NULL: a live session. */
	const char *name;
};

typedef int source_emit(void *arg, const struct sample *sample);

struct source_ops {
	/*
	 * Returns a descriptor that is readable when pump() may have samples; -1 after the last
	 * sample. The descriptor belongs to the source. Call fd() before each poll(), because a
	 * live source records when that wait begins.
	 */
	int (*fd)(struct source *source);
	/*
	 * Calls emit() for the samples that are ready; each is valid during that call only. One
	 * call handles a limited part, such as 256 KiB of a file, so that the caller can read keys
	 * in between. Returns 0; -errno if the source can never continue; or the first value other
	 * than 0 that emit() returned.
	 */
	int (*pump)(struct source *source, source_emit *emit, void *arg);
	/*
	 * Carries out a command. Returns 0, or -ENOTSUP if the source cannot do so: a recording
	 * cannot run anything.
	 */
	int (*control)(struct source *source, enum source_command command);
	/*
	 * Makes a worker of the current run crash. Returns 0; -ESRCH if the worker is not working;
	 * -EBUSY if the run already has a fault, made or planned; -ENOTSUP if the source cannot do
	 * it now. The member is NULL if the source can never do it.
	 */
	int (*crash)(struct source *source, uint32_t worker);
	/*
	 * Returns a sentence for the screen that says what the source is waiting for between two
	 * runs, if the wait takes more than a moment; otherwise NULL. The source owns the text,
	 * which is valid until the next call. The member is NULL if the source never waits.
	 */
	const char *(*waits_for)(struct source *source);
	/*
	 * Ends everything that the source started, waits until it has ended, removes the source's
	 * files and frees the source.
	 */
	void (*close)(struct source *source);
};

/* The operations of a source that gives no samples, for a model that already has all of them. */
extern const struct source_ops source_over;

/* The meaning, in words for the user, of an error that an open function or pump() returned. */
const char *source_strerror(int err);
/*
 * Like source_strerror(), for an error of this source's pump(). Adds the damaged byte if the source
 * knows it.
 */
const char *source_why(const struct source *source, int err);
/*
 * Writes a sentence that says why the source has no more samples, and names its file if it has one.
 * Returns buf.
 */
char *source_broken(const struct source *source, int err, char *buf, size_t size);

struct debug;
struct experiment;

/*
 * Runs an experiment. The caller owns the experiment and debug (or NULL); both must outlive the
 * source. After the warm-up, the source may change the experiment's number of trials by
 * experiment_fit_trials(). On failure returns NULL, with a line for the user in error[size].
 */
struct source *source_live_open(struct experiment *experiment, struct debug *debug, char *error,
				size_t size);

/*
 * Plays a recording: passes its samples as fast as they can be read. path "-" is standard input.
 * follow: the file is still being written, so its end is not the end of the recording. If the file
 * cannot be opened, returns NULL with errno and a line for the user in error[size]. pump() returns
 * -EPROTO for a file that is not a recording, and -ENODATA at the end of a recording without a
 * session.
 */
struct source *source_replay_open(const char *path, bool follow, char *error, size_t size);
/*
 * For a source of source_replay_open(): skips samples that the answer does not need: slices, ticks
 * and tasks of commands.
 */
void source_replay_answer_only(struct source *source);
/*
 * For a source of source_replay_open(): whether a bundle's recording was changed since it was
 * written.
 */
bool source_replay_is_changed(const struct source *source);

/*
 * Plays one session of a lecture's recording. The source duplicates fd and reads with pread(), so
 * several sources of one file do not disturb one another.
 */
struct source *source_replay_open_part(int fd, const struct log_part *part, const char *name,
				       char *error, size_t size);

struct own_about;

/*
 * Asks a shared object of --own for its description. A separate runner loads the object, so that
 * its code cannot harm this process. Returns 0; -EINVAL, or the error of starting the runner, with
 * a line in `error`: the problem and how to mend it.
 */
int source_own_ask(const char *path, struct own_about *about, char *error, size_t size);
