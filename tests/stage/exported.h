/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "model/model.h"
#include "stage/synthetic.h"

/* What the tests of the exports share. */

/* Quotes, markup, line ends, escapes, broken UTF-8, a mark that turns the text's direction. */
#define EXPORTED_HOSTILE                                                                           \
	"a\"b,\n</script><script>alert('x')</script>&\033[31m\xff\xe2\x80\xae\xc3\xbc"
/* The same as text without control characters. */
#define EXPORTED_HARMLESS "a\"b, </script><script>alert('x')</script>& [31m\xef\xbf\xbd \xc3\xbc"

/* A small session whose every text is that, one of its models too. */
void exported_hostile(struct synthetic *session);
/* What the export writes of a model, of a session; the caller's. */
char *exported_model(int (*export)(const struct model *, FILE *), const struct model *model);
char *exported_text(int (*export)(const struct model *, FILE *), const struct synthetic *session);
/* How often part stands in the text. */
size_t exported_count(const char *text, const char *part);
/* Fails on control characters and on what is no UTF-8. */
void exported_assert_clean(const char *text);
