/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error_line.h"
#include "core/sample.h"
#include "experiment/experiment.h"
#include "screen/screen.h"
#include "result/report.h"
#include "result/answer.h"

enum {
	/*
	 * Longest time, ms, for which starting a live source waits until the first frame is on the
	 * screen. A slow terminal may need seconds.
	 */
	FIRST_FRAME_MS = 300,
	/*
	 * Largest number of errors that are printed after the screen has been given back. The
	 * recording has all errors.
	 */
	ERRORS_PRINTED = 8,
};

enum { FD_KEYS, FD_SIGNALS, FD_SOURCE, FD_TERMINAL, FD_READ, FDS };

static bool has_warnings(const struct model *model)
{
	struct model_warning list[MODEL_WARNINGS_MOST];

	return model_warnings(model, list) > 0;
}

static void record(struct app *app, const struct sample *sample)
{
	struct view_state *state = &app->view.state;
	int error;

	if (!app->log)
		return;
	error = recordings_write(app->log, &app->model, sample);
	if (!error)
		return;
	DEBUG(app->options->debug, "log", "%s", strerror(-error));
	app->log = NULL;
	/* -EINTR: a signal ended the write. The session then ends and reports the signal. */
	if (error == -EINTR)
		return;
	app_fail(app, "cannot write the recording %s: %s; the session continues without it",
		 sentence_text(state->log_name, ""), log_strerror(error));
	state->log_name = NULL;
}

static void begin_session(struct app *app)
{
	const struct experiment_kind *kind = experiment_find(app->model.session.experiment);
	struct view_state *state = &app->view.state;

	state->question = NULL;
	state->ballot = NULL;
	if (kind) {
		state->question = kind->question;
		state->ballot = kind->ballot;
	}
	app->frame.urgent = true;
}

static void end_run(struct app *app, const struct sample_totals *totals)
{
	const bool live = app->view.state.live;

	if (live)
		model_keep(&app->model, MODEL_SHOWN);
	else
		model_store(&app->model, MODEL_SHOWN);
	if (options_stop_early(app->options) && answer_is_final(&app->model))
		app->source->ops->control(app->source, SOURCE_ENOUGH);
	if (totals->status != SAMPLE_OK && !totals->fault && !app->quit && live)
		app->failed = true;
}

static void end_session(struct app *app)
{
	struct view_state *state = &app->view.state;

	DEBUG(app->options->debug, "app", "the source has ended");
	app->done = true;
	if (!state->live || app->console->lecturer)
		return;
	state->next = chooser_after(app->model.session.experiment);
	/*
	 * If a notice or the first warning is already shown, do not replace it by the suggestion of
	 * a next experiment.
	 */
	if (state->notice || app->options->exit || has_warnings(&app->model))
		return;
	snprintf(app->suggestion, sizeof(app->suggestion),
		 "What next? E runs %s; e lists all experiments and recordings.", state->next);
	state->suggestion = app->suggestion;
	app_redraw(app);
}

static int keep_app_sample(void *arg, const struct sample *sample)
{
	struct app *app = arg;
	const bool live = app->view.state.live;
	const int error = model_apply(&app->model, sample);

	record(app, sample);
	if (error && app->lost++ == 0)
		app_fail(app, "a sample was lost: %s", strerror(-error));
	app->frame.dirty = true;
	switch (sample->kind) {
	case SAMPLE_SESSION:
		begin_session(app);
		break;
	case SAMPLE_RUN_BEGIN:
		app->done = false;
		app->view.state.next = NULL;
		break;
	case SAMPLE_RUN_END:
		end_run(app, &sample->end.totals);
		break;
	case SAMPLE_MESSAGE:
		if (sample->message.severity == SAMPLE_ERROR && live) {
			app->failed = true;
			app_notify(app, sample->message.text);
		}
		break;
	case SAMPLE_DONE:
		end_session(app);
		break;
	default:
		break;
	}
	return 0;
}

static int take_app_sample(void *arg, const struct sample *sample)
{
	struct app *app = arg;
	struct sample message;

	if (recordings_tell_limit(app->log, &app->model, app->options, sample, &message))
		keep_app_sample(app, &message);
	return keep_app_sample(app, sample);
}

static void take_samples(struct app *app)
{
	char text[SAMPLE_TEXT];
	int error;

	if (app->broken)
		return;
	error = app->source->ops->pump(app->source, take_app_sample, app);
	if (error >= 0)
		return;
	DEBUG(app->options->debug, "source", "broken: %s", source_strerror(error));
	app->broken = true;
	app_fail(app, "%s", source_broken(app->source, error, text, sizeof(text)));
}

/* Chooses what to wait for besides keys and signals. */
static void choose_fds(struct app *app, uint64_t begin_ns, struct pollfd fds[FDS])
{
	/*
	 * A live source examines the machine first, which may take a quarter of a second. So wait
	 * for it only after the first frame is on the screen.
	 */
	const bool early = clock_now_ns() - begin_ns < FIRST_FRAME_MS * UINT64_C(1000000);

	fds[FD_SOURCE].fd = -1;
	if (!app->broken && !(app->frame.stalled && early))
		fds[FD_SOURCE].fd = app->source->ops->fd(app->source);
	fds[FD_READ].fd = -1;
	if (app->frame.unready || screen_asks(app->console->screen) ||
	    screen_learns(app->console->screen))
		fds[FD_READ].fd = screen_fd(app->console->screen);
}

static void handle_app_signal(struct app *app, int number)
{
	/*
	 * A stopped program cannot observe the workers, so pause them as well: this time must not
	 * be measured.
	 */
	const bool pauses = number == SIGTSTP && !app->paused && !app->done;

	app_redraw(app);
	if (pauses)
		press_pause(app);
	app->quit = !console_heed(app->console, number);
	if (app->quit)
		DEBUG(app->options->debug, "app", "signal %d", app->console->signal);
	else if (pauses && app->paused)
		press_pause(app);
}

/* Once a scene is on the screen, checks the next one. */
static void check_next_scene(struct app *app)
{
	const char *notice;

	if (!app->ahead || app->frame.urgent)
		return;
	app->ahead = false;
	notice = lecturer_ahead(app->console->lecturer);
	if (!notice)
		notice = lecturer_without_notes(app->console->lecturer);
	if (notice)
		app_notify(app, notice);
}

/*
 * Whether --exit ends the program now, because the last frame is on the screen and nothing is open.
 */
static bool exits(const struct app *app)
{
	if (!app->options->exit || !app_is_over(app))
		return false;
	return !app->frame.dirty && !app->frame.stalled && !app->chooser && !app->question.text;
}

/*
 * Waits for events. Returns false if no event can ever be seen, because seccomp(2) denies poll().
 */
static bool wait_for_events(struct app *app, struct pollfd fds[FDS])
{
	const int ready = poll(fds, FDS, frame_wait_ms(app));

	if (ready == 0 && screen_asks(app->console->screen))
		app->frame.stalled = true;
	if (ready >= 0)
		return true;
	for (int i = 0; i < FDS; i++)
		fds[i].revents = 0;
	if (errno != EPERM && errno != ENOSYS)
		return true;
	app_fail(app, "poll: %s", strerror(errno));
	return false;
}

static void handle_events(struct app *app, const struct pollfd fds[FDS])
{
	int number = 0;

	if (fds[FD_SIGNALS].revents)
		number = signals_take(app->console->signal_fd);
	if (number)
		handle_app_signal(app, number);
	app->frame.stalled |= fds[FD_READ].revents != 0;
	if (fds[FD_KEYS].revents)
		press_keys(app);
	/*
	 * Handle keys and signals that end the session first, because the source would begin
	 * another run.
	 */
	app->frame.sampled = fds[FD_SOURCE].revents && !app->quit;
	if (app->frame.sampled) {
		take_samples(app);
		app->frame.dirty |= app->console->notes || app->console->machines;
		app->frame.urgent |= app->console->notes != NULL;
	}
	if (fds[FD_TERMINAL].revents & (POLLHUP | POLLERR) || screen_gone(app->console->screen))
		app_hang_up(app);
}

static void run_event_loop(struct app *app)
{
	const uint64_t begin_ns = clock_now_ns();
	struct pollfd fds[FDS] = {
		[FD_KEYS] = {.fd = app->console->tty_in, .events = POLLIN},
		[FD_SIGNALS] = {.fd = app->console->signal_fd, .events = POLLIN},
		[FD_SOURCE] = {.events = POLLIN},
		[FD_TERMINAL] = {.fd = STDOUT_FILENO},
		[FD_READ] = {.events = POLLIN},
	};
	struct lecturer *lecturer = app->console->lecturer;

	/* From now on, the lecture's file is removed even if a signal ends the program. */
	if (lecturer)
		notes_open(&lecturer->notes);
	/*
	 * Handle keys that arrived together with the key that ended the last session. poll() does
	 * not report them, because they have been read already.
	 */
	press_keys(app);
	while (!app->quit) {
		frame_draw_due(app);
		app->frame.sampled = false;
		check_next_scene(app);
		if (exits(app))
			return;
		choose_fds(app, begin_ns, fds);
		if (lecturer)
			notes_write(&lecturer->notes, &app->view.state.lecture);
		if (!wait_for_events(app, fds))
			return;
		handle_events(app, fds);
	}
}

/*
 * Stops the run. When stop_run() returns, the log has all measurements so far. A second signal ends
 * the wait.
 */
static void stop_run(struct app *app)
{
	const uint64_t deadline = clock_now_ns() + APP_STOP_MS * UINT64_C(1000000);
	struct pollfd fds[] = {
		{.fd = app->source->ops->fd(app->source), .events = POLLIN},
		{.fd = app->console->signal_fd, .events = POLLIN},
	};
	int number;

	if (!app->view.state.live || app->done || app->broken ||
	    app->source->ops->control(app->source, SOURCE_STOP))
		return;
	while (!app->done && !app->broken && clock_now_ns() < deadline) {
		poll(fds, 2, 50);
		number = signals_take(app->console->signal_fd);
		/*
		 * If the terminal was closed, a SIGHUP from the terminal and another from its shell
		 * may arrive only now. They are no reason to stop waiting.
		 */
		if (!number || number == SIGWINCH || number == SIGCONT ||
		    (number == SIGHUP && app->console->signal == SIGHUP)) {
			take_samples(app);
			continue;
		}
		if (console_stays(app->console))
			app->console->signal = number;
		return;
	}
}

/*
 * Prints the answer as a sentence and, on a wide terminal, as a table, because the screen that
 * showed it is gone.
 */
static void print_answer(struct app *app)
{
	const struct model *model = &app->model;
	struct lecturer *lecturer = app->console->lecturer;
	const char *heading = lecturer ? lecturer_ended_heading(lecturer) : NULL;
	char line[HEADLINE_BADGE + HEADLINE_TEXT], *text = NULL, *next;
	bool measured = false;
	size_t size;
	FILE *out;
	int err;

	if (app->view.state.live)
		model_seek(&app->model, model->newest_ns);
	for (size_t i = 0; i < model->n_runs; i++) {
		if (measured)
			break;
		measured = model_measured(model, &model->runs[i]);
	}
	if (app->view.state.vote || !measured)
		return;
	if (lecturer && !lecturer_prints(lecturer))
		return;
	/* A lecture prints several answers, so each needs the name of its scene. */
	if (heading)
		console_say(app->console, "%s", heading);
	console_say_text(app->console, headline_line(model, line, sizeof(line)));
	if (!app->view.state.live && !model_over(model))
		console_say(app->console, "This is the answer at %.1f s, where the replay stopped.",
			    (double)model->now_ns / 1e9);
	if (*report_prediction(model, line, sizeof(line)))
		console_say_text(app->console, line);
	if (console_columns() >= 80)
		out = open_memstream(&text, &size);
	else
		out = NULL;
	if (!out)
		return;
	err = write_answer_table(model, out);
	err |= fclose(out);
	if (err) {
		free(text);
		return;
	}
	for (char *row = text; *row; row = next) {
		next = strchrnul(row, '\n');
		if (*next)
			*next++ = '\0';
		if (*row)
			console_say(app->console, "%s", row);
	}
	free(text);
}

static int run_on_screen(struct app *app)
{
	struct console *console = app->console;
	struct patience_limit limit;
	size_t errors = 0;

	if (console_open(console, app->options) < 0) {
		if (console->signal)
			return 128 + console->signal;
		return 1;
	}
	if (*console->notice) {
		app_notify(app, console->notice);
		console_say(console, "tuibench: %s", console->notice);
		*console->notice = '\0';
	}
	/*
	 * Read the beginning of a recording for the first frame. A live source has no samples yet.
	 */
	take_samples(app);
	run_event_loop(app);
	app->quit = true;
	if (!console_stays(console) && !app->agreed)
		console_leave(console);
	stop_run(app);
	patience_limit_begin(&limit, frame_end_program, app);
	print_answer(app);
	patience_limit_end(&limit);
	/* Print errors again, because the messages on the screen are gone. */
	for (size_t i = 0; i < app->model.n_messages; i++) {
		const struct model_message *message = &app->model.messages[i];

		if (!app_tells_errors(app) || message->severity != SAMPLE_ERROR)
			continue;
		errors++;
		if (errors <= ERRORS_PRINTED)
			console_say(console, "tuibench: %s", message->text);
	}
	if (errors > ERRORS_PRINTED)
		console_say(console, "tuibench: and %zu more", errors - ERRORS_PRINTED);
	if (app->lost > 1)
		console_say(console, "tuibench: %" PRIu64 " samples were lost in all", app->lost);
	if (console->signal)
		return 128 + console->signal;
	if (app->broken && app->options->replay)
		return 2;
	if (app->failed)
		return 1;
	return 0;
}

/*
 * Whether there is no configuration file, and no recording except the recording that begins now.
 * Only counts the recordings, because opening hundreds of them would delay the first frame.
 */
static bool is_first_start(const struct app *app)
{
	const bool begins = app->log && !app->options->log;
	char folder[PATH_MAX];
	int64_t bytes;
	int n;

	if (app->options->config_path[0])
		return false;
	n = state_folder_name(folder);
	if (n >= 0)
		n = recordings_sum(folder, &bytes);
	return n <= begins;
}

static int run_model(struct app *app, const char *log_name)
{
	const struct options *options = app->options;
	struct view_state *state = &app->view.state;
	struct console *console = app->console;
	struct source over = {.ops = &source_over};
	int status;

	if (!app->source)
		app->source = &over;
	view_init(&app->view);
	state->live = !options->replay && !app->alone;
	state->decides = options_stop_early(options);
	view_look(state, &options->looks);
	if (console->machines)
		app->select = NULL;
	else
		app->select = options->looks.select;
	state->hold = state->live && options->request.hold;
	state->vote = options->vote;
	if (app->console->captions)
		state->captions = app->console->captions;
	else
		state->captions = (enum view_captions)options->captions;
	player_init(&app->player, state->live || options_streams(options), options->speed);
	state->log_name = log_name;
	if (state->live && !console->lecturer && console->now.argc == 0 && chooser_has_tour())
		state->tour = is_first_start(app);
	app_redraw(app);
	press_scene(app);
	if (app->console->lecturer && app->console->lecturer->again)
		player_seek(&app->player, &app->model, 1);
	if (app->alone && !app->question.text)
		press_open_menu(app);
	if (app->quit)
		status = 1;
	else
		status = run_on_screen(app);
	chooser_close(app->chooser);
	free(app->question.text);
	app->console->captions = state->captions;
	if (console->lecturer && console->now.argc == 0)
		lecturer_sum_up(console->lecturer, &app->model);
	if (console->lecturer)
		lecturer_keep(console->lecturer, &app->model);
	canvas_free(&app->canvas);
	view_free(&app->view);
	model_free(&app->model);
	return status;
}

int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, struct model *model, const char *log_name)
{
	struct app app = {
		.console = console,
		.options = options,
		.source = source,
		.log = log,
		.alone = options->menu,
	};

	if (log)
		log_set_patience(log, &console->log);
	model_init(&app.model);
	if (model) {
		app.model = *model;
		model_init(model);
	}
	return run_model(&app, log || options->replay ? log_name : NULL);
}

int app_ask(struct console *console, const struct options *options,
	    const struct view_question *question)
{
	struct app app = {
		.console = console, .options = options, .alone = true, .question = *question};
	int status;

	/*
	 * Drops keys that were typed earlier, so that an earlier Enter does not answer the
	 * question.
	 */
	if (console->screen)
		screen_drop_keys(console->screen);
	else
		tcflush(STDIN_FILENO, TCIFLUSH);
	model_init(&app.model);
	status = run_model(&app, NULL);
	if (status || app.agreed)
		return status;
	return 1;
}
