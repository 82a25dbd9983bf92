#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Outputs that accept nothing for a long time: a signal acts at once, and a late reader gets everything.

    test_stalls.py TUIBENCH
"""

import csv
import fcntl
import io
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
import termios
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, PLAIN, SANITIZED, TUIBENCH, await_end_of, children, created, name_of, run

# A library for LD_PRELOAD with which a frame never ends.
FAULTY = os.path.join(os.path.dirname(TUIBENCH), "tests", "libfaulty.so")
RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "recordings", "hello.csv")

# A session that does not end by itself, and that soon fills a pipe with rows.
ENDLESS = (*PLAIN, "-w", "cpu=2", "-s", "cpu.size=2000", "--interval", "10",
           "--trials", "10000")


# The number of write(2), by architecture. On other architectures, the tests are skipped.
WRITE = {"x86_64": "1", "aarch64": "64"}.get(os.uname().machine)


def start(*args, **more):
    return subprocess.Popen([TUIBENCH, "--batch", *args], stdin=subprocess.DEVNULL,
                            start_new_session=True, **more)


def fields(pid):
    """Returns the fields of /proc/PID/stat from the third on: state, parent, group, session."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()


def state(pid):
    return fields(pid)[0]


def await_stall(test, process):
    """Waits until the process waits in write(2) for a reader."""
    until = time.monotonic() + DEADLINE
    seen = 0
    while seen < 5:
        with open(f"/proc/{process.pid}/syscall", encoding="utf-8") as file:
            seen = seen + 1 if file.read().split()[0] == WRITE else 0
        test.assertLess(time.monotonic(), until, "nothing is written")
        time.sleep(0.005)


class Pipe:
    """A pipe of the smallest size that nobody reads yet."""

    def __init__(self):
        self.read, self.write = os.pipe()
        fcntl.fcntl(self.write, fcntl.F_SETPIPE_SZ, 4096)

    def close(self):
        os.close(self.read)
        os.close(self.write)


def pend():
    """A preexec_fn that makes SIGTERM pending, as if it had come before the program began."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.kill(os.getpid(), signal.SIGTERM)


class Learning(unittest.TestCase):
    """Before the first run, probes measure the memory of idle tasks. This may take seconds on a slow machine."""

    def learnt_until(self, moment, **more):
        """Sends SIGTERM at that moment of the probes. Returns what was learnt about the kernel's memory."""
        with tempfile.TemporaryDirectory() as folder:
            decisions = os.path.join(folder, "decisions")
            process = start("--no-log", *ENDLESS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            env={**os.environ, "TUIBENCH_KERNEL": "estimate",
                                 "TUIBENCH_DEBUG": decisions}, **more)
            moment(process)
            self.assertEqual(process.wait(DEADLINE), 128 + signal.SIGTERM)
            await_end_of(self, process.pid)
            with open(decisions, encoding="utf-8") as file:
                return re.findall(r"source: kernel memory is read from .* \((.*), measured in", file.read())

    def test_a_signal_ends_the_learning(self):
        def with_its_first_tasks(process):
            until = time.monotonic() + DEADLINE
            while "tuibench-runner" not in map(name_of, children(process.pid)):
                self.assertLess(time.monotonic(), until, "no task comes")
                time.sleep(0.001)
            process.send_signal(signal.SIGTERM)
        self.assertEqual(self.learnt_until(with_its_first_tasks), ["nothing"])

    def test_a_signal_before_it_leaves_it_out(self):
        self.assertEqual(self.learnt_until(lambda _: None, preexec_fn=pend), [])


@unittest.skipUnless(shutil.which("strace"), "needs strace")
class FirstFrame(unittest.TestCase):
    """strace shows what happens before the first frame."""

    def traced(self, *args, status=0, inject=()):
        """Returns the calls of a session on a screen that create tasks or folders, name a task, or write."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        with tempfile.NamedTemporaryFile("r", errors="replace") as file:
            process = subprocess.Popen(
                ["strace", "-f", "-y", "-qq", "-s", "100000", "-o", file.name, *inject, "-e",
                 "trace=clone,clone3,fork,vfork,mkdir,prctl,write", TUIBENCH, "--no-log", "--exit", *PLAIN,
                 "-w", "cpu=2", "-s", "cpu.size=1000", "--trials", "1", *args],
                stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
            os.close(theirs)
            shown = b""
            while select.select([ours], [], [], DEADLINE)[0]:
                try:
                    shown += os.read(ours, 65536)
                except OSError:
                    break
            ended = process.wait(DEADLINE)
            if b"ptrace" in shown:
                self.skipTest("strace may not trace here")
            self.assertEqual(ended, status)
            await_end_of(self, process.pid)
            return file.read().splitlines()

    def test_nothing_is_created_before_it_but_the_guard_of_the_terminal(self):
        lines = self.traced()
        first = next(i for i, line in enumerate(lines) if re.search(r"write\(\d+</dev/pts/.*\\33\[\?1049h", line))
        before, after = "\n".join(lines[:first]), "\n".join(lines[first:])
        self.assertEqual(created(before), 1, before)
        self.assertNotIn("mkdir(", before)
        self.assertEqual(sum("tuibench-guard" in line for line in lines), 1)
        self.assertGreater(created(after), 2)
        self.assertIn("measures this machine", after)

    def test_a_signal_while_the_machine_is_measured_ends_it_before_its_first_run(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            lines = self.traced(status=128 + number, inject=(
                "--inject", f"clone3:signal={int(number)}:when=1"))
            # One runner, with its idle tasks. The kernel may interrupt and repeat the call that creates it.
            front = next(line.split()[0] for line in lines if "CLONE_VFORK" in line)
            calls = [line for line in lines if line.split()[0] == front and "clone3" in line]
            self.assertEqual(sum("CLONE_VFORK" in line for line in calls)
                             - sum("ERESTART" in line for line in calls), 1, calls)


@unittest.skipIf(WRITE is None or not os.path.exists("/proc/self/syscall"),
                 "the kernel does not say who waits in a write")
class Stalls(unittest.TestCase):
    def ends(self, process, number):
        """Checks that the signal ends the process within 20 s, with the right status."""
        process.send_signal(number)
        self.assertEqual(process.wait(20), 128 + number)
        await_end_of(self, process.pid)

    def test_a_signal_ends_a_log_that_nobody_reads(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            pipe = Pipe()
            process = start("--log", "-", *ENDLESS, stdout=pipe.write, stderr=subprocess.PIPE,
                            text=True)
            await_stall(self, process)
            self.ends(process, number)
            self.assertEqual(process.stderr.read().splitlines()[-1], "tuibench: the recording on standard "
                             "output is not complete: nobody reads it")
            process.stderr.close()
            pipe.close()

    def test_a_signal_ends_a_result_that_nobody_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "a.csv")
            run("--log", log, "--trials", "20", "-w", "cpu=2", "-s",
                "cpu.size=2000")
            pipe = Pipe()
            process = start("--replay", log, "--format", "json", stdout=pipe.write,
                            stderr=subprocess.DEVNULL)
            await_stall(self, process)
            self.ends(process, signal.SIGTERM)
            pipe.close()

    def test_a_recording_that_is_given_up_has_no_result(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "a.csv")
            run("--log", log, "--trials", "2", "-w", "cpu=2", "-s", "cpu.size=2000")
            for form in ("table", "report", "json", "csv", "markdown"):
                out, _ = run("--replay", log, "--format", form, status=128 + signal.SIGTERM,
                             preexec_fn=pend)
                self.assertEqual(out, "")

    def test_a_signal_ends_what_a_stopped_terminal_does_not_show(self):
        ours, theirs = pty.openpty()
        process = start("--no-log", *ENDLESS, stdout=theirs, stderr=theirs)
        self.assertTrue(os.read(ours, 1))
        termios.tcflow(theirs, termios.TCOOFF)
        await_stall(self, process)
        self.ends(process, signal.SIGTERM)
        os.close(ours)
        os.close(theirs)

    def screen_that_nobody_reads(self, number, guard_stopped=False):
        """The session ends by that signal. The terminal is restored when somebody reads it."""
        ours, theirs = pty.openpty()
        before = termios.tcgetattr(theirs)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        process = subprocess.Popen(
            [TUIBENCH, "--no-log", *ENDLESS], stdin=theirs, stdout=theirs, stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"}, start_new_session=True)
        until = time.monotonic() + DEADLINE
        while select.select([], [theirs], [], 0)[1]:
            self.assertLess(time.monotonic(), until, "the terminal takes all")
            time.sleep(0.01)
        if guard_stopped:
            guard, = (pid for pid in children(process.pid) if name_of(pid) == "tuibench-guard")
            os.kill(guard, signal.SIGSTOP)
        process.send_signal(number)
        self.assertEqual(process.wait(20), 128 + number)
        shown = b""
        while b"\033[?1049l" not in shown:
            self.assertTrue(select.select([ours], [], [], 20)[0], "the screen stays")
            shown += os.read(ours, 65536)
        await_end_of(self, process.pid)
        self.assertEqual(termios.tcgetattr(theirs), before)
        os.close(ours)
        os.close(theirs)

    def test_a_signal_ends_a_screen_that_nobody_reads_which_comes_back_once_it_is_read(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.screen_that_nobody_reads(number)
        self.screen_that_nobody_reads(signal.SIGTERM, guard_stopped=True)

    def test_who_reads_later_gets_all(self):
        pipe = Pipe()
        process = start("--log", "-", *ENDLESS[:-1], "20", stdout=pipe.write,
                        stderr=subprocess.DEVNULL)
        os.close(pipe.write)
        await_stall(self, process)
        process.send_signal(signal.SIGTSTP)
        until = time.monotonic() + DEADLINE
        while state(process.pid) != "T":
            self.assertLess(time.monotonic(), until, "Ctrl-Z has no effect")
            time.sleep(0.01)
        process.send_signal(signal.SIGCONT)
        with os.fdopen(pipe.read, encoding="utf-8") as file:
            rows = list(csv.DictReader(io.StringIO(file.read())))
        self.assertEqual(process.wait(DEADLINE), 0)
        self.assertEqual(sum(row["record"] == "end" for row in rows), 40)
        self.assertEqual(rows[-1]["record"], "done")


@unittest.skipIf(SANITIZED, "a sanitizer has to be loaded first")
class Endless(unittest.TestCase):
    """A signal ends the program even if a frame or a result never ends."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.reached = os.path.join(folder.name, "reached")
        # In LD_PRELOAD a space or a colon ends a name, so the path must have none.
        faulty = os.path.join(folder.name, "libfaulty.so")
        os.symlink(os.path.abspath(FAULTY), faulty)
        self.env = {**os.environ, "TERM": "xterm-256color", "LD_PRELOAD": faulty,
                    "FAULTY_ENDLESS": self.reached}

    def start(self, *args, **more):
        process = subprocess.Popen([TUIBENCH, *args], env=self.env, start_new_session=True, **more)
        self.addCleanup(process.kill)
        return process

    def ends(self, process, number, screen=None):
        """Waits until the endless part is reached, sends the signal, and checks that it ends the program.

        Reads the screen meanwhile, because tuibench draws no second frame if nobody reads the first one.
        """
        until = time.monotonic() + DEADLINE
        while not os.path.exists(self.reached):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), until, "nothing is drawn")
            if screen is None:
                time.sleep(0.01)
            elif select.select([screen], [], [], 0.01)[0]:
                os.read(screen, 65536)
        process.send_signal(number)
        self.assertEqual(abs(process.wait(60)) % 128, number)
        os.unlink(self.reached)

    def on_a_screen(self, *args):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            ours, theirs = pty.openpty()
            before = termios.tcgetattr(theirs)
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            process = self.start(*(arg.format(number) for arg in args), stdin=theirs, stdout=theirs, stderr=theirs)
            self.ends(process, number, ours)
            self.assertEqual(process.returncode, 128 + number)
            self.assertEqual(termios.tcgetattr(theirs), before)
            shown = b""
            while b"\033[?1049l" not in shown:
                self.assertTrue(select.select([ours], [], [], 20)[0], "the screen stays")
                shown += os.read(ours, 65536)
            await_end_of(self, process.pid)
            os.close(ours)
            os.close(theirs)

    def test_a_signal_ends_a_frame(self):
        self.on_a_screen("--replay", RECORDING, "--view", "timeline")

    def test_a_signal_ends_a_frame_of_a_session_whose_recording_is_whole(self):
        log = os.path.join(os.path.dirname(self.reached), "{}.csv")
        self.on_a_screen("--log", log, *ENDLESS, "--view", "timeline")
        out, said = run("--replay", log.format(signal.SIGTERM), "--format", "json")
        self.assertIn("--trials 10000", json.loads(out)["options"])
        self.assertIn("before the session ended", said)

    def test_a_signal_ends_a_result(self):
        for args in (("--batch", "--replay", RECORDING), ("--batch", "--replay", RECORDING, "--format", "json"),
                     ("--export", "svg", RECORDING, "--view", "timeline")):
            self.ends(self.start(*args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), signal.SIGTERM)


def wrote(pid):
    """Returns how many bytes the process itself has written, by any file descriptor."""
    with open(f"/proc/{pid}/io", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("wchar:"))


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


class Preparation(unittest.TestCase):
    SIZE = 4 << 30

    def begin(self, folder):
        """Starts a session that makes a file of 4 GiB to copy, and waits until it has begun."""
        log = os.path.join(folder, "a.csv")
        process = start("--log", log, "-w", "io=1", "-s",
                        f"io.size={self.SIZE}", "--trials", "1", "-m", "threads", *PLAIN,
                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                        env={**os.environ, "TMPDIR": folder})
        until = time.monotonic() + DEADLINE
        while "io workers copy: 4.0 GiB" not in text_of(log):
            self.assertLess(time.monotonic(), until, "nothing is said of the file")
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process, log

    def test_a_signal_ends_it_before_the_file_that_is_copied_is_made(self):
        with tempfile.TemporaryDirectory() as folder:
            room = os.statvfs(folder)
            if room.f_bavail * room.f_frsize < 3 * self.SIZE:
                self.skipTest("no room for two files of 4 GiB")
            process, log = self.begin(folder)
            # Another process makes the file, so that the front end can react to keys and signals.
            self.assertLess(wrote(process.pid), 16 << 20)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(DEADLINE), 143)
            process.stderr.close()
            await_end_of(self, process.pid)
            with open(log, encoding="utf-8", newline="") as file:
                ends = [row for row in csv.DictReader(file) if row["record"] == "end"]
            self.assertEqual([row["status"] for row in ends], ["interrupted"])
            self.assertLess(int(ends[0]["elapsed_ns"] or 0), 1000000)
            self.assertEqual(os.listdir(folder), ["a.csv"])


@unittest.skipUnless(os.path.exists(f"/proc/self/task/{os.getpid()}/children"),
                     "the kernel does not tell who is whose child")
class Crowd(unittest.TestCase):
    def test_workers_are_in_a_session_of_their_own_which_the_kernel_gives_no_more_than_the_screens(
            self):
        process = start("--no-log", "-m", "processes", *PLAIN, "-w", "cpu=4",
                        "-s", "cpu.size=2000000000", "--trials", "1",
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + DEADLINE
        runners, workers = [], []
        while len(workers) < 4:
            self.assertLess(time.monotonic(), until, "no workers")
            time.sleep(0.01)
            runners = children(process.pid)
            workers = children(runners[0]) if runners else []
        sessions = {int(fields(pid)[3]) for pid in workers}
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(DEADLINE), 143)
        await_end_of(self, process.pid)
        self.assertEqual(sessions, {runners[0]})


if __name__ == "__main__":
    unittest.main()
