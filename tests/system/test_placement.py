#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The core on which a task begins and its parent's core, compared with the kernel's.

    test_placement.py TUIBENCH
"""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, await_work, first_child, tasks_below, workers
import program

CPUS = sorted(os.sched_getaffinity(0))


def processors_below(pid):
    """Returns the core of each task by its TID, from /proc."""
    return {tid: int(stat[36]) for tid, stat in tasks_below(pid).items()}


def allowed(tid):
    """Returns the list of cores on which the task may run, from /proc."""
    with open(f"/proc/{tid}/status", encoding="utf-8") as file:
        return re.search(r"Cpus_allowed_list:\t(\S+)", file.read()).group(1)


class Cores(unittest.TestCase):
    def test_pinned_tasks_and_their_parents_are_on_the_core_asked_for(self):
        sets = [["-w", "cpu=4", "-s", "cpu.size=1000"],
                ["--tree", "3x4x5"], ["--tree", "40", "-s", "batch=7"]]
        for cpu in {CPUS[0], CPUS[-1]}:
            for options in sets:
                models = "threads,processes" + (",hybrid" if "3x4x5" in options else "")
                rows = workers("-s", "pin=" + str(cpu), "--models", models, *options)
                self.assertGreater(len(rows), 7)
                for where, row in rows.items():
                    self.assertEqual((row["cpu_first"], row["creator_cpu"]),
                                     (str(cpu), str(cpu)), (options, where))

    def test_the_kernel_says_the_same_of_tasks_at_work(self):
        cpu = CPUS[-1]
        for model in ("threads", "processes"):
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log.csv")
                with subprocess.Popen(
                        [program.TUIBENCH, "--batch", "--log", log, *program.PLAIN, "--trials", "1", "--models",
                         model, "-w", "cpu=3", "-s", "cpu.size=90000000000",
                         "-s", "pin=" + str(cpu)], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL) as child:
                    runner = first_child(child.pid)
                    await_work(self, runner, 3)
                    seen = processors_below(runner)
                    child.send_signal(signal.SIGINT)
                    child.wait(timeout=DEADLINE)
                with open(log, encoding="utf-8", newline="") as file:
                    rows = [row for row in csv.DictReader(file)
                            if row["record"] == "worker" and row["tid"]]
            self.assertEqual(len({row["tid"] for row in rows}), 3)
            for row in rows:
                self.assertEqual(int(row["cpu_first"]), seen[int(row["tid"])])
                self.assertEqual(int(row["creator_cpu"]), seen[runner])

    def test_the_kernel_allows_workers_the_cores_that_the_recording_names(self):
        for options in (["-s", "place=same-core"], ["-s", "place=spread"],
                        ["-s", f"cores={len(CPUS)}"],
                        ["-s", "cores=1", "-s", "pin=" + str(CPUS[-1])]):
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log.csv")
                with subprocess.Popen(
                        [program.TUIBENCH, "--batch", "--log", log, *program.PLAIN, "--trials", "1", "--models",
                         "processes", "-w", "cpu=2", "-s", "cpu.size=90000000000",
                         *options], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL) as child:
                    runner = first_child(child.pid)
                    await_work(self, runner, 2)
                    seen = {allowed(tid) for tid in tasks_below(runner)}
                    child.send_signal(signal.SIGINT)
                    child.wait(timeout=DEADLINE)
                with open(log, encoding="utf-8", newline="") as file:
                    said = re.search(r" cpus:(\S+)", file.read()).group(1)
            self.assertEqual(seen, {said}, options)

    def test_the_share_is_that_of_the_workers(self):
        for options in (["--tree", "5x20", "--models", "threads,processes,hybrid"],
                        ["hello", "-w", "hello=8", "-s", "size=3",
                         "--models", "threads,processes"]):
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log.csv")
                found = json.loads(program.run("--trials", "1", "--log", log, "--format", "json",
                                               *options)[0])["runs"]
                with open(log, encoding="utf-8", newline="") as file:
                    last = {(row["run"], row["id"]): row for row in csv.DictReader(file)
                            if row["record"] == "worker"}
            for run in range(len(found)):
                rows = [row for (of, _), row in last.items() if of == str(run)]
                same = sum(row["cpu_first"] == row["creator_cpu"] for row in rows)
                self.assertEqual(len(rows), found[run]["workers"])
                self.assertAlmostEqual(found[run]["same_core_percent"], 100 * same / len(rows))
        for one in program.result("--trials", "1", "--tree", "5x20", "-s", "pin=" + str(CPUS[0]))["runs"]:
            self.assertEqual(one["same_core_percent"], 100)

    def test_the_last_column_of_the_log_is_the_parents_core(self):
        header = program.run("--trials", "1", "--tree", "2", "--log", "-")[0].splitlines()[0]
        self.assertEqual(header.split(",").count("creator_cpu"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
