/* SPDX-License-Identifier: MIT */
#pragma once

#include "log/log.h"
#include "stage/synthetic.h"

/* A made-up lecture: three of its five scenes have a session. */

enum { LECTURED_SCENES = 5, LECTURED_SESSIONS = 3 };

#define LECTURED_TITLE "Five reports"

extern const struct log_scene lectured_scenes[LECTURED_SCENES];
/* The session of each scene; -1: none. */
extern const int lectured_sessions[LECTURED_SCENES];

void lectured_session(int number, struct synthetic *session);
/* Records the lecture with one writer into a file in memory. The caller closes the descriptor. */
int lectured_record(void);
/* Records the lecture into a new file. */
void lectured_file(const char *path);
