/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include "write/export.h"
#include "model/model.h"

/* page.html, with a NUL behind it: see embed.py. */
extern const unsigned char page_html[];

/* The members of a session, NULL for none: its JSON, and with `page` what a page shows beside it.
 */
int page_session(const struct model *model, bool page, FILE *out);
/* A lecture with both of each scene. */
int page_lecture(const struct export_lecture *lecture, FILE *out);
