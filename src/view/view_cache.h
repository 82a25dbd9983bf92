/* SPDX-License-Identifier: MIT */
#pragma once

#include "result/report.h"
#include "view_rows.h"

/*
 * Results that no frame should compute again: an interval takes O(n²) in the trials. Each could be
 * thrown away at any time; it is kept as long as its key holds.
 */

enum { VIEW_COMPARED = 64, VIEW_PRESENTED = 8, VIEW_RACERS = 16 };

/* A case's median in the metric of verdicts, over the number of trials. */
struct view_median {
	uint32_t case_id;
	bool read;
	size_t trials;
	uint32_t workers;     /* of a run; after a fault, value counts the survivors */
	double value, caller; /* NaN without trials; caller: of creation, until the call returns */
};

/* The sentence in the band: the answer, or in the Memory view the answer about memory. */
struct view_headline {
	bool made;
	char sentence[HEADLINE_BADGE + HEADLINE_TEXT + 32]; /* with its badge */
	size_t badge_bytes; /* of the badge, and of the blank after it */
	enum answer_state state;
	bool decided;		  /* one case is faster than every other, and that is real */
	uint32_t leader;	  /* that one */
	enum model_metric metric; /* of memory: the measure that is compared */
};

struct view_cache {
	struct view_cache_key {
		uint32_t ended, running, done, session;
	} key; /* all 0 only before the first refresh: no run is UINT32_MAX, and a run has a session
		*/
	uint32_t refreshes;	      /* how often the model was read */
	char ready[SAMPLE_TEXT + 64]; /* before a session that waits, with what --quick can find */
	struct view_headline headline, memory;
	char asked[SAMPLE_TEXT + HEADLINE_TEXT]; /* the question, and the figures so far */
	uint32_t foremost; /* the reference of what differs most; UINT32_MAX: none */
	bool has_pair;
	struct model_comparison pair; /* that the sentence is about */
	uint32_t n_compared;
	/* of each case and its row of reference in the answer */
	struct model_comparison elapsed[VIEW_COMPARED];
	struct answer answer; /* rows NULL: there is none */
	/* The medians that bars showed before the last refresh; NaN where they had none. */
	double was[INTERIM_METRICS_MOST][VIEW_RACERS];
	/* Most lines that the sentence had at that width and in that view, while trials go on. */
	int sentence_lines, sentence_w, sentence_view;
	int race_cores;			    /* most cores that a trial of the race used so far */
	double medians_least, medians_most; /* ends of the axis of medians; 0: none yet */
	double runs_low, runs_high;	    /* ends of the axis of every run; both 0: none yet */
	struct model as_of[VIEW_RACERS];    /* of the frame: see view_model_of() */
	bool made_why;
	struct why why;
	int n_warnings;
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	unsigned made_tables; /* a bit each */
	struct table tables[TABLES];
	struct view_median medians[VIEW_PRESENTED];
	struct view_rows *rows;	  /* NULL until there are cases, and without memory */
	struct view_cpus *cpus;	  /* NULL before the first frame, and without memory */
	struct view_sweep *sweep; /* of the Curve view */
	char caption[2][288];	  /* of the Timeline, with the selected worker's figures */
	const char *captions[2];
};

void view_cache_free(struct view_cache *cache);
/*
 * Updates the cache after a run has begun or ended. A live session with 64 runs or more is updated
 * only after each further 64th of its runs.
 */
void view_cache_refresh(struct view_cache *cache, const struct model *model, bool live);
/*
 * The model as of its last trial that is complete, in room, as long as models alone are compared:
 * whether a trial counts is known at its end, and figures shown before could be taken back.
 */
const struct model *view_settled(const struct model *model, struct model *room);
/* The newest run's value of each case, also of a warm-up or of one that does not count; NaN. */
void view_newest_values(const struct model *model, enum model_metric metric,
			double newest[SAMPLE_MAX_CASES]);
/* A table as of the last refresh; without memory it has no rows. */
const struct table *view_cache_table(struct view_cache *cache, const struct model *model,
				     enum table_id id);
/* The sentence about memory as of the last refresh. */
const struct view_headline *view_cache_memory(struct view_cache *cache, const struct model *model);
/* The known causes as of the last refresh. */
const struct why *view_cache_why(struct view_cache *cache, const struct model *model);
/* The metric that is reported first: survivors of a fault, else model_headline(). */
enum model_metric view_headline(const struct model *model);
/* The median of a case as of the last refresh, cached for VIEW_PRESENTED cases. */
struct view_median view_cache_median(struct view_cache *cache, const struct model *model,
				     uint32_t case_id);
