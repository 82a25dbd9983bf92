/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The variables of a session's cases: "work=mem;workers=4" as names and values. */

enum { VARIABLES_MOST = 10, VARIABLE_NAME = 40, VARIABLE_VALUE = 64 };
/* Bytes of a text that holds all of any session, "NAME=VALUE;" each, with escapes. */
enum { VARIABLES_TEXT = VARIABLES_MOST * (VARIABLE_NAME + 2 * VARIABLE_VALUE) };

struct variable {
	char name[VARIABLE_NAME], value[VARIABLE_VALUE];
	double number; /* of values such as "4" and "16K"; NaN: it is none */
};

struct variables {
	uint32_t n;
	struct variable list[VARIABLES_MOST];
};

/* Ignores a name that exists already, and any beyond VARIABLES_MOST. */
void variables_add(struct variables *variables, const char *name, const char *value);
/* NULL if there is no such name. */
const struct variable *variables_find(const struct variables *variables, const char *name);
bool variables_has(const struct variables *variables, const struct variable *variable);
bool variables_equal(const struct variables *a, const struct variables *b);
/* Whether both are equal, ignoring the variables that leave_out() picks. */
bool variables_equal_but(const struct variables *a, const struct variables *b,
			 bool (*leave_out)(const struct variable *));

/* "work=mem;workers=4", with that separator. Returns buf. */
char *variables_format(const struct variables *variables, char separator, char *buf, size_t size);
/* Reads what variables_format() wrote with a semicolon. */
void variables_parse(struct variables *variables, const char *text);

/* The ways in which several workers count together. */

enum counting {
	COUNTING_NONE,
	COUNTING_MUTEX,	   /* one counter under a lock that waiters sleep on */
	COUNTING_SPINLOCK, /* one counter under a lock that waiters poll */
	COUNTING_ATOMIC,   /* one counter, added to in one instruction */
	COUNTING_FALSE,	   /* a counter each, side by side on one cache line */
	COUNTING_LINE,	   /* a counter each, on a line of its own */
	COUNTING_PLAIN,	   /* one counter, loaded and stored without a lock: some are lost */
	COUNTINGS
};

/* "mutex", "spinlock", "atomic", "false", "line", "plain", as in the variable via; "" for none. */
extern const char *const counting_names[COUNTINGS];
