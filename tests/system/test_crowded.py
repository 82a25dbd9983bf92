#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trials beside a busy program, or that somebody stops, are repeated, named, and count nowhere."""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, PLAIN, TUIBENCH, children, name_of, run

CPU = min(os.sched_getaffinity(0))
SESSION = ("-w", "cpu=1", "-s", "cpu.size=40M", "-s", "pin=" + str(CPU), "--trials", "2",
           "-s", "sched=off")


class Busy:
    """A loop on that CPU, for two minutes at most."""

    def __enter__(self):
        self.loop = subprocess.Popen(["timeout", "120", "sh", "-c", "while :; do :; done"],
                                     preexec_fn=lambda: os.sched_setaffinity(0, {CPU}))
        return self

    def __exit__(self, *_):
        self.loop.terminate()
        self.loop.wait()


def session(log, repeats):
    with Busy():
        return json.loads(run("--log", log, "--format", "json", *SESSION,
                              env={**os.environ, "TUIBENCH_REPEATS": str(repeats)})[0])


def ends(log):
    with open(log, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["record"] == "end"]


def replayed(log, *args):
    return subprocess.run([TUIBENCH, *args, log], capture_output=True, text=True, check=True).stdout


class Crowded(unittest.TestCase):
    def test_crowded_trials_are_repeated_and_count_nowhere(self):
        with tempfile.TemporaryDirectory() as place:
            log = os.path.join(place, "log.csv")
            found = session(log, 5)
            # No more than were planned: the last two are crowded as well, and count.
            self.assertEqual(found["repeated"], [1, 2])
            self.assertEqual([one["trial"] for one in found["runs"]], [3, 3, 4, 4])
            self.assertTrue(found["busy"])
            self.assertIn("repeated", [one["kind"] for one in found["warnings"]])
            rows = ends(log)
            self.assertEqual([row["trial"] for row in rows], [t for t in "1234" for _ in "ab"])
            self.assertEqual([row["repeated"] for row in rows].count("1"), 2)
            self.assertEqual([row["trial"] for row in rows if row["repeated"] == "1"], ["1", "2"])
            for row in rows:
                if row["repeated"] == "1":
                    self.assertGreater(max(int(other["others_permille"]) for other in rows
                                           if other["trial"] == row["trial"]), 200)
            self.assertEqual(json.loads(replayed(log, "--export", "json")), found)
            self.assertEqual({row["trial"] for row in csv.DictReader(
                replayed(log, "--export", "csv").splitlines())}, {"3", "4"})
            for table in ("table", "report", "markdown", "html"):
                self.assertIn("fifth of the cores in trials 1, 2: they are repeated",
                              " ".join(replayed(log, "--export", table).split()), table)

    def test_nothing_is_repeated_where_that_is_not_wished(self):
        with tempfile.TemporaryDirectory() as place:
            log = os.path.join(place, "log.csv")
            found = session(log, 0)
            self.assertEqual(found["repeated"], [])
            self.assertEqual([one["trial"] for one in found["runs"]], [1, 1, 2, 2])
            self.assertTrue(found["busy"])

    def test_a_wrong_number_is_refused(self):
        done = subprocess.run([TUIBENCH, "--batch", "--no-log", *SESSION], capture_output=True,
                              text=True, check=False, env={**os.environ, "TUIBENCH_REPEATS": "6"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("TUIBENCH_REPEATS=6: use a number from 0 to 5", done.stderr)


def freezers():
    """Files of a cgroup that pauses all in it, as docker pause does: who joins, what pauses, how it is written."""
    for top, name, words in (("/sys/fs/cgroup/freezer", "freezer.state", ("FROZEN", "THAWED")),
                             ("/sys/fs/cgroup", "cgroup.freeze", ("1", "0"))):
        folder = os.path.join(top, f"tuibench-test-{os.getpid()}")
        try:
            os.mkdir(folder)
        except OSError:
            continue
        if os.path.exists(os.path.join(folder, name)):
            return folder, os.path.join(folder, name), words
        os.rmdir(folder)
    return None


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def below(pid):
    return [pid] + [one for child in children(pid) for one in below(child)]


class Stopped(unittest.TestCase):
    """All stand still for a second, the front end too: only afterwards can it be known."""

    def check(self, stop, go_on, **more):
        with tempfile.TemporaryDirectory() as place:
            log = os.path.join(place, "log.csv")
            with subprocess.Popen([TUIBENCH, "--batch", "--log", log, "--format", "json", *PLAIN, "-m", "processes",
                                   "-c", "sleep 3", "-n", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env={**os.environ, "TUIBENCH_REPEATS": "1"}, **more) as program:
                until = time.monotonic() + DEADLINE
                while not any(name_of(pid) == "sleep" for pid in below(program.pid)):
                    self.assertLess(time.monotonic(), until)
                    time.sleep(0.01)
                time.sleep(0.3)
                stop(program.pid)
                time.sleep(1)
                go_on()
                out, said = program.communicate(timeout=DEADLINE)
            self.assertEqual(program.returncode, 0, said)
            self.assertRegex(said, r"processes, trial 1: tuibench was halted for [\d.]+ s \(SIGSTOP")
            found = json.loads(out)
            self.assertEqual((found["repeated"], [one["trial"] for one in found["runs"]]), ([1], [2]))
            self.assertEqual([(row["paused"], row["repeated"]) for row in ends(log)], [("1", "1"), ("0", "0")])
            said = " ".join(replayed(log, "--export", "report").split())
            self.assertIn("somebody stopped tuibench or its workers in trial 1: it is repeated", said)

    def test_a_trial_during_which_all_were_stopped_is_repeated(self):
        stopped = []

        def stop(front):
            stopped.extend(below(front))
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
        self.check(stop, lambda: [os.kill(pid, signal.SIGCONT) for pid in stopped])

    def test_so_is_one_in_a_container_that_was_paused(self):
        freezer = freezers()
        if not freezer:
            self.skipTest("needs root, and a cgroup that freezes")
        folder, path, (frozen, thawed) = freezer
        self.addCleanup(os.rmdir, folder)
        self.addCleanup(write, path, thawed)
        self.check(lambda front: write(path, frozen), lambda: write(path, thawed),
                   preexec_fn=lambda: write(os.path.join(folder, "cgroup.procs"), "0"))


if __name__ == "__main__":
    unittest.main()
