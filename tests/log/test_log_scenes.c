/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/source.h"
#include "stage/lectured.h"
#include "stage/model_equal.h"
#include "stage/record.h"
#include "stage/seed.h"

static int take(void *arg, const struct sample *sample)
{
	return model_apply(arg, sample);
}

/* Returns the result of the source's last pump(). */
static int read_source(struct source *source, struct model *model)
{
	int err = 0;

	while (!err && source->ops->fd(source) >= 0)
		err = source->ops->pump(source, take, model);
	source->ops->close(source);
	return err;
}

static int read_part(int fd, const struct log_part *part, struct model *model)
{
	char error[256];
	struct source *source = source_replay_open_part(fd, part, "lecture", error, sizeof(error));

	assert_non_null(source);
	model_init(model);
	return read_source(source, model);
}

static void assert_session(int fd, const struct log_part *part, int number)
{
	struct synthetic session;
	struct model alone, model;

	lectured_session(number, &session);
	synthetic_model(&session, &alone);
	assert_int_equal(read_part(fd, part, &model), 0);
	assert_true(model_equal(&alone, &model));
	assert_int_equal(alone.n_messages, model.n_messages);
	model_free(&alone);
	model_free(&model);
}

static void assert_scene(const struct log_scene *a, const struct log_scene *b)
{
	assert_string_equal(a->heading, b->heading);
	assert_string_equal(a->caption, b->caption);
	assert_string_equal(a->notes, b->notes);
	assert_string_equal(a->command, b->command);
}

static void assert_lecture(int fd)
{
	struct log_scenes read;

	assert_int_equal(log_scenes_read(fd, &read), 1);
	assert_string_equal(read.title, LECTURED_TITLE);
	assert_int_equal(read.planned, LECTURED_SCENES);
	assert_int_equal(read.n, LECTURED_SCENES);
	for (int i = 0; i < LECTURED_SCENES; i++) {
		assert_scene(&read.scenes[i], &lectured_scenes[i]);
		if (lectured_sessions[i] >= 0)
			assert_session(fd, &read.parts[i], lectured_sessions[i]);
		else
			assert_int_equal(read.parts[i].begin, read.parts[i].end);
	}
	log_scenes_free(&read);
}

static void a_lecture_reads_back_scene_by_scene(void **state)
{
	int fd = lectured_record();

	assert_lecture(fd);
	close(fd);
}

static void notes_are_dropped_and_nothing_else(void **state)
{
	int fd = lectured_record(), copy = record_memory();
	size_t n = (size_t)lseek(fd, 0, SEEK_END);
	char *bytes = malloc(n);
	struct log_scenes read;
	struct log_scene scene;

	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, n, 0), n);
	assert_int_equal(log_drop_notes(bytes, &n), 0);
	assert_int_equal(write(copy, bytes, n), n);
	assert_int_equal(log_scenes_read(copy, &read), 1);
	assert_int_equal(read.n, LECTURED_SCENES);
	for (int i = 0; i < LECTURED_SCENES; i++) {
		scene = lectured_scenes[i];
		/* The audience has seen the list of the last scene. */
		scene.notes = i + 1 == LECTURED_SCENES ? LECTURED_LIST : "";
		assert_scene(&read.scenes[i], &scene);
		if (lectured_sessions[i] >= 0)
			assert_session(copy, &read.parts[i], lectured_sessions[i]);
	}
	log_scenes_free(&read);
	free(bytes);
	close(copy);
	close(fd);
}

/* Writes a row as another program would, with the cells in the order of the manual. */
static void put_row(FILE *out, int columns, int number, const char *subject, const char *value)
{
	fputs("\"scene\",0", out);
	for (int i = 2; i < columns; i++) {
		fputc(',', out);
		if (i == 8)
			fprintf(out, "%d", number);
		else if (i == 9)
			fputs(subject, out);
		else if (i == 63)
			fputs(value, out);
	}
	fputs("\r\n", out);
}

static int count_columns(const char *header)
{
	int columns = 1;

	for (; *header != '\n'; header++)
		columns += *header == ',';
	return columns;
}

/* Writes, below each scene's row, a recording without its header. */
static void join_by_hand(FILE *out)
{
	for (int i = 0; i < LECTURED_SESSIONS; i++) {
		struct synthetic session;
		char *bytes;
		size_t n, header;

		lectured_session(i, &session);
		bytes = record_bytes(&session, &n);
		header = (size_t)(strchr(bytes, '\n') + 1 - bytes);
		if (i == 0)
			fwrite(bytes, 1, header, out);
		put_row(out, count_columns(bytes), i + 1, "heading", "\"A, b\"");
		fwrite(bytes + header, 1, n - header, out);
		free(bytes);
	}
}

static void sessions_recorded_alone_and_joined_by_hand_read_the_same(void **state)
{
	int fd = record_memory();
	FILE *out = fdopen(dup(fd), "w");
	struct log_scenes read;

	assert_non_null(out);
	join_by_hand(out);
	fclose(out);
	assert_int_equal(log_scenes_read(fd, &read), 1);
	assert_string_equal(read.title, "");
	assert_int_equal(read.planned, 0);
	assert_int_equal(read.n, LECTURED_SESSIONS);
	for (int i = 0; i < LECTURED_SESSIONS; i++) {
		assert_string_equal(read.scenes[i].heading, "A, b");
		assert_string_equal(read.scenes[i].notes, "");
		assert_session(fd, &read.parts[i], i);
	}
	log_scenes_free(&read);
	close(fd);
}

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* The scenes that were read equal those of the whole lecture, and there are no others. */
static void assert_beginning(int fd, const struct log_scenes *whole, off_t cut)
{
	struct log_scenes read;
	struct model model;
	int found = log_scenes_read(fd, &read);

	assert_true(found >= 0 && read.n <= whole->n);
	for (size_t i = 0; i < read.n; i++) {
		assert_true(begins_with(whole->scenes[i].heading, read.scenes[i].heading));
		assert_true(begins_with(whole->scenes[i].notes, read.scenes[i].notes));
		if (read.parts[i].begin == read.parts[i].end)
			continue;
		assert_int_equal(read.parts[i].begin, whole->parts[i].begin);
		/* A torn row of the next scene is reported as one of this session. */
		assert_true(read.parts[i].end == cut || read.parts[i].end == whole->parts[i].end);
	}
	if (read.n > 0 && read.parts[read.n - 1].end > 0) {
		int err = read_part(fd, &read.parts[read.n - 1], &model);

		assert_true(err == 0 || err == -ENODATA);
		assert_true(model.n_runs > 0 || cut - read.parts[read.n - 1].begin < 60000);
		model_free(&model);
	}
	log_scenes_free(&read);
}

static void a_lecture_cut_anywhere_reads_as_its_beginning(void **state)
{
	int fd = lectured_record();
	off_t size = lseek(fd, 0, SEEK_END);
	struct log_scenes whole;

	assert_int_equal(log_scenes_read(fd, &whole), 1);
	for (off_t cut = size - size % 1000; cut >= 0; cut -= 1000) {
		assert_int_equal(ftruncate(fd, cut), 0);
		assert_beginning(fd, &whole, cut);
	}
	log_scenes_free(&whole);
	close(fd);
}

/* Some bytes are replaced by random ones. The reader must end without an error of memory. */
static void damaged_bytes_do_no_harm(void **state)
{
	int fd = lectured_record();
	off_t size = lseek(fd, 0, SEEK_END);

	seed_random();
	for (int i = 0; i < 300; i++) {
		char bytes[3] = {(char)random(), (char)random(), '\n'};
		struct log_scenes read;

		assert_int_equal(pwrite(fd, bytes, 3, random() % (i % 2 ? 9000 : size)), 3);
		assert_true(log_scenes_read(fd, &read) >= 0);
		for (size_t k = 0; k < read.n; k++) {
			assert_non_null(read.scenes[k].command);
			assert_true(read.parts[k].begin <= read.parts[k].end);
			assert_true(read.parts[k].end <= size + 3);
		}
		log_scenes_free(&read);
	}
	close(fd);
}

static void damage_is_reported_with_the_line_of_the_file(void **state)
{
	int fd = lectured_record();
	struct log_scenes read;
	struct model model;
	char expected[64], byte;
	off_t at;
	unsigned long line = 1;

	assert_int_equal(log_scenes_read(fd, &read), 1);
	assert_int_equal(pwrite(fd, "X", 1, read.parts[2].begin), 1);
	for (at = 0; at < read.parts[2].begin; at++) {
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		line += byte == '\n';
	}
	assert_int_equal(read_part(fd, &read.parts[2], &model), 0);
	snprintf(expected, sizeof(expected), "the first is line %lu: an unknown record", line);
	assert_non_null(strstr(model.messages[model.n_messages - 1].text, expected));
	model_free(&model);
	log_scenes_free(&read);
	close(fd);
}

static void other_recordings_are_no_lecture(void **state)
{
	struct synthetic session;
	struct log_scenes read;
	size_t n;
	char *bytes;
	int fd = record_memory();

	assert_int_equal(log_scenes_read(fd, &read), 0);
	log_scenes_free(&read);
	lectured_session(0, &session);
	bytes = record_bytes(&session, &n);
	assert_int_equal(pwrite(fd, bytes, n, 0), n);
	assert_int_equal(log_scenes_read(fd, &read), 0);
	assert_int_equal(read.n, 0);
	log_scenes_free(&read);
	free(bytes);
	close(fd);
}

/*
 * A reader of one session reports the lecture, and does not show its first session as everything.
 */
static void a_lecture_is_no_session(void **state)
{
	int fd = lectured_record();
	char path[64], error[256];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_null(source_replay_open(path, false, error, sizeof(error)));
	assert_int_equal(errno, EMEDIUMTYPE);
	assert_non_null(strstr(error, "the recording of a lecture"));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lecture_reads_back_scene_by_scene),
		cmocka_unit_test(notes_are_dropped_and_nothing_else),
		cmocka_unit_test(sessions_recorded_alone_and_joined_by_hand_read_the_same),
		cmocka_unit_test(a_lecture_cut_anywhere_reads_as_its_beginning),
		cmocka_unit_test(damaged_bytes_do_no_harm),
		cmocka_unit_test(damage_is_reported_with_the_line_of_the_file),
		cmocka_unit_test(other_recordings_are_no_lecture),
		cmocka_unit_test(a_lecture_is_no_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
