/* SPDX-License-Identifier: MIT */
#include "batch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/debug.h"
#include "export/export.h"
#include "log/log.h"
#include "model/model.h"
#include "report/warning.h"
#include "signals.h"
#include "suspend.h"
#include "base/units.h"

/* Of session time, between two updates of the progress line. */
#define PROGRESS_NS INT64_C(200000000)

struct batch {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: none, or it has failed */
	struct model model;
	int signal_fd;
	int signal; /* that ended it; 0 */
	bool failed;
	bool over;	  /* nothing more comes */
	bool tty;	  /* standard error is a terminal: one line that is rewritten */
	bool quiet;	  /* somebody follows the log: only what it cannot hold is said here */
	bool left;	  /* and has left */
	int shown;	  /* columns of the progress line that stand there */
	int64_t shown_ns; /* when it was written */
};

static void clear_progress(struct batch *batch)
{
	if (batch->shown > 0)
		fprintf(stderr, "\r%*s\r", batch->shown, "");
	batch->shown = 0;
}

/* A line of its own on standard error. */
__attribute__((format(printf, 2, 0))) static void print_line(struct batch *batch,
							     const char *format, va_list args)
{
	clear_progress(batch);
	fputs("tuibench: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/* What the log has too. */
__attribute__((format(printf, 2, 3))) static void tell(struct batch *batch, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!batch->quiet)
		print_line(batch, format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void fail(struct batch *batch, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line(batch, format, args);
	va_end(args);
	batch->failed = true;
}

/* One line is what the terminal is wide: a longer one would wrap, and not be rewritten. */
static int line_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1
									       : 79;
}

/* "processes, trial 3 of 6" */
static void describe_run(const struct batch *batch, const struct sample_run *id, char *buf,
			 size_t size)
{
	const struct model *model = &batch->model;
	char name[SAMPLE_LABEL * 2];

	model_case_name(model, id->icase, name, sizeof(name));
	if (id->trial == 0)
		snprintf(buf, size, "%s, warm-up", name);
	else if (id->trial <= model->session.trials)
		snprintf(buf, size, "%s, trial %u of %u", name, id->trial, model->session.trials);
	else
		snprintf(buf, size, "%s, trial %u", name, id->trial);
}

/* ", about 9 s left"; nothing where nobody can say. */
static const char *describe_left(const struct batch *batch, char *buf, size_t size)
{
	int64_t left = model_time_left(&batch->model);

	buf[0] = '\0';
	if (left > 0)
		snprintf(buf, size, ", about %s left", UNITS_TIME(left, true));
	return buf;
}

/* ", 1.20 s"; nothing while there is nothing to say. */
static const char *describe_elapsed(const struct batch *batch, const struct model_run *run,
				    char *buf, size_t size)
{
	int64_t elapsed = model_elapsed(&batch->model, run);

	buf[0] = '\0';
	if (elapsed >= PROGRESS_NS)
		snprintf(buf, size, ", %s", UNITS_TIME(elapsed, true));
	return buf;
}

static void show_progress(struct batch *batch)
{
	const struct model_run *run = model_running(&batch->model);
	char what[SAMPLE_LABEL * 3], elapsed[64], left[64], line[512];
	int n, width;

	if (!batch->tty || batch->quiet || !run)
		return;
	describe_run(batch, &run->id, what, sizeof(what));
	n = snprintf(line, sizeof(line), "tuibench: %s%s%s", what,
		     describe_elapsed(batch, run, elapsed, sizeof(elapsed)),
		     describe_left(batch, left, sizeof(left)));
	width = line_width();
	n = n < width ? n : width;
	fprintf(stderr, "\r%.*s%*s", n, line, batch->shown > n ? batch->shown - n : 0, "");
	fflush(stderr);
	batch->shown = n;
	batch->shown_ns = batch->model.newest_ns;
}

/* A run that went wrong has its reason told; where no line is rewritten, every run has a line. */
static void tell_end(struct batch *batch, const struct sample *sample)
{
	const struct sample_totals *totals = &sample->end.totals;
	bool stopped = totals->status == SAMPLE_INTERRUPTED && batch->signal;
	char what[SAMPLE_LABEL * 3], left[64];

	describe_run(batch, &sample->run, what, sizeof(what));
	batch->failed |= totals->status != SAMPLE_OK && !stopped;
	if (stopped)
		tell(batch, "%s: interrupted", what);
	else if (totals->status != SAMPLE_OK)
		tell(batch, "%s: %s%s%s", what,
		     sample_status_name((enum sample_status)totals->status),
		     totals->reason[0] ? ": " : "", totals->reason);
	else if (!batch->tty)
		tell(batch, "%s: %s%s", what, UNITS_TIME(totals->elapsed_ns, true),
		     describe_left(batch, left, sizeof(left)));
}

static void tell_message(struct batch *batch, const struct sample *sample)
{
	if (sample->message.severity == SAMPLE_ERROR)
		batch->failed = true;
	if (sample->message.severity >= SAMPLE_WARNING)
		tell(batch, "%s", sample->message.text);
}

static void write_log(struct batch *batch, const struct sample *sample)
{
	int err = batch->log ? log_write(batch->log, sample) : 0;

	if (!err)
		return;
	DEBUG(batch->options->debug, "log", "%s", strerror(-err));
	batch->log = NULL;
	batch->left = err == -EPIPE && batch->quiet;
	if (!batch->left)
		fail(batch, "log: %s; the run goes on without it", strerror(-err));
}

static int take(void *arg, const struct sample *sample)
{
	struct batch *batch = arg;
	int err = model_apply(&batch->model, sample);

	if (err)
		fail(batch, "a sample was lost: %s", strerror(-err));
	write_log(batch, sample);
	switch (sample->kind) {
	case SAMPLE_RUN_END:
		tell_end(batch, sample);
		break;
	case SAMPLE_MESSAGE:
		tell_message(batch, sample);
		break;
	case SAMPLE_DONE:
		DEBUG(batch->options->debug, "app", "the source has ended");
		batch->over = true;
		break;
	default:
		if (batch->model.newest_ns - batch->shown_ns >= PROGRESS_NS)
			show_progress(batch);
	}
	return batch->over;
}

/* The first signal ends the run, with all that was measured; a second one does not wait for it. */
static void end_by(struct batch *batch, int signal)
{
	if (batch->signal)
		batch->over = true;
	DEBUG(batch->options->debug, "app", "signal %d", signal);
	batch->signal = signal;
	if (batch->source->ops->control(batch->source, SOURCE_STOP))
		batch->over = true;
}

static void take_all(struct batch *batch)
{
	int err = batch->source->ops->pump(batch->source, take, batch);

	/* as any program in a pipe that nobody reads any more */
	if (batch->left && batch->signal != SIGPIPE)
		end_by(batch, SIGPIPE);
	if (err < 0) {
		DEBUG(batch->options->debug, "source", "broken: %s", source_strerror(err));
		fail(batch, "the session cannot go on: %s", source_strerror(err));
		batch->over = true;
	}
}

/* The workers rest too: what they do unwatched is no measurement. */
static void suspend(struct batch *batch)
{
	bool pauses = batch->source->ops->control(batch->source, SOURCE_PAUSE) == 0;

	clear_progress(batch);
	suspend_here();
	if (pauses)
		batch->source->ops->control(batch->source, SOURCE_PAUSE);
}

static void take_signal(struct batch *batch)
{
	struct signalfd_siginfo info;

	if (read(batch->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGTSTP) {
		suspend(batch);
		return;
	}
	end_by(batch, (int)info.ssi_signo);
}

static int open_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

	return signals_open(numbers, sizeof(numbers) / sizeof(*numbers));
}

/* The source is read only when it has something: signals are blocked while a read waits. */
static void loop(struct batch *batch)
{
	struct pollfd fds[] = {
		{.events = POLLIN},
		{.fd = batch->signal_fd, .events = POLLIN},
	};

	while (!batch->over && (fds[0].fd = batch->source->ops->fd(batch->source)) >= 0) {
		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			fail(batch, "poll: %s", strerror(errno));
			return;
		}
		if (fds[1].revents)
			take_signal(batch);
		if (fds[0].revents && !batch->over)
			take_all(batch);
	}
}

/* Rows have no place for them, the other formats hold them. */
static void tell_warnings(struct batch *batch)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	char text[SAMPLE_TEXT];
	int n = batch->options->format->write == write_csv ? model_warnings(&batch->model, warnings)
							   : 0;

	for (int i = 0; i < n; i++)
		tell(batch, "warning: %s",
		     warning_text(&batch->model, &warnings[i], text, sizeof(text)));
}

static void write_result(struct batch *batch)
{
	const char *log = batch->options->log;
	bool taken = log && strcmp(log, "-") == 0;
	int err;

	clear_progress(batch);
	if (!batch->model.has_session || batch->quiet)
		return;
	err = batch->options->format->write(&batch->model, taken ? stderr : stdout);
	if (err)
		fail(batch, "the result could not be written: %s", strerror(-err));
	tell_warnings(batch);
}

/* Standard output is a pipe to whoever shows the log, perhaps on the terminal of our errors. */
static bool is_followed(const struct options *options)
{
	struct stat st;

	return options->log && strcmp(options->log, "-") == 0 && fstat(STDOUT_FILENO, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

int batch_run(const struct options *options, struct source *source, struct log_writer *log)
{
	struct batch batch = {
		.options = options,
		.source = source,
		.log = log,
		.tty = isatty(STDERR_FILENO),
		.quiet = is_followed(options),
		.shown_ns = -PROGRESS_NS,
	};

	batch.signal_fd = open_signals();
	if (batch.signal_fd < 0) {
		fail(&batch, "signals: %s", strerror(-batch.signal_fd));
		return 1;
	}
	model_init(&batch.model);
	loop(&batch);
	write_result(&batch);
	model_free(&batch.model);
	close(batch.signal_fd);
	if (batch.signal)
		return 128 + batch.signal;
	return batch.failed ? 1 : 0;
}
