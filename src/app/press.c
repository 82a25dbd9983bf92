/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error_line.h"
#include "cli/command.h"
#include "draw/key.h"
#include "draw/snapshot.h"
#include "result/report.h"
#include "screen/screen.h"

static bool send_command(struct app *app, enum source_command command)
{
	const int error = app->source->ops->control(app->source, command);

	if (error == -ENOTSUP)
		app_notify(app, "this does not work in a recording");
	else if (error)
		app_fail(app, "the session could not do that: %s", strerror(-error));
	return error == 0;
}

void press_pause(struct app *app)
{
	if (!send_command(app, SOURCE_PAUSE))
		return;
	app->paused = !app->paused;
	app->player.race.paused = app->paused;
}

/* Reveals the result of a vote. The bars of the medians grow. */
static void reveal(struct app *app)
{
	app->view.state.vote = false;
	app->view.state.present = true;
	app->view.state.hidden = 1;
	app->frame.revealed_ns = clock_now_ns();
}

/*
 * The key s saves the screen, without the notice about the last snapshot. The key S saves only the
 * view, as a slide.
 */
static void press_save(struct app *app, int key)
{
	const struct theme *theme = theme_at(app->console->theme);
	struct canvas canvas = {0};
	char said[SAMPLE_TEXT] = "", name[VIEW_PANEL_NAME];

	if (key == 's' && app_compose(app))
		snapshot_save(&app->canvas, theme, NULL, said, sizeof(said));
	if (key == 'S' && canvas_resize(&canvas, SNAPSHOT_SLIDE_W, SNAPSHOT_SLIDE_H) == 0) {
		view_panel(&canvas, &app->model, &app->view, name);
		canvas.glyphs = app->console->glyphs;
		canvas_reduce(&canvas);
		snapshot_save(&canvas, theme, name, said, sizeof(said));
		canvas_free(&canvas);
	}
	if (*said)
		app_notify(app, said);
}

/*
 * Asks before running the experiment that shows the cause. The question has the whole command line,
 * and the options of the recorded session that are left out.
 */
static void offer_why(struct app *app, const struct why_cause *cause)
{
	const bool live = app->view.state.live;
	struct next *next = &app->console->next;
	char error[SAMPLE_TEXT], *outside = NULL, *line = NULL, *text = NULL;
	const char *left_out = "", *what = "";
	const struct again again = {.recorded = cause->recorded,
				    .more = cause->options,
				    .seed = -1,
				    .keeps = live,
				    .outside = &outside};
	int err = again_make(next, &again, app->options, "y", error, sizeof(error));

	if (!err)
		err = next_check(next, error, sizeof(error));
	if (!err)
		line = command_text(next->argc, next->argv);
	if (!live && outside) {
		left_out = "\n\nA recording does not start programs outside tuibench. Left out:\n";
		what = outside;
	}
	if (line && asprintf(&text, "%s\n\nThis replaces the current session:\n$ %s%s%s",
			     cause->text, line, left_out, what) < 0)
		text = NULL;
	if (text) {
		app->question = (struct view_question) {
			.title = "why", .text = text, .yes = "runs it", .key = 'y'};
	} else {
		next_free(next);
		app_notify(app, error);
	}
	free(line);
	free(outside);
}

/*
 * Handles y: offers to run the experiment that shows the cause, or says why that is not possible.
 */
static void press_why(struct app *app)
{
	struct why why;
	char crowded[WHY_TEXT];

	why_find(&app->model, &why);
	if (!model_over(&app->model))
		app_notify(app,
			   app->view.state.live
				   ? "y works after the session has ended. It then runs the "
				     "experiment that shows a cause."
				   : "y works at the end of the recording. Press End to go there.");
	else if (!why.has_cause && why_crowded(&app->model, crowded, sizeof(crowded)))
		app_notify(app, crowded);
	else if (!why.has_cause)
		app_notify(app, "No follow-up experiment explains this result.");
	else if (!*why.cause.options)
		app_notify(app, why.cause.text);
	else
		offer_why(app, &why.cause);
}

/*
 * Opens the menu. The cursor is at the next experiment if the session is over, otherwise at the
 * current experiment.
 */
void press_open_menu(struct app *app)
{
	const bool live = app->view.state.live;
	const char *experiment = app->model.session.experiment;

	/* Of all slides, only the slide that sums up can be followed by a session. */
	if (app->view.state.lecture.slide && !app->view.state.lecture.sums_up) {
		app_notify(app, "This scene has no menu: only scenes with a session have one.");
		return;
	}
	if (app->view.state.tour)
		experiment = NULL;
	else if (app->alone)
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
		app_fail(app, "not enough memory for the menu");
	else
		app_notify(app, strerror(ENOMEM));
	app->quit = app->alone;
}

/* Ends this session and runs a command line, as if it were typed, with the current screen. */
static void follow_line(struct app *app, const char *line, bool replay)
{
	struct next *next = &app->console->next;
	struct options now = *app->options;
	char error[SAMPLE_TEXT];
	int err = next_add_line(next, line);

	now.no_log &= !replay;
	if (err)
		error_line(error, sizeof(error), err, "\"%.80s\" is not a command line: %s", line,
			   strerror(-err));
	else
		err = next_check(next, error, sizeof(error));
	if (!err)
		err = next_add_now(next, &now);
	app->quit = err == 0;
	if (!err)
		return;
	next_free(next);
	app_notify(app, error);
}

/*
 * Runs the menu's choice. Asks first if the choice would end a running session. Keeps the menu open
 * if the chosen recording is unreadable.
 */
static void press_choose(struct app *app)
{
	const struct menu *menu = chooser_menu(app->chooser);
	const struct menu_recording *recording = menu_recording(menu);
	char text[SAMPLE_TEXT];
	int err = 0;

	if (!menu_ready(menu))
		return;
	if (recording)
		err = chooser_try(app->chooser);
	else if (menu_lecture(menu))
		err = -EMEDIUMTYPE;
	if (err == -EMEDIUMTYPE && app->console->lecturer) {
		app_notify(app, "That is a lecture, too. Leave this one with q, then play it.");
	} else if (err && err != -EMEDIUMTYPE) {
		snprintf(text, sizeof(text), "This cannot be played: %s",
			 recording->sentence ? recording->sentence : strerror(ENOMEM));
		app_notify(app, text);
	} else if (menu->running && app->answers != KEYS_CHOOSE) {
		app_notify(app, "This ends the running session. Press Enter again to run it, or "
				"any other key to stay.");
		app->asked = KEYS_CHOOSE;
	} else {
		follow_line(app, menu->command, recording != NULL);
	}
}

/*
 * Crashes the selected worker. The first press of x only asks, because the press may be a mistake.
 */
static void press_crash(struct app *app)
{
	int (*crash)(struct source *, uint32_t) = app->source->ops->crash;
	char name[64], text[SAMPLE_TEXT];
	uint32_t worker;
	int err;

	if (!crash || !app->view.state.live)
		app_notify(app, "x crashes a running worker, and a recording has none.");
	else if (!view_selected(&app->view, &app->model, &worker, name, sizeof(name)))
		app_notify(app, "x crashes the selected worker: select one of the current run (2, "
				"then the arrows).");
	else if (app->answers != KEYS_CRASH) {
		snprintf(text, sizeof(text),
			 "Press x again to crash %s (SIGSEGV), or any other key to cancel.", name);
		app_notify(app, text);
		app->asked = KEYS_CRASH;
	} else {
		err = crash(app->source, worker);
		if (err == -EBUSY)
			snprintf(text, sizeof(text),
				 "This experiment already crashes one worker in each run.");
		else if (err)
			snprintf(text, sizeof(text), "%s is not working now, so it cannot crash.",
				 name);
		else
			snprintf(text, sizeof(text),
				 "%s crashes. The end of the run shows who survives.", name);
		app_notify(app, text);
	}
}

void press_scene(struct app *app)
{
	if (app->console->lecturer)
		app->select = lecturer_show(app->console->lecturer, &app->view.state);
	app->ahead = app->console->lecturer != NULL;
}

/*
 * Steps to another scene. The first press only asks if the step would end a session that measures,
 * because a speaker who expects Space to pause would lose the answer.
 */
static void press_step(struct app *app, int by)
{
	struct lecturer *lecturer = app->console->lecturer;

	if (app_measures(app) && lecturer_leaves(lecturer, by) && app->answers != KEYS_NEXT_SCENE) {
		app_notify(app, "This scene still measures. Press the key again to leave it.");
		app->asked = KEYS_NEXT_SCENE;
		return;
	}
	if (!lecturer_step(lecturer, by))
		app_notify(app, lecturer->notice);
	else if (lecturer->stepped)
		app->quit = true;
	else
		press_scene(app);
}

/* Asks first if scenes of a lecture that is given remain, because q may be a mistake. */
static void press_quit(struct app *app)
{
	const struct lecturer *lecturer = app->console->lecturer;
	const bool remain = lecturer && lecturer->records && lecturer->at + 1 < lecturer->lecture.n;

	if (!remain || app->answers == KEYS_QUIT) {
		app->quit = true;
		return;
	}
	app_notify(app, "Leave the lecture? Press q again to leave it, or any other key to stay.");
	app->asked = KEYS_QUIT;
}

static void start_held(struct app *app)
{
	if (send_command(app, SOURCE_START))
		app->view.state.hold = false;
}

/* Handles Space. In a lecture, Space goes to the next scene, as a presenter's remote does. */
static void press_space(struct app *app)
{
	struct view_state *state = &app->view.state;
	const bool follows = state->live && app->player.follow;

	if (state->hold && follows) {
		start_held(app);
	} else if (state->vote) {
		reveal(app);
	} else if (app->console->lecturer) {
		press_step(app, 1);
	} else if (follows && !app_is_over(app)) {
		press_pause(app);
	} else if (app_stands(app) && !app->player.paused && race_pause(&app->player.race)) {
		return;
	} else {
		player_pause(&app->player, &app->model);
		app->player.race.paused = app->player.paused;
	}
}

/*
 * Whether the keys for speed, runs and steps apply to the race. A recording of long runs has no
 * race, because it plays on the session's clock.
 */
static bool races(const struct app *app)
{
	return app->player.race.race.trial.number > 0 || app->player.follow;
}

static void press_seek(struct app *app, int key)
{
	const int64_t by = app->model.newest_ns / 50;

	if (key == KEY_HOME_KEY)
		player_seek(&app->player, &app->model, 0);
	else if (key != KEY_END_KEY)
		player_move(&app->player, &app->model, key == KEY_LEFT_ARROW ? -by : by);
	else if (!player_follow(&app->player, &app->model))
		player_seek(&app->player, &app->model, 1);
}

/*
 * Changes the speed, or goes to another run or event. If the keys apply to the race, does so in the
 * race.
 */
static bool press_clock(struct app *app, enum keys_act act, int key)
{
	struct player *player = &app->player;
	struct model *model = &app->model;
	int by = -1;

	if (key == '>' || key == ']' || key == '.')
		by = 1;
	if (races(app)) {
		if (act == KEYS_SPEED)
			return race_speed(&player->race, model, by);
		if (act == KEYS_RUN)
			return race_jump(&player->race, model, by);
		return race_step(&player->race, model, by);
	}
	if (act == KEYS_SPEED)
		return player_change_speed(player, by);
	if (act == KEYS_RUN)
		player_jump(player, model, by > 0);
	else
		player_step(player, model, by);
	return true;
}

/* Closes an open part of the view. If nothing is open, shows the newest trial again. */
static bool press_close(struct app *app, int key)
{
	struct player *player = &app->player;

	if (view_act(&app->view, &app->model, KEYS_CLOSE, key))
		return true;
	if (player->race.chosen) {
		race_leave(&player->race);
		return true;
	}
	return !player->follow && player_follow(player, &app->model);
}

/* Handles E: runs the next experiment, or opens the menu while this session runs. */
static void press_next(struct app *app)
{
	char line[SAMPLE_LABEL + 32];

	if (!app->view.state.live || !app->done) {
		press_open_menu(app);
		return;
	}
	snprintf(line, sizeof(line), "tuibench %s", chooser_after(app->model.session.experiment));
	follow_line(app, line, false);
}

/*
 * Runs a scene again that the speaker left. Its session has ended, so the session cannot measure
 * another trial.
 */
static void rerun_scene(struct app *app)
{
	struct console *console = app->console;

	if (lecturer_words(console->lecturer, &console->next)) {
		app_notify(app, strerror(ENOMEM));
		return;
	}
	app->quit = true;
}

/* Measures another trial, and shows it even if an earlier trial was shown. */
static void press_more(struct app *app)
{
	if (app->view.state.lecture.again) {
		rerun_scene(app);
		return;
	}
	if (!send_command(app, SOURCE_ONE_MORE))
		return;
	app->done = false;
	player_follow(&app->player, &app->model);
	race_leave(&app->player.race);
}

static void press_theme(struct app *app)
{
	struct console *console = app->console;
	char text[SAMPLE_LABEL + 32];

	console->theme++;
	if (!theme_at(console->theme))
		console->theme = 0;
	console->themed = true;
	screen_set_theme(console->screen, theme_at(console->theme));
	snprintf(text, sizeof(text), "theme: %s", theme_at(console->theme)->name);
	app_notify(app, text);
}

/*
 * Copies the menu's command. A terminal does not report whether it accepted the text, so also
 * prints the text when the program ends.
 */
static void press_copy(struct app *app)
{
	const char *command = chooser_menu(app->chooser)->command;
	const bool copied = screen_copy(app->console->screen, command);

	console_say(app->console, "%s", command);
	if (copied)
		app_notify(app, "copied to the clipboard if the terminal allows it; also printed "
				"at the end");
	else
		app_notify(app, "this terminal has no clipboard, so the command is printed at the "
				"end");
}

static void press_question(struct app *app, enum keys_act act, int key)
{
	const bool refused = act == KEYS_REFUSE;

	app->agreed = !refused && view_question_agree(&app->question, key);
	if (!refused && !app->agreed)
		return;
	/*
	 * If only a question is shown, Esc does not close the question, because that would end the
	 * program.
	 */
	if (refused && app->alone && key == KEY_ESCAPE)
		return;
	if (refused)
		next_free(&app->console->next);
	app->quit = app->agreed || app->alone;
	free(app->question.text);
	app->question.text = NULL;
}

/* Performs an act of the open menu or question. Returns false if the act is for the session. */
static bool press_over_session(struct app *app, enum keys_act act, int key)
{
	switch (act) {
	case KEYS_CHOOSE:
		press_choose(app);
		return true;
	case KEYS_COPY:
		press_copy(app);
		return true;
	case KEYS_MOVE_MENU:
		menu_move(chooser_menu(app->chooser), key);
		return true;
	case KEYS_CLOSE_MENU:
		if (app->alone) /* No session is behind the menu. */
			return true;
		chooser_close(app->chooser);
		app->chooser = NULL;
		return true;
	case KEYS_AGREE:
	case KEYS_REFUSE:
	case KEYS_MOVE_QUESTION:
		press_question(app, act, key);
		return true;
	default:
		return false;
	}
}

/*
 * Performs a key's act. Returns false if the act has no effect now. In that case, another row of
 * the key may have an effect.
 */
static bool press_act(struct app *app, enum keys_act act, int key)
{
	struct view_state *state = &app->view.state;

	switch (act) {
	case KEYS_QUIT:
		press_quit(app);
		break;
	case KEYS_NEXT_SCENE:
		/*
		 * A presenter's remote has no Space, so its first step starts the held session of a
		 * vote, and the next step uncovers the result.
		 */
		if (state->vote && state->hold)
			start_held(app);
		else if (state->vote)
			reveal(app);
		else
			press_step(app, 1);
		break;
	case KEYS_PREVIOUS_SCENE:
		press_step(app, -1);
		break;
	case KEYS_NOTES:
		app_notify(app, app->console->lecturer->notes.line);
		break;
	case KEYS_BLANK:
		state->lecture.blank = true;
		break;
	case KEYS_PAUSE:
		press_space(app);
		break;
	case KEYS_SEEK:
		press_seek(app, key);
		break;
	case KEYS_SPEED:
	case KEYS_RUN:
	case KEYS_STEP:
		return press_clock(app, act, key);
	case KEYS_CLOSE:
		return press_close(app, key);
	case KEYS_WHY:
		press_why(app);
		break;
	case KEYS_NEXT:
		press_next(app);
		break;
	case KEYS_OPEN_MENU:
		press_open_menu(app);
		break;
	case KEYS_MORE:
		press_more(app);
		break;
	case KEYS_CRASH:
		press_crash(app);
		break;
	case KEYS_SAVE:
		press_save(app, key);
		break;
	case KEYS_THEME:
		press_theme(app);
		break;
	case KEYS_REDRAW:
		screen_redraw(app->console->screen);
		break;
	default:
		return press_over_session(app, act, key) ||
		       view_act(&app->view, &app->model, act, key);
	}
	return true;
}

/* Handles keys while several machines are shown, which have no session. */
static void press_in_machines(struct app *app, int key)
{
	switch (key) {
	case 'q':
	case KEY_F10:
		app->quit = true;
		break;
	case 't':
		press_theme(app);
		app->view.state.notice = NULL;
		break;
	case 's':
		press_save(app, key);
		break;
	case KEY_CTRL_L:
		screen_redraw(app->console->screen);
		break;
	case KEY_WHEEL_UP:
		machines_press(app->console->machines, KEY_UP_ARROW);
		break;
	case KEY_WHEEL_DOWN:
		machines_press(app->console->machines, KEY_DOWN_ARROW);
		break;
	default:
		machines_press(app->console->machines, key);
	}
}

static void press_key(struct app *app, int key)
{
	struct view_state *state = &app->view.state;
	const struct keys_row *row = NULL;
	unsigned where = view_where(state);
	const int view = state->view;

	if (app->question.text)
		where = KEYS_QUESTION;
	else if (!state->lecture.speaker && where != KEYS_TYPING && app->chooser)
		where = KEYS_MENU;
	else if (!state->lecture.speaker && where != KEYS_TYPING)
		where = (where & ~(unsigned)KEYS_SESSION) |
			(app->player.follow ? KEYS_LIVE : KEYS_REPLAY);
	app->answers = app->asked;
	app->asked = 0;
	state->notice = state->suggestion = NULL;
	app_redraw(app);
	if (app->console->machines) {
		press_in_machines(app, key);
		return;
	}
	if (state->lecture.blank && where & KEYS_SESSION) {
		state->lecture.blank = false;
		return;
	}
	if (app->chooser)
		/* Each frame refreshes the menu, but several keys may arrive between two frames. */
		chooser_refresh(app->chooser);
	if (app->answers == KEYS_QUIT && key == KEY_ENTER_KEY)
		key = 'q';
	do
		row = keys_find(row, key, where);
	while (row && !press_act(app, row->act, key));
	if (!row)
		DEBUG(app->options->debug, "view", "key %d does nothing here", key);
	else if (state->view != view)
		DEBUG(app->options->debug, "view", "view %d", state->view);
}

static void press_mouse(struct app *app, int key, int x, int y)
{
	const double at = view_clock_at(&app->view.shown, x, y);

	app_redraw(app);
	if (app->question.text) {
		if (key != KEY_MOUSE_PRESS)
			press_key(app, key == KEY_WHEEL_UP ? KEY_UP_ARROW : KEY_DOWN_ARROW);
		return;
	}
	if (at >= 0 && !app->view.state.typing && !app->chooser) {
		/*
		 * A click on the time axis moves the cursor to that time; the wheel moves the
		 * cursor along the axis.
		 */
		if (key == KEY_MOUSE_PRESS)
			player_seek(&app->player, &app->model, at);
		else
			press_seek(app, key == KEY_WHEEL_UP ? KEY_LEFT_ARROW : KEY_RIGHT_ARROW);
		return;
	}
	if (app->chooser)
		key = menu_mouse(chooser_menu(app->chooser), key, x, y);
	else
		key = view_mouse(&app->view, key, x, y);
	if (key == 'q' && app->asked != KEYS_QUIT) {
		/* Ask before a click ends something, because it may be a mistake. */
		app_notify(app,
			   "Quit? Press Enter or click again to quit, or any other key to stay.");
		app->asked = KEYS_QUIT;
	} else if (key == 'q') {
		app->quit = true;
	} else if (key) {
		press_key(app, key);
	}
}

void press_keys(struct app *app)
{
	struct screen *screen = app->console->screen;
	int key = 0, x = 0, y = 0;

	while (!app->quit && (key = screen_key(screen, &x, &y)) > 0) {
		if (key == KEY_BACKGROUND) {
			/*
			 * Let the theme adapt to the terminal only once, and keep a theme that the
			 * user chose.
			 */
			DEBUG(app->options->debug, "screen", "background #%06x",
			      screen_background(screen));
			console_suggest_theme(app->console, screen_background(screen));
			app_redraw(app);
		} else if (key >= KEY_MOUSE_PRESS && !app->console->machines) {
			press_mouse(app, key, x, y);
		} else {
			press_key(app, key);
		}
	}
	if (!app->quit && key < 0)
		app_hang_up(app);
}
