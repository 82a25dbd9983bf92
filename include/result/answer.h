/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/metric.h"
#include "model/model.h"

/*
 * The answer of a session as data: a row for each case, a column for each headline metric. The
 * screen and every format show exactly these numbers as the answer.
 */

/* A sweep with more cases than this is shown as a pivot table instead of rows. */
#define ANSWER_ROWS 8

enum answer_state {
	ANSWER_NONE,	  /* There is nothing to compare with. */
	ANSWER_MEASURING, /* Not decided yet, and more trials are planned. */
	ANSWER_REAL,	  /* The interval excludes 1. */
	/*
	 * The whole interval lies within the margin. ANSWER_REAL and ANSWER_SAME are both read from
	 * one confidence interval, and each is wrong only if that interval misses the true ratio.
	 * So ANSWER_REAL and ANSWER_SAME together have the error rate of one interval.
	 * (Intersection-union test: Berger & Hsu, Statistical Science 11(4), 1996.)
	 */
	ANSWER_SAME,
	ANSWER_CLOSE,	 /* Too close to call: neither real nor same. */
	ANSWER_WITHHELD, /* There is no result; `why` has the reason. */
};

struct answer_cell {
	enum answer_state state;
	double median;	/* Median of the counted trials; NaN if unknown. */
	bool estimated; /* Some trials have only an estimate of the memory. */
	/* Enum sample_seen: how the memory was measured. -1: the metric is not memory. */
	int seen;
	struct stats_interval ratio;   /* Ratio to the reference. */
	struct stats_interval sampled; /* See struct model_comparison. */
	uint32_t pairs, planned;
	enum reason why; /* With ANSWER_WITHHELD: why there is no result. */
	/*
	 * With ANSWER_WITHHELD, if there are too few trials: the number of trials that are needed.
	 * Otherwise 0.
	 */
	uint32_t least;
	/* With REASON_FAILED_PAIRS: number of all trials, and number of failed trials. */
	uint32_t trials, failed;
};

struct answer_row {
	/*
	 * The row's case, and the case with which it is compared. The two are equal if the row is
	 * not compared.
	 */
	uint32_t case_id, reference;
	struct answer_cell cells[INTERIM_METRICS_MOST];
};

struct answer {
	/*
	 * State of the first metric over all rows, for the badge. ANSWER_MEASURING: some row is not
	 * decided. Otherwise ANSWER_REAL if at least as many comparisons are real as are too close
	 * to call. ANSWER_NONE: nothing is compared.
	 */
	enum answer_state state;
	/*
	 * Number of rows with a state in the first metric. If models are compared, comparisons of a
	 * model with itself at another value do not count.
	 */
	uint32_t compared;
	/*
	 * Number of the compared rows that are real, and number of the compared rows that are too
	 * close to call.
	 */
	uint32_t real, close;
	/* With ANSWER_MEASURING: the pairs of the undecided row that has the fewest pairs. */
	uint32_t pairs, planned;
	uint32_t n_metrics, n_rows;
	enum model_metric metrics[INTERIM_METRICS_MOST];
	struct answer_row *rows; /* rows[i] is the row of case i. */
	/*
	 * The cases in the order in which they are listed: by the first metric if more than two
	 * models are compared with the same reference, otherwise by index.
	 */
	uint32_t *order;
};

/*
 * Reads the answer as of the model's cursor. Returns 0 or -ENOMEM. Call answer_free() after an
 * error, too.
 */
int answer_read(struct answer *answer, const struct model *model);
/* Reads the answer in one metric only. METRICS: like answer_read(). */
int answer_read_metric(struct answer *answer, const struct model *model, enum model_metric metric);
/*
 * The row whose comparison is drawn beside the answer. In a running sweep, rows at the newest run's
 * value are preferred; when the session is over, rows that compare two models. Among the preferred
 * rows, significant differences come first, and then the largest ratio. NULL: nothing is compared,
 * or no run has begun.
 */
const struct answer_row *answer_foremost(const struct answer *answer, const struct model *model);
void answer_free(struct answer *answer);
/*
 * Whether a case's memory is an estimate in some of its trials. *seen is set to what model_seen()
 * returns.
 */
bool answer_is_estimated(const struct model *model, uint32_t case_id, enum model_metric metric,
			 int *seen);
/* Whether the row and its reference are two models at the same value of each setting. */
bool answer_compares_models(const struct model *model, const struct answer_row *row);
enum { ANSWER_AHEAD_LEAST = 5 };
/*
 * The case that is smaller in the first metric: the winner of a real difference. Before the
 * comparison is decided, the case that won every trial so far, if there are at least
 * ANSWER_AHEAD_LEAST trials. UINT32_MAX: there is no such case.
 */
uint32_t answer_ahead(const struct answer *answer, const struct model *model,
		      const struct answer_row *row);
/*
 * Whether a reader who divides the printed medians, b / a, gets the printed ratio. If not, " per
 * pair" is written beside the ratio.
 */
bool answer_medians_agree(enum model_metric metric, double a, double b, double ratio);
/*
 * answer_medians_agree() for the row and its reference in the metric with this index in the answer.
 */
bool answer_is_quotient(const struct answer *answer, const struct answer_row *row, uint32_t metric);
/* " per pair" for a ratio that is shown beside both medians, but is not their quotient; or "". */
const char *answer_by_pair(const struct answer *answer, const struct answer_row *row,
			   uint32_t metric);
/*
 * Whether a difference, even a real one, is within the margin in which two cases count as the same.
 */
bool answer_is_slight(double ratio);
/* If creation takes at least this share of a tree's time, the time of creation says nothing new. */
#define ANSWER_REPEATS 0.95
/*
 * Whether the metric is the time of creation and repeats the time of the run in every case, because
 * the cases create tasks nearly until their end.
 */
bool answer_repeats_time(const struct answer *answer, uint32_t metric);
/* Whether some comparison is real or same, and no cell needs more trials. */
bool answer_is_decided(const struct answer *answer);
/*
 * answer_is_decided() for the model's current answer. False as long as cases have different numbers
 * of runs, or if memory is short.
 */
bool answer_is_known(const struct model *model);
/*
 * Whether a session without --trials may end. Either its answer is known, or nothing can be
 * compared because all cases, or all cases but one, failed in each of at least three trials.
 */
bool answer_is_final(const struct model *model);
/*
 * The text of a row's median in the metric with index `place`: "104 ms", "~1.0 MiB" for an
 * estimate, "≥320 KiB" for a lower bound. Returns buf.
 */
char *answer_median(const struct answer *answer, const struct answer_row *row, uint32_t place,
		    char buf[48]);
/* A headline metric in one or two words, such as "CPU time". Four such titles fit in 80 columns. */
const char *answer_title(const struct model *model, enum model_metric metric);
/* The state's name in JSON: "real", "same" and so on. */
const char *answer_state_name(enum answer_state state);
