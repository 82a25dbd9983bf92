/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A lecture is a Markdown file. Its headings are scenes. The first paragraph below a heading is the
 * scene's caption. A fenced code block with the info string "tuibench" is the command that the
 * scene runs or plays. All other text, except HTML, is notes for the speaker. YAML front matter may
 * give a title and an author. Notes may have several lines; other texts are one line. All texts are
 * valid UTF-8 without control characters.
 */

/* Limits of a lecture: bytes of the file, number of scenes, bytes of a command line. */
enum { LECTURE_BYTES = 256 * 1024, LECTURE_SCENES = 200, LECTURE_COMMAND = 480 };

/* Limits of a list that sums a lecture up: number of items, bytes of an item. */
enum { LECTURE_ITEMS = 24, LECTURE_ITEM = 256 };
/* The item names no scene. */
#define LECTURE_UNNAMED SIZE_MAX

struct lecture_scene {
	char *heading;
	char *caption; /* First paragraph; "": none. */
	char *notes;   /* Paragraphs, separated by empty lines; "": none. */
	char *command; /* "tuibench" and its options; "": none */
	unsigned
		line; /* Line of the command in the file; without a command, line of the heading. */
	/* Info string and line of the scene's first other code block. Such a block does not run. */
	char other[32];
	unsigned other_line; /* 0: none. */
};

struct lecture {
	char *title; /* From the front matter, or the first heading. Includes the author. */
	struct lecture_scene *scenes;
	size_t n; /* At least 1. */
};

/*
 * Reads a lecture from a file. Returns 0 or a negative errno; -EINVAL if the file is not a lecture.
 * On an error the lecture is empty, and `error` has one line with the file and, if known, its line.
 */
int lecture_read(const char *path, struct lecture *lecture, char *error, size_t size);
/*
 * Like lecture_read(), but continues after a fault in a block or a heading. Adds a line to *faults
 * for each, which the caller frees, and leaves such a block out. faults NULL: stop at the first
 * one.
 */
int lecture_read_faulty(const char *path, struct lecture *lecture, char **faults, char *error,
			size_t size);
/* Adds a line to *faults. Returns 0 or -ENOMEM. */
int lecture_add_fault(char **faults, const char *fault);
/* Reads a lecture from a text. `name` is the name of the file in errors. */
int lecture_parse(const char *text, size_t n, const char *name, struct lecture *lecture,
		  char *error, size_t size);
/*
 * Whether the scene sums the lecture up: it is the last one, it has no command but the scene before
 * it has one, and its notes begin with a list. The audience then sees that list.
 */
bool lecture_sums_up(const struct lecture *lecture, size_t scene);

/* An item of that list: "Who survives? No thread. (scene 2)". */
struct lecture_item {
	char text[LECTURE_ITEM]; /* without "(scene 2)" */
	size_t scene;		 /* The scene that it names, from 0, or LECTURE_UNNAMED. */
};

/*
 * Reads the items of the list with which notes begin; returns their number. An item that ends with
 * "(scene 2)" names the second scene, even if the lecture has no such scene.
 */
size_t lecture_items(const char *notes, struct lecture_item items[LECTURE_ITEMS]);
void lecture_free(struct lecture *lecture);
