/* SPDX-License-Identifier: MIT */
#include "html_lanes.h"

#include <math.h>

#include "base/sentence.h"
#include "base/units.h"
#include "core/plan.h"
#include "model/model_slices.h"
#include "typical.h"

#define NAME_BYTES 160
#define TEXT_BYTES 512
#define BAR	   11
#define CASES	   8 /* of a sweep are shown: more would bury what follows */

/* The kinds of work that have colours of their own, and what their workers do. */
static const struct {
	const char *style, *about;
} kinds[WORK_KINDS] = {
	[WORK_CPU] = {"cpu", "looks for divisors"},
	[WORK_IO] = {"io", "copies a file"},
	[WORK_FP] = {"fp", "adds up a series"},
	[WORK_MEM] = {"mem", "walks an array"},
	[WORK_WRITE] = {"write", "writes a file"},
	[WORK_SHARE] = {"cpu", "counts"},
	[WORK_TOUCH] = {"mem", "writes to pages"},
	[WORK_TOKEN] = {"io", "hands a token over"},
	[WORK_MESSAGE] = {"io", "sends or receives messages"},
};

const char *timeline_style(const struct plan_node *node)
{
	return kinds[node->work].style ? kinds[node->work].style : "other";
}

bool timeline_life(const struct html *html, const struct timeline *line, uint32_t index,
		   int64_t *from_ns, int64_t *to_ns)
{
	struct sample_worker worker = model_worker(html->model, line->run, index);

	*from_ns = sample_worker_begin(&worker);
	*to_ns = worker.finish_ns >= 0 ? worker.finish_ns : line->end_ns;
	return *from_ns >= 0 && *to_ns >= *from_ns && worker.status != SAMPLE_REFUSED;
}

static void draw_span(struct html *html, const struct timeline *line, const char *style, double y,
		      double h, int64_t from_ns, int64_t to_ns)
{
	double x = svg_at(&line->scale, (double)from_ns);
	double w = svg_at(&line->scale, (double)to_ns) - x;

	if (from_ns >= 0 && to_ns > from_ns)
		svg_rect(html, style, x, y, w < 0.6 ? 0.6 : w, h);
}

static int64_t duration(int64_t from_ns, int64_t to_ns)
{
	return from_ns < 0 || to_ns < from_ns ? -1 : to_ns - from_ns;
}

/* "; on a core 140 ms, waited 320 ms, blocked 1 ms", where it is known. */
static void add_shares(struct sentence *text, const struct html *html, const struct timeline *line,
		       uint32_t index)
{
	struct model_shares shares = {{0}};

	if (!model_has_slices(line->run))
		return;
	model_shares_add(html->model, line->run, index, 0, INT64_MAX, &shares);
	if (shares.ns[STATE_ON] > 0)
		sentence_add(text, "; on a core %s, waited for one %s, blocked %s",
			     UNITS_TIME((int64_t)shares.ns[STATE_ON], false),
			     UNITS_TIME((int64_t)shares.ns[STATE_WAITING], false),
			     UNITS_TIME((int64_t)shares.ns[STATE_BLOCKED], false));
}

/* The text that a pointer on the row shows. */
static void write_life(struct html *html, const struct timeline *line, uint32_t index,
		       const char *name)
{
	const struct sample_worker worker = model_worker(html->model, line->run, index);
	char text[TEXT_BYTES];
	struct sentence life = {text, sizeof(text), 0};

	sentence_add(&life, "%s: started after %s, ended its work after %s, joined %s later; %s",
		     name, UNITS_TIME(duration(worker.create_ns, worker.start_ns), false),
		     UNITS_TIME(duration(worker.work_ns, worker.finish_ns), false),
		     UNITS_TIME(duration(worker.finish_ns, worker.join_ns), false),
		     sample_status_name((enum sample_status)worker.status));
	add_shares(&life, html, line, index);
	html_element(html, "title", text);
}

static void draw_trouble(struct html *html, const struct timeline *line,
			 const struct sample_worker *worker, double y)
{
	int64_t end_ns = worker->finish_ns >= 0 ? worker->finish_ns : line->end_ns;
	double x = svg_at(&line->scale, (double)end_ns);

	if (worker->status == SAMPLE_OK || worker->status == SAMPLE_RUNNING ||
	    worker->status == SAMPLE_INTERRUPTED)
		return;
	svg_line(html, "cross", x - 4, y + 1, x + 4, y + 9);
	svg_line(html, "cross", x - 4, y + 9, x + 4, y + 1);
	svg_text(html, "small", x + 8, y + 9, "%s",
		 sample_status_name((enum sample_status)worker->status));
}

static void draw_work(struct html *html, const struct timeline *line, uint32_t index,
		      const struct plan_node *node, double y)
{
	struct sample_worker worker = model_worker(html->model, line->run, index);
	int64_t end_ns = worker.finish_ns >= 0 ? worker.finish_ns : line->end_ns;
	int64_t work_ns = worker.work_ns >= 0 ? worker.work_ns : worker.start_ns;
	double share = html_lanes_share(html, line, index, work_ns, end_ns);

	draw_span(html, line, "wait", y + 3, BAR - 6, worker.create_ns,
		  work_ns >= 0 ? work_ns : end_ns);
	if (!html_lanes_worker(html, line, index, timeline_style(node), y, work_ns, end_ns))
		draw_span(html, line, timeline_style(node), y, BAR, work_ns, end_ns);
	draw_span(html, line, "join", y + 3, BAR - 6, worker.finish_ns,
		  worker.join_ns >= 0 ? worker.join_ns : line->end_ns);
	draw_trouble(html, line, &worker, y);
	svg_text(html, "end", SVG_WIDTH, y + 10, "%s",
		 UNITS_TIME(duration(work_ns, worker.finish_ns), false));
	if (!isnan(share))
		svg_text(html, "end", SVG_WIDTH - 53, y + 10, "%.0f %%", 100 * share);
}

static void draw_worker(struct html *html, const struct timeline *line, uint32_t index, double y)
{
	struct plan_node node;
	char name[NAME_BYTES];

	plan_node(line->plan, index, &node);
	plan_name(line->plan, index, name, sizeof(name));
	html_put(html, "<g>");
	write_life(html, line, index, name);
	svg_name(html, "", SVG_LABELS - 8 - 110 + 10 * node.level, y + 10, name, 14);
	draw_work(html, line, index, &node, y);
	html_put(html, "</g>\n");
}

static void draw_rows(struct html *html, const struct timeline *line)
{
	double height = line->run->n_workers * (double)SVG_ROW;
	double cores = html_core_lanes_height(line);

	svg_open(
		html, height + cores + SVG_AXIS, "Timeline of each worker",
		cores > 0
			? "A row for each worker: a thin bar from its creation to the begin of "
			  "its work; until its end, full where it was on a core, pale where it "
			  "waited for one, a line where it was blocked; a thin bar until it is "
			  "joined. Below a row for each core with who was on it."
			: "A row for each worker: a thin bar from its creation to the begin of its "
			  "work, a thick one until its end, whether it has a core or not, a thin "
			  "one until it is joined.");
	svg_axis_x(html, &line->scale, SVG_TIME, 0, height + cores);
	for (uint32_t i = 0; i < line->run->n_workers; i++)
		draw_worker(html, line, i, i * (double)SVG_ROW + 3);
	if (cores > 0)
		html_core_lanes(html, line, height);
	svg_close(html);
}

static void write_title(struct html *html, const struct timeline *line)
{
	html_heading_begin(html, 3);
	svg_key(html, html_hue(html, line->run->id.case_id));
	html_text(html, HTML_CASE(html, line->run->id.case_id));
	html_put(html, " <span class=\"dim\">%s, %s</span>", HTML_TRIAL(html, line->run),
		 UNITS_TIME(html_span(html, line->run), false));
	html_heading_end(html, 3);
}

static struct timeline line_of(const struct html *html, uint32_t case_id)
{
	struct timeline line = {.run = typical_run(html->model, case_id),
				.plan = &html->model->cases[case_id].plan};

	if (line.run)
		line.end_ns = html_length(html, line.run);
	return line;
}

static int draw_case(struct html *html, const struct timeline *line)
{
	int err = 0;

	html_put(html, "<figure>");
	write_title(html, line);
	if (line->run->n_workers <= TIMELINE_ROWS)
		draw_rows(html, line);
	else
		err = html_density(html, line);
	html_put(html, "</figure>\n");
	return err;
}

/* What the cases that are shown have in common. */
struct survey {
	struct svg_scale scale;
	bool rows, dense;
	uint32_t lanes;
	bool work[WORK_KINDS]; /* done by workers of theirs */
};

/* The kinds of work beside the first, which stands for all in what is said of any. */
static void write_kinds(struct html *html, const struct survey *found, enum work_kind first)
{
	for (int i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];

		if (kinds[kind].style && found->work[kind] && kind != first)
			html_swatch(html, kinds[kind].style, kinds[kind].about);
	}
}

static enum work_kind first_kind(const struct survey *found)
{
	for (int i = 0; i < WORK_KINDS; i++)
		if (kinds[plan_work_order[i]].style && found->work[plan_work_order[i]])
			return plan_work_order[i];
	return WORK_CPU;
}

static void write_swatches(struct html *html, const struct survey *found)
{
	enum work_kind first = first_kind(found);

	html_swatch(html, "wait", "created, waits");
	if (found->lanes > 0)
		html_lanes_legend(html, kinds[first].style);
	else
		html_swatch(html, kinds[first].style, "at work, on a core or not");
	write_kinds(html, found, first);
	html_swatch(html, "other", "other work");
	html_swatch(html, "join", "finished, not joined yet");
}

static void write_legend(struct html *html, const struct survey *found)
{
	html_put(html, "<p class=\"note\">All models share one time axis. Of each the trial "
		       "nearest to its median is shown. ");
	if (found->dense)
		html_put(html, "The curve is how many workers exist at a time: a shade for each "
			       "level, the deepest the darkest. Below it, a row for each branch of "
			       "the first level: the darker, the more of it is alive. ");
	if (found->rows && found->lanes > 0)
		html_put(html,
			 "At the right, which share of its work a worker was on a core, and how "
			 "long it took. Rest the pointer on a stretch to read it. ");
	if (found->rows)
		write_swatches(html, found);
	html_put(html, "</p>\n");
}

static struct survey survey(const struct html *html, uint32_t cases)
{
	struct survey found = {
		.scale = {.x = SVG_LABELS, .w = SVG_WIDTH - SVG_LABELS - SVG_VALUES}};

	for (uint32_t i = 0; i < cases; i++) {
		struct timeline line = line_of(html, i);

		if (!line.run)
			continue;
		found.scale.high = fmax(found.scale.high, (double)line.end_ns);
		found.rows |= line.run->n_workers <= TIMELINE_ROWS;
		found.dense |= line.run->n_workers > TIMELINE_ROWS;
		found.lanes += html_lanes_count(&line);
		for (int kind = 0; kind < WORK_KINDS; kind++)
			found.work[kind] |= line.plan->leaves[kind] > 0;
	}
	return found;
}

int html_timelines(struct html *html)
{
	uint32_t cases = html->model->n_cases < CASES ? html->model->n_cases : CASES;
	const struct survey found = survey(html, cases);
	int err = 0;

	if (!(found.scale.high > 0))
		return 0;
	html_section(html, "Timelines");
	write_legend(html, &found);
	if (cases < html->model->n_cases)
		html_put(html, "<p class=\"note\">The first %u of %u are shown.</p>\n", cases,
			 html->model->n_cases);
	for (uint32_t i = 0; i < cases && !err; i++) {
		struct timeline line = line_of(html, i);

		line.scale = found.scale;
		line.columns = html_lanes_columns(found.lanes);
		if (line.run)
			err = draw_case(html, &line);
	}
	html_put(html, "</section>\n");
	return err;
}
