/* SPDX-License-Identifier: MIT */
#include "recordings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "draw/text.h"
#include "write/export.h"
#include "model/model.h"
#include "result/report.h"
#include "source/source.h"
#include "save.h"

/* The input of take(). */
struct load {
	struct model *model;
	unsigned long long left_out;
};

/* Samples that do not fit the session are left out, as of a broken log. */
static int take(void *arg, const struct sample *sample)
{
	struct load *load = arg;
	int err = model_apply(load->model, sample);

	load->left_out += err && err != -ENOMEM;
	return err == -ENOMEM ? -ENOMEM : 0;
}

/* Figures that lack something say so, as of rows that cannot be read. */
static int say_left_out(const struct load *load, const char *path)
{
	struct sample sample = {.kind = SAMPLE_MESSAGE, .time_ns = load->model->newest_ns};
	const char *slash = strrchr(path, '/');

	if (!load->left_out)
		return 0;
	sample.message.severity = SAMPLE_WARNING;
	snprintf(sample.message.text, SAMPLE_TEXT,
		 "%s: samples that contradict earlier ones, left out whole or in part: %llu",
		 slash ? slash + 1 : path, load->left_out);
	utf8_mask(sample.message.text);
	return model_apply(load->model, &sample);
}

static int load_all(struct source *source, const char *path, struct model *model)
{
	struct pollfd fd = {.events = POLLIN};
	struct load load = {.model = model};
	int err = 0;

	while (!err && (fd.fd = source->ops->fd(source)) >= 0) {
		poll(&fd, 1, -1);
		err = source->ops->pump(source, take, &load);
	}
	return err ? err : say_left_out(&load, path);
}

int recordings_read(struct source *source, const char *name, struct model *model, char *error,
		    size_t size)
{
	int err = load_all(source, name, model);

	source->ops->close(source);
	if (err)
		error_line(error, size, err, "\"%s\": %s", name, source_strerror(err));
	return err;
}

int recordings_load(const char *path, struct model *model, char *error, size_t size)
{
	struct source *source;

	model_init(model);
	source = source_replay_open(path, false, error, size);
	return source ? recordings_read(source, path, model, error, size) : -errno;
}

/* A pipe would be waited for; not all file systems tell what an entry is. */
static int is_recording(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	bool file =
		entry->d_type == DT_REG || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;

	return file && entry->d_name[0] != '.' && dot && strcmp(dot, ".csv") == 0;
}

static int load_each(char *const *paths, size_t n, struct model *parts, char *error, size_t size)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = recordings_load(paths[i], &parts[i], error, size);
	return err;
}

static int load_and_join(char *const *paths, size_t n, struct model *model, char *error,
			 size_t size)
{
	struct model *parts = calloc(n, sizeof(*parts));
	int err;

	if (!parts)
		return error_line(error, size, -ENOMEM, "%s", strerror(ENOMEM));
	err = load_each(paths, n, parts, error, size);
	if (!err) {
		err = model_join(parts, n, model);
		if (err)
			error_line(error, size, err, "%zu recordings cannot be shown as one: %s", n,
				   err == -E2BIG ? "they have too many models" : strerror(-err));
	}
	for (size_t i = 0; i < n; i++)
		model_free(&parts[i]);
	free(parts);
	return err;
}

int recordings_open(char *const *paths, size_t n, struct model *model, char *error, size_t size)
{
	model_init(model);
	return n == 1 ? recordings_load(paths[0], model, error, size)
		      : load_and_join(paths, n, model, error, size);
}

static bool is_dated(const struct dirent *entry)
{
	return entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
}

/* The order is by name, which begins with the date; files that others named come first. */
static int by_date(const struct dirent **a, const struct dirent **b)
{
	int order = is_dated(*a) - is_dated(*b);

	return order ? order : alphasort(a, b);
}

/* The newest last; how many, or -errno with one line in error. */
static int find_all(char folder[PATH_MAX], struct dirent ***entries, char *error, size_t size)
{
	int n = state_folder_name(folder);

	*entries = NULL;
	if (n >= 0) {
		n = scandir(folder, entries, is_recording, by_date);
		if (n < 0)
			n = errno == ENOENT ? 0 : -errno;
	}
	if (n < 0)
		error_line(error, size, n, "cannot list the recordings in %s: %s", folder,
			   strerror(-n));
	return n;
}

static void free_all(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static int refuse_empty(const char *folder, char *error, size_t size)
{
	return error_line(error, size, -ENOENT, "there is no recording in %s yet", folder);
}

void recordings_paths_free(char **paths, int n)
{
	for (int i = 0; i < n; i++)
		free(paths[i]);
	free(paths);
}

static char **join_paths(const char *folder, struct dirent **entries, int n)
{
	char **paths = calloc((size_t)n + 1, sizeof(*paths));

	for (int i = 0; paths && i < n; i++)
		if (asprintf(&paths[i], "%s/%s", folder, entries[n - 1 - i]->d_name) < 0) {
			recordings_paths_free(paths, i);
			return NULL;
		}
	return paths;
}

int recordings_paths(char ***paths, char *error, size_t size)
{
	char folder[PATH_MAX];
	struct dirent **entries;
	int n = find_all(folder, &entries, error, size);

	if (n < 0)
		return n;
	*paths = join_paths(folder, entries, n);
	free_all(entries, n);
	return *paths ? n : error_line(error, size, -ENOMEM, "%s", strerror(ENOMEM));
}

/* In parts */

/* A pipe would be waited for. */
static int check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EPROTO;
}

int recordings_begin(struct recordings_reading *reading, const char *path)
{
	char error[PATH_MAX + 256];
	int err = check_file(path);

	if (err)
		return err;
	snprintf(reading->path, sizeof(reading->path), "%s", path);
	reading->left_out = 0;
	reading->source = source_replay_open(path, false, error, sizeof(error));
	if (!reading->source)
		return -errno;
	model_init(&reading->model);
	return 0;
}

int recordings_go_on(struct recordings_reading *reading)
{
	struct load load = {&reading->model, reading->left_out};
	struct source *source = reading->source;
	int err = source->ops->pump(source, take, &load);

	reading->left_out = load.left_out;
	if (err || source->ops->fd(source) >= 0)
		return err ? err : 1;
	return say_left_out(&load, reading->path);
}

void recordings_end(struct recordings_reading *reading)
{
	reading->source->ops->close(reading->source);
	reading->source = NULL;
	model_free(&reading->model);
}

int recordings_newest(char path[PATH_MAX], char *error, size_t size)
{
	char folder[PATH_MAX];
	struct dirent **entries;
	int n = find_all(folder, &entries, error, size), err = 0;

	if (n < 0)
		return n;
	if (n == 0)
		err = refuse_empty(folder, error, size);
	else if (snprintf(path, PATH_MAX, "%s/%s", folder, entries[n - 1]->d_name) >= PATH_MAX)
		err = error_line(error, size, -ENAMETOOLONG, "%s: too long", folder);
	free_all(entries, n);
	return err;
}

/* Columns of a row; the models have the rest of it, and the result stands below from MACHINE on. */
enum { LIST_WIDTH = 80, LIST_DATE = 18, LIST_MACHINE = 18, LIST_EXPERIMENT = 12 };
enum { LIST_MODELS = LIST_DATE + LIST_MACHINE + LIST_EXPERIMENT };

/* The text from a column on, with more lines from there where it is long. */
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

/* A text too long for its column ends in "..". */
static void print_cell(FILE *out, int width, const char *text)
{
	const char *next;
	int columns = text_line(text, width - 2, &next);

	if (*next)
		columns = text_line(text, width - 4, &next);
	fprintf(out, "%.*s%s%*s", (int)(next - text), text, *next ? ".." : "",
		width - columns - (*next ? 2 : 0), "");
}

static void join_models(const struct model *model, char *buf, size_t size)
{
	struct sentence models = {buf, size, 0};

	buf[0] = '\0';
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first_alike(model, i) == i)
			sentence_add(&models, "%s%s", i ? ", " : "", model->cases[i].model);
}

static void print_date(FILE *out, int64_t wall_s)
{
	char date[32] = "?";
	time_t wall = (time_t)wall_s;
	struct tm local;

	if (wall_s >= 0 && localtime_r(&wall, &local))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &local);
	print_cell(out, LIST_DATE, date);
}

/* A name may hold what would tell the terminal something. */
static void print_name(FILE *out, int column, const char *name)
{
	char printable[PATH_MAX];

	snprintf(printable, sizeof(printable), "%s", name);
	utf8_mask(printable);
	fprintf(out, "%*s%s\n", column, "", printable);
}

static void print_row(FILE *out, const char *name, const struct model *model)
{
	char line[HEADLINE_BADGE + HEADLINE_TEXT];

	const struct sample_session *session = &model->session;
	char models[SAMPLE_MAX_CASES * (SAMPLE_MODEL + 2)];

	join_models(model, models, sizeof(models));
	print_date(out, session->wall_s);
	print_cell(out, LIST_MACHINE, session->machine.host);
	print_cell(out, LIST_EXPERIMENT, session->experiment);
	print_wrapped(out, LIST_MODELS, *models ? models : "?");
	print_name(out, LIST_DATE, name);
	if (!model->done)
		print_name(out, LIST_DATE, "cut off: the session's end is not in it");
	fprintf(out, "%*s", LIST_DATE, "");
	print_wrapped(out, LIST_DATE, headline_line(model, line, sizeof(line)));
}

static void print_unreadable(FILE *out, const char *name, int err)
{
	print_cell(out, LIST_DATE, "?");
	print_name(out, 0, name);
	fprintf(out, "%*s", LIST_DATE, "");
	print_wrapped(out, LIST_DATE, source_strerror(err));
}

/* The first session of a lecture says when and where it was. */
static void print_first(FILE *out, const struct scenes *scenes, size_t first)
{
	char error[PATH_MAX + 256];
	struct model model;

	model_init(&model);
	model.session.wall_s = -1;
	if (first < scenes->log.n)
		scenes_load(scenes, first, &model, error, sizeof(error));
	print_date(out, model.session.wall_s);
	print_cell(out, LIST_MACHINE,
		   *model.session.machine.host ? model.session.machine.host : "?");
	model_free(&model);
}

static int list_lecture(FILE *out, const char *path, const char *name)
{
	char error[PATH_MAX + 256];
	struct scenes scenes;
	int found = scenes_open(&scenes, path, error, sizeof(error));

	if (found > 0) {
		size_t first = 0;
		char count[64];

		while (first < scenes.log.n && !scenes_ran(&scenes, first))
			first++;
		print_first(out, &scenes, first);
		print_cell(out, LIST_EXPERIMENT, "lecture");
		print_wrapped(out, LIST_MODELS, *scenes.log.title ? scenes.log.title : "?");
		print_name(out, LIST_DATE, name);
		print_name(out, LIST_DATE, scenes_count(&scenes, count, sizeof(count)));
	}
	scenes_close(&scenes);
	return found;
}

/* Recordings are read one at a time: together they may need more memory than there is. */
static void list_one(FILE *out, const char *folder, const char *name)
{
	char path[PATH_MAX], error[PATH_MAX + 256];
	struct model model;
	int err;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= PATH_MAX)
		return;
	if (list_lecture(out, path, name) > 0)
		return;
	err = recordings_load(path, &model, error, sizeof(error));
	if (err == 0)
		print_row(out, name, &model);
	else
		print_unreadable(out, name, err);
	model_free(&model);
}

int recordings_list(FILE *out, char *error, size_t size)
{
	char folder[PATH_MAX];
	struct dirent **entries;
	int n = find_all(folder, &entries, error, size);

	if (n < 0)
		return n;
	if (n > 0) {
		print_name(out, 0, folder);
		print_cell(out, LIST_DATE, "DATE");
		print_cell(out, LIST_MACHINE, "MACHINE");
		print_cell(out, LIST_EXPERIMENT, "EXPERIMENT");
		fputs("MODELS\n", out);
	}
	for (int i = 0; i < n; i++)
		list_one(out, folder, entries[i]->d_name);
	free_all(entries, n);
	return n > 0 ? 0 : refuse_empty(folder, error, size);
}

/* mkdir -p; the path is changed and restored on the way. */
static int make_folders(char *path)
{
	for (char *p = path + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0777) < 0 && errno != EEXIST) {
			*p = c;
			return -errno;
		}
		*p = c;
		if (!c)
			return 0;
	}
}

int state_folder_name(char path[PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	if (state && *state == '/')
		n = snprintf(path, PATH_MAX, "%s/tuibench", state);
	else if (home && *home == '/')
		n = snprintf(path, PATH_MAX, "%s/.local/state/tuibench", home);
	else
		n = -snprintf(path, PATH_MAX,
			      "the state folder, since neither HOME nor XDG_STATE_HOME says where");
	if (n < 0)
		return -ENOENT;
	return n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int state_folder(char path[PATH_MAX])
{
	int err = state_folder_name(path);

	return err ? err : make_folders(path);
}

static int copy_input(int to)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) != 0)
		if (n < 0 ? errno != EINTR : write(to, bytes, (size_t)n) != n)
			return n < 0 ? -errno : -ENOSPC;
	return lseek(to, 0, SEEK_SET) < 0 || dup2(to, STDIN_FILENO) < 0 ? -errno : 0;
}

int scenes_take_input(void)
{
	struct stat st;
	int fd, err;

	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	fd = memfd_create("recording", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = copy_input(fd);
	close(fd);
	return err;
}

/* Only what can be read at any place: a pipe would lose what was looked at. */
static int open_file(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode)
			       ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
			       : -1;
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int scenes_open(struct scenes *scenes, const char *path, char *error, size_t size)
{
	int found;

	*scenes = (struct scenes) {.fd = open_file(path), .path = path};
	if (scenes->fd < 0)
		return 0;
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

static const char *name_of(const struct scenes *scenes, char *buf, size_t size, size_t i)
{
	const char *slash = strrchr(scenes->path, '/');

	snprintf(buf, size, "%s, scene %zu", slash ? slash + 1 : scenes->path, i + 1);
	return buf;
}

struct source *scenes_source(const struct scenes *scenes, size_t i, char *error, size_t size)
{
	char name[256];

	return source_replay_open_part(scenes->fd, &scenes->log.parts[i],
				       name_of(scenes, name, sizeof(name), i), error, size);
}

int scenes_load(const struct scenes *scenes, size_t i, struct model *model, char *error,
		size_t size)
{
	char name[256];
	struct source *source = scenes_source(scenes, i, error, size);

	model_init(model);
	if (!source)
		return -errno;
	return recordings_read(source, name_of(scenes, name, sizeof(name), i), model, error, size);
}

/* "1, 3, 4" */
static const char *list_ran(const struct scenes *scenes, char *buf, size_t size)
{
	struct sentence list = {buf, size, 0};

	sentence_add(&list, "none");
	for (size_t i = 0, n = 0; i < scenes->log.n; i++) {
		if (!scenes_ran(scenes, i))
			continue;
		if (n++ == 0)
			list.used = 0;
		sentence_add(&list, "%s%zu", n > 1 ? ", " : "", i + 1);
	}
	return buf;
}

int scenes_chosen(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size)
{
	const size_t n = scenes->log.n, i = options->scene - 1;
	char ran[128];

	if (options->scene <= n && scenes_ran(scenes, i))
		return (int)i;
	return error_line(error, size, -EINVAL,
			  "--scene: \"%s\" has %s %u; those with a session: %s", scenes->path,
			  options->scene > n ? "no scene" : "nothing that ran in scene",
			  options->scene, list_ran(scenes, ran, sizeof(ran)));
}

/* Export */

struct exported {
	const struct scenes *scenes;
	struct model model; /* of the scene that is being written */
	char error[512];
};

/* A session that was cut off before it began is none. */
static int load_scene(void *arg, size_t i, struct export_scene *scene)
{
	struct exported *exported = arg;
	const struct log_scene *text = &exported->scenes->log.scenes[i];
	int err;

	*scene = (struct export_scene) {text->heading, text->caption, text->notes, text->command,
					NULL};
	model_free(&exported->model);
	if (!scenes_ran(exported->scenes, i))
		return 0;
	err = scenes_load(exported->scenes, i, &exported->model, exported->error,
			  sizeof(exported->error));
	if (err == 0)
		scene->model = &exported->model;
	return err == -ENODATA ? 0 : err;
}

int scenes_export(const struct scenes *scenes, const struct options *options, char *error,
		  size_t size)
{
	struct exported exported = {.scenes = scenes};
	const struct export_lecture lecture = {scenes->log.title, scenes->log.n, load_scene,
					       &exported};
	const struct result result = {.format = options->format, .lecture = &lecture};
	int err;

	/* A film and what is a session's row by row have no place for several. */
	if (options->film || !export_lecture_of(options->format))
		return error_line(
			error, size, -EINVAL,
			"%s: is of one session, and \"%s\" is a lecture of %zu scenes; --scene N "
			"takes one",
			options->film ? options->film->name : options->format->name, scenes->path,
			scenes->log.n);
	model_init(&exported.model);
	err = result_save(&result, options->output, error, size);
	model_free(&exported.model);
	return err;
}
