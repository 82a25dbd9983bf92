/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/crossover.h"
#include "model/model.h"
#include "model/model_fault.h"

/*
 * Findings of a session by now, as data: who leads, by how much, how sure that is, and where curves
 * cross. See report/verdict.h for the sentences.
 */

/* How sure it is who leads; of several comparisons the least sure one counts. */
enum finding_sure {
	FINDING_UNKNOWN, /* there is nothing to compare with */
	FINDING_MEDIANS, /* by medians alone: some other is of another recording */
	FINDING_FEW,	 /* too few pairs of trials to tell */
	FINDING_NONE,	 /* no difference found between any two */
	FINDING_SHARED,	 /* nor to some other, but some two of them differ for real */
	FINDING_REAL,	 /* before every other, and each interval leaves 1 out */
};

/* How far the least measured of those comparisons is that are not decided. */
struct finding_progress {
	uint32_t pairs;	  /* of trials; UINT32_MAX without such a comparison */
	uint32_t planned; /* trials */
	uint32_t least;	  /* the fewest planned ones with which anything could be real */
	bool ended;	  /* all planned trials have */
	bool stopped;	  /* nothing more is planned */
};

/* The number of comparisons with the one that leads that are kept. */
#define FINDING_OTHERS 3

/* The case of several that took the least, and how the others compare with it. */
struct finding_lead {
	enum finding_sure sure;
	uint32_t lead;	 /* a case */
	uint32_t others; /* so many it was compared with */
	uint32_t real;	 /* so many of them it is before, and that is real */
	uint32_t open;	 /* so many are not decided */
	uint32_t pairs;	 /* the least of all comparisons; UINT32_MAX without others */
	struct finding_progress progress;
	double excluded;   /* where no difference was found to some: a ratio above is excluded */
	uint32_t all_real; /* comparisons of any two of them that are real */
	uint32_t all_open; /* and that are not decided */
	double all_excluded;
	/*
	 * The comparison with the runner-up, in the order of their cases, so that they keep their
	 * sides.
	 */
	struct model_comparison next;
	struct model_comparison other[FINDING_OTHERS]; /* a leads */
};

/* More cases than these are counted, not named. */
#define FINDING_GROUPED 8

/* Cases among which none is really before or behind all others. */
struct finding_group {
	uint32_t first, n;   /* in the order of finding_groups */
	uint32_t real, open; /* pairs of them that differ for real; that are not decided */
	double excluded;     /* a ratio above is excluded, where none differ; NaN */
	double low, high;    /* so many times as long as the one in front they take */
};

/* Cases in an order: each group is before every later one, for real. */
struct finding_groups {
	uint32_t n; /* cases; 0: they are too many */
	uint32_t cases[FINDING_GROUPED];
	uint32_t n_groups;
	struct finding_group group[FINDING_GROUPED];
	/* The greatest difference that is real; a == b: none is. */
	struct model_comparison greatest;
	uint32_t open; /* of any two of them; the one that is furthest behind */
	struct finding_progress progress;
};

/* The number of values of a swept variable at which a model leads. */
struct finding_share {
	uint32_t case_id; /* its first case */
	uint32_t values;  /* before every other, for real */
	uint32_t led;	  /* and those where it took least, whether or not that is decided */
	double low, high; /* at the former the others take so many times as long; NaN */
	uint32_t behind;  /* behind every other, for real */
	uint32_t most;	  /* and those where it took most */
};

#define FINDING_MODELS 8

/* The model that is last of three or more, more often than any leads. */
struct finding_last {
	uint32_t share; /* its own; n_shares: there is none */
	uint32_t than;	/* the share of the one in front most often */
	double low,
		high; /* where it is behind every other for real it takes so many times as long */
	/* Of three models the other two: values at which each leads the other, and the rest. */
	bool told;
	uint32_t a, b; /* shares */
	uint32_t of_a, of_b, none, open;
	double excluded;
};

/* Who leads by a metric beside the whole: the time of a kind of work, of creation, or CPU time. */
struct finding_claim {
	enum model_metric metric;
	struct finding_lead lead;
	/* The greatest difference that is real, and of those not decided; a == b: none is. */
	struct model_comparison greatest, widest;
	/* Of a sweep: its values, those where some comparison is open, or none differs for real. */
	uint32_t values, open, none;
	/* And those where the models of the greatest one differ so, and the other way round. */
	uint32_t same, turned;
	double excluded; /* where none differs: a ratio above is excluded */
};

#define FINDING_CLAIMS (WORK_KINDS + 2)

/* How models stand over all values of the variable, for one kind of work. */
struct finding_sweep {
	uint32_t values, measured; /* all, and those where something was compared */
	uint32_t none;		   /* where no difference was found between any two */
	uint32_t shared;	   /* where some differ for real, and none is before every other */
	uint32_t open;		   /* where that is not decided */
	uint32_t all_real;	   /* comparisons of any two at a value that are real */
	uint32_t all_open;	   /* and those that are not decided */
	struct finding_progress progress;
	double excluded; /* where no difference was found: a ratio above is excluded */
	uint32_t n_shares;
	struct finding_share share[FINDING_MODELS]; /* who leads most often comes first */
	struct finding_last last;
	/* The first crossing of the first model with another; a == b: there is none. */
	uint32_t a, b;
	struct crossover cross;
};

/* One model at the values of a condition: see comparison_of_values(). */
struct finding_values {
	uint32_t first;	     /* its case at the first value */
	uint32_t others;     /* values that are compared with it */
	uint32_t real, none; /* those that differ for real, and those that do not */
	double excluded;     /* where no difference was found: a ratio above is excluded */
	struct finding_progress progress; /* of those that are not decided */
	/* The greatest difference that is real, a at the first value; a == b: none is. */
	struct model_comparison greatest;
};

/* Who survived the fault of one worker. */
struct finding_faults {
	uint32_t n; /* cases, the first ones */
	struct model_fault list[FINDING_GROUPED];
	uint32_t trials; /* the least of all cases */
	bool differ;	/* in all trials of two cases not as many survived as in all of the other */
	bool real;	/* and by chance that happens in less than 5 % of sessions */
	uint32_t least; /* trials of each case with which it can be */
};

/* How workers hand something over: models in the same way, ways of one model in one place. */
struct finding_ways {
	uint32_t pairs, real, open; /* comparisons of models; those that are real, not decided */
	uint32_t ways, ways_real, ways_open;
	struct finding_progress progress;
};

enum finding_kind {
	FINDING_FAILED,	  /* a case has failed in all its trials, and not one was measured */
	FINDING_ALONE,	  /* there is one case only */
	FINDING_UNPAIRED, /* a sweep in which no two cases have the same value */
	FINDING_LEAD,	  /* two or more cases that can be compared */
	FINDING_SWEEP,
	FINDING_FAULT, /* workers commit faults: who survives is counted */
	FINDING_WAYS,  /* of handing something over */
};

/* The finding of a recording, or of one kind of work. */
struct finding {
	enum finding_kind kind;
	uint32_t first, last;	  /* the cases */
	uint32_t case_id;	  /* the one that failed or is alone; past last: there is none */
	uint32_t failures;	  /* trials that ended so */
	size_t failed;		  /* run: the last of them */
	struct finding_lead lead; /* of creation, others is 0 until both were measured */
	/* Of FINDING_LEAD with more than two cases; of creation all ways, by their time. */
	struct finding_groups groups;
	/* Of FINDING_LEAD and FINDING_SWEEP: each kind of work where there are several, then CPU
	 * time. */
	uint32_t n_claims;
	struct finding_claim claims[FINDING_CLAIMS];
	struct finding_sweep sweep;
	/* Of FINDING_SWEEP and FINDING_UNPAIRED, model by model. */
	uint32_t n_values;
	struct finding_values values[FINDING_MODELS];
	struct finding_faults faults;
	struct finding_ways ways;
	/* The effect of ballast on the times of the two that are compared, where it is known. */
	uint32_t n_growth;
	struct model_comparison growth[2];
	/* A joined recording's model with the first one's; a == b: it has no such model. */
	struct model_comparison to_first;
};

struct finding_list {
	const struct model *model;
	int err;	      /* -ENOMEM: nothing is in it */
	uint32_t n;	      /* 0: there is no session */
	struct finding *list; /* one for each recording or kind of work */
};

/* The answer in a word. */
enum finding_answer {
	FINDING_NO_ANSWER, /* there is nothing to compare */
	FINDING_MEASURING, /* more is planned, and something is not decided */
	FINDING_SAME,	   /* every interval lies within MODEL_MARGIN */
	FINDING_CLOSE,	   /* no difference is real, and not all are the same */
	FINDING_WITHHELD,  /* there is no interval */
	FINDING_DIFFERS,   /* for real, at least two of them */
};

struct finding_badge {
	enum finding_answer answer;
	uint32_t pairs, planned; /* of what is measured least; planned 0: not known */
	/* What differs where the whole does not: kinds of work, CPU time or a condition; 0: the
	 * whole. */
	uint32_t n_works;
	const char *works[FINDING_CLAIMS + 1];
	bool busy; /* the machine was: see model_is_busy() */
};

/* The badge of all that was found. */
struct finding_badge finding_badge(const struct finding_list *list);
/*
 * The comparison that the sentence is about, or in a sweep that at the value measured last; a == b:
 * there is none. The earlier case is a, so that both keep their sides. 0 or -ENOMEM.
 */
int finding_pair(const struct finding_list *list, struct model_comparison *out);

/* Reads the findings as of the model's now. Free with finding_list_free(), also after an error. */
int finding_list_read(struct finding_list *list, const struct model *model);
void finding_list_free(struct finding_list *list);

/* Compares n cases with that one, which is said to lead. 0 or -ENOMEM. */
int finding_against(const struct model *model, uint32_t lead, const uint32_t *cases, uint32_t n,
		    enum model_metric metric, struct finding_lead *out);
/*
 * Finds the lead among the cases from first to last that compare with the first: all where nothing
 * is swept. Of ways to create a task only two: a thread and a process where both are there, else
 * the first two. 0 or -ENOMEM.
 */
int finding_lead(const struct model *model, uint32_t first, uint32_t last,
		 struct finding_lead *out);
/* The ratio above which either side's lead is excluded by the interval; NaN. */
double finding_excluded(const struct stats_interval *ratio);
/* Takes the one that is further behind. */
void finding_behind(struct finding_progress *progress, const struct finding_progress *other);
/* Finds the lead of n cases that can be compared, at least one. 0 or -ENOMEM. */
int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out);
/* Whether any two cases differ for real by the claim. */
bool finding_claim_real(const struct finding_claim *claim);
/* "io", "CPU time" */
const char *finding_claim_name(const struct finding_claim *claim);
/* The runner-up. */
uint32_t finding_second(const struct finding_lead *lead);
/* The lead as a ratio: the runner-up's time over that of the one that leads. */
struct stats_interval finding_ahead(const struct finding_lead *lead);

#define FINDING_CROSSES 4

/* The crossings of two curves in a metric, in ascending order. */
struct finding_crosses {
	uint32_t pairs;	  /* the most at any value */
	uint32_t decided; /* the values at which it is known whether there is a difference */
	size_t n;
	struct crossover cross[FINDING_CROSSES]; /* the first ones */
};

/* Reads the crossings of the curves of the cases a and b, which can be compared. 0 or -ENOMEM. */
int finding_crosses(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		    struct finding_crosses *out);
