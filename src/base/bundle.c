/* SPDX-License-Identifier: MIT */
#include "base/bundle.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

/* The hash function SHA-256. */

/* Source: FIPS 180-4. Each constant is the first 32 bits of the fraction of a prime's cube root. */

static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static void hash_block(uint32_t state[8], const uint8_t block[64])
{
	uint32_t w[64], s[8];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(s, state, sizeof(s));
	for (int i = 0; i < 64; i++) {
		uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
				 ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
		uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
				  ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(&s[1], &s[0], 7 * sizeof(*s));
		s[4] += first;
		s[0] = first + second;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

static const uint32_t first_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Hashes the last bytes, fewer than 64, and the padding that the standard adds to them. */
static void end_hash(uint32_t state[8], uint64_t all, const uint8_t *rest, char hex[SHA256_HEX])
{
	const size_t n = all % 64, end = n < 56 ? 64 : 128;
	uint8_t last[128] = {0};

	memcpy(last, rest, n);
	last[n] = 0x80;
	for (int i = 0; i < 8; i++)
		last[end - 1 - (size_t)i] = (uint8_t)(all * 8 >> 8 * i);
	for (size_t i = 0; i < end; i += 64)
		hash_block(state, last + i);
	for (int i = 0; i < 8; i++)
		snprintf(hex + 8 * i, 9, "%08x", state[i]);
}

void sha256(const void *bytes, size_t n, char hex[SHA256_HEX])
{
	uint32_t state[8];

	memcpy(state, first_state, sizeof(state));
	for (size_t i = 0; i + 64 <= n; i += 64)
		hash_block(state, (const uint8_t *)bytes + i);
	end_hash(state, n, (const uint8_t *)bytes + n / 64 * 64, hex);
}

static int hash_part(int fd, off_t at, off_t size, char hex[SHA256_HEX])
{
	uint8_t bytes[1 << 16];
	uint32_t state[8];
	off_t done = 0;
	size_t n = 0;

	memcpy(state, first_state, sizeof(state));
	do {
		size_t i = 0;

		n = (size_t)MIN((off_t)sizeof(bytes), size - done);
		if (pread(fd, bytes, n, at + done) != (ssize_t)n)
			return -EIO;
		for (; i + 64 <= n; i += 64)
			hash_block(state, bytes + i);
		done += (off_t)n;
		if (done == size)
			end_hash(state, (uint64_t)size, bytes + i, hex);
	} while (done < size);
	return 0;
}

/* The tar format of POSIX (ustar). */

#define BLOCK 512
enum {
	MODE = 100,
	UID = 108,
	GID = 116,
	SIZE = 124,
	TIME = 136,
	BUNDLE_SUM = 148,
	TYPE = 156,
	MAGIC = 257
};
#define SUMS "SHA256SUMS"
/* Largest size of that file: a hash, two blanks, a name and a newline for each member. */
#define SUMS_BYTES ((SHA256_HEX + MODE + 2) * BUNDLE_MEMBERS)

static void put_tar_member(FILE *out, const char *name, const void *bytes, size_t n)
{
	char header[BLOCK] = {0};
	unsigned sum = 0;

	snprintf(header, MODE, "%s", name);
	snprintf(header + MODE, UID - MODE, "%07o", 0644);
	snprintf(header + UID, GID - UID, "%07o", 0);
	snprintf(header + GID, SIZE - GID, "%07o", 0);
	snprintf(header + SIZE, TIME - SIZE, "%011llo", (unsigned long long)n);
	snprintf(header + TIME, BUNDLE_SUM - TIME, "%011o", 0);
	header[TYPE] = '0';
	memcpy(header + MAGIC, "ustar\00000", 8);
	for (int i = 0; i < BLOCK; i++)
		sum += i >= BUNDLE_SUM && i < TYPE ? ' ' : (unsigned char)header[i];
	snprintf(header + BUNDLE_SUM, TYPE - BUNDLE_SUM, "%06o", sum);
	header[TYPE - 1] = ' ';
	fwrite(header, 1, BLOCK, out);
	fwrite(bytes, 1, n, out);
	fwrite((char[BLOCK]) {0}, 1, (BLOCK - n % BLOCK) % BLOCK, out);
}

int bundle_write(const struct bundle_member *members, size_t n, FILE *out)
{
	char *sums = NULL, hex[SHA256_HEX];
	size_t length;
	FILE *memory = open_memstream(&sums, &length);

	if (!memory)
		return -errno;
	for (size_t i = 0; i < n; i++) {
		sha256(members[i].bytes, members[i].n, hex);
		fprintf(memory, "%s  %s\n", hex, members[i].name);
	}
	if (fclose(memory)) {
		free(sums);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		put_tar_member(out, members[i].name, members[i].bytes, members[i].n);
	put_tar_member(out, SUMS, sums, length);
	fwrite((char[2 *BLOCK]) {0}, 1, 2 * BLOCK, out);
	free(sums);
	return 0;
}

bool bundle_is_tar(const void *bytes, size_t n)
{
	return n >= MAGIC + 5 && memcmp((const char *)bytes + MAGIC, "ustar", 5) == 0;
}

/* A member of a tar file. */
struct member {
	char name[MODE + 1];
	char type;
	off_t at, size;
};

/*
 * Reads the header at *at and moves *at past the member. Returns 1; 0 at the end of the members;
 * -EBADMSG if the file is cut off or is no tar file.
 */
static int read_member(int fd, off_t end, off_t *at, struct member *member)
{
	char header[BLOCK], *rest;
	const char *name = header;
	unsigned long long bytes;

	*member = (struct member) {.name = ""};
	if (pread(fd, header, BLOCK, *at) != BLOCK || !*header)
		return 0;
	if (!bundle_is_tar(header, BLOCK))
		return -EBADMSG;
	if (strncmp(name, "./", 2) == 0)
		name += 2;
	snprintf(member->name, sizeof(member->name), "%.*s", (int)(header + MODE - name), name);
	member->type = header[TYPE];
	header[TIME - 1] = '\0';
	bytes = strtoull(header + SIZE, &rest, 8);
	/* GNU tar ends a number with a NUL byte, other programs with a blank. */
	rest += *rest == ' ';
	member->at = *at + BLOCK;
	if (*rest || bytes > (unsigned long long)(end - member->at))
		return -EBADMSG;
	member->size = (off_t)bytes;
	*at = member->at + (member->size + BLOCK - 1) / BLOCK * BLOCK;
	return 1;
}

static bool is_tar(int fd)
{
	char header[BLOCK];
	const ssize_t n = pread(fd, header, sizeof(header), 0);

	return n > 0 && bundle_is_tar(header, (size_t)n);
}

/* Directories and extended headers, which other tar programs add. */
static bool is_extra(const struct member *member)
{
	return member->type == '5' || member->type == 'x' || member->type == 'g';
}

/* Lists the members. Returns their number, or -EBADMSG if tuibench never writes such a bundle. */
static int list_members(int fd, off_t end, struct member *members, bool *has_session)
{
	struct member member;
	off_t at = 0;
	int n = 0, err;

	*has_session = false;
	while ((err = read_member(fd, end, &at, &member)) > 0) {
		*has_session |= strcmp(member.name, BUNDLE_SESSION) == 0;
		if (is_extra(&member))
			continue;
		/* Accept only plain files: links have another type. */
		if (n == BUNDLE_MEMBERS || member.type != '0')
			return -EBADMSG;
		members[n++] = member;
	}
	*has_session |= strcmp(member.name, BUNDLE_SESSION) == 0;
	if (err < 0)
		return err;
	return n;
}

static int read_sums(int fd, const struct member *member, char *sums, size_t size)
{
	const size_t n = (size_t)member->size;

	if (n >= size || pread(fd, sums, n, member->at) != (ssize_t)n)
		return -EBADMSG;
	sums[n] = '\0';
	return 0;
}

/* Names the members whose bytes do not match the sums, and finds the recording. */
static int check_members(int fd, const struct member *members, int n, const char *sums,
			 struct bundle *bundle)
{
	char hex[SHA256_HEX], line[SHA256_HEX + MODE + 4];

	for (int i = 0; i < n; i++) {
		const struct member *member = &members[i];
		const bool is_session = strcmp(member->name, BUNDLE_SESSION) == 0;
		const size_t used = strlen(bundle->changed);

		if (strcmp(member->name, SUMS) == 0)
			continue;
		if (hash_part(fd, member->at, member->size, hex) < 0)
			return -EIO;
		if (is_session) {
			bundle->begin = member->at;
			bundle->end = member->at + member->size;
		}
		snprintf(line, sizeof(line), "%s  %.*s\n", hex, MODE, member->name);
		if (strstr(sums, line))
			continue;
		bundle->recording_changed |= is_session;
		snprintf(bundle->changed + used, sizeof(bundle->changed) - used, "%s%s",
			 used ? ", " : "", member->name);
	}
	bundle->found = true;
	return 0;
}

/* Reads the members of any tar file. */
static int read_members(int fd, off_t end, struct member *members, char *sums,
			struct bundle *bundle)
{
	bool has_session;
	int n = list_members(fd, end, members, &has_session), err = 0;

	if (!has_session)
		return -BUNDLE_ENONE;
	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		if (strcmp(members[i].name, SUMS) == 0)
			err = read_sums(fd, &members[i], sums, SUMS_BYTES);
		if (err)
			return err;
	}
	return check_members(fd, members, n, sums, bundle);
}

int bundle_read(int fd, struct bundle *bundle)
{
	struct member *members;
	struct stat st;
	char *sums;
	int err = -ENOMEM;

	*bundle = (struct bundle) {.found = false};
	if (fstat(fd, &st) < 0)
		return -errno;
	bundle->end = st.st_size;
	if (!S_ISREG(st.st_mode) || !is_tar(fd))
		return 0;
	members = calloc(BUNDLE_MEMBERS, sizeof(*members));
	sums = calloc(SUMS_BYTES, 1);
	if (members && sums)
		err = read_members(fd, st.st_size, members, sums, bundle);
	free(members);
	free(sums);
	return err;
}
