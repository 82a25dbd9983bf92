/* SPDX-License-Identifier: MIT */
#include "view_rows.h"

#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/plan.h"

static void legend_add(struct view_shown *shown, struct view_ink ink, const char *name)
{
	for (int i = 0; i < shown->n_legend; i++)
		if (strcmp(shown->legend[i].name, name) == 0)
			return;
	if (shown->n_legend < VIEW_LEGENDS)
		shown->legend[shown->n_legend++] = (struct view_legend) {ink, name};
}

/* The number of kinds of work that the workers do. */
static int count_kinds(const struct plan *plan)
{
	int kinds = 0;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		kinds += plan->leaves[kind] > 0;
	return kinds;
}

/*
 * The meaning of a height in a row of many workers, or in the row of a task whose slices are
 * sampled.
 */
static const char *part_meaning(const struct view_list *l)
{
	if (!model_has_slices(l->run)) {
		if (l->tasks)
			return "how many";
		return "number started";
	}
	if (l->tasks && model_tasks_sampled(l->model))
		return "how much of 50 ms";
	return "share of the cores";
}

/* The meaning of a line that shows no particular kind of work. */
static const char *other_meaning(const struct view_list *l)
{
	if (l->tasks)
		return "alive";
	if (count_kinds(&l->tree->plan) == 1 && l->tree->plan.leaves[WORK_NULL] > 0)
		return "started";
	return "other";
}

static const char *ink_name(const struct view_list *l, enum view_inks ink)
{
	static const char *const names[VIEW_INKS] = {
		[INK_CREATED] = "created",
		[INK_MANY_CREATED] = "created",
		[INK_BARRIER] = "barrier",
		[INK_ON] = "on a core",
		[INK_FULL] = "on a core",
		[INK_PART] = "partly on a core",
		[INK_MANY_FULL] = "on a core",
		[INK_WAITING] = "waiting",
		[INK_REQUEST] = "some requests",
		[INK_THROTTLED] = "throttled",
		[INK_MANY_THROTTLED] = "throttled",
		[INK_BLOCKED] = "blocked",
		[INK_MANY_BLOCKED] = "blocked",
		[INK_FINISHED] = "finished",
		[INK_MANY_FINISHED] = "to join",
		[INK_JOINED] = "joined",
		[INK_THREAD] = "thread",
		[INK_FAILED] = "failed",
		[INK_BLANK] = "blank: none",
	};

	if (ink == INK_BLANK && (l->tasks || model_has_slices(l->run)))
		return NULL;
	if (ink == INK_MANY_PART)
		return part_meaning(l);
	if (ink == INK_JOINED && l->tasks)
		return "ended";
	if (ink < INK_WORK || ink >= INK_ON)
		return names[ink];
	if (view_ink_of(ink).colour == COLOUR_OTHER)
		return other_meaning(l);
	return plan_work_name((ink - INK_WORK) % WORK_KINDS);
}

/* Adds the colours of the plot of living workers. The last level has its model's hue. */
static void legend_add_levels(const struct view_list *l)
{
	static const char *const names[] = {"level 1", "level 2", "level 3"};
	const struct rows_levels *curves = view_rows_levels(l, false);
	const int last = (int)l->tree->plan.levels - 1;
	const uint8_t hue = view_hue(l->model, l->run->id.case_id);
	bool alive[PLAN_MAX_LEVELS] = {false};

	if (!curves || last == 0)
		return;
	for (int i = 0; i < (last + 1) * curves->key.w; i++)
		alive[i / curves->key.w] |= curves->values[i] > 0;
	for (int level = 0; level < MIN(last, (int)LENGTH(names)); level++)
		if (alive[level])
			legend_add(l->shown,
				   (struct view_ink) {0x2588, (uint8_t)(COLOUR_LEVEL0 + level)},
				   names[level]);
	if (alive[last])
		legend_add(l->shown, (struct view_ink) {0x2588, hue}, "last level");
}

void view_legend_add(const struct view_list *l, uint64_t set, bool alive)
{
	const uint8_t many = view_bar_colour_of_many(view_list_work(&l->tree->plan));
	const bool tall = view_list_pitch(l) > 2;

	for (enum view_inks ink = INK_NONE; ink < VIEW_INKS; ink++) {
		struct view_ink look = view_ink_of(ink);
		const char *name = ink_name(l, ink);

		if (!name || !(set >> ink & 1))
			continue;
		if (ink == INK_MANY_FULL || ink == INK_MANY_PART)
			look.colour = many;
		if (tall && look.tall)
			look.glyph = look.tall;
		legend_add(l->shown, look, name);
	}
	if (alive)
		legend_add_levels(l);
}
