/* SPDX-License-Identifier: MIT */
#include "draw/scale.h"

#include <math.h>

#include "draw/plot.h"

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

static int add_tick(double *out, int n, double value)
{
	if (n < SCALE_TICKS)
		out[n++] = value;
	return n;
}

static int linear_ticks(const struct scale *scale, int most, double *out)
{
	double span = scale->high - scale->low, step = plot_step(span, most);
	int n = 0;

	if (scale->binary)
		step = exp2(ceil(log2(span / most) - 1e-9));
	for (double i = ceil(scale->low / step - 1e-9);
	     n < SCALE_TICKS && i * step <= scale->high * (1 + 1e-9); i++)
		n = add_tick(out, n, i * step + 0.0); /* no -0 */
	return n;
}

/* The ticks are at every power of base, or every second, third … where they are too many. */
static int power_ticks(const struct scale *scale, double base, int most, double *out)
{
	double from = ceil(log(scale->low) / log(base) - 1e-9);
	double to = floor(log(scale->high) / log(base) + 1e-9), step;
	int n = 0;

	step = fmax(1, ceil((to - from + 1) / most));
	for (double i = from; n < SCALE_TICKS && i <= to; i += step)
		n = add_tick(out, n, pow(base, i));
	return n;
}

/* Parts of ten and their tenfolds. */
static int mixed_ticks(const struct scale *scale, const double *parts, int n_parts, double *out)
{
	/* the powers that a double can have: log10(0) has no end */
	int n = 0, from = (int)fmax(-324, floor(log10(scale->low)));
	int to = (int)fmin(308, floor(log10(scale->high)));

	for (int i = from; i <= to; i++)
		for (int j = 0; j < n_parts; j++) {
			double value = parts[j] * pow(10, i);

			if (value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9))
				n = add_tick(out, n, value);
		}
	return n;
}

int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS])
{
	static const double all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, some[] = {1, 2, 5};
	int n;

	if (most < 1)
		return 0;
	if (!scale->log)
		return linear_ticks(scale, most, out);
	if (scale->binary)
		return power_ticks(scale, 2, most, out);
	n = mixed_ticks(scale, all, 9, out);
	if (n > most)
		n = mixed_ticks(scale, some, 3, out);
	return n <= most ? n : power_ticks(scale, 10, most, out);
}

struct scale scale_from_zero(double value, bool binary)
{
	double high =
		binary ? (double)plot_nice_kib((int64_t)ceil(fmin(value, 4e18))) : plot_nice(value);

	return (struct scale) {.low = 0, .high = high, .binary = binary};
}

struct scale scale_log(double least, double most, bool binary)
{
	double air = fmax(1.1, pow(most / least, 0.05));

	return (struct scale) {least / air, most * air, true, binary};
}
