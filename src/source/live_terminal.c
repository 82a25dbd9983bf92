/* SPDX-License-Identifier: MIT */
#include "live_terminal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/procfs.h"

/* Devices of /dev/pts: 8 majors of 2^20 minors each, of which Linux uses the first alone. */
#define PTS_MAJOR 136

struct search {
	const char *root;
	dev_t tty;
	unsigned index; /* the number in /dev/pts */
};

/* The parent and the controlling terminal; false where it has gone. */
static bool read_stat(const struct search *search, pid_t pid, pid_t *parent, dev_t *tty)
{
	char path[32], text[512];
	const char *end;
	int tty_nr;

	snprintf(path, sizeof(path), "%d/stat", (int)pid);
	end = procfs_read_stat(search->root, path, text, sizeof(text));
	if (!end || sscanf(end, ") %*c %d %*d %*d %d", parent, &tty_nr) != 2)
		return false;
	*tty = makedev((unsigned)tty_nr >> 8 & 0xfff,
		       ((unsigned)tty_nr & 0xff) | ((unsigned)tty_nr >> 12 & 0xfff00));
	return true;
}

static bool is_other_end(const struct search *search, pid_t pid, const char *fd)
{
	char path[PATH_MAX], text[512];
	const char *index;
	unsigned number;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%d/fd/%.20s", search->root, (int)pid, fd);
	n = readlink(path, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	if (!strstr(text, "/ptmx"))
		return false;
	snprintf(path, sizeof(path), "%d/fdinfo/%.20s", (int)pid, fd);
	if (procfs_read_text(search->root, path, text, sizeof(text)) < 0)
		return false;
	index = strstr(text, "tty-index:");
	return index && sscanf(index, "tty-index: %u", &number) == 1 && number == search->index;
}

/* sshd of an earlier user may not be looked into; its title is "sshd: user@pts/3". */
static bool says_other_end(const struct search *search, pid_t pid)
{
	char path[32], text[512], *at;
	unsigned number;

	snprintf(path, sizeof(path), "%d/cmdline", (int)pid);
	if (procfs_read_text(search->root, path, text, sizeof(text)) < 0 ||
	    strncmp(text, "sshd", 4) != 0)
		return false;
	at = strstr(text, "@pts/");
	return at && sscanf(at, "@pts/%u", &number) == 1 && number == search->index;
}

static bool holds_other_end(const struct search *search, pid_t pid)
{
	const struct dirent *entry;
	char path[PATH_MAX];
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%d/fd", search->root, (int)pid);
	dir = opendir(path);
	if (!dir)
		return says_other_end(search, pid);
	while (!found && (entry = readdir(dir)))
		found = is_other_end(search, pid, entry->d_name);
	closedir(dir);
	return found;
}

/* Those on the terminal itself are its users, whatever descriptors they inherited. */
static pid_t find_ancestor(const struct search *search)
{
	pid_t pid = getppid(), parent;
	dev_t tty;

	for (; pid > 1 && read_stat(search, pid, &parent, &tty); pid = parent)
		if (tty != search->tty && holds_other_end(search, pid))
			return pid;
	return 0;
}

/* The server whose number is the text. */
static pid_t check_server(const struct search *search, const char *text)
{
	long pid = text ? strtol(text, NULL, 10) : 0;

	return pid > 1 && pid < INT_MAX && holds_other_end(search, (pid_t)pid) ? (pid_t)pid : 0;
}

/* $TMUX is "/tmp/tmux-0/default,PID,0", $STY is "PID.pts-0.lab". */
static pid_t find_end(const struct search *search)
{
	const char *tmux = getenv("TMUX"), *comma = tmux ? strchr(tmux, ',') : NULL;
	pid_t pid = find_ancestor(search);

	if (!pid)
		pid = check_server(search, comma ? comma + 1 : NULL);
	return pid ? pid : check_server(search, getenv("STY"));
}

static void read_name(struct live_terminal *terminal, const char *root)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/comm", (int)terminal->pid);
	if (procfs_read_text(root, path, terminal->name, sizeof(terminal->name)) < 0)
		strcpy(terminal->name, "terminal");
	for (char *p = terminal->name; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
}

void live_terminal_open(struct live_terminal *terminal, const char *root, int fd)
{
	struct search search = {.root = root};
	struct stat st;

	*terminal = (struct live_terminal) {.pid = 0};
	if (fd < 0 || !isatty(fd) || fstat(fd, &st) < 0)
		return;
	search.tty = st.st_rdev;
	search.index = minor(st.st_rdev);
	if (major(st.st_rdev) != PTS_MAJOR) {
		terminal->why = "the kernel draws this terminal";
		return;
	}
	terminal->pid = find_end(&search);
	/* Any process's clock may be read; it counts in ns, and all of its threads. */
	if (!terminal->pid || clock_getcpuclockid(terminal->pid, &terminal->clock) != 0) {
		terminal->pid = 0;
		terminal->why = "none of the programs that started this one is seen to hold it";
		return;
	}
	read_name(terminal, root);
	terminal->begin_us = 0;
	terminal->begin_us = live_terminal_used_us(terminal);
}

int64_t live_terminal_used_us(const struct live_terminal *terminal)
{
	struct timespec used;
	int64_t us;

	if (!terminal->pid || clock_gettime(terminal->clock, &used) < 0)
		return -1;
	us = (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000 - terminal->begin_us;
	return us < 0 ? -1 : us;
}
