/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "core/comparison.h"
#include "model/model_parts.h"
#include "model/model_latency.h"

/* Time of a running worker, if it is unknown whether the worker worked, waited or was blocked. */
enum { PART_UNTOLD = MODEL_PARTS, PATH_PARTS };

/*
 * Events in a worker's life, in the order in which the walk reaches them: the last one first. The
 * event is one of walk.worker, at or before walk.t_ns.
 */
enum path_event {
	EVENT_JOINED,
	EVENT_FINISHED,
	EVENT_BARRIER, /* the barrier opened */
	EVENT_BEGUN,   /* the worker's first instruction */
	EVENT_CREATED, /* the worker exists: the create call returned or, if earlier, it ran */
	EVENT_NONE,    /* the beginning of the run */
};

struct walk {
	const struct model *model;
	const struct model_run *run;
	const struct plan *plan;
	int64_t t_ns; /* The walk goes backwards. All time after t_ns has been assigned. */
	int64_t held_from_ns, held_to_ns;
	enum path_event event;
	uint32_t worker; /* The worker of the event. */
	bool lost;	 /* The time of an event is unknown, so there is no path. */
	/*
	 * Whether the primitive is PLAN_PLAIN, so that every task reports its beginning and end.
	 * Other primitives may create no task, or a program that reports nothing.
	 */
	bool plain;
	bool programs; /* All work of the path is done by programs whose tasks are known. */
	double ns[PATH_PARTS];
	double program_ns[PROGRAM_PARTS];
};

/* The children that one parent creates together: first … end - 1. */
struct path_batch {
	uint32_t parent, first, end;
	/* The first task of the previous batch; equal to `first` if there is none. */
	uint32_t previous;
	/*
	 * Whether the last child is joined after the first one. run_batches() joins backwards;
	 * server_run() joins children as they end.
	 */
	bool forward;
};

static struct sample_worker known_worker(const struct walk *walk, uint32_t index)
{
	return model_known(walk->run, index);
}

/*
 * Assigns the time from from_ns to the walk's time to a part. Does nothing if from_ns is unknown or
 * later.
 */
static void give_time(struct walk *walk, int part, int64_t from_ns)
{
	int64_t held_ns;

	if (from_ns < 0 || from_ns >= walk->t_ns)
		return;
	held_ns = MIN(walk->t_ns, walk->held_to_ns) - MAX(from_ns, walk->held_from_ns);
	walk->ns[part] += (double)(walk->t_ns - from_ns - MAX(0, held_ns));
	walk->t_ns = from_ns;
}

static void go_to(struct walk *walk, enum path_event event, uint32_t worker)
{
	walk->event = event;
	walk->worker = worker;
}

static struct path_batch batch_of(const struct walk *walk, uint32_t index)
{
	const struct plan *plan = walk->plan;
	struct plan_node node, parent;
	uint32_t first = 0, count = plan->fanout[0], size, at, end;

	plan_node(plan, index, &node);
	if (node.parent != PLAN_ROOT) {
		plan_node(plan, node.parent, &parent);
		first = parent.first_child;
		count = parent.children;
	}
	if (plan->batch > 0 && plan->batch < count)
		size = plan->batch;
	else
		size = count;
	at = (index - first) / size * size;
	end = first + MIN(count, at + size);
	return (struct path_batch) {
		.parent = node.parent,
		.first = first + at,
		.end = end,
		.previous = at > 0 ? first + at - size : first + at,
		.forward = known_worker(walk, end - 1).join_ns >
			   known_worker(walk, first + at).join_ns,
	};
}

/* The task of a worker's batch that is joined last. */
static uint32_t last_joined(const struct walk *walk, uint32_t index)
{
	struct path_batch batch = batch_of(walk, index);

	if (batch.forward)
		return batch.end - 1;
	return batch.first;
}

static bool has_barrier(const struct walk *walk)
{
	return (walk->plan->barrier || walk->plan->all_alive) && walk->run->totals.go_ns >= 0;
}

/*
 * Goes backwards from a worker's join. What the parent did before depends on the join: before the
 * first one, it had created all children and passed the barrier; before any other, it joined the
 * previous sibling. If the worker ended later than that, the path continues in the worker.
 */
static void step_joined(struct walk *walk)
{
	struct path_batch batch = batch_of(walk, walk->worker);
	const struct sample_worker worker = known_worker(walk, walk->worker);
	const int64_t go_ns = walk->run->totals.go_ns;
	uint32_t before = walk->worker + 1, first = batch.end - 1;
	enum path_event event = EVENT_JOINED;
	int64_t free_ns;

	if (batch.forward) {
		before = walk->worker - 1;
		first = batch.first;
	}
	if (walk->worker == first) {
		before = batch.end - 1;
		event = EVENT_CREATED;
		free_ns = known_worker(walk, before).created_ns;
	} else {
		free_ns = known_worker(walk, before).join_ns;
	}
	walk->lost |= worker.join_ns < 0 || free_ns < 0 || (worker.finish_ns < 0 && walk->plain);
	give_time(walk, PART_JOINING, worker.join_ns);
	if (event == EVENT_CREATED && has_barrier(walk) && go_ns >= free_ns) {
		event = EVENT_BARRIER;
		free_ns = go_ns;
	}
	if (worker.finish_ns > free_ns) {
		give_time(walk, PART_JOINING, worker.finish_ns);
		go_to(walk, EVENT_FINISHED, walk->worker);
		return;
	}
	give_time(walk, PART_JOINING, free_ns);
	go_to(walk, event, before);
}

/* The part after a slice, by the reason for its end. */
static const int part_after[WHYS] = {
	[WHY_UNKNOWN] = PART_UNTOLD,
	[WHY_PREEMPTED] = PART_WAITING,
	[WHY_BLOCKED] = PART_BLOCKED,
	[WHY_ENDED] = PART_WORKING,
};

static void move_time(double *from, double *to, double ns)
{
	ns = fmax(0, fmin(ns, *from));
	*from -= ns;
	*to += ns;
}

/*
 * For a worker that ran a program: assigns the times of that program's tasks. Returns false if they
 * are unknown.
 */
static bool walk_program(struct walk *walk, uint32_t index, int64_t from_ns)
{
	double program[PROGRAM_PARTS] = {0};
	int64_t begin_ns = from_ns, end_ns = walk->t_ns;

	if (walk->run->n_tasks == 0 ||
	    !model_program_walk(walk->model, walk->run, index, &begin_ns, &end_ns, program))
		return false;
	give_time(walk, PART_JOINING, end_ns);
	for (int i = 0; i < PROGRAM_PARTS; i++) {
		int part = PART_BLOCKED;

		if (i == PROGRAM_RUNNING)
			part = PART_WORKING;
		else if (i == PROGRAM_RUNNABLE)
			part = PART_WAITING;
		walk->program_ns[i] += program[i];
		walk->ns[part] += program[i];
	}
	walk->t_ns = begin_ns;
	give_time(walk, PART_STARTING, from_ns);
	return true;
}

static void walk_work(struct walk *walk, uint32_t index, int64_t from_ns)
{
	const struct sample_worker worker = known_worker(walk, index);
	double *ns = walk->ns, untold = ns[PART_UNTOLD], waited = ns[PART_WAITING], now;
	size_t n;
	const struct sample_slice *slices = model_slices(walk->run, index, &n);

	if (from_ns < 0 || walk_program(walk, index, from_ns))
		return;
	walk->programs = false;
	for (size_t i = n; i-- > 0;) {
		uint8_t why = slices[i].why < WHYS ? slices[i].why : WHY_UNKNOWN;

		if (walk->t_ns <= from_ns)
			break;
		if (i + 1 < n && why == WHY_BLOCKED && slices[i + 1].ready_ns >= slices[i].off_ns)
			give_time(walk, PART_WAITING, MAX(slices[i + 1].ready_ns, from_ns));
		if (slices[i].off_ns >= 0)
			give_time(walk, part_after[why], MAX(slices[i].off_ns, from_ns));
		give_time(walk, PART_WORKING, MAX(slices[i].on_ns, from_ns));
	}
	/* Before its first slice, the task was awake and waited for a core. */
	give_time(walk, n > 0 ? PART_WAITING : PART_UNTOLD, from_ns);
	/*
	 * Divides the time that is still unknown by the kernel's totals: the CPU time, if there are
	 * no slices, and the wait for a core. The remainder was blocked.
	 */
	now = ns[PART_UNTOLD] - untold;
	if (worker.delay_us < 0 || now <= 0)
		return;
	if (n == 0)
		move_time(&now, &ns[PART_WORKING],
			  ((double)worker.user_us + worker.system_us) * 1e3);
	move_time(&now, &ns[PART_WAITING], worker.delay_us * 1e3 - (ns[PART_WAITING] - waited));
	move_time(&now, &ns[PART_BLOCKED], now);
	ns[PART_UNTOLD] = untold;
}

/*
 * A task with children ends after its last join. A leaf ends after its work, which begins when the
 * barrier opens or, without a barrier, at the leaf's first instruction.
 */
static void step_finished(struct walk *walk)
{
	const struct sample_worker worker = known_worker(walk, walk->worker);
	int64_t go_ns = walk->run->totals.go_ns;
	struct plan_node node;

	plan_node(walk->plan, walk->worker, &node);
	if (node.children > 0) {
		go_to(walk, EVENT_JOINED, last_joined(walk, node.first_child + node.children - 1));
		return;
	}
	walk_work(walk, walk->worker, worker.work_ns);
	if (has_barrier(walk) && worker.work_ns >= go_ns) {
		give_time(walk, PART_WAITING, go_ns);
		go_to(walk, EVENT_BARRIER, walk->worker);
		return;
	}
	give_time(walk, PART_WORKING, worker.start_ns);
	go_to(walk, EVENT_BEGUN, walk->worker);
}

/*
 * The barrier opens when the last leaf has arrived and the main thread has created all its
 * children.
 */
static void step_barrier(struct walk *walk)
{
	uint32_t last = walk->plan->fanout[0] - 1, leaves = plan_leaves(walk->plan);
	uint32_t n = walk->run->n_workers, who = n - leaves;
	int64_t created_ns = known_worker(walk, last).created_ns;

	for (uint32_t i = n - leaves; i < n; i++)
		if (known_worker(walk, i).start_ns > known_worker(walk, who).start_ns)
			who = i;
	if (created_ns >= known_worker(walk, who).start_ns) {
		give_time(walk, PART_BLOCKED, created_ns);
		go_to(walk, EVENT_CREATED, last);
		return;
	}
	give_time(walk, PART_BLOCKED, known_worker(walk, who).start_ns);
	go_to(walk, EVENT_BEGUN, who);
}

/*
 * Before a task's first instruction comes the create call of its parent. The task may run before
 * that call returns.
 */
static void step_begun(struct walk *walk)
{
	const struct sample_worker worker = known_worker(walk, walk->worker);

	walk->lost |= worker.start_ns < 0 && walk->plain;
	give_time(walk, PART_CREATING, worker.start_ns);
	give_time(walk, PART_STARTING, worker.created_ns);
	go_to(walk, EVENT_CREATED, walk->worker);
}

/*
 * Goes backwards from a worker's creation: the parent created its earlier siblings, and before that
 * joined the previous batch.
 */
static void step_created(struct walk *walk)
{
	struct path_batch batch = batch_of(walk, walk->worker);

	walk->lost |= known_worker(walk, batch.first).create_ns < 0;
	give_time(walk, PART_CREATING, known_worker(walk, batch.first).create_ns);
	if (batch.previous != batch.first) {
		uint32_t joined = last_joined(walk, batch.previous);

		give_time(walk, PART_CREATING, known_worker(walk, joined).join_ns);
		go_to(walk, EVENT_JOINED, joined);
	} else if (batch.parent != PLAN_ROOT) {
		go_to(walk, EVENT_BEGUN, batch.parent);
	} else {
		give_time(walk, PART_CREATING, 0);
		go_to(walk, EVENT_NONE, 0);
	}
}

struct model_path model_path_make(const struct model *model, const struct model_run *run)
{
	static void (*const steps[EVENT_NONE])(struct walk * walk) = {
		[EVENT_JOINED] = step_joined,	[EVENT_FINISHED] = step_finished,
		[EVENT_BARRIER] = step_barrier, [EVENT_BEGUN] = step_begun,
		[EVENT_CREATED] = step_created,
	};
	const struct plan *plan = model_plan(model, run);
	const struct sample_totals *totals = &run->totals;
	int64_t held_ns = MAX(totals->held_ns, 0);
	/*
	 * Largest number of steps. Each worker is joined, finished, begun and created once, and the
	 * barrier opens once, so more steps mean a broken recording.
	 */
	uint64_t left = 4 * (uint64_t)run->n_workers + 4;
	struct walk walk = {.model = model,
			    .run = run,
			    .plan = plan,
			    .plain = plan->primitive == PLAN_PLAIN,
			    .programs = run->n_tasks > 0};
	struct model_path path = {.running_ns = NAN, .all_ns = NAN};
	double sum = 0;

	for (int i = 0; i < MODEL_PARTS; i++)
		path.ns[i] = NAN;
	for (int i = 0; i < PROGRAM_PARTS; i++)
		path.program_ns[i] = NAN;
	if (totals->cut_ns > 0)
		return path;
	if (totals->status != SAMPLE_OK || totals->elapsed_ns < 0 || run->n_workers == 0)
		return path;
	walk.t_ns = totals->elapsed_ns + held_ns;
	walk.held_to_ns = totals->go_ns;
	walk.held_from_ns = totals->go_ns - held_ns;
	go_to(&walk, EVENT_JOINED, last_joined(&walk, plan->fanout[0] - 1));
	while (walk.event != EVENT_NONE && !walk.lost && left-- > 0)
		steps[walk.event](&walk);
	for (int i = 0; i < PATH_PARTS; i++)
		sum += walk.ns[i];
	/*
	 * Leave the parts unknown if they do not add up to the elapsed time. This happens in a
	 * broken recording whose hold for memory lies outside the run.
	 */
	if (walk.lost || walk.t_ns != 0 || !(fabs(sum - (double)totals->elapsed_ns) < 1))
		return path;
	for (int i = 0; i < MODEL_PARTS; i++)
		path.ns[i] = walk.ns[i];
	path.all_ns = (double)totals->elapsed_ns;
	path.running_ns = walk.ns[PART_WORKING] + walk.ns[PART_WAITING] + walk.ns[PART_BLOCKED] +
			  walk.ns[PART_UNTOLD];
	if (walk.programs)
		for (int i = 0; i < PROGRAM_PARTS; i++)
			path.program_ns[i] = walk.program_ns[i];
	if (walk.ns[PART_UNTOLD] > 0)
		path.ns[PART_WORKING] = path.ns[PART_WAITING] = path.ns[PART_BLOCKED] = NAN;
	return path;
}

int model_parts(const struct model *model, uint32_t case_id, struct model_parts *out)
{
	double *values = malloc((model->n_runs + 1) * sizeof(*values)), *ns = out->ns, sum;
	size_t n;

	*out = (struct model_parts) {.scale = NAN};
	if (!values)
		return -ENOMEM;
	model_median(model, case_id, METRIC_ELAPSED, values, &n);
	out->all_ns = model_median(model, case_id, METRIC_PATH, values, &out->n);
	/*
	 * Show no parts unless three quarters of the trials have them. A crash, for instance,
	 * leaves a trial without parts.
	 */
	if (4 * out->n < 3 * n) {
		*out = (struct model_parts) {.running_ns = NAN, .all_ns = NAN, .scale = NAN};
		for (int i = 0; i < MODEL_PARTS; i++)
			ns[i] = NAN;
		free(values);
		return 0;
	}
	out->split = out->n > 0;
	for (int i = 0; i < MODEL_PARTS; i++) {
		ns[i] = model_median(model, case_id, (enum model_metric)(METRIC_CREATING + i),
				     values, &n);
		out->split &= n == out->n;
	}
	out->running_ns = model_median(model, case_id, METRIC_RUNNING, values, &n);
	if (!out->split)
		for (int i = PART_WORKING; i <= PART_BLOCKED; i++)
			out->ns[i] = NAN;
	/* Scales the parts so that they add up to the whole. */
	sum = ns[PART_CREATING] + ns[PART_STARTING] + ns[PART_JOINING];
	if (out->split)
		sum = sum + ns[PART_WORKING] + ns[PART_WAITING] + ns[PART_BLOCKED];
	else
		sum += out->running_ns;
	out->scale = out->all_ns / sum;
	for (int i = 0; i < MODEL_PARTS; i++)
		ns[i] *= out->scale;
	out->running_ns *= out->scale;
	if (out->split)
		out->running_ns = ns[PART_WORKING] + ns[PART_WAITING] + ns[PART_BLOCKED];
	free(values);
	return 0;
}

/*
 * Adds the difference of a part. A part that is unknown in some pairs of trials cannot be compared
 * with the whole.
 */
static int add_part_difference(const struct model *model, enum model_metric metric,
			       const struct model_parts *a, const struct model_parts *b,
			       struct model_parts_difference *out)
{
	struct model_comparison *c = &out->part[out->n];
	int err = model_compare(model, out->whole.a, out->whole.b, metric, c);

	if (err || c->pairs != out->whole.pairs || isnan(c->ratio.estimate))
		return err;
	if (metric == METRIC_RUNNING)
		out->part_ns[out->n++] = b->running_ns - a->running_ns;
	else
		out->part_ns[out->n++] =
			b->ns[metric - METRIC_CREATING] - a->ns[metric - METRIC_CREATING];
	return 0;
}

int model_parts_compare(const struct model *model, uint32_t a, uint32_t b,
			struct model_parts_difference *out)
{
	struct model_parts of_a, of_b;
	uint32_t before;
	int err;

	*out = (struct model_parts_difference) {.n = 0};
	err = model_compare(model, a, b, METRIC_PATH, &out->whole);
	if (!err)
		err = model_compare(model, a, b, METRIC_ELAPSED, &out->elapsed);
	if (!err)
		err = model_parts(model, a, &of_a);
	if (!err)
		err = model_parts(model, b, &of_b);
	if (err)
		return err;
	out->whole_ns = of_b.all_ns - of_a.all_ns;
	for (enum model_metric i = METRIC_CREATING; i <= METRIC_STARTING; i++) {
		err = add_part_difference(model, i, &of_a, &of_b, out);
		if (err)
			return err;
	}
	before = out->n;
	for (enum model_metric i = METRIC_WORKING; i <= METRIC_BLOCKED; i++) {
		err = add_part_difference(model, i, &of_a, &of_b, out);
		if (err)
			return err;
	}
	if (out->n < before + 3) {
		out->n = before;
		err = add_part_difference(model, METRIC_RUNNING, &of_a, &of_b, out);
	}
	if (err)
		return err;
	return add_part_difference(model, METRIC_JOINING, &of_a, &of_b, out);
}

bool model_parts_pair(const struct model *model, uint32_t *a, uint32_t *b)
{
	struct model_comparison c;
	double most = -1;

	if (model->n_cases < 2 || model_has_latency(model))
		return false;
	for (uint32_t i = 1; i < model->n_cases; i++) {
		uint32_t first = 0;
		double weight;

		while (first < i && !(comparison_alike(&model->cases[first], &model->cases[i]) &&
				      model_compares(model, first, i)))
			first++;
		if (first == i || model_compare(model, first, i, model_headline(model), &c))
			continue;
		weight = fabs(log(c.ratio.estimate));
		if (isnan(weight))
			weight = 0;
		if (c.verdict == STATS_A || c.verdict == STATS_B)
			weight += 1e6;
		if (weight > most) {
			most = weight;
			*a = first;
			*b = i;
		}
	}
	return most >= 0;
}
