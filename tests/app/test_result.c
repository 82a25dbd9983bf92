/* SPDX-License-Identifier: MIT */
#include "app/result.h"

#include "stage/check.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/synthetic.h"

struct place {
	char folder[32];
	char file[64];
	struct model model;
};

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	struct synthetic session;

	assert_non_null(place);
	strcpy(place->folder, "/tmp/tuibench-test.XXXXXX");
	assert_non_null(mkdtemp(place->folder));
	snprintf(place->file, sizeof(place->file), "%s/out", place->folder);
	synthetic_mixed(&session, 2);
	synthetic_model(&session, &place->model);
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	unlink(place->file);
	rmdir(place->folder);
	model_free(&place->model);
	free(place);
	return 0;
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void assert_begins(const char *path, const char *text)
{
	char buf[64] = "";
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	assert_non_null(fgets(buf, sizeof(buf), in));
	fclose(in);
	buf[strlen(text)] = '\0';
	assert_string_equal(buf, text);
}

static int count_files(const char *folder)
{
	DIR *dir = opendir(folder);
	int n = -2; /* . and .. */

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void every_format_is_written_to_a_file(void **state)
{
	static const struct {
		const char *format;
		const char *begin;
	} formats[] = {
		{"table", "mixed"},
		{"json", "{"},
		{"markdown", "#"},
		{"csv", "trial,model"},
		{"trace", "{"},
		{"workers", "trial,model,worker"},
		{"samples", "trial,model,time_ns"},
		{"html", "<!"},
	};
	struct place *place = *state;
	char error[256];

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		assert_int_equal(result_save(&place->model, export_find(formats[i].format),
					     place->file, error, sizeof(error)),
				 0);
		assert_begins(place->file, formats[i].begin);
	}
	assert_int_equal(count_files(place->folder), 1);
}

static void what_was_there_is_replaced_with_its_mode(void **state)
{
	struct place *place = *state;
	char error[256], link[64];
	struct stat st;

	put(place->file, "old");
	assert_int_equal(chmod(place->file, 0640), 0);
	snprintf(link, sizeof(link), "%s/link", place->folder);
	assert_int_equal(symlink("out", link), 0);
	assert_int_equal(result_save(&place->model, export_find("csv"), link, error, sizeof(error)),
			 0);
	assert_begins(place->file, "trial,");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(place->file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	unlink(link);
}

/* A file can have no more bytes than the limit: as a full disk. */
static void an_export_that_fails_leaves_what_was_there(void **state)
{
	const struct rlimit few = {.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
	struct place *place = *state;
	struct rlimit before;
	char error[256] = "";
	int err;

	put(place->file, "old");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	err = result_save(&place->model, export_find("html"), place->file, error, sizeof(error));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(err, -EFBIG);
	assert_non_null(strstr(error, place->file));
	assert_begins(place->file, "old");
	assert_int_equal(count_files(place->folder), 1);
}

static void a_folder_is_no_file(void **state)
{
	struct place *place = *state;
	char error[256];

	assert_int_equal(
		result_save(&place->model, export_find("csv"), place->folder, error, sizeof(error)),
		-EISDIR);
	assert_non_null(strstr(error, "--output"));
	assert_int_equal(count_files(place->folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_format_is_written_to_a_file, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_was_there_is_replaced_with_its_mode, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_export_that_fails_leaves_what_was_there, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_folder_is_no_file, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
