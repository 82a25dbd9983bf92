/* SPDX-License-Identifier: MIT */
#include "export/export.h"

#include <string.h>

#define EXPORT_ROW(name, write, result, about) {name, about, write, result},
static const struct export_format formats[] = {EXPORT_LIST(EXPORT_ROW)};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct export_format *export_at(size_t i)
{
	return i < FORMATS ? &formats[i] : NULL;
}

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

const struct export_format *export_of_result(uint32_t place)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].result == place)
			return &formats[i];
	return NULL;
}
