/* SPDX-License-Identifier: MIT */
#include "press.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "base/clock.h"
#include "base/debug.h"
#include "command.h"
#include "console.h"
#include "draw/snapshot.h"
#include "draw/theme.h"
#include "lecturer.h"
#include "report/why.h"
#include "screen/screen.h"
#include "snapshot_file.h"

static bool control(struct app *app, enum source_command command)
{
	const int error = app->source->ops->control(app->source, command);

	if (error == -ENOTSUP)
		app_notify(app, "a recording cannot do that");
	else if (error)
		app_fail(app, "the session did not obey: %s", strerror(-error));
	return error == 0;
}

void press_pause(struct app *app)
{
	if (control(app, SOURCE_PAUSE))
		app->paused = !app->paused;
}

static void press_space(struct app *app)
{
	if (!app->view.state.hold)
		press_pause(app);
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
	app_notify(app, text);
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
	else if (app_compose(app))
		snapshot_save(&app->canvas, theme_at(app->console->theme), said, sizeof(said));
	if (*said)
		app_notify(app, said);
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

/* What is about to run is shown whole, and what a recording would have started besides. */
static int ask_why(struct app *app, const struct why_cause *cause, const char *outside)
{
	struct next *next = &app->console->next;
	char *line = command_text(next->argc, next->argv), *text = NULL;
	int n = !line ? -1
		      : asprintf(&text, "%s\n\nThis runs in the place of what is shown:\n$ %s%s%s",
				 cause->text, line,
				 *outside ? "\n\nA recording starts nothing outside tuibench. Left "
					    "out:\n"
					  : "",
				 outside);

	free(line);
	if (n < 0)
		return -ENOMEM;
	app->question =
		(struct view_question) {.title = "why", .text = text, .yes = "runs it", .key = 'y'};
	return 0;
}

static void offer_why(struct app *app, const struct why_cause *cause)
{
	const bool live = app->view.state.live;
	struct next *next = &app->console->next;
	struct again again = {
		.recorded = cause->recorded, .more = cause->options, .seed = -1, .keeps = live};
	char error[SAMPLE_TEXT] = "out of memory", *outside = NULL;
	size_t size;
	int err;

	again.outside = open_memstream(&outside, &size);
	err = again.outside ? again_make(next, &again, app->options, "y", error, sizeof(error))
			    : -ENOMEM;
	if (again.outside && fclose(again.outside))
		err = -ENOMEM;
	if (!err)
		err = next_check(next, error, sizeof(error));
	if (!err)
		err = ask_why(app, cause, live ? "" : outside);
	if (err) {
		next_free(next);
		app_notify(app, error);
	}
	free(outside);
}

/* The experiment that shows the cause runs after this session, in its place. */
static void press_why(struct app *app)
{
	struct why_cause cause;

	if (!model_over(&app->model))
		app_notify(app,
			   app->view.state.live
				   ? "y waits for the session's end: what shows a cause runs "
				     "then."
				   : "y works at the recording's end: the End key goes there.");
	else if (!why_cause_of(&app->model, &cause))
		app_notify(app, "No cause is known here that another session would show.");
	else if (!*cause.options)
		app_notify(app, cause.text);
	else
		offer_why(app, &cause);
}

static void press_question(struct app *app, int key)
{
	switch (view_question_key(&app->question, key)) {
	case VIEW_STAYS:
		return;
	case VIEW_YES:
		app->quit = app->agreed = true;
		break;
	case VIEW_NO:
		next_free(&app->console->next);
		app->quit = app->alone;
	}
	free(app->question.text);
	app->question.text = NULL;
}

/* The menu */

static void close_menu(struct app *app)
{
	chooser_close(app->chooser);
	app->chooser = NULL;
}

/* Behind a session that is over the next experiment is selected, else the one that runs. */
void press_open_menu(struct app *app)
{
	const bool live = app->view.state.live;
	const char *experiment = app->model.session.experiment;

	if (app->view.state.lecture.slide) { /* it has no session that another could follow */
		app_notify(app, "A slide has no menu: scenes with a session do.");
		return;
	}
	if (app->alone)
		experiment = app->options->request.experiment;
	else if (live && app->done)
		experiment = chooser_after(experiment);
	app->chooser =
		chooser_open(experiment, app_measures(app) ? app->view.state.log_name : NULL);
	if (app->chooser && (app->options->config || app->options->config_path[0]))
		chooser_seal(app->chooser);
	if (app->chooser)
		return;
	if (app->alone)
		app_fail(app, "no memory for the menu");
	else
		app_notify(app, strerror(ENOMEM));
	app->quit = app->alone;
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
	app_notify(app, error);
}

/* The next experiment of the table, as it is. */
static void press_next(struct app *app)
{
	char line[SAMPLE_LABEL + 32];

	if (!app->view.state.live || !app->done) {
		press_open_menu(app);
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
	app_notify(app,
		   told ? "copied to the clipboard, if the terminal allows it; printed on leaving"
			: "this terminal takes no copies: it is printed on leaving");
}

/* One that cannot be read does not take the place of what is shown. */
static bool can_play(struct app *app)
{
	const int err = chooser_try(app->chooser);
	const char *why = menu_recording(chooser_menu(app->chooser))->sentence;
	char text[SAMPLE_TEXT];

	if (!err || (err == -EMEDIUMTYPE && !app->console->lecturer))
		return true;
	snprintf(text, sizeof(text), "This cannot be played: %s", why ? why : strerror(ENOMEM));
	app_notify(app,
		   err == -EMEDIUMTYPE
			   ? "This is a lecture, too: q leaves this one, then it can be played."
			   : text);
	return false;
}

static void follow_menu(struct app *app)
{
	struct menu *menu = chooser_menu(app->chooser);
	const bool recording = menu_recording(menu) != NULL;

	if (!recording || can_play(app))
		follow_line(app, menu->command, recording);
}

/* False for a key that is not the menu's, and may be pressed over it. */
static bool press_menu(struct app *app, int key)
{
	struct menu *menu = chooser_menu(app->chooser);

	chooser_refresh(app->chooser); /* more than one key may come between two frames */
	switch (menu_key(menu, key)) {
	case MENU_CHOSEN:
		follow_menu(app);
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
		app_notify(app, "x makes a worker crash while it runs: this is a recording.");
	else if (!view_selected(&app->view, &app->model, &worker, name, sizeof(name)))
		app_notify(app,
			   "x makes the selected worker crash: none of the run that goes on is "
			   "selected (2, then the arrows).");
	else if (!asked) {
		snprintf(text, sizeof(text), "x again: %s crashes (SIGSEGV); any other key: no",
			 name);
		app_notify(app, text);
		app->asked = 'x';
	} else {
		err = crash(app->source, worker);
		snprintf(text, sizeof(text),
			 err == -EBUSY ? "One worker of this run crashes anyway."
			 : err	       ? "%s is not at work: it cannot crash now."
				       : "%s crashes: who survives is said at the run's end.",
			 name);
		app_notify(app, text);
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
		press_open_menu(app);
	else if (key == 'E')
		press_next(app);
	else if (!use_key(app, key))
		DEBUG(app->options->debug, "view", "no use for key %d", key);
	else if (app->view.state.view != view)
		DEBUG(app->options->debug, "view", "view %d", app->view.state.view);
}

void press_scene(struct app *app)
{
	if (app->console->lecturer)
		app->select = lecturer_show(app->console->lecturer, &app->view.state);
	app->ahead = app->console->lecturer != NULL;
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
	const bool rests = !state->vote && (state->live && app->player.follow
						    ? !state->hold && app_is_over(app)
						    : app_stands(app) && !app->player.paused);

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
		press_scene(app);
		break;
	case LECTURER_SAID:
		app_notify(app, lecturer->notice);
		break;
	case LECTURER_GO:
		app->quit = true;
	}
	return true;
}

static int key_meant(int key, bool leaving)
{
	return leaving && key == KEY_ENTER_KEY ? 'q' : key;
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
		press_why(app);
		break;
	case KEY_CTRL_L:
		screen_redraw(app->console->screen);
		break;
	default:
		press_other(app, key);
	}
}

static void press_key(struct app *app, int key)
{
	const bool leaving = app->leaving;
	const int asked = app->asked;

	app->asked = 0;
	app->leaving = false;
	app->view.state.notice = NULL;
	app->dirty = app->urgent = true;
	if (app->question.text && key != KEY_CTRL_L) {
		press_question(app, key);
		return;
	}
	if (app->view.state.typing && key != KEY_CTRL_L) {
		view_key(&app->view, &app->model, key);
		return;
	}
	key = key_meant(key, leaving);
	if ((app->chooser && press_menu(app, key)) || press_lecture(app, key))
		return;
	press_session(app, key, asked);
}

/* A hand slips: what a click would end is asked for. */
static void click_quit(struct app *app)
{
	if (app->leaving)
		app->quit = true;
	else
		app_notify(app, "Quit? Enter or a second click quits; any other key stays.");
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

static void press_mouse(struct app *app, int key, int x, int y)
{
	const double at = view_clock_at(&app->view.shown, x, y);

	app->dirty = app->urgent = true;
	if (app->question.text) {
		if (key != KEY_MOUSE_PRESS)
			press_key(app, key == KEY_WHEEL_UP ? KEY_UP_ARROW : KEY_DOWN_ARROW);
		return;
	}
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
		press_key(app, key);
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

void press_keys(struct app *app)
{
	int key = 0, x = 0, y = 0;

	while (!app->quit && (key = screen_key(app->console->screen, &x, &y)) > 0) {
		if (key == KEY_BACKGROUND)
			follow_background(app);
		else if (key >= KEY_MOUSE_PRESS)
			press_mouse(app, key, x, y);
		else
			press_key(app, key);
	}
	if (!app->quit && key < 0)
		app_hang_up(app);
}
