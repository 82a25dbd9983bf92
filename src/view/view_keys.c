/* SPDX-License-Identifier: MIT */
#include "view_cache.h"

#include <stdio.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "draw/key.h"

/*
 * The bottom line: keys on the left, the views' tabs on the right. Where a click goes is found in
 * struct keys_labels.
 */

struct view_label {
	struct keys_label spot;
	char name[32]; /* Name of the key; "": the label is a view's tab. */
	char text[24];
	const char *brief; /* A shorter text for narrow screens. NULL: the same text. */
	int weight; /* Labels with the greatest weight are dropped first, see labels_fit(). */
	bool chosen, absent;
};

struct view_labels {
	struct view_label list[KEYS_LABELS];
	/* keys: number of labels of keys. The labels after these are the views' tabs. */
	int n, keys;
};

static bool label_say(struct view_label *label, const char *text, const char *brief)
{
	snprintf(label->text, sizeof(label->text), "%s", text);
	label->brief = brief;
	return true;
}

/* The label of Space after the last trial, when it pauses, continues or repeats the race. */
static const char *label_of_race(const struct view_race *race)
{
	if (race->moves)
		return "Pause";
	if (race->ns < race->length_ns)
		return "Go on";
	return "Again";
}

static bool has_next_scene(const struct view_state *state)
{
	return state->lecture.scene + 1 < state->lecture.scenes;
}

/* Sets the label of a key that turns something on or off. */
static bool label_toggle(struct view_label *label, bool is_on, const char *turn_on,
			 const char *turn_off)
{
	if (is_on)
		return label_say(label, turn_off, NULL);
	return label_say(label, turn_on, NULL);
}

static bool label_pause(struct view_label *label, const struct view_frame *frame)
{
	const struct view_state *state = frame->state;
	const struct model *model = frame->model;

	if (state->hold)
		return label_say(label, "Start", NULL);
	if (state->vote)
		return label_say(label, "Reveal", NULL);
	/* In a lecture, Space does the same as PgDn, which has a label. */
	if (state->lecture.heading)
		return false;
	if (state->clock.shown)
		return label_toggle(label, state->clock.paused, "Pause", "Play");
	if (!model_over(model))
		return label_toggle(label, model_paused(model), "Pause", "Go on");
	if (state->race.trial.number == 0)
		return false;
	return label_say(label, label_of_race(&state->race), NULL);
}

static void label_menu(struct view_label *label, const struct view_state *state)
{
	const bool last = state->lecture.heading && !has_next_scene(state);

	if (state->tour || last)
		label->weight = 1;
	else if (state->next)
		label->weight = 4;
	if (state->tour)
		label_say(label, "Tour", NULL);
}

static bool label_measure(struct view_label *label, const struct view_frame *frame)
{
	const struct view_state *state = frame->state;
	const struct view_shown *shown = frame->shown;
	const struct view_ops *ops = views_get(frame->model, state->view);
	const char *metric = metric_brief(view_measure(state));
	char text[24];

	if (ops == &view_overview || ops == &view_memory) {
		snprintf(text, sizeof(text), "Memory: %s", metric);
		return label_say(label, text, metric);
	}
	if (ops == &view_latency && !shown->operations)
		return label_say(label, "Until when", NULL);
	if (ops == &view_latency)
		return shown->spans_fit &&
		       label_toggle(label, state->latency.spans, "All", "Medians");
	return ops == &view_curve && !(shown->curve.speedup && state->curve.speedup);
}

/*
 * Whether the cases' trees differ in shape. If all have the same shape, their columns scroll
 * together, and the key that chooses a column has no effect.
 */
static bool shapes_differ(const struct view_frame *frame)
{
	bool differ = false;

	for (uint32_t i = 0; i < frame->model->n_cases; i++)
		differ |= frame->state->folds->cases[i].alike != 0;
	return differ;
}

/* Like label_now(), but for the keys that change what a view shows. */
static bool label_in_view(struct view_label *label, const struct view_frame *frame,
			  enum keys_act act)
{
	const struct view_state *state = frame->state;
	const struct view_shown *shown = frame->shown;
	const struct view_ops *ops = views_get(frame->model, state->view);
	const bool overview = ops == &view_overview, curve = ops == &view_curve;
	const bool zoomed = state->zoom > 1 || state->window_to_ns > 0;

	switch (act) {
	case KEYS_FOLD:
		return shown->fold && label_say(label, shown->fold, NULL);
	case KEYS_FOLD_ALL:
		return shown->foldable && shown->per_row == 0;
	case KEYS_CORES:
		if (overview)
			return view_race_offered(frame);
		return shown->lanes &&
		       label_toggle(label, state->timeline.cores, "Cores", "Workers");
	case KEYS_SEARCH:
		return shown->listed;
	case KEYS_ORDER:
		return shown->sortable;
	case KEYS_MODEL:
		if (ops == &view_memory && !shown->one_value)
			return false;
		if (!overview && model_sweeps(frame->model)) {
			/*
			 * The view shows one of several values, and this key switches to another
			 * value.
			 */
			label->weight = 2;
			return label_say(label, "Values", NULL);
		}
		if (!overview)
			return frame->model->n_cases > 1;
		return shown->foldable && shapes_differ(frame) && label_say(label, "Column", NULL);
	case KEYS_SPEEDUP:
		return curve && shown->curve.speedup &&
		       label_toggle(label, state->curve.speedup, "Speed-up", "Times");
	case KEYS_MEASURE:
		return label_measure(label, frame);
	case KEYS_KIND:
		if (ops == &view_latency)
			return shown->placed && label_say(label, "Where", NULL);
		return curve && shown->curve.works > 1;
	case KEYS_LOG_Y:
		return curve && label_toggle(label, view_curve_log(state, shown, false), "Log y",
					     "Linear y");
	case KEYS_LOG_X:
		return curve && shown->curve.numeric &&
		       label_toggle(label, view_curve_log(state, shown, true), "Log x", "Linear x");
	case KEYS_MOVE:
		if (label->spot.key == KEY_DOWN_ARROW)
			return shown->most_scroll > 0;
		if (ops && ops->zooms && zoomed)
			return true;
		return shown->most_column > 0 && label_say(label, "Columns", NULL);
	default:
		return true;
	}
}

/*
 * Sets the label to a word for what the key would do now. Returns false if the key would have no
 * useful effect.
 */
static bool label_now(struct view_label *label, const struct view_frame *frame, enum keys_act act)
{
	const struct view_state *state = frame->state;
	const struct model *model = frame->model;
	char text[24];

	switch (act) {
	case KEYS_NEXT_SCENE:
		if (state->vote && state->hold)
			return label_say(label, "Start", NULL);
		if (state->vote)
			return label_say(label, "Reveal", NULL);
		return !state->help && has_next_scene(state);
	case KEYS_PREVIOUS_SCENE:
		return !state->help && state->lecture.scene > 0;
	case KEYS_NOTES:
		return state->lecture.has_notes;
	case KEYS_PAUSE:
		return label_pause(label, frame);
	case KEYS_SPEED:
		if (state->clock.shown)
			return true;
		label->weight = 5;
		return !state->hold && model_runs_ended(model) > 0;
	case KEYS_RUN:
		return state->clock.shown || state->race.trial.number > 0;
	case KEYS_CLOSE:
		if (state->help)
			return true;
		label->weight = 2;
		return state->live && state->clock.shown && label_say(label, "Live again", "Live");
	case KEYS_WHY:
		return model_over(model) && view_cache_runs_why(frame->cache, model, state->live);
	case KEYS_NEXT:
		snprintf(text, sizeof(text), "Next: %s", sentence_text(state->next, ""));
		return state->next && label_say(label, text, NULL);
	case KEYS_OPEN_MENU:
		label_menu(label, state);
		return !state->lecture.slide || state->lecture.sums_up;
	case KEYS_MORE:
		if (state->lecture.again) {
			/* This key is the only one that leaves a scene without a result. */
			label->weight = 1;
			return label_say(label, "Run again", NULL);
		}
		return state->live && !state->hold && !state->clock.shown;
	case KEYS_HELP:
		/* Leave the room to the key that hides the large digits. */
		if (state->present && state->lecture.heading)
			label->weight = 2;
		return true;
	case KEYS_PRESENT:
		if (state->present)
			label->weight = 2;
		/*
		 * After a vote, the large digits hide the scene's view, and a lecture has more
		 * keys.
		 */
		if (state->present && state->lecture.heading) {
			label->weight = 1;
			return label_say(label, "View", NULL);
		}
		return label_toggle(label, state->present, "Large", "Leave");
	case KEYS_COVER:
		return label_toggle(label, state->vote, "Vote", "No vote");
	default:
		return label_in_view(label, frame, act);
	}
}

static void label_add(struct view_labels *labels, const struct view_label *label)
{
	if (labels->n < KEYS_LABELS)
		labels->list[labels->n++] = *label;
}

static bool label_in_menu(struct view_label *label, const struct menu *menu, enum keys_act act)
{
	const bool experiment = menu_experiment(menu) && !menu_lecture(menu);

	if (act == KEYS_CHOOSE)
		return menu_experiment(menu) || label_say(label, "Replay", "Play");
	if (act == KEYS_CLOSE_MENU)
		return !menu->alone;
	if (label->spot.key == KEY_RIGHT_ARROW && menu->part == MENU_LIST)
		label_say(label, "Choices", NULL);
	return act != KEYS_MOVE_MENU || experiment || label->spot.key == KEY_DOWN_ARROW;
}

static void labels_add(struct view_labels *labels, unsigned where, const struct menu *menu,
		       const struct view_frame *frame)
{
	const struct keys_row *row;

	for (size_t i = 0; (row = keys_at(i)); i++) {
		const char *names = row->keys, *end = names;
		struct view_label label = {.weight = row->weight};
		bool shown;

		if (!row->label || !(row->where & where))
			continue;
		for (int n = 0; n < MAX(1, row->tag); n++) {
			const int key = keys_next(&end);

			if (n == 0 || row->tag == 2)
				label.spot.key = key;
		}
		snprintf(label.name, sizeof(label.name), "%.*s",
			 (int)(end - names) - (*end != '\0'), names);
		label_say(&label, row->label, row->brief);
		if (menu)
			shown = label_in_menu(&label, menu, row->act);
		else
			shown = label_now(&label, frame, row->act);
		if (shown)
			label_add(labels, &label);
	}
}

/*
 * TABS_FULL: least width of the screen at which all tabs show full names. TABS_BRIEF: least width
 * at which all tabs show short names. Narrower screens show only the current view's tab.
 */
enum { TABS_FULL = 100, TABS_BRIEF = 60 };

/*
 * Adds a view's tab: "1Overview" or "1Over". A view that is not available has "·" instead of its
 * number. In a lecture, keys need the room. So below TABS_FULL all names are short, and only
 * available views have a tab.
 */
static void labels_tab(struct view_labels *labels, const struct view_frame *frame, int number,
		       int width)
{
	const struct view_ops *there = views_get(frame->model, number);
	const struct view_ops *ops = views_get(NULL, number);
	const bool chosen = frame->state->view == number;
	const bool tight = width < TABS_FULL && frame->state->lecture.heading;
	const bool brief = tight || (width < TABS_FULL && !chosen);
	struct view_label label = {.chosen = chosen, .absent = !there};
	const char *name;
	char text[24];

	if (there)
		ops = there;
	if (!ops || (width < TABS_BRIEF && !chosen) || (tight && !there))
		return;
	if (brief)
		name = ops->brief;
	else
		name = ops->name;
	if (there)
		snprintf(text, sizeof(text), "%d%s", number, name);
	else
		snprintf(text, sizeof(text), "·%s", name);
	label.spot.key = '0' + number;
	label_say(&label, text, NULL);
	label_add(labels, &label);
}

/*
 * Width of a label. The label of a key has a blank between the key's name and the text, and two
 * blanks after the text. A tab has one blank after its text.
 */
static int label_w(const struct view_label *label)
{
	int text_w = utf8_columns(label->text);

	if (*label->name)
		return utf8_columns(label->name) + text_w + 3;
	return text_w + 1;
}

/*
 * Makes labels fit: first drops labels of great weight, then shortens texts, then drops further
 * labels. Each step begins with the greatest weight. Among labels of equal weight, it begins at the
 * right.
 */
static void labels_fit(struct view_labels *labels, int width)
{
	static const struct {
		int least;
		bool shorten;
	} passes[] = {{12, false}, {0, true}, {1, false}};
	int used = 0;

	for (int i = 0; i < labels->n; i++)
		used += labels->list[i].spot.w = label_w(&labels->list[i]);
	for (size_t pass = 0; pass < LENGTH(passes); pass++)
		for (int weight = KEYS_LABELS; weight >= passes[pass].least; weight--)
			for (int i = labels->n - 1; i >= 0; i--) {
				struct view_label *label = &labels->list[i];
				const bool shorten = passes[pass].shorten;

				if (used < width)
					break;
				if (label->weight != weight || (shorten && !label->brief))
					continue;
				used -= label->spot.w;
				if (shorten)
					label_say(label, label->brief, NULL);
				if (shorten && label->spot.w)
					label->spot.w = label_w(label);
				else
					label->spot.w = 0;
				used += label->spot.w;
			}
}

static void tab_draw(struct canvas *canvas, int y, const struct view_label *label)
{
	struct style style = DIM, number = STYLE_BOLD(COLOUR_KEY);

	if (label->chosen) {
		style = STYLE_BOLD(COLOUR_TITLE);
		style.attr |= ATTR_REVERSE;
	}
	if (label->chosen || label->absent)
		number = style;
	canvas_text(canvas, label->spot.x, y, -1, style, label->text);
	/* The number of a view is a key, so it is drawn like a key. */
	canvas_text(canvas, label->spot.x, y, 1, number, label->text);
}

static void labels_draw(struct canvas *canvas, struct rect rect, struct view_labels *labels,
			struct keys_labels *shown)
{
	int x = 1, end = rect.w; /* The blank after the last tab is the right margin. */

	labels_fit(labels, rect.w);
	for (int i = 0; i < labels->keys; i++, x += labels->list[i - 1].spot.w)
		labels->list[i].spot.x = x;
	for (int i = labels->n - 1; i >= labels->keys; i--)
		labels->list[i].spot.x = end -= labels->list[i].spot.w;
	shown->y = rect.y;
	shown->n = labels->n;
	for (int i = 0; i < labels->n; i++) {
		const struct view_label *label = &labels->list[i];

		shown->list[i] = label->spot;
		if (label->spot.w == 0)
			continue;
		if (!*label->name) {
			tab_draw(canvas, rect.y, label);
			continue;
		}
		x = canvas_text(canvas, label->spot.x, rect.y, -1, STYLE_BOLD(COLOUR_KEY),
				label->name);
		canvas_text(canvas, x + 1, rect.y, -1, DIM, label->text);
	}
}

void view_keys_draw(const struct view_frame *frame, struct rect rect)
{
	/* While something is open over the view, few keys have a visible effect. */
	const unsigned where = view_where(frame->state);
	struct view_labels labels = {.n = 0};
	unsigned most = where;

	if (where & KEYS_OPEN)
		most = KEYS_OPEN | (where & KEYS_LECTURE);
	else if (where & KEYS_SLIDE)
		most = KEYS_SLIDE | (where & KEYS_LECTURE);
	else if (where & KEYS_VOTE)
		most = KEYS_VOTE | (where & KEYS_LECTURE);
	labels_add(&labels, most, NULL, frame);
	labels.keys = labels.n;
	/* On a slide, and while a vote covers the screen, all views are hidden. */
	if (!(where & (KEYS_SLIDE | KEYS_VOTE)))
		for (int i = 1; i <= VIEW_NUMBERS; i++)
			labels_tab(&labels, frame, i, rect.w);
	labels_draw(frame->canvas, rect, &labels, &frame->shown->labels);
}

void view_keys_draw_menu(struct canvas *canvas, struct menu *menu, struct rect rect)
{
	struct view_labels labels = {.n = 0};

	labels_add(&labels, KEYS_MENU, menu, NULL);
	labels.keys = labels.n;
	labels_draw(canvas, rect, &labels, &menu->shown.labels);
}
