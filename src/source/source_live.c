/* SPDX-License-Identifier: MIT */
#include "source/source.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/environment.h"
#include "base/error_line.h"
#include "base/same_file.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/command_words.h"
#include "core/sample.h"
#include "experiment/advice.h"
#include "experiment/argument.h"
#include "experiment/experiment.h"
#include "work/work_file.h"
#include "work/work_tick.h"
#include "work/workload.h"
#include "stats/stats.h"
#include "live_hook.h"
#include "live_memory.h"
#include "live_others.h"
#include "live_run.h"
#include "live_sched.h"
#include "live_spawn.h"
#include "live_standstill.h"

#define MAX_NOTES  16
#define COUNTER_NS 1000 /* step in which the kernel reports a thread's CPU time, ns */
/*
 * Longest time for which workers wait at the barrier for their memory to be read, ms, in addition
 * to one interval. On a crowded machine, the front end may get no core for seconds. Run times
 * exclude this wait.
 */
#define HOLD_MS 10000

/* The stages of a session, in order. LIVE_BETWEEN to LIVE_RUNNING repeat for each run. */
enum live_stage {
	LIVE_OPENED,  /* Nothing was measured yet. The screen can draw a first frame. */
	LIVE_HELLO,   /* The session must be reported. */
	LIVE_LEARN,   /* The memory of idle tasks must be measured. */
	LIVE_HOLD,    /* The session waits for SOURCE_START. */
	LIVE_BETWEEN, /* The next run can begin. */
	LIVE_HOOK,    /* A program of -s setup, prepare or cleanup is running. */
	LIVE_STARTED, /* A runner exists, but its run has not begun. */
	LIVE_RUNNING, /* The run's beginning was reported. */
	LIVE_IDLE,    /* No more runs are planned, and DONE was reported. */
};

/*
 * Number of pairs of warm-ups, one watched and one plain. If a run takes at least PLAIN_LONG_NS,
 * there is one pair.
 */
enum { PLAIN_PAIRS = 5 };
#define PLAIN_LONG_NS INT64_C(2000000000)

/*
 * Warm-ups of one configuration, watched and plain in turn, which show how much watching slows it
 * down. Plain ones have no records of switches. If the trials will have none either, plain ones are
 * `bare`: they have no memory cgroup, and neither their tasks nor their memory are read.
 */
struct live_plain {
	bool runs, bare;
	enum ring_reach reach; /* of watched runs */
	uint32_t pairs;
	struct sample_watched watched;
	uint32_t n;		    /* Warm-ups that have ended. */
	double ns[2 * PLAIN_PAIRS]; /* Time of each; NaN if it failed or was paused. */
};

/* If a setup, prepare or cleanup takes longer than this, the screen names it. */
#define HOOK_LONG_NS UINT64_C(500000000)

struct live {
	struct source source;
	struct experiment *experiment;
	struct debug *debug;
	char runner[PATH_MAX], program[PATH_MAX]; /* program: "" if no task runs a program */
	struct machine machine;
	enum live_stage stage;
	bool hold; /* SOURCE_START has not arrived yet */
	bool stopping;
	bool prolonged; /* the user added trials, so all of them run */
	bool paused;
	uint64_t learn_ns; /* when the stage LIVE_LEARN began; 0: not yet */
	uint64_t start_ns; /* start of the session, monotonic */
	struct timespec wall;
	struct live_terminal terminal;
	int64_t terminal_us;  /* CPU time of the terminal, as read when the run began */
	uint64_t sampling_us; /* our CPU time for the run's ticks */
	int epoll_fd, timer_fd;
	int cut_fd;	   /* a timer for ending programs (-s for) */
	int tasks_fd;	   /* a timer for looking at the tasks of commands */
	uint64_t crowd_ns; /* beginning of the current period of TASKS_CROWD_NS */
	unsigned crowd;	   /* number of the connector's wake-ups since crowd_ns */
	/* The connector's messages are not read before the timer expires. */
	bool deaf;
	/* the file that io workers copy, made when a run first needs it */
	struct live_io_file io_file;

	uint32_t next_run, planned;
	int64_t warmup_ns; /* when the first run began, on the session's clock */
	/*
	 * Other programs used the cores of a run of this trial, or paused it, so the trial should
	 * be repeated. Cleared at the end of each trial.
	 */
	bool spoiled;
	uint32_t repeats_left, n_repeated;
	struct sample_run id; /* the current run */
	struct live_run run;
	struct live_cores cores;
	struct live_others others;
	cpu_set_t usable;
	enum live_hook hook; /* the hook that is running, or HOOK_NONE */
	uint32_t hook_case;
	uint64_t hook_ns; /* when the hook began */
	char waits_for[SAMPLE_TEXT];
	bool prepared;		       /* -s prepare was run for the next run */
	bool set_up[SAMPLE_MAX_CASES]; /* the case was set up and not cleaned up yet */
	bool said_uncounted;
	struct live_precedence precedence;
	char topology[TOPOLOGY_TEXT];
	struct live_kernel kernel;
	struct live_cgroup cpus; /* for quotas; opened if a case has one */
	struct live_sched sched;
	struct live_rate rate; /* the highest rate of switches among the warm-ups */
	struct live_plain plain;
	struct live_count count;
	uint32_t lost;
	int schedstat_fd;   /* the kernel's count of our own time; -1: none */
	uint64_t asleep_ns; /* when the caller began to wait for us */
	/* moment of the last tick, or of the run's start before the first tick */
	struct live_moment moment;

	/* messages to be reported once the session itself has been reported */
	struct sample_message notes[MAX_NOTES];
	unsigned n_notes;
	bool marked; /* whether the kernel marks every context switch */
	bool said_pss, said_left, said_full, said_printed;
	char printed_unit[SAMPLE_UNIT]; /* as first printed in the session */
	uint64_t said_prepared;		/* reported size of the file that is being made, bytes */
	/* text about a worker's failure that was reported during the run; "" if none was */
	char death[SAMPLE_TEXT];
	struct advice advice;
	bool advised; /* the advice was reported */

	/* for the current pump() */
	source_emit *emit;
	void *arg;
	int result; /* if not 0, ends the current pump() */
	struct sample sample;
};

static struct live *to_live(struct source *source)
{
	return (struct live *)source;
}

__attribute__((format(printf, 4, 5))) static void add_note(struct live *live,
							   enum sample_severity severity,
							   enum sample_message_kind kind,
							   const char *format, ...)
{
	struct sample_message *note = &live->notes[live->n_notes];
	va_list args;

	if (live->n_notes == MAX_NOTES)
		return;
	note->severity = severity;
	note->kind = kind;
	va_start(args, format);
	vsnprintf(note->text, sizeof(note->text), format, args);
	va_end(args);
	DEBUG(live->debug, "source", "%s", note->text);
	live->n_notes++;
}

static int64_t session_time(const struct live *live, uint64_t now)
{
	return (int64_t)(now - live->start_ns);
}

/* Begins the next sample, with that time. The caller fills in the members of the sample's kind. */
static struct sample *new_sample(struct live *live, enum sample_kind kind, uint64_t now)
{
	struct sample *sample = &live->sample;

	memset(sample, 0, offsetof(struct sample, session));
	sample->kind = kind;
	sample->time_ns = session_time(live, now);
	sample->run = live->id;
	return sample;
}

static const char word_ends[] = " ,;=:()\"'";

/* The characters that end a path. They depend on the character before the path. */
static const char *ends_after(char before)
{
	switch (before) {
	case '"':
		return "\"";
	case '(':
		return ")";
	case '=':
		return ";";
	}
	return word_ends;
}

/* Whether the word is a path: it has a slash and is not the "Input/output" of strerror(EIO). */
static bool is_path(const char *word, size_t length)
{
	static const char error[] = "Input/output";

	if (length == sizeof(error) - 1 && strncmp(word, error, length) == 0)
		return false;
	return memchr(word, '/', length) != NULL;
}

/*
 * Replaces each path in place: "/home/eve/x" becomes "(path)". A path that begins after a quote, a
 * bracket or = may contain blanks.
 */
static void hide_paths(char *text, size_t size)
{
	char hidden[SAMPLE_TEXT];
	size_t used = 0;
	const char *at = text;

	hidden[0] = '\0';
	while (*at) {
		const char *shown = at;
		char before = ' ';
		size_t word, gap;
		int length;

		if (at > text && *at == '/')
			before = at[-1];
		word = strcspn(at, ends_after(before));
		gap = strspn(at + word, word_ends);
		length = (int)word;
		if (is_path(at, word)) {
			shown = "(path)";
			length = (int)strlen(shown);
		}
		used += (size_t)snprintf(hidden + used, sizeof(hidden) - used, "%.*s%.*s", length,
					 shown, (int)gap, at + word);
		if (used >= sizeof(hidden))
			break;
		at += word + gap;
	}
	snprintf(text, size, "%s", hidden);
}

static void give(struct live *live)
{
	struct sample *sample = &live->sample;

	if (live->experiment->request.anonymous && sample->kind == SAMPLE_SESSION) {
		sample->session.terminal[0] = '\0';
		hide_paths(sample->session.title, sizeof(sample->session.title));
		hide_paths(sample->session.settings, sizeof(sample->session.settings));
		hide_paths(sample->session.environment, sizeof(sample->session.environment));
		hide_paths(sample->session.compiler, sizeof(sample->session.compiler));
		hide_paths(sample->session.prediction, sizeof(sample->session.prediction));
	} else if (live->experiment->request.anonymous && sample->kind == SAMPLE_MESSAGE) {
		hide_paths(sample->message.text, sizeof(sample->message.text));
	} else if (live->experiment->request.anonymous && sample->kind == SAMPLE_RUN_END) {
		hide_paths(sample->end.totals.reason, sizeof(sample->end.totals.reason));
		/* Remove the names of other programs. */
		sample->end.totals.others_who[0] = '\0';
	}
	if (!live->result)
		live->result = live->emit(live->arg, sample);
}

/* Reports the notes, but only after the session itself was reported. */
static void say_notes(struct live *live)
{
	if (live->stage <= LIVE_HELLO)
		return;
	for (unsigned i = 0; i < live->n_notes; i++) {
		new_sample(live, SAMPLE_MESSAGE, clock_now_ns())->message = live->notes[i];
		give(live);
	}
	live->n_notes = 0;
}

/*
 * Starts or stops the timer of ticks. The first tick comes immediately, so that a run need not wait
 * for a whole interval.
 */
static int set_timer(struct live *live, bool on)
{
	uint64_t ns = (uint64_t)live->experiment->request.interval_ms * 1000000u;
	struct itimerspec t = {{0, 0}, {0, 0}};

	if (on) {
		t.it_interval.tv_sec = (time_t)(ns / 1000000000u);
		t.it_interval.tv_nsec = (long)(ns % 1000000000u);
		t.it_value.tv_nsec = 1;
	}
	if (timerfd_settime(live->timer_fd, 0, &t, NULL))
		return -errno;
	return 0;
}

static int watch_fd(struct live *live, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	if (epoll_ctl(live->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
		return -errno;
	return 0;
}

/*
 * How long a worker works between two checks of whether it was off its core, ns. A check reads the
 * clock at most once, which takes at most 1 % of this time.
 */
static uint64_t interval_ns(const struct live *live)
{
	int64_t least_ns = 100 * live->machine.clock_ns;

	if (least_ns > WORK_TICK_NS)
		return (uint64_t)least_ns;
	return WORK_TICK_NS;
}

/* The shortest time off a core that the source of slices detects; -1: none. */
static int64_t sched_resolution_ns(const struct live *live)
{
	/* The kernel records every switch, however short. */
	if (live->sched.source == SCHED_PERF)
		return 1;
	if (live->sched.source != SCHED_OWN)
		return -1;
	if (live->marked)
		return COUNTER_NS;
	return (int64_t)(WORK_TICK_GAP * interval_ns(live));
}

static void say_hello(struct live *live)
{
	const struct experiment *e = live->experiment;
	struct sample_session *s = &new_sample(live, SAMPLE_SESSION, live->start_ns)->session;
	const char *command = sentence_text(e->request.command, "");

	if (e->request.anonymous)
		command = "";
	memset(s, 0, sizeof(*s));
	snprintf(s->version, sizeof(s->version), "%s", TUIBENCH_VERSION);
	snprintf(s->experiment, sizeof(s->experiment), "%s", e->request.experiment);
	snprintf(s->title, sizeof(s->title), "%s", e->title);
	snprintf(s->options, sizeof(s->options), "%s", command);
	snprintf(s->terminal, sizeof(s->terminal), "%s", live->terminal.name);
	s->wall_s = live->wall.tv_sec;
	s->wall_ns = live->wall.tv_nsec;
	s->trials = e->request.trials;
	s->warmup = e->request.warmup;
	s->interval_ms = e->request.interval_ms;
	snprintf(s->sched, sizeof(s->sched), "%s", live_sched_name(&live->sched));
	s->sched_ns = sched_resolution_ns(live);
	snprintf(s->wakes, sizeof(s->wakes), "%s", live_sched_wakes(&live->sched));
	snprintf(s->counters, sizeof(s->counters), "%s", live->count.said);
	live_sched_perf(&live->sched, s->sched_perf, sizeof(s->sched_perf));
	if (e->request.order == ORDER_FIXED)
		s->seed = -1;
	else
		s->seed = (int64_t)e->request.seed;
	s->machine = live->machine;
	machine_name(&s->machine, e->request.label, e->request.anonymous);
	snprintf(s->topology, sizeof(s->topology), "%s", live->topology);
	live_environ_session(e, s->environment, sizeof(s->environment));
	snprintf(s->compiler, sizeof(s->compiler), "%s", sentence_text(e->request.compiler, ""));
	/*
	 * The flags of a distribution's compiler may not fit. Drop the last flag if it was cut off.
	 */
	if (e->request.compiler && strlen(e->request.compiler) >= sizeof(s->compiler))
		*strrchr(s->compiler, ' ') = '\0';
	snprintf(s->commit, sizeof(s->commit), "%s", sentence_text(e->request.commit, ""));
	experiment_settings(&e->request, s->settings, sizeof(s->settings));
	snprintf(s->tasks_by, sizeof(s->tasks_by), "%s", live_tasks_name_of(live->sched.tasks));
	snprintf(s->metric, sizeof(s->metric), "%s", sentence_text(e->request.metric, ""));
	snprintf(s->prediction, sizeof(s->prediction), "%s",
		 sentence_text(e->request.prediction, ""));
	utf8_mask(s->prediction);
	if (e->request.for_ns > 0)
		s->for_ns = (int64_t)e->request.for_ns;
	else
		s->for_ns = -1;
	s->cases = e->n_cases;
	s->cases_list = e->cases;
	give(live);
}

static const struct request *request_of(const struct live *live, uint32_t case_id)
{
	return &live->experiment->each[case_id].request;
}

/* The CPUs on which a case may run; empty: all CPUs. */
static cpu_set_t cpus_of(const struct live *live, uint32_t case_id)
{
	const struct sample_case *config = &live->experiment->cases[case_id];
	cpu_set_t cpus = {0};

	if (config->plan.placement == PLAN_PINNED)
		CPU_SET(live->experiment->one_cpu, &cpus);
	else if (CPU_COUNT(&config->cpus) > 0)
		cpus = config->cpus;
	else if (config->pinned)
		cpus = request_of(live, case_id)->pin;
	return cpus;
}

/* The program of the next run, its input and its output. */
static void fill_program_request(const struct live *live, uint32_t case_id,
				 struct board_request *board)
{
	const struct request *r = request_of(live, case_id);
	const struct experiment_case *config = &live->experiment->each[case_id];
	int n;

	/* No error can occur here, because the experiment has checked the program already. */
	if (board->plan.leaves[WORK_PROGRAM] > 0) {
		n = argument_words(live->experiment, case_id, live->id.trial, board->program_words);
		board->program_n = (uint32_t)MAX(0, n);
		command_words_find(board->program_words, board->program_path);
		board->ignore_failure = r->ignore_failure;
	}
	if (r->input && strcmp(r->input, EXPERIMENT_NULL) != 0)
		argument_text(config, r->input, live->id.trial, board->input_path);
	if ((!r->output && r->metric) || (r->output && strcmp(r->output, EXPERIMENT_PIPE) == 0))
		board->output_fd = 1;
	else if (r->output && strcmp(r->output, EXPERIMENT_NULL) != 0)
		argument_text(config, r->output, live->id.trial, board->output_path);
	/*
	 * If programs are ended after a time, wait for all their processes, which may take a moment
	 * to end.
	 */
	board->timed = r->for_ns > 0;
	board->wait_all = r->wait == WAIT_FOR_ALL || board->timed;
}

static enum work_cache cache_of(const struct live *live, const struct request *r)
{
	if (r->cache == SAMPLE_CACHE_COLD)
		return CACHE_COLD;
	if (r->cache != SAMPLE_CACHE_ONCE_COLD)
		return CACHE_WARM;
	/* Only the session's first run has a cold cache. */
	if (live->id.run == 0)
		return CACHE_COLD;
	return CACHE_LEAVE;
}

static void fill_request(const struct live *live, uint32_t case_id, struct board_request *board)
{
	const struct request *r = request_of(live, case_id);
	const struct sample_case *config = &live->experiment->cases[case_id];

	memset(board, 0, sizeof(*board));
	board->plan = config->plan;
	memcpy(board->work_size, config->work_size, sizeof(board->work_size));
	board->sink = r->sink;
	board->via = config->via;
	board->fibers = config->fibers;
	board->senders = r->senders;
	board->receivers = r->receivers;
	board->cache = cache_of(live, r);
	board->alloc = r->alloc;
	board->mistakes = config->mistakes;
	board->serving = config->serving;
	board->niced = r->niced;
	board->nice = r->nice;
	board->policy = r->policy;
	board->quota = r->quota;
	/*
	 * Hold the workers at the barrier while their memory is read, because short work might end
	 * before the reading. The hold lasts only a moment, unless the front end gets no core.
	 */
	if (live->experiment->holds_for_memory ||
	    (board->plan.barrier && board->plan.leaves[WORK_PROGRAM] == 0))
		board->hold_ms = r->interval_ms + HOLD_MS;
	board->stack_size = config->stack_size;
	board->ballast = config->ballast;
	board->counting = config->counting;
	board->ballast_huge = r->ballast_pages == BALLAST_HUGE;
	if (r->io_file)
		snprintf(board->io_path, sizeof(board->io_path), "%s", r->io_file);
	snprintf(board->hello_path, sizeof(board->hello_path), "%s", live->program);
	live_program_own(live->runner, r->work, board->own_path);
	fill_program_request(live, case_id, board);
	snprintf(board->tmp_dir, sizeof(board->tmp_dir), "%s", work_file_dir());
	board->pin = cpus_of(live, case_id);
	live_fault_ask(live->experiment, &live->id, board);
	if (live->sched.source == SCHED_OWN)
		live_slices_ask(board, interval_ns(live), live->marked);
	board->migrations = live->sched.source != SCHED_OFF;
	board->counters = live->count.kind;
	/*
	 * A pool's task may be so short that recording its migrations and counters takes longer
	 * than the task.
	 */
	if (board->plan.tasks > 0) {
		board->migrations = false;
		board->counters = COUNTERS_NONE;
		if (plan_creates_each(&board->plan))
			board->slices = 0;
	}
}

/* The name of the current run: "threads size=9, trial 3". */
static const char *run_name(const struct live *live, char *buf, size_t size)
{
	const struct experiment *experiment = live->experiment;
	char name[SAMPLE_NAME], trial[24] = "warm-up";

	if (live->id.trial > 0)
		snprintf(trial, sizeof(trial), "trial %" PRIu32, live->id.trial);
	snprintf(buf, size, "%s, %s",
		 sample_case_name(experiment->cases, experiment->n_cases, live->id.case_id, name,
				  sizeof(name)),
		 trial);
	return buf;
}

/* run_name() into a buffer of its own, valid until the end of the enclosing block. */
#define RUN_NAME(live) run_name(live, (char[SAMPLE_NAME + 26]) {0}, SAMPLE_NAME + 26)

static struct live_moment read_moment(const struct live *live, uint64_t expired)
{
	const struct live_moment_files files = {live->timer_fd, live->schedstat_fd};

	return live_moment_read(&files, expired, live->asleep_ns);
}

/*
 * Reports that tuibench was halted from outside during a run. A pause by the user has been reported
 * already, so does not report that.
 */
static void look_for_standstill(struct live *live, uint64_t expired)
{
	const struct live_moment before = live->moment;
	struct live_run *run = &live->run;
	int64_t still_ns;
	uint64_t end_ns;

	live->moment = read_moment(live, expired);
	if (!run->pid || live->paused || live->stage == LIVE_HOOK || live_run_begin(run) == 0)
		return;
	end_ns = run->board->end_ns;
	still_ns = live_standstill(&before, &live->moment);
	if (still_ns == 0 || run->begin_ns > live->moment.due_ns ||
	    (end_ns > 0 && end_ns < live->moment.due_ns))
		return;
	run->was_paused = true;
	add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
		 "%s: tuibench was halted for %.1f s (SIGSTOP, a paused container or a suspended "
		 "machine), so the run does not count",
		 RUN_NAME(live), (double)still_ns / 1e9);
}

static bool take_timer(struct live *live)
{
	uint64_t n;

	if (read(live->timer_fd, &n, sizeof(n)) != sizeof(n))
		return false;
	live_others_look(&live->others);
	if (n > 1)
		live->lost += (uint32_t)(n - 1);
	if (live->lost > 0)
		DEBUG(live->debug, "source", "%u samples skipped", live->lost);
	look_for_standstill(live, n);
	return true;
}

/* Ends the session, because the failed start would fail again. */
static void give_up(struct live *live, const char *what, const char *path, int err)
{
	add_note(live, SAMPLE_ERROR, MESSAGE_OTHER, "cannot %s %s: %s", what, path, strerror(-err));
	live->planned = live->next_run;
}

/*
 * Sets when the tasks of a run are read next. A message from the proc connector wakes us up, so
 * that the name of a short program is read while it exists. If messages are too frequent, the timer
 * alone decides.
 */
static void watch_tasks(struct live *live, bool woken)
{
	const struct live_tasks *tasks = &live->run.command_tasks;
	const uint64_t now_ns = clock_now_ns();
	const bool hears = tasks->by == TASKS_BY_CONNECTOR;
	struct epoll_event event = {.data.fd = tasks->fd};
	struct itimerspec timer = {0};
	uint64_t ns;

	if (now_ns - live->crowd_ns >= TASKS_CROWD_NS) {
		live->crowd_ns = now_ns;
		live->crowd = 0;
	}
	live->crowd += woken;
	if (hears && live->deaf != (live->crowd >= TASKS_CROWD)) {
		live->deaf = !live->deaf;
		if (live->deaf)
			event.events = 0;
		else
			event.events = EPOLLIN;
		epoll_ctl(live->epoll_fd, EPOLL_CTL_MOD, tasks->fd, &event);
	}
	ns = MAX(now_ns + live_tasks_interval_ns(tasks), tasks->next_ns);
	if (live->deaf)
		ns = now_ns + TASKS_PERIOD_NS;
	timer.it_value.tv_sec = (time_t)(ns / 1000000000u);
	timer.it_value.tv_nsec = (long)(ns % 1000000000u);
	timerfd_settime(live->tasks_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

/* Ends programs whose time has expired, and sets the timer for the next step. */
static void cut_programs(struct live *live)
{
	const bool hard = live->run.cut_hard;
	const uint64_t ns = live_cut_step(&live->run, clock_now_ns());
	const struct itimerspec timer = {
		.it_value = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)}};

	timerfd_settime(live->cut_fd, TFD_TIMER_ABSTIME, &timer, NULL);
	if (live->run.cut_hard && !hard)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s: a program had not ended %d s after SIGTERM, and was sent SIGKILL",
			 RUN_NAME(live), (int)(LIVE_GRACE_NS / 1000000000u));
}

/*
 * Starts a hook. Returns false if the case has none, or if it could not be started, which ends the
 * session.
 */
static bool start_hook(struct live *live, enum live_hook hook, uint32_t case_id)
{
	const struct request *request = request_of(live, case_id);
	const char *command = live_hook_command(request, hook);
	int64_t trial = ARGUMENT_NO_TRIAL;
	char **envp, words[COMMAND_BYTES];
	int err, n;

	if (!command)
		return false;
	if (hook == HOOK_PREPARE)
		trial = live->id.trial;
	n = argument_fill(&live->experiment->each[case_id], command, trial, words);
	envp = live_environ_make(request);
	if (envp)
		err = n;
	else
		err = -ENOMEM;
	if (err >= 0)
		err = live_hook_start(&live->run, live->runner, words, n, envp);
	live->run.command_tasks.nameless = request->anonymous;
	free(envp);
	if (err == 0 && live->run.pidfd >= 0)
		err = watch_fd(live, live->run.pidfd);
	if (err < 0) {
		char blamed[PATH_MAX + 16];

		give_up(live, "start", live_spawn_blamed(blamed, sizeof(blamed), live->runner),
			err);
		live_run_close(&live->run);
		return false;
	}
	DEBUG(live->debug, "source", "starts %s, runner %d", command, live->run.pid);
	live->hook = hook;
	live->hook_case = case_id;
	live->hook_ns = clock_now_ns();
	live->stage = LIVE_HOOK;
	return true;
}

/* Starts the hook that must run before the next run, if any. */
static bool start_hook_before(struct live *live)
{
	const uint32_t case_id = live->id.case_id;

	if (!live->set_up[case_id] && start_hook(live, HOOK_SETUP, case_id))
		return true;
	live->set_up[case_id] = true;
	return !live->prepared && start_hook(live, HOOK_PREPARE, case_id);
}

/* After the session's last run: starts the cleanup of the next case that was set up, if any. */
static bool start_hook_after(struct live *live)
{
	for (uint32_t i = 0; i < live->experiment->n_cases; i++) {
		if (!live->set_up[i])
			continue;
		live->set_up[i] = false;
		if (start_hook(live, HOOK_CLEANUP, i))
			return true;
	}
	return false;
}

/* Handles the end of a hook. The first failure ends the session. */
static void end_hook(struct live *live)
{
	const struct experiment *experiment = live->experiment;
	char reason[SAMPLE_TEXT], name[SAMPLE_NAME];
	struct sample_totals totals;

	live_run_collect(&live->run, &totals);
	live->stage = LIVE_BETWEEN;
	if (live->run.stopped) {
		DEBUG(live->debug, "source", "it was stopped");
	} else if (live_hook_failed(&live->run, &totals, live->hook, reason, sizeof(reason))) {
		add_note(live, SAMPLE_ERROR, MESSAGE_OTHER, "%s: %s",
			 sample_case_name(experiment->cases, experiment->n_cases, live->hook_case,
					  name, sizeof(name)),
			 reason);
		live->planned = live->next_run;
	} else if (live->hook == HOOK_SETUP) {
		live->set_up[live->hook_case] = true;
	} else if (live->hook == HOOK_PREPARE) {
		live->prepared = true;
	}
	live->hook = HOOK_NONE;
	live_run_close(&live->run);
}

/*
 * Makes the file that the io workers copy, once for all runs of the session. A runner that needs a
 * longer file makes it longer. Returns false on failure, which ends the session.
 */
static bool make_io_file(struct live *live, struct board_request *request)
{
	int err;

	if (request->plan.leaves[WORK_IO] == 0 || request_of(live, live->id.case_id)->io_file)
		return true;
	err = live_io_file_make(&live->io_file, request->tmp_dir, RUNNER_IO_FD, request->io_path,
				sizeof(request->io_path));
	if (err < 0) {
		give_up(live, "make the input file of the io workers in", request->tmp_dir, err);
		return false;
	}
	request->make_io_file = true;
	return true;
}

/* Watches what the started run reports by file descriptors. Returns 0 or -errno. */
static int watch_run(struct live *live)
{
	int err = 0;

	if (live->run.pidfd >= 0)
		err = watch_fd(live, live->run.pidfd);
	if (err == 0 && live->run.hold_fd >= 0)
		err = watch_fd(live, live->run.hold_fd);
	if (err == 0 && live->run.command_tasks.by == TASKS_BY_CONNECTOR)
		err = watch_fd(live, live->run.command_tasks.fd);
	return err;
}

static void give_up_run(struct live *live, int err)
{
	char blamed[PATH_MAX + 16];

	if (live->run.unlimited)
		give_up(live, "make a cgroup with a quota in", live->cpus.parent, err);
	else if (live->run.unshared)
		give_up(live, "share memory (a memfd) with", live->runner, err);
	else
		give_up(live, "start", live_spawn_blamed(blamed, sizeof(blamed), live->runner),
			err);
	live_run_close(&live->run);
}

/*
 * Whether warm-up i is watched. In every second pair, the plain warm-up is the first one, so that
 * slow changes of the machine cancel out.
 */
static bool plain_watches(uint32_t i)
{
	return i % 4 == 1 || i % 4 == 2;
}

/* Whether the current run is a bare warm-up. */
static bool runs_bare(const struct live *live)
{
	const struct live_plain *plain = &live->plain;

	return plain->runs && plain->bare && !plain_watches(plain->n);
}

/*
 * Starts the next run: fills in the request, makes what the run needs outside the runner, and
 * starts the runner. If it cannot start, reports why.
 */
static void start_run(struct live *live)
{
	static const char *const cache_names[] = {
		[CACHE_WARM] = "warm", [CACHE_COLD] = "cold", [CACHE_LEAVE] = "as it is"};
	struct board_request request;
	char **envp;
	struct live_kernel *kernel = &live->kernel;
	struct live_sched *sched = &live->sched;
	bool watch;
	int err, perf_err;

	if (runs_bare(live)) {
		kernel = NULL;
		sched = NULL;
	}
	fill_request(live, live->id.case_id, &request);
	/* When the names in braces have been replaced, two different names may be the same file. */
	if (*request.input_path && same_file(request.input_path, request.output_path)) {
		add_note(live, SAMPLE_ERROR, MESSAGE_OTHER,
			 "%s: -s output names the same file as -s input, so the run would "
			 "empty it",
			 RUN_NAME(live));
		live->planned = live->next_run;
		return;
	}
	if (!make_io_file(live, &request))
		return;
	live_others_begin(&live->others, &request.pin);
	live->moment = read_moment(live, 0);
	live->terminal_us = live_terminal_used_us(&live->terminal);
	live->sampling_us = 0;
	/*
	 * A warm-up gets an empty input, and records whether programs read it. Ignore a failure,
	 * because the empty input may be its cause.
	 */
	watch = live->id.trial == 0 && request.plan.leaves[WORK_PROGRAM] > 0 &&
		!*request.input_path;
	request.ignore_failure |= watch;
	envp = live_environ_make(request_of(live, live->id.case_id));
	if (envp)
		err = live_run_start(&live->run, live->runner, &request,
				     request_of(live, live->id.case_id)->metric, live->io_file.fd,
				     kernel, &live->cpus, sched, envp, watch);
	else
		err = -ENOMEM;
	live->run.command_tasks.nameless = live->experiment->request.anonymous;
	live->run.for_ns = request_of(live, live->id.case_id)->for_ns;
	free(envp);
	live->deaf = false;
	if (err == 0)
		err = watch_run(live);
	if (err < 0) {
		give_up_run(live, err);
		return;
	}
	DEBUG(live->debug, "source", "run %u: %s, trial %u, page cache %s, runner %d", live->id.run,
	      live->experiment->cases[live->id.case_id].model, live->id.trial,
	      cache_names[request.cache], live->run.pid);
	live_precedence_take(&live->precedence,
			     sentence_text(live->run.quota.at, live->run.charge.folder));
	perf_err = live->run.perf_err;
	/*
	 * The rings could be opened when the session began, so memory or descriptors must have run
	 * out since. Opening also fails if the runner has ended or a CPU is offline; in these
	 * cases, the run's end gives the reason.
	 */
	if (perf_err < 0 && perf_err != -ESRCH && perf_err != -ENODEV)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s has no lanes, because the kernel's records are not available: %s",
			 RUN_NAME(live), strerror(-perf_err));
	if (live->run.stride > 1)
		DEBUG(live->debug, "source", "the memory of one process in %u is read",
		      live->run.stride);
	live->next_run++;
	live->prepared = false;
	cut_programs(live);
	if (live->run.command_tasks.by != TASKS_BY_NOBODY)
		watch_tasks(live, false);
	live->stage = LIVE_STARTED;
}

static void say_run(struct live *live, enum sample_severity severity, const char *reason)
{
	add_note(live, severity, MESSAGE_RUN, "%s: %s", RUN_NAME(live), reason);
}

/* Reports that the run's CPUs have changed, so that the run is no trial of the same case. */
static void say_unfit(struct live *live)
{
	struct live_run *run = &live->run;

	if (!run->pid || run->unfit[0] ||
	    !live_usable_changed(&live->usable, &run->board->request.pin, run->unfit,
				 sizeof(run->unfit)) ||
	    live->stopping || live->death[0])
		return;
	snprintf(live->death, sizeof(live->death), "%s", run->unfit);
	say_run(live, SAMPLE_ERROR, live->death);
}

/* Reports the tasks of commands and then the slices, up to now. over: the run has ended. */
static void say_lanes(struct live *live, bool over)
{
	const struct live_lanes lanes = live_run_lanes(&live->run, over);
	struct sample *sample;

	if (lanes.n_tasks > 0) {
		sample = new_sample(live, SAMPLE_TASKS, clock_now_ns());
		sample->tasks.n = lanes.n_tasks;
		sample->tasks.list = lanes.tasks;
		give(live);
	}
	if (lanes.n_slices > 0) {
		sample = new_sample(live, SAMPLE_SLICES, clock_now_ns());
		sample->slices.n = lanes.n_slices;
		sample->slices.list = lanes.slices;
		give(live);
	}
}

/* Reports the file that the runner is making for io workers, once for each size of the file. */
static void say_prepared(struct live *live, struct sample_tick *tick)
{
	tick->to_prepare = atomic_load(&live->run.board->to_prepare);
	tick->prepared = atomic_load(&live->run.board->prepared);
	if (!tick->prepared || tick->to_prepare == live->said_prepared)
		return;
	live->said_prepared = tick->to_prepare;
	add_note(live, SAMPLE_INFO, MESSAGE_OTHER,
		 "before the run, tuibench makes the file that the io workers copy: %s",
		 UNITS_KIB(tick->to_prepare / 1024));
}

static void say_troubles(struct live *live, uint64_t now)
{
	const struct request *request = request_of(live, live->id.case_id);
	int nice = live->precedence.own;
	char text[SAMPLE_TEXT];

	if (request->niced)
		nice = request->nice;
	if (!live->said_pss && live->run.memory.last_error) {
		live->said_pss = true;
		add_note(live, SAMPLE_WARNING, MESSAGE_NO_PSS,
			 "PSS and USS are not known: /proc/PID/smaps_rollup: %s",
			 strerror(live->run.memory.last_error));
	}
	say_unfit(live);
	/* Report a death immediately, so that the user need not wait for the run's end. */
	if (!live->stopping && !live->death[0] && !live_fault_done(&live->run) &&
	    !live->run.struck_ns && live_run_death(&live->run, live->death, sizeof(live->death)))
		say_run(live, SAMPLE_ERROR, live->death);
	if (live_precedence_waits(&live->precedence, "", nice, now, text, sizeof(text)))
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER, "%s", text);
}

/* Reports, once, a CPU whose load stays unknown. */
static void say_uncounted(struct live *live, uint64_t now)
{
	const cpu_set_t usable = live_usable();
	int cpu;

	if (live->said_uncounted)
		return;
	cpu = live_cores_uncounted(&live->cores, &usable, now);
	if (cpu < 0)
		return;
	live->said_uncounted = true;
	add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
		 "the load of CPU %d is not known, because /proc/stat leaves it out; a container "
		 "may replace that file (lxcfs)",
		 cpu);
}

/* Sets the members of a tick that describe the run in progress. */
static void fill_run_tick(struct live *live, struct sample_tick *tick, uint64_t now)
{
	live_run_scan(&live->run, now, false);
	if (!runs_bare(live))
		live_run_memory(&live->run, &tick->memory);
	tick->tasks = (int64_t)live->run.tasks;
	tick->queue = live_run_queue(&live->run);
	tick->children = live->run.memory.children;
	tick->threads = live->run.memory.threads;
	tick->processes = live->run.memory.processes;
	if (live->run.memory.alive >= 0)
		tick->tasks += live->run.memory.alive - (int64_t)live->run.processes;
	tick->n_workers = live->run.n_change;
	tick->workers = live->run.change;
	say_troubles(live, now);
	if (live_fault_stuck(&live->run, now))
		live_run_give_up(&live->run);
	if (live_run_waits_in_vain(&live->run, now))
		live_run_give_up(&live->run);
}

static void say_tick(struct live *live)
{
	uint64_t now = clock_now_ns(), used_us = clock_used_us(RUSAGE_SELF), after_us;
	struct sample_tick *tick = &new_sample(live, SAMPLE_TICK, now)->tick;
	struct sample_core *cores;
	char text[SAMPLE_TEXT];
	int n;

	memset(tick, 0, sizeof(*tick));
	fields_unknown(sample_tick_fields, tick);
	tick->memory = sample_memory_unknown();
	tick->in_run = live->stage == LIVE_RUNNING;
	if (live->stage == LIVE_STARTED || live->stage == LIVE_RUNNING) {
		struct live_throttled throttled = live_run_throttled(&live->run);

		if (!tick->in_run)
			throttled = (struct live_throttled) {.periods = -1, .us = -1};
		tick->throttled_periods = throttled.periods;
		tick->throttled_us = throttled.us;
	}
	tick->terminal_us = live_terminal_used_us(&live->terminal);
	tick->paused = live->paused;
	tick->lost = live->lost;
	live->lost = 0;
	if (live->stage == LIVE_STARTED)
		say_prepared(live, tick);
	if (live_run_halted(&live->run, now, text, sizeof(text)))
		add_note(live, SAMPLE_WARNING, MESSAGE_HALTED, "%s: %s", RUN_NAME(live), text);
	n = live_cores_read(&live->cores, &cores);
	if (n > 0)
		say_uncounted(live, now);
	if (n > 0) {
		tick->n_cores = (uint32_t)n;
		tick->cores = cores;
		if (tick->in_run)
			live_cores_mhz(&live->cores, "", now, cores, n);
	}
	if (tick->in_run)
		fill_run_tick(live, tick, now);
	if (live_run_overwritten(&live->run))
		live_run_give_up(&live->run);
	after_us = clock_used_us(RUSAGE_SELF);
	live->sampling_us += after_us - used_us;
	tick->self_cpu_us = after_us;
	give(live);
}

static void tick_if_due(struct live *live)
{
	if (take_timer(live))
		say_tick(live);
}

/* Reports missing and doubtful values of the ended run. */
static void say_flaws(struct live *live, const struct sample_totals *totals)
{
	const struct live_run *run = &live->run;
	const char *missed = NULL, *output = run->board->request.output_path;
	struct statvfs disk;
	uint64_t lost = (uint64_t)MAX(0, totals->slices_lost);
	uint64_t all = live->sched.ring.events + lost;

	if (!run->overwritten)
		missed = live_count_missed(run->board);
	/* Warn if more than 1 % of the records were lost, because gaps in lanes mislead. */
	if (run->reach != RING_NONE && lost > all / 100)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s: the kernel lost %s of %s records, so the lanes have gaps; use a "
			 "shorter --interval",
			 RUN_NAME(live), UNITS_COUNT((int64_t)lost), UNITS_COUNT((int64_t)all));
	if (missed)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s: some workers lack the processor's counts: %s", RUN_NAME(live),
			 missed);
	/* Check the disk, because some programs do not check whether writing succeeded. */
	if (!live->said_full && *output && statvfs(output, &disk) == 0 && disk.f_bavail == 0) {
		live->said_full = true;
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s: the disk of -s output is full: the program may have written less "
			 "than it wanted",
			 RUN_NAME(live));
	}
	/*
	 * Warn only once, because the next runs would leave processes too. Ignore a run that failed
	 * or was stopped.
	 */
	if (run->orphans.ended == 0 || live->said_left || totals->status != SAMPLE_OK)
		return;
	live->said_left = true;
	if (run->orphans.ended == 1)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s: the program started 1 process that outlived it; tuibench ended it, "
			 "and the CPU time includes that of the process",
			 RUN_NAME(live));
	else
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "%s: the program started %u processes that outlived it; tuibench ended "
			 "them, and the CPU time includes theirs",
			 RUN_NAME(live), run->orphans.ended);
}

/*
 * Chooses the number of trials that fits into the session's time. The warm-up shows how long a
 * trial takes.
 */
static void fit_trials(struct live *live, const struct sample_totals *totals)
{
	struct experiment *experiment = live->experiment;
	const uint32_t warmup = experiment->request.warmup;

	if (live->id.run == 0)
		live->warmup_ns = totals->begin_ns;
	if (warmup == 0 || live->stopping || live->id.run + 1 != warmup * experiment->n_cases)
		return;
	experiment_fit_trials(experiment,
			      (session_time(live, clock_now_ns()) - live->warmup_ns) / warmup);
	if (live->planned > live->next_run)
		live->planned = experiment_runs(experiment);
}

/*
 * Plans watched and plain warm-ups. Their number is a multiple of the number of cases, because
 * warm-ups, like trials, are run in whole rounds. If records were turned off, that is reported at
 * once, and the slowdown after these warm-ups; otherwise both are reported after them.
 */
static void begin_plain(struct live *live, struct sample_watched *watched)
{
	struct experiment *experiment = live->experiment;
	const uint32_t n = experiment->n_cases;
	struct live_plain *plain = &live->plain;

	*plain = (struct live_plain) {.runs = true,
				      .bare = live->sched.source != SCHED_PERF,
				      .reach = live->sched.reach,
				      .pairs = PLAIN_PAIRS,
				      .watched = *watched};
	if (live->rate.elapsed_ns >= PLAIN_LONG_NS)
		plain->pairs = 1;
	live->sched.reach = RING_NONE;
	experiment->plain_case = watched->case_id;
	experiment->plain_rounds = (2 * plain->pairs + n - 1) / n;
	live->planned += experiment->plain_rounds * n;
	if (!plain->bare)
		watched->rate = 0;
}

/* Compares the warm-ups of each pair. */
static void judge_plain(const struct live_plain *plain, struct sample_watched *watched)
{
	double ratios[PLAIN_PAIRS], without[PLAIN_PAIRS];
	uint32_t n = 0, outer;

	for (uint32_t i = 0; i < 2 * plain->pairs; i += 2) {
		const double *pair = &plain->ns[i];
		const bool second = plain_watches(i + 1);

		if (!(pair[0] > 0 && pair[1] > 0))
			continue;
		without[n] = pair[!second];
		ratios[n++] = pair[second] / pair[!second];
	}
	if (n == 0)
		return;
	stats_sort(ratios, n);
	watched->slowdown = stats_median(ratios, n);
	/* Another program may have disturbed a pair, so the range leaves out one at each end. */
	outer = n == PLAIN_PAIRS;
	watched->slowdown_low = ratios[outer];
	watched->slowdown_high = ratios[n - 1 - outer];
	watched->plain_ns = llround(stats_select(without, n, 0.5));
}

static void take_plain(struct live *live, struct sample_run_end *end)
{
	const struct experiment *experiment = live->experiment;
	const struct sample_totals *totals = &end->totals;
	struct live_plain *plain = &live->plain;
	const bool complete = totals->status == SAMPLE_OK && !totals->paused;

	if (plain->n < 2 * plain->pairs)
		plain->ns[plain->n] = complete ? sample_alone_ns(totals) : NAN;
	plain->n++;
	live->sched.reach = plain_watches(plain->n) ? plain->reach : RING_NONE;
	if (plain->n < experiment->plain_rounds * experiment->n_cases)
		return;
	judge_plain(plain, &plain->watched);
	end->watched = plain->watched;
	live->sched.reach = plain->reach;
	plain->runs = false;
}

/*
 * The warm-ups show how often the programs switch. If recording each switch would slow a program
 * down, -s sched=auto turns recording off for the trials. Then measures how much watching them
 * slows the program down, with records (-s sched=perf) or without.
 */
static void choose_sched(struct live *live, struct sample_run_end *end)
{
	const struct request *request = &live->experiment->request;
	const bool last = live->id.run + 1 == request->warmup * live->experiment->n_cases;
	int64_t record_ns;

	if (live->id.trial > 0)
		return;
	if (live->plain.runs)
		take_plain(live, end);
	if (live->plain.n > 0 || live->sched.source != SCHED_PERF)
		return;
	live_rate_take(&live->rate, live->id.case_id, &end->totals);
	if (!last || live->stopping || !live_rate_matters(&live->rate))
		return;
	record_ns = live_record_ns(live->runner, &live->sched);
	live_sched_judge(&live->sched, &live->rate, request->sched == SCHED_AUTO, record_ns,
			 getenv("TUIBENCH_TASKS"), &end->watched);
	end->watched.sched_ns = sched_resolution_ns(live);
	DEBUG(live->debug, "source",
	      "recording a switch takes %lld ns, %.1f %% of the time of configuration %u; slices "
	      "come from %s",
	      (long long)record_ns, 100 * end->watched.share, end->watched.case_id,
	      live_sched_name(&live->sched));
	if (end->watched.share >= SAMPLE_WATCHED_SHARE && live->planned > live->next_run)
		begin_plain(live, &end->watched);
}

/*
 * Checks the printed number. A number in another unit is not compared. The reason for a missing
 * number is reported once.
 */
static void judge_printed(struct live *live, struct sample_totals *totals)
{
	const char *why = live->run.printed_why;
	char text[SAMPLE_TEXT];

	if (totals->printed_reason == REASON_NONE && !*live->printed_unit)
		strcpy(live->printed_unit, totals->printed_unit);
	if (totals->printed_reason == REASON_NONE &&
	    strcmp(live->printed_unit, totals->printed_unit) != 0) {
		totals->printed_reason = REASON_OTHER_UNIT;
		snprintf(
			text, sizeof(text),
			"-s metric=%s: the program printed the unit \"%s\", and before that \"%s\"",
			live->run.metric, totals->printed_unit, live->printed_unit);
		why = text;
	}
	if (!*why || live->said_printed)
		return;
	live->said_printed = true;
	add_note(live, SAMPLE_WARNING, MESSAGE_OTHER, "%s: %s", RUN_NAME(live), why);
}

/* When the run began and ended, and how long the terminal computed meanwhile. */
static void time_run(struct live *live, struct sample *out)
{
	struct sample_totals *totals = &out->end.totals;
	const int64_t terminal_us = live_terminal_used_us(&live->terminal);
	struct timespec day;

	totals->terminal_us = -1;
	if (terminal_us >= 0 && live->terminal_us >= 0)
		totals->terminal_us = terminal_us - live->terminal_us;
	out->time_ns = session_time(live, clock_now_ns());
	totals->begin_ns = out->time_ns;
	if (live->run.begin_ns)
		totals->begin_ns = session_time(live, live->run.begin_ns);
	/* Wall-clock time of the run's start, by the clock's current setting. */
	clock_gettime(CLOCK_REALTIME, &day);
	totals->wall_ns = day.tv_sec * INT64_C(1000000000) + day.tv_nsec -
			  (session_time(live, clock_now_ns()) - totals->begin_ns);
}

/*
 * If another program disturbed or paused a run of the trial, plans all runs of the trial once more,
 * after the last run. A pause that the user made with a key is no reason to do so.
 */
static void repeat_spoiled(struct live *live, struct sample_totals *totals, bool fails_again)
{
	const uint32_t cases = live->experiment->n_cases;

	live->spoiled |= sample_is_crowded(totals, live->machine.clock_ticks) ||
			 (live->run.was_paused && !live->run.user_paused);
	if ((live->id.run + 1) % cases != 0)
		return;
	totals->repeated = live->spoiled && live->id.trial > 0 && live->repeats_left > 0 &&
			   !live->stopping && !fails_again;
	live->spoiled = false;
	if (!totals->repeated)
		return;
	live->repeats_left--;
	live->n_repeated++;
	live->planned += cases;
	DEBUG(live->debug, "source", "trial %u is repeated at the end", live->id.trial);
}

static void say_end(struct live *live)
{
	struct sample *out = new_sample(live, SAMPLE_RUN_END, clock_now_ns());
	struct sample_totals *totals = &out->end.totals;
	const char *colon = "";
	bool fails_again;
	/* Clear the union, because it still holds values of the previous sample's kind. */
	memset(&out->end, 0, sizeof(out->end));
	out->run.planned = live->planned;
	live_run_collect(&live->run, totals);
	fails_again = live->run.board->failure_stage == STAGE_FILE || live->run.endless ||
		      live_run_never_begins(&live->run);
	live_precedence_give(&live->precedence);
	live_others_end(&live->others, &totals->others, &totals->steal);
	live_usage_judge(&live->run, totals);
	time_run(live, out);
	judge_printed(live, totals);
	out->end.n_workers = live->run.n_change;
	out->end.workers = live->run.change;
	out->end.n_buckets = live->run.n_buckets;
	out->end.buckets = live->run.buckets;
	out->end.n_requests = live->run.n_requests;
	out->end.requests = live->run.requests;
	if (live->run.struck_ns)
		say_run(live, SAMPLE_INFO, totals->reason);
	else if (totals->status != SAMPLE_OK && !live->stopping &&
		 strcmp(totals->reason, live->death) != 0)
		say_run(live, SAMPLE_ERROR, totals->reason);
	live->death[0] = '\0';
	/* The next run would fail too, so plan no more. */
	if (fails_again)
		live->planned = live->next_run;
	say_flaws(live, totals);
	if (*totals->reason)
		colon = ": ";
	DEBUG(live->debug, "source", "run %u ends: %s%s%s", live->id.run,
	      sample_status_name((enum sample_status)totals->status), colon, totals->reason);
	DEBUG(live->debug, "source",
	      "run %u: tuibench used %lld us of CPU time, %llu of them to sample", live->id.run,
	      (long long)totals->self_cpu_us, (unsigned long long)live->sampling_us);
	repeat_spoiled(live, totals, fails_again);
	fit_trials(live, totals);
	choose_sched(live, &out->end);
	totals->planned_trials = (int32_t)live->experiment->request.trials;
	advice_take(&live->advice, &live->id, totals);
	live->advised = false;
	live->stage = LIVE_BETWEEN;
	give(live);
	live_run_close(&live->run);
	/*
	 * choose_sched() may have turned the kernel's records off. If so, close the rings, which
	 * would go on recording switches.
	 */
	if (live->sched.reach == RING_NONE)
		live_ring_close(&live->sched.ring);
}

/* The events since the last step. */
struct step_events {
	bool over;    /* The run or hook has ended. */
	bool due;     /* A tick is due. */
	bool looks;   /* It is time to look for tasks. */
	bool created; /* The kernel says that a task was created or has ended. */
	bool cuts;    /* It is time to end the programs. */
};

/* Returns 0 or -errno. */
static int read_events(struct live *live, struct step_events *happened)
{
	const struct live_tasks *tasks = &live->run.command_tasks;
	struct epoll_event events[6];
	bool ticks = false;
	uint64_t held;
	int n = epoll_wait(live->epoll_fd, events, 6, 0);

	*happened = (struct step_events) {.over = false};
	if (n < 0 && errno != EINTR)
		return -errno;
	for (int i = n; i-- > 0;) {
		const int fd = events[i].data.fd;

		happened->over |= fd == live->run.pidfd;
		ticks |= fd == live->timer_fd;
		happened->looks |= fd == live->tasks_fd;
		happened->cuts |= fd == live->cut_fd;
		happened->created |= tasks->by == TASKS_BY_CONNECTOR && fd == tasks->fd;
		/* Read the eventfd; otherwise it would stay readable. */
		if (fd == live->run.hold_fd)
			(void)!read(live->run.hold_fd, &held, sizeof(held));
	}
	/*
	 * Read the timer even if the run has ended, because tuibench itself may have been stopped
	 * until now.
	 */
	happened->due = ticks && take_timer(live);
	/* Checking at ticks is enough, because the runner itself reports how long the run took. */
	if (ticks && live->run.pidfd < 0)
		happened->over |= live_run_ended(&live->run);
	return 0;
}

/*
 * Handles the events of the run or hook since the last call: gives samples of its beginning, its
 * ticks or its end. Returns whether another step may follow immediately.
 */
static bool step_in_run(struct live *live)
{
	struct step_events happened;
	int err = read_events(live, &happened);

	/* If epoll_wait() fails, for example because seccomp denies it, it will fail again. */
	if (err) {
		live->result = err;
		return false;
	}
	if (live->stage == LIVE_HOOK && happened.over) {
		end_hook(live);
		return true;
	}
	/* cut_fd and tasks_fd need no read: setting a timer clears its expirations. */
	if (happened.cuts)
		cut_programs(live);
	if (happened.looks || happened.created) {
		live_tasks_look(&live->run.command_tasks, clock_now_ns());
		watch_tasks(live, happened.created);
	}
	/* Report the run's beginning immediately, with its own time. */
	if (live->stage == LIVE_STARTED && (live_run_begin(&live->run) != 0 || happened.over)) {
		uint64_t begin_ns = live->run.begin_ns;

		if (begin_ns == 0)
			begin_ns = clock_now_ns();
		new_sample(live, SAMPLE_RUN_BEGIN, begin_ns);
		live->stage = LIVE_RUNNING;
		DEBUG(live->debug, "source", "run %u begins", live->id.run);
		give(live);
		return true;
	}
	if (happened.over) {
		say_lanes(live, true);
		timerfd_settime(live->tasks_fd, 0, &(struct itimerspec) {0}, NULL);
		timerfd_settime(live->cut_fd, 0, &(struct itimerspec) {0}, NULL);
		say_unfit(live);
		say_end(live);
		return true;
	}
	if (live_run_holds(&live->run)) {
		say_tick(live);
	} else if (happened.due) {
		/* Report tasks and slices before the tick of the same moment. */
		if (live->stage == LIVE_RUNNING)
			say_lanes(live, false);
		say_tick(live);
	}
	return false;
}

/* The directory of the workers' files, or the file that io workers copy. */
static const char *files_at(const struct experiment *experiment)
{
	if (experiment->request.io_file)
		return experiment->request.io_file;
	return work_file_dir();
}

/* Adds notes about the values that the screen shows as "?" or as inexact, with the reasons. */
static void note_machine(struct live *live)
{
	const struct machine *m = &live->machine;
	const char *source = "as /proc/cpuinfo says", *kind = "";
	double ms = (double)m->tick_ns / 1e6;

	if (strcmp(m->frequency_source, "measured") == 0)
		source = "measured at the beginning";
	if (*m->virtualization)
		kind = "virtual ";
	if (m->mhz < 0)
		add_note(live, SAMPLE_INFO, MESSAGE_OTHER,
			 "the CPU frequency is not known, because this machine does not report it");
	else if (strcmp(m->frequency_source, "cpufreq") != 0)
		add_note(live, SAMPLE_INFO, MESSAGE_OTHER,
			 "the CPU frequency is %lld MHz, %s; this %smachine has no cpufreq, so "
			 "tuibench does not see later changes",
			 (long long)m->mhz, source, kind);
	if (ms > 0)
		add_note(
			live, SAMPLE_INFO, MESSAGE_OTHER,
			"user and system time are ? for tasks that use a core for less than %g ms, "
			"because the kernel samples them every %g ms; CPU time, their sum, is "
			"exact",
			ms * SAMPLE_SPLIT_TICKS, ms);
}

static void measure_machine(struct live *live)
{
	const struct experiment *experiment = live->experiment;
	const char *lines[EXPERIMENT_WARNINGS], *type = live->machine.filesystem;
	const size_t n = experiment_warnings(experiment, lines);
	char environment[SAMPLE_TEXT], warning[SAMPLE_TEXT];
	bool writes = false, niced = false;
	/* The terminal on which we draw, or on which a batch run reports its progress. */
	int terminal_fd = STDERR_FILENO;
	/* Too large for the stack. Only its text is stored. */
	struct topology *topology = malloc(sizeof(*topology));

	if (topology) {
		topology_read("", topology);
		topology_format(topology, live->topology, sizeof(live->topology));
	}
	free(topology);
	machine_filesystem("", files_at(live->experiment), live->machine.filesystem,
			   sizeof(live->machine.filesystem));
	machine_measure(&live->machine);
	if (*live->experiment->promise)
		add_note(live, SAMPLE_INFO, MESSAGE_QUICK, "%s", live->experiment->promise);
	for (size_t i = 0; i < n; i++)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER, "%s", lines[i]);
	note_machine(live);
	live_environ_session(experiment, environment, sizeof(environment));
	for (size_t i = 0; live_environ_warning(&experiment->each[0].request, environment, i,
						warning, sizeof(warning));
	     i++)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER, "%s", warning);
	for (uint32_t i = 0; i < experiment->n_cases; i++)
		niced |= experiment->each[i].request.niced &&
			 experiment->each[i].request.nice != environment_nice();
	if (niced && live_precedence_futile(&live->precedence))
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER, "%s",
			 live_precedence_futile(&live->precedence));
	for (uint32_t i = 0; i < experiment->n_cases; i++)
		writes |= experiment->cases[i].plan.leaves[WORK_IO] > 0 ||
			  experiment->cases[i].plan.leaves[WORK_WRITE] > 0;
	if (writes && (strcmp(type, "tmpfs") == 0 || strcmp(type, "ramfs") == 0))
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "fsync does nothing on %s, where %s is, so file times do not include a "
			 "disk; use TMPDIR=/var/tmp if that is on a disk",
			 type, files_at(experiment));
	if (isatty(STDOUT_FILENO))
		terminal_fd = STDOUT_FILENO;
	live_terminal_open(&live->terminal, "/proc", terminal_fd);
	if (live->terminal.why)
		add_note(live, SAMPLE_INFO, MESSAGE_OTHER,
			 "the CPU time of the program at the other end of the terminal is not "
			 "known: %s",
			 live->terminal.why);
	else if (live->terminal.pid)
		DEBUG(live->debug, "source", "the terminal's other end: %s, %d",
		      live->terminal.name, (int)live->terminal.pid);
}

/*
 * Takes one step of measuring the kernel's memory. The next step waits for the timer, so that keys
 * and signals do not wait.
 */
static void learn_kernel(struct live *live)
{
	const struct live_kernel *kernel = &live->kernel;
	const char *of = "an estimate", *by = "nothing";
	int wait_ms = -1;

	if (!live->stopping) {
		if (!live->learn_ns)
			live->learn_ns = clock_now_ns();
		wait_ms = live_kernel_learn(&live->kernel, live->runner,
					    !live->experiment->request.no_estimate);
	}
	if (wait_ms > 0) {
		const struct itimerspec t = {{0, 0}, {wait_ms / 1000, wait_ms % 1000 * 1000000L}};

		timerfd_settime(live->timer_fd, 0, &t, NULL);
		return;
	}
	if (*kernel->cgroup.parent)
		of = kernel->cgroup.parent;
	if (*kernel->source)
		by = kernel->source;
	if (live->learn_ns)
		DEBUG(live->debug, "source",
		      "kernel memory is read from %s; besides stack and page tables, a thread "
		      "takes %.1f KiB and a process %.1f (%s, measured in %.0f ms)",
		      of, kernel->thread_kb, kernel->process_kb, by,
		      (double)(clock_now_ns() - live->learn_ns) / 1e6);
	if (live->hold && !live->stopping)
		live->stage = LIVE_HOLD;
	else
		live->stage = LIVE_BETWEEN;
	set_timer(live, true);
}

/* Takes the next step between two runs, or after the last: a hook, a run, advice, or the end. */
static bool step_between(struct live *live)
{
	struct advice_line lines[ADVICE_MOST];
	size_t n;

	if (live->next_run < live->planned && live->paused) {
		live_ring_close(&live->sched.ring);
		tick_if_due(live);
		return false;
	}
	if (live->next_run < live->planned) {
		experiment_run(live->experiment, live->next_run, &live->id);
		live->id.planned = live->planned;
		if (start_hook_before(live))
			return false;
	}
	/* A hook that cannot be started ends the session too. */
	if (live->next_run < live->planned) {
		start_run(live);
		return live->stage == LIVE_BETWEEN; /* True: the run could not be started. */
	}
	if (start_hook_after(live))
		return false;
	/* Report advice once after the last planned run, and again after added runs. */
	if (live->advised || live->stopping)
		n = 0;
	else
		n = advice_lines(&live->advice, lines);
	live->advised = true;
	for (size_t i = 0; i < n; i++)
		add_note(live, SAMPLE_INFO, lines[i].kind, "%s", lines[i].text);
	say_notes(live);
	live->stage = LIVE_IDLE;
	live_ring_close(&live->sched.ring);
	set_timer(live, false);
	DEBUG(live->debug, "source", "nothing more is planned");
	new_sample(live, SAMPLE_DONE, clock_now_ns());
	give(live);
	return true;
}

/*
 * Takes the next step. Returns false if there is nothing to do now. A tick and a run's start each
 * end a pump(), so that keys are read in between, even if ticks take longer than their interval.
 */
static bool take_step(struct live *live)
{
	switch (live->stage) {
	case LIVE_OPENED:
		live->stage = LIVE_HELLO;
		return false;
	case LIVE_HELLO:
		measure_machine(live);
		live->stage = LIVE_LEARN;
		say_hello(live);
		return true;
	case LIVE_LEARN:
		learn_kernel(live);
		return false;
	case LIVE_BETWEEN:
		return step_between(live);
	case LIVE_HOOK:
	case LIVE_STARTED:
	case LIVE_RUNNING:
		return step_in_run(live);
	default:
		tick_if_due(live);
		return false;
	}
}

static int live_pump(struct source *source, source_emit *emit, void *arg)
{
	struct live *live = to_live(source);

	live->emit = emit;
	live->arg = arg;
	live->result = 0;
	say_notes(live);
	while (!live->result && take_step(live))
		say_notes(live);
	say_notes(live);
	return live->result;
}

static int live_fd(struct source *source)
{
	struct live *live = to_live(source);

	live->asleep_ns = clock_now_ns();
	return live->epoll_fd;
}

/* Whether a runner exists, including that of a hook. */
static bool has_runner(const struct live *live)
{
	return live->stage == LIVE_HOOK || live->stage == LIVE_STARTED ||
	       live->stage == LIVE_RUNNING;
}

static int live_control(struct source *source, enum source_command command)
{
	static const char *const names[] = {[SOURCE_START] = "start",
					    [SOURCE_PAUSE] = "pause or go on",
					    [SOURCE_ONE_MORE] = "one more trial",
					    [SOURCE_ENOUGH] = "enough",
					    [SOURCE_STOP] = "stop"};
	struct live *live = to_live(source);
	const struct request *request = &live->experiment->request;
	const uint32_t cases = live->experiment->n_cases;
	const uint32_t runs = (live->next_run + cases - 1) / cases * cases;

	DEBUG(live->debug, "source", "told: %s", names[command]);
	switch (command) {
	case SOURCE_START:
		live->hold = false;
		if (live->stage == LIVE_HOLD)
			live->stage = LIVE_BETWEEN;
		break;
	case SOURCE_PAUSE:
		live->paused = !live->paused;
		if (has_runner(live) && live->run.pid && live->run.paused != live->paused) {
			if (live->paused)
				kill(-live->run.pid, SIGSTOP);
			else
				kill(-live->run.pid, SIGCONT);
			live->run.paused = live->paused;
			live->run.was_paused = live->run.user_paused = true;
		}
		break;
	case SOURCE_ENOUGH:
		if (!request->until_decided || live->prolonged || runs >= live->planned)
			break;
		live->planned = runs;
		add_note(live, SAMPLE_INFO, MESSAGE_QUICK,
			 "Stopped after %u of %u trials, because more would not change the answer. "
			 "--trials %u runs them all.",
			 runs / cases - experiment_warmups(live->experiment) - live->n_repeated,
			 request->trials, request->trials);
		break;
	case SOURCE_ONE_MORE:
		live->prolonged = true;
		live->planned += cases;
		if (live->stage == LIVE_IDLE)
			live->stage = LIVE_BETWEEN;
		break;
	case SOURCE_STOP:
		live->stopping = true;
		live->planned = live->next_run;
		if (has_runner(live) && live->hook != HOOK_CLEANUP)
			live_run_kill(&live->run);
		else if (live->stage == LIVE_HOLD)
			live->stage = LIVE_BETWEEN;
		break;
	}
	if (live->stage != LIVE_IDLE)
		set_timer(live, true);
	return 0;
}

static int live_crash(struct source *source, uint32_t worker)
{
	struct live *live = to_live(source);

	DEBUG(live->debug, "source", "told: crash worker %u", worker);
	if (live->stage == LIVE_RUNNING)
		return live_fault_strike(&live->run, worker);
	return -ESRCH;
}

static void live_close(struct source *source)
{
	struct live *live = to_live(source);

	live_run_close(&live->run);
	live_ring_close(&live->sched.ring);
	live_precedence_give(&live->precedence);
	live_cores_close(&live->cores);
	live_kernel_close(&live->kernel);
	live_cgroup_close(&live->cpus);
	live_count_close(&live->count);
	if (live->io_file.name[0])
		unlink(live->io_file.name);
	live_close_fd(&live->io_file.fd);
	live_close_fd(&live->schedstat_fd);
	live_close_fd(&live->timer_fd);
	live_close_fd(&live->tasks_fd);
	live_close_fd(&live->cut_fd);
	live_close_fd(&live->epoll_fd);
	free(live->advice.seen);
	free(live);
}

static const char *live_waits_for(struct source *source)
{
	struct live *live = (struct live *)source;
	const struct experiment *experiment = live->experiment;
	const uint64_t ns = clock_now_ns() - live->hook_ns;
	char name[SAMPLE_NAME];

	if (live->stage != LIVE_HOOK || ns < HOOK_LONG_NS)
		return NULL;
	snprintf(live->waits_for, sizeof(live->waits_for), "%s of %s runs, %.0f s so far: %s",
		 live_hook_name(live->hook),
		 sample_case_name(experiment->cases, experiment->n_cases, live->hook_case, name,
				  sizeof(name)),
		 (double)ns / 1e9,
		 live_hook_command(request_of(live, live->hook_case), live->hook));
	return live->waits_for;
}

static const struct source_ops live_ops = {
	.fd = live_fd,
	.pump = live_pump,
	.control = live_control,
	.crash = live_crash,
	.waits_for = live_waits_for,
	.close = live_close,
};

/*
 * Makes a cgroup with a quota and removes it again. This shows, before anything runs, whether the
 * kernel refuses the quota.
 */
static int open_quota(struct live *live, char *error, size_t size)
{
	uint32_t most = 0;
	char text[EXPERIMENT_QUOTA], outer[EXPERIMENT_QUOTA];
	double limit = live->machine.cpu_quota;
	const char *before = "", *why = "tuibench is not allowed to write to its cgroups";
	const char *user = "--user ";
	struct live_charge none = {.v2 = false};
	struct live_quota quota;
	int err;

	for (uint32_t i = 0; i < live->experiment->n_cases; i++)
		most = MAX(most, live->experiment->each[i].request.quota);
	if (most == 0)
		return 0;
	experiment_quota(most, text);
	if (limit >= 0 && most > 1000 * limit)
		return error_line(error, size, -EAGAIN,
				  "-s quota=%s is more than the %s CPUs of this program's cgroup; "
				  "use at most that",
				  text, experiment_quota((uint32_t)(1000 * limit), outer));
	live_cgroup_open(&live->cpus, "", "cpu");
	err = live_quota_open(&quota, &live->cpus, &none, most);
	live_quota_close(&quota);
	if (err == 0)
		return 0;
	if (*live->cpus.parent) {
		before = " in ";
		why = strerror(-err);
	}
	if (geteuid() == 0)
		user = "";
	return error_line(
		error, size, -EAGAIN,
		"-s quota=%s: needs a cgroup of its own with the cpu controller, and "
		"none can be made%s%s (%s): start tuibench with \"systemd-run %s--scope -p "
		"Delegate=yes\", or a container with a limit (docker run --cpus %s)",
		text, before, live->cpus.parent, why, user, text);
}

static int prepare_session(struct live *live, char *error, size_t size)
{
	const char *repeats = getenv("TUIBENCH_REPEATS"), *kernel = getenv("TUIBENCH_KERNEL");
	const char *counters = getenv("TUIBENCH_COUNTERS"), *tasks = getenv("TUIBENCH_TASKS");
	uint64_t most = SAMPLE_REPEATS_MOST;
	int err = live_program_runner(live->runner, error, size);

	for (uint32_t i = 0; i < live->experiment->n_cases; i++) {
		if (err != 0 || *live->program)
			break;
		if (plan_runs_program(&live->experiment->cases[i].plan))
			err = live_program_child(live->runner, live->program, error, size);
	}
	if (tasks && !live_tasks_is_name(tasks))
		return error_line(
			error, size, -EINVAL,
			"TUIBENCH_TASKS=%s: must be perf, connector or polling, for tests", tasks);
	if (err == 0)
		err = live_sched_choose(live->experiment, tasks, &live->sched, error, size);
	if (err < 0)
		return err;
	err = live_kernel_wish(&live->kernel, kernel);
	if (err < 0)
		return error_line(error, size, -EINVAL,
				  "TUIBENCH_KERNEL=%s: must be whole, estimate or tables", kernel);
	err = live_count_choose(live->experiment, counters, &live->count);
	if (err < 0)
		return error_line(error, size, -EINVAL,
				  "TUIBENCH_COUNTERS=%s: must be software or off, for tests",
				  counters);
	if (repeats && units_parse_count(repeats, SAMPLE_REPEATS_MOST, &most))
		return error_line(error, size, -EINVAL,
				  "TUIBENCH_REPEATS=%s: use a number from 0 to %d", repeats,
				  SAMPLE_REPEATS_MOST);
	/*
	 * Repeat at most as many trials as were planned, so that a session takes at most twice its
	 * time.
	 */
	live->repeats_left = (uint32_t)MIN(most, live->experiment->request.trials);
	live->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	live->tasks_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	live->cut_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	live->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (live->timer_fd < 0 || live->tasks_fd < 0 || live->cut_fd < 0 || live->epoll_fd < 0 ||
	    watch_fd(live, live->timer_fd) < 0 || watch_fd(live, live->tasks_fd) < 0 ||
	    watch_fd(live, live->cut_fd) < 0)
		return error_line(error, size, -errno, "cannot set a timer: %s", strerror(errno));
	live_precedence_find(&live->precedence, "");
	err = live_cores_open(&live->cores, "/proc");
	if (err < 0)
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "the load of the cores is not known: /proc/stat: %s", strerror(-err));
	if (live_memory_is_foreign("/proc"))
		add_note(live, SAMPLE_WARNING, MESSAGE_OTHER,
			 "memory cannot be read, because /proc belongs to another PID namespace; "
			 "mount the right one, as unshare --mount-proc does");
	return 0;
}

static int start_timer(struct live *live, char *error, size_t size)
{
	int err = set_timer(live, true);

	if (err)
		return error_line(error, size, err, "cannot set a timer: %s", strerror(-err));
	return 0;
}

struct source *source_live_open(struct experiment *experiment, struct debug *debug, char *error,
				size_t size)
{
	struct live *live = calloc(1, sizeof(*live));
	int err;

	if (!live) {
		snprintf(error, size, "out of memory");
		return NULL;
	}
	live->source.ops = &live_ops;
	live->experiment = experiment;
	live->debug = debug;
	live->epoll_fd = live->timer_fd = live->tasks_fd = live->cut_fd = -1;
	live->schedstat_fd = live_standstill_open();
	live->io_file.fd = -1;
	live->cores.stat.fd = -1;
	live->others.cores = &live->cores;
	live->planned = experiment_runs(experiment);
	live->hold = experiment->request.hold;
	live->advice.cases = experiment->cases;
	live->advice.n_cases = experiment->n_cases;
	live->marked = work_tick_marked();
	live->start_ns = clock_now_ns();
	clock_gettime(CLOCK_REALTIME, &live->wall);
	live->usable = live_usable();
	machine_read("", &live->machine);
	err = prepare_session(live, error, size);
	if (!err)
		err = open_quota(live, error, size);
	/* Make the descriptor readable immediately, because the session itself can be reported. */
	if (!err)
		err = start_timer(live, error, size);
	if (err < 0) {
		live_close(&live->source);
		errno = -err;
		return NULL;
	}
	live->cpus.limited = live->machine.cpu_quota >= 0;
	return &live->source;
}
