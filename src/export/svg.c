/* SPDX-License-Identifier: MIT */
#include "svg.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "draw/identity.h"
#include "draw/plot.h"
#include "draw/scale.h"

static const struct scale_unit *svg_unit(double high, enum svg_unit unit)
{
	static const struct scale_unit count = {1, ""};

	return unit == SVG_COUNT ? &count : scale_unit(high, unit == SVG_KIB);
}

double svg_at(const struct svg_scale *scale, double value)
{
	double part = scale->log ? log(value / scale->low) / log(scale->high / scale->low)
				 : (value - scale->low) / (scale->high - scale->low);

	return scale->x + scale->w * fmax(0, fmin(1, part));
}

double svg_round_up(double high, enum svg_unit unit)
{
	double size, step;

	if (!(high > 0))
		return 1;
	size = svg_unit(high, unit)->size;
	step = plot_step(high / size, 5) * size;
	return ceil(high / step) * step;
}

void svg_open(struct html *html, double height, const char *title, const char *text)
{
	svg_open_as(html, "wide", SVG_WIDTH, height, title, text);
}

void svg_open_as(struct html *html, const char *style, int width, double height, const char *title,
		 const char *text)
{
	unsigned id = ++html->ids;

	html_put(html,
		 "<div class=\"%s\"><svg role=\"img\" aria-labelledby=\"t%u d%u\" "
		 "viewBox=\"0 0 %d ",
		 style, id, id, width);
	html_number(html, height);
	html_put(html, "\"><title id=\"t%u\">", id);
	html_text(html, title);
	html_put(html, "</title><desc id=\"d%u\">", id);
	html_text(html, text);
	html_put(html, "</desc>\n");
}

void svg_close(struct html *html)
{
	html_put(html, "</svg></div>\n");
}

/* Text and number in turn, up to NULL. */
static __attribute__((sentinel)) void svg_numbers(struct html *html, ...)
{
	const char *text;
	va_list args;

	va_start(args, html);
	while ((text = va_arg(args, const char *)) != NULL) {
		html_put(html, "%s", text);
		html_number(html, va_arg(args, double));
	}
	va_end(args);
}

void svg_rect(struct html *html, const char *style, double x, double y, double w, double h)
{
	html_put(html, "<rect class=\"%s\"", style);
	svg_numbers(html, " x=\"", x, "\" y=\"", y, "\" width=\"", w, "\" height=\"", h, NULL);
	html_put(html, "\"/>");
}

void svg_line(struct html *html, const char *style, double x1, double y1, double x2, double y2)
{
	html_put(html, "<line class=\"%s\"", style);
	svg_numbers(html, " x1=\"", x1, "\" y1=\"", y1, "\" x2=\"", x2, "\" y2=\"", y2, NULL);
	html_put(html, "\"/>");
}

/* The first characters of text; buf holds them all. */
static void svg_shorten(char *buf, const char *text, unsigned most)
{
	char *end = buf;

	for (unsigned i = 1; i < most; i++) {
		utf8_encode(utf8_next_printable(&text), end);
		end += strlen(end);
	}
	snprintf(end, UTF8_BYTES, "…");
}

void svg_name(struct html *html, const char *style, double x, double y, const char *name,
	      unsigned most)
{
	char buf[UTF8_BYTES * HTML_NAME];

	if (most < HTML_NAME && (unsigned)utf8_columns(name) > most) {
		svg_shorten(buf, name, most);
		name = buf;
	}
	html_put(html, "<text class=\"%s\"", style);
	svg_numbers(html, " x=\"", x, "\" y=\"", y, NULL);
	html_mixed(html, "\">", name, "</text>", NULL);
}

void svg_text(struct html *html, const char *style, double x, double y, const char *format, ...)
{
	char text[HTML_NAME];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	svg_name(html, style, x, y, text, HTML_NAME);
}

void svg_mark(struct html *html, unsigned hue, double x, double y, const char *title)
{
	html_put(html, "<path class=\"mark m%u\"", hue);
	svg_numbers(html, " transform=\"translate(", x, " ", y, NULL);
	html_put(html, ")\" d=\"%s\">", identity_path(hue));
	if (title)
		html_element(html, "title", title);
	html_put(html, "</path>");
}

void svg_key(struct html *html, unsigned hue)
{
	html_put(html,
		 "<svg class=\"key\" viewBox=\"-6 -6 12 12\" aria-hidden=\"true\">"
		 "<path class=\"mark m%u\" d=\"%s\"/></svg>",
		 hue, identity_path(hue));
}

void svg_path(struct html *html, const char *style, ...)
{
	va_list args;

	va_start(args, style);
	html_put(html, "<path class=\"");
	vfprintf(html->out, style, args);
	html_put(html, "\" d=\"");
	va_end(args);
}

void svg_to(struct html *html, bool move, double x, double y)
{
	svg_numbers(html, move ? "M" : "L", x, " ", y, NULL);
}

void svg_block(struct html *html, double x, double y, double w, double h)
{
	svg_numbers(html, "M", x, " ", y, "h", w, "v", h, "h", -w, NULL);
	html_put(html, "z");
}

void svg_path_end(struct html *html)
{
	html_put(html, "\"/>\n");
}

double svg_column(const struct svg_scale *scale, int column)
{
	return scale->x + scale->w * column / SVG_COLUMNS;
}

static void svg_shade(struct html *html, const struct svg_shades *s, unsigned shade)
{
	svg_path(html, "%s a%u", s->style, shade);
	for (uint32_t row = 0; row < s->rows; row++) {
		for (int i = 0, end; i < SVG_COLUMNS; i = end) {
			unsigned own = s->shade(s->arg, row, i);

			for (end = i + 1; end < SVG_COLUMNS && s->shade(s->arg, row, end) == own;)
				end++;
			if (own == shade)
				svg_block(html, svg_column(s->scale, i), s->y + row * s->step,
					  svg_column(s->scale, end) - svg_column(s->scale, i),
					  s->h);
		}
	}
	svg_path_end(html);
}

void svg_shades(struct html *html, const struct svg_shades *shades)
{
	for (unsigned shade = 1; shade <= SVG_SHADES; shade++)
		svg_shade(html, shades, shade);
}

/* The value of a tick; the unit stands with the last one only. */
static void svg_label(char *buf, size_t size, double value, double step, const char *unit)
{
	int decimals = step >= 1 || value == 0 ? 0 : (int)fmin(9, ceil(-log10(step) - 1e-9));

	snprintf(buf, size, "%s%s%s", UNITS_DECIMAL(value, decimals), *unit ? " " : "", unit);
}

struct tick {
	double value;
	char text[48];
};

/* All ticks of a linear scale have the unit of the highest; powers of ten each have their own. */
static int svg_ticks(const struct svg_scale *scale, enum svg_unit unit, int most,
		     struct tick out[SCALE_TICKS])
{
	const struct scale_unit *of = svg_unit(scale->high, unit);
	double size = scale->log ? 1 : of->size, low = scale->low / size, high = scale->high / size;
	const struct scale in_units = {low, high, scale->log, scale->log && unit == SVG_KIB};
	double values[SCALE_TICKS], step = scale->log ? 1 : plot_step(high - low, most);
	int n = scale_ticks(&in_units, most, values);

	for (int i = 0; i < n; i++) {
		out[i].value = values[i] * size;
		if (scale->log)
			of = svg_unit(values[i], unit);
		svg_label(out[i].text, sizeof(out[i].text), out[i].value / of->size, step,
			  scale->log || i == n - 1 ? of->name : "");
	}
	return n;
}

void svg_axis_x(struct html *html, const struct svg_scale *scale, enum svg_unit unit, double y,
		double h)
{
	struct tick ticks[SCALE_TICKS];
	int n = svg_ticks(scale, unit, scale->w < 300 ? 4 : scale->log ? 12 : 8, ticks);

	for (int i = 0; i < n; i++) {
		double x = svg_at(scale, ticks[i].value);

		svg_line(html, "grid", x, y, x, y + h);
		svg_text(html, "tick mid", x, y + h + 13, "%s", ticks[i].text);
	}
	html_put(html, "\n");
}

void svg_axis_y(struct html *html, const struct svg_scale *scale, enum svg_unit unit, double x,
		double w)
{
	struct tick ticks[SCALE_TICKS];
	int n = svg_ticks(scale, unit, scale->w > -100 ? 3 : 5, ticks);

	for (int i = 0; i < n; i++) {
		double y = svg_at(scale, ticks[i].value);

		svg_line(html, "grid", x, y, x + w, y);
		svg_text(html, "tick end", x - 5, y + 4, "%s", ticks[i].text);
	}
	html_put(html, "\n");
}
