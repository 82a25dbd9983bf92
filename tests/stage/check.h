/* SPDX-License-Identifier: MIT */
#pragma once

/* cmocka, with what it wants to stand before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
