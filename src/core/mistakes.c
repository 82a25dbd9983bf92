/* SPDX-License-Identifier: MIT */
#include "core/mistakes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"

bool mistakes_concern_files(const struct plan *plan)
{
	return plan->leaves[WORK_IO] > 0 || plan->leaves[WORK_WRITE] > 0;
}

bool mistakes_concern_rounds(const struct plan *plan)
{
	return plan->leaves[WORK_MEM] > 0 || plan->leaves[WORK_WRITE] > 0;
}

bool mistakes_equal(const struct mistakes *a, const struct mistakes *b)
{
	return a->mem_order == b->mem_order && a->rounds == b->rounds &&
	       a->share_file == b->share_file;
}

char *mistakes_words(const struct mistakes *mistakes, char *buf, size_t size)
{
	struct sentence words = {buf, size, 0};

	buf[0] = '\0';
	if (mistakes->share_file)
		sentence_add(&words, " share_file");
	if (mistakes->mem_order == MEM_SEQUENTIAL)
		sentence_add(&words, " mem_order:sequential");
	if (mistakes->rounds > 0)
		sentence_add(&words, " rounds:%" PRIu32, mistakes->rounds);
	return buf;
}

bool mistakes_take(struct mistakes *mistakes, const char *word, const char *value)
{
	if (strcmp(word, "share_file") == 0)
		mistakes->share_file = true;
	else if (strcmp(word, "mem_order") == 0)
		mistakes->mem_order = strcmp(value, "sequential") == 0;
	else if (strcmp(word, "rounds") == 0)
		mistakes->rounds = (uint32_t)strtoul(value, NULL, 10);
	else
		return false;
	return true;
}
