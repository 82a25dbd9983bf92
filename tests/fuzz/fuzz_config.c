/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "fuzz.h"

/*
 * Parses random bytes as a file of options. Names and values must be whole lines without line ends,
 * lines must come in order, and an error must be one line that a terminal can show.
 */

struct taken {
	int line;
};

static int take(void *to, const char *name, const char *value, int line, char *error, size_t size)
{
	struct taken *taken = to;

	fuzz_assert(*name && !strchr(name, '\n') && !strchr(value, '\n'));
	fuzz_assert(line > taken->line);
	taken->line = line;
	if (*name != '!')
		return 0;
	fuzz_assert(size > 0);
	error[0] = '\0';
	return -EINVAL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const struct config_place place = {.path = "config", .by = "--config"};
	struct taken taken = {0};
	char error[256] = "", *text = malloc(n + 1);

	if (!text)
		return 0;
	memcpy(text, bytes, n);
	if (config_parse(&place, text, n, take, &taken, error, sizeof(error)))
		fuzz_assert_line(error);
	else
		fuzz_assert(!*error);
	free(text);
	return 0;
}
