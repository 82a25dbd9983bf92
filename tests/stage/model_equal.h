/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* True where the sessions hold the same: the master test of log and replay. */
bool model_equal(const struct model *a, const struct model *b);
