/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The variables of a session's cases as names and values: "work=mem;workers=4". */

enum { VARIABLES_MOST = 10, VARIABLE_NAME = 40, VARIABLE_VALUE = 64 };
/* Enough bytes for the variables of any session as text: "NAME=VALUE;" for each, with escapes. */
enum { VARIABLES_TEXT = VARIABLES_MOST * (VARIABLE_NAME + 2 * VARIABLE_VALUE) };

struct variable {
	char name[VARIABLE_NAME], value[VARIABLE_VALUE];
	/* The value as a number, such as 16384 for a size of "16K"; NaN: not a number. */
	double number;
};

struct variables {
	uint32_t n;
	struct variable list[VARIABLES_MOST];
};

/*
 * Adds a variable. Ignores a name that the list already has, and any variable beyond
 * VARIABLES_MOST.
 */
void variables_add(struct variables *variables, const char *name, const char *value);
/* The variable with that name; NULL if there is none. */
const struct variable *variables_find(const struct variables *variables, const char *name);
bool variables_has(const struct variables *variables, const struct variable *variable);
bool variables_equal(const struct variables *a, const struct variables *b);
/* Whether both lists are equal, ignoring the variables for which leave_out() is true. */
bool variables_equal_but(const struct variables *a, const struct variables *b,
			 bool (*leave_out)(const struct variable *));

/* Writes "work=mem;workers=4", with the given separator. Returns buf. */
char *variables_format(const struct variables *variables, char separator, char *buf, size_t size);
/* Parses a text that variables_format() wrote with semicolons. */
void variables_parse(struct variables *variables, const char *text);

/* The ways in which share workers increment a common counter. */

enum counting {
	COUNTING_NONE,
	COUNTING_MUTEX,	   /* one counter, under a lock on which waiters sleep */
	COUNTING_SPINLOCK, /* one counter, under a lock that waiters poll */
	COUNTING_ATOMIC,   /* one counter, incremented by an atomic instruction */
	COUNTING_FALSE,	   /* a counter for each worker, all on one cache line */
	COUNTING_LINE,	   /* a counter for each worker, each on its own cache line */
	/* one counter, loaded and stored without a lock, so that increments are lost */
	COUNTING_PLAIN,
	COUNTINGS
};

/*
 * The names, as in the variable "via": "mutex", "spinlock", "atomic", "false", "line", "plain"; ""
 * for COUNTING_NONE.
 */
extern const char *const counting_names[COUNTINGS];
