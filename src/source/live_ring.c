/* SPDX-License-Identifier: MIT */
#include "live_slices.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/procfs.h"

/*
 * Largest size of all rings together, bytes, and largest and smallest number of pages in one ring.
 */
#define RING_MOST_BYTES (UINT64_C(8) << 20)
#define MOST_PAGES	512u
#define LEAST_PAGES	8u
/* Bytes of the longest record that the events below write. */
#define LONGEST 512u

/*
 * Position, in a tracepoint's record, of the flags that say whether an interrupt caused the record.
 */
#define FLAGS_AT	2
#define FLAGS_INTERRUPT 0x18

/* Every record except a sample ends with this struct, because sample_type below requests it. */
struct ring_id {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, pad;
};

/* PERF_FORMAT_LOST, since Linux 6.0. Older headers do not have it. */
#define RING_FORMAT_LOST (UINT64_C(1) << 4)

/*
 * Returns a descriptor or -errno. Kernels before 6.0 cannot count lost records; for these, the
 * event is opened without the count.
 */
static int perf_open(struct perf_event_attr attr, pid_t pid, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL && attr.read_format != 0) {
		attr.read_format = 0;
		fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0)
		return -errno;
	return fd;
}

/* The dummy event counts nothing; only the records that come with it are used. */
static struct perf_event_attr switch_attr(enum ring_reach reach)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.read_format = RING_FORMAT_LOST,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	attr.inherit = reach == RING_TASKS;
	attr.comm = 1;
	return attr;
}

static int open_switches(enum ring_reach reach, pid_t pid, int cpu)
{
	return perf_open(switch_attr(reach), reach == RING_CORES ? -1 : pid, cpu);
}

enum ring_reach live_ring_try(int *err)
{
	cpu_set_t set;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		*err = -errno;
	else
		*err = 0;
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET((size_t)cpu, &set))
		cpu++;
	for (enum ring_reach reach = *err ? RING_NONE : RING_CORES; reach > RING_NONE; reach--) {
		int fd = open_switches(reach, 0, cpu);

		if (fd >= 0) {
			close(fd);
			*err = 0;
			return reach;
		}
		*err = fd;
	}
	return RING_NONE;
}

/*
 * Finds the number of the tracepoint sched_waking, and the position of the woken task's PID in its
 * records.
 */
static int find_waking(const char *root, int *pid_at)
{
	static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	const char *id, *pid;
	char folder[256], text[4096];
	int found = -ENOENT;

	for (size_t i = 0; i < LENGTH(roots); i++) {
		int err;

		if (found >= 0)
			break;

		snprintf(folder, sizeof(folder), "%s%s", root, roots[i]);
		err = procfs_read_text(folder, "events/sched/sched_waking/format", text,
				       sizeof(text));
		/*
		 * If a file exists but may not be read, report that, even if the other path does
		 * not exist.
		 */
		if (err >= 0 || found == -ENOENT)
			found = err;
	}
	if (found < 0)
		return found;
	id = strstr(text, "ID: ");
	pid = strstr(text, "pid_t pid;");
	if (pid)
		pid = strstr(pid, "offset:");
	*pid_at = -1;
	if (!id || !pid)
		return -EPROTO;
	*pid_at = atoi(pid + strlen("offset:"));
	if (*pid_at >= 0)
		return atoi(id + strlen("ID: "));
	return -EPROTO;
}

static int open_tracepoint(int id, int cpu)
{
	struct perf_event_attr attr = switch_attr(RING_CORES);

	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = (uint64_t)id;
	attr.sample_period = 1;
	attr.sample_type |= PERF_SAMPLE_RAW;
	attr.exclude_kernel = attr.exclude_hv = attr.context_switch = attr.task = attr.comm = 0;
	return perf_open(attr, -1, cpu);
}

int live_ring_try_wakes(const char *root)
{
	int pid_at, id = find_waking(root, &pid_at), cpu = sched_getcpu(), fd;

	if (id < 0)
		return id;
	fd = open_tracepoint(id, MAX(0, cpu));
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void unmap_all(struct live_ring *ring)
{
	for (uint32_t i = 0; i < ring->n; i++) {
		struct ring_core *core = &ring->cores[i];

		if (core->map)
			munmap(core->map, ring->size + ring->page);
		if (core->fd >= 0)
			close(core->fd);
		core->map = NULL;
		core->fd = -1;
	}
}

static int open_core_ring(const struct live_ring *ring, struct ring_core *core, pid_t pid)
{
	void *map;

	core->map = NULL;
	core->fd = open_switches(ring->reach, pid, core->cpu);
	if (core->fd < 0)
		return core->fd;
	map = mmap(NULL, ring->size + ring->page, PROT_READ | PROT_WRITE, MAP_SHARED, core->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	core->map = map;
	return 0;
}

/*
 * Opens all rings with one size, the largest that the limits allow. If the kernel refuses that size
 * for one ring, tries a smaller size for all of them. The size must be a power of two.
 */
static int open_rings(struct live_ring *ring, pid_t pid)
{
	unsigned pages = MOST_PAGES;
	int err = -ENOMEM;

	while (pages > LEAST_PAGES && (uint64_t)ring->n * pages * ring->page > RING_MOST_BYTES)
		pages /= 2;
	for (; pages >= LEAST_PAGES; pages /= 2) {
		ring->size = pages * ring->page;
		err = 0;
		for (uint32_t i = 0; i < ring->n; i++) {
			err = open_core_ring(ring, &ring->cores[i], pid);
			if (err)
				break;
		}
		if (!err)
			break;
		unmap_all(ring);
		if (err != -ENOMEM && err != -EPERM)
			break;
	}
	return err;
}

static void close_waking(struct live_ring *ring)
{
	for (uint32_t i = 0; i < ring->n; i++) {
		if (ring->cores[i].waking_fd >= 0)
			close(ring->cores[i].waking_fd);
		ring->cores[i].waking_fd = -1;
	}
}

/* Discards records that the previous run left unread. */
static void restart_ring(struct live_ring *ring)
{
	for (uint32_t i = 0; i < ring->n; i++) {
		struct ring_core *core = &ring->cores[i];
		struct perf_event_mmap_page *head = core->map;

		core->tail = core->head = core->given =
			__atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
		core->has_next = false;
		__atomic_store_n(&head->data_tail, core->tail, __ATOMIC_RELEASE);
	}
	ring->rests = ring->filled = ring->counted = false;
	ring->lost = ring->events = 0;
}

int live_ring_open(struct live_ring *ring, enum ring_reach reach, pid_t pid, const cpu_set_t *set)
{
	long long s, ns;
	char text[256];
	const char *at;
	int err, id;

	if (ring->rests && reach == RING_CORES && CPU_EQUAL(set, &ring->set)) {
		restart_ring(ring);
		return 0;
	}
	live_ring_close(ring);
	if (reach == RING_NONE)
		return -EACCES;
	ring->reach = reach;
	ring->set = *set;
	ring->page = (size_t)sysconf(_SC_PAGESIZE);
	/*
	 * Records have the machine's clock even in a time namespace (Linux 5.6,
	 * time_namespaces(7)), so convert it.
	 */
	at = NULL;
	if (procfs_read_text("/proc", "self/timens_offsets", text, sizeof(text)) >= 0)
		at = strstr(text, "monotonic");
	if (at && sscanf(at, "monotonic %lld %lld", &s, &ns) == 2)
		ring->ahead_ns = s * 1000000000 + ns;
	ring->cores = calloc((size_t)CPU_COUNT(set) + 1, sizeof(*ring->cores));
	if (!ring->cores) {
		live_ring_close(ring);
		return -ENOMEM;
	}
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, set))
			ring->cores[ring->n++] =
				(struct ring_core) {.fd = -1, .waking_fd = -1, .cpu = (int16_t)cpu};
	err = -EINVAL;
	if (ring->n > 0)
		err = open_rings(ring, pid);
	if (err < 0) {
		live_ring_close(ring);
		return err;
	}
	/*
	 * Record wake-ups on all cores or on none, because wake-ups of some cores only would be
	 * misleading.
	 */
	id = -1;
	if (reach == RING_CORES)
		id = find_waking("", &ring->waking_pid_at);
	ring->wakes = id >= 0;
	for (uint32_t i = 0; i < ring->n; i++) {
		struct ring_core *core = &ring->cores[i];

		if (!ring->wakes)
			break;

		core->waking_fd = open_tracepoint(id, core->cpu);
		ring->wakes = core->waking_fd >= 0 &&
			      ioctl(core->waking_fd, PERF_EVENT_IOC_SET_OUTPUT, core->fd) == 0;
	}
	if (!ring->wakes)
		close_waking(ring);
	return 0;
}

/*
 * Returns bytes that the kernel has published: in place or, if they wrap around the ring's end,
 * copied to `scratch`.
 */
static const void *bytes_at(const struct live_ring *ring, const struct ring_core *core,
			    uint64_t from, void *scratch, size_t n)
{
	const char *data = (const char *)core->map + ring->page;
	const size_t at = from & (ring->size - 1);

	if (n <= ring->size - at)
		return data + at;
	memcpy(scratch, data + at, ring->size - at);
	memcpy((char *)scratch + (ring->size - at), data, n - (ring->size - at));
	return scratch;
}

/* Parses a record that has n bytes after its header. Returns whether the record is an event. */
static bool parse_record(struct live_ring *ring, const struct perf_event_header *header,
			 const char *body, size_t n, struct ring_event *event)
{
	const uint32_t *words = (const uint32_t *)(const void *)body;
	const bool waking = header->type == PERF_RECORD_SAMPLE;
	const size_t raw = sizeof(struct ring_id) + sizeof(uint32_t);
	const size_t at = raw + (size_t)ring->waking_pid_at;
	struct ring_id id;
	uint64_t lost;

	/* A sample begins with a struct ring_id and the length of the tracepoint's own record. */
	if (waking && at + sizeof(event->other) > n)
		return false;
	memcpy(&id, waking ? body : body + n - sizeof(id), sizeof(id));
	event->pid = (int32_t)id.pid;
	event->tid = (int32_t)id.tid;
	event->time_ns = id.time_ns + (uint64_t)ring->ahead_ns;
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		event->kind = RING_WAKING;
		event->interrupt = body[raw + FLAGS_AT] & FLAGS_INTERRUPT;
		memcpy(&event->other, body + at, sizeof(event->other));
		return true;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		event->other = (int32_t)words[1];
		/* fall through */
	case PERF_RECORD_SWITCH: {
		if (header->misc & PERF_RECORD_MISC_SWITCH_OUT)
			event->kind = RING_OFF;
		else
			event->kind = RING_ON;
	}
		event->preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: /* body: pid, ppid, tid, ptid */
	{
		if (header->type == PERF_RECORD_FORK)
			event->kind = RING_FORK;
		else
			event->kind = RING_EXIT;
	}
		event->pid = (int32_t)words[0];
		event->tid = (int32_t)words[2];
		event->other = (int32_t)words[3];
		return true;
	case PERF_RECORD_COMM: /* body: pid, tid and the name */
		event->kind = RING_NAME;
		event->tid = (int32_t)words[1];
		snprintf(event->name, sizeof(event->name), "%.*s",
			 (int)(n - sizeof(id) - 2 * sizeof(*words)), (const char *)&words[2]);
		return true;
	case PERF_RECORD_LOST: /* body: id, number of lost records */
		memcpy(&lost, body + sizeof(lost), sizeof(lost));
		ring->lost += lost;
		return false;
	default:
		return false;
	}
}

/* Reads the next event of one core, if it has one. */
static void fetch_event(struct live_ring *ring, struct ring_core *core)
{
	_Alignas(8) char scratch[LONGEST];
	const struct perf_event_header *header;
	uint64_t from;

	core->has_next = false;
	while (!core->has_next && core->tail < core->head) {
		from = core->tail;
		header = bytes_at(ring, core, from, scratch, sizeof(*header));
		if (header->size < sizeof(*header))
			return;
		core->tail += header->size;
		if (header->size > sizeof(scratch) ||
		    header->size < sizeof(*header) + sizeof(struct ring_id))
			continue;
		header = bytes_at(ring, core, from, scratch, header->size);
		core->next = (struct ring_event) {.core = (uint32_t)(core - ring->cores),
						  .cpu = core->cpu};
		core->has_next = parse_record(ring, header, (const char *)(header + 1),
					      header->size - sizeof(*header), &core->next);
	}
}

/*
 * Takes the time before the rings are read. Up to that time, the records of a task are complete,
 * whichever cores it was on: a core writes them before another core can run the task.
 */
void live_ring_begin(struct live_ring *ring)
{
	ring->until_ns = clock_now_ns();
	for (uint32_t i = 0; i < ring->n; i++) {
		struct ring_core *core = &ring->cores[i];
		struct perf_event_mmap_page *head = core->map;

		core->head = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
		if (!core->has_next)
			fetch_event(ring, core);
	}
}

bool live_ring_next(struct live_ring *ring, struct ring_event *event)
{
	struct ring_core *core = NULL;

	for (uint32_t i = 0; i < ring->n; i++) {
		struct ring_core *other = &ring->cores[i];

		if (other->has_next && (!core || other->next.time_ns < core->next.time_ns))
			core = other;
	}
	if (!core || core->next.time_ns > ring->until_ns) {
		/*
		 * Lets the kernel overwrite the records that were read. A ring that was never more
		 * than half full has lost nothing. If all rings are like that, `filled` stays
		 * false, and live_ring_count_lost() need not ask the kernel.
		 */
		for (uint32_t i = 0; i < ring->n; i++) {
			struct perf_event_mmap_page *head = ring->cores[i].map;

			core = &ring->cores[i];
			ring->filled |=
				__atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE) - core->given >
				ring->size / 2;
			core->given = core->tail;
			__atomic_store_n(&head->data_tail, core->tail, __ATOMIC_RELEASE);
		}
		return false;
	}
	*event = core->next;
	ring->events++;
	fetch_event(ring, core);
	return true;
}

/*
 * Adds the ring's lost records. Returns false if this kernel does not count them (before Linux
 * 6.0).
 */
static bool add_lost_records(int fd, uint64_t *lost)
{
	uint64_t read_lost[2]; /* value, number of lost records */

	if (read(fd, read_lost, sizeof(read_lost)) != sizeof(read_lost))
		return false;
	*lost += read_lost[1];
	return true;
}

void live_ring_count_lost(struct live_ring *ring)
{
	uint64_t lost = 0;
	bool known = true;

	for (uint32_t i = 0; i < ring->n; i++) {
		const struct ring_core *core = &ring->cores[i];

		if (!ring->filled)
			break;
		known &= add_lost_records(core->fd, &lost);
		if (core->waking_fd >= 0)
			known &= add_lost_records(core->waking_fd, &lost);
	}
	if (lost > ring->lost)
		ring->lost = lost;
	ring->counted = known;
}

void live_ring_rest(struct live_ring *ring)
{
	if (ring->n == 0 || ring->rests)
		return;
	ring->rests = ring->reach == RING_CORES && ring->counted && ring->lost == 0;
	if (!ring->rests)
		live_ring_close(ring);
}

void live_ring_close(struct live_ring *ring)
{
	close_waking(ring);
	unmap_all(ring);
	free(ring->cores);
	memset(ring, 0, sizeof(*ring));
}
