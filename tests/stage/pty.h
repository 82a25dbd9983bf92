/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

/*
 * A program in a pseudo-terminal, with libvterm as its terminal emulator. A test waits for
 * conditions, with a deadline that only a defect reaches, and never for a time.
 */

enum { PTY_DEADLINE_MS = 300000, PTY_MARK = 64, PTY_PROCESSES = 64 };

struct pty {
	int master;
	pid_t pid;     /* of the program; -1 once waited for */
	pid_t session; /* the program's */
	int status;
	int rows, cols;
	struct termios before; /* as the program found it */
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate, cursor_shown, mouse; /* modes the program has set */
	unsigned left;			     /* how often the screen was given back */
	size_t mouse_matched, ask_matched, kind_matched;
	unsigned asked; /* how often for its background */
	size_t copy_matched, copy_n;
	char copied[2048];   /* what it was told to put on the clipboard last, in base64 */
	bool silent;	     /* it does not say either which kind of terminal it is */
	unsigned rate;	     /* bytes that it takes in a second; 0: any */
	const char *answer;  /* what it says then; NULL: nothing, as many do */
	uint64_t bytes;	     /* received in all */
	bool ended;	     /* nobody has the other side open any more */
	char mark[PTY_MARK]; /* in the environment of all that the program starts */
};

/*
 * Starts argv (found by PATH) in a terminal of that size, in an environment with UTF-8,
 * TERM=xterm-256color and the NAME=VALUE (NAME: unset) of env on top, which end with NULL. Aborts
 * the test on failure.
 */
struct pty *pty_start(const char *const argv[], const char *const env[], int rows, int cols);
/* The same with a function of this program, whose return value is the exit status. */
struct pty *pty_call(int (*function)(void *arg), void *arg, const char *const env[], int rows,
		     int cols);
/* Skips the test where there is no pseudo-terminal: in a chroot without /dev/pts. */
void pty_required(void);
/* A terminal by itself, without a program and an emulator; skips as pty_required() does. */
void pty_open(int *master, int *slave);
/* Kills what is left and frees. */
void pty_free(struct pty *pty);

/* Where nobody has the other side open any more the keys are lost, as on a closed window. */
void pty_send(struct pty *pty, const char *keys);
/* Sets the size, which sends SIGWINCH. */
void pty_resize(struct pty *pty, int rows, int cols);
/* Takes what has come, waiting up to wait_ms for the first of it. False when nothing came. */
bool pty_pump(struct pty *pty, int wait_ms);
/* Pumps until the condition holds. False after the deadline. */
bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *arg), const void *arg);
/* Fails the test unless the text comes to stand anywhere on the screen, or goes. */
void pty_expect(struct pty *pty, const char *text);
void pty_expect_gone(struct pty *pty, const char *text);
/* The program's wait status, while taking its output; -1 after the deadline. */
int pty_wait_exit(struct pty *pty);
/* Fails the test unless the program exits with that status. */
void pty_expect_exit(struct pty *pty, int status);
/* Fails it unless nothing of the program runs and the terminal, if any, is as it was before. */
void pty_expect_nothing_left(struct pty *pty);
/* Takes away the terminal, as a closed window does. */
void pty_hang_up(struct pty *pty);

/* Bytes that the program has left unread, for who reads the terminal next. */
int pty_typed(const struct pty *pty);

/* A row as UTF-8 without trailing blanks; the buffer is a static one, of the last call. */
const char *pty_row(const struct pty *pty, int row);
bool pty_has(const struct pty *pty, const char *text);
/* Prints the screen to standard error, for a test that failed. */
void pty_show(const struct pty *pty);
VTermScreenCell pty_cell(const struct pty *pty, int row, int col);
/* The modes are as before the start, the main screen is shown, cursor on, mouse off. */
bool pty_restored(struct pty *pty);
bool pty_wait_restored(struct pty *pty);
/* Processes of the session or with the mark, up to max of them into pids unless NULL. */
size_t pty_processes(const struct pty *pty, pid_t *pids, size_t max);
/* Those of that name, with that parent unless it is 0; out has room for PTY_PROCESSES. */
size_t pty_find(const struct pty *pty, const char *name, pid_t parent, pid_t *out);
bool pty_wait_no_process(struct pty *pty);
