#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every thread and child of a command: storms of short ones, a pipeline, a double fork, by each way
to see them. As who runs the test, and as a plain user.

    test_tasks.py TUIBENCH
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, SANITIZED, TUIBENCH, against_schema, as_nobody, result, run

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "man",
                      "tuibench-export.schema.json")
# One that a plain user may run, too.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
WAYS = ("perf", "connector", "polling")
THREADS = ("import threading\nfor i in range(%d):\n"
           " t = threading.Thread(target=int)\n t.start()\n t.join()")
FORKS = ("import os\nfor i in range(%d):\n pid = os.fork()\n"
         " if pid == 0: os._exit(3)\n os.waitpid(pid, 0)")
LASTING = ("import threading, time\nts = [threading.Thread(target=time.sleep, args=(0.3,)) for i in "
           "range(3)]\n[t.start() for t in ts]\n[t.join() for t in ts]")


OPENMP = """int main(void)
{
#pragma omp parallel num_threads(4)
    __asm__ volatile("");
    return 0;
}
"""
# Bounded by the CPU time; the main thread computes as well, and last.
COMPUTING = ("import threading, time\ndef use(s):\n while time.thread_time() < s: pass\n"
             "t = threading.Thread(target=use, args=(1,))\nt.start()\nuse(1.5)\nt.join()")


class Seen(unittest.TestCase):
    """What one user sees."""

    more = {}

    def session(self, way, *args):
        """Or skips the test, where that way is not allowed."""
        more = dict(self.more)
        more["env"] = {**os.environ, "HOME": "/nonexistent", "TUIBENCH_TASKS": way}
        session = result(*args, "--models", "threads", "--trials", "1", "--warmup", "0", cwd="/",
                         **more)
        seen = session["runs"][-1]["command_tasks"]["seen_by"]
        if seen != way:
            self.skipTest(f"{way} is not allowed here, {seen} took its place")
        return session

    def last(self, way, *command):
        """Of a run of which the kernel lost no message, as it does beside programs that switch much."""
        for _ in range(5):
            one = self.session(way, "--command", " ".join(command))["runs"][-1]
            if way == "polling" or one["command_tasks"]["lost"] is not None:
                break
        else:
            self.skipTest("other programs fill the kernel's buffers each time")
        tasks = one["command_tasks"]["first"]
        for task in tasks:
            self.assertLessEqual(task["created_ns"], task["ended_ns"])
            self.assertEqual(task["kind"], "process" if task["pid"] == task["tid"] else "thread")
        return one, tasks

    def python(self, way, code):
        with tempfile.NamedTemporaryFile("w", suffix=".py", dir="/tmp") as file:
            file.write(code)
            file.flush()
            os.chmod(file.name, 0o644)
            return self.last(way, PYTHON, "-S", file.name)

    def storm(self, way, code, n):
        one, tasks = self.python(way, code % n)
        self.assertEqual(one["command_tasks"]["lost"], 0)
        self.assertEqual(one["tasks_created"], n + 1)
        return tasks

    def check_storms(self, way):
        tasks = self.storm(way, FORKS, 300)
        self.assertEqual({task["parent"] for task in tasks[1:]}, {0})
        if way == "connector":
            self.assertEqual({task["exit_status"] for task in tasks[1:]}, {3})
        self.assertEqual(tasks[0]["exit_status"], 0)
        for n in (500, 5000):
            tasks = self.storm(way, THREADS, n)
            self.assertEqual({task["pid"] for task in tasks}, {tasks[0]["pid"]})
            self.assertEqual([task["kind"] for task in tasks[:3]], ["process", "thread", "thread"])
            self.assertEqual(len(tasks), min(n + 1, 1000))

    def test_all_of_a_storm_are_seen_by_perf(self):
        self.check_storms("perf")

    def test_all_of_a_storm_are_seen_by_the_connector(self):
        self.check_storms("connector")

    def test_polling_sees_what_lasts(self):
        one, tasks = self.python("polling", LASTING)
        self.assertEqual(one["tasks_created"], 4)
        self.assertEqual([task["kind"] for task in tasks], ["process"] + ["thread"] * 3)
        # What it did not see nobody knows: no answer is made of it.
        self.assertIsNone(one["command_tasks"]["lost"])
        self.assertNotIn("tasks_created", one["compared"])
        # It says what it misses.
        said, _ = run("--no-log", "--format", "report", "--command", "true", "--models", "threads",
                      "--trials", "1", env={**os.environ, "TUIBENCH_TASKS": "polling"})
        self.assertIn("under 5 ms mostly not seen", " ".join(said.split()))

    def test_a_pipeline_has_each_of_its_programs_below_the_shell(self):
        for way in WAYS[:2]:
            with self.subTest(way=way):
                _, tasks = self.last(way, "sh -c 'sleep 0.1 | sort | cat; true'")
                self.assertEqual(tasks[0]["parent"], None)
                self.assertEqual(sorted(task["name"] for task in tasks),
                                 ["cat", "sh", "sleep", "sort"])
                self.assertEqual({task["parent"] for task in tasks[1:]}, {0})

    def test_a_double_fork_keeps_its_creator(self):
        for way in WAYS[:2]:
            with self.subTest(way=way):
                _, tasks = self.last(way, "sh -c '(sleep 0.2 & ); sleep 0.1; true'")
                daemon = [task for task in tasks if task["parent"] not in (None, 0)]
                self.assertEqual([task["name"] for task in daemon], ["sleep"])
                self.assertEqual(tasks[daemon[0]["parent"]]["parent"], 0)

    def test_the_threads_of_openmp_are_seen(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            program = os.path.join(folder, "program")
            os.chmod(folder, 0o755)
            built = shutil.which("gcc") and subprocess.run(
                ["gcc", "-fopenmp", "-x", "c", "-o", program, "-"], input=OPENMP, text=True,
                capture_output=True, check=False, timeout=DEADLINE).returncode == 0
            if not built:
                self.skipTest("no gcc with OpenMP")
            for way in WAYS[:2]:
                with self.subTest(way=way):
                    one, tasks = self.last(way, program)
                    self.assertEqual(one["tasks_created"], 4)
                    self.assertEqual([task["kind"] for task in tasks],
                                     ["process"] + ["thread"] * 3)

    def test_perf_and_the_kernel_agree_on_cpu_time(self):
        one, tasks = self.python("perf", "for i in range(3000000): pass")
        self.assertAlmostEqual(tasks[0]["cpu_ns"] / 1e6 / one["cpu_ms"], 1, delta=0.1)


    def check_cpu_time(self, way):
        """schedstat's sum, which has no part in it that was not read, and the kernel's rusage."""
        one, tasks = self.python(way, COMPUTING)
        known = [task["cpu_ns"] for task in tasks]
        if None in known or one["command_tasks"]["lost"]:
            self.skipTest("this machine is too busy: more than 1 % could not be read")
        self.assertAlmostEqual(sum(known) / 1e6 / one["cpu_ms"], 1, delta=0.01)

    @unittest.skipIf(SANITIZED, "a sanitizer reads less often")
    def test_schedstat_and_rusage_agree_by_the_connector(self):
        self.check_cpu_time("connector")

    @unittest.skipIf(SANITIZED, "a sanitizer reads less often")
    def test_schedstat_and_rusage_agree_by_polling(self):
        self.check_cpu_time("polling")


class SeenByNobody(Seen):
    """The same as a plain user."""

    def setUp(self):
        if os.geteuid() == 0:
            self.more = as_nobody(self, {})
        else:
            self.skipTest("the same user")


class Formats(unittest.TestCase):
    def test_a_recording_has_the_same_and_the_trace_each_as_a_thread_of_its_process(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            said = run("--log", log, "--format", "json", "--command",
                       "sh -c 'sleep 0.01 | cat'", "--trials", "1")[0]
            live = json.loads(said)
            texts = [subprocess.run([TUIBENCH, "--export", form, log], capture_output=True,
                                    text=True, check=True, timeout=DEADLINE).stdout
                     for form in ("json", "trace-all")]
            again, trace = json.loads(texts[0]), json.loads(texts[1])["traceEvents"]
            self.assertEqual([one["command_tasks"] for one in again["runs"]],
                             [one["command_tasks"] for one in live["runs"]])
            created = sum(one["tasks_created"] for one in live["runs"])
            lives = [event for event in trace if event.get("cat") == "task"]
            self.assertGreaterEqual(len(lives), created)
            named = {(event["pid"], event["tid"]) for event in trace
                     if event["name"] == "thread_name"}
            self.assertTrue(all((event["pid"], event["tid"]) in named for event in lives))
            if not against_schema(self, SCHEMA, said, texts[0]):
                self.skipTest("no Python with jsonschema (python3-jsonschema)")


if __name__ == "__main__":
    unittest.main()
