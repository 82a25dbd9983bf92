/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include "stage/check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/folder.h"
#include "stage/synthetic.h"

struct place {
	char folder[FOLDER_PATH], file[FOLDER_PATH];
	struct model model;
};

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	struct synthetic session;

	assert_non_null(place);
	folder_make(place->folder);
	folder_at(place->file, place->folder, "out");
	synthetic_mixed(&session, 2);
	synthetic_model(&session, &place->model);
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	folder_remove(place->folder);
	model_free(&place->model);
	free(place);
	return 0;
}

static int save(const struct place *place, const char *format, const char *path, char *error,
		size_t size)
{
	const struct result result = {
		.model = &place->model,
		.format = export_find(format),
		.wish = {.width = 80, .height = 24, .fps = 1, .theme = theme_at(0)},
	};

	return result_save(&result, path, error, size);
}

static void assert_begins(const char *path, const char *text)
{
	char *all = folder_read(path);

	assert_non_null(all);
	assert_int_equal(strncmp(all, text, strlen(text)), 0);
	free(all);
}

static void every_format_is_written_to_a_file(void **state)
{
	static const struct {
		const char *format;
		const char *begin;
	} formats[] = {
		{"table", "mixed"},
		{"report", "mixed"},
		{"json", "{"},
		{"markdown", "#"},
		{"csv", "trial,model"},
		{"trace", "{"},
		{"workers", "trial,model,worker"},
		{"samples", "trial,model,time_ns"},
		{"html", "<!"},
		{"cast", "{\"version\":2,"},
		{"svg-animation", "<svg"},
		{"svg", "<svg"},
	};
	struct place *place = *state;
	char error[256];

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		assert_int_equal(save(place, formats[i].format, place->file, error, sizeof(error)),
				 0);
		assert_begins(place->file, formats[i].begin);
	}
	assert_int_equal(folder_count(place->folder), 1);
}

static const char *written_in;
static size_t seen;

static int look_meanwhile(const struct model *model, FILE *out)
{
	(void)model;
	seen = folder_count(written_in);
	return fputs("done\n", out) < 0 ? -EIO : 0;
}

/* Until the file is complete it has no name, so a signal leaves nothing behind. */
static void until_it_is_whole_it_has_no_name(void **state)
{
	static const struct export_format format = {.name = "look", .write = look_meanwhile};
	struct place *place = *state;
	const struct result result = {.model = &place->model, .format = &format};
	char error[256], old[FOLDER_PATH];

	folder_write(folder_at(old, place->folder, "old"), "old");
	written_in = place->folder;
	assert_int_equal(result_save(&result, place->file, error, sizeof(error)), 0);
	assert_int_equal(seen, 1);
	assert_begins(place->file, "done\n");
	assert_int_equal(result_save(&result, old, error, sizeof(error)), 0);
	assert_int_equal(seen, 2);
	assert_begins(old, "done\n");
	assert_int_equal(folder_count(place->folder), 2);
}

static void an_existing_file_is_replaced_and_keeps_its_mode(void **state)
{
	struct place *place = *state;
	char error[256], link[FOLDER_PATH];
	struct stat st;

	folder_write(place->file, "old");
	assert_int_equal(chmod(place->file, 0640), 0);
	assert_int_equal(symlink("out", folder_at(link, place->folder, "link")), 0);
	assert_int_equal(save(place, "csv", link, error, sizeof(error)), 0);
	assert_begins(place->file, "trial,");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(place->file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

/* RLIMIT_FSIZE stops the export as a full disk would. */
static void an_export_that_fails_leaves_what_was_there(void **state)
{
	const struct rlimit few = {.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
	struct place *place = *state;
	struct rlimit before;
	char error[256] = "";
	int err;

	folder_write(place->file, "old");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	err = save(place, "html", place->file, error, sizeof(error));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(err, -EFBIG);
	assert_non_null(strstr(error, place->file));
	assert_begins(place->file, "old");
	assert_int_equal(folder_count(place->folder), 1);
}

static void a_folder_is_no_file(void **state)
{
	struct place *place = *state;
	char error[256];

	assert_int_equal(save(place, "csv", place->folder, error, sizeof(error)), -EISDIR);
	assert_non_null(strstr(error, "--output"));
	assert_int_equal(folder_count(place->folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_format_is_written_to_a_file, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(until_it_is_whole_it_has_no_name, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_existing_file_is_replaced_and_keeps_its_mode,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_export_that_fails_leaves_what_was_there, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_folder_is_no_file, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
