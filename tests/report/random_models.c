/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/curve.h"
#include "report/curve_answer.h"
#include "report/report.h"

/*
 * Sessions at random, from SEED on so many, as text and with the answer of the curve: what
 * test_sentences.py holds against one another. Usage: random_models SEED SESSIONS
 */

#define MS    1000000.0
#define CASES 24

struct random {
	uint64_t state;
};

static double uniform(struct random *r)
{
	return random_uniform(&r->state);
}

static uint32_t below(struct random *r, uint32_t n)
{
	return (uint32_t)(random_next(&r->state) % n);
}

static double normal(struct random *r)
{
	return random_normal(&r->state);
}

struct session {
	struct sample_case cases[CASES];
	double ms[CASES]; /* that each takes */
	bool fails[CASES];
	uint32_t n, planned, trials; /* trials: those that run */
	double noise, failing, unknown;
	bool over;
};

static void add(struct session *s, const char *model, const char *variables, double ms)
{
	struct sample_case *one = &s->cases[s->n];

	*one = (struct sample_case) {.plan = {.levels = 1, .fanout = {1}, .gated = true}};
	snprintf(one->model, sizeof(one->model), "%s", model);
	variables_parse(&one->variables, variables);
	s->ms[s->n++] = ms;
}

#define PICK(r, list) (list)[below(r, sizeof(list) / sizeof((list)[0]))]

static void make_cases(struct random *r, struct session *s)
{
	static const char *const models[] = {"threads", "processes", "hybrid:2x4"};
	static const double ratios[] = {1, 1, 1, 1.0004, 1.01, 1.03, 1.3, 0.7, 0.2, 4000};
	uint32_t n_models = 2 + below(r, 2), values = below(r, 3) ? 1 + below(r, 7) : 0;
	bool alike = below(r, 4) == 0;

	for (uint32_t v = 0; v < (values ? values : 1); v++) {
		for (uint32_t m = 0; m < n_models; m++) {
			char variables[SAMPLE_LABEL] = "";

			if (values > 0)
				snprintf(variables, sizeof(variables), "size=%u", 10 * (v + 1));
			add(s, models[m], variables, 100 * (v + 1) * (alike ? 1 : PICK(r, ratios)));
			s->fails[s->n - 1] = below(r, 100) == 0;
		}
	}
}

static void make(struct random *r, struct session *s)
{
	static const double noises[] = {0, 0.0001, 0.003, 0.01, 0.01, 0.1, 0.5};
	static const double shares[] = {0, 0, 0, 0, 0, 0.02, 0.1};

	*s = (struct session) {.planned = below(r, 5) ? 10 + below(r, 10) : 1 + below(r, 9),
			       .over = below(r, 4) > 0};
	make_cases(r, s);
	s->noise = PICK(r, noises);
	s->failing = PICK(r, shares);
	s->unknown = PICK(r, shares);
	s->trials = s->planned;
	if (below(r, 4) == 0)
		s->trials = below(r, s->planned + 1);
	else if (below(r, 4) == 0)
		s->trials += 1 + below(r, 20);
}

static int run(struct random *r, const struct session *s, struct model *model, uint32_t number,
	       uint32_t trial, uint32_t case_id)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN,
				.time_ns = (int64_t)((number + 1) * 1e9 * 1000)};
	int err;

	sample.run = (struct sample_run) {number, trial, case_id, s->planned * s->n};
	err = model_apply(model, &sample);
	sample.kind = SAMPLE_RUN_END;
	sample.time_ns += 1000000;
	memset(&sample.end, 0, sizeof(sample.end));
	sample.end.totals.create_ns = -1;
	sample.end.totals.elapsed_ns = llround(s->ms[case_id] * MS * exp(s->noise * normal(r)));
	if (uniform(r) < s->unknown)
		sample.end.totals.elapsed_ns = -1;
	if (s->fails[case_id] || uniform(r) < s->failing)
		sample.end.totals.status = SAMPLE_FAILED;
	return err ? err : model_apply(model, &sample);
}

static int play(struct random *r, const struct session *s, struct model *model)
{
	struct sample sample = {.kind = SAMPLE_SESSION};
	uint32_t number = 0;
	int err;

	model_init(model);
	sample.session.trials = s->planned;
	sample.session.interval_ms = 100;
	sample.session.cases = s->n;
	sample.session.cases_list = s->cases;
	err = model_apply(model, &sample);
	for (uint32_t trial = 1; trial <= s->trials && !err; trial++)
		for (uint32_t i = 0; i < s->n && !err; i++)
			err = run(r, s, model, number++, trial, i);
	sample = (struct sample) {.kind = SAMPLE_DONE,
				  .time_ns = (int64_t)((number + 2) * 1e9 * 1000)};
	return err || !s->over ? err : model_apply(model, &sample);
}

static int print(const struct model *model)
{
	struct curve *curve = malloc(sizeof(*curve));
	char answer[1024] = "";
	int err = write_text(model, stdout);

	if (curve && !err && curve_swept(model)) {
		err = curve_read(curve, model, METRIC_ELAPSED, 0);
		curve_answer(curve, answer, sizeof(answer));
	}
	printf("\n@curve %s\n", answer);
	free(curve);
	return curve ? err : 1;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	uint64_t sessions = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	static struct session session;
	struct model model;
	int err = 0;

	for (uint64_t i = 0; i < sessions && !err; i++) {
		struct random r = {(seed + i) * 0x632be59bd9b4e019u};

		make(&r, &session);
		err = play(&r, &session, &model);
		printf("@session %" PRIu64 "\n", seed + i);
		if (!err)
			err = print(&model);
		model_free(&model);
	}
	return err != 0;
}
