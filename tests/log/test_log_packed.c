/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/array.h"
#include "stage/model_equal.h"
#include "stage/record.h"
#include "stage/seed.h"

#define MS INT64_C(1000000)

/* Bytes of a file. */
struct bytes {
	char *at;
	size_t n;
};

struct reading {
	struct model model;
	struct log_damage damage;
	int result;
	size_t refused;
};

static const enum log_packing packings[] = {LOG_ZSTD, LOG_GZIP};

static struct bytes bytes_of_file(int fd)
{
	struct bytes bytes = {.n = (size_t)lseek(fd, 0, SEEK_END)};

	bytes.at = malloc(bytes.n + 1);
	assert_non_null(bytes.at);
	assert_int_equal(pread(fd, bytes.at, bytes.n, 0), bytes.n);
	close(fd);
	return bytes;
}

static struct bytes packed(const struct synthetic *session, enum log_packing packing)
{
	const int fd = record_memory();
	struct log_writer *log = log_create(dup(fd));

	assert_non_null(log);
	assert_int_equal(log_compress(log, packing), 0);
	assert_int_equal(synthetic_play(session, record_sample, log), 0);
	assert_int_equal(log_close(log), 0);
	return bytes_of_file(fd);
}

static int take_sample(void *arg, const struct sample *sample)
{
	struct reading *reading = arg;

	reading->refused += model_apply(&reading->model, sample) != 0;
	return 0;
}

static void read_bytes(struct reading *reading, struct bytes bytes, size_t piece)
{
	struct log_reader *reader = log_reader_new();

	assert_non_null(reader);
	memset(reading, 0, sizeof(*reading));
	model_init(&reading->model);
	for (size_t i = 0; i < bytes.n && !reading->result; i += piece)
		reading->result = log_reader_feed(reader, bytes.at + i, MIN(piece, bytes.n - i),
						  take_sample, reading);
	if (!reading->result)
		reading->result = log_reader_feed(reader, NULL, 0, take_sample, reading);
	reading->damage = *log_reader_damage(reader);
	log_reader_free(reader);
}

static void reads_whole(struct bytes bytes, size_t piece, const struct model *model)
{
	struct reading reading;

	read_bytes(&reading, bytes, piece);
	assert_int_equal(reading.result, 0);
	assert_int_equal(reading.damage.left_out + reading.refused, 0);
	assert_true(model_equal(&reading.model, model));
	model_free(&reading.model);
}

static void a_compressed_recording_reads_as_one_that_is_not(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 3);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < 2; i++) {
		struct bytes plain = packed(&session, LOG_PLAIN);
		struct bytes bytes = packed(&session, packings[i]);

		assert_true(bytes.n < plain.n / 4);
		assert_int_equal(log_packing_by(bytes.at, bytes.n), packings[i]);
		for (size_t piece = 1; piece < 1 << 20; piece *= 37)
			reads_whole(bytes, piece, &model);
		free(bytes.at);
		free(plain.at);
	}
	model_free(&model);
}

static void frames_one_after_the_other_read_as_one(void **state)
{
	struct synthetic session;
	struct model model;
	struct bytes text;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &model);
	text.at = record_bytes(&session, &text.n);
	for (int level = -1; level <= 19; level += 10) {
		const size_t half = text.n / 2, room = ZSTD_compressBound(text.n) + 100;
		struct bytes bytes = {malloc(room), 0};

		bytes.n = ZSTD_compress(bytes.at, room, text.at, half, level);
		/* Add a skippable frame: readers must ignore it. */
		memcpy(bytes.at + bytes.n, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
		bytes.n += 11;
		bytes.n += ZSTD_compress(bytes.at + bytes.n, room - bytes.n, text.at + half,
					 text.n - half, level);
		reads_whole(bytes, 4096, &model);
		reads_whole(bytes, 1, &model);
		free(bytes.at);
	}
	free(text.at);
	model_free(&model);
}

static void what_was_flushed_is_read_after_a_kill(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		const int fd = record_memory();
		struct log_writer *log = log_create(dup(fd));
		struct synthetic session;
		struct reading reading;
		struct bytes bytes;

		synthetic_mixed(&session, 1);
		session.stop_ns = 2500 * MS;
		assert_int_equal(log_compress(log, packings[i]), 0);
		assert_int_equal(synthetic_play(&session, record_sample, log), 0);
		bytes = bytes_of_file(fd); /* not closed */
		read_bytes(&reading, bytes, bytes.n);
		assert_int_equal(reading.result, 0);
		assert_int_equal(reading.damage.left_out, 0);
		assert_true(reading.model.newest_ns >= 1500 * MS);
		assert_false(reading.model.done);
		model_free(&reading.model);
		free(bytes.at);
		assert_int_equal(log_close(log), 0);
	}
}

static void a_compressed_recording_cut_anywhere_reads_as_its_begin(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 2);
	for (size_t i = 0; i < 2; i++) {
		struct bytes whole = packed(&session, packings[i]);
		int64_t before_ns = 0;

		for (size_t n = 40; n < whole.n; n += 1 + whole.n / 150) {
			struct reading reading;

			read_bytes(&reading, (struct bytes) {whole.at, n}, n);
			assert_int_equal(reading.damage.unpacked.why, LOG_UNPACK_ENDED);
			assert_int_equal(reading.refused, 0);
			assert_true(reading.damage.left_out <= 1u + reading.damage.torn ||
				    packings[i] == LOG_GZIP);
			assert_true(reading.model.newest_ns >= before_ns);
			before_ns = reading.model.newest_ns;
			model_free(&reading.model);
		}
		assert_true(before_ns > 0);
		free(whole.at);
	}
}

static void damage_loses_what_follows_and_nothing_before(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 3);
	for (size_t i = 0; i < 2; i++) {
		struct bytes bytes = packed(&session, packings[i]);
		struct reading reading, cut;
		const size_t at = bytes.n * 3 / 4;

		read_bytes(&cut, (struct bytes) {bytes.at, at}, at);
		memset(bytes.at + at, 0xff, 40);
		read_bytes(&reading, bytes, 5000);
		assert_int_equal(reading.result, 0);
		assert_int_equal(reading.damage.unpacked.why, LOG_UNPACK_BROKEN);
		assert_true(reading.model.n_runs >= cut.model.n_runs);
		assert_true(reading.model.n_runs > 0);
		model_free(&reading.model);
		model_free(&cut.model);
		free(bytes.at);
	}
}

static void damage_is_said_with_its_place(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 3);
	for (size_t i = 0; i < 2; i++) {
		struct bytes bytes = packed(&session, packings[i]);
		const size_t at = bytes.n * 3 / 4;

		memset(bytes.at + at, 0xff, 40);
		for (size_t piece = 1; piece < bytes.n; piece *= 300) {
			struct reading reading;

			read_bytes(&reading, bytes, piece);
			assert_in_range(reading.damage.unpacked.at, at - 4096, at + 4096);
			model_free(&reading.model);
		}
		free(bytes.at);
	}
}

static void something_else_after_a_frame_is_garbage(void **state)
{
	/* The last two begin like a frame of zstd and like one of gzip. */
	static const char other[][32] = {"Connection to lab1 closed.\r\n",
					 "(Connection to lab1 closed.)\r\n",
					 "\x1f Connection to lab1 closed.\r\n"};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < 2 * LENGTH(other); i++) {
		struct bytes bytes = packed(&session, packings[i % 2]);
		const char *garbage = other[i / 2];
		struct reading reading;

		bytes.at = realloc(bytes.at, bytes.n + strlen(garbage));
		memcpy(bytes.at + bytes.n, garbage, strlen(garbage));
		bytes.n += strlen(garbage);
		for (size_t piece = 1; piece <= bytes.n; piece += bytes.n - 1) {
			read_bytes(&reading, bytes, piece);
			assert_int_equal(reading.result, 0);
			assert_true(reading.damage.garbage);
			assert_true(model_equal(&reading.model, &model));
			model_free(&reading.model);
		}
		free(bytes.at);
	}
	model_free(&model);
}

/* Returns a recording, followed by many megabytes of one of its rows, which compress well. */
static struct bytes bomb(const struct synthetic *session, size_t megabytes)
{
	struct bytes text, rows = {malloc(1 << 20), 0}, bytes = {malloc(16 << 20), 0};
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_outBuffer out = {bytes.at, 16 << 20, 0};
	const char *row;

	text.at = record_bytes(session, &text.n);
	row = memmem(text.at, text.n, "\r\nslice,", 8);
	row = row ? row : memmem(text.at, text.n, "\r\ntick,", 7);
	while (rows.n < 1000000) {
		const size_t n = (size_t)(strstr(row + 2, "\r\n") - row);

		memcpy(rows.at + rows.n, row + 2, n);
		rows.n += n;
	}
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 19);
	for (size_t i = 0; i <= megabytes; i++) {
		ZSTD_inBuffer in = {i ? rows.at : text.at, i ? rows.n : text.n, 0};

		while (in.pos < in.size)
			ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_continue);
	}
	ZSTD_compressStream2(zstd, &out, &(ZSTD_inBuffer) {NULL, 0, 0}, ZSTD_e_end);
	ZSTD_freeCCtx(zstd);
	free(text.at);
	free(rows.at);
	bytes.n = out.pos;
	return bytes;
}

static void a_bomb_ends_at_a_thousand_times_its_size(void **state)
{
	struct synthetic session;
	struct reading reading;
	struct bytes bytes;

	synthetic_mixed(&session, 1);
	bytes = bomb(&session, 300);
	assert_true(bytes.n < 200000);
	read_bytes(&reading, bytes, 16384);
	assert_int_equal(reading.result, 0);
	assert_int_equal(reading.damage.unpacked.why, LOG_UNPACK_BOMB);
	assert_true(reading.damage.unpacked.out < MAX(UINT64_C(20) << 20, bytes.n * 1000 + 65536));
	assert_true(reading.model.n_runs > 0);
	model_free(&reading.model);
	free(bytes.at);
}

/* Random bytes may follow the magic number. The reader must end. */
static void any_damage_ends(void **state)
{
	struct synthetic session;

	seed_random();
	synthetic_mixed(&session, 1);
	for (size_t i = 0; i < 2; i++) {
		struct bytes bytes = packed(&session, packings[i]);

		for (int k = 0; k < 300; k++) {
			struct bytes copy = {malloc(bytes.n), bytes.n};
			struct reading reading;

			memcpy(copy.at, bytes.at, bytes.n);
			for (int at = 0; at < 3; at++)
				copy.at[4 + (size_t)random() % (bytes.n - 4)] = (char)random();
			read_bytes(&reading, copy, 1 + (size_t)random() % 9000);
			model_free(&reading.model);
			free(copy.at);
		}
		free(bytes.at);
	}
}

static int write_sample(void *arg, const struct sample *sample)
{
	log_write(arg, sample);
	return 0;
}

static void a_full_disk_keeps_what_was_flushed(void **state)
{
	struct synthetic session;

	signal(SIGXFSZ, SIG_IGN);
	synthetic_mixed(&session, 3);
	for (size_t i = 0; i < 2; i++)
		for (rlim_t most = 2000; most < 9000; most += 1111) {
			const int fd = record_memory();
			struct log_writer *log = log_create(dup(fd));
			struct rlimit all, some;
			struct reading reading;
			struct bytes bytes;

			assert_int_equal(log_compress(log, packings[i]), 0);
			getrlimit(RLIMIT_FSIZE, &all);
			some = all;
			some.rlim_cur = most;
			assert_int_equal(setrlimit(RLIMIT_FSIZE, &some), 0);
			assert_int_equal(synthetic_play(&session, write_sample, log), 0);
			assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
			assert_int_equal(log_close(log), -EFBIG);
			bytes = bytes_of_file(fd);
			assert_true(bytes.n <= most);
			read_bytes(&reading, bytes, 4096);
			assert_int_equal(reading.damage.left_out, 0);
			assert_int_equal(reading.damage.unpacked.why, LOG_UNPACK_ENDED);
			model_free(&reading.model);
			free(bytes.at);
		}
}

static void a_name_says_how_it_is_compressed(void **state)
{
	static const struct {
		const char *name;
		enum log_packing packing;
		size_t end;
	} names[] = {
		{"a.csv", LOG_PLAIN, 4},   {"a.csv.zst", LOG_ZSTD, 8},
		{"a.csv.gz", LOG_GZIP, 7}, {"a.zst", LOG_ZSTD, 0},
		{"", LOG_PLAIN, 0},	   {"/dev/stdout", LOG_PLAIN, 0},
		{".csv.zst", LOG_ZSTD, 0}, {"a.csv.xz", LOG_PLAIN, 0},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(log_packing_of(names[i].name), names[i].packing);
		assert_int_equal(log_name_end(names[i].name), names[i].end);
	}
}

static void the_time_of_a_compressed_session_is_read_from_its_begin(void **state)
{
	struct synthetic session;
	const int64_t begun = INT64_C(1772384400);

	synthetic_mixed(&session, 1);
	session.wall_s = begun;
	for (size_t i = 0; i < 2; i++) {
		struct bytes bytes = packed(&session, packings[i]);
		const int fd = record_memory();

		assert_int_equal(write(fd, bytes.at, bytes.n), bytes.n);
		assert_true(log_is_packed(fd));
		assert_int_equal(log_begun_ns(fd) / (1000 * MS), begun);
		close(fd);
		free(bytes.at);
	}
}

static const char said[] = "[REAL] 1,024 \"a\", \xc3\xa4 ms";

static int say_and_record(void *log, const struct sample *sample)
{
	if (sample->kind == SAMPLE_DONE)
		log_end_with(log, said);
	return record_sample(log, sample);
}

/* Returns a session whose end has its answer. A message may follow it. */
static struct bytes answered(enum log_packing packing, bool message)
{
	struct sample later = {.kind = SAMPLE_MESSAGE, .time_ns = 1, .message.text = "later"};
	const int fd = record_memory();
	struct log_writer *log = log_create(dup(fd));
	struct synthetic session;

	synthetic_mixed(&session, 2);
	assert_int_equal(log_compress(log, packing), 0);
	assert_int_equal(synthetic_play(&session, say_and_record, log), 0);
	if (message)
		assert_int_equal(log_write(log, &later), 0);
	assert_int_equal(log_close(log), 0);
	return bytes_of_file(fd);
}

static bool says_answer(struct bytes bytes, size_t n)
{
	const int fd = record_memory();
	char answer[256];
	bool known;

	assert_int_equal(write(fd, bytes.at, n), n);
	known = log_answer(fd, answer, sizeof(answer));
	close(fd);
	if (known)
		assert_string_equal(answer, said);
	return known;
}

static void an_answer_is_read_from_the_last_bytes(void **state)
{
	struct reading reading;

	for (enum log_packing packing = LOG_PLAIN; packing <= LOG_GZIP; packing++) {
		struct bytes bytes = answered(packing, false), later = answered(packing, true);

		/* gzip has no place for the answer, so such recordings are read completely. */
		assert_int_equal(says_answer(bytes, bytes.n), packing != LOG_GZIP);
		assert_false(says_answer(later, later.n));
		for (size_t cut = 1; cut < 200; cut++)
			assert_false(says_answer(bytes, bytes.n - cut));
		read_bytes(&reading, bytes, 1000);
		assert_int_equal(reading.result, 0);
		assert_int_equal(reading.damage.left_out + reading.refused, 0);
		assert_int_equal(reading.damage.unpacked.why, LOG_UNPACK_ENDED);
		assert_true(reading.model.done);
		model_free(&reading.model);
		free(bytes.at);
		free(later.at);
	}
}

/* At least the row's record, its time, and its text. */
enum { NOTE_BYTES = 200 };

static void damage_to_the_last_bytes_gives_no_other_answer(void **state)
{
	struct bytes bytes = answered(LOG_ZSTD, false);

	seed_random();
	for (int i = 0; i < 2000; i++) {
		const size_t at = bytes.n - 1 - (size_t)random() % NOTE_BYTES;
		const char before = bytes.at[at];

		/* Change any byte of the note. Its checksum must then be wrong. */
		bytes.at[at] ^= (char)(1 + random() % 255);
		assert_false(says_answer(bytes, bytes.n));
		bytes.at[at] = before;
	}
	free(bytes.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compressed_recording_reads_as_one_that_is_not),
		cmocka_unit_test(frames_one_after_the_other_read_as_one),
		cmocka_unit_test(what_was_flushed_is_read_after_a_kill),
		cmocka_unit_test(a_compressed_recording_cut_anywhere_reads_as_its_begin),
		cmocka_unit_test(damage_loses_what_follows_and_nothing_before),
		cmocka_unit_test(damage_is_said_with_its_place),
		cmocka_unit_test(something_else_after_a_frame_is_garbage),
		cmocka_unit_test(a_bomb_ends_at_a_thousand_times_its_size),
		cmocka_unit_test(any_damage_ends),
		cmocka_unit_test(a_full_disk_keeps_what_was_flushed),
		cmocka_unit_test(a_name_says_how_it_is_compressed),
		cmocka_unit_test(the_time_of_a_compressed_session_is_read_from_its_begin),
		cmocka_unit_test(an_answer_is_read_from_the_last_bytes),
		cmocka_unit_test(damage_to_the_last_bytes_gives_no_other_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
