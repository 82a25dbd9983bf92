/* SPDX-License-Identifier: MIT */
#include "live_fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Guesses up to this are placed before longer ones: who knows more comes first. */
#define SHORT_NS 256000
/* Between others free stretches shorter than this are how exactly they know their own ends. */
#define LEAST_NS 128000

static bool is_crumb(struct place_span span)
{
	return span.off_ns - span.on_ns < LEAST_NS;
}

void live_fit_begin(struct live_fit *fit)
{
	fit->n_notes = fit->n_pieces = 0;
}

int live_fit_add(struct live_fit *fit, const struct fit_note *note)
{
	struct fit_note *notes =
		array_room(fit->notes, fit->n_notes, &fit->cap_notes, sizeof(*notes));

	if (!notes)
		return -ENOMEM;
	fit->notes = notes;
	notes[fit->n_notes++] = *note;
	return 0;
}

static int add_piece(struct live_fit *fit, size_t note, int16_t cpu, struct place_span span)
{
	struct fit_piece *pieces =
		array_room(fit->pieces, fit->n_pieces, &fit->cap_pieces, sizeof(*pieces));

	if (!pieces)
		return -ENOMEM;
	fit->pieces = pieces;
	pieces[fit->n_pieces++] = (struct fit_piece) {note, span.on_ns, span.off_ns, cpu};
	return live_place_put(&fit->place, cpu, span);
}

/* What is sure is less so where another's end was placed beyond it: that is left to the other. */
static int place_sure(struct live_fit *fit, size_t number)
{
	const struct fit_note *note = &fit->notes[number];
	struct place_span left = {note->on_ns, note->sure_ns}, span;
	int err = 0;

	while (!err && live_place_free(&fit->place, note->cpu, left, &span)) {
		left.on_ns = span.off_ns;
		if (span.off_ns == note->sure_ns || !is_crumb(span))
			err = add_piece(fit, number, note->cpu, span);
	}
	return err;
}

/* What is left of a guess, and where from it may be placed. */
struct rest {
	uint64_t guess_ns, from_ns, until_ns;
	unsigned pieces; /* between two switches */
};

static const struct fit_note *next_of(const struct live_fit *fit, size_t number)
{
	const struct fit_note *note = &fit->notes[number];

	return number + 1 < fit->n_notes && note[1].worker == note->worker ? note + 1 : NULL;
}

static int take(struct live_fit *fit, size_t number, int16_t cpu, struct place_span span,
		struct rest *rest)
{
	rest->guess_ns -= span.off_ns - span.on_ns;
	rest->from_ns = span.off_ns;
	return add_piece(fit, number, cpu, span);
}

static bool find_free(const struct live_fit *fit, int16_t cpu, const struct rest *rest,
		      struct place_span *span)
{
	return rest->guess_ns > 0 &&
	       live_place_free(&fit->place, cpu,
			       (struct place_span) {rest->from_ns, rest->until_ns}, span);
}

static struct place_span cut(struct place_span span, uint64_t most_ns)
{
	if (span.off_ns - span.on_ns > most_ns)
		span.off_ns = span.on_ns + most_ns;
	return span;
}

/* It went on where it was seen, until somebody else came. */
static int go_on(struct live_fit *fit, size_t number, struct rest *rest)
{
	int16_t cpu = fit->notes[number].cpu;
	struct place_span span;

	if (!find_free(fit, cpu, rest, &span) || span.on_ns != rest->from_ns)
		return 0;
	return take(fit, number, cpu, cut(span, rest->guess_ns), rest);
}

/* What ends with the call is come_back()'s. */
static int come_and_go(struct live_fit *fit, size_t number, int16_t cpu, struct rest *rest)
{
	struct rest left = *rest;
	struct place_span span;
	int err = 0;

	while (!err && rest->pieces > 0 && find_free(fit, cpu, &left, &span)) {
		left.from_ns = span.off_ns;
		if (is_crumb(span) || span.off_ns == rest->until_ns)
			continue;
		rest->pieces--;
		err = take(fit, number, cpu, cut(span, rest->guess_ns), rest);
		left = *rest;
	}
	return err;
}

/* It had come back before the moment that it took for that: its next slice begins earlier. */
static int come_back(struct live_fit *fit, size_t number, struct rest *rest)
{
	int16_t cpu = fit->notes[number + 1].cpu;
	struct rest left = *rest;
	struct place_span span;

	while (find_free(fit, cpu, &left, &span) && span.off_ns < rest->until_ns)
		left.from_ns = span.off_ns;
	if (!find_free(fit, cpu, &left, &span))
		return 0;
	if (span.off_ns - span.on_ns > rest->guess_ns)
		span.on_ns = span.off_ns - rest->guess_ns;
	rest->guess_ns -= span.off_ns - span.on_ns;
	rest->until_ns = span.on_ns;
	return add_piece(fit, number + 1, cpu, span);
}

/* Rather a piece too many than time that is lost; but crumbs would be switches that were none. */
static int fill(struct live_fit *fit, size_t number, int16_t cpu, struct rest *rest)
{
	struct rest left = *rest;
	struct place_span span;
	int err = 0;

	while (!err && find_free(fit, cpu, &left, &span)) {
		left.from_ns = span.off_ns;
		span = cut(span, rest->guess_ns);
		if (is_crumb(span))
			continue;
		err = take(fit, number, cpu, span, rest);
		left = *rest;
	}
	return err;
}

static int place_between(struct live_fit *fit, size_t number, int16_t next_cpu, struct rest *rest)
{
	int16_t cpu = fit->notes[number].cpu;
	int err = come_and_go(fit, number, cpu, rest);

	if (!err && next_cpu != cpu)
		err = come_and_go(fit, number, next_cpu, rest);
	return err ? err : come_back(fit, number, rest);
}

/* On two cores at once it was not: what comes on another one lies behind the pieces before. */
static int place_guess(struct live_fit *fit, size_t number)
{
	const struct fit_note *note = &fit->notes[number], *next = next_of(fit, number);
	int16_t cpu = note->cpu, next_cpu = next ? next->cpu : cpu;
	struct rest rest = {
		.guess_ns = note->guess_ns,
		.from_ns = note->sure_ns,
		.until_ns = next ? next->on_ns : note->sure_ns + note->guess_ns,
		.pieces = note->switches > 0 ? note->switches - 1u : 0,
	};
	int err = go_on(fit, number, &rest);

	if (!err && next)
		err = place_between(fit, number, next_cpu, &rest);
	if (next_cpu == cpu)
		rest.from_ns = note->sure_ns;
	if (!err)
		err = fill(fit, number, cpu, &rest);
	return err || next_cpu == cpu ? err : fill(fit, number, next_cpu, &rest);
}

static int place_guesses(struct live_fit *fit, bool brief)
{
	int err = 0;

	for (size_t i = 0; i < fit->n_notes && !err; i++)
		if (fit->notes[i].guess_ns > 0 && (fit->notes[i].guess_ns <= SHORT_NS) == brief)
			err = place_guess(fit, i);
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct fit_piece *x = a, *y = b;

	if (x->note != y->note)
		return x->note < y->note ? -1 : 1;
	return x->on_ns < y->on_ns ? -1 : x->on_ns > y->on_ns;
}

int live_fit_place(struct live_fit *fit)
{
	int err = 0;

	for (size_t i = 0; i < fit->n_notes && !err; i++)
		err = place_sure(fit, i);
	if (!err)
		err = place_guesses(fit, true);
	if (!err)
		err = place_guesses(fit, false);
	if (fit->n_pieces > 0)
		qsort(fit->pieces, fit->n_pieces, sizeof(*fit->pieces), compare);
	return err;
}

void live_fit_close(struct live_fit *fit)
{
	live_place_close(&fit->place);
	free(fit->notes);
	free(fit->pieces);
	memset(fit, 0, sizeof(*fit));
}
