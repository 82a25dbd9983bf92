/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <limits.h>
#include <time.h>

#include "draw/canvas.h"
#include "draw/key.h"

bool machines_draw(struct machines_app *app, struct canvas *canvas, const char *notice)
{
	app->view.reading = app->n_waiting > 0;
	app->view.folder = app->folder;
	if (notice)
		app->view.notice = notice;
	else
		app->view.notice = "";
	app->machines.now_s = time(NULL);
	if (!app->grouped && app->machines.n_machines > MACHINES_DENSE)
		app->machines.group = machines_next_field(&app->machines, NULL);
	return view_machines_draw(canvas, &app->machines, &app->view) == 0;
}

void machines_press(struct machines_app *app, int key)
{
	struct view_machines *view = &app->view;

	switch (key) {
	case KEY_TAB:
	case KEY_RIGHT_ARROW:
		view->question++;
		break;
	case KEY_BACK_TAB:
	case KEY_LEFT_ARROW:
		view->question -= view->question > 0;
		break;
	case 'o':
		view->order = (view->order + 1) % MACHINES_ORDERS;
		break;
	case 'g': /* After the last field, switch grouping off. */
		app->grouped = true;
		app->machines.group = machines_next_field(&app->machines, app->machines.group);
		view->rows = !app->machines.group;
		view->scroll = 0;
		break;
	default:
		view_scroll_by(&view->scroll, INT_MAX / 2, key);
	}
}
