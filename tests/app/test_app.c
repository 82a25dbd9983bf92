/* SPDX-License-Identifier: MIT */
#include "core/sample.h"
#include "stage/check.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "app/app.h"
#include "base/clock.h"
#include "draw/key.h"
#include "draw/theme.h"
#include "log/log.h"
#include "stage/folder.h"
#include "stage/pty.h"
#include "view/menu.h"
#include "view/view.h"

/*
 * Tests of the loop between a source, a log and views, all three made for the test: a source with a
 * tick every few milliseconds, a log that fails on request, and a view that reports its input.
 */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define LOGGED "logged;"

enum { TICK_NS = 2000000, TICKS = 200 };

struct script {
	bool hold, exit, ascii, vote;
	const char *theme;
	bool fails;    /* the source reports an error in a message */
	bool breaks;   /* the source delivers no samples after the third tick */
	bool endless;  /* ticks go on until the run is stopped */
	bool deaf;     /* the source refuses commands */
	int log_error; /* result of the first log_write */
	int report;    /* pipe to the test: what the source and the log were asked to do */
	bool shell;    /* under a shell that can continue the session after Ctrl-Z */
	bool behind;   /* the shell starts it in the background */
	bool nohup;    /* started with SIGHUP ignored */
	bool slow;     /* a run that was stopped ends only when the test says so */
	int barrier;   /* the pipe through which the test says so */
};

struct log_writer {
	int error, report;
	unsigned samples;
};

struct fake {
	struct source source;
	const struct script *script;
	int timer;
	enum { HELLO, HOLD, BEGIN, TICKING, END, DONE, IDLE } stage;
	unsigned ticks;
	bool paused, stopped;
	uint32_t run;
	int64_t time_ns;
	struct sample_case one;
};

static void report(int fd, const char *text)
{
	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		_exit(99);
}

static int fake_fd(struct source *source)
{
	return ((struct fake *)source)->timer;
}

static void fill_session(struct fake *fake, struct sample *sample)
{
	struct sample_session *session = &sample->session;

	snprintf(fake->one.model, sizeof(fake->one.model), "threads");
	fake->one.plan.levels = 1;
	fake->one.plan.fanout[0] = 1;
	fake->one.plan.leaves[WORK_NULL] = 1;
	*session = (struct sample_session) {.trials = 1, .interval_ms = 1, .cases = 1};
	session->cases_list = &fake->one;
}

static void fill_end(struct fake *fake, struct sample *sample)
{
	memset(&sample->end, 0, sizeof(sample->end));
	sample->end.totals.status = fake->stopped ? SAMPLE_INTERRUPTED : SAMPLE_OK;
	sample->end.totals.elapsed_ns = fake->time_ns;
}

static bool may_end(const struct fake *fake)
{
	struct pollfd barrier = {.fd = fake->script->barrier, .events = POLLIN};

	return !fake->script->slow || poll(&barrier, 1, 0) == 1;
}

static int tick(struct fake *fake, struct sample *sample)
{
	uint64_t times;

	if ((fake->stopped && may_end(fake)) || (fake->ticks >= TICKS && !fake->script->endless)) {
		fake->stage = END;
		return 0;
	}
	if (read(fake->timer, &times, sizeof(times)) != sizeof(times))
		return 0;
	if (fake->script->breaks && fake->ticks == 3)
		return -EPIPE;
	if (fake->script->fails && fake->ticks == 3) {
		fake->ticks++;
		sample->kind = SAMPLE_MESSAGE;
		sample->message.severity = SAMPLE_ERROR;
		snprintf(sample->message.text, SAMPLE_TEXT, "the worker w1 cpu fell over");
		return 1;
	}
	fake->ticks++;
	sample->kind = SAMPLE_TICK;
	memset(&sample->tick, 0, sizeof(sample->tick));
	sample->tick.in_run = true;
	sample->tick.paused = fake->paused;
	return 1;
}

static int fake_next(struct source *source, struct sample *sample)
{
	struct fake *fake = (struct fake *)source;

	*sample = (struct sample) {.time_ns = fake->time_ns += 1000};
	sample->run = (struct sample_run) {.run = fake->run, .trial = 1, .planned = 1};
	switch (fake->stage) {
	case HELLO:
		sample->kind = SAMPLE_SESSION;
		sample->time_ns = 0;
		fill_session(fake, sample);
		fake->stage = fake->script->hold ? HOLD : BEGIN;
		return 1;
	case BEGIN:
		sample->kind = SAMPLE_RUN_BEGIN;
		fake->stage = TICKING;
		return 1;
	case TICKING:
		return tick(fake, sample);
	case END:
		sample->kind = SAMPLE_RUN_END;
		fill_end(fake, sample);
		fake->run++;
		fake->stage = DONE;
		return 1;
	case DONE:
		sample->kind = SAMPLE_DONE;
		fake->stage = IDLE;
		return 1;
	default:
		return 0;
	}
}

static int fake_control(struct source *source, enum source_command command)
{
	struct fake *fake = (struct fake *)source;

	if (fake->script->deaf)
		return -ENOTSUP;
	switch (command) {
	case SOURCE_START:
		report(fake->script->report, "start;");
		fake->stage = BEGIN;
		break;
	case SOURCE_PAUSE:
		fake->paused = !fake->paused;
		report(fake->script->report, fake->paused ? "pause;" : "go on;");
		break;
	case SOURCE_ONE_MORE:
		report(fake->script->report, "more;");
		fake->ticks = 0;
		fake->stage = BEGIN;
		break;
	case SOURCE_ENOUGH:
		break;
	case SOURCE_STOP:
		report(fake->script->report, "stop;");
		fake->stopped = true;
		if (fake->stage == HOLD)
			fake->stage = DONE;
		break;
	}
	return 0;
}

static int fake_pump(struct source *source, source_emit *take, void *arg)
{
	struct sample sample;
	int err = 0;

	while (!err && (err = fake_next(source, &sample)) == 1)
		err = take(arg, &sample);
	return err;
}

static const struct source_ops fake_ops = {
	.fd = fake_fd,
	.pump = fake_pump,
	.control = fake_control,
};

/*
 * The log's functions that a session calls. They replace the log's own, because this log_writer has
 * other members.
 */

void log_end_with(struct log_writer *log, const char *answer)
{
}

uint64_t log_left_out(const struct log_writer *log)
{
	return 0;
}

uint32_t log_thinned(const struct log_writer *log, uint32_t *runs)
{
	*runs = 0;
	return 0;
}

bool log_exceeds(const struct log_writer *log)
{
	return false;
}

int log_write(struct log_writer *log, const struct sample *sample)
{
	if (log->error && log->samples == TICKS)
		return log->error;
	if (++log->samples == TICKS)
		report(log->report, LOGGED);
	if (sample->kind == SAMPLE_DONE)
		report(log->report, "log done;");
	return 0;
}

void log_set_patience(struct log_writer *log, const struct patience *patience)
{
}

int log_flush(struct log_writer *log)
{
	(void)log;
	return 0;
}

const char *log_strerror(int err)
{
	return strerror(-err);
}

void view_init(struct view *view)
{
	*view = (struct view) {.state.view = 1};
}

void view_free(struct view *view)
{
	(void)view;
}

void view_draw(struct canvas *canvas, const struct model *model, struct view *view)
{
	const struct view_state *state = &view->state;
	const struct style plain = STYLE(COLOUR_DEFAULT);
	const char *phase = !model->n_runs ? "before" : model->done ? "over" : "runs";

	canvas_printf(canvas, 0, 0, -1, plain, "ticks %zu %s%s%s", model->n_loads, phase,
		      state->hold ? " held" : "", model_paused(model) ? " paused" : "");
	canvas_printf(canvas, 0, 1, -1, plain, "size %dx%d scroll %d", canvas->width,
		      canvas->height, state->scroll);
	canvas_printf(canvas, 0, 2, -1, plain, "log %s",
		      state->log_name ? state->log_name : "none");
	canvas_printf(canvas, 0, 3, -1, plain, "notice %s", state->notice ? state->notice : "none");
	canvas_text(canvas, 0, 4, -1, STYLE(COLOUR_MODEL0), "⣿ glyph");
	canvas_printf(canvas, 0, 5, -1, plain, "over %s%s%s", state->vote ? "vote " : "",
		      state->present ? "present " : "",
		      state->hidden > 0 ? "some hidden" : "all shown");
}

unsigned view_where(const struct view_state *state)
{
	return 1U << state->view | KEYS_LIVE;
}

bool view_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	if (key == KEY_DOWN_ARROW)
		view->state.scroll++;
	return key == KEY_DOWN_ARROW;
}

int view_select(struct view *view, const struct model *model, const char *name)
{
	return 0;
}

const char *view_panel(struct canvas *canvas, const struct model *model, struct view *view,
		       char name[VIEW_PANEL_NAME])
{
	return strcpy(name, "panel");
}

int view_mouse(struct view *view, int key, int x, int y)
{
	if (key == KEY_MOUSE_PRESS && x == 3 && y == 3)
		return 'q';
	return x == 10 && y == 20 ? KEY_DOWN_ARROW : 0;
}

bool view_selected(struct view *view, const struct model *model, uint32_t *worker, char *name,
		   size_t size)
{
	*worker = 1;
	snprintf(name, size, "w2 cpu");
	return true;
}

void view_menu_draw(struct canvas *canvas, struct menu *menu)
{
	(void)canvas, (void)menu;
}

/* In these sessions, key y has no cause to show. */
void view_question_draw(struct canvas *canvas, struct view_question *question)
{
	(void)canvas, (void)question;
}

bool view_question_agree(struct view_question *question, int key)
{
	return false;
}

/* In these sessions, row 22 is the line of time. */
double view_clock_at(const struct view_shown *shown, int x, int y)
{
	return y == 22 ? x / 79. : -1;
}

/* The child */

static int run_app(const struct script *script)
{
	const struct itimerspec every = {{.tv_nsec = TICK_NS}, {.tv_nsec = TICK_NS}};
	struct options options = {.fps = 50, .exit = script->exit, .ascii = script->ascii};
	struct log_writer log = {.error = script->log_error, .report = script->report};
	struct fake fake = {.source.ops = &fake_ops, .script = script};
	struct console console;
	int status;

	console_init(&console);
	if (script->nohup)
		signal(SIGHUP, SIG_IGN);
	setlocale(LC_CTYPE, "");
	options.request.hold = script->hold;
	options.vote = script->vote;
	options.theme = script->theme;
	fake.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	timerfd_settime(fake.timer, 0, &every, NULL);
	status = app_run(&console, &options, &fake.source, &log, NULL, "lecture.csv");
	console_close(&console);
	return status;
}

static void set_foreground(pid_t group)
{
	signal(SIGTTOU, SIG_IGN);
	tcsetpgrp(0, group);
}

/*
 * Acts as a shell: starts a job in the foreground. When the job has stopped and a key was pressed,
 * continues it in the foreground (f) or the background (b), or ends it: in the background (k), or
 * by SIGTERM (t) or SIGINT (i) and then in the foreground.
 */
static int run_shell(const struct script *script)
{
	struct termios modes;
	const pid_t job = fork();
	char key;
	int status;

	setpgid(job, job);
	if (!script->behind)
		set_foreground(job ? job : getpid());
	signal(SIGTTOU, SIG_DFL);
	if (job == 0)
		_exit(run_app(script));
	tcgetattr(0, &modes);
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		set_foreground(getpgrp());
		report(script->report, "stopped;");
		tcgetattr(0, &modes);
		modes.c_lflag &= ~(tcflag_t)ICANON;
		tcsetattr(0, TCSANOW, &modes);
		if (read(0, &key, 1) != 1)
			return 98;
		if (key == 'k' || key == 't')
			kill(-job, SIGTERM);
		if (key == 'i')
			kill(-job, SIGINT);
		if (key == 'f' || key == 't' || key == 'i')
			set_foreground(job);
		kill(-job, SIGCONT);
	}
	modes.c_lflag |= ICANON;
	tcsetattr(0, TCSANOW, &modes);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
}

static int child_main(void *arg)
{
	const struct script *script = arg;

	return script->shell ? run_shell(script) : run_app(script);
}

/* The tests */

struct session {
	struct script script;
	struct pty *pty;
	int reports;
	char told[512]; /* all text from the pipe so far, without LOGGED */
	bool logged;	/* LOGGED came */
};

static void start(struct session *session, const char *const env[])
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	session->script.report = ends[1];
	session->reports = ends[0];
	session->told[0] = '\0';
	session->logged = false;
	session->pty = pty_call(child_main, &session->script, env, 24, 80);
	close(ends[1]);
}

/* The log and the keys are not synchronized, so LOGGED may arrive between any two other events. */
static void take_logged_out(struct session *session)
{
	char *found = strstr(session->told, LOGGED);

	if (!found)
		return;
	session->logged = true;
	memmove(found, found + strlen(LOGGED), strlen(found + strlen(LOGGED)) + 1);
}

/* Reads the child's reports. Returns whether it has reported these words. */
static bool has_told(struct session *session, const char *words)
{
	struct pollfd fd = {.fd = session->reports, .events = POLLIN};
	const size_t n = strlen(session->told);
	ssize_t got;

	if (poll(&fd, 1, 0) == 1) {
		got = read(session->reports, session->told + n, sizeof(session->told) - n - 1);
		session->told[got > 0 ? n + (size_t)got : n] = '\0';
	}
	take_logged_out(session);
	if (strcmp(words, LOGGED) == 0)
		return session->logged;
	return strstr(session->told, words) != NULL;
}

struct expectation {
	struct session *session;
	const char *words;
};

static bool told_holds(struct pty *pty, const void *arg)
{
	const struct expectation *expected = arg;

	return has_told(expected->session, expected->words);
}

static void expect_told(struct session *session, const char *words)
{
	const struct expectation expected = {session, words};

	assert_true(pty_wait(session->pty, told_holds, &expected));
}

/* Like expect_told(), but nothing is read from the terminal. */
static void expect_told_unread(struct session *session, const char *words)
{
	const uint64_t deadline = clock_now_ns() + PTY_DEADLINE_MS * UINT64_C(1000000);
	struct pollfd fd = {.fd = session->reports, .events = POLLIN};

	while (!has_told(session, words)) {
		assert_true(clock_now_ns() < deadline);
		poll(&fd, 1, 100);
	}
}

static void expect_exit(struct session *session, int status)
{
	pty_expect_exit(session->pty, status);
	pty_expect_nothing_left(session->pty);
}

static void finish(struct session *session)
{
	pty_free(session->pty);
	close(session->reports);
}

static void samples_reach_the_view_and_q_leaves_what_is_over(void **state)
{
	struct session session = {0};

	start(&session, NULL);
	pty_expect(session.pty, "ticks 200 over");
	pty_expect(session.pty, "log lecture.csv");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	expect_told(&session, "log done;");
	assert_false(has_told(&session, "stop;"));
	finish(&session);
}

static void q_stops_a_run_and_logs_its_end(void **state)
{
	struct session session = {.script.endless = true};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	expect_told(&session, "stop;log done;");
	finish(&session);
}

static void f10_quits_and_exit_leaves_by_itself(void **state)
{
	struct session held = {.script.hold = true};
	struct session alone = {.script.exit = true};

	start(&held, NULL);
	pty_expect(held.pty, "before held");
	pty_send(held.pty, "\033[21~");
	expect_exit(&held, 0);
	finish(&held);
	start(&alone, NULL);
	expect_exit(&alone, 0);
	assert_false(has_told(&alone, "stop;"));
	finish(&alone);
}

static void space_starts_a_held_session_then_pauses_it(void **state)
{
	struct session session = {.script = {.hold = true, .endless = true}};

	start(&session, NULL);
	pty_expect(session.pty, "before held");
	pty_send(session.pty, " ");
	pty_expect(session.pty, "runs");
	expect_told(&session, "start;");
	pty_send(session.pty, " ");
	pty_expect(session.pty, "paused");
	pty_send(session.pty, " ");
	pty_expect_gone(session.pty, "paused");
	expect_told(&session, "pause;go on;");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

/* The first Space starts the held run. The next one reveals, and does not pause. */
static void space_reveals_a_vote(void **state)
{
	struct session session = {.script = {.hold = true, .vote = true, .endless = true}};

	start(&session, NULL);
	pty_expect(session.pty, "before held");
	pty_expect(session.pty, "over vote all shown");
	pty_send(session.pty, " ");
	pty_expect(session.pty, "runs");
	pty_send(session.pty, " ");
	pty_expect(session.pty, "over present some hidden");
	pty_expect(session.pty, "over present all shown");
	expect_told(&session, "start;");
	assert_false(has_told(&session, "pause;"));
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void r_asks_for_one_more_trial(void **state)
{
	struct session session = {0};

	start(&session, NULL);
	pty_expect(session.pty, "ticks 200 over");
	pty_send(session.pty, "r");
	expect_told(&session, "more;");
	pty_expect(session.pty, "ticks 400");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void keys_clicks_and_resizes_reach_the_view(void **state)
{
	struct session session = {.script.hold = true};

	start(&session, NULL);
	pty_expect(session.pty, "size 80x24 scroll 0");
	pty_send(session.pty, "\033OB");
	pty_expect(session.pty, "scroll 1");
	pty_send(session.pty, "\033[<0;11;21M");
	pty_expect(session.pty, "scroll 2");
	pty_resize(session.pty, 36, 120);
	pty_expect(session.pty, "size 120x36 scroll 2");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

/* Any other key means no, because a click may be a mistake. */
static void a_click_on_quit_asks(void **state)
{
	for (int i = 0; i < 2; i++) {
		struct session session = {.script.hold = true};

		start(&session, NULL);
		pty_expect(session.pty, "size 80x24 scroll 0");
		pty_send(session.pty, "\033[<0;4;4M\033[<0;4;4m");
		pty_expect(session.pty, "notice Quit? Press Enter or click again to quit");
		pty_send(session.pty, "\033OB");
		pty_expect(session.pty, "scroll 1");
		pty_expect(session.pty, "notice none");
		pty_send(session.pty, "\r\033OB");
		pty_expect(session.pty, "scroll 2");
		pty_send(session.pty, "\033[<0;4;4M");
		pty_expect(session.pty, "notice Quit?");
		pty_send(session.pty, i ? "\r" : "\033[<0;4;4M");
		expect_exit(&session, 0);
		finish(&session);
	}
}

static bool blue_changed(struct pty *pty, const void *arg)
{
	const VTermScreenCell cell = pty_cell(pty, 4, 2);

	return memcmp(&cell.fg, arg, sizeof(cell.fg)) != 0;
}

/* The program writes into a folder made for this test. */
static void s_saves_the_screen_and_capital_s_the_view(void **state)
{
	static const char said[] = "notice Saved for a slide, 16:9, as tuibench-";
	struct session session = {.script.hold = true};
	char folder[FOLDER_PATH], *before = getcwd(NULL, 0);

	folder_make(folder);
	assert_int_equal(chdir(folder), 0);
	start(&session, NULL);
	pty_send(session.pty, "S");
	pty_expect(session.pty, said);
	assert_int_equal(folder_count(folder), 1);
	pty_send(session.pty, "s");
	pty_expect(session.pty, "notice Saved as tuibench-");
	assert_int_equal(folder_count(folder), 3);
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
	assert_int_equal(chdir(before), 0);
	folder_remove(folder);
	free(before);
}

static void t_changes_the_theme(void **state)
{
	struct session session = {.script.hold = true};
	VTermScreenCell cell;

	start(&session, NULL);
	pty_expect(session.pty, "glyph");
	cell = pty_cell(session.pty, 4, 2);
	pty_send(session.pty, "t");
	assert_true(pty_wait(session.pty, blue_changed, &cell.fg));
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

/* Whether the background is that of the theme, in 256 colours. */
static bool ground_holds(struct pty *pty, const void *arg)
{
	const struct theme *theme = theme_find(arg);
	const VTermScreenCell cell = pty_cell(pty, 23, 79);

	return pty_has(pty, "glyph") && VTERM_COLOR_IS_INDEXED(&cell.bg) &&
	       cell.bg.indexed.idx == theme->colour[COLOUR_GROUND].xterm;
}

static bool asked_holds(struct pty *pty, const void *arg)
{
	return pty->asked > 0;
}

static void start_answered(struct session *session, const char *const env[], const char *answer)
{
	start(session, env);
	session->pty->answer = answer;
}

static void quit_asked(struct session *session, unsigned asked)
{
	pty_send(session->pty, "q");
	expect_exit(session, 0);
	assert_int_equal(session->pty->asked, asked);
	assert_false(pty_has(session->pty, "rgb"));
	finish(session);
}

static void check_ground(const char *const env[], const char *answer, const char *theme,
			 unsigned asked)
{
	struct session session = {.script.hold = true};

	start_answered(&session, env, answer);
	assert_true(pty_wait(session.pty, ground_holds, theme));
	if (asked)
		assert_true(pty_wait(session.pty, asked_holds, NULL));
	quit_asked(&session, asked);
}

/*
 * Keys still work after the answer, and no letter of the answer was taken for a key, which would
 * show a notice.
 */
static void the_terminals_background_chooses_the_first_theme(void **state)
{
	check_ground(NULL, "\033]11;rgb:ffff/fff0/f000\033\\", "light", 1);
	check_ground(NULL, "\033]11;rgb:f8/f8/f8\007", "light", 1);
	check_ground(NULL, "\033]11;rgb:1c1c/1c1c/1c1c\007", "dark", 1);
	check_ground((const char *[]) {"COLORFGBG=0;15", NULL}, "\033]11;rgb:0/0/0\007", "dark", 1);
}

static void a_terminal_that_says_nothing_has_the_dark_theme(void **state)
{
	check_ground(NULL, NULL, "dark", 1);
	check_ground((const char *[]) {"COLORFGBG=0;default;15", NULL}, NULL, "light", 1);
	check_ground((const char *[]) {"COLORFGBG=15;0", NULL}, NULL, "dark", 1);
}

static void an_answer_that_says_nothing_is_no_answer(void **state)
{
	static const char *const answers[] = {"\033]11;purple\007", "\033]11;rgb:zz/t/q\007",
					      "\033]11;rgb:ff\033\\", "\033]10;rgb:f/f/f\007",
					      "\033]11;rgb:"};

	for (size_t i = 0; i < COUNT(answers); i++) {
		struct session session = {.script.hold = true};

		start_answered(&session, NULL, answers[i]);
		assert_true(pty_wait(session.pty, asked_holds, NULL));
		assert_true(pty_wait(session.pty, ground_holds, "dark"));
		pty_expect(session.pty, "notice none");
		pty_send(session.pty, "\007"); /* ends the last answer */
		quit_asked(&session, 1);
	}
}

/*
 * A theme that the user has chosen meanwhile stays, and no byte of a late answer is taken for a
 * key.
 */
static void a_late_answer_changes_and_types_nothing(void **state)
{
	struct session session = {.script.hold = true};

	start(&session, NULL);
	assert_true(pty_wait(session.pty, asked_holds, NULL));
	pty_send(session.pty, "t");
	pty_expect(session.pty, "notice theme: light");
	pty_send(session.pty, "\033]11;rgb:0000/0000/0000\033\\");
	pty_send(session.pty, "\033[B");
	pty_expect(session.pty, "scroll 1");
	assert_true(ground_holds(session.pty, "light"));
	pty_send(session.pty, "t");
	pty_expect(session.pty, "notice theme: mono");
	quit_asked(&session, 1);
}

/* A shell would take a late answer for typed input. */
static void an_answer_that_comes_after_q_stays_in_the_program(void **state)
{
	struct session session = {.script.hold = true};

	start_answered(&session, NULL, "q\033]11;rgb:ffff/ffff/ffff\033\\");
	expect_exit(&session, 0);
	assert_false(pty_has(session.pty, "rgb"));
	assert_false(pty_has(session.pty, "]11"));
	finish(&session);
}

static bool left_holds(struct pty *pty, const void *arg)
{
	return pty->left > 0;
}

/*
 * The terminal answers only after the program has left the screen, as over a slow link. The program
 * waits a second for the answers. Returns false if this machine took longer.
 */
static bool answer_after(const char *keys, int number, int status)
{
	struct session session = {.script.hold = true};
	uint64_t begin_ns;
	bool late;

	start(&session, NULL);
	session.pty->silent = true;
	begin_ns = clock_now_ns();
	assert_true(pty_wait(session.pty, asked_holds, NULL));
	if (number)
		kill(session.pty->pid, number);
	else
		pty_send(session.pty, keys);
	assert_true(pty_wait(session.pty, left_holds, NULL));
	pty_send(session.pty, "\033]11;rgb:ffff/ffff/ffff\033\\");
	pty_send(session.pty, "\033[?62;22c");
	late = clock_now_ns() - begin_ns > UINT64_C(500000000);
	expect_exit(&session, status);
	if (!late)
		assert_int_equal(pty_typed(session.pty), 0);
	finish(&session);
	return !late;
}

static void check_answer_after(const char *keys, int number, int status)
{
	for (int tries = 0; tries < 20; tries++)
		if (answer_after(keys, number, status))
			return;
	print_message("this machine is too busy for an answer in half a second\n");
}

static void answers_that_come_after_leaving_are_not_left_to_the_shell(void **state)
{
	check_answer_after("q", 0, 0);
	check_answer_after("\003", 0, 128 + SIGINT);
	check_answer_after(NULL, SIGTERM, 128 + SIGTERM);
	check_answer_after(NULL, SIGHUP, 128 + SIGHUP);
}

/* Such a terminal would answer when it reads again, perhaps long after the program has ended. */
static void a_terminal_that_reads_nothing_is_not_asked(void **state)
{
	struct session session = {.script.endless = true};
	siginfo_t ended;

	start(&session, NULL);
	expect_told_unread(&session, LOGGED);
	kill(session.pty->pid, SIGTERM);
	/*
	 * If the test read the terminal before the program has ended, the program might still ask.
	 */
	assert_int_equal(waitid(P_PID, (id_t)session.pty->pid, &ended, WEXITED | WNOWAIT), 0);
	expect_exit(&session, 128 + SIGTERM);
	assert_int_equal(session.pty->asked, 0);
	finish(&session);
}

/* Waits until the program writes nothing more. All output stays unread. */
static void await_silence(const struct pty *pty)
{
	int before = -1, now = 0;

	while (now == 0 || now != before) {
		before = now;
		poll(NULL, 0, 500);
		assert_int_equal(ioctl(pty->master, FIONREAD, &now), 0);
	}
}

/* An example is a terminal whose window appears late, or to which a distant machine attaches. */
static void a_terminal_that_begins_to_read_late_is_asked_then(void **state)
{
	struct session session = {.script.hold = true};

	start_answered(&session, NULL, "\033]11;rgb:ffff/ffff/ffff\033\\");
	await_silence(session.pty);
	assert_true(pty_wait(session.pty, ground_holds, "light"));
	quit_asked(&session, 1);
}

static void terminals_without_colours_are_not_asked_for_their_background(void **state)
{
	static const char *const silent[] = {"TERM=linux", "TERM=vt100", "NO_COLOR=1"};

	for (size_t i = 0; i < COUNT(silent); i++) {
		struct session session = {.script.hold = true};

		start(&session, (const char *[]) {silent[i], NULL});
		pty_expect(session.pty, "glyph");
		quit_asked(&session, 0);
	}
}

static void a_theme_that_is_given_needs_no_answer(void **state)
{
	struct session session = {.script = {.hold = true, .theme = "mono"}};

	start(&session, NULL);
	assert_true(pty_wait(session.pty, ground_holds, "mono"));
	quit_asked(&session, 0);
}

static void a_command_that_is_not_possible_is_answered(void **state)
{
	struct session session = {.script = {.endless = true, .deaf = true}};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "r");
	pty_expect(session.pty, "notice this does not work in a recording");
	pty_send(session.pty, "z");
	pty_expect(session.pty, "notice none");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void a_full_disk_is_said_and_the_session_goes_on(void **state)
{
	struct session session = {.script.log_error = -ENOSPC};

	start(&session, NULL);
	pty_expect(session.pty,
		   "notice cannot write the recording lecture.csv: No space left on device");
	pty_expect(session.pty, "log none");
	pty_expect(session.pty, "ticks 200 over");
	pty_send(session.pty, "q");
	expect_exit(&session, 1);
	pty_expect(session.pty,
		   "tuibench: cannot write the recording lecture.csv: No space left on device");
	finish(&session);
}

static void an_error_of_the_session_is_shown_printed_and_the_status(void **state)
{
	struct session session = {.script.fails = true};

	start(&session, NULL);
	pty_expect(session.pty, "notice the worker w1 cpu fell over");
	pty_send(session.pty, "q");
	expect_exit(&session, 1);
	pty_expect(session.pty, "tuibench: the worker w1 cpu fell over");
	finish(&session);
}

static void a_broken_source_ends_neither_screen_nor_keys(void **state)
{
	struct session session = {.script.breaks = true};

	start(&session, NULL);
	pty_expect(session.pty, "notice the session cannot continue: Broken pipe");
	pty_send(session.pty, "\033OB");
	pty_expect(session.pty, "scroll 1");
	pty_send(session.pty, "q");
	expect_exit(&session, 1);
	finish(&session);
}

static void check_signal(int number)
{
	struct session session = {.script.endless = true};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	kill(session.pty->pid, number);
	expect_exit(&session, 128 + number);
	expect_told(&session, "stop;log done;");
	finish(&session);
}

static void signals_end_the_session_with_their_number(void **state)
{
	check_signal(SIGTERM);
	check_signal(SIGINT);
	check_signal(SIGHUP);
	check_signal(SIGQUIT);
}

/*
 * Starts a run that does not stop at once, and sends both signals. Returns the pipe that lets the
 * run end.
 */
static int start_slow(struct session *session, int first, int second)
{
	int barrier[2];

	assert_int_equal(pipe(barrier), 0);
	session->script = (struct script) {.endless = true, .slow = true, .barrier = barrier[0]};
	start(session, NULL);
	close(barrier[0]);
	pty_expect(session->pty, "runs");
	kill(session->pty->pid, first);
	expect_told(session, "stop;");
	kill(session->pty->pid, second);
	return barrier[1];
}

static void a_second_signal_does_not_wait_for_the_run(void **state)
{
	struct session session;
	const int barrier = start_slow(&session, SIGTERM, SIGTERM);

	expect_exit(&session, 143);
	assert_false(has_told(&session, "log done;"));
	finish(&session);
	close(barrier);
}

static void a_terminal_that_hangs_up_twice_loses_no_end(void **state)
{
	struct session session;
	const int barrier = start_slow(&session, SIGHUP, SIGHUP);

	assert_int_equal(write(barrier, "", 1), 1);
	expect_exit(&session, 129);
	expect_told(&session, "stop;log done;");
	finish(&session);
	close(barrier);
}

static void ctrl_c_ends_the_session(void **state)
{
	struct session session = {.script.endless = true};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\003");
	expect_exit(&session, 130);
	finish(&session);
}

static void a_closed_terminal_ends_the_session(void **state)
{
	struct session session = {.script.endless = true};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_hang_up(session.pty);
	expect_exit(&session, 129);
	expect_told(&session, "stop;log done;");
	finish(&session);
}

static bool main_screen_holds(struct pty *pty, const void *arg)
{
	return !pty->alternate;
}

static void ctrl_z_rests_the_workers_until_fg(void **state)
{
	struct session session = {.script = {.endless = true, .shell = true}};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\032");
	expect_told(&session, "pause;stopped;");
	assert_true(pty_wait(session.pty, main_screen_holds, NULL));
	pty_send(session.pty, "f");
	expect_told(&session, "pause;stopped;go on;");
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\033OB");
	pty_expect(session.pty, "scroll 1");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void in_the_background_it_stops_again_and_leaves_the_terminal_alone(void **state)
{
	struct session session = {.script = {.endless = true, .shell = true}};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\032");
	expect_told(&session, "pause;stopped;");
	pty_send(session.pty, "b");
	expect_told(&session, "pause;stopped;stopped;");
	assert_true(pty_wait(session.pty, main_screen_holds, NULL));
	pty_send(session.pty, "f");
	expect_told(&session, "pause;stopped;stopped;go on;");
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void a_signal_ends_it_while_the_shell_has_the_terminal(void **state)
{
	struct session session = {.script = {.endless = true, .shell = true}};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\032");
	expect_told(&session, "pause;stopped;");
	pty_send(session.pty, "k");
	expect_exit(&session, 143);
	expect_told(&session, "pause;stopped;stop;log done;");
	finish(&session);
}

static void a_signal_to_a_stopped_job_ends_it_in_the_foreground(void **state)
{
	static const struct {
		const char *key;
		int status;
	} endings[] = {{"t", 143}, {"i", 130}};

	for (size_t i = 0; i < 2 * COUNT(endings); i++) {
		const bool behind = i >= COUNT(endings);
		struct session session = {
			.script = {.endless = true, .shell = true, .behind = behind}};

		start(&session, NULL);
		if (!behind) {
			pty_expect(session.pty, "runs");
			pty_send(session.pty, "\032");
		}
		expect_told(&session, "stopped;");
		pty_send(session.pty, endings[i % COUNT(endings)].key);
		expect_exit(&session, endings[i % COUNT(endings)].status);
		finish(&session);
	}
}

static void an_ignored_signal_does_not_end_the_session(void **state)
{
	struct session session = {.script = {.endless = true, .nohup = true}};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	kill(session.pty->pid, SIGHUP);
	pty_send(session.pty, "\033OB");
	pty_expect(session.pty, "scroll 1");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void ctrl_z_without_a_shell_does_not_stop_for_good(void **state)
{
	struct session session = {.script.endless = true};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\032");
	expect_told(&session, "pause;go on;");
	pty_send(session.pty, "\033OB");
	pty_expect(session.pty, "scroll 1");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void a_stalled_terminal_stops_neither_samples_nor_log(void **state)
{
	struct session session = {.script.endless = true};

	start(&session, NULL);
	pty_expect(session.pty, "runs");
	pty_send(session.pty, "\023");
	expect_told_unread(&session, LOGGED);
	pty_send(session.pty, "\021\033OB");
	pty_expect(session.pty, "scroll 1");
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

static void check_first_glyph(const char *variable, bool ascii, bool expected)
{
	struct session session = {.script = {.hold = true, .ascii = ascii}};
	const char *const env[] = {variable, NULL};

	start(&session, env);
	pty_expect(session.pty, "glyph");
	assert_int_equal(pty_cell(session.pty, 4, 0).chars[0] == 0x28ff, expected);
	assert_int_equal(pty_cell(session.pty, 4, 0).chars[0] > ' ', true);
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	finish(&session);
}

/*
 * ssh from macOS may send a locale's name that Linux does not have, and many machines lack a
 * language's locale.
 */
static void an_unknown_locale_is_one_of_utf_8_or_is_named(void **state)
{
	static const char *const names[] = {"UTF-8", "xx_YY.UTF-8", "xx_YY"};
	struct session session = {.script.hold = true};

	for (size_t i = 0; i < COUNT(names); i++) {
		char locale[40];
		const char *const env[] = {"LC_ALL", "LANG", locale, NULL};

		snprintf(locale, sizeof(locale), "LC_CTYPE=%s", names[i]);
		start(&session, env);
		pty_expect(session.pty, "glyph");
		assert_int_equal(pty_cell(session.pty, 4, 0).chars[0], 0x28ff);
		pty_send(session.pty, "q");
		expect_exit(&session, 0);
		finish(&session);
	}
	start(&session, (const char *[]) {"LC_ALL=xx_YY.ISO-8859-1", NULL});
	pty_expect(session.pty, "glyph");
	assert_true(pty_cell(session.pty, 4, 0).chars[0] < 0x80);
	pty_send(session.pty, "q");
	expect_exit(&session, 0);
	pty_expect(session.pty, "LC_ALL=xx_YY.ISO-8859-1 is not a locale on this machine");
	finish(&session);
}

static void braille_is_for_those_who_can(void **state)
{
	check_first_glyph("TERM=xterm", false, true);
	check_first_glyph("TERM=xterm", true, false);
	check_first_glyph("LC_ALL=C", false, false);
	check_first_glyph("TERM=linux", false, false);
	check_first_glyph("TERM=vt100", false, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_reach_the_view_and_q_leaves_what_is_over),
		cmocka_unit_test(q_stops_a_run_and_logs_its_end),
		cmocka_unit_test(f10_quits_and_exit_leaves_by_itself),
		cmocka_unit_test(space_starts_a_held_session_then_pauses_it),
		cmocka_unit_test(space_reveals_a_vote),
		cmocka_unit_test(r_asks_for_one_more_trial),
		cmocka_unit_test(keys_clicks_and_resizes_reach_the_view),
		cmocka_unit_test(a_click_on_quit_asks),
		cmocka_unit_test(s_saves_the_screen_and_capital_s_the_view),
		cmocka_unit_test(t_changes_the_theme),
		cmocka_unit_test(the_terminals_background_chooses_the_first_theme),
		cmocka_unit_test(a_terminal_that_says_nothing_has_the_dark_theme),
		cmocka_unit_test(an_answer_that_says_nothing_is_no_answer),
		cmocka_unit_test(a_late_answer_changes_and_types_nothing),
		cmocka_unit_test(an_answer_that_comes_after_q_stays_in_the_program),
		cmocka_unit_test(answers_that_come_after_leaving_are_not_left_to_the_shell),
		cmocka_unit_test(a_terminal_that_reads_nothing_is_not_asked),
		cmocka_unit_test(a_terminal_that_begins_to_read_late_is_asked_then),
		cmocka_unit_test(terminals_without_colours_are_not_asked_for_their_background),
		cmocka_unit_test(a_theme_that_is_given_needs_no_answer),
		cmocka_unit_test(a_command_that_is_not_possible_is_answered),
		cmocka_unit_test(a_full_disk_is_said_and_the_session_goes_on),
		cmocka_unit_test(an_error_of_the_session_is_shown_printed_and_the_status),
		cmocka_unit_test(a_broken_source_ends_neither_screen_nor_keys),
		cmocka_unit_test(signals_end_the_session_with_their_number),
		cmocka_unit_test(a_second_signal_does_not_wait_for_the_run),
		cmocka_unit_test(a_terminal_that_hangs_up_twice_loses_no_end),
		cmocka_unit_test(ctrl_c_ends_the_session),
		cmocka_unit_test(a_closed_terminal_ends_the_session),
		cmocka_unit_test(ctrl_z_rests_the_workers_until_fg),
		cmocka_unit_test(in_the_background_it_stops_again_and_leaves_the_terminal_alone),
		cmocka_unit_test(a_signal_ends_it_while_the_shell_has_the_terminal),
		cmocka_unit_test(a_signal_to_a_stopped_job_ends_it_in_the_foreground),
		cmocka_unit_test(an_ignored_signal_does_not_end_the_session),
		cmocka_unit_test(ctrl_z_without_a_shell_does_not_stop_for_good),
		cmocka_unit_test(a_stalled_terminal_stops_neither_samples_nor_log),
		cmocka_unit_test(an_unknown_locale_is_one_of_utf_8_or_is_named),
		cmocka_unit_test(braille_is_for_those_who_can),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
