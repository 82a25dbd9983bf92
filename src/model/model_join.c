/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "base/error_line.h"
#include "base/names.h"
#include "base/utf8.h"
#include "core/sample_tick.h"

#define NAME_COLUMNS 24	   /* Number of columns of a case's name that a machine's name may take. */
#define NAME_MARK    "..." /* replaces the omitted part */

enum { JOIN_PARTS = 2 };

/* A recording, and how many of its loads and messages were moved so far. */
struct join_part {
	struct model *from;
	struct model_origin *origin;
	size_t loads, messages;
};

/*
 * Adds times. If the sum overflows, as with the times of a broken recording, it becomes the
 * greatest or the least time.
 */
static int64_t plus_ns(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	if (b < 0)
		return INT64_MIN;
	return INT64_MAX;
}

/*
 * Number of forms of a recording's name: the host alone, with the day, with the minute, with the
 * full date.
 */
enum { DETAILS = 4 };

static const char *host_of(const struct model *part)
{
	const struct machine *machine = &part->session.machine;
	const char *host = sentence_text(machine->label, machine->host);

	if (*host)
		return host;
	return "?";
}

static void name_part(const struct model parts[JOIN_PARTS], size_t ipart, int detail, char *name,
		      size_t size)
{
	/* Ranges of characters of a date such as "2026-11-20 23:40:11". */
	static const struct {
		int from, n;
	} cuts[DETAILS] = {{0, 0}, {5, 5}, {5, 11}, {0, 19}};
	const char *const hosts[JOIN_PARTS] = {host_of(&parts[0]), host_of(&parts[1])};
	time_t wall = (time_t)parts[ipart].session.wall_s;
	char date[32], host[SAMPLE_LABEL - 24];
	struct tm tm;

	if (!localtime_r(&wall, &tm) || strftime(date, sizeof(date), "%F %T", &tm) == 0)
		snprintf(date, sizeof(date), "?");
	if ((int)strlen(date) < cuts[detail].from)
		detail = 0;
	names_fit(hosts, JOIN_PARTS, ipart, NAME_COLUMNS, NAME_MARK, host, sizeof(host));
	snprintf(name, size, "%s%s%.*s", host, detail ? " " : "", cuts[detail].n,
		 date + cuts[detail].from);
}

/*
 * Names a recording. The name has only so much of the date that it differs from the other name. If
 * the full date is not enough, it has a number instead.
 */
static void name_origin(const struct model parts[JOIN_PARTS], size_t ipart, char *name, size_t size)
{
	char other[SAMPLE_LABEL];

	for (int detail = 0; detail < DETAILS; detail++) {
		name_part(parts, ipart, detail, name, size);
		name_part(parts, !ipart, detail, other, sizeof(other));
		if (strcmp(other, name) != 0)
			break;
		if (detail + 1 == DETAILS) {
			name_part(parts, ipart, 0, name, size);
			snprintf(name + strlen(name), size - strlen(name), "#%zu", ipart + 1);
		}
	}
	utf8_trim(name);
}

static void join_cases(struct model *out, const struct join_part *part)
{
	struct model_origin *origin = part->origin;

	origin->session = part->from->session;
	origin->first_case = out->n_cases;
	origin->n_cases = part->from->n_cases;
	origin->first_core = out->n_cores;
	origin->n_cores = part->from->n_cores;
	out->n_cores += origin->n_cores;
	for (uint32_t i = 0; i < origin->n_cases; i++) {
		struct sample_case *to = &out->cases[out->n_cases++];

		*to = part->from->cases[i];
		snprintf(to->model, sizeof(to->model), "%.*s @%s", SAMPLE_LABEL - 1,
			 part->from->cases[i].model, origin->name);
		utf8_trim(to->model);
	}
}

static void move_run(struct model *out, const struct join_part *part, struct model_run *from,
		     int64_t to_ns, int64_t by_ns)
{
	struct model_run *run = &out->runs[out->n_runs];

	*run = *from;
	if (run->has_levels)
		memcpy(out->levels + out->n_runs * out->levels_size,
		       part->from->levels +
			       (size_t)(from - part->from->runs) * part->from->levels_size,
		       part->from->levels_size);
	*from = (struct model_run) {.begin_ns = run->begin_ns};
	/*
	 * A run without an end ends with its recording, because runs of the other recording follow
	 * it here.
	 */
	if (run->end_ns == INT64_MAX) {
		run->end_ns = to_ns;
		fields_unknown(sample_totals_fields, &run->totals);
		run->totals.status = SAMPLE_INTERRUPTED;
		run->totals.begin_ns = run->begin_ns;
		run->totals.workers = run->n_workers;
		snprintf(run->totals.reason, sizeof(run->totals.reason),
			 "its end is not in the recording");
	}
	run->id.run = (uint32_t)out->n_runs++;
	run->id.case_id += part->origin->first_case;
	run->id.planned = out->planned;
	run->begin_ns = plus_ns(run->begin_ns, by_ns);
	run->end_ns = plus_ns(run->end_ns, by_ns);
	if (run->replaced_ns > 0) {
		run->replaced_ns = plus_ns(run->replaced_ns, by_ns);
		out->replaced[out->n_replaced++] = (uint32_t)(run - out->runs);
	}
	if (run->totals.begin_ns >= 0)
		run->totals.begin_ns = plus_ns(run->totals.begin_ns, by_ns);
	for (size_t i = 0; i < run->n_points; i++)
		run->points[i].time_ns = plus_ns(run->points[i].time_ns, by_ns);
}

static void move_load(struct model *out, struct join_part *part, int64_t by_ns)
{
	const struct model_load *from = &part->from->loads[part->loads];
	const struct sample_core *cores = part->from->cores + part->loads * part->from->n_cores;
	struct model_load *load = &out->loads[out->n_loads];
	struct sample_core *row = out->cores + out->n_loads++ * out->n_cores;
	uint64_t before = part->loads++ > 0 ? from[-1].self_cpu_us : 0;

	*load = *from;
	load->time_ns = plus_ns(load->time_ns, by_ns);
	if (load > out->loads)
		load->self_cpu_us = load[-1].self_cpu_us;
	else
		load->self_cpu_us = 0;
	if (from->self_cpu_us > before)
		load->self_cpu_us += from->self_cpu_us - before;
	load->terminal_us = -1; /* Each recording has its own terminal. */
	for (uint32_t i = 0; i < out->n_cores; i++)
		row[i] = sample_core_unknown((int)i);
	for (uint32_t i = 0; i < part->from->n_cores; i++) {
		uint32_t column = part->origin->first_core + i;

		row[column] = cores[i];
		row[column].cpu = (int16_t)column;
		out->cpus[column] = cores[i].cpu;
	}
}

static int add_message(struct model *out, const struct join_part *part,
		       const struct model_message *from, int64_t time_ns)
{
	struct model_message *message = &out->messages[out->n_messages];

	*message = *from;
	message->time_ns = time_ns;
	if (asprintf(&message->text, "%s: %s", part->origin->name, from->text) < 0)
		return -ENOMEM;
	out->n_messages++;
	return 0;
}

/* Moves a run and everything up to the next run. Returns 0 or -ENOMEM. */
static int move_segment(struct model *out, struct join_part *part, size_t irun)
{
	const struct model *from = part->from;
	/*
	 * from_ns and to_ns are on the recording's own clock. The segment ends at the next run's
	 * beginning, or at the recording's end.
	 */
	int64_t from_ns = irun > 0 && irun < from->n_runs ? from->runs[irun].begin_ns : 0;
	int64_t to_ns = irun + 1 < from->n_runs ? from->runs[irun + 1].begin_ns
						: plus_ns(from->newest_ns, 1);
	int64_t by_ns = plus_ns(out->newest_ns, -MAX(from_ns, -INT64_MAX));
	int err = 0;

	while (part->loads < from->n_loads && from->loads[part->loads].time_ns < to_ns)
		move_load(out, part, by_ns);
	for (; part->messages < from->n_messages; part->messages++) {
		const struct model_message *message = &from->messages[part->messages];

		if (err || message->time_ns >= to_ns)
			break;
		err = add_message(out, part, message, plus_ns(message->time_ns, by_ns));
	}
	if (irun < from->n_runs)
		move_run(out, part, &from->runs[irun], to_ns, by_ns);
	out->newest_ns = MAX(out->newest_ns, plus_ns(to_ns, by_ns));
	return err;
}

static int make_room(const struct model parts[JOIN_PARTS], struct model *out)
{
	size_t cases = 1, runs = 1, loads = 1;
	uint32_t cores = 1;

	out->cap_messages = 1 + JOIN_PARTS;
	for (size_t i = 0; i < JOIN_PARTS; i++) {
		cases += parts[i].n_cases;
		cores += parts[i].n_cores;
		runs += parts[i].n_runs;
		out->levels_size = MAX(out->levels_size, parts[i].levels_size);
		loads += parts[i].n_loads;
		out->cap_messages += parts[i].n_messages;
	}
	out->cap_replaced = runs;
	out->replaced = calloc(out->cap_replaced, sizeof(*out->replaced));
	out->origins = calloc(JOIN_PARTS, sizeof(*out->origins));
	out->cases = calloc(cases, sizeof(*out->cases));
	out->messages = calloc(out->cap_messages, sizeof(*out->messages));
	out->cpus = calloc(cores, sizeof(*out->cpus));
	if (model_runs_grow(out, runs) && model_loads_grow(out, loads, cores) && out->replaced &&
	    out->origins && out->cases && out->messages && out->cpus)
		return 0;
	return -ENOMEM;
}

int model_join(struct model parts[JOIN_PARTS], struct model *out)
{
	struct join_part joined[JOIN_PARTS];
	size_t most = 1;
	int err;

	model_init(out);
	err = make_room(parts, out);
	if (err)
		return err;
	out->n_origins = JOIN_PARTS;
	out->has_session = out->done = true;
	out->session = parts[0].session;
	for (size_t i = 0; i < JOIN_PARTS; i++) {
		const struct model *part = &parts[i];

		joined[i] = (struct join_part) {.from = &parts[i], .origin = &out->origins[i]};
		name_origin(parts, i, out->origins[i].name, sizeof(out->origins[i].name));
		join_cases(out, &joined[i]);
		out->planned += part->planned;
		out->lost += part->lost;
		out->done &= part->done;
		out->saw_fault |= part->saw_fault;
		out->saw_left |= part->saw_left;
		out->saw_mhz |= part->saw_mhz;
		out->session.trials = MAX(out->session.trials, part->session.trials);
		out->session.warmup = MAX(out->session.warmup, part->session.warmup);
		if (strcmp(part->session.counters, out->session.counters) != 0)
			snprintf(out->session.counters, sizeof(out->session.counters),
				 "each recording has its reason");
		if (strcmp(part->session.title, parts[0].session.title) != 0)
			snprintf(out->session.title, sizeof(out->session.title), "%d recordings",
				 JOIN_PARTS);
		most = MAX(most, part->n_runs);
	}
	for (uint32_t i = 0; i < out->n_cores; i++)
		out->cores[i] = sample_core_unknown((int)i);
	out->families = model_families_make(out);
	if (!out->families)
		err = -ENOMEM;
	for (size_t i = 0; i < JOIN_PARTS; i++) {
		const struct model_origin *origin = &out->origins[i];
		char text[SAMPLE_TEXT] = "no core was watched";
		struct model_message message = {.severity = SAMPLE_INFO, .text = text};

		if (err)
			break;
		if (origin->n_cores > 0)
			snprintf(text, sizeof(text),
				 "its %u cores are numbered from %u on here, and have no values "
				 "while "
				 "a run of the other recording is shown",
				 origin->n_cores, origin->first_core);
		err = add_message(out, &joined[i], &message, 0);
	}
	/*
	 * Takes the first run of each recording, then the second of each, and so on. A recording
	 * without runs contributes its messages.
	 */
	for (size_t irun = 0; irun < most; irun++)
		for (size_t i = 0; i < JOIN_PARTS; i++)
			if (!err && (irun == 0 || irun < parts[i].n_runs))
				err = move_segment(out, &joined[i], irun);
	out->done_ns = out->now_ns = out->newest_ns;
	return err;
}
