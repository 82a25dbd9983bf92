/* SPDX-License-Identifier: MIT */
#pragma once

#include "stage/folder.h"

/*
 * A new state folder for a test, with a folder of recordings in it. The fixture of a cmocka test.
 */

struct place {
	/* the folder of recordings, and the state folder above it */
	char folder[FOLDER_PATH], state[FOLDER_PATH];
};

/* *state is a struct place. */
int place_set_up(void **state);
int place_tear_down(void **state);
