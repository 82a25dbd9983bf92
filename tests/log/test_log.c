/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "log/log_parts.h"
#include "stage/record.h"
#include "stage/seed.h"
#include "stage/model_equal.h"

#define MS 1000000ll

/* A log in memory. */
struct text {
	char *bytes;
	size_t n;
};

/* Result of reading a log. */
struct reading {
	struct model model;
	struct log_damage damage;
	int result;
	size_t samples, refused; /* samples that the model refused */
	uint64_t seen[4096];	 /* kind and time of each sample, as many as fit */
};

static struct text text_of_file(int fd)
{
	struct text text;

	text.n = (size_t)lseek(fd, 0, SEEK_END);
	text.bytes = malloc(text.n + 1);
	assert_non_null(text.bytes);
	assert_int_equal(pread(fd, text.bytes, text.n, 0), text.n);
	text.bytes[text.n] = '\0';
	return text;
}

static struct text record(const struct synthetic *session)
{
	struct text text;

	text.bytes = record_bytes(session, &text.n);
	return text;
}

static int read_sample(void *arg, const struct sample *sample)
{
	struct reading *reading = arg;

	if (reading->samples < 4096)
		reading->seen[reading->samples] =
			(uint64_t)sample->time_ns << 3 | (uint64_t)sample->kind;
	reading->samples++;
	reading->refused += model_apply(&reading->model, sample) != 0;
	return 0;
}

static struct reading *read_pieces(const char *bytes, size_t n, size_t piece)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	struct log_reader *reader = log_reader_new();

	assert_non_null(reading);
	assert_non_null(reader);
	model_init(&reading->model);
	for (size_t i = 0; i < n && !reading->result; i += piece)
		reading->result = log_reader_feed(reader, bytes + i, n - i < piece ? n - i : piece,
						  read_sample, reading);
	if (!reading->result)
		reading->result = log_reader_feed(reader, NULL, 0, read_sample, reading);
	reading->damage = *log_reader_damage(reader);
	log_reader_free(reader);
	return reading;
}

static struct reading *read_text(const struct text *text)
{
	return read_pieces(text->bytes, text->n, text->n);
}

static void reading_free(struct reading *reading)
{
	model_free(&reading->model);
	free(reading);
}

/* Returns the log with every occurrence of one string replaced by another. */
static struct text replaced(const struct text *text, const char *from, const char *to)
{
	struct text out = {NULL, 0};
	FILE *stream = open_memstream(&out.bytes, &out.n);
	const char *at = text->bytes, *hit;

	while ((hit = strstr(at, from))) {
		fwrite(at, 1, (size_t)(hit - at), stream);
		fputs(to, stream);
		at = hit + strlen(from);
	}
	fputs(at, stream);
	fclose(stream);
	return out;
}

/* Returns the log with bytes inserted before line `line`, counted from 1. */
static struct text with_line(const struct text *text, unsigned line, const char *bytes, size_t n)
{
	struct text out;
	const char *at = text->bytes;
	size_t before;

	for (unsigned i = 1; i < line; i++)
		at = strchr(at, '\n') + 1;
	before = (size_t)(at - text->bytes);
	out.n = text->n + n;
	out.bytes = malloc(out.n + 1);
	memcpy(out.bytes, text->bytes, before);
	memcpy(out.bytes + before, bytes, n);
	memcpy(out.bytes + before + n, at, text->n - before + 1);
	return out;
}

static unsigned lines_of(const struct text *text)
{
	unsigned lines = 0;

	for (size_t i = 0; i < text->n; i++)
		lines += text->bytes[i] == '\n';
	return lines;
}

/* Makes a session of 0.9 s: the cases, and a run that has not ended. */
static void small_session(struct synthetic *session)
{
	synthetic_mixed(session, 1);
	session->stop_ns = 900 * MS;
}

static void assert_undamaged(const struct reading *reading)
{
	assert_int_equal(reading->result, 0);
	assert_string_equal(reading->damage.reason, "");
	assert_int_equal(reading->damage.left_out, 0);
	assert_int_equal(reading->damage.first_line, 0);
	assert_false(reading->damage.torn);
	assert_false(reading->damage.newer);
	assert_int_equal(reading->refused, 0);
}

static void assert_round_trip(const struct synthetic *session)
{
	struct text text = record(session);
	struct reading *reading = read_text(&text);
	struct model model;

	synthetic_model(session, &model);
	assert_undamaged(reading);
	assert_true(model_equal(&model, &reading->model));
	model_free(&model);
	reading_free(reading);
	free(text.bytes);
}

static void mixed_session_reads_back_equal(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 3);
	session.warmup = 1;
	session.cores = 9;
	session.paused_run = 2;
	session.crowded_trial = 2;
	assert_round_trip(&session);
}

static void slices_read_back_equal(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 2);
	session.slices = session.wakes = true;
	assert_round_trip(&session);
}

static void tree_of_5000_reads_back_equal(void **state)
{
	struct synthetic session;

	synthetic_tree(&session, 1);
	assert_round_trip(&session);
}

static void broken_runs_read_back_equal(void **state)
{
	static const enum sample_status ends[] = {SAMPLE_FAILED, SAMPLE_CRASHED, SAMPLE_INTERRUPTED,
						  SAMPLE_REFUSED};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct synthetic session;

		synthetic_mixed(&session, 2);
		session.broken_run = 1;
		session.broken = ends[i];
		assert_round_trip(&session);
	}
}

static void odd_texts_read_back_equal(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.title = " \"6\" cpu, \xc3\xa4 \xe6\xbc\xa2 \xf0\x9f\x90\xa7 ";
	session.options = "tuibench -s 'io-file=a,b \"c\"' -s workers=2..8";
	synthetic_add(&session, "threads#2", "tree=50x99;workers=4", 100 * MS);
	assert_round_trip(&session);
}

static void control_characters_and_broken_utf8_are_replaced(void **state)
{
	const char *from = "a\nb\x1b[2J\x7f\xc2\x9b\xff\xe2\x82 \xed\xa0\x80\xc3\xa9";
	struct synthetic session;
	struct text text;
	struct reading *reading;

	synthetic_mixed(&session, 1);
	session.options = from;
	text = record(&session);
	assert_null(memchr(text.bytes, 0x1b, text.n));
	reading = read_text(&text);
	assert_undamaged(reading);
	assert_string_equal(reading->model.session.options, "a?b?[2J?\?\?\?\? ?\?\?\xc3\xa9");
	reading_free(reading);
	free(text.bytes);
}

static void control_characters_in_a_file_are_replaced(void **state)
{
	struct synthetic session;
	struct text text, evil;
	struct reading *reading;

	small_session(&session);
	text = record(&session);
	evil = replaced(&text, "threads", "thr\x1b]0;x\x07s");
	reading = read_text(&evil);
	assert_string_equal(reading->model.cases[0].model, "thr?]0;x?s");
	reading_free(reading);
	free(evil.bytes);
	free(text.bytes);
}

static unsigned count_columns(void)
{
	struct log_schema schema;

	log_schema_init(&schema);
	return schema.n_columns;
}

static void every_row_has_as_many_cells_as_the_header(void **state)
{
	struct synthetic session;
	struct text text;
	unsigned commas = 0;
	bool quoted = false;

	synthetic_mixed(&session, 1);
	text = record(&session);
	for (char *at = text.bytes; *at; at++) {
		quoted ^= *at == '"';
		commas += *at == ',' && !quoted;
		if (*at != '\n')
			continue;
		assert_int_equal(commas, count_columns() - 1);
		assert_int_equal(at[-1], '\r');
		commas = 0;
	}
	assert_int_equal(strncmp(text.bytes, "record,time_ns,", 15), 0);
	assert_non_null(strstr(text.bytes, ",0,"));
	assert_null(strstr(text.bytes, ",-0,"));
	free(text.bytes);
}

/* Samples with the least and greatest value of each type of number. */
static void extreme_numbers_read_back_equal(void **state)
{
	struct sample_case c = {.model = "threads",
				.plan = {.levels = 1, .fanout = {2}, .barrier = true}};
	struct sample_change change = {.index = 1};
	struct sample_worker worker = {.status = SAMPLE_CRASHED,
				       .error = 11,
				       .create_ns = 0,
				       .created_ns = INT64_MAX,
				       .start_ns = INT64_MIN,
				       .work_ns = -2,
				       .finish_ns = -1,
				       .join_ns = 5,
				       .result = UINT64_MAX,
				       .user_us = UINT32_MAX,
				       .pid = INT32_MAX,
				       .tid = INT32_MIN,
				       .cpu_first = INT16_MAX,
				       .cpu_last = -1,
				       .parent_cpu = INT16_MAX};
	struct sample_core core = {.cpu = 0, .user = 1000, .system = -1, .iowait = -1, .steal = 0};
	struct sample sample = {.kind = SAMPLE_SESSION};
	struct log_writer *log;
	struct model model;
	struct reading *reading;
	struct text text;
	int fd = record_memory();

	log = log_create(dup(fd));
	model_init(&model);
	sample.session.cases = 1;
	sample.session.cases_list = &c;
	sample.session.wall_s = INT64_MAX;
	sample.session.machine.cpu_quota = 0.1;
	sample.session.machine.mhz = -1;
	assert_int_equal(log_write(log, &sample) | model_apply(&model, &sample), 0);
	sample = (struct sample) {.kind = SAMPLE_RUN_BEGIN, .time_ns = 3};
	sample.run = (struct sample_run) {.run = 0, .trial = 4294967295u, .planned = 7};
	assert_int_equal(log_write(log, &sample) | model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_TICK;
	change.worker = worker;
	sample.tick = (struct sample_tick) {.n_cores = 1,
					    .cores = &core,
					    .in_run = true,
					    .n_workers = 1,
					    .workers = &change,
					    .tasks = -1,
					    .self_cpu_us = UINT64_MAX,
					    .terminal_us = INT64_MAX,
					    .lost = 4,
					    .paused = true,
					    .memory = {.rss_kb = INT64_MAX,
						       -1,
						       0,
						       -1,
						       true,
						       .rss_seen = -1,
						       .pss_seen = -1,
						       .kernel_seen = -1}};
	assert_int_equal(log_write(log, &sample) | model_apply(&model, &sample), 0);
	assert_int_equal(log_close(log), 0);
	text = text_of_file(fd);
	reading = read_text(&text);
	assert_undamaged(reading);
	assert_true(model_equal(&model, &reading->model));
	model_free(&model);
	reading_free(reading);
	free(text.bytes);
	close(fd);
}

/*
 * Two commands of the greatest length. Each byte becomes several bytes in the file, because it is
 * quoted twice. So these are the longest rows.
 */
static void commands_read_back_whole(void **state)
{
	static struct sample_case cases[] = {
		{.model = "a",
		 .plan = {.levels = 1, .fanout = {1}, .leaves = {[WORK_PROGRAM] = 1}}},
		{.model = "b",
		 .plan = {.levels = 1, .fanout = {1}, .leaves = {[WORK_PROGRAM] = 1}}},
		{.model = "c", .plan = {.levels = 1, .fanout = {1}, .leaves = {[WORK_CPU] = 1}}},
	};
	static struct sample sample = {.kind = SAMPLE_SESSION};
	struct text text, of_old;
	struct reading *reading;
	struct log_writer *log;
	struct model model;
	int fd = record_memory();

	memset(cases[0].command, '"', SAMPLE_COMMAND - 1);
	strcpy(cases[1].command, " sh -c 'a, b; c' ");
	memset(sample.session.options, '"', SAMPLE_COMMAND - 1);
	sample.session.cases = 3;
	sample.session.cases_list = cases;
	log = log_create(dup(fd));
	model_init(&model);
	for (int i = 0; i < 2; i++)
		assert_int_equal(log_write(log, &sample), 0);
	assert_int_equal(model_apply(&model, &sample) | log_close(log), 0);
	text = text_of_file(fd);
	reading = read_text(&text);
	assert_true(model_equal(&model, &reading->model));
	assert_string_equal(reading->model.session.options, sample.session.options);
	assert_string_equal(reading->model.cases[0].command, cases[0].command);
	assert_string_equal(reading->model.cases[1].command, cases[1].command);
	reading_free(reading);
	/* An earlier version had no such column, and a later one may have other columns. */
	of_old = replaced(&text, ",command\r\n", ",of_later\r\n");
	reading = read_text(&of_old);
	assert_int_equal(reading->model.n_cases, 3);
	assert_string_equal(reading->model.cases[1].command, "");
	reading_free(reading);
	model_free(&model);
	free(of_old.bytes);
	free(text.bytes);
	close(fd);
}

static void the_shortest_decimals_give_a_number_back(void **state)
{
	static const double numbers[] = {0.1, 1.5, 1e300, 3, 2.0 / 3, 5e-324, -0.25};
	char text[32];
	double back;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		log_schema_double(numbers[i], text, sizeof(text));
		assert_null(strchr(text, ','));
		assert_int_equal(log_schema_double_parse(text, &back), 0);
		assert_true(back == numbers[i]);
	}
	assert_int_equal(log_schema_double_parse("1,5", &back), -EINVAL);
	assert_int_equal(log_schema_double_parse("", &back), -EINVAL);
}

static void a_primitive_and_its_ballast_read_back_equal(void **state)
{
	struct sample_case one = {.ballast = UINT64_C(1) << 30}, back = {.ballast = 7};
	char text[SAMPLE_TEXT];
	int i;

	for (i = PLAN_PLAIN + 1; i < PLAN_PRIMITIVES; i++) {
		plan_creation((enum plan_primitive)i, 1000, &one.plan);
		log_schema_case(&one, text, sizeof(text));
		assert_int_equal(log_schema_case_parse(text, &back), 0);
		assert_memory_equal(&one.plan, &back.plan, sizeof(one.plan));
		assert_true(back.ballast == one.ballast);
	}
	plan_creation(PLAN_CLONE, 1000, &one.plan);
	assert_string_equal(log_schema_case(&one, text, sizeof(text)),
			    "thread:1000 batch:1 ballast:1073741824 by:clone");
	one.plan.placement = PLAN_IDLE;
	assert_string_equal(log_schema_case(&one, text, sizeof(text)),
			    "thread:1000 batch:1 ballast:1073741824 by:clone at:idle");
	one.fibers = 8;
	log_schema_case(&one, text, sizeof(text));
	assert_non_null(strstr(text, " fibers:8"));
	assert_int_equal(log_schema_case_parse(text, &back), 0);
	assert_int_equal(back.fibers, 8);
	one.fibers = 0;
	assert_int_equal(log_schema_case_parse(text, &back), 0);
	assert_int_equal(back.plan.placement, PLAN_IDLE);
	assert_int_equal(log_schema_case_parse("process:5 batch:1 by:fork at:home", &back), 0);
	assert_int_equal(back.plan.placement, PLAN_NOT_PLACED);
	assert_int_equal(log_schema_case_parse("process:5 batch:1 by:teleport", &back), 0);
	assert_int_equal(back.plan.primitive, PLAN_PLAIN);
	assert_true(back.ballast == 0);
	assert_int_equal(plan_start_programs(PLAN_VFORK_EXEC, 3, &one.plan), 0);
	assert_string_equal(log_schema_case(&one, text, sizeof(text)),
			    "process:3 program:3 ballast:1073741824 by:vfork+exec");
	assert_int_equal(log_schema_case_parse(text, &back), 0);
	assert_true(plan_starts_programs(&back.plan));
	/* A tree that names a primitive is read as a tree. */
	assert_int_equal(log_schema_case_parse("process:5 thread:2 by:fork", &back), 0);
	assert_false(plan_is_creation(&back.plan));
}

static void cases_read_back_equal(void **state)
{
	struct sample_case one = {
		.plan = {.levels = 3,
			 .fanout = {20, 3, 82},
			 .task = {PLAN_PROCESS, PLAN_THREAD, PLAN_THREAD},
			 .leaves = {[WORK_CPU] = 6, [WORK_NULL] = 1},
			 .batch = 2,
			 .all_alive = true},
		.stack_size = UINT64_C(1) << 40,
		.cache = SAMPLE_CACHE_ONCE_COLD,
		.pinned = true,
		.alloc = UINT64_MAX,
		.place = "same-core",
		.work_size = {[WORK_CPU] = 360360, [WORK_WRITE] = UINT64_C(1) << 40},
		.mistakes = {MEM_SEQUENTIAL, 1000, true}};
	struct sample_case back = {.stack_size = 5};
	char text[SAMPLE_TEXT];

	CPU_ZERO(&one.cpus);
	CPU_SET(0, &one.cpus);
	CPU_SET(63, &one.cpus);
	assert_string_equal(log_schema_case(&one, text, sizeof(text)),
			    "process:20 thread:3 thread:82 null:1 cpu:6 batch:2 all_alive "
			    "stack:1099511627776 cache:once-cold pin "
			    "alloc:18446744073709551615 place:same-core cpus:0,63 cpu_size:360360 "
			    "write_size:1099511627776 share_file mem_order:sequential rounds:1000");
	assert_int_equal(log_schema_case_parse(text, &back), 0);
	assert_memory_equal(&one.plan, &back.plan, sizeof(one.plan));
	assert_true(back.stack_size == one.stack_size && back.alloc == one.alloc);
	assert_true(back.cache == one.cache && back.pinned);
	assert_string_equal(back.place, "same-core");
	assert_true(CPU_EQUAL(&back.cpus, &one.cpus));
	assert_true(mistakes_equal(&back.mistakes, &one.mistakes));
	assert_memory_equal(one.work_size, back.work_size, sizeof(one.work_size));
	assert_int_equal(log_schema_case_parse("thread:4 gpu_size:9 _size:1 gated", &back), 0);
	assert_int_equal(log_schema_case_parse("thread:4 later:9 gated", &back), 0);
	assert_true(back.plan.barrier);
	assert_true(back.stack_size == 0 && back.alloc == 0);
	assert_true(!*back.place && CPU_COUNT(&back.cpus) == 0);
	assert_true(mistakes_equal(&back.mistakes, &(struct mistakes) {0}));
	assert_true(back.cache == SAMPLE_CACHE_UNKNOWN && !back.pinned);
	assert_int_equal(log_schema_case_parse("thread:4 cache:tepid", &back), 0);
	assert_true(back.cache == SAMPLE_CACHE_UNKNOWN);
	assert_int_equal(log_schema_case_parse("", &back), -EINVAL);
	assert_int_equal(log_schema_case_parse("stack:5", &back), -EINVAL);
	assert_int_equal(log_schema_case_parse("thread:0", &back), -EINVAL);
	assert_int_equal(log_schema_case_parse("thread:99999999999", &back), -EINVAL);
	assert_int_equal(log_schema_case_parse("thread:5000 thread:5000", &back), -EINVAL);
	assert_int_equal(log_schema_case_parse("thread:1 thread:1 thread:1 thread:1 thread:1 "
					       "thread:1 thread:1 thread:1 thread:1 thread:1 "
					       "thread:1 thread:1 thread:1 thread:1 thread:1 "
					       "thread:1 thread:1",
					       &back),
			 -EINVAL);
}

static void bytes_one_by_one_read_as_the_whole_does(void **state)
{
	struct synthetic session;
	struct text text;
	struct reading *whole, *pieces;

	synthetic_mixed(&session, 1);
	text = record(&session);
	whole = read_text(&text);
	for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
		pieces = read_pieces(text.bytes, text.n, piece);
		assert_undamaged(pieces);
		assert_true(model_equal(&whole->model, &pieces->model));
		reading_free(pieces);
	}
	reading_free(whole);
	free(text.bytes);
}

static void a_log_cut_anywhere_reads_as_its_beginning(void **state)
{
	struct synthetic session;
	struct text text;
	struct reading *whole;
	size_t header;

	small_session(&session);
	text = record(&session);
	header = (size_t)(strchr(text.bytes, '\n') + 1 - text.bytes);
	whole = read_text(&text);
	assert_true(whole->samples > 8 && whole->samples < 4096);
	for (size_t n = 0; n < text.n; n++) {
		struct reading *part = read_pieces(text.bytes, n, n > 0 ? n : 1);

		assert_int_equal(part->result, n < header ? -EPROTO : 0);
		assert_true(part->samples <= whole->samples);
		/* The samples of the cut file must be the first ones of the whole file. */
		assert_memory_equal(part->seen, whole->seen, part->samples * sizeof(*part->seen));
		if (n >= header)
			assert_int_equal(part->damage.torn, text.bytes[n - 1] != '\n');
		reading_free(part);
	}
	reading_free(whole);
	free(text.bytes);
}

static void damaged_bytes_do_no_harm(void **state)
{
	struct synthetic session;
	struct text text;
	char *bytes;

	small_session(&session);
	text = record(&session);
	bytes = malloc(text.n);
	seed_random();
	for (int i = 0; i < 4000; i++) {
		static const char likely[] = ",\"\n\r-9\0 a";
		struct reading *reading;

		memcpy(bytes, text.bytes, text.n);
		for (long k = random() % 8; k >= 0; k--)
			bytes[(size_t)random() % text.n] =
				random() % 2 ? likely[(size_t)random() % sizeof(likely)]
					     : (char)random();
		reading = read_pieces(bytes, text.n, 1 + (size_t)random() % text.n);
		assert_true(reading->result == 0 || reading->result == -EPROTO);
		assert_true(reading->damage.left_out <= reading->damage.rows);
		assert_int_equal(reading->damage.left_out > 0, reading->damage.first_line > 0);
		assert_int_equal(reading->damage.left_out > 0, reading->damage.reason[0] != '\0');
		reading_free(reading);
	}
	free(bytes);
	free(text.bytes);
}

static void lines_in_any_order_do_no_harm(void **state)
{
	struct synthetic session;
	struct text text, shuffled;
	unsigned lines;

	synthetic_mixed(&session, 1);
	text = record(&session);
	lines = lines_of(&text);
	seed_random();
	for (int i = 0; i < 20; i++) {
		char **at = calloc(lines, sizeof(*at));
		struct reading *reading;

		at[0] = text.bytes;
		for (unsigned k = 1; k < lines; k++)
			at[k] = strchr(at[k - 1], '\n') + 1;
		for (unsigned k = lines - 1; k > 1; k--) {
			unsigned other = 1 + (unsigned)random() % k;
			char *line = at[k];

			at[k] = at[other];
			at[other] = line;
		}
		shuffled.bytes = malloc(text.n);
		shuffled.n = 0;
		for (unsigned k = 0; k < lines; k++) {
			size_t n = (size_t)(strchr(at[k], '\n') + 1 - at[k]);

			memcpy(shuffled.bytes + shuffled.n, at[k], n);
			shuffled.n += n;
		}
		reading = read_text(&shuffled);
		assert_int_equal(reading->result, 0);
		assert_int_equal(reading->damage.rows, lines - 1);
		assert_true(reading->damage.left_out > 0);
		assert_true(reading->damage.left_out <= reading->damage.rows);
		reading_free(reading);
		free(shuffled.bytes);
		free(at);
	}
	free(text.bytes);
}

/*
 * A line inserted into a good log is left out with its number and a reason. All other rows are
 * read.
 */
static void assert_left_out(const char *line, size_t n, const char *reason)
{
	struct synthetic session;
	struct text text, broken;
	struct reading *whole, *reading;
	unsigned at;

	small_session(&session);
	text = record(&session);
	whole = read_text(&text);
	at = lines_of(&text) - 5;
	broken = with_line(&text, at, line, n);
	reading = read_pieces(broken.bytes, broken.n, 70001);
	assert_int_equal(reading->result, 0);
	assert_string_equal(reading->damage.reason, reason);
	assert_int_equal(reading->damage.left_out, 1);
	assert_int_equal(reading->damage.first_line, at);
	assert_true(model_equal(&whole->model, &reading->model));
	reading_free(whole);
	reading_free(reading);
	free(broken.bytes);
	free(text.bytes);
}

/* Inserts a row with additional cells after the valid ones. */
static void assert_row_left_out(const char *cells, const char *reason)
{
	char line[1024];
	size_t n = strlen(cells);
	unsigned commas = 0;

	memcpy(line, cells, n);
	for (size_t i = 0; i < n; i++)
		commas += cells[i] == ',';
	while (commas++ < count_columns() - 1)
		line[n++] = ',';
	line[n++] = '\n';
	assert_left_out(line, n, reason);
}

static const struct sample_watched unwatched = {.rate = 98765,
						.case_id = 1,
						.share = 0.15,
						.record_ns = 1730,
						.plain_ns = 450000000,
						.slowdown = 1.25,
						.slowdown_low = 1.125,
						.slowdown_high = 1.5,
						.sched = "own",
						.wakes = "the workers' own clock cannot see them",
						.tasks_by = "polling",
						.sched_ns = 20000};

/* Records a sample. The end of the first run gets values that only a last warm-up has. */
static int write_watched(void *arg, const struct sample *sample)
{
	struct sample end = *sample;

	if (sample->kind == SAMPLE_RUN_END && sample->run.run == 0)
		end.end.watched = unwatched;
	return log_write(arg, &end);
}

static void what_warm_ups_decide_reads_back_equal(void **state)
{
	struct synthetic session;
	struct reading *reading;
	struct log_writer *log;
	struct text text;
	FILE *file = tmpfile();

	assert_non_null(file);
	log = log_create(dup(fileno(file)));
	synthetic_mixed(&session, 1);
	assert_int_equal(synthetic_play(&session, write_watched, log), 0);
	assert_int_equal(log_close(log), 0);
	text = text_of_file(fileno(file));
	fclose(file);
	reading = read_text(&text);
	assert_undamaged(reading);
	assert_memory_equal(&reading->model.session.watched, &unwatched, sizeof(unwatched));
	assert_string_equal(reading->model.session.sched, "own");
	assert_string_equal(reading->model.session.tasks_by, "polling");
	assert_int_equal(reading->model.session.sched_ns, 20000);
	reading_free(reading);
	free(text.bytes);
	assert_row_left_out("watched,900000000,0,1,1,0,,,,later", "an unknown metric");
}

static void lines_that_are_no_rows_are_left_out(void **state)
{
	const char nul[] = "tick,\0,,\n";
	size_t megabyte = 1 << 20;
	char *name = malloc(megabyte);

	assert_left_out(nul, sizeof(nul) - 1, "a NUL byte");
	assert_left_out("tick,1\n", 7, "not as many cells as the header has");
	assert_left_out("tick,1,\"\n", 9, "a quote out of place or without an end");
	assert_left_out("ti\"ck,1\n", 8, "a quote out of place or without an end");
	memset(name, 'x', megabyte);
	name[megabyte - 1] = '\n';
	assert_left_out(name, megabyte, "a line of more than 65536 bytes");
	free(name);
}

static void rows_that_make_no_sense_are_left_out(void **state)
{
	assert_row_left_out("later,900000000", "an unknown record");
	assert_row_left_out("tick", "a row without its time");
	assert_row_left_out("tick,-5", "a row without its time");
	assert_row_left_out("tick,x", "time_ns: not a number that fits");
	assert_row_left_out("tick,99999999999999999999", "time_ns: not a number that fits");
	assert_row_left_out("tick,9223372036854775808", "time_ns: not a number that fits");
	assert_row_left_out("tick,5", "a tick out of order");
	assert_row_left_out("tick,5,9,1,1,0", "a row of a run that has not begun or has ended");
	assert_row_left_out("end,5,9,1,1,0", "a row of a run that has not begun or has ended");
	assert_row_left_out("begin,900000000,0,1,1,0", "a run out of order");
	assert_row_left_out("begin,900000000", "a row without its run");
	assert_row_left_out("begin,900000000,1,1,1,7", "a run of an unknown case");
	assert_row_left_out("thinned,900000000,0,1,1,0,,,,later", "an unknown metric");
	assert_row_left_out("worker,900000000,0,1,1,0,,,8", "a worker that is not in the plan");
	assert_row_left_out("worker,900000000,0,1,1,0,,,-1", "id: not a number that fits");
	assert_row_left_out("core,900000000,,,,,,,-7",
			    "a core whose number is missing or too large");
	assert_row_left_out("core,900000000,,,,,,,70000", "id: not a number that fits");
	assert_row_left_out("core,123,,,,,,,1", "a core row without its tick row");
	assert_row_left_out("merged,900000000,0,1,1,0,,,0",
			    "slices of an unfinished run cannot be merged");
	assert_row_left_out("message,900000000,,,,,,,,loud", "a message with an unknown severity");
	assert_row_left_out("meta,0,,,,,,,,title", "a meta row after the session has begun");
	assert_row_left_out("case,0,,,,5,threads", "a case row after the session has begun");
}

/* A merged row after its run; see LOG_ID and LOG_VALUE. */
static void assert_merged_left_out(const char *id, const char *number, const char *reason)
{
	char line[1024];
	struct synthetic session;
	struct text text, broken;
	struct reading *reading;
	size_t n;

	synthetic_mixed(&session, 1);
	text = record(&session);
	n = (size_t)sprintf(line, "merged,900000000,0,1,1,0,,,%s", id);
	for (int i = LOG_ID; i < LOG_VALUE; i++)
		line[n++] = ',';
	n += (size_t)sprintf(line + n, "%s", number);
	for (unsigned i = LOG_VALUE; i + 1 < count_columns(); i++)
		line[n++] = ',';
	line[n++] = '\n';
	broken = with_line(&text, lines_of(&text), line, n);
	reading = read_pieces(broken.bytes, broken.n, 70001);
	assert_int_equal(reading->result, 0);
	assert_string_equal(reading->damage.reason, reason);
	reading_free(reading);
	free(broken.bytes);
	free(text.bytes);
}

static void merged_rows_that_make_no_sense_are_left_out(void **state)
{
	assert_merged_left_out("0", "x", "not a number that fits");
	assert_merged_left_out("0", "1", "not several slices of one task");
	assert_merged_left_out("0", "256", "not several slices of one task");
	assert_merged_left_out("", "2", "not several slices of one task");
	assert_merged_left_out("0", "2", "a slice that ends before it begins");
}

/* A wakes row of the open run; see LOG_SUBJECT, LOG_VALUE and LOG_KIND. */
static void assert_wakes_left_out(const char *kind, const char *buckets, const char *reason)
{
	char line[1024];
	size_t n = (size_t)sprintf(line, "wakes,900000000,0,1,1,0,,,,worker");

	for (int i = LOG_SUBJECT; i < LOG_VALUE; i++)
		line[n++] = ',';
	sprintf(line + n, "%s,%s", buckets, kind);
	assert_row_left_out(line, reason);
}

static void wakes_rows_that_make_no_sense_are_left_out(void **state)
{
	static const char wrong[] = "wake-ups out of order, or without time or number";

	assert_wakes_left_out("blocked", "", wrong);
	assert_wakes_left_out("later", "9000 64:1", wrong);
	assert_wakes_left_out("blocked", "x 64:1", wrong);
	assert_wakes_left_out("blocked", "9000 64", wrong);
	assert_wakes_left_out("blocked", "9000 64:0", wrong);
	assert_wakes_left_out("blocked", "9000 64:4294967296", wrong);
	assert_wakes_left_out("blocked", "9000 -1:1", wrong);
	assert_wakes_left_out("blocked", "9000 9001:1", wrong);
	assert_wakes_left_out("blocked", "9000 64:1 63:1", wrong);
	assert_wakes_left_out("blocked", "9000 64:1", "a wakes row without its run's end row");
}

/* Returns the kind of the message about a log that has only these rows besides its session. */
static enum sample_message_kind kind_of(const char *header, const char *row)
{
	struct text text = {NULL, 0};
	FILE *stream = open_memstream(&text.bytes, &text.n);
	struct reading *reading;
	enum sample_message_kind kind;

	fprintf(stream, "record,time_ns,case_id,model,subject,value%s\n", header);
	fprintf(stream, "case,0,0,threads,,thread:1 cpu:1%s\n", *header ? "," : "");
	fprintf(stream, "message,5,,,%s\n", row);
	fclose(stream);
	reading = read_text(&text);
	assert_int_equal(reading->damage.left_out, 0);
	assert_int_equal(reading->model.n_messages, 1);
	kind = reading->model.messages[0].kind;
	reading_free(reading);
	free(text.bytes);
	return kind;
}

static void messages_of_old_recordings_are_known_by_their_words(void **state)
{
	assert_int_equal(kind_of("", "info,\"try --stack-size default,16K\""), MESSAGE_STACKS);
	assert_int_equal(kind_of("", "error,\"try --stack-size default,16K\""), MESSAGE_OTHER);
	assert_int_equal(kind_of("", "warning,no /proc/PID/smaps_rollup"), MESSAGE_NO_PSS);
	assert_int_equal(kind_of("", "warning,no /proc/stat"), MESSAGE_OTHER);
}

static void where_kinds_are_recorded_words_do_not_count(void **state)
{
	const char *with = ",kind";

	assert_int_equal(kind_of(with, "info,--stack-size default 16K,stacks"), MESSAGE_STACKS);
	assert_int_equal(kind_of(with, "info,\"--stack-size default,16K\","), MESSAGE_OTHER);
	assert_int_equal(kind_of(with, "warning,no smaps_rollup,"), MESSAGE_OTHER);
	assert_int_equal(kind_of(with, "warning,no smaps_rollup,later"), MESSAGE_OTHER);
	assert_int_equal(kind_of(with, "error,as ever,no_pss"), MESSAGE_NO_PSS);
}

static void kinds_of_messages_read_back_equal(void **state)
{
	struct sample sample = {.kind = SAMPLE_MESSAGE, .message.text = "a message"};
	struct synthetic session;
	struct reading *reading;
	struct model model;
	struct text text;
	int fd = record_memory();
	struct log_writer *log = log_create(dup(fd));

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_int_equal(synthetic_play(&session, record_sample, log), 0);
	sample.time_ns = model.newest_ns;
	for (int i = 0; i < MESSAGE_KINDS; i++) {
		sample.message.kind = (enum sample_message_kind)i;
		assert_int_equal(log_write(log, &sample), 0);
		assert_int_equal(model_apply(&model, &sample), 0);
	}
	assert_int_equal(log_close(log), 0);
	text = text_of_file(fd);
	close(fd);
	reading = read_text(&text);
	assert_undamaged(reading);
	assert_true(model_equal(&model, &reading->model));
	model.messages[model.n_messages - 1].kind = MESSAGE_OTHER;
	assert_false(model_equal(&model, &reading->model));
	reading_free(reading);
	model_free(&model);
	free(text.bytes);
}

/* The rows of a tick are before its own row, and are not used until that row was read. */
static void rows_waiting_for_a_torn_tick_count_as_left_out(void **state)
{
	struct synthetic session;
	struct reading *reading;
	struct text text, torn;
	char *tick;

	small_session(&session);
	text = record(&session);
	tick = strstr(strstr(text.bytes, "\ncore,"), "\ntick,");
	assert_non_null(tick);
	torn = (struct text) {.bytes = text.bytes, .n = (size_t)(tick - text.bytes) + 10};
	reading = read_text(&torn);
	assert_int_equal(reading->damage.torn, 1);
	assert_true(reading->damage.left_out >= 2);
	assert_int_equal(reading->damage.first_line,
			 reading->damage.rows + 2 - reading->damage.left_out);
	assert_string_equal(reading->damage.reason, "a core row without its tick row");
	reading_free(reading);
	free(text.bytes);
}

static void a_lost_end_does_not_lose_the_runs_after_it(void **state)
{
	struct synthetic session;
	struct text text, broken;
	struct reading *reading;

	synthetic_mixed(&session, 1);
	text = record(&session);
	broken = replaced(&text, "\nend,", "\nbend,");
	reading = read_text(&broken);
	assert_int_equal(reading->refused, 0);
	assert_int_equal(reading->model.n_runs, 2);
	assert_int_equal(reading->model.runs[0].totals.status, SAMPLE_INTERRUPTED);
	assert_int_equal(reading->model.runs[0].totals.elapsed_ns, -1);
	assert_true(reading->model.runs[1].end_ns == INT64_MAX);
	reading_free(reading);
	free(broken.bytes);
	free(text.bytes);
}

static void a_newer_format_is_read_as_far_as_it_is_known(void **state)
{
	struct synthetic session;
	struct text text, newer, with_column, with_key;
	struct reading *reading;

	synthetic_mixed(&session, 1);
	text = record(&session);
	newer = replaced(&text, "format,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,1",
			 "format,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,2");
	assert_int_equal(newer.n, text.n);
	with_column = replaced(&newer, "\r\n", ",more\r\n");
	with_key = replaced(&with_column, ",title,", ",subtitle,");
	reading = read_text(&with_key);
	assert_int_equal(reading->result, 0);
	assert_true(reading->damage.newer);
	assert_int_equal(reading->damage.left_out, 1);
	assert_string_equal(reading->damage.reason, "a meta row with an unknown subject");
	assert_int_equal(reading->model.n_runs, 2);
	assert_true(reading->model.done);
	reading_free(reading);
	free(with_key.bytes);
	free(with_column.bytes);
	free(newer.bytes);
	free(text.bytes);
}

static void columns_are_found_by_name(void **state)
{
	struct synthetic session;
	struct text text, other;
	struct reading *reading;

	synthetic_mixed(&session, 1);
	text = record(&session);
	other = replaced(&text, "pss_kb,uss_kb,", "uss_kb,later,");
	reading = read_text(&other);
	assert_int_equal(reading->damage.left_out, 0);
	assert_true(reading->model.runs[0].totals.memory.rss_kb > 0);
	assert_int_equal(reading->model.runs[0].totals.memory.pss_kb, -1);
	assert_true(reading->model.runs[0].totals.memory.uss_kb > 0);
	reading_free(reading);
	free(other.bytes);
	free(text.bytes);
}

static void anything_but_a_log_is_refused(void **state)
{
	static const char *const files[] = {"",
					    "\n",
					    "a,b\n1,2\n",
					    "record\n",
					    "record,\"time_ns\n",
					    "record,time_ns",
					    "{\"tuibench\": 1}\n"};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct text text = {(char *)files[i], strlen(files[i])};
		struct reading *reading = read_text(&text);

		assert_int_equal(reading->result, -EPROTO);
		assert_int_equal(reading->samples, 0);
		reading_free(reading);
	}
}

static void a_bom_plain_newlines_and_blank_lines_do_not_matter(void **state)
{
	struct synthetic session;
	struct text text, plain, blank;
	struct reading *reading;

	synthetic_mixed(&session, 1);
	text = record(&session);
	plain = replaced(&text, "\r\n", "\n\n");
	blank = with_line(&plain, 1, "\xef\xbb\xbf", 3);
	reading = read_text(&blank);
	assert_undamaged(reading);
	assert_true(reading->model.done);
	reading_free(reading);
	free(blank.bytes);
	free(plain.bytes);
	free(text.bytes);
}

static int count_sample(void *arg, const struct sample *sample)
{
	++*(size_t *)arg;
	return 0;
}

/*
 * A login by ssh prints text before the program does, such as an unclosed quote without a newline.
 */
static void a_greeting_before_the_header_is_skipped_and_told(void **state)
{
	static const struct {
		const char *greeting;
		uint64_t lines;
		const char *greeted;
	} greetings[] = {
		{"Welcome to \"lab1\n\nLast login: today\r\n", 3, "Welcome to \"lab1"},
		{"\n\n", 2, ""},
		{"a,b,c\n1,2,3\n", 2, "a,b,c"},
		{"\x1b[?2004l\r", 1, "\x1b[?2004l\rrecord,time_ns,"},
	};
	struct synthetic session;
	struct text text, greeted;
	struct reading *reading;

	synthetic_mixed(&session, 1);
	text = record(&session);
	for (size_t i = 0; i < sizeof(greetings) / sizeof(*greetings); i++) {
		const char *bytes = greetings[i].greeting;

		greeted = with_line(&text, 1, bytes, strlen(bytes));
		for (size_t piece = 1; piece <= greeted.n;
		     piece = piece == 1 ? 4096 : greeted.n + 1) {
			reading = read_pieces(greeted.bytes, greeted.n, piece);
			assert_int_equal(reading->result, 0);
			assert_int_equal(reading->damage.left_out, 0);
			assert_int_equal(reading->damage.greeting, greetings[i].lines);
			assert_memory_equal(reading->damage.greeted, greetings[i].greeted,
					    strlen(greetings[i].greeted));
			assert_true(reading->model.done);
			reading_free(reading);
		}
		free(greeted.bytes);
	}
	free(text.bytes);
}

static void what_a_file_is_instead_of_a_log_is_told_by_its_first_bytes(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		int err;
	} files[] = {
		{"\x1f\x8b\x08\xff\0\0", 6, LOG_EUNPACK},
		{"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 18,
		 LOG_EUNPACK},
		{"\x28\xb5\x2f\xfd\x04\x58", 6, ENODATA},
		{"\xfd\x37zXZ", 5, LOG_ECOMPRESSED},
		{"record;time_ns;run\r\nmeta;0;\r\n", 29, LOG_ESEPARATOR},
		{"\xef\xbb\xbfrecord\ttime_ns\trun\r\n", 23, LOG_ESEPARATOR},
		{"\xff\xfer\0e\0c\0o\0r\0d\0\n\0", 16, LOG_EUTF16},
		{"\0r\0e\0c\0o\0r\0d\0\n", 14, LOG_EUTF16},
		{"Welcome\n", 8, EPROTO},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		for (size_t piece = 1; piece <= 64; piece *= 64) {
			struct reading *reading = read_pieces(files[i].bytes, files[i].n, piece);

			assert_int_equal(reading->result, -files[i].err);
			reading_free(reading);
		}
}

/*
 * After the rows there may be garbage up to a disk's size. The reader stops where damage could not
 * continue.
 */
static void garbage_behind_the_rows_is_not_read_to_its_end(void **state)
{
	static const char *const pieces[] = {"\0", "y\n", "\n", "a;b;c\n"};
	struct synthetic session;
	struct text text;
	const size_t n = 1 << 20;
	char *bytes = malloc(n);

	small_session(&session);
	text = record(&session);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct log_reader *reader = log_reader_new();
		const size_t length = pieces[i][0] ? strlen(pieces[i]) : 1;
		size_t samples = 0, fed = 0;

		for (size_t at = 0; at < n; at++)
			bytes[at] = pieces[i][at % length];
		assert_int_equal(
			log_reader_feed(reader, text.bytes, text.n, count_sample, &samples), 0);
		for (; fed < 64 && !log_reader_damage(reader)->garbage; fed++)
			assert_int_equal(log_reader_feed(reader, bytes, n, count_sample, &samples),
					 0);
		assert_in_range(fed, 16, 18);
		/* No rows are taken after the garbage, and the end of the file is no error. */
		assert_int_equal(
			log_reader_feed(reader, text.bytes, text.n, count_sample, &samples), 0);
		assert_int_equal(log_reader_feed(reader, NULL, 0, count_sample, &samples), 0);
		assert_true(samples > 0);
		log_reader_free(reader);
	}
	free(bytes);
	free(text.bytes);
}

/* The hole that a power failure leaves in a file is shorter, and rows follow it. */
static void rows_behind_a_hole_are_read(void **state)
{
	const size_t n = 8 << 20;
	char *hole = calloc(1, n + 1);
	struct synthetic session;
	struct reading *reading;
	struct text text, damaged;

	synthetic_mixed(&session, 1);
	text = record(&session);
	hole[n] = '\n';
	damaged = with_line(&text, lines_of(&text) / 2, hole, n + 1);
	reading = read_text(&damaged);
	assert_int_equal(reading->result, 0);
	assert_false(reading->damage.garbage);
	assert_true(reading->model.done);
	reading_free(reading);
	free(damaged.bytes);
	free(text.bytes);
	free(hole);
}

/* A line of ten gigabytes would need as much memory, so none of it is kept. */
static void a_line_without_an_end_takes_no_memory(void **state)
{
	struct synthetic session;
	struct log_reader *reader = log_reader_new();
	struct text text;
	struct rusage before, after;
	size_t samples = 0, piece = 1 << 20;
	char *bytes = malloc(piece);

	small_session(&session);
	text = record(&session);
	memset(bytes, '"', piece);
	assert_int_equal(log_reader_feed(reader, text.bytes, text.n, count_sample, &samples), 0);
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 256; i++)
		assert_int_equal(log_reader_feed(reader, bytes, piece, count_sample, &samples), 0);
	getrusage(RUSAGE_SELF, &after);
	assert_int_equal(log_reader_feed(reader, NULL, 0, count_sample, &samples), 0);
	assert_true(after.ru_maxrss - before.ru_maxrss < 16384);
	assert_true(log_reader_damage(reader)->torn);
	assert_int_equal(log_reader_damage(reader)->left_out, 1);
	log_reader_free(reader);
	free(bytes);
	free(text.bytes);
}

/* A row of a hundred bytes must not make the model store four million workers each time. */
static void runs_without_rows_take_no_memory_without_bound(void **state)
{
	struct text head = {NULL, 0};
	FILE *stream = open_memstream(&head.bytes, &head.n);
	struct reading *reading;

	fputs("record,time_ns,run,case_id,subject,value\n", stream);
	fputs("meta,0,,,cases,1\ncase,0,,0,,thread:1000000\n", stream);
	for (int i = 0; i < 100; i++)
		fprintf(stream, "begin,%d,%d,0,,\nend,%d,%d,0,,\n", i, i, i, i);
	fclose(stream);
	reading = read_text(&head);
	assert_int_equal(reading->model.n_runs, 4);
	assert_string_equal(reading->damage.reason, "more workers than there are rows for");
	assert_int_equal(reading->damage.left_out, 2 * 96);
	reading_free(reading);
	free(head.bytes);
}

static void cores_without_rows_take_no_memory_without_bound(void **state)
{
	struct text text = {NULL, 0};
	FILE *stream = open_memstream(&text.bytes, &text.n);
	struct reading *reading;

	fputs("record,time_ns,case_id,id,subject,value\n", stream);
	fputs("meta,0,,,cases,1\ncase,0,0,,,thread:1\n", stream);
	for (int i = 0; i < 8192; i++)
		fprintf(stream, "core,1,,%d,,\n", i);
	for (int i = 1; i < 4000; i++)
		fprintf(stream, "tick,%d,,,,\n", i);
	fclose(stream);
	reading = read_text(&text);
	assert_true(reading->model.n_loads * reading->model.n_cores < 12000000);
	assert_string_equal(reading->damage.reason, "more cores than there are rows for");
	reading_free(reading);
	free(text.bytes);
}

static int stop_after(void *arg, const struct sample *sample)
{
	return --*(int *)arg == 0 ? 42 : 0;
}

static void reading_a_log_stops_when_the_callback_says_so(void **state)
{
	struct synthetic session;
	struct log_reader *reader = log_reader_new();
	struct text text;
	int left = 3;

	small_session(&session);
	text = record(&session);
	assert_int_equal(log_reader_feed(reader, text.bytes, text.n, stop_after, &left), 42);
	assert_int_equal(left, 0);
	log_reader_free(reader);
	free(text.bytes);
}

struct counted {
	size_t slices, ticks, cores, workers, ends;
};

static int count_all(void *arg, const struct sample *sample)
{
	struct counted *counted = arg;

	counted->slices += sample->kind == SAMPLE_SLICES;
	counted->ticks += sample->kind == SAMPLE_TICK;
	counted->ends += sample->kind == SAMPLE_RUN_END;
	if (sample->kind == SAMPLE_TICK) {
		counted->cores += sample->tick.n_cores;
		counted->workers += sample->tick.n_workers;
	} else if (sample->kind == SAMPLE_RUN_END) {
		counted->workers += sample->end.n_workers;
	}
	return 0;
}

static struct counted count_in(const struct text *text, bool answer_only)
{
	struct log_reader *reader = log_reader_new();
	struct counted counted = {0};

	if (answer_only)
		log_reader_answer_only(reader);
	assert_int_equal(log_reader_feed(reader, text->bytes, text->n, count_all, &counted), 0);
	assert_int_equal(log_reader_damage(reader)->left_out, 0);
	log_reader_free(reader);
	return counted;
}

static void the_answer_needs_workers_and_ends_and_slices_of_those_who_share(void **state)
{
	struct counted all, some;
	struct synthetic session;
	struct text text;

	small_session(&session);
	session.slices = true;
	text = record(&session);
	all = count_in(&text, false);
	some = count_in(&text, true);
	assert_true(all.slices > 0 && all.cores > 0);
	assert_true(some.slices == 0 && some.cores == 0 && some.ticks < all.ticks);
	assert_true(some.workers == all.workers && some.ends == all.ends);
	free(text.bytes);

	session.list[1].plan.leaves[WORK_CPU]--;
	session.list[1].plan.leaves[WORK_SHARE]++;
	text = record(&session);
	assert_true(count_in(&text, false).slices > 0);
	assert_int_equal(count_in(&text, true).slices, count_in(&text, false).slices);
	free(text.bytes);
}

static void the_session_is_given_with_its_last_case(void **state)
{
	struct synthetic session;
	struct log_reader *reader = log_reader_new();
	struct text text;
	const char *begin;
	size_t samples = 0;

	small_session(&session);
	text = record(&session);
	begin = strchr(strstr(text.bytes, "\ncase,0,,,,1,") + 1, '\n') + 1;
	assert_int_equal(log_reader_feed(reader, text.bytes, (size_t)(begin - text.bytes),
					 count_sample, &samples),
			 0);
	assert_int_equal(samples, 1);
	log_reader_free(reader);
	free(text.bytes);
}

/* A worker has a row at most once a second, and one when it is complete. */
static void worker_rows_are_few(void **state)
{
	struct synthetic session;
	struct text text;
	unsigned rows = 0;

	synthetic_mixed(&session, 1);
	session.cases = 1;
	text = record(&session);
	for (const char *at = text.bytes; (at = strstr(at, "\nworker,")); at++)
		rows++;
	/* Eight workers for three seconds: once a second and once complete, each. */
	assert_true(rows >= 8 && rows <= 8 * 5);
	free(text.bytes);
}

static void a_file_has_what_happened_a_second_ago(void **state)
{
	struct synthetic session;
	struct log_writer *log;
	struct text text;
	struct reading *reading;
	int fd = record_memory();

	synthetic_mixed(&session, 1);
	session.stop_ns = 2500 * MS;
	log = log_create(dup(fd));
	assert_int_equal(synthetic_play(&session, record_sample, log), 0);
	text = text_of_file(fd); /* as after kill -9: the log was not closed */
	reading = read_text(&text);
	assert_undamaged(reading);
	assert_true(reading->model.newest_ns >= 1300 * MS);
	assert_int_equal(log_close(log), 0);
	reading_free(reading);
	free(text.bytes);
	close(fd);
}

static void a_pipe_has_every_sample_at_once(void **state)
{
	struct synthetic session;
	struct log_writer *log;
	struct reading *reading;
	struct text text = {malloc(65536), 0};
	struct model model;
	int fds[2];

	small_session(&session);
	assert_int_equal(pipe(fds), 0);
	log = log_create(fds[1]);
	assert_int_equal(synthetic_play(&session, record_sample, log), 0);
	text.n = (size_t)read(fds[0], text.bytes, 65536);
	reading = read_text(&text);
	assert_undamaged(reading);
	synthetic_model(&session, &model);
	assert_true(model_equal(&model, &reading->model));
	model_free(&model);
	assert_int_equal(log_close(log), 0);
	reading_free(reading);
	free(text.bytes);
	close(fds[0]);
}

struct failing {
	struct log_writer *log;
	int errors, first;
};

static int write_failing(void *arg, const struct sample *sample)
{
	struct failing *failing = arg;
	int err = log_write(failing->log, sample);

	if (err && failing->errors++ == 0)
		failing->first = err;
	return 0;
}

static struct failing play_failing(const struct synthetic *session, int fd)
{
	struct failing failing = {.log = log_create(fd)};

	assert_int_equal(synthetic_play(session, write_failing, &failing), 0);
	return failing;
}

static struct failing play_mixed(int fd)
{
	struct synthetic session;

	synthetic_mixed(&session, 2);
	return play_failing(&session, fd);
}

static void a_full_disk_is_said_once(void **state)
{
	struct failing failing = play_mixed(open("/dev/full", O_WRONLY));

	assert_int_equal(failing.errors, 1);
	assert_int_equal(failing.first, -ENOSPC);
	assert_int_equal(log_flush(failing.log), 0);
	assert_int_equal(log_close(failing.log), -ENOSPC);
}

static void a_closed_pipe_is_said_once(void **state)
{
	struct failing failing;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	failing = play_mixed(fds[1]);
	assert_int_equal(failing.errors, 1);
	assert_int_equal(failing.first, -EPIPE);
	assert_int_equal(log_close(failing.log), -EPIPE);
}

/* Records the session in a file that may not become longer than `bytes`. Returns its text. */
static struct text limited_to(const struct synthetic *session, rlim_t bytes)
{
	struct rlimit all, some;
	struct failing failing;
	struct text text;
	int fd = record_memory();

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &all);
	some = all;
	some.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &some), 0);
	failing = play_failing(session, dup(fd));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	assert_int_equal(failing.errors, 1);
	assert_int_equal(failing.first, -EFBIG);
	assert_int_equal(log_close(failing.log), -EFBIG);
	text = text_of_file(fd);
	close(fd);
	return text;
}

/* Returns the size of a file that had a limit; the file has only whole samples. */
static size_t limited_whole(const struct synthetic *session, rlim_t bytes)
{
	struct text text = limited_to(session, bytes);
	struct reading *reading = read_text(&text);
	size_t n = text.n;

	assert_true(n <= bytes);
	assert_false(reading->damage.torn);
	assert_int_equal(reading->damage.left_out, 0);
	reading_free(reading);
	free(text.bytes);
	return n;
}

static void a_file_at_its_limit_ends_with_a_whole_sample(void **state)
{
	size_t before = 0, longer = 0;
	struct synthetic session;

	synthetic_mixed(&session, 2);
	for (rlim_t bytes = 1; bytes < 33000; bytes += 331) {
		size_t n = limited_whole(&session, bytes);

		assert_true(n >= before);
		longer += n > before;
		before = n;
	}
	assert_true(before > 25000 && longer > 30);
}

/*
 * Such a sample is written in several parts. After an error, the file is cut once to where the
 * sample began.
 */
static void a_sample_that_does_not_fit_a_buffer_goes_as_a_whole(void **state)
{
	struct synthetic session;

	synthetic_tree(&session, 1);
	for (rlim_t bytes = 120000; bytes < 400000; bytes += 119999)
		limited_whole(&session, bytes);
}

static void nothing_is_written_before_the_first_sample(void **state)
{
	int fd = record_memory();
	struct log_writer *log = log_create(dup(fd));

	assert_int_equal(log_flush(log), 0);
	assert_int_equal(log_close(log), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	close(fd);
}

static struct text manual(void)
{
	int fd = open(TEST_DATA "/../../man/tuibench-log.5", O_RDONLY);
	struct text text;

	assert_true(fd >= 0);
	text = text_of_file(fd);
	close(fd);
	return text;
}

/*
 * The page has the name as a bold argument of a macro: after " ", and before a space or the line's
 * end.
 */
static void assert_described(const struct text *page, const char *name)
{
	const char *at = page->bytes;
	const size_t n = strlen(name);

	while ((at = strstr(at, name))) {
		if (at[-1] == ' ' && strchr(" \n", at[n]))
			return;
		at += n;
	}
	fail_msg("%s is not in tuibench-log(5)", name);
}

static void the_manual_describes_every_name(void **state)
{
	struct text page = manual();
	struct log_schema schema;

	log_schema_init(&schema);
	for (int i = 0; i < schema.n_columns; i++)
		assert_described(&page, schema.columns[i]);
	for (int i = 0; i < LOG_RECORDS; i++)
		assert_described(&page, log_schema_records[i]);
	for (int i = 0; i < 3; i++)
		assert_described(&page, log_schema_severities[i]);
	for (int i = 0; i < LOG_SCENE_PARTS; i++)
		assert_described(&page, log_schema_scene_parts[i]);
	for (int i = 0; sample_session_fields[i].name; i++)
		assert_described(&page, sample_session_fields[i].name);
	for (int i = 0; i < WORK_KINDS; i++)
		assert_described(&page, plan_work_name((enum work_kind)i));
	for (int i = MESSAGE_OTHER + 1; i < MESSAGE_KINDS; i++)
		assert_described(&page, sample_message_names[i]);
	for (int i = 0; i <= SAMPLE_RUNNING; i++)
		assert_described(&page, sample_status_name((enum sample_status)i));
	free(page.bytes);
}

/*
 * In a plan, the leaves do the kinds of work in the order of enum work_kind. A reader of recordings
 * needs this order to tell what a worker did.
 */
static void the_manual_lists_the_works_in_the_order_of_the_leaves(void **state)
{
	char list[256] = "in the order ";
	struct text page = manual();

	for (int i = WORK_NULL + 1; i < WORK_KINDS; i++) {
		strcat(list, plan_work_name((enum work_kind)i));
		strcat(list, i + 1 < WORK_KINDS ? ", " : "; all others do nothing");
	}
	for (char *c = page.bytes; *c; c++)
		if (*c == '\n')
			*c = ' ';
	assert_non_null(strstr(page.bytes, list));
	free(page.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed_session_reads_back_equal),
		cmocka_unit_test(slices_read_back_equal),
		cmocka_unit_test(tree_of_5000_reads_back_equal),
		cmocka_unit_test(broken_runs_read_back_equal),
		cmocka_unit_test(odd_texts_read_back_equal),
		cmocka_unit_test(control_characters_and_broken_utf8_are_replaced),
		cmocka_unit_test(control_characters_in_a_file_are_replaced),
		cmocka_unit_test(every_row_has_as_many_cells_as_the_header),
		cmocka_unit_test(extreme_numbers_read_back_equal),
		cmocka_unit_test(commands_read_back_whole),
		cmocka_unit_test(the_shortest_decimals_give_a_number_back),
		cmocka_unit_test(cases_read_back_equal),
		cmocka_unit_test(a_primitive_and_its_ballast_read_back_equal),
		cmocka_unit_test(bytes_one_by_one_read_as_the_whole_does),
		cmocka_unit_test(a_log_cut_anywhere_reads_as_its_beginning),
		cmocka_unit_test(damaged_bytes_do_no_harm),
		cmocka_unit_test(lines_in_any_order_do_no_harm),
		cmocka_unit_test(what_warm_ups_decide_reads_back_equal),
		cmocka_unit_test(lines_that_are_no_rows_are_left_out),
		cmocka_unit_test(rows_that_make_no_sense_are_left_out),
		cmocka_unit_test(merged_rows_that_make_no_sense_are_left_out),
		cmocka_unit_test(wakes_rows_that_make_no_sense_are_left_out),
		cmocka_unit_test(messages_of_old_recordings_are_known_by_their_words),
		cmocka_unit_test(where_kinds_are_recorded_words_do_not_count),
		cmocka_unit_test(kinds_of_messages_read_back_equal),
		cmocka_unit_test(rows_waiting_for_a_torn_tick_count_as_left_out),
		cmocka_unit_test(a_lost_end_does_not_lose_the_runs_after_it),
		cmocka_unit_test(a_newer_format_is_read_as_far_as_it_is_known),
		cmocka_unit_test(columns_are_found_by_name),
		cmocka_unit_test(anything_but_a_log_is_refused),
		cmocka_unit_test(a_bom_plain_newlines_and_blank_lines_do_not_matter),
		cmocka_unit_test(a_line_without_an_end_takes_no_memory),
		cmocka_unit_test(a_greeting_before_the_header_is_skipped_and_told),
		cmocka_unit_test(what_a_file_is_instead_of_a_log_is_told_by_its_first_bytes),
		cmocka_unit_test(garbage_behind_the_rows_is_not_read_to_its_end),
		cmocka_unit_test(rows_behind_a_hole_are_read),
		cmocka_unit_test(runs_without_rows_take_no_memory_without_bound),
		cmocka_unit_test(cores_without_rows_take_no_memory_without_bound),
		cmocka_unit_test(reading_a_log_stops_when_the_callback_says_so),
		cmocka_unit_test(the_answer_needs_workers_and_ends_and_slices_of_those_who_share),
		cmocka_unit_test(the_session_is_given_with_its_last_case),
		cmocka_unit_test(worker_rows_are_few),
		cmocka_unit_test(a_file_has_what_happened_a_second_ago),
		cmocka_unit_test(a_pipe_has_every_sample_at_once),
		cmocka_unit_test(a_sample_that_does_not_fit_a_buffer_goes_as_a_whole),
		cmocka_unit_test(a_full_disk_is_said_once),
		cmocka_unit_test(a_closed_pipe_is_said_once),
		cmocka_unit_test(a_file_at_its_limit_ends_with_a_whole_sample),
		cmocka_unit_test(nothing_is_written_before_the_first_sample),
		cmocka_unit_test(the_manual_describes_every_name),
		cmocka_unit_test(the_manual_lists_the_works_in_the_order_of_the_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
