/* SPDX-License-Identifier: MIT */
#include "stage/pty.h"

#include "stage/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "base/clock.h"

/* A terminal with a rate takes its bytes in this many slices per second. */
enum { SLICES = 20 };

static void give_up(const char *what)
{
	perror(what);
	abort();
}

static int on_property(VTermProp property, VTermValue *value, void *arg)
{
	struct pty *pty = arg;

	if (property == VTERM_PROP_ALTSCREEN) {
		pty->left += pty->alternate && !value->boolean;
		pty->alternate = value->boolean;
	} else if (property == VTERM_PROP_CURSORVISIBLE) {
		pty->cursor_shown = value->boolean;
	}
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void start_vterm(struct pty *pty)
{
	pty->vterm = vterm_new(pty->rows, pty->cols);
	vterm_set_utf8(pty->vterm, 1);
	pty->screen = vterm_obtain_screen(pty->vterm);
	vterm_screen_enable_altscreen(pty->screen, 1);
	vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
	vterm_screen_reset(pty->screen, 1);
	pty->cursor_shown = true;
}

static void set_environment(const struct pty *pty, const char *const env[])
{
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	/*
	 * Before the first run, tuibench would create tasks to measure the kernel's memory, and
	 * tests would find these instead of the run's tasks.
	 */
	setenv("TUIBENCH_KERNEL", "tables", 0);
	setenv("TUIBENCH_CONFIG", "none", 1);
	setenv("TUIBENCH_REPEATS", "0", 1);
	setenv("TUIBENCH_TEST_MARK", pty->mark, 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORTERM");
	unsetenv("COLORFGBG");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	for (; env && *env; env++) {
		if (strchr(*env, '='))
			putenv((char *)*env);
		else
			unsetenv(*env);
	}
}

/*
 * Opens both sides. openpty()'s header is not found, because this file's header has the same name.
 */
static int open_sides(struct pty *pty)
{
	const struct winsize size = {.ws_row = (unsigned short)pty->rows,
				     .ws_col = (unsigned short)pty->cols};
	int slave;

	pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (pty->master < 0 || grantpt(pty->master) < 0 || unlockpt(pty->master) < 0)
		give_up("posix_openpt");
	slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) < 0 || tcgetattr(slave, &pty->before) < 0)
		give_up("the terminal");
	return slave;
}

/* Returns twice: true in the child, whose terminal this is then. */
static bool fork_child(struct pty *pty, const char *const env[])
{
	const int slave = open_sides(pty);
	sigset_t none;

	fflush(NULL);
	pty->pid = fork();
	if (pty->pid < 0)
		give_up("fork");
	pty->session = pty->pid;
	if (pty->pid > 0) {
		close(slave);
		return false;
	}
	close(pty->master);
	login_tty(slave);
	/* The tests' parent may ignore some signals: a script's background job ignores SIGINT. */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	set_environment(pty, env);
	return true;
}

static struct pty *new_pty(int rows, int cols)
{
	static unsigned count;
	struct pty *pty = calloc(1, sizeof(*pty));

	if (!pty)
		give_up("calloc");
	pty->rows = rows;
	pty->cols = cols;
	snprintf(pty->mark, sizeof(pty->mark), "%d.%u", (int)getpid(), count++);
	start_vterm(pty);
	return pty;
}

struct pty *pty_start(const char *const argv[], const char *const env[], int rows, int cols)
{
	struct pty *pty = new_pty(rows, cols);

	if (fork_child(pty, env)) {
		execvp(argv[0], (char *const *)argv);
		perror(argv[0]);
		_exit(127);
	}
	return pty;
}

struct pty *pty_call(int (*function)(void *arg), void *arg, const char *const env[], int rows,
		     int cols)
{
	struct pty *pty = new_pty(rows, cols);

	if (fork_child(pty, env))
		_exit(function(arg));
	return pty;
}

void pty_required(void)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY);

	if (master < 0 && (errno == ENOENT || errno == ENODEV)) {
		print_message("no pseudo-terminal: /dev/pts is not mounted\n");
		skip();
	}
	assert_true(master >= 0);
	close(master);
}

void pty_open(int *master, int *slave)
{
	pty_required();
	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(*master >= 0);
	assert_int_equal(grantpt(*master), 0);
	assert_int_equal(unlockpt(*master), 0);
	*slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
	assert_true(*slave >= 0);
}

void pty_free(struct pty *pty)
{
	pid_t left[256];
	const size_t n = pty_processes(pty, left, 256);

	for (size_t i = 0; i < n; i++)
		kill(left[i], SIGKILL);
	if (pty->pid > 0) {
		kill(pty->pid, SIGKILL);
		waitpid(pty->pid, NULL, 0);
	}
	if (pty->master >= 0)
		close(pty->master);
	vterm_free(pty->vterm);
	free(pty);
}

void pty_send(struct pty *pty, const char *keys)
{
	const size_t n = strlen(keys);
	const ssize_t sent = write(pty->master, keys, n);

	if (sent != (ssize_t)n && !(sent < 0 && errno == EIO))
		give_up("write to the terminal");
}

void pty_resize(struct pty *pty, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	pty->rows = rows;
	pty->cols = cols;
	vterm_set_size(pty->vterm, rows, cols);
	if (ioctl(pty->master, TIOCSWINSZ, &size) < 0)
		give_up("TIOCSWINSZ");
}

/* libvterm 0.1 reads only the first of several modes in one sequence, as in "\033[?1006;1000h". */
static void follow_mouse(struct pty *pty, const char *bytes, size_t n)
{
	static const char mode[] = "1000";

	for (size_t i = 0; i < n; i++) {
		if (pty->mouse_matched == sizeof(mode) - 1) {
			pty->mouse = bytes[i] == 'h' || (pty->mouse && bytes[i] != 'l');
			pty->mouse_matched = 0;
		} else if (bytes[i] == mode[pty->mouse_matched]) {
			pty->mouse_matched++;
		} else {
			pty->mouse_matched = bytes[i] == mode[0];
		}
	}
}

/*
 * Returns whether the text is complete with this byte. *matched: number of bytes that matched
 * before.
 */
static bool match_text(const char *text, size_t *matched, char byte)
{
	*matched = byte == text[*matched] ? *matched + 1 : byte == text[0];
	if (text[*matched])
		return false;
	*matched = 0;
	return true;
}

/*
 * Follows the requests for the background and the kind of terminal, which libvterm does not answer.
 */
static void follow_ask(struct pty *pty, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (match_text("\033]11;?\007", &pty->ask_matched, bytes[i])) {
			pty->asked++;
			if (pty->answer)
				pty_send(pty, pty->answer);
		}
		if (match_text("\033[c", &pty->kind_matched, bytes[i]) && !pty->silent)
			pty_send(pty, "\033[?62;22c");
	}
}

/* Follows copied text, which libvterm does not know. */
static void follow_copy(struct pty *pty, const char *bytes, size_t n)
{
	static const char begin[] = "\033]52;c;";

	for (size_t i = 0; i < n; i++) {
		if (pty->copy_matched < sizeof(begin) - 1) {
			pty->copy_matched = bytes[i] == begin[pty->copy_matched]
						    ? pty->copy_matched + 1
						    : bytes[i] == begin[0];
			pty->copy_n = 0;
		} else if (bytes[i] == '\007') {
			pty->copied[pty->copy_n] = '\0';
			pty->copy_matched = 0;
		} else if (pty->copy_n < sizeof(pty->copied) - 1) {
			pty->copied[pty->copy_n++] = bytes[i];
		}
	}
}

/* Follows mode 2026, which libvterm does not know. */
static void follow_frames(struct pty *pty, const char *buf, size_t n)
{
	static const char mode[] = "\033[?2026";

	for (size_t i = 0; i < n; i++) {
		if (pty->sync_matched == sizeof(mode) - 1) {
			pty->frames += pty->synchronized && buf[i] == 'l';
			pty->synchronized = buf[i] == 'h';
			pty->sync_matched = 0;
		} else if (buf[i] == mode[pty->sync_matched]) {
			pty->sync_matched++;
		} else {
			pty->torn_bytes += !pty->synchronized && pty->alternate && buf[i] >= ' ';
			pty->sync_matched = buf[i] == mode[0];
		}
	}
}

bool pty_pump(struct pty *pty, int wait_ms)
{
	struct pollfd fd = {.fd = pty->master, .events = POLLIN};
	char buf[16384]; /* libvterm's stack overflows with megabytes at once */
	size_t most = sizeof(buf);
	ssize_t n;

	if (pty->rate) {
		/* On a busy machine the terminal is even slower. */
		most = pty->rate / SLICES;
		poll(NULL, 0, 1000 / SLICES);
	}
	if (pty->ended || poll(&fd, 1, wait_ms) != 1)
		return false;
	n = read(pty->master, buf, most);
	if (n <= 0) {
		pty->ended = true;
		return false;
	}
	pty->bytes += (uint64_t)n;
	follow_mouse(pty, buf, (size_t)n);
	follow_ask(pty, buf, (size_t)n);
	follow_copy(pty, buf, (size_t)n);
	follow_frames(pty, buf, (size_t)n);
	vterm_input_write(pty->vterm, buf, (size_t)n);
	return true;
}

/* Waits briefly for output, or lets time pass if no more output can come. */
static void pump_or_wait(struct pty *pty)
{
	if (pty->ended)
		poll(NULL, 0, 10);
	else
		pty_pump(pty, 10);
}

bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *arg), const void *arg)
{
	const uint64_t deadline = clock_now_ns() + PTY_DEADLINE_MS * UINT64_C(1000000);

	while (!holds(pty, arg)) {
		if (clock_now_ns() > deadline) {
			pty_show(pty);
			return false;
		}
		pump_or_wait(pty);
	}
	return true;
}

static bool text_holds(struct pty *pty, const void *text)
{
	return pty_has(pty, text);
}

static bool no_text_holds(struct pty *pty, const void *text)
{
	return !pty_has(pty, text);
}

void pty_expect(struct pty *pty, const char *text)
{
	if (!pty_wait(pty, text_holds, text))
		fail_msg("never shown: %s", text);
}

void pty_expect_gone(struct pty *pty, const char *text)
{
	if (!pty_wait(pty, no_text_holds, text))
		fail_msg("still shown: %s", text);
}

static bool has_left_or_asks(struct pty *pty, const void *arg)
{
	return pty->left > 0 || pty_has(pty, "Press q again");
}

void pty_leave_lecture(struct pty *pty)
{
	pty_send(pty, "q");
	assert_true(pty_wait(pty, has_left_or_asks, NULL));
	if (pty->left == 0)
		pty_send(pty, "q");
}

static bool exit_holds(struct pty *pty, const void *arg)
{
	return waitpid(pty->pid, &pty->status, WNOHANG) == pty->pid;
}

int pty_wait_exit(struct pty *pty)
{
	if (!pty_wait(pty, exit_holds, NULL))
		return -1;
	pty->pid = -1;
	while (pty_pump(pty, 0))
		;
	return pty->status;
}

void pty_expect_exit(struct pty *pty, int status)
{
	int ended = pty_wait_exit(pty);

	assert_true(WIFEXITED(ended));
	assert_int_equal(WEXITSTATUS(ended), status);
}

void pty_hang_up(struct pty *pty)
{
	close(pty->master);
	pty->master = -1;
	pty->ended = true;
}

int pty_typed(const struct pty *pty)
{
	const int slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios modes;
	int n = 0;

	/* In a terminal that reads lines, a part of a line does not count. */
	if (slave < 0 || tcgetattr(slave, &modes) < 0)
		give_up("the terminal");
	modes.c_lflag &= ~(tcflag_t)ICANON;
	if (tcsetattr(slave, TCSANOW, &modes) < 0 || ioctl(slave, FIONREAD, &n) < 0)
		give_up("FIONREAD");
	close(slave);
	return n;
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	out[0] = (char)(0xe0 | c >> 12);
	out[1] = (char)(0x80 | (c >> 6 & 63));
	out[2] = (char)(0x80 | (c & 63));
	return 3;
}

const char *pty_row(const struct pty *pty, int row)
{
	static char text[4096];
	size_t n = 0, end = 0;

	for (int col = 0; col < pty->cols && n + 4 < sizeof(text); col++) {
		const uint32_t c = pty_cell(pty, row, col).chars[0];

		n += put_utf8(text + n, c ? c : ' ');
		if (c && c != ' ')
			end = n;
	}
	text[end] = '\0';
	return text;
}

bool pty_has(const struct pty *pty, const char *text)
{
	for (int row = 0; row < pty->rows; row++)
		if (strstr(pty_row(pty, row), text))
			return true;
	return false;
}

void pty_show(const struct pty *pty)
{
	fprintf(stderr, "--- the screen, %d x %d, %llu bytes ---\n", pty->cols, pty->rows,
		(unsigned long long)pty->bytes);
	for (int row = 0; row < pty->rows; row++)
		fprintf(stderr, "%s\n", pty_row(pty, row));
	fprintf(stderr, "---\n");
}

VTermScreenCell pty_cell(const struct pty *pty, int row, int col)
{
	VTermScreenCell cell = {0};

	vterm_screen_get_cell(pty->screen, (VTermPos) {.row = row, .col = col}, &cell);
	return cell;
}

static bool modes_restored(const struct pty *pty)
{
	struct termios now;

	/* On Linux, the master gives the other side's modes. */
	if (tcgetattr(pty->master, &now) < 0)
		give_up("tcgetattr");
	return now.c_iflag == pty->before.c_iflag && now.c_oflag == pty->before.c_oflag &&
	       now.c_cflag == pty->before.c_cflag && now.c_lflag == pty->before.c_lflag &&
	       memcmp(now.c_cc, pty->before.c_cc, sizeof(now.c_cc)) == 0;
}

bool pty_restored(struct pty *pty)
{
	return modes_restored(pty) && !pty->alternate && pty->cursor_shown && !pty->mouse &&
	       !pty->synchronized;
}

static bool restored_holds(struct pty *pty, const void *arg)
{
	return pty_restored(pty);
}

bool pty_wait_restored(struct pty *pty)
{
	const bool restored = pty_wait(pty, restored_holds, NULL);

	if (!restored)
		fprintf(stderr,
			"not restored: modes %d, screen %d, cursor %d, mouse %d, frame %d\n",
			modes_restored(pty), !pty->alternate, pty->cursor_shown, !pty->mouse,
			!pty->synchronized);
	return restored;
}

static bool carries_mark(const char *pid, const char *mark)
{
	char path[64], wanted[PTY_MARK + 32], environment[65536];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, environment, sizeof(environment));
	close(fd);
	if (n <= 0)
		return false;
	/* With the final NUL, so that mark 1.1 is not found in 1.12. */
	snprintf(wanted, sizeof(wanted), "TUIBENCH_TEST_MARK=%s", mark);
	return memmem(environment, (size_t)n, wanted, strlen(wanted) + 1) != NULL;
}

/*
 * Reads the process's state and session. 'Z': it has ended and was not waited for. False: it is
 * gone.
 */
static bool read_stat(const char *pid, char *state, pid_t *session)
{
	char path[64], line[512];
	const char *after;
	FILE *file;
	bool ok;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	ok = fgets(line, sizeof(line), file) && (after = strrchr(line, ')')) &&
	     sscanf(after + 1, " %c %*d %*d %d", state, session) == 2;
	fclose(file);
	return ok;
}

static bool is_ours(const struct pty *pty, const char *pid)
{
	pid_t session;
	char state;

	if (!read_stat(pid, &state, &session) || state == 'Z')
		return false;
	return session == pty->session || carries_mark(pid, pty->mark);
}

size_t pty_processes(const struct pty *pty, pid_t *pids, size_t max)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	size_t n = 0;

	if (!proc)
		give_up("/proc");
	while ((entry = readdir(proc))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		if (!is_ours(pty, entry->d_name))
			continue;
		if (pids && n < max)
			pids[n] = (pid_t)atoi(entry->d_name);
		n++;
	}
	closedir(proc);
	return n;
}

static bool no_process_holds(struct pty *pty, const void *arg)
{
	return pty_processes(pty, NULL, 0) == 0;
}

size_t pty_find(const struct pty *pty, const char *name, pid_t parent, pid_t *out)
{
	pid_t pids[PTY_PROCESSES];
	size_t n = pty_processes(pty, pids, PTY_PROCESSES), found = 0;

	for (size_t i = 0; i < n && i < PTY_PROCESSES; i++) {
		char path[64], comm[32] = "";
		int ppid = 0;
		FILE *stat;

		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pids[i]);
		stat = fopen(path, "r");
		if (!stat)
			continue;
		if (fscanf(stat, "%*d (%31[^)]) %*c %d", comm, &ppid) == 2 &&
		    strcmp(comm, name) == 0 && (!parent || ppid == parent))
			out[found++] = pids[i];
		fclose(stat);
	}
	return found;
}

bool pty_wait_no_process(struct pty *pty)
{
	return pty_wait(pty, no_process_holds, NULL);
}

void pty_expect_nothing_left(struct pty *pty)
{
	assert_true(pty_wait_no_process(pty));
	if (pty->master >= 0)
		assert_true(pty_wait_restored(pty));
}
