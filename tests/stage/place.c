/* SPDX-License-Identifier: MIT */
#include "stage/place.h"

#include "stage/check.h"

#include <stdlib.h>
#include <sys/stat.h>

int place_set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	folder_make(place->state);
	assert_int_equal(mkdir(folder_at(place->folder, place->state, "tuibench"), 0700), 0);
	setenv("XDG_STATE_HOME", place->state, 1);
	*state = place;
	return 0;
}

int place_tear_down(void **state)
{
	struct place *place = *state;

	folder_remove(place->state);
	free(place);
	return 0;
}
