/* SPDX-License-Identifier: MIT */
#pragma once

#include "lecturer.h"

/*
 * The words of a scene's command, with what the speaker asked of the screen, checked as if they
 * were typed, and what they ask of the view. Recordings are those beside the lecture's file. 0, or
 * a negative errno with a line in error that names file and line; none where the scene has no
 * command.
 */
int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size);
/*
 * Writes a line for each option of the scene's command that starts or opens something outside
 * tuibench. 0, or a negative errno with a line in error: no memory, or a file of options, which no
 * scene may have. What is wrong with the command is not told here.
 */
int lecturer_words_outside(const struct lecture_scene *scene, const char *path, FILE *outside,
			   char *error, size_t size);
/* As lecturer_words_make(), of words that it has already; recordings are where they say. */
int lecturer_words_look(struct lecturer_scene *made, const struct options *now, char *error,
			size_t size);
/* Whether what they name can run or play now. The same, without file and line. */
int lecturer_words_check(struct next *words, char *error, size_t size);
