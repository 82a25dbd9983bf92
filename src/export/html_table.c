/* SPDX-License-Identifier: MIT */
#include "html.h"

#include "report/table.h"
#include "svg.h"

/* A table of the report as markup; its title stands over the first column. */

static bool is_left(const struct table *table, size_t column)
{
	return table->columns[column].align == TABLE_LEFT;
}

static void write_head(struct html *html, const struct table *table)
{
	html_put(html, "<div class=\"wide\"><table%s><thead><tr>",
		 table->grouped ? " class=\"long\"" : "");
	for (size_t i = 0; i < table->n_columns; i++)
		html_element(html,
			     i > 0 && is_left(table, i) ? "th scope=\"col\" class=\"word\""
							: "th scope=\"col\"",
			     i > 0 ? table_title(&table->columns[i]) : table->title);
	html_put(html, "</tr></thead><tbody>\n");
}

/* How many rows from this one on belong to its group; 0: an earlier one began it. */
static size_t group_size(const struct table *table, size_t row)
{
	size_t end = row + 1;

	if (row > 0 && table_same_name(table, row - 1, row))
		return 0;
	while (end < table_rows(table) && table_same_name(table, end, row))
		end++;
	return end - row;
}

static void write_label(struct html *html, const struct table *table, size_t row)
{
	const struct table_cell *cell = table_cell(table, row, 0);
	size_t rows = table->grouped ? group_size(table, row) : 1;

	if (rows == 0)
		return;
	if (table->grouped)
		html_put(html, "<th scope=\"rowgroup\" rowspan=\"%zu\">", rows);
	else
		html_put(html, "<th scope=\"row\">");
	if (cell->case_id >= 0)
		svg_key(html, html_hue(html, (uint32_t)cell->case_id));
	html_mixed(html, "", cell->words, "</th>", NULL);
}

static void write_row(struct html *html, const struct table *table, size_t row)
{
	char buf[TABLE_TEXT];

	html_put(html, "<tr>");
	write_label(html, table, row);
	for (size_t i = 1; i < table->n_columns; i++) {
		const char *tag = table->columns[i].emphasis == TABLE_DIM ? "td class=\"dim\""
				  : is_left(table, i)			  ? "td class=\"word\""
									  : "td";

		html_element(html, tag, table_text(table, row, i, " to ", buf));
	}
	html_put(html, "</tr>\n");
}

int html_table(struct html *html, enum table_id id)
{
	struct table table;
	int err = table_build(html->model, id, &table);
	size_t rows = err ? 0 : table_rows(&table);

	if (rows > 0)
		write_head(html, &table);
	for (size_t row = 0; row < rows; row++)
		write_row(html, &table, row);
	if (rows > 0)
		html_put(html, "</tbody></table></div>\n");
	if (rows > 0 && table.note)
		html_element(html, "p class=\"note\"", table.note);
	table_free(&table);
	return err;
}
