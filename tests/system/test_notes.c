/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/folder.h"
#include "stage/pty.h"

/* Tests of a lecture on one terminal and its notes on another. */

#define NEXT "\033[6~"

static const char two_scenes[] = "# First\nThe caption.\n\nAsk \033[31m the room.\n\n"
				 "- an item\n\n## Second\nMore.\n\nAnswer them.\n";

struct talk {
	char folder[FOLDER_PATH], file[FOLDER_PATH], state[FOLDER_PATH + 16];
	char runtime[FOLDER_PATH + 32];
};

static void make(struct talk *talk)
{
	folder_make(talk->folder);
	assert_int_equal(chmod(talk->folder, 0700), 0);
	folder_write(folder_at(talk->file, talk->folder, "talk.md"), two_scenes);
	snprintf(talk->state, sizeof(talk->state), "XDG_STATE_HOME=%s", talk->folder);
	snprintf(talk->runtime, sizeof(talk->runtime), "XDG_RUNTIME_DIR=%s", talk->folder);
}

static struct pty *start(const struct talk *talk, const char *what)
{
	const char *const env[] = {talk->state, talk->runtime, NULL};
	const char *const argv[] = {TEST_PROGRAM, "--lecture", "--no-mouse", what, NULL};

	return pty_start(argv, env, 24, 80);
}

static struct pty *start_lecture(const struct talk *talk)
{
	struct pty *pty = start(talk, talk->file);

	pty_expect(pty, "scene 1 of 2");
	return pty;
}

static void end(struct pty *pty, int status)
{
	pty_expect_exit(pty, status);
	pty_expect_nothing_left(pty);
	pty_free(pty);
}

static void leave(struct pty *pty)
{
	pty_leave_lecture(pty);
	end(pty, 0);
}

/* Finds the lecture's file. Returns the number of such files. */
static int files(const struct talk *talk, char path[2 * FOLDER_PATH])
{
	DIR *dir = opendir(talk->folder);
	struct dirent *entry;
	int n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		if (strncmp(entry->d_name, "tuibench-lecture-", 17) == 0 && ++n)
			snprintf(path, 2 * FOLDER_PATH, "%s/%.40s", talk->folder, entry->d_name);
	closedir(dir);
	return n;
}

static void expect_no_file(const struct talk *talk)
{
	char path[2 * FOLDER_PATH];

	assert_int_equal(files(talk, path), 0);
}

static void the_notes_follow_the_scenes(void **state)
{
	char path[2 * FOLDER_PATH];
	struct talk talk;
	struct pty *lecture, *notes;
	struct stat st;

	make(&talk);
	lecture = start_lecture(&talk);
	notes = start(&talk, "--notes");
	pty_expect(notes, "Ask ?[31m the room.");
	pty_expect(notes, "- an item");
	pty_expect(notes, "Next: Second");
	pty_expect(notes, "scene 1 of 2  00:0");
	assert_false(pty_has(lecture, "the room."));
	assert_int_equal(files(&talk, path), 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	pty_send(lecture, "n");
	pty_expect(lecture, "tuibench --lecture --notes");
	assert_false(pty_has(lecture, "the room."));
	pty_send(lecture, NEXT);
	pty_expect(notes, "Answer them.");
	pty_expect(notes, "This is the last scene.");
	leave(lecture);
	pty_expect(notes, "the lecture has ended");
	end(notes, 0);
	expect_no_file(&talk);
	folder_remove(talk.folder);
}

static void without_a_lecture_or_a_folder_one_line_says_so(void **state)
{
	struct talk talk;
	struct pty *pty;

	make(&talk);
	pty = start(&talk, "--notes");
	pty_expect(pty, "no lecture is running");
	end(pty, 3);
	assert_int_equal(chmod(talk.folder, 0755), 0);
	pty = start(&talk, "--notes");
	pty_expect(pty, "is not a directory");
	end(pty, 3);
	pty = start_lecture(&talk);
	pty_send(pty, "n");
	pty_expect(pty, "No notes: XDG_RUNTIME_DIR");
	leave(pty);
	expect_no_file(&talk);
	snprintf(talk.runtime, sizeof(talk.runtime), "XDG_RUNTIME_DIR=");
	pty = start(&talk, "--notes");
	pty_expect(pty, "XDG_RUNTIME_DIR is not set");
	end(pty, 3);
	folder_remove(talk.folder);
}

static void signals_end_both_and_remove_the_file(void **state)
{
	static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct pty *lecture, *notes, *again;
		struct talk talk;

		make(&talk);
		lecture = start_lecture(&talk);
		notes = start(&talk, "--notes");
		again = start(&talk, "--notes");
		pty_expect(notes, "Next: Second");
		pty_expect(again, "Next: Second");
		kill(notes->pid, numbers[i]);
		end(notes, 128 + numbers[i]);
		kill(lecture->pid, numbers[i]);
		end(lecture, 128 + numbers[i]);
		end(again, 0);
		expect_no_file(&talk);
		folder_remove(talk.folder);
	}
}

/* A file left by a killed lecture is removed, and does not hide a later lecture's notes. */
static void a_file_that_was_left_behind_is_no_lecture(void **state)
{
	struct pty *lecture, *notes;
	char path[2 * FOLDER_PATH];
	struct talk talk;

	make(&talk);
	lecture = start_lecture(&talk);
	notes = start(&talk, "--notes");
	pty_expect(notes, "Next: Second");
	kill(lecture->pid, SIGKILL);
	pty_wait_exit(lecture);
	pty_free(lecture);
	/* The notes end with the lecture. */
	pty_expect(notes, "the lecture has ended");
	end(notes, 0);
	expect_no_file(&talk);
	/*
	 * If no notes were shown, the file remains after SIGKILL. The next lecture removes it, or
	 * the next program that looks for notes.
	 */
	for (int i = 0; i < 2; i++) {
		lecture = start_lecture(&talk);
		kill(lecture->pid, SIGKILL);
		pty_wait_exit(lecture);
		pty_free(lecture);
		assert_int_equal(files(&talk, path), 1);
		if (i == 0) {
			leave(start_lecture(&talk));
		} else {
			notes = start(&talk, "--notes");
			pty_expect(notes, "no lecture is running");
			end(notes, 3);
		}
		expect_no_file(&talk);
	}
	folder_remove(talk.folder);
}

static void each_of_two_lectures_has_its_notes(void **state)
{
	struct pty *first, *second, *notes;
	struct talk talk;

	make(&talk);
	first = start_lecture(&talk);
	second = start_lecture(&talk);
	pty_send(second, NEXT);
	pty_expect(second, "scene 2 of 2");
	leave(second);
	notes = start(&talk, "--notes");
	pty_expect(notes, "scene 1 of 2");
	leave(notes);
	leave(first);
	expect_no_file(&talk);
	folder_remove(talk.folder);
}

/* Several terminals are stopped. */
static void no_terminal_can_hold_the_lecture_up(void **state)
{
	struct pty *lecture, *stopped[3];
	struct talk talk;

	make(&talk);
	lecture = start_lecture(&talk);
	for (int i = 0; i < 3; i++) {
		stopped[i] = start(&talk, "--notes");
		pty_expect(stopped[i], "Next: Second");
		kill(stopped[i]->pid, SIGSTOP);
	}
	for (int i = 0; i < 100; i++) {
		pty_send(lecture, NEXT);
		pty_expect(lecture, "scene 2 of 2");
		pty_send(lecture, "\033[5~");
		pty_expect(lecture, "scene 1 of 2");
	}
	pty_send(lecture, NEXT);
	pty_expect(lecture, "scene 2 of 2");
	for (int i = 0; i < 3; i++) {
		kill(stopped[i]->pid, SIGCONT);
		pty_expect(stopped[i], "Answer them.");
		leave(stopped[i]);
	}
	leave(lecture);
	folder_remove(talk.folder);
}

/*
 * Waits until the file has that size. It is emptied before it is written, and the screen may be
 * drawn in between.
 */
static void await_size(const char *path, off_t least)
{
	struct stat st = {.st_size = -1};

	for (int i = 0; i < 1000 && st.st_size < least; i++) {
		usleep(10000);
		assert_int_equal(stat(path, &st), 0);
	}
	assert_true(st.st_size >= least);
}

/*
 * The notes of the second scene need two pages of memory. On the full disk, only the page of the
 * first scene's notes is free.
 */
static void notes_that_a_full_disk_cut_off_come_once_there_is_room(void **state)
{
	char path[2 * FOLDER_PATH], filler[FOLDER_PATH], text[6000], page[4096];
	struct talk talk, disk;
	struct pty *lecture;
	int fd;

	make(&talk);
	memset(page, 'x', sizeof(page));
	snprintf(text, sizeof(text), "%s\n%.*s\n", two_scenes, (int)sizeof(page), page);
	folder_write(talk.file, text);
	folder_at(disk.folder, talk.folder, "run");
	snprintf(talk.runtime, sizeof(talk.runtime), "XDG_RUNTIME_DIR=%s", disk.folder);
	mkdir(disk.folder, 0700);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", disk.folder, "tmpfs", 0, "size=16k,mode=700")) {
		folder_remove(talk.folder);
		skip();
	}
	lecture = start_lecture(&talk);
	assert_int_equal(files(&disk, path), 1);
	fd = open(folder_at(filler, disk.folder, "filler"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (write(fd, page, sizeof(page)) > 0)
		;
	close(fd);
	pty_send(lecture, NEXT);
	pty_expect(lecture, "scene 2 of 2");
	await_size(path, sizeof(page)); /* there is no room for the rest */
	unlink(filler);
	pty_send(lecture, "n");
	await_size(path, sizeof(page) + 1);
	leave(lecture);
	expect_no_file(&disk);
	umount(disk.folder);
	folder_remove(talk.folder);
}

/* This program writes a file like a lecture's. Its content goes to a terminal. */
static void control_characters_in_notes_do_not_reach_the_terminal(void **state)
{
	static const char good[] =
		"tuibench notes 2 0 1 1\0Title\0Head\033[31m\0\0Caption\0No\001tes\n"
		"\033]0;x\a";
	static const struct {
		const char *bytes;
		size_t n;
		const char *shown;
		int status;
	} made[] = {
		{good, sizeof(good), "Head?[31m", 0},
		{"tuibench notes 1 0 1 1\0a\0b\0c\0d\0e", 33, "no lecture is running", 3},
		{"tuibench notes 2 0 1 1\0a", 25, "has no notes", 3},
		{"tuibench notes 2 0 x 1\0a\0b\0c\0d\0e", 33, "no lecture is running", 3},
	};

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		struct flock lock = {.l_type = F_WRLCK};
		char path[2 * FOLDER_PATH];
		struct pty *notes;
		struct talk talk;
		int fd;

		make(&talk);
		snprintf(path, sizeof(path), "%s/tuibench-lecture-1", talk.folder);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		assert_int_equal(fcntl(fd, F_SETLK, &lock), 0);
		assert_int_equal(write(fd, made[i].bytes, made[i].n), made[i].n);
		notes = start(&talk, "--notes");
		if (i == 2) {
			pty_expect(notes, "Waiting for the lecture to begin.");
			close(fd);
		}
		pty_expect(notes, made[i].shown);
		if (made[i].status == 0) {
			pty_expect(notes, "No?tes");
			pty_send(notes, "q");
		}
		end(notes, made[i].status);
		if (i != 2)
			close(fd);
		folder_remove(talk.folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_notes_follow_the_scenes),
		cmocka_unit_test(without_a_lecture_or_a_folder_one_line_says_so),
		cmocka_unit_test(signals_end_both_and_remove_the_file),
		cmocka_unit_test(a_file_that_was_left_behind_is_no_lecture),
		cmocka_unit_test(each_of_two_lectures_has_its_notes),
		cmocka_unit_test(notes_that_a_full_disk_cut_off_come_once_there_is_room),
		cmocka_unit_test(control_characters_in_notes_do_not_reach_the_terminal),
		cmocka_unit_test(no_terminal_can_hold_the_lecture_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
