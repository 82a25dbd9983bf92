/* SPDX-License-Identifier: MIT */
#include "stage/golden.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void golden_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static char *golden_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		fail_msg("%s: not there; TUIBENCH_GOLDEN=write writes it", path);
	assert_true(getdelim(&text, &size, '\0', file) >= 0);
	fclose(file);
	return text;
}

/* The lines that differ, the agreed ones with a minus. */
static void golden_show(const char *golden, const char *text)
{
	for (int line = 1; *golden || *text; line++) {
		int old = (int)strcspn(golden, "\n"), new = (int)strcspn(text, "\n");

		if (old != new || strncmp(golden, text, (size_t)old))
			fprintf(stderr, "%d:\n-%.*s\n+%.*s\n", line, old, golden, new, text);
		golden += old + (golden[old] == '\n');
		text += new + (text[new] == '\n');
	}
}

void golden_assert(const char *name, const char *text)
{
	const char *mode = getenv("TUIBENCH_GOLDEN");
	char path[512], *golden;

	snprintf(path, sizeof(path), "%s/golden/%s.txt", TEST_DATA, name);
	if (mode && !strcmp(mode, "write")) {
		golden_write(path, text);
		return;
	}
	golden = golden_read(path);
	if (strcmp(text, golden)) {
		golden_show(golden, text);
		fail_msg("%s reads otherwise", path);
	}
	free(golden);
}
