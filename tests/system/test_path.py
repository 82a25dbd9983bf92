#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The critical path of real runs, compared with values that do not need it.

    test_path.py TUIBENCH

The parts add up in any kind of session. The time of a set's parent is in the result already. On one
core, the last worker to end worked as long as the kernel's CPU time for it.
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
    """The runs as JSON, and what the log has of each one's workers in the end."""
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
        """The path goes through the last call where the barrier waited for nobody longer."""
        def once():
            for run in session(*SETS, "--models", "threads,processes")[0]:
                path = run["path"]
                # before the first call the runner gets ready: 1 ms, where nobody has its core
                self.assertLess(path["creating_ms"], run["create_ms"] + 1, run)
                self.assertGreater(path["creating_ms"] + path["starting_ms"] + path["blocked_ms"],
                                   run["create_ms"] - 0.001, run)
        program.matches(self, once, 20)

    def far(self, run, mine):
        """What is not as known without the path; None: nothing."""
        last = max(mine, key=lambda worker: worker["finish_ns"])
        cpu_ms = (last["user_us"] + last["system_us"]) / 1000
        path = run["path"]
        self.assertIsNotNone(path["working_ms"], run)
        # 2 % and what starting and ending took
        if abs(path["working_ms"] - cpu_ms) > 0.02 * cpu_ms + 2:
            return cpu_ms, run
        ran = path["working_ms"] + path["waiting_ms"] + path["blocked_ms"]
        # All are held at the barrier until their memory was read; the first to work shows its opening.
        go = min(worker["work_ns"] for worker in mine) / 1e6
        self.assertLess(ran, last["finish_ns"] / 1e6, run)
        self.assertGreater(ran + path["joining_ms"], last["finish_ns"] / 1e6 - go - 0.001, run)
        return None

    def test_working_is_the_cpu_time_of_who_ended_last(self):
        """
        On one core, where the joining thread has to wait for it too. A CPU clock leaves out what
        the host of a virtual machine withholds meanwhile, a slice has it: then another try.
        """
        pinned = ["-w", "cpu=4", "-s", "cpu.size=6000000",
                  "-s", "pin=" + str(min(os.sched_getaffinity(0)))]

        def once():
            runs, workers = session(*pinned, "--models", "threads,processes")
            return list(filter(None, (self.far(run, mine) for run, mine in zip(runs, workers))))
        program.agree(self, once)


if __name__ == "__main__":
    unittest.main()
