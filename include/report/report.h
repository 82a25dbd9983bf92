/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/finding.h"
#include "model/model.h"

/*
 * The result of a session in the formats of --format and --export. Each writes to out and returns
 * 0 or -errno; numbers that are not known are null or empty, never 0. Only counted trials that
 * have ended are a result: warm-ups and what was cut off before its end are in the log.
 */
int write_json(const struct model *model, FILE *out);
int write_all_tables(const struct model *model, FILE *out);
/* The answer alone, in at most 24 lines of 80 columns. */
int write_answer(const struct model *model, FILE *out);
/* Its table: up to ANSWER_ROWS rows, else nothing. */
int write_answer_table(const struct model *model, FILE *out);
int write_markdown(const struct model *model, FILE *out);
int write_csv(const struct model *model, FILE *out); /* one row per run */

/* The parts that the formats share. */

/* Whether the run is part of the result: one of a trial that was replaced is not. */
bool report_counts(const struct model *model, const struct model_run *run);
/* "ok", "failed", "crashed" or "interrupted". */
const char *report_status(const struct model_run *run);
/* "a", "b", "none" (of recordings not measured together too) or "too few trials" */
const char *report_verdict(const struct model_comparison *comparison);
/* Why it has no verdict, in words; NULL where it has one, or too few trials for one. */
const char *report_untested(const struct model_comparison *comparison);

/*
 * The remarks after the verdict: advice from the first run on, up to now, then what makes the
 * figures doubtful. 0 or -ENOMEM.
 */
int report_remarks(const struct model *model,
		   void (*take)(FILE *out, bool warning, const char *text), FILE *out);

/* A case's trials in one metric, in the metric's unit; NaN where not known. */
struct report_summary {
	size_t n;
	struct stats_interval median;
	double mean, least, most;
};

/* 0 or -ENOMEM. */
int report_summarize(const struct model *model, uint32_t case_id, enum model_metric metric,
		     struct report_summary *out);
/* The range of all measured trials, by model_headline(); false: there are none. */
bool report_range(const struct model *model, double *low, double *high);
/* "vm1, AMD EPYC, 2 cores, 23.5 GiB, kvm, Linux 6.1": what is known of it. Returns buf. */
char *report_machine(char *buf, size_t size, const struct machine *machine);
/*
 * "Debian GNU/Linux 12 (bookworm), glibc 2.36, files on ext4, caches L1d 32K, L1i 32K, SMT off,
 * CPU flaws vulnerable: mds; built by gcc 12.2.0 -O2 -g at commit 1a2b3c": what else one cites of a
 * session. false, and "": nothing of it is known, as of old.
 */
bool report_system(const struct sample_session *session, char *buf, size_t size);
/* "2026-11-24T21:40:36.123Z" (RFC 3339), of ns since the epoch; "" where they are not known. */
#define REPORT_WALL 32
char *report_wall(int64_t wall_ns, char buf[REPORT_WALL]);
/*
 * "The runs had nice=0, policy=other, stack=8M": what surrounded them, of sessions that know it.
 * false, and "": there is nothing to say.
 */
bool report_environment(const struct sample_session *session, char *buf, size_t size);
/* Whether any case runs a program: recordings of old do not say which. */
bool report_commands(const struct model *model);
/*
 * The whole program of a case whose name is a shortened one of it, told at the first case of both;
 * else NULL. Both texts are the model's.
 */
const char *report_command(const struct model *model, uint32_t case_id, const char **name);
/*
 * "The recordings differ in kernel (6.1.0 and 6.12.3), nice (0 and 5)": in what changes figures,
 * with the values of the first and of another; false, and "", where there is nothing to say.
 */
bool report_differences(const struct model *model, char *buf, size_t size);
/* A metric of CPU time as a share of one core while those runs went on that have it; NaN. */
double report_own_share(const struct model *model, enum model_metric metric);
/*
 * "while runs went on, tuibench itself used 0.52 % of one core; …", with the drain and the terminal
 * where they are known; "" where nothing is. Returns whether it says more than of tuibench itself.
 */
bool report_own_cost(const struct model *model, char *buf, size_t size);
/*
 * The whole text of what fills a buffer, as headline_line() and why_read() do,
 * however long it is. The caller's to free; NULL without memory.
 */
char *report_whole(char *(*say)(const struct model *model, char *buf, size_t size),
		   const struct model *model);
/* The counted runs of the case that have ended, in whatever way. */
size_t report_runs_of(const struct model *model, uint32_t case_id);
/* Why the median of n trials of the case has no interval, in two or three words. */
const char *report_no_interval(const struct model *model, uint32_t case_id, size_t n);

/* "threads", or "mem: threads" where the session has several kinds of work. Returns buf. */
char *report_curve_name(const struct model *model, uint32_t case_id, char *buf, size_t size);
/* "5.3 (4 to 6)", "400 (300 to 500)": below ten to a tenth. Returns buf. */
char *report_crossing(const struct crossover *cross, char *buf, size_t size);
/*
 * The crossings of the curves of the cases a and b, in words: "720 (600 to 800)", joined by
 * semicolons, "none found", "too few trials", or "?" where the metric is not known. 0 or -ENOMEM.
 */
int report_crossover(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     char *buf, size_t size);

/*
 * Called for each pair of cases that differ in one thing, the model or one of the variables that
 * both have, the earlier one as a.
 */
int report_pairs(const struct model *model,
		 int (*take)(void *arg, const struct model *model, uint32_t a, uint32_t b),
		 void *arg);

/* The result of all writing to out: 0 or -errno. */
int report_finish(FILE *out);
