/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include "base/debug.h"
#include "base/utf8.h"
#include "core/sample.h"
#include "screen/screen.h"

void app_redraw(struct app *app)
{
	app->frame.dirty = true;
	app->frame.urgent = true;
}

void app_notify(struct app *app, const char *text)
{
	snprintf(app->notice, sizeof(app->notice), "%s", text);
	app->view.state.notice = app->notice;
	app_redraw(app);
}

bool app_tells_errors(const struct app *app)
{
	return app->view.state.live || app->broken;
}

/*
 * Shows a message of the front end. The model takes the message like any other sample, but it is
 * not in the log. If the session's errors will not be printed at its end, prints the message now.
 */
void app_fail(struct app *app, const char *format, ...)
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
	if (model_apply(&app->model, &sample) < 0 || !app_tells_errors(app))
		console_say(app->console, "tuibench: %s", sample.message.text);
	app->failed = true;
	app_notify(app, sample.message.text);
}

bool app_is_over(const struct app *app)
{
	return app->done || app->broken || app->source->ops->fd(app->source) < 0;
}

bool app_stands(const struct app *app)
{
	return app->player.follow ? app_is_over(app) : !player_moves(&app->player, &app->model);
}

bool app_measures(const struct app *app)
{
	return app->view.state.live && !app->view.state.hold && !app_is_over(app);
}

/* Lets the slide that sums up follow a session that still runs. */
static void sum_up(struct app *app)
{
	const size_t ended = model_runs_ended(&app->model) + app->done;

	if (!app->view.state.lecture.sums_up || app->console->now.argc > 0)
		return;
	if (app->summed_runs != ended)
		lecturer_sum_up(app->console->lecturer, &app->model);
	app->summed_runs = ended;
}

bool app_compose(struct app *app)
{
	int width, height, err;
	char text[SAMPLE_TEXT];

	app->view.state.clock = (struct view_clock) {
		.shown = !app->view.state.live || !app->player.follow,
		.paused = app_stands(app),
		.live = app->view.state.live,
		.grows = app->player.grows,
		.reading = !app->player.grows && !app_is_over(app),
		.speed = player_speed(&app->player),
	};
	if (app->source->ops->waits_for)
		app->view.state.waits_for = app->source->ops->waits_for(app->source);
	else
		app->view.state.waits_for = NULL;
	if (app->select)
		err = view_select(&app->view, &app->model, app->select);
	else
		err = 0;
	if (err == -ENOENT) {
		snprintf(text, sizeof(text), "--select: no worker or task is called \"%.80s\"",
			 app->select);
		utf8_mask(text);
		app_notify(app, text);
	}
	if (err != -EAGAIN)
		app->select = NULL;
	sum_up(app);
	if (app->console->notes)
		notes_show(app->console->notes, &app->view.state.lecture);
	screen_size(app->console->screen, &width, &height);
	app->canvas.glyphs = app->console->glyphs;
	if (canvas_resize(&app->canvas, width, height) < 0)
		return false;
	if (app->console->machines &&
	    !machines_draw(app->console->machines, &app->canvas, app->view.state.notice))
		return false;
	if (app->alone)
		canvas_clear(&app->canvas);
	else if (!app->console->machines)
		view_draw(&app->canvas, &app->model, &app->view);
	if (app->chooser) {
		struct menu *menu = chooser_menu(app->chooser);

		menu->alone = app->alone;
		menu->running = app_measures(app);
		menu->notice = app->view.state.notice;
		chooser_refresh(app->chooser);
		view_menu_draw(&app->canvas, menu);
	}
	if (app->question.text)
		view_question_draw(&app->canvas, &app->question);
	canvas_reduce(&app->canvas);
	return true;
}

void app_hang_up(struct app *app)
{
	DEBUG(app->options->debug, "screen", "the terminal is gone");
	app->quit = true;
	app->console->signal = SIGHUP;
}
