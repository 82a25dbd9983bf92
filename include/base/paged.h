/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * An array in a file without a name, for data that is seldom read: few of its pages are in memory.
 * The kernel reads a page again when it is used.
 */
struct paged {
	void *at; /* NULL: there is no file */
	size_t bytes;
	int fd;
};

/*
 * Makes room for that number of bytes, new ones 0; `at` may move. False, and nothing is changed: a
 * file cannot be made, or its disk is full.
 */
bool paged_grow(struct paged *paged, size_t bytes);
/* Takes the pages before `to` out of memory; their contents stay. */
void paged_leave(const struct paged *paged, size_t to);
void paged_free(struct paged *paged);

/*
 * A descriptor of a file without a name: in TMPDIR, else in the folder for large temporary files.
 * -1 and errno where none can be.
 */
int paged_file(void);
