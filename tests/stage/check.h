/* SPDX-License-Identifier: MIT */
#pragma once

/* cmocka.h, after the headers that it requires. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka's own macro compares as float, and accepts NaN and infinity as any number. */
#undef assert_float_equal
#define assert_float_equal(a, b, epsilon) assert_true(fabs((double)(a) - (double)(b)) <= (epsilon))

/* cmocka 2 has a macro for each signedness, and warns about assert_in_range(). */
#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range(value, least, most) assert_uint_in_range(value, least, most)
#endif
