/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/names.h"
#include "base/units.h"
#include "core/fields.h"
#include "model/model.h"
#include "model/model_kind.h"

char *report_stopped(const struct model *model, char *buf, size_t size)
{
	const struct model_run *run = model_newest(model);

	buf[0] = '\0';
	if (run && model_ended(model, run) && run->totals.status == SAMPLE_INTERRUPTED)
		snprintf(buf, size, "Trial %u of %s was stopped before its end. It does not count.",
			 run->id.trial, MODEL_CASE_NAME(model, run->id.case_id));
	return buf;
}

/* Adds "Threads: pthread_create, clone." with the calls that create tasks of this kind. */
static void add_calls(struct sentence *s, const struct model *model, enum plan_task kind)
{
	struct sentence calls = SENTENCE(128);

	for (uint8_t call = PLAN_CALL + 1; call < PLAN_PRIMITIVES; call++) {
		bool used = false;

		for (uint32_t i = 0; i < model->n_cases; i++) {
			const struct plan *plan = &model->cases[i].plan;

			used |= plan->primitive == call && plan->task[0] == kind;
		}
		if (used)
			sentence_join(&calls, ", ", "%s", plan_primitive_names[call]);
	}
	if (calls.used)
		sentence_join(s, " ", "%s: %s.", kind == PLAN_THREAD ? "Threads" : "Processes",
			      calls.buf);
}

char *report_calls(const struct model *model, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);

	buf[0] = '\0';
	if (model_headline(model) != METRIC_TASK)
		return buf;
	add_calls(&s, model, PLAN_THREAD);
	add_calls(&s, model, PLAN_PROCESS);
	return buf;
}

const char *report_status(const struct model_run *run)
{
	enum sample_status status = run->totals.status;
	bool own = status == SAMPLE_OK || status == SAMPLE_CRASHED || status == SAMPLE_INTERRUPTED;

	return sample_status_name(own ? status : SAMPLE_FAILED);
}

const char *report_verdict(const struct model_comparison *c)
{
	static const char *const words[] = {
		[STATS_TOO_FEW] = "too few trials",
		[STATS_NONE] = "none",
		[STATS_A] = "a",
		[STATS_B] = "b",
		[STATS_UNPAIRED] = "untested",
	};

	if (c->no_ratio)
		return NULL;
	if (c->pairs == 0)
		return "untested";
	return words[c->verdict];
}

enum reason report_tasks_missed(const struct model *model, uint32_t case_id)
{
	if (strcmp(model->session.tasks_by, SAMPLE_TASKS_POLLING) == 0)
		return REASON_POLLED;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));)
		if (*model->session.tasks_by && run->totals.tasks_lost < 0)
			return REASON_MESSAGES_LOST;
	return REASON_NOT_KNOWN;
}

/*
 * Whether the workers of the case did not use their shared counter at the same time. The figures of
 * the counter are then invalid.
 */
static bool were_apart(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	bool apart = false;

	if (!metric_is(metric, METRIC_OF_STEPS))
		return false;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));)
		apart |= model_withheld(run);
	return apart;
}

static enum reason missed_of_two(const struct model *model, const struct model_comparison *c)
{
	const enum reason missed = report_tasks_missed(model, c->a);

	if (missed != REASON_NOT_KNOWN)
		return missed;
	return report_tasks_missed(model, c->b);
}

static bool report_is_cut(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	if (metric != METRIC_ELAPSED)
		return false;
	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.case_id == case_id && model->runs[i].totals.cut_ns > 0)
			return true;
	return false;
}

/* The reason given by the case's last run that lacks the value. */
static enum reason report_printed_reason(const struct model *model, uint32_t case_id)
{
	enum reason reason = REASON_NONE;

	for (size_t i = 0; i < model->n_runs; i++) {
		const int16_t of_run = model->runs[i].totals.printed_reason;

		if (model->runs[i].id.case_id == case_id && of_run > REASON_NONE &&
		    of_run < REASONS)
			reason = (enum reason)of_run;
	}
	return reason;
}

/* Why no parent noticed the faults of a case. */
static enum reason report_untold(const struct model *model, uint32_t case_id)
{
	struct model_fault fault;

	if (model_fault_read(model, case_id, &fault) || fault.trials == 0 || fault.noticed > 0)
		return REASON_NOT_KNOWN;
	if (fault.kind == FAULT_HANG || fault.kind == FAULT_OVERRUN)
		return REASON_NOT_KNOWN;
	return REASON_PARENT_ENDED;
}

enum reason report_missed(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	if (report_is_cut(model, case_id, metric))
		return REASON_CUT;
	if (metric == METRIC_PRINTED && report_printed_reason(model, case_id))
		return report_printed_reason(model, case_id);
	if (metric == METRIC_TASKS_CREATED)
		return report_tasks_missed(model, case_id);
	if (metric == METRIC_NOTICED)
		return report_untold(model, case_id);
	if (were_apart(model, case_id, metric))
		return REASON_NOT_TOGETHER;
	return REASON_NOT_KNOWN;
}

/* Whether there would have been enough trials if all their runs had succeeded. */
static bool lacks_failed_pairs(const struct model *model, const struct model_comparison *c)
{
	uint32_t trials, failed;

	if (c->pairs == 0 || c->pairs >= c->least)
		return false;
	failed = report_failed_pairs(model, c->a, c->b, &trials);
	return failed > 0 && c->pairs + failed >= trials && trials >= c->least;
}

enum reason report_reason(const struct model *model, const struct model_comparison *c)
{
	const enum reason unlike = model_unlike(model, c->a, c->b, c->metric);

	if (report_is_cut(model, c->a, c->metric) || report_is_cut(model, c->b, c->metric))
		return REASON_CUT;
	if (c->metric == METRIC_PRINTED && c->pairs == 0 && report_printed_reason(model, c->a))
		return report_printed_reason(model, c->a);
	if (c->metric == METRIC_PRINTED && c->pairs == 0 && report_printed_reason(model, c->b))
		return report_printed_reason(model, c->b);
	if (c->left)
		return REASON_LEFT;
	if (unlike)
		return unlike;
	if (c->verdict == STATS_UNPAIRED)
		return REASON_APART;
	if (c->metric == METRIC_TASKS_CREATED && c->pairs == 0)
		return missed_of_two(model, c);
	if (c->pairs == 0 &&
	    (were_apart(model, c->a, c->metric) || were_apart(model, c->b, c->metric)))
		return REASON_NOT_TOGETHER;
	if (c->no_ratio)
		return REASON_ZERO;
	if (lacks_failed_pairs(model, c))
		return REASON_FAILED_PAIRS;
	if (c->pairs > 0)
		return REASON_FEW_TRIALS;
	return REASON_NO_PAIR;
}

const char *report_untested(const struct model *model, const struct model_comparison *c)
{
	const enum reason reason = report_reason(model, c);

	if (reason == REASON_FEW_TRIALS || reason == REASON_FAILED_PAIRS)
		return NULL;
	return reason_sentence(reason);
}

static int summarize_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
			    struct report_summary *out)
{
	double *values = malloc((model->n_runs + 1) * sizeof(*values));

	if (!values)
		return -ENOMEM;
	*out = (struct report_summary) {
		.median = {NAN, NAN, NAN}, .mean = NAN, .least = NAN, .most = NAN};
	out->n = model_trials(model, case_id, metric, values, NULL, model->n_runs);
	if (out->n > 0) {
		/* This also sorts the values. */
		out->median = stats_median_interval(values, out->n);
		out->mean = 0;
		for (size_t i = 0; i < out->n; i++)
			out->mean += values[i] / (double)out->n;
		out->least = values[0];
		out->most = values[out->n - 1];
	}
	free(values);
	return 0;
}

int report_summarize(const struct model *model, uint32_t case_id, enum model_metric metric,
		     struct report_summary *out)
{
	enum model_metric rest = metric == METRIC_USER ? METRIC_SYSTEM : METRIC_USER;
	struct report_summary cpu, other;
	double sum;
	int err = summarize_trials(model, case_id, metric, out);

	if (err || (metric != METRIC_USER && metric != METRIC_SYSTEM))
		return err;
	err = summarize_trials(model, case_id, METRIC_CPU, &cpu);
	if (!err)
		err = summarize_trials(model, case_id, rest, &other);
	if (err)
		return err;
	/*
	 * If fewer than three quarters of the trials have these values, leave them out: only the
	 * long trials have them, and those may not represent all trials.
	 */
	if (4 * out->n < 3 * cpu.n)
		*out = (struct report_summary) {
			.median = {NAN, NAN, NAN}, .mean = NAN, .least = NAN, .most = NAN};
	/*
	 * The median of a sum is not the sum of the medians, so scale both medians: see struct
	 * model_parts.
	 */
	sum = out->median.estimate + other.median.estimate;
	if (sum > 0 && cpu.median.estimate > 0)
		out->median.estimate *= cpu.median.estimate / sum;
	return 0;
}

bool report_range(const struct model *model, double *low, double *high)
{
	const enum model_metric headline = model_headline(model);
	const struct model_value *value;

	*low = INFINITY;
	*high = 0;
	for (uint32_t id = 0; id < model->n_cases; id++) {
		struct model_values values = model_values(model, id, headline);

		while ((value = model_values_next(&values))) {
			/* NaN is ignored, because fmin() returns the other argument. */
			*low = fmin(*low, value->value);
			*high = fmax(*high, value->value);
		}
	}
	return *high > 0;
}

static void add_machine_part(struct sentence *s, const char *name, const char *part)
{
	if (*part)
		sentence_join(s, ", ", "%s%s", name, part);
}

char *report_cores(char *buf, size_t size, const struct machine *machine)
{
	buf[0] = '\0';
	if (machine_quota(machine) >= 0)
		snprintf(buf, size, "%.3g of %d cores (quota)", machine->cpu_quota,
			 machine->cores_online);
	else if (machine->cores_allowed >= 0)
		snprintf(buf, size, "%d of %d cores", machine->cores_allowed,
			 machine->cores_online);
	return buf;
}

char *report_machine(char *buf, size_t size, const struct machine *machine)
{
	struct sentence s = sentence_in(buf, size);
	char cores[64];

	add_machine_part(&s, "", machine->host);
	add_machine_part(&s, "", machine->cpu);
	if (machine_quota(machine) >= 0)
		add_machine_part(&s, "", report_cores(cores, sizeof(cores), machine));
	else if (machine->cores_online > 0)
		sentence_join(&s, ", ", "%d core%s", machine->cores_online,
			      sentence_plural(machine->cores_online));
	if (machine->memory_kb >= 0)
		add_machine_part(&s, "", UNITS_KIB(machine->memory_kb));
	if (strcmp(machine->virtualization, "none") != 0)
		add_machine_part(&s, "", machine->virtualization);
	add_machine_part(&s, "Linux ", machine->kernel);
	return buf;
}

bool report_system(const struct sample_session *session, char *buf, size_t size)
{
	const struct machine *machine = &session->machine;
	struct sentence s = sentence_in(buf, size);

	add_machine_part(&s, "", machine->distribution);
	add_machine_part(&s, "", *machine->distribution ? machine->libc : "");
	add_machine_part(&s, "files on ", machine->filesystem);
	add_machine_part(&s, "caches ", machine->caches);
	add_machine_part(&s, "SMT ", machine->smt);
	add_machine_part(&s, "CPU flaws ", machine->mitigations);
	if (*session->compiler)
		sentence_join(&s, "; ", "built by %s", session->compiler);
	if (*session->commit)
		sentence_add(&s, " at commit %s", session->commit);
	return s.used > 0;
}

char *report_date(int64_t wall_s, bool exact, char buf[REPORT_WALL])
{
	time_t seconds = (time_t)wall_s;
	struct tm tm;
	size_t n = 0;

	if (wall_s > 0 && gmtime_r(&seconds, &tm)) {
		if (exact)
			n = strftime(buf, REPORT_WALL, "%Y-%m-%dT%H:%M:%SZ", &tm);
		else
			n = strftime(buf, REPORT_WALL, "%Y-%m-%d %H:%M UTC", &tm);
	}
	buf[n] = '\0';
	return buf;
}

char *report_wall(int64_t wall_ns, char buf[REPORT_WALL])
{
	size_t n = strlen(report_date(wall_ns / 1000000000, true, buf));

	if (n > 0)
		snprintf(buf + n - 1, REPORT_WALL - n + 1, ".%03dZ",
			 (int)(wall_ns / 1000000 % 1000));
	return buf;
}

void report_items(struct sentence *s, const char *items)
{
	char item[SAMPLE_TEXT];

	for (const char *comma = ""; names_next_item(&items, item, sizeof(item)); comma = ", ")
		sentence_add(s, "%s%s", comma, item);
}

bool report_environment(const struct sample_session *session, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);

	if (!*session->environment)
		return false;
	sentence_add(&s, "The runs had ");
	report_items(&s, session->environment);
	return true;
}

const char *report_no_interval(const struct model *model, uint32_t case_id, size_t n)
{
	bool measured = false;

	if (n > 0)
		return "six trials needed";
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));) {
		measured = true;
		if (model_withheld(run))
			return "withheld";
	}
	if (measured)
		return "not known";
	return "no trial yet";
}

bool report_next_pair(const struct model *model, uint32_t *a, uint32_t *b)
{
	while (model_next_two(model, a, b)) {
		const struct sample_case *config = &model->cases[*a], *two = &model->cases[*b];
		size_t length = strcspn(config->model, "@");

		/* Within a session, list only pairs that share its family-wise error rate. */
		if (model_origin(model, *a) == model_origin(model, *b)) {
			if (model_compares(model, *a, *b))
				return true;
			continue;
		}
		/* For joined recordings, list the same case of each: names equal up to the "@". */
		if (variables_equal(&config->variables, &two->variables) &&
		    mistakes_equal(&config->mistakes, &two->mistakes) &&
		    strcspn(two->model, "@") == length &&
		    strncmp(config->model, two->model, length) == 0)
			return true;
	}
	return false;
}

int report_remarks(const struct model *model,
		   void (*print)(FILE *out, bool warning, const char *text), FILE *out)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	int n = model_warnings(model, warnings);

	for (size_t i = 0; i < model->n_messages; i++) {
		const struct model_message *message = &model->messages[i];
		/*
		 * Skip earlier messages, which are about the machine. The message about --quick is
		 * the exception.
		 */
		bool late = model->n_runs > 0 && message->time_ns >= model->runs[0].begin_ns;

		if (message->severity == SAMPLE_INFO && message->time_ns <= model->now_ns &&
		    (late || message->kind == MESSAGE_QUICK))
			print(out, false, message->text);
	}
	for (int i = 0; i < n; i++)
		print(out, true, warnings[i].text);
	if (n < 0)
		return n;
	return 0;
}

int report_finish(FILE *out)
{
	/*
	 * After a failed write, write again to get the reason. The errno of the failed write is
	 * lost, but another write fails for the same reason.
	 */
	errno = 0;
	if (ferror(out) && fputc('\n', out) == EOF && errno)
		return -errno;
	if (fflush(out)) {
		if (errno)
			return -errno;
		return -EIO;
	}
	if (ferror(out))
		return -EIO;
	return 0;
}

double report_overhead_share(const struct model *model, enum model_metric metric)
{
	double used_ns = 0, span_ns = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		double value = metric_value(run, metric);

		if (!model_ended(model, run) || isnan(value) || run->end_ns <= run->begin_ns)
			continue;
		used_ns += value;
		span_ns += (double)(run->end_ns - run->begin_ns);
	}
	if (span_ns > 0)
		return used_ns / span_ns;
	return NAN;
}

bool report_is_plural(const char *name, size_t length)
{
	return (length == strlen("threads") && strncmp(name, "threads", length) == 0) ||
	       (length == strlen("processes") && strncmp(name, "processes", length) == 0);
}

bool report_name_is_plural(const char *name)
{
	return report_is_plural(name, strcspn(name, " "));
}

static void add_cost_share(struct sentence *text, const char *name, double share)
{
	if (!isnan(share))
		sentence_add(text, "; %s %s %%", name, UNITS_DECIMAL(share * 100, 2));
}

bool report_overhead(const struct model *model, char *buf, size_t size)
{
	double self = report_overhead_share(model, METRIC_SELF_CPU);
	double drain = report_overhead_share(model, METRIC_DRAIN_CPU);
	double terminal = NAN;
	struct sentence text = sentence_in(buf, size);
	char name[SAMPLE_TEXT];

	if (model->session.terminal[0])
		terminal = report_overhead_share(model, METRIC_TERMINAL_CPU);

	if (isnan(self))
		return false;
	sentence_add(&text, "during the runs, tuibench itself used %s %% of one core",
		     UNITS_DECIMAL(self * 100, 2));
	add_cost_share(&text,
		       model_serves(model) ? "the clients"
					   : "the task that empties the pipe of the hello workers",
		       drain);
	snprintf(name, sizeof(name), "the program at the terminal's other end, %s,",
		 model->session.terminal);
	add_cost_share(&text, name, terminal);
	return !isnan(drain) || !isnan(terminal);
}

/* A short name for the case's program. */
static const char *program_name(const struct sample_case *config)
{
	const struct variable *command = variables_find(&config->variables, "command");

	if (command)
		return command->value;
	return config->model;
}

const char *report_command(const struct model *model, uint32_t case_id, const char **name)
{
	const struct sample_case *config = &model->cases[case_id];
	bool several = false;

	*name = program_name(config);
	/*
	 * If there is only one program, cases are named by model, and the command is shown
	 * elsewhere.
	 */
	for (uint32_t i = 1; i < model->n_cases; i++)
		several |= strcmp(model->cases[i].command, model->cases[0].command) != 0;
	if (!several || !*config->command || strcmp(*name, config->command) == 0)
		return NULL;
	/* Joined recordings may have the same program twice. Show it once. */
	for (uint32_t i = 0; i < case_id; i++)
		if (strcmp(program_name(&model->cases[i]), *name) == 0 &&
		    strcmp(model->cases[i].command, config->command) == 0)
			return NULL;
	return config->command;
}

char *report_curve_name(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	const struct sample_case *config = &model->cases[case_id];
	const char *work = model_work(config);

	if (*work)
		snprintf(buf, size, "%s: %s", work, config->model);
	else
		snprintf(buf, size, "%s", config->model);
	return buf;
}

/* Rounds a value to two digits; if the range is in KiB, MiB … in that unit. */
static uint64_t round_crossing(double at, double high)
{
	double unit = 1, step = 1;

	if (high >= 1024 && fmod(high, 1024) == 0)
		while (at / unit >= 10 * 1024)
			unit *= 1024;
	while (at / unit / step >= 99.5)
		step *= 10;
	return (uint64_t)(round(at / unit / step) * step * unit);
}

char *report_crossing(const struct crossover *cross, char *buf, size_t size)
{
	char at[32];

	/* Show at most two digits, because straight lines between two values cannot say more. */
	if (cross->at < 9.95 && cross->at != round(cross->at))
		snprintf(at, sizeof(at), "%.1f", cross->at);
	else
		units_format_exact(at, sizeof(at), round_crossing(cross->at, cross->high));
	snprintf(buf, size, "%s (%s to %s)", at, UNITS_EXACT((uint64_t)cross->low),
		 UNITS_EXACT((uint64_t)cross->high));
	return buf;
}

int report_crossover(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	struct finding_crosses found;
	int err = finding_crosses(model, a, b, metric, &found);
	char text[96];

	for (size_t i = 0; i < found.n; i++)
		sentence_join(&s, "; ", "%s", report_crossing(&found.cross[i], text, sizeof(text)));
	if (found.n == 0 && found.pairs == 0)
		sentence_add(&s, "?");
	else if (found.n == 0 && found.decided == 0)
		sentence_add(&s, "too few trials");
	else if (found.n == 0)
		sentence_add(&s, "none found");
	return err;
}

int pairs_read(struct pairs *pairs, const struct model *model,
	       const struct model_comparison *comparison)
{
	static const double bounds[] = {1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2,   3,
					5,    10,   20,	  50,  100, 200, 500, 1000};
	int err = model_ratios(model, comparison, &pairs->ratios, &pairs->n);
	const double ends[] = {comparison->ratio.estimate, comparison->ratio.low,
			       comparison->ratio.high};
	double furthest = 0;
	size_t i = 0;

	for (size_t j = 0; j < pairs->n; j++)
		furthest = fmax(furthest, fabs(log(pairs->ratios[j])));
	for (size_t j = 0; j < LENGTH(ends); j++)
		furthest = fmax(furthest, fabs(log(ends[j]))); /* NaN is ignored. */
	while (i < LENGTH(bounds) - 1 && log(bounds[i]) < furthest * 1.02)
		i++;
	pairs->bound = bounds[i];
	return err;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->ratios);
	*pairs = (struct pairs) {.n = 0};
}

/* At most this many decimals are used to distinguish a ratio from 1. */
#define REPORT_MOST_DECIMALS 6

/*
 * Ratios below this get three digits, because sentences show the inverse, and two digits could make
 * it 5 % wrong.
 */
#define SMALL 0.01

/* Numbers of MANY or more have no decimals, numbers of SOME or more have one. */
#define MANY 19.5
#define SOME 1.495

static int decimals_of_times(double times)
{
	int decimals = 2;

	if (times == 1)
		return decimals;
	if (!(times < MANY))
		return 0;
	if (times >= SOME)
		return 1;
	/* Show two digits after the zeros. */
	if (times > 0 && times < 0.1)
		return MIN(1 - (int)floor(log10(times)), REPORT_MOST_DECIMALS) + (times < SMALL);
	while (decimals < REPORT_MOST_DECIMALS && fabs(times - 1) < 0.95 * pow(10, -decimals))
		decimals++;
	return decimals;
}

char *claim_times(char *buf, size_t size, double times)
{
	if (!isfinite(times))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%.*f", decimals_of_times(times), times);
	return buf;
}

/*
 * Formats the ends of a range. Each end has the decimals of claim_times(), but a high end below 10
 * has at least two decimals if the low end has more than the high end. If the texts would be equal,
 * both ends get up to two more decimals. If the texts are still equal, both ends become the low
 * end's figure.
 */
struct claim_ends claim_times_ends(double low, double high)
{
	int of_low = decimals_of_times(low), of_high = decimals_of_times(high);
	struct claim_ends ends = {"?", "?"};

	if (!isfinite(low) || !isfinite(high))
		return ends;
	if (high < 10 && of_high < of_low)
		of_high = 2;
	for (int more = 0; more <= 2; more++) {
		if (strcmp(ends.low, ends.high) != 0)
			break;
		snprintf(ends.low, sizeof(ends.low), "%.*f", of_low + more, low);
		snprintf(ends.high, sizeof(ends.high), "%.*f", of_high + more, high);
	}
	if (strcmp(ends.low, ends.high) == 0) {
		claim_times(ends.low, sizeof(ends.low), low);
		claim_times(ends.high, sizeof(ends.high), low);
	}
	return ends;
}

char *claim_times_interval(char *buf, size_t size, double low, double high)
{
	struct claim_ends ends = claim_times_ends(low, high);

	snprintf(buf, size, "%s to %s", ends.low, ends.high);
	return buf;
}

/*
 * Writes a level in % with two decimals, or with four if it is very near to 1. Rounds down, so that
 * no text claims more than the level.
 */
char *claim_level(char *buf, size_t size, double level)
{
	double scale = level > 0.9999 ? 1e6 : 1e4;

	if (isnan(level))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%.8g %%", floor(level * scale + 1e-6) / (scale / 100));
	return buf;
}

char *claim_excluded(char *buf, size_t size, double ratio)
{
	double percent = 100 * (ratio - 1);

	if (ratio >= 2)
		snprintf(buf, size, "%.1fx", ceil(10 * ratio - 1e-9) / 10);
	else if (percent < 9.9)
		snprintf(buf, size, "%.1f %%", fmax(ceil(10 * percent - 1e-9) / 10, 0.1));
	else
		snprintf(buf, size, "%.0f %%", ceil(percent - 1e-9));
	return buf;
}

char *claim_apart(char *buf, size_t size, double ratio)
{
	snprintf(buf, size,
		 ratio >= CLAIM_NOISY ? "not decided (up to %s apart)" : "at most %s apart",
		 CLAIM_EXCLUDED(ratio));
	return buf;
}

char *claim_none(const struct model *model, const struct model_comparison *comparison, char *buf,
		 size_t size)
{
	bool cut =
		comparison->ended || comparison->planned < comparison->least || model_over(model);

	if (comparison->left)
		snprintf(buf, size, "? (still running at the end)");
	else if (comparison->verdict == STATS_UNPAIRED)
		snprintf(buf, size, "%s", reason_sentence(REASON_APART));
	else if (comparison->no_ratio)
		snprintf(buf, size, "? (%s)", reason_sentence(REASON_ZERO));
	else if (comparison->verdict == STATS_NONE)
		claim_apart(buf, size, finding_excluded(&comparison->ratio));
	else if (cut && comparison->pairs == 0)
		snprintf(buf, size, "untested");
	else if (cut)
		snprintf(buf, size, "%s", reason_sentence(REASON_FEW_TRIALS));
	else
		snprintf(buf, size, "measuring, %u of %u", comparison->pairs, comparison->planned);
	return buf;
}

/* A program that runs for this long, ns, may never end. */
#define LONG_RUN_NS INT64_C(5000000000)

char *report_long_run(const struct model *model, char *buf, size_t size)
{
	const struct model_run *run = model_running(model);
	const struct sample_case *of;
	const char *name;

	buf[0] = '\0';
	if (!run || model->session.for_ns > 0 || model_elapsed(model, run) < LONG_RUN_NS)
		return buf;
	of = &model->cases[run->id.case_id];
	if (of->plan.leaves[WORK_PROGRAM] == 0 || model_latest_ended(model, run->id.case_id))
		return buf;
	name = MODEL_CASE_NAME(model, run->id.case_id);
	if (*of->command && model_same_program(model))
		name = of->command;
	snprintf(buf, size, "%s has run for more than 5 s; -s for=1s would end it after 1 s", name);
	return buf;
}

char *report_prediction(const struct model *model, char *buf, size_t size)
{
	*buf = '\0';
	if (*model->session.prediction)
		snprintf(buf, size, "Predicted before the session: \"%s\"",
			 model->session.prediction);
	return buf;
}

/*
 * The conditions that a reader must know to compare the numbers of two sessions. The command line
 * is not one of the conditions: --log, --label or a theme change no figure. Every option that
 * changes figures is in a condition, in the work of a case, or in a variable.
 */
static const struct condition {
	struct field field;
	bool kib;
	bool none; /* A missing number means "none", not "unknown". */
} report_conditions[] = {
	{FIELD("host", sample_session, machine.host)},
	{FIELD("cpu", sample_session, machine.cpu)},
	{FIELD("cores", sample_session, machine.cores_online)},
	{FIELD("allowed cores", sample_session, machine.cores_allowed)},
	{FIELD("cores' quota", sample_session, machine.cpu_quota), .none = true},
	{FIELD("SMT", sample_session, machine.smt)},
	{FIELD("caches", sample_session, machine.caches)},
	{FIELD("memory", sample_session, machine.memory_kb), .kib = true},
	{FIELD("memory's limit", sample_session, machine.memory_limit_kb), .kib = true,
	 .none = true},
	{FIELD("virtualization", sample_session, machine.virtualization)},
	{FIELD("governor", sample_session, machine.governor)},
	{FIELD("huge pages", sample_session, machine.hugepages)},
	{FIELD("CPU flaws", sample_session, machine.mitigations)},
	{FIELD("kernel", sample_session, machine.kernel)},
	{FIELD("distribution", sample_session, machine.distribution)},
	{FIELD("libc", sample_session, machine.libc)},
	{FIELD("TMPDIR's file system", sample_session, machine.filesystem)},
	{FIELD("tuibench", sample_session, version)},
	{FIELD("compiler", sample_session, compiler)},
	{FIELD("commit", sample_session, commit)},
	{FIELD("settings", sample_session, settings)},
};

static void add_difference(struct sentence *s, const char *name, const char *a, const char *b)
{
	sentence_add(s, "%s%s (%s and %s)", s->used ? ", " : "The recordings differ in ", name, a,
		     b);
}

/* The value of a condition as text; "" if unknown. */
static const char *condition_value(const struct condition *condition,
				   const struct sample_session *session, char *buf, size_t size)
{
	double number;

	if (condition->field.type == FIELD_TEXT)
		return (const char *)session + condition->field.offset;
	number = fields_number(&condition->field, session);
	if (isnan(number))
		snprintf(buf, size, "%s", condition->none ? "none" : "");
	else if (condition->kib)
		units_format_kib(buf, size, (int64_t)number);
	else
		snprintf(buf, size, "%.4g", number);
	return buf;
}

/*
 * Compares a condition. It does not differ if an old recording lacks the value, or if the
 * difference is too small for the shown figures, such as a few KiB of a machine's memory.
 */
static void compare_condition(struct sentence *s, const struct model *model,
			      const struct condition *condition)
{
	const struct sample_session *first = &model->origins[0].session;
	const struct sample_session *second = &model->origins[1].session;
	char first_text[32], second_text[32];
	const char *a = condition_value(condition, first, first_text, sizeof(first_text));
	const char *b = condition_value(condition, second, second_text, sizeof(second_text));

	if (!fields_same(&condition->field, first, second) && *a && *b && strcmp(a, b) != 0)
		add_difference(s, condition->field.name, a, b);
}

/* Copies the value of an item of "nice=0;stack=8M"; "not set" if it is missing. */
static const char *item_of(const char *environment, const char *name, char item[SAMPLE_TEXT])
{
	size_t length = strlen(name);

	while (names_next_item(&environment, item, SAMPLE_TEXT))
		if (strncmp(item, name, length) == 0 && item[length] == '=')
			return item + length + 1;
	return "not set";
}

/*
 * Lists the items of the environment `of` whose values in a and b differ, or that a or b lacks.
 * lacks: only items that a lacks.
 */
static void compare_items(struct sentence *s, const char *of, const char *a, const char *b,
			  bool lacks)
{
	char name[SAMPLE_TEXT], x[SAMPLE_TEXT], y[SAMPLE_TEXT];
	const char *value, *other_value;

	while (names_next_item(&of, name, sizeof(name))) {
		char *equals = strchr(name, '=');

		if (!equals)
			continue;
		*equals = '\0';
		/*
		 * The directory of the files matters only for its file system, which is an item of
		 * its own.
		 */
		if (strcmp(name, "TMPDIR") == 0)
			continue;
		value = item_of(a, name, x);
		other_value = item_of(b, name, y);
		if (strcmp(value, other_value) == 0 || (lacks && strcmp(value, "not set") != 0))
			continue;
		add_difference(s, name, value, other_value);
	}
}

static void compare_environments(struct sentence *s, const struct model *model)
{
	const char *a = model->origins[0].session.environment;
	const char *b = model->origins[1].session.environment;

	if (!*a || !*b)
		return;
	compare_items(s, a, a, b, false);
	compare_items(s, b, a, b, true);
}

/* Adds a difference if the same case does another amount of work in the other recording. */
static void compare_work(struct sentence *s, const struct model *model)
{
	const struct model_origin *first = &model->origins[0];

	for (uint32_t i = first->n_cases; i < model->n_cases; i++)
		for (uint32_t j = 0; j < first->n_cases; j++) {
			const struct sample_case *a = &model->cases[j], *b = &model->cases[i];
			size_t n = strcspn(a->model, "@");

			if (!variables_equal(&a->variables, &b->variables) ||
			    strncmp(a->model, b->model, n) != 0 || strcspn(b->model, "@") != n)
				continue;
			for (int kind = 0; kind < WORK_KINDS; kind++) {
				uint64_t x = a->work_size[kind], y = b->work_size[kind];
				char name[64];

				if (x == y || x == 0 || y == 0)
					continue;
				snprintf(name, sizeof(name), "the work of one %s worker",
					 plan_work_name((enum work_kind)kind));
				add_difference(s, name, UNITS_EXACT(x), UNITS_EXACT(y));
				return;
			}
		}
}

bool report_differences(const struct model *model, char *buf, size_t size)
{
	struct sentence sentence = sentence_in(buf, size);
	bool mistakes = false;

	if (model->n_origins == 0)
		return false;
	/* Report deliberate mistakes, because cases that differ in them are not compared. */
	for (uint32_t i = 1; i < model->n_cases; i++)
		mistakes |= !mistakes_equal(&model->cases[0].mistakes, &model->cases[i].mistakes);
	if (mistakes)
		sentence_add(&sentence, "The recordings differ in deliberate mistakes, so these "
					"configurations are not compared");
	for (size_t i = 0; i < LENGTH(report_conditions); i++)
		compare_condition(&sentence, model, &report_conditions[i]);
	compare_environments(&sentence, model);
	compare_work(&sentence, model);
	return sentence.used > 0;
}
