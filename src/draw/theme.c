/* SPDX-License-Identifier: MIT */
#include "draw/theme.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The values are the members of struct theme_colour in their order. */
#define THEME_LOOKS(name, ...) [COLOUR_##name] = {__VA_ARGS__}

/*
 * A theme sets its background, so it looks the same on every terminal. The hues of cases differ for
 * all three kinds of colour blindness, also in the palette of 256 colours; with 16 colours, the
 * shapes distinguish the cases. "dark" is for a desk. "light" is for a projector, with dark colours
 * on white. "mono" has only shades of grey, so shapes distinguish the cases.
 */
/* clang-format off */
static const struct theme themes[] = {
	{"dark", {
		THEME_LOOKS(GROUND, 0x101418, 233, 0),                  THEME_LOOKS(DEFAULT, 0xd8d8d8, 253, 7),
		THEME_LOOKS(DIM, 0x9a9fa8, 247, 7),                     THEME_LOOKS(BORDER, 0x666c76, 243, 8),
		THEME_LOOKS(TITLE, 0xffffff, 231, 15, ATTR_BOLD),       THEME_LOOKS(KEY, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(MODEL0, 0x5fafff, 75, 14),                  THEME_LOOKS(MODEL1, 0xff8700, 208, 11),
		THEME_LOOKS(MODEL2, 0xd787af, 175, 13),                 THEME_LOOKS(MODEL3, 0x00af5f, 35, 10),
		THEME_LOOKS(MODEL4, 0xd7ff00, 190, 9),                  THEME_LOOKS(MODEL5, 0xafffd7, 158, 15),
		THEME_LOOKS(MODEL6, 0xd7d7ff, 189, 6),                  THEME_LOOKS(MODEL7, 0xffd787, 222, 3),
		THEME_LOOKS(CREATED, 0x7c828c, 244, 8),                 THEME_LOOKS(QUEUED, 0xffd787, 222, 11),
		THEME_LOOKS(CPU, 0x2fbf95, 36, 2),
		THEME_LOOKS(IO, 0xb59cf0, 147, 13),                      THEME_LOOKS(OTHER, 0xc8c8b0, 250, 7),
		THEME_LOOKS(FP, 0xffd75f, 221, 11),                     THEME_LOOKS(MEM, 0x5fffff, 87, 14),
		THEME_LOOKS(WRITE, 0xd7ffaf, 193, 10),
		THEME_LOOKS(FINISHED, 0x9aa0a8, 247, 7),                THEME_LOOKS(WAITING, 0x8a92e4, 104, 6),
		THEME_LOOKS(LEVEL0, 0x6e737c, 243, 8),                  THEME_LOOKS(LEVEL1, 0x8d929c, 246, 7),
		THEME_LOOKS(LEVEL2, 0xb4b8c0, 250, 7),                  THEME_LOOKS(USER, 0x279a78, 30, 2),
		THEME_LOOKS(SYSTEM, 0xb08d62, 137, 3),                  THEME_LOOKS(IOWAIT, 0xb59cf0, 147, 5),
		THEME_LOOKS(STEAL, 0xe0709c, 169, 1),                   THEME_LOOKS(GOOD, 0x2fbf95, 36, 10, ATTR_BOLD),
		THEME_LOOKS(WARN, 0xf0c040, 215, 11, ATTR_BOLD),        THEME_LOOKS(BAD, 0xff6a4d, 203, 9, ATTR_BOLD),
		THEME_LOOKS(PANEL, 0x232a32, 235, 0),                   THEME_LOOKS(READY, 0xe6eaf0, 255, 15, ATTR_BOLD),
		THEME_LOOKS(READY_BED, 0x5e6470, 241, 8),               THEME_LOOKS(THROTTLED, 0xffc4dc, 218, 15, ATTR_BOLD),
		THEME_LOOKS(THROTTLED_BED, 0x7a2f52, 89, 5),
		THEME_LOOKS(WORKER0, 0xb4ff8c, 156, 10),                 THEME_LOOKS(WORKER1, 0xf02828, 196, 9),
		THEME_LOOKS(WORKER2, 0x20e8f0, 51, 12),                 THEME_LOOKS(WORKER3, 0xb030ff, 129, 5),
		THEME_LOOKS(WORKER4, 0xffd700, 220, 7),                THEME_LOOKS(WORKER5, 0x008c64, 29, 2),
		THEME_LOOKS(WORKER6, 0xf4f4dc, 230, 15),                  THEME_LOOKS(WORKER7, 0xd214b4, 163, 1),
	}},
	{"light", {
		THEME_LOOKS(GROUND, 0xffffff, 231, 15),                 THEME_LOOKS(DEFAULT, 0x101214, 233, 0),
		THEME_LOOKS(DIM, 0x4c5258, 239, 0),                     THEME_LOOKS(BORDER, 0x868c92, 102, 8),
		THEME_LOOKS(TITLE, 0x000000, 16, 0, ATTR_BOLD),         THEME_LOOKS(KEY, 0x000000, 16, 0, ATTR_BOLD),
		THEME_LOOKS(MODEL0, 0x005faf, 25, 4),                   THEME_LOOKS(MODEL1, 0xa65600, 130, 1),
		THEME_LOOKS(MODEL2, 0xd7005f, 161, 5),                  THEME_LOOKS(MODEL3, 0x5f005f, 53, 0),
		THEME_LOOKS(MODEL4, 0x8700ff, 93, 4),                   THEME_LOOKS(MODEL5, 0x870000, 88, 1),
		THEME_LOOKS(MODEL6, 0x000087, 18, 5),                   THEME_LOOKS(MODEL7, 0x121212, 233, 0),
		THEME_LOOKS(CREATED, 0x767c82, 243, 8),                 THEME_LOOKS(QUEUED, 0xaf00ff, 129, 13),
		THEME_LOOKS(CPU, 0x006b2e, 22, 0),
		THEME_LOOKS(IO, 0x6a4cc0, 61, 5),                       THEME_LOOKS(OTHER, 0x5c5c40, 239, 0),
		THEME_LOOKS(FP, 0x00005f, 17, 4),                       THEME_LOOKS(MEM, 0xaf005f, 125, 1),
		THEME_LOOKS(WRITE, 0x0000ff, 21, 5),
		THEME_LOOKS(FINISHED, 0x6c747c, 243, 8),                THEME_LOOKS(WAITING, 0x5a5ac0, 61, 4),
		THEME_LOOKS(LEVEL0, 0x30343a, 236, 0),                  THEME_LOOKS(LEVEL1, 0x5c6268, 241, 8),
		THEME_LOOKS(LEVEL2, 0x84898f, 102, 8),                  THEME_LOOKS(USER, 0x008560, 29, 0),
		THEME_LOOKS(SYSTEM, 0x6f7400, 100, 1),                  THEME_LOOKS(IOWAIT, 0x6a4cc0, 61, 5),
		THEME_LOOKS(STEAL, 0xc03070, 125, 5),                   THEME_LOOKS(GOOD, 0x006b2e, 22, 4, ATTR_BOLD),
		THEME_LOOKS(WARN, 0x875400, 94, 1, ATTR_BOLD),          THEME_LOOKS(BAD, 0xc01808, 124, 1, ATTR_BOLD),
		THEME_LOOKS(PANEL, 0xfff6cc, 230, 15),                  THEME_LOOKS(READY, 0x14181c, 234, 0, ATTR_BOLD),
		THEME_LOOKS(READY_BED, 0xbcc2c8, 250, 7),               THEME_LOOKS(THROTTLED, 0x7a1045, 89, 0, ATTR_BOLD),
		THEME_LOOKS(THROTTLED_BED, 0xeeb0cb, 218, 13),
		THEME_LOOKS(WORKER0, 0x00875f, 29, 8),                  THEME_LOOKS(WORKER1, 0x000000, 16, 0),
		THEME_LOOKS(WORKER2, 0xff00ff, 201, 13),                  THEME_LOOKS(WORKER3, 0x5f00ff, 57, 12),
		THEME_LOOKS(WORKER4, 0xaf0000, 124, 9),                  THEME_LOOKS(WORKER5, 0xaf8700, 136, 1),
		THEME_LOOKS(WORKER6, 0x875f87, 96, 5),                THEME_LOOKS(WORKER7, 0x5f0087, 54, 4),
	}},
	{"mono", {
		THEME_LOOKS(GROUND, 0x000000, 16, 0),                   THEME_LOOKS(DEFAULT, 0xffffff, 231, 7),
		THEME_LOOKS(DIM, 0xc6c6c6, 251, 7),                     THEME_LOOKS(BORDER, 0x8a8a8a, 245, 7),
		THEME_LOOKS(TITLE, 0xffffff, 231, 15, ATTR_BOLD),       THEME_LOOKS(KEY, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(MODEL0, 0xffffff, 231, 15, ATTR_BOLD),      THEME_LOOKS(MODEL1, 0xb2b2b2, 249, 7),
		THEME_LOOKS(MODEL2, 0xdadada, 253, 15, ATTR_BOLD),      THEME_LOOKS(MODEL3, 0x9e9e9e, 247, 7),
		THEME_LOOKS(MODEL4, 0xeeeeee, 255, 15, ATTR_BOLD),      THEME_LOOKS(MODEL5, 0xa8a8a8, 248, 7),
		THEME_LOOKS(MODEL6, 0xd0d0d0, 252, 15, ATTR_BOLD),      THEME_LOOKS(MODEL7, 0xbcbcbc, 250, 7),
		THEME_LOOKS(CREATED, 0xa8a8a8, 248, 7),                 THEME_LOOKS(QUEUED, 0xc6c6c6, 251, 7),
		THEME_LOOKS(CPU, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(IO, 0xd0d0d0, 252, 7),                      THEME_LOOKS(OTHER, 0xe4e4e4, 254, 7),
		THEME_LOOKS(FP, 0xeeeeee, 255, 15, ATTR_BOLD),          THEME_LOOKS(MEM, 0xbcbcbc, 250, 7),
		THEME_LOOKS(WRITE, 0xa8a8a8, 248, 7),
		THEME_LOOKS(FINISHED, 0xc6c6c6, 251, 7),                THEME_LOOKS(WAITING, 0x8a8a8a, 245, 7),
		THEME_LOOKS(LEVEL0, 0x6e6e6e, 242, 7),                  THEME_LOOKS(LEVEL1, 0x969696, 246, 7),
		THEME_LOOKS(LEVEL2, 0xbebebe, 250, 7),                  THEME_LOOKS(USER, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(SYSTEM, 0xb2b2b2, 249, 7),                  THEME_LOOKS(IOWAIT, 0x8a8a8a, 245, 7),
		THEME_LOOKS(STEAL, 0x6c6c6c, 242, 7),                   THEME_LOOKS(GOOD, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(WARN, 0xffffff, 231, 15, ATTR_BOLD),        THEME_LOOKS(BAD, 0xffffff, 231, 15, ATTR_BOLD | ATTR_REVERSE),
		THEME_LOOKS(PANEL, 0x303030, 236, 0),                   THEME_LOOKS(READY, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(READY_BED, 0x5f5f5f, 59, 0),               THEME_LOOKS(THROTTLED, 0xffffff, 231, 15, ATTR_BOLD),
		THEME_LOOKS(THROTTLED_BED, 0x6c6c6c, 242, 0),
		THEME_LOOKS(WORKER0, 0xffffff, 231, 15, ATTR_BOLD),     THEME_LOOKS(WORKER1, 0xb2b2b2, 249, 7),
		THEME_LOOKS(WORKER2, 0xdadada, 253, 15, ATTR_BOLD),     THEME_LOOKS(WORKER3, 0x9e9e9e, 247, 7),
		THEME_LOOKS(WORKER4, 0xeeeeee, 255, 15, ATTR_BOLD),     THEME_LOOKS(WORKER5, 0xa8a8a8, 248, 7),
		THEME_LOOKS(WORKER6, 0xd0d0d0, 252, 15, ATTR_BOLD),     THEME_LOOKS(WORKER7, 0xbcbcbc, 250, 7),
	}},
};
/* clang-format on */

/* Names in earlier releases. "classic" had the colours of top(1). */
static const struct {
	const char *old, *name;
} aliases[] = {{"default", "dark"}, {"classic", "dark"}};

const struct theme *theme_at(size_t i)
{
	if (i < LENGTH(themes))
		return &themes[i];
	return NULL;
}

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; i < LENGTH(aliases); i++)
		if (!strcmp(aliases[i].old, name))
			name = aliases[i].name;
	for (size_t i = 0; theme_at(i); i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return NULL;
}

/*
 * Chooses the theme by the number at the end of the text, which is the background's. 7 and the
 * bright colours are light, except bright black (grey). NULL: the text has no such number.
 */
const struct theme *theme_on_colorfgbg(const char *text)
{
	const char *last;
	char *end;
	long number;

	if (!text)
		return NULL;
	last = strrchr(text, ';');
	if (!last)
		return NULL;
	number = strtol(last + 1, &end, 10);
	if (number < 0 || number > 15 || end == last + 1 || *end)
		return NULL;
	return theme_find(number == 7 || number > 8 ? "light" : "dark");
}

uint8_t identity_colour(uint32_t number)
{
	return (uint8_t)(COLOUR_MODEL0 + number % IDENTITIES);
}

uint32_t identity_glyph(uint32_t number)
{
	/* The glyphs ● ■ ▲ ◆ ✚ ▼ ★ ○. */
	static const uint32_t glyphs[IDENTITIES] = {0x25cf, 0x25a0, 0x25b2, 0x25c6,
						    0x271a, 0x25bc, 0x2605, 0x25cb};

	return glyphs[number % IDENTITIES];
}
