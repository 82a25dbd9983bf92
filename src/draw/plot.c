/* SPDX-License-Identifier: MIT */
#include "draw/plot.h"

#include <math.h>
#include <string.h>
#include <stdio.h>
#include <sys/param.h>

#include "base/array.h"

int64_t plot_without_cut(const struct plot_axis *axis, int64_t time_ns)
{
	if (time_ns <= axis->cut_from_ns)
		return time_ns;
	return MAX(axis->cut_from_ns, time_ns - (axis->cut_to_ns - axis->cut_from_ns));
}

int64_t plot_with_cut(const struct plot_axis *axis, int64_t time_ns)
{
	if (time_ns <= axis->cut_from_ns)
		return time_ns;
	return time_ns + axis->cut_to_ns - axis->cut_from_ns;
}

double plot_column(const struct plot_axis *axis, int64_t time_ns)
{
	double span = (double)(axis->to_ns - axis->from_ns);
	double passed = (double)(plot_without_cut(axis, time_ns) - axis->from_ns);
	double column = axis->x + passed / span * axis->w;

	return fmax(-1e6, fmin(1e6, column));
}

int plot_cell(const struct plot_axis *axis, int64_t time_ns)
{
	return (int)fmax(-1, fmin(axis->w, floor(plot_column(axis, time_ns)) - axis->x));
}

int64_t plot_time(const struct plot_axis *axis, int column)
{
	int64_t span = axis->to_ns - axis->from_ns;
	int64_t x = column - axis->x, w = axis->w;

	/*
	 * Multiplies in two steps, because a single product could overflow: a damaged log may span
	 * centuries.
	 */
	return plot_with_cut(axis, axis->from_ns + span / w * x + span % w * x / w);
}

static double plot_least(double value, const double *steps, size_t n)
{
	double power = pow(10, floor(log10(value)));

	for (size_t i = 0; i < n; i++)
		if (steps[i] * power >= value * (1 - 1e-6))
			return steps[i] * power;
	return 10 * power;
}

double plot_nice(double value)
{
	static const double steps[] = {1,   1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8,
				       3.2, 3.6, 4,   4.5, 5,	5.5, 6, 7,   8,	  9};

	return plot_least(value, steps, LENGTH(steps));
}

double plot_coarse(double value)
{
	static const double steps[] = {1, 1.2, 1.4, 1.8, 2.2, 2.8, 3.6, 4.5, 5.5, 7, 9};

	return plot_least(value, steps, LENGTH(steps));
}

int64_t plot_nice_kib(int64_t kib)
{
	int64_t nice = 4;

	while (nice < kib && nice < INT64_MAX / 4) {
		if (nice + nice / 2 >= kib)
			return nice + nice / 2;
		nice *= 2;
	}
	return nice;
}

double plot_step(double span, int ticks)
{
	static const double steps[] = {1, 2, 5};

	return plot_least(span / (ticks > 0 ? ticks : 1), steps, LENGTH(steps));
}

double scale_step(double span, int ticks)
{
	static const double steps[] = {1, 2, 3, 5};

	return plot_least(span / (ticks > 0 ? ticks : 1), steps, LENGTH(steps));
}

static const struct scale_unit *plot_time_unit(double to_ns)
{
	static const struct scale_unit minutes = {60e9, "min"};

	/* Use minutes only if seconds would need four digits. */
	if (to_ns < 1000e9)
		return scale_unit(to_ns, false);
	return &minutes;
}

/*
 * PLOT_LABEL, PLOT_LABEL_LEAST: columns for a usual label and for a short one, including the blanks
 * around it. The unit follows the last label.
 */
enum { PLOT_LABEL = 8, PLOT_LABEL_LEAST = 3 };

struct plot_ticks {
	double step; /* ns */
	int64_t first;
	/*
	 * Labels show the offset from the first tick, because labels of four digits could not
	 * distinguish two ticks.
	 */
	bool on;
	const struct scale_unit *unit; /* unit of the time since the start */
	const struct scale_unit
		*of_all; /* unit written after the last label; with `on`, the unit of the offsets */
};

static struct plot_ticks plot_ticks_of(const struct plot_axis *axis, double step)
{
	const double to = (double)axis->to_ns;
	bool on = to > 9999 * pow(10, floor(log10(step) + 1e-9));

	return (struct plot_ticks) {
		step, (int64_t)ceil((double)axis->from_ns / step - 1e-9), on, plot_time_unit(to),
		plot_time_unit(on ? (double)(axis->to_ns - axis->from_ns) : to)};
}

/* Writes the label that begins at tick i. Returns whether the unit fits after it. */
static bool plot_label(const struct plot_axis *axis, const struct plot_ticks *t, int64_t i, int *x,
		       char *text, size_t size)
{
	int digits = (int)fmax(0, ceil(log10(t->unit->size / t->step) - 1e-9));
	double at = (double)i * t->step;

	if (!t->on)
		snprintf(text, size, "%.4g", at / t->unit->size);
	else if (i == t->first)
		snprintf(text, size, "%.*f %s", digits, at / t->unit->size, t->unit->name);
	else
		snprintf(text, size, "+%.4g", (double)(i - t->first) * t->step / t->of_all->size);
	*x = (int)plot_column(axis, (int64_t)at);
	return *x + utf8_columns(text) < axis->x + axis->w - utf8_columns(t->of_all->name);
}

/* Returns as many ticks as fit. If only one tick would get a label, tries more ticks. */
static struct plot_ticks plot_axis_ticks(const struct plot_axis *axis)
{
	double span = fmax(1, (double)(axis->to_ns - axis->from_ns));
	int wide = axis->w / PLOT_LABEL, most = axis->w / PLOT_LABEL_LEAST;

	for (int ticks = wide; ticks <= most; ticks++) {
		const struct plot_ticks t = plot_ticks_of(axis, plot_step(span, ticks));
		char text[48];
		int x;

		/* The second tick must have a label too, because a single label gives no scale. */
		if ((double)(t.first + 1) * t.step <= (double)axis->to_ns &&
		    plot_label(axis, &t, t.first + 1, &x, text, sizeof(text)))
			return t;
	}
	return plot_ticks_of(axis, plot_step(span, wide));
}

void plot_grid(struct canvas *canvas, const struct plot_axis *axis, int y, int h)
{
	const struct plot_ticks t = plot_axis_ticks(axis);

	/* Draw at most one tick a column: at very large times, rounding may lose the step. */
	for (int64_t i = t.first; i - t.first <= axis->w; i++) {
		const double ns = (double)i * t.step;
		int x;

		if (ns > (double)axis->to_ns)
			break;
		x = (int)plot_column(axis, (int64_t)ns);
		if (x >= axis->x + axis->w)
			continue;
		for (int row = 0; row < h; row++)
			canvas_put(canvas, x, y + row, 0xb7, STYLE(COLOUR_BORDER));
	}
}

void plot_time_labels(struct canvas *canvas, const struct plot_axis *axis, int y,
		      struct style style)
{
	plot_time_labels_marked(canvas, axis, y, style, -1, style);
}

/* Draws a label. Returns whether it is at the column of the mark, and sets *end to its end. */
static bool label_draw(struct canvas *canvas, struct rect place, const char *text,
		       struct style style, int mark, struct style bright, int *end)
{
	const bool marked = mark >= place.x && mark < place.x + utf8_columns(text);

	if (marked)
		style = bright;
	*end = canvas_text(canvas, place.x, place.y, place.w, style, text);
	return marked;
}

bool plot_time_labels_marked(struct canvas *canvas, const struct plot_axis *axis, int y,
			     struct style style, int mark, struct style bright)
{
	const struct plot_ticks t = plot_axis_ticks(axis);
	int end = axis->x, x;
	bool marked = false;

	for (int64_t i = t.first; i - t.first <= axis->w; i++) {
		char text[48];

		if ((double)i * t.step > (double)axis->to_ns)
			break;
		if (!plot_label(axis, &t, i, &x, text, sizeof(text)) || x < end)
			continue;
		marked |= label_draw(canvas, RECT(x, y, -1, 1), text, style, mark, bright, &end);
		end++;
	}
	if (end > axis->x)
		marked |= label_draw(canvas, RECT(end, y, axis->x + axis->w - end, 1),
				     t.of_all->name, style, mark, bright, &end);
	return marked;
}

int plot_height(double y, double top, int parts)
{
	int height;

	if (!(y > 0) || !(top > 0))
		return 0;
	height = (int)lround(fmin(1, y / top) * parts);
	return MAX(1, height);
}

static int plot_width(struct rect rect)
{
	return MIN(rect.w * 2, PLOT_DOTS);
}

void plot_area(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style)
{
	for (int x = 0; x + 1 < plot_width(rect); x += 2) {
		int height = plot_height(fmax(y[x], y[x + 1]), top, rect.h * 8);

		for (int row = 0; row * 8 < height; row++) {
			int part = MIN(height - row * 8, 8);

			canvas_put(canvas, rect.x + x / 2, rect.y + rect.h - 1 - row,
				   0x2580u + (uint32_t)part, style);
		}
	}
}

/* The glyph of a cell whose left and right half are filled to these eighths from below. */
static uint32_t halves_glyph(int left, int right)
{
	/* By the filled quarters: upper left 8, upper right 4, lower left 2, lower right 1. */
	static const uint32_t quarters[] = {' ',    0x2597, 0x2596, 0x2584, 0x259d, 0x2590,
					    0x259e, 0x259f, 0x2598, 0x259a, 0x258c, 0x2599,
					    0x2580, 0x259c, 0x259b, 0x2588};
	/* Eighths from which the lower and the upper quarter are filled. */
	enum { LOWER = 2, UPPER = 6 };
	unsigned filled = 0;

	if (left == right || MAX(left, right) < LOWER)
		return 0x2580u + (uint32_t)MAX(left, right);
	filled |= left >= UPPER ? 8u : 0;
	filled |= right >= UPPER ? 4u : 0;
	filled |= left >= LOWER ? 2u : 0;
	filled |= right >= LOWER ? 1u : 0;
	return quarters[filled];
}

void plot_halves(struct canvas *canvas, struct rect rect, const double *y, double top,
		 struct style style)
{
	for (int x = 0; x + 1 < plot_width(rect); x += 2) {
		const int left = plot_height(y[x], top, rect.h * 8);
		const int right = plot_height(y[x + 1], top, rect.h * 8);

		for (int row = 0; row * 8 < MAX(left, right); row++) {
			const int from = row * 8;
			const uint32_t glyph = halves_glyph(MAX(0, MIN(left - from, 8)),
							    MAX(0, MIN(right - from, 8)));

			canvas_put(canvas, rect.x + x / 2, rect.y + rect.h - 1 - row, glyph, style);
		}
	}
}

/*
 * Draws a braille dot. A cell has two dots across and four up, counted from the left and the
 * bottom.
 */
static void plot_dot(struct canvas *canvas, struct rect rect, int x, int dot, struct style style)
{
	static const uint8_t bits[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}};
	const int column = rect.x + x / 2, row = rect.y + rect.h - 1 - dot / 4;
	struct cell *cell;
	/*
	 * Whether two lines share the cell. Every second such cell has the colour of the first
	 * line.
	 */
	bool shared;

	if (column < 0 || row < 0 || column >= canvas->width || row >= canvas->height)
		return;
	cell = &canvas->cells[(size_t)row * (size_t)canvas->width + (size_t)column];
	shared = cell->glyph >= 0x2800 && cell->glyph <= 0x28ff;
	if (!shared)
		*cell = (struct cell) {.glyph = 0x2800};
	cell->glyph |= bits[x % 2][dot % 4];
	if (!shared || column % 2 == 0)
		cell->style = style;
}

int plot_line_row(struct rect rect, double y, double top)
{
	int height = 0;

	if (!isnan(y))
		height = plot_height(y, top, rect.h * 4);
	if (height == 0)
		return -1;
	return rect.y + rect.h - 1 - (height - 1) / 4;
}

void plot_line(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style)
{
	int before = 0;

	for (int x = 0; x < plot_width(rect); x++) {
		int height = 0, step;

		if (!isnan(y[x]))
			height = plot_height(y[x], top, rect.h * 4);
		step = (height > before) - (height < before);
		/* Draw a step as a vertical line, from the neighbour's height to the value. */
		if (before > 0 && height > 0)
			for (int i = before + step; i != height; i += step)
				plot_dot(canvas, rect, x, i - 1, style);
		if (height > 0)
			plot_dot(canvas, rect, x, height - 1, style);
		/* Draw the line two dots thick, so that it is visible from far away. */
		if (height > 1)
			plot_dot(canvas, rect, x, height - 2, style);
		before = height;
	}
}

void plot_range(struct canvas *canvas, struct rect rect, int x, double low, double high, double top,
		struct style style)
{
	const int dots = rect.h * 4;

	for (int i = plot_height(low, top, dots); i <= plot_height(high, top, dots); i++)
		plot_dot(canvas, rect, x, MAX(0, i - 1), style);
}

uint8_t plot_worker_colour(uint32_t worker)
{
	return (uint8_t)(COLOUR_WORKER0 + worker % PLOT_WORKERS);
}

/*
 * Returns the most frequent colour of the eighths first … end - 1. Sets *others to the number of
 * eighths that have another colour.
 */
static uint8_t split_side(const uint8_t *eighths, int first, int end, int *others)
{
	uint8_t colour = COLOUR_DEFAULT;
	int most = 0;

	for (int i = first; i < end; i++) {
		int n = 0;

		for (int j = first; j < end; j++)
			n += eighths[j] == eighths[i];
		if (n > most) {
			most = n;
			colour = eighths[i];
		}
	}
	*others += end - first - most;
	return colour;
}

/* A cell split into the left colour, up to an edge in eighths, and the right colour. */
struct split {
	uint8_t left, right;
	int edge;  /* 1 … 8 */
	int wrong; /* number of eighths that have neither colour */
};

static struct split split_best(const uint8_t eighths[PLOT_EIGHTHS])
{
	struct split best = {.wrong = PLOT_EIGHTHS + 1};

	for (int edge = PLOT_EIGHTHS; edge > 0; edge--) {
		struct split split = {.edge = edge};

		split.left = split_side(eighths, 0, edge, &split.wrong);
		split.right = split_side(eighths, edge, PLOT_EIGHTHS, &split.wrong);
		if (edge == PLOT_EIGHTHS)
			split.right = split.left;
		if (split.wrong == 0)
			return split;
		if (split.wrong < best.wrong)
			best = split;
	}
	return best;
}

/*
 * Returns a mark that is as wide as the number of coloured eighths. It is on the side of the cell
 * where most of these are.
 */
static struct split split_mark(const uint8_t eighths[PLOT_EIGHTHS])
{
	struct split split = {.edge = PLOT_EIGHTHS};
	int n = 0, sum = 0;
	uint8_t colour = COLOUR_DEFAULT;

	for (int i = 0; i < PLOT_EIGHTHS; i++) {
		if (eighths[i] == COLOUR_DEFAULT)
			continue;
		colour = eighths[i];
		sum += 2 * i + 1;
		n++;
	}
	if (n == 0)
		return split;
	if (sum <= n * PLOT_EIGHTHS)
		return (struct split) {.left = colour, .edge = n};
	return (struct split) {.right = colour, .edge = PLOT_EIGHTHS - n};
}

struct cell plot_split(const uint8_t eighths[PLOT_EIGHTHS], uint8_t ground)
{
	struct split split = {.left = eighths[0], .right = eighths[0], .edge = PLOT_EIGHTHS};
	struct cell cell = {.style = {.bg = ground}};

	/* Most cells have a single colour. */
	if (memcmp(eighths, eighths + 1, PLOT_EIGHTHS - 1) != 0)
		split = split_best(eighths);
	if (split.left == COLOUR_DEFAULT && split.right == COLOUR_DEFAULT)
		split = split_mark(eighths);
	if (split.left == COLOUR_DEFAULT && split.right == COLOUR_DEFAULT)
		return cell;
	cell.glyph = 0x2590u - (uint32_t)split.edge;
	cell.style.fg = split.left;
	if (split.left == COLOUR_DEFAULT) {
		/*
		 * The block draws the left part, but here the left part is the background. So fg is
		 * the right colour, and the cell is reversed.
		 */
		cell.style.fg = split.right;
		cell.style.attr = ATTR_REVERSE;
	} else if (split.right != COLOUR_DEFAULT && split.right != split.left) {
		cell.style.bg = split.right;
	}
	return cell;
}

uint32_t plot_eighth(double share)
{
	int eighths = (int)lround(share * 8);

	if (isnan(share))
		return '?';
	if (share <= 0)
		return ' ';
	return 0x2580u + (uint32_t)MAX(1, MIN(eighths, 8));
}

enum { PLOT_PARTS = 8 };

static int plot_largest(const int eighths[], int n, int but)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (i != but && eighths[i] && (best < 0 || eighths[i] > eighths[best]))
			best = i;
	return best;
}

/*
 * A cell can show only two colours, so draws its two largest parts, or the largest part and the
 * empty space above it.
 */
static void plot_stack_cell(struct canvas *canvas, int x, int y, const struct plot_part *parts,
			    int n, const int eighths[], int used)
{
	int first = plot_largest(eighths, n, -1);
	/* If only one eighth is empty, show a second part instead of the empty space. */
	int second = used >= 7 ? plot_largest(eighths, n, first) : -1;
	struct style style = {0};
	int lower;

	if (first < 0)
		return;
	style.fg = parts[first].colour;
	/*
	 * A shade on its own colour looks as solid as the split cells around it. Only terminals
	 * without colours show it as a shade.
	 */
	if (second < 0 && used == 8 && parts[first].glyph != 0x2588)
		style.bg = style.fg;
	if (second < 0) {
		canvas_put(canvas, x, y, used == 8 ? parts[first].glyph : 0x2580u + (uint32_t)used,
			   style);
		return;
	}
	lower = MIN(second, first);
	style.fg = parts[lower].colour;
	style.bg = parts[first + second - lower].colour;
	canvas_put(canvas, x, y, 0x2580u + (uint32_t)eighths[lower], style);
}

void plot_stack(struct canvas *canvas, struct rect rect, int x, const struct plot_part *parts,
		int n)
{
	int eighths[PLOT_PARTS];

	if (n > PLOT_PARTS)
		n = PLOT_PARTS;
	for (int row = 0; row < rect.h; row++) {
		int low = row * 8, begin = 0, used = 0;
		double share = 0;

		/*
		 * Find how many of the eighths low … low + 8 each part covers. The others are
		 * empty.
		 */
		for (int i = 0; i < n; i++) {
			int end, from, to;

			share += fmax(0, parts[i].share);
			end = (int)lround(fmin(1, share) * rect.h * 8);
			from = MAX(begin, low);
			to = MIN(end, low + 8);
			eighths[i] = MAX(to - from, 0);
			used += eighths[i];
			begin = end;
		}
		plot_stack_cell(canvas, x, rect.y + rect.h - 1 - row, parts, n, eighths, used);
	}
}

const struct scale_unit *scale_unit(double value, bool binary)
{
	static const struct scale_unit times[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
	static const struct scale_unit sizes[] = {{1048576, "GiB"}, {1024, "MiB"}, {1, "KiB"}};
	const struct scale_unit *unit = binary ? sizes : times;

	while (unit->size > 1 && value < unit->size * (1 - 1e-9))
		unit++;
	return unit;
}

double scale_share(const struct scale *scale, double value)
{
	if (!scale->log)
		return (value - scale->low) / (scale->high - scale->low);
	if (!(value > 0))
		return NAN;
	return log(value / scale->low) / log(scale->high / scale->low);
}

/*
 * Puts ticks at every power of base or, if these would be too many, at every second, third … power.
 */
static int scale_power_ticks(const struct scale *scale, double base, int most, double *out)
{
	double from = ceil(log(scale->low) / log(base) - 1e-9);
	double to = floor(log(scale->high) / log(base) + 1e-9), step;
	int n = 0;

	step = fmax(1, ceil((to - from + 1) / most));
	for (double i = from; i <= to; i += step) {
		if (n == SCALE_TICKS)
			break;
		out[n++] = pow(base, i);
	}
	return n;
}

/*
 * Puts ticks at the numbers parts[], such as 1, 2 and 5, and at their products with powers of ten.
 */
static int scale_mixed_ticks(const struct scale *scale, const double *parts, int n_parts,
			     double *out)
{
	/* Stay within the powers of ten that a double can have, because log10(0) is infinite. */
	int n = 0, from = (int)fmax(-324, floor(log10(scale->low)));
	int to = (int)fmin(308, floor(log10(scale->high)));

	for (int i = from; i <= to; i++)
		for (int j = 0; j < n_parts; j++) {
			double value = parts[j] * pow(10, i);

			if (n < SCALE_TICKS && value >= scale->low * (1 - 1e-9) &&
			    value <= scale->high * (1 + 1e-9))
				out[n++] = value;
		}
	return n;
}

int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS])
{
	static const double all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, some[] = {1, 2, 5};
	double span = scale->high - scale->low, step;
	int n = 0;

	if (most < 1)
		return 0;
	if (!scale->log) {
		step = scale_step(span, most);
		if (scale->binary)
			step = exp2(ceil(log2(span / most) - 1e-9));
		for (double i = ceil(scale->low / step - 1e-9); n < SCALE_TICKS; i++) {
			if (!(i * step <= scale->high * (1 + 1e-9)))
				break;
			out[n++] = i * step + 0.0; /* + 0.0 turns -0 into 0 */
		}
		return n;
	}
	if (scale->binary)
		return scale_power_ticks(scale, 2, most, out);
	n = scale_mixed_ticks(scale, all, 9, out);
	if (n > most)
		n = scale_mixed_ticks(scale, some, 3, out);
	if (n <= most)
		return n;
	return scale_power_ticks(scale, 10, most, out);
}

struct scale scale_log(double least, double most, bool binary)
{
	double air = fmax(1.1, pow(most / least, 0.05));

	return (struct scale) {least / air, most * air, true, binary};
}
