/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/units.h"
#include "result/finding.h"
#include "model/model.h"
#include "result/answer.h"

/* "Trial 3 of threads was stopped before its end. It does not count."; "": it was not. */
char *report_stopped(const struct model *model, char *buf, size_t size);
/* Whether the run is part of the result: one of a trial that was replaced is not. */
bool report_counts(const struct model *model, const struct model_run *run);
const char *report_status(const struct model_run *run);
/* "a", "b", "none" (of recordings not measured together too) or "too few trials" */
const char *report_verdict(const struct model_comparison *comparison);
/* Why a comparison is withheld, if it is. */
enum reason report_reason(const struct model *model, const struct model_comparison *comparison);
/* Why the tasks that the commands of a case created are not all counted. */
enum reason report_tasks_missed(const struct model *model, uint32_t case_id);
/* Why no trial of the case has the figure. */
enum reason report_missed(const struct model *model, uint32_t case_id, enum model_metric metric);
/* Why it has no verdict, in words; NULL where it has one, or too few trials for one. */
const char *report_untested(const struct model *model, const struct model_comparison *comparison);

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

/* 0 or -ENOMEM. The medians of user and system add up to that of the CPU time. */
int report_summarize(const struct model *model, uint32_t case_id, enum model_metric metric,
		     struct report_summary *out);
/* The range of all measured trials, by model_headline(); false: there are none. */
bool report_range(const struct model *model, double *low, double *high);
/* "2 of 4 cores", or "0.5 of 2 cores (quota)"; "" where it is not known. Returns buf. */
char *report_cores(char *buf, size_t size, const struct machine *machine);
/*
 * "vm1, AMD EPYC, 2 cores, 23.5 GiB, kvm, Linux 6.1": the known facts about a machine. Returns buf.
 */
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
 * Formats the time wall_s in UTC, whatever the zone: "2026-11-24T21:40:36Z", or "2026-11-24 21:40
 * UTC"; or "".
 */
char *report_date(int64_t wall_s, bool exact, char buf[REPORT_WALL]);
/* Which comparisons share the error, in the one sentence of screens, texts and pages. */
#define REPORT_ERROR_RATE                                                                          \
	"The headline metrics share a family-wise error rate of 5 %, interim analyses included: "  \
	"at most one session in twenty calls a difference in them real that is not. Every other "  \
	"metric has 5 % for itself."
/*
 * "The runs had nice=0, policy=other, stack=8M": what surrounded them, of sessions that know it.
 * false, and "": there is nothing to say.
 */
/* Appends the items of a list such as "nice=0;stack=8M", with commas between them. */
struct sentence;
void report_items(struct sentence *s, const char *items);
bool report_environment(const struct sample_session *session, char *buf, size_t size);

/*
 * The whole program of a case whose name is a shortened one of it, shown at the first case of both;
 * else NULL. Both texts are the model's.
 */
const char *report_command(const struct model *model, uint32_t case_id, const char **name);
/*
 * "The recordings differ in kernel (6.1.0 and 6.12.3), nice (0 and 5)": in what changes figures,
 * with the values of the first and of another; false, and "", where there is nothing to say.
 */
bool report_differences(const struct model *model, char *buf, size_t size);
/* Whether a case's name takes a plural verb: "threads", "processes @desktop"; no command. */
bool report_name_is_plural(const char *name);
/* A metric of CPU time as a share of one core while those runs went on that have it; NaN. */
double report_overhead_share(const struct model *model, enum model_metric metric);
/*
 * "while runs went on, tuibench itself used 0.52 % of one core; …", with the drain and the terminal
 * where they are known; "" where nothing is. Returns whether it says more than of tuibench itself.
 */
bool report_overhead(const struct model *model, char *buf, size_t size);
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
 * The next two cases, as model_next_two(), that differ in one thing, the model or one of the
 * variables that both have.
 */
bool report_next_pair(const struct model *model, uint32_t *a, uint32_t *b);

/* After all writing to out: 0 or -errno. */
int report_finish(FILE *out);

#define CLAIM_TEXT 96

/*
 * "7.1", "1.9", "1.14", "1.003", "0.78", "0.012": two digits, and as many as distinguish it from 1;
 * "?" for NaN. All ratios are written so.
 */
char *claim_times(char *buf, size_t size, double times);
#define CLAIM_TIMES(times) claim_times((char[32]) {0}, 32, times)

/* "1.88" and "1.93": of an interval, with as many digits as distinguish them. */
struct claim_ends {
	char low[32], high[32];
};
struct claim_ends claim_times_ends(double low, double high);
/* "1.88 to 1.93" */
char *claim_times_interval(char *buf, size_t size, double low, double high);
#define CLAIM_TIMES_INTERVAL(low, high) claim_times_interval((char[64]) {0}, 64, low, high)
/* "95 %", "96.25 %": the probability with which an interval holds, never rounded up. */
char *claim_level(char *buf, size_t size, double level);
#define CLAIM_LEVEL(level) claim_level((char[32]) {0}, 32, level)
/* "3.1 %" longer, "2.4x" as long: what a ratio above is excluded of, rounded up. */
char *claim_excluded(char *buf, size_t size, double ratio);
#define CLAIM_EXCLUDED(ratio) claim_excluded((char[32]) {0}, 32, ratio)
/* A bound from which on a comparison without a finding is too noisy to have shown anything. */
#define CLAIM_NOISY 1.25
/* "at most 3.1 % apart", "not decided (up to 2.4x apart)". */
char *claim_apart(char *buf, size_t size, double ratio);
#define CLAIM_APART(ratio) claim_apart((char[48]) {0}, 48, ratio)
/*
 * The verdict on a comparison that names no winner: "at most 3.1 % apart", "measuring, 8 of
 * 15", "too few trials", "not measured together". Returns buf.
 */
char *claim_none(const struct model *model, const struct model_comparison *comparison, char *buf,
		 size_t size);

/* The answer in one line: a badge, and a sentence about the first headline metric. */

enum { HEADLINE_TEXT = 4096, HEADLINE_BADGE = 64 };

/*
 * "FASTER", "SAME SPEED", "TOO CLOSE", "NO RESULT" or "MEASURING 3/6", and of a busy machine
 * ", on a busy machine", or ", under a quota"; "" where there is nothing to compare. Returns buf.
 */
char *headline_badge(const struct answer *answer, const struct model *model, char *buf,
		     size_t size);
/* Its first words alone, in English: for programs. "" as well. */
const char *headline_word(const struct answer *answer, const struct model *model);
/* "threads 499 ms, processes 522 ms (at most 4.6 % apart)". Returns buf. */
char *headline_sentence(const struct answer *answer, const struct model *model, char *buf,
			size_t size);
/* The same for another metric that the session has; "" without memory. */
char *headline_of_metric(const struct model *model, enum model_metric metric, char *buf,
			 size_t size);
/*
 * "[REAL] Memory (PSS+kernel): threads ~1.0 MiB, …": in the sum, or in the part of it that most
 * cases have, which goes to *metric. Returns the state that the badge shows.
 */
enum answer_state headline_memory(const struct model *model, enum model_metric *metric, char *buf,
				  size_t size);
/* "[SAME SPEED] threads 499 ms, …": both, as of the model's now. */
char *headline_line(const struct model *model, char *buf, size_t size);
/* Whether a translation has each {slot} of the template as often, in any order, and no other. */
bool headline_fits(const char *template, const char *translation);

/*
 * Why one of two takes longer, by the parts of their critical paths, and what would show the cause
 * where it is known.
 */

enum { WHY_TEXT = 1024, WHY_OPTIONS = 64 };

/* "24 ms", "-3.1 ms", with the sign where it is above 0 too: "+24 ms"; "?" for NaN. Returns buf. */
char *why_signed(char *buf, size_t size, double ns);
#define WHY_SIGNED(ns) why_signed((char[32]) {0}, 32, ns)
/* "real", "not real", "measuring, 8 of 15", "too few trials", "not measured together". */
char *why_reality(const struct model *model, const struct model_comparison *difference, char *buf,
		  size_t size);
/*
 * "Where the time goes: processes, beside threads, +4.6 ms working, +4.3 ms creating (both real).":
 * the parts that differ for real; "". Returns buf.
 */
char *why_sentence(const struct model *model, const struct model_parts_difference *difference,
		   char *buf, size_t size);
/* Whether the sentence names the part. */
bool why_names(const struct model_comparison *part);

struct why_cause {
	char text[160];		   /* "Creating a process copies its parent's page tables." */
	char options[WHY_OPTIONS]; /* options that show the cause: "-s ballast=0,64M"; "": no
				      experiment can */
	const char *recorded;	   /* the session's command line; the model's */
};

/*
 * Explains the greatest part with a known cause; or else why no model is faster. False: no cause is
 * known.
 */
bool why_cause(const struct model *model, const struct model_parts_difference *difference,
	       struct why_cause *out);

/* Both of the pair that model_parts_pair() chooses. */
struct why {
	char differs[WHY_TEXT / 2]; /* for programs, see differs_of_session() */
	bool differs_known;
	char sentence[WHY_TEXT];
	bool has_cause;
	struct why_cause cause;
};

void why_find(const struct model *model, struct why *out);
/* The same in one text, for formats without keys; or "". Returns buf. */
char *why_read(const struct model *model, char *buf, size_t size);

/*
 * Warnings of what makes a session's figures doubtful, as of now. Counted runs that have ended are
 * judged, so it changes only when one ends. Each kind is there at most once for a session, about
 * its worst case or run.
 */
enum model_warning_kind {
	WARNING_FIRST,	   /* a case's first trial is far slower than the others */
	WARNING_OUTLIERS,  /* other trials lie far from the rest */
	WARNING_BUSY,	   /* other programs used the cores */
	WARNING_STEAL,	   /* the host of a virtual machine stole them */
	WARNING_FREQUENCY, /* the clock of the cores changed */
	WARNING_CORES,	   /* runs of a case used fewer cores than were free */
	WARNING_REPEATED,  /* trials that other programs crowded were replaced */
	WARNING_COMPANY,   /* a program had children or threads, which nobody follows */
	WARNING_THROTTLED, /* a quota of CPUs held runs of a case back */
	WARNING_LEFT,	   /* processes of a program still ran when it ended */
	WARNING_INPUT,	   /* a program read its standard input, which is empty */
	WARNING_OUTPUT,	   /* a program does less when nobody reads its output */
	WARNING_CLIENTS,   /* the clients of a server had no more time to send requests */
	WARNING_ERRORS,	   /* requests had no reply */
	WARNING_WATCHED,   /* recording each switch of a program slowed it */
	WARNINGS
};

/* One line: the observation, why it matters, what to do. */
struct model_warning {
	enum model_warning_kind kind;
	char text[SAMPLE_TEXT];
};

/* The most warnings in all: each of several joined recordings may have its own. */
#define MODEL_WARNINGS_MOST 16

/* Fills out; how many, or -ENOMEM. */
int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST]);
/*
 * Whether other programs used more than 10 % of the cores' time during the runs counted so far, or
 * a host stole more than 2 %. With several recordings: whether this is true of any.
 */
bool model_is_busy(const struct model *model);
/* Whether a quota of the session's own cgroup, or of one above it, held a run back, or may have. */
bool model_is_limited(const struct model *model);
/* As in the JSON. */
extern const char *const model_warning_names[WARNINGS];

/*
 * The source of the times when workers were on a core, in words. Each function but the first
 * returns buf.
 */

#define SCHED_TEXT     256
#define SCHED_SENTENCE (2 * SCHED_TEXT + 64)

/* The session may have slices. */
bool sched_wanted(const struct model *model);

/*
 * "kernel records, exact, 0 lost": source, resolution and the run's lost records; for all counted
 * runs with run NULL. "" without a source, "?" for an unknown value. If the source sees less than
 * half of an ended run's slices: "the workers' clock shows 24 of 5,006 slices".
 */
char *sched_source(const struct model *model, const struct model_run *run, char *buf, size_t size);
/* "50 tasks by perf, 0 lost": how a run's tasks of commands were seen; "". */
char *sched_tasks(const struct model *model, const struct model_run *run, char *buf, size_t size);
/* Why wake-ups after a block are not known, and what would help; "" where they are, and of old. */
char *sched_no_wakes(const struct model *model, char *buf, size_t size);
/*
 * Says that a session has no lanes though its source is on, and how to get them, or why that is not
 * allowed; "" if it has lanes. brief: at most 29 columns wide.
 */
char *sched_no_lanes(const struct model *model, bool brief, char *buf, size_t size);
/* A sentence of all: for texts. "" of sessions without a source. */
char *sched_sentence(const struct model *model, char *buf, size_t size);

/* The gain from more cores, in words. */

enum { SPEEDUP_TEXT = 512 };

/* "threads: Amdahl's serial fraction is 2.1 % (1.8 to 2.4), …", or why not. Returns buf. */
char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size);

/*
 * The pairs of trials behind a comparison, for a logarithmic axis with 1 in its middle: twice and
 * half lie equally far out.
 */
struct pairs {
	double *ratios; /* a / b, as in the sentence; none of separate recordings */
	size_t n;
	double bound; /* the right end of the axis, a round one; the left one is its inverse */
};

/* 0 or -ENOMEM; the caller frees it in both cases. */
int pairs_read(struct pairs *pairs, const struct model *model,
	       const struct model_comparison *comparison);
void pairs_free(struct pairs *pairs);
