/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/options.h"

/*
 * The self-test: progress on standard error, the table or its JSON on standard output. Returns the
 * exit status of the program: 0 all is as expected, 1 something is not, or could not be done.
 * The signals that end it are left blocked, as by batch_run().
 */
int self_test_run(const struct options *options);
