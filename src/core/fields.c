/* SPDX-License-Identifier: MIT */
#include "core/fields.h"

#include <math.h>
#include <string.h>

#include "core/sample_worker.h"

double fields_known(int64_t value)
{
	if (value < 0)
		return NAN;
	return (double)value;
}

int64_t fields_known_or(int64_t value, int64_t otherwise)
{
	if (value < 0)
		return otherwise;
	return value;
}

int64_t fields_integer(uint8_t type, const void *member)
{
	switch ((enum field_type)type) {
	case FIELD_I16:
		return *(const int16_t *)member;
	case FIELD_I32:
		return *(const int32_t *)member;
	case FIELD_I64:
	case FIELD_U64:
		return *(const int64_t *)member;
	case FIELD_U32:
		return *(const uint32_t *)member;
	case FIELD_BOOL:
		return *(const bool *)member;
	default:
		return 0;
	}
}

double fields_number(const struct field *field, const void *base)
{
	const int64_t number = fields_integer(field->type, (const char *)base + field->offset);

	if (field->type == FIELD_END || field->type > FIELD_U64)
		return NAN;
	if (field->type > FIELD_I64)
		return (double)(uint64_t)number;
	return fields_known(number);
}

void fields_unknown(const struct field *table, void *base)
{
	for (const struct field *field = table; field->type != FIELD_END; field++) {
		void *member = (char *)base + field->offset;

		switch ((enum field_type)field->type) {
		case FIELD_I16:
		case FIELD_I32:
		case FIELD_I64:
			memset(member, 0xff, field->size);
			break;
		case FIELD_STATUS:
			*(uint8_t *)member = SAMPLE_RUNNING;
			break;
		case FIELD_DOUBLE:
			*(double *)member = -1;
			break;
		default:
			memset(member, 0, field->size);
		}
	}
}

bool fields_clamp(const struct field *table, void *base)
{
	bool valid = true;

	for (const struct field *field = table; field->type != FIELD_END; field++)
		if (field->type <= FIELD_I64 &&
		    fields_integer(field->type, (const char *)base + field->offset) < -1) {
			memset((char *)base + field->offset, 0xff, field->size);
			valid = false;
		}
	return valid;
}

/* Compares texts only up to their NUL byte, because the bytes after it are arbitrary. */
bool fields_same(const struct field *field, const void *a, const void *b)
{
	const char *first = (const char *)a + field->offset;
	const char *second = (const char *)b + field->offset;

	if (field->type == FIELD_TEXT)
		return strcmp(first, second) == 0;
	return memcmp(first, second, field->size) == 0;
}
