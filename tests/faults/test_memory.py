#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The memory for a recording must be proportional to the size of its file, even if the file has wrong
numbers: see tuibench-log(5).

    test_memory.py TUIBENCH
"""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import SANITIZED, TUIBENCH

# The manual promises at most FACTOR bytes for each byte of the file, and BESIDES bytes more.
FACTOR, BESIDES = 192, 64 << 20

# A header may leave out columns. These few give the shortest rows.
COLUMNS = ("record", "time_ns", "run", "case_id", "id", "status", "on_ns", "off_ns", "subject", "value", "trial")
HEAD = ("meta,0,,,,,,,cases,1,", "meta,0,,,,,,,experiment,mixed,", "meta,0,,,,,,,trials,100000,")


def of_claims(plan, rows):
    return "\n".join([",".join(COLUMNS), *HEAD, f"case,0,,0,,,,,,{plan},", *rows]) + "\n"


def runs(n, *rows):
    """Returns the rows of n runs, each with a row "begin" and these rows."""
    return (row.format(i, i) for i in range(n) for row in ("begin,1,{},0,,,,,,,{}", *rows))


SMALL = "thread:2 cpu:2 gated cpu_size:10"
LARGE = "thread:1000000 null:1000000 gated"
WORKER, END = "worker,1,{},0,0,ok,,,,,0", "end,1,{},0,,ok,,,,,0"
HOSTILE = {
    "claims a million workers": (LARGE, ["begin,1,0,0,,,,,,,0"]),
    "claims a million workers, has the last": (LARGE, ["begin,1,0,0,,,,,,,0", "worker,1,0,0,999999,ok,,,,,0",
                                                       "tick,1,0,0,,,,,,,0", "end,1,0,0,,ok,,,,,0"]),
    "a million workers, a slice of one": (LARGE, ["begin,1,0,0,,,,,,,0", "slice,1,0,0,999999,,1,2,,,0",
                                                  "end,1,0,0,,ok,,,,,0"]),
    "begins alone": (SMALL, runs(100000)),
    "begins and ends": (SMALL, runs(50000, END)),
    "with a worker each": (SMALL, runs(30000, WORKER, END)),
    "with a slice each": (SMALL, runs(30000, "slice,1,{},0,0,,1,2,,,0", WORKER, END)),
}


class Memory(unittest.TestCase):
    @unittest.skipIf(SANITIZED, "a sanitizer's own memory is many times the program's")
    def test_goes_with_the_file(self):
        for name, (plan, rows) in HOSTILE.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "hostile.csv")
                with open(log, "w", encoding="utf-8") as file:
                    file.write(of_claims(plan, rows))
                for form in ("table", "json"):
                    self.look(log, form)

    def look(self, log, form):
        size = os.stat(log).st_size
        with subprocess.Popen([TUIBENCH, "--export", form, log], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as program:
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
        if "-v" in sys.argv:
            print(f"{os.path.basename(log)}: {size} bytes, {form}: {usage.ru_maxrss} kB, "
                  f"{usage.ru_utime:.1f} s", file=sys.stderr)
        self.assertEqual(program.returncode, 0)
        self.assertLess(usage.ru_maxrss * 1024, FACTOR * size + BESIDES)


if __name__ == "__main__":
    unittest.main()
