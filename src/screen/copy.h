/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* The room that copy_encode() takes for so many bytes, with its end. */
#define COPY_SIZE(n) (((n) + 2) / 3 * 4 + 1)

/* Base64 (RFC 4648), as terminals take what is to be copied. Returns buf. */
char *copy_encode(const void *bytes, size_t n, char *buf);
