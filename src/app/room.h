/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "cli/options.h"
#include "app.h"

/* --replay and --export of a folder, or of several recordings, as one room of machines. */

/* Whether the recordings may be a room: a folder, or at least ROOM_LEAST names. */
bool room_is_meant(const struct options *options);
/*
 * Pools and shows them, on the screen while a folder is watched. Returns the exit status; -1: they
 * are recordings of fewer than ROOM_LEAST machines, which are shown side by side.
 */
int room_run(const struct options *options, struct console *console);
