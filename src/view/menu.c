/* SPDX-License-Identifier: MIT */
#include "view/menu.h"

#include <sys/param.h>

static int menu_rows(const struct menu *menu)
{
	return menu->n_experiments + menu->n_recordings;
}

const struct menu_experiment *menu_experiment(const struct menu *menu)
{
	return menu->row < menu->n_experiments ? &menu->experiments[menu->row] : NULL;
}

const struct menu_recording *menu_recording(const struct menu *menu)
{
	int i = menu->row - menu->n_experiments;

	return i >= 0 && i < menu->n_recordings ? &menu->recordings[i] : NULL;
}

bool menu_lecture(const struct menu *menu)
{
	const struct menu_experiment *experiment = menu_experiment(menu);

	return experiment && experiment->n_parts == 0;
}

/* A heading above the experiments; a blank line and one above the recordings. */
int menu_line(const struct menu *menu, int row, int pitch)
{
	return row * pitch + (row < menu->n_experiments ? 1 : 3);
}

int menu_lines(const struct menu *menu, int pitch)
{
	int n = menu_rows(menu);

	return n > 0 ? menu_line(menu, n - 1, pitch) + pitch : 0;
}

static void menu_select(struct menu *menu, int row)
{
	row = MAX(0, MIN(row, menu_rows(menu) - 1));
	menu->stale |= row != menu->row;
	menu->row = row;
	menu->part = MENU_LIST;
}

/* Left and right: another choice of a line. Left of the first one is the list. */
static void menu_choose(struct menu *menu, int by)
{
	struct menu_experiment *experiment = &menu->experiments[menu->row];
	int chosen = experiment->chosen[menu->part] + by;

	if (chosen < 0)
		menu->part = MENU_LIST;
	if (chosen < 0 || chosen >= experiment->n[menu->part])
		return;
	experiment->chosen[menu->part] = chosen;
	menu->stale = true;
}

void menu_move(struct menu *menu, int key)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	const bool among_parts = menu->part < MENU_PARTS;
	const int n_parts = experiment ? experiment->n_parts : 0; /* a recording has none */
	const int page = MAX(1, menu->shown.page - 1);
	int part;

	switch (key) {
	case KEY_UP_ARROW:
	case KEY_DOWN_ARROW:
		part = (int)menu->part + (key == KEY_UP_ARROW ? -1 : 1);
		if (!among_parts)
			menu_select(menu, menu->row + (key == KEY_UP_ARROW ? -1 : 1));
		else if (part >= MENU_MODELS && part < n_parts)
			menu->part = (enum menu_part)part;
		break;
	case KEY_PAGE_UP:
	case KEY_PAGE_DOWN:
		menu_select(menu, menu->row + (key == KEY_PAGE_UP ? -page : page));
		break;
	case KEY_HOME_KEY:
	case KEY_END_KEY:
		menu_select(menu, key == KEY_HOME_KEY ? 0 : menu_rows(menu) - 1);
		break;
	case KEY_TAB:
	case KEY_BACK_TAB:
		/* The list comes behind the last line. */
		part = among_parts ? (int)menu->part : n_parts;
		part = (part + (key == KEY_TAB ? 1 : n_parts)) % (n_parts + 1);
		menu->part = part == n_parts ? MENU_LIST : (enum menu_part)part;
		break;
	case KEY_LEFT_ARROW:
	case KEY_RIGHT_ARROW:
		if (among_parts)
			menu_choose(menu, key == KEY_RIGHT_ARROW ? 1 : -1);
		else if (key == KEY_RIGHT_ARROW && n_parts > 0)
			menu->part = MENU_MODELS;
	}
}

bool menu_ready(const struct menu *menu)
{
	return menu_rows(menu) > 0 && !*menu->refusal;
}

/* A second press on a row is Enter; a heading is no row. */
static int menu_press_row(struct menu *menu, int y)
{
	const struct menu_shown *shown = &menu->shown;
	const int line = y - shown->list.y + shown->scroll, was = menu->row;

	for (int row = 0; row < menu_rows(menu); row++) {
		int at = menu_line(menu, row, shown->pitch);

		if (line < at || line >= at + shown->pitch)
			continue;
		menu_select(menu, row);
		return row == was ? KEY_ENTER_KEY : 0;
	}
	return 0;
}

int menu_mouse(struct menu *menu, int key, int x, int y)
{
	const struct menu_shown *shown = &menu->shown;
	const struct menu_zone *zone = shown->zones;
	const int label = keys_label_at(&shown->labels, x, y);

	if (key != KEY_MOUSE_PRESS) {
		menu->part = MENU_LIST;
		return key == KEY_WHEEL_UP ? KEY_UP_ARROW : KEY_DOWN_ARROW;
	}
	if (label)
		return label;
	while (zone < shown->zones + shown->n_zones && !rect_has(&zone->rect, x, y))
		zone++;
	if (zone == shown->zones + shown->n_zones)
		return rect_has(&shown->list, x, y) ? menu_press_row(menu, y) : 0;
	/* A key before the frame may have moved to a row with other choices. */
	if (!zone->key && menu->row != shown->row)
		return 0;
	if (zone->part < MENU_PARTS)
		menu->part = zone->part;
	if (!zone->key && menu_experiment(menu)) {
		menu->experiments[menu->row].chosen[menu->part] = zone->value;
		menu->stale = true;
	}
	return zone->key;
}
