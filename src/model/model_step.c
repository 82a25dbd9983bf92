/* SPDX-License-Identifier: MIT */
#include "model/model.h"
#include "model/model_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/variables.h"
#include "core/plan.h"

enum work_kind model_step(const struct model *model)
{
	enum work_kind kind = WORK_KINDS;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		kind = plan_step(&model->cases[i].plan);
		if (kind != WORK_KINDS)
			break;
	}
	return kind;
}

bool model_withheld(const struct model_run *run)
{
	return run->shares_steps && run->n_workers > 1 && !(run->together >= MODEL_TOGETHER_LEAST);
}

/*
 * A change at the time ns. on: +1 or -1 if a worker gets on or off a core. present: +1 or -1 if it
 * enters or leaves the shared work.
 */
struct step_event {
	int64_t ns;
	int on, present;
};

struct presence {
	const struct model_run *run;
	struct step_event *events;
	size_t n;
	uint32_t workers;
	int64_t from_ns,
		/* From the first increment (or the run's beginning) to the end of the last one. */
		to_ns;
	bool sleeps;	  /* Workers that wait for the shared object leave their cores. */
	double hidden_ns; /* Time of waits for a core that may look like waits for the object. */
	int16_t cpu;	  /* CPU of the first slice. */
	bool spread;	  /* Another slice was on another core. */
};

static void add_worker(struct presence *all, uint32_t index)
{
	const struct sample_worker worker = model_known(all->run, index);
	int64_t shown_ns = 0;
	size_t n;
	const struct sample_slice *list = model_slices(all->run, index, &n);

	for (size_t i = 0; i < n; i++) {
		/* The last slice may be open. Then it ends when its worker ends. */
		int64_t off_ns = fields_known_or(list[i].off_ns, worker.finish_ns);

		all->events[all->n++] = (struct step_event) {list[i].on_ns, 1, 1};
		all->events[all->n++] = (struct step_event) {off_ns, -1, -1};
		if (i + 1 < n) {
			/*
			 * A worker that sleeps on the shared object stays present until it is
			 * runnable. If that time is unknown, it stays present until it gets a core.
			 */
			int64_t on_ns = list[i + 1].on_ns, ready_ns = list[i + 1].ready_ns;
			bool sleeps = all->sleeps && list[i].why == WHY_BLOCKED;

			if (!(ready_ns > off_ns && ready_ns < on_ns))
				ready_ns = on_ns;
			if (sleeps) {
				all->events[all->n++] = (struct step_event) {off_ns, 0, 1};
				all->events[all->n++] = (struct step_event) {ready_ns, 0, -1};
			}
			shown_ns += on_ns - (sleeps ? ready_ns : off_ns);
		}
		if (all->cpu < 0)
			all->cpu = list[i].cpu;
		all->spread |= list[i].cpu != all->cpu;
	}
	/*
	 * Waits for a core that no slice shows may be parts of sleeps. If the kernel has not
	 * counted these waits, count all sleep as absence.
	 */
	if (worker.delay_us < 0)
		all->sleeps = false;
	else if (worker.delay_us * INT64_C(1000) > shown_ns)
		all->hidden_ns += (double)(worker.delay_us * INT64_C(1000) - shown_ns);
	all->workers++;
	all->from_ns = MIN(all->from_ns, worker.work_ns);
	all->to_ns = MAX(all->to_ns, worker.finish_ns);
}

/* The time with at least `on` workers on cores and `present` workers present. */
static double time_with(const struct presence *all, int on, int present)
{
	double sum = 0;
	int now_on = 0, now_present = 0;

	for (size_t i = 0; i + 1 < all->n; i++) {
		int64_t begin = all->events[i].ns, end = all->events[i + 1].ns;

		now_on += all->events[i].on;
		now_present += all->events[i].present;
		if (now_on >= on && now_present >= present)
			sum += (double)MAX(0, MIN(end, all->to_ns) - MAX(begin, all->from_ns));
	}
	return sum;
}

double model_together_make(const struct model_run *run, const struct sample_case *config, int cores)
{
	const struct variable *via = variables_find(&config->variables, "via");
	struct presence all = {.run = run, .from_ns = INT64_MAX, .cpu = -1};
	double together = NAN, present, span;
	size_t slices = 0, n;
	int wanted;

	all.sleeps = config->plan.leaves[WORK_SHARE] > 0 && via &&
		     strcmp(via->value, counting_names[COUNTING_MUTEX]) == 0;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		model_slices(run, i, &n);
		slices += n;
	}
	/* A slice has two events, and the gap after it has two. */
	all.events = calloc(4 * slices + 1, sizeof(*all.events));
	if (!all.events)
		return NAN;
	for (uint32_t i = 0; i < run->n_workers; i++)
		if (model_known(run, i).work_ns >= 0)
			add_worker(&all, i);
	/* Count from the arrival of the last worker on, because the others waited for it. */
	if (run->totals.steps_span_ns > 0 && all.to_ns - run->totals.steps_span_ns > all.from_ns)
		all.from_ns = all.to_ns - run->totals.steps_span_ns;
	qsort(all.events, all.n, sizeof(*all.events), array_by_int64);
	/*
	 * Take the greater of two lower bounds: the time with several workers on cores at once, and
	 * the time with several workers present and none waiting for a core. On one core, workers
	 * are never together. If there are more workers than cores, as many of them as there are
	 * cores must be together.
	 */
	if (all.n > 0 && all.to_ns > all.from_ns) {
		if (cores > 1)
			wanted = MIN(cores, (int)all.workers);
		else
			wanted = (int)all.workers;
		span = (double)(all.to_ns - all.from_ns);
		together = time_with(&all, wanted, wanted) / span;
		present = (time_with(&all, 1, wanted) - all.hidden_ns) / span;
		if (all.sleeps && all.spread)
			together = fmax(together, present);
	}
	free(all.events);
	return together;
}
