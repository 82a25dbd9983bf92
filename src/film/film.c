/* SPDX-License-Identifier: MIT */
#include "film/film.h"

#include <string.h>

#define FILM_ROW(name, write, about) {name, about, write},
static const struct film_format formats[] = {FILM_LIST(FILM_ROW)};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct film_format *film_at(size_t i)
{
	return i < FORMATS ? &formats[i] : NULL;
}

const struct film_format *film_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}
