/* SPDX-License-Identifier: MIT */
#include "core/fields.h"

#include <math.h>
#include <string.h>

#include "core/sample.h"

double fields_known(int64_t value)
{
	return value < 0 ? NAN : (double)value;
}

double fields_number(const struct field *field, const void *base)
{
	const void *member = (const char *)base + field->offset;

	switch ((enum field_type)field->type) {
	case FIELD_I16:
		return fields_known(*(const int16_t *)member);
	case FIELD_I32:
		return fields_known(*(const int32_t *)member);
	case FIELD_I64:
		return fields_known(*(const int64_t *)member);
	case FIELD_U32:
		return *(const uint32_t *)member;
	case FIELD_U64:
		return (double)*(const uint64_t *)member;
	default:
		return NAN;
	}
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

static bool is_wild(const struct field *field, const void *member)
{
	switch ((enum field_type)field->type) {
	case FIELD_I16:
		return *(const int16_t *)member < -1;
	case FIELD_I32:
		return *(const int32_t *)member < -1;
	case FIELD_I64:
		return *(const int64_t *)member < -1;
	default:
		return false;
	}
}

bool fields_tame(const struct field *table, void *base)
{
	bool tame = true;

	for (const struct field *field = table; field->type != FIELD_END; field++) {
		void *member = (char *)base + field->offset;

		if (!is_wild(field, member))
			continue;
		memset(member, 0xff, field->size);
		tame = false;
	}
	return tame;
}

/* Texts have bytes after their end that nobody keeps. */
bool fields_same(const struct field *field, const void *a, const void *b)
{
	const char *one = (const char *)a + field->offset;
	const char *two = (const char *)b + field->offset;

	if (field->type == FIELD_TEXT)
		return strcmp(one, two) == 0;
	return memcmp(one, two, field->size) == 0;
}
