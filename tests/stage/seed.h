/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Seeds random() with 1, or with N if TUIBENCH_SEED=N is in the environment. Prints the seed to
 * standard error, which meson shows if the test fails.
 */
void seed_random(void);
