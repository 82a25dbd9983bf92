/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "draw/canvas.h"
#include "draw/key.h"
#include "model/model.h"
#include "model/model_lanes.h"
#include "stage/synthetic.h"
#include "stage/stage.h"
#include "view/view.h"

/*
 * Checks the CPU time of a frame of 120x36. The median must be at most 2 ms for the Timeline of
 * workers and of cores, with any number of slices: when a replay advances, goes back or to another
 * time, scrolls, changes between workers and cores, and zooms. The same limit applies to Results
 * with the greatest number of cases. A frame for which the rows of many workers are made anew may
 * take 15 ms, and must be complete. Prints the medians and the longest frames. Fails if a median is
 * too long.
 */

#define FRAMES	  60
#define MOST_MS	  2
#define ANEW_MS	  15
#define TURN_NS	  4e6 /* a turn of a synthetic worker */
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static double cpu_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

/* Makes a run of `workers` workers, each with `turns` turns, on a number of cores. */
static void play(uint32_t workers, uint32_t turns, uint32_t cores, struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.cases = 1;
	session.warmup = 0;
	session.slices = true;
	session.list[0].plan.fanout[0] = workers;
	session.list[0].plan.leaves[WORK_CPU] = workers;
	session.list[0].plan.leaves[WORK_IO] = 0;
	session.cores = cores;
	session.span_ns[0] = (int64_t)(TURN_NS * turns * workers / cores);
	synthetic_model(&session, model);
}

static size_t count(const struct model *model)
{
	size_t slices = 0, n;

	for (uint32_t i = 0; i < model->runs[0].n_workers; i++) {
		model_slices(&model->runs[0], i, &n);
		slices += n;
	}
	return slices;
}

/* The change that is made before each frame. */
enum motion { ON, BACK, ANYWHERE, DOWN, TOGGLE, ZOOM, MOTIONS };

static const char *const motions[MOTIONS] = {"on", "back", "anywhere", "down", "k", "zoom"};

static void move(struct model *model, struct view *view, enum motion motion, int i)
{
	int64_t half = model->newest_ns / 2, step = half / 2 / FRAMES;

	if (motion == DOWN)
		view_key(view, model, i < FRAMES / 2 ? KEY_DOWN_ARROW : KEY_PAGE_UP);
	else if (motion == TOGGLE)
		view_key(view, model, 'k');
	else if (motion == ZOOM)
		view_key(view, model, i % 16 < 8 ? '+' : '-');
	else
		model_seek(model, motion == ON	   ? half + step * i
				  : motion == BACK ? half + half / 2 - step * i
						   : model->newest_ns / 97 * ((i * 41) % 97));
}

static bool bench(struct model *model, struct view *view, const char *keys, enum motion motion)
{
	struct canvas canvas = {0};
	const double most = motion == ANYWHERE || motion == ZOOM ? ANEW_MS : MOST_MS;
	double took[FRAMES], first = cpu_ms(), median;

	if (canvas_resize(&canvas, 120, 36) < 0)
		return false;
	view_draw(&canvas, model, view);
	first = cpu_ms() - first;
	for (int i = 0; i < FRAMES; i++) {
		double from = cpu_ms();

		move(model, view, motion, i);
		view_draw(&canvas, model, view);
		took[i] = cpu_ms() - from;
	}
	canvas_free(&canvas);
	median = stats_select(took, FRAMES, 0.5);
	printf("  %-9s %-9s %6.2f ms a frame, the first %.1f, the longest %.1f%s\n", keys,
	       motions[motion], median, first, stats_select(took, FRAMES, 1),
	       median > most ? ": too long" : "");
	return median <= most;
}

/* Makes a new view, sends the keys, and draws frames. */
static bool bench_keys(struct model *model, const char *keys, enum motion motion)
{
	struct canvas canvas = {0};
	struct view view;
	bool good;

	view_init(&view);
	if (canvas_resize(&canvas, 120, 36) < 0)
		return false;
	model_seek(model, model->newest_ns / 2);
	view_draw(&canvas, model, &view);
	for (const char *key = keys; *key; key++)
		view_key(&view, model, *key), view_draw(&canvas, model, &view);
	good = bench(model, &view, keys, motion);
	canvas_free(&canvas);
	view_free(&view);
	return good;
}

static bool bench_lanes(void)
{
	static const struct {
		uint32_t workers, turns, cores;
	} runs[] = {{8, 200, 2},  {8, 100000, 2}, {400, 2500, 2},
		    {5000, 4, 2}, {5000, 200, 2}, {5000, 200, 64}};
	static const char *const keys[] = {"1", "2", "2k", "2+", "2+++++", "2o"};
	bool good = true;

	for (size_t i = 0; i < LENGTH(runs); i++) {
		struct model model;

		play(runs[i].workers, runs[i].turns, runs[i].cores, &model);
		printf("%u workers, %zu slices, %u cores\n", runs[i].workers, count(&model),
		       runs[i].cores);
		for (size_t j = 0; j < LENGTH(keys); j++)
			good &= bench_keys(&model, keys[j], ON);
		for (int motion = BACK; motion < MOTIONS; motion++)
			good &= bench_keys(&model, "2", (enum motion)motion);
		good &= bench_keys(&model, "1", BACK);
		good &= bench_keys(&model, "1", ANYWHERE);
		model_free(&model);
	}
	return good;
}

/*
 * Draws Results with as many cases as a sweep can have, always at the same time. A frame costs more
 * only after a run has begun or ended.
 */
static bool bench_results(void)
{
	struct synthetic session;
	struct model model;
	bool good;

	synthetic_hello(&session, 15);
	synthetic_model(&session, &model);
	printf("%u cases, %zu runs\n", model.n_cases, model.n_runs);
	good = bench_keys(&model, "4", DOWN);
	model_free(&model);
	return good;
}

int main(void)
{
	bool good = bench_lanes();

	return bench_results() && good ? 0 : 1;
}
