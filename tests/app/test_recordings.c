/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "base/paged.h"
#include "base/units.h"
#include "model/metric.h"
#include "result/report.h"
#include "stage/exported.h"
#include "stage/folder.h"
#include "stage/lectured.h"
#include "stage/model_equal.h"
#include "stage/place.h"
#include "stage/record.h"
#include "write/export.h"
#include "model/model_lanes.h"
#include "model/model_latency.h"
#include "model/model_wakes.h"

/* Tests of the recordings in a state folder made for the test. */

#define WIDTH	80
#define MACHINE 18 /* column in which the machine begins */

static void record(const struct place *place, const char *name, struct synthetic *session,
		   const char *host)
{
	char path[FOLDER_PATH];

	session->host = host;
	record_file(folder_at(path, place->folder, name), session);
}

static int record_packed_sample(void *arg, const struct sample *sample)
{
	return log_write(arg, sample);
}

static void record_packed(const char *path, const struct synthetic *session,
			  enum log_packing packing)
{
	const int flags = O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC;
	struct log_writer *log = log_create(open(path, flags, 0600));

	assert_int_equal(log_compress(log, packing), 0);
	assert_int_equal(synthetic_play(session, record_packed_sample, log), 0);
	assert_int_equal(log_close(log), 0);
}

static void write_text(const struct place *place, const char *name, const char *text)
{
	char path[FOLDER_PATH];

	folder_write(folder_at(path, place->folder, name), text);
}

/* Whether the list has an entry such as "lecture.csv, 12 KiB". */
static bool lists(const char *text, const struct place *place, const char *before, const char *name,
		  const char *after)
{
	char path[FOLDER_PATH], *expected;
	struct stat st;
	bool found;

	assert_int_equal(stat(folder_at(path, place->folder, name), &st), 0);
	assert_true(asprintf(&expected, "%s%s, %s\n%s", before, name,
			     UNITS_KIB((st.st_size + 1023) / 1024), after) > 0);
	found = strstr(text, expected);
	free(expected);
	return found;
}

static void cut_after_line(const char *path, int lines)
{
	FILE *file = fopen(path, "r+");

	assert_non_null(file);
	while (lines > 0) {
		int c = getc(file);

		assert_int_not_equal(c, EOF);
		lines -= c == '\n';
	}
	assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
	fclose(file);
}

static char *list(int expected)
{
	char *text = NULL, error[512];
	size_t n;
	FILE *out = open_memstream(&text, &n);

	assert_non_null(out);
	assert_int_equal(recordings_list(out, error, sizeof(error)), expected);
	fclose(out);
	return text;
}

/*
 * All lines fit the width. Lines below a recording's first line begin in the column of its machine.
 */
static void assert_aligned(const char *text)
{
	for (const char *end, *line = strchr(text, '\n') + 1; *line; line = end + 1) {
		end = strchr(line, '\n');
		assert_non_null(end);
		assert_true(end - line <= WIDTH);
		assert_true(end - line > MACHINE);
		assert_int_equal(line[MACHINE - 1], ' ');
		assert_int_not_equal(line[end - line - 1], ' ');
		for (const char *at = line; at < end; at++)
			assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
	}
}

static void a_line_of_each_column_is_below_its_head(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 6);
	record(*state, "a.csv", &session, "lab1");
	text = list(0);
	assert_aligned(text);
	assert_non_null(strstr(text, "\nDATE              MACHINE           EXPERIMENT  MODELS\n"));
	assert_true(lists(text, *state,
			  "  lab1              mixed       threads, processes\n"
			  "                  ",
			  "a.csv", "                  "));
	assert_null(strstr(text, "cut off"));
	free(text);
}

static void long_names_and_results_do_not_break_the_columns(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_scaling(&session, 6);
	record(*state, "a.csv", &session, "a-machine-of-the-laboratory.example.org");
	synthetic_shapes(&session, 6);
	record(*state, "b.csv", &session, "lab2");
	text = list(0);
	assert_aligned(text);
	assert_non_null(strstr(text, "  a-machine-of-t..  scaling     threads, processes\n"));
	free(text);
}

static void an_unreadable_recording_is_listed_with_its_reason(void **state)
{
	struct synthetic session;
	char *text;

	write_text(*state, "empty.csv", "");
	write_text(*state, "foreign.csv", "a,b\r\n1,2\r\n");
	write_text(*state, "other.txt", "not looked at");
	synthetic_mixed(&session, 1);
	record(*state, "whole.csv", &session, "lab1");
	text = list(0);
	assert_aligned(text);
	assert_non_null(strstr(text, "?                 empty.csv\n"
				     "                  it is not a recording of tuibench\n"));
	assert_non_null(strstr(text, "?                 foreign.csv\n"));
	assert_null(strstr(text, "other.txt"));
	assert_true(lists(text, *state, "", "whole.csv", ""));
	free(text);
}

static void names_tell_the_terminal_nothing(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 1);
	record(*state, "\033[31m\xc2\x9b.csv", &session, "lab\033]0;1");
	text = list(0);
	assert_aligned(text);
	assert_non_null(strstr(text, "?[31m?.csv, "));
	assert_non_null(strstr(text, "lab?]0;1 "));
	free(text);
}

static void a_session_that_was_cut_off_is_listed_as_such(void **state)
{
	struct synthetic session;
	char *text;

	synthetic_mixed(&session, 2);
	session.stop_ns = 5000000000;
	record(*state, "a.csv", &session, "lab1");
	text = list(0);
	assert_aligned(text);
	assert_non_null(strstr(text, "cut off before the session ended\n"));
	free(text);
}

static void a_name_without_a_date_is_not_the_newest(void **state)
{
	struct synthetic session;
	char newest[PATH_MAX], error[512];

	synthetic_mixed(&session, 1);
	record(*state, "lecture.csv", &session, "lab1");
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "/lecture.csv"));
	record(*state, "2026-01-02T10-00-00-mixed.csv", &session, "lab1");
	record(*state, "2026-01-01T10-00-00-tree.csv", &session, "lab1");
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "/2026-01-02T10-00-00-mixed.csv"));
	/* the second and the tenth recording of one second */
	record(*state, "2026-01-02T10-00-00-mixed-2.csv", &session, "lab1");
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "-mixed-2.csv"));
	record(*state, "2026-01-02T10-00-00-mixed-10.csv", &session, "lab1");
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "-mixed-10.csv"));
}

/*
 * A recording's name has the time in the recorder's time zone. The second zone here is behind the
 * first.
 */
static void the_newest_is_the_last_that_began_in_any_time_zone(void **state)
{
	static const struct {
		const char *name;
		int64_t wall_s, wall_ns;
	} recorded[] = {
		{"2026-03-02T02-00-00-mixed.csv", 1772384400, 0}, /* 17:00 UTC, in Tokyo */
		{"2026-03-01T10-00-00-tree.csv", 1772388000, 0},  /* an hour later, in Denver */
		/* at the same time, in London */
		{"2026-03-01T18-00-00-mixed.csv", 1772388000, 5000000},
	};
	const struct place *place = *state;
	char newest[PATH_MAX], path[FOLDER_PATH], error[512], *text, *before = NULL;
	struct synthetic session;

	for (size_t i = 0; i < sizeof(recorded) / sizeof(*recorded); i++) {
		synthetic_mixed(&session, 1);
		session.wall_s = recorded[i].wall_s;
		session.wall_ns = recorded[i].wall_ns;
		record(place, recorded[i].name, &session, "lab1");
		assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
		assert_string_equal(strrchr(newest, '/') + 1, recorded[i].name);
	}
	text = list(0);
	for (size_t i = 0; i < sizeof(recorded) / sizeof(*recorded); i++) {
		char *at = strstr(text, recorded[i].name);

		assert_non_null(at);
		assert_true(!before || at > before);
		before = at;
	}
	free(text);
	/* A recording that does not say when it began has the date of its name. */
	folder_write(folder_at(path, place->folder, "2026-03-03T00-00-00-mixed.csv"),
		     "record,time_ns\r\n");
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "/2026-03-03T00-00-00-mixed.csv"));
}

/* In a lecture's recording, the first session follows the texts of the first scenes. */
static void a_lecture_began_with_its_first_session(void **state)
{
	const struct place *place = *state;
	char newest[PATH_MAX], path[FOLDER_PATH], error[512];
	struct synthetic session;

	lectured_file(folder_at(path, place->folder, "2020-11-22T10-00-00-lecture.csv"));
	synthetic_mixed(&session, 1);
	session.wall_s = 1600000000;
	record(place, "2026-03-01T10-00-00-mixed.csv", &session, "lab1");
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "-lecture.csv"));
}

/* Nobody writes to the pipe, so reading it would never end. */
static void a_pipe_or_folder_is_no_recording(void **state)
{
	struct place *place = *state;
	struct synthetic session;
	char path[FOLDER_PATH], newest[PATH_MAX], error[512], *text;

	synthetic_mixed(&session, 1);
	record(place, "1.csv", &session, "lab1");
	assert_int_equal(mkfifo(folder_at(path, place->folder, "2.csv"), 0600), 0);
	assert_int_equal(mkdir(folder_at(path, place->folder, "3.csv"), 0700), 0);
	text = list(0);
	assert_non_null(strstr(text, "1.csv, "));
	assert_null(strstr(text, "2.csv"));
	assert_null(strstr(text, "3.csv"));
	free(text);
	assert_int_equal(recordings_newest(newest, error, sizeof(error)), 0);
	assert_non_null(strstr(newest, "/1.csv"));
}

static void an_empty_folder_has_nothing_to_list(void **state)
{
	char path[PATH_MAX], error[512];
	char *text = list(-ENOENT);

	assert_string_equal(text, "");
	free(text);
	assert_int_equal(recordings_newest(path, error, sizeof(error)), -ENOENT);
	assert_non_null(strstr(error, "there is no recording in "));
}

/* The file has only its header, as after a session that was killed at once. */
static void a_recording_without_a_session_is_said_to_be_one(void **state)
{
	const struct place *place = *state;
	struct synthetic session;
	char path[FOLDER_PATH], error[512];
	struct model model;

	synthetic_mixed(&session, 1);
	record(place, "a.csv", &session, "lab1");
	folder_at(path, place->folder, "a.csv");
	cut_after_line(path, 1);
	assert_int_equal(recordings_load(path, &model, error, sizeof(error)), -ENODATA);
	assert_non_null(strstr(error, "it contains no session"));
	model_free(&model);
}

/* Writes a recording's first rows with gzip, then bytes that begin no block. */
static void damage_after_header(const char *path, const struct synthetic *session, char why[128])
{
	size_t n;
	char *rows = record_bytes(session, &n);
	const char *third = memmem(rows, n, "\nmeta,0,,,,,,,,title,", 21);
	gzFile file = gzopen(path, "w");
	off_t at;
	int fd;

	assert_non_null(file);
	assert_non_null(third);
	assert_true(gzwrite(file, rows, (unsigned)(third - rows)) > 0);
	assert_int_equal(gzflush(file, Z_FULL_FLUSH), 0);
	at = gzoffset(file);
	gzclose(file);
	memset(rows, 0xff, 64);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(ftruncate(fd, at), 0);
	assert_int_equal(pwrite(fd, rows, 64, at), 64);
	close(fd);
	snprintf(why, 128, "damaged near byte %ld, before its session begins", (long)at + 1);
	free(rows);
}

static void without_session(const char *path, const char *why)
{
	struct model model;
	char error[512];

	assert_int_equal(recordings_load(path, &model, error, sizeof(error)), -ENODATA);
	if (!strstr(error, why))
		fail_msg("%s", error);
	model_free(&model);
}

static void a_packed_recording_without_a_session_says_what_is_damaged(void **state)
{
	const struct place *place = *state;
	char path[FOLDER_PATH], why[128];
	struct synthetic session;

	synthetic_mixed(&session, 1);
	for (enum log_packing packing = LOG_ZSTD; packing <= LOG_GZIP; packing++) {
		record_packed(folder_at(path, place->folder, "a"), &session, packing);
		assert_int_equal(truncate(path, 50), 0);
		without_session(path, "it is cut off after 50 bytes, before its session begins");
	}
	damage_after_header(path, &session, why);
	without_session(path, why);
}

/* Several logs are open, and each error names its own. */
static void damage_names_its_file(void **state)
{
	const struct place *place = *state;
	char a[FOLDER_PATH], b[FOLDER_PATH], error[512];
	char *const paths[] = {a, b};
	struct synthetic session;
	struct model model;
	bool said = false;

	synthetic_mixed(&session, 1);
	record(place, "whole.csv", &session, "lab1");
	session.stop_ns = 2500000000;
	record(place, "cut.csv", &session, "lab2");
	folder_at(a, place->folder, "whole.csv");
	folder_at(b, place->folder, "cut.csv");
	assert_int_equal(recordings_open_two(paths, &model, error, sizeof(error)), 0);
	for (size_t i = 0; i < model.n_messages; i++) {
		assert_null(strstr(model.messages[i].text, place->folder));
		assert_null(strstr(model.messages[i].text, "whole.csv"));
		said |= strstr(model.messages[i].text, "cut.csv: cut off at 2.") != NULL;
	}
	assert_true(said);
	model_free(&model);
}

/* Duplicates the first slice. A task cannot be on a core twice at a time. */
static void double_a_slice(const char *path)
{
	char *text = NULL, *slice, *end;
	size_t n = 0;
	FILE *file = fopen(path, "r+");

	assert_non_null(file);
	assert_true(getdelim(&text, &n, '\0', file) > 0);
	slice = strstr(text, "\nslice,");
	assert_non_null(slice);
	end = strchr(slice + 1, '\n');
	rewind(file);
	fprintf(file, "%.*s%.*s%s", (int)(end - text), text, (int)(end - slice), slice, end);
	assert_int_equal(fclose(file), 0);
	free(text);
}

static void a_recording_that_contradicts_itself_has_a_warning(void **state)
{
	const struct place *place = *state;
	char path[FOLDER_PATH], error[512];
	struct synthetic session;
	struct model model;
	uint32_t said = 0;

	synthetic_mixed(&session, 1);
	session.slices = true;
	record(place, "a.csv", &session, "lab1");
	folder_at(path, place->folder, "a.csv");
	for (int damaged = 0; damaged <= 1; damaged++) {
		assert_int_equal(recordings_load(path, &model, error, sizeof(error)), 0);
		for (size_t i = 0; i < model.n_messages; i++)
			said += strstr(model.messages[i].text, "samples contradict") != NULL;
		assert_int_equal(said, damaged);
		model_free(&model);
		double_a_slice(path);
	}
}

static void a_lecture_is_listed_by_its_title_and_its_scenes(void **state)
{
	struct place *place = *state;
	char path[FOLDER_PATH], *text;

	lectured_file(folder_at(path, place->folder, "lecture.csv"));
	text = list(0);
	assert_aligned(text);
	assert_true(lists(text, place, "lecture     Five reports\n                  ",
			  "lecture.csv", "                  5 scenes, 3 with a session\n"));
	free(text);
	assert_int_equal(truncate(path, 3000), 0);
	text = list(0);
	assert_aligned(text);
	assert_true(lists(text, place,
			  "?                 ?                 lecture     Five reports\n"
			  "                  ",
			  "lecture.csv", "                  1 of 5 scenes, 0 with a session\n"));
	free(text);
}

/* The state folder */

static void check_made(const char *root, const char *below)
{
	char path[PATH_MAX], expected[256];
	struct stat st;

	snprintf(expected, sizeof(expected), "%s%s", root, below);
	assert_int_equal(state_folder_name(path), 0);
	assert_string_equal(path, expected);
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(state_folder(path), 0);
	assert_string_equal(path, expected);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
}

static void the_state_folder_is_where_xdg_says_or_below_home(void **state)
{
	setenv("XDG_STATE_HOME", *state, 1);
	setenv("HOME", "/nowhere", 1);
	check_made(*state, "/tuibench");
	setenv("XDG_STATE_HOME", "relative", 1);
	setenv("HOME", *state, 1);
	check_made(*state, "/.local/state/tuibench");
}

/*
 * Recordings have command lines, so only their owner may read them. A folder that an older version
 * made readable for all is closed too.
 */
static void nobody_else_reads_the_state_folder(void **state)
{
	const struct place *place = *state;
	char path[PATH_MAX], root[FOLDER_PATH];
	struct stat st;
	const mode_t mask = umask(022);

	setenv("XDG_STATE_HOME", folder_at(root, place->folder, "closed"), 1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(state_folder(path), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0700);
		assert_int_equal(chmod(path, 0755), 0);
	}
	assert_int_equal(stat(root, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	umask(mask);
}

static void a_state_folder_that_cannot_be_made_is_named(void **state)
{
	char path[PATH_MAX];

	setenv("XDG_STATE_HOME", "/dev/null", 1);
	assert_int_equal(state_folder(path), -ENOTDIR);
	assert_string_equal(path, "/dev/null/tuibench");
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_int_equal(state_folder(path), -ENOENT);
	assert_non_null(strstr(path, "neither HOME nor XDG_STATE_HOME"));
}

struct limited {
	struct model model;
	struct log_writer *log;
	struct options options;
	bool switches; /* Each slice becomes many short ones. */
	char told[SAMPLE_TEXT];
};

#define PIECE_NS 100000

/*
 * Cuts a slice into pieces of PIECE_NS, as of a program that reads a pipe: 60 µs on a core, then
 * blocked, then waiting for a core.
 */
static size_t cut_slice(struct sample_slice *list, const struct sample_slice *slice)
{
	size_t n = 1;

	list[0] = *slice;
	if (slice->open)
		return 1;
	for (int64_t at = slice->on_ns + PIECE_NS; at + PIECE_NS < slice->off_ns; at += PIECE_NS) {
		list[n - 1].off_ns = list[n - 1].on_ns + 60000;
		list[n - 1].why = n % 100 == 0 ? WHY_PREEMPTED : WHY_BLOCKED;
		list[n] = *slice;
		list[n].on_ns = at;
		list[n].ready_ns = at - 16000;
		list[n].waited = n % 150 == 0 ? WAIT_FILE : WAIT_PIPE;
		n++;
	}
	return n;
}

static struct sample cut_slices(const struct sample *sample)
{
	struct sample cut = *sample;
	struct sample_slice *list;
	size_t most = 0, n = 0;

	for (uint32_t i = 0; i < sample->slices.n; i++) {
		const struct sample_slice *slice = &sample->slices.list[i];

		most += 1 + (size_t)(MAX(0, slice->off_ns - slice->on_ns) / PIECE_NS);
	}
	list = calloc(most + 1, sizeof(*list));
	assert_non_null(list);
	for (uint32_t i = 0; i < sample->slices.n; i++)
		n += cut_slice(list + n, &sample->slices.list[i]);
	cut.slices.n = (uint32_t)n;
	cut.slices.list = list;
	return cut;
}

static int take_limited(void *arg, const struct sample *sample)
{
	struct limited *limited = arg;
	struct sample message;

	if (limited->switches && sample->kind == SAMPLE_SLICES) {
		const struct sample cut = cut_slices(sample);

		assert_int_equal(model_apply(&limited->model, &cut), 0);
		assert_int_equal(recordings_write(limited->log, &limited->model, &cut), 0);
		free((void *)cut.slices.list);
		return 0;
	}
	if (recordings_tell_limit(limited->log, &limited->model, &limited->options, sample,
				  &message)) {
		snprintf(limited->told, SAMPLE_TEXT, "%s", message.message.text);
		take_limited(arg, &message);
	}
	assert_int_equal(model_apply(&limited->model, sample), 0);
	assert_int_equal(recordings_write(limited->log, &limited->model, sample), 0);
	return 0;
}

/*
 * Plays the session into a model and a limited recording, and reads the recording. Returns its
 * size.
 */
static off_t play_limited(const char *path, const struct synthetic *session, uint64_t limit,
			  struct limited *live, struct model *read)
{
	char error[512];
	struct stat st;
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	live->log = log_create(fd);
	live->options.log_limit = limit;
	*live->told = '\0';
	model_init(&live->model);
	assert_int_equal(log_compress(live->log, log_packing_of(path)), 0);
	log_limit(live->log, limit);
	assert_int_equal(synthetic_play(session, take_limited, live), 0);
	assert_int_equal(log_close(live->log), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(recordings_load(path, read, error, sizeof(error)), 0);
	return st.st_size;
}

static size_t count_slices(const struct model_run *run)
{
	size_t sum = 0, n;

	for (uint32_t i = 0; i < run->n_workers; i++) {
		model_slices(run, i, &n);
		sum += n;
	}
	return sum;
}

/* Compares all bits; unknown values are NaN in both. */
static void same_figures(const struct model *live, const struct model *read)
{
	double a[64], b[64];
	size_t n_a, n_b;

	for (uint32_t c = 0; c < live->n_cases; c++)
		for (int metric = 0; metric < METRICS; metric++) {
			const double x = model_median(live, c, (enum model_metric)metric, a, &n_a);
			const double y = model_median(read, c, (enum model_metric)metric, b, &n_b);

			assert_int_equal(n_a, n_b);
			assert_memory_equal(a, b, n_a * sizeof(*a));
			assert_true(x == y || (isnan(x) && isnan(y)));
		}
}

/* For each case, the newest run and the one nearest to the median must have their slices. */
static void assert_kept(const struct model *model)
{
	for (uint32_t c = 0; c < model->n_cases; c++) {
		const struct model_trial nearest = model_trial_typical(model, c);

		assert_int_equal(model_latest(model, c)->slices_left_out, 0);
		assert_int_equal(model_trial_run(model, &nearest, c)->slices_left_out, 0);
	}
}

/*
 * If the recording ends before the row that completes the slices of a run, none of them are shown.
 */
static void assert_torn_shows_none(const char *path)
{
	const char row[] = "\nthinned,";
	char *bytes = NULL, error[512];
	struct model read;
	size_t n = 0, at;
	FILE *file = fopen(path, "r+");

	assert_non_null(file);
	assert_true(getdelim(&bytes, &n, '\0', file) > 0);
	at = strlen(bytes) - strlen(row);
	while (at > 0 && strncmp(bytes + at, row, strlen(row)) != 0)
		at--;
	assert_true(at > 0);
	assert_int_equal(ftruncate(fileno(file), (off_t)at + 1), 0);
	fclose(file);
	free(bytes);
	assert_int_equal(recordings_load(path, &read, error, sizeof(error)), 0);
	for (size_t i = 0; i < read.n_runs; i++)
		assert_int_equal(model_has_slices(&read.runs[i]),
				 read.runs[i].slices_left_out == 0);
	model_free(&read);
}

static void a_limit_leaves_out_slices_and_no_figure(void **state)
{
	static const char *const names[] = {"limited.csv", "limited.csv.zst", "limited.csv.gz"};
	const struct place *place = *state;
	struct limited live = {.told = ""};
	struct synthetic session;
	struct model read;
	char path[FOLDER_PATH];
	off_t whole, least, size;

	synthetic_mixed(&session, 8);
	session.slices = true;
	for (size_t i = 0; i < 3; i++) {
		size_t thinned = 0, kept = 0;

		folder_at(path, place->folder, names[i]);
		whole = play_limited(path, &session, UINT64_MAX, &live, &read);
		assert_string_equal(live.told, "");
		same_figures(&live.model, &read);
		model_free(&live.model);
		model_free(&read);
		least = play_limited(path, &session, 1, &live, &read);
		assert_true(least < whole);
		assert_true(strstr(live.told, " runs and still exceeds --log-limit "));
		same_figures(&live.model, &read);
		model_free(&live.model);
		model_free(&read);

		size = play_limited(path, &session, (uint64_t)(least + whole) / 2, &live, &read);
		assert_true(size < whole);
		/* A limit this small leaves less room for the rows at the last run's end. */
		if (i == 0)
			assert_true(size <= (least + whole) / 2 * 65 / 64);
		assert_true(strstr(live.told, "to stay within --log-limit "));
		same_figures(&live.model, &read);
		assert_int_equal(read.n_runs, live.model.n_runs);
		for (size_t k = 0; k < read.n_runs; k++) {
			const struct model_run *run = &read.runs[k];

			assert_int_equal(run->slices_left_out, live.model.runs[k].slices_left_out);
			assert_int_equal(count_slices(run),
					 run->slices_left_out ? 0
							      : count_slices(&live.model.runs[k]));
			thinned += run->slices_left_out > 0;
			kept += count_slices(run) > 0;
		}
		assert_true(thinned > 0 && kept > 0);
		assert_kept(&read);
		if (i == 0)
			assert_torn_shows_none(path);
		assert_int_equal(read.n_messages, live.model.n_messages);
		model_free(&live.model);
		model_free(&read);
	}
	session.slices = false;
	play_limited(path, &session, 1, &live, &read);
	assert_string_equal(live.told, "the recording exceeds --log-limit 1, because it keeps all "
				       "values");
	model_free(&live.model);
	model_free(&read);
}

/* The sums of a worker's slices, which merging must not change. */
static void assert_same_lane(const struct model *live, const struct model *read, size_t i,
			     uint32_t worker)
{
	const struct model_run *a = &live->runs[i], *b = &read->runs[i];
	struct model_lane_figures figures[2];
	struct model_wait waits[2][8];
	size_t n, rows, n_waits;

	model_slices(a, worker, &n);
	model_slices(b, worker, &rows);
	assert_int_equal(model_lane_figures(live, a, worker, &figures[0]), 0);
	assert_int_equal(model_lane_figures(read, b, worker, &figures[1]), 0);
	assert_int_equal(figures[0].slices, n);
	assert_int_equal(figures[1].slices, n);
	assert_int_equal(figures[0].migrations, figures[1].migrations);
	assert_memory_equal(&figures[0].cores, &figures[1].cores, sizeof(cpu_set_t));
	for (int state = 0; state < MODEL_STATES; state++)
		assert_true(figures[0].shares.ns[state] == figures[1].shares.ns[state]);
	n_waits = model_waits_add(live, a, worker, waits[0], 0, 8);
	assert_int_equal(model_waits_add(read, b, worker, waits[1], 0, 8), n_waits);
	for (size_t k = 0; k < n_waits; k++)
		assert_true(waits[0][k].waited == waits[1][k].waited &&
			    waits[0][k].ns == waits[1][k].ns);
	if (b->slices_merged > 0 && n > 1000) {
		assert_true(rows < n / 4);
		assert_true(isnan(figures[1].median_ns) && isnan(figures[1].longest_ns));
	}
}

static void what_the_limit_has_no_room_for_is_merged(void **state)
{
	const struct place *place = *state;
	struct limited live = {.switches = true};
	char path[FOLDER_PATH], source[SCHED_TEXT], *text;
	size_t merged = 0, whole = 0;
	struct synthetic session;
	struct model read;

	synthetic_mixed(&session, 4);
	session.slices = true;
	folder_at(path, place->folder, "merged.csv");
	play_limited(path, &session, 32 << 20, &live, &read);
	assert_true(strstr(live.told, "the recording merges the slices of "));
	same_figures(&live.model, &read);
	for (size_t i = 0; i < read.n_runs; i++) {
		const struct model_run *run = &read.runs[i];

		if (run->slices_left_out > 0)
			continue;
		merged += run->slices_merged > 0;
		whole += run->slices_merged == 0;
		for (uint32_t worker = 0; worker < run->n_workers; worker++)
			assert_same_lane(&live.model, &read, i, worker);
		sched_source(&read, run, source, sizeof(source));
		assert_int_equal(strstr(source, " merged per 1 ms") != NULL,
				 run->slices_merged > 0);
	}
	assert_true(merged > 0 && whole > 0);
	assert_kept(&read);
	text = exported_model(write_json, &read);
	assert_int_equal(exported_count(text, "\"slices_merged\": "), merged);
	free(text);
	text = exported_model(export_trace, &read);
	assert_true(exported_count(text, " slices merged per 1 ms\"") > 100);
	free(text);
	model_free(&live.model);
	model_free(&read);
}

/* Applies a sample. The details of old runs go to a file at once. */
static int take_stored(void *model, const struct sample *sample)
{
	assert_int_equal(model_apply(model, sample), 0);
	if (sample->kind != SAMPLE_RUN_END)
		return 0;
	/* A live session whose latencies come from all workers stores them, too. */
	if (model_has_latency(model))
		model_keep(model, 0);
	else
		model_store(model, 0);
	return 0;
}

/* Whether the address is that of a detail in a file. */
static bool is_stored(const struct model *model, const void *at)
{
	return at && paged_has(model->stored, at);
}

/* The recording must be the same, in every format, if its details are in a file. */
static void assert_same_stored(const char *path, const struct model *read)
{
	export_write *const formats[] = {write_json,	export_workers, export_samples,
					 export_slices, export_tasks,	export_trace_all};
	struct model stored;
	char error[512];
	struct source *source = source_replay_open(path, false, error, sizeof(error));

	assert_non_null(source);
	model_init(&stored);
	while (source->ops->fd(source) >= 0)
		assert_int_equal(source->ops->pump(source, take_stored, &stored), 0);
	source->ops->close(source);
	assert_true(is_stored(&stored, stored.runs[0].workers.blocks));
	assert_true(model_equal(&stored, read));
	for (size_t i = 0; i < LENGTH(formats); i++) {
		char *text = exported_model(formats[i], read);
		char *of_stored = exported_model(formats[i], &stored);

		assert_string_equal(of_stored, text);
		free(text);
		free(of_stored);
	}
	model_free(&stored);
}

static void assert_same_wake_figures(const struct model_wakes *live, const struct model_wakes *read)
{
	assert_int_equal(live != NULL, read != NULL);
	for (int wake = 0; live && wake < MODEL_WAKES; wake++) {
		struct model_wake_figures a =
			model_wakes_figures(live, (enum model_wake)wake, WOKENS);
		struct model_wake_figures b =
			model_wakes_figures(read, (enum model_wake)wake, WOKENS);

		assert_memory_equal(&a, &b, sizeof(a));
	}
}

/* Compares the wake-ups of each run, and those of all runs of each case. */
static void assert_same_wakes(const struct model *live, const struct model *read)
{
	for (uint32_t c = 0; c < live->n_cases; c++)
		assert_same_wake_figures(model_wakes(live, c), model_wakes(read, c));
	for (size_t i = 0; i < live->n_runs; i++)
		assert_same_wake_figures(model_wakes_run(live, &live->runs[i]),
					 model_wakes_run(read, &read->runs[i]));
}

/* Whether the slices of a run were written after its end. */
static bool log_has_late_slices(const char *path)
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *file = fopen(path, "r");
	bool late;

	assert_non_null(file);
	assert_true(getdelim(&bytes, &n, '\0', file) > 0);
	late = strstr(bytes, "\nthinned,") != NULL;
	fclose(file);
	free(bytes);
	return late;
}

static void late_slices_bring_the_wake_ups_of_their_runs(void **state)
{
	const struct place *place = *state;
	struct limited live = {.told = ""};
	struct synthetic session;
	struct model read;
	char path[FOLDER_PATH];
	off_t whole;

	synthetic_mixed(&session, 8);
	session.slices = session.wakes = true;
	folder_at(path, place->folder, "late.csv");
	whole = play_limited(path, &session, UINT64_MAX, &live, &read);
	model_free(&live.model);
	model_free(&read);
	/* Half of the limit is for slices that come late, so some do, and all fit. */
	play_limited(path, &session, (uint64_t)whole * 3 / 2, &live, &read);
	assert_string_equal(live.told, "");
	assert_true(log_has_late_slices(path));
	assert_same_wakes(&live.model, &read);
	assert_same_stored(path, &read);
	model_free(&live.model);
	model_free(&read);
}

static void runs_without_slices_keep_their_wake_ups(void **state)
{
	const struct place *place = *state;
	struct limited live = {.told = ""};
	struct synthetic session;
	struct model read;
	char path[FOLDER_PATH];

	synthetic_mixed(&session, 8);
	session.slices = session.wakes = true;
	folder_at(path, place->folder, "wakes.csv");
	play_limited(path, &session, 1, &live, &read);
	assert_true(strstr(live.told, "no timelines or states") != NULL);
	assert_true(read.runs[0].slices_left_out > 0 && !model_has_slices(&read.runs[0]));
	assert_non_null(model_wakes_run(&read, &read.runs[0]));
	assert_same_wakes(&live.model, &read);
	assert_same_stored(path, &read);
	model_free(&live.model);
	model_free(&read);
}

static void details_in_a_file_are_the_same(void **state)
{
	const struct place *place = *state;
	struct limited live = {.told = ""};
	struct synthetic session;
	struct model read;
	char path[FOLDER_PATH];
	off_t whole, least;

	folder_at(path, place->folder, "stored.csv");
	synthetic_mixed(&session, 8);
	session.slices = session.wakes = true;
	whole = play_limited(path, &session, UINT64_MAX, &live, &read);
	assert_same_stored(path, &read);
	model_free(&live.model);
	model_free(&read);
	least = play_limited(path, &session, 1, &live, &read);
	model_free(&live.model);
	model_free(&read);
	/* Some slices come late, when the run's other details are in the file already. */
	play_limited(path, &session, (uint64_t)(least + whole) / 2, &live, &read);
	assert_same_stored(path, &read);
	model_free(&live.model);
	model_free(&read);
	synthetic_creation(&session, 6);
	play_limited(path, &session, UINT64_MAX, &live, &read);
	assert_same_stored(path, &read);
	model_free(&live.model);
	model_free(&read);
}

/* Replaces text in the file, without changing its length. */
static void replace_text(const char *path, const char *text, const char *by)
{
	struct stat st;
	char *bytes, *at, *note;
	FILE *file = fopen(path, "r+");

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	bytes = calloc(1, (size_t)st.st_size + 1);
	assert_int_equal(fread(bytes, 1, (size_t)st.st_size, file), st.st_size);
	at = memmem(bytes, (size_t)st.st_size, text, strlen(text));
	assert_non_null(at);
	memcpy(at, by, strlen(by));
	note = memmem(bytes, (size_t)st.st_size, "\x51\x2a\x4d\x18", 4);
	if (note) {
		const size_t head = 12, length = (size_t)(bytes + st.st_size - note) - head;
		const uint32_t check = (uint32_t)crc32(0, (uint8_t *)note + head, (uInt)length);

		memcpy(note + 8, &check, sizeof(check));
	}
	rewind(file);
	assert_int_equal(fwrite(bytes, 1, (size_t)st.st_size, file), st.st_size);
	fclose(file);
	free(bytes);
}

static void an_answer_is_listed_as_the_session_ended(void **state)
{
	static const char *const names[] = {"a.csv", "a.csv.zst"};
	char path[FOLDER_PATH], line[HEADLINE_BADGE + HEADLINE_TEXT];
	const struct place *place = *state;
	struct synthetic session;
	struct limited live;
	struct model read;
	char *text;

	synthetic_mixed(&session, 6);
	for (size_t i = 0; i < 2; i++) {
		folder_at(path, place->folder, names[i]);
		play_limited(path, &session, UINT64_MAX, &live, &read);
		headline_line(&read, line, sizeof(line));
		text = list(0);
		assert_true(strstr(text, "[MEASURING]") == NULL);
		line[12] = '\0';
		assert_non_null(strstr(text, line));
		free(text);
		/* The recorded words are shown; nothing is computed. */
		replace_text(path, line, "Other words:");
		text = list(0);
		assert_non_null(strstr(text, "\n                  Other words:"));
		free(text);
		unlink(path);
		model_free(&live.model);
		model_free(&read);
	}
}

static int count_recordings(void)
{
	char **paths, error[512];
	const int n = recordings_paths(&paths, error, sizeof(error));

	assert_true(n >= 0);
	recordings_paths_free(paths, n);
	return n;
}

/*
 * Makes three recordings, each a day older than the one before, one that is being written, and
 * other files.
 */
static void fill(const struct place *place, struct synthetic *session)
{
	static const char *const names[] = {"2026-03-03T10-00-00-mixed.csv.zst",
					    "2026-03-02T10-00-00-mixed.csv",
					    "2026-03-01T10-00-00-mixed.csv.gz"};
	struct timespec times[2];
	char path[FOLDER_PATH];

	for (int i = 0; i < 3; i++) {
		folder_at(path, place->folder, names[i]);
		unlink(path);
		session->wall_s = 1772500000 - i * 86400;
		record(place, names[i], session, "lab1");
		times[0] = times[1] = (struct timespec) {.tv_sec = time(NULL) - i * 86400 - 3600};
		assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	}
}

static void prune(int by, uint64_t amount, int stay)
{
	const struct options options = {.yes = true, .prune = {by, amount}};
	char error[512];

	assert_int_equal(prune_run(&options, error, sizeof(error)), 0);
	assert_int_equal(count_recordings(), stay);
}

static void pruning_keeps_the_newest_and_what_is_not_ours(void **state)
{
	const struct place *place = *state;
	char path[FOLDER_PATH], link[FOLDER_PATH];
	struct synthetic session;
	struct stat st;
	int fd;

	synthetic_mixed(&session, 1);
	fill(place, &session);
	prune(PRUNE_BY_COUNT, 3, 3);
	prune(PRUNE_BY_AGE, 3, 3);
	prune(PRUNE_BY_AGE, 1, 1);
	fill(place, &session);
	prune(PRUNE_BY_COUNT, 2, 2);
	folder_at(path, place->folder, "2026-03-03T10-00-00-mixed.csv.zst");
	assert_int_equal(stat(path, &st), 0);
	prune(PRUNE_BY_SIZE, (uint64_t)st.st_size, 1);
	assert_int_equal(access(path, F_OK), 0);

	/* A link, another program's file, an empty one, and one that is being written. */
	fill(place, &session);
	write_text(place, "2020-01-01T10-00-00-foreign.csv", "a,b\r\n1,2\r\n");
	write_text(place, "2020-01-01T10-00-00-empty.csv", "");
	assert_int_equal(symlink(path, folder_at(link, place->folder, "2020-link.csv")), 0);
	folder_at(path, place->folder, "2026-03-01T10-00-00-mixed.csv.gz");
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	prune(PRUNE_BY_COUNT, 0, 4);
	assert_int_equal(access(path, F_OK), 0);
	close(fd);
	prune(PRUNE_BY_COUNT, 0, 3);
}

/* Foreign files and empty ones count, because nothing is opened; pipes and directories do not. */
static void the_sum_of_sizes_needs_no_beginning(void **state)
{
	const struct place *place = *state;
	char path[FOLDER_PATH];
	int64_t bytes;

	write_text(place, "2020-01-01T10-00-00-foreign.csv", "a,b\r\n1,2\r\n");
	write_text(place, "2020-01-01T10-00-00-empty.csv.zst", "");
	write_text(place, "notes.txt", "no recording");
	assert_int_equal(mkfifo(folder_at(path, place->folder, "2020-pipe.csv"), 0600), 0);
	assert_int_equal(mkdir(folder_at(path, place->folder, "2020-folder.csv"), 0700), 0);
	assert_int_equal(recordings_sum(place->folder, &bytes), 2);
	assert_int_equal(bytes, 10);
	assert_int_equal(recordings_sum("/nowhere", &bytes), -ENOENT);
}

#define LIST_TEST(test) cmocka_unit_test_setup_teardown(test, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIST_TEST(a_lecture_is_listed_by_its_title_and_its_scenes),
		LIST_TEST(a_line_of_each_column_is_below_its_head),
		LIST_TEST(long_names_and_results_do_not_break_the_columns),
		LIST_TEST(an_unreadable_recording_is_listed_with_its_reason),
		LIST_TEST(names_tell_the_terminal_nothing),
		LIST_TEST(a_session_that_was_cut_off_is_listed_as_such),
		LIST_TEST(a_pipe_or_folder_is_no_recording),
		LIST_TEST(the_newest_is_the_last_that_began_in_any_time_zone),
		LIST_TEST(a_lecture_began_with_its_first_session),
		LIST_TEST(a_name_without_a_date_is_not_the_newest),
		LIST_TEST(an_empty_folder_has_nothing_to_list),
		LIST_TEST(a_recording_without_a_session_is_said_to_be_one),
		LIST_TEST(a_packed_recording_without_a_session_says_what_is_damaged),
		LIST_TEST(damage_names_its_file),
		LIST_TEST(a_recording_that_contradicts_itself_has_a_warning),
		LIST_TEST(the_sum_of_sizes_needs_no_beginning),
		LIST_TEST(pruning_keeps_the_newest_and_what_is_not_ours),
		LIST_TEST(an_answer_is_listed_as_the_session_ended),
		LIST_TEST(a_limit_leaves_out_slices_and_no_figure),
		LIST_TEST(what_the_limit_has_no_room_for_is_merged),
		LIST_TEST(late_slices_bring_the_wake_ups_of_their_runs),
		LIST_TEST(runs_without_slices_keep_their_wake_ups),
		LIST_TEST(details_in_a_file_are_the_same),
		FOLDER_TEST(the_state_folder_is_where_xdg_says_or_below_home),
		FOLDER_TEST(nobody_else_reads_the_state_folder),
		FOLDER_TEST(a_state_folder_that_cannot_be_made_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
