/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "next.h"
#include "view/menu.h"

/*
 * What fills the menu: the table of experiments, the state folder, and what a choice takes on this
 * machine. Nothing of it waits: recordings are read in parts, between frames.
 */

struct chooser;

/* Whether the lecture is installed that the menu begins with. */
bool chooser_has_tour(void);
/*
 * The cursor is on that experiment; NULL: the first row. The recording of that name is left out, as
 * it is being written; NULL: none. NULL without memory.
 */
struct chooser *chooser_open(const char *experiment, const char *left_out);
void chooser_close(struct chooser *chooser);
/* Its menu, to be drawn and given keys. */
struct menu *chooser_menu(struct chooser *chooser);
/* There is a file of options: the command lines of sessions say that they read none. */
void chooser_seal(struct chooser *chooser);
/* Writes the command line of the selected row, what it takes, and why it cannot run. */
void chooser_refresh(struct chooser *chooser);
/*
 * Reads on in recordings for some milliseconds, the selected one first; a little, for less and that
 * one alone: while runs are measured. False where there is nothing left to read.
 */
bool chooser_read(struct chooser *chooser, bool little);
/*
 * Whether the selected recording can be played now: 0; -EMEDIUMTYPE: it is a lecture's; else
 * -errno, and its sentence says why.
 */
int chooser_try(struct chooser *chooser);
/* The experiment behind that one, from the last to the first; the first where it is none. */
const char *chooser_after(const char *experiment);
