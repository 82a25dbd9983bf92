#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All of tuibench --self-test: its values, its exit status, and that it can fail.

    test_self_test.py TUIBENCH
"""

import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, SANITIZED, TUIBENCH, against_schema, agree, await_end_of, children  # noqa: E402

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../man/tuibench-export.schema.json")

# Wide limits, for any machine, sanitizer or load.
PLAUSIBLE = {
    "clock_cost": (1, 1e6), "clock_step": (1, 1e8), "clock_cores": (-1e9, 1e9),
    "same": (0.1, 10), "injected": (0.1, 10), "watched": (0.1, 10), "own_cpu": (0, 1.01),
    "getrusage": (0.5, 1.05), "schedstat": (0.5, 2), "proc_stat": (0.5, 1.5),
    "cgroup": (0.5, 1.05), "perf": (0.5, 1.05), "cores_had": (0, 1.05), "others": (0, 1),
    "steal": (0, 1), "frequency": (1, 1000),
}
# Under load, these rows may have no value.
MAY_MISS = {"same", "injected", "watched", "clock_cores", "clock_step", "schedstat", "proc_stat",
            "cgroup", "perf", "own_cpu", "cores_had", "others", "steal", "frequency", "getrusage"}


# An eighth of the default duration.
RUN_MS = 30
# The lowest share of the kernel's CPU time that the six runs may have. The rest is at most 120 ms, in
# which the runner starts and ends. With a sanitizer, each child also takes time for its start.
LEAST = 1 / (1 + 120 / (6 * RUN_MS * len(os.sched_getaffinity(0)))) - (0.1 if SANITIZED else 0)
TRIES = 3


def self_test(*before, **environment):
    return subprocess.run([*before, TUIBENCH, "--self-test", "--format", "json"], capture_output=True, text=True,
                          env={**os.environ, "TUIBENCH_SELF_TEST_MS": str(RUN_MS), **environment},
                          timeout=DEADLINE, stdin=subprocess.DEVNULL, check=False)


def left_behind():
    """Returns the cgroups of self-tests that have ended."""
    return {group for group in glob.glob("/sys/fs/cgroup/**/tuibench-self-test-*", recursive=True)
            if not os.path.exists("/proc/" + group.rsplit("-", 1)[1])}


def state(row):
    """Returns the state that follows from the values of a row."""
    low = row["value"] if row["low"] is None else row["low"]
    high = row["value"] if row["high"] is None else row["high"]
    wanted = row["expected_high"] - row["expected_low"]
    if low is None or 0 < wanted < (high - low) / 2:
        return "not available"
    if row["check"] == "injected" and low <= 1 <= high:
        return "off"
    return "ok" if low <= row["expected_high"] and high >= row["expected_low"] else "off"


class SelfTest(unittest.TestCase):
    def check_rows(self, done):
        result = json.loads(done.stdout)
        against_schema(self, SCHEMA, done.stdout)
        rows = {row["check"]: row for row in result["rows"]}
        self.assertEqual(set(rows), set(PLAUSIBLE))
        self.assertEqual(result["schema"], 1)
        self.assertLess(0, result["seconds"])
        for name, row in rows.items():
            with self.subTest(row=row):
                self.assertEqual(row["state"], state(row))
                if row["value"] is None:
                    self.assertIn(name, MAY_MISS)
                    self.assertTrue(row["note"], "no reason")
                    if name in ("same", "injected", "watched"):
                        self.assertEqual(row["note"], "timed out")
                    continue
                low, high = PLAUSIBLE[name]
                self.assertTrue(low <= row["value"] <= high)
                if row["low"] is not None:
                    self.assertTrue(row["low"] <= row["value"] <= row["high"])
        off = {row["for"] for row in rows.values() if row["state"] == "off"}
        for claim, trusted in result["trusted"].items():
            self.assertEqual(trusted is False, claim in off, claim)
        self.assertEqual(result["passed"], not off)
        self.assertEqual(done.returncode, 0 if result["passed"] else 1, done.stderr)
        return rows

    def test_its_rows_are_plausible_and_agree_and_another_difference_is_off(self):
        # On a busy machine, trials are repeated. The sum must include the replaced ones, too.
        env = {"TUIBENCH_SELF_TEST_PERCENT": "100", "TUIBENCH_REPEATS": "5"}
        seen = []

        def once():
            """Returns what is wrong: CPU times that differ from getrusage's, or a wrong injected difference."""
            before = left_behind()
            rows = self.check_rows(self_test(**env))
            self.assertEqual(rows["injected"]["expected_low"], 1.03)
            self.assertLessEqual(left_behind() - before, set())
            values = {name: rows[name]["value"] for name in ("getrusage", "cgroup", "perf")}
            kernel = values["getrusage"]
            apart = {name: value for name, value in values.items() if None not in (value, kernel) and
                     (abs(value - kernel) >= 0.15 or kernel <= LEAST)}
            # The injected work is twice as much, which is visible under any load.
            injected = rows["injected"]
            seen.append(injected["value"])
            if seen[-1] is None:
                return apart or len(seen) < TRIES and "no time for what is injected"
            return apart or (injected["state"] != "off" or seen[-1] < 1.5) and injected
        # CPU times agree on a busy machine, too. But perf counts time that a host withholds, and getrusage
        # does not, so there are several tries.
        agree(self, once, tries=TRIES)
        if seen[-1] is None:
            self.skipTest("no time for what is injected")

    def test_the_default_one_is_whole(self):
        self.check_rows(self_test())

    def test_cores_are_no_witness_where_other_programs_are_not_seen(self):
        alone = ["unshare", "-p", "-f", "--mount-proc"]
        if subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("needs the right to make a namespace of processes")
        row = self.check_rows(self_test(*alone))["proc_stat"]
        self.assertEqual((row["state"], row["value"]), ("not available", None))
        self.assertRegex(row["note"], r"\d+ of \d+ tasks are hidden")

    def test_a_signal_ends_it_and_nothing_stays(self):
        before = left_behind()
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        outs = [tempfile.TemporaryFile() for _ in numbers]  # pylint: disable=consider-using-with
        ones = [subprocess.Popen([TUIBENCH, "--self-test"], stdout=out, stderr=subprocess.PIPE,
                                 stdin=subprocess.DEVNULL) for out in outs]
        runners = []
        for number, one in zip(numbers, ones):
            for line in one.stderr:
                if b"agreement" in line:
                    break
            time.sleep(random.random() / 2)
            runners += children(one.pid)
            one.send_signal(number)
            one.stderr.close()
        for number, one, out in zip(numbers, ones, outs):
            with out, self.subTest(number=number):
                self.assertEqual(one.wait(DEADLINE), 128 + number)
                self.assertEqual(out.tell(), 0)
        for runner in runners:
            await_end_of(self, runner)
        self.assertLessEqual(left_behind() - before, set())


if __name__ == "__main__":
    unittest.main()
