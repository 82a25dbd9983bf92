/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "core/comparison.h"

/*
 * Simulates whole sessions of several models at several values. comparison_made() says which cases
 * are compared. All headline metrics share the error. A session is analysed after every trial, and
 * may have more trials than planned. What is significant stays significant (see test_interim.c), so
 * the last analysis has the findings of all. `meson test --benchmark sessions` prints the table of
 * the manual's STATISTICS. The generator's seeds are constants, so the figures are the same
 * everywhere.
 */

enum {
	SESSIONS = 20000,
	SESSIONS_OF_MANY = 5000, /* of sessions with more than MANY comparisons */
	MANY = 4,
	MORE = 40,
	MOST_TRIALS = 256,
	MOST_PAIRS = 33,
	MOST_CASES = 33,
	MOST_METRICS = 4
};

struct generator {
	uint64_t state;
	double second; /* the second of two values from Box & Muller; NaN: used */
};

static double uniform(struct generator *g)
{
	return random_uniform(&g->state);
}

static double normal(struct generator *g)
{
	double radius, angle, kept = g->second;

	g->second = NAN;
	if (!isnan(kept))
		return kept;
	radius = sqrt(-2 * log(uniform(g)));
	angle = 2 * M_PI * uniform(g);
	g->second = radius * sin(angle);
	return radius * cos(angle);
}

/* How trials vary, relative to their time. */
enum noise {
	NOISE_NORMAL, /* by 1 % */
	NOISE_TAILED, /* by 1 %, and one in 20 takes up to 1.5 times as long */
	NOISE_AR,     /* by 1 %, half of it from the run before: AR(1) over the session's runs */
	NOISES
};

/* Which model runs first in a trial. */
enum order {
	ORDER_DRAWN, /* drawn for every trial: --order random */
	ORDER_TURNS, /* drawn for two trials, forwards and backwards: --order alternate */
};

static const char *const noise_names[NOISES] = {"normal", "heavy-tailed", "AR(1)"};

struct session {
	uint32_t models, values, planned, trials; /* trials: including additional ones */
	/*
	 * How much longer the last model takes, such as 0.03, at how many of the values, from the
	 * first on.
	 */
	double slower;
	uint32_t differ;
	double first; /* how much longer the first trial of the first model takes, such as 0.2 */
	enum order order;
	bool condition;	  /* the values are a condition, so each model is compared over them */
	uint32_t metrics; /* headline metrics, each with its own noise; 0: one */
	/* the number of these that differ by half, as memory and creation do in most sessions */
	uint32_t others;
};

/* The comparisons of a session. */
struct made {
	struct sample_case cases[MOST_CASES];
	uint32_t n, n_pairs, pairs[MOST_PAIRS][2];
};

static void make_comparisons(const struct session *s, struct made *made)
{
	*made = (struct made) {.n = s->models * s->values};
	for (uint32_t i = 0; i < made->n; i++) {
		struct sample_case *one = &made->cases[i];
		char value[16];

		snprintf(one->model, sizeof(one->model), "model%u", i % s->models);
		snprintf(value, sizeof(value), "%u", i / s->models);
		if (s->values > 1)
			variables_add(&one->variables, s->condition ? "alloc" : "size", value);
		one->plan = (struct plan) {.levels = 1, .fanout = {2}, .barrier = true};
		one->plan.leaves[WORK_CPU] = 1;
	}
	for (uint32_t a = 0; a < made->n; a++)
		for (uint32_t b = a + 1; b < made->n; b++)
			if (comparison_made(made->cases, made->n, a, b)) {
				assert_true(made->n_pairs < MOST_PAIRS);
				made->pairs[made->n_pairs][0] = a;
				made->pairs[made->n_pairs++][1] = b;
			}
}

/* Returns the logarithm of a run's time. Called for all runs in order. */
static double run(struct generator *g, enum noise noise, double *before)
{
	double x = 0.01 * normal(g);

	if (noise == NOISE_TAILED && uniform(g) < 0.05)
		x += log(1 + 0.5 * uniform(g));
	if (noise == NOISE_AR)
		x = *before = 0.5 * *before + sqrt(0.75) * x;
	return x;
}

/* Shuffles, by the method of Fisher and Yates. */
static void draw_places(struct generator *g, uint32_t place[], uint32_t n)
{
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = (uint32_t)(uniform(g) * (i + 1)), kept = place[i];

		place[i] = place[j];
		place[j] = kept;
	}
}

/* Draws the order as tuibench does: values in any order, and the first model at each value. */
static void draw_session(struct generator *g, const struct session *s, uint32_t place[MOST_CASES])
{
	uint32_t value[MOST_CASES], within[MOST_CASES];

	for (uint32_t v = 0; v < s->values; v++)
		value[v] = v;
	draw_places(g, value, s->values);
	for (uint32_t v = 0; v < s->values; v++) {
		for (uint32_t i = 0; i < s->models; i++)
			within[i] = i;
		draw_places(g, within, s->models);
		for (uint32_t i = 0; i < s->models; i++)
			place[v * s->models + i] = value[v] * s->models + within[i];
	}
}

static bool is_slower(const struct session *s, uint32_t at)
{
	return at % s->models == s->models - 1 && at / s->models < s->differ;
}

/* Makes the session's runs in order: x[trial][case]. */
static void make_runs(struct generator *g, const struct session *s, enum noise noise,
		      double x[MOST_TRIALS][MOST_CASES])
{
	uint32_t cases = s->models * s->values, place[MOST_CASES];
	double before = 0.01 * normal(g);

	for (uint32_t trial = 0; trial < s->trials; trial++) {
		bool turned = s->order == ORDER_TURNS && trial % 2 == 1;

		if (!turned)
			draw_session(g, s, place);
		for (uint32_t i = 0; i < cases; i++) {
			uint32_t at = place[turned ? cases - 1 - i : i];

			x[trial][at] = run(g, noise, &before);
			x[trial][at] += is_slower(s, at) ? log(1 + s->slower) : 0;
		}
	}
}

/* Makes the log ratios of all pairs: d[pair][trial]. */
static void make(struct generator *g, const struct session *s, const struct made *made,
		 enum noise noise, double d[][MOST_TRIALS])
{
	double x[MOST_TRIALS][MOST_CASES] = {0};

	make_runs(g, s, noise, x);
	x[0][0] += log(1 + s->first);
	for (uint32_t pair = 0; pair < made->n_pairs; pair++)
		for (uint32_t trial = 0; trial < s->trials; trial++)
			d[pair][trial] =
				x[trial][made->pairs[pair][1]] - x[trial][made->pairs[pair][0]];
}

/* Whether the two models of a pair really differ. */
static bool differs(const struct session *s, const uint32_t pair[2])
{
	return is_slower(s, pair[0]) != is_slower(s, pair[1]);
}

static uint32_t count_differing(const struct session *s, const struct made *made)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < made->n_pairs; i++)
		n += differs(s, made->pairs[i]);
	return n;
}

static uint32_t metrics_of(const struct session *s)
{
	return s->metrics > 0 ? s->metrics : 1;
}

/*
 * Returns the number of sessions: all in the benchmark, for the manual; a tenth in the test, which
 * finds a wrong error rate.
 */
static int count_sessions(uint32_t comparisons)
{
	int n = comparisons > MANY ? SESSIONS_OF_MANY : SESSIONS;

	return getenv("TUIBENCH_SESSIONS") ? n : n / 10;
}

/*
 * How far the share in a tenth of the sessions may be above or below a true share of `percent`, in
 * %: three standard errors. If the true share were at its bound, one of 740 such tests with other
 * random numbers would fail.
 */
static double chance(double percent, uint32_t comparisons)
{
	return getenv("TUIBENCH_SESSIONS")
		       ? 0
		       : 3 * sqrt(percent * (100 - percent) / count_sessions(comparisons));
}

/* Numbers of significant comparisons. */
struct claims {
	uint32_t real[2]; /* among pairs that do not really differ, and among those that do */
};

/*
 * All metrics share the family. The first one differs as the session says, the last ones by half
 * between any two models, and the rest not at all.
 */
static void find(struct family *family, const struct session *s, const struct made *made,
		 double d[][MOST_TRIALS], struct claims *claims)
{
	struct family_member members[MOST_METRICS * MOST_PAIRS];

	for (uint32_t i = 0; i < family->size; i++)
		members[i] = (struct family_member) {d[i], s->trials, .end = s->planned,
						     .joint = made->n_pairs == 1 &&
							      s->metrics == 4 && i >= 2};
	assert_int_equal(family_read(family, members), 0);
	for (uint32_t i = 0; i < family->size; i++) {
		uint32_t metric = i / made->n_pairs;
		bool other = metric >= metrics_of(s) - s->others;

		if (other)
			continue;
		claims->real[metric == 0 && differs(s, made->pairs[i])] += members[i].real;
	}
}

/*
 * Returns a share in %. found: of the true differences, those that are found in the first metric;
 * otherwise: of the sessions, those with a false winner in any metric.
 */
static double simulate(const struct session *s, const struct made *made, enum noise noise,
		       bool found)
{
	struct generator g = {19450601, NAN};
	static double d[MOST_METRICS * MOST_PAIRS][MOST_TRIALS];
	double sum = 0;
	uint32_t all = count_differing(s, made), metrics = metrics_of(s);
	int sessions = count_sessions(metrics * made->n_pairs);
	struct family family;

	assert_int_equal(family_make(&family, INTERIM_ERROR, s->planned, metrics * made->n_pairs),
			 0);
	for (int i = 0; i < sessions; i++) {
		struct claims claims = {{0, 0}};

		for (uint32_t metric = 0; metric < metrics; metric++) {
			struct session one = *s;

			if (metric > 0)
				one.differ = 0;
			make(&g, &one, made, noise, d + metric * made->n_pairs);
			for (uint32_t pair = 0;
			     metric >= metrics - s->others && pair < made->n_pairs; pair++)
				for (uint32_t trial = 0; trial < s->trials; trial++)
					d[metric * made->n_pairs + pair][trial] += 0.5;
		}
		find(&family, s, made, d, &claims);
		sum += found ? (double)claims.real[true] / all : claims.real[false] > 0;
	}
	family_free(&family);
	return 100 * sum / sessions;
}

/*
 * Simulates all kinds of noise for a session, as a row of the table. Returns by how much the bound
 * may be missed.
 */
static double simulate_noises(const struct session *s, bool found, double percent[NOISES])
{
	struct made made;

	make_comparisons(s, &made);
	fprintf(stderr, "%2u models, %2u values%s, %2u comparisons", s->models, s->values,
		s->condition ? " of a condition" : "", made.n_pairs);
	if (s->metrics > 1)
		fprintf(stderr, " in %u metrics, %u of them half apart", s->metrics, s->others);
	fprintf(stderr, ", %2u trials planned, %2u run", s->planned, s->trials);
	fprintf(stderr, "%s", s->order == ORDER_TURNS ? ", there and back" : "");
	if (s->differ > 0)
		fprintf(stderr, ", %.0f %% at %u", 100 * s->slower, s->differ);
	if (s->first > 0)
		fprintf(stderr, ", a first trial %.0f %% longer", 100 * s->first);
	fprintf(stderr, found ? ": found" : ": false winners");
	for (int noise = 0; noise < NOISES; noise++) {
		percent[noise] = simulate(s, &made, (enum noise)noise, found);
		fprintf(stderr, "%s %s %.2f %%", noise ? "," : "", noise_names[noise],
			percent[noise]);
	}
	fprintf(stderr, "\n");
	return chance(found ? 99 : 5, metrics_of(s) * made.n_pairs);
}

static void a_false_winner_is_named_in_at_most_5_percent(void **state)
{
	static const struct session sessions[] = {
		{2, 1, 8, 8},
		{2, 1, 8, 8 + MORE},
		{2, 1, 15, 15},
		{2, 1, 15, 15 + MORE},
		{3, 1, 15, 15 + MORE},
		{2, 7, 15, 15 + MORE},
		{2, 11, 16, 16 + MORE},
		{3, 11, 16, 16 + MORE},
		{2, 11, 16, 16 + MORE, 0.03, 5},
		{3, 1, 15, 15 + MORE, 0.03, 1},
		{2, 2, 15, 15 + MORE, .condition = true},
		{3, 4, 16, 16 + MORE, .condition = true},
		{2, 4, 16, 16 + MORE, 0.03, 2, .condition = true},
		{2, 1, 15, 15 + MORE, .metrics = 4},
		{2, 1, 15, 15 + MORE, .metrics = 4, .others = 1},
		{2, 1, 15, 15 + MORE, .metrics = 4, .others = 2},
		{3, 1, 15, 15 + MORE, .metrics = 4, .others = 2},
		{2, 2, 15, 15 + MORE, .condition = true, .metrics = 4, .others = 2},
		{2, 1, 8, 8 + MORE, .metrics = 4, .others = 2},
		/* as many as take 15 s */
		{2, 1, 75, 75 + MORE, .metrics = 4, .others = 2},
		{2, 1, 200, 200 + MORE, .metrics = 4, .others = 2},
	};
	double percent[NOISES];

	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++) {
		double more = simulate_noises(&sessions[i], false, percent);

		for (int noise = 0; noise < NOISES; noise++)
			assert_true(percent[noise] <= 5 + more);
	}
}

/* Noise that lasts from run to run then affects both models in the same way, two trials later. */
static void there_and_back_names_more_where_noise_lasts(void **state)
{
	static const struct session turns[] = {{2, 1, 8, 8 + MORE, .order = ORDER_TURNS},
					       {2, 1, 15, 15 + MORE, .order = ORDER_TURNS}};
	double percent[NOISES];
	struct made made;

	make_comparisons(&turns[0], &made);
	for (size_t i = 0; i < sizeof(turns) / sizeof(*turns); i++) {
		struct session drawn = turns[i];
		double more = simulate_noises(&turns[i], false, percent);

		drawn.order = ORDER_DRAWN;
		assert_true(percent[NOISE_NORMAL] <= 5 + more && percent[NOISE_TAILED] <= 5 + more);
		assert_true(percent[NOISE_AR] > simulate(&drawn, &made, NOISE_AR, false) &&
			    percent[NOISE_AR] < 5.5 + more);
	}
}

static void three_percent_are_found_in_99_percent(void **state)
{
	static const struct session sessions[] = {
		{2, 1, 15, 15, 0.03, 1},
		{2, 1, 15, 15, 0.03, 1, .first = 0.2},
		{3, 1, 15, 15, 0.03, 1},
		{2, 7, 15, 15, 0.03, 1},
		{2, 11, 16, 16, 0.03, 1},
		{3, 11, 16, 16, 0.03, 1},
		{3, 11, 16, 16, 0.03, 11},
		{2, 1, 9, 9, 0.03, 1},
		{2, 1, 15, 15, 0.03, 1, .metrics = 4, .others = 2},
		{2, 2, 15, 15, 0.03, 1, .condition = true},
	};
	double percent[NOISES];

	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++) {
		double less = simulate_noises(&sessions[i], true, percent);

		assert_true(percent[NOISE_NORMAL] >= 99 - less);
	}
}

/* --quick */
static void eight_trials_find_less(void **state)
{
	static const struct session sessions[] = {
		{2, 1, 8, 8, 0.01, 1},
		{2, 1, 8, 8, 0.02, 1},
		{2, 1, 8, 8, 0.03, 1},
		{2, 1, 8, 8, 0.05, 1},
		{3, 1, 8, 8, 0.03, 1},
		{2, 7, 8, 8, 0.03, 1},
		{2, 1, 8, 8, 0.03, 1, .first = 0.2},
	};
	double percent[NOISES];

	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++)
		simulate_noises(&sessions[i], true, percent);
	assert_true(percent[NOISE_NORMAL] < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_false_winner_is_named_in_at_most_5_percent),
		cmocka_unit_test(there_and_back_names_more_where_noise_lasts),
		cmocka_unit_test(three_percent_are_found_in_99_percent),
		cmocka_unit_test(eight_trials_find_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
