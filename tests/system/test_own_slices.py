#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The workers' own notes about when they were on a core, compared with the kernel's counts.

    test_own_slices.py TUIBENCH

Always runs as an ordinary user. The workers share at most two cores, so each of them sometimes waits for
a core. Tolerances: time on a core may differ from the worker's CPU clock by 2 % + 1 ms, and waits for a
core from schedstat's run delay by 3 % + 2 ms. No slices overlap on one core. Time that the host of a
virtual machine withholds (steal) is added to the tolerance, because it is neither a switch nor a run
delay of the guest's kernel.
"""

import collections
import csv
import io
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
from program import DEADLINE, PLAIN, TUIBENCH, as_nobody, await_end_of, await_work, first_child, run
import program

CPUS = sorted(os.sched_getaffinity(0))
PIN = "+".join(str(cpu) for cpu in CPUS[:2])
SETS = {
    "compute": ["-w", "cpu=4,fp=2", "-w", "mem=1", "-s", "cpu.size=40M",
                "-s", "fp.size=40M", "-s", "mem.size=32M"],
    "files": ["-w", "cpu=3,io=2,write=1", "-s", "cpu.size=40M",
              "-s", "io.size=64M", "-s", "write.size=16M"],
    "alloc": ["-w", "cpu=5", "-s", "alloc=400", "-s", "cpu.size=5M"],
}
MODELS = "threads,processes,hybrid:1x7"


def plain(test):
    return as_nobody(test, {}) if os.geteuid() == 0 else {}


class Log:
    """The slices of a recording, by run and worker."""

    def __init__(self, text):
        self.slices, self.workers = collections.defaultdict(list), {}
        self.meta, self.ends, self.models = {}, {}, {}
        for row in csv.DictReader(io.StringIO(text)):
            key = (row["run"], row["id"])
            if row["record"] == "meta":
                self.meta[row["subject"]] = row["value"]
            elif row["record"] == "slice":
                self.slices[key].append((int(row["on_ns"]), int(row["off_ns"]), int(row["cpu"]),
                                         row["kind"]))
            elif row["record"] == "worker":
                known = self.workers.setdefault(key, {})
                known.update({name: value for name, value in row.items() if value != ""})
            elif row["record"] == "end":
                self.ends[row["run"]] = row
                self.models[row["run"]] = row["model"]

    def figure(self, key, name):
        return int(self.workers[key][name])

    def used_us(self, key):
        return self.figure(key, "user_us") + self.figure(key, "system_us")

    def steal_us(self, number):
        """Returns how much time the host may have withheld from the cores during a run, in us."""
        end = self.ends[number]
        share = int(end["steal_permille"] or 0) + 0.5
        return int(end["elapsed_ns"]) / 1000 * share / 1000 * len(PIN.split(","))


def record(*args, **more):
    return Log(run("--trials", "1", "--log", "-", *args, **more)[0])


def on_us(slices):
    return sum(off - on for on, off, _, _ in slices) / 1000


def gaps_us(slices, why):
    return sum(after[0] - before[1] for before, after in zip(slices, slices[1:])
               if before[3] == why) / 1000


class Own(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.record()

    @classmethod
    def record(cls):
        # The CPU clock of a process also counts its start and its end, up to 4 ms on a slow machine.
        idle = record("-s", "sched=own", "-s", "pin=" + PIN, "--models", "processes", "-w", "cpu=7",
                      "-s", "cpu.size=5040", **plain(cls("skip")))
        cls.outside_us = max(idle.used_us(key) for key in idle.workers)
        cls.logs = {name: record("-s", "sched=own", "-s", "pin=" + PIN, "--models",
                                 MODELS if name == "compute" else "threads,processes", *args,
                                 **plain(cls("skip")))
                    for name, args in SETS.items()}

    def skip(self):
        pass

    def agree(self, find):
        """Checks that find() finds nothing wrong. If it does, tries again with new recordings."""
        def once():
            found = find()
            if found:
                self.record()
            return found
        program.agree(self, once, 8)

    def each(self):
        """Yields name, log, key and slices of each worker that works."""
        for name, log in self.logs.items():
            for key, row in log.workers.items():
                if "work_ns" in row:
                    yield f"{name} {log.models[key[0]]} {row['subject']}", log, key, log.slices[key]

    def test_the_log_says_where_slices_come_from(self):
        for log in self.logs.values():
            self.assertEqual(log.meta["sched"], "own")
            least = int(log.meta["sched_ns"])
            self.assertTrue(least == 1000 or least >= 64000, least)
            for end in log.ends.values():
                self.assertEqual((end["status"], end["slices_lost"]), ("ok", "0"))

    def test_slices_of_a_worker_follow_one_another_within_its_work(self):
        found = 0
        for name, log, key, slices in self.each():
            at = log.figure(key, "start_ns")
            self.assertTrue(slices, name)
            for on, off, cpu, why in slices:
                self.assertTrue(at <= on <= off, (name, at, on, off))
                self.assertIn(cpu, CPUS[:2], name)
                self.assertIn(why, ("preempted", "blocked", "ended"), name)
                at = off
                found += 1
            self.assertLessEqual(at, log.figure(key, "finish_ns"), name)
            self.assertEqual([why for *_, why in slices].index("ended"), len(slices) - 1, name)
        self.assertGreater(found, 100)

    def test_the_time_on_a_core_is_that_of_the_cpu_clock(self):
        self.agree(self.off_the_clock)

    def off_the_clock(self):
        found = []
        for name, log, key, slices in self.each():
            used = log.used_us(key)
            outside = self.outside_us if log.figure(key, "pid") == log.figure(key, "tid") else 0
            far = 0.02 * used + 1000 + log.steal_us(key[0])
            if not used - far - outside < on_us(slices) < used + far:
                found.append((name, on_us(slices), used))
        return found

    def test_waits_for_a_core_are_the_run_delay(self):
        self.agree(self.off_the_run_delay)

    def off_the_run_delay(self):
        told, found = 0, []
        for name, log, key, slices in self.each():
            row = log.workers[key]
            if "delay_us" not in row or not name.startswith("compute"):
                continue
            # The run delay also includes waits before the work begins, which are not in the slices.
            before = log.figure(key, "work_ns") - log.figure(key, "create_ns")
            waited, delay = gaps_us(slices, "preempted"), int(row["delay_us"])
            if (waited >= 1.03 * delay + 2000 + log.steal_us(key[0])
                    or delay >= 1.03 * waited + 2000 + before / 1000):
                found.append((name, waited, delay, before))
            told += 1
        if os.path.exists("/proc/self/schedstat"):
            self.assertGreater(told, 0)
        return found

    def test_each_gap_is_a_switch(self):
        self.agree(self.gaps_without_switches)

    def gaps_without_switches(self):
        gaps, switches, found = 0, 0, []
        for name, log, key, slices in self.each():
            counted = log.figure(key, "nivcsw") + log.figure(key, "nvcsw")
            if len(slices) - 1 > counted + 1 + log.steal_us(key[0]) / 64:
                found.append((name, len(slices), counted))
            gaps += len(slices) - 1
            switches += counted
        # Without marks by the kernel, workers do not notice short gaps. Two switches between two checks
        # are one gap. Switches before the work are counted, too.
        marked = all(log.meta["sched_ns"] == "1000" for log in self.logs.values())
        if gaps <= switches * (0.75 if marked else 0.2):
            found.append(("all", gaps, switches))
        return found

    def test_no_two_are_on_one_core(self):
        for name, log in self.logs.items():
            cores = collections.defaultdict(list)
            for (number, _), slices in log.slices.items():
                for on, off, cpu, _ in slices:
                    cores[number, cpu].append((on, off))
            for key, lane in cores.items():
                lane.sort()
                for before, after in zip(lane, lane[1:]):
                    self.assertLessEqual(before[1], after[0], (name, key))

    def test_workers_that_read_and_write_files_are_told_from_those_that_wait_for_a_core(self):
        self.agree(self.blocked_without_files)

    def blocked_without_files(self):
        compute = [why for name, _, _, slices in self.each() for *_, why in slices
                   if name.startswith("compute")]
        self.assertIn("preempted", compute)
        blocked = compute.count("blocked")
        return [(blocked, len(compute))] if blocked >= 1 + len(compute) / 20 else []


class Others(unittest.TestCase):
    def test_off_records_none(self):
        log = record("-s", "sched=off", "-w", "cpu=2", "-s", "cpu.size=5M",
                     **plain(self))
        self.assertEqual(log.meta["sched"], "off")
        self.assertEqual(log.meta.get("sched_ns", ""), "")
        self.assertFalse(log.slices)
        self.assertEqual({end["slices_lost"] for end in log.ends.values()}, {""})
        self.assertFalse([row for row in log.workers.values() if "delay_us" in row])

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_tracer_that_stops_each_call_stops_no_worker_for_good(self):
        """With strace, each system call is a switch, and two clocks are not read at the same moment."""
        for sched in ("own", "auto"):
            traced = self.traced("-s", "sched=" + sched, "-w", "cpu=2,io=1",
                                 "-s", "cpu.size=500K", "-s", "io.size=1M")
            self.assertTrue(traced.slices, sched)
            for number, end in traced.ends.items():
                self.assertEqual(end["status"], "ok", sched)
                # Other programs may have slices after the end of the run.
                late = [on for (of, _), slices in traced.slices.items() if of == number
                        for on, *_ in slices if on > int(end["elapsed_ns"])]
                self.assertLess(len(late), 500, sched)

    def test_no_thread_opens_files_below_its_process(self):
        """The kernel's cache of /proc/PID/task/TID would delay whoever waits for the process."""
        trace = program.strace(self, "openat", "-m", "threads", "-w", "cpu=2", "-s", "cpu.size=5M")
        opened = re.findall(r'"(/proc/\S+/sched)"', trace)
        self.assertTrue(opened)
        for path in opened:
            self.assertRegex(path, r"^/proc/\d+/sched$")

    def traced(self, *args):
        with tempfile.NamedTemporaryFile("r") as log, tempfile.NamedTemporaryFile() as trace:
            done = subprocess.run(["strace", "-f", "-qq", "-o", trace.name, TUIBENCH, "--batch",
                                   "--log", log.name, *program.PLAIN, "--trials", "1", *args],
                                  capture_output=True, text=True, timeout=DEADLINE, check=False)
            if "ptrace" in done.stderr:
                self.skipTest("strace may not trace here")
            self.assertEqual(done.returncode, 0, done.stderr)
            return Log(log.read())

    def test_work_without_a_loop_notes_none(self):
        for args in (["--tree", "3x4"], ["-w", "hello=4"]):
            log = record("-s", "sched=own", *args, **plain(self))
            self.assertFalse(log.slices, args)
            self.assertEqual({end["slices_lost"] for end in log.ends.values()}, {""})

    def test_the_export_has_what_the_log_has(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.csv")
            run("--trials", "1", "--log", path, "-s", "sched=own", "-s", "pin=" + str(CPUS[0]), "-w", "cpu=3",
                "-w", "io=1", "-s", "cpu.size=20M", "-s", "io.size=8M")
            with open(path, encoding="utf-8") as file:
                recorded = file.read()
            log = Log(recorded)
            text = subprocess.run([TUIBENCH, "--export", "slices", path], check=True,
                                  capture_output=True, text=True, timeout=DEADLINE).stdout
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual(rows[0], ["trial", "model", "worker", "cpu", "on_ns", "off_ns", "why",
                                   "waker", "ready_ns", "run", "worker_id", "parent_id", "session",
                                   "host", "slices"])
        told = sorted(("1", log.models[key[0]], log.workers[key]["subject"], str(cpu), str(on),
                       str(off), why)
                      for key, slices in log.slices.items() for on, off, cpu, why in slices)
        self.assertEqual(sorted(tuple(row[:7]) for row in rows[1:]), told)
        ready = sorted((row["on_ns"], row["off_ns"], row["ready_ns"])
                       for row in csv.DictReader(io.StringIO(recorded)) if row["record"] == "slice")
        self.assertEqual(sorted((row[4], row[5], row[8]) for row in rows[1:]), ready)
        self.assertGreater(len(told), 20)
        self.check_pandas(text, rows)

    def check_pandas(self, text, rows):
        try:
            import pandas
        except ImportError:
            return
        frame = pandas.read_csv(io.StringIO(text))
        self.assertEqual(list(frame.columns), rows[0])
        self.assertEqual(len(frame), len(rows) - 1)
        self.assertTrue((frame.off_ns >= frame.on_ns).all())

    def test_a_run_that_is_ended_leaves_its_slices_and_nobody(self):
        for model in ("threads", "processes"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "log.csv")
                with subprocess.Popen(
                        [TUIBENCH, "--batch", "--log", path, *PLAIN, "--trials", "1", "--models",
                         model, "-s", "sched=own", "-w", "cpu=4", "-s", "pin=" + str(CPUS[0]),
                         "-s", "cpu.size=90000000000"], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL) as child:
                    group = first_child(child.pid)
                    await_work(self, group, 4)
                    child.send_signal(signal.SIGINT)
                    child.wait(timeout=DEADLINE)
                await_end_of(self, group)
                with open(path, encoding="utf-8") as file:
                    log = Log(file.read())
            self.assertEqual({end["status"] for end in log.ends.values()}, {"interrupted"})
            self.assertGreater(len(log.slices), 0)
            for key, slices in log.slices.items():
                self.assertEqual([why for *_, why in slices].index("ended"), len(slices) - 1, key)
                self.assertLessEqual(slices[-1][1], int(log.ends["0"]["elapsed_ns"]))

    def test_a_front_end_that_is_killed_leaves_nobody(self):
        with subprocess.Popen([TUIBENCH, "--batch", "--no-log", *PLAIN, "--models", "processes",
                               "-s", "sched=own", "-w", "cpu=4",
                               "-s", "cpu.size=90000000000"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as child:
            group = first_child(child.pid)
            for moment in program.moments(1, 0.5):
                time.sleep(moment)
            child.kill()
            child.wait(timeout=DEADLINE)
        await_end_of(self, group)


if __name__ == "__main__":
    unittest.main(verbosity=2)
