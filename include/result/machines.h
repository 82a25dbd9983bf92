/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

/*
 * Several machines: many recordings, and one answer. Models are compared within each machine only;
 * the pooled values are the machines' ratios. Nothing else is kept of a recording, so that
 * thousands can be read one after the other.
 */

/* Machines from which on there is a pooled answer. */
#define MACHINES_LEAST 3

/* A comparison that machines share: case b beside case a, of the same work, in a metric. */
struct machines_question {
	char experiment[SAMPLE_LABEL];
	char a[SAMPLE_NAME], b[SAMPLE_NAME];
	size_t a_model, b_model; /* bytes of them that are the model's; then come values */
	enum model_metric metric;
	struct variables values[2]; /* values of the two; other configurations do other work */
};

/* The result of a recording for a question. */
struct machines_value {
	uint32_t question, pairs;
	double estimate, variance; /* of log(b / a) */
	bool real;		   /* significant by the recording's own answer */
};

/* Survivors in a case of a crash experiment, in the least and the best trial. */
struct machines_fault {
	char name[SAMPLE_NAME];
	uint32_t workers;
	int64_t least, most;
};

struct machines_recording {
	char *path;
	char why[SAMPLE_TEXT]; /* it is not pooled; "": it is */
	bool done;	       /* the session's end is in it */
	int64_t written_s;     /* when the file was written last, of the day */
	uint32_t runs, failed;
	char failure[256];	/* why the first of them failed */
	struct machine machine; /* its id is "" of old, or without a number */
	char name[MACHINE_TEXT];
	char experiment[SAMPLE_LABEL], title[SAMPLE_LABEL];
	struct machines_value *values;
	uint32_t n_values, n_faults;
	struct machines_fault *faults;
	uint32_t number; /* number of its machine, from 0 */
};

/* A machine that is to hand in a recording. */
struct machines_expected {
	char name[MACHINE_TEXT]; /* a machine's, or a file's without its suffix */
	char why[SAMPLE_TEXT];	 /* why this recording could not be fetched; "" */
	bool reported;
};

/* To find recordings by; equal ones have equal keys. */
struct machines_key {
	uint64_t path, machine, name;
};

struct machines_experiment {
	char name[SAMPLE_LABEL];
	size_t n, first; /* range of the recordings that can be pooled */
};

struct machines {
	struct machines_recording *list; /* as they came */
	size_t n, cap;
	struct machines_key *keys; /* key of each recording */
	size_t cap_keys;
	struct machines_experiment *experiments;
	size_t n_experiments, cap_experiments;
	struct machines_question *questions; /* as they came */
	size_t n_questions, cap_questions;
	uint32_t n_machines; /* machines of recordings that can be pooled */
	struct machines_expected *expected;
	size_t n_expected, cap_expected;
	int64_t now_s;		   /* of the day, when it is shown */
	const struct field *group; /* field that groups the machines of answers; NULL: none */
};

void machines_free(struct machines *machines);
/*
 * Adds the pooled values of a recording, replacing earlier ones of the same path. model: NULL if
 * the recording could not be read; then why has the reason. 0 or -ENOMEM.
 */
int machines_add(struct machines *machines, const char *path, int64_t written_s,
		 const struct model *model, const char *why);
/*
 * Reads the expected machines, replacing earlier ones: a name on each line, "NAME: why" for a
 * machine that is known to have failed; "#" begins a comment. 0 or -ENOMEM.
 */
int machines_expect(struct machines *machines, FILE *names);

/* A machine's part in an answer: its recordings are collapsed first. */
struct machines_row {
	const struct machines_recording *recording; /* its first one */
	uint32_t recordings, pairs;
	double estimate, variance; /* logarithms */
	double ratio, low, high;   /* with the 95 % interval of this one alone */
	double weight;		   /* its share of the mean */
	bool real, outlier;
	size_t group; /* group of the answer */
};

/* Machines of an answer that have the same value of a field: their rows follow one another. */
struct machines_group {
	char name[2 * MACHINE_TEXT]; /* the value */
	double number;		     /* value as a number; NaN: not a number */
	size_t first, n;	     /* range of its rows */
	double ratio, low, high;     /* pooled over them */
	double weight;		     /* their share of the mean of all */
};

/* The pooled result of all machines for a question. Ratios, not logarithms. */
struct machines_answer {
	const struct machines_question *question;
	struct machines_row *rows;
	size_t n;
	uint32_t a_less, b_less, a_real, b_real; /* machines where a takes less, … for real */
	double ratio, low, high, from, to;	 /* pooled, and where another machine is expected */
	double tau2, i2;
	struct machines_group *groups;
	size_t n_groups; /* 0: they are not grouped */
};

enum machines_order {
	MACHINES_BY_RATIO,
	MACHINES_BY_CPU,
	MACHINES_BY_CORES,
	MACHINES_BY_ARRIVAL,
	MACHINES_ORDERS
};

/*
 * The questions that at least MACHINES_LEAST machines answer, of the experiment that most machines
 * ran: the i-th, in the order of the answer. False: there are no more. 0 in *err, or -ENOMEM.
 */
bool machines_answer(const struct machines *machines, size_t i, enum machines_order order,
		     struct machines_answer *answer, int *err);
void machines_answer_free(struct machines_answer *answer);
/*
 * The name of one of the row's machines in at most `most` columns, unlike that of any near row; in
 * ASCII with escapes for other letters.
 */
char *room_fit(const struct machines_answer *answer, const struct machines_row *row, bool ascii,
	       int most, const char *mark, char buf[MACHINE_TEXT]);
/* The experiment that most machines ran; NULL: none can be pooled. */
const struct machines_recording *machines_main(const struct machines *machines);
/*
 * A field that may group machines, by its name in the log without "machine."; NULL: no such field.
 */
const struct field *machines_field(const char *name);
/* "cpu, cores_allowed, …". Returns buf. */
char *machines_field_names(char *buf, size_t size);
/* The next one in which the machines differ; NULL: none. before: NULL for the first. */
const struct field *machines_next_field(const struct machines *machines,
					const struct field *before);

/* "Threads are faster on 24 of 30 machines (real on 11). Pooled: …". Returns buf. */
char *machines_sentence(const struct machines_answer *answer, char *buf, size_t size);
/* "Processes after segv: 3 of 4 …": the i-th such case of most machines. False: no more. */
bool machines_fault_sentence(const struct machines *machines, size_t i, char *buf, size_t size);
/* "30 machines, 34 recordings, 2 of them not pooled". Returns buf. */
char *machines_title(const struct machines *machines, char *buf, size_t size);
/*
 * "2 of 30 have not reported: anna, ben.", "1 has no end yet: …", "1 has failed runs: …". False:
 * there is none of the kind.
 */
enum machines_trouble { MACHINES_MISSING, MACHINES_UNFINISHED, MACHINES_FAILED, MACHINES_TROUBLES };
bool machines_trouble(const struct machines *machines, enum machines_trouble kind, char *buf,
		      size_t size);
/* Why a recording is not in the answer; "" where it is. common: machines_main(). */
const char *machines_left_out(const struct machines_recording *common,
			      const struct machines_recording *recording);
/* The range of the forest plot: the ratios at its ends, with 1 between them. */
void machines_scale(const struct machines_answer *answer, double *low, double *high);
struct claim_ends; /* result/report.h */
/* The place of a ratio between low and high: 0 to 1, or beyond if the ratio is. */
double machines_place(double ratio, double low, double high);
/* An interval's ends; beyond what any plot shows they are "<.001" and ">999". */
struct claim_ends machines_ends(double low, double high);
/* "0.94 to 1.22". Returns buf. */
char *machines_interval(char *buf, size_t size, double low, double high);
#define MACHINES_INTERVAL(low, high) machines_interval((char[64]) {0}, 64, low, high)
/* With more machines than that, densities replace the rows of single machines. */
enum { MACHINES_DENSE = 100 };
/* How many ratios lie in each column from low to high, or beyond it; returns the most. */
unsigned machines_density(const struct machines_row *rows, size_t n, double low, double high,
			  unsigned *counts, int columns);
extern const char *const machines_order_names[MACHINES_ORDERS];
