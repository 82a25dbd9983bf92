/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/canvas.h"
#include "model/model.h"
#include "report/table.h"

#define VIEW_TABLE_GAP 2 /* between columns */

/*
 * A table of the report in cells: a line of titles, then one for each row. widths has that of each
 * column, 0 to leave one out; columns that do not fit into rect are left out as well. The first one
 * is headed by the box around it. Returns the x behind the last column.
 */
int view_table_draw(struct canvas *canvas, struct rect rect, const struct model *model,
		    const struct table *table, const int *widths);
