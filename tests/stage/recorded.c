/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/record.h"

/*
 * Writes the recording of a session that nobody ran, to look at it without running anything:
 * recorded KIND [NAME[=VALUE]...] | tuibench -x svg -
 */

struct wish {
	uint32_t trials, workers, cores, busy, until_ms, lanes, broken, all_alive;
	const char *tree, *topology, *online, *allowed;
};

static const struct {
	const char *name;
	bool text;
	size_t offset; /* in struct wish */
} names[] = {
	{"trials", false, offsetof(struct wish, trials)},
	{"workers", false, offsetof(struct wish, workers)},
	{"cores", false, offsetof(struct wish, cores)},
	{"busy", false, offsetof(struct wish, busy)},
	{"until-ms", false, offsetof(struct wish, until_ms)},
	{"lanes", false, offsetof(struct wish, lanes)},
	{"broken", false, offsetof(struct wish, broken)},
	{"all-alive", false, offsetof(struct wish, all_alive)},
	{"tree", true, offsetof(struct wish, tree)},
	{"topology", true, offsetof(struct wish, topology)},
	{"online", true, offsetof(struct wish, online)},
	{"allowed", true, offsetof(struct wish, allowed)},
};

static const struct {
	const char *name;
	void (*make)(struct synthetic *session, uint32_t trials);
} kinds[] = {{"mixed", synthetic_mixed},       {"tree", synthetic_tree},
	     {"creation", synthetic_creation}, {"scaling", synthetic_scaling},
	     {"hello", synthetic_hello},       {"cores", synthetic_cores},
	     {"shapes", synthetic_shapes}};

static bool read_wish(struct wish *wish, const char *arg)
{
	const size_t n = strcspn(arg, "=");
	const char *value = arg[n] ? arg + n + 1 : "1";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *place = (char *)wish + names[i].offset;

		if (strlen(names[i].name) != n || strncmp(names[i].name, arg, n) != 0)
			continue;
		if (names[i].text)
			*(const char **)place = value;
		else
			*(uint32_t *)place = (uint32_t)strtoul(value, NULL, 10);
		return true;
	}
	return false;
}

static void apply_wish(struct synthetic *session, const struct wish *wish)
{
	for (uint32_t i = 0; i < session->cases; i++) {
		struct plan *plan = &session->list[i].plan;
		const char *tree = wish->tree;

		if (wish->workers) {
			plan->fanout[0] = wish->workers;
			plan->leaves[WORK_CPU] = wish->workers * 3 / 4;
			plan->leaves[WORK_IO] = wish->workers / 8;
		}
		plan->all_alive |= wish->all_alive;
		/* "20x3x82" */
		for (plan->levels = tree ? 0 : plan->levels; tree && plan->levels < PLAN_MAX_LEVELS;
		     tree = strchr(tree, 'x') ? strchr(tree, 'x') + 1 : NULL) {
			plan->task[plan->levels] = plan->task[0];
			plan->fanout[plan->levels++] = (uint32_t)atoi(tree);
		}
	}
	session->cores = wish->cores;
	session->busy = wish->busy;
	session->topology = wish->topology;
	session->online = wish->online;
	session->allowed = wish->allowed;
	session->slices = session->wakes = wish->lanes;
	session->broken_run = wish->broken ? 1 : session->broken_run;
	session->broken = wish->broken ? SAMPLE_CRASHED : session->broken;
	session->stop_ns = wish->until_ms ? wish->until_ms * INT64_C(1000000) : session->stop_ns;
}

int main(int argc, char **argv)
{
	struct wish wish = {.trials = 6, .cores = 2};
	struct synthetic session;
	bool known = argc > 1;
	size_t kind = 0, n;
	char *bytes;

	while (known && strcmp(kinds[kind].name, argv[1]) != 0)
		known = ++kind < sizeof(kinds) / sizeof(kinds[0]);
	for (int i = 2; i < argc && known; i++)
		known = read_wish(&wish, argv[i]);
	if (!known) {
		fputs("usage: recorded mixed|tree|creation|scaling|hello|cores|shapes\n"
		      "       [trials=N] [workers=N] [cores=N] [busy=N] [until-ms=N] [lanes] "
		      "[broken]\n"
		      "       [all-alive] [tree=AxB] [topology=TEXT] [online=CPUS] "
		      "[allowed=CPUS]\n",
		      stderr);
		return 2;
	}
	kinds[kind].make(&session, wish.trials);
	apply_wish(&session, &wish);
	bytes = record_bytes(&session, &n);
	n -= fwrite(bytes, 1, n, stdout);
	free(bytes);
	return n > 0 || fflush(stdout);
}
