/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "export/export.h"

/*
 * A session in one of the formats of --export to the file at path, which is replaced when all of it
 * is written: an export that fails leaves what was there, and nothing else. 0, or -errno with one
 * line in error.
 */
int result_save(const struct model *model, const struct export_format *format, const char *path,
		char *error, size_t size);
