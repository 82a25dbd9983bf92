# SPDX-License-Identifier: MIT
"""Slices from the kernel's records (-s sched=perf), compared with the kernel's counts for each worker
and with the workers' own notes. Runs as the caller of the test, and as an ordinary user.

    test_perf_slices.py TUIBENCH
"""

import csv
import io
import math
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import program

SANITIZED = program.SANITIZED

def paranoid():
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="utf-8") as file:
        return int(file.read())


def rows(*args, **more):
    log = program.run("--trials", "1", "--log", "-", "-s", "sched=perf", *args, **more)[0]
    return list(csv.DictReader(io.StringIO(log)))


def meta(log, name):
    return [row["value"] for row in log if row["record"] == "meta" and row["subject"] == name][0]


def runs(log):
    """Returns the final values and the slices of each worker, by run and number."""
    workers = {}
    for row in log:
        key = (row["run"], row["id"])
        if row["record"] == "worker":
            known = workers.setdefault(key, {"slices": []})
            known.update({name: value for name, value in row.items() if value != ""})
        elif row["record"] == "slice" and row["id"] != "":
            workers.setdefault(key, {"slices": []})["slices"].append(
                (int(row["on_ns"]), int(row["off_ns"]), row["kind"], int(row["cpu"])))
    return workers


def on_ms(worker):
    end = int(worker["finish_ns"])
    return sum(min(off, end) - on for on, off, _, _ in worker["slices"] if on < end) / 1e6


def clock_ms(worker):
    return (int(worker["user_us"]) + int(worker["system_us"])) / 1e3


def ended(worker, why):
    """Counts the slices that ended for that reason before the end of the work, and those after it."""
    before = sum(kind == why and off < int(worker["finish_ns"])
                 for _, off, kind, _ in worker["slices"])
    after = sum(kind in (why, "ended") and off >= int(worker["finish_ns"])
                for _, off, kind, _ in worker["slices"])
    return before, after


class Records(unittest.TestCase):
    """The records that one user sees."""

    def become(self):
        """Returns arguments for subprocess that set the user."""
        return {}

    def setUp(self):
        self.more = self.become()
        done = subprocess.run([program.TUIBENCH, "--batch", "-s", "sched=perf", "--trials", "1",
                               "--warmup", "0", "--no-log", "--quick"],
                              capture_output=True, text=True, check=False, **self.more)
        if "-s sched=perf: the kernel's records are not available" in done.stderr:
            self.skipTest(done.stderr.strip())

    def watch(self, *args):
        log = rows(*args, **self.more)
        self.assertEqual(meta(log, "sched"), "perf")
        return runs(log), [("lost", row["run"], row["slices_lost"]) for row in log
                           if row["record"] == "end" and row["slices_lost"] != "0"]

    def check(self, workers):
        """Checks what must be true on a busy machine, too."""
        cores = {}
        for (run, number), worker in workers.items():
            self.assertTrue(worker["slices"], f"worker {number} of run {run}")
            self.assertGreater(worker["slices"][0][0], int(worker["create_ns"]), number)
            for on, off, _, cpu in worker["slices"]:
                cores.setdefault((run, cpu), []).append((on, off))
        for slices in cores.values():
            slices.sort()
            for (_, off), (on, _) in zip(slices, slices[1:]):
                self.assertLessEqual(off, on)

    def miscounted(self, workers):
        """
        Returns the workers whose switches differ from their slices. Some switches may come after the work
        and before the counts are read, and these have slices, too. A process may have switches after the
        end of its records, so one process in ten may have more switches.
        """
        found, ends = [], []
        for key, worker in workers.items():
            for why, count in (("blocked", "nvcsw"), ("preempted", "nivcsw")):
                before, after = ended(worker, why)
                if not before <= int(worker[count]) <= before + after:
                    behind = not self.sees_the_end and worker["pid"] == worker["tid"] and (
                        before <= int(worker[count]) and worker["slices"][-1][2] == "ended")
                    (ends if behind else found).append((key, why, before, after, worker[count]))
        processes = [one for one in workers.values() if one["pid"] == one["tid"]]
        return found + (ends if len(ends) > len(processes) / 10 else [])

    # The kernel closes the records of a process before its end, but counts its time and switches until the
    # end, up to 1.5 ms later on a slow machine. Only records of the cores have this part.
    sees_the_end = os.geteuid() == 0 or paranoid() <= 0

    def beyond(self, workers, far_ms):
        """Returns [] if the clocks of these workers agree with their time on cores, otherwise the values."""
        processes = [worker for worker in workers if worker["pid"] == worker["tid"]]
        on = sum(map(on_ms, workers))
        exits = sum(sum(off - on for on, off, _, _ in worker["slices"]) / 1e6 - on_ms(worker)
                    for worker in processes)
        clock = sum(map(clock_ms, workers))
        most = on + exits if self.sees_the_end or not processes else math.inf
        slices = sum(len(worker["slices"]) for worker in workers)
        far = clock / 100 + far_ms
        return [] if on - far <= clock <= most + far else [(on, exits, clock, slices)]

    def far(self, workers):
        """Returns the workers whose time on cores differs from their clocks."""
        return [(key, *one) for key, worker in workers.items() for one in self.beyond([worker], 0.2)]

    def far_sums(self, workers):
        """
        Like far(), for the sum of all short workers of a run. The tolerance is for each slice, because a
        worker reads its clock after its work, and a record is not made at exactly the moment of the switch.
        Together that is 3 to 15 us, depending on the machine. A sanitizer needs more at the end of a thread.
        """
        behind_ms = 0.03 if SANITIZED else 0.02
        found = []
        for run in {key[0] for key in workers}:
            mine = [worker for key, worker in workers.items() if key[0] == run]
            slices = sum(len(worker["slices"]) for worker in mine)
            found += [(run, *one) for one in self.beyond(mine, behind_ms * slices)]
        return found

    def assert_clocks(self, far, *args):
        def once():
            workers, lost = self.watch(*args)
            if lost:  # the front end had to wait long for a core
                return lost
            self.check(workers)
            return self.miscounted(workers) + far(workers)
        program.agree(self, once)

    def test_creation(self):
        """The runner's first task creates all workers of a set, on any core."""
        seen = set()
        for row in rows("--models", "threads,processes", "-w", "cpu=4,io=2", "-s",
                        "cpu.size=3M", "-s", "io.size=1M", **self.more):
            worker = row["run"], row["id"]
            if row["record"] == "slice" and row["id"] != "" and worker not in seen:
                self.assertEqual(row["subject"], "main", row)
                seen.add(worker)
        self.assertEqual(len(seen), 2 * 6)

    def test_mixed(self):
        self.assert_clocks(self.far, "--models", "threads,processes", "-w", "cpu=4,io=2",
                           "-s", "cpu.size=12000000", "-s", "io.size=4M")

    def test_hello(self):
        self.assert_clocks(self.far_sums, "hello", "--models", "threads,processes",
                           "-s", "hello.size=50")

    def test_tree(self):
        self.assert_clocks(self.far_sums, "--tree", "5x4x10", "--models", "threads,processes")


class Others(Records):
    """Other programs on the cores, if the cores may be recorded."""

    test_mixed = test_hello = test_tree = None

    def test_busy(self):
        """Beside a busy program, the slices of other programs add up to the value of /proc/stat."""
        program.agree(self, self.busy, 6)

    def busy(self):
        beside = subprocess.Popen(["sh", "-c", "while :; do :; done"])
        try:
            log = rows("--models", "threads", "-w", "cpu=2",
                       "-s", "cpu.size=60000000")
        finally:
            beside.kill()
            beside.wait()
        end = [row for row in log if row["record"] == "end"][0]
        others = [(int(row["on_ns"]), int(row["off_ns"])) for row in log
                  if row["record"] == "slice" and row["id"] == ""]
        if not others:
            self.skipTest("the cores themselves may not be looked at")
        elapsed = int(end["elapsed_ns"])
        seen = sum(min(off, elapsed) - on for on, off in others if on < elapsed) / 1e6
        cores = len(os.sched_getaffinity(0))
        counted = int(end["others_permille"]) / 1e3 * cores * elapsed / 1e6
        self.assertRegex(end["subject"], r"^\S+( \S+)* \d+ ms(, \S+( \S+)* \d+ ms)*$")
        return [(seen, counted)] if abs(seen - counted) > counted / 10 + 20 * cores else []


class PlainRecords(Records):
    """The same tests as a user who may record only the user's own tasks."""

    sees_the_end = False

    def become(self):
        return program.as_nobody(self, {})


class Refusal(unittest.TestCase):
    """Without permission, -s sched=perf fails with a reason, and auto uses the workers' notes."""

    def test_paranoid(self):
        if paranoid() <= 2 and os.geteuid() == 0:
            self.skipTest(f"perf_event_paranoid is {paranoid()}: everybody may")
        done = subprocess.run([program.TUIBENCH, "--batch", "-s", "sched=perf", "--no-log"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            self.skipTest("this user may")
        self.assertRegex(done.stderr, r"-s sched=perf: the kernel's records are not available: "
                                      r"kernel.perf_event_paranoid is \d, but must be at most 2; "
                                      r"-s sched=own needs no permission")
        log = program.run("--trials", "1", "--log", "-", "--quick")[0]
        self.assertEqual(meta(list(csv.DictReader(io.StringIO(log))), "sched"), "own")


if __name__ == "__main__":
    unittest.main()
