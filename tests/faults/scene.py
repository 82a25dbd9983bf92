# SPDX-License-Identifier: MIT
"""One session under a fault: a folder of its own, what it says, what it leaves."""

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

# As the system names it.
NAME = os.path.basename(TUIBENCH)

# Seconds in which any of the sessions here ends, faults and a crowded machine included.
BOUND = 120
CGROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/memory")
# What a user is not to be told: the inside of the program, or an error of nothing in particular.
RIDDLES = re.compile(r"assert|sanitizer|runtime error|backtrace|\(null\)|core dumped|stack smashing"
                     r"|: (Success|Unknown error.*)$"
                     r"|^tuibench: [^:]*(Invalid argument|Bad file descriptor|Input/output error)$", re.I)
# Said of runs that went well, of too few trials, of the library and the niceness of these tests,
# and of where the log is.
NO_FAULT = re.compile(r"^tuibench: (\S+( \S+=\S+)*, (trial \d+( of \d+)?|warm-up): [\d.:]+ ?\S+( min|, about .*)?$"
                      r"|LD_PRELOAD=|the runs have niceness |[0-9]+ configurations need at least |the address space of each process is limited)|^Recorded in ")
# Of which run a line tells.
# A run that waits for who was stopped has not failed yet.
OF_A_RUN = re.compile(r"^tuibench: (.*, (?:trial|warm-up) \d+)(?!\d|: .*, was stopped)")


# Held while a program is written, or a child is between fork and exec.
FORKING = threading.Lock()


class Popen(subprocess.Popen):
    """Returns when the program runs: the child holds no file of another row any more."""

    def __init__(self, *args, **more):
        with FORKING:
            super().__init__(*args, **more)


subprocess.Popen = Popen


class Fault(AssertionError):
    """What is not as the table says."""


def tasks_marked(mark):
    """Processes with that in their environment, by number: name and state."""
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
    """That a process of this number has made: tuibench-PID-N."""
    found = []
    for top in CGROUPS:
        for folder, below, _ in os.walk(top):
            found += [os.path.join(folder, name) for name in below
                      if name.startswith(f"tuibench-{pid}-")]
    return found


def shared_memory():
    """By name: of workers that crash."""
    try:
        return {name for name in os.listdir("/dev/shm") if name.startswith("tuibench-fault-")}
    except OSError:
        return set()


class Scene:
    """Its folder has tmp, state, home and run; all that it starts is known by its mark."""

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
        """As a batch; its outputs go to files, so that nothing has to be read."""
        self.outputs = [open(os.path.join(self.folder, name), "w+b") for name in ("out", "err")]
        more = {"stdin": subprocess.DEVNULL, "stdout": self.outputs[0], "stderr": self.outputs[1],
                **more}
        self.process = subprocess.Popen([program, "--batch", *args], env=self.environment,
                                        start_new_session=True, **more)
        return self

    def show(self, *args, program=TUIBENCH, size=(100, 30)):
        """In a terminal of its own."""
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
        """Takes what the screen is sent, for that long or until nothing more comes; once at least."""
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
        """Its end, by itself; a fault if it does not come."""
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
        """Of what was said, those that tell of something wrong."""
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
        # Each run that failed has a line of its own, one fault or not.
        runs = [OF_A_RUN.match(line).group(1) for line in lines if OF_A_RUN.match(line)]
        if len(set(runs)) != len(runs) or len(set(lines)) != len(lines):
            raise Fault(f"said twice: {lines}")
        n = len(lines) - max(0, len(runs) - 1)
        if not least <= n <= most:
            raise Fault(f"{n} lines say what is wrong, not {least} to {most}: {lines}")

    def check_log(self, path=None, whole=True):
        """Of whole rows, and it opens; one in which nothing is was not begun."""
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
            # A log that ends before its first run is none yet, and says so.
            raise Fault(f"the log does not open: {again.returncode}: {again.stderr[-300:]}")
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def check_left(self, files=()):
        """No process, file or cgroup; what has no parent any more has a moment to end."""
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
        """Modes as before, the alternate screen left, the cursor seen."""
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
    """The library beside it: which calls a session makes, and one of them that fails."""

    RECORD = struct.Struct("28sI")
    PLACES = 64

    def __init__(self, scene, library):
        self.path = os.path.join(scene.folder, "state.bin")
        with open(self.path, "wb") as file:
            file.write(bytes(4 + self.PLACES * self.RECORD.size))
        # The loader takes a space or a colon of a path for the end of a name.
        preloaded = os.path.join(scene.folder, "libfaulty.so")
        os.symlink(os.path.abspath(library), preloaded)
        scene.environment.update({"LD_PRELOAD": preloaded, "FAULTY_STATE": self.path})

    def read(self):
        """How often one failed, and the count of calls by function."""
        with open(self.path, "rb") as file:
            data = file.read()
        struck, = struct.unpack_from("I", data)
        counts = {}
        for name, n in self.RECORD.iter_unpack(data[4:4 + self.PLACES * self.RECORD.size]):
            if name[0]:
                counts[name.rstrip(b"\0").decode()] = n
        return struck, counts
