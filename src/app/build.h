/* SPDX-License-Identifier: MIT */
#pragma once

/* What built tuibench-runner, with its flags; of which commit, "" where that was no clone. */
extern const char build_compiler[], build_commit[];
