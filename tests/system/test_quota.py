#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run's quota of CPUs, compared with its cgroup and the kernel's clocks.

    test_quota.py TUIBENCH
"""

import csv
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import as_nobody, matches, run
import program

PERIOD = 0.1  # seconds
WORK = ("--trials", "1", "-w", "cpu=2", "-s", "cpu.size=100000000")
# The kernel gives a run's cgroup a share of the cores like any other program, with any niceness of its
# tasks. Even beside a hundred busy programs, this share is more than QUOTA. With this low quota, a small
# work takes many periods.
QUOTA = 0.01
LITTLE = ("--trials", "1", "-w", "cpu=2", "-s", "cpu.size=5000000", "-s", f"quota={QUOTA}")


def folders(pid):
    """Returns the existing cgroups of a session's runs, of both versions."""
    return set(glob.glob(f"/sys/fs/cgroup/**/tuibench-{pid}-[0-9]*", recursive=True))


def text_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read().strip()


def limit_of(folder):
    """Returns the quota of a cgroup in CPUs; None if it has none."""
    if os.path.exists(os.path.join(folder, "cpu.max")):
        quota, period = text_of(folder, "cpu.max").split()
    elif os.path.exists(os.path.join(folder, "cpu.cfs_quota_us")):
        quota, period = (text_of(folder, f"cpu.cfs_{name}_us") for name in ("quota", "period"))
    else:
        return None
    return None if quota in ("max", "-1") else int(quota) / int(period)


def throttled_of(folder):
    """Returns how many periods of a cgroup were throttled."""
    lines = (line.split() for line in text_of(folder, "cpu.stat").splitlines())
    return next(int(value) for name, value in lines if name == "nr_throttled")


def recorded(*args):
    """
    Runs a session. Returns its rows, and limits and throttled periods of the runs' cgroups. Ignores the
    cgroup without tasks that the session creates at its start, to see whether it may.
    """
    limits, throttled = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        with subprocess.Popen([program.TUIBENCH, "--batch", "--log", log, *program.PLAIN, *args],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            while child.poll() is None:
                for one in folders(child.pid):
                    try:
                        limit = limit_of(one)
                        if limit and text_of(one, "cgroup.procs"):
                            limits[one] = limit
                            throttled[one] = throttled_of(one)
                    except OSError:
                        pass
                time.sleep(0.02)
        assert child.returncode == 0, child.returncode
        with open(log, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    assert not folders(child.pid), "a cgroup is left"
    return rows, limits, throttled


def may_be_had():
    """Whether tuibench can create a cgroup with a quota here. Another test checks that it is right."""
    done = subprocess.run([program.TUIBENCH, "--batch", "--no-log", *program.PLAIN, "--trials", "1",
                           "-w", "cpu=1", "-w", "io=0", "-s", "cpu.size=1000", "-s", "quota=1"],
                          capture_output=True, text=True, check=False)
    return done.returncode == 0


def own_cgroup(cores):
    """Creates a cgroup with a quota for this test. Returns None if that is not possible."""
    name = f"quota-test-{os.getpid()}"
    for parent, file, limit in (("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "{:.0f}"),
                                ("/sys/fs/cgroup", "cpu.max", "{:.0f} 100000")):
        folder = os.path.join(parent, name)
        try:
            os.mkdir(folder)
        except OSError:
            continue
        try:
            with open(os.path.join(folder, file), "w", encoding="utf-8") as to:
                to.write(limit.format(cores * 100000))
            return folder
        except OSError:
            os.rmdir(folder)
    return None


class Quota(unittest.TestCase):
    def test_a_quota_of_the_session_itself_is_said_and_marks_its_trials(self):
        folder = own_cgroup(0.1)
        if not folder:
            self.skipTest("no cgroup with a quota can be made here")

        def join():
            with open(os.path.join(folder, "cgroup.procs"), "w", encoding="utf-8") as to:
                to.write("0")

        try:
            with tempfile.TemporaryDirectory() as place:
                log = os.path.join(place, "log.csv")
                done = subprocess.run(
                    [program.TUIBENCH, "--batch", "--log", log, "--format", "report", *program.PLAIN,
                     "--trials", "2", "-w", "cpu=2", "-s", "cpu.size=10000000"], check=True,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                    preexec_fn=join)
                with open(log, encoding="utf-8", newline="") as file:
                    ends = [row for row in csv.DictReader(file) if row["record"] == "end"]
        finally:
            until = time.monotonic() + 10
            while os.path.isdir(folder):
                try:
                    os.rmdir(folder)
                except OSError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.05)
        said = " ".join(done.stdout.split())
        self.assertIn(f"0.1 of {os.cpu_count()} cores (quota)", said)
        self.assertIn(", under a quota]", said)
        self.assertIn("Warning: the quota of 0.1 of ", said)
        self.assertNotIn("close them and run", said)
        self.assertNotIn("close them and run", said)
        self.assertTrue(any(int(end["throttled_periods"]) > 0 for end in ends))

    def test_a_run_uses_no_more_than_its_quota(self):
        if not may_be_had():
            self.skipTest("no cgroup with a quota can be made here")

        def once():
            rows, limits, throttled = recorded(*LITTLE)
            ends = [row for row in rows if row["record"] == "end"]
            self.assertEqual([end["model"] for end in ends], ["threads", "processes"])
            self.assertEqual(list(limits.values()), [QUOTA, QUOTA])
            for end, kernel in zip(ends, throttled.values()):
                elapsed = int(end["elapsed_ns"]) / 1e9
                used = (int(end["user_us"]) + int(end["system_us"])) / 1e6
                # The tolerance is a period at the beginning and at the end, and 5 ms for each core.
                self.assertLessEqual(used, QUOTA * (elapsed + 2 * PERIOD) + 0.005 * os.cpu_count())
                self.assertGreater(int(end["throttled_periods"]), 0)
                self.assertGreater(int(end["throttled_us"]), 0)
                self.assertGreater(kernel, 0)
                # This test last read the cgroup up to two periods before the end.
                self.assertGreaterEqual(int(end["throttled_periods"]) + 1, kernel)
                self.assertLessEqual(int(end["throttled_periods"]), kernel + 3)
        matches(self, once)

    def test_ticks_count_up_to_the_end(self):
        if not may_be_had():
            self.skipTest("no cgroup with a quota can be made here")
        rows, _, _ = recorded(*LITTLE, "-m", "threads")
        counts = [(int(row["throttled_periods"]), int(row["throttled_us"])) for row in rows
                  if row["record"] in ("tick", "end") and row["throttled_us"]]
        self.assertEqual(counts, sorted(counts))
        self.assertGreater(len(counts), 2)

    def test_lanes_have_no_more_throttled_time_than_the_kernel_counted(self):
        if not may_be_had():
            self.skipTest("no cgroup with a quota can be made here")

        def once():
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "log.csv")
                run(*LITTLE, "-m", "threads", "--log", log)
                with open(log, encoding="utf-8", newline="") as file:
                    end = next(row for row in csv.DictReader(file) if row["record"] == "end")
                trace = subprocess.run([program.TUIBENCH, "--export", "trace", log], check=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            spans = sorted((event["ts"], event["ts"] + event["dur"])
                           for event in json.loads(trace.stdout)["traceEvents"]
                           if event.get("cat") == "throttled")
            together = until = 0
            for begin, to in spans:
                together += max(0, to - max(begin, until))
                until = max(until, to)
            self.assertGreater(together, 0)
            # The tolerance is 10 %, and 1 ms for each throttled period.
            self.assertLess(together, 1.1 * int(end["throttled_us"]) +
                            1000 * int(end["throttled_periods"]))
        matches(self, once)

    def test_without_a_quota_nothing_is_known_of_throttling(self):
        rows, limits, _ = recorded(*WORK, "-m", "threads")
        self.assertEqual(limits, {})
        self.assertEqual({row["throttled_us"] for row in rows if row["record"] in ("tick", "end")},
                         {""})

    def test_a_sweep_gives_each_case_its_own(self):
        if not may_be_had():
            self.skipTest("no cgroup with a quota can be made here")
        rows, limits, _ = recorded(*WORK, "-m", "threads", "-s", "quota=0.5,0.75,max")
        self.assertEqual(sorted(limits.values()), [0.5, 0.75])
        ends = {row["variables"]: row for row in rows if row["record"] == "end"}
        self.assertEqual({name: end["throttled_us"] != "" for name, end in ends.items()},
                         {"quota=0.5": True, "quota=0.75": True, "quota=max": False})

    def test_where_no_cgroup_can_be_made_the_line_says_why_and_what_to_do(self):
        nobody = as_nobody(self, {})
        _, error = run("--no-log", "-s", "quota=0.5", status=3, **nobody)
        self.assertIn('-s quota=0.5: needs a cgroup of its own with the cpu controller', error)
        self.assertIn("systemd-run --user --scope -p Delegate=yes", error)
        self.assertEqual(error.count("\n"), 1)

    def test_a_killed_session_leaves_no_cgroup_behind(self):
        if not may_be_had():
            self.skipTest("no cgroup with a quota can be made here")
        child = program.quiet("--trials", "1", "-w", "cpu=2", "-w", "io=0", "-s", "quota=0.05")
        until = time.monotonic() + 60
        # tuibench-tidy begins some milliseconds after the cgroup was created.
        while time.monotonic() < until and "tuibench-tidy" not in map(
                program.name_of, program.children(child.pid) or ()):
            time.sleep(0.01)
        self.assertTrue(folders(child.pid))
        child.kill()
        child.wait()
        while time.monotonic() < until and folders(child.pid):
            time.sleep(0.01)
        self.assertEqual(folders(child.pid), set())


if __name__ == "__main__":
    unittest.main()
