#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A session without a requested number of trials ends when its answer is decided.

    test_decided.py TUIBENCH
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import program

# The models differ by a factor of 4 to 6 in three of the four headline metrics, and of 1.2 in memory.
SHORT = ("-w", "cpu=2", "-s", "cpu.size=1000")
UNDECIDED = ("close", "measuring")


class Decided(unittest.TestCase):
    def session(self, *args):
        """Runs a session. Returns its JSON, the number of trials, and the finished process."""
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            done = subprocess.run([program.TUIBENCH, "--batch", "--log", log, *SHORT, *args],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  check=True)
            text = program.run("-x", "json", log)[0]
        found = json.loads(text)
        return found, max(run["trial"] for run in found["runs"]), done

    def states(self, found):
        return [cell["state"] for row in found["answer"]["rows"] for cell in row["metrics"]]

    def test_a_decided_session_ends(self):
        found, ran, done = self.session()
        if any(state in UNDECIDED for state in self.states(found)):
            self.assertIn(f", {ran} trials of each", done.stdout)
            return
        planned = int(re.search(r"(\d+) trials of each", done.stdout)[1])
        # As many trials are planned as fit into 15 s, but at most 200.
        self.assertIn(planned, range(15, 201))
        # The trials after which interim_plan() allows a decision. They depend on the number of metrics.
        middles = {(least + planned + 1) // 2 for least in range(6, 15)}
        self.assertIn(ran, {9, 12, 13, 14, planned} | middles)
        if ran < planned:
            said = f"Stopped after {ran} of {planned} trials, because more would not change the answer. --trials {planned} runs them all."
            self.assertIn(said, done.stderr)
            self.assertIn(f"{ran} of {planned} trials of each", done.stdout)

    def test_trials_that_were_asked_for_all_run(self):
        _, ran, done = self.session("--trials", "15")
        self.assertGreaterEqual(ran, 15)
        self.assertNotIn("is decided after", done.stderr)
        self.assertIn(", 15 trials of each", done.stdout)


if __name__ == "__main__":
    unittest.main()
