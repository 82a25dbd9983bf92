#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests limits of files, full disks, and names with bytes that control a terminal.

    test_limits.py TUIBENCH
"""

import os
import resource
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, PLAIN, SANITIZED, TUIBENCH, as_nobody

SHORT = ("-w", "cpu=2", "-s", "cpu.size=1000", "--trials", "1", *PLAIN)


def session(*args, limit=None, folder="/"):
    """Runs a short session. Returns status, standard output, and the lines of error that belong to no run."""
    def set_limit():
        if limit:
            resource.setrlimit(limit[0], (limit[1], limit[1]))
    done = subprocess.run([TUIBENCH, "--batch", *SHORT, *args], capture_output=True, text=True,
                          timeout=DEADLINE, check=False, preexec_fn=set_limit, cwd=folder)
    said = (", trial ", "runs have niceness", " trials to decide; ")
    lines = [line for line in done.stderr.splitlines() if not any(text in line for text in said)]
    return done.returncode, done.stdout, lines


class Limits(unittest.TestCase):
    def test_too_few_open_files_are_a_limit_with_its_name(self):
        for files in (16, 63):
            status, out, lines = session("--no-log", limit=(resource.RLIMIT_NOFILE, files))
            self.assertEqual((status, out), (3, ""))
            self.assertEqual(lines, [f"tuibench: the open file limit (RLIMIT_NOFILE) is {files}, "
                                     "but a session needs 64; raise it with ulimit -n 64"])
        status, _, lines = session("--no-log", limit=(resource.RLIMIT_NOFILE, 64))
        self.assertEqual((status, lines), (0, []))

    def test_a_stack_that_is_too_small_is_a_limit_with_its_name(self):
        # A sanitizer needs more than the lowest limit.
        for kib in (64, 511) if SANITIZED else (32, 64, 511):
            status, out, lines = session("--no-log", limit=(resource.RLIMIT_STACK, kib << 10))
            self.assertEqual((status, out), (3, ""))
            self.assertEqual(lines, [f"tuibench: the stack limit (RLIMIT_STACK) is {kib} KiB, but "
                                     "tuibench needs 512; raise it with ulimit -s 512"])
        status, _, lines = session("--no-log", limit=(resource.RLIMIT_STACK, 512 << 10))
        self.assertEqual((status, lines), (0, []))

    def test_root_of_a_user_namespace_is_refused_before_the_session_as_any_user(self):
        plain = as_nobody(self, {resource.RLIMIT_NPROC: 8})
        # The creator of a user namespace has all capabilities in it, and none outside.
        words = ["unshare", "--user", "--map-root-user"]
        if subprocess.run([*words, "true"], check=False, capture_output=True, **plain).returncode:
            self.skipTest("a plain user may make no user namespace here")
        for args, said in ((("-s", "workers=20"), "RLIMIT_NPROC (ulimit -u) is 8"),
                           (("-s", "nice=-5"), "CAP_SYS_NICE outside of a user namespace"),
                           (("-s", "policy=fifo"), "lacks CAP_SYS_NICE")):
            done = subprocess.run([*words, TUIBENCH, "--batch", "--no-log", *SHORT, "-m", "processes", *args],
                                  capture_output=True, text=True, timeout=DEADLINE, check=False, cwd="/", **plain)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(said, done.stderr)

    def test_files_too_small_for_the_shared_memory_say_how_large_they_must_be(self):
        status, out, lines = session("--no-log", limit=(resource.RLIMIT_FSIZE, 4096))
        self.assertEqual((status, out, len(lines)), (3, "", 1))
        self.assertIn("RLIMIT_FSIZE", lines[0])
        kib = int(lines[0].split("ulimit -f ")[1])
        status, _, lines = session("--no-log", limit=(resource.RLIMIT_FSIZE, kib * 1024))
        self.assertEqual((status, lines), (0, []))

    def test_where_nothing_could_be_recorded_no_file_stays_and_none_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink("/dev/full", os.path.join(folder, "full.csv"))
            status, out, lines = session("--log", "full.csv", folder=folder)
            self.assertEqual(status, 1)
            self.assertIn("Which" if "#" in out else "threads", out)
            self.assertEqual([line for line in lines if line.startswith("Recorded in")], [])
            self.assertEqual(lines[-1], "tuibench: nothing was recorded in full.csv: "
                                        "No space left on device")
            self.assertTrue(os.path.exists("/dev/full"))

    def test_a_recording_that_may_not_grow_opens_with_nothing_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            # The limit is larger than the shared memory, and smaller than the log of 50 trials.
            status, _, lines = session("--log", "a.csv", folder=folder,
                                       limit=(resource.RLIMIT_FSIZE, 160 << 10))
            self.assertEqual((status, lines[-1]), (0, "Recorded in a.csv"))
            status, _, lines = session("--log", "b.csv", "--trials", "50", folder=folder,
                                       limit=(resource.RLIMIT_FSIZE, 160 << 10))
            self.assertEqual(status, 1)
            self.assertEqual(lines[-2:], ["Recorded in b.csv", "tuibench: the recording b.csv is "
                                          "not complete: File too large"])
            done = subprocess.run([TUIBENCH, "--replay", "b.csv", "--batch"], cwd=folder, text=True,
                                  capture_output=True, timeout=DEADLINE, check=False)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("left out", done.stderr)

    def test_of_two_that_record_in_one_file_at_once_one_does(self):
        for there in (False, True) * 20:
            with tempfile.TemporaryDirectory() as folder:
                if there:
                    open(os.path.join(folder, "a.csv"), "wb").close()
                both = [subprocess.Popen([TUIBENCH, "--batch", *SHORT, "-m", "threads", "--log", "a.csv"],
                                         cwd=folder, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.PIPE, text=True) for _ in range(2)]
                said = {one.communicate(timeout=DEADLINE)[1].splitlines()[-1] for one in both}
                self.assertEqual(sorted(one.returncode for one in both), [0, 2])
                self.assertEqual(said, {"Recorded in a.csv", 'tuibench: --log: cannot record to '
                                        '"a.csv": File exists and is kept: name a new file'})

    def test_no_name_reaches_the_terminal_as_more_than_text(self):
        name = "a\033[31mb\nc\u202ed.csv"
        with tempfile.TemporaryDirectory() as folder:
            for args in ((*SHORT, "--log", name), (*SHORT, "--log", name),
                         (*SHORT, "--log", f"none/{name}"), ("--models", name),
                         ("--replay", "none" + name), ("--follow", "--replay", "none" + name)):
                done = subprocess.run([TUIBENCH, "--batch", *args], capture_output=True,
                                      timeout=DEADLINE, check=False, cwd=folder)
                self.assertNotIn(b"\033", done.stderr)
                self.assertNotIn("\u202e".encode(), done.stderr)
                self.assertIn(b"?[31mb?c", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
