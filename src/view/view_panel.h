/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"

/* Instead of the keys: the machine. */
void view_panel_source(const struct view_frame *frame, struct rect rect);
