/* SPDX-License-Identifier: MIT */
#pragma once

#include "stage/folder.h"

/* A state folder of a test's own, where recordings are; the fixture of a cmocka test. */

struct place {
	char folder[FOLDER_PATH], state[FOLDER_PATH]; /* of recordings, and the one it is in */
};

/* *state is a struct place. */
int place_set_up(void **state);
int place_tear_down(void **state);
