/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/sample.h"
#include "result/report.h"
#include "write/export.h"

/*
 * Writes that many random sessions as JSON, the first of them for SEED: test_sentences.py compares
 * each sentence with its figures. Usage: random_models SEED SESSIONS
 */

#define MS    1000000.0
#define CASES 28
#define TASKS 12

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
	double ms[CASES]; /* time of each case */
	bool fails[CASES];
	uint32_t n, planned, trials; /* trials: the number of those that run */
	double noise, failing, unknown;
	bool over;
	double shares[CASES][MODEL_PARTS]; /* parts of a run with one worker, as shares */
	double told;			   /* share of the runs whose work is split into parts */
	/* an io worker beside the first one, which is a cpu worker */
	bool kinds;
	double io[CASES];  /* share of the time that the io worker takes */
	double cpu[CASES]; /* CPU time, ms */
	/* Draws all later values, so that old seeds give the same sessions. */
	struct random more;
};

static void add(struct session *s, const char *model, const char *variables, double ms)
{
	struct sample_case *one = &s->cases[s->n];

	*one = (struct sample_case) {.plan = {.levels = 1, .fanout = {1}, .barrier = true}};
	snprintf(one->model, sizeof(one->model), "%s", model);
	variables_parse(&one->variables, variables);
	s->ms[s->n++] = ms;
}

#define PICK(r, list) (list)[below(r, sizeof(list) / sizeof((list)[0]))]

static void make_cases(struct random *r, struct session *s)
{
	static const char *const models[] = {"threads", "processes", "hybrid:2x4", "hybrid:4x2"};
	static const double ratios[] = {1, 1, 1, 1.0004, 1.01, 1.03, 1.3, 0.7, 0.2, 4000};
	uint32_t n_models = 2 + below(r, 3), values = below(r, 3) ? 1 + below(r, 7) : 0;
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

/* Makes two kinds of work, each in several sizes. */
static void make_works(struct random *r, struct session *s)
{
	static const double ratios[] = {1, 1, 1.01, 1.3, 0.7};
	uint32_t values = 2 + below(r, 3);

	for (uint32_t i = 0; i < 2 * values; i++) {
		char variables[SAMPLE_LABEL];

		snprintf(variables, sizeof(variables), "work=%s;size=%u", i < values ? "fp" : "mem",
			 10 * (i % values + 1));
		add(s, "threads", variables, 100);
		add(s, "processes", variables, 100 * PICK(r, ratios));
	}
}

static void make_trees(struct random *r, struct session *s)
{
	static const char *const trees[] = {"tree=5000", "tree=50x99", "tree=20x3x82",
					    "tree=10x9", "tree=7",     "tree=3x3x3"};
	static const double ratios[] = {1, 1, 1.01, 1.3, 0.7};
	uint32_t n = 2 + below(r, 5);

	for (uint32_t i = 0; i < n; i++)
		add(s, "threads", trees[i], 100 * PICK(r, ratios));
}

static void make_creation(struct random *r, struct session *s)
{
	static const enum plan_primitive primitives[] = {PLAN_FORK, PLAN_VFORK, PLAN_PTHREAD,
							 PLAN_CLONE};
	static const double ratios[] = {1, 1, 1.01, 1.3, 0.7, 0.1};
	uint32_t n = 2 + below(r, 3);

	for (uint32_t i = 0; i < n; i++) {
		add(s, plan_primitive_names[primitives[i]], "", 0.05 * PICK(r, ratios));
		plan_creation(primitives[i], TASKS, &s->cases[i].plan);
		s->cases[i].plan.placement = PLAN_PINNED;
	}
}

/* Makes parts that differ between the cases or not, and are 0 in some cases. */
static void make_parts(struct random *r, struct session *s)
{
	static const double times[] = {0, 0.5, 1, 1, 1, 1.2, 3};
	static const double told[] = {0, 0, 1, 1, 1, 1, 0.9};
	double first[MODEL_PARTS];

	s->told = PICK(r, told);
	for (int part = 0; part < MODEL_PARTS; part++)
		first[part] = exp(2 * normal(r));
	for (uint32_t i = 0; i < s->n; i++)
		for (int part = 0; part < MODEL_PARTS; part++)
			s->shares[i][part] = first[part] * PICK(r, times) + 1e-6;
}

/*
 * Makes a sweep over a condition of the work. Its values are compared, and take about the same
 * time.
 */
static void make_condition(struct session *s)
{
	struct random *r = &s->more;
	bool swept = s->cases[0].variables.n == 1 &&
		     strcmp(s->cases[0].variables.list[0].name, "size") == 0;
	bool alike;

	if (!swept || below(r, 2))
		return;
	alike = below(r, 2);
	s->kinds = below(r, 2);
	for (uint32_t i = 0; i < s->n; i++) {
		struct variable *variable = &s->cases[i].variables.list[0];

		snprintf(variable->name, sizeof(variable->name), "alloc");
		if (alike)
			s->ms[i] *= 10 / variable->number;
	}
}

/*
 * Makes several kinds of work, alone or over a condition, with CPU times that differ from the
 * elapsed times.
 */
static void make_claims(struct session *s)
{
	static const double ratios[] = {1, 1, 1.01, 1.5, 0.6, 0.2};
	struct random *r = &s->more;

	s->kinds =
		s->cases[0].variables.n == 0 && below(r, 2) && !plan_is_creation(&s->cases[0].plan);
	make_condition(s);
	for (uint32_t i = 0; i < s->n; i++) {
		s->cpu[i] = 50 * PICK(r, ratios);
		s->io[i] = 0.5 * PICK(r, ratios);
		if (!s->kinds)
			continue;
		s->cases[i].plan.fanout[0] = 2;
		s->cases[i].plan.leaves[WORK_CPU] = s->cases[i].plan.leaves[WORK_IO] = 1;
	}
}

static void make(struct random *r, struct session *s)
{
	static const double noises[] = {0, 0.0001, 0.003, 0.01, 0.01, 0.1, 0.5};
	static void (*const makes[])(struct random *, struct session *) = {
		make_cases, make_works, make_trees, make_creation};
	static const double shares[] = {0, 0, 0, 0, 0, 0.02, 0.1};

	*s = (struct session) {.planned = below(r, 5) ? 10 + below(r, 10) : 1 + below(r, 9),
			       .over = below(r, 4) > 0};
	makes[below(r, 2) ? 0 : below(r, sizeof(makes) / sizeof(*makes))](r, s);
	make_parts(r, s);
	s->more = (struct random) {r->state ^ 0x5bd1e995};
	make_claims(s);
	s->noise = PICK(r, noises);
	s->failing = PICK(r, shares);
	s->unknown = PICK(r, shares);
	s->trials = s->planned;
	if (below(r, 4) == 0)
		s->trials = below(r, s->planned + 1);
	else if (below(r, 4) == 0)
		s->trials += 1 + below(r, 20);
}

/*
 * Makes creations one after the other on one core. Each varies by the noise of the run and by its
 * own.
 */
static void create(struct random *r, struct sample *sample, double ms, double noise)
{
	static struct sample_change changes[TASKS];
	double slower = exp(noise * normal(r));

	for (uint32_t i = 0; i < TASKS; i++) {
		struct sample_worker *worker = &changes[i].worker;
		int64_t took_ns = llround(ms * MS * slower * exp(0.1 * normal(r)));

		changes[i].index = i;
		*worker = sample_worker_unknown;
		worker->create_ns = i * 1000000;
		worker->created_ns = worker->create_ns + took_ns / 2;
		worker->start_ns = worker->work_ns = worker->create_ns + took_ns;
		worker->finish_ns = worker->start_ns + 1000;
		worker->join_ns = worker->finish_ns + took_ns;
		worker->cpu_first = worker->cpu_last = worker->parent_cpu = 0;
		worker->status = SAMPLE_OK;
	}
	sample->end.n_workers = TASKS;
	sample->end.workers = changes;
}

/* Makes one worker behind a barrier. Its parts are shares of the time, each with some noise. */
static void live(struct random *r, struct sample *sample, const double *shares, double noise,
		 bool told)
{
	static struct sample_change change;
	struct sample_totals *totals = &sample->end.totals;
	struct sample_worker *worker = &change.worker;
	int64_t end[MODEL_PARTS];
	double sum = 0, at = 0, part[MODEL_PARTS];

	for (int i = 0; i < MODEL_PARTS; i++)
		sum += part[i] = shares[i] * exp(noise * normal(r));
	for (int i = 0; i < MODEL_PARTS; i++) {
		at += part[i] / sum;
		end[i] = llround((double)totals->elapsed_ns * at);
	}
	end[PART_JOINING] = totals->elapsed_ns;
	*worker = sample_worker_unknown;
	worker->create_ns = 0;
	worker->created_ns = end[PART_CREATING];
	worker->start_ns = end[PART_STARTING];
	totals->go_ns = worker->work_ns = worker->start_ns;
	worker->finish_ns = end[PART_BLOCKED];
	worker->join_ns = end[PART_JOINING];
	worker->user_us = (uint32_t)((end[PART_WORKING] - end[PART_STARTING]) / 1000);
	worker->delay_us = told ? (int32_t)((end[PART_WAITING] - end[PART_WORKING]) / 1000) : -1;
	worker->status = SAMPLE_OK;
	sample->end.n_workers = 1;
	sample->end.workers = &change;
}

/* Adds the same worker with the time of its kind. */
static void add_kind(struct session *s, struct sample *sample, double share)
{
	static struct sample_change both[2];
	struct sample_worker *io = &both[1].worker;

	both[0] = both[1] = sample->end.workers[0];
	both[1].index = 1;
	share *= exp(s->noise * normal(&s->more));
	io->finish_ns = io->work_ns + llround((double)(io->finish_ns - io->work_ns) * share);
	io->delay_us = -1;
	sample->end.n_workers = 2;
	sample->end.workers = both;
}

static int run(struct random *r, struct session *s, struct model *model, uint32_t number,
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
	if (plan_is_creation(&s->cases[case_id].plan))
		create(r, &sample, s->ms[case_id], s->noise);
	else
		live(r, &sample, s->shares[case_id], s->noise, uniform(r) < s->told);
	if (s->kinds)
		add_kind(s, &sample, s->io[case_id]);
	sample.end.totals.user_us =
		llround(1000 * s->cpu[case_id] * exp(s->noise * normal(&s->more)));
	if (uniform(r) < s->unknown)
		sample.end.totals.elapsed_ns = -1;
	if (s->fails[case_id] || uniform(r) < s->failing)
		sample.end.totals.status = SAMPLE_FAILED;
	return err ? err : model_apply(model, &sample);
}

static int play(struct random *r, struct session *s, struct model *model)
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
		printf("\n@session %" PRIu64 "\n", seed + i);
		if (!err)
			err = write_json(&model, stdout);
		model_free(&model);
	}
	return err != 0;
}
