/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32

/* SHA-256 of n bytes. */
void sha256(const void *bytes, size_t n, uint8_t digest[SHA256_BYTES]);
