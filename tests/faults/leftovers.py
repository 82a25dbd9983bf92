# SPDX-License-Identifier: MIT
"""SIGKILL ends the front end and the process that tidies up after it. Their cgroup remains, and the next
session must remove it.
"""

import os
import signal
import time

from program import as_nobody, children, name_of
from rows import Fault, Scene, Skip, row
from scene import cgroups_of, tasks_marked
from deaths import PLAIN, Tree, await_phase, send

GROUP = "left by SIGKILL"
# Nine tasks that work until they are killed, so that any random moment is during their run.
ENDLESS = ("--tree", "3x3", *PLAIN, "-s", "cpu.size=1000000000000")
BRIEF = ("--no-log", *PLAIN, "-w", "cpu=1", "-s", "cpu.size=1000")


class Skipper:
    @staticmethod
    def skipTest(why):
        raise Skip(why)


def killed(scene, draw):
    """Kills a session while its tasks work, and waits until all tasks have ended. Returns its cgroups."""
    scene.environment.pop("TUIBENCH_KERNEL", None)
    scene.start(*ENDLESS, "--log", scene.log)
    if not await_phase(Tree(scene), "running", draw):
        raise Fault(f"{ENDLESS} has ended before all work")
    found = cgroups_of(scene.process.pid)
    for child in children(scene.process.pid) or ():
        if name_of(child) == "tuibench-tidy":
            send(child, signal.SIGKILL)
    send(scene.process.pid, signal.SIGKILL)
    scene.end()
    until = time.monotonic() + 20
    while tasks_marked(scene.mark):
        if time.monotonic() > until:
            raise Fault(f"processes stay: {tasks_marked(scene.mark)}")
        time.sleep(0.01)
    return found


def next_session(**more):
    with Scene() as again:
        again.environment.pop("TUIBENCH_KERNEL", None)
        again.start(*BRIEF, **more)
        if again.end() != 0 or again.lines():
            raise Fault(f"the next session: status {again.status}, said: {again.said}")
        again.check_left()


@row(GROUP, "the cgroup of a run, met by a session of a plain user and then by one of its own user", (), (-9,),
     "whole rows but the last", few=1)
def cgroup(one, draw):
    # Another session on this machine may remove the cgroup first. Then try again.
    for _ in range(5):
        with Scene() as scene:
            if not killed(scene, draw):
                raise Skip("a run has no cgroup of its own here")
            stays = cgroups_of(scene.process.pid)
            if not stays:
                continue
            if os.geteuid() == 0:
                next_session(**as_nobody(Skipper, {}))
            next_session()
            left = cgroups_of(scene.process.pid)
            if left:
                raise Fault(f"stays after the next session: {left}")
            scene.check_log(whole=False)
            scene.check_left()
            one.met += 1
            return
    raise Skip("other sessions remove it at once")
