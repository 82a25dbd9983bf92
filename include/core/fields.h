/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members of a struct as a table, by which they are recorded, compared and cleared. */

enum field_type {
	FIELD_END, /* The end of a table. */
	/* Signed integers come before unsigned ones, because fields.c compares the types. */
	FIELD_I16,
	FIELD_I32,
	FIELD_I64,
	FIELD_U32,
	FIELD_U64,
	FIELD_BOOL,
	FIELD_STATUS, /* An enum sample_status, stored in a byte. */
	FIELD_DOUBLE,
	FIELD_TEXT, /* Ends with a NUL byte. */
};

struct field {
	const char *name; /* Name in the recording; NULL in tables that only refer to members. */
	uint8_t type;	  /* enum field_type */
	uint16_t offset, size;
};

/* clang-format off */
#define FIELD_TYPE(of, member) \
	_Generic(((struct of *)NULL)->member, int16_t: FIELD_I16, int32_t: FIELD_I32, \
		 int64_t: FIELD_I64, uint8_t: FIELD_STATUS, uint32_t: FIELD_U32, \
		 uint64_t: FIELD_U64, bool: FIELD_BOOL, double: FIELD_DOUBLE, char *: FIELD_TEXT)
#define FIELD(name, of, member) \
	{name, FIELD_TYPE(of, member), offsetof(struct of, member), \
	 sizeof(((struct of *)NULL)->member)}
/* clang-format on */

/* The value as a double. NaN if it is below 0, which means unknown. */
double fields_known(int64_t value);
/* The value, or `otherwise` if the value is below 0. */
int64_t fields_known_or(int64_t value, int64_t otherwise);
/* The value of an integer or bool member. A uint64_t keeps its bits. 0 for other types. */
int64_t fields_integer(uint8_t type, const void *member);
/*
 * A number of the struct at base as a double. NaN if the number is unknown (signed and below 0) or
 * the member is not an integer.
 */
double fields_number(const struct field *field, const void *base);
/*
 * Sets all members to "unknown": -1 in signed integers and doubles, SAMPLE_RUNNING in a status, ""
 * in texts, and 0 in the rest.
 */
void fields_unknown(const struct field *table, void *base);
/*
 * Sets signed numbers below -1, which are never valid, to -1 (unknown). Returns false if there were
 * any.
 */
bool fields_clamp(const struct field *table, void *base);
/* Whether both structs have the same value in that member. */
bool fields_same(const struct field *field, const void *a, const void *b);
