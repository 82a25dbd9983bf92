/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/*
 * Does what the fuzzer does, once for each file that is named. This makes a test for any compiler.
 */

static int feed(const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *file = fopen(path, "rb");
	size_t n;

	if (!file) {
		perror(path);
		return 1;
	}
	n = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, n);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;

	for (int i = 1; i < argc; i++)
		failed |= feed(argv[i]);
	return failed;
}
