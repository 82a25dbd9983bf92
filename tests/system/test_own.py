#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A user's own work: the example of the manual, unchanged, in every model; its counts; and one line of error
for each mistake in a shared object.

    test_own.py TUIBENCH
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import (DEADLINE, SANITIZED, TUIBENCH, as_nobody, await_end_of, await_work, children, name_of, quiet,
                     result, run, workers)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
INCLUDE = os.path.join(ROOT, "include")
MODELS = "threads,processes,hybrid"
CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

# Appends a line for each call, with its begin and end, to one file for all workers.
NOTING = r"""
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int notes = -1;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int prepare(struct tuibench_worker *worker)
{
	notes = open(NOTES, O_WRONLY | O_APPEND | O_CREAT, 0600);
	dprintf(notes, "prepare %d\n", getpid());
	return notes < 0;
}

static int run(struct tuibench_worker *worker)
{
	long long begin = now(), end;

	do {
		end = now();
		tuibench_tick(worker);
	} while (end - begin < (long long)worker->size);
	dprintf(notes, "run %d %d %lld %lld\n", getpid(), gettid(), begin, end);
	return 0;
}
"""


def example():
    """Returns the program in the manual page."""
    with open(os.path.join(ROOT, "man", "tuibench-experiments.7"), encoding="utf-8") as page:
        blocks = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", page.read(), re.M | re.S)
    found = [block for block in blocks if "#include <tuibench/work.h>" in block]
    assert len(found) == 1, found
    return found[0]


def struct_of(members):
    """Returns a struct tuibench_work with these members, and default values for others."""
    more = [f".{name} = {value}" for name, value in (("abi", "TUIBENCH_WORK_ABI"), ("size", "1000"))
            if f".{name} =" not in members]
    return "const struct tuibench_work tuibench_work = {%s};\n" % ", ".join(more + [members])


@unittest.skipUnless(CC, "needs a C compiler")
class Own(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.chmod(self.folder, 0o755)

    def compile(self, text, name="mine", flags=("-I" + INCLUDE,), define=()):
        source, so = (os.path.join(self.folder, name + end) for end in (".c", ".so"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([CC, "-O2", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-shared",
                        "-fPIC", "-D_GNU_SOURCE", *define, *flags, "-o", so, source], check=True)
        return so

    def small(self, body, members=".run = run", head=""):
        return self.compile(f"#include <tuibench/work.h>\n{head}\n"
                            f"static int run(struct tuibench_worker *worker)\n{{\n{body}\n}}\n" +
                            struct_of(members))


class Example(Own):
    def test_it_is_what_runs_where_none_is_named(self):
        with open(os.path.join(ROOT, "src", "runner", "own_example.c"), encoding="utf-8") as file:
            self.assertEqual(file.read(), example())
        session = result("own", "--trials", "1", "-s", "own.size=1000")
        self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})
        with open(os.path.join(ROOT, "include", "core", "own_about.h"), encoding="utf-8") as file:
            about = file.read()
        for name, line in (("NAME", '.name = "{}",'), ("UNIT", '.unit = "{}",'), ("SIZE", ".size = {},")):
            value = re.search(rf'#define OWN_EXAMPLE_{name}\s+"?(\w+)"?', about).group(1)
            self.assertIn(line.format(value), example())

    def test_it_has_20_lines_at_most_that_are_its_own(self):
        code = [line for line in example().splitlines() if line and not line.startswith(("/*", "#"))]
        self.assertLessEqual(len(code), 20)

    def test_it_runs_under_every_model_and_finds_what_is_there(self):
        so = self.compile(example(), flags=("-I" + INCLUDE, "-Wpedantic"))
        steps = 0
        for i in range(1, 1001):
            while i > 1:
                i = 3 * i + 1 if i % 2 else i // 2
                steps += 1
        rows = workers("--own", so + ",1000", "--models", MODELS)
        own = [row for row in rows.values() if "result" in row and row.get("work_ns")]
        self.assertEqual([int(row["result"]) for row in own if int(row["result"])], [steps] * 12)
        session = result("--own", so, "-s", "own.size=1000", "--trials", "1")
        self.assertEqual([one["model"] for one in session["runs"]],
                         ["threads", "processes", "hybrid:2x2"])
        self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})

    def test_it_compiles_against_what_is_installed(self):
        meson, config = shutil.which("meson"), shutil.which("pkg-config")
        build = os.path.dirname(TUIBENCH)
        if not meson or not config:
            self.skipTest("needs meson and pkg-config")
        place = os.path.join(self.folder, "place")
        subprocess.run([meson, "install", "-C", build, "--no-rebuild", "--quiet"], check=True,
                       env={**os.environ, "DESTDIR": place}, stdout=subprocess.DEVNULL)
        found = [root for root, _, files in os.walk(place) if "tuibench.pc" in files]
        self.assertEqual(len(found), 1)
        # pkg-config puts a backslash before each space, and before each byte beyond ASCII.
        said = subprocess.run([config, "--cflags", "tuibench"], check=True,
                              stdout=subprocess.PIPE,
                              env={**os.environ, "PKG_CONFIG_PATH": found[0],
                                   "PKG_CONFIG_SYSROOT_DIR": place,
                                   "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1"}).stdout
        flags = [os.fsdecode(flag.encode("latin-1"))
                 for flag in shlex.split(said.decode("latin-1"))]
        so = self.compile(example(), flags=flags)
        self.assertEqual(result("--own", so + ",1000", "--trials", "1")["runs"][0]["status"], "ok")

    def test_its_recording_plays_without_it(self):
        so, log = self.compile(example()), os.path.join(self.folder, "own.csv")
        out, _ = run("--own", so + ",1000", "--trials", "2", "--log", log, "--format", "json")
        os.unlink(so)
        again = subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True, check=True,
                               timeout=DEADLINE)
        self.assertEqual(json.loads(again.stdout)["runs"], json.loads(out)["runs"])
        self.assertIn("4 workers of collatz", subprocess.run([TUIBENCH, "--export", "table", log], text=True,
                                                  capture_output=True, check=True).stdout)

    def test_it_takes_the_place_of_other_work(self):
        plain = self.compile(example())
        so = plain + ",1000"
        for args, n in ((("mixed",), 8), (("scaling", "-s", "workers=2..3"), 2),
                        (("crash", "--models", "processes"), 4), (("--tree", "2x3"), 8),
                        (("-w", "own=3"), 3), (("-w", "cpu=1,own=4", "-s", "cpu.size=1000"), 5),
                        (("-s", "size=10,20"), 4)):
            file = plain if "size=10,20" in args else so
            first = result("--own", file, *args, "--trials", "1")["runs"][0]
            self.assertEqual((first["workers"], first["status"]), (n, "ok"), args)
        self.assertIn("both give a size", run("--own", so, "-s", "size=10,20", status=2)[1])

    def test_anybody_may_run_it(self):
        so = self.compile(example())
        runs = result("--own", so + ",1000", "--trials", "1", **as_nobody(self, {}), cwd="/",
                      env={**os.environ, "HOME": "/nonexistent"})["runs"]
        self.assertEqual({one["status"] for one in runs}, {"ok"})


class Witness(Own):
    def test_it_was_called_once_in_each_worker_while_the_recording_says_so(self):
        notes = os.path.join(self.folder, "notes")
        so = self.compile("#include <tuibench/work.h>\n" + NOTING +
                          struct_of(".run = run, .prepare = prepare"),
                          define=(f'-DNOTES="{notes}"',))
        rows = workers("--own", so + ",3000000", "--models", MODELS, "--warmup", "0")
        with open(notes, encoding="utf-8") as file:
            lines = [line.split() for line in file]
        own = [row for row in rows.values() if int(row["tid"]) in
               {int(line[2]) for line in lines if line[0] == "run"}]
        self.assertEqual(len([line for line in lines if line[0] == "prepare"]), 3)
        self.assertEqual((len(lines) - 3, len(own)), (12, 12))
        for line in lines:
            if line[0] != "run":
                continue
            row, = [row for row in own if int(row["tid"]) == int(line[2])]
            took = int(row["finish_ns"]) - int(row["work_ns"])
            self.assertEqual(row["pid"], line[1])
            self.assertGreaterEqual(took, int(line[4]) - int(line[3]))


class Faults(Own):
    def fails(self, so, *words, models="threads,processes"):
        session = json.loads(run("--no-log", "--format", "json", "--own", so, "--models", models,
                                 "--trials", "1", "-w", "own=2", status=1)[0])
        for one in session["runs"]:
            self.assertIn(one["status"], ("failed", "crashed"))
        return [one["model"] for one in session["runs"]]

    def said(self, so, model):
        return run("--no-log", "--own", so, "--models", model, "--trials", "1", "-w", "own=2",
                   status=1)[1]

    def test_what_ends_early_has_failed_and_is_named(self):
        head = "#include <stdlib.h>\n#include <errno.h>"
        for body, word in (("return *(volatile int *)(worker->index + 8ul);", "signal 11"),
                           ("exit(3);", "exit status 3"), ("exit(0);", "exit status 0"),
                           ("return ENOSPC;", "No space left"), ("return -ENOSPC;", "No space left"),
                           ("return 1;", "returned errno 1 (Operation not permitted), not 0"),
                           ("return -1;", "returned errno 1 (Operation not permitted), not 0"),
                           ("return 99999;", "returned neither 0 nor an errno"),
                           ("return -99999;", "returned neither 0 nor an errno")):
            so = self.small(body, head=head)
            self.assertIn(word, self.said(so, "processes"))
            self.fails(so)

    @unittest.skipIf(SANITIZED, "gcc's sanitizer takes the stack that pthread_exit() leaves for overwritten")
    def test_a_thread_that_ends_itself_has_failed_and_is_named(self):
        so = self.small("if (worker->index == 1) pthread_exit(NULL);\nreturn 0;",
                        head="#include <pthread.h>")
        for model in ("threads", "hybrid:1x2"):
            self.assertIn("worker w2 own: its thread ended before", self.said(so, model))

    def test_who_ended_the_process_of_it_is_named(self):
        text = ('#include <tuibench/work.h>\n#include <errno.h>\n#include <stdlib.h>\n'
                "static int prepare(struct tuibench_worker *worker) { PREPARE; }\n"
                "static int run(struct tuibench_worker *worker) { RUN; }\n"
                "const struct tuibench_work tuibench_work = {.abi = TUIBENCH_WORK_ABI, .name = \"x\",\n"
                '.unit = "u", .size = 1, .prepare = prepare, .run = run};\n')
        for prepare, work, model, words in (
                ("return ENOSPC", "return 0", "threads", ("prepare() of --own", "No space left")),
                ("abort(); return 0", "return 0", "processes",
                 ("prepare() of --own", "ended by signal")),
                ("return 0", "exit(3)", "threads", ("in which --own runs", "status 3"))):
            so = self.compile(text.replace("PREPARE", prepare).replace("RUN", work))
            said = self.said(so, model)
            for word in words:
                self.assertIn(word, said)

    def test_what_overwrites_the_scoreboard_is_ended_and_named(self):
        body = r"""
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long begin, end;
	char line[512], may[8];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s", &begin, &end, may) == 3 && strcmp(may, "rw-s") == 0)
			memset((void *)begin, BYTE, end - begin);
	pause();
	return 0;"""
        for byte in ("0xff", "0"):
            so = self.small(body.replace("BYTE", byte),
                            head="#include <stdio.h>\n#include <string.h>\n#include <unistd.h>")
            for model in ("threads", "processes"):
                said = self.said(so, model)
                self.assertIn("--own wrote to memory that is not its own", said)
                self.assertEqual(said.count("overwrote the scoreboard"), 1, said)
                self.assertNotIn("processor's counts", said)

    def test_results_that_differ_where_they_are_to_be_alike_have_failed(self):
        body = "static uint64_t n; worker->result = {}; return 0;"
        apart = self.small(body.format("__sync_add_and_fetch(&n, 1)"),
                           ".run = run, .same_result = 1")
        self.assertIn("a different result", self.said(apart, "threads"))
        alike = self.small(body.format("7 + n"), ".run = run, .same_result = 1")
        self.assertEqual(result("--own", alike, "--trials", "1")["runs"][0]["status"], "ok")

    def test_work_that_never_ends_is_ended_with_all_tasks(self):
        so = self.small("for (;;)\n\ttuibench_tick(worker);\nreturn 0;")
        for model in ("threads", "processes"):
            with quiet("--own", so, "--models", model, "-w", "own=2", "--trials", "1") as program:
                until = time.monotonic() + DEADLINE
                tasks = []
                while not tasks and time.monotonic() < until:
                    tasks = [pid for pid in children(program.pid) if self.is_runner(pid)]
                    time.sleep(0.01)
                await_work(self, tasks[0], 2)
                program.send_signal(signal.SIGINT)
                self.assertEqual(program.wait(DEADLINE), 128 + signal.SIGINT)
                for task in tasks:
                    await_end_of(self, task)

    def is_runner(self, pid):
        """Whether the process is the runner, and not the one that examines the object or the one that tidies up."""
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                words = file.read().split("\0")
        except OSError:
            return False
        return words[0] == "tuibench-runner" and "--tidy" not in words

    def test_threads_of_its_own_are_in_the_totals(self):
        so = self.small("pthread_t other; pthread_create(&other, 0, spin, worker);"
                        "return pthread_join(other, 0);", head="#include <pthread.h>\n"
                        "static void *spin(void *arg) { volatile uint64_t n = 0;"
                        "while (n < 50000000) n++; return arg ? 0 : arg; }")
        for one in result("--own", so, "--models", "threads,processes", "-w", "own=1", "--trials",
                          "1")["runs"]:
            self.assertEqual(one["status"], "ok")
            self.assertGreater(one["cpu_ms"], 10)


class Refusals(Own):
    def refuses(self, so, *words, args=()):
        _, said = run("--no-log", "--own", so, *args, status=2)
        self.assertEqual(len(said.splitlines()), 1, said)
        for word in words:
            self.assertIn(word, said)

    def test_what_is_no_work_is_told_before_anything_starts(self):
        good = self.small("return 0;")
        none = os.path.join(self.folder, "none.so")
        self.refuses("mine.so", "./mine.so")
        self.refuses(none, none, "No such file")
        self.refuses(self.folder, "directory")
        self.refuses(good[:-2] + "c", "shared object")
        self.refuses(good + ",0", "asks for no work")
        self.refuses(good, "-w own=2", args=("-w", "own=0"))
        self.refuses(good, "creation", args=("creation",))
        self.refuses(good, "pool", args=("pool",))
        self.refuses(good + ",5", "own.size=6", args=("-s", "own.size=6"))
        for args in (("-w", "own=2"), ("-s", "own.size=5")):
            _, said = run("--no-log", *args, status=2)
            self.assertIn("--own ./FILE.so", said)

    def test_what_is_wrong_with_a_shared_object_is_named(self):
        head = "#include <stdlib.h>\n#include <unistd.h>\n"
        ctor = "__attribute__((constructor)) static void begin(void) { %s }\n"
        self.refuses(self.small("return 0;", ".run = run, .abi = 7"), "ABI 7", "1")
        self.refuses(self.compile("#include <tuibench/work.h>\n" + struct_of(".name = \"x\"")), ".run")
        self.refuses(self.small("return 0;", ".run = run, .size = 0"), ".size")
        self.refuses(self.compile("int x;\n"), "tuibench_work")
        self.refuses(self.compile("int no(void);\nint y(void);\nint y(void) { return no(); }\n"), "no")
        self.refuses(self.small("return 0;", head=head + ctor % "abort();"), "signal 6")
        self.refuses(self.small("return 0;", head=head + ctor % "exit(4);"), "status 4")

    def test_what_its_loading_leaves_behind_is_ended_and_named(self):
        """The constructor of the object starts a daemon, or a child in the same session."""
        head = ("#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                "#include <sys/prctl.h>\n#include <sys/wait.h>\n")
        note = ("FILE *file = fopen(\"%s.new\", \"w\"); fprintf(file, \"%%d\", (int)getpid());"
                "fclose(file); rename(\"%s.new\", \"%s\"); sleep(1000);")
        daemon = ("if (fork() == 0) { setsid(); if (fork() == 0) { prctl(PR_SET_NAME, \"stays-on\");"
                  "%s } _exit(0); } wait(0); while (access(\"%s\", F_OK)) usleep(1000);")
        child = "if (fork() == 0) { %s } while (access(\"%s\", F_OK)) usleep(1000);"
        for body, *words in ((daemon, "stays-on"), (child,)):
            pid = os.path.join(self.folder, "pid")
            so = self.small("return 0;", head=head + "__attribute__((constructor)) static void begin(void)"
                            "{ " + body % (note % (pid, pid, pid), pid) + " }\n")
            self.refuses(so, so, "constructors have to end", *words)
            with open(pid, encoding="utf-8") as file:
                left = int(file.read())
            self.assertEqual(name_of(left), "", "it goes on")
            os.unlink(pid)

    def test_a_daemon_of_it_ends_with_a_front_end_that_is_killed(self):
        """tuibench finds the daemon by a mark, because these sessions have no cgroup."""
        pid = os.path.join(self.folder, "pid")
        so = self.small("if (worker->index == 0 && fork() == 0) { setsid(); FILE *file = fopen(\"%s.new\", \"w\");"
                        "fprintf(file, \"%%d\", (int)getpid()); fclose(file); rename(\"%s.new\", \"%s\"); }\n"
                        "sleep(1000);\nreturn 0;" % (pid, pid, pid),
                        head="#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n")
        with quiet("--own", so, "--models", "threads", "--trials", "1") as batch:
            until = time.monotonic() + DEADLINE
            while not os.path.exists(pid):
                self.assertLess(time.monotonic(), until)
                time.sleep(0.01)
            batch.kill()
            batch.wait(DEADLINE)
        with open(pid, encoding="utf-8") as file:
            await_end_of(self, int(file.read()))

    def test_a_destructor_that_never_ends_keeps_no_run_from_its_end(self):
        so = self.small("return 0;", head="#include <unistd.h>\n__attribute__((destructor)) static void end(void)"
                        " { for (;;) pause(); }\n")
        for model in ("threads", "processes", "hybrid:2x2"):
            out, _ = run("--no-log", "--own", so, "--trials", "1", "--models", model, "--format", "json")
            self.assertEqual([one["status"] for one in json.loads(out)["runs"]], ["ok"], model)

    def test_what_it_calls_itself_reaches_no_terminal_as_it_is(self):
        so = self.small("return 0;", '.run = run, .name = "\\033[31mred"')
        out, _ = run("--no-log", "--own", so, "--trials", "1")
        self.assertNotIn("\033", out)
        self.assertIn("[31mred", out)


if __name__ == "__main__":
    unittest.main()
