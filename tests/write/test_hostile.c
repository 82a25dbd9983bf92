/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "draw/snapshot.h"
#include "write/export.h"
#include "log/log.h"
#include "log/log_parts.h"
#include "model/model.h"
#include "result/report.h"
#include "stage/exported.h"
#include "stage/record.h"
#include "stage/synthetic.h"
#include "view/view.h"

/*
 * A log whose every text tries to do something: to the terminal, to a table, to a page. What comes
 * out of it, in every format and on every view, is text.
 */

#define HOSTILE                                                                                    \
	"\"a|b\"\",\033[31m\033]0;title\a\177\xc2\x9b"                                             \
	"2J\xe2\x80\xae\xe2\x81\xa6``<script>x</script>&\xff\""

static bool is_cell(const char *cell, size_t n, const char *text)
{
	return n == strlen(text) && memcmp(cell, text, n) == 0;
}

/*
 * Whether the cell is replaced: names of models, the values of all rows except plans and numbers,
 * and reasons.
 */
static bool is_replaced(const char *row, unsigned column, const char *cell, size_t n)
{
	bool text = n > 0 ? strspn(cell, "-0123456789.") < n : strncmp(row, "end,", 4) == 0;

	if (column == LOG_MODEL)
		return is_cell(cell, n, "threads");
	return column == LOG_VALUE && text && strncmp(row, "case,", 5) != 0 &&
	       strncmp(row, "record,", 7) != 0;
}

/* Writes a row whose cells are not quoted. A quoted cell ends the replacing. */
static void put_row(FILE *out, const char *row, size_t n)
{
	unsigned column = 0;

	for (const char *cell = row; cell <= row + n; column++) {
		size_t length = strcspn(cell, ",\r\"");

		if (cell[length] == '"') {
			fprintf(out, "%.*s", (int)(row + n - cell), cell);
			return;
		}
		if (is_replaced(row, column, cell, length))
			fputs(HOSTILE, out);
		else
			fprintf(out, "%.*s", (int)length, cell);
		if (cell[length] != ',')
			break;
		fputc(',', out);
		cell += length + 1;
	}
}

static char *made_hostile(const char *text, size_t *n)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, n);

	assert_non_null(out);
	for (const char *end, *row = text; (end = strstr(row, "\r\n")); row = end + 2) {
		put_row(out, row, (size_t)(end - row));
		fputs("\r\n", out);
	}
	fclose(out);
	return bytes;
}

static int apply(void *arg, const struct sample *sample)
{
	return model_apply(arg, sample);
}

static void load_hostile(struct model *model)
{
	struct log_reader *reader = log_reader_new();
	struct synthetic session;
	char *plain, *text;
	size_t n;

	synthetic_mixed(&session, 6);
	session.broken_run = 1;
	session.broken = SAMPLE_FAILED;
	session.slices = true;
	plain = record_bytes(&session, &n);
	text = made_hostile(plain, &n);
	model_init(model);
	assert_non_null(reader);
	assert_int_equal(log_reader_feed(reader, text, n, apply, model), 0);
	assert_int_equal(log_reader_feed(reader, NULL, 0, apply, model), 0);
	assert_int_equal(log_reader_damage(reader)->left_out, 0);
	/* Checks that the hostile text has reached the model. */
	assert_non_null(strstr(model->cases[0].model, "a|b\","));
	assert_non_null(strstr(model->session.machine.host, "a|b\","));
	assert_non_null(strstr(model->session.title, "<script>"));
	log_reader_free(reader);
	free(plain);
	free(text);
}

static int set_up(void **state)
{
	struct model *model = calloc(1, sizeof(*model));

	assert_non_null(model);
	load_hostile(model);
	*state = model;
	return 0;
}

static int tear_down(void **state)
{
	model_free(*state);
	free(*state);
	return 0;
}

static void no_export_lets_a_control_character_out(void **state)
{
	static int (*const exports[])(const struct model *, FILE *) = {
		write_all_tables, write_markdown, write_csv,	 write_json,   write_hyperfine,
		export_workers,	  export_samples, export_slices, export_trace, export_html,
	};

	for (size_t i = 0; i < sizeof(exports) / sizeof(*exports); i++) {
		char *text = exported_model(exports[i], *state);

		assert_non_null(strstr(text, "a"));
		exported_assert_clean(text);
		free(text);
	}
}

static void messages_hold_no_control_character(void **state)
{
	const struct model *model = *state;

	assert_true(model->n_messages > 0);
	for (size_t i = 0; i < model->n_messages; i++) {
		exported_assert_clean(model->messages[i].text);
		assert_null(strchr(model->messages[i].text, '\n'));
	}
}

/* Counts the cells of a table's row. A bar after a backslash is text. */
static size_t count_bars(const char *line, const char *end)
{
	size_t bars = 0;

	for (; line < end; line++) {
		bars += *line == '|';
		line += *line == '\\';
	}
	return bars;
}

static void a_name_does_not_break_a_table_of_markdown(void **state)
{
	char *text = exported_model(write_markdown, *state);
	size_t bars = 0, rows = 0;

	for (const char *end, *line = text; (end = strchr(line, '\n')); line = end + 1) {
		if (*line == '|') {
			rows++;
			bars = bars ? bars : count_bars(line, end);
			assert_int_equal(count_bars(line, end), bars);
		} else {
			bars = 0;
		}
	}
	assert_true(rows > 10);
	assert_null(strstr(text, " <script>"));
	free(text);
}

static void json_and_traces_parse(void **state)
{
	char *json = exported_model(write_json, *state);
	char *trace = exported_model(export_trace, *state);
	json_t *parsed;

	parsed = json_loads(json, 0, NULL);
	assert_non_null(parsed);
	json_decref(parsed);
	parsed = json_loads(trace, 0, NULL);
	assert_non_null(parsed);
	json_decref(parsed);
	free(json);
	free(trace);
}

static void a_page_has_no_script_of_the_log(void **state)
{
	char *text = exported_model(export_html, *state);

	assert_null(strstr(text, "<script>x"));
	assert_non_null(strstr(text, "\\u003cscript>x"));
	assert_int_equal(exported_count(text, "<script"), 2);
	free(text);
}

static void no_view_draws_a_control_character(void **state)
{
	for (int number = 1; number <= VIEW_NUMBERS; number++) {
		struct view view;
		struct canvas canvas = {0};
		char *text = NULL;
		size_t n;
		FILE *out = open_memstream(&text, &n);

		assert_non_null(out);
		view_init(&view);
		view.state.view = number;
		assert_int_equal(canvas_resize(&canvas, 120, 36), 0);
		view_draw(&canvas, *state, &view);
		for (int i = 0; i < canvas.width * canvas.height; i++)
			assert_true(canvas.cells[i].glyph == 0 ||
				    utf8_is_printable(canvas.cells[i].glyph));
		assert_int_equal(snapshot_svg(&canvas, theme_at(0), out), 0);
		fclose(out);
		exported_assert_clean(text);
		assert_null(strstr(text, "<script"));
		free(text);
		view_free(&view);
		canvas_free(&canvas);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_export_lets_a_control_character_out),
		cmocka_unit_test(messages_hold_no_control_character),
		cmocka_unit_test(a_name_does_not_break_a_table_of_markdown),
		cmocka_unit_test(json_and_traces_parse),
		cmocka_unit_test(a_page_has_no_script_of_the_log),
		cmocka_unit_test(no_view_draws_a_control_character),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
