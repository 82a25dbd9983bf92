#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every value of a run, compared with a value that was measured without tuibench.

    test_figures.py TUIBENCH

A script replaces the runner. It starts the real runner under /usr/bin/time -v and afterwards reads
/proc/PID/io of its shell, which counts reaped descendants, or it starts the runner under strace -f. So
both values are of the same run, and other programs do not matter. The other value includes the start
and preparation of the runner, which tuibench leaves out. A run without work shows how large these are.
Tolerances, if values are not equal to the last unit:

    CPU time      2 % + 40 ms   /usr/bin/time rounds user and system time to 10 ms each
    page faults   2 % + 300     faults of the runner's start depend on where it is loaded
    switches      2 % + 30      the start may wait for the disk
    bytes         16 KiB        the script, headers of libraries, the output of time
    peak memory   5 % + 4 MiB   samples and the kernel's peak see different moments
    wall clock    none          an inner clock never shows more than one around it
"""

import csv
import fcntl
import json
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import program
from program import PLAIN, SANITIZED, TUIBENCH, result, workers

RUNNER = os.path.join(os.path.dirname(TUIBENCH), "tuibench-runner")
TIME = "/usr/bin/time"
MODELS = {"threads": 4, "processes": 4, "hybrid:2x2": 6}
KIB = 1024
# The kernel's tick, which is the step of its coarse clocks.
TICK_MS = 1000 * time.clock_getres(getattr(time, "CLOCK_MONOTONIC_COARSE", 6))

# A fixed amount of each kind of work. Kinds that compute take about 100 ms with four workers.
WORK = {
    "cpu": 5040000,
    "io": 3 << 20,
    "mem": 8 << 20,
    "fp": 10000000,
    "write": 3 << 20,
    "hello": 20000,
    "null": 0,
}
HELLO = "hello linux\n"


def has_time():
    """Whether time is GNU time. Other programs of this name have no -v."""
    try:
        return subprocess.run([TIME, "-v", "true"], capture_output=True,
                              check=False).returncode == 0
    except OSError:
        return False


def has_strace():
    try:
        return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True,
                              check=False).returncode == 0
    except OSError:
        return False


def samples(data, comm):
    """Returns the number of samples of tasks with that name, in user mode and in the kernel."""
    out = subprocess.run(["perf", "script", "-i", data, "-F", "comm,misc"], capture_output=True,
                         text=True, check=False).stdout
    modes = [line.split()[-1] for line in out.splitlines() if line.split()[:1] == [comm]]
    return modes.count("U"), modes.count("K")


def record(data, *args, **more):
    """Samples all cores four times each ms, by a timer that is independent of the tick."""
    return subprocess.run(["perf", "record", "-a", "-q", "-c", "250000", "-e", "cpu-clock", "-o", data,
                           "--", *args], capture_output=True, text=True, check=False, **more)


def has_perf():
    """Whether perf exists and may sample the kernel."""
    if not shutil.which("perf"):
        return False
    with tempfile.NamedTemporaryFile() as file:
        done = record(file.name, "dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=2000")
        return done.returncode == 0 and samples(file.name, "dd")[1] > 10


def options(kind, model, size=None, workers=4):
    """Returns the options for workers of one kind in one model."""
    args = ["--models", model, "-w", f"{kind}={workers}"]
    size = WORK[kind] if size is None else size
    return args + (["-s", f"{kind}.size={size}"] if size else [])


def run_of(program, *args):
    """Returns the only run of a batch session, from its JSON."""
    runs = result("--trials", "1", *args, program=program)["runs"]
    assert len(runs) == 1, args
    return runs[0]


class Wrapped(unittest.TestCase):
    """A copy of tuibench whose runner is a script that measures the real runner."""

    # The script that replaces the runner. It gets $RUNNER, $OUT, and the runner's arguments in "$@".
    script = None

    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="tuibench-figures-")
        cls.program = os.path.join(cls.dir, "tuibench")
        shutil.copy2(TUIBENCH, cls.program)
        runner = os.path.join(cls.dir, "tuibench-runner")
        with open(runner, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nRUNNER='{RUNNER}' OUT='{cls.dir}/out'\n{cls.script}\n")
        os.chmod(runner, 0o755)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    def out(self, suffix=""):
        with open(f"{self.dir}/out{suffix}", encoding="utf-8", errors="replace") as file:
            return file.read()


@unittest.skipUnless(has_time(), "needs GNU time as /usr/bin/time")
class Time(Wrapped):
    script = f"""{TIME} -v -o "$OUT" "$RUNNER" "$@"
status=$?
while read -r line; do echo "$line"; done <"/proc/$$/io" >"$OUT.io"
exit $status"""

    def measured(self, *args):
        """Returns the values of tuibench, and those of time and the kernel."""
        run = run_of(self.program, *args)
        out = self.out()

        def value(name):
            return re.search(rf"{re.escape(name)}: (\S+)", out).group(1)
        other = {
            "user_ms": 1000 * float(value("User time (seconds)")),
            "system_ms": 1000 * float(value("System time (seconds)")),
            "minflt": int(value("Minor (reclaiming a frame) page faults")),
            "majflt": int(value("Major (requiring I/O) page faults")),
            "nvcsw": int(value("Voluntary context switches")),
            "nivcsw": int(value("Involuntary context switches")),
            "rss_kb": int(value("Maximum resident set size (kbytes)")),
        }
        other["cpu_ms"] = other["user_ms"] + other["system_ms"]
        for line in self.out(".io").splitlines():
            name, number = line.split(": ")
            other[name] = int(number)
        return run, other

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.known = {}

    def once(self, kind, model, size=None, workers=4):
        """Like measured(), but measures each case only once for all tests."""
        key = (kind, model, size, workers)
        if key not in self.known:
            # Without a pipe there is no process that drains it, which would be a child of the runner.
            more = ["-s", "sink=null"] if kind == "hello" else []
            self.known[key] = self.measured(*options(kind, model, size, workers), *more)
        return self.known[key]

    def starts(self, name):
        """Returns the value of the runner's start, from several runs without work."""
        return [other[name] - run[name] for run, other in
                (self.once("null", model, workers=n) for model in ("threads", "processes")
                 for n in (1, 2))]

    def anew(self, check, *cases):
        """Runs a check. If it fails, measures these cases again and repeats the check."""
        def once():
            try:
                check()
            except AssertionError:
                for case in cases:
                    self.known.pop((*case, *(None, 4)[len(case) - 2:]), None)
                raise
        program.matches(self, once)

    def compare(self, name, part, more, cases=None):
        """Checks that both values differ only by the start of the runner."""
        starts = self.starts(name)
        for kind, model, *size in cases or [(k, m) for k in WORK for m in MODELS]:
            def check(kind=kind, model=model, size=size):
                run, other = self.once(kind, model, *size)
                slack = part * other[name] + more
                started = other[name] - run[name]
                about = (name, kind, model, starts, run, other)
                self.assertGreaterEqual(started, min(starts + [0]) - slack, about)
                self.assertLessEqual(started, max(starts + [0]) + slack, about)
            self.anew(check, (kind, model, *size))

    # Work that is large enough to show a mistake in a value.
    USER = [("fp", model, 60000000) for model in MODELS]
    # More than 50 ticks of 4 ms for each of four tasks, and twice as many for a single task.
    LONG = [("fp", model, 200000000) for model in MODELS] + [("fp", "processes", 400000000, 1)]
    THREADS, PROCESSES = ("null", "threads", 0, 4000), ("null", "processes", 0, 1500)
    # With a sanitizer, the end of many threads takes additional time.
    SYSTEM = [PROCESSES] if SANITIZED else [THREADS, PROCESSES]

    def test_cpu_time_is_that_of_time(self):
        self.compare("cpu_ms", 0.02, 60)
        self.compare("cpu_ms", 0.02, 60, self.USER + self.SYSTEM)

    def test_user_and_system_time_of_long_tasks_are_those_of_time(self):
        start = max(self.starts("cpu_ms"))
        for case in self.LONG:
            self.anew(lambda case=case: self.check_long(case, start), case)

    def check_long(self, case, start):
        run, other = self.once(*case)
        # rusage adds up the ticks of all threads of a process.
        processes = {"threads": 1, "hybrid:2x2": 2}.get(case[1], run["workers"])
        each = run["cpu_ms"] / processes
        if each >= 50 * TICK_MS:
            self.assertEqual(run["split"], "rusage", (case, run))
            self.assertGreater(run["user_ms"], 0.5 * run["cpu_ms"], case)
        if run["split"] == "rusage":
            self.assertGreaterEqual(each, 50 * TICK_MS, (case, run))
            for name in ("user_ms", "system_ms"):
                self.assertLessEqual(abs(run[name] - other[name]),
                                     0.02 * other[name] + 40 + start, (case, run, other))

    def test_user_and_system_time_of_short_tasks_are_not_those_of_their_ticks(self):
        for case in [(kind, model) for kind in WORK for model in MODELS] + self.SYSTEM:
            run, _ = self.once(*case)
            if run["cpu_ms"] < 50 * TICK_MS or case[1] == "processes":
                self.assertNotEqual(run["split"], "rusage", (case, run))

    def test_user_and_system_time_make_the_cpu_time(self):
        for case in self.LONG + self.USER + self.SYSTEM:
            run, _ = self.once(*case)
            if run["split"] is None:
                self.assertEqual((run["user_ms"], run["system_ms"]), (None, None), case)
            else:
                self.assertAlmostEqual(run["cpu_ms"], run["user_ms"] + run["system_ms"], places=2)

    def test_page_faults_are_those_of_time(self):
        self.compare("minflt", 0.02, 300)
        self.compare("minflt", 0.02, 300, self.SYSTEM)
        self.compare("majflt", 0.02, 30)
        # Each of the 1,500 processes copies several pages by writing to them.
        self.assertGreater(self.once(*self.PROCESSES)[0]["minflt"], 1500 * 3)

    def test_switches_are_those_of_time(self):
        self.compare("nvcsw", 0.02, 30)
        self.compare("nvcsw", 0.02, 30, self.SYSTEM)
        self.assertGreater(self.once(*self.THREADS)[0]["nvcsw"], 1000)

    def test_preemptions_are_no_more_than_those_of_time(self):
        # The start may be preempted any number of times, depending on other programs.
        for kind in WORK:
            for model in MODELS:
                run, other = self.once(kind, model)
                self.assertLessEqual(run["nivcsw"], other["nivcsw"], (kind, model))

    def test_preemptions_are_those_of_time(self):
        cpu = str(min(os.sched_getaffinity(0)))

        def check(model):
            run, other = self.measured(*options("fp", model, 60000000), "-s", "pin=" + cpu)
            # Four workers on one core take turns several times.
            self.assertGreater(run["nivcsw"], 4, model)
            self.assertLessEqual(other["nivcsw"] - run["nivcsw"], 0.1 * other["nivcsw"] + 40,
                                 model)
        for model in MODELS:
            program.matches(self, lambda model=model: check(model))

    # How often each worker reads, writes and checks its bytes, and how often the runner writes and reads
    # them before: it writes the file to be copied, and reads it to warm the cache.
    BYTES = {
        "io": (1, 1, 2, 1),     # copies, then compares both files
        "write": (1, 1, 0, 0),  # writes, then reads it back
        "hello": (0, len(HELLO), 0, 0),
    }

    def test_bytes_are_those_of_the_kernel_and_those_known(self):
        base = self.once("null", "threads", workers=1)[1]
        for kind, (reads, writes, checks, warms) in self.BYTES.items():
            for model in MODELS:
                run, other = self.once(kind, model)
                size = WORK[kind]
                self.assertAlmostEqual(run["read_kb"], 4 * reads * size / KIB, delta=1)
                self.assertAlmostEqual(run["written_kb"], 4 * writes * size / KIB, delta=1)
                self.assertEqual(run["checked_kb"], 4 * checks * size / KIB)
                self.assertAlmostEqual(run["io_kb"], 4 * (reads + writes) * size / KIB, delta=2)
                read = other["rchar"] - base["rchar"] - warms * size
                written = other["wchar"] - base["wchar"] - warms * size
                about = (kind, model, run, other)
                self.assertLessEqual(abs(read / KIB - run["read_kb"] - run["checked_kb"]), 16, about)
                self.assertLessEqual(abs(written / KIB - run["written_kb"]), 16, about)

    def test_bytes_to_disks_are_those_of_the_kernel(self):
        def check(kind, model, more):
            run, other = self.measured(*options(kind, model), *more)
            made = WORK["io"] if kind == "io" else 0
            dirtied = other["write_bytes"] - other["cancelled_write_bytes"] - made
            self.assertLessEqual(abs(dirtied / KIB - run["disk_written_kb"]), 64,
                                 (kind, model, run, other))
        for case in (("io", ()), ("write", ()), ("hello", ("-s", "sink=file"))):
            for model in MODELS:
                program.matches(self, lambda case=case, model=model: check(case[0], model, case[1]))

    def test_work_without_io_reads_and_writes_nothing(self):
        for kind in ("cpu", "mem", "fp", "null"):
            for model in MODELS:
                run, _ = self.once(kind, model)
                self.assertEqual((run["read_kb"], run["written_kb"]), (0, 0), (kind, model))


@unittest.skipUnless(has_strace(), "needs strace, and the right to trace")
class Strace(Wrapped):
    script = ('exec strace -ff -qq -s "$SHOWN" -o "$OUT" -e trace=clone,clone3,fork,vfork,read,write '
              '"$RUNNER" "$@"')

    def traced(self, *args, shown=0):
        """
        Returns the run and its trace, with the first `shown` bytes of each text. strace writes a file for
        each task, so that no call is split.
        """
        os.environ["SHOWN"] = str(shown)
        for name in self.traces():
            os.remove(name)
        run = run_of(self.program, *args)
        text = ""
        for name in self.traces():
            with open(name, encoding="utf-8", errors="replace") as file:
                text += file.read()
        return run, text

    def traces(self):
        return [os.path.join(self.dir, name) for name in os.listdir(self.dir)
                if name.startswith("out.")]

    @staticmethod
    def created(trace):
        return len(re.findall(r"^(?:clone3?|v?fork)\(.*\) += [1-9]", trace, re.MULTILINE))

    def test_the_kernel_counts_the_workers_that_were_created(self):
        for kind in ("cpu", "io", "mem", "fp", "write", "null"):
            for model, tasks in MODELS.items():
                run, trace = self.traced(*options(kind, model, WORK[kind] // 16 * 8))
                for name in ("workers", "created", "joined", "finished"):
                    self.assertEqual(run[name], tasks, (kind, model, name))
                self.assertEqual(self.created(trace), tasks, (kind, model))

    BLOCK = 65536  # bytes of one call of an io worker; no other call in a runner has this size

    def test_bytes_are_those_of_the_calls(self):
        for model in MODELS:
            run, _ = self.traced(*options("io", model))
            read = written = checked = 0
            for name in self.traces():
                with open(name, encoding="utf-8", errors="replace") as file:
                    calls = re.findall(rf"^(read|write)\(.*\) += {self.BLOCK}$", file.read(),
                                       re.MULTILINE)
                # After its last write, a task reads only to check.
                last = max((i for i, call in enumerate(calls) if call == "write"), default=-1)
                read += calls[:last + 1].count("read")
                written += calls.count("write")
                checked += calls[last + 1:].count("read")
            counts = {"read_kb": read, "written_kb": written, "checked_kb": checked}
            for name, blocks in counts.items():
                self.assertEqual(run[name], blocks * self.BLOCK // KIB, (model, name))
                self.assertGreater(blocks, 0, (model, name))

    def written_lines(self, trace):
        """Returns the lines that were written, and their number of bytes."""
        text, taken = "", 0
        for data, size in re.findall(r'^write\(\d+, "([^"]*)", \d+\) += (\d+)', trace,
                                     re.MULTILINE):
            data = data.replace("\\n", "\n")
            if data.startswith(HELLO):
                self.assertEqual(len(data), int(size))
                text += data
                taken += int(size)
        return text.splitlines(keepends=True), taken

    def test_the_lines_of_hello_are_those_written(self):
        for sink, drains in (("file", 0), ("null", 0), ("pipe", 1)):
            for model, tasks in MODELS.items():
                run, trace = self.traced(*options("hello", model, 500), "-s", "sink=" + sink, shown=100000)
                lines, taken = self.written_lines(trace)
                about = (sink, model)
                self.assertEqual((len(lines), set(lines)), (2000, {HELLO}), about)
                self.assertEqual(run["lines"], None if sink == "null" else 2000, about)
                self.assertEqual(run["written_kb"], taken // KIB, about)
                # The process that drains a pipe is no task of the model.
                self.assertEqual(self.created(trace), tasks + drains, about)


def disk_of(path):
    """Returns the folder in /sys of the disk with that file; None if the file is on no disk."""
    device = os.stat(path).st_dev
    found = f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"
    return found if os.path.exists(f"{found}/stat") else None


@unittest.skipUnless(disk_of(tempfile.gettempdir()), "needs a folder for temporary files on a disk")
class Disk(unittest.TestCase):
    """The bytes that a disk has counted. They include the bytes of all other programs."""

    SIZE = 32 << 20

    def setUp(self):
        """Locks the folder, because sync(2) would also write the files of another process with this test."""
        folder = os.open(tempfile.gettempdir(), os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)

    @staticmethod
    def written():
        """Returns the KiB written. /sys counts in sectors of 512 bytes for each disk."""
        os.sync()
        with open(disk_of(tempfile.gettempdir()) + "/stat", encoding="utf-8") as file:
            return int(file.read().split()[6]) / 2

    def run_beside(self, kind, model, *more):
        before = self.written()
        run = run_of(TUIBENCH, *options(kind, model, self.SIZE if kind != "hello" else 200000), *more)
        return run, self.written() - before

    def test_copies_that_are_removed_reach_no_disk(self):
        self.check_removed(lambda run: self.assertEqual(run["written_kb"], 4 * self.SIZE / KIB, run),
                           "io")

    def test_what_a_file_for_hello_gets_reaches_no_disk(self):
        self.check_removed(lambda run: self.assertGreater(run["written_kb"], 8000, run),
                           "hello", "-s", "sink=file")

    def check_removed(self, check, kind, *more):
        def once(model):
            run, disk = self.run_beside(kind, model, *more)
            check(run)
            # The kernel may have written part of the files before they were removed.
            self.assertLess(run["disk_written_kb"], 0.5 * run["written_kb"], run)
            self.assertLessEqual(run["disk_written_kb"], disk + 64, (model, run, disk))
        for model in MODELS:
            program.matches(self, lambda model=model: once(model))

    def test_what_is_synced_reaches_the_disk(self):
        for model in MODELS:
            run, disk = self.run_beside("write", model)
            self.assertGreaterEqual(run["disk_written_kb"], 4 * self.SIZE / KIB, run)
            self.assertLess(run["disk_written_kb"], 1.02 * run["written_kb"] + 64, run)
            self.assertLessEqual(run["disk_written_kb"], disk + 64, (model, run, disk))


@unittest.skipIf(SANITIZED, "a sanitizer makes short tasks long ones")
@unittest.skipUnless(has_perf(), "needs perf, and the right to sample the kernel")
class Sampled(Wrapped):
    """User and system time of tasks that are shorter than the tick, compared with samples."""
    # The runner gets a unique name, so that samples of other sessions are not counted.
    script = 'exec "${OUT%/out}/NAME" "$@"'
    # The tolerance is two standard deviations of 200 ticks, and some more for other programs.
    TICKS, MARGIN = 200, 0.15
    TRIES = 2

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.comm = f"fig{os.getpid()}"
        shutil.copy2(RUNNER, os.path.join(cls.dir, cls.comm))
        runner = os.path.join(cls.dir, "tuibench-runner")
        with open(runner, encoding="utf-8") as file:
            text = file.read().replace("NAME", cls.comm)
        with open(runner, "w", encoding="utf-8") as file:
            file.write(text)

    def once(self, *args):
        data = os.path.join(self.dir, "perf.data")
        done = record(data, self.program, "--batch", "--no-log", "--format", "json", "--trials", "1",
                      "--warmup", "0", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        user, kernel = samples(data, self.comm)
        return json.loads(done.stdout)["runs"][0], kernel / (user + kernel), user + kernel

    def test_short_processes_take_what_is_sampled_and_are_split_so_or_not_at_all(self):
        shares = []
        for kind, size in (("null", None), ("fp", 6000000)):
            each_ms = run_of(TUIBENCH, *options(kind, "processes", size, 20))["cpu_ms"] / 20
            workers = min(2000, math.ceil(self.TICKS * TICK_MS / each_ms))
            off = None
            for _ in range(self.TRIES):
                run, share, n = self.once(*options(kind, "processes", size, workers))
                about = (kind, share, n, run)
                # With 300 samples, two standard deviations of a share are 0.06.
                self.assertGreater(n, 300, about)
                self.assertNotEqual(run["split"], "rusage", about)
                # Four samples are 1 ms of CPU time, also on a busy machine.
                self.assertLessEqual(abs(run["cpu_ms"] - n / 4), 0.1 * run["cpu_ms"] + 20, about)
                if run["split"] is None:
                    # If the machine was not quiet, both parts are unknown.
                    self.assertEqual((run["user_ms"], run["system_ms"]), (None, None), about)
                    continue
                self.assertEqual(run["split"], "proc_stat", about)
                off = about if abs(run["system_ms"] / run["cpu_ms"] - share) > self.MARGIN else None
                if not off:
                    break
            self.assertIsNone(off)
            shares.append(share)
        # By ticks alone, the share would be 40 % for both. The second kind of task works for 5 ms, longer
        # than a process needs to begin and end.
        self.assertGreater(shares[0], 0.4 + self.MARGIN)
        self.assertGreater(shares[0] - shares[1], 2 * self.MARGIN)


@unittest.skipIf(SANITIZED, "what a run has of the cores is no matter of memory")
@unittest.skipUnless(shutil.which("taskset") and len(os.sched_getaffinity(0)) > 1,
                     "needs taskset and a second core")
class Confined(Wrapped):
    """Two of the runs are confined to one core, although other cores are free."""

    script = """n=$(($(cat "$OUT" 2>/dev/null || echo 0) + 1))
echo $n >"$OUT"
case $n in
4 | 9) exec taskset -c 0 "$RUNNER" "$@" ;;
*) exec "$RUNNER" "$@" ;;
esac"""

    TRIES = 4

    def once(self):
        args = options("fp", "threads", 30000000)
        with open(f"{self.dir}/out", "w", encoding="utf-8"):
            pass  # empties the file in which the script counts the runs
        whole = result("--trials", "12", "--interval", "10", *args, program=self.program)
        used = [run["cores_used"] for run in whole["runs"]]
        return used, {one["kind"]: one["text"] for one in whole["warnings"]}

    def test_runs_on_one_core_where_another_was_free_are_named(self):
        quiet = 0
        for i in range(self.TRIES):
            if i == 2 and not quiet:
                break
            used, warnings = self.once()
            self.assertLess(max(used[3], used[8]), 1.1)
            text = warnings.get("cores", "")
            if "2 of 12 runs of threads used 1.0 of " in text and "(trials 4, 9)" in text:
                return
            usual = statistics.median(used)
            apart = statistics.median(abs(one - usual) for one in used)
            # tuibench names an outlier beyond 3.5 standard deviations. One of them is 1.48 median deviations,
            # so 6 median deviations are 4 of them.
            quiet += (not {"busy", "steal"} & set(warnings) and usual >= 1.6 and usual - 1.1 > 6 * apart
                      and min(used[:3] + used[4:8] + used[9:]) >= 1.5)
        if not quiet:
            self.skipTest(f"other programs, or the host, have the cores: {used}")
        self.fail((used, warnings))


class Clock(unittest.TestCase):
    def test_a_run_takes_no_longer_than_a_clock_around_it_says(self):
        for kind in WORK:
            for model in MODELS:
                before = time.monotonic()
                run = run_of(TUIBENCH, *options(kind, model))
                around = 1000 * (time.monotonic() - before)
                self.assertLessEqual(run["elapsed_ms"], around, (kind, model))
                self.assertLessEqual(run["create_ms"], run["elapsed_ms"], (kind, model))
                self.assertGreater(run["elapsed_ms"], 0, (kind, model))

    def test_cpu_time_fits_into_the_cores_and_one_core_takes_it_all(self):
        cpu = min(os.sched_getaffinity(0))
        for model in MODELS:
            for more, cores in (([], os.cpu_count()), (["-s", "pin=" + str(cpu)], 1)):
                run = run_of(TUIBENCH, *options("fp", model, 40000000), *more)
                # The kernel's accounts of CPU time: 2 % + 40 ms.
                self.assertLessEqual(run["cpu_ms"], 1.02 * cores * run["elapsed_ms"] + 40,
                                     (model, run))

    def test_cores_used_are_no_more_than_those_the_kernel_saw_at_work(self):
        cpu = str(min(os.sched_getaffinity(0)))
        for more in ([], ["-s", "pin=" + cpu]):
            program.matches(self, lambda more=more: self.check_cores(more))

    def check_cores(self, more):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            out = program.run("--format", "json", "--log", log, "--trials", "1", "--interval",
                              "20", *more, *options("fp", "threads", 150000000))[0]
            with open(log, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        run = json.loads(out)["runs"][0]
        self.assertAlmostEqual(run["cores_used"], run["cpu_ms"] / run["elapsed_ms"], places=3)
        busy = {}
        for row in rows:
            if row["record"] == "core" and row["run"] and row["user_permille"]:
                load = int(row["user_permille"]) + int(row["system_permille"])
                busy.setdefault(row["time_ns"], []).append(load / 1000)
        # The first and the last sample also have time outside of the run.
        loads = [sum(cores) for cores in list(busy.values())[1:-1]]
        if len(loads) < 5:
            self.skipTest("too short a run")
        self.assertLess(run["cores_used"], sum(loads) / len(loads) + 0.3, (run, loads))
        self.assertLess(run["cores_used"], 1.05 if more else 1.05 * os.cpu_count())

    def test_what_the_whole_program_took_is_the_run_and_its_overhead(self):
        def once(model):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = run_of(TUIBENCH, *options("fp", model, 40000000))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = 1000 * sum(getattr(after, name) - getattr(before, name)
                              for name in ("ru_utime", "ru_stime"))
            known = run["cpu_ms"] + run["self_cpu_ms"]
            # The time before the first run and after the last one is at most 5 % and 300 ms. It includes a
            # sanitizer's start and its search for leaks.
            self.assertLessEqual(known, 1.01 * took + 10, (model, run))
            self.assertLessEqual(took, 1.05 * known + 300, (model, run))
        for model in MODELS:
            program.matches(self, lambda model=model: once(model))

    def test_what_empties_the_pipe_of_hello_is_none_of_the_run(self):
        def once(sink):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = run_of(TUIBENCH, *options("hello", "threads", 500000), "-s", "sink=" + sink)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = 1000 * sum(getattr(after, name) - getattr(before, name)
                              for name in ("ru_utime", "ru_stime"))
            self.assertEqual(run["drain_cpu_ms"] is None, sink != "pipe", sink)
            known = run["cpu_ms"] + run["self_cpu_ms"] + (run["drain_cpu_ms"] or 0)
            self.assertLessEqual(known, 1.01 * took + 10, (sink, run))
            self.assertIsNone(run["terminal_cpu_ms"])
        for sink in ("pipe", "file", "null"):
            program.matches(self, lambda sink=sink: once(sink))


class Results(unittest.TestCase):
    """The results of the workers, compared with results computed here."""

    def results(self, kind, model):
        found = [int(row["result"]) for row in workers(*options(kind, model)).values()
                 if "result" in row]
        return [value for value in found if value or kind == "null"]

    @staticmethod
    def divisors(number):
        return sum(1 + (i * i < number) for i in range(1, math.isqrt(number) + 1)
                   if number % i == 0)

    def test_each_worker_finds_what_it_should(self):
        expected = {
            "cpu": self.divisors(WORK["cpu"]),
            "io": WORK["io"],
            "mem": 4 * WORK["mem"] // 64,
            "write": WORK["write"],
            "hello": WORK["hello"],
            "null": 0,
        }
        for kind, result in expected.items():
            for model, tasks in MODELS.items():
                n = tasks if kind == "null" else 4
                self.assertEqual(self.results(kind, model), n * [result], (kind, model))

    def test_the_series_comes_as_near_to_pi_as_it_can(self):
        for model in MODELS:
            results = self.results("fp", model)
            self.assertEqual(len(results), 4)
            for result in results:
                # The result is in units of 1e-15. The error of n terms of the series is about 1 / n.
                self.assertAlmostEqual((math.pi - result / 1e15) * WORK["fp"], 1, delta=0.01)


class Memory(unittest.TestCase):
    SIZE = 64 << 20

    def watched(self, model):
        """Returns a run, and the sum of the kernel's peaks of its processes, in KiB."""
        # Otherwise AddressSanitizer would touch an eighth more memory when the arrays are freed, after the
        # last reading.
        env = {**os.environ, "ASAN_OPTIONS": os.environ["ASAN_OPTIONS"] + ":poison_heap=0"}
        child = subprocess.Popen([TUIBENCH, "--batch", "--no-log", *PLAIN, "--trials", "1", "--format",
                                  "json", "--interval", "20",
                                  *options("mem", model, self.SIZE, workers=2)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        peaks = {}
        while child.poll() is None:
            for pid in descendants(child.pid):
                peak = peak_of(pid)
                if peak:
                    peaks[pid] = peak
            time.sleep(0.005)
        run = json.loads(child.communicate()[0])["runs"][0]
        return run, sum(peaks.values())

    def check(self, model):
        """Returns False if the front end or this test could not read the memory in time."""
        run, peak = self.watched(model)
        memory, known = run["memory"], 2 * self.SIZE // KIB
        if memory["pss_kb"] is None or memory["pss_kb"] < known or peak < known:
            return False
        for name in ("rss_kb", "pss_kb", "uss_kb"):
            # The memory is an array for each worker, and little more.
            self.assertGreaterEqual(memory[name], known, (model, name))
            self.assertLessEqual(memory[name], 1.05 * peak + 4096, (model, name))
        self.assertGreaterEqual(memory["rss_kb"], 0.95 * peak - 4096, model)
        self.assertGreaterEqual(memory["rss_kb"], memory["pss_kb"], model)
        self.assertGreaterEqual(memory["pss_kb"], memory["uss_kb"], model)
        # Page tables of two arrays: 8 bytes for each 4 KiB, unless pages are huge.
        self.assertLessEqual(memory["kernel_kb"], 2048, model)
        return True

    def test_memory_is_that_of_the_kernel(self):
        for model in ("threads", "processes", "hybrid:1x2"):
            def once(model=model):
                self.assertTrue(any(self.check(model) for _ in range(20)),
                                f"{model}: never seen by both")
            program.matches(self, once)

    def held(self):
        """Returns the memory of hello in each model; None if a reading came too late."""
        runs = result("--trials", "1", "hello", "-s", "hello.size=10")["runs"]
        memory = {run["model"]: run["memory"] for run in runs}
        known = all(one["pss_kb"] is not None for one in memory.values())
        return memory if known and all(run["held_ms"] > 0 for run in runs) else None

    def test_runs_too_short_for_a_tick_are_held_until_their_memory_is_read(self):
        memory = next(filter(None, (self.held() for _ in range(20))))
        self.assertEqual(list(memory), ["threads", "processes", "hybrid:16x16"])
        # Each task has a kernel stack of 16 KiB, and at least one page of its own.
        for model, tasks in (("threads", 256), ("processes", 256), ("hybrid:16x16", 273)):
            self.assertGreaterEqual(memory[model]["kernel_kb"], 16 * tasks, model)
            self.assertGreaterEqual(memory[model]["uss_kb"], 4 * tasks, model)
        for name in () if SANITIZED else ("rss_kb", "pss_kb", "uss_kb", "kernel_kb"):
            self.assertLess(memory["threads"][name], memory["processes"][name], name)


def descendants(pid):
    """Returns the descendants of a process, except those that end meanwhile."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="utf-8") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        return []
    return found + [grandchild for child in found for grandchild in descendants(child)]


def peak_of(pid):
    """Returns VmHWM without memory shared with tuibench; None if the process has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            status = dict(line.split(":", 1) for line in file)
    except (OSError, ValueError):
        return None
    if "VmHWM" not in status or "tuibench" not in status["Name"]:
        return None
    return int(status["VmHWM"].split()[0]) - int(status["RssShmem"].split()[0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
