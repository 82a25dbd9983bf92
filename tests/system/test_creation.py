#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ways to create a task: exact counts, times in order, limits, nothing left behind.

    test_creation.py TUIBENCH
"""

import csv
import io
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

TUIBENCH = os.path.abspath(sys.argv.pop(1))
PRIMITIVES = ["fork", "vfork", "posix_spawn", "fork+exec", "pthread_create",
              "pthread_create:cold", "clone", "clock_gettime"]
PROCESSES = PRIMITIVES[:4]
SPANS = ["to_caller", "to_task", "joined"]


def run(*args, status=0, program=TUIBENCH, **more):
    """A batch; its two outputs."""
    done = subprocess.run([program, "--batch", "--experiment", "creation", *args],
                          capture_output=True, text=True, timeout=200, check=False, **more)
    if done.returncode != status:
        raise AssertionError(f"{args}: status {done.returncode}, not {status}: {done.stderr}")
    return done.stdout, done.stderr


def result(*args, **more):
    return json.loads(run("--no-log", "--format", "json", *args, **more)[0])


class Result(unittest.TestCase):
    def test_every_primitive_is_measured_and_the_clock_beside_them(self):
        found = result("--trials", "2", "--null", "30")
        self.assertEqual([one["model"] for one in found["runs"]],
                         PRIMITIVES + PRIMITIVES[::-1])
        for one in found["runs"]:
            for name in ("workers", "created", "finished", "joined"):
                self.assertEqual(one[name], 30, (one["model"], name))
            self.assertEqual((one["status"], one["failed"]), ("ok", 0))
            self.assertEqual(list(one["latency"]), SPANS)
            for span in one["latency"].values():
                self.assertEqual(list(span), ["n", "min", "p50", "p90", "p99", "max", "first"])
                self.assertEqual(span["n"], 29)
                ordered = [span[name] for name in list(span)[1:6]]
                self.assertEqual(ordered, sorted(ordered), one["model"])
                self.assertGreaterEqual(span["min"], 0)
            # A task is joined after it ran and after its creator knew of it.
            for span in SPANS[:2]:
                self.assertLessEqual(one["latency"][span]["max"], one["latency"]["joined"]["max"])
        clock = [one["latency"]["to_caller"]["p50"] for one in found["runs"]
                 if one["model"] == "clock_gettime"]
        self.assertTrue(min(clock) <= found["clock_ns"] <= max(clock))
        compared = {(c["a"], c["b"]) for c in found["comparisons"]}
        self.assertIn(("fork", "pthread_create"), compared)
        self.assertFalse([pair for pair in compared if "clock_gettime" in pair])
        self.assertIn("to_task_ns", {c["metric"] for c in found["comparisons"]})

    def test_a_log_gives_the_same_result_again(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            formats = {"json": run("--trials", "1", "--null", "20", "--ballast", "0,1M",
                                   "--log", log, "--format", "json")[0]}
            for name in ("json", "markdown", "table", "csv"):
                again = subprocess.run([TUIBENCH, "--export", name, log], capture_output=True,
                                       text=True, timeout=60, check=True).stdout
                self.assertEqual(formats.setdefault(name, again), again)
            self.assertIn("Sysel", formats["markdown"])
            self.assertIn("34-94", formats["table"])
            rows = list(csv.DictReader(io.StringIO(formats["csv"])))
            self.assertEqual(len(rows), 2 * len(PRIMITIVES))
            for row, one in zip(rows, json.loads(formats["json"])["runs"]):
                self.assertEqual(int(row["to_task_p99_ns"]), one["latency"]["to_task"]["p99"])

    def test_the_times_of_every_task_are_in_order(self):
        rows = {}
        for row in csv.DictReader(io.StringIO(run("--trials", "1", "--null", "25",
                                                  "--log", "-")[0])):
            if row["record"] == "worker":
                known = rows.setdefault((int(row["run"]), int(row["id"])), {})
                known.update({name: value for name, value in row.items() if value != ""})
        self.assertEqual(len(rows), 25 * len(PRIMITIVES))
        for (number, index), row in rows.items():
            t = {name: int(row[name + "_ns"])
                 for name in ("create", "created", "start", "finish", "join")}
            self.assertTrue(t["create"] <= t["created"] <= t["join"], (number, index))
            self.assertTrue(t["create"] <= t["start"] <= t["finish"] <= t["join"])
            if index > 0:
                self.assertLessEqual(int(rows[number, index - 1]["join_ns"]), t["create"])
            self.assertEqual(row["status"], "ok")

    def test_ballast_is_in_the_memory_of_the_run(self):
        for one in result("--trials", "1", "--models", "fork", "--null", "300",
                          "--ballast", "64M", "--interval", "10")["runs"]:
            # Unknown where the run was over before the first reading.
            rss = one["memory"]["rss_kb"]
            self.assertTrue(rss is None or rss >= 64 << 10, rss)
            self.assertEqual(one["created"], 300)


@unittest.skipUnless(shutil.which("strace"), "needs strace")
class Strace(unittest.TestCase):
    def calls(self, model):
        """How often the kernel was asked to create a task and to run a program."""
        with tempfile.NamedTemporaryFile("r") as file:
            done = subprocess.run(["strace", "-f", "-qq", "-o", file.name,
                                   "-e", "trace=clone,clone3,fork,vfork,execve", TUIBENCH,
                                   "--batch", "--no-log", "--trials", "1", "--experiment",
                                   "creation", "--models", model, "--null", "17"],
                                  capture_output=True, text=True, timeout=120, check=False)
            if "ptrace" in done.stderr:
                self.skipTest("strace may not trace here")
            self.assertEqual(done.returncode, 0, done.stderr)
            text = file.read()
        created = re.findall(r"(?:clone3?|v?fork)(?:\(| resumed).*\) += [1-9]", text)
        threads = [line for line in text.splitlines() if "CLONE_THREAD" in line]
        return len(created), len(threads), len(re.findall(r"execve\(.*tuibench-hello", text))

    def test_the_kernel_counts_the_same(self):
        for model in PRIMITIVES:
            created, threads, programs = self.calls(model)
            tasks = 0 if model == "clock_gettime" else 17
            # And the runner itself.
            self.assertEqual(created, tasks + 1, model)
            self.assertEqual(threads, 0 if model in PROCESSES else tasks, model)
            self.assertEqual(programs, 17 if model in ("posix_spawn", "fork+exec") else 0, model)


class Limits(unittest.TestCase):
    def test_a_ballast_that_does_not_fit_names_the_limit_and_what_does(self):
        error = run("--no-log", "--ballast", "0,1024G", status=3)[1]
        self.assertRegex(error, r'--ballast: "1T" takes 1.* with fork; .* is .* are left: at most')

    def test_address_space_is_told_before_anything_starts(self):
        def become():
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        # An address sanitizer maps more than that.
        if subprocess.run([TUIBENCH, "--version"], preexec_fn=become, capture_output=True,
                          check=False).returncode != 0:
            self.skipTest("this build needs more address space")
        error = run("--no-log", "--ballast", "4G", status=3, preexec_fn=become)[1]
        self.assertRegex(error, r"RLIMIT_AS \(ulimit -v\) is 4.* at most 4032M fits")

    def test_a_limit_that_is_hit_in_the_middle_is_told_with_how_far_it_came(self):
        if os.geteuid() != 0:
            self.skipTest("needs root to become a user without tasks of its own")

        def become():
            resource.setrlimit(resource.RLIMIT_NPROC, (7, 7))
            os.setgroups([])
            os.setresgid(54322, 54322, 54322)
            os.setresuid(54322, 54322, 54322)
        try:
            if subprocess.run(["test", "-x", TUIBENCH], preexec_fn=become,
                              check=False).returncode != 0:
                self.skipTest("another user cannot run this build")
        except subprocess.SubprocessError:
            self.skipTest("cannot become another user")
        # The user's other tasks come while it runs.
        hold = []
        with subprocess.Popen([TUIBENCH, "--batch", "--no-log", "--trials", "1", "--experiment",
                               "creation", "--models", "fork", "--null", "200000"],
                              preexec_fn=become, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as child:
            runner = first_child(child.pid)
            until = time.monotonic() + 60
            while child.poll() is None and time.monotonic() < until:
                if len(hold) < 12:
                    try:
                        hold.append(subprocess.Popen(["sleep", "100"], preexec_fn=become))
                    except (subprocess.SubprocessError, OSError):
                        time.sleep(0.01)
                else:
                    time.sleep(0.01)
            error = child.communicate(timeout=60)[1]
            self.assertEqual(child.returncode, 1, error)
        for other in hold:
            other.kill()
            other.wait()
        self.assertRegex(error, r"could not create \d+ after [\d,]+ of 200,000.*EAGAIN")
        self.assertFalse(group_exists(runner))


class Install(unittest.TestCase):
    def test_a_program_that_is_missing_is_named(self):
        here = os.path.dirname(TUIBENCH)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tuibench", "tuibench-runner"):
                shutil.copy2(os.path.join(here, name), folder)
            program = os.path.join(folder, "tuibench")
            error = run("--no-log", status=1, program=program)[1].splitlines()
            self.assertEqual(len(error), 1, error)
            self.assertIn(os.path.join(folder, "tuibench-hello") + " is missing", error[0])
            # Nothing else needs it.
            found = result("--trials", "1", "--null", "3", "--models", "fork,clone",
                           program=program)
            self.assertEqual([one["status"] for one in found["runs"]], ["ok", "ok"])

    def test_the_program_says_hello(self):
        hello = os.path.join(os.path.dirname(TUIBENCH), "tuibench-hello")
        done = subprocess.run([hello], capture_output=True, text=True, timeout=20, check=True)
        self.assertEqual(done.stdout, "hello linux\n")


def first_child(pid):
    """Waits until it is there."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read(64).split()
        if children:
            return int(children[0])
    raise AssertionError(f"{pid} has no child")


def members(group):
    """State and name of each process in the group, zombies too."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        except (FileNotFoundError, ProcessLookupError):
            continue
        state, _, pgrp = rest.split()[:3]
        if int(pgrp) == group:
            found.append((pid, name, state))
    return found


def group_exists(group):
    # What init has not reaped yet is no orphan.
    return any(state != "Z" for _, _, state in members(group))


class Orphans(unittest.TestCase):
    def test_nothing_outlives_a_front_end_that_is_killed(self):
        for i, model in enumerate(PRIMITIVES[:7] * 2):
            with subprocess.Popen([TUIBENCH, "--batch", "--no-log", "--trials", "1",
                                   "--experiment", "creation", "--models", model,
                                   "--null", "200000"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as child:
                runner = first_child(child.pid)
                # Where in a creation it hits is what varies from time to time.
                time.sleep(0.01 * i)
                child.kill()
                child.wait(timeout=60)
            until = time.monotonic() + 60
            while group_exists(runner):
                self.assertLess(time.monotonic(), until, f"{model}: {members(runner)}")
                time.sleep(0.01)

    def test_a_run_leaves_no_zombie_while_it_creates(self):
        for model in ("vfork", "posix_spawn", "fork+exec"):
            with subprocess.Popen([TUIBENCH, "--batch", "--no-log", "--trials", "1",
                                   "--experiment", "creation", "--models", model,
                                   "--null", "200000"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as child:
                runner = first_child(child.pid)
                for _ in range(20):
                    # The runner, and one that has just ended at most.
                    self.assertLessEqual(len(members(runner)), 2, model)
                child.send_signal(signal.SIGINT)
                child.wait(timeout=60)
            self.assertFalse(group_exists(runner), model)


if __name__ == "__main__":
    unittest.main(verbosity=2)
