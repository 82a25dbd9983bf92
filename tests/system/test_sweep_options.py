#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Swept options: each value, compared with the kernel's values for the tasks that had it.

    test_sweep_options.py TUIBENCH
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import matches, result, run, tasks_below
import program

CPUS = sorted(os.sched_getaffinity(0))
LOOKS = 0.01  # seconds between two readings


def cpus_of(tid):
    """Returns the number of CPUs that the task may use."""
    with open(f"/proc/{tid}/status", encoding="utf-8", errors="replace") as file:
        text = next(line for line in file if line.startswith("Cpus_allowed_list:"))
    return sum(len(range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1))
               for part in text.split(":")[1].split(","))


def look(pid, read, seen):
    for tid in tasks_below(pid):
        try:
            seen[tid] = read(tid)
        except (OSError, StopIteration, ValueError):
            pass


def witness(read, *args, variable):
    """Runs a session and reads its workers meanwhile. Returns the values by model and value of the variable."""
    seen, found = {}, {}
    if not any("cpu.size" in arg for arg in args):
        args = *args, "-s", "cpu.size=60000000" # long enough to be read
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        with subprocess.Popen([program.TUIBENCH, "--batch", "--log", log, *program.PLAIN, "--trials",
                               "1", *args], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as child:
            while child.poll() is None:
                look(child.pid, read, seen)
                time.sleep(LOOKS)
        assert child.returncode == 0, child.returncode
        with open(log, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["record"] == "worker" and row["tid"] and int(row["tid"]) in seen:
                    variables = dict(part.split("=", 1) for part in row["variables"].split(";"))
                    where = (row["model"], variables[variable])
                    found.setdefault(where, set()).add(seen[int(row["tid"])])
    return found


def nice_of(tid):
    """Returns the niceness of a task, from /proc."""
    with open(f"/proc/{tid}/stat", encoding="utf-8", errors="replace") as file:
        return int(file.read().rsplit(")", 1)[1].split()[16])


# By name: the policy's number and the priority, in fields 41 and 40 of /proc/PID/stat.
POLICIES = {"other": (0, 0), "batch": (3, 0), "idle": (5, 0), "fifo": (1, 1), "rr": (2, 1)}


def policy_of(tid):
    """Returns policy and priority of a task, from /proc."""
    with open(f"/proc/{tid}/stat", encoding="utf-8", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    numbers = int(fields[38]), int(fields[37])
    if os.sched_getscheduler(tid) != numbers[0]:
        raise ValueError("it has just changed")
    return numbers


def may_be_real_time():
    """Whether a child of this test may have a real-time policy."""
    return subprocess.run([sys.executable, "-c", "import os; os.sched_setscheduler(0, os.SCHED_FIFO, "
                           "os.sched_param(1))"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def variable_of(name):
    """Returns a function that reads an environment variable of a task; None: the task has none."""
    def read(tid):
        with open(f"/proc/{tid}/environ", "rb") as file:
            for item in file.read().split(b"\0"):
                if item.startswith(name.encode() + b"="):
                    return item.split(b"=", 1)[1].decode()
        return None
    return read


def arenas_of(tid):
    """Returns the number of additional heaps of the allocator. Each has 64 MiB of addresses and uses a part."""
    starts = 0
    with open(f"/proc/{tid}/maps", encoding="utf-8", errors="replace") as file:
        for line in file:
            begin, end = (int(n, 16) for n in line.split()[0].split("-"))
            starts += begin % (64 << 20) == 0 and line.split()[1] == "rw-p" and end > begin
    return starts


def used():
    """Returns CPU times in s: of all programs on this machine, and of this test with its reaped children."""
    with open("/proc/stat", encoding="utf-8") as file:
        user, nice, system = (int(n) for n in file.readline().split()[1:4])
    times = os.times()
    return (user + nice + system) / os.sysconf("SC_CLK_TCK"), sum(times[:4])


def others(busy):
    """
    Runs a case on one CPU, beside a busy loop on the CPUs `busy`. Returns the share of other programs on
    that CPU in 0.1 %, and the most that it could be without the loop: the CPU time of all other programs.
    """
    all_before, own_before = used()
    loop = subprocess.Popen(["timeout", "60", "sh", "-c", "while :; do :; done" if busy else ":"],
                            preexec_fn=lambda: os.sched_setaffinity(0, busy or CPUS))
    try:
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            run("-s", "cores=1,2", "--models", "threads", "-w", "cpu=2",
                "-s", "cpu.size=40000000", "--trials", "1", "--log", log)
            with open(log, encoding="utf-8", newline="") as file:
                end = next(row for row in csv.DictReader(file)
                           if row["record"] == "end" and row["trial"] == "1" and
                           row["variables"].startswith("cores=1"))
    finally:
        loop.terminate()
        loop.wait()
    all_after, own_after = used()
    strangers = (all_after - all_before) - (own_after - own_before)
    return int(end["others_permille"]), max(0, strangers) * 1e9 / int(end["elapsed_ns"]) * 1000


class Sweeps(unittest.TestCase):
    def test_cores_are_those_that_the_kernel_allows_the_workers(self):
        def once():
            found = witness(cpus_of, "-s", "cores=1..", "-w", "cpu=3",
                            variable="cores")
            expected = {(model, str(n)): {n} for model in ("threads", "processes")
                        for n in range(1, len(CPUS) + 1)}
            self.assertEqual(found, expected)
        matches(self, once)

    @unittest.skipIf(len(CPUS) < 2, "one CPU")
    def test_others_are_those_on_the_cpus_of_the_case(self):
        def once():
            elsewhere, most = others(CPUS[1:2])
            self.assertLess(elsewhere, most + 200)
            self.assertGreater(others(CPUS[:1])[0], 250)
            nobody, most = others(())
            self.assertLess(nobody, most + 200)
        matches(self, once)

    def test_more_cores_than_there_are_name_how_many_there_are(self):
        _, error = run("-s", f"cores=1..{len(CPUS) + 1}", status=2)
        self.assertIn(f"the {len(CPUS)} CPU", error)
        _, error = run("-s", "cores=1,2", "-s", "pin=" + str(CPUS[0]), status=2)
        self.assertIn(f"the 1 CPU that -s pin names ({CPUS[0]})", error)

    def test_niceness_is_that_of_the_workers_in_proc(self):
        def once():
            found = witness(nice_of, "-s", "nice=17,19", "-w", "cpu=2",
                            variable="nice")
            self.assertEqual(found, {(model, str(n)): {n} for model in ("threads", "processes")
                                     for n in (17, 19)})
        matches(self, once)

    def test_policies_are_those_of_the_workers_in_proc(self):
        def once():
            # Only one worker, so that this test gets another core beside a real-time task.
            found = witness(policy_of, "-s", "policy=" + ",".join(POLICIES), "-w", "cpu=1",
                            variable="policy")
            self.assertEqual(found, {(model, name): {numbers}
                                     for model in ("threads", "processes")
                                     for name, numbers in POLICIES.items()})
        if not may_be_real_time():
            self.skipTest("no real-time policy is allowed here")
        matches(self, once)

    def test_a_policy_without_permission_names_the_limit_that_binds(self):
        nobody = program.as_nobody(self, {resource.RLIMIT_RTPRIO: 0})
        _, error = run("--no-log", "-s", "policy=fifo", status=3, **nobody)
        self.assertIn('-s policy=fifo needs root or an RLIMIT_RTPRIO of 1 or more (ulimit -r is 0)', error)
        self.assertIn("use other, batch or idle", error)

    def test_this_program_gets_a_core_beside_real_time_workers(self):
        if not may_be_real_time():
            self.skipTest("no real-time policy is allowed here")
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            # One worker more than cores. Each works for longer than a second.
            run("--trials", "1", "-m", "threads", "-s", "policy=fifo", "-w",
                f"cpu={len(CPUS) + 1}", "-s", "cpu.size=500000000", "--interval", "50", "--log", log)
            with open(log, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        end = next(row for row in rows if row["record"] == "end")
        begin, elapsed = int(end["begin_ns"]), int(end["elapsed_ns"])
        ticks = [row for row in rows if row["record"] == "tick" and
                 begin < int(row["time_ns"]) < begin + elapsed]
        self.assertEqual(end["status"], "ok")
        if elapsed > 2e9:
            self.assertGreater(len(ticks), 0)

    def test_variables_are_those_of_the_runner_in_proc(self):
        def once():
            found = witness(variable_of("MALLOC_ARENA_MAX"), "-s",
                            "env:MALLOC_ARENA_MAX=1,,-", "-w", "cpu=2", "-m", "threads",
                            variable="env:MALLOC_ARENA_MAX")
            self.assertEqual(found, {("threads", "1"): {"1"}, ("threads", ""): {""},
                                     ("threads", "-"): {None}})
        matches(self, once)

    def test_the_allocator_heeds_the_number_of_arenas(self):
        if program.SANITIZED:
            self.skipTest("a sanitizer has an allocator of its own")

        def once():
            found = witness(arenas_of, "-s", "env:MALLOC_ARENA_MAX=1,8", "-w", "cpu=4", "-s",
                            "alloc=400", "-m", "threads", "-s", "cpu.size=20000000", "-s",
                            "env:LD_PRELOAD=-", variable="env:MALLOC_ARENA_MAX")
            self.assertEqual(found[("threads", "1")], {0})
            self.assertGreater(max(found[("threads", "8")]), 0)
        matches(self, once)

    def test_what_surrounds_the_runs_is_recorded_and_warned_of(self):
        plain = result("-w", "cpu=1", "--trials", "1", "-s", "cpu.size=1000",
                       env={**os.environ, "LD_BIND_NOW": "1"})
        self.assertEqual(plain["environment"]["LD_BIND_NOW"], "1")
        self.assertEqual(plain["environment"]["nice"], str(os.nice(0)))
        # By default, AddressSanitizer refuses to run if another library is preloaded before it.
        text, said = run("--no-log", "--format", "report", "-w", "cpu=1", "--trials", "1",
                         "-s", "cpu.size=1000", "-s", "env:LD_PRELOAD=libdl.so.2",
                         env={**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0"},
                         preexec_fn=lambda: os.nice(17 - os.nice(0)))
        self.assertIn("niceness 17, not 0", " ".join(said.split()))
        self.assertIn("LD_PRELOAD=libdl.so.2 loads other code", " ".join(said.split()))
        self.assertIn("The runs had nice=17, ", text)
        self.assertIn("LD_PRELOAD=libdl.so.2", text)

    def test_what_a_setting_says_is_not_contradicted(self):
        small = ["--no-log", "--format", "report", "-w", "cpu=1", "-s", "cpu.size=1000",
                 "--trials", "1"]
        text, said = run(*small, "-s", "nice=17", "-s", "stack=64K", "-s", "policy=batch")
        self.assertIn("The runs had nice=17, policy=batch, stack=64K, ", text)
        self.assertNotIn("which affects their share", said)
        text, said = run(*small, "-s", "nice=17,18", "-s", "stack=64K,1M", "-s", "policy=other,batch")
        self.assertIn("The runs had addresses=", text)
        self.assertNotIn("which affects their share", said)

    def test_a_word_by_itself_is_an_experiment(self):
        by_word = result("crash", "--trials", "1", "-s", "cpu.size=1000000")
        self.assertEqual(by_word["experiment"], "crash")
        for words, right in ((["helo"], "did you mean hello"), (["hello", "tree"], "name only one"),
                             (["hello", "crash"], "name only one"), (["nonsense"], "tuibench -r ")):
            self.assertIn(right, run(*words, status=2)[1])

    def test_a_cold_page_cache_is_read_from_the_disk_and_a_warm_one_is_not(self):
        runs = result("-s", "cache=cold,warm", "-w", "io=2", "-s",
                      "io.size=4M", "--trials", "1")["runs"]
        self.assertEqual(len(runs), 4)
        for one in runs:
            cold = one["variables"]["cache"] == "cold"
            self.assertEqual(one["disk_read_kb"] >= 4096, cold, one)


if __name__ == "__main__":
    unittest.main()
