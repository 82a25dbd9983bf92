# SPDX-License-Identifier: MIT
"""Processes that are killed or stopped while tasks are created, run and are joined."""

import os
import re
import signal
import time

from program import children, name_of
from rows import Fault, Scene, Skip, row
from scene import BOUND, tasks_marked

PLAIN = ("--trials", "1", "--warmup", "0", "--order", "fixed", "-m", "processes", "--interval", "20")
# Three inner processes with leaves enough for each phase to be met: 144 that end at once, 9 that work.
MANY = ("--tree", "12x12", *PLAIN, "--work-size", "cpu=1000", "--all-alive")
FEW = ("--tree", "3x3", *PLAIN, "--work-size", "cpu=4000000")
PHASES = ("creating", "running", "joining")
CRASHED = ("*, trial 1*: crashed: *", "*, trial 1: *", "*, trial 1*: failed: *")


class Tree:
    """The processes of a session, as they are found."""

    def __init__(self, scene):
        self.scene, self.front = scene, scene.process.pid

    def runner(self):
        return next((pid for pid in children(self.front) or () if name_of(pid) == "tuibench-runner"), 0)

    def guard(self):
        return next((pid for pid in children(self.front) or () if name_of(pid) == "tuibench-guard"), 0)

    def inner(self):
        runner = self.runner()
        return children(runner) or [] if runner else []

    def leaves(self):
        return [leaf for one in self.inner() for leaf in children(one) or ()]

    def one(self, role, draw):
        """Its number; 0: there is none now."""
        if role == "front end":
            return self.front
        if role in ("runner", "guard"):
            return self.runner() if role == "runner" else self.guard()
        found = self.inner() if role == "inner process" else self.leaves()
        return draw.choice(found) if found else 0


def await_phase(tree, phase, draw):
    """A moment of it at random; False: the session has ended before."""
    process = tree.scene.process
    share, peak = draw.random(), 0
    until = time.monotonic() + BOUND
    while process.poll() is None and time.monotonic() < until:
        if tree.scene.terminal:
            tree.scene.look(0)
        n = len(tree.inner())
        if phase == "creating" and n > 0 and n >= share * 12:
            return True
        if phase == "running" and n == 3 and len(tree.leaves()) == 9:
            time.sleep(draw.random() * 0.1)
            return True
        peak = max(peak, n)
        if phase == "joining" and peak >= 6 and n <= peak * share:
            return True
    return False


def begin(scene, phase, live):
    args = (*(FEW if phase == "running" else MANY), "--log", scene.log)
    # A cgroup of the run's own, where there may be one: it must not stay.
    scene.environment.pop("TUIBENCH_KERNEL", None)
    if live:
        scene.show(*args, "--exit")
    else:
        scene.start(*args)
    return Tree(scene)


def send(pid, number):
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


def kill(one, draw, role, phase, number):
    """Live, half of the time: the terminal is part of it."""
    live = role == "guard" or draw.random() < 0.5
    with Scene() as scene:
        tree = begin(scene, phase, live)
        met = await_phase(tree, phase, draw)
        victim = tree.one(role, draw) if met else 0
        met = bool(victim) and send(victim, number)
        scene.end()
        # A task that ends in that moment was no longer there to be killed.
        if scene.status == 0 and role != "guard":
            met = False
        if live and role == "front end":
            scene.said = ""
        judge_death(one, scene, met, live)


def sweep(scene):
    """A cgroup outlives whoever cannot remove it, until the next session finds it."""
    with Scene() as again:
        again.environment.pop("TUIBENCH_KERNEL", None)
        again.start("--no-log", *PLAIN, "--cpu", "1", "--io", "0", "--work-size", "cpu=1000")
        if again.end() != 0:
            raise Fault(f"the next session fails: {again.said}")
        scene.check_left()


def judge_death(one, scene, met, live):
    if live:
        scene.check_terminal()
        said = re.sub(r"\x1b(\[[\x20-\x3f]*[\x40-\x7e]|[=>78]|\(B)|\r", "", scene.said)
        scene.said = "\n".join(line for line in said.splitlines() if line.startswith("tuibench: "))
    if not met:
        scene.check_left()
        return
    if scene.status not in one.status:
        raise Fault(f"status {scene.status}, not one of {one.status}; said: {scene.lines()}")
    died = scene.status < 0
    if not died:
        one.check_lines(scene, live)
    scene.check_log(whole=not died)
    if died:
        sweep(scene)
    scene.check_left()
    one.met += 1


def add_kill(role, phase, number, seen, status, log):
    name = signal.Signals(number).name

    @row("killed", f"{name} of the {role} while tasks are {phase_text(phase)}", seen, status, log, few=1)
    def run(one, draw):
        kill(one, draw, role, phase, number)


def phase_text(phase):
    return {"creating": "created", "running": "working", "joining": "joined"}[phase]


def stop(one, draw, role, phase):
    """For ever, as far as it knows: SIGTERM ends the session, one that is stopped itself when it goes on."""
    live = role == "guard" or draw.random() < 0.5
    with Scene() as scene:
        tree = begin(scene, phase, live)
        met = await_phase(tree, phase, draw)
        victim = tree.one(role, draw) if met else 0
        met = bool(victim) and send(victim, signal.SIGSTOP)
        time.sleep(draw.random() * 0.1)
        scene.process.send_signal(signal.SIGTERM)
        if role == "front end" and met:
            time.sleep(0.05)
            send(victim, signal.SIGCONT)
        scene.end(60)
        # It may have ended by itself before the signal came.
        judge_death(one, scene, met and scene.status != 0, live)


def add_stop(role, phase):
    @row("stopped", f"SIGSTOP of the {role} while tasks are {phase_text(phase)}, then SIGTERM of the front end",
         ("", "*: interrupted") + CRASHED, (143,), "whole rows", few=1, most=1)
    def run(one, draw):
        stop(one, draw, role, phase)


TORN = "whole rows but the last; its cgroup goes with the next session"
for at in PHASES:
    for end in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT):
        add_kill("front end", at, end, ("",), (-end,), TORN)
    for who in ("runner", "inner process", "leaf"):
        add_kill(who, at, signal.SIGKILL, CRASHED, (1,), "whole rows")
    add_kill("guard", at, signal.SIGKILL, ("",), (0,), "whole rows")
    for who in ("front end", "runner", "guard", "inner process", "leaf"):
        add_stop(who, at)
