/* SPDX-License-Identifier: MIT */
#include "log_schema.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/sample.h"

/* The places of those that are named are in enum log_column. */
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
	[LOG_META] = "meta",   [LOG_CASE_ROW] = "case",	  [LOG_BEGIN] = "begin",
	[LOG_CORE] = "core",   [LOG_WORKER] = "worker",	  [LOG_TICK] = "tick",
	[LOG_END] = "end",     [LOG_MESSAGE] = "message", [LOG_DONE] = "done",
	[LOG_SLICE] = "slice", [LOG_SCENE_ROW] = "scene", [LOG_BUCKET] = "operations",
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

static const struct field *const members[LOG_RECORDS] = {
	[LOG_BEGIN] = sample_run_fields,     [LOG_CORE] = sample_core_fields,
	[LOG_WORKER] = sample_worker_fields, [LOG_TICK] = sample_tick_fields,
	[LOG_END] = sample_totals_fields,    [LOG_SLICE] = sample_slice_fields,
	[LOG_BUCKET] = sample_bucket_fields,
};

uint8_t log_schema_column(const struct log_schema *schema, const char *name, size_t n)
{
	for (uint8_t i = 0; i < schema->n_columns; i++)
		if (strlen(schema->columns[i]) == n && memcmp(schema->columns[i], name, n) == 0)
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

		for (const struct field *from = members[i]; from && from->type != FIELD_END;
		     from++) {
			uint8_t column = add_column(schema, from->name);
			size_t at = n++;

			/* A row is written from left to right. */
			for (; at > 0 && fields[at - 1].column > column; at--)
				fields[at] = fields[at - 1];
			fields[at] = (struct log_field) {column, from->type, from->offset};
		}
		fields[n].column = LOG_NONE;
	}
	schema->command = add_column(schema, "command");
}

size_t log_schema_copy(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
	utf8_mask(to);
	return n;
}

static const char *const plan_tasks[] = {[PLAN_THREAD] = "thread", [PLAN_PROCESS] = "process"};

static const char *const caches[SAMPLE_CACHES] = {
	[SAMPLE_CACHE_WARM] = "warm",
	[SAMPLE_CACHE_COLD] = "cold",
	[SAMPLE_CACHE_ONCE_COLD] = "once-cold",
};

char *log_schema_case(const struct sample_case *one, char *buf, size_t size)
{
	const struct plan *plan = &one->plan;
	struct sentence words = {buf, size, 0};
	char cpus[256];

	buf[0] = '\0';
	for (uint32_t i = 0; i < plan->levels && i < PLAN_MAX_LEVELS; i++)
		sentence_add(&words, "%s%s:%" PRIu32, i > 0 ? " " : "",
			     plan_tasks[plan->task[i] == PLAN_PROCESS], plan->fanout[i]);
	for (int i = 0; i < WORK_KINDS; i++)
		if (plan->leaves[i] > 0)
			sentence_add(&words, " %s:%" PRIu32, plan_work_name((enum work_kind)i),
				     plan->leaves[i]);
	if (plan->batch > 0)
		sentence_add(&words, " batch:%" PRIu32, plan->batch);
	if (plan->tasks > 0)
		sentence_add(&words, " tasks:%" PRIu32, plan->tasks);
	if (plan->gated)
		sentence_add(&words, " gated");
	if (plan->all_alive)
		sentence_add(&words, " all_alive");
	if (one->stack_size > 0)
		sentence_add(&words, " stack:%" PRIu64, one->stack_size);
	if (one->ballast > 0)
		sentence_add(&words, " ballast:%" PRIu64, one->ballast);
	if (plan->primitive > 0 && plan->primitive < PLAN_PRIMITIVES)
		sentence_add(&words, " by:%s",
			     plan_primitive_name((enum plan_primitive)plan->primitive));
	if (plan->placement > 0 && plan->placement < PLAN_PLACEMENTS)
		sentence_add(&words, " at:%s",
			     plan_placement_name((enum plan_placement)plan->placement));
	if (one->cache != SAMPLE_CACHE_UNKNOWN) {
		sentence_add(&words, " cache:%s", caches[one->cache]);
		if (one->pinned)
			sentence_add(&words, " pin");
		if (one->alloc > 0)
			sentence_add(&words, " alloc:%" PRIu64, one->alloc);
	}
	if (*one->place)
		sentence_add(&words, " place:%s", one->place);
	if (CPU_COUNT(&one->cpus) > 0)
		sentence_add(&words, " cpus:%s",
			     units_format_cpulist(cpus, sizeof(cpus), &one->cpus));
	if (one->via != VIA_NONE)
		sentence_add(&words, " via:%s", via_name((enum via)one->via));
	for (int i = 0; i < WORK_KINDS; i++)
		if (one->work_size[i] > 0)
			sentence_add(&words, " %s_size:%" PRIu64, plan_work_name((enum work_kind)i),
				     one->work_size[i]);
	sentence_add(&words, "%s", mistakes_words(&one->mistakes, (char[96]) {0}, 96));
	return buf;
}

/* "cpu_size" */
static bool case_take_size(struct sample_case *one, const char *word, uint64_t number)
{
	size_t length = strlen(word);
	enum work_kind work;
	char name[16];

	if (length < 5 || length - 5 >= sizeof(name) || strcmp(word + length - 5, "_size") != 0)
		return false;
	memcpy(name, word, length - 5);
	name[length - 5] = '\0';
	if (plan_work_parse(name, &work) != 0)
		return false;
	one->work_size[work] = number;
	return true;
}

/* Words whose value is a text, "cache:once-cold"; those that this program does not know are none.
 */
static bool case_take_text(struct sample_case *one, const char *word)
{
	const char *colon = strchr(word, ':'), *value = colon ? colon + 1 : "";
	size_t n = colon ? (size_t)(value - word) : 0;
	enum plan_primitive primitive;
	enum plan_placement placement;
	enum via via;

	if (n == 3 && strncmp(word, "by:", n) == 0) {
		if (plan_primitive_parse(value, &primitive) == 0)
			one->plan.primitive = (uint8_t)primitive;
	} else if (n == 3 && strncmp(word, "at:", n) == 0) {
		if (plan_placement_parse(value, &placement) == 0)
			one->plan.placement = (uint8_t)placement;
	} else if (n == 6 && strncmp(word, "cache:", n) == 0) {
		for (uint8_t i = SAMPLE_CACHE_WARM; i < SAMPLE_CACHES; i++)
			if (strcmp(value, caches[i]) == 0)
				one->cache = i;
	} else if (n == 6 && strncmp(word, "place:", n) == 0) {
		snprintf(one->place, sizeof(one->place), "%s", value);
	} else if (n == 5 && strncmp(word, "cpus:", n) == 0) {
		/* A list that was cut is not known. */
		if (units_parse_cpulist(value, &one->cpus))
			CPU_ZERO(&one->cpus);
	} else if (n == 4 && strncmp(word, "via:", n) == 0) {
		via_parse(value, &via);
		one->via = (uint8_t)via;
	} else {
		return false;
	}
	return true;
}

static int case_take_number(struct sample_case *one, const char *word, uint64_t number)
{
	struct plan *plan = &one->plan;
	enum work_kind work;

	if (strcmp(word, "stack") == 0)
		one->stack_size = number;
	else if (strcmp(word, "alloc") == 0)
		one->alloc = number;
	else if (strcmp(word, "pin") == 0)
		one->pinned = true;
	else if (strcmp(word, "ballast") == 0)
		one->ballast = number;
	else if (!case_take_size(one, word, number) && number > UINT32_MAX)
		return -EINVAL;
	for (int i = 0; i < 2; i++)
		if (strcmp(word, plan_tasks[i]) == 0) {
			if (plan->levels == PLAN_MAX_LEVELS)
				return -EINVAL;
			plan->task[plan->levels] = (uint8_t)i;
			plan->fanout[plan->levels++] = (uint32_t)number;
		}
	if (plan_work_parse(word, &work) == 0)
		plan->leaves[work] = (uint32_t)number;
	else if (strcmp(word, "batch") == 0)
		plan->batch = (uint32_t)number;
	else if (strcmp(word, "tasks") == 0)
		plan->tasks = (uint32_t)number;
	else if (strcmp(word, "gated") == 0)
		plan->gated = true;
	else if (strcmp(word, "all_alive") == 0)
		plan->all_alive = true;
	return 0;
}

int log_schema_case_parse(const char *text, struct sample_case *one)
{
	char words[SAMPLE_TEXT];
	char *rest = words, *word;

	memset(&one->plan, 0, sizeof(one->plan));
	one->stack_size = one->ballast = one->alloc = 0;
	one->cache = SAMPLE_CACHE_UNKNOWN;
	one->pinned = false;
	one->place[0] = '\0';
	one->via = VIA_NONE;
	CPU_ZERO(&one->cpus);
	one->mistakes = (struct mistakes) {0};
	snprintf(words, sizeof(words), "%s", text);
	while ((word = strsep(&rest, " "))) {
		char *number = strchr(word, ':');
		uint64_t n = number ? strtoull(number + 1, NULL, 10) : 0;

		if (case_take_text(one, word))
			continue;
		if (number)
			*number = '\0';
		if (mistakes_take(&one->mistakes, word, number ? number + 1 : ""))
			continue;
		if (case_take_number(one, word, n) < 0)
			return -EINVAL;
	}
	return one->plan.levels > 0 && plan_count(&one->plan) > 0 ? 0 : -EINVAL;
}

/* printf and strtod follow the locale's decimal point; a log must not. */
static int in_c_locale(int (*act)(const void *from, void *to), const void *from, void *to)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
	int err;

	if (!c)
		return -ENOMEM;
	before = uselocale(c);
	err = act(from, to);
	uselocale(before);
	freelocale(c);
	return err;
}

#define DOUBLE_CHARS 32

static int double_print(const void *from, void *to)
{
	double number = *(const double *)from;

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(to, DOUBLE_CHARS, "%.*g", digits, number);
		if (strtod(to, NULL) == number)
			break;
	}
	return 0;
}

static int double_read(const void *from, void *to)
{
	char *end;

	*(double *)to = strtod(from, &end);
	return end == from || *end != '\0' || !isfinite(*(double *)to) ? -EINVAL : 0;
}

char *log_schema_double(double number, char *buf, size_t size)
{
	char text[DOUBLE_CHARS] = "";

	in_c_locale(double_print, &number, text);
	snprintf(buf, size, "%s", text);
	return buf;
}

int log_schema_double_parse(const char *text, double *number)
{
	return in_c_locale(double_read, text, number);
}
