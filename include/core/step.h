/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "core/plan.h"

/* Kinds of work that are one operation many times over, which are counted and timed. */

/* What its workers do, in one word: "write". NULL: nothing that is counted. */
const char *step_name(enum work_kind kind);
/* That of all leaves of the plan; WORK_KINDS: they do other work, or not all the same. */
enum work_kind step_of(const struct plan *plan);
/* Its workers share one thing, so that what they do together is timed, not each by itself. */
bool step_is_shared(enum work_kind kind);
