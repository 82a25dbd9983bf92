/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/stats.h"
#include "draw/canvas.h"
#include "model/model.h"
#include "model/model_slices.h"
#include "stage/synthetic.h"
#include "view/view.h"

/*
 * Holds: a frame of 120x36 with the lanes of workers and cores takes 2 ms of CPU time in the
 * median, however many slices there are, as a replay goes on from frame to frame. Prints what it
 * found, fails where one does not hold; says what the first frame takes, which sums up a run.
 */

#define FRAMES	  60
#define MOST_MS	  2
#define TURN_NS	  4e6 /* of a synthetic worker, on one of two cores */
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static double cpu_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

/* One run of so many workers that take so many turns each. */
static void play(uint32_t workers, uint32_t turns, struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.cases = 1;
	session.warmup = 0;
	session.slices = true;
	session.list[0].plan.fanout[0] = workers;
	session.list[0].plan.leaves[WORK_CPU] = workers;
	session.list[0].plan.leaves[WORK_IO] = 0;
	session.span_ns[0] = (int64_t)(TURN_NS * turns * workers / 2);
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

/* The keys, then frames through the middle of the run. */
static bool bench(struct model *model, const char *keys)
{
	struct canvas canvas = {0};
	double took[FRAMES], first, median;
	int64_t length = model->newest_ns;
	struct view view;

	view_init(&view);
	if (canvas_resize(&canvas, 120, 36) < 0)
		return false;
	first = cpu_ms();
	view_draw(&canvas, model, &view);
	for (const char *key = keys; *key; key++)
		view_key(&view, model, *key), view_draw(&canvas, model, &view);
	first = cpu_ms() - first;
	for (int i = 0; i < FRAMES; i++) {
		double from = cpu_ms();

		model_seek(model, length / 2 + length / 4 / FRAMES * i);
		view_draw(&canvas, model, &view);
		took[i] = cpu_ms() - from;
	}
	view_free(&view);
	canvas_free(&canvas);
	median = stats_select(took, FRAMES, 0.5);
	printf("  keys %-8s %6.2f ms a frame, the first %.1f ms%s\n", *keys ? keys : "none", median,
	       first, median > MOST_MS ? ": too long" : "");
	return median <= MOST_MS;
}

int main(void)
{
	static const struct {
		uint32_t workers, turns;
	} runs[] = {{8, 200}, {8, 100000}, {400, 2500}, {5000, 4}, {5000, 200}};
	static const char *const keys[] = {"", "2", "2k", "2+++++", "2o"};
	bool good = true;

	for (size_t i = 0; i < LENGTH(runs); i++) {
		struct model model;

		play(runs[i].workers, runs[i].turns, &model);
		printf("%u workers, %zu slices\n", runs[i].workers, count(&model));
		for (size_t j = 0; j < LENGTH(keys); j++)
			good &= bench(&model, keys[j]);
		model_free(&model);
	}
	return good ? 0 : 1;
}
