#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Groups of senders and receivers: the workers count the messages, and strace counts their bytes. If a worker
dies, the others must end, too.

    test_messages.py TUIBENCH
"""

import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import (DEADLINE, TUIBENCH, alive, as_nobody, await_end_of, await_work, children,
                     first_child, result, run)

WAYS = ["pipe", "socketpair"]
EACH = 40
ONCE = ("messages", "--trials", "1", "--warmup", "0")
SMALL = (*ONCE, "-s", f"message.size={EACH}")


class Messages(unittest.TestCase):
    def check(self, runs, workers=20):
        found = {(one["model"], one["variables"]["via"]) for one in runs}
        self.assertEqual(found, {(model, via) for model in ("threads", "processes")
                                 for via in WAYS})
        for one in runs:
            self.assertEqual((one["status"], one["finished"]), ("ok", workers))
            # By the kernel's count, each message is read and written once.
            kb = workers // 10 * 25 * EACH * 100 / 1024
            self.assertAlmostEqual(one["read_kb"], kb, delta=2)
            self.assertAlmostEqual(one["written_kb"], kb, delta=2)

    def test_every_way_ends_in_both_models(self):
        self.check(result(*SMALL)["runs"])
        self.check(result(*SMALL, "-w", "message=30")["runs"], 30)

    def test_it_runs_as_a_plain_user(self):
        self.check(result(*SMALL, **as_nobody(self, {}), cwd="/",
                          env={**os.environ, "HOME": "/"})["runs"])

    # 5 senders send to 5 receivers each. Each message is one call with 100 bytes.
    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_strace_counts_the_calls_of_each_message(self):
        for model in ("threads", "processes"):
            with tempfile.NamedTemporaryFile("r") as log:
                done = subprocess.run(
                    ["strace", "-f", "-o", log.name, "-e", "trace=read,write", TUIBENCH, *SMALL,
                     "-w", "message=10", "--models", model, "-s", "via=pipe", "--batch",
                     "--no-log"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                    timeout=DEADLINE, check=False)
                if "ptrace" in done.stderr:
                    self.skipTest(done.stderr)
                calls = log.read()
            sent = re.findall(r"write\(\d+, .*, 100(?:\)| <unfinished)", calls)
            full = re.findall(r"read(?:\(\d+, | resumed>).*, 100\) += 100$", calls, re.M)
            self.assertEqual((len(sent), len(full)), (25 * EACH, 25 * EACH), model)

    # With S senders and R receivers, there are S x R times as many messages. The kernel counts their bytes.
    def test_groups_have_as_many_senders_and_receivers_as_asked_for(self):
        for group, senders, receivers in (("1x9", 1, 9), ("7x2", 7, 2), ("1x1", 1, 1)):
            for one in result(*SMALL, "-s", "group=" + group)["runs"]:
                sent = 2 * senders * receivers * EACH
                self.assertEqual((one["status"], one["finished"], one["messages"]),
                                 ("ok", 2 * (senders + receivers), sent), group)
                self.assertAlmostEqual(one["written_kb"], sent * 100 / 1024, delta=2)
                self.assertAlmostEqual(one["read_kb"], sent * 100 / 1024, delta=2)

    def test_messages_in_a_second_are_those_from_the_release_to_the_last(self):
        with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
            run(*SMALL, "-w", "message=20", "-s", "group=2x8,5x5", "--log", log.name)
            rows = list(csv.DictReader(log))
            export = subprocess.run([TUIBENCH, "--export", "json", log.name], check=True,
                                    capture_output=True, text=True, timeout=DEADLINE)
        runs = json.loads(export.stdout)["runs"]
        self.assertEqual({(one["variables"]["group"], one["messages"]) for one in runs},
                         {("2x8", 2 * 16 * EACH), ("5x5", 2 * 25 * EACH)})
        for number, one in enumerate(runs):
            of_run = [row for row in rows if row["run"] == str(number)]
            go_ns = next(int(row["go_ns"]) for row in of_run if row["record"] == "end")
            last_ns = max(int(row["finish_ns"]) for row in of_run
                          if row["record"] == "worker" and row["finish_ns"])
            self.assertAlmostEqual(one["messages_per_second"] * (last_ns - go_ns) / 1e9,
                                   one["messages"], delta=1)

    def test_without_room_for_its_files_it_is_refused_and_what_fits_runs(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
        self.assertGreaterEqual(soft, 64)
        words = run(*SMALL, "-w", "message=100", status=3, preexec_fn=few)[1]
        self.assertIn("the limit is 64", words)
        most = re.search(r"at most (\d+) fit", words).group(1)
        for via in WAYS:
            one = result(*SMALL, "-w", "message=" + most, "-s", "via=" + via, preexec_fn=few)["runs"][0]
            self.assertEqual((one["status"], one["finished"]), ("ok", int(most)))

    def test_wrong_values_name_what_would_be_right(self):
        for args, words in ((("-s", "via=futex"), "one of pipe, socketpair"),
                            (("-w", "message=7"), "multiple of 10"),
                            (("-w", "cpu=2"), "would disturb"),
                            (("-w", "token=2"), "experiment switch"),
                            (("-s", "group=0x5"), "1 to 100 each"),
                            (("-s", "group=101x5"), "1 to 100 each"),
                            (("-s", "group=5"), "senders x receivers"),
                            (("-s", "group=3x4", "-w", "message=20"), "multiple of 7")):
            self.assertIn(words, run("messages", *args, status=2)[1])
        self.assertIn("-s group=5x5 is for message workers",
                      run("switch", "-s", "group=5x5", status=2)[1])
        self.assertIn("experiment messages",
                      run("switch", "-w", "message=10", status=2)[1])


class Ends(unittest.TestCase):
    def start(self, model, via):
        program = subprocess.Popen(
            [TUIBENCH, *ONCE, "-s", "via=" + via, "--models", model, "--batch", "--no-log",
             "-s", "message.size=1000000000", "--format", "json"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        runner = first_child(program.pid)
        await_work(self, runner, 20)
        return program, runner

    def test_a_sender_or_receiver_that_dies_ends_the_run_as_crashed(self):
        for via in WAYS:
            for which in (0, 19):
                program, runner = self.start("processes", via)
                os.kill(children(runner)[which], signal.SIGKILL)
                out, said = program.communicate(timeout=DEADLINE)
                self.assertEqual(json.loads(out)["runs"][0]["status"], "crashed", (via, which))
                # The runner kills workers that would wait for ever. The error names only the first death.
                self.assertIn(f": worker w{which + 1} message was ended by signal 9 (Killed)", said, via)
                self.assertEqual(alive(runner), [])

    def test_nobody_lives_on_after_a_signal_or_without_the_front_end(self):
        for model in ("threads", "processes"):
            for number in (signal.SIGTERM, signal.SIGKILL):
                program, runner = self.start(model, "pipe")
                program.send_signal(number)
                program.communicate(timeout=DEADLINE)
                await_end_of(self, runner)


if __name__ == "__main__":
    unittest.main()
