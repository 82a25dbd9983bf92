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

/* 0 or -ENOMEM; whether all of it was written, the stream knows. */
int bundle_write(const struct bundle_member *members, size_t n, FILE *out);
/*
 * Where the recording is in a bundle, and which members were changed since it was written. A file
 * that is no bundle is a recording. Nothing is unpacked.
 */
struct bundle {
	bool found; /* it is one */
	off_t begin, end;
	bool recording_changed;
	char changed[256]; /* the names of all such members */
};

/* 0 or -errno; -EBADMSG: a bundle that is cut off, or has members that none has. */
int bundle_read(int fd, struct bundle *bundle);
