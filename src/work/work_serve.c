/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/serving.h"
#include "work/connection.h"
#include "work/work_file.h"

/*
 * The server in which each worker serves one connection at a time and blocks in its calls. The
 * worker was created for that connection, or belongs to a pool and accepts another connection
 * afterwards.
 */

/* Bytes of the file read at once. */
#define FILE_CHUNK 16384

size_t serve_shared_bytes(const struct work_args *args)
{
	return args->serving->reply;
}

/* Writes the file that each request reads. The file stays in the page cache. */
static int fill_file(const struct work_args *args, struct work_result *result)
{
	char chunk[FILE_CHUNK];
	int err = 0;

	memset(chunk, 'f', sizeof(chunk));
	for (uint64_t left = args->serving->file; left > 0; left -= MIN(left, sizeof(chunk))) {
		err = work_file_write(args->one_file, chunk, MIN(left, sizeof(chunk)));
		if (err)
			break;
	}
	if (err)
		result->path = args->tmp_dir;
	return err;
}

/*
 * Prepares a reply that other HTTP clients understand too. Its header has the same length for any
 * size of reply.
 */
int serve_prepare(const struct work_args *args, struct work_result *result)
{
	static const char header[] = "HTTP/1.1 200 OK\r\nContent-Length: %010zu\r\n\r\n";
	const size_t bytes = args->serving->reply;
	const size_t length = (size_t)snprintf(NULL, 0, header, bytes);

	if (bytes < length)
		return -EINVAL;
	memset(args->shared, 'r', bytes);
	snprintf(args->shared, length + 1, header, bytes - length);
	if (bytes > length)
		((char *)args->shared)[length] = 'r';
	return fill_file(args, result);
}

/* Reads the file. All readers share one open file, so each passes the position with its read. */
static int read_served_file(const struct work_args *args)
{
	char chunk[FILE_CHUNK];
	uint64_t done = 0;

	while (done < args->serving->file) {
		const uint64_t left = args->serving->file - done;
		ssize_t n = pread(args->one_file, chunk, MIN(left, sizeof(chunk)), (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0 || chunk[0] != 'f' || chunk[n - 1] != 'f')
			return -EILSEQ;
		done += (uint64_t)n;
	}
	return 0;
}

int serve_compute(const struct work_args *args)
{
	const uint64_t work = args->serving->work;

	if (work > 0 && !work_check_pi(work_add_terms(work), work))
		return -EILSEQ;
	return read_served_file(args);
}

void serve_wait(uint64_t ns)
{
	struct timespec left = {.tv_sec = (time_t)(ns / 1000000000),
				.tv_nsec = (long)(ns % 1000000000)};

	while (ns > 0 && nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

void serve_note_ready(const struct work_args *args)
{
	if (args->ready)
		atomic_fetch_add(args->ready, 1);
}

struct serving_mark *serve_begin_mark(const struct work_args *args)
{
	struct serving_marks *marks = args->marks;
	struct serving_mark *mark;
	uint32_t number;

	if (!marks)
		return NULL;
	number = atomic_fetch_add_explicit(&marks->next, 1, memory_order_relaxed);
	if (number % marks->every != 0 || number / marks->every >= SERVING_MARKS)
		return NULL;
	mark = &marks->mark[number / marks->every];
	mark->slot = args->slot;
	mark->read_ns = clock_now_ns();
	return mark;
}

void serve_end_mark(struct serving_mark *mark)
{
	if (mark)
		atomic_store_explicit(&mark->replied_ns, clock_now_ns(), memory_order_release);
}

/*
 * Serves a connection to its end and closes it. Adds the number of its requests to *served. Returns
 * 0 or the error of serve_compute().
 */
static int serve_connection(const struct work_args *args, int fd, uint64_t *served)
{
	const struct serving *serving = args->serving;
	struct serving_mark *mark;
	uint64_t done = 0;
	int err = 0;

	serve_note_ready(args);
	for (uint32_t i = 0; i < serving->kept; i++) {
		if (connection_receive(fd, 'G', serving->request, &done) != 1)
			break;
		mark = serve_begin_mark(args);
		err = serve_compute(args);
		if (err)
			break;
		serve_wait(serving->wait_ns);
		if (connection_send(fd, args->shared, serving->reply, &done) != 1)
			break;
		serve_end_mark(mark);
		*served += 1;
	}
	close(fd);
	return err;
}

static int run_serve(const struct work_args *args, struct work_result *result)
{
	int err = 0, fd;

	*result = (struct work_result) {.value = 0};
	if (args->connection >= 0)
		return serve_connection(args, args->connection, &result->value);
	serve_note_ready(args);
	while (!err) {
		fd = connection_accept(args->listener, 0);
		if (fd < 0)
			err = fd;
		else
			err = serve_connection(args, fd, &result->value);
	}
	if (err == -ESHUTDOWN)
		return 0;
	return err;
}

const struct workload_ops work_serve_ops = {
	.about = "serve a connection at a time (-s work, -s wait, -s file)",
	.unit = "requests",
	.shared_bytes = serve_shared_bytes,
	.prepare = serve_prepare,
	.run = run_serve,
};
