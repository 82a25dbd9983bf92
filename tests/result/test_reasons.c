/* SPDX-License-Identifier: MIT */
#include "core/reason.h"

#include "stage/check.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/model.h"
#include "result/differs.h"
#include "result/report.h"
#include "result/task.h"
#include "source/live_run.h"
#include "stage/folder.h"
#include "stage/programs.h"
#include "stage/synthetic.h"
#include "view/view_rows.h"
#include "view/views.h"

/*
 * Each reason has exactly one cause: a row here makes that cause and nothing else, and the program
 * must give that reason and no other. A reason without a row fails.
 */

/* Makes a session that has all values: eight trials of two models. */
static void make_session(struct model *model, bool commands)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	synthetic_model(&session, model);
	for (uint32_t i = 0; i < model->n_cases && commands; i++)
		model->cases[i].plan = (struct plan) {.levels = 1,
						      .fanout = {1},
						      .leaves = {[WORK_PROGRAM] = 1},
						      .barrier = true};
	if (commands)
		snprintf(model->session.tasks_by, SAMPLE_LABEL, SAMPLE_TASKS_CONNECTOR);
	for (size_t i = 0; i < model->n_runs; i++) {
		model->runs[i].totals.tasks_created = commands ? 5 : -1;
		model->runs[i].totals.tasks_lost = commands ? 0 : -1;
	}
}

/* Returns why the second case is not compared with the first. */
static enum reason compared(struct model *model, enum model_metric metric)
{
	struct answer answer;
	enum reason why;

	synthetic_changed(model);
	assert_int_equal(answer_read_metric(&answer, model, metric), 0);
	assert_true(answer.n_rows > 1);
	assert_int_equal(answer.rows[1].cells[0].state, ANSWER_WITHHELD);
	why = answer.rows[1].cells[0].why;
	answer_free(&answer);
	model_free(model);
	return why;
}

/* Returns why a view has no PSS of the first run. */
static enum reason viewed(struct model *model)
{
	struct model_run *run = &model->runs[0];
	enum reason why;

	run->totals.memory.pss_kb = run->totals.memory.uss_kb = -1;
	why = view_memory_unknown(model, run, METRIC_PSS);
	model_free(model);
	return why;
}

static struct live_kernel kernel;

static void write_task(const char *root, const char *name, const char *text)
{
	char path[FOLDER_PATH];

	folder_write(folder_at(path, root, name), text);
}

#define STATUS "State:\tS (sleeping)\nVmRSS:\t900 kB\nVmPTE:\t40 kB\nThreads:\t1\n"

/* Writes a runner, PID 10, with a program, PID 20, that has `children` children. */
static void write_proc(const char *root, int children)
{
	char path[FOLDER_PATH], list[4096] = "", name[64];
	size_t used = 0;

	write_task(root, "thread-self/children", "");
	write_task(root, "10/exe", "runner");
	write_task(root, "10/status", STATUS);
	write_task(root, "10/task/10/children", "20 ");
	write_task(root, "20/exe", "program");
	write_task(root, "20/status", STATUS);
	for (int i = 0; i < children; i++) {
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%d ", 1000 + i);
		snprintf(name, sizeof(name), "%d/status", 1000 + i);
		write_task(root, name, STATUS);
	}
	write_task(root, "20/task/20/children", list);
	snprintf(path, sizeof(path), "%d", getpid());
	assert_int_equal(symlink(path, folder_at((char[FOLDER_PATH]) {0}, root, "self")), 0);
}

/* Returns what a reading of these files finds. The last reading has `children` children. */
static enum reason read_proc(const char *root, int32_t children)
{
	struct sample_totals totals = {.children = children, .processes = -1};
	struct live_run *run = calloc(1, sizeof(*run));
	enum reason why;

	assert_non_null(run);
	if (live_memory_open(&run->memory, root, 10, &kernel, true) == 0)
		live_memory_find(&run->memory, NULL, 0);
	why = live_memory_reason(run, &totals);
	live_memory_close(&run->memory);
	free(run);
	return why;
}

static enum reason make_short_children(const char *root)
{
	write_proc(root, 0);
	return read_proc(root, 2);
}

static enum reason make_many_processes(const char *root)
{
	write_proc(root, LIVE_TREE_MOST + 1);
	return read_proc(root, LIVE_TREE_MOST + 1);
}

static enum reason make_unlisted(const char *root)
{
	char path[FOLDER_PATH];

	write_proc(root, 0);
	assert_int_equal(unlink(folder_at(path, root, "thread-self/children")), 0);
	return read_proc(root, 2);
}

/* Makes a symbolic link to itself: the task exists, but none of its files can be opened. */
static void hide_task(const char *root, const char *name)
{
	char path[FOLDER_PATH];

	folder_at(path, root, name);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(path, path), 0);
}

static enum reason make_proc_failed(const char *root)
{
	struct live_memory memory;
	char child[FOLDER_PATH];

	write_proc(root, 1);
	hide_task(root, "10/status");
	assert_int_equal(read_proc(root, 1), REASON_PROC_FAILED);
	/* If only a child's is hidden, a part of the sum is missing. */
	folder_remove(root);
	assert_int_equal(mkdir(root, 0700), 0);
	write_proc(root, 1);
	hide_task(root, "1000/status");
	assert_int_equal(live_memory_open(&memory, root, 10, &kernel, true), 0);
	live_memory_find(&memory, NULL, 0);
	assert_true(memory.partial);
	assert_int_equal(memory.reason, REASON_PROC_FAILED);
	live_memory_close(&memory);
	/* If a thread's list cannot be opened, its children are unknown too. */
	assert_int_equal(unlink(folder_at(child, root, "1000/status")), 0);
	hide_task(root, "20/task/20/children");
	return read_proc(root, 1);
}

static enum reason make_other_proc(const char *root)
{
	char path[FOLDER_PATH];

	write_proc(root, 0);
	assert_int_equal(unlink(folder_at(path, root, "self")), 0);
	assert_int_equal(symlink("1", path), 0);
	return read_proc(root, 0);
}

static enum reason make_smaps_denied(const char *root)
{
	struct sample_totals totals = {.children = 0, .processes = 1};
	struct live_run *run = calloc(1, sizeof(*run));
	enum reason why;

	assert_non_null(run);
	run->memory.tree = run->memory.has_runner = true;
	run->memory.last_error = EACCES;
	why = live_memory_reason(run, &totals);
	free(run);
	return why;
}

/*
 * Returns the totals of tasks that used 3 s, of which their parents report 1 s. steal: what the
 * host stole, in 0.1 %. cpu_stat: the cgroup's counts, which include the runner; NULL: there is no
 * cgroup.
 */
static struct sample_totals judge_cgroup(bool ignores, enum tasks_by by, int16_t steal,
					 const char *cpu_stat, uint64_t starter_us)
{
	const size_t size = SCOREBOARD_PAGE * (2 + sizeof(struct scoreboard) / SCOREBOARD_PAGE);
	struct live_task task = {.cpu_ns = 3000000000, .run_ns = -1};
	struct sample_totals totals = {
		.children = 1, .user_us = 1000000, .steal = steal, .elapsed_ns = 2000000000};
	struct live_run *run = calloc(1, sizeof(*run));

	assert_non_null(run);
	run->board = aligned_alloc(SCOREBOARD_PAGE, size);
	assert_non_null(run->board);
	memset(run->board, 0, size);
	run->board->totals.starter.user_us = starter_us;
	run->memory.tree = true;
	run->memory.ignores_children = ignores;
	run->command_tasks.by = by;
	run->command_tasks.list = &task;
	run->command_tasks.n = 1;
	if (cpu_stat) {
		run->board->joined = 1;
		run->charge.flush_fd = memfd_create("cpu.stat", MFD_CLOEXEC);
		assert_int_equal(write(run->charge.flush_fd, cpu_stat, strlen(cpu_stat)),
				 strlen(cpu_stat));
	}
	live_usage_judge(run, &totals);
	if (cpu_stat)
		close(run->charge.flush_fd);
	free(run->board);
	free(run);
	return totals;
}

static struct sample_totals judge(bool ignores, enum tasks_by by, int16_t steal)
{
	return judge_cgroup(ignores, by, steal, NULL, 0);
}

static enum reason make_sigchld(const char *root)
{
	return (enum reason)judge(true, TASKS_BY_CONNECTOR, 0).usage_reason;
}

static enum reason make_unreported(const char *root)
{
	return (enum reason)judge(false, TASKS_BY_CONNECTOR, 0).usage_reason;
}

static enum reason make_not_known(const char *root)
{
	struct answer answer;
	struct model model;
	enum reason why;

	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.user_us = -1;
	synthetic_changed(&model);
	assert_int_equal(answer_read_metric(&answer, &model, METRIC_CPU), 0);
	assert_int_equal(answer.rows[0].cells[0].state, ANSWER_WITHHELD);
	why = answer.rows[0].cells[0].why;
	answer_free(&answer);
	model_free(&model);
	return why;
}

static enum reason make_short_run(const char *root)
{
	struct model model;

	make_session(&model, false);
	return viewed(&model);
}

static enum reason make_creating(const char *root)
{
	struct model model;

	make_session(&model, false);
	model.cases[model.runs[0].id.case_id].plan.barrier = false;
	return viewed(&model);
}

static enum reason make_not_followed(const char *root)
{
	struct model model;

	make_session(&model, true);
	*model.session.tasks_by = '\0';
	model.runs[0].children = 2;
	model.runs[0].processes = -1;
	return viewed(&model);
}

static void lose_tasks(struct model *model)
{
	make_session(model, true);
	for (size_t i = 0; i < model->n_runs; i++)
		model->runs[i].totals.tasks_lost = -1;
}

static enum reason make_polled(const char *root)
{
	struct model model;

	lose_tasks(&model);
	snprintf(model.session.tasks_by, SAMPLE_LABEL, SAMPLE_TASKS_POLLING);
	return compared(&model, METRIC_TASKS_CREATED);
}

static enum reason make_messages_lost(const char *root)
{
	struct model model;

	lose_tasks(&model);
	return compared(&model, METRIC_TASKS_CREATED);
}

/* Adds two slices of one task, with a wait for that reason between them. */
static void fill_waits(struct programs_run *run, const void *arg)
{
	const int *waited = arg;
	uint32_t task = programs_task(run, -1, false, "a", 1000, 100000);

	run->elapsed_ns = 101000;
	if (!waited)
		return;
	programs_slice(run, task, 2000, 3000, WHY_BLOCKED, 0);
	programs_slice(run, task, 50000, 99000, WHY_ENDED, *waited);
}

/* Returns why not everything is known about the first run's only task. */
static enum reason of_task(struct programs programs, const int *waited)
{
	struct model model;
	struct task task;

	programs.trials = 1;
	programs.fill = fill_waits;
	programs.arg = waited;
	programs_model(&programs, &model);
	assert_true(task_read(&model, &model.runs[0], 1, &task));
	model_free(&model);
	return task.reason;
}

static enum reason make_sched_off(const char *root)
{
	return of_task((struct programs) {.sched = "off"}, NULL);
}

static enum reason make_short_task(const char *root)
{
	return of_task((struct programs) {.tasks_by = "connector"}, NULL);
}

static enum reason make_slices_lost(const char *root)
{
	return of_task((struct programs) {.slices_lost = 3}, (const int[]) {WAIT_PIPE});
}

static enum reason make_short_waits(const char *root)
{
	return of_task((struct programs) {0}, (const int[]) {0});
}

static enum reason make_own_waits(const char *root)
{
	struct synthetic session;
	struct model model;
	struct task task;

	synthetic_mixed(&session, 1);
	session.slices = true;
	synthetic_model(&session, &model);
	assert_true(task_read(&model, &model.runs[0], 7, &task));
	model_free(&model);
	return task.reason;
}

/* Returns why the difference between two programs is unknown. */
static enum reason make_sampled_states(const char *root)
{
	const struct programs programs = {.trials = 1, .tasks_by = "connector", .fill = fill_waits};
	struct differs differs;
	struct model model;

	programs_model(&programs, &model);
	assert_true(differs_read(&model, 0, 1, &differs));
	model_free(&model);
	return differs.reason;
}

static enum reason make_no_fault(const char *root)
{
	struct model model;

	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.fault = model.runs[i].id.case_id == 0 ? 1 : 0;
		model.runs[i].totals.survived = 3;
	}
	model.saw_fault = true;
	return compared(&model, METRIC_SURVIVED);
}

/* The fault of a thread ends the process that created it. */
static enum reason make_parent_ended(const char *root)
{
	struct model model;
	struct answer answer = {0};
	enum reason why = REASON_NONE;

	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.fault = FAULT_SEGV;
		model.runs[i].totals.survived = 0;
		model.runs[i].totals.noticed_ns = model.runs[i].id.case_id == 0 ? -1 : 100;
	}
	model.saw_fault = true;
	assert_int_equal(answer_read(&answer, &model), 0);
	for (uint32_t i = 0; i < answer.n_metrics; i++)
		if (answer.metrics[i] == METRIC_NOTICED) {
			why = answer.rows[0].cells[i].why;
			assert_int_equal(answer.rows[1].cells[i].why, REASON_NONE);
		}
	answer_free(&answer);
	model_free(&model);
	return why;
}

/* Makes two recordings of the same models. */
static enum reason make_apart(const char *root)
{
	struct model_comparison apart;
	struct model parts[2], joined;
	enum reason why;

	for (int i = 0; i < 2; i++)
		make_session(&parts[i], false);
	strcpy(parts[0].session.machine.host, "desktop");
	strcpy(parts[1].session.machine.host, "laptop");
	assert_int_equal(model_join(parts, &joined), 0);
	model_seek(&joined, joined.newest_ns);
	assert_int_equal(model_compare(&joined, 0, parts[0].n_cases, METRIC_ELAPSED, &apart), 0);
	why = report_reason(&joined, &apart);
	model_free(&joined);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
	return why;
}

static enum reason make_not_together(const char *root)
{
	struct model model;

	make_session(&model, false);
	for (uint32_t i = 0; i < model.n_cases; i++)
		model.cases[i].plan = (struct plan) {
			.levels = 1, .fanout = {8}, .leaves = {[WORK_SHARE] = 8}, .barrier = true};
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].shares_steps = true;
		model.runs[i].together = 0.5;
		model.runs[i].totals.steps = 100;
		model.runs[i].totals.steps_ns = model.runs[i].totals.steps_span_ns = 1000;
	}
	return compared(&model, METRIC_STEP);
}

static enum reason make_zero(const char *root)
{
	struct model model;

	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].totals.user_us = model.runs[i].totals.system_us = 0;
	return compared(&model, METRIC_CPU);
}

static enum reason make_few_trials(const char *root)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &model);
	return compared(&model, METRIC_ELAPSED);
}

static enum reason make_failed_pairs(const char *root)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 12);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.trial > 5 && model.runs[i].id.case_id == 1)
			model.runs[i].totals.status = SAMPLE_FAILED;
	synthetic_changed(&model);
	return compared(&model, METRIC_ELAPSED);
}

static enum reason make_no_pair(const char *root)
{
	struct model model;

	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.trial % 2 == model.runs[i].id.case_id % 2)
			model.runs[i].totals.user_us = -1;
	return compared(&model, METRIC_CPU);
}

static void set_seen(struct model *model, uint32_t case_id, int16_t seen)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.case_id == case_id)
			model->runs[i].totals.memory.pss_seen = seen;
}

static enum reason make_unlike(const char *root)
{
	struct model model;

	make_session(&model, false);
	set_seen(&model, 0, SEEN_PEAK);
	set_seen(&model, 1, SEEN_SAMPLED);
	return compared(&model, METRIC_PSS);
}

static enum reason make_bounds(const char *root)
{
	struct model model;

	make_session(&model, false);
	set_seen(&model, 0, SEEN_LEAST);
	set_seen(&model, 1, SEEN_LEAST);
	return compared(&model, METRIC_PSS);
}

static enum reason make_left(const char *root)
{
	struct model model;

	make_session(&model, true);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.left_running = model.runs[i].id.case_id == 1 ? 2 : 0;
	model.saw_left = true;
	return compared(&model, METRIC_ELAPSED);
}

static enum reason make_cut(const char *root)
{
	struct model model;

	make_session(&model, true);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.cut_ns = 1000000000;
	return compared(&model, METRIC_ELAPSED);
}

/* As if the source had read a program's output: see test_hooks.py. */
static enum reason printed_of_one(enum reason reason)
{
	struct model model;

	make_session(&model, true);
	strcpy(model.session.metric, "requests");
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.printed_reason =
			(int16_t)(model.runs[i].id.case_id == 1 ? reason : REASON_NONE);
	return compared(&model, METRIC_PRINTED);
}

static enum reason make_no_line(const char *root)
{
	return printed_of_one(REASON_NO_LINE);
}

static enum reason make_no_number(const char *root)
{
	return printed_of_one(REASON_NO_NUMBER);
}

static enum reason make_other_unit(const char *root)
{
	return printed_of_one(REASON_OTHER_UNIT);
}

/* How much longer the second program computes, waits, and takes to start, in each trial. */
struct longer {
	int64_t cpu_ns, wait_ns, start_ns;
};

static void fill_longer(struct programs_run *run, const void *arg)
{
	static const int waits[] = {WAIT_GIL, WAIT_FILE, WAIT_PIPE, WAIT_SOCKET, WAIT_SLEEP};
	const struct longer *longer = arg;
	const bool second = run->id.case_id == 1;
	const int64_t noise_ns = (int64_t)(run->id.trial * 7919 % 1000) * 1000;
	const int64_t cpu_ns = 10000000 + noise_ns + (second ? longer->cpu_ns : 0);
	const int64_t wait_ns = 1000000 + (second ? longer->wait_ns : 0);
	int64_t at_ns = 1000 + (second ? longer->start_ns : 0);
	uint32_t task = programs_task(run, -1, false, "a", at_ns, at_ns + 6 * cpu_ns + 5 * wait_ns);

	for (int i = 0; i <= 5; i++) {
		programs_slice(run, task, at_ns, at_ns + cpu_ns, i < 5 ? WHY_BLOCKED : WHY_ENDED,
			       i > 0 ? waits[i - 1] : 0);
		at_ns += cpu_ns + wait_ns;
	}
	run->elapsed_ns = at_ns - wait_ns + 1000;
}

static enum reason of_difference(const struct longer *longer)
{
	const struct programs programs = {.trials = 12, .fill = fill_longer, .arg = longer};
	struct differs differs;
	struct model model;

	programs_model(&programs, &model);
	assert_true(differs_read(&model, 0, 1, &differs));
	model_free(&model);
	return differs.reason;
}

static enum reason make_not_real(const char *root)
{
	return of_difference(&(struct longer) {0, 0, 0});
}

static enum reason make_scattered(const char *root)
{
	assert_int_equal(of_difference(&(struct longer) {3000000, 0, 0}), REASON_NONE);
	/* All waits together are a part. */
	assert_int_equal(of_difference(&(struct longer) {600000, 3600000, 0}), REASON_NONE);
	return of_difference(&(struct longer) {600000, 600000, 20000000});
}

static enum reason (*const makes[REASONS])(const char *root) = {
	[REASON_SHORT_CHILDREN] = make_short_children,
	[REASON_MANY_PROCESSES] = make_many_processes,
	[REASON_UNLISTED] = make_unlisted,
	[REASON_OTHER_PROC] = make_other_proc,
	[REASON_SMAPS_DENIED] = make_smaps_denied,
	[REASON_SIGCHLD] = make_sigchld,
	[REASON_UNREPORTED] = make_unreported,
	[REASON_PROC_FAILED] = make_proc_failed,
	[REASON_NOT_KNOWN] = make_not_known,
	[REASON_SHORT_RUN] = make_short_run,
	[REASON_CREATING] = make_creating,
	[REASON_NOT_FOLLOWED] = make_not_followed,
	[REASON_POLLED] = make_polled,
	[REASON_MESSAGES_LOST] = make_messages_lost,
	[REASON_SCHED_OFF] = make_sched_off,
	[REASON_SHORT_TASK] = make_short_task,
	[REASON_SLICES_LOST] = make_slices_lost,
	[REASON_SHORT_WAITS] = make_short_waits,
	[REASON_OWN_WAITS] = make_own_waits,
	[REASON_SAMPLED_STATES] = make_sampled_states,
	[REASON_PARENT_ENDED] = make_parent_ended,
	[REASON_NO_FAULT] = make_no_fault,
	[REASON_APART] = make_apart,
	[REASON_NOT_TOGETHER] = make_not_together,
	[REASON_ZERO] = make_zero,
	[REASON_FEW_TRIALS] = make_few_trials,
	[REASON_FAILED_PAIRS] = make_failed_pairs,
	[REASON_NO_PAIR] = make_no_pair,
	[REASON_UNLIKE] = make_unlike,
	[REASON_BOUNDS] = make_bounds,
	[REASON_LEFT] = make_left,
	[REASON_CUT] = make_cut,
	[REASON_NOT_REAL] = make_not_real,
	[REASON_SCATTERED] = make_scattered,
	[REASON_NO_LINE] = make_no_line,
	[REASON_NO_NUMBER] = make_no_number,
	[REASON_OTHER_UNIT] = make_other_unit,
};

static void each_reason_is_reached_by_just_its_cause(void **state)
{
	for (int reason = REASON_NONE + 1; reason < REASONS; reason++) {
		char root[FOLDER_PATH];
		enum reason found;

		if (!makes[reason])
			fail_msg("no test makes: %s", reason_name(reason));
		folder_make(root);
		found = makes[reason](root);
		folder_remove(root);
		if (found != (enum reason)reason)
			fail_msg("%s: the program says: %s", reason_name(reason),
				 found ? reason_name(found) : "nothing");
	}
}

static void no_two_reasons_have_the_same_words(void **state)
{
	for (int i = REASON_NONE + 1; i < REASONS; i++) {
		assert_non_null(reason_name(i));
		assert_string_not_equal(reason_sentence((enum reason)i), "");
		for (int k = REASON_NONE + 1; k < i; k++) {
			assert_string_not_equal(reason_name(i), reason_name(k));
			assert_string_not_equal(reason_sentence((enum reason)i),
						reason_sentence((enum reason)k));
		}
	}
	assert_null(reason_name(-1));
	assert_null(reason_name(REASON_NONE));
	assert_null(reason_name(REASONS));
}

/* The kernel's records include stolen time in the tasks' times, but no usage includes it. */
static void what_the_host_stole_is_no_ignored_SIGCHLD(void **state)
{
	assert_int_equal(judge(false, TASKS_BY_PERF, 999).usage_reason, REASON_NONE);
	assert_int_equal(judge(false, TASKS_BY_PERF, 999).user_us, 1000000);
	/* Without a known amount, no reason is given either. */
	assert_int_equal(judge(false, TASKS_BY_PERF, -1).usage_reason, REASON_NONE);
	assert_int_equal(judge(true, TASKS_BY_PERF, 0).usage_reason, REASON_SIGCHLD);
	assert_int_equal(judge(true, TASKS_BY_PERF, 0).user_us, -1);
}

/* The runner, which starts and reaps the programs, is in the same cgroup. */
static void time_of_a_cgroup_is_that_of_the_programs_alone(void **state)
{
	struct sample_totals totals = judge_cgroup(false, TASKS_BY_CONNECTOR, 0,
						   "user_usec 1100000\nsystem_usec 0\n", 95000);

	assert_int_equal(totals.user_us, -1); /* unknown, because its tasks report 3 s */
	totals = judge_cgroup(false, TASKS_BY_CONNECTOR, 0,
			      "user_usec 3100000\nsystem_usec 50000\n", 95000);
	assert_int_equal(totals.user_us, 3005000);
	assert_int_equal(totals.system_us, 50000);
}

/* Each of two recordings lost no message of the kernel, and did not poll. */
static void tasks_of_two_recordings_are_not_called_lost(void **state)
{
	struct model_comparison apart;
	struct model parts[2], joined;

	for (int i = 0; i < 2; i++)
		make_session(&parts[i], true);
	strcpy(parts[0].session.machine.host, "desktop");
	strcpy(parts[1].session.machine.host, "laptop");
	assert_int_equal(model_join(parts, &joined), 0);
	model_seek(&joined, joined.newest_ns);
	assert_int_equal(model_compare(&joined, 0, parts[0].n_cases, METRIC_TASKS_CREATED, &apart),
			 0);
	assert_int_equal(report_reason(&joined, &apart), REASON_APART);
	model_free(&joined);
	for (int i = 0; i < 2; i++)
		model_free(&parts[i]);
}

/* In old recordings the tasks were not counted. */
static void tasks_that_nobody_counted_are_not_called_lost(void **state)
{
	struct model model;

	lose_tasks(&model);
	*model.session.tasks_by = '\0';
	synthetic_changed(&model);
	assert_int_equal(report_tasks_missed(&model, 0), REASON_NOT_KNOWN);
	model_free(&model);
	lose_tasks(&model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 0)
			model.runs[i].totals.tasks_lost = 0;
	synthetic_changed(&model);
	assert_int_equal(report_tasks_missed(&model, 0), REASON_NOT_KNOWN);
	assert_int_equal(report_tasks_missed(&model, 1), REASON_MESSAGES_LOST);
	model_free(&model);
}

/* In `share`, a value can be missing for a reason other than time together. */
static void a_missing_memory_of_workers_that_share_has_its_own_reason(void **state)
{
	struct model model;

	make_session(&model, false);
	for (uint32_t i = 0; i < model.n_cases; i++)
		model.cases[i].plan = (struct plan) {
			.levels = 1, .fanout = {8}, .leaves = {[WORK_SHARE] = 8}, .barrier = true};
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.memory.pss_kb = -1;
	assert_int_equal(compared(&model, METRIC_PSS), REASON_NO_PAIR);
}

static void expect_note(struct model *model, enum table_id id, const char *words)
{
	struct table table;

	synthetic_changed(model);
	assert_int_equal(table_build(model, id, &table), 0);
	if (!table.note || !strstr(table.note, words))
		fail_msg("%s: %s", words, table.note ? table.note : "no note");
	table_free(&table);
	model_free(model);
}

/* A configuration without any result is counted; its unknown values need no explanation. */
static void a_table_says_which_configurations_failed(void **state)
{
	struct model model;
	struct table table;

	make_session(&model, true);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].totals.status = SAMPLE_FAILED;
	synthetic_changed(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_non_null(strstr(table.note, "1 configuration has no result, because all its runs "
					   "failed."));
	assert_null(strstr(table.note, "?:"));
	table_free(&table);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.status = SAMPLE_FAILED;
	expect_note(&model, TABLE_ANSWER,
		    "2 configurations have no result, because all their runs failed.");
	make_session(&model, false);
	set_seen(&model, 0, SEEN_PEAK);
	set_seen(&model, 1, SEEN_PEAK);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.memory.pss_kb = 5000 + 100 * (int64_t)(i % 5);
	expect_note(&model, TABLE_ANSWER,
		    "Small memory differences are undecided, because the kernel counts pages in "
		    "batches.");
}

static void a_table_says_why_a_printed_number_is_missing(void **state)
{
	struct model model;

	make_session(&model, true);
	strcpy(model.session.metric, "reqs");
	for (size_t i = 0; i < model.n_runs; i++) {
		struct sample_totals *totals = &model.runs[i].totals;

		totals->printed = 5;
		totals->printed_reason = model.runs[i].id.case_id == 1 ? REASON_NO_LINE : 0;
	}
	expect_note(&model, TABLE_ANSWER,
		    "?: reqs is not known, because the program printed no such line.");
}

static void a_table_says_which_configurations_have_no_latency(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_creation(&session, 6);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id > 1)
			model.runs[i].n_buckets = 0;
	expect_note(&model, TABLE_ANSWER,
		    " configurations are not compared, because they were not pinned to one core.");
	session.cases = 9; /* The last one is the first that is not pinned. */
	synthetic_model(&session, &model);
	expect_note(&model, TABLE_ANSWER,
		    "1 configuration is not compared, because it was not pinned to one core.");
}

/* After a session that ended early, this is the reason, not the placement. */
static void a_table_says_which_configurations_were_not_measured(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_creation(&session, 6);
	for (size_t last = session.cases - 1; last + 3 > session.cases; last--) {
		synthetic_model(&session, &model);
		for (size_t i = 0; i < model.n_runs; i++)
			if (model.runs[i].id.case_id >= last)
				model.runs[i].totals.status = SAMPLE_INTERRUPTED;
		synthetic_changed(&model);
		assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
		assert_non_null(
			strstr(table.note, last + 1 == session.cases
						   ? "1 configuration was not measured "
						   : "2 configurations were not measured "));
		table_free(&table);
		model_free(&model);
	}
}

/* The note below a table explains each ?. */
static void a_table_says_why_it_has_no_figure(void **state)
{
	struct synthetic session;
	struct model model;

	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].split.source = MODEL_SPLIT_NONE;
	model.session.machine.tick_ns = 4000000;
	expect_note(&model, TABLE_COSTS,
		    "User and system time are not known, because the kernel samples them every 4 "
		    "ms and ");
	lose_tasks(&model);
	expect_note(&model, TABLE_ANSWER,
		    "?: the tasks were not counted, because the kernel's messages of some tasks "
		    "were lost.");
	make_session(&model, false);
	set_seen(&model, 0, SEEN_PEAK);
	set_seen(&model, 1, SEEN_SAMPLED);
	expect_note(&model, TABLE_ANSWER, "?: not compared, because one value is only a bound.");
	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.trial > 2)
			model.runs[i].totals.status = SAMPLE_FAILED;
	expect_note(&model, TABLE_ANSWER, "?: too few trials.");
	/* "?" has two meanings, so the note names the metric of each. */
	make_session(&model, false);
	set_seen(&model, 0, SEEN_PEAK);
	set_seen(&model, 1, SEEN_SAMPLED);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.trial > 2)
			model.runs[i].totals.status = SAMPLE_FAILED;
	expect_note(&model, TABLE_ANSWER,
		    "? of time: too few trials. ? of memory: not compared, because one value");
	/* Two meanings in one metric: the note names the rows. */
	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid:2x4", "", 3000000000);
	synthetic_model(&session, &model);
	for (uint32_t i = 0; i < model.n_cases; i++)
		set_seen(&model, i, i == 1 ? SEEN_SAMPLED : SEEN_PEAK);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 2 && model.runs[i].id.trial > 2)
			model.runs[i].totals.status = SAMPLE_FAILED;
	expect_note(&model, TABLE_ANSWER,
		    "? for hybrid:2x4: too few trials. ? for processes: not "
		    "compared, because one value is only a bound.");
	make_session(&model, false);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].path.all_ns = NAN;
	expect_note(&model, TABLE_PATH,
		    "?: in too many trials, the end of some worker is not known.");
}

/* Old recordings did not follow commands. Now each missing value has a note of its own. */
static void a_command_whose_children_were_not_read_is_warned_of(void **state)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	static const char *const words[] = {
		", which were not followed, so its memory, tasks and lanes are unknown (?)",
		"; its memory is unknown (?), because its children ended before",
	};
	struct model model;

	for (int now = 0; now < 2; now++) {
		int n;

		make_session(&model, true);
		if (!now)
			*model.session.tasks_by = '\0';
		for (size_t i = 0; i < model.n_runs; i++) {
			model.runs[i].children = 2;
			model.runs[i].processes = -1;
			model.runs[i].totals.children = 2;
			model.runs[i].totals.memory = sample_memory_unknown();
			model.runs[i].totals.memory_reason = REASON_SHORT_CHILDREN;
		}
		synthetic_changed(&model);
		n = model_warnings(&model, warnings);
		for (int i = 0; i < n; i++)
			if (warnings[i].kind == WARNING_COMPANY &&
			    strstr(warnings[i].text, words[now]))
				n = -1;
		if (n >= 0)
			fail_msg("%s", words[now]);
		model_free(&model);
	}
}

static void a_worker_that_failed_says_how_beside_its_bar(void **state)
{
	struct sample_worker worker = sample_worker_unknown;
	char text[32];

	worker.status = SAMPLE_FAILED;
	worker.error = EILSEQ;
	assert_string_equal(view_bar_reason(&worker, text, sizeof(text)), "wrong result");
	worker.error = ENOSPC;
	assert_string_equal(view_bar_reason(&worker, text, sizeof(text)), "ENOSPC");
	worker.error = 0;
	assert_string_equal(view_bar_reason(&worker, text, sizeof(text)), "failed");
	worker.status = SAMPLE_CRASHED;
	worker.error = SIGSEGV;
	assert_string_equal(view_bar_reason(&worker, text, sizeof(text)), "SIGSEGV");
	worker.error = 999;
	assert_string_equal(view_bar_reason(&worker, text, sizeof(text)), "signal 999");
	worker.status = SAMPLE_INTERRUPTED;
	assert_string_equal(view_bar_reason(&worker, text, sizeof(text)), "stopped");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reason_is_reached_by_just_its_cause),
		cmocka_unit_test(no_two_reasons_have_the_same_words),
		cmocka_unit_test(tasks_of_two_recordings_are_not_called_lost),
		cmocka_unit_test(tasks_that_nobody_counted_are_not_called_lost),
		cmocka_unit_test(what_the_host_stole_is_no_ignored_SIGCHLD),
		cmocka_unit_test(time_of_a_cgroup_is_that_of_the_programs_alone),
		cmocka_unit_test(a_table_says_which_configurations_failed),
		cmocka_unit_test(a_table_says_which_configurations_have_no_latency),
		cmocka_unit_test(a_table_says_which_configurations_were_not_measured),
		cmocka_unit_test(a_table_says_why_a_printed_number_is_missing),
		cmocka_unit_test(a_table_says_why_it_has_no_figure),
		cmocka_unit_test(a_command_whose_children_were_not_read_is_warned_of),
		cmocka_unit_test(a_worker_that_failed_says_how_beside_its_bar),
		cmocka_unit_test(a_missing_memory_of_workers_that_share_has_its_own_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
