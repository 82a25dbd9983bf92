/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/paged.h"
#include "log_parts.h"

#define UNPACK_PIECE 65536
/* Bytes that zstd needs first for each frame. */
#define ZSTD_FRAME_HEADER 5
/* Bytes at the beginning of a file that identify its format. */
#define MAGIC_BYTES 4

/*
 * Each row of a recording has its own time, so recordings become at most 50 times smaller. A file
 * that unpacks to more than 1,000 times its size, and to more than 16 MiB, is an attack on memory.
 */
#define UNPACK_RATIO 1000
#define UNPACK_LEAST (UINT64_C(16) << 20)

struct log_unpacker {
	bool known; /* The first bytes have been read, and `packing` is set. */
	enum log_packing packing;
	bool between;	   /* One frame has ended, and the next one has not begun. */
	uint64_t of_frame; /* Bytes unpacked so far from the current frame. */
	bool ended;	   /* all further input is ignored */
	uint8_t magic[MAGIC_BYTES];
	size_t n_magic;
	ZSTD_DCtx *zstd;
	size_t asked; /* Bytes that zstd needs for its next block. */
	z_stream gzip;
	struct log_unpacked unpacked;
	uint8_t piece[UNPACK_PIECE];
};

struct log_unpacker *log_unpacker_new(void)
{
	return calloc(1, sizeof(struct log_unpacker));
}

void log_unpacker_free(struct log_unpacker *unpacker)
{
	if (!unpacker)
		return;
	if (unpacker->packing == LOG_GZIP)
		inflateEnd(&unpacker->gzip);
	ZSTD_freeDCtx(unpacker->zstd);
	free(unpacker);
}

const struct log_unpacked *log_unpacker_state(const struct log_unpacker *unpacker)
{
	return &unpacker->unpacked;
}

enum log_packing log_packing_by(const void *bytes, size_t n)
{
	if (n >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0)
		return LOG_ZSTD;
	/* The third byte is the compression method. gzip has only 8, deflate (RFC 1952). */
	if (n >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0)
		return LOG_GZIP;
	return LOG_PLAIN;
}

static int begin_unpacking(struct log_unpacker *unpacker)
{
	const enum log_packing packing = log_packing_by(unpacker->magic, unpacker->n_magic);

	unpacker->known = true;
	if (packing == LOG_ZSTD)
		unpacker->zstd = ZSTD_createDCtx();
	unpacker->asked = ZSTD_FRAME_HEADER;
	if (packing == LOG_ZSTD && !unpacker->zstd)
		return -ENOMEM;
	if (packing == LOG_GZIP && inflateInit2(&unpacker->gzip, LOG_GZIP_BITS) != Z_OK)
		return -ENOMEM;
	unpacker->packing = packing;
	unpacker->unpacked.packed = packing != LOG_PLAIN;
	unpacker->between = true;
	return 0;
}

/* Ignores all further input. why is the reason. */
static void end_unpacking(struct log_unpacker *unpacker, enum log_unpack_end why)
{
	unpacker->ended = true;
	unpacker->unpacked.why = why;
}

/* Ends at damage. left: bytes of the input that were not unpacked. */
static void end_broken(struct log_unpacker *unpacker, size_t left)
{
	struct log_unpacked *unpacked = &unpacker->unpacked;

	unpacked->at = unpacked->in - left;
	/* Other data after the last frame may begin like a frame. */
	if (unpacked->out > 0 && unpacker->of_frame == 0)
		end_unpacking(unpacker, LOG_UNPACK_GARBAGE);
	else
		end_unpacking(unpacker, LOG_UNPACK_BROKEN);
}

static int take_piece(struct log_unpacker *unpacker, size_t n, log_write_bytes *write, void *arg)
{
	struct log_unpacked *unpacked = &unpacker->unpacked;

	unpacked->out += n;
	unpacker->of_frame += n;
	if (unpacked->out > MAX(UNPACK_LEAST, unpacked->in * UNPACK_RATIO)) {
		end_unpacking(unpacker, LOG_UNPACK_BOMB);
		return 0;
	}
	if (n > 0)
		return write(arg, unpacker->piece, n);
	return 0;
}

static int unpack_gzip(struct log_unpacker *unpacker, const uint8_t *bytes, size_t n,
		       log_write_bytes *write, void *arg)
{
	z_stream *gzip = &unpacker->gzip;
	int err = 0, status;

	gzip->next_in = (Bytef *)bytes;
	gzip->avail_in = (uInt)n;
	do {
		if (unpacker->between && gzip->avail_in > 0) {
			/* Another gzip member may begin here. Anything else is garbage. */
			if (unpacker->unpacked.out > 0 && *gzip->next_in != 0x1f) {
				end_unpacking(unpacker, LOG_UNPACK_GARBAGE);
				return 0;
			}
			inflateReset(gzip);
			unpacker->between = false;
			unpacker->of_frame = 0;
		}
		gzip->next_out = unpacker->piece;
		gzip->avail_out = UNPACK_PIECE;
		status = inflate(gzip, Z_NO_FLUSH);
		err = take_piece(unpacker, UNPACK_PIECE - gzip->avail_out, write, arg);
		if (status == Z_STREAM_END)
			unpacker->between = true;
		else if (status == Z_MEM_ERROR)
			err = -ENOMEM;
		else if (status != Z_OK && status != Z_BUF_ERROR)
			end_broken(unpacker, gzip->avail_in);
		if (err || unpacker->ended)
			return err;
	} while (gzip->avail_in > 0 || (gzip->avail_out == 0 && !unpacker->between));
	return 0;
}

/*
 * Gives zstd one block per ZSTD_decompressStream(), because a call that meets damage loses all its
 * output, even that of the blocks before the damage.
 */
static int unpack_zstd(struct log_unpacker *unpacker, const uint8_t *bytes, size_t n,
		       log_write_bytes *write, void *arg)
{
	bool full = false;
	size_t at = 0;
	int err;

	while (at < n || full) {
		ZSTD_inBuffer in = {bytes + at, MIN(n - at, unpacker->asked), 0};
		ZSTD_outBuffer out = {unpacker->piece, UNPACK_PIECE, 0};
		size_t left;

		/* A frame begins with 0x28, a skippable frame with 0x50 … 0x5f (RFC 8878). */
		if (unpacker->between && in.size > 0 && bytes[at] != 0x28 && bytes[at] >> 4 != 5) {
			end_unpacking(unpacker, LOG_UNPACK_GARBAGE);
			return 0;
		}
		if (unpacker->between)
			unpacker->of_frame = 0;
		left = ZSTD_decompressStream(unpacker->zstd, &out, &in);
		err = take_piece(unpacker, out.pos, write, arg);
		if (ZSTD_isError(left))
			end_broken(unpacker, n - at);
		if (err || unpacker->ended)
			return err;
		at += in.pos;
		unpacker->between = left == 0;
		unpacker->asked = MAX(left, ZSTD_FRAME_HEADER);
		full = out.pos == UNPACK_PIECE && left > 0;
	}
	return 0;
}

static int unpack(struct log_unpacker *unpacker, const uint8_t *bytes, size_t n,
		  log_write_bytes *write, void *arg)
{
	unpacker->unpacked.in += n;
	if (n == 0 || unpacker->ended)
		return 0;
	if (unpacker->packing == LOG_GZIP)
		return unpack_gzip(unpacker, bytes, n, write, arg);
	if (unpacker->packing == LOG_ZSTD)
		return unpack_zstd(unpacker, bytes, n, write, arg);
	unpacker->unpacked.out += n;
	return write(arg, bytes, n);
}

int log_unpack(struct log_unpacker *unpacker, const void *bytes, size_t n, log_write_bytes *write,
	       void *arg)
{
	size_t used = 0;
	int err;

	if (!unpacker->known) {
		used = MIN(n, MAGIC_BYTES - unpacker->n_magic);
		if (used > 0)
			memcpy(unpacker->magic + unpacker->n_magic, bytes, used);
		unpacker->n_magic += used;
		if (n > 0 && unpacker->n_magic < MAGIC_BYTES)
			return 0;
		err = begin_unpacking(unpacker);
		if (!err)
			err = unpack(unpacker, unpacker->magic, unpacker->n_magic, write, arg);
		if (err)
			return err;
	}
	if (used == n) /* At the end of the input, bytes may be NULL. */
		return 0;
	return unpack(unpacker, (const uint8_t *)bytes + used, n - used, write, arg);
}

static uint32_t read_u32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Takes the checksum from the beginning of the note. Returns NULL if the note is damaged. */
static const char *check_note(const uint8_t *note, size_t *length)
{
	const uint8_t *text = note + LOG_NOTE_CHECK;

	if (*length < LOG_NOTE_CHECK)
		return NULL;
	*length -= LOG_NOTE_CHECK;
	if (read_u32(note) != (uint32_t)crc32(0, text, (uInt)*length))
		return NULL;
	return (const char *)text;
}

const char *log_unpack_note(const char *bytes, size_t n, size_t *length)
{
	for (size_t at = 0; at + LOG_NOTE_HEAD < n; at++) {
		const uint8_t *head = (const uint8_t *)bytes + at, *note = head + LOG_NOTE_HEAD;

		*length = n - at - LOG_NOTE_HEAD;
		if (memcmp(head + 1, "\x2a\x4d\x18", 3) != 0 || read_u32(head + 4) != *length)
			continue;
		if (*head == 0x51)
			return check_note(note, length);
		/* Older versions wrote no checksum. */
		if (*head == 0x50)
			return (const char *)note;
	}
	return NULL;
}

/* Files. */

bool log_is_packed(int fd)
{
	uint8_t magic[MAGIC_BYTES];

	return pread(fd, magic, MAGIC_BYTES, 0) == MAGIC_BYTES &&
	       log_packing_by(magic, MAGIC_BYTES) != LOG_PLAIN;
}

static int write_all(void *arg, const void *bytes, size_t n)
{
	const int *fd = arg;
	const char *at = bytes;

	while (n > 0) {
		const ssize_t written = write(*fd, at, n);

		if (written < 0 && errno != EINTR)
			return -errno;
		at += MAX(written, 0);
		n -= (size_t)MAX(written, 0);
	}
	return 0;
}

int log_unpack_file(int packed)
{
	struct log_unpacker *unpacker = log_unpacker_new();
	char bytes[16384];
	int fd = -1, err = 0;
	ssize_t n = 1;
	off_t at = 0;

	/* A file without a name, on disk or, if that fails, in memory. */
	if (unpacker)
		fd = paged_file();
	if (unpacker && fd < 0)
		fd = memfd_create("recording", MFD_CLOEXEC);
	if (fd < 0)
		err = -errno;
	while (!err && n > 0) {
		n = pread(packed, bytes, sizeof(bytes), at);
		at += MAX(n, 0);
		if (n < 0)
			err = -errno;
		else
			err = log_unpack(unpacker, bytes, (size_t)n, write_all, &fd);
	}
	log_unpacker_free(unpacker);
	if (err && fd >= 0)
		close(fd);
	if (err)
		return err;
	return fd;
}
