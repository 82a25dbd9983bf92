/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#include "source/source.h"
#include "view/view.h"

/*
 * The speaker's notes on a second terminal: a lecture listens on a socket below $XDG_RUNTIME_DIR
 * and sends each terminal the scene that is shown, whole and in one packet. It never waits for one.
 */

enum { NOTES_TERMINALS = 8, NOTES_BYTES = 64 * 1024, NOTES_LINE = PATH_MAX + 160 };

/* Of the lecture. */
struct notes {
	bool tried;	       /* to listen */
	char line[NOTES_LINE]; /* for the speaker: how they are shown, or why they are not */
	struct sockaddr_un at; /* "": nothing listens */
	int fd;
	uint64_t begin_ns;
	int n;
	struct notes_terminal {
		int fd;
		size_t sent; /* the scene, from 1; 0: none yet */
	} terminals[NOTES_TERMINALS];
};

/* Listens, unless that was tried; the line says what came of it. */
void notes_open(struct notes *notes);
/* The socket to be polled for readers; -1: none. */
int notes_fd(const struct notes *notes);
/* Takes a terminal that has connected; a ninth one is refused. */
void notes_accept(struct notes *notes);
/* Sends the scene to those that do not have it; one that takes nothing now is to be polled. */
void notes_send(struct notes *notes, const struct view_lecture *scene,
		struct pollfd behind[NOTES_TERMINALS]);
/* Removes the socket; safe in a signal handler. */
void notes_unlink(const struct notes *notes);
void notes_close(struct notes *notes);

/* Of the second terminal: a source without samples, which ends with the lecture. */
struct notes_reader {
	struct source source;
	int fd;
	bool received;
	uint64_t begin_ns;
	struct view_lecture scene; /* its texts are in the buffer */
	char buffer[NOTES_BYTES + 16 * 1024];
};

/* Connects to the lecture that began last. 0, or -errno with a line in error. */
int notes_connect(struct notes_reader *reader, char *error, size_t size);
/* What has come, as the view's state. */
void notes_show(const struct notes_reader *reader, struct view_lecture *shown);
