/* SPDX-License-Identifier: MIT */
#include "view_cpus.h"

#include <math.h>
#include <stdio.h>

#include "draw/plot.h"

const struct view_load_kind view_load_kinds[LOAD_KINDS] = {
	{"user", 0x2588, COLOUR_USER},
	{"system", 0x2593, COLOUR_SYSTEM},
	{"I/O wait", 0x2592, COLOUR_IOWAIT},
	{"steal", 0x2591, COLOUR_STEAL},
};

void view_load_add(struct view_load *load, const struct sample_core *core)
{
	if (core->user < 0)
		return;
	load->kind[0] += core->user;
	load->kind[1] += core->system;
	load->kind[2] += core->iowait;
	load->kind[3] += core->steal;
	load->n++;
}

double view_load_share(const struct view_load *load, int kind)
{
	return load->n ? (double)load->kind[kind] / (double)load->n / 1000 : NAN;
}

double view_load_busy(const struct view_load *load)
{
	return view_load_share(load, 0) + view_load_share(load, 1) + view_load_share(load, 3);
}

void view_load_percent(char *buf, size_t size, const struct view_load *load)
{
	if (load->n)
		snprintf(buf, size, "%3.0f %%", view_load_busy(load) * 100);
	else
		snprintf(buf, size, "  ? %%");
}

void view_load_stack(struct canvas *canvas, struct rect rect, int x, const struct view_load *load)
{
	struct plot_part parts[LOAD_KINDS];

	if (!load->n)
		return;
	for (int i = 0; i < LOAD_KINDS; i++)
		parts[i] = (struct plot_part) {view_load_share(load, i), view_load_kinds[i].glyph,
					       view_load_kinds[i].colour};
	/* Idle is not the same as not known. */
	canvas_put(canvas, x, rect.y + rect.h - 1, 0x28c0, STYLE(COLOUR_BORDER));
	plot_stack(canvas, rect, x, parts, LOAD_KINDS);
}
