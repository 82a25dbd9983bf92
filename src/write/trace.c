/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "core/plan.h"

/* Enough for ns within eleven days, and so few that 0.1 is not written as 0.10000000000000001. */
#define FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(15))

/* The stream's errors are told at its end. */
static void trace_dump(struct trace *trace, json_t *json)
{
	bool written = json && (trace->err || ferror(trace->out) ||
				json_dumpf(json, trace->out, FLAGS) == 0 || ferror(trace->out));

	if (!written && !trace->err)
		trace->err = -ENOMEM;
	json_decref(json);
}

void trace_open(struct trace *trace, FILE *out)
{
	*trace = (struct trace) {.out = out};
	fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out);
}

static void trace_event(struct trace *trace, json_t *event)
{
	fputs(trace->inside ? ",\n" : "\n", trace->out);
	trace->inside = true;
	trace_dump(trace, event);
}

int trace_close(struct trace *trace, json_t *other)
{
	fputs("\n],\"otherData\":", trace->out);
	trace_dump(trace, other);
	fputs("}\n", trace->out);
	return trace->err;
}

/* The format counts in µs. This is also, to the bit, what a reader makes of the decimals. */
static double trace_us(int64_t time_ns)
{
	return time_ns > 0 ? (double)time_ns / 1e3 : 0;
}

/*
 * The length that a reader can add to the begin in doubles without passing the end. The next slice
 * may begin there, and overlapping ones are dropped.
 */
static double trace_length(int64_t from_ns, int64_t to_ns, double end)
{
	int64_t length_ns = to_ns > from_ns ? to_ns - (from_ns > 0 ? from_ns : 0) : 0;

	if (trace_us(from_ns) + trace_us(length_ns) > end)
		length_ns = (int64_t)((end - trace_us(from_ns)) * 1e3) + 1;
	while (length_ns > 0 && trace_us(from_ns) + trace_us(length_ns) > end)
		length_ns--;
	return trace_us(length_ns);
}

/* Speedscope wants a time on what has none, too. */
static void trace_meta(struct trace *trace, struct trace_track track, const char *what,
		       const char *key, json_t *value)
{
	trace_event(trace, json_pack("{s:s, s:s, s:i, s:I, s:I, s:{s:o}}", "name", what, "ph", "M",
				     "ts", 0, "pid", (json_int_t)track.pid, "tid",
				     (json_int_t)track.tid, "args", key, value));
}

void trace_process(struct trace *trace, int64_t pid, const char *name, int64_t order)
{
	struct trace_track main_thread = {pid, pid};

	trace_meta(trace, main_thread, "process_name", "name", json_printable(name));
	trace_meta(trace, main_thread, "process_sort_index", "sort_index", json_integer(order));
}

void trace_thread(struct trace *trace, struct trace_track track, const char *name, int64_t order)
{
	trace_meta(trace, track, "thread_name", "name", json_printable(name));
	trace_meta(trace, track, "thread_sort_index", "sort_index", json_integer(order));
}

double trace_slice(struct trace *trace, const struct trace_slice *slice)
{
	double from = trace_us(slice->from_ns), to = trace_us(slice->to_ns), length;
	double end = slice->within > 0 && slice->within < to ? slice->within : to;

	if (slice->within > 0 && from >= slice->within) {
		json_decref(slice->args);
		return -1;
	}
	length = trace_length(slice->from_ns, slice->to_ns, end);
	trace_event(trace, json_pack("{s:o, s:s, s:s, s:f, s:f, s:I, s:I, s:s*, s:o*}", "name",
				     json_printable(slice->name), "cat", slice->category, "ph", "X",
				     "ts", from, "dur", length, "pid", (json_int_t)slice->track.pid,
				     "tid", (json_int_t)slice->track.tid, "cname", slice->colour,
				     "args", slice->args));
	return from + length;
}

void trace_counter(struct trace *trace, int64_t pid, const char *name, int64_t time_ns,
		   json_t *values)
{
	trace_event(trace, json_pack("{s:o, s:s, s:f, s:I, s:I, s:o}", "name", json_printable(name),
				     "ph", "C", "ts", trace_us(time_ns), "pid", (json_int_t)pid,
				     "tid", (json_int_t)pid, "args", values));
}

static void trace_flow_end(struct trace *trace, const char *name, const char *phase, int64_t id,
			   struct trace_track track, int64_t time_ns)
{
	/* bp: to the slice around it, not to the next that begins */
	trace_event(trace, json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:I, s:I}", "name", name,
				     "cat", "flow", "ph", phase, "bp", "e", "id", (json_int_t)id,
				     "ts", trace_us(time_ns), "pid", (json_int_t)track.pid, "tid",
				     (json_int_t)track.tid));
}

void trace_flow(struct trace *trace, const char *name, struct trace_track from, int64_t from_ns,
		struct trace_track to, int64_t to_ns)
{
	int64_t id = ++trace->flows;

	trace_flow_end(trace, name, "s", id, from, from_ns);
	trace_flow_end(trace, name, "f", id, to, to_ns);
}

void trace_instant(struct trace *trace, struct trace_track track, const char *name, int64_t time_ns)
{
	trace_event(trace, json_pack("{s:o, s:s, s:s, s:f, s:I, s:I}", "name", json_printable(name),
				     "ph", "i", "s", "t", "ts", trace_us(time_ns), "pid",
				     (json_int_t)track.pid, "tid", (json_int_t)track.tid));
}

int64_t trace_run_until(const struct model *model, const struct model_run *run)
{
	return (model->now_ns < run->end_ns ? model->now_ns : run->end_ns) - run->begin_ns;
}

int64_t trace_run_at(const struct model_run *run, int64_t time_ns)
{
	int64_t sum;

	return __builtin_add_overflow(run->begin_ns, time_ns, &sum) ? INT64_MAX : sum;
}

struct trace_track trace_run_track(const struct trace_run *of, uint32_t worker)
{
	if (worker == PLAN_ROOT)
		return (struct trace_track) {of->pid, of->pid};
	return (struct trace_track) {of->pid, of->first_tid + worker};
}

json_t *trace_run_known(size_t n, const char *const names[], const int64_t values[])
{
	json_t *object = json_object();

	for (size_t i = 0; i < n && object; i++) {
		if (values[i] < 0 ||
		    !json_object_set_new(object, names[i], json_integer(values[i])))
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

char *trace_run_name(const struct model *model, const struct model_run *run, char *buf, size_t size)
{
	snprintf(buf, size, run->id.trial > 0 ? "%s, trial %u" : "%s, warm-up",
		 MODEL_CASE_NAME(model, run->id.case_id), run->id.trial);
	return buf;
}
