/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model_parts.h"

/*
 * Why one of two takes longer, by the parts of their critical paths, and what would show the cause
 * where it is known.
 */

enum { WHY_TEXT = 1024, WHY_OPTIONS = 64 };

/* "24 ms", "-3.1 ms", with the sign where it is above 0 too: "+24 ms"; "?" for NaN. Returns buf. */
char *why_signed(char *buf, size_t size, double ns);
#define WHY_SIGNED(ns) why_signed((char[32]) {0}, 32, ns)
/* "real", "not real", "measuring, 8 of 15", "too few trials", "not measured together". */
char *why_reality(const struct model *model, const struct model_comparison *difference, char *buf,
		  size_t size);
/*
 * "Where the time goes: processes, beside threads, +4.6 ms working, +4.3 ms creating (both real).":
 * the parts that differ for real; "". Returns buf.
 */
char *why_sentence(const struct model *model, const struct model_parts_difference *difference,
		   char *buf, size_t size);
/* The sentence names the part. */
bool why_names(const struct model_comparison *part);

/* The known cause of the greatest part of a difference that has one; else why nobody leads. */
struct why_cause {
	char text[160];		   /* "Creating a process copies its creator's page tables." */
	char options[WHY_OPTIONS]; /* that show it: "-s ballast=0,64M"; "": none can */
	const char *recorded;	   /* the command line of what was run; the model's */
};

/* False: none is known. */
bool why_cause(const struct model *model, const struct model_parts_difference *difference,
	       struct why_cause *out);
/* The same of the pair that the session's verdict is about. */
bool why_cause_of(const struct model *model, struct why_cause *out);
/*
 * The sentence about that pair, and its cause with what would show it, for formats that nobody can
 * press a key in; "". Returns buf.
 */
char *why_read(const struct model *model, char *buf, size_t size);
