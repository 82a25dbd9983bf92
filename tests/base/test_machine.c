/* SPDX-License-Identifier: MIT */
#include "base/machine.h"

#include "stage/check.h"
#include "stage/folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void a_kvm_guest_with_both_cgroup_versions(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-vm", &m);
	assert_string_equal(m.cpu, "Intel(R) Xeon(R) Processor");
	assert_string_equal(m.virtualization, "kvm");
	assert_string_equal(m.governor, "");
	assert_string_equal(m.frequency_source, "cpuinfo");
	assert_int_equal(m.mhz, 2600);
	assert_string_equal(m.hugepages, "madvise");
	assert_int_equal(m.cores_online, 2);
	assert_int_equal(m.performance_cores, -1);
	assert_int_equal(m.efficiency_cores, -1);
	assert_int_equal(m.memory_kb, 24691568);
	/* The limit of the parent, because the cgroup's own value means that it has none. */
	assert_int_equal(m.memory_limit_kb, 1 << 20);
	assert_float_equal(m.cpu_quota, 0.5, 1e-9);
}

static void cpus_that_are_allowed_but_absent_do_not_count(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-vm", &m);
	assert_int_equal(m.cores_allowed, 2);
	assert_string_equal(m.cpus_allowed, "0-1");
}

static void a_laptop_with_two_kinds_of_cores(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-laptop", &m);
	assert_string_equal(m.cpu, "12th Gen Intel(R) Core(TM) i5-1240P");
	assert_string_equal(m.virtualization, "none");
	assert_string_equal(m.governor, "powersave");
	assert_string_equal(m.frequency_source, "cpufreq");
	assert_int_equal(m.mhz, 3400);
	assert_string_equal(m.hugepages, "always");
	assert_int_equal(m.cores_online, 16);
	assert_int_equal(m.cores_allowed, 8);
	assert_string_equal(m.cpus_allowed, "0-3,8-11");
	assert_int_equal(m.performance_cores, 8);
	assert_int_equal(m.efficiency_cores, 8);
}

static void the_description_of_a_laptop_is_complete(void **state)
{
	struct machine m;
	char type[32];

	machine_read(TEST_DATA "/root-laptop", &m);
	assert_string_equal(m.distribution, "Fedora Linux 41 (Workstation Edition)");
	assert_string_equal(m.caches, "L1d 48K, L1i 32K, L2 1280K, L3 12288K");
	assert_string_equal(m.smt, "on");
	assert_string_equal(m.mitigations,
			    "vulnerable: spectre_v2; mitigated: itlb_multihit, spectre_v1");
	machine_filesystem(TEST_DATA "/root-laptop", "/usr", type, sizeof(type));
	assert_string_equal(type, "ext4");
	machine_filesystem(TEST_DATA "/root-laptop", "/dev/shm", type, sizeof(type));
	assert_string_equal(type, "tmpfs");
	machine_filesystem(TEST_DATA "/root-laptop", "/dev/null", type, sizeof(type));
	assert_string_equal(type, "devtmpfs");
	machine_filesystem(TEST_DATA "/root-laptop", "/no/such", type, sizeof(type));
	assert_string_equal(type, "");
	machine_read(TEST_DATA "/root-vm", &m);
	assert_string_equal(m.distribution, "");
	assert_string_equal(m.caches, "");
	assert_string_equal(m.smt, "");
	assert_string_equal(m.mitigations, "");
}

static void the_least_limit_of_all_cgroups_above_counts(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-laptop", &m);
	assert_int_equal(m.memory_limit_kb, 8 << 20); /* of the topmost cgroup */
	assert_float_equal(m.cpu_quota, 3.5, 1e-9);   /* of the middle cgroup */
}

static void a_container_has_the_limits_at_its_mount_and_the_host_s_hypervisor(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-container", &m);
	assert_string_equal(m.virtualization, "amazon");
	assert_int_equal(m.memory_limit_kb, 512 << 10);
	assert_float_equal(m.cpu_quota, 0.25, 1e-9);
	assert_int_equal(m.mhz, 2651);
	assert_string_equal(m.hugepages, "never");
	assert_string_equal(m.cpus_allowed, "2");
	assert_int_equal(m.cores_allowed, 1);
	assert_int_equal(m.cores_online, 8);
}

static void an_arm_board_is_named_by_its_core_s_numbers(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-arm", &m);
	assert_string_equal(m.cpu, "Arm Cortex-A72");
	assert_string_equal(m.virtualization, "");
	/* core 0 is offline, so the first core that is online counts */
	assert_int_equal(m.mhz, 1500);
	assert_string_equal(m.governor, "ondemand");
	assert_string_equal(m.frequency_source, "cpufreq");
	assert_string_equal(m.hugepages, "");
	/* its cgroup is outside its namespace */
	assert_int_equal(m.memory_limit_kb, -1);
	assert_true(m.cpu_quota == -1);
}

static void an_arm_core_without_a_name_is_named_by_board_or_numbers(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-arm-board", &m);
	assert_string_equal(m.cpu, "Kirin 990 Board");
	machine_read(TEST_DATA "/root-arm-unnamed", &m);
	assert_string_equal(m.cpu, "implementer 0x48 part 0xd01");
}

static void odd_files_leave_things_unknown_and_texts_printable(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-odd", &m);
	assert_string_equal(m.cpu, "Evil?[2J? CPU???");
	assert_string_equal(m.governor, "?]0;x?");
	assert_string_equal(m.frequency_source, "");
	assert_int_equal(m.mhz, -1);
	assert_string_equal(m.hugepages, "");
	assert_int_equal(m.cores_online, -1);
	assert_int_equal(m.cores_allowed, -1);
	assert_string_equal(m.cpus_allowed, "");
	assert_int_equal(m.performance_cores, -1);
	assert_int_equal(m.memory_kb, -1);
	assert_int_equal(m.memory_limit_kb, -1);
	assert_true(m.cpu_quota == -1);
}

static void nothing_to_read_leaves_all_but_the_system_unknown(void **state)
{
	struct utsname name;
	struct machine m;

	memset(&m, 0x55, sizeof(m));
	machine_read(TEST_DATA "/no-such-root", &m);
	assert_int_equal(uname(&name), 0);
	assert_string_equal(m.kernel, name.release);
	assert_string_equal(m.arch, name.machine);
	assert_string_not_equal(m.host, "");
	assert_int_equal(m.page_kb, sysconf(_SC_PAGESIZE) / 1024);
	assert_int_equal(m.clock_ticks, sysconf(_SC_CLK_TCK));
	assert_string_equal(m.cpu, "");
	assert_string_equal(m.virtualization, "");
	assert_string_equal(m.governor, "");
	assert_string_equal(m.hugepages, "");
	assert_string_equal(m.cpus_allowed, "");
	assert_int_equal(m.cores_online, -1);
	assert_int_equal(m.cores_allowed, -1);
	assert_int_equal(m.mhz, -1);
	assert_int_equal(m.memory_kb, -1);
	assert_int_equal(m.memory_limit_kb, -1);
	assert_true(m.cpu_quota == -1);
}

static void this_machine_agrees_with_the_c_library(void **state)
{
	struct machine m;

	if (access("/sys/devices/system/cpu/online", R_OK)) {
		print_message("/sys is not mounted\n");
		skip();
	}
	machine_read("", &m);
	assert_int_equal(m.cores_online, sysconf(_SC_NPROCESSORS_ONLN));
	assert_in_range(m.cores_allowed, 1, m.cores_online);
	/*
	 * in a container, sysconf may show the container's limit, but never more than the machine
	 * has
	 */
	assert_true(m.memory_kb >= sysconf(_SC_PHYS_PAGES) * m.page_kb);
#ifdef __GLIBC__
	assert_memory_equal(m.libc, "glibc ", 6);
#endif
}

/* Values of cpufreq are the kernel's own, so they are not replaced. */
static void a_frequency_is_measured_where_no_cpufreq_says_it(void **state)
{
	struct machine m;

	machine_read(TEST_DATA "/root-laptop", &m);
	machine_measure(&m);
	assert_string_equal(m.frequency_source, "cpufreq");
	assert_int_equal(m.mhz, 3400);
	machine_read(TEST_DATA "/no-such-root", &m);
	machine_measure(&m);
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
	assert_string_equal(m.frequency_source, "measured");
	assert_in_range(m.mhz, 100, 10000);
#else
	assert_int_equal(m.mhz, -1);
#endif
}

static void energy_is_of_the_packages_alone_and_unknown_where_one_is_not_readable(void **state)
{
	static const char *const files[][2] = {
		{"intel-rapl:0/name", "package-0\n"}, {"intel-rapl:0/energy_uj", "262143328850\n"},
		{"intel-rapl:1/name", "psys\n"},      {"intel-rapl:1/energy_uj", "7\n"},
		{"intel-rapl:2/name", "package-1\n"}, {"intel-rapl:2/energy_uj", "15\n"},
	};
	char path[FOLDER_PATH], name[FOLDER_PATH];

	assert_int_equal(machine_energy_uj(*state), -1);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(name, sizeof(name), "sys/class/powercap/%s", files[i][0]);
		folder_write(folder_at(path, *state, name), files[i][1]);
	}
	assert_int_equal(machine_energy_uj(*state), 262143328865);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(machine_energy_uj(*state), -1);
}

static void the_tick_is_one_of_linux_s_and_reading_the_clock_has_a_cost(void **state)
{
	static const int hz[] = {24, 48, 100, 128, 200, 250, 256, 300, 500, 512, 1000, 1024, 1200};
	struct machine m;
	bool known = false;

	machine_read("", &m);
	assert_int_equal(m.tick_ns, -1);
	assert_int_equal(m.clock_ns, -1);
	machine_measure(&m);
	for (size_t i = 0; i < sizeof(hz) / sizeof(hz[0]); i++)
		known |= llabs(m.tick_ns - 1000000000 / hz[i]) < 10000;
	assert_true(known || m.tick_ns == 0);
	assert_in_range(m.clock_ns, 1, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kvm_guest_with_both_cgroup_versions),
		cmocka_unit_test(cpus_that_are_allowed_but_absent_do_not_count),
		cmocka_unit_test(a_laptop_with_two_kinds_of_cores),
		cmocka_unit_test(the_description_of_a_laptop_is_complete),
		cmocka_unit_test(the_least_limit_of_all_cgroups_above_counts),
		cmocka_unit_test(a_container_has_the_limits_at_its_mount_and_the_host_s_hypervisor),
		cmocka_unit_test(an_arm_board_is_named_by_its_core_s_numbers),
		cmocka_unit_test(an_arm_core_without_a_name_is_named_by_board_or_numbers),
		cmocka_unit_test(odd_files_leave_things_unknown_and_texts_printable),
		cmocka_unit_test(nothing_to_read_leaves_all_but_the_system_unknown),
		cmocka_unit_test(this_machine_agrees_with_the_c_library),
		cmocka_unit_test(a_frequency_is_measured_where_no_cpufreq_says_it),
		FOLDER_TEST(energy_is_of_the_packages_alone_and_unknown_where_one_is_not_readable),
		cmocka_unit_test(the_tick_is_one_of_linux_s_and_reading_the_clock_has_a_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
