/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* Returns whether the sessions are equal in every value. The main test of the log and of replay. */
bool model_equal(const struct model *a, const struct model *b);
