/* SPDX-License-Identifier: MIT */
#include "stage/seed.h"

#include <stdio.h>
#include <stdlib.h>

void seed_random(void)
{
	const char *given = getenv("TUIBENCH_SEED");
	char *end = NULL;
	unsigned seed = 1;

	if (given)
		seed = (unsigned)strtoul(given, &end, 10);
	if (given && (*given < '0' || *given > '9' || *end)) {
		fprintf(stderr, "TUIBENCH_SEED: \"%s\" is no number\n", given);
		exit(2);
	}
	fprintf(stderr, "drawn with TUIBENCH_SEED=%u\n", seed);
	srandom(seed);
}
