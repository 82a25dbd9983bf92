# SPDX-License-Identifier: MIT
"""Nobody reads the output of tuibench, or nobody writes its input. A signal must end it nevertheless."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import termios
import time

from program import TUIBENCH
from rows import Fault, Scene, row
from scene import BOUND

PIPES, INPUTS, SCREENS = "pipes that nobody reads", "inputs that nobody writes", "terminals that nobody reads"
# A session that writes much and does not end by itself.
ENDLESS = ("--warmup", "0", "--order", "fixed", "-m", "threads", "-w", "cpu=2", "-s",
           "cpu.size=2000", "--interval", "10", "--trials", "10000")
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
# The status after signal n, for a program that exits after it and for one that the signal kills.
STATUS = ("128 + n",)
# The number of write(2), by architecture.
WRITE = {"x86_64": "1", "aarch64": "64"}.get(os.uname().machine)
NO_FILE = "none: it is no file"
UNREAD = "the recording {} is not complete: nobody reads it"
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "recordings")
MIXED, HELLO = (os.path.join(DATA, name) for name in ("mixed.csv", "hello.csv"))
FORMATS = ("table", "json", "markdown", "csv")
EXPORTS = ("trace", "html", "workers", "samples", "slices", "tasks", "csv", "json", "markdown", "table", "cast",
           "svg-animation", "svg", "slide")
ABOUT = (("--help",), ("--version",), ("--list",), ("--help", "experiments",), ("--help", "config",), ("--lecture",),
         ("--completion", "bash"))
LECTURE = "# One\n\nA caption.\n\n```tuibench\ntuibench -w cpu=1 -n 1\n```\n\n# Two\n\nText.\n"


def write_most(fd):
    """Writes as many pages and then bytes as possible. Returns the number of bytes."""
    taken = 0
    for n in (4096, 1):
        try:
            while True:
                taken += os.write(fd, b" " * n)
        except BlockingIOError:
            pass
    return taken


def fill(fd):
    """Fills a pipe or terminal until nothing more fits, even after the kernel had time to make room."""
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    while write_most(fd):
        time.sleep(0.02)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags)


class Pipe:
    """A pipe, or with a path a FIFO, that is full and that nobody reads."""

    def __init__(self, path=None):
        self.read, self.write = (self.named(path) if path else os.pipe())
        fcntl.fcntl(self.write, fcntl.F_SETPIPE_SZ, 4096)
        fill(self.write)

    @staticmethod
    def named(path):
        os.mkfifo(path)
        read = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        return read, os.open(path, os.O_WRONLY)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.read)
        os.close(self.write)


def ticks(pid):
    """Returns the state and the CPU time in ticks. The state is "" if the process has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            rest = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return "", 0
    return rest[0], int(rest[11]) + int(rest[12])


def await_rest(scene, pid=0):
    """Waits until the process has only slept for 100 ms."""
    until = time.monotonic() + BOUND
    known, since = None, time.monotonic()
    while time.monotonic() - since < 0.1:
        now = ticks(pid or scene.process.pid)
        if now[0] != "S" or now != known:
            known, since = now, time.monotonic()
        if scene.process.poll() is not None:
            scene.end()
            raise Fault(f"ends by itself, with {scene.status}: {scene.said}")
        if time.monotonic() > until:
            raise Fault(f"never waits: {now}")
        time.sleep(0.01)


def await_write(scene):
    """Waits until the program waits in write(2)."""
    until = time.monotonic() + BOUND
    while time.monotonic() < until:
        with open(f"/proc/{scene.process.pid}/syscall", encoding="utf-8") as file:
            if file.read().split()[0] == WRITE:
                return
        if scene.terminal:
            scene.look(0.002)
    raise Fault("nothing is written")


def await_child(scene, name):
    """Waits until the session has a descendant with that name."""
    until = time.monotonic() + BOUND
    while time.monotonic() < until:
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    marked = scene.mark.encode() in file.read()
                with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
                    named = file.read().strip() == name
            except OSError:
                continue
            if marked and named:
                return
        time.sleep(0.01)
    raise Fault(f"no {name} is started")


def await_end(scene, number):
    """Sends the signal and waits for the end, without reading any output."""
    scene.process.send_signal(number)
    until = time.monotonic() + 20
    while scene.process.poll() is None:
        if time.monotonic() > until:
            raise Fault(f"goes on after {number.name}")
        time.sleep(0.002)


def judge(one, scene, number, files):
    if scene.status not in (128 + number, -number):
        raise Fault(f"status {scene.status} after {number.name}; said: {scene.lines()}")
    scene.status = STATUS[0]
    one.judge(scene, files)


def ends(one, scene, draw, files=()):
    """Ends the session by a random signal, and checks status, standard error and what is left."""
    number = draw.choice(SIGNALS)
    await_end(scene, number)
    scene.end()
    judge(one, scene, number, files)


def plainly(scene, *args, **more):
    """Starts the program without --batch and without a terminal."""
    scene.outputs = [open(os.path.join(scene.folder, name), "w+b") for name in ("out", "err")]
    scene.process = subprocess.Popen([TUIBENCH, *args], env=scene.environment, start_new_session=True,
                                     **{"stdin": subprocess.DEVNULL, "stdout": scene.outputs[0],
                                        "stderr": scene.outputs[1], **more})


# Pipes.


@row(PIPES, "the log, as standard output", (UNREAD.format("on standard output"),), STATUS, NO_FILE)
def log_output(one, draw):
    with Pipe() as pipe, Scene() as scene:
        scene.start("--log", "-", *ENDLESS, stdout=pipe.write)
        await_rest(scene)
        ends(one, scene, draw)


@row(PIPES, "the log, a FIFO", (UNREAD.format("*/fifo"),), STATUS, NO_FILE)
def log_fifo(one, draw):
    with Scene() as scene, Pipe(os.path.join(scene.folder, "fifo")):
        scene.start("--log", os.path.join(scene.folder, "fifo"), *ENDLESS)
        await_rest(scene)
        ends(one, scene, draw, (os.path.join(scene.folder, "fifo"),))


@row(PIPES, "the log, a FIFO that nobody has opened", (), STATUS, NO_FILE)
def log_unopened(one, draw):
    with Scene() as scene:
        fifo = os.path.join(scene.folder, "fifo")
        os.mkfifo(fifo)
        scene.start("--log", fifo, *ENDLESS)
        await_rest(scene)
        ends(one, scene, draw, (fifo,))


@row(PIPES, "standard error of a batch", (), STATUS, "whole rows")
def errors(one, draw):
    with Pipe() as pipe, Scene() as scene:
        scene.start(*ENDLESS, "--log", scene.log, stderr=pipe.write)
        await_rest(scene)
        ends(one, scene, draw)


@row(PIPES, "both outputs, of a batch whose log is one", (), STATUS, NO_FILE)
def both(one, draw):
    with Pipe() as pipe, Scene() as scene:
        scene.start("--log", "-", *ENDLESS, stdout=pipe.write, stderr=pipe.write)
        await_rest(scene)
        ends(one, scene, draw)


@row(PIPES, "the debug lines, a FIFO", ('TUIBENCH_DEBUG: cannot write "*/fifo": nobody reads it',), (2,), "none",
     few=1)
def debug(one, draw):
    with Scene() as scene, Pipe(os.path.join(scene.folder, "fifo")):
        fifo = scene.environment["TUIBENCH_DEBUG"] = os.path.join(scene.folder, "fifo")
        scene.start(*ENDLESS, "--log", scene.log)
        scene.end()
        one.judge(scene, (fifo,))


@row(PIPES, f"the result, --format {', '.join(FORMATS)}", (), STATUS, NO_FILE)
def result(one, draw):
    with Pipe() as pipe, Scene() as scene:
        scene.start("--replay", MIXED, "--format", draw.choice(FORMATS), stdout=pipe.write)
        await_rest(scene)
        ends(one, scene, draw)


@row(PIPES, f"--export {', '.join(EXPORTS)}; with --output", (), STATUS, NO_FILE, few=3)
def export(one, draw):
    with Scene() as scene, Pipe(os.path.join(scene.folder, "fifo")) as pipe:
        fifo, named = os.path.join(scene.folder, "fifo"), draw.random() < 0.5
        scene.start("--export", draw.choice(EXPORTS), *(("--output", fifo) if named else ()), MIXED,
                    **({} if named else {"stdout": pipe.write}))
        await_rest(scene)
        ends(one, scene, draw, (fifo,))


@row(PIPES, ", ".join(" ".join(args) for args in ABOUT), (), STATUS, NO_FILE, few=2)
def about(one, draw):
    with Scene() as scene, Pipe() as pipe:
        # A recording for --list.
        os.mkdir(os.path.join(scene.state, "tuibench"))
        shutil.copy(MIXED, os.path.join(scene.state, "tuibench", "a.csv"))
        plainly(scene, *draw.choice(ABOUT), stdout=pipe.write)
        await_rest(scene)
        ends(one, scene, draw)


# Inputs.

def fed(one, draw, text, *args, name=None):
    """Writes the text to standard input or a FIFO, and then keeps it open without writing more."""
    with Scene() as scene:
        fifo = os.path.join(scene.folder, "fifo")
        if name:
            os.mkfifo(fifo)
            # Opening a FIFO for reading, too, does not wait for a reader.
            write = os.open(fifo, os.O_RDWR)
            more = {}
        else:
            read, write = os.pipe()
            more = {"stdin": read}
        os.write(write, text)
        scene.start(*(fifo if arg == "FIFO" else arg for arg in args), **more)
        await_rest(scene)
        try:
            ends(one, scene, draw, (fifo,))
        finally:
            os.close(write)
            if not name:
                os.close(read)


def some(n):
    with open(MIXED, "rb") as file:
        return file.read(n)


BEGINS = (lambda: b"", lambda: some(80), lambda: some(100000).split(b"\n")[0] + b"\n", lambda: some(30000))
BEGUN = "after nothing, half of the header, the header, rows and half of one"
FOLLOWED = ((), ("--follow",))


@row(INPUTS, f"standard input of a replay, {BEGUN}; with --follow", (), STATUS, NO_FILE)
def piped(one, draw):
    fed(one, draw, draw.choice(BEGINS)(), "--replay", "-", *draw.choice(FOLLOWED))


@row(INPUTS, f"a FIFO that is replayed, {BEGUN}; with --follow", (), STATUS, NO_FILE)
def replayed(one, draw):
    fed(one, draw, draw.choice(BEGINS)(), "--replay", "FIFO", *draw.choice(FOLLOWED), name=True)


@row(INPUTS, f"standard input or a FIFO that is exported, {BEGUN}", (), STATUS, NO_FILE)
def exported(one, draw):
    source = draw.choice(("-", "FIFO"))
    fed(one, draw, draw.choice(BEGINS)(), "--export", draw.choice(EXPORTS), source, name=source == "FIFO")


@row(INPUTS, f"a file that is followed, {BEGUN}", (), STATUS, NO_FILE)
def followed(one, draw):
    with Scene() as scene:
        path = os.path.join(scene.folder, "followed.csv")
        with open(path, "wb") as file:
            file.write(draw.choice(BEGINS)())
        scene.start("--replay", path, "--follow")
        await_rest(scene)
        ends(one, scene, draw, (path,))


@row(INPUTS, "two recordings, one of them a FIFO", (), STATUS, NO_FILE)
def two(one, draw):
    fed(one, draw, some(30000), "--replay", *draw.choice(((MIXED, "FIFO"), ("FIFO", MIXED))), name=True)


@row(INPUTS, "a lecture, a FIFO", (), STATUS, NO_FILE, few=1)
def lecture_fifo(one, draw):
    with Scene() as scene:
        fifo = os.path.join(scene.folder, "fifo")
        os.mkfifo(fifo)
        scene.show("--lecture", fifo, "--no-log")
        await_rest(scene)
        finish(one, scene, draw, (fifo,))


def add_program(name, *args):
    """Adds a row in which tuibench starts a program that never ends."""
    @row(INPUTS, name, ("", "*: interrupted"), STATUS, "whole rows", few=1)
    def run(one, draw):
        with Scene() as scene:
            scene.start(*args, "-n", "1", "--warmup", "0", "--log", scene.log)
            await_child(scene, "sleep")
            ends(one, scene, draw)


# Terminals.

def await_screen(scene):
    until = time.monotonic() + BOUND
    while b"\x1b[?1049h" not in scene.shown:
        if time.monotonic() > until or scene.process.poll() is not None:
            raise Fault(f"no screen comes: {scene.shown[-300:]}")
        scene.look(0.05)


def fill_terminal(scene):
    """Fills the terminal's buffer by another descriptor, like another program on the terminal."""
    fd = os.open(os.ttyname(scene.terminal[1]), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    fill(fd)
    os.close(fd)


def unread(one, draw, scene, how, *args):
    """During the session, nobody reads the terminal any more, or somebody presses Ctrl-S."""
    scene.show(*args, size=draw.choice(((80, 24), (200, 50))))
    await_screen(scene)
    scene.look(draw.random() * 0.5)
    if how == "full":
        fill_terminal(scene)
    else:
        termios.tcflow(scene.terminal[1], termios.TCOOFF)
    time.sleep(0.05 + draw.random() * 0.3)
    finish(one, scene, draw, (os.path.join(scene.folder, "lecture.md"),))


def plain_lines(text):
    """Returns the messages in the output to a terminal, without its control sequences."""
    said = re.sub(r"\x1b(\[[\x20-\x3f]*[\x40-\x7e]|[=>78]|\(B)|\r", "", text)
    return "\n".join(line for line in said.splitlines() if line.startswith("tuibench: "))


def finish(one, scene, draw, files=()):
    """Ends the session by a random signal. The terminal must be restored, at the latest when it is read."""
    number = draw.choice(SIGNALS)
    await_end(scene, number)
    scene.end()
    scene.check_terminal()
    scene.said = plain_lines(scene.said)
    judge(one, scene, number, files)


@row(SCREENS, "live, which is read; its log is a FIFO that nobody reads", (UNREAD.format("*/fifo"),), STATUS,
     NO_FILE, few=1)
def live_log(one, draw):
    """Sends the signal while the session waits for the log, which it does for a second at most."""
    for i in range(5):
        try:
            with Scene() as scene:
                fifo = os.path.join(scene.folder, "fifo")
                with Pipe(fifo):
                    scene.show("--log", fifo, *ENDLESS)
                    await_write(scene)
                    finish(one, scene, draw, (fifo,))
            return
        except Fault:
            if i == 4:
                raise


SHOWN = (
    ("live", lambda scene: (*ENDLESS, "--log", scene.log)),
    ("live, held", lambda scene: (*ENDLESS, "--hold", "--no-log")),
    ("the menu", lambda scene: ("--menu",)),
    ("a replay", lambda scene: ("--replay", MIXED, "--speed", "0.5")),
    ("a replay at its end", lambda scene: ("--replay", MIXED, "--speed", "1000")),
    ("a recording that is followed", lambda scene: ("--replay", MIXED, "--follow")),
    ("two recordings", lambda scene: ("--replay", MIXED, HELLO)),
    ("a lecture", lambda scene: ("--lecture", lecture(scene), "--log", scene.log)),
)

IN = ", ".join(name for name, _ in SHOWN)


def lecture(scene):
    path = os.path.join(scene.folder, "lecture.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LECTURE)
    return path


@row(SCREENS, f"{IN}; read no more, or stopped by Ctrl-S", (), STATUS, "whole rows", few=4)
def screen(one, draw):
    name, args = draw.choice(SHOWN)
    how = draw.choice(("full", "stopped"))
    with Scene() as scene:
        try:
            unread(one, draw, scene, how, *args(scene))
        except Fault as fault:
            raise Fault(f"{name}, {how}: {fault}") from None


add_program("-s 'prepare=sleep 1000'", "-s", "prepare=sleep 1000", "-w", "cpu=1")
add_program("-c 'sleep 1000'", "-c", "sleep 1000")
