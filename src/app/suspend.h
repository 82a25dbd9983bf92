/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Stops this program as SIGTSTP, which must be blocked, would have stopped it, and returns when it
 * is continued; not SIGSTOP, which would also stop a program that no shell can continue. The
 * SIGCONT that ended the stop is taken where it is blocked too, and true says that there was one.
 */
bool suspend_here(void);
