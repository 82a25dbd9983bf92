/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include "core/sample.h"
#include "stage/check.h"
#include "stage/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "write/export.h"

#define MS INT64_C(1000000)

/* A source that plays a list of samples. Before a sample it can do what the step requests. */
enum before {
	NOTHING,
	RAISE_TERM,
	RAISE_HUP,
	RAISE_TSTP,
	AWAIT_STOP,
	AWAIT_PAUSES,
	BREAK,
};

struct step {
	enum before before;
	struct sample sample;
};

struct script {
	struct source source;
	const struct step *steps;
	size_t n, at;
	int fd;		  /* always readable */
	unsigned *pauses; /* number of SOURCE_PAUSE commands; the test reads this too */
	size_t raised;	  /* index after the step that last raised a signal */
	bool stopped;
};

static int script_fd(struct source *source)
{
	const struct script *script = (const struct script *)source;

	return script->at < script->n ? script->fd : -1;
}

static int signal_before(const struct step *step)
{
	switch (step->before) {
	case RAISE_TERM:
		return SIGTERM;
	case RAISE_HUP:
		return SIGHUP;
	case RAISE_TSTP:
		return SIGTSTP;
	default:
		return 0;
	}
}

static int script_next(struct source *source, struct sample *sample)
{
	struct script *script = (struct script *)source;
	const struct step *step = &script->steps[script->at];

	if (script->at == script->n)
		return 0;
	if (step->before == BREAK)
		return -EIO;
	if (signal_before(step) && script->raised != script->at + 1) {
		script->raised = script->at + 1;
		raise(signal_before(step));
		return 0;
	}
	if (step->before == AWAIT_STOP && !script->stopped)
		return 0;
	if (step->before == AWAIT_PAUSES && *script->pauses < 2)
		return 0;
	*sample = step->sample;
	script->at++;
	return 1;
}

static int script_control(struct source *source, enum source_command command)
{
	struct script *script = (struct script *)source;

	script->stopped |= command == SOURCE_STOP;
	*script->pauses += command == SOURCE_PAUSE;
	if (command == SOURCE_ENOUGH)
		fprintf(stderr, "told: enough\n");
	return 0;
}

static void script_close(struct source *source)
{
	close(((struct script *)source)->fd);
}

static int script_pump(struct source *source, source_emit *take, void *arg)
{
	struct sample sample;
	int err = 0;

	while (!err && (err = script_next(source, &sample)) == 1)
		err = take(arg, &sample);
	return err;
}

static const struct source_ops script_ops = {
	.fd = script_fd,
	.pump = script_pump,
	.control = script_control,
	.close = script_close,
};

static const struct sample_case cases[] = {
	{.model = "threads", .plan = {.levels = 1, .fanout = {1}}},
};

static struct step session_step(void)
{
	struct step step = {.sample = {.kind = SAMPLE_SESSION}};

	step.sample.session = (struct sample_session) {
		.version = "0.1.0",
		.experiment = "mixed",
		.title = "1 cpu",
		.options = "tuibench",
		.trials = 2,
		.cases = 1,
		.cases_list = cases,
	};
	return step;
}

static struct step begin_step(uint32_t run)
{
	return (struct step) {.sample = {.kind = SAMPLE_RUN_BEGIN,
					 .time_ns = run * 3000 * MS,
					 .run = {.run = run, .trial = run + 1, .planned = 2}}};
}

static struct step end_step(uint32_t run, enum sample_status status, const char *reason)
{
	struct step step = begin_step(run);
	struct sample_totals *totals = &step.sample.end.totals;

	step.sample.kind = SAMPLE_RUN_END;
	step.sample.time_ns += 2000 * MS;
	step.sample.end.n_workers = 0;
	step.sample.end.workers = NULL;
	*totals = (struct sample_totals) {.status = (uint8_t)status,
					  .begin_ns = run * 3000 * MS,
					  .go_ns = -1,
					  .elapsed_ns = 2000 * MS,
					  .create_ns = MS,
					  .workers = 1,
					  .created = 1};
	snprintf(totals->reason, sizeof(totals->reason), "%s", reason);
	return step;
}

static struct step message_step(enum sample_severity severity, const char *text)
{
	struct step step = {.sample = {.kind = SAMPLE_MESSAGE}};

	step.sample.message.severity = severity;
	snprintf(step.sample.message.text, sizeof(step.sample.message.text), "%s", text);
	return step;
}

static const struct step done_step = {.sample = {.kind = SAMPLE_DONE, .time_ns = 6000 * MS}};

/* Result of a batch run. */
struct outcome {
	int status; /* exit status */
	char out[16384], err[16384];
};

static void read_all(FILE *file, char *buf, size_t size)
{
	size_t n;

	rewind(file);
	n = fread(buf, 1, size - 1, file);
	buf[n] = '\0';
}

/*
 * Runs batch_run() in a child process, because it blocks signals and writes to the standard files.
 * The child has a process group of its own, like a shell's job; otherwise it could not be stopped.
 */
static pid_t start(const struct options *options, const struct step *steps, size_t n, int out,
		   int err, unsigned *pauses)
{
	struct script script = {{&script_ops}, steps, n, 0, eventfd(1, 0), pauses, false, false};
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		setpgid(0, 0);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		status = batch_run(options, &script.source, NULL);
		fflush(NULL);
		_exit(status);
	}
	close(script.fd);
	return pid;
}

static void finish(pid_t pid, struct outcome *outcome)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	outcome->status = WEXITSTATUS(status);
}

static void run_to(const struct options *options, const struct step *steps, size_t n, int out,
		   int err, struct outcome *outcome)
{
	unsigned pauses = 0;

	finish(start(options, steps, n, out, err, &pauses), outcome);
}

static void run(const struct options *options, const struct step *steps, size_t n,
		struct outcome *outcome)
{
	FILE *out = tmpfile(), *err = tmpfile();

	assert_true(out && err);
	run_to(options, steps, n, fileno(out), fileno(err), outcome);
	read_all(out, outcome->out, sizeof(outcome->out));
	read_all(err, outcome->err, sizeof(outcome->err));
	fclose(out);
	fclose(err);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void a_good_session_ends_with_0_and_its_result(void **state)
{
	const struct step steps[] = {session_step(),
				     begin_step(0),
				     end_step(0, SAMPLE_OK, ""),
				     begin_step(1),
				     end_step(1, SAMPLE_OK, ""),
				     done_step};
	const struct options options = {.format = export_find("json")};
	struct outcome outcome;
	json_t *json;

	run(&options, steps, COUNT(steps), &outcome);
	assert_int_equal(outcome.status, 0);
	json = json_loads(outcome.out, 0, NULL);
	assert_non_null(json);
	assert_int_equal(json_array_size(json_object_get(json, "runs")), 2);
	json_decref(json);
	assert_non_null(strstr(outcome.err, "tuibench: threads, trial 1 of 2: 2.00 s"));
	assert_non_null(strstr(outcome.err, "tuibench: threads, trial 2 of 2: 2.00 s\n"));
	assert_null(strchr(outcome.err, '\r'));
	assert_null(strchr(outcome.err, '\033'));
}

/* A trial that was added after the session's end follows that end in the recording. */
static void a_recording_is_read_to_its_end(void **state)
{
	const struct step steps[] = {session_step(), begin_step(0), end_step(0, SAMPLE_OK, ""),
				     done_step,	     begin_step(1), end_step(1, SAMPLE_OK, ""),
				     done_step};
	struct options options = {.format = export_find("json"), .replay = true};
	struct outcome outcome;
	json_t *json;

	for (size_t i = 0; i < 2; i++) {
		options.follow = i == 1; /* a followed recording ends only with its session */
		run(&options, steps, COUNT(steps), &outcome);
		assert_int_equal(outcome.status, 0);
		assert_null(i == 0 ? strstr(outcome.err, " left") : NULL);
		json = json_loads(outcome.out, 0, NULL);
		assert_non_null(json);
		assert_int_equal(json_array_size(json_object_get(json, "runs")), i == 0 ? 2 : 1);
		json_decref(json);
	}
}

static void a_failed_run_is_reported_and_the_status_is_1(void **state)
{
	const struct step steps[] = {session_step(),
				     begin_step(0),
				     end_step(0, SAMPLE_CRASHED, "w1 cpu was ended by signal 11"),
				     begin_step(1),
				     end_step(1, SAMPLE_OK, ""),
				     done_step};
	const struct options options = {.format = export_find("report")};
	struct outcome outcome;

	run(&options, steps, COUNT(steps), &outcome);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.err, "tuibench: threads, trial 1 of 2: crashed: w1 cpu was "
					    "ended by signal 11\n"));
	assert_non_null(strstr(outcome.out, "1 of 2"));
}

static void warnings_are_printed_and_notes_are_not(void **state)
{
	const struct step steps[] = {session_step(), message_step(SAMPLE_INFO, "a note"),
				     message_step(SAMPLE_WARNING, "a warning"), done_step};
	const struct options options = {.format = export_find("table")};
	struct outcome outcome;

	run(&options, steps, COUNT(steps), &outcome);
	assert_int_equal(outcome.status, 0);
	assert_null(strstr(outcome.err, "a note"));
	assert_non_null(strstr(outcome.err, "tuibench: a warning\n"));
}

static struct step tick_step(int64_t time_ns)
{
	return (struct step) {.sample = {.kind = SAMPLE_TICK, .time_ns = time_ns}};
}

/* A program that does not end is named once, with the setting that limits its time. */
static void a_program_that_does_not_end_is_named_once(void **state)
{
	static const struct sample_case program[] = {
		{.model = "threads",
		 .command = "./hang",
		 .plan = {.levels = 1, .fanout = {1}, .leaves[WORK_PROGRAM] = 1}},
	};
	struct step steps[] = {session_step(),	     begin_step(0),	    tick_step(4900 * MS),
			       tick_step(5100 * MS), tick_step(11000 * MS), done_step};
	const struct options options = {.format = export_find("table")};
	static const char told[] = "tuibench: ./hang has run for more than 5 s; -s for=1s would "
				   "end it after 1 s\n";
	struct outcome outcome;

	steps[0].sample.session.cases_list = program;
	run(&options, steps, COUNT(steps), &outcome);
	if (!strstr(outcome.err, told))
		fail_msg("%s", outcome.err);
	assert_null(strstr(strstr(outcome.err, told) + sizeof(told) - 1, "has run for"));
	steps[0].sample.session.for_ns = 20000 * MS;
	run(&options, steps, COUNT(steps), &outcome);
	assert_null(strstr(outcome.err, "has run for"));
}

enum { PLANNED = 15 };

/*
 * Makes the steps of a session of two cases that has ended after these trials. Returns their
 * number.
 */
static size_t two_cases(struct step *steps, const struct sample_case both[2], uint32_t trials)
{
	size_t n = 0;

	steps[n] = session_step();
	steps[n].sample.session.cases = 2;
	steps[n].sample.session.cases_list = both;
	steps[n++].sample.session.trials = PLANNED;
	for (uint32_t run = 0; run < 2 * trials; run++) {
		struct step *begin = &steps[n++], *end = &steps[n++];

		*begin = begin_step(run);
		*end = end_step(run, SAMPLE_OK, "");
		begin->sample.run.case_id = end->sample.run.case_id = run % 2;
		begin->sample.run.trial = end->sample.run.trial = run / 2 + 1;
		begin->sample.run.planned = end->sample.run.planned = 2 * PLANNED;
		end->sample.end.totals.elapsed_ns = (run % 2 ? 1900 : 900) * MS + run * MS;
	}
	steps[n] = done_step;
	steps[n++].sample.time_ns = 2 * trials * 3000 * MS;
	return n;
}

/* A command that always fails would keep an audience waiting until the planned end. */
static void a_session_ends_early_if_a_command_failed_in_three_trials(void **state)
{
	static const struct sample_case two[] = {
		{.model = "threads", .command = "false", .plan = {.levels = 1, .fanout = {1}}},
		{.model = "threads", .command = "true", .plan = {.levels = 1, .fanout = {1}}},
	};
	const struct options options = {.format = export_find("json")};

	/* Two failures may be a coincidence. */
	for (uint32_t trials = 2; trials <= 3; trials++) {
		struct step steps[2 + 4 * 3];
		const size_t n = two_cases(steps, two, trials);
		struct outcome outcome;

		for (size_t i = 2; i < n; i += 4) {
			steps[i].sample.end.totals.status = SAMPLE_CRASHED;
			steps[i].sample.end.totals.elapsed_ns = 0;
		}
		run(&options, steps, n, &outcome);
		assert_int_equal(strstr(outcome.err, "told: enough") != NULL, trials == 3);
	}
	(void)state;
}

/*
 * In a session without -n, the answer is computed after each trial, because it may end the session.
 * With -n, the answer could end nothing, so it is not computed.
 */
static void only_a_session_without_n_is_told_that_its_answer_is_known(void **state)
{
	static const struct sample_case two[] = {
		{.model = "threads", .plan = {.levels = 1, .fanout = {1}}},
		{.model = "processes",
		 .plan = {.levels = 1, .task = {PLAN_PROCESS}, .fanout = {1}}},
	};
	struct step steps[2 + 4 * PLANNED];
	struct options options = {.format = export_find("json")};
	const size_t n = two_cases(steps, two, PLANNED);
	struct outcome outcome;

	(void)state;
	run(&options, steps, n, &outcome);
	assert_non_null(strstr(outcome.err, "told: enough"));
	options.request.trials = PLANNED;
	run(&options, steps, n, &outcome);
	assert_null(strstr(outcome.err, "told: enough"));
	options.request.trials = 0;
	options.replay = true;
	run(&options, steps, n, &outcome);
	assert_null(strstr(outcome.err, "told: enough"));
}

static void a_signal_stops_the_run_and_keeps_what_was_measured(void **state)
{
	struct step stopped = end_step(1, SAMPLE_INTERRUPTED, "");
	const struct options options = {.format = export_find("csv")};
	struct outcome outcome;
	struct step second = begin_step(1);

	second.before = RAISE_TERM;
	stopped.before = AWAIT_STOP;
	{
		const struct step steps[] = {
			session_step(), begin_step(0), end_step(0, SAMPLE_OK, ""),
			second,		stopped,       done_step};

		run(&options, steps, COUNT(steps), &outcome);
	}
	assert_int_equal(outcome.status, 128 + SIGTERM);
	assert_non_null(strstr(outcome.out, "\n1,threads,,1,1,"));
	assert_non_null(strstr(outcome.out, ",interrupted,"));
	assert_non_null(strstr(outcome.err, "trial 2 of 2: interrupted\n"));
}

static void a_terminal_that_hangs_up_twice_loses_no_end(void **state)
{
	struct step begin = begin_step(0), end = end_step(0, SAMPLE_INTERRUPTED, "");
	const struct options options = {.format = export_find("csv")};
	struct outcome outcome;

	begin.before = end.before = RAISE_HUP;
	{
		const struct step steps[] = {session_step(), begin, end, done_step};

		run(&options, steps, COUNT(steps), &outcome);
	}
	assert_int_equal(outcome.status, 128 + SIGHUP);
	assert_non_null(strstr(outcome.out, ",interrupted,"));
}

/*
 * As under nohup(1). If the signal were blocked, signalfd(2) would receive it although it is
 * ignored.
 */
static void a_signal_that_is_ignored_does_not_stop_the_run(void **state)
{
	struct step second = begin_step(1);
	const struct options options = {.format = export_find("csv")};
	struct outcome outcome;

	second.before = RAISE_HUP;
	{
		const struct step steps[] = {session_step(),
					     begin_step(0),
					     end_step(0, SAMPLE_OK, ""),
					     second,
					     end_step(1, SAMPLE_OK, ""),
					     done_step};

		signal(SIGHUP, SIG_IGN);
		run(&options, steps, COUNT(steps), &outcome);
		signal(SIGHUP, SIG_DFL);
	}
	assert_int_equal(outcome.status, 0);
	assert_null(strstr(outcome.out, "interrupted"));
}

static void ctrl_z_rests_the_workers_until_it_goes_on(void **state)
{
	const struct options options = {.format = export_find("csv")};
	struct step tick = {.before = RAISE_TSTP, .sample = {.kind = SAMPLE_TICK}};
	struct step end = end_step(0, SAMPLE_OK, "");
	struct outcome outcome;
	FILE *out = tmpfile(), *err = tmpfile();
	unsigned *pauses = mmap(NULL, sizeof(*pauses), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	end.before = AWAIT_PAUSES;
	const struct step steps[] = {session_step(), begin_step(0), tick, end, done_step};

	assert_true(out && err && pauses != MAP_FAILED);
	pid = start(&options, steps, COUNT(steps), fileno(out), fileno(err), pauses);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(WSTOPSIG(status), SIGTSTP);
	assert_int_equal(*pauses, 1);
	kill(pid, SIGCONT);
	finish(pid, &outcome);
	read_all(out, outcome.out, sizeof(outcome.out));
	fclose(out);
	fclose(err);
	assert_int_equal(outcome.status, 0);
	assert_int_equal(*pauses, 2);
	assert_non_null(strstr(outcome.out, "\n1,threads,"));
	munmap(pauses, sizeof(*pauses));
}

static void an_interrupted_run_has_its_result_in_every_format(void **state)
{
	static const struct {
		const char *format;
		const char *measured, *interrupted;
	} formats[] = {{"report", "\nthreads  2.00 s  ", " 1 of 2\n"},
		       {"markdown", "| threads | 1 | 2.00 s |", "interrupted |"},
		       {"json", "\"elapsed_ms\": 2000.0", "\"status\": \"interrupted\""},
		       {"csv", "\n1,threads,,1,1,", ",interrupted,"}};
	struct step second = begin_step(1), stopped = end_step(1, SAMPLE_INTERRUPTED, "");
	struct outcome outcome;

	second.before = RAISE_TERM;
	stopped.before = AWAIT_STOP;
	for (size_t i = 0; i < COUNT(formats); i++) {
		const struct options options = {.format = export_find(formats[i].format)};
		const struct step steps[] = {
			session_step(), begin_step(0), end_step(0, SAMPLE_OK, ""),
			second,		stopped,       done_step};

		run(&options, steps, COUNT(steps), &outcome);
		assert_int_equal(outcome.status, 128 + SIGTERM);
		assert_non_null(strstr(outcome.out, formats[i].measured));
		assert_non_null(strstr(outcome.out, formats[i].interrupted));
	}
}

/* Tables in which every value is ? would hide that no trial has ended. */
static void before_a_trial_has_ended_the_result_is_one_sentence(void **state)
{
	struct step stopped = end_step(0, SAMPLE_INTERRUPTED, "");
	const struct options options = {.format = export_find("table")};
	struct step first = begin_step(0);
	struct outcome outcome;

	first.before = RAISE_TERM;
	stopped.before = AWAIT_STOP;
	{
		const struct step steps[] = {session_step(), first, stopped, done_step};

		run(&options, steps, COUNT(steps), &outcome);
	}
	assert_int_equal(outcome.status, 128 + SIGTERM);
	assert_non_null(strstr(outcome.out, "The session was stopped before a trial was measured"));
	assert_null(strchr(outcome.out, '?'));
}

static void rows_leave_the_warnings_to_standard_error(void **state)
{
	static const char *const formats[] = {"csv", "report"};
	struct step end = end_step(0, SAMPLE_OK, "");
	struct outcome outcome;

	end.sample.end.totals.others = 900;
	for (size_t i = 0; i < COUNT(formats); i++) {
		const struct options options = {.format = export_find(formats[i])};
		const struct step steps[] = {session_step(), begin_step(0), end, done_step};
		bool csv = i == 0;

		run(&options, steps, COUNT(steps), &outcome);
		assert_int_equal(strstr(outcome.err, "warning: other programs (") != NULL, csv);
		assert_int_equal(strstr(outcome.out, "other programs") != NULL, !csv);
	}
}

static void a_source_that_breaks_ends_with_1_and_the_result_so_far(void **state)
{
	const struct step steps[] = {
		session_step(), begin_step(0), end_step(0, SAMPLE_OK, ""), {.before = BREAK}};
	const struct options options = {.format = export_find("csv")};
	struct outcome outcome;

	run(&options, steps, COUNT(steps), &outcome);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.err, "the session cannot continue"));
	assert_non_null(strstr(outcome.out, "\n1,threads,"));
}

static void the_result_makes_room_for_a_log_on_standard_output(void **state)
{
	const struct step steps[] = {session_step(), begin_step(0), end_step(0, SAMPLE_OK, ""),
				     done_step};
	const struct options options = {.format = export_find("table"), .log = "-"};
	struct outcome outcome;

	run(&options, steps, COUNT(steps), &outcome);
	assert_int_equal(outcome.status, 0);
	assert_string_equal(outcome.out, "");
	assert_non_null(strstr(outcome.err, "For all tables, use --format report"));
}

static void a_reader_that_went_away_is_an_error_and_no_crash(void **state)
{
	const struct step steps[] = {session_step(), begin_step(0), end_step(0, SAMPLE_OK, ""),
				     done_step};
	const struct options options = {.format = export_find("json")};
	struct outcome outcome;
	FILE *err = tmpfile();
	int fds[2];

	assert_non_null(err);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	run_to(&options, steps, COUNT(steps), fds[1], fileno(err), &outcome);
	close(fds[1]);
	read_all(err, outcome.err, sizeof(outcome.err));
	fclose(err);
	assert_int_equal(outcome.status, 1);
	assert_non_null(strstr(outcome.err, "Broken pipe"));
}

static void a_terminal_has_one_line_that_is_rewritten_without_escapes(void **state)
{
	struct step tick = {.sample = {.kind = SAMPLE_TICK, .time_ns = 500 * MS}};
	const struct step steps[] = {session_step(), begin_step(0), tick,
				     end_step(0, SAMPLE_OK, ""), done_step};
	const struct options options = {.format = export_find("csv")};
	struct outcome outcome;
	int master, slave, out = open("/dev/null", O_WRONLY);
	size_t n = 0;
	ssize_t got;

	pty_open(&master, &slave);
	run_to(&options, steps, COUNT(steps), out, slave, &outcome);
	close(out);
	close(slave);
	/* When the other side is closed and everything was read, read() fails with EIO. */
	while ((got = read(master, outcome.err + n, sizeof(outcome.err) - 1 - n)) > 0)
		n += (size_t)got;
	outcome.err[n] = '\0';
	assert_true(n > 0);
	close(master);
	assert_int_equal(outcome.status, 0);
	assert_non_null(strstr(outcome.err, "\rtuibench: threads, trial 1 of 2, 500 ms"));
	assert_null(strchr(outcome.err, '\n'));
	assert_null(strchr(outcome.err, '\033'));
	assert_int_equal(outcome.err[n - 1], '\r'); /* nothing of the line stays visible */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_session_ends_with_0_and_its_result),
		cmocka_unit_test(a_recording_is_read_to_its_end),
		cmocka_unit_test(a_failed_run_is_reported_and_the_status_is_1),
		cmocka_unit_test(warnings_are_printed_and_notes_are_not),
		cmocka_unit_test(a_program_that_does_not_end_is_named_once),
		cmocka_unit_test(a_session_ends_early_if_a_command_failed_in_three_trials),
		cmocka_unit_test(only_a_session_without_n_is_told_that_its_answer_is_known),
		cmocka_unit_test(a_signal_stops_the_run_and_keeps_what_was_measured),
		cmocka_unit_test(a_terminal_that_hangs_up_twice_loses_no_end),
		cmocka_unit_test(a_signal_that_is_ignored_does_not_stop_the_run),
		cmocka_unit_test(ctrl_z_rests_the_workers_until_it_goes_on),
		cmocka_unit_test(an_interrupted_run_has_its_result_in_every_format),
		cmocka_unit_test(before_a_trial_has_ended_the_result_is_one_sentence),
		cmocka_unit_test(rows_leave_the_warnings_to_standard_error),
		cmocka_unit_test(a_source_that_breaks_ends_with_1_and_the_result_so_far),
		cmocka_unit_test(the_result_makes_room_for_a_log_on_standard_output),
		cmocka_unit_test(a_reader_that_went_away_is_an_error_and_no_crash),
		cmocka_unit_test(a_terminal_has_one_line_that_is_rewritten_without_escapes),
	};

	/* If nohup(1) started the test, SIGHUP is ignored. */
	signal(SIGHUP, SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
