/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live_place.h"

/*
 * Notes of workers as stretches of which no two are on one core at once. What a worker knows for
 * sure is placed first; then what it was on a core within a long call, where the core was nobody
 * else's: from the call's begin on, in as many pieces as it was switched, up to the call's end.
 */

/* A slice as a worker noted it, or what came on since it was placed last. */
struct fit_note {
	uint32_t worker;
	uint64_t on_ns, sure_ns; /* surely on its core from, until */
	uint64_t guess_ns;	 /* and for so long until its next note begins */
	int16_t cpu;
	uint8_t why; /* enum sample_why, of its end */
	uint8_t switches;
	bool open; /* it goes on */
};

/* A part of the note of that number. */
struct fit_piece {
	size_t note;
	uint64_t on_ns, off_ns;
	int16_t cpu;
};

struct live_fit {
	struct live_place place;
	struct fit_note *notes;
	size_t n_notes, cap_notes;
	struct fit_piece *pieces; /* by note, then time */
	size_t n_pieces, cap_pieces;
};

/* Forgets the notes, not who was where. */
void live_fit_begin(struct live_fit *fit);
/* Those of one worker one behind the other. 0 or -ENOMEM. */
int live_fit_add(struct live_fit *fit, const struct fit_note *note);
/* Makes the pieces of all notes. 0 or -ENOMEM. */
int live_fit_place(struct live_fit *fit);
/* Safe on a zeroed one. */
void live_fit_close(struct live_fit *fit);
