/* SPDX-License-Identifier: MIT */
#pragma once

#include "headline_text.h"

/*
 * Adds the sentence of a session that compares models at several values of its settings, such as
 * "processes slower at 5 of 7 values of size (1.10x to 2.3x), same at 2".
 */
void headline_sweep(struct sentence *s, const struct answer *answer, const struct model *model);

/*
 * While trials go on, adds at how many values each model is, or looks, the fastest; if there is no
 * ratio yet, adds that no trial is complete. Returns false otherwise. Also returns false if some
 * models of more than two are decided, because the fastest model need not be among these.
 */
bool headline_so_far(struct sentence *s, const struct answer *answer, const struct model *model);

/* Number of kinds of work; 0 if the cases do not name their work. */
uint32_t headline_kinds_of_work(const struct model *model);

/*
 * If the number of workers varies, adds how much longer the most take than the fewest: "From 2 to 8
 * workers, fp takes 4.0x as long, mem 4.4x to 5.8x". Returns false if a median is unknown.
 */
bool headline_growth(struct sentence *s, const struct answer *answer, const struct model *model,
		     bool so_far);

/* The rows with the least and the greatest median so far. */
struct reach {
	const struct answer_row *low, *high; /* NULL: no median is known. */
};

void headline_places_reach(struct reach *reach, const struct answer_row *row);
enum { PLACES_TEXT = 128 };
/* "24 to 31 us", "0.9 us to 3 ms", or "0.10 us" if both ends are printed alike. */
const char *headline_places_text(const struct answer *answer, const struct reach *reach,
				 char buf[PLACES_TEXT]);
#define REACH_TEXT(answer, reach) headline_places_text(answer, reach, (char[PLACES_TEXT]) {0})

/*
 * If two workers exchange messages on the same core and on two, adds how many times as long a round
 * trip takes on two as on one: "round trips take 3.6x to 8.2x as long on two cores as on one,
 * except by shared memory". Returns false if a cost is unknown.
 */
bool headline_places(struct sentence *s, const struct answer *answer, const struct model *model);

/*
 * Adds the costs of round trips so far, by all models, on one core, on two and by shared memory,
 * and at how many comparisons a model is ahead. Returns false if a cost is unknown.
 */
bool headline_places_so_far(struct sentence *s, const struct answer *answer,
			    const struct model *model);

/*
 * Adds at how many comparisons each model is ahead: "; threads ahead at 3 of 12, processes at 1".
 * Returns false if none is ahead: see answer_ahead().
 */
bool headline_ahead(struct sentence *s, const struct answer *answer, const struct model *model);
