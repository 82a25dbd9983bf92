# SPDX-License-Identifier: MIT
"""The counts of each worker, compared with slices, rusage and sums. A virtual machine has no counters
of a processor, so events of the kernel replace them (TUIBENCH_COUNTERS). Runs as the caller of the
test, and as an ordinary user.

    test_counters.py TUIBENCH
"""

import csv
import io
import os
import resource
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
import program

COUNTS = ("cycles", "instructions", "cache_misses", "tlb_misses")
# A smaller work than the default, but long enough to be counted.
SET = ("-w", "cpu=3,mem=2,io=1", "-s", "cpu.size=12000000",
       "-s", "mem.size=12M", "-s", "io.size=12M")


class Log:
    """The rows of a recording, by run and worker."""

    def __init__(self, text):
        self.meta, self.workers, self.ends, self.slices = {}, {}, {}, {}
        for row in csv.DictReader(io.StringIO(text)):
            known = {name: value for name, value in row.items() if value != ""}
            key = (row["run"], row["id"])
            if row["record"] == "meta":
                self.meta[row["subject"]] = row["value"]
            elif row["record"] == "worker":
                self.workers.setdefault(key, {}).update(known)
            elif row["record"] == "end":
                self.ends[row["run"]] = known
            elif row["record"] == "slice" and row["id"] != "":
                self.slices.setdefault(key, []).append(
                    (int(row["on_ns"]), int(row["off_ns"]), row["cpu"]))

    def on_ms(self, key):
        """Returns the time that the worker was on cores during its work."""
        begin, end = (int(self.workers[key][name]) for name in ("work_ns", "finish_ns"))
        return sum(max(0, min(off, end) - max(on, begin)) for on, off, _ in self.slices[key]) / 1e6

    def changes(self, key):
        """Counts its changes of core until the end of its work. It may move again while its counts are read."""
        end = int(self.workers[key]["finish_ns"])
        cores = [cpu for on, _, cpu in sorted(self.slices.get(key, [])) if on < end]
        return sum(a != b for a, b in zip(cores, cores[1:]))

    def working(self):
        """Returns the workers that create no others."""
        parents = {(key[0], worker.get("parent")) for key, worker in self.workers.items()}
        return {key: worker for key, worker in self.workers.items()
                if key not in parents}


class Counters(unittest.TestCase):
    """Counters of the caller of the test."""

    def become(self, limits):
        """Returns arguments for subprocess that set the user and these limits."""
        def limit():
            for which, value in limits.items():
                resource.setrlimit(which, value)
        return {"preexec_fn": limit} if limits else {}

    def watch(self, *args, software=True, limits=None):
        env = {**os.environ, **({"TUIBENCH_COUNTERS": "software"} if software else {})}
        if not software:
            env.pop("TUIBENCH_COUNTERS", None)
        text = program.run("--trials", "1", "--log", "-", *args, env=env,
                           **self.become(limits or {}))[0]
        return Log(text)

    def counted(self, *args, **more):
        log = self.watch(*args, **more)
        if "perf_event" in log.meta["counters"]:
            self.skipTest(log.meta["counters"])
        self.assertEqual(log.meta["counters"], "software")
        return log

    def faults_of(self, log):
        for key, worker in log.working().items():
            faults, minor, major = (int(worker[name]) for name in COUNTS[1:])
            self.assertEqual(faults, minor + major, key)
            self.assertLessEqual(minor, int(worker["minflt"]), key)
            self.assertLessEqual(major, int(worker["majflt"]), key)

    def sums_of(self, log):
        for run, end in log.ends.items():
            mine = [worker for (of, _), worker in log.working().items() if of == run]
            for name in ("migrations", *COUNTS):
                self.assertEqual(int(end[name]), sum(int(worker[name]) for worker in mine), name)

    def moved(self, log):
        """Returns the workers whose slices change cores more often than their migrations."""
        return [(key, log.changes(key), worker["migrations"])
                for key, worker in log.working().items()
                if log.changes(key) > int(worker["migrations"])]

    def far(self, log, unseen_ms=0):
        """
        Returns the workers whose counted time on cores differs from their slices. The slices may miss a
        gap of unseen_ms at each switch.
        """
        found = []
        for key, worker in log.working().items():
            counted, on = int(worker["cycles"]) / 1e6, log.on_ms(key)
            hidden = unseen_ms * (int(worker["nvcsw"]) + int(worker["nivcsw"]))
            margin = on / 100 + 0.2
            if not -margin <= on - counted <= margin + hidden:
                found.append((key, counted, on))
        return found

    def test_models(self):
        def once():
            log = self.counted("--models", "threads,processes,hybrid:2x3", "-s", "sched=perf", *SET)
            self.assertEqual(len(log.working()), 3 * 6)
            self.faults_of(log)
            self.sums_of(log)
            return self.moved(log) + self.far(log)
        program.agree(self, once)

    def test_own_clock(self):
        """
        Like test_models(), with the workers' own notes, which see no gap shorter than sched_ns. A CPU
        clock also counts the creation of its task, but not time that a host has stolen. So except for
        stolen time, it shows no less than the counter.
        """
        def once():
            mark = program.Steal()
            log = self.counted("--models", "threads,processes", "-s", "sched=own", *SET)
            stolen_us = mark.most_us()
            unseen_ms = int(log.meta["sched_ns"]) / 1e6
            return self.moved(log) + self.far(log, unseen_ms) + [
                (key, worker["cycles"], worker["user_us"], worker["system_us"], stolen_us)
                for key, worker in log.working().items()
                if int(worker["user_us"]) + int(worker["system_us"])
                < int(worker["cycles"]) / 1e3 - 200 - stolen_us]
        program.agree(self, once)

    def test_pinned(self):
        """On one core, no worker migrates."""
        cpu = str(min(os.sched_getaffinity(0)))
        log = self.watch("--models", "threads,processes", "-s", "pin=" + cpu, *SET)
        self.assertEqual({end["migrations"] for end in log.ends.values()}, {"0"})

    def test_many_files(self):
        """tuibench raises the soft limit of open files if necessary."""
        many = ("--models", "threads", "-w", "cpu=30", "-s", "cpu.size=9500000")
        log = self.counted(*many, limits={resource.RLIMIT_NOFILE: (64, 1024)})
        self.assertEqual(len([w for w in log.workers.values() if "cycles" in w]), 30)

    def test_too_many_files(self):
        many = ("--models", "threads", "-w", "cpu=30", "-s", "cpu.size=9500000")
        log = self.watch(*many, limits={resource.RLIMIT_NOFILE: (64, 64)})
        self.assertEqual(log.meta["counters"], "each worker needs 4 more open files; ulimit -Hn allows too few")
        self.nothing(log)

    def nothing(self, log):
        for row in [*log.workers.values(), *log.ends.values()]:
            self.assertFalse(set(COUNTS) & set(row))
        self.assertEqual({end["status"] for end in log.ends.values()}, {"ok"})

    def test_reasons(self):
        """tuibench gives each reason before the first run, and counts nothing."""
        reasons = {("-s", "sched=off", *SET): "-s sched=off",
                   ("--tree", "3x2"): "hardware events are not counted for tasks without a loop",
                   ("-w", "cpu=2", "-s", "cpu.size=900000"):
                       "the work is too short: counting would take 1 % of its time"}
        for args, reason in reasons.items():
            log = self.watch("--models", "threads", *args)
            self.assertEqual(log.meta["counters"], reason)
            self.nothing(log)

    def test_no_migrations(self):
        log = self.watch("--models", "threads", "-s", "sched=off", *SET)
        self.assertFalse([row for row in [*log.workers.values(), *log.ends.values()]
                          if "migrations" in row])

    def test_hardware(self):
        """Counts of a processor must be plausible. Without counts, there must be a reason."""
        log = self.watch("--models", "threads", *SET, software=False)
        if log.meta["counters"] != "user":
            self.assertRegex(log.meta["counters"], "^this machine shows no hardware counters$|"
                                                   "^kernel.perf_event_paranoid is [34], 2 is|"
                                                   "^perf_event_open")
            self.nothing(log)
            self.skipTest(log.meta["counters"])
        for worker in log.working().values():
            clock_us = int(worker["user_us"]) + int(worker["system_us"])
            self.assertTrue(200 < int(worker["cycles"]) / clock_us < 8000)
            self.assertTrue(0.01 < int(worker["instructions"]) / int(worker["cycles"]) < 8)


class PlainCounters(Counters):
    """The same tests as an ordinary user."""

    def become(self, limits):
        return program.as_nobody(self, {which: hard for which, (_, hard) in limits.items()})


class Formats(unittest.TestCase):
    """All formats have the reason."""

    def test_json_and_report(self):
        json = program.result("--trials", "1", "--models", "threads", "-s", "sched=off", *SET)
        self.assertEqual(json["counters"], "-s sched=off")
        self.assertIsNone(json["runs"][0]["instructions_per_cycle"])
        report = program.run("--no-log", "--trials", "1", "--models", "threads", "-s", "sched=off",
                             "--format", "report", *SET)[0]
        self.assertIn("Not known: migrations (-s sched=off); cycles, instructions, ",
                      " ".join(report.split()))

    def test_wish(self):
        env = {**os.environ, "TUIBENCH_COUNTERS": "hardware"}
        done = subprocess.run([program.TUIBENCH, "--batch", "--no-log"], capture_output=True,
                              text=True, check=False, env=env)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("TUIBENCH_COUNTERS=hardware: must be software or off, for tests", done.stderr)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
