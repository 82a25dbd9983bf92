/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "model/model.h"
#include "stage/synthetic.h"

/* Shared by the tests of the exports. */

/* Quotes, markup, line ends, escapes, broken UTF-8, a mark that changes the text's direction. */
#define EXPORTED_HOSTILE                                                                           \
	"a\"b,\n</script><script>alert('x')</script>&\033[31m\xff\xe2\x80\xae\xc3\xbc"
/* EXPORTED_HOSTILE as text without control characters. */
#define EXPORTED_HARMLESS "a\"b, </script><script>alert('x')</script>& [31m\xef\xbf\xbd \xc3\xbc"

/* Makes a small session in which every text, also the name of a model, is EXPORTED_HOSTILE. */
void exported_hostile(struct synthetic *session);
/* Returns what the export writes for a model or a session. The caller frees it. */
char *exported_model(int (*export)(const struct model *, FILE *), const struct model *model);
char *exported_text(int (*export)(const struct model *, FILE *), const struct synthetic *session);
/* Returns how often `part` occurs in the text. */
size_t exported_count(const char *text, const char *part);
/* Fails if the text has control characters or is not valid UTF-8. */
void exported_assert_clean(const char *text);
