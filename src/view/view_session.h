/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"

/* What one has to know of a session to trust it: its machine, what ran, where figures are from. */

/* The lines that all of it takes at that width, without a box. */
int view_session_lines(const struct view_frame *frame, int width);
/* As many of them as fit, the first ones. */
void view_session_draw(const struct view_frame *frame, struct rect inner);
