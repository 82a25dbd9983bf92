/* SPDX-License-Identifier: MIT */
#include "lecture_log.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error_line.h"

int lecture_log_open(struct lecture_log *log, const struct options *options,
		     const struct lecturer *lecturer, char *error, size_t size)
{
	const struct lecture *lecture = &lecturer->lecture;
	int err;

	*log = (struct lecture_log) {.lecturer = lecturer};
	log->recorded = calloc(lecture->n, sizeof(*log->recorded));
	if (!log->recorded)
		return error_line(error, size, -ENOMEM, "out of memory");
	err = recording_open(&log->recording, options, "lecture", error, size);
	if (!err && log->recording.log)
		log_lecture(log->recording.log, lecture->title, (uint32_t)lecture->n);
	return err;
}

/* A write that fails is told at the lecture's end. */
static void put(struct lecture_log *log, size_t i, const char *command)
{
	const struct lecture_scene *scene = &log->lecturer->lecture.scenes[i];
	const struct log_scene row = {scene->heading, scene->caption, scene->notes, command};

	log->recorded[i] = true;
	if (log->recording.log)
		log_scene(log->recording.log, (uint32_t)i + 1, &row);
}

/* Those that have been shown since the last session began. */
static void put_seen(struct lecture_log *log, size_t but)
{
	const struct lecturer *lecturer = log->lecturer;

	for (size_t i = 0; i < lecturer->lecture.n; i++)
		if (lecturer->scenes[i].seen && !log->recorded[i] && i != but)
			put(log, i, lecturer->lecture.scenes[i].command);
}

struct recording lecture_log_begin(struct lecture_log *log, const struct options *options,
				   const char *command)
{
	const size_t scene = lecturer_session(log->lecturer);

	if (scene == SIZE_MAX)
		return (struct recording) {.log = NULL};
	put_seen(log, scene);
	put(log, scene, command ? command : log->lecturer->lecture.scenes[scene].command);
	return options->no_log ? (struct recording) {.log = NULL} : log->recording;
}

void lecture_log_end(struct lecture_log *log)
{
	put_seen(log, log->lecturer->lecture.n);
}

void lecture_log_free(struct lecture_log *log)
{
	free(log->recorded);
	log->recorded = NULL;
}
