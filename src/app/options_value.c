/* SPDX-License-Identifier: MIT */
#include "options_rule.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sentence.h"
#include "base/units.h"
#include "draw/theme.h"
#include "export/export.h"
#include "film/film.h"
#include "work/workload.h"

/* "cpu=NUMBER": kinds that have a size, and sizes that are some work. */
static int parse_work(struct request *request, const char *value)
{
	enum work_kind kind;
	const char *text = plan_work_value(value, &kind);
	uint64_t size;

	if (!text || units_parse_size(text, &size) || !workload_takes(workload_get(kind), size))
		return -EINVAL;
	request->work_size[kind] = size;
	return 0;
}

static int parse_number(const struct options_rule *rule, const char *value, uint64_t *number)
{
	int err = units_parse_count(value, rule->max, number);

	return err ? err : *number < rule->min ? -ERANGE : 0;
}

static int parse_u32(const struct options_rule *rule, const char *value, uint32_t *number)
{
	uint64_t whole = 0;
	int err = parse_number(rule, value, &whole);

	*number = (uint32_t)whole;
	return err;
}

static int parse_cpulist(const char *value, struct request *request)
{
	request->pinned = true;
	return units_parse_cpulist(value, &request->pin);
}

static int parse_word(const struct options_rule *rule, const char *value, int *word)
{
	for (int i = 0; rule->words[i]; i++) {
		if (strcmp(value, rule->words[i]) == 0) {
			*word = (int)rule->min + i;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_speed(const char *value, double *speed)
{
	char *end;

	*speed = strtod(value, &end);
	if (end == value || *end || !isdigit((unsigned char)*value))
		return -EINVAL;
	return *speed >= 0.001 && *speed <= 1000 ? 0 : -ERANGE;
}

static int parse_side(const char **text, int least, int most, int *side)
{
	char *end;
	long value = isdigit((unsigned char)**text) ? strtol(*text, &end, 10) : 0;

	if (value < least || value > most)
		return -EINVAL;
	*side = (int)value;
	*text = end;
	return 0;
}

static int parse_screen(const char *value, struct options_size *size)
{
	if (parse_side(&value, OPTIONS_LEAST_W, OPTIONS_MOST_W, &size->width) || *value++ != 'x' ||
	    parse_side(&value, OPTIONS_LEAST_H, OPTIONS_MOST_H, &size->height))
		return -EINVAL;
	return *value ? -EINVAL : 0;
}

/* The formats of a result are none of a film. */
/* "120ms", "1.2": units are those of the program; without one, of what follows, at last s. */
static int parse_moment(const char *text, size_t n, double unit_ns, int64_t *ns, double *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}};
	char *end;
	double number = strtod(text, &end);
	size_t used = (size_t)(end - text);

	*unit = used == n ? unit_ns : 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (used < n && strlen(units[i].name) == n - used &&
		    strncmp(end, units[i].name, n - used) == 0)
			*unit = units[i].ns;
	if (!isdigit((unsigned char)*text) || strspn(text, "0123456789.") < used || *unit <= 0 ||
	    !(number * *unit <= 1e14))
		return -EINVAL;
	*ns = (int64_t)(number * *unit);
	return 0;
}

/* "40" or "1.2-1.4s". */
static int parse_zoom(const char *value, struct options_zoom *zoom)
{
	const char *dash = strchr(value, '-');
	double unit;
	char *end;

	*zoom = (struct options_zoom) {.times = 1};
	if (!dash) {
		zoom->times = strtod(value, &end);
		return isdigit((unsigned char)*value) && !value[strspn(value, "0123456789.")] &&
				       !*end && zoom->times >= 1 && zoom->times <= 1e6
			       ? 0
			       : -EINVAL;
	}
	if (parse_moment(dash + 1, strlen(dash + 1), 1e9, &zoom->to_ns, &unit) ||
	    parse_moment(value, (size_t)(dash - value), unit, &zoom->from_ns, &unit))
		return -EINVAL;
	return zoom->to_ns - zoom->from_ns >= 1000 ? 0 : -EINVAL;
}

static int parse_format(const struct options_rule *rule, const char *value, struct options *options)
{
	const struct export_format *format = export_find(value);

	if (rule->min == 0) {
		options->film = film_find(value);
		if (options->film)
			return 0;
	}
	if (!format || format->result < rule->min)
		return -EINVAL;
	options->format = format;
	return 0;
}

static int add_program(struct options *options, const char *value)
{
	struct request *request = &options->request;

	if (!*value || request->n_programs == OPTIONS_PROGRAMS)
		return -EINVAL;
	options->programs[request->n_programs++] = value;
	request->programs = options->programs;
	return 0;
}

/* What is more than one member. */
static int store_request(struct request *request, const struct options_rule *rule,
			 const char *value)
{
	if (rule->value == VALUE_CPULIST)
		return parse_cpulist(value, request);
	if (rule->value == VALUE_WORK)
		return parse_work(request, value);
	if (rule->value == VALUE_NICE)
		return options_env_nice(request, value);
	if (rule->value == VALUE_QUOTA)
		return options_env_quota(request, value);
	if (rule->value == VALUE_ENV)
		return options_env_store(request, value);
	return rule->value == VALUE_SWEEP && *value ? options_sweep_store(request, value) : -EINVAL;
}

int options_value_store(struct options *options, const struct options_rule *rule, const char *value)
{
	void *field = (char *)options + rule->offset;

	switch (rule->value) {
	case VALUE_FLAG:
		*(bool *)field = true;
		return 0;
	case VALUE_ACTION:
		*(enum options_action *)field = (enum options_action)rule->min;
		return 0;
	case VALUE_U32:
		return parse_u32(rule, value, field);
	case VALUE_WORKERS:
	case VALUE_U64:
		return parse_number(rule, value, field);
	case VALUE_SIZE:
		return units_parse_size(value, field);
	case VALUE_WORD:
		return parse_word(rule, value, field);
	case VALUE_THEME:
	case VALUE_STRING:
	case VALUE_EXPERIMENT:
		*(const char **)field = value;
		return *value && (rule->value != VALUE_THEME || theme_find(value)) ? 0 : -EINVAL;
	case VALUE_ZOOM:
		return parse_zoom(value, field);
	case VALUE_SPEED:
		return parse_speed(value, field);
	case VALUE_SCREEN:
		return parse_screen(value, field);
	case VALUE_PROGRAM:
		return add_program(options, value);
	case VALUE_FORMAT:
		return parse_format(rule, value, options);
	default:
		return store_request(&options->request, rule, value);
	}
}

/* "cpu=73513440, io=64M", or for --help "cpu=NUMBER whose divisors are sought, io=BYTES copied" */
static void add_sizes(bool help, struct sentence *to)
{
	const char *separator = "";

	for (size_t i = 0; i < WORK_KINDS; i++) {
		const struct workload_ops *ops = workload_get(plan_work_order[i]);

		if (!ops->amount)
			continue;
		sentence_add(to, "%s%s=%s", separator, plan_work_name(plan_work_order[i]),
			     help ? ops->amount : UNITS_EXACT(ops->default_size));
		separator = ", ";
	}
}

/* "table, json, markdown or csv" */
static void add_result_formats(const char *last, struct sentence *to)
{
	for (uint32_t place = 1; export_of_result(place); place++)
		sentence_add(to, "%s%s",
			     place == 1			   ? ""
			     : export_of_result(place + 1) ? ", "
							   : last,
			     export_of_result(place)->name);
}

/*
 * The formats as "trace, html", for --help as "trace (Perfetto, speedscope), html (a page)".
 * Formats of a result have a line of their own.
 */
static void add_export_formats(bool help, struct sentence *to)
{
	const struct export_format *format, *last = NULL;

	for (size_t i = 0; (format = export_at(i)); i++, last = format) {
		bool breaks = help && last && format->result > 0 && last->result == 0;

		sentence_add(to, "%s%s", breaks ? ",\n" : last ? ", " : "", format->name);
		if (help && format->about)
			sentence_add(to, " (%s)", format->about);
	}
}

/* The same of films, on a line of their own. */
static void add_films(bool help, struct sentence *to)
{
	const struct film_format *format;

	for (size_t i = 0; (format = film_at(i)); i++)
		sentence_add(to, help ? "%s%s (%s)" : "%s%s", help && i == 0 ? ",\n" : ", ",
			     format->name, format->about);
}

static void add_formats(const struct options_rule *rule, bool help, struct sentence *to)
{
	if (rule->min > 0) {
		add_result_formats(help ? " or " : ", ", to);
	} else {
		add_export_formats(help, to);
		add_films(help, to);
	}
}

static void add_themes(struct sentence *to)
{
	for (size_t i = 0; theme_at(i); i++)
		sentence_add(to, "%s%s", i ? ", " : "", theme_at(i)->name);
}

static void add_workers(const struct options_rule *rule, struct sentence *to)
{
	enum work_kind kind = WORK_NULL;
	const struct workload_ops *ops;

	plan_work_parse(rule->name, &kind);
	ops = workload_get(kind);
	sentence_add(to, "workers that %s (default: %" PRIu32 "%s%s)", ops->about,
		     experiment_workers(kind), ops->note ? "; " : "", ops->note ? ops->note : "");
}

const char *options_value_describe(const struct options_rule *rule, char *buf, size_t size)
{
	struct sentence to = {buf, size, 0};

	if (rule->what)
		return rule->what;
	*buf = '\0';
	switch (rule->value) {
	case VALUE_THEME:
		sentence_add(&to, "a theme (");
		add_themes(&to);
		sentence_add(&to, ")");
		break;
	case VALUE_WORK:
		sentence_add(&to, "a kind of work and an amount of it (");
		add_sizes(false, &to);
		sentence_add(&to, ")");
		break;
	case VALUE_FORMAT:
		sentence_add(&to, "one of ");
		add_formats(rule, false, &to);
		break;
	case VALUE_WORD:
		for (size_t i = 0; rule->words[i]; i++)
			sentence_add(&to, "%s%s", i ? ", " : "one of ", rule->words[i]);
		break;
	default:
		sentence_add(&to, "a whole number from %" PRIu64 " to %" PRIu64, rule->min,
			     rule->max);
	}
	return buf;
}

char *options_value_help(const struct options_rule *rule, char *buf, size_t size)
{
	struct sentence to = {buf, size, 0};

	*buf = '\0';
	sentence_add(&to, "%s", rule->help ? rule->help : "");
	if (rule->value == VALUE_WORKERS)
		add_workers(rule, &to);
	if (rule->value == VALUE_WORK)
		add_sizes(true, &to);
	if (rule->value == VALUE_FORMAT)
		add_formats(rule, true, &to);
	sentence_add(&to, "%s", rule->rest ? rule->rest : "");
	return buf;
}

/* Of the kinds that have a size. */
static const char *work_word(size_t i, char buf[OPTIONS_WORD])
{
	for (size_t k = 0; k < WORK_KINDS; k++)
		if (workload_get(plan_work_order[k])->amount && i-- == 0) {
			snprintf(buf, OPTIONS_WORD, "%s=", plan_work_name(plan_work_order[k]));
			return buf;
		}
	return NULL;
}

const char *options_value_word(const struct options_rule *rule, size_t i, char buf[OPTIONS_WORD])
{
	const struct export_format *format;
	const char *question, *about;

	switch (rule->value) {
	case VALUE_EXPERIMENT:
		return experiment_name(i, &question, &about);
	case VALUE_THEME:
		return theme_at(i) ? theme_at(i)->name : NULL;
	case VALUE_WORK:
		return work_word(i, buf);
	case VALUE_FORMAT:
		format = rule->min > 0 ? export_of_result((uint32_t)i + 1) : export_at(i);
		return format ? format->name : NULL;
	case VALUE_SWEEP:
		return options_sweep_word(i, buf);
	default:
		return rule->words ? rule->words[i] : NULL;
	}
}
