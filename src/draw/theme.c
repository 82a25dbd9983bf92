/* SPDX-License-Identifier: MIT */
#include "draw/theme.h"

#include <string.h>

/* The members of struct theme_colour in their order. */
#define LOOKS(name, ...) [COLOUR_##name] = {__VA_ARGS__}

/*
 * "default" and "light" use the hues of Okabe and Ito's palette. Models are blue and orange, work
 * is green and violet: the three kinds of colour blindness keep these apart. "mono" has lightness
 * only, for beamers; "classic" the colours of top and htop.
 */
/* clang-format off */
static const struct theme themes[] = {
	{"default", 0x101418, {
		LOOKS(DEFAULT, 0xd4d4d4, -1, -1),           LOOKS(DIM, 0x8a8f98, 246, -1),
		LOOKS(BORDER, 0x4e5560, 240, -1),           LOOKS(TITLE, 0xf2f2f2, 255, -1, ATTR_BOLD),
		LOOKS(KEY, 0xf2f2f2, 255, -1, ATTR_BOLD),   LOOKS(MODEL0, 0x56b4e9, 74, 6),
		LOOKS(MODEL1, 0xf0a020, 214, 3),            LOOKS(MODEL2, 0xd787af, 175, 5),
		LOOKS(MODEL3, 0xf0e442, 221, -1, ATTR_BOLD), LOOKS(CREATED, 0x767c86, 244, -1),
		LOOKS(CPU, 0x2fbf95, 36, 2),                LOOKS(IO, 0xb59cf0, 147, 5),
		LOOKS(OTHER, 0xc8c8b0, 250, -1),            LOOKS(FINISHED, 0x9aa0a8, 247, -1),
		LOOKS(WAITING, 0x7f87dc, 104, 4),           LOOKS(LEVEL0, 0x6b6f78, 242, -1),
		LOOKS(LEVEL1, 0x8d929c, 246, -1),           LOOKS(LEVEL2, 0xb4b8c0, 250, -1),
		LOOKS(USER, 0x279a78, 30, 2),               LOOKS(SYSTEM, 0xdcb83c, 179, 3),
		LOOKS(IOWAIT, 0xb59cf0, 147, 5),            LOOKS(STEAL, 0xe0709c, 169, 1),
		LOOKS(GOOD, 0x2fbf95, 36, 2),               LOOKS(WARN, 0xf0c040, 215, 3, ATTR_BOLD),
		LOOKS(BAD, 0xff6a4d, 203, 1, ATTR_BOLD),    LOOKS(PANEL, 0x1e252c, 235, 0),
		LOOKS(READY, 0xe6eaf0, 255, -1, ATTR_BOLD), LOOKS(READY_BED, 0x4a505a, 239, -1),
	}},
	{"light", 0xffffff, {
		LOOKS(DEFAULT, 0x202428, -1, -1),           LOOKS(DIM, 0x5f666e, 242, -1),
		LOOKS(BORDER, 0xb4bac0, 250, -1),           LOOKS(TITLE, 0x000000, 16, -1, ATTR_BOLD),
		LOOKS(KEY, 0x000000, 16, -1, ATTR_BOLD),    LOOKS(MODEL0, 0x0060a8, 25, 4),
		LOOKS(MODEL1, 0xb85000, 130, 1),            LOOKS(MODEL2, 0x8f3f78, 96, 5),
		LOOKS(MODEL3, 0x6a5a00, 58, -1, ATTR_BOLD), LOOKS(CREATED, 0x8c949c, 246, -1),
		LOOKS(CPU, 0x00805c, 29, 2),                LOOKS(IO, 0x6a4cc0, 61, 5),
		LOOKS(OTHER, 0x5c5c40, 239, -1),            LOOKS(FINISHED, 0x6c747c, 243, -1),
		LOOKS(WAITING, 0x5a5ac0, 61, 4),            LOOKS(LEVEL0, 0x30343a, 236, -1),
		LOOKS(LEVEL1, 0x5c6268, 241, -1),           LOOKS(LEVEL2, 0x84898f, 245, -1),
		LOOKS(USER, 0x00946a, 29, 2),               LOOKS(SYSTEM, 0xa87800, 136, 3),
		LOOKS(IOWAIT, 0x6a4cc0, 61, 5),             LOOKS(STEAL, 0xc03070, 131, 1),
		LOOKS(GOOD, 0x00805c, 29, 2),               LOOKS(WARN, 0x905c00, 94, 3, ATTR_BOLD),
		LOOKS(BAD, 0xc02808, 124, 1, ATTR_BOLD),    LOOKS(PANEL, 0xeaeef2, 255, 7),
		LOOKS(READY, 0x14181c, 234, -1, ATTR_BOLD), LOOKS(READY_BED, 0xbcc2c8, 250, -1),
	}},
	{"mono", 0x000000, {
		LOOKS(DEFAULT, 0xffffff, 231, -1),          LOOKS(DIM, 0xd0d0d0, 252, -1),
		LOOKS(BORDER, 0x9e9e9e, 247, -1),           LOOKS(TITLE, 0xffffff, 231, -1, ATTR_BOLD),
		LOOKS(KEY, 0xffffff, 231, -1, ATTR_BOLD),   LOOKS(MODEL0, 0xffffff, 231, -1, ATTR_BOLD),
		LOOKS(MODEL1, 0xc6c6c6, 251, -1),           LOOKS(MODEL2, 0xffffff, 231, -1, ATTR_UNDERLINE),
		LOOKS(MODEL3, 0xb2b2b2, 249, -1, ATTR_UNDERLINE),LOOKS(CREATED, 0xa8a8a8, 248, -1),
		LOOKS(CPU, 0xffffff, 231, -1, ATTR_BOLD),   LOOKS(IO, 0xd0d0d0, 252, -1),
		LOOKS(OTHER, 0xe4e4e4, 254, -1),            LOOKS(FINISHED, 0xc6c6c6, 251, -1),
		LOOKS(WAITING, 0x8a8a8a, 245, -1),          LOOKS(LEVEL0, 0x6e6e6e, 242, -1),
		LOOKS(LEVEL1, 0x969696, 246, -1),           LOOKS(LEVEL2, 0xbebebe, 250, -1),
		LOOKS(USER, 0xffffff, 231, -1, ATTR_BOLD),  LOOKS(SYSTEM, 0xb2b2b2, 249, -1),
		LOOKS(IOWAIT, 0x8a8a8a, 245, -1),           LOOKS(STEAL, 0x6c6c6c, 242, -1),
		LOOKS(GOOD, 0xffffff, 231, -1, ATTR_BOLD),  LOOKS(WARN, 0xffffff, 231, -1, ATTR_BOLD),
		LOOKS(BAD, 0xffffff, 231, -1, ATTR_REVERSE),LOOKS(PANEL, 0x303030, 236, 0),
		LOOKS(READY, 0xffffff, 231, -1), LOOKS(READY_BED, 0x4e4e4e, 239, -1),
	}},
	{"classic", 0x000000, {
		LOOKS(DEFAULT, 0xd4d4d4, -1, -1),           LOOKS(DIM, 0x00afaf, 37, 6),
		LOOKS(BORDER, 0x5f87af, 67, -1),            LOOKS(TITLE, 0xffffff, 231, -1, ATTR_BOLD),
		LOOKS(KEY, 0x00ffff, 51, 6, ATTR_BOLD),     LOOKS(MODEL0, 0x5fafff, 75, 4, ATTR_BOLD),
		LOOKS(MODEL1, 0xffaf00, 214, 3),            LOOKS(MODEL2, 0xd75fd7, 170, 5),
		LOOKS(MODEL3, 0xffffff, 231, -1, ATTR_BOLD), LOOKS(CREATED, 0x808080, 244, -1),
		LOOKS(CPU, 0x00d700, 40, 2),                LOOKS(IO, 0xaf87ff, 141, 5),
		LOOKS(OTHER, 0x00d7d7, 44, 6),              LOOKS(FINISHED, 0xa8a8a8, 248, -1),
		LOOKS(WAITING, 0x8787ff, 105, 4),           LOOKS(LEVEL0, 0x767676, 243, -1),
		LOOKS(LEVEL1, 0x949494, 246, -1),           LOOKS(LEVEL2, 0xbcbcbc, 250, -1),
		LOOKS(USER, 0x00d700, 40, 2),               LOOKS(SYSTEM, 0xff5f5f, 203, 1),
		LOOKS(IOWAIT, 0x87afff, 111, 4),            LOOKS(STEAL, 0x00d7d7, 44, 6),
		LOOKS(GOOD, 0x00ff00, 46, 2, ATTR_BOLD),    LOOKS(WARN, 0xffff00, 226, 3, ATTR_BOLD),
		LOOKS(BAD, 0xff5f5f, 203, 1, ATTR_BOLD),    LOOKS(PANEL, 0x262626, 235, 0),
		LOOKS(READY, 0xffffff, 231, -1, ATTR_BOLD), LOOKS(READY_BED, 0x4e4e4e, 239, -1),
	}},
};
/* clang-format on */

const struct theme *theme_at(size_t i)
{
	return i < sizeof(themes) / sizeof(themes[0]) ? &themes[i] : NULL;
}

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; theme_at(i); i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return NULL;
}
