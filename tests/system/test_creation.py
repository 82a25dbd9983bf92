#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ways to create a task: exact counts, order of times, limits, and nothing left behind.

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

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import program
from program import (DEADLINE, PLAIN, TUIBENCH, alive, as_nobody, await_end_of, created, first_child,
                     members, moments, quiet, strace, workers)

ONE = ["-s", "pin=" + str(min(os.sched_getaffinity(0)))]  # one core, so one case of each
PRIMITIVES = ["fork", "vfork", "posix_spawn", "fork+exec", "pthread_create",
              "pthread_create:cold", "clone", "clock_gettime"]
PROCESSES = PRIMITIVES[:4]
SPANS = ["to_caller", "to_task", "joined"]


def run(*args, **more):
    return program.run("creation", *args, **more)


def result(*args, **more):
    return program.result("creation", *args, **more)


class Result(unittest.TestCase):
    def check_span(self, span, n):
        self.assertEqual(list(span), ["n", "min", "p50", "p90", "p99", "max", "first"])
        self.assertEqual(span["n"], n)
        ordered = [span[name] for name in list(span)[1:6]]
        if n == 0:
            self.assertEqual(ordered, [None] * 5)
            return
        self.assertEqual(ordered, sorted(ordered))
        self.assertGreaterEqual(span["min"], 0)

    def check_place(self, place):
        self.assertEqual(list(place), ["share"] + SPANS)
        for span in SPANS:
            self.check_span(place[span], place["to_caller"]["n"])
        # A task is joined after it began and after its parent got its ID.
        for span in SPANS[:2] if place["share"] > 0 else []:
            self.assertLessEqual(place[span]["max"], place["joined"]["max"])

    def check_run(self, one):
        for name in ("workers", "created", "finished", "joined"):
            self.assertEqual(one[name], 30, (one["model"], name))
        self.assertEqual((one["status"], one["failed"]), ("ok", 0))
        places = one["latency"]
        self.assertEqual(list(places), ["same_core", "other_core"])
        for place in places.values():
            self.check_place(place)
            self.assertAlmostEqual(place["share"], place["to_caller"]["n"] / 29)
        self.assertAlmostEqual(sum(place["share"] for place in places.values()), 1)
        self.assertEqual(sum(place["to_caller"]["n"] for place in places.values()), 29)
        if one["variables"]["placement"] == "pinned":
            self.assertEqual(places["same_core"]["share"], 1)

    def test_every_primitive_is_measured_and_the_clock_beside_them(self):
        found = result("--trials", "2", "-w", "null=30", *ONE)
        order = [one["model"] for one in found["runs"]]
        self.assertEqual(sorted(order[:8]), sorted(PRIMITIVES))
        self.assertEqual(sorted(order[8:]), sorted(PRIMITIVES))
        for one in found["runs"]:
            self.check_run(one)
        clock = [one["latency"]["same_core"]["to_caller"]["p50"] for one in found["runs"]
                 if one["model"] == "clock_gettime"]
        self.assertTrue(min(clock) <= found["clock_ns"] <= max(clock))
        compared = {(c["a"], c["b"]) for c in found["comparisons"]}
        self.assertIn(("fork", "pthread_create"), compared)
        self.assertFalse([pair for pair in compared if "clock_gettime" in pair])
        self.assertIn("to_task_ns", {c["metric"] for c in found["comparisons"]})

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "needs two cores")
    def test_where_there_are_two_cores_places_are_apart(self):
        found = result("--trials", "1", "-w", "null=30")
        placements = [one["variables"]["placement"] for one in found["runs"]]
        self.assertEqual([placements.count(name) for name in ("pinned", "free", "idle")],
                         [8, 7, 7])
        for one in found["runs"]:
            self.check_run(one)
        # Only cases on one core are compared.
        for c in found["comparisons"]:
            self.assertEqual(c["variables"]["placement"], "pinned")
        # tuibench waits 1 ms before each of the 30 creations.
        for one in found["runs"]:
            if one["variables"]["placement"] == "idle":
                self.assertGreaterEqual(one["elapsed_ms"], 30)

    def test_the_shares_are_those_of_the_workers(self):
        for models in ("fork", "pthread_create", "vfork", "clone", "posix_spawn"):
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log.csv")
                found = json.loads(run("--trials", "1", "-w", "null=40", "--models", models,
                                       "--log", log, "--format", "json")[0])
                rows = subprocess.run([TUIBENCH, "--export", "workers", log], capture_output=True,
                                      text=True, timeout=DEADLINE, check=True).stdout
            rows = list(csv.DictReader(io.StringIO(rows)))
            for i, one in enumerate(found["runs"]):
                mine = rows[40 * i + 1:40 * (i + 1)]
                same = [row for row in mine if row["cpu_first"] == row["creator_cpu"]]
                self.assertTrue(all(row["creator_cpu"] != "" for row in mine))
                self.assertEqual(one["latency"]["same_core"]["to_task"]["n"], len(same))
                self.assertEqual(one["latency"]["other_core"]["to_task"]["n"], 39 - len(same))
                if one["variables"]["placement"] == "pinned":
                    self.assertEqual({row["cpu_first"] for row in mine}, {ONE[1].removeprefix("pin=")})

    def test_a_log_gives_the_same_result_again(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            formats = {"json": run("--trials", "1", "-w", "null=20", "-s", "ballast=0,1M",
                                   "--log", log, "--format", "json")[0]}
            for name in ("json", "markdown", "report", "table", "csv"):
                again = subprocess.run([TUIBENCH, "--export", name, log], capture_output=True,
                                       text=True, timeout=DEADLINE, check=True).stdout
                self.assertEqual(formats.setdefault(name, again), again)
            self.assertIn("Sysel", formats["markdown"])
            self.assertIn("34-94", formats["report"])
            rows = list(csv.DictReader(io.StringIO(formats["csv"])))
            runs = json.loads(formats["json"])["runs"]
            self.assertEqual(len(rows), len(runs))
            for row, one in zip(rows, runs):
                for name, place in one["latency"].items():
                    self.assertEqual(row[name + "_to_task_p99_ns"],
                                     str(place["to_task"]["p99"] or ""))
                    self.assertAlmostEqual(float(row[name + "_share"]), place["share"], 3)

    def test_the_times_of_every_task_are_in_order(self):
        rows = workers("creation", "-w", "null=25", *ONE)
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
        for one in result("--trials", "1", "--models", "fork", "-w", "null=300",
                          "-s", "ballast=64M", "--interval", "10", *ONE)["runs"]:
            # Memory is unknown if the run ended before the first reading.
            rss = one["memory"]["rss_kb"]
            self.assertTrue(rss is None or rss >= 64 << 10, rss)
            self.assertEqual(one["created"], 300)


@unittest.skipUnless(shutil.which("strace"), "needs strace")
class Strace(unittest.TestCase):
    def calls(self, model):
        """Returns how many tasks, threads and programs the kernel was asked for."""
        trace = strace(self, "clone,clone3,fork,vfork,execve", "creation",
                       "--models", model, "-w", "null=17", *ONE)
        threads = [line for line in trace.splitlines() if "CLONE_THREAD" in line]
        return created(trace), len(threads), len(re.findall(r"execve\(.*tuibench-hello", trace))

    def test_the_kernel_counts_the_same(self):
        for model in PRIMITIVES:
            made, threads, programs = self.calls(model)
            tasks = 0 if model == "clock_gettime" else 17
            # The runner is created, too.
            self.assertEqual(made, tasks + 1, model)
            self.assertEqual(threads, 0 if model in PROCESSES else tasks, model)
            self.assertEqual(programs, 17 if model in ("posix_spawn", "fork+exec") else 0, model)


    def test_the_kernel_knows_of_no_fiber(self):
        self.assertEqual(self.calls("fiber"), (1, 0, 0))

    def test_a_fiber_changes_the_signal_mask_four_times(self):
        """swapcontext(3) of glibc sets the mask: to the fiber's beginning and back, to its end and back."""
        def masks(tasks):
            trace = strace(self, "rt_sigprocmask", "creation", "-m", "fiber", "-w", f"null={tasks}",
                           *ONE)
            return len(re.findall(r"rt_sigprocmask\(", trace))
        # getcontext(3) is the fifth call, which reads the mask.
        self.assertEqual(masks(60) - masks(10), 50 * 5)


class Fibers(unittest.TestCase):
    def test_they_stand_beside_threads_and_processes(self):
        found = result("--trials", "6", "-w", "null=30", "--models", "fork,pthread_create,fiber", *ONE)
        compared = {(c["a"], c["b"]) for c in found["comparisons"]}
        self.assertTrue(any("fiber" in pair for pair in compared), compared)
        for one in found["runs"]:
            self.assertEqual((one["created"], one["joined"], one["failed"]), (30, 30, 0))

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "needs two cores")
    def test_they_begin_where_they_are_made(self):
        runs = result("--trials", "1", "-w", "null=20", "--models", "clone,fiber")["runs"]
        places = [one["variables"]["placement"] for one in runs if one["model"] == "fiber"]
        self.assertEqual(places, ["pinned"])


class Limits(unittest.TestCase):
    def test_a_ballast_that_does_not_fit_names_the_limit_and_what_does(self):
        error = run("--no-log", "-s", "ballast=0,1024G", status=3)[1]
        self.assertRegex(error, r'-s ballast=1T: fork needs 1.*, but only .* are left, so at most')

    def test_address_space_is_told_before_anything_starts(self):
        def become():
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        # AddressSanitizer maps more than 4 GiB.
        if subprocess.run([TUIBENCH, "--version"], preexec_fn=become, capture_output=True,
                          check=False).returncode != 0:
            self.skipTest("this build needs more address space")
        error = run("--no-log", "-s", "ballast=4G", status=3, preexec_fn=become)[1]
        self.assertRegex(error, r"RLIMIT_AS \(ulimit -v\) \(4.* at most 4032M fits")

    def test_a_limit_that_is_hit_in_the_middle_is_told_with_how_far_it_came(self):
        more = as_nobody(self, {resource.RLIMIT_NPROC: 7})
        # Other tasks of the user use up the limit while the session runs.
        hold = []
        with subprocess.Popen([TUIBENCH, "--batch", "--no-log", *PLAIN, "--trials", "1",
                               "creation", "--models", "fork", "-w", "null=200000"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              **more) as child:
            runner = first_child(child.pid)
            until = time.monotonic() + DEADLINE
            while child.poll() is None and time.monotonic() < until:
                if len(hold) < 12:
                    try:
                        hold.append(subprocess.Popen(["sleep", str(DEADLINE)], **more))
                    except (subprocess.SubprocessError, OSError):
                        time.sleep(0.01)
                else:
                    time.sleep(0.01)
            error = child.communicate(timeout=DEADLINE)[1]
            self.assertEqual(child.returncode, 1, error)
        for other in hold:
            other.kill()
            other.wait()
        self.assertRegex(error, r"could not create \d+ after [\d,]+ of 200,000.*EAGAIN")
        self.assertFalse(alive(runner))


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
            # Other models do not need tuibench-hello.
            found = result("--trials", "1", "-w", "null=3", "--models", "fork,clone", *ONE,
                           program=program)
            self.assertEqual([one["status"] for one in found["runs"]], ["ok", "ok"])

    def test_the_program_says_hello(self):
        hello = os.path.join(os.path.dirname(TUIBENCH), "tuibench-hello")
        done = subprocess.run([hello], capture_output=True, text=True, timeout=DEADLINE, check=True)
        self.assertEqual(done.stdout, "hello linux\n")


class Orphans(unittest.TestCase):
    def test_nothing_outlives_a_front_end_that_is_killed(self):
        models = PRIMITIVES[:7] * 2
        for model, delay in zip(models, moments(len(models), 0.14)):
            with quiet("--trials", "1", "creation", "--models", model,
                       "-w", "null=200000") as child:
                runner = first_child(child.pid)
                # Kill at different moments of a creation.
                time.sleep(delay)
                child.kill()
                child.wait(timeout=DEADLINE)
            await_end_of(self, runner)

    def test_a_run_leaves_no_zombie_while_it_creates(self):
        for model in ("vfork", "posix_spawn", "fork+exec"):
            with quiet("--trials", "1", "creation", "--models", model,
                       "-w", "null=200000") as child:
                runner = first_child(child.pid)
                for _ in range(20):
                    # The runner, and at most one task that has just ended.
                    self.assertLessEqual(len(members(runner)), 2, model)
                child.send_signal(signal.SIGINT)
                child.wait(timeout=DEADLINE)
            self.assertFalse(alive(runner), model)


if __name__ == "__main__":
    unittest.main(verbosity=2)
