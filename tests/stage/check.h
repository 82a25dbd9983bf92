/* SPDX-License-Identifier: MIT */
#pragma once

/* cmocka, with what it wants to stand before it. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka's compares floats, and lets NaN and infinity pass as any number. */
#undef assert_float_equal
#define assert_float_equal(a, b, epsilon) assert_true(fabs((double)(a) - (double)(b)) <= (epsilon))

/* cmocka 2 has one for each sign instead, and warns of this one, which is without a sign. */
#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range(value, least, most) assert_uint_in_range(value, least, most)
#endif
