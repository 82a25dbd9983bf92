#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the self-test and inserts its output at the top of RESULTS.md: meson compile -C build results

    results.py TUIBENCH SOURCE_ROOT
"""

import pathlib
import subprocess
import sys

BEGIN = """# Results of the self-test

`meson compile -C build results` adds the output of `tuibench --self-test` on top of this file, with date,
version and machine. The wording is that of the version. A row that is off is a result as well.
"""


def commit(root):
    """Returns ", commit 1234567", with a + if files were changed; "" if git does not know the commit."""
    git = ["git", "-C", root]
    done = subprocess.run(git + ["rev-parse", "--short=10", "HEAD"], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        return ""
    changed = subprocess.run(git + ["diff", "--quiet", "HEAD", "--", "src", "include"],
                             capture_output=True, check=False)
    return f", commit {done.stdout.strip()}{'+' if changed.returncode else ''}"


def section(said, root):
    """The first two lines of the output are the session and the machine. A table and a sentence follow."""
    head, machine, rest = said.split("\n", 2)
    table, sentence = rest.strip("\n").rsplit("\n\n", 1)
    return (f"## {head[0].upper()}{head[1:]}{commit(root)}\n\n{machine}\n\n"
            f"```\n{table}\n```\n\n{sentence}\n")


def main():
    tuibench, root = sys.argv[1:]
    file = pathlib.Path(root, "tests", "bench", "RESULTS.md")
    done = subprocess.run([tuibench, "--self-test"], stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    print(done.stdout, end="")
    if done.returncode not in (0, 1) or not done.stdout:
        return 1
    before = file.read_text(encoding="utf-8") if file.exists() else BEGIN
    at = before.find("\n## ")
    first, others = (before, "") if at < 0 else (before[:at], before[at:])
    file.write_text(f"{first.rstrip()}\n\n{section(done.stdout, root)}{others}", encoding="utf-8")
    return 0


sys.exit(main())
