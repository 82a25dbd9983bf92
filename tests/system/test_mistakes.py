#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Repeats the mistakes of report 001 on purpose. Compares with strace and the recording.

    test_mistakes.py TUIBENCH
"""

import csv
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stage"))
from program import run, strace

SMALL = ["-w", "write=3", "-s", "write.size=64K", "--trials", "1",
         "--warmup", "0"]


class TheMistakes(unittest.TestCase):
    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_those_that_share_a_file_open_the_same_one(self):
        """The workers make three files without a name, or with share-file one, which all three open again."""
        for share in ([], ["-s", "share-file=yes"]):
            for model in ("threads", "processes"):
                with self.subTest(model=model, share=bool(share)):
                    trace = strace(self, "openat", *SMALL, "--models", model, *share)
                    made = len(re.findall(r"O_TMPFILE", trace))
                    again = len(re.findall(r'"/proc/self/fd/\d+", O_RDWR', trace))
                    self.assertEqual((made, again), (1, 3) if share else (3, 0))

    def test_a_recording_says_in_its_cases_and_its_notes_what_was_done_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            run("--log", log, *SMALL, "-s", "share-file=yes", "-s", "rounds=2")
            with open(log, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            cases = [row["value"] for row in rows if row["record"] == "case"]
            notes = " ".join(row["value"] for row in rows if row["record"] == "message")
            self.assertEqual(len(cases), 2)
            for case in cases:
                self.assertTrue(case.endswith(" share_file rounds:2"), case)
            self.assertIn("-s share-file=yes is a known mistake", notes)
            self.assertIn("-s rounds is a known mistake", notes)
            self.assertNotIn("mem-order", notes)
            text = run("--export", "table", log)[0]
            self.assertIn("3 write workers, write.size=64K, share-file=yes, rounds=2", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
