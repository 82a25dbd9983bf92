/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "base/utf8.h"

#define NAME_BYTES 24 /* of a machine in a case's name */

/* The unit that is moved: a run with what follows it up to the next one. */
struct segment {
	struct model *part;
	size_t ipart;
	int64_t from_ns, to_ns; /* on its own clock; to_ns is the next one's, or past the end */
	int64_t by_ns;		/* so much later on the common clock */
};

struct moved {
	size_t loads, messages;
};

enum { PARTS = 2 };

struct join {
	struct model *parts;
	struct model *out;
	struct moved moved[PARTS];
};

/* A broken recording has times at the ends of the clock. */
static int64_t plus_ns(int64_t a, int64_t b)
{
	int64_t sum;

	return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

/* The host alone, with the day, with the minute, with all of the date. */
enum { DETAILS = 4 };

static void name_part(const struct model *part, int detail, char *name, size_t size)
{
	static const struct {
		int from, n;
	} cuts[DETAILS] = {{0, 0}, {5, 5}, {5, 11}, {0, 19}}; /* of 2026-11-20 23:40:11 */
	const struct machine *machine = &part->session.machine;
	const char *host = *machine->label ? machine->label : machine->host;
	time_t wall = (time_t)part->session.wall_s;
	char date[32];
	struct tm tm;

	if (!localtime_r(&wall, &tm) || strftime(date, sizeof(date), "%F %T", &tm) == 0)
		snprintf(date, sizeof(date), "?");
	if ((int)strlen(date) < cuts[detail].from)
		detail = 0;
	snprintf(name, size, "%.*s%s%.*s", NAME_BYTES, host[0] ? host : "?", detail ? " " : "",
		 cuts[detail].n, date + cuts[detail].from);
}

static void join_cases(struct join *join, size_t ipart)
{
	const struct model *part = &join->parts[ipart];
	struct model_origin *origin = &join->out->origins[ipart];
	const size_t size = sizeof(origin->name);
	char other[SAMPLE_LABEL];
	bool taken = true;

	/* The name takes as much of the date as distinguishes it from the other, else a number. */
	for (int detail = 0; detail < DETAILS && taken; detail++) {
		name_part(part, detail, origin->name, size);
		name_part(&join->parts[!ipart], detail, other, sizeof(other));
		taken = strcmp(other, origin->name) == 0;
	}
	if (taken) {
		name_part(part, 0, origin->name, size);
		snprintf(origin->name + strlen(origin->name), size - strlen(origin->name), "#%zu",
			 ipart + 1);
	}
	utf8_trim(origin->name);
	origin->session = part->session;
	origin->first_case = join->out->n_cases;
	origin->n_cases = part->n_cases;
	origin->first_core = ipart > 0 ? origin[-1].first_core + origin[-1].n_cores : 0;
	origin->n_cores = part->n_cores;
	for (uint32_t i = 0; i < part->n_cases; i++) {
		struct sample_case *to = &join->out->cases[join->out->n_cases++];

		*to = part->cases[i];
		snprintf(to->model, sizeof(to->model), "%.*s @%s", SAMPLE_LABEL - 1,
			 part->cases[i].model, origin->name);
		utf8_trim(to->model);
	}
}

static void move_run(struct join *join, const struct segment *segment, struct model_run *from)
{
	struct model *out = join->out;
	struct model_run *run = &out->runs[out->n_runs];

	*run = *from;
	*from = (struct model_run) {.begin_ns = run->begin_ns};
	/* A run that never ended did so where its recording does: others follow it here. */
	if (run->end_ns == INT64_MAX) {
		run->end_ns = segment->to_ns;
		fields_unknown(sample_totals_fields, &run->totals);
		run->totals.status = SAMPLE_INTERRUPTED;
		run->totals.begin_ns = run->begin_ns;
		run->totals.workers = run->n_workers;
		snprintf(run->totals.reason, sizeof(run->totals.reason),
			 "its end is not in the recording");
	}
	run->id.run = (uint32_t)out->n_runs++;
	run->id.case_id += out->origins[segment->ipart].first_case;
	run->id.planned = out->planned;
	run->begin_ns = plus_ns(run->begin_ns, segment->by_ns);
	run->end_ns = plus_ns(run->end_ns, segment->by_ns);
	if (run->replaced_ns > 0)
		run->replaced_ns = plus_ns(run->replaced_ns, segment->by_ns);
	if (run->totals.begin_ns >= 0)
		run->totals.begin_ns = plus_ns(run->totals.begin_ns, segment->by_ns);
	for (size_t i = 0; i < run->n_points; i++)
		run->points[i].time_ns = plus_ns(run->points[i].time_ns, segment->by_ns);
}

static void move_load(struct join *join, const struct segment *segment, size_t iload)
{
	const struct model *part = segment->part;
	struct model *out = join->out;
	struct model_load *load = &out->loads[out->n_loads];
	struct sample_core *row = out->cores + out->n_loads * out->n_cores;
	uint64_t before = iload > 0 ? part->loads[iload - 1].self_cpu_us : 0;
	uint64_t own = part->loads[iload].self_cpu_us;

	*load = part->loads[iload];
	load->time_ns = plus_ns(load->time_ns, segment->by_ns);
	load->self_cpu_us = out->n_loads > 0 ? load[-1].self_cpu_us : 0;
	load->self_cpu_us += own > before ? own - before : 0;
	load->terminal_us = -1; /* each has its own */
	for (uint32_t i = 0; i < out->n_cores; i++)
		row[i] = sample_core_unknown((int)i);
	for (uint32_t i = 0; i < part->n_cores; i++) {
		uint32_t column = out->origins[segment->ipart].first_core + i;

		row[column] = part->cores[iload * part->n_cores + i];
		out->cpus[column] = row[column].cpu;
		row[column].cpu = (int16_t)column;
	}
	out->n_loads++;
}

static int add_message(struct join *join, size_t ipart, const struct model_message *from,
		       int64_t time_ns)
{
	struct model *out = join->out;
	struct model_message *message = &out->messages[out->n_messages];

	*message = *from;
	message->time_ns = time_ns;
	if (asprintf(&message->text, "%s: %s", out->origins[ipart].name, from->text) < 0)
		return -ENOMEM;
	out->n_messages++;
	return 0;
}

static int move_segment(struct join *join, size_t ipart, size_t irun)
{
	struct model *part = &join->parts[ipart];
	struct moved *moved = &join->moved[ipart];
	struct segment segment = {
		.part = part, .ipart = ipart, .to_ns = plus_ns(part->newest_ns, 1)};
	int err = 0;

	if (irun + 1 < part->n_runs)
		segment.to_ns = part->runs[irun + 1].begin_ns;
	if (irun > 0 && irun < part->n_runs)
		segment.from_ns = part->runs[irun].begin_ns;
	segment.by_ns = plus_ns(join->out->newest_ns, -MAX(segment.from_ns, -INT64_MAX));
	while (moved->loads < part->n_loads && part->loads[moved->loads].time_ns < segment.to_ns)
		move_load(join, &segment, moved->loads++);
	for (; !err && moved->messages < part->n_messages &&
	       part->messages[moved->messages].time_ns < segment.to_ns;
	     moved->messages++)
		err = add_message(join, ipart, &part->messages[moved->messages],
				  plus_ns(part->messages[moved->messages].time_ns, segment.by_ns));
	if (irun < part->n_runs)
		move_run(join, &segment, &part->runs[irun]);
	join->out->newest_ns = MAX(join->out->newest_ns, plus_ns(segment.to_ns, segment.by_ns));
	return err;
}

static int make_room(struct join *join)
{
	struct model *out = join->out;
	size_t cases = 0, runs = 0, loads = 0, messages = PARTS;

	out->done = true;
	for (size_t i = 0; i < PARTS; i++) {
		const struct model *part = &join->parts[i];

		cases += part->n_cases;
		runs += part->n_runs;
		loads += part->n_loads;
		messages += part->n_messages;
		out->n_cores += part->n_cores;
		out->planned += part->planned;
		out->lost += part->lost;
		out->done &= part->done;
	}
	out->origins = calloc(PARTS, sizeof(*out->origins));
	out->cases = calloc(cases + 1, sizeof(*out->cases));
	out->runs = calloc(runs + 1, sizeof(*out->runs));
	out->messages = calloc(messages + 1, sizeof(*out->messages));
	out->loads = calloc(loads + 1, sizeof(*out->loads));
	out->cores = calloc(loads + 1, (out->n_cores + 1) * sizeof(*out->cores));
	out->cpus = calloc(out->n_cores + 1, sizeof(*out->cpus));
	out->n_origins = PARTS;
	out->cap_runs = runs + 1;
	out->cap_messages = messages + 1;
	out->cap_loads = loads + 1;
	if (!out->origins || !out->cpus || !out->cases || !out->runs || !out->messages ||
	    !out->loads)
		return -ENOMEM;
	for (uint32_t i = 0; i < out->n_cores && out->cores; i++)
		out->cores[i] = sample_core_unknown((int)i);
	return out->cores ? 0 : -ENOMEM;
}

int model_join(struct model parts[PARTS], struct model *out)
{
	struct join joined = {.parts = parts, .out = out}, *join = &joined;
	size_t most = 1;
	int err;

	model_init(out);
	err = make_room(join);
	if (err)
		return err;
	out->has_session = true;
	out->session = join->parts[0].session;
	for (size_t i = 0; i < PARTS; i++) {
		const struct sample_session *session = &join->parts[i].session;

		out->session.trials = MAX(out->session.trials, session->trials);
		out->session.warmup = MAX(out->session.warmup, session->warmup);
		if (strcmp(session->counters, out->session.counters) != 0)
			snprintf(out->session.counters, sizeof(out->session.counters),
				 "each recording has its reason");
		if (strcmp(session->title, join->parts[0].session.title) != 0)
			snprintf(out->session.title, sizeof(out->session.title), "%d recordings",
				 PARTS);
		join_cases(join, i);
	}
	out->families = model_families_make(out);
	err = out->families ? 0 : -ENOMEM;
	for (size_t i = 0; i < PARTS && !err; i++) {
		const struct model_origin *origin = &out->origins[i];
		char text[SAMPLE_TEXT] = "no core was watched";
		struct model_message message = {.severity = SAMPLE_INFO, .text = text};

		if (origin->n_cores > 0)
			snprintf(text, sizeof(text),
				 "its %u cores are shown from number %u on, unknown while another "
				 "recording's run is shown",
				 origin->n_cores, origin->first_core);
		err = add_message(join, i, &message, 0);
		most = MAX(most, join->parts[i].n_runs);
	}
	/* The first run of each, the second of each, … One without runs has its messages. */
	for (size_t irun = 0; irun < most; irun++)
		for (size_t i = 0; i < PARTS && !err; i++)
			if (irun == 0 || irun < join->parts[i].n_runs)
				err = move_segment(join, i, irun);
	out->done_ns = out->now_ns = out->newest_ns;
	return err;
}
