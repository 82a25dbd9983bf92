#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trials beside a busy program, and trials during which tasks are stopped, are repeated, are named, and do
not count.
"""

import csv
import json
import os
import select
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
    """A busy loop on one CPU, for two minutes at most."""

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
            # Only as many trials are repeated as were planned. So the last two count, although they are crowded, too.
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
                self.assertIn("trials 1, 2 were discarded and repeated at the end",
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
    """Yields cgroups that can be frozen, as by docker pause: the folder, the file, and its two values."""
    for top, name, words in (("/sys/fs/cgroup/freezer", "freezer.state", ("FROZEN", "THAWED")),
                             ("/sys/fs/cgroup", "cgroup.freeze", ("1", "0")),
                             ("/sys/fs/cgroup/unified", "cgroup.freeze", ("1", "0"))):
        folder = os.path.join(top, f"tuibench-test-{os.getpid()}")
        try:
            os.mkdir(folder)
        except OSError:
            continue
        if os.path.exists(os.path.join(folder, name)):
            yield folder, os.path.join(folder, name), words
        os.rmdir(folder)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def below(pid):
    return [pid] + [one for child in children(pid) for one in below(child)]


class Stopped(unittest.TestCase):
    """All processes are stopped for a second. The front end, too, so it notices only afterwards."""

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
            self.assertIn("trial 1 was discarded and repeated at the end, because another process stopped tuibench or its "
                          "workers", said)

    def test_a_trial_during_which_all_were_stopped_is_repeated(self):
        stopped = []

        def stop(front):
            stopped.extend(below(front))
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
        self.check(stop, lambda: [os.kill(pid, signal.SIGCONT) for pid in stopped])

    def test_so_is_one_in_a_container_that_was_paused(self):
        tried = 0
        for folder, path, (frozen, thawed) in freezers():
            with self.subTest(folder):
                self.check(lambda front, path=path, frozen=frozen: write(path, frozen),
                           lambda path=path, thawed=thawed: write(path, thawed),
                           preexec_fn=lambda folder=folder: write(os.path.join(folder, "cgroup.procs"), "0"))
            tried += 1
        if tried == 0:
            self.skipTest("needs root, and a cgroup that freezes")


class Frozen(unittest.TestCase):
    """Only the run is frozen, or one of its processes. The front end notices it meanwhile."""

    SESSION = ("--batch", *PLAIN, "-m", "processes", "-c", "sleep 4", "-n", "1", "--log")
    SAID = r"processes, trial 1: the cgroup of {}, process \d+, is frozen: .*thaw that cgroup"

    def begin(self, log):
        program = subprocess.Popen([TUIBENCH, *self.SESSION, log], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env={**os.environ, "TUIBENCH_REPEATS": "0"})
        for end in (program.stdout.close, program.stderr.close, program.wait, program.kill):
            self.addCleanup(end)
        until = time.monotonic() + DEADLINE
        while not any(name_of(pid) == "sleep" for pid in below(program.pid)):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        return program

    def hear(self, program, what):
        """Checks the next line on standard error. Skips a warning about the niceness of this test."""
        line = ""
        while not line or "niceness" in line:
            ready = select.select([program.stderr], [], [], 60)[0]
            self.assertTrue(ready, "nothing is said")
            line = program.stderr.readline()
            self.assertTrue(line, "the program has ended")
        self.assertRegex(line, self.SAID.format(what))

    def freeze(self, freezer, pids):
        folder, path, (frozen, _) = freezer
        for pid in pids:
            write(os.path.join(folder, "cgroup.procs"), str(pid))
        write(path, frozen)

    def each(self, check):
        tried = 0
        for freezer in freezers():
            with self.subTest(freezer[0]), tempfile.TemporaryDirectory() as place:
                try:
                    check(freezer, os.path.join(place, "log.csv"))
                finally:
                    write(freezer[1], freezer[2][1])
                    self.empty(freezer[0])
            tried += 1
        if tried == 0:
            self.skipTest("needs root, and a cgroup that freezes")

    def empty(self, folder):
        """Waits until the cgroup is empty: a frozen process ends after it was thawed."""
        until = time.monotonic() + DEADLINE
        while True:
            with open(os.path.join(folder, "cgroup.procs"), encoding="utf-8") as file:
                if not file.read():
                    return
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)

    def test_a_run_of_which_a_process_was_frozen_is_no_measurement(self):
        def check(freezer, log, name, said):
            program = self.begin(log)
            self.freeze(freezer, [pid for pid in below(program.pid) if name_of(pid) == name][:1])
            self.hear(program, said)
            write(freezer[1], freezer[2][1])
            rest = program.communicate(timeout=DEADLINE)[1]
            self.assertEqual(program.returncode, 0, rest)
            self.assertEqual([row["paused"] for row in ends(log)], ["1"])
        self.each(lambda freezer, log: check(freezer, log, "tuibench-runner", "tuibench-runner"))
        self.each(lambda freezer, log: check(freezer, log, "sleep", "w1 program"))

    def test_a_second_signal_does_not_wait_for_a_frozen_run_and_no_task_stays(self):
        def check(freezer, log):
            program = self.begin(log)
            self.freeze(freezer, [pid for pid in below(program.pid) if name_of(pid) in ("tuibench-runner", "sleep")])
            self.hear(program, "tuibench-runner")
            program.send_signal(signal.SIGTERM)
            # The signal ends a frozen process with version 2 of cgroups, but not with version 1.
            time.sleep(0.5)
            program.send_signal(signal.SIGTERM)
            # Do not read the pipes to their end, because a frozen process has them open.
            program.wait(timeout=60)
            self.assertEqual(program.returncode, 128 + signal.SIGTERM)
        self.each(check)


if __name__ == "__main__":
    unittest.main()
