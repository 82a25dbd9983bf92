/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Seeds random() anew and says with what on standard error, which meson shows of a test that
 * failed: TUIBENCH_SEED=N in the environment draws the same again.
 */
void seed_random(void);
