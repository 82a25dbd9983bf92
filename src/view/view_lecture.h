/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"

/* A lecture's scene around the session that it shows. */

/* The lines at the bottom: heading and caption; 0 without a lecture, or without room. */
int view_lecture_lines(const struct view_frame *frame);
void view_lecture_draw(const struct view_frame *frame, struct rect rect);
/* Instead of a view, where the scene has no session: the headings, and what is wrong. */
void view_lecture_slide(const struct view_frame *frame, struct rect body);
/* The whole screen of the speaker: the scene, its notes, the next one, the time. */
void view_lecture_notes(const struct view_frame *frame);
