#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Workers that count together: no increment is lost, and only the time together is reported.

    test_share.py TUIBENCH
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, TUIBENCH, as_nobody, matches, result, run, workers

WAYS = ["mutex", "spinlock", "atomic", "false", "line"]
TOTAL = 30001
SMALL = ("share", "-s", f"share.size={TOTAL}")


def export(form, log):
    return subprocess.run([TUIBENCH, "-x", form, log], capture_output=True, text=True, check=True,
                          timeout=DEADLINE).stdout


def overlap(slices, begin_ns, end_ns):
    """Returns the share of the time in which both workers were on a core."""
    together = 0
    for one in slices["w1 share"]:
        for other in slices["w2 share"]:
            together += max(0, min(one[1], other[1], end_ns) - max(one[0], other[0], begin_ns))
    return 100 * together / (end_ns - begin_ns)


def spans(log):
    """Returns for each run the time of the increments, which ends with the last worker."""
    finish, span = {}, {}
    with open(log, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["record"] == "worker" and row["finish_ns"]:
                number = int(row["run"])
                finish[number] = max(finish.get(number, 0), int(row["finish_ns"]))
            if row.get("steps_span_ns"):
                span[int(row["run"])] = int(row["steps_span_ns"])
    return {number: (finish[number] - span[number], finish[number]) for number in span}


class Counting(unittest.TestCase):
    def test_every_way_counts_each_increment_once(self):
        session = result(*SMALL, "-s", "workers=1,3", "--trials", "1", "-m",
                         "threads,processes")
        self.assertEqual(len(session["runs"]), len(WAYS) * 2 * 2)
        for one in session["runs"]:
            self.assertEqual((one["status"], one["steps"]), ("ok", TOTAL), one["variables"])
            self.assertIn(one["variables"]["via"], WAYS)

    def test_without_a_lock_increments_are_lost(self):
        session = result("share", "-s", "via=plain,atomic", "-s", "workers=1,2", "--trials", "2",
                         "-s", f"share.size={TOTAL}")
        for one in session["runs"]:
            self.assertEqual((one["status"], one["steps"]), ("ok", TOTAL), one["variables"])
            self.assertIn(one["increments_lost"], range(TOTAL))
            if one["variables"]["via"] == "atomic" or one["variables"]["workers"] == 1:
                self.assertEqual(one["increments_lost"], 0, one["variables"])

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one core")
    def test_threads_and_processes_lose_increments(self):
        def once():
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "share.csv")
                run("share", "-s", "via=plain", "-s", "workers=2", "--trials", "2",
                    "-s", "share.size=60000000", "--log", log)
                session, report = json.loads(export("json", log)), export("report", log)
            lost = {}
            for one in session["runs"]:
                lost[one["model"]] = lost.get(one["model"], 0) + one["increments_lost"]
            self.assertEqual(set(lost), {"threads", "processes"})
            self.assertNotIn(0, lost.values())
            self.assertIn("lost", report)
            self.assertRegex(" ".join(report.split()), "without a lock up to [0-9.]+ % of the increments were lost")
        matches(self, once)

    def test_the_ways_are_chosen(self):
        session = result(*SMALL, "-s", "workers=2", "--trials", "1", "-s", "via=atomic,line")
        self.assertEqual({one["variables"]["via"] for one in session["runs"]}, {"atomic", "line"})
        for args, words in ((("-s", "via=pipe"), ["pipe", "mutex"]),
                            (("-s", "via=mutex,"), ["give one of", "mutex"])):
            _, said = run("share", "--no-log", *args, status=2)
            self.assertEqual(said.count("\n"), 1, said)
            for word in ["-s via=", *words]:
                self.assertIn(word, said)

    def test_what_the_workers_say_adds_up(self):
        sums = {}
        for (number, _), row in workers(*SMALL, "-s", "workers=4", "-m", "hybrid").items():
            if row.get("work") == "share":
                sums[number] = sums.get(number, 0) + int(row["result"])
        self.assertEqual(list(sums.values()), [TOTAL] * len(WAYS))

    def test_more_workers_than_cores_come_to_an_end(self):
        session = result(*SMALL, "-s", f"workers={4 * os.cpu_count()}", "--trials", "1")
        self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})

    def test_on_one_core_nothing_is_shared_and_nothing_told(self):
        session = result(*SMALL, "-s", "workers=2", "-s", "pin=0", "--trials", "6")
        for one in session["runs"]:
            self.assertIsNone(one["step_ns"], one["variables"])
            self.assertIsNone(one["fairness_percent"])
            self.assertIn(one["together_percent"], (0, None))
        self.assertIn("did not run at the same time", session["sentence"])
        self.assertEqual(session["badge"], "NO RESULT")

    def test_the_curve_says_why_there_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "share.csv")
            run("share", "-s", "share.size=20000000", "-s", "workers=2", "-s",
                "pin=0", "--trials", "2", "-s", "via=atomic,line", "--log", log)
            shown = subprocess.run([TUIBENCH, "-x", "cast", "--view", "curve", log],
                                   capture_output=True, text=True, check=True,
                                   timeout=DEADLINE).stdout
        self.assertIn("Withheld: the workers ran together", shown)

    def test_without_lanes_nothing_is_proved(self):
        session = result(*SMALL, "-s", "workers=2", "-s", "sched=off", "--trials", "1")
        self.assertEqual({one["step_ns"] for one in session["runs"]}, {None})
        self.assertIn("did not run at the same time", session["sentence"])

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one core")
    def test_the_overlap_is_that_of_the_exported_slices(self):
        def once():
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "share.csv")
                run("share", "-s", "share.size=300000", "-s", "workers=2",
                    "--trials", "1", "--log", log)
                slices = {}
                for row in csv.DictReader(io.StringIO(export("slices", log))):
                    slices.setdefault((row["model"], row["var_via"]), {}).setdefault(
                        row["worker"], []).append(
                        (int(row["on_ns"]), int(row["off_ns"])))
                told, ends = json.loads(export("json", log))["runs"], spans(log)
            self.assertEqual(len(told), 2 * len(WAYS))
            for number, one in enumerate(told):
                name = one["model"], one["variables"]["via"]
                ours = overlap(slices[name], *ends[number])
                if one["variables"]["via"] == "mutex":
                    # Workers that sleep for the lock are together except while one waits for a core.
                    self.assertGreater(one["together_percent"], ours - 1)
                else:
                    self.assertAlmostEqual(one["together_percent"], ours, delta=1)
                self.assertEqual(one["step_ns"] is None, one["together_percent"] < 90)
        matches(self, once)

    def test_a_plain_user_may_as_well(self):
        session = result(*SMALL, "-s", "workers=2", "--trials", "1", **as_nobody(self, {}))
        self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})

    def test_such_workers_are_of_share_alone(self):
        _, err = run("-w", "share=2", "--no-log", status=2)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn("experiment share", err)


if __name__ == "__main__":
    unittest.main()
