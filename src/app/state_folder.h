/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>

/*
 * The state folder: $XDG_STATE_HOME/tuibench (by the XDG Base Directory Specification only if that
 * is absolute) or ~/.local/state/tuibench. Made if it is not there; 0, or -errno and path is what
 * to call it in a message.
 */
int state_folder(char path[PATH_MAX]);
