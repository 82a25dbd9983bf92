/* SPDX-License-Identifier: MIT */
#include "draw/theme.h"

#include <string.h>

/*
 * "default" and "light" take their hues from Okabe and Ito's palette: models differ as blue and
 * orange, work as green and violet, which the three kinds of colour blindness keep apart. "mono"
 * has lightness only, for beamers; "classic" the colours top and htop users know.
 */
/* clang-format off */
static const struct theme themes[] = {
	{
		.name = "default",
		.background = 0x101418,
		.colour = {
			[COLOUR_DEFAULT] = {.rgb = 0xd4d4d4, .xterm = -1, .ansi = -1},
			[COLOUR_DIM] = {.rgb = 0x8a8f98, .xterm = 246, .ansi = -1},
			[COLOUR_BORDER] = {.rgb = 0x4e5560, .xterm = 240, .ansi = -1},
			[COLOUR_TITLE] = {.rgb = 0xf2f2f2, .xterm = 255, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_KEY] = {.rgb = 0xf2f2f2, .xterm = 255, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_MODEL0] = {.rgb = 0x56b4e9, .xterm = 74, .ansi = 6},
			[COLOUR_MODEL1] = {.rgb = 0xf0a020, .xterm = 214, .ansi = 3},
			[COLOUR_MODEL2] = {.rgb = 0xd787af, .xterm = 175, .ansi = 5},
			[COLOUR_MODEL3] = {.rgb = 0xf0e442, .xterm = 221, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_CREATED] = {.rgb = 0x767c86, .xterm = 244, .ansi = -1},
			[COLOUR_CPU] = {.rgb = 0x2fbf95, .xterm = 36, .ansi = 2},
			[COLOUR_IO] = {.rgb = 0xb59cf0, .xterm = 147, .ansi = 5},
			[COLOUR_OTHER] = {.rgb = 0xc8c8b0, .xterm = 250, .ansi = -1},
			[COLOUR_FINISHED] = {.rgb = 0x9aa0a8, .xterm = 247, .ansi = -1},
			[COLOUR_WAITING] = {.rgb = 0x7f87dc, .xterm = 104, .ansi = 4},
			[COLOUR_LEVEL0] = {.rgb = 0x6b6f78, .xterm = 242, .ansi = -1},
			[COLOUR_LEVEL1] = {.rgb = 0x8d929c, .xterm = 246, .ansi = -1},
			[COLOUR_LEVEL2] = {.rgb = 0xb4b8c0, .xterm = 250, .ansi = -1},
			[COLOUR_USER] = {.rgb = 0x279a78, .xterm = 30, .ansi = 2},
			[COLOUR_SYSTEM] = {.rgb = 0xdcb83c, .xterm = 179, .ansi = 3},
			[COLOUR_IOWAIT] = {.rgb = 0xb59cf0, .xterm = 147, .ansi = 5},
			[COLOUR_STEAL] = {.rgb = 0xe0709c, .xterm = 169, .ansi = 1},
			[COLOUR_GOOD] = {.rgb = 0x2fbf95, .xterm = 36, .ansi = 2},
			[COLOUR_WARN] = {.rgb = 0xf0c040, .xterm = 215, .ansi = 3, .attr = ATTR_BOLD},
			[COLOUR_BAD] = {.rgb = 0xff6a4d, .xterm = 203, .ansi = 1, .attr = ATTR_BOLD},
			[COLOUR_PANEL] = {.rgb = 0x1e252c, .xterm = 235, .ansi = 0},
		},
	},
	{
		.name = "light",
		.background = 0xffffff,
		.colour = {
			[COLOUR_DEFAULT] = {.rgb = 0x202428, .xterm = -1, .ansi = -1},
			[COLOUR_DIM] = {.rgb = 0x5f666e, .xterm = 242, .ansi = -1},
			[COLOUR_BORDER] = {.rgb = 0xb4bac0, .xterm = 250, .ansi = -1},
			[COLOUR_TITLE] = {.rgb = 0x000000, .xterm = 16, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_KEY] = {.rgb = 0x000000, .xterm = 16, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_MODEL0] = {.rgb = 0x0060a8, .xterm = 25, .ansi = 4},
			[COLOUR_MODEL1] = {.rgb = 0xb85000, .xterm = 130, .ansi = 1},
			[COLOUR_MODEL2] = {.rgb = 0x8f3f78, .xterm = 96, .ansi = 5},
			[COLOUR_MODEL3] = {.rgb = 0x6a5a00, .xterm = 58, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_CREATED] = {.rgb = 0x8c949c, .xterm = 246, .ansi = -1},
			[COLOUR_CPU] = {.rgb = 0x00805c, .xterm = 29, .ansi = 2},
			[COLOUR_IO] = {.rgb = 0x6a4cc0, .xterm = 61, .ansi = 5},
			[COLOUR_OTHER] = {.rgb = 0x5c5c40, .xterm = 239, .ansi = -1},
			[COLOUR_FINISHED] = {.rgb = 0x6c747c, .xterm = 243, .ansi = -1},
			[COLOUR_WAITING] = {.rgb = 0x5a5ac0, .xterm = 61, .ansi = 4},
			[COLOUR_LEVEL0] = {.rgb = 0x30343a, .xterm = 236, .ansi = -1},
			[COLOUR_LEVEL1] = {.rgb = 0x5c6268, .xterm = 241, .ansi = -1},
			[COLOUR_LEVEL2] = {.rgb = 0x84898f, .xterm = 245, .ansi = -1},
			[COLOUR_USER] = {.rgb = 0x00946a, .xterm = 29, .ansi = 2},
			[COLOUR_SYSTEM] = {.rgb = 0xa87800, .xterm = 136, .ansi = 3},
			[COLOUR_IOWAIT] = {.rgb = 0x6a4cc0, .xterm = 61, .ansi = 5},
			[COLOUR_STEAL] = {.rgb = 0xc03070, .xterm = 131, .ansi = 1},
			[COLOUR_GOOD] = {.rgb = 0x00805c, .xterm = 29, .ansi = 2},
			[COLOUR_WARN] = {.rgb = 0x905c00, .xterm = 94, .ansi = 3, .attr = ATTR_BOLD},
			[COLOUR_BAD] = {.rgb = 0xc02808, .xterm = 124, .ansi = 1, .attr = ATTR_BOLD},
			[COLOUR_PANEL] = {.rgb = 0xeaeef2, .xterm = 255, .ansi = 7},
		},
	},
	{
		.name = "mono",
		.background = 0x000000,
		.colour = {
			[COLOUR_DEFAULT] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1},
			[COLOUR_DIM] = {.rgb = 0xd0d0d0, .xterm = 252, .ansi = -1},
			[COLOUR_BORDER] = {.rgb = 0x9e9e9e, .xterm = 247, .ansi = -1},
			[COLOUR_TITLE] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_KEY] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_MODEL0] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_MODEL1] = {.rgb = 0xc6c6c6, .xterm = 251, .ansi = -1},
			[COLOUR_MODEL2] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_UNDERLINE},
			[COLOUR_MODEL3] = {.rgb = 0xb2b2b2, .xterm = 249, .ansi = -1, .attr = ATTR_UNDERLINE},
			[COLOUR_CREATED] = {.rgb = 0xa8a8a8, .xterm = 248, .ansi = -1},
			[COLOUR_CPU] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_IO] = {.rgb = 0xd0d0d0, .xterm = 252, .ansi = -1},
			[COLOUR_OTHER] = {.rgb = 0xe4e4e4, .xterm = 254, .ansi = -1},
			[COLOUR_FINISHED] = {.rgb = 0xc6c6c6, .xterm = 251, .ansi = -1},
			[COLOUR_WAITING] = {.rgb = 0x8a8a8a, .xterm = 245, .ansi = -1},
			[COLOUR_LEVEL0] = {.rgb = 0x6e6e6e, .xterm = 242, .ansi = -1},
			[COLOUR_LEVEL1] = {.rgb = 0x969696, .xterm = 246, .ansi = -1},
			[COLOUR_LEVEL2] = {.rgb = 0xbebebe, .xterm = 250, .ansi = -1},
			[COLOUR_USER] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_SYSTEM] = {.rgb = 0xb2b2b2, .xterm = 249, .ansi = -1},
			[COLOUR_IOWAIT] = {.rgb = 0x8a8a8a, .xterm = 245, .ansi = -1},
			[COLOUR_STEAL] = {.rgb = 0x6c6c6c, .xterm = 242, .ansi = -1},
			[COLOUR_GOOD] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_WARN] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_BAD] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_REVERSE},
			[COLOUR_PANEL] = {.rgb = 0x303030, .xterm = 236, .ansi = 0},
		},
	},
	{
		.name = "classic",
		.background = 0x000000,
		.colour = {
			[COLOUR_DEFAULT] = {.rgb = 0xd4d4d4, .xterm = -1, .ansi = -1},
			[COLOUR_DIM] = {.rgb = 0x00afaf, .xterm = 37, .ansi = 6},
			[COLOUR_BORDER] = {.rgb = 0x5f87af, .xterm = 67, .ansi = -1},
			[COLOUR_TITLE] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_KEY] = {.rgb = 0x00ffff, .xterm = 51, .ansi = 6, .attr = ATTR_BOLD},
			[COLOUR_MODEL0] = {.rgb = 0x5fafff, .xterm = 75, .ansi = 4, .attr = ATTR_BOLD},
			[COLOUR_MODEL1] = {.rgb = 0xffaf00, .xterm = 214, .ansi = 3},
			[COLOUR_MODEL2] = {.rgb = 0xd75fd7, .xterm = 170, .ansi = 5},
			[COLOUR_MODEL3] = {.rgb = 0xffffff, .xterm = 231, .ansi = -1, .attr = ATTR_BOLD},
			[COLOUR_CREATED] = {.rgb = 0x808080, .xterm = 244, .ansi = -1},
			[COLOUR_CPU] = {.rgb = 0x00d700, .xterm = 40, .ansi = 2},
			[COLOUR_IO] = {.rgb = 0xaf87ff, .xterm = 141, .ansi = 5},
			[COLOUR_OTHER] = {.rgb = 0x00d7d7, .xterm = 44, .ansi = 6},
			[COLOUR_FINISHED] = {.rgb = 0xa8a8a8, .xterm = 248, .ansi = -1},
			[COLOUR_WAITING] = {.rgb = 0x8787ff, .xterm = 105, .ansi = 4},
			[COLOUR_LEVEL0] = {.rgb = 0x767676, .xterm = 243, .ansi = -1},
			[COLOUR_LEVEL1] = {.rgb = 0x949494, .xterm = 246, .ansi = -1},
			[COLOUR_LEVEL2] = {.rgb = 0xbcbcbc, .xterm = 250, .ansi = -1},
			[COLOUR_USER] = {.rgb = 0x00d700, .xterm = 40, .ansi = 2},
			[COLOUR_SYSTEM] = {.rgb = 0xff5f5f, .xterm = 203, .ansi = 1},
			[COLOUR_IOWAIT] = {.rgb = 0x87afff, .xterm = 111, .ansi = 4},
			[COLOUR_STEAL] = {.rgb = 0x00d7d7, .xterm = 44, .ansi = 6},
			[COLOUR_GOOD] = {.rgb = 0x00ff00, .xterm = 46, .ansi = 2, .attr = ATTR_BOLD},
			[COLOUR_WARN] = {.rgb = 0xffff00, .xterm = 226, .ansi = 3, .attr = ATTR_BOLD},
			[COLOUR_BAD] = {.rgb = 0xff5f5f, .xterm = 203, .ansi = 1, .attr = ATTR_BOLD},
			[COLOUR_PANEL] = {.rgb = 0x262626, .xterm = 235, .ansi = 0},
		},
	},
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
