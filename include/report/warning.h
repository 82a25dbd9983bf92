/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model_warnings.h"

/* One line: what was seen, why it matters, what to do. Returns buf; SAMPLE_TEXT bytes hold it. */
char *warning_text(const struct model *model, const struct model_warning *warning, char *buf,
		   size_t size);
