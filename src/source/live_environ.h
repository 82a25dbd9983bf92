/* SPDX-License-Identifier: MIT */
#pragma once

#include "experiment/experiment.h"

/* The environment of a runner: that of this program with what a request changes. */

/* For posix_spawn(), the strings those of the request and of this program; NULL: no memory. */
char **live_environ_make(const struct request *request);
/*
 * What all runs of a session have in common, see base/environment.h: without what differs between
 * them. Returns buf.
 */
char *live_environ_session(const struct experiment *experiment, char *buf, size_t size);
/*
 * Why figures are not those of a plain environment, as one line with the value that is not usual.
 * What the request chose needs no warning.
 * Returns buf; NULL after the last.
 */
char *live_environ_warning(const struct request *request, const char *environment, size_t i,
			   char *buf, size_t size);
