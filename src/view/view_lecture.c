/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "draw/text.h"

#include "view_rows.h"

/*
 * LECTURE_LINES: a line for the heading and the lines of the caption. LECTURE_LEAST_H: a screen
 * with fewer lines shows only the heading.
 */
enum { LECTURE_LINES = 1 + VIEW_CAPTION_LINES, LECTURE_LEAST_H = 16 };

/*
 * The number of lines at the bottom for heading and caption; 0 if there is no lecture, or no room
 * for these.
 */
static int lecture_lines(const struct view_frame *frame)
{
	const struct canvas *canvas = frame->canvas;

	if (!frame->state->lecture.heading || canvas->width < LAYOUT_LEAST_W)
		return 0;
	if (canvas->height >= LECTURE_LEAST_H)
		return LECTURE_LINES;
	return 1;
}

/*
 * Draws heading and caption. A notice replaces the last line of the caption. If there is no
 * caption, the notice replaces the heading.
 */
static void lecture_draw(const struct view_frame *frame, struct rect rect)
{
	const struct view_lecture *lecture = &frame->state->lecture;
	struct rect caption = {rect.x + 1, rect.y + 1, rect.w - 2, VIEW_CAPTION_LINES};
	struct canvas *canvas = frame->canvas;
	char place[64];
	int left;

	snprintf(place, sizeof(place), "scene %zu of %zu", lecture->scene + 1, lecture->scenes);
	left = canvas_right(canvas, rect.x + rect.w - 1, rect.y, DIM, place);
	text_draw(canvas, RECT(caption.x, rect.y, left - caption.x - 2, 1),
		  STYLE_BOLD(COLOUR_TITLE), lecture->heading);
	if (frame->state->notice) {
		struct rect notice = caption;

		caption.h = rect.h - 2;
		notice.y = rect.y + rect.h - 1;
		notice.h = 1;
		text_draw(canvas, notice, STYLE(COLOUR_WARN), frame->state->notice);
	}
	if (rect.h == LECTURE_LINES && caption.h > 0)
		text_draw(canvas, caption, PLAIN, lecture->caption);
}

enum { SLIDE_W = 90 };

void view_lecture_slide(const struct view_frame *frame, struct rect body)
{
	const struct view_lecture *lecture = &frame->state->lecture;
	struct rect box = {body.x, body.y, body.w, body.h}, inner;
	int w = MIN(body.w, SLIDE_W), reason_h = 0;
	long first;

	if (lecture->sums_up) {
		view_slide_draw(frame, body);
		return;
	}
	box.x += (body.w - w) / 2;
	box.w = w;
	box.h = MIN(body.h, (int)MIN(lecture->scenes, 200) + 4 + (lecture->reason ? 4 : 0));
	box.y += (body.h - box.h) / 2;
	inner = view_box(frame->canvas, box, lecture->title, NULL);
	inner = RECT(inner.x + 1, inner.y + 1, inner.w - 2, inner.h - 2);
	if (lecture->reason) {
		reason_h = MIN(3, text_lines(lecture->reason, inner.w));
		text_draw(frame->canvas,
			  RECT(inner.x, inner.y + inner.h - reason_h, inner.w, reason_h),
			  STYLE(COLOUR_WARN), lecture->reason);
		reason_h++;
	}
	inner.h -= reason_h;
	/*
	 * Show as many headings as fit. The current scene's heading is in the middle, except near
	 * the first and the last scene.
	 */
	first = MAX(0, (long)lecture->scenes - inner.h);
	first = MAX(0, MIN(first, (long)lecture->scene - inner.h / 2));
	for (int y = 0; y < inner.h && first + y < (long)lecture->scenes; y++) {
		size_t scene = (size_t)(first + y);
		struct style style = PLAIN;
		const char *mark = " ";

		if (scene == lecture->scene) {
			style = STYLE_BOLD(COLOUR_TITLE);
			mark = "▸";
		} else if (scene < lecture->scene) {
			style = DIM;
		}
		canvas_printf(frame->canvas, inner.x, inner.y + y, 6, style, "%s%3zu", mark,
			      scene + 1);
		text_draw(frame->canvas, RECT(inner.x + 6, inner.y + y, inner.w - 6, 1), style,
			  lecture->headings[scene]);
	}
}

/*
 * Draws the whole caption, even if the audience's screen has room for only a part of it, and then
 * the speaker's own notes. Without a canvas, only measures the text. Returns the number of lines.
 */
static int notes_draw(struct canvas *canvas, struct rect rect, int scroll,
		      const struct view_lecture *lecture)
{
	static const char none[] = "This scene has no notes.";
	const char *const texts[] = {lecture->caption, sentence_text(lecture->notes, none)};
	int y = -scroll;

	for (int i = 0; i < 2; i++) {
		const char *text = texts[i];

		y += i == 1 && *lecture->caption;
		while (*text) {
			int indent = (int)strspn(text, " ");

			text += indent;
			y += text_paragraph(
				canvas, RECT(rect.x + indent, rect.y, rect.w - indent, rect.h), y,
				0, STYLE(i == 0 ? COLOUR_DIM : COLOUR_DEFAULT), &text);
		}
	}
	return y + scroll;
}

enum { NOTES_W = 84 };

void view_lecture_notes(const struct view_frame *frame)
{
	const struct view_lecture *lecture = &frame->state->lecture;
	struct canvas *canvas = frame->canvas;
	const int w = MIN(canvas->width - 2, NOTES_W), h = canvas->height;
	const int seconds = (int)(lecture->elapsed_ns / 1000000000);
	const struct rect notes = {1, 2, w, h - 5};
	char text[96];
	int left;

	view_keys_draw(frame, RECT(0, h - 1, canvas->width, 1));
	if (!lecture->heading) {
		text_draw(canvas, RECT(1, 0, w, 1), DIM, "Waiting for the lecture to begin.");
		return;
	}
	snprintf(text, sizeof(text), "scene %zu of %zu  %02d:%02d", lecture->scene + 1,
		 lecture->scenes, seconds / 60, seconds % 60);
	left = canvas_right(canvas, canvas->width - 1, 0, STYLE_BOLD(COLOUR_KEY), text);
	text_draw(canvas, RECT(1, 0, left - 3, 1), STYLE_BOLD(COLOUR_TITLE), lecture->heading);
	frame->shown->most_notes = MAX(0, notes_draw(NULL, notes, 0, lecture) - MAX(1, notes.h));
	notes_draw(canvas, notes, MIN(lecture->scroll, frame->shown->most_notes), lecture);
	left = canvas->width;
	if (frame->shown->most_notes > 0)
		left = canvas_right(canvas, canvas->width - 1, h - 2, DIM, "↑↓ scroll");
	canvas_text(canvas, 1, h - 2, -1, STYLE_BOLD(COLOUR_KEY),
		    lecture->next ? "Next:" : "This is the last scene.");
	if (lecture->next)
		text_draw(canvas, RECT(7, h - 2, left - 9, 1), STYLE_BOLD(COLOUR_DEFAULT),
			  lecture->next);
}

/*
 * Heights from which a caption is shown: CAPTION_RACE_H over the race, CAPTION_FITS_H over other
 * views, and CAPTION_LEAST_H if a key asked for it.
 */
enum { CAPTION_FITS_H = 30, CAPTION_RACE_H = 44, CAPTION_LEAST_H = 16 };

static const char *const *caption_texts(const struct view_frame *frame)
{
	const struct view_ops *ops = views_get(frame->model, frame->state->view);
	const char *const *now = ops && ops->captions_now ? ops->captions_now(frame) : NULL;

	if (now || !ops)
		return now;
	return ops->captions;
}

/*
 * Height from which captions are shown. The race needs more, because of its legend and because more
 * lines show more lanes.
 */
static int caption_fits_h(const struct view_frame *frame)
{
	const bool race = 1 << frame->state->view == KEYS_OVERVIEW && view_race_offered(frame);

	if (race)
		return CAPTION_RACE_H;
	return CAPTION_FITS_H;
}

int view_caption_lines(const struct view_frame *frame)
{
	const struct view_state *state = frame->state;
	const char *const *captions = caption_texts(frame);
	int least_h = state->captions == VIEW_CAPTIONS_ON ? CAPTION_LEAST_H : caption_fits_h(frame);
	int lecture = lecture_lines(frame), w = frame->canvas->width - 2;

	if (lecture)
		return lecture;
	if (state->live && !frame->model->has_session)
		return 0;
	if (!captions || w < LAYOUT_LEAST_W - 2 || state->present || state->vote ||
	    state->captions == VIEW_CAPTIONS_OFF || frame->canvas->height < least_h)
		return 0;
	return MIN(4, text_lines(captions[0], w) + text_lines(captions[1], w));
}

void view_caption_draw(const struct view_frame *frame, struct rect rect)
{
	const char *const *captions = caption_texts(frame);
	int used;

	frame->shown->captioned = rect.h > 0;
	if (rect.h <= 0)
		return;
	if (lecture_lines(frame)) {
		lecture_draw(frame, rect);
		return;
	}
	rect.x += 1;
	rect.w -= 2;
	used = text_draw(frame->canvas, rect, PLAIN, captions[0]);
	rect.y += used;
	rect.h -= used;
	text_draw(frame->canvas, rect, DIM, captions[1]);
}
