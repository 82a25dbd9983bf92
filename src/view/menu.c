/* SPDX-License-Identifier: MIT */
#include "view/menu.h"

const struct menu_experiment *menu_experiment(const struct menu *menu)
{
	if (menu->row < menu->n_experiments)
		return &menu->experiments[menu->row];
	return NULL;
}

const struct menu_recording *menu_recording(const struct menu *menu)
{
	int i = menu->row - menu->n_experiments;

	if (i >= 0 && i < menu->n_recordings)
		return &menu->recordings[i];
	return NULL;
}

bool menu_lecture(const struct menu *menu)
{
	const struct menu_experiment *experiment = menu_experiment(menu);

	return experiment && experiment->n_parts == 0;
}
