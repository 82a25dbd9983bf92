/* SPDX-License-Identifier: MIT */
#include "copy.h"

#include <stdint.h>

/* Three bytes, of which so many are there, as four characters. */
static char *encode_three(const unsigned char *bytes, size_t n, char *to)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t three = (uint32_t)bytes[0] << 16;

	if (n > 1)
		three |= (uint32_t)bytes[1] << 8;
	if (n > 2)
		three |= bytes[2];
	for (size_t i = 0; i < 4; i++)
		*to++ = '=';
	for (size_t i = 0; i <= (n > 3 ? 3 : n); i++)
		to[(int)i - 4] = letters[three >> (18 - 6 * i) & 63];
	return to;
}

char *copy_encode(const void *bytes, size_t n, char *buf)
{
	const unsigned char *from = bytes;
	char *to = buf;

	for (size_t i = 0; i < n; i += 3)
		to = encode_three(from + i, n - i, to);
	*to = '\0';
	return buf;
}
