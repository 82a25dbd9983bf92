/* SPDX-License-Identifier: MIT */
#include "draw/identity.h"

#include "draw/canvas.h"

static const struct identity {
	uint8_t colour;
	uint32_t glyph;
} identities[IDENTITIES] = {
	{COLOUR_MODEL0, 0x25cf}, /* ● */
	{COLOUR_MODEL1, 0x25a0}, /* ■ */
	{COLOUR_MODEL2, 0x25b2}, /* ▲ */
	{COLOUR_MODEL3, 0x25c6}, /* ◆ */
	{COLOUR_MODEL4, 0x271a}, /* ✚ */
	{COLOUR_MODEL5, 0x25bc}, /* ▼ */
	{COLOUR_MODEL6, 0x2605}, /* ★ */
	{COLOUR_MODEL7, 0x25cb}, /* ○ */
};

uint8_t identity_colour(uint32_t number)
{
	return identities[number % IDENTITIES].colour;
}

uint32_t identity_glyph(uint32_t number)
{
	return identities[number % IDENTITIES].glyph;
}
