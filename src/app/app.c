/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "draw/canvas.h"
#include "draw/snapshot.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/utf8.h"
#include "log/log.h"
#include "model/model.h"
#include "again.h"
#include "chooser.h"
#include "lecturer.h"
#include "player.h"
#include "report/why.h"
#include "screen/screen.h"
#include "snapshot_file.h"
#include "console.h"
#include "suspend.h"
#include "draw/theme.h"
#include "report/verdict.h"
#include "view/view.h"

enum {
	STOP_MS = 30000,    /* for a run to end after SOURCE_STOP; only a stuck kernel needs it */
	ERRORS_PRINTED = 8, /* after the screen is gone; the log has all of them */
};

enum { FD_KEYS, FD_SIGNALS, FD_SOURCE, FD_TERMINAL, FDS };

struct app {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: none, or it has failed */
	struct console *console;
	struct model model;
	struct player player;
	struct view view;
	struct canvas canvas;
	struct chooser *chooser; /* of the menu that is open; NULL */
	bool alone;		 /* the menu is all there is */
	bool dirty;		 /* something has changed since the last frame */
	bool urgent;		 /* it was asked for: no waiting for the next frame's time */
	bool stalled;		 /* the terminal has not taken the last frame */
	uint64_t due_ns;	 /* no frame before, unless one is urgent */
	bool paused;		 /* as we told the source */
	bool done;		 /* nothing more is planned */
	bool broken;		 /* the source gives no more samples */
	bool failed;
	bool quit;
	const char *select;   /* the worker's name of --select, until it is known; NULL */
	bool ahead;	      /* a lecture's next scene is to be checked */
	int asked;	      /* the key, x or y, whose question is shown; 0 */
	bool leaving;	      /* Quit was clicked: a second click or Enter is a yes */
	uint64_t revealed_ns; /* since when a vote's bars run out; 0: they do not */
	char notice[SAMPLE_TEXT];
};

static void notify(struct app *app, const char *text)
{
	snprintf(app->notice, sizeof(app->notice), "%s", text);
	app->view.state.notice = app->notice;
	app->dirty = app->urgent = true;
}

/* A message of the front end itself goes the way of all samples, but not into the log. */
__attribute__((format(printf, 2, 3))) static void fail(struct app *app, const char *format, ...)
{
	struct sample sample = {
		.kind = SAMPLE_MESSAGE,
		.time_ns = app->model.newest_ns,
		.message.severity = SAMPLE_ERROR,
	};
	va_list args;

	va_start(args, format);
	vsnprintf(sample.message.text, sizeof(sample.message.text), format, args);
	va_end(args);
	model_apply(&app->model, &sample);
	app->failed = true;
	notify(app, sample.message.text);
}

/* A word that was said before it is kept. */
static void offer_next(struct app *app)
{
	const char *next = chooser_after(app->model.session.experiment);
	char text[SAMPLE_LABEL + 64];

	if (app->console->lecturer)
		return;
	app->view.state.next = next;
	if (app->view.state.notice || app->options->exit)
		return;
	snprintf(text, sizeof(text), "What next? E runs %s, e has all experiments and recordings.",
		 next);
	notify(app, text);
}

/* Samples */

static void write_log(struct app *app, const struct sample *sample)
{
	const int error = app->log ? log_write(app->log, sample) : 0;

	if (!error)
		return;
	DEBUG(app->options->debug, "log", "%s", strerror(-error));
	app->log = NULL;
	fail(app, "the log %s: %s; the session goes on without it",
	     app->view.state.log_name ? app->view.state.log_name : "", strerror(-error));
	app->view.state.log_name = NULL;
}

static int take_sample(void *arg, const struct sample *sample)
{
	struct app *app = arg;
	const int error = model_apply(&app->model, sample);

	write_log(app, sample);
	if (error)
		fail(app, "a sample was lost: %s", strerror(-error));
	app->dirty = true;
	switch (sample->kind) {
	case SAMPLE_RUN_BEGIN:
		app->done = false;
		app->view.state.next = NULL;
		break;
	case SAMPLE_RUN_END:
		if (sample->end.totals.status != SAMPLE_OK && !sample->end.totals.fault &&
		    !app->quit && app->view.state.live)
			app->failed = true;
		break;
	case SAMPLE_MESSAGE:
		if (sample->message.severity == SAMPLE_ERROR && app->view.state.live) {
			app->failed = true;
			notify(app, sample->message.text);
		}
		break;
	case SAMPLE_DONE:
		DEBUG(app->options->debug, "app", "the source has ended");
		app->done = true;
		if (app->view.state.live)
			offer_next(app);
		break;
	default:
		break;
	}
	return 0;
}

static void take_samples(struct app *app)
{
	const int error = app->broken ? 0 : app->source->ops->pump(app->source, take_sample, app);

	if (error >= 0)
		return;
	DEBUG(app->options->debug, "source", "broken: %s", source_strerror(error));
	app->broken = true;
	fail(app, "the session cannot go on: %s", source_strerror(error));
}

/* The session is over: no more samples come by themselves. */
static bool is_over(const struct app *app)
{
	return app->done || app->broken || app->source->ops->fd(app->source) < 0;
}

/* Nothing moves the session's clock: neither the player nor new samples. */
static bool stands(const struct app *app)
{
	return app->player.follow ? is_over(app) : !player_moves(&app->player, &app->model);
}

#define REVEAL_NS UINT64_C(1500000000)

static void advance_reveal(struct app *app)
{
	const uint64_t passed_ns = clock_now_ns() - app->revealed_ns;

	if (app->revealed_ns == 0)
		return;
	app->view.state.hidden =
		passed_ns < REVEAL_NS ? 1 - (double)passed_ns / (double)REVEAL_NS : 0;
	if (!app->view.state.present || passed_ns >= REVEAL_NS)
		app->revealed_ns = 0;
}

/* --select, once it is known which workers there are. */
static void select_worker(struct app *app)
{
	int err = app->select ? view_select(&app->view, &app->model, app->select) : 0;
	char text[SAMPLE_TEXT];

	if (err == -EAGAIN)
		return;
	if (err == -ENOENT) {
		snprintf(text, sizeof(text), "--select: no worker is called \"%.80s\"",
			 app->select);
		utf8_mask(text);
		notify(app, text);
	}
	app->select = NULL;
}

/* A run that is measured would be ended by a choice. */
static bool measures(const struct app *app)
{
	return app->view.state.live && !app->view.state.hold && !is_over(app);
}

static void compose_menu(struct app *app)
{
	struct menu *menu = chooser_menu(app->chooser);

	menu->alone = app->alone;
	menu->running = measures(app);
	menu->notice = app->view.state.notice;
	chooser_refresh(app->chooser);
	view_menu_draw(&app->canvas, menu);
}

/* The frame as of the model's clock; false without memory for it. */
static bool compose(struct app *app)
{
	int width, height;

	app->view.state.clock = (struct view_clock) {
		.shown = !app->view.state.live || !app->player.follow,
		.paused = stands(app),
		.live = app->view.state.live,
		.speed = player_speed(&app->player),
	};
	select_worker(app);
	screen_size(app->console->screen, &width, &height);
	if (canvas_resize(&app->canvas, width, height) < 0)
		return false;
	if (app->alone)
		canvas_clear(&app->canvas);
	else
		view_draw(&app->canvas, &app->model, &app->view);
	if (app->chooser)
		compose_menu(app);
	if (app->console->ascii)
		canvas_to_ascii(&app->canvas);
	return true;
}

/* Keys */

static bool control(struct app *app, enum source_command command)
{
	const int error = app->source->ops->control(app->source, command);

	if (error == -ENOTSUP)
		notify(app, "a recording cannot do that");
	else if (error)
		fail(app, "the session did not obey: %s", strerror(-error));
	return error == 0;
}

static void toggle_pause(struct app *app)
{
	if (control(app, SOURCE_PAUSE))
		app->paused = !app->paused;
}

static void press_space(struct app *app)
{
	if (!app->view.state.hold)
		toggle_pause(app);
	else if (control(app, SOURCE_START))
		app->view.state.hold = false;
}

/* Who leads is shown as it was asked: by bars that run out. */
static void reveal(struct app *app)
{
	app->view.state.vote = false;
	app->view.state.present = true;
	app->view.state.hidden = 1;
	app->revealed_ns = clock_now_ns();
}

static void next_theme(struct app *app)
{
	char text[SAMPLE_LABEL];

	if (!theme_at(++app->console->theme))
		app->console->theme = 0;
	app->console->themed = true;
	screen_set_theme(app->console->screen, theme_at(app->console->theme));
	snprintf(text, sizeof(text), "theme: %s", theme_at(app->console->theme)->name);
	notify(app, text);
}

/* The view alone, on a canvas of its own. */
static int save_slide(struct app *app, char *said, size_t size)
{
	struct canvas canvas = {0};
	char name[VIEW_PANEL_NAME];
	int err = canvas_resize(&canvas, SNAPSHOT_SLIDE_W, SNAPSHOT_SLIDE_H);

	if (err)
		return err;
	view_panel(&canvas, &app->model, &app->view, name);
	if (app->console->ascii)
		canvas_to_ascii(&canvas);
	err = snapshot_save_slide(&canvas, theme_at(app->console->theme), name, said, size);
	canvas_free(&canvas);
	return err;
}

/* The screen as it is, without the word about the last snapshot. */
static void snapshot(struct app *app, bool slide)
{
	char said[SAMPLE_TEXT] = "";

	if (slide)
		save_slide(app, said, sizeof(said));
	else if (compose(app))
		snapshot_save(&app->canvas, theme_at(app->console->theme), said, sizeof(said));
	if (*said)
		notify(app, said);
}

/* An arrow moves the view where it can move, else the clock. */
static bool use_key(struct app *app, int key)
{
	const bool view_first = (key >= KEY_UP_ARROW && key <= KEY_RIGHT_ARROW) ||
				app->view.state.help || app->view.state.lecture.open;

	if (view_first && view_key(&app->view, &app->model, key))
		return true;
	if (key == ' ' && app->view.state.vote && !app->view.state.hold) {
		reveal(app);
		return true;
	}
	if (key == ' ' && app->view.state.live && app->player.follow) {
		press_space(app);
		return true;
	}
	return player_key(&app->player, &app->model, key) ||
	       (!view_first && view_key(&app->view, &app->model, key));
}

/* Who watches a recording may not expect a session to begin: the first y asks. */
static void ask_why(struct app *app, const struct why_cause *cause)
{
	char text[WHY_OPTIONS + 64];

	snprintf(text, sizeof(text), "y again: run it with %s; any other key: no", cause->options);
	notify(app, text);
	app->asked = 'y';
}

/* The experiment that shows the cause runs after this session, in its place. */
static void press_why(struct app *app, bool asked)
{
	const bool live = app->view.state.live;
	char error[SAMPLE_TEXT];
	struct why_cause cause;

	if (!model_over(&app->model))
		notify(app, live ? "y waits for the session's end: what shows a cause runs then."
				 : "y works at the recording's end: the End key goes there.");
	else if (!why_cause_of(&app->model, &cause))
		notify(app, "No cause is known here that another session would show.");
	else if (again_make(&app->console->next, app->options, cause.recorded, cause.options, error,
			    sizeof(error)))
		notify(app, error);
	else if (live || asked)
		app->quit = true;
	else
		ask_why(app, &cause);
	if (!app->quit)
		next_free(&app->console->next);
}

/* The menu */

static void close_menu(struct app *app)
{
	chooser_close(app->chooser);
	app->chooser = NULL;
}

/* Behind a session that is over the next experiment is selected, else the one that runs. */
static void open_menu(struct app *app)
{
	const bool live = app->view.state.live;
	const char *experiment = app->model.session.experiment;

	if (app->alone)
		experiment = app->options->request.experiment;
	else if (live && app->done)
		experiment = chooser_after(experiment);
	app->chooser = chooser_open(experiment, measures(app) ? app->view.state.log_name : NULL);
	if (app->chooser && (app->options->config || app->options->config_path[0]))
		chooser_seal(app->chooser);
	if (app->chooser)
		return;
	notify(app, strerror(ENOMEM));
	app->quit = app->failed = app->alone;
}

/* A line as it would be typed follows this session, on the screen as it is. */
static void follow_line(struct app *app, const char *line, bool replay)
{
	struct next *next = &app->console->next;
	struct options now = *app->options;
	char error[SAMPLE_TEXT];
	int err = next_take_line(next, line, error, sizeof(error));

	now.no_log &= !replay;
	if (!err)
		err = next_add_now(next, &now);
	app->quit = err == 0;
	if (!err)
		return;
	next_free(next);
	notify(app, error);
}

/* The next experiment of the table, as it is. */
static void press_next(struct app *app)
{
	char line[SAMPLE_LABEL + 32];

	if (!app->view.state.live || !app->done) {
		open_menu(app);
		return;
	}
	snprintf(line, sizeof(line), "tuibench --experiment %s",
		 chooser_after(app->model.session.experiment));
	follow_line(app, line, false);
}

/* Terminals do not say whether they took it: it is printed on leaving as well. */
static void copy_command(struct app *app)
{
	const char *command = chooser_menu(app->chooser)->command;
	const bool told = screen_copy(app->console->screen, command);

	console_say(app->console, "%s", command);
	notify(app, told ? "copied to the clipboard, if the terminal allows it; printed on leaving"
			 : "this terminal takes no copies: it is printed on leaving");
}

/* False for a key that is not the menu's, and may be pressed over it. */
static bool press_menu(struct app *app, int key)
{
	struct menu *menu = chooser_menu(app->chooser);

	switch (menu_key(menu, key)) {
	case MENU_CHOSEN:
		follow_line(app, menu->command, menu_recording(menu) != NULL);
		return true;
	case MENU_COPIED:
		copy_command(app);
		return true;
	case MENU_CLOSED:
		close_menu(app);
		app->quit = app->alone;
		return true;
	case MENU_STAYS:
		chooser_refresh(app->chooser);
		return true;
	case MENU_NO_USE:
		break;
	}
	return !strchr("qst", key < 128 ? key : ' ') && key != KEY_F10 && key != KEY_CTRL_L;
}

/* The first x asks: a hand slips. */
static void press_crash(struct app *app, bool asked)
{
	int (*crash)(struct source *, uint32_t) = app->source->ops->crash;
	char name[64], text[SAMPLE_TEXT];
	uint32_t worker;
	int err;

	if (!crash || !app->view.state.live)
		notify(app, "x makes a worker crash while it runs: this is a recording.");
	else if (!view_selected(&app->view, &app->model, &worker, name, sizeof(name)))
		notify(app, "x makes the selected worker crash: none of the run that goes on is "
			    "selected (2, then the arrows).");
	else if (!asked) {
		snprintf(text, sizeof(text), "x again: %s crashes (SIGSEGV); any other key: no",
			 name);
		notify(app, text);
		app->asked = 'x';
	} else {
		err = crash(app->source, worker);
		snprintf(text, sizeof(text),
			 err == -EBUSY ? "One worker of this run crashes anyway."
			 : err	       ? "%s is not at work: it cannot crash now."
				       : "%s crashes: who survives is said at the run's end.",
			 name);
		notify(app, text);
	}
}

/* The trial is watched, also by who looked at an earlier one. */
static void press_more(struct app *app)
{
	if (!control(app, SOURCE_ONE_MORE))
		return;
	app->done = false;
	player_follow(&app->player, &app->model);
}

static void press_other(struct app *app, int key)
{
	const int view = app->view.state.view;

	if (key == 'e')
		open_menu(app);
	else if (key == 'E')
		press_next(app);
	else if (!use_key(app, key))
		DEBUG(app->options->debug, "view", "no use for key %d", key);
	else if (app->view.state.view != view)
		DEBUG(app->options->debug, "view", "view %d", app->view.state.view);
}

/* F2 … F8 are where htop has them; F1 and F10 have names of their own. */
static int letter_of(int key)
{
	static const char letters[] = "\0t/c*o<>";

	return key > KEY_F1 && key < KEY_F1 + 8 ? letters[key - KEY_F1] : key;
}

static void show_scene(struct app *app)
{
	if (app->console->lecturer)
		app->select = lecturer_show(app->console->lecturer, &app->view.state);
	app->ahead = app->console->lecturer != NULL;
}

/* Once the scene is on the screen: whether the next one can be. */
static void look_ahead(struct app *app)
{
	const char *ahead =
		app->ahead && !app->urgent ? lecturer_ahead(app->console->lecturer) : NULL;

	app->ahead &= app->urgent;
	if (ahead)
		notify(app, ahead);
}

/* A presenter's remote has no Space: what a vote covers is uncovered by the first step. */
static bool reveals(const struct app *app, int key)
{
	const struct view_state *state = &app->view.state;

	return key == KEY_PAGE_DOWN && state->vote && !state->hold && !state->lecture.blank;
}

/* Keys of a lecture come first: those of a presenter's remote step, whatever is shown. */
static bool press_lecture(struct app *app, int key)
{
	struct lecturer *lecturer = app->console->lecturer;
	const struct view_state *state = &app->view.state;
	const bool rests = !state->vote &&
			   (state->live && app->player.follow ? !state->hold && is_over(app)
							      : stands(app) && !app->player.paused);

	if (lecturer && reveals(app, key)) {
		app->view.state.lecture.open = false;
		reveal(app);
		return true;
	}
	switch (lecturer ? lecturer_key(lecturer, &app->view.state, key, rests) : LECTURER_NONE) {
	case LECTURER_NONE:
		return false;
	case LECTURER_DONE:
		break;
	case LECTURER_STEP:
		show_scene(app);
		break;
	case LECTURER_SAID:
		notify(app, lecturer->notice);
		break;
	case LECTURER_GO:
		app->quit = true;
	}
	return true;
}

static int key_meant(int key, bool leaving)
{
	return leaving && key == KEY_ENTER_KEY ? 'q' : letter_of(key);
}

/* asked: the key whose question the user has seen, and answers with this one; 0. */
static void press_session(struct app *app, int key, int asked)
{
	switch (key) {
	case 'q':
	case KEY_F10:
		app->quit = true;
		break;
	case 'r':
		press_more(app);
		break;
	case 's':
	case 'S':
		snapshot(app, key == 'S');
		break;
	case 't':
		next_theme(app);
		break;
	case 'x':
		press_crash(app, asked == 'x');
		break;
	case 'y':
		press_why(app, asked == 'y');
		break;
	case KEY_CTRL_L:
		screen_redraw(app->console->screen);
		break;
	default:
		press_other(app, key);
	}
}

static void press(struct app *app, int key)
{
	const bool leaving = app->leaving;
	const int asked = app->asked;

	app->asked = 0;
	app->leaving = false;
	app->view.state.notice = NULL;
	app->dirty = app->urgent = true;
	if (app->view.state.typing && key != KEY_CTRL_L) {
		view_key(&app->view, &app->model, key);
		return;
	}
	key = key_meant(key, leaving);
	if ((app->chooser && press_menu(app, key)) || press_lecture(app, key))
		return;
	press_session(app, key, asked);
}

/* A closed terminal ends the session as SIGHUP does, which may be ignored (nohup). */
static void hang_up(struct app *app)
{
	DEBUG(app->options->debug, "screen", "the terminal is gone");
	app->quit = true;
	app->console->signal = SIGHUP;
}

/* A hand slips: what a click would end is asked for. */
static void click_quit(struct app *app)
{
	if (app->leaving)
		app->quit = true;
	else
		notify(app, "Quit? Enter or a second click quits; any other key stays.");
	app->leaving = true;
}

/* A press in the line of time goes there, the wheel moves along it. */
static void use_clock(struct app *app, int key, double at)
{
	if (key == KEY_MOUSE_PRESS)
		player_seek(&app->player, &app->model, at);
	else
		player_key(&app->player, &app->model,
			   key == KEY_WHEEL_UP ? KEY_LEFT_ARROW : KEY_RIGHT_ARROW);
}

static void use_mouse(struct app *app, int key, int x, int y)
{
	const double at = view_clock_at(&app->view.shown, x, y);

	app->dirty = app->urgent = true;
	if (at >= 0 && !app->view.state.typing && !app->chooser) {
		use_clock(app, key, at);
		return;
	}
	if (app->chooser)
		key = menu_mouse(chooser_menu(app->chooser), key, x, y);
	else
		key = view_mouse(&app->view, key, x, y);
	if (key == 'q')
		click_quit(app);
	else if (key)
		press(app, key);
}

/* The first theme goes with the terminal; what has been chosen stays. */
static void follow_background(struct app *app)
{
	const struct theme *theme = theme_on(screen_background(app->console->screen));

	DEBUG(app->options->debug, "screen", "background #%06x",
	      screen_background(app->console->screen));
	console_suggest_theme(app->console, theme);
	app->dirty = app->urgent = true;
}

static void take_keys(struct app *app)
{
	int key = 0, x = 0, y = 0;

	while (!app->quit && (key = screen_key(app->console->screen, &x, &y)) > 0) {
		if (key == KEY_BACKGROUND)
			follow_background(app);
		else if (key >= KEY_MOUSE_PRESS)
			use_mouse(app, key, x, y);
		else
			press(app, key);
	}
	if (!app->quit && key < 0)
		hang_up(app);
}

/* Signals */

/* The workers rest too: what they do unwatched is no measurement. */
static void suspend(struct app *app)
{
	const bool running = !app->paused && !app->done;

	if (running)
		toggle_pause(app);
	screen_suspend(app->console->screen);
	suspend_here();
	if (!console_await_foreground(app->console)) {
		app->quit = true;
		return;
	}
	screen_resume(app->console->screen);
	if (running && app->paused)
		toggle_pause(app);
}

static void take_signal(struct app *app)
{
	struct signalfd_siginfo info;

	if (read(app->console->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	app->dirty = app->urgent = true;
	switch (info.ssi_signo) {
	case SIGWINCH:
		screen_resized(app->console->screen);
		break;
	case SIGCONT: /* after a SIGSTOP, when the shell has set its own modes */
		app->quit = !console_await_foreground(app->console);
		if (!app->quit)
			screen_resume(app->console->screen);
		break;
	case SIGTSTP:
		suspend(app);
		break;
	default:
		DEBUG(app->options->debug, "app", "signal %d", (int)info.ssi_signo);
		app->quit = true;
		app->console->signal = (int)info.ssi_signo;
	}
}

/* Frames */

/* The terminal has not taken a frame, or takes them again. */
static void stall(struct app *app, bool stalled)
{
	if (stalled != app->stalled)
		DEBUG(app->options->debug, "screen", "%s",
		      stalled ? "frames wait: the terminal takes nothing" : "frames go out again");
	app->stalled = stalled;
}

/* While runs go on, drawing may use this part of a core, unless frames became too few. */
#define SECOND	    UINT64_C(1000000000)
#define DRAW_PAUSE  200
#define LONGEST_GAP (SECOND / 4)

/* A frame that took so long is followed by the next one after this time, ns. */
static uint64_t frame_gap(const struct app *app, uint64_t took_us)
{
	const uint64_t least = SECOND / app->options->fps;
	const uint64_t wanted = took_us * 1000 * DRAW_PAUSE;
	const uint64_t most = least > LONGEST_GAP ? least : LONGEST_GAP;

	if (!app->view.state.live || app->done || wanted < least)
		return least;
	return wanted < most ? wanted : most;
}

static void draw(struct app *app)
{
	const uint64_t used_us = clock_used_us(RUSAGE_SELF);

	player_advance(&app->player, &app->model, clock_now_ns());
	advance_reveal(app);
	if (!compose(app))
		return;
	stall(app, !screen_blit(app->console->screen, &app->canvas));
	app->dirty = app->stalled || app->view.shown.unfinished || app->revealed_ns ||
		     player_moves(&app->player, &app->model);
	if (app->chooser)
		app->dirty |= chooser_read(app->chooser, measures(app));
	app->urgent = false;
	app->due_ns = clock_now_ns() + frame_gap(app, clock_used_us(RUSAGE_SELF) - used_us);
}

/* The time until the next frame may be drawn; 0: now. */
static uint64_t frame_wait(const struct app *app)
{
	const uint64_t now = clock_now_ns();

	return app->urgent || now >= app->due_ns ? 0 : app->due_ns - now;
}

static void wait_for_something(struct app *app, struct pollfd fds[FDS])
{
	int wait_ms = -1;

	if (app->dirty)
		wait_ms = (int)((frame_wait(app) + 999999) / 1000000);
	fds[FD_SOURCE].fd = app->broken ? -1 : app->source->ops->fd(app->source);
	fds[FD_TERMINAL].events = app->stalled ? POLLOUT : 0;
	if (poll(fds, FDS, wait_ms) < 0)
		for (int i = 0; i < FDS; i++)
			fds[i].revents = 0;
}

static void loop(struct app *app)
{
	struct pollfd fds[FDS] = {
		[FD_KEYS] = {.fd = app->console->tty_in, .events = POLLIN},
		[FD_SIGNALS] = {.fd = app->console->signal_fd, .events = POLLIN},
		[FD_SOURCE] = {.events = POLLIN},
		[FD_TERMINAL] = {.fd = STDOUT_FILENO},
	};

	while (!app->quit) {
		if (app->dirty && frame_wait(app) == 0)
			draw(app);
		look_ahead(app);
		if (is_over(app) && app->options->exit && !app->dirty && !app->chooser)
			return;
		wait_for_something(app, fds);
		if (fds[FD_SIGNALS].revents)
			take_signal(app);
		if (fds[FD_KEYS].revents)
			take_keys(app);
		if (fds[FD_SOURCE].revents)
			take_samples(app);
		if (fds[FD_TERMINAL].revents & (POLLHUP | POLLERR))
			hang_up(app);
		else if (fds[FD_TERMINAL].revents)
			app->urgent = true;
	}
}

/*
 * A terminal that closes is seen before its SIGHUP comes, and a shell in it sends another: these
 * are no wish to end sooner.
 */
static bool hurries(const struct app *app, int number)
{
	return number != SIGWINCH && number != SIGCONT &&
	       !(number == SIGHUP && app->console->signal == SIGHUP);
}

/* All measurements so far are in the log when this returns. A second signal ends the wait. */
static void stop_run(struct app *app)
{
	const uint64_t deadline = clock_now_ns() + STOP_MS * UINT64_C(1000000);
	struct pollfd fds[] = {
		{.fd = app->source->ops->fd(app->source), .events = POLLIN},
		{.fd = app->console->signal_fd, .events = POLLIN},
	};
	struct signalfd_siginfo info;

	if (!app->view.state.live || app->done || app->broken ||
	    app->source->ops->control(app->source, SOURCE_STOP))
		return;
	while (!app->done && !app->broken && clock_now_ns() < deadline) {
		poll(fds, 2, 50);
		if (read(app->console->signal_fd, &info, sizeof(info)) == sizeof(info) &&
		    hurries(app, (int)info.ssi_signo)) {
			if (console_stays(app->console))
				app->console->signal = (int)info.ssi_signo;
			return;
		}
		take_samples(app);
	}
}

static bool has_answer(const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (model_measured(model, &model->runs[i]))
			return true;
	return false;
}

/* The screen took its sentence with it; the name of the recording follows. */
static void print_answer(struct app *app)
{
	char line[VERDICT_TEXT + VERDICT_BADGE];

	if (app->view.state.live)
		model_seek(&app->model, app->model.newest_ns);
	if (app->view.state.vote || !has_answer(&app->model))
		return;
	/* Of many scenes one has to know whose it is. */
	if (app->view.state.lecture.heading)
		console_say(app->console, "%s", app->view.state.lecture.heading);
	console_say_text(app->console, verdict_line(&app->model, line, sizeof(line)));
}

/* The screen took its messages with it. */
static void print_errors(const struct app *app)
{
	size_t errors = 0;

	for (size_t i = 0; (app->view.state.live || app->broken) && i < app->model.n_messages; i++)
		if (app->model.messages[i].severity == SAMPLE_ERROR && errors++ < ERRORS_PRINTED)
			console_say(app->console, "tuibench: %s", app->model.messages[i].text);
	if (errors > ERRORS_PRINTED)
		console_say(app->console, "tuibench: and %zu more", errors - ERRORS_PRINTED);
}

/* Start */

static int session(struct app *app)
{
	struct console *console = app->console;

	if (console_open(console, app->options) < 0)
		return console->signal ? 128 + console->signal : 1;
	take_samples(app); /* the first frame says what runs, and Space finds a session to start */
	loop(app);
	app->quit = true;
	if (!console_stays(console))
		console_leave(console);
	stop_run(app);
	print_answer(app);
	print_errors(app);
	if (console->signal)
		return 128 + console->signal;
	return app->failed ? 1 : 0;
}

static int run_model(struct app *app, const char *log_name)
{
	const struct options *options = app->options;
	struct view_state *state = &app->view.state;
	int status;

	view_init(&app->view);
	state->live = !options->replay && !app->alone;
	state->settled = options->view > 0;
	if (options->view > 0)
		state->view = options->view;
	state->zoom = options->zoom.times > 1 ? options->zoom.times : 1;
	state->window_from_ns = options->zoom.from_ns;
	state->window_to_ns = options->zoom.to_ns;
	app->select = options->select;
	state->hold = state->live && options->request.hold;
	state->vote = options->vote;
	state->captions = app->console->captions ? app->console->captions
						 : (enum view_captions)options->captions;
	player_init(&app->player, state->live || options_streams(options), options->speed);
	state->log_name = log_name;
	app->dirty = app->urgent = true;
	show_scene(app);
	if (app->console->lecturer && app->console->lecturer->again)
		player_seek(&app->player, &app->model, 1);
	if (app->alone)
		open_menu(app);
	status = session(app);
	chooser_close(app->chooser);
	app->console->captions = state->captions;
	if (app->console->lecturer)
		lecturer_keep(app->console->lecturer, &app->model);
	canvas_free(&app->canvas);
	view_free(&app->view);
	model_free(&app->model);
	return status;
}

int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, const char *log_name)
{
	struct app app = {.console = console, .options = options, .source = source, .log = log};

	model_init(&app.model);
	return run_model(&app, log || options->replay ? log_name : NULL);
}

int app_show(struct console *console, const struct options *options, struct model *model,
	     const char *log_name)
{
	struct source over = {.ops = &source_over};
	struct app app = {.console = console, .options = options, .source = &over, .model = *model};

	model_init(model);
	return run_model(&app, log_name);
}

int app_menu(struct console *console, const struct options *options)
{
	struct source over = {.ops = &source_over};
	struct app app = {.console = console, .options = options, .source = &over, .alone = true};

	model_init(&app.model);
	return run_model(&app, NULL);
}
