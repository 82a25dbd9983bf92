/* SPDX-License-Identifier: MIT */
#include "base/procfs.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage/folder.h"

#define VM    TEST_DATA "/proc-vm"
#define MANY  600
#define MAX   1024
#define CHILD 200

/*
 * Makes files that are too large or too odd to be in the source: folder/NAME and folder/200/NAME.
 */
static int make_tree(void **state)
{
	char path[FOLDER_PATH];

	folder_set_up(state);
	return mkdir(folder_at(path, *state, "200"), 0700);
}

static FILE *create(const char *root, const char *name)
{
	char path[FOLDER_PATH];
	FILE *file = fopen(folder_at(path, root, name), "we");

	assert_non_null(file);
	return file;
}

static void cores_come_in_order_and_offline_ones_are_absent(void **state)
{
	struct procfs_core cores[MAX];
	struct procfs_stat stat;

	assert_int_equal(procfs_stat_open(&stat, VM), 0);
	for (int again = 0; again < 2; again++) {
		memset(cores, 0, sizeof(cores));
		assert_int_equal(procfs_stat_read(&stat, cores, MAX), 3);
		assert_int_equal(cores[0].cpu, 0);
		assert_int_equal(cores[1].cpu, 1);
		assert_int_equal(cores[2].cpu, 3);
		assert_int_equal(cores[1].user, 1408);
		assert_int_equal(cores[1].nice, 2);
		assert_int_equal(cores[1].system, 1275);
		assert_int_equal(cores[1].idle, 101962);
		assert_int_equal(cores[1].iowait, 521);
		assert_int_equal(cores[1].irq, 3);
		assert_int_equal(cores[1].softirq, 36);
		assert_int_equal(cores[1].steal, 14);
	}
	procfs_stat_close(&stat);
}

static void no_more_cores_are_written_than_there_is_room_for(void **state)
{
	struct procfs_core cores[3] = {{.cpu = -7}, {.cpu = -7}, {.cpu = -7}};
	struct procfs_stat stat;

	assert_int_equal(procfs_stat_open(&stat, VM), 0);
	assert_int_equal(procfs_stat_read(&stat, cores, 2), 2);
	assert_int_equal(cores[1].cpu, 1);
	assert_int_equal(cores[2].cpu, -7);
	assert_int_equal(procfs_stat_read(&stat, cores, 0), 0);
	procfs_stat_close(&stat);
}

static void write_stat(const char *tree, int cores, int first_pad, const char *rest)
{
	FILE *file = create(tree, "stat");

	fprintf(file, "cpu  %0*d 2 3 4 5 6 7 8 0 0\n", first_pad, 1);
	for (int i = 0; i < cores; i++)
		fprintf(file, "cpu%d %d 2 3 18446744073709551615 5 6 7 %d 0 0\n", i * 2, i, i + 1);
	fputs(rest, file);
	fclose(file);
}

static void hundreds_of_cores_are_read_whatever_follows_them(void **state)
{
	static const char *const rests[] = {"intr 1 2 3\nctxt 5\n", "", "c", "intr"};
	struct procfs_core cores[MAX];
	struct procfs_stat stat;

	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		write_stat(*state, MANY, 1, rests[i]);
		assert_int_equal(procfs_stat_open(&stat, *state), 0);
		assert_int_equal(procfs_stat_read(&stat, cores, MAX), MANY);
		assert_int_equal(cores[MANY - 1].cpu, 2 * (MANY - 1));
		assert_int_equal(cores[MANY - 1].user, MANY - 1);
		assert_true(cores[MANY - 1].idle == UINT64_MAX);
		assert_int_equal(cores[MANY - 1].steal, MANY);
		procfs_stat_close(&stat);
	}
}

/* Moves the end of the last core's line across the end of the first buffer, one byte at a time. */
static void a_line_cut_by_the_end_of_the_buffer_is_read_whole(void **state)
{
	struct procfs_core cores[MAX];
	struct procfs_stat stat;

	for (int pad = 1; pad < 200; pad++) {
		write_stat(*state, 82, pad, "intr 1 2 3\n");
		assert_int_equal(procfs_stat_open(&stat, *state), 0);
		assert_int_equal(procfs_stat_read(&stat, cores, MAX), 82);
		assert_int_equal(cores[81].steal, 82);
		procfs_stat_close(&stat);
	}
}

static void a_missing_stat_is_an_error_and_can_be_closed(void **state)
{
	struct procfs_stat stat;

	assert_int_equal(procfs_stat_open(&stat, TEST_DATA "/no-such-root"), -ENOENT);
	procfs_stat_close(&stat);
}

static void status_gives_the_parts_of_rss(void **state)
{
	struct procfs_memory memory = {.pss_kb = 5, .uss_kb = 5, .pss_shmem_kb = 5};
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 100), 0);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(procfs_task_status(&task, &memory), 0);
		assert_int_equal(memory.rss_kb, 1728);
		assert_int_equal(memory.anon_kb, 112);
		assert_int_equal(memory.file_kb, 1600);
		assert_int_equal(memory.shmem_kb, 16);
		assert_int_equal(memory.page_tables_kb, 48);
		assert_int_equal(memory.threads, 9);
		assert_int_equal(memory.pss_kb, -1);
		assert_int_equal(memory.pss_shmem_kb, -1);
		assert_int_equal(memory.uss_kb, -1);
	}
	procfs_task_close(&task);
}

static void rollup_gives_rss_pss_and_uss_and_leaves_the_rest(void **state)
{
	struct procfs_memory memory = {.page_tables_kb = 42};
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 100), 0);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(procfs_task_rollup(&task, VM, &memory), 0);
		assert_int_equal(memory.pss_kb, 305);
		assert_int_equal(memory.pss_shmem_kb, 8);
		assert_int_equal(memory.uss_kb, 152);
		assert_int_equal(memory.rss_kb, 1640);
		assert_int_equal(memory.page_tables_kb, 42);
	}
	procfs_task_close(&task);
}

static void fields_missing_in_an_old_kernel_are_unknown(void **state)
{
	struct procfs_memory memory = {0};
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 101), 0);
	assert_int_equal(procfs_task_status(&task, &memory), 0);
	assert_int_equal(memory.rss_kb, 1728);
	assert_int_equal(memory.anon_kb, -1);
	assert_int_equal(memory.file_kb, -1);
	assert_int_equal(memory.shmem_kb, -1);
	assert_int_equal(procfs_task_rollup(&task, VM, &memory), 0);
	assert_int_equal(memory.pss_kb, 305);
	assert_int_equal(memory.pss_shmem_kb, -1);
	assert_int_equal(memory.uss_kb, 152);
	procfs_task_close(&task);
}

static void a_task_without_memory_of_its_own_has_unknown_memory(void **state)
{
	struct procfs_memory memory = {0};
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 102), 0);
	assert_int_equal(procfs_task_status(&task, &memory), 0);
	assert_int_equal(memory.rss_kb, -1);
	assert_int_equal(memory.threads, 1);
	assert_int_equal(procfs_task_rollup(&task, VM, &memory), -ENOENT);
	assert_int_equal(memory.pss_kb, -1);
	procfs_task_close(&task);
}

static void a_zombie_has_ended_unless_it_has_threads_left(void **state)
{
	struct procfs_memory memory;
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 103), 0);
	assert_int_equal(procfs_task_status(&task, &memory), -ESRCH);
	assert_int_equal(procfs_task_rollup(&task, VM, &memory), -ESRCH);
	procfs_task_close(&task);
	assert_int_equal(procfs_task_open(&task, VM, 104), 0);
	assert_int_equal(procfs_task_status(&task, &memory), 0);
	assert_int_equal(memory.threads, 3);
	procfs_task_close(&task);
}

static void a_task_s_name_cannot_pass_for_a_field(void **state)
{
	struct procfs_memory memory;
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 105), 0);
	assert_int_equal(procfs_task_status(&task, &memory), 0);
	assert_int_equal(memory.rss_kb, 1728);
	procfs_task_close(&task);
}

static void a_member_of_very_many_groups_is_read_whole(void **state)
{
	const char *root = *state;
	struct procfs_memory memory;
	struct procfs_task task;

	for (int groups = 0; groups < 4000; groups += 97) {
		FILE *file = create(*state, "200/status");

		fputs("Name:\tx\nState:\tS (sleeping)\nGroups:\t", file);
		for (int i = 0; i < groups; i++)
			fprintf(file, "%d ", i);
		fputs("\nVmRSS:\t 17 kB\nThreads:\t2\n", file);
		fclose(file);
		assert_int_equal(procfs_task_open(&task, root, CHILD), 0);
		assert_int_equal(procfs_task_status(&task, &memory), 0);
		assert_int_equal(memory.rss_kb, 17);
		assert_int_equal(memory.threads, 2);
		procfs_task_close(&task);
	}
}

static void no_such_task_is_esrch(void **state)
{
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, VM, 99), -ESRCH);
	assert_int_equal(task.status_fd, -1);
	assert_int_equal(task.rollup_fd, -1);
	procfs_task_close(&task);
}

static void a_text_loses_one_newline_and_must_fit(void **state)
{
	const char *root = *state;
	FILE *file = create(*state, "text");
	char buf[8] = "before";

	fputs("abc\n\n", file);
	fclose(file);
	assert_int_equal(procfs_read_text(root, "text", buf, 6), 0);
	assert_string_equal(buf, "abc\n");
	assert_int_equal(procfs_read_text(root, "text", buf, 5), -EFBIG);
	assert_string_equal(buf, "");
	strcpy(buf, "before");
	assert_int_equal(procfs_read_text(root, "nothing", buf, sizeof(buf)), -ENOENT);
	assert_string_equal(buf, "");
	assert_int_equal(procfs_read_text(root, "200", buf, sizeof(buf)), -EISDIR);
	fclose(create(*state, "text"));
	/* Bytes before the text are not read. */
	buf[0] = '\n';
	assert_int_equal(procfs_read_text(root, "text", buf + 1, sizeof(buf) - 1), 0);
	assert_string_equal(buf, "\n");
}

static pid_t start_child(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		for (;;)
			pause();
	}
	return pid;
}

static void this_kernel_s_process_is_read_until_it_ends(void **state)
{
	pid_t pid = start_child();
	struct procfs_memory memory;
	struct procfs_task task;
	siginfo_t info;

	assert_int_equal(procfs_task_open(&task, "/proc", pid), 0);
	assert_int_equal(procfs_task_status(&task, &memory), 0);
	assert_int_equal(memory.threads, 1);
	assert_true(memory.rss_kb > 0 && memory.page_tables_kb > 0);
	assert_int_equal(memory.rss_kb, memory.anon_kb + memory.file_kb + memory.shmem_kb);
	assert_int_equal(procfs_task_rollup(&task, "/proc", &memory), 0);
	assert_true(memory.pss_kb > 0 && memory.uss_kb <= memory.pss_kb);

	kill(pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(procfs_task_status(&task, &memory), -ESRCH); /* a zombie */
	assert_int_equal(procfs_task_rollup(&task, "/proc", &memory), -ESRCH);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(procfs_task_status(&task, &memory), -ESRCH); /* gone */
	assert_int_equal(procfs_task_rollup(&task, "/proc", &memory), -ESRCH);
	procfs_task_close(&task);
	assert_int_equal(procfs_task_open(&task, "/proc", pid), -ESRCH);
}

static void a_first_rollup_of_an_ended_process_is_esrch(void **state)
{
	pid_t pid = start_child();
	struct procfs_memory memory;
	struct procfs_task task;

	assert_int_equal(procfs_task_open(&task, "/proc", pid), 0);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(procfs_task_rollup(&task, "/proc", &memory), -ESRCH);
	assert_int_equal(task.rollup_fd, -1);
	procfs_task_close(&task);
}

/* If root runs the test, it becomes `nobody`, so that process 1 surely belongs to another user. */
static int rollup_of_init_as_a_plain_user(void)
{
	struct procfs_memory memory;
	struct procfs_task task;

	if (!geteuid() && setresuid(65534, 65534, 65534))
		return 1;
	if (procfs_task_open(&task, "/proc", 1))
		return 2;
	return procfs_task_rollup(&task, "/proc", &memory) == -EACCES ? 0 : 3;
}

static void another_user_s_rollup_is_eacces(void **state)
{
	struct stat init;
	int status;
	pid_t pid;

	/* In a rootless container, process 1 may belong to this user. */
	if (stat("/proc/1", &init) || (geteuid() && init.st_uid == geteuid()))
		skip();
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(rollup_of_init_as_a_plain_user());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void this_kernel_s_own_stat_is_read(void **state)
{
	struct procfs_core cores[MAX];
	struct procfs_stat stat;

	assert_int_equal(procfs_stat_open(&stat, "/proc"), 0);
	assert_int_equal(procfs_stat_read(&stat, cores, MAX), sysconf(_SC_NPROCESSORS_ONLN));
	procfs_stat_close(&stat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_come_in_order_and_offline_ones_are_absent),
		cmocka_unit_test(no_more_cores_are_written_than_there_is_room_for),
		cmocka_unit_test_setup_teardown(hundreds_of_cores_are_read_whatever_follows_them,
						make_tree, folder_tear_down),
		cmocka_unit_test_setup_teardown(a_line_cut_by_the_end_of_the_buffer_is_read_whole,
						make_tree, folder_tear_down),
		cmocka_unit_test(a_missing_stat_is_an_error_and_can_be_closed),
		cmocka_unit_test(status_gives_the_parts_of_rss),
		cmocka_unit_test(rollup_gives_rss_pss_and_uss_and_leaves_the_rest),
		cmocka_unit_test(fields_missing_in_an_old_kernel_are_unknown),
		cmocka_unit_test(a_task_without_memory_of_its_own_has_unknown_memory),
		cmocka_unit_test(a_zombie_has_ended_unless_it_has_threads_left),
		cmocka_unit_test(a_task_s_name_cannot_pass_for_a_field),
		cmocka_unit_test_setup_teardown(a_member_of_very_many_groups_is_read_whole,
						make_tree, folder_tear_down),
		cmocka_unit_test(no_such_task_is_esrch),
		cmocka_unit_test_setup_teardown(a_text_loses_one_newline_and_must_fit, make_tree,
						folder_tear_down),
		cmocka_unit_test(this_kernel_s_process_is_read_until_it_ends),
		cmocka_unit_test(a_first_rollup_of_an_ended_process_is_esrch),
		cmocka_unit_test(another_user_s_rollup_is_eacces),
		cmocka_unit_test(this_kernel_s_own_stat_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
