/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * An array in an unnamed file, for data that is rarely read. The kernel may drop its pages from
 * memory, and reads them from the file again when they are used.
 */
struct paged {
	void *at; /* NULL until there is a file */
	size_t bytes;
	int fd; /* -1: the array cannot grow */
};

/*
 * Grows to at least `bytes` bytes; new bytes are zero. `at` may move. Returns false and changes
 * nothing if no file can be created or its disk is full.
 */
bool paged_grow(struct paged *paged, size_t bytes);
/* Makes an array that cannot grow and keeps no file open. Returns false as paged_grow() does. */
bool paged_fixed(struct paged *paged, size_t bytes);
/*
 * Releases the whole pages before byte `to`, so that the kernel may drop them. They are read again
 * when used.
 */
void paged_leave(const struct paged *paged, size_t to);
void paged_free(struct paged *paged);

/*
 * Blocks in unnamed files, the newest one first, for data whose address stays the same. When a
 * block is added, the block before it is released as by paged_leave().
 */
struct paged_block {
	struct paged_block *next;
	size_t bytes, used; /* Bytes of the block, and bytes in use, both including this struct. */
};

/* Room for n bytes in a block. NULL if no file can be created or its disk is full. */
void *paged_room(struct paged_block **newest, size_t n);
/* Whether the address is in one of the blocks. */
bool paged_has(const struct paged_block *newest, const void *at);
void paged_blocks_free(struct paged_block **newest);

/*
 * Descriptor of an unnamed file in TMPDIR; if that fails, in /var/tmp or /tmp. Returns -1 and sets
 * errno if none can be created.
 */
int paged_file(void);
