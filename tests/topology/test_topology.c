/* SPDX-License-Identifier: MIT */
#include "topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef TEST_HWLOC
#include <hwloc.h>
#endif

#include "base/units.h"
#include "stage/check.h"
#include "stage/folder.h"

/* Returns the CPUs in the order of a place, among those that are allowed, such as "0,4,1,5". */
static char *order_of(const struct topology *topology, enum topology_place place,
		      const char *allowed, char *buf, size_t size)
{
	int16_t order[CPU_SETSIZE];
	cpu_set_t set;
	size_t n, used = 0;

	assert_int_equal(units_parse_cpulist(allowed, &set), 0);
	n = topology_order(topology, place, &set, order);
	*buf = '\0';
	for (size_t i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, i ? ",%d" : "%d", order[i]);
	return buf;
}

#define ORDER(topology, place, allowed) order_of(topology, place, allowed, (char[512]) {""}, 512)

/* Reads a text, and checks that writing gives the same text. */
static void read_text(const char *text, struct topology *topology)
{
	char again[TOPOLOGY_TEXT];

	assert_int_equal(topology_parse(text, topology), 0);
	assert_string_equal(topology_format(topology, again, sizeof(again)), text);
}

/* Two packages of four cores with two threads, numbered as on most machines. */
static const char two_packages[] = "hwloc;0.0 0-3|8-11;1.1 4-7|12-15";
/* Two nodes in each of two packages. */
static const char four_nodes[] = "hwloc;0.0 0-1;0.1 2-3;1.2 4-5;1.3 6-7";
/* Two P cores with two threads and four E cores. */
static const char hybrid[] = "hwloc;0.0.1 0,2|1,3;0.0.0 4-7";

static void spread_takes_cores_of_packages_in_turn_and_siblings_last(void **state)
{
	struct topology topology;

	read_text(two_packages, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SPREAD, "0-15"),
			    "0,4,1,5,2,6,3,7,8,12,9,13,10,14,11,15");
	read_text(four_nodes, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SPREAD, "0-7"), "0,4,2,6,1,5,3,7");
}

static void pack_fills_a_core_and_then_its_package(void **state)
{
	struct topology topology;

	read_text(two_packages, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_PACK, "0-15"),
			    "0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15");
	read_text(four_nodes, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_PACK, "0-7"), "0,1,2,3,4,5,6,7");
}

static void one_core_has_its_threads_alone(void **state)
{
	struct topology topology;

	read_text(two_packages, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SAME_CORE, "0-15"), "0,8");
	read_text(four_nodes, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SAME_CORE, "0-7"), "0");
}

static void cpus_that_are_not_allowed_are_not_used(void **state)
{
	struct topology topology;

	read_text(two_packages, &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SPREAD, "8-11,5-6"), "8,5,9,6,10,11");
	assert_string_equal(ORDER(&topology, TOPOLOGY_PACK, "1,3,8-9"), "8,1,9,3");
	/* core 1 has both of its threads, core 0 only one */
	assert_string_equal(ORDER(&topology, TOPOLOGY_SAME_CORE, "1,3,8-9"), "1,9");
	assert_string_equal(ORDER(&topology, TOPOLOGY_ANY, "9,3,1"), "1,3,9");
}

static void fast_cores_come_first(void **state)
{
	struct topology topology;

	read_text(hybrid, &topology);
	assert_int_equal(topology.kinds, 2);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SPREAD, "0-7"), "0,2,4,5,6,7,1,3");
	assert_string_equal(ORDER(&topology, TOPOLOGY_PACK, "0-7"), "0,1,2,3,4,5,6,7");
	assert_string_equal(ORDER(&topology, TOPOLOGY_SAME_CORE, "0-7"), "0,1");
	assert_string_equal(ORDER(&topology, TOPOLOGY_SAME_CORE, "4-7"), "4");
}

static void a_cpu_that_is_in_no_topology_is_a_core_of_its_own(void **state)
{
	struct topology topology;

	read_text("sysfs;0.0 0-1", &topology);
	assert_string_equal(ORDER(&topology, TOPOLOGY_SPREAD, "0-3"), "0,2,1,3");
	assert_string_equal(ORDER(&topology, TOPOLOGY_SAME_CORE, "2-3"), "2");
	memset(&topology, 0, sizeof(topology));
	assert_string_equal(ORDER(&topology, TOPOLOGY_PACK, "0-3"), "0,1,2,3");
}

static void names_tell_what_differs(void **state)
{
	struct topology topology;
	char name[TOPOLOGY_NAME];

	read_text(two_packages, &topology);
	assert_string_equal(topology_name(&topology, 13, name, sizeof(name)),
			    "core 5+13, package 1, node 1");
	read_text(hybrid, &topology);
	assert_string_equal(topology_name(&topology, 1, name, sizeof(name)), "P core 0+1");
	assert_string_equal(topology_name(&topology, 7, name, sizeof(name)), "E core 7");
	assert_string_equal(topology_name(&topology, 99, name, sizeof(name)), "?");
	read_text("hwloc;0.0 0-30:2|32-62:2", &topology);
	assert_string_equal(topology_name(&topology, 62, name, sizeof(name)), "core 30+62");
	read_text("sysfs;0.? 0-1", &topology);
	assert_string_equal(topology_name(&topology, 1, name, sizeof(name)), "core 1");
}

static void assert_described(const struct topology *topology, const char *cpus, const char *as)
{
	char text[TOPOLOGY_TEXT];
	cpu_set_t set;

	assert_int_equal(units_parse_cpulist(cpus, &set), 0);
	assert_string_equal(topology_describe(topology, &set, text, sizeof(text)), as);
}

static void a_set_is_described_by_what_it_has(void **state)
{
	struct topology topology;

	read_text(two_packages, &topology);
	assert_described(&topology, "0,4", "0,4: 2 cores in 2 packages, 2 NUMA nodes");
	assert_described(&topology, "0,8", "0,8: 2 threads of 1 core in 1 package, 1 NUMA node");
	read_text(hybrid, &topology);
	assert_described(&topology, "0,2,4", "0,2,4: 2 P and 1 E cores");
	assert_described(&topology, "0-1", "0-1: 2 threads of 1 P core");
	assert_described(&topology, "4", "4: 1 E core");
	assert_described(&topology, "99", "99");
}

/* The lists of a group ascend, so cores whose second threads descend are separate groups. */
static void threads_in_any_order_keep_their_cores(void **state)
{
	struct topology topology;

	read_text("hwloc;0.0 0|3;0.0 1|2", &topology);
	assert_int_equal(topology.cores, 2);
	read_text("hwloc;0.0 0-1|2-3", &topology);
	assert_int_equal(topology.cores, 2);
}

static void malformed_topologies_are_refused(void **state)
{
	static const char *const texts[] = {"",
					    "hwloc",
					    "hwloc;",
					    "hwloc;0",
					    "hwloc;0.0",
					    "hwloc;0.0 ",
					    "hwloc;0.0 0-1|2",
					    "hwloc;0.0 0|0",
					    "hwloc;x.0 0",
					    "hwloc;0.0 9999",
					    "hwloc;0.0 0;",
					    "hwloc;-1.0 0"};
	struct topology topology;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_true(topology_parse(texts[i], &topology) < 0);
		assert_int_equal(topology.n, 0);
	}
}

static void a_machine_that_does_not_fit_its_text_is_unknown(void **state)
{
	struct topology topology;
	char text[16];

	read_text(two_packages, &topology);
	assert_string_equal(topology_format(&topology, text, sizeof(text)), "");
}

static void large_machines_fit_their_text(void **state)
{
	struct topology topology;

	read_text("hwloc;0.0 0-510:2|1-511:2;1.1 512-1022:2|513-1023:2", &topology);
	assert_int_equal(topology.n, 1024);
	assert_int_equal(topology.cores, 512);
	assert_int_equal(topology.packages, 2);
}

static void put(const char *root, const char *path, const char *text)
{
	char name[FOLDER_PATH], line[160];

	snprintf(line, sizeof(line), "%s\n", text);
	folder_write(folder_at(name, root, path), line);
}

/* Like the kernel: each set of CPUs as a mask and as a list. */
static void put_cpu(const char *root, int cpu, unsigned int core, unsigned int package, int core_id)
{
	static const char *const names[] = {"thread_siblings", "core_cpus", "core_siblings",
					    "package_cpus"};
	char path[128], text[128];

	for (int i = 0; i < 4; i++) {
		const unsigned int mask = i < 2 ? core : package;
		cpu_set_t set;

		CPU_ZERO(&set);
		for (unsigned int k = 0; k < 32; k++)
			if (mask & 1u << k)
				CPU_SET(k, &set);
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/%s_list", cpu,
			 names[i]);
		put(root, path, units_format_cpulist(text, sizeof(text), &set));
		path[strlen(path) - strlen("_list")] = '\0';
		snprintf(text, sizeof(text), "%x", mask);
		put(root, path, text);
	}
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
	snprintf(text, sizeof(text), "%d", core_id);
	put(root, path, text);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/physical_package_id",
		 cpu);
	snprintf(text, sizeof(text), "%d", package & 1u ? 0 : 3);
	put(root, path, text);
}

static void put_cache(const char *root, int cpu)
{
	static const char *const names[] = {"level", "type", "size"};
	static const char *const texts[] = {"1", "Data", "32K"};
	char path[128], text[16];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cache/index0/%s", cpu,
			 names[i]);
		put(root, path, texts[i]);
	}
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cache/index0/shared_cpu_map",
		 cpu);
	snprintf(text, sizeof(text), "%x", 1u << cpu);
	put(root, path, text);
}

static void packages_nodes_cores_and_threads_are_numbered(void **state)
{
	char folder[FOLDER_PATH], text[TOPOLOGY_TEXT];
	struct topology topology;

	folder_make(folder);
	put(folder, "sys/devices/system/cpu/online", "0-3,8-11");
	for (int i = 0; i < 4; i++) {
		put_cpu(folder, i, 0x101u << i, i < 2 ? 0x303 : 0xc0c, i % 2);
		put_cpu(folder, i + 8, 0x101u << i, i < 2 ? 0x303 : 0xc0c, i % 2);
	}
	topology_read(folder, &topology);
	assert_string_equal(topology_format(&topology, text, sizeof(text)),
			    "sysfs;0.? 0-1|8-9;1.? 2-3|10-11");
	put(folder, "sys/devices/system/node/online", "0,4");
	put(folder, "sys/devices/system/node/node0/cpulist", "0-1,8-9");
	put(folder, "sys/devices/system/node/node4/cpulist", "2-3,10-11");
	put(folder, "sys/devices/cpu_core/cpus", "0-1,8-9");
	put(folder, "sys/devices/cpu_atom/cpus", "2-3,10-11");
	topology_read(folder, &topology);
	assert_string_equal(topology_format(&topology, text, sizeof(text)),
			    "sysfs;0.0.1 0-1|8-9;1.1.0 2-3|10-11");
	folder_remove(folder);
}

static void a_machine_without_topology_files_has_no_cpus(void **state)
{
	struct topology topology;

	topology_read("/nonexistent", &topology);
	assert_int_equal(topology.n, 0);
	assert_string_equal(topology.source, "");
}

#ifdef TEST_HWLOC
/*
 * By the first of its CPUs. The logical index is not one of its own: a core whose other thread is
 * offline may stand on a level by itself, where the indices begin anew.
 */
static int16_t above(hwloc_topology_t from, hwloc_obj_type_t type, hwloc_obj_t pu)
{
	hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(from, type, pu);

	return found ? (int16_t)hwloc_bitmap_first(found->cpuset) : -1;
}

/* Reads the machine of a folder with all online CPUs; "/" is this machine. */
static void read_by_hwloc(const char *folder, struct topology *topology)
{
	hwloc_topology_t from;
	hwloc_obj_t pu = NULL;

	setenv("HWLOC_FSROOT", folder, 1);
	setenv("HWLOC_COMPONENTS", "-x86", 1); /* this component would ask the processor itself */
	memset(topology, 0, sizeof(*topology));
	assert_int_equal(hwloc_topology_init(&from), 0);
	assert_int_equal(hwloc_topology_set_flags(from, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED), 0);
	assert_int_equal(hwloc_topology_load(from), 0);
	while ((pu = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_PU, pu))) {
		int kind = hwloc_cpukinds_get_by_cpuset(from, pu->cpuset, 0), rank = -1;
		hwloc_obj_t node = NULL;

		while ((node = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_NUMANODE, node)))
			if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
				break;
		if (kind >= 0)
			hwloc_cpukinds_get_info(from, (unsigned int)kind, NULL, &rank, NULL, NULL,
						0);
		topology->cpus[topology->n++] = (struct topology_cpu) {
			.cpu = (int16_t)pu->os_index,
			.core = above(from, HWLOC_OBJ_CORE, pu),
			.package = above(from, HWLOC_OBJ_PACKAGE, pu),
			.node = (int16_t)(node ? (int)node->logical_index : -1),
			.kind = (int16_t)rank,
		};
	}
	hwloc_topology_destroy(from);
	unsetenv("HWLOC_COMPONENTS");
	unsetenv("HWLOC_FSROOT");
	topology_finish(topology);
}

/* Where the kernel has no value, hwloc may invent one: a package, a node, a rank by clock rate. */
static void expect_as_by_hwloc(const char *folder)
{
	struct topology witness, topology;

	read_by_hwloc(folder, &witness);
	topology_read(folder, &topology);
	assert_int_equal(topology.n, witness.n);
	for (uint32_t i = 0; i < topology.n; i++) {
		const struct topology_cpu *cpu = &topology.cpus[i], *other = &witness.cpus[i];

		assert_int_equal(cpu->cpu, other->cpu);
		assert_int_equal(cpu->core, other->core);
		assert_int_equal(cpu->thread, other->thread);
		if (topology.packages > 0)
			assert_int_equal(cpu->package, other->package);
		if (topology.nodes > 0)
			assert_int_equal(cpu->node, other->node);
		if (topology.kinds > 1)
			assert_int_equal(cpu->kind, other->kind);
	}
}

static void hwloc_says_the_same_of_this_machine(void **state)
{
	struct topology topology;

	topology_read("", &topology);
	if (!*topology.source) /* some containers do not have the files */
		skip();
	expect_as_by_hwloc("/");
}
#else
static void expect_as_by_hwloc(const char *folder)
{
}
#endif

/* A cpuset with two of eight CPUs, in one of two packages. Each package is a node. */
static void cpus_that_a_cpuset_forbids_are_known(void **state)
{
	char folder[FOLDER_PATH], text[TOPOLOGY_TEXT];
	struct topology topology;

	folder_make(folder);
	put(folder, "sys/devices/system/cpu/online", "0-7");
	put(folder, "sys/devices/system/cpu/possible", "0-7");
	put(folder, "sys/devices/system/node/online", "0-1");
	put(folder, "sys/devices/system/node/node0/cpulist", "0-3");
	put(folder, "sys/devices/system/node/node0/cpumap", "0f");
	put(folder, "sys/devices/system/node/node1/cpulist", "4-7");
	put(folder, "sys/devices/system/node/node1/cpumap", "f0");
	for (int cpu = 0; cpu < 8; cpu++)
		put_cpu(folder, cpu, 1u << cpu, cpu < 4 ? 0xfu : 0xf0u, cpu % 4);
	put(folder, "proc/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0");
	put(folder, "proc/self/cgroup", "0::/box");
	put(folder, "sys/fs/cgroup/cgroup.controllers", "cpuset");
	put(folder, "sys/fs/cgroup/box/cpuset.cpus.effective", "0-1");
	put(folder, "sys/fs/cgroup/box/cpuset.mems.effective", "0");
	topology_read(folder, &topology);
	assert_string_equal(topology_format(&topology, text, sizeof(text)),
			    "sysfs;0.0 0-3;1.1 4-7");
	expect_as_by_hwloc(folder);
	folder_remove(folder);
}

/*
 * Two packages of four cores with two threads, of which one, CPU 3, is offline. As an emulated
 * machine tells it, each thread has a cache of its own: the core with one thread is below its
 * cache, the others above theirs.
 */
static void cores_whose_second_thread_is_off_are_known(void **state)
{
	char folder[FOLDER_PATH], text[TOPOLOGY_TEXT], name[TOPOLOGY_NAME];
	struct topology topology;

	folder_make(folder);
	put(folder, "sys/devices/system/cpu/online", "0-2,4-15");
	put(folder, "sys/devices/system/cpu/possible", "0-15");
	for (int cpu = 0; cpu < 16; cpu++) {
		if (cpu == 3)
			continue;
		put_cpu(folder, cpu, (3u << (cpu & ~1)) & ~8u, (cpu < 8 ? 0xffu : 0xff00u) & ~8u,
			cpu % 8 / 2);
		put_cache(folder, cpu);
	}
	topology_read(folder, &topology);
	assert_string_equal(topology_format(&topology, text, sizeof(text)),
			    "sysfs;0.? 0|1;0.? 2;0.? 4,6|5,7;1.? 8-14:2|9-15:2");
	assert_int_equal(topology.cores, 8);
	assert_string_equal(topology_name(&topology, 2, name, sizeof(name)), "core 2, package 0");
	expect_as_by_hwloc(folder);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread_takes_cores_of_packages_in_turn_and_siblings_last),
		cmocka_unit_test(pack_fills_a_core_and_then_its_package),
		cmocka_unit_test(one_core_has_its_threads_alone),
		cmocka_unit_test(cpus_that_are_not_allowed_are_not_used),
		cmocka_unit_test(fast_cores_come_first),
		cmocka_unit_test(a_cpu_that_is_in_no_topology_is_a_core_of_its_own),
		cmocka_unit_test(names_tell_what_differs),
		cmocka_unit_test(a_set_is_described_by_what_it_has),
		cmocka_unit_test(threads_in_any_order_keep_their_cores),
		cmocka_unit_test(malformed_topologies_are_refused),
		cmocka_unit_test(a_machine_that_does_not_fit_its_text_is_unknown),
		cmocka_unit_test(large_machines_fit_their_text),
		cmocka_unit_test(packages_nodes_cores_and_threads_are_numbered),
		cmocka_unit_test(a_machine_without_topology_files_has_no_cpus),
		cmocka_unit_test(cpus_that_a_cpuset_forbids_are_known),
		cmocka_unit_test(cores_whose_second_thread_is_off_are_known),
#ifdef TEST_HWLOC
		cmocka_unit_test(hwloc_says_the_same_of_this_machine),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
