#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The time of each kind of work in a run with several kinds, compared with the workers' rows of its recording.

    test_kinds.py TUIBENCH
"""

import collections
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, TUIBENCH

SET = ["-w", "cpu=3,io=2", "-s", "cpu.size=2M", "-s", "io.size=2M", "--trials", "2"]


def export(what, log):
    return subprocess.run([TUIBENCH, "--export", what, log], capture_output=True, text=True,
                          timeout=DEADLINE, check=True).stdout


def recomputed(path):
    """Returns, by trial, model and kind, the time from the opening of the barrier to the last finish, in ns."""
    runs, last, barrier = {}, collections.defaultdict(dict), {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            run = row["run"]
            if row["record"] == "begin":
                runs[run] = (row["trial"], row["model"])
            elif row["record"] == "worker" and row["finish_ns"]:
                last[run].setdefault(row["work"], {})[row["id"]] = int(row["finish_ns"])
            elif row["record"] == "end":
                barrier[run] = int(row["go_ns"])
    return {runs[run] + (kind,): max(ends.values()) - barrier[run]
            for run, kinds in last.items() for kind, ends in kinds.items() if runs[run][0] != "0"}


class Kinds(unittest.TestCase):
    def test_a_kind_takes_from_the_barrier_to_its_last_finish(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "mixed.csv")
            subprocess.run([TUIBENCH, "--batch", "--log", log, *SET], check=True,
                           capture_output=True, timeout=DEADLINE)
            truth = recomputed(log)
            self.assertEqual(len(truth), 2 * 2 * 2)
            said = {(row["trial"], row["model"], kind): row[f"elapsed_{kind}_ms"]
                    for row in csv.DictReader(io.StringIO(export("csv", log)))
                    for kind in ("cpu", "io")}
            self.assertEqual({key: f"{ns / 1e6:.6f}" for key, ns in truth.items()}, said)
            result = json.loads(export("json", log))
            for run in result["runs"]:
                for kind, ms in run["elapsed_by_work"].items():
                    self.assertAlmostEqual(
                        ms * 1e6, truth[str(run["trial"]), run["model"], kind], delta=1)
            works = [one["work"] for one in result["comparisons"] if one["metric"] == "elapsed_ms"]
            self.assertEqual(works, [None, "cpu", "io"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
