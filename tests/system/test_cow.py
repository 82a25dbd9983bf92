#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Page faults and copies of the writes after a fork, compared with a fork by the test itself.

    test_cow.py TUIBENCH
"""

import mmap
import os
import resource
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import as_nobody, matches, result, run, workers

MIB = 1 << 20
BALLAST = 8 * MIB
PAGES = BALLAST // mmap.PAGESIZE
SMALL = ("cow", "-s", "ballast=8M", "--trials", "2")
# Additional faults of a task, such as for its stack.
FEW = 8
THP = "/sys/kernel/mm/transparent_hugepage/enabled"


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def own_fork(pages):
    """Returns the minor faults of a child of this test that writes to `pages` pages of its memory."""
    memory = mmap.mmap(-1, BALLAST, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    for i in range(0, BALLAST, mmap.PAGESIZE):
        memory[i] = 1
    ours, theirs = os.pipe()
    if os.fork() == 0:
        before = faults()
        for i in range(0, pages * mmap.PAGESIZE, mmap.PAGESIZE):
            memory[i] = 2
        os.write(theirs, str(faults() - before).encode())
        os._exit(0)
    os.wait()
    return int(os.read(ours, 32))


def huge_pages():
    try:
        with open(THP, encoding="utf-8") as file:
            return "[never]" not in file.read()
    except OSError:
        return False


def by_case(session):
    return {(one["model"], (one["variables"] or {}).get("touch")): one for one in session["runs"]}


def by_model(session):
    return {one["model"]: one for one in session["runs"]}


class Writes(unittest.TestCase):
    def check_run(self, model, percent, one):
        pages = PAGES * int(percent) // 100
        self.assertEqual((one["status"], one["steps"]), ("ok", pages))
        copied = pages if model == "processes" else 0
        self.assertIn(one["step_faults"], range(copied, copied + FEW + 1), (model, percent))
        self.assertAlmostEqual(one["copied_kb"], copied * 4, delta=128 + copied * 4 // 100)
        self.assertGreater(one["step_ns"], 0)

    def test_a_process_faults_and_copies_once_a_page_and_a_thread_never(self):
        runs = by_case(result(*SMALL))
        self.assertEqual(len(runs), 8)
        for (model, percent), one in runs.items():
            self.check_run(model, percent, one)

    def test_a_fork_of_our_own_takes_as_many_faults(self):
        for percent in ("25", "100"):
            one = by_model(result(*SMALL, "-s", f"touch.size={percent}"))
            ours = own_fork(PAGES * int(percent) // 100)
            theirs = one["processes"]["step_faults"]
            self.assertAlmostEqual(theirs, ours, delta=64, msg=percent)

    def test_what_the_kernel_counts_for_the_whole_worker_has_them(self):
        for row in workers(*SMALL[:3], "-s", "touch.size=100", "-m", "processes").values():
            self.assertIn(int(row["minflt"]), range(PAGES, PAGES + 200))

    def test_several_workers_copy_each_for_itself(self):
        runs = by_model(result(*SMALL, "-w", "touch=3", "-m", "threads,processes,hybrid:1x3",
                              "-s", "touch.size=50"))
        for model, one in runs.items():
            self.assertEqual(one["steps"], 3 * PAGES // 2)
            # Threads of one process share their copies.
            copied = {"threads": 0, "processes": 3, "hybrid:1x3": 1}[model] * PAGES // 2
            self.assertGreaterEqual(one["step_faults"], copied)
            if model == "hybrid:1x3":
                self.assertIsNone(one["copied_kb"])
            else:
                self.assertLessEqual(one["step_faults"], copied + 3 * FEW)

    def test_the_time_of_a_write_is_what_is_compared(self):
        def once():
            session = result("cow", "-s", "ballast=16M", "-s", "touch.size=100", "--trials",
                             "8")
            (one,) = [c for c in session["comparisons"] if c["metric"] == "step_ns"]
            self.assertEqual(one[one["verdict"]], "threads")
            self.assertRegex(session["sentence"],
                             r"^threads are faster: [\d.,]+ (ns|us|µs) against [\d.,]+ (ns|us|µs) per operation \((per pair, )?processes (take )?[\d.]+x as long; ")
        matches(self, once)

    @unittest.skipUnless(huge_pages(), "no huge pages here")
    def test_huge_pages_are_had_and_their_copies_are_what_the_kernel_makes(self):
        runs = by_model(result(*SMALL, "-s", "ballast-pages=huge", "-s", "touch.size=100"))
        one = runs["processes"]
        # Linux copies single pages since 5.8, and 2 MiB at a time before that.
        self.assertIn(one["step_faults"], [*range(4, 4 + FEW), *range(PAGES, PAGES + FEW)])
        self.assertAlmostEqual(one["copied_kb"], BALLAST // 1024, delta=256)

    def test_a_plain_user_may_as_well(self):
        session = result(*SMALL, "-s", "touch.size=100", **as_nobody(self, {}))
        self.assertEqual({one["status"] for one in session["runs"]}, {"ok"})

    def test_what_cannot_be_is_refused_in_one_line(self):
        for args, word in ((("-s", "ballast=1M"), "-s ballast=64M"),
                           (("-s", "touch.size=101"), "touch"),
                           (("-s", "ballast-pages=large"), "small"),
                           (("-s", "ballast=3M", "-s", "ballast-pages=huge"), "2 MiB")):
            _, err = run("cow", "--no-log", *args, status=2)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(word, err)


if __name__ == "__main__":
    unittest.main()
