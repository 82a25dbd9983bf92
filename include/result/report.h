/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error_line.h"
#include "base/units.h"
#include "result/finding.h"
#include "model/model.h"
#include "result/answer.h"

struct model_parts_difference;
struct model_speedup;

/*
 * "Trial 3 of threads was stopped before its end. It does not count.", or "" if the newest run was
 * not stopped.
 */
char *report_stopped(const struct model *model, char *buf, size_t size);
/*
 * Whether the run is part of the result: it has ended, and is neither a warm-up nor a run of a
 * replaced trial.
 */
bool report_counts(const struct model *model, const struct model_run *run);
/*
 * The number of failed trials of a case that has no measured trial; 0 if it has a measured trial.
 * Interrupted trials do not count. Sets *why, unless why is NULL, to the reason of the last
 * failure.
 */
uint32_t report_failed_trials(const struct model *model, uint32_t case_id, const char **why);
/*
 * The exit status of the first program that failed in the run; 0 if no program failed, or if the
 * run's workers are no longer in memory.
 */
uint64_t report_exit_status(const struct model *model, const struct model_run *run);
/*
 * Whether the run failed and its trial counts. Always false in the experiment crash, which measures
 * what a fault does.
 */
bool report_run_failed(const struct model *model, const struct model_run *run);
/*
 * The number of counted trials in which a run of either case failed; 0 if memory is short. Sets
 * *trials to the number of counted trials of the two cases.
 */
uint32_t report_failed_pairs(const struct model *model, uint32_t a, uint32_t b, uint32_t *trials);
const char *report_status(const struct model_run *run);
/*
 * The winner, "a" or "b"; "none"; "too few trials"; "untested" if there are no pairs; NULL if a
 * value is 0, so that there is no ratio.
 */
const char *report_verdict(const struct model_comparison *comparison);
/* Why a comparison has no verdict. Call this function only for a comparison without a verdict. */
enum reason report_reason(const struct model *model, const struct model_comparison *comparison);
/*
 * Why tasks that a case's commands created were not counted. REASON_NOT_KNOWN: no reason is known.
 */
enum reason report_tasks_missed(const struct model *model, uint32_t case_id);
/* Why no trial of the case has a value in the metric. REASON_NOT_KNOWN: no reason is known. */
enum reason report_missed(const struct model *model, uint32_t case_id, enum model_metric metric);
/*
 * Why the comparison has no verdict, in words. NULL: it has a verdict, or more trials would give it
 * one.
 */
const char *report_untested(const struct model *model, const struct model_comparison *comparison);

/*
 * Calls print() for each remark that follows the verdict. First come the advice that was given
 * since the first run began and the advice on --quick, then the warnings about the figures. Returns
 * 0 or -ENOMEM.
 */
int report_remarks(const struct model *model,
		   void (*print)(FILE *out, bool warning, const char *text), FILE *out);

/* A case's trials in one metric, in the metric's unit; NaN: unknown. */
struct report_summary {
	size_t n;
	struct stats_interval median;
	double mean, least, most;
};

/*
 * Summarizes the trials. The medians of user and system time are adjusted so that they add up to
 * the median of CPU time. The two medians are unknown if less than three quarters of the trials
 * have them. Returns 0 or -ENOMEM.
 */
int report_summarize(const struct model *model, uint32_t case_id, enum model_metric metric,
		     struct report_summary *out);
/* The range of all measured trials in model_headline(). Returns false if there are none. */
bool report_range(const struct model *model, double *low, double *high);
/* "2 of 4 cores", "0.5 of 2 cores (quota)", or "" if unknown. Returns buf. */
char *report_cores(char *buf, size_t size, const struct machine *machine);
/*
 * "vm1, AMD EPYC, 2 cores, 23.5 GiB, kvm, Linux 6.1": the known facts about a machine. Returns buf.
 */
char *report_machine(char *buf, size_t size, const struct machine *machine);
/*
 * Further facts to cite with a session: "Debian GNU/Linux 12 (bookworm), glibc 2.36, files on ext4,
 * caches L1d 32K, L1i 32K, SMT off, CPU flaws vulnerable: mds; built by gcc 12.2.0 -O2 -g at commit
 * 1a2b3c". Returns false and sets buf to "" if no such fact is known, as in old recordings.
 */
bool report_system(const struct sample_session *session, char *buf, size_t size);
/* Formats ns since the epoch: "2026-11-24T21:40:36.123Z" (RFC 3339); "" if unknown. */
#define REPORT_WALL 32
char *report_wall(int64_t wall_ns, char buf[REPORT_WALL]);
/*
 * Formats the time wall_s in UTC: with `exact` "2026-11-24T21:40:36Z", otherwise "2026-11-24 21:40
 * UTC"; "" if unknown.
 */
char *report_date(int64_t wall_s, bool exact, char buf[REPORT_WALL]);
/* The sentence that says how comparisons share one error rate. Screens, texts and pages show it. */
#define REPORT_ERROR_RATE                                                                          \
	"The headline metrics share a family-wise error rate of 5 %, interim analyses included: "  \
	"at most one session in twenty reports a false difference in them. Every other metric "    \
	"has an error rate of 5 % of its own."
/*
 * For an experiment that compares calls: which calls create threads and which create processes,
 * "Threads: clone. Processes: fork, vfork."; "" in other sessions.
 */
char *report_calls(const struct model *model, char *buf, size_t size);
struct sentence;
/* Appends the items of a list such as "nice=0;stack=8M", separated by commas. */
void report_items(struct sentence *s, const char *items);
/*
 * A sentence on the environment of the runs: "The runs had nice=0, policy=other, stack=8M". Returns
 * false and sets buf to "" if nothing is known.
 */
bool report_environment(const struct sample_session *session, char *buf, size_t size);

/*
 * The full command line of a case that is named by a shortened command; NULL if the name is not
 * shortened, or if the case is not the first one of that program. Sets *name to the shortened name.
 * The model owns both texts.
 */
const char *report_command(const struct model *model, uint32_t case_id, const char **name);
/*
 * A sentence on conditions that change figures and in which the two joined recordings differ, with
 * both values: "The recordings differ in kernel (6.1.0 and 6.12.3), nice (0 and 5)". Returns false
 * and sets buf to "" if no such condition differs.
 */
bool report_differences(const struct model *model, char *buf, size_t size);
/*
 * Whether a case's name takes a plural verb, as "threads" and "processes @desktop" do. A command's
 * name does not.
 */
bool report_name_is_plural(const char *name);
/* Like report_name_is_plural(), for the first `length` bytes of a name. */
bool report_is_plural(const char *name, size_t length);
/*
 * A metric of CPU time as a share of one core, over the runs that have the metric; NaN if unknown.
 */
double report_overhead_share(const struct model *model, enum model_metric metric);
/*
 * "during the runs, tuibench itself used 0.52 % of one core; …", followed by the helper processes
 * and the terminal if these are known; "" if nothing is known. Returns whether the text mentions
 * more than tuibench itself.
 */
bool report_overhead(const struct model *model, char *buf, size_t size);
/* Why the median of n trials of the case has no interval, in two or three words. */
const char *report_no_interval(const struct model *model, uint32_t case_id, size_t n);

/* "threads", or "mem: threads" if the session has several kinds of work. Returns buf. */
char *report_curve_name(const struct model *model, uint32_t case_id, char *buf, size_t size);
/*
 * A crossing with its interval: "5.3 (4 to 6)", "400 (300 to 500)". A value below ten has one
 * decimal, unless it is whole.
 */
char *report_crossing(const struct crossover *cross, char *buf, size_t size);
/*
 * The crossings of the curves of cases a and b in words: "720 (600 to 800)", joined by semicolons;
 * "none found"; "too few trials"; "?" if the metric is unknown. Returns 0 or -ENOMEM.
 */
int report_crossover(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     char *buf, size_t size);

/*
 * The next two cases that are compared, in the order of model_next_two(). In a single session,
 * these are the pairs of its families. In joined recordings, they are the same case in each
 * recording.
 */
bool report_next_pair(const struct model *model, uint32_t *a, uint32_t *b);

/* Flushes `out` after all writing. Returns 0 or -errno. */
int report_finish(FILE *out);

#define CLAIM_TEXT 96

/*
 * Writes a ratio with two digits, or with as many as distinguish it from 1: "7.1", "1.9", "1.14",
 * "1.003", "0.78", "0.012"; "?" for NaN. All ratios are written in this form.
 */
char *claim_times(char *buf, size_t size, double times);
#define CLAIM_TIMES(times) claim_times((char[32]) {0}, 32, times)

/* The ends of an interval, such as "1.88" and "1.93", with as many digits as distinguish them. */
struct claim_ends {
	char low[32], high[32];
};
struct claim_ends claim_times_ends(double low, double high);
/* "1.88 to 1.93" */
char *claim_times_interval(char *buf, size_t size, double low, double high);
#define CLAIM_TIMES_INTERVAL(low, high) claim_times_interval((char[64]) {0}, 64, low, high)
/* The confidence level of an interval, never rounded up: "95 %", "96.25 %". */
char *claim_level(char *buf, size_t size, double level);
#define CLAIM_LEVEL(level) claim_level((char[32]) {0}, 32, level)
/* The bound of a ratio as text, rounded up: "3.1 %" (longer) or "2.4x" (as long). */
char *claim_excluded(char *buf, size_t size, double ratio);
#define CLAIM_EXCLUDED(ratio) claim_excluded((char[32]) {0}, 32, ratio)
/*
 * A comparison without a winner is too noisy to be useful if its bound (see claim_excluded()) is at
 * least this ratio.
 */
#define CLAIM_NOISY 1.25
/*
 * How far apart two cases are at most: "at most 3.1 % apart"; from CLAIM_NOISY on, "not decided (up
 * to 2.4x apart)".
 */
char *claim_apart(char *buf, size_t size, double ratio);
#define CLAIM_APART(ratio) claim_apart((char[48]) {0}, 48, ratio)
/*
 * The result of a comparison without a winner, such as "at most 3.1 % apart", "measuring, 8 of 15",
 * "too few trials" or "not measured together". Returns buf.
 */
char *claim_none(const struct model *model, const struct model_comparison *comparison, char *buf,
		 size_t size);

/* The answer in one line: a badge, and a sentence about the first headline metric. */

enum { HEADLINE_TEXT = 4096, HEADLINE_BADGE = 96 };

/*
 * The state that the badge shows: that of the answer, or ANSWER_REAL if the sentence begins with
 * how round trips on two cores and on one differ, and no trial contradicts it.
 */
enum answer_state headline_state(const struct answer *answer, const struct model *model);
/* The answer in one line: a badge, and a sentence about the first headline metric. */
char *headline_badge(const struct answer *answer, const struct model *model, char *buf,
		     size_t size);
/* The cost of a round trip at a place: on one core or on two. */
struct headline_place {
	char cost[128]; /* "30 to 34 us" */
	/* On two cores: the cost as a multiple of the cost on one core, "3.6x to 8.2x". */
	char times[48];
	char memory[128]; /* On two cores: the cost by shared memory, which `cost` leaves out. */
};

/*
 * If two workers exchange messages both on one core and on two, reads the cost of a round trip at
 * the place of the case. Otherwise, or if a cost is unknown, returns false.
 */
bool headline_place(const struct answer *answer, const struct model *model, uint32_t case_id,
		    struct headline_place *place);
/*
 * The badge's words in English without numbers, for programs that read them. "" if there is no
 * badge.
 */
const char *headline_word(const struct answer *answer, const struct model *model);
/*
 * "threads 499 ms, processes 522 ms (at most 4.6 % apart)". If parts is not NULL, it receives the
 * positions at which the sentence may be shortened. Returns buf.
 */
char *headline_sentence(const struct answer *answer, const struct model *model, char *buf,
			size_t size, struct sentence_parts *parts);
/* The sentence for a metric other than the headline metric; "" if memory is short. */
char *headline_of_metric(const struct model *model, enum model_metric metric, char *buf,
			 size_t size);
/*
 * The answer about memory: "[REAL] Median memory (PSS+kernel): threads ~1.0 MiB, …". Sets *metric
 * to the metric of the answer: METRIC_MEMORY or, if more cases have the RSS or a part of
 * METRIC_MEMORY, the metric that most cases have. Returns the state of the badge.
 */
enum answer_state headline_memory(const struct model *model, enum model_metric *metric, char *buf,
				  size_t size);
/* Badge and sentence as of the model's cursor: "[SAME SPEED] threads 499 ms, …". */
char *headline_line(const struct model *model, char *buf, size_t size);
/*
 * Whether a translation has the same {names} in braces as the template. Their order may differ, but
 * each name must occur as often.
 */
bool headline_fits(const char *template, const char *translation);

/*
 * Why one of two cases takes longer: the parts of their critical paths and, if known, the
 * experiment that would show the cause.
 */

enum { WHY_TEXT = 1024, WHY_OPTIONS = 64 };

/* The state of a difference: "real", "not real", or the text of claim_none(). Returns buf. */
char *why_reality(const struct model *model, const struct model_comparison *difference, char *buf,
		  size_t size);
/*
 * The parts that differ significantly: "Where the time goes: processes take 4.6 ms more working,
 * 4.3 ms more in create calls than threads (both real)."; "" if no part differs significantly, or
 * if no case is faster. Returns buf.
 */
char *why_sentence(const struct model *model, const struct model_parts_difference *difference,
		   char *buf, size_t size);
/* Whether the part differs significantly, and by enough to be shown. */
bool why_names(const struct model_comparison *part);

struct why_cause {
	/* The cause, such as "Creating a process copies its parent's page tables." */
	char text[160];
	/*
	 * The option of an experiment that would show the cause: "--set ballast=0,64M". "": no
	 * experiment can show the cause.
	 */
	char options[WHY_OPTIONS];
	const char *recorded; /* The command line of the recorded session. The model owns it. */
};

/*
 * Explains the largest part whose cause is known. If no part's cause is known, explains why no
 * model is faster. Returns false if no cause is known at all.
 */
bool why_cause(const struct model *model, const struct model_parts_difference *difference,
	       struct why_cause *out);

/*
 * Names a program that has run for more than 5 s and has not ended in any run yet, and the setting
 * that limits its time. "": there is none. Returns buf.
 */
char *report_long_run(const struct model *model, char *buf, size_t size);
/* "Prediction before the session: threads win."; "" if the user made no prediction. Returns buf. */
char *report_prediction(const struct model *model, char *buf, size_t size);
/*
 * Says how much CPU time other programs took. Returns false if that time is not worth mentioning.
 */
bool why_crowded(const struct model *model, char *buf, size_t size);

/* Sentence and cause for the pair that model_parts_pair() chooses. */
struct why {
	char differs[WHY_TEXT / 2]; /* For programs only, see differs_of_session(). */
	bool differs_known;
	char sentence[WHY_TEXT];
	bool has_cause;
	struct why_cause cause;
};

void why_find(const struct model *model, struct why *out);
/* Sentence and cause as one text, for formats without keys; "" if there is neither. Returns buf. */
char *why_read(const struct model *model, char *buf, size_t size);

/*
 * Warnings about conditions that make a session's figures doubtful, as of the cursor. Only counted
 * runs that have ended are judged, so the warnings change only when a run ends. Each warning is
 * about the worst case or run.
 */
enum model_warning_kind {
	WARNING_FAILED, /* runs of a case failed, or their program's exit status was ignored */
	WARNING_INPUT,	/* a program read its standard input, which was empty */
	/* a program such as grep stops at its first match, because its output is /dev/null */
	WARNING_OUTPUT,
	WARNING_FIRST,	   /* a case's first trial is far slower than the others */
	WARNING_OUTLIERS,  /* Other trials of a case are far from the rest. */
	WARNING_BUSY,	   /* other programs used the cores */
	WARNING_STEAL,	   /* the host of a virtual machine stole CPU time */
	WARNING_FREQUENCY, /* the frequency of the cores changed */
	WARNING_CORES,	   /* runs of a case used fewer cores than they could have */
	WARNING_REPEATED,  /* trials that other programs crowded were replaced */
	/* a program had children or threads, so some of its figures are unknown */
	WARNING_COMPANY,
	WARNING_THROTTLED, /* a quota of CPUs held runs of a case back */
	WARNING_LEFT,	   /* processes that a program started still ran after its end */
	/*
	 * The clients of a server used most of their core, so they may have been the limit, not the
	 * server.
	 */
	WARNING_CLIENTS,
	WARNING_ERRORS,	 /* requests had no reply */
	WARNING_RATE,	 /* requests came faster than a server answered them */
	WARNING_WATCHED, /* recording each context switch slowed a program */
	WARNINGS
};

/* One line: the observation, why it matters, and what to do. */
struct model_warning {
	enum model_warning_kind kind;
	char text[SAMPLE_TEXT];
	struct sentence_parts parts; /* Advice and causes in the text, which can be left out. */
};

/* Room for all warnings of a model; joined recordings may have each warning twice. */
#define MODEL_WARNINGS_MOST 20

/* Fills out. Returns the number of warnings, or -ENOMEM. */
int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST]);

/* Shares of the cores' time, 0 to 1. A share that is too small to be mentioned is 0. */
struct model_busy {
	double others; /* Time that other programs used, if their share is above 0.10. */
	/* Time that the host of a virtual machine took, if its share is above 0.02. */
	double steal;
};

/*
 * Sets the shares of the time that was lost during the counted runs. If there are several
 * recordings, each share is the largest of any recording. Returns whether any share is large enough
 * to be mentioned.
 */
bool model_is_busy(const struct model *model, struct model_busy *busy);
/*
 * Whether a quota of the session's own cgroup, or of a parent cgroup, throttled a run or may have
 * done so.
 */
bool model_is_limited(const struct model *model);
/* The names of the kinds in JSON. */
extern const char *const model_warning_names[WARNINGS];

/* How the times on cores were measured, in words. All functions below that take buf return it. */

#define SCHED_TEXT     256
#define SCHED_SENTENCE (2 * SCHED_TEXT + 64)

/* Whether the session can have slices. */
bool sched_wanted(const struct model *model);

/*
 * The source of slices, its resolution, and the number of lost records: "kernel records, exact, 0
 * lost". run NULL: for all counted runs. "": there is no source. An unknown value is "?". If the
 * source saw less than half of an ended run's slices: "the workers' clock shows 24 of 5,006
 * slices".
 */
char *sched_source(const struct model *model, const struct model_run *run, char *buf, size_t size);
/*
 * How a run's tasks of commands were observed: "50 tasks by perf, 0 lost"; "" if they were not
 * observed.
 */
char *sched_tasks(const struct model *model, const struct model_run *run, char *buf, size_t size);
/*
 * A sentence, without its period, that says why wake-ups after a block are unknown, and how to
 * record them. "" if they are known, and in old recordings.
 */
char *sched_no_wakes(const struct model *model, char *buf, size_t size);
/*
 * A sentence that says why a session has no lanes although its source is on, and how to get lanes
 * or why they are not allowed. "" if the session has lanes. brief: in few words.
 */
char *sched_no_lanes(const struct model *model, bool brief, char *buf, size_t size);
/* The texts of the functions above in one sentence; "" for sessions without a source. */
char *sched_sentence(const struct model *model, char *buf, size_t size);

/* The gain from more cores, in words. */

enum { SPEEDUP_TEXT = 512 };

/*
 * "Speed-up from 1 to 2 cores: threads 1.90x (1.85 to 1.95), …"; "" if cores are not swept, or if
 * there are too many models for a sentence. Returns buf.
 */
char *speedup_line(const struct model *model, char *buf, size_t size);

/*
 * "threads: Amdahl's serial fraction is 2.1 % (1.8 to 2.4), …", or why the fraction is unknown.
 * Returns buf.
 */
char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size);

/*
 * The pairs of trials of a comparison on a logarithmic axis. Its middle is 1, so 2x and 0.5x are
 * equally far from the middle.
 */
struct pairs {
	/* Ratios a / b, as in the sentence. Empty if the two cases are from two recordings. */
	double *ratios;
	size_t n;
	/*
	 * The right end of the axis, a round number of at most 1000. The left end is its inverse.
	 */
	double bound;
};

/* Reads the pairs. Returns 0 or -ENOMEM. Call pairs_free() after an error, too. */
int pairs_read(struct pairs *pairs, const struct model *model,
	       const struct model_comparison *comparison);
void pairs_free(struct pairs *pairs);
