/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "base/sentence.h"
#include "core/fields.h"

/* The conditions whose difference a reader must know before comparing two sessions' numbers. */
static const struct field conditions[] = {
	FIELD("host", sample_session, machine.host),
	FIELD("cpu", sample_session, machine.cpu),
	FIELD("cores", sample_session, machine.cores_online),
	FIELD("allowed cores", sample_session, machine.cores_allowed),
	FIELD("memory", sample_session, machine.memory_kb),
	FIELD("kernel", sample_session, machine.kernel),
	FIELD("libc", sample_session, machine.libc),
	FIELD("virtualization", sample_session, machine.virtualization),
	FIELD("governor", sample_session, machine.governor),
	FIELD("tuibench", sample_session, version),
	FIELD("options", sample_session, options),
	{.type = FIELD_END},
};

static bool differs(const struct model *model, const struct field *field)
{
	for (uint32_t i = 1; i < model->n_origins; i++) {
		if (!fields_same(field, &model->origins[0].session, &model->origins[i].session))
			return true;
	}
	return false;
}

/* What reports did wrong, on purpose: those that differ in it are not compared. */
static bool differ_in_mistakes(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases && model->n_origins > 0; i++)
		if (!mistakes_equal(&model->cases[0].mistakes, &model->cases[i].mistakes))
			return true;
	return false;
}

bool report_differences(const struct model *model, char *buf, size_t size)
{
	struct sentence sentence = {buf, size, 0};

	buf[0] = '\0';
	for (const struct field *field = conditions; field->type != FIELD_END; field++) {
		if (differs(model, field))
			sentence_add(&sentence, "%s%s",
				     sentence.used ? ", " : "The recordings differ in ",
				     field->name);
	}
	if (differ_in_mistakes(model))
		sentence_add(&sentence, "%smistakes on purpose: those cases are not compared",
			     sentence.used ? ", " : "The recordings differ in ");
	return sentence.used > 0;
}
