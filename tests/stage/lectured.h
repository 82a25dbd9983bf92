/* SPDX-License-Identifier: MIT */
#pragma once

#include "log/log.h"
#include "stage/synthetic.h"

/* A lecture that nobody gave: three of its five scenes have a session. */

enum { LECTURED_SCENES = 5, LECTURED_SESSIONS = 3 };

#define LECTURED_TITLE "Five reports"

extern const struct log_scene lectured_scenes[LECTURED_SCENES];
/* Which session ran in a scene; -1: none. */
extern const int lectured_sessions[LECTURED_SCENES];

void lectured_session(int number, struct synthetic *session);
/* Its recording, by one writer, as a file in memory; the caller's to close. */
int lectured_record(void);
/* The same as a new file. */
void lectured_file(const char *path);
