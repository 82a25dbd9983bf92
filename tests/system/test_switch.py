#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two workers that pass a token back and forth: the round trips are compared with the kernel's count of their
switches. If one worker dies, the other one ends, too.

    test_switch.py TUIBENCH
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import (DEADLINE, TUIBENCH, alive, as_nobody, await_end_of, await_work, children,
                     first_child, result, run, strace)

WAYS = ["pipe", "socketpair", "eventfd", "futex", "signal", "memory"]
TRIPS = 2000
CORES = len(os.sched_getaffinity(0))
SMALL = ("switch", "-s", f"token.size={TRIPS}", "--trials", "1", "--warmup", "0")


class RoundTrips(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(folder.cleanup)
        cls.log = os.path.join(folder.name, "log.csv")
        cls.answer = run(*SMALL, "--log", cls.log)[0]

    def recorded(self, form):
        return run("--replay", self.log, "--format", form)[0]

    def check(self, runs, trips=TRIPS):
        places = ["same", "two"] if CORES > 1 else ["same"]
        found = {(one["model"], one["variables"]["cores"], one["variables"]["via"])
                 for one in runs}
        self.assertEqual(found, {(model, cores, via) for model in ("threads", "processes")
                                 for cores in places for via in WAYS})
        for one in runs:
            self.assertEqual((one["status"], one["operations"]["n"]), ("ok", trips), one)
            order = [one["operations"][name] for name in ("min", "p50", "p90", "p99", "max")]
            self.assertEqual(order, sorted(order))

    def test_every_way_counts_each_of_its_round_trips(self):
        self.check(json.loads(self.recorded("json"))["runs"])

    # On one core, each round trip has two voluntary switches.
    def test_on_one_core_each_way_is_a_switch_that_the_kernel_counts(self):
        ways = [via for via in WAYS if via != "memory"]
        pin = str(min(os.sched_getaffinity(0)))
        for one in result(*SMALL, "-s", "via=" + ",".join(ways), "-s", "pin=" + pin)["runs"]:
            self.assertGreaterEqual(one["nvcsw"] + one["nivcsw"], 2 * TRIPS - 2, one)
            self.assertLessEqual(one["nvcsw"], 2.2 * TRIPS + 200, one)

    # The report of all ways and places fits two screens, and the answer fits one.
    def test_the_text_is_short_and_ends_with_the_answer(self):
        self.assertLessEqual(self.answer.count("\n"), 24, self.answer)
        self.assertIn("median round trip", self.answer)
        text = self.recorded("report")
        self.assertLess(text.count("\n"), 100, text)
        self.assertIn("median round trip", text)
        self.assertIn("--format markdown", text)
        span = r"[\d.]+(?: [um]s)?(?: to [\d.]+)?(?: [um]s)"
        times = r"[\d.]+x(?: to [\d.]+x)?"
        costs = (rf"round trips take {times} as long on two cores as on one, "
                 "except by shared memory")
        names = ""
        if CORES == 1:
            costs = rf"threads {span} a round trip(?:, processes {span})?"
            names = " combinations of cores and via"
        self.assertRegex(" ".join(text.split("--format markdown")[1].split()),
                         rf"\] {costs}; ((threads|processes) are (slightly )?faster|"
                         rf"processes (same|too close|not decided)) at \d+ of 12{names}")
        self.assertIn("## Round trip compared", self.recorded("markdown"))

    def test_it_runs_as_a_plain_user(self):
        self.check(result("switch", "-s", "token.size=200", "--trials", "1", **as_nobody(self, {}), cwd="/",
                          env={**os.environ, "HOME": "/"})["runs"], 200)

    def test_wrong_values_name_what_would_be_right(self):
        for args, words in ((("-s", "via=pigeon"), "pipe, socketpair"), (("-s", "via=mutex"), "pipe, socketpair"),
                            (("-w", "token=3"), "even number"),
                            (("-w", "cpu=2"), "would disturb")):
            self.assertIn(words, run("switch", *args, status=2)[1])
        self.assertIn("is for switch", run("mixed", "-s", "via=pipe", status=2)[1])


class Fibers(unittest.TestCase):
    """Both sides are fibers of one worker, which switches between them in user space."""

    def test_every_round_trip_is_counted_and_the_kernel_switches_for_none(self):
        for one in result(*SMALL, "-w", "token=4", "-s", "via=ucontext")["runs"]:
            self.assertEqual((one["status"], one["workers"], one["operations"]["n"]),
                             ("ok", 1, 2 * TRIPS), one)
            # The kernel counts few switches. Other programs may take the core, but not in each round trip.
            self.assertLess(one["nvcsw"], 100, one)

    def test_the_answer_has_them_beside_threads_and_processes(self):
        answer = json.loads(run(*SMALL, "-s", "via=futex,ucontext", "--format", "json")[0])
        runs = {(one["model"], one["variables"]["via"], one["variables"].get("cores"))
                for one in answer["runs"]}
        for model in ("threads", "processes"):
            self.assertIn((model, "ucontext", "same"), runs)
            self.assertNotIn((model, "ucontext", "two"), runs)
        pairs = {(c["a"], c["b"], *sorted(str(c[of].get("via")) for of in ("a_variables", "b_variables")))
                 for c in answer["comparisons"]}
        for model in ("threads", "processes"):
            self.assertIn((model, model, "futex", "ucontext"), pairs)

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_switch_is_one_call_for_the_signal_mask(self):
        def calls(trips):
            trace = strace(self, "rt_sigprocmask,futex", "switch", "-s", f"token.size={trips}", "-s",
                           "via=ucontext", "-m", "threads")
            masks = re.findall(r"^(\d+) +rt_sigprocmask\(SIG_SETMASK", trace, re.M)
            most = max(set(masks), key=masks.count)
            return masks.count(most), len(re.findall(rf"^{most} +futex\(", trace, re.M))
        few, many = calls(100), calls(500)
        self.assertEqual(many[0] - few[0], 2 * 400)
        self.assertLess(many[1], 20)

    def test_a_fiber_that_sleeps_keeps_all_others_waiting(self):
        """Ten pairs, in each of which one side sleeps 20 ms. Threads sleep at the same time, fibers do not."""
        session = ("switch", "-w", "token=20", "-s", "token.size=2", "-s", "wait=20ms", "-m", "threads",
                   "--trials", "1", "--warmup", "0")
        fibers = result(*session, "-s", "via=ucontext")["runs"][0]["operations"]
        self.assertEqual(fibers["n"], 20)
        self.assertGreaterEqual(fibers["p50"], 10 * 20e6 * 0.95)
        for one in result(*session, "-s", "via=futex")["runs"]:
            self.assertGreaterEqual(one["operations"]["min"], 20e6 * 0.95)
            self.assertLess(one["operations"]["min"], fibers["min"])


class Ends(unittest.TestCase):
    """A worker that waits for another one must end with the run, and if the other one dies."""

    def start(self, model, via):
        pin = str(min(os.sched_getaffinity(0)))
        program = subprocess.Popen(
            [TUIBENCH, "switch", "-s", "via=" + via, "--models", model, "--batch", "--no-log",
             "-s", "token.size=1000000000", "--trials", "1", "--warmup", "0", "-s", "pin=" + pin,
             "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return program, self.first_runner(program)

    def first_runner(self, program):
        runner = first_child(program.pid)
        await_work(self, runner, 2)
        return runner

    def test_a_worker_that_dies_ends_the_other_and_the_run_has_failed(self):
        for via in ("pipe", "futex", "signal", "memory"):
            for which in (0, 1):
                program, runner = self.start("processes", via)
                os.kill(children(runner)[which], signal.SIGKILL)
                out, _ = program.communicate(timeout=DEADLINE)
                self.assertEqual(json.loads(out)["runs"][0]["status"], "crashed", (via, which))
                self.assertEqual(alive(runner), [])

    def test_nobody_lives_on_after_a_signal_or_without_the_front_end(self):
        for model in ("threads", "processes"):
            for via in ("pipe", "futex", "signal", "memory"):
                for number in (signal.SIGTERM, signal.SIGKILL):
                    program, runner = self.start(model, via)
                    program.send_signal(number)
                    program.communicate(timeout=DEADLINE)
                    await_end_of(self, runner)


if __name__ == "__main__":
    unittest.main()
