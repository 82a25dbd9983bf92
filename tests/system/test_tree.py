#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trees from the command line to the result: exact counts, order of times, limits, no orphans.

    test_tree.py TUIBENCH [BARE] [KILLS]

BARE is the compiled tests/bench/bare_tree.c. Without BARE, no cost is compared.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import (DEADLINE, PLAIN, SANITIZED, TUIBENCH, as_nobody, await_end_of, children, created,
                     moments, quiet, result, run, strace, workers)

BARE = (sys.argv.pop(1) if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]) else None)
KILLS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 8
TIMES = ["create_ns", "created_ns", "start_ns", "finish_ns", "join_ns"]


def one_trial(*args, **more):
    return result("--trials", "1", *args, **more)


def tasks_of(shape):
    total, level = 0, 1
    for fanout in shape.split("x"):
        level *= int(fanout)
        total += level
    return total


class Counts(unittest.TestCase):
    def check(self, shape, one, all_alive=False):
        total = tasks_of(shape)
        for name in ("workers", "created", "finished", "joined"):
            self.assertEqual(one[name], total, (shape, one["model"], name))
        self.assertEqual((one["failed"], one["status"]), (0, "ok"), (shape, one["model"]))
        self.assertEqual([level["workers"] for level in one["levels"]],
                         [tasks_of(shape[:i]) - (tasks_of(shape[:j]) if j > 0 else 0)
                          for i, j in self.cuts(shape)])
        self.assertEqual(one["all"]["join"]["n"], total)
        if all_alive:
            self.assertEqual(one["peak_alive"], total, (shape, one["model"]))

    @staticmethod
    def cuts(shape):
        ends = [i for i, c in enumerate(shape + "x") if c == "x"]
        return list(zip(ends, [0] + ends))

    def test_every_shape_of_threads_has_exactly_its_tasks(self):
        shapes = ["1", "1x1", "900", "50x19", "20x3x82", "2x2x2x2x2x2x2x2", "1x900", "900x1"]
        runs = one_trial("--tree", ",".join(shapes))["runs"]
        self.assertEqual([one["variables"]["tree"] for one in runs], shapes)
        for shape, one in zip(shapes, runs):
            self.check(shape, one)

    def test_every_shape_of_processes_and_hybrids_has_exactly_its_tasks(self):
        shapes = ["1x1", "10x9", "4x3x16", "2x2x2x2x2x2", "1x90", "90x1"]
        runs = one_trial("--tree", ",".join(shapes), "--models", "processes,hybrid")["runs"]
        self.assertEqual(len(runs), 2 * len(shapes))
        for i, one in enumerate(runs):
            self.check(shapes[i // 2], one)

    def test_all_are_alive_at_once_where_that_is_asked_for(self):
        models = "threads,processes,hybrid"
        for one in one_trial("--tree", "10x3x20", "-s", "all-alive=yes", "--models", models)["runs"]:
            self.check("10x3x20", one, all_alive=True)
            for name in ("rss_kb", "pss_kb", "uss_kb", "kernel_kb"):
                self.assertGreater(one["memory"][name], 0, (one["model"], name))
            # Each task has at least a kernel stack.
            self.assertGreaterEqual(one["memory"]["kernel_kb"], 640 * 4)
            self.assertEqual(one["all"]["barrier"]["n"], 600)

    def test_batches_leave_no_more_alive_than_they_are_large(self):
        for one in one_trial("--tree", "300", "-s", "batch=7", "--models",
                          "threads,processes")["runs"]:
            self.check("300", one)
            self.assertLessEqual(one["peak_alive"], 7)

    def test_leaves_may_work(self):
        rows = workers("--tree", "3x4", "-s", "cpu.size=5040", "--models", "threads,hybrid")
        for (number, index), row in rows.items():
            if index >= 3:
                self.assertEqual(row["result"], "60", (number, index))


@unittest.skipUnless(shutil.which("strace"), "needs strace")
class Strace(unittest.TestCase):
    def test_the_kernel_counts_the_same(self):
        for model in ("threads", "processes", "hybrid"):
            for shape in ("6x9", "2x3x8"):
                # The runner is created, too.
                trace = strace(self, "clone,clone3,fork,vfork", "--tree", shape, "--models", model)
                self.assertEqual(created(trace), tasks_of(shape) + 1, (shape, model))


@unittest.skipUnless(BARE, "needs the bare program")
@unittest.skipIf(SANITIZED, "a sanitizer has pages and calls of its own")
class Cost(unittest.TestCase):
    """The cost of a task without work, compared with a minimal program that grows the same tree."""

    @staticmethod
    def bare_faults(model, n):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        subprocess.run([BARE, model, str(n)], stdout=subprocess.DEVNULL, check=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    def check_faults(self, model, trials, few, many, most):
        # Compare averages, because one or two faults depend on the addresses of stack and libraries.
        bare = sum(self.bare_faults(model, many) - self.bare_faults(model, few) for _ in range(trials))
        runs = result("--tree", f"{few},{many}", "--models", model, "--trials", str(trials))["runs"]
        self.assertEqual(len(runs), 2 * trials)
        ours = sum(one["minflt"] * (1 if one["workers"] == many else -1) for one in runs)
        counted = trials * (many - few)
        self.assertLessEqual((ours - bare) / counted, most, (ours / counted, bare / counted))

    def test_a_process_takes_at_most_three_page_faults_more_than_a_bare_one(self):
        self.check_faults("processes", 12, 4, 40, 3)

    def test_a_thread_takes_no_page_of_its_stack_more_than_a_bare_one(self):
        self.check_faults("threads", 4, 40, 400, 0.5)

    @staticmethod
    def calls_of_children(trace):
        """Returns the system calls of each child of the process that forked most often."""
        forks, calls = {}, {}
        for pid, call in re.findall(r"^(\d+) +(.*)$", trace, re.M):
            if re.match(r"\w+\(", call):
                calls.setdefault(pid, []).append(call)
            made = re.search(r"(?:clone3?|v?fork)(?:\(| resumed).*\) += (\d+)", call)
            if made:
                forks.setdefault(pid, []).append(made[1])
        return [calls[child] for child in max(forks.values(), key=len)]

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_process_makes_three_system_calls_more_two_of_them_tie_it_to_its_parent(self):
        ours = self.calls_of_children(strace(self, "all", "--tree", "20", "-m", "processes"))
        with tempfile.NamedTemporaryFile("r") as file:
            subprocess.run(["strace", "-f", "-qq", "-o", file.name, BARE, "processes", "20"],
                           stdout=subprocess.DEVNULL, check=True)
            bare = self.calls_of_children(file.read())
        self.assertEqual((len(ours), len(bare)), (20, 20))
        for calls in ours:
            self.assertLessEqual(len(calls), len(bare[0]) + 3, calls)
            names = [call.split("(")[0] for call in calls]
            self.assertLess(names.index("prctl"), names.index("getppid"), calls)
            self.assertIn("PR_SET_PDEATHSIG, SIGKILL", calls[names.index("prctl")])


class Order(unittest.TestCase):
    def test_the_times_of_every_worker_are_in_order(self):
        fanout = (6, 3, 20)
        rows = workers("--tree", "x".join(map(str, fanout)), "--models",
                       "threads,processes,hybrid")
        total = tasks_of("6x3x20")
        self.assertEqual(len(rows), 3 * total)
        for (number, index), row in rows.items():
            times = {name: int(row[name]) for name in TIMES}
            for before, after in (("create_ns", "created_ns"), ("create_ns", "start_ns"),
                                  ("start_ns", "finish_ns"), ("finish_ns", "join_ns")):
                self.assertLessEqual(times[before], times[after], (number, index))
            if index < fanout[0]:
                continue
            level = index - fanout[0]
            parent = level // 3 if level < 18 else fanout[0] + (level - 18) // 20
            self.assertLessEqual(times["join_ns"], int(rows[number, parent]["finish_ns"]))
            self.assertGreaterEqual(times["create_ns"], int(rows[number, parent]["start_ns"]))


class Limits(unittest.TestCase):
    def test_sizes_that_overflow_are_wrong_usage(self):
        for shape in ("99999x99999", "4294967297", "99999999999999999999999", "2000x2000x2"):
            self.assertIn(shape, run("--tree", shape, status=2)[1])

    def test_a_limit_on_tasks_is_named_with_what_fits(self):
        more = as_nobody(self, {resource.RLIMIT_NPROC: 400})
        error = run("--no-log", "--tree", "20x3x82", status=3, **more)[1]
        self.assertRegex(error, r"RLIMIT_NPROC \(ulimit -u\) is 400")
        self.assertRegex(error, r"need 5000 tasks")
        fits = error.split("at most ")[1].split(" ")[0]
        batch = error.split("-s batch=")[1].split()[0]
        self.assertTrue(fits.startswith("20x3x"))
        one = one_trial("--tree", fits, "-s", "all-alive=yes", **more)["runs"][0]
        self.assertEqual(one["status"], "ok")
        self.assertEqual(one_trial("--tree", "20x3x82", "-s", "batch=" + batch,
                                **more)["runs"][0]["created"], 5000)

    def remove(self, group):
        """Removes the cgroup. The kernel may need some time after the last task ended."""
        until = time.monotonic() + DEADLINE
        while os.path.exists(group):
            try:
                os.rmdir(group)
            except OSError:
                self.assertLess(time.monotonic(), until, "somebody is left in it")
                time.sleep(0.01)

    def in_a_pids_cgroup(self, most):
        """Creates a cgroup with at most `most` tasks, of version 1 or 2. Skips the test if that is not possible."""
        for root in ("/sys/fs/cgroup", "/sys/fs/cgroup/pids"):
            group = os.path.join(root, f"tuibench-test-{os.getpid()}")
            try:
                os.mkdir(group)
            except OSError:
                continue
            self.addCleanup(self.remove, group)
            if not os.path.exists(os.path.join(group, "pids.max")):
                continue
            with open(os.path.join(group, "pids.max"), "w", encoding="utf-8") as file:
                file.write(str(most))

            def enter(procs=os.path.join(group, "cgroup.procs")):
                with open(procs, "w", encoding="utf-8") as file:
                    file.write("0")
            return {"preexec_fn": enter}
        self.skipTest("no pids cgroup can be made here")

    def test_a_cgroups_limit_on_tasks_is_named_and_its_batches_fit(self):
        more = self.in_a_pids_cgroup(300)
        error = run("--no-log", "--tree", "20x3x82", status=3, **more)[1]
        self.assertRegex(error, r"pids\.max of cgroup \S*tuibench-test-\d+ is 300")
        batch = error.split("-s batch=")[1].split()[0]
        self.assertEqual(one_trial("--tree", "20x3x82", "-s", "batch=" + batch,
                                **more)["runs"][0]["created"], 5000)

    def test_a_limit_on_address_space_is_named(self):
        more = as_nobody(self, {resource.RLIMIT_AS: 1 << 30})
        if subprocess.run([TUIBENCH, "--version"], capture_output=True, check=False,
                          **more).returncode != 0:
            self.skipTest("a sanitizer needs more address space than that")
        error = run("--no-log", "--tree", "1000", "-s", "stack=8M", status=3, **more)[1]
        self.assertIn("RLIMIT_AS (ulimit -v) is 1.0 GiB", error)
        self.assertIn("at most 120 fits", error)

    def test_a_limit_that_leaves_nothing_says_so_and_of_a_hybrid_in_the_singular(self):
        more = as_nobody(self, {resource.RLIMIT_NPROC: 2})
        error = run("--no-log", "--tree", "20x3x82", "-m", "hybrid", status=3, **more)[1]
        self.assertIn("hybrid needs 5000 tasks", error)
        self.assertIn("of which nothing is left, so no tree with that many levels fits", error)
        error = run("--no-log", "-w", "cpu=3", status=3, **more)[1]
        self.assertIn("-w cpu=3: threads need 3 tasks", error)
        self.assertIn("not even one worker fits", error)

    def test_a_limit_that_is_hit_in_spite_of_all_is_told_and_the_session_goes_on(self):
        more = as_nobody(self, {resource.RLIMIT_NPROC: 300})
        # Other tasks of the user use up the limit after tuibench has checked it, as soon as a run has begun.
        # There are very many trials, so that this is never too late.
        child = subprocess.Popen([TUIBENCH, "--batch", "--no-log", *PLAIN, "--tree", "250", "-s", "all-alive=yes",
                                  "-m", "threads", "--trials", "10000", "--format", "json"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        takers = []
        self.await_line(child, r"trial 1 of")
        for _ in range(80):
            try:
                takers.append(subprocess.Popen(["sleep", str(DEADLINE)], **more))
            except (BlockingIOError, subprocess.SubprocessError):
                break
        self.await_line(child, r"could not create \d+ after \d+ of 250: .*\(EAGAIN\)")
        for taker in takers:
            taker.kill()
            taker.wait()
        self.await_line(child, r"trial \d+ of 10000: \d")
        child.send_signal(signal.SIGINT)
        runs = json.loads(child.communicate(timeout=DEADLINE)[0])["runs"]
        failed = [i for i, one in enumerate(runs) if one["status"] == "failed"]
        self.assertTrue(failed)
        for i in failed:
            self.assertLess(runs[i]["created"], 250)
            self.assertEqual(runs[i]["joined"], runs[i]["created"])
        self.assertIn("ok", [one["status"] for one in runs[failed[-1]:]])
        self.assertEqual(child.returncode, 130)

    def await_line(self, child, pattern):
        """Reads standard error of a batch until a line matches."""
        told = ""
        for line in child.stderr:
            told += line
            if re.search(pattern, line):
                return
        self.fail(f"{pattern} was not told: {told}")


def runner_at_work(front_end):
    """Waits until a runner of the session has a worker, and returns its PID."""
    until = time.monotonic() + DEADLINE
    while time.monotonic() < until and os.path.exists(f"/proc/{front_end}/exe"):
        for runner in children(front_end):
            if children(runner):
                return runner
    raise AssertionError(f"{front_end} has no runner at work")


@unittest.skipUnless(os.path.exists(f"/proc/self/task/{os.getpid()}/children"),
                     "needs /proc/PID/task/TID/children")
class Orphans(unittest.TestCase):
    def killed_in_creation(self, victim, delay):
        child = quiet("--tree", "20x3x82", "--models", "processes", "--trials", "10000")
        runner = runner_at_work(child.pid)
        # Kill at different moments of the creation.
        time.sleep(delay)
        if victim == "front end":
            child.kill()
        else:
            try:
                os.kill(runner, signal.SIGKILL)
            except ProcessLookupError:
                pass
        await_end_of(self, runner)
        child.terminate()
        child.wait(timeout=DEADLINE)

    def test_no_worker_outlives_a_front_end_that_is_killed(self):
        for delay in moments(KILLS, 0.3):
            self.killed_in_creation("front end", delay)

    def test_no_worker_outlives_a_runner_that_is_killed(self):
        for delay in moments(KILLS // 2, 0.15):
            self.killed_in_creation("runner", delay)


if __name__ == "__main__":
    unittest.main(verbosity=2)
