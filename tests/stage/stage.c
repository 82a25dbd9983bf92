/* SPDX-License-Identifier: MIT */
#include "draw/key.h"
#include "stage/stage.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stage_open(struct stage *stage, const struct synthetic *session)
{
	*stage = (struct stage) {0};
	synthetic_model(session, &stage->model);
	view_init(&stage->view);
	stage->view.state.live = true;
	stage->view.state.settled = true; /* for the Overview */
	stage->view.state.captions = VIEW_CAPTIONS_OFF;
	stage->view.state.log_name = "/var/tmp/lecture.csv";
}

void stage_sweep(struct stage *stage, void (*make)(struct synthetic *session, uint32_t trials),
		 double stop_s)
{
	struct synthetic session;

	/* Sessions with more comparisons need more trials for a verdict. */
	make(&session, make == synthetic_mixed || make == synthetic_tree ? 6 : 12);
	if (stop_s > 0)
		session.stop_ns = (int64_t)(stop_s * 1e9);
	stage_open(stage, &session);
}

void stage_mixed(struct stage *stage, double stop_s)
{
	stage_sweep(stage, synthetic_mixed, stop_s);
}

void stage_tree(struct stage *stage)
{
	stage_sweep(stage, synthetic_tree, 0);
}

void stage_close(struct stage *stage)
{
	view_free(&stage->view);
	model_free(&stage->model);
	canvas_free(&stage->canvas);
	free(stage->text);
}

static void draw(struct stage *stage, int width, int height)
{
	assert_int_equal(canvas_resize(&stage->canvas, width, height), 0);
	view_draw(&stage->canvas, &stage->model, &stage->view);
}

void stage_tell(struct stage *stage, enum sample_message_kind kind, const char *text)
{
	struct sample sample = {.kind = SAMPLE_MESSAGE, .time_ns = stage->model.newest_ns};

	sample.message.kind = kind;
	snprintf(sample.message.text, sizeof(sample.message.text), "%s", text);
	assert_int_equal(model_apply(&stage->model, &sample), 0);
}

const char *stage_draw(struct stage *stage, int width, int height)
{
	draw(stage, width, height);
	free(stage->text);
	stage->text = canvas_to_text(&stage->canvas);
	assert_non_null(stage->text);
	return stage->text;
}

bool stage_shows(const struct stage *stage, const char *text)
{
	return strstr(stage->text, text) != NULL;
}

bool view_key(struct view *view, const struct model *model, int key)
{
	const unsigned where = view_where(&view->state);
	const struct keys_row *row = NULL;

	while ((row = keys_find(row, key, where)))
		if (view_act(view, model, row->act, key))
			return true;
	return false;
}

bool stage_key(struct stage *stage, int key)
{
	return view_key(&stage->view, &stage->model, key);
}

void stage_type(struct stage *stage, const char *keys)
{
	for (; *keys; keys++) {
		assert_true(stage_key(stage, *keys == '\n'  ? KEY_ENTER_KEY
					     : *keys == '>' ? KEY_RIGHT_ARROW
							    : *keys));
		stage_draw(stage, 120, 36);
	}
}

void stage_press(struct stage *stage, const int keys[], int width, int height)
{
	for (; *keys; keys++) {
		stage_key(stage, *keys);
		draw(stage, width, height);
		assert_true(stage->canvas.cells[0].glyph || stage->canvas.cells[width > 1].glyph);
	}
}

void stage_each_size(struct stage *stage, void (*check)(struct stage *stage, int w, int h))
{
	for (int h = 1; h <= 16; h++)
		for (int w = 1; w <= 46; w++)
			check(stage, w, h);
	for (int h = 1; h <= 60; h += 5)
		for (int w = 47 + h % 11; w <= 200; w += 11)
			check(stage, w, h);
}

const struct cell *stage_find(const struct stage *stage, const char *text)
{
	return stage_find_in(stage->canvas.cells, stage->canvas.width * stage->canvas.height, text);
}

const struct cell *stage_find_in(const struct cell *cells, int n, const char *text)
{
	int length = (int)strlen(text);

	for (int i = 0; i + length <= n; i++) {
		int same = 0;

		while (same < length && (cells[i + same].glyph ? cells[i + same].glyph : ' ') ==
						(uint32_t)text[same])
			same++;
		if (same == length)
			return &cells[i];
	}
	return NULL;
}
