/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <string.h>

/* What stands for the case's program wherever there is little room. */
static const char *name_of(const struct sample_case *one)
{
	const struct variable *command = variables_find(&one->variables, "command");

	return command ? command->value : one->model;
}

bool report_commands(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (*model->cases[i].command)
			return true;
	return false;
}

/* A single program is named nowhere: its cases have the names of models. */
static bool are_several(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++)
		if (strcmp(model->cases[i].command, model->cases[0].command) != 0)
			return true;
	return false;
}

/* Recordings that are read together may have one name for two of them. */
static bool was_told(const struct model *model, uint32_t case_id)
{
	const struct sample_case *one = &model->cases[case_id];

	for (uint32_t i = 0; i < case_id; i++)
		if (strcmp(name_of(&model->cases[i]), name_of(one)) == 0 &&
		    strcmp(model->cases[i].command, one->command) == 0)
			return true;
	return false;
}

const char *report_command(const struct model *model, uint32_t case_id, const char **name)
{
	const struct sample_case *one = &model->cases[case_id];

	*name = name_of(one);
	if (!*one->command || strcmp(*name, one->command) == 0 || !are_several(model) ||
	    was_told(model, case_id))
		return NULL;
	return one->command;
}
