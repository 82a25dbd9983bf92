#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All threads and children of a command are found, in each way to find them: many short ones, a pipeline, a
double fork. Runs as the caller of the test, and as an ordinary user.

    test_tasks.py TUIBENCH
"""

import collections
import csv
import functools
import io
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, SANITIZED, TUIBENCH, against_schema, as_nobody, matches, result, run

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "man",
                      "tuibench-export.schema.json")
# A Python that an ordinary user may run, too.
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
# Programs that write the number of their threads after all have begun. Each thread is a task.
GO = """package main
import ("os"; "runtime"; "strconv"; "sync")
func main() {
    var begun sync.WaitGroup
    wait := make(chan int)
    for i := 0; i < 50; i++ {
        begun.Add(1)
        go func() { runtime.LockOSThread(); begun.Done(); <-wait }()
    }
    begun.Wait()
    tasks, _ := os.ReadDir("/proc/self/task")
    os.WriteFile(os.Args[1], []byte(strconv.Itoa(len(tasks))), 0644)
}
"""
JAVA = """import java.nio.file.*;
class Main {
    public static void main(String[] args) throws Exception {
        var go = new java.util.concurrent.CountDownLatch(1);
        for (int i = 0; i < 50; i++) {
            var thread = new Thread(() -> { try { go.await(); } catch (InterruptedException e) { } });
            thread.setDaemon(true);
            thread.start();
        }
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            Files.writeString(Path.of(args[0]), "" + tasks.count());
        }
    }
}
"""
# Two threads that compute for a given CPU time. The main thread computes longest.
COMPUTING = ("import threading, time\ndef use(s):\n while time.thread_time() < s: pass\n"
             "t = threading.Thread(target=use, args=(%s,))\nt.start()\nuse(%s)\nt.join()")
# A process that ignores SIGCHLD. The kernel reaps its child, and the child's usage is lost.
IGNORING = ("import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
            "if os.fork() == 0:\n while time.process_time() < 0.3: pass\n os._exit(0)\n"
            "try: os.wait()\nexcept ChildProcessError: pass")


@functools.cache
def build(source, *compiler):
    """Compiles the source. Returns the folder, which all users may read; None if that fails."""
    folder = tempfile.TemporaryDirectory(dir="/tmp")  # pylint: disable=consider-using-with
    unittest.addModuleCleanup(folder.cleanup)
    os.chmod(folder.name, 0o777)
    with open(os.path.join(folder.name, source[0]), "w", encoding="utf-8") as file:
        file.write(source[1])
    built = shutil.which(compiler[0]) and subprocess.run(
        compiler, cwd=folder.name, capture_output=True, check=False, timeout=DEADLINE,
        env={**os.environ, "GOCACHE": os.path.join(folder.name, "cache")}).returncode == 0
    return folder.name if built else None


class Seen(unittest.TestCase):
    """The tasks that one user sees."""

    more = {}

    def session(self, way, *args):
        """Runs a session with this way to find tasks. Skips the test if the way is not allowed."""
        more = dict(self.more)
        more["env"] = {**os.environ, "HOME": "/nonexistent", "TUIBENCH_TASKS": way}
        session = result(*args, "--models", "threads", "--trials", "1", "--warmup", "0", cwd="/",
                         **more)
        seen = session["runs"][-1]["command_tasks"]["seen_by"]
        if seen != way:
            self.skipTest(f"{way} is not allowed here, {seen} took its place")
        return session

    def last(self, way, *command, options=()):
        """Returns a run without lost messages. Beside programs that switch often, the kernel may lose some."""
        for _ in range(5):
            one = self.session(way, *options, "--command", " ".join(command))["runs"][-1]
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
        # The exit status comes from the connector, which perf uses, too, if it is allowed.
        if way == "connector" or os.geteuid() == 0 and not self.more:
            self.assertEqual({task["exit_status"] for task in tasks[1:]}, {3})
        self.assertEqual(tasks[0]["exit_status"], 0)
        self.assertEqual(len(tasks), 301)
        # More tasks than fit the kernel's buffers, and more than get a row.
        tasks = self.storm(way, THREADS, 2000)
        self.assertEqual({task["pid"] for task in tasks}, {tasks[0]["pid"]})
        self.assertEqual([task["kind"] for task in tasks[:3]], ["process", "thread", "thread"])
        self.assertEqual(len(tasks), 1000)

    def test_all_of_a_storm_are_seen_by_perf(self):
        self.check_storms("perf")

    def test_all_of_a_storm_are_seen_by_the_connector(self):
        self.check_storms("connector")

    def test_most_short_programs_have_a_name_by_the_connector(self):
        """Messages have no names. tuibench reads them while the tasks live, which may be less than 1 ms."""
        def look():
            _, tasks = self.last("connector", "sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.01; "
                                              "/bin/true; done'")
            self.assertGreaterEqual([task["name"] for task in tasks].count("true"), 8)
        matches(self, look, 20)

    def test_polling_sees_what_lasts(self):
        one, tasks = self.python("polling", LASTING)
        self.assertEqual(one["tasks_created"], 4)
        self.assertEqual([task["kind"] for task in tasks], ["process"] + ["thread"] * 3)
        # With polling, the number of missed tasks is unknown, so the number of tasks is not compared.
        self.assertIsNone(one["command_tasks"]["lost"])
        self.assertNotIn("tasks_created", one["compared"])
        # The report says which tasks polling misses.
        said, _ = run("--no-log", "--format", "report", "--command", "true", "--models", "threads",
                      "--trials", "1", env={**os.environ, "TUIBENCH_TASKS": "polling"})
        self.assertIn("without most of those under 5 ms", " ".join(said.split()))

    def test_a_pipeline_has_each_of_its_programs_below_the_shell(self):
        for way in WAYS[:2]:
            with self.subTest(way=way):
                _, tasks = self.last(way, "sh -c 'sleep 0.1 | sort | cat; true'")
                self.assertEqual(tasks[0]["parent"], None)
                self.assertEqual(sorted(task["name"] for task in tasks),
                                 ["cat", "sh", "sleep", "sort"])
                self.assertEqual({task["parent"] for task in tasks[1:]}, {0})

    def test_a_double_fork_keeps_its_parent(self):
        for way in WAYS[:2]:
            with self.subTest(way=way):
                _, tasks = self.last(way, "sh -c '(sleep 0.2 & ); sleep 0.1; true'")
                daemon = [task for task in tasks if task["parent"] not in (None, 0)]
                self.assertEqual([task["name"] for task in daemon], ["sleep"])
                self.assertEqual(tasks[daemon[0]["parent"]]["parent"], 0)

    def test_the_threads_of_openmp_are_seen(self):
        folder = build(("main.c", OPENMP), "gcc", "-fopenmp", "-o", "program", "main.c")
        if not folder:
            self.skipTest("no gcc with OpenMP")
        for way in WAYS[:2]:
            with self.subTest(way=way):
                one, tasks = self.last(way, os.path.join(folder, "program"))
                self.assertEqual(one["tasks_created"], 4)
                self.assertEqual([task["kind"] for task in tasks], ["process"] + ["thread"] * 3)

    def check_threads(self, source, compiler, *command):
        """Checks the threads of another language's program, which counts its own. It may create more later."""
        folder = build(source, *compiler)
        if not folder:
            self.skipTest(f"no {compiler[0]}, or it cannot compile")
        for way in WAYS[:2]:
            with self.subTest(way=way):
                said = os.path.join(folder, f"{way}-{type(self).__name__}")
                one, tasks = self.last(way, *(word.format(folder) for word in command), said)
                with open(said, encoding="utf-8") as file:
                    counted = int(file.read())
                self.assertGreater(counted, 50)
                self.assertGreaterEqual(one["tasks_created"], counted)
                self.assertEqual({task["pid"] for task in tasks}, {tasks[0]["pid"]})

    def test_the_threads_of_go_are_seen(self):
        self.check_threads(("main.go", GO), ("go", "build", "-o", "program", "main.go"), "{}/program")

    def test_the_threads_of_java_are_seen(self):
        self.check_threads(("Main.java", JAVA), ("javac", "Main.java"), "java -cp {} Main")

    def test_each_recipe_of_make_is_a_child_of_make(self):
        if not shutil.which("make"):
            self.skipTest("no make")
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.chmod(folder, 0o755)
            rules = os.path.join(folder, "rules")
            with open(rules, "w", encoding="utf-8") as file:
                file.write("all: 1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8:\n\t@sleep 0.05\n")
            for way in WAYS[:2]:
                with self.subTest(way=way):
                    one, tasks = self.last(way, f"make -j4 -f {rules}")
                    self.assertEqual(one["tasks_created"], 9)
                    self.assertEqual([task["parent"] for task in tasks], [None] + [0] * 8)

    def test_a_program_that_traces_others_goes_on(self):
        strace = ["strace", "-f", "-o", "/dev/null"]
        if not shutil.which("strace") or subprocess.run(
                [*strace, "true"], capture_output=True, check=False, timeout=DEADLINE,
                preexec_fn=self.more.get("preexec_fn")).returncode:
            self.skipTest("no strace, or it is not allowed to trace")
        for way in WAYS[:2]:
            with self.subTest(way=way):
                _, tasks = self.last(way, *strace, "sh -c 'sleep 0.1 & sleep 0.1; wait'")
                # At its start, strace itself creates children, to test what the kernel can do.
                below = collections.Counter(task["parent"] for task in tasks)
                self.assertEqual([n for parent, n in below.items() if parent not in (None, 0)], [2])
                self.assertEqual(tasks[0]["exit_status"], 0)

    def test_a_setuid_program_has_a_row(self):
        """An ordinary user sees less of it, and not what it waits for."""
        mount = shutil.which("mount", path="/bin:/usr/bin")
        if not mount or not os.stat(mount).st_mode & stat.S_ISUID:
            self.skipTest("mount is not setuid here")
        for way in WAYS[:2]:
            with self.subTest(way=way):
                one, tasks = self.last(way, f"sh -c '{mount} >/dev/null; true'")
                self.assertEqual(one["tasks_created"], 2)
                self.assertEqual([task["parent"] for task in tasks], [None, 0])

    def test_a_blocked_task_says_what_it_waits_for(self):
        if not os.access("/proc/self/syscall", os.R_OK):
            self.skipTest("the kernel does not say in which call a task is")

        def look(way, lanes):
            _, tasks = self.last(way, "sh -c 'sleep 1; true'", options=("-s", "sched=" + lanes))
            longest = [task["blocked"][0]["on"] for task in tasks if task["blocked"]]
            if len(longest) < 2:
                self.skipTest("there are no lanes here")
            self.assertEqual(longest, ["child", "sleep"])
        for way, lanes in zip(WAYS, ("perf", "own", "own")):
            with self.subTest(way=way):
                # On a busy machine, tuibench may not look at the task in time.
                matches(self, lambda of=(way, lanes): look(*of))

    def test_perf_and_the_kernel_agree_on_cpu_time(self):
        def look():
            one, tasks = self.python("perf", "for i in range(3000000): pass")
            self.assertAlmostEqual(tasks[0]["cpu_ns"] / 1e6 / one["cpu_ms"], 1, delta=0.1)
        matches(self, look)

    def check_cpu_time(self, way):
        """Compares the sum of schedstat, if it was read completely, with the kernel's rusage."""
        one, tasks = self.python(way, COMPUTING % (0.8, 1.2))
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

    def test_cpu_time_that_no_parent_collects_is_withheld_or_the_cgroups(self):
        for way in WAYS:
            with self.subTest(way=way):
                one, _ = self.python(way, IGNORING)
                self.assertIsNone(one["minflt"])
                self.assertIsNone(one["nvcsw"])
                if one["cpu_ms"] is not None:
                    self.assertGreater(one["cpu_ms"], 290)

    def test_threads_of_python_wait_for_the_gil(self):
        """tuibench finds the GIL by a symbol of the interpreter."""
        if not os.access("/proc/self/syscall", os.R_OK) or subprocess.run(
                [PYTHON, "-S", "-c", "import ctypes; ctypes.c_char.in_dll(ctypes.pythonapi, '_PyRuntime')"],
                capture_output=True, check=False, timeout=DEADLINE).returncode:
            self.skipTest("the kernel does not say in which call a task is, or Python hides its runtime")
        # Threads on one core may not wait for the GIL, so there are several tries.
        for _ in range(3):
            _, tasks = self.python("perf", COMPUTING % (0.2, 0.3))
            seen = {wait["on"] for task in tasks for wait in task["blocked"]}
            if "GIL" in seen:
                break
        self.assertIn("GIL", seen)


class SeenByNobody(Seen):
    """The same tests as an ordinary user."""

    def setUp(self):
        if os.geteuid() == 0:
            self.more = as_nobody(self, {})
        else:
            self.skipTest("the same user")


PROCESSES = ("import multiprocessing, sys\ndef use(n):\n sum(range(2000000))\n sys.exit(n)\n"
             "if __name__ == '__main__':\n multiprocessing.set_start_method('fork')\n"
             " ps = [multiprocessing.Process(target=use, args=(n,)) for n in range(4)]\n"
             " [p.start() for p in ps]\n [p.join() for p in ps]")


class Witness(unittest.TestCase):
    """Compares -x tasks with strace of the same programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.traced = os.path.join(self.folder, "trace")
        if not shutil.which("strace") or subprocess.run(
                ["strace", "-f", "-o", self.traced, "true"], capture_output=True, check=False,
                timeout=DEADLINE).returncode:
            self.skipTest("no strace, or it is not allowed to trace")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def witness(self, command):
        """Returns the number of tasks, and names and exit statuses of the processes, from strace."""
        subprocess.run(["strace", "-f", "-qq", "-o", self.traced, "-e",
                        "trace=clone,clone3,fork,vfork,execve", "-e", "signal=none", *command],
                       capture_output=True, check=False, timeout=DEADLINE)
        subprocess.run(["strace", "-f", "-o", self.traced + "-ends", "-e", "trace=none", "-e",
                        "signal=none", *command], capture_output=True, check=False, timeout=DEADLINE)
        names, threads, of = {}, set(), {}
        with open(self.traced, encoding="utf-8") as file:
            for line in file:
                pid = int(line.split()[0])
                if not names:
                    names[pid] = ""
                called = re.search(r"(clone3?|v?fork)[( ]", line)
                if called and "CLONE_THREAD" in line:
                    of[pid] = True
                elif called and "unfinished" in line:
                    of[pid] = False
                created = re.search(r"= (\d+)$", line) if called else None
                if created and ("CLONE_THREAD" in line or "resumed" in line and of.get(pid)):
                    threads.add(int(created[1]))
                elif created:
                    # After vfork(), the child may have executed its program already.
                    names.setdefault(int(created[1]), names[pid])
                executed = re.search(r'execve\("([^"]*)"', line)
                if executed and ("= 0" in line or "unfinished" in line):
                    names[pid] = os.path.basename(executed[1])[:15]
        with open(self.traced + "-ends", encoding="utf-8") as file:
            ends = re.findall(r"\+\+\+ exited with (\d+) \+\+\+", file.read())
        # The threads are in the list, too. Their status is 0.
        self.assertEqual(len(ends), len(names) + len(threads))
        statuses = collections.Counter(map(int, ends)) - collections.Counter([0] * len(threads))
        return len(ends), collections.Counter(names.values()), statuses

    def check(self, *command, also=lambda tasks: None):
        """Compares a command with strace. In each try, also() checks more of the tasks."""
        n, names, statuses = self.witness(command)
        def look():
            log = os.path.join(self.folder, f"log-{time.monotonic_ns()}.csv")
            said = run("--log", log, "--warmup", "0", "--trials", "2", "-m", "processes", "--format", "csv",
                       "-s", "ignore-failure=yes", "--command", shlex.join(command),
                       env={**os.environ, "TUIBENCH_TASKS": "perf"})[0]
            runs = {row["run"]: row for row in csv.DictReader(io.StringIO(said))}
            tasks = list(csv.DictReader(io.StringIO(subprocess.run(
                [TUIBENCH, "--export", "tasks", log], capture_output=True, text=True, check=True,
                timeout=DEADLINE).stdout)))
            if {task["states"] for task in tasks} != {"switches"}:
                self.skipTest("perf is not allowed here, or lost records")
            for number, run_ in runs.items():
                mine = [task for task in tasks if task["run"] == number]
                self.assertEqual(len(mine), n)
                processes = [task for task in mine if task["kind"] == "process"]
                self.assertEqual(collections.Counter(task["name"] for task in processes), names)
                known = [int(task["exit_status"]) for task in processes if task["exit_status"]]
                if len(known) == len(processes):  # only the connector has exit statuses
                    self.assertEqual(collections.Counter(known), statuses)
                cpu_ms = sum(int(task["cpu_us"]) for task in mine) / 1e3
                # Only one of the two has part of the time of exec and exit, up to 1 ms for each task.
                self.assertAlmostEqual(cpu_ms, float(run_["cpu_ms"]), delta=max(0.03 * cpu_ms, 1 + n))
                for task in mine:
                    life = int(task["finish_ns"]) - int(task["create_ns"])
                    states = sum(int(task[name]) for name in (
                        "running_ns", "runnable_ns", "blocked_ns", "unknown_ns"))
                    self.assertAlmostEqual(states, life, delta=1e6 + 0.01 * life)
                    causes = sum(int(task[name]) for name in task
                                 if re.fullmatch("blocked_[a-z]+_ns", name))
                    self.assertAlmostEqual(causes, int(task["blocked_ns"]), delta=10)
            also(tasks)
        matches(self, look)

    def locked(self):
        path = os.path.join(self.folder, "locked")
        if not shutil.which("gcc"):
            self.skipTest("no gcc")
        subprocess.run(["gcc", "-O1", "-pthread", "-o", path, os.path.join(
            os.path.dirname(os.path.abspath(__file__)), "..", "data", "programs", "locked.c")],
                       check=True, timeout=DEADLINE)
        return path

    def test_threads_with_a_lock(self):
        def one_process_with_a_lock(tasks):
            self.assertEqual({task["pid"] for task in tasks if task["run"] == tasks[0]["run"]},
                             {tasks[0]["pid"]})
            # One thread has the lock, and the others wait long enough to be seen.
            if os.access("/proc/self/syscall", os.R_OK):
                self.assertGreater(sum(int(task["blocked_lock_ns"]) for task in tasks), 0)
        self.check(self.locked(), "threads", "3", "150", also=one_process_with_a_lock)

    def test_a_process_for_each_task(self):
        self.check(self.locked(), "processes", "5", "10")

    def test_a_pipeline(self):
        self.check("sh", "-c", "seq 20000 | sort -n --parallel=1 | tail -n 1; exit 3")

    def test_multiprocessing_of_python(self):
        self.check(PYTHON, "-S", self.write("many.py", PROCESSES))

    def test_make(self):
        if not shutil.which("make"):
            self.skipTest("no make")
        rules = self.write("rules", "all: 1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8:\n\t@sleep 0.02; exit 0\n")
        self.check("make", "-s", "-j4", "-f", rules)


class Formats(unittest.TestCase):
    def test_a_recording_has_the_same_and_the_trace_each_as_a_thread_of_its_process(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            said = run("--log", log, "--format", "json", "--command",
                       # A name may have any bytes.
                       r"""sh -c 'printf "a\nb\033" > /proc/$$/comm; sleep 0.01 | cat'""",
                       "--trials", "1")[0]
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
