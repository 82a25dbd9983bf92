/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/units.h"

#define DAY_S 86400
/* Enough bytes to contain the first row of a recording, compressed or not. */
#define PRUNE_BEGIN (1 << 16)
#define FOLDER_MOST (INT64_C(2) << 30)
#define DISK_LEAST  20 /* The disk counts as full if less than 1/DISK_LEAST of it is free. */

/*
 * Whether a file is a recording that nobody is writing; a writer would hold a lock. False for a
 * file that only has a recording's name, such as an empty one.
 */
static bool is_finished(const char *path, struct stat *st)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	bool finished = false;
	int err;

	if (fd < 0)
		return false;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		err = log_check_begin(fd, 0, PRUNE_BEGIN);
		finished = err == 0 || err == -EMEDIUMTYPE;
	}
	close(fd);
	return finished;
}

/* The recordings to remove, with the newest first. */
struct chosen {
	char **paths; /* owned by the caller */
	int n;
	int64_t bytes;
};

static bool is_chosen(const struct options_prune *prune, uint64_t newer, int64_t newer_bytes,
		      const struct stat *st)
{
	switch (prune->by) {
	case PRUNE_BY_AGE:
		return time(NULL) - st->st_mtime > (int64_t)prune->amount * DAY_S;
	case PRUNE_BY_COUNT:
		return newer >= prune->amount;
	default:
		return (uint64_t)(newer_bytes + st->st_size) > prune->amount;
	}
}

/*
 * Chooses the recordings to remove. A recording that is being written is never chosen, but is
 * counted among the newer recordings.
 */
static void choose(const struct options_prune *prune, char **paths, int n, struct chosen *chosen)
{
	int64_t bytes = 0;
	uint64_t newer = 0;

	for (int i = 0; i < n; i++) {
		struct stat st = {.st_size = 0};
		const bool finished = is_finished(paths[i], &st);

		if (finished && is_chosen(prune, newer, bytes, &st)) {
			chosen->paths[chosen->n++] = paths[i];
			chosen->bytes += st.st_size;
		}
		newer++;
		bytes += st.st_size;
	}
}

/*
 * Removes the recordings. Each recording is checked again, because it may have changed since the
 * question.
 */
static int remove_chosen(const struct chosen *chosen, int *removed, char *error, size_t size)
{
	int err = 0;

	for (int i = 0; i < chosen->n; i++) {
		struct stat st;

		if (!is_finished(chosen->paths[i], &st))
			continue;
		if (unlink(chosen->paths[i]) == 0)
			(*removed)++;
		else if (!err)
			err = error_line(error, size, -errno, "cannot remove \"%s\": %s",
					 chosen->paths[i], strerror(errno));
	}
	return err;
}

int prune_run(const struct options *options, char *error, size_t size)
{
	char folder[PATH_MAX], **paths;
	struct chosen chosen = {NULL, 0, 0};
	char line[16] = "";
	int n, removed = 0, err = 0;

	recordings_keep_memory();
	n = recordings_paths(&paths, error, size);
	if (n < 0)
		return n;
	state_folder_name(folder);
	chosen.paths = calloc((size_t)n + 1, sizeof(*chosen.paths));
	if (!chosen.paths)
		err = error_line(error, size, -ENOMEM, "out of memory");
	if (!err)
		choose(&options->prune, paths, n, &chosen);
	if (!err && chosen.n > 0) {
		printf("%s: %d of %d recordings, %s, from %s to %s\n", folder, chosen.n, n,
		       UNITS_KIB(chosen.bytes / 1024), basename(chosen.paths[chosen.n - 1]),
		       basename(chosen.paths[0]));
		if (!options->yes)
			printf("Remove them? [y/N] ");
		fflush(stdout);
		/* Any answer that does not begin with y means no. */
		if (options->yes ||
		    (fgets(line, sizeof(line), stdin) && (*line == 'y' || *line == 'Y')))
			err = remove_chosen(&chosen, &removed, error, size);
	}
	if (!err)
		printf("removed %d recording%s\n", removed, sentence_plural(removed));
	free(chosen.paths);
	recordings_paths_free(paths, n);
	return err;
}

bool prune_is_due(char *line, size_t size)
{
	char folder[PATH_MAX];
	struct statvfs disk;
	int64_t bytes;
	int n = state_folder_name(folder);

	if (n >= 0)
		n = recordings_sum(folder, &bytes);
	if (n < 0)
		return false;
	if (bytes > FOLDER_MOST) {
		snprintf(line, size,
			 "the recordings in %s take up %s; tuibench --prune 1G keeps the newest "
			 "1 GiB",
			 folder, UNITS_KIB(bytes / 1024));
		return true;
	}
	if (n > 1 && statvfs(folder, &disk) == 0 && disk.f_blocks > 0 &&
	    disk.f_bavail < disk.f_blocks / DISK_LEAST) {
		const int kept = MIN(10, n / 2);

		snprintf(line, size,
			 "less than 5 %% of the disk is left; tuibench --prune %d keeps the newest "
			 "%d of %d recordings in %s",
			 kept, kept, n, folder);
		return true;
	}
	return false;
}
