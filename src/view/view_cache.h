/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>

#include "result/latency.h"
#include "result/report.h"
#include "view_rows.h"

/*
 * Results that take too long to compute in every frame, such as an interval, which takes O(n²) in
 * the number of trials. Each result is valid while its key stays the same, and may be dropped at
 * any time.
 */

enum { VIEW_FACTS = 12 }; /* Number of lines about the session in the Messages view. */
/* How the answer at the end of a recording is announced. */
#define VIEW_ENDS "ends: %s"
enum { VIEW_COMPARED = 64, VIEW_PRESENTED = 8, VIEW_RACERS = 16, VIEW_MEDIAN_SCALES = 4 };

/* A case's median in the metric of verdicts, and the number of its trials. */
struct view_median {
	uint32_t case_id;
	bool read;
	size_t trials;
	/* Number of workers in a run. After a fault, `value` counts the survivors. */
	uint32_t workers;
	/*
	 * value: NaN if there are no trials. caller: for creation, the median time until the call
	 * returns.
	 */
	double value, caller;
};

/* The sentence in the band at the top: the answer. In the Memory view, the answer about memory. */
struct view_headline {
	bool made;
	char sentence[HEADLINE_BADGE + HEADLINE_TEXT + 32]; /* The sentence with its badge. */
	size_t badge_bytes;	     /* Bytes of the badge and of the blank after it. */
	struct sentence_parts parts; /* Positions in the sentence without its badge. */
	enum answer_state state;
	bool decided;		  /* One case is significantly better than every other. */
	bool slight;		  /* It is better by less than the margin of "same". */
	uint32_t leader;	  /* The case that is significantly better, if `decided`. */
	enum model_metric metric; /* For memory: the metric that is compared. */
};

/*
 * The result of a pass over all runs, or over the slices of one run. It is kept until runs have
 * ended, so that a frame takes the same time after 100,000 runs as after ten.
 */
struct view_reading {
	struct view_reading_of {
		enum view_reading_kind {
			READING_RUNS,	     /* the ends of the axis of all runs */
			READING_RUNS_FAR,    /* a case's runs beyond that axis */
			READING_RUN_MARKS,   /* a case's runs, by column of that axis */
			READING_PAIRS,	     /* the number of pairs, and the ends of their axis */
			READING_PAIR_MARKS,  /* pairs by column of that axis */
			READING_RANGE,	     /* the ends of the axis of trials */
			READING_TRIAL_MARKS, /* a case's trials by column of that axis */
			READING_NEAREST,     /* the run whose memory is nearest to the median */
			READING_KNOWN,	     /* the newest run whose memory is known */
			READING_MEMORY,	     /* the most memory of any run */
			READING_LOAD,	     /* load of the CPUs over the session */
			READING_SHORTER,     /* slices too short for a cell, by worker */
			READING_LANE,	     /* the lane of a worker or task */
			READING_CORE_LANE,
			READING_WASTED, /* core time that a run wasted */
		} kind;
		/*
		 * Two cases, or a range of cases. For a lane: a is the run, b the worker or core.
		 */
		uint32_t a, b;
		uint32_t metric;
		double low, high; /* the ends of an axis */
		size_t size;	  /* bytes of `found` */
	} of;
	void *found;
};

/*
 * Largest number of readings. It is enough for the largest view: four models with 90 lines each,
 * and a lane on each line.
 */
enum { VIEW_READINGS = 384 };

struct view_cache {
	struct view_cache_key {
		uint32_t ended, running, done, session;
		/*
		 * Before the first refresh, all members are 0. Later at least one member is not 0:
		 * `running` is UINT32_MAX without a run, and `session` is set during a run.
		 */
	} key, read_key;
	/* Once VIEW_READINGS are kept, a new reading replaces the oldest. */
	struct view_reading readings[VIEW_READINGS];
	size_t n_readings;
	uint32_t refreshes; /* Number of refreshes so far, for tests. */
	int64_t as_of_ns;   /* The model was read as of this moment. */
	/*
	 * The text before a session that waits for Space, with the difference that --quick can
	 * find.
	 */
	char ready[SAMPLE_TEXT + 64];
	struct view_headline headline, memory;
	/*
	 * The answer's badge at the end of the recording. ends_ns is the time of that end; 0: the
	 * badge is not known yet.
	 */
	char ends[HEADLINE_BADGE];
	char ends_by[16]; /* By how much the faster of two models is faster, "1.02x"; or "". */
	enum answer_state ends_state;
	int64_t ends_ns;
	/* The question with the preliminary figures, or the shortened answer. */
	char asked[SAMPLE_TEXT + HEADLINE_TEXT];
	/* The reference case of the drawn comparison. UINT32_MAX: no comparison is drawn. */
	uint32_t foremost;
	bool has_pair;
	struct model_comparison pair; /* The comparison that the sentence is about. */
	uint32_t n_compared;
	/* The comparison of each case with its reference case in the answer. */
	struct model_comparison elapsed[VIEW_COMPARED];
	struct answer answer; /* answer.rows is NULL if there is no answer. */
	/* The medians that bars showed before the last refresh; NaN: no median. */
	double was[INTERIM_METRICS_MOST][VIEW_RACERS];
	/*
	 * The largest number of lines that the sentence has needed at this width and in this view
	 * since trials began.
	 */
	int sentence_lines, sentence_w, sentence_view;
	bool sentence_over; /* sentence_lines is for the answer at the session's end. */
	/*
	 * The largest values that the cases race_first … race_end - 1 have needed in the race so
	 * far: columns for names, cores that any run used, time, rows of each case. They never
	 * shrink, so no lane moves if a run needs less.
	 */
	uint32_t race_first, race_end;
	int race_name_w;
	cpu_set_t race_cpus;
	int64_t race_ns;
	bool race_dense;	      /* Lanes are drawn by shares: see view_lane_is_dense(). */
	int race_rows[VIEW_RACERS];   /* 0: the case has not been drawn yet. */
	bool race_tasks[VIEW_RACERS]; /* The rows are tasks of a command. */
	/*
	 * What any frame of the race has shown so far. race_many: a program had several tasks.
	 * race_others, race_idle, race_exits: lanes had other programs, idle time or exits.
	 * race_loads: cores had a known load. race_numbers: slices of workers show the numbers of
	 * their cores.
	 */
	bool race_many, race_others, race_idle, race_loads, race_exits, race_numbers;
	bool race_unsampled;	 /* The memory of a program has a beginning without samples. */
	int64_t race_memory_kib; /* The top of the axis of programs' memory. */
	/*
	 * The order of the rows of creation for latency_places. latency_n 0: the order is not known
	 * yet.
	 */
	struct latency_row latency_rows[LATENCY_ROWS];
	int latency_n;
	enum view_places latency_places;
	bool latency_over;		  /* The rows were sorted at the end of the session. */
	double latency_low, latency_high; /* Ends of the axis of histograms, ns; 0: not set. */
	double near_low, near_high; /* Ends of the axis of enlarged histograms, ns; 0: not set. */
	/* Length of the time that the lanes of a server's workers show; 0: not known. */
	int64_t serving_ns;
	/*
	 * Ends of the scales of medians. medians_most 0: not set. medians_least 0: the scale is
	 * linear. medians_scales: number of scales.
	 */
	double medians_least[VIEW_MEDIAN_SCALES], medians_most[VIEW_MEDIAN_SCALES];
	int medians_scales;
	double forest_bound; /* Ratio at the right end of the forest plot's axis; 0: not set. */
	double runs_low, runs_high; /* Ends of the axis of all runs; both 0: not set. */
	/* The models of the current frame, see view_model_of(). */
	struct model as_of[VIEW_RACERS];
	bool made_why;
	struct why why;
	bool made_overhead;
	double overhead[2]; /* Shares of the front end, and of the terminal. */
	bool made_facts;
	char facts[VIEW_FACTS][SAMPLE_TEXT];
	int n_warnings;
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	unsigned made_tables; /* Bit i: table i was made. */
	struct table tables[TABLES];
	struct view_median medians[VIEW_PRESENTED];
	struct view_rows *rows;	  /* NULL until there are cases, and if memory is short. */
	struct view_cpus *cpus;	  /* NULL before the first frame, and if memory is short. */
	struct view_sweep *sweep; /* For the Curve view. */
	char caption[2][288];	  /* For the Timeline, with the selected worker's figures. */
	const char *captions[2];
};

void view_cache_free(struct view_cache *cache);
/*
 * Finds the leading case. headline->decided: the case is significantly better than all others, and
 * the sentence gets its hue.
 */
void view_cache_lead(struct view_headline *headline, const struct model *model,
		     enum model_metric metric);
/*
 * Updates the cache after a run has begun or ended. While a session runs or plays, waits until 1/64
 * more runs have ended. While the session's figures are kept steady, waits until they no longer
 * are.
 */
void view_cache_refresh(struct view_cache *cache, const struct model *model,
			const struct view_state *state);
/*
 * For each case, the value of its newest run, even if that run is a warm-up or does not count. NaN:
 * the case has no value.
 */
void view_newest_values(const struct model *model, enum model_metric metric,
			double newest[SAMPLE_MAX_CASES]);
/*
 * The reading with this key. If there is none, makes a reading of zeros and calls find() to fill it
 * in. If find is NULL, the caller adds the runs that have ended since the last call. NULL if memory
 * is short.
 */
void *view_cache_reading(struct view_cache *cache, const struct view_reading_of *of,
			 void (*find)(const void *arg, void *found), const void *arg);
/* A table as of the last refresh. If memory is short, it has no rows. */
const struct table *view_cache_table(struct view_cache *cache, const struct model *model,
				     enum table_id id);
/* The sentence about memory, as of the last refresh. */
const struct view_headline *view_cache_memory(struct view_cache *cache, const struct model *model);
/*
 * The badge of the answer at the end of a recording, with the winner's mark: "SAME SPEED" or
 * "FASTER ●". "": nothing is compared, the recording is still being read, or a lecture or a vote
 * must not reveal the badge. Sets cache->ends_by.
 */
const char *view_cache_ends(const struct view_frame *frame);
/* The hue of the badge of an answer in this state. */
uint8_t view_badge_hue(enum answer_state state);
/* The known causes, as of the last refresh. */
const struct why *view_cache_why(struct view_cache *cache, const struct model *model);
/* Whether the key y runs the session that shows the cause. A recording never starts programs. */
bool view_cache_runs_why(struct view_cache *cache, const struct model *model, bool live);
/*
 * The share of a core that the front end or, with of_terminal, the terminal used during the runs,
 * as of the last refresh.
 */
double view_cache_overhead(struct view_cache *cache, const struct model *model, bool of_terminal);
/*
 * The metric that is reported first: after a fault the number of survivors, otherwise
 * model_headline().
 */
enum model_metric view_headline(const struct model *model);
/* The median of a case as of the last refresh. Cached for VIEW_PRESENTED cases. */
struct view_median view_cache_median(struct view_cache *cache, const struct model *model,
				     uint32_t case_id);
