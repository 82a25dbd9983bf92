/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>

/*
 * The state folder: $XDG_STATE_HOME/tuibench (by the XDG Base Directory Specification only if that
 * is absolute) or ~/.local/state/tuibench. 0, or -errno and path is what to call it in a message.
 */
int state_folder_name(char path[PATH_MAX]);

/* The same, and the folder is made if it is not there. */
int state_folder(char path[PATH_MAX]);
