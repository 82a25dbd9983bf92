#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Work that is handed out to pools, or to threads and processes created for each piece. Each piece is
done once, and the number of tasks equals the kernel's.

    test_pool.py TUIBENCH
"""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, TUIBENCH, as_nobody, await_end_of, children, created, result, run, strace

TASKS = 60
SMALL = ("pool", "-s", "fp.size=20000", "-s", "tasks=" + str(TASKS), "--warmup", "0")
MODELS = "pool:3,threads,prefork:3,processes"


class Tasks(unittest.TestCase):
    def test_each_is_done_once(self):
        runs = result(*SMALL, "--models", MODELS, "--trials", "2")["runs"]
        self.assertEqual(len(runs), 8)
        for one in runs:
            self.assertEqual((one["tasks"], one["status"]), (TASKS, "ok"), one["model"])
            pool = ":" in one["model"]
            self.assertEqual(one["workers"], 3 if pool else TASKS, one["model"])
            self.assertEqual(one["operations"]["n"], TASKS)
            self.assertGreater(one["operations"]["min"], 0)
            self.assertGreater(one["task_create_ms"], 0)
            self.assertAlmostEqual(one["tasks_per_second"],
                                   TASKS / one["elapsed_ms"] * 1000, delta=1)

    def test_the_workers_shares_add_up(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "pool.csv")
            run(*SMALL, "--models", MODELS, "--trials", "1", "--log", log)
            with open(log, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            last = {(row["run"], row["id"]): row for row in rows if row["record"] == "worker"}
            for number in "0123":
                done = [int(row["tasks_done"]) for (at, _), row in last.items() if at == number]
                end = next(row for row in rows
                           if row["record"] == "end" and row["run"] == number)
                self.assertEqual((sum(done), int(end["tasks_done"])), (TASKS, TASKS))
                self.assertIn(len(done), (3, TASKS))
            again = subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True,
                                   check=True, timeout=DEADLINE)
            self.assertIn(b'"tasks": 60', again.stdout)

    def test_at_most_so_many_are_alive_at_once(self):
        for model in ("threads", "processes"):
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "pool.csv")
                run(*SMALL, "-w", "fp=3", "--models", model, "--trials", "1", "--log", log)
                out = subprocess.run([TUIBENCH, "--export", "workers", log], capture_output=True,
                                     check=True, text=True, timeout=DEADLINE).stdout
            rows = list(csv.DictReader(io.StringIO(out)))
            self.assertEqual(len(rows), TASKS)
            # A task counts as alive from its creation to its join.
            moments = sorted([(int(row["create_ns"]), 1) for row in rows] +
                             [(int(row["join_ns"]), -1) for row in rows])
            alive = most = 0
            for _, step in moments:
                alive += step
                most = max(most, alive)
            self.assertEqual((alive, most), (0, 3), model)

    def test_a_pool_is_ahead_of_threads_that_do_next_to_nothing(self):
        arguments = ("pool", "-s", "tasks=" + str(TASKS), "--warmup", "0", "-s",
                     "size=10,100", "--trials", "10", "--models")
        done = result(*arguments, "pool,threads,prefork,processes")
        self.assertEqual([(one["pool"], one["each"]) for one in done["pools"]],
                         [("pool", "threads"), ("prefork", "processes")])
        for one in done["pools"]:
            # Creation takes longer than such a short task, so the answer can be neither "below" nor a length.
            self.assertIn(one["answer"], ("above", "not_decided"), one)
            self.assertEqual((one["at_us"], one["low_us"], one["high_us"]), 3 * (None,), one)
            self.assertLess(0, one["least_us"], one)
            self.assertLessEqual(one["least_us"], one["most_us"], one)
            self.assertEqual(one["less_than_percent"], 3)
        # There is no answer for a pool with another number of workers.
        wide = result(*arguments, "pool:7,threads")
        self.assertEqual(wide["pools"], [])

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_the_kernel_created_as_many(self):
        for model, tasks in (("pool:3", 3), ("threads", TASKS), ("prefork:3", 3),
                             ("processes", TASKS)):
            trace = strace(self, "clone,clone3,fork,vfork", *SMALL, "--models", model)
            # The runner is created, too.
            self.assertEqual(created(trace), 1 + tasks, (model, trace))
            self.assertEqual("CLONE_THREAD" in trace, model in ("pool:3", "threads"), model)

    def test_without_root_it_is_the_same(self):
        runs = result(*SMALL, "--models", MODELS, "--trials", "1", **as_nobody(self, {}), cwd="/",
                      env={**os.environ, "TMPDIR": "/tmp", "HOME": "/tmp"})["runs"]
        self.assertEqual([one["tasks"] for one in runs], 4 * [TASKS])

    def test_the_number_of_tasks_is_swept(self):
        runs = result("pool", "--models", "pool:2,processes", "-s", "tasks=5,20",
                      "-s", "fp.size=1000", "--trials", "1")["runs"]
        self.assertEqual(sorted((one["model"], one["variables"]["tasks"], one["tasks"])
                                for one in runs),
                         [(model, n, n) for model in ("pool:2", "processes") for n in (5, 20)])

    def test_more_workers_share_the_same_total(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "pool.csv")
            run("pool", "-w", "fp=1", "-s", "workers=1,3", "--models", "pool,prefork", "-s", "tasks=" + str(TASKS),
                "-s", "fp.size=1000", "--trials", "1", "--log", log)
            session = json.loads(subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True,
                                                check=True, timeout=DEADLINE).stdout)
            with open(log, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(sorted((one["model"], one["variables"]["workers"], one["workers"], one["tasks"])
                                for one in session["runs"]),
                         [(model, n, n, TASKS) for model in ("pool", "prefork") for n in (1, 3)])
        # The number of pieces that each worker did.
        done = {}
        for row in rows:
            if row["record"] == "worker" and row["tasks_done"]:
                done.setdefault(row["run"], {})[row["id"]] = int(row["tasks_done"])
        self.assertEqual({sum(each.values()) for each in done.values()}, {TASKS})

    def test_a_signal_ends_all(self):
        for model in ("pool", "threads", "prefork", "processes"):
            with subprocess.Popen([TUIBENCH, "--batch", "--no-log", "pool", "--models",
                                   model, "-s", "fp.size=40000000", "-s", "tasks=100000"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
                tasks = []
                while not tasks and program.poll() is None:
                    tasks = children(program.pid)
                program.send_signal(signal.SIGTERM)
                self.assertEqual(program.wait(DEADLINE), 128 + signal.SIGTERM)
                for task in tasks:
                    await_end_of(self, task)


class Refusals(unittest.TestCase):
    def check(self, arguments, *words):
        done = subprocess.run([TUIBENCH, "--batch", "--no-log", *arguments.split()],
                              capture_output=True, text=True, check=False, timeout=DEADLINE)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1),
                         (arguments, done.stderr))
        for word in words:
            self.assertIn(word, done.stderr)

    def test_what_no_pool_can_be(self):
        self.check("pool -m pool:0", "--models", "pool:0", "from 1 to")
        self.check("pool -m prefork:x", "--models", "prefork:x")
        self.check("pool -m pool:9 -s tasks=8", "-s tasks=9")
        self.check("pool -m hybrid", "hybrid", "not a model of pool")
        self.check("-m pool", "pool", "experiment pool")
        self.check("-t 4x4 -m pool", "a tree")
        self.check("hello -m prefork:4", "experiment pool")
        self.check("pool -w hello=4", "--workers: hello=4")
        self.check("pool -w cpu=2,fp=2", "give only one")
        self.check("pool -s all-alive=yes", "-s all-alive=yes", "trees")
        self.check("pool -s tasks=0", "-s tasks=0")
        self.check("mixed -s tasks=5", "-s tasks=5", "is for pool")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
