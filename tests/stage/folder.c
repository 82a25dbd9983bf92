/* SPDX-License-Identifier: MIT */
#include "stage/folder.h"

#include "stage/check.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void folder_make(char path[FOLDER_PATH])
{
	strcpy(path, "/tmp/tuibench-test-XXXXXX");
	assert_non_null(mkdtemp(path));
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
	return remove(path);
}

void folder_remove(const char *path)
{
	assert_int_equal(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

size_t folder_count(const char *path)
{
	DIR *folder = opendir(path);
	size_t n = 0;

	assert_non_null(folder);
	while (readdir(folder))
		n++;
	closedir(folder);
	return n - 2; /* without itself and its parent */
}

const char *folder_at(char path[FOLDER_PATH], const char *folder, const char *name)
{
	assert_true(snprintf(path, FOLDER_PATH, "%s/%s", folder, name) < FOLDER_PATH);
	return path;
}

static void make_above(const char *path)
{
	char above[FOLDER_PATH];

	for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
		snprintf(above, sizeof(above), "%.*s", (int)(slash - path), path);
		mkdir(above, 0755);
	}
}

void folder_write(const char *path, const char *text)
{
	FILE *file;

	make_above(path);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

char *folder_read(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = calloc(1, 1);
	}
	assert_non_null(text);
	fclose(file);
	return text;
}

int folder_set_up(void **state)
{
	*state = calloc(1, FOLDER_PATH);
	assert_non_null(*state);
	folder_make(*state);
	return 0;
}

int folder_tear_down(void **state)
{
	folder_remove(*state);
	free(*state);
	return 0;
}
