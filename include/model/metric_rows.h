/* SPDX-License-Identifier: MIT */
/*
 * One row for each metric, in the order of the exports: see struct metric. A file that includes
 * this header defines METRIC() first.
 */
/* clang-format off */
METRIC(WORKERS, "workers", "workers", METRIC_COUNT, RUNS, TOTAL(workers))
METRIC(N_CREATED, "created", "created", METRIC_COUNT, RUNS, TOTAL(created))
METRIC(N_FINISHED, "finished", "finished", METRIC_COUNT, RUNS, TOTAL(finished))
METRIC(N_JOINED, "joined", "joined", METRIC_COUNT, RUNS, TOTAL(joined))
METRIC(N_FAILED, "failed", "failed", METRIC_COUNT, RUNS | WORSE, TOTAL(failed))
METRIC(PEAK_ALIVE, "peak_alive", "peak alive", METRIC_COUNT, RUNS,
       .get = get_peak_alive)
METRIC(ELAPSED, "elapsed_ms", "elapsed", METRIC_NS, WALL, .get = get_elapsed,
       .words = "elapsed time")
METRIC(CREATE, "create_ms", "created in", METRIC_NS, WALL, TOTAL(create_ns),
       .brief = "creation", .words = "time to create", .cost = 2, .total = 2)
METRIC(CPU, "cpu_ms", "cpu time", METRIC_US, RUNS | PAIRS, SUM(user_us, system_us),
       .brief = "cpu", .words = "CPU time", .cost = 1, .total = 1)
METRIC(USER, "user_ms", "user", METRIC_US, RUNS | WORSE, .get = get_split, .cost = 3)
METRIC(SYSTEM, "system_ms", "system", METRIC_US, RUNS | WORSE, .get = get_split, .cost = 4,
       .total = 8)
METRIC(VOLUNTARY, "nvcsw", "voluntary", METRIC_COUNT, RUNS | WORSE, TOTAL(nvcsw),
       .words = "voluntary switches", .cost = 6, .total = 3)
METRIC(INVOLUNTARY, "nivcsw", "involuntary", METRIC_COUNT, RUNS | WORSE, TOTAL(nivcsw),
       .words = "involuntary switches", .cost = 5, .total = 4)
METRIC(MINFLT, "minflt", "minor faults", METRIC_COUNT, RUNS | WORSE, TOTAL(minflt))
METRIC(MAJFLT, "majflt", "major faults", METRIC_COUNT, RUNS | WORSE, TOTAL(majflt))
/* READ: bytes that the work itself reads. CHECKED: bytes that workers read to check their work. */
METRIC(READ, "read_kb", "read", METRIC_KIB, RUNS | WORSE, .get = get_read, .cost = 8,
       .total = 6)
METRIC(WRITTEN, "written_kb", "written", METRIC_KIB, RUNS | WORSE, TOTAL(written_kb), .cost = 9,
       .total = 7)
METRIC(CHECKED, "checked_kb", "read to check", METRIC_KIB, RUNS | WORSE | FILES,
       TOTAL(checked_kb), .cost = 10)
METRIC(FROM_DISK, "disk_read_kb", "from disks", METRIC_KIB, RUNS | WORSE | FILES,
       TOTAL(disk_read_kb), .cost = 11)
METRIC(TO_DISK, "disk_written_kb", "to disks", METRIC_KIB, RUNS | WORSE | FILES,
       TOTAL(disk_written_kb), .cost = 12)
METRIC(RSS, "rss_kb", "RSS summed", METRIC_KIB, PEAK, TOTAL(memory.rss_kb), .brief = "RSS",
       .memory = 5, SEEN(rss))
METRIC(PSS, "pss_kb", "PSS", METRIC_KIB, PEAK, TOTAL(memory.pss_kb), .memory = 2,
       .guess = GUESS_PSS, SEEN(pss))
METRIC(USS, "uss_kb", "USS", METRIC_KIB, PEAK, TOTAL(memory.uss_kb), .memory = 4,
       .guess = GUESS_PSS, SEEN(pss))
METRIC(KERNEL, "kernel_kb", "kernel", METRIC_KIB, PEAK, TOTAL(memory.kernel_kb), .memory = 3,
       .guess = GUESS_KERNEL, SEEN(kernel))
METRIC(MEMORY, NULL, "PSS+kernel", METRIC_KIB, WORSE, SUM(memory.pss_kb, memory.kernel_kb),
       .get = get_memory, .words = "memory", .memory = 1, .guess = GUESS_PSS | GUESS_KERNEL, SEEN(pss))
METRIC(SWITCHES, "switches", "switches", METRIC_COUNT, PAIRS, SUM(nvcsw, nivcsw))
METRIC(FAULTS, "faults", "faults", METRIC_COUNT, PAIRS, SUM(minflt, majflt), .cost = 7,
       .total = 5)
METRIC(SELF_CPU, "self_cpu_ms", "tuibench's own", METRIC_US, RUNS | WORSE, TOTAL(self_cpu_us))
METRIC(DRAIN_CPU, "drain_cpu_ms", "the drain's", METRIC_US, RUNS | WORSE, TOTAL(drain_us))
METRIC(TERMINAL_CPU, "terminal_cpu_ms", "the terminal's", METRIC_US, RUNS | WORSE,
       TOTAL(terminal_us))
METRIC(HELD, "held_ms", "held", METRIC_NS, RUNS, TOTAL(held_ns))
METRIC(LINES, "lines", "lines", METRIC_COUNT, RUNS, TOTAL(hello_lines))
/* Share of the started tasks that began on the core on which their parent called create. */
METRIC(SAME_CORE, "same_core_percent", "same core", METRIC_PERCENT, RUNS, .get = get_same_core,
       .cost = 13)
/* perf-stat(1) calls this "CPUs utilized". */
METRIC(CORES, "cores_used", "cores used", METRIC_DECIMAL, RUNS | METRIC_OF_WALL,
       .get = get_cores, .brief = "cores", .cost = 14)
/* Medians of a run's creations, in the order of enum model_latency_span. */
METRIC(CALLER, "to_caller_ns", "until it returns", METRIC_NS, EACH, .get = get_latency)
METRIC(TASK, "to_task_ns", "until the task runs", METRIC_NS, EACH, .get = get_latency)
METRIC(JOINED, "joined_ns", "until joined", METRIC_NS, EACH, .get = get_latency)
/* The parts of the kernel's memory when that memory was at its peak. */
METRIC(TABLES, "kernel_tables_kb", "page tables", METRIC_KIB, PART, TOTAL(memory.kernel_tables_kb),
       SEEN(kernel))
METRIC(STACKS, "kernel_stacks_kb", "kernel stacks", METRIC_KIB, PART,
       TOTAL(memory.kernel_stacks_kb), SEEN(kernel))
METRIC(OTHER, "kernel_other_kb", "slab and other", METRIC_KIB, PART, TOTAL(memory.kernel_other_kb),
       .guess = GUESS_KERNEL, SEEN(kernel))
/*
 * The parts of the critical path, in the order of enum model_path_part. PATH is the whole. RUNNING
 * is the sum of working, waiting and blocked, for paths in which these three cannot be told apart.
 */
METRIC(CREATING, "creating_ms", "creating", METRIC_NS, PATH, .get = get_path,
       .words = "in create calls")
METRIC(STARTING, "starting_ms", "starting", METRIC_NS, PATH, .get = get_path)
METRIC(WORKING, "working_ms", "working", METRIC_NS, PATH, .get = get_path)
METRIC(WAITING, "waiting_ms", "waiting", METRIC_NS, PATH, .get = get_path,
       .words = "waiting for a core")
METRIC(BLOCKED, "blocked_ms", "blocked", METRIC_NS, PATH, .get = get_path)
METRIC(JOINING, "joining_ms", "joining", METRIC_NS, PATH, .get = get_path,
       .words = "being joined")
METRIC(RUNNING, "running_ms", "running", METRIC_NS, PATH, .get = get_path,
       .words = "running or blocked")
METRIC(PATH, NULL, "elapsed", METRIC_NS, PATH & ~RUNS, .get = get_path)
/* Counts of the workers, not of their parents. */
METRIC(MIGRATIONS, "migrations", "migrations", METRIC_COUNT, RUNS | WORSE, TOTAL(migrations))
METRIC(CYCLES, "cycles", "cycles", METRIC_EVENTS, COUNTED, TOTAL(cycles))
METRIC(INSTRUCTIONS, "instructions", "instructions", METRIC_EVENTS, COUNTED, TOTAL(instructions))
METRIC(PER_CYCLE, "instructions_per_cycle", "per cycle", METRIC_DECIMAL, COUNTED & ~WORSE,
       TOTAL(instructions), PER(cycles), .words = "instructions per cycle")
METRIC(CACHE_MISSES, "cache_misses", "cache misses", METRIC_EVENTS, COUNTED, TOTAL(cache_misses))
METRIC(TLB_MISSES, "tlb_misses", "TLB misses", METRIC_EVENTS, COUNTED, TOTAL(tlb_misses))
/* For runs in which one worker commits a fault. */
METRIC(SURVIVED, "survived", "survived", METRIC_COUNT, FAULTS, TOTAL(survived))
METRIC(NOTICED, "parent_noticed_ms", "parent noticed after", METRIC_NS, FAULTS, TOTAL(noticed_ns))
/* For workers that record their operations: the run's median, and its mean. */
METRIC(OPERATION, "operation_ns", "an operation", METRIC_NS, OPERATES, .get = get_operation,
       .brief = "round trip", .words = "time of an operation")
METRIC(OPERATION_MEAN, "operation_mean_ns", "an operation on average", METRIC_NS, OPERATES,
       TOTAL(operations_ns), PER(operations))
/* The time of each kind of work, for runs with several kinds: struct model_kinds. */
#define KIND(number, NAME, name)                                                                   \
	METRIC(KIND_##NAME, "elapsed_" #name "_ms", #name, METRIC_NS, KINDS, .get = get_kind)
WORK_LIST(KIND)
#undef KIND
/* For workers that repeat one operation. */
METRIC(STEP, "step_ns", "per operation", METRIC_SHORT, PAIRS | RUNS | STEPPED,
       .get = get_step, .words = "time of one operation")
METRIC(RATE, "steps_per_s", "a second", METRIC_EVENTS, RUNS | STEPPED, .get = get_rate,
       .words = "operations a second")
METRIC(STEPS, "steps", "operations", METRIC_COUNT, RUNS | STEPPED, TOTAL(steps))
METRIC(STEP_FAULTS, "step_faults", "page faults", METRIC_COUNT, RUNS | COPIES,
       TOTAL(steps_faults), .words = "page faults")
METRIC(FAIRNESS, "fairness_percent", "fairness", METRIC_PERCENT, RUNS | METRIC_OF_SHARING,
       .get = get_fairness)
METRIC(TOGETHER, "together_percent", "together", METRIC_PERCENT, RUNS | METRIC_OF_SHARING,
       .get = get_together, .words = "all at it together")
METRIC(COPIED, "copied_kb", "copied", METRIC_KIB, RUNS | COPIES, TOTAL(copied_kb),
       .words = "memory copied")
/* For work that is handed out piece by piece. Each piece is an operation. */
METRIC(TASKS, "tasks", "tasks", METRIC_COUNT, TASKED, TOTAL(tasks))
METRIC(PER_SECOND, "tasks_per_second", "per second", METRIC_COUNT, TASKED | METRIC_OF_WALL,
       .get = get_per_second, .words = "tasks per second")
METRIC(TASK_CREATE, "task_create_ms", "creation each", METRIC_NS, TASKED | WORSE,
       TOTAL(task_create_ns))
METRIC(MESSAGES, "messages", "messages", METRIC_COUNT, MESSAGED, TOTAL(messages))
METRIC(MESSAGE_RATE, "messages_per_second", "per second", METRIC_COUNT, MESSAGED | METRIC_OF_WALL,
       .get = get_message_rate, .words = "messages per second")
METRIC(WRONG, "wrong_results", "wrong result", METRIC_COUNT, FAULTS, TOTAL(wrong_results))
METRIC(LOST, "increments_lost", "lost", METRIC_COUNT, RUNS | WORSE | METRIC_OF_SHARING,
       TOTAL(increments_lost), .words = "increments lost")
/* 100 % is one core that is busy for the whole time. */
METRIC(SHARE, "cpu_percent", "of a core", METRIC_PERCENT, RUNS | METRIC_OF_PAIRS | METRIC_OF_WALL,
       .get = get_cores, .words = "CPU use (one core = 100 %)")
/*
 * Bytes of the work's read and write calls. Not included: reads that check the work, pages read
 * from disk, and mapped files.
 */
METRIC(IO, "io_kb", "read + written", METRIC_KIB, RUNS | METRIC_OF_PAIRS, .get = get_io,
       .words = "bytes read and written")
/* Time for which the run's quota kept it from the CPUs, summed over them. */
METRIC(THROTTLED, "throttled_ms", "throttled", METRIC_US, RUNS | WORSE | METRIC_OF_QUOTAS,
       TOTAL(throttled_us), .cost = 15)
METRIC(THROTTLED_PERIODS, "throttled_periods", "periods throttled", METRIC_COUNT,
       RUNS | WORSE | METRIC_OF_QUOTAS, TOTAL(throttled_periods))
/* All threads and processes of a command, the first one included. */
METRIC(TASKS_CREATED, "tasks_created", "tasks created", METRIC_COUNT,
       RUNS | METRIC_OF_PAIRS | METRIC_OF_COMMANDS, .get = get_tasks_created, .brief = "tasks", .cost = 16)
/* Energy of all processors, including idle cores and other programs. */
METRIC(ENERGY, "energy_joules", "energy (J)", METRIC_DECIMAL, RUNS | WORSE | METRIC_OF_COUNTERS,
       .get = get_energy, .cost = 17)
/* The parts of the path through a program's tasks, in the order of enum model_program_part. */
METRIC(ON_CORE, NULL, "running", METRIC_NS, PROGRAM, .get = get_program, .words = "time on a core")
METRIC(FOR_CORE, NULL, "runnable", METRIC_NS, PROGRAM, .get = get_program,
       .words = "waiting for a core")
METRIC(ON_GIL, NULL, "GIL", METRIC_NS, PROGRAM, .get = get_program,
       .words = "waiting for a lock (GIL)")
METRIC(ON_LOCK, NULL, "lock", METRIC_NS, PROGRAM, .get = get_program,
       .words = "waiting for a lock or a condition")
METRIC(ON_FILE, NULL, "file", METRIC_NS, PROGRAM, .get = get_program, .words = "waiting for a file")
METRIC(ON_PIPE, NULL, "pipe", METRIC_NS, PROGRAM, .get = get_program, .words = "waiting for a pipe")
METRIC(ON_SOCKET, NULL, "socket", METRIC_NS, PROGRAM, .get = get_program,
       .words = "waiting for a socket")
METRIC(ON_SLEEP, NULL, "sleep", METRIC_NS, PROGRAM, .get = get_program, .words = "sleeping")
METRIC(ON_OTHER, NULL, "other waits", METRIC_NS, PROGRAM, .get = get_program,
       .words = "waiting for something else")
METRIC(ON_UNKNOWN, NULL, "unknown waits", METRIC_NS, PROGRAM, .get = get_program,
       .words = "waiting for an unknown cause")
/* The time after which -s for ended the programs. Unknown if they ended by themselves. */
METRIC(CUT, "cut_ms", "ended after", METRIC_NS, RUNS | METRIC_OF_FOR, TOTAL(cut_ns))
/* The metric that programs print (-s metric). Its name is in printed_title of struct model. */
METRIC(PRINTED, "printed", "printed", METRIC_FIGURE, RUNS | METRIC_OF_PAIRS | METRIC_OF_PRINTED,
       .get = get_printed, .words = "printed")
/*
 * All requests of a server's clients in a run, from the beginning of the first to the last reply.
 */
METRIC(REQUEST, "request_ms", "per request", METRIC_NS, REQUESTED | PAIRS | METRIC_OF_WALL,
       TOTAL(requests_ns), PER(requests), .words = "time per request, all clients together")
METRIC(REQUEST_RATE, "requests_per_second", "requests/s", METRIC_COUNT,
       REQUESTED | METRIC_OF_PAIRS | METRIC_OF_WALL, TOTAL(requests), PER(requests_ns), .times = 1e9,
       .words = "requests per second")
METRIC(REQUEST_P50, "request_p50_ms", "latency p50", METRIC_NS,
       REQUESTED | METRIC_OF_WALL | WORSE, .get = get_operation,
       .words = "median latency")
METRIC(REQUEST_P99, "request_p99_ms", "latency p99", METRIC_NS,
       REQUESTED | PAIRS | METRIC_OF_WALL, .get = get_operation,
       .words = "latency that 99 % of the requests stay below")
METRIC(REQUEST_P999, "request_p999_ms", "latency p99.9", METRIC_NS,
       REQUESTED | METRIC_OF_WALL | WORSE, .get = get_operation,
       .words = "latency that 99.9 % of the requests stay below")
METRIC(REQUEST_CPU, "cpu_per_request_ns", "CPU each", METRIC_SHORT, REQUESTED | PAIRS,
       .get = get_request_cpu, .words = "CPU time per request")
METRIC(REQUEST_SWITCHES, "switches_per_request", "switches each", METRIC_DECIMAL, REQUESTED | WORSE,
       SUM(nvcsw, nivcsw), PER(requests))
METRIC(REQUESTS, "requests", "requests", METRIC_COUNT, REQUESTED, TOTAL(requests))
METRIC(REQUEST_ERRORS, "request_errors", "errors", METRIC_COUNT, REQUESTED | WORSE,
       TOTAL(requests_failed), .words = "requests without a reply")
METRIC(IDLE_PSS, "pss_per_idle_kb", "PSS per idle (KiB)", METRIC_DECIMAL,
       RUNS | WORSE | METRIC_OF_IDLE, TOTAL(idle_pss_kb), PER(idle_connections),
       .words = "memory (PSS) per idle connection, in KiB")
METRIC(QUEUE, "accept_queue_most", "accept queue", METRIC_COUNT, REQUESTED | WORSE,
       TOTAL(queue_most), .words = "connections waiting to be accepted")
/* clang-format on */
