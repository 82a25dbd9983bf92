/* SPDX-License-Identifier: MIT */
#include "stage/lectured.h"

#include "stage/check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stage/record.h"

#define LETTERS "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f"
#define TEXTS	LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS LETTERS
/* A line of 1537 bytes, which is split between two characters. */
#define LONG TEXTS TEXTS TEXTS "." TEXTS TEXTS TEXTS TEXTS TEXTS TEXTS TEXTS TEXTS TEXTS

const struct log_scene lectured_scenes[LECTURED_SCENES] = {
	{"Threads or processes?", "Both do the same work.\nWho is done first?", LONG "\n" LONG,
	 "tuibench --quick"},
	{"What a thread is", "No run here: \"a scene, quoted\", \xc3\xbc", "", ""},
	{"A curve", "", "First.\n\n  Second, indented.", "tuibench scaling --quick"},
	{"Lines", "Who writes them first.", "", "tuibench hello"},
	{"The end", "", LECTURED_LIST "\nNot for the audience.", ""},
};

const int lectured_sessions[LECTURED_SCENES] = {0, -1, 1, 2, -1};

void lectured_session(int number, struct synthetic *session)
{
	if (number == 0)
		synthetic_mixed(session, 2);
	else if (number == 1)
		synthetic_scaling(session, 1);
	else
		synthetic_hello(session, 1);
}

static void record_lecture(int fd, enum log_packing packing)
{
	struct log_writer *log = log_create(fd);
	struct synthetic session;

	assert_non_null(log);
	assert_int_equal(log_compress(log, packing), 0);
	assert_int_equal(log_lecture(log, LECTURED_TITLE, LECTURED_SCENES), 0);
	for (uint32_t i = 0; i < LECTURED_SCENES; i++) {
		assert_int_equal(log_scene(log, i + 1, &lectured_scenes[i]), 0);
		if (lectured_sessions[i] < 0)
			continue;
		lectured_session(lectured_sessions[i], &session);
		assert_int_equal(synthetic_play(&session, record_sample, log), 0);
	}
	assert_int_equal(log_close(log), 0);
}

int lectured_record(void)
{
	int fd = memfd_create("lecture", MFD_CLOEXEC);

	assert_true(fd >= 0);
	record_lecture(dup(fd), LOG_PLAIN);
	return fd;
}

void lectured_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	record_lecture(fd, log_packing_of(path));
}
