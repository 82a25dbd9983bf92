# SPDX-License-Identifier: MIT
"""The terminal is closed, or its calls fail: the session must end as by SIGHUP, and leave nothing behind."""

import errno
import itertools
import math
import os
import re
import signal
import termios
import time

from rows import Fault, Scene, row
from scene import BOUND, NAME, Calls
from calls import ALL_LOST, HOLES, LANES, LOG, LOST, MEMORY, NOT_HAD, RUN
from deaths import PHASES, await_phase, begin
from stalls import ENDLESS, IN, SHOWN, await_screen, plain_lines

GONE = "a terminal that is gone"
FAILS = "a terminal whose calls fail"
UNUSABLE = "the terminal cannot be used: Input/output error"
HUNG = 128 + signal.SIGHUP


def close(scene):
    """Closes the terminal like a window: the session leader gets SIGHUP, and all calls fail with EIO."""
    for fd in scene.terminal:
        os.close(fd)
    scene.terminal = None


def await_gone(one, scene, files=()):
    until = time.monotonic() + BOUND
    while scene.process.poll() is None:
        if time.monotonic() > until:
            raise Fault("goes on without its terminal")
        time.sleep(0.005)
    scene.status, scene.said = scene.process.returncode, ""
    one.judge(scene, files)


@row(GONE, "while tasks are created, work, are joined", (), (HUNG,), "whole rows", few=2)
def phases(one, draw):
    phase = draw.choice(PHASES)
    with Scene() as scene:
        met = await_phase(begin(scene, phase, True), phase, draw)
        close(scene)
        if met:
            await_gone(one, scene)


@row(GONE, f"in {IN}", (), (HUNG,), "whole rows", few=3)
def shown(one, draw):
    name, args = draw.choice(SHOWN)
    with Scene() as scene:
        scene.show(*args(scene))
        await_screen(scene)
        scene.look(draw.random() * 0.5)
        close(scene)
        try:
            await_gone(one, scene, (os.path.join(scene.folder, "lecture.md"),))
        except Fault as fault:
            raise Fault(f"{name}: {fault}") from None


@row(GONE, "before the screen is there", (), (HUNG, -signal.SIGHUP), "whole rows, or none", few=2)
def early(one, draw):
    with Scene() as scene:
        scene.show(*ENDLESS, "--log", scene.log)
        time.sleep(draw.random() * 0.05)
        close(scene)
        await_gone(one, scene)


def check_modes(scene):
    """Checks only the modes, because nothing can be written to this terminal."""
    until = time.monotonic() + 10
    while termios.tcgetattr(scene.terminal[1]) != scene.before:
        if time.monotonic() > until:
            raise Fault("its modes stay")
        time.sleep(0.01)


def await_answer(scene):
    """Waits for the frame after the last key. Otherwise a slow program would quit before it has drawn."""
    seen = len(scene.shown)
    for _ in range(20):
        scene.look(0.05)
        if len(scene.shown) > seen or scene.process.poll() is not None:
            return


def on_a_slide(scene):
    """If a scene cannot be shown, the lecture shows the error instead. Returns it as a line."""
    drawn = re.search(rb"\x1b\[[\d;]*m" + MEMORY.encode() + rb"\x1b", scene.shown)
    return f"tuibench: {MEMORY}" if drawn else ""


def struck(one, draw, library, call, error, nth, check):
    """Types keys, so that the program reads and draws. If it does not end, the last keys quit it."""
    name, args = draw.choice(SHOWN)
    with Scene() as scene:
        calls = Calls(scene, library)
        scene.environment.update({"FAULTY_CALL": f"{call}:{error}:{nth}", "FAULTY_PROGRAM": NAME})
        scene.show(*args(scene))
        until = time.monotonic() + BOUND
        # The program answers each of these keys with a frame.
        shows = [b"\x1b[B", b"\x1b[A"] if name == "the menu" else [b"?", b"2"]
        keys = itertools.chain(shows * 6, itertools.cycle((b"\x1b", b"q")))
        key = None
        while scene.process.poll() is None:
            await_answer(scene)
            # Until tuibench has changed the modes, the terminal would echo the keys to the output.
            if termios.tcgetattr(scene.terminal[1]) != scene.before:
                key = next(keys)
                os.write(scene.terminal[0], key)
            if time.monotonic() > until:
                raise Fault(f"{name}, call {nth}: goes on")
        scene.end()
        check(scene)
        scene.said = plain_lines(scene.said) or (on_a_slide(scene) if name == "a lecture" else "")
        try:
            # If the first failing call comes after the key that quits, the fault has no effect.
            quits = scene.status == 0 and 0 not in one.status and key in (b"\x1b", b"q")
            met = calls.read()[0] > 0 and not quits
            one.judge(scene, (os.path.join(scene.folder, "lecture.md"),), met=met)
        except Fault as fault:
            raise Fault(f"{name}, call {nth}: {fault}") from None


def add_call(library, call, nth, text, seen, status, check):
    @row(FAILS, f"{text}: EIO", seen, status, "whole rows", few=1)
    def run(one, draw):
        struck(one, draw, library, call, errno.EIO, f"{draw.randint(1, 5)}{nth}" if nth != "1+" else nth, check)


NO_SCREEN = "not enough memory for the *"
# About the number of calls of malloc until the screen is shown and some frames were drawn.
REQUESTS = 4000


def add_memory(library):
    @row(FAILS, f"malloc, beneath a screen ({IN}): ENOMEM", ("", MEMORY, "*: " + MEMORY, NO_SCREEN, NOT_HAD, RUN, LOG, LANES, HOLES, LOST,
         ALL_LOST), (0, 1, 2, 3), "whole rows", few=3, most=5)
    def run(one, draw):
        # A logarithmic draw: early calls, which differ most, are more likely.
        nth = int(math.exp(draw.random() * math.log(REQUESTS)))
        struck(one, draw, library, "malloc", errno.ENOMEM, f"{nth}{draw.choice(('', '+'))}", Scene.check_terminal)


def add_rows(library):
    add_memory(library)
    add_call(library, "read_terminal", "", "the nth read", (), (HUNG,), Scene.check_terminal)
    add_call(library, "write_terminal", "+", "each write from the nth on", (), (HUNG,), check_modes)
    add_call(library, "tcsetattr", "", "the nth tcsetattr", ("", UNUSABLE), (0, 1), Scene.check_terminal)
    add_call(library, "tcsetattr", "1+", "each tcsetattr", (UNUSABLE,), (1,), Scene.check_terminal)
    add_call(library, "tcgetattr", "", "the nth tcgetattr", ("", UNUSABLE), (0, 1), Scene.check_terminal)
    add_call(library, "tcgetattr", "1+", "each tcgetattr", (UNUSABLE,), (1,), Scene.check_terminal)
