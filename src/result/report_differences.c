/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_line.h"
#include "base/units.h"
#include "core/fields.h"

/*
 * The conditions whose difference a reader must know before comparing two sessions' numbers. The
 * command line is none of them: --log, --label or a theme change no figure, and what does is a
 * condition, the work of a case or its variables.
 */
static const struct condition {
	struct field field;
	bool kib;
	bool none; /* of a number: there is none; else it is not known */
} conditions[] = {
	{FIELD("host", sample_session, machine.host)},
	{FIELD("cpu", sample_session, machine.cpu)},
	{FIELD("cores", sample_session, machine.cores_online)},
	{FIELD("allowed cores", sample_session, machine.cores_allowed)},
	{FIELD("cores' quota", sample_session, machine.cpu_quota), .none = true},
	{FIELD("SMT", sample_session, machine.smt)},
	{FIELD("caches", sample_session, machine.caches)},
	{FIELD("memory", sample_session, machine.memory_kb), .kib = true},
	{FIELD("memory's limit", sample_session, machine.memory_limit_kb), .kib = true,
	 .none = true},
	{FIELD("virtualization", sample_session, machine.virtualization)},
	{FIELD("governor", sample_session, machine.governor)},
	{FIELD("huge pages", sample_session, machine.hugepages)},
	{FIELD("CPU flaws", sample_session, machine.mitigations)},
	{FIELD("kernel", sample_session, machine.kernel)},
	{FIELD("distribution", sample_session, machine.distribution)},
	{FIELD("libc", sample_session, machine.libc)},
	{FIELD("TMPDIR's file system", sample_session, machine.filesystem)},
	{FIELD("tuibench", sample_session, version)},
	{FIELD("compiler", sample_session, compiler)},
	{FIELD("commit", sample_session, commit)},
	{FIELD("settings", sample_session, settings)},
};

static void add_difference(struct sentence *s, const char *name, const char *a, const char *b)
{
	sentence_add(s, "%s%s (%s and %s)", s->used ? ", " : "The recordings differ in ", name, a,
		     b);
}

/* "" where it is not known. */
static const char *condition_value(const struct condition *condition,
				   const struct sample_session *session, char *buf, size_t size)
{
	double number;

	if (condition->field.type == FIELD_TEXT)
		return (const char *)session + condition->field.offset;
	number = fields_number(&condition->field, session);
	if (isnan(number))
		snprintf(buf, size, "%s", condition->none ? "none" : "");
	else if (condition->kib)
		units_format_kib(buf, size, (int64_t)number);
	else
		snprintf(buf, size, "%.4g", number);
	return buf;
}

/*
 * A recording of old does not know what later ones do: that is no difference, nor is one of less
 * than the figures that are shown, such as a few KiB of a machine's memory.
 */
static void compare_condition(struct sentence *s, const struct model *model,
			      const struct condition *condition)
{
	const struct sample_session *first = &model->origins[0].session;
	char one[32], other[32];
	const char *a = condition_value(condition, first, one, sizeof(one)), *b;

	for (uint32_t i = 1; i < model->n_origins; i++) {
		if (fields_same(&condition->field, first, &model->origins[i].session))
			continue;
		b = condition_value(condition, &model->origins[i].session, other, sizeof(other));
		if (!*a || !*b || strcmp(a, b) == 0)
			continue;
		add_difference(s, condition->field.name, a, b);
		return;
	}
}

/* The value of an item of "nice=0;stack=8M", n bytes of it; "not set" where there is none. */
static const char *item_of(const char *environment, const char *name, size_t length, size_t *n)
{
	for (const char *at = environment; *at; at += strcspn(at, ";"), at += *at == ';') {
		if (strncmp(at, name, length) != 0 || at[length] != '=')
			continue;
		*n = strcspn(at + length + 1, ";");
		return at + length + 1;
	}
	*n = strlen("not set");
	return "not set";
}

/* Items of one that the other lacks or has otherwise; with `lacks`, only those that it lacks. */
static void compare_items(struct sentence *s, const char *of, const char *a, const char *b,
			  bool lacks)
{
	size_t length, n, m;

	for (const char *at = of; *at; at += strcspn(at, ";"), at += *at == ';') {
		const char *one, *other;
		char name[64], x[96], y[96];

		length = strcspn(at, "=;");
		/* Where the files are matters by its file system, which is compared by itself. */
		if (at[length] != '=' || length >= sizeof(name) ||
		    (length == 6 && strncmp(at, "TMPDIR", 6) == 0))
			continue;
		one = item_of(a, at, length, &n);
		other = item_of(b, at, length, &m);
		if ((n == m && memcmp(one, other, n) == 0) ||
		    (lacks && strncmp(one, "not set", 7) != 0))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		snprintf(x, sizeof(x), "%.*s", (int)n, one);
		snprintf(y, sizeof(y), "%.*s", (int)m, other);
		add_difference(s, name, x, y);
	}
}

static void compare_environments(struct sentence *s, const struct model *model)
{
	const char *a = model->origins[0].session.environment;

	for (uint32_t i = 1; i < model->n_origins && *a; i++) {
		const char *b = model->origins[i].session.environment;
		size_t before = s->used;

		if (!*b || strcmp(a, b) == 0)
			continue;
		compare_items(s, a, a, b, false);
		compare_items(s, b, a, b, true);
		if (s->used > before)
			return;
	}
}

/* The same case of another recording does other work. */
static void compare_work(struct sentence *s, const struct model *model)
{
	const struct model_origin *first = &model->origins[0];

	for (uint32_t i = first->n_cases; i < model->n_cases; i++)
		for (uint32_t j = 0; j < first->n_cases; j++) {
			const struct sample_case *a = &model->cases[j], *b = &model->cases[i];
			size_t n = strcspn(a->model, "@");

			if (!variables_equal(&a->variables, &b->variables) ||
			    strncmp(a->model, b->model, n) != 0 || strcspn(b->model, "@") != n)
				continue;
			for (int kind = 0; kind < WORK_KINDS; kind++) {
				uint64_t x = a->work_size[kind], y = b->work_size[kind];
				char name[64];

				if (x == y || x == 0 || y == 0)
					continue;
				snprintf(name, sizeof(name), "the work of one %s worker",
					 plan_work_name((enum work_kind)kind));
				add_difference(s, name, UNITS_EXACT(x), UNITS_EXACT(y));
				return;
			}
		}
}

bool report_differences(const struct model *model, char *buf, size_t size)
{
	struct sentence sentence = sentence_in(buf, size);
	bool mistakes = false;

	if (model->n_origins == 0)
		return false;
	/* What reports did wrong, on purpose: those that differ in it are not compared. */
	for (uint32_t i = 1; i < model->n_cases; i++)
		mistakes |= !mistakes_equal(&model->cases[0].mistakes, &model->cases[i].mistakes);
	if (mistakes)
		sentence_add(&sentence, "The recordings differ in mistakes on purpose: those cases "
					"are not compared");
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		compare_condition(&sentence, model, &conditions[i]);
	compare_environments(&sentence, model);
	compare_work(&sentence, model);
	return sentence.used > 0;
}
