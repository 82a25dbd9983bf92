/* SPDX-License-Identifier: MIT */
#include "log_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/sample.h"

/* The indices of the named columns are in enum log_column. */
/* clang-format off */
static const char *const first_columns[LOG_FIRST_COLUMNS] = {
	"record", "time_ns", "run", "trial", "planned", "case_id", "model", "variables",
	"id", "subject", "user_permille", "system_permille", "iowait_permille",
	"steal_permille", "mhz", "rss_kb", "pss_kb", "uss_kb", "kernel_kb", "estimated",
	"tasks", "self_cpu_us", "lost", "paused",
	[LOG_PARENT] = "parent", "depth", "work", "pid", "tid", "cpu_first", "cpu_last",
	"create_ns", "created_ns", "start_ns", "work_ns", "finish_ns", "join_ns", "result",
	"error",
	[LOG_STATUS] = "status", "user_us", "system_us", "minflt", "majflt", "nvcsw",
	"nivcsw", "begin_ns", "go_ns", "elapsed_ns", "held_ns", "create_span_ns",
	"workers", "created", "finished", "joined", "failed", "peak_alive", "read_kb",
	"written_kb", "disk_read_kb", "disk_written_kb", "lines", "others_permille",
	[LOG_VALUE] = "value", "kind",
};
/* clang-format on */

const char *const log_schema_records[LOG_RECORDS] = {
	[LOG_META] = "meta",	   [LOG_CASE_ROW] = "case",   [LOG_BEGIN] = "begin",
	[LOG_CORE] = "core",	   [LOG_WORKER] = "worker",   [LOG_TICK] = "tick",
	[LOG_END] = "end",	   [LOG_MESSAGE] = "message", [LOG_DONE] = "done",
	[LOG_SLICE] = "slice",	   [LOG_SCENE_ROW] = "scene", [LOG_BUCKET] = "operations",
	[LOG_TASK] = "task",	   [LOG_THINNED] = "thinned", [LOG_REQUEST] = "request",
	[LOG_WATCHED] = "watched", [LOG_MERGED] = "merged",   [LOG_WAKES] = "wakes",
};

const char *const log_schema_scene_parts[LOG_SCENE_PARTS] = {
	[LOG_LECTURE_TITLE] = "title",	 [LOG_LECTURE_SCENES] = "scenes",
	[LOG_SCENE_HEADING] = "heading", [LOG_SCENE_CAPTION] = "caption",
	[LOG_SCENE_NOTES] = "notes",	 [LOG_SCENE_COMMAND] = "command",
};

const char *const log_schema_severities[3] = {
	[SAMPLE_INFO] = "info",
	[SAMPLE_WARNING] = "warning",
	[SAMPLE_ERROR] = "error",
};

static const struct field *const record_members[LOG_RECORDS] = {
	[LOG_BEGIN] = sample_run_fields,       [LOG_CORE] = sample_core_fields,
	[LOG_WORKER] = sample_worker_fields,   [LOG_TICK] = sample_tick_fields,
	[LOG_END] = sample_totals_fields,      [LOG_SLICE] = sample_slice_fields,
	[LOG_BUCKET] = sample_bucket_fields,   [LOG_TASK] = sample_task_fields,
	[LOG_REQUEST] = sample_request_fields, [LOG_MERGED] = sample_slice_fields,
};

uint8_t log_schema_column(const struct log_schema *schema, const char *name, size_t n)
{
	for (uint8_t i = 0; i < schema->n_columns; i++)
		if (n > 0 && *schema->columns[i] == *name && strlen(schema->columns[i]) == n &&
		    memcmp(schema->columns[i], name, n) == 0)
			return i;
	return LOG_NONE;
}

static uint8_t add_column(struct log_schema *schema, const char *name)
{
	uint8_t column = log_schema_column(schema, name, strlen(name));

	if (column != LOG_NONE || schema->n_columns == LOG_NONE)
		return column;
	schema->columns[schema->n_columns] = name;
	return schema->n_columns++;
}

void log_schema_init(struct log_schema *schema)
{
	memcpy(schema->columns, first_columns, sizeof(first_columns));
	schema->n_columns = LOG_FIRST_COLUMNS;
	for (int i = 0; i < LOG_RECORDS; i++) {
		struct log_field *fields = schema->fields[i];
		size_t n = 0;

		for (const struct field *from = record_members[i]; from; from++) {
			size_t at = n;
			uint8_t column;

			if (from->type == FIELD_END)
				break;
			n++;
			column = add_column(schema, from->name);
			/* Sort the fields, because a row is written from left to right. */
			for (; at > 0; at--) {
				if (fields[at - 1].column <= column)
					break;
				fields[at] = fields[at - 1];
			}
			fields[at] =
				(struct log_field) {column, from->type, from->offset, from->size};
		}
		fields[n].column = LOG_NONE;
	}
	schema->printed = log_schema_column(schema, "printed", strlen("printed"));
	schema->printed_unit = log_schema_column(schema, "printed_unit", strlen("printed_unit"));
	schema->command = add_column(schema, "command");
}

size_t log_schema_copy(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
	utf8_mask(to);
	return strlen(to);
}

static const char *const plan_tasks[] = {[PLAN_THREAD] = "thread", [PLAN_PROCESS] = "process"};

static const char *const caches[SAMPLE_CACHES] = {
	[SAMPLE_CACHE_UNKNOWN] = "",
	[SAMPLE_CACHE_WARM] = "warm",
	[SAMPLE_CACHE_COLD] = "cold",
	[SAMPLE_CACHE_ONCE_COLD] = "once-cold",
};

static const char *const mem_orders[] = {"random", "sequential"};

/*
 * Indices in case_words[]. Words that are not in that array are written in between: place and cpus
 * before WORD_VIA, sizes of work before WORD_MISTAKES.
 */
enum { WORD_VIA = 11, WORD_MISTAKES };

/* The members of a case that have a word, in the order of a row. A member that is 0 is left out. */
static const struct case_word {
	struct field member;
	/* Names of the member's values; NULL: the value is a number or a bool. */
	const char *const *names;
	int n_names;
} case_words[] = {
	{FIELD("batch", sample_case, plan.batch)},
	{FIELD("tasks", sample_case, plan.tasks)},
	{FIELD("gated", sample_case, plan.barrier)},
	{FIELD("all_alive", sample_case, plan.all_alive)},
	{FIELD("stack", sample_case, stack_size)},
	{FIELD("ballast", sample_case, ballast)},
	{FIELD("by", sample_case, plan.primitive), plan_primitive_names, PLAN_PRIMITIVES},
	{FIELD("at", sample_case, plan.placement), plan_placement_names, PLAN_PLACEMENTS},
	{FIELD("cache", sample_case, cache), caches, SAMPLE_CACHES},
	{FIELD("pin", sample_case, pinned)},
	{FIELD("alloc", sample_case, alloc)},
	[WORD_VIA] = {FIELD("via", sample_case, via), via_names, VIAS},
	[WORD_MISTAKES] = {FIELD("share_file", sample_case, mistakes.share_file)},
	{FIELD("mem_order", sample_case, mistakes.mem_order), mem_orders, 2},
	{FIELD("rounds", sample_case, mistakes.rounds)},
	{FIELD("clients", sample_case, serving.clients)},
	{FIELD("kept", sample_case, serving.kept)},
	{FIELD("rate", sample_case, serving.rate)},
	{FIELD("request", sample_case, serving.request)},
	{FIELD("reply", sample_case, serving.reply)},
	{FIELD("serve_work", sample_case, serving.work)},
	{FIELD("serve_wait", sample_case, serving.wait_ns)},
	{FIELD("fibers", sample_case, fibers)},
	{FIELD("serve_file", sample_case, serving.file)},
	{FIELD("idle", sample_case, serving.idle)},
};

enum { WORDS = LENGTH(case_words) };

static uint64_t case_number(const void *member, size_t size)
{
	switch (size) {
	case 1:
		return *(const uint8_t *)member;
	case 4:
		return *(const uint32_t *)member;
	default:
		return *(const uint64_t *)member;
	}
}

static void add_case_words(struct sentence *words, const struct sample_case *config, int from,
			   int to)
{
	for (const struct case_word *word = &case_words[from]; word < &case_words[to]; word++) {
		const void *member = (const char *)config + word->member.offset;
		const uint64_t number = case_number(member, word->member.size);

		if (number == 0)
			continue;
		sentence_add(words, " %s", word->member.name);
		if (word->names)
			sentence_add(words, ":%s",
				     names_at(word->names, word->n_names, (unsigned)number));
		else if (word->member.type != FIELD_BOOL)
			sentence_add(words, ":%" PRIu64, number);
	}
}

char *log_schema_case(const struct sample_case *config, char *buf, size_t size)
{
	const struct plan *plan = &config->plan;
	struct sentence words = sentence_in(buf, size);
	char cpus[256];

	buf[0] = '\0';
	for (uint32_t i = 0; i < plan->levels; i++) {
		if (i >= PLAN_MAX_LEVELS)
			break;
		sentence_join(&words, " ", "%s:%" PRIu32, plan_tasks[plan->task[i] == PLAN_PROCESS],
			      plan->fanout[i]);
	}
	for (int i = 0; i < WORK_KINDS; i++)
		if (plan->leaves[i] > 0)
			sentence_add(&words, " %s:%" PRIu32, plan_work_name((enum work_kind)i),
				     plan->leaves[i]);
	add_case_words(&words, config, 0, WORD_VIA);
	if (*config->place)
		sentence_add(&words, " place:%s", config->place);
	if (CPU_COUNT(&config->cpus) > 0)
		sentence_add(&words, " cpus:%s",
			     units_format_cpulist(cpus, sizeof(cpus), &config->cpus));
	add_case_words(&words, config, WORD_VIA, WORD_MISTAKES);
	for (int i = 0; i < WORK_KINDS; i++)
		if (config->work_size[i] > 0)
			sentence_add(&words, " %s_size:%" PRIu64, plan_work_name((enum work_kind)i),
				     config->work_size[i]);
	add_case_words(&words, config, WORD_MISTAKES, WORDS);
	return buf;
}

/*
 * Takes a word of a case. Ignores an unknown word. Returns -EINVAL if a number is too large or if
 * there are too many levels.
 */
static int take_case_word(struct sample_case *config, char *word, const char *value)
{
	const int task = names_find(plan_tasks, 2, word);
	const size_t length = strlen(word);
	struct plan *plan = &config->plan;
	uint64_t number = strtoull(value, NULL, 10);
	enum work_kind work;

	for (const struct case_word *known = case_words; known < case_words + WORDS; known++) {
		void *member = (char *)config + known->member.offset;

		if (strcmp(word, known->member.name) != 0)
			continue;
		if (known->names)
			number = (uint64_t)names_find_or_0(known->names, known->n_names, value);
		if (known->member.size == 1)
			*(uint8_t *)member = known->names ? (uint8_t)number : true;
		else if (known->member.size == 8)
			*(uint64_t *)member = number;
		else if (number <= UINT32_MAX)
			*(uint32_t *)member = (uint32_t)number;
		else
			return -EINVAL;
		return 0;
	}
	if (strcmp(word, "place") == 0) {
		snprintf(config->place, sizeof(config->place), "%s", value);
		return 0;
	}
	if (strcmp(word, "cpus") == 0) {
		/* If the list was cut off, the CPUs are unknown. */
		if (units_parse_cpulist(value, &config->cpus))
			CPU_ZERO(&config->cpus);
		return 0;
	}
	if (length > 5 && strcmp(word + length - 5, "_size") == 0) {
		word[length - 5] = '\0';
		if (plan_work_parse(word, &work) == 0) {
			config->work_size[work] = number;
			return 0;
		}
	}
	if (number > UINT32_MAX || (task >= 0 && plan->levels == PLAN_MAX_LEVELS))
		return -EINVAL;
	if (task >= 0) {
		plan->task[plan->levels] = (uint8_t)task;
		plan->fanout[plan->levels++] = (uint32_t)number;
	} else if (length == strlen(word) && plan_work_parse(word, &work) == 0) {
		plan->leaves[work] = (uint32_t)number;
	}
	return 0;
}

int log_schema_case_parse(const char *text, struct sample_case *config)
{
	char words[SAMPLE_TEXT], *rest = words, *word;

	*config = (struct sample_case) {.cache = SAMPLE_CACHE_UNKNOWN};
	snprintf(words, sizeof(words), "%s", text);
	while ((word = strsep(&rest, " "))) {
		char *value = word;

		word = strsep(&value, ":");
		if (take_case_word(config, word, sentence_text(value, "")) < 0)
			return -EINVAL;
	}
	if (config->plan.levels > 0 && plan_count(&config->plan) > 0)
		return 0;
	return -EINVAL;
}

char *log_schema_double(double number, char *buf, size_t size)
{
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, number);
		if (strtod(buf, NULL) == number)
			break;
	}
	return buf;
}

int log_schema_double_parse(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*number))
		return -EINVAL;
	return 0;
}
