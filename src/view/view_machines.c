/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/utf8.h"
#include "draw/plot.h"
#include "draw/text.h"
#include "result/report.h"

/* Positions and widths of the columns. The plot has the remaining width. */
struct columns {
	const struct machines_answer *answer;
	/* cpu, cores, kernel and weight are 0 if that column is not shown. */
	int name, name_w, cpu, cores, kernel, ratio, interval, weight, plot, plot_w;
};

static struct columns lay_out(int width, const struct machines_answer *answer, bool dense)
{
	struct columns c = {answer, .name = 1};
	int x = 17;

	if (width >= 100)
		x = 20;
	c.name_w = x - c.name - 1;
	if (dense) {
		c.ratio = MIN(29 + MAX(width - 80, 0) / 3, 60);
		c.plot = c.ratio + 21;
	} else {
		if (width >= 110) {
			c.cpu = x;
			x += 21;
		}
		c.cores = x;
		x += 5;
		if (width >= 118) {
			c.kernel = x;
			x += 13;
		}
		c.ratio = x;
		c.weight = c.ratio + 21;
		c.plot = c.ratio + 28;
	}
	c.interval = c.ratio + 6;
	c.plot_w = MAX(width - c.plot - 1, 3);
	return c;
}

static int column_of(const struct columns *c, double ratio)
{
	return c->plot + (int)lround(machines_place(c->answer, ratio) * (c->plot_w - 1));
}

static void draw_figures(struct canvas *canvas, const struct columns *c, int y,
			 const struct stats_interval *ratio, struct style style)
{
	if (!isnan(ratio->estimate))
		canvas_right(canvas, c->ratio + 5, y, style, CLAIM_TIMES(ratio->estimate));
	canvas_text(canvas, c->interval, y, 14, DIM, MACHINES_INTERVAL(ratio));
}

static uint8_t machine_colour(const struct machines_row *row)
{
	if (row->outlier)
		return COLOUR_WARN;
	if (!row->real)
		return COLOUR_DEFAULT;
	if (row->estimate > 0)
		return COLOUR_MODEL0;
	return COLOUR_MODEL1;
}

static void draw_machine(struct canvas *canvas, const struct columns *c, int y,
			 const struct machines_row *row)
{
	const struct style hue = STYLE(machine_colour(row));
	int from = column_of(c, row->ratio.low), to = column_of(c, row->ratio.high);
	int middle = column_of(c, 1);
	const struct machines_recording *of = row->recording;
	struct style name_style = PLAIN;
	const char *more = " ...";
	uint32_t mark = 0x25cb;
	char name[MACHINE_TEXT + 8];

	if (of->done)
		more = "";
	if (row->outlier)
		name_style = STYLE(COLOUR_WARN);
	if (row->real)
		mark = 0x25cf;
	machines_fit_name(c->answer, row, canvas->glyphs != GLYPHS_ALL,
			  c->name_w - (int)strlen(more), TEXT_DOT, name);
	strcat(name, more);
	canvas_text(canvas, c->name, y, c->name_w, name_style, name);
	if (c->cpu)
		canvas_text(canvas, c->cpu, y, c->cores - c->cpu - 1, DIM, of->machine.cpu);
	canvas_printf(canvas, c->cores, y, 4, DIM, "%3d", of->machine.cores_allowed);
	if (c->kernel)
		canvas_text(canvas, c->kernel, y, c->ratio - c->kernel - 2, DIM,
			    of->machine.kernel);
	draw_figures(canvas, c, y, &row->ratio, hue);
	canvas_printf(canvas, c->weight, y, 6, DIM, "%4.1f%%", 100 * row->weight);
	canvas_hline(canvas, from, y, to - from + 1, 0x2500, hue);
	if (from <= middle && middle <= to)
		canvas_put(canvas, middle, y, 0x253c, hue);
	else
		canvas_put(canvas, middle, y, 0x2502, DIM);
	canvas_put(canvas, column_of(c, row->ratio.estimate), y, mark, hue);
}

/* Draws the pooled interval of several machines, with the mean in it. */
static void draw_mean(struct canvas *canvas, const struct columns *c, int y,
		      const struct stats_interval *ratio, struct style style)
{
	int from = column_of(c, ratio->low), to = column_of(c, ratio->high);

	canvas_hline(canvas, from, y, to - from + 1, 0x2501, style);
	canvas_put(canvas, column_of(c, ratio->estimate), y, 0x25c6, style);
}

static void draw_pooled(struct canvas *canvas, const struct columns *c, int y)
{
	const struct style bold = STYLE_BOLD(COLOUR_TITLE);
	const struct stats_interval *another = &c->answer->another;
	int from = column_of(c, another->low), to = column_of(c, another->high);

	canvas_text(canvas, c->name, y, -1, bold, "pooled");
	draw_figures(canvas, c, y, &c->answer->ratio, bold);
	draw_mean(canvas, c, y, &c->answer->ratio, bold);
	canvas_text(canvas, c->name, y + 1, -1, bold, "another machine");
	draw_figures(canvas, c, y + 1, another, bold);
	canvas_hline(canvas, from, y + 1, to - from + 1, 0x2500, bold);
	canvas_put(canvas, from, y + 1, 0x251c, bold);
	canvas_put(canvas, to, y + 1, 0x2524, bold);
}

/* Draws the density of the ratios of a group's machines, on h lines. */
static void draw_density(struct canvas *canvas, const struct columns *c, int top, int h,
			 const struct machines_group *group, struct style style)
{
	struct rect rect = {c->plot, top, MIN(c->plot_w, PLOT_DOTS / 2), h};
	unsigned counts[PLOT_DOTS / 2], most;
	double heights[PLOT_DOTS];
	int middle = column_of(c, 1);

	most = machines_density(c->answer, group, counts, rect.w);
	for (int x = 0; x < rect.w; x++)
		heights[2 * x] = heights[2 * x + 1] = counts[x];
	plot_area(canvas, rect, heights, most, style);
	for (int y = rect.y; y < rect.y + rect.h; y++)
		if (middle >= rect.x && middle < rect.x + rect.w && counts[middle - rect.x] == 0)
			canvas_put(canvas, middle, y, 0x2502, DIM);
}

static uint8_t group_colour(const struct machines_group *group)
{
	if (group->ratio.low > 1)
		return COLOUR_MODEL0;
	if (group->ratio.high < 1)
		return COLOUR_MODEL1;
	return COLOUR_DEFAULT;
}

/*
 * Draws a group on h lines. If dense, draws its density and, with more than one line, its mean on
 * the last of them. Otherwise, draws the heading of its machines, with its mean.
 */
static void draw_group(struct canvas *canvas, const struct columns *c, int y, int h,
		       const struct machines_group *group, bool dense)
{
	const struct style hue = STYLE_BOLD(group_colour(group));
	char count[32];

	snprintf(count, sizeof(count), "%zu", group->n);
	canvas_text(canvas, c->name, y, c->ratio - c->name - 7, STYLE_BOLD(COLOUR_DEFAULT),
		    group->name);
	canvas_right(canvas, c->ratio - 1, y, DIM, count);
	draw_figures(canvas, c, y, &group->ratio, hue);
	if (c->weight)
		canvas_printf(canvas, c->weight, y, 6, DIM, "%4.1f%%", 100 * group->weight);
	if (dense)
		draw_density(canvas, c, y, MAX(h - 1, 1), group, STYLE(hue.fg));
	if (!dense || h > 1)
		draw_mean(canvas, c, y + h - 1, &group->ratio, hue);
}

static void draw_head(struct canvas *canvas, const struct columns *c, int y, const char *group)
{
	if (group) {
		canvas_text(canvas, c->name, y, -1, DIM, group);
		canvas_right(canvas, c->ratio - 1, y, DIM, "machines");
	} else {
		canvas_text(canvas, c->name, y, -1, DIM, "machine");
		if (c->cpu)
			canvas_text(canvas, c->cpu, y, -1, DIM, "CPU");
		canvas_text(canvas, c->cores, y, -1, DIM, "CPUs");
		if (c->kernel)
			canvas_text(canvas, c->kernel, y, -1, DIM, "kernel");
	}
	canvas_right(canvas, c->ratio + 5, y, DIM, "ratio");
	canvas_text(canvas, c->interval, y, -1, DIM, "95 %");
	if (c->weight)
		canvas_text(canvas, c->weight, y, -1, DIM, "weight");
	if (column_of(c, 1) > c->plot + (int)strlen(CLAIM_TIMES(c->answer->low)))
		canvas_text(canvas, c->plot, y, -1, DIM, CLAIM_TIMES(c->answer->low));
	canvas_text(canvas, column_of(c, 1), y, -1, DIM, "1");
	canvas_right(canvas, c->plot + c->plot_w, y, DIM, CLAIM_TIMES(c->answer->high));
}

/*
 * Lists recordings that are left out, and why, on at most `most` lines. The list is below the rows.
 * While there are too few machines, it replaces the rows. Returns the number of all recordings that
 * are left out.
 */
static int draw_left_out(struct canvas *canvas, const struct machines *machines, int y, int most)
{
	const struct machines_recording *common = machines_main(machines);
	int left = 0;

	for (size_t i = 0; i < machines->n; i++) {
		const struct machines_recording *recording = &machines->list[i];
		const char *why = machines_left_out(common, recording);
		char line[SAMPLE_TEXT * 2];

		if (!*why || left++ >= most)
			continue;
		snprintf(line, sizeof(line), "%s: %s", basename(recording->path), why);
		utf8_mask(line);
		canvas_text(canvas, 1, y++, canvas->width - 2, STYLE(COLOUR_WARN), line);
	}
	return left;
}

/*
 * Writes the kinds of trouble from row `below` upwards, with up to a few rows for each kind.
 * Returns the number of rows.
 */
static int draw_troubles(struct canvas *canvas, const struct machines *machines, int below)
{
	struct rect rect = {1, below, canvas->width - 2, 0};
	char line[2 * SAMPLE_TEXT];

	for (int kind = MACHINES_TROUBLES; kind-- > 0;) {
		if (!machines_trouble(machines, (enum machines_trouble)kind, line, sizeof(line)))
			continue;
		rect.h = MIN(text_lines(line, rect.w), MAX(canvas->height / 12, 1));
		rect.y -= rect.h;
		text_draw(canvas, rect, STYLE(COLOUR_WARN), line);
	}
	return below - rect.y;
}

static int draw_sentence(struct canvas *canvas, int y, const char *text, struct style style)
{
	return y + text_draw(canvas, RECT(1, y, canvas->width - 2, 4), style, text);
}

/*
 * Draws the list from line view->scroll on: groups with their machines or, if dense, only the
 * densities of groups.
 */
static int draw_lines(struct canvas *canvas, const struct columns *c, int y, int rows,
		      struct view_machines *view, bool dense)
{
	const struct machines_answer *answer = c->answer;
	struct machines_group all = {"all machines", NAN, 0, answer->n, answer->ratio, 1};
	const struct machines_group *groups = &all;
	const int n_groups = MAX((int)answer->n_groups, dense);
	int lines = n_groups, h = 1, line = 0, shown;
	char of[64];

	if (answer->n_groups)
		groups = answer->groups;
	if (dense)
		h = MIN(MAX(rows / n_groups, 1), 8);
	else
		lines += (int)answer->n;
	view->scroll = MIN(view->scroll, MAX(lines - rows / h, 0));
	shown = MIN(rows / h, lines - view->scroll);
	for (int g = 0; g < MAX(n_groups, 1); g++) {
		const struct machines_group *group = &groups[g];

		if (n_groups > 0) {
			if (line >= view->scroll && line < view->scroll + shown)
				draw_group(canvas, c, y + (line - view->scroll) * h, h, group,
					   dense);
			line++;
		}
		if (!dense)
			for (size_t i = 0; i < group->n; i++, line++)
				if (line >= view->scroll && line < view->scroll + shown)
					draw_machine(canvas, c, y + line - view->scroll,
						     &answer->rows[group->first + i]);
	}
	snprintf(of, sizeof(of), "%d to %d of %d", view->scroll + 1, view->scroll + shown, lines);
	if (lines > shown)
		canvas_right(canvas, canvas->width - 1, y + shown * h + 2, DIM, of);
	return y + shown * h;
}

static void draw_forest(struct canvas *canvas, const struct machines *machines, int y,
			const struct machines_answer *answer, struct view_machines *view)
{
	const bool dense = answer->n > MACHINES_DENSE && !view->rows;
	const struct columns c = lay_out(canvas->width, answer, dense);
	const int foot = draw_troubles(canvas, machines, canvas->height - 1);
	char line[SAMPLE_TEXT] = "";
	struct sentence outliers = sentence_in(line, sizeof(line));

	if (machines->group)
		draw_head(canvas, &c, y++, machines->group->name);
	else if (dense)
		draw_head(canvas, &c, y++, "");
	else
		draw_head(canvas, &c, y++, NULL);
	for (size_t i = 0; i < answer->n; i++) {
		const char *name = answer->rows[i].recording->name;
		char spelled[3 * MACHINE_TEXT];

		if (!answer->rows[i].outlier)
			continue;
		if (canvas->glyphs != GLYPHS_ALL)
			name = utf8_ascii(name, spelled, sizeof(spelled));
		if (outliers.used == 0)
			sentence_add(&outliers, "Outliers: %s", name);
		else
			sentence_add(&outliers, ", %s", name);
	}
	/*
	 * Below these lines are two rows for the pooled answer, and one row each for the outliers,
	 * the recordings left out, and the keys.
	 */
	y = draw_lines(canvas, &c, y, MAX(canvas->height - y - 5 - foot, 1), view, dense);
	draw_pooled(canvas, &c, y);
	canvas_printf(canvas, 1, y + 2, canvas->width - 20, STYLE(COLOUR_WARN), "%s", line);
	draw_left_out(canvas, machines, y + 3, 1);
}

/*
 * Writes the keys: "q quit Tab next g group: none o order: size". If there is room, "s save"
 * follows.
 */
static void put_keys(const struct machines *machines, const struct view_machines *view,
		     bool answered, int width, char *buf, size_t size)
{
	struct sentence s = sentence_in(buf, size);
	const char *group = "none";

	if (machines->group)
		group = machines->group->name;
	sentence_add(&s, "q quit  ");
	if (answered)
		sentence_add(&s, "Tab next  ");
	sentence_add(&s, "g group: %s", group);
	sentence_add(&s, "  o order: %s", machines_order_names[view->order]);
	if (width >= 110)
		sentence_add(&s, "  s save");
}

int view_machines_draw(struct canvas *canvas, const struct machines *machines,
		       struct view_machines *view)
{
	char line[2 * SAMPLE_TEXT];
	const char *waits = "A pooled answer needs 3 machines.", *does = "watching";
	struct machines_answer answer;
	int err, y = 0, left;
	bool answered;

	if (view->reading) {
		waits = "Reading the recordings.";
		does = "reading";
	}
	canvas_clear(canvas);
	y = draw_sentence(canvas, y, machines_title(machines, line, sizeof(line)),
			  STYLE_BOLD(COLOUR_TITLE));
	answered = machines_answer(machines, view->question, view->order, &answer, &err);
	if (!answered && !err && view->question > 0) {
		view->question = 0;
		answered = machines_answer(machines, 0, view->order, &answer, &err);
	}
	if (answered) {
		y = draw_sentence(canvas, y, machines_sentence(&answer, line, sizeof(line)), PLAIN);
		draw_forest(canvas, machines, y + 1, &answer, view);
		machines_answer_free(&answer);
	} else if (!err) {
		for (size_t i = 0; machines_fault_sentence(machines, i, line, sizeof(line)); i++)
			y = draw_sentence(canvas, y, line, PLAIN);
		if (!machines_fault_sentence(machines, 0, line, sizeof(line)))
			y = draw_sentence(canvas, y, waits, DIM);
		left = draw_troubles(canvas, machines, canvas->height - 1);
		draw_left_out(canvas, machines, y + 1, canvas->height - y - 3 - left);
	}
	put_keys(machines, view, answered, canvas->width, line, sizeof(line));
	left = canvas->width - 3 -
	       canvas_text(canvas, 1, canvas->height - 1, canvas->width - 2, STYLE(COLOUR_KEY),
			   sentence_text(view->notice, line));
	if (view->folder && !*view->notice) {
		snprintf(line, sizeof(line), "%s %.60s", does, view->folder);
		utf8_mask(line);
		if (utf8_columns(line) > left)
			line[strcspn(line, " ")] = '\0';
		if (utf8_columns(line) <= left)
			canvas_right(canvas, canvas->width - 1, canvas->height - 1, DIM, line);
	}
	return err;
}
