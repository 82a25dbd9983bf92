#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A fault in one worker: the survivors equal the kernel's account. Nothing is left behind, and no
other process is affected.

    test_crash.py TUIBENCH
"""

import contextlib
import csv
import glob
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, TUIBENCH, as_nobody, await_end_of, children, result, run, strace, tasks_below

# The fault comes early, so that the other workers are still at work.
BARE = ("crash", "-s", "cpu.size=8000000")
SMALL = (*BARE, "-s", "fault=segv@10")
# How many of four workers survive, and what is left behind. A lock is left only if a worker survives.
SURVIVE = {"threads": 0, "processes": 3, "hybrid:2x2": 2}
FILES = ["file", "shared memory"]


# Shared memory is in /dev/shm, with that of other sessions. Files are in a folder of this test.
SHM, FOLDER = "/dev/shm/tuibench-fault-", tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
BEFORE = glob.glob(SHM + "*")
os.environ["TMPDIR"] = tempfile.tempdir = FOLDER.name
os.chmod(FOLDER.name, 0o755)


def files():
    return glob.glob(os.path.join(FOLDER.name, "tuibench-fault-*"))


def assert_nothing_left(test):
    """Waits until nothing is left. Another session may have shared memory, too, but it removes it."""
    until = time.monotonic() + DEADLINE
    found = set(glob.glob(SHM + "*")).difference(BEFORE).union(files())
    while found := set(filter(os.path.exists, found)):
        test.assertLess(time.monotonic(), until, found)
        time.sleep(0.01)


@contextlib.contextmanager
def busy(programs=os.cpu_count()):
    """Runs that many busy programs meanwhile. They would also end by themselves."""
    loops = [subprocess.Popen(["timeout", str(DEADLINE), sys.executable, "-c", "while True: pass"])
             for _ in range(programs)]
    try:
        yield
    finally:
        for loop in loops:
            loop.terminate()
            loop.wait()


@unittest.skipUnless(os.access("/dev/shm", os.W_OK), "needs a writable /dev/shm")
class Survivors(unittest.TestCase):
    def tearDown(self):
        assert_nothing_left(self)

    def check(self, fault, survive, left, trials=1):
        session = result(*BARE, "-s", "fault=" + fault, "--trials", str(trials))
        self.assertEqual(len(session["runs"]), 3 * trials)
        for one in session["runs"]:
            model = one["model"]
            self.assertEqual(one["survived"], survive[model], (fault, model))
            self.assertEqual((one["fault"], one["status"]), (fault.split("@")[0], "ok"))
            self.assertEqual(one["left_behind"],
                             left + ["lock"] if one["survived"] else left, (fault, model))
            # A parent that ended with its worker, or that waits for ever, never notices the fault.
            knows = survive[model] > 0 and fault != "hang"
            self.assertEqual(one["parent_noticed_ms"] is not None, knows, (fault, model))
        self.assertEqual(session["comparisons"], [])
        return session

    def test_a_fatal_signal_ends_the_process_of_its_worker(self):
        for fault in ("segv@10", "abort@10", "segv@0", "oom@10"):
            self.check(fault, SURVIVE, FILES)

    def test_exit_tidies_up_and_takes_the_process_with_it(self):
        self.check("exit@10", SURVIVE, [], 2)

    def test_a_hang_is_survived_by_all_others_and_ended(self):
        session = self.check("hang", {model: 3 for model in SURVIVE}, FILES, 4)
        self.assertIn(session["badge"], ("NO RESULT", "TOO CLOSE", "SAME"))

    def test_an_overrun_spoils_a_neighbour_that_shares_the_memory(self):
        wrong = {"threads": 1, "processes": 0, "hybrid:2x2": 1}
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "overrun.csv")
            out, _ = run(*BARE, "-s", "fault=overrun@10", "--trials", "2", "--log", log, "--format",
                         "json")
            with open(log, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        session = json.loads(out)
        self.assertEqual(len(session["runs"]), 6)
        for one in session["runs"]:
            model = one["model"]
            self.assertEqual((one["wrong_results"], one["survived"]),
                             (wrong[model], 4 - wrong[model]), model)
            self.assertEqual((one["fault"], one["status"], one["left_behind"]),
                             ("overrun", "ok", []))
            self.assertIsNone(one["parent_noticed_ms"])
        # The failed worker is the neighbour of the faulty one. It finished, with EILSEQ, which is 84.
        faulty = {row["run"]: int(row["fault_worker"]) for row in rows if row["fault_worker"]}
        # A worker may have several rows. The last one counts.
        last = {(row["run"], row["id"]): row for row in rows if row["record"] == "worker"}
        failed = [row for row in last.values() if row["status"] == "failed"]
        self.assertEqual(len(failed), 4)
        for row in failed:
            self.assertEqual(abs(int(row["id"]) - faulty[row["run"]]), 1, row)
            self.assertEqual(row["error"], "84")
        self.assertEqual("One worker writes past its memory in each of 2 trials. Correct results: threads 3 of 4, "
                         "processes 4 of 4, hybrid:2x2 3 of 4", session["sentence"])

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_nobody_dies_of_an_overrun(self):
        for model, ends in (("threads", 1), ("processes", 5), ("hybrid", 3)):
            trace = strace(self, "wait4", *BARE, "-s", "fault=overrun@10", "--models", model)
            self.assertEqual(re.findall(r"WTERMSIG", trace), [])
            self.assertEqual(len(re.findall(r"WIFEXITED\(s\) && WEXITSTATUS\(s\) == 0", trace)), ends,
                             (model, trace))

    def test_who_survives_is_no_matter_of_who_was_faster(self):
        # At 99 %, fast workers would have finished. They must wait for the fault, also on a busy machine.
        with busy():
            for fault in ("segv@99", "oom@99", "exit@99"):
                self.check(fault, SURVIVE, [] if fault == "exit@99" else FILES)

    def test_csv_tells_what_was_left_behind(self):
        for fault, left in (("segv@10", ["file+shared memory", "file+shared memory+lock"]),
                            ("exit@10", ["nothing", "lock"])):
            out, _ = run(*BARE, "--no-log", "-s", "fault=" + fault, "--trials", "1", "--format", "csv",
                         "-m", "threads,processes")
            rows = list(csv.DictReader(io.StringIO(out)))
            self.assertEqual([row["left_behind"] for row in rows], left)
            self.assertEqual([row["survived"] for row in rows], ["0", "3"])
            self.assertEqual({row["fault"] for row in rows}, {fault.split("@")[0]})
        out, _ = run("--no-log", "-w", "cpu=1", "-s", "cpu.size=1000", "--trials",
                     "1", "--format", "csv")
        self.assertNotIn("left_behind", out)

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_the_kernel_tells_of_the_same_deaths(self):
        for model, survivors in SURVIVE.items():
            trace = strace(self, "wait4", *SMALL, "--models", model.split(":")[0])
            died = re.findall(r"WTERMSIG\(s\) == SIGSEGV", trace)
            lived = re.findall(r"WIFEXITED\(s\) && WEXITSTATUS\(s\) == 0", trace)
            self.assertEqual(len(died), 1, (model, trace))
            # The processes with exit status 0: surviving workers or their process, and the runner.
            self.assertEqual(len(lived), {0: 0, 3: 4, 2: 2}[survivors], (model, trace))

    def test_quick_is_enough_and_the_sentence_says_what_its_table_says(self):
        session = result("crash", "--quick", *SMALL[1:])
        self.assertEqual((len(session["runs"]), session["badge"]), (15, "REAL"))
        self.assertEqual(session["sentence"],
                         "One worker crashes in each of 5 trials. Survivors: threads 0 of 4, "
                         "processes 3 of 4, hybrid:2x2 2 of 4")
        self.assertIn(result(*SMALL, "--trials", "2")["badge"],
                      ("NO RESULT", "TOO CLOSE", "SAME"))

    def test_the_recording_tells_it_again(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "crash.csv")
            out, _ = run(*SMALL, "--trials", "1", "--log", log, "--format", "json")
            again = subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True,
                                   check=True, timeout=DEADLINE)
            self.assertEqual(json.loads(again.stdout)["runs"], json.loads(out)["runs"])

    def test_without_root_it_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            runs = result(*SMALL, "--trials", "1", **as_nobody(self, {}), cwd="/",
                          env={**os.environ, "TMPDIR": folder, "HOME": folder})["runs"]
            self.assertEqual({one["model"]: one["survived"] for one in runs}, SURVIVE)
            self.assertEqual(os.listdir(folder), [])

    def end_while_a_worker_hangs(self, model, end, status):
        with subprocess.Popen([TUIBENCH, "--batch", "--no-log", "crash", "-s", "fault=hang@1",
                               "-s", "cpu.size=2000000000", "-m", model],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True) as program:
            try:
                until = time.monotonic() + DEADLINE
                # The lock's file has no name to look for, so look for the tasks.
                while len(tasks_below(program.pid)) < 4:
                    self.assertIsNone(program.poll(), "it ended, and nothing hangs")
                    self.assertLess(time.monotonic(), until, "nothing hangs")
                    time.sleep(0.01)
                tasks = children(program.pid)
                end(program)
                self.assertEqual(program.wait(DEADLINE), status)
            finally:
                program.kill()  # otherwise a failed assertion would wait for its end
            return tasks

    def await_end_of(self, tasks):
        for task in tasks:
            await_end_of(self, task)

    def test_a_signal_while_a_worker_hangs_ends_all(self):
        self.await_end_of(self.end_while_a_worker_hangs("threads", lambda one: one.send_signal(signal.SIGTERM),
                                                        128 + signal.SIGTERM))

    def test_a_killed_front_end_leaves_nothing_behind(self):
        # Tidying up takes some time, so wait for all sessions together.
        tasks = []
        for model in SURVIVE:
            for end in (lambda one: one.kill(), lambda one: os.killpg(one.pid, signal.SIGKILL)):
                tasks += self.end_while_a_worker_hangs(model, end, -signal.SIGKILL)
        with busy():
            tasks += self.end_while_a_worker_hangs("processes", lambda one: one.kill(), -signal.SIGKILL)
            self.await_end_of(tasks)


class Refusals(unittest.TestCase):
    def test_what_is_no_fault_is_told_before_anything_starts(self):
        for args, words in ((("crash", "-s", "fault=burn"), ["burn", "segv"]),
                            (("crash", "-s", "fault=segv@100"), ["segv@100", "segv@10"]),
                            (("crash", "-s", "fault=segv@"), ["segv@"]),
                            (("-s", "fault=segv"), ["-s fault=segv", "crash"]),
                            (("crash", "-w", "hello=4"), ["--workers: hello"])):
            _, said = run("--no-log", *args, status=2)
            self.assertEqual(len(said.splitlines()), 1, said)
            for word in words:
                self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
