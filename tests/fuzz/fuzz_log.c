/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_draw.h"
#include "core/sample.h"
#include "log/log.h"
#include "model/model.h"

/*
 * Reads random bytes as a recording, in pieces, and applies the samples to a model. Then moves the
 * model in time, draws it in every view at five sizes, and exports it in every format. Checks that
 * no glyph is a control character. The sanitizers check the rest.
 */

#define PIECE	    61	  /* bytes of a piece; no divisor of any size in the file */
#define WORKERS_MAX 20000 /* drawing more workers finds nothing new, and takes long */

struct reading {
	struct model *model;
	uint64_t seed; /* seed for the names of cases; 0: the names that were read */
};

/*
 * Makes a name of characters that separate keys, values and cells, and of letters of every width.
 */
static void name_case(struct sample_case *one, uint64_t *seed)
{
	static const char *const letters[] = {"=",	   "=",	       "=",
					      ",",	   ":",	       " ",
					      " ",	   "a",	       "t",
					      "W",	   "-",	       "/",
					      "#",	   "@",	       "\xe7\x95\x8c",
					      "e\xcc\x81", "\xc3\xa4", "\xf0\x9f\x98\x80",
					      "\"",	   "|",	       "<"};
	const char *letter = "";

	*one->model = '\0';
	for (size_t n = *seed % 24; n > 0; n--) {
		*seed = *seed * 6364136223846793005 + 1442695040888963407;
		/* long keys can become rows of one letter */
		if (!*letter || *seed >> 62 == 0)
			letter = letters[(*seed >> 33) % (sizeof(letters) / sizeof(*letters))];
		strcat(one->model, letter);
	}
}

static int take(void *arg, const struct sample *sample)
{
	const struct reading *reading = arg;
	struct sample renamed = *sample;
	struct sample_case *cases;
	uint64_t seed = reading->seed;
	size_t n = sample->kind == SAMPLE_SESSION && seed ? sample->session.cases : 0;

	cases = n > 0 ? calloc(n, sizeof(*cases)) : NULL;
	if (cases) {
		memcpy(cases, sample->session.cases_list, n * sizeof(*cases));
		for (size_t i = 0; i < n; i++)
			name_case(&cases[i], &seed);
		renamed.session.cases_list = cases;
	}
	model_apply(reading->model, &renamed);
	free(cases);
	return 0;
}

static void read_log(struct model *model, const uint8_t *bytes, size_t n, uint64_t seed)
{
	struct reading reading = {model, seed};
	struct log_reader *reader = log_reader_new();
	int err = reader ? 0 : -1;

	for (size_t i = 0; i < n && !err; i += PIECE)
		err = log_reader_feed(reader, bytes + i, n - i < PIECE ? n - i : PIECE, take,
				      &reading);
	if (!err)
		log_reader_feed(reader, NULL, 0, take, &reading);
	log_reader_free(reader);
}

static size_t count_workers(const struct model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n_runs; i++)
		n += model->runs[i].n_workers;
	return n;
}

/* Joins the recording with itself. */
static void join(const uint8_t *bytes, size_t n)
{
	struct model parts[2], model;

	for (int i = 0; i < 2; i++) {
		model_init(&parts[i]);
		read_log(&parts[i], bytes, n, i ? fuzz_hash(bytes, n) : 0);
	}
	if (parts[0].has_session) {
		if (model_join(parts, &model) == 0 && count_workers(&model) <= WORKERS_MAX)
			fuzz_draw(&model, fuzz_hash(bytes, n));
		model_free(&model);
	}
	model_free(&parts[0]);
	model_free(&parts[1]);
}

/* Reads a session of a lecture as if its header was above it. */
static void read_part(const uint8_t *bytes, const struct log_part *part)
{
	struct log_reader *reader = log_reader_new();
	struct model model;
	struct reading reading = {&model, 0};

	model_init(&model);
	if (reader && !log_reader_feed(reader, bytes, (size_t)part->header, take, &reading) &&
	    !log_reader_feed(reader, bytes + part->begin, (size_t)(part->end - part->begin), take,
			     &reading))
		log_reader_feed(reader, NULL, 0, take, &reading);
	log_reader_free(reader);
	if (count_workers(&model) <= WORKERS_MAX)
		fuzz_draw(&model, fuzz_hash(bytes, (size_t)part->end));
	model_free(&model);
}

/* Scenes are read at their places in a file. Their sessions are inside the file, in order. */
static void read_scenes(const uint8_t *bytes, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct log_scenes scenes;
	off_t at = 0;

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	log_scenes_read(fd, &scenes);
	for (size_t i = 0; i < scenes.n; i++) {
		const struct log_part *part = &scenes.parts[i];

		if (part->begin == part->end)
			continue;
		if (part->begin < at || part->end < part->begin || (size_t)part->end > n)
			abort();
		at = part->end;
		read_part(bytes, part);
	}
	log_scenes_free(&scenes);
	close(fd);
}

/* Draws at the beginning, at half of the time, and twice at the end: also with other names. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const uint64_t hash = fuzz_hash(bytes, n);
	struct model model;

	for (int turn = 0; turn < 4; turn++) {
		model_init(&model);
		read_log(&model, bytes, n, turn == 3 ? hash | 1 : 0);
		model_seek(&model, turn < 2 ? model.newest_ns / 2 * turn : model.newest_ns);
		if (count_workers(&model) <= WORKERS_MAX)
			fuzz_draw(&model, hash >> turn);
		model_free(&model);
	}
	read_scenes(bytes, n);
	if (n % 8 == 0)
		join(bytes, n);
	return 0;
}
