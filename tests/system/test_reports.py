#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports 001 and 003, repeated with the reports' own programs and increasing arguments.

Each trial is measured a second time in the same run: a program starts the other one and writes the
kernel's values for it, as time(1) does. Report 001 compares 2 to 8 processes and threads on one core
that compute, use memory or write files; report 003 makes trees of 5,000.

Allowed differences, besides the cost of the measuring program itself (one task, and the time that
it takes here around a program that does nothing):
    times   3 %, in one trial of each configuration
    counts  1 %, and 150 faults
Usage: test_reports.py TUIBENCH FOLDER-OF-PROGRAMS"""

import json
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
PROGRAMS = os.path.abspath(sys.argv.pop())
from program import agree, matches, run

WITNESS_LEAST_MS = 3
WITNESS_FAULTS = 150


def program(command):
    """Returns the command with the full path of its program, which may have blanks."""
    name, *arguments = command.split(" ")
    return " ".join([shlex.quote(f"{PROGRAMS}/program_{name}"), *arguments])


def cost_of_witness():
    """
    Returns what the witness adds to the elapsed time and CPU time of its program, in ms: the values
    around the witness, without the values that it wrote. An exec takes 1 to 6 ms, depending on the
    machine.
    """
    elapsed, cpu, cores = [], [], os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    with tempfile.TemporaryDirectory() as folder:
        for i in range(9):
            begin = time.monotonic()
            started = subprocess.Popen([f"{PROGRAMS}/program_witness", f"{folder}/{i}", "/bin/true"])
            _, status, usage = os.wait4(started.pid, 0)
            started.returncode = status
            spent = (time.monotonic() - begin) * 1e3
            inner = [float(figure) for figure in (pathlib.Path(folder) / str(i)).read_text().split()]
            elapsed.append(spent - inner[0])
            cpu.append((usage.ru_utime + usage.ru_stime) * 1e3 - inner[1])
    os.sched_setaffinity(0, cores)
    return {"elapsed": max(WITNESS_LEAST_MS, 1.5 * statistics.median(elapsed)),
            "CPU time": max(WITNESS_LEAST_MS, 1.5 * statistics.median(cpu))}


def compare(folder, commands, *args):
    """Returns the session as JSON, and the values of the witness by program, name and trial."""
    words = []
    for name, command in commands.items():
        words += ["--name", name, "-c", f"{program('witness')} {folder}/{name}-{{n}}-{{trial}} {program(command)}"]
    out, _ = run("--no-log", "--format", "json", "--trials", "4", *words, *args)
    seen = {}
    for name in os.listdir(folder):
        key = tuple(name.split("-"))
        seen[key] = [float(figure) for figure in (pathlib.Path(folder) / name).read_text().split()]
    return json.loads(out), seen


def off(session, seen):
    """
    Returns the values that differ by more than allowed. A time counts only if it differs in all trials
    of a configuration, because other programs may delay the end of a witness.
    """
    times, counts, cost = {}, [], cost_of_witness()
    for one in session["runs"]:
        key = (one["model"], str(one["variables"]["n"]), str(one["trial"]))
        elapsed, cpu, minflt, majflt, _, _ = seen[key]
        for what, ours, theirs in (("elapsed", one["elapsed_ms"], elapsed),
                                   ("CPU time", one["cpu_ms"], cpu)):
            is_off = not theirs * 0.97 <= ours <= theirs * 1.03 + cost[what]
            times.setdefault((*key[:2], what), []).append(is_off and f"{ours} ms beside {theirs}")
        faults = one["minflt"] + one["majflt"]
        if not (minflt + majflt) * 0.99 <= faults <= (minflt + majflt) * 1.01 + WITNESS_FAULTS:
            counts.append(f"{key}: {faults} faults beside {minflt + majflt}")
    return {key: said for key, said in times.items() if all(said)}, counts


class Reports(unittest.TestCase):
    def check(self, commands, tasks, *args):
        def once():
            with tempfile.TemporaryDirectory() as folder:
                session, seen = compare(folder, commands, *args)
            self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})
            times, counts = off(session, seen)
            self.assertFalse(counts)
            if os.geteuid() == 0:  # other users may miss a task
                for one in session["runs"]:
                    self.assertEqual(one["tasks_created"], tasks(str(one["variables"]["n"])),
                                     (one["model"], one["variables"]))
            return times
        agree(self, once)

    def test_report_001_has_the_times_and_counts_of_its_witness(self):
        for work in ("cpu", "mem", "io"):
            with self.subTest(work):
                # The tasks are the witness, the program, and the program's workers.
                self.check({"progA": f"progA {work} {{n}}", "progB": f"progB {work} {{n}}"},
                           lambda n: int(n) + 2, "-s", "n=2,5,8", "-s", "pin=0")

    def test_report_003_has_each_of_5000_tasks(self):
        self.check({"tree": "tree threads {n}"}, lambda n: 5000 + 2, "-s", "n=5000,50x99,20x3x82")
        self.check({"tree": "tree processes {n}"}, lambda n: 500 + 2, "-s", "n=500,50x9,20x3x7")

    def test_a_value_that_the_program_refuses_is_named_by_its_own_words(self):
        out, said = run("--no-log", "--format", "json", "--trials", "1", "--name", "progA", "-c",
                        program("progA cpu {n}"), "-s", "n=1,many", status=1)
        self.assertIn("progA n=many", said)
        self.assertIn("use cpu, mem or io and 1 to 64 workers", said)
        self.assertIn("use cpu, mem or io", json.loads(out)["sentence"])

    @unittest.skipUnless(shutil.which("perf"), "needs perf")
    def test_faults_are_those_of_perf_stat(self):
        def once():
            done = subprocess.run(["perf", "stat", "-x,", "-e", "page-faults", f"{PROGRAMS}/program_progB",
                                   "mem", "8"], capture_output=True, text=True, check=False)
            if done.returncode or not done.stderr.split(",")[0].isdigit():
                self.skipTest("perf counts no faults here")
            theirs = int(done.stderr.split(",")[0])
            out, _ = run("--no-log", "--format", "json", "--trials", "1", "-m", "processes", "-c",
                         program("progB mem {n}"), "-s", "n=8")
            ours = json.loads(out)["runs"][0]["minflt"]
            self.assertLessEqual(abs(ours - theirs), theirs * 0.01, (ours, theirs))
        matches(self, once)


if __name__ == "__main__":
    unittest.main()
