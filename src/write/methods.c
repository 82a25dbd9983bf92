/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <inttypes.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "model/metric.h"
#include "result/report.h"

enum { TRIALS_NAMED = 8 };

/*
 * Adds "Trials 1, 2 were discarded …" if trials were replaced. paused: names the trials that
 * another program stopped. Otherwise, names the trials that other programs disturbed.
 */
static void add_discarded(struct sentence *s, const struct model *model, bool paused)
{
	uint32_t trials[TRIALS_NAMED], n = 0, last = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!model_is_replaced(model, run) || run->replaced_paused != paused ||
		    (n > 0 && run->id.trial == last))
			continue;
		last = run->id.trial;
		if (n < TRIALS_NAMED)
			trials[n] = last;
		n++;
	}
	if (n == 0)
		return;
	sentence_add(s, n == 1 ? " Trial" : " Trials");
	for (uint32_t i = 0; i < MIN(n, TRIALS_NAMED); i++)
		sentence_add(s, "%s %u", i > 0 ? "," : "", trials[i]);
	if (n > TRIALS_NAMED)
		sentence_add(s, " and %u more", n - TRIALS_NAMED);
	sentence_add(s, " %s discarded and repeated at the end, because ", n == 1 ? "was" : "were");
	if (paused)
		sentence_add(s, "another process stopped tuibench or its workers.");
	else
		sentence_add(s, "other programs used more than a fifth of the cores.");
	if (!paused && n >= SAMPLE_REPEATS_MOST)
		sentence_add(s, " After %d trials, no more are discarded.", SAMPLE_REPEATS_MOST);
}

/* Lists the discarded trials, and says how busy the machine was during the counted trials. */
static char *disturbances(const struct model *model, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	struct model_busy busy;

	*buf = '\0';
	add_discarded(&s, model, false);
	add_discarded(&s, model, true);
	if (!model_is_busy(model, &busy))
		return buf;
	sentence_add(&s, " During the counted trials,");
	if (busy.others > 0)
		sentence_add(&s, " other programs used %.0f %% of the cores", 100 * busy.others);
	if (busy.others > 0 && busy.steal > 0)
		sentence_add(&s, " and");
	if (busy.steal > 0)
		sentence_add(&s, " the host of this virtual machine stole %.0f %% of them",
			     100 * busy.steal);
	sentence_add(&s, ".");
	return buf;
}

/* The smallest number of counted trials of any case. */
static uint32_t counted_trials(const struct model *model)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t n = 0;

		for (const struct model_run *run = NULL;
		     (run = model_next_measured(model, run, i, 1));)
			n++;
		least = MIN(least, n);
	}
	if (model->n_cases > 0)
		return least;
	return 0;
}

/*
 * Writes how many trials were counted. If fewer trials were counted than planned, says why, because
 * a reader would otherwise think that the missing trials were discarded.
 */
static void write_counted(const struct model *model, FILE *out)
{
	const uint32_t planned = model->session.trials, counted = counted_trials(model);
	const bool fewer = model_over(model) && counted < planned;
	char text[1024];

	if (fewer && answer_is_known(model))
		fprintf(out,
			"The session stopped after %u of at most %u trials, because every headline "
			"metric was decided.",
			counted, planned);
	else if (fewer)
		fprintf(out, "When the session ended, %u of %u planned trials had been counted.",
			counted, planned);
	else
		fprintf(out, "%u of %u planned trials were counted.", counted, planned);
	fprintf(out, "%s%s\n\n", disturbances(model, text, sizeof(text)),
		model_over(model) ? "" : " The recording was cut off before the session ended.");
}

/*
 * The meanings of the headline metrics. The programs themselves name the numbers that they print.
 */
static const char *const term_meanings[METRICS] = {
	[METRIC_ELAPSED] = "from the first call that creates a worker to the last join",
	[METRIC_CPU] = "the CPU time of all workers, in user mode and in the kernel",
	[METRIC_MEMORY] = "the proportional set size (PSS) of all workers and the kernel's memory "
			  "for them",
	[METRIC_RSS] = "the resident set size, summed over all processes",
	[METRIC_CREATE] = "from the first call that creates a worker to the return of the last one",
	[METRIC_TASK] = "from the call that creates a task to the first instruction of the task",
	[METRIC_CALLER] = "from the call that creates a task to its return",
	[METRIC_JOINED] = "from the call that creates a task until the task is joined",
	[METRIC_OPERATION] = "the time in which a token goes from one worker to the other and back",
	[METRIC_STEP] = "the time of one operation of a worker that repeats it",
	[METRIC_REQUEST] = "the time from the first request to the last reply, divided by the "
			   "number of requests",
	[METRIC_REQUEST_P99] = "the latency that 99 % of the requests do not exceed",
	[METRIC_REQUEST_RATE] = "the number of requests answered per second",
	[METRIC_REQUEST_CPU] = "the CPU time of the server for each request, without its clients",
	[METRIC_MESSAGE_RATE] = "the number of messages received per second",
	[METRIC_SURVIVED] = "the number of workers that finished with a correct result",
	[METRIC_NOTICED] = "from the fault until the parent's wait returned",
	[METRIC_WRONG] = "the number of workers that finished with a wrong result",
	[METRIC_PER_SECOND] = "the number of tasks done per second",
	[METRIC_TASK_CREATE] = "the time to create one worker",
	[METRIC_TASKS_CREATED] =
		"the number of threads and processes of the command, including its first process",
};

/* The meaning of each kind of work: the words before and after its size. */
static const struct {
	const char *before, *after;
} work_meanings[WORK_KINDS] = {
	[WORK_CPU] = {"finds the divisors of the number ", ""},
	[WORK_IO] = {"copies a file of ", " bytes and compares both files"},
	[WORK_FP] = {"adds up ", " terms of the Leibniz series for pi"},
	[WORK_MEM] = {"walks an array of ", " bytes at random"},
	[WORK_WRITE] = {"writes a file of ", " bytes, syncs it and reads it back"},
	[WORK_HELLO] = {"prints ", " lines through stdio"},
	[WORK_SHARE] = {"adds to one counter; all workers together add ", " times"},
	[WORK_TOUCH] = {"writes to ", " % of the parent's ballast"},
	[WORK_TOKEN] = {"plays ping-pong with a token, for ", " round trips"},
	[WORK_MESSAGE] = {"sends or receives messages, ", " from each sender to each receiver"},
};

/*
 * The size of the work of a kind, "8648640", or the range of its sizes; "" if no worker has that
 * kind.
 */
static void work_sizes(const struct model *model, enum work_kind kind, char *buf, size_t size)
{
	uint64_t least = UINT64_MAX, most = 0;

	*buf = '\0';
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *config = &model->cases[i];

		if (config->plan.leaves[kind] == 0)
			continue;
		least = MIN(least, config->work_size[kind]);
		most = MAX(most, config->work_size[kind]);
	}
	/* Old recordings have no sizes. */
	if (most == 0)
		return;
	if (least == most)
		snprintf(buf, size, "%s", UNITS_COUNT(most));
	else
		snprintf(buf, size, "%s to %s", UNITS_COUNT(least), UNITS_COUNT(most));
}

/* Writes what the workers do, with the sizes of their work. */
static void write_work(const struct model *model, FILE *out)
{
	char sizes[64];

	for (int i = 0; i < WORK_KINDS; i++) {
		const enum work_kind kind = plan_work_order[i];

		work_sizes(model, kind, sizes, sizeof(sizes));
		if (*sizes && work_meanings[kind].before)
			fprintf(out, "%s worker: %s%s%s.\n", plan_work_name(kind),
				work_meanings[kind].before, sizes, work_meanings[kind].after);
	}
}

/* Writes the meanings of the words in the result. */
static int write_terms(const struct model *model, FILE *out)
{
	struct answer answer;
	int err = answer_read(&answer, model);
	bool pinned = false, creates = false;
	char text[256];

	fputs("\nTerms\n", out);
	for (uint32_t i = 0; i < answer.n_metrics; i++) {
		const enum model_metric metric = answer.metrics[i];

		if (term_meanings[metric])
			fprintf(out, "%s: %s.\n", answer_title(model, metric),
				term_meanings[metric]);
		creates |= metric == METRIC_TASK;
	}
	if (creates)
		fputs("All figures of creations, such as p99 and max, leave out each run's first "
		      "creation.\n",
		      out);
	write_work(model, out);
	if (*report_calls(model, text, sizeof(text)))
		fprintf(out, "%s\n", text);
	for (uint32_t i = 0; i < model->n_cases; i++)
		pinned |= model->cases[i].plan.placement == PLAN_PINNED;
	if (pinned)
		fputs("The parent and the tasks that are compared share one core.\n", out);
	answer_free(&answer);
	return err;
}

/*
 * Writes how the figures were obtained: two paragraphs to quote in a report, then terms and
 * details.
 */
int write_methods(const struct model *model, FILE *out)
{
	const struct sample_session *session = &model->session;
	char text[HEADLINE_BADGE + HEADLINE_TEXT], wall[REPORT_WALL], order[96];
	char warmups[64], speedup[SPEEDUP_TEXT];
	int err;

	if (session->seed < 0)
		snprintf(order, sizeof(order), "in an order that was not randomized");
	else
		snprintf(order, sizeof(order), "in randomized order (seed %" PRId64 ")",
			 session->seed);
	if (session->warmup == 0)
		snprintf(warmups, sizeof(warmups), "Without warm-ups");
	else
		snprintf(warmups, sizeof(warmups), "After %u warm-up%s of each configuration",
			 session->warmup, sentence_plural(session->warmup));
	fprintf(out, "The experiment \"%s\" (%s) was run with tuibench %s on %s, ",
		session->experiment, session->title, session->version,
		report_machine(text, sizeof(text), &session->machine));
	fprintf(out, "beginning at %s. The command was: %s. ",
		report_date(session->wall_s, false, wall), session->options);
	fprintf(out, "%s, each trial ran every configuration once, %s. ", warmups, order);
	write_counted(model, out);
	fprintf(out,
		"Configurations were compared pair by pair, a pair being two runs of one trial. A "
		"ratio is the Hodges-Lehmann estimate over all pairs, with the interval of "
		"Wilcoxon's signed-rank test. %s Two configurations are called the same if the "
		"whole interval lies within 5 %%. Result: ",
		REPORT_ERROR_RATE);
	fprintf(out, "%s.", headline_line(model, text, sizeof(text)));
	if (*speedup_line(model, speedup, sizeof(speedup)))
		fprintf(out, " %s", speedup);
	if (*report_prediction(model, text, sizeof(text)))
		fprintf(out, " %s.", text);
	fputc('\n', out);
	err = write_terms(model, out);
	fputs("\nDetails\n", out);
	if (report_system(session, text, sizeof(text)))
		fprintf(out, "%s.\n", text);
	if (report_environment(session, text, sizeof(text)))
		fprintf(out, "%s.\n", text);
	fputs("tuibench-statistics(7) explains the tests and names their sources.\n", out);
	return err;
}
