/* SPDX-License-Identifier: MIT */
#include "recordings.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model_join.h"
#include "refuse.h"
#include "source.h"
#include "state_folder.h"

static int take(void *arg, const struct sample *sample)
{
	/* What does not fit the session so far is left out, as of a broken log. */
	return model_apply(arg, sample) == -ENOMEM ? -ENOMEM : 0;
}

static int load_all(struct source *source, struct model *model)
{
	struct pollfd fd = {.events = POLLIN};
	int err = 0;

	while (!err && (fd.fd = source->ops->fd(source)) >= 0) {
		poll(&fd, 1, -1);
		err = source->ops->pump(source, take, model);
	}
	return err;
}

int recordings_load(const char *path, struct model *model, char *error, size_t size)
{
	struct source *source;
	int err;

	model_init(model);
	source = source_replay_open(path, false, error, size);
	if (!source)
		return -EIO;
	err = load_all(source, model);
	source->ops->close(source);
	if (!err && !model->has_session)
		err = -EPROTO;
	if (err)
		refuse(error, size, err, "\"%s\": %s", path, source_strerror(err));
	return err;
}

static int is_recording(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && strcmp(dot, ".csv") == 0;
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
		return refuse(error, size, -ENOMEM, "%s", strerror(ENOMEM));
	err = load_each(paths, n, parts, error, size);
	if (!err) {
		err = model_join(parts, n, model);
		if (err)
			refuse(error, size, err, "%zu recordings cannot be shown as one: %s", n,
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

/* By name, which begins with the date; how many, or -errno with one line in error. */
static int find_all(char folder[PATH_MAX], struct dirent ***entries, char *error, size_t size)
{
	int n = state_folder(folder);

	if (n == 0) {
		n = scandir(folder, entries, is_recording, alphasort);
		n = n < 0 ? -errno : n;
	}
	if (n < 0)
		refuse(error, size, n, "cannot list the recordings in %s: %s", folder,
		       strerror(-n));
	return n;
}

static void free_all(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

int recordings_newest(char path[PATH_MAX], char *error, size_t size)
{
	char folder[PATH_MAX];
	struct dirent **entries;
	int n = find_all(folder, &entries, error, size);
	int length;

	if (n < 0)
		return n;
	if (n == 0) {
		free_all(entries, n);
		return refuse(error, size, -ENOENT, "there is no recording in %s yet", folder);
	}
	length = snprintf(path, PATH_MAX, "%s/%s", folder, entries[n - 1]->d_name);
	free_all(entries, n);
	return length < PATH_MAX ? 0 : refuse(error, size, -ENAMETOOLONG, "%s: too long", folder);
}

static void join_models(const struct model *model, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < model->n_cases && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? "," : "",
					model->cases[i].model);
}

static void print_row(FILE *out, const char *name, const struct model *model)
{
	char date[32] = "?", models[160], verdict[512];
	time_t wall = (time_t)model->session.wall_s;
	struct tm local;

	if (localtime_r(&wall, &local))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &local);
	join_models(model, models, sizeof(models));
	fprintf(out, "%s  %s\n  %s, %s: %s\n  %s\n", date, name, model->session.machine.host,
		model->session.experiment, models, model_verdict(model, verdict, sizeof(verdict)));
}

int recordings_list(FILE *out, char *error, size_t size)
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct dirent **entries;
	int n = find_all(folder, &entries, error, size);

	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		struct model model;

		if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= PATH_MAX)
			continue;
		if (recordings_load(path, &model, error, size) == 0)
			print_row(out, name, &model);
		else
			fprintf(out, "?                 %s\n  %s\n", name, error);
		model_free(&model);
	}
	if (n < 0)
		return n;
	free_all(entries, n);
	return 0;
}
