# SPDX-License-Identifier: MIT
"""CPUs are taken away and given back while tasks are working."""

import os
import subprocess
import time

from calls import BRIEF, CAME, TAKEN
from deaths import begin, meet_working
from rows import Fault, Scene, Skip, row

# This file turns off a CPU of the whole machine, so all other programs are affected.
ONLINE = "/sys/devices/system/cpu/cpu1/online"
ALLOWS = "FAULTS_HOTPLUG"


def fewer_cpus(one, draw, take, give):
    """A run that loses a CPU must fail, because it cannot be compared with the other trials."""
    with Scene() as scene:
        tree = begin(scene, "running", False)
        met = meet_working(tree, draw)
        try:
            met = met and take(tree)
            scene.end()
        finally:
            give()
        one.judge(scene, met=met)
        if met and [line["status"] for line in scene.check_log() if line["record"] == "end"] != ["failed"]:
            raise Fault("the run counts")


@row("hotplug", "a CPU is taken from its cpuset, or by taskset, while tasks are working",
     (TAKEN,), (1,), "whole rows, the run as failed")
def taken_cpu(one, draw):
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise Skip("needs two CPUs")

    def take(tree):
        os.sched_setaffinity(tree.front, cpus[:-1])
        return tree.scene.process.poll() is None
    fewer_cpus(one, draw, take, lambda: None)


@row("hotplug", "CPU 1 goes offline while tasks are working",
     ("processes, trial 1*: CPU 1 has gone offline since the session began",),
     (1,), "whole rows, the run as failed")
def offline_cpu(one, draw):
    if not os.environ.get(ALLOWS) or not os.access(ONLINE, os.W_OK):
        raise Skip(f"needs root and {ALLOWS}=1: all that runs on this machine would lose CPU 1 for a moment")

    def switch(to):
        with open(ONLINE, "w", encoding="utf-8") as file:
            file.write(to)
        return True
    fewer_cpus(one, draw, lambda tree: switch("0"), lambda: switch("1"))


# tuibench does not see a change that is undone between two samples.
@row("hotplug", "CPUs are taken and given back at random while tasks are working",
     ("", TAKEN, CAME), (0, 1), "whole rows")
def affinity(one, draw):
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise Skip("has one CPU")
    with Scene() as scene:
        scene.start(*BRIEF, "-w", "cpu=2", "-s", "cpu.size=2000000", "--log", scene.log)
        for _ in range(20):
            time.sleep(0.01)
            subprocess.run(["taskset", "-a", "-p", "-c", str(draw.choice(cpus)), str(scene.process.pid)],
                           capture_output=True, check=False)
        scene.end()
        one.judge(scene)
