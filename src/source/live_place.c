/* SPDX-License-Identifier: MIT */
#include "live_place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of one core; the older half goes when it is full. */
#define MOST_SPANS 4096

/* In order of time, apart from one another. */
struct place_core {
	struct place_span *spans;
	size_t n;
};

static struct place_core *core_at(struct live_place *place, int cpu)
{
	struct place_core *grown;
	size_t at = (size_t)cpu, n = at + 1;

	if (at < place->n)
		return &place->cores[at];
	grown = realloc(place->cores, n * sizeof(*grown));
	if (!grown)
		return NULL;
	memset(grown + place->n, 0, (n - place->n) * sizeof(*grown));
	place->cores = grown;
	place->n = n;
	return &grown[at];
}

/* The first span that ends after a moment. */
static size_t first_after(const struct place_core *core, uint64_t at_ns)
{
	size_t low = 0, high = core->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (core->spans[middle].off_ns > at_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int insert(struct place_core *core, struct place_span span)
{
	size_t at;

	if (!core->spans)
		core->spans = malloc(MOST_SPANS * sizeof(*core->spans));
	if (!core->spans)
		return -ENOMEM;
	if (core->n == MOST_SPANS) {
		size_t kept = core->n / 2;

		memmove(core->spans, core->spans + (core->n - kept), kept * sizeof(*core->spans));
		core->n = kept;
	}
	at = first_after(core, span.on_ns);
	memmove(core->spans + at + 1, core->spans + at, (core->n - at) * sizeof(*core->spans));
	core->spans[at] = span;
	core->n++;
	return 0;
}

/* One with the span before it where that ends as this begins. */
static bool prolong(struct place_core *core, struct place_span span)
{
	size_t at = first_after(core, span.on_ns);

	if (at == 0 || core->spans[at - 1].off_ns != span.on_ns)
		return false;
	core->spans[at - 1].off_ns = span.off_ns;
	return true;
}

int live_place_put(struct live_place *place, int cpu, struct place_span span)
{
	struct place_core *core;

	if (cpu < 0 || span.on_ns >= span.off_ns)
		return 0;
	core = core_at(place, cpu);
	if (!core)
		return -ENOMEM;
	return prolong(core, span) ? 0 : insert(core, span);
}

bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found)
{
	const struct place_core *core;
	size_t i;

	*found = span;
	if (cpu < 0 || (size_t)cpu >= place->n)
		return span.on_ns < span.off_ns;
	core = &place->cores[cpu];
	for (i = first_after(core, span.on_ns); i < core->n; i++) {
		if (core->spans[i].on_ns > found->on_ns)
			break;
		found->on_ns = core->spans[i].off_ns;
	}
	if (i < core->n && core->spans[i].on_ns < found->off_ns)
		found->off_ns = core->spans[i].on_ns;
	return found->on_ns < found->off_ns;
}

void live_place_close(struct live_place *place)
{
	for (size_t i = 0; i < place->n; i++)
		free(place->cores[i].spans);
	free(place->cores);
	memset(place, 0, sizeof(*place));
}
