/* SPDX-License-Identifier: MIT */
#include "source/source.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "experiment/experiment.h"
#include "log/log.h"
#include "stage/folder.h"
#include "stage/record.h"
#include "stage/synthetic.h"
#include "stage/model_equal.h"

enum { DEADLINE_MS = 600000 }; /* for answers that come at once unless something is broken */

struct pair {
	struct model model;
	struct log_writer *log;
	bool done;
};

static int take_both(void *arg, const struct sample *sample)
{
	struct pair *pair = arg;

	assert_int_equal(model_apply(&pair->model, sample), 0);
	assert_int_equal(log_write(pair->log, sample), 0);
	pair->done |= sample->kind == SAMPLE_DONE;
	return 0;
}

static void open_pair(struct pair *pair, const char *path)
{
	memset(pair, 0, sizeof(*pair));
	model_init(&pair->model);
	pair->log = log_create(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
	assert_non_null(pair->log);
}

/* Compares the models of the session and of its log at every sample's time and in between. */
static void assert_same_at_every_time(struct pair *live, const char *path)
{
	struct model replay;
	char error[256];

	assert_int_equal(recordings_load(path, &replay, error, sizeof(error)), 0);
	assert_true(model_equal(&live->model, &replay));
	for (int64_t i = 0; i <= 97; i++) {
		model_seek(&live->model, live->model.newest_ns * i / 97);
		model_seek(&replay, replay.newest_ns * i / 97);
		assert_true(model_equal(&live->model, &replay));
	}
	model_free(&replay);
}

static void a_session_and_its_recording_are_the_same(void **state)
{
	struct synthetic session;
	struct pair pair;
	char path[FOLDER_PATH];

	for (int i = 0; i < 2; i++) {
		folder_at(path, *state, "log.csv");
		open_pair(&pair, path);
		i ? synthetic_tree(&session, 2) : synthetic_mixed(&session, 6);
		assert_int_equal(synthetic_play(&session, take_both, &pair), 0);
		assert_int_equal(log_close(pair.log), 0);
		assert_same_at_every_time(&pair, path);
		model_free(&pair.model);
	}
}

/* The live source expects the runner beside its own program, which is this test. */
static void put_runner_beside(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 32);

	assert_true(n > 0);
	path[n] = '\0';
	strcpy(strrchr(path, '/'), "/tuibench-runner");
	if (access(path, X_OK) < 0)
		assert_true(symlink(TEST_RUNNER, path) == 0 || errno == EEXIST);
}

static void run(struct source *source, struct pair *pair)
{
	struct pollfd fd = {.fd = source->ops->fd(source), .events = POLLIN};

	while (!pair->done) {
		assert_int_equal(poll(&fd, 1, DEADLINE_MS), 1);
		assert_int_equal(source->ops->pump(source, take_both, pair), 0);
	}
}

/* The main test: real workers, sampled live, and what their recording says afterwards. */
static void a_real_run_and_its_recording_are_the_same(void **state)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));
	struct request request;
	struct source *source;
	struct pair pair;
	char path[FOLDER_PATH], error[512];

	put_runner_beside();
	folder_at(path, *state, "log.csv");
	request_init(&request);
	request.experiment = "mixed";
	request.work_size[WORK_CPU] = 3000000;
	request.work_size[WORK_IO] = 1 << 20;
	request.trials = 2;
	request.warmup = 0;
	request.interval_ms = 10;
	assert_int_equal(experiment_build(&request, experiment, error, sizeof(error)), 0);
	source = source_live_open(experiment, NULL, error, sizeof(error));
	assert_non_null(source);
	open_pair(&pair, path);
	run(source, &pair);
	source->ops->close(source);
	assert_int_equal(log_close(pair.log), 0);
	assert_int_equal(pair.model.n_runs, 4);
	for (size_t i = 0; i < pair.model.n_runs; i++)
		assert_int_equal(pair.model.runs[i].totals.status, SAMPLE_OK);
	assert_same_at_every_time(&pair, path);
	model_free(&pair.model);
	free(experiment);
}

static int count(void *arg, const struct sample *sample)
{
	++*(int *)arg;
	return 0;
}

static void a_closed_pipe_is_the_end(void **state)
{
	struct synthetic session;
	struct pair pair;
	char path[FOLDER_PATH], error[256], link[32];
	struct source *source;
	int ends[2], samples = 0;

	folder_at(path, *state, "log.csv");
	open_pair(&pair, path);
	synthetic_mixed(&session, 1);
	assert_int_equal(synthetic_play(&session, take_both, &pair), 0);
	assert_int_equal(log_close(pair.log), 0);
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);
	snprintf(link, sizeof(link), "/dev/fd/%d", ends[0]);
	source = source_replay_open(link, false, error, sizeof(error));
	assert_non_null(source);
	assert_int_equal(source->ops->pump(source, count, &samples), -EPROTO);
	source->ops->close(source);
	close(ends[0]);
	model_free(&pair.model);
}

static void a_file_that_grows_is_followed(void **state)
{
	struct synthetic session;
	struct pair pair;
	char path[FOLDER_PATH], error[256];
	struct source *source;
	struct pollfd fd = {.events = POLLIN};
	int samples = 0, before;

	folder_write(folder_at(path, *state, "log.csv"), "");
	source = source_replay_open(path, true, error, sizeof(error));
	assert_non_null(source);
	assert_int_equal(source->ops->pump(source, count, &samples), 0);
	fd.fd = source->ops->fd(source);
	assert_int_equal(poll(&fd, 1, 0), 0);
	open_pair(&pair, path);
	synthetic_mixed(&session, 1);
	assert_int_equal(synthetic_play(&session, take_both, &pair), 0);
	assert_int_equal(log_flush(pair.log), 0);
	do {
		before = samples;
		fd.fd = source->ops->fd(source);
		assert_int_equal(poll(&fd, 1, DEADLINE_MS), 1);
		assert_int_equal(source->ops->pump(source, count, &samples), 0);
	} while (samples == before);
	assert_true(samples > 10);
	assert_true(source->ops->fd(source) >= 0);
	source->ops->close(source);
	assert_int_equal(log_close(pair.log), 0);
	model_free(&pair.model);
}

/* Changes to a file that is followed, and the resulting message. */
struct accident {
	void (*happen)(const char *path, const char *other);
	const char *said;
};

static void copy_into(const char *path, const char *from, const char *command)
{
	char line[3 * FOLDER_PATH];

	snprintf(line, sizeof(line), "%s '%s' '%s'", command, from, path);
	assert_int_equal(system(line), 0);
}

static void empty(const char *path, const char *other)
{
	assert_int_equal(truncate(path, 0), 0);
}

static void shorten(const char *path, const char *other)
{
	assert_int_equal(truncate(path, 3000), 0);
}

/* Overwrites the file like a second session that already has more rows than the first. */
static void overwrite(const char *path, const char *other)
{
	copy_into(path, other, "cp");
}

static void replace(const char *path, const char *other)
{
	assert_int_equal(rename(other, path), 0);
}

static void delete (const char *path, const char *other)
{
	assert_int_equal(unlink(path), 0);
}

/* Replaces the file like a log rotation: the name exists again, for a different file. */
static void rotate(const char *path, const char *other)
{
	char aside[FOLDER_PATH + 8];

	snprintf(aside, sizeof(aside), "%s.old", path);
	assert_int_equal(rename(path, aside), 0);
	copy_into(path, other, "cp");
}

struct heard {
	uint32_t sessions, runs;
	char messages[2048];
};

static int hear(void *arg, const struct sample *sample)
{
	struct heard *heard = arg;
	const size_t used = strlen(heard->messages);

	heard->sessions += sample->kind == SAMPLE_SESSION;
	heard->runs += sample->kind == SAMPLE_RUN_BEGIN;
	if (sample->kind == SAMPLE_MESSAGE)
		snprintf(heard->messages + used, sizeof(heard->messages) - used, "%s\n",
			 sample->message.text);
	return 0;
}

static void pump_while_readable(struct source *source, struct heard *heard)
{
	struct pollfd fd = {.events = POLLIN};

	while ((fd.fd = source->ops->fd(source)) >= 0 && poll(&fd, 1, 0) > 0)
		assert_int_equal(source->ops->pump(source, hear, heard), 0);
}

static void one_session_is_followed_whatever_becomes_of_its_file(void **state)
{
	static const struct accident accidents[] = {
		{empty, "no longer followed: it was emptied"},
		{shorten, "no longer followed: it was made shorter"},
		{overwrite, "no longer followed: it was overwritten by another session"},
		{replace, "no longer followed: it was replaced by another file"},
		{delete, "no longer followed: it was deleted or moved"},
		{rotate, "no longer followed: it was "},
	};

	for (size_t i = 0; i < sizeof(accidents) / sizeof(*accidents); i++) {
		char path[FOLDER_PATH], other[FOLDER_PATH], error[256];
		struct pollfd fd = {.events = POLLIN};
		struct synthetic session;
		struct heard heard = {0};
		struct source *source;
		uint32_t runs;

		folder_at(path, *state, "log.csv");
		folder_at(other, *state, "other.csv");
		unlink(path);
		synthetic_mixed(&session, 1);
		record_file(path, &session);
		synthetic_mixed(&session, 3);
		session.wall_ns = 1;
		unlink(other);
		record_file(other, &session);
		source = source_replay_open(path, true, error, sizeof(error));
		assert_non_null(source);
		pump_while_readable(source, &heard);
		runs = heard.runs;
		assert_true(runs > 0);
		accidents[i].happen(path, other);
		fd.fd = source->ops->fd(source);
		assert_int_equal(poll(&fd, 1, DEADLINE_MS), 1);
		pump_while_readable(source, &heard);
		assert_int_equal(source->ops->fd(source), -1);
		assert_non_null(strstr(heard.messages, accidents[i].said));
		assert_int_equal(heard.sessions, 1);
		assert_int_equal(heard.runs, runs);
		source->ops->close(source);
	}
}

/* A writer may stop between any two bytes of the session's own rows. */
static void grow_byte_by_byte(const char *folder, const char *whole, const char *growing)
{
	char path[FOLDER_PATH], grows[FOLDER_PATH], error[256], bytes[16384];
	struct synthetic session;
	struct heard heard = {0};
	struct source *source;
	ssize_t n;
	int fd;

	synthetic_mixed(&session, 1);
	record_file(folder_at(path, folder, whole), &session);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_true(n > 1000);
	folder_write(folder_at(grows, folder, growing), "");
	fd = open(grows, O_WRONLY | O_APPEND | O_CLOEXEC);
	source = source_replay_open(grows, true, error, sizeof(error));
	assert_non_null(source);
	for (ssize_t i = 0; i < n; i++) {
		assert_int_equal(write(fd, bytes + i, 1), 1);
		pump_while_readable(source, &heard);
		assert_true(source->ops->fd(source) >= 0);
	}
	close(fd);
	assert_int_equal(heard.sessions, 1);
	assert_null(strstr(heard.messages, "followed"));
	source->ops->close(source);
}

static void a_file_that_grows_byte_by_byte_is_one_session(void **state)
{
	grow_byte_by_byte(*state, "whole.csv", "grows.csv");
}

static void a_compressed_file_that_grows_byte_by_byte_is_one_session(void **state)
{
	grow_byte_by_byte(*state, "whole.csv.zst", "grows.csv.zst");
	grow_byte_by_byte(*state, "whole.csv.gz", "grows.csv.gz");
}

static void anything_but_a_recording_is_refused(void **state)
{
	struct model model;
	char error[256], path[FOLDER_PATH];

	assert_null(source_replay_open("/nonexistent", false, error, sizeof(error)));
	assert_non_null(strstr(error, "No such file"));
	assert_null(source_replay_open("/tmp", false, error, sizeof(error)));
	assert_non_null(strstr(error, "directory"));
	folder_write(folder_at(path, *state, "log.csv"), "");
	assert_null(source_replay_open(path, false, error, sizeof(error)));
	assert_non_null(strstr(error, "not a recording"));
	assert_int_equal(recordings_load("/dev/null", &model, error, sizeof(error)), -EPROTO);
	assert_non_null(strstr(error, "not a recording"));
	model_free(&model);
}

static void a_recording_does_not_run_again(void **state)
{
	char error[256];
	struct source *source = source_replay_open("/dev/null", false, error, sizeof(error));

	assert_non_null(source);
	assert_int_equal(source->ops->control(source, SOURCE_ONE_MORE), -ENOTSUP);
	assert_int_equal(source->ops->control(source, SOURCE_PAUSE), -ENOTSUP);
	assert_int_equal(source->ops->control(source, SOURCE_STOP), 0);
	source->ops->close(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(a_session_and_its_recording_are_the_same),
		FOLDER_TEST(a_real_run_and_its_recording_are_the_same),
		FOLDER_TEST(a_closed_pipe_is_the_end),
		FOLDER_TEST(a_file_that_grows_is_followed),
		FOLDER_TEST(one_session_is_followed_whatever_becomes_of_its_file),
		FOLDER_TEST(a_file_that_grows_byte_by_byte_is_one_session),
		FOLDER_TEST(a_compressed_file_that_grows_byte_by_byte_is_one_session),
		FOLDER_TEST(anything_but_a_recording_is_refused),
		cmocka_unit_test(a_recording_does_not_run_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
