/* SPDX-License-Identifier: MIT */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * A bundle is a tar file (POSIX, ustar) for handing in a session. Its first member is the
 * recording. Its last member is SHA256SUMS, which sha256sum -c reads. The hashes detect damage and
 * careless edits, not deliberate forgery.
 */

#define SHA256_HEX 65 /* Hexadecimal digits and the NUL byte. */
void sha256(const void *bytes, size_t n, char hex[SHA256_HEX]);

#define BUNDLE_SESSION "session.csv"
/* Error for a tar file without a recording of that name. */
#define BUNDLE_ENONE   ENOMSG
#define BUNDLE_MEMBERS 1024

/* Whether the bytes, the first ones of a file, begin a tar file. */
bool bundle_is_tar(const void *bytes, size_t n);

struct bundle_member {
	const char *name;
	const void *bytes;
	size_t n;
};

/* Writes a bundle. Returns 0 or -ENOMEM. A write error only sets the stream's error flag. */
int bundle_write(const struct bundle_member *members, size_t n, FILE *out);
/* What bundle_read() finds. Nothing is unpacked. */
struct bundle {
	bool found; /* False: the file is not a bundle, so all of it is the recording. */
	off_t begin, end;
	bool recording_changed;
	/*
	 * Names of the members that were changed after the bundle was written; names that do not
	 * fit are left out.
	 */
	char changed[256];
};

/*
 * Finds the recording in a file, from byte `begin` to `end`, and the members that were changed
 * after the bundle was written. Returns 0 or -errno. -EBADMSG: the bundle is cut off, or has a kind
 * or number of members that tuibench never writes. -BUNDLE_ENONE: a tar file of another program.
 */
int bundle_read(int fd, struct bundle *bundle);
