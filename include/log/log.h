/* SPDX-License-Identifier: MIT */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sample;

/*
 * The recording: one CSV file (RFC 4180, libcsv), header row first, append-only; tuibench-log(5)
 * describes it column by column. This module is the only user of libcsv.
 */

#define LOG_FORMAT 1 /* the version written in the first row */

struct log_writer; /* owns the descriptor and a buffer */

/*
 * Writes to fd, which it closes at log_close. Returns NULL with errno. Nothing is written before
 * the first sample. SIGPIPE and SIGXFSZ must be ignored by then: what they say comes as an error.
 */
struct log_writer *log_create(int fd);

/* How a recording is compressed; LOG_PLAIN: it is CSV as it is. */
enum log_packing { LOG_PLAIN, LOG_ZSTD, LOG_GZIP };

/* By the end of a file's name, .zst or .gz. */
enum log_packing log_packing_of(const char *path);
/* Bytes of the end of a recording's name: of ".csv", ".csv.zst" or ".csv.gz"; 0: it has another. */
size_t log_name_end(const char *name);
/* By the first bytes of a file, four or more. */
enum log_packing log_packing_by(const void *bytes, size_t n);
/* Whether a file that can be read at any place is compressed. */
bool log_is_packed(int fd);
/* A new descriptor, of a file without a name that holds the rows of a compressed one; or -errno. */
int log_unpack_file(int packed);
/*
 * Compresses all that is written, before the first sample. Whatever log_write() flushes can be
 * unpacked by then. 0 or -ENOMEM.
 */
int log_compress(struct log_writer *log, enum log_packing packing);

/*
 * Keeps the recording of a session within so many bytes, before its first run: slices of runs that
 * do not fit are left out, and all else is written. UINT64_MAX: without a limit, as all that is no
 * regular file.
 */
void log_limit(struct log_writer *log, uint64_t bytes);
/*
 * The slices of the run that goes on that were left out. At its end, sample.end.thinned says what
 * was computed of them.
 */
uint64_t log_left_out(const struct log_writer *log);
/* The runs of the session so far of which slices were left out, of how many. */
uint32_t log_thinned(const struct log_writer *log, uint32_t *runs);

struct patience;

/* A pipe that nobody reads is waited for so long, then -ETIMEDOUT. The patience is the caller's. */
void log_heed(struct log_writer *log, const struct patience *patience);
/* The meaning of an error of these functions, for the user. */
const char *log_strerror(int err);
/*
 * Appends the sample's rows to the buffer. Worker rows of a run are written when they are
 * complete, at the latest a second and a tick after they changed and at the run's end; the newest
 * row of a worker counts. Flushes once a second of sample time, at each run's end and when done;
 * what is no regular file gets every sample at once, since somebody may be following.
 * 0 or -errno of the first write that failed (-ENOSPC); then nothing more is tried, all further
 * calls return 0, and the file is cut back to its last whole sample where that is possible.
 * Control characters, marks that turn the direction of text and bytes that are not UTF-8 become
 * '?'; all else reads back as it was.
 */
int log_write(struct log_writer *log, const struct sample *sample);
int log_flush(struct log_writer *log);
/* Keeps the answer, one line, for the next SAMPLE_DONE: see log_answer(). */
void log_end_with(struct log_writer *log, const char *answer);

/* A scene of a lecture; texts are never NULL, and may have several lines. */
struct log_scene {
	const char *heading, *caption, *notes, *command;
};

/* Begins the recording of a lecture of so many scenes, before all else. Returns as log_write(). */
int log_lecture(struct log_writer *log, const char *title, uint32_t scenes);
/*
 * The scene with that number, from 1, is shown: the samples that follow are its session's, from
 * its SAMPLE_SESSION on. What the session before has not written yet is lost: it must be over.
 */
int log_scene(struct log_writer *log, uint32_t number, const struct log_scene *scene);
/* Flushes and closes; 0 or the first error. */
int log_close(struct log_writer *log);

/* Why a compressed file was not unpacked to its end. */
enum log_unpack_end {
	LOG_UNPACK_ENDED,   /* it was, as far as there are bytes */
	LOG_UNPACK_GARBAGE, /* something else follows the last frame */
	LOG_UNPACK_BROKEN,  /* damage, or a frame that takes more than 128 MB of memory */
	LOG_UNPACK_BOMB,    /* it grows to more than 1,000 times its size, and beyond 16 MB */
};

struct log_unpacked {
	bool packed; /* the file is compressed; false: it is read as it is */
	enum log_unpack_end why;
	uint64_t in, out; /* bytes read, and bytes they became */
};

/* The rows that a reader had to leave out. */
struct log_damage {
	uint64_t rows;	     /* rows read in all, without the header */
	uint64_t left_out;   /* of them, those that are in no sample */
	uint64_t first_line; /* of the first one left out, from 1; 0: none */
	char reason[128];    /* why, of the first one; "" */
	bool torn;	     /* the last line has no end: it is left out */
	bool newer;	     /* written by a newer format: some of it may be unknown */
	uint64_t greeting;   /* lines before the header, as a login prints, which are skipped */
	char greeted[96];    /* the first of them that is not blank */
	bool garbage;	     /* too many bytes without a row: what follows is not read */
	struct log_unpacked unpacked;
};

/*
 * When the session of a file began, or the first session of a lecture: ns since the epoch, from the
 * file's first rows, in whatever time zone its name was made; -1: they do not say it, or not all
 * are there yet.
 */
int64_t log_begun_ns(int fd);
/*
 * Reads the session's answer from the file's first and last bytes. False: the session was cut off,
 * the recording is of an older version, or gzip compresses it.
 */
bool log_answer(int fd, char *answer, size_t size);

struct log_reader; /* owns its parser and the samples it is holding */

/*
 * A reader of log bytes, compressed or not. Whatever they are, its memory is below a fixed size
 * plus one tick's rows. A model of its samples stays in proportion to the rows.
 */
struct log_reader *log_reader_new(void);
/*
 * Feeds bytes of the file in order, in pieces of any size; each sample that becomes complete is
 * handed to take() (valid during the call only), whose non-zero return stops and is returned;
 * a reader that was stopped can only be freed. feed with n == 0 ends the file. 0, -ENOMEM, -EPROTO
 * (not a log of tuibench: no such header) or one of the errors below, -EMEDIUMTYPE (of a lecture:
 * log_scenes_read() takes it apart).
 */
int log_reader_feed(struct log_reader *reader, const void *bytes, size_t n,
		    int (*take)(void *arg, const struct sample *sample), void *arg);
/*
 * What else has no such header: a file compressed by another program than zstd and gzip, or one
 * that cannot be unpacked; CSV with other separators, UTF-16.
 */
#define LOG_ECOMPRESSED ENOPKG
#define LOG_EUNPACK	EUCLEAN
#define LOG_ESEPARATOR	ENOSTR
#define LOG_EUTF16	EILSEQ
/*
 * Reads the first n bytes of a recording, which begins at a place of the file, up to its first
 * sample: what log_reader_feed() returns of them, -EMEDIUMTYPE for a lecture's.
 */
int log_check_begin(int fd, off_t at, size_t n);
/* Whether the header has come; before it, a greeting may. */
bool log_reader_has_header(const struct log_reader *reader);
/* So many lines are not fed, but count in the numbers of lines. */
void log_reader_skip(struct log_reader *reader, uint64_t lines);
/*
 * Nine tenths of a recording are slices, ticks and tasks of commands. The answer needs none, so
 * they are not even parsed.
 */
void log_reader_answer_only(struct log_reader *reader);
const struct log_damage *log_reader_damage(const struct log_reader *reader);
void log_reader_free(struct log_reader *reader);

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
	const char *title;
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
