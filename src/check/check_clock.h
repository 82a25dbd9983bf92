/* SPDX-License-Identifier: MIT */
#pragma once

#include "check/check.h"

/* The clock that every time is taken from: its cost, its least step, and whether cores agree. */
void check_clock(struct check_result results[CHECKS]);
