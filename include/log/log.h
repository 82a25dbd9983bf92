/* SPDX-License-Identifier: MIT */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sample;

/*
 * The recording: one CSV file (RFC 4180) to which rows are only appended, with a header row first.
 * tuibench-log(5) describes its columns. Only src/log uses libcsv.
 */

#define LOG_FORMAT 1 /* Version of the format, written in the first row. */

struct log_writer; /* Owns the descriptor and a buffer. */

/*
 * Makes a writer for fd, which log_close() closes. Returns NULL and sets errno on error. Nothing is
 * written before the first sample. The caller must ignore SIGPIPE and SIGXFSZ, so that a closed
 * pipe or a size limit is returned as an error.
 */
struct log_writer *log_create(int fd);

/* Compression of a recording. LOG_PLAIN is uncompressed CSV. */
enum log_packing { LOG_PLAIN, LOG_ZSTD, LOG_GZIP };

/* The compression that belongs to the path's suffix, .zst or .gz; otherwise LOG_PLAIN. */
enum log_packing log_packing_of(const char *path);
/*
 * Length of a recording's suffix: ".csv", ".csv.zst" or ".csv.gz". 0: the name has none of these.
 */
size_t log_name_end(const char *name);
/* The compression that the first bytes of a file show. n is at least 4. */
enum log_packing log_packing_by(const void *bytes, size_t n);
/* Whether the file is compressed. The file must be seekable. */
bool log_is_packed(int fd);
/*
 * Unpacks a compressed file into an unnamed file. Returns a descriptor of the new file, or -errno.
 */
int log_unpack_file(int packed);
/*
 * Turns compression on. Call it before the first sample. A reader can unpack all data that was
 * flushed, while the file is still being written. Returns 0 or -ENOMEM.
 */
int log_compress(struct log_writer *log, enum log_packing packing);

/*
 * Limits the size of a session's recording. Call it before the first run. Slices of runs that do
 * not fit are left out; everything else is written. UINT64_MAX: no limit. A pipe or device never
 * has a limit.
 */
void log_limit(struct log_writer *log, uint64_t bytes);
/*
 * Number of slices of the current run that were left out so far. At the end of the run, the caller
 * must put the values computed from all slices into sample.end.thinned.
 */
uint64_t log_left_out(const struct log_writer *log);
/*
 * Number of runs of this session from which slices were left out. Sets *runs to the number of all
 * runs.
 */
uint32_t log_thinned(const struct log_writer *log, uint32_t *runs);
/* Whether the session's recording exceeds its limit. Rows other than slices are never left out. */
bool log_exceeds(const struct log_writer *log);

struct sample_run;
struct sample_slice;

/*
 * After the last run, these functions write slices that were left out of a run; half of the limit
 * is reserved for them. log_late_room() estimates how many slices fit; 0 without a limit. Write
 * nothing else between log_late_begin() and log_late_end(). log_late_end() returns whether all
 * slices are in the file. The next log_write() returns an error of these functions.
 */
uint64_t log_late_room(const struct log_writer *log);
void log_late_begin(struct log_writer *log, const struct sample_run *run);
void log_late(struct log_writer *log, int64_t time_ns, const struct sample_slice *slices, size_t n);
bool log_late_end(struct log_writer *log, int64_t time_ns);

struct patience;

/*
 * Limits how long to wait for a pipe that nobody reads. After that time, writing fails with
 * -ETIMEDOUT. The caller owns the patience; NULL: no limit.
 */
void log_set_patience(struct log_writer *log, const struct patience *patience);
/* The meaning, in words for the user, of an error that these functions returned. */
const char *log_strerror(int err);
/*
 * Appends the sample's rows to the buffer. The row of a worker is written when it is complete, at
 * the latest a second and a tick after the worker changed, and at the run's end. If a worker has
 * several rows, the newest one counts. Flushes once a second of sample time, at each run's end, and
 * at the session's end. Flushes a file that is not regular after every sample, because a reader may
 * follow it. Returns 0, or -errno of the first write that failed (-ENOSPC). After an error, nothing
 * more is written, all further calls return 0, and the file is truncated after its last whole
 * sample if possible. Control characters, marks that change the direction of text and bytes that
 * are not UTF-8 are recorded as '?'. All other text is read back unchanged.
 */
int log_write(struct log_writer *log, const struct sample *sample);
int log_flush(struct log_writer *log);
/* Stores the answer, one line, which the next SAMPLE_DONE writes: see log_answer(). */
void log_end_with(struct log_writer *log, const char *answer);

/* A scene of a lecture. Texts are never NULL and may have several lines. */
struct log_scene {
	const char *heading, *caption, *notes, *command;
};

/*
 * Begins the recording of a lecture with that number of scenes. Call it before any other function
 * that writes. Returns the same as log_write().
 */
int log_lecture(struct log_writer *log, const char *title, uint32_t scenes);
/*
 * Begins the scene with that number, from 1. From the next SAMPLE_SESSION on, samples belong to the
 * scene's session. The previous session must be over, because its rows that are not written yet are
 * discarded.
 */
int log_scene(struct log_writer *log, uint32_t number, const struct log_scene *scene);
/* Flushes and closes the file, and frees the writer. Returns 0 or the first error. */
int log_close(struct log_writer *log);

/* Why unpacking a compressed file ended. */
enum log_unpack_end {
	LOG_UNPACK_ENDED,   /* All bytes were unpacked. The file may still be cut off. */
	LOG_UNPACK_GARBAGE, /* Other data follow the last frame. */
	LOG_UNPACK_BROKEN,  /* The file is damaged, or a frame needs more than 128 MB of memory. */
	/* The data unpack to more than 1,000 times their size, and more than 16 MB. */
	LOG_UNPACK_BOMB,
};

struct log_unpacked {
	bool packed; /* The file is compressed. If false, its bytes are read directly. */
	enum log_unpack_end why;
	uint64_t in, out; /* Bytes read, and bytes after unpacking. */
	uint64_t at;	  /* If the input is damaged: the byte where it was noticed. */
};

/* Rows that a reader could not use. */
struct log_damage {
	uint64_t rows;	     /* Number of rows read, without the header. */
	uint64_t left_out;   /* Number of these rows that are not part of any sample. */
	uint64_t first_line; /* Line of the first such row, from 1; 0: none. */
	char reason[128];    /* Reason for the first such row; "" if none. */
	bool torn;	     /* The last line has no newline, so it is left out. */
	bool newer;	     /* The file has a newer format, so some of its data may be unknown. */
	/* Number of lines before the header, such as a login's greeting. They are skipped. */
	uint64_t greeting;
	char greeted[96]; /* The first of these lines that is not blank. */
	/* The file had too many bytes without a valid row, so the rest of it is not read. */
	bool garbage;
	struct log_unpacked unpacked;
};

/*
 * The beginning of a file's session, or of a lecture's first session, in ns since the epoch, read
 * from the file's first rows. Unlike the local time in the file's name, it does not depend on the
 * time zone. -1: these rows have no such time, or are not complete yet.
 */
int64_t log_begun_ns(int fd);
/*
 * Reads the session's answer from the file's first and last bytes. Returns false if the session was
 * interrupted, or if the recording is of an older version or compressed with gzip.
 */
bool log_answer(int fd, char *answer, size_t size);

struct log_reader; /* A reader owns its parser and the samples that are not complete yet. */

/*
 * Makes a reader for the bytes of a recording, compressed or not. For any input, the reader needs
 * at most a fixed amount of memory and room for the rows of one tick. The memory of a model made
 * from its samples grows in proportion to the rows.
 */
struct log_reader *log_reader_new(void);
/*
 * Feeds the next bytes of the file, any number at a time; n 0 ends the file. Calls emit() for each
 * complete sample, which is valid during the call only. If emit() returns a value other than 0,
 * feeding stops and returns that value; after that, only free the reader. Returns 0; -ENOMEM;
 * -EPROTO if the header is not tuibench's; one of the errors below; -EMEDIUMTYPE for the recording
 * of a lecture, which log_scenes_read() reads.
 */
int log_reader_feed(struct log_reader *reader, const void *bytes, size_t n,
		    int (*emit)(void *arg, const struct sample *sample), void *arg);
/*
 * Errors for files that are no recordings: compressed by a program other than zstd and gzip;
 * damaged, so that it cannot be unpacked; CSV with another separator; UTF-16; a tar file that was
 * compressed or comes from a pipe, where bundle_read() could not see it.
 */
#define LOG_ECOMPRESSED ENOPKG
#define LOG_EUNPACK	EUCLEAN
#define LOG_ESEPARATOR	ENOSTR
#define LOG_EUTF16	EILSEQ
#define LOG_ETAR	ENOTBLK
/*
 * Reads the first n bytes of a recording that begins at a position of the file, up to its first
 * sample. Returns the same as log_reader_feed(); -EMEDIUMTYPE for a lecture's recording.
 */
int log_check_begin(int fd, off_t at, size_t n);
/* Counts lines that were not fed, so that damage reports have the right line numbers. */
void log_reader_skip(struct log_reader *reader, uint64_t lines);
/*
 * Skips slices, ticks and tasks of commands without parsing them, because they make up nine tenths
 * of a recording and the answer does not need them.
 */
void log_reader_answer_only(struct log_reader *reader);
const struct log_damage *log_reader_damage(const struct log_reader *reader);
void log_reader_free(struct log_reader *reader);

/*
 * The recording of a lecture: scenes in the order in which they were shown. If a scene had a
 * session, the rows of the session follow. A session is read like a file of its own: first the
 * file's header, then the session's part.
 */

/*
 * The bytes of a session's rows in the file, from begin to end. Both are equal if there is no
 * session.
 */
struct log_part {
	off_t header; /* Length of the file's header line in bytes. */
	off_t begin, end;
	uint64_t lines; /* Number of lines before the part, without the header. */
};

struct log_scenes {
	const char *title;
	uint32_t planned; /* Number of scenes in the lecture; 0: unknown. */
	size_t n;	  /* Number of scenes that were shown. */
	struct log_scene *scenes;
	struct log_part *parts; /* n parts. */
};

#define LOG_SCENES_MOST 1000

/*
 * Finds the scenes in a seekable file. Returns 1; 0 if the file is not a lecture's recording (it
 * may be another recording); -errno (-E2BIG: more than LOG_SCENES_MOST scenes). Call
 * log_scenes_free() in every case.
 */
int log_scenes_read(int fd, struct log_scenes *scenes);
void log_scenes_free(struct log_scenes *scenes);
/*
 * Removes the rows with the speaker's notes from the n bytes of a lecture's recording, and reduces
 * n. Keeps the list with which the last scene sums the lecture up. Returns 0 or -ENOMEM.
 */
int log_drop_notes(char *bytes, size_t *n);
