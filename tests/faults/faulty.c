/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD. It makes one call of a C function fail, or that call and all later
 * ones. It can also make the wall clock jump.
 *
 *     FAULTY_STATE=FILE          count the calls of each function in FILE, over all processes
 *     FAULTY_PROGRAM=NAME        count only calls of the program with this name
 *     FAULTY_CALL=open:28:3      the third open() fails with errno 28; "3+": all later ones, too
 *     FAULTY_ENDLESS=FILE        pow(), which drawing calls, creates FILE and never returns
 *     FAULTY_CLOCK=-3600:200     200 ms after a program's start, CLOCK_REALTIME goes back an hour
 *
 * A call from within the C library is not seen here. So functions of the C library that make system
 * calls, such as fopen(), have rows of their own.
 */
/* The functions have the names of the symbols, so open() must not become open64() here. */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <asm/ioctls.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wredundant-decls"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#pragma GCC diagnostic ignored "-Wpedantic"

/* The functions' names in the program's source. */
/* clang-format off */
#define FUNCTIONS(X) \
	X(open) X(fopen) X(opendir) X(mkostemp) X(shm_open) X(memfd_create) X(read) X(write) \
	X(write_error) X(pread) X(mmap) X(malloc) X(fork) X(vfork) X(clone) X(posix_spawn) \
	X(pthread_create) X(pipe2) X(socketpair) X(eventfd) X(epoll_create1) X(epoll_ctl) \
	X(timerfd_create) X(signalfd) X(ftruncate) X(fallocate) X(fsync) X(close) X(fcntl) \
	X(dup2) X(poll) X(pwrite) X(epoll_wait) X(timerfd_settime) X(getrandom) \
	X(kill) X(wait4) X(fflush) X(fdopen) X(open_memstream) X(mkdir) X(linkat) X(rename) \
	X(unlink) X(readlink) X(realpath) X(tcsetattr) X(tcgetattr) X(sigaction) \
	X(sched_setaffinity) X(setpgid) X(prctl) X(setrlimit) X(syscall) X(inotify_init1) \
	X(read_terminal) X(write_terminal)
/* clang-format on */

enum function {
#define NUMBER(name) OF_##name,
	FUNCTIONS(NUMBER)
#undef NUMBER
		N_FUNCTIONS
};

static const char *const names[N_FUNCTIONS] = {
#define NAME(name) [OF_##name] = #name,
	FUNCTIONS(NAME)
#undef NAME
};

/* The contents of the file, shared by all processes of the case. */
struct state {
	atomic_uint struck; /* calls that failed */
	struct {
		char name[28];
		atomic_uint calls;
	} of[N_FUNCTIONS];
};

static struct state *state;
static struct {
	int function; /* -1: none */
	int error;
	unsigned nth;
	bool on; /* all later calls fail too */
} fault = {.function = -1};
static struct {
	time_t jump_s;
	int64_t after_ns, begin_ns;
} wall;

static int64_t monotonic_ns(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void read_call(const char *text)
{
	char name[32], on = 0;

	if (!text || sscanf(text, "%31[^:]:%d:%u%c", name, &fault.error, &fault.nth, &on) < 3)
		return;
	fault.on = on == '+';
	for (int i = 0; i < N_FUNCTIONS; i++)
		if (strcmp(name, names[i]) == 0)
			fault.function = i;
}

/*
 * ncurses 6.4 and cmark 0.30 end the program if memory is refused, so their own requests are not
 * counted.
 */
static const char *const unable[] = {"/libncursesw", "/libtinfo", "/libcmark"};
static struct {
	uintptr_t begin, end;
} spared[sizeof(unable) / sizeof(*unable)];
/* Whether the C library requests memory for a call from one of these libraries. */
static _Thread_local bool for_spared __attribute__((tls_model("initial-exec")));

static int find_spared(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size, (void)arg;
	for (size_t l = 0; l < sizeof(unable) / sizeof(*unable); l++) {
		if (!strstr(info->dlpi_name, unable[l]))
			continue;
		spared[l].begin = info->dlpi_addr;
		for (int i = 0; i < info->dlpi_phnum; i++)
			if (info->dlpi_phdr[i].p_type == PT_LOAD)
				spared[l].end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
						info->dlpi_phdr[i].p_memsz;
	}
	return 0;
}

static bool is_spared(const void *caller)
{
	const uintptr_t from = (uintptr_t)caller;

	for (size_t l = 0; l < sizeof(spared) / sizeof(*spared); l++)
		if (from >= spared[l].begin && from < spared[l].end)
			return true;
	return false;
}

/* Only calls of the program itself fail; it begins after this constructor. */
__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAULTY_STATE"), *program = getenv("FAULTY_PROGRAM");
	const char *clock = getenv("FAULTY_CLOCK");
	struct state *shared;
	int fd;

	if (program && strcmp(program, program_invocation_short_name) != 0)
		return;
	wall.begin_ns = monotonic_ns();
	if (clock && sscanf(clock, "%ld:%ld", &wall.jump_s, &wall.after_ns) == 2)
		wall.after_ns *= 1000000;
	if (!path)
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	shared = (struct state *)syscall(SYS_mmap, NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					 MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if ((intptr_t)shared < 0 && (intptr_t)shared > -4096)
		return;
	for (int i = 0; i < N_FUNCTIONS; i++)
		strcpy(shared->of[i].name, names[i]);
	read_call(getenv("FAULTY_CALL"));
	dl_iterate_phdr(find_spared, NULL);
	state = shared;
}

static bool strikes(enum function function)
{
	unsigned n;

	if (!state)
		return false;
	n = atomic_fetch_add(&state->of[function].calls, 1) + 1;
	if (fault.function != (int)function || (fault.on ? n < fault.nth : n != fault.nth))
		return false;
	atomic_fetch_add(&state->struck, 1);
	errno = fault.error;
	return true;
}

static void *find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		abort();
	return found;
}

/* A function with these parameters, which returns `bad` on failure. */
#define FAIL_AS(of, symbol, type, bad, params, args)                                               \
	type symbol params                                                                         \
	{                                                                                          \
		static type(*real) params;                                                         \
                                                                                                   \
		if (strikes(OF_##of))                                                              \
			return bad;                                                                \
		if (!real)                                                                         \
			real = (type(*) params)find(#symbol);                                      \
		return real args;                                                                  \
	}
#define FAIL(symbol, type, bad, params, args) FAIL_AS(symbol, symbol, type, bad, params, args)
/* Functions that return the error number. */
#define FAIL_ERROR(symbol, params, args) FAIL_AS(symbol, symbol, int, errno, params, args)

#define OPEN(symbol)                                                                               \
	int symbol(const char *path, int flags, ...)                                               \
	{                                                                                          \
		static int (*real)(const char *, int, ...);                                        \
		va_list args;                                                                      \
		unsigned mode;                                                                     \
                                                                                                   \
		va_start(args, flags);                                                             \
		mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, unsigned) : 0;               \
		va_end(args);                                                                      \
		if (strikes(OF_open))                                                              \
			return -1;                                                                 \
		if (!real)                                                                         \
			real = (int (*)(const char *, int, ...))find(#symbol);                     \
		return real(path, flags, mode);                                                    \
	}
#define FCNTL(symbol)                                                                              \
	int symbol(int fd, int command, ...)                                                       \
	{                                                                                          \
		static int (*real)(int, int, ...);                                                 \
		va_list args;                                                                      \
		long arg;                                                                          \
                                                                                                   \
		va_start(args, command);                                                           \
		arg = va_arg(args, long);                                                          \
		va_end(args);                                                                      \
		/* Only the commands of tuibench that can fail: copies and seals. */               \
		if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC ||                           \
		     command == F_ADD_SEALS) &&                                                    \
		    strikes(OF_fcntl))                                                             \
			return -1;                                                                 \
		if (!real)                                                                         \
			real = (int (*)(int, int, ...))find(#symbol);                              \
		return real(fd, command, arg);                                                     \
	}

struct pollfd;
struct epoll_event;
struct termios;
struct sigaction;
struct rlimit;

OPEN(open)
OPEN(open64)
FCNTL(fcntl)
FCNTL(fcntl64)

/*
 * Opens a stream. While a spared library opens one, the requests for memory within the C library
 * are spared, too.
 */
static FILE *open_stream(const void *caller, FILE *(*real)(const char *, const char *),
			 const char *path, const char *mode)
{
	FILE *file;

	if (!is_spared(caller))
		return strikes(OF_fopen) ? NULL : real(path, mode);
	for_spared = true;
	file = real(path, mode);
	if (file)
		setvbuf(file, NULL, _IONBF, 0);
	for_spared = false;
	return file;
}

#define OPEN_STREAM(symbol)                                                                        \
	FILE *symbol(const char *path, const char *mode)                                           \
	{                                                                                          \
		static FILE *(*real)(const char *, const char *);                                  \
                                                                                                   \
		if (!real)                                                                         \
			real = (FILE * (*)(const char *, const char *)) find(#symbol);             \
		return open_stream(__builtin_return_address(0), real, path, mode);                 \
	}
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

FAIL(opendir, void *, NULL, (const char *path), (path))
FAIL(mkostemp, int, -1, (char *name, int flags), (name, flags))
FAIL_AS(mkostemp, mkostemp64, int, -1, (char *name, int flags), (name, flags))
FAIL(shm_open, int, -1, (const char *name, int flags, unsigned mode), (name, flags, mode))
FAIL(memfd_create, int, -1, (const char *name, unsigned flags), (name, flags))
FAIL(pread, ssize_t, -1, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
FAIL_AS(pread, pread64, ssize_t, -1, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
FAIL(pwrite, ssize_t, -1, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
FAIL_AS(pwrite, pwrite64, ssize_t, -1, (int fd, const void *from, size_t n, off_t at),
	(fd, from, n, at))
FAIL(epoll_wait, int, -1, (int epoll, struct epoll_event *events, int n, int ms),
     (epoll, events, n, ms))
FAIL(timerfd_settime, int, -1,
     (int fd, int flags, const struct itimerspec *to, struct itimerspec *before),
     (fd, flags, to, before))
FAIL(kill, int, -1, (pid_t pid, int number), (pid, number))
FAIL(wait4, pid_t, -1, (pid_t pid, int *status, int options, void *usage),
     (pid, status, options, usage))
FAIL(getrandom, ssize_t, -1, (void *to, size_t n, unsigned flags), (to, n, flags))
FAIL(mmap, void *, MAP_FAILED, (void *at, size_t n, int prot, int flags, int fd, off_t from),
     (at, n, prot, flags, fd, from))
FAIL_AS(mmap, mmap64, void *, MAP_FAILED,
	(void *at, size_t n, int prot, int flags, int fd, off_t from),
	(at, n, prot, flags, fd, from))
FAIL(fork, pid_t, -1, (void), ())
FAIL_ERROR(posix_spawn,
	   (pid_t * pid, const char *path, const void *files, const void *attr, char *const *argv,
	    char *const *envp),
	   (pid, path, files, attr, argv, envp))
FAIL_ERROR(pthread_create,
	   (unsigned long *thread, const void *attr, void *(*main)(void *), void *arg),
	   (thread, attr, main, arg))
FAIL(pipe2, int, -1, (int ends[2], int flags), (ends, flags))
FAIL(socketpair, int, -1, (int domain, int type, int protocol, int *ends),
     (domain, type, protocol, ends))
FAIL(eventfd, int, -1, (unsigned n, int flags), (n, flags))
FAIL(epoll_create1, int, -1, (int flags), (flags))
FAIL(epoll_ctl, int, -1, (int epoll, int op, int fd, struct epoll_event *event),
     (epoll, op, fd, event))
FAIL(timerfd_create, int, -1, (int clock, int flags), (clock, flags))
FAIL(signalfd, int, -1, (int fd, const void *mask, int flags), (fd, mask, flags))
FAIL(inotify_init1, int, -1, (int flags), (flags))
FAIL(ftruncate, int, -1, (int fd, off_t n), (fd, n))
FAIL_AS(ftruncate, ftruncate64, int, -1, (int fd, off_t n), (fd, n))
FAIL(fallocate, int, -1, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
FAIL_AS(fallocate, fallocate64, int, -1, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
FAIL(fsync, int, -1, (int fd), (fd))
FAIL(dup2, int, -1, (int fd, int to), (fd, to))
FAIL(poll, int, -1, (struct pollfd * fds, unsigned long n, int ms), (fds, n, ms))
FAIL(fflush, int, EOF, (FILE * file), (file))
FAIL(fdopen, FILE *, NULL, (int fd, const char *mode), (fd, mode))
FAIL(open_memstream, FILE *, NULL, (char **text, size_t *n), (text, n))
FAIL(mkdir, int, -1, (const char *path, unsigned mode), (path, mode))
FAIL(linkat, int, -1, (int from, const char *path, int to, const char *name, int flags),
     (from, path, to, name, flags))
FAIL(rename, int, -1, (const char *from, const char *to), (from, to))
FAIL(unlink, int, -1, (const char *path), (path))
FAIL(readlink, ssize_t, -1, (const char *path, char *to, size_t n), (path, to, n))
FAIL(realpath, char *, NULL, (const char *path, char *to), (path, to))
FAIL(tcsetattr, int, -1, (int fd, int when, const struct termios *modes), (fd, when, modes))
FAIL(tcgetattr, int, -1, (int fd, struct termios *modes), (fd, modes))
FAIL(sigaction, int, -1, (int number, const struct sigaction *action, struct sigaction *before),
     (number, action, before))
FAIL(sched_setaffinity, int, -1, (pid_t pid, size_t n, const void *cpus), (pid, n, cpus))
FAIL(setpgid, int, -1, (pid_t pid, pid_t group), (pid, group))
FAIL(prctl, int, -1, (int option, long a, long b, long c, long d), (option, a, b, c, d))
FAIL(setrlimit, int, -1, (int which, const struct rlimit *limit), (which, limit))
FAIL_AS(setrlimit, setrlimit64, int, -1, (int which, const struct rlimit *limit), (which, limit))

/* Terminals fail in their own ways, so their reads and writes do not count as those of files. */
static bool is_terminal(int fd)
{
	unsigned char modes[256];
	int before = errno;
	bool is = syscall(SYS_ioctl, fd, TCGETS, modes) == 0;

	errno = before;
	return is;
}

ssize_t read(int fd, void *to, size_t n)
{
	static ssize_t (*real)(int, void *, size_t);

	if (strikes(is_terminal(fd) ? OF_read_terminal : OF_read))
		return -1;
	if (!real)
		real = (ssize_t(*)(int, void *, size_t))find("read");
	return real(fd, to, n);
}

/* If standard error fails, that cannot be reported, so it is counted separately. */
ssize_t write(int fd, const void *from, size_t n)
{
	static ssize_t (*real)(int, const void *, size_t);

	if (strikes(fd == STDERR_FILENO ? OF_write_error
		    : is_terminal(fd)	? OF_write_terminal
					: OF_write))
		return -1;
	if (!real)
		real = (ssize_t(*)(int, const void *, size_t))find("write");
	return real(fd, from, n);
}

/* Closes the descriptor even if the call fails, as the kernel does. */
int close(int fd)
{
	int closed = (int)syscall(SYS_close, fd);

	return strikes(OF_close) ? -1 : closed;
}

/*
 * Counts all system calls that are made by number, except futex(2), which locks use, and those that
 * this library makes.
 */
long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number != SYS_futex && number != SYS_close && number != SYS_ioctl &&
	    strikes(OF_syscall))
		return -1;
	if (!real)
		real = (long (*)(long, ...))find("syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int clone(int (*main)(void *), void *stack, int flags, void *arg, ...)
{
	static int (*real)(int (*)(void *), void *, int, void *, ...);
	void *a[3];
	va_list args;

	va_start(args, arg);
	for (int i = 0; i < 3; i++)
		a[i] = va_arg(args, void *);
	va_end(args);
	if (strikes(OF_clone))
		return -1;
	if (!real)
		real = (int (*)(int (*)(void *), void *, int, void *, ...))find("clone");
	return real(main, stack, flags, arg, a[0], a[1], a[2]);
}

/*
 * vfork(2) returns twice, so its caller must be the program and not a function here. So the code
 * below jumps to the vfork() of the C library instead of calling it.
 */
__attribute__((used)) void *faulty_vfork(void)
{
	return strikes(OF_vfork) ? NULL : find("vfork");
}

#if defined(__x86_64__)
__asm__(".globl vfork\n.type vfork,@function\nvfork:\n"
	"sub $8,%rsp\ncall faulty_vfork@PLT\nadd $8,%rsp\n"
	"test %rax,%rax\njz 1f\njmp *%rax\n1: mov $-1,%eax\nret\n");
#elif defined(__aarch64__)
__asm__(".globl vfork\n.type vfork,%function\nvfork:\n"
	"stp x29,x30,[sp,-16]!\nbl faulty_vfork\nldp x29,x30,[sp],16\n"
	"cbz x0,1f\nbr x0\n1: mov w0,#-1\nret\n");
#endif

/* A sanitizer has its own allocator. */
#ifndef FAULTY_SANITIZED
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);
void *__libc_memalign(size_t at, size_t n);

static bool refused(const void *caller)
{
	return !for_spared && !is_spared(caller) && strikes(OF_malloc);
}

void *malloc(size_t n)
{
	return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

/* The C library's strdup() would request memory in its own name, whatever its caller. */
char *strdup(const char *text)
{
	const size_t n = strlen(text) + 1;
	char *copy = refused(__builtin_return_address(0)) ? NULL : __libc_malloc(n);

	return copy ? memcpy(copy, text, n) : NULL;
}

void *realloc(void *block, size_t n)
{
	return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(block, n);
}

void *reallocarray(void *block, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t at, size_t n)
{
	return refused(__builtin_return_address(0)) ? NULL : __libc_memalign(at, n);
}
#endif

static time_t jumped_s(void)
{
	return wall.jump_s && monotonic_ns() - wall.begin_ns >= wall.after_ns ? wall.jump_s : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*real)(clockid_t, struct timespec *);
	int err;

	if (!real)
		real = (int (*)(clockid_t, struct timespec *))find("clock_gettime");
	err = real(clock, now);
	if (!err && clock == CLOCK_REALTIME)
		now->tv_sec += jumped_s();
	return err;
}

time_t time(time_t *to)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_REALTIME, &now);
	if (to)
		*to = now.tv_sec;
	return now.tv_sec;
}

double pow(double base, double exponent)
{
	double (*real)(double, double) = (double (*)(double, double))dlsym(RTLD_NEXT, "pow");
	const char *file = getenv("FAULTY_ENDLESS");
	volatile bool endless = file != NULL;

	if (endless)
		syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY, 0600));
	while (endless)
		;
	return real(base, exponent);
}
