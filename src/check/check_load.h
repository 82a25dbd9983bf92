/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* What the cores did, and what all other processes used, each since anywhere. */
struct check_load {
	int64_t busy_us;   /* of all cores: user, nice and system of /proc/stat; -1: not known */
	int64_t others_us; /* of all processes but this one and those it waited for */
};

void check_load_read(struct check_load *load);
