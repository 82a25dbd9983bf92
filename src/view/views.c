/* SPDX-License-Identifier: MIT */
#include "views.h"

#define VIEW_ROW(name) &view_##name,

const struct view_ops *views_at(size_t i)
{
	static const struct view_ops *const all[] = {VIEWS(VIEW_ROW) NULL};

	return all[i];
}

int views_answer(const struct model *model)
{
	const struct view_ops *ops;

	for (size_t i = 0; (ops = views_at(i)); i++)
		if (ops->opens && ops->offered(model))
			return ops->number;
	return views_at(0)->number;
}

const struct view_ops *views_named(int number)
{
	const struct view_ops *found = NULL, *ops;

	for (size_t i = 0; (ops = views_at(i)); i++)
		if (ops->number == number)
			found = ops;
	return found;
}

const struct view_ops *views_get(const struct model *model, int number)
{
	const struct view_ops *found = NULL, *ops;

	for (size_t i = 0; (ops = views_at(i)); i++)
		if (ops->number == number && (!ops->offered || ops->offered(model)))
			found = ops;
	return found;
}
