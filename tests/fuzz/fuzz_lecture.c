/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "lecture/lecture.h"

/* Any bytes as a lecture. What must hold is what the header says of texts, counts and errors. */

static void check(const struct lecture *lecture)
{
	fuzz_assert(lecture->n > 0 && lecture->n <= LECTURE_SCENES);
	fuzz_assert_line(lecture->title);
	for (size_t i = 0; i < lecture->n; i++) {
		const struct lecture_scene *scene = &lecture->scenes[i];

		fuzz_assert_line(scene->heading);
		fuzz_assert_text(scene->caption, false);
		fuzz_assert_text(scene->notes, true);
		fuzz_assert_text(scene->command, false);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct lecture lecture;
	char error[256] = "";

	if (lecture_parse((const char *)bytes, n, "lecture.md", &lecture, error, sizeof(error))) {
		fuzz_assert(lecture.n == 0 && !lecture.scenes && !lecture.title);
		fuzz_assert_line(error);
		return 0;
	}
	check(&lecture);
	lecture_free(&lecture);
	return 0;
}
