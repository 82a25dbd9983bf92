/* SPDX-License-Identifier: MIT */
#include "view/menu.h"

static int rows(const struct menu *menu)
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
	int n = rows(menu);

	return n > 0 ? menu_line(menu, n - 1, pitch) + pitch : 0;
}

int menu_row_at(const struct menu *menu, int line, int pitch)
{
	for (int row = 0; row < rows(menu); row++) {
		int at = menu_line(menu, row, pitch);

		if (line >= at && line < at + pitch)
			return row;
	}
	return -1;
}

static void move(struct menu *menu, int by)
{
	int row = menu->row + by, last = rows(menu) - 1;

	row = row > last ? last : row;
	row = row < 0 ? 0 : row;
	menu->stale |= row != menu->row;
	menu->row = row;
	menu->part = MENU_LIST;
}

/* Lines below one another: models, size, trials, settings. A recording has none. */
static void move_part(struct menu *menu, int by)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	int part = (int)menu->part + by;

	if (experiment && part >= MENU_MODELS && part < experiment->n_parts)
		menu->part = (enum menu_part)part;
}

static void next_part(struct menu *menu, int by)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	int last = experiment ? experiment->n_parts : 0;
	int part = menu->part == MENU_LIST ? last : (int)menu->part;

	part = (part + by + last + 1) % (last + 1);
	menu->part = part == last ? MENU_LIST : (enum menu_part)part;
}

/* Left of the first choice is the list. */
static void choose(struct menu *menu, int by)
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
	const bool among_parts = menu->part < MENU_PARTS;
	const int page = menu->shown.page > 1 ? menu->shown.page - 1 : 1;

	switch (key) {
	case KEY_UP_ARROW:
	case KEY_DOWN_ARROW:
		(among_parts ? move_part : move)(menu, key == KEY_UP_ARROW ? -1 : 1);
		break;
	case KEY_PAGE_UP:
	case KEY_PAGE_DOWN:
		move(menu, key == KEY_PAGE_UP ? -page : page);
		break;
	case KEY_HOME_KEY:
	case KEY_END_KEY:
		move(menu, key == KEY_HOME_KEY ? -rows(menu) : rows(menu));
		break;
	case KEY_TAB:
	case KEY_BACK_TAB:
		next_part(menu, key == KEY_TAB ? 1 : -1);
		break;
	case KEY_LEFT_ARROW:
	case KEY_RIGHT_ARROW:
		if (among_parts)
			choose(menu, key == KEY_RIGHT_ARROW ? 1 : -1);
		else if (key == KEY_RIGHT_ARROW && menu_experiment(menu) && !menu_lecture(menu))
			menu->part = MENU_MODELS;
	}
}

bool menu_ready(const struct menu *menu)
{
	return rows(menu) > 0 && !*menu->refusal;
}

static bool inside(const struct rect *rect, int x, int y)
{
	return x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h;
}

/* A second press on a row is Enter. */
static int row_mouse(struct menu *menu, int y)
{
	const struct menu_shown *shown = &menu->shown;
	int row = menu_row_at(menu, y - shown->list.y + shown->scroll, shown->pitch);
	int was = menu->row;

	if (row < 0)
		return 0;
	move(menu, row - was);
	return row == was ? KEY_ENTER_KEY : 0;
}

/* A key before the frame may have moved to a row with other choices. */
static int zone_mouse(struct menu *menu, const struct menu_zone *zone)
{
	if (!zone->key && menu->row != menu->shown.row)
		return 0;
	if (zone->part < MENU_PARTS)
		menu->part = zone->part;
	if (!zone->key && menu_experiment(menu)) {
		menu->experiments[menu->row].chosen[menu->part] = zone->value;
		menu->stale = true;
	}
	return zone->key;
}

int menu_mouse(struct menu *menu, int key, int x, int y)
{
	const struct menu_shown *shown = &menu->shown;
	const int label = keys_label_at(&shown->labels, x, y);

	if (key != KEY_MOUSE_PRESS) {
		menu->part = MENU_LIST;
		return key == KEY_WHEEL_UP ? KEY_UP_ARROW : KEY_DOWN_ARROW;
	}
	if (label)
		return label;
	for (int i = 0; i < shown->n_zones; i++)
		if (inside(&shown->zones[i].rect, x, y))
			return zone_mouse(menu, &shown->zones[i]);
	return inside(&shown->list, x, y) ? row_mouse(menu, y) : 0;
}
