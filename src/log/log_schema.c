/* SPDX-License-Identifier: MIT */
#include "log_schema.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "core/sample.h"

/* A column's number, and LOG_COLUMNS for none, is kept in a byte. */
static_assert(LOG_COLUMNS <= UINT8_MAX, "columns must fit a byte");

const char *const log_schema_columns[LOG_COLUMNS] = {
	[LOG_RECORD] = "record",
	[LOG_TIME] = "time_ns",
	[LOG_RUN] = "run",
	[LOG_TRIAL] = "trial",
	[LOG_PLANNED] = "planned",
	[LOG_CASE] = "case_id",
	[LOG_MODEL] = "model",
	[LOG_VARIABLES] = "variables",
	[LOG_ID] = "id",
	[LOG_SUBJECT] = "subject",
	[LOG_USER] = "user_permille",
	[LOG_SYSTEM] = "system_permille",
	[LOG_IOWAIT] = "iowait_permille",
	[LOG_STEAL] = "steal_permille",
	[LOG_MHZ] = "mhz",
	[LOG_RSS] = "rss_kb",
	[LOG_PSS] = "pss_kb",
	[LOG_USS] = "uss_kb",
	[LOG_KERNEL] = "kernel_kb",
	[LOG_ESTIMATED] = "estimated",
	[LOG_TASKS] = "tasks",
	[LOG_SELF_CPU] = "self_cpu_us",
	[LOG_LOST] = "lost",
	[LOG_PAUSED] = "paused",
	[LOG_PARENT] = "parent",
	[LOG_DEPTH] = "depth",
	[LOG_WORK] = "work",
	[LOG_PID] = "pid",
	[LOG_TID] = "tid",
	[LOG_CPU_FIRST] = "cpu_first",
	[LOG_CPU_LAST] = "cpu_last",
	[LOG_CREATE] = "create_ns",
	[LOG_CREATED] = "created_ns",
	[LOG_START] = "start_ns",
	[LOG_WORK_START] = "work_ns",
	[LOG_FINISH] = "finish_ns",
	[LOG_JOIN] = "join_ns",
	[LOG_RESULT] = "result",
	[LOG_ERROR] = "error",
	[LOG_STATUS] = "status",
	[LOG_USER_US] = "user_us",
	[LOG_SYSTEM_US] = "system_us",
	[LOG_MINFLT] = "minflt",
	[LOG_MAJFLT] = "majflt",
	[LOG_NVCSW] = "nvcsw",
	[LOG_NIVCSW] = "nivcsw",
	[LOG_BEGIN_TIME] = "begin_ns",
	[LOG_GO] = "go_ns",
	[LOG_ELAPSED] = "elapsed_ns",
	[LOG_HELD] = "held_ns",
	[LOG_CREATE_SPAN] = "create_span_ns",
	[LOG_WORKERS] = "workers",
	[LOG_N_CREATED] = "created",
	[LOG_N_FINISHED] = "finished",
	[LOG_N_JOINED] = "joined",
	[LOG_N_FAILED] = "failed",
	[LOG_PEAK_ALIVE] = "peak_alive",
	[LOG_READ] = "read_kb",
	[LOG_WRITTEN] = "written_kb",
	[LOG_DISK_READ] = "disk_read_kb",
	[LOG_DISK_WRITTEN] = "disk_written_kb",
	[LOG_LINES] = "lines",
	[LOG_OTHERS] = "others_permille",
	[LOG_VALUE] = "value",
	[LOG_KIND] = "kind",
};

const char *const log_schema_records[LOG_RECORDS] = {
	[LOG_META] = "meta", [LOG_CASE_ROW] = "case",	[LOG_BEGIN] = "begin",
	[LOG_CORE] = "core", [LOG_WORKER] = "worker",	[LOG_TICK] = "tick",
	[LOG_END] = "end",   [LOG_MESSAGE] = "message", [LOG_DONE] = "done",
};

const char *const log_schema_severities[3] = {
	[SAMPLE_INFO] = "info",
	[SAMPLE_WARNING] = "warning",
	[SAMPLE_ERROR] = "error",
};

/* clang-format off */
#define FIELD(column, type, of, member) {column, type, offsetof(struct of, member)}
#define FIELDS_END {LOG_COLUMNS, 0, 0}

const struct log_field log_schema_run[] = {
	FIELD(LOG_RUN, LOG_U32, sample_run, run),
	FIELD(LOG_TRIAL, LOG_U32, sample_run, trial),
	FIELD(LOG_PLANNED, LOG_U32, sample_run, planned),
	FIELD(LOG_CASE, LOG_U32, sample_run, icase),
	FIELDS_END,
};

const struct log_field log_schema_core[] = {
	FIELD(LOG_ID, LOG_I16, sample_core, cpu),
	FIELD(LOG_USER, LOG_I16, sample_core, user),
	FIELD(LOG_SYSTEM, LOG_I16, sample_core, system),
	FIELD(LOG_IOWAIT, LOG_I16, sample_core, iowait),
	FIELD(LOG_STEAL, LOG_I16, sample_core, steal),
	FIELD(LOG_MHZ, LOG_I16, sample_core, mhz),
	FIELDS_END,
};

const struct log_field log_schema_tick[] = {
	FIELD(LOG_RSS, LOG_I64, sample_tick, memory.rss_kb),
	FIELD(LOG_PSS, LOG_I64, sample_tick, memory.pss_kb),
	FIELD(LOG_USS, LOG_I64, sample_tick, memory.uss_kb),
	FIELD(LOG_KERNEL, LOG_I64, sample_tick, memory.kernel_kb),
	FIELD(LOG_ESTIMATED, LOG_BOOL, sample_tick, memory.estimated),
	FIELD(LOG_TASKS, LOG_I64, sample_tick, tasks),
	FIELD(LOG_SELF_CPU, LOG_U64, sample_tick, self_cpu_us),
	FIELD(LOG_LOST, LOG_U32, sample_tick, lost),
	FIELD(LOG_PAUSED, LOG_BOOL, sample_tick, paused),
	FIELDS_END,
};

const struct log_field log_schema_worker[] = {
	FIELD(LOG_PID, LOG_I32, sample_worker, pid),
	FIELD(LOG_TID, LOG_I32, sample_worker, tid),
	FIELD(LOG_CPU_FIRST, LOG_I16, sample_worker, cpu_first),
	FIELD(LOG_CPU_LAST, LOG_I16, sample_worker, cpu_last),
	FIELD(LOG_CREATE, LOG_I64, sample_worker, create_ns),
	FIELD(LOG_CREATED, LOG_I64, sample_worker, created_ns),
	FIELD(LOG_START, LOG_I64, sample_worker, start_ns),
	FIELD(LOG_WORK_START, LOG_I64, sample_worker, work_ns),
	FIELD(LOG_FINISH, LOG_I64, sample_worker, finish_ns),
	FIELD(LOG_JOIN, LOG_I64, sample_worker, join_ns),
	FIELD(LOG_RESULT, LOG_U64, sample_worker, result),
	FIELD(LOG_ERROR, LOG_I16, sample_worker, error),
	FIELD(LOG_STATUS, LOG_STATUS_NAME, sample_worker, status),
	FIELD(LOG_USER_US, LOG_U32, sample_worker, user_us),
	FIELD(LOG_SYSTEM_US, LOG_U32, sample_worker, system_us),
	FIELD(LOG_MINFLT, LOG_U32, sample_worker, minflt),
	FIELD(LOG_MAJFLT, LOG_U32, sample_worker, majflt),
	FIELD(LOG_NVCSW, LOG_U32, sample_worker, nvcsw),
	FIELD(LOG_NIVCSW, LOG_U32, sample_worker, nivcsw),
	FIELDS_END,
};

const struct log_field log_schema_end[] = {
	FIELD(LOG_STEAL, LOG_I16, sample_totals, steal),
	FIELD(LOG_RSS, LOG_I64, sample_totals, memory.rss_kb),
	FIELD(LOG_PSS, LOG_I64, sample_totals, memory.pss_kb),
	FIELD(LOG_USS, LOG_I64, sample_totals, memory.uss_kb),
	FIELD(LOG_KERNEL, LOG_I64, sample_totals, memory.kernel_kb),
	FIELD(LOG_ESTIMATED, LOG_BOOL, sample_totals, memory.estimated),
	FIELD(LOG_SELF_CPU, LOG_I64, sample_totals, self_cpu_us),
	FIELD(LOG_PAUSED, LOG_BOOL, sample_totals, paused),
	FIELD(LOG_STATUS, LOG_STATUS_NAME, sample_totals, status),
	FIELD(LOG_USER_US, LOG_I64, sample_totals, user_us),
	FIELD(LOG_SYSTEM_US, LOG_I64, sample_totals, system_us),
	FIELD(LOG_MINFLT, LOG_I64, sample_totals, minflt),
	FIELD(LOG_MAJFLT, LOG_I64, sample_totals, majflt),
	FIELD(LOG_NVCSW, LOG_I64, sample_totals, nvcsw),
	FIELD(LOG_NIVCSW, LOG_I64, sample_totals, nivcsw),
	FIELD(LOG_BEGIN_TIME, LOG_I64, sample_totals, begin_ns),
	FIELD(LOG_GO, LOG_I64, sample_totals, go_ns),
	FIELD(LOG_ELAPSED, LOG_I64, sample_totals, elapsed_ns),
	FIELD(LOG_HELD, LOG_I64, sample_totals, held_ns),
	FIELD(LOG_CREATE_SPAN, LOG_I64, sample_totals, create_ns),
	FIELD(LOG_WORKERS, LOG_U32, sample_totals, workers),
	FIELD(LOG_N_CREATED, LOG_U32, sample_totals, created),
	FIELD(LOG_N_FINISHED, LOG_U32, sample_totals, finished),
	FIELD(LOG_N_JOINED, LOG_U32, sample_totals, joined),
	FIELD(LOG_N_FAILED, LOG_U32, sample_totals, failed),
	FIELD(LOG_PEAK_ALIVE, LOG_U32, sample_totals, peak_alive),
	FIELD(LOG_READ, LOG_I64, sample_totals, read_kb),
	FIELD(LOG_WRITTEN, LOG_I64, sample_totals, written_kb),
	FIELD(LOG_DISK_READ, LOG_I64, sample_totals, disk_read_kb),
	FIELD(LOG_DISK_WRITTEN, LOG_I64, sample_totals, disk_written_kb),
	FIELD(LOG_LINES, LOG_I64, sample_totals, hello_lines),
	FIELD(LOG_OTHERS, LOG_I16, sample_totals, others),
	FIELDS_END,
};

#define KEY(name, type, member) \
	{name, type, offsetof(struct sample_session, member), \
	 sizeof(((struct sample_session *)NULL)->member)}

const struct log_key log_schema_keys[] = {
	KEY("version", LOG_TEXT, version),
	KEY("experiment", LOG_TEXT, experiment),
	KEY("title", LOG_TEXT, title),
	KEY("options", LOG_TEXT, options),
	KEY("wall_s", LOG_I64, wall_s),
	KEY("trials", LOG_U32, trials),
	KEY("warmup", LOG_U32, warmup),
	KEY("interval_ms", LOG_U32, interval_ms),
	KEY("cases", LOG_U32, cases),
	KEY("machine.host", LOG_TEXT, machine.host),
	KEY("machine.kernel", LOG_TEXT, machine.kernel),
	KEY("machine.arch", LOG_TEXT, machine.arch),
	KEY("machine.libc", LOG_TEXT, machine.libc),
	KEY("machine.cpu", LOG_TEXT, machine.cpu),
	KEY("machine.virtualization", LOG_TEXT, machine.virtualization),
	KEY("machine.governor", LOG_TEXT, machine.governor),
	KEY("machine.frequency_source", LOG_TEXT, machine.frequency_source),
	KEY("machine.hugepages", LOG_TEXT, machine.hugepages),
	KEY("machine.cpus_allowed", LOG_TEXT, machine.cpus_allowed),
	KEY("machine.cores_online", LOG_I32, machine.cores_online),
	KEY("machine.cores_allowed", LOG_I32, machine.cores_allowed),
	KEY("machine.performance_cores", LOG_I32, machine.performance_cores),
	KEY("machine.efficiency_cores", LOG_I32, machine.efficiency_cores),
	KEY("machine.mhz", LOG_I64, machine.mhz),
	KEY("machine.memory_kb", LOG_I64, machine.memory_kb),
	KEY("machine.memory_limit_kb", LOG_I64, machine.memory_limit_kb),
	KEY("machine.cpu_quota", LOG_DOUBLE, machine.cpu_quota),
	KEY("machine.page_kb", LOG_I32, machine.page_kb),
	KEY("machine.clock_ticks", LOG_I32, machine.clock_ticks),
	{NULL, 0, 0, 0},
};
/* clang-format on */

size_t log_schema_copy(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
	utf8_mask(to);
	return n;
}

__attribute__((format(printf, 4, 5))) static size_t plan_word(char *buf, size_t size, size_t used,
							      const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(buf + used, size - used, format, args);
	va_end(args);
	return n < 0 || (size_t)n >= size - used ? size - 1 : used + (size_t)n;
}

static const char *const plan_tasks[] = {[PLAN_THREAD] = "thread", [PLAN_PROCESS] = "process"};

char *log_schema_case(const struct sample_case *one, char *buf, size_t size)
{
	const struct plan *plan = &one->plan;
	size_t n = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < plan->levels && i < PLAN_MAX_LEVELS; i++)
		n = plan_word(buf, size, n, "%s%s:%" PRIu32, n > 0 ? " " : "",
			      plan_tasks[plan->task[i] == PLAN_PROCESS], plan->fanout[i]);
	for (int i = 0; i < WORK_KINDS; i++)
		if (plan->leaves[i] > 0)
			n = plan_word(buf, size, n, " %s:%" PRIu32,
				      plan_work_name((enum work_kind)i), plan->leaves[i]);
	if (plan->batch > 0)
		n = plan_word(buf, size, n, " batch:%" PRIu32, plan->batch);
	if (plan->gated)
		n = plan_word(buf, size, n, " gated");
	if (plan->all_alive)
		n = plan_word(buf, size, n, " all_alive");
	if (one->stack_size > 0)
		n = plan_word(buf, size, n, " stack:%" PRIu64, one->stack_size);
	if (one->ballast > 0)
		n = plan_word(buf, size, n, " ballast:%" PRIu64, one->ballast);
	if (plan->primitive > 0 && plan->primitive < PLAN_PRIMITIVES)
		n = plan_word(buf, size, n, " by:%s",
			      plan_primitive_name((enum plan_primitive)plan->primitive));
	for (int i = 0; i < WORK_KINDS; i++)
		if (one->work_size[i] > 0)
			n = plan_word(buf, size, n, " %s_size:%" PRIu64,
				      plan_work_name((enum work_kind)i), one->work_size[i]);
	return buf;
}

static int plan_take_level(struct plan *plan, enum plan_task task, uint32_t fanout)
{
	if (plan->levels == PLAN_MAX_LEVELS)
		return -EINVAL;
	plan->task[plan->levels] = (uint8_t)task;
	plan->fanout[plan->levels++] = fanout;
	return 0;
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

/* Words that belong to the case and not to its plan; true if it was one. */
static bool case_take_word(struct sample_case *one, const char *word, uint64_t number)
{
	if (strcmp(word, "stack") == 0)
		one->stack_size = number;
	else if (strcmp(word, "ballast") == 0)
		one->ballast = number;
	else
		return case_take_size(one, word, number);
	return true;
}

static int plan_take_word(struct plan *plan, const char *word, uint64_t number)
{
	enum work_kind work;

	if (number > UINT32_MAX)
		return -EINVAL;
	for (int i = 0; i < 2; i++)
		if (strcmp(word, plan_tasks[i]) == 0)
			return plan_take_level(plan, (enum plan_task)i, (uint32_t)number);
	if (plan_work_parse(word, &work) == 0)
		plan->leaves[work] = (uint32_t)number;
	else if (strcmp(word, "batch") == 0)
		plan->batch = (uint32_t)number;
	else if (strcmp(word, "gated") == 0)
		plan->gated = true;
	else if (strcmp(word, "all_alive") == 0)
		plan->all_alive = true;
	return 0;
}

/* "by:fork+exec"; one that this program does not know stays a plain plan. */
static bool plan_take_primitive(struct plan *plan, const char *word)
{
	enum plan_primitive primitive;

	if (strncmp(word, "by:", 3) != 0)
		return false;
	if (plan_primitive_parse(word + 3, &primitive) == 0)
		plan->primitive = (uint8_t)primitive;
	return true;
}

int log_schema_case_parse(const char *text, struct sample_case *one)
{
	char words[SAMPLE_TEXT];
	char *rest = words, *word;

	memset(&one->plan, 0, sizeof(one->plan));
	one->stack_size = one->ballast = 0;
	snprintf(words, sizeof(words), "%s", text);
	while ((word = strsep(&rest, " "))) {
		char *number = strchr(word, ':');
		uint64_t n = number ? strtoull(number + 1, NULL, 10) : 0;

		if (plan_take_primitive(&one->plan, word))
			continue;

		if (number)
			*number = '\0';
		if (!case_take_word(one, word, n) && plan_take_word(&one->plan, word, n) < 0)
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
