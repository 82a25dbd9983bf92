/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "core/scoreboard.h"

/*
 * How long the calling thread could run and had no core, ns; -1: the kernel does not say. The bytes
 * that were read for it, which the kernel counts as the model's, are added to *bytes.
 */
int64_t usage_delay_ns(uint64_t *bytes);
/* How often the calling thread went to another core; the same. */
int64_t usage_migrations(uint64_t *bytes);

/* A file's first bytes, with a NUL; "" where it cannot be read. Returns how many. */
size_t usage_read(const char *path, char *text, size_t size);

enum { USAGE_IO = 5 };

/* The resources that the calling process and its reaped children have used so far. */
struct usage {
	struct rusage self, children;
	/* rchar, wchar, read_bytes, write_bytes, cancelled_write_bytes; UINT64_MAX: not known */
	uint64_t io[USAGE_IO];
	uint64_t own;		     /* bytes of /proc that this reading will add to rchar */
	uint64_t user_us, system_us; /* of the whole machine; UINT64_MAX: not known */
	uint64_t peak_kb; /* of the process's resident memory since the begin; the same */
};

/* At the begin and at the end of what is measured: neither reading's own use is in between. */
void usage_begin(struct usage *usage);
void usage_end(struct usage *usage);
/*
 * The use between two readings, without the first reading's own, the bytes that workers read to
 * tell of themselves, and what was written to disks.
 */
void usage_totals(const struct usage *before, const struct usage *after, uint64_t told_bytes,
		  struct board_totals *totals);
/*
 * The bytes written to disks since then. The kernel counts a page when it is made dirty, and takes
 * it back when its file goes before it was written: so it is asked after all files are closed.
 * UINT64_MAX: not known.
 */
uint64_t usage_disk_written(const struct usage *before);
