/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/metric.h"
#include "stats/stats.h"

struct model;

typedef bool model_question(const struct model *model);

/* Whether programs print a metric (-s metric), or are ended after a time (-s for). */
model_question model_prints, model_ends_programs;
/* Whether clients send requests to a server, or workers repeat one operation: model_step(). */
model_question model_serves, model_has_steps;

/*
 * A kind of session: the metrics that answer it, and their words. model_kind.c has a row for each
 * kind. Faults are no kind of session, because only the runs show them: see model_has_faults().
 */
struct model_kind {
	model_question *is; /* Whether a session is of this kind; NULL: any session is. */
	/* The metrics of the answer. The first is the metric of verdicts, model_headline(). */
	enum model_metric headlines[INTERIM_METRICS_MOST];
	/* The headlines stay the same even if workers hand out messages or tasks. */
	bool fixed;
	/* Programs may end before their PSS is read; METRIC_RSS then replaces METRIC_MEMORY. */
	bool programs;
	/*
	 * The curves over a swept variable; METRICS ends each list. curves[true] is used if some
	 * run reads or writes, otherwise curves[false]. curves[true] NULL: curves[false] in both
	 * cases.
	 */
	const enum model_metric *curves[2];
	/*
	 * The words before and after a trial's value in a warning: "took 73 us per request".
	 * NULL: "took" and nothing.
	 */
	const char *verb, *unit;
};

/* The first row that fits the session. */
const struct model_kind *model_kind(const struct model *model);
