# SPDX-License-Identifier: MIT
"""The clocks differ from the clocks of the machine: in a time namespace, they are ahead or behind."""

import os
import shutil
import subprocess

from program import TUIBENCH
from rows import Fault, Scene, Skip, row
from calls import BRIEF, SMALL

GROUP = "clocks"
SECOND = 10**9


def check_times(rows):
    """Checks that all times are within the session, and that the times of each worker are in order."""
    for one in rows:
        if not 0 <= int(one["time_ns"]) < 60 * SECOND:
            raise Fault(f"{one['record']} at {one['time_ns']} ns")
    ends = [one for one in rows if one["record"] == "end"]
    workers = [one for one in rows if one["record"] == "worker" and one["join_ns"]]
    if not ends or not workers:
        raise Fault(f"{len(ends)} runs, {len(workers)} workers")
    for one in ends:
        if not 0 < int(one["elapsed_ns"]) < 60 * SECOND:
            raise Fault(f"took {one['elapsed_ns']} ns")
    for one in workers:
        times = [int(one[name]) for name in ("create_ns", "start_ns", "finish_ns", "join_ns")]
        if times != sorted(times) or times[0] < 0:
            raise Fault(f"created, started, finished, joined at {times}")


@row(GROUP, "a time namespace, a day ahead or ten seconds behind", ("",), (0,), "whole rows, their times those of the session",
     few=1)
def namespace(one, draw):
    offset = str(draw.choice((86400, -10)))
    enter = ["unshare", "--fork", "--kill-child=SIGTERM", "--time", "--boottime", offset, "--monotonic", offset]
    if not shutil.which("unshare") or subprocess.run([*enter, "true"], capture_output=True, check=False).returncode:
        raise Skip("needs root, and a time namespace")
    with Scene() as scene:
        scene.outputs = [open(os.path.join(scene.folder, name), "w+b") for name in ("out", "err")]
        scene.process = subprocess.Popen(
            [*enter, TUIBENCH, "--batch", *BRIEF, "--trials", "3", "-w", "cpu=2,io=1", *SMALL, "--log", scene.log],
            env=scene.environment, stdin=subprocess.DEVNULL, stdout=scene.outputs[0], stderr=scene.outputs[1],
            start_new_session=True)
        scene.end()
        one.judge(scene)
        check_times(scene.check_log())
