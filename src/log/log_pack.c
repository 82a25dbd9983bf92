/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/array.h"
#include "log_parts.h"

/*
 * The fastest level, which takes 0.1 ms for a flush. For these rows, zstd's level 3 takes twice as
 * long and saves nothing. gzip's level 6 takes five times as long as this level for the same size.
 */
#define PACK_LEVEL 1
/*
 * zstd searches for equal bytes in the last 64 KiB instead of 512 KiB, because rows resemble the
 * rows just before. For 14 MB of rows, this takes three quarters of the time and saves 3 % of the
 * bytes.
 */
#define PACK_WINDOW 16
/* Compressed bytes that are written to the file in one call. */
#define PACK_PIECE 16384

struct log_packer {
	enum log_packing packing;
	ZSTD_CCtx *zstd;
	z_stream gzip;
	uint8_t piece[PACK_PIECE];
};

enum log_packing log_packing_of(const char *path)
{
	const size_t n = strlen(path);

	if (n >= 4 && strcmp(path + n - 4, ".zst") == 0)
		return LOG_ZSTD;
	if (n >= 3 && strcmp(path + n - 3, ".gz") == 0)
		return LOG_GZIP;
	return LOG_PLAIN;
}

size_t log_name_end(const char *name)
{
	static const char *const ends[] = {".csv", ".csv.zst", ".csv.gz"};
	const size_t n = strlen(name);

	for (size_t i = 0; i < LENGTH(ends); i++) {
		const size_t end = strlen(ends[i]);

		if (n > end && strcmp(name + n - end, ends[i]) == 0)
			return end;
	}
	return 0;
}

struct log_packer *log_packer_new(enum log_packing packing)
{
	struct log_packer *packer = calloc(1, sizeof(*packer));

	if (!packer)
		return NULL;
	packer->packing = packing;
	if (packing == LOG_GZIP) {
		if (deflateInit2(&packer->gzip, PACK_LEVEL, Z_DEFLATED, LOG_GZIP_BITS,
				 MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) == Z_OK)
			return packer;
		free(packer);
		return NULL;
	}
	packer->zstd = ZSTD_createCCtx();
	if (packer->zstd &&
	    !ZSTD_isError(
		    ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, PACK_LEVEL)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_windowLog, PACK_WINDOW)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1)))
		return packer;
	ZSTD_freeCCtx(packer->zstd);
	free(packer);
	return NULL;
}

void log_packer_free(struct log_packer *packer)
{
	if (!packer)
		return;
	if (packer->packing == LOG_GZIP)
		deflateEnd(&packer->gzip);
	ZSTD_freeCCtx(packer->zstd);
	free(packer);
}

static int pack_gzip(struct log_packer *packer, const void *bytes, size_t n, enum log_pack_until to,
		     log_write_bytes *write, void *arg)
{
	static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
	z_stream *gzip = &packer->gzip;
	int err = 0;

	gzip->next_in = (Bytef *)bytes;
	gzip->avail_in = (uInt)n;
	do {
		gzip->next_out = packer->piece;
		gzip->avail_out = PACK_PIECE;
		deflate(gzip, flushes[to]);
		if (gzip->avail_out < PACK_PIECE)
			err = write(arg, packer->piece, PACK_PIECE - gzip->avail_out);
	} while (!err && gzip->avail_out == 0);
	return err;
}

static int pack_zstd(struct log_packer *packer, const void *bytes, size_t n, enum log_pack_until to,
		     log_write_bytes *write, void *arg)
{
	static const ZSTD_EndDirective directives[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
	ZSTD_inBuffer in = {bytes, n, 0};
	size_t left;
	int err = 0;

	do {
		ZSTD_outBuffer out = {packer->piece, PACK_PIECE, 0};

		left = ZSTD_compressStream2(packer->zstd, &out, &in, directives[to]);
		if (ZSTD_isError(left))
			return -ENOMEM;
		if (out.pos > 0)
			err = write(arg, packer->piece, out.pos);
		if (to == LOG_PACK_SOME)
			left = in.size - in.pos;
	} while (!err && left > 0);
	return err;
}

int log_pack(struct log_packer *packer, const void *bytes, size_t n, enum log_pack_until to,
	     log_write_bytes *write, void *arg)
{
	if (packer->packing == LOG_GZIP)
		return pack_gzip(packer, bytes, n, to, write, arg);
	return pack_zstd(packer, bytes, n, to, write, arg);
}

int log_pack_note(const char *text, size_t n, log_write_bytes *write, void *arg)
{
	const uint32_t size = (uint32_t)n + LOG_NOTE_CHECK;
	const uint32_t check = (uint32_t)crc32(0, (const Bytef *)text, (uInt)n);
	uint8_t head[LOG_NOTE_HEAD + LOG_NOTE_CHECK] = {0x51, 0x2a, 0x4d, 0x18};
	int err;

	if (n > LOG_NOTE)
		return 0;
	for (int i = 0; i < 4; i++) {
		head[4 + i] = (uint8_t)(size >> (8 * i));
		head[LOG_NOTE_HEAD + i] = (uint8_t)(check >> (8 * i));
	}
	err = write(arg, head, sizeof(head));
	if (err)
		return err;
	return write(arg, text, n);
}
