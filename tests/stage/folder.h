/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* A folder of a test's own below /tmp, and what is in it. What cannot be done fails the test. */

enum { FOLDER_PATH = 256 };

void folder_make(char path[FOLDER_PATH]);
/* With all that is in it. */
void folder_remove(const char *path);
/* How much is in it, folders by their names alone. */
size_t folder_count(const char *path);
/* FOLDER/NAME, in that buffer. */
const char *folder_at(char path[FOLDER_PATH], const char *folder, const char *name);
/* Makes the file and the folders above it; the text may be empty. */
void folder_write(const char *path, const char *text);
/* All of a file; the caller's. NULL where there is none. */
char *folder_read(const char *path);

/* Set-up and teardown of a test whose state is the path of such a folder. */
int folder_set_up(void **state);
int folder_tear_down(void **state);
#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, folder_set_up, folder_tear_down)
