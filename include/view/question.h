/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "draw/canvas.h"

/*
 * A question over the screen about what a file asks for. It can be answered only when all of its
 * text has been drawn, so that nobody agrees to what they could not see.
 */
struct view_question {
	const char *title;
	char *text;	 /* paragraphs; NULL: nothing is asked; the owner's to free */
	const char *yes; /* what Enter does: "runs it" */
	int key;	 /* another key that does the same; 0: none */
	int scroll;	 /* first line shown */
	int most, page;	 /* of the last frame: the last line to scroll to, lines shown */
	bool drawn;	 /* since it was opened, or since Enter scrolled */
};

/*
 * Paragraphs that begin with "* " are what starts or opens something outside tuibench, those with
 * "$ " are command lines.
 */
void view_question_draw(struct canvas *canvas, struct view_question *question);
/*
 * A key that scrolls or agrees: Enter shows the next page until the last one is on the screen, and
 * agrees there. Whether it agreed.
 */
bool view_question_agree(struct view_question *question, int key);
