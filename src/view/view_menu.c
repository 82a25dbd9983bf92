/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "draw/key.h"
#include "draw/text.h"
#include "views.h"

static int menu_rows(const struct menu *menu)
{
	return menu->n_experiments + menu->n_recordings;
}

/*
 * The line where a row begins. There is a heading above the experiments, and a blank line and a
 * heading above the recordings.
 */
static int menu_line(const struct menu *menu, int row, int pitch)
{
	if (row < menu->n_experiments)
		return row * pitch + 1;
	return row * pitch + 3;
}

static void menu_select(struct menu *menu, int row)
{
	row = MAX(0, MIN(row, menu_rows(menu) - 1));
	menu->stale |= row != menu->row;
	menu->row = row;
	menu->part = MENU_LIST;
}

/* Handles up and down: moves to the next or previous row of the list, or part of the experiment. */
static void menu_move_line(struct menu *menu, int by, int n_parts)
{
	const int part = (int)menu->part + by;

	if ((int)menu->part >= n_parts)
		menu_select(menu, menu->row + by);
	else if (part >= MENU_MODELS && part < n_parts)
		menu->part = (enum menu_part)part;
}

/* Handles Tab: moves through the parts of the experiment, and from the last part to the list. */
static void menu_move_part(struct menu *menu, bool back, int n_parts)
{
	int part = MIN((int)menu->part, n_parts);

	if (back)
		part += n_parts;
	else
		part++;
	part %= n_parts + 1;
	if (part == n_parts)
		menu->part = MENU_LIST;
	else
		menu->part = (enum menu_part)part;
}

/*
 * Handles left and right: moves to the next or previous choice of a part. Left of the first choice,
 * moves into the list.
 */
static void menu_move_choice(struct menu *menu, int by, int n_parts)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	int next, *chosen;

	if ((int)menu->part >= n_parts) {
		if (by > 0 && n_parts > 0)
			menu->part = MENU_MODELS;
		return;
	}
	chosen = &menu->experiments[menu->row].chosen[menu->part];
	next = *chosen + by;
	if (next < 0) {
		menu->part = MENU_LIST;
	} else if (next < experiment->n[menu->part]) {
		*chosen = next;
		menu->stale = true;
	}
}

void menu_move(struct menu *menu, int key)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	const int page = MAX(1, menu->shown.page - 1);
	int n_parts = 0; /* A recording has no parts. */

	if (experiment)
		n_parts = experiment->n_parts;
	switch (key) {
	case KEY_UP_ARROW:
		menu_move_line(menu, -1, n_parts);
		break;
	case KEY_DOWN_ARROW:
		menu_move_line(menu, 1, n_parts);
		break;
	case KEY_PAGE_UP:
		menu_select(menu, menu->row - page);
		break;
	case KEY_PAGE_DOWN:
		menu_select(menu, menu->row + page);
		break;
	case KEY_HOME_KEY:
		menu_select(menu, 0);
		break;
	case KEY_END_KEY:
		menu_select(menu, menu_rows(menu) - 1);
		break;
	case KEY_TAB:
		menu_move_part(menu, false, n_parts);
		break;
	case KEY_BACK_TAB:
		menu_move_part(menu, true, n_parts);
		break;
	case KEY_LEFT_ARROW:
		menu_move_choice(menu, -1, n_parts);
		break;
	case KEY_RIGHT_ARROW:
		menu_move_choice(menu, 1, n_parts);
		break;
	}
}

bool menu_ready(const struct menu *menu)
{
	return menu_rows(menu) > 0 && !*menu->refusal;
}

int menu_mouse(struct menu *menu, int key, int x, int y)
{
	const struct menu_shown *shown = &menu->shown;
	const struct menu_zone *zone = shown->zones;
	const int label = keys_label_at(&shown->labels, x, y);

	if (key != KEY_MOUSE_PRESS) {
		menu->part = MENU_LIST;
		if (key == KEY_WHEEL_UP)
			return KEY_UP_ARROW;
		return KEY_DOWN_ARROW;
	}
	if (label)
		return label;
	while (zone < shown->zones + shown->n_zones && !rect_has(&zone->rect, x, y))
		zone++;
	if (zone == shown->zones + shown->n_zones)
		return 0;
	/* A second click on a row of the list has the effect of Enter. */
	if (zone->part == MENU_LIST) {
		const int was = menu->row;

		menu_select(menu, zone->value);
		if (zone->value == was)
			return KEY_ENTER_KEY;
		return 0;
	}
	/*
	 * If a key has selected another row since the last frame, ignore the click, because the new
	 * row may have other choices, or no choices.
	 */
	if (menu->row != shown->row)
		return 0;
	menu->part = zone->part;
	if (!zone->key && menu_experiment(menu)) {
		menu->experiments[menu->row].chosen[menu->part] = zone->value;
		menu->stale = true;
	}
	return zone->key;
}

/*
 * The list of experiments and recordings, with the details of the selected row at its right. On a
 * narrow screen, the details are below the list. The smallest screens show only the list.
 */

enum { BOXES_LEAST_W = 40, BOXES_LEAST_H = 12, BESIDE_LEAST_W = 100, LIST_LEAST_H = 5 };

static void menu_add_zone(struct menu *menu, struct rect rect, int key, enum menu_part part,
			  int value)
{
	struct menu_shown *shown = &menu->shown;

	if (shown->n_zones < MENU_ZONES)
		shown->zones[shown->n_zones++] = (struct menu_zone) {rect, key, part, value};
}

static void menu_text(struct canvas *canvas, int x, int y, int w, struct style style,
		      const char *text)
{
	if (w > 0)
		text_draw(canvas, RECT(x, y, w, 1), style, text);
}

/*
 * The style of a row. The selected row has its own background and a mark. The background is less
 * prominent while the cursor is not in the list.
 */
static struct style menu_row_style(const struct menu *menu, int row, struct style style)
{
	if (row != menu->row)
		return style;
	if (menu->part == MENU_LIST)
		return (struct style) {COLOUR_TITLE, COLOUR_DEFAULT, ATTR_BOLD | ATTR_REVERSE};
	style.bg = COLOUR_PANEL;
	return style;
}

static const char *recording_sentence(const struct menu_recording *recording, const char *meanwhile)
{
	if (recording->sentence)
		return recording->sentence;
	if (recording->read)
		return "?";
	return meanwhile;
}

/* Draws a row on one or two lines. */
static void draw_menu_row(struct canvas *canvas, const struct menu *menu, struct rect rect, int row)
{
	struct rect text = {rect.x + 2, rect.y, rect.w - 3, MIN(rect.h, 2)};
	struct rect ground = {rect.x, rect.y, rect.w, text.h};
	struct style head_style = STYLE_BOLD(COLOUR_DEFAULT), words_style = DIM;
	char dated[SAMPLE_LABEL + 32];
	const char *head = dated, *words, *below;
	int w = 0, indent = 2;

	if (row == menu->row)
		canvas_fill(canvas, ground, ' ', menu_row_style(menu, row, PLAIN));
	if (row == menu->row && menu->part != MENU_LIST)
		canvas_fill(canvas, RECT(rect.x, rect.y, 1, text.h), 0x258c,
			    menu_row_style(menu, row, STYLE(COLOUR_KEY)));
	if (row < menu->n_experiments) {
		const struct menu_experiment *experiment = &menu->experiments[row];

		for (int i = 0; i < menu->n_experiments; i++)
			w = MAX(w, utf8_columns(menu->experiments[i].name) + 2);
		head = experiment->name;
		head_style = STYLE_BOLD(COLOUR_KEY);
		words_style = STYLE_BOLD(COLOUR_DEFAULT);
		words = experiment->question;
		below = experiment->about;
		indent = w;
	} else {
		const struct menu_recording *recording =
			&menu->recordings[row - menu->n_experiments];

		w = MAX(26, snprintf(dated, sizeof(dated), "%-16s  %s", recording->date,
				     recording->experiment)) +
		    1;
		below = recording_sentence(recording, "…");
		if (text.h > 1)
			words = recording->models;
		else
			words = below;
	}
	menu_text(canvas, text.x, text.y, w, menu_row_style(menu, row, head_style), head);
	menu_text(canvas, text.x + w, text.y, text.w - w, menu_row_style(menu, row, words_style),
		  words);
	if (text.h > 1)
		menu_text(canvas, text.x + indent, text.y + 1, text.w - indent,
			  menu_row_style(menu, row, DIM), below);
}

static void draw_menu_heading(struct canvas *canvas, const struct rect *list, int y,
			      const char *text)
{
	if (y >= list->y && y < list->y + list->h)
		menu_text(canvas, list->x + 1, y, list->w - 2, DIM, text);
}

static void draw_menu_list(struct canvas *canvas, struct menu *menu, struct rect rect)
{
	struct menu_shown *shown = &menu->shown;
	int n = menu_rows(menu), y;
	int least = menu->n_experiments + MIN(menu->n_recordings, 4), first;

	/*
	 * Choose the distance of rows: the largest distance with which all experiments and some
	 * recordings fit.
	 */
	shown->pitch = 3;
	while (shown->pitch > 1 && menu_line(menu, least - 1, shown->pitch) + shown->pitch > rect.h)
		shown->pitch--;
	shown->page = rect.h / shown->pitch;
	/*
	 * Scroll so that the selected row is visible. If it is the first experiment or the first
	 * recording, its heading is visible too.
	 */
	first = menu_line(menu, menu->row, shown->pitch);
	shown->scroll = MAX(shown->scroll, first + shown->pitch - rect.h);
	first -= menu->row == 0 || menu->row == menu->n_experiments;
	shown->scroll = MIN(MIN(shown->scroll, first),
			    menu_line(menu, n - 1, shown->pitch) + shown->pitch - rect.h);
	shown->scroll = MAX(0, shown->scroll);
	y = rect.y - shown->scroll;
	draw_menu_heading(canvas, &rect, y, "EXPERIMENTS");
	if (menu->n_recordings > 0)
		draw_menu_heading(canvas, &rect,
				  y + menu_line(menu, menu->n_experiments, shown->pitch) - 1,
				  "RECORDINGS, the newest first");
	for (int row = 0; row < n; row++) {
		int at = y + menu_line(menu, row, shown->pitch);
		int h = rect.y + rect.h - at;
		struct rect place = {rect.x, at, rect.w, MIN(h, shown->pitch)};

		if (at < rect.y || h <= 0)
			continue;
		draw_menu_row(canvas, menu, place, row);
		menu_add_zone(menu, place, 0, MENU_LIST, row);
	}
}

/* The details of the selected row: texts and, between them, the lines of choices. */

struct menu_block {
	const char *text; /* NULL: the block is the lines of choices. */
	struct style style;
	/*
	 * If there is too little room, lines of the blocks of the greatest weight are dropped
	 * first. 0: the block is never dropped.
	 */
	int weight;
	bool gap; /* A blank line precedes the block. */
	/*
	 * A word before the text, which is shown only if a blank line precedes the block. NULL: no
	 * word.
	 */
	const char *name;
	int lines;
};

enum { BLOCKS = 8 };

struct menu_detail {
	int n;
	int parts; /* Number of lines of choices. */
	struct menu_block blocks[BLOCKS];
};

static const char as_typed[] = "The same, typed:", on_here[] = "On this machine:";

static int detail_lines(const struct menu_detail *detail)
{
	int lines = 0;

	for (int i = 0; i < detail->n; i++)
		if (detail->blocks[i].lines > 0)
			lines += detail->blocks[i].lines + detail->blocks[i].gap +
				 (detail->blocks[i].name != NULL);
	return lines;
}

/*
 * Makes the details fit in h lines: drops names first, then blank lines, then lines of the blocks
 * of the greatest weight. Returns the number of lines that all details would need.
 */
static int detail_fit(struct menu_detail *detail, int w, int h)
{
	int wanted;

	for (int i = 0; i < detail->n; i++) {
		struct menu_block *block = &detail->blocks[i];

		if (block->text)
			block->lines = text_lines(block->text, w);
		else
			block->lines = detail->parts;
	}
	wanted = detail_lines(detail);
	for (int i = 0; i < detail->n; i++)
		if (detail_lines(detail) > h)
			detail->blocks[i].name = NULL;
	for (int i = 0; i < detail->n; i++)
		if (detail_lines(detail) > h)
			detail->blocks[i].gap = false;
	for (int weight = 4; weight > 0; weight--)
		for (int i = 0; i < detail->n; i++) {
			struct menu_block *block = &detail->blocks[i];
			int least = weight < 4;

			if (!block->text)
				least = MENU_SETTINGS;
			while (detail_lines(detail) > h && block->weight == weight &&
			       block->lines > least)
				block->lines--;
		}
	return wanted;
}

static struct menu_detail detail_of(const struct menu *menu)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	const struct menu_recording *recording = menu_recording(menu);

	if (experiment)
		return (struct menu_detail) {
			6,
			experiment->n_parts,
			{
				{experiment->question, STYLE_BOLD(COLOUR_TITLE), 0, false},
				{experiment->about, DIM, 4, true},
				{NULL, PLAIN, 4, true},
				{menu->refusal, STYLE_BOLD(COLOUR_BAD), 1, true, on_here},
				{menu->takes, PLAIN, 2, true, on_here},
				{menu->command, STYLE_BOLD(COLOUR_KEY), 3, true, as_typed},
			}};
	if (!recording)
		return (struct menu_detail) {0};
	return (struct menu_detail) {
		5,
		0,
		{
			{recording_sentence(recording, "reading it …"), STYLE_BOLD(COLOUR_TITLE), 0,
			 false},
			{menu->takes, PLAIN, 1, true},
			{recording->name, DIM, 4, false},
			{menu->refusal, STYLE_BOLD(COLOUR_BAD), 2, true},
			{menu->command, STYLE_BOLD(COLOUR_KEY), 3, true, as_typed},
		}};
}

enum { CHOICE_LABEL_W = 16 };

static struct style menu_value_style(const struct menu *menu, int part, bool chosen)
{
	if (!chosen)
		return DIM;
	if ((int)menu->part != part)
		return STYLE_BOLD(COLOUR_DEFAULT);
	return (struct style) {COLOUR_TITLE, COLOUR_DEFAULT, ATTR_BOLD | ATTR_REVERSE};
}

/*
 * The style of a part's name, or of an arrow: bright if a key has an effect on the part or in the
 * direction of the arrow.
 */
static struct style menu_mark_style(bool bright, uint8_t attr)
{
	if (bright)
		return (struct style) {.fg = COLOUR_KEY, .attr = attr};
	return (struct style) {.fg = COLOUR_DIM, .attr = attr};
}

/*
 * Draws all choices of a part, "models ● threads, processes ○ threads", on as many lines as needed.
 * Returns the number of lines. Without a canvas, only counts the lines.
 */
static int spread_menu_choice(struct canvas *canvas, struct menu *menu, struct rect rect, int part)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	int left = rect.x + CHOICE_LABEL_W, x = left, y = rect.y;

	if (canvas)
		menu_text(canvas, rect.x, y, CHOICE_LABEL_W - 1,
			  menu_mark_style((int)menu->part == part, 0), experiment->part[part]);
	for (int i = 0; i < experiment->n[part]; i++) {
		int w = 2 + utf8_columns(experiment->choices[part][i].label);

		if (x > left && x + w > rect.x + rect.w) {
			x = left;
			y++;
		}
		w = MIN(w, rect.x + rect.w - x);
		if (canvas) {
			bool chosen = experiment->chosen[part] == i;

			if (chosen)
				canvas_put(canvas, x, y, 0x25cf, STYLE(COLOUR_KEY));
			else
				canvas_put(canvas, x, y, 0x25cb, DIM);
			menu_text(canvas, x + 2, y, w - 2, menu_value_style(menu, part, chosen),
				  experiment->choices[part][i].label);
			menu_add_zone(menu, RECT(x, y, w, 1), 0, (enum menu_part)part, i);
		}
		x += w + 3;
	}
	return y - rect.y + 1;
}

/* Draws the choice of a part in one line: "models ◂ threads, processes ▸". */
static void draw_menu_choice(struct canvas *canvas, struct menu *menu, struct rect rect, int part)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	int chosen = experiment->chosen[part], last = experiment->n[part] - 1;
	bool here = (int)menu->part == part;
	const char *label = "";
	int x = rect.x + CHOICE_LABEL_W, w;
	char place[32];

	if (last >= 0)
		label = experiment->choices[part][chosen].label;
	w = MIN(utf8_columns(label), rect.w - CHOICE_LABEL_W - 4);
	menu_text(canvas, rect.x, rect.y, CHOICE_LABEL_W - 1, menu_mark_style(here, 0),
		  experiment->part[part]);
	canvas_put(canvas, x, rect.y, 0x25c2, menu_mark_style(chosen > 0, ATTR_BOLD));
	menu_text(canvas, x + 2, rect.y, w, menu_value_style(menu, part, true), label);
	snprintf(place, sizeof(place), "%d of %d", chosen + 1, last + 1);
	if (x + w + 6 + utf8_columns(place) <= rect.x + rect.w)
		canvas_text(canvas, x + w + 6, rect.y, -1, DIM, place);
	canvas_put(canvas, x + 3 + w, rect.y, 0x25b8, menu_mark_style(chosen < last, ATTR_BOLD));
	menu_add_zone(menu, RECT(x, rect.y, 2, 1), KEY_LEFT_ARROW, (enum menu_part)part, 0);
	menu_add_zone(menu, RECT(x + 2, rect.y, w + 2, 1), KEY_RIGHT_ARROW, (enum menu_part)part,
		      0);
}

static void draw_menu_choices(struct canvas *canvas, struct menu *menu, struct rect rect,
			      bool spread)
{
	const int n = menu_experiment(menu)->n_parts;
	int first = 0;

	if (spread) {
		for (int part = 0; part < n; part++)
			rect.y += spread_menu_choice(canvas, menu, rect, part) + 1;
		return;
	}
	if ((int)menu->part < n)
		first = MAX(0, (int)menu->part - rect.h + 1);
	for (int part = first; part < MIN(n, first + rect.h); part++)
		draw_menu_choice(canvas, menu, RECT(rect.x, rect.y + part - first, rect.w, 1),
				 part);
	if (first + rect.h < n && rect.h > 1)
		canvas_right(canvas, rect.x + rect.w, rect.y + rect.h - 1, DIM, "▾");
}

static void draw_menu_detail(struct canvas *canvas, struct menu *menu, struct rect rect)
{
	struct menu_detail detail = detail_of(menu);
	struct menu_block *block = detail.blocks, *blocks_end = block + detail.n;
	int end = rect.y + rect.h;

	detail_fit(&detail, rect.w, rect.h);
	/* If there is enough room, show all choices, with a blank line between the parts. */
	for (struct menu_block *choices = block; choices < blocks_end; choices++) {
		int lines = detail.parts - 1;

		if (!choices->text)
			for (int part = 0; part < detail.parts; part++)
				lines +=
					spread_menu_choice(NULL, menu, RECT(0, 0, rect.w, 0), part);
		if (!choices->text && lines &&
		    detail_lines(&detail) - choices->lines + lines + 2 <= rect.h)
			choices->lines = lines;
	}
	/*
	 * The question, or the recording's result, has its own background, with a blank row above
	 * it and a blank row below it.
	 */
	if (detail.n > 0 && detail_lines(&detail) + 2 <= rect.h) {
		struct rect ground = {rect.x - 1, rect.y, rect.w + 2, block->lines + 2};
		struct style style = block->style;

		style.bg = COLOUR_PANEL;
		canvas_fill(canvas, ground, ' ', style);
		text_draw(canvas, RECT(rect.x, rect.y + 1, rect.w, block->lines), style,
			  block->text);
		rect.y += ground.h;
		block++;
	}
	for (; block < blocks_end; block++) {
		rect.y += block->gap && block->lines > 0;
		if (block->name && block->lines > 0)
			menu_text(canvas, rect.x, rect.y++, rect.w, DIM, block->name);
		rect.h = MIN(end - rect.y, block->lines);
		if (rect.h > 0 && block->text)
			text_draw(canvas, rect, block->style, block->text);
		else if (rect.h > 0)
			draw_menu_choices(canvas, menu, rect,
					  block->lines > menu_experiment(menu)->n_parts);
		rect.y = MIN(end, rect.y + MAX(0, rect.h));
	}
}

/* Says how many recordings the list has, because they may be below the visible part of the list. */
static void menu_note(const struct menu *menu, struct sentence *note)
{
	int n = 0;

	for (int i = 0; i < menu->n_recordings; i++)
		n += !menu->recordings[i].unreadable;
	if (n > 0)
		sentence_add(note, "%d recording%s to replay", n, sentence_plural(n));
	if (n < menu->n_recordings)
		sentence_join(note, ", ", "%d unreadable", menu->n_recordings - n);
}

static void draw_menu_boxes(struct canvas *canvas, struct menu *menu, struct rect body)
{
	const struct menu_experiment *experiment = menu_experiment(menu);
	struct rect list = body, detail = body;
	const char *title = "";
	char note[64] = "";
	struct sentence recordings = sentence_in(note, sizeof(note));

	/*
	 * If list and details are side by side, make the list wide enough for a question in one
	 * line.
	 */
	if (body.w >= BESIDE_LEAST_W) {
		list.w = MAX(62, body.w * 9 / 20);
		detail.x += list.w;
		detail.w -= list.w;
	} else {
		struct menu_detail wish = detail_of(menu);
		int wanted = detail_fit(&wish, body.w - 4, 100) + 2;

		detail.h = MIN(wanted, MIN(body.h - LIST_LEAST_H - 2, body.h * 3 / 5));
		list.h -= detail.h;
		detail.y += list.h;
	}
	menu_note(menu, &recordings);
	view_box(canvas, list, "what to run?", note);
	draw_menu_list(canvas, menu, RECT(list.x + 1, list.y + 1, list.w - 2, list.h - 2));
	if (experiment)
		title = experiment->name;
	else if (menu_recording(menu))
		title = "a recording";
	detail = view_box(canvas, detail, title, NULL);
	draw_menu_detail(canvas, menu, detail);
}

void view_menu_draw(struct canvas *canvas, struct menu *menu)
{
	const bool small = canvas->width < BOXES_LEAST_W || canvas->height < BOXES_LEAST_H;
	struct rect body = {0, !small, canvas->width, canvas->height - 1 - !small};
	struct rect ground = {0, body.y, canvas->width, canvas->height};

	if (menu->alone)
		ground.y = 0;
	canvas_fill(canvas, ground, ' ', PLAIN);
	menu->shown.n_zones = 0;
	menu->shown.row = menu->row;
	if (menu->alone && !small) {
		int x = canvas_text(canvas, 1, 0, -1, STYLE_BOLD(COLOUR_TITLE), "tuibench");

		menu_text(canvas, x + 2, 0, canvas->width - x - 3, DIM,
			  "the same work as threads and as processes, live");
	}
	if (small)
		draw_menu_list(canvas, menu, body);
	else
		draw_menu_boxes(canvas, menu, body);
	view_keys_draw_menu(canvas, menu, RECT(0, canvas->height - 1, canvas->width, 1));
	if (menu->notice && canvas->height > 1) {
		struct style style = {COLOUR_WARN, COLOUR_DEFAULT, ATTR_BOLD | ATTR_REVERSE};

		canvas_fill(canvas, RECT(0, canvas->height - 2, canvas->width, 1), ' ', style);
		menu_text(canvas, 1, canvas->height - 2, canvas->width - 2, style, menu->notice);
	}
}
