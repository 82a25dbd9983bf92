/* SPDX-License-Identifier: MIT */
#include "core/sample.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log/log.h"
#include "base/bundle.h"
#include "base/error_line.h"
#include "base/utf8.h"
#include "base/units.h"

const char *source_strerror(int err)
{
	if (err == -EPROTO)
		return "it is not a recording of tuibench";
	if (err == -LOG_ECOMPRESSED)
		return "it is compressed twice, or in a format other than zstd or gzip: pipe the "
		       "output of xzcat, bzcat or lz4cat into tuibench -r -";
	if (err == -LOG_EUNPACK)
		return "it is compressed, and damaged before its first row";
	if (err == -LOG_ESEPARATOR)
		return "its cells are separated by semicolons or tabs, as a spreadsheet saves them "
		       "in some languages: save it as CSV with commas";
	if (err == -LOG_EUTF16)
		return "it is UTF-16 text, as a spreadsheet saves it: save it as CSV UTF-8, or "
		       "pipe the output of iconv -f UTF-16 -t UTF-8 into tuibench -r -";
	if (err == -EBADMSG)
		return "it is a bundle that is cut off, or was not made by tuibench";
	if (err == -LOG_ETAR)
		return "it is a compressed tar file, or comes from a pipe: type gzip -dk FILE, "
		       "and open the .tar file that this makes";
	if (err == -BUNDLE_ENONE)
		return "it is a tar file without session.csv, so it is not a bundle: unpack it "
		       "and name a recording";
	if (err == -EMEDIUMTYPE)
		return "it is the recording of a lecture, which has several sessions; -x bundle "
		       "--scene N -O one.tar makes a recording of one";
	if (err == -ENODATA)
		return "it contains no session";
	return strerror(-err);
}

char *source_broken(const struct source *source, int err, char *buf, size_t size)
{
	const char *why = source_why(source, err);

	if (source->name)
		snprintf(buf, size, "cannot read \"%s\": %s", source->name, why);
	else
		snprintf(buf, size, "the session cannot continue: %s", why);
	return buf;
}

static int over_fd(struct source *source)
{
	return -1;
}

static int over_pump(struct source *source, source_emit *emit, void *arg)
{
	return 0;
}

static int over_control(struct source *source, enum source_command command)
{
	if (command == SOURCE_STOP)
		return 0;
	return -ENOTSUP;
}

static void over_close(struct source *source)
{
}

const struct source_ops source_over = {
	.fd = over_fd,
	.pump = over_pump,
	.control = over_control,
	.close = over_close,
};

/* Bytes read in one call: large enough for speed, small enough to read keys in between. */
#define CHUNK (1 << 18)
/* Bytes to read of a compressed file, which unpack to about a chunk. */
#define PACKED_CHUNK (1 << 14)
/*
 * With answer_only, bytes to read at a time until the session is known. A list of recordings stops
 * reading there.
 */
#define SESSION_CHUNK (1 << 12)
/* A compressed recording unpacks to at least this many times its size. */
#define PACKED_RATIO 8

struct replay {
	struct source source;
	int fd;
	int inotify; /* For --follow of a file: readable when the file has grown; -1: none. */
	bool ended;
	bool caught_up; /* the current end of the file has been read */
	bool packed;	/* The file is compressed. */
	bool answer_only;
	bool is_part; /* Only a part of the file is played: `left` bytes from `at` on. */
	off_t at, left;
	struct log_reader *reader;
	source_emit *emit; /* for the current pump() */
	void *arg;
	int64_t newest_ns;
	bool has_session;
	bool done;	      /* The newest run was followed by the session's end. */
	char name[256];	      /* name of the file, for messages */
	const char *path;     /* path of the file that is followed; owned by the caller */
	int64_t begun_ns;     /* start of the session in the followed file; -1: unknown */
	char why[128];	      /* Why the file has no session; "": see source_strerror(). */
	struct bundle bundle; /* empty if the recording is in no bundle */
	char bytes[CHUNK];
};

static struct replay *to_replay(struct source *source)
{
	return (struct replay *)source;
}

/*
 * Returns the descriptor to poll. A file that may grow is always readable, so at its end returns
 * the descriptor that reports growth instead.
 */
static int replay_fd(struct source *source)
{
	struct replay *replay = to_replay(source);

	if (replay->ended)
		return -1;
	if (replay->caught_up)
		return replay->inotify;
	return replay->fd;
}

static int relay_sample(void *arg, const struct sample *sample)
{
	struct replay *replay = arg;

	replay->newest_ns = sample->time_ns;
	replay->has_session |= sample->kind == SAMPLE_SESSION;
	if (sample->kind == SAMPLE_DONE || sample->kind == SAMPLE_RUN_BEGIN)
		replay->done = sample->kind == SAMPLE_DONE;
	return replay->emit(replay->arg, sample);
}

__attribute__((format(printf, 2, 3))) static int say_of_file(struct replay *replay,
							     const char *format, ...)
{
	struct sample sample = {.kind = SAMPLE_MESSAGE, .time_ns = replay->newest_ns};
	char *text = sample.message.text;
	va_list args;
	int n = snprintf(text, SAMPLE_TEXT, "%s: ", replay->name);

	sample.message.severity = SAMPLE_WARNING;
	va_start(args, format);
	vsnprintf(text + n, SAMPLE_TEXT - (size_t)n, format, args);
	va_end(args);
	utf8_mask(text);
	return replay->emit(replay->arg, &sample);
}

/* Unless the session is complete, reports in one line where and why the rows end. */
static int say_early_end(struct replay *replay, const struct log_damage *damage)
{
	const struct log_unpacked *unpacked = &damage->unpacked;
	char until[32] = "the first run";

	if (replay->newest_ns > 0)
		units_format_time(until, sizeof(until), replay->newest_ns, true);
	if (unpacked->why == LOG_UNPACK_BROKEN && replay->done)
		return say_of_file(replay,
				   "its compressed bytes are damaged: all rows were read, but they "
				   "do not match their checksum, so some may be wrong");
	if (unpacked->why == LOG_UNPACK_BROKEN)
		return say_of_file(replay,
				   "its compressed bytes are damaged near byte %llu: tuibench read "
				   "%s of rows, up to %s, and the rest is lost",
				   (unsigned long long)unpacked->at,
				   UNITS_KIB((int64_t)(unpacked->out / 1024)), until);
	if (unpacked->why == LOG_UNPACK_BOMB)
		return say_of_file(replay,
				   "it expands to more than 1,000 times its size, unlike any "
				   "recording of tuibench: only %s of rows were read, up to %s",
				   UNITS_KIB((int64_t)(unpacked->out / 1024)), until);
	if (damage->garbage && replay->done)
		return say_of_file(replay, "other data follows the rows; tuibench ignores it");
	if (damage->garbage)
		return say_of_file(replay,
				   "the rows end at %s, before the session's end; other data "
				   "follows, which tuibench ignores",
				   until);
	if (damage->torn && replay->done)
		return say_of_file(replay, "the last line is incomplete and was left out");
	/*
	 * The recording ends early after a power cut or kill -9, and while it is still being
	 * written.
	 */
	if (!replay->done)
		return say_of_file(replay, "cut off at %s, before the session ended", until);
	return 0;
}

/* Whether only the last rows are missing, because the recording is cut off or damaged there. */
static bool end_explains_rows(const struct replay *replay, const struct log_damage *damage)
{
	const uint64_t first_row = damage->first_line - damage->greeting - 1;
	const bool ends_early = !replay->done || damage->unpacked.why != LOG_UNPACK_ENDED;

	return ends_early && damage->rows + 1 - first_row == damage->left_out;
}

static void explain_cut(struct replay *replay, uint64_t bytes)
{
	snprintf(replay->why, sizeof(replay->why),
		 "it is cut off after %llu bytes, before its session begins",
		 (unsigned long long)bytes);
}

/* Says why a compressed file has no session. */
static void explain_no_session(struct replay *replay)
{
	const struct log_damage *damage = log_reader_damage(replay->reader);
	const struct log_unpacked *unpacked = &damage->unpacked;

	if (unpacked->why == LOG_UNPACK_BROKEN)
		snprintf(replay->why, sizeof(replay->why),
			 "its compressed bytes are damaged near byte %llu, before its session "
			 "begins",
			 (unsigned long long)unpacked->at);
	else if (unpacked->packed && unpacked->why == LOG_UNPACK_ENDED && !damage->garbage)
		explain_cut(replay, unpacked->in);
}

static int end_replay(struct replay *replay)
{
	const struct log_damage *damage;
	int err = log_reader_feed(replay->reader, NULL, 0, relay_sample, replay);

	replay->ended = true;
	if (!err && !replay->has_session)
		err = -ENODATA;
	if (err == -ENODATA)
		explain_no_session(replay);
	if (err)
		return err;
	damage = log_reader_damage(replay->reader);
	if (damage->greeting > 0)
		err = say_of_file(replay, "skipped %llu line%s before the recording: \"%s\"",
				  (unsigned long long)damage->greeting,
				  sentence_plural(damage->greeting), damage->greeted);
	if (!err && damage->left_out > damage->torn && !end_explains_rows(replay, damage))
		err = say_of_file(replay, "%llu of %llu rows left out; the first is line %llu: %s",
				  (unsigned long long)damage->left_out,
				  (unsigned long long)damage->rows,
				  (unsigned long long)damage->first_line, damage->reason);
	if (!err && *replay->bundle.changed)
		err = say_of_file(replay, "changed since the bundle was made: %s",
				  replay->bundle.changed);
	if (!err)
		err = say_early_end(replay, damage);
	if (!err && damage->newer)
		err = say_of_file(replay,
				  "a newer tuibench wrote it, so unknown columns are left out");
	return err;
}

/* Reads a chunk. Returns the number of bytes, 0 at the end, or -1 and sets errno. */
static ssize_t read_chunk(struct replay *replay)
{
	size_t most = replay->packed ? PACKED_CHUNK : CHUNK;
	ssize_t n;

	if (replay->answer_only && !replay->has_session)
		most = SESSION_CHUNK;
	if (replay->is_part)
		n = pread(replay->fd, replay->bytes, MIN((size_t)replay->left, most), replay->at);
	else
		n = read(replay->fd, replay->bytes, most);
	replay->at += MAX(n, 0);
	replay->left -= MAX(n, 0);
	return n;
}

static int take_chunk(struct replay *replay, size_t n)
{
	const struct log_damage *damage = log_reader_damage(replay->reader);
	int err = log_reader_feed(replay->reader, replay->bytes, n, relay_sample, replay);
	const bool over = damage->garbage || damage->unpacked.why != LOG_UNPACK_ENDED;

	replay->packed = damage->unpacked.packed;
	if (!err && over)
		return end_replay(replay);
	return err;
}

/*
 * Says how the followed file was replaced, given that the bytes before `at` were read. Returns NULL
 * if the file has only grown or not changed. The size alone does not show a replacement, because a
 * new session may already be longer than the part that was read.
 */
static const char *followed_change(struct replay *replay, off_t at)
{
	struct stat st;
	int64_t begun_ns;

	if (fstat(replay->fd, &st) < 0)
		return "can no longer be read";
	if (st.st_size < at) {
		if (st.st_size == 0)
			return "was emptied";
		return "was made shorter";
	}
	begun_ns = log_begun_ns(replay->fd);
	if (replay->begun_ns < 0)
		replay->begun_ns = begun_ns;
	if (replay->begun_ns == begun_ns)
		return NULL;
	return "was overwritten by another session";
}

/*
 * Says how the name that is followed has changed: the writer may be writing to another file now.
 * NULL: the name still names the open file.
 */
static const char *followed_name_change(const struct replay *replay)
{
	struct stat open, named;

	if (stat(replay->path, &named) < 0)
		return "was deleted or moved";
	if (fstat(replay->fd, &open) == 0 &&
	    (open.st_dev != named.st_dev || open.st_ino != named.st_ino))
		return "was replaced by another file";
	return NULL;
}

/* For a followed file: reads its next bytes, waits for more, or ends. */
static int follow_pump(struct replay *replay)
{
	const off_t before = replay->at;
	char events[4096];
	ssize_t n;
	const char *change;
	int err;

	if (replay->caught_up)
		while (read(replay->inotify, events, sizeof(events)) > 0)
			;
	replay->caught_up = false;
	n = read_chunk(replay);
	if (n < 0) {
		if (errno == EINTR || errno == EAGAIN)
			return 0;
		return -errno;
	}
	/*
	 * Check after the read, so that the new bytes certainly belong to the same session as the
	 * earlier ones.
	 */
	change = followed_change(replay, before);
	if (!change && n == 0)
		change = followed_name_change(replay);
	if (change) {
		if (replay->has_session)
			err = say_of_file(replay, "no longer followed: it %s", change);
		else
			err = 0;
		if (err)
			return err;
		return end_replay(replay);
	}
	if (n > 0)
		return take_chunk(replay, (size_t)n);
	replay->caught_up = true;
	return 0;
}

static int replay_pump(struct source *source, source_emit *emit, void *arg)
{
	struct replay *replay = to_replay(source);
	ssize_t n;

	if (replay->ended)
		return 0;
	replay->emit = emit;
	replay->arg = arg;
	if (replay->inotify >= 0)
		return follow_pump(replay);
	n = read_chunk(replay);
	if (n < 0) {
		if (errno == EINTR || errno == EAGAIN)
			return 0;
		return -errno;
	}
	if (n > 0)
		return take_chunk(replay, (size_t)n);
	return end_replay(replay);
}

/*
 * A recording cannot run anything, so only SOURCE_STOP is accepted: it ends the wait for a writer
 * that writes nothing.
 */
static int replay_control(struct source *source, enum source_command command)
{
	if (command != SOURCE_STOP)
		return -ENOTSUP;
	to_replay(source)->ended = true;
	return 0;
}

static void replay_close(struct source *source)
{
	struct replay *replay = to_replay(source);

	log_reader_free(replay->reader);
	if (replay->inotify >= 0)
		close(replay->inotify);
	if (replay->fd > STDERR_FILENO)
		close(replay->fd);
	free(replay);
}

static const struct source_ops replay_ops = {
	.fd = replay_fd,
	.pump = replay_pump,
	.control = replay_control,
	.close = replay_close,
};

const char *source_why(const struct source *source, int err)
{
	const struct replay *replay = (const struct replay *)source;

	if (source->ops == &replay_ops && err == -ENODATA && *replay->why)
		return replay->why;
	return source_strerror(err);
}

/*
 * Allocates memory for the model in advance, because a model has fewer bytes than its file. With
 * huge pages, only one page in 500 causes a page fault. For a large file, that saves half of the
 * time to open it.
 */
static void reserve_heap(size_t bytes)
{
#ifdef __GLIBC__
	const size_t huge = 2 << 20, least = 16 * huge, most = 1 << 30;
	char *pages;

	if (bytes < least)
		return;
	bytes = MIN(bytes, most);
	/*
	 * From now on, in the whole process, large blocks come from the heap too, and no freed
	 * memory is given back.
	 */
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	pages = malloc(bytes);
	if (pages)
		madvise(pages + huge - (uintptr_t)pages % huge, bytes - huge, MADV_HUGEPAGE);
	free(pages);
#endif
}

static int open_replayed(struct replay *replay, const char *path, bool follow)
{
	bool named = strcmp(path, "-") != 0;
	struct stat st;
	int err;

	if (named)
		replay->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	else
		replay->fd = STDIN_FILENO;
	if (replay->fd < 0 || fstat(replay->fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	reserve_heap((size_t)st.st_size * (log_is_packed(replay->fd) ? PACKED_RATIO : 1));
	err = bundle_read(replay->fd, &replay->bundle);
	if (err)
		return err;
	replay->is_part = replay->bundle.found;
	replay->at = replay->bundle.begin;
	replay->left = replay->bundle.end - replay->bundle.begin;
	/*
	 * Use inotify instead of a timer, so that a file that does not grow costs nothing. Pipes
	 * and bundles have an end, so they need none. Watch IN_ATTRIB as well: if the name of a
	 * file that is open here is removed, the file is not deleted, but its number of links
	 * changes.
	 */
	if (follow && S_ISREG(st.st_mode) && named && !replay->bundle.found) {
		replay->path = path;
		replay->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
		if (replay->inotify < 0 ||
		    inotify_add_watch(replay->inotify, path,
				      IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF) < 0)
			return -errno;
	}
	if (!S_ISREG(st.st_mode) || replay->fd == STDIN_FILENO || follow)
		return 0;
	/*
	 * Check header and first row before a screen opens, unless they have not been written yet.
	 */
	if (!replay->bundle.found)
		replay->left = INT64_MAX;
	replay->is_part = true;
	err = log_check_begin(replay->fd, replay->at, (size_t)MIN(replay->left, CHUNK));
	if (err == -ENODATA)
		explain_cut(replay, (uint64_t)st.st_size);
	return err;
}

bool source_replay_is_changed(const struct source *source)
{
	return ((const struct replay *)source)->bundle.recording_changed;
}

void source_replay_answer_only(struct source *source)
{
	to_replay(source)->answer_only = true;
	log_reader_answer_only(to_replay(source)->reader);
}

static struct replay *new_replay(const char *name)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return NULL;
	replay->source.ops = &replay_ops;
	replay->fd = replay->inotify = -1;
	replay->begun_ns = -1;
	snprintf(replay->name, sizeof(replay->name), "%s", name);
	replay->source.name = replay->name;
	replay->reader = log_reader_new();
	if (replay->reader)
		return replay;
	free(replay);
	return NULL;
}

static struct source *opened(struct replay *replay, int err, const char *path, char *error,
			     size_t size)
{
	if (!err)
		return &replay->source;
	error_line(error, size, err, "cannot read \"%s\": %s", path,
		   replay ? source_why(&replay->source, err) : strerror(ENOMEM));
	if (replay)
		replay_close(&replay->source);
	errno = -err;
	return NULL;
}

struct source *source_replay_open(const char *path, bool follow, char *error, size_t size)
{
	struct replay *replay =
		new_replay(strcmp(path, "-") != 0 ? basename(path) : "standard input");

	return opened(replay, replay ? open_replayed(replay, path, follow) : -ENOMEM, path, error,
		      size);
}

static int open_part(struct replay *replay, int fd, const struct log_part *part)
{
	ssize_t n;
	int err;

	replay->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (replay->fd < 0)
		return -errno;
	replay->is_part = true;
	replay->at = part->begin;
	replay->left = part->end - part->begin;
	/* Read the file's header first, then the session's part. */
	if (part->header <= CHUNK)
		n = pread(replay->fd, replay->bytes, (size_t)part->header, 0);
	else
		n = -1;
	if (n < 0 || n < part->header)
		return -EIO;
	err = log_reader_feed(replay->reader, replay->bytes, (size_t)n, NULL, NULL);
	log_reader_skip(replay->reader, part->lines);
	return err;
}

struct source *source_replay_open_part(int fd, const struct log_part *part, const char *name,
				       char *error, size_t size)
{
	struct replay *replay = new_replay(name);

	return opened(replay, replay ? open_part(replay, fd, part) : -ENOMEM, name, error, size);
}
