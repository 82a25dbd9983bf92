/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"

/* Over the body of the screen: the medians as large as it allows. */
void view_present_draw(const struct view_frame *frame, struct rect body);
/* Instead of all that tells who leads: the question, until it is revealed. */
void view_cover_draw(const struct view_frame *frame, struct rect rect);
