/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <string.h>

#define EXPORT_ROW(name, write, result, about) {name, about, write, result},
static const struct export_format formats[] = {EXPORT_LIST(EXPORT_ROW)};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static const struct {
	const char *name;
	export_lecture_write *write;
} lectures[] = {
	{"html", export_lecture_html},	       {"json", export_lecture_json},
	{"markdown", export_lecture_markdown}, {"report", export_lecture_report},
	{"table", export_lecture_table},
};

export_lecture_write *export_lecture_of(const struct export_format *format)
{
	for (size_t i = 0; i < sizeof(lectures) / sizeof(lectures[0]); i++)
		if (strcmp(lectures[i].name, format->name) == 0)
			return lectures[i].write;
	return NULL;
}

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
