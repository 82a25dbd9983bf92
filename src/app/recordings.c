/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle.h"
#include "base/error_line.h"
#include "base/same_file.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/sample.h"
#include "draw/text.h"
#include "result/report.h"
#include "model/model_lanes.h"
#include "model/model_wakes.h"

/*
 * Whether a directory entry may be a recording, by its name and type. Pipes are left out, because
 * opening a pipe would block. Not all file systems report the type.
 */
static int is_recording(const struct dirent *entry)
{
	bool file =
		entry->d_type == DT_REG || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;

	return file && entry->d_name[0] != '.' && log_name_end(entry->d_name) > 0;
}

int recordings_sum(const char *folder, int64_t *bytes)
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	struct stat st;
	int n = 0;

	*bytes = 0;
	if (!directory)
		return -errno;
	while ((entry = readdir(directory))) {
		if (!is_recording(entry))
			continue;
		n++;
		if (fstatat(dirfd(directory), entry->d_name, &st, 0) == 0)
			*bytes += st.st_size;
	}
	closedir(directory);
	return n;
}

struct dated {
	const char *name;
	/* Time since the epoch, ns. -1: neither the file nor its name has the time. */
	int64_t begun_ns;
};

/*
 * The date in the file's name, read as local time, in ns since the epoch. -1: the name has no date.
 * For recordings that do not contain the time.
 */
static int64_t begun_by_name(const char *name)
{
	struct tm local = {.tm_isdst = -1};

	if (strptime(name, "%Y-%m-%dT%H-%M-%S", &local))
		return (int64_t)mktime(&local) * INT64_C(1000000000);
	return -1;
}

static int64_t begun(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int64_t ns = -1;
	int fd = -1;

	/* Open regular files only: a link may lead to a pipe, and opening a pipe would block. */
	if (snprintf(path, sizeof(path), "%s/%s", folder, name) < PATH_MAX &&
	    stat(path, &st) == 0 && S_ISREG(st.st_mode))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0) {
		ns = log_begun_ns(fd);
		close(fd);
	}
	if (ns >= 0)
		return ns;
	return begun_by_name(name);
}

static bool has_date(const char *name)
{
	return *name >= '0' && *name <= '9';
}

/*
 * Sorts the newest recordings first. Compares the recorded times, because names have the local time
 * of the session's time zone. If times are equal, the higher number in the name comes first. Files
 * whose names have no date come last.
 */
static int by_date(const void *x, const void *y)
{
	const struct dated *a = x, *b = y;
	char name_a[NAME_MAX + 1], name_b[NAME_MAX + 1];
	int order = has_date(b->name) - has_date(a->name);

	if (order)
		return order;
	if (a->begun_ns != b->begun_ns) {
		if (a->begun_ns < b->begun_ns)
			return 1;
		return -1;
	}
	snprintf(name_a, sizeof(name_a), "%.*s", (int)(strlen(a->name) - log_name_end(a->name)),
		 a->name);
	snprintf(name_b, sizeof(name_b), "%.*s", (int)(strlen(b->name) - log_name_end(b->name)),
		 b->name);
	return strverscmp(name_b, name_a);
}

void recordings_paths_free(char **paths, int n)
{
	for (int i = 0; i < n; i++)
		free(paths[i]);
	free(paths);
}

int recordings_paths(char ***paths, char *error, size_t size)
{
	char folder[PATH_MAX];
	struct dirent **entries = NULL;
	struct dated *dated = NULL;
	int n = state_folder_name(folder), made = 0;

	if (n >= 0) {
		n = scandir(folder, &entries, is_recording, NULL);
		if (n < 0) {
			if (errno == ENOENT)
				n = 0;
			else
				n = -errno;
		}
	}
	if (n < 0)
		return error_line(error, size, n, "cannot list the recordings in %s: %s", folder,
				  strerror(-n));
	*paths = calloc((size_t)n + 1, sizeof(**paths));
	dated = calloc((size_t)n + 1, sizeof(*dated));
	if (dated)
		for (int i = 0; i < n; i++)
			dated[i] = (struct dated) {entries[i]->d_name,
						   begun(folder, entries[i]->d_name)};
	if (dated)
		qsort(dated, (size_t)n, sizeof(*dated), by_date);
	while (*paths && dated && made < n &&
	       asprintf(&(*paths)[made], "%s/%s", folder, dated[made].name) >= 0)
		made++;
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	if (*paths && dated && made == n) {
		free(dated);
		return n;
	}
	free(dated);
	if (*paths)
		recordings_paths_free(*paths, made);
	return error_line(error, size, -ENOMEM, "%s", strerror(ENOMEM));
}

int recordings_check_input(const struct options *options, const char *path, char *error,
			   size_t size)
{
	const char *output = NULL, *debug = getenv("TUIBENCH_DEBUG");

	if (options->output && same_file(path, options->output))
		return error_line(error, size, -EINVAL,
				  "--output is the recording itself; name a new file");
	if (same_open_file(path, STDOUT_FILENO))
		output = "standard output";
	else if (same_open_file(path, STDERR_FILENO))
		output = "standard error";
	else if (debug && *debug && same_file(path, debug))
		output = "TUIBENCH_DEBUG";
	if (output && same_open_file(path, STDERR_FILENO))
		same_file_divert_errors();
	if (output)
		return error_line(
			error, size, -EINVAL,
			"\"%s\" is the input, and %s would write to it; name another file", path,
			output);
	return 0;
}

int recordings_newest(char path[PATH_MAX], char *error, size_t size)
{
	char **paths;
	int n = recordings_paths(&paths, error, size), err = 0;

	if (n < 0)
		return n;
	state_folder_name(path);
	if (n == 0)
		err = error_line(error, size, -ENOENT, "there is no recording in %s yet", path);
	else if (snprintf(path, PATH_MAX, "%s", paths[0]) >= PATH_MAX)
		err = error_line(error, size, -ENAMETOOLONG, "%s: too long", paths[0]);
	recordings_paths_free(paths, n);
	return err;
}

int recordings_write(struct log_writer *log, struct model *model, const struct sample *sample)
{
	const uint64_t left_out = log_left_out(log);
	char answer[HEADLINE_BADGE + HEADLINE_TEXT];
	struct sample_wake *wakes;
	struct sample end;
	int err;

	if (sample->kind == SAMPLE_DONE)
		log_end_with(log, headline_line(model, answer, sizeof(answer)));
	if (sample->kind != SAMPLE_RUN_END || left_out == 0 || model->n_runs == 0)
		return log_write(log, sample);
	end = *sample;
	model_thin(model, (int64_t)left_out, &end.end.thinned);
	wakes = model_wakes_list(&model->runs[model->n_runs - 1], &end.end.n_wakes);
	end.end.wakes = wakes;
	err = log_write(log, &end);
	free(wakes);
	return err;
}

/*
 * A run whose slices were left out. Number of rows that the slices need. whole: unchanged. merged:
 * merged.
 */
struct late_run {
	struct model_run *run;
	uint64_t whole, merged;
};

struct late {
	struct log_writer *log;
	int64_t time_ns;
	/* For each case, the run nearest to the median, and the newest run. */
	struct late_run *first;
	size_t n;
	uint32_t n_merged; /* Number of runs whose slices were merged. */
};

/* Whether the slices of a run were left out, and the model still has them. */
static bool may_come_late(const struct model_run *run)
{
	return run->slices_left_out > 0 && run->lanes;
}

static uint64_t count_late(const struct model_run *run)
{
	const struct sample_slice *slices;
	uint64_t sum = 0;
	size_t n;

	for (size_t i = 0; model_lane_kept(run, i, &slices, &n); i++)
		sum += n;
	return sum;
}

static void write_late(struct late *late, struct model_run *run)
{
	const struct sample_slice *slices;
	size_t n;

	log_late_begin(late->log, &run->id);
	for (size_t i = 0; model_lane_kept(run, i, &slices, &n); i++)
		log_late(late->log, late->time_ns, slices, n);
	if (log_late_end(late->log, late->time_ns))
		run->slices_left_out = 0;
}

/* Counts the merged slices of a run. With `write`, also writes them. */
static uint64_t merge_late(struct late *late, const struct model_run *run, bool write)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < run->n_workers + run->n_tasks; i++) {
		struct model_merge merge = model_merge_begin(run, i);
		struct sample_slice slice;

		for (; model_merge_next(&merge, &slice); sum++)
			if (write)
				log_late(late->log, late->time_ns, &slice, 1);
	}
	return sum;
}

static void write_merged(struct late *late, struct model_run *run)
{
	log_late_begin(late->log, &run->id);
	merge_late(late, run, true);
	if (!log_late_end(late->log, late->time_ns))
		return;
	run->slices_left_out = 0;
	late->n_merged++;
}

static void add_late(struct late *late, struct model *model, const struct model_run *run)
{
	if (!run || !may_come_late(run))
		return;
	for (size_t i = 0; i < late->n; i++)
		if (late->first[i].run == run)
			return;
	late->first[late->n++] = (struct late_run) {&model->runs[run - model->runs],
						    count_late(run), merge_late(late, run, false)};
}

/*
 * Writes the runs in late->first. Writes a run whole if the later runs still fit when they are
 * merged. Otherwise, writes the run merged.
 */
static void write_first(struct late *late)
{
	uint64_t others = 0;

	for (size_t i = 0; i < late->n; i++)
		others += late->first[i].merged;
	for (size_t i = 0; i < late->n; i++) {
		const struct late_run *first = &late->first[i];
		const uint64_t space = log_late_room(late->log);

		others -= first->merged;
		if (first->whole + others <= space)
			write_late(late, first->run);
		else if (first->merged <= space)
			write_merged(late, first->run);
	}
}

/*
 * Writes slices that were left out, as far as there is room. For each case, first come the run
 * nearest to the median and the newest run. Then come whole runs, from the newest run on. Which run
 * is nearest is known only at the end of the session.
 */
static void write_all_late(struct late *late, struct model *model)
{
	/*
	 * After a pause, the model's times differ from the recording's, so late slices would have
	 * wrong times.
	 */
	if (model->n_pauses > 0)
		return;
	late->first = calloc(2 * model->n_cases, sizeof(*late->first));
	if (late->first) {
		for (uint32_t i = 0; i < model->n_cases; i++) {
			const struct model_trial nearest = model_trial_typical(model, i);

			add_late(late, model, model_trial_run(model, &nearest, i));
		}
		for (uint32_t i = 0; i < model->n_cases; i++)
			add_late(late, model, model_latest(model, i));
	}
	write_first(late);
	free(late->first);
	for (size_t i = model->n_runs; i-- > 0;) {
		struct model_run *run = &model->runs[i];

		if (may_come_late(run) && count_late(run) <= log_late_room(late->log))
			write_late(late, run);
	}
}

bool recordings_tell_limit(struct log_writer *log, struct model *model,
			   const struct options *options, const struct sample *done,
			   struct sample *message)
{
	struct late late = {.log = log, .time_ns = done->time_ns};
	const char *limit;
	struct sentence s;
	uint32_t runs, thinned;
	bool over;

	if (done->kind != SAMPLE_DONE || !log)
		return false;
	limit = UNITS_EXACT(options->log_limit);
	if (log_thinned(log, &runs) > 0)
		write_all_late(&late, model);
	thinned = log_thinned(log, &runs);
	over = log_exceeds(log);
	if (thinned == 0 && late.n_merged == 0 && !over)
		return false;
	*message = (struct sample) {.kind = SAMPLE_MESSAGE, .time_ns = done->time_ns};
	message->message.severity = SAMPLE_WARNING;
	s = sentence_in(message->message.text, SAMPLE_TEXT);
	sentence_add(&s, "the recording ");
	if (late.n_merged > 0)
		sentence_add(&s, "merges the slices of each 1 ms in %u of %u runs", late.n_merged,
			     runs);
	if (late.n_merged > 0 && thinned > 0)
		sentence_add(&s, " and ");
	if (thinned > 0)
		sentence_add(&s, "leaves out the slices of %u of %u runs", thinned, runs);
	if (!over)
		sentence_add(&s, " to stay within --log-limit %s", limit);
	else if (thinned > 0 || late.n_merged > 0)
		sentence_add(&s, " and still exceeds --log-limit %s, because it keeps all values",
			     limit);
	else
		sentence_add(&s, "exceeds --log-limit %s, because it keeps all values", limit);
	if (late.n_merged > 0 && thinned > 0)
		sentence_add(&s, "; the latter have no timelines or states");
	else if (thinned > 0)
		sentence_add(&s, "; these runs have no timelines or states");
	return true;
}

/* Applies a sample. Ignores samples that do not fit the session, as in a broken recording. */
static int apply_sample(void *arg, const struct sample *sample)
{
	struct recordings_reading *reading = arg;
	int err = model_apply(reading->model, sample);

	reading->left_out += err && err != -ENOMEM;
	if (err == -ENOMEM)
		return err;
	if (sample->kind == SAMPLE_RUN_END && !reading->to_join)
		model_store(reading->model, MODEL_SHOWN);
	return reading->session_alone && sample->kind == SAMPLE_SESSION;
}

int recordings_go_on(struct recordings_reading *reading)
{
	struct sample sample = {.kind = SAMPLE_MESSAGE};
	struct source *source = reading->source;
	int err = source->ops->pump(source, apply_sample, reading);

	if (err || source->ops->fd(source) >= 0) {
		if (err)
			return err;
		return 1;
	}
	if (!reading->left_out)
		return 0;
	/* Add a warning, because figures may be incomplete. */
	sample.time_ns = reading->model->newest_ns;
	sample.message.severity = SAMPLE_WARNING;
	snprintf(sample.message.text, SAMPLE_TEXT,
		 "%s: %llu samples contradict earlier ones and were left out, wholly or in part",
		 basename(reading->path), reading->left_out);
	utf8_mask(sample.message.text);
	return model_apply(reading->model, &sample);
}

static int read_all(struct recordings_reading *reading, char *error, size_t size)
{
	struct source *source = reading->source;
	struct pollfd fd = {.events = POLLIN};
	int more;

	do {
		fd.fd = source->ops->fd(source);
		if (fd.fd >= 0)
			poll(&fd, 1, -1);
		more = recordings_go_on(reading);
	} while (more > 0);
	if (more)
		error_line(error, size, more, "\"%s\": %s", reading->path,
			   source_why(source, more));
	source->ops->close(source);
	return more;
}

static int load(const char *path, bool to_join, struct model *model, char *error, size_t size)
{
	struct recordings_reading reading = {.path = path, .model = model, .to_join = to_join};

	model_init(model);
	reading.source = source_replay_open(path, false, error, size);
	if (reading.source)
		return read_all(&reading, error, size);
	return -errno;
}

int recordings_load(const char *path, struct model *model, char *error, size_t size)
{
	return load(path, false, model, error, size);
}

int recordings_open_two(char *const paths[2], struct model *model, char *error, size_t size)
{
	struct model *parts = calloc(2, sizeof(*parts));
	int err = parts ? 0 : -ENOMEM;

	model_init(model);
	for (size_t i = 0; i < 2; i++) {
		if (err)
			break;
		err = load(paths[i], true, &parts[i], error, size);
	}
	if (!err)
		err = model_join(parts, model);
	if (err == -ENOMEM)
		error_line(error, size, err, "out of memory");
	for (size_t i = 0; i < 2; i++)
		if (parts)
			model_free(&parts[i]);
	free(parts);
	return err;
}

int recordings_begin(struct recordings_reading *reading, const char *path, struct model *model)
{
	char error[PATH_MAX + 256];
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode)) /* reading a pipe would block */
		return -EPROTO;
	*reading = (struct recordings_reading) {.path = path, .model = model};
	reading->source = source_replay_open(path, false, error, sizeof(error));
	if (!reading->source)
		return -errno;
	source_replay_answer_only(reading->source);
	model_init(model);
	return 0;
}

void recordings_end(struct recordings_reading *reading)
{
	reading->source->ops->close(reading->source);
	reading->source = NULL;
	model_free(reading->model);
}

int scenes_take_input(void)
{
	char bytes[65536];
	struct stat st;
	ssize_t n;
	int fd, err = 0;

	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	fd = memfd_create("recording", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (!err && (n = read(STDIN_FILENO, bytes, sizeof(bytes))) != 0)
		if (n > 0 && write(fd, bytes, (size_t)n) != n)
			err = -ENOSPC;
		else if (n < 0 && errno != EINTR)
			err = -errno;
	if (!err && (lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, STDIN_FILENO) < 0))
		err = -errno;
	close(fd);
	return err;
}

static int copy_bytes(int to, int from, off_t at, off_t end)
{
	char bytes[65536];

	while (at < end) {
		const size_t most = (size_t)MIN((off_t)sizeof(bytes), end - at);
		const ssize_t n = pread(from, bytes, most, at);

		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO;
		if (write(to, bytes, (size_t)n) != n)
			return -ENOSPC;
		at += n;
	}
	return 0;
}

/*
 * Copies two parts of a file, one after the other, to a new file in memory. Either part may be
 * empty.
 */
static int copy_parts(int from, const off_t parts[2][2])
{
	const int fd = memfd_create("recording", MFD_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	for (int i = 0; i < 2; i++)
		if (!err)
			err = copy_bytes(fd, from, parts[i][0], parts[i][1]);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int recordings_rows(const char *path)
{
	int fd, rows;

	if (strcmp(path, "-") == 0)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!log_is_packed(fd))
		return fd;
	rows = log_unpack_file(fd);
	close(fd);
	return rows;
}

int scenes_rows(const struct scenes *scenes, size_t i)
{
	const struct log_part *part = &scenes->log.parts[i];
	const off_t parts[2][2] = {{0, part->header}, {part->begin, part->end}};

	return copy_parts(scenes->fd, parts);
}

/* If the file is a bundle with the recording of a lecture, opens that recording instead. */
static int open_bundled(struct scenes *scenes)
{
	off_t parts[2][2] = {{0, 0}};
	struct bundle bundle;
	int fd = bundle_read(scenes->fd, &bundle);

	/* The function that plays a session reports why a bundle cannot be read. */
	if (fd || !bundle.found)
		return 0;
	if (log_check_begin(scenes->fd, bundle.begin, (size_t)(bundle.end - bundle.begin)) !=
	    -EMEDIUMTYPE)
		return 0;
	memcpy(scenes->changed, bundle.changed, sizeof(scenes->changed));
	parts[1][0] = bundle.begin;
	parts[1][1] = bundle.end;
	fd = copy_parts(scenes->fd, parts);
	if (fd < 0)
		return fd;
	close(scenes->fd);
	scenes->fd = fd;
	return 0;
}

/*
 * Enough bytes to contain the first row of a compressed file: zstd compresses blocks of 128 KiB.
 */
#define LECTURE_BEGIN (1 << 18)

int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size)
{
	const bool piped = strcmp(path, "-") == 0;
	struct stat st;
	int found, fd;
	int err = piped ? fstat(STDIN_FILENO, &st) : stat(path, &st);
	const bool regular = err == 0 && S_ISREG(st.st_mode);

	*scenes = (struct scenes) {.fd = -1, .path = path};
	/* Accept only seekable files, because bytes read here from a pipe would be lost. */
	if (regular && piped)
		scenes->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else if (regular)
		scenes->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (scenes->fd < 0)
		return 0;
	/*
	 * Scenes of a lecture are read at their positions in the file. A compressed file has no
	 * such positions, so unpack it.
	 */
	if (log_is_packed(scenes->fd)) {
		if (log_check_begin(scenes->fd, 0, LECTURE_BEGIN) != -EMEDIUMTYPE)
			return 0;
		fd = log_unpack_file(scenes->fd);
		if (fd < 0)
			return error_line(error, size, fd, "cannot unpack \"%s\": %s", path,
					  strerror(-fd));
		close(scenes->fd);
		scenes->fd = fd;
	}
	found = open_bundled(scenes);
	if (!found)
		found = log_scenes_read(scenes->fd, &scenes->log);
	if (found == -E2BIG)
		return error_line(error, size, found, "\"%s\": has more than %d scenes", path,
				  LOG_SCENES_MOST);
	if (found < 0)
		return error_line(error, size, found, "cannot read \"%s\": %s", path,
				  strerror(-found));
	return found;
}

void scenes_close(struct scenes *scenes)
{
	log_scenes_free(&scenes->log);
	if (scenes->fd >= 0)
		close(scenes->fd);
	scenes->fd = -1;
}

bool scenes_ran(const struct scenes *scenes, size_t i)
{
	return scenes->log.parts[i].begin < scenes->log.parts[i].end;
}

const char *scenes_count(const struct scenes *scenes, char *buf, size_t size)
{
	const size_t n = scenes->log.n;
	char of[32] = "";
	size_t ran = 0;

	for (size_t i = 0; i < n; i++)
		ran += scenes_ran(scenes, i);
	if (scenes->log.planned > n)
		snprintf(of, sizeof(of), " of %u", scenes->log.planned);
	snprintf(buf, size, "%zu%s scene%s, %zu with a session", n, of, n == 1 && !*of ? "" : "s",
		 ran);
	return buf;
}

static const char *scene_name(const struct scenes *scenes, char *buf, size_t size, size_t i)
{
	snprintf(buf, size, "%s, scene %zu", basename(scenes->path), i + 1);
	return buf;
}

struct source *scenes_source(const struct scenes *scenes, size_t i, char *error, size_t size)
{
	char name[256];

	return source_replay_open_part(scenes->fd, &scenes->log.parts[i],
				       scene_name(scenes, name, sizeof(name), i), error, size);
}

int scenes_load(const struct scenes *scenes, size_t i, struct model *model, char *error,
		size_t size)
{
	char name[256];
	struct recordings_reading reading = {
		.path = scene_name(scenes, name, sizeof(name), i),
		.source = scenes_source(scenes, i, error, size),
		.model = model,
	};

	model_init(model);
	if (reading.source)
		return read_all(&reading, error, size);
	return -errno;
}

int scenes_chosen(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size)
{
	const size_t n = scenes->log.n, chosen = options->scene - 1;
	char ran[128];
	struct sentence list = sentence_in(ran, sizeof(ran));

	if (options->scene <= n && scenes_ran(scenes, chosen))
		return (int)chosen;
	for (size_t i = 0; i < n; i++) /* such as "1, 3, 4" */
		if (scenes_ran(scenes, i))
			sentence_join(&list, ", ", "%zu", i + 1);
	if (!list.used)
		sentence_add(&list, "none");
	if (options->scene > n)
		return error_line(
			error, size, -EINVAL,
			"--scene: \"%s\" has no scene %u; the scenes with a session are %s",
			scenes->path, options->scene, ran);
	return error_line(
		error, size, -EINVAL,
		"--scene: scene %u of \"%s\" ran nothing; the scenes with a session are %s",
		options->scene, scenes->path, ran);
}

static int write_sample(void *log, const struct sample *sample)
{
	return log_write(log, sample);
}

/* Writes the session of a recording as a scene of its own. */
static int write_as_scene(struct log_writer *log, uint32_t number, const char *path, char *error,
			  size_t size)
{
	const struct log_scene scene = {basename(path), "", "", ""};
	struct source *source = source_replay_open(path, false, error, size);
	struct pollfd fd = {.events = POLLIN};
	int err;

	if (!source)
		return -errno;
	err = log_scene(log, number, &scene);
	while (!err && (fd.fd = source->ops->fd(source)) >= 0) {
		poll(&fd, 1, -1);
		err = source->ops->pump(source, write_sample, log);
	}
	if (err < 0)
		error_line(error, size, err, "\"%s\": %s", path, source_why(source, err));
	source->ops->close(source);
	return err;
}

int scenes_of_recordings(struct scenes *scenes, const struct options *options, char *error,
			 size_t size)
{
	const int fd = memfd_create("recording", MFD_CLOEXEC);
	const int n = options->n_logs;
	struct log_writer *log = NULL;
	char title[64];
	int err = 0;

	*scenes = (struct scenes) {.fd = fd, .path = options->logs[0]};
	if (fd >= 0)
		log = log_create(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
	if (!log)
		return error_line(error, size, -errno, "cannot join the recordings: %s",
				  strerror(errno));
	snprintf(title, sizeof(title), "%d sessions", n);
	log_lecture(log, title, (uint32_t)n);
	for (int i = 0; i < n; i++)
		if (!err)
			err = write_as_scene(log, (uint32_t)i + 1, options->logs[i], error, size);
	if (err) {
		log_close(log);
		return err;
	}
	err = log_close(log);
	if (!err)
		err = log_scenes_read(fd, &scenes->log);
	if (err < 0)
		return error_line(error, size, err, "cannot join the recordings: %s",
				  strerror(-err));
	return 0;
}

struct exported {
	const struct scenes *scenes;
	const struct lecturer *lecturer; /* For the list of the last scene; NULL: none. */
	struct model model;		 /* Model of the scene that is being written. */
	char **answers;			 /* The answer of each scene; NULL: it has none. */
	struct export_item items[LECTURE_ITEMS];
	char error[512];
};

/* Adds the list of the last scene, with the answers of the scenes before it. */
static void add_items(struct exported *exported, struct export_scene *scene)
{
	const struct lecturer *lecturer = exported->lecturer;

	if (!lecturer || exported->scenes->log.n < exported->scenes->log.planned)
		return;
	for (size_t i = 0; i < lecturer->n_items; i++) {
		const size_t of = lecturer->item_scenes[i];
		struct export_item *item = &exported->items[i];

		*item = (struct export_item) {.text = lecturer->items[i].text};
		if (of != SIZE_MAX)
			item->result = sentence_text(exported->answers[of], "not run");
	}
	scene->items = exported->items;
	scene->n_items = lecturer->n_items;
}

/* Loads a scene. A session that ended before its first sample counts as no session. */
static int load_scene(void *arg, size_t i, struct export_scene *scene)
{
	struct exported *exported = arg;
	const struct log_scene *text = &exported->scenes->log.scenes[i];
	char answer[HEADLINE_BADGE + HEADLINE_TEXT];
	int err;

	*scene = (struct export_scene) {text->heading, text->caption, text->command, NULL};
	if (i + 1 == exported->scenes->log.n)
		add_items(exported, scene);
	model_free(&exported->model);
	if (!scenes_ran(exported->scenes, i))
		return 0;
	err = scenes_load(exported->scenes, i, &exported->model, exported->error,
			  sizeof(exported->error));
	if (err == -ENODATA)
		return 0;
	if (err)
		return err;
	scene->model = &exported->model;
	free(exported->answers[i]);
	exported->answers[i] = strdup(headline_line(&exported->model, answer, sizeof(answer)));
	return exported->answers[i] ? 0 : -ENOMEM;
}

int scenes_export(const struct scenes *scenes, const struct lecturer *lecturer,
		  const struct options *options, char *error, size_t size)
{
	struct exported exported = {.scenes = scenes, .lecturer = lecturer};
	const struct export_lecture lecture = {scenes->log.title, scenes->log.n, load_scene,
					       &exported};
	const struct result result = {
		.format = options->format, .lecture = &lecture, .rows = scenes->fd};
	int err;

	/* A screencast, and formats of one session's rows, cannot hold several sessions. */
	if (!options->format->lecture)
		return error_line(error, size, -EINVAL,
				  "%s takes one session, and \"%s\" is a lecture of %zu scenes; "
				  "choose one with --scene N",
				  options->format->name, scenes->path, scenes->log.n);
	model_init(&exported.model);
	exported.answers = calloc(scenes->log.n, sizeof(*exported.answers));
	if (exported.answers)
		err = result_save(&result, options->output, error, size);
	else
		err = error_line(error, size, -ENOMEM, "out of memory");
	model_free(&exported.model);
	for (size_t i = 0; i < scenes->log.n; i++)
		if (exported.answers)
			free(exported.answers[i]);
	free(exported.answers);
	return err;
}

/*
 * Columns of a row. The models have the rest of the line. The file's name and the result follow on
 * lines of their own, which begin at the machine's column.
 */
enum { LIST_WIDTH = 80, LIST_DATE = 18, LIST_MACHINE = 18, LIST_EXPERIMENT = 12 };
enum { LIST_MODELS = LIST_DATE + LIST_MACHINE + LIST_EXPERIMENT };

static void print_wrapped(FILE *out, int column, const char *text)
{
	const char *next;

	for (; *text; text = next) {
		int n;

		text_line(text, LIST_WIDTH - column, &next);
		n = (int)(next - text);
		fprintf(out, "%.*s\n", n - (text[n - 1] == ' '), text);
		if (*next)
			fprintf(out, "%*s", column, "");
	}
}

static void print_cell(FILE *out, int width, const char *text)
{
	const char *next;
	int columns = text_line(text, width - 2, &next);

	if (*next)
		columns = text_line(text, width - 4, &next);
	const char *cut = *next ? ".." : "";

	fprintf(out, "%.*s%s%*s", (int)(next - text), text, cut, width - columns - (int)strlen(cut),
		"");
}

const char *recordings_date(int64_t wall_s, char buf[32])
{
	time_t wall = (time_t)wall_s;
	struct tm local;

	if (wall_s < 0 || !localtime_r(&wall, &local) ||
	    !strftime(buf, 32, "%Y-%m-%d %H:%M", &local))
		strcpy(buf, "?");
	return buf;
}

const char *recordings_models(const struct model *model, char *buf, size_t size)
{
	struct sentence models = sentence_in(buf, size);

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first_alike(model, i) == i)
			sentence_join(&models, ", ", "%s", model->cases[i].model);
	return buf;
}

/* Prints a name, masking control characters. */
static void print_name(FILE *out, int column, const char *name)
{
	char printable[PATH_MAX];

	snprintf(printable, sizeof(printable), "%s", name);
	utf8_mask(printable);
	fprintf(out, "%*s%s\n", column, "", printable);
}

/* Prints the name and size of a file. */
static void print_size(FILE *out, int column, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	char text[NAME_MAX + 64];
	struct stat st;

	snprintf(text, sizeof(text), "%s, %s", name,
		 stat(path, &st) == 0 ? UNITS_KIB((st.st_size + 1023) / 1024) : "?");
	print_name(out, column, text);
}

/*
 * Largest size in bytes of a recording, plain and compressed, that is read completely if the answer
 * is not at its end. Reading takes about a tenth of a second.
 */
#define LIST_READ	 (INT64_C(32) << 20)
#define LIST_READ_PACKED (LIST_READ / 8)

/* Reads the answer from the end of a recording. Returns false if the answer is not there. */
static bool read_answer(const char *path, char *answer, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const bool known = fd >= 0 && log_answer(fd, answer, size);

	if (fd >= 0)
		close(fd);
	return known;
}

/* How much of a recording --list reads. */
enum list_reading { READ_SESSION, READ_WHOLE };

enum { LIST_WHY = 256 };

/*
 * Reads only the first sample or, with READ_WHOLE, all samples that the answer depends on. Changes
 * *reading to READ_SESSION for a long recording. Returns 0, or -errno with the
 * reason in why.
 */
static int load_listed(const char *path, struct model *model, enum list_reading *reading,
		       char why[LIST_WHY])
{
	const int64_t most = log_packing_of(path) == LOG_PLAIN ? LIST_READ : LIST_READ_PACKED;
	struct recordings_reading read;
	struct stat st;
	int more = recordings_begin(&read, path, model) ?: 1;

	if (more < 0) {
		snprintf(why, LIST_WHY, "%s", source_strerror(more));
		return more;
	}
	if (stat(path, &st) == 0 && st.st_size > most)
		*reading = READ_SESSION;
	read.session_alone = *reading == READ_SESSION;
	while (more > 0 && !(read.session_alone && model->has_session))
		more = recordings_go_on(&read);
	if (more < 0)
		snprintf(why, LIST_WHY, "%s", source_why(read.source, more));
	read.source->ops->close(read.source);
	return MIN(more, 0);
}

/*
 * Lists one recording. Only one recording is in memory at a time, because all of them may not fit
 * together.
 */
static void list_one(FILE *out, const char *path)
{
	char error[PATH_MAX + 256], text[64], why[LIST_WHY], line[HEADLINE_BADGE + HEADLINE_TEXT];
	char models[SAMPLE_MAX_CASES * (SAMPLE_MODEL + 2)];
	const char *name = strrchr(path, '/') + 1, *host, *what;
	struct scenes scenes;
	struct model model;
	const bool lecture = scenes_open(&scenes, path, error, sizeof(error)) > 0;
	const bool answered = !lecture && read_answer(path, line, sizeof(line));
	enum list_reading reading = answered ? READ_SESSION : READ_WHOLE;
	size_t first = 0;
	int err = 0;

	model_init(&model);
	model.session.wall_s = -1;
	/* For a lecture, the first session that ran has the date and the machine. */
	while (lecture && first < scenes.log.n && !scenes_ran(&scenes, first))
		first++;
	if (!lecture)
		err = load_listed(path, &model, &reading, why);
	else if (first < scenes.log.n)
		scenes_load(&scenes, first, &model, error, sizeof(error));
	host = model.session.machine.host;
	if (lecture)
		what = scenes.log.title;
	else
		what = recordings_models(&model, models, sizeof(models));
	if (err) {
		print_cell(out, LIST_DATE, "?");
		print_name(out, 0, name);
		fprintf(out, "%*s", LIST_DATE, "");
		print_wrapped(out, LIST_DATE, why);
	} else {
		print_cell(out, LIST_DATE, recordings_date(model.session.wall_s, text));
		print_cell(out, LIST_MACHINE, lecture && !*host ? "?" : host);
		print_cell(out, LIST_EXPERIMENT, lecture ? "lecture" : model.session.experiment);
		print_wrapped(out, LIST_MODELS, sentence_text(what, "?"));
		print_size(out, LIST_DATE, path);
	}
	if (lecture) {
		print_name(out, LIST_DATE, scenes_count(&scenes, text, sizeof(text)));
	} else if (!err && !answered && reading == READ_SESSION) {
		print_name(out, LIST_DATE, "too long to read its answer here; use tuibench -b -r");
	} else if (!err) {
		if (!answered && !model.done)
			print_name(out, LIST_DATE, "cut off before the session ended");
		if (!answered)
			headline_line(&model, line, sizeof(line));
		fprintf(out, "%*s", LIST_DATE, "");
		print_wrapped(out, LIST_DATE, line);
	}
	model_free(&model);
	scenes_close(&scenes);
}

void recordings_keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD /* glibc */
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TOP_PAD, 8 << 20);
#endif
}

int recordings_list(FILE *out, char *error, size_t size)
{
	char folder[PATH_MAX], **paths;
	int n;

	recordings_keep_memory();
	n = recordings_paths(&paths, error, size);
	if (n < 0)
		return n;
	state_folder_name(folder);
	if (n > 0) {
		print_name(out, 0, folder);
		print_cell(out, LIST_DATE, "DATE");
		print_cell(out, LIST_MACHINE, "MACHINE");
		print_cell(out, LIST_EXPERIMENT, "EXPERIMENT");
		fputs("MODELS\n", out);
	}
	for (int i = n - 1; i >= 0; i--)
		list_one(out, paths[i]);
	recordings_paths_free(paths, n);
	if (n > 0)
		return 0;
	return error_line(error, size, -ENOENT, "there is no recording in %s yet", folder);
}
