/* SPDX-License-Identifier: MIT */
#pragma once

#include <jansson.h>

#include "model/model.h"

/* What more cores bring, and where each case ran. Each adds a member where there is one: 0, -1. */
int write_json_speedup(const struct model *model, json_t *json);
/* The machine's topology as text, and of each case its place and CPUs. */
int write_json_places(const struct model *model, json_t *json);
