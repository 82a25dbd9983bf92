/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Seeds random() and prints the seed to standard error, which meson shows if the test fails.
 * TUIBENCH_SEED=N in the environment repeats the test with that seed.
 */
void seed_random(void);
