/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"

/* Probability that an interval misses the true value, half of it on either side. */
#define LEVEL 0.05
/* The median absolute deviation of a normal distribution with standard deviation 1. */
#define NORMAL_MAD 0.6744897501960817

/*
 * Maps doubles to integers in the same order. Neighbouring doubles differ by 1, and both zeros are
 * the same integer.
 */
static int64_t order_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	if (bits >= 0)
		return bits;
	return INT64_MIN - bits;
}

static double double_of(int64_t order)
{
	int64_t bits = order >= 0 ? order : INT64_MIN - order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

enum { DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS };
/* Number of values from which on sorting by digits is faster than qsort(). */
#define SORT_BY_DIGITS 512

/*
 * Sorts n numbers by one of their digits into `out`, and leaves numbers with equal digits in their
 * order. If all numbers have the same digit, returns false and does not fill `out`.
 */
static bool sort_by_digit(const uint64_t *numbers, size_t n, int shift, uint64_t *out)
{
	size_t begin[DIGIT_VALUES + 1] = {0};

	for (size_t i = 0; i < n; i++)
		begin[(numbers[i] >> shift) % DIGIT_VALUES + 1]++;
	if (begin[(*numbers >> shift) % DIGIT_VALUES + 1] == n)
		return false;
	for (int digit = 0; digit < DIGIT_VALUES; digit++)
		begin[digit + 1] += begin[digit];
	for (size_t i = 0; i < n; i++)
		out[begin[(numbers[i] >> shift) % DIGIT_VALUES]++] = numbers[i];
	return true;
}

/* Sorts by the digits of order_of(), the lowest first. Returns false if memory is short. */
static bool sort_by_digits(double *x, size_t n)
{
	uint64_t *scratch = malloc(2 * n * sizeof(*scratch)), *from = scratch, *to = scratch + n,
		 *kept;

	if (!scratch)
		return false;
	for (size_t i = 0; i < n; i++)
		from[i] = (uint64_t)order_of(x[i]) ^ (uint64_t)INT64_MIN;
	for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!sort_by_digit(from, n, shift, to))
			continue;
		kept = from;
		from = to;
		to = kept;
	}
	for (size_t i = 0; i < n; i++)
		x[i] = double_of((int64_t)(from[i] ^ (uint64_t)INT64_MIN));
	free(scratch);
	return true;
}

void stats_sort(double *x, size_t n)
{
	if (n >= SORT_BY_DIGITS && sort_by_digits(x, n))
		return;
	if (n > 1)
		qsort(x, n, sizeof(*x), array_by_double);
}

double stats_quantile(const double *sorted, size_t n, double q)
{
	double at, below;
	size_t i;

	if (n == 0)
		return NAN;
	at = q * (double)(n - 1);
	below = floor(at);
	i = (size_t)below;
	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]);
}

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

/* Sorts the first, the middle and the last value among themselves. Returns the middle one. */
static double middle_of_three(double *x, long first, long last)
{
	long middle = first + (last - first) / 2;

	if (x[middle] < x[first])
		swap(&x[middle], &x[first]);
	if (x[last] < x[first])
		swap(&x[last], &x[first]);
	if (x[last] < x[middle])
		swap(&x[last], &x[middle]);
	return x[middle];
}

/*
 * Among the values at first … last, moves those below the bound to the front. Returns the index
 * after them. equal: also moves values equal to the bound. Has no branches, because the processor
 * could not predict them.
 */
static long move_below(double *x, long first, long last, double bound, bool equal)
{
	for (long i = first; i <= last; i++) {
		const double value = x[i];

		x[i] = x[first];
		x[first] = value;
		first += (value < bound) | (equal & (value == bound));
	}
	return first;
}

/*
 * Moves the k-th smallest value to index k, so that no value before it is greater, and no value
 * after it is smaller.
 */
static void put_in_place(double *x, size_t n, long k)
{
	long first = 0, last = (long)n - 1;
	/*
	 * The order of the values may defeat the choice of pivots, so after this many rounds sort
	 * them.
	 */
	int rounds = 64;

	while (first < last && rounds-- > 0) {
		const double pivot = middle_of_three(x, first, last);
		const long begin = move_below(x, first, last, pivot, false);

		if (k < begin) {
			last = begin - 1;
			continue;
		}
		first = move_below(x, begin, last, pivot, true);
		/* The values at begin … first - 1 are equal to the pivot. */
		if (k < first)
			return;
	}
	if (first < last)
		stats_sort(x + first, (size_t)(last - first) + 1);
}

double stats_select(double *x, size_t n, double q)
{
	size_t i = n > 0 ? (size_t)floor(q * (double)(n - 1)) : 0;

	put_in_place(x, n, (long)i);
	if (i + 1 < n)
		put_in_place(x + i + 1, n - i - 1, 0);
	return stats_quantile(x, n, q);
}

double stats_median(const double *sorted, size_t n)
{
	return stats_quantile(sorted, n, 0.5);
}

/* Returns the quantile of the normal distribution at 1 - tail, by bisection. */
static double normal_quantile(double tail)
{
	double low = 0, high = 40, middle = 20;

	while (middle > low && middle < high) {
		if (erfc(middle * M_SQRT1_2) / 2 > tail)
			low = middle;
		else
			high = middle;
		middle = (low + high) / 2;
	}
	return middle;
}

/* Returns the rank at the lower tail, by the normal approximation with continuity correction. */
static size_t normal_rank(double mean, double deviation, double tail)
{
	double rank = floor(mean + 0.5 - normal_quantile(tail) * deviation);

	if (rank < 1)
		return 0;
	return (size_t)rank;
}

size_t stats_sign_rank(size_t n)
{
	double pmf = pow(0.5, (double)n), below = 0;
	size_t k;

	if (n > STATS_EXACT_MOST)
		return normal_rank((double)n / 2, sqrt((double)n) / 2, LEVEL / 2);
	for (k = 0; below + pmf <= LEVEL / 2; k++) {
		below += pmf;
		pmf *= (double)(n - k) / (double)(k + 1);
	}
	return k;
}

struct stats_interval stats_median_interval(double *x, size_t n)
{
	struct stats_interval interval = {NAN, NAN, NAN};
	size_t rank = stats_sign_rank(n);

	stats_sort(x, n);
	interval.estimate = stats_median(x, n);
	if (rank > 0) {
		interval.low = x[rank - 1];
		interval.high = x[n - rank];
	}
	return interval;
}

/*
 * Computes share[s] for s < sums: the probability that a random subset of the ranks 1 … n has the
 * sum s. Each rank is in the subset with probability one half. Each pass adds one rank. It goes
 * from large sums to small ones, so that no rank counts twice. Small sums do not depend on larger
 * ones, so only the lower tail is computed.
 */
static void rank_sums(double *share, size_t sums, size_t n)
{
	for (size_t s = 0; s < sums; s++)
		share[s] = s == 0;
	for (size_t rank = 1; rank <= n; rank++) {
		for (size_t s = MIN(sums, rank * (rank + 1) / 2 + 1); s-- > 0;)
			share[s] = (share[s] + (s >= rank ? share[s - rank] : 0)) / 2;
	}
}

/* Number of sums in the lower half, including the middle one. */
#define HALF_SUMS(n_) ((n_) * ((n_) + 1) / 4 + 1)

size_t stats_signed_rank_at(size_t n, double level)
{
	double share[HALF_SUMS(STATS_EXACT_MOST)], below = 0, pairs = (double)n;
	size_t k;

	if (level <= 0)
		return 0;
	if (n > STATS_EXACT_MOST)
		return normal_rank(pairs * (pairs + 1) / 4,
				   sqrt(pairs * (pairs + 1) * (2 * pairs + 1) / 24), level / 2);
	rank_sums(share, HALF_SUMS(n), n);
	for (k = 0; k < HALF_SUMS(n); k++) {
		if (below + share[k] > level / 2)
			break;
		below += share[k];
	}
	return k;
}

double stats_signed_rank_level(size_t n, double level)
{
	double share[HALF_SUMS(STATS_EXACT_MOST)], below = 0;

	if (n > STATS_EXACT_MOST)
		return level;
	rank_sums(share, HALF_SUMS(n), n);
	for (size_t k = stats_signed_rank_at(n, level); k-- > 0;)
		below += share[k];
	return 2 * below;
}

/*
 * Returns the number of Walsh averages that are at most x. Sets *largest to the largest of these.
 * The larger i is, the fewer j qualify.
 */
static size_t averages_up_to(const double *sorted, size_t n, double x, double *largest)
{
	size_t count = 0;

	*largest = -INFINITY;
	for (size_t i = 0, j = n; i < n; i++) {
		while (j > i && (sorted[i] + sorted[j - 1]) / 2 > x)
			j--;
		if (j <= i)
			break;
		count += j - i;
		*largest = MAX(*largest, (sorted[i] + sorted[j - 1]) / 2);
	}
	return count;
}

/* Stores the averages that are above `above` and at most `most`. Returns their number. */
static size_t averages_between(const double *sorted, size_t n, double above, double most,
			       double *out)
{
	size_t count = 0;

	for (size_t i = 0, from = n, to = n; i < n; i++) {
		while (from > i && (sorted[i] + sorted[from - 1]) / 2 > above)
			from--;
		while (to > i && (sorted[i] + sorted[to - 1]) / 2 > most)
			to--;
		if (to <= i)
			break;
		for (size_t j = MAX(from, i); j < to; j++)
			out[count++] = (sorted[i] + sorted[j]) / 2;
	}
	return count;
}

/*
 * A search counts up to a bound just before its average, and up to one just after it. These are the
 * distances of the bounds from the average, as a share of n places, so fewer than n averages are
 * between them.
 */
static const double aims[] = {-0.3, 0.3};

/*
 * The bound up to which this step counts, within [low, high - 1]. share: the position of the
 * average among those between low and high. near: the share that may be left in the end. Two of
 * four steps guess, as if the averages were spread evenly: a bound just before the average, then
 * one just after it. The third step bisects, so that a search ends even if averages are spread
 * unevenly. The fourth tries the last bound below high, because among equal averages high is the
 * answer.
 */
static int64_t next_bound(int step, int64_t low, int64_t high, double share, double near)
{
	const double from = double_of(low), to = double_of(high);

	if (step % 4 == 2)
		return low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
	if (step % 4 == 3)
		return high - 1;
	share += aims[step % 4] * near;
	return order_of(from + share * (to - from));
}

/* From THIN_LEAST values on, a search begins with one of THIN values. */
enum { THIN = 15, THIN_LEAST = 1024 };

static double walsh_average(const double *sorted, size_t n, size_t k, double *scratch);

/*
 * Guesses the two bounds around the average at place k: they are averages of fewer values, taken at
 * equal distances. scratch has n values.
 */
static void guess_bounds(const double *sorted, size_t n, size_t k, double *scratch,
			 int64_t bounds[2])
{
	const size_t few = n / THIN, count = few * (few + 1) / 2;
	const double share = (double)count / ((double)n * (double)(n + 1) / 2);

	for (size_t i = 0; i < few; i++)
		scratch[i] = sorted[(2 * i + 1) * n / (2 * few)];
	for (int i = 0; i < 2; i++) {
		const double place = ((double)k + aims[i] * (double)n) * share;

		bounds[i] = order_of(walsh_average(
			scratch, few, (size_t)MAX(0, MIN(place, count - 1)), scratch + few));
	}
}

/*
 * Returns the Walsh average at place k in sorted order; each value is also paired with itself. This
 * is the smallest double that at least k + 1 averages do not exceed. The averages are counted, and
 * stored in scratch[n] only when at most n are left to choose from.
 */
static double walsh_average(const double *sorted, size_t n, size_t k, double *scratch)
{
	int64_t low = order_of(sorted[0]), high = order_of(sorted[n - 1]), guesses[2];
	const int guessed = n >= THIN_LEAST ? 2 : 0;
	size_t below = 0, up_to = n * (n + 1) / 2;

	if (guessed)
		guess_bounds(sorted, n, k, scratch, guesses);
	for (int step = 0; low < high; step++) {
		double largest;
		int64_t bound;
		size_t count;

		if (up_to - below <= n) {
			averages_between(sorted, n, double_of(low - 1), double_of(high), scratch);
			put_in_place(scratch, up_to - below, (long)(k - below));
			return scratch[k - below];
		}
		if (step < guessed)
			bound = guesses[step];
		else
			bound = next_bound(step - guessed, low, high,
					   (double)(k - below) / (double)(up_to - below),
					   (double)n / (double)(up_to - below));
		bound = MAX(low, MIN(bound, high - 1));
		count = averages_up_to(sorted, n, double_of(bound), &largest);
		if (count == k + 1)
			return largest;
		if (count > k) {
			high = order_of(largest);
			up_to = count;
		} else {
			low = bound + 1;
			below = count;
		}
	}
	return double_of(low);
}

/* The smallest average that is above x; INFINITY if there is none. */
static double average_after(const double *sorted, size_t n, double x)
{
	double least = INFINITY;

	for (size_t i = 0, j = n; i < n; i++) {
		while (j > i && (sorted[i] + sorted[j - 1]) / 2 > x)
			j--;
		if (j < n)
			least = MIN(least, (sorted[i] + sorted[MAX(i, j)]) / 2);
		if (j <= i)
			break;
	}
	return least;
}

double stats_centre(const double *sorted, size_t n, double *scratch)
{
	const size_t count = n * (n + 1) / 2;
	double middle, largest;

	if (n == 0)
		return NAN;
	middle = walsh_average(sorted, n, (count - 1) / 2, scratch);
	if (count % 2 == 1 || averages_up_to(sorted, n, middle, &largest) > count / 2)
		return middle;
	return (middle + average_after(sorted, n, middle)) / 2;
}

int stats_signed_rank_interval(const double *differences, size_t n, double level,
			       struct stats_interval *out)
{
	size_t rank = stats_signed_rank_at(n, level), count = n * (n + 1) / 2;
	double *sorted = malloc((2 * n + 1) * sizeof(*sorted)), *scratch = sorted + n;

	*out = (struct stats_interval) {NAN, NAN, NAN};
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, differences, n * sizeof(*sorted));
	stats_sort(sorted, n);
	out->estimate = stats_centre(sorted, n, scratch);
	if (rank > 0) {
		out->low = walsh_average(sorted, n, rank - 1, scratch);
		out->high = walsh_average(sorted, n, count - rank, scratch);
	}
	free(sorted);
	return 0;
}

void stats_signed_rank_narrow(const double *sorted, size_t n, double level, double *scratch,
			      struct stats_interval *out)
{
	const size_t rank = stats_signed_rank_at(n, level), count = n * (n + 1) / 2;
	double largest, below;

	if (rank == 0)
		return;
	/*
	 * One count shows whether the end changes, so test that first: finding an end takes several
	 * counts.
	 */
	if (isnan(out->low) || averages_up_to(sorted, n, out->low, &largest) < rank)
		out->low = walsh_average(sorted, n, rank - 1, scratch);
	below = nextafter(out->high, -INFINITY);
	if (isnan(out->high) || averages_up_to(sorted, n, below, &largest) > count - rank)
		out->high = walsh_average(sorted, n, count - rank, scratch);
}

int stats_log_ratios(const double *a, const double *b, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++) {
		/* Written with ! so that NaN is refused too. */
		if (!(a[i] > 0 && b[i] > 0 && isfinite(a[i]) && isfinite(b[i])))
			return -EDOM;
		out[i] = log(b[i] / a[i]);
	}
	return 0;
}

int stats_differences(const double *a, const double *b, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = b[i] - a[i];
		if (!isfinite(out[i]))
			return -EDOM;
	}
	return 0;
}

int stats_paired_ratio(const double *a, const double *b, size_t n, struct stats_interval *out)
{
	struct stats_interval centre = {NAN, NAN, NAN};
	double *ratios;
	int err = 0;

	*out = centre;
	if (n == 0)
		return 0;
	ratios = malloc(n * sizeof(*ratios));
	if (!ratios)
		return -ENOMEM;
	if (stats_log_ratios(a, b, n, ratios) == 0)
		err = stats_signed_rank_interval(ratios, n, LEVEL, &centre);
	free(ratios);
	out->estimate = exp(centre.estimate);
	out->low = exp(centre.low);
	out->high = exp(centre.high);
	return err;
}

struct stats_interval stats_inverse(const struct stats_interval *ratio)
{
	return (struct stats_interval) {1 / ratio->estimate, 1 / ratio->high, 1 / ratio->low};
}

enum stats_verdict stats_verdict(const struct stats_interval *ratio)
{
	if (isnan(ratio->low) || isnan(ratio->high))
		return STATS_TOO_FEW;
	if (ratio->low > 1)
		return STATS_A;
	if (ratio->high < 1)
		return STATS_B;
	return STATS_NONE;
}

struct stats_spread stats_spread(double *x, size_t n)
{
	struct stats_spread spread = {.median = NAN, .deviation = NAN};

	if (n == 0)
		return spread;
	spread.median = stats_select(x, n, 0.5);
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - spread.median);
	spread.deviation = stats_select(x, n, 0.5) / NORMAL_MAD;
	return spread;
}

double stats_modified_z(const struct stats_spread *spread, double x)
{
	double off = x - spread->median;

	if (off == 0)
		return 0;
	return off / spread->deviation;
}

/* How far line b is above line a at a point, on linear or logarithmic axes. */
static double height_above(const struct crossover_point *point, bool logarithmic)
{
	if (logarithmic)
		return log(point->b / point->a);
	return point->b - point->a;
}

static double ratio_above(const struct crossover_point *point, bool logarithmic)
{
	(void)logarithmic;
	return log(point->ratio.estimate);
}

/* Finds the position between two points where `above` changes its sign; NaN if it does not. */
static double locate(const struct crossover_point *points, size_t first, size_t last,
		     bool logarithmic,
		     double (*above)(const struct crossover_point *point, bool logarithmic))
{
	double before = above(&points[first], logarithmic), after;
	size_t left = first;

	for (size_t i = first + 1; i <= last; i++) {
		const double from = points[left].x, to = points[i].x;
		double share;

		after = above(&points[i], logarithmic);
		if (isnan(after))
			continue;
		share = before / (before - after);
		if ((before > 0) != (after > 0) && logarithmic)
			return from * pow(to / from, share);
		if ((before > 0) != (after > 0))
			return from + (to - from) * share;
		before = after;
		left = i;
	}
	return NAN;
}

/* The ratios at the two points must be on different sides of 1. */
static double locate_crossover(const struct crossover_point *points, size_t first, size_t last,
			       bool logarithmic)
{
	const double at = locate(points, first, last, logarithmic, height_above);

	if (!isnan(at))
		return at;
	return locate(points, first, last, logarithmic, ratio_above);
}

size_t crossover_find(const struct crossover_point *points, size_t n, bool logarithmic,
		      struct crossover *out, size_t most)
{
	enum stats_verdict lead = STATS_NONE;
	size_t count = 0, since = 0;

	for (size_t i = 0; i < n; i++) {
		enum stats_verdict here = stats_verdict(&points[i].ratio);

		if (here != STATS_A && here != STATS_B)
			continue;
		if (lead != STATS_NONE && here != lead) {
			if (count < most)
				out[count] = (struct crossover) {
					.low = points[since].x,
					.high = points[i].x,
					.from = since,
					.to = i,
					.before = lead,
					.at = locate_crossover(points, since, i, logarithmic)};
			count++;
		}
		lead = here;
		since = i;
	}
	return count;
}
