# SPDX-License-Identifier: MIT
"""Slices and wake-ups, compared with the kernel's own trace of the same run: sched_switch, sched_waking
and sched_process_fork, in a separate trace instance that is removed afterwards.

    test_trace_slices.py TUIBENCH
"""

import csv
import io
import os
import re
import statistics
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))

TRACING = "/sys/kernel/tracing"
US = 1000


def become_private():
    """If tracefs is not mounted, mounts it in a namespace of this process and its children."""
    if os.path.exists(f"{TRACING}/instances") or os.environ.get("TUIBENCH_PRIVATE"):
        return
    os.environ["TUIBENCH_PRIVATE"] = "1"
    mount = f"mount -t tracefs none {TRACING} 2>/dev/null; exec \"$@\""
    probe = subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL, check=False)
    if probe.returncode == 0:
        os.execvp("unshare", ["unshare", "-m", "sh", "-c", mount, "sh", sys.executable, *sys.argv])


if os.geteuid() == 0:
    become_private()

import program  # importing it removes the path of tuibench from sys.argv


class Trace:
    """The kernel's trace of all tasks whose names begin with tuibench."""

    def __init__(self):
        self.path = f"{TRACING}/instances/tuibench-{os.getpid()}"

    def write(self, name, text):
        with open(f"{self.path}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def __enter__(self):
        os.mkdir(self.path)
        try:
            self.write("trace_clock", "mono")
            self.write("buffer_size_kb", "16384")
            self.write("events/sched/sched_switch/filter",
                       'prev_comm ~ "tuibench*" || next_comm ~ "tuibench*"')
            self.write("events/sched/sched_waking/filter", 'comm ~ "tuibench*"')
            self.write("events/sched/sched_process_fork/filter", 'parent_comm ~ "tuibench*"')
            for event in ("switch", "waking", "process_fork"):
                self.write(f"events/sched/sched_{event}/enable", "1")
        except OSError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            self.write("tracing_on", "0")
        finally:
            os.rmdir(self.path)

    def lost(self):
        lost = 0
        for cpu in os.listdir(f"{self.path}/per_cpu"):
            with open(f"{self.path}/per_cpu/{cpu}/stats", encoding="utf-8") as file:
                lost += int(re.search(r"overrun: (\d+)", file.read()).group(1))
        return lost

    def read(self):
        with open(f"{self.path}/trace", encoding="utf-8", errors="replace") as file:
            return file.read()


EVENT = re.compile(r"\[\d+\] .{5,6} +(\d+)\.(\d{6}): sched_(switch|waking|process_fork): (.*)")
SWITCH = re.compile(r"prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) ==> .*next_pid=(\d+) ")


class Task:
    """The trace of one task, in ns on the monotonic clock."""

    def __init__(self):
        self.forked = self.woken = self.on = self.off = None
        self.torn = False  # the trace lacks a switch between this task and another program
        self.ons = []    # (begin, end) of its times on a core
        self.waits = []  # (when it got a core, how long after its wake-up)
        self.left = {"blocked": [], "preempted": []}

    def switch_in(self, at):
        self.torn |= self.on is not None
        if self.woken is not None:
            self.waits.append((at, at - max(self.woken, self.off or 0)))
        self.woken = None
        self.on = at

    def switch_out(self, at, state):
        if self.on is not None:
            self.ons.append((self.on, at))
        self.torn |= self.on is None
        self.on, self.off = None, at
        if state[0] not in "XZ":
            preempted = state[0] == "R"
            self.left["preempted" if preempted else "blocked"].append(at)
            # A wake-up of a task that still runs has no effect, unless the task was just about to block.
            # So it is forgotten if the task is preempted, and kept if the task blocks.
            if preempted:
                self.woken = None


def tasks_of(text):
    """Returns the tasks of the trace by TID."""
    tasks = {}
    for line in text.splitlines():
        match = EVENT.search(line)
        if not match:
            continue
        at = int(match.group(1)) * 10**9 + int(match.group(2)) * US
        kind, what = match.group(3), match.group(4)
        if kind == "switch":
            out, state, into = SWITCH.search(what).groups()
            tasks.setdefault(int(out), Task()).switch_out(at, state)
            tasks.setdefault(int(into), Task()).switch_in(at)
        elif kind == "waking":
            tasks.setdefault(int(re.search(r" pid=(\d+)", what).group(1)), Task()).woken = at
        else:
            tasks[int(re.search(r"child_pid=(\d+)", what).group(1))] = task = Task()
            task.forked = at
    return tasks


def workers_of(log):
    """Returns the final values of each worker, with its slices."""
    workers = {}
    for row in csv.DictReader(io.StringIO(log)):
        known = workers.setdefault(row["id"], {"slices": []})
        if row["record"] == "worker":
            known.update({name: value for name, value in row.items() if value != ""})
        elif row["record"] == "slice" and row["id"] != "":
            known["slices"].append(row)
    return [worker for worker in workers.values() if "tid" in worker]


def clip(spans, low, high):
    return sum(max(0, min(to, high) - max(begin, low)) for begin, to in spans)


def offset_of(workers, tasks):
    """
    Returns the beginning of the run on the monotonic clock. The call that creates a task must include the
    task's fork. Within these limits, the ends of slices and those of the trace must differ by 0 in the
    median.
    """
    low = max(tasks[int(w["tid"])].forked - int(w["created_ns"]) for w in workers)
    high = min(tasks[int(w["tid"])].forked - int(w["create_ns"]) for w in workers)
    ends = [to - int(slice_["off_ns"]) for worker in workers
            for slice_, (_, to) in zip(worker["slices"], tasks[int(worker["tid"])].ons)
            if len(worker["slices"]) == len(tasks[int(worker["tid"])].ons)]
    return min(max(statistics.median_low(ends or [low]), low), high)


def waits_of(worker):
    """Returns the worker's waits for a core after it was blocked, in order, until the end of its work."""
    found = []
    for before, slice_ in zip(worker["slices"], worker["slices"][1:]):
        if int(slice_["on_ns"]) >= int(worker["finish_ns"]):
            break
        if slice_["ready_ns"] and before["kind"] != "preempted":
            found.append(int(slice_["on_ns"]) - int(slice_["ready_ns"]))
    return found


def is_near(a, b):
    return abs(a - b) <= 30 * US + b / 100


@unittest.skipUnless(os.geteuid() == 0 and os.path.isdir(f"{TRACING}/instances"),
                     "the kernel's trace cannot be had")
class Witness(unittest.TestCase):
    def record(self, *args):
        """Returns the workers of one run, and their tasks in the trace."""
        try:
            with Trace() as trace:
                log = program.run("--trials", "1", "--warmup", "0", "--log", "-", *args)[0]
                lost, text = trace.lost(), trace.read()
        except OSError as error:
            self.skipTest(f"the kernel's trace cannot be had: {error}")
        self.assertEqual(lost, 0)
        workers, tasks = workers_of(log), tasks_of(text)
        self.assertTrue(workers)
        return workers, tasks

    def far(self, workers, tasks, begin, each):
        """Returns the workers whose time on cores since `begin` differs from the trace."""
        offset = offset_of(workers, tasks)
        ours, theirs, n, found = 0, 0, 0, []
        for worker in workers:
            low, high = int(worker[begin]), int(worker["finish_ns"])
            spans = [(int(s["on_ns"]), int(s["off_ns"])) for s in worker["slices"]]
            mine = clip(spans, low, high)
            trace = clip(tasks[int(worker["tid"])].ons, low + offset, high + offset)
            ours, theirs, n = ours + mine, theirs + trace, n + len(spans)
            if each and abs(mine - trace) > trace / 100 + 200 * US:
                found.append((worker["id"], mine, trace))
        if abs(ours - theirs) > theirs / 100 + 5 * US * n + 50 * US:
            found.append(("all", ours, theirs))
        return found

    def wrong_waits(self, workers, tasks):
        """Returns workers with another number of waits than in the trace. Most waits must agree to 30 us."""
        found, near, n, offset = [], 0, 0, offset_of(workers, tasks)
        for worker in workers:
            until, mine = int(worker["finish_ns"]) + offset, waits_of(worker)
            theirs = [wait for at, wait in tasks[int(worker["tid"])].waits if at < until]
            if len(mine) != len(theirs):
                found.append((worker["id"], mine, theirs))
            n += min(len(mine), len(theirs))
            near += sum(map(is_near, mine, theirs))
        if near < 0.9 * n:
            found.append(("latencies", near, n))
        return found, n

    def assert_agree(self, looks, *args):
        """Compares the workers whose switches are complete in the trace."""
        def once():
            workers, tasks = self.record(*args)
            whole = [worker for worker in workers if not tasks[int(worker["tid"])].torn]
            return (looks(whole, tasks) if 2 * len(whole) > len(workers)
                    else [("whole in the trace", len(whole), len(workers))])
        program.agree(self, once)

    def test_mixed_perf(self):
        def looks(workers, tasks):
            return (self.far(workers, tasks, "start_ns", True)
                    + self.wrong_waits(workers, tasks)[0])
        for model in ("threads", "processes"):
            self.assert_agree(looks, "-s", "sched=perf", "--models", model, "-w", "cpu=3,io=1",
                              "-s", "cpu.size=12000000", "-s", "io.size=4M")

    def test_mixed_own(self):
        for model in ("threads", "processes"):
            self.assert_agree(lambda w, t: self.far(w, t, "work_ns", True), "-s", "sched=own",
                              "--models", model, "-w", "cpu=3,io=1", "-s",
                              "cpu.size=12000000", "-s", "io.size=4M")

    def test_tree(self):
        """The end of a child wakes its parent."""
        def looks(workers, tasks):
            found, n = self.wrong_waits(workers, tasks)
            self.assertGreater(n, 0)
            return found + self.far(workers, tasks, "start_ns", False)
        for model in ("threads", "processes"):
            self.assert_agree(looks, "-s", "sched=perf", "--models", model, "--tree", "4x3x8")

    def test_hello(self):
        for model in ("threads", "processes"):
            self.assert_agree(lambda w, t: self.far(w, t, "start_ns", False), "-s", "sched=perf",
                              "hello", "-s", "size=50", "--models", model)


if __name__ == "__main__":
    unittest.main()
