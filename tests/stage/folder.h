/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* Folders of tests below /tmp, and the files in them. If an operation fails, the test fails. */

enum { FOLDER_PATH = 256 };

void folder_make(char path[FOLDER_PATH]);
/* Removes the folder and everything in it. */
void folder_remove(const char *path);
/* Counts the files and folders directly in the folder. */
size_t folder_count(const char *path);
/* Writes FOLDER/NAME into path and returns it. */
const char *folder_at(char path[FOLDER_PATH], const char *folder, const char *name);
/* Writes the file, and makes the folders above it. The text may be empty. */
void folder_write(const char *path, const char *text);
/* Reads a whole file. The caller frees the text. NULL: there is no such file. */
char *folder_read(const char *path);

/* Set-up and teardown of a test whose state is the path of a new folder. */
int folder_set_up(void **state);
int folder_tear_down(void **state);
#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, folder_set_up, folder_tear_down)
