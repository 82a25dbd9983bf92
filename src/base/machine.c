/* SPDX-License-Identifier: MIT */
#include "base/machine.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <mntent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bundle.h"
#include "base/cgroup.h"
#include "base/procfs.h"
#include "base/error_line.h"
#include "base/units.h"
#include "base/clock.h"

#define CPUS	"sys/devices/system/cpu/"
#define POWER	"sys/class/powercap/"
#define DMI	"sys/class/dmi/id/"
#define CLOCKS	"sys/devices/system/clocksource/clocksource0/available_clocksource"
#define DEVTREE "sys/firmware/devicetree/base/"

/* Enough bytes for the longest list of CPUs: every second CPU of CPU_SETSIZE. */
#define LIST_TEXT 8192

/*
 * Sets a member of struct machine to a text from a file or from uname(2). Removes blanks around the
 * text. Bytes other than printable ASCII become '?', because the text is written to terminals, CSV
 * and JSON.
 */
static void set_sized(char *field, size_t size, const char *text)
{
	size_t n = 0;

	text += strspn(text, " \t");
	for (; n < size - 1; n++) {
		if (!text[n])
			break;
		field[n] = text[n];
		if (text[n] < ' ' || text[n] > '~')
			field[n] = '?';
	}
	while (n && field[n - 1] == ' ')
		n--;
	field[n] = '\0';
}

static void set_text(char *field, const char *text)
{
	set_sized(field, MACHINE_TEXT, text);
}

static void set_from_file(const char *root, const char *path, char *field)
{
	char text[MACHINE_TEXT];

	if (!procfs_read_text(root, path, text, sizeof(text)))
		set_text(field, text);
}

/*
 * Reads the value of "key : value" from the first block of the file; in cpuinfo that is the first
 * processor. Returns false and "" if the key is missing or the value does not fit.
 */
static bool find_key(const char *root, const char *path, const char *key, char *value, size_t size)
{
	char full[PATH_MAX], *line = NULL, *at;
	bool fits = (size_t)snprintf(full, sizeof(full), "%s/%s", root, path) < sizeof(full);
	FILE *file = fits ? fopen(full, "re") : NULL;
	size_t capacity = 0, length = strlen(key);

	value[0] = '\0';
	if (!file)
		return false;
	while (getline(&line, &capacity, file) > 0 && line[0] != '\n') {
		at = line + length;
		if (strncmp(line, key, length) != 0 || at[strspn(at, " \t")] != ':')
			continue;
		at += strspn(at, " \t") + 1;
		at += strspn(at, " \t");
		at[strcspn(at, "\n")] = '\0';
		if (strlen(at) < size)
			strcpy(value, at);
		break;
	}
	free(line);
	fclose(file);
	return value[0];
}

/*
 * In cpuinfo of Arm, two numbers identify a core. Source: register MIDR_EL1 in the Technical
 * Reference Manual of each core.
 */
static const struct {
	uint64_t implementer, part;
	const char *name;
} arm_cores[] = {
	{0x41, 0xd03, "Arm Cortex-A53"},     {0x41, 0xd04, "Arm Cortex-A35"},
	{0x41, 0xd05, "Arm Cortex-A55"},     {0x41, 0xd07, "Arm Cortex-A57"},
	{0x41, 0xd08, "Arm Cortex-A72"},     {0x41, 0xd09, "Arm Cortex-A73"},
	{0x41, 0xd0a, "Arm Cortex-A75"},     {0x41, 0xd0b, "Arm Cortex-A76"},
	{0x41, 0xd0c, "Arm Neoverse-N1"},    {0x41, 0xd40, "Arm Neoverse-V1"},
	{0x41, 0xd49, "Arm Neoverse-N2"},    {0x41, 0xd4f, "Arm Neoverse-V2"},
	{0x41, 0xd8e, "Arm Neoverse-N3"},    {0x61, 0x022, "Apple M1 Icestorm"},
	{0x61, 0x023, "Apple M1 Firestorm"}, {0xc0, 0xac3, "Ampere-1"},
};

static bool find_hex(const char *root, const char *key, uint64_t *number)
{
	char text[32], *end;

	if (!find_key(root, "proc/cpuinfo", key, text, sizeof(text)))
		return false;
	*number = strtoull(text, &end, 16);
	return end > text && !*end;
}

/* Returns a name such as "Arm Cortex-A76", or "" if the table lacks these numbers. */
static const char *arm_core_name(uint64_t implementer, uint64_t part)
{
	for (size_t i = 0; i < LENGTH(arm_cores); i++)
		if (arm_cores[i].implementer == implementer && arm_cores[i].part == part)
			return arm_cores[i].name;
	return "";
}

/*
 * Stores the name of the CPU from cpuinfo. On 64-bit Arm, cpuinfo has no name: stores the name of
 * the core from the table or, if the table lacks the core, the name of the board or, without a
 * board, the core's numbers.
 */
static void read_cpu(const char *root, struct machine *machine)
{
	/* The keys of x86 and 32-bit Arm, of MIPS, and of POWER. */
	static const char *const keys[] = {"model name", "cpu model", "cpu"};
	uint64_t implementer, part;
	char name[256];
	bool known;

	for (size_t i = 0; i < LENGTH(keys); i++) {
		if (find_key(root, "proc/cpuinfo", keys[i], name, sizeof(name)))
			set_text(machine->cpu, name);
		if (machine->cpu[0])
			return;
	}
	known = find_hex(root, "CPU implementer", &implementer) &&
		find_hex(root, "CPU part", &part);
	if (known)
		set_text(machine->cpu, arm_core_name(implementer, part));
	if (!machine->cpu[0])
		set_from_file(root, DEVTREE "model", machine->cpu);
	if (known && !machine->cpu[0])
		snprintf(machine->cpu, sizeof(machine->cpu), "implementer 0x%02x part 0x%03x",
			 (unsigned int)implementer, (unsigned int)part);
}

/*
 * A virtual machine is recognized by a text in a file. The first match counts, so the most specific
 * ones come first. systemd-detect-virt(1) uses the same names.
 */
static const struct {
	const char *file, *text, *name;
} traces[] = {
	{DMI "product_name", ".metal", "none"}, /* EC2 without a hypervisor */
	{"sys/hypervisor/type", "xen", "xen"},
	{DMI "sys_vendor", "Amazon EC2", "amazon"},
	{DMI "product_name", "Google Compute Engine", "google"},
	{DMI "product_name", "VirtualBox", "oracle"},
	{DMI "product_name", "VMware", "vmware"},
	{DMI "sys_vendor", "VMware", "vmware"},
	{DMI "product_name", "Virtual Machine", "microsoft"},
	{DMI "sys_vendor", "Parallels", "parallels"},
	{DMI "product_name", "BHYVE", "bhyve"},
	{DMI "product_name", "Apple Virtualization", "apple"},
	{DMI "product_name", "KVM", "kvm"},
	{CLOCKS, "kvm-clock", "kvm"},
	{CLOCKS, "hyperv", "microsoft"},
	{CLOCKS, "xen", "xen"},
	{DEVTREE "hypervisor/compatible", "linux,kvm", "kvm"},
	{DEVTREE "hypervisor/compatible", "xen", "xen"},
	{DMI "sys_vendor", "QEMU", "qemu"}, /* last, because a machine with KVM shows QEMU, too */
	{DEVTREE "compatible", "linux,dummy-virt", "qemu"},
};

/*
 * Finds out which hypervisor the machine runs on: "none", a name, or "" if unknown. On x86, the
 * processor says whether there is one, and the files of traces[] only say which. On other machines,
 * the files decide both. A container does not count as a virtual machine, because it has none of
 * these texts.
 */
static void read_virtualization(const char *root, struct machine *machine)
{
	char flags[LIST_TEXT], text[512];
	bool has_flags = find_key(root, "proc/cpuinfo", "flags", flags, sizeof(flags));
	const char *name = NULL;

	if (has_flags && !procfs_has_word(flags, ' ', "hypervisor"))
		name = "none";
	for (size_t i = 0; i < LENGTH(traces); i++) {
		if (name)
			break;
		if (!procfs_read_text(root, traces[i].file, text, sizeof(text)) &&
		    strstr(text, traces[i].text))
			name = traces[i].name;
	}
	if (!name) {
		if (has_flags)
			name = "vm-other";
		else
			name = "";
	}
	set_text(machine->virtualization, name);
}

static bool read_cpulist(const char *root, const char *path, cpu_set_t *set)
{
	char text[LIST_TEXT];

	return !procfs_read_text(root, path, text, sizeof(text)) && !units_parse_cpulist(text, set);
}

static int32_t count_cpulist(const char *root, const char *path)
{
	cpu_set_t set;

	if (read_cpulist(root, path, &set))
		return CPU_COUNT(&set);
	return -1;
}

static void read_caches(const char *root, int cpu, struct machine *machine)
{
	static const char *const names[] = {"level", "type", "size"};
	char path[128], text[3][32], list[MACHINE_TEXT] = "";
	struct sentence s = sentence_in(list, sizeof(list));
	int read;

	for (int i = 0; i < 16; i++) {
		const char *kind = "";

		for (read = 0; read < 3; read++) {
			snprintf(path, sizeof(path), CPUS "cpu%d/cache/index%d/%s", cpu, i,
				 names[read]);
			if (procfs_read_text(root, path, text[read], sizeof(text[read])))
				break;
		}
		if (read < 3)
			break;
		if (*text[1] == 'D')
			kind = "d";
		else if (*text[1] == 'I')
			kind = "i";
		sentence_join(&s, ", ", "L%.*s%s %.*s", (int)strcspn(text[0], "\n"), text[0], kind,
			      (int)strcspn(text[2], "\n"), text[2]);
	}
	set_text(machine->caches, list);
}

/*
 * Reads the governor of cpufreq, and the frequency: from cpufreq in kHz, otherwise from cpuinfo in
 * MHz.
 */
static void read_frequency(const char *root, int cpu, struct machine *machine)
{
	char path[128], text[64];
	uint64_t number;
	double mhz;

	snprintf(path, sizeof(path), CPUS "cpu%d/cpufreq/scaling_governor", cpu);
	set_from_file(root, path, machine->governor);
	snprintf(path, sizeof(path), CPUS "cpu%d/cpufreq/scaling_cur_freq", cpu);
	if (!procfs_read_text(root, path, text, sizeof(text)) &&
	    !units_parse_count(text, INT64_MAX / 2, &number)) {
		machine->mhz = (int64_t)((number + 500) / 1000);
		set_text(machine->frequency_source, "cpufreq");
		return;
	}
	if (!find_key(root, "proc/cpuinfo", "cpu MHz", text, sizeof(text)) ||
	    sscanf(text, "%lf", &mhz) != 1 || !(mhz >= 0 && mhz <= INT32_MAX))
		return;
	machine->mhz = llround(mhz);
	set_text(machine->frequency_source, "cpuinfo");
}

static void read_cores(const char *root, struct machine *machine)
{
	char text[LIST_TEXT];
	cpu_set_t online, allowed;
	bool known = read_cpulist(root, CPUS "online", &online);
	int first = 0;

	if (known)
		machine->cores_online = CPU_COUNT(&online);
	while (known && first < CPU_SETSIZE && !CPU_ISSET(first, &online))
		first++;
	if (find_key(root, "proc/self/status", "Cpus_allowed_list", text, sizeof(text)) &&
	    !units_parse_cpulist(text, &allowed)) {
		/* The kernel's mask may include CPUs that are not plugged in. Remove these. */
		if (known)
			CPU_AND(&allowed, &allowed, &online);
		machine->cores_allowed = CPU_COUNT(&allowed);
		units_format_cpulist(machine->cpus_allowed, sizeof(machine->cpus_allowed),
				     &allowed);
	}
	machine->performance_cores = count_cpulist(root, "sys/devices/cpu_core/cpus");
	machine->efficiency_cores = count_cpulist(root, "sys/devices/cpu_atom/cpus");
	read_frequency(root, first, machine);
	read_caches(root, first, machine);
}

/*
 * Lowers the machine's memory limit to that of the cgroup. Ignores values near 2^63, because
 * version 1 writes "no limit" as the largest number of pages, in bytes.
 */
static void take_memory_limit(void *arg, const struct cgroup *cgroup)
{
	struct machine *machine = arg;
	uint64_t bytes;

	if (!cgroup_number(cgroup, "memory.max", &bytes) &&
	    !cgroup_number(cgroup, "memory.limit_in_bytes", &bytes))
		return;
	if (bytes >= UINT64_C(1) << 62)
		return;
	if (machine->memory_limit_kb < 0 || (int64_t)(bytes / 1024) < machine->memory_limit_kb)
		machine->memory_limit_kb = (int64_t)(bytes / 1024);
}

static void take_cpu_quota(void *arg, const struct cgroup *cgroup)
{
	struct machine *machine = arg;
	double cores = cgroup_cores(cgroup);

	if (cores >= 0 && (machine->cpu_quota < 0 || cores < machine->cpu_quota))
		machine->cpu_quota = cores;
}

int64_t machine_energy_uj(const char *root)
{
	char path[PATH_MAX], text[MACHINE_TEXT];
	int64_t sum = -1;

	/*
	 * Leave out the zone "psys", because it measures the whole machine, which includes the
	 * packages.
	 */
	for (int zone = 0;; zone++) {
		snprintf(path, sizeof(path), POWER "intel-rapl:%d/name", zone);
		if (procfs_read_text(root, path, text, sizeof(text)))
			return sum;
		if (strncmp(text, "package", strlen("package")) != 0)
			continue;
		snprintf(path, sizeof(path), POWER "intel-rapl:%d/energy_uj", zone);
		if (procfs_read_text(root, path, text, sizeof(text)))
			return -1;
		sum = (MAX(0, sum)) + strtoll(text, NULL, 10);
	}
}

double machine_quota(const struct machine *machine)
{
	if (machine->cpu_quota < machine->cores_allowed)
		return machine->cpu_quota;
	return -1;
}

/* Reads a line such as PRETTY_NAME="Debian GNU/Linux 12 (bookworm)". Source: os-release(5). */
static bool read_os_release(const char *root, const char *path, struct machine *machine)
{
	char text[4096], *line, *value, quote;

	if (procfs_read_text(root, path, text, sizeof(text)))
		return false;
	for (char *rest = text; (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "PRETTY_NAME=", 12) != 0)
			continue;
		value = line + 12;
		if (*value == '"' || *value == '\'')
			quote = *value++;
		else
			quote = '\0';
		if (quote && strchr(value, quote))
			*strchr(value, quote) = '\0';
		set_text(machine->distribution, value);
	}
	return *machine->distribution;
}

/*
 * Stores only names. A partly mitigated vulnerability ("Mitigation: …; BHI: Vulnerable") counts as
 * vulnerable.
 */
static void read_mitigations(const char *root, struct machine *machine)
{
	char path[PATH_MAX], text[256];
	struct sentence bad = SENTENCE(2 * MACHINE_TEXT), good = SENTENCE(2 * MACHINE_TEXT);
	struct sentence all = SENTENCE(4 * MACHINE_TEXT);
	struct dirent **files;
	int n;

	snprintf(path, sizeof(path), "%s/" CPUS "vulnerabilities", root);
	n = scandir(path, &files, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = files[i]->d_name;

		snprintf(path, sizeof(path), CPUS "vulnerabilities/%s", name);
		if (procfs_read_text(root, path, text, sizeof(text)))
			*text = '\0';
		if (strstr(text, "Vulnerable"))
			sentence_join(&bad, ", ", "%s", name);
		else if (strstr(text, "Mitigation"))
			sentence_join(&good, ", ", "%s", name);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
	if (bad.used)
		sentence_add(&all, "vulnerable: %s", bad.buf);
	if (good.used)
		sentence_join(&all, "; ", "mitigated: %s", good.buf);
	if (n > 0)
		set_sized(machine->mitigations, sizeof(machine->mitigations),
			  sentence_text(all.buf, "none needed"));
}

/*
 * Finds the mount point with the longest path that contains the given one. If several file systems
 * are mounted there, the last one counts.
 */
void machine_filesystem(const char *root, const char *path, char *type, size_t size)
{
	char file[PATH_MAX], real[PATH_MAX];
	const struct mntent *mount;
	size_t nearest = 0;
	FILE *mounts;

	*type = '\0';
	snprintf(file, sizeof(file), "%s/proc/self/mounts", root);
	if (realpath(path, real))
		mounts = setmntent(file, "re");
	else
		mounts = NULL;
	while (mounts && (mount = getmntent(mounts))) {
		const size_t n = strlen(mount->mnt_dir);

		if (n < nearest || strncmp(real, mount->mnt_dir, n) != 0 ||
		    (n != 1 && real[n] != '/' && real[n] != '\0'))
			continue;
		nearest = n;
		set_sized(type, size, mount->mnt_type);
	}
	if (mounts)
		endmntent(mounts);
}

void machine_name(struct machine *machine, const char *label, bool anonymous)
{
	if (label)
		set_text(machine->label, label);
	if (anonymous)
		machine->host[0] = '\0';
}

static const char *smt_name(char active)
{
	if (active == '1')
		return "on";
	if (active == '0')
		return "off";
	return "";
}

void machine_read(const char *root, struct machine *machine)
{
	char text[128], id[MACHINE_TEXT], salted[3 * MACHINE_TEXT], hash[SHA256_HEX], *word;
	struct utsname name;
	uint64_t kb;

	*machine = (struct machine) {
		.cores_online = -1,
		.cores_allowed = -1,
		.performance_cores = -1,
		.efficiency_cores = -1,
		.mhz = -1,
		.memory_kb = -1,
		.memory_limit_kb = -1,
		.cpu_quota = -1,
		.tick_ns = -1,
		.clock_ns = -1,
	};
	if (!uname(&name)) {
		set_text(machine->host, name.nodename);
		set_text(machine->kernel, name.release);
		set_text(machine->arch, name.machine);
	}
	/* confstr() returns "glibc 2.36" with glibc and nothing with musl. */
	confstr(_CS_GNU_LIBC_VERSION, machine->libc, sizeof(machine->libc));
	machine->page_kb = (int32_t)(sysconf(_SC_PAGESIZE) / 1024);
	machine->clock_ticks = (int32_t)sysconf(_SC_CLK_TCK);
	read_cpu(root, machine);
	read_virtualization(root, machine);
	read_cores(root, machine);
	/*
	 * machine-id(5) asks programs to publish only a hash of the ID, made with a key of the
	 * program. Include the CPUs in the hash, to distinguish copies of a virtual machine's disk.
	 */
	if (procfs_read_text(root, "etc/machine-id", id, sizeof(id)))
		procfs_read_text(root, "var/lib/dbus/machine-id", id, sizeof(id));
	id[strcspn(id, "\n")] = '\0';
	if (strlen(id) == 32) { /* An image that never ran has "uninitialized" instead of an ID. */
		snprintf(salted, sizeof(salted), "tuibench room 1\n%s\n%s\n%d", id, machine->cpu,
			 machine->cores_online);
		sha256(salted, strlen(salted), hash);
		snprintf(machine->id, sizeof(machine->id), "%.16s", hash);
	}
	/* The text is like "always [madvise] never". */
	if (!procfs_read_text(root, "sys/kernel/mm/transparent_hugepage/enabled", text,
			      sizeof(text)) &&
	    (word = strchr(text, '['))) {
		word[strcspn(word, "]")] = '\0';
		set_text(machine->hugepages, word + 1);
	}
	if (find_key(root, "proc/meminfo", "MemTotal", text, sizeof(text))) {
		text[strcspn(text, " ")] = '\0';
		if (!units_parse_count(text, INT64_MAX, &kb))
			machine->memory_kb = (int64_t)kb;
	}
	if (!read_os_release(root, "etc/os-release", machine))
		read_os_release(root, "usr/lib/os-release", machine);
	/*
	 * smt/active is 1 if some core has two CPUs online, even if this process may use only one
	 * of the two.
	 */
	if (!procfs_read_text(root, CPUS "smt/active", text, sizeof(text)))
		set_text(machine->smt, smt_name(*text));
	read_mitigations(root, machine);
	cgroup_walk(root, "memory", take_memory_limit, machine);
	cgroup_walk(root, "cpu", take_cpu_quota, machine);
}

#define SERIES	 51
#define READINGS 40

/* Each addition needs the result of the previous one, and takes one cycle on every processor. */
#if defined(__x86_64__)
#define ADD "add %1, %0"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %1"
#elif defined(__riscv)
#define ADD "add %0, %0, %1"
#endif

#define ADDS   512 /* Enough additions that the loop's own instructions are less than 1 %. */
#define ROUNDS 32
#define TRY_NS 2000000
#define LEAST  100 /* Least plausible frequency, MHz. A lower result means an emulated core. */

#define TEXT_OF(x) #x
#define TEXT(x)	   TEXT_OF(x)

int64_t machine_core_mhz(void)
{
#ifdef ADD
	uint64_t end = clock_now_ns() + TRY_NS, least = UINT64_MAX, begin, took;
	unsigned long sum = 0, step = 1;

	do {
		begin = clock_now_ns();
		for (int i = 0; i < ROUNDS; i++)
			__asm__ volatile(".rept " TEXT(ADDS) "\n\t" ADD "\n\t.endr"
					 : "+r"(sum)
					 : "r"(step));
		took = clock_now_ns() - begin;
		least = MIN(took, least);
	} while (begin < end);
	if (least > 0 && ADDS * ROUNDS * UINT64_C(1000) / least >= LEAST)
		return (int64_t)(ADDS * ROUNDS * UINT64_C(1000) / least);
#endif
	return -1;
}

void machine_measure(struct machine *machine)
{
	uint64_t took[SERIES];
	int64_t mhz = -1;

	machine->tick_ns = tick_ns();
	/*
	 * Take the median of several series, so that interrupts have no effect. Each series has
	 * many readings, so the step of a coarse clock has little effect.
	 */
	for (int i = 0; i < SERIES; i++) {
		uint64_t begin = clock_now_ns(), end = begin;

		for (int j = 0; j < READINGS; j++)
			end = clock_now_ns();
		took[i] = end - begin;
	}
	qsort(took, SERIES, sizeof(*took), array_by_int64);
	machine->clock_ns = (int64_t)((took[SERIES / 2] + READINGS / 2) / READINGS);
	/*
	 * Measure the frequency unless cpufreq reports it: in a virtual machine, cpuinfo has the
	 * frequency of the time stamp counter, not of the core.
	 */
	if (strcmp(machine->frequency_source, "cpufreq") != 0)
		mhz = machine_core_mhz();
	if (mhz >= 0) {
		machine->mhz = mhz;
		snprintf(machine->frequency_source, sizeof(machine->frequency_source), "measured");
	}
}
