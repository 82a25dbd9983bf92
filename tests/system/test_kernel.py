#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The memory of the kernel, compared with a memory cgroup of which tuibench does not know.

Usage: test_kernel.py PATH/tuibench
"""

import contextlib
import ctypes
import itertools
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import (DEADLINE, TUIBENCH, as_nobody, await_end_of, await_work, children, matches, moments, name_of,
                     quiet, result)

KIB = 1024
PR_SET_CHILD_SUBREAPER = 36
# The number of tasks and the tree. A process takes far more memory than a thread, so half as many do.
TREES = {"threads": (1040, "20x3x16"), "processes": (520, "10x3x16")}
HELLOS = {"threads": 765, "processes": 382}


def own(controller):
    """Returns the cgroup of this test, of version 1; None if there is none."""
    for line in pathlib.Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return pathlib.Path(f"/sys/fs/cgroup/{controller}{path}")
    return None


class Cgroup:
    """A cgroup of this test, removed at the end."""

    def __init__(self, test):
        self.test = test
        above = own("memory")
        if not above or not (above / "memory.kmem.usage_in_bytes").exists():
            test.skipTest("needs a memory cgroup of version 1")
        self.path = above / f"test-{os.getpid()}"
        try:
            self.path.mkdir()
        except OSError as error:
            test.skipTest(f"needs the right to make a cgroup: {error}")
        test.addCleanup(self.remove)

    def remove(self):
        until = time.monotonic() + DEADLINE
        while self.path.exists():
            self.test.assertLess(time.monotonic(), until, "somebody is left in it")
            for path in (*self.path.glob("tuibench-*"), self.path):
                with contextlib.suppress(OSError):
                    path.rmdir()
            time.sleep(0.01)

    def join(self):
        """A preexec_fn that moves the child into the cgroup."""
        (self.path / "cgroup.procs").write_text("0", encoding="utf-8")

    def number(self, name):
        return int((self.path / name).read_text(encoding="utf-8"))

    def tasks(self):
        """Counts the tasks in the cgroup and in its children."""
        n = 0
        for path in (self.path / "tasks", *self.path.glob("*/tasks")):
            try:
                n += path.read_text(encoding="utf-8").count("\n")
            except OSError:
                pass
        return n

    def settle(self):
        """Waits until the kernel has freed the memory of earlier tasks, or most of it. Returns the rest in KiB."""
        seen = []
        while len(seen) < 5 or (max(seen[-5:]) > min(seen[-5:]) and len(seen) < 100):
            seen.append(self.number("memory.kmem.usage_in_bytes"))
            time.sleep(0.02)
        return seen[-1] // KIB

    def await_empty(self):
        """Waits until all tasks have ended. Reaps those that have become children of this test."""
        until = time.monotonic() + DEADLINE
        while self.tasks() > 0:
            self.test.assertLess(time.monotonic(), until)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)
            time.sleep(0.01)

    def left(self):
        return [path.name for path in self.path.iterdir() if path.is_dir()]


class Watch(threading.Thread):
    """Finds the lowest charge of a cgroup, in KiB, while at least a given number of tasks were in it.

    The charge may include memory of earlier tasks that the kernel has not freed yet, so the lowest is best.
    """

    def __init__(self, cgroup, tasks):
        super().__init__()
        self.cgroup, self.tasks = cgroup, tasks
        self.least, self.over = math.inf, threading.Event()

    def run(self):
        while not self.over.wait(0.001):
            before = self.cgroup.tasks()
            kib = self.cgroup.number("memory.kmem.usage_in_bytes") // KIB
            if before >= self.tasks and self.cgroup.tasks() >= self.tasks:
                self.least = min(self.least, kib)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


class Kernel(unittest.TestCase):
    def setUp(self):
        self.cgroup = Cgroup(self)
        whole = unittest.mock.patch.dict(os.environ, TUIBENCH_KERNEL="whole")
        whole.start()
        self.addCleanup(whole.stop)

    def enter(self, nobody):
        """Returns arguments for subprocess: enter the cgroup, and with `nobody`, become a user who may create none."""
        become = as_nobody(self, {})["preexec_fn"] if nobody else lambda: None

        def act():
            self.cgroup.join()
            become()
        return {"preexec_fn": act}

    def run_in(self, tasks, *args, nobody=False):
        """Runs a batch in the cgroup. Returns its memory by tuibench, and the charge of the cgroup in KiB."""
        before = self.cgroup.settle()
        with Watch(self.cgroup, tasks) as watch:
            runs = result("--trials", "1", "--warmup", "0", *args, **self.enter(nobody))["runs"]
        self.assertEqual(len(runs), 1)
        self.assertEqual(self.cgroup.left(), [])
        return runs[0]["memory"], watch.least - before

    def ratio(self, model, tasks, args, nobody):
        """Returns tuibench's value divided by the charge; None if there was no moment with all tasks."""
        memory, charged = self.run_in(tasks, "--models", model, *args, nobody=nobody)
        parts = [memory[f"kernel_{part}_kb"] for part in ("tables", "stacks", "other")]
        self.assertIs(memory["kernel_estimated"], nobody)
        self.assertEqual(sum(parts), memory["kernel_kb"])
        self.assertGreater(min(parts), 0)
        return memory["kernel_kb"] / charged if charged < math.inf else None

    def check(self, *case):
        """Repeats a case, because the kernel may still free the memory of earlier tests for some seconds."""
        ratios = filter(None, (self.ratio(*case) for _ in range(60)))
        # The cgroup is also charged for the front end and its helper processes, which matter little beside
        # the many tasks. If two ratios disagree, a third one decides.
        seen = list(itertools.islice(ratios, 2))
        near = [0.95 < ratio < 1.05 for ratio in seen]
        if any(near) and not all(near):
            seen.append(next(ratios, 0))
            near.append(0.95 < seen[-1] < 1.05)
        self.assertGreaterEqual(sum(near), 2, (case, seen))

    def compare(self, nobody):
        for model, (tasks, tree) in TREES.items():
            hello = HELLOS[model]
            for case in ((model, tasks, ("--tree", tree, "-s", "all-alive=yes"), nobody),
                         (model, hello, ("hello", "-w", f"hello={hello}", "-s", "hello.size=10"), nobody)):
                matches(self, lambda case=case: self.check(*case))

    def test_a_cgroup_of_its_own_says_what_one_around_it_says(self):
        self.compare(nobody=False)

    def test_who_can_have_none_estimates_the_same(self):
        self.compare(nobody=True)

    def test_without_the_slab_it_is_less_and_none_is_called_an_estimate(self):
        tree = ("--tree", "4x3x16", "-s", "all-alive=yes", "--models", "processes")
        memory, _ = self.run_in(1, *tree)
        with unittest.mock.patch.dict(os.environ, TUIBENCH_KERNEL="tables"):
            less, _ = self.run_in(1, *tree)
        self.assertIsNone(less["kernel_other_kb"])
        self.assertIsNone(less["kernel_estimated"])
        self.assertLess(less["kernel_kb"], 0.9 * memory["kernel_kb"])

    def begun(self):
        """Starts a batch in the cgroup, and waits until its workers work in a cgroup of their own."""
        batch = quiet("-w", "cpu=2", "-s", "cpu.size=1000000000000", **self.enter(False))
        self.addCleanup(batch.wait)
        self.addCleanup(batch.kill)
        await_work(self, batch.pid, 2)
        return batch

    def test_on_its_way_out_the_cgroup_goes_as_well(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            batch = self.begun()
            batch.send_signal(number)
            batch.wait(DEADLINE)
            self.assertEqual(self.cgroup.left(), [], number)

    def test_no_task_outlives_a_killed_one_whenever_that_is(self):
        for moment in moments(5, 0.3):
            batch = quiet("--models", "processes", "--tree", "20x3x16", "-s", "all-alive=yes", "--trials",
                          "1000", **self.enter(False))
            time.sleep(moment)
            batch.kill()
            batch.wait(DEADLINE)
            self.cgroup.await_empty()

    def test_a_killed_one_leaves_no_cgroup(self):
        batch = self.begun()
        batch.kill()
        batch.wait(DEADLINE)
        self.cgroup.await_empty()
        self.assertEqual(self.cgroup.left(), [])

    def test_what_a_killed_one_left_the_next_one_removes(self):
        batch = self.begun()
        tidy, = (pid for pid in children(batch.pid) if name_of(pid) == "tuibench-tidy")
        os.kill(tidy, signal.SIGKILL)
        batch.kill()
        batch.wait(DEADLINE)
        self.assertEqual(len(self.cgroup.left()), 1)
        self.run_in(1, "--tree", "1")
        self.assertEqual(self.cgroup.left(), [])

    def test_what_a_program_makes_below_the_cgroup_goes_with_it(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            command, left = os.path.join(folder, "command"), os.path.join(folder, "left")
            with open(command, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nmine=/sys/fs/cgroup/memory$(sed -n 's/.*:memory://p' /proc/self/cgroup)\n"
                           "mkdir $mine/below $mine/below/deeper $mine/beside\n"
                           f"env -i setsid sh -c 'echo $$ >$0/cgroup.procs; echo $$ >{left}; exec sleep 1000' "
                           f"$mine/below/deeper &\nwhile [ ! -s {left} ]; do sleep 0.01; done\n")
            os.chmod(command, 0o755)
            self.run_in(1, "--models", "processes", "--command", command)
            # If a session is killed together with tuibench-tidy, the next session removes its cgroups.
            with open(command, "a", encoding="utf-8") as file:
                file.write("exec sleep 1000\n")
            os.unlink(left)
            batch = quiet("--models", "processes", "--command", command, **self.enter(False))
            self.addCleanup(batch.wait)
            self.addCleanup(batch.kill)
            until = time.monotonic() + DEADLINE
            while not os.path.exists(left) or not os.path.getsize(left):
                self.assertLess(time.monotonic(), until)
                time.sleep(0.01)
            tidy, = (pid for pid in children(batch.pid) if name_of(pid) == "tuibench-tidy")
            os.kill(tidy, signal.SIGKILL)
            batch.kill()
            batch.wait(DEADLINE)
            self.assertEqual(len(self.cgroup.left()), 1)
            self.run_in(1, "--tree", "1")
            with open(left, encoding="utf-8") as file:
                await_end_of(self, int(file.read()))

    def test_the_cgroup_of_a_session_in_another_namespace_stays(self):
        """In another PID namespace, the PID in the cgroup's name means another process."""
        words = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", "for i in $(seq 500); do /bin/true; done; \"$@\"",
                 "sh", TUIBENCH, "--batch", "--no-log", "-w", "cpu=2", "-s", "cpu.size=1000000000000", "-m", "processes"]
        if subprocess.run([*words[:5], "true"], check=False, capture_output=True).returncode:
            self.skipTest("needs a namespace of processes")
        decisions = tempfile.NamedTemporaryFile("r", encoding="utf-8")
        self.addCleanup(decisions.close)
        other = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env={**os.environ, "TUIBENCH_DEBUG": decisions.name}, **self.enter(False))
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        # Wait for the run: before it, the session creates and removes cgroups for its probes.
        until = time.monotonic() + DEADLINE
        said = ""
        while "run 0 begins" not in said:
            said += decisions.read()
            self.assertIsNone(other.poll())
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        held = self.cgroup.left()
        self.assertEqual(len(held), 1)
        time.sleep(0.2)
        result("--trials", "1", "--warmup", "0", "--tree", "1", **self.enter(False))
        self.assertEqual(self.cgroup.left(), held)
        self.assertIsNone(other.poll())
        other.kill()
        self.cgroup.await_empty()


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    unittest.main()
