/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
 * frames in each view, and the memory. Then replays a recording of 1 GB of slices, and checks the
 * time of each key that changes the position. Prints the measured values; fails if one exceeds its
 * limit. With the name of a recording, measures that one instead of both.
 */

#define TRIALS	    50000
#define FEW_TRIALS  6
#define SPAN_NS	    INT64_C(20000000)
#define FRAME_NS    INT64_C(33000000)
#define FRAMES	    16
#define ROUNDS	    2
#define END_SECONDS 0.2
#define ANON_MIB    40
#define LARGE	    1900 /* trials with slices, which make a recording of 1 GB */
#define LARGE_BYTES 1e9
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

static int record(uint32_t trials, bool slices, const char *path)
{
	struct synthetic session;
	struct log_writer *log = log_create(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC));
	int err;

	if (!log)
		return -1;
	synthetic_mixed(&session, trials);
	session.slices = slices;
	if (!slices)
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

static void press_end(struct player *player, struct model *model)
{
	player_seek(player, model, 1);
}

static void press_home(struct player *player, struct model *model)
{
	player_seek(player, model, 0);
}

static void press_run_before(struct player *player, struct model *model)
{
	player_jump(player, model, false);
}

static void press_next_run(struct player *player, struct model *model)
{
	player_jump(player, model, true);
}

static void press_slower(struct player *player, struct model *model)
{
	player_change_speed(player, -1);
}

static void press_faster(struct player *player, struct model *model)
{
	player_change_speed(player, 1);
}

static void press_left(struct player *player, struct model *model)
{
	player_move(player, model, -model->newest_ns / 50);
}

static void press_right(struct player *player, struct model *model)
{
	player_move(player, model, model->newest_ns / 50);
}

static void press_comma(struct player *player, struct model *model)
{
	player_step(player, model, -1);
}

static void press_period(struct player *player, struct model *model)
{
	player_step(player, model, 1);
}

static const struct {
	const char *name;
	void (*press)(struct player *player, struct model *model);
} keys[] = {
	{"End", press_end},  {"Home", press_home}, {"[", press_run_before}, {"]", press_next_run},
	{"<", press_slower}, {">", press_faster},  {"Left", press_left},    {"Right", press_right},
	{",", press_comma},  {".", press_period},
};

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

/* CPU time from the key to its frame, s: the longest in any view, from several positions. */
static void press_all(struct screen_of *screen, double longest[KEYS])
{
	const double places[] = {0.5, 0.03, 0.97, 0.31, 1, 0};
	double from;

	longest[0] = seek(screen, 1);
	for (int view = 1; view <= VIEWS; view++) {
		screen->view.state.view = view;
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
			for (int key = 0; key < KEYS; key++) {
				seek(screen, places[i]);
				from = cpu_seconds();
				keys[key].press(&screen->player, &screen->model);
				draw(screen);
				longest[key] = fmax(longest[key], cpu_seconds() - from);
			}
	}
}

static bool replay(const char *path, struct measured *out, double longest[KEYS])
{
	struct screen_of screen = {.canvas = {0}};
	char error[256];
	bool good;

	player_init(&screen.player, false, 1);
	view_init(&screen.view);
	good = recordings_load(path, &screen.model, error, sizeof(error)) >= 0 &&
	       canvas_resize(&screen.canvas, 120, 36) == 0;
	if (good && longest)
		press_all(&screen, longest);
	else if (good)
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
	bool good = fd >= 0 && close(fd) == 0 && record(trials, false, path) == 0;

	good = good && replay(path, out, NULL);
	unlink(path);
	return good;
}

static bool holds(const char *what, double value, double limit, const char *unit)
{
	printf("%-52s %8.2f %s (at most %.2f)%s\n", what, value, unit, limit,
	       value <= limit ? "" : "  EXCEEDED");
	return value <= limit;
}

/* Whether every key needs at most END_SECONDS in the recording. path NULL: one of 1 GB is made. */
static bool keys_hold(const char *path)
{
	char made[] = "/tmp/tuibench-bench.XXXXXX", what[64];
	double longest[KEYS] = {0};
	int fd = path ? -1 : mkstemp(made);
	bool good = path || (fd >= 0 && close(fd) == 0 && record(LARGE, true, made) == 0);
	struct stat st = {0};

	if (!path)
		path = made;
	good = good && stat(path, &st) == 0 && replay(path, NULL, longest);
	if (fd >= 0)
		unlink(made);
	printf("a recording of %.2f GB\n", (double)st.st_size / 1e9);
	if (fd >= 0 && (double)st.st_size < LARGE_BYTES)
		return false;
	for (int key = 0; key < KEYS; key++) {
		snprintf(what, sizeof(what), "the longest key %s from any time in any view",
			 keys[key].name);
		good &= holds(what, 1000 * longest[key], 1000 * END_SECONDS, "ms");
	}
	return good;
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
	if (!(argc > 1 ? replay(argv[1], &many, NULL) : replay_made(TRIALS, &many)))
		return 1;
	good = holds("the key End for the first time", many.first_end, END_SECONDS, "s");
	good &= holds("the key End", many.end, END_SECONDS, "s");
	for (int view = 1; view <= VIEWS; view++) {
		good &= holds_frame("at the end", view, many.still[view], few.still[view]);
		good &= holds_frame("playing", view, many.plays[view], few.plays[view]);
	}
	good &= holds("anonymous memory", many.anon_mib, ANON_MIB, "MiB");
	good &= keys_hold(argv[1]);
	return good ? 0 : 1;
}
