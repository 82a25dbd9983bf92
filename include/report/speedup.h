/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "base/error_line.h"
#include "model/model_speedup.h"

/* What more cores bring, in words. */

enum { SPEEDUP_TEXT = 512 };

/* "threads: Amdahl's law: 2.1 % serial (1.8 to 2.4); …", or why there is none. Returns buf. */
char *speedup_laws(const struct model *model, const struct model_speedup *speedup, char *buf,
		   size_t size);
/* The law with most parameters of those that are told; LAWS: none is. */
enum law speedup_told(const struct model_speedup *speedup);
/* "threads: Amdahl's law, 2.1 % serial (1.8 to 2.4)" of that law, or why there is none. */
char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size);
