/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan.h"

/*
 * What a report did to its work and should not have, chosen on purpose to see what it does. Zeros
 * are none of them.
 */

enum mistakes_order { MEM_RANDOM, MEM_SEQUENTIAL };

struct mistakes {
	uint32_t mem_order; /* enum mistakes_order: how mem workers walk */
	uint32_t rounds;    /* of mem and write workers; 0: as many as the kind has by itself */
	bool share_file;    /* io and write workers write one file, all of one kind the same */
};

/* Whether one of the plan's workers does what the mistake is about. */
bool mistakes_concern_files(const struct plan *plan);
bool mistakes_concern_rounds(const struct plan *plan);

bool mistakes_equal(const struct mistakes *a, const struct mistakes *b);
/* " share_file mem_order:sequential rounds:1000" as recordings have them. Returns buf. */
char *mistakes_words(const struct mistakes *mistakes, char *buf, size_t size);
/* Takes such a word, up to its colon, with the text behind it; false: it is none of them. */
bool mistakes_take(struct mistakes *mistakes, const char *word, const char *value);
