#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes become children of the front end without belonging to the run: if it is process 1, or if a
program with children executes it.

    test_strangers.py TUIBENCH
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, PLAIN, TUIBENCH

# Starts a stranger in a session of its own. Its parent ends while the command runs.
PARENT = """
echo $$ >{folder}/front
(setsid sh -c 'echo $$ >{folder}/stranger; exec {does}' & while [ ! -s {folder}/begun ]; do sleep 0.01; done) \
>/dev/null 2>&1 &
"""
# Waits until the stranger is a child of the front end, in that state. Notes whether it still exists.
COMMAND = """#!/bin/sh
while [ ! -s {folder}/stranger ]; do sleep 0.1; done
echo begun >{folder}/begun
[ -e /proc/$(cat {folder}/stranger) ] || {{ echo gone >>{folder}/seen; exit; }}
while read name value rest; do
    [ "$name" = State: ] && state=$value
    [ "$name" = PPid: ] && parent=$value
done </proc/$(cat {folder}/stranger)/status
[ "$parent" = $(cat {folder}/front) ] && [ "$state" {state} Z ] && {{ echo there >>{folder}/seen; exit; }}
sleep 0.2
exec "$0"
"""
DAEMON = """#!/bin/sh
if [ -s {folder}/daemon ]; then
    [ -e /proc/$(cat {folder}/daemon) ] && echo there >>{folder}/seen || echo gone >>{folder}/seen
    exit
fi
setsid sh -c 'echo $$ >{folder}/daemon; exec sleep 1000' &
while [ ! -s {folder}/daemon ]; do sleep 0.01; done
"""
BUSY = "import time\nwhile time.process_time() < 2: pass\n"


@unittest.skipUnless(shutil.which("setsid"), "needs setsid")
class Strangers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder)

    def isolated(self):
        """Returns the words before a command that make it process 1 of a PID namespace."""
        words = ["unshare", "--pid", "--fork", "--mount-proc"]
        if os.geteuid() != 0 or subprocess.run([*words, "true"], check=False, capture_output=True).returncode:
            self.skipTest("needs root, and a namespace of processes")
        return words

    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read().split()

    def session(self, script, command, before):
        """Runs two trials by a script that executes tuibench. Returns the result and standard error."""
        path = os.path.join(self.folder, "command")
        with open(path, "w", encoding="utf-8") as file:
            file.write(command)
        os.chmod(path, 0o755)
        done = subprocess.run([*before, "sh", "-c", script + '\nexec "$@"', "sh", TUIBENCH, "--batch", "--no-log",
                               "--trials", "2", "--format", "json", *PLAIN, "-m", "processes", "--command", path],
                              check=False, text=True, capture_output=True, timeout=DEADLINE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def meet(self, does, state, before=()):
        found, said = self.session(PARENT.format(folder=self.folder, does=does),
                                   COMMAND.format(folder=self.folder, state=state), before)
        self.assertNotIn("outlived it", said)
        self.assertEqual(self.text("seen"), ["there", "there"])
        return found["runs"]

    def test_a_program_that_execs_it_keeps_what_its_children_leave(self):
        self.meet("sleep 1000", "!=")
        os.kill(int(self.text("stranger")[0]), signal.SIGKILL)

    def test_as_process_1_it_keeps_what_others_leave(self):
        self.meet("sleep 1000", "!=", self.isolated())

    def test_the_time_of_a_stranger_that_has_ended_is_not_the_runs(self):
        busy = os.path.join(self.folder, "busy.py")
        with open(busy, "w", encoding="utf-8") as file:
            file.write(BUSY)
        for before in ((), self.isolated()):
            for one in self.meet(f"{sys.executable} {busy}", "=", before):
                self.assertLess(one["cpu_ms"], 1500)
            for name in ("seen", "begun", "stranger", "front"):
                os.unlink(os.path.join(self.folder, name))

    def test_as_process_1_it_ends_what_the_run_leaves(self):
        """tuibench finds the process by a mark, because the run may have no cgroup in this namespace."""
        _, said = self.session("", DAEMON.format(folder=self.folder), self.isolated())
        self.assertIn("1 process that outlived it", said)
        self.assertEqual(self.text("seen"), ["gone"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
