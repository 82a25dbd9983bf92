/* SPDX-License-Identifier: MIT */
#pragma once

#include "options_rule.h"

/* The options while they come together: from the command line, then from the file. */
struct options_typed {
	struct options *options;
	char *error;
	size_t size;
	bool given[OPTIONS_MOST]; /* by rule */
};

/* A line for the user: the option, the value, what would be right. */
int options_refuse_value(const struct options_typed *typed, const struct options_rule *rule,
			 const char *value);
/* The name of an option that may have been meant; NULL. */
const char *options_nearest(const char *name);
/* What contradicts itself; 0, or -EINVAL with its line. */
int options_check(struct options_typed *typed);

/* What the file has added to the command line, as words of it: "--trials=6". */
struct options_config {
	int n;
	char *words[OPTIONS_MOST + 1]; /* and the last, that no file is read for these */
};

/*
 * Takes of the file what could stand beside what was typed, as if it were typed; 0 or -EINVAL with
 * a line that names file and line. The words must be freed whatever is returned.
 */
int options_config_apply(struct options_typed *typed, struct options_config *added);
void options_config_free(struct options_config *added);
