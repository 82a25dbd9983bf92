/* SPDX-License-Identifier: MIT */
#include "text.h"

static bool text_begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static const char *text_skip(const char *text, int columns)
{
	for (; *text; text++)
		if (text_begins_character(*text) && columns-- == 0)
			break;
	return text;
}

int text_line(const char *text, int width, const char **next)
{
	const char *s = text;
	int columns = 0, words = 0;

	if (width < 1)
		width = 1;
	for (; *s && *s != '\n' && columns <= width; s++) {
		if (*s == ' ')
			words = columns;
		columns += text_begins_character(*s);
	}
	if (columns > width)
		columns = words ? words : width;
	*next = text_skip(text, columns);
	if (**next == ' ' || **next == '\n')
		*next += 1;
	return columns;
}

int text_lines(const char *text, int width)
{
	int lines = 0;

	for (; *text; lines++)
		text_line(text, width, &text);
	return lines;
}

int text_draw(struct canvas *canvas, struct rect rect, struct style style, const char *text)
{
	int lines = 0;

	while (*text && lines < rect.h) {
		const char *begin = text;
		int columns = text_line(text, rect.w, &text), end;
		bool cut = *text && lines == rect.h - 1;

		if (columns > rect.w - cut)
			columns = rect.w - cut;
		end = canvas_text(canvas, rect.x, rect.y + lines++, columns, style, begin);
		if (cut)
			canvas_put(canvas, end, rect.y + lines - 1, 0x2026, style);
	}
	return lines;
}
