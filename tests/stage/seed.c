/* SPDX-License-Identifier: MIT */
#include "stage/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned seed_draw(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (unsigned)now.tv_nsec / 1000 ^ (unsigned)now.tv_sec;
}

void seed_random(void)
{
	const char *given = getenv("TUIBENCH_SEED");
	char *end = NULL;
	unsigned seed = given ? (unsigned)strtoul(given, &end, 10) : seed_draw();

	if (given && (*given < '0' || *given > '9' || *end)) {
		fprintf(stderr, "TUIBENCH_SEED: \"%s\" is no number\n", given);
		exit(2);
	}
	fprintf(stderr, "drawn at random: TUIBENCH_SEED=%u repeats it\n", seed);
	srandom(seed);
}
