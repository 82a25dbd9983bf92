#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A false runner writes random bytes to the scoreboard. The front end must end by itself, as documented.

    test_wild_runner.py TUIBENCH [SEED]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import DEADLINE, PLAIN, TUIBENCH, await_end_of

SEED = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 1

# Replaces the runner. The parameters are the way to write, the duration, and the exit status.
WILD = """#!{python}
import mmap, os, random, sys, time

way, seed = {way!r}, int(os.environ["WILD_SEED"])
chance = random.Random(seed)
board = mmap.mmap(int(sys.argv[1]), 0)
size = len(board)

def anywhere(n):
    for _ in range(n):
        at = chance.randrange(size - 8)
        board[at:at + 8] = chance.choice((
            chance.randbytes(8), bytes(8), b"\\xff" * 8, (1 << 63).to_bytes(8, "little"),
            chance.randrange(9).to_bytes(8, "little")))

until = time.monotonic() + {seconds}
if way == "all":
    board[:] = chance.randbytes(size)
elif way == "ones":
    board[:] = b"\\xff" * size
elif way == "header":
    board[:1 << 15] = chance.randbytes(1 << 15)
while time.monotonic() < until:
    anywhere({n})
    time.sleep(0.001)
os._exit({status})
"""


class Wild(unittest.TestCase):
    def run_with(self, way, seed, *args):
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy(TUIBENCH, os.path.join(folder, "tuibench"))
            runner = os.path.join(folder, "tuibench-runner")
            with open(runner, "w", encoding="utf-8") as file:
                file.write(WILD.format(python=sys.executable, way=way, seconds=0.15,
                                       n=4 if way == "few" else 400, status=seed % 2))
            os.chmod(runner, 0o755)
            done = subprocess.run(
                [program, "--batch", *PLAIN, "--trials", "1", "--log", os.path.join(folder, "a.csv"),
                 "--format", "json", "--interval", "10", *args], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=DEADLINE, check=False,
                env={**os.environ, "WILD_SEED": str(seed)})
            about = (way, seed, args, done.returncode, done.stderr[-2000:])
            self.assertIn(done.returncode, (0, 1), about)
            for line in done.stderr.decode().splitlines():
                self.assertTrue(line.startswith(("tuibench: ", "Recorded in ")), about)
                self.assertTrue(line.isprintable(), about)
            # tuibench must be able to read its own recording.
            again = subprocess.run([program, "--batch", "--replay", os.path.join(folder, "a.csv")],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, timeout=DEADLINE, check=False)
            self.assertIn(again.returncode, (0, 1), (about, again.stderr[-2000:]))

    def test_no_byte_of_the_board_ends_the_front_end(self):
        shapes = (("-w", "cpu=4"), ("-m", "threads", "-w", "cpu=2,io=1"),
                  ("--tree", "3x4"), ("pool", "-m", "pool:2", "-s", "size=5K,50K"),
                  ("crash", "-m", "hybrid:2x2"))
        for number, way in enumerate(("all", "ones", "header", "few", "many")):
            for shape in shapes:
                self.run_with(way, SEED * 1000 + number, *shape)


if __name__ == "__main__":
    unittest.main()
