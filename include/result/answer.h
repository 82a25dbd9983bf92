/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/metric.h"
#include "model/model.h"

/*
 * The answer of a session as data: a row for each case, a column for each headline metric. The
 * screen and every format show this, and no other numbers, as the answer.
 */

/* Sweeps with more cases than that are read in the pivot. */
#define ANSWER_ROWS 8

enum answer_state {
	ANSWER_NONE,	  /* nothing to compare with */
	ANSWER_MEASURING, /* not decided, and more trials are planned */
	ANSWER_REAL,	  /* the interval excludes 1 */
	/*
	 * The whole interval lies within the margin. Both claims read one confidence interval, so
	 * that each is wrong only where the interval misses the true ratio: together they keep its
	 * error. (Intersection-union test: Berger & Hsu, Statistical Science 11(4), 1996.)
	 */
	ANSWER_SAME,
	ANSWER_CLOSE,	 /* neither of the two */
	ANSWER_WITHHELD, /* not known */
};

struct answer_cell {
	enum answer_state state;
	double median;		       /* median of the counted trials; NaN */
	bool estimated;		       /* a memory, of some of the trials */
	int seen;		       /* how: enum sample_seen; -1: no memory */
	struct stats_interval ratio;   /* to the row of reference */
	struct stats_interval counted; /* see struct model_comparison */
	uint32_t pairs, planned;
	enum reason why; /* reason if the answer is withheld */
	uint32_t least;	 /* trials, where they are too few; 0 */
};

struct answer_row {
	/* The same for a row that is compared with no other. */
	uint32_t case_id, reference;
	struct answer_cell cells[INTERIM_METRICS_MOST];
};

struct answer {
	/*
	 * State of the first metric: the badge. REAL if at least as many comparisons are real as
	 * are too close to call; NONE: nothing to compare.
	 */
	enum answer_state state;
	uint32_t compared;	 /* rows that have a state in it, */
	uint32_t real, close;	 /* number of these */
	uint32_t pairs, planned; /* of the row with the most missing pairs, while it is MEASURING */
	uint32_t n_metrics, n_rows;
	enum model_metric metrics[INTERIM_METRICS_MOST];
	struct answer_row *rows;
	/*
	 * Order in which the cases are listed: by their first metric, if more than two models
	 * compare with the same one.
	 */
	uint32_t *order;
};

/* Reads the answer as of the model's now. Free it also after an error: 0 or -ENOMEM. */
int answer_read(struct answer *answer, const struct model *model);
/* The same in one metric only. */
int answer_read_metric(struct answer *answer, const struct model *model, enum model_metric metric);
/*
 * The row whose comparison is drawn beside the answer: the one that differs most; in a sweep of
 * those with one value, while it runs the newest run's. NULL: nothing is compared.
 */
const struct answer_row *answer_foremost(const struct answer *answer, const struct model *model);
void answer_free(struct answer *answer);
/* Whether a memory of some trials of a case is an estimate; *seen as of metric_seen(). */
bool answer_is_estimated(const struct model *model, uint32_t case_id, enum model_metric metric,
			 int *seen);
/* Whether the row and its reference are two models at the same value of each setting. */
bool answer_compares_models(const struct model *model, const struct answer_row *row);
/* Whether the quotient of the medians, b / a, is about the ratio, which is computed from pairs. */
bool answer_medians_agree(double a, double b, double ratio);
/* Whether something is compared and no cell needs more trials. */
bool answer_is_decided(const struct answer *answer);
/* The same for the model's current answer; false without memory. */
bool answer_is_known(const struct model *model);
/* The median of a metric: "104 ms", "~1.0 MiB" an estimate, "≥320 KiB" a least. Returns buf. */
char *answer_median(const struct answer *answer, const struct answer_row *row, uint32_t place,
		    char buf[48]);
/* A headline metric in one or two words, so that four fit in 80 columns: "CPU time". */
const char *answer_title(const struct model *model, enum model_metric metric);
/* "real", "same", …: as in JSON. */
const char *answer_state_name(enum answer_state state);
