/* SPDX-License-Identifier: MIT */
#pragma once

#include "app_state.h"

/* What keys and the mouse do to a session. */

/* All that were pressed since the last call. */
void press_keys(struct app *app);
/* Pauses the workers, or lets them go on. */
void press_pause(struct app *app);
void press_open_menu(struct app *app, int key);
/* A lecture's scene as the view's state; its next one is to be checked. */
void press_scene(struct app *app);
