/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/error_line.h"
#include "base/units.h"
#include "check/check.h"
#include "core/sample.h"
#include "result/report.h"
#include "result/answer.h"

#define PROGRESS_NS INT64_C(200000000)

struct batch {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: nothing is recorded, or writing failed. */
	struct model model;
	struct patience patience;
	FILE *out, *err; /* standard output and standard error */
	int signal_fd;
	int signal;	     /* Signal that ended the session. 0: no signal. */
	uint64_t stop_by_ns; /* time after which a run that does not end is abandoned */
	bool failed;
	bool played;	 /* the input is a file, so an interrupted run can be repeated */
	bool unreadable; /* the file to replay is not a recording */
	bool over;	 /* the source gives no more samples */
	bool tty;	 /* standard error is a terminal, so the progress line is rewritten */
	bool quiet; /* the log goes to a pipe on standard output, so only failures are printed */
	bool reader_gone;      /* the reader of the log closed its end */
	bool told_run;	       /* The reason why the current run fails was already reported. */
	char why[SAMPLE_TEXT]; /* The reason of the newest failed run. */
	/* why_case: the case of that run. n_why: number of its failures for that reason. */
	uint32_t why_case, n_why;
	int shown;	  /* Width of the progress line that is now on the screen, in columns. */
	int64_t shown_ns; /* Time at which the progress line was written. */
	bool told_long;	  /* The user was told how to limit the time of a program. */
	uint64_t lost;	  /* number of samples that the model could not take */
};

static void clear_line(FILE *err, int *shown)
{
	if (*shown > 0)
		fprintf(err, "\r%*s\r", *shown, "");
	*shown = 0;
}

/*
 * Handles Ctrl-Z. Pauses the workers too, because time in which nobody observes them must not be
 * measured.
 */
static void stop_with_workers(struct source *source, FILE *err, int *shown)
{
	bool pauses = source && source->ops->control(source, SOURCE_PAUSE) == 0;

	clear_line(err, shown);
	suspend_here();
	if (pauses)
		source->ops->control(source, SOURCE_PAUSE);
}

/*
 * Prints a line on standard error. With `quiet`, prints only failures. `fails` also makes the exit
 * status 1.
 */
__attribute__((format(printf, 3, 4))) static void print_line(struct batch *batch, bool fails,
							     const char *format, ...)
{
	char buf[ERROR_LINE_ROOM], *line;
	va_list args;

	batch->failed |= fails;
	if (batch->quiet && !fails)
		return;
	clear_line(batch->err, &batch->shown);
	va_start(args, format);
	line = error_line_text(buf, sizeof(buf), format, args);
	va_end(args);
	fprintf(batch->err, "tuibench: %s\n", line);
	if (line != buf)
		free(line);
}

/* Appends a run's name: "processes, trial 3 of 6". */
static void add_run_name(struct sentence *line, const struct model *model,
			 const struct sample_run *id)
{
	char name[SAMPLE_NAME];

	sentence_add(line, "%s, ", model_case_name(model, id->case_id, name, sizeof(name)));
	if (id->trial == 0)
		sentence_add(line, "warm-up");
	else
		sentence_add(line, "trial %u", id->trial);
	if (id->trial > 0 && id->trial <= model->session.trials)
		sentence_add(line, " of %u", model->session.trials);
}

/* Appends ", about 9 s left", or nothing if the time is unknown or over. */
static void add_time_left(struct sentence *line, const struct batch *batch)
{
	int64_t left = model_time_left(&batch->model);

	if (left > 0 && !batch->played)
		sentence_add(line, ", about %s left", UNITS_TIME(left, true));
}

static void show_progress(struct batch *batch)
{
	const struct model *model = &batch->model;
	const struct model_run *run = model_running(model);
	char text[512];
	struct sentence line = sentence_in(text, sizeof(text));
	struct winsize size;
	int n, width = 79;

	if (!batch->tty || batch->quiet || !run)
		return;
	sentence_add(&line, "tuibench: ");
	add_run_name(&line, model, &run->id);
	if (model_elapsed(model, run) >= PROGRESS_NS)
		sentence_add(&line, ", %s", UNITS_TIME(model_elapsed(model, run), true));
	add_time_left(&line, batch);
	/* A line that is wider than the terminal would wrap, and could not be rewritten. */
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		width = size.ws_col - 1;
	n = MIN((int)line.used, width);
	fprintf(batch->err, "\r%.*s%*s", n, text, batch->shown > n ? batch->shown - n : 0, "");
	fflush(batch->err);
	batch->shown = n;
	batch->shown_ns = model->newest_ns;
}

/* Says once which program has not ended yet, and which setting limits its time. */
static void tell_long_run(struct batch *batch)
{
	char text[SAMPLE_TEXT];

	if (batch->told_long || batch->played)
		return;
	if (!*report_long_run(&batch->model, text, sizeof(text)))
		return;
	batch->told_long = true;
	print_line(batch, false, "%s", text);
}

/*
 * Adds why a run failed. If the last failed run had the same configuration and the same reason,
 * adds only how often this has happened.
 */
static void add_run_reason(struct sentence *line, struct batch *batch, const struct sample *sample)
{
	const char *why = sample->end.totals.reason;

	if (!*why)
		return;
	if (sample->run.case_id != batch->why_case || strcmp(why, batch->why) != 0)
		batch->n_why = 0;
	batch->why_case = sample->run.case_id;
	snprintf(batch->why, sizeof(batch->why), "%s", why);
	if (++batch->n_why > 1)
		sentence_add(line, " again (%u times so far)", batch->n_why);
	else
		sentence_add(line, ": %s", why);
}

/*
 * Reports the end of a run, except: a failed run whose reason has been reported already, a good run
 * on a terminal, which has a progress line, and a good run of a recording.
 */
static void tell_end(struct batch *batch, const struct sample *sample)
{
	const struct sample_totals *totals = &sample->end.totals;
	bool good = totals->status == SAMPLE_OK;
	bool stopped = totals->status == SAMPLE_INTERRUPTED && batch->signal;
	const struct model_run *run = model_newest(&batch->model);
	char text[SAMPLE_LABEL * 3 + SAMPLE_TEXT];
	struct sentence line = sentence_in(text, sizeof(text));
	uint64_t exit_status = 0;

	batch->failed |= !good && !stopped;
	if ((good && (batch->tty || batch->played)) || (!good && batch->told_run))
		return;
	batch->told_run = !good;
	add_run_name(&line, &batch->model, &sample->run);
	if (good)
		sentence_add(&line, ": %s", UNITS_TIME(totals->elapsed_ns, true));
	/*
	 * A failing program does not make a warm-up fail, because it may lack input that it has in
	 * trials.
	 */
	if (run && good && sample->run.trial == 0)
		exit_status = report_exit_status(&batch->model, run);
	if (exit_status > 0)
		sentence_add(&line, ", exit status %" PRIu64, exit_status);
	if (good)
		add_time_left(&line, batch);
	else if (stopped)
		sentence_add(&line, ": interrupted");
	else
		sentence_add(&line, ": %s", sample_status_name((enum sample_status)totals->status));
	if (!good && !stopped)
		add_run_reason(&line, batch, sample);
	print_line(batch, false, "%s", text);
}

static int keep_batch_sample(void *arg, const struct sample *sample)
{
	struct batch *batch = arg;
	const struct sample_message *message = &sample->message;
	int err = model_apply(&batch->model, sample);
	int log_err = batch->log ? recordings_write(batch->log, &batch->model, sample) : 0;

	if (err && batch->lost++ == 0)
		print_line(batch, true, "a sample was lost: %s", strerror(-err));
	if (log_err) {
		DEBUG(batch->options->debug, "log", "%s", strerror(-log_err));
		batch->log = NULL;
		batch->reader_gone = log_err == -EPIPE && batch->quiet;
		/*
		 * Do not report here that a pipe is not read: the gap in the log lasts until the
		 * session's end, and close_recording() reports it.
		 */
		if (!batch->reader_gone && !patience_unread(log_err))
			print_line(batch, true,
				   "cannot write the recording: %s; the run continues without it",
				   log_strerror(log_err));
	}
	switch (sample->kind) {
	case SAMPLE_SESSION:
		batch->over = err != 0;
		break;
	case SAMPLE_RUN_BEGIN:
		batch->told_run = false;
		break;
	case SAMPLE_RUN_END:
		if (batch->options->replay)
			model_store(&batch->model, MODEL_SHOWN);
		else
			model_keep(&batch->model, MODEL_KEPT);
		tell_end(batch, sample);
		if (options_stop_early(batch->options) && answer_is_final(&batch->model))
			batch->source->ops->control(batch->source, SOURCE_ENOUGH);
		break;
	case SAMPLE_MESSAGE:
		batch->failed |= message->severity == SAMPLE_ERROR;
		if (message->kind == MESSAGE_RUN && batch->told_run)
			break;
		batch->told_run |=
			message->kind == MESSAGE_RUN && message->severity == SAMPLE_ERROR;
		if (message->severity >= SAMPLE_WARNING || message->kind == MESSAGE_QUICK)
			print_line(batch, false, "%s", message->text);
		break;
	case SAMPLE_DONE:
		DEBUG(batch->options->debug, "app", "the session has ended");
		/*
		 * When a recording is played, continue, because trials that the user added with the
		 * key r may follow.
		 */
		batch->over = !batch->played;
		break;
	default:
		tell_long_run(batch);
		if (batch->model.newest_ns - batch->shown_ns >= PROGRESS_NS)
			show_progress(batch);
	}
	return batch->over;
}

static int take_batch_sample(void *arg, const struct sample *sample)
{
	struct batch *batch = arg;
	struct sample message;

	if (recordings_tell_limit(batch->log, &batch->model, batch->options, sample, &message))
		keep_batch_sample(batch, &message);
	return keep_batch_sample(batch, sample);
}

/*
 * Handles a signal. The first signal ends the run, and keeps all that was measured. A second signal
 * ends the program without waiting for the run. A second SIGHUP is ignored, because a closing
 * terminal and its shell send a SIGHUP each.
 */
static void end_by(struct batch *batch, int signal)
{
	if (signal == SIGHUP && batch->signal == SIGHUP)
		return;
	if (batch->signal)
		batch->over = true;
	DEBUG(batch->options->debug, "app", "signal %d", signal);
	batch->signal = signal;
	batch->stop_by_ns = clock_now_ns() + APP_STOP_MS * UINT64_C(1000000);
	batch->patience.most_ms = PATIENCE_LAST_MS;
	if (batch->source->ops->control(batch->source, SOURCE_STOP))
		batch->over = true;
}

/*
 * Reads all samples. Waits until the source has something before reading, because signals are
 * blocked during a read.
 */
static void read_until_over(struct batch *batch)
{
	struct source *source = batch->source;
	struct pollfd fds[] = {
		{.events = POLLIN},
		{.fd = batch->signal_fd, .events = POLLIN},
	};
	char text[SAMPLE_TEXT];
	int err, number;

	while (!batch->over && (fds[0].fd = source->ops->fd(source)) >= 0) {
		if (poll(fds, 2, batch->signal ? 100 : -1) < 0) {
			if (errno == EINTR)
				continue;
			print_line(batch, true, "poll: %s", strerror(errno));
			return;
		}
		if (fds[1].revents)
			number = signals_take(batch->signal_fd);
		else
			number = 0;
		if (number == SIGTSTP)
			stop_with_workers(source, batch->err, &batch->shown);
		else if (number)
			end_by(batch, number);
		if (batch->signal && !batch->over && clock_now_ns() >= batch->stop_by_ns) {
			print_line(batch, true,
				   "the run did not end within %d s; tuibench exits without "
				   "waiting for it",
				   APP_STOP_MS / 1000);
			batch->over = true;
		}
		if (!fds[0].revents || batch->over)
			continue;
		err = source->ops->pump(source, take_batch_sample, batch);
		/* End like any program that writes to a pipe without a reader. */
		if (batch->reader_gone && batch->signal != SIGPIPE)
			end_by(batch, SIGPIPE);
		if (err < 0) {
			DEBUG(batch->options->debug, "source", "broken: %s", source_strerror(err));
			print_line(batch, true, "%s",
				   source_broken(source, err, text, sizeof(text)));
			batch->unreadable = batch->options->replay;
			batch->over = true;
		}
	}
}

/*
 * Takes a signal that arrived while the result was written. The signal may have ended the writing.
 */
static void take_late_signal(struct batch *batch)
{
	int number;

	while (!batch->signal && (number = signals_take(batch->signal_fd))) {
		if (number == SIGTSTP)
			batch->signal = 0;
		else
			batch->signal = number;
	}
}

/* Ends the program if a signal has waited too long for a result. */
static void end_while_writing(void *arg, int number)
{
	struct batch *batch = arg;

	if (batch->log)
		log_flush(batch->log);
	_exit(128 + number);
}

static void write_batch_result(struct batch *batch)
{
	struct patience_limit limit;
	const char *log = batch->options->log;
	bool taken = log && strcmp(log, "-") == 0;
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	int err, n = 0;

	clear_line(batch->err, &batch->shown);
	if (!batch->model.has_session || batch->quiet || (batch->signal && batch->played))
		return;
	patience_limit_begin(&limit, end_while_writing, batch);
	err = batch->options->format->write(&batch->model, taken ? batch->err : batch->out);
	patience_limit_end(&limit);
	take_late_signal(batch);
	if (err && !(err == -EINTR && batch->signal))
		print_line(batch, true, "the result could not be written: %s", strerror(-err));
	/* CSV has no place for warnings; the other formats include them. */
	if (batch->options->format->write == write_csv)
		n = model_warnings(&batch->model, warnings);
	for (int i = 0; i < n; i++)
		print_line(batch, false, "warning: %s", warnings[i].text);
}

/* The handled signals. All of them except SIGTSTP end the session. */
static const int heeded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

int batch_run(const struct options *options, struct source *source, struct log_writer *log)
{
	struct batch batch = {
		.options = options,
		.source = source,
		.log = log,
		.tty = isatty(STDERR_FILENO),
		.played = options->replay && !options->follow,
		.shown_ns = -PROGRESS_NS,
	};
	const char *select = options->looks.select;
	struct stat st;
	int err;

	/*
	 * If standard output is a pipe, its reader gets the log, and may print to the same terminal
	 * as our standard error.
	 */
	batch.quiet = options->log && strcmp(options->log, "-") == 0 &&
		      fstat(STDOUT_FILENO, &st) == 0 &&
		      (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	/*
	 * Let both streams write with patience_write(), so that a signal can only cut off the end
	 * of the output.
	 */
	batch.patience.most_ms = -1;
	batch.patience.ends = patience_ends();
	batch.out = patience_stream(&batch.patience, STDOUT_FILENO, PATIENCE_RESULT);
	batch.err = patience_stream(&batch.patience, STDERR_FILENO, PATIENCE_LINES);
	if (batch.out && batch.err)
		err = 0;
	else
		err = -ENOMEM;
	if (err)
		batch.signal_fd = err;
	else
		batch.signal_fd = signals_open(heeded, LENGTH(heeded));
	if (batch.signal_fd < 0) {
		fprintf(stderr, "tuibench: signals: %s\n", strerror(-batch.signal_fd));
		batch.failed = true;
		goto out;
	}
	if (log)
		log_set_patience(log, &batch.patience);
	model_init(&batch.model);
	read_until_over(&batch);
	if (batch.lost > 1)
		print_line(&batch, true, "%" PRIu64 " samples were lost in all", batch.lost);
	write_batch_result(&batch);
	if (select && batch.model.has_session && !view_finds(&batch.model, select))
		print_line(&batch, false, "--select: no worker or task is called \"%s\"", select);
	/* Closing the log must not use batch.patience, which ends with this function. */
	if (batch.log) {
		log_flush(batch.log);
		log_set_patience(batch.log, NULL);
	}
	model_free(&batch.model);
out:
	if (batch.out)
		fclose(batch.out);
	if (batch.err)
		fclose(batch.err);
	if (batch.signal_fd >= 0) {
		take_late_signal(&batch);
		close(batch.signal_fd);
	}
	if (batch.signal)
		return 128 + batch.signal;
	if (batch.unreadable)
		return 2;
	if (batch.failed)
		return 1;
	return 0;
}

struct self_test {
	struct check_host host;
	int signal; /* Signal that ended the session. 0: no signal. */
	bool tty;   /* standard error is a terminal: one line that is rewritten */
	int shown;  /* Width of the progress line now on the screen. */
	uint64_t shown_ns;
	const char *what; /* name of the check that is running */
};

/*
 * Shows the progress. On a terminal, it is one line that is rewritten; otherwise, there is a line
 * for each check.
 */
static void show_check(struct check_host *host, const char *what, uint32_t run, uint32_t of)
{
	struct self_test *test = (struct self_test *)host;
	uint64_t now_ns = clock_now_ns();
	bool is_new = what != test->what;
	char runs[48] = "";

	if (!is_new && (!test->tty || now_ns - test->shown_ns < (uint64_t)PROGRESS_NS))
		return;
	test->what = what;
	test->shown_ns = now_ns;
	if (!test->tty) {
		fprintf(stderr, "tuibench: %s\n", what);
		return;
	}
	clear_line(stderr, &test->shown);
	if (of)
		snprintf(runs, sizeof(runs), ", run %u of %u", run, of);
	test->shown = fprintf(stderr, "tuibench: %s%s", what, runs);
	fflush(stderr);
}

static bool check_goes_on(struct check_host *host, struct source *source)
{
	struct self_test *test = (struct self_test *)host;
	const int number = signals_take(host->fd);

	if (number == SIGTSTP)
		stop_with_workers(source, stderr, &test->shown);
	else if (number)
		test->signal = number;
	return test->signal == 0;
}

/*
 * A number from an environment variable. NaN if the variable is not set, or has no number in the
 * range least … most.
 */
static double number_from(const char *name, double least, double most)
{
	const char *text = getenv(name);
	char *end;
	double number = text ? strtod(text, &end) : NAN;

	if (text && end != text && !*end && number >= least && number <= most)
		return number;
	return NAN;
}

int self_test_run(const struct options *options)
{
	struct self_test test = {
		.host = {.take = check_goes_on, .show = show_check},
		.tty = isatty(STDERR_FILENO),
	};
	/* Replaces the injected difference of 3 %, so that its row fails. */
	const double percent = number_from("TUIBENCH_SELF_TEST_PERCENT", 0, 100);
	/* Length of each run. Tests that do not examine the lengths use shorter runs. */
	const double run_ms = number_from("TUIBENCH_SELF_TEST_MS", 10, 1000);
	struct check_report report;
	int err;

	test.host.fd = signals_open(heeded, LENGTH(heeded));
	if (test.host.fd < 0) {
		fprintf(stderr, "tuibench: signals: %s\n", strerror(-test.host.fd));
		return 1;
	}
	check_init(&report);
	err = check_run(&report, &test.host, 1 + percent / 100, run_ms);
	clear_line(stderr, &test.shown);
	close(test.host.fd);
	if (test.signal)
		return 128 + test.signal;
	if (!err) {
		if (strcmp(options->format->name, "json") == 0)
			err = check_write_json(&report, stdout);
		else
			err = check_write_table(&report, stdout);
	}
	if (err)
		fprintf(stderr, "tuibench: the self-test cannot continue: %s\n", strerror(-err));
	return err || !check_passed(&report);
}
