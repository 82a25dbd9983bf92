#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Workers that run a program: the number of executions and the usage equal the kernel's account.
Also commands that are refused, and programs that fail.

    test_command.py TUIBENCH
"""

import csv
import ctypes
import errno
import glob
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import (DEADLINE, TUIBENCH, as_nobody, await_end_of, below, matches, quiet,
                     result, run, strace, workers)

MODELS = ("threads", "processes", "hybrid:2x2")
# The system call of each way to start a program.
WAYS = {"fork+exec": r"clone3?\((?!.*CLONE_VFORK).*SIGCHLD|fork\(",
        "vfork+exec": r"vfork\(",
        "posix_spawn": r"clone3?\(.*CLONE_VM\|CLONE_VFORK"}
# A program that uses CPU time, and little else.
BUSY = "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'"


def denying(number):
    """Returns a preexec_fn that makes a system call fail with EPERM, like the filter of a container."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = b"".join(struct.pack("HBBI", *one) for one in (
        (0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50000 | errno.EPERM),
        (0x06, 0, 0, 0x7fff0000)))
    words = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("HL", 4, ctypes.addressof(words)))

    def deny(_kept=words):
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
            raise OSError(ctypes.get_errno(), "no filter")
    return deny


class Runs(unittest.TestCase):
    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_each_worker_of_each_run_executes_it_once(self):
        for model in MODELS:
            trace = strace(self, "execve", "--command", "sleep 0.01", "-w", "program=4", "--models",
                           model)
            self.assertEqual(len(re.findall(r'execve\("[^"]*/sleep", \["sleep", "0.01"\]', trace)),
                             4, (model, trace))

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_program_that_fails_says_so_from_its_warm_up_on(self):
        done = subprocess.run([TUIBENCH, "--batch", "--no-log", "--trials", "1", "--models", "processes", "--command",
                               "sh -c 'printf \"no\\tfile\\n\" >&2; exit 3'"], timeout=DEADLINE, text=True,
                              capture_output=True, check=False)
        self.assertRegex(done.stderr, r"warm-up: [0-9.]+ .s, exit status 3\b")
        self.assertIn("exited with status 3 (no file)", done.stderr)

    def test_each_way_to_start_it_is_the_call_of_that_name(self):
        for way, call in WAYS.items():
            trace = strace(self, "execve,clone,clone3,fork,vfork", "--command", "sleep 0.01",
                           "-w", "program=4", "--models", way)
            programs = {line.split()[0] for line in trace.splitlines()
                        if re.search(r'execve\("[^"]*/sleep", \["sleep", "0.01"\]', line)}
            runner = {line.split()[0] for line in trace.splitlines() if "tuibench-runner" in line}
            self.assertEqual(len(programs), 4, (way, trace))
            # strace may split a call into two lines. The flags are in the first one.
            made = [line for line in trace.splitlines()
                    if line.split()[0] in runner and re.search(call, line)]
            self.assertEqual(len(made), 4, (way, trace))
            self.assertEqual(sum(len(re.findall(r"^\d+ +(?:clone3?|v?fork)\(", line, re.M))
                                 for line in trace.splitlines()
                                 if line.split()[0] in runner), 4, (way, trace))

    def test_each_way_is_a_model_with_its_workers_and_a_verdict_on_creation(self):
        session = result("--command", "sleep 0.02", "-w", "program=2", "--models",
                         "fork,vfork,posix_spawn,processes", "--trials", "1")
        self.assertEqual([one["model"] for one in sorted(session["runs"], key=lambda one: [
            "fork+exec", "vfork+exec", "posix_spawn", "processes"].index(one["model"]))],
            ["fork+exec", "vfork+exec", "posix_spawn", "processes"])
        for one in session["runs"]:
            self.assertEqual((one["workers"], one["finished"], one["joined"], one["status"]),
                             (2, 2, 2, "ok"))
            self.assertGreater(one["elapsed_ms"], 20)
            self.assertGreater(one["create_ms"], 0)
        session = result("--command", "true", "--models", "fork+exec,posix_spawn", "--trials", "6")
        self.assertTrue([c for c in session["comparisons"] if c["metric"] == "create_ms"])

    def test_a_call_that_waits_for_the_program_to_be_loaded_takes_as_long(self):
        for way in WAYS:
            for row in workers("--command", "sleep 0.05", "-w", "program=2", "--models",
                               way).values():
                times = [int(row[column]) for column in ("create_ns", "created_ns", "start_ns",
                                                         "work_ns", "finish_ns", "join_ns")]
                create, created, start, work, finish, join = times
                self.assertLessEqual(create, min(start, created))
                self.assertLessEqual(start, work)
                # If the parent has to wait for a core, its call returns late.
                self.assertGreater(finish - (create if way == "posix_spawn" else work), 0.05e9)
                self.assertLessEqual(finish, join)
                if way != "fork+exec":
                    self.assertLessEqual(work, created, way)
                self.assertEqual((row["status"], row["result"]), ("ok", "0"))

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU")
    def test_its_speedup_is_over_cores_and_no_other_number(self):
        """Only a number of cores has an ideal speedup: more workers may have more work."""
        def points(name):
            session = result("-c", f"sh -c 'exit 0' {{{name}}}", "-m", "processes", "-s", f"{name}=1..2", "--trials", "6")
            return [[at["cores"] for at in line["points"]] for line in session.get("speedup", [])]
        self.assertEqual(points("cores"), [[1, 2]])
        self.assertEqual(points("n"), [])
        self.assertEqual(points("threads"), [])

    def test_words_reach_it_as_a_shell_would_give_them(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "a b")
            script = os.path.join(folder, "say")
            with open(script, "w", encoding="utf-8") as file:
                file.write('#!/bin/sh\nout=$1; shift; printf "%s\\n" "$@" >"$out"\n')
            os.chmod(script, 0o755)
            for model in ("threads", "processes"):
                result("--command", f"{script} '{said}' one\\ word \"two 'words'\" '' \"a\\\"b\" 'c\\d' e'f'g",
                       "--models", model, "--trials", "1")
                with open(said, encoding="utf-8") as file:
                    self.assertEqual(file.read().splitlines(),
                                     ["one word", "two 'words'", "", 'a"b', "c\\d", "efg"])
                os.unlink(said)

    def test_it_has_no_files_but_the_three(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            for model in MODELS:
                result("--command", f"sh -c 'readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 "
                       f">{said}; ls /proc/$$/fd >>{said}'", "--models", model, "-w",
                       "program=4" if model[0] == "h" else "program=1", "--trials", "1")
                with open(said, encoding="utf-8") as file:
                    lines = file.read().split()
                # Standard error is a deleted file in memory.
                lines = [line for line in lines if line != "(deleted)"]
                self.assertEqual(lines[:3], ["/dev/null", said, "/memfd:tuibench-errors"], model)
                self.assertLessEqual(set(lines[3:]), {"0", "1", "2", "3", "10", "255"}, model)

    def test_its_end_is_its_own_and_not_that_of_who_is_joined_before(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "apart")
            # The program that comes first makes the folder and sleeps for a second. The others end at once.
            with open(script, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nmkdir $1 2>/dev/null && exec sleep 1\nexit 0\n")
            os.chmod(script, 0o755)
            for i, model in enumerate(MODELS):
                rows = workers("--command", f"{script} {folder}/{i}", "-w", "program=4", "--models",
                               model)
                took = sorted(int(row["finish_ns"]) - int(row["work_ns"])
                              for row in rows.values() if row.get("work_ns"))
                self.assertGreater(took[-1], 1e9, model)
                self.assertLess(took[-2], took[-1] - 0.3e9, model)

    def test_what_it_used_is_counted(self):
        def once():
            begin = os.times()
            subprocess.run(["sh", "-c", BUSY[7:-1]], check=True)
            end = os.times()
            alone = 1000 * (end.children_user + end.children_system - begin.children_user -
                            begin.children_system)
            for one in result("--command", BUSY, "-w", "program=2", "--models", "threads,processes",
                              "--trials", "1")["runs"]:
                self.assertGreater(one["cpu_ms"], 2 * alone * 0.7 - 20)
                self.assertLess(one["cpu_ms"], 2 * alone * 1.4 + 40)
        matches(self, once)

    def test_each_has_its_own_part_of_that(self):
        for model in ("threads", "processes"):
            rows = workers("--command", BUSY, "-w", "program=2", "--models", model)
            for row in rows.values():
                self.assertGreater(int(row["user_us"]) + int(row["system_us"]), 10000, model)
                self.assertEqual(row["result"], "0")

    def test_its_run_used_what_wait4_and_the_program_itself_say(self):
        script = ("import resource; u = resource.getrusage(resource.RUSAGE_SELF); "
                  "print(int(1e6 * (u.ru_utime + u.ru_stime)))")
        for model in (*MODELS[:2], *WAYS):
            with tempfile.TemporaryDirectory(dir="/tmp") as folder:
                log, said = os.path.join(folder, "log.csv"), os.path.join(folder, "said")
                run("-c", f"python3 -c '{script}'", "-m", model, "--trials", "1", "--warmup", "0",
                    "-s", f"output={said}", "--log", log)
                used, switches = {}, {}
                with open(log, encoding="utf-8", newline="") as file:
                    for row in csv.DictReader(file):
                        if row["user_us"] and row["record"] in ("end", "worker"):
                            used[row["record"]] = int(row["user_us"]) + int(row["system_us"])
                            switches[row["record"]] = row["nvcsw"], row["nivcsw"]
                with open(said, encoding="ascii") as file:
                    self.assertGreaterEqual(used["end"], int(file.read()), model)
                self.assertEqual(used["end"], used["worker"], model)
                self.assertEqual(switches["end"], switches["worker"], model)

    def test_several_are_compared_with_one_another(self):
        session = result("--command", "sleep 0.2", "--command", "true", "--trials", "6")
        self.assertEqual({one["model"] for one in session["runs"]}, {"sleep 0.2", "true"})
        pair, = [c for c in session["comparisons"] if c["metric"] == "elapsed_ms"]
        self.assertEqual(pair["verdict"], "b" if pair["b"] == "true" else "a")
        both = result("--command", "true", "--command", "sleep 0", "--models", "threads,processes",
                      "--trials", "1")
        self.assertEqual({(one["model"], one["variables"]["command"]) for one in both["runs"]},
                         {(m, c) for m in ("threads", "processes") for c in ("true", "sleep 0")})

    def test_a_program_has_no_capital_where_a_sentence_begins_with_it(self):
        for args in (("sleep 0.1", "true"), ("true", "sleep 0")):
            out, _ = run("--no-log", "--command", args[0], "--command", args[1], "--trials", "6")
            self.assertRegex(out, r"\] (sleep|true) ")
            self.assertNotIn("Sleep", out)
            self.assertNotIn("True", out)
        out, _ = run("--no-log", "--command", "true", "--models", "fork,vfork", "--trials", "2")
        self.assertRegex(out, r"] v?fork\+exec ")

    def test_python_is_compared_by_the_ways_that_are_installed(self):
        """This Python by other names; a script by a third is no Python."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("python3.13", "python3.13t"):
                os.symlink(os.path.realpath(sys.executable), os.path.join(folder, name))
            with open(os.path.join(folder, "python3.14"), "w") as file:
                file.write("#!/bin/false\n")
            os.chmod(file.name, 0o755)
            session = result("python", "-s", "env:SIZE=1000", "--trials", "1",
                             env={**os.environ, "PATH": folder})
        self.assertEqual({(one["model"], one["status"]) for one in session["runs"]},
                         {(model, "ok") for model in ("threads", "processes", "interpreters",
                                                      "threads, no GIL")})

    def test_the_script_of_python_runs_each_way(self):
        session = result("python", "-s", "env:SIZE=1000", "--trials", "1")
        self.assertLessEqual({"threads", "processes"}, {one["model"] for one in session["runs"]})
        self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})

    def test_it_stands_in_other_experiments(self):
        for args, n in ((("mixed",), 8), (("scaling", "-s", "workers=2..3"), 2),
                        (("scaling", "-s", "workers=2..3", "--models", "fork"), 2),
                        (("-w", "cpu=1,program=1", "-s", "cpu.size=1000", "--models",
                          "processes"), 2),
                        (("-s", "workers=3"), 3)):
            first = result("--command", "true", *args, "--trials", "1")["runs"][0]
            self.assertEqual((first["workers"], first["status"]), (n, "ok"), args)

    def test_the_recording_tells_it_again(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "command.csv")
            out, _ = run("--command", "sh -c 'exit 3; x=\"a,b\"'", "--command", "true",
                         "-s", "ignore-failure=yes", "--trials", "1", "--log", log, "--format", "json")
            again = subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True,
                                   check=True, timeout=DEADLINE)
            self.assertEqual(json.loads(again.stdout)["runs"], json.loads(out)["runs"])

    def test_names_in_braces_are_replaced_in_each_run(self):
        with tempfile.TemporaryDirectory() as folder:
            said, log = os.path.join(folder, "said"), os.path.join(folder, "command.csv")
            script = os.path.join(folder, "say it")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\nprintf "%s\\n" "$#:$1:$2:$3" >>{said}\n')
            os.chmod(script, 0o755)
            out, _ = run("--command", f"'{script}' {{n}} {{text}} {{trial}}", "-s", "n=2..3",
                         "-s", "text=a b,{{c}}", "--trials", "2", "--log", log, "--format", "json")
            session = json.loads(out)
            runs = {(one["variables"]["n"], one["variables"]["text"], one["trial"])
                    for one in session["runs"]}
            self.assertEqual(runs, {(n, text, trial) for n in (2, 3) for text in ("a b", "{{c}}")
                                    for trial in (1, 2)})
            with open(said, encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertEqual(sorted(lines), sorted(
                f"3:{n}:{text}:{trial}" for n in (2, 3) for text in ("a b", "{{c}}")
                for trial in (1, 2)))
            again = subprocess.run([TUIBENCH, "--export", "json", log], capture_output=True,
                                   check=True, timeout=DEADLINE)
            replayed = json.loads(again.stdout)
            self.assertEqual(replayed["runs"], session["runs"])
            self.assertEqual(replayed["answer"], session["answer"])
            self.assertEqual(replayed["settings"], {"n": "2..3", "text": "a b,{{c}}"})

    def test_a_name_with_blanks_and_braces_is_whole_in_the_answer(self):
        out, _ = run("--no-log", "--format", "json", "--command", "sh -c 'exit {n}'", "-s", "n=0,3",
                     "--trials", "1", status=1)
        self.assertIn("n=3 failed in its only trial", json.loads(out)["sentence"])
        # The sentence names the program, because the model is not the cause.
        for model in ("threads,processes", "processes"):
            out, _ = run("-c", "false", "-m", model, "--trials", "1", "--warmup", "0", "--batch",
                         "--no-log", "--format", "json", status=1)
            self.assertIn("false failed in its only trial", json.loads(out)["sentence"])
        self.assertNotIn("{n}", json.loads(out)["sentence"])
        session = result("--command", "sleep {n}", "-s", "n=0.001,0.1", "--trials", "6")
        self.assertIn("n=0.001", session["sentence"])
        self.assertNotIn("{n}", session["sentence"])

    def test_anybody_may_run_it(self):
        runs = result("--command", "true", "--trials", "1", **as_nobody(self, {}), cwd="/",
                      env={**os.environ, "HOME": "/nonexistent"})["runs"]
        self.assertEqual({one["status"] for one in runs}, {"ok"})


class Failures(unittest.TestCase):
    def said(self, command, model, *args, status=1):
        return run("--no-log", "--command", command, "--models", model, "--trials", "1", *args,
                   status=status)[1]

    def test_an_exit_status_fails_the_run_unless_that_is_ignored(self):
        for model in ("threads", "processes"):
            said = self.said("sh -c 'exit 3'", model)
            self.assertIn("the command of worker w1 exited with status 3; to accept that, use -s ignore-failure=yes", said)
            self.assertNotIn("exited with", self.said("sh -c 'exit 3'", model, "-s", "ignore-failure=yes",
                                                      status=0))
            self.assertIn("signal 9", self.said("sh -c 'kill -9 $$'", model, "-s", "ignore-failure=yes"))

    def test_runs_that_failed_are_named_in_every_format(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            mark = os.path.join(folder, "mark")
            every_other = f"sh -c 'rmdir {mark} || {{ mkdir {mark}; exit 3; }}'"
            for more, status, end in ((("--warmup", "0"), 1, "they are not counted"),
                                      (("-s", "ignore-failure=yes"), 0,
                                       "they are counted, because of -s ignore-failure=yes")):
                log = os.path.join(folder, f"log{status}.csv")
                run("--log", log, "-c", every_other, "-c", "true", "--trials", "6", *more,
                    status=status)
                for kind in ("table", "report", "markdown", "json", "html"):
                    said = " ".join(run("--export", kind, log)[0].split())
                    self.assertRegex(said, r"3 of 6 runs of .* failed \(exit status 3\); " + end, kind)

    def test_the_reason_of_several_failures_is_said_once(self):
        said = self.said("false", "processes", "--trials", "3", "--warmup", "0")
        self.assertEqual(said.count("ignore-failure"), 1, said)
        self.assertIn("failed again (3 times so far)", said)

    def test_one_that_never_ends_is_ended_with_all_that_it_started(self):
        for model in MODELS:
            with quiet("--command", "sh -c 'sleep 1000; true'", "--models", model, "-w", "program=4",
                       "--trials", "1") as program:
                until = time.monotonic() + DEADLINE
                while time.monotonic() < until and not any(
                        name == "sleep" for _, name in below(program.pid)):
                    time.sleep(0.01)
                tasks = [task for task, _ in below(program.pid)]
                program.send_signal(signal.SIGINT)
                self.assertEqual(program.wait(DEADLINE), 128 + signal.SIGINT)
                for task in tasks:
                    await_end_of(self, task)

    def test_what_cannot_be_executed_is_told_alike_by_every_model(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, words in ((b"\1\2\3", "neither a program for this machine"),
                                (b"#!/no/such\n", "does not exist")):
                script = os.path.join(folder, "script")
                with open(script, "wb") as file:
                    file.write(text)
                os.chmod(script, 0o755)
                for model in (*MODELS[:2], *WAYS):
                    said = self.said(script, model)
                    self.assertIn(f"w1 program could not run its command: ", said, model)
                    self.assertIn(words, said, model)

    @unittest.skipUnless(shutil.which("setsid"), "needs setsid")
    def test_what_it_leaves_behind_is_ended_with_the_run_and_told(self):
        with tempfile.TemporaryDirectory() as folder:
            left = os.path.join(folder, "left")
            for before in ("", "setsid "):
                for model in (*MODELS[:2], *WAYS):
                    # The process writes its PID before its parent ends.
                    said = self.said(f"sh -c '{before}sh -c \"echo \\$\\$ >{left}; exec sleep 1000\" "
                                     f"& while [ ! -s {left} ]; do sleep 0.01; done'", model,
                                     status=0)
                    self.assertIn("1 process that outlived it", said, (before, model))
                    with open(left, encoding="utf-8") as file:
                        self.assertFalse(os.path.exists(f"/proc/{int(file.read())}"))
                    os.unlink(left)
            self.assertNotIn("outlived it", self.said("true", "processes", status=0))

    def test_a_failure_has_the_last_line_of_standard_error(self):
        for command, words in (("ls /no/such/file", "(ls: cannot access '/no/such/file': No such file"),
                               # If \r overwrites a line, only its end is shown, without control characters.
                               ("sh -c 'printf \"50 %%\\r\\033[31;1mno room\\033[0m\\a\\n\\n\" >&2; "
                                "exit 3'", "(no room?)"),
                               ("sort --nonsense", "(sort: unrecognized option '--nonsense')"),
                               ("sh -c 'echo try --help >&2; exit 3'", "(try --help)"),
                               ("sh -c 'yes line | head -c 3000000 >&2; echo end >&2; exit 3'", "(end)"),
                               ("sh -c 'echo about to die >&2; kill -9 $$'", "Killed; about to die)")):
            for model in ("threads", "processes", "posix_spawn"):
                said = self.said(command, model)
                self.assertIn(words, said, (command, model))
                self.assertNotIn("\033", said)
        self.assertNotIn("secret", self.said("sh -c 'echo secret >&2; exit 3'", "threads",
                                             "-s", "anonymous=yes"))

    def test_a_program_reads_the_file_that_it_is_given_from_its_beginning(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            data, out = os.path.join(folder, "in"), os.path.join(folder, "out")
            with open(data, "w", encoding="utf-8") as file:
                file.write("one\ntwo\n")
            for model in (*MODELS, *WAYS):
                workers = 4 if model in MODELS else 2
                result("-c", "cat", "-w", f"program={workers}", "-m", model, "--trials", "1", "-s",
                       f"input={data}", "-s", f"output={out}")
                with open(out, encoding="utf-8") as file:
                    self.assertEqual(sorted(file.read().split()),
                                     sorted(["one", "two"] * workers), model)
            # A long output does not fill the pipe, because tuibench drains it.
            session = result("-c", "head -c 3000000 /dev/zero", "--trials", "1", "-s", "output=pipe",
                             "-m", "processes")
            one, = session["runs"]
            self.assertGreaterEqual(one["written_kb"], 2929)
            self.assertIsNotNone(one["drain_cpu_ms"])

    def test_a_program_that_reads_nothing_is_named(self):
        for command, reads in (("cat", True), ("sh -c 'read x; true'", True),
                               ("sh -c 'sort | wc -l'", True), ("sleep 0.01", False),
                               ("sh -c 'cat </etc/passwd'", False), ("sh -c 'cat &'", False)):
            session = result("-c", command, "--trials", "1", "--warmup", "1", "-m", "processes")
            kinds = [one["kind"] for one in session["warnings"]]
            self.assertEqual("input" in kinds, reads, command)
        session = result("-c", "cat", "-s", "input=/etc/passwd", "--trials", "1", "--warmup", "1", "-m",
                         "processes")
        self.assertNotIn("input", [one["kind"] for one in session["warnings"]])

    @unittest.skipUnless(os.uname().machine in ("x86_64", "aarch64"), "the numbers of others differ")
    def test_without_a_pidfd_a_run_is_measured_as_well(self):
        """Filters of containers may refuse pidfd_open(2) with EPERM."""
        for model in ("threads", "processes"):
            session = result("-c", "sleep 0.05", "--trials", "2", "-m", model,
                             preexec_fn=denying(434))
            for one in session["runs"]:
                self.assertEqual((one["status"], one["finished"]), ("ok", 1), model)
                self.assertGreaterEqual(one["elapsed_ms"], 50)

    def leavers(self, folder):
        """Yields programs that end before their children: (command, number of processes that remain)."""
        script = os.path.join(folder, "fork.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("import os, sys, time\n"
                       "for i in range(2):\n"
                       "    if os.fork() == 0:\n"
                       "        if sys.argv[1:]:\n"
                       "            os.setsid()\n"
                       "            if os.fork():\n"
                       "                os._exit(0)\n"
                       "        time.sleep(1)\n"
                       "        os._exit(0)\n"
                       "if sys.argv[1:]:\n"
                       "    os.wait(), os.wait()\n")
        return ((f"{sys.executable} {script}", 2), (f"{sys.executable} {script} daemons", 2),
                ("sh -c 'sleep 1 & true'", 1), ("sh -c '(sleep 1; true) & sleep 0.3'", 2))

    def test_a_program_that_ends_before_its_children_wins_nothing(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            for command, left in self.leavers(folder):
                session = result("-c", command, "-c", "sleep 2", "--trials", "2")
                own = [one for one in session["runs"] if one["model"] != "sleep 2"]
                self.assertEqual({one["left_running"] for one in own}, {left}, command)
                self.assertEqual({one["left_running"] for one in session["runs"] if one not in own},
                                 {0})
                self.assertEqual(session["badge"], "NO RESULT", command)
                self.assertIn("still running when", session["sentence"])
                self.assertEqual([one["kind"] for one in session["warnings"]
                                  if one["kind"] == "left_running"], ["left_running"])

    def test_waiting_for_all_measures_until_the_last_one_ends(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            for command, _ in self.leavers(folder):
                for model in (*MODELS[:2], *WAYS):
                    session = result("-c", command, "-m", model, "--trials", "1",
                                     "--warmup", "0", "-s", "wait=all")
                    one, = session["runs"]
                    self.assertEqual((one["left_running"], one["status"]), (0, "ok"),
                                     (command, model))
                    self.assertGreaterEqual(one["elapsed_ms"], 1000, (command, model))

    def test_every_format_says_first_that_processes_still_ran(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            log = os.path.join(folder, "log.csv")
            run("--log", log, "-c", "sh -c 'sleep 1 & true'", "--trials", "2")
            for kind in ("table", "report", "markdown", "json", "html", "csv", "svg"):
                said, _ = run("--export", kind, log)
                words = "left_running" if kind == "csv" else "still running when"
                if kind == "svg": # in an SVG, each word has its own element
                    said = re.sub("<[^>]*>", " ", said)
                self.assertTrue(words in " ".join(said.split()), kind)

    @unittest.skipUnless(shutil.which("setsid"), "needs setsid")
    def test_what_it_leaves_behind_ends_when_the_session_is_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            left = os.path.join(folder, "left")
            for model in (*MODELS[:2], *WAYS):
                with quiet("--command", f"sh -c \"setsid sh -c 'trap : TERM; echo \\$\\$ >{left}; "
                           "exec sleep 1000' & exec sleep 1000\"", "--models", model) as program:
                    until = time.monotonic() + DEADLINE
                    while time.monotonic() < until and not (os.path.exists(left) and
                                                            os.path.getsize(left)):
                        time.sleep(0.01)
                    program.send_signal(signal.SIGTERM)
                    self.assertEqual(program.wait(DEADLINE), 128 + signal.SIGTERM)
                with open(left, encoding="utf-8") as file:
                    self.assertFalse(os.path.exists(f"/proc/{int(file.read())}"), model)
                os.unlink(left)

    @unittest.skipUnless(shutil.which("setsid"), "needs setsid")
    def test_a_daemon_ends_with_a_front_end_that_is_killed(self):
        self.check_daemon({})

    @unittest.skipUnless(shutil.which("setsid"), "needs setsid")
    @unittest.skipUnless(os.geteuid() == 0, "the same user")
    def test_a_daemon_ends_with_the_killed_front_end_of_a_plain_user(self):
        """This user may create no cgroup."""
        self.check_daemon(as_nobody(self, {}))

    def check_daemon(self, more):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.chmod(folder, 0o777)
            left = os.path.join(folder, "left")
            with quiet("--command", f"sh -c \"setsid sh -c 'echo \\$\\$ >{left}; exec sleep 1000' & "
                       "exec sleep 1000\"", cwd="/", **more) as program:
                until = time.monotonic() + DEADLINE
                while time.monotonic() < until and not (os.path.exists(left) and
                                                        os.path.getsize(left)):
                    time.sleep(0.01)
                program.kill()
                program.wait(DEADLINE)
            with open(left, encoding="utf-8") as file:
                await_end_of(self, int(file.read()))

    def test_it_has_no_terminal_to_write_to_or_to_wait_for(self):
        for command in ("sh -c 'exec 3>/dev/tty; echo XYZZY >&3'", "sh -c 'read x </dev/tty'"):
            for option in ("--command=", "--set=prepare="):
                more = [] if option == "--command=" else ["--command", "true"]
                pid, fd = pty.fork()
                if pid == 0:
                    os.execv(TUIBENCH, [TUIBENCH, "--batch", "--no-log", "--trials", "1",
                                        "--models", "processes", option + command, *more])
                said = b""
                while True:
                    self.assertTrue(select.select([fd], [], [], DEADLINE)[0], (option, command))
                    try:
                        part = os.read(fd, 65536)
                    except OSError:
                        break
                    said += part
                    if not part:
                        break
                os.close(fd)
                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 1, said)
                self.assertNotIn(b"XYZZY\r", said.replace(b"echo XYZZY", b""))
                self.assertRegex(said, rb"(exited|ended) with (exit )?status")

    @unittest.skipUnless(shutil.which("setsid"), "needs setsid")
    def test_what_was_there_before_goes_on(self):
        with subprocess.Popen(["sh", "-c", "setsid sleep 1000 >/dev/null & echo $!; exec \"$@\"", "sh",
                               TUIBENCH, "--batch", "--no-log", "--trials", "1", "--command",
                               "true"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as program:
            other = int(program.stdout.readline())
            program.stdout.read()
            self.assertEqual(program.wait(DEADLINE), 0)
            with open(f"/proc/{other}/comm", encoding="utf-8") as file:
                self.assertEqual(file.read(), "sleep\n")
            os.kill(other, signal.SIGKILL)


class Memory(unittest.TestCase):
    def test_what_runs_is_ended_before_the_front_end_where_memory_runs_out(self):
        with tempfile.TemporaryDirectory() as folder:
            script, seen = os.path.join(folder, "script"), os.path.join(folder, "seen")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\ncat /proc/self/oom_score_adj >>{seen}\n")
            os.chmod(script, 0o755)
            with open("/proc/self/oom_score_adj", encoding="utf-8") as file:
                before = file.read()
            for model in (*MODELS[:2], *WAYS):
                run("--no-log", "--trials", "1", "--models", model, "--command", script)
            with open(seen, encoding="utf-8") as file:
                self.assertEqual(set(file.read().split()), {"1000"})
            with open("/proc/self/oom_score_adj", encoding="utf-8") as file:
                self.assertEqual(file.read(), before)


# Two processes that pass a byte back and forth, so that each of them mostly waits.
PING_PONG = """import os
there, back = os.pipe(), os.pipe()
child = os.fork()
for i in range(20000):
    if child:
        os.write(there[1], b"x")
        os.read(back[0], 1)
    else:
        os.read(there[0], 1)
        os.write(back[1], b"x")
os._exit(0)
"""


class Switches(unittest.TestCase):
    def watched(self, *args):
        """Returns how slices were recorded after the warm-up, and the warnings about it."""
        json = result("--trials", "1", "--models", "processes", *args, "--warmup", "1")
        said = [one["text"] for one in json["warnings"] if one["kind"] == "watched"]
        return json["sched"], said

    def setUp(self):
        if self.watched("-c", BUSY)[0]["source"] != "perf":
            self.skipTest("the kernel's records are not allowed")
        file = tempfile.NamedTemporaryFile("w", suffix=".py")
        self.addCleanup(file.close)
        file.write(PING_PONG)
        file.flush()
        self.program = f"{sys.executable} {file.name}"

    def test_a_program_that_switches_much_is_not_recorded_unasked(self):
        sched, said = self.watched("-c", self.program)
        cost = sched["watched"]
        self.assertGreater(cost["switches_per_s"], 0)
        self.assertEqual(cost["avoided"], cost["share"] >= 0.02)
        self.assertEqual(sched["source"], "own" if cost["avoided"] else "perf")
        if cost["avoided"]:
            self.assertRegex(said[0], "-s sched=perf (does|records them)")
            self.assertFalse(sched["wakes"])

    def test_warm_ups_without_a_cgroup_show_what_the_rest_of_watching_costs(self):
        with tempfile.NamedTemporaryFile("r") as seen:
            with open(self.program.split()[1], "a+", encoding="utf-8") as file:
                file.seek(0)
                again = file.read()
                file.truncate(0)
                file.write(f"open({seen.name!r}, 'a').write('/tuibench-' in open('/proc/self/cgroup').read() and '1' or '0')\n")
                file.write(again)
            sched, said = self.watched("-c", self.program)
            in_cgroup = seen.read()
        watched = sched["watched"]
        if not watched["avoided"]:
            self.skipTest("recording costs little here")
        if in_cgroup[0] == "1":
            self.assertEqual(in_cgroup, "1" "0110011001" "1")
        else:
            self.assertEqual(len(in_cgroup), 12)
        low, high = watched["slowdown_low"], watched["slowdown_high"]
        self.assertTrue(0 < low <= high, watched)
        slowed = (watched["slowdown"] or 1) >= 1.03 and low > 1
        self.assertEqual("being watched makes it take" in said[0], slowed)
        if slowed:
            self.assertIn(f"{watched['slowdown']:.2f}x as long ({low:.2f}x to {high:.2f}x)", said[0])

    def test_it_is_recorded_where_that_was_asked_for_and_the_cost_is_said(self):
        sched, said = self.watched("-c", self.program, "-s", "sched=perf")
        self.assertEqual(sched["source"], "perf")
        self.assertFalse(sched["watched"]["avoided"])
        # The time of a record is unknown if other programs slowed the measurement more than the records did.
        known = sched["watched"]["record_ns"] is not None
        if known:
            self.assertGreater(sched["watched"]["record_ns"], 0)
        self.assertTrue(all(("as measured here" in one) == known for one in said), said)

    def test_another_warm_up_without_records_shows_what_recording_costs(self):
        args = ("-c", self.program, "-s", "sched=perf", "--trials", "1", "--warmup", "1", "-m", "processes")
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "a.csv")
            first = json.loads(run("--log", log, "--format", "json", *args)[0])
            again = json.loads(run("--export", "json", log)[0])
            with open(log, encoding="utf-8") as file:
                ends = [line.split(",") for line in file if line.startswith("end,")]
        watched = first["sched"]["watched"]
        self.assertEqual(again["sched"]["watched"], watched)
        if watched["share"] < 0.02:
            self.skipTest("recording costs little here")
        self.assertEqual([cells[3] for cells in ends], ["0"] * 11 + ["1"])
        said = [one["text"] for one in first["warnings"] if one["kind"] == "watched"][0]
        slowdown = watched["slowdown"]
        if slowdown is None:
            self.assertIn("% of its time", said)
        else:
            low, high = watched["slowdown_low"], watched["slowdown_high"]
            self.assertTrue(low <= slowdown <= high, watched)
            self.assertIn(f"took {slowdown:.2f}x as long ({low:.2f}x to {high:.2f}x)", said)
        self.assertEqual(said, [one["text"] for one in again["warnings"] if one["kind"] == "watched"][0])

    def test_one_that_seldom_switches_keeps_its_records(self):
        sched, said = self.watched("-c", BUSY)
        self.assertIsNone(sched["watched"])
        self.assertEqual(said, [])


class Refusals(unittest.TestCase):
    def test_what_cannot_be_run_is_told_before_anything_starts(self):
        for args, words in ((("--command", "no-such-program x"), ["no-such-program", "PATH"]),
                            (("--command", "/no/such"), ["/no/such", "does not exist"]),
                            (("--command", "/etc/passwd"), ["/etc/passwd", "chmod"]),
                            (("--command", "/etc"), ["/etc", "directory"]),
                            (("--command", "echo 'x"), ["quote"]),
                            (("--command", "ls | wc"), ["|", "sh -c"]),
                            (("--command", "  "), ["names no program"]),
                            (("--command", "true", "-w", "program=0"), ["-w program=2"]),
                            (("--command", "true", "creation"), ["creation"]),
                            (("--command", "true", "crash"), ["crash"]),
                            (("--command", "true", "pool"), ["pool"]),
                            (("--command", "true", "--tree", "2x2"), ["tree"]),
                            (("--command", "true", "--models", "clone"), ["clone", "fork+exec"]),
                            (("--models", "fork+exec"), ["fork+exec", "needs -c"]),
                            (("--command", "true", "-w", "cpu=1,program=1", "--models", "vfork"),
                             ["vfork", "needs -c"]),
                            (("-s", "prepare=/etc", "-w", "cpu=1"), ["-s prepare", "directory"]),
                            (("-s", "prepare=no-such-program"), ["-s prepare", "PATH"]),
                            (("-s", "prepare=a | b"), ["-s prepare", "|"]),
                            (("-s", "command=true,false"), ["-s command", "is not a setting"]),
                            (("-w", "program=2"), ["-c 'PROGRAM"]),
                            (("-s", "ignore-failure=yes"), ["-s ignore-failure", "programs (-c)"])):
            _, said = run("--no-log", *args, status=2)
            self.assertEqual(len(said.splitlines()), 1, said)
            for word in words:
                self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
