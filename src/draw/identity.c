/* SPDX-License-Identifier: MIT */
#include "draw/identity.h"

#include "draw/canvas.h"

static const struct identity {
	uint8_t colour;
	uint32_t glyph;
	const char *path;
} identities[IDENTITIES] = {
	{COLOUR_MODEL0, 0x25cf, "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"},	   /* ● */
	{COLOUR_MODEL1, 0x25a0, "M-3.6 -3.6h7.2v7.2h-7.2z"},		   /* ■ */
	{COLOUR_MODEL2, 0x25b2, "M0 -4.8l4.8 8.4h-9.6z"},		   /* ▲ */
	{COLOUR_MODEL3, 0x25c6, "M0 -5l5 5l-5 5l-5 -5z"},		   /* ◆ */
	{COLOUR_MODEL4, 0x271a, "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z"}, /* ✚ */
	{COLOUR_MODEL5, 0x25bc, "M0 4.8l4.8 -8.4h-9.6z"},		   /* ▼ */
	{COLOUR_MODEL6, 0x2605,
	 "M0 -5.2l1.5 3.5 3.7.3-2.8 2.5.9 3.7L0 2.8-3.3 4.8" /* ★ */
	 "l.9-3.7-2.8-2.5 3.7-.3z"},
	{COLOUR_MODEL7, 0x25cb, /* ○ */
	 "M-4.4 0a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0zM-2.4 0a2.4 2.4 0 1 1 4.8 0"
	 "a2.4 2.4 0 1 1 -4.8 0z"},
};

uint8_t identity_colour(uint32_t number)
{
	return identities[number % IDENTITIES].colour;
}

uint32_t identity_glyph(uint32_t number)
{
	return identities[number % IDENTITIES].glyph;
}

const char *identity_path(uint32_t number)
{
	return identities[number % IDENTITIES].path;
}
