/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <math.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "model/model_latency.h"
#include "screen/screen.h"

#define SECOND	  UINT64_C(1000000000)
#define REVEAL_NS (SECOND * 3 / 2)
#define SETTLE_NS (SECOND * 3 / 10)
/*
 * Shortest time, ns, between two changes of the figures and the headline while short trials are
 * replayed.
 */
#define STEADY_NS SECOND
/*
 * While runs are measured, drawing may use at most 1/DRAW_PAUSE of a core. But two frames are at
 * most LONGEST_GAP apart, ns.
 */
#define DRAW_PAUSE  200
#define LONGEST_GAP (SECOND / 6)
/*
 * While runs are measured, a frame may be drawn this long before or after its time, ns, together
 * with samples that arrive then.
 */
#define FRAME_EARLY(fps) (SECOND / (fps) / 4)
#define FRAME_LATE(fps)	 (SECOND / (fps) / 8)

/* Interval, ms, for checking whether the terminal reads again. */
enum { READER_MS = 1000 };

void frame_end_program(void *arg, int number)
{
	struct app *app = arg;
	struct lecturer *lecturer = app->console->behind;

	screen_leave_at_once();
	if (!lecturer)
		lecturer = app->console->lecturer;
	if (lecturer)
		notes_unlink(&lecturer->notes);
	if (app->log)
		log_flush(app->log);
	_exit(128 + number);
}

/*
 * Whether the figures so far stay unchanged for now, because nobody can read medians that change
 * several times a second. A curve or a table in which points are missing shows each new point
 * immediately.
 */
static bool figures_are_steady(const struct app *app, uint64_t now_ns)
{
	const struct model *model = &app->model;

	if (!app->view.state.live || model_over(model) || !app->frame.settled_race)
		return false;
	if (model_sweeps(model) || model_has_latency(model))
		return false;
	return now_ns - app->frame.settled_ns < STEADY_NS;
}

/*
 * Sets how far the bars of medians still have to move. The bars move after a run has ended, because
 * its end may have changed the medians.
 */
static void settle_bars(struct app *app)
{
	const uint32_t ended = model_runs_ended(&app->model);
	const uint64_t now_ns = clock_now_ns();
	const bool steady = figures_are_steady(app, now_ns);

	if (ended != app->frame.settled_runs && !steady) {
		app->frame.settled_runs = ended;
		app->frame.settled_ns = now_ns;
		app->frame.settled_race = app->view.state.race.trial.number > 0;
	}
	app->view.state.steady = steady;
	app->view.state.unsettled =
		fmax(0, 1 - (double)(now_ns - app->frame.settled_ns) / (double)SETTLE_NS);
}

/* Whether the race needs frames. --exit does not wait for the race. */
static bool race_draws(const struct app *app)
{
	const struct race_clock *race = &app->player.race;

	if (app->options->exit && app_is_over(app))
		return false;
	return race_moves(race) || race_awaits_nearest(race, &app->model);
}

/* Uncovers the bars of a vote a little more. */
static void reveal_bars(struct app *app)
{
	struct view_state *state = &app->view.state;
	uint64_t passed_ns;

	if (!app->frame.revealed_ns)
		return;
	passed_ns = clock_now_ns() - app->frame.revealed_ns;
	state->hidden = fmax(0, 1 - (double)passed_ns / (double)REVEAL_NS);
	if (!state->present || passed_ns >= REVEAL_NS)
		app->frame.revealed_ns = 0;
}

/* Advances everything that moves with time. */
static void advance_state(struct app *app)
{
	struct view_state *state = &app->view.state;
	const struct lecturer *lecturer = app->console->lecturer;

	if (lecturer)
		state->lecture.elapsed_ns = clock_now_ns() - lecturer->notes.begin_ns;
	player_advance(&app->player, &app->model, clock_now_ns());
	race_advance(&app->player.race, &app->model, clock_now_ns());
	state->race = app->player.race.race;
	/*
	 * If the user moved to another time, or slowed a recording down, show that time instead of
	 * the race.
	 */
	state->race.early &= player_shows_race(&app->player);
	settle_bars(app);
	reveal_bars(app);
}

/* Whether the picture changes with time, even if no sample arrives. */
static bool picture_moves(const struct app *app)
{
	if (app->frame.revealed_ns || app->view.state.unsettled > 0)
		return true;
	/* The clocks of the notes and of a lecture advance. */
	if (app->console->notes && !app_is_over(app))
		return true;
	if (app->console->lecturer && app_is_over(app))
		return true;
	return player_moves(&app->player, &app->model) || race_draws(app);
}

/*
 * Sets the time of the next frame. used_us: CPU time of the program before the present frame was
 * drawn.
 */
static void plan_frame(struct app *app, uint64_t used_us)
{
	const uint64_t least = SECOND / app->options->fps;
	uint64_t gap = least, early_ns = 0, now_ns;

	if (app->view.state.live && !app->done) {
		gap = (clock_used_us(RUSAGE_SELF) - used_us) * 1000 * DRAW_PAUSE;
		gap = MIN(MAX(gap, least), MAX(least, LONGEST_GAP));
	}
	/*
	 * A frame may be early. The time of the next frame is counted from the time at which the
	 * present frame was due.
	 */
	now_ns = clock_now_ns();
	if (app->frame.due_ns > now_ns)
		early_ns = app->frame.due_ns - now_ns;
	app->frame.due_ns = now_ns + MIN(early_ns, FRAME_EARLY(app->options->fps)) + gap;
}

/* Sends the canvas to the terminal, as much as the terminal accepts. */
static void send_frame(struct app *app)
{
	const bool stalled = !screen_blit(app->console->screen, &app->canvas);

	if (stalled && !app->frame.stalled)
		DEBUG(app->options->debug, "screen",
		      "frames wait until the terminal has read the last one");
	else if (app->frame.stalled && !stalled)
		DEBUG(app->options->debug, "screen", "frames are sent again");
	app->frame.stalled = stalled;
}

static void draw_frame(struct app *app)
{
	const uint64_t used_us = clock_used_us(RUSAGE_SELF);
	struct patience_limit limit;
	bool composed;

	patience_limit_begin(&limit, frame_end_program, app);
	advance_state(app);
	composed = app_compose(app);
	patience_limit_end(&limit);
	app->frame.urgent = false;
	if (!composed) {
		/*
		 * Memory was too short for the frame. Try again later: samples that arrive may free
		 * memory.
		 */
		app->frame.dirty = !app_is_over(app);
		app->frame.due_ns = clock_now_ns() + LONGEST_GAP;
		return;
	}
	send_frame(app);
	app->frame.moves = picture_moves(app);
	if (app->chooser)
		app->frame.moves |= chooser_read(app->chooser, app_measures(app));
	app->frame.dirty = app->frame.moves;
	plan_frame(app, used_us);
}

/*
 * The time from which the next frame is drawn. While runs are measured, a frame waits a little for
 * samples, so that the program wakes up only once for frame and samples, and the frame shows the
 * newest sample. If nothing else moves, the frame waits for samples, because only these change the
 * picture.
 */
static uint64_t frame_due_ns(const struct app *app)
{
	const uint64_t early_ns = FRAME_EARLY(app->options->fps);

	if (!app_measures(app))
		return app->frame.due_ns;
	if (app->frame.sampled)
		return MAX(app->frame.due_ns, early_ns) - early_ns;
	if (app->frame.moves)
		return app->frame.due_ns + FRAME_LATE(app->options->fps);
	return app->frame.due_ns + SECOND / app->options->fps;
}

void frame_draw_due(struct app *app)
{
	app->frame.unready = false;
	if (!app->frame.dirty && !app->frame.stalled)
		return;
	if (!app->frame.stalled && !app->frame.urgent && clock_now_ns() < frame_due_ns(app))
		return;
	app->frame.unready = !screen_ready(app->console->screen);
	if (app->frame.unready)
		return;
	if (app->frame.stalled && !app->frame.urgent)
		app->frame.stalled = !screen_blit(app->console->screen, &app->canvas);
	else
		draw_frame(app);
	app->frame.unready = app->frame.stalled;
}

int frame_wait_ms(const struct app *app)
{
	const uint64_t now_ns = clock_now_ns(), due_ns = frame_due_ns(app);

	if (app->frame.unready)
		return screen_wait_ms(app->console->screen);
	if (app->frame.urgent)
		return 0;
	if (!app->frame.dirty && screen_asks(app->console->screen))
		return READER_MS;
	if (!app->frame.dirty)
		return -1;
	if (now_ns < due_ns)
		return (int)((due_ns - now_ns + 999999) / 1000000);
	return 0;
}
