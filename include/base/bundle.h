/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A bundle to hand in: a tar file (POSIX, ustar) of a few members, the recording first, and last
 * SHA256SUMS, which sha256sum -c reads. The hashes detect damage and careless edits, not deliberate
 * forgery.
 */

#define SHA256_HEX 65 /* with the NUL byte */
void sha256(const void *bytes, size_t n, char hex[SHA256_HEX]);

#define BUNDLE_SESSION "session.csv"
#define BUNDLE_MEMBERS 8

struct bundle_member {
	const char *name;
	const void *bytes;
	size_t n;
};

/* Returns 0 or -ENOMEM. Write errors are in the stream's error flag. */
int bundle_write(const struct bundle_member *members, size_t n, FILE *out);
/*
 * Finds the recording in a bundle, and the members changed since it was written. A file that is no
 * bundle counts as a recording. Nothing is unpacked.
 */
struct bundle {
	bool found; /* the file is a bundle */
	off_t begin, end;
	bool recording_changed;
	char changed[256]; /* the names of all changed members */
};

/* Returns 0 or -errno; -EBADMSG for a bundle that is cut off, or has members that no bundle has. */
int bundle_read(int fd, struct bundle *bundle);
