/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stage/stage.h"
#include "draw/draw.h"
#include "view/view.h"

/*
 * Draws one frame of a session that nobody ran, in true colours, to look at a view without running
 * anything: view_demo -s 120x36 -v 4 -u 12
 */

struct demo {
	int width, height;
	bool tree, all_alive, ascii, broken, lanes;
	void (*kind)(struct synthetic *session, uint32_t trials);
	const char *shape;
	uint32_t cases, cores, trials, workers;
	double until_s, seek_s, span_s;
	int frames; /* to measure; 0: draw */
	const char *keys, *theme;
	const char *topology, *online, *allowed;
	uint32_t busy;
};

static const char usage[] =
	"usage: view_demo [-s WxH] [-k KEYS] [-u SECONDS] [-n TRIALS] [-c CASES] [-C CORES]\n"
	"                 [-w WORKERS] [-e mixed|tree|scaling|hello|shapes|creation] [-S 50x99] "
	"[-g "
	"SECONDS] [-A] [-t THEME] [-l "
	"FRAMES] [-a] [-b]\n"
	"KEYS are pressed one by one: 4 for Results, ? for the help, D U R L arrows, E the end, F\n"
	"Enter, ^ Escape. -S is a tree's shape, -A keeps it alive, -g turns the time back.\n"
	"-l measures so many frames instead; -b breaks a run; -a draws in ASCII; -L with slices;\n"
	"-d SECONDS is how long a run takes; -T is a topology's text, -O the CPUs that are "
	"online,\n"
	"-M those that may be used, -B how many are busy.\n";

static void (*demo_kind(const char *name))(struct synthetic *session, uint32_t trials)
{
	static const struct {
		const char *name;
		void (*make)(struct synthetic *session, uint32_t trials);
	} kinds[] = {{"tree", synthetic_tree},	     {"creation", synthetic_creation},
		     {"scaling", synthetic_scaling}, {"hello", synthetic_hello},
		     {"cores", synthetic_cores},     {"shapes", synthetic_shapes}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].make;
	return synthetic_mixed;
}

static bool demo_options(struct demo *demo, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "s:k:u:n:c:C:w:e:t:l:S:g:d:abALT:O:M:B:")) != -1)
		switch (option) {
		case 's':
			if (sscanf(optarg, "%dx%d", &demo->width, &demo->height) != 2)
				return false;
			break;
		case 'k':
			demo->keys = optarg;
			break;
		case 'u':
			demo->until_s = atof(optarg);
			break;
		case 'n':
			demo->trials = (uint32_t)atoi(optarg);
			break;
		case 'c':
			demo->cases = (uint32_t)atoi(optarg);
			break;
		case 'C':
			demo->cores = (uint32_t)atoi(optarg);
			break;
		case 'w':
			demo->workers = (uint32_t)atoi(optarg);
			break;
		case 'e':
			demo->tree = !strcmp(optarg, "tree");
			demo->kind = demo_kind(optarg);
			break;
		case 't':
			demo->theme = optarg;
			break;
		case 'l':
			demo->frames = atoi(optarg);
			break;
		case 'S':
			demo->tree = true;
			demo->kind = synthetic_tree;
			demo->shape = optarg;
			break;
		case 'g':
			demo->seek_s = atof(optarg);
			break;
		case 'A':
			demo->all_alive = true;
			break;
		case 'd':
			demo->span_s = atof(optarg);
			break;
		case 'L':
			demo->lanes = true;
			break;
		case 'a':
			demo->ascii = true;
			break;
		case 'T':
			demo->topology = optarg;
			break;
		case 'O':
			demo->online = optarg;
			break;
		case 'M':
			demo->allowed = optarg;
			break;
		case 'B':
			demo->busy = (uint32_t)atoi(optarg);
			break;
		case 'b':
			demo->broken = true;
			break;
		default:
			return false;
		}
	return optind == argc && demo->width > 0 && demo->height > 0;
}

/* "20x3x82" */
static void demo_shape(const struct demo *demo, struct plan *plan)
{
	const char *shape = demo->shape;
	char *end;

	if (demo->all_alive)
		plan->all_alive = true;
	if (!shape)
		return;
	for (plan->levels = 0; *shape && plan->levels < PLAN_MAX_LEVELS;
	     shape = end + (*end == 'x')) {
		plan->task[plan->levels] = plan->task[0];
		plan->fanout[plan->levels++] = (uint32_t)strtoul(shape, &end, 10);
		if (end == shape)
			exit(2);
	}
}

static void demo_model(const struct demo *demo, struct model *model)
{
	static const char *const more[] = {"hybrid:2x4", "threads#2"};
	struct synthetic session;

	demo->kind(&session, demo->trials);
	if (demo->workers)
		for (uint32_t i = 0; i < session.cases; i++) {
			session.list[i].plan.fanout[0] = demo->workers;
			session.list[i].plan.leaves[WORK_CPU] = demo->workers * 3 / 4;
			session.list[i].plan.leaves[WORK_IO] = demo->workers / 8;
		}
	for (uint32_t i = 0; i < session.cases; i++)
		demo_shape(demo, &session.list[i].plan);
	while (session.cases < demo->cases && session.cases < 2 + sizeof(more) / sizeof(more[0]))
		synthetic_add(&session, more[session.cases - 2], "", session.span_ns[0] * 11 / 10);
	if (demo->cases == 1)
		session.cases = 1;
	session.cores = demo->cores;
	session.topology = demo->topology;
	session.online = demo->online;
	session.allowed = demo->allowed;
	session.busy = demo->busy;
	if (demo->broken) {
		session.broken_run = 1;
		session.broken = SAMPLE_CRASHED;
	}
	if (demo->until_s > 0)
		session.stop_ns = (int64_t)(demo->until_s * 1e9);
	for (uint32_t i = 0; i < session.cases && demo->span_s > 0; i++)
		session.span_ns[i] = (int64_t)(demo->span_s * 1e9);
	session.slices = session.wakes = demo->lanes;
	synthetic_model(&session, model);
}

static int demo_key(char key)
{
	static const char names[] = "UDLREF^";
	static const int keys[] = {KEY_UP_ARROW, KEY_DOWN_ARROW, KEY_LEFT_ARROW, KEY_RIGHT_ARROW,
				   KEY_END_KEY,	 KEY_ENTER_KEY,	 KEY_ESCAPE};
	const char *found = strchr(names, key);

	return found ? keys[found - names] : key;
}

static void demo_glyph(uint32_t glyph)
{
	struct cell cell = {.glyph = glyph};
	struct canvas one = {1, 1, &cell};
	char *text = canvas_to_text(&one);

	if (text && *text != '\n')
		printf("%.*s", (int)strcspn(text, "\n"), text);
	else
		putchar(' ');
	free(text);
}

static void demo_cell(const struct cell *cell, const struct theme *theme)
{
	uint32_t fg = theme->colour[cell->style.fg].rgb;
	uint32_t bg = theme->colour[theme_ground(cell->style.bg)].rgb;

	printf("\033[0%s%s%s;38;2;%u;%u;%u;48;2;%u;%u;%um",
	       cell->style.attr & ATTR_BOLD ? ";1" : "",
	       cell->style.attr & ATTR_UNDERLINE ? ";4" : "",
	       cell->style.attr & ATTR_REVERSE ? ";7" : "", fg >> 16, fg >> 8 & 0xff, fg & 0xff,
	       bg >> 16, bg >> 8 & 0xff, bg & 0xff);
	demo_glyph(cell->glyph);
}

static void demo_show(const struct canvas *canvas, const struct theme *theme)
{
	/* No wrapping: the last column of the last row would scroll. */
	printf("\033[?7l\033[?25l\033[2J");
	for (int y = 0; y < canvas->height; y++) {
		printf("\033[%d;1H", y + 1);
		for (int x = 0; x < canvas->width; x++)
			demo_cell(&canvas->cells[y * canvas->width + x], theme);
	}
	printf("\033[0m");
}

/* Where the cursor stands within the session, it moves on by a little from frame to frame. */
static void demo_measure(struct canvas *canvas, struct model *model, struct view *view, int frames)
{
	struct timespec from, to;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (int i = 0; i < frames; i++) {
		if (model->now_ns < model->newest_ns)
			model_seek(model, model->now_ns + 1);
		view_draw(canvas, model, view);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	printf("%.1f µs of CPU time a frame\n",
	       ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
		       1e3 / frames);
}

int main(int argc, char **argv)
{
	struct demo demo = {.width = 120,
			    .height = 36,
			    .cases = 2,
			    .cores = 2,
			    .trials = 6,
			    .kind = synthetic_mixed,
			    .keys = "",
			    .theme = "default"};
	struct canvas canvas = {0};
	struct view view;
	struct model model;

	if (!demo_options(&demo, argc, argv) || !theme_find(demo.theme) ||
	    canvas_resize(&canvas, demo.width, demo.height)) {
		fputs(usage, stderr);
		return 2;
	}
	demo_model(&demo, &model);
	if (demo.seek_s > 0)
		model_seek(&model, (int64_t)(demo.seek_s * 1e9));
	view_init(&view);
	view.state.live = true;
	view.state.log_name = "lecture.csv";
	view_draw(&canvas, &model, &view);
	for (const char *key = demo.keys; *key; key++) {
		view_key(&view, &model, demo_key(*key));
		view_draw(&canvas, &model, &view);
	}
	if (demo.frames)
		demo_measure(&canvas, &model, &view, demo.frames);
	if (demo.ascii)
		canvas_to_ascii(&canvas);
	if (!demo.frames)
		demo_show(&canvas, theme_find(demo.theme));
	view_free(&view);
	model_free(&model);
	canvas_free(&canvas);
	return 0;
}
