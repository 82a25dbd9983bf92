# SPDX-License-Identifier: MIT
"""One session under a fault: its folder, its output, and what it leaves behind."""

import csv
import ctypes
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time
import uuid

from program import TUIBENCH

# The name of the process in /proc.
NAME = os.path.basename(TUIBENCH)

# Time limit of a session in seconds, also with a fault and on a crowded machine.
BOUND = 120
CGROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/memory")
# Texts that a user must never see: internals of the program, or an error without a cause.
RIDDLES = re.compile(r"assert|sanitizer|runtime error|backtrace|\(null\)|core dumped|stack smashing"
                     r"|: (Success|Unknown error.*)$"
                     r"|^tuibench: [^:]*(Invalid argument|Bad file descriptor|Input/output error)$", re.I)
# Lines that report no fault: runs that succeeded, too few trials, the library and the niceness of these
# tests, and the place of the log.
NO_FAULT = re.compile(r"^tuibench: (\S+( \S+=\S+)*, (trial \d+( of \d+)?|warm-up): [\d.:]+ ?\S+( min|, about .*)?$"
                      r"|LD_PRELOAD=|the runs have niceness |[0-9]+ configurations need at least |the address space of each process is limited)|^Recorded in ")
# A line about a run that failed. A run that waits for a stopped process has not failed yet.
OF_A_RUN = re.compile(r"^tuibench: (.*, (?:trial|warm-up) \d+)(?!\d|: .*, was stopped)")


# Locked while a program's file is written, and while a child is between fork and exec.
FORKING = threading.Lock()


class Popen(subprocess.Popen):
    """The constructor returns when the program runs, so the child has no open file of another row."""

    def __init__(self, *args, **more):
        with FORKING:
            super().__init__(*args, **more)


subprocess.Popen = Popen


class Fault(AssertionError):
    """A result that differs from the table."""


def tasks_marked(mark):
    """Returns name and state of the processes with that mark in their environment, by PID."""
    found = {}
    wanted = mark.encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if wanted not in file.read():
                    continue
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        if rest.split()[0] not in "ZX":
            found[int(pid)] = (name, rest.split()[0])
    return found


def cgroups_of(pid):
    """Returns the cgroups that the process with this PID has created: tuibench-PID-N."""
    found = []
    for top in CGROUPS:
        for folder, below, _ in os.walk(top):
            found += [os.path.join(folder, name) for name in below
                      if name.startswith(f"tuibench-{pid}-")]
    return found


def shared_memory():
    """Returns the names of the shared memory of workers that crash."""
    try:
        return {name for name in os.listdir("/dev/shm") if name.startswith("tuibench-fault-")}
    except OSError:
        return set()


class Scene:
    """Its folder has tmp, state, home and run. Its processes have a mark in their environment."""

    def __init__(self, **environment):
        self.folder = tempfile.mkdtemp(prefix="faults-")
        self.mark = f"FAULTS_MARK={uuid.uuid4()}"
        self.tmp, self.state, self.home, run = (os.path.join(self.folder, name)
                                                for name in ("tmp", "state", "home", "run"))
        for folder in (self.tmp, self.state, self.home, run):
            os.mkdir(folder)
        self.log = os.path.join(self.folder, "a.csv")
        name, value = self.mark.split("=")
        self.environment = {**os.environ, name: value, "TMPDIR": self.tmp, "HOME": self.home,
                            "XDG_STATE_HOME": self.state, "XDG_CONFIG_HOME": self.home,
                            "XDG_RUNTIME_DIR": run,
                            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
                            ":verify_asan_link_order=0:detect_leaks=0", **environment}
        self.process, self.terminal, self.shown = None, None, b""
        self.status, self.said, self.output = None, "", ""
        self.before = None
        self.held = 0  # a worker that the scene has stopped; tuibench may say so

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in tasks_marked(self.mark):
            os.kill(pid, signal.SIGKILL)
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.terminal is not None:
            os.close(self.terminal[0])
            os.close(self.terminal[1])
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *args, program=TUIBENCH, **more):
        """Starts a batch session. Its output goes to files, so that nobody has to read it meanwhile."""
        self.outputs = [open(os.path.join(self.folder, name), "w+b") for name in ("out", "err")]
        more = {"stdin": subprocess.DEVNULL, "stdout": self.outputs[0], "stderr": self.outputs[1],
                **more}
        self.process = subprocess.Popen([program, "--batch", *args], env=self.environment,
                                        start_new_session=True, **more)
        return self

    def show(self, *args, program=TUIBENCH, size=(100, 30)):
        """Starts a session in a terminal of its own."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.terminal = (ours, theirs)
        self.before = termios.tcgetattr(theirs)
        self.environment.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})

        def take():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen([program, *args], env=self.environment, stdin=theirs,
                                        stdout=theirs, stderr=theirs, preexec_fn=take)
        return self

    def look(self, seconds):
        """Reads the terminal at least once, for `seconds` or until nothing more comes."""
        until = time.monotonic() + seconds
        while True:
            if not select.select([self.terminal[0]], [], [], max(0, until - time.monotonic()))[0]:
                return
            try:
                self.shown += os.read(self.terminal[0], 65536)
            except OSError:
                return
            if time.monotonic() >= until:
                return

    def end(self, seconds=BOUND):
        """Waits until the session ends by itself, and raises Fault if it does not."""
        until = time.monotonic() + seconds
        while self.process.poll() is None:
            if self.terminal:
                self.look(0.02)
            else:
                time.sleep(0.002)
            if time.monotonic() > until:
                raise Fault(f"goes on after {seconds} s: {tasks_marked(self.mark)}")
        self.status = self.process.returncode
        if self.terminal:
            self.look(0.2)
            self.said = self.shown.decode("utf-8", "replace").rsplit("\x1b[?1049l", 1)[-1]
        else:
            texts = []
            for file in self.outputs:
                file.seek(0)
                texts.append(file.read().decode("utf-8", "replace"))
                file.close()
            self.output, self.said = texts
        return self.status

    def lines(self):
        """Returns the lines on standard error that report a fault."""
        held = f"process {self.held}, was stopped:"
        return [line for line in self.said.splitlines()
                if line.strip() and not NO_FAULT.match(line) and not re.search(held, line)]

    def check_said(self, least, most):
        lines = self.lines()
        for line in lines:
            if RIDDLES.search(line) or not line.isprintable():
                raise Fault(f"not a sentence for users: {line!r}")
            if not line.startswith("tuibench: "):
                raise Fault(f"not said by tuibench: {line!r}")
        # Each run that failed has a line of its own, even if they have one cause.
        runs = [OF_A_RUN.match(line).group(1) for line in lines if OF_A_RUN.match(line)]
        if len(set(runs)) != len(runs) or len(set(lines)) != len(lines):
            raise Fault(f"said twice: {lines}")
        n = len(lines) - max(0, len(runs) - 1)
        if not least <= n <= most:
            raise Fault(f"{n} lines say what is wrong, not {least} to {most}: {lines}")

    def check_log(self, path=None, whole=True):
        """Checks that the log has only whole rows and can be opened. It may be empty or missing."""
        path = path or self.log
        if not os.path.exists(path) or os.path.getsize(path) == 0:
            return None
        with open(path, "rb") as file:
            data = file.read()
        if whole and not data.endswith(b"\n"):
            raise Fault(f"the log ends in mid-row: {data[-80:]!r}")
        rows = list(csv.reader(data.decode("utf-8", "replace").splitlines()))
        torn = [row for row in (rows if whole else rows[:-1]) if len(row) != len(rows[0])]
        if torn:
            raise Fault(f"a row of the log has {len(torn[0])} columns, not {len(rows[0])}: {torn[0]}")
        clean = {name: value for name, value in self.environment.items()
                 if not name.startswith(("LD_PRELOAD", "FAULTY_"))}
        again = subprocess.run([TUIBENCH, "--batch", "--replay", path, "--format", "json"],
                               env=clean, stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=BOUND, check=False)
        if again.returncode not in (0, 1):
            # A log that ends before its first run cannot be opened, and the error must say so.
            raise Fault(f"the log does not open: {again.returncode}: {again.stderr[-300:]}")
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def check_left(self, files=()):
        """Checks that no process, file or cgroup is left. Orphans have some time to end."""
        until = time.monotonic() + 20
        while tasks_marked(self.mark):
            if time.monotonic() > until:
                raise Fault(f"processes stay: {tasks_marked(self.mark)}")
            time.sleep(0.01)
        found = [os.path.join(where, name) for where, _, names in os.walk(self.folder)
                 for name in names]
        known = {self.log, *(os.path.join(self.folder, name) for name in ("out", "err", "state.bin", "libfaulty.so")),
                 *files}
        left = [path for path in found if path not in known and
                not re.fullmatch(re.escape(self.state) + r"/tuibench/[^/]*\.csv(\.zst)?", path)]
        if left:
            raise Fault(f"files stay: {left}")
        while cgroups_of(self.process.pid):
            if time.monotonic() > until:
                raise Fault(f"cgroups stay: {cgroups_of(self.process.pid)}")
            time.sleep(0.01)

    def check_terminal(self):
        """Checks that the terminal has its old modes, the normal screen and a visible cursor."""
        until = time.monotonic() + 10
        while True:
            self.look(0.05)
            modes = termios.tcgetattr(self.terminal[1])
            shown = self.shown
            wrong = []
            if modes != self.before:
                wrong.append("its modes")
            if shown.rfind(b"\x1b[?1049h") > shown.rfind(b"\x1b[?1049l"):
                wrong.append("the alternate screen")
            if shown.rfind(b"\x1b[?25l") > max(shown.rfind(b"\x1b[?25h"), shown.rfind(b"\x1b[?12l\x1b[?25h"),
                                               shown.rfind(b"\x1b[34h\x1b[?25h")):
                wrong.append("a hidden cursor")
            if not wrong:
                return
            if time.monotonic() > until:
                raise Fault(f"of the terminal stays: {wrong}")


class Calls:
    """Preloads the library that counts the calls of a session and lets one of them fail."""

    RECORD = struct.Struct("28sI")
    PLACES = 64

    def __init__(self, scene, library):
        self.path = os.path.join(scene.folder, "state.bin")
        with open(self.path, "wb") as file:
            file.write(bytes(4 + self.PLACES * self.RECORD.size))
        # Link to the library from the folder, because its path may have a space or a colon, which end a
        # name in LD_PRELOAD.
        preloaded = os.path.join(scene.folder, "libfaulty.so")
        os.symlink(os.path.abspath(library), preloaded)
        scene.environment.update({"LD_PRELOAD": preloaded, "FAULTY_STATE": self.path})

    def read(self):
        """Returns how many calls failed, and the number of calls by function."""
        with open(self.path, "rb") as file:
            data = file.read()
        struck, = struct.unpack_from("I", data)
        counts = {}
        for name, n in self.RECORD.iter_unpack(data[4:4 + self.PLACES * self.RECORD.size]):
            if name[0]:
                counts[name.rstrip(b"\0").decode()] = n
        return struck, counts
