/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * A lecture is a file of Markdown: its headings are scenes, the first paragraph of each is its
 * caption, a fenced block of tuibench is what runs or plays in it, and all else is for the speaker.
 * YAML front matter may give a title and an author.
 * Texts are one line, notes several; all of them are well-formed UTF-8 without controls.
 */

/* Limits of a lecture: bytes of the file, scenes, bytes of a command line. */
enum { LECTURE_BYTES = 256 * 1024, LECTURE_SCENES = 200, LECTURE_COMMAND = 480 };

struct lecture_scene {
	char *heading;
	char *caption;	/* the first paragraph; "": none */
	char *notes;	/* paragraphs with an empty line between them; "": none */
	char *command;	/* "tuibench" and its options; "": none */
	unsigned line;	/* line in the file: of the command, else of the heading */
	char other[32]; /* word of its first fenced block that is not tuibench, "" if none */
	unsigned other_line;
};

struct lecture {
	char *title; /* the front matter's, or the first heading; with an author */
	struct lecture_scene *scenes;
	size_t n; /* at least one */
};

/*
 * Reads a file. 0, or a negative errno, -EINVAL where it is no lecture; then error holds one line
 * with the file and, where there is one, its line, and the lecture is empty.
 */
int lecture_read(const char *path, struct lecture *lecture, char *error, size_t size);
/* The same for a text, which errors call name. */
int lecture_parse(const char *text, size_t n, const char *name, struct lecture *lecture,
		  char *error, size_t size);
void lecture_free(struct lecture *lecture);
