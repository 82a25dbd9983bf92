/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cgroup.h"
#include "base/clock.h"
#include "base/procfs.h"
#include "experiment/experiment.h"
#include "source/source.h"
#include "stats/stats.h"

#define MOST_CORES 64

/* Sets the note: a remark on the value, or the reason why it is unknown. */
__attribute__((format(printf, 2, 3))) static void note_result(struct check_result *result,
							      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(result->note, sizeof(result->note), format, args);
	va_end(args);
}

#define CHECK_SERIES   101
#define CHECK_READINGS 200
#define CHANGES	       20 /* number of moves to a core and back, for each core */
/*
 * Longest time for a measurement of the clock, ns, because signals are handled only between
 * measurements.
 */
#define LONGEST_NS 30000000u

/*
 * Moves this thread to the core. If the time of the move is shorter than *least, stores it there.
 * The time is negative if the clock went back. Returns 0 or -errno.
 */
static int change_core(int cpu, int64_t *least)
{
	cpu_set_t core;
	uint64_t before;
	int64_t passed;

	CPU_ZERO(&core);
	CPU_SET((size_t)cpu, &core);
	before = clock_now_ns();
	if (sched_setaffinity(0, sizeof(core), &core) < 0)
		return -errno;
	passed = (int64_t)(clock_now_ns() - before);
	*least = MIN(passed, *least);
	return 0;
}

/* Compares the clock of each core with that of the first. Stores the largest difference. */
static void compare_cores(const cpu_set_t *allowed, struct check_result *out)
{
	uint64_t begin = clock_now_ns();
	int64_t worst = 0;
	int home = -1, n = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int64_t there, back, bound;
		int err = 0;

		if (clock_now_ns() - begin >= LONGEST_NS)
			break;
		if (!CPU_ISSET((size_t)cpu, allowed))
			continue;
		if (home < 0) {
			home = cpu;
			continue;
		}
		/*
		 * A move takes time, so the clock of the destination is ahead of the other one by
		 * at most the shortest time measured in that direction. A negative time means that
		 * a clock went back.
		 */
		there = back = INT64_MAX;
		for (int i = 0; i < CHANGES; i++) {
			err = change_core(cpu, &there);
			if (!err)
				err = change_core(home, &back);
			if (err) {
				note_result(out, "sched_setaffinity: %s", strerror(-err));
				return;
			}
		}
		if (there < 0)
			bound = there;
		else if (back < 0)
			bound = back;
		else
			bound = MAX(there, back);
		n++;
		if (worst >= 0 && (bound < 0 || bound > worst))
			worst = bound;
	}
	out->value = (double)worst;
	note_result(out, "%d cores, %d round trips each", n + 1, CHANGES);
}

/*
 * Checks the clock from which all times are read: its cost, its least step, and whether the cores
 * agree.
 */
static void check_clock(struct check_result results[CHECKS])
{
	struct check_result *cores = &results[CHECK_CLOCK_CORES];
	uint64_t least = UINT64_MAX, begin, before, now;
	struct timespec says = {0};
	double each[CHECK_SERIES];
	cpu_set_t allowed;

	for (int i = 0; i < CHECK_SERIES; i++) {
		begin = now = clock_now_ns();
		for (int k = 0; k < CHECK_READINGS; k++)
			now = clock_now_ns();
		each[i] = (double)(now - begin) / CHECK_READINGS;
	}
	stats_sort(each, CHECK_SERIES);
	results[CHECK_CLOCK_COST].value = stats_median(each, CHECK_SERIES);
	begin = before = clock_now_ns();
	for (int i = 0; i < CHECK_SERIES * CHECK_READINGS; i++) {
		if (before - begin >= LONGEST_NS)
			break;
		now = clock_now_ns();
		if (now != before && now - before < least)
			least = now - before;
		before = now;
	}
	/*
	 * clock_getres() gives a lower bound: the clock may have coarser steps, but never finer
	 * ones.
	 */
	clock_getres(CLOCK_MONOTONIC, &says);
	if (least < UINT64_MAX)
		results[CHECK_CLOCK_STEP].value =
			fmax((double)least, (double)says.tv_sec * 1e9 + (double)says.tv_nsec);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		note_result(cores, "sched_getaffinity: %s", strerror(errno));
	else if (CPU_COUNT(&allowed) < 2)
		note_result(cores, "this machine has one core");
	else {
		compare_cores(&allowed, cores);
		sched_setaffinity(0, sizeof(allowed), &allowed);
	}
}

#define INJECTED 1.03
#define RUN_MS	 250

void check_init(struct check_report *report)
{
	memset(report, 0, sizeof(*report));
	report->injected = INJECTED;
	report->seconds = NAN;
	for (int i = 0; i < CHECKS; i++)
		report->results[i].value = report->results[i].low = report->results[i].high = NAN;
}

/*
 * CPU time of the cores and of all other processes. Each value counts from an arbitrary time, so
 * only differences have a meaning.
 */
struct load {
	int64_t busy_us; /* user, nice and system time of all cores in /proc/stat; -1: unknown */
	/* time of all processes except this one and the children it waited for */
	int64_t others_us;
	int tasks, seen; /* number of tasks on the machine, and of tasks in /proc */
};

static void read_load(struct load *load)
{
	const int64_t tick_us = 1000000 / sysconf(_SC_CLK_TCK);
	int max = get_nprocs_conf(), n = -1;
	struct procfs_core *cores = calloc((size_t)max, sizeof(*cores));
	struct procfs_stat stat;
	uint64_t busy = 0, others = 0, ticks[4];
	struct dirent *entry;
	char text[1024];
	DIR *proc;

	if (cores && procfs_stat_open(&stat, "/proc") == 0) {
		n = procfs_stat_read(&stat, cores, max);
		procfs_stat_close(&stat);
	}
	for (int i = 0; i < n; i++)
		busy += cores[i].user + cores[i].nice + cores[i].system;
	free(cores);
	/* The text is like "0.20 0.18 0.12 1/80 11206": 1 of 80 tasks is running. */
	load->tasks = load->seen = 0;
	if (procfs_read_text("/proc", "loadavg", text, sizeof(text)) == 0)
		sscanf(text, "%*s %*s %*s %*d/%d", &load->tasks);
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc))) {
		char path[32];
		const char *rest;
		int threads;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		/*
		 * Add the time of the process and of the children for which it has waited, because
		 * the time of an ended process is counted in its parent. Fields 14 to 17 and 20 of
		 * proc_pid_stat(5).
		 */
		snprintf(path, sizeof(path), "proc/%.10s/stat", entry->d_name);
		rest = procfs_read_stat("", path, text, sizeof(text));
		if (!rest || sscanf(rest,
				    ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64
				    " %" SCNu64 " %" SCNu64 " %" SCNu64 " %*d %*d %d",
				    &ticks[0], &ticks[1], &ticks[2], &ticks[3], &threads) != 5)
			continue;
		load->seen += threads;
		if (strtol(entry->d_name, NULL, 10) != getpid())
			others += ticks[0] + ticks[1] + ticks[2] + ticks[3];
	}
	if (proc)
		closedir(proc);
	if (n > 0)
		load->busy_us = (int64_t)busy * tick_us;
	else
		load->busy_us = -1;
	load->others_us = (int64_t)others * tick_us;
}

/*
 * Opens a counter of the CPU time of this program and of all processes that it starts later.
 * Returns its descriptor or -errno. inherit: children and their children are counted. An
 * unprivileged user must set exclude_kernel, but a software clock counts kernel mode nevertheless.
 */
static int open_witness_clock(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	return fd;
}

/*
 * A control group made below the program's own. The program moves into it, so the group counts all
 * processes that the program starts. See cgroups(7), version 1 (cpuacct) and version 2.
 */
struct own_group {
	char home[PATH_MAX];   /* the directory of the program's original group */
	char folder[PATH_MAX]; /* the directory of the new group */
	const char *file;      /* file with the CPU time; NULL if none */
	char tried[PATH_MAX];  /* the hierarchy tried last */
	const char *step;      /* the last step tried */
	int err;	       /* error of that step */
};

#define NAME "tuibench-self-test-"

static int path_to(char path[PATH_MAX], const char *folder, const char *name)
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX)
		return 0;
	return -ENAMETOOLONG;
}

static int join_group(const char *folder)
{
	char path[PATH_MAX];
	int fd, err = path_to(path, folder, "cgroup.procs");

	if (err)
		return err;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, "0", 1) == 1)
		err = 0;
	else
		err = -errno;
	close(fd);
	return err;
}

/*
 * Makes a group below the program's own, and moves the program into it. cgroup_walk() calls this
 * for each group from the program's own upwards, in each hierarchy. After a success, or if this
 * hierarchy was already tried, does nothing. In a container the program's own group may be
 * invisible, so the nearest visible ancestor is used.
 */
static void try_group(void *arg, const struct cgroup *found)
{
	/* Files with the CPU time. */
	static const char *const files[] = {"cpuacct.usage", "cpu.stat"};
	struct own_group *own = arg;
	const int top = (int)(found->path - found->folder);
	char path[PATH_MAX], name[64];

	if (own->file ||
	    (own->tried[0] && strncmp(own->tried, found->folder, (size_t)top) == 0 &&
	     !own->tried[top]) ||
	    snprintf(own->home, PATH_MAX, "/%s", found->folder) >= PATH_MAX ||
	    path_to(path, own->home, "cgroup.procs") < 0 || access(path, F_OK) < 0)
		return;
	snprintf(own->tried, PATH_MAX, "%.*s", top, found->folder);
	cgroup_remove_left(own->home, NAME);
	snprintf(name, sizeof(name), NAME "%ld", (long)getpid());
	own->step = "making one";
	own->err = path_to(own->folder, own->home, name);
	if (!own->err && mkdir(own->folder, 0755) < 0)
		own->err = -errno;
	if (own->err)
		return;
	own->step = "its CPU time";
	own->err = -ENOENT;
	for (size_t i = 0; i < 2; i++) {
		if (path_to(path, own->folder, files[i]) < 0 || access(path, R_OK) != 0)
			continue;
		own->step = "moving into it";
		own->err = join_group(own->folder);
		if (!own->err)
			own->file = files[i];
		break;
	}
	if (own->err)
		rmdir(own->folder);
}

void check_schedstat_close(struct check_schedstat *schedstat)
{
	for (int i = 0; i < CHECK_SCHEDSTAT_MOST; i++) {
		if (schedstat->tasks[i].fd >= 0)
			close(schedstat->tasks[i].fd);
		schedstat->tasks[i].fd = -1;
		schedstat->tasks[i].used_ns = -1;
	}
}

void check_schedstat_init(struct check_schedstat *schedstat)
{
	*schedstat = (struct check_schedstat) {.start_ns = INT64_MAX};
	for (int i = 0; i < CHECK_SCHEDSTAT_MOST; i++)
		schedstat->tasks[i].fd = schedstat->tasks[i].used_ns = -1;
}

static uint32_t watched_workers(const struct model_run *run)
{
	return MIN(run->n_workers, CHECK_SCHEDSTAT_MOST);
}

/*
 * Reads the file of each worker that is running. Opens it at the first reading, because it
 * disappears with its worker. At a run's end, adds each worker's CPU time to the sums: as last
 * read, and as the worker reported it.
 */
void check_schedstat_look(struct check_schedstat *schedstat, const struct model *model,
			  const struct sample *sample)
{
	const struct model_run *run = model_running(model);
	int64_t now_ns = (int64_t)clock_now_ns(), at_ns;
	char text[128];
	ssize_t n;

	/*
	 * A tick's time counts from the session's start. The sample of the tick arrives a little
	 * later, so now_ns less the tick's time is the start plus that delay. The smallest
	 * difference is the most exact.
	 */
	if (sample && sample->kind == SAMPLE_TICK && now_ns - sample->time_ns < schedstat->start_ns)
		schedstat->start_ns = now_ns - sample->time_ns;
	if (sample && sample->kind == SAMPLE_RUN_END) {
		run = model_newest(model);
		for (uint32_t i = 0; i < watched_workers(run); i++) {
			const struct sample_worker w = model_known(run, i);
			int64_t gap_ns = schedstat->start_ns + run->totals.begin_ns + w.finish_ns -
					 schedstat->tasks[i].at_ns;

			if (schedstat->tasks[i].used_ns < 0 || w.finish_ns < 0) {
				schedstat->missed++;
				continue;
			}
			schedstat->used_ns += (double)schedstat->tasks[i].used_ns;
			if (gap_ns > 0)
				schedstat->gap_ns += (double)gap_ns;
			schedstat->said_ns += 1e3 * ((double)w.user_us + w.system_us);
		}
		check_schedstat_close(schedstat);
	} else if (run) {
		for (uint32_t i = 0; i < watched_workers(run); i++) {
			const struct sample_worker w = model_known(run, i);

			if (w.start_ns < 0 || w.finish_ns >= 0)
				continue;
			if (schedstat->tasks[i].fd < 0) {
				char path[64];

				snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", w.pid,
					 w.tid);
				schedstat->tasks[i].fd = open(path, O_RDONLY | O_CLOEXEC);
				if (schedstat->tasks[i].fd < 0)
					schedstat->err = errno;
			}
			if (schedstat->tasks[i].fd < 0)
				continue;
			/*
			 * The text is "on-core queued slices", in ns. The file of an ended task
			 * cannot be read.
			 */
			at_ns = (int64_t)clock_now_ns();
			n = pread(schedstat->tasks[i].fd, text, sizeof(text) - 1, 0);
			if (n <= 0)
				continue;
			text[n] = '\0';
			schedstat->tasks[i].used_ns = strtoll(text, NULL, 10);
			schedstat->tasks[i].at_ns = at_ns;
		}
	}
}

void check_schedstat_judge(const struct check_schedstat *schedstat, struct check_result *out)
{
	double used_ns = schedstat->used_ns, gap_ns = schedstat->gap_ns;

	if (used_ns > 0) {
		out->value = schedstat->said_ns / (used_ns + gap_ns / 2);
		out->low = schedstat->said_ns / (used_ns + gap_ns);
		out->high = schedstat->said_ns / used_ns;
	} else {
		note_result(out, "/proc/PID/schedstat: %s",
			    schedstat->err ? strerror(schedstat->err)
					   : "no worker was seen in time");
	}
	if (schedstat->used_ns > 0 && schedstat->missed)
		note_result(out, "%u workers were not seen in time", schedstat->missed);
}

/*
 * CPU time so far as each witness counts it, ns; -1: unknown. A witness is a counter of the kernel.
 */
struct counts {
	uint64_t at_ns;
	int64_t self_ns, children_ns, cgroup_ns, perf_ns;
	struct load load;
};

struct witnesses {
	struct own_group cgroup;
	int perf; /* a negative value: an error */
	struct check_schedstat schedstat;
	struct counts before, after;
};

static void read_counts(const struct witnesses *w, struct counts *counts)
{
	const struct own_group *cgroup = &w->cgroup;
	const bool in_us = cgroup->file && strcmp(cgroup->file, "cpu.stat") == 0;
	char path[PATH_MAX], text[1024];
	const char *at = NULL;

	counts->at_ns = clock_now_ns();
	if (cgroup->file && path_to(path, cgroup->folder, cgroup->file) == 0 &&
	    procfs_read_text("", path, text, sizeof(text)) == 0) {
		if (in_us)
			at = procfs_after_key(text, "usage_usec ");
		else
			at = text;
	}
	counts->cgroup_ns = at ? strtoll(at, NULL, 10) : -1;
	if (in_us && counts->cgroup_ns > 0)
		counts->cgroup_ns *= 1000;
	if (w->perf < 0 ||
	    read(w->perf, &counts->perf_ns, sizeof(counts->perf_ns)) != sizeof(counts->perf_ns))
		counts->perf_ns = -1;
	counts->self_ns = 1000 * (int64_t)clock_used_us(RUSAGE_SELF);
	counts->children_ns = 1000 * (int64_t)clock_used_us(RUSAGE_CHILDREN);
}

static void judge_witnesses(const struct witnesses *w, double cpu_ns,
			    struct check_result results[CHECKS])
{
	const struct load *before = &w->before.load, *after = &w->after.load;
	struct check_result *stat = &results[CHECK_PROC_STAT];
	int64_t children_ns = w->after.children_ns - w->before.children_ns;
	double others_ns = 1e3 * (double)(after->others_us - before->others_us);
	double self_ns = (double)(w->after.self_ns - w->before.self_ns);

	if (isnan(cpu_ns)) {
		for (int id = CHECK_GETRUSAGE; id <= CHECK_PERF; id++)
			note_result(&results[id], "a run failed");
		return;
	}
	if (children_ns > 0)
		results[CHECK_GETRUSAGE].value = cpu_ns / (double)children_ns;
	/* These witnesses also count this program itself, so subtract its own time from them. */
	if (w->before.cgroup_ns >= 0 && w->after.cgroup_ns > w->before.cgroup_ns)
		results[CHECK_CGROUP].value =
			cpu_ns / ((double)(w->after.cgroup_ns - w->before.cgroup_ns) - self_ns);
	if (w->before.perf_ns >= 0 && w->after.perf_ns > w->before.perf_ns)
		results[CHECK_PERF].value =
			cpu_ns / ((double)(w->after.perf_ns - w->before.perf_ns) - self_ns);
	/*
	 * The CPU time of the runs, this program and all other processes, divided by the busy time
	 * of the cores.
	 */
	if (before->busy_us < 0 || after->busy_us < 0) {
		note_result(stat, "no /proc/stat");
	} else if (4 * after->seen < 3 * after->tasks) {
		note_result(stat, "%d of %d tasks are hidden from this program, as in a container",
			    after->tasks - after->seen, after->tasks);
	} else {
		stat->value = (cpu_ns + others_ns + self_ns) /
			      (1e3 * (double)(after->busy_us - before->busy_us));
		note_result(stat, "others used %.2f cores",
			    others_ns / (double)(w->after.at_ns - w->before.at_ns));
	}
	check_schedstat_judge(&w->schedstat, &results[CHECK_SCHEDSTAT]);
}

/* State that the parts of the self-test share. */
struct check_parts {
	struct check_report *report;
	struct check_host *host;
	/* second amount of work in CHECK_INJECTED, divided by the first */
	double put;
	double run_ns;	    /* wanted length of a run, ns */
	uint64_t end_ns;    /* when sessions are stopped */
	uint64_t series_ns; /* duration of a series of TRIALS pairs, ns */
	uint64_t work;	    /* work of one worker, for a run of the wanted length */
	/* Sums over the runs of compare_threads(), which show how the machine behaves. */
	struct check_sums {
		/* duration of the runs, time that other programs used, and stolen time, s */
		double seconds, others, steal;
		double own_ns, cpu_ns, core_ns;
		/*
		 * the fastest frequency of a core divided by its slowest, from cpufreq; 0: unknown
		 */
		double rate;
		/* lowest and highest MHz measured between the sessions; 0: none */
		int64_t low, high;
	} sums;
};

/* Number of cores that a session uses: the allowed ones, at most the CPU quota. */
static uint32_t session_cores(const struct machine *machine)
{
	int32_t cores = MAX(machine->cores_allowed, 1);

	if (machine->cpu_quota > 0 && machine->cpu_quota < cores)
		cores = (int32_t)fmax(1, machine->cpu_quota);
	return (uint32_t)(MIN(cores, MOST_CORES));
}

/* ms between two checks of the run's progress and of the deadline. */
#define CHECK_LOOK_MS 5
#define PAUSE_MS      50

/*
 * A small session. It runs the same code as every other session: experiment, live source and model.
 */
struct session {
	struct check_host *host;
	const char *what; /* the check that the session belongs to, shown while the user waits */
	/*
	 * For the text "run 5 of 30". done: number of runs of the check before this session. of:
	 * number of runs of the whole check; 0: only this session's.
	 */
	uint32_t done, of;
	uint64_t deadline_ns; /* when the session is stopped */
	uint64_t second_work; /* work of each worker of the second case; 0: as in the first case */
	/* read before and after the runs, schedstat also every few ms; NULL: none */
	struct witnesses *witnesses;
	struct request request;
	struct source *source;
	struct model model; /* the caller frees it */
	bool holds;	    /* the session pauses before its first run */
	bool over;
	int err;
	char why[256]; /* a line about the error */
};

/*
 * Makes a session of threads: one cpu worker for each usable core, each with this amount of work.
 */
static struct session new_session(const struct check_parts *parts, const char *what, uint64_t work,
				  uint32_t trials)
{
	struct session session = {.host = parts->host, .what = what, .deadline_ns = parts->end_ns};
	struct request *request = &session.request;

	request_init(request);
	request->experiment = "mixed";
	request->models = "threads";
	for (int i = 0; i < WORK_KINDS; i++)
		request->workers[i] = 0;
	request->workers[WORK_CPU] = session_cores(&parts->report->machine);
	request->work_size[WORK_CPU] = work;
	request->trials = trials;
	request->warmup = 0;
	request->seed = clock_now_ns(); /* seed of the order */
	request->no_estimate = true;
	request->command = "tuibench --self-test";
	return session;
}

/*
 * Applies a sample to the session's model, and starts the runs once the witnesses were read. Shows
 * the progress. Returns whether the session is over.
 */
static int take_sample(void *arg, const struct sample *sample)
{
	struct session *session = arg;
	int err = model_apply(&session->model, sample);

	if (err == -ENOMEM)
		session->err = err;
	if (session->witnesses)
		check_schedstat_look(&session->witnesses->schedstat, &session->model, sample);
	/*
	 * The session waits before its first run. Read the witnesses only now, because the session
	 * may have created tasks to measure the kernel's memory, and these belong to no run.
	 */
	if (session->holds && sample->kind == SAMPLE_TICK) {
		session->holds = false;
		/*
		 * Read the slowest witness first before the runs, and last after them. That way,
		 * the other witnesses' differences do not include the CPU time of reading it.
		 */
		read_load(&session->witnesses->before.load);
		read_counts(session->witnesses, &session->witnesses->before);
		session->source->ops->control(session->source, SOURCE_START);
	}
	if (sample->kind == SAMPLE_RUN_BEGIN)
		session->host->show(session->host, session->what,
				    session->done + sample->run.run + 1,
				    session->of ? session->of : sample->run.planned);
	session->over |= sample->kind == SAMPLE_DONE || session->err;
	return session->over;
}

static void stop_session(struct session *session, int err)
{
	if (!session->err)
		session->err = err;
	if (session->source->ops->control(session->source, SOURCE_STOP))
		session->over = true;
}

static void wait_for_sample(struct session *session)
{
	struct source *source = session->source;
	struct pollfd fds[] = {
		{.fd = source->ops->fd(source), .events = POLLIN},
		{.fd = session->host->fd, .events = POLLIN},
	};
	int err;

	if (fds[0].fd < 0) {
		session->over = true;
		return;
	}
	if (poll(fds, 2, session->witnesses ? CHECK_LOOK_MS : PAUSE_MS) < 0 && errno != EINTR)
		session->err = -errno;
	if (fds[1].revents && !session->host->take(session->host, source)) {
		/* If a signal has already stopped the session, do not wait for its end. */
		session->over |= session->err == -EINTR;
		stop_session(session, -EINTR);
	}
	if (!session->err && clock_now_ns() >= session->deadline_ns)
		stop_session(session, -ETIMEDOUT);
	if (session->witnesses)
		check_schedstat_look(&session->witnesses->schedstat, &session->model, NULL);
	if (!fds[0].revents)
		return;
	err = source->ops->pump(source, take_sample, session);
	if (err < 0) {
		session->err = err;
		session->over = true;
	}
}

/*
 * Runs the session. Returns 0; -EINTR if the host ended the check, or -ETIMEDOUT at the deadline.
 * In both cases the results so far are in the model. Otherwise another -errno, explained in
 * session->why.
 */
static int run_check(struct session *session)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));

	model_init(&session->model);
	snprintf(session->why, sizeof(session->why), "out of memory");
	if (!experiment)
		return -ENOMEM;
	session->holds = session->request.hold = session->witnesses != NULL;
	session->err =
		experiment_build(&session->request, experiment, session->why, sizeof(session->why));
	if (!session->err) {
		if (session->second_work > 0 && experiment->n_cases > 1)
			experiment->cases[1].work_size[WORK_CPU] = session->second_work;
		session->source =
			source_live_open(experiment, NULL, session->why, sizeof(session->why));
		if (session->source)
			session->err = 0;
		else
			session->err = -ENOENT;
	}
	if (session->source) {
		while (!session->over)
			wait_for_sample(session);
		session->source->ops->close(session->source);
		if (session->err)
			snprintf(session->why, sizeof(session->why), "%s", strerror(-session->err));
	}
	free(experiment);
	return session->err;
}

double check_session_cpu_ns(const struct model *model)
{
	double sum = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (!model_ended(model, run) || run->totals.status != SAMPLE_OK)
			return NAN;
		sum += metric_value(run, METRIC_CPU);
	}
	return sum;
}

/*
 * Adds to parts->sums what a session's runs show about the machine: CPU times, the load from other
 * programs, and the spread of each core's frequency. Also measures the frequency once.
 */
static void check_machine_add(struct check_parts *parts, const struct model *model)
{
	struct check_sums *sums = &parts->sums;
	int64_t measured_mhz;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct sample_totals *totals = &model->runs[i].totals;
		double seconds = (double)totals->elapsed_ns / 1e9;

		if (!model_measured(model, &model->runs[i]))
			continue;
		sums->own_ns += 1e3 * (double)totals->self_cpu_us;
		sums->cpu_ns += 1e3 * (double)(totals->user_us + totals->system_us);
		sums->core_ns += 1e9 * seconds * totals->workers;
		if (totals->others < 0 || totals->steal < 0)
			continue;
		sums->seconds += seconds;
		sums->others += seconds * totals->others / 1e3;
		sums->steal += seconds * totals->steal / 1e3;
	}
	/* For each core: the fastest frequency seen, divided by the slowest. */
	for (uint32_t core = 0; core < model->n_cores; core++) {
		int least = 0, most = 0;

		for (size_t i = 0; i < model->n_loads; i++) {
			int mhz = model->cores[i * model->n_cores + core].mhz;

			if (mhz <= 0)
				continue;
			if (!least || mhz < least)
				least = mhz;
			most = MAX(mhz, most);
		}
		if (least)
			sums->rate = fmax(sums->rate, (double)most / least);
	}
	measured_mhz = machine_core_mhz();
	if (measured_mhz <= 0)
		return;
	if (!sums->low || measured_mhz < sums->low)
		sums->low = measured_mhz;
	sums->high = MAX(measured_mhz, sums->high);
}

/* Fills CHECK_OWN, CHECK_HAD, CHECK_OTHERS, CHECK_STEAL and CHECK_FREQUENCY from the sums. */
static void check_machine(struct check_parts *parts)
{
	const struct check_sums *sums = &parts->sums;
	const double cores = session_cores(&parts->report->machine);
	const struct {
		enum check_id id;
		double sum, of; /* `of` is 0 if no run with these figures has ended. */
	} shares[] = {
		{CHECK_OWN, sums->own_ns * cores, sums->core_ns},
		{CHECK_HAD, sums->cpu_ns, sums->core_ns},
		{CHECK_OTHERS, sums->others, sums->seconds},
		{CHECK_STEAL, sums->steal, sums->seconds},
	};
	struct check_result *result, *rate = &parts->report->results[CHECK_FREQUENCY];

	for (size_t i = 0; i < LENGTH(shares); i++) {
		result = &parts->report->results[shares[i].id];
		if (shares[i].of > 0)
			result->value = shares[i].sum / shares[i].of;
		if (shares[i].of <= 0)
			note_result(result, sums->core_ns > 0 ? "no /proc/stat" : "timed out");
		else if (shares[i].id == CHECK_HAD)
			note_result(result, "%.0f worker%s", cores, cores > 1 ? "s" : "");
	}
	/*
	 * Takes the spread of the cores' frequencies from cpufreq. Without cpufreq, takes the
	 * spread of the speeds measured between the series.
	 */
	if (sums->rate > 0) {
		rate->value = sums->rate;
	} else if (sums->low > 0) {
		rate->value = (double)sums->high / (double)sums->low;
		note_result(rate,
			    "no cpufreq, so tuibench measured the clock between the series: %lld "
			    "to %lld MHz",
			    (long long)sums->low, (long long)sums->high);
	} else {
		note_result(rate, "no cpufreq, and none measured");
	}
}

/* Notes why the row is not available. Returns the error if it ends the self-test, otherwise 0. */
static int leave_out_row(struct check_result *result, int err, const char *why)
{
	if (err && !result->note[0])
		note_result(result, "%s", err == -ETIMEDOUT ? "timed out" : why);
	if (err == -EINTR || err == -ENOMEM)
		return err;
	return 0;
}

#define TRIALS 15
#define RARELY 10000 /* ms between samples, so long that a run ends before its second sample */

/*
 * Measures one run with this sampling interval. *elapsed: the run's time in ns, NaN if the run
 * failed.
 */
static int measure_run(struct check_parts *parts, uint32_t interval_ms, uint32_t run,
		       double *elapsed)
{
	struct session session = new_session(parts, "the cost of sampling", parts->work, 1);
	int err;

	session.done = run;
	session.of = 2 * TRIALS;
	session.request.interval_ms = interval_ms;
	err = run_check(&session);
	*elapsed = NAN;
	model_trials(&session.model, 0, METRIC_ELAPSED, elapsed, NULL, 1);
	model_free(&session.model);
	return leave_out_row(&parts->report->results[CHECK_WATCHED], err, session.why);
}

static int measure_watched(struct check_parts *parts)
{
	struct check_result *out = &parts->report->results[CHECK_WATCHED];
	double rarely[TRIALS], always[TRIALS];
	struct stats_interval ratio;
	uint32_t n = 0;

	for (uint32_t pair = 0; pair < TRIALS; pair++) {
		if (out->note[0])
			break;
		/* Alternate the order, so that each of the two is first equally often. */
		for (uint32_t run = 0; run < 2; run++) {
			const uint32_t place = 2 * pair + run;
			int err;

			if (run == pair % 2)
				err = measure_run(parts, RARELY, place, &rarely[n]);
			else
				err = measure_run(parts, 0, place, &always[n]);
			if (err)
				return err;
		}
		n += rarely[n] > 0 && always[n] > 0;
	}
	if (stats_paired_ratio(rarely, always, n, &ratio))
		return -ENOMEM;
	if (isnan(ratio.low) || isnan(ratio.high))
		return leave_out_row(out, -ETIMEDOUT, "");
	out->value = ratio.estimate;
	out->low = ratio.low;
	out->high = ratio.high;
	out->pairs = n;
	return 0;
}

#define AGREE_TRIALS   3
#define AGREE_INTERVAL 10 /* ms between samples. Short, so that workers are noticed soon. */

static int ask_witnesses(struct check_parts *parts)
{
	struct session session =
		new_session(parts, "agreement with the kernel", parts->work, AGREE_TRIALS);
	struct check_result *results = parts->report->results;
	struct witnesses w = {.cgroup = {.step = "a hierarchy", .err = -ENOENT}};
	int level = procfs_perf_paranoid(), err;

	session.witnesses = &w;
	session.request.models = "threads,processes";
	session.request.interval_ms = AGREE_INTERVAL;
	cgroup_walk("", "cpuacct", try_group, &w.cgroup);
	if (!w.cgroup.file)
		note_result(&results[CHECK_CGROUP], "%s: %s", w.cgroup.step,
			    strerror(-w.cgroup.err));
	w.perf = open_witness_clock();
	if ((w.perf == -EACCES || w.perf == -EPERM) && level != INT_MIN)
		note_result(&results[CHECK_PERF], "%s: perf_event_paranoid is %d",
			    strerror(-w.perf), level);
	else if (w.perf < 0)
		note_result(&results[CHECK_PERF], "perf_event_open: %s", strerror(-w.perf));
	check_schedstat_init(&w.schedstat);
	err = run_check(&session);
	read_counts(&w, &w.after);
	read_load(&w.after.load);
	if (!err)
		judge_witnesses(&w, check_session_cpu_ns(&session.model), results);
	check_schedstat_close(&w.schedstat);
	if (w.perf >= 0)
		close(w.perf);
	if (w.cgroup.file) {
		join_group(w.cgroup.home);
		rmdir(w.cgroup.folder);
	}
	model_free(&session.model);
	if (err)
		for (int id = CHECK_GETRUSAGE; id <= CHECK_PERF; id++)
			leave_out_row(&results[id], err, session.why);
	if (err == -EINTR || err == -ENOMEM)
		return err;
	return 0;
}

#define SOME_WORK 5000000 /* divisions: about 15 ms */

/*
 * Sets parts->work to the work of each worker for a run of parts->run_ns. Uses the run with the
 * least CPU time, because under load the same work takes longer.
 */
static int calibrate(struct check_parts *parts)
{
	struct session session = new_session(parts, "how long work takes", SOME_WORK, 4);
	double workers = session.request.workers[WORK_CPU], best = INFINITY;
	int err = run_check(&session);

	for (size_t i = 0; i < session.model.n_runs; i++)
		best = fmin(best, metric_value(&session.model.runs[i], METRIC_CPU) / workers);
	model_free(&session.model);
	if (isfinite(best) && best > 0)
		parts->work = (uint64_t)(SOME_WORK * parts->run_ns / best);
	else
		parts->work = SOME_WORK;
	if (err == -EINTR || err == -ENOMEM)
		return err;
	return 0;
}

static void set_ratio(struct check_result *out, const struct model_comparison *found)
{
	out->pairs = found->pairs;
	if (isnan(found->sampled.low) || isnan(found->sampled.high)) {
		out->value = out->low = out->high = NAN;
		if (!out->note[0])
			note_result(out, "too few for an interval");
		return;
	}
	out->value = found->ratio.estimate;
	out->low = found->sampled.low;
	out->high = found->sampled.high;
}

/*
 * Measures the elapsed time of threads with the second amount of work, divided by that of threads
 * with the first amount.
 */
static int compare_threads(struct check_parts *parts, const char *what, uint64_t second,
			   enum check_id id)
{
	struct session session = new_session(parts, what, parts->work, TRIALS);
	struct check_result *out = &parts->report->results[id];
	struct model_comparison found;
	int err, bad = 0;

	session.second_work = second;
	session.request.models = "threads,threads";
	session.request.warmup = 1;
	err = run_check(&session);
	out->note[0] = '\0';
	/* Note the error before set_ratio(), which adds a reason only if there is no note. */
	leave_out_row(out, err, session.why);
	if (session.model.n_cases == 2) {
		check_machine_add(parts, &session.model);
		bad = model_compare(&session.model, 0, 1, METRIC_ELAPSED, &found);
		if (!bad)
			set_ratio(out, &found);
	}
	model_free(&session.model);
	if (bad)
		return bad;
	return leave_out_row(out, err, session.why);
}

static int compare_same(struct check_parts *parts)
{
	uint64_t begin_ns = clock_now_ns();
	int err = compare_threads(parts, "threads against threads", parts->work, CHECK_SAME);

	parts->series_ns = clock_now_ns() - begin_ns;
	return err;
}

static int compare_injected(struct check_parts *parts)
{
	uint64_t more = (uint64_t)llround((double)parts->work * parts->put);

	return compare_threads(parts, "an injected difference", more, CHECK_INJECTED);
}

/*
 * Repeats a series that was out of range. By chance alone, 1 of 20 series is out of range; a fault
 * of the machine appears again.
 */
static int compare_again(struct check_parts *parts)
{
	int err = 0;

	for (int i = 0; i < 2; i++) {
		const enum check_id id = i ? CHECK_INJECTED : CHECK_SAME;

		if (err)
			break;
		if (check_state(parts->report, id) != CHECK_OFF ||
		    clock_now_ns() + parts->series_ns > parts->end_ns)
			continue;
		parts->report->results[id].again = true;
		if (i)
			err = compare_injected(parts);
		else
			err = compare_same(parts);
	}
	return err;
}

/*
 * The parts in their order, and when each is stopped, in seconds since the start: less than a
 * minute in total.
 */
static const struct part {
	int (*measure)(struct check_parts *parts);
	uint64_t by_s;
} parts_list[] = {
	{calibrate, 5},		{ask_witnesses, 18},   {compare_same, 31},
	{compare_injected, 44}, {measure_watched, 57}, {compare_again, 57},
};

int check_run(struct check_report *report, struct check_host *host, double put, double run_ms)
{
	uint64_t begin_ns = clock_now_ns();
	struct check_parts parts = {
		.report = report,
		.host = host,
		.put = put,
		.run_ns = 1e6 * run_ms,
	};
	int err = 0;

	if (isnan(put))
		parts.put = INJECTED;
	if (isnan(run_ms))
		parts.run_ns = 1e6 * RUN_MS;

	report->wall_s = (int64_t)time(NULL);
	machine_read("", &report->machine);
	host->show(host, "the clock", 0, 0);
	check_clock(report->results);
	for (size_t i = 0; i < LENGTH(parts_list); i++) {
		if (err)
			break;
		parts.end_ns = begin_ns + parts_list[i].by_s * 1000000000u;
		err = parts_list[i].measure(&parts);
	}
	check_machine(&parts);
	report->seconds = (double)(clock_now_ns() - begin_ns) / 1e9;
	return err;
}
