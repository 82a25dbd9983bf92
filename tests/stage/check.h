/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_TESTS_CHECK_H
#define TUIBENCH_TESTS_CHECK_H

/* cmocka, with what it wants to stand before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
