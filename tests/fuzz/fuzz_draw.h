/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/*
 * Draws and exports what a fuzzer has read, at five sizes. A fuzzer draws one view and one export
 * of each input, a test draws all. No glyph may be a control character.
 */
void fuzz_draw(const struct model *model, uint64_t hash);
uint64_t fuzz_hash(const uint8_t *bytes, size_t n);
