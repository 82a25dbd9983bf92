/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "draw/canvas.h"
#include "log/log.h"
#include "model/model.h"
#include "stage/synthetic.h"
#include "view/race.h"
#include "view/view.h"

/*
 * Replays a session of 100,000 runs beside one of 12. Checks the time of the key End, the time of
 * frames in each view, and the memory. Prints the measured values; fails if one exceeds its limit.
 * With the name of a recording, measures that one instead.
 */

#define TRIALS	    50000
#define FEW_TRIALS  6
#define SPAN_NS	    INT64_C(20000000)
#define FRAME_NS    INT64_C(33000000)
#define FRAMES	    16
#define ROUNDS	    2
#define END_SECONDS 0.2
#define ANON_MIB    40
/* A frame may take this many times as long, or this much longer, ms. */
#define FRAME_TIMES 1.5
#define FRAME_MORE  0.5

enum { VIEWS = 6 };

struct measured {
	double first_end, end;	 /* Seconds of CPU time. */
	double still[VIEWS + 1]; /* ms for a frame at the end, by view. */
	double plays[VIEWS + 1]; /* ms for a frame while the recording plays. */
	double anon_mib;
};

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static double anon_mib(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	double kib = NAN;

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "RssAnon: %lf", &kib) == 1)
			break;
	if (status)
		fclose(status);
	return kib / 1024;
}

static int write_sample(void *arg, const struct sample *sample)
{
	return log_write(arg, sample);
}

static int record(uint32_t trials, const char *path)
{
	struct synthetic session;
	struct log_writer *log = log_create(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC));
	int err;

	if (!log)
		return -1;
	synthetic_mixed(&session, trials);
	session.span_ns[0] = session.span_ns[1] = SPAN_NS;
	err = synthetic_play(&session, write_sample, log);
	if (log_close(log))
		return -1;
	return err;
}

struct screen_of {
	struct model model;
	struct player player;
	struct view view;
	struct canvas canvas;
	uint64_t clock_ns;
};

/* Draws the frame FRAME_NS after the last one. Returns its CPU time, seconds. */
static double draw(struct screen_of *screen)
{
	const double from = cpu_seconds();

	screen->clock_ns += FRAME_NS;
	player_advance(&screen->player, &screen->model, screen->clock_ns);
	race_advance(&screen->player.race, &screen->model, screen->clock_ns);
	screen->view.state.race = screen->player.race.race;
	screen->view.state.clock = (struct view_clock) {.shown = true, .speed = 1};
	view_draw(&screen->canvas, &screen->model, &screen->view);
	return cpu_seconds() - from;
}

static double seek(struct screen_of *screen, double to)
{
	const double from = cpu_seconds();

	player_seek(&screen->player, &screen->model, to);
	draw(screen);
	return cpu_seconds() - from;
}

static double draw_many(struct screen_of *screen)
{
	double sum = 0;

	draw(screen);
	for (int i = 0; i < FRAMES; i++)
		sum += draw(screen);
	return 1000 * sum / FRAMES;
}

static void measure(struct screen_of *screen, struct measured *out)
{
	out->first_end = seek(screen, 1);
	out->end = INFINITY;
	for (int i = 0; i < ROUNDS; i++) {
		seek(screen, 0);
		out->end = fmin(out->end, seek(screen, 1));
	}
	screen->view.state.settled = true;
	for (int view = 1; view <= VIEWS; view++) {
		screen->view.state.view = view;
		out->still[view] = out->plays[view] = INFINITY;
		for (int i = 0; i < ROUNDS; i++) {
			seek(screen, 1);
			out->still[view] = fmin(out->still[view], draw_many(screen));
			seek(screen, 0.5);
			out->plays[view] = fmin(out->plays[view], draw_many(screen));
		}
	}
	out->anon_mib = anon_mib();
}

static bool replay(const char *path, struct measured *out)
{
	struct screen_of screen = {.canvas = {0}};
	char error[256];
	bool good;

	player_init(&screen.player, false, 1);
	view_init(&screen.view);
	good = recordings_load(path, &screen.model, error, sizeof(error)) >= 0 &&
	       canvas_resize(&screen.canvas, 120, 36) == 0;
	if (good)
		measure(&screen, out);
	view_free(&screen.view);
	canvas_free(&screen.canvas);
	model_free(&screen.model);
	return good;
}

static bool replay_made(uint32_t trials, struct measured *out)
{
	char path[] = "/tmp/tuibench-bench.XXXXXX";
	int fd = mkstemp(path);
	bool good = fd >= 0 && close(fd) == 0 && record(trials, path) == 0;

	good = good && replay(path, out);
	unlink(path);
	return good;
}

static bool holds(const char *what, double value, double limit, const char *unit)
{
	printf("%-52s %8.2f %s (at most %.2f)%s\n", what, value, unit, limit,
	       value <= limit ? "" : "  EXCEEDED");
	return value <= limit;
}

static bool holds_frame(const char *how, int view, double ms, double few_ms)
{
	char what[64];

	snprintf(what, sizeof(what), "a frame of view %d, %s", view, how);
	return holds(what, ms, fmax(FRAME_TIMES * few_ms, few_ms + FRAME_MORE), "ms");
}

int main(int argc, char **argv)
{
	struct measured few, many;
	bool good;

	if (!replay_made(FEW_TRIALS, &few))
		return 1;
	if (!(argc > 1 ? replay(argv[1], &many) : replay_made(TRIALS, &many)))
		return 1;
	good = holds("the key End for the first time", many.first_end, END_SECONDS, "s");
	good &= holds("the key End", many.end, END_SECONDS, "s");
	for (int view = 1; view <= VIEWS; view++) {
		good &= holds_frame("at the end", view, many.still[view], few.still[view]);
		good &= holds_frame("playing", view, many.plays[view], few.plays[view]);
	}
	good &= holds("anonymous memory", many.anon_mib, ANON_MIB, "MiB");
	return good ? 0 : 1;
}
