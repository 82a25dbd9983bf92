/* SPDX-License-Identifier: MIT */
#pragma once

#include "log/log.h"
#include "stage/synthetic.h"

/* A made-up lecture: three of its five scenes have a session. */

enum { LECTURED_SCENES = 5, LECTURED_SESSIONS = 3 };

#define LECTURED_TITLE "Five reports"
/* The list with which the last scene sums the lecture up. */
#define LECTURED_ITEM "Who is done first? Hardly anyone."
#define LECTURED_LIST "- " LECTURED_ITEM "\n- Take both."

extern const struct log_scene lectured_scenes[LECTURED_SCENES];
/* The session of each scene; -1: none. */
extern const int lectured_sessions[LECTURED_SCENES];

void lectured_session(int number, struct synthetic *session);
/* Records the lecture with one writer into a file in memory. The caller closes the descriptor. */
int lectured_record(void);
/* Records the lecture into a new file. */
void lectured_file(const char *path);
