/* SPDX-License-Identifier: MIT */
#include "stage/exported.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

char *exported_model(int (*export)(const struct model *, FILE *), const struct model *model)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(export(model, out), 0);
	fclose(out);
	assert_int_equal(strlen(text), size);
	return text;
}

char *exported_text(int (*export)(const struct model *, FILE *), const struct synthetic *session)
{
	struct model model;
	char *text;

	synthetic_model(session, &model);
	text = exported_model(export, &model);
	model_free(&model);
	return text;
}

size_t exported_count(const char *text, const char *part)
{
	const char *end = text + strlen(text);
	size_t n = 0, length = strlen(part);

	/*
	 * AddressSanitizer's strstr() reads the whole remaining text at each call: minutes for 20
	 * MB.
	 */
	while ((text = memchr(text, *part, (size_t)(end - text))) != NULL) {
		bool same = strncmp(text, part, length) == 0;

		n += same;
		text += same ? length : 1;
	}
	return n;
}

void exported_assert_clean(const char *text)
{
	uint32_t character = 0;

	while (*text) {
		const char *at = text;

		character = utf8_next_printable(&text, character);
		if (*at == '\n' || *at == '\t' || *at == ' ')
			continue;
		assert_int_not_equal(character, ' ');
		assert_true(character != 0xfffd || strncmp(at, "\xef\xbf\xbd", 3) == 0);
	}
}

void exported_hostile(struct synthetic *session)
{
	synthetic_mixed(session, 1);
	session->experiment = session->title = session->options = EXPORTED_HOSTILE;
	synthetic_add(session, EXPORTED_HOSTILE, EXPORTED_HOSTILE, 1000000000);
}
