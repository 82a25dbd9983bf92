/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#include "base/error_line.h"
#include "base/units.h"

double report_own_share(const struct model *model, enum model_metric metric)
{
	double used_ns = 0, span_ns = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		double value = model_ended(model, run) ? metric_value(run, metric) : NAN;

		if (isnan(value) || run->end_ns <= run->begin_ns)
			continue;
		used_ns += value;
		span_ns += (double)(run->end_ns - run->begin_ns);
	}
	return span_ns > 0 ? used_ns / span_ns : NAN;
}

static void add_share(struct sentence *text, const char *name, double share)
{
	if (!isnan(share))
		sentence_add(text, "; %s %s %%", name, UNITS_DECIMAL(share * 100, 2));
}

bool report_own_cost(const struct model *model, char *buf, size_t size)
{
	double self = report_own_share(model, METRIC_SELF_CPU);
	double drain = report_own_share(model, METRIC_DRAIN_CPU);
	double terminal =
		model->session.terminal[0] ? report_own_share(model, METRIC_TERMINAL_CPU) : NAN;
	struct sentence text = {buf, size, 0};
	char name[SAMPLE_TEXT];

	buf[0] = '\0';
	if (isnan(self))
		return false;
	sentence_add(&text, "while runs went on, tuibench itself used %s %% of one core",
		     UNITS_DECIMAL(self * 100, 2));
	add_share(&text, "what empties the pipe of the hello workers", drain);
	snprintf(name, sizeof(name), "the program at the terminal's other end, %s,",
		 model->session.terminal);
	add_share(&text, name, terminal);
	return !isnan(drain) || !isnan(terminal);
}
