/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

/*
 * A program in a pseudo-terminal; libvterm is the terminal emulator. Tests wait for conditions,
 * never for a fixed time. Only a defect reaches the deadline.
 */

enum { PTY_DEADLINE_MS = 300000, PTY_MARK = 64, PTY_PROCESSES = 64 };

struct pty {
	int master;
	pid_t pid;     /* of the program; -1 after it was waited for */
	pid_t session; /* the program's */
	int status;
	int rows, cols;
	struct termios before; /* the settings that the program found */
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate, cursor_shown, mouse; /* modes that the program has set */
	/* how often the program has left the alternate screen */
	unsigned left;
	size_t mouse_matched, ask_matched, kind_matched;
	unsigned asked; /* how often the program has asked for the background */
	size_t sync_matched;
	bool synchronized;   /* the terminal waits for the end of a frame (mode 2026) */
	unsigned frames;     /* how many had a begin and an end */
	uint64_t torn_bytes; /* bytes of the alternate screen outside such frames */
	size_t copy_matched, copy_n;
	char copied[2048]; /* what the program last put on the clipboard, in base64 */
	bool silent;	   /* the terminal does not answer which kind it is */
	unsigned rate;	   /* bytes that the terminal takes per second; 0: no limit */
	/* the terminal's answer about its background; NULL: none, as from many terminals */
	const char *answer;
	uint64_t bytes;	     /* received so far */
	bool ended;	     /* no program has the other side open any more */
	char mark[PTY_MARK]; /* in the environment of all processes that the program starts */
};

/*
 * Starts argv (found by PATH) in a terminal of that size. The environment has UTF-8 and
 * TERM=xterm-256color, and the words of env on top: NAME=VALUE sets a variable, NAME unsets it.
 * argv and env end with NULL. Aborts the test on failure.
 */
struct pty *pty_start(const char *const argv[], const char *const env[], int rows, int cols);
/* Runs a function of this program like pty_start(). Its return value is the exit status. */
struct pty *pty_call(int (*function)(void *arg), void *arg, const char *const env[], int rows,
		     int cols);
/* Skips the test if there is no pseudo-terminal, as in a chroot without /dev/pts. */
void pty_required(void);
/* Opens a terminal without a program and an emulator. Skips the test like pty_required(). */
void pty_open(int *master, int *slave);
/* Kills the remaining processes and frees pty. */
void pty_free(struct pty *pty);

/*
 * Sends keys. If no program has the other side open any more, the keys are lost, as on a closed
 * window.
 */
void pty_send(struct pty *pty, const char *keys);
/* Sends q, and again if the lecture asks, because scenes remain. */
void pty_leave_lecture(struct pty *pty);
/* Sets the size, which sends SIGWINCH. */
void pty_resize(struct pty *pty, int rows, int cols);
/*
 * Takes the output that has arrived. Waits up to wait_ms for the first byte. Returns false if none
 * arrived.
 */
bool pty_pump(struct pty *pty, int wait_ms);
/* Pumps until the condition holds. Returns false after the deadline. */
bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *arg), const void *arg);
/* Fails the test unless the text appears anywhere on the screen, or disappears from it. */
void pty_expect(struct pty *pty, const char *text);
void pty_expect_gone(struct pty *pty, const char *text);
/* Takes output until the program ends. Returns its wait status; -1 after the deadline. */
int pty_wait_exit(struct pty *pty);
/* Fails the test unless the program exits with that status. */
void pty_expect_exit(struct pty *pty, int status);
/*
 * Fails the test if a process of the program still runs, or if the terminal, if any, was not
 * restored.
 */
void pty_expect_nothing_left(struct pty *pty);
/* Takes the terminal away, as a closed window does. */
void pty_hang_up(struct pty *pty);

/*
 * Returns how many typed bytes the program has left unread, which the terminal's next reader would
 * get.
 */
int pty_typed(const struct pty *pty);

/*
 * Returns a row as UTF-8 without trailing blanks, in a static buffer that the next call overwrites.
 */
const char *pty_row(const struct pty *pty, int row);
bool pty_has(const struct pty *pty, const char *text);
/* Prints the screen to standard error, for a test that failed. */
void pty_show(const struct pty *pty);
VTermScreenCell pty_cell(const struct pty *pty, int row, int col);
/*
 * Returns whether the terminal's settings are as before the start, the main screen and the cursor
 * are shown, and the mouse is off.
 */
bool pty_restored(struct pty *pty);
bool pty_wait_restored(struct pty *pty);
/*
 * Finds processes of the session or with the mark. Stores up to max PIDs in pids, unless that is
 * NULL.
 */
size_t pty_processes(const struct pty *pty, pid_t *pids, size_t max);
/*
 * Finds processes of that name and, unless parent is 0, with that parent. out has room for
 * PTY_PROCESSES.
 */
size_t pty_find(const struct pty *pty, const char *name, pid_t parent, pid_t *out);
bool pty_wait_no_process(struct pty *pty);
