/* SPDX-License-Identifier: MIT */
#include "stage/golden.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/folder.h"

/* Shows the lines that differ. The expected ones have a minus. */
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
		folder_write(path, text);
		return;
	}
	golden = folder_read(path);
	if (!golden)
		fail_msg("%s: not there; TUIBENCH_GOLDEN=write writes it", path);
	if (strcmp(text, golden)) {
		golden_show(golden, text);
		fail_msg("%s reads otherwise", path);
	}
	free(golden);
}

void golden_shows(const struct canvas *canvas, const char *expected)
{
	char *text = canvas_to_text(canvas);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}
