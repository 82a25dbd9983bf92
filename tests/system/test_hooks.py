#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that run before and after a command, and the files that the command reads and writes.

    test_hooks.py TUIBENCH
"""

import csv
import fcntl
import hashlib
import io
import json
import os
import pty
import re
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, TUIBENCH, await_end_of, below, matches, quiet, result, run

# Uses a core for 0.3 s.
BURN = f"{sys.executable} -Sc 'import time; exec(\"while time.process_time() < 0.3: pass\")'"
# Ends at once, but its child uses a core until it is killed.
ORPHAN = "sh -c 'sh -c \"while :; do :; done\" & exit 0'"


def said_in(folder):
    with open(os.path.join(folder, "said"), encoding="utf-8") as file:
        return file.read().split()


class Hooks(unittest.TestCase):
    def test_each_run_is_prepared_and_each_configuration_set_up_and_cleaned_up_once(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            hooks = [part for name in ("setup", "prepare", "cleanup")
                     for part in ("-s", f"{name}=sh -c 'echo {name}-$WHICH >>{said}'")]
            for args in (("-c", f"sh -c 'echo run-$WHICH >>{said}'", "-m", "processes"),
                         ("-w", "cpu=1", "-s", "cpu.size=1000", "-m", "processes")):
                session = result(*hooks, *args, "-s", "env:WHICH=a,b", "--trials", "2", "--warmup", "1")
                self.assertEqual([one["status"] for one in session["runs"]], ["ok"] * 4)
                runs = "-c" in args
                each = [part for which in "ab" for part in (["prepare-" + which] + ["run-" + which] * runs)]
                self.assertEqual(said_in(folder), ["setup-a", *each[:1 + runs], "setup-b", *each[1 + runs:],
                                                   *each * 2, "cleanup-a", "cleanup-b"])
                os.unlink(said)

    def test_the_screen_names_the_one_that_takes_long(self):
        """Each hook waits until the test has seen its name on the screen."""
        with tempfile.TemporaryDirectory() as folder:
            seen = {name: os.path.join(folder, name) for name in ("setup", "prepare", "cleanup")}
            hooks = [part for name, path in seen.items()
                     for part in ("-s", f"{name}=sh -c 'until [ -e {path} ]; do sleep 0.1; done'")]
            pid, terminal = pty.fork()
            if pid == 0:
                os.execvpe(TUIBENCH, ["tuibench", "--no-log", "--exit", "--no-color", "--name", "one", "-c", "true", "-m",
                                      "processes", "-n", "1", "--warmup", "0", *hooks],
                           {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"})
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 36, 120, 0, 0))
            shown, deadline = b"", time.monotonic() + DEADLINE
            while time.monotonic() < deadline:
                try:
                    shown += os.read(terminal, 65536)
                except OSError:
                    break
                for name, path in seen.items():
                    if f"{name} of one runs, ".encode() in shown:
                        open(path, "w", encoding="ascii").close()
            self.assertEqual(os.waitpid(pid, 0)[1], 0)
            self.assertEqual(sorted(os.listdir(folder)), ["cleanup", "prepare", "setup"])

    def test_no_figure_of_a_run_has_any_of_it(self):
        """A run includes neither the hook itself nor a process that the hook leaves running."""
        def once():
            for hook in (BURN, ORPHAN):
                for name in ("setup", "prepare", "cleanup"):
                    for one in result("-c", "true", "-m", "posix_spawn,processes,threads", "--trials", "1",
                                      "-s", f"{name}={hook}")["runs"]:
                        self.assertLess(one["cpu_ms"], 100, name)
                        self.assertEqual(one["tasks_created"], 1, name)
        matches(self, once)
        for name, times in (("setup", 3), ("prepare", 3), ("cleanup", 3)):
            begin = time.monotonic()
            runs = result("-c", "true", "-m", "posix_spawn,processes,threads", "--trials", "1", "-s",
                          f"{name}=sleep 0.2")["runs"]
            took = time.monotonic() - begin
            self.assertGreater(took, 0.2 * times)
            self.assertLess(sum(one["elapsed_ms"] for one in runs), 1000 * (took - 0.2 * times), name)

    def test_the_memory_of_a_run_is_not_that_of_what_prepared_it(self):
        grow = f"{sys.executable} -Sc 'x = bytearray(200 << 20)'"

        def once():
            one, = result("-c", "sleep 0.2", "-m", "processes", "--trials", "1", "-s", f"prepare={grow}")["runs"]
            self.assertLess(one["memory"]["rss_kb"], 50 << 10)
            self.assertLess(one["memory"]["pss_kb"] or 0, 50 << 10)
        matches(self, once)

    def test_it_can_be_swept(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            session = result("-c", "true", "-m", "processes", "--trials", "1", "-s", f"prepare=touch {said},true")
            self.assertEqual({one["variables"]["prepare"] for one in session["runs"]},
                             {f"touch {said}", "true"})
            self.assertTrue(os.path.exists(said))

    def test_one_that_fails_ends_the_session_with_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            for name in ("setup", "prepare", "cleanup"):
                for hook, words in (("sh -c 'echo one >&2; echo two >&2; exit 3'", "(sh) ended with exit status 3: two"),
                                    ("sh -c 'kill -9 $$'", "(sh) was ended by signal 9 (Killed)"),
                                    ("sh -c 'exit 130'", "(sh) ended with status 130, 128 + signal 2 (Interrupt)")):
                    _, told = run("--no-log", "-c", f"touch {said}", "-m", "processes", "--trials", "3", "-s",
                                  f"{name}={hook}", status=1)
                    lines = [line for line in told.splitlines() if "-s " + name in line]
                    self.assertEqual(lines, [f"tuibench: processes: -s {name} {words}"])
                    self.assertEqual(os.path.exists(said), name == "cleanup")
            os.unlink(said)

    def test_what_could_be_set_up_is_cleaned_up(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            clean = ("-s", f"cleanup=sh -c 'echo $WHICH >>{said}'", "-s", "env:WHICH=a,b")
            run("--no-log", "-c", "true", "-m", "processes", "--trials", "1", *clean, "-s",
                "setup=sh -c 'test $WHICH = a'", status=1)
            self.assertEqual(said_in(folder), ["a"])
            os.unlink(said)
            run("--no-log", "-c", "true", "-m", "processes", "--trials", "1", *clean, "-s", "prepare=false", status=1)
            self.assertEqual(said_in(folder), ["a"])

    def test_a_session_ends_while_one_goes_on_and_is_cleaned_up(self):
        for name in ("setup", "prepare"):
            with tempfile.TemporaryDirectory() as folder:
                said = os.path.join(folder, "said")
                with quiet("-c", "true", "-m", "processes", "-s", f"{name}=sh -c 'setsid sleep 1000 & sleep 1000'", "-s",
                           f"cleanup=touch {said}") as program:
                    until = time.monotonic() + DEADLINE
                    tasks = []
                    while time.monotonic() < until and len(tasks) < 2:
                        tasks = [task for task, name_of in below(program.pid) if name_of == "sleep"]
                        time.sleep(0.01)
                    program.send_signal(signal.SIGINT)
                    self.assertEqual(program.wait(DEADLINE), 128 + signal.SIGINT)
                    for task in tasks:
                        await_end_of(self, task)
                # After an interrupted setup, there is no cleanup.
                self.assertEqual(os.path.exists(said), name == "prepare")

    @unittest.skipUnless(shutil.which("setsid"), "needs setsid")
    def test_what_it_leaves_running_ends_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            result("-c", f"sh -c 'kill -0 $(cat {said}) && exit 1; exit 0'", "-m", "processes", "--trials", "1", "-s",
                   f"prepare=sh -c \"setsid sh -c 'echo \$\$ >{said}; exec sleep 1000' & "
                   f"until test -s {said}; do :; done\"")

    def test_none_is_named_in_an_anonymous_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("setup", "prepare", "cleanup"):
                log, program = os.path.join(folder, name), os.path.join(folder, "plantname")
                with open(program, "w", encoding="utf-8") as file:
                    file.write("#!/bin/sh\necho plantsaid >&2\nexit 3\n")
                os.chmod(program, 0o755)
                run("-c", "true", "-m", "processes", "--trials", "1", "-s", f"{name}=plantname", "-s", "anonymous=yes",
                    "-o", log, status=1, env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
                with open(log, encoding="utf-8") as file:
                    text = file.read()
                self.assertIn(f"-s {name} ended with exit status 3", text)
                self.assertNotIn("plant", text)

    def test_what_cannot_be_run_is_told_before_anything_starts(self):
        for name in ("setup", "prepare", "cleanup"):
            _, told = run("--no-log", "-c", "true", "-s", f"{name}=no-such-program", status=2)
            self.assertIn(f"-s {name}: \"no-such-program\" is not in PATH", told)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Streams(unittest.TestCase):
    def test_a_gigabyte_arrives_as_it_was_printed(self):
        """Relative names of files are relative to the folder of the session."""
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            if shutil.disk_usage(folder).free < 4 << 30:
                self.skipTest("needs 4 GiB")
            with open(os.path.join(folder, "in"), "wb") as file:
                block = os.urandom(1 << 20)
                for i in range(1024):
                    file.write(block[i:] + block[:i])
            session = result("-c", "cat", "-m", "processes", "--trials", "1", "-s", "input=in", "-s",
                             "output=null,pipe,out", cwd=folder)
            self.assertEqual([one["variables"]["output"] for one in session["runs"]], ["null", "pipe", "out"])
            self.assertEqual(digest(os.path.join(folder, "in")), digest(os.path.join(folder, "out")))
            for one in session["runs"]:
                self.assertEqual(one["status"], "ok")
                self.assertGreaterEqual(one["written_kb"], 1 << 20)
                # The cost of draining the pipe is reported separately.
                self.assertEqual(one["drain_cpu_ms"] is not None, one["variables"]["output"] == "pipe")

    def test_the_recording_is_no_output(self):
        with tempfile.TemporaryDirectory() as folder:
            for log, output in [("r.csv", "r.csv"), ("r.csv", "./r.csv"), ("./r.csv.zst", "null,r.csv.zst")]:
                said = run("-c", "echo text", "--trials", "1", "-o", log, "-s", "output=" + output, status=2,
                           cwd=folder)[1]
                self.assertIn("is also the recording, and each run would empty it; name another file", said)
                self.assertEqual(os.listdir(folder), [])

    def test_what_cannot_be_read_or_written_is_told_before_anything_starts(self):
        with tempfile.TemporaryDirectory() as folder:
            data, fifo = os.path.join(folder, "data"), os.path.join(folder, "fifo")
            with open(data, "w", encoding="utf-8") as file:
                file.write("kept\n")
            os.mkfifo(fifo)
            os.symlink(data, os.path.join(folder, "link"))
            for args, words in ((["input=" + folder + "/none"], "no such file"),
                                (["input=" + folder], "is a directory"), (["input=" + fifo], "is not a file"),
                                (["output=" + folder], "is a directory"),
                                (["output=" + folder + "/none/x"], "No such file"),
                                (["input=" + data, "output=" + folder + "/link"], "the same file as -s input"),
                                (["input=null," + data, "output=pipe," + data], "the same file as -s input")):
                _, told = run("--no-log", "-c", "cat", *(part for one in args for part in ("-s", one)), status=2)
                self.assertEqual(len(told.splitlines()), 1)
                self.assertIn(words, told)
            with open(data, encoding="utf-8") as file:
                self.assertEqual(file.read(), "kept\n")

    def test_what_a_setup_makes_need_not_be_there_before(self):
        with tempfile.TemporaryDirectory() as folder:
            one, = result("-c", "./made", "-m", "processes", "--trials", "1", "-s", "input=in", "-s", "output=out",
                          "-s", "setup=cp /bin/cat made", "-s", "prepare=cp made in", cwd=folder)["runs"]
            self.assertEqual(one["status"], "ok")
            self.assertEqual(digest("/bin/cat"), digest(os.path.join(folder, "out")))

    def test_what_is_gone_before_a_run_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for model in ("threads", "processes", "posix_spawn"):
                for gone, words in (("in", "its input (in): No such file or directory"), ("made", "it does not exist")):
                    for name in ("in", "made"):
                        shutil.copy("/bin/cat", os.path.join(folder, name))
                    _, told = run("--no-log", "-c", "./made", "-m", model, "--trials", "1", "-s", "input=in", "-s",
                                  f"prepare=rm -f {gone}", cwd=folder, status=1)
                    self.assertIn("could not run its command: " + words, told, model)

    @unittest.skipUnless(os.geteuid() == 0, "mounts a file system")
    def test_a_full_disk_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], check=False).returncode:
                self.skipTest("may not mount")
            try:
                out = ("-m", "processes", "--trials", "2", "-s", f"output={folder}/out")
                told = run("--no-log", "-c", "head -c 3000000 /dev/zero", *out, status=1)[1].splitlines()
                self.assertEqual(len([line for line in told if "No space left on device" in line]), 1)
                self.assertEqual(len([line for line in told if "failed again (2 times so far)" in line]), 1)
                told = run("--no-log", "-c", "sh -c 'head -c 3000000 /dev/zero; true'", *out)[1].splitlines()
                self.assertEqual(len([line for line in told if "the disk of -s output is full" in line]), 1)
            finally:
                subprocess.run(["umount", folder], check=True)

    def test_files_have_no_name_in_an_anonymous_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy("/etc/passwd", os.path.join(folder, "plantin"))
            log = os.path.join(folder, "log")
            run("-c", "cat", "-m", "processes", "--trials", "1", "-s", "input=plantin,null", "-s", "output=plantout",
                "-s", "anonymous=yes", "-o", log, cwd=folder)
            with open(log, encoding="utf-8") as file:
                self.assertNotIn("plant", file.read())
            run("-c", "cat", "-m", "processes", "--trials", "1", "-s", "input=plantin", "-o", log + "2", cwd=folder)
            with open(log + "2", encoding="utf-8") as file:
                self.assertIn("input=plantin", file.read())


class Names(unittest.TestCase):
    """Names in braces are replaced, like in a command."""

    def test_each_configuration_has_its_values_in_all_that_surrounds_it(self):
        with tempfile.TemporaryDirectory() as folder:
            runs = result("-c", "cat", "-s", "n=1,2", "--trials", "2", "-s", "setup=sh -c 'echo set-{n} >in-{n}'", "-s",
                          "prepare=sh -c 'echo {trial} >>trials-{n}'", "-s", "input=in-{n}", "-s", "output=out-{n}-{trial}",
                          "-s", "cleanup=rm in-{n}", cwd=folder)["runs"]
            self.assertEqual([(one["status"], one["variables"]) for one in runs],
                             [("ok", {"n": 1}), ("ok", {"n": 2})] * 2)
            self.assertEqual(sorted(os.listdir(folder)), ["out-1-1", "out-1-2", "out-2-1", "out-2-2", "trials-1", "trials-2"])
            for n in "12":
                for name, text in ((f"trials-{n}", "1\n2\n"), (f"out-{n}-2", f"set-{n}\n")):
                    with open(os.path.join(folder, name), encoding="ascii") as file:
                        self.assertEqual(file.read(), text)

    def test_a_name_without_a_value_is_refused(self):
        for name in ("setup", "prepare", "cleanup", "input", "output"):
            _, told = run("--no-log", "-c", "cat", "-s", name + "=true{m}", status=2)
            self.assertIn(f'-s {name}: "true{{m}}" has {{m}} without a value', told)

    def test_a_file_that_two_names_come_to_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a"), "w", encoding="ascii") as file:
                file.write("kept")
            _, told = run("--no-log", "-c", "cat", "--trials", "1", "-s", "n=a,b", "-s", "input={n}", "-s", "output=a",
                          cwd=folder, status=1)
            self.assertIn("-s output names the same file as -s input, so the run would empty it", told)
            with open(os.path.join(folder, "a"), encoding="ascii") as file:
                self.assertEqual(file.read(), "kept")


SERVER = "sh -c 'while :; do :; done'"


class Ends(unittest.TestCase):
    """Programs that do not end by themselves."""

    def test_it_is_ended_and_measured_and_its_time_is_no_result(self):
        for model in ("threads", "processes", "hybrid:2x2", "fork+exec", "vfork+exec", "posix_spawn"):
            for one in result("-c", SERVER, "-w", "program=4", "-m", model, "--trials", "2", "-s", "for=300ms")["runs"]:
                self.assertEqual((one["status"], one["failed"]), ("ok", 0), model)
                self.assertIsNone(one["elapsed_ms"])
                self.assertIsNone(one["path"]["working_ms"])
                self.assertGreaterEqual(one["cut_ms"], 300)
                self.assertGreater(one["cpu_ms"], 0)
                self.assertGreater(one["memory"]["rss_kb"], 0)

    def test_what_it_used_is_as_the_kernel_counts_it(self):
        def once():
            with tempfile.TemporaryDirectory() as folder:
                said = os.path.join(folder, "said")
                script = os.path.join(folder, "serve.py")
                with open(script, "w", encoding="ascii") as file:
                    file.write("import os, signal, sys, time\n"
                               "def end(*_):\n"
                               f"    open({said!r}, 'w').write(str(sum(os.times()[:4])))\n"
                               "    os._exit(0)\n"
                               "signal.signal(signal.SIGTERM, end)\n"
                               "while True: pass\n")
                one, = result("-c", f"{sys.executable} -S {script}", "-m", "processes", "--trials", "1", "-s", "for=1")["runs"]
                with open(said, encoding="ascii") as file:
                    self.assertAlmostEqual(one["cpu_ms"], 1000 * float(file.read()), delta=30)
        matches(self, once)

    def test_all_that_it_started_may_end_and_none_lives_on(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            child = f"sh -c 'trap \"sleep 0.2; echo ended >>{said}; exit\" TERM; while :; do sleep 0.01; done'"
            for command in (f"{child} & {child} & wait", f"setsid {child} & exec setsid {child}"):
                path = os.path.join(folder, "serve")
                with open(path, "w", encoding="ascii") as file:
                    file.write(f"#!/bin/sh\n{command}\n")
                os.chmod(path, 0o755)
                one, = result("-c", path, "-m", "processes", "--trials", "1", "-s", "for=500ms")["runs"]
                self.assertEqual(one["status"], "ok")
                self.assertEqual(len(said_in(folder)), 2)
                self.assertLess(one["cpu_ms"], 4000)
                os.unlink(said)

    def test_one_that_does_not_heed_it_is_killed_and_named(self):
        stubborn = "sh -c 'trap : TERM; while :; do sleep 0.05; done'"
        for model in ("threads", "processes"):
            _, told = run("--no-log", "-c", stubborn, "-m", model, "--trials", "1", "-s", "for=200ms")
            self.assertIn("a program had not ended 5 s after SIGTERM, and was sent SIGKILL", told)

    def test_one_that_ends_before_is_as_any_other(self):
        for command, status in (("true", "ok"), ("false", "failed"), ("sh -c 'kill -TERM $$'", "crashed")):
            session = json.loads(run("--no-log", "--format", "json", "-c", command, "-m", "processes", "--trials", "1",
                                     "-s", "for=3600", status=int(status != "ok"))[0])
            one, = session["runs"]
            self.assertEqual(one["status"], status)
            self.assertIsNone(one["cut_ms"])
            self.assertEqual(one["elapsed_ms"] is None, False)

    def test_the_answer_compares_what_is_known_and_says_why_the_rest_is_not(self):
        said, _ = run("--no-log", "-c", SERVER, "-c", "sleep 1000", "--trials", "6", "-s", "for=100ms")
        self.assertIn("of CPU time", " ".join(said.split()))
        self.assertIn("?: the time is not known, because the time limit (-s for) ended the programs after 100 ms", " ".join(said.split()))
        # Only a warning may contain the word, about a single trial.
        answer, _, _ = said.partition("\nWarning: ")
        self.assertNotIn("faster", answer)
        self.assertNotIn("FASTER", answer)

    def test_a_recording_has_it(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            live = json.loads(run("-c", "sleep 1000", "-m", "processes", "--trials", "1", "-s", "for=100ms", "-o", log,
                                  "--format", "json")[0])
            self.assertEqual(live["runs"], json.loads(run("--replay", log, "--format", "json")[0])["runs"])

    def test_a_session_ends_while_it_goes_on(self):
        with quiet("-c", "sleep 1000", "-m", "processes", "-s", "for=3600") as program:
            tasks, until = [], time.monotonic() + DEADLINE
            while time.monotonic() < until and not tasks and program.poll() is None:
                tasks = [task for task, name in below(program.pid) if name == "sleep"]
                time.sleep(0.01)
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(DEADLINE), 128 + signal.SIGINT)
            await_end_of(self, tasks[0])

    def test_what_is_no_time_is_refused(self):
        for value in ("0", "5ms", "25h", "-1", "5 s", "5m", "1h", "", "1s,2s"):
            _, told = run("--no-log", "-c", "true", "-s", "for=" + value, status=2)
            self.assertEqual(len(told.splitlines()), 1)
        self.assertIn("--for is a setting: -s for=5s", run("-c", "true", "--for", "5s", status=2)[1])
        self.assertIn("is for programs", run("-s", "for=5s", status=2)[1])


class Printed(unittest.TestCase):
    """A number that programs print."""

    def script(self, folder, text):
        path = os.path.join(folder, "prints")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def test_its_median_is_that_of_the_printed_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            path = self.script(folder, f"n=$(($(cat {said}-$1 2>/dev/null | wc -l) * 7 % 11 + $1 * 20))\n"
                                       f"echo $n.5 >>{said}-$1\necho reqs 3 req/s\necho \"reqs $n.5 req/s\"\necho reqsx 9\n")
            log = os.path.join(folder, "log.csv")
            for output in ((), ("-s", "output=pipe"), ("-s", f"output={folder}/out")):
                for name in os.listdir(folder):
                    if name != "prints":
                        os.unlink(os.path.join(folder, name))
                session = json.loads(run("-c", f"{path} 1", "-c", f"{path} 2", "--trials", "7", "-s", "metric=reqs", *output,
                                         "--format", "json", "-o", log)[0])
                self.assertEqual(session["metric"], "reqs")
                for which, model in (("1", f"{path} 1"), ("2", f"{path} 2")):
                    with open(f"{said}-{which}", encoding="ascii") as file:
                        printed = [float(line) for line in file.read().split()]
                    runs = [one for one in session["runs"] if one["model"].endswith(" " + which)]
                    self.assertEqual([one["printed"] for one in runs], printed, model)
                    self.assertEqual({one["printed_unit"] for one in runs}, {"req/s"})
                    row = next(one for one in session["answer"]["rows"] if one["case"].endswith(" " + which))
                    self.assertAlmostEqual(row["metrics"][0]["median"], statistics.median(printed))
                    self.assertEqual(row["metrics"][0]["metric"], "printed")
                answer = " ".join(run("--replay", log)[0].split())
                self.assertIn("prints 2 is better: ", answer)
                self.assertIn("reqs (req/s)", answer)
                again = json.loads(run("--replay", log, "--format", "json")[0])
                self.assertEqual(again["runs"], session["runs"])
                rows = list(csv.DictReader(io.StringIO(run("--replay", log, "--format", "csv")[0])))
                self.assertEqual([float(one["printed"]) for one in rows], [one["printed"] for one in session["runs"]])

    def test_less_of_a_time_is_better(self):
        said, _ = run("--no-log", "-c", "sh -c 'echo p99 5 ms'", "-c", "sh -c 'echo p99 3 ms'", "--trials", "6", "-s",
                      "metric=p99")
        self.assertIn("3 ms' is better: 3 against 5 ms (0.60x as much", " ".join(said.split()))
        for unit in ("seconds", "Sec", "ns/op"):
            said, _ = run("--no-log", "-c", f"sh -c 'echo p99 5 {unit}'", "-c", f"sh -c 'echo p99 3 {unit}'", "--trials",
                          "6", "-s", "metric=p99")
            self.assertIn(f"3 {unit}' is better: ", " ".join(said.split()))

    def test_what_is_no_number_is_not_known_and_said_once(self):
        for text, words, reason in (
                ("true", 'printed no line "reqs VALUE UNIT"', "no such line"),
                ("echo reqs", 'printed no line "reqs VALUE UNIT"', "no such line"),
                ("echo ' reqs 5'; echo reqs: 5", 'printed no line "reqs VALUE UNIT"', "no such line"),
                ("echo reqs 5 req/s; echo reqs fast req/s", '"reqs fast req/s", whose VALUE', "not a number"),
                ("echo reqs nan req/s", '"reqs nan req/s", whose VALUE', "not a number"),
                ("echo reqs inf req/s", "whose VALUE", "not a number"), ("echo reqs 1e999 x", "whose VALUE", "not a number"),
                ("echo reqs -3 req/s", "whose VALUE", "not a number"), ("echo reqs 0x10 req/s", "whose VALUE", "not a number"),
                ("echo reqs 5,5 req/s", "whose VALUE", "not a number"),
                ("printf 'reqs \\033[31mx\\n'", "whose VALUE", "not a number")):
            with tempfile.TemporaryDirectory() as folder:
                path = self.script(folder, text + "\n")
                said, told = run("--no-log", "-c", path, "-m", "processes", "--trials", "2", "-s", "metric=reqs",
                                 "--format", "json")
                self.assertEqual(len([line for line in told.splitlines() if "-s metric=reqs" in line]), 1, text)
                self.assertIn(words, told)
                self.assertNotIn("\033", told)
                for one in json.loads(said)["runs"]:
                    self.assertIsNone(one["printed"])
                    self.assertIn(reason, one["printed_reason"])
                    self.assertIsNotNone(one["elapsed_ms"])
                answer = " ".join(run("--no-log", "-c", path, "-m", "processes", "--trials", "2", "-s", "metric=reqs")[0].split())
                self.assertIn("reqs is not known: ", answer)

    def test_another_unit_is_not_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            said = os.path.join(folder, "said")
            path = self.script(folder, f"echo reqs 5 $(test -e {said} && echo k)req/s; touch {said}\n")
            session, told = run("--no-log", "-c", path, "-m", "processes", "--trials", "2", "-s", "metric=reqs", "--format",
                                "json")
            self.assertIn('printed the unit "kreq/s", and before that "req/s"', told)
            self.assertEqual([one["printed"] for one in json.loads(session)["runs"]], [5, None])

    def test_a_server_is_compared_by_what_it_prints_last(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.script(folder, "trap 'echo reqs $1 req/s; exit 0' TERM\nwhile :; do sleep 0.01; done\n")
            session = result("-c", path + " 100", "-c", path + " 200", "--trials", "6", "-s", "for=200ms", "-s",
                             "metric=reqs")
            self.assertEqual(sorted(one["printed"] for one in session["runs"]), [100] * 6 + [200] * 6)
            for one in session["runs"]:
                self.assertIsNone(one["elapsed_ms"])

    def test_its_name_and_unit_head_every_table(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            run("-c", "sh -c 'echo plants {n}00 /s'", "-c", "sh -c 'echo plants {n}50 /s'", "-s", "metric=plants", "-s",
                "n=1..3", "-n", "1", "--warmup", "0", "-o", log)
            for name, heading in (("report", r"^plants \(/s\) +median +mean"), ("markdown", r"^## Plants \(/s\)$"),
                                  ("html", r'"title": ?"plants \(/s\)"'), ("html", r'"metric": ?"plants \(/s\)"')):
                text = run("-x", name, log)[0]
                self.assertRegex(text, re.compile(heading, re.M), name)
                self.assertNotRegex(text, r"(?m)^(## )?[Ee]lapsed( compared)?( +median.*)?$", name)
            words = re.findall(r">([^<>\n]+)<", run("-x", "svg", "--view", "curve", log)[0])
            self.assertIn("plants (/s) over n", " ".join(words))
            self.assertNotIn("ns", words)

    def test_a_line_in_a_gigabyte_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.script(folder, "head -c 500000000 /dev/zero; echo; echo reqs 7 x; head -c 500000000 /dev/zero\n")
            one, = result("-c", path, "-m", "processes", "--trials", "1", "-s", "metric=reqs")["runs"]
            self.assertEqual(one["printed"], 7)

    def test_what_cannot_be_a_metric_is_refused(self):
        for args in (("-s", "metric=a b"), ("-s", "metric="), ("-s", "metric=" + 32 * "x"),
                     ("-s", "metric=a", "-s", "output=null"), ("-s", "metric=a", "-w", "program=2")):
            _, told = run("--no-log", "-c", "true", *args, status=2)
            self.assertEqual(len(told.splitlines()), 1)
            self.assertIn("-s metric", told)

    def test_what_it_prints_is_not_in_an_anonymous_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            run("-c", "sh -c 'echo reqs plantsaid'", "-m", "processes", "--trials", "1", "-s", "metric=reqs", "-s",
                "anonymous=yes", "-o", log)
            with open(log, encoding="ascii") as file:
                self.assertNotIn("plantsaid", file.read())


if __name__ == "__main__":
    unittest.main()
