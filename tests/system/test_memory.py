#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peak of a run's memory, compared with the kernel's account of a cgroup and with the memory that was
touched. Also the memory of a program's children and threads.

    test_memory.py TUIBENCH [SESSIONS]

SESSIONS: number of sessions that compare a model with itself; 200 take some minutes.
"""

import csv
import io
import os
import shutil
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import SANITIZED, TUIBENCH, matches, result, run

SESSIONS = int(sys.argv.pop(1)) if len(sys.argv) > 1 else 4
PYTHON = next((path for path in ("/usr/bin/python3", shutil.which("python3"))
               if path and os.path.exists(path)), None)
MODELS = ("threads", "processes", "hybrid")
KIB, MIB = 1, 1024
# The cgroup lacks the pages that the runner had before it joined, and pages of files that other programs
# have read. It is charged for up to 64 pages too many for each core.
APART = 768 * KIB + 256 * KIB * os.cpu_count()
# The kernel counts pages for each core first, so a peak may lack up to 32 pages for each core.
PENDING = 128 * KIB * os.cpu_count()


def ends(*args, **env):
    """Returns the row `end` of each run."""
    out = run("--log", "-", *args, env={**os.environ, **env})[0]
    return [row for row in csv.DictReader(io.StringIO(out)) if row["record"] == "end"]


@unittest.skipIf(SANITIZED, "a sanitizer has memory of its own")
class Peaks(unittest.TestCase):
    def runs(self, size, n, *more):
        models = [f"hybrid:2x{n // 2}" if model == "hybrid" else model for model in MODELS]
        return ends("--models", ",".join(models), "-w", "mem=" + str(n),
                    "-s", f"mem.size={size}", "--trials", "1", *more, TUIBENCH_KERNEL="whole")

    def compare(self, size, n, rounds, together):
        """Returns how many runs had a cgroup. Unless all workers run together, the sum of peaks is too high."""
        seen = 0
        for row in self.runs(f"{size}M", n, "-s", "mem-order=sequential", "-s", f"rounds={rounds}"):
            peak = int(row["pss_kb"]) + int(row["kernel_kb"])
            said = (size, n, row["model"], peak, row["cgroup_peak_kb"])
            # At least the memory of one worker exists at once. Some workers may end before others begin.
            self.assertGreater(int(row["uss_kb"]), size * MIB - PENDING, said)
            # Each process also has its own stack and data of libc.
            self.assertLess(int(row["uss_kb"]), 1.05 * n * size * MIB + MIB + n * MIB / 2, said)
            if row["cgroup_peak_kb"]:
                seen += 1
                beyond = peak - int(row["cgroup_peak_kb"])
                self.assertGreater(beyond, -0.05 * peak - APART, said)
                if together:
                    self.assertLess(beyond, 0.05 * peak + APART, said)
        return seen

    def test_the_peak_is_that_of_a_cgroup(self):
        """With this number of rounds, all workers run together, even on a busy machine."""
        seen = []
        for size, n, rounds in ((2, 2, 200), (2, 8, 200), (16, 2, 25), (80, 2, 8)):
            matches(self, lambda size=size, n=n, rounds=rounds:
                    seen.append(self.compare(size, n, rounds, True)))
        if not any(seen):
            self.skipTest("needs the right to make a memory cgroup")

    def test_the_peak_of_a_short_run_is_not_below_that_of_a_cgroup(self):
        """While memory is freed, the cgroup may still be charged for it, but it is no part of RSS any more."""
        seen = []
        for size, n in ((2, 2), (2, 8), (16, 2), (24, 4)):
            matches(self, lambda size=size, n=n: seen.append(self.compare(size, n, 1, False)))
        if not any(seen):
            self.skipTest("needs the right to make a memory cgroup")

    def test_each_trial_says_how_its_peak_was_seen(self):
        for row in self.runs("2M", 2):
            how = "2" if row["model"] == "threads" else "3"
            self.assertEqual((row["rss_seen"], row["pss_seen"]), (how, how), row["model"])
            # Only version 1 of cgroups keeps the peak of kernel memory.
            self.assertIn(row["kernel_seen"], ("0", "1", "2"))
        session = result("--models", "threads,processes", "-w", "cpu=1", "--trials", "1",
                         "-s", "cpu.size=5040")
        self.assertEqual([one["memory"]["pss_seen"] for one in session["runs"]], ["peak", "peaks"])
        for form in ("report", "markdown"):
            said = run("--no-log", "--format", form, "--models", "threads,processes", "-w", "cpu=1",
                       "--trials", "1", "-s", "cpu.size=5040")[0]
            said = " ".join(said.split())
            self.assertIn("of threads are the peaks that the kernel keeps", said)
            self.assertIn("of processes are sums of the kernel's peaks, so at least as high as the true peak", said)

    def test_threads_and_processes_that_touch_as_much_have_as_much(self):
        session = result("scaling", "-w", "mem=2", "--quick", "-s", "workers=2",
                         "-s", "mem.size=2M", "-s", "mem-order=sequential", "-s", "rounds=1")
        for one in session["runs"]:
            self.assertGreater(one["memory"]["uss_kb"], 2 * MIB - PENDING, one["model"])
            self.assertLess(one["memory"]["uss_kb"], 6 * MIB, one["model"])

    def test_a_model_beside_itself_wins_no_more_often_than_by_chance(self):
        """One session in 20 may name a winner by chance. With few sessions, three are still allowed."""
        named = []
        for i in range(SESSIONS):
            model = MODELS[i % 2]
            session = result("--models", f"{model},{model}", "--quick", "-w", "cpu=2",
                             "-w", "mem=2", "-s", "cpu.size=50400", "-s", "mem.size=2M")
            named += [i for one in session["comparisons"]
                      if one["metric"] == "pss_kb" and one["verdict"] in ("a", "b")]
        print(f"a winner in {len(named)} of {SESSIONS} sessions: {named}", file=sys.stderr)
        self.assertLessEqual(len(named), 3 + SESSIONS // 20, named)


# Three workers of 60 MiB: threads, processes, or processes in sessions of their own. They hold their
# memory for longer than the interval between two readings.
THREE = """import os, sys, threading, time
reader, writer = os.pipe()
def work():
    held = bytearray(b"x") * (60 << 20)
    os.write(writer, b"x")
    time.sleep(100)
for _ in range(3):
    if sys.argv[1] == "threads":
        threading.Thread(target=work, daemon=True).start()
    elif os.fork() == 0:
        if sys.argv[1] == "daemons":
            os.setsid()
            if os.fork():
                os._exit(0)
        work()
for _ in range(3):
    os.read(reader, 1)
time.sleep(3)
os._exit(0)
"""


@unittest.skipUnless(PYTHON, "needs python3")
class Programs(unittest.TestCase):
    HOLD = "held = bytearray(b'x') * (40 << 20); import time; time.sleep(1)"

    def programs(self):
        """Returns three programs: a single process, one with its memory in a child, and one with a second thread."""
        alone = f"{PYTHON} -c \"{self.HOLD}\""
        child = (f"{PYTHON} -c \"import subprocess, sys; subprocess.run([sys.executable, '-c', "
                 f"\\\"{self.HOLD}\\\"], check=True)\"")
        thread = (f"{PYTHON} -c \"import threading, time; t = threading.Thread(target=time.sleep, "
                  f"args=(1,)); t.start(); t.join()\"")
        return alone, child, thread

    def session(self, form, command, *more):
        return run("--no-log", "--format", form, "--trials", "1", "--command", command, *more)[0]

    @unittest.skipIf(SANITIZED, "readings cost a sanitizer so much that there is one in a second")
    def test_all_that_a_program_creates_counts(self):
        alone, child, thread = self.programs()
        one = result("--trials", "1", "--command", alone)["runs"][0]
        self.assertGreater(one["memory"]["rss_kb"], 40 * MIB)
        self.assertEqual((one["program_children"], one["program_threads"]), (0, 1))
        self.assertEqual(one["peak_alive"], 1)
        cases = [(command, model, members, least)
                 for command, members, least in ((child, (1, 1), 40), (thread, (0, 2), 2))
                 for model in ("processes", "threads", "posix_spawn")]
        with ThreadPoolExecutor(3) as pool:  # they sleep
            list(pool.map(lambda of: matches(self, lambda: self.check_company(*of)), cases))

    def check_company(self, command, model, members, least):
        session = result("--trials", "1", "--command", command, "--models", model)
        one = session["runs"][0]
        self.assertEqual((one["program_children"], one["program_threads"]), members, model)
        self.assertEqual(one["program_processes"], 1 + members[0])
        # On a busy machine, tuibench may not have read the memory. Then there is a warning.
        self.assertNotIn("company", [warning["kind"] for warning in session["warnings"]])
        for name in ("rss_kb", "pss_kb", "uss_kb"):
            self.assertGreater(one["memory"][name] or 0, least * MIB, (command, name))
        self.assertIsNone(one["peak_alive"])
        self.assertGreater(one["cpu_ms"], 0)

    def test_three_workers_have_as_much_as_threads_and_as_processes(self):
        """If they have a cgroup, they also have as much as its charge."""
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "three.py")
            with open(script, "w", encoding="utf-8") as file:
                file.write(THREE)
            ways = ("threads", "processes", "daemons")
            with ThreadPoolExecutor(len(ways)) as pool:  # they sleep
                sessions = pool.map(lambda way: result("--trials", "1", "--warmup", "0", "--command",
                                                       f"{PYTHON} {script} {way}"), ways)
            for way, session in zip(ways, sessions):
                memory = session["runs"][0]["memory"]
                self.assertGreater(memory["pss_kb"], 3 * 60 * MIB, way)
                self.assertLess(memory["pss_kb"], 3 * 60 * MIB + 40 * MIB, way)
                self.assertEqual(memory["pss_seen"], "peak" if way == "threads" else "sampled")
                self.assertEqual(session["runs"][0]["seen"]["pss_kb"], memory["pss_seen"])
                peak = memory["cgroup_peak_kb"]
                if peak is not None:
                    both = memory["pss_kb"] + memory["kernel_kb"]
                    # The cgroup is not charged for pages of files that another program read first.
                    self.assertLess(abs(both - peak), 0.03 * peak + 8 * MIB, way)

    @unittest.skipUnless(os.path.exists("/proc/self/io"), "needs /proc/self/io")
    def test_what_a_daemon_uses_is_in_the_totals(self):
        spin = ("import os,sys,time\nif sys.argv[1:] and os.fork(): os._exit(0)\n"
                "if sys.argv[1:]: os.setsid()\nif sys.argv[1:] and os.fork(): os._exit(0)\n"
                "end = time.process_time() + 0.5\nwhile time.process_time() < end: pass\n"
                "print(time.process_time(), file=open(os.environ['SAID'], 'w'))\n")
        with tempfile.TemporaryDirectory() as folder:
            script, said = os.path.join(folder, "spin.py"), os.path.join(folder, "said")
            with open(script, "w", encoding="utf-8") as file:
                file.write(spin)
            os.environ["SAID"] = said
            # The program ends after the daemon.
            command = (f"sh -c '{PYTHON} {script} daemon; while [ ! -s {said} ]; do sleep 0.02; done; "
                       "sleep 0.1'")
            one = result("--trials", "1", "--warmup", "0", "--command", command)["runs"][0]
            self.assertGreaterEqual(one["cpu_ms"], 500)

    @unittest.skipIf(SANITIZED, "readings cost a sanitizer so much that there is one in a second")
    def test_what_is_freed_between_two_readings_is_not_called_shared(self):
        """
        RSS and PSS must be of the same reading. Otherwise PSS could be far below RSS for memory that is not
        shared. The program uses blocks above 32 MiB, because malloc(3) always gives those back to the
        kernel. test_live_memory.c tests memory that is freed between the readings of two files.
        """
        command = f"{PYTHON} -S -c \"for i in range(16): b = bytearray(b'x') * (36 << 20); b = None\""
        for one in result("--trials", "1", "--models", "processes", "--command", command)["runs"]:
            memory = one["memory"]
            if memory["pss_kb"] is not None:
                self.assertLessEqual(memory["pss_kb"], memory["rss_kb"])
                self.assertGreater(memory["pss_kb"], 27 << 10)

    def test_a_child_that_nobody_met_is_seen_in_the_end(self):
        """The child usually ends before tuibench looks at it."""
        for model in ("processes", "threads", "posix_spawn"):
            one = result("--trials", "1", "--models", model, "--command",
                         "sh -c '(exit 0); exit 0'")["runs"][0]
            self.assertGreaterEqual(one["program_children"], 1, model)
            self.assertIn(one["memory"]["rss_seen"], (None, "sampled", "least"))
            self.assertEqual(one["memory"]["rss_kb"] is None, one["memory"]["rss_seen"] is None)

    def test_a_tree_whose_files_are_gone_has_its_memory(self):
        """The files were part of the cgroup's peak, but at the end no account has them."""
        for folder, gone in (("/tmp", "rm"), ("/tmp", ": >"), ("/dev/shm", "rm")):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                name = os.path.join(place, "file")
                command = f"sh -c 'head -c 64000000 /dev/zero > {name}; {gone} {name}; sleep 0.5'"
                matches(self, lambda command=command: self.check_gone(command))

    def check_gone(self, command):
        one = result("--trials", "1", "--warmup", "0", "--command", command)["runs"][0]
        self.assertIsNone(one["memory_reason"])
        self.assertGreater(one["memory"]["rss_kb"] or 0, 0)
        self.assertGreater(one["memory"]["pss_kb"] or 0, 0)
        self.assertIn(one["seen"]["pss_kb"], ("sampled", "least"))

    def test_kernel_memory_of_a_short_program_is_a_peak_or_a_least(self):
        """The program has 200 threads for about 1 ms, so tuibench cannot read all of them."""
        threads = ("import threading\nend = threading.Event()\n"
                   "all = [threading.Thread(target=end.wait) for _ in range(200)]\n"
                   "for one in all: one.start()\nend.set()\nfor one in all: one.join()\n")
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "threads.py")
            with open(script, "w", encoding="utf-8") as file:
                file.write(threads)
            one = result("--trials", "1", "--warmup", "0", "--command", f"{PYTHON} {script}")["runs"][0]
        how = one["memory"]["kernel_seen"]
        self.assertIn(how, (None, "sampled", "least", "peak"))
        if how == "peak":
            self.assertGreater(one["memory"]["kernel_kb"], 200 * 16)

    def test_no_format_has_the_part_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            run("--log", log, "--trials", "1", "--command", "sh -c '(exit 0); exit 0'")
            said = " ".join(run("--export", "report", log)[0].split())
            rows = list(csv.DictReader(io.StringIO(run("--export", "csv", log)[0])))
        read = [row for row in rows if row["rss_seen"]]
        for row in rows:
            if row not in read:
                self.assertEqual((row["rss_kb"], row["pss_kb"], row["peak_alive"]), ("", "", ""))
                self.assertEqual(row["kernel_kb"] != "", row["kernel_seen"] == "peak")
                self.assertIn("ended before their memory", row["memory_reason"])
                self.assertEqual((row["program_children"], row["program_processes"]), ("1", ""))
        self.assertEqual("its children ended before their memory could be read" in said,
                         len(read) < len(rows))


if __name__ == "__main__":
    unittest.main(verbosity=2)
