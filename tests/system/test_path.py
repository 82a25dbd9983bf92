#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The critical path of real runs, compared with values that are known without it.

    test_path.py TUIBENCH

The parts add up to the elapsed time in any kind of session. The time in which the parent creates a set is
in the result already. On one core, the last worker to end worked for the kernel's CPU time of it.
"""

import csv
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import program

PARTS = ("creating_ms", "starting_ms", "working_ms", "waiting_ms", "blocked_ms", "joining_ms")
SETS = ["-w", "cpu=4,io=1", "-s", "cpu.size=6000000", "-s", "io.size=2M"]
TREE = ["--tree", "5x20"]
SESSIONS = [
    SETS + ["--models", "threads,processes,hybrid:1x5"],
    SETS + ["--models", "threads,processes", "-s", "pin=" + str(min(os.sched_getaffinity(0)))],
    SETS + ["--models", "threads,processes", "-s", "sched=off"],
    TREE + ["--models", "threads,processes"],
    TREE + ["--models", "threads,processes", "-s", "all-alive=yes"],
    TREE + ["--models", "threads,processes", "-s", "batch=3"],
    ["hello", "-s", "size=10"],
    ["creation", "-w", "null=20"],
]


def session(*args):
    """Returns the runs as JSON, and the final values of the workers of each run."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        out = program.run("--trials", "1", "--format", "json", "--log", log, *args)[0]
        workers = {}
        with open(log, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["record"] == "worker":
                    known = workers.setdefault(int(row["run"]), {}).setdefault(row["id"], {})
                    known.update({name: int(value) for name, value in row.items()
                                  if value.lstrip("-").isdigit()})
    return json.loads(out)["runs"], [list(mine.values()) for mine in workers.values()]


class Path(unittest.TestCase):
    def test_the_parts_add_up_to_the_elapsed_time(self):
        for args in SESSIONS:
            for run in session(*args)[0]:
                parts = list(run["path"].values())
                known = [part for part in parts if part is not None]
                self.assertTrue(all(part >= 0 for part in known), (args, run["path"]))
                self.assertAlmostEqual(sum(known), run["elapsed_ms"], delta=1e-5, msg=(args, run))
                self.assertGreater(run["path"]["creating_ms"], 0, (args, run["path"]))

    def test_creating_a_set_is_what_create_ms_says(self):
        """The path goes through the last creation, because the barrier waits for the last worker."""
        def once():
            for run in session(*SETS, "--models", "threads,processes")[0]:
                path = run["path"]
                # The runner prepares for up to 1 ms before the first creation, if it has its core.
                self.assertLess(path["creating_ms"], run["create_ms"] + 1, run)
                self.assertGreater(path["creating_ms"] + path["starting_ms"] + path["blocked_ms"],
                                   run["create_ms"] - 0.001, run)
        program.matches(self, once, 20)

    def far(self, run, mine):
        """Returns the values that differ from those known without the path; None if there are none."""
        last = max(mine, key=lambda worker: worker["finish_ns"])
        cpu_ms = (last["user_us"] + last["system_us"]) / 1000
        path = run["path"]
        self.assertIsNotNone(path["working_ms"], run)
        # The tolerance is 2 %, and 2 ms for starting and ending.
        if abs(path["working_ms"] - cpu_ms) > 0.02 * cpu_ms + 2:
            return cpu_ms, run
        ran = path["working_ms"] + path["waiting_ms"] + path["blocked_ms"]
        # The first worker that works shows when the barrier was opened.
        go = min(worker["work_ns"] for worker in mine) / 1e6
        self.assertLess(ran, last["finish_ns"] / 1e6, run)
        self.assertGreater(ran + path["joining_ms"], last["finish_ns"] / 1e6 - go - 0.001, run)
        return None

    def test_working_is_the_cpu_time_of_who_ended_last(self):
        """
        On one core, the joining thread has to wait for this worker, too. A slice includes the time that the
        host of a virtual machine withholds meanwhile, and a CPU clock does not. So there are several tries.
        """
        pinned = ["-w", "cpu=4", "-s", "cpu.size=6000000",
                  "-s", "pin=" + str(min(os.sched_getaffinity(0)))]

        def once():
            runs, workers = session(*pinned, "--models", "threads,processes")
            return list(filter(None, (self.far(run, mine) for run, mine in zip(runs, workers))))
        program.agree(self, once)


if __name__ == "__main__":
    unittest.main()
