/* SPDX-License-Identifier: MIT */
#include "core/fields.h"

#include <math.h>

static double known(int64_t value)
{
	return value < 0 ? NAN : (double)value;
}

double fields_number(const struct field *field, const void *base)
{
	const void *member = (const char *)base + field->offset;

	switch ((enum field_type)field->type) {
	case FIELD_I16:
		return known(*(const int16_t *)member);
	case FIELD_I32:
		return known(*(const int32_t *)member);
	case FIELD_I64:
		return known(*(const int64_t *)member);
	case FIELD_U8:
		return *(const uint8_t *)member;
	case FIELD_U32:
		return *(const uint32_t *)member;
	case FIELD_U64:
		return (double)*(const uint64_t *)member;
	case FIELD_BOOL:
		return *(const bool *)member;
	case FIELD_DOUBLE:
		return *(const double *)member;
	case FIELD_END:
	case FIELD_TEXT:
		break;
	}
	return NAN;
}
