/* SPDX-License-Identifier: MIT */
#pragma once

struct model;
struct model_run;

/*
 * The critical path of a run: the chain of events that ends last. It is walked back from the last
 * join to the first create: a join waits for who finishes, work begins when the gate opens or the
 * task does, the gate opens when the last leaf has come, and a task begins after its creator's
 * call. Every ns of the elapsed time belongs to one part, so that the parts add up to it; the time
 * that all were held for their memory is in none.
 */

enum model_path_part {
	PART_CREATING, /* its creator's loop and calls, up to their return or its first instruction
			*/
	PART_STARTING, /* from there to its first instruction */
	PART_WORKING,  /* on a core */
	PART_WAITING,  /* for a core; from the gate's opening too until the work begins */
	PART_BLOCKED,  /* for something else; at the gate after the last one has come */
	PART_JOINING,  /* from its last instruction until it was joined, and between two joins */
	MODEL_PARTS
};

/* In ns; all NaN of a run that is no measurement. */
struct model_path {
	double ns[MODEL_PARTS]; /* NaN: working, waiting and blocked are not told apart */
	double running_ns;	/* these three together */
	double all_ns;
};

/*
 * For model.c alone, at the end of a run. Work is told apart by the worker's slices; of one without
 * any by its CPU time and the run delay at its end, where these are known.
 */
struct model_path model_path_make(const struct model *model, const struct model_run *run);
