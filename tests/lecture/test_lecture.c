/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "lecture/lecture.h"
#include "stage/folder.h"
#include "stage/seed.h"

static int parse(const char *text, struct lecture *lecture, char error[256])
{
	return lecture_parse(text, strlen(text), "a.md", lecture, error, 256);
}

/* Returns the lecture of a text that is valid. */
static struct lecture lecture_of(const char *text)
{
	struct lecture lecture;
	char error[256] = "";

	if (parse(text, &lecture, error))
		fail_msg("%s", error);
	return lecture;
}

static void headings_are_scenes_and_paragraphs_their_captions(void **state)
{
	struct lecture lecture = lecture_of("<!-- of nobody -->\n"
					    "# Threads *and* `fork()`\n\n"
					    "What is seen,\nand what to [look at](http://x).\n\n"
					    "For the speaker.\nOne more line.\n\nAnd the last.\n\n"
					    "## The second\n");

	assert_int_equal(lecture.n, 2);
	assert_string_equal(lecture.title, "Threads and fork()");
	assert_string_equal(lecture.scenes[0].heading, "Threads and fork()");
	assert_string_equal(lecture.scenes[0].caption, "What is seen, and what to look at.");
	assert_string_equal(lecture.scenes[0].notes,
			    "For the speaker. One more line.\n\nAnd the last.");
	assert_string_equal(lecture.scenes[0].command, "");
	assert_int_equal(lecture.scenes[0].line, 2);
	assert_string_equal(lecture.scenes[1].heading, "The second");
	assert_string_equal(lecture.scenes[1].caption, "");
	assert_string_equal(lecture.scenes[1].notes, "");
	assert_int_equal(lecture.scenes[1].line, 12);
	lecture_free(&lecture);
	assert_null(lecture.scenes);
}

/* Front matter is read before Markdown, as by pandoc, Jekyll and reveal.js. */
static void front_matter_is_no_scene_but_names_the_lecture(void **state)
{
	static const struct {
		const char *matter, *title;
		unsigned line;
	} cases[] = {
		{"---\ntitle: \"Threads: a tour\"\nauthor: Ada Lovelace\ntheme: white\n---\n",
		 "Threads: a tour (Ada Lovelace)", 6},
		{"\xef\xbb\xbf---\r\nauthor: ['Größe']\r\n...\r\n", "One (Größe)", 4},
		{"---\nsubtitle: x\n---\n", "One", 4},
		{"---\ntitle: a\x1b[2Jb\n---   \n", "a?[2Jb", 4},
		/* a line, not front matter, because it does not end */
		{"---\n\n", "One", 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		struct lecture lecture;

		snprintf(text, sizeof(text), "%s# One\n\nCaption\n", cases[i].matter);
		lecture = lecture_of(text);
		assert_int_equal(lecture.n, 1);
		assert_string_equal(lecture.title, cases[i].title);
		assert_string_equal(lecture.scenes[0].heading, "One");
		assert_string_equal(lecture.scenes[0].caption, "Caption");
		assert_int_equal(lecture.scenes[0].line, cases[i].line);
		lecture_free(&lecture);
	}
}

static void a_block_of_tuibench_is_the_scenes_command(void **state)
{
	static const struct {
		const char *block, *command;
		unsigned line;
	} cases[] = {
		{"```tuibench\ntuibench -e hello --quick\n```\n", "tuibench -e hello --quick", 3},
		{"``` tuibench\n\n  -e hello\t--quick  \r\n\n```\n", "tuibench -e hello --quick",
		 4},
		{"~~~tuibench\ntuibench\n~~~\n", "tuibench", 3},
		{"```tuibench of mine\ntuibenchmark\n```\n", "tuibench tuibenchmark", 3},
		{"A caption.\n\n```tuibench\n--replay 'a b.csv' --view curve\n```\n",
		 "tuibench --replay 'a b.csv' --view curve", 5},
		{"```tuibench\n-e hello", "tuibench -e hello", 3},
		{"```tuibench\n-m a\033[2J\n```", "tuibench -m a?[2J", 3},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		struct lecture lecture;

		snprintf(text, sizeof(text), "# A\n%s", cases[i].block);
		lecture = lecture_of(text);
		assert_string_equal(lecture.scenes[0].command, cases[i].command);
		assert_int_equal(lecture.scenes[0].line, cases[i].line);
		assert_string_equal(lecture.scenes[0].notes, "");
		lecture_free(&lecture);
	}
}

static void other_paragraphs_are_notes_for_the_speaker(void **state)
{
	struct lecture lecture = lecture_of("# A\nSeen.\n\n"
					    "- one\n- two\n  - below\n\n"
					    "3. three\n4. four\n\n"
					    "> said\n\n"
					    "```sh\nrm -r x\n\techo\n```\n\n"
					    "    indented\n\n"
					    "---\n<div>not this</div>\n");

	assert_string_equal(lecture.scenes[0].notes,
			    "- one\n- two\n  - below\n\n3. three\n4. four\n\nsaid\n\n"
			    "    rm -r x\n     echo\n\n    indented");
	assert_string_equal(lecture.scenes[0].command, "");
	lecture_free(&lecture);
}

static void a_list_alone_leaves_the_caption_to_the_paragraph_behind_it(void **state)
{
	struct lecture lecture = lecture_of("# A\n- a point\n\n> quoted\n\nThe caption.\n");

	assert_string_equal(lecture.scenes[0].caption, "The caption.");
	assert_string_equal(lecture.scenes[0].notes, "- a point\n\nquoted");
	lecture_free(&lecture);
}

static void no_control_of_a_file_is_left_in_its_texts(void **state)
{
	struct lecture lecture = lecture_of("# \033]0;x\007 \xff\n\nA\tb \x9b "
					    "2J &#27;[2J\n\n```sh\n\033c\n```\n");

	assert_string_equal(lecture.title, "?]0;x? ?");
	assert_string_equal(lecture.scenes[0].caption, "A b ? 2J ?[2J");
	assert_string_equal(lecture.scenes[0].notes, "    ?c");
	lecture_free(&lecture);
}

static void errors_in_a_lecture_name_the_line(void **state)
{
	static const char *const cases[][2] = {
		{"", "a.md: has no heading; begin each scene with one, such as \"# Title\""},
		{"<!-- nothing -->\n",
		 "a.md: has no heading; begin each scene with one, such as \"# Title\""},
		{"\n\nText.\n\n# A\n", "a.md:3: text before the first heading; begin a scene with "
				       "a heading, \"# Title\""},
		{"```tuibench\n-e hello\n```\n# A\n", "a.md:1: text before the first heading; "
						      "begin a scene with a heading, \"# Title\""},
		{"# A\n\n##\n", "a.md:3: a heading without text; it names a scene"},
		{"# A\n```tuibench\n```\n", "a.md:2: a tuibench block without a command; write one "
					    "line, such as tuibench hello"},
		{"# A\n```tuibench\n-e hello\n\n-e mixed\n```\n",
		 "a.md:5: a second command; a tuibench block has one line"},
		{"# A\n```tuibench\n-e hello\n```\n\n```tuibench\n-e hello\n```\n",
		 "a.md:6: a second tuibench block in one scene; begin another scene with a "
		 "heading"},
		{"# A\n\n- B\n\n  ```tuibench\n  -e hello\n  ```\n",
		 "a.md:5: a tuibench block in a list or quotation does not run; begin it at the "
		 "left margin"},
		{"# A\n\n> ```tuibench\n> -e hello\n> ```\n",
		 "a.md:3: a tuibench block in a list or quotation does not run; begin it at the "
		 "left margin"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lecture lecture;
		char error[256] = "";

		assert_int_equal(parse(cases[i][0], &lecture, error), -EINVAL);
		assert_string_equal(error, cases[i][1]);
		assert_null(lecture.scenes);
		assert_int_equal(lecture.n, 0);
	}
}

static void a_lecture_has_its_limits(void **state)
{
	char error[256], text[2048] = "# A\n```tuibench\n";
	struct lecture lecture;
	size_t n = strlen(text);

	memset(text + n, 'x', LECTURE_COMMAND);
	lecture = lecture_of(text);
	assert_int_equal(strlen(lecture.scenes[0].command), 9 + LECTURE_COMMAND);
	lecture_free(&lecture);
	text[n + LECTURE_COMMAND] = 'x';
	assert_int_equal(parse(text, &lecture, error), -EINVAL);
	assert_string_equal(error, "a.md:3: the command has 481 bytes; at most 480 are allowed");
	for (int i = 0; i <= LECTURE_SCENES; i++)
		memcpy(text + 4 * i, "# A\n", 5);
	assert_int_equal(parse(text, &lecture, error), -EINVAL);
	assert_string_equal(error, "a.md:201: too many scenes; a lecture can have 200");
	text[LECTURE_SCENES * 4] = '\0';
	lecture = lecture_of(text);
	assert_int_equal(lecture.n, LECTURE_SCENES);
	lecture_free(&lecture);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	char error[256], folder[FOLDER_PATH], path[FOLDER_PATH];
	struct lecture lecture;

	assert_int_equal(lecture_read("/no/such.md", &lecture, error, sizeof(error)), -ENOENT);
	assert_string_equal(error, "/no/such.md cannot be read: No such file or directory");
	assert_int_equal(lecture_read("/", &lecture, error, sizeof(error)), -EISDIR);
	assert_string_equal(error, "/ cannot be read: Is a directory");
	assert_int_equal(lecture_read("/dev/zero", &lecture, error, sizeof(error)), -EINVAL);
	assert_string_equal(error, "/dev/zero is longer than a lecture may be, 256 KiB");
	folder_make(folder);
	folder_write(folder_at(path, folder, "a.md"), "# A\n\nB\n");
	assert_int_equal(lecture_read(path, &lecture, error, sizeof(error)), 0);
	assert_string_equal(lecture.scenes[0].caption, "B");
	lecture_free(&lecture);
	folder_remove(folder);
}

/* A newline is the only control character that notes may have. */
static void check_text(const char *text, bool notes)
{
	assert_non_null(text);
	for (uint32_t character; (character = utf8_next(&text));)
		assert_true(utf8_is_printable(character) || (notes && character == '\n'));
}

static void check_lecture(const struct lecture *lecture)
{
	assert_true(lecture->n > 0 && lecture->n <= LECTURE_SCENES);
	check_text(lecture->title, false);
	for (size_t i = 0; i < lecture->n; i++) {
		const struct lecture_scene *scene = &lecture->scenes[i];

		check_text(scene->heading, false);
		check_text(scene->caption, false);
		check_text(scene->notes, true);
		check_text(scene->command, false);
		assert_true(*scene->heading && scene->line > 0);
		assert_true(!*scene->command || strncmp(scene->command, "tuibench", 8) == 0);
	}
}

/* Makes random pieces of Markdown, with meaningless bytes between them. */
static size_t random_text(char *text, size_t size)
{
	static const char *const pieces[] = {"# ",
					     "\n## A\n",
					     "\n\n",
					     "```tuibench\n",
					     "```\n",
					     "- ",
					     "1. ",
					     "> ",
					     "`",
					     "**",
					     "<b>",
					     "<!--",
					     "    ",
					     "\t",
					     "![a](b)",
					     "[a]: b\n",
					     "---\n",
					     "===\n",
					     "&#0;",
					     "\r\n",
					     "\xf0\x9f\x98",
					     "\033[2J",
					     "word ",
					     "~~~ tuibench\n"};
	size_t n = 0, most = (size_t)random() % size;

	while (n + 16 < most) {
		const char *piece = pieces[(size_t)random() % (sizeof(pieces) / sizeof(*pieces))];

		if (random() % 4 == 0)
			text[n++] = (char)random();
		else
			n += (size_t)sprintf(text + n, "%s", piece);
	}
	return n;
}

static void any_bytes_are_a_lecture_or_a_line_that_says_why_not(void **state)
{
	char text[1024], error[256];
	int read = 0;

	seed_random();
	for (int round = 0; round < 20000; round++) {
		struct lecture lecture;
		size_t n = random_text(text, sizeof(text));

		error[0] = '\0';
		if (lecture_parse(text, n, "a.md", &lecture, error, sizeof(error))) {
			assert_int_equal(strncmp(error, "a.md:", 5), 0);
			check_text(error, false);
			assert_null(lecture.scenes);
			continue;
		}
		read++;
		check_lecture(&lecture);
		lecture_free(&lecture);
	}
	assert_in_range(read, 100, 19900);
}

/* An item may name its scene. Anything else in parentheses is text. */
static void an_item_of_a_list_may_name_a_scene(void **state)
{
	static const char notes[] = "- Who is faster? Neither. (scene 3)\n- Who survives? (none)\n"
				    "- What is left (scene 0)\n- More (scene 2) words\n\n- no item";
	static const char *const texts[] = {"Who is faster? Neither.", "Who survives? (none)",
					    "What is left (scene 0)", "More (scene 2) words"};
	struct lecture_item items[LECTURE_ITEMS];

	assert_int_equal(lecture_items(notes, items), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(items[i].text, texts[i]);
		assert_true(items[i].scene == (i == 0 ? 2 : LECTURE_UNNAMED));
	}
	assert_int_equal(lecture_items("No list.\n\n- one", items), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headings_are_scenes_and_paragraphs_their_captions),
		cmocka_unit_test(front_matter_is_no_scene_but_names_the_lecture),
		cmocka_unit_test(a_block_of_tuibench_is_the_scenes_command),
		cmocka_unit_test(other_paragraphs_are_notes_for_the_speaker),
		cmocka_unit_test(a_list_alone_leaves_the_caption_to_the_paragraph_behind_it),
		cmocka_unit_test(no_control_of_a_file_is_left_in_its_texts),
		cmocka_unit_test(errors_in_a_lecture_name_the_line),
		cmocka_unit_test(a_lecture_has_its_limits),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
		cmocka_unit_test(any_bytes_are_a_lecture_or_a_line_that_says_why_not),
		cmocka_unit_test(an_item_of_a_list_may_name_a_scene),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
