/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/utf8.h"
#include "stage/check.h"
#include "stage/seed.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void assert_fit(const char *const *names, size_t n, int most, const char *const *expected)
{
	char buf[256];

	for (size_t i = 0; i < n; i++)
		assert_string_equal(names_fit(names, n, i, most, "\xc2\xb7", buf, sizeof(buf)),
				    expected[i]);
}

static void names_keep_what_distinguishes_them(void **state)
{
	static const char *const scripts[] = {"python3 /srv/compare/threads.py 300000 4",
					      "python3 /srv/compare/procs.py 300000 4",
					      "python3 /srv/compare/asyncio.py 300000 4"};
	static const char *const whole[] = {"·threads.py 300000 4", "·procs.py 300000 4",
					    "·asyncio.py 300000 4"};
	static const char *const narrow[] = {"·thre·000 4", "·proc·000 4", "·asyn·000 4"};
	static const char *const keys[] = {"threads alloc=400 size=1M",
					   "threads alloc=400 size=2M"};
	static const char *const values[] = {"threads 400 1M", "threads 400 2M"};
	static const char *const texts[] = {"sh -c 'if test a==b; n=1 x'",
					    "./program --limit=20000 in",
					    "./program a==b c(x)=40000"};
	static const char *const marked[] = {"sh -c 'if t·a==b; n=1 x'", "./program -·mit=20000 in",
					     "./program a·b c(x)=40000"};
	static const char *const middles[] = {"xxxxxxxxAyyyyyyyy", "xxxxxxxxByyyyyyyy"};
	static const char *const cut[] = {"·xAyyy·", "·xByyy·"};

	assert_fit(scripts, 3, 40, scripts);
	assert_fit(scripts, 3, 22, whole);
	assert_fit(scripts, 3, 11, narrow);
	assert_fit(keys, 2, 14, values);
	assert_fit(texts, 3, 24, marked);
	assert_fit(middles, 2, 7, cut);
}

/* As a last resort names get a number, or at least a letter. */
static void names_that_differ_are_never_alike(void **state)
{
	static const char *const parts[] = {"a",  "ab", "py", ".",  "/",	   " ",
					    "=",  "4",	"ü",  "界", "e\xcc\x81",   "·",
					    "..", "x=", "~2", "-",  "\xe0\xa4\x95"};
	char text[NAMES_MOST][160], fit[NAMES_MOST][160];
	const char *names[NAMES_MOST];

	seed_random();
	for (int round = 0; round < 60; round++) {
		size_t n = 2 + (size_t)random() % 12;
		int length = 1 + (int)(random() % 12);
		bool common = random() % 2;

		n = round % 20 ? n : 61;
		for (size_t i = 0; i < n; i++) {
			strcpy(text[i], common ? "python3 /home/user/compare/" : "");
			for (long k = random() % length; k >= 0; k--)
				strcat(text[i], parts[random() % (long)N(parts)]);
			names[i] = text[i];
		}
		for (int most = 1; most < 30; most++)
			for (size_t i = 0; i < n; i++) {
				names_fit(names, n, i, most, "·", fit[i], sizeof(fit[i]));
				assert_true(utf8_columns(fit[i]) <= most);
				for (size_t k = 0; k < i; k++)
					assert_int_equal(strcmp(fit[i], fit[k]) == 0,
							 strcmp(text[i], text[k]) == 0);
			}
	}
}

static void a_semicolon_in_an_item_separates_none(void **state)
{
	static const char *const items[] = {"a;b", "x=\\", "\\x3b;", "\\x5c", ";", "A=1"};
	char list[256] = "", item[64];
	const char *at = list;
	size_t semicolons = 0;

	for (size_t i = 0; i < N(items); i++) {
		size_t used = strlen(list);

		if (i > 0)
			list[used++] = ';';
		names_put_item(items[i], list + used, sizeof(list) - used);
	}
	assert_string_equal(list, "a\\x3bb;x=\\;\\x5cx3b\\x3b;\\x5cx5c;\\x3b;A=1");
	for (const char *c = list; *c; c++)
		semicolons += *c == ';';
	assert_int_equal(semicolons, N(items) - 1);
	for (size_t i = 0; i < N(items); i++)
		assert_string_equal(names_next_item(&at, item, sizeof(item)), items[i]);
	assert_null(names_next_item(&at, item, sizeof(item)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_keep_what_distinguishes_them),
		cmocka_unit_test(names_that_differ_are_never_alike),
		cmocka_unit_test(a_semicolon_in_an_item_separates_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
