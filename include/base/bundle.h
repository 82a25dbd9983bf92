/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A bundle to hand in: a tar file (POSIX, ustar) of a few members, the recording first, and last
 * SHA256SUMS, which sha256sum -c reads. The hashes show damage and careless changes; who wants to
 * deceive makes them anew.
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
 * Where the recording is in a bundle, and the names of the members that are not as they were
 * written; "": all are. 1: it is one; 0: it is none; -EBADMSG: of a bundle that is cut off, or with
 * members that no bundle has. Nothing is unpacked.
 */
int bundle_read(int fd, off_t *begin, off_t *end, char *changed, size_t size);
