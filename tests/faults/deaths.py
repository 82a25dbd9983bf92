# SPDX-License-Identifier: MIT
"""Processes are killed or stopped while tasks are created, run and are joined."""

import os
import re
import signal
import time

from program import children, name_of
from rows import Fault, Scene, Skip, row
from scene import BOUND, tasks_marked

PLAIN = ("--trials", "1", "--warmup", "0", "--order", "fixed", "-m", "processes", "--interval", "20")
# Trees with inner processes. 144 leaves take long to create, and 9 leaves work for a while.
MANY = ("--tree", "12x12", *PLAIN, "-s", "cpu.size=1000", "-s", "all-alive=yes")
FEW = ("--tree", "3x3", *PLAIN, "-s", "cpu.size=20000000")
HALTED = "processes, trial 1: *, was stopped: the run waits and does not count; kill -CONT * continues it"
PHASES = ("creating", "running", "joining")
GROUP = "process group of the front end"  # what kill -9 %1 of a shell ends
ENDED = {
    "runner": "processes, trial 1*: tuibench-runner was ended by signal 9 (Killed)",
    "inner process": "processes, trial 1*: worker * was ended by signal 9 (Killed)",
    "leaf": "processes, trial 1*: worker * was ended by signal 9 (Killed)",
}


def state(pid):
    """Returns the state in /proc, such as "R" or "Z"; "X" if the process does not exist."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "X"


class Tree:
    """Finds the processes of a session."""

    def __init__(self, scene):
        self.scene, self.front = scene, scene.process.pid
        self.held = 0  # a leaf that is stopped, so that its parent is joining it

    def runner(self):
        return next((pid for pid in children(self.front) or () if name_of(pid) == "tuibench-runner"), 0)

    def guard(self):
        return next((pid for pid in children(self.front) or () if name_of(pid) == "tuibench-guard"), 0)

    def inner(self):
        runner = self.runner()
        return children(runner) or [] if runner else []

    def leaves(self):
        return [leaf for one in self.inner() for leaf in children(one) or ()]

    def parent(self, leaf):
        return next((one for one in self.inner() if leaf in (children(one) or ())), 0)

    def one(self, role, draw):
        """Returns the PID of a process with that role; 0: there is none now."""
        if role in ("front end", GROUP):
            return self.front
        if role in ("runner", "guard"):
            return self.runner() if role == "runner" else self.guard()
        if self.held:
            return self.held if role == "leaf" else self.parent(self.held)
        found = self.inner() if role == "inner process" else self.leaves()
        return draw.choice(found) if found else 0


def meet(tree, holds):
    """Waits until holds() is true. Returns False if the session ended before that."""
    until = time.monotonic() + BOUND
    while tree.scene.process.poll() is None and time.monotonic() < until:
        if tree.scene.terminal:
            tree.scene.look(0)
        if holds():
            return True
    return False


def meet_creating(tree, draw):
    """Waits until some leaves exist. The tasks that measure kernel memory before the run have no leaves."""
    least = 1 + draw.randrange(143)
    return meet(tree, lambda: len(tree.leaves()) >= least)


def meet_working(tree, draw):
    if not meet(tree, lambda: len(tree.inner()) == 3 and len(tree.leaves()) == 9):
        return False
    time.sleep(draw.random() * 0.1)
    return True


def meet_joining(tree, draw):
    """Stops one leaf at its work, so that it is joined last. Waits until some of the others were joined."""
    if not meet(tree, lambda: len(tree.inner()) == 3 and len(tree.leaves()) == 9):
        return False
    held, most = draw.choice(tree.leaves()), draw.randrange(1, 9)
    if not send(held, signal.SIGSTOP):
        return False
    tree.held = tree.scene.held = held
    return meet(tree, lambda: sum(state(leaf) in "RSDT" for leaf in tree.leaves()) <= most)


def await_phase(tree, phase, draw):
    """Waits for a random moment of the phase. Returns False if the session ended before that."""
    return {"creating": meet_creating, "running": meet_working, "joining": meet_joining}[phase](tree, draw)


def begin(scene, phase, live):
    args = (*(MANY if phase == "creating" else FEW), "--log", scene.log)
    # Let the run have a cgroup of its own, if that is allowed. It must be removed at the end.
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


def send_group(group, number):
    try:
        os.killpg(group, number)
        return True
    except ProcessLookupError:
        return False


def kill(one, draw, role, phase, number):
    """Kills a process. Half of the sessions are live, so that the terminal is checked, too."""
    live = role in ("guard", GROUP) or draw.random() < 0.5
    with Scene() as scene:
        tree = begin(scene, phase, live)
        met = await_phase(tree, phase, draw)
        victim = tree.one(role, draw) if met else 0
        met = bool(victim) and (send_group if role == GROUP else send)(victim, number)
        if role == "guard" and tree.held:
            send(tree.held, signal.SIGCONT)
        scene.end()
        # With status 0, the task had ended before the signal came.
        if scene.status == 0 and role != "guard":
            met = False
        if live and role in ("front end", GROUP):
            scene.said = ""
        judge_death(one, scene, met, live)


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
    if scene.status >= 0:
        one.check_lines(scene, live)
    scene.check_log(whole=scene.status >= 0)
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
    """Stops a process. SIGTERM must end the session; a stopped front end ends when it is continued."""
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
        # With status 0, the session had ended before the signal came.
        judge_death(one, scene, met and scene.status != 0, live)


def add_stop(role, phase):
    @row("stopped", f"SIGSTOP of the {role} while tasks are {phase_text(phase)}, then SIGTERM of the front end",
         ("", "processes, trial 1 of 1: interrupted", HALTED), (143,), "whole rows", few=1, most=2)
    def run(one, draw):
        stop(one, draw, role, phase)


def rest(one, draw, role):
    """Stops a process for 2.5 s. The run must be recorded as paused, so that it does not count."""
    with Scene() as scene:
        tree = begin(scene, "running", False)
        victim = tree.one(role, draw) if meet_working(tree, draw) else 0
        met = bool(victim) and send(victim, signal.SIGSTOP)
        time.sleep(2.5)
        met &= bool(victim) and state(victim) == "T"
        send(victim, signal.SIGCONT)
        scene.end()
        one.judge(scene, met=met)
        if met and [line["paused"] for line in scene.check_log() if line["record"] == "end"] != ["1"]:
            raise Fault("the run counts: it is not recorded as paused")


def add_rest(role):
    @row("stopped", f"SIGSTOP of the {role} while tasks are working, and SIGCONT 2.5 s later", (HALTED,), (0,),
         "whole rows, the run as paused", few=1)
    def run(one, draw):
        rest(one, draw, role)


TORN = "whole rows but the last; its cgroup goes by the guard, or without a screen with the next session"
for at in PHASES:
    for end in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT):
        add_kill("front end", at, end, ("",), (-end,), TORN)
    add_kill(GROUP, at, signal.SIGKILL, ("",), (-signal.SIGKILL,), TORN)
    for who in ("runner", "inner process", "leaf"):
        add_kill(who, at, signal.SIGKILL, (ENDED[who],), (1,), "whole rows")
    add_kill("guard", at, signal.SIGKILL, ("",), (0,), "whole rows")
    for who in ("front end", "runner", "guard", "inner process", "leaf"):
        add_stop(who, at)
for end in (signal.SIGBUS, signal.SIGUSR1, signal.SIGALRM):
    add_kill("front end", "running", end, ("",), (-end,), TORN)
for who in ("runner", "inner process", "leaf"):
    add_rest(who)
