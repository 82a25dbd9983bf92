/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"
#include "stats/stats.h"

/*
 * The pooled answer of many recordings from several machines. Models are compared only within each
 * machine; then the machines' ratios are pooled. Only a summary of each recording is stored, so
 * thousands of recordings can be read one after the other.
 */

/* Smallest number of machines for a pooled answer. */
#define MACHINES_LEAST 3

/* A comparison that several machines made: case b with case a, at the same work, in one metric. */
struct machines_question {
	char experiment[SAMPLE_LABEL];
	char a[SAMPLE_NAME], b[SAMPLE_NAME];
	/*
	 * Length in bytes of the model's name at the beginning of a and b. The variables follow the
	 * name.
	 */
	size_t a_model, b_model;
	enum model_metric metric;
	/*
	 * The variables of the two cases. Cases with other values do other work, so their
	 * comparison is a question of its own.
	 */
	struct variables values[2];
};

/* What a recording found for a question. */
struct machines_value {
	uint32_t question, pairs;
	double estimate, variance; /* Estimate and variance of log(b / a). */
	bool real; /* The difference is significant by the recording's own answer. */
};

/* Smallest and largest number of survivors in a trial, for one case of a crash experiment. */
struct machines_fault {
	char name[SAMPLE_NAME];
	uint32_t workers;
	int64_t least, most;
};

struct machines_recording {
	char *path;
	char why[SAMPLE_TEXT]; /* Why the recording is not pooled; "" if it is pooled. */
	bool done;	       /* The recording contains the session's end. */
	int64_t written_s;     /* When the file was last modified, s since the epoch. */
	uint32_t runs, failed;
	char failure[256]; /* Why the first failed run failed. "": no run failed. */
	/* The recording's machine. Its id is "" in old recordings, or if the machine has no id. */
	struct machine machine;
	char name[MACHINE_TEXT];
	char experiment[SAMPLE_LABEL], title[SAMPLE_LABEL];
	struct machines_value *values;
	uint32_t n_values, n_faults;
	struct machines_fault *faults;
	uint32_t number; /* Index of the recording's machine. */
};

/* A machine from which a recording is expected. */
struct machines_expected {
	char name[MACHINE_TEXT]; /* The name of a machine, or of a file without its suffix. */
	/* Why that machine's recording could not be fetched; "": no reason was given. */
	char why[SAMPLE_TEXT];
	bool reported;
};

/* Hashes of a recording's texts, to find a recording quickly. */
struct machines_key {
	uint64_t path, machine, name;
};

struct machines_experiment {
	char name[SAMPLE_LABEL];
	/* n: number of recordings that can be pooled. first: index of the first of them. */
	size_t n, first;
};

struct machines {
	struct machines_recording *list; /* In the order of arrival. */
	size_t n, cap;
	struct machines_key *keys; /* keys[i] is the key of list[i]. */
	size_t cap_keys;
	struct machines_experiment *experiments;
	size_t n_experiments, cap_experiments;
	struct machines_question *questions; /* In the order of arrival. */
	size_t n_questions, cap_questions;
	uint32_t n_machines; /* Number of machines whose recordings can be pooled. */
	struct machines_expected *expected;
	size_t n_expected, cap_expected;
	int64_t now_s;		   /* The present time, s since the epoch. */
	const struct field *group; /* The field that groups the machines in answers; NULL: none. */
};

void machines_free(struct machines *machines);
/*
 * Adds the values of a recording if it can be pooled. They replace earlier values from the same
 * path. If the recording could not be read, model is NULL and `why` is the reason. Returns 0 or
 * -ENOMEM.
 */
int machines_add(struct machines *machines, const char *path, int64_t written_s,
		 const struct model *model, const char *why);
/*
 * Reads the list of expected machines, which replaces an earlier list. Each line is a name, or
 * "NAME: why" for a machine that is known to have failed. "#" begins a comment. Returns 0 or
 * -ENOMEM.
 */
int machines_expect(struct machines *machines, FILE *names);

/* A machine's row in an answer. Several recordings of the machine are combined into one value. */
struct machines_row {
	const struct machines_recording *recording; /* The first recording of the machine. */
	uint32_t recordings, pairs;
	double estimate, variance;   /* Estimate and variance of the logarithm of the ratio. */
	struct stats_interval ratio; /* The ratio, with the 95 % interval of this machine alone. */
	double weight;		     /* The machine's share in the pooled mean. */
	bool real, outlier;
	size_t group; /* Index of the machine's group in the answer. */
};

/*
 * Machines of an answer with the same value of the grouping field. The rows of a group are
 * adjacent.
 */
struct machines_group {
	char name[2 * MACHINE_TEXT]; /* The value of the field as text. */
	double number;	 /* The value of the field as a number. NaN: it is not a number. */
	size_t first, n; /* Range of the group's rows. */
	struct stats_interval ratio; /* Pooled over the group's machines. */
	double weight;		     /* The machines' share in the pooled mean of all machines. */
};

/* The pooled result of all machines for a question, as ratios, not logarithms. */
struct machines_answer {
	const struct machines_question *question;
	struct machines_row *rows;
	size_t n;
	/*
	 * Numbers of machines on which a is lower, on which b is lower, on which a is significantly
	 * lower, and on which b is significantly lower.
	 */
	uint32_t a_less, b_less, a_real, b_real;
	struct stats_interval ratio; /* Pooled over all machines. */
	/* The 95 % prediction interval for the ratio of a further machine. It has no estimate. */
	struct stats_interval another;
	/* The ratios at the two ends of the forest plot's axis, with 1 between them. */
	double low, high;
	/*
	 * How much the machines differ. tau2: variance of the logarithms. i2: I², %. See struct
	 * pooled.
	 */
	double tau2, i2;
	struct machines_group *groups;
	size_t n_groups; /* 0: the rows are not grouped. */
};

enum machines_order {
	MACHINES_BY_RATIO,
	MACHINES_BY_CPU,
	MACHINES_BY_CORES,
	MACHINES_BY_ARRIVAL,
	MACHINES_ORDERS
};

/*
 * Makes the i-th answer for the experiment that most recordings have. Counts only questions that at
 * least MACHINES_LEAST machines answer. Returns false if there are no more answers. Sets *err to 0
 * or -ENOMEM.
 */
bool machines_answer(const struct machines *machines, size_t i, enum machines_order order,
		     struct machines_answer *answer, int *err);
void machines_answer_free(struct machines_answer *answer);
/*
 * The name of the row's machine in at most `most` columns, different from the names of nearby rows.
 * ascii: characters other than ASCII become escapes.
 */
char *machines_fit_name(const struct machines_answer *answer, const struct machines_row *row,
			bool ascii, int most, const char *mark, char buf[MACHINE_TEXT]);
/*
 * The first recording of the experiment that most recordings have; NULL if no recording can be
 * pooled.
 */
const struct machines_recording *machines_main(const struct machines *machines);
/*
 * The field that may group machines. name is the field's name in the recording without "machine.".
 * Returns NULL if there is no such field.
 */
const struct field *machines_field(const char *name);
/* The list of the fields that may group machines: "cpu, cores_allowed, …". Returns buf. */
char *machines_field_names(char *buf, size_t size);
/*
 * The next field after `before` in which the machines differ. If `before` is NULL, the first such
 * field. Returns NULL if there are no more fields.
 */
const struct field *machines_next_field(const struct machines *machines,
					const struct field *before);

/*
 * A sentence such as "Threads are faster on 24 of 30 machines (real on 11). Pooled: …". Returns
 * buf.
 */
char *machines_sentence(const struct machines_answer *answer, char *buf, size_t size);
/*
 * The sentence for the i-th crash case of machines_main(): "Processes after segv: 3 of 4 …".
 * Returns false if there are no more crash cases.
 */
bool machines_fault_sentence(const struct machines *machines, size_t i, char *buf, size_t size);
/* "mixed: 6 cpu + 2 io; 30 machines, 34 recordings, 2 not pooled". Returns buf. */
char *machines_title(const struct machines *machines, char *buf, size_t size);
/*
 * A sentence on one kind of trouble: "2 of 30 have not reported: anna, ben.", "1 has no end yet:
 * …", "1 has failed runs: …". Returns false if no machine has such trouble.
 */
enum machines_trouble { MACHINES_MISSING, MACHINES_UNFINISHED, MACHINES_FAILED, MACHINES_TROUBLES };
bool machines_trouble(const struct machines *machines, enum machines_trouble kind, char *buf,
		      size_t size);
/* Why a recording is not in the answer; "" if it is. common: the result of machines_main(). */
const char *machines_left_out(const struct machines_recording *common,
			      const struct machines_recording *recording);
struct claim_ends; /* result/report.h */
/*
 * The position of a ratio on the answer's axis: 0 at low, 1 at high. A ratio beyond the axis is
 * placed at its nearer end.
 */
double machines_place(const struct machines_answer *answer, double ratio);
/* The ends of an interval as text. Very low or high ends are "<.001" or ">999". */
struct claim_ends machines_ends(const struct stats_interval *interval);
/* "0.94 to 1.22". Returns buf. */
char *machines_interval(char *buf, size_t size, const struct stats_interval *interval);
#define MACHINES_INTERVAL(interval) machines_interval((char[64]) {0}, 64, interval)
/* If there are more machines than this, a density plot replaces their rows. */
enum { MACHINES_DENSE = 100 };
/*
 * Counts the group's ratios in each column of the axis. The first and the last column also count
 * ratios beyond the axis. Returns the largest count.
 */
unsigned machines_density(const struct machines_answer *answer, const struct machines_group *group,
			  unsigned *counts, int columns);
extern const char *const machines_order_names[MACHINES_ORDERS];
