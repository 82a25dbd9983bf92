/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "draw/canvas.h"
#include "fuzz.h"
#include "log/log.h"
#include "log/log_scenes.h"
#include "model/model.h"
#include "model/model_join.h"
#include "view/views.h"

/*
 * Any bytes as a log: read in pieces, applied to a model, moved through in time, and drawn. What
 * must hold beyond what the sanitizers see: no glyph is a control character.
 */

#define PIECE	    61	  /* of the file; no divisor of anything */
#define WORKERS_MAX 20000 /* drawing more of them finds nothing new, and takes long */

static int take(void *arg, const struct sample *sample)
{
	model_apply(arg, sample);
	return 0;
}

static void read_log(struct model *model, const uint8_t *bytes, size_t n)
{
	struct log_reader *reader = log_reader_new();
	int err = reader ? 0 : -1;

	for (size_t i = 0; i < n && !err; i += PIECE)
		err = log_reader_feed(reader, bytes + i, n - i < PIECE ? n - i : PIECE, take,
				      model);
	if (!err)
		log_reader_feed(reader, NULL, 0, take, model);
	log_reader_free(reader);
}

/* One view at one time, as the input's length has it: all of them would take most of the time. */
static void draw(const struct model *model, size_t n)
{
	struct view view;
	struct canvas canvas = {0};
	int number = 1 + (int)(n / 3 % VIEW_NUMBERS);

	view_init(&view);
	if (views_get(model, number) && canvas_resize(&canvas, 80, 24) == 0) {
		view.state.view = number;
		view_draw(&canvas, model, &view);
	}
	for (int i = 0; i < canvas.width * canvas.height; i++)
		if (canvas.cells[i].glyph && canvas.cells[i].glyph < ' ')
			abort();
	view_free(&view);
	canvas_free(&canvas);
}

static size_t count_workers(const struct model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		n += model->runs[i].n_workers;
	return n;
}

/* The recording beside itself. */
static void join(const uint8_t *bytes, size_t n)
{
	struct model parts[2], model;

	for (int i = 0; i < 2; i++) {
		model_init(&parts[i]);
		read_log(&parts[i], bytes, n);
	}
	if (parts[0].has_session) {
		if (model_join(parts, 2, &model) == 0 && count_workers(&model) <= WORKERS_MAX)
			draw(&model, n);
		model_free(&model);
	}
	model_free(&parts[0]);
	model_free(&parts[1]);
}

/* A session of a lecture, as if its header stood above it. */
static void read_part(const uint8_t *bytes, const struct log_part *part)
{
	struct log_reader *reader = log_reader_new();
	struct model model;

	model_init(&model);
	if (reader && !log_reader_feed(reader, bytes, (size_t)part->header, take, &model) &&
	    !log_reader_feed(reader, bytes + part->begin, (size_t)(part->end - part->begin), take,
			     &model))
		log_reader_feed(reader, NULL, 0, take, &model);
	log_reader_free(reader);
	if (count_workers(&model) <= WORKERS_MAX)
		draw(&model, (size_t)part->end);
	model_free(&model);
}

/* Scenes are read at their places in a file, and their sessions lie within it, in order. */
static void read_scenes(const uint8_t *bytes, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct log_scenes scenes;
	off_t at = 0;

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	log_scenes_read(fd, &scenes);
	for (size_t i = 0; i < scenes.n; i++) {
		const struct log_part *part = &scenes.parts[i];

		if (part->begin == part->end)
			continue;
		if (part->begin < at || part->end < part->begin || (size_t)part->end > n)
			abort();
		at = part->end;
		read_part(bytes, part);
	}
	log_scenes_free(&scenes);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct model model;

	model_init(&model);
	read_log(&model, bytes, n);
	model_seek(&model, model.newest_ns / 2 * (int64_t)(n % 3));
	if (count_workers(&model) <= WORKERS_MAX)
		draw(&model, n);
	model_free(&model);
	read_scenes(bytes, n);
	if (n % 8 == 0)
		join(bytes, n);
	return 0;
}
