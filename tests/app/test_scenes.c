/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "write/export.h"
#include "result/report.h"
#include "stage/exported.h"
#include "stage/folder.h"
#include "stage/lectured.h"
#include "stage/record.h"

/* A lecture's recording, and recordings of each of its sessions. */

static char lecture_path[FOLDER_PATH];

static int set_up(void **state)
{
	folder_set_up(state);
	lectured_file(folder_at(lecture_path, *state, "lecture.csv"));
	return 0;
}

/* Set-up with a compressed recording. */
static int set_up_packed(void **state)
{
	folder_set_up(state);
	lectured_file(folder_at(lecture_path, *state, "lecture.csv.zst"));
	return 0;
}

static struct scenes opened(void)
{
	struct scenes scenes;
	char error[512];

	assert_int_equal(scenes_open(&scenes, lecture_path, error, sizeof(error)), 1);
	return scenes;
}

/* Returns what --export FORMAT --output FILE has written. The caller frees it. */
static char *export(const struct scenes *scenes, const char *format, const char *folder)
{
	char path[FOLDER_PATH], error[512] = "";
	const struct options options = {
		.format = export_find(format),
		.output = folder_at(path, folder, "out"),
	};

	char *argv[] = {"tuibench", "--config=none", NULL};
	struct options *now = calloc(1, sizeof(*now));
	struct lecturer lecturer;

	assert_int_equal(options_parse(now, 2, argv, error, sizeof(error)), 0);
	assert_int_equal(lecturer_open_recorded(&lecturer, now, scenes, error, sizeof(error)), 0);
	assert_int_equal(scenes_export(scenes, &lecturer, &options, error, sizeof(error)), 0);
	lecturer_close(&lecturer);
	free(now);
	return folder_read(path);
}

static char *recorded_alone(int number, const char *folder,
			    int (*write)(const struct model *, FILE *))
{
	struct synthetic session;
	struct model model;
	char path[FOLDER_PATH], name[32], error[512], *text;

	snprintf(name, sizeof(name), "%d-%p.csv", number, (void *)&text);
	lectured_session(number, &session);
	record_file(folder_at(path, folder, name), &session);
	assert_int_equal(recordings_load(path, &model, error, sizeof(error)), 0);
	text = exported_model(write, &model);
	model_free(&model);
	remove(path);
	return text;
}

static void a_scene_exports_as_its_session_by_itself(void **state)
{
	int (*const writers[])(const struct model *, FILE *) = {write_json,	export_samples,
								export_workers, write_csv,
								write_markdown, write_all_tables};
	struct scenes scenes = opened();
	char error[512];

	for (size_t i = 0; i < LECTURED_SCENES; i++) {
		struct model model;

		if (!scenes_ran(&scenes, i))
			continue;
		assert_int_equal(scenes_load(&scenes, i, &model, error, sizeof(error)), 0);
		for (size_t k = 0; k < sizeof(writers) / sizeof(writers[0]); k++) {
			char *alone = recorded_alone(lectured_sessions[i], *state, writers[k]);
			char *text = exported_model(writers[k], &model);

			assert_string_equal(text, alone);
			free(text);
			free(alone);
		}
		model_free(&model);
	}
	scenes_close(&scenes);
}

static void assert_text(const json_t *scene, const char *name, const char *text)
{
	assert_string_equal(json_string_value(json_object_get(scene, name)), text);
}

static void assert_json_scene(const json_t *scene, size_t i, const char *folder)
{
	const json_t *session = json_object_get(scene, "session");
	char *text;
	json_t *alone;

	assert_int_equal(json_integer_value(json_object_get(scene, "scene")), i + 1);
	assert_text(scene, "heading", lectured_scenes[i].heading);
	assert_text(scene, "caption", lectured_scenes[i].caption);
	assert_text(scene, "command", lectured_scenes[i].command);
	if (lectured_sessions[i] < 0) {
		assert_true(json_is_null(session));
		return;
	}
	text = recorded_alone(lectured_sessions[i], folder, write_json);
	alone = json_loads(text, 0, NULL);
	assert_true(json_equal(session, alone));
	json_decref(alone);
	free(text);
}

static void a_lecture_in_json_has_the_objects_of_its_sessions(void **state)
{
	struct scenes scenes = opened();
	char *text = export(&scenes, "json", *state);
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	const json_t *list = json_object_get(json, "scenes");

	assert_non_null(json);
	assert_text(json, "lecture", LECTURED_TITLE);
	assert_int_equal(json_array_size(list), LECTURED_SCENES);
	for (size_t i = 0; i < LECTURED_SCENES; i++)
		assert_json_scene(json_array_get(list, i), i, *state);
	json_decref(json);
	free(text);
	scenes_close(&scenes);
}

/* Each heading occurs once and in order, and each session is below its heading. */
static void assert_in_order(const char *text, const char *const *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *at = strstr(text, parts[i]);

		if (!at)
			fail_msg("\"%s\" is not in the rest", parts[i]);
		text = at + strlen(parts[i]);
	}
}

static void assert_sessions_are_below_their_scenes(const char *format,
						   int (*write)(const struct model *, FILE *),
						   void **state)
{
	struct scenes scenes = opened();
	char *text = export(&scenes, format, *state);
	char *sessions[LECTURED_SESSIONS];
	const char *parts[] = {LECTURED_TITLE,
			       "Scene 1 of 5: Threads or processes?\n",
			       "Who is done first?\n",
			       NULL,
			       "Scene 2 of 5: What",
			       "No run here",
			       "Scene 3 of 5: A curve\n",
			       NULL,
			       "Scene 4 of 5: Lines",
			       NULL,
			       "Scene 5 of 5: The end\n"};

	for (int i = 0; i < LECTURED_SESSIONS; i++)
		sessions[i] = recorded_alone(i, *state, write);
	parts[3] = sessions[0];
	parts[7] = sessions[1];
	parts[9] = sessions[2];
	exported_assert_clean(text);
	assert_in_order(text, parts, sizeof(parts) / sizeof(parts[0]));
	for (int i = 0; i < LECTURED_SESSIONS; i++)
		free(sessions[i]);
	free(text);
	scenes_close(&scenes);
}

static void a_lecture_as_text_has_each_session_below_its_scene(void **state)
{
	assert_sessions_are_below_their_scenes("table", write_answer, state);
	assert_sessions_are_below_their_scenes("report", write_all_tables, state);
}

static void a_lecture_in_markdown_has_its_sessions_two_levels_below(void **state)
{
	static const char *const parts[] = {
		"# Five reports\n",	      "\n## 1\\. Threads or processes?\n",
		"\nBoth do the same work.\n", "### 6 cpu + 2 io\n",
		"#### Which is faster\n",     "\n## 2\\. What a thread is\n",
		"\n## 3\\. A curve\n",	      "### ",
		"\n## 4\\. Lines\n",	      "\n## 5\\. The end\n"};
	struct scenes scenes = opened();
	char *text = export(&scenes, "markdown", *state);

	assert_in_order(text, parts, sizeof(parts) / sizeof(parts[0]));
	assert_int_equal(exported_count(text, "\n# "), 0);
	assert_int_equal(exported_count(text, "\n## "), LECTURED_SCENES);
	assert_int_equal(exported_count(text, "\n### "), LECTURED_SESSIONS);
	free(text);
	scenes_close(&scenes);
}

/* What is exported goes to the audience. */
static void no_format_has_the_notes(void **state)
{
	static const char *const formats[] = {"table", "report", "markdown", "json", "html"};
	struct scenes scenes = opened();

	assert_non_null(strstr(scenes.log.scenes[2].notes, "Second, indented."));
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char *text = export(&scenes, formats[i], *state);

		assert_non_null(strstr(text, "A curve"));
		assert_null(strstr(text, "Second, indented."));
		assert_null(strstr(text, "Not for the audience."));
		free(text);
	}
	scenes_close(&scenes);
}

/* The list of the last scene is content, and each item has the answer of its scene. */
static void each_format_has_the_list_with_the_answers(void **state)
{
	static const char *const formats[] = {"table", "report", "markdown", "json", "html"};
	struct scenes scenes = opened();

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char *text = export(&scenes, formats[i], *state);
		const char *list = strstr(text, LECTURED_ITEM);

		assert_non_null(list);
		assert_non_null(strstr(list, "NO RESULT"));
		free(text);
	}
	scenes_close(&scenes);
}

/* tuibench-lecture(5) has this command. */
static void a_recording_without_rows_of_notes_is_the_same_lecture(void **state)
{
	char path[FOLDER_PATH], less[FOLDER_PATH], command[3 * FOLDER_PATH], error[512];
	struct scenes scenes;

	lectured_file(folder_at(path, *state, "noted.csv"));
	folder_at(less, *state, "handout.csv");
	snprintf(command, sizeof(command), "grep -v '^scene,[0-9,]*,notes,' '%s' > '%s'", path,
		 less);
	assert_int_equal(system(command), 0);
	assert_int_equal(scenes_open(&scenes, less, error, sizeof(error)), 1);
	assert_int_equal(scenes.log.n, LECTURED_SCENES);
	for (size_t i = 0; i < LECTURED_SCENES; i++) {
		assert_string_equal(scenes.log.scenes[i].notes, "");
		assert_string_equal(scenes.log.scenes[i].caption, lectured_scenes[i].caption);
		assert_string_equal(scenes.log.scenes[i].command, lectured_scenes[i].command);
		assert_int_equal(scenes_ran(&scenes, i), lectured_sessions[i] >= 0);
	}
	scenes_close(&scenes);
}

/* A format for one session is refused, and the error says what to type instead. */
static void formats_of_one_session_are_refused_with_a_way_out(void **state)
{
	struct scenes scenes = opened();
	struct options options = {0};
	char error[512];
	size_t refused = 0;

	for (size_t i = 0; (options.format = export_at(i)); i++) {
		if (options.format->lecture)
			continue;
		assert_int_equal(scenes_export(&scenes, NULL, &options, error, sizeof(error)),
				 -EINVAL);
		assert_non_null(strstr(error, options.format->name));
		assert_non_null(strstr(error, "a lecture of 5 scenes; choose one with --scene N"));
		refused++;
	}
	assert_true(refused >= 5);
	scenes_close(&scenes);
}

static void a_scene_that_cannot_be_had_names_those_that_can(void **state)
{
	struct scenes scenes = opened();
	struct options options = {.scene = 3};
	char error[512];

	assert_int_equal(scenes_chosen(&scenes, &options, error, sizeof(error)), 2);
	options.scene = 2;
	assert_int_equal(scenes_chosen(&scenes, &options, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "ran nothing; the scenes with a session are 1, 3, 4"));
	options.scene = 6;
	assert_int_equal(scenes_chosen(&scenes, &options, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "no scene 6; the scenes with a session are 1, 3, 4"));
	scenes_close(&scenes);
}

/* Reading all of it would take an hour. */
static void a_huge_file_without_lines_is_not_read_whole(void **state)
{
	const char *folder = *state;
	struct scenes scenes;
	char path[FOLDER_PATH], error[512];
	int fd;

	folder_at(path, folder, "huge.csv");
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
	assert_int_equal(scenes_open(&scenes, path, error, sizeof(error)), 0);
	scenes_close(&scenes);
}

static void other_recordings_have_no_scenes(void **state)
{
	struct synthetic session;
	struct scenes scenes;
	char path[FOLDER_PATH], error[512];

	lectured_session(0, &session);
	record_file(folder_at(path, *state, "alone.csv"), &session);
	assert_int_equal(scenes_open(&scenes, path, error, sizeof(error)), 0);
	scenes_close(&scenes);
	assert_int_equal(scenes_open(&scenes, "/no/such/file", error, sizeof(error)), 0);
	scenes_close(&scenes);
	assert_int_equal(scenes_open(&scenes, *state, error, sizeof(error)), 0);
	scenes_close(&scenes);
}

/* Writes some bytes one by one and then many at once, more than one read() takes. */
static void write_pieces(int fd)
{
	char bytes[1000] = "piece";

	for (int i = 0; i < 200; i++)
		if (write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
			_exit(1);
	_exit(0);
}

static void a_pipe_of_standard_input_is_a_file_with_all_of_it(void **state)
{
	int ends[2], before = dup(STDIN_FILENO), status;
	struct stat st;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		write_pieces(ends[1]);
	}
	close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	assert_int_equal(scenes_take_input(), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(fstat(STDIN_FILENO, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_size, 200 * 1000);
	assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 0);
	/* the file's position does not change */
	assert_int_equal(lseek(STDIN_FILENO, 7, SEEK_SET), 7);
	assert_int_equal(scenes_take_input(), 0);
	assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 7);
	dup2(before, STDIN_FILENO);
	close(before);
}

#define SCENES_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, folder_tear_down)

#define PACKED_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_packed, folder_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENES_TEST(a_scene_exports_as_its_session_by_itself),
		PACKED_TEST(a_scene_exports_as_its_session_by_itself),
		SCENES_TEST(a_lecture_in_json_has_the_objects_of_its_sessions),
		SCENES_TEST(a_lecture_as_text_has_each_session_below_its_scene),
		SCENES_TEST(a_lecture_in_markdown_has_its_sessions_two_levels_below),
		SCENES_TEST(no_format_has_the_notes),
		SCENES_TEST(each_format_has_the_list_with_the_answers),
		SCENES_TEST(a_recording_without_rows_of_notes_is_the_same_lecture),
		SCENES_TEST(formats_of_one_session_are_refused_with_a_way_out),
		SCENES_TEST(a_scene_that_cannot_be_had_names_those_that_can),
		PACKED_TEST(a_scene_that_cannot_be_had_names_those_that_can),
		SCENES_TEST(a_huge_file_without_lines_is_not_read_whole),
		SCENES_TEST(other_recordings_have_no_scenes),
		SCENES_TEST(a_pipe_of_standard_input_is_a_file_with_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
