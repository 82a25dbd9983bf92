/* SPDX-License-Identifier: MIT */
#include "live_others.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/clock.h"
#include "base/environment.h"
#include "base/procfs.h"

/*
 * The part as a share of the whole, in 0.1 %. Ticks are coarse, so a part may seem larger than the
 * whole.
 */
static int16_t permille(int64_t part, int64_t all)
{
	int64_t share = (part * 1000 + all / 2) / all;

	return (int16_t)MAX(0, MIN(share, 1000));
}

int live_cores_open(struct live_cores *cores, const char *proc_root)
{
	int err;

	memset(cores, 0, sizeof(*cores));
	cores->stat.fd = -1;
	cores->max = get_nprocs_conf();
	cores->before = calloc((size_t)cores->max, sizeof(*cores->before));
	cores->now = calloc((size_t)cores->max, sizeof(*cores->now));
	cores->load = calloc((size_t)cores->max, sizeof(*cores->load));
	if (!cores->before || !cores->now || !cores->load)
		err = -ENOMEM;
	else
		err = procfs_stat_open(&cores->stat, proc_root);
	if (err == 0)
		err = cores->n_before = procfs_stat_read(&cores->stat, cores->before, cores->max);
	if (err < 0)
		live_cores_close(cores);
	return MIN(err, 0);
}

/*
 * Ticks between two readings; 0 if the later one is smaller, because iowait may decrease (proc(5)).
 */
static int64_t ticks_since(uint64_t before, uint64_t now)
{
	if (now > before)
		return (int64_t)(now - before);
	return 0;
}

int live_cores_read(struct live_cores *cores, struct sample_core **load)
{
	struct procfs_core *swap = cores->before;
	int n;

	if (!cores->load)
		return -EBADF;
	n = procfs_stat_read(&cores->stat, cores->now, cores->max);
	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		const struct procfs_core *now = &cores->now[i], *before;
		int64_t user, system, iowait, steal, all;
		int k = i;

		/*
		 * A core usually keeps its index. Another core that went online or offline changes
		 * it.
		 */
		if (k >= cores->n_before || cores->before[k].cpu != now->cpu) {
			k = 0;
			while (k < cores->n_before && cores->before[k].cpu != now->cpu)
				k++;
		}
		cores->load[i] = sample_core_unknown(now->cpu);
		if (k == cores->n_before)
			continue;
		before = &cores->before[k];
		user = ticks_since(before->user, now->user) + ticks_since(before->nice, now->nice);
		system = ticks_since(before->system, now->system) +
			 ticks_since(before->irq, now->irq) +
			 ticks_since(before->softirq, now->softirq);
		iowait = ticks_since(before->iowait, now->iowait);
		steal = ticks_since(before->steal, now->steal);
		all = user + system + iowait + steal + ticks_since(before->idle, now->idle);
		if (all == 0)
			continue;
		CPU_SET(now->cpu, &cores->counted);
		cores->load[i].user = permille(user, all);
		cores->load[i].system = permille(system, all);
		cores->load[i].iowait = permille(iowait, all);
		cores->load[i].steal = permille(steal, all);
	}
	cores->before = cores->now;
	cores->now = swap;
	cores->n_before = n;
	*load = cores->load;
	return n;
}

#define OTHERS_SECOND UINT64_C(1000000000)

static int first_uncounted(const struct live_cores *cores, const cpu_set_t *usable)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, usable) && !CPU_ISSET(cpu, &cores->counted))
			return cpu;
	return -1;
}

int live_cores_uncounted(struct live_cores *cores, const cpu_set_t *usable, uint64_t now_ns)
{
	const bool known = cores->counted_ns > 0 && now_ns >= cores->counted_ns + OTHERS_SECOND / 2;
	int found = -1;

	if (known)
		found = first_uncounted(cores, usable);
	if (known || cores->counted_ns == 0) {
		CPU_ZERO(&cores->counted);
		cores->counted_ns = now_ns;
	}
	return found;
}

/*
 * A core's frequency is read only if the core was busy for at least this share of the time, in 0.1
 * %.
 */
#define AT_WORK 500

void live_cores_mhz(struct live_cores *cores, const char *root, uint64_t now_ns,
		    struct sample_core *load, int n)
{
	char path[80], text[32];
	long khz;

	if (now_ns < cores->mhz_ns)
		return;
	for (int i = 0; i < n; i++) {
		if (load[i].cpu < 0 || load[i].user + load[i].system < AT_WORK)
			continue;
		cores->mhz_ns = now_ns + OTHERS_SECOND;
		snprintf(path, sizeof(path),
			 "sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", load[i].cpu);
		procfs_read_text(root, path, text, sizeof(text));
		khz = strtol(text, NULL, 10);
		if (khz > 0 && khz / 1000 < INT16_MAX)
			load[i].mhz = (int16_t)((khz + 500) / 1000);
	}
}

void live_cores_close(struct live_cores *cores)
{
	procfs_stat_close(&cores->stat);
	free(cores->before);
	free(cores->now);
	free(cores->load);
	memset(cores, 0, sizeof(*cores));
	cores->stat.fd = -1;
}

/* Largest error that ticks can cause in one run, µs. A larger deficit has another cause. */
#define MOST_OWED_US 100000

static bool counts_core(const struct live_others *others, int cpu)
{
	return CPU_COUNT(&others->set) == 0 ||
	       (cpu < CPU_SETSIZE && CPU_ISSET((size_t)cpu, &others->set));
}

void live_others_attribute(struct live_others_self *self, int64_t used_us, bool on)
{
	if (on)
		self->on_us += used_us - self->seen_us;
	self->seen_us = used_us;
}

void live_others_look(struct live_others *others)
{
	int cpu = sched_getcpu();

	live_others_attribute(&others->self, (int64_t)clock_used_us(RUSAGE_SELF),
			      cpu < 0 || counts_core(others, cpu));
}

/* Sums over the cores; cores is 0 if they cannot be read. */
static struct live_others_sum sum_cores(struct live_others *others)
{
	const int64_t tick_us = 1000000 / sysconf(_SC_CLK_TCK);
	struct live_cores *cores = others->cores;
	int n = cores->load ? procfs_stat_read(&cores->stat, cores->now, cores->max) : -EBADF;
	struct live_others_sum sum = {.wall_us = (int64_t)(clock_now_ns() / 1000)};

	live_others_look(others);
	sum.own_us = others->self.on_us + (int64_t)clock_used_us(RUSAGE_CHILDREN);
	for (int i = 0; i < n; i++) {
		const struct procfs_core *core = &cores->now[i];

		if (!counts_core(others, core->cpu))
			continue;
		sum.cores++;
		sum.busy_us += (int64_t)(core->user + core->nice + core->system) * tick_us;
		sum.steal_us += (int64_t)core->steal * tick_us;
	}
	return sum;
}

void live_others_begin(struct live_others *others, const cpu_set_t *set)
{
	others->set = *set;
	others->before = sum_cores(others);
}

void live_others_judge(const struct live_others_sum *before, const struct live_others_sum *after,
		       int64_t *owed_us, int16_t *share, int16_t *steal)
{
	int64_t wall_us = (after->wall_us - before->wall_us) * after->cores;
	int64_t own_us = after->own_us - before->own_us;
	int64_t left_us = after->busy_us - before->busy_us - own_us - *owed_us;

	*share = *steal = -1;
	if (wall_us <= 0 || after->cores != before->cores)
		return;
	*owed_us = MAX(0, MIN(-left_us, MOST_OWED_US));
	*share = permille(left_us, wall_us);
	*steal = permille(after->steal_us - before->steal_us, wall_us);
}

void live_others_end(struct live_others *others, int16_t *share, int16_t *steal)
{
	const struct live_others_sum after = sum_cores(others);

	live_others_judge(&others->before, &after, &others->owed_us, share, steal);
	others->before = (struct live_others_sum) {.cores = 0};
}

#define OTHERS_LOOK_NS 1000000000
/*
 * Warn if the front end waited for at least this share of the time, and at least this many times as
 * long as it ran.
 */
#define WAITED_SHARE 0.5
#define WAITED_TIMES 10

/*
 * Looks for a cgroup of the cpu controller. With version 2, all but the root cgroup have
 * cpu.weight; with version 1, the root cgroup has cpu.shares too.
 */
static void look_for_group(void *arg, const struct cgroup *cgroup)
{
	struct live_precedence *precedence = arg;
	char text[64];
	bool v2 = cgroup_text(cgroup, "cpu.weight", text, sizeof(text)) == 0;
	bool v1 = *cgroup->path && strcmp(cgroup->path, "/") != 0 &&
		  cgroup_text(cgroup, "cpu.shares", text, sizeof(text)) == 0;

	if (v1 || v2)
		precedence->group = "a cgroup shares the cores";
}

void live_precedence_find(struct live_precedence *precedence, const char *root)
{
	char text[16];

	memset(precedence, 0, sizeof(*precedence));
	cgroup_walk(root, "cpu", look_for_group, precedence);
	if (precedence->group)
		return;
	if (procfs_read_text(root, "proc/sys/kernel/sched_autogroup_enabled", text, sizeof(text)) ==
		    0 &&
	    text[0] != '0')
		return;
	precedence->group = "sched_autogroup_enabled is 0";
}

const char *live_precedence_futile(const struct live_precedence *precedence)
{
	if (precedence->group)
		return NULL;
	return "-s nice has no effect against other programs: the kernel shares the cores among "
	       "sessions first (autogroup, see sched(7)), and each run is a session of its own. "
	       "Turn autogroups off as root: sysctl kernel.sched_autogroup_enabled=0";
}

void live_precedence_take(struct live_precedence *precedence, const char *folder)
{
	char v2[PATH_MAX + 64], v1[PATH_MAX + 64];
	int least;

	snprintf(v2, sizeof(v2), "%s/cpu.weight", folder);
	snprintf(v1, sizeof(v1), "%s/cpu.shares", folder);
	precedence->apart = *folder && (access(v2, F_OK) == 0 || access(v1, F_OK) == 0);
	if (!precedence->group || precedence->apart || precedence->raised)
		return;
	precedence->own = environment_nice();
	least = environment_nice_least();
	precedence->raised = least < precedence->own && setpriority(PRIO_PROCESS, 0, least) == 0;
}

void live_precedence_give(struct live_precedence *precedence)
{
	if (precedence->raised)
		setpriority(PRIO_PROCESS, 0, precedence->own);
	precedence->raised = false;
	precedence->looked_ns = 0;
}

bool live_precedence_waits(struct live_precedence *precedence, const char *root, int nice,
			   uint64_t now_ns, char *buf, size_t size)
{
	uint64_t ran_ns, waited_ns;
	double span, waited, ran;
	char text[96];

	if (!precedence->group || precedence->apart || precedence->said ||
	    (precedence->looked_ns && now_ns - precedence->looked_ns < OTHERS_LOOK_NS) ||
	    procfs_read_text(root, "proc/thread-self/schedstat", text, sizeof(text)) < 0 ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &ran_ns, &waited_ns) != 2)
		return false;
	span = (double)(now_ns - precedence->looked_ns);
	waited = (double)(waited_ns - precedence->waited_ns);
	ran = (double)(ran_ns - precedence->ran_ns);
	precedence->said = precedence->looked_ns && waited > WAITED_SHARE * span &&
			   waited > WAITED_TIMES * ran;
	precedence->looked_ns = now_ns;
	precedence->ran_ns = ran_ns;
	precedence->waited_ns = waited_ns;
	if (precedence->said)
		snprintf(buf, size,
			 "this program waited for a core for %.1f of the last %.1f s, so keys "
			 "and signals waited, too: it is scheduled in one group with the workers "
			 "(%s)%s",
			 waited / 1e9, span / 1e9, precedence->group,
			 nice < 19 ? "; with -s nice=19 this program runs before the workers" : "");
	return precedence->said;
}

/* /dev/pts devices have 8 majors of 2^20 minors each. Linux uses only the first major. */
#define PTS_MAJOR 136

struct search {
	const char *root;
	dev_t tty;
	unsigned index; /* number of the terminal in /dev/pts */
};

static bool holds_other_end(const struct search *search, pid_t pid)
{
	const struct dirent *entry;
	char path[PATH_MAX], text[512];
	const char *at;
	unsigned number;
	bool found = false;
	ssize_t n;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%d/fd", search->root, (int)pid);
	dir = opendir(path);
	if (!dir) {
		/*
		 * The files of another user's sshd may be unreadable, but its title is "sshd:
		 * user@pts/3".
		 */
		snprintf(path, sizeof(path), "%d/cmdline", (int)pid);
		if (procfs_read_text(search->root, path, text, sizeof(text)) < 0 ||
		    strncmp(text, "sshd", 4) != 0)
			return false;
		at = strstr(text, "@pts/");
		return at && sscanf(at, "@pts/%u", &number) == 1 && number == search->index;
	}
	while (!found && (entry = readdir(dir))) {
		n = readlinkat(dirfd(dir), entry->d_name, text, sizeof(text) - 1);
		text[MAX(n, 0)] = '\0';
		if (!strstr(text, "/ptmx"))
			continue;
		snprintf(path, sizeof(path), "%d/fdinfo/%.20s", (int)pid, entry->d_name);
		if (procfs_read_text(search->root, path, text, sizeof(text)) < 0)
			continue;
		at = strstr(text, "tty-index:");
		found = at && sscanf(at, "tty-index: %u", &number) == 1 && number == search->index;
	}
	closedir(dir);
	return found;
}

/*
 * Finds the nearest ancestor that has the other end open, or the server of tmux or screen: $TMUX is
 * "/tmp/tmux-0/default,PID,0", $STY is "PID.pts-0.lab". Returns 0 if there is none.
 */
static pid_t find_holder(const struct search *search)
{
	const char *tmux = getenv("TMUX"), *comma = tmux ? strchr(tmux, ',') : NULL;
	const char *servers[] = {comma ? comma + 1 : NULL, getenv("STY")};
	char path[32], text[512];

	/*
	 * Skip a process that uses the terminal itself. It does not display the terminal, whatever
	 * descriptors it has inherited.
	 */
	for (pid_t pid = getppid(), parent; pid > 1; pid = parent) {
		const char *end;
		int tty;

		snprintf(path, sizeof(path), "%d/stat", (int)pid);
		end = procfs_read_stat(search->root, path, text, sizeof(text));
		if (!end || sscanf(end, ") %*c %d %*d %*d %d", &parent, &tty) != 2)
			break;
		if (makedev((unsigned)tty >> 8 & 0xfff,
			    ((unsigned)tty & 0xff) | ((unsigned)tty >> 12 & 0xfff00)) !=
			    search->tty &&
		    holds_other_end(search, pid))
			return pid;
	}
	for (int i = 0; i < 2; i++) {
		long pid = servers[i] ? strtol(servers[i], NULL, 10) : 0;

		if (pid > 1 && pid < INT_MAX && holds_other_end(search, (pid_t)pid))
			return (pid_t)pid;
	}
	return 0;
}

void live_terminal_open(struct live_terminal *terminal, const char *root, int fd)
{
	struct search search = {.root = root};
	struct stat st;
	char path[32];

	*terminal = (struct live_terminal) {.pid = 0};
	if (fd < 0 || !isatty(fd) || fstat(fd, &st) < 0)
		return;
	search.tty = st.st_rdev;
	search.index = minor(st.st_rdev);
	if (major(st.st_rdev) != PTS_MAJOR) {
		terminal->why = "the kernel draws this terminal";
		return;
	}
	terminal->pid = find_holder(&search);
	/*
	 * Any process's CPU clock can be read without permission. It counts the CPU time of all
	 * threads in ns.
	 */
	if (!terminal->pid || clock_getcpuclockid(terminal->pid, &terminal->clock) != 0) {
		terminal->pid = 0;
		terminal->why = "no ancestor of tuibench is this terminal's emulator";
		return;
	}
	snprintf(path, sizeof(path), "%d/comm", (int)terminal->pid);
	if (procfs_read_text(root, path, terminal->name, sizeof(terminal->name)) < 0)
		strcpy(terminal->name, "terminal");
	for (char *p = terminal->name; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	terminal->begin_us = live_terminal_used_us(terminal);
}

int64_t live_terminal_used_us(const struct live_terminal *terminal)
{
	struct timespec used;
	int64_t us;

	if (!terminal->pid || clock_gettime(terminal->clock, &used) < 0)
		return -1;
	us = (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000 - terminal->begin_us;
	if (us < 0)
		return -1;
	return us;
}
