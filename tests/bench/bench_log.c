/* SPDX-License-Identifier: MIT */
#include <csv.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "draw/canvas.h"
#include "base/clock.h"
#include "log/log.h"
#include "model/model.h"
#include "app/app.h"
#include "stage/synthetic.h"
#include "view/view.h"

/*
 * Checks a recording of a million rows and one of a million slices. Each must open in at most 1.2
 * times the time in which libcsv only parses it, and compressed in 1.5 times that time. The first
 * must use at most 100 bytes of memory for each row, and must show the frame of any time within 50
 * ms. Writing the recording of a session of sets must take at most 0.2 % of a core. Prints the
 * measured values. Fails if one exceeds its limit.
 */

#define ROWS	1000000
#define ROUNDS	7 /* The least CPU time counts, because other programs only lengthen it. */
#define SEEKS	60
#define PIECE	(1 << 18)
#define PERCENT 0.2
#define BYTES	100 /* bytes in the model for each row of tasks */
#define SLICE	120 /* bytes in the model for each slice: it is in two lanes */
#define TURN_NS 4e6 /* a turn of a synthetic worker, on one of two cores */

struct text {
	char path[64];
	char *bytes;
	size_t n, rows;
};

static double seconds_since(uint64_t from_ns)
{
	return (double)(clock_now_ns() - from_ns) / 1e9;
}

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static int write_sample(void *arg, const struct sample *sample)
{
	return log_write(arg, sample);
}

static int record(const struct synthetic *session, const char *path, enum log_packing packing)
{
	struct log_writer *log = log_create(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC));
	int err = log ? log_compress(log, packing) : -1;

	if (!err)
		err = synthetic_play(session, write_sample, log);

	return log && log_close(log) == 0 ? err : -1;
}

static size_t count_rows(const struct text *text)
{
	size_t n = 0;

	for (const char *at = text->bytes;
	     (at = memchr(at, '\n', text->n - (size_t)(at - text->bytes))); at++)
		n++;
	return n;
}

static int map(struct text *text)
{
	int fd = open(text->path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	text->n = (size_t)st.st_size;
	text->bytes = mmap(NULL, text->n, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (text->bytes == MAP_FAILED)
		return -1;
	text->rows = count_rows(text);
	return 0;
}

static int make_log(const struct synthetic *session, struct text *text)
{
	int fd;

	strcpy(text->path, "/tmp/tuibench-bench.XXXXXX");
	fd = mkstemp(text->path);
	if (fd < 0)
		return -1;
	close(fd);
	return record(session, text->path, LOG_PLAIN) || map(text) ? -1 : 0;
}

static void drop_log(struct text *text)
{
	munmap(text->bytes, text->n);
	unlink(text->path);
}

/* Trials of 5,001 tasks, alternately threads and processes, until there are enough rows. */
static void describe_tasks(struct synthetic *session)
{
	synthetic_tree(session, ROWS / 10000);
}

/* Ten runs of `workers` workers that take turns, until there are enough slices. */
static void describe_slices(uint32_t workers, struct synthetic *session)
{
	synthetic_mixed(session, 10);
	session->cases = 1;
	session->warmup = 0;
	session->slices = true;
	session->list[0].plan.fanout[0] = workers;
	session->list[0].plan.leaves[WORK_CPU] = workers;
	session->list[0].plan.leaves[WORK_IO] = 0;
	session->span_ns[0] = (int64_t)(TURN_NS * ROWS / 10 / 2);
}

static void pass_cell(void *bytes, size_t n, void *arg)
{
}

static void pass_row(int end, void *arg)
{
}

/* Returns the CPU time in which libcsv parses the file, s. */
static double time_libcsv(const struct text *text)
{
	static char bytes[PIECE];
	double from = cpu_seconds();
	struct csv_parser csv;
	int fd = open(text->path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		csv_parse(&csv, bytes, (size_t)n, pass_cell, pass_row, NULL);
	csv_fini(&csv, pass_cell, pass_row, NULL);
	csv_free(&csv);
	close(fd);
	return cpu_seconds() - from;
}

static double time_open(const struct text *text, struct model *model)
{
	double from = cpu_seconds();
	char error[256];

	if (recordings_load(text->path, model, error, sizeof(error)) < 0)
		return NAN;
	return cpu_seconds() - from;
}

static bool holds(const char *what, double value, double limit, const char *unit)
{
	printf("%-52s %8.2f %s (at most %.2f)%s\n", what, value, unit, limit,
	       value <= limit ? "" : "  EXCEEDED");
	return value <= limit;
}

static bool bench_open(const struct text *text, struct model *model, double bytes)
{
	double csv = INFINITY, open = INFINITY;
	size_t before;
	bool good;

	for (int i = 0; i < ROUNDS; i++) {
		csv = fmin(csv, time_libcsv(text));
		model_free(model);
		malloc_trim(0); /* so that each round begins like the first */
		open = fmin(open, time_open(text, model));
	}
	model_free(model);
	before = mallinfo2().uordblks + mallinfo2().hblkhd;
	time_open(text, model);
	printf("%zu rows, %.0f MB; libcsv %.0f ms, open %.0f ms\n", text->rows,
	       (double)text->n / 1e6, csv * 1e3, open * 1e3);
	good = holds("opening, in times of libcsv's own parse", open / csv, 1.2, "");
	good &= holds("memory of the model, a row",
		      (double)(mallinfo2().uordblks + mallinfo2().hblkhd - before) /
			      (double)text->rows,
		      bytes, "bytes");
	return good;
}

/* The same recording, compressed. */
static bool bench_packed(const struct synthetic *session, const struct text *text)
{
	struct text packed = {.path = "/tmp/tuibench-bench.XXXXXX"};
	double csv = INFINITY, open = INFINITY;
	struct model model;
	int fd = mkstemp(packed.path);

	if (fd < 0 || close(fd) || record(session, packed.path, LOG_ZSTD))
		return false;
	model_init(&model);
	for (int i = 0; i < ROUNDS; i++) {
		csv = fmin(csv, time_libcsv(text));
		model_free(&model);
		malloc_trim(0);
		open = fmin(open, time_open(&packed, &model));
	}
	model_free(&model);
	unlink(packed.path);
	return holds("opening compressed, in times of libcsv's parse", open / csv, 1.5, "");
}

/* The longest frame after a seek. The times are in no order, so the last frame does not help. */
static bool bench_seek(struct model *model)
{
	struct view view;
	struct canvas canvas = {0};
	double longest = 0;

	view_init(&view);
	if (canvas_resize(&canvas, 200, 50) < 0)
		return false;
	for (int i = 0; i < SEEKS; i++) {
		uint64_t from_ns = clock_now_ns();

		model_seek(model, model->newest_ns / 97 * ((i * 41) % 97));
		view_draw(&canvas, model, &view);
		longest = fmax(longest, seconds_since(from_ns));
	}
	view_free(&view);
	canvas_free(&canvas);
	return holds("a seek's frame of 200 x 50, the longest of 60", longest * 1e3, 50, "ms");
}

static bool bench_write(const struct text *text)
{
	struct synthetic session;
	struct model model;
	double from, took = INFINITY;
	int64_t span_ns;

	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	span_ns = model.newest_ns;
	model_free(&model);
	for (int i = 0; i < ROUNDS; i++) {
		from = cpu_seconds();
		if (record(&session, text->path, LOG_PLAIN))
			return false;
		took = fmin(took, cpu_seconds() - from);
	}
	return holds("recording a session of sets, of a core", took / ((double)span_ns / 1e9) * 100,
		     PERCENT, "%");
}

static bool bench_tasks(void)
{
	struct text text = {.bytes = NULL};
	struct synthetic session;
	struct model model;
	bool good;

	model_init(&model);
	describe_tasks(&session);
	if (make_log(&session, &text) < 0)
		return false;
	good = bench_open(&text, &model, BYTES);
	good &= bench_packed(&session, &text);
	good &= bench_seek(&model);
	model_free(&model);
	good &= bench_write(&text);
	drop_log(&text);
	return good;
}

static bool bench_slices(uint32_t workers)
{
	struct text text = {.bytes = NULL};
	struct synthetic session;
	struct model model;
	bool good;

	model_init(&model);
	describe_slices(workers, &session);
	if (make_log(&session, &text) < 0)
		return false;
	printf("slices of %u workers: ", workers);
	good = bench_open(&text, &model, SLICE);
	good &= bench_packed(&session, &text);
	good &= bench_seek(&model);
	model_free(&model);
	drop_log(&text);
	return good;
}

int main(void)
{
	bool good = bench_tasks();

	good &= bench_slices(8);
	good &= bench_slices(400);
	return good ? 0 : 1;
}
