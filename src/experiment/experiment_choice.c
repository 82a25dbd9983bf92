/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <string.h>

/* What a menu offers of each experiment. */

static const struct experiment_choice models[] = {
	{"threads, processes", "--models threads,processes"},
	{"threads, processes, hybrid", "--models threads,processes,hybrid"},
	{"threads", "--models threads"},
	{"processes", "--models processes"},
	{"threads twice: the noise", "--models threads,threads"},
	{NULL, NULL},
};
static const struct experiment_choice primitives[] = {
	{"all ways", ""},
	{"fork, pthread_create", "--models fork,pthread_create"},
	{"fork, vfork, posix_spawn, fork+exec", "--models fork,vfork,posix_spawn,fork+exec"},
	{"pthread_create, its :cold, clone", "--models pthread_create,pthread_create:cold,clone"},
	{NULL, NULL},
};
static const struct experiment_choice pools[] = {
	{"pools, tasks created one by one", ""},
	{"a pool of threads, or a thread each", "--models pool,threads"},
	{"prefork, or a process each", "--models prefork,processes"},
	{"pool, prefork", "--models pool,prefork"},
	{NULL, NULL},
};
static const struct experiment_choice trials[] = {
	{"enough to find 3 %", ""},
	{"quick", "--quick"},
	{"3, for a look", "--trials 3"},
	{"6, the least for an interval", "--trials 6"},
	{"15", "--trials 15"},
	{"30", "--trials 30"},
	{NULL, NULL},
};
static const struct experiment_choice as_it_is[] = {{"as it is", ""}, {NULL, NULL}};

/* The models of a row come first, without an option, wherever they stand in the list. */
static struct experiment_choice choice_of_models(const struct experiment_kind *kind, size_t choice)
{
	size_t at = 0;

	while (models[at].label &&
	       strcmp(models[at].options + strlen("--models "), kind->models) != 0)
		at++;
	if (choice == 0)
		return (struct experiment_choice) {
			models[at].label ? models[at].label : kind->models, ""};
	return models[choice > at ? choice : choice - 1];
}

bool experiment_choice(size_t i, enum experiment_aspect aspect, size_t choice,
		       struct experiment_choice *out)
{
	const struct experiment_kind *kind = experiment_kind_at(i);
	const struct experiment_choice *list = trials;

	if (aspect == EXPERIMENT_MODELS && !kind->creates && !kind->hands_out) {
		*out = choice_of_models(kind, choice);
		return out->label != NULL;
	}
	if (aspect == EXPERIMENT_MODELS)
		list = kind->hands_out ? pools : primitives;
	else if (aspect == EXPERIMENT_SIZE)
		list = kind->sizes ? kind->sizes : as_it_is;
	*out = list[choice];
	return out->label != NULL;
}
